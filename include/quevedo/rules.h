/*
 * rules.h - part of quevedo.h: contexts, games, rules, positions and moves.
 * SPDX-License-Identifier: MIT
 *
 * These functions play any game, so that a program, in whatever language, need not know struct
 * qv_game. A state is qv_state_size(game) bytes; allocate it with qv_state_new or yourself.
 */
#ifndef QUEVEDO_RULES_H
#define QUEVEDO_RULES_H

#include "game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Contexts ---- */

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
 * Loads all games and evaluations of a shared object, or none on failure. path is as for dlopen,
 * except that a bare file name refers to the current folder. Plug-ins of interface 6 to
 * QV_INTERFACE are accepted. Not while another thread uses the context.
 */
QV_API enum qv_status qv_context_load(struct qv_context *context, const char *path,
				      struct qv_error *error);
/*
 * Adds evaluations to a game, as a plug-in does; the table must outlive the context. QV_UNKNOWN: no
 * such game. QV_UNSUPPORTED: a later interface, or `rules` and one before 8. QV_ILLEGAL: the name is
 * taken, or the table is wrong. Not while another thread uses the context.
 */
QV_API enum qv_status qv_context_add_evaluations(struct qv_context *context,
						 const struct qv_added_evaluations *added,
						 struct qv_error *error);

/* ---- Games ---- */

/* The game number `index`, from 0; NULL after the last one. It is valid as long as the context. */
QV_API const struct qv_game *qv_game_at(const struct qv_context *context, int index);
/* The game with this name or alias, in any letter case; NULL: no such game. */
QV_API const struct qv_game *qv_game_find(const struct qv_context *context, const char *name);
/* Facts about a game. Texts are valid as long as the context. */
QV_API const char *qv_game_name(const struct qv_game *game);
QV_API const char *qv_game_title(const struct qv_game *game);
QV_API const char *qv_game_help(const struct qv_game *game);       /* may be NULL */
QV_API int qv_game_seats(const struct qv_game *game);
/* The name of a seat, such as "South"; NULL: the game has no names for its seats. */
QV_API const char *qv_game_seat_name(const struct qv_game *game, int seat);
QV_API bool qv_game_has_chance(const struct qv_game *game);
QV_API bool qv_game_alternates(const struct qv_game *game);        /* two seats, in turn */
/* The largest margin of points that counts; 0: only who wins counts. */
QV_API int32_t qv_game_stakes(const struct qv_game *game);
/* Upper limits: moves or outcomes of a position; plies of a game, or 0 if unknown. */
QV_API int qv_game_max_moves(const struct qv_game *game);
QV_API int qv_game_max_plies(const struct qv_game *game);
/* "win", "loss" or "draw" for the seat that moves first; NULL: unknown. */
QV_API const char *qv_game_solved(const struct qv_game *game);
/* Option number `index` of the game, from 0, in the order of qv_rules.options; NULL: no more. */
QV_API const struct qv_option *qv_game_option(const struct qv_game *game, int index);
/*
 * The name of an evaluation of the game, from 0: its own, then those that were added to it. NULL:
 * no more. *help, unless help is NULL, becomes a line about it, or NULL.
 */
QV_API const char *qv_game_evaluation(const struct qv_context *context, const struct qv_game *game,
				      int index, const char **help);

/* ---- Rules ---- */

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
/* The game of the rules, and the game with the defaults of its options. */
QV_API const struct qv_game *qv_rules_game(const struct qv_rules *rules);
QV_API void qv_rules_default(const struct qv_game *game, struct qv_rules *out);
/*
 * Gets and sets the value of an option by name; a choice is the index of its word. QV_UNKNOWN: no
 * such option. QV_BAD_INPUT: the value is out of its bounds.
 */
QV_API enum qv_status qv_rules_get(const struct qv_rules *rules, const char *name, int64_t *value,
				   struct qv_error *error);
QV_API enum qv_status qv_rules_set(struct qv_rules *rules, const char *name, int64_t value,
				   struct qv_error *error);

/* ---- States ---- */

/* The bytes of a state, and a copy of one. */
QV_API size_t qv_state_size(const struct qv_game *game);
QV_API void qv_state_copy(const struct qv_game *game, void *to, const void *from);
/*
 * Allocates one zeroed state of the game; NULL if there is not enough memory. Free it with
 * qv_state_free and the same context and game; NULL is accepted.
 */
QV_API void *qv_state_new(const struct qv_context *context, const struct qv_game *game);
QV_API void qv_state_free(const struct qv_context *context, const struct qv_game *game,
			  void *state);

/* Writes the start position. */
QV_API void qv_start(const struct qv_rules *rules, void *state);
/*
 * Reads a position in the game's notation into state. NULL, "" and "start" are the start position.
 */
QV_API enum qv_status qv_position_parse(const struct qv_rules *rules, const char *text, void *state,
					struct qv_error *error);
/* Writes the position in the game's notation, at most QV_POSITION_TEXT bytes. */
QV_API void qv_position_text(const struct qv_game *game, const void *state, struct qv_text *out);
/*
 * Draws the board for a terminal, in lines; `unicode`: UTF-8 may be used. A game without a drawing
 * gets its position text.
 */
QV_API void qv_draw(const struct qv_game *game, const void *state, bool unicode,
		    struct qv_text *out);
/* Equal states have equal hashes; different ones differ, except by coincidence. */
QV_API uint64_t qv_hash(const struct qv_game *game, const void *state);

/* ---- Moves ---- */

/* The seat to move, or QV_CHANCE; at the end of a game, the seat whose turn would be next. */
QV_API int qv_seat(const struct qv_game *game, const void *state);
/* Whether chance is to move: dice are rolled next. */
QV_API bool qv_is_chance(const struct qv_game *game, const void *state);
/*
 * Writes the first `max` legal moves, or chance outcomes, to list and returns the number of all, at
 * most qv_game_max_moves. 0: the game has ended. list may be NULL if max is 0.
 */
QV_API int qv_moves(const struct qv_game *game, const void *state, qv_move *list, int max);
/*
 * A listed move may stand for several, as "build N ships": for those of counts 1 to
 * qv_move_max_count, which qv_move_with_count returns. For other moves the greatest count is 1.
 */
QV_API int qv_move_max_count(const struct qv_game *game, const void *state, qv_move move);
QV_API qv_move qv_move_with_count(const struct qv_game *game, qv_move move, int count);
/*
 * Writes the first `max` outcomes of chance and their probabilities, which add up to 1, and returns
 * the number of all; 0: chance is not to move. Either list may be NULL.
 */
QV_API int qv_outcomes(const struct qv_game *game, const void *state, qv_move *list,
		       double *probabilities, int max);
/* Draws one of the outcomes at random, by its probability. QV_NO_MOVE: chance is not to move. */
QV_API qv_move qv_roll(const struct qv_game *game, const void *state, struct qv_random *random);
/* Plays a move or a chance outcome. QV_ILLEGAL: it is not legal here; state is unchanged. */
QV_API enum qv_status qv_play(const struct qv_game *game, void *state, qv_move move,
			      struct qv_error *error);
/* Writes a legal move in the game's notation, at most QV_MOVE_TEXT bytes. */
QV_API void qv_move_text(const struct qv_game *game, const void *state, qv_move move,
			 struct qv_text *out);
/*
 * Reads a legal move of this position. Letter case is ignored where that is not ambiguous, and
 * a1a2 or A1 A2 is accepted for a1-a2.
 * QV_ILLEGAL: the text is no legal move, or more than one; the error text gives the reason.
 */
QV_API enum qv_status qv_move_parse(const struct qv_game *game, const void *state, const char *text,
				    qv_move *out, struct qv_error *error);
/* Whether the move is legal in this position; counted moves are accepted with every valid count. */
QV_API bool qv_move_legal(const struct qv_game *game, const void *state, qv_move move);
/*
 * Whether the game has ended by its rules, without repetition (qv_record_result). Unless it returns
 * QV_GOING, it writes the points of each seat; points has room for QV_MAX_SEATS.
 */
QV_API enum qv_outcome qv_result(const struct qv_game *game, const void *state, int32_t *points);
/* The seat with the most points; -1 for a draw. */
QV_API int qv_winner(const struct qv_game *game, const int32_t *points);
/*
 * Plays at most max_plies random moves, each legal move equally likely, and dice rolls by their
 * probability, until the game ends. Returns how many it played.
 */
QV_API int qv_playout(const struct qv_game *game, void *state, struct qv_random *random,
		      int max_plies);
/*
 * Writes the first `max` entries of what stands where, in the cells of qv_board_json, and returns
 * the number of all, at most QV_MAX_CELLS; 0: the board is empty, or the game has none.
 */
QV_API int qv_standings(const struct qv_game *game, const void *state, struct qv_standing *list,
			int max);

/* ---- Evaluations and counts ---- */

/*
 * The value of a position for the seat to move by the evaluation of this name, with its default
 * weights; NULL: the first one. QV_UNKNOWN: no such evaluation. QV_UNSUPPORTED: the game has none.
 */
QV_API enum qv_status qv_evaluate(const struct qv_context *context, const struct qv_game *game,
				  const void *state, const char *name, int32_t *value,
				  struct qv_error *error);
/*
 * Lists the terms of that value. Set out->list, of out->max terms; at most QV_MAX_TERMS are needed.
 * QV_UNSUPPORTED: the evaluation lists no terms, or chance is to move.
 */
QV_API enum qv_status qv_evaluation_terms(const struct qv_context *context,
					  const struct qv_game *game, const void *state,
					  const char *name, struct qv_terms *out,
					  struct qv_error *error);
/*
 * Writes the name of the weight with this index of the evaluation, as players accept it in
 * `weight=`: NAME, or NAME[N] for number N, from 1, of several. QV_UNKNOWN: no such evaluation or
 * weight.
 */
QV_API enum qv_status qv_weight_name(const struct qv_context *context, const struct qv_game *game,
				     const char *name, int place, struct qv_text *out,
				     struct qv_error *error);

/*
 * Limits of qv_perft, which counts the leaves at exactly this depth. docs/search.md defines what
 * counts as a leaf.
 */
struct qv_perft_limits {
	size_t size;               /* sizeof(struct qv_perft_limits) */
	int depth;
	size_t hash_bytes;         /* size of a transposition table; 0: none */
	int threads;               /* 0 or 1: the calling thread alone */
	const struct qv_flag *stop;   /* may be NULL */
};
/* Counts the leaves of the move tree below state. QV_STOPPED: *leaves is unchanged. */
QV_API enum qv_status qv_perft(const struct qv_context *context, const struct qv_game *game,
			       const void *state, const struct qv_perft_limits *limits,
			       uint64_t *leaves, struct qv_error *error);

#ifdef __cplusplus
}
#endif

#endif
