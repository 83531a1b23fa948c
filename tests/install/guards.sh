#!/usr/bin/env bash
# Protection of built files: libraries come from named folders, tables of addresses are read-only, the library
# exports its public functions only, and stacks and lengths are checked.
# Usage: guards.sh FILE...: gradyn, libgradyn.so..., or a module of Python
set -uo pipefail
faults=0

fault() {
  echo "FAULT: $file: $*"
  faults=$((faults + 1))
}

command -v readelf >/dev/null || { echo "readelf is missing" >&2; exit 1; }
for file; do
  dynamic=$(readelf -dW "$file") || { fault "it cannot be read"; continue; }
  # folders of libraries: none is empty, and each begins at the root or beside the file
  while read -r folders; do
    [[ ":$folders:" != *::* ]] || fault "libraries are looked for in the current folder: '$folders'"
    for folder in ${folders//:/ }; do
      # shellcheck disable=SC2016 # as it stands there
      [[ $folder == /* || $folder == '$ORIGIN'* ]] || fault "a folder that depends on the current one: '$folder'"
    done
  done < <(sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]$/\2/p' <<<"$dynamic")
  grep -qE '\(FLAGS(_1)?\).*NOW' <<<"$dynamic" || fault "names are found when they are called"
  readelf -lW "$file" | grep -q GNU_RELRO || fault "tables of addresses can be written"
  readelf -lW "$file" | grep -q 'GNU_STACK.*RWE' && fault "the stack can be executed"

  symbols=$(readelf --dyn-syms -W "$file")
  case $(basename "$file") in
    libgradyn.so*)
      strange=$(awk '$5 != "LOCAL" && $7 ~ /^[0-9]+$/ && $8 !~ /^gradyn_/ { print $8 }' <<<"$symbols")
      [ -z "$strange" ] || fault "it offers ${strange//$'\n'/ }"
      ;;&
    libgradyn.so* | gradyn)
      grep -q '__stack_chk_fail' <<<"$symbols" || fault "stacks are not watched"
      grep -q '__[a-z]*_chk@' <<<"$symbols" || fault "lengths are not watched"
      ;;
  esac
done
[ $faults -eq 0 ] || echo "$faults faults."
exit $((faults > 0))
