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
#define PLAYER_FAULT_LIST(X)                                        \
	X(FAULT_NONE, "none")                                       \
	X(FAULT_START, "it could not be started")                   \
	X(FAULT_HELLO, "it did not say hello in time")              \
	X(FAULT_CRASH, "it ended")                                  \
	X(FAULT_TIMEOUT, "it did not answer in time")               \
	X(FAULT_ILLEGAL, "it played the illegal move")              \
	X(FAULT_GARBAGE, "it said what the protocol does not know") \
	X(FAULT_REFUSED, "it refused what it was told")             \
	X(FAULT_RESIGNED, "it resigned")                            \
	X(FAULT_LINE, "it wrote a line without end")                \
	X(FAULT_FLOOD, "it wrote without end")
#define X(id, text) id,
enum player_fault { PLAYER_FAULT_LIST(X) PLAYER_FAULTS };
#undef X

const char *player_fault_text(enum player_fault fault);     /* static */

/*
 * As qv_player_new, but also accepts `qgp:`, `ugi:`, `uci:`, `xboard:`, `hub:`, `gnubg:`,
 * `gomocup:`, `nboard:` and `gtp:COMMAND LINE`, and `external:ADDRESS` (docs/protocol.md). A program
 * is started by the first qv_player_new_game, player_ready or player_think, not here.
 */
enum qv_status player_open(const struct qv_context *context, const struct qv_rules *rules,
			   const char *spec, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error);

/* Its last fault; FAULT_NONE after qv_player_new_game, and for players of the library. */
enum player_fault player_fault(const struct qv_player *player);
/*
 * The same in words: as player_fault_text, with details such as the move, its exit status or the
 * last line of its standard error. It begins with "it ". Valid until the player is used again. ""
 * without a fault.
 */
const char *player_fault_words(const struct qv_player *player);

/* From now on, the dialogue with a program is logged under this name; NULL, NULL: no more. */
void player_log_to(struct qv_player *player, struct engine_log *log, const char *name);

/* The name that a program gave itself, printable; "": none, or a player of the library. */
const char *player_engine_name(const struct qv_player *player);
/*
 * The options of the spec that the program does not have, or whose value it does not accept, by what
 * it declared when it was started: a sentence for each, separated by "; ". "": none.
 */
const char *player_warnings(const struct qv_player *player);

/*
 * Starts a program that does not run, and waits for its hello, at most 5 s. QV_OK at once for
 * players of the library. Optional; but call it, or qv_player_new_game, before a clock starts.
 */
enum qv_status player_ready(struct qv_player *player, struct qv_error *error);

/* Whether a program was last tried to be started, and did not get through its handshake. */
bool player_is_unstarted(const struct qv_player *player);

/* What a program outside gets besides the position. */
struct player_news {
	const struct qv_record *record;     /* the game so far, its cursor at `state`; may be NULL */
	bool clocks;			    /* the next four are set */
	int64_t left_ms[QV_MAX_SEATS], added_ms[QV_MAX_SEATS];
	int moves_to_go;     /* of the seat to move, before more time is added; 0: never */
	int stage;	     /* of the seat's time control, from 0 */
	int64_t patience_ms; /* its time if nothing limits it; 0: a minute */
};

/*
 * Whether the player is a program that would search until it is stopped, since neither its spec nor
 * its protocol limits it. player_think refuses to ask it without a limit; limits->nodes = UINT64_MAX
 * lets it search until limits->stop.
 */
bool player_is_endless(const struct qv_player *player);

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

/* ---- Lines beside the protocol, for those who examine a program ---- */

struct manager_ops;

/* The protocol of a program; NULL: a player of the library. */
const struct manager_ops *player_protocol(const struct qv_player *player);
/* The lines in which the program declared its options, each ended by a newline; "": none. */
const char *player_declared(const struct qv_player *player);
/* Whether the program knows no rules and gets the legal moves (`wants moves` of QGP). */
bool player_wants_moves(const struct qv_player *player);
/* Sends a text that has whole lines, to a program that runs. It must have no effect on a game. */
enum qv_status player_send(struct qv_player *player, const char *text, struct qv_error *error);
/*
 * Reads lines, which only the log gets, until one begins with `wanted` or the time is over. wanted
 * NULL: all of that time. A program that ends is a fault.
 */
enum qv_status player_listen(struct qv_player *player, const char *wanted, int64_t ms, bool *came,
			     struct qv_error *error);
/*
 * Ends a program: sends quit, if `says_quit`, closes its input, and waits. *ended: by itself, in
 * time; *exit_status: then as waitpid gives it.
 */
void player_quit(struct qv_player *player, bool says_quit, int64_t ms, bool *ended,
		 int *exit_status);

#endif
