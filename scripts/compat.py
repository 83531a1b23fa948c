#!/usr/bin/env python3
"""Writes what follows from names.tsv and the headers: include/gradyn/compat.h, the tables of docs/migrating.md,
and the old names of options, files and Python.

    compat.py           writes the parts between two marks
    compat.py --check   fails if a file has another text there"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

from migrate import filled

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "include" / "gradyn" / "compat.h"
BEGIN = "/* --- Renamed: written by scripts/compat.py from scripts/names.tsv ------------------------- */"
END = "/* --- End of the renamed names --- */"
C_BEGIN = "/* --- Written by scripts/compat.py from scripts/names.tsv --- */"
C_END = "/* --- End of the written part --- */"
PAGE = ROOT / "docs" / "migrating.md"
TABLES = {
    "Functions": {"function"},
    "Calls with other arguments": {"call", "hand"},
    "Types": {"type"},
    "Enumerators and macros": {"enumerator", "macro"},
    "Members": {"member"},
    "Headers": {"header"},
    "Python: methods": {"method", "pycall", "pyhand"},
    "Python: keyword arguments": {"argument"},
    "Python: attributes of results": {"attribute"},
    "Python: names of the package": {"python"},
    "Options of the command": {"option"},
    "JSON keys": {"json"},
    "CSV columns": {"csv"},
    "Texts": {"text"},
}


def rows(kinds: set[str]) -> list[tuple[str, str, str]]:
    return [row[:3] for row in noted(kinds)]


def noted(kinds: set[str]) -> list[tuple[str, str, str, str]]:
    """The rows with their notes."""
    lines = [line.split("\t") for line in (ROOT / "scripts/names.tsv").read_text().splitlines()]
    return [(row[0], row[1], row[2], row[3]) for row in lines if row[0] in kinds]


def wrapped_by_hand(new: str) -> bool:
    """Whether the header has the wrapper below the written part: the new expression is not only a call."""
    inside = new.split("(", 1)[1]
    return not re.fullmatch(r"[\w, ]*\)", inside)


def assigned(member: str, value: str) -> list[str]:
    """Statements that set a member of a spec. Old scales and sharpnesses had no default: NAN is refused."""
    if value.startswith("{"):
        return [f"spec.{member}[{k}] = {v.strip()};" for k, v in enumerate(value.strip("{}").split(","))]
    if member in ("scale", "sharpness"):
        value = f"{value} != 0 ? {value} : NAN"
    return [f"spec.{member} = {value};"]


def statements(new: str) -> str:
    """The body of a wrapper. A spec is filled member by member, as C++ and old compilers can."""
    call = re.fullmatch(r"(\w+)\((\w+), &\((\w+)\)\{(.*)\}\)", new)
    if not call:
        return f"return {new};"
    members, first = [], ["name", "measure"]
    for part in arguments(call[4]):
        member, value = part.split(" = ", 1) if part.startswith(".") else (first.pop(0), part)
        members += assigned(member.lstrip("."), value)
    start = f"static {call[3]} none; {call[3]} spec = none;"  # {0} is a warning of C++
    return f"{start} {' '.join(members)} return {call[1]}({call[2]}, &spec);"


def arguments(text: str) -> list[str]:
    """The parts between commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def of_expression(old: str, new: str, returns: str, parameters: str) -> list[str]:
    """A wrapper by any expression; the table has the parameters of the old function."""
    names = [name_of(p) for p in parameters.split(", ")]
    target = new.split("(")[0]
    call = filled(new, names)
    body = statements(call) if returns != "void" else f"{call};"
    text = f"GRADYN_RENAMED({target}) static inline {returns} {old}({parameters}) {{ {body} }}"
    return textwrap.wrap(text, 104, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


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
    for kind, old, new, note in noted({"function", "call"}):
        given = None
        if kind == "call":
            old = old.split("(")[0]
            if note:
                lines += of_expression(old, new, known[new.split("(")[0]][0], note)
                continue
            if wrapped_by_hand(new):
                continue
            new, listed = new.rstrip(")").split("(", 1)
            given = [a.strip() for a in listed.split(",")]
            if old == new:
                continue  # C has one function of a name
        returns, parameters = known[new]
        parameters = [] if parameters in (["void"], [""]) else parameters
        names = [name_of(p) for p in parameters]
        if given is not None:
            first: dict[str, int] = {}  # where each argument of the old call stands in the new one
            for k, a in enumerate(given):
                first.setdefault(a, k)
            handed = [names[first[a]] if a.isdigit() and a != "0" else a for a in given]
            order = sorted((a for a in first if a.isdigit() and a != "0"), key=int)
            lines += wrapper(old, new, returns, [parameters[first[a]] for a in order], handed)
        else:
            lines += wrapper(old, new, returns, parameters, names)
    return "\n".join([*lines, "/* clang-format on */"])


def tables() -> str:
    """The tables of the page, those without rows left out."""
    parts = []
    for title, kinds in TABLES.items():
        listed = [f"| `{old}` | `{new}` |" for _, old, new in rows(kinds)]
        if listed:
            parts.append("\n".join([f"### {title}", "", "| 0.2 | 1.0 |", "| --- | --- |", *listed]))
    return "\n" + "\n\n".join(parts).replace("self.", "m.") + "\n"


def members() -> str:
    """The members and texts of format 1, for core/files/upgrade.c."""
    lines = []
    for kind, old, new in rows({"json", "text"}):
        within, name = old.split(".") if "." in old else ("", old)
        lines.append(f'    {{"{within}", "{name}", "{new}", {"true" if kind == "text" else "false"}}},')
    return "\n".join(lines)


def options() -> str:
    """The old names of options, for cli/options/options.c."""
    return "\n".join(f'    {{"{old}", "{new}"}},' for _, old, new in rows({"option"}))


def formats() -> str:
    """The members, texts and columns of format 1, for Python."""
    lines = []
    for title, kind in (("MEMBERS", "json"), ("TEXTS", "text"), ("COLUMNS", "csv")):
        lines.append(f"{title} = {{")
        for _, old, new in rows({kind}):
            within, name = old.split(".") if "." in old else ("", old)
            lines.append(f'    ("{within}", "{name}"): "{new}",')
        lines.append("}")
    return "\n".join(lines)


def replaced(path: Path, begin: str, end: str, new: str) -> tuple[str, str]:
    """The text of a file, and the text with another part between two marks."""
    text = path.read_text()
    start, stop = text.index(begin) + len(begin), text.index(end)
    indent = re.search(r"[ #]*$", text[:stop])
    return text, f"{text[:start]}\n{new}\n{indent[0] if indent else ''}{text[stop:]}"


def main() -> int:
    wrong = 0
    for path, begin, end, part in (
        (HEADER, BEGIN, END, written()),
        (PAGE, "<!-- written by scripts/compat.py from scripts/names.tsv -->", "<!-- end -->", tables()),
        (ROOT / "core/files/upgrade.c", C_BEGIN, C_END, members()),
        (ROOT / "cli/options/options.c", C_BEGIN, C_END, options()),
        (ROOT / "python/gradyn/_formats.py", "# " + C_BEGIN.strip("/* "), "# " + C_END.strip("/* "), formats()),
    ):
        text, new = replaced(path, begin, end, part)
        if "--check" not in sys.argv[1:]:
            path.write_text(new)
        elif new != text:
            print(f"{path}: run scripts/compat.py, since names.tsv has changed", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
