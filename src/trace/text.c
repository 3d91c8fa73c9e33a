/*
 * text.c - a traced tree as indented lines.
 * SPDX-License-Identifier: MIT
 */
#include "trace/trace.h"

struct printer {
	const struct trace *t;
	struct string *out;
	struct string stem; /* the prefix of a line: the branches that continue */
};

static void print_untried(struct printer *p, const struct trace_node *n)
{
	const struct trace *t = p->t;
	const bool cut = n->last_child >= 0 && t->nodes[n->last_child].cut;
	enum { MOST_NAMED = 8 };
	if (!n->untried_count)
		return;
	string_addf(p->out, "%.*s`-- %s: ", (int)p->stem.length, p->stem.data ? p->stem.data : "",
		    cut ? "cut" : "not tried");
	for (int k = 0; k < n->untried_count && k < MOST_NAMED; k++)
		string_addf(p->out, "%s%s", k ? ", " : "", trace_untried(t, n, k));
	if (n->untried_count > MOST_NAMED)
		string_addf(p->out, " and %d more", n->untried_count - MOST_NAMED);
	string_addf(p->out, "\n");
}

static void print_node(struct printer *p, const struct trace_node *n)
{
	static const char *const kinds[] = { [TRACE_INNER] = "",
					     [TRACE_LEAF] = "  leaf",
					     [TRACE_END] = "  end",
					     [TRACE_KNOWN] = "  known" };
	string_addf(p->out, "%s  %s  %s%s", trace_name(p->t, n), trace_value(n).text,
		    trace_window(n).text, kinds[n->kind]);
	if (n->passes > 1)
		string_addf(p->out, "  searched %d times", n->passes);
	if (n->hidden)
		string_addf(p->out, "  below: %llu not shown", (unsigned long long)n->hidden);
	string_addf(p->out, "%s\n", n->best ? "  *" : "");
}

static void print_children(struct printer *p, const struct trace_node *n)
{
	const struct trace_node *nodes = p->t->nodes;
	for (int i = (int)(n - nodes) + 1; i < n->end; i = nodes[i].end) {
		const bool last = nodes[i].end == n->end && !n->untried_count;
		const size_t length = p->stem.length;
		string_addf(p->out, "%.*s%s ", (int)length, p->stem.data ? p->stem.data : "",
			    last ? "`--" : "|--");
		print_node(p, &nodes[i]);
		string_addf(&p->stem, "%s", last ? "    " : "|   ");
		print_children(p, &nodes[i]);
		p->stem.length = length;
	}
	print_untried(p, n);
}

void trace_text(const struct trace *t, struct string *out)
{
	struct printer p = { t, out, { .allocator = t->setup.allocator } };
	string_addf(out, "player %s\nroot  %s\n", t->setup.player, trace_value(&t->nodes[0]).text);
	print_children(&p, &t->nodes[0]);
	out->failed |= p.stem.failed;
	string_release(&p.stem);
	trace_add_remarks(t, out, "", "\n");
	string_addf(out, "depth %d\nnodes %llu, leaves %llu, cut-offs %llu\nmove %s\n", t->depth,
		    (unsigned long long)t->made, (unsigned long long)t->leaves,
		    (unsigned long long)t->cuts, t->move);
}
