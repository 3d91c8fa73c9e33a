/*
 * engine_check.c - the command engine check: tries an engine's protocol and prints each step.
 * SPDX-License-Identifier: MIT
 */
#include "match/engine_check.h"

#include "cli/engine_check.h"

enum { MOST_WAIT_MS = 3600000 };

/* --wait 2s */
static enum qv_status set_wait(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct engine_values *own = arguments_own(values);
	const char *rest = text;
	int64_t ms;
	if (!text_to_ms(&rest, true, &ms) || *rest || ms < 1 || ms > MOST_WAIT_MS)
		return qv_fail(error, QV_BAD_INPUT,
			       "%s: '%.60s' is not a time such as 500ms or 10s", option->name,
			       text);
	own->wait_ms = ms;
	return QV_OK;
}

/* --step "unknown line" */
static enum qv_status set_step(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct engine_values *own = arguments_own(values);
	char names[200] = "";
	struct qv_text list = { names, sizeof names, 0 };
	for (int i = 0; engine_check_step(i); i++) {
		if (strcmp(engine_check_step(i), text) == 0)
			own->step = text;
		qv_put(&list, i ? ", " : "");
		qv_put(&list, engine_check_step(i));
	}
	return own->step ? QV_OK
			 : qv_fail(error, QV_BAD_INPUT, "%s: no step '%.20s'; there are %.200s",
				   option->name, text, names);
}

const struct option engine_check_options[] = {
	COMMAND_OPTION(struct engine_values, "wait", OPTION_CUSTOM, wait_ms, .set = set_wait,
		       .value = "TIME",
		       .help = "check: how long to wait for an answer without a time limit "
			       "(default 10s)"),
	COMMAND_OPTION(struct engine_values, "step", OPTION_CUSTOM, step, .set = set_step,
		       .value = "NAME", .help = "check: only the handshake and this step"),
	{ 0 },
};

/* A check that is printed as it goes. */
struct shown_check {
	struct cli *c;
	json_t *steps;
	enum qv_status status; /* of the output */
};

static const char *const results[] = { [CHECK_PASSED] = "passed",
				       [CHECK_FAILED] = "failed",
				       [CHECK_ADVICE] = "advice",
				       [CHECK_SKIPPED] = "skipped" };

/* What was sent, came, or stands on standard error, as a list. */
static json_t *lines_json(const struct check_step *s, char way)
{
	json_t *list = json_array();
	for (int i = 0; i < s->line_count; i++)
		if (s->lines[i].way == way)
			list = json_item(list, json_text(s->lines[i].text));
	return list;
}

static void show_json(struct shown_check *k, const struct check_step *s)
{
	json_t *o = json_fields(json_object(), "step", json_text(s->name), "result",
				json_text(results[s->result]), "expected", json_text(s->expected),
				"why", json_unless_empty(s->why), "sent", lines_json(s, '>'),
				"came", lines_json(s, '<'), "errors", lines_json(s, '!'), NULL);
	if (!k->c->args.no_times)
		o = json_field(o, "seconds", json_seconds(s->seconds));
	k->steps = json_item(k->steps, o);
}

/* A line for the step; of one that failed also the dialogue. */
static void show_text(struct shown_check *k, const struct check_step *s)
{
	static const char *const marks[] = { [CHECK_PASSED] = "ok",
					     [CHECK_FAILED] = "FAILED",
					     [CHECK_ADVICE] = "advice",
					     [CHECK_SKIPPED] = "-" };
	static const char *const ways = "><!", *const words[] = { "sent", "came", "stderr" };
	struct string *out = &k->c->out;
	/* How long an answer took is no part of a reproducible output. */
	const bool times =
		k->c->args.no_times && s->result == CHECK_PASSED && strstr(s->why, " ms");
	const bool wrong = s->result == CHECK_FAILED || s->result == CHECK_ADVICE;
	string_addf(out, "%-6s  %s", marks[s->result], s->name);
	if (wrong)
		string_addf(out, ": expected: %s\n        but %s\n", s->expected, s->why);
	else
		string_addf(out, "%s%s\n", *s->why && !times ? ": " : "", times ? "" : s->why);
	if (wrong && s->left_out)
		string_addf(out, "        (%lld lines before)\n", (long long)s->left_out);
	for (int i = 0; wrong && i < s->line_count; i++)
		string_addf(out, "        %-6s  %s\n", words[strchr(ways, s->lines[i].way) - ways],
			    s->lines[i].text);
	if (k->status == QV_OK)
		k->status = cli_flush(k->c);
}

static void show_step(void *ctx, const struct check_step *step)
{
	struct shown_check *k = ctx;
	if (k->c->args.json)
		show_json(k, step);
	else
		show_text(k, step);
}

enum qv_status engine_check_run(struct cli *c)
{
	const struct engine_values *own = cli_own(c);
	struct shown_check k = { .c = c };
	const struct check_run run = { .patience_ms = own->wait_ms,
				       .only = own->step,
				       .stop = cli_stop_flag(),
				       .step = show_step,
				       .ctx = &k };
	struct check_totals totals;
	struct qv_rules rules;
	if (c->args.word_count != 4)
		return cli_refuse(c, "engine check: expected GAME SPEC, as in engine check chess "
				     "uci:stockfish");
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	if (status != QV_OK)
		return status;
	k.steps = json_array();
	status = engine_check(c->context, &rules, c->args.words[3], &run, &totals, &c->error);
	if (status == QV_OK)
		status = k.status;
	c->answer_is_no = totals.failed > 0;
	if (status == QV_OK && c->args.json)
		status = cli_json(c, json_fields(json_object(), "game", json_text(c->args.words[2]),
						 "spec", json_text(c->args.words[3]), "name",
						 json_unless_empty(totals.name), "steps",
						 json_incref(k.steps), "passed",
						 json_integer(totals.passed), "failed",
						 json_integer(totals.failed), "advice",
						 json_integer(totals.advice), "skipped",
						 json_integer(totals.skipped), NULL));
	else if (status == QV_OK)
		string_addf(&c->out, "passed %d, failed %d, advice %d, not tried %d\n",
			    totals.passed, totals.failed, totals.advice, totals.skipped);
	json_decref(k.steps);
	return status;
}
