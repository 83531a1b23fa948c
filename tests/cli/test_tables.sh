#!/usr/bin/env bash
# What is printed as text, as JSON and into files is the same, of everything there is: all functionals, rows and
# options, every verdict, and every word that somebody has to be told. Usage: test_tables.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile peak ring slow

# --- Extremes of a sweep are those of its table -----------------------------------------------------

expect 0 sweep five-bar --over Ls1=1:2:4 --over rG=0.4:1:3 --t-end 0.5 --out grid --json -q
jq -r '.functionals[] | .name as $name | ["least", "largest"][] as $which | .[$which] |
  "\($name) \($which) \(.value) \(.parameters | map(tostring) | join(","))"' out >told
# the same from the table: parameters in their columns, then functionals
awk -F, 'NR == 1 {
    for (i = 1; i <= NF; i++) {
      name[i] = $i; sub(/ \[.*/, "", name[i])
      if (name[i] ~ /^psi/) last = i
    }
    next
  }
  { for (i = 1; i <= NF; i++) value[NR, i] = $i; rows = NR }
  END {
    for (i = 1; i <= last; i++)
      if (name[i] ~ /^psi/) {
        least = largest = 2
        for (k = 2; k <= rows; k++) {
          if (value[k, i] + 0 < value[least, i] + 0) least = k
          if (value[k, i] + 0 > value[largest, i] + 0) largest = k
        }
        print name[i], "least", value[least, i], least
        print name[i], "largest", value[largest, i], largest
      }
  }' grid/sweep.csv >found
[ "$(wc -l <found)" -eq 6 ] || fault "$what: not three functionals in sweep.csv"
paste -d ' ' told found | while read -r name which value parameters same of number row; do
  [ "$name $which" = "$same $of" ] && awk -v a="$value" -v b="$number" 'BEGIN { exit !(a == b) }' ||
    echo "$name $which: $value, but $number in sweep.csv"
  at=$(sed -n "${row}p" grid/sweep.csv)
  for number in ${parameters//,/ }; do
    tr , '\n' <<<"$at" | awk -v a="$number" '$1 == a { found = 1 } END { exit !found }' ||
      echo "$name $which: not at $number"
  done
done >wrong
[ ! -s wrong ] || fault "$what: $(cat wrong)"

# --- Verdicts on orbits ------------------------------------------------------------------------------

# one multiplier beside the orbit's own: below 1 and above, near it and far; of a driven one all count
while read -r pull driven verdict; do
  fixed=
  [ "$driven" = 0 ] || fixed=--fixed-period
  # shellcheck disable=SC2086
  expect 0 orbit ring.so --set "pull=$pull" --set driven=$driven $fixed
  says out "$verdict"
  # shellcheck disable=SC2086
  expect 0 orbit ring.so --set "pull=$pull" --set driven=$driven $fixed --json
  json ".verdict == \"$verdict\""
done <<'END'
0.04 0 stable: disturbances fade
0.3 0 stable: disturbances fade
-0.04 0 unstable: disturbances grow
-0.055 0 unstable: disturbances grow
-0.3 0 unstable: disturbances grow
0.1 1 stable: disturbances fade
-0.1 1 unstable: disturbances grow
END

# --- Deviations of every row ---------------------------------------------------------------------------

# in free flight, of start and speed: sd(t)^2 = 0.05^2 + (0.1 t)^2
for samples in "" "--samples 30"; do
  # shellcheck disable=SC2086
  expect 0 simulate ball-on-slope --covariance x=0.05,vx=0.1 $samples -q
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "sd[ball.x] [m]") at = i; next }
    $1 < 0.5 { rows++; off = $at / sqrt(0.0025 + 0.01 * $1 * $1) - 1; bad += off * off > 1e-14 }
    END { exit !(at && rows > 3 && !bad) }' out || fault "$what: other deviations"
done

# --- Warnings reach everybody ----------------------------------------------------------------------------

for command in simulate gradient "gradient --all-data" events; do
  # shellcheck disable=SC2086
  expect 0 ${command%% *} rigid-spring-beam ${command#"${command%% *}"} --method ali3p --step 0.01 -q
  says err "gradyn: warning: steps had to be divided"
done

# --- Short options -------------------------------------------------------------------------------------

for command in $("$gradyn" --help | sed -n "s/^  \([a-z]*\) .*/\1/p"); do
  expect 0 "$command" --help
  grep -oE '^ +-[A-Za-z], --[a-z-]+' out | sed 's/^ *//' >>short.help
  # what has no short name has none
  ! grep -qE '^ +--(quiet|verbose|help|version)' out || fault "$what: an option lost its letter"
done
sed -nE 's/^\.It Fl ([a-zA-Z]) , -([a-z-]+).*/-\1, --\2/p' "$source/docs/man/gradyn.1" | sort -u >short.man
sort -u short.help | cmp -s - short.man || fault "short options differ from the manual page"

# --- Maxima as they are, and progress ---------------------------------------------------------------------

expect 0 run peak.so --out peaks -q
says out "smooth reaches 0.367879 at t = 1 s"
if command -v script >/dev/null; then
  # a functional that is constrained, wherever it stands
  what="a terminal, a constraint that stands first"
  TERM=xterm script -qec "stty cols 120; '$gradyn' run ring.so --out ringed" /dev/null >out 2>err
  says out ", feasible, projected gradient"
  # as often as an eye can follow, however quick the points are
  what="a terminal, many points"
  begun=$(date +%s%N)
  HURRY=1 TERM=xterm script -qec "'$gradyn' sweep ./slow.so --over x=0:1:60 --over y=0:1:10 --out many" /dev/null >out 2>err
  most=$((($(date +%s%N) - begun) / 200000000 + 3))
  says out "600 of 600 points"
  told=$(tr '\r' '\n' <out | grep -c ' of 600 points')
  if [ "$told" -lt 2 ] || [ "$told" -gt "$most" ]; then
    fault "$what: told $told times, of $most"
  fi
fi

verdict "What is printed is what there is."
