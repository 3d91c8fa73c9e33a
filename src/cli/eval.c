/*
 * eval.c - the command eval: the static evaluation of a position, term by term.
 * SPDX-License-Identifier: MIT
 *
 * The value is what a search gets at a leaf: that of the function `evaluate`. The terms come from
 * the same code (include/quevedo/terms.h). An evaluation that lists none, such as a neural network,
 * has a value only.
 */
#include "cli/cli.h"
#include "core/context.h"
#include "formats/evaluation_json.h"
#include "search/weights.h"

/* The options of eval. */
struct eval_values {
	char eval[SETTINGS_NAME];
	const char *weights;
	struct option_list weight;
};

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct eval_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("eval", OPTION_TEXT, eval, .value = "NAME",
	    .help = "the evaluation (quevedo help GAME lists them)"),
	ROW("weights", OPTION_POINTER, weights, .value = "FILE",
	    .help = "read its weights from a file"),
	ROW("weight", OPTION_LIST, weight, .max = OPTION_LIST_MOST, .value = "NAME=N",
	    .help = "set one weight: threat=20, corner[2]=25; may be repeated"),
	{ 0 },
};
#undef ROW

/* An evaluation of a position. {0} is a valid empty one. */
struct evaluated {
	struct position position;
	struct chosen_evaluation chosen;
	void *weights; /* a copy that --weight has changed; NULL: as chosen */
	int32_t value;
	struct qv_term *terms;
	int term_count;
};

static const void *weights_of(const struct evaluated *v)
{
	return v->weights	   ? v->weights
	       : v->chosen.weights ? v->chosen.weights
				   : v->chosen.evaluation->weights;
}

/* Chooses the evaluation of --eval, with the weights of --weights. */
static enum qv_status choose(struct cli *c, struct evaluated *v)
{
	const struct eval_values *own = cli_own(c);
	const struct qv_game *game = v->position.rules.game;
	struct settings set = { 0 };
	struct qv_error why = { "" };
	if (own->weights && (!*own->weights || strlen(own->weights) >= sizeof set.weights))
		return cli_refuse(c, "--weights: the file name is empty or too long");
	strcpy(set.eval, own->eval);
	strcpy(set.weights, own->weights ? own->weights : "");
	const enum qv_status status =
		evaluation_choose(&mem_malloc, game, game->evaluations,
				  context_added(c->context, game), &set, &v->chosen, &why);
	/* A file that cannot be read is named itself; other errors begin with "eval" or "weights". */
	const bool of_file =
		own->weights && strncmp(why.text, own->weights, strlen(own->weights)) == 0;
	if (status != QV_OK)
		return qv_fail(&c->error, status, of_file ? "%.200s" : "--%.200s", why.text);
	if (!v->chosen.evaluation)
		return qv_fail(&c->error, QV_UNSUPPORTED, "eval: %s has no evaluation", game->name);
	return QV_OK;
}

/* Sets the weight of one --weight NAME=N, in a copy of all weights. */
static enum qv_status set_weight(struct cli *c, struct evaluated *v, const char *text)
{
	const struct qv_evaluation *e = v->chosen.evaluation;
	const char *sign = strrchr(text, '=');
	const size_t length = sign ? (size_t)(sign - text) : 0;
	char name[SETTINGS_WEIGHT];
	int64_t value;
	int place;
	struct qv_error why = { "" };
	if (!length || length >= sizeof name ||
	    !text_to_int(sign + 1, -WEIGHT_MOST, WEIGHT_MOST, &value))
		return cli_refuse(c,
				  "--weight: '%.60s' is not NAME=N, as in corner[2]=25, with N "
				  "from %d to %d",
				  text, -WEIGHT_MOST, WEIGHT_MOST);
	memcpy(name, text, length);
	name[length] = '\0';
	const enum qv_status status = weights_find(e, name, &place, &why);
	if (status != QV_OK)
		return qv_fail(&c->error, status, "--%.200s", why.text);
	if (!v->weights) {
		void *copy = mem_new(&mem_malloc, 1, e->weights_size);
		if (!copy)
			return cli_no_memory(c, "weights");
		v->weights = memcpy(copy, weights_of(v), e->weights_size);
	}
	((int32_t *)v->weights)[place] = (int32_t)value;
	return QV_OK;
}

/* Evaluates GAME and POS of the command line. Release the result in any case. */
static enum qv_status evaluated_open(struct cli *c, struct evaluated *v)
{
	const struct eval_values *own = cli_own(c);
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &v->position);
	if (status == QV_OK)
		status = choose(c, v);
	for (int i = 0; i < own->weight.count && status == QV_OK; i++)
		status = set_weight(c, v, own->weight.texts[i]);
	if (status != QV_OK)
		return status;
	const struct qv_game *game = v->position.rules.game;
	if (game->seat(v->position.state) == QV_CHANCE)
		return qv_fail(&c->error, QV_ILLEGAL, "position: chance is to move, not a player");
	v->terms = mem_new(&mem_malloc, QV_MAX_TERMS, sizeof *v->terms);
	if (!v->terms)
		return cli_no_memory(c, "eval");
	const struct qv_evaluation *e = v->chosen.evaluation;
	v->value = e->evaluate(v->position.state, weights_of(v));
	v->term_count = evaluation_terms(game, e, weights_of(v), v->position.state, v->terms);
	return QV_OK;
}

static void evaluated_release(struct evaluated *v)
{
	const size_t weights_size = v->weights ? v->chosen.evaluation->weights_size : 0;
	mem_free(&mem_malloc, v->terms, QV_MAX_TERMS * sizeof *v->terms);
	mem_free(&mem_malloc, v->weights, weights_size);
	evaluation_release(&mem_malloc, &v->chosen);
	position_release(&v->position);
}

/* The value of a term's weight. */
static int32_t term_weight(const struct evaluated *v, const struct qv_term *t)
{
	return ((const int32_t *)weights_of(v))[t->place];
}

/* A table of the terms, then the line "value N". The share is shown only if it is not always 1. */
static void print_text(const struct evaluated *v, struct string *out)
{
	const struct qv_game *game = v->position.rules.game;
	bool shares = false;
	string_addf(out, "eval %s\n", v->chosen.evaluation->name);
	cli_add_turn(out, game, game->seat(v->position.state));
	for (int i = 0; i < v->term_count; i++)
		shares = shares || v->terms[i].share < 1;
	if (v->term_count) {
		string_addf(out, "%-22s", "term");
		for (int seat = 0; seat < game->seats; seat++)
			string_addf(out, " %6s %d", "seat", seat + 1);
		string_addf(out, " %8s%s %8s\n", "weight", shares ? "   share" : "", "value");
	}
	for (int i = 0; i < v->term_count; i++) {
		const struct qv_term *t = &v->terms[i];
		string_addf(out, "%-22s", term_name(v->chosen.evaluation, t).text);
		for (int seat = 0; seat < game->seats; seat++)
			string_addf(out, " %8d", (int)t->counts[seat]);
		if (t->place < 0)
			string_addf(out, " %8s", "-");
		else
			string_addf(out, " %8d", (int)term_weight(v, t));
		if (shares)
			string_addf(out, " %7.3f", t->share);
		string_addf(out, " %8lld\n", (long long)t->value);
	}
	string_addf(out, "value %d\n", (int)v->value);
}

/* The same as one object, with the squares of each term. */
static json_t *as_json(const struct evaluated *v)
{
	const struct qv_rules *rules = &v->position.rules;
	char position[QV_POSITION_TEXT] = "";
	rules->game->position_text(v->position.state,
				   &(struct qv_text){ position, sizeof position, 0 });
	json_t *json = json_fields(json_object(), "game", json_text(rules_text(rules).text),
				   "position", json_text(position), NULL);
	json_t *rest = evaluation_json(rules, v->chosen.evaluation, weights_of(v),
				       v->position.state, TERM_CELL_NAMES);
	if (json && rest && json_object_update(json, rest) == 0) {
		json_decref(rest);
		return json;
	}
	json_decref(json);
	json_decref(rest);
	return NULL;
}

static enum qv_status run_eval(struct cli *c)
{
	struct evaluated v = { 0 };
	enum qv_status status = evaluated_open(c, &v);
	if (status == QV_OK && c->args.json)
		status = cli_json(c, as_json(&v));
	else if (status == QV_OK)
		print_text(&v, &c->out);
	evaluated_release(&v);
	return status;
}

const struct command command_eval = {
	.name = "eval", .run = run_eval, .least = 1, .most = 2, .usage = "eval GAME [POS]",
	.help = "evaluate a position statically, term by term",
	.more = "Prints how often each weight counts for each seat and what that adds to the value, "
		"which is for the side to move.\n",
	.options = OPTION_GROUPS(own_options, moves_options, position_options, common_options),
};
