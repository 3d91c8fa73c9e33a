/*
 * manager.h - the manager's side of a protocol: what to send to an engine, and what its lines mean.
 * It does no input or output, and trusts nothing that the engine sends.
 * SPDX-License-Identifier: MIT
 *
 *   ops->hello(m, &out)    send out to the engine, then pass each line of it to ->line until
 *                          MANAGER_READY
 *   ->set, ->new_game      likewise; several may be sent before waiting
 *   ->ask                  the same until MANAGER_MOVE: the move's text is in m->move
 */
#ifndef PROTOCOLS_MANAGER_H
#define PROTOCOLS_MANAGER_H

#include "base/text.h"

enum { MANAGER_PV = 4096 };

enum manager_event {
	MANAGER_QUIET, /* nothing is to be done */
	MANAGER_INFO,  /* m->info has changed */
	MANAGER_READY, /* the engine has accepted everything that was sent */
	MANAGER_MOVE,
	MANAGER_RESIGNS, /* instead of a move */
	MANAGER_REFUSED, /* the engine reports an error; it is in m->error */
	MANAGER_GARBAGE, /* the protocol does not allow this line now; it is in m->error */
};

/* What the engine reports about its search; zero where it reports nothing. */
struct manager_info {
	int depth;
	int32_t score; /* for the seat to move; a win is QV_WIN minus plies */
	int bound;     /* as in struct qv_answer; 0 also if there is no score */
	bool exact;    /* the score is one, and no bound */
	bool proven;
	uint64_t nodes, evals, considered;
	char pv[MANAGER_PV]; /* its line as written; "": none */
};

/* XBoard: what an engine that keeps the game itself has been sent. */
struct manager_board {
	unsigned said, features; /* features that it named, and has; a bit for each known one */
	bool greeted;		 /* they have been answered */
	int pings;
	size_t told_length; /* of the moves of a question that it has been sent, */
	uint64_t told_hash; /* and their hash */
	bool playing;	    /* it answers moves without being asked */
	bool terms_told;    /* the time control of this game has been sent */
	int stage_told;	    /* for this stage of it */
	bool is_960;	    /* the game is Chess960, */
	bool plays_960;	    /* ... which the engine says it plays */
};

/* Gomocup: the board of a brain that keeps the game itself. */
struct manager_stones {
	uint64_t hash;	 /* of the position it knows */
	bool playing;	 /* it knows one, and has answered with its own move */
	int size, turn;	 /* the side of the board; the colour of its next stone */
	int suggested;	 /* the point of a suggestion that was not confirmed; -1: none */
	int64_t turn_ms; /* the time for a turn as sent; -1: none */
};

/* GTP: what an engine that keeps the game itself has been sent. */
struct manager_gtp {
	char told[4096]; /* its moves as in a question; a longer list is cut */
	bool names;	 /* the next answer is its name */
	bool timed;	 /* the time control of this game has been sent */
	bool skips_i;	 /* the letters of columns leave out I */
};

/* { ops } is ready to use. */
struct manager {
	const struct manager_ops *ops;
	int awaited;		     /* closing answers that have not come */
	int stops;		     /* those among them that a move need not wait for */
	bool asked;		     /* a move was asked for, and has not come */
	bool slow;		     /* the engine asks for more time to say hello */
	int nboard_depth;	     /* NBoard: as sent last */
	const char *awaits;	     /* Hub: the word that closes what was sent last */
	bool wants_moves;	     /* the engine knows no rules, so it gets the legal moves */
	char name[64];		     /* as it calls itself, printable */
	char move[2 * QV_MOVE_TEXT]; /* a longer one is cut, and is not legal then */
	struct manager_info info;
	struct manager_board board;
	struct manager_stones stones;
	struct manager_gtp gtp;
	struct qv_error error;
};

/* A position and how long to think about it. All texts are borrowed for the call. */
struct manager_question {
	const char *start; /* a position; NULL: the start of the game */
	const char *moves; /* from there on, separated by ops->separator; "": none */
	const char *legal; /* the legal moves, likewise */
	const void *state; /* the position after the moves */
	int seats, seat;   /* the number of seats, and the one to move */
	int64_t depth, nodes, evals, time_ms; /* 0: no such limit */
	bool infinite;			      /* it will be stopped; no other limit is set */
	bool clocks;			      /* the next two are set */
	int64_t left_ms[QV_MAX_SEATS], added_ms[QV_MAX_SEATS];
	int moves_to_go; /* with clocks: of the seat, before time is added; 0: never */
	int stage;	 /* with clocks: of the seat's time control, from 0 */
};

/* How an engine is reached. */
enum manager_link {
	MANAGER_PIPES,	 /* started; its standard input and output */
	MANAGER_ADDRESS, /* it runs already; a socket at the address that stands for a command line */
	MANAGER_SERVED, /* started; a socket that it opens when it is sent the lines of `serve` */
};

/* The functions append lines for the engine to `out`. */
struct manager_ops {
	const char *name, *separator; /* separator: between moves */
	/* The engine's words that accept hello, and a new game; for error messages. */
	const char *hello_done, *new_game_done;
	void (*hello)(struct manager *m, struct string *out);
	void (*set)(struct manager *m, const char *name, const char *value, struct string *out);
	void (*new_game)(struct manager *m, const char *game, struct string *out);
	void (*ask)(struct manager *m, const struct manager_question *q, struct string *out);
	void (*stop)(struct manager *m, struct string *out);
	void (*quit)(struct manager *m, struct string *out);
	/*
	 * MANAGER_SERVED: settings, and the command to open a socket at this path. They are sent
	 * before hello, with the options between them.
	 */
	void (*settings)(struct manager *m, const struct qv_rules *rules, int plies,
			 struct string *out);
	void (*serve)(struct manager *m, const char *path, struct string *out);
	/* Handles a line of the engine, which is NUL-terminated and may be changed. */
	enum manager_event (*line)(struct manager *m, char *line, size_t length);
	bool two_seats;	   /* only for games of two seats without chance */
	bool blanks;	   /* moves may contain blanks */
	bool game_first;   /* options may depend on the game, so it is sent before them */
	bool no_nodes;	   /* it has no limit of nodes */
	bool no_depth;	   /* it has no limit of depth */
	bool no_positions; /* a game must begin at its start */
	bool endless;	   /* without a limit a search goes on until it is stopped */
	enum manager_link link;
	/* Whether the protocol can represent the game; NULL: any, but see two_seats. */
	enum qv_status (*fits)(const struct qv_rules *rules, struct qv_error *error);
	/* The notation of moves and positions, where it is not that of the game; else NULL. */
	void (*move_text)(const void *state, qv_move move, struct qv_text *out);
	bool (*move_parse)(const void *state, const char *text, qv_move *move);
	void (*position_text)(const void *state, struct qv_text *out);
	bool castling_words; /* in Chess960, castling is O-O and O-O-O */
	int mute_ms; /* an engine that is silent for this long has accepted hello; 0: never */
};
extern const struct manager_ops manager_qgp, manager_ugi, manager_uci, manager_xboard,
	manager_external, manager_gnubg, manager_hub, manager_gomocup, manager_nboard, manager_gtp;

/* The protocol of that name; NULL: no such protocol. */
const struct manager_ops *manager_find(const char *name, size_t length);

/* ---- For the protocols ---- */

void manager_quit(struct manager *m, struct string *out); /* as in struct manager_ops */
/* A move has been asked for. */
void manager_await_move(struct manager *m);
/* The awaited answer has come: MANAGER_READY, or MANAGER_QUIET if none was awaited. */
enum manager_event manager_ready(struct manager *m);
/* Stores the text of the move, of a line of moves, or of the engine's name; long ones are cut. */
enum manager_event manager_take_move(struct manager *m, const char *text);
/*
 * Ends the reading of a line of information; before: m->info without it. A score that is only a bound
 * does not replace an exact one with its depth and line: then MANAGER_QUIET.
 */
enum manager_event manager_informed(struct manager *m, const struct manager_info *before);
/* Notes that the score of this line is only a bound: 1 or -1, as in struct qv_answer. */
void manager_take_bound(struct manager *m, int bound);
void manager_take_pv(struct manager *m, const char *text);
void manager_take_name(struct manager *m, const char *text);
/* Reads a number, limited to -most and most; false: it is not a number. */
bool manager_number(const char *word, int64_t most, int64_t *out);

#endif
