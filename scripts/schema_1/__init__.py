# SPDX-License-Identifier: Apache-2.0
"""Conversion of documents of schema 1.x to 2.0, for scripts/convert_results.py."""
