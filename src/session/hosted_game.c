/*
 * hosted_game.c - a game in progress on the web: turns and their clocks, moves, what is due.
 * SPDX-License-Identifier: MIT
 *
 * Every change of position or seats stands between turn_stop, which charges the clock, and turn_go,
 * which stores the clocks, commits the dice and lets the clock run on.
 */
#include "session/hosted_inside.h"

#include <math.h>

#include "search/allot.h"

enum { LEAST_MS = 10 }; /* for a computer's move, however late it is */

enum verdict hosted_refuse(struct qv_error *error, enum verdict verdict, const char *format, ...)
{
	char text[sizeof error->text];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	qv_fail(error, QV_ILLEGAL, "%s", text);
	return verdict;
}

enum verdict hosted_no_memory(struct hosted_game *p, struct qv_error *error)
{
	if (p)
		p->broken = true;
	return hosted_refuse(error, VERDICT_NO_MEMORY, "game: out of memory");
}

/* ---- Turns ---- */

int64_t clock_stored(const struct hosted_game *p, int seat)
{
	const int64_t left = qv_record_clock_left(p->game.record, seat);
	return left >= 0 ? left : p->game.clock.control.base_ms;
}

void turn_stop(struct hosted_game *p, int64_t now)
{
	game_clock_stop(&p->game.clock, now);
}

/* A clock event for each seat whose clock says something new. */
static bool write_clocks(struct hosted_game *p)
{
	for (int seat = 0; game_clock_on(&p->game.clock) && seat < p->seat_count; seat++) {
		if (p->game.clock.left_us[seat] < 0)
			game_clock_set(&p->game.clock, seat, 0);
		const int64_t left = game_clock_left(&p->game.clock, seat, 0);
		if (left != clock_stored(p, seat) && !do_clock(p, seat, left))
			return false;
	}
	return true;
}

static bool commit_dice(struct hosted_game *p)
{
	unsigned char secret[DICE_SECRET];
	char hex[DICE_HEX];
	const int32_t node = p->game.record->line[p->game.record->ply].node;
	if (!hosted_dice_due(p) || roll_at(p, node))
		return true;
	p->host.random(p->host.ctx, secret, sizeof secret);
	dice_hex(secret, hex);
	return say(p, json_pack("{s:s, s:s}", "play", "commit", "secret", hex));
}

static void start_clock(struct hosted_game *p, int64_t now)
{
	game_clock_new_turn(&p->game.clock);
	game_clock_start(&p->game.clock, game_clock_on(&p->game.clock) ? hosted_clock_seat(p) : -1,
			 now);
	p->turn_began = now;
}

enum verdict turn_go(struct hosted_game *p, bool done, int64_t now, struct qv_error *error)
{
	if (!done || !write_clocks(p) || !commit_dice(p))
		return hosted_no_memory(p, error);
	start_clock(p, now);
	return VERDICT_OK;
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
	turn_stop(p, now);
	p->paused = paused;
	start_clock(p, now);
}

/* ---- Moves ---- */

enum verdict hosted_ready(const struct hosted_game *p, int64_t now, struct qv_error *error)
{
	if (p->broken)
		return hosted_refuse(error, VERDICT_NO_MEMORY, "game: it has to be loaded again");
	/* hosted_tick will end the game or replace the player; nothing may come before that. */
	const int64_t flag = game_clock_due(&p->game.clock);
	if (flag >= 0 && flag <= now)
		return hosted_refuse(error, VERDICT_NOT_NOW, "time: the flag of seat %d has fallen",
				     p->game.clock.seat + 1);
	return VERDICT_OK;
}

/* May this user move now? With typed dice a roll is a move. */
static enum verdict check_mover(const struct hosted_game *p, const char *user,
				struct qv_error *error)
{
	const int seat = game_seat_to_move(&p->game);
	if (!hosted_is_seated(p, user) && !(hosted_governs(p, user) && seat == QV_CHANCE))
		return hosted_refuse(error, VERDICT_NOT_YOURS,
				     "move: you have no seat in this game");
	if (game_is_over(&p->game))
		return hosted_refuse(error, VERDICT_NOT_NOW, "move: the game is over");
	if (seat == QV_CHANCE && !p->typed_dice)
		return hosted_refuse(error, VERDICT_NOT_NOW, "move: roll the dice first");
	if (seat == QV_CHANCE ? !hosted_may_roll(p, user) : !seat_is(p, seat, user))
		return hosted_refuse(error, VERDICT_NOT_NOW, "move: it is the turn of seat %d",
				     (seat == QV_CHANCE ? game_roller(&p->game) : seat) + 1);
	if (hosted_is_full(p, 0))
		return hosted_refuse(error, VERDICT_NOT_NOW, "move: the game has become too long");
	return VERDICT_OK;
}

/* Makes a legal move for the seat to move. seconds < 0: by the clock. */
static enum verdict make_move(struct hosted_game *p, qv_move move, double seconds, int64_t now,
			      struct qv_error *error)
{
	const int seat = game_seat_to_move(&p->game), offers = offers_open(p);
	const int64_t took = now > p->turn_began ? now - p->turn_began : 0;
	if (seconds < 0)
		seconds = (double)took / 1000;
	else
		seconds = (double)llround(seconds * 1000) / 1000; /* as it is stored */
	const bool timed = p->started; /* the first move of all costs nothing, and earns nothing */
	turn_stop(p, now);
	const bool done = do_play(p, move, seat == QV_CHANCE ? -1 : seconds);
	if (done && timed)
		game_count_move(&p->game, seat);
	const enum verdict verdict = turn_go(p, done, now, error);
	p->only_moved = verdict == VERDICT_OK && offers_open(p) == offers;
	return verdict;
}

enum verdict hosted_move(struct hosted_game *p, const struct hosted_user *who, const char *move,
			 int64_t now, struct qv_error *error)
{
	qv_move parsed;
	if (!*move || strlen(move) >= QV_MOVE_TEXT)
		return hosted_refuse(error, VERDICT_MALFORMED,
				     "move: a text of 1 to %d bytes is expected", QV_MOVE_TEXT - 1);
	enum verdict verdict = hosted_ready(p, now, error);
	if (verdict == VERDICT_OK)
		verdict = check_mover(p, who->user, error);
	if (verdict != VERDICT_OK)
		return verdict;
	if (qv_move_parse(p->game.record->rules.game, p->game.record->state, move, &parsed,
			  error) != QV_OK)
		return VERDICT_NOT_NOW;
	return make_move(p, parsed, -1, now, error);
}

bool hosted_only_moved(const struct hosted_game *p)
{
	return p->only_moved;
}

/* ---- Computers ---- */

/* How long a move may take, and should, by the clock. */
static void allot_time(const struct hosted_game *p, int seat, int64_t now, struct hosted_think *out)
{
	const struct allot_clock clock = { .left_ms = game_clock_left(&p->game.clock, seat, now),
					   .added_ms = p->game.clock.control.added_ms,
					   .lag_ms = ALLOT_LAG_MS };
	struct qv_limits limits = { 0 };
	if (!game_clock_on(&p->game.clock))
		return;
	allot(&clock, &limits);
	out->time_ms = limits.time_ms > LEAST_MS ? limits.time_ms : LEAST_MS;
	out->aim_ms = limits.aim_ms;
}

static bool is_computers_turn(const struct hosted_game *p)
{
	const int seat = game_seat_to_move(&p->game);
	return !p->broken && !game_is_over(&p->game) && seat != QV_CHANCE &&
	       p->seats[seat].kind == SEAT_COMPUTER;
}

bool hosted_wants_think(const struct hosted_game *p, int64_t now, struct hosted_think *out)
{
	if (!is_computers_turn(p) || p->paused || hosted_is_full(p, 0))
		return false;
	const int seat = game_seat_to_move(&p->game);
	*out = (struct hosted_think){ .turn = p->turn, .seat = seat, .spec = p->seats[seat].spec };
	allot_time(p, seat, now, out);
	return true;
}

static enum verdict check_turn(const struct hosted_game *p, uint64_t turn, int64_t now,
			       struct qv_error *error)
{
	const enum verdict verdict = hosted_ready(p, now, error);
	if (verdict == VERDICT_OK && (turn != p->turn || !is_computers_turn(p)))
		return hosted_refuse(error, VERDICT_NOT_NOW, "move: the game has moved on");
	return verdict;
}

enum verdict hosted_computer_move(struct hosted_game *p, uint64_t turn, qv_move move,
				  double seconds, int64_t now, struct qv_error *error)
{
	const enum verdict verdict = check_turn(p, turn, now, error);
	if (verdict != VERDICT_OK)
		return verdict;
	if (!qv_move_legal(p->game.record->rules.game, p->game.record->state, move))
		return hosted_refuse(error, VERDICT_NOT_NOW, "move: the rules forbid it here");
	if (hosted_is_full(p, 0) || !(seconds < 1e6))
		return hosted_refuse(error, VERDICT_NOT_NOW,
				     "move: the game or the time is too long");
	return make_move(p, move, seconds, now, error);
}

enum verdict hosted_computer_fails(struct hosted_game *p, uint64_t turn, int64_t now,
				   struct qv_error *error)
{
	const enum verdict verdict = check_turn(p, turn, now, error);
	if (verdict != VERDICT_OK)
		return verdict;
	p->only_moved = false;
	turn_stop(p, now);
	return turn_go(p, seat_gives_up(p, game_seat_to_move(&p->game), "resigns"), now, error);
}

/* ---- Giving up ---- */

enum verdict hosted_decide(struct hosted_game *p, int winner, const char *reason, int64_t now,
			   struct qv_error *error)
{
	const enum verdict verdict = hosted_ready(p, now, error);
	if (verdict == VERDICT_OK && game_is_over(&p->game))
		return hosted_refuse(error, VERDICT_NOT_NOW, "game: it is over");
	if (verdict != VERDICT_OK)
		return verdict;
	p->only_moved = false;
	turn_stop(p, now);
	return turn_go(p, do_end(p, winner, reason), now, error);
}

static bool take_over(struct hosted_game *p, int seat)
{
	char spec[GAME_LEVEL_SPEC];
	game_substitute(game_rules(&p->game), p->seats[seat].spec, spec);
	game_clock_take_over(&p->game.clock, seat);
	return say(p, json_pack("{s:s, s:i, s:s}", "play", "sit", "seat", seat + 1, "spec", spec));
}

bool seat_gives_up(struct hosted_game *p, int seat, const char *reason)
{
	if (game_takes_over(&p->game))
		return take_over(p, seat);
	return do_end(p, game_winner_without(&p->game, seat), reason);
}

/* ---- Dice ---- */

bool roll_dice(struct hosted_game *p, const char *seed)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	const struct dice_roll *at = roll_at(p, r->line[r->ply].node);
	struct dice dice = { .seed = seed, .game = p->id, .ply = r->ply };
	if (at->rolled) /* and taken back: the same roll comes again */
		dice.seed = at->seed;
	memcpy(dice.secret, at->secret, sizeof dice.secret);
	const uint64_t number = p->host.roll(p->host.ctx, &dice, dice_weights(game, r->state));
	json_t *event = json_pack("{s:s, s:s, s:I}", "play", "throw", "seed", dice.seed, "number",
				  (json_int_t)number);
	return say(p, event) && do_play(p, dice_outcome(game, r->state, number), -1);
}

/* ---- What is due ---- */

/* When the server rolls for a seat without a person. */
static int64_t dice_due(const struct hosted_game *p)
{
	if (!hosted_dice_due(p) || hosted_is_full(p, 0) ||
	    p->seats[game_roller(&p->game)].kind == SEAT_PERSON)
		return -1;
	return p->turn_began + HOSTED_DICE_MS;
}

int64_t hosted_due(const struct hosted_game *p)
{
	if (p->broken || p->paused)
		return -1;
	const int64_t flag = game_clock_due(&p->game.clock), dice = dice_due(p);
	return flag < 0 || (dice >= 0 && dice < flag) ? dice : flag;
}

bool hosted_tick(struct hosted_game *p, int64_t now, bool *broken)
{
	const int64_t due = hosted_due(p);
	if (broken)
		*broken = p->broken;
	if (due < 0 || due > now)
		return false;
	const bool flag = due == game_clock_due(&p->game.clock);
	const int seat = p->game.clock.seat, offers = offers_open(p);
	turn_stop(p, now);
	const bool done = flag ? seat_gives_up(p, seat, "time") : roll_dice(p, "");
	const bool fine = turn_go(p, done, now, NULL) == VERDICT_OK;
	p->only_moved = !flag && fine && offers_open(p) == offers;
	if (broken)
		*broken = !fine;
	return fine;
}

/* ---- Rematch ---- */

bool hosted_rematch_due(const struct hosted_game *p)
{
	return p->rematch_due;
}

void hosted_rematch_setup(const struct hosted_game *p, struct hosted_setup *out)
{
	*out = (struct hosted_setup){
		.owner = p->owner,
		.rules = &p->game.record->rules,
		.position = p->start,
		.seat_count = p->seat_count,
		.clock = p->control_text,
		.typed_dice = p->typed_dice,
		.closed = p->closed,
	};
	for (int i = 0; i < p->seat_count; i++)
		out->seats[(i + 1) % p->seat_count] = p->seats[i];
}

enum verdict hosted_rematched(struct hosted_game *p, const char *id, struct qv_error *error)
{
	if (!p->rematch_due || !hosted_id_ok(id))
		return hosted_refuse(error, VERDICT_NOT_NOW,
				     "rematch: none is due, or its id is malformed");
	p->only_moved = false;
	if (!say(p, json_pack("{s:s, s:s}", "play", "next", "id", id)))
		return hosted_no_memory(p, error);
	return VERDICT_OK;
}
