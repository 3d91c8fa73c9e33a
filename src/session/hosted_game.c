/*
 * hosted_game.c - a game in progress on the web: who may do what, turns and their clocks, moves,
 * what is due.
 * SPDX-License-Identifier: MIT
 *
 * Every change of position or seats stands between game_clock_stop, which charges the clock, and
 * turn_go, which stores the clocks, commits the dice and starts the clock again. A computer thinks
 * outside: the caller polls hosted_wants_think and hands the move back with the number of the turn,
 * so a move that comes too late is refused.
 */
#include "session/hosted_inside.h"

#include <math.h>

#include "search/budget.h"

enum { LEAST_MS = 10 }; /* for a computer's move, however late it is */

/* ---- Refusals ---- */

bool refuse(struct request *q, enum verdict verdict, const char *format, ...)
{
	char text[sizeof q->error->text];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	qv_fail(q->error, QV_ILLEGAL, "%s", text);
	q->verdict = verdict;
	return false;
}

bool not_now(struct request *q, const char *format, ...)
{
	char text[sizeof q->error->text];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return refuse(q, VERDICT_NOT_NOW, "%s", text);
}

bool out_of_memory(struct hosted_game *p, struct request *q)
{
	if (p)
		p->broken = true;
	return refuse(q, VERDICT_NO_MEMORY, "game: out of memory");
}

/* ---- Who may do what ---- */

bool seat_is(const struct hosted_game *p, int seat, const char *user)
{
	return p->seats[seat].kind == SEAT_PERSON && *user &&
	       strcmp(p->seats[seat].user, user) == 0;
}

unsigned seats_of(const struct hosted_game *p, const char *user)
{
	unsigned mask = 0;
	for (int i = 0; i < p->seat_count; i++)
		mask |= (unsigned)seat_is(p, i, user) << i;
	return mask;
}

int count_seats(const struct hosted_game *p, enum hosted_seat_kind kind)
{
	int count = 0;
	for (int i = 0; i < p->seat_count; i++)
		count += p->seats[i].kind == kind;
	return count;
}

bool hosted_is_free(const struct hosted_game *p)
{
	const char *first = NULL;
	for (int i = 0; i < p->seat_count; i++) {
		if (p->seats[i].kind != SEAT_PERSON)
			continue;
		if (first && strcmp(first, p->seats[i].user) != 0)
			return false;
		first = p->seats[i].user;
	}
	return true;
}

bool hosted_governs(const struct hosted_game *p, const char *user)
{
	if (count_seats(p, SEAT_PERSON) == 0)
		return *user && strcmp(p->owner, user) == 0;
	return seats_of(p, user) != 0;
}

bool hosted_may_roll(const struct hosted_game *p, const char *user)
{
	const int seat = game_roller(&p->game);
	return p->seats[seat].kind == SEAT_PERSON ? seat_is(p, seat, user)
						  : hosted_governs(p, user);
}

bool hosted_dice_due(const struct hosted_game *p)
{
	return !game_is_over(&p->game) && !p->typed_dice &&
	       game_seat_to_move(&p->game) == QV_CHANCE;
}

bool hosted_is_full(const struct hosted_game *p, size_t more)
{
	return p->lines + more > HOSTED_MAX_LINES - HOSTED_MARGIN;
}

/* ---- Turns ---- */

int64_t clock_stored(const struct hosted_game *p, int seat)
{
	const int64_t left = qv_record_clock_left(p->game.record, seat);
	return left >= 0 ? left : p->game.clock.control.base_ms;
}

static bool is_person(const void *ctx, int seat)
{
	const struct hosted_game *p = ctx;
	return p->seats[seat].kind == SEAT_PERSON;
}

/*
 * Begins a turn. No clock runs while nobody watches, before the first move, or if a seat is open.
 */
static void start_clock(struct hosted_game *p, int64_t now)
{
	const bool runs = game_clock_on(&p->game.clock) && !p->paused && p->started &&
			  !hosted_has_open_seat(p);
	game_clock_new_turn(&p->game.clock);
	game_clock_start(&p->game.clock, runs ? game_time_seat(&p->game, is_person, p) : -1, now);
	p->turn_began = now;
}

/* Begins a turn of some days, if this is another one than the last. */
static bool begin_days(struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	struct game_clock *clock = &p->game.clock;
	if (!p->started || game_is_over(&p->game) || hosted_has_open_seat(p) ||
	    p->turn_node == r->line[r->ply].node)
		return true;
	for (int seat = 0; seat < p->seat_count; seat++)
		game_clock_set(clock, seat, clock->control.base_ms);
	return emit(p, json_pack("{s:s, s:I}", "play", "turn", "at",
				 (json_int_t)p->host.seconds(p->host.ctx)));
}

void days_resume(struct hosted_game *p)
{
	struct game_clock *clock = &p->game.clock;
	const int seat = game_time_seat(&p->game, is_person, p);
	const int64_t passed = p->host.seconds(p->host.ctx) - p->turn_second;
	if (p->turn_node >= 0 && seat >= 0 && passed > 0)
		game_clock_set(clock, seat, clock->control.base_ms - 1000 * passed);
}

bool turn_go(struct hosted_game *p, struct request *q, bool done)
{
	const struct qv_record *r = p->game.record;
	struct game_clock *clock = &p->game.clock;
	const bool days = clock->control.each_move;
	if (done && days)
		done = begin_days(p);
	/* A clock event for each seat whose clock differs from what is stored. */
	for (int seat = 0; done && game_clock_on(clock) && !days && seat < p->seat_count; seat++) {
		if (clock->left_us[seat] < 0)
			game_clock_set(clock, seat, 0);
		const int64_t left = game_clock_left(clock, seat, 0);
		done = left == clock_stored(p, seat) || do_clock(p, seat, left);
	}
	/* The secret of a roll is determined before anybody can send a seed for it. */
	if (done && hosted_dice_due(p) && !roll_at(p, r->line[r->ply].node)) {
		unsigned char drawn[DICE_SECRET];
		char hex[DICE_HEX];
		p->host.random(p->host.ctx, drawn, sizeof drawn);
		dice_hex(drawn, hex);
		done = emit(p, json_pack("{s:s, s:s}", "play", "commit", "drawn", hex));
	}
	if (!done)
		return out_of_memory(p, q);
	/* "Move now" is for the whole turn of a seat, which may have several moves. */
	if (p->hurried != game_seat_to_move(&p->game) + 1)
		p->hurried = 0;
	start_clock(p, q->now);
	return true;
}

void hosted_committed(struct hosted_game *p, uint64_t version, int64_t now)
{
	if (version != p->turn || now <= p->turn_began)
		return;
	p->turn_began = now;
	p->game.clock.since_ms = now;
}

void hosted_pause(struct hosted_game *p, bool paused, int64_t now)
{
	if (paused == p->paused)
		return;
	game_clock_stop(&p->game.clock, now);
	p->paused = paused;
	start_clock(p, now);
}

/* ---- Moves ---- */

bool hosted_ready(const struct hosted_game *p, struct request *q)
{
	if (p->broken)
		return refuse(q, VERDICT_NO_MEMORY, "game: it has to be loaded again");
	/* hosted_tick will end the game or replace the player; nothing may come before that. */
	const int64_t flag = game_clock_due(&p->game.clock);
	if (flag >= 0 && flag <= q->now)
		return not_now(q, "time: the flag of seat %d has fallen", p->game.clock.seat + 1);
	return true;
}

/* May this user move now? With typed dice a roll is a move. */
static bool check_mover(const struct hosted_game *p, struct request *q)
{
	const char *user = q->who->user;
	const int seat = game_seat_to_move(&p->game);
	if (!hosted_is_seated(p, user) && !(hosted_governs(p, user) && seat == QV_CHANCE))
		return refuse(q, VERDICT_NOT_YOURS, "move: you have no seat in this game");
	if (game_is_over(&p->game))
		return not_now(q, "move: the game is over");
	if (seat == QV_CHANCE && !p->typed_dice)
		return not_now(q, "move: roll the dice first");
	if (seat == QV_CHANCE ? !hosted_may_roll(p, user) : !seat_is(p, seat, user))
		return not_now(q, "move: it is the turn of seat %d",
			       (seat == QV_CHANCE ? game_roller(&p->game) : seat) + 1);
	if (hosted_is_full(p, 0))
		return not_now(q, "move: the game has become too long");
	return true;
}

/* Plays a move or a roll. A game without room for another one is a draw. */
static bool play_or_end(struct hosted_game *p, qv_move move, double seconds)
{
	return do_play(p, move, seconds) &&
	       (game_is_over(&p->game) || !hosted_is_full(p, 0) || do_end(p, -1, GAME_TOO_LONG));
}

/* Makes a legal move for the seat to move. seconds < 0: by the clock. */
static enum verdict make_move(struct hosted_game *p, struct request *q, qv_move move,
			      double seconds)
{
	const int seat = game_seat_to_move(&p->game), offers = offers_open(p);
	const int64_t took = q->now > p->turn_began ? q->now - p->turn_began : 0;
	if (seconds < 0)
		seconds = (double)took / 1000;
	else
		seconds = (double)llround(seconds * 1000) / 1000; /* as it is stored */
	const bool timed = p->started; /* the first move of all costs nothing, and earns nothing */
	game_clock_stop(&p->game.clock, q->now);
	const char *const memory = p->memory; /* a lesson makes a new text */
	const bool done =
		play_or_end(p, move, seat == QV_CHANCE ? -1 : seconds) && learn_from_end(p);
	if (done && timed)
		game_count_move(&p->game, seat);
	p->only_moved = turn_go(p, q, done) && offers_open(p) == offers && p->memory == memory;
	return q->verdict;
}

enum verdict hosted_move(struct hosted_game *p, const struct hosted_user *who, const char *move,
			 int64_t now, struct qv_error *error)
{
	struct request q = { .who = who, .now = now, .error = error };
	const struct qv_record *r = p->game.record;
	qv_move parsed;
	if (!*move || strlen(move) >= QV_MOVE_TEXT)
		refuse(&q, VERDICT_MALFORMED, "move: a text of 1 to %d bytes is expected",
		       QV_MOVE_TEXT - 1);
	else if (hosted_ready(p, &q) && check_mover(p, &q))
		return qv_move_parse(r->rules.game, r->state, move, &parsed, error) == QV_OK
			       ? make_move(p, &q, parsed, -1)
			       : VERDICT_NOT_NOW;
	return q.verdict;
}

bool hosted_only_moved(const struct hosted_game *p)
{
	return p->only_moved;
}

/* ---- Computers ---- */

static bool is_computers_turn(const struct hosted_game *p)
{
	const int seat = game_seat_to_move(&p->game);
	return !p->broken && !game_is_over(&p->game) && seat != QV_CHANCE &&
	       p->seats[seat].kind == SEAT_COMPUTER;
}

bool hosted_is_thinking(const struct hosted_game *p)
{
	return is_computers_turn(p) && !p->paused && !hosted_is_full(p, 0);
}

bool hosted_uses_own_engine(const struct hosted_game *p)
{
	const struct qv_game *game = p->game.record->rules.game;
	if (!p->own_engine || !hosted_is_free(p) || game_clock_on(&p->game.clock) ||
	    (game->chance && !p->typed_dice))
		return false;
	for (int i = 0; i < p->seat_count; i++)
		if (p->seats[i].kind == SEAT_COMPUTER &&
		    strcmp(p->seats[i].spec, LEARNER_SPEC) == 0)
			return false;
	return true;
}

bool hosted_wants_think(const struct hosted_game *p, int64_t now, struct hosted_think *out)
{
	if (!hosted_is_thinking(p) || hosted_uses_own_engine(p))
		return false;
	const int seat = game_seat_to_move(&p->game);
	*out = (struct hosted_think){ .turn = p->turn,
				      .seat = seat,
				      .spec = p->seats[seat].spec,
				      .now = p->hurried == seat + 1 };
	struct qv_limits limits = { 0 };
	game_allocate_time(&p->game, seat, now, MOVE_LAG_MS, &limits);
	if (game_clock_on(&p->game.clock) && !p->game.clock.control.each_move)
		out->time_ms = limits.time_ms > LEAST_MS ? limits.time_ms : LEAST_MS;
	out->aim_ms = limits.aim_ms;
	out->memory = strcmp(out->spec, LEARNER_SPEC) == 0 ? p->memory : NULL;
	return true;
}

/* The game must still be in the turn for which the computer was started. */
static bool check_turn(const struct hosted_game *p, struct request *q, uint64_t turn)
{
	if (!hosted_ready(p, q))
		return false;
	return (turn == p->turn && is_computers_turn(p)) ||
	       not_now(q, "move: the game has moved on");
}

enum verdict hosted_computer_move(struct hosted_game *p, uint64_t turn, qv_move move,
				  double seconds, int64_t now, struct qv_error *error)
{
	struct request q = { .now = now, .error = error };
	if (!check_turn(p, &q, turn))
		return q.verdict;
	if (!qv_move_legal(p->game.record->rules.game, p->game.record->state, move))
		not_now(&q, "move: the rules forbid it here");
	else if (hosted_is_full(p, 0) || !(seconds < 1e6))
		not_now(&q, "move: the game or the time is too long");
	else
		make_move(p, &q, move, seconds);
	return q.verdict;
}

enum verdict hosted_engine_move(struct hosted_game *p, const struct hosted_user *who, uint64_t turn,
				const char *move, int64_t now, struct qv_error *error)
{
	struct request q = { .who = who, .now = now, .error = error };
	const struct qv_record *r = p->game.record;
	qv_move parsed;
	if (!hosted_governs(p, who->user))
		refuse(&q, VERDICT_NOT_YOURS, "move: only a player of this game may do that");
	else if (!hosted_uses_own_engine(p))
		not_now(&q, "move: the server's engine thinks in this game");
	else if (check_turn(p, &q, turn))
		return qv_move_parse(r->rules.game, r->state, move, &parsed, error) == QV_OK
			       ? hosted_computer_move(p, turn, parsed, -1, now, error)
			       : VERDICT_NOT_NOW;
	return q.verdict;
}

enum verdict hosted_computer_fails(struct hosted_game *p, uint64_t turn, int64_t now,
				   struct qv_error *error)
{
	struct request q = { .now = now, .error = error };
	if (check_turn(p, &q, turn)) {
		p->only_moved = false;
		game_clock_stop(&p->game.clock, now);
		turn_go(p, &q, seat_gives_up(p, game_seat_to_move(&p->game), "resigns"));
	}
	return q.verdict;
}

/* ---- Giving up ---- */

enum verdict hosted_decide(struct hosted_game *p, int winner, const char *reason, int64_t now,
			   struct qv_error *error)
{
	struct request q = { .now = now, .error = error };
	if (hosted_ready(p, &q) && (!game_is_over(&p->game) || not_now(&q, "game: it is over"))) {
		p->only_moved = false;
		game_clock_stop(&p->game.clock, now);
		turn_go(p, &q, do_end(p, winner, reason));
	}
	return q.verdict;
}

enum verdict hosted_abandoned(struct hosted_game *p, int seat, int64_t now, struct qv_error *error)
{
	struct request q = { .now = now, .error = error };
	if (hosted_ready(p, &q) && (!game_is_over(&p->game) || not_now(&q, "game: it is over"))) {
		p->only_moved = false;
		game_clock_stop(&p->game.clock, now);
		turn_go(p, &q, seat_gives_up(p, seat, "disconnect"));
	}
	return q.verdict;
}

bool seat_gives_up(struct hosted_game *p, int seat, const char *reason)
{
	char spec[GAME_LEVEL_SPEC];
	if (!game_takes_over(&p->game))
		return do_end(p, game_winner_without(&p->game, seat), reason);
	game_substitute(game_rules(&p->game), p->seats[seat].spec, spec);
	game_clock_take_over(&p->game.clock, seat);
	return emit(p, json_pack("{s:s, s:i, s:s}", "play", "sit", "seat", seat + 1, "spec", spec));
}

/* ---- Dice and what is due ---- */

void roll_secret(const struct hosted_game *p, const struct dice_roll *at,
		 unsigned char out[DICE_SECRET])
{
	if (at->rolled)
		memcpy(out, at->secret, DICE_SECRET);
	else
		p->host.secret(p->host.ctx, p->id, at->drawn, out);
}

bool roll_dice(struct hosted_game *p, const char *seed)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	const struct dice_roll *at = roll_at(p, r->line[r->ply].node);
	struct dice dice = { .seed = seed, .game = p->id, .ply = r->ply };
	if (at->rolled) /* and taken back: the same roll comes again */
		dice.seed = at->seed;
	char secret[DICE_HEX];
	roll_secret(p, at, dice.secret);
	dice_hex(dice.secret, secret);
	const uint64_t number = p->host.roll(p->host.ctx, &dice, dice_weights(game, r->state));
	json_t *event = json_pack("{s:s, s:s, s:s, s:I}", "play", "throw", "secret", secret, "seed",
				  dice.seed, "number", (json_int_t)number);
	return emit(p, event) && play_or_end(p, dice_outcome(game, r->state, number), -1);
}

int64_t hosted_due(const struct hosted_game *p)
{
	if (p->broken || p->paused)
		return -1;
	/* The server rolls for a seat without a person. */
	const bool rolls = hosted_dice_due(p) && !hosted_is_full(p, 0) &&
			   p->seats[game_roller(&p->game)].kind != SEAT_PERSON;
	const int64_t flag = game_clock_due(&p->game.clock),
		      dice = rolls ? p->turn_began + HOSTED_DICE_MS : -1;
	return flag < 0 || (dice >= 0 && dice < flag) ? dice : flag;
}

bool hosted_tick(struct hosted_game *p, int64_t now, bool *broken)
{
	struct request q = { .now = now };
	const int64_t due = hosted_due(p);
	bool done = due >= 0 && due <= now;
	if (done) {
		const bool flag = due == game_clock_due(&p->game.clock);
		const int seat = p->game.clock.seat, offers = offers_open(p);
		game_clock_stop(&p->game.clock, now);
		done = turn_go(p, &q, flag ? seat_gives_up(p, seat, "time") : roll_dice(p, ""));
		p->only_moved = !flag && done && offers_open(p) == offers;
	}
	if (broken)
		*broken = p->broken;
	return done;
}

/* ---- Rematch ---- */

bool hosted_rematch_due(const struct hosted_game *p)
{
	return p->rematch_due;
}

void hosted_rematch_setup(const struct hosted_game *p, struct hosted_setup *out)
{
	*out = (struct hosted_setup){ .owner = p->owner,
				      .rules = &p->game.record->rules,
				      .position = p->start,
				      .seat_count = p->seat_count,
				      .clock = p->control_text,
				      .memory = p->memory,
				      .typed_dice = p->typed_dice,
				      .closed = p->closed,
				      .own_engine = p->own_engine };
	for (int i = 0; i < p->seat_count; i++)
		out->seats[(i + 1) % p->seat_count] = p->seats[i];
}

enum verdict hosted_rematched(struct hosted_game *p, const char *id, struct qv_error *error)
{
	struct request q = { .error = error };
	if (!p->rematch_due || !hosted_id_ok(id)) {
		not_now(&q, "rematch: none is due, or its id is malformed");
		return q.verdict;
	}
	p->only_moved = false;
	if (!emit(p, json_pack("{s:s, s:s}", "play", "next", "id", id)))
		out_of_memory(p, &q);
	return q.verdict;
}

/* ---- Queries ---- */

const char *hosted_owner(const struct hosted_game *p)
{
	return p->owner;
}

uint64_t hosted_version(const struct hosted_game *p)
{
	return p->version;
}

bool hosted_private(const struct hosted_game *p)
{
	return p->closed;
}

int64_t hosted_created(const struct hosted_game *p)
{
	return p->created;
}

bool hosted_over(const struct hosted_game *p)
{
	return game_is_over(&p->game);
}

bool hosted_has_open_seat(const struct hosted_game *p)
{
	return count_seats(p, SEAT_OPEN) > 0;
}

bool hosted_is_rated(const struct hosted_game *p)
{
	return !p->unrated;
}

int hosted_seat_to_act(const struct hosted_game *p)
{
	const int seat = game_seat_to_move(&p->game);
	if (game_is_over(&p->game) || hosted_has_open_seat(p))
		return -1;
	return seat == QV_CHANCE ? game_roller(&p->game) : seat;
}

int64_t hosted_turn_began(const struct hosted_game *p)
{
	return p->turn_began;
}

int64_t hosted_time_left(const struct hosted_game *p, int seat, int64_t now)
{
	if (!game_clock_on(&p->game.clock))
		return -1;
	const int64_t left = game_clock_left(&p->game.clock, seat, now);
	return left > 0 ? left : 0;
}

int hosted_seat_count(const struct hosted_game *p)
{
	return p->seat_count;
}

const struct hosted_seat *hosted_seat_at(const struct hosted_game *p, int seat)
{
	return &p->seats[seat];
}

bool hosted_is_seated(const struct hosted_game *p, const char *user)
{
	return seats_of(p, user) != 0;
}

bool hosted_has_person(const struct hosted_game *p)
{
	return count_seats(p, SEAT_PERSON) > 0;
}

const struct qv_record *hosted_record(const struct hosted_game *p)
{
	return p->game.record;
}
