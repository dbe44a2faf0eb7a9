# SPDX-License-Identifier: Apache-2.0
"""scripts/check_subject: which subjects of commits it takes, from a file and since a commit."""

import subprocess

import pytest

from conftest import ROOT, git

SCRIPT = ROOT / "scripts" / "check_subject"


def check(*words, cwd=ROOT):
    return subprocess.run([SCRIPT, *map(str, words)], capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.parametrize(
    "subject",
    [
        "Add a table of builds",
        "Embed the page in the program",
        "Re-read a journal that grew",
        "Process lines as they come",
        "Bias the search to the default",
        "Add " + "x" * 68,
        'Revert "The old subject of a commit"',
    ],
)
def test_an_imperative_is_taken(tmp_path, subject):
    (tmp_path / "message").write_text(f"# a comment of Git's\n\n{subject}\n\nThe body says why.\n")
    result = check(tmp_path / "message")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "subject, reason",
    [
        ("Add " + "x" * 69, "has 73 characters"),
        ("Add a table.", "ends in a full stop"),
        ("add a table", "begin with a verb and a capital"),
        ("docs: add a table", "begin with a verb and a capital"),
        ("GPU: add a table", "begin with a verb and a capital"),
        ("The table has a row more", "no verb"),
        ("What a table has", "no verb"),
        ("Added a table", "past tense"),
        ("Adding a table", "a gerund"),
        ("Adds a table", "third person"),
        ("Tunings of a card", "a plural"),
        ("", "begin with a verb"),
    ],
)
def test_others_are_refused_with_the_reason(tmp_path, subject, reason):
    (tmp_path / "message").write_text(subject + "\n")
    result = check(tmp_path / "message")
    assert result.returncode == 1 and reason in result.stderr


def test_commits_since_the_rule_are_checked(tmp_path):
    git(tmp_path, "init", "-b", "main")
    git(tmp_path, "commit", "--allow-empty", "-m", "The first")
    git(tmp_path, "commit", "--allow-empty", "-m", "The second, from before the rule")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "check_subject").write_text("")
    git(tmp_path, "add", "scripts")
    git(tmp_path, "commit", "-m", "Add the rule")
    assert check("--since", "HEAD~2", cwd=tmp_path).returncode == 0
    git(tmp_path, "commit", "--allow-empty", "-m", "Added what breaks it")
    result = check("--since", "HEAD~3", cwd=tmp_path)
    assert result.returncode == 1 and result.stderr.count("\n") == 1
    assert "'Added what breaks it' begins with 'Added', past tense" in result.stderr


def test_other_arguments_are_refused():
    assert check().returncode == 2 and check("--since").returncode == 2
