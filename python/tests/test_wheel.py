"""The archives of the package: the wheel contains all that it needs at run time, and the source archive all
that a build needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

PYTHON = Path(__file__).resolve().parent.parent


def done(*command: Any, **more: Any) -> str:
    told = subprocess.run(command, capture_output=True, text=True, **more)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def test_the_source_archive_has_the_library(tmp_path: Path) -> None:
    made = ["egg_info", "--egg-base", tmp_path, "sdist", "-d", tmp_path]
    done(sys.executable, "-W", "ignore", "setup.py", "-q", *made, cwd=PYTHON)
    (archive,) = tmp_path.glob("gradyn-*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
        about = opened.extractfile(next(name for name in opened.getnames() if name.endswith("/PKG-INFO")))
        assert about is not None
        text = about.read().decode()
    assert {"pyproject.toml", "generator/headers.py", "library/CMakeLists.txt", "LICENSE"} <= names
    assert "gradyn/_declarations.py" not in names  # the build writes it
    assert "License: MIT" in text and "Classifier: Typing :: Typed" in text and "# gradyn" in text
    assert "http" not in text.split("\n\n")[0] and "](" not in text
    there = {str(p.relative_to(PYTHON.parent)) for p in (PYTHON.parent / "core").rglob("*.[ch]")}
    assert there <= {name[len("library/") :] for name in names if name.startswith("library/")}


@pytest.fixture(name="installed", scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from the library of this build, installed into a folder."""
    for tool in ("patchelf", "readelf", "ldd", "dpkg-query"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    for package in ("pip", "wheel"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("wheel")
    prefix, source, target = folder / "prefix", folder / "source", folder / "target"
    done("cmake", "--install", os.environ["GRADYN_BUILD"], "--prefix", prefix, "--strip")
    shutil.copytree(PYTHON, source, ignore=shutil.ignore_patterns("build", "__pycache__", "*.egg-info"))
    environment = {**os.environ, "GRADYN_PACK": str(prefix), "CFLAGS": "-O0"}
    offline = ["-q", "--no-deps", "--no-index"]
    pip = [sys.executable, "-m", "pip"]
    done(*pip, "wheel", *offline, "--no-build-isolation", "-w", folder / "bare", source, env=environment)
    (bare,) = (folder / "bare").glob("gradyn-*.whl")
    done(sys.executable, PYTHON / "bundle.py", bare, folder)
    (wheel,) = folder.glob("gradyn-*.whl")
    assert "-cp39-abi3-manylinux_2_" in wheel.name and wheel.stat().st_size < 12e6
    done(*pip, "install", *offline, "--target", target, wheel)
    shutil.rmtree(prefix)
    return target


def environment_of(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed)}


def test_only_libraries_of_the_wheel_are_loaded(installed: Path, tmp_path: Path) -> None:
    """All libraries must be inside, except those that any CPython loads."""
    tracing = {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(tmp_path / "loaded")}
    use = "import gradyn; print(gradyn.load('five-bar').gradient().psi['psi1'], gradyn.__file__)"
    told = done(sys.executable, "-c", use, env={**environment_of(installed), **tracing})
    assert told.startswith("0.72687746") and str(installed) in told
    lines = "".join(path.read_text(errors="replace") for path in tmp_path.iterdir()).splitlines()
    loaded = {Path(line.split()[-1]) for line in lines if "calling init: /" in line}
    ours = {path.name.split("-")[0] for path in loaded if installed in path.parents}
    assert {"libklu", "liblapack", "libnlopt", "libgfortran"} <= ours
    others = {path.name for path in loaded if installed not in path.parents}
    foreign = ("sundials", "klu", "nlopt", "jansson", "ipopt", "dmumps_seq")
    assert not [name for name in others if any(word in name for word in foreign)]


def test_the_command_writes_its_report(installed: Path, tmp_path: Path) -> None:
    command = [installed / "bin" / "gradyn", "run", "five-bar", "--out", tmp_path / "study"]
    assert "optimal after" in done(*command, env=environment_of(installed))
    assert (tmp_path / "study" / "report.html").stat().st_size > 1e5


def test_compiled_models_find_the_headers_inside(installed: Path, tmp_path: Path) -> None:
    environment = {**environment_of(installed), "XDG_CACHE_HOME": str(tmp_path), "CFLAGS": "-O0"}
    problem = PYTHON.parent / "problems" / "bouncing_ball.c"
    use = f"import gradyn; print(gradyn.load({str(problem)!r}).functions().shape)"
    assert done(sys.executable, "-c", use, env=environment).startswith("(")


def test_licences_and_sources_are_named(installed: Path) -> None:
    (folder,) = installed.glob("gradyn-*.dist-info/licenses")
    sources = (folder / "SOURCES.txt").read_text()
    for path in (installed / "gradyn" / "lib").iterdir():
        name = path.name.split("-")[0]
        assert name in sources or name.startswith("libgradyn"), name
    texts = {path.name for path in folder.iterdir()}
    assert {"common-LGPL-2.1.txt", "libnlopt0.txt"} <= texts
    assert any(name.startswith("libklu") for name in texts)
