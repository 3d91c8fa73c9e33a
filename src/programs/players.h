/*
 * players.h - any player of any spec: those of the library, and programs outside by a protocol.
 * SPDX-License-Identifier: MIT
 *
 * A program outside may misbehave in any way. It is killed then, player_think returns an error with
 * a sentence, and player_fault tells what it did. qv_player_new_game starts it again.
 */
#ifndef PROGRAMS_PLAYERS_H
#define PROGRAMS_PLAYERS_H

#include "programs/engine_log.h"
#include "quevedo.h"

/* What a program can do wrong, and how it is reported. */
#define PLAYER_FAULT_LIST(X)                                            \
	X(FAULT_NONE, "none")                                           \
	X(FAULT_START, "it could not be started")                       \
	X(FAULT_HELLO, "it did not say hello in time")                  \
	X(FAULT_CRASH, "it ended")                                      \
	X(FAULT_TIMEOUT, "it did not answer in time")                   \
	X(FAULT_ILLEGAL, "illegal move")                                \
	X(FAULT_GARBAGE, "it said what the protocol does not know")     \
	X(FAULT_REFUSED, "it refused what it was told")                 \
	X(FAULT_RESIGNED, "it resigned")                                \
	X(FAULT_LINE, "it wrote a line without end")                    \
	X(FAULT_FLOOD, "it wrote without end")
#define X(id, text) id,
enum player_fault { PLAYER_FAULT_LIST(X) PLAYER_FAULTS };
#undef X

const char *player_fault_text(enum player_fault fault);     /* static */

/*
 * As qv_player_new, but also accepts `qgp:`, `ugi:`, `uci:`, `xboard:`, `hub:`, `gnubg:` and
 * `gomocup:COMMAND LINE`, and `external:ADDRESS` (docs/protocol.md). A program is started by the
 * first qv_player_new_game, player_ready or player_think, not here.
 */
enum qv_status player_open(const struct qv_context *context, const struct qv_rules *rules,
			   const char *spec, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error);

/* Its last fault; FAULT_NONE after qv_player_new_game, and for players of the library. */
enum player_fault player_fault(const struct qv_player *player);
/*
 * The same in words: as player_fault_text, with details such as the move, its exit status or what
 * it wrote. Valid until the player is used again. "" without a fault.
 */
const char *player_fault_words(const struct qv_player *player);

/* From its next start on, the dialogue with a program is logged under this name. */
void player_log_to(struct qv_player *player, struct engine_log *log, const char *name);

/*
 * Starts a program that does not run, and waits for its hello, at most 5 s. QV_OK at once for
 * players of the library. Optional; but call it, or qv_player_new_game, before a clock starts.
 */
enum qv_status player_ready(struct qv_player *player, struct qv_error *error);

/* What a program outside gets besides the position. */
struct player_news {
	const struct qv_record *record;     /* the game so far, its cursor at `state`; may be NULL */
	bool clocks;			    /* the next two are set */
	int64_t left_ms[QV_MAX_SEATS], added_ms[QV_MAX_SEATS];
};

/*
 * As qv_player_think; news may be NULL. A program has limits->time_ms plus 1 s for its answer, or
 * the time left on its clock plus 1 s, or without both a minute; the lowest of these that are given.
 * With clocks it gets them instead of limits->time_ms, which is then for players of the library:
 * those obey the limits and ignore clocks.
 */
enum qv_status player_think(struct qv_player *player, const struct player_news *news,
			    const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error);

#endif
