/*
 * conform.c - the conformance suite: runs every law that applies to a game.
 * SPDX-License-Identifier: MIT
 *
 * The laws are in the other files, one table per subject. The suite stops at the first violation.
 */
#include "conform/exam.h"

enum { DEFAULT_GAMES = 100, DEFAULT_PLIES = 400, DEFAULT_DEPTH = 3 };

static int positive_or(int value, int fallback)
{
	return value > 0 ? value : fallback;
}

static enum qv_status run_law(struct exam *x, const struct law *law)
{
	x->law = law;
	x->checks = 0;
	x->random = (struct qv_random){ qv_random_key(x->how.seed, UINT64_MAX), 0 };
	x->at = NULL;
	enum qv_status status = law->place == LAW_ONCE ? law->holds(x) : exam_walk(x);
	x->checks += law->place == LAW_ONCE;
	if (status == QV_OK && x->how.progress)
		x->how.progress(x->how.ctx, law->name, x->checks);
	return status;
}

static enum qv_status run_table(struct exam *x, const struct law *table)
{
	enum qv_status status = QV_OK;
	for (const struct law *law = table; law->name && status == QV_OK; law++)
		if (!law->applies || law->applies(x->game))
			status = run_law(x, law);
	return status;
}

enum qv_status qv_conform(const struct qv_context *context, const struct qv_rules *rules,
			  const struct qv_conformance *how, struct qv_error *error)
{
	static const struct law *const tables[] = { rules_laws, extra_laws, text_laws,
						    board_laws, term_laws, index_laws,
						    search_laws };
	struct exam x = { .context = context, .rules = rules, .game = rules->game, .error = error };
	if (how)
		x.how = *how;
	x.how.games = positive_or(x.how.games, DEFAULT_GAMES);
	x.how.max_plies = positive_or(x.how.max_plies, DEFAULT_PLIES);
	x.how.search_depth = positive_or(x.how.search_depth, DEFAULT_DEPTH);

	/* The facts come first, because everything else relies on the sizes. */
	enum qv_status status = run_table(&x, fact_laws);
	if (status == QV_OK)
		status = exam_init(&x);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && status == QV_OK; i++)
		status = run_table(&x, tables[i]);
	exam_release(&x);
	return status;
}
