# SPDX-License-Identifier: Apache-2.0
"""`alsbench compile` without a GPU: every kernel of the chosen variants, with what the compiler made of it."""

import json
import os
import pathlib
import signal
import time

import jsonschema
import pytest

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "results" / "schema" / "compile.schema.json"

pytestmark = pytest.mark.skipif(
    os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend (no toolkit >= 12.8)")


def test_kernels_are_compiled_and_described(program):
    document = program.json("compile", "--arch", "sm_90", "--filter", "hermitian/naive", "--rank", "32", "--json", "-q")
    kernels = document["kernels"]
    assert len(kernels) == 16
    for kernel in kernels:
        assert kernel["registers"] > 0 and kernel["occupancy"] > 0, kernel
        assert len(kernel["code_hash"]) >= 16


def test_the_document_follows_its_schema(program):
    arguments = ("compile", "--arch", "sm_75,sm_90", "--filter", "^(rmse|normal_equations.*stages=4.*chunk=4096)", "--rank", "32", "--json", "-q")
    document = program.json(*arguments)
    assert document["skipped"], "mma objects to sm_75"
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")), jsonschema.Draft202012Validator)


def test_the_second_time_comes_from_the_cache_with_the_same_code(program):
    arguments = ("compile", "--arch", "sm_90", "--filter", "hermitian/naive", "--rank", "32", "--json", "-q")
    first, second = (program.json(*arguments)["kernels"] for _ in range(2))
    assert [k["code_hash"] for k in first] == [k["code_hash"] for k in second]
    assert all(k["from_cache"] for k in second)


def test_an_interrupted_compilation_keeps_what_is_compiled(program):
    cache = program.folder / "cache" / "cubin"
    before = len(list(cache.rglob("*")))
    process = program.start("compile", "--arch", "sm_90", "--rank", "100", "--filter", "hermitian/tiled", "--jobs", "2")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(list(cache.rglob("*"))) < before + 5:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130 and "kernels are compiled and kept in the cache" in error


def test_an_unknown_architecture_is_refused(program):
    result = program.run("compile", "--arch", "sm_12", code=2)
    assert "sm_90" in result.stderr
