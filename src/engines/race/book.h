/*
 * book.h - the 1983 book's program for Race!.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_RACE_BOOK_H
#define ENGINES_RACE_BOOK_H

#include "search/engine.h"

player_maker race_book_new;

#endif
