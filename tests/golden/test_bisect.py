# SPDX-License-Identifier: Apache-2.0
"""ab --bisect: commits of a git repository are built, kept and compared until the slower one is known.

Their builds are stand-ins with known times (known_times.py).
"""

import json
import subprocess
import sys

import pytest

from conftest import Program, validation_errors
from test_compare import KNOWN_TIMES, SUITE

OK, REGRESSION, USAGE = 0, 1, 2
COMMITS, CULPRIT = 10, 6  # counted from the first, which is 0
BUILD = "test ! -e broken && cp build.sh alsbench && chmod +x alsbench && echo . >> ../../builds.log"


class History:
    """A repository with a program that runs, and the ids of its commits. That before the culprit may not build."""

    def __init__(self, program, is_broken=False):
        self.program = program
        self.folder = program.folder / "repository"
        self.folder.mkdir()
        (program.folder / "suite.json").write_text(json.dumps(SUITE), encoding="utf-8")
        program.run("run", "suite.json", "--json", "measured.json")
        measured = json.loads((program.folder / "measured.json").read_text(encoding="utf-8"))
        self.git("init", "--quiet", "--initial-branch", "main")
        script = f'#!/bin/sh\nexec {sys.executable} {KNOWN_TIMES} "$(dirname "$0")/settings.json" "$@"\n'
        (self.folder / "build.sh").write_text(script, encoding="utf-8")
        self.ids = []
        for number in range(COMMITS):
            factor = 1.05 if number >= CULPRIT else 1
            settings = {"result": measured, "factors": {"planted": factor}, "number": number}
            (self.folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
            if is_broken and number == CULPRIT - 1:
                (self.folder / "broken").touch()
            else:
                (self.folder / "broken").unlink(missing_ok=True)
            self.git("add", "--all")
            self.git("commit", "--quiet", "--message", f"Change {number}")
            self.ids.append(self.git("rev-parse", "HEAD").strip())

    def git(self, *words):
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
        return subprocess.run(
            ["git", *identity, *words], cwd=self.folder, check=True, capture_output=True, text=True
        ).stdout

    def bisect(self, *arguments, code):
        where = ["--repository", "repository", "--builds", "builds", "--build-command", BUILD]
        return self.program.run("ab", "suite.json", "--bisect", *arguments, *where, "--json", "found.json", code=code)

    def document(self):
        document = json.loads((self.program.folder / "found.json").read_text(encoding="utf-8"))
        assert validation_errors(document, "bisection") == []
        return document


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    return History(Program(tmp_path_factory.mktemp("bisect")))


def test_the_commit_that_made_a_case_slower_is_found(history):
    result = history.bisect(f"{history.ids[0]}..main", code=REGRESSION)
    document = history.document()
    assert document["conclusion"] == "found"
    assert document["among"] == [history.ids[CULPRIT]]
    assert "planted" in document["case"] and abs(document["ratio"] - 1.05) < 0.005
    assert f"since {history.ids[CULPRIT][:12]} Change {CULPRIT}" in result.stdout
    told = {probe["commit"]: probe["told"] for probe in document["probes"]}
    assert told[history.ids[CULPRIT - 1]] == "good" and told[history.ids[CULPRIT]] == "bad"


def test_builds_are_kept(history):
    history.bisect(f"{history.ids[0]}..main", code=REGRESSION)
    built = (history.program.folder / "builds.log").read_text(encoding="utf-8")
    history.bisect(f"{history.ids[0]}..main", code=REGRESSION)
    assert (history.program.folder / "builds.log").read_text(encoding="utf-8") == built


def test_a_commit_without_a_build_is_left_out_and_said(tmp_path):
    history = History(Program(tmp_path), is_broken=True)
    history.bisect(f"{history.ids[CULPRIT - 2]}..{history.ids[CULPRIT + 1]}", code=REGRESSION)
    document = history.document()
    assert document["conclusion"] == "narrowed"
    assert document["among"] == history.ids[CULPRIT - 1 : CULPRIT + 1]
    untold = [probe for probe in document["probes"] if probe["told"] == "untold"]
    assert [probe["commit"] for probe in untold] == [history.ids[CULPRIT - 1]]
    assert "ended with exit code 1" in untold[0]["reason"]


def test_equal_commits_have_no_culprit(history):
    result = history.bisect(f"{history.ids[0]}..{history.ids[CULPRIT - 2]}", code=OK)
    assert "no case of" in result.stdout
    assert history.document()["conclusion"] == "clean"


@pytest.mark.parametrize(
    "words, said",
    [
        (["nothing"], "write GOOD..BAD"),
        (["main..main"], "has no commit after main"),
        (["main..nowhere"], "nowhere"),
        (["{last}..{first}"], "has no commit after"),
        (["{first}..main", "--base", "a", "--test", "b"], "--base"),
    ],
)
def test_what_is_no_range_is_refused(history, words, said):
    words = [word.format(first=history.ids[0], last=history.ids[-1]) for word in words]
    assert said in history.bisect(*words, code=USAGE).stderr
