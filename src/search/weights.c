/*
 * weights.c - an evaluation's weights from a file.
 * SPDX-License-Identifier: MIT
 */
#include "search/weights.h"

#include "base/text.h"

enum { LINE_MAX_LENGTH = 4096, GROUPS_MOST = 64, WEIGHT_MOST = 1 << 16 };

struct reader {
	const struct qv_evaluation *evaluation;
	int32_t *weights;
	int line;
	bool seen[GROUPS_MOST];
	struct qv_error *error;
};

static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t\r");
	char *end = word + strcspn(word, " \t\r");
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static enum qv_status find_group(struct reader *r, const char *name, int *out)
{
	const struct qv_weight *names = r->evaluation->names;
	struct text_nearest near = text_nearest_to(name);
	for (int i = 0; names[i].name && i < GROUPS_MOST; i++) {
		if (strcmp(names[i].name, name) == 0) {
			*out = i;
			return QV_OK;
		}
		text_nearest_try(&near, names[i].name);
	}
	return qv_fail(r->error, QV_UNKNOWN, "weights: line %d: no weight '%.40s'%s%s", r->line,
		       name, near.best ? "; the nearest is " : "", near.best ? near.best : "");
}

static enum qv_status read_line(struct reader *r, char *line)
{
	line[strcspn(line, "#")] = '\0';
	char *rest = line, *name = next_word(&rest);
	int group = 0, count = 0;
	if (!*name)
		return QV_OK;
	enum qv_status status = find_group(r, name, &group);
	if (status != QV_OK)
		return status;
	const struct qv_weight *w = &r->evaluation->names[group];
	if (r->seen[group])
		return qv_fail(r->error, QV_BAD_INPUT, "weights: line %d: %s stands there twice",
			       r->line, w->name);
	r->seen[group] = true;
	if (strcmp(next_word(&rest), "=") != 0)
		return qv_fail(r->error, QV_BAD_INPUT, "weights: line %d: '=' is expected after %s",
			       r->line, w->name);
	for (char *word = next_word(&rest); *word; word = next_word(&rest), count++) {
		int64_t value;
		if (!text_to_int(word, -WEIGHT_MOST, WEIGHT_MOST, &value))
			return qv_fail(r->error, QV_BAD_INPUT,
				       "weights: line %d: '%.40s' is no number from %d to %d",
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
		return qv_fail(error, QV_UNSUPPORTED, "weights: evaluation %s has none",
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
