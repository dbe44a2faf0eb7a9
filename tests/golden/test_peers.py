# SPDX-License-Identifier: Apache-2.0
"""scripts/compare_cpu.py: a small comparison whose peers are left out or cannot be installed still ends with a valid result."""

import json
import sys

import pytest

from conftest import ROOT, validation_errors

SCRIPT = ROOT / "scripts" / "compare_cpu.py"


@pytest.fixture(scope="module")
def compared(program):
    python = program.folder / "peers" / "bin" / "python"  # stands for an environment without a network
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho 'ERROR: no network' >&2\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    result = program.shell(
        [
            sys.executable,
            SCRIPT,
            "--scale",
            "0.001",
            "--rounds",
            "1",
            "--pipeline",
            "fused",
            "--skip",
            "implicit",
            "--skip",
            "sgemm",
            "--venv",
            "peers",
            "--out",
            "peers.json",
        ],
        ALSBENCH_BINARY=program.path,
        OMP_WAIT_POLICY="passive",
    )
    return json.loads((program.folder / "peers.json").read_text(encoding="utf-8")), result.stdout


def test_the_result_is_valid(compared):
    assert validation_errors(compared[0], "cpu-peers") == []


def test_a_missing_peer_is_a_row_with_the_reason(compared):
    reasons = {
        (row["peer"].split(",")[0], row["reason"]) for row in compared[0]["rows"] if row["status"] == "unavailable"
    }
    assert reasons == {("implicit", "skipped"), ("sgemm", "skipped"), ("libmf", "ERROR: no network")}
    assert "no network" in compared[1]


def test_hermitian_is_held_against_all_and_against_the_useful_part_of_gemm(compared):
    ratios = {
        (row["alsbench"], row["peer"]): row["ratio"] for row in compared[0]["rows"] if row["status"] == "measured"
    }
    for side in ("x", "theta"):
        case = f"hermitian:blocked, {side}"
        # Of sgemm's 2 f^2 products f (f + 1) are useful.
        assert ratios[case, "gemm_batched, useful"] / ratios[case, "gemm_batched, all"] == pytest.approx(
            200 / 101, rel=0.03
        )
