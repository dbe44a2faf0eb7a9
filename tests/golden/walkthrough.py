# SPDX-License-Identifier: Apache-2.0
"""Applies the code of a walk-through page of docs/ to copies of the sources, and builds a program of its own from them."""

import pathlib
import re
import shlex
import subprocess

import pytest

from compile_commands import compile_commands
from conftest import BINARY, ROOT, Program


class Page:
    def __init__(self, name):
        self.text = (ROOT / "docs" / "developing" / name).read_text(encoding="utf-8")

    def blocks(self, language):
        return re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)

    def sources(self):
        """path -> text of every file that the page writes (its first line names it) or patches."""
        files = {}
        for block in self.blocks("cpp"):
            path, text = block.split("\n", 1)
            files[path.removeprefix("// ")] = text
        files.update(patched(diff) for diff in self.blocks("diff"))
        return files


def patched(diff):
    """(path, patched text) of one diff block: each hunk's old lines stand exactly once in the file."""
    path = re.search(r"^\+\+\+ b/(.+)$", diff, re.MULTILINE).group(1)
    text = (ROOT / path).read_text(encoding="utf-8")
    for hunk in diff.split("@@\n")[1:]:
        lines = [line or " " for line in hunk.splitlines()]
        old = "".join(line[1:] + "\n" for line in lines if line[0] != "+")
        new = "".join(line[1:] + "\n" for line in lines if line[0] != "-")
        assert text.count(old) == 1, f"{path}: these lines do not stand exactly once:\n{old}"
        text = text.replace(old, new)
    return path, text


def compile_command(build, path):
    """The build's own command for a source; for a new one that of a neighbour in its box."""
    commands = compile_commands(build)
    box = ROOT / path
    while str(box) not in commands:
        box = box.parent
        inside = sorted(file for file in commands if file.startswith(f"{box}/"))
        if inside:
            return commands[inside[0]]
    return commands[str(box)]


def compile_copy(build, overlay, path, target):
    """Compiles the copy of a source; headers of the overlay win."""
    words = list(compile_command(build, path))
    words[words.index("-o") + 1] = str(target)
    words[words.index("-c") + 1] = str(overlay / path)
    words.insert(1, f"-I{overlay}")
    subprocess.run(words, cwd=build, check=True)


def link_copies(build, objects, binary):
    """Relinks alsbench; the given objects come first: what they define is not taken from an archive.

    Where files were compiled together, an archive's object defines it again, and the first definition counts.
    """
    commands = subprocess.run(
        ["ninja", "-C", build, "-t", "commands", "alsbench"], check=True, capture_output=True, text=True
    ).stdout
    link = [line for line in commands.splitlines() if " -o alsbench " in line][-1]
    words = shlex.split(link.replace(" -o alsbench ", f" -Wl,-z,muldefs {shlex.join(objects)} -o {binary} "))
    words = words[words.index("&&") + 1 :]
    subprocess.run(words[: words.index("&&")], cwd=build, check=True)


def walk(page, folder, also=()):
    """The program that the page makes. `also`: sources that are not patched, but include what is."""
    build = BINARY.parent
    if not (build / "build.ninja").is_file():
        pytest.skip("the walk-through is linked from Ninja's commands; this build uses another generator")
    sources = page.sources()
    sources |= {path: (ROOT / path).read_text(encoding="utf-8") for path in also}
    for path, text in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    objects = []
    for path in sources:
        if path.endswith(".cpp"):
            objects.append(str(folder / (pathlib.Path(path).as_posix().replace("/", "_") + ".o")))
            compile_copy(build, folder, path, objects[-1])
    link_copies(build, objects, folder / "alsbench")
    return Program(folder, folder / "alsbench")
