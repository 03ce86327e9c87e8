#!/usr/bin/env bash
# Rewrites all texts that tests compare as a whole, from the program's current output: tests/golden, the messages in
# tests/om/malformed, the listings of docs/architecture.md and the scores in tests/cli. Review the changes with git diff.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -f build/CMakeCache.txt ] || ./scripts/build.sh
cmake --build build --target test_golden test_om test_apps paraiso
export PARAISO_REWRITE=1
build/bin/test_golden --gtest_brief=1
build/bin/test_om --gtest_brief=1 --gtest_filter='Parse.Malformed*'
build/bin/test_apps --gtest_brief=1 --gtest_filter='Architecture.PageIsTrue'
PARAISO=$PWD/build/bin/paraiso python3 -B tests/cli/scoreboard_test.py Scoreboard.test_a_part_of_it_is_as_it_was
git --no-pager diff --stat
git status --short --untracked-files=all tests docs | grep '^??' || true
