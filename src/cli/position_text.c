/*
 * position_text.c - the moves of a position as text, and whether it has evaluation terms to show.
 * SPDX-License-Identifier: MIT
 */
#include "cli/cli.h"
#include "core/context.h"
#include "formats/terms.h"

const struct option notions_option[] = {
	SHARED_OPTION("notions", OPTION_FLAG, notions,
		      .help = "add the evaluation terms: threats, mobility, ..."),
	{ 0 },
};

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
	if (c->args.notions && !game_has_terms(p->rules.game))
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "--notions: %s has no evaluation terms to show",
			       p->rules.game->name);
	return QV_OK;
}
