#!/usr/bin/env bash
# tree.sh - the command tree: the formats say the same, the pictures in docs/ are what it draws, and what it cannot show it says.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
plain=iterate=0,sort=0,killers=0,history=0,tt=0

# --- the text, whole ---
good tree diagram 3-1 --player alphabeta:depth=2,$plain
is "diagram 3-1" "player alphabeta:depth=2,$plain
root  0
|-- A  -1  [-inf, +inf]
|   |-- A1  6  [-inf, +inf]  leaf
|   |-- A2  -1  [-inf, 6]  leaf
|   \`-- A3  1  [-inf, -1]  leaf
|-- B  <=-3  [-1, +inf]
|   |-- B1  -3  [-1, +inf]  leaf
|   \`-- cut: B2, B3
\`-- C  0  [-1, +inf]  *
    |-- C1  0  [-1, +inf]  leaf  *
    |-- C2  1  [-1, 0]  leaf
    \`-- C3  2  [-1, 0]  leaf
Values and windows are for seat 1.
depth 2
nodes 10, leaves 7, cut-offs 1
move C" "$out"
good tree diagram 3-1 --player alphabeta:depth=2,$plain --format text
like "text is the default" 'move C' "$(last_line)"
good tree noughts "xx.oo.... x" --player alphabeta:depth=3
like "a win is a win" '.*win in 1.*end  \*' "$(grep -- '-- 3  ' "$work/out")"

# --- JSON: both ways to ask, and what it must hold ---
good tree diagram 3-5 --player alphabeta:depth=3,$plain --json
cp "$work/out" "$work/json"
good tree diagram 3-5 --player alphabeta:depth=3,$plain --format json
is "--json is --format json" "$(cat "$work/json")" "$out"
python3 - "$work/json" <<'P' || bad "the JSON of diagram 3-5"
import json, sys
t = json.load(open(sys.argv[1]))
assert t["value"] == 1 and t["move"] == "A" and t["leaves"] == 8 and t["complete"] and t["not_shown"] == 0, t
def walk(n):
    yield n
    for c in n["children"]:
        yield from walk(c)
nodes = [n for c in t["children"] for n in walk(c)]
assert t["nodes"] == len(nodes) == 14
assert [n["move"] for n in nodes if n["kind"] == "leaf"] == "A11 A12 A13 A21 A31 B11 B12 B13".split()
assert [s for n in nodes for s in n["skipped"]] == "A22 A23 A32 A33 B2 B3".split()
assert [n["move"] for n in nodes if n["best"]] == ["A", "A1", "A12"]
for n in nodes:        # a window is not empty, and a cut leaves it
    a = float("-inf") if n["alpha"] is None else n["alpha"]
    b = float("inf") if n["beta"] is None else n["beta"]
    assert a < b, n
    if n["cut"]:
        assert n["value"] <= a if n["seat"] == 2 else n["value"] >= b, n
P
checks=$((checks + 1))
# A node's value is the best of its children's: the largest after a reply, the smallest after a move.
for line in "noughts start --moves 1 --player negamax:depth=3" "hexapawn start --player minimax:depth=4" "connect4 44 --player alphabeta:depth=4,deep=0"; do
	# shellcheck disable=SC2086
	good tree $line --json --max-nodes 100000
	python3 - "$work/out" <<'P' || bad "values of: tree $line"
import json, sys
t = json.load(open(sys.argv[1]))
assert t["not_shown"] == 0
count = [0]
def value(n, top):
    kids = n["children"]
    if not kids:
        return n["value"]
    best = (max if top == kids[0]["seat"] else min)(value(k, top) for k in kids)
    assert best == n["value"], (best, n["value"], n.get("move"))
    count[0] += len(kids)
    return best
value(t, t["seat"])
assert count[0] == t["nodes"] > 10
P
	checks=$((checks + 1))
done

# --- minimax and negamax have no window, so each value is exact: that of a slow minimax ---
for player in minimax:depth=4 negamax:depth=4 minimax:depth=4,stack=1 negamax:depth=4,stack=1; do
	good tree diagram 3-2 --player "$player" --json
	python3 - "$work/out" <<'P' || bad "bounds of $player"
import json, sys
t = json.load(open(sys.argv[1]))
def value(n):
    kids = n["children"]
    best = (max if kids[0]["seat"] == t["seat"] else min)(value(k) for k in kids) if kids else n["value"]
    assert best == n["value"] and n.get("bound", "exact") == "exact", n
    assert n.get("alpha") is n.get("beta") is None, n
    return best
assert value(t) == t["value"] == 1
P
	checks=$((checks + 1))
done

# --- Star2 probes an outcome before it searches it: the tree has an end, and all nodes are counted ---
good tree race "0,0,0,1 0,7,8,15 1 2" --player expectimax:depth=3,star=2 --json --max-nodes 100000
python3 - "$work/out" <<'P' || bad "the tree with probes"
import json, sys
t = json.load(open(sys.argv[1]))
count = 0
def walk(n, roll):
    global count
    for c in n["children"]:
        count += 1
        part = c["move"].split("-")
        if roll and len(part) == 2:       # the move is one of this roll
            assert int(part[1]) - int(part[0]) == roll or part[0] == "0" and roll == 6, (roll, c["move"])
        walk(c, int(c["move"][5:]) if c["move"].startswith("roll ") else 0)
walk(t, 2)
assert count + t["not_shown"] == t["nodes"] and count > 500, (count, t["not_shown"], t["nodes"])
P
checks=$((checks + 1))

# --- the tree counts the cut-offs of the log, however many nodes are kept; an outcome or a probe is none ---
for star in 0 1 2; do
	for game in race warptrog; do
		at=("0,0,0,1 0,7,8,15 1 2" --player "expectimax:depth=3,star=$star,iterate=0")
		[ $game = race ] || at=(--player "expectimax:depth=2,star=$star,iterate=0")
		good tree $game "${at[@]}" --follow --max-nodes 10
		cuts=$(sed -n 's/^nodes .*, cut-offs //p' "$work/out")
		for most in 10 100 100000; do
			good tree $game "${at[@]}" --max-nodes $most
			is "$game, star=$star: cut-offs with $most nodes" "$cuts" "$(sed -n 's/^nodes .*, cut-offs //p' "$work/out")"
		done
		[ "$game$star" != race1 ] || is "cut-offs of star=1" 7 "$cuts"
	done
done

# --- the move that Star2 has probed is not entered again, and was tried even so ---
good tree race "2,5,9,12 1,7,8,15 2 3" --player expectimax:depth=4,star=2 --follow --max-nodes 300000
like "all moves were tried" '65689 .*; 2-6 gives -29, but that was the last move, so the cut-off saves nothing\.' "$(grep '^65689 ' "$work/out")"

# --- DOT: every edge leads from a node to a node, and Graphviz agrees where it is installed ---
good tree diagram 3-6 --player alphabeta:depth=4,$plain --format dot
python3 - "$work/out" <<'P' || bad "the DOT of diagram 3-6"
import re, sys
lines = open(sys.argv[1]).read().splitlines()
assert lines[0] == "digraph tree {" and lines[-1] == "}"
quoted = r'"(?:[^"\\]|\\.)*"'
attributes = rf'\[(\w+=(?:{quoted}|[\w.]+)(?:, )?)+\]'
nodes, edges = set(), []
for line in lines[1:-1]:
    node = re.fullmatch(rf'  ([ns]\d+) {attributes};', line)
    edge = re.fullmatch(rf'  ([ns]\d+) -> ([ns]\d+)(?: {attributes})?;', line)
    assert node or edge or re.fullmatch(rf'  (label={quoted}|(node|edge) {attributes});', line), line
    if node: nodes.add(node[1])
    if edge: edges.append((edge[1], edge[2]))
assert len(nodes) == 19 + 2 and len(edges) == len(nodes) - 1
assert all(a in nodes and b in nodes for a, b in edges)
P
checks=$((checks + 1))
if command -v dot >/dev/null; then
	checks=$((checks + 1))
	dot -Tsvg -o "$work/dot.svg" "$work/out" || bad "dot refuses it"
fi

# --- SVG: well-formed, inside its frame, and no two boxes touch ---
pictures() {
	python3 - "$work/out" <<'P' || bad "the picture of: $*"
import sys, xml.etree.ElementTree as E
root = E.parse(sys.argv[1]).getroot()
s = "{http://www.w3.org/2000/svg}"
width, height = float(root.get("width")), float(root.get("height"))
g = root.find(s + "g")
shift = float(g.get("transform")[10:].split()[0])
boxes = []
for box in g.findall(s + "g"):
    r = box.find(s + "rect")
    x, y, w, h = (float(r.get(k)) for k in ("x", "y", "width", "height"))
    boxes.append((x + shift, y, w, h))
    for t in box.findall(s + "text"):            # a letter is 7.3 pixels at most
        left = float(t.get("x")) - (len(t.text) * 7.3 / 2 if t.get("text-anchor") else 0)
        assert left >= x - 0.5 and left + len(t.text) * 7.3 <= x + w + 0.5, t.text
        assert y < float(t.get("y")) < y + h, t.text
assert len(boxes) > 3
for x, y, w, h in boxes:
    assert 0 <= x and x + w <= width and 0 <= y and y + h <= height
boxes.sort()
for i, (x, y, w, h) in enumerate(boxes):
    for X, Y, W, H in boxes[i + 1:]:
        if X >= x + w:
            break
        assert Y >= y + h or y >= Y + H, ((x, y, w, h), (X, Y, W, H))
for t in root.findall(s + "text"):
    assert len(t.text) * 7.3 < width and float(t.get("y")) < height
P
	checks=$((checks + 1))
}
for line in "diagram 3-1 --player minimax:depth=2" "diagram 3-2 --player alphabeta:depth=4" "hexapawn start --player alphabeta:depth=5" \
	"connect4 4433 --player negascout:depth=4" "reversi start --player mtdf:depth=5" "noughts start --player alphabeta:depth=9,tt=1 --max-nodes 300" \
	"noughts3d start --player alphabeta:depth=2"; do
	# shellcheck disable=SC2086
	good tree $line --format svg
	pictures "$line"
done
good tree race --moves "roll 6, 0-1, roll 6" --player expectimax:depth=2 --format svg
pictures race

# --- the pictures of docs/diagrams.md ---
root=$(dirname "$0")/../..
count=0
while read -r _ command game position _ spec _ format file; do
	good "$command" "$game" "$position" --player "$spec" --format "$format"
	is "docs/${file#>docs/}" "$(cat "$root/${file#>}" 2>/dev/null)" "$out"
	count=$((count + 1))
done < <(grep '^build/quevedo tree .* >docs/diagrams/' "$root/docs/diagrams/draw.sh")
is "pictures that were drawn" "$(find "$root/docs/diagrams" -name '*.svg' | wc -l)" "$count"

# --- what is left out is said ---
good tree connect4 --player alphabeta:depth=5,tt=0 --max-nodes 60
like "a remark" 'Not shown: what lies below ply 2, [0-9]+ in all\.' "$(grep '^Not shown' "$work/out")"
is "no more lines than that, and the root's, the remarks' and the rest's" yes "$([ "$(grep -c -- '-- [1-7]  ' "$work/out")" -le 60 ] && echo yes)"
good tree connect4 --player alphabeta:depth=5,tt=0 --depth 1
is "one ply" 7 "$(grep -c -- '-- [1-7]  ' "$work/out")"
good tree connect4 --player alphabeta:depth=4,$plain --json --depth 2
python3 - "$work/out" <<'P' || bad "shown and not shown together are all nodes"
import json, sys
t = json.load(open(sys.argv[1]))
def shown(n):
    return sum(1 + shown(c) for c in n["children"])
assert shown(t) + t["not_shown"] == t["nodes"], (shown(t), t["not_shown"], t["nodes"])
P
checks=$((checks + 1))
good tree connect4 --player mtdf:depth=4 --max-nodes 3
like "several passes" 'Searched [0-9]+ times from the root; this is the last\.' "$(grep '^Searched' "$work/out")"

# --- searches that tell nothing, and wrong use ---
for player in mcts random; do
	refused tree connect4 --player $player
	says "reports no search tree; alphabeta does"
done
# Searches without windows are there for those who follow them; a player that searches nothing is not.
for player in hexapawn:book minichess:seed:nodes=300 chess:machine starchess:mask; do
	refused tree "${player%%:*}" --player "${player#*:}"
	says "tree: player '${player#*:}' reports no search tree; "
	says "Only a log shows its search: use --follow, --json --log or --format html"
	good tree "${player%%:*}" --player "${player#*:}" --follow
done
refused tree noughts --player learn
is "a player without a search" "quevedo: tree: player 'learn' reports no search tree; alphabeta does" "$err"
refused tree race --moves "roll 6" --player mcts:playouts=10
says "; expectimax does"
says "use --follow, --json --log or --format html"
toys=$build/tests/toys.so
refused tree toy-three --plugin "$toys" --player random
says "; maxn does"
refused tree toy-solo --plugin "$toys" --player random
says "; no player for one seat does"

# --- a player without a tree is refused at once, not after its search ---
for player in perfect mcts:playouts=1000000000 mcts:time=600s; do
	for how in "--format text" --follow "--json --log" "--format html"; do
		# shellcheck disable=SC2086
		[ "$player" = perfect ] || [ "$how" = "--format text" ] || continue
		refused tree connect4 --player $player $how
		says "reports no search tree; alphabeta does"
	done
done

# --- step by step ---
good tree diagram 3-1 --player alphabeta:depth=2,$plain --follow
is "events: each of 10 visits, the root, and 4 that are left" 15 "$(grep -c '^ *[0-9]' "$work/out")"
like "a leaf" '.*A1 \[open, open\]: .* plays A1\. Here the depth ends: .* counts 6\.' "$(grep ' A1 ' "$work/out" | head -1)"
like "a cut-off" '.*back to B: .* already has -1 elsewhere, with A; here .* can play B1, and that gives .* at most -3, so the other moves cannot matter\.' \
	"$(grep 'back to B:' "$work/out")"
is "the move" "move C" "$(last_line)"
good tree connect4 --player alphabeta:depth=4,tt=0 --follow --max-nodes 20
like "what is left out" 'Not shown: [0-9]+ more; raise --max-nodes or --depth\.' "$(grep '^Not shown' "$work/out")"
good tree diagram 3-1 --player alphabeta:depth=2,$plain --depth 1 --follow
is "plies that are left out" "Not shown: 7 more; raise --max-nodes or --depth." "$(grep '^Not shown' "$work/out")"
good tree diagram 3-1 --player alphabeta:depth=2,$plain --depth 1 --format html
is "so many of so many" 1 "$(grep -c '<p>4 of 11 steps are shown\.</p>' "$work/out")"

# --- the words of each family of searches: a line of --follow, whole ---
# words LINE TEXT PLAYER GAME...: what the line says after its window; @ is any number.
words() {
	good tree "${@:4}" --player "$3" --follow
	like "$4, $3" " *$1 [^:]*: ${2//@/-?[0-9.]+}" "$(grep "^ *$1 " "$work/out")"
}
judged='Here the depth ends: the position is judged as it stands and counts @\.'
black='Black is to move, and the search looks 1 ply ahead\. Black wants the highest value, White the lowest\.'
again='The test did not settle its value, so it is searched once more\.'
probe='Chance brings roll 1\. This is a probe: one quick search, only for a bound\. The probe searches no move here, so it shows nothing\.'
words 31 "Player 1 plays C\\. $again The best move of Player 2 here is C1: 0\\." negascout:depth=2 diagram 3-1
words 12 'Player 1 plays C\. Player 1 already has 3 elsewhere, with A; here Player 2 can play C2, and that gives Player 1 at most 1, but that was the last move, so the cut-off saves nothing\.' \
	alphabeta:depth=2,iterate=0 diagram "A(3,5) B(2,9) C(4,1)"
words 13 "$probe" expectimax:depth=2 race --moves "roll 6"
words 2 "Player 1 plays 2\\. $judged The values are 3 for Player 1, -3 for Player 2, -3 for Player 3\\." maxn:depth=2 toy-three --plugin "$toys"
words 27 "Player 3 plays 1, the only move that is tried for this player here\\. $judged" brs:depth=3 toy-four --plugin "$toys"
words 4 "White plays b2-b3\\. $again As it stands the position counts @, and no capture or the like improves on that\\." selective:depth=3,tt=1 minichess
words 3 "$black The best move of Black here is h8: @\\." threats:depth=1,tt=1 gomoku
words 6 "$black The best move of Black here is e6: @\\." lurgee:depth=1,book=none reversi
words 11 'Black plays d6-c4\. The best move of White here is a3-a4: 0\.' seed:depth=2 minichess
words 2 "White plays 24/23 24/21\\. $judged" equity:plies=0 backgammon --moves "roll 3-1"
words 2 'Player 1 plays move A1 A2 20\. The value is @\.' mask:turns=1 starchess
words 2 "X plays 5\\. $judged" book noughts
words 1 'The player plays @ without a search\.' random noughts
good tree noughts --player mcts:playouts=3 --follow
like mcts ' *3  The search goes down [1-9] [1-9] to a new node\. Visits of that node: 1, mean value [0-9.]+; visits of the root: 3\.' \
	"$(grep '^ *3 ' "$work/out")"

# --- step by step on a terminal: the keys, Ctrl-D and Ctrl-C ---
python3 - "$quevedo" tree diagram 3-1 --player alphabeta:depth=2,$plain --follow >"$work/err" 2>&1 <<'P' || bad "keys: $(cat "$work/err")"
import os, pty, re, sys
def talk(keys):
    """What it prints if each key answers one prompt, and its exit status."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], sys.argv[1:])
    text = b""
    while True:
        try:
            more = os.read(fd, 4096)
        except OSError: # Linux: the program has ended
            break
        if not more:
            break
        text += more
        if keys and text.endswith(b" > "):
            os.write(fd, keys.pop(0))
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return text.decode().replace("\r", ""), status
def numbers(text):
    return [int(n) for n in re.findall(r"^ *(\d+)  ", text, re.M)]
text, status = talk([b"\n", b"\n", b"b\n", b"b\n", b"b\n", b"c\n", b"q\n"])
assert numbers(text)[:6] == [1, 2, 3, 2, 1, 1] and len(numbers(text)) == 7, text
assert "  back to B: " in text.split(" > ")[6] and text.endswith("\nmove C\n") and status == 0, text
text, status = talk([b"c\n", b"c\n", b"q\n"]) # the only cut-off
assert text.count("There is no cut-off after this step.") == 1 and numbers(text)[1] == numbers(text)[2], text
os.environ["COLUMNS"] = "40" # this terminal does not know its width
text, status = talk([b"c\n", b"q\n"])
assert all(len(line) <= 40 for line in text.split("\n") if "Enter: " not in line), text
assert re.search(r"\n {7}\w.*\n {7}\w", text), text
for key in b"\x04", b"\x03": # the end of the input, and an interrupt
    text, status = talk([b"\n", key])
    assert numbers(text) == [1, 2] and text.endswith("\nmove C\n") and status == 0, (key, text)
    assert re.search(r" > (\^[CD]\x08*)?\s*\n", text.split("q: quit", 2)[2]), (key, text)
P
checks=$((checks + 1))

# --- mcts expands two plies before its first playout: they may be many nodes, or prove the root ---
for game in gomoku noughts3d; do
	good tree $game --player mcts:playouts=100 --json --log
	is "$game: a step for each playout" 100 "$(python3 -c 'import json, sys; print(len(json.load(sys.stdin)["growth"]["steps"]))' <"$work/out")"
done
good tree noughts --moves "1, 4, 2, 5" --player mcts:playouts=50 --follow
is "a win at once" "    1  The next two plies decide the game, so no playout is needed." "$(head -1 "$work/out")"
is "the winning move" "move 3" "$(last_line)"

# --- every visit ---
good tree connect4 --player negascout:depth=3 --json --log --max-nodes 100000
python3 - "$work/out" <<'P' || bad "the log is whole"
import json, sys
t = json.load(open(sys.argv[1]))
v = t["visits"]
assert t["seen"] == t["kept"] == len(v["parent"]), t["seen"]
assert len({len(c) for c in v.values()}) == 1
assert all(p < i for i, p in enumerate(v["parent"]))
again = sum(f >> 1 & 1 for f, p in zip(v["flags"], v["ply"]) if p)
assert t["seen"] - v["parent"].count(-1) - again == t["nodes"], t["nodes"]
assert t["cuts"] == sum(r >> 16 & 1 for r in v["reasons"])
last = max(i for i, p in enumerate(v["parent"]) if p < 0)
assert v["value"][last] == t["value"] and t["names"][v["best"][last]] == t["move"] == t["line"][0]
assert len(set(t["names"])) == len(t["names"])
P
checks=$((checks + 1))

# --- a page of its own ---
good tree connect4 --player alphabeta:depth=2 --format html
python3 - "$work/out" <<'P' || bad "the page is whole and needs nothing else"
import html.parser, re, sys
text = open(sys.argv[1]).read()
assert not re.search(r'(src|href)=|https?:|@import|url\(', text)
class Page(html.parser.HTMLParser):
    stack, items = [], 0
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br", "input"): self.stack.append(tag)
        self.items += tag == "li"
    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, tag
p = Page(); p.feed(text); p.close()
assert not p.stack and p.items > 15, p.items
P
checks=$((checks + 1))

# --- the page marks the cut-offs to which --follow steps, and has the button only for one that it shows ---
good tree race "0,0,6,8 0,4,10,17 1 5" --player expectimax:depth=2 --format html --max-nodes 1000
is "cut-offs by Star1 and Star2" yes "$([ "$(grep -c 'data-cut="1".*The outcomes that are left cannot' "$work/out")" -gt 0 ] && echo yes)"
is "the button" 1 "$(grep -c 'data-does="cut"' "$work/out")"
good tree diagram 3-1 --player alphabeta:depth=2,$plain --depth 1 --format html --max-nodes 2
is "no cut-off is shown" 0 "$(grep -c 'data-cut="1"\|data-does="cut"' "$work/out")"

# --- wrong use ---
refused tree noughts --log
says "--log: needs --json"
refused tree noughts --follow --json
says "--follow: not together"
refused tree noughts --follow --format svg
says "--follow: not together"

# --- colours: whose move it was ---
good tree race --moves "roll 6" --player expectimax:depth=2 --format svg
is "throws have a colour of their own" 48 "$(grep -c 'class="n dice"' "$work/out")"
is "moves of the seat at the root" 8 "$(grep -c 'class="n own' "$work/out")"
is "and what it means" 1 "$(grep -c 'Blue: seat 1, orange: seat 2, green: chance\.' "$work/out")"
good tree toy-three --plugin "$toys" --player maxn:depth=3 --format svg
for colour in 'n own' n 'n third'; do
	checks=$((checks + 1))
	grep -q "class=\"$colour\"" "$work/out" || bad "three seats: no box '$colour'"
done
good tree connect4 --player alphabeta:depth=2 --format svg
is "two seats need no key" 0 "$(grep -c 'third\|Blue' "$work/out")"
refused tree connect4 1212121
says "the game has ended"
refused tree race --player expectimax:depth=1
says "chance is to move"
for format in '' TEXT xml 'svg ' png; do
	refused tree diagram --format "$format"
	says "--format"
done
refused tree diagram --json --format svg
refused tree diagram --format
refused tree diagram --max-nodes 0
refused tree diagram --max-nodes 1000001
refused tree diagram --depth 0
refused tree diagram --lines 2
refused tree
refused tree diagram 3-1 more
refused tree diagram 3-3
refused show diagram --format svg
finish
