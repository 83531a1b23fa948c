#!/usr/bin/env python3
"""Checks that comments of private declarations complete the conventions of docs/style.md.

Usage: check_comments.py [FOLDER]. Prints a line for each function declared in a header of a private folder that has
no comment directly above it, whose result its comment does not mention, or whose definition tests a pointer
parameter for NULL while its comment does not mention NULL. The exit status is 1 if there is one."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
FOLDERS = ("core", "mbs", "dae", "adjoint", "optim", "report", "cli")
COMMENT = r"/\*(?:[^*]|\*(?!/))*\*/"
# a function at the start of a line: its text up to the closing bracket, its name, its parameters
FUNCTION = r"(?m:^)(?!typedef|struct \w+ \{|enum|extern|[\s#}*/])([\w \*]*?\b([a-z]\w*)\(([^;{}]*)\))"
ATTRIBUTE = r"(?:\s*__attribute__\(\(.*?\)\))?"


def parameters(text: str) -> list[str]:
    """The parameters of a list, which may have function pointers."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def tested(inside: str, body: str) -> list[str]:
    """Names of pointer parameters that a body compares with NULL."""
    code = re.sub(rf'{COMMENT}|"(?:[^"\\]|\\.)*"', "", body)
    names = [
        name[1] or name[2]
        for parameter in parameters(inside)
        if re.search(r"[*\[]|_fn ", parameter)
        if (name := re.search(r"\(\*(\w+)\)|(\w+)\s*(?:\[[^]]*\]\s*)*$", parameter))
    ]
    return [
        name
        for name in names
        if re.search(
            rf"(?:\(|&& |\|\| |\? |: |return |[^=!<>]= ){name} (?:\?|&&|\|\||[=!]= NULL)"
            rf"|!{name}\b(?!->|\[|\.|\()|if \({name}\)|(?:&&|\|\|) {name}(?:\)|;| &&| \|\|| \?)",
            code,
        )
    ]


def definitions() -> dict[str, tuple[str, str]]:
    """Parameters and body of each function."""
    found: dict[str, tuple[str, str]] = {}
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.[ch]")):
            for m in re.finditer(FUNCTION + r"\s*\n\{(.*?)^\}", file.read_text(), re.S | re.M):
                found.setdefault(m[2], (m[3], m[4]))
    return found


def faults() -> Iterator[str]:
    bodies = definitions()
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.h")):
            text, comment, end = file.read_text(), "", 0
            for m in re.finditer(rf"{COMMENT}|{FUNCTION}{ATTRIBUTE}\s*(?:;|\n\{{)", text, re.S):
                if not m[2]:
                    comment, end = m[0], m.end()
                    continue
                place = f"{file.relative_to(ROOT)}:{text.count(chr(10), 0, m.start()) + 1}: {m[2]}()"
                if not comment or text[end : m.start()].strip("\n ") or "\n\n" in text[end : m.start()]:
                    yield f"{place} has no comment of its own"
                    comment = ""
                    continue
                if not re.search(r"\bvoid(?! ?\*)|gradyn_status ", m[1].partition(m[2])[0]) and "eturn" not in comment:
                    yield f"{place} returns a value: state it in its comment"
                if "NULL" not in comment and (names := tested(*bodies.get(m[2], ("", "")))):
                    yield f"{place} tests {' and '.join(names)} for NULL: state the effect of NULL in its comment"
                comment = ""


found = list(faults())
print("\n".join(found), end="\n" if found else "")
sys.exit(1 if found else 0)
