/*
 * engine.h - one game with every algorithm stamped for it.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_ENGINE_H
#define SEARCH_ENGINE_H

#include "search/classic.h"
#include "search/perft.h"

struct string;                             /* base/text.h */
struct player_setup;
struct probcut;
struct solver_setup;
struct qv_player;
struct qv_solver;
/* The constructors of players and solvers; *out is set on success only. */
typedef enum qv_status player_maker(const struct player_setup *setup, struct qv_player **out,
				    struct qv_error *error);
typedef enum qv_status solver_maker(const struct solver_setup *setup, struct qv_solver **out,
				    struct qv_error *error);

/*
 * An endgame solver that a search calls first when few empty squares are left. It keeps its table.
 */
struct finisher_ops {
	enum qv_status (*make)(const struct qv_allocator *allocator, size_t hash_bytes, void **out);
	void (*free)(void *finisher);                  /* NULL is fine */
	void (*forget)(void *finisher);
	/*
	 * Solves a position in which the game has not ended. True: *out has a move, its score, line
	 * and nodes. False: stopped, or the deadline (clock_us; 0: none) was reached.
	 */
	bool (*finish)(void *finisher, const void *state, int64_t deadline_us,
		       const struct qv_flag *stop, struct qv_answer *out);
};

/* User-visible texts of a game in which a turn consists of many moves. */
struct turn_words {
	const char *const *orders;         /* how moves are typed: lines of up to 38 columns; NULL ends */
	const char *short_forms;           /* ... and how they can be typed shorter */
	const char *legend;                /* the meaning of the drawing's symbols */
	/* Whether a word is an order of the game, or the beginning of one. */
	bool (*is_order)(const char *word);
	/*
	 * Describes the effects of a turn's moves, from the state before it, for a viewer (a seat,
	 * or -1); of the viewer's own turn only the results of its orders. Writes nothing if there
	 * are none.
	 */
	void (*report)(const void *before, const qv_move *moves, int count, int viewer,
		       struct qv_text *out);
	/* Describes a seat's losses while others moved; writes nothing if there are none. */
	void (*losses)(const void *before, const void *now, int seat, struct qv_text *out);
	/* The seat that owns what is at a row and column of the drawing, or -1. */
	int (*owner)(const void *state, int row, int column);
};

/* What the terminal prints and accepts for one game. */
struct play_words {
	/* What a key stands for while a person is to move: pairs of a key and a line; NULL ends. */
	const char *const (*keys)[2];
	/* Describes a chance move as a sentence, from the position before it. */
	void (*chance)(const void *state, qv_move move, struct qv_text *out);
	/* Asks for a chance move that a person types. */
	const char *chance_prompt;
	bool counts_moves; /* the number of the move is printed with whose turn it is */
};

/*
 * A player with about that rating: SPEC,KEY=VALUE. Between two entries with the same spec and key
 * the value is interpolated.
 */
struct rated_player {
	int elo;                           /* 0 ends a list */
	const char *spec, *key;
	int value;
};

/* How the levels from a number on use the program's opening book. */
struct level_book {
	int from;	      /* a level; 0 ends a list */
	int weighted, recall; /* as in struct settings */
};

/*
 * What all players of a context share in a game, such as tables that are computed when they are
 * first needed. It is made with the context and used by several threads.
 */
struct shared_ops {
	/* The allocator outlives it. NULL: not enough memory. */
	void *(*make)(const struct qv_allocator *allocator);
	void (*free)(void *shared); /* NULL is fine */
};

/* A table file of a space that is part of the library. */
struct built_in_table {
	const unsigned char *bytes; /* NULL ends a list */
	const uint64_t *size;
};

struct engine {
	const struct qv_game *game;        /* NULL: the stamp over struct qv_game, good for any */
	/* Orthodox chess: the only game of XBoard and Polyglot, and the one PGN means by default. */
	bool orthodox;
	perft_fn *perft;
	const struct duel_ops *duel;       /* for games of two seats without chance */
	const struct mcts_ops *mcts;
	const struct prove_ops *prove;     /* for games of two seats without chance */
	const struct chance_ops *chance;   /* for games of two seats with chance */
	const struct multi_ops *multi;     /* for games of two seats or more */
	const struct retro_ops *retro;     /* for games with an index; NULL: the one over qv_game */
	const struct built_in_table *tables; /* of the first spaces of the index; NULL: none */
	/* Positions outside the tables are too far from them for a search down to the tables. */
	bool tables_alone;
	bool tables_in_search; /* the selective search looks up its positions in the tables */
	const struct shared_ops *shared;   /* NULL: players share nothing */
	solver_maker *solver;              /* the game's own; NULL: those for any game do */
	const struct game_player *players; /* kinds that need something of this game; NULL: none */
	const struct classic *classics;	   /* classic opponents; NULL: none */
	/* Empty squares, for games that fill their board; NULL: other games. */
	int (*places_left)(const void *state);
	const struct finisher_ops *finisher;       /* for the key `solve`; needs places_left, too */
	/* A legal move as people write it (chess: Nf3); NULL: as move_text. PGN has it if orthodox. */
	void (*short_text)(const void *state, qv_move move, struct qv_text *out);
	/*
	 * The GameType of PDN, the PGN of draughts, in which records of the game are written; Black
	 * is then seat 0. NULL: as PGN.
	 */
	const char *pdn_type;
	/* How the game ended, in a word or two (chess: stalemate); NULL: no such texts. */
	const char *(*ending)(const void *state);
	/* Explains why a text is not a legal move here, or writes nothing; may be NULL. */
	void (*refusal)(const void *state, const char *text, struct qv_text *why);
	/*
	 * With two seats and chance: the equity for a seat (quevedo/luck.h) of a position where the
	 * game goes on, by a static estimate, also where chance is to move. NULL: by evaluation.
	 */
	double (*equity)(const void *state, int seat);
	/* Whose roll it is where chance is to move; NULL: that of the seat which moves after it. */
	int (*roller)(const void *state);
	const struct turn_words *turns;    /* NULL: a turn is a move */
	const struct play_words *words;	   /* NULL: chance rolls dice, and there are no keys */
	/*
	 * Explains a player's evaluation of a position as one JSON object, whose content is up to
	 * the game. QV_UNSUPPORTED: this player has no explanation. NULL: no player has.
	 */
	enum qv_status (*explain)(const struct qv_player *player, const void *state,
				  const struct qv_limits *limits, struct string *out,
				  struct qv_error *error);
	const char *explainer;             /* spec of the default player for explain */
	const struct rated_player *rated;  /* the weakest first; NULL: none measured */
	const char *strongest;             /* spec of the strongest player; NULL: default */
	/* Nodes in which the solver or tables may prove a value before it searches; 0: none. */
	int64_t prove_nodes;
	const struct probcut *probcut; /* for the key `probcut`; NULL: no errors are known */
	/* For the levels and for hints, the lowest level first; NULL: they play without a book. */
	const struct level_book *level_books;
};

#endif
