/*
 * best.c - the command best: one move, as good as the player can find.
 * SPDX-License-Identifier: MIT
 */
#include "cli/cli.h"

/* The strongest players there are, for the first kind of game that each is for. */
static const char *const strongest[] = { "negascout:time=1s", "expectimax:time=1s", "random" };
enum { STRONGEST = sizeof strongest / sizeof *strongest };

/* One search, its answer, and memory to walk its line. */
struct thought {
	struct cli *c;
	struct position position;
	const char *spec;
	struct qv_player *player;
	struct qv_answer answer;
	void *scratch;
	json_t *line; /* the texts of its moves */
	bool line_ends_game;
};

/* ---- What it says ---- */

/* Moves as text need the positions they are played in, so the line is walked. */
static void walk_line(struct thought *t)
{
	const struct qv_game *game = t->position.rules.game;
	const struct qv_answer *a = &t->answer;
	const int length = a->line_length > 0 ? a->line_length : 1;
	int32_t points[QV_MAX_SEATS];
	memcpy(t->scratch, t->position.state, game->state_size);
	json_decref(t->line);
	t->line = json_array();
	for (int i = 0; i < length; i++) {
		const qv_move move = i ? a->line[i] : a->move;
		if (!qv_move_legal(game, t->scratch, move))
			break;
		t->line = json_item(t->line, json_text(move_words(game, t->scratch, move).text));
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

static const char *line_text(const struct thought *t, size_t i)
{
	return json_string_value(json_array_get(t->line, i));
}

static enum qv_status answer_json(struct thought *t)
{
	const struct qv_answer *a = &t->answer;
	json_t *o = json_object();
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
	if (!arguments_given(&t->c->args, OPT_NO_TIMES))
		o = json_field(o, "seconds", json_seconds(a->seconds));
	return cli_json(t->c, json_field(o, "pv", json_incref(t->line)));
}

static void add_line(const struct thought *t, struct string *out)
{
	for (size_t i = 0; i < json_array_size(t->line); i++)
		string_addf(out, "%s%s", i ? ", " : "", line_text(t, i));
}

static void add_proof(const struct thought *t, struct string *out)
{
	if (is_win_or_loss(&t->answer))
		string_addf(out, "proven %s in %d\n", t->answer.score > 0 ? "win" : "loss",
			    plies_to_end(t));
	else
		string_addf(out, "proven draw\n");
}

static void answer_print(const struct thought *t)
{
	const struct qv_answer *a = &t->answer;
	struct string *out = &t->c->out;
	string_addf(out, "player %s\nscore %d\n", t->spec, a->score);
	if (a->proven)
		add_proof(t, out);
	string_addf(out, "depth %d\nnodes %llu, evals %llu, considered %llu\n", a->depth,
		    (unsigned long long)a->nodes, (unsigned long long)a->evals,
		    (unsigned long long)a->considered);
	if (!arguments_given(&t->c->args, OPT_NO_TIMES))
		string_addf(out, "seconds %.3f\n", a->seconds);
	string_addf(out, "line ");
	add_line(t, out);
	string_addf(out, "\nmove %s\n", line_text(t, 0));
}

/* ---- How it comes about ---- */

static void show_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct thought *t = ctx;
	struct string line = { .allocator = &mem_malloc };
	t->answer = *so_far;
	walk_line(t);
	add_line(t, &line);
	fprintf(stderr, "depth %d  score %d  nodes %llu  line %s\n", so_far->depth, so_far->score,
		(unsigned long long)so_far->nodes, line.data ? line.data : "");
	string_release(&line);
}

static enum qv_status make_player(struct thought *t)
{
	struct cli *c = t->c;
	const struct qv_defaults defaults = { .seed = (uint64_t)c->args.seed,
					      .threads = (int)c->args.threads,
					      .hash_mb = (int)c->args.hash_mb };
	const struct qv_rules *rules = &t->position.rules;
	enum qv_status status = QV_UNSUPPORTED;
	for (int i = 0; i < STRONGEST && status == QV_UNSUPPORTED; i++) {
		t->spec = c->args.player ? c->args.player : strongest[i];
		status =
			qv_player_new(c->context, rules, t->spec, &defaults, &t->player, &c->error);
		if (c->args.player)
			break;
	}
	return status;
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

static enum qv_status think(struct thought *t)
{
	struct qv_limits limits = { .stop = cli_stop_flag() };
	limits.history = qv_record_history(t->position.record, &limits.history_count);
	const struct qv_listener listener = { .iteration =
						      cli_shows_progress() ? show_iteration : NULL,
					      .ctx = t };
	struct qv_answer answer;
	enum qv_status status = qv_player_think(t->player, t->position.state, &limits, &listener,
						&answer, &t->c->error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	t->answer = answer;
	walk_line(t);
	if (!line_text(t, 0))
		return qv_fail(&t->c->error, QV_NO_MEMORY, "best: out of memory");
	if (arguments_given(&t->c->args, OPT_JSON))
		return answer_json(t);
	answer_print(t);
	return QV_OK;
}

enum qv_status cmd_best(struct cli *c)
{
	struct thought t = { .c = c };
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &t.position);
	if (status != QV_OK)
		return status;
	const struct qv_game *game = t.position.rules.game;
	t.scratch = qv_state_new(c->context, game);
	if (!t.scratch)
		status = qv_fail(&c->error, QV_NO_MEMORY, "best: out of memory");
	if (status == QV_OK)
		status = check_position(c, &t.position);
	if (status == QV_OK)
		status = make_player(&t);
	if (status == QV_OK)
		status = think(&t);
	json_decref(t.line);
	qv_player_free(t.player);
	qv_state_free(c->context, game, t.scratch);
	position_release(&t.position);
	return status;
}
