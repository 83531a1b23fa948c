#!/usr/bin/env bash
# Public headers in C++: each compiles alone without a warning, and the library has all functions that it
# declares, by their names in C.
# Usage: test_cxx.sh BUILD_DIR With the first C++ compiler, or with each if GRADYN_TEST_ALL is set; 77: there is none.
set -euo pipefail
build=$1
place=$build/cxx-test
mkdir -p "$place"

library=$(find "$build" -maxdepth 1 -name 'libgradyn.so' -o -maxdepth 1 -name 'libgradyn.a' | head -n 1)
case $library in
*.so) ;;
*) exit 77 ;; # an archive needs all libraries that it calls
esac

# functions <header>: names of those that it declares, one a line.
functions() {
  tr '\n' ' ' <"$1" | grep -oE 'GRADYN_API [^;(]*[ *]gradyn_[a-z0-9_]+\(' | grep -oE 'gradyn_[a-z0-9_]+\($' |
    tr -d '(' | sort -u || true
}

# unit <header>: a translation unit that includes it first, and takes the address of all of its functions.
unit() {
  local name
  name=$(basename "$1" .h)
  echo "#include <gradyn/$name.h>"
  echo "extern int count_$name(void);"
  echo "int count_$name(void) {"
  echo "  typedef void (*any)(void);"
  echo "  static const any all[] = {0,"
  functions "$1" | grep -v '^gradyn_plugin_' | sed 's/.*/    reinterpret_cast<any>(\&&),/' || true
  echo "  };"
  echo "  int count = 0;"
  echo "  for (unsigned i = 1; i < sizeof all / sizeof *all; i++) count += all[i] != 0;"
  echo "  return count;"
  echo "}"
}

compilers=0
for cxx in g++ clang++; do
  command -v "$cxx" >/dev/null || continue
  [ "$compilers" -eq 0 ] || [ -n "${GRADYN_TEST_ALL-}" ] || continue
  compilers=$((compilers + 1))
  objects=() names=()
  for header in include/gradyn/*.h; do
    name=$(basename "$header" .h)
    unit "$header" >"$place/$name.cpp"
    "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror -DGRADYN_COMPAT_SILENT -Iinclude -c "$place/$name.cpp" -o "$place/$name.o"
    objects+=("$place/$name.o")
    names+=("$name")
  done
  # a program of all of them, which also runs
  {
    echo '#include <gradyn/gradyn.h>'
    echo '#include <cstdio>'
    printf 'int count_%s(void);\n' "${names[@]}"
    echo 'int main() {'
    echo '  gradyn_registry *registry;'
    echo '  const gradyn_problem *problem;'
    echo '  if (gradyn_registry_create(0, &registry) != GRADYN_OK) return 1;'
    echo '  if (gradyn_registry_find(registry, "five-bar", &problem) != GRADYN_OK) return 2;'
    echo '  gradyn_scalar two = 2; double value;'
    echo '  value = __real__ two + (double)problem->param_count;'
    echo '  gradyn_registry_free(registry);'
    echo '  int functions = 0;'
    printf '  functions += count_%s();\n' "${names[@]}"
    echo '  std::printf("%d", functions);'
    echo '  return value > 2 ? 0 : 3;'
    echo '}'
  } >"$place/main.cpp"
  "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Wno-gnu-complex-integer -Iinclude "$place/main.cpp" \
    "${objects[@]}" "$library" -Wl,-rpath,"$build" -o "$place/all-$cxx"
  found=$("$place/all-$cxx")
  declared=$(for header in include/gradyn/*.h; do functions "$header"; done | grep -vc '^gradyn_plugin_')
  echo "$cxx: $found functions of $declared"
  [ "$found" -eq "$declared" ]
  [ "$found" -gt 200 ]
done
[ "$compilers" -gt 0 ] || exit 77
