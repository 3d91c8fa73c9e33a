/*
 * config.c - options of a command from a file.
 * SPDX-License-Identifier: MIT
 *
 * Each line is `name = value`, with the names of the command line. A line that begins with # is a
 * comment, and so is what follows a blank and a #. A flag stands alone, or is true or false.
 */
#include "cli/config.h"

#include "base/scan.h"

/* Cuts comments and blanks off a line, in place. */
static char *tidy(char *line)
{
	for (char *c = line; *c; c++)
		if (*c == '#' && (c == line || is_one_of(c[-1], " \t"))) {
			*c = '\0';
			break;
		}
	line += strspn(line, " \t\r");
	size_t length = strlen(line);
	while (length && is_one_of(line[length - 1], " \t\r"))
		line[--length] = '\0';
	return line;
}

/* They are about this run, not about the server. */
static bool is_for_command_line(const char *name)
{
	static const char *const names[] = { "config", "check-config", "help", "json" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* value: NULL if the line has no '='. *set becomes false for a flag that is false. */
static enum qv_status check_value(const struct option *row, const char *value, bool *set,
				  struct qv_error *error)
{
	const bool flag = row->type == OPTION_FLAG;
	*set = true;
	if (flag && value && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
		return qv_fail(error, QV_BAD_INPUT, "%s: true or false is expected", row->name);
	if (!flag && (!value || !*value))
		return qv_fail(error, QV_BAD_INPUT, "%s: a value is missing", row->name);
	*set = !flag || !value || strcmp(value, "true") == 0;
	return QV_OK;
}

/* given: what the command line has. */
static enum qv_status set_line(struct options *o, const bool given[OPTIONS_MOST], char *line,
			       struct qv_error *error)
{
	int index = 0;
	bool set;
	char *value = strchr(line, '=');
	if (value) {
		*value++ = '\0';
		value += strspn(value, " \t");
		for (size_t length = strlen(line);
		     length && is_one_of(line[length - 1], " \t");)
			line[--length] = '\0';
	}
	if (is_for_command_line(line))
		return qv_fail(error, QV_BAD_INPUT, "%s: only on the command line", line);
	const struct option *row = options_find(o, line, &index);
	if (!row) /* for its error, which names the nearest option */
		return options_set(o, line, "", error);
	const enum qv_status status = check_value(row, value, &set, error);
	if (status != QV_OK || !set || given[index])
		return status;
	return options_set(o, line, value ? value : "", error);
}

enum qv_status config_read(struct options *o, const char *file, char *text, size_t size,
			   struct qv_error *error)
{
	struct options quiet = *o;
	struct qv_error why = { "" };
	int number = 0;
	if (strlen(text) != size)
		return qv_fail(error, QV_BAD_INPUT, "%.120s: a NUL byte is in it", file);
	quiet.mark = "";
	while (*text) {
		char *line = text;
		const size_t length = strcspn(text, "\n");
		text += length + (text[length] == '\n');
		line[length] = '\0';
		number++;
		line = tidy(line);
		if (!*line)
			continue;
		const enum qv_status status = set_line(&quiet, o->given, line, &why);
		if (status != QV_OK)
			return qv_fail(error, QV_BAD_INPUT, "%.120s line %d: %s", file, number,
				       why.text);
	}
	memcpy(o->given, quiet.given, sizeof o->given);
	return QV_OK;
}
