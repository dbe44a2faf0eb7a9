# SPDX-License-Identifier: Apache-2.0
"""Figures and tables of alsbench, of result files alone.

The package `alsbench` of this checkout reads them. Reading results takes plain Python: nothing has to be compiled.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
