# SPDX-License-Identifier: Apache-2.0
"""Loads the native module with the environment that its libraries read, as the program does.

OpenMP's threads wait without spinning. OpenBLAS is opened at once, while no other thread reads the environment.
Variables that the user has set are left alone, and the environment is restored afterwards.
"""

import atexit
import contextlib
import importlib
import os
from collections.abc import Iterator
from types import ModuleType

import numpy  # noqa: F401  its own OpenBLAS is loaded before, and reads nothing of this

from alsbench.program import NOT_BUILT, PROGRAM


@contextlib.contextmanager
def _set(variables: dict[str, str]) -> Iterator[None]:
    new = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]


def _load() -> ModuleType:
    if not PROGRAM.exists():
        raise ImportError(NOT_BUILT)
    with _set({"OMP_WAIT_POLICY": "passive"}):
        module = importlib.import_module("alsbench._native")
    module.open_blas()
    atexit.register(module.end_all_work)  # a thread that computes would be ended in the middle
    return module


native = _load()
