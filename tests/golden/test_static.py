# SPDX-License-Identifier: Apache-2.0
"""`alsbench compile --against`: the static baselines of the tree, and each verdict and exit code on altered ones."""

import gzip
import json
import os
import pathlib
import shutil

import pytest

from conftest import read_json, validation_errors

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATIC = ROOT / "results" / "static"
REMAKE = "build/alsbench compile --against results/static --write"

pytestmark = pytest.mark.skipif(
    os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend (no toolkit >= 12.8)"
)


@pytest.fixture(scope="module")
def here(program):
    """A baseline of sm_90 that this very program and compiler made, from the files of a copy of the sources."""
    folder = program.folder / "static"
    shutil.copytree(ROOT / "kernels", program.folder / "elsewhere" / "kernels")
    elsewhere = {"ALSBENCH_KERNEL_DIR": str(program.folder / "elsewhere")}
    program.run("compile", "--against", folder, "--arch", "sm_90", "--write", "-q", timeout=300, **elsewhere)
    return read_json(folder / "sm_90.json")


def against(program, document, *arguments, code):
    path = program.folder / "sm_90.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return program.run("compile", "--against", path, *arguments, code=code)


def judged(program, document, *arguments, code):
    """verdict -> [(kernel, detail)] of all that is not the same."""
    verdicts = {}
    result = json.loads(against(program, document, "--json", "-q", *arguments, code=code).stdout)
    assert validation_errors(result, "static_comparison") == []
    for finding in result["comparisons"][0]["findings"]:
        verdicts.setdefault(finding["verdict"], []).append((finding["kernel"], finding["detail"]))
    verdicts.pop("same", None)
    return verdicts


def altered(here, of_local_memory=False, **changes):
    """The baseline of a time when one kernel had other sources and other numbers: the first, or the first that spills."""
    document = json.loads(json.dumps(here))
    kernel = next(
        kernel
        for kernel in document["kernels"]
        if kernel["outcome"] == "ok" and (not of_local_memory or kernel["report"]["stack_bytes"] > 0)
    )
    kernel["source_hash"] = "0" * 32
    kernel["report"].update(changes)
    return document, kernel


@pytest.mark.parametrize("arch", ["sm_80", "sm_86", "sm_89", "sm_100", "sm_120"])
def test_the_tree_is_what_its_baselines_say(program, here, arch):
    """Compiles what has other sources than its baseline; sm_90 is compiled in full by the next test."""
    path = STATIC / f"{arch}.json"
    document = read_json(path)
    assert validation_errors(document, "static") == []
    if document["compiler"] != here["compiler"]:
        pytest.skip(f"the static baselines are of {document['compiler']}, this machine has {here['compiler']}")
    result = program.json("compile", "--against", path, "--json", "-q", code=None, timeout=300)
    changed = [finding for finding in result["comparisons"][0]["findings"] if finding["verdict"] != "same"]
    assert not changed, f"look at the change, then regenerate the baselines: {REMAKE}"


def test_neither_folder_nor_cache_nor_source_path_enters_a_baseline(program, here, tmp_path):
    """Another working folder, another cache, the sources from files: the same bytes."""
    path = STATIC / "sm_90.json"  # made elsewhere, from the sources in the program
    if read_json(path)["compiler"] != here["compiler"]:
        path = tmp_path / "sm_90.json"
        program.run(
            "compile", "--against", path, "--write", "-q", timeout=300, ALSBENCH_CACHE_DIR=str(tmp_path / "cache")
        )
    assert path.read_text() == (program.folder / "static" / "sm_90.json").read_text(), (
        f"look at the change, then regenerate the baselines: {REMAKE}"
    )


def launches(document):
    return sum(kernel["outcome"] == "ok" for kernel in document["kernels"])


def test_equal_is_0_and_compiles_nothing(program, here):
    assert judged(program, here, code=0) == {}
    result = against(program, here, code=0)
    assert f"sm_90: 0 launches compiled; {launches(here)} have the sources" in result.stderr


def test_a_compressed_baseline_is_read_and_never_written(program, here):
    packed = program.folder / "sm_90.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(here).encode()))
    assert "sm_90: 0 launches compiled; " in program.run("compile", "--against", packed).stderr
    assert "name a .json file" in program.run("compile", "--against", packed, "--write", code=2).stderr


def test_only_launches_of_other_sources_are_compiled_unless_asked(program, here):
    document, changed = altered(here)
    base = {**document, "kernels": document["kernels"][1:]}  # of the first there is no baseline
    assert document["kernels"][0] is changed
    document["kernels"][1]["report"]["code_hash"] = "0" * 32  # not what these sources make: only --recompile can tell
    for options, compiled in (((), 1), (("--recompile",), launches(document))):
        result = json.loads(against(program, base, "--json", "-q", *options, code=0).stdout)
        (comparison,) = result["comparisons"]
        assert (comparison["compiled"], comparison["compiled"] + comparison["known"]) == (compiled, launches(document))
        assert count_of(comparison, "code-changed") == (1 if options else 0)


def count_of(comparison, verdict):
    return next(one["count"] for one in comparison["counts"] if one["verdict"] == verdict)


def test_a_baseline_without_source_hashes_compiles_all(program, here):
    document = json.loads(json.dumps(here))
    for kernel in document["kernels"]:
        kernel["source_hash"] = None
    (comparison,) = json.loads(against(program, document, "--json", "-q", code=0).stdout)["comparisons"]
    assert (comparison["compiled"], comparison["known"]) == (launches(here), 0)
    assert count_of(comparison, "same") == len(here["kernels"])


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"registers": 1, "occupancy": 1.01}, "occupancy 101% -> "),
        ({"stack_bytes": 0, "spill_store_bytes": 0, "spill_load_bytes": 0}, "local memory 0 B -> "),
    ],
)
def test_less_occupancy_or_more_spills_are_1(program, here, changes, words):
    document, kernel = altered(here, of_local_memory="stack_bytes" in changes, **changes)
    verdicts = judged(program, document, code=1)
    assert list(verdicts) == ["regressed"]
    ((name, detail),) = verdicts["regressed"]
    assert name == f"{kernel['variant']} rank:{kernel['rank']} #{kernel['launch']}" and words in detail


@pytest.mark.parametrize(
    "changes, words",
    [({"registers": 1}, "registers 1 -> "), ({"static_shared_bytes": 1 << 20}, "shared memory 1.04858e+06 B -> ")],
)
def test_other_registers_or_shared_memory_at_the_same_occupancy_are_told_and_0(program, here, changes, words):
    document, _kernel = altered(here, **changes)
    assert words in judged(program, document, code=0)["code-changed"][0][1]


def test_less_of_everything_is_an_improvement_and_0(program, here):
    document, _ = altered(here, occupancy=0.01, spill_store_bytes=64)
    assert "local memory 64 B -> " in judged(program, document, code=0)["improved"][0][1]


def test_other_code_of_equal_resources_is_told_and_0(program, here):
    document, _kernel = altered(here, code_hash="0" * 32)
    ((_name, detail),) = judged(program, document, code=0)["code-changed"]
    assert "the same resources" in detail


def test_a_new_kernel_is_told_and_0_and_a_vanished_one_is_5(program, here):
    document, kernel = altered(here)
    document["kernels"].remove(kernel)
    assert list(judged(program, document, code=0)) == ["new"]
    document["kernels"].append({**kernel, "variant": "hermitian/gone/cuda"})
    verdicts = judged(program, document, code=5)
    assert list(verdicts) == ["missing", "new"] and "hermitian/gone/cuda" in verdicts["missing"][0][0]


def test_another_compiler_is_4_unless_asked_and_then_on_every_row(program, here):
    document, _ = altered(here, code_hash="0" * 32)
    document["compiler"] = "nvrtc 12.8.1"
    result = against(program, document, code=4)
    assert "sm_90.json" in result.stderr and "12.8.1" in result.stderr and "--cross-env" in result.stderr
    result = against(program, document, "--cross-env", code=0)
    assert result.stdout.count("[cross-env]") == 1


@pytest.mark.parametrize(
    "content, words",
    [
        ("", "is not JSON"),
        ('{"schema_version": "2.0.0", "kind": "sta', "is not JSON"),
        ("[]", "is no document of kind 'static'"),
        ('{"kind": "static", "schema_version": "2.0.0"}', "is damaged"),
        ('{"kind": "static", "schema_version": "3.0.0", "compiler": "nvrtc 13.0.88"}', "newer alsbench"),
        ('{"kind": "static", "schema_version": "1.1.0"}', "1.1.0, but this alsbench reads 2.x; convert the file"),
    ],
)
def test_a_damaged_baseline_is_named_and_4(program, content, words):
    result = against(program, content, code=4)
    assert "sm_90.json" in result.stderr and words in result.stderr


def test_a_missing_baseline_is_4(program):
    assert "nowhere/sm_90.json" in program.run("compile", "--against", "nowhere/sm_90.json", code=4).stderr
    assert "has no <arch>.json" in program.run("compile", "--against", "nowhere", code=4).stderr


def test_a_kernel_that_does_not_compile_is_5_and_never_written(program, here, tmp_path):
    shutil.copytree(ROOT / "kernels", tmp_path / "kernels")
    (tmp_path / "kernels/cuda/metric/rmse_rows.cuh").write_text("broken here;\n")
    path = program.write_json("sm_90.json", here)
    result = program.run("compile", "--against", path, code=5, ALSBENCH_KERNEL_DIR=str(tmp_path))
    assert "failed" in result.stdout and "rmse" in result.stdout
    program.run("compile", "--against", path, "--write", code=5, ALSBENCH_KERNEL_DIR=str(tmp_path))
    assert read_json(path) == here
