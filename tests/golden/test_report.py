# SPDX-License-Identifier: Apache-2.0
"""alsbench report: the page in a real browser, and its judge held against the program's."""

import copy
import json
import pathlib
import random
import shutil

import pytest

from conftest import ROOT, validation_errors
from test_history import fill, run_of

OK, USAGE = 0, 2
H200 = ROOT / "results/nvidia-h200"
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
TOLERANCE = 1e-12
COMPARISONS, CASES_OF_EACH = 100, 10  # a thousand cases are compared

# A file of each kind that the repository holds.
EVERY_KIND = [
    H200 / "quick.json",
    H200 / "paper-fs.json",
    H200 / "ranks.json",
    H200 / "train-netflix-from-file.json",
    H200 / "tune-netflix-rank100.json",
    H200 / "gate/slower-5-1.json",
    H200 / "gate/aa-4.json",
    ROOT / "results/intel-r-xeon-r-processor/aa-ci.json",
    ROOT / "results/amd-epyc/peers.json",
]


def made(program, *files, name="report.html"):
    program.run("report", *files, "--out", name)
    return program.folder / name


# What needs no browser.


def test_the_results_of_a_device_fit_one_page(program):
    page = made(program, *sorted(H200.glob("*.json")))
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
    shutil.copy(EVERY_KIND[0], program.folder / "mine.json")
    program.run("report", "mine.json", "-o", "mine.json", code=USAGE)
    assert json.loads((program.folder / "mine.json").read_text(encoding="utf-8"))["kind"] == "run"


def test_a_report_that_grows_too_large_names_its_largest_file(program):
    noise = random.Random(1)
    document = json.loads(EVERY_KIND[0].read_text(encoding="utf-8"))
    document["notes"] = [noise.random() for _ in range(400_000)]
    (program.folder / "large.json").write_text(json.dumps(document), encoding="utf-8")
    error = program.run("report", EVERY_KIND[0], "large.json", "-o", "large.html", code=USAGE).stderr
    assert "more than 2000 kB" in error and "are large.json (" in error
    assert not (program.folder / "large.html").exists()


def test_a_file_is_shown_once(program):
    error = program.run("report", EVERY_KIND[0], EVERY_KIND[0], "-o", "twice.html", code=USAGE).stderr
    assert "is given twice" in error


# What does.


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="no playwright in .venv")
    paths = [path for path in map(shutil.which, BROWSERS) if path]
    if not paths:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=paths[0], args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Page:
    """A report in the browser. Whatever it asks of the network or says on the console is kept."""

    def __init__(self, browser, path, width=1400, theme="light", place=""):
        self.page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=theme)
        self.faults = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.faults.append(request.url) if self.foreign(request) else None)
        self.page.goto(path.resolve().as_uri() + place)
        self.page.wait_for_selector("#main[aria-busy=false]")

    @staticmethod
    def foreign(request):
        return not request.url.startswith(("file:", "blob:"))

    def open_all(self):
        self.page.evaluate("document.querySelectorAll('details:not(.columns)').forEach((one) => { one.open = true; })")
        self.page.wait_for_timeout(200)

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()


STATIC_COMPARISON = {
    "$schema": "../schema/static_comparison.schema.json",
    "schema_version": "1.0.0",
    "kind": "static_comparison",
    "comparisons": [
        {
            "baseline": "sm_90.json",
            "arch": "sm_90",
            "base_compiler": "nvrtc 13.0.88",
            "test_compiler": "nvrtc 13.0.88",
            "counts": {"code-changed": 1},
            "findings": [
                {
                    "verdict": "code-changed",
                    "kernel": "bias/rows/cuda rank:64",
                    "detail": "30 registers",
                    "cross_env": False,
                }
            ],
        }
    ],
}


@pytest.fixture(scope="module")
def made_here(program):
    """Files of the kinds that the repository does not hold: a tuning, a history, and comparisons of two sorts."""
    recording = ROOT / "results/recorded/intel-r-xeon-r-processor/hermitian-ml-100k-rank32-x.journal.gz"
    program.run("tune", "--replay", recording, "--json", "tuning.json")
    folder = fill(program, "runs", [run_of(number, 1.05 if number > 7 else 1) for number in range(14)])
    program.run("history", folder, "--json", "history.json", "-q", code=None)
    assert validation_errors(STATIC_COMPARISON, "static_comparison") == []
    (program.folder / "static.json").write_text(json.dumps(STATIC_COMPARISON), encoding="utf-8")
    quick = H200 / "quick.json"
    program.run("compare", quick, quick, "--json", "comparison-of-files.json", code=None)
    return ["tuning.json", "history.json", "static.json", "comparison-of-files.json"]


@pytest.fixture(scope="module")
def report(program, made_here):
    return made(program, *EVERY_KIND, *made_here, name="every-kind.html")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_every_kind_of_file_is_shown_without_a_fault(browser, report, theme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-playwright-python in .venv")
    page = Page(browser, report, width, theme)
    page.open_all()
    assert page.faults == []
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(page.page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []


def test_answers_come_first_and_findings_before_the_others(browser, report):
    page = Page(browser, report)
    cards = page.texts(".answers li")
    assert len(cards) == 10
    bad = page.page.evaluate(
        "[...document.querySelectorAll('.answers li')].map((one) => one.classList.contains('bad'))"
    )
    assert bad == sorted(bad, reverse=True) and any(bad)
    assert "Has a change made anything slower?" in "".join(cards[: sum(bad)])


def test_a_failed_case_is_named_on_the_first_screen(browser, program):
    document = json.loads(EVERY_KIND[0].read_text(encoding="utf-8"))
    case = next(one for one in document["cases"] if one["role"] == "case")
    case.update(outcome="hung", detail="no answer for 60 s", cold=None, hot=None)
    (program.folder / "hung.json").write_text(json.dumps(document), encoding="utf-8")
    page = Page(browser, made(program, "hung.json", name="hung.html"))
    card = page.texts(".answers li.bad")[0]
    assert "1 hung" in card and case["name"] in card


def test_texts_of_a_file_are_shown_and_never_run(browser, program):
    document = json.loads(EVERY_KIND[0].read_text(encoding="utf-8"))
    hostile = "Is </script><img src=x onerror=alert(1)> shown?"
    document["suite"]["description"] = hostile
    (program.folder / "hostile.json").write_text(json.dumps(document), encoding="utf-8")
    page = Page(browser, made(program, "hostile.json", name="hostile.html"))
    assert hostile in page.texts(".answers li")[0]
    assert page.page.locator("img").count() == 0 and page.faults == []


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


def test_two_files_of_a_suite_are_judged_side_by_side(browser, program):
    document = json.loads((H200 / "quick.json").read_text(encoding="utf-8"))
    document["devices"][0]["nvml"]["driver_version"] = "999.1"
    (program.folder / "after.json").write_text(json.dumps(document), encoding="utf-8")
    (program.folder / "after").mkdir()
    (program.folder / "after.json").rename(program.folder / "after/quick.json")
    page = Page(browser, made(program, H200 / "quick.json", "after/quick.json", name="two.html"))
    assert "after/quick" in page.texts("details.group")[0]
    assert "999.1" in page.texts("details.group")[0]
    assert "Verdicts are worked out here" in page.texts("details.group")[0]
    assert page.faults == []


# The page's judge, held against the program's.


def launches_of(generator, count, level):
    """Medians of `count` launches in one of the manners that a machine has: quiet, with ties, of two speeds, with outliers."""
    manner = generator.choice(["quiet", "ties", "two speeds", "outliers"])
    seconds = [level * (1 + generator.gauss(0, 0.004)) for _ in range(count)]
    if manner == "ties":
        seconds = [round(value, 7) for value in seconds]
    if manner == "two speeds":
        seconds = [value * generator.choice([1, 1.03]) for value in seconds]
    if manner == "outliers":
        seconds = [value * (1.6 if generator.random() < 0.05 else 1) for value in seconds]
    return seconds


def set_launches(record, seconds, stop_reason="samples"):
    statistics = dict(record["cold"]["statistics"])
    record["cold"]["launches"] = [
        {"median_seconds": value, "count": statistics["count"], "stop_reason": stop_reason} for value in seconds
    ]


def generated_pair(generator, template):
    """Two results of a few cases and two canaries, with changes and other work planted into some."""
    case = next(one for one in template["cases"] if one["role"] == "case" and one["kernels"] and one["cold"])
    roof = next(one for one in template["cases"] if one["role"] == "roof" and one["device"] == case["device"])
    counts = [generator.choice([1, 2, 4, 5, 8, 12, 24, 60]) for _ in range(2)]
    drift = generator.choice([1, 1, 1, 1.02])
    plans = []  # how much slower the test side is, whether its code is the same, whether other work ran beside it
    for index in range(CASES_OF_EACH + 2):
        planted = 1 if index >= CASES_OF_EACH else generator.choice([1, 1, 1.002, 1.01, 1.05, 0.98])
        busy = index < CASES_OF_EACH and generator.random() < 0.1
        plans.append((planted * drift, generator.choice(["same", "changed", "changed"]), busy))
    sides = []
    for side, count in enumerate(counts):
        cases = []
        for index, (factor, code, busy) in enumerate(plans):
            record = copy.deepcopy(roof if index >= CASES_OF_EACH else case)
            record.update(name=f"{record['name']}#{index}", hot=None)
            seconds = launches_of(generator, count, 1e-3 * (factor if side else 1))
            set_launches(record, seconds, "disturbed" if busy and side else "samples")
            for kernel in record["kernels"]:
                kernel["code_hash"] = f"{code}{side if code == 'changed' else 0}"
            cases.append(record)
        sides.append({**template, "schema_version": "1.1.0", "cases": cases})
    return sides


def verdicts(comparison):
    return {(one["role"] == "canary", one["name"]): one for one in comparison["cases"] + comparison["canaries"]}


def near(one, other):
    if one is None or other is None:
        return one == other
    return abs(one - other) <= TOLERANCE * max(1, abs(one))


def test_the_judge_in_the_page_is_the_programs(browser, program, report):
    page = Page(browser, report)
    generator = random.Random(7)
    template = json.loads((H200 / "quick.json").read_text(encoding="utf-8"))
    seen = {}
    for index in range(COMPARISONS):
        base, test = generated_pair(generator, template)
        for name, document in (("base", base), ("test", test)):
            (program.folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        rules = {"bound": generator.choice([0.002, 0.005, 0.03]), "alpha": generator.choice([0.001, 0.01, 0.05])}
        options = [word for key, value in rules.items() for word in (f"--{key}", str(value))]
        program.run("compare", "base.json", "test.json", "--json", "judged.json", *options, code=None)
        expected = verdicts(json.loads((program.folder / "judged.json").read_text(encoding="utf-8")))
        found = verdicts(
            page.page.evaluate(
                """([base, test, rules]) => {
                  const files = [base, test].map((document) => ({name: "f", kind: "run", document}));
                  const {cases, places} = pairOf(files);
                  const {cases: judged, canaries} = judge.judgeAll(cases, places, rules);
                  const plain = (c) => ({...c, ratio_low: c.ratio_low || null, ratio_high: Number.isFinite(c.ratio_high) ? c.ratio_high : null});
                  return {cases: judged.map(plain), canaries: canaries.map(plain)};
                }""",
                [base, test, rules],
            )
        )
        assert found.keys() == expected.keys() and len(found) == CASES_OF_EACH + 1
        for key, wanted in expected.items():
            for field in ("ratio", "ratio_low", "ratio_high", "p", "adjusted_p"):
                assert near(wanted[field], found[key][field]), (index, key, field, wanted[field], found[key][field])
            for field in ("verdict", "time_verdict"):
                assert wanted[field] == found[key][field], (index, key, field)
            assert (wanted["launches_needed"] or 0) == found[key]["launches_needed"], (index, key)
            reason = "other work" if "other work" in (wanted["reason"] or "") else wanted["verdict"]
            seen[reason] = seen.get(reason, 0) + 1
    assert set(seen) == {"same", "slower", "faster", "undecided", "environment", "other work"}, seen


def test_a_stored_comparison_is_judged_as_it_was(browser, program):
    for name in ("slower-5-1", "aa-4", "faster-5"):
        path = H200 / f"gate/{name}.json"
        page = Page(browser, made(program, path, name="gate.html"))
        stored = json.loads(path.read_text(encoding="utf-8"))
        found = verdicts(page.page.evaluate("(doc) => judgeFile(doc, doc.rules)", stored))
        for key, wanted in verdicts(stored).items():
            assert wanted["verdict"] == found[key]["verdict"], (name, key)
            for field in ("ratio", "p", "adjusted_p"):
                assert near(wanted[field], found[key][field]), (name, key, field)


def test_verdicts_follow_the_readers_bound(browser, program):
    page = Page(browser, made(program, H200 / "gate/slower-5-1.json", name="gate.html"))
    group = page.page.locator("details.group")
    assert "Regression" in group.inner_text()
    group.get_by_label("Bound in %").fill("10")
    assert "No regression at a bound of 10.00 %" in group.inner_text()
    assert pathlib.PurePath(page.page.url).name.count("bound=0.1") == 1
