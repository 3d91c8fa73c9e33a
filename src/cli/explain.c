/*
 * explain.c - how a player thinks, before the lines of analyse. The game's engine tells it as one
 * JSON object; here it becomes lines of text.
 * SPDX-License-Identifier: MIT
 */
#include "cli/player_answer.h"
#include "core/context.h"

static void add_names(struct string *out, const json_t *names, const char *none,
		      const char *between)
{
	const json_t *name;
	size_t i;
	if (!json_array_size(names))
		string_addf(out, "%s", none);
	json_array_foreach((json_t *)names, i, name)
		string_addf(out, "%s%s", i ? between : "", json_string_value(name));
}

static void add_scores(struct string *out, const json_t *scores)
{
	const json_t *score;
	size_t i;
	if (!json_is_array(scores))
		string_addf(out, "  scores unknown");
	else
		string_addf(out, "  scores");
	json_array_foreach((json_t *)scores, i, score)
		string_addf(out, " %lld", (long long)json_integer_value(score));
}

static long long number(const json_t *o, const char *name)
{
	return (long long)json_integer_value(json_object_get(o, name));
}

static void add_requests(struct string *out, const json_t *requests)
{
	const json_t *r;
	size_t i;
	json_array_foreach((json_t *)requests, i, r)
		string_addf(out, "request %s  priority %lld  ships %lld to %lld  threat %lld  %s\n",
			    json_string_value(json_object_get(r, "sector")), number(r, "priority"),
			    number(r, "least"), number(r, "most"), number(r, "threat"),
			    json_string_value(json_object_get(r, "goal")));
}

static void add_masks(struct string *out, const json_t *told)
{
	const json_t *mask;
	size_t i;
	json_array_foreach(json_object_get(told, "masks"), i, mask)
	{
		string_addf(out, "mask without ");
		add_names(out, json_object_get(mask, "without"), "none", " ");
		add_scores(out, json_object_get(mask, "scores"));
		string_addf(out, "%s\n", (long long)i == number(told, "chosen") ? "  chosen" : "");
	}
}

static void add_text(struct string *out, const json_t *told)
{
	const json_t *turn;
	size_t i;
	add_requests(out, json_object_get(told, "requests"));
	add_masks(out, told);
	json_array_foreach(json_object_get(told, "line"), i, turn)
	{
		string_addf(out, "turn of %lld  ", number(turn, "seat"));
		add_names(out, json_object_get(turn, "commands"), "-", ", ");
		add_scores(out, json_object_get(turn, "scores"));
		string_addf(out, "\n");
	}
	string_addf(out, "masks %zu of %lld  positions %lld  evaluated %lld  levels %lld\n",
		    json_array_size(json_object_get(told, "masks")), number(told, "all"),
		    number(told, "generated"), number(told, "evaluated"), number(told, "levels"));
}

enum qv_status thought_explain(struct thought *t)
{
	struct cli *c = t->c;
	const struct qv_game *game = t->position.rules.game;
	const struct engine *engine = context_engine(game);
	const struct qv_limits limits = thought_limits(t);
	struct string told = { .allocator = &mem_malloc };
	if (!engine->explain)
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "--explain: no player of %s explains its moves", game->name);
	enum qv_status status =
		engine->explain(t->player, t->position.state, &limits, &told, &c->error);
	json_t *o = status == QV_OK ? json_loads(told.data, 0, NULL) : NULL;
	string_release(&told);
	if (status != QV_OK)
		return status;
	if (!o)
		return qv_fail(&c->error, QV_NO_MEMORY, "--explain: out of memory");
	if (c->args.json) {
		status = cli_json(c, json_field(json_object(), "explanation", o));
	} else {
		add_text(&c->out, o);
		json_decref(o);
	}
	return status == QV_OK ? cli_flush(c) : status;
}
