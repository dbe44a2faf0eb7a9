# SPDX-License-Identifier: Apache-2.0
"""Pages are written by their rules: a sentence a line, and lines that fit a review."""

import re

import pytest

from conftest import ROOT, files_in

TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
PAGES = [*(ROOT / name for name in TOP), *files_in("docs", "**/*.md")]
LONGEST = 260  # characters of a line of prose
# "et al.", initials, and what ends in a full stop without ending a sentence
NO_END = re.compile(r"(?:\b(?:al|e\.g|i\.e|vs|cf|Soc|Statist)|\b[A-Z])\.$")


def prose(text):
    """(number, line) of what is neither code nor a table, without inline code, links' targets and quotations."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*```", line):
            fenced = not fenced
        elif not fenced and not re.match(r"\s*\|| {4}|#", line):
            text_of_item = re.sub(r"^\s*(?:\d+\.|-) ", "", line)
            yield number, re.sub(r'`[^`]+`|\]\([^)]*\)|"[^"]*"|\*\*[^*]+[.!?]\*\*', "x", text_of_item)


def two_sentences(line):
    ends = (line[: match.end(1)] for match in re.finditer(r"([.!?][)*_]*) +(?=[A-Z\[])", line))
    return any(not NO_END.search(end) and end.count("(") <= end.count(")") for end in ends)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_line_has_one_sentence(page):
    assert [n for n, line in prose(page.read_text(encoding="utf-8")) if two_sentences(line)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_line_fits_a_review(page):
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [n for n, _ in prose("\n".join(lines)) if len(lines[n - 1]) > LONGEST] == []


@pytest.mark.parametrize(
    "line, found",
    [("It is. It was.", True), ("Tan et al. It", False), ("J. R. Niu", False), ("One (of. Two) x", False)],
)
def test_two_sentences_are_found(line, found):
    assert two_sentences(line) == found
