# SPDX-License-Identifier: Apache-2.0
"""One rule for the options that name outputs and formats (docs/reference/cli.md), held over all commands and options of the manual."""

import json
import pathlib
import re

import pytest

from conftest import BINARY, ROOT, SMALL, Program, git

FORMS = {"--json", "--csv", "--md", "--header"}
# Files that a command keeps in addition to what it makes: each has an option of its own.
BESIDE = {
    ("tune stage", "--journal"),
    ("tune pipeline", "--journal"),
    ("train", "--checkpoint"),
    ("plan", "--folder"),
    ("data generate", "--test-out"),
    ("data split", "--test-out"),
}
SUITE = {
    "name": "small",
    "description": "One variant.",
    "problems": [{"path": "r.tsv", "rank": 4}],
    "measure": [{"stage": "hermitian", "variant": "naive", "backend": "cpu", "part": "x", "cache": "hot"}],
}
RATINGS = "".join(f"{user}\t{item}\t{1 + (user * item) % 5}\n" for user in range(30) for item in range(20))
PROGRAM = str(BINARY)
LAUNCHES = ["small.json", "-d", "cpu", "--max-samples", "5", "-q"]
ONE_BLOCK = ["--screening-launches", "2", "--budget-seconds", "1e-9"]
BUILDS = ["--build-command", f"ln -sf {PROGRAM} alsbench", "--builds", "cache/builds"]
TUNE = ["--data", "r.tsv", "--rank", "4", "-d", "cpu", "--fresh", "-q"]
STAGE = ["tune", "stage", "hermitian", *TUNE, "-b", "naive", "--max-samples", "1", "--min-samples", "1"]

# A use of each command that has --out or a form, and the exit codes that it may end with.
USES = {
    "list": (["list", "suites"], [0]),
    "doctor": (["doctor"], [0]),
    "compile": (["compile", "--filter", "hermitian/naive", "--arch", "sm_90", "-q"], [0]),
    "run": (["run", "small.json", "-d", "cpu", "--max-samples", "5", "--fresh", "-q"], [0]),
    "profile": (["profile", "small.json", "-d", "cpu", "--fresh", "-q"], [0]),
    "merge": (["merge", "0.json.journal", "-q"], [0]),
    "plan": (["plan", "quick", "--emit", "slurm", "--shards", "2"], [0]),
    "suite init": (["suite", "init"], [0]),
    "best": (["best", "--data", "r.tsv", "--rank", "4", "-d", "cpu", "-q"], [0]),
    "compare": (["compare", SMALL, SMALL, "-q"], [5]),
    "ab": (["ab", "--base", PROGRAM, "--test", PROGRAM, *ONE_BLOCK, *LAUNCHES], [0, 1, 3]),
    "bisect": (["bisect", "main~1..main", "--repository", "repository", *BUILDS, *ONE_BLOCK, *LAUNCHES], [0, 1, 3]),
    "aa": (["aa", "--build", PROGRAM, "--launches", "6", *LAUNCHES], [0, 1, 3]),
    "history": (["history", "past", "-q"], [3]),
    "export": (["export", SMALL, "--to", "csv", "-q"], [0]),
    "report": (["report", SMALL], [0]),
    "data info": (["data", "info", "r.tsv", "-q"], [0]),
    "data generate": (["data", "generate", "ml-100k", "--scale", "0.05", "--to", "tsv", "-q"], [0]),
    "data convert": (["data", "convert", "r.tsv", "--to", "csv", "-q"], [0]),
    "data split": (["data", "split", "r.tsv", "--to", "tsv", "-q"], [0]),
    "train": (["train", "--data", "r.tsv", "--rank", "2", "--iterations", "1", "-d", "cpu", "-q"], [0]),
    "evaluate": (["evaluate", "--model", "model", "--test", "r.tsv", "-q"], [0]),
    "predict": (["predict", "--model", "model", "--pairs", "pairs.tsv", "-q"], [0]),
    "recommend": (["recommend", "--model", "model", "-d", "cpu", "-q"], [0]),
    "similar": (["similar", "--model", "model", "-d", "cpu", "-q"], [0]),
    "explain": (["explain", "--model", "model", "--seen", "r.tsv", "--user", "1", "--item", "2", "-q"], [0]),
    "tune stage": ([*STAGE, "--playoff-samples", "1"], [0]),
    "tune pipeline": (
        ["tune", "pipeline", *TUNE, "--iterations", "2", "--budget-evals", "2", "--budget-seconds", "1"],
        [0],
    ),
    "tune replay": (["tune", "replay", "recorded.journal", "-q"], [0]),
}


def manual_options():
    """By command, its options as {name: (short names, value, description)}, as the program's manual has them."""
    text = Program(ROOT).run("manual").stdout.replace("\\-", "-").replace("\\&", "")
    commands = {}
    for head, section in re.findall(r"^\.SH ([A-Z ]+)\n(.*?)(?=^\.SH |\Z)", text, re.MULTILINE | re.DOTALL):
        options = {}
        for line, description in re.findall(r"^\.TP\n\\fB(-.*?)\\fR\n(.*)$", section, re.MULTILINE):
            names, _, value = re.fullmatch(r"((?:--?[\w-]+(?:, )?)+)( (.+))?", line).groups()
            names = names.strip(" ,").split(", ")
            options[names[0]] = (names[1:], value or "", description)
        if options:
            commands[head.lower()] = options
    return commands


COMMANDS = manual_options()
OPTIONS = [(command, name) for command, options in COMMANDS.items() for name in options]
FORMED = [(command, name) for command, name in OPTIONS if name in FORMS]
OUT = {command: options["--out"] for command, options in COMMANDS.items() if "--out" in options}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("outputs"))
    (program.folder / "r.tsv").write_text(RATINGS, encoding="utf-8")
    (program.folder / "pairs.tsv").write_text("1\t1\n", encoding="utf-8")
    program.write_json("small.json", SUITE)
    program.run("train", "--data", "r.tsv", "--rank", "2", "--iterations", "1", "-d", "cpu", "--out", "model", "-q")
    program.run("run", "small.json", "-d", "cpu", "--max-samples", "5", "--shard", "0/1", "--json", "0.json", "-q")
    program.run("history", "past", "--add", SMALL, "-q")
    program.run(*STAGE, "--record", "--journal", "recorded.journal", "--json", "recorded.json")
    git(program.folder, "init", "--quiet", "--initial-branch", "main", "repository")
    for message in ("One", "Two"):
        git(program.folder / "repository", "commit", "--quiet", "--allow-empty", "--message", message)
    return program


def use(program, command, *more):
    """The command's output, and the files that are new or changed since."""
    words, codes = USES[command]
    before = {path: path.stat().st_mtime_ns for path in program.folder.rglob("*") if path.is_file()}
    result = program.run(*words, *more, code=None)
    assert result.returncode in codes, result.stderr
    after = {path: path.stat().st_mtime_ns for path in program.folder.rglob("*") if path.is_file()}
    places = {path.relative_to(program.folder) for path, time in after.items() if before.get(path) != time}
    return result.stdout, {place for place in places if place.parts[0] not in ("cache", "data")}


def test_each_command_with_an_output_is_used_here():
    assert set(USES) == set(OUT) | {command for command, _ in FORMED}


@pytest.mark.parametrize("command, name", OPTIONS)
def test_an_option_is_called_by_what_it_names(command, name):
    short, value, description = COMMANDS[command][name]
    if name == "--out":
        assert short == ["-o"] and value in ("F", "DIR", "PATH")
    elif name in FORMS:
        assert not short and value == "[F]" and description.endswith("or to stdout without a name")
    elif name == "--format":
        assert "ormat of the" in description or "default: by content" in description, "--format is of what is read"
    elif (command, name) not in BESIDE:
        assert "-o" not in short and value not in ("F", "DIR", "[F]"), "outputs are named by --out and the forms"
        assert not re.search(r"stdout|Writes? .* to |that gets ", description), (
            "outputs are named by --out and the forms"
        )


@pytest.mark.parametrize("command", [command for command, options in COMMANDS.items() if "--device" in options])
def test_auto_is_a_device_everywhere(command):
    short, _, description = COMMANDS[command]["--device"]
    assert "-d" in short
    assert "auto" in description or command == "plan"  # whose tasks get a device each


@pytest.mark.parametrize("command, form", FORMED)
def test_a_form_is_printed_in_place_of_the_table_or_goes_to_its_file(program, command, form):
    printed, _ = use(program, command, form)
    assert (json.loads(printed) is not None) if form == "--json" else printed.strip()
    told, files = use(program, command, form, "form.out")
    written = (program.folder / "form.out").read_text(encoding="utf-8")
    assert pathlib.Path("form.out") in files and told != written
    assert (json.loads(written) is not None) if form == "--json" else written.strip()
    printed, files = use(program, command, form, "-")
    assert printed.strip() and pathlib.Path("-") not in files
    assert "is empty; give a value" in program.run(*USES[command][0], form, "", code=2).stderr


@pytest.mark.parametrize("command", OUT)
def test_out_holds_what_the_command_makes(program, command):
    _, value, _ = OUT[command]
    printed, files = use(program, command, "-o", f"{command}.out")
    assert files and all(str(file).startswith(f"{command}.out") or ".test" in file.name for file in files)
    assert all((len(file.parts) > 1) == (value == "DIR") for file in files)
    if value == "F":
        written = (program.folder / f"{command}.out").read_text(encoding="utf-8")
        assert written not in printed
        for name in ("stdout", "-"):
            printed, files = use(program, command, "-o", name)
            assert not files and printed.splitlines()[0] == written.splitlines()[0]
    elif value == "PATH":
        for name in ("stdout", "-"):
            refused = program.run(*USES[command][0], "-o", name, code=2)
            assert "-o /dev/stdout prints them" in refused.stderr
