# SPDX-License-Identifier: Apache-2.0
"""ALSBENCH_LOG and ALSBENCH_DUMP show what docs/developing/debugging.md says."""

import os
import re

import pytest

ONE_CASE = ("run", "quick", "--device", "cpu", "--filter", "solve/cg", "--max-samples", "5", "-q")
needs_cuda = pytest.mark.skipif(
    os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend (no toolkit >= 12.8)"
)


def test_the_log_has_what_planner_and_worker_say(program):
    plain = program.run(*ONE_CASE)
    result = program.run(*ONE_CASE, ALSBENCH_LOG="debug")
    lines = result.stderr.splitlines()
    assert any(re.fullmatch(r"debug +\d+\.\d{3} s \d+: worker \d+ started", line) for line in lines)
    for said in (
        'to the worker: {.*"prepare"',
        'from the worker: {.*"ok":true',
        r"worker: debug .*: \S+ worker --socket",
    ):
        assert re.search(said, result.stderr), said
    assert "debug" not in plain.stderr and "debug" not in result.stdout


def test_a_level_that_is_none_is_refused(program):
    refused = program.run("list", "suites", code=2, ALSBENCH_LOG="verbose")
    assert "ALSBENCH_LOG='verbose' is no level; use debug, or unset it" in refused.stderr


@pytest.fixture
def nvdisasm(tmp_path):
    """A folder for PATH with one that says what it was given: the toolkit of the tests may lack it."""
    script = tmp_path / "nvdisasm"
    script.write_text('#!/bin/sh\necho "SASS of $(head -c 4 "$1" | tail -c 3)"\n')
    script.chmod(0o755)
    return f"{tmp_path}:{os.environ['PATH']}"


def compile_one(program, **environment):
    return program.run("compile", "--arch", "sm_90", "--filter", "^rmse", "--rank", "32", "-q", **environment)


@needs_cuda
def test_the_dump_has_ptx_and_sass_of_each_kernel_once(program, nvdisasm):
    compile_one(program)  # into the cache, which has no PTX
    folder = program.folder / "alsbench-dump"
    assert not folder.exists()
    compile_one(program, ALSBENCH_DUMP="ptx,sass", PATH=nvdisasm)
    ptx, sass = sorted(folder.glob("*.ptx")), sorted(folder.glob("*.sass"))
    assert ptx and [file.stem for file in ptx] == [file.stem for file in sass]
    text = ptx[0].read_text(encoding="utf-8")
    assert re.match(r"// alsbench::\S.* of kernels/cuda/\S+\.cuh\n", text) and ".target sm_90a" in text
    assert sass[0].read_text(encoding="utf-8").splitlines()[1:] == ["SASS of ELF"]
    again = compile_one(program, ALSBENCH_DUMP="ptx,sass", PATH=nvdisasm, ALSBENCH_LOG="debug")
    assert "cached" in again.stderr and "compiled in" not in again.stderr


@needs_cuda
def test_a_dump_that_cannot_be_made_is_refused(program):
    arguments = ("compile", "--arch", "sm_90", "--filter", "^rmse", "-q")
    refused = program.run(*arguments, code=2, ALSBENCH_DUMP="ptx,elf")
    assert "ALSBENCH_DUMP='ptx,elf': 'elf' is neither ptx nor sass" in refused.stderr
    if os.path.exists("/usr/local/cuda/bin/nvdisasm"):
        pytest.skip("nvdisasm is where it is always found")
    missing = program.run(*arguments, code=3, ALSBENCH_DUMP="sass", PATH="/nowhere")
    assert "ALSBENCH_DUMP=sass needs nvdisasm of the CUDA toolkit" in missing.stderr
