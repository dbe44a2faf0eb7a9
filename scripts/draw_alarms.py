#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""False alarms of the judge in whole suites: comparisons of equal sides, drawn from launches that were recorded.

    scripts/draw_alarms.py FILE.json            draws 5,000 comparisons of each recording, and prints their table
    scripts/draw_alarms.py FILE.json --read     prints the table of a file that is there

    --draws N        so many comparisons of each
    --write          puts the table into docs/explanation/comparing.md
    ALSBENCH         the program, for its version; default build/alsbench
    JUDGE            its judge of many pairs in one process; default build/tests/judge_pairs

A recording has launches of the suite `ci`, all of one program. A draw gives them to two sides at random, so nothing is
slower. An alarm is a draw in which a case is called slower or faster. The machine code of the sides is said to differ,
since equal code is never slower. Draws of a recording share its launches: the bound is for that recording.
It needs scipy.
"""

import argparse
import copy
import gzip
import json
import pathlib
import random

from judge_tables import ROOT, judged, provenance, put_into_page
from scipy.stats import beta

RESULTS = ROOT / "results"
LAUNCHES, BATCH, CONFIDENCE = 12, 100, 0.95
RULES = {"bound": 0.005, "alpha": 0.01, "in_turn": True}


def read(path):
    return json.loads(gzip.decompress(path.read_bytes()))


def template(document):
    """The result as text in pieces: the launches of a cold measurement are to come between each two of them."""
    document = copy.deepcopy(document)
    for one in document["cases"]:
        one["hot"] = None
        del one["cold"]["samples"][1:]
        one["cold"]["statistics"]["count"] = 1
        one["cold"]["launches"] = "@"
        for kernel in one["kernels"]:
            kernel["code_hash"] = "@CODE"
    return json.dumps(document).split('"@"')


def launches_of_a_run(document):
    """Seconds of each measurement by its name, a launch each."""
    count = len(document["cases"][0]["cold"]["launches"])
    return [
        {one["name"]: one["cold"]["launches"][launch]["median_seconds"] for one in document["cases"]}
        for launch in range(count)
    ]


def launches_of_comparisons(paths, names):
    """Those of `ab` that have all measurements, which are those of its screening."""
    found = []
    for path in paths:
        for launch in read(path)["launches"]:
            seconds = {one["name"].removesuffix("/cold"): one["median_seconds"] for one in launch["cases"]}
            if names <= seconds.keys():
                found.append(seconds)
    return found


def recordings():
    """(machine, a result of it, launches) of each."""
    for machine, paths in [
        ("intel-r-xeon-r-processor", []),
        ("nvidia-h200", sorted((RESULTS / "nvidia-h200" / "gate").glob("aa-*.json.gz"))),
    ]:
        document = read(RESULTS / "baselines" / machine / "ci.json.gz")
        names = {one["name"] for one in document["cases"]}
        launches = launches_of_comparisons(paths, names) if paths else launches_of_a_run(document)
        yield machine, document, launches


def side_of(pieces, names, launches, code):
    text = [pieces[0]]
    for name, piece in zip(names, pieces[1:], strict=True):
        listed = (f'{{"median_seconds":{launch[name]!r},"count":1,"stop_reason":"noise"}}' for launch in launches)
        text += ["[", ",".join(listed), "]", piece]
    return "".join(text).replace("@CODE", code * 32)


def alarms(pieces, names, pairs):
    """The cases that are called slower or faster, of each pair."""
    texts = [(side_of(pieces, names, base, "a"), side_of(pieces, names, test, "b")) for base, test in pairs]
    return [
        [one["name"] for one in each["cases"] if one["verdict"] in ("slower", "faster")]
        for each in judged(texts, RULES)
    ]


def drawn(machine, document, launches, draws):
    generator = random.Random(machine)
    pieces, names = template(document), [one["name"] for one in document["cases"]]
    called = []
    for begin in range(0, draws, BATCH):
        pairs = []
        for _ in range(min(BATCH, draws - begin)):
            chosen = generator.sample(launches, 2 * LAUNCHES)
            pairs.append((chosen[:LAUNCHES], chosen[LAUNCHES:]))
        called += alarms(pieces, names, pairs)
    found = [cases for cases in called if cases]
    return {
        "machine": machine,
        "cases": sum(one["role"] == "case" for one in document["cases"]),
        "recorded_launches": len(launches),
        "draws": draws,
        "alarms": len(found),
        "upper_bound": float(beta.ppf(CONFIDENCE, len(found) + 1, draws - len(found))),
        "called": found,
    }


def table(document):
    lines = [
        "| launches of | cases | recorded | draws | false alarms | at most, with 95 % confidence |",
        "|---" * 6 + "|",
    ]
    for row in document["rows"]:
        cells = [row["machine"], row["cases"], row["recorded_launches"], row["draws"], row["alarms"]]
        lines.append(f"| {' | '.join(map(str, cells))} | {1000 * row['upper_bound']:.1f} in 1000 |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--draws", type=int, default=5000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.read:
        document = json.loads(options.file.read_text(encoding="utf-8"))
    else:
        rows = []
        for one in recordings():
            rows.append(drawn(*one, options.draws))
            print(rows[-1], flush=True)
        document = {
            "description": f"the suite ci, {LAUNCHES} launches a side, drawn at random; {json.dumps(RULES)}",
            "provenance": provenance(),
            "rows": rows,
        }
        options.file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    lines = table(document)
    print("\n".join(lines))
    if options.write:
        put_into_page("draw_alarms", lines)


main()
