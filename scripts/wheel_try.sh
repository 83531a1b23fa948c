#!/usr/bin/env bash
# wheel_try.sh <wheel> <python>...: installs the wheel into a fresh virtual environment of each CPython and runs
# the command and the package's tests there, in a root folder that has no more than that CPython and the
# libraries it loads itself: no compiler, none of the libraries that gradyn is built with. Needs the network
# for NumPy, cffi, SciPy and pytest, and the right to make namespaces (unshare).
set -euo pipefail
wheel=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
forbidden='sundials|klu|btf|amd|ldl|suitesparse|nlopt|lapack|blas|ipopt|mumps|scotch|jansson|gfortran|quadmath'
tests=(analyses evaluate fitting functions models processes robust search studies)

# libraries <prefix> <root>: what CPython and its modules load, but for what is forbidden
libraries() {
  { find "$1/bin" "$1/lib" -type f \( -name 'python3*' -o -name '*.so*' \) -exec ldd {} + 2>/dev/null || true; } |
    grep -oE '(=> )?/[^ ]+ \(' | tr -d '=>( ' | sort -u | grep -vE "/lib($forbidden)[^/]*$|^$1/" |
    while read -r file; do install -D "$file" "$2$file"; done
}

# inside <root> <prefix> <work>: mounts and runs, in namespaces of its own
inside() {
  local root=$1 prefix=$2 work=$3 folder
  for folder in "$prefix" "$work" /proc /dev; do
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
  done
  chroot "$root" /usr/bin/env -i PATH="$work/venv/bin" HOME=/tmp "$work/venv/bin/python" -B - "$work" "${tests[@]}" <<'END'
import os, shutil, subprocess, sys
work, tests = sys.argv[1], sys.argv[2:]
assert not any(map(shutil.which, ["cc", "gcc", "clang", "ld"])), "a compiler"
os.chdir("/tmp")
subprocess.run([f"{work}/venv/bin/gradyn", "run", "five-bar", "--out", "/tmp/study"],
               check=True, stdout=subprocess.DEVNULL)
assert os.path.getsize("/tmp/study/report.html") > 1e5
traced = {**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": "/tmp/loaded"}
subprocess.run([sys.executable, "-c", "import gradyn; gradyn.load('five-bar').gradient()"], env=traced, check=True)
files = {line.split(";")[0].split()[-1] for name in os.listdir("/tmp") if name.startswith("loaded")
         for line in open(f"/tmp/{name}", errors="replace") if "calling init" in line}
print("loaded:", *sorted(os.path.basename(f) for f in files if "/gradyn/" in f))
files = [f"test_{name}.py" for name in tests]
import gradyn
os.environ["GRADYN_BUILD"] = os.path.join(os.path.dirname(gradyn.__file__), "bin")
sys.exit(subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
                        cwd=f"{work}/python/tests").returncode)
END
}

# try <python>
try() {
  local python=$1 prefix root=$all/root work=$all/work
  prefix=$("$python" -c 'import sys; print(sys.base_prefix)')
  rm -rf "$root" "$work"
  mkdir -p "$root" "$work"
  "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install -q "$wheel" scipy pytest
  cp -r python "$work/python"
  rm -rf "$work/python/gradyn" "$work/python/build"
  mkdir -p "$root/tmp" "$root/usr/bin"
  libraries "$prefix" "$root"
  libraries "$work/venv" "$root"
  install -D /usr/bin/env "$root/usr/bin/env"
  echo "== $("$python" --version) in $root with $(find "$root" -type f | wc -l) files besides it"
  unshare --user --map-root-user --mount --pid --fork bash -c "$(declare -f inside); forbidden='$forbidden'
    tests=(${tests[*]}); inside '$root' '$prefix' '$work'"
}

all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT
for python in "$@"; do
  try "$python"
done
