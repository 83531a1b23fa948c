"""Problems in C files, which are compiled into a folder of the user. The same text is compiled only once."""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from ._c import lib
from .errors import UsageError, text


def cache() -> Path:
    """The folder $XDG_CACHE_HOME/gradyn, or ~/.cache/gradyn, to which no other user can write."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(home) / "gradyn"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o022:
        raise UsageError(f"{folder} can be written by others: it has to be yours alone (chmod 700)")
    return folder


def headers() -> str:
    """The folder of the library's headers: inside the package, or the one that the build used."""
    return text(lib.gradynpy_include()) or str(Path(__file__).resolve().parent / "include")


def compiled(file: Path) -> Path:
    """The shared object of a C file. $CC is the compiler, $CFLAGS has further options. The object is linked
    to the library. Otherwise the symbols of the library, and of LAPACK with it, would have to be global in
    the process."""
    command = [*shlex.split(os.environ.get("CC", "cc")), "-O2", "-shared", "-fPIC", "-std=gnu11"]
    command += [*shlex.split(os.environ.get("CFLAGS", "")), f"-I{headers()}"]
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
    library = Path(text(lib.gradynpy_library())).name
    known = "\0".join([text(lib.gradyn_version()), library, *command, str(file.resolve().parent)]).encode()
    key = hashlib.sha256(known + content)
    for header in sorted(Path(headers(), "gradyn").glob("*.h")):
        key.update(header.read_bytes())  # with other headers, an object has other structs
    made = cache() / f"{file.stem}-{key.hexdigest()[:20]}.so"
    if not made.exists():
        _compile([*command, f"-I{file.resolve().parent}", str(file)], made)
    return made


def _compile(command: list[str], made: Path) -> None:
    """Compiles into a temporary file and renames it, so that no other process reads part of a file."""
    with tempfile.TemporaryDirectory(prefix="new-", dir=made.parent) as folder:
        new = Path(folder) / made.name
        try:
            linked = [*command, "-o", str(new), text(lib.gradynpy_library()), "-lm"]
            done = subprocess.run(linked, capture_output=True, text=True)
        except OSError as error:
            raise UsageError(f"the compiler {command[0]} cannot be run ({error.strerror}): set CC") from None
        if done.returncode:
            raise UsageError(f"{command[-1]} cannot be compiled:\n{done.stderr.strip()}")
        new.replace(made)
