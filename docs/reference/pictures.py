"""Pictures of elements and joints as SVG, from the drawings that examples.c prints. They follow light and dark schemes."""

import json
import math
from pathlib import Path

STYLE = """<style>
 .s { fill: none; stroke: #1f4e9c; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
 .b { fill: #4c8dff; fill-opacity: 0.25; stroke: #1f4e9c; stroke-width: 1.5; stroke-linejoin: round }
 .p { fill: #1f4e9c } .a { stroke: #9aa4b2; stroke-width: 1; stroke-dasharray: 4 3; fill: none } .t { stroke: #d9622b; stroke-width: 1.5; fill: none }
 @media (prefers-color-scheme: dark) { .s { stroke: #9cc2ff } .b { stroke: #9cc2ff } .p { fill: #9cc2ff } .a { stroke: #6b7480 } .t { stroke: #ff9b66 } }
</style>"""
WIDTH, HEIGHT, MARGIN = 320, 200, 24
Point = tuple[float, float]


def flat(r: list[float], axes: int) -> Point:
    """The plane as it is; space from the front, right and above. y points down in SVG."""
    x, y, z = r
    return (x, -y) if axes == 2 else (0.87 * x - 0.5 * y, -(z + 0.25 * x + 0.43 * y) + 0.0)


def add(p: list[float], *terms: tuple[float, list[float]]) -> list[float]:
    return [c + sum(s * d[i] for s, d in terms) for i, c in enumerate(p)]


def rectangle(shape: dict, axes: int) -> list[list[list[float]]]:
    """Faces of a box, or circles of a cylinder."""
    centre, *base = shape["points"]
    half = [s / 2 for s in shape["size"]]
    if shape["shape"] == "cylinder":
        along, radius = shape["axis"], shape["size"][0]
        u, v = [b for i, b in enumerate(base) if i != along][:2]
        rim = [(radius * math.cos(k / 16 * math.pi), radius * math.sin(k / 16 * math.pi)) for k in range(33)]
        ends = (-1, 1) if axes == 3 else (0,)
        middle = [add(centre, (e * shape["size"][1] / 2, base[along] if axes == 3 else [0, 0, 0])) for e in ends]
        return [[add(m, (c, u), (s, v)) for c, s in rim] for m in middle] + [[centre, add(centre, (radius, u))]]
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    if axes == 2:
        return [[add(centre, (a * half[0], base[0]), (b * half[1], base[1])) for a, b in corners]]
    faces = []
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        for e in (-1, 1):
            faces.append([add(centre, (e * half[k], base[k]), (a * half[i], base[i]), (b * half[j], base[j])) for a, b in corners])
    return faces


def zigzag(a: Point, b: Point) -> list[Point]:
    """A spring between two points, in the picture."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    n = math.hypot(dx, dy) or 1
    inner = [(0.15 + 0.7 * (k + 0.5) / 10, 8 / n * (1 if k % 2 else -1)) for k in range(10)]
    return [(a[0] + t * dx - w * dy, a[1] + t * dy + w * dx) for t, w in ((0, 0), (0.15, 0), *inner, (0.85, 0), (1, 0))]


def cup(a: Point, b: Point) -> list[Point]:
    """A damper between two points, in the picture."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    w = 8 / (math.hypot(dx, dy) or 1)
    path = ((0, 0), (0.4, 0), (0.4, w), (0.65, w), (0.65, 0), (1, 0), (0.65, 0), (0.65, -w), (0.4, -w), (0.4, 0))
    return [(a[0] + t * dx - v * dy, a[1] + t * dy + v * dx) for t, v in path]


def lines(shape: dict, axes: int) -> list[tuple[str, list[list[float]]]]:
    """Class and points of the parts of a shape, in space."""
    kind, points = shape["shape"], shape["points"]
    if kind in ("box", "cylinder"):
        return [("b", face) for face in rectangle(shape, axes)]
    if kind == "beam":
        return [("s", points[: len(points) // 2])]
    if kind == "guide":
        along = [1.0 if i != shape["axis"] else 0.0 for i in range(axes)] + [0.0] * (3 - axes)
        return [("a", [add(points[0], (-0.5, along)), add(points[0], (0.5, along))]), ("s", [points[0]] * 2)]
    if kind == "force":
        return [("t", [points[0], add(points[0], (0.3, shape["size"]))]), ("s", [points[0]] * 2)]
    return [("s", points)]


def picture(example: dict) -> str:
    """The element at three times: the two later ones are lighter."""
    axes, frames = example["axes"], example["frames"]
    last = len(frames) - 1
    shown: list[tuple[float, str, str, list[Point]]] = []
    for frame, opacity in ((last, 0.3), (last // 2, 0.5), (0, 1.0)):
        for shape in (s for s in frames[frame] if s["points"]):
            for style, points in lines(shape, axes):
                shown.append((opacity, style, shape["shape"], [flat(r, axes) for r in points]))
    for i, shape in enumerate(frames[0]):
        if shape["shape"] == "trace":
            shown.append((1.0, "t", "trace", [flat(f[i]["points"][0], axes) for f in frames]))
    if axes == 3:
        for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
            shown.append((1.0, "a", "axis", [flat([0, 0, 0], 3), flat([0.6 * c for c in axis], 3)]))
    every = [p for *_, points in shown for p in points] + [(0.0, 0.0)]
    low, high = [min(p[i] for p in every) for i in (0, 1)], [max(p[i] for p in every) for i in (0, 1)]
    scale = min((WIDTH - 2 * MARGIN) / max(high[0] - low[0], 0.1), (HEIGHT - 2 * MARGIN) / max(high[1] - low[1], 0.1))
    place = [(size - scale * (lo + hi)) / 2 for size, lo, hi in zip((WIDTH, HEIGHT), low, high)]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">', STYLE]
    for opacity, style, kind, points in shown:
        drawn = [(place[0] + scale * x, place[1] + scale * y) for x, y in points]
        ends = [] if style != "s" else [drawn[0], drawn[-1]]
        drawn = zigzag(*drawn) if kind == "spring" else cup(*drawn) if kind == "damper" else drawn
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn)
        out.append(f'<{"polygon" if style == "b" else "polyline"} class="{style}" opacity="{opacity}" points="{text}"/>')
        out += [f'<circle class="p" opacity="{opacity}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in ends]
    return "\n".join([*out, "</svg>", ""])


def draw(examples: str, folder: Path) -> None:
    """One file for each example that examples.c has printed."""
    folder.mkdir(parents=True, exist_ok=True)
    for example in json.loads(examples):
        (folder / f"{example['name']}.svg").write_text(picture(example))
