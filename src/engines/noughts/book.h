/*
 * book.h - the 1983 book's noughts and crosses program.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_NOUGHTS_BOOK_H
#define ENGINES_NOUGHTS_BOOK_H

#include "search/engine.h"

player_maker noughts_book_new;

#endif
