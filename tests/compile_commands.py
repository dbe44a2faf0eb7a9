# SPDX-License-Identifier: Apache-2.0
"""How a build compiles its sources, one by one or several together."""

import json
import re
import shlex

INCLUDED = re.compile(r'^#include "(.+\.cpp)"$', re.MULTILINE)


def compile_commands(build):
    """Source -> the words that compile it alone in `build`. Nothing where the build has no compile_commands.json."""
    listed = build / "compile_commands.json"
    if not listed.exists():
        return {}
    commands = {}
    for entry in json.loads(listed.read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        at = words.index("-c") + 1
        together = []
        if entry["file"].endswith(".cxx"):  # files that are compiled together (CMAKE_UNITY_BUILD)
            with open(entry["file"], encoding="utf-8") as unit:
                together = INCLUDED.findall(unit.read())
        for source in together or [entry["file"]]:
            commands[source] = [*words[:at], source, *words[at + 1 :]]
    return commands
