#!/usr/bin/env bash
# Takes the pictures of reports in docs/images, each in light and dark. Usage: figures.sh GRADYN [NAME...], names as
# five-bar; without names all of them. Needs chromium. The search of robot-arm takes minutes.
set -euo pipefail

PATH="$(realpath "$(dirname "$1")"):$PATH" # reports show the command as it was typed
shift
images=$(realpath "$(dirname "$0")/../docs/images")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

# take NAME PAGE WIDTH HEIGHT: PAGE in both schemes; in a fragment #t=T the time that it shows.
take() {
  local scheme
  for scheme in 0- 1; do
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$place/profile" \
      --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
      --blink-settings="preferredColorScheme=${scheme%-}" --window-size="$3,$4" --virtual-time-budget=4000 \
      --screenshot="$images/report-$1$([ "$scheme" = 1 ] || echo -dark).png" "file://$place/$2" 2>log || { cat log; exit 1; }
  done
}

# motion REPORT: a page with the moving mechanism alone.
motion() {
  sed 's/<main id="report">/<main id="report" data-only="motion">/' "$1/report.html" >"$1/motion.html"
}

# plot REPORT TITLE: a page with one plot alone.
plot() {
  cat "$1/report.html" - >"$1/plot.html" <<END
<script>
addEventListener("load", () => {
  document.body.style.padding = "12px";
  document.body.replaceChildren(gradyn.plots.find((plot) => plot.spec.title.startsWith("$2")).figure);
});
</script>
END
}

figure() {
  case $1 in
  five-bar)
    gradyn run five-bar -q >log
    take five-bar "gradyn-five-bar/report.html#t=0.4" 1000 1150
    ;;
  cart-pole)
    gradyn run cart-pole -q >log
    motion gradyn-cart-pole
    take cart-pole "gradyn-cart-pole/motion.html#t=0.9" 1000 530
    ;;
  double-wishbone)
    gradyn simulate double-wishbone -q --t-end 0.3 --out double-wishbone >log
    motion double-wishbone
    take double-wishbone "double-wishbone/motion.html#t=0.1" 1000 530
    ;;
  robot-arm)
    gradyn run robot-arm -q --ftol 1e-6 >log
    take robot-arm "gradyn-robot-arm/report.html#t=0.53" 1200 1260
    ;;
  sweep)
    gradyn run five-bar -q --method ali3p --step 2e-3 --starts 64 --out many >log
    gradyn sweep five-bar -q --from many --over Ls1=1:3:61 --over Ls2=1:3:61 --out sweep >log
    plot sweep psi1
    take sweep sweep/plot.html 720 580
    ;;
  *)
    echo "figures.sh: no figure '$1'" >&2
    exit 2
    ;;
  esac
}

[ $# -gt 0 ] || set -- five-bar cart-pole double-wishbone robot-arm sweep
for name; do
  figure "$name"
done
