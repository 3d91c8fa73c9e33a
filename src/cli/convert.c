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
	if (x->c->args.json) {
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

enum { AS_PGN, AS_RECORD }; /* the order of the choices */

struct convert_values {
	int64_t format; /* -1: not given */
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct convert_values, "format", OPTION_CHOICE, format,
		       .choices = "pgn|record", .def = -1,
		       .help = "output format (default: as the name of --out ends, or pgn)"),
	SHARED_OPTION("out", OPTION_POINTER, out, .value = "FILE",
		      .help = "write the games to a file"),
	{ 0 },
};

static enum qv_status choose_format(struct conversion *x)
{
	const struct convert_values *own = cli_own(x->c);
	const char *out = x->c->args.out;
	x->pgn = own->format < 0 ? !out || pgn_is_name(out) : own->format == AS_PGN;
	return out ? file_create(&x->file, &mem_malloc, out, &x->c->error) : QV_OK;
}

static enum qv_status hand_out(struct conversion *x)
{
	struct cli *c = x->c;
	c->answer_is_no = x->wrong > 0;
	if (c->args.json) {
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

static enum qv_status run(struct cli *c)
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

const struct command command_convert = {
	.name = "convert",
	.run = run,
	.least = 1,
	.most = MAX_WORDS - 1,
	.usage = "convert FILE...",
	.help = "convert games to PGN or records",
	.more = "Each FILE is PGN, records or the journal of a match. Games that cannot be read are "
		"reported and skipped. Exit status 1: something could not be read.\n",
	.options = OPTION_GROUPS(own_options, common_options),
};
