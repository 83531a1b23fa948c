#!/usr/bin/env bash
# Writes the options of docs/man/gradyn.1 from the command's table of options, between two marks.
# Usage: man.sh GRADYN_COMMAND [--check]; with --check it fails if the page has other text there.
set -euo pipefail

gradyn=$1
page=$(realpath "$(dirname "$0")/../docs/man/gradyn.1")
begin='Options: written by scripts/man.sh'
end='End of the options'

# Options in the order of the table. `text` and --name become bold, and each sentence begins a line.
options() {
  "$gradyn" help --json | jq -r '
    def shown: gsub("(?<p>^|[ (\u0027])--(?<n>[A-Za-z-]*[A-Za-z])"; "\(.p)\\fB\\-\\-\(.n)\\fR")
      | gsub("`(?<t>[^`]*)`"; "\\fB\(.t | gsub("-"; "\\-"))\\fR") | gsub("[.] +(?=[^ ])"; ".\n");
    def sentence: (.[:1] | ascii_upcase) + .[1:] + (if endswith(".") then "" else "." end);
    .entries[] | select(.name | startswith("--")) |
    (if .group then (if .name == "--set" then empty else ".El" end), ".Ss \(.group)", ".Bl -tag -width Ds" else empty end),
    ".It Fl \(if .letter != "" then "\(.letter) , " else "" end)-\(.name[2:])"
      + (.declaration | sub("^[^ ]+"; "") | if . == "" then "" else " Ar" + gsub("(?<c>[|,])"; "\\&\(.c)") end),
    (.about | sentence | shown),
    (if .details == "" then empty else .details | shown end),
    (if (.commands | length) > 8 then empty else "Commands: \(.commands | join(", "))." end)'
  echo .El
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
  awk -v mark="$begin" '{ print } index($0, mark) { exit }' "$page"
  options
  awk -v mark="$end" 'index($0, mark) { found = 1 } found' "$page"
} >"$new"
if [ "${2:-}" = --check ]; then
  diff "$page" "$new" >&2 || { echo "$page: run scripts/man.sh, since the table of options has changed" >&2; exit 1; }
else
  cat "$new" >"$page"
fi
