#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""False alarms and power of the judge, of a U test and of a threshold on series whose truth is known.

    scripts/compare_alarms.py FILE.json            makes the comparisons, in 10 minutes, and prints their table
    scripts/compare_alarms.py FILE.json --read     prints the table of a file that is there

    --write          puts the table into docs/explanation/comparing.md
    ALSBENCH         the program, for its version; default build/alsbench
    JUDGE            its judge of many pairs in one process; default build/tests/judge_pairs

It needs scipy. A comparison has a base and a test side of 12 launches each, of ten cases and one control. One case is
planted to take longer. An alarm is a comparison in which another case, or of equal sides any, is called slower or
faster. The U test and the threshold see the same launches, case by case.
"""

import argparse
import hashlib
import json
import pathlib

import numpy as np
from judge_tables import ROOT, judged, provenance, put_into_page
from scipy.stats import mannwhitneyu

SMALL = ROOT / "tests" / "golden" / "results" / "small.json"
LAUNCHES, CASES, BATCH = 12, 10, 200
BOUND, ALPHA, U_LEVEL, THRESHOLD = 0.005, 0.01, 0.05, 0.05
EFFECTS = (0.005, 0.01, 0.02, 0.05, 0.1)
TURN = np.array([0, 1, 1, 0] * (LAUNCHES // 2))  # the side of each launch in turn
ORDER = np.repeat([0, 1], LAUNCHES)  # one side after the other


def spread(deviation):
    return lambda generator, shape: generator.normal(0, deviation, shape)


def two_speeds(generator, shape):
    return generator.normal(0, 0.002, shape) + np.log(1.03) * generator.integers(0, 2, shape)


def heavy_tails(generator, shape):
    late = generator.random(shape) < 0.1
    return generator.normal(0, 0.002, shape) + late * np.log1p(0.6 * generator.random(shape))


def drift(percent):
    """Of everything, evenly over all launches."""
    return lambda generator, count: np.log1p(percent / 100) * np.linspace(0, 1, count)


def step(percent):
    """Of the clock, from a launch on that is drawn."""
    return lambda generator, count: np.log1p(percent / 100) * (np.arange(count) >= generator.integers(1, count))


def between(percent):
    return lambda generator, count: np.log1p(percent / 100) * (np.arange(count) >= count // 2)


def steady(_, count):
    return np.zeros(count)


# The spread of launches, what moves cases and controls alike, and the order of the launches.
SERIES = {
    "launches differ by 0.2 %": (spread(0.002), steady, TURN),
    "by 2 %, as on shared cores": (spread(0.02), steady, TURN),
    "two speeds 3 % apart": (two_speeds, steady, TURN),
    "10 % of launches up to 60 % longer": (heavy_tails, steady, TURN),
    "a drift of 3 %, in turn": (spread(0.002), drift(3), TURN),
    "a step of the clock by 3 %, in turn": (spread(0.002), step(3), TURN),
    "a drift of 3 %, one side after the other": (spread(0.002), drift(3), ORDER),
    "a step of 3 % between the sides": (spread(0.002), between(3), ORDER),
}
GATES = {
    "judge": "`alsbench compare`",
    "u_test": f"U test at {U_LEVEL}",
    "threshold": f"means {THRESHOLD:.0%} apart".replace("%", " %"),
}


def drawn(name, effect, generator):
    """Seconds of the cases and of the control, the last, by side and launch."""
    noise, common, order = SERIES[name]
    logs = noise(generator, (CASES + 1, order.size)) + common(generator, order.size)
    logs[0] += np.log1p(effect) * order
    seconds = 1e-3 * np.exp(logs)
    return seconds[:, order == 0], seconds[:, order == 1]


def template():
    """A result as text, with places for its records, and one for a record each of a case and a control."""
    document = json.loads(SMALL.read_text(encoding="utf-8"))
    found = {}
    for one in document["cases"]:
        if one["backend"] == "cuda" and one["cold"] and one["role"] in ("case", "ceiling"):
            found.setdefault(one["role"], {**one, "hot": None, "device": "0"})
    for one in found.values():
        del one["cold"]["samples"][1:]
        one["cold"]["statistics"]["count"] = 1
        one["cold"]["launches"] = "@LAUNCHES"
        for kernel in one["kernels"]:
            kernel["code_hash"] = "@CODE"
    found["case"]["name"] = "case-@INDEX"
    return [json.dumps(one) for one in ({**document, "cases": "@CASES"}, found["case"], found["ceiling"])]


def document_of(seconds, code, head, case, ceiling):
    records = []
    for index, launches in enumerate(seconds.tolist()):
        text = ",".join(f'{{"median_seconds":{one!r},"count":1,"stop_reason":"noise"}}' for one in launches)
        record = (case if index < CASES else ceiling).replace('"@LAUNCHES"', f"[{text}]")
        records.append(record.replace("@INDEX", str(index)).replace("@CODE", code * 32))
    return head.replace('"@CASES"', f"[{','.join(records)}]")


def verdicts_of(pairs, in_turn, parts):
    """Verdicts by case of each pair."""
    texts = [(document_of(base, "a", *parts), document_of(test, "b", *parts)) for base, test in pairs]
    documents = judged(texts, {"bound": BOUND, "alpha": ALPHA, "in_turn": in_turn})
    return [{one["name"].split("/")[0]: one["verdict"] for one in document["cases"]} for document in documents]


def by_judge(pairs, name, parts):
    """Of each pair and case, 1: slower, -1: faster, 0: neither."""
    meaning = {"slower": 1, "faster": -1}
    verdicts = verdicts_of(pairs, SERIES[name][2] is TURN, parts)
    return np.array([[meaning.get(one[f"case-{i}"], 0) for i in range(CASES)] for one in verdicts])


def by_others(pairs):
    base, test = (np.array([pair[side][:CASES] for pair in pairs]) for side in (0, 1))
    change = test.mean(axis=2) / base.mean(axis=2)
    p = mannwhitneyu(base, test, axis=2, method="exact").pvalue
    return {
        "u_test": np.where(p < U_LEVEL, np.sign(change - 1), 0),
        "threshold": np.where(change > 1 + THRESHOLD, 1, np.where(change < 1 / (1 + THRESHOLD), -1, 0)),
    }


def counted(name, effect, comparisons, parts):
    """Of each gate: comparisons with an alarm, and those in which the planted case was found."""
    seed = int.from_bytes(hashlib.sha256(f"{name} {effect}".encode()).digest()[:8], "little")
    generator = np.random.default_rng(seed)
    counts = {gate: {"comparisons": comparisons, "alarms": 0, "found": 0} for gate in GATES}
    for begin in range(0, comparisons, BATCH):
        pairs = [drawn(name, effect, generator) for _ in range(min(BATCH, comparisons - begin))]
        said = {"judge": by_judge(pairs, name, parts), **by_others(pairs)}
        for gate, signs in said.items():
            others = signs[:, 1:] if effect else signs
            counts[gate]["alarms"] += int((others != 0).any(axis=1).sum())
            counts[gate]["found"] += int((signs[:, 0] > 0).sum()) if effect else 0
    return counts


def measured(options):
    parts = template()
    rows = []
    for name in SERIES:
        for effect in (0, *EFFECTS):
            count = options.equal if effect == 0 else options.planted
            rows.append({"series": name, "effect": effect, "gates": counted(name, effect, count, parts)})
            print(rows[-1], flush=True)
    return {
        "description": f"{CASES} cases and a control, {LAUNCHES} launches a side; bound {BOUND}, alpha {ALPHA}",
        "provenance": provenance(),
        "rows": rows,
    }


def table(document):
    of = {(row["series"], row["effect"]): row["gates"] for row in document["rows"]}
    equal = next(iter(of.values()))["judge"]["comparisons"]
    effects = " | ".join(f"{effect * 100:g} %" for effect in EFFECTS)
    lines = [f"| series | gate | false alarms in {equal} | {effects} |", "|---" * (3 + len(EFFECTS)) + "|"]
    for name in SERIES:
        for gate, label in GATES.items():
            found = [of[name, effect][gate] for effect in EFFECTS]
            cells = [f"{100 * one['found'] / one['comparisons']:.0f}" for one in found]
            lines.append(f"| {name} | {label} | {of[name, 0][gate]['alarms']} | {' | '.join(cells)} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--equal", type=int, default=2000)
    parser.add_argument("--planted", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.read:
        document = json.loads(options.file.read_text(encoding="utf-8"))
    else:
        document = measured(options)
        options.file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    lines = table(document)
    print("\n".join(lines))
    if options.write:
        put_into_page("compare_alarms", lines)


main()
