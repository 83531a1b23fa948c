"""Makes a wheel that needs no libraries but those of the C compiler's runtime: those that the library, the
extension and the command load come into it, with licences.

    python3 bundle.py package.whl folder

Needs patchelf, readelf, ldd and the package wheel. What comes in keeps its own file, which can be exchanged,
under a name of its own, so that others in one process are never taken for it."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Every system that has Python has these libraries. Copies of them in the wheel would break
# programs.
SYSTEM = re.compile(r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+))\.so.*")
COMMON = Path("/usr/share/common-licenses")


def told(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} has failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def needed(file: Path) -> list[str]:
    """The names of the libraries that a file itself requires."""
    return told("patchelf", "--print-needed", str(file)).split()


def loaded(file: Path) -> dict[str, Path]:
    """The files of all libraries that a file requires, directly or through others, by their
    names."""
    found = {}
    for line in told("ldd", str(file)).splitlines():
        name, arrow, place = line.strip().partition(" => ")
        if arrow and place.startswith("not found"):
            raise SystemExit(f"{file} needs {name}, which is not found")
        if arrow:
            found[name] = Path(place.split(" (")[0])
    return found


def own(file: Path) -> str:
    """A name that contains a hash of the file's content: libklu-1a2b3c4d.so.1"""
    stem, dot, version = file.name.partition(".so")
    return f"{stem}-{hashlib.sha256(file.read_bytes()).hexdigest()[:8]}{dot}{version}"


def newest_libc(files: list[Path]) -> tuple[int, int]:
    """The lowest version of the C library that the files need."""
    text = "".join(told("readelf", "-V", str(file)) for file in files)
    return max((int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", text))


def owners(files: list[Path]) -> dict[Path, str]:
    """The Debian packages of these files. Links between folders give several names to a file."""
    places = {}
    for file in files:
        real = str(file.resolve())
        places.update({p: file for p in (real, f"/usr{real}", real.replace("/usr/", "/", 1))})
    done = subprocess.run(["dpkg-query", "-S", *places], capture_output=True, text=True)
    found = {places[p]: package for package, _, p in (s.partition(": ") for s in done.stdout.splitlines())}
    for file in files:
        if file not in found:
            raise SystemExit(f"{file} belongs to no package: its licence is unknown")
    return found


def licences(files: dict[str, Path], folder: Path) -> None:
    """The licences of all packages whose files are included, if they name their source, and the
    texts that they refer to."""
    folder.mkdir(parents=True, exist_ok=True)
    package, common = owners(list(files.values())), set()
    form = "${binary:Package} source ${source:Package} ${source:Version}\n"
    about = told("dpkg-query", "-W", "-f", form, *package.values())
    source = dict(line.split(" ", 1) for line in about.splitlines())
    lines = [f"{n}: package {package[file]}, {source[package[file]]}\n" for n, file in sorted(files.items())]
    for name in {p.split(":")[0] for p in package.values()}:
        text = Path("/usr/share/doc", name, "copyright").read_text(errors="replace")
        (folder / f"{name}.txt").write_text(text)
        common |= set(re.findall(rf"{COMMON}/([A-Z][\w.-]*\w)", text))
    for name in sorted(common):
        if (COMMON / name).is_file():
            shutil.copyfile(COMMON / name, folder / f"common-{name}.txt")
    note = "Libraries of Debian that are in gradyn/lib, each exchangeable by its file:\n\n"
    (folder / "SOURCES.txt").write_text(note + "".join(lines))


def bundle(root: Path) -> None:
    """Copies the required libraries into an unpacked wheel."""
    package = root / "gradyn"
    library = next((package / "lib").glob("libgradyn.so.*"))
    files = [library, package / "bin" / "gradyn", next(package.glob("_c.*so"))]
    brought = {}
    for file in files:
        all_files = {n: f for n, f in loaded(file).items() if n != library.name}
        brought.update({n: f for n, f in all_files.items() if not SYSTEM.fullmatch(n)})
    names = {name: own(file) for name, file in brought.items()}
    for name, file in brought.items():
        shutil.copyfile(file, package / "lib" / names[name])
        told("patchelf", "--set-soname", names[name], str(package / "lib" / names[name]))
        files.append(package / "lib" / names[name])
    for file in files:
        # one change at a time, because old versions of patchelf damage the file if several are
        # made together
        for name in [name for name in needed(file) if name in names]:
            told("patchelf", "--replace-needed", name, names[name], str(file))
        place = {"bin": "$ORIGIN/../lib", "gradyn": "$ORIGIN/lib", "lib": "$ORIGIN"}[file.parent.name]
        # this path is searched before the folders of LD_LIBRARY_PATH
        told("patchelf", "--force-rpath", "--set-rpath", place, str(file))
        strange = [n for n in needed(file) if not SYSTEM.fullmatch(n) and not (package / "lib" / n).is_file()]
        if strange:
            raise SystemExit(f"{file.name} still needs {', '.join(strange)}")
    for file in [*files, *root.glob("*.data/scripts/*")]:
        file.chmod(0o755)  # lost while it was unpacked
    about = next(root.glob("*.dist-info"))
    licences(brought, about / "licenses")
    retag(about / "WHEEL", newest_libc(files))


def retag(file: Path, libc: tuple[int, int]) -> None:
    """Prints which version of the C library is needed."""
    platform = f"manylinux_{libc[0]}_{libc[1]}_"
    file.write_text(re.sub(r"(?m)^(Tag: .*-)linux_", rf"\g<1>{platform}", file.read_text()))


def main(wheel: str, folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        told(sys.executable, "-m", "wheel", "unpack", "-d", temporary, wheel)
        (root,) = Path(temporary).iterdir()
        bundle(root)
        print(told(sys.executable, "-m", "wheel", "pack", "-d", folder, str(root)).strip())


if __name__ == "__main__":
    main(*sys.argv[1:])
