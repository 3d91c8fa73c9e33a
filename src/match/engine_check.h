/*
 * engine_check.h - tries the protocol of an engine step by step, and says what it does wrong.
 * SPDX-License-Identifier: MIT
 *
 * The engine is a player spec such as uci:stockfish. Each step sends it something that a manager may
 * send at any time, and states what must follow. An engine that ends or hangs in a step fails it and
 * is started again for the next one.
 */
#ifndef MATCH_ENGINE_CHECK_H
#define MATCH_ENGINE_CHECK_H

#include "base/text.h"

enum check_result {
	CHECK_PASSED,
	CHECK_FAILED,
	CHECK_ADVICE, /* it failed, but the protocol does not demand it */
	CHECK_SKIPPED,
};

enum {
	CHECK_LINES = 24, /* of the dialogue that a step keeps: the last ones */
	CHECK_LINE = 200, /* bytes of such a line; the rest is cut */
	CHECK_PATIENCE_MS = 10000,
};

/* A line of the dialogue: '>' to the engine, '<' from it, '!' its standard error. */
struct check_line {
	char way;
	char text[CHECK_LINE]; /* printable */
};

/* What came of a step. The texts are valid during the callback. */
struct check_step {
	const char *name, *expected; /* expected: what must follow, in words */
	enum check_result result;
	/* Why it failed or was not tried; or of a step that passed what is worth knowing, or "". */
	char why[300];
	struct check_line lines[CHECK_LINES];
	int line_count;
	int64_t left_out; /* lines before these */
	double seconds;
};

/* How a check is run. All but `step` may be zero. */
struct check_run {
	int64_t patience_ms; /* for an answer that nothing limits; 0: CHECK_PATIENCE_MS */
	const char *only;    /* besides start and hello, only the step of this name */
	const struct qv_flag *stop;
	void (*step)(void *ctx, const struct check_step *step);
	void *ctx;
};

struct check_totals {
	int passed, failed, advice, skipped;
	char name[64]; /* as the engine calls itself; "": it has no name */
};

/*
 * Tries the steps in order. A failed step is not a failure: QV_OK. QV_STOPPED: *stop was set.
 * QV_UNSUPPORTED: the spec does not name a program.
 */
enum qv_status engine_check(const struct qv_context *context, const struct qv_rules *rules,
			    const char *spec, const struct check_run *run, struct check_totals *out,
			    struct qv_error *error);
/* The name of a step, from 0; NULL: there are no more. */
const char *engine_check_step(int number);

#endif
