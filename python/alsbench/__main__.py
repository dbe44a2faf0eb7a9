# SPDX-License-Identifier: Apache-2.0
"""`python -m alsbench` is the command `alsbench`."""

import sys

_INTERRUPTED = 130  # harness/process/exit_code.h


def main() -> None:
    """The command, whose imports may be interrupted, too."""
    try:
        from alsbench import program

        program.main()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
