"""Python names and docstrings from names and comments in C."""

from __future__ import annotations

import keyword
import re
import textwrap

from .headers import Headers

WIDTH = 110


def python_name(name: str) -> str:
    """`from` is a reserved word of Python, so it becomes from_."""
    return name + "_" if keyword.iskeyword(name) else name


def class_name(type_name: str) -> str:
    """gradyn_joint_kind -> JointKind"""
    return "".join(part.capitalize() for part in type_name.removeprefix("gradyn_").split("_"))


def short_name(name: str) -> str:
    """gradyn_rod -> rod"""
    return name.removeprefix("gradyn_")


def noun(name: str) -> str:
    """gradyn_point_id -> a point"""
    word = short_name(name).removesuffix("_id").replace("_", " ")
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def table_name(name: str) -> str:
    """gradyn_joint_kind -> JOINT_KIND"""
    return short_name(name).upper()


def choice(enumerator: str) -> str:
    """GRADYN_POINT_ON_LINE -> point-on-line"""
    return enumerator.removeprefix("GRADYN_").lower().replace("_", "-")


def in_python(comment: str, headers: Headers) -> str:
    """A comment of the headers, with the Python names of functions and members."""
    choices = {name for names in headers.enums.values() for name in names}

    def constant(match: re.Match[str]) -> str:
        name = match[0]
        return f'"{choice(name)}"' if name in choices else name.removeprefix("GRADYN_")

    text = re.sub(r"GRADYN_[A-Z][A-Z_]*", constant, comment)
    text = re.sub(r"\bgradyn_(\w+)\(\)", r"\1()", text)
    text = text.replace("at->", "at.").replace("NULL", "None")
    text = re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", text))
    return re.sub(r"^\[\w+( - 1)?\](,| |$) ?", "", text).replace("\\", "\\\\").replace('"""', "'''")


def docstring(summary: str, arguments: list[tuple[str, str]], indent: str) -> list[str]:
    """Lines of a docstring: what the comment says, then what the arguments mean."""
    lines = textwrap.wrap(summary, WIDTH - len(indent) - 6) or ["See the header."]
    told = [(name, meaning) for name, meaning in arguments if meaning]
    if told:
        lines.append("")
    for name, meaning in told:
        wrapped = textwrap.wrap(f"{name}: {meaning}", WIDTH - len(indent) - 4, subsequent_indent="    ")
        lines += wrapped
    if len(lines) == 1 and not lines[0].endswith('"'):
        return [f'{indent}"""{lines[0]}"""']
    lines[0] = '"""' + lines[0]
    return [f"{indent}{line}".rstrip() for line in [*lines, '"""']]
