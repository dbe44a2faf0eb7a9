# SPDX-License-Identifier: Apache-2.0
"""`python -m alsbench` is the command `alsbench`."""

from alsbench.program import main

if __name__ == "__main__":
    main()
