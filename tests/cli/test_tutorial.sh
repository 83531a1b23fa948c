#!/usr/bin/env bash
# Runs a page of the documentation: writes the files that it shows, runs its commands in order and
# compares what they print with what the page says they print. Usage: test_tutorial.sh SOURCE_DIR
# BUILD_DIR PAGE
#
# In the page, a block of C or CMake is a file if its first line is a comment that begins with the
# file's name; a block marked sh is run; a block marked text is what the sh block before it prints.
# There, every line must be printed somewhere: words as they are, numbers within 1 %. Times, counts of
# work and single evaluations differ from machine to machine, and one interrupted run takes thirty
# times as long: their numbers are free. How a search ended may differ in words as well, but not in what is
# doubtful about it. A line of dots stands for lines left out, none of them a warning.
set -euo pipefail

source=$1
build=$2
page=$source/$3
place=$build/docs-test/$(basename "$page" .md)
rm -rf "$place"
mkdir -p "$place/home/gradyn" "$place/home/work" "$place/part"

# the page expects a checkout, with its build, in the home of the reader
ln -s "$source/include" "$place/home/gradyn/include"
ln -s "$build" "$place/home/gradyn/build"
export HOME=$place/home
export LC_ALL=C.UTF-8
unset GRADYN_PATH

# --- Taking the page apart: part/N.sh and part/N.text, files into the reader's folder -----------

awk -v parts="$place/part" -v work="$HOME/work" '
  /^```/ && !inside {
    kind = substr($0, 4); inside = 1; first = 1; target = ""
    if (kind == "sh") target = sprintf("%s/%03d.sh", parts, ++count)
    if (kind == "text" && count) target = sprintf("%s/%03d.text", parts, count)
    next
  }
  /^```$/ { inside = 0; if (target) close(target); next }
  inside && first {
    first = 0; name = $2; sub(/:$/, "", name)
    if ((kind == "c" && $1 == "/*" && name ~ /\.[ch]$/) || (kind == "cmake" && name == "CMakeLists.txt"))
      target = work "/" name
  }
  inside && target { print > target }' "$page"

# pkg-config files may lie deeper than the page says, if the build is for a system prefix
libdir=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")
sed -i "s|\.local/lib/pkgconfig|.local/${libdir:-lib}/pkgconfig|g" "$place"/part/*.sh
for tool in gnuplot python3; do
  if ! command -v "$tool" >/dev/null; then
    { grep -l "$tool" "$place"/part/*.sh || true; } | xargs -r rm --
  fi
done

# --- Running it, in one shell as the reader does --------------------------------------------------

exec 3>&1

# with -e a failing command ends the script; this prints which command failed
part=
# shellcheck disable=SC2317
explain() {
  local status=$?
  if [ -n "$part" ]; then
    cat "${part%.sh}.out"
    echo "A command of $page fails:"
    cat "$part"
  fi >&3
  exit "$status"
}
trap explain EXIT

cd "$HOME/work"
for part in "$place"/part/*.sh; do
  echo "--- $(head -n 1 "$part")" >&3
  exec >"${part%.sh}.out" 2>&1
  # shellcheck disable=SC1090
  . "$part"
done
exec >&3 2>&1
part=
trap - EXIT

# --- Comparing ------------------------------------------------------------------------------------

compare() {
  awk '
    function number(s) { return s ~ /^[-+]?[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?$/ }
    function near(a, b) {
      a += 0; b += 0
      size = a * a > b * b ? a : b
      return (a - b) ^ 2 <= (0.01 * (size < 0 ? -size : size) + 1e-3) ^ 2
    }
    # the seconds in "simulation 0.001 s, adjoint gradient 0.002 s"
    function timed(before, after) { return after == "s" && before ~ /^(simulation|gradient)$/ }
    # warnings about a result
    function doubts(s) { return (s ~ /this point has warnings/) (s ~ /exact maxima exceed/) }
    function same(wanted, got,   w, g, n, i, any) {
      # any text about the end of a search, without its warnings
      if (wanted ~ /optimal/) return got ~ /optimal/ && doubts(wanted) == doubts(got)
      if (wanted ~ /^[0-9]+ evaluations/) return got ~ /^[0-9]+ evaluations/
      if (wanted ~ /^discretisation/) return got ~ /^discretisation/
      gsub(/[,;()]/, " & ", wanted); gsub(/[,;()]/, " & ", got)
      n = split(wanted, w, " ")
      if (split(got, g, " ") != n) return 0
      for (i = 1; i <= n; i++) {
        any = free || timed(w[i - 1], w[i + 1])
        if (w[i] != g[i] && !(number(w[i]) && number(g[i]) && (any || near(w[i], g[i])))) return 0
      }
      return 1
    }
    FNR == NR { warned += /warning:/; if (!/^ *$/) { out[++lines] = $0; printed += !/^ *[0-9]+[: ]/ }; next }
    /^\.\.\.$/ { dots = 1; next }
    /^ *$/ { next }
    {
      told += /warning:/
      shown += !/^ *[0-9]+[: ]/ # how many evaluations there are is free
      found = 0; free = /Newton iterations/
      # single evaluations
      if (/^ +[0-9]+ +[0-9.e+-]+ +/) next
      for (i = 1; i <= lines && !found; i++) found = same($0, out[i])
      if (!found) { print "not printed: " $0; faults = 1 }
    }
    END {
      if (warned > told) { print "a warning is printed that is not shown"; faults = 1 }
      if (!dots && printed > shown) { print "more is printed than shown, and no line of dots"; faults = 1 }
      exit faults
    }' "$1" "$2"
}

faults=0
for expected in "$place"/part/*.text; do
  part=${expected%.text}
  if [ -e "$part.out" ] && ! compare "$part.out" "$expected"; then
    echo "by:"
    sed 's/^/  /' "$part.sh"
    echo "which prints:"
    sed 's/^/  /' "$part.out"
    faults=1
  fi
done
# the temporary files of a page that passes take a third of the size of a build
[ "$faults" -ne 0 ] || rm -rf "$place"
exit "$faults"
