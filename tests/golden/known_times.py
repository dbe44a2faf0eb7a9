# SPDX-License-Identifier: Apache-2.0
"""A build that measures nothing: known_times.py SETTINGS run SUITE --json FILE [--filter PATTERN] ...

It writes the result that SETTINGS holds, with one launch of every case that the filter selects. A launch takes
1 ms times the factor of the case's variant, within a noise that depends on the number of the launch alone.
With --counters its cases have the counters of SETTINGS.
"""

import json
import pathlib
import random
import re
import signal
import sys


def launch_number(settings_file):
    """From 0: each launch adds a byte to a file."""
    with open(f"{settings_file}.launches", "ab") as taken:
        taken.write(b".")
        return taken.tell() - 1


def selects(pattern, case):
    return case["role"] == "ceiling" or re.search(pattern, f"{case['name']}/cold") or re.search(pattern, case["name"])


def set_time(case, seconds):
    if case["cold"]:
        case["cold"]["launches"] = [{"median_seconds": seconds, "count": 5, "stop_reason": "samples"}]
    if case["training"]:
        first = case["training"]["launches"][0]
        for iteration in first["iterations"]:
            iteration["seconds"] = seconds
        case["training"]["launches"] = [first]


def main(settings_file, command, suite, *options):
    assert command == "run" and pathlib.Path(suite).is_file()
    settings = json.loads(pathlib.Path(settings_file).read_text(encoding="utf-8"))
    number = launch_number(settings_file)
    if number == settings.get("hangs_after"):
        signal.pause()
    pattern = options[options.index("--filter") + 1] if "--filter" in options else ""
    result = settings["result"]
    result["cases"] = [case for case in result["cases"] if selects(pattern, case)]
    for case in result["cases"]:
        noise = settings.get("noise", 1e-4) * random.Random(f"{number} {case['name']}").uniform(-1, 1)
        set_time(case, 1e-3 * settings.get("factors", {}).get(case["variant"], 1) * (1 + noise))
        if "--counters" in options and case["role"] == "case" and case["cold"]:
            case["cold"]["counters"] = settings["counters"]
    pathlib.Path(options[options.index("--json") + 1]).write_text(json.dumps(result), encoding="utf-8")


main(*sys.argv[1:])
