/*
 * protocol_spec.c - specs of players that are programs.
 * SPDX-License-Identifier: MIT
 */
#include "programs/protocol_spec.h"

#include "base/scan.h"
#include "core/game_clock.h"

static bool read_time(const char *value, int64_t *out)
{
	struct time_control control;
	if (*out || !time_control_parse(value, &control) || control.base_ms <= 0 || control.added_ms)
		return false;
	*out = control.base_ms;
	return true;
}

static bool read_number(const char *value, int64_t max, int64_t *out)
{
	return !*out && text_to_int(value, 1, max, out);
}

static enum qv_status add_option(struct protocol_spec *spec, const char *name, const char *value,
				 struct qv_error *error)
{
	if (spec->option_count == PROTOCOL_OPTIONS)
		return qv_fail(error, QV_BAD_INPUT, "player %s: more than %d options",
			       spec->ops->name, PROTOCOL_OPTIONS);
	if (!*name || (spec->ops->blanks && strpbrk(name, " \t")))
		return qv_fail(error, QV_BAD_INPUT, "player %s: '%.40s' is no name of an option",
			       spec->ops->name, name);
	spec->options[spec->option_count++] = (struct protocol_option){ name, value };
	return QV_OK;
}

static enum qv_status read_key(struct protocol_spec *spec, const char *key, const char *value,
			       struct qv_error *error)
{
	static const char *const keys[] = { "depth", "nodes", "time", "cmd" };
	struct text_nearest near = text_nearest_to(key);
	bool good;
	if (strncmp(key, "option.", 7) == 0)
		return add_option(spec, key + 7, value, error);
	if (strcmp(key, "depth") == 0)
		good = read_number(value, 100000, &spec->depth);
	else if (strcmp(key, "nodes") == 0)
		good = read_number(value, INT64_MAX / 2, &spec->nodes);
	else if (strcmp(key, "time") == 0)
		good = read_time(value, &spec->time_ms);
	else {
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
			text_nearest_try(&near, keys[i]);
		return qv_fail(error, QV_UNKNOWN, "player %s: it has no key '%.40s'%s%s%s",
			       spec->ops->name, key, near.best ? "; did you mean '" : "",
			       near.best ? near.best : "", near.best ? "'?" : "");
	}
	if (!good)
		return qv_fail(error, QV_BAD_INPUT,
			       "%s=%.40s: it is given twice, or that is not what it may be", key,
			       value);
	return QV_OK;
}

/* Keys up to the one that begins the command. */
static enum qv_status read_keys(struct protocol_spec *spec, char *at, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	while (status == QV_OK) {
		char *value = at;
		const char *key = at ? scan_cut(&value, '=') : NULL;
		if (!value)
			return qv_fail(error, QV_BAD_INPUT,
				       "player %s: after its keys comes cmd=, the command line",
				       spec->ops->name);
		if (strcmp(key, "cmd") == 0) {
			spec->command = value;
			return QV_OK;
		}
		at = value;
		status = read_key(spec, key, scan_cut(&at, ','), error);
	}
	return status;
}

/* Whether keys stand there: the first word has a '=', and no '/' before it. */
static bool has_keys(const char *rest)
{
	return rest[strcspn(rest, "=/ \t")] == '=' || strncmp(rest, "option.", 7) == 0;
}

static enum qv_status read_all(struct protocol_spec *spec, struct qv_error *error)
{
	char *rest = spec->text + strcspn(spec->text, ":");
	spec->ops = manager_find(spec->text, (size_t)(rest - spec->text));
	if (!spec->ops)
		return qv_fail(error, QV_UNKNOWN, "player '%.40s': no such protocol", spec->text);
	if (*rest)
		rest++;
	for (const char *c = rest; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t')
			return qv_fail(error, QV_BAD_INPUT,
				       "player %s: its text holds control characters",
				       spec->ops->name);
	spec->command = rest;
	const enum qv_status status = has_keys(rest) ? read_keys(spec, rest, error) : QV_OK;
	if (status == QV_OK && !spec->command[strspn(spec->command, " \t")])
		return qv_fail(error, QV_BAD_INPUT,
			       "player %s: which program? %s:PROGRAM ARGUMENTS", spec->ops->name,
			       spec->ops->name);
	return status;
}

enum qv_status protocol_spec_parse(struct protocol_spec *spec, const struct qv_allocator *allocator,
				   const char *text, struct qv_error *error)
{
	*spec = (struct protocol_spec){ .allocator = allocator, .text_size = strlen(text) + 1 };
	if (spec->text_size > PROTOCOL_SPEC_MOST)
		return qv_fail(error, QV_BAD_INPUT, "player: longer than %d characters",
			       PROTOCOL_SPEC_MOST - 1);
	spec->text = mem_new(allocator, spec->text_size, 1);
	if (!spec->text)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	memcpy(spec->text, text, spec->text_size);
	const enum qv_status status = read_all(spec, error);
	if (status != QV_OK)
		protocol_spec_release(spec);
	return status;
}

void protocol_spec_release(struct protocol_spec *spec)
{
	if (spec->text)
		mem_free(spec->allocator, spec->text, spec->text_size);
	*spec = (struct protocol_spec){ 0 };
}
