/*
 * allowed_specs.c - which player specs a visitor may use: limits of numbers, and no files.
 * SPDX-License-Identifier: MIT
 *
 * The spec is parsed like any other, and the settings that result are checked: so aliases and
 * defaults cannot get around the limits. A key without a limit below is harmless, because the
 * worker pool stops every search in time.
 */
#include "server/api/allowed_specs.h"

#include "core/player.h"
#include "session/hosted_game.h"

/* The largest value of each number. */
static const struct {
	const char *key;
	size_t at;
	int64_t most;
} numbers[] = {
	{ "threads", offsetof(struct settings, threads), 1 },
	{ "tt", offsetof(struct settings, tt), SPECS_TABLE_MB },
	{ "time", offsetof(struct settings, time_ms), SPECS_TIME_MS },
};

/* Options that name files, which are never allowed. */
static const char *const files[] = { "book", "file", "tables", "weights" };

/* Checks the parsed settings, so that aliases and defaults are covered. */
static enum qv_status check_settings(const struct settings *set, struct qv_error *error)
{
	const struct options o = { .groups = set->kind->options };
	const char *base = (const char *)set;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct option *row = options_find(&o, files[i], NULL);
		const char *text = row ? base + row->at : "";
		/* book=own and book=auto are the built-in book, not a file. */
		if (*text && (strcmp(files[i], "book") != 0 ||
			      (strcmp(text, "own") != 0 && strcmp(text, "auto") != 0)))
			return qv_fail(error, QV_UNSUPPORTED,
				       "player: %s names a file, which a server does not allow",
				       files[i]);
	}
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		int64_t value;
		memcpy(&value, base + numbers[i].at, sizeof value);
		if (value > numbers[i].most)
			return qv_fail(error, QV_UNSUPPORTED,
				       "player: %s may be at most %lld on a server", numbers[i].key,
				       (long long)numbers[i].most);
	}
	return QV_OK;
}

/*
 * The player is made once and freed: only that shows whether the spec suits the game. It may take
 * some milliseconds, so those that were made are remembered.
 */
enum qv_status specs_check(const struct qv_context *context, struct table_lookup *lookup,
			   const struct qv_rules *rules, const char *spec, struct qv_error *error)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	char name[100] = "";
	struct qv_text text = { name, sizeof name, 0 };
	struct settings set;
	struct qv_player *player = NULL;
	if (table_lookup_knows(lookup, rules, spec))
		return QV_OK;
	enum qv_status status = spec_parse(spec, &defaults, &set, error);
	if (status == QV_OK)
		status = check_settings(&set, error);
	/* Training may take minutes, and the game keeps the memory only of a learner without a book. */
	if (status == QV_OK && set.kind == &learn_kind && strcmp(spec, LEARNER_SPEC) != 0)
		status = qv_fail(error, QV_UNSUPPORTED,
				 "player learn: a server does not allow any keys");
	if (status != QV_OK)
		return status;
	/* Without endgame tables `perfect` would silently play like an ordinary level. */
	if (set.kind == &perfect_kind && table_lookup_lacks_tables(lookup, rules)) {
		qv_rules_text(rules, &text);
		return qv_fail(error, QV_UNSUPPORTED,
			       "player perfect: this server has no endgame tables for %s", name);
	}
	status = qv_player_new(context, rules, spec, &defaults, &player, error);
	qv_player_free(player);
	if (status == QV_OK)
		table_lookup_learn(lookup, rules, spec);
	return status;
}
