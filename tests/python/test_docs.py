# SPDX-License-Identifier: Apache-2.0
"""Tests that the docstrings, docs/reference/python.md and the notebooks show the real output."""

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys

import pytest

import alsbench
from conftest import ROOT, files_in

# Modules that need a package which the others do without; test_adapters.py has them.
ADAPTERS = {"alsbench.lenskit", "alsbench.rectools"}
MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(alsbench.__path__, "alsbench.")
    if not name.endswith("._native") and name not in ADAPTERS
]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_docstrings_are_true():
    attempted = 0
    for name in MODULES:
        found = doctest.testmod(importlib.import_module(name), extraglobs={"alsbench": alsbench})
        assert found.failed == 0, name
        attempted += found.attempted
    assert attempted > 8


def test_the_page_is_true():
    found = doctest.testfile(str(ROOT / "docs" / "reference" / "python.md"), module_relative=False)
    assert found.failed == 0 and found.attempted > 5


def test_every_public_name_has_a_docstring():
    assert [name for name in alsbench.__all__ if not getattr(alsbench, name).__doc__] == []


@pytest.mark.parametrize("notebook", files_in("examples/notebooks", "*.py"), ids=lambda path: path.stem)
def test_notebooks_run_and_plot(notebook, tmp_path):
    environment = {**os.environ, "MPLBACKEND": "Agg", "ALSBENCH_DISTURBED": "keep"}
    result = subprocess.run(
        [sys.executable, str(notebook)], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / f"{notebook.stem}.png").stat().st_size > 5000
