/*
 * record.c - the journal of a record, and its public functions except loading.
 * SPDX-License-Identifier: MIT
 *
 * Each change takes the same steps: check that it is allowed, compose its journal line, reserve
 * memory for everything, then add the line and change the tree, which cannot fail. So a change that
 * fails leaves the record as it was.
 *
 * Journal lines are composed by hand, so that the same game always gives the same bytes; jansson
 * quotes the texts in them. Memory for a line includes that for the result that may follow it.
 */
#include "record/record.h"

#include <math.h>

#include "base/json.h"
#include "core/context.h"

/* ---- The journal ---- */

/* Appends `before` and then the quoted text, unless *status is a failure already. */
static void add_quoted(struct string *line, const char *before, const char *text,
		       enum qv_status *status)
{
	string_addf(line, "%s", before);
	if (*status == QV_OK)
		*status = json_add_quoted(line, text);
}

/* Ends the line, and returns its status. */
static enum qv_status line_done(struct string *line, enum qv_status status)
{
	string_add(line, "}\n", 2);
	return status == QV_OK && line->failed ? QV_NO_MEMORY : status;
}

/* The first line: format, rules, position, names of the players, and tags if there are any. */
static enum qv_status line_header(struct string *line, const struct qv_rules *rules,
				  const char *position, const char *const *seats, int seat_count,
				  const struct record_tag *tags, int tag_count)
{
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	enum qv_status status = QV_OK;
	qv_rules_text(rules, &text);
	if (text.length >= text.size)
		return QV_BAD_INPUT;
	add_quoted(line, "{\"quevedo\":1,\"game\":", name, &status);
	add_quoted(line, ",\"position\":", position, &status);
	string_addf(line, ",\"seats\":[");
	for (int i = 0; i < seat_count; i++)
		add_quoted(line, i ? "," : "", seats[i], &status);
	string_addf(line, "]");
	for (int i = 0; i < tag_count; i++) {
		add_quoted(line, i ? "," : ",\"tags\":{", tags[i].name, &status);
		add_quoted(line, ":", tags[i].value, &status);
	}
	if (tag_count)
		string_addf(line, "}");
	return line_done(line, status);
}

/*
 * A move in the notation of the game, the seat that made it (0: chance), and its time if that is
 * known.
 */
static enum qv_status line_move(struct string *line, const struct qv_record *r, qv_move move,
				double seconds)
{
	const struct qv_game *game = r->rules.game;
	char name[QV_MOVE_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	enum qv_status status = QV_OK;
	game->move_text(r->state, move, &text);
	if (text.length >= text.size)
		return QV_BAD_INPUT;
	add_quoted(line, "{\"move\":", name, &status);
	string_addf(line, ",\"seat\":%d", game->seat(r->state) + 1);
	if (seconds >= 0) {
		/* In microseconds, without trailing zeros: 12, 0.5, 0.000001. */
		const long long us = llround(seconds * 1e6);
		char digits[32];
		int length =
			snprintf(digits, sizeof digits, "%lld.%06lld", us / 1000000, us % 1000000);
		while (digits[length - 1] == '0')
			length--;
		length -= digits[length - 1] == '.';
		string_addf(line, ",\"time\":%.*s", length, digits);
	}
	return line_done(line, status);
}

/* An empty text removes the note of the position. */
static enum qv_status line_note(struct string *line, const char *text)
{
	enum qv_status status = QV_OK;
	add_quoted(line, "{\"note\":", text, &status);
	return line_done(line, status);
}

/* Writes the start of a result line, without the closing brace. */
static void put_result(struct qv_text *out, int winner)
{
	qv_put(out, "{\"result\":\"");
	qv_put(out, winner >= 0 ? "win " : winner == QV_UNDECIDED ? "none" : "draw");
	if (winner >= 0)
		qv_put_int(out, winner + 1);
	qv_put_char(out, '"');
}

enum qv_status line_result(struct string *line, int winner, const char *reason)
{
	char head[LINE_ROOM];
	struct qv_text text = { head, sizeof head, 0 };
	put_result(&text, winner);
	string_addf(line, "%s", head);
	enum qv_status status = QV_OK;
	if (reason)
		add_quoted(line, ",\"reason\":", reason, &status);
	return line_done(line, status);
}

/*
 * Reserves memory for the next one or two lines, of `bytes` in all. QV_BAD_INPUT: the journal
 * would become too long.
 */
static enum qv_status journal_reserve(struct qv_record *r, size_t bytes)
{
	struct string *j = &r->journal;
	/* At most two lines are added: the event, and a result that follows from it. */
	if (bytes > RECORD_MAX_BYTES - j->length || r->lines > RECORD_MAX_LINES - 2)
		return QV_BAD_INPUT;
	if (j->length + bytes < j->capacity)
		return QV_OK;
	const size_t capacity = (j->length + bytes + 1) * 2;
	char *data = mem_resize(r->allocator, j->data, j->capacity, capacity);
	if (!data)
		return QV_NO_MEMORY;
	j->data = data;
	j->capacity = capacity;
	return QV_OK;
}

/* Adds a line, which ends with a newline. Memory must have been reserved. */
static void journal_add(struct qv_record *r, const char *line)
{
	string_add(&r->journal, line, strlen(line));
	r->lines++;
}

const char *journal_result_line(const struct qv_record *r, char *buffer)
{
	if (r->ended)
		return tree_cursor(r)->end;
	struct qv_text text = { buffer, LINE_ROOM, 0 };
	put_result(&text, qv_record_winner(r));
	qv_put(&text, "}\n");
	return buffer;
}

/* Adds a result line if the game has ended at the cursor. Memory must have been reserved. */
static void journal_add_result(struct qv_record *r)
{
	char buffer[LINE_ROOM];
	if (r->outcome != QV_GOING)
		journal_add(r, journal_result_line(r, buffer));
}

/* ---- The record ---- */

/* Journals and trees fail in two ways only: not enough memory, or more than the limits allow. */
static enum qv_status fail_to_grow(struct qv_error *error, enum qv_status status)
{
	if (status == QV_NO_MEMORY)
		return qv_fail(error, status, "record: out of memory");
	return qv_fail(error, status, "record: the record is too long");
}

/* ---- Creating and freeing ---- */

/* Writes the header and starts the tree. r is new; on failure the caller frees it. */
static enum qv_status begin(struct qv_record *r, const char *position, const char *const *seats,
			    int seat_count, const struct record_tag *tags, int tag_count,
			    struct qv_error *error)
{
	char text[QV_POSITION_TEXT] = "";
	struct string line = { .allocator = r->allocator };
	enum qv_status status = tree_reserve(r);
	r->state = mem_new(r->allocator, 1, r->rules.game->state_size);
	if (status != QV_OK || !r->state)
		return fail_to_grow(error, QV_NO_MEMORY);
	status = qv_position_parse(&r->rules, position, r->state, error);
	if (status != QV_OK)
		return status;
	/* The header has "start", or the position in canonical form. */
	const struct qv_game *game = r->rules.game;
	struct qv_text out = { text, sizeof text, 0 };
	void *start = r->kept; /* memory for a state, unused before the tree starts */
	memset(start, 0, game->state_size);
	if (qv_position_parse(&r->rules, NULL, start, NULL) == QV_OK &&
	    memcmp(start, r->state, game->state_size) == 0)
		qv_put(&out, "start");
	else
		game->position_text(r->state, &out);
	status = out.length < out.size ? QV_OK : QV_BAD_INPUT;
	if (status == QV_OK)
		status = line_header(&line, &r->rules, text, seats, seat_count, tags,
				     tag_count);
	if (status == QV_OK)
		status = journal_reserve(r, line.length + LINE_ROOM);
	if (status == QV_OK) {
		journal_add(r, line.data);
		tree_start(r);
		journal_add_result(r);
	}
	string_release(&line);
	if (status == QV_BAD_INPUT)
		return qv_fail(error, status,
			       "record: the header's texts are too long or not UTF-8");
	return status == QV_OK ? status : fail_to_grow(error, status);
}

/* A record that could not be begun is freed like any other. */
enum qv_status record_new_tagged(const struct qv_context *context, const struct qv_rules *rules,
				 const char *position, const char *const *seats, int seat_count,
				 const struct record_tag *tags, int tag_count,
				 struct qv_record **out, struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(context);
	struct qv_record *r = mem_new(allocator, 1, sizeof *r);
	if (!r)
		return fail_to_grow(error, QV_NO_MEMORY);
	*r = (struct qv_record){ .allocator = allocator, .rules = *rules };
	r->journal.allocator = allocator;
	for (int i = 0; i < QV_MAX_SEATS; i++)
		r->clocks[i] = -1;
	const enum qv_status status = begin(r, position, seats, seat_count, tags, tag_count, error);
	if (status == QV_OK)
		*out = r;
	else
		qv_record_free(r);
	return status;
}

enum qv_status record_new_seated(const struct qv_context *context, const struct qv_rules *rules,
				 const char *position, const char *const *seats, int seat_count,
				 struct qv_record **out, struct qv_error *error)
{
	return record_new_tagged(context, rules, position, seats, seat_count, NULL, 0, out, error);
}

enum qv_status qv_record_new(const struct qv_context *context, const struct qv_rules *rules,
			     const char *position, struct qv_record **out, struct qv_error *error)
{
	return record_new_tagged(context, rules, position, NULL, 0, NULL, 0, out, error);
}

void qv_record_free(struct qv_record *record)
{
	if (!record)
		return;
	const struct qv_allocator *allocator = record->allocator;
	tree_release(record);
	string_release(&record->journal);
	mem_free(allocator, record->state, record->rules.game->state_size);
	mem_free(allocator, record, sizeof *record);
}

/* ---- Reading ---- */

const struct qv_rules *qv_record_rules(const struct qv_record *record)
{
	return &record->rules;
}

const void *qv_record_state(const struct qv_record *record)
{
	return record->state;
}

int qv_record_ply(const struct qv_record *record)
{
	return record->ply;
}

qv_move qv_record_move(const struct qv_record *record, int ply)
{
	if (ply < 0 || ply >= record->ply)
		return QV_NO_MOVE;
	return record->nodes[record->line[ply + 1].node].move;
}

int qv_record_variations(const struct qv_record *record)
{
	int count = 0;
	for (int32_t child = tree_cursor(record)->first; child != NODE_NONE;
	     child = record->nodes[child].next)
		count++;
	return count;
}

qv_move qv_record_variation(const struct qv_record *record, int n)
{
	int32_t child = n < 0 ? NODE_NONE : tree_cursor(record)->first;
	for (; child != NODE_NONE && n > 0; n--)
		child = record->nodes[child].next;
	return child == NODE_NONE ? QV_NO_MOVE : record->nodes[child].move;
}

const char *qv_record_note_text(const struct qv_record *record)
{
	return tree_cursor(record)->note;
}

int64_t qv_record_clock_left(const struct qv_record *record, int seat)
{
	return seat < 0 || seat >= record->rules.game->seats ? -1 : record->clocks[seat];
}

enum qv_outcome qv_record_result(const struct qv_record *record, int32_t *points)
{
	if (record->outcome != QV_GOING && points)
		memcpy(points, record->points, (size_t)record->rules.game->seats * sizeof *points);
	return record->outcome;
}

int qv_record_winner(const struct qv_record *record)
{
	if (record->outcome == QV_GOING)
		return QV_UNDECIDED;
	if (record->ended)
		return tree_cursor(record)->winner;
	return record->outcome == QV_ENDED ? qv_winner(record->rules.game, record->points) : -1;
}

const uint64_t *qv_record_history(const struct qv_record *record, int *count)
{
	/* A game without `irreversible` has no repetition rule, so its history is empty. */
	const int since =
		record->rules.game->irreversible ? record->line[record->ply].since : record->ply;
	*count = record->ply - since;
	return record->hashes + since;
}

/* The journal is the saved form. */
void qv_record_save(const struct qv_record *record, struct qv_text *out)
{
	qv_put(out, record->journal.data);
}

/* ---- Moves ---- */

/*
 * A move that was played here before continues its variation; another one begins a new variation.
 */
enum qv_status qv_record_play(struct qv_record *record, qv_move move, double seconds,
			      struct qv_error *error)
{
	if (record->outcome != QV_GOING)
		return qv_fail(error, QV_ILLEGAL, "move: the game has ended");
	if (!(seconds <= RECORD_MAX_SECONDS)) /* written so that NaN fails, too */
		return qv_fail(error, QV_BAD_INPUT, "time: expected at most %d seconds",
			       RECORD_MAX_SECONDS);
	if (!qv_move_legal(record->rules.game, record->state, move))
		return qv_fail(error, QV_ILLEGAL, "move: not legal here");
	struct string line = { .allocator = record->allocator };
	enum qv_status status = line_move(&line, record, move, seconds);
	if (status == QV_BAD_INPUT) {
		string_release(&line);
		return qv_fail(error, status, "move: its text is too long or not UTF-8");
	}
	if (status == QV_OK)
		status = tree_reserve(record);
	if (status == QV_OK)
		status = journal_reserve(record, line.length + LINE_ROOM);
	if (status == QV_OK) {
		journal_add(record, line.data);
		tree_forward(record, tree_child(record, move));
		tree_judge(record);
		journal_add_result(record);
	}
	string_release(&line);
	return status == QV_OK ? status : fail_to_grow(error, status);
}

/* Adds {"undo":N} or {"redo":N}. */
static void add_walk_line(struct qv_record *r, const char *event, int plies)
{
	char line[LINE_ROOM];
	snprintf(line, sizeof line, "{\"%s\":%d}\n", event, plies);
	journal_add(r, line);
}

/* The moves stay in the tree, and redo returns to them. An end by qv_record_end is undone first. */
enum qv_status qv_record_undo(struct qv_record *record, int plies, int *done)
{
	if (plies < 0)
		return QV_BAD_INPUT;
	const int possible = plies < record->ply ? plies : record->ply;
	if (possible || record->ended) {
		const enum qv_status status = journal_reserve(record, LINE_ROOM);
		if (status != QV_OK)
			return status;
		add_walk_line(record, "undo", possible);
		record->ended = false;
		tree_back(record, possible);
		tree_judge(record);
	}
	if (done)
		*done = possible;
	return QV_OK;
}

/*
 * A short line can redo many plies, so their sum is limited: otherwise a small file could take
 * very long to load.
 */
enum qv_status qv_record_redo(struct qv_record *record, int plies, int *done)
{
	if (plies < 0)
		return QV_BAD_INPUT;
	int possible = 0;
	const struct node *node = tree_cursor(record);
	for (; possible < plies && node->follow >= 0; possible++)
		node = &record->nodes[node->follow];
	/* The line that ended the game there, if redo reaches it. */
	const char *end = node->follow == NODE_END && !record->ended ? node->end : NULL;
	if (possible || end) {
		if (possible > RECORD_MAX_REDONE - record->redone)
			return QV_BAD_INPUT;
		const enum qv_status status =
			journal_reserve(record, LINE_ROOM * 2 + (end ? strlen(end) : 0));
		if (status != QV_OK)
			return status;
		add_walk_line(record, "redo", possible);
		tree_follow(record, possible);
		record->redone += possible;
		record->ended = end;
		tree_judge(record);
		journal_add_result(record);
	}
	if (done)
		*done = possible;
	return QV_OK;
}

/* ---- Notes, clocks and results ---- */

enum qv_status qv_record_note(struct qv_record *record, const char *text)
{
	text = text ? text : "";
	struct string line = { .allocator = record->allocator };
	char *copy = *text ? mem_strdup(record->allocator, text) : NULL;
	enum qv_status status = *text && !copy ? QV_NO_MEMORY : line_note(&line, text);
	if (status == QV_OK)
		status = journal_reserve(record, line.length);
	if (status == QV_OK) {
		struct node *node = tree_cursor(record);
		mem_strfree(record->allocator, node->note);
		node->note = copy;
		journal_add(record, line.data);
	} else {
		mem_strfree(record->allocator, copy);
	}
	string_release(&line);
	return status;
}

enum qv_status qv_record_clock(struct qv_record *record, int seat, int64_t left_ms)
{
	if (seat < 0 || seat >= record->rules.game->seats || left_ms < 0)
		return QV_BAD_INPUT;
	const enum qv_status status = journal_reserve(record, LINE_ROOM);
	if (status != QV_OK)
		return status;
	char line[LINE_ROOM];
	snprintf(line, sizeof line, "{\"clock\":{\"seat\":%d,\"ms\":%lld}}\n", seat + 1,
		 (long long)left_ms);
	journal_add(record, line);
	record->clocks[seat] = left_ms;
	return QV_OK;
}

/* The line is stored with the node, because a redo that reaches it repeats it in the journal. */
enum qv_status qv_record_end(struct qv_record *record, int winner, const char *reason)
{
	if (winner < QV_UNDECIDED || winner >= record->rules.game->seats || !reason || !*reason)
		return QV_BAD_INPUT;
	if (record->outcome != QV_GOING)
		return QV_ILLEGAL;
	struct string line = { .allocator = record->allocator };
	enum qv_status status = line_result(&line, winner, reason);
	char *copy = status == QV_OK ? mem_strdup(record->allocator, line.data) : NULL;
	if (status == QV_OK)
		status = copy ? journal_reserve(record, line.length) : QV_NO_MEMORY;
	if (status == QV_OK) {
		struct node *node = tree_cursor(record);
		mem_strfree(record->allocator, node->end);
		node->end = copy;
		node->winner = winner;
		node->follow = NODE_END;
		record->ended = true;
		tree_judge(record);
		journal_add(record, line.data);
	} else {
		mem_strfree(record->allocator, copy);
	}
	string_release(&line);
	return status;
}

/* ---- Rewriting ---- */

/*
 * First the new journal lines are composed on a copy of the state, and all memory is reserved. Only
 * then the tree changes, which cannot fail: the new line is no longer than the old one and reuses
 * its memory.
 */
enum qv_status record_rewrite(struct qv_record *r, int plies, const qv_move *moves, int count)
{
	const struct qv_game *game = r->rules.game;
	int32_t points[QV_MAX_SEATS];
	void *const here = r->state;
	struct string lines = { .allocator = r->allocator }; /* each ends with a NUL */
	if (game->repeated)
		return QV_UNSUPPORTED;
	if (plies < 1 || plies > r->ply || count < 0 || count > plies)
		return QV_BAD_INPUT;
	void *state = mem_new(r->allocator, 1, game->state_size);
	enum qv_status status = state ? QV_OK : QV_NO_MEMORY;
	if (status == QV_OK)
		tree_state_at(r, r->ply - plies, state);
	for (int i = 0; i < count && status == QV_OK; i++) {
		struct string line = { .allocator = r->allocator };
		const bool going = game->result(state, points) == QV_GOING;
		if (!going || !qv_move_legal(game, state, moves[i])) {
			status = QV_ILLEGAL;
			break;
		}
		r->state = state; /* the text of a move depends on the state */
		status = line_move(&line, r, moves[i], -1);
		r->state = here;
		if (status == QV_OK)
			string_add(&lines, line.data, line.length + 1);
		string_release(&line);
		game->play(state, moves[i]);
		if (lines.failed)
			status = QV_NO_MEMORY;
	}
	if (status == QV_OK && r->lines + count > RECORD_MAX_LINES - 3)
		status = QV_BAD_INPUT;
	if (status == QV_OK)
		status = journal_reserve(r, lines.length + 2 * LINE_ROOM);
	if (status == QV_OK)
		status = tree_reserve_nodes(r, count);
	if (status == QV_OK) {
		const char *line = lines.data;
		add_walk_line(r, "undo", plies);
		r->ended = false;
		tree_back(r, plies);
		for (int i = 0; i < count; i++, line += strlen(line) + 1) {
			journal_add(r, line);
			tree_forward(r, tree_child(r, moves[i]));
		}
		tree_judge(r);
		journal_add_result(r);
	}
	mem_free(r->allocator, state, game->state_size);
	string_release(&lines);
	return status;
}
