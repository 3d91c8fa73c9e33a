/*
 * best.c - the command best: one move, as good as the player can find.
 * SPDX-License-Identifier: MIT
 */
#include "cli/player_answer.h"

static void answer_print(const struct thought *t)
{
	const struct qv_answer *a = &t->answer;
	struct string *out = &t->c->out;
	string_addf(out, "player %s\nscore %d\n", t->spec, a->score);
	if (a->proven) {
		thought_add_proof(t, out);
		string_addf(out, "\n");
	}
	string_addf(out, "depth %d\nnodes %llu, evals %llu, considered %llu\n", a->depth,
		    (unsigned long long)a->nodes, (unsigned long long)a->evals,
		    (unsigned long long)a->considered);
	if (!t->c->args.no_times)
		string_addf(out, "seconds %.3f\n", a->seconds);
	string_addf(out, "line ");
	thought_add_line(t, out);
	string_addf(out, "\nmove %s\n", thought_move(t, 0));
}

static void show_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct thought *t = ctx;
	struct string line = { .allocator = &mem_malloc };
	thought_take(t, so_far);
	thought_add_line(t, &line);
	fprintf(stderr, "depth %d  score %d  nodes %llu  line %s\n", so_far->depth, so_far->score,
		(unsigned long long)so_far->nodes, line.data ? line.data : "");
	string_release(&line);
}

static enum qv_status run(struct cli *c)
{
	struct thought t;
	enum qv_status status = thought_open(c, false, &t);
	if (status == QV_OK) {
		const struct qv_limits limits = thought_limits(&t);
		const struct qv_listener listener = {
			.iteration = cli_shows_progress() ? show_iteration : NULL, .ctx = &t
		};
		status = thought_think(&t, &limits, &listener);
	}
	if (status == QV_OK || status == QV_STOPPED) {
		status = QV_OK;
		if (c->args.json)
			status = cli_json(c, thought_fields(&t, json_object()));
		else
			answer_print(&t);
	}
	thought_release(&t);
	return status;
}

const struct command command_best = {
	.name = "best",
	.run = run,
	.least = 1,
	.most = 2,
	.usage = "best GAME [POS] [--player SPEC]",
	.help = "find a good move",
	.more = "Without --player, the game's strongest player searches for one second. Ctrl-C ends the "
		"search with the best move so far.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, player_option,
				 common_options),
};
