"""What is committed is what the headers say, and the types hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import generate
from generator import coverage
from generator.headers import read

PYTHON = Path(__file__).resolve().parent.parent
HEADERS = read(PYTHON.parent / "include")


def test_committed_files_are_what_the_generator_writes() -> None:
    assert generate.differing(generate.generated(HEADERS)) == []


def test_every_public_function_is_wrapped_or_excused() -> None:
    assert coverage.missing(HEADERS, PYTHON / "gradyn") == []


def test_a_function_that_nobody_wraps_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("lib.gradyn_simulate()")
    told = coverage.missing(HEADERS, tmp_path)
    assert "gradyn_gradient() is neither wrapped nor excused" in told
    assert not any("gradyn_simulate()" in line for line in told)


def test_every_method_and_argument_has_a_meaning() -> None:
    from gradyn._declarations import Declarations

    for name, method in vars(Declarations).items():
        if callable(method):
            assert method.__doc__ and "See the header" not in method.__doc__, name


def test_lines_are_no_wider_than_elsewhere() -> None:
    wide = [
        f"{path.name}:{number}"
        for path in PYTHON.rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 110
    ]
    assert wide == []


def test_types_are_strict() -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir=/dev/null", "gradyn"],
        cwd=PYTHON, capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout
