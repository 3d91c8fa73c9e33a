/*
 * match.h - part of quevedo.h: matches with statistics, engines as players, and opening books.
 * SPDX-License-Identifier: MIT
 */
#ifndef QUEVEDO_MATCH_H
#define QUEVEDO_MATCH_H

#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Engines ---- */

/*
 * As qv_player_new, but also accepts specs that name another program: `uci:`, `qgp:`, `ugi:`,
 * `xboard:`, `hub:`, `gomocup:`, `nboard:`, `gtp:` and `gnubg:COMMAND LINE`, and `external:ADDRESS`.
 * The program is started by the first search and ended by qv_player_free. A program that misbehaves
 * is killed; qv_player_think then fails with the reason.
 */
QV_API enum qv_status qv_player_open(const struct qv_context *context, const struct qv_rules *rules,
				     const char *spec, const struct qv_defaults *defaults,
				     struct qv_player **out, struct qv_error *error);

/* ---- Matches ---- */

/* A player of a match: its name in results, unique in the match, and its spec. Never changes. */
struct qv_match_player {
	const char *name, *spec;
};

/* A finished game. */
struct qv_match_game {
	int64_t number;            /* from 0 */
	int player[QV_MAX_SEATS];  /* the player in each seat */
	int winner;                /* the seat; -1: a draw */
	int32_t points[QV_MAX_SEATS];
	int plies;
	/* "rules", "max-plies", "adjudicated", "crash", "timeout" or "illegal" */
	const char *end;
	const char *record;        /* as qv_record_load reads it; valid during the call */
	size_t record_size;
	int at_fault;              /* the seat that crashed, ran out of time or broke the rules; -1 */
	const char *reason;        /* why, in words; "": by the rules; valid during the call */
	const char *pgn;           /* with job->pgn: the game as PGN; else NULL; likewise */
};

struct qv_match_job {
	size_t size;               /* sizeof(struct qv_match_job) */
	const struct qv_match_player *players; /* specs as for qv_player_open */
	int player_count;
	int64_t games;
	uint64_t seed;
	bool gauntlet;             /* the first player against each of the others */
	bool pairs;                /* two seats: statistics of pairs with seats exchanged */
	bool no_times;             /* leave times out of records */
	int random_plies;          /* random moves at the start, the same for a round */
	int max_plies;             /* a longer game is a draw; 0: the default */
	int64_t base_ms, added_ms, move_ms;    /* the clock, or the time of a move; 0: none */
	int jobs;                  /* games at a time; 0 means 1 */
	int threads, hash_mb;      /* defaults for specs */
	const char *journal;       /* a file; NULL: no journal */
	bool resume;               /* continue the journal if it exists */
	const struct qv_flag *stop;            /* may be NULL */
	/*
	 * Called after each game, in the order of their numbers, in the thread that called
	 * qv_match_run. Returns false to end the match. May be NULL.
	 */
	bool (*game)(void *ctx, const struct qv_match_game *game);
	void *ctx;
	/*
	 * The text of a file of openings (docs/match.md): PGN, or a position, moves or EPD in each
	 * line. NULL: the start position. Of PGN at most opening_plies moves are used; 0: all.
	 */
	const char *openings;
	int opening_plies;
	int period_moves;          /* base_ms is for this many moves, then added again; 0: for all */
	/*
	 * Ends the match as soon as it can tell which of two players is better: a text as
	 * "elo0=0,elo1=5,alpha=0.05,beta=0.05". NULL: no such test.
	 */
	const char *sprt;
	/*
	 * Ends games early, if moves is not 0: as lost if both players agree for that many
	 * consecutive moves that a side is behind by resign_score, as drawn if both scores are at
	 * most draw_score from 0, after draw_plies. tables: by the endgame tables of this folder.
	 */
	int32_t resign_score, draw_score;
	int resign_moves, draw_moves, draw_plies;
	const char *tables;        /* NULL: none */
	const char *log_folder;    /* for dialogues with programs, as `match --log`; NULL: none */
	bool pgn;                  /* fill in `pgn` of struct qv_match_game */
	bool notes;                /* add the players' scores and depths to records and PGN */
	/* What a program does not accept, before the first game; may be NULL. */
	void (*warning)(void *ctx, int player, const char *words);
};

/* The results of a match. */
struct qv_match;
/*
 * Plays a match. The results do not depend on `jobs` if the players are reproducible. QV_STOPPED:
 * the stop flag ended it, and *out holds the games so far. Free *out with qv_match_free.
 */
QV_API enum qv_status qv_match_run(const struct qv_context *context, const struct qv_rules *rules,
				   const struct qv_match_job *job, struct qv_match **out,
				   struct qv_error *error);
QV_API void qv_match_free(struct qv_match *match);          /* NULL is fine */

/* The figures of a player. Errors are half of the 95 % interval; docs/match.md has the formulas. */
struct qv_match_figures {
	size_t size;               /* sizeof(struct qv_match_figures) */
	int64_t games, wins, draws, losses;    /* with more than two seats, against each other seat */
	double score, score_error; /* 0 to 1 */
	double elo, elo_error;
	double los;                /* likelihood of superiority, 0 to 1 */
	int64_t crashes, timeouts, illegal;    /* of the player in all its games */
	uint64_t nodes;            /* likewise */
	double seconds;
	/* With job->pairs: the pairs by the points of the player, 0, 1/2, 1, 1 1/2 and 2. */
	int64_t pairs[5];
	/* With job->sprt, of players 0 and 1: the log-likelihood ratio, and when the test ends. */
	double llr, llr_lower, llr_upper;
};
/* The figures of a player, from 0, against another, or against all others if opponent is -1. */
QV_API enum qv_status qv_match_score(const struct qv_match *match, int player, int opponent,
				     struct qv_match_figures *out, struct qv_error *error);

/* What qv_match_audit found. */
struct qv_audit {
	size_t size;               /* sizeof(struct qv_audit) */
	int64_t games, checked;    /* in the journal, and checked */
	int64_t replayed;          /* of those, played again by reproducible players */
	int64_t wrong;
	char first_wrong[200];     /* a sentence about the first wrong game; "": none is wrong */
};
/*
 * Checks `sample` games of a journal, chosen at random by the seed, or all if it is 0: the moves by
 * the rules, the results by the moves, and the moves of reproducible players by playing them again.
 * jobs: games at a time. stop may be NULL.
 */
QV_API enum qv_status qv_match_audit(const struct qv_context *context, const char *journal,
				     int64_t sample, uint64_t seed, int jobs,
				     const struct qv_flag *stop, struct qv_audit *out,
				     struct qv_error *error);

/* ---- Opening books ---- */

/* Use a book from one thread at a time; the context must outlive it. */
struct qv_book;
/*
 * Opens a book file, a Polyglot file (.bin) of chess, or `own:GAME`, which is built in. QV_BAD_INPUT:
 * the book is malformed, or for other rules. Close it with qv_book_close.
 */
QV_API enum qv_status qv_book_open(const struct qv_context *context, const struct qv_rules *rules,
				   const char *path, struct qv_book **out, struct qv_error *error);
QV_API void qv_book_close(struct qv_book *book);            /* NULL is fine */
/*
 * Writes the first `max` book moves of a position, heaviest first, and their weights, and returns
 * the number of all. Either list may be NULL.
 */
QV_API int qv_book_moves(const struct qv_book *book, const void *state, qv_move *list,
			 uint64_t *weights, int max);
/* The name of the opening that the position belongs to; "": none. Valid as long as the book. */
QV_API const char *qv_book_name(const struct qv_book *book, const void *state);

#ifdef __cplusplus
}
#endif

#endif
