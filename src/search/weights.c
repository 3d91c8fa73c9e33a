/*
 * weights.c - parses an evaluation's weights from a file, or a single weight from an option.
 * SPDX-License-Identifier: MIT
 *
 * Errors name the line and, for an unknown weight, the nearest name. An evaluation may have its own
 * binary format instead (qv_evaluation.read).
 */
#include "search/weights.h"

#include "base/scan.h"
#include "base/text.h"
#include "base/options.h"

enum { LINE_MAX_LENGTH = 4096, GROUPS_MOST = 64, NAME_MOST = 64 };

struct reader {
	const struct qv_evaluation *evaluation;
	int32_t *weights;
	int line;
	bool seen[GROUPS_MOST];
	struct qv_error *error;
};

/* The group's index; -1: no such group, and *near has the nearest name, if any. */
static int find_by_name(const struct qv_weight *names, const char *name, struct text_nearest *near)
{
	*near = text_nearest_to(name);
	for (int i = 0; names[i].name && i < GROUPS_MOST; i++) {
		if (strcmp(names[i].name, name) == 0)
			return i;
		text_nearest_try(near, names[i].name);
	}
	return -1;
}

/* Reads `name = 1 2 3`, with as many values as the group has. */
static enum qv_status read_line(struct reader *r, char *line)
{
	line[strcspn(line, "#")] = '\0';
	char *rest = line, *name = scan_word(&rest, " \t\r");
	struct text_nearest near;
	int count = 0;
	if (!*name)
		return QV_OK;
	const int group = find_by_name(r->evaluation->names, name, &near);
	if (group < 0)
		return qv_fail(r->error, QV_UNKNOWN, "weights: line %d: no weight '%.40s'%s",
			       r->line, name, suggest(&near).text);
	const struct qv_weight *w = &r->evaluation->names[group];
	if (r->seen[group])
		return qv_fail(r->error, QV_BAD_INPUT, "weights: line %d: %s is given twice",
			       r->line, w->name);
	r->seen[group] = true;
	if (strcmp(scan_word(&rest, " \t\r"), "=") != 0)
		return qv_fail(r->error, QV_BAD_INPUT, "weights: line %d: expected '=' after %s",
			       r->line, w->name);
	for (char *word; *(word = scan_word(&rest, " \t\r")); count++) {
		int64_t value;
		if (!text_to_int(word, -WEIGHT_MOST, WEIGHT_MOST, &value))
			return qv_fail(r->error, QV_BAD_INPUT,
				       "weights: line %d: '%.40s' is not a number from %d to %d",
				       r->line, word, -WEIGHT_MOST, WEIGHT_MOST);
		if (count < w->count)
			r->weights[w->first + count] = (int32_t)value;
	}
	if (count != w->count)
		return qv_fail(r->error, QV_BAD_INPUT,
			       "weights: line %d: %s takes %d values, not %d", r->line, w->name,
			       w->count, count);
	return QV_OK;
}

enum qv_status weights_read(const struct qv_evaluation *evaluation, const char *data, size_t size,
			    void *weights, struct qv_error *error)
{
	if (evaluation->read)
		return evaluation->read(data, size, weights, error);
	if (!evaluation->names || !weights)
		return qv_fail(error, QV_UNSUPPORTED, "weights: evaluation %s has no weights",
			       evaluation->name);
	struct reader r = { .evaluation = evaluation, .weights = weights, .error = error };
	const char *end = data + size;
	while (data < end) {
		char line[LINE_MAX_LENGTH];
		const char *newline = memchr(data, '\n', (size_t)(end - data));
		const size_t length = (size_t)((newline ? newline : end) - data);
		r.line++;
		if (length >= sizeof line || memchr(data, '\0', length))
			return qv_fail(error, QV_BAD_INPUT,
				       "weights: line %d: too long, or not text", r.line);
		memcpy(line, data, length);
		line[length] = '\0';
		enum qv_status status = read_line(&r, line);
		if (status != QV_OK)
			return status;
		data += length + 1;
	}
	return QV_OK;
}

/* ---- one weight ---- */

/* "; it has threat, middle, inner": as many names as fit into an error. */
struct known_names {
	char text[120];
};
static struct known_names known_names(const struct qv_weight *names)
{
	struct known_names known = { "; it has " };
	size_t length = strlen(known.text);
	for (int i = 0; names[i].name; i++) {
		const char *comma = i ? ", " : "";
		if (length + strlen(comma) + strlen(names[i].name) + strlen(", ...") >=
		    sizeof known.text) {
			strcpy(known.text + length, ", ...");
			break;
		}
		length += (size_t)snprintf(known.text + length, sizeof known.text - length, "%s%s",
					   comma, names[i].name);
	}
	return known;
}

enum qv_status weights_find(const struct qv_evaluation *evaluation, const char *name, int *place,
			    struct qv_error *error)
{
	char group[NAME_MOST];
	struct text_nearest near;
	if (!evaluation || !evaluation->names || !evaluation->weights_size)
		return qv_fail(error, QV_UNSUPPORTED,
			       "weight %.40s: this evaluation has no weights", name);
	if (!*name || strlen(name) >= sizeof group)
		return qv_fail(error, QV_BAD_INPUT, "weight '%.40s': expected a name", name);
	strcpy(group, name);
	/* The N of `group[N]`; 0: no index, -1: a malformed one. */
	int64_t index = 0;
	char *bracket = strchr(group, '['), *end = group + strlen(group) - 1;
	if (bracket) {
		const bool closed = *end == ']';
		*bracket = *end = '\0';
		if (!closed || !text_to_int(bracket + 1, 1, INT32_MAX, &index))
			index = -1;
	}
	const int found = find_by_name(evaluation->names, group, &near);
	if (found < 0)
		return qv_fail(error, QV_UNKNOWN, "weight %.40s: the evaluation %s has none%s",
			       name, evaluation->name,
			       *suggest(&near).text ? suggest(&near).text
						    : known_names(evaluation->names).text);
	const struct qv_weight *w = &evaluation->names[found];
	if (index < 0 || index > w->count || (!index && w->count > 1))
		return qv_fail(error, QV_BAD_INPUT, "weight %.40s: give an index, %s[1] to %s[%d]",
			       name, w->name, w->name, w->count);
	*place = w->first + (index ? (int)index - 1 : 0);
	return QV_OK;
}

enum qv_status weights_set(const struct qv_evaluation *evaluation, const char *text, void *weights,
			   struct qv_error *error)
{
	char name[NAME_MOST];
	const char *colon = strrchr(text, ':');
	const size_t length = colon ? (size_t)(colon - text) : 0;
	int place;
	int64_t value;
	if (!length || length >= sizeof name)
		return qv_fail(error, QV_BAD_INPUT,
			       "weight=%.40s: expected NAME:N, as in corner[2]:25", text);
	memcpy(name, text, length);
	name[length] = '\0';
	enum qv_status status = weights_find(evaluation, name, &place, error);
	if (status != QV_OK)
		return status;
	if (!text_to_int(colon + 1, -WEIGHT_MOST, WEIGHT_MOST, &value))
		return qv_fail(error, QV_BAD_INPUT,
			       "weight=%.40s: '%.40s' is not a number from %d to %d", text,
			       colon + 1, -WEIGHT_MOST, WEIGHT_MOST);
	((int32_t *)weights)[place] = (int32_t)value;
	return QV_OK;
}
