# SPDX-License-Identifier: Apache-2.0
"""Results with the times that are wanted, for histories: case-0, case-1, ... of one GPU, without controls."""

import copy
import datetime
import hashlib
import json
import math
import pathlib
import random

SMALL = pathlib.Path(__file__).parent / "results" / "small.json"
FIRST = datetime.date(2026, 1, 1)


def day_of(number):
    """A run a day."""
    return str(FIRST + datetime.timedelta(days=number))


def result_of(number, seconds, driver=None):
    """The result of run `number`, whose cases take these seconds."""
    document = json.loads(SMALL.read_text(encoding="utf-8"))
    document["provenance"]["time_utc"] = f"{day_of(number)}T12:00:00Z"
    timed = (one for one in document["cases"] if one["role"] == "case" and one["backend"] == "cuda" and one["cold"])
    case = next(timed)
    case["hot"] = None
    document["cases"] = []
    for index, one in enumerate(seconds):
        document["cases"].append({**copy.deepcopy(case), "name": f"case-{index}"})
        document["cases"][-1]["cold"]["statistics"]["median_seconds"] = one
    for device in document["devices"]:
        if driver and device["nvml"]:
            device["nvml"]["driver_version"] = driver
    return document


def noisy(seed, count, spread, factor):
    """Times around 1 ms times factor(run), with normal noise of that relative spread."""
    noise = random.Random(seed)
    return [1e-3 * factor(run) * math.exp(noise.gauss(0, spread)) for run in range(count)]


def creeping(runs_a_step):
    """Results of ten commits of 0.4 %, each of so many runs, and of one before them."""
    results = []
    for run, seconds in enumerate(noisy(6, 11 * runs_a_step, 0.002, lambda run: 1.004 ** (run // runs_a_step))):
        results.append(result_of(run, [seconds]))
        results[-1]["provenance"]["build"]["git_commit"] = hashlib.sha1(b"%d" % (run // runs_a_step)).hexdigest()
    return results
