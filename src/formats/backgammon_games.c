/*
 * backgammon_games.c - builds records from the actions of a match file, and walks through records
 * for its writers.
 * SPDX-License-Identifier: MIT
 */
#include <jansson.h>

#include "core/context.h"
#include "formats/backgammon_file.h"

void heading_text(char *to, size_t size, const char *from, size_t length)
{
	size_t n = 0;
	for (size_t i = 0; i < length;) {
		char c[5] = "";
		memcpy(c, from + i, length - i < 4 ? length - i : 4);
		const int bytes = text_character(c);
		const int step = bytes ? bytes : 1;
		if (!bytes || (unsigned char)c[0] < ' ')
			c[0] = c[0] == '\t' || c[0] == '\n' || c[0] == '\r' ? ' ' : '?';
		if (n + (size_t)step >= size)
			break;
		memcpy(to + n, c, (size_t)step);
		n += (size_t)step;
		i += (size_t)step;
	}
	while (n && to[n - 1] == ' ')
		n--;
	to[n] = '\0';
}

/* ---- Reports ---- */

void builder_odd(struct game_builder *b, const char *what)
{
	if (b->listener->wrong)
		b->listener->wrong(b->listener->ctx, b->line, what, true);
}

/* Remembers a failure that ends the reading, with a reason if it came without one. */
static bool check(struct game_builder *b, enum qv_status status)
{
	if (status != QV_OK && b->status == QV_OK) {
		b->status = status;
		if (b->error && !*b->error->text)
			qv_fail(b->error, status, "%s",
				status == QV_NO_MEMORY ? "out of memory" : "a record is too long");
	}
	return b->status == QV_OK;
}

/* Passes the record on, unless nothing was played. */
static void emit(struct game_builder *b)
{
	struct qv_record *record = b->record;
	b->record = NULL;
	if (record && qv_record_ply(record) && b->status == QV_OK) {
		b->games++;
		check(b, b->listener->game(b->listener->ctx, record));
	}
	qv_record_free(record);
}

void builder_wrong(struct game_builder *b, const char *what)
{
	if (b->skipping || b->status != QV_OK)
		return;
	b->skipping = true;
	if (b->listener->wrong)
		b->listener->wrong(b->listener->ctx, b->line, what, false);
	int32_t points[QV_MAX_SEATS];
	if (b->record && !b->record->ended && qv_record_result(b->record, points) == QV_GOING)
		check(b, qv_record_end(b->record, QV_UNDECIDED, "the file cannot be read further"));
	emit(b);
}

/* ---- Games ---- */

static const struct backgammon *current(const struct game_builder *b)
{
	return qv_record_state(b->record);
}

/* Whether the record has ended a game of its match and waits for the next one. */
static bool is_between_games(const struct qv_record *record)
{
	const struct backgammon *s = qv_record_state(record);
	int32_t points[QV_MAX_SEATS];
	return qv_record_ply(record) && s->phase == BACKGAMMON_OPENING &&
	       qv_record_result(record, points) == QV_GOING;
}

/* Whether the heading continues the match of the record. */
static bool continues(const struct game_builder *b, const struct game_heading *h)
{
	return b->record && is_between_games(b->record) && current(b)->match == h->match &&
	       current(b)->score[0] == h->score[0] && current(b)->score[1] == h->score[1];
}

/* Begins a record with the rules and the score of this game. */
static void new_record(struct game_builder *b)
{
	struct game_heading *h = &b->heading;
	const char *names[2] = { h->name[0], h->name[1] };
	const struct record_tag date = { "Date", h->date };
	struct qv_error why = { "" };
	struct qv_rules rules;
	struct backgammon start;
	char spec[64], position[QV_POSITION_TEXT] = "";
	if (h->match)
		snprintf(spec, sizeof spec, "backgammon:match=%d%s", h->match,
			 h->crawford ? "" : ",crawford=0");
	else
		snprintf(spec, sizeof spec, "backgammon%s%s", h->no_cube ? "" : ":cube=1,beavers=1",
			 h->jacoby && !h->no_cube ? ",jacoby=1" : "");
	if (!check(b, qv_rules_parse(b->context, spec, &rules, b->error)))
		return;
	rules.game->start(rules.options, &start);
	start.score[0] = (uint8_t)h->score[0];
	start.score[1] = (uint8_t)h->score[1];
	/* GNU Backgammon also marks a game in which both need one point, where it means nothing. */
	const bool one_is_near = (h->score[0] == h->match - 1) != (h->score[1] == h->match - 1);
	if (h->match && h->crawford && one_is_near &&
	    (h->crawford_game < 0 ? !b->crawford_played : h->crawford_game))
		start.flags |= BACKGAMMON_CRAWFORD_GAME;
	struct qv_text text = { position, sizeof position, 0 };
	rules.game->position_text(&start, &text);
	const enum qv_status status = record_new_tagged(
		b->context, &rules, h->match && h->score[0] + h->score[1] ? position : NULL, names,
		*names[0] || *names[1] ? 2 : 0, &date, *h->date != 0, &b->record, &why);
	if (status == QV_NO_MEMORY)
		check(b, qv_fail(b->error, status, "%s", why.text));
	else if (status != QV_OK)
		builder_wrong(b, why.text);
}

void builder_begin(struct game_builder *b, const struct game_heading *heading)
{
	const int match = heading->match;
	b->skipping = false;
	if (b->status != QV_OK)
		return;
	if (continues(b, heading)) {
		b->heading = *heading;
		return;
	}
	emit(b);
	b->heading = *heading;
	if (match > BACKGAMMON_MAX_MATCH) {
		builder_wrong(b, "the match is too long");
	} else if (match && (heading->score[0] >= match || heading->score[1] >= match)) {
		builder_wrong(b, "the match is over at this score");
	} else {
		new_record(b);
	}
}

/* Plays a move that is given as text, and reports one that is not legal. */
static bool play(struct game_builder *b, const char *text)
{
	struct qv_error why = { "" };
	qv_move move;
	enum qv_status status =
		qv_move_parse(b->record->rules.game, b->record->state, text, &move, &why);
	if (status == QV_OK)
		status = qv_record_play(b->record, move, -1, &why);
	if (status == QV_NO_MEMORY)
		check(b, qv_fail(b->error, status, "%s", why.text));
	else if (status != QV_OK)
		builder_wrong(b, why.text);
	return status == QV_OK;
}

/* Whether an action of this seat may be tried. */
static bool is_ready(struct game_builder *b, int seat)
{
	int32_t points[QV_MAX_SEATS];
	if (b->skipping || b->status != QV_OK)
		return false;
	if (!b->record) {
		builder_wrong(b, "a move before the heading of its game");
		return false;
	}
	const struct backgammon *s = current(b);
	const bool opening = s->phase == BACKGAMMON_OPENING;
	if (qv_record_result(b->record, points) != QV_GOING ||
	    (!opening && backgammon_mover(s) != seat)) {
		builder_wrong(b, "it is not this player's turn");
		return false;
	}
	return true;
}

void builder_turn(struct game_builder *b, int seat, int die_1, int die_2, const char *text)
{
	if (!is_ready(b, seat))
		return;
	const int large = die_1 > die_2 ? die_1 : die_2, small = die_1 > die_2 ? die_2 : die_1;
	/* In the opening roll the first die is the first player's; the larger one moves. */
	const bool swap = current(b)->phase == BACKGAMMON_OPENING && seat == 1;
	char roll[16];
	snprintf(roll, sizeof roll, "roll %d%d", swap ? small : large, swap ? large : small);
	/* GNU Backgammon does not write that a beaver was taken. */
	if (current(b)->phase == BACKGAMMON_ANSWER && current(b)->flags & BACKGAMMON_BEAVERED &&
	    !play(b, "take"))
		return;
	if (current(b)->phase == BACKGAMMON_CUBE && !play(b, "roll"))
		return;
	if (!play(b, roll))
		return;
	qv_move list[BACKGAMMON_MAX_MOVES];
	if (!*text && (backgammon_moves(current(b), list) != 1 || list[0] != BACKGAMMON_PASS))
		return; /* the loser resigned after the roll */
	play(b, *text ? text : "pass");
}

void builder_cube(struct game_builder *b, int seat, const char *move)
{
	if (!is_ready(b, seat))
		return;
	/* In SGF a beaver is a double that answers a double. */
	if (strcmp(move, "double") == 0 && current(b)->phase == BACKGAMMON_ANSWER)
		move = "beaver";
	play(b, move);
}

void builder_note(struct game_builder *b, const char *text, size_t length)
{
	char *note = b->record && !b->skipping && b->status == QV_OK
			     ? mem_new(b->record->allocator, length + 1, 1)
			     : NULL;
	if (!note)
		return;
	heading_text(note, length + 1, text, length);
	if (*note)
		check(b, qv_record_note(b->record, note));
	mem_free(b->record->allocator, note, length + 1);
}

void builder_win(struct game_builder *b, int seat, int points)
{
	static const char *const what[] = { "resigns", "resigns a gammon", "resigns a backgammon" };
	int32_t by_rules[QV_MAX_SEATS];
	if (b->skipping || b->status != QV_OK || !b->record)
		return;
	const struct backgammon *s = current(b);
	const struct game_heading *h = &b->heading;
	if (h->match && (h->score[0] == h->match - 1 || h->score[1] == h->match - 1))
		b->crawford_played = true;
	if (qv_record_result(b->record, by_rules) != QV_GOING) {
		if (by_rules[seat] <= by_rules[1 - seat])
			builder_odd(b, "the other player has won by the rules");
		return;
	}
	if (is_between_games(b->record)) {
		if (s->score[seat] != h->score[seat] + points)
			builder_odd(b, "the points differ from those by the rules");
		return;
	}
	const int64_t cube = INT64_C(1) << s->cube;
	const int times = points >= 3 * cube ? 3 : points >= 2 * cube ? 2 : 1;
	const bool over = !h->match || h->score[seat] + points >= h->match;
	char reason[64];
	snprintf(reason, sizeof reason, "%s %s", seat ? "White" : "Black", what[times - 1]);
	check(b, qv_record_end(b->record, over ? seat : QV_UNDECIDED, reason));
}

enum qv_status builder_finish(struct game_builder *b)
{
	emit(b);
	if (b->status == QV_OK && !b->games)
		b->status = qv_fail(b->error, QV_BAD_INPUT, "no game of backgammon was found");
	return b->status;
}

/* ---- Walking through a record ---- */

void player_name(const struct qv_record *record, int seat, char name[BACKGAMMON_NAME])
{
	const size_t length = strcspn(record->journal.data, "\n");
	json_t *header = json_loadb(record->journal.data, length, 0, NULL);
	const char *found =
		json_string_value(json_array_get(json_object_get(header, "seats"), (size_t)seat));
	if (!found || !*found)
		found = seat ? "Black" : "White";
	heading_text(name, BACKGAMMON_NAME, found, strlen(found));
	json_decref(header);
}

/* The points for a game that its loser resigned, as builder_win writes it. */
static int resigned_points(const struct backgammon *s, const char *reason)
{
	const int times = reason && strstr(reason, "backgammon") ? 3
			  : reason && strstr(reason, "gammon")	 ? 2
								 : 1;
	return times << s->cube;
}

/* The seat that wins a game which was ended by a resignation; -1: nobody. */
static int resigned_winner(const struct qv_record *record, const char *reason)
{
	const int winner = qv_record_winner(record);
	if (winner >= 0 || !reason || !strstr(reason, " resigns"))
		return winner >= 0 ? winner : -1;
	return strstr(reason, "White resigns") ? 1 : 0;
}

/* Reports a game that the rules have ended between two states. */
static void visit_end(const struct game_visitor *v, const struct qv_game *game,
		      const struct backgammon *before, const struct backgammon *after)
{
	int32_t points[QV_MAX_SEATS] = { 0 };
	const bool over = game->result(after, points) != QV_GOING;
	const int winner =
		before->match ? after->score[1] > before->score[1] : points[1] > points[0];
	int won = before->match ? after->score[winner] - before->score[winner] : points[winner];
	/* The score of a match is cut to its length. */
	if (before->match && over)
		won = backgammon_is_off(after) ? backgammon_points(after, winner)
					       : 1 << before->cube;
	v->won(v->ctx, winner, won, false, before->match && over);
}

/* Reports one move of the record. */
static void visit_move(const struct game_visitor *v, const struct backgammon *before, qv_move move,
		       const char *note)
{
	const bool cube = before->phase == BACKGAMMON_CUBE || before->phase == BACKGAMMON_ANSWER;
	if (before->phase == BACKGAMMON_MOVE)
		v->act(v->ctx, ACTION_TURN, before, move, note);
	else if (cube && move == BACKGAMMON_DOUBLE)
		v->act(v->ctx, ACTION_DOUBLE, before, move, note);
	else if (cube && move == BACKGAMMON_BEAVER)
		v->act(v->ctx, ACTION_BEAVER, before, move, note);
	else if (cube && move == BACKGAMMON_TAKE)
		v->act(v->ctx, ACTION_TAKE, before, move, note);
	else if (cube && move == BACKGAMMON_DROP)
		v->act(v->ctx, ACTION_DROP, before, move, note);
}

enum qv_status visit_games(const struct qv_record *record, const struct game_visitor *v,
			   struct qv_error *error)
{
	const struct qv_game *game = record->rules.game;
	struct backgammon before, after;
	if (strcmp(game->name, "backgammon") != 0)
		return qv_fail(error, QV_UNSUPPORTED, "%s: this format is for backgammon",
			       game->name);
	const int plies = qv_record_ply(record);
	tree_state_at(record, 0, &after);
	if (after.phase != BACKGAMMON_OPENING)
		return qv_fail(error, QV_UNSUPPORTED,
			       "backgammon: this format is for games from the opening roll");
	bool playing = false;
	for (int ply = 0; ply < plies; ply++) {
		const qv_move move = qv_record_move(record, ply);
		const char *note = record->nodes[record->line[ply + 1].node].note;
		before = after;
		game->play(&after, move);
		if (before.phase == BACKGAMMON_OPENING)
			v->begin(v->ctx, &before, record);
		playing = true;
		visit_move(v, &before, move, note);
		int32_t points[QV_MAX_SEATS];
		if (before.phase != BACKGAMMON_OPENING &&
		    (after.phase == BACKGAMMON_OPENING ||
		     game->result(&after, points) != QV_GOING)) {
			visit_end(v, game, &before, &after);
			playing = false;
		}
	}
	if (!playing)
		return QV_OK;
	if (after.phase == BACKGAMMON_MOVE)
		v->act(v->ctx, ACTION_TURN, &after, QV_NO_MOVE, NULL);
	/* Ended in the middle of the game. */
	const char *end = tree_cursor(record)->end;
	json_t *line = record->ended && end ? json_loads(end, 0, NULL) : NULL;
	const char *reason = json_string_value(json_object_get(line, "reason"));
	const int winner = record->ended ? resigned_winner(record, reason) : -1;
	if (winner >= 0)
		v->won(v->ctx, winner, resigned_points(&after, reason), true,
		       after.match && after.score[winner] + resigned_points(&after, reason) >=
					      after.match);
	else
		v->stop(v->ctx);
	json_decref(line);
	return QV_OK;
}
