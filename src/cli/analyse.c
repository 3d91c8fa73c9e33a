/*
 * analyse.c - the command analyse: the best lines, told as the search deepens.
 * SPDX-License-Identifier: MIT
 *
 * How several lines are searched is told in search/analysis.h. What is known is written out at once,
 * so that somebody can watch; a write that fails ends the search.
 */
#include "cli/player_answer.h"
#include "programs/players.h"
#include "search/analysis.h"
#include "formats/terms.h"

struct analyse_values {
	int64_t lines;
	bool explain;
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct analyse_values, "lines", OPTION_INT, lines, .min = 1,
		       .max = QV_MAX_MOVES, .def = 1, .value = "N",
		       .help = "number of best lines to show"),
	COMMAND_OPTION(struct analyse_values, "explain", OPTION_FLAG, explain,
		       .help = "show how the player thinks, if it can (starchess: mask)"),
	{ 0 },
};

static void add_text(const struct thought *t, int line, struct string *out)
{
	string_addf(out, "line %d  depth %d  score %d  ", line, t->answer.depth, t->answer.score);
	if (t->answer.proven) {
		thought_add_proof(t, out);
		string_addf(out, "  ");
	}
	string_addf(out, "nodes %llu  ", (unsigned long long)t->answer.nodes);
	if (!t->c->args.no_times)
		string_addf(out, "seconds %.3f  ", t->answer.seconds);
	string_addf(out, "pv ");
	thought_add_line(t, out);
	string_addf(out, "\n");
}

static enum qv_status write_line(const struct thought *t, int line)
{
	struct cli *c = t->c;
	if (!thought_move(t, 0))
		return qv_fail(&c->error, QV_NO_MEMORY, "analyse: out of memory");
	if (!c->args.json) {
		add_text(t, line, &c->out);
		return cli_flush(c);
	}
	json_t *o = json_field(json_object(), "line", json_integer(line));
	const enum qv_status status = cli_json(c, thought_fields(t, o));
	return status == QV_OK ? cli_flush(c) : status;
}

static enum qv_status tell(void *ctx, int line, const struct qv_answer *answer,
			   struct qv_error *error)
{
	struct thought *t = ctx;
	thought_take(t, answer);
	const enum qv_status status = write_line(t, line);
	if (status == QV_OK)
		return QV_OK;
	*error = t->c->error;
	cli_stop();
	return status;
}

/* Before the first line, if asked for. */
static enum qv_status write_notions(struct cli *c, const struct position *p)
{
	if (!c->args.notions)
		return QV_OK;
	enum qv_status status = position_allow_notions(c, p);
	if (status != QV_OK)
		return status;
	if (!c->args.json) {
		terms_text(&p->rules, p->state, &c->out);
		return cli_flush(c);
	}
	json_t *told = terms_json(&p->rules, p->state, TERM_CELL_NAMES);
	status = cli_json(c, json_field(json_object(), "notions", told));
	return status == QV_OK ? cli_flush(c) : status;
}

/* A program outside is told the game so far. */
static enum qv_status think(void *ctx, struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	const struct thought *t = ctx;
	const struct player_news news = { .record = t->position.record };
	return player_think(player, &news, state, limits, listener, out, error);
}

static enum qv_status run(struct cli *c)
{
	const struct analyse_values *own = cli_own(c);
	struct thought t;
	enum qv_status status = thought_open(c, own->explain, &t);
	if (status == QV_OK)
		status = write_notions(c, &t.position);
	if (status == QV_OK && own->explain)
		status = thought_explain(&t);
	if (status == QV_OK) {
		const struct qv_limits limits = thought_limits(&t);
		const struct analysis_setup setup = {
			.allocator = &mem_malloc,
			.player = t.player,
			.spec = t.spec,
			.game = t.position.rules.game,
			.state = t.position.state,
			.think = think,
			.think_ctx = &t,
			.lines = (int)own->lines,
			.limits = limits,
			.report = tell,
			.ctx = &t,
		};
		status = analysis_run(&setup, &c->error);
	}
	thought_release(&t);
	return status == QV_STOPPED ? QV_OK : status;
}

const struct command command_analyse = {
	.name = "analyse",
	.run = run,
	.least = 1,
	.most = 2,
	.usage = "analyse GAME [POS] [--player SPEC]",
	.help = "print the best lines as the search deepens",
	.more = "Without --player, the game's strongest player searches for one second. Line 2 is the "
		"search without the first move of line 1, and so on. A player that searches by depth "
		"prints all lines of a depth before it goes deeper. Ctrl-C ends the search.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, player_option,
				 own_options, notions_option, common_options),
};
