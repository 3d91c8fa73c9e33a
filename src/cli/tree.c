/*
 * tree.c - the command tree: the searched tree with values, windows and cut-offs; and what its four
 * ways out share.
 * SPDX-License-Identifier: MIT
 */
#include "cli/tree.h"

/* ---- Words ---- */

const char *grown_name(const struct grown *t, const struct grown_node *n)
{
	return n->ply ? t->names.data + n->name : "root";
}

const char *grown_skipped(const struct grown *t, const struct grown_node *n, int k)
{
	const char *name = t->names.data + n->skipped;
	while (k--)
		name += strlen(name) + 1;
	return name;
}

/* A value on the edge of its window says no more than that it is not inside. */
enum grown_bound grown_bound(const struct grown_node *n)
{
	if (!n->ply || n->kind == GROWN_LEAF || n->kind == GROWN_END)
		return GROWN_EXACT;
	if (n->value <= n->alpha)
		return GROWN_AT_MOST;
	return n->value >= n->beta ? GROWN_AT_LEAST : GROWN_EXACT;
}

uint64_t grown_hidden(const struct grown *t)
{
	uint64_t hidden = 0;
	for (int i = 0; i < t->count; i++)
		hidden += t->nodes[i].hidden;
	return hidden;
}

/* Searches with dice have the bound of all evaluations there, others a win at once, or more. */
bool grown_is_open(int32_t edge)
{
	return edge >= QV_WIN || edge <= -QV_WIN || edge == QV_MAX_EVAL || edge == -QV_MAX_EVAL;
}

struct grown_words grown_number(int32_t value)
{
	struct grown_words w;
	if (grown_is_open(value))
		snprintf(w.text, sizeof w.text, "%sinf", value > 0 ? "+" : "-");
	else if (value > QV_MAX_EVAL)
		snprintf(w.text, sizeof w.text, "win in %d", QV_WIN - value);
	else if (value < -QV_MAX_EVAL)
		snprintf(w.text, sizeof w.text, "loss in %d", QV_WIN + value);
	else
		snprintf(w.text, sizeof w.text, "%d", value);
	return w;
}

struct grown_words grown_value(const struct grown_node *n)
{
	static const char *const signs[] = {
		[GROWN_EXACT] = "", [GROWN_AT_MOST] = "<=", [GROWN_AT_LEAST] = ">="
	};
	struct grown_words w;
	if (n->told)
		snprintf(w.text, sizeof w.text, "%s%.40s", signs[grown_bound(n)],
			 grown_number(n->value).text);
	else
		snprintf(w.text, sizeof w.text, "?");
	return w;
}

struct grown_words grown_window(const struct grown_node *n)
{
	struct grown_words w;
	snprintf(w.text, sizeof w.text, "[%.20s, %.20s]", grown_number(n->alpha).text,
		 grown_number(n->beta).text);
	return w;
}

/* What a picture cannot show; a line each, between `before` and `after`. */
void grown_add_remarks(const struct grown *t, const struct thought *thought, struct string *out,
		       const char *before, const char *after)
{
	const struct qv_game *game = thought->position.rules.game;
	const uint64_t hidden = grown_hidden(t);
	if (game->seats == 2)
		string_addf(out, "%sValues and windows are for seat %d.%s", before,
			    game->seat(thought->position.state) + 1, after);
	else
		string_addf(out, "%sValues and windows are for the seat that moves.%s", before,
			    after);
	if (t->nodes[0].passes > 1)
		string_addf(out, "%sSearched %d times from the root; this is the last.%s", before,
			    t->nodes[0].passes, after);
	if (!t->complete)
		string_addf(out, "%sThe search was stopped: the tree is not complete.%s", before,
			    after);
	if (hidden)
		string_addf(out, "%sNot shown: what lies below ply %d, %llu in all.%s", before,
			    t->deepest, (unsigned long long)hidden, after);
}

/* ---- As text ---- */

struct printer {
	const struct grown *t;
	struct string *out;
	struct string stem; /* what stands before a node: the branches that go on */
};

static void print_skipped(struct printer *p, const struct grown_node *n)
{
	const struct grown *t = p->t;
	const bool cut = n->last_child >= 0 && t->nodes[n->last_child].cut;
	enum { MOST_NAMED = 8 };
	if (!n->skipped_count)
		return;
	string_addf(p->out, "%.*s`-- %s: ", (int)p->stem.length, p->stem.data ? p->stem.data : "",
		    cut ? "cut" : "not tried");
	for (int k = 0; k < n->skipped_count && k < MOST_NAMED; k++)
		string_addf(p->out, "%s%s", k ? ", " : "", grown_skipped(t, n, k));
	if (n->skipped_count > MOST_NAMED)
		string_addf(p->out, " and %d more", n->skipped_count - MOST_NAMED);
	string_addf(p->out, "\n");
}

static void print_node(struct printer *p, const struct grown_node *n)
{
	static const char *const kinds[] = { [GROWN_INNER] = "",
					     [GROWN_LEAF] = "  leaf",
					     [GROWN_END] = "  end",
					     [GROWN_KNOWN] = "  known" };
	string_addf(p->out, "%s  %s  %s%s", grown_name(p->t, n), grown_value(n).text,
		    grown_window(n).text, kinds[n->kind]);
	if (n->passes > 1)
		string_addf(p->out, "  searched %d times", n->passes);
	if (n->hidden)
		string_addf(p->out, "  below: %llu not shown", (unsigned long long)n->hidden);
	string_addf(p->out, "%s\n", n->best ? "  *" : "");
}

static void print_children(struct printer *p, const struct grown_node *n)
{
	const struct grown_node *nodes = p->t->nodes;
	for (int i = (int)(n - nodes) + 1; i < n->end; i = nodes[i].end) {
		const bool last = nodes[i].end == n->end && !n->skipped_count;
		const size_t length = p->stem.length;
		string_addf(p->out, "%.*s%s ", (int)length, p->stem.data ? p->stem.data : "",
			    last ? "`--" : "|--");
		print_node(p, &nodes[i]);
		string_addf(&p->stem, "%s", last ? "    " : "|   ");
		print_children(p, &nodes[i]);
		p->stem.length = length;
	}
	print_skipped(p, n);
}

void grown_text(const struct grown *t, const struct thought *thought, struct string *out)
{
	struct printer p = { t, out, { .allocator = &mem_malloc } };
	string_addf(out, "player %s\nroot  %s\n", thought->spec, grown_value(&t->nodes[0]).text);
	print_children(&p, &t->nodes[0]);
	out->failed |= p.stem.failed;
	string_release(&p.stem);
	grown_add_remarks(t, thought, out, "", "\n");
	string_addf(out, "depth %d\nnodes %llu, leaves %llu, cut-offs %llu\nmove %s\n", t->depth,
		    (unsigned long long)t->made, (unsigned long long)t->leaves,
		    (unsigned long long)t->cuts, thought_move(thought, 0));
}

/* ---- The command ---- */

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

static enum qv_status write_tree(struct cli *c, const struct grown *t,
				 const struct thought *thought, int64_t format)
{
	switch (format) {
	case JSON_FORMAT:
		return cli_json(c, grown_json(t, thought));
	case DOT_FORMAT:
		grown_dot(t, thought, &c->out);
		return QV_OK;
	case SVG_FORMAT:
		return grown_svg(t, thought, c);
	default:
		grown_text(t, thought, &c->out);
		return QV_OK;
	}
}

static enum qv_status run(struct cli *c)
{
	const struct tree_values *own = cli_own(c);
	struct thought thought = { 0 };
	struct grown tree = { .names = { .allocator = &mem_malloc } };
	if (c->args.json && arguments_given(&c->args, "format") && own->format != JSON_FORMAT)
		return qv_fail(&c->error, QV_BAD_INPUT, "--format: not together with --json");
	enum qv_status status = thought_open(c, false, &thought);
	if (status == QV_OK)
		status = grown_grow(&tree, &thought, own->max_nodes, own->depth);
	if (status == QV_OK)
		status = write_tree(c, &tree, &thought, c->args.json ? JSON_FORMAT : own->format);
	grown_release(&tree);
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
	.options =
		(const struct option *const[]){ moves_options, position_options, san_option,
						player_option, own_options, common_options, NULL },
};
