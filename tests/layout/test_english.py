# SPDX-License-Identifier: Apache-2.0
"""scripts/check_english: which words and openings it finds, with their remedy."""

import subprocess

import pytest

from conftest import ROOT

SCRIPT = ROOT / "scripts" / "check_english"


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
