/*
 * opening.c - the openings of a match: reads the list and plays the moves.
 * SPDX-License-Identifier: MIT
 *
 * A line is tried as a position first, then as moves from the start position, and for chess as EPD.
 * Whether blanks may separate moves is decided at each move, since it depends on the legal moves
 * there.
 */
#include "match/opening.h"

#include "base/scan.h"
#include "core/context.h"
#include "formats/epd.h"
#include "formats/pgn.h"

/* ---- Moves ---- */

/* May blanks separate moves here? Not if a legal move contains one. */
static bool blanks_separate(const struct qv_game *game, const void *state)
{
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(state, list);
	for (int i = 0; i < count; i++) {
		char words[QV_MOVE_TEXT] = "";
		struct qv_text out = { words, sizeof words, 0 };
		game->move_text(state, list[i], &out);
		if (strchr(words, ' '))
			return false;
	}
	return true;
}

enum qv_status opening_play(struct qv_record *record, const char *moves, struct qv_error *error)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	const void *state = qv_record_state(record);
	char word[QV_MOVE_TEXT];
	enum qv_status status = QV_OK;
	while (status == QV_OK && moves[strspn(moves, " \t,")]) {
		const bool going = qv_record_result(record, NULL) == QV_GOING;
		const bool blanks = going && blanks_separate(game, state);
		qv_move move;
		if (!scan_piece(&moves, blanks ? ", \t" : ",", " \t", word, sizeof word))
			continue;
		if (!going)
			return qv_fail(error, QV_ILLEGAL,
				       "'%.60s': the game is over before this move", word);
		status = qv_move_parse(game, state, word, &move, error);
		if (status == QV_OK)
			status = qv_record_play(record, move, -1, error);
	}
	return status;
}

/* ---- Lists ---- */

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "openings: out of memory");
}

/* Fails unless a game can begin with this opening. */
static enum qv_status try_opening(const struct qv_context *context, const struct qv_rules *rules,
				  const struct match_opening *opening, struct qv_error *error)
{
	struct qv_record *record = NULL;
	enum qv_status status =
		qv_record_new(context, rules, opening->position, &record, error);
	if (status == QV_OK)
		status = opening_play(record, opening->moves, error);
	if (status == QV_OK && qv_record_result(record, NULL) != QV_GOING)
		status = qv_fail(error, QV_ILLEGAL, "opening: the game is over after it");
	qv_record_free(record);
	return status;
}

/* What is being read. Texts may move while they grow, so they are offsets until the end. */
struct opening_reader {
	const struct qv_context *context;
	const struct qv_rules *rules;
	struct string text;
	struct place {
		size_t position, moves;
	} * places;
	size_t room;
	int count, most_plies;
};

/* Adds an opening that has been tried. */
static enum qv_status add_opening(struct opening_reader *r, const struct match_opening *opening,
				  struct qv_error *error)
{
	const size_t position = r->text.length, moves = position + strlen(opening->position) + 1;
	if (r->count == OPENING_MOST)
		return qv_fail(error, QV_BAD_INPUT, "openings: more than %d", OPENING_MOST);
	if (!mem_reserve(context_allocator(r->context), &r->places, &r->room, (size_t)r->count + 1,
			 sizeof *r->places))
		return no_memory(error);
	string_add(&r->text, opening->position, strlen(opening->position) + 1);
	string_add(&r->text, opening->moves, strlen(opening->moves) + 1);
	r->places[r->count++] = (struct place){ position, moves };
	return r->text.failed ? no_memory(error) : QV_OK;
}

/* A line of EPD as a position; false: it is not one. */
static bool read_epd(const struct qv_rules *rules, const char *line, char *position, size_t size)
{
	struct epd *e = mem_new(&mem_malloc, 1, sizeof *e); /* too large for the stack */
	const bool good =
		e && strcmp(rules->game->name, "chess") == 0 && epd_read(line, e, NULL) == QV_OK;
	if (good)
		rules->game->position_text(&e->state, &(struct qv_text){ position, size, 0 });
	mem_free(&mem_malloc, e, sizeof *e);
	return good;
}

/* A line is a position if it can be read as one. */
static enum qv_status read_line(struct opening_reader *r, const char *line, struct qv_error *error)
{
	struct qv_error as_position;
	char position[QV_POSITION_TEXT] = "";
	struct match_opening opening = { line, "" };
	if (try_opening(r->context, r->rules, &opening, &as_position) == QV_OK)
		return add_opening(r, &opening, error);
	opening = (struct match_opening){ "start", line };
	enum qv_status status = try_opening(r->context, r->rules, &opening, error);
	if (status == QV_OK)
		return add_opening(r, &opening, error);
	if (status != QV_NO_MEMORY && read_epd(r->rules, line, position, sizeof position)) {
		opening = (struct match_opening){ position, "" };
		status = try_opening(r->context, r->rules, &opening, error);
		return status == QV_OK ? add_opening(r, &opening, error) : status;
	}
	/* For a line that looks like a position the error about the position is more helpful. */
	if (status != QV_NO_MEMORY && strlen(line) >= QV_MOVE_TEXT && !strchr(line, ','))
		*error = as_position;
	return status;
}

static enum qv_status read_lines(struct opening_reader *r, char *text, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	int number = 0;
	for (char *rest = text; rest && status == QV_OK;) {
		const char *line = scan_trim(scan_cut(&rest, '\n'), " \t\r");
		struct qv_error why = { "" };
		number++;
		if (!*line || *line == '#')
			continue;
		status = read_line(r, line, &why);
		if (status != QV_OK)
			qv_fail(error, status, "openings, line %d: %.180s", number, why.text);
	}
	return status;
}

/* The main line of a record as an opening. */
static enum qv_status read_record(struct opening_reader *r, const struct qv_record *record,
				  struct qv_error *error)
{
	const struct qv_game *game = r->rules->game;
	struct string moves = { .allocator = context_allocator(r->context) };
	char position[QV_POSITION_TEXT] = "";
	int plies = qv_record_ply(record);
	plies = r->most_plies && r->most_plies < plies ? r->most_plies : plies;
	void *state = qv_state_new(r->context, game);
	enum qv_status status = state ? QV_OK : no_memory(error);
	if (status == QV_OK) {
		char usual[QV_POSITION_TEXT] = "";
		game->start(r->rules->options, state);
		game->position_text(state, &(struct qv_text){ usual, sizeof usual, 0 });
		tree_state_at(record, 0, state);
		game->position_text(state, &(struct qv_text){ position, sizeof position, 0 });
		if (strcmp(position, usual) == 0)
			snprintf(position, sizeof position, "start");
	}
	for (int i = 0; status == QV_OK && i < plies; i++) {
		char move[QV_MOVE_TEXT] = "";
		game->move_text(state, qv_record_move(record, i),
				&(struct qv_text){ move, sizeof move, 0 });
		string_addf(&moves, "%s%s", i ? ", " : "", move);
		game->play(state, qv_record_move(record, i));
	}
	if (moves.failed)
		status = no_memory(error);
	const struct match_opening opening = { position, plies ? moves.data : "" };
	if (status == QV_OK)
		status = try_opening(r->context, r->rules, &opening, error);
	if (status == QV_OK)
		status = add_opening(r, &opening, error);
	if (state)
		qv_state_free(r->context, game, state);
	string_release(&moves);
	return status;
}

static enum qv_status read_pgn(struct opening_reader *r, const char *text, size_t size,
			       struct qv_error *error)
{
	struct pgn_reader games = { .context = r->context, .rules = r->rules };
	struct qv_record *record = NULL;
	struct qv_error why = { "" };
	enum qv_status status = pgn_reader_init(&games, text, size, &why);
	while (status == QV_OK) {
		status = pgn_next(&games, &record, &why);
		if (status == QV_OK && !record)
			break;
		if (status == QV_OK) {
			struct qv_error wrong = { "" };
			status = read_record(r, record, &wrong);
			if (status != QV_OK)
				qv_fail(&why, status, "line %d: %.200s", games.line, wrong.text);
		}
		qv_record_free(record);
		record = NULL;
	}
	if (status != QV_OK)
		qv_fail(error, status, "openings, %.200s", why.text);
	pgn_reader_release(&games);
	return status;
}

/* Turns the offsets into a list. */
static enum qv_status make_list(struct opening_reader *r, struct opening_list *out,
				struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(r->context);
	struct match_opening *openings = mem_new(a, (size_t)r->count, sizeof *openings);
	if (!openings)
		return no_memory(error);
	for (int i = 0; i < r->count; i++)
		openings[i] = (struct match_opening){ r->text.data + r->places[i].position,
						      r->text.data + r->places[i].moves };
	*out = (struct opening_list){ a, openings, r->count, r->text };
	r->text = (struct string){ .allocator = a };
	return QV_OK;
}

enum qv_status openings_read(const struct qv_context *context, const struct qv_rules *rules,
			     const char *text, size_t size, int most_plies,
			     struct opening_list *out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct opening_reader r = { .context = context,
				    .rules = rules,
				    .text = { .allocator = a },
				    .most_plies = most_plies };
	enum qv_status status;
	if (memchr(text, '\0', size))
		return qv_fail(error, QV_BAD_INPUT, "openings: the file contains a NUL character");
	if (pgn_looks_like(text, size)) {
		status = read_pgn(&r, text, size, error);
	} else {
		char *copy = mem_new(a, size + 1, 1);
		if (!copy)
			return no_memory(error);
		memcpy(copy, text, size);
		status = read_lines(&r, copy, error);
		mem_free(a, copy, size + 1);
	}
	if (status == QV_OK && !r.count)
		status = qv_fail(error, QV_BAD_INPUT, "openings: the file has no openings");
	if (status == QV_OK)
		status = make_list(&r, out, error);
	mem_free(a, r.places, r.room * sizeof *r.places);
	string_release(&r.text);
	return status;
}

void openings_release(struct opening_list *list)
{
	if (!list->allocator)
		return;
	mem_free(list->allocator, list->openings, (size_t)list->count * sizeof *list->openings);
	string_release(&list->text);
	*list = (struct opening_list){ 0 };
}
