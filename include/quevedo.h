/*
 * quevedo.h - the public interface of Quevedo: play, search, solve and record strategy games.
 * SPDX-License-Identifier: MIT
 *
 * It includes all parts; each can also be included alone. quevedo/game.h describes a game: to write
 * a plug-in you need nothing else. The others are what the library offers for every game.
 *
 * Rules that hold everywhere:
 *  - A state is plain bytes of fixed size, without pointers and padding. Copy it with memcpy and
 *    compare it with memcmp. To try a move, copy the state and play on the copy; there is no undo.
 *    State memory must be aligned for any type, as malloc's is.
 *  - The library never prints or exits, and has no mutable global data. Contexts are independent.
 *  - A function that can fail returns enum qv_status. It also writes one sentence, "WHAT: WHY"
 *    without a newline, to a struct qv_error, which may be NULL. On failure it leaves its outputs
 *    unchanged unless its comment says otherwise.
 *  - Seats are numbered from 0 here and from 1 in texts for users.
 *  - Texts that a function returns belong to the library: do not free them. Texts that it writes go
 *    into a buffer of yours (struct qv_text), which never needs more than the named QV_..._TEXT
 *    bytes.
 *
 * How structs stay compatible (the headers are C99, and C++ from C++11 on):
 *  - The structs of base.h, and struct qv_rules, qv_allocator, qv_option, qv_weight, qv_terms,
 *    qv_space, qv_place, qv_cell, qv_line, qv_label, qv_standing and qv_match_player, never change.
 *  - A struct that you fill in or that the library fills in for you begins with `size`. Set it:
 *    struct qv_limits limits = { .size = sizeof limits }; in C++ qv_limits limits = {}; limits.size
 *    = sizeof limits. Such structs grow at their end only. The library reads and writes no more
 *    than `size` bytes, and takes members beyond it as 0. With size 0 a function fails with
 *    QV_BAD_INPUT.
 *  - Other structs that you get as a pointer also grow at their end. Do not copy them as a whole.
 *  - Functions and constants are never removed or changed while the library is libquevedo.so.0.
 */
#ifndef QUEVEDO_H
#define QUEVEDO_H

#define QV_VERSION "0.11.0"
#define QV_VERSION_NUMBER 1100     /* 10000 * major + 100 * minor + patch */

#include "quevedo/base.h"          /* moves, statuses, errors, flags, texts, random numbers */
#include "quevedo/game.h"          /* what a game is: for plug-ins */
#include "quevedo/rules.h"         /* contexts, games, rules, positions and moves */
#include "quevedo/search.h"        /* players: limits, answers, listeners */
#include "quevedo/solve.h"         /* solvers, certificates and endgame tables */
#include "quevedo/luck.h"          /* luck and skill in games with chance */
#include "quevedo/record.h"        /* the record of a game */
#include "quevedo/view.h"          /* boards, positions and search trees as JSON and pictures */
#include "quevedo/match.h"         /* matches, engines and opening books */
#include "quevedo/conform.h"       /* the laws of a game */

#ifdef __cplusplus
extern "C" {
#endif

/* Those of the library that runs, to compare with the header's. */
QV_API const char *qv_version(void);
QV_API int qv_version_number(void);
QV_API int qv_interface_number(void);

#ifdef __cplusplus
}
#endif

#endif
