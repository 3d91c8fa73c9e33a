/*
 * obf.c - suites of reversi positions for the command epd: lines of Othello Board Files.
 * SPDX-License-Identifier: MIT
 *
 * With --player, its move must be one of the best that the line lists. Without it, each position is
 * solved, and the difference of discs must be the best score. A line without scores is not tested. A
 * line that cannot be read is reported and skipped.
 */
#include "formats/obf.h"

#include "base/flag.h"
#include "base/scan.h"
#include "cli/cli.h"
#include "core/context.h"
#include "programs/players.h"

struct obf_suite {
	struct cli *c;
	struct qv_rules rules;
	struct qv_player *player; /* NULL: positions are solved */
	struct qv_solver *solver;
	struct obf line;
	int number; /* of the line, from 1 */
	int positions, solved, untested, bad;
	int64_t lost; /* discs, by moves of the player that were not the best */
	json_t *cases;
};

/* right: 1, 0, or -1 for a line without a test. */
struct obf_verdict {
	int right;
	bool unknown;
	char got[80];
};

static enum qv_status fail(const struct obf_suite *t, enum qv_status status,
			   const struct qv_error *why)
{
	return qv_fail(&t->c->error, status, "line %d: %.200s", t->number, why->text);
}

static enum qv_status test_move(struct obf_suite *t, struct obf_verdict *v)
{
	const struct qv_limits limits = { .stop = cli_stop_flag() };
	struct qv_answer answer;
	struct qv_error why = { "" };
	int score = 0;
	if (!t->line.count)
		return QV_OK;
	/* Each position is a new game, so that the order of lines does not matter. */
	qv_player_new_game(t->player);
	const enum qv_status status =
		player_think(t->player, NULL, &t->line.state, &limits, NULL, &answer, &why);
	if (status != QV_OK)
		return fail(t, status, &why);
	struct qv_text text = { v->got, sizeof v->got, 0 };
	reversi_move_text(&t->line.state, answer.move, &text);
	const bool known = obf_score(&t->line, answer.move, &score);
	v->right = known && score == t->line.best;
	if (known && !v->right) {
		snprintf(v->got + text.length, sizeof v->got - text.length, ", %d discs lost",
			 t->line.best - score);
		t->lost += t->line.best - score;
	}
	return QV_OK;
}

static enum qv_status test_score(struct obf_suite *t, struct obf_verdict *v)
{
	struct qv_solution solution;
	struct qv_error why = { "" };
	struct cli_watch watch;
	if (!t->line.has_best)
		return QV_OK;
	struct qv_solve_limits limits = cli_watch_limits(&watch);
	limits.margin = true;
	cli_watch_begin(&watch, t->c, "epd");
	const enum qv_status status =
		solver_run(t->solver, &t->line.state, &limits, &solution, &why);
	cli_watch_end(&watch);
	/* Ctrl-C ends the suite, --time only this test. */
	v->unknown = status == QV_STOPPED && !flag_is_set(limits.stop);
	if (status != QV_OK && !v->unknown)
		return fail(t, status, &why);
	v->right = !v->unknown && solution.margin == t->line.best;
	if (!v->unknown)
		snprintf(v->got, sizeof v->got, "%+d", (int)solution.margin);
	return QV_OK;
}

/* Prints the verdict at once, since a position may take long. */
static enum qv_status report(struct obf_suite *t, const struct obf_verdict *v)
{
	static const char *const words[] = { "not tested", "wrong", "right" };
	const char *id = t->line.comment;
	t->positions++;
	t->solved += v->right > 0;
	t->untested += v->right < 0;
	json_t *right = v->right < 0 ? json_null() : json_boolean(v->right);
	t->cases = json_item(t->cases, json_fields(json_object(), "line", json_integer(t->number),
						   "id", json_unless_empty(id), "right", right,
						   "got", json_text(v->got), NULL));
	if (t->c->args.json)
		return QV_OK;
	string_addf(&t->c->out, "line %d%s%s: %s%s%s\n", t->number, *id ? " " : "", id,
		    v->unknown ? "not solved" : words[v->right + 1], *v->got ? ": " : "", v->got);
	return cli_flush(t->c);
}

static enum qv_status test_line(struct obf_suite *t, const char *text)
{
	struct obf_verdict v = { .right = -1 };
	struct qv_error why = { "" };
	if (obf_read(text, &t->line, &why) != QV_OK) {
		fprintf(stderr, "quevedo: line %d: %s\n", t->number, why.text);
		t->bad++;
		return QV_OK;
	}
	const enum qv_status status = t->player ? test_move(t, &v) : test_score(t, &v);
	return status == QV_OK ? report(t, &v) : status;
}

/* Sums up. Exit status 1: a test failed, or a line could not be read. */
static enum qv_status sum_up(struct obf_suite *t)
{
	const int tested = t->positions - t->untested;
	t->c->answer_is_no = t->solved < tested || t->bad;
	if (t->c->args.json)
		return cli_json(t->c,
				json_fields(json_object(), "positions", json_integer(t->positions),
					    "tested", json_integer(tested), "solved",
					    json_integer(t->solved), "bad", json_integer(t->bad),
					    "lost", json_integer(t->lost), "cases",
					    json_incref(t->cases), NULL));
	string_addf(&t->c->out, "solved %d of %d", t->solved, tested);
	if (t->player)
		string_addf(&t->c->out, ", %lld discs lost", (long long)t->lost);
	if (t->bad)
		string_addf(&t->c->out, ", bad lines %d", t->bad);
	string_addf(&t->c->out, "\n");
	return QV_OK;
}

enum qv_status obf_run(struct cli *c, char *text)
{
	struct obf_suite t = { .c = c, .cases = json_array() };
	const struct qv_defaults defaults = cli_defaults(c);
	enum qv_status status =
		c->args.out ? cli_refuse(c, "--out: only for EPD, not for OBF")
			    : qv_rules_parse(c->context, "reversi", &t.rules, &c->error);
	if (status == QV_OK && c->args.player)
		status = player_open(c->context, &t.rules, c->args.player, &defaults, &t.player,
				     &c->error);
	else if (status == QV_OK)
		status = qv_solver_new_with(c->context, &t.rules, &defaults,
					    (size_t)c->args.hash_mb << 20, &t.solver, &c->error);
	/* Empty lines and comments are skipped. */
	for (char *rest = text; rest && status == QV_OK;) {
		char *line = scan_trim(scan_cut(&rest, '\n'), " \t\r");
		t.number++;
		if (*line && *line != '%')
			status = test_line(&t, line);
	}
	if (status == QV_OK)
		status = sum_up(&t);
	qv_player_free(t.player);
	qv_solver_free(t.solver);
	json_decref(t.cases);
	return status;
}
