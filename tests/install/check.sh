#!/usr/bin/env bash
# Installs a build into a folder of its own and packs it into an archive. The archive, unpacked in another
# folder, has the same files and works from outside with CMake and with pkg-config.
# Usage: check.sh SOURCE_DIR BUILD_DIR
set -euo pipefail

source=$1
build=$2
place=$build/install-test
rm -rf "$place"
mkdir -p "$place"

cmake --install "$build" --prefix "$place/first" >"$place/install.log"
# generators other than make do not build everything first
cpack --config "$build/CPackConfig.cmake" -B "$place/packed" -D CPACK_CMAKE_GENERATOR=Ninja >"$place/pack.log"
mkdir "$place/prefix"
tar -xzf "$place"/packed/gradyn-*.tar.gz -C "$place/prefix" --strip-components=1
prefix=$place/prefix
diff <(cd "$place/first" && find . | sort) <(cd "$prefix" && find . | sort)
# no file may depend on the folder of the installation
rm -rf "$place/first" "$place/packed"

echo "-- with CMake"
cmake -S "$source/tests/install" -B "$place/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_C_COMPILER="${CC:-cc}" >"$place/configure.log"
cmake --build "$place/cmake" >"$place/build.log"
"$place/cmake/use" "$place/cmake/decay.so" "$place/study"
grep -q '</html>' "$place/study/report.html"

echo "-- with pkg-config"
library=$(dirname "$(find "$prefix" -name 'libgradyn.*' | head -n 1)")
export PKG_CONFIG_PATH=$library/pkgconfig
read -ra cflags < <(pkg-config --cflags gradyn)
read -ra libs < <(pkg-config --libs gradyn)
"${CC:-cc}" -shared -fPIC "${cflags[@]}" "$source/tests/install/decay.c" -o "$place/decay.so"
"${CC:-cc}" "${cflags[@]}" "$source/tests/install/use.c" -rdynamic "${libs[@]}" \
  -Wl,-rpath,"$library" -o "$place/use"
"$place/use" "$place/decay.so" "$place/study-by-hand"

if [ -x "$prefix/bin/gradyn" ]; then
  echo "-- the command"
  "$prefix/bin/gradyn" --version
  if [ "$(uname)" = Linux ] && ! grep -q '^CMAKE_BUILD_TYPE:.*=Debug$' "$build/CMakeCache.txt"; then
    mapfile -t shared < <(find "$library" -type f -name 'libgradyn.so.*')
    "$source/tests/install/guards.sh" "$prefix/bin/gradyn" "${shared[@]}"
    # properties that the Debian package guarantees to programs linked earlier
    if [ ${#shared[@]} -gt 0 ]; then
      package=$(readelf -d "${shared[0]}" | sed -nE 's/.*SONAME.*\[libgradyn\.so\.(.*)\]$/libgradyn\1/p')
      gone=$(comm -23 <(sed -n 's/^ \(.*\)@Base .*/\1/p' "$source/debian/$package.symbols" | sort) \
        <(nm -D --defined-only "${shared[0]}" | awk '{ print $3 }' | sort))
      [ -z "$gone" ] || { echo "debian/$package.symbols has functions that the library lacks: $gone" >&2 && exit 1; }
    fi
  fi
  "$prefix/bin/gradyn" gradient "$place/decay.so"
  (cd "$place" && "$prefix/bin/gradyn" run five-bar) | tee "$place/run.log"
  grep -q '^result  *optimal after' "$place/run.log"
  "$prefix/bin/gradyn" report "$place/study" "$place/study-by-hand" --out "$place"
fi
rm -rf "$place"
