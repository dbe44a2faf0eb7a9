# SPDX-License-Identifier: Apache-2.0
"""The command `alsbench` of the package, before it does anything."""

import os
import signal
import subprocess
import sys

import pytest

INTERRUPT = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"


def interrupted(folder, module, *words):
    """The end of a command of Python that Ctrl-C reaches while it imports a module: exit code and what it said."""
    (folder / f"{module}.py").write_text(INTERRUPT, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ["PYTHONPATH"]])}
    ended = subprocess.run([sys.executable, "-m", *words], env=environment, cwd=folder, capture_output=True, text=True)
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("module", ["subprocess", "argparse", "numpy"])
def test_ctrl_c_while_modules_are_imported_ends_with_130_and_no_traceback(tmp_path, module):
    """Of the package itself, of all commands, and of this one."""
    words = ["alsbench", "import", "als.npz", "--from", "implicit", "-o", "model"]
    assert interrupted(tmp_path, module, *words) == (130, "")


def test_ctrl_c_ends_a_reader_of_tables_as_any_filter(tmp_path):
    (tmp_path / "r.parquet").write_bytes(b"PAR1")
    assert interrupted(tmp_path, "pyarrow", "alsbench.arrow", "r.parquet") == (-signal.SIGINT, "")
