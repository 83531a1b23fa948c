# shellcheck shell=bash disable=SC2034,SC2154 # what the scripts that read this set and use
# A copy of the sources with builds of its own, in which scripts change the library and run the tests: for
# mutate.sh and fitted_tests.sh. They set root, the project's folder, place, where all of it lives, src, the
# copy, and build, the build whose tests are run.

# configure FOLDER FLAGS OPTION...: all of the library is one shared object, so that a change is one object in
# front of it, whatever tests reach it. An older build learns of tests that have come or gone.
configure() {
  cmake -S "$src" -B "$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="$2" \
    -DGRADYN_ONE_OBJECT=ON -DGRADYN_BUILD_TESTS=ON -DGRADYN_BUILD_BENCH=OFF "${@:3}" >"$place/cmake.log"
}
# make FOLDER TARGET...
make() {
  cmake --build "$1" -j "$(nproc)" --target "${@:2}" >"$place/build.log" 2>&1
}
# update_sources [PATHSPEC]...: files that are the same stay untouched, so that little is built again. New ones that
# git does not ignore count.
update_sources() {
  git ls-files -zco --exclude-standard -- "$@" | xargs -0 ls -d 2>/dev/null | while IFS= read -r file; do
    cmp -s "$file" "$src/$file" || { mkdir -p "$src/$(dirname "$file")" && cp "$file" "$src/$file"; }
  done
}

# find_commands REGEX: the command of every test that takes part, with its environment, for eval. What the
# documentation shows and how the sources look is no business of a change's, nor is a browser; Python has a
# library of its own. Those of the label `long` take minutes.
declare -A command
find_commands() {
  local name line
  while IFS=$'\t' read -r name line; do
    command[$name]=$line
  done < <(ctest --test-dir "$build" --show-only=json-v1 | jq -r '.tests[] |
      select([.properties[] | select(.name == "LABELS") | .value[]] | index("long") | not) | .name + "\t" +
      ([.properties[] | select(.name == "ENVIRONMENT") | .value[] |
      select(startswith("XDG_STATE_HOME=") | not)] +
      (.command | if .[1] == "-c" then .[4:] else . end) | @sh)' | # without its limit of processor time
    grep -E "^($1)" | grep -vE '^(house_rules|packages|install|report[[:space:]]|docs_|python_)')
}
# needed: what the tests that take part run; scripts may want anything
needed() {
  local test program
  for test in "${!command[@]}"; do
    if [[ ${command[$test]} == *"'$build/tests/test_"* ]]; then
      program=${command[$test]#*"'$build/tests/"}
      echo "${program%%\'*}"
    else
      echo all
    fi
  done | sort -u
}
# run TEST SECONDS FOLDER [VARIABLE]...: what it returns with the library in FOLDER; it stops at its first
# failure, or after that much processor time. Its files are its own, since others run beside it.
run() {
  local own status
  own=$(mktemp -d "$place/run.XXXXXX")
  (cd "$src" && ulimit -t "$2" &&
    eval "exec env CMOCKA_TEST_ABORT=1 TMPDIR=$own XDG_STATE_HOME=$own/state timeout -k 5 $(($2 * 200)) \
      env LD_LIBRARY_PATH=$3 ${*:4} ${command[$1]}") >"$own/log" 2>&1 </dev/null
  status=$?
  rm -rf "$own"
  return $status
}
