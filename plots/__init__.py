# SPDX-License-Identifier: Apache-2.0
"""Figures of alsbench, drawn from result files alone."""
