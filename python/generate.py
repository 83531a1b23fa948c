"""Writes what the package takes from the public headers: declarations for cffi, methods of the model.

    python3 generate.py     writes gradyn/_declarations.py; fails if a public function is left out

The build does so for itself. In the checkout the file is for editors; git ignores it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generator import coverage, declarations
from generator.headers import Headers, read

HERE = Path(__file__).resolve().parent


def cdef(headers: Headers) -> str:
    """The declarations of C, as cffi reads them."""
    lines = ["/* Written by generate.py from the public headers: do not edit. */"]
    lines += headers.declarations
    lines += [f"#define {name} ..." for name in headers.macros]
    return "\n".join(lines) + "\n"


def write(headers: Headers, package: Path) -> None:
    """Writes the declarations into a folder of the package, if they have changed."""
    target, text = package / "_declarations.py", declarations.text(headers)
    if not target.is_file() or target.read_text() != text:
        target.write_text(text)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--include", type=Path, default=HERE.parent / "include", help="folder of gradyn/")
    options.add_argument("--compiler", default="cc", help="that preprocesses the headers")
    chosen = options.parse_args()
    headers = read(chosen.include, chosen.compiler)
    write(headers, HERE / "gradyn")
    complaints = coverage.missing(headers, HERE / "gradyn")
    print(*complaints, sep="\n", file=sys.stderr, end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
