/*
 * play.c - a game in progress on the web: turns and their clocks, moves, what is due.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/play_inside.h"

#include <math.h>

#include "search/allot.h"

enum { LEAST_MS = 10 };            /* for a computer's move, however late it is */

play_verdict play_refuse(struct qv_error *error, play_verdict verdict, const char *format, ...)
{
	char text[sizeof error->text];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	qv_fail(error, QV_ILLEGAL, "%s", text);
	return verdict;
}

play_verdict play_no_memory(struct play *p, struct qv_error *error)
{
	if (p)
		p->broken = true;
	return play_refuse(error, 503, "play: out of memory");
}

/* ---- Turns ---- */

int64_t clock_stored(const struct play *p, int seat)
{
	const int64_t left = qv_record_clock_left(p->record, seat);
	return left >= 0 ? left : p->timer.terms.base_ms;
}

void turn_stop(struct play *p, int64_t now)
{
	timer_stop(&p->timer, now);
}

void lift_flags(struct play *p)
{
	for (int seat = 0; seat < p->seat_count; seat++)
		if (p->timer.left_ms[seat] <= 0)
			p->timer.left_ms[seat] = PLAY_MERCY_MS;
}

/* A clock event for each seat whose clock says something new. */
static bool write_clocks(struct play *p)
{
	for (int seat = 0; timer_on(&p->timer) && seat < p->seat_count; seat++) {
		int64_t *left = &p->timer.left_ms[seat];
		*left = *left > 0 ? *left : 0;
		if (*left != clock_stored(p, seat) && !do_clock(p, seat, *left))
			return false;
	}
	return true;
}

static bool promise_dice(struct play *p)
{
	unsigned char secret[DICE_SECRET];
	char hex[DICE_HEX];
	const int32_t node = p->record->line[p->record->ply].node;
	if (!play_dice_due(p) || throw_at(p, node))
		return true;
	p->host.random(p->host.ctx, secret, sizeof secret);
	dice_hex(secret, hex);
	return say(p, json_pack("{s:s, s:s}", "play", "commit", "secret", hex));
}

static void start_clock(struct play *p, int64_t now)
{
	timer_turn(&p->timer, -1, false);
	timer_start(&p->timer, timer_on(&p->timer) ? play_clock_seat(p) : -1, now);
	p->turn_began = now;
}

play_verdict turn_go(struct play *p, bool done, int64_t now, struct qv_error *error)
{
	if (!done || !write_clocks(p) || !promise_dice(p))
		return play_no_memory(p, error);
	start_clock(p, now);
	return 200;
}

void play_committed(struct play *p, uint64_t version, int64_t now)
{
	if (version != p->turn || now <= p->turn_began)
		return;
	p->turn_began = now;
	p->timer.since_ms = now;
}

void play_pause(struct play *p, bool paused, int64_t now)
{
	if (paused == p->paused)
		return;
	turn_stop(p, now);
	p->paused = paused;
	start_clock(p, now);
}

/* ---- Moves ---- */

play_verdict play_ready(const struct play *p, int64_t now, struct qv_error *error)
{
	if (p->broken)
		return play_refuse(error, 503, "play: it has to be loaded again");
	/* play_tick is about to say who lost; nothing goes before that. */
	if (p->timer.seat >= 0 && timer_left(&p->timer, p->timer.seat, now) < 0)
		return play_refuse(error, 409, "time: the flag of seat %d has fallen",
				   p->timer.seat + 1);
	return 200;
}

/* May this user move now? With typed dice a throw is a move. */
static play_verdict check_mover(const struct play *p, const char *user, struct qv_error *error)
{
	const int seat = play_seat_to_move(p);
	if (!play_is_seated(p, user) && !(play_governs(p, user) && seat == QV_CHANCE))
		return play_refuse(error, 403, "move: you have no seat in this game");
	if (play_over(p))
		return play_refuse(error, 409, "move: the game is over");
	if (seat == QV_CHANCE && !p->typed_dice)
		return play_refuse(error, 409, "move: the dice are to be thrown");
	if (seat == QV_CHANCE ? !play_may_throw(p, user) : !seat_is(p, seat, user))
		return play_refuse(error, 409, "move: it is the turn of seat %d",
				   (seat == QV_CHANCE ? play_thrower(p) : seat) + 1);
	if (play_is_full(p, 0))
		return play_refuse(error, 409, "move: the play has grown too long");
	return 200;
}

/* The move of whoever's turn it is, checked. seconds < 0: by the clock. */
static play_verdict make_move(struct play *p, qv_move move, double seconds, int64_t now,
			      struct qv_error *error)
{
	const int seat = play_seat_to_move(p), offers = offers_open(p);
	const int64_t took = now > p->turn_began ? now - p->turn_began : 0;
	if (seconds < 0)
		seconds = (double)took / 1000;
	else
		seconds = (double)llround(seconds * 1000) / 1000; /* as the lines will say it */
	const bool timed = p->started; /* the first move of all costs nothing, and earns nothing */
	turn_stop(p, now);
	const bool done = do_play(p, move, seat == QV_CHANCE ? -1 : seconds);
	/* Of a turn of many commands only the last one earns time. */
	if (done && seat != QV_CHANCE && timed)
		timer_turn(&p->timer, seat, play_over(p) || play_seat_to_move(p) != seat);
	const play_verdict verdict = turn_go(p, done, now, error);
	p->only_moved = verdict == 200 && offers_open(p) == offers;
	return verdict;
}

play_verdict play_move(struct play *p, const struct play_person *who, const char *move, int64_t now,
		       struct qv_error *error)
{
	qv_move parsed;
	if (!*move || strlen(move) >= QV_MOVE_TEXT)
		return play_refuse(error, 400, "move: a text of 1 to %d bytes is expected",
				   QV_MOVE_TEXT - 1);
	play_verdict verdict = play_ready(p, now, error);
	if (verdict == 200)
		verdict = check_mover(p, who->user, error);
	if (verdict != 200)
		return verdict;
	if (qv_move_parse(p->record->rules.game, p->record->state, move, &parsed, error) != QV_OK)
		return 409;
	return make_move(p, parsed, -1, now, error);
}

bool play_only_moved(const struct play *p)
{
	return p->only_moved;
}

/* ---- Computers ---- */

/* How long a move may take, and should, by the clock. */
static void allot_time(const struct play *p, int seat, int64_t now, struct play_think *out)
{
	const struct allot_clock clock = { .left_ms = timer_left(&p->timer, seat, now),
					   .added_ms = p->timer.terms.added_ms,
					   .lag_ms = ALLOT_LAG_MS };
	struct qv_limits limits = { 0 };
	if (!timer_on(&p->timer))
		return;
	allot(&clock, &limits);
	out->time_ms = limits.time_ms > LEAST_MS ? limits.time_ms : LEAST_MS;
	out->aim_ms = limits.aim_ms;
}

static bool is_computers_turn(const struct play *p)
{
	const int seat = play_seat_to_move(p);
	return !p->broken && !play_over(p) && seat != QV_CHANCE &&
	       p->seats[seat].kind == SEAT_COMPUTER;
}

bool play_wants_think(const struct play *p, int64_t now, struct play_think *out)
{
	if (!is_computers_turn(p) || p->paused || play_is_full(p, 0))
		return false;
	const int seat = play_seat_to_move(p);
	*out = (struct play_think){ .turn = p->turn,
				    .seat = seat,
				    .spec = p->seats[seat].spec };
	allot_time(p, seat, now, out);
	return true;
}

static play_verdict check_turn(const struct play *p, uint64_t turn, int64_t now,
			       struct qv_error *error)
{
	const play_verdict verdict = play_ready(p, now, error);
	if (verdict == 200 && (turn != p->turn || !is_computers_turn(p)))
		return play_refuse(error, 409, "move: the play has moved on");
	return verdict;
}

play_verdict play_computer_move(struct play *p, uint64_t turn, qv_move move, double seconds,
				int64_t now, struct qv_error *error)
{
	const play_verdict verdict = check_turn(p, turn, now, error);
	if (verdict != 200)
		return verdict;
	if (!qv_move_legal(p->record->rules.game, p->record->state, move))
		return play_refuse(error, 409, "move: the rules forbid it here");
	if (play_is_full(p, 0) || !(seconds < 1e6))
		return play_refuse(error, 409, "move: the play or the time is too long");
	return make_move(p, move, seconds, now, error);
}

play_verdict play_computer_fails(struct play *p, uint64_t turn, int64_t now, struct qv_error *error)
{
	const play_verdict verdict = check_turn(p, turn, now, error);
	if (verdict != 200)
		return verdict;
	p->only_moved = false;
	turn_stop(p, now);
	return turn_go(p, seat_gives_up(p, play_seat_to_move(p), "resigns"), now, error);
}

/* ---- Giving up ---- */

play_verdict play_decide(struct play *p, int winner, const char *reason, int64_t now,
			 struct qv_error *error)
{
	const play_verdict verdict = play_ready(p, now, error);
	if (verdict == 200 && play_over(p))
		return play_refuse(error, 409, "play: the game is over");
	if (verdict != 200)
		return verdict;
	p->only_moved = false;
	turn_stop(p, now);
	return turn_go(p, do_end(p, winner, reason), now, error);
}

void middle_level(const struct qv_game *game, char *out, size_t size)
{
	int count = 0;
	while (qv_levels(game)[count])
		count++;
	snprintf(out, size, "level:%d", (count + 1) / 2);
}

/* A computer that gives up is no better twice: then it is one that always can. */
static bool take_over(struct play *p, int seat)
{
	char level[32];
	middle_level(p->record->rules.game, level, sizeof level);
	const bool failed =
		p->seats[seat].kind == SEAT_COMPUTER && strcmp(p->seats[seat].spec, level) == 0;
	if (p->timer.left_ms[seat] <= 0)
		p->timer.left_ms[seat] = p->timer.terms.base_ms;
	return say(p, json_pack("{s:s, s:i, s:s}", "play", "sit", "seat", seat + 1, "spec",
				failed ? "random" : level));
}

bool seat_gives_up(struct play *p, int seat, const char *reason)
{
	if (p->seat_count > 2)
		return take_over(p, seat);
	return do_end(p, p->seat_count == 2 ? 1 - seat : -1, reason);
}

/* ---- Dice ---- */

bool throw_dice(struct play *p, const char *seed)
{
	const struct qv_record *r = p->record;
	const struct qv_game *game = r->rules.game;
	const struct throw *at = throw_at(p, r->line[r->ply].node);
	struct dice dice = { .seed = seed, .play = p->id, .ply = r->ply };
	if (at->thrown) /* and taken back: the dice fall as they fell */
		dice.seed = at->seed;
	memcpy(dice.secret, at->secret, sizeof dice.secret);
	const uint64_t number = dice_number(&dice, dice_weights(game, r->state));
	json_t *event = json_pack("{s:s, s:s, s:I}", "play", "throw", "seed", dice.seed, "number",
				  (json_int_t)number);
	return say(p, event) && do_play(p, dice_outcome(game, r->state, number), -1);
}

/* ---- What is due ---- */

static int64_t flag_due(const struct play *p)
{
	return p->timer.seat < 0 ? -1 : p->timer.since_ms + p->timer.left_ms[p->timer.seat] + 1;
}

/* When the server throws for somebody who is no person. */
static int64_t dice_due(const struct play *p)
{
	if (!play_dice_due(p) || play_is_full(p, 0) ||
	    p->seats[play_thrower(p)].kind == SEAT_PERSON)
		return -1;
	return p->turn_began + PLAY_DICE_MS;
}

int64_t play_due(const struct play *p)
{
	if (p->broken || p->paused)
		return -1;
	const int64_t flag = flag_due(p), dice = dice_due(p);
	return flag < 0 || (dice >= 0 && dice < flag) ? dice : flag;
}

bool play_tick(struct play *p, int64_t now, bool *broken)
{
	const int64_t due = play_due(p);
	if (broken)
		*broken = p->broken;
	if (due < 0 || due > now)
		return false;
	const bool flag = due == flag_due(p);
	const int seat = p->timer.seat, offers = offers_open(p);
	turn_stop(p, now);
	const bool done = flag ? seat_gives_up(p, seat, "time") : throw_dice(p, "");
	const bool fine = turn_go(p, done, now, NULL) == 200;
	p->only_moved = !flag && fine && offers_open(p) == offers;
	if (broken)
		*broken = !fine;
	return fine;
}

/* ---- Rematch ---- */

bool play_rematch_due(const struct play *p)
{
	return p->rematch_due;
}

void play_rematch_setup(const struct play *p, struct play_setup *out)
{
	*out = (struct play_setup){
		.owner = p->owner,
		.rules = &p->record->rules,
		.position = p->start,
		.seat_count = p->seat_count,
		.clock = p->terms,
		.typed_dice = p->typed_dice,
		.closed = p->closed,
	};
	for (int i = 0; i < p->seat_count; i++)
		out->seats[(i + 1) % p->seat_count] = p->seats[i];
}

play_verdict play_rematched(struct play *p, const char *id, struct qv_error *error)
{
	if (!p->rematch_due || !play_id_ok(id))
		return play_refuse(error, 409, "rematch: none is due, or the id is none");
	p->only_moved = false;
	if (!say(p, json_pack("{s:s, s:s}", "play", "next", "id", id)))
		return play_no_memory(p, error);
	return 200;
}
