"""Writes what the package takes from the public headers: declarations for cffi, methods of the model.

    python3 generate.py           writes
    python3 generate.py --check   fails if what is there differs, or if a public function is left out
"""

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


def generated(headers: Headers) -> dict[Path, str]:
    """Files and what is in them."""
    package = HERE / "gradyn"
    return {
        package / "_declarations.cdef": cdef(headers),
        package / "_declarations.py": declarations.text(headers),
    }


def differing(files: dict[Path, str]) -> list[str]:
    """What a check has to complain about."""
    wrong = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    return [f"{path.relative_to(HERE)} is not what generate.py writes: run it" for path in wrong]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--check", action="store_true", help="write nothing, complain")
    options.add_argument("--include", type=Path, default=HERE.parent / "include", help="folder of gradyn/")
    options.add_argument("--compiler", default="cc", help="that preprocesses the headers")
    chosen = options.parse_args()
    headers = read(chosen.include, chosen.compiler)
    files = generated(headers)
    if not chosen.check:
        for path, text in files.items():
            path.write_text(text)
        return 0
    complaints = differing(files) + coverage.missing(headers, HERE / "gradyn")
    print(*complaints, sep="\n", file=sys.stderr, end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
