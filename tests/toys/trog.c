/*
 * trog.c - trog against trog as a game, three times, which differ in their numbering: with parents,
 * without, and with parents and one number for all images of a position.
 * SPDX-License-Identifier: MIT
 */
#include "toys/trog.h"

#include "toys/toys.h"

static void start(const int64_t *options, void *state)
{
	trog_start(state, options);
}

static int seat(const void *state)
{
	return trog_seat(state);
}

static int moves(const void *state, qv_move *list)
{
	int32_t points[QV_MAX_SEATS];
	return trog_result(state, points) == QV_ENDED ? 0 : trog_moves(state, list);
}

static void play(void *state, qv_move move)
{
	trog_play(state, move);
}

static enum qv_outcome result(const void *state, int32_t *points)
{
	return trog_result(state, points);
}

static uint64_t hash(const void *state)
{
	return trog_hash(state);
}

static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move);
}

/* `0 35 1`: the squares of the two, - for one that is taken, and the seat to move. */
static void position_text(const void *state, struct qv_text *out)
{
	const struct trog *s = state;
	for (int i = 0; i < 2; i++) {
		if (s->at[i] == TROG_TAKEN)
			qv_put_char(out, '-');
		else
			qv_put_int(out, s->at[i]);
		qv_put_char(out, ' ');
	}
	qv_put_int(out, s->turn + 1);
}

static enum qv_status position_parse(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	struct trog s;
	int turn = 0;
	trog_start(&s, options);
	for (int i = 0; i < 2; i++) {
		int square = TROG_TAKEN;
		if (!toy_read_char(&text, '-') &&
		    !toy_read_number(&text, s.width * s.height - 1, &square))
			return qv_fail(error, QV_BAD_INPUT, "position: two squares come first");
		if (!toy_read_char(&text, ' '))
			return qv_fail(error, QV_BAD_INPUT, "position: a blank is missing");
		s.at[i] = (uint16_t)square;
	}
	if (!toy_read_number(&text, 2, &turn) || !turn || *text)
		return qv_fail(error, QV_BAD_INPUT, "position: seat 1 or 2 ends it");
	s.turn = (uint8_t)(turn - 1);
	if (s.at[0] == s.at[1] || s.at[1 - s.turn] == TROG_TAKEN)
		return qv_fail(error, QV_ILLEGAL, "position: one man a square, and only the side "
						  "to move may have been taken");
	*(struct trog *)state = s;
	return QV_OK;
}

static const struct qv_option options[] = {
	{ "width", "columns", NULL, 2, TROG_LARGEST, 6 },
	{ "height", "rows", NULL, 2, TROG_LARGEST, 6 },
	{ NULL, NULL, NULL, 0, 0, 0 },
};

static bool decode(const void *aid, const int64_t *set, int space, uint64_t number, void *state)
{
	return trog_decode(state, aid, set, space, number);
}

static bool find(const void *aid, const void *state, struct qv_place *out)
{
	return trog_find(state, aid, out);
}

static int parents(const void *state, void *list)
{
	return trog_parents(state, list);
}

static const struct qv_index with_parents = {
	.space = trog_space, .decode = decode, .find = find,
	.parents = parents, .max_parents = TROG_MAX_MOVES,
};
static const struct qv_index without_parents = {
	.space = trog_space, .decode = decode, .find = find,
};

/* Image k: bit 0 mirrors left to right, bit 1 upside down, bit 2 (on a square) the diagonal. */
static int image_square(const struct trog *s, int k, int square)
{
	int x = square % s->width, y = square / s->width;
	if (k & 1)
		x = s->width - 1 - x;
	if (k & 2)
		y = s->height - 1 - y;
	return k & 4 ? x * s->width + y : y * s->width + x;
}

static bool find_smallest(const void *aid, const void *state, struct qv_place *out)
{
	const struct trog *s = state;
	const int images = s->width == s->height ? 8 : 4;
	if (!trog_find(s, aid, out))
		return false;
	const uint64_t own = out->number;
	out->weight = 0;
	for (int k = 0; k < images; k++) {
		struct trog image = *s;
		for (int i = 0; i < 2; i++)
			image.at[i] = (uint16_t)image_square(s, k, s->at[i]);
		const uint64_t number = trog_number(&image);
		out->weight += number == own;
		out->number = number < out->number ? number : out->number;
	}
	return true;
}

static bool decode_smallest(const void *aid, const int64_t *set, int space, uint64_t number,
			    void *state)
{
	struct qv_place place;
	return trog_decode(state, aid, set, space, number) && find_smallest(aid, state, &place) &&
	       place.number == number;
}

static const struct qv_index smallest_image = {
	.space = trog_space, .decode = decode_smallest, .find = find_smallest,
	.parents = parents, .max_parents = TROG_MAX_MOVES,
};

#define TROG_GAME(NAME, INDEX)                                                              \
	{                                                                                   \
		QV_HEAD(qv_game), .name = NAME, .title = "Trog against trog",      \
		.seats = 2, .alternates = true, .state_size = sizeof(struct trog),          \
		.max_moves = TROG_MAX_MOVES, .options = options, .start = start,            \
		.seat = seat, .moves = moves, .play = play, .result = result, .hash = hash, \
		.move_text = move_text, .position_text = position_text,                     \
		.position_parse = position_parse, .index = &(INDEX),                        \
	}

const struct qv_game toy_trog = TROG_GAME("toy-trog", with_parents);
const struct qv_game toy_trog_forward = TROG_GAME("toy-trog-forward", without_parents);
const struct qv_game toy_trog_images = TROG_GAME("toy-trog-images", smallest_image);
