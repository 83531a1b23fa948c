# shellcheck shell=bash
# Debian packages that gradyn needs; sourced by the other scripts.
# shellcheck disable=SC2034

build_packages=(
  build-essential cmake pkgconf
  libsundials-dev libnlopt-dev libsuitesparse-dev liblapack-dev libblas-dev libjansson-dev
)
test_packages=(libcmocka-dev jq)
check_packages=(git clang clang-format clang-tidy libclang-rt-dev shellcheck valgrind mandoc)

# need_packages <name>...: installs those that are missing; quick if none is.
need_packages() {
  local missing=() name
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system: make sure that the likes of these are installed: $*" >&2
    return 0
  fi
  for name in "$@"; do
    if ! dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed; then
      missing+=("$name")
    fi
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
  echo "Installing packages: ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# build_release <target>: builds a target of the checkout we stand in, in build/; quiet unless that
# fails.
build_release() {
  local log=build/build.log
  mkdir -p build
  echo "Building in $PWD/build ..." >&2
  if ! {
    cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DGRADYN_WERROR=ON -DGRADYN_BUILD_TESTS=ON &&
      cmake --build build -j "$(nproc)" --target "$1"
  } >"$log" 2>&1; then
    cat "$log" >&2
    echo "The build failed." >&2
    return 1
  fi
}
