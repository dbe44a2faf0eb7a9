# SPDX-License-Identifier: Apache-2.0
"""alsbench bisect: commits of a git repository are built, kept and compared until the slower one is known.

Their builds are stand-ins with known times (known_times.py).
ALSBENCH_HISTORIES=20 plants as many histories of all lengths, slowdowns and noises; one takes about 10 s.
"""

import os
import random
import sys

import pytest

from conftest import CHAOS, Program, git, validation_errors, write_json
from test_compare import KNOWN_TIMES, SUITE

OK, REGRESSION, USAGE = 0, 1, 2
COMMITS, CULPRIT = 10, 6  # counted from the first, which is 0
HISTORIES = int(os.environ.get("ALSBENCH_HISTORIES", "0"))
BUILD = "test ! -e broken && cp build.sh alsbench && chmod +x alsbench && echo . >> ../../builds.log"


class History:
    """A repository with a program that runs, and the ids of its commits. Some may not build."""

    def __init__(self, program, commits=COMMITS, culprit=CULPRIT, slowdown=1.05, noise=1e-4, broken=()):
        self.program = program
        self.folder = program.folder / "repository"
        self.folder.mkdir()
        program.write_json("suite.json", SUITE)
        program.run("run", "suite.json", "--json", "measured.json")
        measured = program.read_json("measured.json")
        git(self.folder, "init", "--quiet", "--initial-branch", "main")
        script = f'#!/bin/sh\nexec {sys.executable} -I -S {KNOWN_TIMES} "$(dirname "$0")/settings.json" "$@"\n'
        (self.folder / "build.sh").write_text(script, encoding="utf-8")
        self.ids = []
        for number in range(commits):
            factor = slowdown if number >= culprit else 1
            settings = {"result": measured, "factors": {"planted": factor}, "noise": noise, "number": number}
            write_json(self.folder / "settings.json", settings)
            if number in broken:
                (self.folder / "broken").touch()
            else:
                (self.folder / "broken").unlink(missing_ok=True)
            git(self.folder, "add", "--all")
            git(self.folder, "commit", "--quiet", "--message", f"Change {number}")
            self.ids.append(git(self.folder, "rev-parse", "HEAD").strip())

    def bisect(self, *arguments, code):
        where = ["--repository", "repository", "--builds", "builds", "--build-command", BUILD]
        return self.program.run("bisect", *arguments, "suite.json", *where, "--json", "found.json", code=code)

    def document(self):
        document = self.program.read_json("found.json")
        assert validation_errors(document, "bisection") == []
        return document


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    return History(Program(tmp_path_factory.mktemp("bisect"), CHAOS))


def test_the_commit_that_made_a_case_slower_is_found(history):
    result = history.bisect(f"{history.ids[0]}..main", code=REGRESSION)
    document = history.document()
    assert document["conclusion"] == "found"
    assert document["among"] == [history.ids[CULPRIT]]
    assert "planted" in document["case"] and abs(document["ratio"] - 1.05) < 0.005
    assert f"since {history.ids[CULPRIT][:12]} Change {CULPRIT}" in result.stdout
    results = {probe["commit"]: probe["result"] for probe in document["probes"]}
    assert results[history.ids[CULPRIT - 1]] == "good" and results[history.ids[CULPRIT]] == "bad"


def test_builds_are_kept(history):
    history.bisect(f"{history.ids[0]}..main", code=REGRESSION)
    built = (history.program.folder / "builds.log").read_text(encoding="utf-8")
    history.bisect(f"{history.ids[0]}..main", code=REGRESSION)
    assert (history.program.folder / "builds.log").read_text(encoding="utf-8") == built


def test_a_commit_without_a_build_is_left_out_and_said(tmp_path):
    history = History(Program(tmp_path, CHAOS), broken=[CULPRIT - 1])
    history.bisect(f"{history.ids[CULPRIT - 2]}..{history.ids[CULPRIT + 1]}", code=REGRESSION)
    document = history.document()
    assert document["conclusion"] == "narrowed"
    assert document["among"] == history.ids[CULPRIT - 1 : CULPRIT + 1]
    inconclusive = [probe for probe in document["probes"] if probe["result"] == "inconclusive"]
    assert [probe["commit"] for probe in inconclusive] == [history.ids[CULPRIT - 1]]
    assert "ended with exit code 1" in inconclusive[0]["reason"]


@pytest.mark.skipif(HISTORIES == 0, reason="ALSBENCH_HISTORIES says how many, 0 when left out")
def test_the_culprits_of_planted_histories_are_found(tmp_path):
    draw, right, told = random.Random(20), 0, []
    for number in range(HISTORIES):
        commits = draw.randint(2, 40)
        culprit = draw.randint(1, commits - 1)
        slowdown, noise = draw.choice([1.01, 1.02, 1.05, 1.1]), draw.choice([1e-4, 1e-3, 3e-3])
        far = [one for one in range(1, commits - 1) if abs(one - culprit + 0.5) > 1]
        broken = draw.sample(far, min(len(far), draw.randint(0, 2)))
        (tmp_path / str(number)).mkdir()
        history = History(Program(tmp_path / str(number), CHAOS), commits, culprit, slowdown, noise, broken)
        result = history.bisect(f"{history.ids[0]}..main", code=None)
        found = history.document() if result.returncode == REGRESSION else {"among": [], "conclusion": result.stderr}
        is_right = found["among"] == [history.ids[culprit]]
        right += is_right
        among = [history.ids.index(one) for one in found["among"]]
        told.append(f"{commits} commits, {culprit} is {slowdown}x, noise {noise}, no build {broken}: {among}")
        print(told[-1], "right" if is_right else found["conclusion"])
    assert right >= HISTORIES * 19 // 20, told


def test_equal_commits_have_no_culprit(history):
    result = history.bisect(f"{history.ids[0]}..{history.ids[CULPRIT - 2]}", code=OK)
    assert "no case of" in result.stdout
    assert history.document()["conclusion"] == "clean"


@pytest.mark.parametrize(
    "words, said",
    [
        (["nothing"], "write GOOD..BAD"),
        (["main..main"], "has no commit after main"),
        (["main..nowhere"], "'nowhere' is no commit of the repository /"),
        (["nowhere..main"], "'nowhere' is no commit of the repository /"),
        (["{last}..{first}"], "has no commit after"),
        (["{first}..main", "--base", "a", "--test", "b"], "--base"),
    ],
)
def test_what_is_no_range_is_refused(history, words, said):
    words = [word.format(first=history.ids[0], last=history.ids[-1]) for word in words]
    stderr = history.bisect(*words, code=USAGE).stderr
    assert said in stderr and "git <command>" not in stderr


def test_a_folder_without_commits_is_named(history, tmp_path):
    words = ["bisect", "a..b", "suite.json", "--repository", str(tmp_path), "--builds", "builds"]
    stderr = history.program.run(*words, code=USAGE).stderr
    assert f"{tmp_path}: is no Git repository (" in stderr and "name one with --repository" in stderr
