# SPDX-License-Identifier: Apache-2.0
"""scripts/check_english: which words, openings, long sentences and crowded lines it finds, with their remedy."""

import subprocess

import pytest

from conftest import ROOT

SCRIPT = ROOT / "scripts" / "check_english"
WORDS = " ".join(["word"] * 23)


def check(tmp_path, text):
    path = tmp_path / "page.md"
    path.write_text(text + "\n", encoding="utf-8")
    return subprocess.run([SCRIPT, path], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("text", "found", "remedy"),
    [
        ("// What the commands share: options.", "// What t", "begin with the subject"),
        ("A damaged file is built anew.", "anew", "again"),
        ("It is compiled ahead, so that nothing waits.", ", so that", "', so'"),
        ("The journal lies beside the result.", "lies beside", "is next to"),
        ("constexpr int kMostTiles = 8;", "kMostT", "kMax..."),
        ("The knobs of a kernel.", "knobs", "parameter"),
    ],
)
def test_a_word_is_found_with_its_place_and_remedy(tmp_path, text, found, remedy):
    result = check(tmp_path, "A line before.\n" + text)
    assert result.returncode == 1
    assert result.stderr.startswith(f"{tmp_path / 'page.md'}:2: '{found}': ")
    assert remedy in result.stderr


@pytest.mark.parametrize(
    "text",
    [
        "Options shared by the commands.",
        "A damaged file is rebuilt.",
        "Kernels are compiled ahead, so nothing waits.",
        "constexpr int kMaxTiles = 8;",
        "Whatever it finds, it says so that everybody understands it.",
    ],
)
def test_plain_english_passes(tmp_path, text):
    result = check(tmp_path, text)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (f"The page has {WORDS}.", "The page has word word"),
        (f"- A short one: the item has {WORDS}.", "the item has word word"),
        (f"An item\n    of the page has {WORDS}.", "of the page has word"),
        (f"**Bold.** A [link of words](page.md#part) {WORDS[:-5]}.", "A link of words word"),
    ],
)
def test_a_long_sentence_is_found_with_its_place_and_remedy(tmp_path, text, begins):
    result = check(tmp_path, "A line before.\n" + text)
    line = 2 + text.count("\n")
    assert result.returncode == 1
    assert result.stderr.startswith(f"{tmp_path / 'page.md'}:{line}: '{begins} ...': split the sentence of 2")
    assert "words: at most 25" in result.stderr


@pytest.mark.parametrize(
    "text",
    [
        f"It has {WORDS}.",
        f"It has {WORDS}: as many again follow the colon.",
        f"`a command of --many words` and {WORDS}.",
        f"[A link](https://example.org/a/page) {WORDS} = (+).",
        f"# A heading of {WORDS} {WORDS}",
        f"| a table | of {WORDS} {WORDS} |",
        f"```\nA block of {WORDS} {WORDS}\n```",
        f"    a block of {WORDS} {WORDS}\n    and {WORDS} {WORDS}",
    ],
)
def test_other_lines_of_a_page_pass(tmp_path, text):
    result = check(tmp_path, "A line before.\n\n" + text)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("- It is. It was.", "begin each sentence on a line of its own"),
        ("It is (really). [A link](page.md) was.", "begin each sentence on a line of its own"),
        (f"It is `{'x' * 260}`.", "shorten the line of 269 characters: at most 260"),
    ],
)
def test_a_crowded_line_is_found_with_its_place_and_remedy(tmp_path, text, remedy):
    result = check(tmp_path, "A line before.\n" + text)
    assert result.returncode == 1
    assert result.stderr.startswith(f"{tmp_path / 'page.md'}:2: '")
    assert result.stderr.endswith(f" ...': {remedy}\n")


@pytest.mark.parametrize(
    "text",
    [
        "Tan et al. It is theirs, and J. R. Niu's.",
        "One (of. Two) are one.",
        '**Bold.** It says "No. None." and `a. B`.',
        "1. It is.",
    ],
)
def test_a_line_of_one_sentence_passes(tmp_path, text):
    result = check(tmp_path, text)
    assert (result.returncode, result.stderr) == (0, "")


def test_only_pages_have_sentences(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(f"# A comment of {WORDS} {WORDS}.\n", encoding="utf-8")
    assert subprocess.run([SCRIPT, path], check=False).returncode == 0
