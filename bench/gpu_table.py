"""What bench/gpu.py measured, as Markdown, beside the goals of docs/devices.md.

A tuned schedule's goal is judged by the fastest schedule that was measured: where none was tuned, the verdict says so.
"""

# Goals that are no row's, for the default and the tuned schedule: f32 over f64 of the rows of one name, microseconds for a step of
# heat 256^2; and the default's part of the tuned.
SINGLE_OVER_DOUBLE = {"hydro 2-D": (1.8, 2), "hydro 3-D": (1.8, 2)}
STEP_GOALS, STEP_GOAL_CELLS = (5, 2.5), 256
DEFAULT_OF_TUNED = 0.6


def speed_text(updates):
    return f"{updates / 1e9:.3g}e9 /s" if updates >= 1e8 else f"{updates / 1e6:.3g}e6 /s"


def goal_text(goal):
    return "" if goal is None else speed_text(goal) if goal > 10 else f"{100 * goal:.0f} %"


def verdict(value, goal, tuned=True):
    if goal is None or value is None:
        return ""
    return "met" if value >= goal else "missed" if tuned else "missed, not tuned"


def speed_of(sample):
    return sample and sample["cell_updates_per_second"]


def speeds_of_rows(parts):
    return {row["name"]: speed_of(row["sample"]) for row in parts.get("rows") or [] if row["sample"]}


def champions(parts):
    return {one["name"]: one["report"]["champion_cell_updates_per_second"] for one in parts.get("tune") or []
            if one["report"] and one["report"]["champion_cell_updates_per_second"]}


def best_speeds(parts):
    """Of each name, under any schedule that was measured."""
    best = speeds_of_rows(parts)
    more = [(one["name"], speed_of(one["sample"])) for one in parts.get("ghosts") or [] if one["sample"]]
    for name, speed in [*more, *champions(parts).items()]:
        best[name] = max(speed, best.get(name, 0))
    return best


def both_goals(value, goals, unit=1):
    """The verdicts for a default schedule, of which a tuned one's goal is asked, too; unit is -1 where less is better."""
    default, tuned = (verdict(unit * value, unit * goal, is_default) for goal, is_default in zip(goals, (True, False)))
    return f"goal {goals[0]}: {default}; tuned {goals[1]}: {tuned}"


def other_goals(parts):
    """Lines about goals that are no row's."""
    speeds = speeds_of_rows(parts)
    for name, goals in SINGLE_OVER_DOUBLE.items():
        if f"{name} f32" in speeds and f"{name} f64" in speeds:
            ratio = speeds[f"{name} f32"] / speeds[f"{name} f64"]
            yield f"{name}: f32 has {ratio:.2f} times the speed of f64 ({both_goals(ratio, goals)})."
    for one in parts.get("steps") or []:
        if (one["app"], one["cells"]) == ("heat", STEP_GOAL_CELLS):
            time = 1e6 * one["seconds"]
            yield f"A step of heat {STEP_GOAL_CELLS}^2 takes {time:.3g} us ({both_goals(time, STEP_GOALS, unit=-1)})."
    for one in parts.get("tune") or []:
        if one["name"] in champions(parts):
            share = one["report"]["default_cell_updates_per_second"] / champions(parts)[one["name"]]
            yield (f"{one['name']}: the default has {100 * share:.0f} % of the tuned speed (goal {100 * DEFAULT_OF_TUNED:.0f} %: "
                   f"{verdict(share, DEFAULT_OF_TUNED)}).")


def lines_of_verify(parts):
    if parts.get("verify"):
        passed = sum(one["passed"] is True for one in parts["verify"])
        yield f"Verified bit for bit: {passed} of {len(parts['verify'])} programs."
        yield from ("DIFFERENT: " + " ".join(one["program"]) for one in parts["verify"] if one["passed"] is False)


def lines_of_sanitize(parts):
    found = parts.get("sanitize") or []
    for tool, schedule in dict.fromkeys((one["tool"], one["schedule"]) for one in found):
        asked = [one for one in found if (one["tool"], one["schedule"]) == (tool, schedule)]
        clean = sum(one["clean"] is True for one in asked)
        yield f"compute-sanitizer, {tool}, schedule {schedule}: {clean} of {len(asked)} apps clean."
        yield from (f"NOT CLEAN: {one['app']}" for one in asked if one["clean"] is False)


def lines_of_rows(parts, small):
    copy = parts.get("copy") and parts["copy"]["bytes_per_second"]
    if copy:
        yield from ("", f"A copy moves {copy:.3g} bytes a second.")
    if parts.get("rows"):
        yield from ("", "| | updates | of the copy | goal, default | default | goal, tuned | tuned | measured / predicted |",
                    "| --- | --- | --- | --- | --- | --- | --- | --- |")
        best, tuned = best_speeds(parts), champions(parts)
        for row in parts["rows"]:
            yield line_of_row(row, copy, best.get(row["name"]), row["name"] in tuned, small)


def line_of_row(row, copy, best, is_tuned, small):
    speed = speed_of(row["sample"])

    def part(of):
        return of * row["bytes"] / copy if of and copy and row["bytes"] else None

    def judged(of, goal, *more):
        return "" if small else verdict(of if (goal or 0) > 10 else part(of), goal, *more)

    share = f"{100 * part(speed):.0f} %" if part(speed) else ""
    predicted = row["sample"] and row["sample"].get("predicted")
    ratio = f"{1e9 / speed / predicted['nanoseconds']:.2f}" if predicted else ""
    return (f"| {row['name']} | {speed_text(speed) if speed else 'left out'} | {share} | {goal_text(row['goal'])} "
            f"| {judged(speed, row['goal'])} | {goal_text(row['goal_tuned'])} | {judged(best, row['goal_tuned'], is_tuned)} "
            f"| {ratio} |")


def lines_of_ghosts(parts):
    if parts.get("ghosts"):
        names, alleles = (list(dict.fromkeys(one[key] for one in parts["ghosts"])) for key in ("name", "ghosts"))
        of = {(one["name"], one["ghosts"]): one["sample"] for one in parts["ghosts"]}
        yield from ("", "| ghost cells | " + " | ".join(alleles) + " |", "| --- |" + " --- |" * len(alleles))
        for name in names:
            samples = [of[name, allele] for allele in alleles]
            yield f"| {name} | " + " | ".join(speed_text(speed_of(one)) if one else "left out" for one in samples) + " |"


def lines_of_steps(parts):
    if parts.get("steps"):
        apps = list(dict.fromkeys(one["app"] for one in parts["steps"]))
        sizes = sorted({one["cells"] for one in parts["steps"]})
        of = {(one["app"], one["cells"]): one["seconds"] for one in parts["steps"]}
        yield from ("", "| a step, in us | " + " | ".join(f"{cells}^2" for cells in sizes) + " |",
                    "| --- |" + " --- |" * len(sizes))
        for app in apps:
            yield f"| {app} | " + " | ".join(f"{1e6 * of[app, cells]:.4g}" if (app, cells) in of else "left out"
                                             for cells in sizes) + " |"


def lines_of_tune(parts):
    for one in parts.get("tune") or []:
        if report := one["report"]:
            best, default = report["champion_cell_updates_per_second"], report["default_cell_updates_per_second"]
            times = f"{best / default:.2f} times the default" if default else "the default failed"
            yield from ("", f"Tuned, {one['name']}: {speed_text(best)}, {times} ({report['individuals']} individuals).")


def table_of(record):
    device, parts = record["device"], {name: part["result"] for name, part in record["parts"].items()}
    lines = [f"# {device['name']}", "",
             f"{device['platform']}, {device['version']}, `--backend {record['backend']}`; commit {record['commit']}"
             f"{' and changes' if record['changed'] else ''}; {record['began']} to {record['ended']}."
             f"{' Small grids: the speeds mean nothing.' if record['small'] else ''}", ""]
    if record["clocks"]:
        lines += ["```", *record["clocks"].splitlines(), "```", ""]
    for lines_of in lines_of_verify, lines_of_sanitize:
        lines += lines_of(parts)
    lines += lines_of_rows(parts, record["small"])
    for lines_of in lines_of_ghosts, lines_of_steps, lines_of_tune:
        lines += lines_of(parts)
    if not record["small"]:
        lines += [line for goal in other_goals(parts) for line in ("", goal)]
    if record["left_out"]:
        lines += ["", "Left out:", *(f"- {one['what']}: {one['why']}" for one in record["left_out"])]
    return "\n".join(lines) + "\n"
