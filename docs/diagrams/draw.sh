#!/usr/bin/env bash
# draw.sh - draws the pictures of docs/diagrams.md: bash docs/diagrams/draw.sh, in the folder of the project. A test compares them.
# SPDX-License-Identifier: MIT
set -e
build/quevedo tree diagram 3-1 --player alphabeta:depth=2,iterate=0,sort=0,killers=0,history=0,tt=0 --format svg >docs/diagrams/3-1.svg
build/quevedo tree diagram 3-2 --player alphabeta:depth=4,iterate=0,sort=0,killers=0,history=0,tt=0 --format svg >docs/diagrams/3-2.svg
build/quevedo tree diagram 3-5 --player alphabeta:depth=3,iterate=0,sort=0,killers=0,history=0,tt=0 --format svg >docs/diagrams/3-5.svg
build/quevedo tree diagram 3-6 --player alphabeta:depth=4,iterate=0,sort=0,killers=0,history=0,tt=0 --format svg >docs/diagrams/3-6.svg
build/quevedo tree diagram 3-6 --player alphabeta:depth=4,iterate=0,sort=0,killers=0,history=0,tt=0,deep=0 --format svg >docs/diagrams/3-6-shallow.svg
build/quevedo tree diagram 4-1 --player alphabeta:depth=2,iterate=0,sort=0,killers=0,history=0,tt=0 --format svg >docs/diagrams/4-1.svg
build/quevedo tree diagram 4-2 --player alphabeta:depth=2,iterate=0,sort=1,killers=0,history=0,tt=0 --format svg >docs/diagrams/4-2.svg
build/quevedo tree diagram 4-3 --player alphabeta:depth=2,iterate=0,sort=0,killers=0,history=0,tt=0 --format svg >docs/diagrams/4-3.svg
build/quevedo tree diagram 4-3 --player alphabeta:depth=2,iterate=0,sort=0,killers=1,history=0,tt=0 --format svg >docs/diagrams/4-3-killers.svg
