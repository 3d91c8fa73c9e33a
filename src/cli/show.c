/*
 * show.c - the commands games, show and replay: the list of games, and a position with its board.
 * SPDX-License-Identifier: MIT
 *
 * show and replay collect everything about a position in a struct view, once, and print it as text
 * or as JSON. replay can also write the game itself, as PGN or as a record.
 */
#include <stdlib.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/context.h"
#include "formats/board_png.h"
#include "formats/board_svg.h"
#include "formats/terms.h"
#include "formats/pgn.h"

/* ---- games ---- */

/* The number of levels of a game. */
static int level_count(const struct qv_game *game)
{
	int count = 0;
	while (qv_levels(game)[count])
		count++;
	return count;
}

/* Lists all games, those of plug-ins last. */
static enum qv_status run_games(struct cli *c)
{
	const struct qv_game *game;
	json_t *list = json_array();
	for (int i = 0; (game = qv_game_at(c->context, i)); i++) {
		/* One line each, in columns. */
		if (!c->args.json)
			string_addf(&c->out, "%-12s %-35s %d seat%s%s, %d levels%s%s\n", game->name,
				    game->title, game->seats, game->seats == 1 ? "" : "s",
				    game->chance ? ", chance" : "", level_count(game),
				    game->solved ? ", solved: " : "",
				    game->solved ? game->solved : "");
		list = json_item(list, json_fields(json_object(), "name", json_text(game->name),
						   "title", json_text(game->title), "seats",
						   json_integer(game->seats), "chance",
						   json_boolean(game->chance), "levels",
						   json_integer(level_count(game)), "solved",
						   json_text(game->solved), NULL));
	}
	if (c->args.json)
		return cli_json(c, list);
	json_decref(list);
	return QV_OK;
}

const struct command command_games = {
	.name = "games", .run = run_games, .usage = "games", .help = "list the games",
	.options = OPTION_GROUPS(common_options),
};

/* ---- show and replay ---- */

const struct option ascii_option[] = {
	SHARED_OPTION("ascii", OPTION_FLAG, ascii, .help = "draw the board in plain ASCII"),
	{ 0 },
};

/* The order of the choices of --format: of show, and of replay. */
enum { AS_TEXT, AS_SVG, AS_PNG, AS_PGN = 1, AS_PDN };

/* The options of show and replay. */
struct show_values {
	int64_t format;
};

/* One option with different choices in the two commands. */
static const struct option show_options[] = {
	COMMAND_OPTION(struct show_values, "format", OPTION_CHOICE, format, .choices = "text|svg|png",
		       .help = "svg, png: a picture of the board alone"),
	{ 0 },
};

static const struct option replay_options[] = {
	COMMAND_OPTION(struct show_values, "format", OPTION_CHOICE, format,
		       .choices = "text|pgn|pdn|record",
		       .help = "pgn, record: the game, not the board"),
	{ 0 },
};

/* All that is printed about a position. */
struct view {
	const struct position *at;
	const struct qv_game *game; /* of the position, as `state` */
	const void *state;
	char position[QV_POSITION_TEXT];
	char *board; /* allocated */
	qv_move moves[QV_MAX_MOVES];
	int move_count;
	bool over;
	char result[16];
	const char *ending; /* why the game has ended: "checkmate"; NULL: the game does not say */
	int32_t points[QV_MAX_SEATS];
};

int cli_width(bool on_terminal)
{
	enum { LEAST = 20, USUAL = 80, MOST = 1000 };
	struct winsize size;
	int64_t width = 0;
	const char *columns = getenv("COLUMNS");
	if (on_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (!width && !(columns && text_to_int(columns, LEAST, MOST, &width)))
		width = USUAL;
	return (int)(width < LEAST ? LEAST : width > MOST ? MOST : width);
}

/* The first of these variables that is set decides. */
bool locale_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);
		if (!value || !*value)
			continue;
		for (; *value; value++)
			if (strncasecmp(value, "utf-8", 5) == 0 ||
			    strncasecmp(value, "utf8", 4) == 0)
				return true;
		return false;
	}
	return false;
}

/* Collects what is known about the position. The caller frees v->board. */
static enum qv_status view_init(struct view *v, struct cli *c, const struct position *p)
{
	*v = (struct view){ .at = p, .game = p->rules.game, .state = p->state };
	struct qv_text position = { v->position, sizeof v->position, 0 };
	v->game->position_text(v->state, &position);
	const enum qv_outcome outcome = qv_record_result(p->record, v->points);
	/* The record knows draws by repetition and by count, which the rules alone do not. */
	const struct engine *engine = context_engine(v->game);
	v->over = outcome != QV_GOING;
	if (v->over) {
		/* A game that the rules let continue has ended by repetition. */
		int32_t points[QV_MAX_SEATS];
		if (engine->ending)
			v->ending = v->game->result(v->state, points) == QV_GOING
					    ? "repetition"
					    : engine->ending(v->state);
		const int winner =
			outcome == QV_DRAWN_BY_COUNT ? -1 : qv_winner(v->game, v->points);
		if (winner < 0)
			strcpy(v->result, "draw");
		else
			snprintf(v->result, sizeof v->result, "win %d", winner + 1);
	} else {
		v->move_count = v->game->moves(v->state, v->moves);
	}
	/* JSON is always UTF-8; text depends on the terminal. */
	const bool unicode = !c->args.ascii && (c->args.json || locale_is_utf8());
	struct qv_text board = { NULL, 0, 0 };
	if (!v->game->draw) {
		v->board = mem_strdup(&mem_malloc, v->position);
	} else {
		/* The first call measures, the second one writes. */
		v->game->draw(v->state, unicode, &board);
		v->board = calloc(board.length + 1, 1);
		board = (struct qv_text){ v->board, board.length + 1, 0 };
		if (v->board)
			v->game->draw(v->state, unicode, &board);
	}
	return v->board ? QV_OK : cli_no_memory(c, "board");
}

/*
 * All fields of a position. `moves` has objects for counted moves; `ending` exists only if it is
 * known.
 */
static enum qv_status view_json(const struct view *v, struct cli *c)
{
	json_t *moves = json_array(), *scores = json_array();
	for (int i = 0; i < v->move_count; i++) {
		json_t *move = json_text(position_words(v->at, v->state, v->moves[i]).text);
		const int max = move_max(v->game, v->state, v->moves[i]);
		if (max)
			move = json_fields(json_object(), "move", move, "max", json_integer(max),
					   NULL);
		moves = json_item(moves, move);
	}
	for (int i = 0; v->over && i < v->game->seats; i++)
		scores = json_item(scores, json_integer(v->points[i]));
	/* No seat is to move at a chance node. */
	const int seat = v->game->seat(v->state);
	json_t *o = json_fields(json_object(), "game", json_text(rules_text(&v->at->rules).text),
				"position", json_text(v->position), "seat",
				seat == QV_CHANCE ? json_null() : json_integer(seat + 1), "moves",
				moves, "over", json_boolean(v->over), "result",
				json_unless_empty(v->result), NULL);
	if (v->ending)
		o = json_field(o, "ending", json_text(v->ending));
	o = json_fields(o, "scores", scores, "text", json_text(v->board), NULL);
	if (c->args.notions)
		o = json_field(o, "notions", terms_json(&v->at->rules, v->state, TERM_CELL_NAMES));
	return cli_json(c, o);
}

/* The board, then the result, or whose turn it is and the legal moves. */
static void view_print(const struct view *v, struct string *out)
{
	const size_t length = strlen(v->board);
	string_addf(out, "%s%s\n", v->board, length && v->board[length - 1] == '\n' ? "" : "\n");
	const int seat = v->game->seat(v->state);
	/* A finished game has a result and no moves. */
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
		cli_add_turn(out, v->game, seat);
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

/* Text or JSON; the last line of the text is the label and the position. */
static enum qv_status show_view(struct cli *c, const struct position *p, const char *label)
{
	struct view v;
	enum qv_status status = position_allow_notions(c, p);
	if (status != QV_OK)
		return status;
	status = view_init(&v, c, p);
	if (status == QV_OK && c->args.json) {
		status = view_json(&v, c);
	} else if (status == QV_OK) {
		view_print(&v, &c->out);
		/* The terms come before the last line, so that the position stays last. */
		if (c->args.notions)
			terms_text(&p->rules, p->state, &c->out);
		string_addf(&c->out, "%s%s\n", label, v.position);
	}
	free(v.board);
	return status;
}

/* Text, JSON, or with --format svg or png the board as a picture. */
static enum qv_status run_show(struct cli *c)
{
	const struct show_values *own = cli_own(c);
	struct position p;
	if (c->args.json && cli_given(c, "format"))
		return cli_refuse(c, "--format: not together with --json");
	if (own->format != AS_TEXT && c->args.notions)
		return cli_refuse(c, "--notions: not in a picture");
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	if (own->format == AS_SVG)
		status = board_svg(&p.rules, p.state, &c->out, &c->error);
	else if (own->format == AS_PNG)
		status = board_png(&p.rules, p.state, &c->out, &c->error);
	else
		status = show_view(c, &p, "position ");
	position_release(&p);
	return status;
}

const struct command command_show = {
	.name = "show", .run = run_show, .least = 1, .most = 2, .usage = "show GAME [POS]",
	.help = "draw a position; print turn, moves, result",
	.more = "POS is one argument in the game's format; 'start' or nothing is the start position.\n",
	.options = OPTION_GROUPS(moves_options, position_options, ascii_option, san_option,
				 notions_option, show_options, common_options),
};

/* As show with the bare position as the last line, or the game itself in a format for games. */
static enum qv_status run_replay(struct cli *c)
{
	const struct show_values *own = cli_own(c);
	struct position p;
	if (own->format != AS_TEXT && (c->args.json || c->args.notions))
		return cli_refuse(c, "--format: not together with --json or --notions");
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	if (own->format == AS_TEXT)
		status = show_view(c, &p, "");
	else if (own->format == AS_PGN)
		status = pgn_write(c->context, p.record, NULL, &c->out, &c->error);
	else if (own->format == AS_PDN)
		status = pdn_write(c->context, p.record, NULL, &c->out, &c->error);
	else
		string_add(&c->out, p.record->journal.data, p.record->journal.length);
	position_release(&p);
	return status;
}

const struct command command_replay = {
	.name = "replay", .run = run_replay, .least = 1, .most = 2, .usage = "replay GAME [POS]",
	.help = "play moves, then print as show",
	.more = "The last line is the position. --moves-from also reads the first game of a PGN or PDN file.\n",
	.options = OPTION_GROUPS(moves_options, position_options, ascii_option, san_option,
				 notions_option, replay_options, common_options),
};
