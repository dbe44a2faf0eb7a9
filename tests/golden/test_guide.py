# SPDX-License-Identifier: Apache-2.0
"""The guide works: each page's commands run and print what it shows, every command in docs/ is one of the program, and no link is broken."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from conftest import BINARY, ROOT, Program, files_in
from golden import scrub_table

GUIDE = [ROOT / "docs/start.md", *files_in("docs/tasks", "*.md")]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *files_in("docs", "**/*.md")]
SCREEN = 80  # lines, those of tables and code among them


def console(page):
    """(command, the lines that are shown of its output) of each `$` line of a page."""
    steps = []
    for block in re.findall(r"^ *```console\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.M | re.S):
        for line in map(str.strip, block.splitlines()):
            if line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line)
    return steps


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_a_page_of_the_guide_does_what_it_shows(page, tmp_path):
    program = Program(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = f"{BINARY.parent}:{program.environment['PATH']}"
    steps = console(page)
    assert steps
    for command, shown in steps:
        printed = iter(scrub_table(program.shell(command, PATH=path).stdout).splitlines())
        for line in scrub_table("\n".join(shown)).splitlines():
            assert line in printed, f"{command} does not print, in this order: {line}"


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_a_page_of_the_guide_fits_a_screen(page):
    assert len(page.read_text(encoding="utf-8").splitlines()) <= SCREEN


def commands_of(text):
    """The words of each line of a code block that calls the program."""
    blocks = re.findall(r"^ *```(?:sh|console)\n(.*?)^ *```$", text, re.M | re.S)
    lines = [*re.findall(r"^ {4}(\S.*)$", text, re.M), *(line for block in blocks for line in block.splitlines())]
    for line in lines:
        for call in re.findall(r"(?:^|[\s|$])(?:build/)?alsbench ([a-z][^|>;&#]*)", line):
            try:
                yield shlex.split(call)
            except ValueError:  # the line goes on in the next one
                yield call.split()


@pytest.fixture(scope="module")
def flags(program):
    """(words of a command) -> its flags, as its help says."""
    known = {}

    def of(words):
        if words not in known:
            text = program.run(*words, "--help").stdout
            known[words] = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))
        return known[words]

    return of


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_a_page_exist_with_their_flags(page, flags):
    for words in commands_of(page.read_text(encoding="utf-8")):
        if words[0] == "import":  # of the Python package's command: tests/python/test_saving.py
            continue
        command = tuple(words[: 2 if words[0] in ("data", "suite", "tune") else 1])
        used = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert used <= flags(command), f"alsbench {' '.join(words)}"


def build(pages, html):
    """MkDocs' run on the gathered pages; it fails on a broken link, and on a page that mkdocs.yml does not list."""
    (html.parent / "mkdocs.yml").write_text(
        f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: {pages}\nsite_dir: {html}\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", html.parent / "mkdocs.yml"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def assert_blocks_are_filled(folder):
    """With what their modules make of the committed results."""
    sys.path.insert(0, str(ROOT))
    from plots.pages import BLOCK, filled

    texts = [page.read_text(encoding="utf-8") for page in folder.rglob("*.md")]
    assert sum(len(BLOCK.findall(text)) for text in texts) >= 10
    assert all(filled(text) == text for text in texts if BLOCK.search(text))


def test_the_site_is_built_and_no_link_is_broken(tmp_path):
    pytest.importorskip("material", reason="MkDocs of scripts/requirements-site.txt is not in .venv")
    pages, html = tmp_path / "pages", tmp_path / "html"
    subprocess.run([sys.executable, ROOT / "scripts/site_pages.py", pages, BINARY], check=True)
    result = build(pages, html)
    assert result.returncode == 0, result.stderr
    assert "--shard" in (html / "generated/commands.html").read_text(encoding="utf-8")
    assert_blocks_are_filled(pages)
    assert "hermitian/naive/cpu" in (html / "generated/variants.html").read_text(encoding="utf-8")


def test_a_broken_link_is_found(tmp_path):
    pytest.importorskip("material", reason="MkDocs of scripts/requirements-site.txt is not in .venv")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/README.md").write_text("[gone](tasks/gone.md)\n", encoding="utf-8")
    result = build(tmp_path / "pages", tmp_path / "html")
    assert result.returncode != 0 and "tasks/gone.md" in result.stderr


def test_the_page_of_exit_codes_has_those_of_the_program():
    header = (ROOT / "harness/process/exit_code.h").read_text(encoding="utf-8")
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    table = page.split("## Exit codes\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| (\d+) \|", table, re.M) == re.findall(r"kExit\w+ = (\d+)", header)
