# SPDX-License-Identifier: Apache-2.0
"""Exceptions of alsbench in addition to Python's own."""

USAGE, ENVIRONMENT = 2, 3  # codes that the command ends with: harness/process/exit_code.h


class UsageError(ValueError):
    """A wrong request or argument; the message names the place, the value and the remedy."""


class MachineError(RuntimeError):
    """The machine cannot do what was asked: no such device, no memory, a full disk. The message names the remedy."""
