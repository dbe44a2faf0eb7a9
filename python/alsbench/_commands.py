# SPDX-License-Identifier: Apache-2.0
"""Shared by the commands that the Python package adds to the program's."""

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from alsbench.errors import ENVIRONMENT, USAGE, MachineError, UsageError


class Parser(argparse.ArgumentParser):
    """Its errors are UsageError, which begin with the command."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog.removeprefix('alsbench ')}: {message}; see `{self.prog} --help`")


def exit_code(work: Callable[[], str]) -> int:
    """Does the work and prints the note that it returns, if any; prints an error of it otherwise."""
    try:
        if note := work():
            _say(note)
        return 0
    except UsageError as error:
        _say(f"error: {error}")
        return USAGE
    except MachineError as error:
        _say(f"error: {error}")
        return ENVIRONMENT


def _say(text: str) -> None:
    print(f"alsbench: {text}", file=sys.stderr)
