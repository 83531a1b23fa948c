# shellcheck shell=bash disable=SC2034,SC2154 # what the scripts that read this set and use
# A copy of the sources with separate builds, in which mutate.sh and fitted_tests.sh change the library and
# run the tests. These scripts set root, the folder of the project; place, the folder of all files; src, the
# copy; and build, the build of the tests that are run.

# configure FOLDER FLAGS OPTION...: configures a build. The whole library is one shared object, so that a changed
# object linked before it affects all tests. An older build is configured again, because tests may have been added or
# removed.
configure() {
  cmake -S "$src" -B "$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="$2" \
    -DGRADYN_ONE_OBJECT=ON -DGRADYN_BUILD_TESTS=ON -DGRADYN_BUILD_BENCH=OFF "${@:3}" >"$place/cmake.log"
}
# make FOLDER TARGET...: builds the targets
make() {
  cmake --build "$1" -j "$(nproc)" --target "${@:2}" >"$place/build.log" 2>&1
}
# update_sources [PATHSPEC]...: copies changed files only, so that little is built again. New files that git does not
# ignore are copied as well.
update_sources() {
  git ls-files -zco --exclude-standard -- "$@" | xargs -0 ls -d 2>/dev/null | while IFS= read -r file; do
    cmp -s "$file" "$src/$file" || { mkdir -p "$src/$(dirname "$file")" && cp "$file" "$src/$file"; }
  done
}

# find_commands REGEX: stores the command of every test that takes part, with its environment, for eval. Tests of the
# documentation, of the form of the sources and of a browser are left out. So are tests of Python, which has a
# separate library, and those with the label `long`, which take minutes.
declare -A command
find_commands() {
  local name line
  while IFS=$'\t' read -r name line; do
    command[$name]=$line
  done < <(ctest --test-dir "$build" --show-only=json-v1 | jq -r '.tests[] |
      select([.properties[] | select(.name == "LABELS") | .value[]] | index("long") | not) | .name + "\t" +
      ([.properties[] | select(.name == "ENVIRONMENT") | .value[] |
      select(startswith("XDG_STATE_HOME=") | not)] +
      (.command | if .[1] == "-c" then .[4:] else . end) | @sh)' | # without the limit of processor time
    grep -E "^($1)" | grep -vE '^(house_rules|packages|install|report[[:space:]]|docs_|python_)')
}
# needed: the targets of the tests that take part; scripts may need any target
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
# run TEST SECONDS FOLDER [VARIABLE]...: returns the status of a test with the library in FOLDER. The test stops at
# its first failure, or after this processor time. Its files are separate, because other tests run at the same time.
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
