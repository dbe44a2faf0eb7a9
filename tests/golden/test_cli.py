# SPDX-License-Identifier: Apache-2.0
"""Output of list, doctor, data and of wrong arguments: text, exit codes, remedies."""

import json
import os
import re
import subprocess
import sys

import pytest

from conftest import files_in, read_json, validation_errors
from golden import check


@pytest.mark.parametrize("topic", ["suites", "datasets"])
def test_every_shipped_file_is_listed_with_its_description(program, topic):
    text = program.run("list", topic).stdout
    files = files_in(f"configs/{topic}", "*.json")
    for path in files:
        description = read_json(path)["description"]
        assert f"{path.stem}: {description}\n" in text
    assert len(text.splitlines()) == len(files)


def test_list_variants(program):
    text = program.run("list", "variants", "--device", "cpu").stdout
    check("list-variants.txt", "".join(text.splitlines(keepends=True)[:3]))


def test_list_without_a_topic_has_a_line_a_name(program):
    document = program.json("list", "--json")
    lines = program.run("list").stdout.splitlines()
    names = [
        entry[name]
        for topic, name in (("variants", "id"), ("suites", "name"), ("datasets", "name"))
        for entry in document[topic]
    ]
    for name in names:
        assert sum(line.startswith(f"  {name}: ") for line in lines) == names.count(name)
    assert len(lines) < sum(len(document[topic]) for topic in ("variants", "suites", "datasets", "devices")) + 15


def test_a_filter_lists_what_it_matches(program):
    document = program.json("list", "--filter", "^solve/|^qui", "--json")
    assert {variant["stage"] for variant in document["variants"]} == {"solve"}
    assert [suite["name"] for suite in document["suites"]] == ["quick"]
    text = program.run("list", "variants", "--filter", "solve/cg/cpu").stdout
    assert "steps=6|..." in text and "The first value of a parameter is its default" in text
    assert "--filter" in program.run("list", "--filter", "(", code=2).stderr


def test_list_json_says_the_same_as_the_text(program):
    document = program.json("list", "--json")
    assert validation_errors(document, "list") == []
    assert set(document) == {"schema_version", "kind", "variants", "suites", "datasets", "devices"}
    text = program.run("list", "variants").stdout
    for variant in document["variants"]:
        assert f"{variant['id']}: {variant['summary']}\n" in text
        assert 0 <= variant["valid_points"] <= variant["points"]
        assert variant["valid_points"] == variant["points"] or variant["objection"]
        assert variant["nondeterminism"] is None or f"run to run: {variant['nondeterminism']}\n" in text
    check("list-variant.json", json.dumps(document["variants"][0], indent=1) + "\n")


def test_cuda_variants_are_listed_everywhere(program):
    backends = {variant["backend"] for variant in program.json("list", "variants", "--json")["variants"]}
    assert backends == {"cpu", "cuda"}


def test_doctor_names_a_remedy_for_each_finding(program):
    lines = program.run("doctor", code=None).stdout.splitlines()
    assert lines
    for line, following in zip(lines, lines[1:] + [""]):
        assert line.split()[0] in ("ok", "warn", "fail", "remedy:"), line
        if line.split()[0] in ("warn", "fail"):
            assert following.strip().startswith("remedy: "), line


def test_doctor_json_validates(program):
    document = json.loads(program.run("doctor", "--json", code=None).stdout)
    assert validation_errors(document, "doctor") == []
    document["findings"][0]["health"] = "fine"
    assert validation_errors(document, "doctor")


def start(program, *words, **environment):
    """Starts the program with these of OpenMP's variables alone. Its result, and the spins of a waiting thread, once a start: libgomp
    prints them as it is loaded."""
    variables = [f"{name}={value}" for name, value in environment.items()]
    result = program.shell(
        [
            "env",
            "-u",
            "OMP_WAIT_POLICY",
            "-u",
            "GOMP_SPINCOUNT",
            "OMP_DISPLAY_ENV=verbose",
            *variables,
            program.path,
            *words,
        ]
    )
    return result, [int(spins) for spins in re.findall(r"GOMP_SPINCOUNT = '(\d+)'", result.stderr)]


def test_doctor_names_a_busy_process(program):
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        findings = json.loads(program.run("doctor", "--json").stdout)["findings"]
    finally:
        busy.kill()
        busy.wait()
    finding = next(one for one in findings if one["name"] == "other work")
    assert finding["health"] == "warn" and f"({busy.pid})" in finding["finding"] and finding["remedy"]


def test_idle_threads_are_passive_unless_the_user_says_otherwise(program):
    def spins(**environment):
        return start(program, "--version", **environment)[1]

    def finding(**environment):
        findings = json.loads(start(program, "doctor", "--json", **environment)[0].stdout)["findings"]
        return next(one for one in findings if one["name"] == "idle threads")

    unset = spins()
    assert len(unset) == 1 and unset[0] > 0, "nothing is timed: one start, as the user's environment says"
    assert spins(OMP_WAIT_POLICY="passive") == [0]
    active = spins(OMP_WAIT_POLICY="active")
    assert len(active) == 1 and active[0] > unset[0]
    assert spins(GOMP_SPINCOUNT="7") == [7]
    assert (finding()["health"], finding()["remedy"]) == ("ok", None)
    assert finding(OMP_WAIT_POLICY="active")["remedy"] == "unset OMP_WAIT_POLICY"
    assert finding(GOMP_SPINCOUNT="7")["remedy"] == "unset GOMP_SPINCOUNT"


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"OMP_NUM_THREADS": "2", "OMP_PLACES": "{0}"}, "2 threads share 1 hardware threads"),
        ({"OMP_NUM_THREADS": "2", "GOMP_CPU_AFFINITY": "0"}, "2 threads share 1 hardware threads"),
        ({"OMP_NUM_THREADS": "2", "OMP_THREAD_LIMIT": "1"}, "1 of "),
    ],
)
def test_doctor_says_which_threads_there_really_are(program, environment, said):
    findings = json.loads(program.run("doctor", "--json", code=None, **environment).stdout)["findings"]
    (threads,) = (each for each in findings if each["name"] == "cpu threads")
    assert threads["finding"].startswith(said), threads


# A case with one ceiling; the suites of the program have six for each of their cases.
ALONE = {
    "name": "alone",
    "description": "One case.",
    "problems": [{"dataset": "ml-100k", "scale": 0.05, "rank": 4}],
    "measure": [{"stage": "solve", "variant": "cg", "backend": "cpu", "part": "x", "cache": "hot"}],
    "ceilings": [{"stage": "fma", "backend": "cpu", "cache": "hot"}],
}


def test_idle_threads_of_workers_are_passive(program):
    program.write_json("alone.json", ALONE)
    words = ["run", "alone.json", "-d", "cpu", "--min-samples", "2", "--max-samples", "2", "--fresh"]
    result, spins = start(program, *words, ALSBENCH_LOG="debug", ALSBENCH_DISTURBED="keep")
    of_workers = re.findall(r"worker: .*GOMP_SPINCOUNT = '(\d+)'", result.stderr)
    assert of_workers and set(of_workers) == {"0"}
    assert len(spins) == 1 + len(of_workers), "the planner starts once"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor is one with a binding, too")
@pytest.mark.parametrize("bound", [{"OMP_PROC_BIND": "close"}, {"OMP_PLACES": "cores"}])
def test_what_is_started_has_all_processors_of_bound_threads(program, bound):
    """libgomp binds the thread that loads it, and processes inherit that: see findings/openmp_binding_is_inherited.sh."""
    usable = len(os.sched_getaffinity(0))
    program.write_json("numbers.json", {"latency": 12})
    (program.folder / "counts").unlink(missing_ok=True)
    build = "env -u OMP_NUM_THREADS nproc >> counts; cat numbers.json"
    program.run("aa", "--build", build, "--format", "json", "--value", "/latency:ms", "--launches", "5", **bound)
    assert {int(line) for line in (program.folder / "counts").read_text().split()} == {usable}

    program.write_json("alone.json", ALONE)
    words = ["run", "alone.json", "-d", "cpu", "--min-samples", "2", "--max-samples", "2", "--fresh"]
    sweep = start(program, *words, ALSBENCH_LOG="debug", ALSBENCH_DISTURBED="keep", **bound)[0]
    of_all, of_workers = (set(re.findall(rf"{by}OMP_PLACES = '(.*)'", sweep.stderr)) for by in ("", "worker: .*"))
    assert len(of_all) == 1 and of_workers == of_all

    words = ["--dataset", "ml-100k", "--scale", "0.1", "--rank", "4", "--iterations", "1", "--device", "cpu", "-q"]
    training = start(program, "train", *words, **bound)[0]
    assert training.returncode == 0
    places = re.findall(r"OMP_PLACES = '(.*)'", training.stderr)
    assert len(places) == 2 and places[0] == places[1], "the second start has the places of the first"


def test_the_wait_policy_is_recorded_and_arguments_outlive_the_second_start(program):
    words = ["train", "--dataset", "ml-100k", "--scale", "0.1", "--rank", "4", "--iterations", "1", "--device", "cpu"]
    words += ["--out", "a model's", "-q"]
    spins = start(program, *words)[1]
    assert len(spins) == 2 and spins[0] > 0 and spins[1] == 0, "training starts the program again, once"
    provenance = program.read_json("a model's/record.json")["provenance"]
    assert provenance["command_line"][1:] == words
    assert provenance["host"]["environment"]["OMP_WAIT_POLICY"] == "passive"
    start(program, *words, OMP_WAIT_POLICY="active")
    provenance = program.read_json("a model's/record.json")["provenance"]
    assert provenance["host"]["environment"]["OMP_WAIT_POLICY"] == "active"


def test_a_listing_of_one_topic_validates(program):
    for topic in ("variants", "suites", "datasets", "devices"):
        document = program.json("list", topic, "--json")
        assert validation_errors(document, "list") == []
        document[topic] = "all"
        assert validation_errors(document, "list")


def test_version_says_what_the_program_was_built_with(program):
    first, *rest = program.run("--version").stdout.splitlines()
    assert re.fullmatch(r"alsbench \d+\.\d+\.\d+", first)
    values = dict(line.split(": ", 1) for line in rest)
    assert list(values) == ["commit", "compiler", "build type", "CUDA toolkit", "cuBLAS", "BLAS"]
    assert re.fullmatch(r"([0-9a-f]{40}|unknown)(, with local changes)?", values["commit"])
    assert re.fullmatch(r"\w+ \d+(\.\d+)+", values["compiler"])
    assert values["build type"]
    assert values["BLAS"].startswith("OpenBLAS")
    built_with_cuda = os.environ.get("ALSBENCH_CUDA_BUILT") == "1"
    for key in ("CUDA toolkit", "cuBLAS"):
        assert re.fullmatch(r"\d+(\.\d+)+" if built_with_cuda else "none", values[key])


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["list", "suites"], ["list", "variants"]])
def test_what_computes_nothing_opens_no_library_that_computes(program, arguments):
    """So it ends in hundredths of a second."""
    opened = program.run(*arguments, LD_DEBUG="files").stderr
    assert "libc.so" in opened
    assert re.findall(r"calling init: .*(?:openblas|nvrtc|cublas|cusolver|cusparse).*", opened) == []


def test_names_are_listed_without_a_driver(program):
    """It takes a quarter of a second to start."""
    assert "libcuda" in program.run("list", "devices", LD_DEBUG="files").stderr
    assert "libcuda" not in program.run("list", LD_DEBUG="files").stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["list", "suites"],
        ["data", "info", "--dataset", "ml-100k"],
        ["train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "4", "--iterations", "1", "--device", "cpu"],
    ],
)
def test_what_runs_on_a_cpu_starts_no_driver(program, arguments):
    assert "libcuda" not in program.run(*arguments, LD_DEBUG="files").stderr


def test_data_info(program):
    ratings = program.folder / "ratings.csv"
    ratings.write_text("userId,movieId,rating,timestamp\n1,10,3.5,0\n1,11,4.0,0\n7,10,0.5,0\n", encoding="utf-8")
    check("data-info.txt", program.run("data", "info", ratings.name).stdout)


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("no-command", []),
        ("unknown-command", ["lst"]),
        ("unknown-flag", ["run", "quick", "--no-such-flag"]),
        ("unknown-topic", ["list", "kernels"]),
        ("unknown-suite", ["run", "quik"]),
        ("bad-filter", ["run", "quick", "--filter", "("]),
        ("unknown-axis", ["run", "quick", "--axis", "tyle=10"]),
        ("bad-device", ["run", "quick", "--device", "gpu"]),
        ("missing-data", ["train", "--data", "no-such-file.csv"]),
        ("bad-rank", ["train", "--dataset", "ml-100k", "--rank", "0"]),
    ],
)
def test_wrong_arguments_end_with_2_and_a_remedy(program, name, arguments):
    before = set(program.folder.iterdir())
    result = program.run(*arguments, code=2)
    assert result.stdout == ""
    assert set(program.folder.iterdir()) - before <= {program.folder / "cache"}
    # The names that the message offers grow with the program.
    check(f"error-{name}.txt", result.stderr.split(" (one of: ")[0].strip() + "\n")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["train", "--dataset", "ml-100k", "--lamda", "1"], "unknown option '--lamda'; did you mean '--lambda'?"),
        (["list", "--filtr", "x"], "unknown option '--filtr'; did you mean '--filter'?"),
        (["train", "--dataset=ml-100k", "--lamda=1"], "unknown option '--lamda'; did you mean '--lambda'?"),
        (["train", "--dataset", "ml-100k", "--epochs", "3"], "unknown option '--epochs'; use --iterations"),
        (["train", "mine.csv"], "unexpected argument 'mine.csv'; did you mean '--data mine.csv'?"),
        (["train", "--rank", "8", "mine.csv"], "unexpected argument 'mine.csv'; did you mean '--data mine.csv'?"),
        (["train", "none.csv"], "unexpected argument 'none.csv'; did you mean '--data none.csv'?"),
        (["train", "nothing"], "not expected: nothing"),
    ],
)
def test_an_argument_of_another_name_is_said_to_be_ours(program, arguments, message):
    (program.folder / "mine.csv").write_text("1,1,5\n")
    error = program.run(*arguments, code=2).stderr
    assert message in error and error.endswith(f"see alsbench {arguments[0]} --help\n")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["run", "quick", "--scale", "0"], "--scale: '0': give a number above 0; see alsbench run --help"),
        (["train", "--dataset", "ml-100k", "--rank", "1.5"], "--rank: '1.5': give a whole number; see alsbench train"),
        (["recommend", "--model", "m", "-k", "99999999999"], "-k: '99999999999': give a number nearer to 0; see"),
        (
            ["run", "quick", "--max-noise", "-1"],
            "--max-noise: '-1': give a number of at least 0; see alsbench run --help",
        ),
        (
            ["train", "--dataset", "ml-100k", "--lambda", "1e39"],
            "--lambda: '1e39': give a number between 1e-37 and 1e18; see alsbench train --help",
        ),
        (
            ["train", "--dataset", "ml-100k", "--seed", "18446744073709551616"],
            "--seed: '18446744073709551616': give a whole number from 0 to 18446744073709551615",
        ),
        (
            ["tune", "pipeline", "--dataset", "ml-100k", "--rank", "8", "--seed", "-1"],
            "--seed: '-1': give a whole number from 0",
        ),
        (
            ["run", "quick", "--min-samples", "99999999999999999999"],
            "--min-samples: '99999999999999999999': give a number between 1e-37 and 1e18",
        ),
        (["run", "quick", "--max-samples", "3"], "the minimum of 5; give a lower --min-samples as well"),
        (["run", "quick", "--shard", "2/2"], "--shard '2/2': write i/n with i from 0 to n - 1"),
        (["run", "quick", "--shard", "4294967296/2"], "--shard '4294967296/2': write i/n with i from 0 to n - 1"),
        (
            ["data", "generate", "netflix", "-o", "x.csv", "--uniform-row-length", "-5"],
            "see alsbench data generate --help",
        ),
    ],
)
def test_a_number_out_of_its_range_says_what_is_wanted(program, arguments, message):
    assert message in program.run(*arguments, code=2).stderr


@pytest.mark.parametrize(
    "words, file",
    [
        (["run", "alone.json", "--min-samples", "1", "--max-samples", "1", "--json", "l.run"], "l.run"),
        (["run", "alone.json", "--min-samples", "1", "--max-samples", "1", "--out", "l.out"], "l.out/alone.json"),
        (["train", "--iterations", "1", "--out", "l.model"], "l.model/record.json"),
        (["tune", "stage", "hermitian", "-b", "naive", "--budget-evals", "1", "--json", "l.tune"], "l.tune"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_lambda_is_recorded_as_it_was_written(program, words, file):
    """In place of the nearest float, widened: 0.30000001192092896."""
    program.write_json("alone.json", ALONE)
    program.run(*words, "--dataset", "ml-100k", "--rank", "4", "--lambda", "0.3", "-d", "cpu", "-q")
    text = (program.folder / file).read_text(encoding="utf-8")
    assert re.findall(r'"lambda": ([^,\s]*)', text) and set(re.findall(r'"lambda": ([^,\s]*)', text)) == {"0.3"}
    assert "0.3000000" not in text


DECIMAL = "give a decimal number without leading zeros"


@pytest.mark.parametrize("number", ["0x10", "010", "-0x10", "0x1p-2", " 8"])
@pytest.mark.parametrize(
    "words, option",
    [
        (["train", "--dataset", "ml-100k"], "--rank"),
        (["train", "--dataset", "ml-100k"], "--lambda"),
        (["plan", "quick", "--emit", "slurm"], "--shards"),
        (["compile"], "--jobs"),
        (["data", "generate", "ml-100k", "-o", "x.csv"], "--empty-rows"),
    ],
)
def test_a_number_is_read_as_everybody_reads_it(program, words, option, number):
    """CLI11 takes 0x10 for 16 and 010 for 8."""
    assert f"{option}: " in program.run(*words, f"{option}={number}", code=2).stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["train", "--dataset", "ml-100k", "--rank", "0x10"], f"--rank: '0x10': {DECIMAL}; see alsbench train --help"),
        (["train", "--dataset", "ml-100k", "--seed", "010"], f"--seed: '010': {DECIMAL}"),
        (["run", "quick", "--seed", "0x10"], "--seed: '0x10': give a whole number from 0"),
        (["train", "--dataset", "ml-100k", "--search", "rank=8,0x10"], f"--search rank: '0x10': {DECIMAL}"),
        (["data", "split", "ratings.csv", "-o", "x.csv", "--test-fraction", "0x1p-3"], "'0x1p-3' is not a share"),
    ],
)
def test_a_number_that_is_not_decimal_is_refused_by_name(program, arguments, message):
    assert message in program.run(*arguments, code=2).stderr


def test_doctor_needs_no_proc(program):
    """As in a container that hides it: findings and remedies, and no error of the library."""
    hidden = ["unshare", "-r", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if subprocess.run([*hidden, "true"], capture_output=True).returncode != 0:
        pytest.skip("cannot mount anything over /proc here")
    result = program.shell([*hidden, program.path, "doctor"], code=None)
    assert result.returncode in (0, 3) and "filesystem error" not in result.stdout + result.stderr
    assert "/proc does not list the threads of this process" in result.stdout


SOLVE = ["tune", "stage", "solve", "--dataset", "ml-100k", "--rank", "8"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["train", "--data", "ratings.csv", "--scale", "2"], "--scale requires --dataset"),
        (["train", "--dataset", "ml-100k", "--test-fraction", "0.2"], "--test-fraction requires --data"),
        ([*SOLVE, "--tolerance", "1"], "unknown option '--tolerance'"),
        (["tune", "pipeline", "--dataset", "ml-100k", "--rank", "8", "--passes", "2"], "unknown option '--passes'"),
        ([*SOLVE, "--record", "--strategy", "random"], "--strategy excludes --record"),
        ([*SOLVE, "-d", "cpu", "--strategy", "random", "--passes", "2"], "--passes 2: random"),
        (["train", "--dataset", "ml-100k", "--no-tuned", "--db", "x"], "--db excludes --no-tuned"),
        (["best", "--data", "ratings.csv", "--scale", "2"], "--data excludes --scale"),
        (["data", "info", "ratings.csv", "--scale", "2"], "path excludes --scale"),
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(program, arguments, message):
    assert message in program.run(*arguments, code=2).stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            ["tune", "--pipeline", "--dataset", "netflix", "--rank", "100"],
            "`tune --pipeline` is now `alsbench tune pipeline`",
        ),
        (["tune", "--rank", "8", "--stage=solve"], "`tune --stage` is now `alsbench tune stage`"),
        (["tune", "--replay", "a.journal", "--seed", "3"], "`tune --replay` is now `alsbench tune replay`"),
        (["tune", "--merge", "a.json", "--db", "all.json"], "`tune --merge` is now `alsbench tune merge`"),
        (["ab", "ci", "--bisect", "v1..v2"], "`ab --bisect` is now `alsbench bisect`"),
        (["run", "quick", "--profile"], "`run --profile` is now `alsbench profile`"),
        (["run", "quick", "--ncu"], "`run --ncu` is now `alsbench profile --ncu`"),
        (["tune", "--rank", "8"], "name a command of tune first: stage, pipeline, replay, merge"),
        (["tune"], "name a command of tune first: stage, pipeline, replay, merge"),
        (["tune", "pipline"], "did you mean 'pipeline'?"),
    ],
)
def test_a_mode_that_became_a_command_is_named(program, arguments, message):
    assert message in program.run(*arguments, code=2).stderr


def test_a_selection_of_nothing_says_so(program):
    error = program.run("run", "quick", "--filter", "no such case", code=2).stderr
    assert "leave no case" in error and "--dry-run" in error


def test_a_wrong_suite_lists_all_its_errors_at_once(program):
    program.write_json(
        "wrong.json",
        {
            "name": "wrong",
            "description": "",
            "problems": [{"dataset": "netflx", "rank": 0}, {"path": "absent.csv"}],
            "measure": [
                {"stage": "hermitien", "part": "z"},
                {"stage": "solve", "variant": "cgg", "axes": {"step": [6]}},
            ],
        },
    )
    errors = program.run("run", "wrong.json", code=2).stderr.splitlines()
    check("error-wrong-suite.txt", "".join(line.split(" (one of: ")[0] + "\n" for line in errors))


def commands(program, words=()):
    """The words of each command and of those below it, as the help of each lists them."""
    yield words
    listed = program.run(*words, "--help").stdout.partition("Subcommands:\n")[2]
    for name in re.findall(r"^  ([a-z]\S*)", listed, re.MULTILINE):
        yield from commands(program, (*words, name))


def test_help_fits_80_columns_and_says_all(program):
    found = list(commands(program))
    assert len(found) > 25 and ("tune", "pipeline") in found
    for words in found:
        text = program.run(*words, "--help").stdout
        assert max(map(len, text.splitlines())) <= 80, words
    text = " ".join(program.run("run", "--help").stdout.split())
    assert "Folder of the results" in text and "its outcome and table as Markdown" in text
