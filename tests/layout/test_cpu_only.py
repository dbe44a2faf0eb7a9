# SPDX-License-Identifier: Apache-2.0
"""A build without CUDA: every file that asks for ALSBENCH_WITH_CUDA compiles without it, too.

Its compiler is the one of this build; nothing is made.
"""

import re
import shlex
import subprocess

import pytest

from compile_commands import compile_commands
from conftest import BINARY, ROOT

BOXES = ("harness", "variants", "tests")


def guarded_files():
    files = [file for box in BOXES for file in sorted((ROOT / box).rglob("*.cpp"))]
    return [file for file in files if "ALSBENCH_WITH_CUDA" in file.read_text(encoding="utf-8")]


def compiled_without_cuda(words):
    """Without the precompiled header, so the file includes what it uses, and without an output."""
    words = shlex.split(re.sub(r" -Winvalid-pch -include \S+", "", shlex.join(words)))
    del words[words.index("-o") : words.index("-o") + 2]
    return [*words, "-UALSBENCH_WITH_CUDA", "-DALSBENCH_WITH_CUDA=0", "-fsyntax-only", "-O0"]


@pytest.mark.parametrize("file", guarded_files(), ids=lambda file: str(file.relative_to(ROOT)))
def test_a_file_compiles_without_cuda(file):
    command = compile_commands(BINARY.parent).get(str(file))
    if command is None:
        pytest.skip("this build leaves the file out")
    words = compiled_without_cuda(command)
    done = subprocess.run(words, cwd=BINARY.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
