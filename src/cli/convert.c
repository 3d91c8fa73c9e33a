/*
 * convert.c - files of games: reading them in any format, and the command convert, which writes
 * them in another.
 * SPDX-License-Identifier: MIT
 *
 * match/games_file.h says which formats there are.
 */
#include "base/scan.h"
#include "cli/cli.h"
#include "formats/pgn.h"
#include "match/games_file.h"

/* A file while its games are read. */
struct reading {
	struct cli *c;
	const char *path;
	const struct games_listener *listener;
};

/* The name of the file goes before the reason, unless the listener failed with its own. */
static enum qv_status refuse(const struct reading *r, enum qv_status status,
			     const struct qv_error *why)
{
	if (status != QV_OK && *why->text)
		qv_fail(&r->c->error, status, "%.60s: %.180s", cli_word(r->path), why->text);
	return status;
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

/* The names of players and tournaments are in the same folder. */
static enum qv_status take_wthor(struct reading *r, const char *data, size_t size)
{
	struct file_bytes players = { 0 }, tournaments = { 0 };
	struct wthor_reader reader = { .context = r->c->context, .games = { data, size } };
	struct qv_error why = { "" };
	const bool named = read_names(r->path, "JOU", &players);
	const bool placed = read_names(r->path, "TRN", &tournaments);
	reader.players = (struct wthor_file){ players.data, players.size };
	reader.tournaments = (struct wthor_file){ tournaments.data, tournaments.size };
	const enum qv_status status = games_of_wthor(&reader, r->listener, &why);
	if (named)
		file_release(&mem_malloc, &players);
	if (placed)
		file_release(&mem_malloc, &tournaments);
	return refuse(r, status, &why);
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
	struct qv_error why = { "" };
	if (is_wthor(path, bytes.data, bytes.size))
		status = take_wthor(&r, bytes.data, bytes.size);
	else
		status = refuse(&r, games_of_text(c->context, rules, bytes.data, bytes.size,
						  pgn_is_name(path), listener, &why),
				&why);
	file_release(&mem_malloc, &bytes);
	return status;
}

/* ---- The command convert ---- */

/* The options of convert. */
struct convert_values {
	int64_t format; /* -1: not given */
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct convert_values, "format", OPTION_CHOICE, format,
		       .choices = GAME_FORMATS, .def = -1,
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
	x->games++;
	enum qv_status status = game_write(x->c->context, record, x->format, &x->match, &x->text,
					   &x->c->error);
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
		string_addf(&x->c->remarks, "quevedo: %s: %s\n", cli_word(x->path), what);
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
