#!/usr/bin/env python3
"""Draws how many nodes two searches need for each depth.

    python3 nodes.py [GAME] [--players minimax negascout] [--depth 6] [--out nodes.svg]

With matplotlib, --out may also be a .png or .pdf file. Without it, the chart is SVG.

SPDX-License-Identifier: MIT
"""
import argparse
import html
import math
from pathlib import Path
from typing import Any, Dict, List

import quevedo

WIDTH, HEIGHT, LEFT, MARGIN = 680, 400, 110, 60
COLOURS = ("#0b6e99", "#b3430f")


def count(position: quevedo.Position, kind: str, depth: int) -> List[int]:
    """The nodes of searches of depth 1, 2, ...; a table from a search before would help the next."""
    nodes = []
    for limit in range(1, depth + 1):
        with quevedo.Player(f"{kind}:depth={limit},iterate=0", position.game) as player:
            nodes.append(player.think(position).nodes)
    return nodes


def chart(title: str, series: Dict[str, List[int]]) -> str:
    """An SVG chart with a logarithmic scale of nodes."""
    depth = max(len(nodes) for nodes in series.values())
    top = math.ceil(math.log10(max(max(nodes) for nodes in series.values())) + 1e-9) or 1

    def x(step: float) -> float:
        return LEFT + (WIDTH - LEFT - MARGIN) * (step - 1) / max(1, depth - 1)

    def y(power: float) -> float:
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * power / top

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="14">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{WIDTH / 2}" y="28" text-anchor="middle" font-size="18">{html.escape(title)}</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">depth</text>',
    ]
    for power in range(top + 1):
        parts.append(f'<path d="M{LEFT} {y(power):.1f}H{WIDTH - MARGIN}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(power) + 5:.1f}" text-anchor="end">{10 ** power:,}</text>')
    for step in range(1, depth + 1):
        parts.append(f'<text x="{x(step):.1f}" y="{HEIGHT - MARGIN + 22}" text-anchor="middle">{step}</text>')
    for colour, (name, nodes) in zip(COLOURS, series.items()):
        points = [(x(step), y(math.log10(max(1, value)))) for step, value in enumerate(nodes, 1)]
        line = " ".join(f"{left:.1f},{up:.1f}" for left, up in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{left:.1f}" cy="{up:.1f}" r="4" fill="{colour}"/>' for left, up in points]
        left, up = points[-1]
        place = f'x="{left:.1f}" y="{up - 10:.1f}" text-anchor="end" fill="{colour}"'
        parts.append(f"<text {place}>{html.escape(name)}</text>")
    return "\n".join(parts) + "\n</svg>\n"


def plot(title: str, series: Dict[str, List[int]], out: Path) -> None:
    if out.suffix == ".svg":
        out.write_text(chart(title, series), encoding="utf-8")
        return
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise SystemExit(f"nodes.py: {out}: only .svg without matplotlib") from None
    drawing: Any = pyplot
    for name, nodes in series.items():
        drawing.semilogy(range(1, len(nodes) + 1), nodes, "o-", label=name)
    drawing.title(title)
    drawing.xlabel("depth")
    drawing.ylabel("nodes")
    drawing.legend()
    drawing.savefig(out)


def main() -> None:
    parser = argparse.ArgumentParser(description="nodes against depth")
    parser.add_argument("game", nargs="?", default="connect4")
    parser.add_argument("--players", nargs=2, default=["minimax", "negascout"])
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path("nodes.svg"))
    options = parser.parse_args()
    position = quevedo.Game(options.game).start()
    series = {kind: count(position, kind, options.depth) for kind in options.players}
    print(f"{'depth':>5} " + " ".join(f"{name:>12}" for name in series))
    for depth, row in enumerate(zip(*series.values()), 1):
        print(f"{depth:5} " + " ".join(f"{nodes:12,}" for nodes in row))
    plot(f"{position.game.title}: nodes of a search", series, options.out)
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
