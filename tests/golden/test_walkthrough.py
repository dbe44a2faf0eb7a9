# SPDX-License-Identifier: Apache-2.0
"""docs/developing/adding-a-variant.md holds: its patches apply to the tree, build, and give a variant that is listed and right."""

import pytest

from walkthrough import Page, walk

PAGE = Page("adding-a-variant.md")


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    return walk(PAGE, tmp_path_factory.mktemp("walkthrough"))


def test_the_variant_is_listed(walked):
    variants = walked.json("list", "variants", "--json")["variants"]
    assert [v["valid_points"] for v in variants if v["id"] == "hermitian/lower/cpu"] == [4]


def test_the_suite_measures_it_and_it_is_right(walked):
    (suite,) = PAGE.blocks("json")
    (walked.folder / "walkthrough.json").write_text(suite)
    walked.run("run", "walkthrough.json", "--json", "walkthrough-result.json")
    cases = walked.read_json("walkthrough-result.json")["cases"]
    lower = [c for c in cases if c["name"].startswith("hermitian/lower/cpu/")]
    assert len(lower) == 4
    assert {c["outcome"] for c in lower} == {"ok"}, lower
