# SPDX-License-Identifier: Apache-2.0
"""Figures and the HTML report of alsbench, drawn from result files alone."""
