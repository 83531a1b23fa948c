#!/usr/bin/env bash
# Draws docs/problems/ball-on-slope.svg: ten thousand balls whose starts are scattered land on the slope; their
# covariance at the end beside that which gradyn simulate --covariance foretells. Usage: ball-on-slope.sh [gradyn]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
GRADYN=${1:-gradyn}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
balls=10000

# normally distributed starts by Box and Muller. The separate generator gives the same numbers on
# every machine
awk -v n="$balls" 'function uniform() { s = (s * 16807) % 2147483647; return s / 2147483647 }
  function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }
  BEGIN { s = 20221; for (k = 0; k < n; k++)
    printf "%.12g %.12g %.12g %.12g\n", 0.2 + 0.05 * normal(), 1 + 0.05 * normal(),
                                        0.5 + 0.1 * normal(), 0.3 + 0.1 * normal() }' > "$place/starts"

# positions after one second: the first numbers in the last line of each trajectory
while read -r x y vx vy; do
  "$GRADYN" simulate ball-on-slope --method ali3p --step 0.05 --samples 1 -q \
    --set "x=$x" --set "y=$y" --set "vx=$vx" --set "vy=$vy" 2> /dev/null |
    awk -F, -v start="$x $y" 'NR == 1 { for (i = 1; i <= NF; i++) at[substr($i, 1, 6)] = i }
      END { print start "," $at["ball.x"] "," $at["ball.y"] }'
done < "$place/starts" > "$place/ends"

# S = M S0 M^T of positions at the end
"$GRADYN" simulate ball-on-slope --covariance x=0.05,y=0.05,vx=0.1,vy=0.1 --samples 1 --no-report -q \
  --out "$place/scatter" > "$place/log"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  END { print $at["cov[ball.x][ball.x] [m m]"] "," $at["cov[ball.x][ball.y] [m m]"] "," $at["cov[ball.y][ball.y] [m m]"] }' \
  "$place/scatter/covariance.csv" > "$place/foretold"

awk -F, -v svg="$here/ball-on-slope.svg" '
  function px(x) { return 30 + 230 * (x + 0.1) }
  function py(y) { return 20 + 230 * (1.3 - y) }
  function shade(points, colour) {
    printf "<path d=\"%s\" stroke=\"%s\" stroke-width=\"2\" stroke-linecap=\"round\" opacity=\"0.35\"/>\n", points, colour > svg }
  # an ellipse of two standard deviations, of the covariance a, b, c = xx, xy, yy
  function ellipse(x, y, a, b, c,   m, d, r, s, t) {
    m = (a + c) / 2; d = sqrt((a - c) ^ 2 / 4 + b * b); r = 2 * sqrt(m + d); s = m > d ? 2 * sqrt(m - d) : 0
    t = atan2(b, a - m + d) * 180 / 3.141592653589793
    printf "<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.2f\" ry=\"%.2f\" transform=\"rotate(%.3f %.1f %.1f)\" fill=\"none\" stroke=\"#111\" stroke-width=\"1.5\"/>\n",
      px(x), py(y), 230 * r, 230 * s < 1 ? 1 : 230 * s, -t, px(x), py(y) > svg }
  FNR == NR { S[0, 0] = $1; S[0, 1] = S[1, 0] = $2; S[1, 1] = $3; next }
  { split($1, start, " "); n++
    across = sin(0.4) * $2 + cos(0.4) * $3; off += across * across
    x += $2; y += $3; xx += $2 * $2; xy += $2 * $3; yy += $3 * $3
    if (n <= 1500) { first = first sprintf("M%.1f %.1fh0", px(start[1]), py(start[2])); last = last sprintf("M%.1f %.1fh0", px($2), py($3)) } }
  END {
    x /= n; y /= n; xx = (xx - n * x * x) / (n - 1); xy = (xy - n * x * y) / (n - 1); yy = (yy - n * y * y) / (n - 1)
    c = cos(0.4); s = sin(0.4)
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 590\" font-family=\"sans-serif\" font-size=\"13\">" > svg
    print "<rect width=\"600\" height=\"590\" fill=\"#fff\"/>" > svg
    printf "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#888\" stroke-width=\"2\"/>\n", px(-0.1), py(0.1 * s / c), px(2.3), py(-2.3 * s / c) > svg
    shade(first, "#1f77b4"); shade(last, "#d62728")
    ellipse(0.2, 1, 0.0025, 0, 0.0025); ellipse(x, y, S[0, 0], S[0, 1], S[1, 1])
    print "<text x=\"150\" y=\"75\">starts, and two standard deviations</text>" > svg
    print "<text x=\"90\" y=\"540\">after 1 s, and the predicted covariance: a line</text>" > svg
    print "</svg>" > svg
    print "balls", n
    printf "standard deviation along the slope: balls %.6f m, foretold %.6f m\n", sqrt(c * c * xx - 2 * c * s * xy + s * s * yy), sqrt(c * c * S[0, 0] - 2 * c * s * S[0, 1] + s * s * S[1, 1])
    e = s * s * S[0, 0] + 2 * c * s * S[0, 1] + c * c * S[1, 1]
    printf "across: balls %.1e m, foretold %.1e m\n", sqrt(off / n), sqrt(e > 0 ? e : 0)
  }' "$place/foretold" "$place/ends"
"$here/../../scripts/schemes.py" "$here/ball-on-slope.svg"
