/*
 * allowed_specs.c - which players strangers may ask for: a table of what each key may be at most.
 * SPDX-License-Identifier: MIT
 *
 * The spec is read as every spec is, and what it came to is looked at: a key that is not in the
 * table below is harmless, because time bounds every search (think.h).
 */
#include "server/api/allowed_specs.h"

#include "core/player.h"

/* Numbers: at most so much. */
static const struct {
	const char *key;
	size_t at;
	int64_t most;
} numbers[] = {
	{ "threads", offsetof(struct settings, threads), 1 },
	{ "tt", offsetof(struct settings, tt), SPECS_TABLE_MB },
	{ "time", offsetof(struct settings, time_ms), SPECS_TIME_MS },
};

/* Options that name files: never. */
static const char *const files[] = { "book", "file", "tables", "weights" };

/* The program's own book is not a file. */
static bool names_file(const struct settings *set, const char *name)
{
	const struct options o = { .groups = set->kind->options };
	const struct option *row = options_find(&o, name, NULL);
	const char *text = row ? (const char *)set + row->at : "";
	return *text && !(strcmp(name, "book") == 0 && strcmp(text, "own") == 0);
}

static enum qv_status check_settings(const struct settings *set, struct qv_error *error)
{
	const char *base = (const char *)set;
	if (set->kind == &learn_kind)
		return qv_fail(error, QV_UNSUPPORTED, "player learn: not on a server");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (names_file(set, files[i]))
			return qv_fail(error, QV_UNSUPPORTED,
				       "player: %s names a file, which a server does not allow", files[i]);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		int64_t value;
		memcpy(&value, base + numbers[i].at, sizeof value);
		if (value > numbers[i].most)
			return qv_fail(error, QV_UNSUPPORTED,
				       "player: %s is at most %lld on a server", numbers[i].key,
				       (long long)numbers[i].most);
	}
	return QV_OK;
}

/* Without them it would take a level's move under a proud name. */
static enum qv_status check_tables(const struct table_lookup *lookup, const struct qv_rules *rules,
				   const struct settings *set, struct qv_error *error)
{
	char name[100] = "";
	struct qv_text text = { name, sizeof name, 0 };
	if (set->kind != &perfect_kind || !table_lookup_lacks_tables(lookup, rules))
		return QV_OK;
	qv_rules_text(rules, &text);
	return qv_fail(error, QV_UNSUPPORTED, "player perfect: this server has no tables of %s",
		       name);
}

enum qv_status specs_check(const struct qv_context *context, const struct table_lookup *lookup,
			   const struct qv_rules *rules, const char *spec, struct qv_error *error)
{
	const struct qv_defaults defaults = { .seed = 1, .threads = 1, .hash_mb = 1 };
	struct settings set;
	struct qv_player *player = NULL;
	enum qv_status status = spec_parse(spec, &defaults, &set, error);
	if (status == QV_OK)
		status = check_settings(&set, error);
	if (status == QV_OK)
		status = check_tables(lookup, rules, &set, error);
	if (status == QV_OK)
		status = qv_player_new(context, rules, spec, &defaults, &player, error);
	qv_player_free(player);
	return status;
}
