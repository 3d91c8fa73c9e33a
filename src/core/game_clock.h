/*
 * game_clock.h - time controls, and the clocks of a game in progress.
 * SPDX-License-Identifier: MIT
 *
 * One clock for games at the terminal, on the web, in matches, on IMCS and under XBoard. A seat's
 * time runs only while that seat is to move. The caller passes the time of day in milliseconds since
 * any fixed moment, so that tests can choose it; what is left is counted in microseconds.
 */
#ifndef CORE_GAME_CLOCK_H
#define CORE_GAME_CLOCK_H

#include "quevedo.h"

enum {
	/* What a seat gets when its fallen flag is taken back: without it the flag would fall again. */
	GAME_CLOCK_TAKEN_BACK_MS = 60000,
	TIME_LATER_STAGES = 3, /* of a time control, at most */
};

/* What a seat gets when it has made the moves of the stage before. */
struct time_stage {
	int64_t base_ms, added_ms;
	int moves; /* until the next stage; of the last one: base_ms is added again; 0: never */
};

struct time_control {
	int64_t base_ms;  /* for the game, or for each period; 0: no such clock */
	int64_t added_ms; /* after each move */
	int64_t move_ms;  /* instead of these: for each single move; 0: no such limit */
	int64_t first_ms; /* limit of the first move of the game, which costs nothing; 0: it is like
			     any other move */
	int64_t grace_ms; /* a flag falls when more than the time left and this is used; -1: as soon as
			     nothing is left */
	int period_moves; /* base_ms is added again after this many moves of a seat; 0: never */
	int later_count;  /* stages after those moves, instead of adding base_ms again */
	struct time_stage later[TIME_LATER_STAGES];
	bool each_move;	  /* base_ms is for each move: a move gives it back whole */
};

struct game_clock {
	struct time_control control;
	int64_t left_us[QV_MAX_SEATS];
	int64_t since_ms;	/* when it was started */
	int64_t spent_ms;	/* on this turn, before that */
	int made[QV_MAX_SEATS]; /* moves of each seat */
	int seat;		/* whose time runs; -1: nobody's */
	bool moved;		/* somebody has made a move */
};

/*
 * Reads `5m`, `300` or `300+3`: TIME or TIME+TIME, where TIME is a number of seconds or has a unit,
 * h, m, s or ms; or `3d/move`: 1 to 14 days for each move; `off` is no clock. False: the text is not
 * one of these.
 */
bool time_control_parse(const char *text, struct time_control *out);
/* Writes it as such a text. */
void time_control_text(const struct time_control *control, struct qv_text *out);

/* Gives each seat the base time; no time runs yet. */
void game_clock_init(struct game_clock *c, const struct time_control *control);
/* Whether the seats have clocks. A limit for each move alone is not one. */
bool game_clock_on(const struct game_clock *c);

void game_clock_start(struct game_clock *c, int seat, int64_t now_ms); /* seat -1: nobody pays */
/* Charges the seat whose time runs, if any. False: its flag has fallen. */
bool game_clock_stop(struct game_clock *c, int64_t now_ms);
/* Charges a seat for a move that the caller measured. False: its flag has fallen. */
bool game_clock_charge(struct game_clock *c, int seat, int64_t spent_us);
/* The seat has made a move and its turn is over: it gets what its time control adds. */
void game_clock_moved(struct game_clock *c, int seat);
/* The time spent on this turn counts no more: the position has changed otherwise. */
void game_clock_new_turn(struct game_clock *c);
/* The seat's last moves are taken back, as far as periods count them. */
void game_clock_unmove(struct game_clock *c, int seat, int moves);

int64_t game_clock_left(const struct game_clock *c, int seat, int64_t now_ms); /* in ms */
/* When the flag of the seat whose time runs falls; -1: nobody's time runs. */
int64_t game_clock_due(const struct game_clock *c);
/* The stage of the time control that a seat is in; later_count stages follow the first, 0. */
int game_clock_stage(const struct game_clock *c, int seat);
/* What the seat's next move adds to its time. */
int64_t game_clock_added(const struct game_clock *c, int seat);
/* How many moves a seat has to make before it gets more time; 0: it never does. */
int game_clock_moves_to_go(const struct game_clock *c, int seat);

/* Sets the time left of a seat, as a protocol or a loaded game gives it. */
void game_clock_set(struct game_clock *c, int seat, int64_t left_ms);
/* Somebody else plays on for a seat: if its time is used up, it gets the base time again. */
void game_clock_take_over(struct game_clock *c, int seat);
/* A move or an end is taken back: a seat without time gets GAME_CLOCK_TAKEN_BACK_MS. */
void game_clock_take_back(struct game_clock *c);

#endif
