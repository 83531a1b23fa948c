"""The examples of the guide and of the tutorial run and print the output that the pages show."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

import gradyn
from conftest import thorough

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def run(page: str) -> dict[str, Any]:
    """Runs the examples of a page, compares their output with the page, and returns the names
    that they define."""
    names: dict[str, Any] = {"__name__": page}
    pattern = r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?"
    blocks = re.findall(pattern, (DOCS / f"{page}.md").read_text(), re.S)
    assert len(blocks) > 5
    for code, expected in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, page, "exec"), names)
        assert out.getvalue() == expected
    return names


@thorough
def test_the_examples_of_the_guide() -> None:
    pytest.importorskip("scipy")
    run("python")


def test_the_tutorial_has_the_bits_of_that_in_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    names = run("python-tutorial")
    for source in re.findall(r"```c\n(/\* .*?)```", (DOCS / "tutorial.md").read_text(), re.S):
        name = source[3:].split(".c:")[0]
        (tmp_path / f"{name}.c").write_text(source)
        of_c = gradyn.load(tmp_path / f"{name}.c")
        assert names[name].parameters == of_c.parameters and names[name].functionals == of_c.functionals
        for own, its in zip(names[name].gradients(), of_c.gradients()):
            assert own == pytest.approx(its, rel=1e-10, abs=1e-14) if name == "lift" else (own == its).all()


def test_every_public_name_has_a_docstring() -> None:
    for name in gradyn.__all__:
        thing = getattr(gradyn, name)
        if callable(thing):
            assert thing.__doc__, name
            members = vars(thing).items() if isinstance(thing, type) else []
            for member, value in members:
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"
