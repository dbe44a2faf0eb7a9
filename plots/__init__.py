"""Figures and the HTML report of alsbench, drawn from result files alone."""
