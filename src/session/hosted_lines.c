/*
 * hosted_lines.c - the lines of a hosted game: what waits to be stored, the record's events as they
 * happen, and lines that are loaded.
 * SPDX-License-Identifier: MIT
 */
#include "session/hosted_inside.h"

#include <stdlib.h>

#include "formats/board_json.h"

/* ---- Waiting lines ---- */

bool line_wait(struct hosted_game *p, const char *line, size_t length)
{
	char *copy = mem_reserve(&mem_malloc, &p->pending, &p->pending_room, p->pending_count + 1,
				 sizeof *p->pending)
			     ? malloc(length + 1)
			     : NULL;
	if (!copy)
		return false;
	memcpy(copy, line, length);
	copy[length] = '\0';
	p->pending[p->pending_count++] = copy;
	p->lines++;
	return true;
}

size_t hosted_lines(const struct hosted_game *p)
{
	return p->pending_count;
}

const char *hosted_line(const struct hosted_game *p, size_t i)
{
	return p->pending[i];
}

size_t hosted_lines_before(const struct hosted_game *p)
{
	return p->lines - p->pending_count;
}

void hosted_lines_taken(struct hosted_game *p)
{
	for (size_t i = 0; i < p->pending_count; i++)
		free(p->pending[i]);
	p->pending_count = 0;
}

/* ---- What follows from a line of the journal ---- */

/* For a new node at the cursor: the text of its move, and whose it is. */
static bool add_node_info(struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	char name[QV_MOVE_TEXT] = "", brief[QV_MOVE_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	struct node_info info = { .seat = QV_CHANCE, .seconds = -1 };
	if (!mem_reserve(&mem_malloc, &p->node_infos, &p->node_info_room, r->node_count,
			 sizeof *p->node_infos))
		return false;
	if (r->ply > 0) {
		tree_state_at(r, r->ply - 1, p->game.scratch);
		info.seat = game->seat(p->game.scratch);
		const qv_move move = qv_record_move(r, r->ply - 1);
		const bool has_brief = move_short(game, p->game.scratch, move, brief);
		game->move_text(p->game.scratch, move, &text);
		info.move = strdup(name);
		info.brief = has_brief ? strdup(brief) : NULL;
		if (!info.move || (has_brief && !info.brief)) {
			free(info.move);
			free(info.brief);
			return false;
		}
	}
	p->node_infos[p->node_info_count++] = info;
	return true;
}

/* Whoever moves instead of answering an offer declines it. */
static void offers_lapse(struct hosted_game *p, int mover)
{
	p->offers[OFFER_UNDO] = (struct offer){ .open = false };
	for (int i = 0; i < OFFER_KINDS && mover != QV_CHANCE; i++) {
		const struct offer *offer = &p->offers[i];
		if (offer->open && !seat_is(p, mover, p->seats[offer->seat].user))
			p->offers[i] = (struct offer){ .open = false };
	}
	if (game_is_over(&p->game))
		offers_clear(p);
}

/* Whether the last line is not one of those that came with the setup. */
static bool is_live(const struct hosted_game *p)
{
	return p->lines > p->given + 1;
}

static bool follow_move(struct hosted_game *p, double seconds)
{
	const int32_t node = p->game.record->line[p->game.record->ply].node;
	if ((size_t)node == p->node_info_count && !add_node_info(p))
		return false;
	p->node_infos[node].seconds = seconds;
	p->turn = ++p->version;
	if (is_live(p) && p->node_infos[node].seat != QV_CHANCE)
		p->started = true;
	offers_lapse(p, p->node_infos[node].seat);
	return true;
}

static void follow_walk(struct hosted_game *p)
{
	p->turn = ++p->version;
	offers_clear(p);
}

/* ---- Events that happen ---- */

/* Takes over the lines that the journal has gained; false if `status` is bad already. */
static bool take_journal(struct hosted_game *p, size_t from, enum qv_status status)
{
	const struct string *journal = &p->game.record->journal;
	bool done = status == QV_OK;
	while (done && from < journal->length) {
		const char *line = journal->data + from;
		const size_t length = strcspn(line, "\n");
		done = line_wait(p, line, length);
		from += length + 1;
	}
	p->broken |= !done;
	return done;
}

bool do_play(struct hosted_game *p, qv_move move, double seconds)
{
	const size_t from = p->game.record->journal.length;
	const enum qv_status status = qv_record_play(p->game.record, move, seconds, NULL);
	/* The line counts first: what follows asks whether it is one of those given. */
	if (!take_journal(p, from, status))
		return false;
	p->broken |= !follow_move(p, seconds);
	return !p->broken;
}

bool do_undo(struct hosted_game *p, int plies)
{
	const size_t from = p->game.record->journal.length;
	const enum qv_status status = qv_record_undo(p->game.record, plies, NULL);
	const bool done = take_journal(p, from, status);
	follow_walk(p);
	return done;
}

bool do_redo(struct hosted_game *p, int plies)
{
	const size_t from = p->game.record->journal.length;
	const enum qv_status status = qv_record_redo(p->game.record, plies, NULL);
	const bool done = take_journal(p, from, status);
	follow_walk(p);
	return done;
}

bool do_end(struct hosted_game *p, int winner, const char *reason)
{
	const size_t from = p->game.record->journal.length;
	const enum qv_status status = qv_record_end(p->game.record, winner, reason);
	const bool done = take_journal(p, from, status);
	follow_walk(p);
	return done;
}

static void follow_note(struct hosted_game *p)
{
	p->talk += is_live(p);
	p->version++;
}

bool do_note(struct hosted_game *p, const char *text)
{
	const size_t from = p->game.record->journal.length;
	const enum qv_status status = qv_record_note(p->game.record, text);
	const bool done = take_journal(p, from, status);
	follow_note(p);
	return done;
}

bool do_clock(struct hosted_game *p, int seat, int64_t left_ms)
{
	const size_t from = p->game.record->journal.length;
	return take_journal(p, from, qv_record_clock(p->game.record, seat, left_ms));
}

bool say(struct hosted_game *p, json_t *event)
{
	char *line = event ? json_dumps(event, JSON_COMPACT) : NULL;
	const bool done =
		line && event_apply(p, event, NULL) == QV_OK && line_wait(p, line, strlen(line));
	free(line);
	json_decref(event);
	p->broken |= !done;
	return done;
}

/* ---- Events that are loaded ---- */

/* After the record's header: what follows from the game and its start. */
static enum qv_status follow_header(struct hosted_game *p, struct qv_error *error)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	struct qv_text start = { p->start, sizeof p->start, 0 };
	if (game->seats != p->seat_count)
		return qv_fail(error, QV_BAD_INPUT, "seats: the game has %d, not %d", game->seats,
			       p->seat_count);
	p->game.scratch = qv_state_new(p->game.context, game);
	if (!p->game.scratch || !add_node_info(p))
		return QV_NO_MEMORY;
	game->position_text(r->state, &start);
	return QV_OK;
}

static double seconds_of(const json_t *event)
{
	const json_t *time = json_object_get(event, "time");
	return time ? json_number_value(time) : -1;
}

/* The record took the line, from a journal of that length. */
static enum qv_status follow_journal(struct hosted_game *p, const json_t *event, size_t from,
				     struct qv_error *error)
{
	if (json_object_get(event, "quevedo"))
		return follow_header(p, error);
	if (json_object_get(event, "move"))
		return follow_move(p, seconds_of(event)) ? QV_OK : QV_NO_MEMORY;
	if (json_object_get(event, "undo") || json_object_get(event, "redo"))
		follow_walk(p);
	else if (json_object_get(event, "note"))
		follow_note(p);
	else if (json_object_get(event, "result") && p->game.record->journal.length > from)
		follow_walk(p); /* declared; a result by the rules is nothing new */
	return QV_OK;
}

enum qv_status line_apply(struct hosted_game *p, const char *line, struct qv_error *error)
{
	json_t *event;
	const size_t from = p->game.record ? p->game.record->journal.length : 0;
	enum qv_status status = json_load_object(line, strlen(line), JSON_ANY_DEPTH, &event, error);
	p->lines++;
	if (status != QV_OK)
		return status;
	if (json_object_get(event, "play"))
		status = event_apply(p, event, error);
	else if (!p->seat_count)
		status = qv_fail(error, QV_BAD_INPUT, "the header of the game is missing");
	else if (p->game.record && json_object_get(event, "quevedo"))
		status = qv_fail(error, QV_BAD_INPUT, "a second record begins");
	else
		status = record_load_line(p->game.context, line, &p->game.record, error);
	if (status == QV_OK && !json_object_get(event, "play"))
		status = follow_journal(p, event, from, error);
	json_decref(event);
	return status;
}
