#!/bin/sh
# Draws the figures of the page on double-wishbone from a study folder, with gnuplot.
# Usage: double-wishbone.sh STUDY [FOLDER]; writes double-wishbone-mechanism.svg, -displacement.svg and -objective.svg.
set -eu
study=$1
into=${2:-$(dirname "$0")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines of the mechanism for a row of history.csv (2: start): x, y, z, axle (1 front, 2 rear) into the files
# NAME.beams and NAME.shock_absorbers. The places that are no parameters are those of
# problems/double_wishbone.c.
lines() { # row, name
  awk -F, -v row="$1" -v name="$work/$2" '
    NR == 1 { for (i = 1; i <= NF; i++) { split($i, head, " "); at[head[1]] = i } }
    NR == row {
      split("-1.11 0.37 0.37 -1.11", wx, " "); split("0.68 0.56 -0.56 -0.68", wy, " ")
      split("0.15 0.25 0.25 0.15", up, " "); split("0.33 0.21 -0.21 -0.33", ty, " ")
      split("1 2 2 1", axle, " ")
      for (n = 1; n <= 16; n++) {
        c = int((n - 1) / 4) + 1
        print $at["X" n], $at["Y" n], $at["Z" n], axle[c] > (name ".beams")
        print wx[c], wy[c], (n - 1) % 4 < 2 ? up[c] : 0, axle[c] "\n" > (name ".beams")
      }
      for (c = 1; c <= 4; c++) {
        print wx[c], ty[c], $at["Z" (16 + c)], axle[c] > (name ".shock_absorbers")
        print wx[c], wy[c], 0, axle[c] "\n" > (name ".shock_absorbers")
      }
    }' "$study/history.csv"
}

lines 2 "start"
lines "$(awk -F, 'NR > 1 && $3 == 1 { row = NR } END { print row }' "$study/history.csv")" "found"

gnuplot <<EOF
set datafile separator ','
set terminal svg size 720,360 font 'sans,13' background rgb 'white'
set grid lc rgb '#dddddd'

set output '$into/double-wishbone-displacement.svg'
set xlabel 'time, s'; set ylabel 'displacement of the chassis, m'
d(x, y, z) = sqrt((x - 0.243)**2 + y**2 + (z - 0.365)**2)
plot '$study/trajectory_initial.csv' every 6 using 1:(d(column('chassis.x [m]'), column('chassis.y [m]'), \\
       column('chassis.z [m]'))) with lines lw 2 lc rgb '#999999' title 'start', \\
     '$study/trajectory_final.csv' every 6 using 1:(d(column('chassis.x [m]'), column('chassis.y [m]'), \\
       column('chassis.z [m]'))) with lines lw 2 lc rgb '#1f5fa8' title 'found'

set output '$into/double-wishbone-objective.svg'
set xlabel 'evaluation'; set ylabel 'objective, m^2 s'; set logscale y
least = 1
plot '$study/history.csv' using 1:4 with points pt 7 ps 0.4 lc rgb '#999999' title 'each evaluation', \\
     '' using 1:(least = \$4 < least ? \$4 : least) with steps lw 2 lc rgb '#1f5fa8' title 'least so far'
unset logscale; unset key

set terminal svg size 900,560 font 'sans,13' background rgb 'white'
set output '$into/double-wishbone-mechanism.svg'
set datafile separator whitespace
set size ratio -1; set key off
keep(axle, z) = axle == shown ? z : NaN
four = "start.beams found.beams start.shock_absorbers found.shock_absorbers"
set style line 1 lw 1 dt 2 lc rgb '#444444'
set style line 2 lw 3 lc rgb '#1f5fa8'
set style line 3 lw 1 dt 2 lc rgb '#c06020'
set style line 4 lw 3 lc rgb '#c06020'
set multiplot
set origin 0, 0; set size 0.44, 1
set title 'from above'; set xlabel 'y, m'; set ylabel 'x, m'
set xtics 0.4; set ytics 0.4; set xrange [-0.8:0.8]; set yrange [-1.5:0.8]
plot for [i=1:4] '$work/'.word(four, i) using 2:1 with lines ls i
set ylabel 'z, m'; set ytics 0.2; set yrange [-0.15:0.65]
set origin 0.42, 0.5; set size 0.58, 0.5
set title 'front axle'; shown = 1
plot for [i=1:4] '$work/'.word(four, i) using 2:(keep(\$4, \$3)) with lines ls i
set origin 0.42, 0; set title 'rear axle'; shown = 2
plot for [i=1:4] '$work/'.word(four, i) using 2:(keep(\$4, \$3)) with lines ls i
unset multiplot
EOF
"$(dirname "$0")/../../scripts/schemes.py" "$into"/double-wishbone-*.svg
