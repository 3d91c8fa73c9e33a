/*
 * review_words.c - what reviews of games and evaluation bars need to know about a game.
 * SPDX-License-Identifier: MIT
 *
 * Reversi's slope is fitted to the results of games; those of chess, minichess and draughts are set
 * so that a man more counts as people expect. In chess a pawn is worth 59 %, a knight 76 %, a queen
 * 96 %.
 */
#include "games/review_words.h"

#include "games/twins.h"

static const struct {
	int game; /* its index in the registry */
	struct review_words words;
} table[] = {
	{ GAME_chess,
	  { .slope = 275, .unit = "pawns", .one = 100, .goal = "mate", .mate = true } },
	{ GAME_minichess, { .slope = 275, .unit = "pawns", .one = 100 } },
	{ GAME_reversi,
	  { .slope = 60,
	    .unit = "discs",
	    .one = 8,
	    .prizes = "a1 a8 h1 h8",
	    .prize = "the corner" } },
	{ GAME_draughts, { .slope = 120, .unit = "men", .one = 100 } },
	{ GAME_connect4, { .goal = "four in a row" } },
	{ GAME_gomoku, { .goal = "five in a row" } },
	{ GAME_noughts, { .goal = "three in a row" } },
	{ GAME_noughts3d, { .goal = "four in a row" } },
};

const struct review_words *review_words(const struct qv_game *game)
{
	static const struct review_words none = { 0 };
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (registry_at(table[i].game)->game == game)
			return &table[i].words;
	return &none;
}
