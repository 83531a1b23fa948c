#!/usr/bin/env python3
"""Makes SVG files of the docs follow light and dark schemes: adds the dark colour of each colour that they have.

Usage: schemes.py FILE.svg... A colour without a dark one is an error."""

import re
import sys
from pathlib import Path

GROUND, INK, SOFT, LINE = "#12161c", "#e4e9f0", "#9aa6b5", "#3a4350"
BLUE, ORANGE, GREEN, RED = "#63b3ff", "#ff9e57", "#5dcb92", "#ff8a80"
DARK = {"#ffffff": GROUND, "#000000": INK, "#111111": INK, "#444444": SOFT, "#888888": SOFT, "#808080": SOFT, "#999999": SOFT,
        "#dddddd": LINE, "#e0e0e0": LINE, "#1f5fa8": BLUE, "#1f77b4": BLUE, "#0060ad": BLUE, "#d08030": ORANGE, "#c04000": ORANGE,
        "#c06020": ORANGE, "#2a9d5c": GREEN, "#d62728": RED}
NAMES = {"white": "#ffffff", "black": "#000000"}
MARK = "<style>@media (prefers-color-scheme: dark)"


def plain(colour: str) -> str:
    """#rrggbb of a colour."""
    if numbers := re.match(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)", colour):
        return "#" + "".join(f"{int(n):02x}" for n in numbers.groups())
    short = re.fullmatch(r"#([0-9a-fA-F])([0-9a-fA-F])([0-9a-fA-F])", colour)
    return "#" + "".join(2 * c for c in short.groups()) if short else NAMES.get(colour, colour.lower())


def style(text: str) -> str:
    """Rules for all colours of the file; text without a colour is black."""
    rules = [f"text:not([fill]) {{ fill: {INK} }}"]
    for name, colour in sorted(set(re.findall(r"\b(fill|stroke|color)\s*=\s*[\"'](#\w+|rgb\([^)]*\)|white|black)[\"']", text))):
        rules.append(f'[{name}="{colour}"] {{ {name}: {DARK[plain(colour)]} }}')
    return MARK + " { " + " ".join(rules) + " }</style>"


def follow(text: str) -> str:
    text = re.sub(re.escape(MARK) + r".*?</style>\n", "", text)
    return re.sub(r"<svg\b[^>]*>\n", lambda m: m[0] + style(text) + "\n", text, count=1)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(follow(Path(name).read_text()))
