#!/usr/bin/env bash
# report.sh - the picture of a match: well-formed, in its frame, the standings in it, the same each time.
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash" "$1"

# picture FILE PLAYERS GAMES: looks at it with a parser that is not ours.
picture() {
	checks=$((checks + 1))
	python3 - "$@" <<'P' || bad "the picture $1"
import re, sys, xml.etree.ElementTree as E
path, players, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
text = open(path, encoding="utf-8").read()
assert "href" not in text and "url(http" not in text and "<script" not in text       # it needs nothing else
assert "prefers-color-scheme: dark" in text
root = E.fromstring(text)
s = "{http://www.w3.org/2000/svg}"
width, height = float(root.get("width")), float(root.get("height"))
words = [(float(t.get("x")), float(t.get("y")), t.get("class") or "", t.text) for t in root.iter(s + "text")]
for x, y, c, t in words:
    assert 0 <= x <= width and 0 < y < height, (x, y, t)
    wide = len(t) * (11.5 if "title" in c else 8.5)
    left = x - (wide if "end" in c.split() else wide / 2 if "mid" in c.split() else 0)
    assert left > -1 and left + wide < width + 1, (left, wide, t)
title = next(t for x, y, c, t in words if c == "title")
assert title.endswith(f", {games} games"), title
curves = [p for p in root.iter(s + "path") if (p.get("class") or "").startswith("line")]
bands = [p for p in root.iter(s + "path") if (p.get("class") or "").startswith("band")]
assert len(curves) == len(bands) == (1 if players == 2 else players)
for p in curves + bands:
    numbers = [float(n) for n in re.findall(r"-?\d+\.\d+", p.get("d"))]
    assert len(numbers) > 2
    assert all(84 <= x <= 680 for x in numbers[0::2]), numbers[0::2]
    assert p.get("class").startswith("band") or numbers[0::2] == sorted(numbers[0::2])
bars = [r for r in root.iter(s + "rect") if r.get("class") == "bar"]
counts = [int(r.find(s + "title").text.split()[-1]) for r in bars]
assert sum(counts) == games, (sum(counts), games)
assert all(float(r.get("width")) > 0 and float(r.get("height")) > 0 for r in bars)
highest = max(range(len(bars)), key=lambda i: counts[i])
assert float(bars[highest].get("height")) == max(float(r.get("height")) for r in bars)
P
}

a=alphabeta:depth=2,random=1,tt=0 b=alphabeta:depth=1,random=1,tt=0
good match connect4 --player "strong=$a" --player "weak=$b" --games 60 --random-plies 2 --pairs --report "$work/two.svg" --json --no-times
picture "$work/two.svg" 2 60
python3 - "$work/out" "$work/two.svg" <<'P' || bad "the picture says what the JSON says"
import json, sys
p = json.load(open(sys.argv[1]))["players"][0]
text = open(sys.argv[2]).read()
assert f">{p['elo']:+.1f}<" in text and f">{p['error']:.1f}<" in text, p
P
checks=$((checks + 1))
good match connect4 --player "strong=$a" --player "weak=$b" --games 60 --random-plies 2 --pairs --report "$work/again.svg" --jobs 2
is "the same with two jobs" "$(cat "$work/two.svg")" "$(cat "$work/again.svg")"
good match reversi --player 'a<b>&"c"=random' --player "weak=$b" --player "Ł=random" --player four=random --games 600 --report "$work/four.svg"
picture "$work/four.svg" 4 600
good match noughts --player one=random --player other=random --games 1000 --report "$work/many.svg" --jobs 2
picture "$work/many.svg" 2 1000
refused match noughts --player one=random --player other=random --games 2 --report "$work/nosuch/x.svg"
refused match noughts --player one=random --player other=random --games 2 --report
finish
