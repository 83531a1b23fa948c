#!/usr/bin/env bash
# Draws the figures of the pages flexible-pendulum and rigid-spring-beam, into this folder.
# Usage: flexible-beams.sh [PATH OF THE COMMAND GRADYN]. Needs gnuplot and jq.
set -euo pipefail

gradyn=${1:-gradyn}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

plot() { # name, size: reads gnuplot commands
  {
    echo "set terminal svg size $2 font 'sans,12' background 'white'"
    echo "set output '$here/$1.svg'"
    cat <<'SETTINGS'
set style line 1 lc rgb '#0060ad' lw 1.5
set style line 2 lc rgb '#c04000' lw 1.5
set grid lc rgb '#e0e0e0'
set lmargin 12
set rmargin 3
SETTINGS
    cat
  } | (cd "$work" && gnuplot)
  "$here/../../scripts/schemes.py" "$here/$1.svg"
}

# --- flexible-pendulum: deflection and derivatives by width, density, stiffness over time ------------

deflections() { # full, step: time, value, three derivatives
  "$gradyn" gradient flexible-pendulum --method variational --sensitivity direct --set instants=400 \
    --set full="$1" --step "$2" --json -q |
    jq -r '.functionals[] | select(.name | startswith("deflection"))
           | [(.name | ltrimstr("deflection_") | rtrimstr("s")), .value, .gradient[]] | @tsv'
}

deflections 0 62.5e-6 >"$work/linear"
deflections 1 62.5e-6 >"$work/full"

plot flexible-pendulum 720,860 <<'COMMANDS'
set multiplot layout 4,1
set key outside top center horizontal
set xrange [0:4]
set ylabel 'deflection, m'
plot 'linear' u 1:2 w l ls 1 t 'linear force', 'full' u 1:2 w l ls 2 t 'full force'
unset key
set ylabel 'by h, m/m'
plot 'linear' u 1:3 w l ls 1, 'full' u 1:3 w l ls 2
set ylabel 'by {/Symbol r}, 10^{-3} m/(kg/m^3)'
plot 'linear' u 1:($4*1e3) w l ls 1, 'full' u 1:($4*1e3) w l ls 2
set ylabel 'by E, 10^{-6} m/Pa'
set xlabel 't, s'
plot 'linear' u 1:($5*1e6) w l ls 1, 'full' u 1:($5*1e6) w l ls 2
unset multiplot
COMMANDS

# --- rigid-spring-beam: the search, and the motion of B before and after it -----------------------------

study() { # name, options...
  local name=$1
  shift
  "$gradyn" run rigid-spring-beam --step 1e-3 "$@" --samples 251 --out "$work/$name" -q >"$work/$name.txt"
}

study adjoint
study half --step 5e-4
study differences --sensitivity differences --perturbation 0.01

plot rigid-spring-beam 720,760 <<'COMMANDS'
set datafile separator ','
set multiplot layout 3,1
set key outside top center horizontal
distance(x, y) = 1e3*sqrt((x - 0.3)**2 + (y + 0.4)**2)
set xlabel 't, s'
set ylabel 'displacement of B, mm'
plot 'adjoint/trajectory_initial.csv' u 1:(distance($2, $3)) w l ls 2 t 'initial', \
     'half/trajectory_initial.csv' u 1:(distance($2, $3)) w l lc 'black' dt (4, 12) t 'initial, 0.5 ms', \
     'adjoint/trajectory_final.csv' u 1:(distance($2, $3)) w l ls 1 t 'optimum'
set xlabel 'evaluation'
set ylabel 'objective, m^2 s'
set logscale y
set format y '10^{%T}'
plot 'adjoint/history.csv' u 1:4 w lp ls 1 pt 7 ps 0.4 t 'adjoint, 1 ms', \
     'half/history.csv' u 1:4 w lp lc 'black' dt (4, 4) pt 6 ps 0.4 t 'adjoint, 0.5 ms', \
     'differences/history.csv' u 1:4 w lp ls 2 pt 7 ps 0.4 t 'differences of 1 %, 1 ms'
unset logscale
set format y '%g'
set ylabel 'X_D, Y_D, m'
plot 'adjoint/history.csv' u 1:9 w lp ls 1 pt 7 ps 0.4 t 'X_D, 1 ms', \
     'half/history.csv' u 1:9 w lp lc 'black' dt (4, 4) pt 6 ps 0.4 t 'X_D, 0.5 ms', \
     'adjoint/history.csv' u 1:10 w lp ls 2 pt 7 ps 0.4 t 'Y_D, 1 ms', \
     'half/history.csv' u 1:10 w lp lc '#808080' dt (4, 4) pt 6 ps 0.4 t 'Y_D, 0.5 ms'
unset multiplot
COMMANDS
