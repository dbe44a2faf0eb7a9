# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of custom kernels: the examples, and folders of kernels that a test changes."""

import json
import os
import shutil

import pytest

from conftest import ROOT, read_json, write_json

EXAMPLES = ROOT / "examples/kernels"
SIZES = {"gemm": "M=96,N=80,K=64", "batched_cholesky": "BATCH=64,N=24", "stencil": "NX=40,NY=24,NZ=16"}


def gemm(folder):
    """It, of the folder, on the CPU."""
    return ["gemm", "--kernels", folder, "--size", SIZES["gemm"], "-d", "cpu"]


FAST = ["--min-samples", "3", "--max-samples", "3", "-q"]
WITH_CUDA = pytest.mark.skipif(
    os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend (no toolkit >= 12.8)"
)
LOOP = "#pragma omp parallel for\n"


def cases_of(document):
    return {case["variant"]: case for case in document["cases"] if case["role"] == "case"}


def copied(tmp_path, name="gemm"):
    return shutil.copytree(EXAMPLES / name, tmp_path / name)


def changed(folder, change):
    """kernel.json of the folder after change(document)."""
    document = read_json(folder / "kernel.json")
    change(document)
    write_json(folder / "kernel.json", document)


DOT = {
    "name": "dot",
    "description": "z = x y, the last kernel with a parameter.",
    "problems": [{"N": 4096}],
    "arguments": [
        {"name": "x", "type": "float32", "shape": ["N"], "fill": "uniform"},
        {"name": "z", "type": "float32", "shape": ["N"], "use": "output"},
        {"name": "n", "type": "int64", "value": "N"},
    ],
    "reference": "plain",
    "tolerance": {"relative": 1e-5},
    "work": {"bytes": "8 * N"},
    "kernels": [
        {"name": "plain", "file": "dot.cpp", "function": "dot"},
        {
            "name": "unrolled",
            "file": "dot.cpp",
            "function": "dot",
            "ConfigurationSpace": {"TuningParameters": [{"Name": "UNROLL", "Values": [4, 8, 16]}], "Conditions": []},
        },
    ],
}


def dot(tmp_path, condition=None, problems=None):
    """A folder with a kernel of the CPU that has a condition, and problems of its own."""
    folder = tmp_path / "dot"
    folder.mkdir()
    (folder / "dot.cpp").write_text(
        "#include <cstdint>\nvoid dot(const float* x, float* z, int64_t n) {\n"
        "  for (int64_t i = 0; i < n; ++i) z[i] = x[i] * x[i];\n}\n"
    )
    document = json.loads(json.dumps(DOT))
    document["problems"] = problems or document["problems"]
    for text in [condition] if isinstance(condition, str) else condition or []:
        document["kernels"][1]["ConfigurationSpace"]["Conditions"].append({"Expression": text})
    write_json(folder / "kernel.json", document)
    return folder
