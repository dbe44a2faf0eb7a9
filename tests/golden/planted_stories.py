# SPDX-License-Identifier: Apache-2.0
"""Fifty comparisons whose story is known, ten of each kind, made of the committed baselines.

A side draws its launches from those of a baseline, so it has the noise of a real machine. What a story takes is then
planted into the test side: its times, machine code, build, sampling, device or clock.
"""

import copy
import dataclasses
import functools
import random
import uuid

from conftest import ROOT, read_json

GPU, CPU = "nvidia-h200", "intel-r-xeon-r-processor"
STORIES = ("change", "method", "machine", "launches", "noise")


@functools.cache
def baseline(device):
    """With one sample a launch, which keeps its clock: comparisons read launches."""
    document = read_json(ROOT / "results" / "baselines" / device / "ci.json.gz")
    for case in document["cases"]:
        for measurement in (case["cold"], case["hot"]):
            if not measurement:
                continue
            firsts, place = [], 0
            for launch in measurement["launches"]:
                firsts.append(measurement["samples"][place])
                place += launch["count"]
            measurement["samples"] = firsts
            measurement["statistics"]["count"] = len(firsts)
    return document


def side(device, generator):
    """The baseline with its launches drawn again, the same ones of every case, each a little elsewhere."""
    document = copy.deepcopy(baseline(device))
    for case in document["cases"]:
        if case["cold"]:
            launches = case["cold"]["launches"]
            case["cold"]["launches"] = [
                {**one, "median_seconds": one["median_seconds"] * (1 + generator.gauss(0, 2e-4))}
                for one in generator.choices(launches, k=len(launches))
            ]
    return document


def cases_of(document, stage="", role="case"):
    return [one for one in document["cases"] if one["role"] == role and one["cold"] and one["stage"].startswith(stage)]


def longer(cases, factor, spread=None):
    """Every launch of the cases takes `factor` as long, or what spread() draws for it."""
    for case in cases:
        for launch in case["cold"]["launches"]:
            launch["median_seconds"] *= factor * (spread() if spread else 1)


def other_code(cases):
    for case in cases:
        for kernel in case["kernels"]:
            kernel["code_hash"] = uuid.uuid4().hex


def devices_of(document):
    return document["devices"] + [one for shard in document["shards"] for one in shard.get("devices", [])]


def everything(document):
    return cases_of(document) + cases_of(document, role="ceiling")


def changed(stage, percent, count=None, commit=True):
    """Cases of a stage take that much longer, with other machine code."""

    def plant(test, _):
        cases = cases_of(test, stage)[:count]
        longer(cases, 1 + percent / 100)
        other_code(cases)
        if commit:
            test["provenance"]["build"]["git_commit"] = "f" * 40

    return plant


def spilled(test, _):
    cases = cases_of(test, "hermitian")[:1]
    longer(cases, 1.08)
    other_code(cases)
    for kernel in cases[0]["kernels"]:
        kernel["stack_bytes"] += 128


def more_memory(test, _):
    cases = cases_of(test, "solve")[:1]
    cases[0]["peak_device_bytes"] = int(cases[0]["peak_device_bytes"] * 1.5)
    other_code(cases)


def vanished(test, _):
    test["cases"].remove(cases_of(test, "update")[0])


def build(name, value, percent=0, code=False):
    """Another build, whose cases take that much longer."""

    def plant(test, _):
        test["provenance"]["build"][name] = value
        longer(cases_of(test), 1 + percent / 100)
        if code:
            other_code(cases_of(test))

    return plant


def sampling(percent=0, **rule):
    def plant(test, _):
        test["suite"]["sampling"].update(rule)
        longer(cases_of(test), 1 + percent / 100)

    return plant


def fewer_samples(test, _):
    """As warm-up takes a larger part of fewer samples, times are longer."""
    for case in everything(test):
        for launch in case["cold"]["launches"]:
            launch["count"] = max(1, launch["count"] // 5)
    longer(cases_of(test), 1.03)


def fewer_launches(test, _):
    for case in everything(test):
        del case["cold"]["launches"][3:]


def hot_caches(test, _):
    """Cases are measured in the other cache mode."""
    longer(cases_of(test), 0.8)
    for case in cases_of(test):
        case["hot"], case["cold"] = case["cold"], None


def suite(test, _):
    test["suite"]["hash"] = test["suite"]["hash"][::-1]
    longer(cases_of(test), 1.05)


def library(name, version, percent):
    def plant(test, _):
        for device in devices_of(test):
            if device["versions"]:
                device["versions"][name] = version
        longer(cases_of(test, "solve"), 1 + percent / 100)
        other_code(cases_of(test, "solve"))

    return plant


def variable(test, _):
    test["provenance"]["host"]["environment"]["OMP_NUM_THREADS"] = "4"
    longer(cases_of(test), 2.5)


def device(percent=0, code=False, controls=True, **facts):
    """Another device, whose controls move as its cases do."""

    def plant(test, _):
        for one in devices_of(test):
            for name, value in facts.items():
                if name in one:
                    one[name] = value
                elif one["nvml"]:
                    one["nvml"][name] = value
        longer(everything(test) if controls else cases_of(test), 1 + percent / 100)
        if code:
            other_code(cases_of(test))

    return plant


def clocked(factor, code):
    """A limit of the clock, which memory does not feel."""

    def plant(test, _):
        for case in everything(test):
            for sample in case["cold"]["samples"]:
                sample["sm_clock_hz"] *= factor
        longer([one for one in everything(test) if one["stage"] not in ("copy", "bias")], 1 / factor)
        if code:
            other_code(cases_of(test))

    return plant


def machine_state(percent):
    """Nothing is recorded of it, and controls take longer as cases do."""

    def plant(test, _):
        longer(everything(test), 1 + percent / 100)
        other_code(cases_of(test))

    return plant


def quiet(test, _):
    pass


def scattered(deviation, stage="", code=True):
    def plant(test, generator):
        cases = cases_of(test, stage)
        longer(cases, 1, lambda: 1 + generator.gauss(0, deviation))
        if code:
            other_code(cases)

    return plant


def two_speeds(test, generator):
    longer(cases_of(test), 1, lambda: generator.choice([1, 1.03]))
    other_code(cases_of(test))


def heavy_tails(test, generator):
    longer(cases_of(test), 1, lambda: 1 + 0.6 * (generator.random() < 0.1))
    other_code(cases_of(test))


def below_the_bound(test, _):
    longer(cases_of(test), 1.002)
    other_code(cases_of(test))


def other_work(test, _):
    """It ran during the launches of cases whose code is not known."""
    for case in cases_of(test):
        case["kernels"] = []
        for launch in case["cold"]["launches"]:
            launch["stop_reason"] = "disturbed"
    longer(cases_of(test), 1.2)


@dataclasses.dataclass
class Planted:
    story: str
    plant: object
    device: str = GPU
    binding: bool = False  # `compare` refuses it without --cross-env
    both: bool = False  # planted into the base, too
    launches: int | None = None  # that are left of both sides


PLANTED = [
    *(Planted("change", one) for one in (
        changed("hermitian", 5, 1), changed("solve", 3), changed("bias", 10), changed("", 20), changed("solve", -15, 2),
        changed("update", 50, 1, commit=False), spilled, more_memory, vanished)),
    Planted("change", changed("hermitian", 40), CPU),
    *(Planted("method", one) for one in (
        build("version", "0.2.0", 4, code=True), build("build_type", "Debug"), sampling(2, max_samples=20), fewer_samples,
        fewer_launches, hot_caches)),
    Planted("method", build("compiler", "GNU 13.3.0", 30), CPU),
    Planted("method", variable, CPU),
    Planted("method", suite, binding=True),
    Planted("method", library("nvrtc", "13.1", 6), binding=True),
    *(Planted("machine", one) for one in (
        device(8, power_limit_watts=500.0), device(-3, ecc_enabled=False), device(5, mig_enabled=True, code=True),
        clocked(0.7, code=False), clocked(0.9, code=True), machine_state(4))),
    Planted("machine", device(40, name="NVIDIA H100 80GB HBM3", code=True), binding=True),
    Planted("machine", device(2, driver_version="590.48.01", controls=False, code=True), binding=True),
    Planted("machine", device(0, driver_version="570.86.15"), binding=True),
    Planted("machine", device(25, name="AMD EPYC", multiprocessors=8), CPU, binding=True),
    *(Planted("launches", quiet, launches=count) for count in (1, 2, 4)),
    *(Planted("launches", changed(stage, percent, count), launches=launches) for stage, percent, count, launches in (
        ("hermitian", 20, 1, 7), ("solve", 3, None, 5), ("", 50, None, 3), ("update", -15, 2, 6))),
    Planted("launches", quiet, CPU, launches=1),
    Planted("launches", changed("hermitian", 40), CPU, launches=4),
    Planted("launches", scattered(0.02), launches=3, both=True),
    *(Planted("noise", one) for one in (quiet, below_the_bound, other_work)),
    *(Planted("noise", one, both=True) for one in (
        scattered(0.003), scattered(0.02, code=False), scattered(0.05, "solve"), two_speeds, heavy_tails)),
    Planted("noise", quiet, CPU),
    Planted("noise", scattered(0.05), CPU),
]  # fmt: skip


def planted_pair(number):
    """Base and test of one of the fifty."""
    generator = random.Random(number)
    one = PLANTED[number]
    base, test = side(one.device, generator), side(one.device, generator)
    for document in (base, test) if one.both else (test,):
        one.plant(document, generator)
    for document in (base, test) if one.launches else ():
        for case in everything(document):
            del case["cold"]["launches"][one.launches :]
    return base, test
