/*
 * reversi.h - the literal twin of reversi: a board of letters, walked square by square.
 * SPDX-License-Identifier: MIT
 */
#ifndef TWINS_REVERSI_H
#define TWINS_REVERSI_H

#include "twins/twin.h"

enum { TWIN_REVERSI_POSITION = 67 };       /* bytes of a position text, with its NUL */

#endif
