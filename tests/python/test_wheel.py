# SPDX-License-Identifier: Apache-2.0
"""The wheel that pip makes, of what the build folder holds: installed elsewhere, it is the same package and program."""

import os
import subprocess
import sys

from conftest import BINARY, ROOT
from search_paths import assert_safe

USE = """
import alsbench
from alsbench import program
ratings = alsbench.load_ratings(dataset="ml-100k", scale=0.1)
als = alsbench.ALS(rank=4, iterations=2, device="cpu").fit(ratings.matrix)
print(alsbench.__file__, program.PROGRAM, als.score(ratings.test) < 0, sep="\\n")
"""


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_wheel_is_installed_and_used(tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    options = ["--no-deps", "--no-build-isolation", "-C", f"cmake.define.ALSBENCH_BUILT={BINARY.parent}"]
    run(*pip, "wheel", ROOT, *options, "-w", tmp_path / "wheels")
    (wheel,) = (tmp_path / "wheels").iterdir()
    site = tmp_path / "site"
    run(*pip, "install", wheel, "--no-deps", "--target", site)
    assert (site / "alsbench" / "py.typed").exists() and (site / "alsbench" / "_native.pyi").exists()
    assert_safe(site / "alsbench", "bin/alsbench", "_native*.so")
    environment = {**os.environ, "PYTHONPATH": str(site)}
    module, program, trained = run(sys.executable, "-c", USE, env=environment, cwd=tmp_path).split()
    assert module == str(site / "alsbench" / "__init__.py")
    assert program == str(site / "alsbench" / "bin" / "alsbench")
    assert trained == "True"
    said = run(site / "bin" / "alsbench", "--version", env=environment)
    assert said == run(BINARY.parent / "python" / "alsbench" / "bin" / "alsbench", "--version")
