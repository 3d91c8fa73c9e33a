/*
 * program_1983.h - the Warp Trog program of the 1983 book, for the player kind `book`.
 * SPDX-License-Identifier: MIT
 */
#ifndef WARPTROG_PROGRAM_1983_H
#define WARPTROG_PROGRAM_1983_H

#include "search/one_ply.h"

extern const struct one_ply_program warptrog_program_1983;

#endif
