# SPDX-License-Identifier: Apache-2.0
"""What alsbench raises beside Python's own exceptions."""


class UsageError(ValueError):
    """What was asked for or given is wrong; the message names the place, the value and the remedy."""


class MachineError(RuntimeError):
    """The machine cannot do what was asked: no such device, no memory, a full disk. The message names the remedy."""
