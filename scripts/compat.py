#!/usr/bin/env python3
"""Writes the renamed names of include/gradyn/compat.h from names.tsv and the public headers.

    compat.py           writes the part between the two marks
    compat.py --check   fails if the file has another text there"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "include" / "gradyn" / "compat.h"
BEGIN = "/* --- Renamed: written by scripts/compat.py from scripts/names.tsv ------------------------- */"
END = "/* --- End of the renamed names --- */"


def rows(kinds: set[str]) -> list[tuple[str, str, str]]:
    lines = [line.split("\t") for line in (ROOT / "scripts/names.tsv").read_text().splitlines()]
    return [(row[0], row[1], row[2]) for row in lines if row[0] in kinds]


def prototypes() -> dict[str, tuple[str, list[str]]]:
    """By function: the type that it returns, and its parameters."""
    found = {}
    for header in sorted(HEADER.parent.glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for match in re.finditer(r"GRADYN_API\s+([^;()]*?)(gradyn_\w+)\(([^;]*?)\)[^;()]*(?:\([^;]*)?;", text):
            given = [" ".join(p.split()) for p in match[3].split(",")]
            found[match[2]] = (" ".join(match[1].split()), given)
    return found


def name_of(parameter: str) -> str:
    found = re.search(r"(\w+)(?:\[\w*\])*$", parameter)
    return found[1] if found else ""


def wrapper(old: str, new: str, returns: str, parameters: list[str], handed: list[str]) -> list[str]:
    if any("..." in parameter for parameter in parameters):
        return [f"#define {old} {new}"]
    head = f"GRADYN_RENAMED({new}) static inline {returns}"
    joint = "" if returns.endswith("*") else " "
    listed = ", ".join(parameters) or "void"
    body = f"{{ {'' if returns == 'void' else 'return '}{new}({', '.join(handed)}); }}"
    text = f"{head}{joint}{old}({listed}) {body}"
    return textwrap.wrap(text, 104, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def written() -> str:
    lines, known = ["/* clang-format off */"], prototypes()
    for _, old, new in rows({"type"}):
        lines += textwrap.wrap(f"typedef {new} {old} GRADYN_RENAMED({new});", 104, subsequent_indent="  ")
    lines.append("")
    for kind, old, new in rows({"enumerator", "macro"}):
        lines.append(f"#define {old} {new}")
    lines.append("")
    for kind, old, new in rows({"function", "call"}):
        arguments = None
        if kind == "call":
            old, count = old.split("(")[0], old.count(",") + 1
            new, listed = new.rstrip(")").split("(", 1)
            arguments = [a.strip() for a in listed.split(",")]
            if old == new:
                continue  # C has one function of a name
        returns, parameters = known[new]
        parameters = [] if parameters in (["void"], [""]) else parameters
        names = [name_of(p) for p in parameters]
        if arguments is not None:
            handed = [names[k] if a.isdigit() else a for k, a in enumerate(arguments)]
            order = sorted((int(a), k) for k, a in enumerate(arguments) if a.isdigit())
            parameters = [parameters[k] for _, k in order][:count]
            lines += wrapper(old, new, returns, parameters, handed)
        else:
            lines += wrapper(old, new, returns, parameters, names)
    return "\n".join([*lines, "/* clang-format on */"])


def main() -> int:
    text = HEADER.read_text()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    new = f"{text[:start]}\n{written()}\n{text[end:]}"
    if "--check" in sys.argv[1:]:
        if new != text:
            print(f"{HEADER}: run scripts/compat.py, since names.tsv has changed", file=sys.stderr)
        return int(new != text)
    HEADER.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
