"""python3 -m gradyn: runs the command that belongs to the library which the package has loaded."""

import os
import shutil
import sys
from pathlib import Path

from ._c import ffi, lib


def command() -> str:
    """Returns the path of the command that belongs to the library: in the package, its prefix or the build
    folder."""
    package = Path(__file__).parent
    library = Path(os.fsdecode(ffi.string(lib.gradynpy_library()))).parent
    folders = [package / "bin", library, library.parent / "bin", library.parent.parent / "bin"]
    found = shutil.which("gradyn", path=os.pathsep.join(map(str, folders)))
    return found or sys.exit(f"gradyn: no command is beside the library in {library}")


if __name__ == "__main__":
    found = command()
    os.execv(found, [found, *sys.argv[1:]])
