/*
 * position.c - the position that GAME, POS or --position-from, --moves and --moves-from name.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"
#include "base/scan.h"
#include "cli/cli.h"
#include "core/context.h"
#include "formats/pgn.h"

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
		      .help = "print moves in algebraic notation: Nf3, O-O (chess)"),
	{ 0 },
};

/* Whether blanks may separate moves here: not where one of the moves holds a blank itself. */
static bool blanks_separate(const struct qv_game *game, const void *state)
{
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(state, list);
	for (int i = 0; i < count; i++)
		if (strchr(move_words(game, state, list[i]).text, ' '))
			return false;
	return true;
}

static enum qv_status play_word(struct cli *c, struct position *p, const char *word, int number)
{
	int32_t points[QV_MAX_SEATS];
	qv_move move;
	if (qv_record_result(p->record, points) != QV_GOING)
		return qv_fail(&c->error, QV_ILLEGAL, "move %d, '%.60s': the game has ended",
			       number, word);
	struct qv_error why;
	enum qv_status status = qv_move_parse(p->rules.game, p->state, word, &move, &why);
	if (status != QV_OK)
		qv_fail(&c->error, status, "move %d of the list: %s", number, why.text);
	if (status == QV_OK)
		status = qv_record_play(p->record, move, -1, &c->error);
	p->state = qv_record_state(p->record);
	return status;
}

static enum qv_status play_moves(struct cli *c, struct position *p, const char *moves)
{
	char word[2 * QV_MOVE_TEXT]; /* a longer one cannot be a move, cut or not */
	for (int number = 1;; number++) {
		const char *separators =
			blanks_separate(p->rules.game, p->state) ? ",\n \t\r" : ",\n";
		if (!scan_piece(&moves, separators, " \t\r", word, sizeof word))
			return QV_OK;
		enum qv_status status = play_word(c, p, word, number);
		if (status != QV_OK)
			return status;
	}
}

static enum qv_status play_file(struct cli *c, struct position *p, const char *path)
{
	struct file_bytes file;
	if (!*path)
		return qv_fail(&c->error, QV_BAD_INPUT, "--moves-from: the file name is empty");
	enum qv_status status = file_read(&mem_malloc, path, MOST_MOVE_BYTES, &file, &c->error);
	if (status != QV_OK)
		return status;
	if (pgn_is_name(path) || pgn_looks_like(file.data, file.size))
		status = c->args.position_from || (c->args.word_count > 2 &&
						   strcmp(c->args.words[2], "start") != 0)
				 ? qv_fail(&c->error, QV_BAD_INPUT,
					   "--moves-from: a PGN game has a position of its own")
				 : position_take_pgn(c, p, file.data, file.size);
	else if (strlen(file.data) != file.size)
		status = qv_fail(&c->error, QV_BAD_INPUT, "%.60s: not a text file", cli_word(path));
	else
		status = play_moves(c, p, file.data);
	file_release(&mem_malloc, &file);
	return status;
}

/* The position of a file; what ends its last line is not part of it. */
static enum qv_status open_file(struct cli *c, struct position *p, const char *text,
				const char *path)
{
	struct file_bytes file;
	if (text)
		return qv_fail(&c->error, QV_BAD_INPUT, "--position-from: a position is given too");
	if (!*path)
		return qv_fail(&c->error, QV_BAD_INPUT, "--position-from: the file name is empty");
	enum qv_status status = file_read(&mem_malloc, path, QV_POSITION_TEXT, &file, &c->error);
	if (status != QV_OK)
		return status;
	if (strlen(file.data) != file.size) {
		status = qv_fail(&c->error, QV_BAD_INPUT, "%.60s: not a text file", cli_word(path));
	} else {
		for (size_t n = file.size; n && strchr(" \t\r\n", file.data[n - 1]); n--)
			file.data[n - 1] = '\0';
		status = qv_record_new(c->context, &p->rules, file.data, &p->record, &c->error);
	}
	file_release(&mem_malloc, &file);
	return status;
}

/* A game with a random start takes it from --seed, unless its own option seed is given. */
static void take_seed(const struct cli *c, struct qv_rules *rules)
{
	const struct qv_option *o = rules->game->options;
	for (int i = 0; o && o[i].name; i++)
		if (strcmp(o[i].name, "seed") == 0 && rules->options[i] == o[i].preset &&
		    c->args.seed >= o[i].min && c->args.seed <= o[i].max)
			rules->options[i] = c->args.seed;
}

enum qv_status position_open(struct cli *c, const char *game, const char *text,
			     struct position *out)
{
	struct position p = { 0 };
	enum qv_status status = qv_rules_parse(c->context, game, &p.rules, &c->error);
	if (status == QV_OK && c->args.moves && c->args.moves_from)
		status = qv_fail(&c->error, QV_BAD_INPUT, "--moves-from: --moves is given too");
	if (status != QV_OK)
		return status;
	take_seed(c, &p.rules);
	p.san = c->args.san;
	if (p.san && !context_engine(p.rules.game)->short_text)
		return qv_fail(&c->error, QV_UNSUPPORTED, "--san: %s has no algebraic notation",
			       p.rules.game->name);
	if (c->args.position_from)
		status = open_file(c, &p, text, c->args.position_from);
	else
		status = qv_record_new(c->context, &p.rules, text, &p.record, &c->error);
	if (status != QV_OK)
		return status;
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
