# SPDX-License-Identifier: Apache-2.0
"""An exception that leaves a parallel region ends the program: each region carries it out, or says that there is none.

Out of a region it is carried by FirstError (kernels/cpu/first_error.h) or by a catch of its own.
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARALLEL = re.compile(r"^[ \t]*#pragma omp parallel\b(?:.*\\\n)*.*$", re.MULTILINE)
NOTHING_THROWS = "// cannot throw"


def statement_after(text, begin):
    """Of C++: up to the semicolon or brace that ends it."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 and text[at] in ";}":
            return text[begin : at + 1]
    return text[begin:]


def is_safe(text, region):
    """`region`: the match of its pragma in the text of a file."""
    statement = statement_after(text, region.end())
    carried = re.search(r"\berror\b", statement) and "error.rethrow()" in text[region.end() + len(statement) :]
    return region[0].endswith(NOTHING_THROWS) or carried or "catch (...)" in statement


def unsafe_regions(root):
    found = []
    for folder in ("harness", "kernels/cpu"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".h", ".cpp"}:
                continue
            text = file.read_text(encoding="utf-8")
            for region in PARALLEL.finditer(text):
                if not is_safe(text, region):
                    line = text.count("\n", 0, region.start()) + 1
                    found.append(f"{file.relative_to(root)}:{line}: {region[0].strip()}")
    return found


def test_no_exception_leaves_a_parallel_region():
    assert unsafe_regions(ROOT) == []


@pytest.mark.parametrize(
    "code, is_found",
    [
        ("#pragma omp parallel for\nfor (int i = 0; i < n; ++i) v.push_back(i);", True),
        ("#pragma omp parallel for  // cannot throw\nfor (int i = 0; i < n; ++i) v[i] = i;", False),
        (
            "#pragma omp parallel for \\\n    reduction(+ : s)  // cannot throw\nfor (int i = 0; i < n; ++i) s += i;",
            False,
        ),
        ("#pragma omp parallel for\nfor (;;) error.run([&] { work(); });\nerror.rethrow();", False),
        ("#pragma omp parallel for\nfor (;;) error.run([&] { work(); });", True),
        ("#pragma omp parallel\n{ work(); }\nerror.run(work);\nerror.rethrow();", True),
        ("#pragma omp parallel for\nfor (;;) { try { work(); } catch (...) { } }", False),
    ],
)
def test_a_region_that_may_throw_is_found(tmp_path, code, is_found):
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "a.cpp").write_text(f"void f() {{\n{code}\n}}\n", encoding="utf-8")
    assert bool(unsafe_regions(tmp_path)) == is_found
