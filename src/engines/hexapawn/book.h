/*
 * book.h - the 1983 book's hexapawn program.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_HEXAPAWN_BOOK_H
#define ENGINES_HEXAPAWN_BOOK_H

#include "search/engine.h"

player_maker hexapawn_book_new;

#endif
