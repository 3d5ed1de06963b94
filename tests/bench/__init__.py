"""Measurements of speed and memory, as ratios of two things measured in turn in one run. Nothing is asserted.

    python -m tests.bench            every measurement
    python -m tests.bench front-end  one of them

A machine that is busy makes both sides of a ratio slow, so each figure is the best of several turns.
"""
