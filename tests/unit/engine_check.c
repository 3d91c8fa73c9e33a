/*
 * engine_check.c - an engine that does everything right passes every step, and one that does a thing
 * wrong fails the step that looks for it, with the reason and the dialogue.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "match/engine_check.h"

enum { SOON_MS = 300, TRIES = 6, AT_ONCE = 10 };

/* What became of the steps. */
struct seen {
	int failed;
	char name[40], why[300];
	bool sent, came, whole; /* whole: each step says what was expected, and why it failed */
	char all[2000];		/* the steps that failed */
};

static void take_step(void *ctx, const struct check_step *step)
{
	struct seen *s = ctx;
	const size_t length = strlen(s->all);
	s->whole &= step->name && *step->expected && (step->result == CHECK_PASSED || *step->why);
	if (step->result != CHECK_FAILED && step->result != CHECK_ADVICE)
		return;
	snprintf(s->all + length, sizeof s->all - length, "%s: %s; ", step->name, step->why);
	if (s->failed++)
		return;
	snprintf(s->name, sizeof s->name, "%s", step->name);
	snprintf(s->why, sizeof s->why, "%s", step->why);
	for (int i = 0; i < step->line_count; i++) {
		s->sent |= step->lines[i].way == '>';
		s->came |= step->lines[i].way == '<';
	}
}

static struct check_totals try_engine(const struct qv_context *context, const char *spec,
				      const char *only, int64_t patience_ms, struct seen *seen)
{
	struct qv_rules rules;
	struct check_totals totals = { 0 };
	struct qv_error error = { "" };
	const struct check_run run = {
		.patience_ms = patience_ms, .only = only, .step = take_step, .ctx = seen
	};
	*seen = (struct seen){ .whole = true };
	if (qv_rules_parse(context, "noughts", &rules, &error) != QV_OK ||
	    engine_check(context, &rules, spec, &run, &totals, &error) != QV_OK)
		snprintf(seen->all, sizeof seen->all, "%s: %s", spec, error.text);
	return totals;
}

/* Under load a step may fail because the program was late, so each is tried again, alone. */
static void test_check__a_good_engine_passes(void **state)
{
	static const char spec[] = "uci:" CHECKED_ENGINE;
	struct seen seen;
	const struct check_totals all = try_engine(*state, spec, NULL, 0, &seen);
	assert_true(seen.whole);
	int steps = 0;
	for (const char *name; (name = engine_check_step(steps)); steps++) {
		struct check_totals t = { .failed = all.failed + all.advice };
		for (int try = 0; try < TRIES && t.failed + t.advice; try++)
			t = try_engine(*state, spec, name, 0, &seen);
		if (t.failed + t.advice)
			fail_msg("%s", seen.all);
		assert_true(seen.whole);
	}
	assert_true(steps > 20);
	/* All of them apply to UCI. */
	assert_int_equal(all.passed + all.failed + all.advice, steps);
	assert_string_equal(all.name, "checked");
}

/* A fault, the step that finds it, and what it says. */
struct fault {
	const char *name, *step, *why;
};

/* Whether the step finds the fault. It asserts nothing, since it runs in a process of its own. */
static bool finds(const struct qv_context *context, const struct fault *fault)
{
	struct seen seen;
	char spec[600];
	const bool asked = strcmp(fault->step, "end of input") != 0 &&
			   strcmp(fault->step, "name") != 0 && strcmp(fault->step, "options") != 0;
	snprintf(spec, sizeof spec, "uci:%s '%s'", CHECKED_ENGINE, fault->name);
	/* Under load a program may be too late for something else. */
	for (int try = 0; try < TRIES; try++) {
		const struct check_totals t =
			try_engine(context, spec, fault->step, SOON_MS, &seen);
		if (t.failed + t.advice == 1 && strcmp(seen.name, fault->step) == 0 &&
		    strncmp(seen.why, fault->why, strlen(fault->why)) == 0 && seen.whole &&
		    (seen.sent || !asked))
			return true;
	}
	fprintf(stderr, "%s: %s\n", fault->name, seen.all);
	return false;
}

/* Most of the time is waiting, so several faults are looked for at once. */
static void test_check__finds_each_fault(void **state)
{
	static const struct fault faults[] = {
		{ "crash at hello", "hello",
		  "it ended during the handshake: exit status 4: checked: this is why" },
		{ "nameless", "name", "it does not say its name" },
		{ "bad option", "options", "option Hash: its default is not between min and max" },
		{ "twin option", "options", "option Hash: it is declared twice" },
		{ "dies of options", "unknown option", "it was killed by signal 6" },
		{ "no depth", "depth", "it ended: exit status 1" },
		{ "no nodes", "nodes", "it ended: exit status 1" },
		{ "hangs", "depth", "it did not answer in time" },
		{ "illegal", "depth", "it played the illegal move 10" },
		{ "crash", "time", "it was killed by signal 6" },
		{ "late", "time", "it did not answer in time" },
		{ "burns its clock", "short clock", "it did not answer in time" },
		{ "forgets moves", "game", "it played the illegal move 1" },
		{ "knows no positions", "position", "it ended: exit status 1" },
		{ "illegal line", "line", "the move 77 of its line is not legal" },
		{ "deaf", "stop", "it did not answer in time" },
		{ "loses a stop", "stop at once", "it did not answer in time" },
		{ "answers twice", "one answer", "it answered again without a question" },
		{ "busy", "ready", "no line that begins with 'readyok' came in time" },
		{ "dies of nonsense", "unknown line", "it was killed by signal 6" },
		{ "trusts positions", "bad position", "it was killed by signal 6" },
		{ "second game", "games", "it played the illegal move 10" },
		{ "crash after a move", "one answer", "it was killed by signal 6" },
		{ "no quit", "quit", "it did not end by itself" },
		{ "talks after quit", "quit", "it wrote something after it was told to quit" },
		{ "exit status", "quit", "its exit status was 3" },
		{ "survives its manager", "end of input", "it did not end by itself" },
		{ "searches on", "quit in a search", "it did not end by itself" },
	};
	enum { FAULTS = sizeof faults / sizeof *faults };
	pid_t children[FAULTS];
	int missed = 0;
	for (int i = 0; i < FAULTS + AT_ONCE; i++) {
		int status = 1;
		if (i >= AT_ONCE) {
			assert_int_equal(waitpid(children[i - AT_ONCE], &status, 0),
					 children[i - AT_ONCE]);
			missed += status != 0;
		}
		if (i >= FAULTS)
			continue;
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (!children[i])
			_exit(finds(*state, &faults[i]) ? 0 : 1);
	}
	assert_int_equal(missed, 0);
}

/* What cannot be started fails the first step, and nothing else is tried. */
static void test_check__says_what_cannot_be_started(void **state)
{
	struct seen seen;
	const struct check_totals t =
		try_engine(*state, "uci:/nonexistent/engine", NULL, SOON_MS, &seen);
	assert_int_equal(t.failed, 1);
	assert_int_equal(t.passed, 0);
	assert_string_equal(seen.name, "start");
	assert_string_equal(seen.why, "it could not be started: No such file or directory");
}

static void test_check__needs_a_program(void **state)
{
	struct qv_rules rules;
	struct check_totals totals;
	struct qv_error error = { "" };
	const struct check_run run = { .step = take_step };
	assert_int_equal(qv_rules_parse(*state, "noughts", &rules, NULL), QV_OK);
	assert_int_equal(engine_check(*state, &rules, "random", &run, &totals, &error),
			 QV_UNSUPPORTED);
	assert_non_null(strstr(error.text, "not a program"));
	assert_int_equal(engine_check(*state, &rules, "uci:'open", &run, &totals, &error),
			 QV_BAD_INPUT);
}

static int set_up(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static int tear_down(void **state)
{
	qv_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check__a_good_engine_passes),
		cmocka_unit_test(test_check__finds_each_fault),
		cmocka_unit_test(test_check__says_what_cannot_be_started),
		cmocka_unit_test(test_check__needs_a_program),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
