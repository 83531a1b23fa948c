"""Builds gradyn._c: the library as an extension module by cffi, compiled in advance. An installed
library is used if GRADYN_INCLUDE and GRADYN_LIBRARY name its folders of headers and library, or
if pkg-config knows it in the version of this checkout. Otherwise the package includes a library
with headers and command: the one installed under GRADYN_PACK, or one that CMake builds from the
checkout, or from the folder library/ of source archives. CMAKE_ARGS contains options for CMake.
DESTDIR is a folder in which a package of the system is assembled; an installation under DESTDIR
will be found without DESTDIR later."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NoReturn, Optional

from cffi import FFI

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402
from generator.headers import Headers, read  # noqa: E402

ARCHIVE = (HERE / "library").is_dir()
SOURCE = HERE / "library" if ARCHIVE else HERE.parent
# The files of the checkout that a source archive contains.
LIBRARY = """CMakeLists.txt LICENSE README.md cmake include core mbs dae adjoint optim report problems cli
docs/man/gradyn.1 scripts/gradyn.bash scripts/packages.sh""".split()
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


def give_up(missing: str) -> NoReturn:
    """Ends with the name of the missing program and the command that installs it."""
    text = (SOURCE / "scripts" / "packages.sh").read_text() if (SOURCE / "scripts").is_dir() else ""
    found = re.search(r"build_packages=\(([^)]*)\)", text)
    packages = " ".join((found[1] if found else "gcc libc6-dev").split())
    sys.exit(f"\ngradyn: {missing} is missing. On Debian or Ubuntu, as root:\n"
             f"  apt-get install --no-install-recommends python3-dev {packages}")


def require_tools() -> None:
    """Requires a compiler and the headers of CPython."""
    compiler = shlex.split(os.environ.get("CC", "cc"))[0]
    if not shutil.which(compiler):
        give_up(f"the compiler {compiler}")
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        give_up("Python.h")


def version_of(include: Path) -> str:
    """Of headers."""
    header = (include / "gradyn" / "base.h").read_text()
    return header.split('define GRADYN_VERSION "')[1].split('"')[0]


def known(variable: str) -> Path:
    """The answer of pkg-config about an installed library."""
    command = ["pkg-config", f"--variable={variable}", "gradyn"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Path(os.path.abspath(found.strip()))


def linked() -> Optional[tuple[Path, Path]]:
    """The folders of the headers and of the library to which the package is linked; None if the
    package includes a library."""
    include, library = os.environ.get("GRADYN_INCLUDE"), os.environ.get("GRADYN_LIBRARY")
    if include and library:
        return Path(include), Path(library)
    if os.environ.get("GRADYN_PACK") or ARCHIVE:
        return None
    try:
        found = known("includedir"), known("libdir")
    except (OSError, subprocess.CalledProcessError):
        return None
    own = SOURCE / "include"
    return found if not own.is_dir() or version_of(own) == version_of(found[0]) else None


PREFIX = Path(os.environ.get("GRADYN_PACK") or HERE / "build" / "prefix").resolve()
LINK = HERE / "build" / "link"  # where the linker finds it
LINKED = linked()
if LINKED is None and not (SOURCE / "CMakeLists.txt").is_file() and "GRADYN_PACK" not in os.environ:
    sys.exit(f"gradyn: no library is installed, and {SOURCE} has none to build. Install the library first, "
             "or take the folder python/ of the whole checkout.")
if LINKED is not None:
    INCLUDE = LINKED[0]
else:
    INCLUDE = SOURCE / "include" if (SOURCE / "include").is_dir() else PREFIX / "include"


def make() -> None:
    """Builds the library that the package includes, and installs it under PREFIX. A build in
    build/ is used again."""
    if not shutil.which("cmake"):
        give_up("CMake")
    build = SOURCE / "build" if (SOURCE / "build" / "libgradyn.so").exists() else HERE / "build" / "library"
    options = [] if build.parent == SOURCE else ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=ON"]
    options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
    shutil.rmtree(PREFIX, ignore_errors=True)
    jobs = str(os.cpu_count() or 1)
    for command in (
        ["cmake", "-S", SOURCE, "-B", build, *options],
        ["cmake", "--build", build, "-j", jobs, "--target", "gradyn", "gradyn_cli"],
        ["cmake", "--install", build, "--prefix", PREFIX, "--strip"],
    ):
        print("gradyn:", *command, flush=True)
        if subprocess.run(command, stderr=subprocess.STDOUT).returncode:
            sys.exit(f"gradyn: {' '.join(map(str, command))} has failed: see above.")


def library_inside() -> Path:
    """The library under PREFIX, under the name that the loader uses, because archives of Python
    contain no links."""
    if not os.environ.get("GRADYN_PACK"):
        make()
    (found,) = (p for p in PREFIX.glob("lib*/**/libgradyn.so.*") if p.is_symlink())
    LINK.mkdir(parents=True, exist_ok=True)
    shutil.copy(found, LINK / "libgradyn.so")
    return found


def installed(folder: Path) -> str:
    """The name of the folder after the package of the system has been installed."""
    stage = os.environ.get("DESTDIR")
    return f"/{folder.relative_to(stage)}" if stage and folder.is_relative_to(stage) else str(folder)


def headers() -> Headers:
    """The public headers as data."""
    require_tools()
    return read(INCLUDE, os.environ.get("CC", "cc"))


def extension() -> FFI:
    """What cffi compiles."""
    ffi = FFI()
    ffi.cdef(generate.cdef(HEADERS) + CALLBACKS)
    ffi.set_source(
        "gradyn._c",
        '#include "_helpers.c"\n',
        include_dirs=[str(INCLUDE), str(HERE / "gradyn")],
        define_macros=[("GRADYNPY_INCLUDE", '""' if LINKED is None else f'"{installed(INCLUDE)}"')],
        library_dirs=[str(LINK if LINKED is None else LINKED[1])],
        runtime_library_dirs=["$ORIGIN/lib" if LINKED is None else installed(LINKED[1])],
        libraries=["gradyn"],
        extra_link_args=["-Wl,-z,relro,-z,now"] if sys.platform == "linux" else [],
        depends=[str(HERE / "gradyn" / name) for name in ("_helpers.c", "_helpers.h")],
    )
    return ffi


HEADERS = headers()
ffi = extension()
