# SPDX-License-Identifier: Apache-2.0
"""A kernel that somebody brings as a folder is listed, compiled, run, tuned and reported, with no rebuild."""

import json
import shutil

import pytest

from conftest import Program, git, read_json, validation_errors, write_json
from custom_kernels import EXAMPLES, FAST, LOOP, SIZES, WITH_CUDA, cases_of, changed, copied, dot, gemm
from report_page import Page, made

pytest_plugins = ["report_page"]

REGRESSION, USAGE, CASES_FAILED = 1, 2, 5  # harness/process/exit_code.h
NAMES = ["batched_cholesky", "gemm", "stencil"]


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
    tune = ["tune", "stage", *gemm(EXAMPLES), "-b", "blocked"]
    document = program.json(*tune, "--strategy", "exhaustive", "--json", "-q", timeout=600)
    assert document["result"]["best"]["variant"] == "blocked"
    assert document["result"]["evaluations"] == 12
    again = program.json(*tune, "--budget-evals", "1", "--fresh", "--json", "-q", timeout=600)
    assert again["result"]["evaluations"] >= 1
    program.run("best", "--dataset", "ml-100k", "--rank", "16", "-d", "cpu")  # reads the database without the folder


def test_a_dry_run_lists_what_runs_here(program):
    run = ["run", *gemm(EXAMPLES), "--dry-run"]
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
    ours = ["compile", "--kernels", EXAMPLES / "gemm", "--against", "ours.json"]  # no architecture's name
    program.run(*ours, "--arch", "sm_90", "--write", "-q", timeout=600)
    assert "2 kernels are the same" in program.run(*ours).stdout
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


def test_a_run_is_not_resumed_with_other_files(tmp_path):
    folder = copied(tmp_path)
    program = Program(tmp_path)
    run = ["run", *gemm(folder), *FAST, "--json", "a.json"]
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
    arguments = [*gemm(folder)]
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
    merge = ["tune", "merge", "db.json", "--db", "all.json"]
    assert "unknown stage 'gemm'" in program.run(*merge).stderr
    assert "2 entries added" in program.run(*merge, "--kernels", EXAMPLES / "gemm").stdout
    assert "files of several" in program.run("tune", "portability", "0.json", code=USAGE).stderr
    twice = program.run("tune", "portability", "0.json", "1.json", "0.json", code=USAGE).stderr
    assert f"0.json and 0.json: both are of {SIZES['gemm']}" in twice and "give one of them" in twice
    other = program.run("tune", "portability", "db.json", "--stage", "gem", code=USAGE).stderr
    assert "no database has an entry of --stage 'gem'" in other and "gemm/blocked" in other
    stages = [{**entry, "what": "gemm/naive"} for entry in read_json(tmp_path / "db.json")["entries"]]
    write_json(tmp_path / "others.json", {**read_json(tmp_path / "db.json"), "entries": stages})
    assert by_database == program.run("tune", "portability", "others.json", "db.json", "--stage", "gemm/blocked").stdout
    assert "--stage hermitian" in program.run("tune", "portability", "db.json", code=USAGE).stderr


def test_the_row_marked_best_is_the_pick_of_several_shapes(compiled, tmp_path):
    text = Program(tmp_path, cache=compiled).run(
        "tune", "stage", "gemm", "--kernels", EXAMPLES / "gemm", "--size", SIZES["gemm"], "--also", "M=8,N=200",
        "-d", "cpu", "-b", "blocked", "--strategy", "exhaustive", "-q", timeout=600,
    ).stdout  # fmt: skip
    (best,) = (line.split()[0] for line in text.splitlines() if " best" in line and line.startswith("blocked:"))
    assert f"one pick for all: {best}\n" in text, text


def test_tables_of_custom_kernels_have_no_side_and_no_empty_columns(compiled, tmp_path):
    program = Program(tmp_path, cache=compiled)
    kernel = [*gemm(EXAMPLES / "gemm"), "-q"]
    text = program.run("run", *kernel, *FAST[:-1]).stdout
    assert f"\n{SIZES['gemm']}, cpu\n" in "\n" + text and "% gemm" not in text and "gather" not in text
    tuned = program.run("tune", "stage", *kernel, "-b", "blocked", "--budget-evals", "1").stdout
    header, row = tuned.splitlines()[:2]
    assert "registers" not in header and header.index("over default") + 12 == row.index("1.00x") + 5


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


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_outputs_are_not_held_against_what_is_no_number(tmp_path, number):
    """An element that differed from it was forgotten at the next one."""
    numpy = pytest.importorskip("numpy")
    folder = dot(tmp_path)
    right = numpy.ones(4096, numpy.float32)
    right[::7] = float(number)
    numpy.save(folder / "z.npy", right)

    def change(document):
        del document["reference"]
        document["arguments"][0].update(fill="constant", value=1)
        document["arguments"][1]["expected"] = "z.npy"

    changed(folder, change)
    words = ["run", "dot", "--kernels", folder, "-d", "cpu", *FAST, "--json"]
    found = cases_of(json.loads(Program(tmp_path).run(*words, code=CASES_FAILED).stdout))
    assert {case["outcome"] for case in found.values()} == {"wrong"}
    assert f"z.npy holds {number} at element 0" in found["plain"]["detail"]


def test_shards_are_merged_without_the_folder(program):
    """It ended with `out of host memory`, since its table asked for the kernels' defaults."""
    words = ["run", "gemm", "--kernels", EXAMPLES / "gemm", "-d", "cpu", *FAST]
    for shard in (0, 1):
        program.run(*words, "--shard", f"{shard}/2", "--json", f"{shard}.json")
    table = program.run("merge", "0.json", "1.json", "--json", "merged.json").stdout
    assert table.count("\ngemm/blocked  ROWS=4,DEPTH=64  hot") == 2, table
    assert len(cases_of(read_json(program.folder / "merged.json"))) == 2


def test_two_problems_of_the_same_sizes_are_told_by_their_sizes(tmp_path):
    folder = dot(tmp_path, problems=[{"N": 16}, {"N": 16}])
    stderr = Program(tmp_path).run("run", "dot", "--kernels", folder, "-d", "cpu", code=USAGE).stderr
    assert "has the same name as /problems/0: N=16; sizes must differ" in stderr


def integers(tmp_path, source, type="int64", scalars=()):
    """A folder whose kernels `right` and `off` write integers; off is held to the bits of right."""
    folder = tmp_path / "integers"
    folder.mkdir()
    (folder / "k.cpp").write_text("#include <cstdint>\n" + source)
    arguments = [
        {"name": "y", "type": type, "shape": ["N"], "use": "output"},
        {"name": "x", "type": type, "shape": ["N"], "fill": "uniform", "low": 0, "high": 100},
        {"name": "n", "type": "int32", "value": "N"},
    ]
    document = {
        "name": "integers",
        "description": "of 64 bits, or -1 for none",
        "problems": [{"N": 1000}],
        "arguments": [*arguments, *scalars],
        "reference": "right",
        "tolerance": {"relative": 0, "absolute": 0},
        "kernels": [{"name": name, "file": "k.cpp", "function": name} for name in ("right", "off")],
    }
    write_json(folder / "kernel.json", document)
    return ["run", "integers", "--kernels", folder, "-d", "cpu", *FAST]


def test_integers_of_64_bits_are_compared_to_the_last(tmp_path):
    """A double holds 53 bits of them."""
    source = """void right(int64_t* y, const int64_t* x, int n) { for (int i = 0; i < n; ++i) y[i] = (1ll << 60) + x[i]; }
void off(int64_t* y, const int64_t* x, int n) { for (int i = 0; i < n; ++i) y[i] = (1ll << 60) + x[i] + (i == 7); }
"""
    program = Program(tmp_path)
    program.run(*integers(tmp_path, source), "--json", "r.json", code=CASES_FAILED)
    cases = cases_of(read_json(tmp_path / "r.json"))
    assert cases["right"]["outcome"] == "ok" and cases["off"]["outcome"] == "wrong"
    assert "y(7) is 1 off 1.1529215e+18" in cases["off"]["detail"]


def test_an_integer_that_is_never_written_is_seen_where_minus_1_is_right(tmp_path):
    source = """void right(int* y, const int* x, int n) { for (int i = 0; i < n; ++i) y[i] = i < n - 9 ? x[i] : -1; }
void off(int* y, const int* x, int n) { for (int i = 0; i < n - 9; ++i) y[i] = x[i]; }
"""
    program = Program(tmp_path)
    program.run(*integers(tmp_path, source, type="int32"), "--json", "r.json", code=CASES_FAILED)
    cases = cases_of(read_json(tmp_path / "r.json"))
    assert cases["right"]["outcome"] == "ok" and cases["off"]["outcome"] == "wrong"
    assert "y(991) is" in cases["off"]["detail"]


def test_scalars_of_64_bits_reach_a_kernel_as_they_are(tmp_path):
    parameters = "int64_t* y, const int64_t* x, int n, int64_t a, uint64_t b"
    source = f"""void right({parameters}) {{ for (int i = 0; i < n; ++i) y[i] = x[i] + 993485; }}
void off({parameters}) {{ for (int i = 0; i < n; ++i) y[i] = x[i] + a % 1000 * 1000 + int64_t(b % 1000); }}
"""
    scalars = [
        {"name": "a", "type": "int64", "value": 9007199254740993},
        {"name": "b", "type": "uint64", "value": "11400714819323198485"},
    ]
    Program(tmp_path).run(*integers(tmp_path, source, scalars=scalars))
