/*
 * games_file.c - games in the formats of files: read from any, written to any.
 * SPDX-License-Identifier: MIT
 */
#include "match/games_file.h"

#include "base/sized.h"
#include "core/context.h"
#include "formats/pgn.h"
#include "formats/sgf_tree.h"
#include "match/journal.h"

/* A text while its games are read. */
struct reading {
	const struct qv_context *context;
	const struct games_listener *listener;
	struct qv_error *error;
};

/* ---- Records and journals ---- */

/* Whether the text begins with the header of a record. */
static bool is_record(const char *text, size_t size)
{
	static const char head[] = "{\"quevedo\":";
	return size >= sizeof head - 1 && memcmp(text, head, sizeof head - 1) == 0;
}

/* Reads one record, the number-th of the text, from 1. */
static enum qv_status take_record(struct reading *r, const char *text, size_t size, int64_t number)
{
	struct qv_record *record;
	struct qv_error why = { "" };
	enum qv_status status = qv_record_load(r->context, text, size, &record, &why);
	if (status != QV_OK && status != QV_NO_MEMORY && is_record(text, size)) {
		char what[200];
		snprintf(what, sizeof what, "game %lld: %.160s", (long long)number, why.text);
		r->listener->wrong(r->listener->ctx, what, false);
		return QV_OK;
	}
	if (status != QV_OK)
		return qv_fail(r->error, status, "%s", why.text);
	status = r->listener->game(r->listener->ctx, record);
	qv_record_free(record);
	return status;
}

/* Reads records one after the other: each begins with its header. */
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

/* The first line of a journal has the key "match". */
static bool is_journal(const char *data, size_t size)
{
	static const char key[] = "\"match\"";
	const char *line = memchr(data, '\n', size);
	const size_t length = line ? (size_t)(line - data) : size;
	for (size_t i = 0; i + sizeof key - 1 <= length; i++)
		if (memcmp(data + i, key, sizeof key - 1) == 0)
			return true;
	return false;
}

/* Reads the finished games of a journal. */
static enum qv_status take_journal(struct reading *r, const char *data, size_t size)
{
	struct journal_contents contents;
	enum qv_status status = journal_parse(r->context, data, size, &contents, r->error);
	if (status != QV_OK)
		return status;
	const int64_t games = contents.header.allocator ? contents.header.plan.games : 0;
	for (int64_t i = 0; i < games && status == QV_OK; i++)
		if (contents.games[i].finished)
			status = take_record(r, contents.games[i].record.data,
					     contents.games[i].record.length, i + 1);
	journal_contents_release(&contents);
	return status;
}

/* ---- PGN, SGF, GGF and WTHOR ---- */

/* Passes a remark of the PGN reader on; the game itself was read. */
static void on_oddity(void *ctx, int line, const char *what)
{
	const struct reading *r = ctx;
	char text[200];
	snprintf(text, sizeof text, "line %d: %.160s", line, what);
	r->listener->wrong(r->listener->ctx, text, true);
}

/*
 * Passes on what a reader has found, and frees it. After an error readers are at the next game, so
 * reading continues unless memory is short. False: there are no more games.
 */
static bool pass_on(struct reading *r, struct qv_record *record, const struct qv_error *why,
		    enum qv_status *status)
{
	const struct games_listener *listener = r->listener;
	if (*status == QV_NO_MEMORY) {
		qv_fail(r->error, *status, "%s", why->text);
	} else if (*status != QV_OK) {
		listener->wrong(listener->ctx, why->text, false);
		*status = QV_OK;
	} else if (record) {
		*status = listener->game(listener->ctx, record);
		qv_record_free(record);
	} else {
		return false;
	}
	return true;
}

static enum qv_status take_pgn(struct reading *r, const struct qv_rules *rules, const char *data,
			       size_t size)
{
	struct pgn_reader reader = { .context = r->context,
				     .rules = rules,
				     .reporter = { on_oddity, r } };
	enum qv_status status = pgn_reader_init(&reader, data, size, r->error);
	while (status == QV_OK) {
		struct qv_record *record = NULL;
		struct qv_error why = { "" };
		status = pgn_next(&reader, &record, &why);
		if (!pass_on(r, record, &why, &status))
			break;
	}
	pgn_reader_release(&reader);
	return status;
}

static enum qv_status take_sgf(struct reading *r, const char *data, size_t size)
{
	struct sgf_reader reader = { .context = r->context, .at = data, .end = data + size };
	enum qv_status status = QV_OK;
	while (status == QV_OK) {
		struct qv_record *record = NULL;
		struct qv_error why = { "" };
		status = sgf_next(&reader, &record, &why);
		if (!pass_on(r, record, &why, &status))
			break;
	}
	return status;
}

enum qv_status games_of_wthor(struct wthor_reader *reader, const struct games_listener *listener,
			      struct qv_error *error)
{
	struct reading r = { reader->context, listener, error };
	enum qv_status status = QV_OK;
	while (status == QV_OK) {
		struct qv_record *record = NULL;
		struct qv_error why = { "" };
		status = wthor_next(reader, &record, &why);
		if (!pass_on(&r, record, &why, &status))
			break;
	}
	return status;
}

/* ---- Backgammon ---- */

/* Reports a game that cannot be read further. */
static void on_wrong(void *ctx, int line, const char *what, bool harmless)
{
	const struct reading *r = ctx;
	char text[200];
	snprintf(text, sizeof text, "line %d: %.160s", line, what);
	r->listener->wrong(r->listener->ctx, text, harmless);
}

static enum qv_status on_game(void *ctx, struct qv_record *record)
{
	const struct reading *r = ctx;
	return r->listener->game(r->listener->ctx, record);
}

enum qv_status games_of_text(const struct qv_context *context, const struct qv_rules *rules,
			     const char *data, size_t size, bool is_pgn,
			     const struct games_listener *listener, struct qv_error *error)
{
	struct reading r = { context, listener, error };
	const struct backgammon_listener backgammon = { on_game, on_wrong, &r };
	if (sgf_tree_looks_like(data, size))
		return take_sgf(&r, data, size);
	if (sgf_looks_like(data, size))
		return sgf_read(context, data, size, &backgammon, error);
	if (mat_looks_like(data, size))
		return mat_read(context, data, size, &backgammon, error);
	if (is_pgn || pgn_looks_like(data, size))
		return take_pgn(&r, rules, data, size);
	return is_journal(data, size) ? take_journal(&r, data, size) : take_records(&r, data, size);
}

enum qv_status game_write(const struct qv_context *context, const struct qv_record *record,
			  int format, struct backgammon_file *match, struct string *out,
			  struct qv_error *error)
{
	switch (format) {
	case AS_PGN:
		return pgn_write(context, record, NULL, out, error);
	case AS_PDN:
		return pdn_write(context, record, NULL, out, error);
	case AS_MAT:
		return mat_write(record, match, out, error);
	case AS_GGF:
		return ggf_write(context, record, out, error);
	case AS_SGF:
		return sgf_kind_of(NULL, record->rules.game->name)
			       ? sgf_tree_write(context, record, out, error)
			       : sgf_write(record, match, out, error);
	default:
		string_add(out, record->journal.data, record->journal.length);
		return QV_OK;
	}
}

/* ---- The public functions ---- */

static const char *const formats[] = { [AS_PGN] = "pgn", [AS_PDN] = "pdn", [AS_RECORD] = "record",
				       [AS_MAT] = "mat", [AS_SGF] = "sgf", [AS_GGF] = "ggf" };
enum { FORMATS = sizeof formats / sizeof *formats };

struct caller {
	struct qv_games_listener listener;
	bool ended;
};

static enum qv_status give_game(void *ctx, struct qv_record *record)
{
	struct caller *c = ctx;
	c->ended = c->listener.game && !c->listener.game(c->listener.ctx, record);
	return c->ended ? QV_STOPPED : QV_OK;
}

static void give_wrong(void *ctx, const char *what, bool harmless)
{
	struct caller *c = ctx;
	if (c->listener.wrong)
		c->listener.wrong(c->listener.ctx, what, harmless);
}

enum qv_status qv_games_read(const struct qv_context *context, const struct qv_rules *rules,
			     const char *data, size_t size, const struct qv_games_listener *given,
			     struct qv_error *error)
{
	struct caller c = { .ended = false };
	const struct games_listener listener = { give_game, give_wrong, &c };
	enum qv_status status =
		sized_in("qv_games_listener", &c.listener, sizeof c.listener, given, error);
	if (status != QV_OK)
		return status;
	struct wthor_reader reader = { .context = context, .games = { data, size } };
	status = wthor_looks_like(data, size)
			 ? games_of_wthor(&reader, &listener, error)
			 : games_of_text(context, rules, data, size, false, &listener, error);
	return c.ended ? QV_OK : status;
}

enum qv_status qv_record_export(const struct qv_context *context, const struct qv_record *record,
				const char *format, struct qv_text *out, struct qv_error *error)
{
	struct backgammon_file match = { 0 };
	struct string text = { .allocator = context_allocator(context) };
	int as = 0;
	while (as < FORMATS && strcmp(formats[as], format) != 0)
		as++;
	if (as == FORMATS)
		return qv_fail(error, QV_UNKNOWN, "format '%.40s': expected " GAME_FORMATS, format);
	enum qv_status status = game_write(context, record, as, &match, &text, error);
	if (status == QV_OK && text.failed)
		status = qv_fail(error, QV_NO_MEMORY, "record: out of memory");
	for (size_t i = 0; status == QV_OK && i < text.length; i++)
		qv_put_char(out, text.data[i]);
	string_release(&text);
	return status;
}
