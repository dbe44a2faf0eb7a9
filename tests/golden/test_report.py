# SPDX-License-Identifier: Apache-2.0
"""alsbench report: what the page shows, in a real browser."""

import json
import random
import re
import shutil

import pytest

from conftest import ROOT, SMALL, read_json, validation_errors
from report_page import Page, made
from test_history import fill, run_of

pytest_plugins = ["report_page"]

OK, USAGE = 0, 2
H200 = ROOT / "results/nvidia-h200"

# A file of each kind that the repository holds.
EVERY_KIND = [
    H200 / "quick.json.gz",
    H200 / "paper-fs.json.gz",
    H200 / "ranks.json.gz",
    H200 / "train-netflix-from-file.json.gz",
    H200 / "tune-netflix-rank100.json.gz",
    H200 / "gate/slower-5-1.json.gz",
    H200 / "gate/aa-4.json.gz",
    ROOT / "results/intel-r-xeon-r-processor/aa-ci.json.gz",
    ROOT / "results/amd-epyc/peers.json.gz",
    ROOT / "results/static/sm_90.json",
    ROOT / "results/tuned/nvidia-h200.json",
    ROOT / "results/recorded/nvidia-h200/strategies.json",
]


# Tests without a browser.


def names_in_schemas(value):
    """Names of members, and the values that a member can have."""
    if isinstance(value, list):
        return {name for each in value for name in names_in_schemas(each)}
    if not isinstance(value, dict):
        return set()
    own = {*value.get("properties", {}), *(each for each in value.get("enum", []) if isinstance(each, str))}
    return own.union(*(names_in_schemas(each) for each in value.values()))


def test_the_page_reads_names_that_the_program_writes(program):
    kinds = program.run("schema").stdout.split()
    known = set().union(*(names_in_schemas(json.loads(program.run("schema", kind).stdout)) for kind in kinds))
    program.run("export", SMALL, "--to", "csv", "-o", "table.csv")
    known |= set((program.folder / "table.csv").read_text(encoding="utf-8").splitlines()[0].split(","))
    known |= {variant["stage"] for variant in json.loads(program.run("list", "--json").stdout)["variants"]}
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "harness/report/page").glob("*.js"))
    read = set(re.findall(r"(?<=\.)[a-z0-9]+(?:_[a-z0-9]+)+\b|(?<=')[a-z0-9]+(?:_[a-z0-9]+)+(?=')", scripts))
    of_the_page = {"own_per_iteration", "per_iteration", "to_target"}
    assert len(read) > 40 and read - known == of_the_page


def test_the_results_of_a_device_fit_one_page(program):
    page = made(program, *sorted(H200.glob("*.json.gz")))
    assert page.stat().st_size < 2_000_000


def test_a_page_names_every_script_and_allows_nothing_else(program):
    text = made(program, EVERY_KIND[0]).read_text(encoding="utf-8")
    policy = text.split('http-equiv="Content-Security-Policy" content="')[1].split('"')[0]
    assert policy.startswith("default-src 'none'; ")
    assert policy.count("'sha256-") == text.count("<script>") + text.count("<style>")
    assert "unsafe" not in policy
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text


@pytest.mark.parametrize(
    "content, problem",
    [
        ("{", "is not JSON"),
        ("[]", "is no result of alsbench"),
        ('{"kind": "cake", "schema_version": "1.0.0"}', "is of kind 'cake'"),
        ('{"kind": "run", "schema_version": "9.0.0"}', "9.0.0"),
    ],
)
def test_a_file_that_is_no_result_is_named(program, content, problem):
    (program.folder / "odd.json").write_text(content, encoding="utf-8")
    error = program.run("report", "odd.json", "-o", "odd.html", code=USAGE).stderr
    assert "odd.json" in error and problem in error
    assert not (program.folder / "odd.html").exists()


def test_a_report_never_replaces_what_it_shows(program):
    shutil.copy(SMALL, program.folder / "mine.json")
    program.run("report", "mine.json", "-o", "mine.json", code=USAGE)
    assert program.read_json("mine.json")["kind"] == "run"


def test_a_report_that_grows_too_large_names_its_largest_file(program):
    noise = random.Random(1)
    document = read_json(EVERY_KIND[0])
    document["notes"] = [noise.random() for _ in range(300_000)]
    program.write_json("large.json", document)
    error = program.run("report", EVERY_KIND[0], "large.json", "-o", "large.html", code=USAGE).stderr
    assert "more than 2000 kB" in error and "are large.json (" in error
    assert not (program.folder / "large.html").exists()


def test_a_file_is_shown_once(program):
    error = program.run("report", EVERY_KIND[0], EVERY_KIND[0], "-o", "twice.html", code=USAGE).stderr
    assert "is given twice" in error


# Tests with one.


STATIC_COMPARISON = {
    "schema_version": "2.0.0",
    "kind": "static_comparison",
    "comparisons": [
        {
            "baseline": "sm_90.json",
            "arch": "sm_90",
            "base_compiler": "nvrtc 13.0.88",
            "test_compiler": "nvrtc 13.0.88",
            "compiled": 1,
            "known": 0,
            "counts": [{"verdict": "code-changed", "count": 1}],
            "findings": [
                {
                    "verdict": "code-changed",
                    "kernel": "bias/rows/cuda rank:64",
                    "detail": "30 registers",
                    "cross_environment": False,
                }
            ],
        }
    ],
}


BISECTION = {
    "schema_version": "2.0.0",
    "kind": "bisection",
    "provenance": read_json(SMALL)["provenance"],
    "range": "v1..main",
    "build_command": "make",
    "design": {
        "suite": "ci",
        "suite_hash": "0" * 32,
        "seed": 1,
        "screening_launches": 4,
        "screening_alpha": 0.05,
        "max_launches": 24,
        "looks": 3,
        "budget_seconds": None,
    },
    "commits": [{"id": f"{i}" * 40, "subject": f"Change {i}"} for i in range(4)],
    "conclusion": "found",
    "case": "solve/cg",
    "ratio": 1.05,
    "probes": [
        {
            "commit": f"{i}" * 40,
            "result": result,
            "reason": None,
            "ratio": ratio,
            "ratio_low": ratio,
            "ratio_high": ratio,
        }
        for i, result, ratio in [(3, "bad", 1.05), (1, "good", 1.0), (2, "bad", 1.05)]
    ],
    "among": ["2" * 40],
}
EVALUATION = {
    "schema_version": "2.0.0",
    "kind": "evaluation",
    "model": {"data": "ml-100k", "feedback": "explicit", "rank": 16},
    "test": {"ratings": 10000, "cold": 7, "unknown_users": 0, "unknown_items": 0},
    "rmse": 0.91234,
    "mae": 0.71234,
    "ranking": None,
}
COMPILED = {
    "schema_version": "2.0.0",
    "kind": "compile",
    "nvrtc": "13.0",
    "rank": 100,
    "kernels": [
        {
            "variant": "update/fused/cuda",
            "config": {"tile": "4"},
            "arch": "sm_90",
            "source": "kernels/update.cu",
            "instance": "update<4>",
            "outcome": "compile_error",
            "detail": "broken here",
            "report": None,
        }
    ],
    "skipped": [],
}


def front_of(points):
    """The energy of a tuning, of all its points but their energies: the second alone is beaten."""
    for number, point in enumerate(points):
        point["energy"] = {
            "source": "counter",
            "joules": 0.4 - 0.1 * number,
            "seconds": 1e-3,
            "watts": 300.0,
            "window_seconds": 0.5,
            "executions": 500,
            "resolution_seconds": 0.02,
        }
        point["on_front"] = number != 1
    return {"objective": "front", "points": points}


def with_energy_and_shapes(document):
    """A tuning as it is with --objective front, and with --also."""
    result = document["result"]
    points = [{"point": one["point"], "seconds": one["seconds"][0]} for one in result["points"] if one["seconds"]][:4]
    result["energy"] = front_of(points)
    shape = {"platform": "M=8,N=200", "seconds": 1.1, "best_seconds": 1.0, "best": "other", "efficiency": 1 / 1.1}
    pick = {"point": "tiled:TILE=64", "performance_portability": 0.9, "platforms": [shape, {**shape, "seconds": None}]}
    result["portability"] = {"pick": pick, "default": pick, "next": []}
    assert validation_errors(document, "tuning") == []
    return document


@pytest.fixture(scope="module")
def made_here(program):
    """Files of the kinds that the repository does not hold."""
    recording = ROOT / "results/recorded/intel-r-xeon-r-processor/hermitian-ml-100k-rank32-x.journal.gz"
    tuning = program.json("tune", "replay", recording, "--json", "-q")
    program.write_json("tuning.json", with_energy_and_shapes(tuning))
    folder = fill(program, "runs", [run_of(number, 1.05 if number > 7 else 1) for number in range(14)])
    program.run("history", folder, "--json", "history.json", "-q", code=None)
    assert validation_errors(STATIC_COMPARISON, "static_comparison") == []
    program.write_json("static.json", STATIC_COMPARISON)
    quick = H200 / "quick.json.gz"
    program.run("compare", quick, quick, "--json", "comparison-of-files.json", code=None)
    for kind, document in {"bisection": BISECTION, "evaluation": EVALUATION, "compile": COMPILED}.items():
        assert validation_errors(document, kind) == []
        program.write_json(f"{kind}.json", document)
    program.run("doctor", "--json", "doctor.json", code=None)
    program.run("best", "--device", "NVIDIA H200", "--json", "best.json")
    named = ["tuning", "history", "static", "comparison-of-files", *TABLES.values()]
    return [f"{name}.json" for name in named if (program.folder / f"{name}.json").exists()]


# Titles of the kinds that are a table each, and the files.
TABLES = {
    "Static baselines": "sm_90",
    "Tuning databases": "nvidia-h200",
    "Search strategies": "strategies",
    "Bisections": "bisection",
    "Models on test ratings": "evaluation",
    "Compiled kernels": "compile",
    "Machines": "doctor",
    "Best configurations": "best",
}


@pytest.fixture(scope="module")
def report(program, made_here):
    return made(program, *EVERY_KIND, *made_here, name="every-kind.html")


def test_a_tuning_shows_its_front_and_its_pick_for_several_shapes(browser, report):
    page = Page(browser, report)
    page.open_all()
    content, text = page.page.content(), " ".join(page.texts("#main"))
    assert all(f"Table: {table} (" in content for table in ("points by energy", "the pick on each shape"))
    assert "Time and energy" in text and "performance portability" in text
    assert "the device's own counter" in text and not page.faults


# Rules whose answer colours decide, and the others.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
ONLY_COLOURS = {"runOnly": OF_COLOURS}
NO_COLOURS = {"rules": {rule: {"enabled": False} for rule in OF_COLOURS}}
# Contrast is most of the checker's time. Elements with the same tags, classes and attributes up to the page's main part,
# such as rows of its tables, have the same colours, so one of each is left.
ONE_OF_EACH = """() => {
  const own = (one) => [one.tagName, one.getAttribute('class'), one.style.cssText, one.getAttributeNames(),
    !one.textContent.trim()];
  const shape = (one) => [one, ...one.querySelectorAll('*')].map(own);
  const place = (one) => one.tagName === 'MAIN' ? [] : [...place(one.parentElement), own(one)];
  const known = new Set();
  for (const one of document.querySelectorAll('main *')) {
    if (!one.isConnected) continue;
    const key = JSON.stringify([place(one.parentElement), shape(one)]);
    if (known.has(key)) one.remove();
    known.add(key);
  }
}"""


@pytest.fixture
def faults_of_access():
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-playwright-python in .venv")

    def found(page, rules):
        violations = axe.Axe().run(page.page, options={"resultTypes": ["violations"], **rules}).response["violations"]
        return [(one["id"], one["nodes"][0]["html"][:200]) for one in violations]

    return found


@pytest.mark.parametrize("width", [1400, 390])
def test_every_kind_of_file_is_shown_without_a_fault(browser, report, faults_of_access, width):
    page = Page(browser, report, width)
    page.open_all()
    assert faults_of_access(page, NO_COLOURS) == []
    for theme in ("light", "dark"):
        page.page.emulate_media(color_scheme=theme)
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.faults == []


def test_every_kind_of_file_has_enough_contrast(browser, report, faults_of_access):
    page = Page(browser, report)
    page.open_all()
    page.page.evaluate(ONE_OF_EACH)
    for theme in ("light", "dark"):
        page.page.emulate_media(color_scheme=theme)
        assert faults_of_access(page, ONLY_COLOURS) == [], theme


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_report_prints_dark_on_white_in_both_themes(browser, report, theme):
    page = Page(browser, report, width=718, theme=theme)  # A4 within Chromium's margins
    page.open_all()
    page.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    page.page.emulate_media(media="print", color_scheme=theme)
    style = page.page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert style == ["rgb(29, 33, 38)", "rgb(255, 255, 255)"]
    assert page.page.pdf(format="A4").startswith(b"%PDF")


def test_answers_come_first_and_findings_before_the_others(browser, report):
    page = Page(browser, report)
    cards = page.texts(".answers li")
    assert len(cards) == 10 + len(TABLES)
    bad = page.page.evaluate(
        "[...document.querySelectorAll('.answers li')].map((one) => one.classList.contains('bad'))"
    )
    assert bad == sorted(bad, reverse=True) and any(bad)
    assert "Has a change made anything slower?" in "".join(cards[: sum(bad)])


def test_kinds_that_are_tables_have_their_answer_and_their_rows(browser, report):
    page = Page(browser, report)
    cards = {text.split("\n")[0]: text for text in page.texts(".answers li")}
    entries = read_json(ROOT / "results/tuned/nvidia-h200.json")["entries"]
    answers = {
        "Static baselines": "kernels for sm_90",
        "Tuning databases": f"{len(entries)} entries for NVIDIA H200",
        "Search strategies": "guided needs the fewest evaluations on 6 of 7",
        "Bisections": "2222222222 (Change 2): solve/cg is +5.00 % slower",
        "Models on test ratings": "ml-100k, rank 16: RMSE 0.91234",
        "Compiled kernels": "1 kernel did not compile: update/fused/cuda on sm_90",
        "Machines": "checks: ",
        "Best configurations": "x: update/fused, ",
    }
    assert answers.keys() == TABLES.keys()
    for title, answer in answers.items():
        assert answer in cards[title], cards[title]
    page.open_all()
    rows = {
        title: page.page.locator(f"details.group:has(summary h2:text-is('{title}')) tbody tr").count()
        for title in answers
    }
    assert rows["Bisections"] == 4 and rows["Compiled kernels"] == 1 and rows["Best configurations"] == 2
    assert all(rows.values()), rows
    assert page.faults == []


def test_sorting_filtering_and_columns_are_kept_in_the_address(browser, report):
    page = Page(browser, report)
    page.open_all()
    table = page.page.locator("div.table", has=page.page.get_by_label("Table: cases of hermitian")).first
    table.get_by_role("button", name="variant").click()
    first = table.locator("tbody tr td:first-child").all_inner_texts()
    assert first == sorted(first)
    table.get_by_role("button", name="variant").click()
    last = table.locator("tbody tr td:first-child").all_inner_texts()
    assert last == sorted(last, reverse=True) and last[0] > first[0]
    table.get_by_role("searchbox").fill("blocked")
    assert all("blocked" in text for text in table.locator("tbody tr td:first-child").all_inner_texts())
    rows = table.locator("tbody tr").count()
    table.locator("summary", has_text="Columns").click()
    table.get_by_label("registers").check()
    place = page.page.evaluate("location.hash")
    again = Page(browser, report, place=place)
    again.open_all()
    table = again.page.locator("div.table", has=again.page.get_by_label("Table: cases of hermitian")).first
    assert table.locator("tbody tr").count() == rows
    assert table.locator("th", has_text="registers").count() == 1
    assert page.faults == again.faults == []


def test_a_row_opens_with_the_command_that_repeats_it(browser, report):
    page = Page(browser, report)
    page.open_all()
    page.page.locator("div.table", has=page.page.get_by_label("Table: cases of hermitian")).first.get_by_label(
        "Details"
    ).first.click()
    assert "alsbench run quick" in page.texts("tr.detail")[0]


def test_tables_are_saved_as_csv_and_json(browser, report, tmp_path):
    page = Page(browser, report)
    page.open_all()
    saved = {}
    for ending in ("CSV", "JSON"):
        with page.page.expect_download() as download:
            page.page.get_by_label(f"Download cases of hermitian as {ending}").first.click()
        download.value.save_as(tmp_path / ending)
        saved[ending] = (tmp_path / ending).read_text(encoding="utf-8")
    rows = json.loads(saved["JSON"])
    assert len(rows) == len(saved["CSV"].strip().splitlines()) - 1 > 5
    assert all(row["median_seconds"] > 0 for row in rows)
