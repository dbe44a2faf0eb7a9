# SPDX-License-Identifier: Apache-2.0
"""Comparing output with tests/golden/expected, what differs between machines and runs taken out.

ALSBENCH_UPDATE_GOLDEN=1 rewrites the expected files; read their diff before committing it.
"""

import os
import pathlib
import re

EXPECTED = pathlib.Path(__file__).parent / "expected"
NUMBER = r"(?<![\w=:.@-])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.-])"


def check(name, text):
    path = EXPECTED / name
    if os.environ.get("ALSBENCH_UPDATE_GOLDEN"):
        EXPECTED.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} differs from tests/golden/expected/{name}"


def scrub_table(text):
    """Measured numbers and the widths of columns; numbers inside names and configurations stay."""
    lines = re.sub(NUMBER, "#", text).splitlines()
    return "".join(re.sub(r" +", " ", line).rstrip() + "\n" for line in lines)
