/*
 * tree_json.c - the searched tree as nested JSON objects, and for Graphviz.
 * SPDX-License-Identifier: MIT
 */
#include "cli/tree.h"

/* ---- JSON ---- */

/* Null where the window is open. */
static json_t *edge(int32_t value)
{
	return grown_is_open(value) ? json_null() : json_integer(value);
}

static json_t *skipped(const struct grown *t, const struct grown_node *n)
{
	json_t *names = json_array();
	for (int k = 0; k < n->skipped_count; k++)
		names = json_item(names, json_text(grown_skipped(t, n, k)));
	return names;
}

static json_t *children(const struct grown *t, const struct grown_node *n);

static json_t *node(const struct grown *t, const struct grown_node *n)
{
	static const char *const kinds[] = { [GROWN_INNER] = "inner",
					     [GROWN_LEAF] = "leaf",
					     [GROWN_END] = "end",
					     [GROWN_KNOWN] = "known" };
	static const char *const bounds[] = {
		[GROWN_EXACT] = "exact", [GROWN_AT_MOST] = "upper", [GROWN_AT_LEAST] = "lower"
	};
	json_t *o = json_field(json_object(), "move", json_text(grown_name(t, n)));
	o = json_field(o, "seat", n->seat == QV_CHANCE ? json_null() : json_integer(n->seat + 1));
	o = json_field(o, "value", n->told ? json_integer(n->value) : json_null());
	o = json_field(o, "bound", n->told ? json_text(bounds[grown_bound(n)]) : json_null());
	o = json_field(o, "alpha", edge(n->alpha));
	o = json_field(o, "beta", edge(n->beta));
	o = json_field(o, "kind", json_text(kinds[n->kind]));
	o = json_field(o, "cut", json_boolean(n->cut));
	o = json_field(o, "best", json_boolean(n->best));
	o = json_field(o, "passes", json_integer(n->passes));
	o = json_field(o, "not_shown", json_integer((json_int_t)n->hidden));
	o = json_field(o, "skipped", skipped(t, n));
	return json_field(o, "children", children(t, n));
}

static json_t *children(const struct grown *t, const struct grown_node *n)
{
	json_t *list = json_array();
	for (int i = (int)(n - t->nodes) + 1; i < n->end; i = t->nodes[i].end)
		list = json_item(list, node(t, &t->nodes[i]));
	return list;
}

json_t *grown_json(const struct grown *t, const struct thought *thought)
{
	const struct position *p = &thought->position;
	char text[QV_POSITION_TEXT] = "", rules[256] = "";
	struct qv_text position = { text, sizeof text, 0 }, game = { rules, sizeof rules, 0 };
	const struct grown_node *root = &t->nodes[0];
	p->rules.game->position_text(p->state, &position);
	qv_rules_text(&p->rules, &game);
	json_t *o = json_field(json_object(), "game", json_text(rules));
	o = json_field(o, "position", json_text(text));
	o = json_field(o, "player", json_text(thought->spec));
	o = json_field(o, "seat", json_integer(p->rules.game->seat(p->state) + 1));
	o = json_field(o, "move", json_text(thought_move(thought, 0)));
	o = json_field(o, "value", json_integer(root->value));
	o = json_field(o, "depth", json_integer(t->depth));
	o = json_field(o, "complete", json_boolean(t->complete));
	o = json_field(o, "passes", json_integer(root->passes));
	o = json_field(o, "nodes", json_integer((json_int_t)t->made));
	o = json_field(o, "leaves", json_integer((json_int_t)t->leaves));
	o = json_field(o, "cuts", json_integer((json_int_t)t->cuts));
	o = json_field(o, "not_shown", json_integer((json_int_t)grown_hidden(t)));
	o = json_field(o, "skipped", skipped(t, root));
	return json_field(o, "children", children(t, root));
}

/* ---- Graphviz ---- */

/* Text inside a quoted string. */
static void add_quoted(struct string *out, const char *text)
{
	for (; *text; text++)
		string_addf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
}

static void add_skipped(const struct grown *t, int place, struct string *out)
{
	const struct grown_node *n = &t->nodes[place];
	if (!n->skipped_count)
		return;
	string_addf(out, "  s%d [style=dashed, color=gray50, fontcolor=gray40, label=\"", place);
	for (int k = 0; k < n->skipped_count; k++) {
		string_addf(out, "%s", k ? " " : "");
		add_quoted(out, grown_skipped(t, n, k));
	}
	string_addf(out, "\"];\n  n%d -> s%d [style=dashed, color=gray50, label=\"%s\"];\n", place,
		    place, t->nodes[n->last_child].cut ? "cut" : "not tried");
}

static void add_node(const struct grown *t, int place, struct string *out)
{
	const struct grown_node *n = &t->nodes[place];
	string_addf(out, "  n%d [label=\"", place);
	add_quoted(out, grown_name(t, n));
	string_addf(out, "\\n%s", grown_value(n).text);
	if (n->ply && n->kind == GROWN_INNER)
		string_addf(out, "\\n%s", grown_window(n).text);
	if (n->hidden)
		string_addf(out, "\\n+ %llu nodes", (unsigned long long)n->hidden);
	string_addf(out, "\"%s%s];\n", n->kind == GROWN_LEAF ? ", shape=plaintext" : "",
		    n->best ? ", penwidth=2.5" : "");
	if (n->ply)
		string_addf(out, "  n%d -> n%d%s;\n", n->parent, place,
			    n->best ? " [penwidth=2.5]" : "");
	add_skipped(t, place, out);
}

void grown_dot(const struct grown *t, const struct thought *thought, struct string *out)
{
	string_addf(out, "digraph tree {\n  label=\"");
	add_quoted(out, thought->spec);
	string_addf(out, ": move ");
	add_quoted(out, thought_move(thought, 0));
	string_addf(out, ". ");
	grown_add_remarks(t, thought, out, "", "\\n");
	string_addf(
		out,
		"\";\n  node [shape=box, fontsize=10];\n  edge [arrowhead=none, fontsize=9];\n");
	for (int i = 0; i < t->count; i++)
		add_node(t, i, out);
	string_addf(out, "}\n");
}
