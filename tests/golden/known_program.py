# SPDX-License-Identifier: Apache-2.0
"""A program that measures nothing: known_program.py SETTINGS [FLAGS ...]

It hands over JSON of a tool's form. Each benchmark takes 1 ms times its factor of SETTINGS, within a noise that
depends on the number of the launch alone. SETTINGS may ask for one fault of a launch.
"""

import json
import re
import sys
import time
import zlib

# It is started some thousand times: pathlib and random would take half of its time, and packages of .venv (-I -S) a
# fifth.


def noise_of(text):
    """From -1 to 1, the same for the same text."""
    return zlib.crc32(text.encode()) / (2**31 - 0.5) - 1


def launch_number(settings_file):
    """From 0: each launch adds a byte to a file."""
    with open(f"{settings_file}.launches", "ab") as taken:
        taken.write(b".")
        return taken.tell() - 1


def google_benchmark(times):
    return {
        "context": {
            "date": "2026-01-02T03:04:05+01:00",
            "host_name": "a",
            "num_cpus": 2,
            "library_build_type": "release",
        },
        "benchmarks": [
            {"name": name, "run_name": name, "run_type": "iteration", "real_time": 1e9 * one, "time_unit": "ns"}
            for name, one in times.items()
        ],
    }


def nvbench(times):
    def state(one):
        value = {"name": "value", "type": "float64", "value": str(one)}
        summary = {"tag": "nv/cold/time/gpu/mean", "data": [value]}
        return {"name": "Device=0", "device": 0, "is_skipped": False, "summaries": [summary]}

    benchmarks = [{"name": name, "devices": [0], "states": [state(one)]} for name, one in times.items()]
    return {"meta": {}, "devices": [{"id": 0, "name": "a card"}], "benchmarks": benchmarks}


def pyperf(times):
    """Of two processes each, after one that finds the number of loops."""
    return {
        "version": "1.0",
        "metadata": {"cpu_model_name": "a processor", "hostname": "a", "unit": "second"},
        "benchmarks": [
            {"metadata": {"name": name}, "runs": [{"warmups": [[1, one]]}, {"values": [one, one]}, {"values": [one]}]}
            for name, one in times.items()
        ],
    }


def pytest_benchmark(times):
    return {
        "machine_info": {"node": "a", "python_version": "3.12.1", "cpu": {"brand_raw": "a processor", "count": 2}},
        "benchmarks": [
            {"name": name, "fullname": f"test_it.py::{name}", "stats": {"median": one, "data": [2 * one, one, one]}}
            for name, one in times.items()
        ],
        "datetime": "2026-01-02T03:04:05.678901+01:00",
        "version": "5.3.1",
    }


def hyperfine(times):
    return {"results": [{"command": name, "times": [one, one, one]} for name, one in times.items()]}


def plain(times):
    return {"latency": {name: [1e3 * one, 1e3 * one] for name, one in times.items()}, "rate": 1 / times["a"]}


FORMS = {
    "google-benchmark": (google_benchmark, r"--benchmark_out=(.*)"),
    "nvbench": (nvbench, "--json"),
    "pyperf": (pyperf, "-o"),
    "pytest-benchmark": (pytest_benchmark, r"--benchmark-json=(.*)"),
    "hyperfine": (hyperfine, "--export-json"),
    "json": (plain, "--to"),
}


def output_of(flag, options):
    """The file that the tool's own flag names; nothing for standard output."""
    for place, option in enumerate(options):
        if option == flag:
            return options[place + 1]
        if found := re.fullmatch(flag, option):
            return found[1]
    return None


def fail(fault):
    print("out of order", file=sys.stderr)
    if fault == "hang":
        time.sleep(600)
    if fault == "memory":
        filled = bytearray(400 << 20)
        time.sleep(600 + len(filled))
    if fault == "exit":
        sys.exit(7)
    return {"nothing": "", "torn": '{"context": {', "empty": "{}"}[fault]


def main(settings_file, *options):
    with open(settings_file, encoding="utf-8") as file:
        settings = json.load(file)
    number = launch_number(settings_file)
    text = fail(settings["fault"]) if "fault" in settings else None
    times = {}
    for name, factor in settings.get("factors", {"a": 1, "b": 1}).items():
        noise = settings.get("noise", 1e-4) * noise_of(f"{number} {name}")
        times[name] = 1e-3 * factor * (1 + noise)
    form, flag = FORMS[settings.get("form", "google-benchmark")]
    pattern = output_of(r"--benchmark_filter=(.*)", options)
    if pattern:
        times = {name: one for name, one in times.items() if re.search(pattern, name)}
    if pattern and settings.get("vanishes"):
        times = {}
    if text is None:
        text = json.dumps(form(times))
    file = output_of(flag, options)
    if file and settings.get("fault") != "nothing":
        with open(file, "w", encoding="utf-8") as output:
            output.write(text)
    elif not file:
        print(text)


main(*sys.argv[1:])
