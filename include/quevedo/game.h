/*
 * game.h - part of quevedo.h: what a game is. All that you need to write a plug-in.
 * SPDX-License-Identifier: MIT
 *
 * To write a game of your own you need nothing else and link to nothing, because the helper
 * functions are inline. docs/add-a-game.md walks through an example. If you only use games, you need
 * not touch these structs: rules.h has a function for each of their slots.
 *
 * How the structs of a plug-in stay compatible: new members are added at the end, and QV_INTERFACE
 * rises. Plug-ins of interface 6 and later keep loading; what their structs lack is NULL or 0. The
 * arrays of a plug-in are read with the sizes in `sizes`.
 */
#ifndef QUEVEDO_GAME_H
#define QUEVEDO_GAME_H

#include "base.h"
#include "board.h"
#include "index.h"
#include "terms.h"

/*
 * The version of struct qv_game and the structs around it. A plug-in that was built for a later
 * version is not loaded.
 */
#define QV_INTERFACE 9

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An option of a game, as in `gomoku:size=19`. Its value is an integer from min to max. With
 * choices ("loss|draw") it is the index of one of these words, from 0, and min and max are ignored.
 * `start`, `position_parse` and some functions of the board and the index get the values as an
 * array in the order of this table. The other functions do not: store in the state what they need.
 */
struct qv_option {
	const char *name, *help;   /* a NULL name ends the table */
	const char *choices;
	int64_t min, max, preset;  /* preset: the default */
};

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

/*
 * The sizes of a plug-in's structs, as its compiler knows them. QV_HEAD sets them.
 */
struct qv_sizes {
	uint32_t option, evaluation, weight, term;
	uint32_t index, space, place;
	uint32_t board, piece, layout, cell, line, label, standing, notion;
	uint32_t unused;           /* 0 */
};
#define QV_SIZES                                                                            \
	{                                                                                   \
		sizeof(struct qv_option), sizeof(struct qv_evaluation),                     \
			sizeof(struct qv_weight), sizeof(struct qv_term),                   \
			sizeof(struct qv_index), sizeof(struct qv_space),                   \
			sizeof(struct qv_place), sizeof(struct qv_board),                   \
			sizeof(struct qv_piece), sizeof(struct qv_layout),                  \
			sizeof(struct qv_cell), sizeof(struct qv_line),                     \
			sizeof(struct qv_label), sizeof(struct qv_standing),                \
			sizeof(struct qv_notion), 0                                         \
	}
/*
 * Says which header a struct was compiled with. Begin your struct qv_game and your struct
 * qv_added_evaluations with it: { QV_HEAD(qv_game), .name = ... }. In C++ set the three members in
 * their order: first interface_number and size, and `sizes` where it stands in the struct.
 */
#define QV_HEAD(type)                                                             \
	.interface_number = QV_INTERFACE, .size = sizeof(struct type), .sizes = QV_SIZES

/*
 * One game: facts and functions. A function changes nothing but its outputs and keeps no reference
 * to its arguments. Any number of threads may call it at the same time.
 */
struct qv_game {
	/* Facts. */
	int32_t interface_number;  /* QV_INTERFACE */
	uint32_t size;             /* sizeof(struct qv_game) */
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
	/*
	 * For games of two seats in which the margin of points matters: the largest margin that
	 * counts; larger ones are cut to it. Solvers and `perfect` then find the best margin, and
	 * mcts and maxn play for it. Where chance outcomes are averaged, a game won by m points
	 * counts win * m / stakes. 0: all wins count the same.
	 */
	int32_t stakes;
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
	 * seat. The most points win. With three or four seats they rank all seats: in a match,
	 * second place beats third. If only the winner counts, give all others the same points.
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
	/* For graphical boards (quevedo/board.h); may be NULL. */
	const struct qv_board *board;

	/* Since interface 9. */
	struct qv_sizes sizes;     /* QV_SIZES */
	/* Names of the seats for users, such as "South": one for each seat; NULL: numbers. */
	const char *const *seat_names;
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
	int32_t interface_number;  /* QV_INTERFACE */
	uint32_t size;             /* sizeof(struct qv_added_evaluations) */
	const char *game;          /* its name: a built-in game, or one of a plug-in loaded before */
	const struct qv_evaluation *evaluations;   /* a NULL name ends the table */
	/*
	 * Where the library stores the game before it calls an evaluation, always the same pointer;
	 * may be NULL.
	 */
	const struct qv_game **rules;
	struct qv_sizes sizes;     /* QV_SIZES */
};

/*
 * A plug-in may export a function `qv_plugin_evaluations` of this type, besides qv_plugin or in its
 * place. It returns tables for index 0, 1, ..., and NULL after the last one.
 */
typedef const struct qv_added_evaluations *qv_plugin_evaluations_fn(int index);

#ifdef __cplusplus
}
#endif

#endif
