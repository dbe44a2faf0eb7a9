# SPDX-License-Identifier: Apache-2.0
"""alsbench report: what the page says of one document or two, in a real browser."""

import gzip
import json
import re
from xml.etree import ElementTree

import pytest

from conftest import ROOT, read_json, validation_errors
from made_history import creeping
from report_page import Page, made
from test_history import fill
from test_report import EVERY_KIND, H200, STATIC_COMPARISON, front_of

pytest_plugins = ["report_page"]


@pytest.fixture
def page_of(browser, program):
    """The page of some files."""
    return lambda *files, **options: Page(browser, made(program, *files), **options)


def test_a_tuning_of_pipelines_shows_the_energy_of_its_recipes(page_of, program):
    document = read_json(H200 / "tune-netflix-rank100.json.gz")
    recipes = [{"pipelines": one["pipelines"], "seconds": one["total_seconds"][0]} for one in document["playoff"][:3]]
    document["energy"] = front_of(recipes)
    assert validation_errors(document, "pipeline-tuning") == []
    page = page_of(program.write_json("energy.json", document))
    page.open_all()
    assert "Table: points by energy (" in page.page.content() and not page.faults
    theta = next(one["steps"] for one in recipes[0]["pipelines"] if one["part"] == "theta")
    assert theta[0]["variant"] in "".join(page.texts("[aria-label^='Table: points by energy'] tbody tr"))


def test_a_creep_has_its_range_of_commits(page_of, program):
    program.run("history", fill(program, "creep", creeping(6)), "--json", "creep.json", "-q", code=1)
    page = page_of("creep.json")
    page.open_all()
    document = program.read_json("creep.json")
    (creep,) = document["shifts"]
    ends = (creep["run"] - 1, creep["creep_last_run"])
    before, after = (document["runs"][run]["git_commit"][:10] for run in ends)
    shown = "".join(page.texts("[aria-label^='Table: shifts'] tbody tr"))
    assert f"{before}..{after}" in shown and creep["note"] in shown
    assert "% (creep)</text>" in page.page.content() and not page.faults


def test_static_comparisons_are_drawn_with_what_is_worse_first(page_of, program):
    document = json.loads(json.dumps(STATIC_COMPARISON))
    finding = document["comparisons"][0]["findings"][0]
    document["comparisons"][0]["findings"] += [
        {**finding, "verdict": "same"},
        {**finding, "verdict": "regressed", "detail": "registers 30 -> 60"},
    ]
    page = page_of(program.write_json("worse.json", document))
    page.open_all()
    bars = page.page.locator("figure svg rect title").all_text_contents()
    assert bars == ["sm_90: 1 regressed", "sm_90: 1 code-changed", "sm_90: 1 same"]
    first = page.page.locator("div.table").last.locator("tbody tr").first
    assert "registers 30 -> 60" in first.inner_text() and "failed" in first.get_attribute("class")
    assert page.texts(".answers li.bad")


def test_arrows_lead_from_the_first_file_to_the_second(page_of, program):
    document = read_json(H200 / "quick.json.gz")
    for case in document["cases"]:
        for mode in ("cold", "hot"):
            if case["role"] == "case" and case.get(mode) and case[mode].get("flops_per_second"):
                case[mode]["flops_per_second"] /= 4
    program.write_json("slower.json", document)
    page = page_of(H200 / "quick.json.gz", "slower.json")
    page.open_all()
    figure = page.page.locator("figure", has_text="Roofline").first
    arrows = figure.locator("path.move[marker-end]").count()
    hollow, filled = (
        figure.locator("svg .mark.hollow").count(),
        figure.locator("svg .mark:not(.hollow):not(.move)").count(),
    )
    assert arrows == hollow > 3 and filled >= hollow
    head = figure.locator("marker").get_attribute("id")
    assert figure.locator("path.move[marker-end]").first.get_attribute("marker-end") == f"url(#{head})"
    assert page.faults == []


def test_a_failed_case_is_named_on_the_first_screen(page_of, program):
    document = read_json(EVERY_KIND[0])
    case = next(one for one in document["cases"] if one["role"] == "case")
    case.update(outcome="hung", detail="no answer for 60 s", cold=None, hot=None)
    page = page_of(program.write_json("hung.json", document))
    card = page.texts(".answers li.bad")[0]
    assert "1 hung" in card and case["name"] in card


def test_texts_of_a_file_are_shown_and_never_run(page_of, program):
    document = read_json(EVERY_KIND[0])
    hostile = "Is </script><img src=x onerror=alert(1)> shown?"
    document["suite"]["description"] = hostile
    page = page_of(program.write_json("hostile.json", document))
    assert hostile in page.texts(".answers li")[0]
    assert page.page.locator("img").count() == 0 and page.faults == []


def test_a_figure_is_saved_as_a_picture_of_its_own(page_of, browser, tmp_path):
    page = page_of(H200 / "paper-convergence.json.gz")
    page.open_all()
    with page.page.expect_download() as download:
        page.page.get_by_label("Download Convergence over seconds as SVG").click()
    download.value.save_as(tmp_path / "picture.svg")
    texts = {one.text for one in ElementTree.parse(tmp_path / "picture.svg").iter() if one.tag.endswith("}text")}
    assert {"Convergence over seconds", "test rmse", "seconds of training"} <= texts
    assert any(text.startswith("tensor-cores, 18.") and text.endswith(" ms an iteration") for text in texts)
    grounds = set()
    for theme in ("light", "dark"):
        alone = browser.new_page(color_scheme=theme)
        alone.goto((tmp_path / "picture.svg").as_uri())
        grounds.add(alone.locator("rect.ground").evaluate("(one) => getComputedStyle(one).fill"))
    assert len(grounds) == 2 and page.faults == []


def test_trainings_of_different_metrics_are_not_compared(page_of):
    page = page_of(ROOT / "results/amd-epyc/peers.json.gz")
    card = page.texts(".answers li")[0]
    assert "als-cg takes " in card and "implicit-cg takes " in card and "test RMSE" in card and "test loss" in card
    page.open_all()
    shown = page.page.locator("figure select").first.locator("option").all_text_contents()
    assert len(shown) == 2 and "test rmse" in shown[0] and "test loss" in shown[1]


def test_two_files_of_a_suite_are_judged_side_by_side(page_of, program):
    document = read_json(H200 / "quick.json.gz")
    document["devices"][0]["nvml"]["driver_version"] = "999.1"
    (program.folder / "after").mkdir()
    (program.folder / "after/quick.json.gz").write_bytes(gzip.compress(json.dumps(document).encode()))
    page = page_of(H200 / "quick.json.gz", "after/quick.json.gz")
    assert "after/quick" in page.texts("details.group")[0]
    assert "999.1" in page.texts("details.group")[0]
    assert "Verdicts are worked out here" in page.texts("details.group")[0]
    assert page.faults == []


# Times that other work on the machine disturbed.


def disturb(document, cases=True, trainings=True):
    for case in document["cases"]:
        for mode in ("cold", "hot"):
            if cases and case.get(mode):
                case[mode]["stop_reason"] = "disturbed"
                for launch in case[mode]["launches"]:
                    launch["stop_reason"] = "disturbed"
        for launch in case["training"]["launches"] if trainings and case["training"] else []:
            for step in launch["iterations"]:
                step["processor"] = {"cpu_seconds": 1, "involuntary_switches": 9, "running": 3}
                step["processor"]["waited_seconds"] = step["wall_seconds"] / 2
    return document


def test_a_disturbed_run_says_so_first_and_ranks_nothing(page_of, program):
    document = disturb(read_json(H200 / "quick.json.gz"))
    page = page_of(program.write_json("busy.json", document))
    medians = sum(bool(case[mode]) for case in document["cases"] for mode in ("cold", "hot"))
    trainings = sum(bool(case["training"]) for case in document["cases"])
    said = (
        f"Other work on the machine disturbed {medians} of {medians} medians and {trainings} of {trainings} trainings"
    )
    assert "no findings" not in page.texts("#subject")[0]
    assert "other work disturbed times" in page.texts("#subject")[0]
    card = page.texts(".answers li")[0]
    assert said in card and "Nothing is ranked." in card
    assert not re.search(r"fastest|% \(|an iteration", card)
    page.open_all()
    assert page.page.locator("tr.best").count() == 0
    training = page.page.locator("div.table", has=page.page.get_by_label("Table: trainings"))
    assert training.locator("tbody td", has_text="yes").count() == trainings
    assert any("(disturbed)" in text for text in page.texts("figure"))
    assert page.faults == []


def test_a_training_beside_as_much_other_work_is_marked_though_no_thread_waited(page_of, program):
    document = read_json(H200 / "small-problems.json.gz")
    use = {"cpu_seconds": 1, "waited_seconds": 0, "involuntary_switches": 0, "running": 3, "others_error": 0.075}
    trainings = [case["training"] for case in document["cases"] if case["training"]]
    for training, share, threads in zip(trainings, (0.45, 0.45, 0.098, 0.098), (2, 1, 2, 1), strict=True):
        for step in training["launches"][0]["iterations"]:
            step["processor"] = {**use, "others_share": share, "processors": 2, "threads": threads}
    page = page_of(program.write_json("crowded.json", document))
    assert "disturbed 1 of 4 trainings" in page.texts(".answers li")[0]


def test_disturbed_rows_are_not_ranked_and_their_ceilings_do_not_count(page_of, program):
    document = read_json(H200 / "ceilings.json.gz")
    bytes_alone = [case for case in document["cases"] if case["config"].get("precision") == "int8"]
    calm = page_of(program.write_json("calm.json", document)).texts(".answers li")[0]
    disturb({"cases": bytes_alone})
    busy = page_of(program.write_json("busy.json", document)).texts(".answers li")[0]
    assert "TOP/s (int8)" in calm and "disturbed" not in calm
    assert "(int8)" not in busy and f"disturbed {len(bytes_alone)} of " in busy


def test_the_page_marks_the_trainings_that_the_program_marks(page_of, program):
    path = ROOT / "results/intel-r-xeon-r-processor/small-lambdas.json.gz"
    table = program.run("export", path, "--to", "csv", ALSBENCH_DISTURBED="").stdout.splitlines()
    column = table[0].split(",").index("disturbed")
    marked = sum(line.split(",")[column] == "yes" for line in table[1:])
    page = page_of(path)
    assert marked and f"disturbed {marked} of 35 trainings" in page.texts(".answers li")[0]


def test_the_median_is_on_the_screen_of_a_telephone(page_of):
    page = page_of(H200 / "fast.json.gz", width=390)
    page.open_all()
    for table, title in (("cases of update", "median"), ("trainings", "an iteration")):
        head = page.page.get_by_label(f"Table: {table}").locator("th", has_text=title).first
        box = head.bounding_box()
        assert box["x"] + box["width"] <= 390, title


def test_a_disturbed_comparison_says_so_first(page_of):
    page = page_of(H200 / "causes/busy.json.gz")
    assert "Other work on the machine disturbed 18 of 18 medians of " in page.texts(".answers li")[0]
    assert "other work disturbed times" in page.texts("#subject")[0] and page.faults == []
