/*
 * game_file.c - finds out the format of a text, and reads its first game.
 * SPDX-License-Identifier: MIT
 */
#include "formats/game_file.h"

#include "formats/backgammon_file.h"
#include "formats/sgf_tree.h"

/* Any SGF that is not for the other reader is for that of backgammon, which names what it lacks. */
static bool is_sgf(const char *data, size_t size)
{
	const char *at = data, *end = data + size;
	while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
		at++;
	return sgf_tree_looks_like(data, size) || (at < end - 1 && at[0] == '(' && at[1] == ';');
}

bool game_file_looks_like(const char *data, size_t size)
{
	return is_sgf(data, size) || pgn_looks_like(data, size);
}

/* PGN has no dice. A node of SGF begins with a semicolon; its move is a roll and what was played. */
size_t game_file_count_dice(const char *data, size_t size)
{
	size_t nodes = 0;
	if (!is_sgf(data, size) || sgf_tree_looks_like(data, size))
		return 0;
	for (size_t i = 0; i < size; i++)
		nodes += data[i] == ';';
	return 2 * nodes;
}

static enum qv_status add_journal(struct string *out, const struct qv_record *record,
				  struct pgn_bounds most, struct qv_error *error)
{
	const struct string *journal = &record->journal;
	if ((most.lines && record->lines > most.lines) ||
	    (most.bytes && journal->length > most.bytes))
		return qv_fail(error, QV_BAD_INPUT, "the game is too long");
	string_add(out, journal->data, journal->length);
	return out->failed ? qv_fail(error, QV_NO_MEMORY, "file: out of memory") : QV_OK;
}

/* ---- Backgammon, whose reader calls back ---- */

struct first_game {
	struct string *out;
	struct pgn_bounds most;
	bool found;
	struct qv_error *error;
};

/* Takes the first record and stops. */
static enum qv_status take_first(void *ctx, struct qv_record *record)
{
	struct first_game *f = ctx;
	f->found = true;
	const enum qv_status status = add_journal(f->out, record, f->most, f->error);
	return status == QV_OK ? QV_STOPPED : status;
}

/* Keeps the first reason why nothing could be read. */
static void keep_reason(void *ctx, int line, const char *what, bool harmless)
{
	struct first_game *f = ctx;
	if (!harmless && !f->found && !f->error->text[0])
		qv_fail(f->error, QV_BAD_INPUT, "line %d: %s", line, what);
}

static enum qv_status backgammon_to_journal(const struct qv_context *context, const char *data,
					    size_t size, struct first_game *f)
{
	const struct backgammon_listener listener = { take_first, keep_reason, f };
	struct qv_error why = { "" };
	const enum qv_status status = sgf_read(context, data, size, &listener, &why);
	if (f->found)
		return status == QV_STOPPED ? QV_OK : status;
	if (f->error->text[0])
		return QV_BAD_INPUT;
	return qv_fail(f->error, status == QV_OK ? QV_BAD_INPUT : status, "%s",
		       why.text[0] ? why.text : "SGF: the file contains no game");
}

enum qv_status game_file_to_journal(const struct qv_context *context, const char *data, size_t size,
				    struct pgn_bounds most, struct string *out,
				    struct qv_error *error)
{
	struct qv_error why = { "" };
	struct qv_record *record = NULL;
	enum qv_status status;
	const char *other = sgf_other_game(data, size);
	if (other)
		return qv_fail(error, QV_UNSUPPORTED,
			       "This is a game of %s. Quevedo does not play %s.", other, other);
	if (sgf_tree_looks_like(data, size)) {
		struct sgf_reader reader = {
			.context = context, .most = most, .at = data, .end = data + size
		};
		status = sgf_next(&reader, &record, &why);
		if (status == QV_OK)
			status = add_journal(out, record, most, &why);
		qv_record_free(record);
	} else if (is_sgf(data, size)) {
		struct first_game first = { .out = out, .most = most, .error = &why };
		status = backgammon_to_journal(context, data, size, &first);
	} else {
		status = pgn_to_journal(context, NULL, data, size, most, out, &why);
	}
	return status == QV_OK ? status : qv_fail(error, status, "%s", why.text);
}
