#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""False alarms and planted slowdowns of a Google Benchmark program: alsbench ab beside compare.py and pyperf.

    scripts/compare_gates.py record FILE.json.gz    records launches of bench/gate_sample.cpp, in 8 minutes
    scripts/compare_gates.py table FILE.json.gz     prints a table, and with --write puts it into comparing.md

    ALSBENCH   the program; default build/alsbench

`record` needs g++ and Google Benchmark's library. It takes 20 rounds of four launches of the program as it is and
two of the program with 5 % more work in `steps`, in the order P S P P S P. Then it makes fresh comparisons with
`alsbench ab`, one of equal programs and three with the slowdown in turn, until the time is over.

`table` needs scipy and pyperf. It draws comparisons from the recorded rounds. One of equal programs gives two of the
four P of each round to each side, at random; a planted one has two P as the base and both S as the test side. Rounds
come in a random order, and none twice in one comparison. `alsbench ab` runs as a user runs it: its launches hand over
the recorded files. The other tools read all repetitions of the launches that `ab` took.
"""

import argparse
import datetime
import gzip
import hashlib
import json
import os
import pathlib
import platform
import random
import shlex
import subprocess
import sys
import tempfile
import time

from judge_tables import PROGRAM, ROOT, put_into_page

SAMPLE = ROOT / "bench" / "gate_sample.cpp"
GOOGLE = pathlib.Path("/usr/share/benchmark")  # Debian's libbenchmark-tools
ROUND = "PSPPSP"
FLAGS = ["--benchmark_min_time=0.02", "--benchmark_repetitions=5"]
PERCENT = 5
SLOW = {"GATE_SAMPLE_PERCENT": str(PERCENT)}
FOUND, ALPHA = 1, 0.05  # exit code of ab; compare.py's and pyperf's level
COPY = """n=$(wc -c < {folder}/{side}.count); printf . >> {folder}/{side}.count; cat {folder}/{side}-$n.json"""


def build(folder):
    program = folder / "gate_sample"
    subprocess.run(["g++", "-O2", SAMPLE, "-o", program, "-lbenchmark", "-lpthread"], check=True)
    return program


def launch(program, environment):
    """Entries of its repetitions, and the seconds that it took."""
    begin = time.monotonic()
    text = subprocess.run(
        [program, *FLAGS, "--benchmark_format=json"],
        env={**os.environ, **environment},
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout
    document = json.loads(text)
    keys = ("name", "run_name", "run_type", "real_time", "cpu_time", "time_unit")
    entries = [{key: one[key] for key in keys} for one in document["benchmarks"] if one["run_type"] == "iteration"]
    return {"seconds": time.monotonic() - begin, "benchmarks": entries}, document["context"]


def fresh(program, folder, planted, seed):
    """One comparison by `alsbench ab` of the program itself."""
    base = shlex.join([str(program), *FLAGS])
    test = f"GATE_SAMPLE_PERCENT={PERCENT} {base}" if planted else base
    begin = time.monotonic()
    return {"planted": planted, **run_ab(base, test, folder, seed), "seconds": time.monotonic() - begin}


def run_ab(base, test, folder, seed):
    out = folder / "ab.json"
    words = ["--base", base, "--test", test, "--format", "google-benchmark", "--seed", seed, "--json", out, "-q"]
    code = subprocess.run([PROGRAM, "ab", *map(str, words)], stdout=subprocess.DEVNULL, check=False).returncode
    document = json.loads(out.read_text(encoding="utf-8"))
    return {
        "code": code,
        "verdicts": {one["name"]: one["verdict"] for one in document["cases"]},
        "launches": len(document["launches"]),
    }


def provenance(context):
    processors = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    cpu = [line.split(":")[1].strip() for line in processors if line.startswith("model name")]
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    version = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True).stdout
    return {
        "time_utc": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "cpu": cpu[0] if cpu else platform.machine(),
        "processors": len(os.sched_getaffinity(0)),
        "load_avg": list(os.getloadavg()),
        "compiler": version.splitlines()[0],
        "git_commit": commit.stdout.strip(),
        "sample_sha256": hashlib.sha256(SAMPLE.read_bytes()).hexdigest(),
        "context": {key: context[key] for key in ("num_cpus", "library_build_type")},
    }


def record(options):
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = build(folder)
        rounds = []
        for number in range(options.rounds):
            launches = [launch(program, SLOW if kind == "S" else {}) for kind in ROUND]
            rounds.append([one for one, _ in launches])
            print(f"round {number + 1} of {options.rounds}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
        where = provenance(launches[0][1])
        comparisons, longest = [], 0
        while time.monotonic() - begin + longest < 60 * options.minutes:
            comparisons.append(fresh(program, folder, len(comparisons) % 4 != 0, len(comparisons)))
            longest = max(longest, comparisons[-1]["seconds"])
            print(f"fresh: {comparisons[-1]}", file=sys.stderr)
    document = {
        "description": f"Rounds {ROUND} of bench/gate_sample.cpp {' '.join(FLAGS)}: S with {PERCENT} % more work",
        "provenance": where,
        "rounds": rounds,
        "fresh": comparisons,
    }
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_bytes(gzip.compress(json.dumps(document).encode(), mtime=0))


def sides_of(rounds, planted, generator):
    """Launches of base and test, in the order of the rounds drawn."""
    sides = ([], [])
    for one in generator.sample(rounds, len(rounds)):
        plain = [launch for launch, kind in zip(one, ROUND, strict=True) if kind == "P"]
        slow = [launch for launch, kind in zip(one, ROUND, strict=True) if kind == "S"]
        if planted:
            pair = generator.choice([(0, 3), (1, 2)])
            sides[0].extend(plain[i] for i in pair)
            sides[1].extend(slow)
        else:
            first = generator.choice([(0, 3), (1, 2), (0, 2), (1, 3), (0, 1), (2, 3)])
            sides[0].extend(plain[i] for i in first)
            sides[1].extend(plain[i] for i in range(4) if i not in first)
    return sides


def by_ab(sides, context, folder, seed):
    """The result of `alsbench ab`, and the launches that it took of each side."""
    for side, launches in zip(("base", "test"), sides, strict=True):
        (folder / f"{side}.count").write_bytes(b"")
        for number, one in enumerate(launches):
            text = json.dumps({"context": context, "benchmarks": one["benchmarks"]})
            (folder / f"{side}-{number}.json").write_text(text, encoding="utf-8")
    commands = [COPY.format(folder=folder, side=side) + " > {json}" for side in ("base", "test")]
    result = run_ab(*commands, folder, seed)
    return result, [launches[: result["launches"] // 2] for launches in sides]


def repetitions(launches, name):
    return [entry["real_time"] for one in launches for entry in one["benchmarks"] if entry["run_name"] == name]


def by_others(taken, names):
    """The benchmarks that each other tool calls different, and slower."""
    from gbench.report import calc_utest
    from pyperf._utils import is_significant

    said = {"compare.py": {}, "one launch": {}, "pyperf": {}}
    for name in names:
        base, test = (repetitions(launches, name) for launches in taken)
        slower = sum(test) / len(test) > sum(base) / len(base)
        _, _, p = calc_utest([base, test], [base, test])
        said["compare.py"][name] = (p < ALPHA, slower)
        first = [repetitions(launches[:1], name) for launches in taken]
        _, _, p = calc_utest(first, first)
        said["one launch"][name] = (p < ALPHA, sum(first[1]) > sum(first[0]))
        said["pyperf"][name] = (is_significant(base, test)[0], slower)
    return said


def drawn(record_, planted, count, seed):
    """Of each tool: comparisons with a false alarm, and those in which the slowdown was found; seconds of ab."""
    generator = random.Random(seed)
    alarms, found, seconds = dict.fromkeys(TOOLS, 0), dict.fromkeys(TOOLS, 0), []
    with tempfile.TemporaryDirectory() as name:
        for number in range(count):
            sides = sides_of(record_["rounds"], planted, generator)
            result, taken = by_ab(sides, record_["provenance"]["context"], pathlib.Path(name), number)
            seconds.append(sum(launch["seconds"] for side in taken for launch in side))
            verdicts = result["verdicts"]
            said = by_others(taken, verdicts)
            said["ab"] = {one: (v in ("slower", "faster"), v == "slower") for one, v in verdicts.items()}
            for tool in TOOLS:
                changed = {one for one, (different, _) in said[tool].items() if different}
                alarms[tool] += bool(changed - ({"steps"} if planted else set()))
                found[tool] += planted and said[tool]["steps"] == (True, True)
    return alarms, found, seconds


TOOLS = {
    "ab": "`alsbench ab`",
    "compare.py": "Google's `compare.py`, U test at 0.05",
    "one launch": "the same, of the first launch of each side",
    "pyperf": "pyperf's `compare_to`, t test at 0.05",
}


def table(options):
    sys.path.insert(0, str(GOOGLE))
    with gzip.open(options.file, "rt", encoding="utf-8") as file:
        recording = json.load(file)
    equal, _, _ = drawn(recording, False, options.equal, 1)
    other, found, seconds = drawn(recording, True, options.planted, 2)
    where = recording["provenance"]
    head = (
        f"| {len(recording['rounds'])} rounds on {where['cpu']}, {where['processors']} processors | false alarms in {options.equal} comparisons of equal programs "
        f"| slowdown of {PERCENT} % found, of {options.planted} | false alarms beside it |"
    )
    lines = [head, "|---|---|---|---|"]
    for tool, label in TOOLS.items():
        lines.append(f"| {label} | {equal[tool]} | {found[tool]} | {other[tool]} |")
    lines += ["", f"The launches of a planted comparison took {max(seconds):.0f} s at most."]
    for planted in (False, True):
        runs = [one for one in recording["fresh"] if one["planted"] == planted]
        if not runs:
            continue
        alarms = sum(
            any(v in ("slower", "faster") and not (planted and name == "steps") for name, v in one["verdicts"].items())
            for one in runs
        )
        hits = sum(one["verdicts"].get("steps") == "slower" for one in runs)
        what = f"found {hits} planted slowdowns" if planted else "were of equal programs"
        longest = max(one["seconds"] for one in runs)
        lines.append(
            f"{len(runs)} fresh comparisons {what}, {alarms} with a false alarm; each took {longest:.0f} s at most."
        )
    print("\n".join(lines))
    if options.write:
        put_into_page("compare_gates", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    recorder = commands.add_parser("record")
    recorder.add_argument("file", type=pathlib.Path)
    recorder.add_argument("--rounds", type=int, default=20)
    recorder.add_argument("--minutes", type=float, default=7.5)
    recorder.set_defaults(action=record)
    drawer = commands.add_parser("table")
    drawer.add_argument("file", type=pathlib.Path)
    drawer.add_argument("--equal", type=int, default=1000)
    drawer.add_argument("--planted", type=int, default=100)
    drawer.add_argument("--write", action="store_true")
    drawer.set_defaults(action=table)
    options = parser.parse_args()
    options.action(options)


main()
