# SPDX-License-Identifier: Apache-2.0
"""A kernel that somebody brings as a folder is listed, compiled, run, tuned and reported, with no rebuild."""

import json
import os
import shutil

import pytest

from conftest import ROOT, Program, git, read_json, validation_errors, write_json
from report_page import Page, made

pytest_plugins = ["report_page"]

REGRESSION, USAGE, ENVIRONMENT, CASES_FAILED = 1, 2, 3, 5  # harness/process/exit_code.h
EXAMPLES = ROOT / "examples/kernels"
NAMES = ["batched_cholesky", "gemm", "stencil"]
SIZES = {"gemm": "M=96,N=80,K=64", "batched_cholesky": "BATCH=64,N=24", "stencil": "NX=40,NY=24,NZ=16"}
FAST = ["--min-samples", "3", "--max-samples", "3", "-q"]
WITH_CUDA = pytest.mark.skipif(
    os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="this build has no CUDA backend (no toolkit >= 12.8)"
)


def cases_of(document):
    return {case["variant"]: case for case in document["cases"] if case["role"] == "case"}


def copied(tmp_path, name="gemm"):
    return shutil.copytree(EXAMPLES / name, tmp_path / name)


def changed(folder, change):
    """kernel.json of the folder after change(document)."""
    document = read_json(folder / "kernel.json")
    change(document)
    write_json(folder / "kernel.json", document)


def test_the_examples_are_listed(program):
    document = program.json("list", "--kernels", EXAMPLES, "--json")
    ids = [variant["id"] for variant in document["variants"]]
    for name in ("gemm/tiled/cuda", "gemm/blocked/cpu", "batched_cholesky/shared/cuda", "stencil/planes/cuda"):
        assert name in ids
    assert set(NAMES) <= {suite["name"] for suite in document["suites"]}
    alone = program.json("list", "variants", "--json")
    assert not any(variant["stage"] in NAMES for variant in alone["variants"])


@WITH_CUDA
def test_the_examples_compile_for_every_architecture(program):
    archs = "sm_75,sm_80,sm_86,sm_89,sm_90,sm_100,sm_120"
    for name, filter in (
        ("gemm", "gemm/tiled/cuda TILE=64,DEPTH=16,EACH=(4|8)"),
        ("batched_cholesky", "cholesky/shared/cuda threads=(64|256)"),
        ("stencil", "stencil/planes/cuda BLOCK_X=(32|64),BLOCK_Y=8,PLANES=16"),
        (".", f"^({'|'.join(NAMES)})/plain/cuda"),
    ):
        document = program.json(
            "compile", "--kernels", EXAMPLES / name, "--arch", archs, "--filter", filter, "--json", "-q", timeout=600
        )
        assert not document["skipped"]
        assert {kernel["arch"] for kernel in document["kernels"]} == set(archs.split(","))
        for kernel in document["kernels"]:
            assert kernel["outcome"] == "ok" and kernel["report"]["spill_store_bytes"] == 0, kernel


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_verified_and_measured_on_the_cpu(program, name):
    document = program.json(
        "run", name, "--kernels", EXAMPLES, "--size", SIZES[name], "-d", "cpu", *FAST, "--json", timeout=600
    )
    assert validation_errors(document, "result") == []
    assert len(document["provenance"]["kernels"]) == len(NAMES)
    cases = cases_of(document)
    assert "plain" in cases
    for case in cases.values():
        assert case["outcome"] == "ok", case
        assert case["name"].endswith(SIZES[name])
        assert case["shape"]["sizes"] == dict(size.split("=") for size in SIZES[name].split(","))
        assert case["cold"]["flops_per_second"] > 0 and case["cold"]["shares"], case["cold"]


def test_a_parameter_is_swept_and_a_size_left_out_is_the_first_problem_s(program):
    document = program.json(
        "run", "gemm", "--kernels", EXAMPLES, "--size", "K=16", "-d", "cpu", "-b", "blocked", "-a", "DEPTH=[32,64]",
        *FAST, "--json",
    )  # fmt: skip
    names = [case["name"] for case in document["cases"] if case["role"] == "case"]
    assert names == [f"gemm/blocked/cpu/ROWS=4,DEPTH={depth}/M=512,N=512,K=16" for depth in (32, 64)]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A cache with the examples' kernels, for tests that have them measured: each is compiled once."""
    return tmp_path_factory.mktemp("compiled")


def test_a_stage_is_tuned_and_the_answer_kept(compiled, tmp_path):
    program = Program(tmp_path, cache=compiled)
    tune = ["tune", "stage", "gemm", "--kernels", EXAMPLES, "--size", SIZES["gemm"], "-d", "cpu", "-b", "blocked"]
    document = program.json(*tune, "--strategy", "exhaustive", "--json", "-q", timeout=600)
    assert document["result"]["best"]["variant"] == "blocked"
    assert document["result"]["evaluations"] == 12
    again = program.json(*tune, "--budget-evals", "1", "--fresh", "--json", "-q", timeout=600)
    assert again["result"]["evaluations"] >= 1
    program.run("best", "--dataset", "ml-100k", "--rank", "16", "-d", "cpu")  # reads the database without the folder


def test_a_dry_run_lists_what_runs_here(program):
    run = ["run", "gemm", "--kernels", EXAMPLES, "--size", SIZES["gemm"], "-d", "cpu", "--dry-run"]
    plan = program.run(*run).stdout
    assert "gemm: 4 measurements and 0 training runs, 0 skipped" in plan
    assert len([line for line in plan.splitlines() if line.endswith(" yes")]) == 4


def test_a_page_shows_a_result(program):
    result = program.folder / "stencil.json"
    program.run(
        "run", "stencil", "--kernels", EXAMPLES, "--size", SIZES["stencil"], "-d", "cpu", *FAST, "--json", result
    )
    program.run("report", result, "-o", program.folder / "page.html")
    assert (program.folder / "page.html").stat().st_size > 0
    assert "stencil/plain/cpu/NX=40" in program.run("export", result, "--to", "csv").stdout


def test_a_page_tells_sizes_apart(browser, compiled, tmp_path):
    """Two problems of a kernel are two groups, whose sizes are named."""
    program = Program(tmp_path, cache=compiled)
    sizes = [{"M": 32, "N": 32, "K": 32}, {"M": 96, "N": 80, "K": 64}]
    suite = {**ALONE, "problems": [{"sizes": one} for one in sizes], "measure": [{"stage": "gemm", "cache": "hot"}]}
    write_json(tmp_path / "two.json", suite)
    program.run("run", "two.json", "--kernels", EXAMPLES / "gemm", "-d", "cpu", *FAST, "--json", "result.json")
    page = Page(browser, made(program, "result.json"))
    page.open_all()
    text = page.page.inner_text("body")
    assert "M=32,N=32,K=32" in text and "M=96,N=80,K=64" in text, text
    assert "part x" not in text and "rank 1" not in text, text
    assert page.faults == []


def outcome_of(tmp_path, old, new):
    """The case of a changed gemm/blocked on the CPU. Others are as right as before."""
    folder = copied(tmp_path)
    source = (folder / "blocked.cpp").read_text()
    assert old in source
    (folder / "blocked.cpp").write_text(source.replace(old, new))
    program = Program(tmp_path)
    arguments = ["--kernels", folder, "--size", SIZES["gemm"], "-d", "cpu", "--hang-timeout", "5", *FAST, "--json"]
    result = program.run("run", "gemm", *arguments, code=None, timeout=600)
    assert result.returncode == (USAGE if "m = of" in new else CASES_FAILED), result.stderr
    cases = cases_of(json.loads(result.stdout))
    assert cases["plain"]["outcome"] == "ok", cases["plain"]
    return cases["blocked"]


LOOP = "#pragma omp parallel for\n"


@pytest.mark.parametrize(
    ("old", "new", "outcome", "detail"),
    [
        ("+= left * b", "-= left * b", "wrong", "instead of"),
        ("c + size_t(last) * n, 0.f", "c + size_t(last) * n - 1, 0.f", "nan", "c("),
        (LOOP, "c[size_t(m) * n] = 1;\n" + LOOP, "wrong", "out-of-bounds-write: wrote behind"),
        (LOOP, "const_cast<float*>(a)[0] = 1;\n" + LOOP, "wrong", "input-changed: changed its input 'a'"),
        (LOOP, "if (m) __builtin_trap();\n" + LOOP, "crashed", "signal"),
        (LOOP, 'while (m) asm volatile("");\n' + LOOP, "hung", ""),
        (LOOP, "m = of;\n" + LOOP, "compile_error", "error:"),
    ],
)
def test_a_faulty_kernel_costs_a_row(tmp_path, old, new, outcome, detail):
    case = outcome_of(tmp_path, old, new)
    assert case["outcome"] == outcome and detail in case["detail"], case


# One case; the suites of the folders have ceilings beside it, which are most of a launch's work.
ALONE = {
    "name": "alone",
    "description": "One case.",
    "problems": [{"sizes": {"M": 96, "N": 80, "K": 64}}],
    "measure": [{"stage": "gemm", "variant": "blocked", "backend": "cpu", "cache": "hot"}],
}
QUICK_LAUNCHES = ["--alpha", "5%", "--bound", "20%", "--screening-launches", "2", "--timeout", "0.02", "-d", "cpu"]


def slower(folder):
    """The folder with a gemm/blocked that does its work four times."""
    source = folder / "blocked.cpp"
    source.write_text(source.read_text().replace(LOOP, "for (int again = 0; again < 4; ++again)\n" + LOOP))
    return folder


def test_two_folders_are_compared_and_their_hashes_kept(tmp_path):
    base = copied(tmp_path)
    (tmp_path / "other").mkdir()
    test = slower(copied(tmp_path / "other"))
    program = Program(tmp_path)
    sides = ["--base-kernels", base, "--test-kernels", test]
    result = program.run(
        "ab", *sides, "--filter", "gemm/blocked/.*/hot", "--size", SIZES["gemm"], *QUICK_LAUNCHES,
        "--json", "ab.json", code=REGRESSION, timeout=600,
    )  # fmt: skip
    assert "slower" in result.stdout
    document = read_json(tmp_path / "ab.json")
    assert validation_errors(document, "comparison") == []
    assert [one["name"] for one in document["base_kernels"]] == ["gemm"]
    head = f"base `{tmp_path.name}/gemm`, test other/gemm;"
    assert head in program.run("export", "ab.json", "--to", "markdown").stdout
    assert document["base_kernels"] != document["test_kernels"]
    assert [case["name"] for case in document["cases"]] == [f"gemm/blocked/cpu/ROWS=4,DEPTH=64/{SIZES['gemm']}/hot"]


def test_a_folder_is_compared_with_itself(compiled, tmp_path):
    program = Program(tmp_path, cache=compiled)
    write_json(tmp_path / "alone.json", ALONE)
    program.run(
        "aa", "alone.json", "--kernels", EXAMPLES, "--launches", "6", "--bound", "50%", "--alpha", "5%", "--timeout",
        "0.02", "-d", "cpu", "--json", "aa.json", code=None, timeout=600,
    )  # fmt: skip
    document = read_json(tmp_path / "aa.json")
    assert len(document["cases"]) == 1
    assert document["base_kernels"] == document["test_kernels"] and len(document["base_kernels"]) == len(NAMES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gemm", "--kernels", EXAMPLES], "--base: name the build"),
        (["--base-kernels", EXAMPLES / "gemm"], "--test-kernels"),
        (["--base-kernels", EXAMPLES / "gemm", "--test-kernels", EXAMPLES / "stencil"], "has no kernel 'gemm'"),
        (["--base-kernels", EXAMPLES, "--test-kernels", EXAMPLES], "name a suite"),
        (
            ["--base-kernels", EXAMPLES / "gemm", "--test-kernels", "none"],
            "--test-kernels none: there is no such folder",
        ),
        (["--base-kernels", "none", "--test-kernels", EXAMPLES], "--base-kernels none: there is no such folder"),
    ],
)
def test_sides_that_do_not_fit_are_refused(tmp_path, arguments, message):
    assert message in Program(tmp_path).run("ab", *arguments, code=USAGE).stderr


def test_the_commit_that_made_a_kernel_slower_is_found(tmp_path):
    repository = tmp_path / "repository"
    folder = shutil.copytree(EXAMPLES / "gemm", repository / "kernels")
    git(repository, "init", "--quiet", "--initial-branch", "main")
    for number in range(4):
        if number == 2:
            slower(folder)
        (folder / "notes.txt").write_text(f"change {number}")
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--message", f"Change {number}")
    write_json(tmp_path / "alone.json", ALONE)
    Program(tmp_path).run(
        "bisect", "main~3..main", "alone.json", "--repository", "repository", "--builds", "builds", "--kernels",
        "kernels", *QUICK_LAUNCHES, "--json", "found.json", code=REGRESSION, timeout=600,
    )  # fmt: skip
    document = read_json(tmp_path / "found.json")
    assert validation_errors(document, "bisection") == []
    assert document["kernels"] == "kernels" and document["build_command"] == ":"
    subjects = {commit["id"]: commit["subject"] for commit in document["commits"]}
    assert [subjects[commit] for commit in document["among"]] == ["Change 2"]


def test_outputs_kept_from_the_last_run_are_found(tmp_path):
    """Every sample has inputs of its own."""
    case = outcome_of(
        tmp_path,
        LOOP,
        "static float kept[96 * 80];\nstatic bool known = false;\n"
        "if (known) { std::copy(kept, kept + m * n, c); return; }\n"
        "struct Keep { float* c; ~Keep() { std::copy(c, c + 96 * 80, kept); known = true; } } keep{c};\n" + LOOP,
    )
    assert case["outcome"] == "wrong" and case["rule"] == "stale-output", case
    assert case["detail"].startswith("stale-output: "), case


@pytest.mark.parametrize("says_so", [True, False])
def test_a_kernel_whose_bits_differ_says_why(tmp_path, says_so):
    folder = copied(tmp_path)
    source = folder / "blocked.cpp"
    other_bits = (
        "static int calls = 0;\nstruct Last { float* c; ~Last() { c[0] += 1e-6f * float(++calls % 7); } } last{c};\n"
    )
    source.write_text(source.read_text().replace(LOOP, other_bits + LOOP))
    if says_so:
        changed(folder, lambda document: document["kernels"][1].update(nondeterminism="a sum in any order"))
    arguments = ["--kernels", folder, "--size", SIZES["gemm"], "-d", "cpu", "-b", "blocked", "-q", "--json"]
    arguments += ["--min-samples", "8", "--max-samples", "8"]
    result = Program(tmp_path).run("run", "gemm", *arguments, code=0 if says_so else CASES_FAILED)
    case = cases_of(json.loads(result.stdout))["blocked"]
    assert case["outcome"] == ("ok" if says_so else "wrong"), case
    if not says_so:
        assert case["rule"] == "wrong-when-timed" and "'nondeterminism'" in case["detail"], case


@pytest.mark.parametrize(
    ("change", "place", "remedy"),
    [
        (lambda d: d["arguments"][3].update(value="N / 3"), "/arguments/3/value", "no int32"),
        (lambda d: d["arguments"][3].update(value="N * 10000000"), "/arguments/3/value", "no int32"),
        (lambda d: d["arguments"][0].update(type="uint8"), "/arguments/0", "give 'low' and 'high'"),
        (lambda d: d["arguments"][0].update(type="int8", fill="constant", value=1000), "/arguments/0/value", "no int8"),
        (lambda d: d["kernels"][2].update(block=[64, 64]), "/kernels/2/block", "at most 1024"),
        (lambda d: d["kernels"][2].update(grid=[0]), "/kernels/2/grid", "from 1"),
        (lambda d: tile(d).update(Values=[64, 64]), "/kernels/3/ConfigurationSpace/TuningParameters/0/Values", "once"),
        (lambda d: d.update(reference="plan"), "/reference", "did you mean 'plain'"),
        (lambda d: d.update(nme="x"), "/nme", "name"),
        (lambda d: d["arguments"][0].update(type="float"), "/arguments/0/type", "float32"),
        (lambda d: d["problems"][0].update(M=0), "/problems/0/M", "from 1"),
        (lambda d: d["problems"][0].update(M=10**15), "/arguments/0/shape", "smaller sizes"),
        (lambda d: d["kernels"][2].update(grid=["N // 4096"]), "/kernels/2/grid", "from 1"),
        (lambda d: d["kernels"][2].update(file="none.cu"), "/kernels/2/file", "relative"),
        (lambda d: d.update(name="hermitian"), "/name", "another name"),
        (lambda d: d.update(name="quick"), "/name", "another name"),
    ],
)
def test_a_wrong_file_ends_with_its_place_and_a_remedy(tmp_path, change, place, remedy):
    folder = copied(tmp_path)
    changed(folder, change)
    error = Program(tmp_path).run("list", "variants", "--kernels", folder, code=USAGE).stderr
    assert "kernel.json" in error and place in error and remedy in error, error


DOT = {
    "name": "dot",
    "description": "z = x y, the last kernel with a parameter.",
    "problems": [{"N": 4096}],
    "arguments": [
        {"name": "x", "type": "float32", "shape": ["N"], "fill": "uniform"},
        {"name": "z", "type": "float32", "shape": ["N"], "use": "output"},
        {"name": "n", "type": "int64", "value": "N"},
    ],
    "reference": "plain",
    "tolerance": {"relative": 1e-5},
    "work": {"bytes": "8 * N"},
    "kernels": [
        {"name": "plain", "file": "dot.cpp", "function": "dot"},
        {
            "name": "unrolled",
            "file": "dot.cpp",
            "function": "dot",
            "ConfigurationSpace": {"TuningParameters": [{"Name": "UNROLL", "Values": [4, 8, 16]}], "Conditions": []},
        },
    ],
}


def dot(tmp_path, condition=None, problems=None):
    """A folder with a kernel of the CPU that has a condition, and problems of its own."""
    folder = tmp_path / "dot"
    folder.mkdir()
    (folder / "dot.cpp").write_text(
        "#include <cstdint>\nvoid dot(const float* x, float* z, int64_t n) {\n"
        "  for (int64_t i = 0; i < n; ++i) z[i] = x[i] * x[i];\n}\n"
    )
    document = json.loads(json.dumps(DOT))
    document["problems"] = problems or document["problems"]
    for text in [condition] if isinstance(condition, str) else condition or []:
        document["kernels"][1]["ConfigurationSpace"]["Conditions"].append({"Expression": text})
    write_json(folder / "kernel.json", document)
    return folder


@pytest.mark.parametrize("in_file", [True, False])
def test_sizes_beyond_memory_are_refused_before_anything_is_measured(tmp_path, in_file):
    size = 10**12
    program = Program(tmp_path)
    folder = dot(tmp_path, problems=[{"N": size}] if in_file else None)
    sizes = [] if in_file else ["--size", f"N={size}"]
    kernels = ["--kernels", folder, "-d", "cpu"]
    for command in (
        ["run", "dot", *kernels, *sizes, "--json", "a.json"],
        ["tune", "stage", "dot", *kernels, *sizes, "-b", "unrolled", "--json", "a.json"],
        ["aa", "dot", *kernels, *sizes, "--json", "a.json"],
    ):
        error = program.run(*command, code=USAGE).stderr
        assert f"{folder}/kernel.json: /arguments/0/shape: 'x' takes {4 * size} bytes" in error, error
        assert "--size" in error and "--rank" not in error and "--scale" not in error, error
    assert not list(tmp_path.glob("a.json*"))


def test_sizes_beyond_memory_cannot_run_here(tmp_path):
    folder = dot(tmp_path, problems=[{"N": 10**12}])
    text = " ".join(
        Program(tmp_path).run("list", "variants", "--kernels", folder, "--filter", "^dot/plain").stdout.split()
    )
    assert "0 of 1 points can run here; 'x' takes 4000000000000 bytes with N=1000000000000" in text, text


@pytest.mark.parametrize("size", ["99999999999999999999", str(2**53 + 1)])
def test_a_size_beyond_all_numbers_is_refused(tmp_path, size):
    error = Program(tmp_path).run("run", "dot", "--kernels", dot(tmp_path), "--size", f"N={size}", code=USAGE).stderr
    assert f"--size: 'N={size}' is above 2^53" in error, error


def test_a_point_that_a_condition_excludes_has_its_reason_told(tmp_path):
    run = [
        "run",
        "dot",
        "--kernels",
        dot(tmp_path, "UNROLL <= 8"),
        "-b",
        "unrolled",
        "-a",
        "UNROLL=16",
        "-d",
        "cpu",
        "-q",
    ]
    error = Program(tmp_path).run(*run, code=ENVIRONMENT).stderr
    assert 'nothing could run here; the first reason: "the condition UNROLL <= 8 does not hold"' in error, error


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("UNROLL > 100", "no point meets the condition 'UNROLL > 100'"),
        ("N // (UNROLL - 8) > 0 or UNROLL > 0", "a divisor is 0"),
        ("UNROLL > 4", "the default UNROLL=4 breaks the condition 'UNROLL > 4'"),
    ],
)
def test_a_condition_that_cannot_be_used_is_refused_with_its_place(tmp_path, condition, message):
    folder = dot(tmp_path, condition)
    for command in (["run", "dot"], ["tune", "stage", "dot", "-b", "unrolled"]):
        error = Program(tmp_path).run(*command, "--kernels", folder, "-d", "cpu", code=USAGE).stderr
        assert "/kernels/1/ConfigurationSpace/Conditions/0" in error and message in error, error


def test_a_condition_may_guard_a_later_one(tmp_path):
    folder = dot(tmp_path, ["UNROLL != 8", "N // (UNROLL - 8) != 1"])
    document = Program(tmp_path).json("list", "variants", "--kernels", folder, "--filter", "dot/unrolled", "--json")
    assert document["variants"][0]["valid_points"] == 2


@WITH_CUDA
def test_a_baseline_of_folders_is_of_their_kernels_alone(tmp_path):
    program = Program(tmp_path)
    against = ["compile", "--kernels", EXAMPLES / "gemm", "--against", "sm_90.json"]
    program.run(*against, "--write", "-q", timeout=600)
    baseline = read_json(tmp_path / "sm_90.json")
    assert sorted(kernel["variant"] for kernel in baseline["kernels"]) == ["gemm/plain/cuda", "gemm/tiled/cuda"]
    same = program.run(*against, "--recompile", timeout=600)
    assert "2 kernels are the same" in same.stdout and "2 launches compiled" in same.stderr
    baseline["kernels"].append({**baseline["kernels"][0], "variant": "hermitian/naive/cuda"})
    write_json(tmp_path / "sm_90.json", baseline)
    assert "2 kernels are the same" in program.run(*against).stdout  # others in the file do not matter
    folder = copied(tmp_path)
    source = folder / "gemm.cu"
    source.write_text(source.read_text().replace("__syncthreads();", "__syncthread();", 1))
    broken = ["compile", "--kernels", folder, "--against", "sm_90.json"]
    result = program.run(*broken, code=USAGE)
    assert "gemm/gemm.cu(" in result.stdout and "__syncthread" in result.stdout, result.stdout
    assert "1 kernel is the same" in result.stdout
    assert "gemm/gemm.cu(" in program.run(*broken, "--write", code=USAGE).stderr
    assert "no kernel of CUDA" in program.run(
        "compile", "--kernels", dot(tmp_path), "--against", "sm_90.json", code=USAGE
    ).stderr  # fmt: skip


def tile(document):
    return document["kernels"][3]["ConfigurationSpace"]["TuningParameters"][0]


def test_a_size_that_no_problem_has_is_refused(tmp_path):
    program = Program(tmp_path)
    gemm = ["--kernels", EXAMPLES / "gemm", "-d", "cpu"]
    assert "unknown size 'Q'" in program.run("run", "gemm", *gemm, "--size", "Q=3", code=USAGE).stderr
    assert "unknown size 'Q'" in program.run("tune", "stage", "gemm", *gemm, "--size", "Q=3", code=USAGE).stderr
    assert "ratings have no sizes" in program.run("run", "quick", "-d", "cpu", "--size", "Q=3", code=USAGE).stderr


@pytest.mark.parametrize("words", [["--dataset", "ml-100k"], ["--data", "r.tsv"], ["--rank", "8"], ["--lambda", "1"]])
def test_what_has_no_effect_on_a_custom_kernel_is_refused(tmp_path, words):
    program = Program(tmp_path)
    gemm = ["--kernels", EXAMPLES / "gemm", "--size", SIZES["gemm"], "-d", "cpu", *words]
    for command in (["tune", "stage", "gemm", "-b", "blocked"], ["run", "gemm"]):
        error = program.run(*command, *gemm, code=USAGE).stderr
        assert words[0].strip("-") in error and ("no effect" in error or "--size" in error), error
    assert "--scale" in program.run("run", "gemm", *gemm[:-2], "--scale", "0.5", code=USAGE).stderr


@WITH_CUDA
def test_points_that_all_object_compile_to_nothing(tmp_path):
    folder = copied(tmp_path)
    changed(folder, lambda document: document["kernels"][3].update(shared_bytes=10**9))
    compile = ["compile", "--kernels", folder, "--arch", "sm_90", "--filter", "gemm/tiled"]
    error = Program(tmp_path).run(*compile, code=USAGE).stderr
    assert "nothing was compiled: 1000000000 bytes of shared memory, and a block has at most" in error


def test_a_reference_that_disagrees_with_itself_is_named(tmp_path):
    folder = copied(tmp_path)
    source = folder / "plain.cpp"
    text = source.read_text()
    source.write_text(text.replace("{\n", "{\n  static int calls = 0;\n  const float more = ++calls % 2;\n", 1)
                      .replace("(sum);", "(sum) + more;"))  # fmt: skip
    assert source.read_text() != text and "+ more" in source.read_text()
    document = json.loads(
        Program(tmp_path)
        .run("run", "gemm", "--kernels", folder, "--size", SIZES["gemm"], "-d", "cpu", *FAST, "--json", code=5)
        .stdout
    )
    for case in cases_of(document).values():
        assert case["outcome"] == "wrong" and "the reference 'plain' gives other outputs" in case["detail"], case


@pytest.mark.parametrize(
    ("fault", "outcome", "said"),
    [
        ("__builtin_trap();", "crashed", "the worker died of signal"),
        ("static_cast<volatile float*>(nullptr)[1] = 1;", "crashed", "the worker died of signal"),
        ("std::abort();", "crashed", "the worker died of signal 6"),
        ("std::_Exit(3);", "crashed", "the worker ended with exit code 3"),
        ('while (m) asm volatile("");', "hung", "no answer within 5 s"),
        ("c[size_t(m) * n] = 1;", "wrong", "out-of-bounds-write: "),
        ("const_cast<float*>(a)[0] = 1;", "wrong", "input-changed: "),
        ("m = of;", "compile_error", "error:"),
    ],
)
def test_a_faulty_reference_is_blamed_and_no_kernel(tmp_path, fault, outcome, said):
    folder = copied(tmp_path)
    source = folder / "plain.cpp"
    source.write_text("#include <cstdlib>\n" + source.read_text().replace(LOOP, fault + "\n" + LOOP, 1))
    program = Program(tmp_path)
    kernel = ["gemm", "--kernels", folder, "--size", SIZES["gemm"], "-d", "cpu", "-b", "blocked", "-q"]
    kernel += ["--hang-timeout", "5" if outcome == "hung" else "120"]
    result = program.run("run", *kernel, *FAST[:-1], "--json", code=None, timeout=600)
    assert result.returncode == (USAGE if outcome == "compile_error" else CASES_FAILED)
    case = cases_of(json.loads(result.stdout))["blocked"]
    assert case["outcome"] == outcome and said in case["detail"], case
    assert f"the reference 'plain', gemm_plain of {source}" in case["detail"], case
    assert "gemm_plain of" in result.stderr + program.run("run", *kernel, code=None, timeout=600).stdout
    tuned = program.run("tune", "stage", *kernel, "--budget-evals", "1", "--json", "tuned.json", code=None, timeout=600)
    assert tuned.returncode == CASES_FAILED and "the reference 'plain', gemm_plain of" in tuned.stderr
    points = read_json(tmp_path / "tuned.json")["result"]["points"]
    assert points and all("the reference 'plain', gemm_plain of" in point["detail"] for point in points)


def test_a_run_is_not_resumed_with_other_files(tmp_path):
    folder = copied(tmp_path)
    program = Program(tmp_path)
    run = ["run", "gemm", "--kernels", folder, "--size", SIZES["gemm"], "-d", "cpu", *FAST, "--json", "a.json"]
    program.run(*run)
    lines = (tmp_path / "a.json.journal").read_text().splitlines(keepends=True)
    (tmp_path / "a.json.journal").write_text("".join(lines[:2]))  # as a run leaves it that was killed
    program.run(*run, "--resume")
    (tmp_path / "a.json.journal").write_text("".join(lines[:2]))
    (folder / "blocked.cpp").write_text((folder / "blocked.cpp").read_text() + "\n")
    error = program.run(*run, "--resume", code=USAGE).stderr
    assert "kernels/gemm" in error and "--fresh" in error


def test_an_edited_source_makes_a_tuning_stale(tmp_path):
    folder = copied(tmp_path)
    program = Program(tmp_path)
    arguments = ["gemm", "--kernels", folder, "--size", SIZES["gemm"], "-d", "cpu"]
    tune = ["tune", "stage", *arguments, "-b", "blocked", "--budget-evals", "2", "-q", "--db", "db.json"]
    program.run(*tune, timeout=600)
    entry = read_json(tmp_path / "db.json")["entries"][0]
    (folder / "blocked.cpp").write_text((folder / "blocked.cpp").read_text() + "// another\n")
    program.run(*tune, "--fresh", timeout=600)
    assert read_json(tmp_path / "db.json")["entries"][0]["code_hash"] != entry["code_hash"]


def test_one_pick_is_found_for_several_shapes(compiled, tmp_path):
    program = Program(tmp_path, cache=compiled)
    document = program.json(
        "tune", "stage", "gemm", "--kernels", EXAMPLES / "gemm", "--size", SIZES["gemm"], "--also", "M=8,N=200",
        "-d", "cpu", "-b", "blocked", "--budget-evals", "4", "--json", "-q", timeout=600,
    )  # fmt: skip
    assert validation_errors(document, "tuning") == []
    found = document["result"]["portability"]
    assert [one["platform"] for one in found["pick"]["platforms"]] == [SIZES["gemm"], "M=8,N=200,K=64"]
    efficiencies = [one["efficiency"] for one in found["pick"]["platforms"]]
    mean = 2 / sum(1 / one for one in efficiencies)
    assert abs(found["pick"]["performance_portability"] - mean) < 1e-9
    best = document["result"]["best"]
    assert found["pick"]["point"] == f"{best['variant']}:ROWS={best['config']['ROWS']},DEPTH={best['config']['DEPTH']}"
    assert document["search"]["also"][0]["sizes"] == {"M": "8", "N": "200", "K": "64"}
    for point in document["result"]["points"]:
        assert len(point["shape_seconds"]) == 2
        assert [len(samples) for samples in point["shape_seconds"]] == [len(point["seconds"])] * 2


def test_results_of_several_shapes_give_one_pick(compiled, tmp_path):
    program = Program(tmp_path, cache=compiled)
    for number, size in enumerate((SIZES["gemm"], "M=8,N=200,K=64")):
        program.run(
            "tune", "stage", "gemm", "--kernels", EXAMPLES / "gemm", "--size", size, "-d", "cpu", "-b", "blocked",
            "--strategy", "exhaustive", "--json", f"{number}.json", "--db", "db.json", "-q", timeout=600,
        )  # fmt: skip
    text = program.run("tune", "portability", "0.json", "1.json").stdout
    assert "one pick for all: blocked:ROWS=" in text and "M=8,N=200,K=64" in text
    by_database = program.run("tune", "portability", "db.json", "--stage", "gemm/blocked").stdout
    assert "performance portability" in by_database
    assert "files of several" in program.run("tune", "portability", "0.json", code=USAGE).stderr
    assert "--stage hermitian" in program.run("tune", "portability", "db.json", code=USAGE).stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q=3", "--also: unknown size 'Q'"),
        ("M=0", "--also: 'M=0' is no size"),
        ("M", "--also: 'M' is no size"),
        ("M=1.5", "--also: 'M=1.5' is no size"),
        ("M=3,M=4", "--also: 'M=4' gives M a second size"),
        (f"M={2**53 + 1}", f"--also: 'M={2**53 + 1}' is above 2^53"),
        ("M=4000000,N=3000000", "give smaller sizes by --also"),
        (SIZES["gemm"], "there twice"),
    ],
)
def test_another_shape_that_is_none_is_refused(tmp_path, text, message):
    arguments = ["gemm", "--kernels", EXAMPLES / "gemm", "--size", SIZES["gemm"], "-d", "cpu", "--also", text]
    error = Program(tmp_path).run("tune", "stage", *arguments, code=USAGE).stderr
    assert message in error and "--size" not in error, error


@pytest.mark.parametrize("text", ["M", "M=", "=3", "M=1.5", "M=-3", "M=03", "M=[3,4]", "M=3,M=4"])
def test_a_size_that_is_none_is_refused_by_the_option_that_gave_it(tmp_path, text):
    arguments = ["gemm", "--kernels", EXAMPLES / "gemm", "--size", text, "-d", "cpu"]
    assert "alsbench: error: --size: '" in Program(tmp_path).run("run", *arguments, code=USAGE).stderr


def test_the_row_marked_best_is_the_pick_of_several_shapes(compiled, tmp_path):
    text = Program(tmp_path, cache=compiled).run(
        "tune", "stage", "gemm", "--kernels", EXAMPLES / "gemm", "--size", SIZES["gemm"], "--also", "M=8,N=200",
        "-d", "cpu", "-b", "blocked", "--strategy", "exhaustive", "-q", timeout=600,
    ).stdout  # fmt: skip
    (best,) = (line.split()[0] for line in text.splitlines() if " best" in line and line.startswith("blocked:"))
    assert f"one pick for all: {best}\n" in text, text


def test_tables_of_custom_kernels_have_no_side_and_no_empty_columns(compiled, tmp_path):
    program = Program(tmp_path, cache=compiled)
    kernel = ["gemm", "--kernels", EXAMPLES / "gemm", "--size", SIZES["gemm"], "-d", "cpu", "-q"]
    text = program.run("run", *kernel, *FAST[:-1]).stdout
    assert f"\n{SIZES['gemm']}, cpu\n" in "\n" + text and "% gemm" not in text and "gather" not in text
    tuned = program.run("tune", "stage", *kernel, "-b", "blocked", "--budget-evals", "1").stdout
    header, row = tuned.splitlines()[:2]
    assert "registers" not in header and header.index("over default") + 12 == row.index("1.00x") + 5


def test_a_folder_without_a_kernel_is_refused(tmp_path):
    error = Program(tmp_path).run("list", "--kernels", tmp_path, code=USAGE).stderr
    assert "has no kernel.json" in error


def test_a_machine_without_a_compiler_says_so(tmp_path):
    arguments = ["gemm", "--kernels", str(EXAMPLES / "gemm"), "--size", SIZES["gemm"], "-d", "cpu", *FAST]
    program = Program(tmp_path)
    result = program.shell([program.path, "run", *arguments], code=ENVIRONMENT, CXX="no-such-compiler")
    assert "install g++, or name one by the variable CXX" in result.stderr


@WITH_CUDA
def test_a_source_that_does_not_compile_is_named_with_its_line(tmp_path):
    folder = copied(tmp_path)
    source = folder / "gemm.cu"
    source.write_text(source.read_text().replace("__syncthreads();", "__syncthread();", 1))
    filter = "gemm/tiled/cuda TILE=64,DEPTH=16,EACH=4"
    result = Program(tmp_path).run("compile", "--kernels", folder, "--arch", "sm_90", "--filter", filter, code=USAGE)
    assert "gemm/gemm.cu(" in result.stderr and "__syncthread" in result.stderr


def test_right_outputs_may_be_numpy_s(tmp_path):
    numpy = pytest.importorskip("numpy")
    folder = copied(tmp_path)
    a, b = (numpy.random.default_rng(1).random(shape, dtype=numpy.float32) for shape in ((12, 8), (8, 10)))
    for name, array in (("a", a), ("b", b), ("c", a @ b)):
        numpy.save(folder / f"{name}.npy", array)

    def change(document):
        del document["reference"]
        document["problems"] = [{"M": 12, "N": 10, "K": 8}]
        for argument in document["arguments"][:2]:
            argument.update(fill="npy", file=f"{argument['name']}.npy")
        document["arguments"][2]["expected"] = "c.npy"

    changed(folder, change)
    document = Program(tmp_path).json("run", "gemm", "--kernels", folder, "-d", "cpu", *FAST, "--json")
    assert {case["outcome"] for case in cases_of(document).values()} == {"ok"}
