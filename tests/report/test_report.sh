#!/usr/bin/env bash
# The report in a browser: complete, offline, without errors, with a moving mechanism and plots with their
# curves, for any names in a problem.
# Usage: test_report.sh GRADYN_COMMAND (CC: the compiler)
set -uo pipefail

[ $# -eq 1 ] || { echo "usage: $0 GRADYN_COMMAND" >&2; exit 2; }
gradyn=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
faults=0

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}

for name in chromium chromium-browser google-chrome; do
  browser=$(command -v "$name") && break
done
if [ -z "${browser:-}" ]; then
  echo "chromium is needed to look at reports: see browser_packages in scripts/packages.sh" >&2
  exit 1
fi

# command ARGUMENT...: runs gradyn, which has to tell at the end where the report is.
command_reports() {
  local said
  said=$("$gradyn" "$@" 2>err | tail -n 1)
  report=${said#report: }
  if [ "$said" = "$report" ] || [ ! -s "$report" ]; then
    fault "gradyn $*: the last line is '$said'"
    cat err
  fi
}

# look NAME: prepares the last report to be looked at under a name; what it may not be is found at once.
look() {
  local bytes
  bytes=$(wc -c <"$report")
  [ "$bytes" -lt 5000000 ] || fault "$1: $bytes bytes"
  if sed '/^<script>\/\* \(chart\|three\|Orbit\).*js \*\/$/,/^<\/script>$/d' "$report" |
    grep -nE '(src|href) *= *"?(https?:)?//' | head -n 3 | grep .; then
    fault "$1: something comes from elsewhere"
  fi
  awk -v early="$here/early.js" -v probe="$here/probe.js" '
    function add(file, line) {
      print "<script>"
      while ((getline line < file) > 0) print line
      print "</script>"
    }
    /^<\/body>/ { add(probe) }
    { print }
    /^<head>/ { add(early) }' "$report" >"$1.html"
}

# without_libraries NAME OTHER: the page as a build without chart.js and three.js would make it.
without_libraries() {
  sed '/^<script>\/\* \(chart\|three\|Orbit\).*js \*\/$/,/^<\/script>$/d' "$1.html" >"$2.html"
}

# --- studies -------------------------------------------------------------------------------------

command_reports run five-bar -q --out five-bar
look five-bar
command_reports run five-bar -q --method ali3p --step 0.01 --max-evaluations 1 --out five-bar-2
command_reports report five-bar five-bar-2
look compared
[ "$report" = ./comparison.html ] || fault "a comparison in $report"
command_reports run five-bar -q --method ali3p --step 0.01 --starts 5 --out many
look many
command_reports sweep five-bar -q --from many --over Ls1=3:1:7 --over Ls2=1:3:6 --out grid
look grid
command_reports sweep five-bar -q --method ali3p --step 0.01 --over Ls1=1:3:9 --gradient --out line
command_reports report line grid many five-bar-2 --out .
look swept
command_reports run cart-pole -q --rtol 1e-5 --max-evaluations 4 --out cart-pole
look cart-pole
command_reports run brachistochrone -q --rtol 1e-6 --out brachistochrone
look brachistochrone
segments=
if "$gradyn" info van-der-pol-time | grep -q '^algorithms: .* ipopt'; then
  command_reports run van-der-pol-time -q --segments 10 --hessian --out segments
  look segments
  segments=,segments:1280
fi
command_reports run bryson-denham -q --out bryson-denham
look bryson-denham
command_reports fit boehm-stat5 -q --out boehm
look boehm
command_reports fit alpha-pinene -q --out pinene
look pinene
command_reports profile alpha-pinene 'theta[4]' -q --out profile
look profile
command_reports uncertainty tolerance-four-bar -q --step 0.02 --points 64 --indices --out tolerances
look tolerances
command_reports filter pendulum-identification -q --case small --initial bob.x=0.1,bob.vx=0.1 --noise gravity.y=1e-3 --out filter
look filter
command_reports doe alpha-pinene -q --candidates 11 --out experiment
look experiment
command_reports simulate double-wishbone -q --t-end 0.1 --out double-wishbone
look double-wishbone
command_reports simulate stick-slip -q --out sticks
look sticks
grep -q '"modes":\[2\]' "$report" || fault "the report does not tell which mode friction belongs to"
command_reports simulate ball-on-slope --covariance x=0.05,vx=0.1 -q --out landing
look landing
command_reports simulate double-pendulum-wall -q --out wall
look wall
# kinematic impacts have no impulse
command_reports simulate bouncing-five-bar -q --out kinematic
look kinematic
jq -e '.events | length > 0 and all(.impulse == 0)' kinematic/result.json >out || fault "impulses of kinematic impacts"
# each impact loses the energy that the invariants lose, and the forces on the tip balance its momentum
for study in landing wall; do
  lost=$(awk -F, -v t="$(jq .events[0].t $study/result.json)" 'NR > 1 && $1 <= t * (1 + 1e-14) { before = after; after = $4 }
    END { printf "%.9g", before - after }' $study/invariants.csv)
  jq -e --argjson lost "$lost" '.events[0].energy_lost - $lost | fabs < 1e-8' $study/result.json >out || fault "$study: loses $lost J"
done
jq -e '.events[0] | .mode == "landed" and .impulses == [{constraint: "slope", impulse: -.impulse}]' landing/result.json >out ||
  fault "impulses of a landing"
awk -F, -v impulse="$(jq '.events[0].impulse' wall/result.json)" -v t="$(jq '.events[0].t' wall/result.json)" \
  -v pull="$(jq '.events[0].impulses[] | select(.constraint == "lower").impulse' wall/result.json)" '
  NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*/, "", $i); at[$i] = i } next }
  $1 <= t * (1 + 1e-14) { for (name in at) { before[name] = after[name]; after[name] = $at[name] } }
  function node(axis) { # of a uniform rod of 1.5 kg
    return 1.5 / 6 * (after["elbow.v" axis] - before["elbow.v" axis] + 2 * (after["tip.v" axis] - before["tip.v" axis]))
  }
  END {
    x = after["tip.x"] - after["elbow.x"]; y = after["tip.y"] - after["elbow.y"]; l = sqrt(x * x + y * y)
    wrong = (node("x") + impulse + pull * x / l) ^ 2 + (node("y") + pull * y / l) ^ 2
    exit !(pull < -1 && wrong < 1e-18)
  }' wall/trajectory.csv || fault "impulses of rods do not balance the momentum"
head -n 1 landing/trajectory.csv | grep -qF ',sd[ball.x] [m],sd[ball.y] [m],sd[ball.vx] [m/s],sd[ball.vy] [m/s]' ||
  fault "standard deviations in the folder"
command_reports gradient rigid-spring-beam -q --t-end 0.05 --out rigid-spring-beam
command_reports steps five-bar -q --method ali3p --step 0.02 --out steps
without_libraries double-wishbone bare-space

for problem in "$here/hostile" "$source/tests/cli/problems/bowl"; do
  "$CC" -shared -fPIC -I"$source/include" -o "$(basename "$problem").so" "$problem.c" ||
    fault "$problem.c cannot be compiled"
done
command_reports pareto bowl.so -q --objectives height,first --points 5 --out front
look front
command_reports pareto bowl.so -q --objectives height,first --points 3 --out front-2
command_reports report front front-2
look fronts
command_reports run ./hostile.so -q --max-evaluations 5 --out hostile
look hostile
command_reports sweep ./hostile.so -q --over "$(printf '%s' 'a",b c<!--')=0:1:4" --out hostile-sweep
look hostile-sweep

"$gradyn" run five-bar -q --no-report --out plain >out 2>&1 || fault "run --no-report"
[ ! -e plain/report.html ] || fault "--no-report made a report"
"$gradyn" report nowhere >out 2>&1 && fault "a study that does not exist has a report"
grep -q "'nowhere'" out || fault "the study that does not exist is not named"

# the files of the study are enough
cp -r five-bar again
rm again/report.html
"$gradyn" report again >out || fault "a report made anew"
cmp -s <(sed 's/"made":"[^"]*"//; s/"folder":"[^"]*"//' again/report.html) \
  <(sed 's/"made":"[^"]*"//; s/"folder":"[^"]*"//' five-bar/report.html) ||
  fault "a report made anew is not the first one"

# --- in the browser --------------------------------------------------------------------------------

pages=five-bar:1280,cart-pole:400,brachistochrone:400,double-wishbone:1280,compared:400,bare-space:1280
pages+=,sticks:1280,landing:400,bryson-denham:400,wall:1280,kinematic:400,hostile:1280,many:400,grid:1280,swept:400,hostile-sweep:400,front:1280,fronts:400,boehm:1280,pinene:400,profile:400,tolerances:400,filter:1280,experiment:400$segments
cp "$here/frame.html" .
timeout $((1500 * ${GRADYN_TEST_PACE:-1})) "$browser" --headless=new --no-sandbox \
  --user-data-dir="$place/profile" --disable-extensions \
  --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --disable-accelerated-2d-canvas \
  --allow-file-access-from-files --hide-scrollbars --window-size=1400,1000 \
  --dump-dom "file://$place/frame.html#$pages" >dom 2>log
grep -q '^END' dom || { fault "the browser did not come to the end"; tail -n 5 log; }
for page in ${pages//,/ }; do
  grep -q "^\(<.*>\)*$page: ok" dom || fault "$page: nothing was found"
done
grep ': FAULT' dom && fault "in the browser"
echo "$(grep -c ': ok' dom) things were found in order"

[ "$faults" -eq 0 ]
