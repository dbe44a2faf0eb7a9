# SPDX-License-Identifier: Apache-2.0
"""ab, aa, compare and history of programs of others: formats, verdicts, limits and faults, each named."""

import glob
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

import pytest

from conftest import Program, git, read_json, validation_errors, write_json
from report_page import Page, made

pytest_plugins = ["report_page"]

KNOWN_PROGRAM = pathlib.Path(__file__).parent / "known_program.py"
OK, REGRESSION, USAGE, ENVIRONMENT, BASELINE, CASES_FAILED, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130
FORMATS = ("google-benchmark", "nvbench", "pyperf", "pytest-benchmark", "hyperfine", "json")
VALUES = ["--value", "/latency:ms", "--value", "/rate:MB/s:higher"]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("programs"))


@pytest.fixture
def command(tmp_path):
    """The command line of a program with these settings."""

    def make(name, **settings):
        write_json(tmp_path / name, settings)
        return f"{sys.executable} -I -S {KNOWN_PROGRAM} {tmp_path / name}"

    return make


def flags_of(form):
    return ["--format", form, *(VALUES if form == "json" else [])]


def ab(program, base, test, *arguments, form="google-benchmark", **options):
    words = ["--base", base, "--test", test, *flags_of(form), "--json", "comparison.json", *arguments]
    return program.run("ab", *words, **options)


def comparison(program):
    document = program.read_json("comparison.json")
    assert validation_errors(document, "comparison") == []
    return document


def verdicts(document):
    return {case["name"]: case["verdict"] for case in document["cases"]}


NAMES = {
    "nvbench": {"a": "a/Device=0/cold", "b": "b/Device=0/cold"},
    "pytest-benchmark": {"a": "test_it.py::a", "b": "test_it.py::b"},
    "json": {"a": "latency/a", "b": "latency/b"},
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_slower_program_is_found_in_each_format_and_a_faster_one_is_none(program, command, form):
    plain = command("plain", form=form)
    slow = command("slow", form=form, factors={"a": 1, "b": 1.05})
    ab(program, plain, slow, form=form, code=REGRESSION)
    document = comparison(program)
    names = NAMES.get(form, {"a": "a", "b": "b"})
    expected = {names["a"]: "same", names["b"]: "slower"} | ({"rate": "same"} if form == "json" else {})
    assert verdicts(document) == expected
    sides = document["programs"]
    assert sides["format"] == form and sides["base"]["command"].endswith("plain")
    slower = next(case for case in document["cases"] if case["verdict"] == "slower")
    assert abs(slower["ratio"] - 1.05) < 1e-3 and abs(slower["base_seconds"] - 1e-3) < 1e-6
    ab(program, slow, plain, form=form, code=OK)


def test_of_a_rate_more_is_better(program, command):
    plain, slow = command("plain", form="json"), command("slow", form="json", factors={"a": 1.05, "b": 1})
    out = ab(program, plain, slow, form="json", code=REGRESSION).stdout
    rate = next(case for case in comparison(program)["cases"] if case["name"] == "rate")
    assert (rate["verdict"], rate["unit"], rate["more_is_better"]) == ("slower", "MB/s", True)
    assert rate["test_value"] < rate["base_value"] and rate["ratio"] > 1 and rate["base_seconds"] is None
    assert "MB/s" in out
    text = program.run("export", "comparison.json", "--to", "csv").stdout
    assert "MB/s" in text
    ab(program, slow, plain, form="json", code=OK)


def test_exports_take_it(program, command):
    ab(program, command("plain"), command("slow", factors={"a": 1, "b": 1.05}), code=REGRESSION)
    junit = ET.fromstring(program.run("export", "comparison.json", "--to", "junit").stdout)
    suite = junit if junit.tag == "testsuite" else junit.find("testsuite")
    assert suite.get("failures") == "1"
    assert "| slower" in program.run("export", "comparison.json", "--to", "markdown").stdout
    assert "::error" in program.run("export", "comparison.json", "--to", "github-annotations").stdout


def test_the_page_judges_values_in_their_unit(browser, program, command):
    plain, slow = command("plain", form="json"), command("slow", form="json", factors={"a": 1.05, "b": 1})
    ab(program, plain, slow, form="json", code=REGRESSION)
    page = Page(browser, made(program, program.folder / "comparison.json")).page
    found = page.evaluate("(doc) => judgeFile(doc, doc.rules)", comparison(program))
    assert {one["name"]: one["verdict"] for one in found["cases"]} == verdicts(comparison(program))
    assert page.locator("tr", has_text="rate").first.inner_text().count("MB/s") == 2


def test_a_confirmation_measures_the_suspects_alone(program, command):
    ab(program, command("plain"), command("slow", factors={"a": 1, "b": 1.05}), code=REGRESSION)
    fresh = [one for one in comparison(program)["launches"] if one["phase"] == "confirmation"]
    assert fresh and all([case["name"] for case in one["cases"]] == ["b"] for one in fresh)


@pytest.mark.parametrize("lost, code", [("base", ENVIRONMENT), ("both", ENVIRONMENT), ("test", CASES_FAILED)])
def test_suspects_that_vanish_are_written_down_as_what_they_are(program, command, lost, code):
    sides = {
        side: command(
            side, factors={"a": 1, "b": 1.05 if side == "test" else 1}, vanishes=side == lost or lost == "both"
        )
        for side in ("base", "test")
    }
    ended = ab(program, *sides.values(), "--md", "comparison.md", "-q", code=code)
    document = comparison(program)
    assert verdicts(document) == {"a": "same", "b": "missing" if lost == "test" else "undecided"}
    assert "| b" in (program.folder / "comparison.md").read_text(encoding="utf-8")
    assert len([one for one in document["launches"] if one["phase"] == "confirmation"]) == 2 * 6
    if lost != "test":
        assert document["design"]["stop_reason"] == "vanished"
        assert "the base did not measure it again" in ended.stdout
        assert "1 of 2 cases could not be told slower or faster: b (4 + 4 launches)" in ended.stderr
        assert "1 of 2 cases are undecided" in ended.stderr
    junit = program.run("export", "comparison.json", "--to", "junit").stdout
    assert 'name="b"' in junit


def test_quiet_leaves_the_story_and_the_verdict(program, command):
    ended = ab(program, command("plain"), command("slow", factors={"a": 1, "b": 1.05}), "-q", code=REGRESSION)
    first, *_, last = ended.stderr.splitlines()
    assert first == "story: real change: 1 of 2 cases slower or faster, the most b by +5.0 %"
    assert last == "1 slower, 1 same: there is a regression"
    assert "launch" not in ended.stderr


def test_a_file_of_a_chosen_name_takes_the_place_of_flags(program, command):
    placed = command("plain", form="json") + " --to {json}; true"
    ab(program, placed, placed, form="json", code=OK)
    assert verdicts(comparison(program)) == {"latency/a": "same", "latency/b": "same", "rate": "same"}


def test_the_commit_of_each_side_is_kept(program, command, tmp_path):
    git(tmp_path, "init", "-q")
    plain = command("plain")
    git(tmp_path, "add", "plain")
    git(tmp_path, "commit", "-q", "-m", "one")
    commit = git(tmp_path, "rev-parse", "HEAD").strip()
    # The first word in a checkout: known_program.py lies in this repository, so it is hidden behind a name.
    link = tmp_path / "run.sh"
    link.write_text(f'exec {plain} "$@"\n', encoding="utf-8")
    ab(program, f"sh {link}", f"sh {link}", code=OK)
    side = comparison(program)["programs"]["base"]
    assert (side["git_commit"], side["git_dirty"]) == (commit, False)
    assert str(tmp_path) not in json.dumps(comparison(program)), "folders are nobody's business"


@pytest.mark.parametrize(
    "fault, said, code",
    [
        ("exit", "ended with exit code 7", CASES_FAILED),
        ("hang", "was not done within 1 s and was killed", CASES_FAILED),
        ("memory", "took more than 0.10 GiB of memory and was killed", CASES_FAILED),
        ("nothing", "wrote no JSON", USAGE),
        ("torn", "its JSON (google-benchmark)", USAGE),
        ("empty", "its JSON (google-benchmark)", USAGE),
    ],
)
def test_a_faulty_program_is_named_with_side_launch_and_remedy(program, command, fault, said, code):
    plain, faulty = command("plain"), command("faulty", fault=fault)
    limits = {"hang": ["--launch-timeout", "1"], "memory": ["--launch-memory", "100MiB"]}.get(fault, [])
    begin = time.monotonic()
    for sides, expected, name in (((plain, faulty), code, "test"), ((faulty, plain), BASELINE, "base")):
        stderr = ab(program, *sides, *limits, code=expected).stderr
        assert f"the {name} program, launch " in stderr and said in stderr
        assert "command: " in stderr and "out of order" in stderr
    assert time.monotonic() - begin < 60


def test_what_is_wrong_with_json_is_not_blamed_on_its_place(program):
    words = ["--format", "json", "--value", "/a:ms"]
    for number in ("0", "NaN", '"5"'):
        line = f"echo '{{\"a\": {number}}}'"
        stderr = program.run("ab", "--base", line, "--test", line, *words, code=None).stderr
        assert "it is JSON, but not as it must be: check --format, --value" in stderr, stderr


def test_two_benchmarks_of_one_name_are_refused(program, command):
    """They would be one row, of launches of both."""
    words = ["ab", "--base", 'echo \'{"a": {"b": 3}}\'', "--test", 'echo \'{"a": {"b": 3}}\'', "--format", "json"]
    for values in (["/a/b:ms", "/a/b:s"], ["/a:ms", "/a/b:ms"]):
        stderr = program.run(*words, "--value", values[0], "--value", values[1], code=None).stderr
        assert "has two benchmarks named 'a/b'" in stderr and "each place one --value" in stderr
    folder = files_of(program, command, "twins", 1, form="pyperf")
    text = (folder / "0.json").read_text().replace('"name": "b"', '"name": "a"')
    (folder / "0.json").write_text(text)
    good = files_of(program, command, "no-twins", 1, form="pyperf")
    assert "has two benchmarks named 'a'" in program.run("compare", good, folder, code=USAGE).stderr


def test_a_program_that_is_not_there_is_named(program, command):
    stderr = ab(program, command("plain"), "./nowhere --fast", code=USAGE).stderr
    assert "cannot be started" in stderr and "./nowhere --fast" in stderr and "not found" in stderr


@pytest.mark.parametrize(
    ("sides", "option", "name", "file"),
    [
        (
            ["ab", "--base", "echo x >> ran", "--test", "true"],
            "--json",
            "notes.txt/deep/r.json",
            "notes.txt/deep/r.json",
        ),
        (["ab", "--base", "echo x >> ran", "--test", "true"], "--md", "notes.txt/r.md", "notes.txt/r.md"),
        (["ab", "--base", "true", "--test", "echo x >> ran"], "--out", "notes.txt", "notes.txt/ab-json.json"),
        (["aa", "--build", "echo x >> ran"], "--out", "notes.txt", "notes.txt/aa-json.json"),
    ],
)
def test_what_cannot_be_written_is_said_before_a_launch(program, sides, option, name, file):
    (program.folder / "ran").unlink(missing_ok=True)
    (program.folder / "notes.txt").write_text("no folder\n")
    said = program.run(*sides, "--format", "json", "--value", "/a:ms", option, name, code=3).stderr
    assert f"cannot write '{file}': Not a directory; choose a writable folder with free space" in said
    assert not (program.folder / "ran").exists()


def test_programs_without_a_common_benchmark_are_refused(program, command):
    stderr = ab(program, command("plain"), command("other", factors={"c": 1}), code=BASELINE).stderr
    assert "base has: a, b; test has: c" in stderr


def test_a_number_that_is_not_there_is_named(program, command):
    plain = command("plain", form="json")
    words = ["ab", "--base", plain, "--test", plain, "--format", "json"]
    assert "has nothing at '/speed'" in program.run(*words, "--value", "/speed:MB/s:higher", code=USAGE).stderr
    for value, said in (("/latency", "has no unit"), ("latency:ms", "does not begin with /")):
        assert said in program.run(*words, "--value", value, code=USAGE).stderr
    assert "--value" in program.run(*words, code=USAGE).stderr
    assert "--value" in program.run(*words[:-1], "pyperf", "--value", "/a:ms", code=USAGE).stderr


def test_options_of_builds_are_none_of_programs(program, command):
    for words in (["ci"], ["--device", "cpu"], ["--counters"]):
        assert "--format" in ab(program, command("plain"), command("other"), *words, code=USAGE).stderr


def test_too_few_launches_are_refused_after_the_first(program, command):
    stderr = ab(program, command("plain"), command("plain"), "--max-launches", "4", code=USAGE).stderr
    assert "the program has 2 cases" in stderr


def test_aa_says_what_it_would_find(program, command):
    words = ["--build", command("plain"), "--format", "google-benchmark", "--json", "comparison.json"]
    result = program.run("aa", *words)
    assert "0 false alarms" in result.stdout and "fit: equal builds compare as equal" in result.stderr
    document = comparison(program)
    assert document["self"]["alarms"] == 0 and document["programs"]["base"] == document["programs"]["test"]
    assert "--build" in program.run("aa", "--format", "pyperf", code=USAGE).stderr


def test_an_interrupted_comparison_of_programs_keeps_its_launches_and_no_folder(program, command, tmp_path):
    hangs = command("hangs", fault="hang")
    words = ["ab", "--base", command("plain"), "--test", hangs, "--format", "google-benchmark", "--out", "kept"]
    program_in = Program(program.folder)
    environment = {**program_in.environment, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [program_in.path, *words], cwd=program.folder, env=environment, text=True, stderr=subprocess.PIPE
    ) as process:
        while not (tmp_path / "hangs.launches").exists():
            time.sleep(0.01)
        assert glob.glob(str(tmp_path / "alsbench-ab-*"))
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=60)[1]
    assert process.returncode == INTERRUPTED and "ab-google-benchmark.json" in rest
    assert not glob.glob(str(tmp_path / "alsbench-ab-*"))


def test_what_a_killed_comparison_left_is_removed_by_the_next(program, command, tmp_path):
    left = pathlib.Path(tempfile.mkdtemp(prefix="alsbench-ab-", dir=tmp_path))
    left = left.rename(tmp_path / "alsbench-ab-abcdef")
    (left / "launch.json").write_text("{}")
    os.utime(left, (1, 1))
    young = tmp_path / "alsbench-ab-ghijkl"
    young.mkdir()
    ab(program, command("plain"), command("plain"), code=OK, TMPDIR=str(tmp_path))
    assert not left.exists() and young.exists()


def files_of(program, command, name, count=12, **settings):
    """A folder of `count` files, a launch each."""
    folder = program.folder / name
    folder.mkdir(exist_ok=True)
    line = command(name, **settings)
    for number in range(count):
        (folder / f"{number}.json").write_text(subprocess.check_output(line, shell=True, text=True))
    return folder


@pytest.mark.parametrize("form", ["pyperf", "hyperfine", "json"])
def test_compare_reads_files_of_other_tools(program, command, form):
    base = files_of(program, command, f"{form}-base", form=form)
    test = files_of(program, command, f"{form}-test", form=form, factors={"a": 1, "b": 1.2})
    words = ["compare", base, test, *(VALUES if form == "json" else [])]
    assert "slower" in program.run(*words, code=REGRESSION).stdout
    program.run("compare", base, base, *words[3:], code=OK)


def test_a_command_that_fails_fast_is_not_faster(program, command):
    """hyperfine measures it under --ignore-failure, and ends with 0."""

    def end_with(code):
        return lambda document: [one.update(exit_codes=[code] * 3) for one in document["results"]]

    good = files_of(program, command, "ends-well", form="hyperfine")
    fails = files_of(program, command, "fails", form="hyperfine", factors={"a": 0.1, "b": 1})
    changed_files(good, end_with(0))
    changed_files(fails, end_with(2))
    found = program.run("compare", good, fails, code=CASES_FAILED).stdout
    assert found.count("failed") == 2 and "crashed: runs ended with exit code 2, and none of the base did" in found
    program.run("compare", fails, fails, code=OK)


def test_a_command_as_short_as_its_shell_leaves_out_itself_alone(program, command):
    """hyperfine 1.15 and later write 0 for it."""

    def shorten(document):
        document["results"][0]["times"] = [0.0, 0.0, 0.001]

    folder = files_of(program, command, "short", form="hyperfine")
    changed_files(folder, shorten)
    result = program.run("compare", folder, folder, code=OK)
    assert "1 same: no regression" in result.stderr
    for path in folder.iterdir():
        document = json.loads(path.read_text())
        path.write_text(json.dumps({"results": document["results"][:1]}))
    assert "hyperfine -N starts it without one" in program.run("compare", folder, folder, code=BASELINE).stderr


def test_a_first_launch_that_skips_a_benchmark_hides_no_slowdown(program, command):
    base = files_of(program, command, "skips-first")
    slow = files_of(program, command, "slow-after", factors={"a": 1, "b": 1.2})

    def skip(document):
        document["benchmarks"][1].update(skipped="s", skip_message="no input")

    first = base / "0.json"
    document = json.loads(first.read_text())
    skip(document)
    first.write_text(json.dumps(document))
    assert "slower" in program.run("compare", base, slow, code=REGRESSION).stdout


def test_a_new_benchmark_that_fails_is_a_fault(program, command):
    base, test = (files_of(program, command, name) for name in ("without", "with-new"))
    fault = {"name": "c", "run_name": "c", "run_type": "iteration", "error_occurred": True, "error_message": "boom"}
    changed_files(test, lambda document: document["benchmarks"].append(fault))
    assert "crashed: boom" in program.run("compare", base, test, code=CASES_FAILED).stdout


def test_sides_measured_one_after_the_other_may_have_drifted(program, command):
    """A machine that is 2 % slower the next day: without controls nobody can tell."""
    base = files_of(program, command, "first", form="hyperfine")
    drifted = files_of(program, command, "later", form="hyperfine", factors={"a": 1.02, "b": 1.02})
    result = program.run("compare", base, drifted, code=ENVIRONMENT)
    assert "measure them in turn: alsbench ab" in result.stdout
    assert "in turn" not in program.run("compare", base, base, code=OK).stdout


def test_sides_measured_in_turn_share_a_drift(program, command):
    """Files of Google Benchmark say when they were made."""
    folders = []
    for side, factor in ((0, 1), (1, 1.02)):
        folder = files_of(program, command, f"turn-{side}", factors={"a": factor, "b": 1})
        for number in range(12):
            path = folder / f"{number}.json"
            document = read_json(path)
            document["context"]["date"] = f"2026-01-02T03:{number:02}:{30 * side:02}+01:00"
            write_json(path, document)
        folders.append(folder)
    assert "slower" in program.run("compare", *folders, code=REGRESSION).stdout


WRITTEN = {"NaN": "NaN", "Infinity": "Infinity", "-Infinity": "-Infinity", "null": "null"}
PLACES = {
    "google-benchmark": "/benchmarks/1/real_time",
    "nvbench": "/benchmarks/1/states/0/summaries/0/data/0/value",
    "pyperf": "/benchmarks/1/runs/1/values/0",
    "pytest-benchmark": "/benchmarks/1/stats/data/0",
    "hyperfine": "/results/1/times/0",
    "json": "/latency/b/0",
}


@pytest.mark.parametrize("value", WRITTEN)
@pytest.mark.parametrize("form", FORMATS)
def test_a_time_that_is_no_number_is_named(program, command, form, value):
    """With its benchmark and its place, whether others of the file have one or not."""
    good, folder = (files_of(program, command, f"{form}-{name}", 1, form=form) for name in ("good", "numbers"))
    document = read_json(folder / "0.json")
    *way, last = PLACES[form].strip("/").split("/")
    parent = document
    for step in way:
        parent = parent[int(step) if step.isdigit() else step]
    parent[int(last) if last.isdigit() else last] = "@"
    (folder / "0.json").write_text(json.dumps(document).replace('"@"', value))
    stderr = program.run("compare", good, folder, *(VALUES if form == "json" else []), code=USAGE).stderr
    name = {"nvbench": "b/Device=0", "pytest-benchmark": "test_it.py::b", "json": "latency/b"}.get(form, "b")
    assert f"0.json: is damaged: {PLACES[form]}: a value of '{name}' is {value}, which is no number" in stderr, stderr
    assert "measure it again, or leave it out" in stderr
    words = ["history", "numbers", "--add", folder / "0.json", *(VALUES if form == "json" else [])]
    assert f"{PLACES[form]}: a value of '{name}' is {value}" in program.run(*words, code=USAGE).stderr


@pytest.mark.parametrize("text", ["nan", "inf", "fast"])
def test_a_text_of_nvbench_that_is_no_number_is_named(program, command, text):
    good, folder = (files_of(program, command, name, 1, form="nvbench") for name in ("nvbench-good", "nvbench-texts"))
    document = read_json(folder / "0.json")
    document["benchmarks"][0]["states"][0]["summaries"][0]["data"][0]["value"] = text
    write_json(folder / "0.json", document)
    stderr = program.run("compare", good, folder, code=USAGE).stderr
    assert f"a value of 'a/Device=0' is {text}, which is no number" in stderr


def test_a_file_whose_times_are_0_says_so(program, command):
    good, folder = (files_of(program, command, f"times-{n}", 1, factors={"a": n}) for n in (1, 0))
    stderr = program.run("compare", good, folder, code=USAGE).stderr
    assert "holds no benchmark with a time" in stderr and "'a'" in stderr and "/benchmarks/0/real_time is 0" in stderr


def test_a_benchmark_whose_time_is_0_on_both_sides_is_named(program, command):
    base = files_of(program, command, "some-0", factors={"a": 1, "b": 0})
    ended = program.run("compare", base, base, code=OK)
    assert "not compared: 1 case that neither side measured: b\n" in ended.stderr


STORY = "story: changed method: "


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("OMP_NUM_THREADS=1 {}", "OMP_NUM_THREADS=2 {}", "variable OMP_NUM_THREADS: 1 -> 2"),
        ("{}", "OMP_NUM_THREADS=2 {}", "variable OMP_NUM_THREADS: nothing -> 2"),
        ("export OMP_NUM_THREADS=4; {}", "{}", "variable OMP_NUM_THREADS: 4 -> nothing"),
        ("{} --size=64", "{} --size=128", "flag --size: 64 -> 128"),
        ("{} --size 64", "{} --size 128", "flag --size: 64 -> 128"),
        ("{}", "{} --fast", "flag --fast: nothing -> set"),
        ("{} 10", "{} 20", "numbers: 10 -> 20"),
        ("{} --axis N=1", "{} --axis N=2", "flag --axis: N=1 -> N=2"),
        ("env -u A N=1 {}", "env -u A N=2 {}", "variable N: 1 -> 2"),
        ('sh -c \'{} --n=1 "$0" "$@"\'', 'sh -c \'{} --n=2 "$0" "$@"\'', "flag --n: 1 -> 2"),
    ],
)
def test_another_method_is_told(program, command, before, after, told):
    plain = command("plain")
    stderr = ab(program, before.format(plain), after.format(plain), code=OK).stderr
    assert STORY + told in stderr, stderr
    first = comparison(program)["stories"][0]
    assert (first["kind"], first["evidence"]) == ("method", told)
    markdown = program.run("export", "comparison.json", "--to", "markdown").stdout
    assert f"- story: changed method: `{told}`" in markdown


def test_folders_and_names_of_files_are_no_method(program, command, tmp_path):
    """The sides lie in folders of their own."""
    plain = command("plain")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.sh").write_text(f'exec {plain} "$@"\n')
        (tmp_path / name / "settings").write_text("")
        (tmp_path / name / f"{name}.txt").write_text("")
    sides = [f"cd {tmp_path}/{name} && cat -u {tmp_path}/{name}/{name}.txt && sh -u {tmp_path}/{name}/run.sh --root {tmp_path}/{name} --to={{json}} "
             f"--config={tmp_path}/{name}/settings" for name in ("one", "two")]  # fmt: skip
    stderr = ab(program, *[f"{side}; {plain} --benchmark_out={{json}}" for side in sides], code=OK).stderr
    assert "changed method" not in stderr, stderr


def changed_files(folder, change):
    for path in folder.iterdir():
        document = read_json(path)
        change(document)
        write_json(path, document)


@pytest.mark.parametrize(
    ("form", "before", "after", "told"),
    [
        ("google-benchmark", {"OMP_NUM_THREADS": "1"}, {"OMP_NUM_THREADS": "2"}, "OMP_NUM_THREADS: 1 -> 2"),
        ("google-benchmark", {"library_version": "1.8"}, {"library_version": "1.9"}, "library_version: 1.8 -> 1.9"),
        ("google-benchmark", {"aslr_enabled": False}, {"aslr_enabled": True}, "aslr_enabled: false -> true"),
        ("nvbench", {"argv": ["a/b", "--axis", "N=1"]}, {"argv": ["c/b", "--axis", "N=2"]}, "flag --axis: N=1 -> N=2"),
        ("pyperf", {"python_version": "3.12"}, {"python_version": "3.13"}, "python_version: 3.12 -> 3.13"),
        ("pyperf", {"cpu_affinity": "0"}, {"cpu_affinity": "1-2"}, "cpu_affinity: 0 -> 1-2"),
    ],
)
def test_another_method_that_files_tell_is_told(program, command, form, before, after, told):
    place = {"google-benchmark": "context", "nvbench": "meta", "pyperf": "metadata"}[form]
    folders = []
    for side, settings in (("before", before), ("after", after)):
        folders.append(files_of(program, command, f"{form}-{side}", 6, form=form))
        changed_files(folders[-1], lambda document, settings=settings: document[place].update(settings))
    assert STORY + told in program.run("compare", *folders, code=OK).stderr
    assert STORY not in program.run("compare", folders[0], folders[0], code=OK).stderr


def test_a_processor_whose_clock_was_let_go_is_another_machine(program, command):
    folders = []
    for scaling in (False, True):
        folders.append(files_of(program, command, f"scaling-{scaling}", 6))
        changed_files(folders[-1], lambda document, on=scaling: document["context"].update(cpu_scaling_enabled=on))
    stderr = program.run("compare", *folders, code=OK).stderr
    assert "other hardware or driver: cpu_scaling_enabled: false -> true" in stderr, stderr


def test_files_of_two_formats_are_no_side(program, command):
    mixed = files_of(program, command, "mixed", 2)
    (mixed / "1.json").write_text((files_of(program, command, "other", 1, form="hyperfine") / "0.json").read_text())
    for words in (
        ["compare", files_of(program, command, "unmixed", 2), mixed],
        ["history", "kept-mixed", "--add", mixed],
    ):
        stderr = program.run(*words, code=USAGE).stderr
        assert "of two formats: " in stderr and "google-benchmark" in stderr and "hyperfine" in stderr, stderr


def test_another_machine_is_refused_in_words(program, command):
    base, test = (files_of(program, command, name, 2) for name in ("here", "there"))
    for path in test.iterdir():
        path.write_text(path.read_text().replace('"host_name": "a"', '"host_name": "b"'))
    stderr = program.run("compare", base, test, code=BASELINE).stderr
    assert "host_name: a -> b; --cross-env" in stderr


def test_another_unit_is_refused_in_words(program, command):
    base = files_of(program, command, "seconds", 2, form="pyperf")
    test = files_of(program, command, "bytes", 2, form="pyperf")
    for path in test.iterdir():
        path.write_text(path.read_text().replace('"second"', '"byte"'))
    stderr = program.run("compare", base, test, code=BASELINE).stderr
    assert "case 'a' is in s on the base side, and in byte on the test side" in stderr


def history_of(program, folder):
    return [read_json(path) for path in sorted((program.folder / folder).iterdir())]


def test_a_history_takes_files_of_other_tools(program, command):
    file = files_of(program, command, "kept", 1) / "0.json"
    program.run("history", "gbench", "--add", file, "--commit", "abc")
    (run,) = history_of(program, "gbench")
    assert (run["time_utc"], run["git_commit"], run["suite"]) == ("2026-01-02T02:04:05Z", "abc", "google-benchmark")
    assert [point["name"] for point in run["points"]] == ["a", "b"] and run["points"][0]["device"] == "a"
    file = files_of(program, command, "values", 1, form="json") / "0.json"
    program.run("history", "rates", "--add", file, "--value", "/rate:MB/s:higher")
    (run,) = history_of(program, "rates")
    assert run["points"][0]["unit"] == "MB/s"
    program.run("history", "rates", code=ENVIRONMENT)


def test_a_history_begins_a_new_series_where_the_unit_changes(program):
    """1000 KB are not 1000 times 1 MB, and a cost is no rate."""
    for number in range(36):
        value, unit = [(1000, "KB"), (1, "MB"), (1, "MB:higher")][number // 12]
        (program.folder / "size.json").write_text(json.dumps({"size": value * (1 + 1e-3 * (number % 3))}))
        words = ["--value", f"/size:{unit}", "--time", f"2026-01-01T{number // 2:02}:{number % 2}0:00Z", "-q"]
        program.run("history", "units", "--add", "size.json", *words)
    found = json.loads(program.run("history", "units", "--json", "-q", code=OK).stdout)
    assert found["shifts"] == [] and validation_errors(found, "history") == []
    assert [(one["unit"], one.get("more_is_better", False)) for one in found["series"]] == [
        ("KB", False),
        ("MB", False),
        ("MB", True),
    ]


def test_a_history_takes_the_test_side_of_programs(program, command):
    ab(program, command("plain"), command("other", factors={"a": 1, "b": 0.9}), code=OK)
    program.run("history", "programs", "--add", "comparison.json")
    (run,) = history_of(program, "programs")
    assert {point["name"]: round(point["seconds"], 5) for point in run["points"]} == {"a": 0.001, "b": 0.0009}
    program.run("history", "programs", code=ENVIRONMENT)


def test_a_build_that_hangs_is_ended(program, tmp_path):
    """As any launch, by the same limit."""
    hangs = tmp_path / "hangs"
    hangs.write_text("#!/bin/sh\necho waiting for a lock >&2\nsleep 600\n")
    hangs.chmod(0o755)
    words = ["--base", program.path, "--test", hangs, "quick", "--device", "cpu", "--filter", "solve/cg"]
    words += ["--min-samples", "1", "--max-samples", "1", "--launch-timeout", "10"]
    stderr = program.run("ab", *words, code=None).stderr
    assert "was not done within 10 s and was killed" in stderr and "waiting for a lock" in stderr
