/*
 * show.c - the commands games, show and replay: what there is, and what a position looks like.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <strings.h>

#include "cli/cli.h"
#include "core/context.h"
#include "formats/board_svg.h"
#include "formats/terms.h"
#include "formats/pgn.h"

/* ---- games ---- */

static int level_count(const struct qv_game *game)
{
	int count = 0;
	while (qv_levels(game)[count])
		count++;
	return count;
}

static json_t *game_json(const struct qv_game *game)
{
	json_t *o = json_object();
	o = json_field(o, "name", json_text(game->name));
	o = json_field(o, "title", json_text(game->title));
	o = json_field(o, "seats", json_integer(game->seats));
	o = json_field(o, "chance", json_boolean(game->chance));
	o = json_field(o, "levels", json_integer(level_count(game)));
	return json_field(o, "solved", game->solved ? json_text(game->solved) : json_null());
}

static enum qv_status run_games(struct cli *c)
{
	const struct qv_game *game;
	if (c->args.json) {
		json_t *list = json_array();
		for (int i = 0; (game = qv_game_at(c->context, i)); i++)
			list = json_item(list, game_json(game));
		return cli_json(c, list);
	}
	for (int i = 0; (game = qv_game_at(c->context, i)); i++) {
		string_addf(&c->out, "%-12s %-35s %d seat%s%s, %d levels", game->name, game->title,
			    game->seats, game->seats == 1 ? "" : "s",
			    game->chance ? ", chance" : "", level_count(game));
		string_addf(&c->out, "%s%s\n", game->solved ? ", solved: " : "",
			    game->solved ? game->solved : "");
	}
	return QV_OK;
}

const struct command command_games = {
	.name = "games",
	.run = run_games,
	.usage = "games",
	.help = "list the games",
	.options = OPTION_GROUPS(common_options),
};

/* ---- show and replay ---- */

const struct option ascii_option[] = {
	SHARED_OPTION("ascii", OPTION_FLAG, ascii, .help = "draw the board in plain ASCII"),
	{ 0 },
};

/* The order of the choices of --format: of show, and of replay. */
enum { AS_TEXT, AS_SVG, AS_PGN = 1 };

struct show_values {
	int64_t format;
};

static const struct option show_options[] = {
	COMMAND_OPTION(struct show_values, "format", OPTION_CHOICE, format, .choices = "text|svg",
		       .help = "svg: a picture of the board alone"),
	{ 0 },
};

static const struct option replay_options[] = {
	COMMAND_OPTION(struct show_values, "format", OPTION_CHOICE, format,
		       .choices = "text|pgn|record",
		       .help = "pgn, record: the game, not the board"),
	{ 0 },
};

/* What is known about a position, gathered once for either way of printing it. */
struct view {
	const struct qv_rules *game_rules;
	const struct position *at;
	const struct qv_game *game;
	const void *state;
	char rules[QV_POSITION_TEXT], position[QV_POSITION_TEXT];
	char *board; /* allocated */
	qv_move moves[QV_MAX_MOVES];
	int move_count;
	bool over;
	char result[16];
	const char *ending; /* what ended it, if the game has words for that, or NULL */
	int32_t points[QV_MAX_SEATS];
};

static bool names_utf8(const char *locale)
{
	for (; *locale; locale++)
		if (strncasecmp(locale, "utf-8", 5) == 0 || strncasecmp(locale, "utf8", 4) == 0)
			return true;
	return false;
}

/* The terminal's word on UTF-8: that of the first of these that says anything. */
bool locale_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return names_utf8(value);
	}
	return false;
}

/* JSON is UTF-8 wherever it goes, so the locale has no say in it. */
static bool wants_unicode(const struct arguments *args)
{
	return !args->ascii && (args->json || locale_is_utf8());
}

/* The drawn board, or the position's text for a game that does not draw; NULL: no memory. */
static char *draw(const struct qv_game *game, const void *state, bool unicode, const char *position)
{
	if (!game->draw)
		return mem_strdup(&mem_malloc, position);
	struct qv_text out = { NULL, 0, 0 };
	game->draw(state, unicode, &out);
	out = (struct qv_text){ malloc(out.length + 1), out.length + 1, 0 };
	if (!out.data)
		return NULL;
	out.data[0] = '\0';
	game->draw(state, unicode, &out);
	return out.data;
}

static void read_result(struct view *v, const struct qv_record *record)
{
	const enum qv_outcome outcome = qv_record_result(record, v->points);
	v->over = outcome != QV_GOING;
	if (!v->over)
		return;
	int32_t points[QV_MAX_SEATS];
	const struct engine *engine = context_engine(v->game);
	if (engine->ending)
		v->ending = v->game->result(v->state, points) == QV_GOING ? "repetition" :
									    engine->ending(v->state);
	const int winner = outcome == QV_DRAWN_BY_COUNT ? -1 : qv_winner(v->game, v->points);
	if (winner < 0)
		strcpy(v->result, "draw");
	else
		snprintf(v->result, sizeof v->result, "win %d", winner + 1);
}

static enum qv_status view_init(struct view *v, struct cli *c, const struct position *p)
{
	v->game_rules = &p->rules;
	v->at = p;
	v->game = p->rules.game;
	v->state = p->state;
	struct qv_text rules = { v->rules, sizeof v->rules, 0 };
	qv_rules_text(&p->rules, &rules);
	struct qv_text position = { v->position, sizeof v->position, 0 };
	v->game->position_text(v->state, &position);
	read_result(v, p->record);
	v->move_count = v->over ? 0 : v->game->moves(v->state, v->moves);
	v->board = draw(v->game, v->state, wants_unicode(&c->args), v->position);
	return v->board ? QV_OK : qv_fail(&c->error, QV_NO_MEMORY, "board: out of memory");
}

static json_t *move_json(const struct view *v, qv_move move)
{
	json_t *text = json_text(position_words(v->at, v->state, move).text);
	const int max = move_max(v->game, v->state, move);
	if (!max)
		return text;
	return json_field(json_field(json_object(), "move", text), "max", json_integer(max));
}

static enum qv_status view_json(const struct view *v, struct cli *c)
{
	json_t *moves = json_array(), *scores = json_array();
	for (int i = 0; i < v->move_count; i++)
		moves = json_item(moves, move_json(v, v->moves[i]));
	for (int i = 0; v->over && i < v->game->seats; i++)
		scores = json_item(scores, json_integer(v->points[i]));
	const int seat = v->game->seat(v->state);
	json_t *o = json_object();
	o = json_field(o, "game", json_text(v->rules));
	o = json_field(o, "position", json_text(v->position));
	o = json_field(o, "seat", seat == QV_CHANCE ? json_null() : json_integer(seat + 1));
	o = json_field(o, "moves", moves);
	o = json_field(o, "over", json_boolean(v->over));
	o = json_field(o, "result", v->over ? json_text(v->result) : json_null());
	if (v->ending)
		o = json_field(o, "ending", json_text(v->ending));
	o = json_field(o, "scores", scores);
	o = json_field(o, "text", json_text(v->board));
	if (c->args.notions)
		o = json_field(o, "notions",
			       terms_json(v->game_rules, v->state, TERM_CELL_NAMES));
	return cli_json(c, o);
}

static void print_moves(const struct view *v, struct string *out)
{
	string_addf(out, "moves ");
	for (int i = 0; i < v->move_count; i++) {
		string_addf(out, "%s%s", i ? ", " : "",
			    position_words(v->at, v->state, v->moves[i]).text);
		const int max = move_max(v->game, v->state, v->moves[i]);
		if (max)
			string_addf(out, " (1 to %d)", max);
	}
	string_addf(out, "\n");
}

static void view_print(const struct view *v, struct string *out)
{
	const size_t length = strlen(v->board);
	string_addf(out, "%s%s\n", v->board, length && v->board[length - 1] == '\n' ? "" : "\n");
	const int seat = v->game->seat(v->state);
	if (v->over) {
		string_addf(out, "result %s\n", v->result);
		if (v->ending)
			string_addf(out, "ending %s\n", v->ending);
		string_addf(out, "scores");
		for (int i = 0; i < v->game->seats; i++)
			string_addf(out, " %d", v->points[i]);
		string_addf(out, "\n");
		return;
	}
	if (seat == QV_CHANCE)
		string_addf(out, "turn chance\n");
	else
		string_addf(out, "turn seat %d\n", seat + 1);
	print_moves(v, out);
}

static enum qv_status picture(struct cli *c)
{
	struct position p;
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	status = board_svg(&p.rules, p.state, &c->out, &c->error);
	position_release(&p);
	return status;
}

/* The last line of the plain form is the label and the position. */
static enum qv_status show(struct cli *c, const char *label)
{
	struct position p;
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	struct view v = { 0 };
	status = position_allow_notions(c, &p);
	if (status == QV_OK)
		status = view_init(&v, c, &p);
	if (status == QV_OK && c->args.json) {
		status = view_json(&v, c);
	} else if (status == QV_OK) {
		view_print(&v, &c->out);
		if (c->args.notions)
			terms_text(&p.rules, p.state, &c->out);
		string_addf(&c->out, "%s%s\n", label, v.position);
	}
	free(v.board);
	position_release(&p);
	return status;
}

static enum qv_status run_show(struct cli *c)
{
	const struct show_values *own = cli_own(c);
	if (c->args.json && arguments_given(&c->args, "format"))
		return qv_fail(&c->error, QV_BAD_INPUT, "--format: not together with --json");
	if (own->format == AS_SVG && c->args.notions)
		return qv_fail(&c->error, QV_BAD_INPUT, "--notions: not in a picture");
	return own->format == AS_SVG ? picture(c) : show(c, "position ");
}

const struct command command_show = {
	.name = "show",
	.run = run_show,
	.least = 1,
	.most = 2,
	.usage = "show GAME [POS]",
	.help = "draw a position; print turn, moves, result",
	.more = "POS is one argument in the game's format; 'start' or nothing is the start position.\n",
	.options = OPTION_GROUPS(moves_options, position_options, ascii_option, san_option,
				 notions_option, show_options, common_options),
};

/* The game itself, in a format of games. */
static enum qv_status write_game(struct cli *c, bool pgn)
{
	struct position p;
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	if (pgn)
		status = pgn_write(c->context, p.record, NULL, &c->out, &c->error);
	else
		string_add(&c->out, p.record->journal.data, p.record->journal.length);
	position_release(&p);
	return status;
}

static enum qv_status run_replay(struct cli *c)
{
	const struct show_values *own = cli_own(c);
	if (own->format == AS_TEXT)
		return show(c, "");
	if (c->args.json || c->args.notions)
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "--format: not together with --json or --notions");
	return write_game(c, own->format == AS_PGN);
}

const struct command command_replay = {
	.name = "replay",
	.run = run_replay,
	.least = 1,
	.most = 2,
	.usage = "replay GAME [POS]",
	.help = "play moves, then print as show",
	.more = "The last line is the position. --moves-from also reads the first game of a PGN file.\n",
	.options = OPTION_GROUPS(moves_options, position_options, ascii_option, san_option,
				 notions_option, replay_options, common_options),
};
