#!/bin/sh
# Draws the front of the page on cart-pole from a folder of `gradyn pareto`, with awk alone.
# Usage: cart-pole.sh STUDY [FOLDER]; writes cart-pole-front.svg.
set -eu
study=$1
into=${2:-$(dirname "$0")}

awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) { split($i, head, " "); at[head[1]] = i } next }
  $at["on_front"] == 1 { n++; t[n] = $at["time"]; f[n] = $at["effort"]; slope[n] = $at["trade_off"] }
  function x(time) { return 70 + 620 * (time - 1.1) / 1.4 }
  function y(effort) { return 330 - 300 * (log(effort) - log(40)) / log(6.25) }
  function text(where_x, where_y, anchor, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", where_x, where_y, anchor, what
  }
  END {
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 380\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<rect width=\"720\" height=\"380\" fill=\"white\"/>"
    for (time = 1.2; time < 2.45; time += 0.2) {
      printf "<path d=\"M%.1f 30V330\" stroke=\"#dddddd\"/>\n", x(time)
      text(x(time), 348, "middle", sprintf("%.1f", time))
    }
    split("40 60 80 100 150 200 250", mark, " ")
    for (i = 1; i in mark; i++) {
      printf "<path d=\"M70 %.1fH690\" stroke=\"#dddddd\"/>\n", y(mark[i])
      text(64, y(mark[i]) + 4, "end", mark[i])
    }
    text(380, 370, "middle", "duration, s")
    text(64, 20, "start", "effort, N² s")
    # the trade-off is minus the slope of the front: a short piece of the tangent at each point
    for (i = 1; i <= n; i++) {
      d = 0.03
      printf "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#d08030\" stroke-width=\"2\"/>\n", x(t[i] - d),
        y(f[i] + slope[i] * d), x(t[i] + d), y(f[i] - slope[i] * d)
      printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#1f5fa8\"/>\n", x(t[i]), y(f[i])
    }
    print "</svg>"
  }' "$study/pareto.csv" >"$into/cart-pole-front.svg"
"$(dirname "$0")/../../scripts/schemes.py" "$into/cart-pole-front.svg"
