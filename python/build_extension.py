"""Builds gradyn._c: the library by cffi, compiled ahead.

Three ways to a library. GRADYN_INCLUDE and GRADYN_LIBRARY are the folders of the headers and of the library;
without them pkg-config is asked, and then the checkout that this file belongs to. Or the package takes an
installed library into itself, with headers and command: the one under GRADYN_PACK, or the one that is built
from the folder library/ beside this file, which source archives have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Optional

from cffi import FFI

HERE = Path(__file__).resolve().parent
CALLBACKS = """
typedef struct gradynpy_patience { double every, last; int stop; void *handle; ...; } gradynpy_patience;
static const char *gradynpy_include(void);
static const char *gradynpy_library(void);
static void gradynpy_begin(gradynpy_patience *patience);
static void gradynpy_stop(gradynpy_patience *patience);
static bool gradynpy_cancel(void *user);
static bool gradynpy_go_on(void *user);
extern "Python" {
  int gradynpy_poll(void *user);
  void gradynpy_progress(size_t done, size_t tasks, void *user);
  bool gradynpy_watch(const gradyn_iteration *iteration, void *user);
  void gradynpy_element(const gradyn_element_info *element, void *user);
  gradyn_status gradynpy_build(gradyn_model *model, const gradyn_scalar rho[]);
  gradyn_status gradynpy_force(const gradyn_at *at, gradyn_scalar force[]);
  gradyn_status gradynpy_constraint(const gradyn_at *at, int order, gradyn_scalar *value);
  gradyn_status gradynpy_integrand(const gradyn_at *at, gradyn_scalar *value);
  gradyn_status gradynpy_terminal(const gradyn_at *at, gradyn_scalar *value);
  gradyn_status gradynpy_residual(const gradyn_at *at, gradyn_scalar F[]);
  gradyn_status gradynpy_formula(const gradyn_at *at, gradyn_scalar *value);
}
"""


def packed() -> Optional[Path]:
    """Where the library is installed that the package takes into itself, if it does that."""
    if os.environ.get("GRADYN_PACK"):
        return Path(os.environ["GRADYN_PACK"]).resolve()
    return HERE / "build" / "prefix" if (HERE / "library").is_dir() else None


def make() -> None:
    """Builds and installs the library of a source archive."""
    prefix = packed()
    if prefix is None or (prefix / "lib").is_dir():
        return
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib",
               "-DGRADYN_IPOPT_ON_DEMAND=OFF"]  # what is bundled has to be linked
    build = str(HERE / "build" / "library")
    subprocess.run(["cmake", "-S", str(HERE / "library"), "-B", build, *options], check=True)
    subprocess.run(["cmake", "--build", build, f"-j{os.cpu_count() or 1}"], check=True)
    subprocess.run(["cmake", "--install", build, "--strip"], check=True)


def asked(variable: str) -> str:
    """What pkg-config knows of an installed library."""
    command = ["pkg-config", f"--variable={variable}", "gradyn"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return os.path.abspath(told.strip())


def places() -> tuple[str, str]:
    """Folders of the headers and of the library."""
    include, library, prefix = os.environ.get("GRADYN_INCLUDE"), os.environ.get("GRADYN_LIBRARY"), packed()
    if prefix is not None:
        headers = HERE / "library" if (HERE / "library").is_dir() else prefix
        return str(headers / "include"), str(prefix / "lib")
    if include and library:
        return include, library
    try:
        return asked("includedir"), asked("libdir")
    except (OSError, subprocess.CalledProcessError):
        return str(HERE.parent / "include"), str(HERE.parent / "build")


def version() -> str:
    """Of the headers."""
    header = Path(places()[0], "gradyn", "version.h").read_text()
    return header.split('define GRADYN_VERSION "')[1].split('"')[0]


def extension() -> FFI:
    """What cffi compiles."""
    include, library = places()
    inside = packed() is not None
    ffi = FFI()
    ffi.cdef((HERE / "gradyn" / "_declarations.cdef").read_text() + CALLBACKS)
    ffi.set_source(
        "gradyn._c",
        '#include "_helpers.c"\n',
        include_dirs=[include, str(HERE / "gradyn")],
        define_macros=[("GRADYNPY_INCLUDE", '""' if inside else f'"{include}"')],
        library_dirs=[library],
        runtime_library_dirs=["$ORIGIN/lib" if inside else library],
        libraries=["gradyn"],
        extra_link_args=["-Wl,-z,relro,-z,now"] if sys.platform == "linux" else [],
        depends=[str(HERE / "gradyn" / name) for name in ("_declarations.cdef", "_helpers.c", "_helpers.h")],
    )
    return ffi


ffi = extension()
