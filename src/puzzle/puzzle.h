/*
 * puzzle.h - puzzles of any game: what one is, files of them, checking and making them.
 * SPDX-License-Identifier: MIT
 *
 * A puzzle is a position with a goal that exactly one first move achieves. A file holds the puzzles
 * of one game, one a line (docs/formats.md). The maker takes positions from games between weak
 * players and proves the goal with the game's solver. The checker proves it again with the rules
 * alone, by a plain search (plain.h) or by df-pn.
 */
#ifndef PUZZLE_PUZZLE_H
#define PUZZLE_PUZZLE_H

#include "base/text.h"

enum puzzle_kind {
	PUZZLE_WIN,	  /* win within `plies` */
	PUZZLE_GAIN,	  /* be `amount` points of material better after `plies`, the most there is */
	PUZZLE_KEEP_WIN,  /* the only move that wins */
	PUZZLE_KEEP_DRAW, /* the only move that does not lose */
	PUZZLE_BEST,	  /* end with a lead of `amount` points, the best there is */
	PUZZLE_EQUITY,	  /* roll-outs: the best move loses nothing, the next one `loss` */
	PUZZLE_ODDS,	  /* exact chances: `loss` to win with the best move, `error` with the next */
	PUZZLE_KINDS,
};

struct puzzle_goal {
	enum puzzle_kind kind;
	int plies;
	int32_t amount;
	double loss, error; /* of the second-best move, and its standard error */
};

enum {
	PUZZLE_POSITION = 512, /* bytes of a position, NUL included */
	PUZZLE_LINE = 512,     /* bytes of a line of moves, NUL included */
	PUZZLE_ID = 8,	       /* bytes of an id, NUL included */
	PUZZLE_MOST_PLIES = 40,
	PUZZLE_MOST = 10000, /* puzzles of a file */
	PUZZLE_MOST_BYTES = 1 << 23,
};

struct puzzle {
	struct puzzle_goal goal;
	uint64_t nodes; /* of the proof by the checker: a measure of difficulty */
	/*
	 * "M, R, M2|M3": moves of the solver and replies in turn. After '|' are other moves that
	 * achieve the goal as well; there are none for the first move.
	 */
	char line[PUZZLE_LINE];
	char position[PUZZLE_POSITION];
};

/* The puzzles of a file. {0} is a valid empty one. */
struct puzzle_list {
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct puzzle *puzzles;
	size_t room;
	int count;
};

/* Releases what a list holds. */
void puzzles_release(struct puzzle_list *list);
/* Adds a copy. QV_NO_MEMORY. */
enum qv_status puzzles_add(struct puzzle_list *list, const struct puzzle *new,
			   struct qv_error *error);
/*
 * Reads a file: the position of each puzzle is valid, every move of its line is legal, and no two
 * puzzles are the same up to symmetry. Proves nothing. The error names the line.
 */
enum qv_status puzzles_read(const struct qv_context *context, const char *text, size_t size,
			    struct puzzle_list *out, struct qv_error *error);
/* Writes such a file. `remark` is a comment for the top, one line; may be NULL. */
void puzzles_write(const struct puzzle_list *list, const char *remark, struct string *out);
/* Writes the goal as in a file: "win 5". */
void puzzle_goal_text(const struct puzzle_goal *goal, struct qv_text *out);
/* How the goal is proven: search, solver or rollout. */
const char *puzzle_proof(const struct puzzle_goal *goal);
/* A number that is equal for positions which differ by a symmetry only. `scratch`: a state. */
uint64_t puzzle_key(const struct qv_game *game, const void *state, void *scratch);

/* Short, and the same in every version of the file: FNV-1a of the position, as on the page. */
void puzzle_id(const struct puzzle *p, char id[PUZZLE_ID]);
/* A first guess of its rating: more work and more moves make it harder. As on the page. */
int puzzle_guess(const struct puzzle *p);

/* ---- Checking ---- */

/* Proves puzzles of one game again. Use it from one thread. */
struct puzzle_checker;
/* trials: games of each move in a roll-out. The context must outlive the checker. */
enum qv_status puzzle_checker_new(const struct qv_context *context, const struct qv_rules *rules,
				  uint64_t seed, int trials, struct puzzle_checker **out,
				  struct qv_error *error);
void puzzle_checker_free(struct puzzle_checker *c); /* NULL is fine */
/*
 * QV_OK: the goal is proven, and the line is right. QV_ILLEGAL: it is wrong; the error says why.
 * QV_STOPPED: `nodes` (0: no limit) or the stop flag ended it. *used: the nodes it took.
 */
enum qv_status puzzle_check(struct puzzle_checker *c, const struct puzzle *p, uint64_t nodes,
			    const struct qv_flag *stop, uint64_t *used, struct qv_error *error);

/* ---- Making ---- */

struct puzzle_plan {
	int count;    /* wanted */
	uint64_t seed;
	int threads;
	int64_t until_us; /* of clock_us; 0: no limit */
	const struct qv_flag *stop;
	/* After each batch of games: puzzles found, and games played. May be NULL. */
	void (*progress)(void *ctx, int found, int64_t games);
	void *ctx;
};

/* Why the maker ended. */
enum puzzle_end { PUZZLE_ENOUGH, PUZZLE_TIME, PUZZLE_EXHAUSTED };

struct puzzle_report {
	enum puzzle_end end;
	int64_t games;	  /* played */
	int found;	  /* before the choice of a good mixture */
	int disagreements; /* puzzles that the checker refuted; always 0, or there is a bug */
};

/*
 * Makes puzzles, checks each, and chooses a mixture; the easiest come first. With one thread and
 * without a time limit the same seed gives the same puzzles: what a solver proves within its nodes
 * depends on what it has in its table. QV_UNSUPPORTED: no method proves puzzles of this game.
 */
enum qv_status puzzles_make(const struct qv_context *context, const struct qv_rules *rules,
			    const struct puzzle_plan *plan, struct puzzle_list *out,
			    struct puzzle_report *report, struct qv_error *error);

#endif
