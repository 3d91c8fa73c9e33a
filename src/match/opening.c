/*
 * opening.c - the openings of a match: reads the list and plays the moves.
 * SPDX-License-Identifier: MIT
 *
 * A line is tried as a position first, then as moves from the start position. Whether blanks may
 * separate moves is decided at each move, since it depends on the legal moves there.
 */
#include "match/opening.h"

#include "base/scan.h"
#include "core/context.h"

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

/* A line is a position if it can be read as one. */
static enum qv_status read_line(const struct qv_context *context, const struct qv_rules *rules,
				const char *line, struct match_opening *out,
				struct qv_error *error)
{
	struct qv_error as_position;
	*out = (struct match_opening){ line, "" };
	if (try_opening(context, rules, out, &as_position) == QV_OK)
		return QV_OK;
	*out = (struct match_opening){ "start", line };
	const enum qv_status status = try_opening(context, rules, out, error);
	/* For a line that looks like a position the error about the position is more helpful. */
	if (status != QV_OK && status != QV_NO_MEMORY && strlen(line) >= QV_MOVE_TEXT &&
	    !strchr(line, ','))
		*error = as_position;
	return status;
}

enum qv_status openings_read(const struct qv_context *context, const struct qv_rules *rules,
			     const char *text, size_t size, struct opening_list *out,
			     struct qv_error *error)
{
	struct opening_list list = { .allocator = context_allocator(context) };
	enum qv_status status = QV_OK;
	int number = 0;
	if (memchr(text, '\0', size))
		return qv_fail(error, QV_BAD_INPUT, "openings: the file contains a NUL character");
	list.text_size = size + 1;
	list.text = mem_new(list.allocator, list.text_size, 1);
	if (!list.text)
		return no_memory(error);
	memcpy(list.text, text, size);
	for (char *rest = list.text; rest && status == QV_OK;) {
		char *line = scan_trim(scan_cut(&rest, '\n'), " \t\r");
		struct match_opening opening;
		struct qv_error why = { "" };
		number++;
		if (!*line || *line == '#')
			continue;
		status = read_line(context, rules, line, &opening, &why);
		if (status != QV_OK)
			qv_fail(error, status, "openings, line %d: %.180s", number, why.text);
		else if (list.count == OPENING_MOST)
			status = qv_fail(error, QV_BAD_INPUT, "openings: more than %d",
					 OPENING_MOST);
		else if (!mem_reserve(list.allocator, &list.openings, &list.room,
				      (size_t)list.count + 1, sizeof *list.openings))
			status = no_memory(error);
		else
			list.openings[list.count++] = opening;
	}
	if (status == QV_OK && !list.count)
		status = qv_fail(error, QV_BAD_INPUT, "openings: the file has no openings");
	if (status == QV_OK)
		*out = list;
	else
		openings_release(&list);
	return status;
}

void openings_release(struct opening_list *list)
{
	if (!list->allocator)
		return;
	mem_free(list->allocator, list->openings, list->room * sizeof *list->openings);
	mem_free(list->allocator, list->text, list->text_size);
	*list = (struct opening_list){ 0 };
}
