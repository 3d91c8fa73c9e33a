/*
 * tree.c - the command tree: the searched tree with values, windows and cut-offs.
 * SPDX-License-Identifier: MIT
 */
#include "cli/player_answer.h"
#include "trace/trace.h"

enum format { TEXT_FORMAT, JSON_FORMAT, DOT_FORMAT, SVG_FORMAT }; /* the order of the choices */

struct tree_values {
	int64_t format, max_nodes, depth;
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct tree_values, "format", OPTION_CHOICE, format,
		       .choices = "text|json|dot|svg", .help = "output format"),
	COMMAND_OPTION(struct tree_values, "max-nodes", OPTION_INT, max_nodes, .min = 1,
		       .max = 1000000, .def = 1000, .value = "N",
		       .help = "show at most N nodes; the deepest plies are left out first"),
	COMMAND_OPTION(struct tree_values, "depth", OPTION_INT, depth, .min = 1, .max = 1000,
		       .def = 1000, .value = "N", .help = "show N plies"),
	{ 0 },
};

static enum qv_status write_tree(struct cli *c, const struct trace *t, int64_t format)
{
	switch (format) {
	case JSON_FORMAT:
		return cli_json(c, trace_json(t));
	case DOT_FORMAT:
		trace_dot(t, &c->out);
		return QV_OK;
	case SVG_FORMAT:
		return trace_svg(t, &c->out, &c->error);
	default:
		trace_text(t, &c->out);
		return QV_OK;
	}
}

/* Lets the player think and keeps the tree of its last complete iteration. */
static enum qv_status capture_tree(struct cli *c, struct thought *thought, struct trace *out)
{
	const struct tree_values *own = cli_own(c);
	const struct trace_setup setup = { .allocator = &mem_malloc,
					   .rules = thought->position.rules,
					   .root = thought->position.state,
					   .player = thought->spec,
					   .short_moves = thought->position.san,
					   .max_nodes = own->max_nodes,
					   .max_ply = own->depth };
	struct trace_capture *capture = NULL;
	enum qv_status status = trace_capture_new(&setup, &capture, &c->error);
	if (status == QV_OK) {
		const struct qv_limits limits = thought_limits(thought);
		const struct qv_listener listener = trace_capture_listener(capture);
		status = thought_think(thought, &limits, &listener);
	}
	if (capture && (status == QV_OK || status == QV_STOPPED))
		status = trace_capture_finish(capture, &thought->answer, out, &c->error);
	trace_capture_free(capture);
	return status;
}

static enum qv_status run(struct cli *c)
{
	const struct tree_values *own = cli_own(c);
	struct thought thought = { 0 };
	struct trace trace = { 0 };
	if (c->args.json && arguments_given(&c->args, "format") && own->format != JSON_FORMAT)
		return qv_fail(&c->error, QV_BAD_INPUT, "--format: not together with --json");
	enum qv_status status = thought_open(c, false, &thought);
	if (status == QV_OK)
		status = capture_tree(c, &thought, &trace);
	if (status == QV_OK)
		status = write_tree(c, &trace, c->args.json ? JSON_FORMAT : own->format);
	trace_release(&trace);
	thought_release(&thought);
	return status;
}

const struct command command_tree = {
	.name = "tree",
	.run = run,
	.least = 1,
	.most = 2,
	.usage = "tree GAME [POS] [--player SPEC]",
	.help = "print the search tree",
	.more = "The tree is that of the last complete iteration, with values, windows and "
		"cut-offs. Without --player, the game's strongest player searches for one second. The "
		"game 'diagram' has trees that you can type yourself.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, player_option,
				 own_options, common_options),
};
