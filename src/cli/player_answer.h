/*
 * player_answer.h - a player at a position and its answer, as best, analyse and tree show it.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_PLAYER_ANSWER_H
#define CLI_PLAYER_ANSWER_H

#include "cli/cli.h"
#include "core/context.h"

/* One search, its answer, and memory to walk its line. {0} is a valid empty one. */
struct thought {
	struct cli *c;
	struct position position;
	const char *spec;
	char own[STRONGEST_SPEC];      /* room for it */
	struct qv_player *player;
	struct qv_answer answer;
	void *scratch;
	json_t *line; /* the texts of its moves */
	bool line_ends_game;
};

/*
 * GAME and POS of the command line, and --player, or the game's strongest player; with `explain`,
 * the player that can explain its moves. A game that is over, or where chance is to move, is an
 * error. Release it in any case.
 */
enum qv_status thought_open(struct cli *c, bool explain, struct thought *t);
void thought_release(struct thought *t);

/* The history of the position, and Ctrl-C as the stop flag. */
struct qv_limits thought_limits(const struct thought *t);
/* QV_OK, or QV_STOPPED: the answer is taken. */
enum qv_status thought_think(struct thought *t, const struct qv_limits *limits,
			     const struct qv_listener *listener);
/* Keeps the answer and walks its line: moves as text need the positions they are played in. */
void thought_take(struct thought *t, const struct qv_answer *answer);

const char *thought_move(const struct thought *t, size_t i); /* of the line; NULL: it is shorter */
void thought_add_line(const struct thought *t, struct string *out);
void thought_add_proof(const struct thought *t, struct string *out);
/* Adds the fields of an answer to the object. */
json_t *thought_fields(const struct thought *t, json_t *o);

/* Writes how the player thinks (explain.c). */
enum qv_status thought_explain(struct thought *t);

#endif
