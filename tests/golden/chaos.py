"""What must hold of a run with faulty variants in it, on either backend."""

import json
import pathlib
import time

SUITES = pathlib.Path(__file__).parent / "suites"
CASES_FAILED = 5  # harness/process/exit_code.h


def run(program, suite, *arguments, code, out="chaos.json"):
    """(result document, process, seconds)"""
    begin = time.monotonic()
    process = program.run("run", SUITES / f"{suite}.json", "--json", out, *arguments, code=code, timeout=300)
    return json.loads((program.folder / out).read_text(encoding="utf-8")), process, time.monotonic() - begin


def defects(document):
    return {case["config"]["defect"]: case for case in document["cases"] if case["variant"] == "chaos"}


def good(document):
    """What must not depend on the company a good case or roof is measured in."""
    return [(case["name"], case["outcome"], case["cold"]["statistics"]["count"], case["recheck"]["outcome"])
            for case in document["cases"] if case["variant"] != "chaos"]


def hang_costs(program, suite, limit_seconds):
    """Seconds that a hanging case takes beyond a healthy one."""
    seconds = {}
    for defect, code in (("none", 0), ("infinite_loop", CASES_FAILED)):
        seconds[defect] = run(program, suite, "--benchmark", "chaos", "--axis", f"defect={defect}",
                              "--hang-timeout", limit_seconds, code=code, out="hang.json")[2]
    return seconds["infinite_loop"] - seconds["none"]
