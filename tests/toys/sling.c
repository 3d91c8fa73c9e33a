/*
 * sling.c - two slingers on a ring: a repetition rule that must see past a counter.
 * SPDX-License-Identifier: MIT
 *
 * On a ring of seven cells each slinger steps to a free cell beside it or, if the other is exactly
 * two cells away, slings a stone, which never misses. Who has been hit twice has lost. Each step
 * adds one to a counter, each hit sets it to 0; twelve steps are a draw by count. A position that
 * has been there twice before is a draw too. The counter is in the state and in its hash, so no
 * state ever comes back; that a position does, only repeat_hash can tell.
 *
 * Cells are numbered from 0; a move is the cell the slinger goes to, or SLING.
 */
#include "toys/toys.h"

enum { CELLS = 7, SLING = 7, HITS = 2, STEPS = 12, REPEATS = 2 };

struct sling {
	uint8_t at[2];
	uint8_t hit[2];            /* how often this seat has been */
	uint8_t turn;
	uint8_t steps;             /* since the last hit; stays at STEPS */
};
_Static_assert(sizeof(struct sling) == 6, "no padding");

static void sling_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct sling *)state = (struct sling){ .at = { 0, 3 } };
}

static int sling_seat(const void *state)
{
	return ((const struct sling *)state)->turn;
}

/* How many cells to the right of the one to move the other is. */
static int sling_distance(const struct sling *s)
{
	return (s->at[1 - s->turn] + CELLS - s->at[s->turn]) % CELLS;
}

static bool sling_is_over(const struct sling *s)
{
	return s->hit[0] == HITS || s->hit[1] == HITS;
}

static int sling_moves(const void *state, qv_move *list)
{
	const struct sling *s = state;
	const int here = s->at[s->turn], distance = sling_distance(s);
	int n = 0;
	if (sling_is_over(s))
		return 0;
	if (distance != CELLS - 1)
		list[n++] = (qv_move)((here + CELLS - 1) % CELLS);
	if (distance != 1)
		list[n++] = (qv_move)((here + 1) % CELLS);
	if (distance == 2 || distance == CELLS - 2)
		list[n++] = SLING;
	return n;
}

static bool sling_irreversible(const void *state, qv_move move)
{
	(void)state;
	return move == SLING;
}

static void sling_play(void *state, qv_move move)
{
	struct sling *s = state;
	if (move == SLING) {
		s->hit[1 - s->turn]++;
		s->steps = 0;
	} else {
		s->at[s->turn] = (uint8_t)move;
		s->steps = (uint8_t)(s->steps + (s->steps < STEPS));
	}
	s->turn ^= 1;
}

static enum qv_outcome sling_result(const void *state, int32_t *points)
{
	const struct sling *s = state;
	if (!sling_is_over(s) && s->steps < STEPS)
		return QV_GOING;
	for (int seat = 0; seat < 2; seat++)
		points[seat] = s->hit[1 - seat] == HITS;
	return sling_is_over(s) ? QV_ENDED : QV_DRAWN_BY_COUNT;
}

static enum qv_outcome sling_repeated(const void *state, int times, int32_t *points)
{
	(void)state;
	if (times < REPEATS)
		return QV_GOING;
	points[0] = points[1] = 0;
	return QV_ENDED;
}

static uint64_t sling_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct sling));
}

static uint64_t sling_repeat_hash(const void *state)
{
	struct sling s = *(const struct sling *)state;
	s.steps = 0;
	return sling_hash(&s);
}

/* Hits, and a little for being able to sling at once. */
static int32_t sling_evaluate(const void *state, const void *weights)
{
	const struct sling *s = state;
	const int32_t *hit = weights;
	const int distance = sling_distance(s);
	const int32_t ready = distance == 2 || distance == CELLS - 2;
	return *hit * (s->hit[1 - s->turn] - s->hit[s->turn]) + ready;
}

static void sling_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	if (move == SLING)
		qv_put(out, "sling");
	else
		qv_put_int(out, (int64_t)move + 1);
}

/* `A..B... 1 0 0 0`: the ring, the seat to move, the hits on each, the steps. */
static void sling_position_text(const void *state, struct qv_text *out)
{
	const struct sling *s = state;
	const int numbers[] = { s->turn + 1, s->hit[0], s->hit[1], s->steps };
	for (int i = 0; i < CELLS; i++)
		qv_put_char(out, i == s->at[0] ? 'A' : i == s->at[1] ? 'B' : '.');
	for (int i = 0; i < 4; i++) {
		qv_put_char(out, ' ');
		qv_put_int(out, numbers[i]);
	}
}

static bool sling_parse_ring(const char *text, struct sling *s)
{
	int slingers[2] = { 0, 0 };
	for (int i = 0; i < CELLS; i++) {
		if (text[i] == 'A' || text[i] == 'B') {
			slingers[text[i] - 'A']++;
			s->at[text[i] - 'A'] = (uint8_t)i;
		} else if (text[i] != '.') {
			return false;
		}
	}
	return slingers[0] == 1 && slingers[1] == 1;
}

static enum qv_status sling_position_parse(const int64_t *options, const char *text, void *state,
					   struct qv_error *error)
{
	(void)options;
	static const int most[] = { 2, HITS, HITS, STEPS };
	struct sling s;
	int numbers[4];
	if (!sling_parse_ring(text, &s))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: seven cells of one A, one B and '.' come first");
	text += CELLS;
	for (int i = 0; i < 4; i++)
		if (!toy_read_char(&text, ' ') || !toy_read_number(&text, most[i], &numbers[i]))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: seat, hits on each and steps follow");
	if (*text || numbers[0] == 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: the seat is 1 or 2, and the steps end it");
	s.turn = (uint8_t)(numbers[0] - 1);
	s.hit[0] = (uint8_t)numbers[1];
	s.hit[1] = (uint8_t)numbers[2];
	s.steps = (uint8_t)numbers[3];
	if (s.hit[1 - s.turn] == HITS || (s.hit[s.turn] == HITS && s.steps))
		return qv_fail(error, QV_ILLEGAL,
			       "position: the second hit is the last move of a game");
	*(struct sling *)state = s;
	return QV_OK;
}

static const int32_t sling_weights[1] = { 100 };
static const struct qv_weight sling_weight_names[] = { { "hit", 0, 1 }, { NULL, 0, 0 } };
static const struct qv_evaluation sling_evaluations[] = {
	{ .name = "hits",
	  .help = "hits, and who can sling",
	  .evaluate = sling_evaluate,
	  .weights = sling_weights,
	  .weights_size = sizeof sling_weights,
	  .names = sling_weight_names },
	{ .name = NULL },
};

/*
 * Positions by the hits on each. Slinging leads to another group; steps stay inside, and their
 * counter does not count.
 */
static const struct {
	const char *name;
	int group, hit[2];
} sling_spaces[] = {
	{ "hits-1-1", 0, { 1, 1 } },
	{ "hits-0-1", 1, { 0, 1 } },
	{ "hits-1-0", 1, { 1, 0 } },
	{ "hits-0-0", 2, { 0, 0 } },
};

static bool sling_space(const int64_t *options, int space, struct qv_space *out)
{
	(void)options;
	if (space >= (int)(sizeof sling_spaces / sizeof *sling_spaces))
		return false;
	snprintf(out->name, sizeof out->name, "%s", sling_spaces[space].name);
	out->group = sling_spaces[space].group;
	out->size = 2 * CELLS * CELLS;
	return true;
}

static bool sling_find(const void *aid, const void *state, struct qv_place *out)
{
	(void)aid;
	const struct sling *s = state;
	if (sling_is_over(s))
		return false;
	out->space = s->hit[0] ? (s->hit[1] ? 0 : 2) : (s->hit[1] ? 1 : 3);
	out->weight = 1;
	out->number = (uint64_t)((s->turn * CELLS + s->at[0]) * CELLS + s->at[1]);
	return true;
}

static bool sling_decode(const void *aid, const int64_t *options, int space, uint64_t number,
			 void *state)
{
	(void)aid;
	(void)options;
	const struct sling s = {
		.at = { (uint8_t)(number / CELLS % CELLS), (uint8_t)(number % CELLS) },
		.hit = { (uint8_t)sling_spaces[space].hit[0], (uint8_t)sling_spaces[space].hit[1] },
		.turn = (uint8_t)(number / CELLS / CELLS),
	};
	*(struct sling *)state = s;
	return s.at[0] != s.at[1];
}

/* Who has just moved came from a free cell beside. */
static int sling_parents(const void *state, void *list)
{
	const struct sling *s = state;
	struct sling *parents = list;
	const int mover = 1 - s->turn;
	int n = 0;
	for (int side = 1; side < CELLS; side += CELLS - 2) {
		const int from = (s->at[mover] + side) % CELLS;
		if (from == s->at[s->turn])
			continue;
		parents[n] = *s;
		parents[n].turn = (uint8_t)mover;
		parents[n++].at[mover] = (uint8_t)from;
	}
	return n;
}

static const struct qv_index sling_index = {
	.space = sling_space, .decode = sling_decode, .find = sling_find,
	.parents = sling_parents, .max_parents = 2,
};

const struct qv_game toy_sling = {
	QV_HEAD(qv_game), .name = "toy-sling", .title = "Two slingers on a ring",
	.seats = 2, .alternates = true, .state_size = sizeof(struct sling), .max_moves = 3,
	.evaluations = sling_evaluations,
	.start = sling_start, .seat = sling_seat, .moves = sling_moves, .play = sling_play,
	.result = sling_result, .hash = sling_hash,
	.move_text = sling_move_text, .position_text = sling_position_text,
	.position_parse = sling_position_parse,
	.repeated = sling_repeated, .irreversible = sling_irreversible,
	.repeat_hash = sling_repeat_hash,
	.index = &sling_index,
};
