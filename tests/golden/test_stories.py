# SPDX-License-Identifier: Apache-2.0
"""The story of a comparison is named first, by `compare`, its Markdown, its record and its page."""

import collections

import pytest

from conftest import Program
from planted_stories import PLANTED, STORIES, planted_pair
from report_page import Page, made

pytest_plugins = ["report_page"]

BASELINE = 4
FEWEST = 48  # of fifty
NAMES = {
    "change": "real change",
    "method": "changed method",
    "machine": "other hardware or driver",
    "launches": "too few launches",
    "unconfirmed": "cannot tell",
    "noise": "noise",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("stories"))


@pytest.fixture(scope="module")
def told(program):
    """Of each planted comparison: its record, what was said on stderr, and the Markdown."""
    all_told = []
    for number, planted in enumerate(PLANTED):
        for name, document in zip(("base", "test"), planted_pair(number), strict=True):
            program.write_json(f"{name}.json", document)
        cross = ["--cross-env"] if planted.binding else []
        sides = ("compare", "base.json", "test.json")
        said = program.run(*sides, "--json", f"{number}.json", "--md", f"{number}.md", *cross, code=None).stderr
        refused = program.run(*sides, code=BASELINE).stderr if planted.binding else None
        record = program.read_json(f"{number}.json")
        all_told.append((record, said, (program.folder / f"{number}.md").read_text(encoding="utf-8"), refused))
    return all_told


def misnamed(named):
    return [(i, one.story, kind) for i, (one, kind) in enumerate(zip(PLANTED, named, strict=True)) if one.story != kind]


def test_ten_of_each_story_are_planted():
    assert collections.Counter(one.story for one in PLANTED) == dict.fromkeys(STORIES, 10)


def test_the_record_names_the_story_first(told):
    wrong = misnamed([record["stories"][0]["kind"] for record, *_ in told])
    assert len(wrong) <= len(PLANTED) - FEWEST, wrong


def test_terminal_and_markdown_say_what_the_record_says(told):
    for record, said, markdown, _ in told:
        first = f"story: {NAMES[record['stories'][0]['kind']]}: "
        assert any(line.startswith(first) for line in said.splitlines()), said
        assert next(line for line in markdown.splitlines() if line.startswith("- ")).startswith(f"- {first}")


def test_a_refusal_names_the_story(told):
    for planted, (_, _, _, refused) in zip(PLANTED, told, strict=True):
        if planted.binding:
            assert f"are not comparable: {NAMES[planted.story]}: " in refused


def test_the_page_names_the_story_first(program, told, tab):
    named = []
    for number in range(len(told)):
        tab.show(made(program, f"{number}.json", name=f"{number}.html"))
        tab.open_all()
        named.append(tab.page.locator("ol.stories > li").first.get_attribute("data-story"))
        assert tab.texts(".answers li")[0].count(f"{NAMES[named[-1]].capitalize()}. ") == 1
        assert tab.faults == []
    assert named == [record["stories"][0]["kind"] for record, *_ in told]


def test_the_page_tells_the_stories_that_the_record_has(program, told, browser):
    files = [program.folder / f"{i}.json" for i in range(0, len(told), 4)]
    page = Page(browser, made(program, *files))
    documents = [told[i][0] for i in range(0, len(told), 4)]
    stories = page.page.evaluate("(all) => all.map(storiesOf)", documents)
    for found, document in zip(stories, documents, strict=True):
        assert [story["kind"] for story in found] == [story["kind"] for story in document["stories"]]
        assert [story for story in found if story["kind"] == "launches"] == [
            story for story in document["stories"] if story["kind"] == "launches"
        ]


def test_the_story_of_too_few_launches_names_cases_and_how_many_are_needed(told):
    """The needed number is that of 22 cases on the GPU: 2 of the 12,870 ways to divide 8 + 8 launches are below 0.01 / 22."""
    records = [record for planted, (record, *_) in zip(PLANTED, told, strict=True) if planted.story == "launches"]
    for record in records:
        few = [case for case in record["cases"] if case.get("too_few_launches") and case["verdict"] == "undecided"]
        story = record["stories"][0]["evidence"]
        assert story.startswith(f"{len(few)} of {len(record['cases'])} cases could not be told slower or faster: ")
        named = [f"{case['name']} ({case['base_launches']} + {case['test_launches']}" for case in few]
        assert all((name in story) == (place < 3) for place, name in enumerate(named)), story
        needed = few[0]["launches_needed"]
        assert story.endswith(f"; {needed} + {needed} can tell")
    assert "; 8 + 8 can tell" in records[0]["stories"][0]["evidence"]
