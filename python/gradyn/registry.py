"""Loads problems: built-in ones, and problems in files."""

from __future__ import annotations

import functools
import itertools
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from ._c import ffi, lib
from ._declarations import Options
from ._options import shows
from .compiling import compiled
from .errors import FatalError, failure, text
from .evaluate import Problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

_lock = threading.Lock()


@functools.lru_cache(maxsize=None)
def _registry() -> Any:
    """The registry of the process; its problems live until the process ends."""
    out = ffi.new("gradyn_registry **")
    status = lib.gradyn_registry_create(ffi.NULL, out)
    if not out[0]:
        raise FatalError("out of memory")
    if status:
        raise failure(status, text(lib.gradyn_registry_message(out[0])))
    return out[0]


@shows(Options)
def load(
    name: Union[str, os.PathLike[str]],
    *,
    settings: Optional[Mapping[str, int]] = None,
    **options: Unpack[Options],
) -> Problem:
    """Loads a problem by its name, such as "five-bar", or by the path of a shared object or of a C file. A C
    file is compiled.

    Options are those of the command: method, sensitivity, rtol, step, t_end (s), ...; settings are integers
    of the problem, such as numbers of links."""
    given = os.fspath(name)
    out = ffi.new("gradyn_problem **")
    with _lock:
        registry = _registry()
        path = os.path.abspath(given) if "/" in given or given.endswith((".so", ".dylib", ".c")) else given
        if path.endswith(".c"):
            path = str(compiled(Path(path)))
        status = lib.gradyn_registry_find(registry, path.encode(), out)
        if status:
            raise failure(status, text(lib.gradyn_registry_message(registry)))
    return Problem(out[0], functools.partial(load, path), options, settings or {})


def problems() -> list[str]:
    """Names of the problems that load() finds without a file."""
    with _lock:
        registry = _registry()
        found = itertools.takewhile(bool, (lib.gradyn_registry_at(registry, i) for i in itertools.count()))
        return [text(p.name).replace("_", "-") for p in found]


def algorithms() -> list[str]:
    """Names of the search algorithms of this build; "ipopt" only if the build has found it."""
    return _texts(lib.gradyn_algorithm_names())


def methods() -> list[str]:
    """Names of the methods of simulation."""
    return _texts(lib.gradyn_method_names())


def _texts(rows: Any) -> list[str]:
    """Texts of a list of C that ends with NULL."""
    found: list[str] = []
    while rows[len(found)]:
        found.append(text(rows[len(found)]))
    return found
