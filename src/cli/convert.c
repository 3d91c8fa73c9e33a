/*
 * convert.c - the command convert: files of games into another format, and what is wrong in them.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"
#include "cli/games_file.h"
#include "formats/pgn.h"

struct conversion {
	struct cli *c;
	const char *path;
	bool pgn;
	struct file_writer file;
	struct string text;
	int64_t games, wrong;
	json_t *findings;
};

static bool wants_json(const struct cli *c)
{
	return arguments_given(&c->args, OPT_JSON);
}

/* What has been gathered goes to the file. */
static enum qv_status pour(struct conversion *x)
{
	enum qv_status status = QV_OK;
	if (x->text.failed)
		return qv_fail(&x->c->error, QV_NO_MEMORY, "convert: out of memory");
	if (x->file.path) {
		status = file_write(&x->file, x->text.data, x->text.length, &x->c->error);
		x->text.length = 0;
	}
	return status;
}

static enum qv_status take_game(void *ctx, struct qv_record *record)
{
	struct conversion *x = ctx;
	enum qv_status status = QV_OK;
	x->games++;
	if (x->pgn)
		status = pgn_write(x->c->context, record, NULL, &x->text, &x->c->error);
	else
		string_add(&x->text, record->journal.data, record->journal.length);
	return status == QV_OK ? pour(x) : status;
}

static void take_wrong(void *ctx, const char *what, bool harmless)
{
	struct conversion *x = ctx;
	x->wrong += !harmless;
	if (wants_json(x->c)) {
		json_t *o = json_field(json_object(), "file", json_text(x->path));
		o = json_field(o, "what", json_text(what));
		x->findings =
			json_item(x->findings, json_field(o, "harmless", json_boolean(harmless)));
	} else if (x->file.path) {
		string_addf(&x->c->out, "%s: %s%s\n", cli_word(x->path), what,
			    harmless ? " (read all the same)" : "");
	} else {
		fprintf(stderr, "quevedo: %s: %s\n", cli_word(x->path), what);
	}
}

static enum qv_status choose_format(struct conversion *x)
{
	const char *format = x->c->args.format, *out = x->c->args.out;
	if (format && strcmp(format, "pgn") != 0 && strcmp(format, "record") != 0)
		return qv_fail(&x->c->error, QV_BAD_INPUT,
			       "--format: '%.60s' is not one of pgn, record", format);
	x->pgn = format ? strcmp(format, "pgn") == 0 : !out || pgn_is_name(out);
	return out ? file_create(&x->file, &mem_malloc, out, &x->c->error) : QV_OK;
}

static enum qv_status hand_out(struct conversion *x)
{
	struct cli *c = x->c;
	c->answer_is_no = x->wrong > 0;
	if (wants_json(c)) {
		json_t *o = json_field(json_object(), "games", json_integer(x->games));
		o = json_field(o, "wrong", json_integer(x->wrong));
		o = json_field(o, "findings", json_incref(x->findings));
		o = json_field(o, "text",
			       c->args.out ? json_null()
					   : json_text(x->text.data ? x->text.data : ""));
		return cli_json(c, o);
	}
	if (c->args.out)
		string_addf(&c->out, "games %lld, wrong %lld\n", (long long)x->games,
			    (long long)x->wrong);
	else
		string_add(&c->out, x->text.data ? x->text.data : "", x->text.length);
	return QV_OK;
}

enum qv_status cmd_convert(struct cli *c)
{
	struct conversion x = { .c = c,
				.text = { .allocator = &mem_malloc },
				.findings = json_array() };
	const struct games_ear ear = { take_game, take_wrong, &x };
	enum qv_status status = choose_format(&x);
	for (int i = 1; i < c->args.word_count && status == QV_OK; i++) {
		x.path = c->args.words[i];
		status = games_read(c, x.path, NULL, &ear);
	}
	if (status == QV_OK && x.file.path)
		status = file_keep(&x.file, &c->error);
	if (status == QV_OK)
		status = hand_out(&x);
	file_abandon(&x.file);
	string_release(&x.text);
	json_decref(x.findings);
	return status;
}
