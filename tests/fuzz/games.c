/*
 * games.c - fuzz target: any bytes, not ended by a NUL, as a file of games in whatever format they
 * look like; each game is written in every format.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

struct found {
	const struct qv_context *context;
	int games;
};

static bool take_game(void *ctx, struct qv_record *record)
{
	static const char *const formats[] = { "pgn", "pdn", "record", "mat", "sgf", "ggf" };
	struct found *f = ctx;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct qv_text out = { NULL, 0, 0 };
		struct qv_error error = { "" };
		if (qv_record_export(f->context, record, formats[i], &out, &error) != QV_OK)
			fuzz_require_reason(&error);
		else
			fuzz_require(out.length > 0);
	}
	return ++f->games < 50;
}

static void take_wrong(void *ctx, const char *what, bool harmless)
{
	(void)ctx, (void)harmless;
	fuzz_require(*what != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct found found = { .context = fuzz_games() };
	const struct qv_games_listener listener = { .size = sizeof listener, .ctx = &found,
						    .game = take_game, .wrong = take_wrong };
	struct qv_error error = { "" };
	char *exact = malloc(size ? size : 1);
	fuzz_require(exact != NULL);
	memcpy(exact, data, size);
	if (qv_games_read(found.context, NULL, exact, size, &listener, &error) != QV_OK)
		fuzz_require_reason(&error);
	free(exact);
	return 0;
}
