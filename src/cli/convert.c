/*
 * convert.c - files of games: reading them in any format, and the command convert, which writes
 * them in another.
 * SPDX-License-Identifier: MIT
 *
 * A file is PGN or PDN, SGF or GGF, a backgammon match (.mat or SGF), a database of reversi games
 * (WTHOR), records one after the other, or the journal of a match; its first bytes show which. Games are read one at a time. A game that cannot
 * be read is reported and skipped; of a backgammon match, what comes before the fault is kept.
 */
#include "base/scan.h"
#include "cli/cli.h"
#include "formats/backgammon_file.h"
#include "formats/sgf_tree.h"
#include "formats/wthor.h"
#include "match/journal.h"

/* A file while its games are read. */
struct reading {
	struct cli *c;
	const char *path;
	const struct games_listener *listener;
};

/* Fails with the name of the file before the reason. */
static enum qv_status refuse(const struct reading *r, enum qv_status status,
			     const struct qv_error *why)
{
	return qv_fail(&r->c->error, status, "%.60s: %.180s", cli_word(r->path), why->text);
}

/* ---- Records and journals ---- */

/* Whether the text begins with the header of a record. */
static bool is_record(const char *text, size_t size)
{
	static const char head[] = "{\"quevedo\":";
	return size >= sizeof head - 1 && memcmp(text, head, sizeof head - 1) == 0;
}

/* Reads one record, the number-th of the file, from 1. */
static enum qv_status take_record(struct reading *r, const char *text, size_t size, int64_t number)
{
	struct qv_record *record;
	struct qv_error why = { "" };
	enum qv_status status = qv_record_load(r->c->context, text, size, &record, &why);
	if (status != QV_OK && status != QV_NO_MEMORY && is_record(text, size)) {
		char what[200];
		snprintf(what, sizeof what, "game %lld: %.160s", (long long)number, why.text);
		r->listener->wrong(r->listener->ctx, what, false);
		return QV_OK;
	}
	if (status != QV_OK)
		return refuse(r, status, &why);
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

/* Reads the finished games of a journal. */
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

/* ---- PGN ---- */

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
		refuse(r, *status, why);
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

/*
 * Reads the games of a PGN file. One that cannot be read is reported and skipped; running out of
 * memory ends the reading.
 */
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
		if (!pass_on(r, record, &why, &status))
			break;
	}
	pgn_reader_release(&reader);
	return status;
}

/* ---- SGF and GGF ---- */

/* As take_pgn. */
static enum qv_status take_sgf(struct reading *r, const char *data, size_t size)
{
	struct sgf_reader reader = { .context = r->c->context, .at = data, .end = data + size };
	enum qv_status status = QV_OK;
	while (status == QV_OK) {
		struct qv_record *record;
		struct qv_error why = { "" };
		status = sgf_next(&reader, &record, &why);
		if (!pass_on(r, record, &why, &status))
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

static enum qv_status take_backgammon(struct reading *r, backgammon_reader *read, const char *data,
				      size_t size)
{
	const struct backgammon_listener listener = { on_game, on_wrong, r };
	struct qv_error why = { "" };
	const enum qv_status status = read(r->c->context, data, size, &listener, &why);
	return status == QV_OK || !*why.text ? status : refuse(r, status, &why);
}

/* ---- WTHOR ---- */

/* Reads a file of names beside the database, which may be missing. */
static bool read_names(const char *database, const char *ending, struct file_bytes *out)
{
	static const char *const stems[] = { "WTHOR.", "wthor." };
	const char *slash = strrchr(database, '/');
	char path[FOLDER_PATH], small[4];
	snprintf(small, sizeof small, "%s", ending);
	for (char *at = small; *at; at++)
		*at = to_lower(*at);
	for (int i = 0; i < 4; i++) {
		const int length =
			snprintf(path, sizeof path, "%.*s%s%s",
				 (int)(slash ? slash + 1 - database : 0), database, stems[i & 1],
				 i & 2 ? small : ending);
		if (length < (int)sizeof path &&
		    file_read(&mem_malloc, path, PGN_MOST_BYTES, out, NULL) == QV_OK)
			return true;
	}
	return false;
}

/* As take_pgn. The names of players and tournaments are in the same folder. */
static enum qv_status take_wthor(struct reading *r, const char *data, size_t size)
{
	struct file_bytes players = { 0 }, tournaments = { 0 };
	struct wthor_reader reader = { .context = r->c->context, .games = { data, size } };
	const bool named = read_names(r->path, "JOU", &players);
	const bool placed = read_names(r->path, "TRN", &tournaments);
	reader.players = (struct wthor_file){ players.data, players.size };
	reader.tournaments = (struct wthor_file){ tournaments.data, tournaments.size };
	enum qv_status status = QV_OK;
	while (status == QV_OK) {
		struct qv_record *record;
		struct qv_error why = { "" };
		status = wthor_next(&reader, &record, &why);
		if (!pass_on(r, record, &why, &status))
			break;
	}
	if (named)
		file_release(&mem_malloc, &players);
	if (placed)
		file_release(&mem_malloc, &tournaments);
	return status;
}

static bool is_wthor(const char *path, const char *data, size_t size)
{
	const size_t length = strlen(path);
	return wthor_looks_like(data, size) ||
	       (length > 4 && text_same(path + length - 4, ".wtb"));
}

/* The name decides for PGN, and otherwise the first bytes of the file. */
enum qv_status games_read(struct cli *c, const char *path, const struct qv_rules *rules,
			  const struct games_listener *listener)
{
	struct reading r = { .c = c, .path = path, .listener = listener };
	struct file_bytes bytes;
	enum qv_status status = file_read(&mem_malloc, path, PGN_MOST_BYTES, &bytes, &c->error);
	if (status != QV_OK)
		return status;
	/* The first line of a journal has the key "match". */
	const char *match = strstr(bytes.data, "\"match\""), *end = strchr(bytes.data, '\n');
	if (is_wthor(path, bytes.data, bytes.size))
		status = take_wthor(&r, bytes.data, bytes.size);
	else if (sgf_tree_looks_like(bytes.data, bytes.size))
		status = take_sgf(&r, bytes.data, bytes.size);
	else if (sgf_looks_like(bytes.data, bytes.size))
		status = take_backgammon(&r, sgf_read, bytes.data, bytes.size);
	else if (mat_looks_like(bytes.data, bytes.size))
		status = take_backgammon(&r, mat_read, bytes.data, bytes.size);
	else if (pgn_is_name(path) || pgn_looks_like(bytes.data, bytes.size))
		status = take_pgn(&r, rules, bytes.data, bytes.size);
	else if (match && (!end || match < end))
		status = take_journal(&r, bytes.data, bytes.size);
	else
		status = take_records(&r, bytes.data, bytes.size);
	file_release(&mem_malloc, &bytes);
	return status;
}

/* ---- The command convert ---- */

enum { AS_PGN, AS_PDN, AS_RECORD, AS_MAT, AS_SGF, AS_GGF }; /* the order of the choices */

/* The options of convert. */
struct convert_values {
	int64_t format; /* -1: not given */
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct convert_values, "format", OPTION_CHOICE, format,
		       .choices = "pgn|pdn|record|mat|sgf|ggf", .def = -1,
		       .help = "output format (default: as the name of --out ends, or pgn)"),
	SHARED_OPTION("out", OPTION_POINTER, out, .value = "FILE",
		      .help = "write the games to a file"),
	{ 0 },
};

/* A run of convert over all its files. */
struct conversion {
	struct cli *c;
	const char *path; /* the file that is being read */
	int format;
	struct backgammon_file match; /* what .mat and SGF have of the match so far */
	struct file_writer file; /* --out; without it all games are kept in `text` */
	struct string text;
	int64_t games, wrong;
	json_t *findings;
};

/* Writes a game to `text`, and from there to the file if there is one. */
static enum qv_status convert_game(void *ctx, struct qv_record *record)
{
	struct conversion *x = ctx;
	enum qv_status status = QV_OK;
	x->games++;
	if (x->format == AS_PGN)
		status = pgn_write(x->c->context, record, NULL, &x->text, &x->c->error);
	else if (x->format == AS_PDN)
		status = pdn_write(x->c->context, record, NULL, &x->text, &x->c->error);
	else if (x->format == AS_MAT)
		status = mat_write(record, &x->match, &x->text, &x->c->error);
	else if (x->format == AS_GGF)
		status = ggf_write(x->c->context, record, &x->text, &x->c->error);
	else if (x->format == AS_SGF && sgf_kind_of(NULL, record->rules.game->name))
		status = sgf_tree_write(x->c->context, record, &x->text, &x->c->error);
	else if (x->format == AS_SGF)
		status = sgf_write(record, &x->match, &x->text, &x->c->error);
	else
		string_add(&x->text, record->journal.data, record->journal.length);
	if (status == QV_OK && x->text.failed)
		return cli_no_memory(x->c, "convert");
	if (status == QV_OK && x->file.path) {
		status = file_write(&x->file, x->text.data, x->text.length, &x->c->error);
		x->text.length = 0;
	}
	return status;
}

/* Findings go to the answer, or, where the answer is the games themselves, to standard error. */
static void add_finding(void *ctx, const char *what, bool harmless)
{
	struct conversion *x = ctx;
	x->wrong += !harmless;
	if (x->c->args.json)
		x->findings = json_item(x->findings,
					json_fields(json_object(), "file", json_text(x->path),
						    "what", json_text(what), "harmless",
						    json_boolean(harmless), NULL));
	else if (x->file.path)
		string_addf(&x->c->out, "%s: %s%s\n", cli_word(x->path), what,
			    harmless ? " (read all the same)" : "");
	else
		fprintf(stderr, "quevedo: %s: %s\n", cli_word(x->path), what);
}

/* The format that the name of --out ends with; without --out, PGN. */
static int format_of(const char *out)
{
	const size_t length = out ? strlen(out) : 0;
	if (!out || pgn_is_name(out))
		return AS_PGN;
	if (length > 4 && text_same(out + length - 4, ".mat"))
		return AS_MAT;
	if (length > 4 && text_same(out + length - 4, ".ggf"))
		return AS_GGF;
	return length > 4 && text_same(out + length - 4, ".sgf") ? AS_SGF : AS_RECORD;
}

/*
 * Reads all files and prints the games, or a summary if --out has them. Exit status 1: something
 * could not be read.
 */
static enum qv_status run(struct cli *c)
{
	const struct convert_values *own = cli_own(c);
	const char *out = c->args.out;
	struct conversion x = { .c = c,
				.text = { .allocator = &mem_malloc },
				.findings = json_array() };
	const struct games_listener listener = { convert_game, add_finding, &x };
	x.format = own->format < 0 ? format_of(out) : (int)own->format;
	enum qv_status status = out ? file_create(&x.file, &mem_malloc, out, &c->error) : QV_OK;
	for (int i = 1; i < c->args.word_count && status == QV_OK; i++) {
		x.path = c->args.words[i];
		status = games_read(c, x.path, NULL, &listener);
	}
	if (status == QV_OK && x.file.path)
		status = file_keep(&x.file, &c->error);
	c->answer_is_no = x.wrong > 0;
	/* Without --out the games are the answer; with --json they are a field of it. */
	const char *text = x.text.data ? x.text.data : "";
	if (status == QV_OK && c->args.json)
		status = cli_json(c, json_fields(json_object(), "games", json_integer(x.games),
						 "wrong", json_integer(x.wrong), "findings",
						 json_incref(x.findings), "text",
						 json_text(out ? NULL : text), NULL));
	else if (status == QV_OK && out)
		string_addf(&c->out, "games %lld, wrong %lld\n", (long long)x.games,
			    (long long)x.wrong);
	else if (status == QV_OK)
		string_add(&c->out, text, x.text.length);
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
	.help = "convert games to PGN, PDN, records, .mat, SGF or GGF",
	.more = "Each FILE is PGN, PDN, SGF, GGF, WTHOR (.wtb, with the names in WTHOR.JOU and WTHOR.TRN "
		"beside it), a backgammon match (.mat or SGF), records or the journal of a match. Games that cannot be read are "
		"reported and skipped. Exit status 1: something could not be read.\n",
	.options = OPTION_GROUPS(own_options, common_options),
};
