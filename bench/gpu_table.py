"""What bench/gpu.py measured, as Markdown, beside the goals of docs/devices.md."""

# Other goals: f32 over f64 of the rows of one name, microseconds for a step of heat 256^2, the default's part of the tuned.
SINGLE_OVER_DOUBLE = {"hydro 2-D": 1.8, "hydro 3-D": 1.8}
STEP_GOAL, STEP_GOAL_CELLS = 5, 256
DEFAULT_OF_TUNED = 0.6


def speed_text(updates):
    return f"{updates / 1e9:.3g}e9 /s" if updates >= 1e8 else f"{updates / 1e6:.3g}e6 /s"


def goal_text(goal):
    return "" if goal is None else speed_text(goal) if goal > 10 else f"{100 * goal:.0f} %"


def verdict(value, goal):
    return "" if goal is None or value is None else "met" if value >= goal else "missed"


def other_goals(record):
    """Lines about goals that are no row's."""
    parts = {name: part["result"] or [] for name, part in record["parts"].items()}
    speeds = {row["name"]: row["sample"]["cell_updates_per_second"] for row in parts.get("rows", []) if row["sample"]}
    for name, goal in SINGLE_OVER_DOUBLE.items():
        if f"{name} f32" in speeds and f"{name} f64" in speeds:
            ratio = speeds[f"{name} f32"] / speeds[f"{name} f64"]
            yield f"{name}: f32 has {ratio:.2f} times the speed of f64 (goal {goal}: {verdict(ratio, goal)})."
    for one in parts.get("steps", []):
        if (one["app"], one["cells"]) == ("heat", STEP_GOAL_CELLS):
            time = 1e6 * one["seconds"]
            yield (f"A step of heat {STEP_GOAL_CELLS}^2 takes {time:.3g} us (goal {STEP_GOAL}: "
                   f"{verdict(STEP_GOAL, time)}).")
    for one in parts.get("tune", []):
        report = one["report"]
        if report and report["champion_cell_updates_per_second"]:
            share = report["default_cell_updates_per_second"] / report["champion_cell_updates_per_second"]
            yield (f"{one['name']}: the default has {100 * share:.0f} % of the tuned speed (goal {100 * DEFAULT_OF_TUNED:.0f} %: "
                   f"{verdict(share, DEFAULT_OF_TUNED)}).")


def table_of(record):
    """What was measured, as Markdown."""
    device, parts = record["device"], {name: part["result"] for name, part in record["parts"].items()}
    lines = [f"# {device['name']}", "",
             f"{device['platform']}, {device['version']}, `--backend {record['backend']}`; commit {record['commit']}"
             f"{' and changes' if record['changed'] else ''}; {record['began']} to {record['ended']}."
             f"{' Small grids: the speeds mean nothing.' if record['small'] else ''}", ""]
    if record["clocks"]:
        lines += ["```", *record["clocks"].splitlines(), "```", ""]
    if parts.get("verify"):
        passed = sum(one["passed"] is True for one in parts["verify"])
        lines += [f"Verified bit for bit: {passed} of {len(parts['verify'])} programs."]
        lines += ["DIFFERENT: " + " ".join(one["program"]) for one in parts["verify"] if one["passed"] is False]
    if parts.get("sanitize"):
        for tool, schedule in dict.fromkeys((one["tool"], one["schedule"]) for one in parts["sanitize"]):
            asked = [one for one in parts["sanitize"] if (one["tool"], one["schedule"]) == (tool, schedule)]
            clean = sum(one["clean"] is True for one in asked)
            lines += [f"compute-sanitizer, {tool}, schedule {schedule}: {clean} of {len(asked)} apps clean."]
            lines += [f"NOT CLEAN: {one['app']}" for one in asked if one["clean"] is False]
    copy = parts.get("copy") and parts["copy"]["bytes_per_second"]
    if copy:
        lines += ["", f"A copy moves {copy:.3g} bytes a second."]
    if parts.get("rows"):
        lines += ["", "| | updates | of the copy | goal, default | default | goal, tuned | measured / predicted |",
                  "| --- | --- | --- | --- | --- | --- | --- |"]
        for row in parts["rows"]:
            if not row["sample"]:
                lines += [f"| {row['name']} | left out | | {goal_text(row['goal'])} | | {goal_text(row['goal_tuned'])} | |"]
                continue
            speed = row["sample"]["cell_updates_per_second"]
            part = speed * row["bytes"] / copy if copy and row["bytes"] else None
            share = f"{100 * part:.0f} %" if part else ""
            of_goal = "" if record["small"] else verdict(speed if (row["goal"] or 0) > 10 else part, row["goal"])
            predicted = row["sample"].get("predicted")
            ratio = f"{1e9 / speed / predicted['nanoseconds']:.2f}" if predicted else ""
            lines += [f"| {row['name']} | {speed_text(speed)} | {share} | {goal_text(row['goal'])} | {of_goal} "
                      f"| {goal_text(row['goal_tuned'])} | {ratio} |"]
    if parts.get("ghosts"):
        names = list(dict.fromkeys(one["name"] for one in parts["ghosts"]))
        alleles = list(dict.fromkeys(one["ghosts"] for one in parts["ghosts"]))
        of = {(one["name"], one["ghosts"]): one["sample"] for one in parts["ghosts"]}
        lines += ["", "| ghost cells | " + " | ".join(alleles) + " |", "| --- |" + " --- |" * len(alleles)]
        for name in names:
            samples = [of[name, allele] for allele in alleles]
            lines += [f"| {name} | " + " | ".join(speed_text(sample["cell_updates_per_second"]) if sample else "left out"
                                                  for sample in samples) + " |"]
    if parts.get("steps"):
        apps = list(dict.fromkeys(one["app"] for one in parts["steps"]))
        sizes = sorted({one["cells"] for one in parts["steps"]})
        of = {(one["app"], one["cells"]): one["seconds"] for one in parts["steps"]}
        lines += ["", "| a step, in us | " + " | ".join(f"{cells}^2" for cells in sizes) + " |",
                  "| --- |" + " --- |" * len(sizes)]
        for app in apps:
            lines += [f"| {app} | " + " | ".join(f"{1e6 * of[app, cells]:.4g}" if (app, cells) in of else "left out"
                                                 for cells in sizes) + " |"]
    for one in parts.get("tune") or []:
        if report := one["report"]:
            best, default = report["champion_cell_updates_per_second"], report["default_cell_updates_per_second"]
            lines += ["", f"Tuned, {one['name']}: {speed_text(best)}, {f'{best / default:.2f} times the default' if default else 'the default failed'} "
                          f"({report['individuals']} individuals)."]
    if not record["small"]:
        lines += [line for goal in other_goals(record) for line in ("", goal)]
    if record["left_out"]:
        lines += ["", "Left out:", *(f"- {one['what']}: {one['why']}" for one in record["left_out"])]
    return "\n".join(lines) + "\n"
