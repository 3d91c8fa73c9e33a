/*
 * book.h - a program in the 1983 book's manner for connect-four.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_CONNECT4_BOOK_H
#define ENGINES_CONNECT4_BOOK_H

#include "search/engine.h"

player_maker c4_book_new;

#endif
