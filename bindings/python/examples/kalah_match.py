#!/usr/bin/env python3
"""Loads the Kalah plug-in and plays a match against a level.

    make -C examples kalah.so        # in the source tree
    python3 kalah_match.py PLUGIN.so [--games 40] [--player mcts:playouts=200] [--level 2]

SPDX-License-Identifier: MIT
"""
import argparse

import quevedo


def show(game: quevedo.MatchGame) -> None:
    winner = "draw" if game.winner is None else game.players[game.winner]
    print(f"game {game.number + 1}: {winner}, {game.points[0]}-{game.points[1]} in {game.plies} moves")


def main() -> None:
    parser = argparse.ArgumentParser(description="a match of Kalah")
    parser.add_argument("plugin", help="kalah.so")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--player", default="mcts:playouts=200")
    parser.add_argument("--level", type=int, default=2)
    options = parser.parse_args()
    quevedo.load_plugin(options.plugin)
    kalah = quevedo.Game("kalah")
    print(kalah.start())
    players = {"player": options.player, "level": f"level:{options.level}"}
    print(quevedo.match(kalah, players, options.games, pairs=True, callback=show))


if __name__ == "__main__":
    main()
