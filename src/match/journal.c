/*
 * journal.c - writes and parses the lines of a match's journal.
 * SPDX-License-Identifier: MIT
 *
 * A journal of a long match has millions of lines, so they are written without a JSON library, and
 * the number at the start of a line is read without one. Parsing checks every line, since a journal
 * may come from anywhere.
 */
#include "match/journal.h"

#include "base/json.h"
#include "core/context.h"

enum { NUMBER_ROOM = 40 };

/* ---- Writing ---- */

void journal_add_lines(struct string *out, int64_t number, const char *lines, size_t size)
{
	while (size) {
		const char *end = memchr(lines, '\n', size);
		const size_t length = end ? (size_t)(end - lines) + 1 : size;
		string_addf(out, "{\"number\":%lld,", (long long)number + 1);
		string_add(out, lines + 1, length - 1);
		lines += length;
		size -= length;
	}
}

static void add_work(struct string *out, const struct match_work *w, bool no_times)
{
	string_addf(out, "{\"moves\":%llu,\"nodes\":%llu,\"evals\":%llu,\"considered\":%llu,",
		    (unsigned long long)w->moves, (unsigned long long)w->nodes,
		    (unsigned long long)w->evals, (unsigned long long)w->considered);
	string_addf(out, "\"evals_discarded\":%llu,\"discarded\":%llu,\"depths\":[",
		    (unsigned long long)w->evals_discarded, (unsigned long long)w->discarded);
	const char *comma = "";
	for (int depth = 0; depth < MATCH_DEPTHS; depth++)
		if (w->depths[depth]) {
			string_addf(out, "%s[%d,%u]", comma, depth, w->depths[depth]);
			comma = ",";
		}
	string_addf(out, "]");
	if (!no_times)
		string_addf(out, ",\"us\":%lld", (long long)(w->seconds * 1e6 + 0.5));
	string_addf(out, "}");
}

static void add_stats(struct string *out, int seats, const struct match_game *g, bool no_times)
{
	string_addf(out,
		    "{\"number\":%lld,\"stats\":{\"end\":\"%s\",\"winner\":%d,\"fault\":%d,"
		    "\"early\":%s,\"starter\":%d,\"plies\":%d,\"points\":[",
		    (long long)g->number + 1, match_end_text(g->end), g->winner + 1,
		    g->at_fault + 1, g->early ? "true" : "false", g->starter + 1, g->plies);
	for (int seat = 0; seat < seats; seat++)
		string_addf(out, "%s%d", seat ? "," : "", g->points[seat]);
	string_addf(out, "],\"work\":[");
	for (int seat = 0; seat < seats; seat++) {
		string_addf(out, "%s", seat ? "," : "");
		add_work(out, &g->work[seat], no_times);
	}
	string_addf(out, "]}}\n");
}

/* The offset of the last line of the record, its result. */
static size_t last_line(const struct string *record)
{
	size_t at = record->length ? record->length - 1 : 0;
	while (at && record->data[at - 1] != '\n')
		at--;
	return at;
}

void journal_add_game(struct string *out, int seats, const struct match_game *game, bool no_times)
{
	const struct string *record = &game->record;
	const size_t result = last_line(record);
	if (game->told < result)
		journal_add_lines(out, game->number, record->data + game->told,
				  result - game->told);
	add_stats(out, seats, game, no_times);
	journal_add_lines(out, game->number, record->data + result, record->length - result);
}

/* ---- Parsing statistics ---- */

static void take_depths(struct json_reader *t, struct match_work *out)
{
	const json_t *list = json_read_list(t, "depths", MATCH_DEPTHS);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);
		const json_int_t depth = json_integer_value(json_array_get(one, 0));
		const json_int_t count = json_integer_value(json_array_get(one, 1));
		if (json_array_size(one) != 2 || depth < 0 || depth >= MATCH_DEPTHS || count < 1 ||
		    count > MATCH_MAX_PLIES || out->depths[depth])
			json_expected(t, "depths", "a list of depths and counts");
		else
			out->depths[depth] = (uint32_t)count;
	}
}

static void take_work(struct json_reader *t, const json_t *object, struct match_work *out)
{
	struct json_reader part = { object, t->status, t->error };
	out->moves = (uint64_t)json_read_int(&part, "moves", 0, MATCH_MAX_PLIES);
	out->nodes = (uint64_t)json_read_int(&part, "nodes", 0, INT64_MAX);
	out->evals = (uint64_t)json_read_int(&part, "evals", 0, INT64_MAX);
	out->considered = (uint64_t)json_read_int(&part, "considered", 0, INT64_MAX);
	/* Journals of older versions do not have these two. */
	if (json_object_get(object, "evals_discarded"))
		out->evals_discarded =
			(uint64_t)json_read_int(&part, "evals_discarded", 0, INT64_MAX);
	if (json_object_get(object, "discarded"))
		out->discarded = (uint64_t)json_read_int(&part, "discarded", 0, INT64_MAX);
	take_depths(&part, out);
	if (json_object_get(object, "us"))
		out->seconds = (double)json_read_int(&part, "us", 0, INT64_C(1) << 52) / 1e6;
	t->status = part.status;
}

static void take_end(struct json_reader *t, struct match_game *out)
{
	const char *word = json_read_text(t, "end");
	int end = 0;
	while (end < MATCH_END_COUNT && strcmp(word, match_end_text((enum match_end)end)) != 0)
		end++;
	if (end == MATCH_END_COUNT)
		json_expected(t, "end", "a known word");
	else
		out->end = (enum match_end)end;
}

static void take_points(struct json_reader *t, int seats, struct match_game *out)
{
	const json_t *points = json_read_list(t, "points", (size_t)seats);
	const json_t *work = json_read_list(t, "work", (size_t)seats);
	if (json_array_size(points) != (size_t)seats || json_array_size(work) != (size_t)seats) {
		json_expected(t, "points", "one for each seat");
		return;
	}
	for (int seat = 0; seat < seats; seat++) {
		int64_t number = 0;
		if (!json_int_between(json_array_get(points, (size_t)seat), INT32_MIN, INT32_MAX,
				      &number))
			json_expected(t, "points", "a whole number in its bounds");
		out->points[seat] = (int32_t)number;
		take_work(t, json_array_get(work, (size_t)seat), &out->work[seat]);
	}
}

/* Reads the line {"number":N,"stats":{...}} into all fields of *out but the record. */
static enum qv_status read_stats(const char *line, size_t size, int seats, struct match_game *out,
				 struct qv_error *error)
{
	json_t *value;
	json_load_object(line, size, JSON_ANY_DEPTH, &value, NULL);
	struct json_reader t = { json_object_get(value, "stats"), QV_OK, error };
	take_end(&t, out);
	out->winner = (int)json_read_int(&t, "winner", 0, seats) - 1;
	out->at_fault = (int)json_read_int(&t, "fault", 0, seats) - 1;
	out->starter = (int)json_read_int(&t, "starter", 0, seats) - 1;
	out->plies = (int)json_read_int(&t, "plies", 0, MATCH_MAX_PLIES);
	if (json_object_get(t.object, "early"))
		out->early = json_read_bool(&t, "early");
	take_points(&t, seats, out);
	if (t.status == QV_OK && (out->end >= END_CRASH) != (out->at_fault >= 0))
		json_expected(&t, "fault", "a seat where one is at fault");
	json_decref(value);
	return t.status;
}

/* ---- Parsing lines ---- */

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "journal: out of memory");
}

static enum qv_status read_header(const struct qv_context *context, const char *line, size_t size,
				  struct journal_contents *c, struct qv_error *error)
{
	json_t *value;
	enum qv_status status = json_load_object(line, size, JSON_ANY_DEPTH, &value, error);
	if (status == QV_OK)
		status = header_read(context, value, &c->header, error);
	json_decref(value);
	if (status == QV_OK) {
		c->games = mem_new(c->allocator, (size_t)c->header.plan.games, sizeof *c->games);
		if (!c->games)
			status = no_memory(error);
	}
	return status;
}

/* Reads the number in {"number":17,... ; *rest is the offset after the comma. */
static bool read_number(const char *line, size_t size, int64_t most, int64_t *number,
			size_t *rest)
{
	static const char head[] = "{\"number\":";
	const size_t from = sizeof head - 1;
	char digits[NUMBER_ROOM];
	const char *comma = memchr(line, ',', size);
	const size_t at = comma ? (size_t)(comma - line) : 0;
	if (at <= from || at - from >= sizeof digits || memcmp(line, head, from) != 0)
		return false;
	snprintf(digits, sizeof digits, "%.*s", (int)(at - from), line + from);
	*rest = at + 1;
	return text_to_int(digits, 1, most, number);
}

enum line_kind { LINE_BEGIN, LINE_STATS, LINE_RESULT, LINE_OTHER, LINE_BAD };

static enum line_kind kind_of_line(const char *line, size_t size)
{
	json_t *value;
	enum line_kind kind = LINE_OTHER;
	if (json_load_object(line, size, JSON_ANY_DEPTH, &value, NULL) != QV_OK ||
	    json_object_size(value) < 2)
		kind = LINE_BAD;
	else if (json_object_get(value, "quevedo"))
		kind = LINE_BEGIN;
	else if (json_object_get(value, "stats"))
		kind = LINE_STATS;
	else if (json_object_get(value, "result"))
		kind = LINE_RESULT;
	json_decref(value);
	return kind;
}

static enum qv_status keep_line(struct journal_game *g, const char *rest, size_t size,
				struct qv_error *error)
{
	string_add(&g->record, "{", 1);
	string_add(&g->record, rest, size);
	string_add(&g->record, "\n", 1);
	return g->record.failed ? no_memory(error) : QV_OK;
}

static enum qv_status begin_game(struct journal_contents *c, struct journal_game *g,
				 struct qv_error *error)
{
	if (g->finished)
		return qv_fail(error, QV_ILLEGAL, "number: this game already has a result");
	g->record.allocator = c->allocator;
	g->record.length = 0;
	g->stats = NULL;
	return QV_OK;
}

/* Parses a line of game `number`, which is *g; its event begins at offset `rest`. */
static enum qv_status read_event(struct journal_contents *c, struct journal_game *g, int64_t number,
				 const char *line, size_t size, size_t rest,
				 struct qv_error *error)
{
	const struct match_plan *plan = &c->header.plan;
	const enum line_kind kind = kind_of_line(line, size);
	if (kind == LINE_BAD)
		return qv_fail(error, QV_BAD_INPUT, "line: not a JSON event");
	if (kind == LINE_BEGIN || g->finished) {
		const enum qv_status status = begin_game(c, g, error);
		if (status != QV_OK)
			return status;
	}
	if (kind != LINE_BEGIN && !g->record.length)
		return qv_fail(error, QV_ILLEGAL, "number: this game has not begun");
	if (kind == LINE_STATS) {
		struct match_game scratch = { .number = number - 1 };
		g->stats = line;
		g->stats_size = size;
		return read_stats(line, size, plan->rules.game->seats, &scratch, error);
	}
	if (kind == LINE_RESULT && !g->stats)
		return qv_fail(error, QV_ILLEGAL, "result: the statistics before it are missing");
	if (kind == LINE_RESULT) {
		g->finished = true;
		c->finished++;
	}
	return keep_line(g, line + rest, size - rest, error);
}

static enum qv_status bad_number(const struct match_plan *plan, struct qv_error *error)
{
	return qv_fail(error, QV_BAD_INPUT, "number: must be a game from 1 to %lld",
		       (long long)plan->games);
}

static enum qv_status read_line(struct journal_contents *c, const char *line, size_t size,
				struct qv_error *error)
{
	int64_t number;
	size_t rest;
	if (!read_number(line, size, c->header.plan.games, &number, &rest))
		return bad_number(&c->header.plan, error);
	return read_event(c, &c->games[number - 1], number, line, size, rest, error);
}

static enum qv_status read_lines(const struct qv_context *context, const char *data, size_t size,
				 struct journal_contents *c, struct qv_error *error)
{
	int64_t number = 1;
	for (const char *end; (end = memchr(data + c->whole, '\n', size - c->whole)); number++) {
		const char *line = data + c->whole;
		const size_t length = (size_t)(end - line);
		struct qv_error why = { "" };
		const enum qv_status status = number == 1
						      ? read_header(context, line, length, c, &why)
						      : read_line(c, line, length, &why);
		if (status != QV_OK)
			return qv_fail(error, status, "line %lld: %.200s", (long long)number,
				       why.text);
		c->whole += length + 1;
	}
	return QV_OK;
}

enum qv_status journal_parse(const struct qv_context *context, const char *data, size_t size,
			     struct journal_contents *out, struct qv_error *error)
{
	struct journal_contents c = { .allocator = context_allocator(context) };
	const enum qv_status status = size ? read_lines(context, data, size, &c, error) : QV_OK;
	if (status == QV_OK)
		*out = c;
	else
		journal_contents_release(&c);
	return status;
}

void journal_contents_release(struct journal_contents *c)
{
	const int64_t count = c->games ? c->header.plan.games : 0;
	for (int64_t i = 0; i < count; i++)
		string_release(&c->games[i].record);
	if (c->games)
		mem_free(c->allocator, c->games, (size_t)count * sizeof *c->games);
	header_release(&c->header);
	*c = (struct journal_contents){ 0 };
}

enum qv_status journal_take(const struct journal_contents *c, int64_t number,
			    struct match_game *out, struct qv_error *error)
{
	const struct journal_game *g = &c->games[number];
	*out = (struct match_game){ .number = number };
	out->record.allocator = c->allocator;
	const enum qv_status status = read_stats(g->stats, g->stats_size,
						 c->header.plan.rules.game->seats, out, error);
	string_add(&out->record, g->record.data, g->record.length);
	if (status == QV_OK && out->record.failed) {
		match_game_release(out);
		return no_memory(error);
	}
	return status;
}

/* ---- A single game ---- */

/* Parses the lines of one game and sets *number, which is 0 at first. */
static enum qv_status read_single(struct journal_contents *c, struct journal_game *g,
				  const char *text, size_t size, int64_t *number,
				  struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (const char *end; status == QV_OK && (end = memchr(text, '\n', size));) {
		const size_t length = (size_t)(end - text);
		int64_t here;
		size_t rest;
		if (!read_number(text, length, c->header.plan.games, &here, &rest) ||
		    (*number && here != *number))
			return bad_number(&c->header.plan, error);
		*number = here;
		status = read_event(c, g, here, text, length, rest, error);
		text = end + 1;
		size -= length + 1;
	}
	if (status == QV_OK && (size || !g->finished))
		return qv_fail(error, QV_BAD_INPUT, "result: missing");
	return status;
}

enum qv_status journal_read_game(const struct qv_context *context, const struct match_plan *plan,
				 const char *text, size_t size, struct match_game *out,
				 struct qv_error *error)
{
	struct journal_contents c = { .allocator = context_allocator(context),
				      .header = { .plan = *plan } };
	struct journal_game g = { .finished = false };
	int64_t number = 0;
	enum qv_status status = read_single(&c, &g, text, size, &number, error);
	*out = (struct match_game){ .number = number - 1 };
	if (status == QV_OK)
		status = read_stats(g.stats, g.stats_size, plan->rules.game->seats, out, error);
	out->record = g.record;
	if (status != QV_OK)
		match_game_release(out);
	return status;
}
