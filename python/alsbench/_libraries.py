# SPDX-License-Identifier: Apache-2.0
"""Loads the native module as the program starts itself: with the environment that its libraries read while they are loaded.

OpenMP's threads wait without spinning, and OpenBLAS runs the same kernels as in the program, so that results have the same bits.
What the user has set is left as it is, and the environment is the user's again afterwards.
"""

import contextlib
import importlib
import os
import re
import subprocess
from collections.abc import Iterator
from types import ModuleType

import numpy  # noqa: F401  its own OpenBLAS is loaded before, and reads nothing of this

from alsbench.program import NOT_BUILT, PROGRAM


def _blas_core() -> str | None:
    """Which of OpenBLAS's kernels the program runs; None where its OpenBLAS has no choice."""
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^BLAS: OpenBLAS .*\bDYNAMIC_ARCH\b.* (\S+) MAX_THREADS", said, re.MULTILINE)
    return found[1] if found else None


@contextlib.contextmanager
def _set(variables: dict[str, str | None]) -> Iterator[None]:
    new = {name: value for name, value in variables.items() if value and name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]


def _load() -> ModuleType:
    if not PROGRAM.exists():
        raise ImportError(NOT_BUILT)
    with _set({"OMP_WAIT_POLICY": "passive", "OPENBLAS_CORETYPE": _blas_core()}):
        return importlib.import_module("alsbench._native")


native = _load()
