/*
 * book.h - a program in the 1983 book's manner for noughts in the cube.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_NOUGHTS3D_BOOK_H
#define ENGINES_NOUGHTS3D_BOOK_H

#include "search/engine.h"

player_maker n3_book_new;

#endif
