/*
 * player_answer.c - a player at a position: how it is made, and what its answer says. For the commands
 * that let one think.
 * SPDX-License-Identifier: MIT
 */
#include "cli/player_answer.h"

#include "programs/players.h"

const struct option player_option[] = {
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "player that searches (quevedo help players)"),
	{ 0 },
};

/* ---- What it says ---- */

/* Moves as text need the positions they are played in, so the line is walked. */
void thought_take(struct thought *t, const struct qv_answer *answer)
{
	const struct qv_game *game = t->position.rules.game;
	const struct qv_answer *a = &t->answer;
	t->answer = *answer;
	const int length = a->line_length > 0 ? a->line_length : 1;
	int32_t points[QV_MAX_SEATS];
	memcpy(t->scratch, t->position.state, game->state_size);
	json_decref(t->line);
	t->line = json_array();
	for (int i = 0; i < length; i++) {
		const qv_move move = i ? a->line[i] : a->move;
		if (!qv_move_legal(game, t->scratch, move))
			break;
		t->line = json_item(t->line,
				    json_text(position_words(&t->position, t->scratch, move).text));
		game->play(t->scratch, move);
	}
	t->line_ends_game = game->result(t->scratch, points) != QV_GOING;
}

static bool is_win_or_loss(const struct qv_answer *a)
{
	return a->score > QV_MAX_EVAL || a->score < -QV_MAX_EVAL;
}

/* Plies to the end of a proven game; for a draw those of its line, if it gets there, or -1. */
static int plies_to_end(const struct thought *t)
{
	const struct qv_answer *a = &t->answer;
	if (is_win_or_loss(a))
		return QV_WIN - (a->score < 0 ? -a->score : a->score);
	return t->line_ends_game ? (int)json_array_size(t->line) : -1;
}

const char *thought_move(const struct thought *t, size_t i)
{
	return json_string_value(json_array_get(t->line, i));
}

json_t *thought_fields(const struct thought *t, json_t *o)
{
	const struct qv_answer *a = &t->answer;
	o = json_field(o, "move", json_incref(json_array_get(t->line, 0)));
	o = json_field(o, "score", json_integer(a->score));
	o = json_field(o, "proven", json_boolean(a->proven));
	if (a->proven) {
		const int plies = plies_to_end(t);
		o = json_field(o, "in", plies < 0 ? json_null() : json_integer(plies));
	}
	o = json_field(o, "depth", json_integer(a->depth));
	o = json_field(o, "nodes", json_integer((json_int_t)a->nodes));
	o = json_field(o, "evals", json_integer((json_int_t)a->evals));
	o = json_field(o, "considered", json_integer((json_int_t)a->considered));
	if (!t->c->args.no_times)
		o = json_field(o, "seconds", json_seconds(a->seconds));
	return json_field(o, "pv", json_incref(t->line));
}

void thought_add_line(const struct thought *t, struct string *out)
{
	for (size_t i = 0; i < json_array_size(t->line); i++)
		string_addf(out, "%s%s", i ? ", " : "", thought_move(t, i));
}

void thought_add_proof(const struct thought *t, struct string *out)
{
	if (is_win_or_loss(&t->answer))
		string_addf(out, "proven %s in %d", t->answer.score > 0 ? "win" : "loss",
			    plies_to_end(t));
	else
		string_addf(out, "proven draw");
}

/* ---- How it is made ---- */

static enum qv_status make_player(struct thought *t, bool explain)
{
	struct cli *c = t->c;
	const struct qv_defaults defaults = cli_defaults(c);
	const struct qv_rules *rules = &t->position.rules;
	const char *explainer = context_engine(rules->game)->explainer;
	strongest_player(rules->game, "time=1s", t->own);
	t->spec = c->args.player ? c->args.player : explainer && explain ? explainer : t->own;
	return player_open(c->context, rules, t->spec, &defaults, &t->player, &c->error);
}

static enum qv_status check_position(struct cli *c, const struct position *p)
{
	int32_t points[QV_MAX_SEATS];
	if (qv_record_result(p->record, points) != QV_GOING)
		return qv_fail(&c->error, QV_ILLEGAL, "position: the game has ended");
	if (p->rules.game->seat(p->state) == QV_CHANCE)
		return qv_fail(&c->error, QV_ILLEGAL, "position: chance is to move, not a player");
	return QV_OK;
}

enum qv_status thought_open(struct cli *c, bool explain, struct thought *t)
{
	*t = (struct thought){ .c = c };
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &t->position);
	if (status != QV_OK)
		return status;
	t->scratch = qv_state_new(c->context, t->position.rules.game);
	if (!t->scratch)
		status = qv_fail(&c->error, QV_NO_MEMORY, "%s: out of memory", c->args.words[0]);
	if (status == QV_OK)
		status = check_position(c, &t->position);
	return status == QV_OK ? make_player(t, explain) : status;
}

struct qv_limits thought_limits(const struct thought *t)
{
	struct qv_limits limits = { .stop = cli_stop_flag() };
	limits.history = qv_record_history(t->position.record, &limits.history_count);
	return limits;
}

enum qv_status thought_think(struct thought *t, const struct qv_limits *limits,
			     const struct qv_listener *listener)
{
	struct qv_answer answer;
	const struct player_news news = { .record = t->position.record };
	const enum qv_status status = player_think(t->player, &news, t->position.state, limits,
						   listener, &answer, &t->c->error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	thought_take(t, &answer);
	if (!thought_move(t, 0))
		return qv_fail(&t->c->error, QV_NO_MEMORY, "%s: out of memory",
			       t->c->args.words[0]);
	return status;
}

void thought_release(struct thought *t)
{
	json_decref(t->line);
	qv_player_free(t->player);
	if (t->position.record)
		qv_state_free(t->c->context, t->position.rules.game, t->scratch);
	position_release(&t->position);
}
