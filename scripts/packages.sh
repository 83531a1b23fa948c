# shellcheck shell=bash
# Debian packages that gradyn needs; sourced by the other scripts. `bash packages.sh docs` installs those of the site.
# shellcheck disable=SC2034

build_packages=(
  gcc libc6-dev make cmake pkgconf
  libsundials-dev libnlopt-dev libsuitesparse-dev liblapack-dev libblas-dev libjansson-dev
  coinor-libipopt-dev libjs-chart.js libjs-three
)
test_packages=(libcmocka-dev jq binutils)
browser_packages=(chromium) # displays reports in the tests
python_packages=( # the Python package and its tests; without them there is none
  python3 python3-dev python3-setuptools python3-cffi python3-pycparser python3-numpy python3-scipy
  python3-pytest python3-mypy
  python3-matplotlib python3-nbclient python3-ipykernel # for the notebooks in docs/
)
wheel_packages=(python3-pip python3-wheel patchelf binutils) # for scripts/wheel.sh and its test
mpi_packages=(libopenmpi-dev openmpi-bin procps) # for -DGRADYN_MPI=ON
docs_packages=(python3-sphinx furo python3-myst-parser python3-pycparser) # for the site
check_packages=(git clang clang-format clang-tidy libclang-rt-dev shellcheck valgrind mandoc)

# announce <command>... <package>...: reports the size of an installation before it begins. The packages depend on
# others, those of SUNDIALS on about a hundred.
announce() {
  local plan
  plan=$(LC_ALL=C "$@" 2>/dev/null |
    sed -nE 's/^[0-9]+ upgraded, ([0-9]+) newly installed.*/\1 packages with all they depend on/p
      s/^Need to get (.*) of archives\.?/\1 to download/p
      s/^After this operation, (.*) of additional disk space.*/\1 on the disk/p')
  [ -z "$plan" ] || echo "Installing them takes: ${plan//$'\n'/, }." >&2
}

# installed <package>: whether a package is installed
installed() {
  dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

# at_least <what> <version> <least>: fails with a message if there is no version, or if it is too old.
at_least() {
  [ -n "$2" ] && [ "$2" != "(none)" ] && [ "$(printf '%s\n' "$2" "$3" | sort -V | head -n 1)" = "$3" ] && return 0
  echo "$1 $3 or later is needed; ${2:-(none)} is there." >&2
  return 1
}

# requirements <missing package>...: fails if a compiler or CMake that is found first, or a package to be installed,
# is not suitable.
requirements() {
  local name status=0 policy
  if command -v cmake >/dev/null; then
    at_least "$(command -v cmake)" "$(cmake --version | sed -n '1s/.* //p')" 3.18 || status=1
  fi
  if command -v "${CC:-cc}" >/dev/null && ! echo '_Static_assert(1, "");' | "${CC:-cc}" -std=c11 -fsyntax-only -x c - 2>/dev/null; then
    echo "A compiler of C11 is needed; $(command -v "${CC:-cc}") is none." >&2
    status=1
  fi
  for name in "$@"; do
    policy=$(LC_ALL=C apt-cache policy "$name" | sed -n 's/^ *Candidate: //p')
    case $name in
      cmake) at_least "Package $name" "$policy" 3.18 || status=1 ;;
      libnlopt-dev) at_least "Package $name" "$policy" 2.7 || status=1 ;;
      libsundials-dev) at_least "Package $name" "$policy" 6 || status=1 ;;
      *) at_least "Package $name" "$policy" 0 || status=1 ;;
    esac
  done
  [ "$status" -eq 0 ] || echo "Nothing was installed. docs/install.md lists systems that have what is needed." >&2
  return "$status"
}

# need_packages <name>...: installs the packages that are missing. It is fast if there are none, and prints output
# only if it fails.
need_packages() {
  local missing=() name
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system: make sure that the likes of these are installed: $*" >&2
    return 0
  fi
  for name in "$@"; do
    installed "$name" || missing+=("$name")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    return 0
  fi

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Missing packages: ${missing[*]}" >&2
  local log install=(apt-get install -q --no-install-recommends)
  log=$(mktemp)
  if "${as_root[@]}" apt-get update -q >"$log" 2>&1 && requirements "${missing[@]}" 2>>"$log" &&
    announce "${as_root[@]}" "${install[@]}" --assume-no "${missing[@]}" &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      "${install[@]}" -y "${missing[@]}" >>"$log" 2>&1 </dev/null; then
    rm -f "$log"
    return 0
  fi
  cat "$log" >&2
  rm -f "$log"
  echo "The packages could not be installed." >&2
  return 1
}

# need_to_build <package>...: installs the packages that are needed to build gradyn, and others, for the checkout in
# the current folder. The package of SUNDIALS depends on MPI and about a hundred others. If it is missing, its source
# is unpacked in build/sundials. Sets the option sundials.
need_to_build() {
  local packages=("${build_packages[@]}" "$@")
  sundials=-DGRADYN_SUNDIALS=system
  if command -v dpkg-query >/dev/null && ! installed libsundials-dev; then
    need_packages "${packages[@]/%libsundials-dev/xz-utils}" || return 1
    if scripts/sundials.sh build/sundials; then
      sundials=-DGRADYN_SUNDIALS=build/sundials
      return 0
    fi
  fi
  need_packages "${packages[@]}"
}

# apart <folder> <deb|deb-src> <release>: sets the array apart to an apt-get command. The command reads packages or
# sources of a release from the mirror of the system, and stores them in the folder. It needs package lists that were
# read before.
apart() {
  local folder=$1 mirror components
  . /etc/os-release
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  # shellcheck disable=SC2016 # a format of apt
  read -r mirror components < <(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' \
    "Codename: $VERSION_CODENAME" | awk '!n { n = $1 } $1 == n && !seen[$2]++ { c = c " " $2 } END { print n c }')
  echo "$2 [signed-by=/usr/share/keyrings/$ID-archive-keyring.gpg] $mirror $3 $components" >"$folder/sources.list"
  apart=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
  [ -n "$mirror" ] && "${apart[@]}" update >&2
}

# first_error <log>: prints the first error of a build with the lines after it, or the end of the log.
first_error() {
  grep -m 1 -A 8 -E 'CMake Error|(^|[ :])error:|undefined reference|No space left|Killed' "$1" || tail -n 8 "$1"
}

# With these, ccache stores objects that are compiled with precompiled headers.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:+$CCACHE_SLOPPINESS,}pch_defines,time_macros

# build_release <target> <cmake option>...: builds a target of the checkout in the current folder, in build/. It
# prints the log only if that fails. A message of each object would be a process of CMake each, a twentieth of the time.
build_release() {
  local log=build/build.log target=$1
  shift
  mkdir -p build
  echo "Building in $PWD/build ..." >&2
  if ! {
    cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_RULE_MESSAGES=OFF "$@" &&
      cmake --build build -j "$(nproc)" --target "$target"
  } >"$log" 2>&1; then
    first_error "$log" >&2
    echo "The build failed; $PWD/$log has the whole log. After an upgrade of the system, remove $PWD/build." >&2
    return 1
  fi
}

if [ "${BASH_SOURCE[0]}" = "$0" ] && [ "${1:-}" = docs ]; then
  need_packages "${docs_packages[@]}"
fi
