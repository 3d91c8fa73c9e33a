/*
 * play.c - fuzz target: a game's name on the first line, and then any lines to a game in progress.
 * Each gets an answer, the game stays one that can be saved and loaded, and it can always be left.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "terminal/dialogue.h"

enum { MOST_LINES = 60, MOST_STEPS = 50 };

static int64_t now(void *ctx)
{
	return *(int64_t *)ctx += 7;
}

/* Whoever is to act besides the person; all are in a hurry, so nobody thinks for long. */
static void settle(struct talk *t)
{
	for (int i = 0; i < MOST_STEPS; i++) {
		const enum talk_next next = talk_next(t);
		if (next == TALK_THINK)
			talk_think(t);
		else if (next == TALK_ROLL)
			talk_roll(t);
		else
			break;
		string_release(&t->out);
	}
}

static void check_record(const struct qv_context *context, const struct session *s)
{
	const struct qv_record *record = session_record(s);
	struct qv_record *again = NULL;
	fuzz_require(qv_record_load(context, record->journal.data, record->journal.length, &again,
				    NULL) == QV_OK);
	fuzz_require(qv_record_ply(again) == qv_record_ply(record));
	qv_record_free(again);
}

/* What could be typed instead is offered, whatever is there. */
static void complete(struct talk *t, const char *begin)
{
	struct text_list found = { .allocator = &mem_malloc };
	talk_complete(t, begin, &found);
	for (int i = 0; i < found.count; i++)
		fuzz_require(found.text[i][0]);
	text_list_release(&found);
}

static void check_text(const struct talk *t)
{
	for (size_t i = 0; i < t->out.length; i++)
		fuzz_require(t->out.data[i] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	const struct qv_flag stop = { 1 };
	char *text = fuzz_text(data, size), *rest = fuzz_next_line(text);
	struct qv_rules rules;
	int64_t ticks = 0;
	struct talk t = { .screen = { .width = 40,
				      .unicode = size & 1,
				      .colour = size & 2,
				      .terminal = size & 4 },
			  .stop = &stop };
	if (qv_rules_parse(context, text, &rules, NULL) == QV_OK) {
		struct session_setup setup = {
			.context = context,
			.rules = &rules,
			.level = 1,
			.defaults = { .seed = 1, .threads = 1, .hash_mb = 1 },
			.now_ms = now,
			.now_ctx = &ticks
		};
		fuzz_require(session_new(&setup, &t.session, NULL) == QV_OK);
		talk_begin(&t);
		for (int i = 0; i < MOST_LINES && *rest; i++) {
			char *line = rest;
			rest = fuzz_next_line(line);
			settle(&t);
			complete(&t, line);
			talk_line(&t, line);
			check_text(&t);
			string_release(&t.out);
		}
		settle(&t);
		check_record(context, t.session);
		talk_end(&t);
		talk_line(&t, "");
		talk_line(&t, "/quit");
		fuzz_require(talk_next(&t) == TALK_QUIT);
		string_release(&t.out);
		session_free(t.session);
	}
	free(text);
	return 0;
}
