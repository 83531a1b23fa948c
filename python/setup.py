"""python3 -m pip install --no-build-isolation . (see docs/python.md)."""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))
import build_extension  # noqa: E402

PREFIX = build_extension.packed()


class Whole(build_py):
    """With the library, its headers and the command inside, where the package is one that has them."""

    def run(self):
        super().run()
        build_extension.make()
        package = Path(self.build_lib, "gradyn")
        if PREFIX is None:
            return
        for folder in ("lib", "bin"):
            (package / folder).mkdir(parents=True, exist_ok=True)
        # by the name that is looked for when it is loaded: archives of Python have no links
        (library,) = (p for p in (PREFIX / "lib").glob("libgradyn.so.*") if p.is_symlink())
        shutil.copy(library, package / "lib" / library.name)
        shutil.copy(PREFIX / "bin" / "gradyn", package / "bin" / "gradyn")
        shutil.copytree(PREFIX / "include", package / "include", dirs_exist_ok=True)


setup(
    version=build_extension.version(),
    cffi_modules=["build_extension.py:ffi"],
    cmdclass={"build_py": Whole},
    scripts=[] if PREFIX is None else ["command/gradyn"],
    options={"bdist_wheel": {"py_limited_api": "cp39"}},  # one for this version of CPython and all after it
)
