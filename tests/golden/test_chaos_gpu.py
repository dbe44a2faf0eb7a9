# SPDX-License-Identifier: Apache-2.0
"""A sweep over the GPU's chaos variant: sticky errors, hangs and refusals each cost their own row and nothing else."""

import pytest

import chaos
from conftest import CHAOS, Program

OUTCOMES = {
    "none": "ok",
    "null_write": "crashed",
    "misaligned": "crashed",
    "trap": "crashed",
    "infinite_loop": "hung",
    "stack_overflow": "crashed",
    "wrong": "wrong",
    "nan": "nan",
    "oom": "oom",
    "launch_refused": "launch_refused",
    "compile_error": "compile_error",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The one with variants that fail on purpose."""
    return Program(tmp_path_factory.mktemp("chaos_gpu"), CHAOS)


@pytest.fixture(scope="module", autouse=True)
def gpu(program):
    devices = program.json("list", "devices", "--json")
    if not any(device.get("backend") == "cuda" for device in devices["devices"]):
        pytest.skip("no CUDA device")


@pytest.fixture(scope="module")
def swept(program):
    return chaos.run(program, "chaos-cuda", "--device", "0", code=chaos.CASES_FAILED)


def test_each_defect_has_its_outcome_and_reason(swept):
    rows = chaos.defects(swept[0])
    assert {defect: row["outcome"] for defect, row in rows.items()} == OUTCOMES
    assert all(row["detail"] for row in rows.values() if row["outcome"] != "ok")
    assert rows["infinite_loop"]["detail"] == "no answer within 10 s; --hang-timeout S allows more"
    assert "no_such_kernel" in rows["compile_error"]["detail"]


def test_good_rows_are_as_without_the_bad_ones(swept, program):
    without = chaos.run(
        program, "chaos-cuda", "--device", "0", "--benchmark", "naive", "--benchmark", "tiled", code=0, out="good.json"
    )[0]
    assert chaos.good(swept[0]) == chaos.good(without) != []
