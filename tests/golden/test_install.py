# SPDX-License-Identifier: Apache-2.0
"""cmake --install and the packages: what they hold works where it was put, and goes again without a rest."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import BINARY, ROOT, Program, read_json
from search_paths import assert_safe, unsafe_elements
from test_processes import mpirun, needs_mpi

BUILD = BINARY.parent
SUITE = pathlib.Path("share/alsbench/suites/quick.json")


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD, "--prefix", folder)
    return folder


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    if not shutil.which("dpkg-deb"):
        pytest.skip("no dpkg-deb: packages are Debian's")
    folder = tmp_path_factory.mktemp("packed")
    run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
    return folder


def use(root, folder):
    """The program that was put below `root` knows its suites, reads the installed one and trains."""
    program = Program(folder, root / "bin" / "alsbench")
    assert "quick" in program.run("list", "suites").stdout
    assert "hermitian/" in program.run("run", root / SUITE, "--device", "cpu", "--dry-run").stdout
    program.run("train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "8", "--iterations", "1", "--out", "m")
    program.run("recommend", "--model", "m", "-k", "3", "-o", "top.tsv")
    assert (folder / "top.tsv").stat().st_size > 0
    return program


def test_the_installed_program_is_used(prefix, tmp_path):
    use(prefix, tmp_path)


@pytest.mark.parametrize(
    "path, refused",
    [
        ("/usr/lib:$ORIGIN:$ORIGIN/../lib:${ORIGIN}/lib", []),
        ("/usr/lib:", [""]),
        (":/usr/lib", [""]),
        (".:lib:../lib:$ORIGINAL", [".", "lib", "../lib", "$ORIGINAL"]),
    ],
)
def test_a_search_path_with_the_current_folder_is_found(tmp_path, path, refused):
    library = tmp_path / "library.so"
    run("g++", "-shared", f"-Wl,-rpath,{path}", "-x", "c++", os.devnull, "-o", library)
    assert unsafe_elements(library) == refused


def test_no_library_is_looked_for_in_the_current_folder(prefix):
    """Neither by what was installed nor by the build folder's own."""
    mpi = (BUILD / "libalsbench_mpi.so").exists()
    assert_safe(prefix, "bin/alsbench", *(["libalsbench_mpi.so"] if mpi else []))
    assert_safe(BUILD / "alsbench", "alsbench")
    if mpi:
        assert_safe(BUILD / "libalsbench_mpi.so", "libalsbench_mpi.so")


def test_no_library_of_cuda_is_linked(prefix):
    """So that the program starts on a machine without a toolkit."""
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", prefix / "bin/alsbench"))
    assert any(library.startswith("libc.so") for library in needed)
    assert [library for library in needed if re.match("lib(cu|nv|nccl)", library)] == []


def test_a_machine_without_the_compiler_of_kernels_says_so(prefix, tmp_path):
    program = Program(tmp_path, prefix / "bin" / "alsbench")
    if "CUDA toolkit: none" in program.run("--version").stdout:
        pytest.skip("built without CUDA: nothing is compiled")
    toolkits = {folder.resolve() for folder in pathlib.Path("/usr/local").glob("cuda*")}
    hide = " && ".join([*(f"mount -t tmpfs none {folder}" for folder in toolkits), 'exec "$@"'])
    hidden = ["unshare", "--mount", "sh", "-c", hide, "sh"]
    if subprocess.run([*hidden, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no folder can be hidden here: that takes root")
    refused = program.shell([*hidden, program.path, "compile", "--arch", "sm_90", "--filter", "solve/cg"], code=3)
    assert re.search(r"GPU kernels need libnvrtc\.so\.\d+ of the CUDA toolkit \d+: .*; install it, or", refused.stderr)
    found = program.shell([*hidden, program.path, "doctor"], code=None).stdout
    assert re.search(r"nvrtc +missing: .*\n +remedy: install NVRTC of the CUDA toolkit \d+", found)
    assert "solve/cg" in program.shell([*hidden, program.path, "list", "variants"]).stdout


EMBEDS = """
cmake_minimum_required(VERSION 3.24)
project(embeds CXX)
find_package(alsbench 0.1 REQUIRED)
add_executable(embeds main.cpp)
target_link_libraries(embeds alsbench::kernels)
file(WRITE ${CMAKE_BINARY_DIR}/kernel_dir ${alsbench_KERNEL_DIR})
"""
EMBEDDED = """
#include <cstdio>
#include "als_tuned.h"
#include "kernels/shared/params/als.h"
static_assert(sizeof(alsbench_tuned::Arguments) == sizeof(alsbench::PlanArguments));
int main() { std::puts(alsbench_tuned::x::update::kLaunches.front().source); }
"""


def test_a_program_that_embeds_the_kernels_finds_them(prefix, tmp_path):
    program = Program(tmp_path, prefix / "bin" / "alsbench")
    program.run("best", "--dataset", "netflix", "--rank", "100", "-d", "nvidia-h200", "--header", "als_tuned.h", "-q")
    (tmp_path / "CMakeLists.txt").write_text(EMBEDS, encoding="utf-8")
    (tmp_path / "main.cpp").write_text(EMBEDDED, encoding="utf-8")
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "build")
    source = run(tmp_path / "build" / "embeds").strip()
    folder = pathlib.Path((tmp_path / "build" / "kernel_dir").read_text(encoding="utf-8"))
    assert source.startswith("kernels/cuda/") and (folder / source).exists() and folder.is_relative_to(prefix)


def test_what_was_installed_goes_again(tmp_path):
    prefix = tmp_path / "installed"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "bin" / "mine").touch()
    run("cmake", "--install", BUILD, "--prefix", prefix)
    assert (prefix / SUITE).exists()
    run("cmake", f"-DMANIFEST={BUILD / 'install_manifest.txt'}", "-P", ROOT / "cmake" / "Uninstall.cmake")
    assert [path for path in prefix.rglob("*") if path.is_file()] == [prefix / "bin" / "mine"]
    assert not (prefix / "share").exists()


def completed(prefix, *words):
    script = (
        f'source "{prefix}/share/bash-completion/completions/alsbench"\n'
        f"COMP_WORDS=({' '.join(words)}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _alsbench\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return run("bash", "-c", script).split()


def test_bash_completes_commands_options_and_suites(prefix):
    assert completed(prefix, "alsbench", "recom") == ["recommend"]
    assert completed(prefix, "alsbench", "train", "--early") == ["--early-stop"]
    assert "generate" in completed(prefix, "alsbench", "data", "gen")
    assert "--scale" in completed(prefix, "alsbench", "data", "generate", "--sc")
    assert "quick" in completed(prefix, "alsbench", "run", "qui")
    assert completed(prefix, "alsbench", "train", "qui") == []
    assert "worker" not in completed(prefix, "alsbench", "w"), "it is no command for people"


@pytest.mark.parametrize(
    "shell, file, options",
    [
        ("zsh", "share/zsh/site-functions/_alsbench", ["-n"]),
        ("fish", "share/fish/vendor_completions.d/alsbench.fish", ["--no-execute"]),
    ],
)
def test_the_scripts_of_other_shells_parse(prefix, shell, file, options):
    text = (prefix / file).read_text(encoding="utf-8")
    assert "early-stop" in text and "data/generate" in text
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    run(shell, *options, prefix / file)


def test_the_manual_page_has_every_command_and_exit_code(prefix):
    page = prefix / "share/man/man1/alsbench.1"
    text = page.read_text(encoding="utf-8")
    for head in (".SH TRAIN", ".SH DATA GENERATE", ".SH EXIT STATUS", "\\-\\-early\\-stop"):
        assert head in text
    if shutil.which("man"):
        shown = run("man", "--warnings", "-l", page, env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        assert "early-stop" in shown


def test_the_package_comes_and_goes(packed, tmp_path):
    (package,) = packed.glob("alsbench_*.deb")
    depends = run("dpkg-deb", "--field", package, "Depends")
    for library in ("libc6 (>=", "libfmt", "libzip", "libopenblas"):
        assert library in depends
    assert not re.search("cuda|nvidia|libcu|libnv", run("dpkg-deb", "--field", package))
    if os.geteuid() != 0:
        pytest.skip("dpkg installs for root alone")
    root, folder = tmp_path / "root", tmp_path / "folder"
    (root / "var/lib/dpkg/updates").mkdir(parents=True)
    (root / "var/lib/dpkg/info").mkdir()
    (root / "var/lib/dpkg/status").touch()
    folder.mkdir()
    run("dpkg", f"--root={root}", "--force-depends", "--install", package)
    program = use(root / "usr", folder)
    program.run("run", "quick", "-d", "cpu", "--filter", "solve/cg", "--max-samples", "5", "--json", "quick.json", "-q")
    cases = read_json(folder / "quick.json")["cases"]
    assert {case["outcome"] for case in cases} == {"ok"}
    assert (root / "usr/share/man/man1").is_dir()
    run("dpkg", f"--root={root}", "--purge", "alsbench")
    assert not list((root / "usr").rglob("*alsbench*"))


@needs_mpi
def test_the_part_for_mpi_is_found_where_it_is_installed(prefix, tmp_path):
    alone = tmp_path / "bin" / "alsbench"
    alone.parent.mkdir()
    shutil.copy(prefix / "bin" / "alsbench", alone)
    words = ["train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "8", "--iterations", "1", "--device", "cpu"]
    mpirun(Program(tmp_path), 2, alone, *words, code=3)
    both = mpirun(Program(tmp_path), 2, prefix / "bin" / "alsbench", *words)
    assert "2 x" in both.stderr


@needs_mpi
def test_the_part_for_mpi_is_a_package_of_its_own(packed):
    (package,) = packed.glob("alsbench-mpi_*.deb")
    files = re.findall(r"\./(\S+[^/\s])$", run("dpkg-deb", "--contents", package), re.MULTILINE)
    assert [pathlib.Path(file).name for file in files] == ["libalsbench_mpi.so"]
    depends = run("dpkg-deb", "--field", package, "Depends")
    assert "alsbench (=" in depends and "libopenmpi" in depends
    (program,) = packed.glob("alsbench_*.deb")
    assert "libopenmpi" not in run("dpkg-deb", "--field", program, "Depends")


def test_the_archive_is_used_where_it_is_unpacked(packed, tmp_path):
    (archive,) = packed.glob("*.tar.gz")
    run("tar", "-xzf", archive, "--strip-components=1", "-C", tmp_path)
    assert_safe(tmp_path, "bin/alsbench")
    use(tmp_path, tmp_path)
