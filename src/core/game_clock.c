/*
 * game_clock.c - time controls, and the clocks of a game in progress.
 * SPDX-License-Identifier: MIT
 *
 * Every rule about time in a game is here: when a flag falls, what a move costs and earns, and what
 * a seat has left after a flag is taken back. A driver either starts and stops the clock, or measures
 * a move itself and charges for it.
 */
#include "core/game_clock.h"

#include "base/scan.h"
#include "base/text.h"

enum {
	DAY_MS = 24 * 3600 * 1000,
	MOST_DAYS = 14, /* for each move of a correspondence game */
};

/* Reads `3d/move`. */
static bool parse_days(const char *text, struct time_control *out)
{
	int64_t days;
	if (!is_digit(*text) || !scan_int(&text, 1, MOST_DAYS, &days) ||
	    strcmp(text, "d/move") != 0)
		return false;
	*out = (struct time_control){ .base_ms = days * DAY_MS, .each_move = true };
	return true;
}

bool time_control_parse(const char *text, struct time_control *out)
{
	struct time_control control = { 0 };
	if (strcmp(text, "off") == 0) {
		*out = control;
		return true;
	}
	if (parse_days(text, out))
		return true;
	if (!text_to_ms(&text, true, &control.base_ms) || control.base_ms < 1)
		return false;
	if (*text == '+' && (text++, !text_to_ms(&text, true, &control.added_ms)))
		return false;
	if (*text)
		return false;
	*out = control;
	return true;
}

/* Writes the largest unit that leaves no remainder, so that time_control_parse reads it back. */
static void put_time(int64_t ms, struct qv_text *out)
{
	const bool minutes = ms && ms % 60000 == 0, seconds = ms % 1000 == 0;
	qv_put_int(out, minutes ? ms / 60000 : seconds ? ms / 1000 : ms);
	qv_put(out, minutes ? "m" : seconds ? "s" : "ms");
}

void time_control_text(const struct time_control *control, struct qv_text *out)
{
	if (!control->base_ms) {
		qv_put(out, "off");
		return;
	}
	if (control->each_move) {
		qv_put_int(out, control->base_ms / DAY_MS);
		qv_put(out, "d/move");
		return;
	}
	put_time(control->base_ms, out);
	if (control->added_ms) {
		qv_put_char(out, '+');
		put_time(control->added_ms, out);
	}
}

/* ---- Running ---- */

void game_clock_init(struct game_clock *c, const struct time_control *control)
{
	*c = (struct game_clock){ .control = *control, .seat = -1 };
	for (int seat = 0; seat < QV_MAX_SEATS; seat++)
		game_clock_set(c, seat, control->base_ms);
}

bool game_clock_on(const struct game_clock *c)
{
	return c->control.base_ms > 0;
}

/* Without a clock the time of a turn is still counted, for the record. */
void game_clock_start(struct game_clock *c, int seat, int64_t now_ms)
{
	c->seat = seat;
	c->since_ms = now_ms;
}

/* Whether this is the first move of the game, which only first_ms limits. */
static bool is_free_move(const struct game_clock *c)
{
	return c->control.first_ms && !c->moved;
}

bool game_clock_charge(struct game_clock *c, int seat, int64_t spent_us)
{
	const int64_t grace_us = 1000 * c->control.grace_ms;
	int64_t *left = &c->left_us[seat];
	if (is_free_move(c))
		return spent_us <= 1000 * c->control.first_ms + grace_us;
	if (c->control.move_ms)
		return spent_us <= 1000 * c->control.move_ms + grace_us;
	if (!game_clock_on(c))
		return true;
	/* Within the grace period a move counts as in time, and the clock stays at zero. */
	*left -= spent_us;
	if (*left < -grace_us)
		return false;
	*left = *left > 0 ? *left : 0;
	return true;
}

bool game_clock_stop(struct game_clock *c, int64_t now_ms)
{
	if (c->seat < 0)
		return true;
	const int64_t took = now_ms > c->since_ms ? now_ms - c->since_ms : 0;
	const bool in_time = game_clock_charge(c, c->seat, 1000 * took);
	c->spent_ms += took;
	c->seat = -1;
	return in_time;
}

/* The stage that a seat is in, and how many of its moves are made. */
static struct time_stage stage_of(const struct game_clock *c, int seat, int *number, int *made)
{
	const struct time_control *control = &c->control;
	struct time_stage stage = { control->base_ms, control->added_ms, control->period_moves };
	*number = 0;
	*made = c->made[seat];
	while (*number < control->later_count && *made >= stage.moves) {
		*made -= stage.moves;
		stage = control->later[(*number)++];
	}
	return stage;
}

void game_clock_moved(struct game_clock *c, int seat)
{
	const struct time_control *control = &c->control;
	const bool free = is_free_move(c), last = game_clock_moves_to_go(c, seat) == 1;
	const int64_t added_ms = game_clock_added(c, seat);
	int number, made;
	c->spent_ms = 0;
	c->moved = true;
	c->made[seat]++;
	if (!game_clock_on(c) || free)
		return;
	if (control->each_move) {
		game_clock_set(c, seat, control->base_ms);
		return;
	}
	c->left_us[seat] += 1000 * added_ms;
	if (last) /* the next period or stage adds its time to what is left */
		c->left_us[seat] += 1000 * stage_of(c, seat, &number, &made).base_ms;
}

void game_clock_new_turn(struct game_clock *c)
{
	c->spent_ms = 0;
}

void game_clock_unmove(struct game_clock *c, int seat, int moves)
{
	c->made[seat] -= moves < c->made[seat] ? moves : c->made[seat];
}

/* ---- Looking ---- */

int64_t game_clock_left(const struct game_clock *c, int seat, int64_t now_ms)
{
	const bool runs = c->seat == seat && now_ms > c->since_ms;
	/* Rounded down, also below zero. */
	const int64_t left_us = c->left_us[seat];
	const int64_t left_ms = left_us >= 0 ? left_us / 1000 : -((999 - left_us) / 1000);
	return left_ms - (runs ? now_ms - c->since_ms : 0);
}

int64_t game_clock_due(const struct game_clock *c)
{
	const struct time_control *control = &c->control;
	if (c->seat < 0)
		return -1;
	const int64_t left_ms = is_free_move(c)	   ? control->first_ms
				: control->move_ms ? control->move_ms
						   : c->left_us[c->seat] / 1000;
	return c->since_ms + left_ms + control->grace_ms + 1;
}

int game_clock_stage(const struct game_clock *c, int seat)
{
	int number, made;
	stage_of(c, seat, &number, &made);
	return number;
}

int64_t game_clock_added(const struct game_clock *c, int seat)
{
	int number, made;
	return stage_of(c, seat, &number, &made).added_ms;
}

int game_clock_moves_to_go(const struct game_clock *c, int seat)
{
	int number, made;
	const int moves = stage_of(c, seat, &number, &made).moves;
	return moves ? moves - made % moves : 0;
}

/* ---- Setting ---- */

void game_clock_set(struct game_clock *c, int seat, int64_t left_ms)
{
	c->left_us[seat] = 1000 * left_ms;
}

void game_clock_take_over(struct game_clock *c, int seat)
{
	if (c->left_us[seat] <= 0)
		game_clock_set(c, seat, c->control.base_ms);
}

/* Without time left, the flag would fall again at once. */
void game_clock_take_back(struct game_clock *c)
{
	for (int seat = 0; game_clock_on(c) && seat < QV_MAX_SEATS; seat++)
		if (c->left_us[seat] <= 0)
			game_clock_set(c, seat, GAME_CLOCK_TAKEN_BACK_MS);
}
