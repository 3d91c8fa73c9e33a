/*
 * rewrite.c - takes back the last moves of a record and plays others in their place, in one step.
 * SPDX-License-Identifier: MIT
 *
 * First the new journal lines are composed on a copy of the state, and all memory is reserved. Only
 * then the tree changes, which cannot fail.
 */
#include "record/record.h"

struct rewriting {
	struct qv_record *record;
	void *state;	     /* the position where the next move is played */
	struct string lines; /* each ends with a NUL: they are added one by one */
};

static enum qv_status write_move(struct rewriting *w, qv_move move)
{
	struct qv_record *r = w->record;
	const struct qv_game *game = r->rules.game;
	struct string line = { .allocator = r->allocator };
	void *const here = r->state;
	if (!qv_move_legal(game, w->state, move))
		return QV_ILLEGAL;
	r->state = w->state; /* the text of a move depends on the state */
	enum qv_status status = line_move(&line, r, move, -1);
	r->state = here;
	if (status == QV_OK)
		string_add(&w->lines, line.data, line.length + 1);
	string_release(&line);
	if (status == QV_OK)
		game->play(w->state, move);
	return w->lines.failed ? QV_NO_MEMORY : status;
}

static enum qv_status write_all(struct rewriting *w, int plies, const qv_move *moves, int count)
{
	struct qv_record *r = w->record;
	int32_t points[QV_MAX_SEATS];
	enum qv_status status = QV_OK;
	tree_state_at(r, r->ply - plies, w->state);
	for (int i = 0; i < count && status == QV_OK; i++)
		status = r->rules.game->result(w->state, points) == QV_GOING
				 ? write_move(w, moves[i])
				 : QV_ILLEGAL;
	if (status == QV_OK && r->lines + count > RECORD_MAX_LINES - 3)
		status = QV_BAD_INPUT;
	if (status == QV_OK)
		status = journal_reserve(r, w->lines.length + 2 * LINE_ROOM);
	return status == QV_OK ? tree_reserve_nodes(r, count) : status;
}

/* Cannot fail: the new line is no longer than the old one and reuses its memory. */
static void change_tree(struct rewriting *w, int plies, const qv_move *moves, int count)
{
	struct qv_record *r = w->record;
	const char *line = w->lines.data;
	char undo[LINE_ROOM];
	snprintf(undo, sizeof undo, "{\"undo\":%d}\n", plies);
	journal_add(r, undo);
	r->ended = false;
	tree_back(r, plies);
	for (int i = 0; i < count; i++, line += strlen(line) + 1) {
		const int32_t here = r->line[r->ply].node;
		int32_t child = tree_child(r, here, moves[i]);
		if (child == NODE_NONE)
			child = tree_add_child(r, here, moves[i]);
		journal_add(r, line);
		tree_forward(r, child);
	}
	tree_judge(r);
	journal_add_result(r);
}

enum qv_status record_rewrite(struct qv_record *record, int plies, const qv_move *moves, int count)
{
	struct rewriting w = { .record = record };
	const size_t size = record->rules.game->state_size;
	if (record->rules.game->repeated)
		return QV_UNSUPPORTED;
	if (plies < 1 || plies > record->ply || count < 0 || count > plies)
		return QV_BAD_INPUT;
	w.lines.allocator = record->allocator;
	w.state = mem_new(record->allocator, 1, size);
	enum qv_status status = w.state ? write_all(&w, plies, moves, count) : QV_NO_MEMORY;
	if (status == QV_OK)
		change_tree(&w, plies, moves, count);
	mem_free(record->allocator, w.state, size);
	string_release(&w.lines);
	return status;
}
