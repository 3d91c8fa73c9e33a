/*
 * json.c - a traced tree as nested JSON objects.
 * SPDX-License-Identifier: MIT
 */
#include "trace/trace.h"

/* Null where the window is open. */
static json_t *edge(int32_t value)
{
	return trace_is_open(value) ? json_null() : json_integer(value);
}

static json_t *untried(const struct trace *t, const struct trace_node *n)
{
	json_t *names = json_array();
	for (int k = 0; k < n->untried_count; k++)
		names = json_item(names, json_text(trace_untried(t, n, k)));
	return names;
}

static json_t *children(const struct trace *t, const struct trace_node *n);

static json_t *node(const struct trace *t, const struct trace_node *n)
{
	static const char *const kinds[] = { [TRACE_INNER] = "inner",
					     [TRACE_LEAF] = "leaf",
					     [TRACE_END] = "end",
					     [TRACE_KNOWN] = "known" };
	static const char *const bounds[] = {
		[TRACE_EXACT] = "exact", [TRACE_AT_MOST] = "upper", [TRACE_AT_LEAST] = "lower"
	};
	json_t *o = json_field(json_object(), "move", json_text(trace_name(t, n)));
	o = json_field(o, "seat", n->seat == QV_CHANCE ? json_null() : json_integer(n->seat + 1));
	o = json_field(o, "value", n->has_value ? json_integer(n->value) : json_null());
	o = json_field(o, "bound", n->has_value ? json_text(bounds[trace_bound(n)]) : json_null());
	o = json_field(o, "alpha", edge(n->alpha));
	o = json_field(o, "beta", edge(n->beta));
	o = json_field(o, "kind", json_text(kinds[n->kind]));
	o = json_field(o, "cut", json_boolean(n->cut));
	o = json_field(o, "best", json_boolean(n->best));
	o = json_field(o, "passes", json_integer(n->passes));
	o = json_field(o, "not_shown", json_integer((json_int_t)n->hidden));
	o = json_field(o, "skipped", untried(t, n));
	return json_field(o, "children", children(t, n));
}

static json_t *children(const struct trace *t, const struct trace_node *n)
{
	json_t *list = json_array();
	for (int i = (int)(n - t->nodes) + 1; i < n->end; i = t->nodes[i].end)
		list = json_item(list, node(t, &t->nodes[i]));
	return list;
}

json_t *trace_json(const struct trace *t)
{
	const struct qv_game *g = t->setup.rules.game;
	char text[QV_POSITION_TEXT] = "", rules[256] = "";
	struct qv_text position = { text, sizeof text, 0 }, game = { rules, sizeof rules, 0 };
	const struct trace_node *root = &t->nodes[0];
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
