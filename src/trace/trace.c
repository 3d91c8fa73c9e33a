/*
 * trace.c - a traced tree as text, as nested JSON objects and for Graphviz.
 * SPDX-License-Identifier: MIT
 *
 * First the labels that all formats share: names of moves, values with their bounds, windows. The
 * nodes are in preorder and know where their descendants end, so the children of a node are found
 * by jumping from one `end` to the next. JSON and text recurse, at most to the depth of the tree;
 * Graphviz needs only a loop.
 */
#include "trace/trace.h"

/* The setup is borrowed, so only nodes and names are freed. */
void trace_release(struct trace *t)
{
	mem_free(t->setup.allocator, t->nodes, (size_t)t->room * sizeof *t->nodes);
	string_release(&t->names);
	*t = (struct trace){ 0 };
}

const char *trace_name(const struct trace *t, const struct trace_node *n)
{
	return n->ply ? t->names.data + n->name : "root";
}

/* The texts stand one after the other, so the k-th is found by skipping. */
const char *trace_untried(const struct trace *t, const struct trace_node *n, int k)
{
	const char *name = t->names.data + n->untried;
	while (k--)
		name += strlen(name) + 1;
	return name;
}

/* A value on the edge of its window is only a bound: the true value may lie outside. */
enum trace_bound trace_bound(const struct trace_node *n)
{
	if (!n->ply || n->kind == TRACE_LEAF || n->kind == TRACE_END)
		return TRACE_EXACT;
	if (n->value <= n->alpha)
		return TRACE_AT_MOST;
	return n->value >= n->beta ? TRACE_AT_LEAST : TRACE_EXACT;
}

/* Each node counts what is not kept below it. */
uint64_t trace_hidden(const struct trace *t)
{
	uint64_t hidden = 0;
	for (int i = 0; i < t->count; i++)
		hidden += t->nodes[i].hidden;
	return hidden;
}

/*
 * Whether an edge of a window is open. Searches with dice begin with the range of evaluations, all
 * others with an immediate win or more.
 */
static bool is_open(int32_t edge)
{
	return edge >= QV_WIN || edge <= -QV_WIN || edge == QV_MAX_EVAL || edge == -QV_MAX_EVAL;
}

/* "-inf", "+inf", "win in 4", "-3" */
static struct trace_label number(int32_t value)
{
	struct trace_label w;
	if (is_open(value))
		snprintf(w.text, sizeof w.text, "%sinf", value > 0 ? "+" : "-");
	else if (value > QV_MAX_EVAL)
		snprintf(w.text, sizeof w.text, "win in %d", QV_WIN - value);
	else if (value < -QV_MAX_EVAL)
		snprintf(w.text, sizeof w.text, "loss in %d", QV_WIN + value);
	else
		snprintf(w.text, sizeof w.text, "%d", value);
	return w;
}

/* "?" for a node from which the search has not returned. */
struct trace_label trace_value(const struct trace_node *n)
{
	static const char *const signs[] = {
		[TRACE_EXACT] = "", [TRACE_AT_MOST] = "<=", [TRACE_AT_LEAST] = ">="
	};
	struct trace_label w;
	if (n->has_value)
		snprintf(w.text, sizeof w.text, "%s%.40s", signs[trace_bound(n)],
			 number(n->value).text);
	else
		snprintf(w.text, sizeof w.text, "?");
	return w;
}

/* Both edges are for the same seat as the value. */
struct trace_label trace_window(const struct trace_node *n)
{
	struct trace_label w;
	snprintf(w.text, sizeof w.text, "[%.20s, %.20s]", number(n->alpha).text,
		 number(n->beta).text);
	return w;
}

/* For whom values are, how often the root was searched, and what is missing. */
void trace_add_remarks(const struct trace *t, struct string *out, const char *after)
{
	const struct qv_game *game = t->setup.rules.game;
	const uint64_t hidden = trace_hidden(t);
	string_addf(out, "Values and windows are for ");
	if (game->seats == 2)
		string_addf(out, "seat %d.%s", game->seat(t->setup.root) + 1, after);
	else
		string_addf(out, "the seat that moves.%s", after);
	if (t->nodes[0].passes > 1)
		string_addf(out, "Searched %d times from the root; this is the last.%s",
			    t->nodes[0].passes, after);
	if (!t->complete)
		string_addf(out, "The search was stopped: the tree is not complete.%s", after);
	if (hidden)
		string_addf(out, "Not shown: what lies below ply %d, %llu in all.%s", t->deepest,
			    (unsigned long long)hidden, after);
}

/* ---- Text ---- */

/* The output, and the prefix of its lines while the tree is walked. */
struct printer {
	const struct trace *t;
	struct string *out;
	struct string stem; /* the prefix of a line: the branches that continue */
};

/* Prints all below a node, a line for each. */
static void print_children(struct printer *p, const struct trace_node *parent)
{
	static const char *const kinds[] = { [TRACE_INNER] = "",
					     [TRACE_LEAF] = "  leaf",
					     [TRACE_END] = "  end",
					     [TRACE_KNOWN] = "  known" };
	const struct trace_node *nodes = p->t->nodes;
	for (int i = (int)(parent - nodes) + 1; i < parent->end; i = nodes[i].end) {
		const struct trace_node *n = &nodes[i];
		const bool last = n->end == parent->end && !parent->untried_count;
		const size_t length = p->stem.length;
		string_addf(p->out, "%.*s%s %s  %s  %s%s", (int)length,
			    p->stem.data ? p->stem.data : "", last ? "`--" : "|--",
			    trace_name(p->t, n), trace_value(n).text, trace_window(n).text,
			    kinds[n->kind]);
		if (n->passes > 1)
			string_addf(p->out, "  searched %d times", n->passes);
		if (n->hidden)
			string_addf(p->out, "  below: %llu not shown",
				    (unsigned long long)n->hidden);
		string_addf(p->out, "%s\n", n->best ? "  *" : "");
		/* Below a last child there is no branch to continue. */
		string_addf(&p->stem, "%s", last ? "    " : "|   ");
		print_children(p, n);
		p->stem.length = length;
	}
	/* The moves that were not tried: the first eight by name. */
	enum { MOST_NAMED = 8 };
	if (!parent->untried_count)
		return;
	string_addf(p->out, "%.*s`-- %s: ", (int)p->stem.length, p->stem.data ? p->stem.data : "",
		    parent->last_child >= 0 && nodes[parent->last_child].cut ? "cut" : "not tried");
	for (int k = 0; k < parent->untried_count && k < MOST_NAMED; k++)
		string_addf(p->out, "%s%s", k ? ", " : "", trace_untried(p->t, parent, k));
	if (parent->untried_count > MOST_NAMED)
		string_addf(p->out, " and %d more", parent->untried_count - MOST_NAMED);
	string_addf(p->out, "\n");
}

/* The player, the tree, remarks, and the totals; the last line is the move. */
void trace_text(const struct trace *t, struct string *out)
{
	struct printer p = { t, out, { .allocator = t->setup.allocator } };
	string_addf(out, "player %s\nroot  %s\n", t->setup.player, trace_value(&t->nodes[0]).text);
	print_children(&p, &t->nodes[0]);
	/* The prefix may have failed for lack of memory. */
	out->failed |= p.stem.failed;
	string_release(&p.stem);
	trace_add_remarks(t, out, "\n");
	string_addf(out, "depth %d\nnodes %llu, leaves %llu, cut-offs %llu\nmove %s\n", t->depth,
		    (unsigned long long)t->made, (unsigned long long)t->leaves,
		    (unsigned long long)t->cuts, t->move);
}

/* ---- JSON ---- */

/* Null where the window is open. */
static json_t *edge(int32_t value)
{
	return is_open(value) ? json_null() : json_integer(value);
}

/* The names of the moves that were not tried. */
static json_t *untried(const struct trace *t, const struct trace_node *n)
{
	json_t *names = json_array();
	for (int k = 0; k < n->untried_count; k++)
		names = json_item(names, json_text(trace_untried(t, n, k)));
	return names;
}

/* The children of a node with their descendants, as an array of objects. */
static json_t *children(const struct trace *t, const struct trace_node *parent)
{
	static const char *const kinds[] = { [TRACE_INNER] = "inner",
					     [TRACE_LEAF] = "leaf",
					     [TRACE_END] = "end",
					     [TRACE_KNOWN] = "known" };
	static const char *const bounds[] = {
		[TRACE_EXACT] = "exact", [TRACE_AT_MOST] = "upper", [TRACE_AT_LEAST] = "lower"
	};
	json_t *list = json_array();
	for (int i = (int)(parent - t->nodes) + 1; i < parent->end; i = t->nodes[i].end) {
		const struct trace_node *n = &t->nodes[i];
		const bool chance = n->seat == QV_CHANCE;
		json_t *o = json_field(json_object(), "move", json_text(trace_name(t, n)));
		o = json_field(o, "seat", chance ? json_null() : json_integer(n->seat + 1));
		o = json_field(o, "value", n->has_value ? json_integer(n->value) : json_null());
		o = json_field(o, "bound", json_text(n->has_value ? bounds[trace_bound(n)] : NULL));
		o = json_field(o, "alpha", edge(n->alpha));
		o = json_field(o, "beta", edge(n->beta));
		o = json_field(o, "kind", json_text(kinds[n->kind]));
		o = json_field(o, "cut", json_boolean(n->cut));
		o = json_field(o, "best", json_boolean(n->best));
		o = json_field(o, "passes", json_integer(n->passes));
		o = json_field(o, "not_shown", json_integer((json_int_t)n->hidden));
		o = json_field(o, "skipped", untried(t, n));
		list = json_item(list, json_field(o, "children", children(t, n)));
	}
	return list;
}

/* The fields of the search, then those of the root with its children. */
json_t *trace_json(const struct trace *t)
{
	const struct qv_game *g = t->setup.rules.game;
	char text[QV_POSITION_TEXT] = "", rules[256] = "";
	struct qv_text position = { text, sizeof text, 0 }, game = { rules, sizeof rules, 0 };
	const struct trace_node *root = &t->nodes[0];
	/* Texts of the position and the game, as the other commands print them. */
	g->position_text(t->setup.root, &position);
	qv_rules_text(&t->setup.rules, &game);
	json_t *o = json_field(json_object(), "game", json_text(rules));
	o = json_field(o, "position", json_text(text));
	o = json_field(o, "player", json_text(t->setup.player));
	o = json_field(o, "seat", json_integer(g->seat(t->setup.root) + 1));
	o = json_field(o, "move", json_text(t->move));
	o = json_field(o, "value", json_integer(root->value));
	o = json_field(o, "depth", json_integer(t->depth));
	o = json_field(o, "complete", json_boolean(t->complete));
	o = json_field(o, "passes", json_integer(root->passes));
	o = json_field(o, "nodes", json_integer((json_int_t)t->made));
	o = json_field(o, "leaves", json_integer((json_int_t)t->leaves));
	o = json_field(o, "cuts", json_integer((json_int_t)t->cuts));
	o = json_field(o, "not_shown", json_integer((json_int_t)trace_hidden(t)));
	o = json_field(o, "skipped", untried(t, root));
	return json_field(o, "children", children(t, root));
}

/* ---- Graphviz ---- */

/* Text inside a quoted string. */
static void add_quoted(struct string *out, const char *text)
{
	for (; *text; text++)
		string_addf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
}

/* A node, the edge from its parent, and a dashed node for the moves that were not tried. */
static void add_node(const struct trace *t, int place, struct string *out)
{
	const struct trace_node *n = &t->nodes[place];
	string_addf(out, "  n%d [label=\"", place);
	add_quoted(out, trace_name(t, n));
	string_addf(out, "\\n%s", trace_value(n).text);
	if (n->ply && n->kind == TRACE_INNER)
		string_addf(out, "\\n%s", trace_window(n).text);
	if (n->hidden)
		string_addf(out, "\\n+ %llu nodes", (unsigned long long)n->hidden);
	string_addf(out, "\"%s%s];\n", n->kind == TRACE_LEAF ? ", shape=plaintext" : "",
		    n->best ? ", penwidth=2.5" : "");
	if (n->ply)
		string_addf(out, "  n%d -> n%d%s;\n", n->parent, place,
			    n->best ? " [penwidth=2.5]" : "");
	if (!n->untried_count)
		return;
	string_addf(out, "  s%d [style=dashed, color=gray50, fontcolor=gray40, label=\"", place);
	for (int k = 0; k < n->untried_count; k++) {
		string_addf(out, "%s", k ? " " : "");
		add_quoted(out, trace_untried(t, n, k));
	}
	string_addf(out, "\"];\n  n%d -> s%d [style=dashed, color=gray50, label=\"%s\"];\n", place,
		    place, t->nodes[n->last_child].cut ? "cut" : "not tried");
}

/* Graphviz gets nodes and edges in the order of the tree. */
void trace_dot(const struct trace *t, struct string *out)
{
	string_addf(out, "digraph tree {\n  label=\"");
	add_quoted(out, t->setup.player);
	string_addf(out, ": move ");
	add_quoted(out, t->move);
	string_addf(out, ". ");
	trace_add_remarks(t, out, "\\n");
	string_addf(
		out,
		"\";\n  node [shape=box, fontsize=10];\n  edge [arrowhead=none, fontsize=9];\n");
	for (int i = 0; i < t->count; i++)
		add_node(t, i, out);
	string_addf(out, "}\n");
}
