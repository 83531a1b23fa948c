"""Exceptions at any call of every kind of Python function, and wrong results of such functions."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

import gradyn

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
sys.path.append(str(EXAMPLES))

import everything  # noqa: E402


class Broken(Exception):
    """The exception that a function of this test raises."""


def raising(kind: str, at_call: int, error: BaseException, calls: list[int]) -> Any:
    """The usual function, except that one call behaves wrongly."""

    def function(*arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] == at_call:
            raise error
        return everything.USUAL[kind](*arguments)

    return function


@pytest.mark.parametrize("kind", list(everything.USUAL))
@pytest.mark.parametrize("call", ["simulate", "gradients"])
def test_an_exception_at_any_call_is_passed_on(kind: str, call: str) -> None:
    expected = everything.ball({}).functions()
    calls, whole = [0], [0]
    getattr(everything.ball({kind: raising(kind, 0, Broken(), whole)}), call)()
    moments = sorted({1, 2, 3, *random.Random(1).sample(range(1, whole[0] + 1), min(3, whole[0]))})
    for moment in moments:
        error: BaseException = SystemExit(2) if moment == 2 else Broken(kind)
        calls[0] = 0
        problem = everything.ball({kind: raising(kind, moment, error, calls)})
        if moment > whole[0]:
            continue
        with pytest.raises(type(error)) as caught:
            getattr(problem, call)()
        assert caught.value is error
        assert (problem.functions() == expected).all()  # as if nothing had been


@pytest.mark.parametrize("kind", list(everything.USUAL))
@pytest.mark.parametrize("bad", [None, "text", float("nan"), [1, 2, 3, 4, 5]])
def test_a_wrong_result_of_any_function_is_reported(kind: str, bad: Any) -> None:
    problem = everything.ball({kind: lambda *arguments: bad})
    with pytest.raises((TypeError, ValueError, gradyn.GradynError)):
        problem.gradients()
