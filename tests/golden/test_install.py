# SPDX-License-Identifier: Apache-2.0
"""cmake --install and the packages: what they hold works where it was put, and goes again without a rest."""

import os
import pathlib
import shutil
import subprocess

import pytest

from conftest import BINARY, Program

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


def test_the_installed_program_runs_its_installed_suite(prefix, tmp_path):
    program = Program(tmp_path, prefix / "bin" / "alsbench")
    assert "quick" in program.run("list", "suites").stdout
    plan = program.run("run", prefix / SUITE, "--device", "cpu", "--dry-run").stdout
    assert "hermitian/" in plan
    program.run("train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "8", "--iterations", "1", "--out", "m")
    program.run("recommend", "--model", "m", "-k", "3", "-o", "top.tsv")
    assert (tmp_path / "top.tsv").stat().st_size > 0


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
    (package,) = packed.glob("*.deb")
    depends = run("dpkg-deb", "--field", package, "Depends")
    for library in ("libc6", "libfmt", "libzip", "libopenblas"):
        assert library in depends
    (tmp_path / "var/lib/dpkg").mkdir(parents=True)
    (tmp_path / "var/lib/dpkg/status").touch()
    (tmp_path / "var/lib/dpkg/updates").mkdir()
    (tmp_path / "var/lib/dpkg/info").mkdir()
    if os.geteuid() != 0:
        pytest.skip("dpkg installs for root alone")
    run("dpkg", f"--root={tmp_path}", "--force-depends", "--install", package)
    assert "alsbench" in run(tmp_path / "usr/bin/alsbench", "--version")
    assert (tmp_path / "usr/share/man/man1").is_dir()
    run("dpkg", f"--root={tmp_path}", "--purge", "alsbench")
    assert not list((tmp_path / "usr").rglob("*alsbench*"))


def test_the_archive_holds_the_program(packed):
    (archive,) = packed.glob("*.tar.gz")
    names = run("tar", "-tzf", archive).splitlines()
    assert any(name.endswith("bin/alsbench") for name in names)
    assert any(name.endswith(str(SUITE)) for name in names)
