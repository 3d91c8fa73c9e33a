/*
 * position_text.c - what is said of a position: its moves in words, and whether there are notions.
 * SPDX-License-Identifier: MIT
 */
#include "cli/cli.h"
#include "core/context.h"
#include "formats/terms.h"

struct move_words move_words(const struct qv_game *game, const void *state, qv_move move)
{
	struct move_words words = { "" };
	struct qv_text out = { words.text, sizeof words.text, 0 };
	game->move_text(state, move, &out);
	return words;
}

struct move_words position_words(const struct position *p, const void *state, qv_move move)
{
	if (!p->san)
		return move_words(p->rules.game, state, move);
	struct move_words words = { "" };
	struct qv_text out = { words.text, sizeof words.text, 0 };
	context_engine(p->rules.game)->short_text(state, move, &out);
	return words;
}

int move_max(const struct qv_game *game, const void *state, qv_move move)
{
	const int max = game->max_count && game->with_count ? game->max_count(state, move) : 1;
	return max > 1 ? max : 0;
}

enum qv_status position_allow_notions(struct cli *c, const struct position *p)
{
	if (arguments_given(&c->args, OPT_NOTIONS) && !notions_are_told(p->rules.game))
		return qv_fail(&c->error, QV_UNSUPPORTED, "--notions: %s tells none",
			       p->rules.game->name);
	return QV_OK;
}
