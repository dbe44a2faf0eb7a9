# SPDX-License-Identifier: Apache-2.0
"""The direction of the layout (docs/developing/design.md): no box may include a box to the right of it.

kernels/shared <- kernels/{cuda,cpu,vendor}; base, kernels <- variants/core <- variants/{als,implicit,sgd,ccd,metric,recommend,ceiling} <- variants,
and inside harness: base <- files <- process, record; variants/core <- record <- device <- data <- problem <- stage <- measure, problem <- train <- algorithms, problem <- model,
train, model, process <- peers, all of these <- sweep <- custom, tune, judge <- cli <- main.cpp; model <- cli; tune, model <- python/native.
"""

import graphlib
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

SHARED = ["kernels/shared"]
KERNELS = ["kernels/shared", "kernels/load", "kernels/cpu", "kernels/vendor"]
CORE = KERNELS + ["base", "variants/core"]
GROUND = CORE + ["variants"]
GENERATED = {"alsbench_build_info.h"}  # by CMake, into the build folder
FILES = ["base", "kernels/shared", "harness/files"]
RECORD = FILES + ["variants/core", "variants/pipeline.h", "harness/record"]
DEVICE = RECORD + KERNELS + ["harness/device"]
PROBLEM = GROUND + DEVICE + ["harness/data", "harness/problem"]
STAGE = PROBLEM + ["harness/stage"]
TESTED = STAGE + ["harness/measure", "harness/train", "harness/algorithms", "harness/process", "harness/peers"]

# Box -> what it may include in addition to itself. The most specific box that holds a file is its box.
MAY_INCLUDE = {
    "kernels/shared": [],
    "kernels/cuda": SHARED,
    "kernels/cpu": SHARED + ["kernels/load"],
    "kernels/load": [],
    "kernels/vendor": SHARED + ["kernels/load"],
    "base": [],
    "variants/core": KERNELS + ["base"],
    "variants/als": CORE
    + ["kernels/cuda", "variants/families.h", "variants/catalog.h"],  # layouts that a kernel and its plan share
    "variants/implicit": CORE + ["variants/als", "kernels/cuda", "variants/families.h", "variants/catalog.h"],
    "variants/sgd": CORE + ["kernels/cuda", "variants/families.h", "variants/catalog.h"],
    "variants/ccd": CORE + ["variants/families.h", "variants/catalog.h"],
    "variants/metric": CORE + ["variants/families.h", "variants/catalog.h"],
    "variants/recommend": CORE + ["kernels/cuda", "variants/families.h", "variants/catalog.h"],
    "variants/ceiling": CORE + ["variants/families.h", "variants/catalog.h"],
    "variants": CORE,
    "harness/files": ["base", "kernels/shared"],
    "harness/process": FILES,
    "harness/record": RECORD,
    "harness/device": DEVICE,
    "harness/data": DEVICE,
    "harness/problem": DEVICE + ["harness/data"],
    "harness/stage": PROBLEM,
    "harness/measure": STAGE,
    "harness/train": PROBLEM + ["harness/model"],
    "harness/algorithms": PROBLEM + ["harness/train", "harness/model"],
    "harness/model": PROBLEM,
    "harness/peers": PROBLEM + ["harness/train", "harness/model", "harness/process"],
    "harness/sweep": TESTED,
    "harness/custom": TESTED + ["harness/sweep"],
    "harness/tune": TESTED + ["harness/sweep"],
    "harness/judge": TESTED + ["harness/sweep"],
    "harness/report": RECORD,
    "harness/cli": TESTED
    + ["harness/sweep", "harness/custom", "harness/tune", "harness/judge", "harness/model", "harness/report"],
    "harness/main.cpp": ["harness/cli", "harness/device"],
    "python/native": TESTED + ["harness/sweep", "harness/tune", "harness/model"],
}


def inside(path, box):
    return path == box or path.startswith(box + "/")


def box_of(path):
    return max((box for box in MAY_INCLUDE if inside(path, box)), key=len, default=None)


def violations(root):
    """Every include under `root` that the layout does not allow, as text."""
    found = []
    for folder in ("base", "kernels", "variants", "harness", "python"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SOURCES:
                found += violations_of(root, file)
    return found


def violations_of(root, file):
    name = file.relative_to(root).as_posix()
    box = box_of(name)
    if box is None:
        return [f"{name}: belongs to no box of the layout"]
    allowed = MAY_INCLUDE[box] + [box]
    found = []
    for bracket, target in INCLUDE.findall(file.read_text(encoding="utf-8")):
        if target in GENERATED:
            continue
        in_project = bracket == '"'
        if in_project and not (root / target).is_file():
            found.append(f"{name}: {target} is not a path from the repository's root")
        elif in_project and not any(inside(target, box) for box in allowed):
            found.append(f"{name}: {box} may not include {target}")
        elif (
            not in_project
            and box in ("kernels/cuda", "kernels/shared")
            and (box, target) != ("kernels/shared", "cstdint")
        ):  # types.h, outside NVRTC
            found.append(f"{name}: kernels read by NVRTC include no <{target}>")
    return found


# Boxes that name no algorithm, no part of a model and no metric: what they know of these is data.
NEUTRAL = [
    "harness/files",
    "harness/process",
    "harness/record",
    "harness/measure",
    "harness/train",
    "harness/sweep",
    "harness/judge",
    "harness/tune",
]
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?s:.*?)\)"', re.DOTALL)
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')
PARTICULAR = re.compile(r"\b(?:Side|als|stages::\w+|\w*(?:theta|rmse|RMSE)\w*)\b")
PARTICULAR_TEXTS = {
    '"als"',
    '"implicit-als"',
    '"sgd"',
    '"ccd"',
    '"epoch"',
    '"x"',
    '"theta"',
    '"rmse"',
    '"loss"',
    '"hermitian"',
    '"bias"',
    '"solve"',
    '"update"',
}


def particular_names(root):
    """Every identifier and text of a neutral box that is of one algorithm, part or metric, as text."""
    found = []
    for box in NEUTRAL:
        for file in sorted((root / box).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            name = file.relative_to(root).as_posix()
            code = COMMENT.sub(" ", file.read_text(encoding="utf-8"))
            found += [f"{name}: names {word}" for word in PARTICULAR.findall(TEXT.sub(" ", code))]
            found += [f"{name}: names {text}" for text in TEXT.findall(code) if text in PARTICULAR_TEXTS]
    return found


def test_neutral_boxes_name_no_algorithm_part_or_metric():
    assert particular_names(ROOT) == []


@pytest.mark.parametrize(
    "code, names",
    [
        ("Side side = Side::x;", 2),
        ("double rmse_bound = als::bound(theta);", 3),
        ("search(&stages::update);", 1),
        ('add("theta", "als");', 2),
        ('// RMSE of theta\nadd("test_rmse"); /* Side */', 0),
    ],
)
def test_a_particular_name_is_found(tmp_path, code, names):
    (tmp_path / "harness/record").mkdir(parents=True)
    (tmp_path / "harness/record/new.h").write_text(code + "\n")
    assert len(particular_names(tmp_path)) == names


def test_every_box_is_there():
    assert [box for box in MAY_INCLUDE if not (ROOT / box).exists()] == []


def test_no_arrow_turns_round():
    assert violations(ROOT) == []


@pytest.mark.parametrize(
    "file, line",
    [
        ("kernels/cpu/solve.cpp", '#include "variants/core/variant.h"'),
        ("kernels/cpu/solve.cpp", '#include "kernels/vendor/solve.h"'),
        ("kernels/cuda/solve/cg.cuh", "#include <cub/cub.cuh>"),
        ("kernels/cuda/solve/cg.cuh", "#include <cstdint>"),
        ("kernels/shared/views.h", "#include <vector>"),
        ("base/split.h", '#include "variants/core/variant.h"'),
        ("variants/core/variant.h", '#include "harness/data/csr.h"'),
        ("harness/files/hash.cpp", '#include "variants/core/variant.h"'),
        ("harness/files/hash.cpp", '#include "harness/data/csr.h"'),
        ("harness/device/load.cpp", '#include "harness/data/csr.h"'),
        ("harness/train/train.h", '#  include "harness/stage/verifier.h"'),
        ("harness/stage/verifier.h", '#include "harness/measure/sampler.h"'),
        ("harness/sweep/sweep.h", '#include "harness/cli/cli.h"'),
        ("harness/train/train.h", '#include "problem.h"'),
        ("harness/other/new.h", '#include "harness/other/new.h"'),
    ],
)
def test_a_turned_arrow_is_found(tmp_path, file, line):
    for name in [
        "kernels/vendor/solve.h",
        "variants/core/variant.h",
        "harness/data/csr.h",
        "harness/cli/cli.h",
        "harness/device/device.h",
        "harness/measure/sampler.h",
        "harness/stage/verifier.h",
        "harness/problem/device_problem.h",
    ]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("#pragma once\n")
    assert violations(tmp_path) == []
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(line + "\n")
    assert [v.split(":")[0] for v in violations(tmp_path)] == [file]


def folder_of(box, path):
    """The folder of a box that a file lies in; None where it lies in the box itself."""
    inner = path[len(box) + 1 :]
    return inner.split("/")[0] if "/" in inner else None


def circles(root):
    """Folders of a box that include each other, over others as well: the first circle of each box, as text."""
    found = []
    for box in MAY_INCLUDE:
        files = [file for file in sorted((root / box).rglob("*")) if file.suffix in SOURCES]
        arrows = {}
        for file in files:
            name = file.relative_to(root).as_posix()
            folder = folder_of(box, name)
            if box_of(name) != box or folder is None:
                continue
            targets = [
                target for _, target in INCLUDE.findall(file.read_text(encoding="utf-8")) if box_of(target) == box
            ]
            reached = {folder_of(box, target) for target in targets} - {None, folder}
            arrows.setdefault(folder, set()).update(reached)
        try:
            graphlib.TopologicalSorter(arrows).prepare()
        except graphlib.CycleError as circle:
            found.append(f"{box}: {' -> '.join(circle.args[1])}")
    return found


def test_folders_of_a_box_form_no_circle():
    assert circles(ROOT) == []


def test_a_circle_of_folders_is_found(tmp_path):
    box = "harness/tune"
    for folder, other in (("space", "search"), ("search", "stage"), ("stage", "space")):
        assert circles(tmp_path) == []
        (tmp_path / box / folder).mkdir(parents=True)
        (tmp_path / box / folder / f"{folder}.h").write_text(f'#include "{box}/{other}/{other}.h"\n')
    assert len(circles(tmp_path)) == 1


# Where standard error is full, fmt::print(stderr) throws; print_message drops the message instead (base/message.h).
PRINTS = re.compile(r"fmt::print\(\s*stderr")


def test_messages_on_standard_error_cannot_end_work():
    files = sorted((ROOT / "harness").rglob("*.cpp"))
    assert [file.name for file in files if PRINTS.search(file.read_text(encoding="utf-8"))] == []


# Compiling it takes seconds, and its search may take exponential time; harness/files/regular_expression.h is used instead.
def test_one_file_includes_regex():
    files = [file for folder in ("base", "harness", "python") for file in sorted((ROOT / folder).rglob("*.[ch]*"))]
    assert len(files) > 400
    including = [file.name for file in files if "#include <regex>" in file.read_text(encoding="utf-8")]
    assert including == ["regular_expression.cpp"]


def test_every_file_of_python_tests_is_run():
    registered = (ROOT / "tests" / "CMakeLists.txt").read_text(encoding="utf-8")
    files = [file for folder in ("golden", "layout") for file in sorted((ROOT / "tests" / folder).glob("test_*.py"))]
    assert len(files) > 40
    assert [file.name for file in files if f"{file.parent.name}/{file.name})" not in registered] == []
