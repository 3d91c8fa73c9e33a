/*
 * chase.c - random, directed and intelligent movement, as a plug-in.
 * SPDX-License-Identifier: MIT
 *
 * A hunter (seat 1) chases a runner (seat 2) around a wall. The hunter steps in all eight
 * directions, the runner in four, and both may stay. The hunter wins by reaching the runner's
 * square, the runner by escaping for 20 moves.
 *
 * The 1983 book begins with three kinds of moves, which are players here:
 *
 *     random                   takes any step
 *     alphabeta:depth=1        directed: steps towards the other, or away from it
 *     alphabeta:depth=14       intelligent: looks ahead, and so finds the way around the wall
 *
 * Watch a directed hunter walk into the wall and stay there:
 *
 *     quevedo match chase --plugin ./chase.so --player directed=alphabeta:depth=1 \
 *             --player random=random --games 100
 */
#include <stdlib.h>

#include <quevedo.h>

enum { WIDTH = 9, HEIGHT = 7, SQUARES = WIDTH * HEIGHT, PLIES = 40 };
enum { HUNTER, RUNNER };

/* From the top row to the bottom row. A hunter that only comes closer is caught in the wall. */
static const char map[] = "........."
			  "...###..."
			  ".....#..."
			  ".....#..."
			  ".....#..."
			  "...###..."
			  ".........";
_Static_assert(sizeof map == SQUARES + 1, "the map has a character for each square");

struct chase {
	uint8_t at[2];     /* squares of the hunter and the runner, from a1 to i7 */
	uint8_t turn;
	uint8_t plies;     /* left */
};

static bool is_wall(int square)
{
	return map[(HEIGHT - 1 - square / WIDTH) * WIDTH + square % WIDTH] == '#';
}

static void start(const int64_t *options, void *state)
{
	(void)options;
	*(struct chase *)state = (struct chase){ { 3 * WIDTH, 4 * WIDTH - 1 }, HUNTER, PLIES };
}

static int seat(const void *state)
{
	return ((const struct chase *)state)->turn;
}

static enum qv_outcome result(const void *state, int32_t *points)
{
	const struct chase *s = state;
	const bool caught = s->at[HUNTER] == s->at[RUNNER];
	if (!caught && s->plies)
		return QV_GOING;
	points[HUNTER] = caught;
	points[RUNNER] = !caught;
	return QV_ENDED;
}

/* A move is the square to go to. */
static int moves(const void *state, qv_move *list)
{
	const struct chase *s = state;
	int32_t points[2];
	int n = 0;
	if (result(s, points) == QV_ENDED)
		return 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			const int x = s->at[s->turn] % WIDTH + dx, y = s->at[s->turn] / WIDTH + dy;
			if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT || is_wall(y * WIDTH + x))
				continue;
			if (s->turn == RUNNER && ((dx && dy) || y * WIDTH + x == s->at[HUNTER]))
				continue;
			list[n++] = (qv_move)(y * WIDTH + x);
		}
	return n;
}

static void play(void *state, qv_move move)
{
	struct chase *s = state;
	s->at[s->turn] = (uint8_t)move;
	s->turn = !s->turn;
	s->plies--;
}

static uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct chase));
}

/* The directed player's whole knowledge: the distance, without regard to the wall. */
static int32_t evaluate(const void *state, const void *weights)
{
	const struct chase *s = state;
	const int dx = abs(s->at[HUNTER] % WIDTH - s->at[RUNNER] % WIDTH);
	const int dy = abs(s->at[HUNTER] / WIDTH - s->at[RUNNER] / WIDTH);
	(void)weights;
	return s->turn == HUNTER ? -(dx + dy) : dx + dy;
}

static void put_square(int square, struct qv_text *out)
{
	qv_put_char(out, (char)('a' + square % WIDTH));
	qv_put_char(out, (char)('1' + square / WIDTH));
}

static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	put_square((int)move, out);
}

/* `a4 i4 h 40`: hunter, runner, side to move (h or r), plies left */
static void position_text(const void *state, struct qv_text *out)
{
	const struct chase *s = state;
	put_square(s->at[HUNTER], out);
	qv_put_char(out, ' ');
	put_square(s->at[RUNNER], out);
	qv_put(out, s->turn == HUNTER ? " h " : " r ");
	qv_put_int(out, s->plies);
}

/* Reads loosely, then accepts only the text that position_text writes. */
static enum qv_status position_parse(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	char written[16] = "", x[2] = "", y[2] = "", turn = 0;
	int plies = -1;
	(void)options;
	sscanf(text, "%c%c %c%c %c %d", &x[0], &y[0], &x[1], &y[1], &turn, &plies);
	struct chase s = { .turn = turn == 'h' ? HUNTER : RUNNER };
	if (plies < 0 || plies > PLIES || plies % 2 != s.turn)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected hunter, runner, h or r, and plies left, as in "
			       "'a4 i4 h 40'; they are even for h, odd for r");
	s.plies = (uint8_t)plies;
	for (int i = HUNTER; i <= RUNNER; i++) {
		if (x[i] < 'a' || x[i] >= 'a' + WIDTH || y[i] < '1' || y[i] >= '1' + HEIGHT)
			return qv_fail(error, QV_BAD_INPUT, "position: squares are a1 to i7");
		s.at[i] = (uint8_t)((y[i] - '1') * WIDTH + x[i] - 'a');
		if (is_wall(s.at[i]))
			return qv_fail(error, QV_ILLEGAL, "position: there is a wall on %c%c", x[i],
				       y[i]);
	}
	if (s.at[HUNTER] == s.at[RUNNER] && s.turn == HUNTER)
		return qv_fail(error, QV_ILLEGAL, "position: the runner cannot move to the hunter");
	position_text(&s, &(struct qv_text){ written, sizeof written, 0 });
	if (strcmp(written, text))
		return qv_fail(error, QV_BAD_INPUT, "position: expected '%s'", written);
	*(struct chase *)state = s;
	return QV_OK;
}

static void draw(const void *state, bool unicode, struct qv_text *out)
{
	const struct chase *s = state;
	(void)unicode;
	for (int y = HEIGHT - 1; y >= 0; y--) {
		qv_put_int(out, y + 1);
		for (int square = y * WIDTH; square < (y + 1) * WIDTH; square++) {
			qv_put_char(out, ' ');
			qv_put_char(out, square == s->at[HUNTER]   ? 'h'
					 : square == s->at[RUNNER] ? 'r'
					 : is_wall(square)	   ? '#'
								   : '.');
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "  a b c d e f g h i\n");
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "distance", .help = "the distance, without regard to the wall",
	  .evaluate = evaluate },
	{ .name = NULL },
};

static const struct qv_game chase = {
	QV_HEAD(qv_game), .name = "chase", .title = "Chase",
	.seats = 2, .alternates = true, .state_size = sizeof(struct chase),
	.max_moves = 9, .max_plies = PLIES, .evaluations = evaluations,
	.start = start, .seat = seat, .moves = moves, .play = play, .result = result, .hash = hash,
	.move_text = move_text, .position_text = position_text, .position_parse = position_parse,
	.draw = draw,
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return index == 0 ? &chase : NULL;
}
