/*
 * backgammon_file.c - fuzz target: any bytes as a .mat or SGF file. Every record that is read is
 * written in both formats, and what was written reads back with as many turns.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "formats/backgammon_file.h"

/* Counts what a file contains. */
struct count {
	const struct qv_context *context;
	int records, turns;
	bool again; /* what we wrote ourselves: nothing in it is wrong */
};

static void hear(void *ctx, int line, const char *what, bool harmless)
{
	const struct count *c = ctx;
	fuzz_require(line > 0 && *what != '\0');
	fuzz_require(!c->again || harmless);
}

/* Passes do not count: after a roll that allows nothing else, files cannot tell if it was played. */
static int turns_of(const struct qv_record *record)
{
	int turns = 0;
	struct backgammon s;
	for (int ply = 0; ply < qv_record_ply(record); ply++) {
		tree_state_at(record, ply, &s);
		turns += s.phase == BACKGAMMON_MOVE &&
			 qv_record_move(record, ply) != BACKGAMMON_PASS;
	}
	return turns;
}

static enum qv_status count_game(void *ctx, struct qv_record *record);

/* Writes a record and reads it back. */
static void check_round_trip(const struct count *c, const struct qv_record *record, bool sgf)
{
	struct string text = { .allocator = record->allocator };
	struct backgammon_file file = { 0 };
	struct qv_error error = { "" };
	struct count again = { .context = c->context, .again = true };
	const struct backgammon_listener listener = { count_game, hear, &again };
	enum qv_status status = (sgf ? sgf_write : mat_write)(record, &file, &text, &error);
	if (status == QV_OK)
		status = (sgf ? sgf_read : mat_read)(c->context, text.data, text.length, &listener,
						     &error);
	if (status != QV_OK)
		fuzz_require_reason(&error);
	else
		fuzz_require(again.turns == turns_of(record));
	string_release(&text);
}

static enum qv_status count_game(void *ctx, struct qv_record *record)
{
	struct count *c = ctx;
	c->records++;
	c->turns += turns_of(record);
	if (!c->again) {
		check_round_trip(c, record, false);
		check_round_trip(c, record, true);
	}
	return QV_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct count c = { .context = fuzz_games() };
	const struct backgammon_listener listener = { count_game, hear, &c };
	char *text = fuzz_text(data, size);
	struct qv_error error = { "" };
	backgammon_reader *read = sgf_looks_like(text, size) ? sgf_read : mat_read;
	(void)mat_looks_like(text, size);
	if (read(c.context, text, size, &listener, &error) != QV_OK)
		fuzz_require_reason(&error);
	free(text);
	return 0;
}
