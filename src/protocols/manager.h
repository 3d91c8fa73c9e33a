/*
 * manager.h - the manager's side of a protocol: what to say to an engine, and what its lines mean.
 * No input or output here, and nothing the engine says is trusted.
 * SPDX-License-Identifier: MIT
 *
 *   manager_ops->hello(m, &out)    write out to the engine, then give each line of it to ->line
 *                                  until MANAGER_READY
 *   ->set, ->new_game              likewise; several may be said before waiting
 *   ->ask                          the same until MANAGER_MOVE: the move's text is in m->move
 */
#ifndef PROTOCOLS_MANAGER_H
#define PROTOCOLS_MANAGER_H

#include "base/text.h"

enum { MANAGER_PV = 4096 };

enum manager_event {
	MANAGER_QUIET,             /* nothing is to be done */
	MANAGER_INFO,              /* m->info has been changed */
	MANAGER_READY,             /* everything said has been taken */
	MANAGER_MOVE,
	MANAGER_RESIGNS,           /* instead of a move */
	MANAGER_REFUSED,           /* the engine says that it cannot; m->error has its words */
	MANAGER_GARBAGE,           /* the line is not what the protocol allows now; likewise */
};

/* What the engine says of its search; zero where it says nothing. */
struct manager_info {
	int depth;
	int32_t score;             /* for the seat to move; a win is QV_WIN minus plies */
	bool proven;
	uint64_t nodes, evals, considered;
	char pv[MANAGER_PV];       /* its line, as it was written; "" */
};

/* What an engine that keeps the game has been told: xboard. */
struct manager_board {
	unsigned said, features;   /* that it named, and has; a bit for each it knows */
	bool greeted;              /* they have been answered */
	int pings;
	size_t told_length;        /* of the moves, as a question has them, */
	uint64_t told_hash;        /* ... which begin so */
	bool playing;              /* it answers moves of itself */
	bool terms_told;           /* how long it may think, in this game */
};

struct manager {
	const struct manager_ops *ops;
	int awaited;               /* closing answers that have not come */
	int stops;                 /* those among them that a move need not wait for */
	bool asked;                /* for a move, which has not come */
	bool slow;                 /* the engine asks for more time to say hello */
	bool wants_moves;          /* the engine knows no rules, and is told the legal moves */
	char name[64];             /* as it calls itself, printable */
	char move[2 * QV_MOVE_TEXT];       /* longer ones are cut, and are no moves */
	struct manager_info info;
	struct manager_board board;
	struct qv_error error;
};

/* A position and how long to think about it. All texts are borrowed for the call. */
struct manager_question {
	const char *start;         /* NULL: the game's start; else the text of a position */
	const char *moves;         /* from there on, separated by ops->separator; "": none */
	const char *legal;         /* the legal moves, likewise */
	int seats, seat;           /* in all, and to move */
	int64_t depth, nodes, evals, time_ms;      /* 0: no such limit */
	bool clocks;
	int64_t left_ms[QV_MAX_SEATS], added_ms[QV_MAX_SEATS];
};

struct manager_ops {
	const char *name, *separator;
	/* The engine's words that say that it has taken hello, and a new game. */
	const char *hello_done, *new_game_done;
	void (*hello)(struct manager *m, struct string *out);
	void (*set)(struct manager *m, const char *name, const char *value, struct string *out);
	void (*new_game)(struct manager *m, const char *game, struct string *out);
	void (*ask)(struct manager *m, const struct manager_question *q, struct string *out);
	void (*stop)(struct manager *m, struct string *out);
	void (*quit)(struct manager *m, struct string *out);
	/* The line is NUL-terminated and may be written to. */
	enum manager_event (*line)(struct manager *m, char *line, size_t length);
	bool two_seats;            /* only games of two seats without chance fit */
	bool blanks;               /* moves may hold blanks */
	bool game_first;           /* options may depend on the game, so it is told before them */
	bool no_nodes;             /* it has no word for a limit of nodes */
	int mute_ms;               /* an engine that says nothing for so long has said hello; 0: no */
};
extern const struct manager_ops manager_qgp, manager_ugi, manager_uci, manager_xboard;

const struct manager_ops *manager_find(const char *name, size_t length);     /* NULL: none */

/* ---- For the protocols ---- */

enum manager_event manager_garbage(struct manager *m, const char *line);
/* Takes the text of a move or of a line of moves. */
void manager_take_move(struct manager *m, const char *text);
void manager_take_pv(struct manager *m, const char *text);
void manager_take_name(struct manager *m, const char *text);
/* A number of the engine's, within bounds of ours; false: it is none. */
bool manager_number(const char *word, int64_t most, int64_t *out);

#endif
