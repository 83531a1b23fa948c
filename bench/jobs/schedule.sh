#!/bin/sh
# Draws docs/images/schedule.svg: how well ranks are used, from bench_jobs_schedule, with awk alone.
# Usage: schedule.sh BUILD STUDY/starts.csv, of `gradyn run five-bar --starts 64`
set -eu
build=$1
starts=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# milliseconds of one evaluation of five-bar (processor time), with idas and with ali3p at a step
# of 0.01 s. Handing out a number takes 0.7 us (bench_jobs_handout)
"$build/bench_jobs_schedule" "$starts" 54 0.7 2 >"$work/long.csv"
"$build/bench_jobs_schedule" "$starts" 1.5 0.7 2 >"$work/short.csv"

awk -F, '
  function x(ranks) { return 60 + 600 * log(ranks) / log(1e5) }
  function y(part) { return 320 - 290 * part }
  function text(where_x, where_y, anchor, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", where_x, where_y, anchor, what
  }
  function curve(name, colour, dashes, path) {
    n++
    printf "<path d=\"M%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>\n", substr(path, 2), colour, dashes
    printf "<path d=\"M80 %dh30\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>\n", 196 + 20 * n, colour, dashes
    text(118, 200 + 20 * n, "start", name)
  }
  FNR == 1 { file++; next }
  file == 1 {
    searches = searches sprintf("L%.1f %.1f", x($1), y($2))
    points = points sprintf("L%.1f %.1f", x($1), y($4))
    attended = attended sprintf("L%.1f %.1f", x($1), y($5))
  }
  file == 2 { short = short sprintf("L%.1f %.1f", x($1), y($4)) }
  END {
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 690 370\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<rect width=\"690\" height=\"370\" fill=\"white\"/>"
    split("1 10 100 1000 10⁴ 10⁵", mark, " ")
    for (i = 1; i in mark; i++) {
      printf "<path d=\"M%.1f 30V320\" stroke=\"#dddddd\"/>\n", x(10 ^ (i - 1))
      text(x(10 ^ (i - 1)), 338, "middle", mark[i])
    }
    for (part = 0; part < 1.05; part += 0.2) {
      printf "<path d=\"M60 %.1fH660\" stroke=\"#dddddd\"/>\n", y(part)
      text(54, y(part) + 4, "end", sprintf("%.1f", part))
    }
    text(360, 360, "middle", "ranks")
    text(54, 20, "start", "efficiency, 100 000 tasks")
    curve("searches of 1 s", "#1f5fa8", "none", searches)
    curve("points of 54 ms", "#2a9d5c", "none", points)
    curve("points of 54 ms, if the counter were served between evaluations only", "#2a9d5c", "6 4", attended)
    curve("points of 1.5 ms", "#d08030", "none", short)
    print "</svg>"
  }' "$work/long.csv" "$work/short.csv" >"$(dirname "$0")/../../docs/images/schedule.svg"
"$(dirname "$0")/../../scripts/schemes.py" "$(dirname "$0")/../../docs/images/schedule.svg"
