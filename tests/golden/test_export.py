# SPDX-License-Identifier: Apache-2.0
"""`alsbench export`: every format as other tools read it, and names that try to break it.

The exported file is results/small.json: seven cases of the committed results of an H200, cut to three samples.
"""

import copy
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import golden
from conftest import SMALL, read_json, validation_errors, write_json

HERE = pathlib.Path(__file__).parent
COMPARE_PY = pathlib.Path("/usr/share/benchmark/compare.py")  # Debian's libbenchmark-tools
EXTENSIONS = {
    "gbench": "json",
    "nvbench": "json",
    "t4": "json",
    "github-action": "json",
    "bencher": "json",
    "junit": "xml",
    "github-annotations": "txt",
    "csv": "csv",
    "markdown": "md",
}
HOSTILE = [
    "plain",
    "pi|pe",
    "pi\\|pe",
    "pi\\\\|pe",
    'quo"te',
    "quo'te",
    "<b>html</b>",
    "&lt;b&gt;html&lt;/b&gt;",
    "&amp;",
    "\x1b[31mred\x1b[0m",
    "\\x1b[31mred\\x1b[0m",
    "two\nlines",
    "two\\nlines",
    "two lines",
    "two\r\nlines",
    "tab\there",
    "../../etc/passwd",
    "..\\..\\",
    "`code`",
    "``",
    "`|`",
    "@someone #1 [link](http://x) ![i](y)",
    "=1+1",
    "a,b;c",
    "\u00fcnicode",
    "\u202egnp.exe",
    "\u2028",
    "\ufffe",
    "\x7f",
    "\x00zero",
    " ",
    "]]>",
    "-->",
    "{}%s",
    "x" * 2000,
    "x" * 2000 + "y",
    "plain/cold",
    "plain/hot",
]


def export(program, file, form, name=None, **options):
    """The file that `export` wrote, as text without translated line ends."""
    out = program.folder / (name or f"exported.{EXTENSIONS[form]}")
    program.run("export", file, "--to", form, "--out", out, "-q", **options)
    return out.read_bytes().decode("utf-8")


def small():
    return read_json(SMALL)


@pytest.fixture(scope="module")
def hostile(program):
    """A result whose cases, data sets, messages, suite and device are named by strangers; the case names."""
    document = small()
    measured = next(case for case in document["cases"] if case["role"] == "case" and case["outcome"] == "ok")
    crashed = next(case for case in document["cases"] if case["outcome"] == "crashed")
    names = [f"case {text}" for text in HOSTILE]
    document["cases"] = []
    for number, name in enumerate(names):
        case = copy.deepcopy(crashed if number % 5 == 4 else measured)
        case["name"] = case["problem"]["name"] = case["problem"]["path"] = name
        if case["detail"]:
            case["detail"] = name
        document["cases"].append(case)
    document["suite"]["name"] = document["devices"][0]["name"] = "".join(HOSTILE[:30])
    assert validation_errors(document, "result") == []
    path = program.write_json("hostile.json", document)
    timed = [f"{case['name']}/{mode}" for case in document["cases"] for mode in ("cold", "hot") if case[mode]]
    failed = [case["name"] for case in document["cases"] if case["outcome"] != "ok"]
    return path, timed, failed


@pytest.mark.parametrize("form", EXTENSIONS)
def test_a_small_result_looks_as_it_did(program, form):
    text = export(program, SMALL, form).replace("\r\n", "\n")  # CSV's ends of lines
    golden.check(f"export-{form}.{EXTENSIONS[form]}", text)


def finite(value):
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, list):
        return all(map(finite, value))
    return not isinstance(value, float) or math.isfinite(value)


@pytest.mark.parametrize(
    "form, names_of",
    [
        ("gbench", lambda d: [b["name"] for b in d["benchmarks"] if b["repetition_index"] == 0]),
        ("github-action", lambda d: [entry["name"] for entry in d]),
    ],
)
def test_hostile_names_stay_as_they_are_where_json_carries_them(program, hostile, form, names_of):
    path, timed, _ = hostile
    document = json.loads(export(program, path, form))
    assert names_of(document) == timed
    assert finite(document)


def test_hostile_names_in_nvbench(program, hostile):
    path, _, _ = hostile
    document = json.loads(export(program, path, "nvbench"))
    states = [state for benchmark in document["benchmarks"] for state in benchmark["states"]]
    assert sorted(state["name"] for state in states) == sorted(f"case {text}" for text in HOSTILE)
    assert all(state["is_skipped"] == (not state["summaries"]) for state in states)


def test_hostile_names_in_t4(program, hostile):
    path, timed, failed = hostile
    results = json.loads(export(program, path, "t4"))["results"]
    assert {r["configuration"]["case"] for r in results} == {*timed, *failed}
    assert {r["invalidity"] for r in results} == {"correct", "runtime"}


def test_hostile_names_in_bencher_are_apart_and_short_enough(program, hostile):
    path, timed, _ = hostile
    metrics = json.loads(export(program, path, "bencher"), object_pairs_hook=lambda pairs: pairs)
    names = [name for name, _ in metrics]
    assert len(set(names)) == len(names) == len(timed)
    assert max(len(name) for name in names) <= 1024
    assert [name for name in timed if len(name) <= 1024] == [n for n in names if n in timed]


def unescaped(text):
    """The original of a text that harness/record/escape.h made visible."""
    words = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t"}
    return re.sub(
        r"\\(?:([\\nrt])|x([0-9a-f]{2})|u\{([0-9a-f]+)\})",
        lambda m: words[m[1]] if m[1] else chr(int(m[2] or m[3], 16)),
        text,
    )


def test_device_memory_in_csv_and_bencher(program):
    document = small()
    timed = next(case for case in document["cases"] if case["outcome"] == "ok" and case["cold"])
    timed["peak_device_bytes"] = 5_000_000_000
    program.write_json("memory.json", document)
    rows = csv.DictReader(io.StringIO(export(program, "memory.json", "csv"), newline=""))
    known = {row["name"]: row["peak_device_bytes"] for row in rows if row["peak_device_bytes"]}
    metrics = json.loads(export(program, "memory.json", "bencher"))
    found = {
        name: measures["peak-device-memory"] for name, measures in metrics.items() if "peak-device-memory" in measures
    }
    assert f"{timed['name']}/cold" in known and known.keys() == found.keys()
    assert set(known.values()) == {"5000000000"} and all(value == {"value": 5_000_000_000} for value in found.values())


def test_hostile_names_in_junit(program, hostile):
    path, timed, failed = hostile
    text = export(program, path, "junit")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u2028\u202e\ufffe]", text)
    suite = ET.fromstring(text).find("testsuite")
    assert sorted(unescaped(case.get("name")) for case in suite) == sorted([*timed, *failed])
    assert int(suite.get("failures")) == len(failed) == len(suite.findall("testcase/failure"))
    assert {unescaped(f.text) for f in suite.findall("testcase/failure")} == set(failed)


def test_hostile_names_in_csv(program, hostile):
    path, timed, failed = hostile
    header, *rows = csv.reader(io.StringIO(export(program, path, "csv"), newline=""))
    assert {len(row) for row in rows} == {len(header)}
    assert sorted(row[0] for row in rows) == sorted([*timed, *failed])


def cells(line):
    """Of a row of a GitHub table: an escaped character never ends a cell, not even in a code span."""
    assert line.startswith("| ") and line.endswith(" |"), line
    return [cell.strip() for cell in re.findall(r"((?:\\[!-/:-@\[-`{-~]|[^|])*)\|", line[1:])]


def test_hostile_names_in_markdown(program, hostile):
    path, timed, failed = hostile
    text = export(program, path, "markdown")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u2028\u202e]", text)
    table = [line for line in text.split("\n") if line.startswith("|")]
    header, _, *rows = map(cells, table)
    assert {len(row) for row in rows} == {len(header)}
    assert len(rows) == len({row[0] for row in rows}) == len(timed) + len(failed)
    without_verdict = re.sub(r"^\*\*\d+ cases ok, \d+ failed, \d+ skipped\*\*$", "", text, flags=re.MULTILINE)
    outside_code = re.sub(r"(`+).*?(?<!`)\1(?!`)", "", without_verdict)
    assert not re.search(r"[<>@\[\]*_`]", outside_code), outside_code
    outcome = header.index("outcome")
    assert [row[outcome] for row in rows][: len(failed)] == ["crashed"] * len(failed), "failures come first"


def test_a_long_markdown_summary_stays_below_60_kb_and_says_what_is_missing(program):
    document = small()
    document["cases"] = [{**document["cases"][0], "name": f"case {n} " + "x" * 300} for n in range(400)]
    path = program.write_json("long.json", document)
    text = export(program, path, "markdown")
    assert 55_000 < len(text.encode("utf-8")) <= 60_000
    missing, rows = map(int, re.search(r"(\d+) of (\d+) rows are left out", text).groups())
    assert rows == 800 and rows - missing == len(re.findall(r"^\| case \d", text, re.MULTILINE))


def test_google_benchmarks_own_tool_reads_the_export(program):
    pytest.importorskip("scipy", reason="compare.py needs scipy")
    if not COMPARE_PY.exists():
        pytest.skip("no compare.py here; Debian's libbenchmark-tools has it")
    slower = small()
    for case in slower["cases"]:
        for mode in filter(case.get, ("cold", "hot")):
            for sample in case[mode]["samples"]:
                sample["seconds"] *= 2
    path = program.write_json("slower.json", slower)
    export(program, SMALL, "gbench", "base.gbench.json")
    export(program, path, "gbench", "test.gbench.json")
    out = program.folder / "compared.json"
    subprocess.run(
        [sys.executable, COMPARE_PY, "-d", out, "benchmarks", "base.gbench.json", "test.gbench.json"],
        cwd=program.folder,
        check=True,
        capture_output=True,
        timeout=120,
    )
    compared = {entry["name"]: entry["measurements"] for entry in read_json(out)}
    names = {b["name"] for b in program.read_json("base.gbench.json")["benchmarks"]}
    assert set(compared) == names | {"OVERALL_GEOMEAN"}
    assert all(abs(m["time"] - 1) < 1e-6 for ms in compared.values() for m in ms)
    assert {len(ms) for name, ms in compared.items() if name in names} == {3}


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "is not JSON"),
        ('{"schema_version": "1.0.0", "cas', "is not JSON"),
        ("[1]", "is no document of kind 'run'"),
        ('{"schema_version": "9.0.0", "kind": "run", "cases": []}', "use a newer alsbench"),
    ],
)
def test_what_is_no_result_is_refused_and_nothing_is_written(program, content, message):
    (program.folder / "bad.json").write_text(content)
    result = program.run("export", "bad.json", "--to", "csv", "--out", "never.csv", code=2)
    assert "bad.json" in result.stderr and message in result.stderr
    assert not (program.folder / "never.csv").exists()


def test_an_unknown_format_names_the_nearest(program):
    result = program.run("export", SMALL, "--to", "juint", code=2)
    assert "did you mean 'junit'" in result.stderr


@pytest.fixture(scope="module")
def comparison(program, hostile):
    """A comparison of the hostile result with itself, whose first cases then got every verdict."""
    path, _timed, _failed = hostile
    out = program.folder / "comparison.json"
    program.run("compare", path, path, "--json", out, "-q", code=None)
    document = read_json(out)
    compared = [case for case in document["cases"] if case["ratio"] is not None]
    for case, verdict in zip(compared, ("slower", "faster", "same", "environment")):
        case.update(verdict=verdict, regressed=verdict == "slower", ratio=1.05, ratio_low=1.04, ratio_high=1.06)
    compared[4]["figures"] = [{"name": "registers", "base": 40, "test": 72, "worse": True}]
    compared[4]["regressed"] = True
    write_json(out, document)
    return out, document["cases"]


def test_a_comparison_in_junit(program, comparison):
    path, cases = comparison
    suite = ET.fromstring(export(program, path, "junit")).find("testsuite")
    assert [unescaped(case.get("name")) for case in suite] == [case["name"] for case in cases]
    assert len(suite.findall("testcase/failure")) == 2 == int(suite.get("failures")), "slower, and more registers"
    assert len(suite.findall("testcase/error")) == sum(c["verdict"] in ("failed", "missing", "wrong") for c in cases)
    assert any("registers 40 -> 72 (worse)" in f.get("message") for f in suite.findall("testcase/failure"))


def test_a_comparison_in_annotations_of_github(program, comparison):
    path, cases = comparison
    lines = export(program, path, "github-annotations").splitlines()
    assert all(re.fullmatch(r"::(error|warning) title=alsbench [^:,]+::.+", line) for line in lines)
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == sum(c["regressed"] or c["verdict"] in ("failed", "missing", "wrong") for c in cases)
    assert any("title=alsbench slower::" in line and "slower +5.00 %25" in line for line in errors)


def test_a_comparison_in_markdown_csv_and_bencher(program, comparison):
    path, cases = comparison
    text = export(program, path, "markdown")
    slow = sum(case["verdict"] == "slower" for case in cases)
    assert re.search(rf"^\*\*cases failed or vanished: .*{slow} slower", text.split("\n")[2])
    table = [cells(line) for line in text.split("\n") if line.startswith("|")]
    assert table[0][:4] == ["verdict", "base ms", "test ms", "effect %"]
    assert {len(row) for row in table} == {10} and len(table) == len(cases) + 2
    header, *rows = csv.reader(io.StringIO(export(program, path, "csv"), newline=""))
    assert [row[0] for row in rows] == [case["name"] for case in cases]
    assert {len(row) for row in rows} == {len(header)}
    metrics = json.loads(export(program, path, "bencher"))
    assert len(metrics) == sum(case["ratio"] is not None for case in cases)


def test_a_comparison_has_no_place_in_a_format_of_measurements(program, comparison):
    result = program.run("export", comparison[0], "--to", "t4", code=2)
    assert "is a comparison, which t4 cannot represent; export it with --to bencher, junit, " in result.stderr


@pytest.mark.parametrize("form", ["gbench", "nvbench"])
def test_compare_takes_an_export_on_either_side(program, form):
    """Names, medians and roles come back: all cases pair, and no difference of time is seen."""
    folder = program.folder
    export(program, SMALL, form, f"side.{form}.json")
    for base, test in ((SMALL, f"side.{form}.json"), (f"side.{form}.json", SMALL), (f"side.{form}.json",) * 2):
        out = folder / "foreign.json"
        program.run("compare", base, test, "--json", out, "-q", code=None)
        document = read_json(out)
        ratios = {case["name"]: case["ratio"] for case in document["cases"] if case["ratio"] is not None}
        assert len(ratios) == 4 and set(ratios.values()) == {1}
        assert len(document["controls"]) == 1


# Attributes that junit-10.xsd, the schema of Jenkins' xUnit plugin, allows and requires (*).
JUNIT_ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name*", "tests*", "failures*", "errors*", "time", "skipped", "timestamp", "hostname", "id"},
    "testcase": {"name*", "classname", "time", "group"},
    **{kind: {"type", "message"} for kind in ("failure", "error", "skipped")},
}
JUNIT_SECONDS = r"([0-9]{0,3}|[0-9]{3})*(\.[0-9]{0,3})?"


@pytest.mark.parametrize("kind", ["result", "comparison"])
def test_junit_is_valid_by_the_schema_of_jenkins(program, hostile, comparison, kind):
    root = ET.fromstring(export(program, hostile[0] if kind == "result" else comparison[0], "junit"))
    for element in root.iter():
        allowed = JUNIT_ATTRIBUTES[element.tag]
        assert set(element.attrib) <= {name.rstrip("*") for name in allowed}, element.attrib
        assert {name.rstrip("*") for name in allowed if name.endswith("*")} <= set(element.attrib)
        if element.tag.startswith("testsuite"):
            assert re.fullmatch(JUNIT_SECONDS, element.get("time", "0"))
    suite = root.find("testsuite")
    found = {kind: len(suite.findall(f"testcase/{kind}")) for kind in ("failure", "error", "skipped")}
    assert found == {
        "failure": int(suite.get("failures")),
        "error": int(suite.get("errors")),
        "skipped": int(suite.get("skipped")),
    }


def test_summaries_of_nvbench_say_what_they_are(program):
    document = json.loads(export(program, SMALL, "nvbench"))
    states = [state for benchmark in document["benchmarks"] for state in benchmark["states"]]
    shown = {summary["tag"]: (summary["name"], summary.get("hint")) for s in states for summary in s["summaries"] or []}
    assert shown["nv/cold/time/gpu/mean"] == ("GPU Time", "duration")
    assert shown["nv/cold/time/gpu/stdev/relative"] == ("Noise", "percentage")
    assert shown["nv/cold/sample_size"] == ("Samples", "sample_size")
    assert all("group" in {axis["name"] for axis in state["axis_values"]} for state in states if "als_role" in state)


TIMES = {"compilation", "compilation_time", "benchmark", "framework", "search_algorithm", "validation", "runtimes"}


def test_t4_has_the_words_of_those_who_read_it(program):
    for result in json.loads(export(program, SMALL, "t4"))["results"]:
        assert set(result["times"]) == TIMES
        (time,) = [measured["value"] for measured in result["measurements"] if measured["name"] == "time"]
        assert isinstance(time, float) == (result["invalidity"] == "correct"), "else the name of an error"


def test_tunings_are_exported_as_t4_and_as_nothing_else(program):
    words = ["--dataset", "ml-100k", "--scale", 0.05, "--rank", 4, "-d", "cpu", "-q"]
    few = ["--min-samples", 1, "--max-samples", 1, "--playoff-samples", 1, "--budget-evals", 4]
    program.run("tune", "stage", "hermitian", *words, *few, "--json", "stage.json")
    program.run("tune", "pipeline", *words, "--budget-evals", 2, "--budget-seconds", 1, "--json", "pipeline.json")
    stage = program.read_json("stage.json")
    results = json.loads(export(program, "stage.json", "t4"))["results"]
    assert len(results) == len(stage["result"]["points"]) and all(set(r["times"]) == TIMES for r in results)
    assert {r["configuration"]["variant"] for r in results} <= {"naive", "blocked", "tiled", "sgemm"}
    trials = program.read_json("pipeline.json")["trials"]
    results = json.loads(export(program, "pipeline.json", "t4"))["results"]
    assert len(results) == len(trials) and all({"x", "theta"} == set(r["configuration"]) for r in results)
    for name in ("stage.json", "pipeline.json"):
        error = program.run("export", name, "--to", "csv", code=2).stderr
        assert "is a tuning, which csv cannot represent; export it with --to t4" in error


def test_compare_reads_google_benchmark_as_it_is_written(program):
    """With fitted curves, numbers that are no JSON, and a row that was not timed."""
    context = '{"num_cpus": 2, "library_build_type": "release"}'
    rows = [
        '{"name": "BM/8", "run_name": "BM/8", "run_type": "iteration", "real_time": 5.0, "time_unit": "ns", "rate": Infinity, "x": NaN}',
        '{"name": "BM_BigO", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "BigO", "real_coefficient": 1, "big_o": "N"}',
        '{"name": "BM_RMS", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "RMS", "rms": 0.1}',
        '{"name": "idle", "run_name": "idle", "run_type": "iteration", "real_time": 0, "time_unit": "ns"}',
    ]
    text = f'{{"context": {context}, "benchmarks": [{", ".join(rows)}]}}'
    (program.folder / "gbench.json").write_text(text, encoding="utf-8")
    program.run("compare", "gbench.json", "gbench.json", "--json", "compared.json", "-q", code=None)
    cases = program.read_json("compared.json")["cases"]
    assert {case["name"]: case["ratio"] for case in cases if case["ratio"]} == {"BM/8": 1}
