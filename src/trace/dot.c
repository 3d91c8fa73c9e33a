/*
 * dot.c - a traced tree for Graphviz.
 * SPDX-License-Identifier: MIT
 */
#include "trace/trace.h"

/* Text inside a quoted string. */
static void add_quoted(struct string *out, const char *text)
{
	for (; *text; text++)
		string_addf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
}

static void add_untried(const struct trace *t, int place, struct string *out)
{
	const struct trace_node *n = &t->nodes[place];
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
	add_untried(t, place, out);
}

void trace_dot(const struct trace *t, struct string *out)
{
	string_addf(out, "digraph tree {\n  label=\"");
	add_quoted(out, t->setup.player);
	string_addf(out, ": move ");
	add_quoted(out, t->move);
	string_addf(out, ". ");
	trace_add_remarks(t, out, "", "\\n");
	string_addf(
		out,
		"\";\n  node [shape=box, fontsize=10];\n  edge [arrowhead=none, fontsize=9];\n");
	for (int i = 0; i < t->count; i++)
		add_node(t, i, out);
	string_addf(out, "}\n");
}
