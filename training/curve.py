"""Draws a run's log as an SVG file: the loss, and what was measured on the way."""

from __future__ import annotations

import json
from pathlib import Path

WIDTH, HEIGHT, MARGIN = 640, 300, 44
COLOURS = ("#1f5fa8", "#b3461e", "#2e7d4f", "#7a4a9e", "#8a6d00", "#444444")


def _series(log: Path) -> dict[str, list[tuple[int, float]]]:
    series: dict[str, list[tuple[int, float]]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["event"] == "step":
            series.setdefault("loss", []).append((entry["step"], entry["loss"]))
        elif entry["event"] == "validation":
            for name, value in entry.items():
                if name not in ("event", "step"):
                    series.setdefault(name, []).append((entry["step"], value))
    return series


def write_curve(log: Path, path: Path) -> None:
    series = _series(log)
    if not series:
        return
    last = max(points[-1][0] for points in series.values())
    top = max([1.0, *(value for _, value in series.get("loss", []))])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    inner_width, inner_height = WIDTH - 190, HEIGHT - 2 * MARGIN
    for tenth in range(0, 11, 2):
        y = HEIGHT - MARGIN - inner_height * tenth / 10
        parts.append(
            f'<path d="M{MARGIN} {y:.1f}h{inner_width}" stroke="#dddddd"/>'
            f'<text x="{MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{tenth / 10:g}</text>'
        )
    parts.append(
        f'<text x="{MARGIN + inner_width / 2}" y="{HEIGHT - 12}" text-anchor="middle">'
        f"steps, {last:,} in all; the loss is divided by {top:.2f}</text>"
    )
    for number, (name, points) in enumerate(series.items()):
        divisor = top if name == "loss" else 1.0
        colour = COLOURS[number % len(COLOURS)]
        places = " ".join(
            f"{MARGIN + inner_width * step / last:.1f},"
            f"{HEIGHT - MARGIN - inner_height * value / divisor:.1f}"
            for step, value in points
        )
        parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}"/>')
        y = MARGIN + 16 * number
        parts.append(
            f'<text x="{MARGIN + inner_width + 10}" y="{y}" fill="{colour}">'
            f"{name} {points[-1][1]:.3f}</text>"
        )
    parts.append("</svg>\n")
    path.write_text("\n".join(parts), encoding="utf-8")
