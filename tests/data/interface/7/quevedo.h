/*
 * quevedo.h - the public interface of Quevedo: play, search, solve and record strategy games.
 * SPDX-License-Identifier: MIT
 *
 * Part 1 describes a game. To write a game of your own you need nothing else and link to nothing,
 * because the helper functions are inline. docs/add-a-game.md walks through an example. Part 2 is
 * what the library offers for every game.
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
 */
#ifndef QUEVEDO_H
#define QUEVEDO_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define QV_VERSION "0.3.0"
/* The version of struct qv_game. A plug-in that was built for another version is not loaded. */
#define QV_INTERFACE 7

/* ---- Part 1: what a game is ---- */

typedef uint64_t qv_move;      /* each game chooses its own encoding */
#define QV_NO_MOVE UINT64_MAX  /* never a legal move */

enum {
	QV_CHANCE = -1,            /* what `seat` returns at a chance node (dice rolls) */
	QV_MAX_SEATS = 4,
	QV_MAX_OPTIONS = 8,
	QV_MAX_MOVES = 4096,       /* upper limit of qv_game.max_moves */
	QV_MAX_STATE = 1 << 16,    /* upper limit of qv_game.state_size, bytes */
	QV_MAX_EVAL = 1 << 28,     /* evaluations are from -QV_MAX_EVAL to QV_MAX_EVAL */
	QV_WIN = 1 << 30,          /* score of a won position; a win in n plies scores QV_WIN - n */
	QV_MOVE_TEXT = 64,         /* size of a buffer for any move text, NUL included */
	QV_POSITION_TEXT = 4096,   /* size of a buffer for any position text, NUL included */
};

/* What a `leaf` function returns for a game that has ended. Any other value is an evaluation. */
#define QV_LEAF_WON QV_WIN          /* for the seat to move */
#define QV_LEAF_LOST (-QV_WIN)
#define QV_LEAF_DRAWN (QV_WIN + 1)

/* The stage of a game, as the function `phase` returns it. */
enum qv_phase { QV_OPENING, QV_MIDDLE, QV_END, QV_PHASES };

enum qv_outcome {
	QV_GOING,
	/* The seat with the most points has won; equal points are a draw. */
	QV_ENDED,
	/* Drawn by a move counter; perft and tables ignore it and continue. */
	QV_DRAWN_BY_COUNT,
};

#define QV_STATUS_LIST(X)                                \
	X(QV_OK, "ok")                                       \
	X(QV_NO_MEMORY, "out of memory")                     \
	X(QV_BAD_INPUT, "malformed input")                   \
	X(QV_ILLEGAL, "against the rules")                   \
	X(QV_UNKNOWN, "unknown name")                        \
	X(QV_UNSUPPORTED, "not possible for this game")      \
	X(QV_IO, "file cannot be read or written")           \
	X(QV_STOPPED, "stopped")
#define X(id, text) id,
enum qv_status { QV_STATUS_LIST(X) QV_STATUS_COUNT };
#undef X

struct qv_error {
	char text[256];            /* "WHAT: WHY", one printable line, NUL-terminated */
};

/*
 * Formats the error text, unless error is NULL, and returns status, so that a function can end with
 * `return qv_fail(error, QV_BAD_INPUT, ...)`. Bytes that are not printable ASCII become '?'.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline enum qv_status
qv_fail(struct qv_error *error, enum qv_status status, const char *format, ...)
{
	if (!error)
		return status;
	va_list args;
	va_start(args, format);
	vsnprintf(error->text, sizeof error->text, format, args);
	va_end(args);
	for (char *c = error->text; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = '?';              /* the text may quote any input */
	return status;
}

/*
 * A text that is written into a buffer of the caller's. Characters that do not fit are dropped, but
 * `length` counts them: if length >= size, the text was cut and needs length + 1 bytes. After the
 * first qv_put the data is NUL-terminated, if size > 0. { NULL, 0, 0 } only measures the length.
 */
struct qv_text {
	char *data;
	size_t size, length;
};

static inline void qv_put_char(struct qv_text *out, char c)
{
	if (out->length + 1 < out->size) {
		out->data[out->length] = c;
		out->data[out->length + 1] = '\0';
	} else if (out->length < out->size) {
		out->data[out->length] = '\0';
	}
	out->length++;
}

static inline void qv_put(struct qv_text *out, const char *text)
{
	while (*text)
		qv_put_char(out, *text++);
}

static inline void qv_put_int(struct qv_text *out, int64_t value)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%lld", (long long)value);
	qv_put(out, digits);
}

/*
 * Random numbers (SplitMix64). qv_random_at computes the k-th number of a key directly, and struct
 * qv_random steps through the same sequence. A dice roll can therefore be reproduced without
 * replaying the rolls before it: it is number k of key = qv_random_key(qv_random_key(seed, game),
 * seat).
 */
static inline uint64_t qv_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static inline uint64_t qv_random_at(uint64_t key, uint64_t k)
{
	return qv_mix(key + (k + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* The key of an independent sequence: number `stream` of those that belong to `key`. */
static inline uint64_t qv_random_key(uint64_t key, uint64_t stream)
{
	return qv_mix(qv_random_at(key, stream) ^ UINT64_C(0x5851f42d4c957f2d));
}

struct qv_random {
	uint64_t key, next;        /* next: the number of values drawn so far */
};

static inline uint64_t qv_random_next(struct qv_random *r)
{
	return qv_random_at(r->key, r->next++);
}

/*
 * Number k of the key as an integer from 0 to n - 1 (n > 0). All values are exactly equally likely.
 */
static inline uint64_t qv_random_below_at(uint64_t key, uint64_t k, uint64_t n)
{
	const uint64_t excess = (0 - n) % n;     /* 2^64 mod n; reject that many values */
	uint64_t x = qv_random_at(key, k);
	for (uint64_t retry = 0; x < excess; retry++)
		x = qv_random_at(qv_random_key(key, k), retry);
	return x % n;
}

static inline uint64_t qv_random_below(struct qv_random *r, uint64_t n)
{
	return qv_random_below_at(r->key, r->next++, n);
}

/* A 64-bit hash of any bytes. Use it as `hash` if your game has no faster one. */
static inline uint64_t qv_hash_bytes(const void *data, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)data;
	uint64_t h = size;
	for (; size >= 8; bytes += 8, size -= 8) {
		uint64_t word;
		memcpy(&word, bytes, 8);
		h = qv_mix((h ^ word) * UINT64_C(0x9e3779b97f4a7c15));
	}
	for (; size; bytes++, size--)
		h = qv_mix((h ^ *bytes) * UINT64_C(0x9e3779b97f4a7c15));
	return h;
}

#include "quevedo_board.h"

/*
 * An option of a game, as in `gomoku:size=19`. Its value is an integer from min to max. With
 * choices ("loss|draw") it is the index of one of these words, from 0, and min and max are ignored.
 * `start` and `position_parse` get the values as an array in the order of this table.
 */
struct qv_option {
	const char *name, *help;   /* a NULL name ends the table */
	const char *choices;
	int64_t min, max, preset;  /* preset: the default */
};

#include "quevedo_terms.h"

/* A named group of weights: `count` values of the int32_t array, from index `first`. */
struct qv_weight {
	const char *name;          /* NULL ends the table */
	int first, count;
};

/*
 * An evaluation estimates how good a position is for the seat to move, from -QV_MAX_EVAL to
 * QV_MAX_EVAL. It must accept every position, also one where the game has ended. In games of two
 * opponents, the value for one seat is minus the value for the other.
 */
struct qv_evaluation {
	const char *name, *help;   /* a NULL name ends the table; the first entry is the default */
	int32_t (*evaluate)(const void *state, const void *weights);
	/*
	 * Optional, for speed, in games of two seats: QV_LEAF_WON, QV_LEAF_LOST or QV_LEAF_DRAWN if
	 * the game has ended, else the value of `evaluate`.
	 */
	int32_t (*leaf)(const void *state, const void *weights);
	const void *weights;       /* the defaults, passed to the functions here; may be NULL */
	size_t weights_size;
	/*
	 * If the weights are an array of int32_t: names for its parts, so that weight files can set
	 * them.
	 */
	const struct qv_weight *names;
	/* Optional: reads weights of another form from a file's bytes into weights_size bytes. */
	enum qv_status (*read)(const char *data, size_t size, void *weights,
			       struct qv_error *error);
	/*
	 * Optional, for `move-eval=1`: what a legal move gains for the seat that plays it, in the
	 * same points, without playing it. For the evaluation `material`, moves must rank in the
	 * same order as the positions they lead to.
	 */
	int32_t (*move)(const void *state, qv_move move, const void *weights);
	/*
	 * Optional, for `phases=1`: QV_PHASES sets of weights, one after another, each of
	 * weights_size bytes. The phase of the root position selects the set.
	 */
	const void *phase_weights;
	/*
	 * Optional, for more than two seats: writes the value for each seat, within the bounds of
	 * `evaluate`; the one of the seat to move must equal evaluate's. Without this function,
	 * minus evaluate's value is shared equally among the other seats.
	 */
	void (*seats)(const void *state, const void *weights, int32_t *values);
	/*
	 * Optional, for speed: the same value as `evaluate`, computed with the help of a cache of
	 * memory_size bytes, aligned to 64. The caller zeroes it once, and uses it in one thread
	 * and with one set of weights only.
	 */
	int32_t (*recall)(const void *state, const void *weights, void *memory);
	size_t memory_size;
	/*
	 * Optional, for games of one or two seats: lists the terms of a position where no chance
	 * outcome is due. Their values must add up to that of `evaluate`, and a place must be an
	 * index of a named weight.
	 */
	void (*terms)(const void *state, const void *weights, struct qv_terms *out);
};

#include "quevedo_index.h"

/*
 * One game: facts and functions. A function changes nothing but its outputs and keeps no reference
 * to its arguments. Any number of threads may call it at the same time.
 */
struct qv_game {
	/* Facts. */
	int interface;             /* QV_INTERFACE */
	const char *name;          /* a-z, 0-9 and '-' */
	const char *title;
	const char *aliases;       /* other names, separated by blanks; may be NULL */
	const char *help;          /* rules, options and notation, for users; may be NULL */
	int seats;                 /* 1 to QV_MAX_SEATS */
	bool alternates;           /* two seats that move alternately, without exception */
	bool chance;               /* has chance nodes, where `seat` returns QV_CHANCE */
	size_t state_size;
	int max_moves;             /* upper limit of moves, or of chance outcomes, in a position */
	int max_plies;             /* upper limit of a game's length from the start; 0: unknown */
	/*
	 * Size of the symmetry group; symmetry 0 is the identity. 0 or 1: the game has no symmetry.
	 */
	int symmetries;
	/*
	 * What a won game counts on the scale of the evaluation when chance outcomes are averaged.
	 * Larger evaluations are cut to it. 0: QV_MAX_EVAL.
	 */
	int32_t win;
	const struct qv_option *options;           /* these three may be NULL */
	const struct qv_evaluation *evaluations;
	const char *const *levels; /* player specs, weakest first, NULL-terminated */
	/* "win", "loss" or "draw" for the seat that moves first; NULL: unknown */
	const char *solved;

	/* Required. */
	/* Writes the start position. `options` has a value for each row of the options table. */
	void (*start)(const int64_t *options, void *state);
	/*
	 * The seat to move, or QV_CHANCE. After the end of the game it must still be a seat, not
	 * QV_CHANCE: the one whose turn would be next.
	 */
	int (*seat)(const void *state);
	/*
	 * Writes the legal moves, or the outcomes at a chance node, to list, which has room for
	 * max_moves. Returns their number, which is 0 only when the game has ended. The same state
	 * must give the same order.
	 */
	int (*moves)(const void *state, qv_move *list);
	void (*play)(void *state, qv_move move);   /* the move must be legal */
	/*
	 * Whether the game has ended. Unless it returns QV_GOING, it writes the points of each
	 * seat.
	 */
	enum qv_outcome (*result)(const void *state, int32_t *points);
	/*
	 * Equal states must have equal hashes. Different states must have different hashes except
	 * by coincidence (1 in 2^64), because the transposition tables compare nothing else.
	 */
	uint64_t (*hash)(const void *state);
	/*
	 * Canonical texts. Two moves of one position must have different texts, and so must two
	 * different states.
	 */
	void (*move_text)(const void *state, qv_move move, struct qv_text *out);
	void (*position_text)(const void *state, struct qv_text *out);
	/*
	 * Reads a position and rejects one that breaks the rules. The text may be any
	 * NUL-terminated bytes.
	 */
	enum qv_status (*position_parse)(const int64_t *options, const char *text, void *state,
					 struct qv_error *error);

	/* Optional: each may be NULL. */
	/* The relative probability of a chance outcome, > 0. Required if `chance` is true. */
	uint32_t (*weight)(const void *state, qv_move outcome);
	/* Move ordering: moves with a higher rank, from -2^27 to 2^27, are searched first. */
	int32_t (*rank)(const void *state, qv_move move);
	int (*count)(const void *state); /* the number of moves, if that is faster than `moves` */
	bool (*quiet)(const void *state, qv_move move); /* a search may evaluate after it */
	/*
	 * Reads other notations than that of move_text. False: it is not a move. The library checks
	 * that the move is legal.
	 */
	bool (*move_parse)(const void *state, const char *text, qv_move *move);
	/*
	 * Counted moves, as "build N ships". A move in the list with max_count > 1 stands for the
	 * moves with_count(move, 1 .. max_count), all of them legal; with_count(move, max_count) is
	 * the listed move. An ordinary move has max_count 1. Define both functions or neither.
	 */
	int (*max_count)(const void *state, qv_move move);
	qv_move (*with_count)(qv_move move, int count);
	/*
	 * Repetition. `repeated` is called when the position has occurred `times` times before (>
	 * 0) since the last irreversible move, after which no earlier position can recur. It
	 * returns QV_GOING, or QV_ENDED with points. Define it together with `irreversible`. Two
	 * positions are equal if their repeat_hash is: the hash without counters that only grow.
	 * NULL: `hash` itself.
	 */
	enum qv_outcome (*repeated)(const void *state, int times, int32_t *points);
	bool (*irreversible)(const void *state, qv_move move);
	uint64_t (*repeat_hash)(const void *state);
	/*
	 * Applies symmetry k to a state, or to a move that is legal in `state`. Playing a move and
	 * applying the symmetry must give the same state in either order. Define both functions or
	 * neither.
	 */
	void (*image)(const void *state, int k, void *out);
	qv_move (*image_move)(const void *state, int k, qv_move move);
	/*
	 * Draws the board for a terminal in lines that end with '\n', if possible at most 40
	 * columns wide. `unicode`: UTF-8 may be used.
	 */
	void (*draw)(const void *state, bool unicode, struct qv_text *out);
	const struct qv_index *index;              /* for endgame tables; may be NULL */
	/*
	 * The total value of a seat's pieces, regardless of the seat to move: from 0 to QV_MAX_EVAL
	 * / 2, in the points of the evaluations. An evaluation named `material` must be the
	 * difference of the two seats.
	 */
	int32_t (*material)(const void *state, int seat);
	int (*phase)(const void *state);           /* one of enum qv_phase */
	/* For graphical boards (quevedo_board.h); may be NULL. */
	const struct qv_board *board;
};

/*
 * A plug-in exports a function `qv_plugin` of this type. It returns the games of the plug-in for
 * index 0, 1, ..., and NULL after the last one.
 */
typedef const struct qv_game *qv_plugin_fn(int index);

/*
 * Evaluations for a game that exists already, so that you can try ideas without writing its rules.
 * They come after the game's own; players choose them with `eval=NAME`. An evaluation reads a state
 * through the functions of the game: `seat`, `moves`, qv_read_cells and so on.
 */
struct qv_added_evaluations {
	int interface;             /* QV_INTERFACE */
	const char *game;          /* its name: a built-in game, or one of a plug-in loaded before */
	const struct qv_evaluation *evaluations;   /* a NULL name ends the table */
	/*
	 * Where the library stores the game before it calls an evaluation, always the same pointer;
	 * may be NULL.
	 */
	const struct qv_game **rules;
};

/*
 * A plug-in may export a function `qv_plugin_evaluations` of this type, besides qv_plugin or in its
 * place. It returns tables for index 0, 1, ..., and NULL after the last one.
 */
typedef const struct qv_added_evaluations *qv_plugin_evaluations_fn(int index);

/* ---- Part 2: what the library does with any game ---- */

#if defined(__GNUC__)
#define QV_API __attribute__((visibility("default")))
#else
#define QV_API
#endif

QV_API const char *qv_version(void);
QV_API const char *qv_status_text(enum qv_status status);   /* a static string, never freed */

/*
 * The source of all memory. resize(ctx, NULL, 0, n) allocates n bytes. resize(ctx, p, old, 0) frees
 * and returns NULL. Otherwise it resizes the block, which may move. If there is not enough memory,
 * it returns NULL and leaves the old block unchanged. The library calls it from every thread that
 * uses the context.
 */
struct qv_allocator {
	void *(*resize)(void *ctx, void *block, size_t old_size, size_t new_size);
	void *ctx;
};

/*
 * A context holds the list of games: the built-in ones and those of loaded plug-ins. Threads may
 * share it once its plug-ins are loaded.
 */
struct qv_context;
/* allocator is copied; NULL means malloc. Returns NULL if there is not enough memory. */
QV_API struct qv_context *qv_context_new(const struct qv_allocator *allocator);
/* Free the players, solvers, tables and records of the context first. NULL is accepted. */
QV_API void qv_context_free(struct qv_context *context);
/*
 * Loads all games and evaluations of a shared object, or none on failure. path is as for dlopen, except that a bare
 * file name refers to the current folder. Not while another thread uses the context.
 */
QV_API enum qv_status qv_context_load(struct qv_context *context, const char *path,
				      struct qv_error *error);
/*
 * Adds evaluations to a game of the context, as a plug-in does; the table must outlive the context.
 * QV_UNKNOWN: no such game. QV_UNSUPPORTED: another interface version. QV_ILLEGAL: the name of an
 * evaluation is taken, or the table is wrong. Not while another thread uses the context.
 */
QV_API enum qv_status qv_context_add_evaluations(struct qv_context *context,
						 const struct qv_added_evaluations *added,
						 struct qv_error *error);
/* The game number `index`, from 0; NULL after the last one. It is valid as long as the context. */
QV_API const struct qv_game *qv_game_at(const struct qv_context *context, int index);

/* A game with values for its options. Plain data: copy it freely. */
struct qv_rules {
	const struct qv_game *game;
	int64_t options[QV_MAX_OPTIONS];
};
/*
 * Reads NAME[:key=value,...]. For an unknown name or key, the error text suggests the nearest one.
 */
QV_API enum qv_status qv_rules_parse(const struct qv_context *context, const char *text,
				     struct qv_rules *out, struct qv_error *error);
/* Writes NAME[:key=value,...] with those options that differ from their defaults. */
QV_API void qv_rules_text(const struct qv_rules *rules, struct qv_text *out);

/*
 * Allocates one zeroed state of the game; NULL if there is not enough memory. Free it with
 * qv_state_free and the same context and game; NULL is accepted.
 */
QV_API void *qv_state_new(const struct qv_context *context, const struct qv_game *game);
QV_API void qv_state_free(const struct qv_context *context, const struct qv_game *game,
			  void *state);

/*
 * Reads a position in the game's notation into state. NULL, "" and "start" are the start position.
 */
QV_API enum qv_status qv_position_parse(const struct qv_rules *rules, const char *text, void *state,
					struct qv_error *error);
/*
 * Reads a legal move of this position. Letter case is ignored where that is not ambiguous, and
 * a1a2 or A1 A2 is accepted for a1-a2.
 * QV_ILLEGAL: the text is no legal move, or more than one; the error text gives the reason.
 */
QV_API enum qv_status qv_move_parse(const struct qv_game *game, const void *state, const char *text,
				    qv_move *out, struct qv_error *error);
/* Whether the move is legal in this position; counted moves are accepted with every valid count. */
QV_API bool qv_move_legal(const struct qv_game *game, const void *state, qv_move move);
/* The seat with the most points; -1 for a draw. */
QV_API int qv_winner(const struct qv_game *game, const int32_t *points);

/*
 * Limits of qv_perft, which counts the leaves at exactly this depth. docs/search.md defines what
 * counts as a leaf.
 */
struct qv_perft_limits {
	int depth;
	size_t hash_bytes;         /* size of a transposition table; 0: none */
	int threads;               /* 0 or 1: the calling thread alone */
	const atomic_bool *stop;   /* may be NULL */
};
/* Counts the leaves of the move tree below state. QV_STOPPED: *leaves is unchanged. */
QV_API enum qv_status qv_perft(const struct qv_context *context, const struct qv_game *game,
			       const void *state, const struct qv_perft_limits *limits,
			       uint64_t *leaves, struct qv_error *error);

#include "quevedo_solve.h"         /* solvers, certificates and endgame tables */

/* ---- Players ---- */

enum { QV_MAX_LINE = 128 };        /* moves of a principal variation */
enum { QV_OPENING_NAME = 128 };	   /* bytes of the name of an opening, NUL included */

/*
 * The limits of one search. 0 or NULL in a field means no such limit here; the limits in the
 * player's spec still apply.
 */
struct qv_limits {
	int depth;
	uint64_t nodes, evals;
	int64_t time_ms;           /* hard limit */
	/* Target: the search may use less for an obvious move, more in doubt. */
	int64_t aim_ms;
	/*
	 * Pondering: while this flag is set, the time limits are suspended. The caller owns and
	 * clears it.
	 */
	const atomic_bool *ponder;
	/*
	 * Ends the search. The caller owns the flag, clears it before the search starts and may set
	 * it from any thread. The search only reads it, so a stop before the first node counts,
	 * too. NULL: no stop.
	 */
	const atomic_bool *stop;
	/*
	 * repeat_hash of the positions since the last irreversible move, oldest first, without the
	 * current one. qv_record_history returns this array.
	 */
	const uint64_t *history;
	int history_count;
	/*
	 * Search only these root moves; the score, even a proven one, is then theirs. NULL, or no
	 * legal move among them: all moves.
	 */
	const qv_move *only;
	int only_count;
	/*
	 * Called from time to time with the nodes so far, in the thread that called
	 * qv_player_think. Returns false to end the search, as `stop` does. May be NULL.
	 */
	bool (*watch)(void *ctx, uint64_t nodes);
	void *watch_ctx;
};

struct qv_answer {
	qv_move move;              /* always legal; QV_NO_MOVE if the game has ended */
	int32_t score;             /* for the seat to move; a win in n plies is QV_WIN - n */
	bool proven;               /* the score is the game-theoretic value, not an estimate */
	bool unsolved;             /* a solver gave up: the move is legal, and there is no score */
	bool rests_on_repetition;  /* a proven score is valid for this history only */
	int bound;                 /* 1: the true score is at least this; -1: at most; 0: exact */
	int depth;                 /* plies of the last complete iteration */
	int deepest;               /* the largest ply that was reached; 0: not counted */
	int table_permille;        /* how full the transposition table is; 0 without a table */
	uint64_t nodes;            /* positions made by playing a move */
	uint64_t evals;            /* calls of the evaluation */
	uint64_t considered;       /* moves tried in the whole tree */
	uint64_t table_hits;	   /* positions found in endgame tables instead of a search */
	double seconds;
	int line_length;
	qv_move line[QV_MAX_LINE]; /* principal variation; line[0] is move */
	/* The move is from an opening book, not searched: the name of the opening; else "". */
	char book[QV_OPENING_NAME];
};

/*
 * Callbacks that follow a search. They run in the thread that called qv_player_think. Each function
 * may be NULL.
 */
struct qv_listener {
	/*
	 * Before each iteration of iterative deepening, with its depth. A repetition with a wider
	 * window is the same iteration. mcts, solvers and book moves have no such iterations.
	 */
	void (*iteration_start)(void *ctx, int depth);
	/* After each complete iteration. */
	void (*iteration)(void *ctx, const struct qv_answer *so_far);
	/*
	 * The score fell outside the window: it is only a bound, and the iteration is repeated with
	 * a wider window.
	 */
	void (*bound)(void *ctx, const struct qv_answer *so_far);
	/* Before the n-th root move, from 1, is searched in the iteration of this depth. */
	void (*root_move)(void *ctx, qv_move move, int n, int depth);
	/*
	 * Before a move is searched: the position before the move, its ply from the root, and the
	 * window.
	 */
	void (*branch)(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		       int32_t beta);
	/*
	 * After a move was searched: its value for the seat that played it, and whether it caused a
	 * cut-off of the moves after it.
	 */
	void (*node)(void *ctx, qv_move move, int ply, int32_t value, bool cut);
	/* At a leaf: the position and its evaluation. */
	void (*leaf)(void *ctx, const void *state, int ply, int32_t value);
	void *ctx;
	/* Another listener of the same search, called after this one; NULL: no other. */
	const struct qv_listener *next;
};

/* Values for what a player spec leaves open. */
struct qv_defaults {
	uint64_t seed;
	int threads, hash_mb;
	const char *tables; /* folder where players look for endgame tables; NULL: none */
	const struct qv_prober *prober; /* other tables; must outlive the players; NULL: none */
	bool no_book;		   /* levels play without the program's opening book */
};

struct qv_player;
/*
 * The specs of level:1, level:2, ..., NULL-terminated: the game's own, or general ones that suit
 * it.
 */
QV_API const char *const *qv_levels(const struct qv_game *game);
/*
 * Creates a player from a spec (`quevedo help players`). The rules are copied; the context must
 * outlive the player. Free it with qv_player_free.
 */
QV_API enum qv_status qv_player_new(const struct qv_context *context, const struct qv_rules *rules,
				    const char *spec, const struct qv_defaults *defaults,
				    struct qv_player **out, struct qv_error *error);
QV_API void qv_player_free(struct qv_player *player);       /* NULL is fine */
/*
 * Clears what earlier searches left in the player and restarts its random numbers. The player
 * `learn` keeps what it has learned from games.
 */
QV_API void qv_player_new_game(struct qv_player *player);
/*
 * Reports the end of a game that the player took part in; state is the final position. The player
 * `learn` remembers losing moves and writes its file. For other players it does nothing.
 */
QV_API enum qv_status qv_player_game_over(struct qv_player *player, const void *state,
					  struct qv_error *error);
/*
 * Chooses a move. Returns QV_OK, or QV_STOPPED if a stop ended the search early; *out is valid in
 * both cases. limits and listener may be NULL. Use a player from one thread at a time.
 */
QV_API enum qv_status qv_player_think(struct qv_player *player, const void *state,
				      const struct qv_limits *limits,
				      const struct qv_listener *listener, struct qv_answer *out,
				      struct qv_error *error);

/* ---- The record of a game ---- */

/*
 * A game as it was played: moves with times and notes, variations, undo and redo, and the result.
 * It is a tree of moves with a cursor. A move after an undo starts a variation, or enters an
 * existing one. Use a record from one thread at a time; the context must outlive it.
 */
struct qv_record;
/*
 * Creates a record that starts from a position text, as for qv_position_parse. The rules are
 * copied.
 */
QV_API enum qv_status qv_record_new(const struct qv_context *context, const struct qv_rules *rules,
				    const char *position, struct qv_record **out,
				    struct qv_error *error);
QV_API void qv_record_free(struct qv_record *record);       /* NULL is fine */
QV_API const struct qv_rules *qv_record_rules(const struct qv_record *record);
/* The state at the cursor. The pointer is valid until the record changes. */
QV_API const void *qv_record_state(const struct qv_record *record);
QV_API int qv_record_ply(const struct qv_record *record);   /* moves from the start to the cursor */
/* The move that was played at this ply, from 0, on the line to the cursor. */
QV_API qv_move qv_record_move(const struct qv_record *record, int ply);
/* The number of moves recorded at the cursor, and the n-th of them, from 0, oldest first. */
QV_API int qv_record_variations(const struct qv_record *record);
QV_API qv_move qv_record_variation(const struct qv_record *record, int n);
/*
 * Plays a move at the cursor. seconds < 0: the time is unknown. QV_ILLEGAL: the move is not legal,
 * or the game has ended.
 */
QV_API enum qv_status qv_record_play(struct qv_record *record, qv_move move, double seconds,
				     struct qv_error *error);
/*
 * Moves the cursor back, or forward along the line that was visited last. *done, unless done is
 * NULL, becomes the number of plies it moved, which may be fewer.
 */
QV_API enum qv_status qv_record_undo(struct qv_record *record, int plies, int *done);
QV_API enum qv_status qv_record_redo(struct qv_record *record, int plies, int *done);
/* Sets the comment on the cursor's position; UTF-8, copied. QV_BAD_INPUT: it is not UTF-8. */
QV_API enum qv_status qv_record_note(struct qv_record *record, const char *text);
/* That comment, or NULL. Valid until the record changes. */
QV_API const char *qv_record_note_text(const struct qv_record *record);
/* Records the time that a seat has left at the cursor, and returns it; -1: never recorded. */
QV_API enum qv_status qv_record_clock(struct qv_record *record, int seat, int64_t left_ms);
QV_API int64_t qv_record_clock_left(const struct qv_record *record, int seat);
enum { QV_UNDECIDED = -2 };        /* as winner: the game was abandoned */
/*
 * Ends the game by agreement, resignation, time forfeit or the like. winner is a seat, -1 for a
 * draw, or QV_UNDECIDED. An undo removes this result.
 */
QV_API enum qv_status qv_record_end(struct qv_record *record, int winner, const char *reason);
/*
 * The result at the cursor: by the rules, by repetition, or from qv_record_end. Unless it returns
 * QV_GOING, it writes the points of each seat.
 */
QV_API enum qv_outcome qv_record_result(const struct qv_record *record, int32_t *points);
/*
 * The winner at the cursor: a seat, -1 for a draw, QV_UNDECIDED if the game goes on or was
 * abandoned.
 */
QV_API int qv_record_winner(const struct qv_record *record);
/* The hashes for `history` of struct qv_limits. Valid until the record changes. */
QV_API const uint64_t *qv_record_history(const struct qv_record *record, int *count);
/*
 * Writes and reads a record as JSON lines (docs/formats.md). The record that qv_record_load creates
 * uses the rules that its header names.
 */
QV_API void qv_record_save(const struct qv_record *record, struct qv_text *out);
QV_API enum qv_status qv_record_load(const struct qv_context *context, const char *data,
				     size_t size, struct qv_record **out, struct qv_error *error);

/* ---- The conformance suite ---- */

struct qv_conformance {
	uint64_t seed;
	int games;                 /* random games to play; 0: 100 */
	int max_plies;             /* length limit of a random game; 0: 400 */
	int search_depth;          /* depth of the searches that are compared; 0: 3 */
	/* Called after each law that holds, with the number of checks made; may be NULL. */
	void (*progress)(void *ctx, const char *law, uint64_t checks);
	void *ctx;
};
/*
 * Checks the laws that every game must obey. QV_ILLEGAL: one is violated; the error text says which
 * one and in which position.
 */
QV_API enum qv_status qv_conform(const struct qv_context *context, const struct qv_rules *rules,
				 const struct qv_conformance *how, struct qv_error *error);

#endif
