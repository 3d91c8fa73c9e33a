#!/usr/bin/env bash
# draw.sh - draws the pictures of docs/boards.md: bash docs/boards/draw.sh, in the folder of the project. A test compares them.
# SPDX-License-Identifier: MIT
set -e
build/quevedo show noughts --moves "5 2 1 9 4 6 7" --format svg >docs/boards/noughts.svg
build/quevedo show connect4 --moves "4 4 3 5 5 3 6 2 4 2 4 6 5 3 3" --format svg >docs/boards/connect4.svg
build/quevedo show morris --moves "d6 f4 d2 b4 d7 g4 b6" --format svg >docs/boards/morris.svg
build/quevedo show minichess --moves "b2-b3 d5-d4 c1-b2 c5-c4" --format svg >docs/boards/minichess.svg
build/quevedo show reversi --moves "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7" --format svg >docs/boards/reversi.svg
build/quevedo show noughts3d --moves "a1A b1A b2B c2B c3C a4A d1D a2C a3A d4A d4D" --format svg >docs/boards/noughts3d.svg
build/quevedo show hexapawn --moves "a1-a2 b3-a2" --format svg >docs/boards/hexapawn.svg
build/quevedo show race "0,3,3,18 0,0,7,12 2 5" --format svg >docs/boards/race.svg
build/quevedo show warptrog --moves "c2c3 d5d4 a2a3 f5f4" --format svg >docs/boards/warptrog.svg
build/quevedo show backgammon:cube=1 "bar:1,24:1,13:5,8:3,6:5 24:2,13:5,8:2,6:4,5:2 1 62 cube 2 2" --format svg >docs/boards/backgammon.svg
build/quevedo show draughts "B:W18,22,K7,26,28,31,32:B1,5,6,K30,12,16" --format svg >docs/boards/draughts.svg
build/quevedo show gomoku --moves "h8 g9 h10 h11 g8 i10 j9 j8 f9 e10 f7 i8 e8 f8 d7 c6 e7" --format svg >docs/boards/gomoku.svg
build/quevedo show breakthrough --plugin build/examples/breakthrough.so --moves "b2-b3, g7-g6" --format svg >docs/boards/breakthrough.svg
