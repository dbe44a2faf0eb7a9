# SPDX-License-Identifier: Apache-2.0
"""`alsbench history --add` of files as nvbench, cuda-bench and Google Benchmark write them."""

import json
import os
import random
import struct

import pytest

from conftest import ROOT, Program, read_json, write_json
from made_history import day_of

RUNS, STEP, COMMIT = 40, 24, "{:040x}"


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


def summary(tag, value, kind="float64", name="value"):
    return {"tag": tag, "name": tag, "data": [{"name": name, "type": kind, "value": str(value)}]}


def nvbench(summaries, devices=({"id": 0, "name": "NVIDIA H200", "sm_version": 900, "ecc_state": True},)):
    """A benchmark with a state that was measured, and one that was not."""
    states = [
        {"name": "Elements=2^20", "device": 0, "is_skipped": False, "summaries": summaries},
        {"name": "Elements=2^34", "device": 0, "is_skipped": True, "skip_reason": "too large", "summaries": None},
    ]
    return {
        "meta": {"argv": ["bench"], "version": {"json": {"string": "1.0.0"}, "nvbench": {"string": "0.1.0"}}},
        "devices": list(devices),
        "benchmarks": [{"name": "copy", "devices": [one["id"] for one in devices], "axes": [], "states": states}],
    }


def of_nvbench(run, seconds, noise):
    return nvbench([summary("nv/cold/sample_size", 37, "int64"), summary("nv/cold/time/gpu/mean", seconds)])


def of_cuda_bench(run, seconds, noise):
    """The mean is of outliers, too."""
    mean = seconds * (1 + abs(noise.gauss(0, 0.3)))
    gpu = [summary("nv/cold/time/gpu/mean", mean), summary("nv/cold/time/gpu/median", seconds)]
    return nvbench([summary("nv/cold/time/cpu/mean", 2 * seconds), *gpu])


def of_cuda_bench_on_a_cpu(run, seconds, noise):
    mean = seconds * (1 + abs(noise.gauss(0, 0.3)))
    return nvbench([summary("nv/cpu_only/time/cpu/mean", mean), summary("nv/cpu_only/time/cpu/median", seconds)], ())


def of_google_benchmark(run, seconds, noise):
    """Three repetitions, their mean and their variation."""
    entry = {"name": "sums", "run_name": "sums", "threads": 1, "iterations": 911, "time_unit": "us"}
    times = [seconds * 1e6 * factor for factor in (1, 0.99, 1.4)]
    entries = [{**entry, "run_type": "iteration", "real_time": one, "cpu_time": 1} for one in times]
    mean = {"aggregate_name": "mean", "aggregate_unit": "time", "real_time": sum(times) / 3}
    entries += [{**entry, "name": "sums_mean", "run_type": "aggregate", **mean}]
    context = {
        "date": f"{day_of(run)}T14:00:00+02:00",
        "host_name": f"runner-{run}",
        "executable": "bench",
        "num_cpus": 2,
        "caches": [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1}],
        "load_avg": [6.3, 5.4, 4.5],
        "library_version": "1.9.5",
        "library_build_type": "release",
        "json_schema_version": 1,
    }
    return {"context": context, "benchmarks": entries}


def add(program, file, document, *words, code=0):
    program.write_json(file, document)
    return program.run("history", "kept", "--add", file, "-q", *words, code=code).stderr


def kept(program):
    files = (program.folder / "kept").glob("*.json")
    return sorted((read_json(file) for file in files), key=lambda run: run["time_utc"])


@pytest.mark.parametrize("form", [of_nvbench, of_cuda_bench, of_cuda_bench_on_a_cpu, of_google_benchmark])
def test_a_step_is_named_with_its_commit(program, form):
    noise = random.Random(7)
    for run in range(RUNS):
        seconds = 1e-3 * (1.05 if run >= STEP else 1) * (1 + noise.gauss(0, 0.004))
        words = ["--time", f"{day_of(run)}T12:00:00Z", "--commit", COMMIT.format(run), "--machine", "the lab's"]
        add(program, "run.json", form(run, seconds, noise), *words)
    history = json.loads(program.run("history", "kept", "--json", "-q", code=1).stdout)
    (shift,) = history["shifts"]
    assert len(history["runs"]) == RUNS and shift["ratio"] == pytest.approx(1.05, abs=0.01)
    assert history["runs"][shift["run"]]["git_commit"] == COMMIT.format(STEP)
    assert history["series"][shift["series"]]["device"] == "the lab's"


def test_what_a_file_says_of_itself_is_kept(program):
    add(program, "gbench.json", of_google_benchmark(3, 1e-3, None), "--driver", "580.1")
    nv = program.write_json("nvbench.json", of_nvbench(0, 1e-3, None))
    os.utime(nv, (1800000000, 1800000000))
    program.run("history", "kept", "--add", "nvbench.json", "--commit", "abc")
    gbench, nvbench_run = kept(program)
    assert gbench["time_utc"] == f"{day_of(3)}T12:00:00Z" and nvbench_run["time_utc"] == "2027-01-15T08:00:00Z"
    assert [gbench["points"][0][key] for key in ("device", "driver")] == ["runner-3", "580.1"]
    assert [nvbench_run["points"][0][key] for key in ("name", "device")] == ["copy/Elements=2^20/cold", "NVIDIA H200"]
    assert gbench["points"][0]["seconds"] == pytest.approx(1e-3), "the median of the repetitions"
    assert nvbench_run["git_commit"] == "abc"


def test_a_date_without_a_zone_is_the_time_of_a_run(program):
    """pytest-benchmark until version 4 and pyperf write one; copied files have other times on the disk."""
    stats = {"median": 1e-3, "data": []}
    pytest4 = {"version": "4.0.0", "datetime": "2026-01-12T10:00:00.123456", "machine_info": {"node": "h"}}
    runs = [{"metadata": {"date": "2026-01-13 10:00:00.5"}, "values": [1e-3]}]
    documents = {
        "pytest.json": {**pytest4, "benchmarks": [{"name": "t", "stats": stats}]},
        "pyperf.json": {
            "version": "1.0",
            "metadata": {"name": "t", "hostname": "h"},
            "benchmarks": [{"runs": runs}],
        },
    }
    for name, document in documents.items():
        os.utime(program.write_json(name, document), (1800000000, 1800000000))
        program.run("history", "kept", "--add", name, "-q", TZ="XXX-2")  # two hours before UTC
    assert [run["time_utc"] for run in kept(program)] == ["2026-01-12T10:00:00Z", "2026-01-13T08:00:00Z"]


def test_samples_that_nvbench_kept_are_the_time(program):
    samples = [0.001, 0.001, 0.001, 0.5]
    name = summary("nv/json/bin:nv/cold/sample_times", "/elsewhere/run.json-bin/0.bin", "string", "filename")
    name["data"].append({"name": "size", "type": "int64", "value": "4"})
    (program.folder / "run.json-bin").mkdir()
    (program.folder / "run.json-bin" / "0.bin").write_bytes(struct.pack("<4f", *samples))
    add(program, "run.json", nvbench([summary("nv/cold/time/gpu/mean", sum(samples) / 4), name]))
    assert kept(program)[0]["points"][0]["seconds"] == pytest.approx(1e-3)


def test_a_folder_of_launches_is_a_run(program):
    launches = program.folder / "launches"
    launches.mkdir()
    for number, seconds in enumerate([1e-3, 3e-3, 1.1e-3]):
        write_json(launches / f"{number}.json", of_nvbench(0, seconds, None))
    program.run("history", "kept", "--add", "launches", "--time", "2026-03-01T00:00:00Z")
    (run,) = kept(program)
    assert run["time_utc"] == "2026-03-01T00:00:00Z"
    assert [point["seconds"] for point in run["points"]] == [pytest.approx(1.1e-3)]


def test_a_time_that_is_none_is_2(program):
    document = of_nvbench(0, 1e-3, None)
    for time in ("yesterday", "2026-02-30T10:00:00Z", "2026-11-30T25:00:00Z", "2026-11-30T10:60:00Z"):
        assert f"'{time}' is no time" in add(program, "run.json", document, "--time", time, code=2)


def test_a_folder_of_own_results_is_2(program):
    own = program.folder / "own"
    own.mkdir()
    (own / "run.json").write_bytes((ROOT / "tests/golden/results/small.json").read_bytes())
    assert "add each of its files" in program.run("history", "kept", "--add", "own", code=2).stderr
