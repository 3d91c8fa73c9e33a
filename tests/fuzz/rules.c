/*
 * rules.c - fuzz target: a game with its options, NAME[:key=value,...].
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size), printed[1024] = "";
	struct qv_text out = { printed, sizeof printed, 0 };
	struct qv_rules rules, again;
	struct qv_error error = { "" };
	if (qv_rules_parse(context, text, &rules, &error) == QV_OK) {
		qv_rules_text(&rules, &out);
		fuzz_require(qv_rules_parse(context, printed, &again, NULL) == QV_OK &&
			     again.game == rules.game);
		for (int i = 0; rules.game->options && rules.game->options[i].name; i++)
			fuzz_require(again.options[i] == rules.options[i]);
	} else {
		fuzz_require_reason(&error);
	}
	free(text);
	return 0;
}
