# SPDX-License-Identifier: Apache-2.0
"""Where the loader looks for the libraries of a binary that is shipped."""

import re
import subprocess

ELEMENTS = re.compile(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]")
SAFE = re.compile(r"/|\$(ORIGIN|\{ORIGIN\})(/|$)")


def binaries_in(folder):
    """Every program and shared library of a folder, or of one file."""
    files = [folder] if folder.is_file() else sorted(folder.rglob("*"))
    return [file for file in files if file.is_file() and not file.is_symlink() and is_elf(file)]


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def unsafe_elements(binary):
    """The parts of a search path that depend on the current folder: who can write there would decide what runs.

    The empty one is such a part, too.
    """
    words = ["readelf", "--dynamic", "--wide", str(binary)]
    shown = subprocess.run(words, capture_output=True, text=True, check=True, env={"LC_ALL": "C"}).stdout
    elements = [element for path in ELEMENTS.findall(shown) for element in path.split(":")]
    return [element for element in elements if not SAFE.match(element)]


def assert_safe(folder, *names):
    """The folder holds these binaries, and neither they nor others look for libraries in the current folder."""
    found = binaries_in(folder)
    assert {name for name in names if not any(file.match(name) for file in found)} == set()
    assert {str(file): parts for file in found if (parts := unsafe_elements(file))} == {}
