# SPDX-License-Identifier: Apache-2.0
"""`alsbench compile` without a GPU: every kernel of the chosen variants, with what the compiler made of it."""

import json
import os
import re
import shutil
import signal
import time
import zipfile

import pytest

from conftest import ROOT, Program, read_json, validation_errors

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
        assert kernel["report"]["registers"] > 0 and kernel["report"]["occupancy"] > 0, kernel
        assert len(kernel["report"]["code_hash"]) >= 16


def test_the_document_follows_its_schema(program):
    arguments = ("compile", "--arch", "sm_75,sm_90", "--filter", NO_TURING, "--rank", "32", "--json", "-q")
    document = program.json(*arguments)
    assert document["skipped"], "mma objects to sm_75"
    assert validation_errors(document, "compile") == []


# The default but for factors=fp8, of both variants that have it, with A_u as floats and as halves in CG.
FP8 = (
    "^(normal_equations/mma|update/fused)/cuda stages=4,l1=on,chunk=4096,warps={warps},order=rows,factors=fp8,"
    "sums=tensor_cores,(output=fp32,phase=all|matrix=fp..,warm=on,steps=6,.*,precondition=none,short=0,products=mma)$"
)


@pytest.mark.parametrize(
    ("archs", "rank", "warps", "most_spilled"),
    [("sm_89", 32, 4, 0), ("sm_89,sm_120", 100, 2, 256), ("sm_120", 128, 4, 0)],
)
def test_kernels_of_fp8_where_tensor_cores_have_it(program, archs, rank, warps, most_spilled):
    """At rank 100 a warp holds a row in all of its registers, so a few words are spilled on sm_89."""
    arguments = ("--filter", FP8.format(warps=warps), "--rank", rank, "--json", "-q")
    document = program.json("compile", "--arch", archs, *arguments, timeout=300)
    of_fp8 = [kernel for kernel in document["kernels"] if "alsbench::Fp8" in kernel["instance"]]
    assert not document["skipped"] and len(of_fp8) == len(archs.split(",")) * 3 * 3, (
        "the products, the pieces' sums, the cut rows"
    )
    spilled = {
        (k["arch"], k["instance"]): k["report"]["spill_store_bytes"]
        for k in of_fp8
        if k["report"]["spill_store_bytes"] > 0
    }
    assert all(spill <= most_spilled for spill in spilled.values()), spilled


def test_fp8_is_refused_where_it_would_be_converted(program):
    document = program.json("compile", "--arch", "sm_90", "--filter", FP8.format(warps=4), "--json", "-q", code=None)
    assert not document["kernels"] and document["skipped"]


def test_the_second_time_comes_from_the_cache_with_the_same_code(program):
    arguments = ("compile", "--arch", "sm_90", "--filter", "hermitian/naive", "--rank", "32", "--json", "-q")
    first, second = (program.json(*arguments)["kernels"] for _ in range(2))
    assert [k["report"]["code_hash"] for k in first] == [k["report"]["code_hash"] for k in second]
    assert all(k["report"]["from_cache"] for k in second)


def test_an_interrupted_compilation_keeps_what_is_compiled(program):
    kernels = ("compile", "--arch", "sm_90", "--rank", "100", "--filter", "hermitian/tiled", "--all", "--jobs", "2")
    cache = program.folder / "cache" / "cubin"
    error = program.stopped(signal.SIGINT, cache, lambda: len(list(cache.rglob("*"))) >= 5, *kernels)
    assert "launches are compiled and kept in the cache" in error and list(cache.rglob("*"))


def test_a_comparison_with_a_baseline_ends_when_it_is_told_to(program):
    """NVRTC puts signal handlers back with other flags: see findings/nvrtc_loses_flags_of_signal_handlers.sh."""
    cache = program.folder / "cache" / "cubin"
    document = read_json(ROOT / "results" / "static" / "sm_90.json")
    for kernel in document["kernels"]:
        kernel["source_hash"] = "0" * 32  # else it is not compiled
    program.write_json("sm_90.json", document)
    with program.start("compile", "--against", "sm_90.json", "-q") as process:
        try:
            while process.poll() is None and len(list(cache.rglob("*"))) < 5:
                time.sleep(0.05)
            process.terminate()
            assert process.wait(60) == -signal.SIGTERM
        finally:
            process.kill()


def test_an_unknown_architecture_is_refused(program):
    result = program.run("compile", "--arch", "sm_12", code=2)
    assert "sm_90" in result.stderr


@pytest.fixture(scope="module")
def packed(program, tmp_path_factory):
    """A folder with the program and a pack of rank 16 beside it, as an installation has them."""
    folder = tmp_path_factory.mktemp("packed")
    pack = folder / "alsbench-kernels-cuda13.zip"
    program.run("compile", "--pack", pack, "--arch", "sm_90", "--ranks", "16", "-q", timeout=600)
    shutil.copy(program.path, folder / "alsbench")
    return folder


def test_a_pack_has_the_kernels_that_trainings_run_by_default(program, packed):
    with zipfile.ZipFile(packed / "alsbench-kernels-cuda13.zip") as pack:
        assert pack.testzip() is None
        head = json.loads(pack.read("pack.json"))
        sizes = [entry.file_size for entry in pack.infolist() if entry.filename != "pack.json"]
    assert head["architectures"] == [90] and head["ranks"] == [16]
    compiler = program.json("compile", "--arch", "sm_90", "--filter", "^rmse", "--json", "-q")["nvrtc"]
    assert head["nvrtc"].startswith(f"{compiler}."), "the release, of which the document has the version"
    assert len(sizes) > 20 and min(sizes) > 1000


def test_a_pack_is_the_same_bytes_each_time(program, packed, tmp_path):
    again = tmp_path / "again.zip"
    program.run("compile", "--pack", again, "--arch", "sm_90", "--ranks", "16", "-q", timeout=600)
    assert again.read_bytes() == (packed / "alsbench-kernels-cuda13.zip").read_bytes()


def test_kernels_of_a_pack_have_no_mark_of_one_compilation(packed):
    """NVRTC puts a number that it draws into names of internal linkage, so a kernel's constants are `inline`."""
    with zipfile.ZipFile(packed / "alsbench-kernels-cuda13.zip") as pack:
        assert [name for name in pack.namelist() if b"_INTERNAL_" in pack.read(name)] == []


def test_a_pack_goes_with_no_filter(program):
    refused = program.run("compile", "--pack", "x.zip", "--filter", "rmse", code=2)
    assert "--pack" in refused.stderr and "--filter" in refused.stderr


def test_the_doctor_says_what_the_pack_beside_the_program_holds(packed):
    findings = Program(packed, packed / "alsbench").run("doctor", code=None).stdout
    assert "kernel pack" in findings and "for sm_90 at ranks 16" in findings


def test_a_pack_may_be_compressed_as_a_whole(program, packed, tmp_path):
    pack = tmp_path / "alsbench-kernels-cuda13.zip.zst"
    program.run("compile", "--pack", pack, "--arch", "sm_90", "--ranks", "16", "-q", timeout=600)
    assert pack.stat().st_size < 0.8 * (packed / "alsbench-kernels-cuda13.zip").stat().st_size
    shutil.copy(program.path, tmp_path / "alsbench")
    doctor = Program(tmp_path, tmp_path / "alsbench")
    kernels = [
        re.search(r"kernel pack +(\d+) kernels .* for sm_90 at ranks 16", each.run("doctor", code=None).stdout)
        for each in (doctor, Program(packed, packed / "alsbench"))
    ]
    assert all(kernels) and kernels[0][1] == kernels[1][1]
    whole = pack.read_bytes()
    pack.write_bytes(whole[: len(whole) // 2])
    told = doctor.run("doctor", code=None)
    assert pack.name in told.stderr and "compiled as they are needed" in told.stderr


def test_a_damaged_pack_is_named_and_not_used(program, packed, tmp_path):
    shutil.copy(program.path, tmp_path / "alsbench")
    whole = (packed / "alsbench-kernels-cuda13.zip").read_bytes()
    (tmp_path / "alsbench-kernels-cuda13.zip").write_bytes(whole[: len(whole) // 2])
    told = Program(tmp_path, tmp_path / "alsbench").run("doctor", code=None)
    assert "alsbench-kernels-cuda13.zip" in told.stderr and "compiled as they are needed" in told.stderr
    assert "kernel pack" not in told.stdout
