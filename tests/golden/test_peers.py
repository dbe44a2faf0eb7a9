# SPDX-License-Identifier: Apache-2.0
"""Other programs as rows of a run: an honest one, those that lie or misbehave, and those that are not there."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from conftest import ROOT, files_in, read_json, validation_errors, write_json

PEERS = ROOT / "configs" / "peers"
FAILED, ENVIRONMENT = 5, 3  # harness/process/exit_code.h

# Closed-form factors: each user's mean rating times one, which beats the mean of all.
HONEST = """
    x, theta = numpy.zeros((ratings.users, job.rank)), numpy.zeros((ratings.items, job.rank))
    counts = numpy.diff(ratings.offsets)
    sums = numpy.bincount(ratings.rows(), ratings.values, ratings.users)
    x[:, 0], theta[:, 0] = sums / numpy.maximum(counts, 1), 1
"""
TRAIN = """
    for iteration in range(job.iterations):
        time.sleep(0.03)
        report(iteration + 1, 0.03)
"""


def script(body):
    lines = "import os, subprocess, sys, time\nimport numpy\nfrom peer_adapter import Job, Ratings, report, write\n"
    return lines + "job = Job()\nratings = Ratings(job.train)\n" + textwrap.dedent(body)


TOYS = {
    "honest": script(TRAIN + HONEST + "    write(x, theta)\n"),
    "random_factors": script(
        TRAIN + HONEST + "    write(numpy.random.default_rng(1).normal(size=x.shape), numpy.ones(theta.shape))\n"
    ),
    "states_another_score": script(TRAIN + HONEST + "    write(x, theta)\n    print('test 0.1234', flush=True)\n"),
    "wrong_shape": script(HONEST + "    write(x[1:], theta)\n"),
    "no_factors": script(TRAIN),
    "not_finite": script(HONEST + "    x[1, 0] = numpy.nan\n    write(x, theta)\n"),
    "clock_too_fast": script(
        HONEST
        + """
    for iteration in range(job.iterations):
        time.sleep(0.15)
        report(iteration + 1, 1e-6)
    write(x, theta)
"""
    ),
    "clock_too_slow": script(HONEST + "    for i in range(job.iterations): report(i + 1, 1000)\n    write(x, theta)\n"),
    "clock_backwards": script(HONEST + "    for i in range(job.iterations): report(i + 1, -1)\n    write(x, theta)\n"),
    "stops_early": script(HONEST + "    report(1, 0.001)\n    write(x, theta)\n"),
    "hangs": script("    time.sleep(600)\n"),
    "floods": script("    while True: sys.stdout.write('x' * 65536)\n"),
    "crashes": script("    os.abort()\n"),
    "exits": script("    sys.exit('ratings are not to my taste')\n"),
    "takes_memory": script("    hoard = numpy.ones(1 << 27)\n    time.sleep(60)\n"),
    "leaves_children": script(
        HONEST
        + """
    write(x, theta)
    for apart in (False, True):
        child = subprocess.Popen(["sleep", "600"], start_new_session=apart)
        print(f"child {child.pid}", flush=True)
        with open(os.environ["ALSBENCH_TEST_CHILDREN"], "a") as file:
            file.write(f"{child.pid}\\n")
"""
    ),
    "looks_for_the_test_ratings": script(
        HONEST + "    write(x, theta)\n    print('files', sorted(os.listdir()), flush=True)\n    sys.exit(7)\n"
    ),
}
SLOW = {"hangs": 1.5}  # seconds that it may take; others have plenty


def files_of(x, theta):
    return [{"part": "x", "file": x}, {"part": "theta", "file": theta}]


def description(name, **changes):
    return {
        "name": name,
        "title": "A toy",
        "backend": "cpu",
        "algorithm": "als",
        "needs": {"install": "write it"},
        "files": [f"{name}.py", "peer_adapter.py"],
        "ratings": {"format": "npz", "train": "train.npz", "test": "test.npz"},
        "command": ["python3", f"{name}.py", "train={train}", "rank={rank}", "iterations={iterations}"],
        "regularisation": {"weight": "plain", "source": "a toy has none"},
        "progress": [
            {"line": "^iteration ([0-9]+): (-?[0-9.]+) s$", "fields": ["iteration", "seconds"]},
            {"line": "^test ([0-9.]+)$", "fields": ["test_metric"]},
        ],
        "factors": {"format": "npy", "files": files_of("x.npy", "theta.npy")},
        **changes,
    }


def suite(peers, **more):
    return {
        "name": "toys",
        "description": "Toys",
        "problems": [{"dataset": "ml-100k", "scale": 0.02, "rank": 4, "lambda": 0.1}],
        "peers": peers,
        "timeout_seconds": 30,
        **more,
    }


@pytest.fixture(scope="module")
def toys(program, tmp_path_factory):
    """The suite's folder, with a description and a script of every toy."""
    folder = tmp_path_factory.mktemp("toys")
    (folder / "peer_adapter.py").write_bytes((PEERS / "peer_adapter.py").read_bytes())
    for name, text in TOYS.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        write_json(folder / f"{name}.json", description(name))
    return folder


def run(program, folder, document, code, *words, **environment):
    """{name of the peer: its case}, and the process."""
    path = write_json(folder / f"suite-{document['name']}.json", document)
    result = folder / "result.json"
    process = program.run("run", path, "-d", "cpu", "--json", result, *words, code=code, **environment)
    found = read_json(result)
    assert validation_errors(found, "result") == []
    assert validation_errors(document, "suite") == []
    return {case["name"].split("/")[1]: case for case in found["cases"] if case["role"] == "peer"}, process


def python_of_tests():
    """A PATH on which python3 is the one that has numpy."""
    return f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"


@pytest.fixture(scope="module")
def ran(program, toys):
    """Every toy's case, and where the pids of left children are."""
    children = toys / "children"
    quick = [{"peer": str(toys / f"{name}.json"), "iterations": 5} for name in TOYS if name not in SLOW]
    quick = [{**peer, "memory_mib": 512} if "takes_memory" in peer["peer"] else peer for peer in quick]
    environment = {"PATH": python_of_tests(), "ALSBENCH_TEST_CHILDREN": str(children)}
    cases, process = run(program, toys, suite(quick), FAILED, **environment)
    slow = [{"peer": str(toys / f"{name}.json"), "iterations": 5} for name in SLOW]
    late, _ = run(program, toys, suite(slow, timeout_seconds=SLOW["hangs"]), FAILED, **environment)
    return {**cases, **late}, process, children


OUTCOMES = {
    "honest": "ok",
    "random_factors": "ok",
    "states_another_score": "wrong",
    "wrong_shape": "wrong",
    "no_factors": "wrong",
    "not_finite": "nan",
    "clock_too_fast": "ok",
    "clock_too_slow": "ok",
    "clock_backwards": "ok",
    "stops_early": "ok",
    "hangs": "hung",
    "floods": "crashed",
    "crashes": "crashed",
    "exits": "crashed",
    "takes_memory": "oom",
    "leaves_children": "ok",
    "looks_for_the_test_ratings": "crashed",
}

DOUBTS = {
    "clock_too_fast": "its clock says 1e-06 s an iteration, and its lines came every",
    "clock_too_slow": "its clock says that training took 5e+03 s, and it ran for",
    "clock_backwards": "its clock says that iteration 1 took -1 s",
    "stops_early": "its last line is of iteration 1, and it was asked for 5",
    "states_another_score": "it states a test rmse of 0.1234, and its factors give",
    "leaves_children": "it left 2 processes running",
}


@pytest.mark.parametrize("name", TOYS)
def test_every_end_has_its_outcome(ran, name):
    case = ran[0][name]
    assert case["outcome"] == OUTCOMES[name], case["detail"]
    assert (case["peer"]["score"] is not None) == (OUTCOMES[name] == "ok" or name == "states_another_score")


@pytest.mark.parametrize("name", TOYS)
def test_what_does_not_fit_is_said(ran, name):
    warnings = ran[0][name]["peer"]["warnings"]
    if name in DOUBTS:
        assert [doubt for doubt in warnings if doubt.startswith(DOUBTS[name])], warnings
        assert DOUBTS[name] in ran[1].stdout
    elif OUTCOMES[name] == "ok":
        assert warnings == []


def test_factors_are_worth_what_they_are_worth(ran):
    honest, other = (ran[0][name]["peer"]["score"]["test_metric"] for name in ("honest", "random_factors"))
    assert honest < 1.2 < other


def test_both_clocks_are_kept(ran):
    peer = ran[0]["honest"]["peer"]
    assert [line["iteration"] for line in peer["progress"]] == [1, 2, 3, 4, 5]
    assert peer["own_seconds"] == pytest.approx(0.15)
    assert peer["own_iteration_seconds"] == pytest.approx(0.03)
    assert peer["iteration_seconds"] >= 0.9 * 0.03, "lines may come late, and the next one then seems early"
    assert peer["use"]["wall_seconds"] > peer["progress"][-1]["at_seconds"] > peer["own_seconds"]
    assert peer["use"]["peak_bytes"] > 1 << 20


def test_what_hangs_costs_its_limit(ran):
    peer = ran[0]["hangs"]["peer"]
    assert SLOW["hangs"] <= peer["use"]["wall_seconds"] < SLOW["hangs"] + 10


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_pattern_does_not_backtrack(program, toys):
    """As one of nested repeats does on a line that it nearly matches."""
    (toys / "long_lines.py").write_text(script("    print('a' * 400, flush=True)\n" + HONEST + "    write(x, theta)\n"))
    pattern = {"line": "^(?:(?:a+)+)+b([0-9]+)$", "fields": ["iteration"]}
    path = write_json(toys / "long_lines.json", description("long_lines", progress=[pattern]))
    places = toys / "long"
    places.mkdir()
    document = suite([{"peer": str(path), "iterations": 5}], timeout_seconds=20)
    begin = time.monotonic()
    cases, _ = run(program, toys, document, 0, PATH=python_of_tests(), TMPDIR=str(places))
    assert cases["long_lines"]["outcome"] == "ok" and time.monotonic() - begin < 20
    assert not list(places.iterdir())


def test_no_child_outlives_its_peer(ran):
    pids = [int(line) for line in ran[2].read_text(encoding="utf-8").split()]
    assert len(pids) == 2
    assert not any(map(is_running, pids))


def test_a_peer_sees_no_test_ratings(ran):
    lines = [line for line in ran[0]["looks_for_the_test_ratings"]["log_tail"] if line.startswith("files")]
    assert lines and "train.npz" in lines[0] and "test.npz" not in lines[0]


def test_why_one_failed_is_there(ran):
    assert ran[0]["exits"]["detail"] == "it ended with exit code 1"
    assert ran[0]["exits"]["log_tail"][-1] == "ratings are not to my taste"
    assert ran[0]["crashes"]["detail"] == "it died of signal 6 (Aborted)"
    assert ran[0]["no_factors"]["detail"] == "it left no file 'x.npy'"
    assert "'x.npy' has" in ran[0]["wrong_shape"]["detail"]


def test_an_interrupt_ends_the_peer(program, toys):
    """Ctrl-C while a peer sleeps: it ends, and its folder goes."""
    places = toys / "places"
    places.mkdir()
    path = write_json(toys / "hanging.json", suite([{"peer": str(toys / "hangs.json")}], timeout_seconds=100))
    environment = {**program.environment, "PATH": python_of_tests(), "TMPDIR": str(places)}
    words = [program.path, "run", path, "-d", "cpu", "--json", toys / "interrupted.json"]
    with subprocess.Popen(words, cwd=toys, env=environment, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(places.glob("*/train.npz")) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert list(places.iterdir()) == []


def test_numpy_finds_what_exact_als_finds(program, toys):
    document = suite(
        [{"peer": "numpy", "iterations": 8}],
        name="floor",
        problems=[{"dataset": "ml-100k", "scale": 0.3, "rank": 4, "lambda": 0.1}],
        train=[{"name": "exact", "pipeline": "exact", "backend": "cpu", "iterations": 8}],
    )
    cases, process = run(program, toys, document, 0, PATH=python_of_tests())
    result = read_json(toys / "result.json")
    ours = next(case for case in result["cases"] if case["role"] == "training")["training"]["launches"][0][
        "iterations"
    ][-1]
    score = cases["numpy"]["peer"]["score"]
    assert score["test_metric"] == pytest.approx(ours["test_metric"], rel=0.02)
    assert score["train_metric"] == pytest.approx(ours["train_metric"], rel=0.02)
    assert "ml-100k@0.3 rank 4, other programs" in process.stdout


def test_missing_peers_are_rows_that_say_how_to_install_them(program, toys):
    nowhere = toys / "nowhere"
    nowhere.mkdir()
    names = [path.stem for path in files_in("configs/peers", "*.json")]
    document = suite([{"peer": name} for name in names], name="missing")
    cases, process = run(program, toys, document, ENVIRONMENT, PATH=str(nowhere))
    assert sorted(cases) == sorted(name for name in names if not name.startswith("cumf"))  # of a GPU
    for case in cases.values():
        assert case["outcome"] == "skipped"
        assert case["detail"].startswith("unavailable: there is no program '") and "to install it: " in case["detail"]
    assert "nothing could run here" in process.stderr


@pytest.mark.parametrize("path", files_in("configs/peers", "*.json"), ids=lambda path: path.stem)
def test_shipped_descriptions_are_valid(path):
    assert validation_errors(read_json(path), "peer") == []


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"comand": []}, "/comand: unknown key 'comand'; did you mean 'command'?"),
        ({"command": ["python3", "{rnak}"]}, "/command: has an unknown placeholder 'rnak'; did you mean 'rank'?"),
        ({"command": []}, "/command: must not be empty"),
        ({"command": [""]}, "/command: must begin with the name of a program"),
        ({"algorithm": "lsa"}, "did you mean 'als'?"),
        ({"ratings": {"format": "csv", "train": "a"}}, "/ratings/format: unknown format 'csv'"),
        ({"ratings": {"format": "npz", "train": "../a"}}, "/ratings/train: '../a' is no name of a file"),
        ({"progress": [{"line": "(", "fields": []}]}, "/progress/0/line: is no regular expression"),
        ({"progress": [{"line": "(.)", "fields": []}]}, "/progress/0/fields: has 0 names, and the line has 1 groups"),
        (
            {"factors": {"format": "nyp", "files": files_of("x", "t")}},
            "/factors/format: unknown value 'nyp'; did you mean 'npy'?",
        ),
        ({"factors": {"format": "npy", "files": files_of("x", "x")}}, "/factors/files: must name the same file"),
        (
            {"factors": {"format": "npy", "x": "x", "theta": "t"}},
            "/factors/x: is no key since schema 2.0; write 'files'",
        ),
        ({"command": [], "algorithm": 1}, "/algorithm: is no text: 1; /command: must not be empty"),
        ({"regularisation": {"weight": "count", "source": "?"}}, "/regularisation/weight: unknown weight 'count'"),
        ({"files": ["none.py"]}, "none.py"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_wrong_description_is_named_with_its_place(program, toys, changes, message):
    peer = write_json(toys / "broken.json", description("broken", **{"files": [], **changes}))
    path = write_json(toys / "broken-suite.json", suite([{"peer": str(peer)}]))
    error = program.run("run", path, "--dry-run", code=2).stderr
    assert "/peers/0/peer" in error and message in error, error


@pytest.mark.parametrize(
    "peer, message",
    [
        ({"peer": "libfm"}, "/peers/0/peer: unknown peer 'libfm'; did you mean 'libmf'?"),
        ({"peer": "libmf", "options": {"etha": 1}}, "/peers/0/options/etha: unknown option of libmf 'etha'"),
        ({"peer": "implicit", "options": {"alpha": -1}}, "/peers/0/options"),
        ({"peer": "libmf", "iterations": 0}, "/peers/0/iterations"),
        ({"name": "libmf"}, "/peers/0"),
    ],
    ids=str,
)
def test_a_wrong_peer_of_a_suite_is_named_with_its_place(program, toys, peer, message):
    path = write_json(toys / "wrong-suite.json", suite([peer]))
    assert message in program.run("run", path, "--dry-run", code=2).stderr
