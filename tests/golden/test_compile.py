# SPDX-License-Identifier: Apache-2.0
"""`alsbench compile` without a GPU: every kernel of the chosen variants, with what the compiler made of it."""

import json
import os
import pathlib
import signal

import jsonschema
import pytest

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "results" / "schema" / "compile.schema.json"

# One kernel, and one point of a variant that needs sm_80.
NO_TURING = (
    "^(rmse|normal_equations.*stages=4,l1=on,chunk=4096,warps=4,order=rows,factors=fp16,sums=tensor_cores,output=fp32)"
)

pytestmark = pytest.mark.skipif(
    os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend (no toolkit >= 12.8)"
)


def test_kernels_are_compiled_and_described(program):
    document = program.json("compile", "--arch", "sm_90", "--filter", "hermitian/naive", "--rank", "32", "--json", "-q")
    kernels = document["kernels"]
    assert len(kernels) == 16
    for kernel in kernels:
        assert kernel["registers"] > 0 and kernel["occupancy"] > 0, kernel
        assert len(kernel["code_hash"]) >= 16


def test_the_document_follows_its_schema(program):
    arguments = ("compile", "--arch", "sm_75,sm_90", "--filter", NO_TURING, "--rank", "32", "--json", "-q")
    document = program.json(*arguments)
    assert document["skipped"], "mma objects to sm_75"
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")), jsonschema.Draft202012Validator)


def test_the_second_time_comes_from_the_cache_with_the_same_code(program):
    arguments = ("compile", "--arch", "sm_90", "--filter", "hermitian/naive", "--rank", "32", "--json", "-q")
    first, second = (program.json(*arguments)["kernels"] for _ in range(2))
    assert [k["code_hash"] for k in first] == [k["code_hash"] for k in second]
    assert all(k["from_cache"] for k in second)


def test_an_interrupted_compilation_keeps_what_is_compiled(program):
    kernels = ("compile", "--arch", "sm_90", "--rank", "100", "--filter", "hermitian/tiled", "--all", "--jobs", "2")
    cache = program.folder / "cache" / "cubin"
    error = program.stopped(signal.SIGINT, cache, lambda: len(list(cache.rglob("*"))) >= 5, *kernels)
    assert "launches are compiled and kept in the cache" in error and list(cache.rglob("*"))


def test_an_unknown_architecture_is_refused(program):
    result = program.run("compile", "--arch", "sm_12", code=2)
    assert "sm_90" in result.stderr
