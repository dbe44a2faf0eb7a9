# SPDX-License-Identifier: Apache-2.0
"""scripts/show_causes: its plants are in the kernels as they are now, and its count is that of the comparisons."""

import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

import pytest

from conftest import ROOT

SCRIPT = ROOT / "scripts/show_causes"
KINDS = ["uncoalesced", "thrash", "spills", "flops", "hint"]

# Stands in for alsbench: `ab` and `compare` write a comparison whose cases are slower by the cause in CAUSE.
STAND_IN = """#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --json ] && echo "$COMPARISON" > "$2"; shift; done
"""


@pytest.fixture(scope="module")
def script():
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(SCRIPT.parent))  # where it finds planted_causes
    loader = importlib.machinery.SourceFileLoader("show_causes", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("show_causes", loader))
    sys.modules["show_causes"] = module
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("kind", [*KINDS, "harmless"])
def test_every_plant_has_its_place_in_the_kernels(script, tmp_path, kind):
    script.plant(kind, tmp_path)  # ends the test where a text to change is not there
    changed = {one.file for one in script.PLANTS[kind]}
    for path in (tmp_path / "kernels/cuda").rglob("*.cuh"):
        name = path.relative_to(tmp_path / "kernels/cuda").as_posix()
        same = path.read_bytes() == (ROOT / "kernels/cuda" / name).read_bytes()
        assert same == (name not in changed)


def comparison(script, kind, cause):
    names = ["hermitian/naive", "hermitian/tiled", "bias/rows", "rmse/rows", "implicit_loss/rows"]
    names += ["implicit_equations/tiled", "rotate/tiled", "blend/elements", "ccd_update/fused"]
    names += [f"solve/cg/cuda/cache={cache}" for cache in ("none", "shared", "registers")]
    causes = [{"kind": cause, "evidence": "figures"}] if cause else []
    case = {"verdict": "slower", "ratio": 1.5, "reason": None, "causes": causes}
    return json.dumps({"cases": [{"name": name, **case} for name in names]})


@pytest.mark.parametrize(
    ("cause", "code", "told"),
    [
        ("l1_hits", 0, "5 of 5 causes named, 0 wrong"),
        ("l2_hits", 1, "5 wrong"),
        (None, 1, "0 of 5 causes named, 0 wrong"),
    ],
)
def test_causes_are_counted(script, tmp_path, cause, code, told):
    stand_in = tmp_path / "alsbench"
    stand_in.write_text(STAND_IN, encoding="utf-8")
    stand_in.chmod(0o755)
    environment = {**os.environ, "ALSBENCH": str(stand_in), "COMPARISON": comparison(script, "hint", cause)}
    ended = subprocess.run([SCRIPT, tmp_path / "out", "hint"], env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (code, "")
    assert told in ended.stdout
