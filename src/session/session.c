/*
 * session.c - a game in progress: turns, dice, undo and redo, chapters, clocks.
 * SPDX-License-Identifier: MIT
 */
#include "session/session.h"

#include <jansson.h>

#include "core/context.h"
#include "session/seats.h"
#include "search/random_move.h"

/* ---- Looking ---- */

struct qv_record *session_record(const struct session *s)
{
	return s->chapters[s->chapter].record;
}

const struct qv_game *session_game(const struct session *s)
{
	return qv_record_rules(session_record(s))->game;
}

const void *session_state(const struct session *s)
{
	return qv_record_state(session_record(s));
}

int session_seat(const struct session *s)
{
	return session_game(s)->seat(session_state(s));
}

enum session_turn session_turn(const struct session *s)
{
	const int seat = session_seat(s);
	if (qv_record_result(session_record(s), NULL) != QV_GOING)
		return TURN_OVER;
	if (seat == QV_CHANCE)
		return s->setup.typed_dice ? TURN_TYPED_DICE : TURN_DICE;
	return session_is_person(s, seat) ? TURN_PERSON : TURN_COMPUTER;
}

static int64_t now_ms(const struct session *s)
{
	return s->setup.now_ms(s->setup.now_ctx);
}

int64_t session_left_ms(const struct session *s, int seat)
{
	return game_clock_left(&s->clock, seat, now_ms(s));
}

/* ---- Chapters ---- */

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "game: out of memory");
}

/* Goes to a chapter; scratch is a state of its game, the session's from now on. */
static void open_chapter(struct session *s, int number, void *scratch)
{
	if (s->scratch)
		qv_state_free(s->setup.context, session_game(s), s->scratch);
	seats_release(s);
	s->scratch = scratch;
	s->chapter = number;
	game_clock_new_turn(&s->clock);
}

static enum qv_status turn_to_chapter(struct session *s, int number, struct qv_error *error)
{
	const struct qv_game *game = qv_record_rules(s->chapters[number].record)->game;
	void *scratch = qv_state_new(s->setup.context, game);
	if (!scratch)
		return no_memory(error);
	open_chapter(s, number, scratch);
	return QV_OK;
}

/* The chapters after this one are gone, and the oldest if there are too many. */
static void make_room(struct session *s)
{
	while (s->chapter_count > s->chapter + 1)
		qv_record_free(s->chapters[--s->chapter_count].record);
	if (s->chapter_count < SESSION_CHAPTERS)
		return;
	qv_record_free(s->chapters[0].record);
	memmove(s->chapters, s->chapters + 1, (SESSION_CHAPTERS - 1) * sizeof *s->chapters);
	s->chapter_count--;
	s->chapter--;
}

/* Takes the record, or, if it fails, frees it. */
static enum qv_status begin_chapter(struct session *s, struct qv_record *record,
				    const char *const *seats, struct qv_error *error)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	char kept[QV_MAX_SEATS][SESSION_SPEC];
	void *scratch = qv_state_new(s->setup.context, game);
	if (!scratch) {
		qv_record_free(record);
		return no_memory(error);
	}
	for (int i = 0; i < game->seats;
	     i++) /* they may stand in a chapter that is about to move */
		snprintf(kept[i], sizeof kept[i], "%s", seats[i]);
	make_room(s);
	struct chapter *c = &s->chapters[s->chapter_count++];
	*c = (struct chapter){ .record = record, .number = s->begun++ };
	memcpy(c->seats, kept, (size_t)game->seats * sizeof kept[0]);
	open_chapter(s, s->chapter_count - 1, scratch);
	return QV_OK;
}

static void current_seats(const struct session *s, const char *seats[QV_MAX_SEATS])
{
	for (int i = 0; i < session_game(s)->seats; i++)
		seats[i] = session_spec(s, i);
}

static void clocks_anew(struct session *s)
{
	const struct time_control control = s->clock.control;
	game_clock_init(&s->clock, &control);
}

enum qv_status session_edit(struct session *s, const char *position, struct qv_error *error)
{
	const char *seats[QV_MAX_SEATS];
	const struct qv_rules *rules = qv_record_rules(session_record(s));
	struct qv_record *record = NULL;
	current_seats(s, seats);
	enum qv_status status = record_new_seated(s->setup.context, rules, position, seats,
						  rules->game->seats, &record, error);
	if (status == QV_OK)
		status = begin_chapter(s, record, seats, error);
	return status;
}

enum qv_status session_new_game(struct session *s, struct qv_error *error)
{
	char position[QV_POSITION_TEXT] = "";
	struct qv_text out = { position, sizeof position, 0 };
	session_game(s)->position_text(session_record(s)->kept, &out); /* the state at ply 0 */
	const enum qv_status status = session_edit(s, position, error);
	if (status == QV_OK)
		clocks_anew(s);
	return status;
}

/* ---- Loading ---- */

static void preset_seats(const struct qv_game *game, int level, char presets[QV_MAX_SEATS][32])
{
	int count = 0;
	while (qv_levels(game)[count])
		count++;
	if (level <= 0)
		level = (count + 1) / 2;
	for (int i = 0; i < game->seats; i++)
		snprintf(presets[i], sizeof presets[i], "level:%d", level);
	snprintf(presets[0], sizeof presets[0], "human");
}

/* The header's seats that can sit here, over those that are there already. */
static void loaded_seats(const struct session *s, const struct qv_rules *rules, const json_t *list,
			 const char *seats[QV_MAX_SEATS])
{
	for (size_t i = 0; i < json_array_size(list) && i < (size_t)rules->game->seats; i++) {
		const char *spec = json_string_value(json_array_get(list, i));
		if (spec &&
		    seats_check(s->setup.context, rules, &s->setup.defaults, spec, false, NULL) ==
			    QV_OK)
			seats[i] = spec;
	}
}

/* A record that says what is left on every clock goes on with it. */
static void loaded_clocks(struct session *s)
{
	const int seats = session_game(s)->seats;
	for (int seat = 0; seat < seats; seat++)
		if (qv_record_clock_left(session_record(s), seat) < 0)
			return;
	if (!game_clock_on(&s->clock))
		s->clock.control.base_ms = qv_record_clock_left(session_record(s), 0) + 1;
	for (int seat = 0; seat < seats; seat++)
		game_clock_set(&s->clock, seat, qv_record_clock_left(session_record(s), seat));
}

enum qv_status session_load(struct session *s, const char *data, size_t size,
			    struct qv_error *error)
{
	struct qv_record *record = NULL;
	enum qv_status status = qv_record_load(s->setup.context, data, size, &record, error);
	if (status != QV_OK)
		return status;
	const struct qv_rules *rules = qv_record_rules(record);
	const char *seats[QV_MAX_SEATS];
	char presets[QV_MAX_SEATS][32];
	preset_seats(rules->game, 0, presets);
	for (int i = 0; i < rules->game->seats; i++)
		seats[i] = rules->game == session_game(s) ? session_spec(s, i) : presets[i];
	json_t *header = json_loadb(data, size, JSON_DISABLE_EOF_CHECK, NULL);
	loaded_seats(s, rules, json_object_get(header, "seats"), seats);
	status = begin_chapter(s, record, seats, error);
	json_decref(header);
	if (status == QV_OK)
		loaded_clocks(s);
	return status;
}

/* ---- Birth and death ---- */

static enum qv_status first_chapter(struct session *s, struct qv_error *error)
{
	const struct session_setup *setup = &s->setup;
	const struct qv_game *game = setup->rules->game;
	const char *seats[QV_MAX_SEATS];
	char presets[QV_MAX_SEATS][32];
	struct qv_record *record = NULL;
	preset_seats(game, setup->level, presets);
	enum qv_status status = QV_OK;
	for (int i = 0; i < game->seats && status == QV_OK; i++) {
		seats[i] = setup->seats[i] ? setup->seats[i] : presets[i];
		status = seats_check(setup->context, setup->rules, &setup->defaults, seats[i],
				     setup->programs, error);
	}
	if (status == QV_OK && s->hint[0])
		status = seats_check(setup->context, setup->rules, &setup->defaults, s->hint,
				     setup->programs, error);
	if (status == QV_OK)
		status = record_new_seated(setup->context, setup->rules, setup->position, seats,
					   game->seats, &record, error);
	if (status == QV_OK)
		status = begin_chapter(s, record, seats, error);
	return status;
}

enum qv_status session_new(const struct session_setup *setup, struct session **out,
			   struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(setup->context);
	if (setup->hint &&
	    (strlen(setup->hint) >= SESSION_SPEC || strcmp(setup->hint, "human") == 0))
		return qv_fail(error, QV_BAD_INPUT, "hint: a player is expected, not '%.40s'",
			       setup->hint);
	struct session *s = mem_new(allocator, 1, sizeof *s);
	if (!s)
		return no_memory(error);
	s->setup = *setup;
	s->allocator = allocator;
	if (setup->hint)
		snprintf(s->hint, sizeof s->hint, "%s", setup->hint);
	game_clock_init(&s->clock, &setup->control);
	s->chapter = -1;
	s->chapters = mem_new(allocator, SESSION_CHAPTERS, sizeof *s->chapters);
	enum qv_status status = s->chapters ? first_chapter(s, error) : no_memory(error);
	s->setup.rules = NULL; /* from here on the record's; the caller's may go */
	s->setup.position = s->setup.hint = NULL;
	memset(s->setup.seats, 0, sizeof s->setup.seats);
	if (status == QV_OK)
		*out = s;
	else
		session_free(s);
	return status;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	seats_release(s);
	if (s->scratch)
		qv_state_free(s->setup.context, session_game(s), s->scratch);
	for (int i = 0; i < s->chapter_count; i++)
		qv_record_free(s->chapters[i].record);
	mem_free(s->allocator, s->chapters, SESSION_CHAPTERS * sizeof *s->chapters);
	mem_free(s->allocator, s, sizeof *s);
}

/* ---- Moves ---- */

enum qv_status session_play(struct session *s, qv_move move, struct qv_error *error)
{
	struct qv_record *record = session_record(s);
	const int seat = session_seat(s);
	const bool timed = seat >= 0 && !s->setup.no_times;
	const double seconds = timed ? (double)s->clock.spent_ms / 1000 : -1;
	enum qv_status status = qv_record_play(record, move, seconds, error);
	if (status != QV_OK)
		return status;
	if (seat < 0) {
		game_clock_new_turn(&s->clock);
		return QV_OK;
	}
	game_clock_moved(&s->clock, seat);
	const int64_t left_ms = session_left_ms(s, seat);
	/* A clock that could not be written down is not worth losing a move for. */
	if (game_clock_on(&s->clock) && left_ms >= 0)
		qv_record_clock(record, seat, left_ms);
	return QV_OK;
}

enum qv_status session_tell_end(struct session *s, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (int seat = 0; session_turn(s) == TURN_OVER && seat < session_game(s)->seats; seat++)
		if (s->players[seat] && status == QV_OK)
			status = qv_player_game_over(s->players[seat], session_state(s), error);
	return status;
}

enum qv_status session_throw(struct session *s, qv_move *thrown, struct qv_error *error)
{
	qv_move list[QV_MAX_MOVES];
	const struct qv_game *game = session_game(s);
	const uint64_t chapter = s->chapters[s->chapter].number;
	struct qv_random random = { .key = qv_random_key(s->setup.defaults.seed, ~chapter),
				    .next = (uint64_t)qv_record_ply(session_record(s)) };
	const int count = game->moves(session_state(s), list);
	if (session_seat(s) != QV_CHANCE || !count)
		return qv_fail(error, QV_ILLEGAL, "dice: nothing is to be thrown now");
	*thrown = random_move(game, session_state(s), list, count, &random);
	return session_play(s, *thrown, error);
}

enum qv_status session_leave(struct session *s, int seat, const char *reason, bool *taken_over,
			     struct qv_error *error)
{
	const int seats = session_game(s)->seats;
	char spec[32];
	*taken_over = seats > 2;
	if (*taken_over) {
		snprintf(spec, sizeof spec, "level:%d", (session_level_count(s) + 1) / 2);
		game_clock_take_over(&s->clock, seat);
		return session_set_seat(s, seat, spec, error);
	}
	const enum qv_status status =
		qv_record_end(session_record(s), seats == 2 ? 1 - seat : -1, reason);
	if (status == QV_NO_MEMORY)
		return no_memory(error);
	if (status != QV_OK)
		return qv_fail(error, status, "%s: the game is over", reason);
	return QV_OK;
}

/* ---- Undo and redo ---- */

/* Where undo and redo stop: where a person acted; if there is none, at every move. */
static bool is_stop(const struct session *s, const void *state)
{
	const int seat = session_game(s)->seat(state);
	if (seat == QV_CHANCE)
		return s->setup.typed_dice;
	return session_is_person(s, seat) || session_persons(s) == 0;
}

/* Marks the stops among plies 0 to the cursor's. */
static void mark_stops(struct session *s, bool *stops)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	const int ply = qv_record_ply(record);
	memcpy(s->scratch, record->kept, game->state_size);
	for (int i = 0; i <= ply; i++) {
		stops[i] = is_stop(s, s->scratch);
		if (i < ply)
			game->play(s->scratch, qv_record_move(record, i));
	}
}

/* The ply that so many turns back lead to; the cursor's own, if only an end is taken back; or -1.
 */
static int undo_target(const struct session *s, const bool *stops, int turns)
{
	const int ply = qv_record_ply(session_record(s));
	int target = -1, at = ply;
	if (turns > 0 && session_record(s)->ended && stops[ply]) {
		target = ply;
		turns--;
	}
	for (; turns > 0; turns--) {
		for (at--; at >= 0 && !stops[at]; at--)
			;
		if (at < 0)
			break;
		target = at;
	}
	return target;
}

static enum qv_status walk_failed(enum qv_status status, struct qv_error *error)
{
	if (status == QV_NO_MEMORY)
		return no_memory(error);
	return qv_fail(error, status, "record: it would be longer than a record may be");
}

enum qv_status session_undo(struct session *s, int turns, int *plies, struct qv_error *error)
{
	struct qv_record *record = session_record(s);
	const int ply = qv_record_ply(record);
	bool *stops = mem_new(s->allocator, (size_t)ply + 1, sizeof *stops);
	if (!stops)
		return no_memory(error);
	mark_stops(s, stops);
	const int target = undo_target(s, stops, turns);
	mem_free(s->allocator, stops, ((size_t)ply + 1) * sizeof *stops);
	*plies = -1;
	if (target < 0 && s->chapter > 0)
		return turn_to_chapter(s, s->chapter - 1, error);
	if (target < 0)
		return qv_fail(error, QV_ILLEGAL, "undo: there is no move to take back");
	const enum qv_status status = qv_record_undo(record, ply - target, plies);
	game_clock_new_turn(&s->clock);
	game_clock_take_back(&s->clock);
	return status == QV_OK ? status : walk_failed(status, error);
}

/* How many plies the line last walked has, to the end of so many turns. */
static int redo_plies(struct session *s, int turns)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	const struct node *node = tree_cursor(record);
	int plies = 0;
	memcpy(s->scratch, record->state, game->state_size);
	while (turns > 0 && node->follow >= 0) {
		node = &record->nodes[node->follow];
		game->play(s->scratch, node->move);
		plies++;
		turns -= is_stop(s, s->scratch);
	}
	return plies;
}

enum qv_status session_redo(struct session *s, int turns, int *plies, struct qv_error *error)
{
	struct qv_record *record = session_record(s);
	const int possible = redo_plies(s, turns);
	*plies = -1;
	if (possible || (tree_cursor(record)->follow == NODE_END && !record->ended)) {
		const enum qv_status status = qv_record_redo(record, possible, plies);
		game_clock_new_turn(&s->clock);
		return status == QV_OK ? status : walk_failed(status, error);
	}
	if (s->chapter + 1 < s->chapter_count)
		return turn_to_chapter(s, s->chapter + 1, error);
	return qv_fail(error, QV_ILLEGAL, "redo: nothing has been taken back");
}

/* ---- Clocks ---- */

void session_set_clock(struct session *s, const struct time_control *control)
{
	game_clock_init(&s->clock, control);
}

void session_clock_start(struct session *s)
{
	const bool over = session_turn(s) == TURN_OVER;
	game_clock_start(&s->clock, over ? -1 : session_seat(s), now_ms(s));
}

void session_clock_stop(struct session *s)
{
	game_clock_stop(&s->clock, now_ms(s));
}

int session_flag(const struct session *s)
{
	for (int seat = 0; game_clock_on(&s->clock) && seat < session_game(s)->seats; seat++)
		if (session_left_ms(s, seat) < 0)
			return seat;
	return -1;
}
