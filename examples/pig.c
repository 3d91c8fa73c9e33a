/*
 * pig.c - Pig for three as a plug-in for Quevedo: a die, three seats, and an option.
 * SPDX-License-Identifier: MIT
 *
 * In your turn you roll a die as often as you like. Each roll adds to the points of the turn, but a
 * 1 loses them and ends the turn. Or you hold: the points of the turn become yours, and the next
 * player begins. Whoever has reached the goal when holding wins.
 *
 * breakthrough.c is the simpler example, and docs/add-a-game.md walks through it. What is new here:
 * - chance: a roll is a move, made by the seat QV_CHANCE, with a weight for each outcome
 *   (seat, moves, weight);
 * - three seats: what the points of a result mean (result), and an evaluation with a value for each
 *   seat (seat_values);
 * - an option that the state has to store, because only start and position_parse get it.
 *
 * Build with examples/Makefile and run `quevedo play pig --plugin ./pig.so`.
 */
#include <quevedo.h>

enum { SEATS = 3, FACES = 6, MOST_GOAL = 100 };
enum { GOAL };                     /* the options, in the order of options_table */

/* Moves of players. Outcomes of the die are 1 to 6; the state tells which of both a number is. */
enum { HOLD, ROLL };

struct pig {
	uint8_t points[SEATS];     /* that nobody can take away any more */
	uint8_t goal;
	uint8_t turn;              /* the seat whose turn it is */
	uint8_t total;             /* the points of the turn */
	uint8_t rolling;           /* 1: the die is rolling */
};
_Static_assert(sizeof(struct pig) == SEATS + 4, "no padding");
/* Nobody rolls with enough points to win, so no sum is above the goal by more than a roll. */
_Static_assert(MOST_GOAL + FACES <= UINT8_MAX, "points fit into a byte");

static void start(const int64_t *options, void *state)
{
	*(struct pig *)state = (struct pig){ .goal = (uint8_t)options[GOAL] };
}

/* The seat that has won, or -1. Only the last one to hold can have. */
static int winner(const struct pig *p)
{
	for (int s = 0; s < SEATS; s++)
		if (p->points[s] >= p->goal)
			return s;
	return -1;
}

/*
 * While the die rolls, chance is to move. After the end, `seat` must name the player whose turn
 * would be next; nobody rolls then.
 */
static int seat(const void *state)
{
	const struct pig *p = state;
	return p->rolling ? QV_CHANCE : p->turn;
}

/*
 * A match ranks all seats by their points, and a second place counts there. In Pig only the winner
 * counts, so the winner gets 1 point and the others get 0. If places mattered, the points of the
 * game would be returned here.
 */
static enum qv_outcome result(const void *state, int32_t *points)
{
	const struct pig *p = state;
	if (winner(p) < 0)
		return QV_GOING;
	for (int s = 0; s < SEATS; s++)
		points[s] = s == winner(p);
	return QV_ENDED;
}

/* The outcomes of the die, or the moves of the player. Holding nothing would be a pass. */
static int moves(const void *state, qv_move *list)
{
	const struct pig *p = state;
	int n = 0;
	if (winner(p) >= 0)
		return 0;
	if (p->rolling) {
		for (int face = 1; face <= FACES; face++)
			list[n++] = (qv_move)face;
		return n;
	}
	if (p->total)
		list[n++] = HOLD;
	if (p->points[p->turn] + p->total < p->goal)
		list[n++] = ROLL;
	return n;
}

/* The relative probability of an outcome. This die is fair, so all weights are the same. */
static uint32_t weight(const void *state, qv_move outcome)
{
	(void)state, (void)outcome;
	return 1;
}

/* Ends the turn; the points of the turn are dealt with. */
static void next_turn(struct pig *p)
{
	p->total = 0;
	p->turn = (uint8_t)((p->turn + 1) % SEATS);
}

static void play(void *state, qv_move move)
{
	struct pig *p = state;
	if (p->rolling) {
		p->rolling = 0;
		p->total = (uint8_t)(p->total + move);
		if (move == 1)
			next_turn(p);
	} else if (move == ROLL) {
		p->rolling = 1;
	} else {
		p->points[p->turn] = (uint8_t)(p->points[p->turn] + p->total);
		next_turn(p);
	}
}

static uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct pig));
}

/* A roll of the die is called `roll 4`, as in all games here. */
static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	const struct pig *p = state;
	if (p->rolling) {
		qv_put(out, "roll ");
		qv_put_int(out, (int64_t)move);
	} else {
		qv_put(out, move == ROLL ? "roll" : "hold");
	}
}

/* `12 0 31 2 8 -`: the points of each seat, the seat whose turn it is, the points of the turn, and
 * `*` while the die is rolling. The goal is an option, so it is not part of the text. */
static void position_text(const void *state, struct qv_text *out)
{
	const struct pig *p = state;
	for (int s = 0; s < SEATS; s++) {
		qv_put_int(out, p->points[s]);
		qv_put_char(out, ' ');
	}
	qv_put_int(out, p->turn + 1);
	qv_put_char(out, ' ');
	qv_put_int(out, p->total);
	qv_put(out, p->rolling ? " *" : " -");
}

/* Reads a number from 0 to `most` and a blank, and steps past both. */
static bool read_number(const char **text, int most, int *out)
{
	const char *at = *text;
	int number = 0;
	for (; *at >= '0' && *at <= '9' && number <= most; at++)
		number = number * 10 + (*at - '0');
	if (at == *text || number > most || (**text == '0' && at > *text + 1) || *at != ' ')
		return false;
	*text = at + 1;
	*out = number;
	return true;
}

static enum qv_status position_parse(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	const int goal = (int)options[GOAL], most = goal + FACES - 1;
	int points[SEATS], turn, total, winners = 0;
	for (int s = 0; s < SEATS; s++) {
		if (!read_number(&text, most, &points[s]))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected the points of seat %d, at most %d",
				       s + 1, most);
		winners += points[s] >= goal;
	}
	if (!read_number(&text, SEATS, &turn) || turn == 0 || !read_number(&text, most, &total) ||
	    (text[0] != '*' && text[0] != '-') || text[1])
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected a seat, the points of the turn, and * or -");
	const bool rolling = text[0] == '*';
	const int last = (turn + SEATS - 2) % SEATS; /* the seat before; turn is from 1 */
	if (winners > 1 || (winners && (points[last] < goal || total || rolling)))
		return qv_fail(error, QV_ILLEGAL, "position: the game has ended before");
	/* A roll is 2 at least, and nobody rolls who has enough. */
	if (total == 1 || points[turn - 1] + total > most ||
	    (rolling && points[turn - 1] + total >= goal))
		return qv_fail(error, QV_ILLEGAL, "position: no turn has these points");
	*(struct pig *)state = (struct pig){
		{ (uint8_t)points[0], (uint8_t)points[1], (uint8_t)points[2] },
		(uint8_t)goal, (uint8_t)(turn - 1), (uint8_t)total, rolling,
	};
	return QV_OK;
}

/*
 * Everything from here on is optional. The value of a seat: how far it is ahead of the best of the
 * others. With three seats, one value is not minus another, so there is a function for all of them.
 */
static void seat_values(const void *state, const void *weights, int32_t *values)
{
	const struct pig *p = state;
	int32_t has[SEATS];
	(void)weights;
	for (int s = 0; s < SEATS; s++)
		has[s] = 2 * p->points[s] + (s == p->turn ? p->total : 0); /* half may be lost */
	for (int s = 0; s < SEATS; s++) {
		const int32_t next = has[(s + 1) % SEATS], last = has[(s + 2) % SEATS];
		values[s] = has[s] - (next > last ? next : last);
	}
}

/* The value for the seat to move must be the same. While the die rolls, it is for the roller. */
static int32_t evaluate(const void *state, const void *weights)
{
	int32_t values[SEATS];
	seat_values(state, weights, values);
	return values[((const struct pig *)state)->turn];
}

static void draw(const void *state, bool unicode, struct qv_text *out)
{
	const struct pig *p = state;
	(void)unicode;
	for (int s = 0; s < SEATS; s++) {
		qv_put(out, s == p->turn ? "> " : "  ");
		qv_put_int(out, s + 1);
		qv_put(out, ": ");
		qv_put_int(out, p->points[s]);
		if (s == p->turn && p->total) {
			qv_put(out, " + ");
			qv_put_int(out, p->total);
		}
		qv_put_char(out, '\n');
	}
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "lead", .help = "how far a seat is ahead of the best of the others",
	  .evaluate = evaluate, .seats = seat_values },
	{ .name = NULL },
};

static const struct qv_option options_table[] = {
	{ .name = "goal", .help = "points that win", .min = 2, .max = MOST_GOAL, .preset = 50 },
	{ .name = NULL },
};

static const struct qv_game pig = {
	QV_HEAD(qv_game), .name = "pig", .title = "Pig for three",
	.help = "Roll the die as often as you like, and hold before you roll a 1, which loses the "
		"points of the turn. Whoever reaches the goal first wins.\n"
		"Moves: roll, hold; the die: roll 1 to roll 6.\n"
		"Position: the points of each player, the player whose turn it is, the points of "
		"the turn, and * while the die rolls, else -.\n",
	.seats = SEATS, .chance = true, .state_size = sizeof(struct pig), .max_moves = FACES,
	/* What a win is worth where outcomes are averaged: a little more than the best evaluation. */
	.win = 2 * (MOST_GOAL + FACES) + 1,
	.options = options_table, .evaluations = evaluations,
	.start = start, .seat = seat, .moves = moves, .play = play, .result = result, .hash = hash,
	.weight = weight, .move_text = move_text, .position_text = position_text,
	.position_parse = position_parse, .draw = draw,
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return index == 0 ? &pig : NULL;
}
