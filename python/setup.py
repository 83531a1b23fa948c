"""python3 -m pip install . (see docs/python.md)."""

import re
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

sys.path.insert(0, str(Path(__file__).resolve().parent))
import build_extension  # noqa: E402
import generate  # noqa: E402

INSIDE = build_extension.LINKED is None


class Whole(build_py):
    """Builds the package with the declarations and, if they are included, the library, its
    headers and the command."""

    def run(self):
        super().run()
        editable = getattr(self, "editable_mode", False)
        package = build_extension.HERE / "gradyn" if editable else Path(self.build_lib, "gradyn")
        generate.write(build_extension.HEADERS, package)
        if INSIDE:
            self.take_library(package)

    def take_library(self, package):
        library = build_extension.library_inside()
        prefix = build_extension.PREFIX
        for folder in ("lib", "bin"):
            (package / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(library, package / "lib" / library.name)
        shutil.copy(prefix / "bin" / "gradyn", package / "bin" / "gradyn")
        for part in ("include", "share/doc/gradyn"):  # the latter: licences of what the library has inside
            if (prefix / part).is_dir():
                shutil.copytree(prefix / part, package / part, dirs_exist_ok=True)


class WithLibrary(sdist):
    """With the library's source."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        source, ignored = build_extension.SOURCE, shutil.ignore_patterns("__pycache__")
        Path(base_dir, "gradyn", "_declarations.py").unlink(missing_ok=True)  # an editor's
        license = Path(base_dir, "LICENSE")  # a link in the checkout
        license.unlink(missing_ok=True)
        shutil.copy(source / "LICENSE", license)
        for name in build_extension.LIBRARY:
            target = Path(base_dir, "library", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            if (source / name).is_dir():
                shutil.copytree(source / name, target, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(source / name, target)


def description():
    """The README without links and images, because their targets exist only in a checkout."""
    readme = build_extension.SOURCE / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text))


setup(
    version=build_extension.version_of(build_extension.INCLUDE),
    license="MIT",
    long_description=description(),
    long_description_content_type="text/markdown",
    cffi_modules=["build_extension.py:ffi"],
    cmdclass={"build_py": Whole, "sdist": WithLibrary},
    scripts=["command/gradyn"] if INSIDE else [],
    options={"bdist_wheel": {"py_limited_api": "cp39"}},  # one for this version of CPython and all after it
)
