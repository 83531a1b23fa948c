"""The examples of docs/python.md run, and print what stands there."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).resolve().parent.parent.parent / "docs" / "python.md"


def test_the_examples_of_the_guide() -> None:
    pytest.importorskip("scipy")
    names: dict[str, Any] = {"__name__": "guide"}
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", GUIDE.read_text(), re.S)
    assert len(blocks) > 8
    for code, expected in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, str(GUIDE), "exec"), names)
        if expected:
            assert out.getvalue() == expected


def test_every_public_name_has_a_docstring() -> None:
    import gradyn

    for name in gradyn.__all__:
        thing = getattr(gradyn, name)
        if callable(thing):
            assert thing.__doc__, name
            members = vars(thing).items() if isinstance(thing, type) else []
            for member, value in members:
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"
