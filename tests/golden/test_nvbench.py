# SPDX-License-Identifier: Apache-2.0
"""nvbench's JSON as a side of `compare`: with the files of samples that --jsonbin writes, and without."""

import json
import struct

import pytest

from conftest import Program

UNDECIDED, USAGE, BASELINE = 3, 2, 4
SAMPLES = [0.001, 0.001, 0.001, 0.5]  # their mean is 0.12575


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


def summary(tag, **data):
    return {"tag": tag, "data": [{"name": name, "type": "string", "value": str(one)} for name, one in data.items()]}


def write(program, name, samples=SAMPLES, factor=1, kept=True, **device):
    """A result of one benchmark as nvbench writes it, whose mean is of all samples."""
    times = [one * factor for one in samples]
    state = {
        "name": "Device=0 BlockSize=2^8",
        "device": 0,
        "is_skipped": False,
        "summaries": [
            summary("nv/cold/time/gpu/mean", value=sum(times) / len(times)),
            summary("nv/cold/sample_size", value=len(times)),
            summary("nv/json/bin:nv/cold/sample_times", filename=f"/elsewhere/{name}-bin/0.bin", size=len(samples)),
        ],
    }
    document = {
        "meta": {"version": {"nvbench": {"string": "0.1.0"}}},
        "devices": [{"id": 0, "name": "GPU", "ecc_state": True, **device}],
        "benchmarks": [{"name": "copy", "devices": [0], "axes": [], "states": [state]}],
    }
    program.write_json(name, document)
    folder = program.folder / f"{name}-bin"
    folder.mkdir(exist_ok=True)
    if kept:
        (folder / "0.bin").write_bytes(struct.pack(f"<{len(times)}f", *times))
    return name


def compared(program, base, test, code=UNDECIDED, **options):
    out = program.run("compare", base, test, "--format", "nvbench", "--json", "stdout", "-q", code=code, **options)
    return json.loads(out.stdout)


def test_the_median_of_kept_samples_is_the_time(program):
    case = compared(program, write(program, "base.json"), write(program, "test.json", factor=1.1))["cases"][0]
    assert case["base_seconds"] == pytest.approx(0.001)
    assert case["test_seconds"] == pytest.approx(0.0011)


def test_without_them_the_mean_is(program):
    case = compared(program, write(program, "base.json", kept=False), write(program, "test.json", kept=False))
    assert case["cases"][0]["base_seconds"] == pytest.approx(sum(SAMPLES) / len(SAMPLES))


def test_a_mean_is_not_compared_with_a_median(program):
    """They differ although both files are of the same launch: it was 126 times as slow."""
    kept, lost = write(program, "kept.json"), write(program, "lost.json", kept=False)
    said = program.run("compare", kept, lost, code=BASELINE).stderr
    assert "copy/Device=0 BlockSize=2^8/cold' is in s on the base side, and in s, mean on the test side" in said
    assert "one statistic" in program.run("compare", lost, kept, code=BASELINE).stderr
    both = program.folder / "both"
    both.mkdir()
    for name in (kept, lost):
        (program.folder / name).rename(both / name)
    (program.folder / "kept.json-bin").rename(both / "kept.json-bin")
    assert "one statistic of its samples" in program.run("compare", "both", "both", code=BASELINE).stderr


def test_a_history_of_means_goes_on_with_means_alone(program):
    for name, kept in (("mean.json", False), ("median.json", True)):
        program.run("history", "runs", "--add", write(program, name, kept=kept), "-q")
    found = json.loads(program.run("history", "runs", "--json", "stdout", "-q", code=UNDECIDED).stdout)
    assert {one.get("statistic", "median") for one in found["series"]} == {"mean", "median"}


def test_a_file_of_other_length_is_damage(program):
    base, test = write(program, "base.json"), write(program, "test.json")
    (program.folder / "test.json-bin" / "0.bin").write_bytes(b"\0" * 5)
    said = program.run("compare", base, test, code=USAGE).stderr
    assert "0.bin has 5 bytes; 4 samples take 16: copy the file again" in said


def test_a_sample_that_is_no_time_is_damage(program):
    base, test = write(program, "base.json"), write(program, "test.json", samples=[0.001, float("nan")])
    assert "holds a sample that is no time above 0" in program.run("compare", base, test, code=USAGE).stderr


def test_folders_of_launches_decide_and_name_the_story(program):
    for side, factor in (("base", 1), ("test", 1.2)):
        (program.folder / side).mkdir()
        for launch in range(8):
            write(program, f"{side}/{launch}.json", factor=factor * (1 + 1e-4 * launch), ecc_state=side == "base")
    document = compared(program, "base", "test", code=1)
    assert document["cases"][0]["verdict"] == "slower"
    assert [story["kind"] for story in document["stories"]] == ["machine", "change"]
    assert document["stories"][0]["evidence"] == "nvbench device 0 ECC: true -> false"
