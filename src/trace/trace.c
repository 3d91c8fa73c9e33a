/*
 * trace.c - what the nodes of a traced tree are called and worth, in words.
 * SPDX-License-Identifier: MIT
 */
#include "trace/trace.h"

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

const char *trace_untried(const struct trace *t, const struct trace_node *n, int k)
{
	const char *name = t->names.data + n->untried;
	while (k--)
		name += strlen(name) + 1;
	return name;
}

/* A value on the edge of its window is only a bound: the true value lies outside. */
enum trace_bound trace_bound(const struct trace_node *n)
{
	if (!n->ply || n->kind == TRACE_LEAF || n->kind == TRACE_END)
		return TRACE_EXACT;
	if (n->value <= n->alpha)
		return TRACE_AT_MOST;
	return n->value >= n->beta ? TRACE_AT_LEAST : TRACE_EXACT;
}

uint64_t trace_hidden(const struct trace *t)
{
	uint64_t hidden = 0;
	for (int i = 0; i < t->count; i++)
		hidden += t->nodes[i].hidden;
	return hidden;
}

/* The widest window is that of evaluations in searches with dice, else an immediate win or more. */
bool trace_is_open(int32_t edge)
{
	return edge >= QV_WIN || edge <= -QV_WIN || edge == QV_MAX_EVAL || edge == -QV_MAX_EVAL;
}

struct trace_label trace_number(int32_t value)
{
	struct trace_label w;
	if (trace_is_open(value))
		snprintf(w.text, sizeof w.text, "%sinf", value > 0 ? "+" : "-");
	else if (value > QV_MAX_EVAL)
		snprintf(w.text, sizeof w.text, "win in %d", QV_WIN - value);
	else if (value < -QV_MAX_EVAL)
		snprintf(w.text, sizeof w.text, "loss in %d", QV_WIN + value);
	else
		snprintf(w.text, sizeof w.text, "%d", value);
	return w;
}

struct trace_label trace_value(const struct trace_node *n)
{
	static const char *const signs[] = {
		[TRACE_EXACT] = "", [TRACE_AT_MOST] = "<=", [TRACE_AT_LEAST] = ">="
	};
	struct trace_label w;
	if (n->has_value)
		snprintf(w.text, sizeof w.text, "%s%.40s", signs[trace_bound(n)],
			 trace_number(n->value).text);
	else
		snprintf(w.text, sizeof w.text, "?");
	return w;
}

struct trace_label trace_window(const struct trace_node *n)
{
	struct trace_label w;
	snprintf(w.text, sizeof w.text, "[%.20s, %.20s]", trace_number(n->alpha).text,
		 trace_number(n->beta).text);
	return w;
}

void trace_add_remarks(const struct trace *t, struct string *out, const char *before,
		       const char *after)
{
	const struct qv_game *game = t->setup.rules.game;
	const uint64_t hidden = trace_hidden(t);
	if (game->seats == 2)
		string_addf(out, "%sValues and windows are for seat %d.%s", before,
			    game->seat(t->setup.root) + 1, after);
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
