/*
 * session.c - games at the terminal, one after another: each chapter drives a game_session.
 * SPDX-License-Identifier: MIT
 *
 * This file has what a terminal adds to the rules of game_session.c: chapters, seats that are
 * player specs, the players that think for the computers' seats, and a clock that runs only while a
 * seat's player is thinking. Players belong to the current chapter. They are made when they are
 * first needed and freed when the chapter changes.
 */
#include "session/session.h"

#include <jansson.h>

#include "core/context.h"
#include "programs/players.h"
#include "search/budget.h"

/* ---- Queries ---- */

static int64_t now_ms(const struct session *s)
{
	return s->setup.now_ms(s->setup.now_ctx);
}

struct game_session *session_current(const struct session *s)
{
	return &s->chapters[s->chapter].game;
}

struct qv_record *session_record(const struct session *s)
{
	return session_current(s)->record;
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
	return game_seat_to_move(session_current(s));
}

enum session_turn session_turn(const struct session *s)
{
	const int seat = session_seat(s);
	if (game_is_over(session_current(s)))
		return TURN_OVER;
	if (seat == QV_CHANCE)
		return s->setup.typed_dice ? TURN_TYPED_DICE : TURN_DICE;
	return session_is_person(s, seat) ? TURN_PERSON : TURN_COMPUTER;
}

int64_t session_left_ms(const struct session *s, int seat)
{
	return game_clock_left(&session_current(s)->clock, seat, now_ms(s));
}

const char *session_spec(const struct session *s, int seat)
{
	return s->chapters[s->chapter].seats[seat];
}

bool session_is_person(const struct session *s, int seat)
{
	return strcmp(session_spec(s, seat), "human") == 0;
}

int session_people(const struct session *s)
{
	int people = 0;
	for (int seat = 0; seat < session_game(s)->seats; seat++)
		people += session_is_person(s, seat);
	return people;
}

int session_level_of(const char *spec)
{
	int64_t level = 0;
	if (strncmp(spec, "level:", 6) == 0)
		text_to_int(spec + 6, 1, 1000, &level);
	return (int)level;
}

/* ---- Players and seats ---- */

/* Makes a player. programs: the spec may also name an external program. */
static enum qv_status open_player(const struct session_setup *setup, const struct qv_rules *rules,
				  const char *spec, const struct qv_defaults *defaults,
				  bool programs, struct qv_player **out, struct qv_error *error)
{
	struct qv_defaults sized = *defaults;
	sized.size = sizeof sized;
	return programs ? player_open(setup->context, rules, spec, &sized, out, error)
			: qv_player_new(setup->context, rules, spec, &sized, out, error);
}

/* The name is for the log, and stays valid. */
static enum qv_status make_player(const struct session *s, const char *spec, int seat,
				  const char *name, struct qv_player **out, struct qv_error *error)
{
	struct qv_defaults defaults = s->setup.defaults;
	/* Neither two seats nor two games in a row draw the same numbers. */
	defaults.seed =
		qv_random_key(defaults.seed, (uint64_t)seat) + s->chapters[s->chapter].number;
	const enum qv_status status =
		open_player(&s->setup, qv_record_rules(session_record(s)), spec, &defaults,
			    s->setup.programs, out, error);
	if (status == QV_OK)
		player_log_to(*out, s->setup.log, name);
	return status;
}

/* Checks that a spec is `human`, or that a player can be made of it. */
static enum qv_status check_seat(const struct session_setup *setup, const struct qv_rules *rules,
				 const char *spec, bool programs, struct qv_error *error)
{
	struct qv_player *player = NULL;
	if (strcmp(spec, "human") == 0)
		return QV_OK;
	if (strlen(spec) >= SESSION_SPEC)
		return qv_fail(error, QV_BAD_INPUT, "player: longer than %d characters",
			       SESSION_SPEC - 1);
	const enum qv_status status =
		open_player(setup, rules, spec, &setup->defaults, programs, &player, error);
	qv_player_free(player);
	return status;
}

/* Frees the players, which are made again when they are needed. */
static void release_players(struct session *s)
{
	for (int seat = 0; seat < QV_MAX_SEATS; seat++) {
		qv_player_free(s->players[seat]);
		s->players[seat] = NULL;
	}
	qv_player_free(s->adviser);
	s->adviser = NULL;
}

enum qv_status session_set_seat(struct session *s, int seat, const char *spec,
				struct qv_error *error)
{
	const struct qv_rules *rules = qv_record_rules(session_record(s));
	if (seat < 0 || seat >= rules->game->seats)
		return qv_fail(error, QV_BAD_INPUT, "seat %d: there are seats 1 to %d", seat + 1,
			       rules->game->seats);
	const enum qv_status status = check_seat(&s->setup, rules, spec, s->setup.programs, error);
	if (status != QV_OK)
		return status;
	char *kept = s->chapters[s->chapter].seats[seat];
	if (spec != kept)
		memcpy(kept, spec, strlen(spec) + 1);
	qv_player_free(s->players[seat]);
	s->players[seat] = NULL;
	return QV_OK;
}

enum qv_status session_set_level(struct session *s, int level, struct qv_error *error)
{
	char spec[32];
	const int seats = session_game(s)->seats, count = game_level_count(session_game(s));
	if (level < 1 || level > count)
		return qv_fail(error, QV_BAD_INPUT, "level %d: there are levels 1 to %d", level,
			       count);
	if (session_people(s) == seats)
		return qv_fail(error, QV_ILLEGAL,
			       "level: no computer plays; 'seat %d level:%d' seats one", seats,
			       level);
	snprintf(spec, sizeof spec, "level:%d", level);
	enum qv_status status = QV_OK;
	for (int seat = 0; seat < seats && status == QV_OK; seat++)
		if (!session_is_person(s, seat))
			status = session_set_seat(s, seat, spec, error);
	return status;
}

void session_swap(struct session *s)
{
	struct chapter *c = &s->chapters[s->chapter];
	game_rotate_seats(c->seats, session_game(s)->seats, SESSION_SPEC);
	release_players(s);
}

/* ---- Clocks ---- */

static bool rolls_by_hand(const void *ctx, int seat)
{
	const struct session *s = ctx;
	return s->setup.typed_dice && session_is_person(s, seat);
}

void session_clock_start(struct session *s)
{
	struct game_session *g = session_current(s);
	game_clock_start(&g->clock, game_time_seat(g, rolls_by_hand, s), now_ms(s));
}

void session_clock_stop(struct session *s)
{
	game_clock_stop(&session_current(s)->clock, now_ms(s));
}

int session_flag(const struct session *s)
{
	for (int seat = 0;
	     game_clock_on(&session_current(s)->clock) && seat < session_game(s)->seats; seat++)
		if (session_left_ms(s, seat) < 0)
			return seat;
	return -1;
}

/* ---- Thinking ---- */

/* Lets a player choose a move. clocks: on the time of the seat to move. */
static enum qv_status think(struct session *s, struct qv_player *player, bool clocks,
			    const struct qv_flag *stop, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	const struct game_session *g = session_current(s);
	/* What an external program receives besides the position. */
	struct player_news news = { .record = g->record, .clocks = clocks };
	for (int seat = 0; clocks && seat < session_game(s)->seats; seat++) {
		news.left_ms[seat] = session_left_ms(s, seat);
		news.added_ms[seat] = g->clock.control.added_ms;
	}
	struct qv_limits limits = { .stop = stop };
	if (clocks)
		game_allocate_time(g, session_seat(s), now_ms(s), MOVE_LAG_MS, &limits);
	limits.history = qv_record_history(g->record, &limits.history_count);
	return player_think(player, &news, session_state(s), &limits, listener, out, error);
}

enum qv_status session_think(struct session *s, const struct qv_flag *stop,
			     const struct qv_listener *listener, struct qv_answer *out,
			     struct qv_error *error)
{
	static const char *const names[QV_MAX_SEATS] = { "seat 1", "seat 2", "seat 3", "seat 4" };
	const int seat = session_seat(s);
	enum qv_status status = QV_OK;
	if (!s->players[seat])
		status = make_player(s, session_spec(s, seat), seat, names[seat],
				     &s->players[seat], error);
	if (status != QV_OK)
		return status;
	session_clock_start(s);
	status = think(s, s->players[seat], game_clock_on(&session_current(s)->clock), stop,
		       listener, out, error);
	session_clock_stop(s);
	return status;
}

/* The player of this spec, which the caller frees; spec NULL: the adviser, which stays. */
static enum qv_status find_adviser(struct session *s, const char *spec, struct qv_player **out,
				   struct qv_error *error)
{
	enum qv_status status = QV_OK;
	if (spec)
		return make_player(s, spec, session_seat(s), "hint", out, error);
	if (!s->adviser) {
		char strongest[STRONGEST_SPEC];
		hint_player(session_game(s), "time=1s", strongest);
		status = make_player(s, s->hint[0] ? s->hint : strongest, 0, "hint", &s->adviser,
				     error);
	}
	*out = s->adviser;
	return status;
}

enum qv_status session_advise(struct session *s, const char *spec, const struct qv_flag *stop,
			      struct qv_answer *out, struct qv_error *error)
{
	struct qv_player *player = NULL;
	enum qv_status status = find_adviser(s, spec, &player, error);
	if (status == QV_OK)
		status = think(s, player, false, stop, NULL, out, error);
	if (spec)
		qv_player_free(player);
	return status;
}

enum qv_status session_explain(struct session *s, const char *spec, const struct qv_flag *stop,
			       struct string *out, struct qv_error *error)
{
	const struct engine *engine = context_engine(session_game(s));
	const struct qv_limits limits = { .stop = stop };
	struct qv_player *player = NULL;
	if (!engine->explain)
		return qv_fail(error, QV_UNSUPPORTED, "explain: this game has no explanations");
	enum qv_status status = find_adviser(s, spec, &player, error);
	if (status == QV_OK)
		status = engine->explain(player, session_state(s), &limits, out, error);
	if (spec)
		qv_player_free(player);
	return status;
}

/* ---- Chapters ---- */

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "game: out of memory");
}

/* Goes to a chapter. Its players are made again when they are needed. */
static void open_chapter(struct session *s, int number)
{
	release_players(s);
	s->chapter = number;
	game_clock_new_turn(&session_current(s)->clock);
}

/* Takes the record, or, if it fails, frees it. The clock goes on as it is. */
static enum qv_status begin_chapter(struct session *s, struct qv_record *record,
				    const char *const *seats, struct qv_error *error)
{
	const int seat_count = qv_record_rules(record)->game->seats;
	const struct game_session *before = s->chapter < 0 ? NULL : session_current(s);
	char kept[QV_MAX_SEATS][SESSION_SPEC];
	struct game_session game;
	if (game_session_init(&game, s->setup.context, record,
			      before ? &before->clock.control : &s->setup.control) != QV_OK)
		return no_memory(error);
	game.substitutes = true;
	if (before)
		game.clock = before->clock;
	/* Copied first, since they may be in a chapter that is moved or dropped now. */
	for (int i = 0; i < seat_count; i++)
		snprintf(kept[i], sizeof kept[i], "%s", seats[i]);
	/* Drops the chapters after this one, and the oldest if there are too many. */
	while (s->chapter_count > s->chapter + 1)
		game_session_release(&s->chapters[--s->chapter_count].game);
	if (s->chapter_count == SESSION_CHAPTERS) {
		game_session_release(&s->chapters[0].game);
		s->chapter_count--;
		memmove(s->chapters, s->chapters + 1, (SESSION_CHAPTERS - 1) * sizeof *s->chapters);
	}
	struct chapter *c = &s->chapters[s->chapter_count++];
	*c = (struct chapter){ .game = game, .number = s->begun++ };
	memcpy(c->seats, kept, (size_t)seat_count * sizeof kept[0]);
	open_chapter(s, s->chapter_count - 1);
	return QV_OK;
}

enum qv_status session_edit(struct session *s, const char *position, struct qv_error *error)
{
	const char *seats[QV_MAX_SEATS];
	const struct qv_rules *rules = qv_record_rules(session_record(s));
	struct qv_record *record = NULL;
	for (int i = 0; i < rules->game->seats; i++)
		seats[i] = session_spec(s, i);
	const enum qv_status status = record_new_seated(s->setup.context, rules, position, seats,
							rules->game->seats, &record, error);
	return status == QV_OK ? begin_chapter(s, record, seats, error) : status;
}

enum qv_status session_new_game(struct session *s, struct qv_error *error)
{
	char position[QV_POSITION_TEXT] = "";
	struct qv_text out = { position, sizeof position, 0 };
	session_game(s)->position_text(session_record(s)->kept, &out); /* the state at ply 0 */
	const enum qv_status status = session_edit(s, position, error);
	if (status == QV_OK) {
		const struct time_control control = session_current(s)->clock.control;
		game_clock_init(&session_current(s)->clock, &control);
	}
	return status;
}

/* ---- Loading ---- */

/* A person in the first seat, a computer of that level in the others; level 0: the middle one. */
static void default_seats(const struct qv_game *game, int level,
			  char seats[QV_MAX_SEATS][GAME_LEVEL_SPEC])
{
	for (int i = 0; i < game->seats; i++) {
		game_middle_level(game, seats[i]);
		if (level > 0)
			snprintf(seats[i], GAME_LEVEL_SPEC, "level:%d", level);
	}
	snprintf(seats[0], GAME_LEVEL_SPEC, "human");
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
	char defaults[QV_MAX_SEATS][GAME_LEVEL_SPEC];
	default_seats(rules->game, 0, defaults);
	for (int i = 0; i < rules->game->seats; i++)
		seats[i] = rules->game == session_game(s) ? session_spec(s, i) : defaults[i];
	json_t *header = json_loadb(data, size, JSON_DISABLE_EOF_CHECK, NULL);
	const json_t *list = json_object_get(header, "seats");
	/* The seats of the header replace the others if their players can be made here. */
	for (size_t i = 0; i < json_array_size(list) && i < (size_t)rules->game->seats; i++) {
		const char *spec = json_string_value(json_array_get(list, i));
		if (spec && check_seat(&s->setup, rules, spec, false, NULL) == QV_OK)
			seats[i] = spec;
	}
	status = begin_chapter(s, record, seats, error);
	json_decref(header);
	if (status != QV_OK)
		return status;
	/* If the record has the time left on every clock, the game continues with that. */
	struct game_clock *clock = &session_current(s)->clock;
	bool timed = true;
	for (int seat = 0; seat < rules->game->seats; seat++)
		timed &= qv_record_clock_left(record, seat) >= 0;
	if (timed && !game_clock_on(clock))
		clock->control.base_ms = qv_record_clock_left(record, 0) + 1;
	for (int seat = 0; timed && seat < rules->game->seats; seat++)
		game_clock_set(clock, seat, qv_record_clock_left(record, seat));
	return QV_OK;
}

/* ---- Creating and freeing ---- */

enum qv_status session_new(const struct session_setup *setup, struct session **out,
			   struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(setup->context);
	const struct qv_game *game = setup->rules->game;
	const char *seats[QV_MAX_SEATS], *hint = setup->hint ? setup->hint : "";
	char defaults[QV_MAX_SEATS][GAME_LEVEL_SPEC];
	struct qv_record *record = NULL;
	enum qv_status status = QV_OK;
	if (strlen(hint) >= SESSION_SPEC || strcmp(hint, "human") == 0)
		return qv_fail(error, QV_BAD_INPUT, "hint: a player is expected, not '%.40s'",
			       hint);
	default_seats(game, setup->level, defaults);
	for (int i = 0; i < game->seats && status == QV_OK; i++) {
		seats[i] = setup->seats[i] ? setup->seats[i] : defaults[i];
		status = check_seat(setup, setup->rules, seats[i], setup->programs, error);
	}
	if (status == QV_OK && *hint)
		status = check_seat(setup, setup->rules, hint, setup->programs, error);
	if (status == QV_OK)
		status = record_new_seated(setup->context, setup->rules, setup->position, seats,
					   game->seats, &record, error);
	if (status != QV_OK)
		return status;
	struct session *s = mem_new(allocator, 1, sizeof *s);
	if (s)
		s->chapters = mem_new(allocator, SESSION_CHAPTERS, sizeof *s->chapters);
	if (!s || !s->chapters) {
		mem_free(allocator, s, sizeof *s);
		qv_record_free(record);
		return no_memory(error);
	}
	s->allocator = allocator;
	s->chapter = -1;
	memcpy(s->hint, hint, strlen(hint) + 1);
	/* From here on the record has the rules; the caller's texts may go. */
	s->setup = *setup;
	s->setup.rules = NULL;
	s->setup.position = s->setup.hint = NULL;
	memset(s->setup.seats, 0, sizeof s->setup.seats);
	status = begin_chapter(s, record, seats, error);
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
	release_players(s);
	for (int i = 0; i < s->chapter_count; i++)
		game_session_release(&s->chapters[i].game);
	mem_free(s->allocator, s->chapters, SESSION_CHAPTERS * sizeof *s->chapters);
	mem_free(s->allocator, s, sizeof *s);
}

/* ---- Moves ---- */

enum qv_status session_play(struct session *s, qv_move move, struct qv_error *error)
{
	struct game_session *g = session_current(s);
	const int seat = session_seat(s);
	const bool timed = seat >= 0 && !s->setup.no_times;
	const double seconds = timed ? (double)g->clock.spent_ms / 1000 : -1;
	enum qv_status status = qv_record_play(g->record, move, seconds, error);
	if (status != QV_OK)
		return status;
	game_count_move(g, seat);
	/* A clock that could not be written down is not worth losing a move for. */
	if (game_clock_on(&g->clock) && seat >= 0 && session_left_ms(s, seat) >= 0)
		qv_record_clock(g->record, seat, session_left_ms(s, seat));
	if (!game_is_over(g) && qv_record_ply(g->record) >= GAME_MAX_PLIES)
		return qv_record_end(g->record, -1, GAME_TOO_LONG);
	return QV_OK;
}

enum qv_status session_report_end(struct session *s, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (int seat = 0; session_turn(s) == TURN_OVER && seat < session_game(s)->seats; seat++)
		if (s->players[seat] && status == QV_OK)
			status = qv_player_game_over(s->players[seat], session_state(s), error);
	return status;
}

enum qv_status session_roll(struct session *s, qv_move *rolled, struct qv_error *error)
{
	const uint64_t chapter = s->chapters[s->chapter].number;
	struct qv_random random = { .key = qv_random_key(s->setup.defaults.seed, ~chapter),
				    .next = (uint64_t)qv_record_ply(session_record(s)) };
	if (session_turn(s) == TURN_OVER || session_seat(s) != QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "dice: there is nothing to roll now");
	*rolled = game_random_move(session_current(s), &random);
	return session_play(s, *rolled, error);
}

enum qv_status session_give_up(struct session *s, int seat, const char *reason, bool *taken_over,
			       struct qv_error *error)
{
	struct game_session *g = session_current(s);
	char spec[GAME_LEVEL_SPEC];
	*taken_over = game_takes_over(g);
	if (*taken_over) {
		game_substitute(game_rules(g), session_spec(s, seat), spec);
		game_clock_take_over(&g->clock, seat);
		return session_set_seat(s, seat, spec, error);
	}
	const enum qv_status status =
		qv_record_end(g->record, game_winner_without(g, seat), reason);
	if (status == QV_NO_MEMORY)
		return no_memory(error);
	if (status != QV_OK)
		return qv_fail(error, status, "%s: the game is over", reason);
	return QV_OK;
}

/* ---- Undo and redo ---- */

/* Where a person acts; if nobody plays, at every move. */
static bool is_stop(const void *ctx, int seat)
{
	const struct session *s = ctx;
	if (seat == QV_CHANCE)
		return s->setup.typed_dice;
	return session_is_person(s, seat) || session_people(s) == 0;
}

/* After an undo or redo of the record: the time spent on the turn counts no more. */
static enum qv_status walked(struct session *s, enum qv_status status, struct qv_error *error)
{
	game_clock_new_turn(&session_current(s)->clock);
	if (status == QV_NO_MEMORY)
		return no_memory(error);
	return status == QV_OK
		       ? status
		       : qv_fail(error, status, "record: it would be longer than a record may be");
}

enum qv_status session_undo(struct session *s, int turns, int *plies, struct qv_error *error)
{
	struct game_session *g = session_current(s);
	const int back = game_undo_plies(g, turns, is_stop, s);
	*plies = -1;
	if (back < 0 && s->chapter == 0)
		return qv_fail(error, QV_ILLEGAL, "undo: there is no move to take back");
	if (back < 0) {
		open_chapter(s, s->chapter - 1);
		return QV_OK;
	}
	const enum qv_status status = qv_record_undo(g->record, back, plies);
	game_clock_take_back(&g->clock);
	return walked(s, status, error);
}

enum qv_status session_redo(struct session *s, int turns, int *plies, struct qv_error *error)
{
	struct game_session *g = session_current(s);
	const int forward = game_redo_plies(g, turns, is_stop, s);
	*plies = -1;
	if (forward || game_can_redo_end(g))
		return walked(s, qv_record_redo(g->record, forward, plies), error);
	if (s->chapter + 1 == s->chapter_count)
		return qv_fail(error, QV_ILLEGAL, "redo: nothing has been taken back");
	open_chapter(s, s->chapter + 1);
	return QV_OK;
}
