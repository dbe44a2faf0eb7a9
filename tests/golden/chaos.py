# SPDX-License-Identifier: Apache-2.0
"""Properties of a run with faulty variants in it, on either backend."""

import pathlib

SUITES = pathlib.Path(__file__).parent / "suites"
CASES_FAILED = 5  # harness/process/exit_code.h


def run(program, suite, *arguments, code, out="chaos.json"):
    """(result document, process)"""
    process = program.run("run", SUITES / f"{suite}.json", "--json", out, *arguments, code=code, timeout=300)
    return program.read_json(out), process


def defects(document):
    return {case["config"]["defect"]: case for case in document["cases"] if case["variant"] == "chaos"}


def good(document):
    """Properties that must not depend on the other cases of a run."""
    return [
        (case["name"], case["outcome"], case["cold"]["statistics"]["count"], case["recheck"]["outcome"])
        for case in document["cases"]
        if case["variant"] != "chaos"
    ]
