# SPDX-License-Identifier: Apache-2.0
"""scripts/convert_results.py: documents of schema 1.x become those of 2.0 that the program reads."""

import gzip
import json
import subprocess
import sys

import pytest

from conftest import ROOT, SMALL, read_json, validation_errors, write_json


def convert(*paths, code=0):
    words = [sys.executable, ROOT / "scripts/convert_results.py", *paths]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == code, ended.stderr
    return ended


def older(document):
    """A comparison of `ab` as schema 1.1 had it."""
    document = json.loads(json.dumps(document)) | {"schema_version": "1.1.0"}
    document["rules"]["rmse_bound"] = document["rules"].pop("metric_bound")
    del document["disturbed"]
    for case in document["cases"] + document["controls"]:
        for key in ("base_disturbed", "test_disturbed", "causes", "detectable_effect"):
            del case[key]
    for launch in document["launches"]:
        launch["cases"] = {
            one["name"]: {key: one[key] for key in ("median_seconds", "samples")} for one in launch["cases"]
        }
    return document


@pytest.fixture
def comparison():
    document = read_json(ROOT / "results/nvidia-h200/gate/aa-4.json.gz")
    assert document["launches"] and not any(case["causes"] for case in document["cases"])
    return document


def test_a_comparison_of_schema_1_is_converted_once_and_stays_compressed(program, comparison):
    path = program.folder / "old.json.gz"
    path.write_bytes(gzip.compress(json.dumps(older(comparison)).encode()))
    refused = program.run("export", path, "--to", "junit", code=2).stderr
    assert "old.json.gz: has schema version 1.1.0" in refused and "scripts/convert_results.py" in refused
    assert convert(path).stdout == "1 files converted\n"
    assert path.read_bytes().startswith(b"\x1f\x8b") and read_json(path) == comparison
    assert validation_errors(read_json(path), "comparison") == []
    program.run("export", path, "--to", "junit")
    once = path.read_bytes()
    assert convert(path).stdout == "0 files converted\n" and path.read_bytes() == once


def test_a_history_of_schema_1_is_converted_with_its_checksums(program):
    sys.path.insert(0, str(ROOT / "scripts"))
    from schema_1.judging import checksum

    program.run("history", "old", "--add", SMALL, "-q")
    (file,) = (program.folder / "old").iterdir()
    new = read_json(file)
    assert checksum(new) == new["checksum"]
    assert validation_errors(new, "history_run") == []
    old = new | {"schema_version": "1.0.0"}
    file.write_text(json.dumps(old | {"checksum": checksum(old)}, indent=1), encoding="utf-8")
    refused = program.run("history", "old", code=4).stderr
    assert file.name in refused and "1.0.0" in refused and "scripts/convert_results.py" in refused
    convert(program.folder / "old")
    assert read_json(file) == new
    program.run("history", "old", code=3)  # read, and too few runs to tell anything

    write_json(file, old | {"checksum": "0" * 32})
    assert f"{file.name}: not converted: " in convert(file, code=1).stderr


def test_accepted_shifts_of_schema_1_are_converted(program, tmp_path):
    shift = {"name": "a/*", "from": "2026-02-01", "to": "2026-02-28", "reason": "checks more", "expires": "2026-12-31"}
    path = write_json(tmp_path / "accepted.json", {"kind": "accepted_shifts", "shifts": [shift | {"most_ratio": 1.1}]})
    convert(path)
    document = read_json(path)
    assert validation_errors(document, "accepted_shifts") == []
    assert document["shifts"] == [shift | {"max_ratio": 1.1}]


def test_a_static_baseline_of_schema_1_is_converted(tmp_path):
    new, path = read_json(ROOT / "results/static/sm_90.json"), tmp_path / "sm_90.json"

    def flat(kernel):
        kernel = kernel | {"config": ",".join(f"{name}={value}" for name, value in kernel["config"].items())}
        kernel |= kernel.pop("report") or {}
        return {key: value for key, value in kernel.items() if value is not None}

    old = new | {"schema_version": "1.1.0", "kernels": [flat(kernel) for kernel in new["kernels"]]}
    path.write_text(json.dumps(old, indent=2) + "\n", encoding="utf-8")
    convert(path)
    assert read_json(path) == read_json(ROOT / "results/static/sm_90.json")


def test_other_files_are_left_alone(tmp_path):
    for name, text in (("a.json", "[]"), ("b.json", '{"kind": "cake", "schema_version": "1.0.0"}'), ("c.txt", "{}")):
        (tmp_path / name).write_text(text)
    assert convert(tmp_path).stdout == "0 files converted\n"
    (tmp_path / "d.json").write_text("{")
    assert "d.json: not converted: " in convert(tmp_path, code=1).stderr


def test_a_run_of_schema_1_gets_the_answer_of_its_suite():
    sys.path.insert(0, str(ROOT / "scripts"))
    from schema_1.runs import run

    old = {"schema_version": "1.9.0", "kind": "run", "provenance": {}, "devices": [], "cases": []}
    suite = {"description": "?", "hash": "0" * 32, "sampling": {}, "timeout_seconds": 60}
    for name, answer in {"ranks": "growth", "scale": "scaling", "fast": "iteration"}.items():
        assert run({**old, "suite": {"name": name, **suite}})["suite"]["answer"] == answer
    for name in ("matrix-free", "mine"):
        assert "answer" not in run({**old, "suite": {"name": name, **suite}})["suite"]
