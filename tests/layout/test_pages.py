# SPDX-License-Identifier: Apache-2.0
"""Pages are written by their rules: a sentence a line, lines that fit a review, and figures of the README from result files."""

import json
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


@pytest.fixture(scope="module")
def trainings():
    """The trainings of the suite fast on an H200, by name: milliseconds an iteration, and the last test RMSE."""
    document = json.loads((ROOT / "results/nvidia-h200/fast.json").read_text(encoding="utf-8"))
    found = {}
    for case in document["cases"]:
        if case["role"] == "training" and case["outcome"] == "ok":
            iterations = case["training"]["iterations"]
            seconds = [each["seconds"]["total"] for each in iterations]
            found[case["name"].split("/")[1]] = (1e3 * sum(seconds) / len(seconds), iterations[-1]["test_rmse"])
            assert case["problem"]["data"]["train_ratings"] == 99072112 and len(iterations) == 10
    return found


def off_exact(trainings, name):
    return f"{abs(trainings[name][1] - trainings['exact'][1]):.0e}".replace("e-0", "e-")


def test_the_table_of_the_readme_is_that_of_its_result_file(trainings):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "99,072,112 generated ratings" in text and "means of ten iterations" in text
    rows = re.findall(r"^\| `([\w-]+)` \| .* \| ([\d.]+) \| ([\de-]*) *\|$", text, re.M)
    assert len(rows) > 3
    for name, milliseconds, off in rows:
        assert milliseconds == f"{trainings[name][0]:.1f}", name
        assert off == ("" if name == "exact" else off_exact(trainings, name)), name


def test_the_first_figures_of_the_readme_are_those_of_its_table(trainings):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    best, exact, off = re.search(r"takes ([\d.]+) ms, where .* takes ([\d.]+) ms, .* to (\de-\d)\*\*", text).groups()
    assert (best, exact) == (f"{trainings['fused-bytes-3-then-2-steps'][0]:.1f}", f"{trainings['exact'][0]:.1f}")
    assert off == off_exact(trainings, "fused-bytes-3-then-2-steps")
