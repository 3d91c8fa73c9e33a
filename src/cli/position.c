/*
 * position.c - the position that GAME, POS or --position-from, --moves and --moves-from name, and
 * its moves as text.
 * SPDX-License-Identifier: MIT
 *
 * A position is always a record, even without moves: searches need the history for repetitions.
 * Moves come from the command line, from a text file with one move a line, or from the first game
 * of a PGN file, which brings its own rules and start position.
 */
#include "base/scan.h"
#include "cli/cli.h"
#include "core/context.h"
#include "formats/pgn.h"
#include "formats/terms.h"

enum { MOST_MOVE_BYTES = 1 << 24 }; /* of a file of moves */

const struct option moves_options[] = {
	SHARED_OPTION("moves", OPTION_POINTER, moves, .value = "\"M, M\"",
		      .help = "play these moves from the position first"),
	SHARED_OPTION("moves-from", OPTION_POINTER, moves_from, .value = "FILE",
		      .help = "read them from a file, one move a line; - is standard input"),
	{ 0 },
};

const struct option position_options[] = {
	SHARED_OPTION("position-from", OPTION_POINTER, position_from, .value = "FILE",
		      .help = "read the position from a file; - is standard input"),
	{ 0 },
};

const struct option san_option[] = {
	SHARED_OPTION("san", OPTION_FLAG, san,
		      .help = "print moves in algebraic notation: Nf3, O-O (chess, minichess)"),
	{ 0 },
};

const struct option notions_option[] = {
	SHARED_OPTION("notions", OPTION_FLAG, notions,
		      .help = "add the evaluation terms: threats, mobility, ..."),
	{ 0 },
};

/* ---- Moves as text ---- */

struct move_words move_words(const struct qv_game *game, const void *state, qv_move move)
{
	struct move_words words = { "" };
	game->move_text(state, move, &(struct qv_text){ words.text, sizeof words.text, 0 });
	return words;
}

/* Games without a short notation are refused by position_open, so short_text exists here. */
struct move_words position_words(const struct position *p, const void *state, qv_move move)
{
	struct move_words words = { "" };
	struct qv_text out = { words.text, sizeof words.text, 0 };
	if (!p->san)
		return move_words(p->rules.game, state, move);
	context_engine(p->rules.game)->short_text(state, move, &out);
	return words;
}

/* A move that can carry only 1 counts as a move without a number. */
int move_max(const struct qv_game *game, const void *state, qv_move move)
{
	const int max = game->max_count && game->with_count ? game->max_count(state, move) : 1;
	return max > 1 ? max : 0;
}

enum qv_status position_allow_notions(struct cli *c, const struct position *p)
{
	const char *name = p->rules.game->name;
	if (!c->args.notions || game_has_terms(p->rules.game))
		return QV_OK;
	if (!p->rules.game->evaluations)
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "--notions: %s has no evaluation terms to show", name);
	return qv_fail(&c->error, QV_UNSUPPORTED,
		       "--notions: %s has no evaluation terms to show on the board; 'quevedo eval "
		       "%s' lists those of its evaluation",
		       name, name);
}

/* ---- Files ---- */

/* file_read puts a NUL behind the contents, so a shorter string has a NUL inside. */
enum qv_status cli_read_text(struct cli *c, const char *path, size_t most, struct file_bytes *out)
{
	const enum qv_status status = file_read(&mem_malloc, path, most, out, &c->error);
	if (status != QV_OK || strlen(out->data) == out->size)
		return status;
	file_release(&mem_malloc, out);
	return cli_refuse(c, "%.60s: not a text file", cli_word(path));
}

/* Replaces the record by the first game of a PGN file, with its variations and notes. */
static enum qv_status take_pgn(struct cli *c, struct position *p, const struct file_bytes *file)
{
	struct pgn_reader reader = { .context = c->context, .rules = &p->rules };
	struct qv_record *record = NULL;
	/*
	 * The position comes from the PGN tags, so another one on the command line is a
	 * contradiction.
	 */
	if (c->args.position_from ||
	    (c->args.word_count > 2 && strcmp(c->args.words[2], "start") != 0))
		return cli_refuse(c, "--moves-from: a PGN game has a position of its own");
	enum qv_status status = pgn_reader_init(&reader, file->data, file->size, &c->error);
	if (status == QV_OK)
		status = pgn_next(&reader, &record, &c->error);
	if (status == QV_OK && !record)
		status = cli_refuse(c, "--moves-from: the file has no game");
	pgn_reader_release(&reader);
	if (status != QV_OK)
		return status;
	qv_record_free(p->record);
	p->record = record;
	p->rules = *qv_record_rules(record);
	p->state = qv_record_state(record);
	return QV_OK;
}

/* ---- Playing moves ---- */

/* The error about a move, with the first legal moves, unless the game itself gives the reason. */
static enum qv_status refuse_move(struct cli *c, const struct position *p, enum qv_status status,
				  int number, const struct qv_error *why)
{
	enum { MOST = 10 };
	const struct qv_game *game = p->rules.game;
	qv_move list[QV_MAX_MOVES];
	char legal[128] = "";
	struct qv_text text = { legal, sizeof legal, 0 };
	const int count = context_engine(game)->refusal ? 0 : game->moves(p->state, list);
	for (int i = 0; i < count && i < MOST; i++) {
		const struct move_words words = move_words(game, p->state, list[i]);
		if (text.length + strlen(words.text) + 8 > sizeof legal)
			break;
		qv_put(&text, i ? ", " : "; legal: ");
		qv_put(&text, words.text);
		if (i == MOST - 1 && count > MOST)
			qv_put(&text, ", ...");
	}
	return qv_fail(&c->error, status, "move %d of the list: %.100s%s", number, why->text, legal);
}

/* Plays a list of moves, separated by commas, newlines or blanks. */
static enum qv_status play_moves(struct cli *c, struct position *p, const char *moves)
{
	const struct qv_game *game = p->rules.game;
	char word[2 * QV_MOVE_TEXT]; /* a longer one cannot be a move, cut or not */
	enum qv_status status = QV_OK;
	for (int number = 1; status == QV_OK; number++) {
		/* Blanks separate moves, unless one of the legal moves contains a blank itself. */
		qv_move list[QV_MAX_MOVES], move;
		const int count = game->moves(p->state, list);
		bool blanks = true;
		for (int i = 0; i < count && blanks; i++)
			blanks = !strchr(move_words(game, p->state, list[i]).text, ' ');
		if (!scan_piece(&moves, blanks ? ",\n \t\r" : ",\n", " \t\r", word, sizeof word))
			break;
		int32_t points[QV_MAX_SEATS];
		struct qv_error why;
		/* Draws by repetition end the game too, which the move parser does not know. */
		if (qv_record_result(p->record, points) != QV_GOING)
			return qv_fail(&c->error, QV_ILLEGAL,
				       "move %d, '%.60s': the game has ended", number, word);
		status = qv_move_parse(game, p->state, word, &move, &why);
		if (status != QV_OK)
			return refuse_move(c, p, status, number, &why);
		status = qv_record_play(p->record, move, -1, &c->error);
		p->state = qv_record_state(p->record);
	}
	return status;
}

/* Plays the moves of a file, or takes over its first PGN game. */
static enum qv_status play_file(struct cli *c, struct position *p, const char *path)
{
	struct file_bytes file;
	if (!*path)
		return cli_refuse(c, "--moves-from: the file name is empty");
	enum qv_status status = file_read(&mem_malloc, path, MOST_MOVE_BYTES, &file, &c->error);
	if (status != QV_OK)
		return status;
	if (pgn_is_name(path) || pgn_looks_like(file.data, file.size))
		status = take_pgn(c, p, &file);
	else if (strlen(file.data) != file.size)
		status = cli_refuse(c, "%.60s: not a text file", cli_word(path));
	else
		status = play_moves(c, p, file.data);
	file_release(&mem_malloc, &file);
	return status;
}

/* ---- The position ---- */

/*
 * Options are checked first, then the start is set up, then moves are played. On failure *out is
 * unchanged.
 */
enum qv_status position_open(struct cli *c, const char *game, const char *text,
			     struct position *out)
{
	struct position p = { .san = c->args.san };
	enum qv_status status = qv_rules_parse(c->context, game, &p.rules, &c->error);
	if (status != QV_OK)
		return status;
	if (c->args.moves && c->args.moves_from)
		return cli_refuse(c, "--moves-from: --moves is given too");
	/* A game with a random start takes --seed, unless its own option `seed` is given. */
	const struct qv_option *o = p.rules.game->options;
	for (int i = 0; o && o[i].name; i++)
		if (strcmp(o[i].name, "seed") == 0 && p.rules.options[i] == o[i].preset &&
		    c->args.seed >= o[i].min && c->args.seed <= o[i].max)
			p.rules.options[i] = c->args.seed;
	if (p.san && !context_engine(p.rules.game)->short_text)
		return qv_fail(&c->error, QV_UNSUPPORTED, "--san: %s has no algebraic notation",
			       p.rules.game->name);
	/* The position of a file; blanks at its end are ignored. */
	const char *path = c->args.position_from;
	struct file_bytes file = { 0 };
	if (path && (text || !*path))
		return cli_refuse(c, "--position-from: %s",
				  text ? "a position is given too" : "the file name is empty");
	if (path)
		status = cli_read_text(c, path, QV_POSITION_TEXT, &file);
	if (status != QV_OK)
		return status;
	for (size_t n = file.size; n && strchr(" \t\r\n", file.data[n - 1]); n--)
		file.data[n - 1] = '\0';
	status = qv_record_new(c->context, &p.rules, path ? file.data : text, &p.record, &c->error);
	file_release(&mem_malloc, &file);
	if (status != QV_OK)
		return status;
	/* From here on the record must be freed on failure. */
	p.state = qv_record_state(p.record);
	if (c->args.moves)
		status = play_moves(c, &p, c->args.moves);
	else if (c->args.moves_from)
		status = play_file(c, &p, c->args.moves_from);
	if (status == QV_OK)
		*out = p;
	else
		position_release(&p);
	return status;
}

void position_release(struct position *p)
{
	qv_record_free(p->record);
	*p = (struct position){ 0 };
}
