# kalah.py - Kalah once more, as literally as possible: all positions of a small board, with their
# value and the plies to the end if the winner hurries and the loser delays, and the best margin.
# SPDX-License-Identifier: MIT
# usage: kalah.py PITS SEEDS      prints a line for each position: POSITION, "value win in 3" and the margin, with tabs between
import sys

# A position is seen by the player to move: own pits, own store, the other's pits, the other's store.


def start(pits, seeds):
    return ((seeds,) * pits, 0, (seeds,) * pits, 0)


def moves(position):
    return [i for i, seeds in enumerate(position[0]) if seeds]


def play(position, pit):
    """The position after the move, and whether the same player moves again."""
    own, store, other, other_store = list(position[0]), position[1], list(position[2]), position[3]
    pits = len(own)
    ring = own + [store] + other          # where seeds are sown, and in which order
    hand, ring[pit], at = ring[pit], 0, pit
    for _ in range(hand):
        at = (at + 1) % len(ring)
        ring[at] += 1
    again = at == pits
    if at < pits and ring[at] == 1 and ring[2 * pits - at]:
        ring[pits] += 1 + ring[2 * pits - at]
        ring[at] = ring[2 * pits - at] = 0
    own, store, other = ring[:pits], ring[pits], ring[pits + 1 :]
    if not any(own) or not any(other):
        store, other_store = store + sum(own), other_store + sum(other)
        own = other = [0] * pits
    if again:
        return (tuple(own), store, tuple(other), other_store), True
    return (tuple(other), other_store, tuple(own), store), False


def solve(position, known):
    """1, 0 or -1 for the player to move, and the plies to the end."""
    if position in known:
        return known[position]
    best = None
    for pit in moves(position):
        after, again = play(position, pit)
        value, plies = solve(after, known)
        value = value if again else -value
        # Win soon, lose late.
        worth = (value, -plies if value > 0 else plies if value < 0 else 0)
        if best is None or worth > best[0]:
            best = (worth, plies + 1)
    if best is None:
        lead = position[1] - position[3]
        known[position] = ((lead > 0) - (lead < 0), 0)
    else:
        known[position] = (best[0][0], best[1])
    return known[position]


def margin(position, known):
    """The lead at the end for the player to move, if both play for it alone."""
    if position not in known:
        leads = []
        for pit in moves(position):
            after, again = play(position, pit)
            leads.append(margin(after, known) if again else -margin(after, known))
        known[position] = max(leads, default=position[1] - position[3])
    return known[position]


def text(position, seat):
    """As the plug-in writes it: the first player's cells, the second's, and who is to move."""
    mine, theirs = position[0] + (position[1],), position[2] + (position[3],)
    return " ".join(map(str, (theirs + mine if seat else mine + theirs) + (seat + 1,)))


def main():
    pits, seeds = map(int, sys.argv[1:])
    known, leads, todo, seen = {}, {}, [(start(pits, seeds), 0)], set()
    while todo:
        position, seat = todo.pop()
        if (position, seat) in seen:
            continue
        seen.add((position, seat))
        value, plies = solve(position, known)
        word = {1: "win in %d" % plies, 0: "draw", -1: "loss in %d" % plies}[value]
        print("%s\tvalue %s\t%d" % (text(position, seat), word, margin(position, leads)))
        for pit in moves(position):
            after, again = play(position, pit)
            todo.append((after, seat if again else 1 - seat))


sys.setrecursionlimit(10000)
main()
