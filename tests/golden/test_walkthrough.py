# SPDX-License-Identifier: Apache-2.0
"""docs/adding-a-variant.md holds: its patches apply to the tree, build, and give a variant that is listed and right."""

import json
import pathlib
import re
import shlex
import subprocess

import pytest

from conftest import BINARY, ROOT, Program

PAGE = (ROOT / "docs" / "adding-a-variant.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


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


def compile_patched(build, overlay, path, target):
    """Compiles the patched copy of a source with the build's own command; headers of the overlay win."""
    commands = json.loads((build / "compile_commands.json").read_text())
    command = next(c["command"] for c in commands if c["file"] == str(ROOT / path))
    words = shlex.split(command)
    words[words.index("-o") + 1] = str(target)
    words[words.index("-c") + 1] = str(overlay / path)
    words.insert(1, f"-I{overlay}")
    subprocess.run(words, cwd=build, check=True)


def link_patched(build, objects, binary):
    """Links alsbench anew; the given objects come first, so that archives keep their old ones."""
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "alsbench"], check=True,
                              capture_output=True, text=True).stdout
    link = [line for line in commands.splitlines() if " -o alsbench " in line][-1]
    words = shlex.split(link.replace(" -o alsbench ", f" {shlex.join(objects)} -o {binary} "))
    words = words[words.index("&&") + 1:]
    subprocess.run(words[:words.index("&&")], cwd=build, check=True)


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    build = BINARY.parent
    if not (build / "build.ninja").is_file():
        pytest.skip("the walk-through is linked from Ninja's commands; this build uses another generator")
    folder = tmp_path_factory.mktemp("walkthrough")
    sources = dict(patched(diff) for diff in blocks("diff"))
    for path, text in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    objects = []
    for path in sources:
        if path.endswith(".cpp"):
            objects.append(str(folder / (pathlib.Path(path).stem + ".o")))
            compile_patched(build, folder, path, objects[-1])
    link_patched(build, objects, folder / "alsbench")
    return Program(folder, folder / "alsbench")


def test_the_variant_is_listed(walked):
    variants = walked.json("list", "variants", "--json")["variants"]
    assert [v["valid_points"] for v in variants if v["id"] == "hermitian/lower/cpu"] == [4]


def test_the_suite_measures_it_and_it_is_right(walked):
    (suite,) = blocks("json")
    (walked.folder / "walkthrough.json").write_text(suite)
    walked.run("run", "walkthrough.json", "--json", "walkthrough-result.json")
    cases = json.loads((walked.folder / "walkthrough-result.json").read_text())["cases"]
    lower = [c for c in cases if c["name"].startswith("hermitian/lower/cpu/")]
    assert len(lower) == 4
    assert {c["outcome"] for c in lower} == {"ok"}, lower
