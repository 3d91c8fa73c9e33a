/*
 * review.h - the review of a recorded game: the value of every position, the class of every move,
 * and one sentence about every mistake.
 * SPDX-License-Identifier: MIT
 *
 * Values are exact where the game's solver or tables prove them within a number of nodes. Otherwise
 * they come from a search by the strongest player, limited by nodes, so that a review is the same on
 * every machine. Games with dice are valued by equity (quevedo/luck.h). Games of more than two seats
 * are not reviewed: QV_UNSUPPORTED.
 */
#ifndef RECORD_REVIEW_H
#define RECORD_REVIEW_H

#include "record/record.h"

/* From the loss of expected score. */
enum review_class {
	REVIEW_UNRATED, /* a dice roll */
	REVIEW_BEST,
	REVIEW_GOOD,
	REVIEW_INACCURACY,
	REVIEW_MISTAKE,
	REVIEW_BLUNDER,
	REVIEW_CLASSES,
};

/* The value of a position. */
struct review_value {
	double expected;     /* the expected score of the first seat, 0 to 1 */
	bool exact;	     /* proven */
	enum qv_value value; /* for the seat to move; unknown if not exact */
	int in;		     /* plies to the end of a proven win or loss; -1: unknown */
	bool has_margin;
	int32_t margin; /* of a proven result, as in struct qv_solution */
	int32_t score;	/* of the search, for the seat to move */
	int depth;	/* of the search; 0: there was none */
	qv_move best;	/* QV_NO_MOVE: no player is to move, or the game is valued by equity */
};

/* What the sentence about a mistake says. Wins and draws are proven; costs are measured. */
enum review_fact {
	FACT_NONE,
	FACT_TURNS,	  /* a win was missed, and now the opponent has one */
	FACT_ALLOWS_WIN,  /* the opponent has a win */
	FACT_DRAWS,	  /* a win was missed, and now the game is a draw */
	FACT_MISSES_WIN,  /* a win was missed */
	FACT_PRIZE,	  /* the opponent can play `reply`, one of the game's prizes */
	FACT_LOSES,	  /* `reply` takes `count` pieces; more than half their worth is lost */
	FACT_COSTS,	  /* score, by the searches */
	FACT_LOWERS,	  /* expected score, by the searches */
	FACT_POINTS,	  /* equity, by the evaluation */
	FACT_KINDS,
};

enum {
	REVIEW_SENTENCE = 256,
	/* FACT_LOSES: plies after the capture in which the other side tries to regain the pieces. */
	REVIEW_REGAIN = 3,
};

struct ply_review {
	int ply;  /* from 0 */
	int seat; /* who moved; QV_CHANCE: a dice roll */
	qv_move move, best;
	enum review_class class;
	bool forced;	 /* the only legal move */
	bool only;	 /* the only good one of several */
	double lost;	 /* expected score of the seat, 0 to 1 */
	double points;	 /* equity lost, where games are valued by it */
	double accuracy; /* 0 to 100 */
	struct review_value before, after;
	enum review_fact fact;
	qv_move reply;
	int piece, count;
	char sentence[REVIEW_SENTENCE]; /* "": it is no mistake */
};

struct review {
	struct review_value start; /* of the first position that was valued */
	struct ply_review *plies;  /* from the first one reviewed to the cursor */
	int count, first;	   /* first: the ply of plies[0] */
	double accuracy[QV_MAX_SEATS]; /* the mean over moves that were not forced; -1: none */
	const struct qv_allocator *allocator;
};

struct review_setup {
	const struct qv_context *context;
	uint64_t nodes; /* of each search; 0: the default */
	int last;	/* review only this many plies before the cursor; 0: all */
	const char *tables; /* folder of endgame tables; NULL: built-in ones */
	/* After each position. Unless it returns true, the review ends with QV_STOPPED. May be NULL. */
	bool (*progress)(void *ctx, int done, int of);
	void *ctx;
	const struct qv_flag *stop; /* may be NULL */
};

/*
 * A review that can be interrupted. *setup is copied. Meanwhile the record belongs to the reviewer,
 * whose end puts the cursor back.
 */
struct reviewer;
enum qv_status reviewer_new(const struct review_setup *setup, struct qv_record *record,
			    struct reviewer **out, struct qv_error *error);
/*
 * After `progress` has stopped it (QV_STOPPED), it may be called again, and continues. Release *out on
 * QV_OK, which comes once.
 */
enum qv_status reviewer_run(struct reviewer *reviewer, struct review *out, struct qv_error *error);
void reviewer_free(struct reviewer *reviewer); /* NULL is fine */

/*
 * Reviews the line to the cursor. The cursor is moved, and back again. Release *out on success.
 */
enum qv_status record_review(const struct review_setup *setup, struct qv_record *record,
			     struct review *out, struct qv_error *error);
void review_release(struct review *review); /* {0} is fine */

/* "best", "good", "inaccuracy", "mistake" or "blunder"; NULL for REVIEW_UNRATED. Static. */
const char *review_class_name(enum review_class class);
/* "", "?!", "?" or "??". Static. */
const char *review_glyph(enum review_class class);
/* The name of a seat, if the game has names; the colour of its pieces; or "Player 1". */
void review_side(const struct qv_game *game, int seat, struct qv_text *out);
/* A move as people write it. */
void review_move(const struct qv_game *game, const void *state, qv_move move, struct qv_text *out);

/* The size of a state, rounded up so that each of several in a row is aligned. */
static inline size_t review_stride(const struct qv_game *game)
{
	return (game->state_size + 15) & ~(size_t)15;
}

/*
 * For review.c: finds the fact behind a mistake and writes the sentence; `before` is the position in
 * which the move was played; `after` has room for a state, `scratch` for REVIEW_REGAIN + 1, each of
 * review_stride bytes.
 */
void review_explain(const struct qv_game *game, const void *before, void *after, void *scratch,
		    struct ply_review *at);

#endif
