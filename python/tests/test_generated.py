"""The generated parts cover all headers and pass the type checker."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from generator import coverage
from generator.headers import read

import gradyn
from conftest import thorough

PYTHON = Path(__file__).resolve().parent.parent
PACKAGE = Path(gradyn.__file__).parent  # with what the build writes
HEADERS = read(PYTHON.parent / "include")


def test_every_public_function_is_wrapped_or_excused() -> None:
    assert coverage.missing(HEADERS, PACKAGE) == []


def test_a_function_without_a_wrapper_is_reported(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("lib.gradyn_evaluator_simulate()")
    told = coverage.missing(HEADERS, tmp_path)
    assert "gradyn_evaluator_gradient() is neither wrapped nor excused" in told
    assert not any("gradyn_evaluator_simulate()" in line for line in told)


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


WRONG = """
import gradyn
def build(m: gradyn.Model) -> None:
    point = m.point("p", 0, 0)
    m.spring("s", point, m.rod("r", point, point))
    m.fix_initial_coordinate(point, "w")
    m.rod("r", point, point, lenght=1)
gradyn.load("five-bar", rtoll=1e-6).optimise(maxiter=4)
"""


def test_options_are_those_of_the_library_and_shown() -> None:
    from gradyn import _declarations, _options

    searches = [getattr(gradyn.Problem, name) for name in ("optimise", "run", "multistart", "pareto")]
    for struct, options, functions in (
        ("gradyn_options", _declarations.Options, [gradyn.load, gradyn.Problem.with_options]),
        ("gradyn_search", _declarations.SearchOptions, searches),
    ):
        names = set(_options.names(struct))
        assert set(options.__annotations__) == names
        for function in functions:
            assert names <= set(inspect.signature(function).parameters), function


@thorough
def test_types_are_strict_and_find_a_rod_given_as_a_point(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    if int(np.__version__.split(".")[0]) > 1:
        pytest.skip("NumPy's types, and what mypy makes of them, are those of version 1 here")
    (tmp_path / "wrong.py").write_text(WRONG)
    options = ["--config-file", str(PYTHON / "pyproject.toml"), "--strict", "--cache-dir=/dev/null"]
    files = ["gradyn", str(PYTHON / "examples"), str(tmp_path / "wrong.py")]
    command = [sys.executable, "-m", "mypy", *options, *files]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True)
    told = [line for line in done.stdout.splitlines() if "error" in line]
    assert 'Argument 3 to "spring" of "Declarations" has incompatible type "ConstraintId"' in told[0]
    assert 'Argument 2 to "fix_initial_coordinate"' in told[1] and '"lenght"' in told[2]
    assert 'argument "rtoll"' in told[3] and 'argument "maxiter"' in told[4]
    assert "Found 5 errors in 1 file" in told[5]  # those that are meant
