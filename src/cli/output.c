/*
 * output.c - what many commands print: JSON objects, the name of a game, the value of a position,
 * and files written as a whole.
 * SPDX-License-Identifier: MIT
 *
 * The builders of JSON never fail on their own. A value that could not be made is NULL, makes every
 * object around it NULL, and is reported once, by cli_json.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"

/* A NULL object drops the remaining values, as json_field does, so nothing leaks. */
json_t *json_fields(json_t *object, ...)
{
	va_list pairs;
	va_start(pairs, object);
	for (const char *name; (name = va_arg(pairs, const char *));)
		object = json_field(object, name, va_arg(pairs, json_t *));
	va_end(pairs);
	return object;
}

/* Counts of nodes fit into 63 bits, the range of integers in jansson. */
json_t *json_count(uint64_t count)
{
	return json_integer((json_int_t)count);
}

/* Digits beyond microseconds are noise. */
json_t *json_seconds(double seconds)
{
	return json_real(floor(seconds * 1e6) / 1e6);
}

json_t *json_unless_empty(const char *text)
{
	return *text ? json_text(text) : json_null();
}

json_t *json_unless_negative(int64_t number)
{
	return number < 0 ? json_null() : json_integer(number);
}

/* Nine digits are enough for scores and times, and hide the noise of binary fractions. */
enum qv_status cli_json(struct cli *c, json_t *value)
{
	char *line = json_to_text(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
	if (!line)
		return cli_no_memory(c, "output");
	string_addf(&c->out, "%s\n", line);
	free(line);
	return QV_OK;
}

struct rules_text rules_text(const struct qv_rules *rules)
{
	struct rules_text name = { "" };
	qv_rules_text(rules, &(struct qv_text){ name.text, sizeof name.text, 0 });
	return name;
}

void cli_add_turn(struct string *out, const struct qv_game *game, int seat)
{
	const char *name = qv_game_seat_name(game, seat);
	string_addf(out, "turn seat %d%s%s%s\n", seat + 1, name ? " (" : "", name ? name : "",
		    name ? ")" : "");
}

/* By enum qv_value. */
static const char *const value_names[] = { [QV_VALUE_UNKNOWN] = "unknown",
					   [QV_VALUE_LOSS] = "loss",
					   [QV_VALUE_DRAW] = "draw",
					   [QV_VALUE_WIN] = "win" };

void solution_text(struct string *out, const struct qv_solution *s)
{
	string_addf(out, "value %s", value_names[s->value]);
	if (s->in >= 0)
		string_addf(out, " in %d", s->in);
	if (s->has_margin)
		string_addf(out, ", margin %d", (int)s->margin);
	string_addf(out, "\n");
}

json_t *solution_json(const struct qv_solution *s)
{
	return json_fields(json_object(), "value", json_text(value_names[s->value]), "in",
			   json_unless_negative(s->in), NULL);
}

/* file_abandon does nothing after file_keep. */
enum qv_status cli_write_file(struct cli *c, const char *path, const struct string *text)
{
	struct file_writer file = { 0 };
	enum qv_status status = file_create(&file, &mem_malloc, path, &c->error);
	if (status == QV_OK)
		status = file_write(&file, text->data ? text->data : "", text->length, &c->error);
	if (status == QV_OK)
		status = file_keep(&file, &c->error);
	file_abandon(&file);
	return status;
}
