/*
 * games_file.c - games out of files: each kind of file says in its first bytes which it is.
 * SPDX-License-Identifier: MIT
 */
#include "cli/games_file.h"

#include "base/file.h"
#include "match/journal.h"
#include "formats/pgn.h"

struct reading {
	struct cli *c;
	const char *path;
	const struct games_ear *ear;
};

static enum qv_status refuse(const struct reading *r, enum qv_status status,
			     const struct qv_error *why)
{
	return qv_fail(&r->c->error, status, "%.60s: %.180s", cli_word(r->path), why->text);
}

/* ---- Records ---- */

static const char record_head[] = "{\"quevedo\":";

static bool is_record(const char *text, size_t size)
{
	return size >= sizeof record_head - 1 &&
	       memcmp(text, record_head, sizeof record_head - 1) == 0;
}

/* The number-th of a file, from 1. One that is none is told of and passed over, as in PGN. */
static enum qv_status take_record(struct reading *r, const char *text, size_t size, int64_t number)
{
	struct qv_record *record;
	struct qv_error why = { "" };
	enum qv_status status = qv_record_load(r->c->context, text, size, &record, &why);
	if (status != QV_OK && status != QV_NO_MEMORY && r->ear->wrong && is_record(text, size)) {
		char what[200];
		snprintf(what, sizeof what, "game %lld: %.160s", (long long)number, why.text);
		r->ear->wrong(r->ear->ctx, what, false);
		return QV_OK;
	}
	if (status != QV_OK)
		return refuse(r, status, &why);
	status = r->ear->game(r->ear->ctx, record);
	qv_record_free(record);
	return status;
}

/* Records one after the other: each begins with its header. */
static enum qv_status take_records(struct reading *r, const char *data, size_t size)
{
	enum qv_status status = QV_OK;
	const char *end = data + size;
	for (int64_t number = 1; data < end && status == QV_OK; number++) {
		const char *next = data;
		do {
			const char *line = memchr(next, '\n', (size_t)(end - next));
			next = line ? line + 1 : end;
		} while (next < end && !is_record(next, (size_t)(end - next)));
		status = take_record(r, data, (size_t)(next - data), number);
		data = next;
	}
	return status;
}

/* ---- Journals of matches ---- */

static enum qv_status take_journal(struct reading *r, const char *data, size_t size)
{
	struct journal_contents contents;
	struct qv_error why = { "" };
	enum qv_status status = journal_parse(r->c->context, data, size, &contents, &why);
	if (status != QV_OK)
		return refuse(r, status, &why);
	const int64_t games = contents.header.allocator ? contents.header.plan.games : 0;
	for (int64_t i = 0; i < games && status == QV_OK; i++)
		if (contents.games[i].finished)
			status = take_record(r, contents.games[i].record.data,
					     contents.games[i].record.length, i + 1);
	journal_contents_release(&contents);
	return status;
}

/* It says so in its first line. */
static bool is_journal(const char *data)
{
	const char *word = strstr(data, "\"match\""), *end = strchr(data, '\n');
	return word && (!end || word < end);
}

/* ---- PGN ---- */

static void on_oddity(void *ctx, int line, const char *what)
{
	const struct reading *r = ctx;
	char text[200];
	snprintf(text, sizeof text, "line %d: %.160s", line, what);
	if (r->ear->wrong)
		r->ear->wrong(r->ear->ctx, text, true);
}

static enum qv_status take_pgn(struct reading *r, const struct qv_rules *rules, const char *data,
			       size_t size)
{
	struct pgn_reader reader = { .context = r->c->context,
				     .rules = rules,
				     .reporter = { on_oddity, r } };
	enum qv_status status = pgn_reader_init(&reader, data, size, &r->c->error);
	while (status == QV_OK) {
		struct qv_record *record;
		struct qv_error why = { "" };
		status = pgn_next(&reader, &record, &why);
		if (status == QV_NO_MEMORY || (status != QV_OK && !r->ear->wrong)) {
			refuse(r, status, &why);
		} else if (status != QV_OK) {
			r->ear->wrong(r->ear->ctx, why.text, false);
			status = QV_OK;
		} else if (!record) {
			break;
		} else {
			status = r->ear->game(r->ear->ctx, record);
			qv_record_free(record);
		}
	}
	pgn_reader_release(&reader);
	return status;
}

enum qv_status games_read(struct cli *c, const char *path, const struct qv_rules *rules,
			  const struct games_ear *ear)
{
	struct reading r = { c, path, ear };
	struct file_bytes bytes;
	enum qv_status status = file_read(&mem_malloc, path, PGN_MOST_BYTES, &bytes, &c->error);
	if (status != QV_OK)
		return status;
	if (pgn_is_name(path) || pgn_looks_like(bytes.data, bytes.size))
		status = take_pgn(&r, rules, bytes.data, bytes.size);
	else
		status = (is_journal(bytes.data) ? take_journal : take_records)(&r, bytes.data,
										bytes.size);
	file_release(&mem_malloc, &bytes);
	return status;
}
