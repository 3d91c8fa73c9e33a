/*
 * journal.c - the journal of a match: the lines of games, and the file. header.c has the first line.
 * SPDX-License-Identifier: MIT
 *
 * A journal of a long match has millions of
 * lines, so they are written without a JSON library, and the number at the start of a line is read
 * without one. Parsing checks every line, since a journal may come from anywhere.
 *
 * flock keeps a second match from writing the same file. To resume, the file is parsed, its plan is
 * compared with the given one, and an incomplete last line is cut off.
 */
#define _DEFAULT_SOURCE /* for flock */
#include "match/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "core/context.h"

enum {
	NUMBER_ROOM = 40, /* bytes of a number as text */
	MOST_LUCK = 1000000000,
};

#define MOST_SECONDS (INT64_C(1) << 40) /* since 1970 */

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "journal: out of memory");
}

/* ---- Writing games ---- */

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

/* Adds the search statistics of a seat. Depths are a list of [depth, moves] without zeros. */
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

void journal_add_game(struct string *out, int seats, const struct match_game *g, bool no_times)
{
	const struct string *record = &g->record;
	const size_t result = match_result_line(record);
	if (g->reported < result)
		journal_add_lines(out, g->number, record->data + g->reported, result - g->reported);
	/* The statistics stand before the result. */
	string_addf(out,
		    "{\"number\":%lld,\"stats\":{\"end\":\"%s\",\"winner\":%d,\"fault\":%d,"
		    "\"early\":%s,\"starter\":%d,\"plies\":%d,\"points\":[",
		    (long long)g->number + 1, match_end_text(g->end), g->winner + 1,
		    g->at_fault + 1, g->early ? "true" : "false", g->starter + 1, g->plies);
	for (int seat = 0; seat < seats; seat++)
		string_addf(out, "%s%d", seat ? "," : "", g->points[seat]);
	if (g->has_luck) {
		string_addf(out, "],\"luck\":[");
		for (int seat = 0; seat < seats; seat++)
			string_addf(out, "%s%.6f", seat ? "," : "", g->luck[seat]);
	}
	string_addf(out, "],\"work\":[");
	bool named = false;
	for (int seat = 0; seat < seats; seat++) {
		string_addf(out, "%s", seat ? "," : "");
		add_work(out, &g->work[seat], no_times);
		named |= *g->engine[seat] != '\0';
	}
	for (int seat = 0; named && seat < seats; seat++) {
		string_addf(out, seat ? "," : "],\"engines\":[");
		json_add_quoted(out, g->engine[seat]);
	}
	string_addf(out, "]");
	if (g->started && !no_times)
		string_addf(out, ",\"started\":%lld", (long long)g->started);
	string_addf(out, "}}\n");
	journal_add_lines(out, g->number, record->data + result, record->length - result);
}

/* ---- Parsing statistics ---- */

/* Reads the search statistics of a seat. */
static void read_work(struct json_reader *t, const json_t *object, struct match_work *out)
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
	const json_t *list = json_read_list(&part, "depths", MATCH_DEPTHS);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);
		const json_int_t depth = json_integer_value(json_array_get(one, 0));
		const json_int_t count = json_integer_value(json_array_get(one, 1));
		if (json_array_size(one) != 2 || depth < 0 || depth >= MATCH_DEPTHS || count < 1 ||
		    count > MATCH_MAX_PLIES || out->depths[depth])
			json_expected(&part, "depths", "a list of depths and counts");
		else
			out->depths[depth] = (uint32_t)count;
	}
	if (json_object_get(object, "us"))
		out->seconds = (double)json_read_int(&part, "us", 0, INT64_C(1) << 52) / 1e6;
	t->status = part.status;
}

/* Reads the points and the statistics of all seats. */
static void read_points(struct json_reader *t, int seats, struct match_game *out)
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
		read_work(t, json_array_get(work, (size_t)seat), &out->work[seat]);
	}
	/* Games without chance do not have it, nor do journals of older versions. */
	if (!json_object_get(t->object, "luck"))
		return;
	const json_t *luck = json_read_list(t, "luck", (size_t)seats);
	out->has_luck = json_array_size(luck) == (size_t)seats;
	for (int seat = 0; seat < seats; seat++) {
		const json_t *one = json_array_get(luck, (size_t)seat);
		out->luck[seat] = json_number_value(one);
		if (!json_is_number(one) || !(fabs(out->luck[seat]) <= MOST_LUCK))
			json_expected(t, "luck", "a number for each seat");
	}
}

/* How programs call themselves; older journals do not have it. */
static void read_engines(struct json_reader *t, int seats, struct match_game *out)
{
	if (!json_object_get(t->object, "engines"))
		return;
	const json_t *names = json_read_list(t, "engines", (size_t)seats);
	for (int seat = 0; seat < seats; seat++) {
		const char *name = json_string_value(json_array_get(names, (size_t)seat));
		struct qv_error printable;
		if (!name) {
			json_expected(t, "engines", "a text for each seat");
			return;
		}
		qv_fail(&printable, QV_OK, "%.60s", name);
		snprintf(out->engine[seat], MATCH_ENGINE, "%.63s", printable.text);
	}
}

/* Reads the line {"number":N,"stats":{...}} into all fields of *out but the record. */
static enum qv_status read_stats(const char *line, size_t size, int seats, struct match_game *out,
				 struct qv_error *error)
{
	json_t *value;
	json_load_object(line, size, JSON_ANY_DEPTH, &value, NULL);
	struct json_reader t = { json_object_get(value, "stats"), QV_OK, error };
	const char *word = json_read_text(&t, "end");
	int end = 0;
	while (end < MATCH_END_COUNT && strcmp(word, match_end_text((enum match_end)end)) != 0)
		end++;
	if (end == MATCH_END_COUNT)
		json_expected(&t, "end", "a known word");
	else
		out->end = (enum match_end)end;
	out->winner = (int)json_read_int(&t, "winner", 0, seats) - 1;
	out->at_fault = (int)json_read_int(&t, "fault", 0, seats) - 1;
	out->starter = (int)json_read_int(&t, "starter", 0, seats) - 1;
	out->plies = (int)json_read_int(&t, "plies", 0, MATCH_MAX_PLIES);
	if (json_object_get(t.object, "early"))
		out->early = json_read_bool(&t, "early");
	read_points(&t, seats, out);
	read_engines(&t, seats, out);
	if (json_object_get(t.object, "started"))
		out->started = json_read_int(&t, "started", 0, MOST_SECONDS);
	if (t.status == QV_OK && (out->end >= END_CRASH) != (out->at_fault >= 0))
		json_expected(&t, "fault", "a seat where one is at fault");
	json_decref(value);
	return t.status;
}

/* ---- Parsing lines ---- */

/* The line does not begin with the number of a game of this plan. */
static enum qv_status bad_number(const struct match_plan *plan, struct qv_error *error)
{
	return qv_fail(error, QV_BAD_INPUT, "number: must be a game from 1 to %lld",
		       (long long)plan->games);
}

/* Reads the number in {"number":17,... ; *rest is the offset after the comma. */
static enum qv_status read_number(const struct match_plan *plan, const char *line, size_t size,
				  int64_t *number, size_t *rest, struct qv_error *error)
{
	static const char head[] = "{\"number\":";
	const size_t from = sizeof head - 1;
	char digits[NUMBER_ROOM] = "";
	const char *comma = memchr(line, ',', size);
	const size_t at = comma ? (size_t)(comma - line) : 0;
	if (at > from && at - from < sizeof digits && memcmp(line, head, from) == 0)
		snprintf(digits, sizeof digits, "%.*s", (int)(at - from), line + from);
	*rest = at + 1;
	return text_to_int(digits, 1, plan->games, number) ? QV_OK : bad_number(plan, error);
}

enum line_kind { LINE_BEGIN, LINE_STATS, LINE_RESULT, LINE_OTHER, LINE_BAD };

/* Sorts a line by its keys. LINE_BAD: not an object with a key besides the number. */
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

/* Parses a line of game `number`, which is *g; its event begins at offset `rest`. */
static enum qv_status read_event(struct journal_contents *c, struct journal_game *g, int64_t number,
				 const char *line, size_t size, size_t rest, struct qv_error *error)
{
	const struct match_plan *plan = &c->header.plan;
	const enum line_kind kind = kind_of_line(line, size);
	if (kind == LINE_BAD)
		return qv_fail(error, QV_BAD_INPUT, "line: not a JSON event");
	if (g->finished)
		return qv_fail(error, QV_ILLEGAL, "number: this game already has a result");
	if (kind == LINE_BEGIN) {
		g->record.allocator = c->allocator;
		g->record.length = 0;
		g->stats = NULL;
	} else if (!g->record.length) {
		return qv_fail(error, QV_ILLEGAL, "number: this game has not begun");
	}
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
	string_add(&g->record, "{", 1);
	string_add(&g->record, line + rest, size - rest);
	string_add(&g->record, "\n", 1);
	return g->record.failed ? no_memory(error) : QV_OK;
}

/* Reads the plan and makes room for its games. */
static enum qv_status read_first_line(const struct qv_context *context, const char *line,
				      size_t size, struct journal_contents *c,
				      struct qv_error *error)
{
	json_t *value;
	enum qv_status status = json_load_object(line, size, JSON_ANY_DEPTH, &value, error);
	if (status == QV_OK)
		status = header_read(context, value, &c->header, error);
	json_decref(value);
	if (status != QV_OK)
		return status;
	c->room = (size_t)c->header.plan.games;
	c->games = mem_new(c->allocator, c->room, sizeof *c->games);
	return c->games ? QV_OK : no_memory(error);
}

/* Makes room for more games; twice as much as before, so that many such lines take no long time. */
static enum qv_status lengthen(struct journal_contents *c, int64_t games, struct qv_error *error)
{
	const size_t before = c->room;
	if (!mem_reserve(c->allocator, &c->games, &c->room, (size_t)games, sizeof *c->games))
		return no_memory(error);
	memset(c->games + before, 0, (c->room - before) * sizeof *c->games);
	c->header.plan.games = games;
	return QV_OK;
}

/* {"quevedo":1,"games":N}: the match was continued with more games. */
static enum qv_status read_games(struct journal_contents *c, const char *line, size_t size,
				 struct qv_error *error)
{
	json_t *value;
	json_load_object(line, size, JSON_ANY_DEPTH, &value, NULL);
	struct json_reader t = { value, QV_OK, error };
	const int64_t games = json_read_int(&t, "games", c->header.plan.games + 1, MATCH_MAX_GAMES);
	json_decref(value);
	return t.status == QV_OK ? lengthen(c, games, error) : t.status;
}

/* Whether a line is about the whole match. */
static bool is_about_match(const char *line, size_t size)
{
	static const char head[] = "{\"quevedo\":";
	return size >= sizeof head && memcmp(line, head, sizeof head - 1) == 0;
}

enum qv_status journal_parse(const struct qv_context *context, const char *data, size_t size,
			     struct journal_contents *out, struct qv_error *error)
{
	return journal_parse_until(context, data, size, NULL, out, error);
}

enum qv_status journal_parse_until(const struct qv_context *context, const char *data, size_t size,
				   const struct qv_flag *stop, struct journal_contents *out,
				   struct qv_error *error)
{
	struct journal_contents c = { .allocator = context_allocator(context) };
	enum qv_status status = QV_OK;
	const char *end;
	for (int64_t i = 1; size && (end = memchr(data + c.whole, '\n', size - c.whole)); i++) {
		const char *line = data + c.whole;
		const size_t length = (size_t)(end - line);
		struct qv_error why = { "" };
		int64_t number = 0;
		size_t rest;
		if (flag_is_set(stop))
			status = qv_fail(&why, QV_STOPPED, "stopped");
		else if (i == 1)
			status = read_first_line(context, line, length, &c, &why);
		else if (is_about_match(line, length))
			status = read_games(&c, line, length, &why);
		else
			status = read_number(&c.header.plan, line, length, &number, &rest, &why);
		if (number && status == QV_OK)
			status = read_event(&c, &c.games[number - 1], number, line, length, rest,
					    &why);
		if (status != QV_OK) {
			qv_fail(error, status, "line %lld: %.200s", (long long)i, why.text);
			journal_contents_release(&c);
			return status;
		}
		c.whole += length + 1;
	}
	*out = c;
	return status;
}

void journal_contents_release(struct journal_contents *c)
{
	const int64_t count = c->games ? c->header.plan.games : 0;
	for (int64_t i = 0; i < count; i++)
		string_release(&c->games[i].record);
	if (c->games)
		mem_free(c->allocator, c->games, c->room * sizeof *c->games);
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

enum qv_status journal_read_game(const struct qv_context *context, const struct match_plan *plan,
				 const char *text, size_t size, struct match_game *out,
				 struct qv_error *error)
{
	struct journal_contents c = { .allocator = context_allocator(context),
				      .header = { .plan = *plan } };
	struct journal_game g = { .finished = false };
	int64_t number = 0;
	enum qv_status status = QV_OK;
	for (const char *end; status == QV_OK && (end = memchr(text, '\n', size));) {
		/* All lines must have the number of the first one. */
		const size_t length = (size_t)(end - text);
		int64_t here = 0;
		size_t rest;
		status = read_number(plan, text, length, &here, &rest, error);
		if (status == QV_OK && number && here != number)
			status = bad_number(plan, error);
		number = here;
		if (status == QV_OK)
			status = read_event(&c, &g, here, text, length, rest, error);
		text = end + 1;
		size -= length + 1;
	}
	if (status == QV_OK && (size || !g.finished))
		status = qv_fail(error, QV_BAD_INPUT, "result: missing");
	*out = (struct match_game){ .number = number - 1 };
	if (status == QV_OK)
		status = read_stats(g.stats, g.stats_size, plan->rules.game->seats, out, error);
	out->record = g.record;
	if (status != QV_OK)
		match_game_release(out);
	return status;
}

/* ---- The file ---- */

/* Reports errno with the name of the file. */
static enum qv_status file_failed(const struct journal *j, struct qv_error *error)
{
	return qv_fail(error, QV_IO, "%.100s: %s", j->path, strerror(errno));
}

/* Makes the first line; the caller releases it, whatever is returned. */
static enum qv_status make_header(const struct qv_context *context, const struct match_plan *plan,
				  struct string *out, struct qv_error *error)
{
	char *line = json_to_text(header_of_plan(plan), JSON_COMPACT);
	*out = (struct string){ .allocator = context_allocator(context) };
	if (!line)
		return qv_fail(error, QV_BAD_INPUT,
			       "journal: a name, spec or opening is not UTF-8");
	string_addf(out, "%s\n", line);
	free(line);
	return out->failed ? no_memory(error) : QV_OK;
}

enum qv_status journal_begin(struct journal *j, const struct qv_context *context,
			     const struct match_plan *plan, const struct journal_contents *contents,
			     struct qv_error *error)
{
	struct string text = { .allocator = context_allocator(context) };
	enum qv_status status = QV_OK;
	if (contents->whole && !contents->lengthened)
		return QV_OK;
	if (contents->lengthened)
		string_addf(&text, "{\"quevedo\":%d,\"games\":%lld}\n", JOURNAL_FORMAT,
			    (long long)plan->games);
	else
		status = make_header(context, plan, &text, error);
	if (status == QV_OK)
		status = journal_write(j, &text, error);
	string_release(&text);
	return status;
}

/*
 * Fails unless the file is a journal of this plan; a file without a complete line, the begin of
 * one.
 */
static enum qv_status check_file(const struct journal *j, const struct qv_context *context,
				 const struct match_plan *plan, const struct file_bytes *bytes,
				 const struct journal_contents *contents, struct qv_error *error)
{
	enum qv_status status;
	if (contents->whole) {
		struct qv_error why = { "" };
		struct match_plan same = *plan;
		const int64_t games = contents->header.plan.games;
		/* More games may be played than before; the first line keeps its number. */
		same.games = json_integer_value(json_object_get(
			json_object_get(contents->header.source, "match"), "games"));
		json_t *wanted = header_of_plan(&same);
		status = header_compare(contents->header.source, wanted, &why);
		json_decref(wanted);
		if (status == QV_OK && plan->games < games)
			status = qv_fail(&why, QV_BAD_INPUT, "games: %lld there, but %lld here",
					 (long long)games, (long long)plan->games);
		if (status != QV_OK)
			qv_fail(error, status, "%.60s: the journal of another match: %.180s",
				j->path, why.text);
		return status;
	}
	struct string text;
	status = make_header(context, plan, &text, error);
	if (status == QV_OK &&
	    (bytes->size > text.length || memcmp(bytes->data, text.data, bytes->size) != 0))
		status = qv_fail(error, QV_BAD_INPUT, "%.100s: not the journal of this match",
				 j->path);
	string_release(&text);
	return status;
}

enum qv_status journal_open(struct journal *j, const struct qv_context *context,
			    const struct match_plan *plan, const char *path, bool resume,
			    struct file_bytes *bytes, struct journal_contents *contents,
			    struct qv_error *error)
{
	struct stat facts;
	struct qv_error why = { "" };
	enum qv_status status = QV_OK;
	*j = (struct journal){ .descriptor = -1, .path = path };
	if (!*path)
		return qv_fail(error, QV_IO, "file: the name is empty");
	j->descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (j->descriptor < 0)
		return file_failed(j, error);
	if (flock(j->descriptor, LOCK_EX | LOCK_NB) != 0)
		status = qv_fail(error, QV_IO, "%.100s: another match is writing it", path);
	else if (fstat(j->descriptor, &facts) != 0)
		status = file_failed(j, error);
	else if (!facts.st_size)
		return QV_OK;
	else if (!resume)
		status = qv_fail(error, QV_IO,
				 "%.100s: already exists; use --resume to continue it", path);
	/* Reads the file and cuts it after its last complete line. */
	if (status == QV_OK)
		status = file_read(context_allocator(context), path, JOURNAL_MOST_BYTES, bytes,
				   error);
	if (status == QV_OK) {
		status = journal_parse(context, bytes->data, bytes->size, contents, &why);
		if (status != QV_OK)
			qv_fail(error, status, "%.60s, %.190s", path, why.text);
	}
	if (status == QV_OK)
		status = check_file(j, context, plan, bytes, contents, error);
	if (status == QV_OK && contents->whole && plan->games > contents->header.plan.games) {
		status = lengthen(contents, plan->games, error);
		contents->lengthened = true;
	}
	if (status == QV_OK && ftruncate(j->descriptor, (off_t)contents->whole) != 0)
		status = file_failed(j, error);
	if (status != QV_OK)
		journal_close(j);
	return status;
}

enum qv_status journal_write(struct journal *j, const struct string *text, struct qv_error *error)
{
	const char *at = text->data;
	if (text->failed)
		return no_memory(error);
	for (size_t size = text->length; size && !j->failed;) {
		const ssize_t done = write(j->descriptor, at, size);
		if (done < 0 && errno != EINTR)
			j->failed = errno;
		if (done < 0)
			continue;
		at += done;
		size -= (size_t)done;
	}
	if (!j->failed)
		return QV_OK;
	return qv_fail(error, QV_IO, "%.100s: cannot write the journal: %s; continue with --resume",
		       j->path, strerror(j->failed));
}

enum qv_status journal_sync(struct journal *j, struct qv_error *error)
{
	if (fsync(j->descriptor) != 0 && errno != EINVAL && errno != EROFS)
		return file_failed(j, error);
	return QV_OK;
}

void journal_close(struct journal *j)
{
	if (j->descriptor >= 0)
		close(j->descriptor);
	j->descriptor = -1;
}
