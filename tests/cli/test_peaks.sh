#!/usr/bin/env bash
# True maxima beside smooth ones, in the result of a search.
# Usage: test_peaks.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile peak

expect 0 run peak.so --json --out found
# the height goes to its lower bound; 1/e at 1 s
for file in out found/result.json; do
  cp "$file" it
  jq -e '(1 / (1 | exp)) as $top | .status == "ok" and (.parameters[0].value - 1 | fabs) < 1e-9 and
    (.functionals | map(.name) == ["smooth", "end", "other"]) and
    (.functionals[0] | (.largest - $top | fabs) < 1e-7 and (.t_largest - 1 | fabs) < 1e-5 and .value < .largest) and
    (.functionals[2] | (.largest - 2 * $top + 1 | fabs) < 1e-7 and (.t_largest - 1 | fabs) < 1e-5) and
    (.functionals[1] | has("largest") or has("t_largest") | not) and
    (.functionals | all(.initial > .value))' it >/dev/null || fault "$what: $file tells other peaks"
done
verdict "Peaks are told as they are."
