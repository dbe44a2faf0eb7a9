# SPDX-License-Identifier: Apache-2.0
"""examples/ci: every script runs as it stands, and what the services' YAML calls exists.

Small things stand in by the scripts' own variables: a tiny suite, one static baseline, and BUILD, which
puts the program under test where a build would have put it.
"""

import os
import re
import shutil
import subprocess

import pytest

from conftest import BINARY, ROOT, files_in, git, read_json, write_json

CI = ROOT / "examples" / "ci"
CUDA = os.environ.get("ALSBENCH_CUDA_BUILT") == "1"
SUITE = {
    "name": "tiny",
    "description": "One kernel and one control.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [{"stage": "bias", "variant": "rows", "backend": "cpu", "part": "x", "cache": "hot"}],
    "ceilings": [{"stage": "gather_copy", "backend": "cpu", "cache": "hot"}],
    "sampling": {"min_samples": 3, "max_samples": 3, "max_noise": 0, "max_seconds": 5},
}


@pytest.fixture
def shell(tmp_path, program):
    """Runs a script of examples/ci in a folder with the suite; its output in the order it came."""
    write_json(tmp_path / "tiny.json", SUITE)
    (tmp_path / "bin").mkdir()

    def run(script, *arguments, code=0, cwd=tmp_path, **variables):
        environment = {
            **os.environ,
            "ALSBENCH": str(BINARY),
            "SUITE": str(tmp_path / "tiny.json"),
            "NO_COLOR": "1",
            "OUT": str(tmp_path / "out"),
            "ALSBENCH_CACHE_DIR": str(program.folder / "cache"),
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
            **variables,
        }
        environment.pop("GITHUB_STEP_SUMMARY", None)
        environment.update({key: value for key, value in variables.items() if key == "GITHUB_STEP_SUMMARY"})
        result = subprocess.run(
            [CI / script, *map(str, arguments)],
            cwd=cwd,
            env=environment,
            text=True,
            timeout=300,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert code is None or result.returncode == code, result.stdout
        return result

    return run


def executable(path, text):
    path.write_text("#!/usr/bin/env bash\nset -euo pipefail\n" + text)
    path.chmod(0o755)
    return path


@pytest.fixture
def baselines(program, tmp_path):
    """A folder with the committed baseline of sm_90, or with one made here where that is of another compiler."""
    folder = tmp_path / "static"
    folder.mkdir()
    shutil.copy(ROOT / "results" / "static" / "sm_90.json", folder)
    if program.run("compile", "--against", folder, "-q", code=None).returncode != 0:
        program.run("compile", "--against", folder, "--arch", "sm_90", "--write", "-q")
    return folder


@pytest.fixture
def checkout(tmp_path):
    """A repository of two commits and a BUILD that puts the program into its folder build."""
    repository = tmp_path / "checkout"
    repository.mkdir()

    git(repository, "init", "-q", "-b", "main")
    git(repository, "commit", "-q", "--allow-empty", "-m", "base")
    git(repository, "checkout", "-q", "-b", "change")
    git(repository, "commit", "-q", "--allow-empty", "-m", "change")
    build = executable(tmp_path / "build.sh", f'mkdir -p "$1/build"; install "{BINARY}" "$1/build/alsbench"\n')
    return repository, {"BUILD": str(build), "TARGET": "main", "ALSBENCH": "build/alsbench"}


def test_cpu_runs_the_suite_and_keeps_result_and_summaries(shell, tmp_path):
    page = tmp_path / "page.md"
    shell("cpu.sh", GITHUB_STEP_SUMMARY=str(page))
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"cpu.json", "cpu.junit.xml", "cpu.md"}
    assert "bias/rows/cpu" in page.read_text()


def test_cpu_passes_a_failure_on(shell, tmp_path):
    assert "unknown" in shell("cpu.sh", SUITE="unknown", code=2).stdout


@pytest.mark.skipif(not CUDA, reason="this build has no CUDA backend (no toolkit >= 12.8)")
def test_static_judges_kernels_and_passes_the_exit_code_on(shell, baselines, tmp_path):
    baseline = baselines / "sm_90.json"
    page = tmp_path / "page.md"
    assert "kernels are the same" in shell("static.sh", BASELINES=str(baseline), GITHUB_STEP_SUMMARY=str(page)).stdout
    document = read_json(baseline)
    next(kernel for kernel in document["kernels"] if kernel["outcome"] == "ok")["report"]["occupancy"] = 1.5
    write_json(baseline, document)
    assert "regressed" in shell("static.sh", BASELINES=str(baseline), GITHUB_STEP_SUMMARY=str(page), code=1).stdout
    assert "(exit code 1)" in page.read_text() and "regressed" in page.read_text()


AB_FLAGS = "--device cpu --screening-launches 2 --budget-seconds 1e-9 --bound 100%"


def test_ab_measures_the_merge_base_and_cleans_up(shell, checkout, tmp_path):
    repository, variables = checkout
    result = shell("ab.sh", cwd=repository, code=None, AB_FLAGS=AB_FLAGS, **variables)
    document = read_json(tmp_path / "out" / "ab.json")
    assert document["kind"] == "comparison"
    codes = {"clean": 0, "regression": 1, "unfit": 3}  # noise may decide anything with so few launches
    assert result.returncode == codes[document["conclusion"]], result.stdout
    assert (tmp_path / "out" / "ab.md").read_text() and (tmp_path / "out" / "ab.junit.xml").read_text()
    assert len(git(repository, "worktree", "list").splitlines()) == 1, "the worktree of the merge base is gone"


GATED = """spends=$1; shift
for flag; do case $flag in --benchmark_out=*) out=${flag#*=};; esac; done
n=$(wc -c <"$COUNT"); printf . >>"$COUNT"
printf '{"context": {"num_cpus": 1}, "benchmarks": [{"name": "BM", "real_time": %s.%s, "time_unit": "us"}]}' \
  "$spends" "$n" >"$out"
"""
# nvbench_json's form: meta, devices, and for each state its summaries by tag (nvbench/json_printer.cu).
GATED_NVBENCH = """spends=$1
while [ $# -gt 0 ]; do [ "$1" != --json ] || out=$2; shift; done
n=$(wc -c <"$COUNT"); printf . >>"$COUNT"
printf '{"meta": {"argv": [], "version": {"json": {"major": 1, "minor": 0, "patch": 0}}},
"devices": [{"id": 0, "name": "a card", "sm_version": 900, "number_of_sms": 132}],
"benchmarks": [{"name": "BM", "index": 0, "min_samples": 10, "devices": [0], "axes": [], "states": [{"name": "Device=0",
"min_samples": 10, "device": 0, "type_config_index": 0, "axis_values": null, "is_skipped": false, "summaries": [
{"tag": "nv/cold/sample_size", "name": "Samples", "data": [{"name": "value", "type": "int64", "value": "10"}]},
{"tag": "nv/cold/time/gpu/mean", "name": "GPU Time", "hint": "duration",
"data": [{"name": "value", "type": "float64", "value": "%s.%se-6"}]}]}]}]}' "$spends" "$n" >"$out"
"""
PROGRAMS = {"google-benchmark": GATED, "nvbench": GATED_NVBENCH}


@pytest.fixture(params=list(PROGRAMS))
def gated(request, checkout, tmp_path):
    """The checkout with a program in the form of a tool's, which the change makes slower, and its inputs."""
    repository, _ = checkout
    program = executable(tmp_path / "bm", PROGRAMS[request.param])
    (tmp_path / "count").touch()
    for branch, spends in (("main", 1000), ("change", 1100)):
        git(repository, "checkout", "-q", branch)
        (repository / "spends").write_text(str(spends))
        git(repository, "add", "spends")
        git(repository, "commit", "-q", "-m", branch)
    git(repository, "rebase", "-q", "-X", "theirs", "main")
    inputs = {"command": f'{program} "$(cat built)"', "build": "cp spends built", "flags": "--max-launches 12"}
    inputs["format"] = request.param
    return repository, {"COUNT": str(tmp_path / "count")}, inputs


def filled(text, opening, closing, inputs):
    """The service's expressions replaced by the inputs."""
    return re.sub(rf"{re.escape(opening)} inputs\.(\w+) {re.escape(closing)}", lambda found: inputs[found[1]], text)


def run_gate(repository, environment, script, code):
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=repository,
        env={**os.environ, "NO_COLOR": "1", **environment},
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert result.returncode == code, result.stdout + result.stderr
    document = read_json(repository / "ci-results" / "gate.json")
    assert [case["verdict"] for case in document["cases"]] == ["slower" if code else "same"]
    sides = document["programs"]
    assert (sides["base"]["git_commit"] != sides["test"]["git_commit"]) == bool(code)
    assert {"gate.junit.xml", "gate.md"} <= {path.name for path in (repository / "ci-results").iterdir()}


@pytest.mark.parametrize("target, code", [("main", 1), ("change", 0)])
def test_the_github_action_gates_a_program(gated, tmp_path, target, code):
    yaml = pytest.importorskip("yaml", reason="PyYAML of scripts/requirements-tests.txt is missing")
    repository, environment, given = gated
    action = yaml.safe_load((CI / "gate" / "action.yml").read_text())
    assert all(one.get("required") or "default" in one for one in action["inputs"].values())
    inputs = {name: one.get("default") for name, one in action["inputs"].items()}
    inputs |= given | {"target": target, "alsbench": str(BINARY)}
    (step,) = action["runs"]["steps"]
    page = tmp_path / "page.md"
    page.touch()
    environment |= {name: filled(value, "${{", "}}", inputs) for name, value in step["env"].items()}
    environment |= {"GITHUB_ACTION_PATH": str(CI / "gate"), "GITHUB_STEP_SUMMARY": str(page)}
    run_gate(repository, environment, step["run"], code)
    assert "alsbench ab" in page.read_text()


@pytest.mark.parametrize("target, code", [("main", 1), ("change", 0)])
def test_the_gitlab_component_gates_a_program(gated, target, code):
    yaml = pytest.importorskip("yaml", reason="PyYAML of scripts/requirements-tests.txt is missing")
    repository, environment, given = gated
    spec, job = yaml.safe_load_all((CI / "gate.gitlab.yml").read_text())
    inputs = {name: (one or {}).get("default") for name, one in spec["spec"]["inputs"].items()}
    inputs |= given | {"scripts": str(CI)}
    job = job["alsbench-gate"]
    environment |= {k: filled(str(v), "$[[", "]]", inputs) for k, v in job["variables"].items()}
    environment |= {"TARGET": target, "ALSBENCH": str(BINARY)}  # there is no service to fetch from
    script = [line for line in job["script"] if not line.startswith("git fetch")]
    run_gate(repository, environment, "\n".join(filled(line, "$[[", "]]", inputs) for line in script), code)


@pytest.fixture
def part(tmp_path):
    """A folder within a checkout whose names have blanks, and a program there that the last commit makes slower."""
    folder = tmp_path / "my checkout" / "a part"
    folder.mkdir(parents=True)
    git(folder.parent, "init", "-q", "-b", "main")
    for time in (5, 6):
        (folder / "numbers.json").write_text(f'{{"time": {time}}}')
        git(folder.parent, "add", ".")
        git(folder.parent, "commit", "-q", "-m", f"{time} ms")
    numbers = {"BUILD": "cp numbers.json built", "COMMAND": "cat built", "FORMAT": "json"}
    return folder, {**numbers, "AB_FLAGS": "--value /time:ms", "ALSBENCH": str(BINARY)}


def test_the_gate_takes_the_same_folder_of_both_commits(shell, part, tmp_path):
    folder, variables = part
    assert "1 slower" in shell("gate.sh", cwd=folder, code=1, TARGET="HEAD~1", **variables).stdout
    (case,) = read_json(tmp_path / "out" / "gate.json")["cases"]
    assert (case["base_seconds"], case["test_seconds"]) == (0.005, 0.006)


def test_the_gate_warns_of_a_commit_that_is_compared_with_itself(shell, part):
    folder, variables = part
    text = shell("gate.sh", cwd=folder, TARGET="main", GITHUB_ACTIONS="true", **variables).stdout
    assert "::warning::this commit is part of main, so it is compared with itself; name an older one" in text
    assert "warning" not in shell("gate.sh", cwd=folder, code=1, TARGET="HEAD~1", **variables).stdout


@pytest.mark.parametrize("time, code, which", [(5, 4, "the merge base"), (6, 5, "this commit")])
def test_a_commit_that_does_not_build_is_no_regression(shell, part, time, code, which):
    folder, variables = part
    variables |= {"BUILD": f"grep -q {11 - time} numbers.json", "TARGET": "HEAD~1"}
    assert f"error: {which}" in shell("gate.sh", cwd=folder, code=code, **variables).stdout


@pytest.mark.parametrize("script, name", [("gate.sh", "gate"), ("ab.sh", "ab"), ("cpu.sh", "cpu")])
def test_what_a_run_before_left_is_no_verdict_of_this_one(shell, part, tmp_path, script, name):
    folder, variables = part
    (tmp_path / "out").mkdir()
    for ending in ("json", "md", "junit.xml"):
        (tmp_path / "out" / f"{name}.{ending}").write_text("0 slower: no regression")
    variables |= {"AB_FLAGS": "--nonsense", "TARGET": "HEAD~1", "SUITE": "nonsense"}
    if script == "ab.sh":
        variables["BUILD"] = str(executable(tmp_path / "b.sh", f'mkdir -p "$1/build"; cp "{BINARY}" "$1/build/"\n'))
    shell(script, cwd=folder, code=2, **variables)
    assert list((tmp_path / "out").iterdir()) == []


def event(tmp_path, head):
    path = write_json(
        tmp_path / "event.json", {"pull_request": {"number": 7, "head": {"repo": head and {"full_name": head}}}}
    )
    return {"GITHUB_EVENT_PATH": str(path), "GITHUB_REPOSITORY": "us/alsbench"}


def test_comment_is_written_on_our_own_pull_requests(shell, tmp_path):
    executable(tmp_path / "bin" / "gh", 'echo "gh $*"\n')
    (tmp_path / "ab.md").write_text("summary")
    text = shell("comment.sh", "ab.md", **event(tmp_path, "us/alsbench")).stdout
    assert text.startswith("gh pr comment 7 --repo us/alsbench --body-file ab.md")


@pytest.mark.parametrize("head, who", [("them/alsbench", "them/alsbench"), (None, "(deleted)")])
def test_comment_is_left_out_on_a_fork_and_says_so(shell, tmp_path, head, who):
    executable(tmp_path / "bin" / "gh", "exit 1\n")
    (tmp_path / "ab.md").write_text("summary")
    text = shell("comment.sh", "ab.md", **event(tmp_path, head)).stdout
    assert text.startswith("no comment") and who in text and "summary is on the job's page" in text


def test_comment_without_summary_or_pull_request_says_so(shell, tmp_path):
    (tmp_path / "ab.md").write_text("summary")
    (tmp_path / "event.json").write_text('{"push": {}}')
    assert "there is no" in shell("comment.sh", "none.md").stdout
    variables = {"GITHUB_EVENT_PATH": str(tmp_path / "event.json"), "GITHUB_REPOSITORY": "us/alsbench"}
    assert "no pull request" in shell("comment.sh", "ab.md", **variables).stdout


@pytest.mark.skipif(not CUDA, reason="this build has no CUDA backend (no toolkit >= 12.8)")
def test_plain_does_all_steps_and_ends_with_the_highest_code(shell, checkout, baselines, tmp_path):
    repository, variables = checkout
    executable(tmp_path / "bin" / "nvidia-smi", "exit 9\n")
    text = shell("plain.sh", cwd=repository, BASELINES=str(baselines), **variables).stdout
    assert re.findall(r"== (\S+): exit code (\d)", text) == [("static.sh", "0"), ("cpu.sh", "0")]
    assert "no GPU: ab.sh is left out" in text
    text = shell("plain.sh", cwd=repository, BASELINES="nowhere", code=4, **variables).stdout
    assert "static.sh: exit code 4" in text and "cpu.sh: exit code 0" in text


@pytest.mark.parametrize("name", ["github.yml", "gitlab.yml"])
def test_the_yaml_parses_and_calls_scripts_that_exist(name):
    yaml = pytest.importorskip("yaml", reason="PyYAML of scripts/requirements-tests.txt is missing")
    text = (CI / name).read_text()
    document = yaml.safe_load(text)
    assert document
    called = set(re.findall(r"^[^#\n]*?((?:examples/ci|scripts)/[\w.-]+)", text, re.MULTILINE))
    assert called >= {"examples/ci/static.sh", "examples/ci/cpu.sh", "examples/ci/ab.sh"}
    for script in called:
        assert os.access(ROOT / script, os.X_OK), f"{name} calls {script}"


def github_jobs(file=CI / "github.yml"):
    yaml = pytest.importorskip("yaml", reason="PyYAML of scripts/requirements-tests.txt is missing")
    return yaml.safe_load(file.read_text())


WORKFLOWS = [CI / "github.yml", *files_in(".github/workflows", "*.yml")]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_are_pinned_and_leave_no_credentials(file):
    for job in github_jobs(file)["jobs"].values():
        for step in job["steps"]:
            if "uses" not in step:
                continue
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), "a tag can be moved"
            if step["uses"].startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_the_projects_own_workflow_reads_alone_and_runs_scripts_that_exist():
    for file in files_in(".github/workflows", "*.yml"):
        document = github_jobs(file)
        assert document["permissions"] == {"contents": "read"}
        for name, job in document["jobs"].items():
            granted = {"id-token": "write"} if (file.name, name) == ("release.yml", "publish") else {}
            assert job.get("permissions", {}) == granted, "PyPI trusts that one by its token"
            for script in re.findall(r"scripts/[\w.-]+", " ".join(step.get("run", "") for step in job["steps"])):
                assert os.access(ROOT / script, os.X_OK), f"{file.name} calls {script}"


def test_what_may_write_runs_nothing_of_the_pull_request():
    document = github_jobs()
    assert document["permissions"] == {"contents": "read"} and "pull_request_target" not in document[True]
    writers = [job for job in document["jobs"].values() if "write" in job.get("permissions", {}).values()]
    assert len(writers) == 1
    for step in writers[0]["steps"]:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["ref"] == "${{ github.event.pull_request.base.sha }}"
        if step.get("uses", "").startswith("actions/download-artifact@"):
            assert step["with"]["path"] not in (".", "examples"), "it must not replace the script"


def test_every_script_is_sound_shell():
    for script in files_in("examples/ci", "*.sh"):
        subprocess.run(["bash", "-n", script], check=True)
        if shutil.which("shellcheck"):
            subprocess.run(["shellcheck", script], check=True)


def test_the_documentation_names_every_script():
    text = (ROOT / "docs" / "explanation" / "ci.md").read_text()
    assert not [script.name for script in CI.iterdir() if script.name not in text]
