/*
 * review_words.c - what reviews of games and evaluation bars need to know about a game.
 * SPDX-License-Identifier: MIT
 *
 * Reversi's slope is fitted to the results of games; those of chess, minichess and draughts are set
 * so that a man more counts as people expect. In chess a pawn is worth 59 %, a knight 76 %, a queen
 * 96 %.
 */
#include "games/review_words.h"

#include "games/registry.h"

static const struct {
	const struct engine *engine;
	struct review_words words;
} table[] = {
	{ &chess_engine,
	  { .slope = 275, .unit = "pawns", .one = 100, .goal = "mate", .mate = true } },
	{ &minichess_engine, { .slope = 275, .unit = "pawns", .one = 100 } },
	{ &reversi_engine,
	  { .slope = 60,
	    .unit = "discs",
	    .one = 8,
	    .prizes = "a1 a8 h1 h8",
	    .prize = "the corner" } },
	{ &draughts_engine, { .slope = 120, .unit = "men", .one = 100 } },
	{ &connect4_engine, { .goal = "four in a row" } },
	{ &gomoku_engine, { .goal = "five in a row" } },
	{ &noughts_engine, { .goal = "three in a row" } },
	{ &noughts3d_engine, { .goal = "four in a row" } },
};

const struct review_words *review_words(const struct qv_game *game)
{
	static const struct review_words none = { 0 };
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].engine->game == game)
			return &table[i].words;
	return &none;
}
