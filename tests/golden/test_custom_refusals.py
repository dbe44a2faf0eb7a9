# SPDX-License-Identifier: Apache-2.0
"""Faults of custom kernels are found, cost their own rows, and are told with their places and a remedy."""

import json

import pytest

from conftest import Program, read_json
from custom_kernels import EXAMPLES, FAST, LOOP, SIZES, WITH_CUDA, cases_of, changed, copied, dot, gemm

USAGE, ENVIRONMENT, CASES_FAILED = 2, 3, 5  # harness/process/exit_code.h


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


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("N=1000", "/arguments/2/value: 'N' is 1000 with N=1000, which is no int8; change it, or 'type'"),
        ("N=40", "/work/flops: 'N - 50' is -10 with N=40; it must be above 0"),
    ],
)
def test_other_sizes_keep_to_the_rules_of_the_file(tmp_path, size, told):
    """Only its own problems were looked at: 1000 reached the kernels as -24, and they were timed."""
    folder = dot(tmp_path, problems=[{"N": 100}])

    def change(document):
        document["arguments"][2]["type"] = "int8"
        document["work"] = {"flops": "N - 50"}

    changed(folder, change)
    program = Program(tmp_path)
    for words in (["run", "dot"], ["tune", "stage", "dot", "-b", "unrolled"]):
        words += ["--kernels", folder, "-d", "cpu", "--size", size]
        assert f"kernel.json: {told}" in program.run(*words, code=USAGE).stderr


def test_a_condition_that_no_point_meets_is_told_as_it_is_written(tmp_path):
    """Its numbers were replaced, as those of objections that differ by them: UNROLL * N <= N."""
    folder = dot(tmp_path, "UNROLL * N <= 100000")
    words = ["tune", "stage", "dot", "--kernels", folder, "--size", "N=200000", "-d", "cpu", "-b", "unrolled"]
    stderr = Program(tmp_path).run(*words, code=USAGE).stderr
    assert "the commonest objection: the condition UNROLL * N <= 100000 does not hold" in stderr, stderr


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


def test_a_reference_that_disagrees_with_itself_is_named(tmp_path):
    folder = copied(tmp_path)
    source = folder / "plain.cpp"
    text = source.read_text()
    source.write_text(text.replace("{\n", "{\n  static int calls = 0;\n  const float more = ++calls % 2;\n", 1)
                      .replace("(sum);", "(sum) + more;"))  # fmt: skip
    assert source.read_text() != text and "+ more" in source.read_text()
    document = json.loads(Program(tmp_path).run("run", *gemm(folder), *FAST, "--json", code=5).stdout)
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
    kernel = [*gemm(folder), "-b", "blocked", "-q"]
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


def tile(document):
    return document["kernels"][3]["ConfigurationSpace"]["TuningParameters"][0]


@pytest.mark.parametrize(
    ("change", "place", "remedy"),
    [
        (lambda d: d["arguments"][3].update(value="N / 3"), "/arguments/3/value", "no int32"),
        (lambda d: d["arguments"][3].update(value="N * 10000000"), "/arguments/3/value", "no int32"),
        (lambda d: d["arguments"][0].update(type="uint8"), "/arguments/0", "give 'low' and 'high'"),
        (lambda d: d["arguments"][0].update(type="float16", high=1e5), "/arguments/0", "100000 is no float16"),
        (lambda d: d["arguments"][0].update(high=1e39), "/arguments/0", "1e+39 is no float32"),
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


def test_a_folder_without_a_kernel_is_refused(tmp_path):
    error = Program(tmp_path).run("list", "--kernels", tmp_path, code=USAGE).stderr
    assert "has no kernel.json" in error
    file = EXAMPLES / "gemm" / "kernel.json"
    error = Program(tmp_path).run("list", "variants", "--kernels", file, code=USAGE).stderr
    assert f"--kernels {file}: is no folder: name the one that kernel.json lies in" in error


def test_a_machine_without_a_compiler_says_so(tmp_path):
    arguments = [*gemm(str(EXAMPLES / "gemm")), *FAST]
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


@WITH_CUDA
def test_points_that_all_object_compile_to_nothing(tmp_path):
    folder = copied(tmp_path)
    changed(folder, lambda document: document["kernels"][3].update(shared_bytes=10**9))
    compile = ["compile", "--kernels", folder, "--arch", "sm_90", "--filter", "gemm/tiled"]
    error = Program(tmp_path).run(*compile, code=USAGE).stderr
    assert "nothing was compiled: 1000000000 bytes of shared memory, and a block has at most" in error


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


def test_a_size_that_no_problem_has_is_refused(tmp_path):
    program = Program(tmp_path)
    gemm = ["--kernels", EXAMPLES / "gemm", "-d", "cpu"]
    assert "unknown size 'Q'" in program.run("run", "gemm", *gemm, "--size", "Q=3", code=USAGE).stderr
    assert "unknown size 'Q'" in program.run("tune", "stage", "gemm", *gemm, "--size", "Q=3", code=USAGE).stderr
    assert "ratings have no sizes" in program.run("run", "quick", "-d", "cpu", "--size", "Q=3", code=USAGE).stderr


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
    arguments = [*gemm(EXAMPLES / "gemm"), "--also", text]
    error = Program(tmp_path).run("tune", "stage", *arguments, code=USAGE).stderr
    assert message in error and "--size" not in error, error


@pytest.mark.parametrize("text", ["M", "M=", "=3", "M=1.5", "M=-3", "M=03", "M=[3,4]", "M=3,M=4"])
def test_a_size_that_is_none_is_refused_by_the_option_that_gave_it(tmp_path, text):
    arguments = ["gemm", "--kernels", EXAMPLES / "gemm", "--size", text, "-d", "cpu"]
    assert "alsbench: error: --size: '" in Program(tmp_path).run("run", *arguments, code=USAGE).stderr


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


@pytest.mark.parametrize("words", [["--dataset", "ml-100k"], ["--data", "r.tsv"], ["--rank", "8"], ["--lambda", "1"]])
def test_what_has_no_effect_on_a_custom_kernel_is_refused(tmp_path, words):
    program = Program(tmp_path)
    gemm = ["--kernels", EXAMPLES / "gemm", "--size", SIZES["gemm"], "-d", "cpu", *words]
    for command in (["tune", "stage", "gemm", "-b", "blocked"], ["run", "gemm"]):
        error = program.run(*command, *gemm, code=USAGE).stderr
        assert words[0].strip("-") in error and ("no effect" in error or "--size" in error), error
    assert "--scale" in program.run("run", "gemm", *gemm[:-2], "--scale", "0.5", code=USAGE).stderr


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
