"""Builds the package by pip for an installed library. Library and package can then be moved to
other folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parent.parent


def test_pip_builds_it_for_an_installed_library(tmp_path: Path) -> None:
    pytest.importorskip("pip")
    if not shutil.which("pkg-config") or not shutil.which("cmake"):
        pytest.skip("no pkg-config or no CMake")
    build, prefix, source = os.environ["GRADYN_BUILD"], tmp_path / "prefix", tmp_path / "python"
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, capture_output=True)
    shutil.copytree(PYTHON, source, ignore=shutil.ignore_patterns("build", "__pycache__", "*.egg-info"))
    (pc,) = prefix.rglob("gradyn.pc")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(pc.parent), "CFLAGS": "-O0"}
    options = ["-q", "--no-build-isolation", "--no-deps", "--no-index", "--target", str(tmp_path / "target")]
    command = [sys.executable, "-m", "pip", "install", *options, str(source)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    use = "import gradyn; print(gradyn.__file__, gradyn.load('five-bar', t_end=0.1).functions()[0] > 0)"
    environment["PYTHONPATH"] = str(tmp_path / "target")
    told = subprocess.run([sys.executable, "-c", use], env=environment, capture_output=True, text=True)
    assert str(tmp_path) in told.stdout and "True" in told.stdout, told.stderr
    run = [sys.executable, "-m", "gradyn", "list"]
    command = subprocess.run(run, env=environment, capture_output=True, text=True)
    assert "five-bar" in command.stdout, command.stderr
    linked = subprocess.run(["ldd", *(tmp_path / "target").rglob("_c*.so")], capture_output=True, text=True)
    assert str(prefix) in linked.stdout


@pytest.mark.parametrize("compiler, missing", [("no-compiler", "the compiler no-compiler"), ("cc", "CMake")])
def test_missing_parts_are_named_with_packages(compiler: str, missing: str, tmp_path: Path) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GRADYN_") and k != "PKG_CONFIG_PATH"}
    environment = {**kept, "PATH": str(tmp_path), "CC": shutil.which(compiler) or compiler}
    command = [sys.executable, "-W", "ignore", "setup.py", "-q", "build", "--build-base", str(tmp_path)]
    done = subprocess.run(command, env=environment, cwd=PYTHON, capture_output=True, text=True)
    assert done.returncode and f"gradyn: {missing} is missing." in done.stderr
    assert "apt-get install --no-install-recommends python3-dev gcc " in done.stderr
    assert "libnlopt-dev" in done.stderr.splitlines()[-1]


def test_a_package_of_the_system_is_assembled_elsewhere() -> None:
    code = (
        "import build_extension as b, pathlib; "
        "print(*(b.installed(pathlib.Path(p)) for p in ('/stage/usr/include', '/opt')))"
    )
    headers = {"GRADYN_INCLUDE": str(PYTHON.parent / "include"), "GRADYN_LIBRARY": os.environ["GRADYN_BUILD"]}
    environment = {**os.environ, **headers, "DESTDIR": "/stage"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=PYTHON, env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["/usr/include", "/opt"], done.stderr
