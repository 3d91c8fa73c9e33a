/*
 * quevedo.h - the public interface of Quevedo, whole: play, search and record strategy games.
 * SPDX-License-Identifier: MIT
 *
 * Part 1 is what a game is. A game of your own needs nothing else and links to nothing: the helpers
 * are inline. docs/add-a-game.md walks through one. Part 2 is what the library does with any game.
 *
 * Rules that hold everywhere:
 *  - A state is plain bytes of fixed size, with no pointers and no padding: copied with memcpy,
 *    equal if memcmp says so. To try a move, copy the state and play on the copy; there is no undo.
 *    The memory of a state is aligned for any type (what malloc gives).
 *  - Nothing here prints, exits, or keeps mutable global data. Two contexts never meet.
 *  - What can fail returns enum qv_status and, through a struct qv_error that may be NULL, one
 *    sentence "WHAT: WHY" without a newline. Outputs are untouched on failure unless the function
 *    says otherwise.
 *  - Seats count from 0 here; texts for people count from 1.
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

#define QV_VERSION "0.1.0"
#define QV_INTERFACE 6 /* of struct qv_game; a plug-in built for another one is refused */

/* ---- Part 1: what a game is ---- */

typedef uint64_t qv_move;      /* the game's own layout */
#define QV_NO_MOVE UINT64_MAX

enum {
	QV_CHANCE = -1,            /* the seat to move where the dice decide */
	QV_MAX_SEATS = 4,
	QV_MAX_OPTIONS = 8,
	QV_MAX_MOVES = 4096,       /* bound on qv_game.max_moves */
	QV_MAX_STATE = 1 << 16,    /* bound on qv_game.state_size, bytes */
	QV_MAX_EVAL = 1 << 28,     /* bound on the size of an evaluation */
	QV_WIN = 1 << 30,          /* a won position; in a search, minus the plies to get there */
	QV_MOVE_TEXT = 64,         /* move texts fit, with their NUL */
	QV_POSITION_TEXT = 4096,   /* position texts fit, with their NUL */
};

/* What a `leaf` function returns for a game that has ended; anything else is an evaluation. */
#define QV_LEAF_WON QV_WIN          /* for the seat to move */
#define QV_LEAF_LOST (-QV_WIN)
#define QV_LEAF_DRAWN (QV_WIN + 1)

/* What the slot `phase` returns. */
enum qv_phase { QV_OPENING, QV_MIDDLE, QV_END, QV_PHASES };

enum qv_outcome {
	QV_GOING,
	QV_ENDED,                  /* the seat with most points has won; equal points are a draw */
	QV_DRAWN_BY_COUNT,         /* a counter in the state ended it; perft and tables play on */
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
	char text[256];            /* "WHAT: WHY", NUL-terminated, one line, printable */
};

/*
 * Writes the sentence, if error is not NULL, and returns status: `return qv_fail(e, QV_BAD_INPUT,
 * ...)`.
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
			*c = '?';              /* one printable line, whatever bytes were quoted */
	return status;
}

/*
 * Text being written into the caller's buffer. What does not fit is dropped, never overrun;
 * `length` goes on counting, so length >= size says the text was cut, and how much room it needs.
 * The data is NUL-terminated once something was put, if size > 0. { NULL, 0, 0 } measures.
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
 * Random numbers: SplitMix64. The k-th number of a key can be asked for by name (qv_random_at), and
 * a struct qv_random walks the same sequence, so a throw of dice is reproducible without replaying
 * what went before: key = qv_random_key(qv_random_key(seed, game), seat), number k.
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

/* A key for sub-sequence `stream` of `key`. */
static inline uint64_t qv_random_key(uint64_t key, uint64_t stream)
{
	return qv_mix(qv_random_at(key, stream) ^ UINT64_C(0x5851f42d4c957f2d));
}

struct qv_random {
	uint64_t key, next;        /* next: how many numbers have been drawn */
};

static inline uint64_t qv_random_next(struct qv_random *r)
{
	return qv_random_at(r->key, r->next++);
}

/* Number k of the key as a whole number below n (n > 0), every value exactly as likely. */
static inline uint64_t qv_random_below_at(uint64_t key, uint64_t k, uint64_t n)
{
	const uint64_t odd_ones = (0 - n) % n;     /* 2^64 mod n draws are refused */
	uint64_t x = qv_random_at(key, k);
	for (uint64_t retry = 0; x < odd_ones; retry++)
		x = qv_random_at(qv_random_key(key, k), retry);
	return x % n;
}

static inline uint64_t qv_random_below(struct qv_random *r, uint64_t n)
{
	return qv_random_below_at(r->key, r->next++, n);
}

/* A hash of any bytes; good enough for a state without a hash of its own. */
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
 * An option of the game's, as in `gomoku:size=19`. A whole number from min to max, or, with choices
 * ("loss|draw"), the place of a word in them, from 0. The values reach start and position_parse as
 * an array in the order of the table.
 */
struct qv_option {
	const char *name, *help;   /* a NULL name ends the table */
	const char *choices;
	int64_t min, max, preset;
};

/* A named group of weights: `count` of the int32_t values, from place `first`. */
struct qv_weight {
	const char *name;          /* NULL ends the table */
	int first, count;
};

/*
 * An evaluation: how good the position is for the seat to move, from -QV_MAX_EVAL to QV_MAX_EVAL.
 * It may be asked for any position, ended ones too. With seats that are opponents, the value for
 * the one is minus the value for the other.
 */
struct qv_evaluation {
	const char *name, *help;   /* a NULL name ends the table; the first entry is the default */
	int32_t (*evaluate)(const void *state, const void *weights);
	/*
	 * Optional, for speed: QV_LEAF_WON, _LOST or _DRAWN if the game has ended, else the
	 * evaluation. Two-seat games.
	 */
	int32_t (*leaf)(const void *state, const void *weights);
	const void *weights;       /* the defaults, handed to the two above; may be NULL */
	size_t weights_size;
	/* If the weights are an array of int32_t: its parts, so that files can set them. */
	const struct qv_weight *names;
	/* Optional: reads weights that are not such an array. */
	enum qv_status (*read)(const char *data, size_t size, void *weights,
			       struct qv_error *error);
	/*
	 * Optional: what a legal move gains for the seat that plays it, in the same points and
	 * without playing it (`move-eval=1`). That of the evaluation `material` ranks the moves as
	 * the positions after them.
	 */
	int32_t (*move)(const void *state, qv_move move, const void *weights);
	/*
	 * Optional: QV_PHASES sets of weights, each of weights_size bytes, one after the other
	 * (`phases=1`); the phase of the position that is searched picks one.
	 */
	const void *phase_weights;
	/*
	 * Optional, for more than two seats: how good the position is for each of them, in the
	 * bounds of evaluate, which gives the one of the seat to move. Without it the others
	 * share minus what evaluate gives.
	 */
	void (*seats)(const void *state, const void *weights, int32_t *values);
	/*
	 * Optional, for speed: evaluate, by what earlier calls left in memory_size bytes, aligned
	 * to 64. They are zeros at first, of one thread, and of these weights only.
	 */
	int32_t (*recall)(const void *state, const void *weights, void *memory);
	size_t memory_size;
};

#include "quevedo_index.h"

/*
 * One game: facts and functions. No function keeps or changes anything but its outputs; all may run
 * in any thread.
 */
struct qv_game {
	/* Facts. */
	int interface;             /* QV_INTERFACE */
	const char *name;          /* a-z, 0-9 and '-' */
	const char *title;
	const char *aliases;       /* other names, blank-separated; may be NULL */
	const char *help;          /* the rules for people; may be NULL */
	int seats;                 /* 1 to QV_MAX_SEATS */
	bool alternates;           /* two seats that always move in turn */
	bool chance;               /* has positions where QV_CHANCE moves */
	size_t state_size;
	int max_moves;             /* no position has more moves (or outcomes of chance) */
	int max_plies;             /* no game from the start is longer; 0: not known */
	int symmetries; /* images of a position, itself (number 0) included; 0 or 1: none */
	/*
	 * What a won game is worth on the evaluation's scale, where chances are averaged;
	 * evaluations beyond it are cut to it. 0: QV_MAX_EVAL.
	 */
	int32_t win;
	const struct qv_option *options;           /* may be NULL, as may the next two */
	const struct qv_evaluation *evaluations;
	const char *const *levels; /* player specs, weakest first, NULL-terminated */
	const char *solved; /* "win", "loss" or "draw" for the first to move; NULL: not known */

	/* Required. */
	void (*start)(const int64_t *options, void *state);
	/*
	 * The seat to move, or QV_CHANCE; still valid (the next one, never QV_CHANCE) when the game
	 * has ended.
	 */
	int (*seat)(const void *state);
	/*
	 * Fills list (max_moves of room), always in the same order; returns how many; 0 only when
	 * the game has ended.
	 */
	int (*moves)(const void *state, qv_move *list);
	void (*play)(void *state, qv_move move);   /* a legal move */
	/* points: one for each seat, written unless QV_GOING. */
	enum qv_outcome (*result)(const void *state, int32_t *points);
	/*
	 * Equal states, equal hashes; different ones, different hashes, but for chance's 1 in 2^64:
	 * tables trust it.
	 */
	uint64_t (*hash)(const void *state);
	/*
	 * Canonical texts: different moves of one position, and different states, have different
	 * ones.
	 */
	void (*move_text)(const void *state, qv_move move, struct qv_text *out);
	void (*position_text)(const void *state, struct qv_text *out);
	/* Reads a position and checks it against the rules. Any NUL-terminated bytes may come. */
	enum qv_status (*position_parse)(const int64_t *options, const char *text, void *state,
					 struct qv_error *error);

	/* Optional (NULL: not there). */
	uint32_t (*weight)(const void *state,
			   qv_move outcome); /* of an outcome of chance, > 0; needed with chance */
	int32_t (*rank)(
		const void *state,
		qv_move move); /* moves likely to be good rank high (to +-2^27); tried first */
	int (*count)(const void *state); /* how many moves there are, faster than listing */
	bool (*quiet)(const void *state, qv_move move);            /* a search may stop after it */
	/* A move whose text is not the canonical one; the library checks that it is legal. */
	bool (*move_parse)(const void *state, const char *text, qv_move *move);
	/*
	 * Counted moves: a listed move that carries a number has max_count > 1 and stands for the
	 * moves with_count(move, 1 .. max_count), all legal; with_count(move, max_count) is the
	 * listed move itself. Others have 1.
	 */
	int (*max_count)(const void *state, qv_move move);
	qv_move (*with_count)(qv_move move, int count);
	/*
	 * Repetition: the position has been there `times` times before (> 0) since the last
	 * irreversible move. Returns QV_GOING, or QV_ENDED with points. No position recurs after an
	 * irreversible move. Both or neither. Positions are the same if their repeat_hash is: the
	 * state's hash without counters that only grow (NULL: hash itself).
	 */
	enum qv_outcome (*repeated)(const void *state, int times, int32_t *points);
	bool (*irreversible)(const void *state, qv_move move);
	uint64_t (*repeat_hash)(const void *state);
	/*
	 * Image number k under symmetry; playing and taking the image may be done in either order.
	 * Both or neither.
	 */
	void (*image)(const void *state, int k, void *out);
	qv_move (*image_move)(const void *state, int k, qv_move move);
	/*
	 * The board for a terminal, lines ended by '\n', at most 40 columns if it can be; unicode:
	 * UTF-8 is welcome.
	 */
	void (*draw)(const void *state, bool unicode, struct qv_text *out);
	const struct qv_index *index;              /* for tables; may be NULL */
	/*
	 * What the pieces of a seat are worth together, whoever is to move: from 0 to
	 * QV_MAX_EVAL / 2, in the points of the evaluations. An evaluation named `material` is the
	 * difference.
	 */
	int32_t (*material)(const void *state, int seat);
	int (*phase)(const void *state);           /* one of enum qv_phase */
	const struct qv_board *board;              /* for pages (quevedo_board.h); may be NULL */
};

/* What a plug-in exports as qv_plugin: its games, index 0, 1, ...; NULL ends the list. */
typedef const struct qv_game *qv_plugin_fn(int index);

/* ---- Part 2: what the library does with any game ---- */

#if defined(__GNUC__)
#define QV_API __attribute__((visibility("default")))
#else
#define QV_API
#endif

QV_API const char *qv_version(void);
QV_API const char *qv_status_text(enum qv_status status);   /* static */

/*
 * All memory comes from here. resize(ctx, NULL, 0, n) allocates, resize(ctx, p, old, 0) frees and
 * returns NULL, else it moves; NULL says no memory and leaves the old block alone. Called from any
 * thread that uses the context.
 */
struct qv_allocator {
	void *(*resize)(void *ctx, void *block, size_t old_size, size_t new_size);
	void *ctx;
};

/*
 * A context knows the games: ours, and those of loaded plug-ins. One may be shared by threads once
 * its plug-ins are loaded.
 */
struct qv_context;
QV_API struct qv_context *qv_context_new(
	const struct qv_allocator *allocator); /* NULL: malloc. Returns NULL: no memory */
QV_API void qv_context_free(
	struct qv_context *context); /* NULL is fine; free players and records first */
/*
 * Loads all games of a shared object. Path: as dlopen takes it, but a bare file name means the
 * current folder.
 */
QV_API enum qv_status qv_context_load(struct qv_context *context, const char *path,
				      struct qv_error *error);
QV_API const struct qv_game *qv_game_at(const struct qv_context *context,
					int index); /* NULL ends the list */

/* A game with its options set. Plain data. */
struct qv_rules {
	const struct qv_game *game;
	int64_t options[QV_MAX_OPTIONS];
};
/* Reads NAME[:key=value,...]; an unknown name or key is an error that names the nearest. */
QV_API enum qv_status qv_rules_parse(const struct qv_context *context, const char *text,
				     struct qv_rules *out, struct qv_error *error);
/* The same text back, with the options that differ from their presets. */
QV_API void qv_rules_text(const struct qv_rules *rules, struct qv_text *out);

/* Memory for one state of the game, zeroed; NULL: no memory. */
QV_API void *qv_state_new(const struct qv_context *context, const struct qv_game *game);
QV_API void qv_state_free(const struct qv_context *context, const struct qv_game *game,
			  void *state);

/* NULL, "" and "start" are the start position. */
QV_API enum qv_status qv_position_parse(const struct qv_rules *rules, const char *text, void *state,
					struct qv_error *error);
/* Reads a move that is legal here; letter case is ignored where that is not ambiguous. */
QV_API enum qv_status qv_move_parse(const struct qv_game *game, const void *state, const char *text,
				    qv_move *out, struct qv_error *error);
QV_API bool qv_move_legal(const struct qv_game *game, const void *state, qv_move move);
/* The seat with most points; -1: a draw. */
QV_API int qv_winner(const struct qv_game *game, const int32_t *points);

/* Leaves at exactly that depth: docs/search.md has the convention. */
struct qv_perft_limits {
	int depth;
	size_t hash_bytes;         /* 0: no table */
	int threads;               /* 0 or 1: this thread alone */
	const atomic_bool *stop;   /* may be NULL */
};
QV_API enum qv_status qv_perft(const struct qv_context *context, const struct qv_game *game,
			       const void *state, const struct qv_perft_limits *limits,
			       uint64_t *leaves, struct qv_error *error);

/* ---- Solving ---- */

enum qv_value {
	QV_VALUE_UNKNOWN,          /* stopped before it was known */
	QV_VALUE_LOSS,             /* for the seat to move, as the others */
	QV_VALUE_DRAW,
	QV_VALUE_WIN,
};

struct qv_solve_limits {
	bool distance;             /* also find the plies to the end */
	const atomic_bool *stop;   /* may be NULL */
	bool margin;               /* also find the margin, if the game's solver can */
	int threads;               /* at most, if the game's solver can; 0: one. The answer is the same */
};

struct qv_solution {
	enum qv_value value;
	int in;                    /* plies to the end of a win or loss, best play of both; -1: not known */
	qv_move move;              /* one that keeps them; QV_NO_MOVE: none is known */
	uint64_t nodes;
	double seconds;
	bool has_margin;           /* it was asked for, and the game's solver has found it */
	int32_t margin;            /* final points ahead; in reversi the winner gets empty squares */
};

/*
 * Proves the values of positions: by the game's own solver, or by the two-player search, ever
 * deeper. Games of two seats without chance; repetition is not looked at. What one position
 * taught is kept for the next. One thread at a time for a solver; the context must outlive it.
 */
struct qv_solver;
QV_API enum qv_status qv_solver_new(const struct qv_context *context, const struct qv_rules *rules,
				    size_t hash_bytes, struct qv_solver **out,
				    struct qv_error *error);
/* The same in a way that is asked for. */
enum qv_solve_by {
	QV_BY_ANY,                 /* the game's own solver, else the two-player search */
	QV_BY_SEARCH,
	QV_BY_PROOF,               /* df-pn; finds no distance, which is an error to ask for */
	QV_BY_OWN,                 /* the game's own solver; QV_UNSUPPORTED: it has none */
};
QV_API enum qv_status qv_solver_new_by(const struct qv_context *context,
				       const struct qv_rules *rules, enum qv_solve_by by,
				       size_t hash_bytes, struct qv_solver **out,
				       struct qv_error *error);
QV_API void qv_solver_free(struct qv_solver *solver);       /* NULL is fine */
/* QV_STOPPED: *out is valid and its value unknown, unless only the distance was still missing. */
QV_API enum qv_status qv_solver_solve(struct qv_solver *solver, const void *state,
				      const struct qv_solve_limits *limits,
				      struct qv_solution *out, struct qv_error *error);

struct qv_certify {
	bool distance;             /* as in struct qv_solve_limits */
	const atomic_bool *stop;   /* may be NULL */
	uint64_t most;             /* positions at most; 0: as many as memory allows */
	/* How many positions are known and how many of them are dealt with; may be NULL. */
	void (*progress)(void *ctx, uint64_t done, uint64_t known);
	/* Takes the next piece of the text; false: QV_IO. */
	bool (*write)(void *ctx, const char *data, size_t size);
	void *ctx;
};

/*
 * Proves the value and writes its certificate: for each position that can come about, the move
 * that holds it (docs/formats.md). The program quevedo-check reads it and trusts nothing but the
 * rules. What was written is worth nothing unless QV_OK comes back with a known value.
 */
QV_API enum qv_status qv_certify(struct qv_solver *solver, const void *state,
				 const struct qv_certify *how, struct qv_solution *out,
				 struct qv_error *error);

/* ---- Tables ---- */

/* Told while tables are made or checked. */
struct qv_tables_news {
	const char *space;         /* the last one of the group at work */
	int level;                 /* plies from the end; -1: the first pass */
	double part;               /* of the level that is done */
};

struct qv_tables_job {
	const char *folder;        /* the tables are FOLDER/GAME/SPACE.qvt */
	const char *up_to;         /* leave out groups after the one of this space; NULL: none */
	int threads;               /* the tables are the same, whatever their number */
	bool counters;             /* counts moves instead of asking again: twice the memory */
	int64_t checkpoint_ms;     /* between checkpoints; 0: as often as possible */
	const atomic_bool *stop;   /* may be NULL */
	void (*progress)(void *ctx, const struct qv_tables_news *news);    /* may be NULL */
	void *ctx;
};

struct qv_tables_plan {
	int spaces, finished;
	uint64_t numbers;
	double positions;          /* numbers that are no holes, by a sample */
	uint64_t memory;           /* bytes, at the worst moment, if values fit a byte */
	uint64_t disk;             /* bytes, at most, if values fit a byte */
	double seconds;            /* roughly */
	bool open_ended;           /* without parents: many times longer, the more levels there are */
};
/* What is still to be done, by a sample of each space. */
QV_API enum qv_status qv_tables_plan(const struct qv_context *context, const struct qv_rules *rules,
				     const struct qv_tables_job *job, struct qv_tables_plan *out,
				     struct qv_error *error);
/*
 * Makes the tables that are missing, and goes on where an earlier run ended, however it did.
 * QV_STOPPED: what was done is saved. QV_ILLEGAL: the game's index contradicts its rules.
 */
QV_API enum qv_status qv_tables_build(const struct qv_context *context,
				      const struct qv_rules *rules, const struct qv_tables_job *job,
				      struct qv_error *error);

struct qv_tables_report {
	uint64_t entries, wrong;
	char first_wrong[160];     /* in words, if there is one */
};
/* Verifies every entry against its successors, by the rules alone. */
QV_API enum qv_status qv_tables_check(const struct qv_context *context,
				      const struct qv_rules *rules, const struct qv_tables_job *job,
				      struct qv_tables_report *out, struct qv_error *error);

/* What is known of one table. */
struct qv_table {
	struct qv_space space;
	bool there;                /* finished; the rest is nothing if it is not */
	uint64_t wins, draws, losses, holes;   /* for the side to move */
	int longest;               /* most plies of a win or loss; -1: there is none */
	uint64_t bytes;            /* of the file */
};
/*
 * The tables of a game, to be looked up; only what is asked for is read. One thread at a time; the
 * context must outlive them.
 */
struct qv_tables;
QV_API enum qv_status qv_tables_open(const struct qv_context *context, const struct qv_rules *rules,
				     const char *folder, struct qv_tables **out,
				     struct qv_error *error);
QV_API void qv_tables_close(struct qv_tables *tables);      /* NULL is fine */
QV_API bool qv_tables_at(struct qv_tables *tables, int space,
			 struct qv_table *out); /* false: there is no such space */
/*
 * Value, plies to the end, and a move that keeps both. Counters that draw and repetition are not
 * looked at. QV_UNKNOWN: the position is in no space; QV_IO: its table is not there.
 */
QV_API enum qv_status qv_tables_probe(struct qv_tables *tables, const void *state,
				      struct qv_solution *out, struct qv_error *error);
/*
 * The same as a solver. Positions in no space are searched to the tables, which gives no distance;
 * hash_bytes is for what that search remembers. Unknown: a counter draws the line. QV_IO: a table
 * that is needed is not there.
 */
QV_API enum qv_status qv_solver_new_tables(const struct qv_context *context,
					   const struct qv_rules *rules, const char *folder,
					   size_t hash_bytes, struct qv_solver **out,
					   struct qv_error *error);

/* ---- Players ---- */

enum { QV_MAX_LINE = 128 };

/*
 * How long to think. Zero in any field: no such limit of the caller's; the player's own (its spec)
 * still hold.
 */
struct qv_limits {
	int depth;
	uint64_t nodes, evals;
	int64_t time_ms;           /* at most */
	int64_t aim_ms;            /* what it should take: less where the move is plain, more in doubt */
	/* While it is set no time runs, as in the opponent's time; as stop, but cleared from outside. */
	const atomic_bool *ponder;
	/*
	 * The caller owns the flag, clears it before the search starts and sets it from any thread;
	 * the search only reads it, so a stop that comes before the first node still counts. NULL:
	 * never stopped.
	 */
	const atomic_bool *stop;
	/*
	 * repeat_hash of the positions since the last irreversible move, oldest first, without this
	 * one.
	 */
	const uint64_t *history;
	int history_count;
	/*
	 * Search these root moves alone; the score, proven or not, is then theirs. NULL, or none of
	 * them legal: all.
	 */
	const qv_move *only;
	int only_count;
};

struct qv_answer {
	qv_move move;              /* legal, always, unless the game has ended: then QV_NO_MOVE */
	int32_t score;             /* for the seat to move; a win is QV_WIN minus plies */
	bool proven;               /* the score is the game's value, not an estimate */
	bool rests_on_repetition;  /* ... and holds for this history only */
	int bound;                 /* for a listener's `bound`: 1 at least the score, -1 at most; else 0 */
	int depth;                 /* of the last complete iteration */
	int deepest;               /* ply of the deepest position made; 0: not counted */
	int table_permille;        /* of the table, filled by this search; 0: there is none */
	uint64_t nodes;            /* positions made by playing a move */
	uint64_t evals;            /* calls of the evaluation */
	uint64_t considered;       /* moves tried in the whole tree */
	double seconds;
	int line_length;
	qv_move line[QV_MAX_LINE]; /* the best line; line[0] is move */
};

/*
 * Told of a search as it goes, in the thread that called qv_player_think. Every function may be
 * NULL.
 */
struct qv_listener {
	void (*iteration)(void *ctx, const struct qv_answer *so_far);
	/* An iteration of that depth begins again, with a wider window: the score is a bound. */
	void (*bound)(void *ctx, const struct qv_answer *so_far);
	/* Before the n-th move of the root, from 1, is searched; depth is the iteration's. */
	void (*root_move)(void *ctx, qv_move move, int n, int depth);
	/*
	 * Before a move is searched: the position it is played in, its window, plies from the root.
	 */
	void (*branch)(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		       int32_t beta);
	/*
	 * After it: its value for the seat that played it, and whether the moves after it were cut
	 * off.
	 */
	void (*node)(void *ctx, qv_move move, int ply, int32_t value, bool cut);
	void (*leaf)(void *ctx, const void *state, int ply, int32_t value);
	void *ctx;
};

/* The common options, for what a spec leaves open. */
struct qv_defaults {
	uint64_t seed;
	int threads, hash_mb;
	const char *tables;        /* where `perfect` looks for some if not told; NULL: nowhere */
};

struct qv_player;
/*
 * The specs that level:1, level:2, ... stand for, NULL-terminated: the game's own, or some that
 * suit any.
 */
QV_API const char *const *qv_levels(const struct qv_game *game);
/*
 * Makes a player from a spec (`quevedo help players`). The rules are copied; the context must
 * outlive the player.
 */
QV_API enum qv_status qv_player_new(const struct qv_context *context, const struct qv_rules *rules,
				    const char *spec, const struct qv_defaults *defaults,
				    struct qv_player **out, struct qv_error *error);
QV_API void qv_player_free(struct qv_player *player);       /* NULL is fine */
/*
 * Forgets everything learned from earlier searches, and starts the random numbers anew. (What `learn`
 * has learned from games it keeps.)
 */
QV_API void qv_player_new_game(struct qv_player *player);
/*
 * Tells a player how a game that it has played ended; state is the last position. A learner
 * remembers what lost, and writes its file; to the others it means nothing.
 */
QV_API enum qv_status qv_player_game_over(struct qv_player *player, const void *state,
					  struct qv_error *error);
/*
 * Chooses a move. Answers exactly once: QV_OK, or QV_STOPPED with *out valid too, when a stop came
 * before the search was done. limits and listener may be NULL. One thread at a time for a player.
 */
QV_API enum qv_status qv_player_think(struct qv_player *player, const void *state,
				      const struct qv_limits *limits,
				      const struct qv_listener *listener, struct qv_answer *out,
				      struct qv_error *error);

/* ---- The record of a game ---- */

/*
 * What happened: moves with times and notes, variations, undo and redo, the result. A tree of moves
 * with a cursor. Playing after an undo starts a variation, or walks into one that is there.
 */
struct qv_record;
QV_API enum qv_status qv_record_new(const struct qv_context *context, const struct qv_rules *rules,
				    const char *position, struct qv_record **out,
				    struct qv_error *error);
QV_API void qv_record_free(struct qv_record *record);       /* NULL is fine */
QV_API const struct qv_rules *qv_record_rules(const struct qv_record *record);
QV_API const void *qv_record_state(
	const struct qv_record *record); /* at the cursor; until the next change */
QV_API int qv_record_ply(const struct qv_record *record);   /* moves from the start to the cursor */
QV_API qv_move qv_record_move(const struct qv_record *record,
			      int ply); /* the one that led to ply + 1, on the cursor's line */
/* How many moves have been played from the cursor's position; the n-th of them, oldest first. */
QV_API int qv_record_variations(const struct qv_record *record);
QV_API qv_move qv_record_variation(const struct qv_record *record, int n);
/* seconds < 0: not known. QV_ILLEGAL for a move the rules forbid, or after the end. */
QV_API enum qv_status qv_record_play(struct qv_record *record, qv_move move, double seconds,
				     struct qv_error *error);
/*
 * Moves the cursor back, or on along the line last walked; *done is how many plies it could; may be
 * NULL.
 */
QV_API enum qv_status qv_record_undo(struct qv_record *record, int plies, int *done);
QV_API enum qv_status qv_record_redo(struct qv_record *record, int plies, int *done);
QV_API enum qv_status qv_record_note(struct qv_record *record,
				     const char *text); /* UTF-8, to the cursor's position */
QV_API const char *qv_record_note_text(const struct qv_record *record);  /* NULL: none */
QV_API enum qv_status qv_record_clock(struct qv_record *record, int seat, int64_t left_ms);
QV_API int64_t qv_record_clock_left(const struct qv_record *record, int seat); /* -1: never said */
enum { QV_UNDECIDED = -2 };        /* as winner: the game was broken off */
/*
 * Ends the game by agreement, resignation, a flag: winner, -1 for a draw, or QV_UNDECIDED. Undo
 * takes it back.
 */
QV_API enum qv_status qv_record_end(struct qv_record *record, int winner, const char *reason);
/* The result at the cursor: by the rules, by repetition, or as said by qv_record_end. */
QV_API enum qv_outcome qv_record_result(const struct qv_record *record, int32_t *points);
/* Who has won there: a seat, -1 after a draw, QV_UNDECIDED if it goes on or was broken off. */
QV_API int qv_record_winner(const struct qv_record *record);
/* Hashes for struct qv_limits; valid until the next change. */
QV_API const uint64_t *qv_record_history(const struct qv_record *record, int *count);
/* The journal, JSON lines. */
QV_API void qv_record_save(const struct qv_record *record, struct qv_text *out);
QV_API enum qv_status qv_record_load(const struct qv_context *context, const char *data,
				     size_t size, struct qv_record **out, struct qv_error *error);

/* ---- The conformance suite ---- */

struct qv_conformance {
	uint64_t seed;
	int games;                 /* random games to play; 0: 100 */
	int max_plies;             /* of one random game; 0: 400 */
	int search_depth;          /* of the searches compared; 0: 3 */
	void (*progress)(void *ctx, const char *law,
			 uint64_t checks); /* after each law that holds; may be NULL */
	void *ctx;
};
/*
 * Checks the laws that every game must obey. QV_ILLEGAL: one does not hold; the error says which,
 * and where.
 */
QV_API enum qv_status qv_conform(const struct qv_context *context, const struct qv_rules *rules,
				 const struct qv_conformance *how, struct qv_error *error);

#endif
