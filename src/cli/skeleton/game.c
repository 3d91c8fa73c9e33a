/*
 * @NAME@.c - a game for Quevedo, as a plug-in. Change it piece by piece and run `make check` often.
 * SPDX-License-Identifier: MIT
 *
 * The game that stands here: a heap of counters, two players take 1 to `most` of them in turn, and
 * whoever takes the last one wins. `most` and the size of the heap are options of the game:
 * `quevedo play @NAME@:heap=15,most=4 --plugin ./@NAME@.so`.
 */
#include <quevedo.h>

/*
 * A state is plain bytes: no pointers, no padding. Functions other than start and position_parse do
 * not get the options, so the state holds what the rules need of them.
 */
struct heap {
	uint8_t left;              /* counters that are still there */
	uint8_t most;              /* a player may take so many at a time */
	uint8_t turn;              /* the seat to move, 0 or 1 */
};
_Static_assert(sizeof(struct heap) == 3, "no padding");

/* The options come in the order of this table. */
enum { HEAP, MOST, MOST_MOVES = 9 };
static const struct qv_option options_table[] = {
	{ .name = "heap", .help = "counters at the start", .min = 1, .max = 100, .preset = 21 },
	{ .name = "most", .help = "counters that you may take", .min = 1, .max = MOST_MOVES,
	  .preset = 3 },
	{ .name = NULL },
};

static void start(const int64_t *options, void *state)
{
	struct heap *h = state;
	h->left = (uint8_t)options[HEAP];
	h->most = (uint8_t)options[MOST];
	h->turn = 0;
}

static int seat(const void *state)
{
	return ((const struct heap *)state)->turn;
}

/* The player who has just moved took the last counter. Write the points of every seat. */
static enum qv_outcome result(const void *state, int32_t *points)
{
	const struct heap *h = state;
	if (h->left)
		return QV_GOING;
	points[1 - h->turn] = 1;
	points[h->turn] = 0;
	return QV_ENDED;
}

/* A move is any number of 64 bits; here it is the number of counters. No moves: the end. */
static int moves(const void *state, qv_move *list)
{
	const struct heap *h = state;
	int n = 0;
	for (int take = 1; take <= h->most && take <= h->left; take++)
		list[n++] = (qv_move)take;
	return n;
}

static void play(void *state, qv_move move)
{
	struct heap *h = state;
	h->left = (uint8_t)(h->left - move);
	h->turn = !h->turn;
}

static uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct heap));
}

static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move);
}

/* `21 1`: the counters, and the seat to move, from 1. */
static void position_text(const void *state, struct qv_text *out)
{
	const struct heap *h = state;
	qv_put_int(out, h->left);
	qv_put_char(out, ' ');
	qv_put_int(out, h->turn + 1);
}

/*
 * Anybody may type anything here. Accept what position_text writes, reject the rest with a reason,
 * and write the state last.
 */
static enum qv_status position_parse(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	int left = 0;
	const char *at = text;
	for (; *at >= '0' && *at <= '9' && left <= options[HEAP]; at++)
		left = left * 10 + (*at - '0');
	if (at == text || (text[0] == '0' && at > text + 1) || at[0] != ' ' ||
	    (at[1] != '1' && at[1] != '2') || at[2])
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected counters, a blank, and 1 or 2");
	if (left > options[HEAP])
		return qv_fail(error, QV_ILLEGAL, "position: more counters than at the start");
	*(struct heap *)state = (struct heap){ (uint8_t)left, (uint8_t)options[MOST],
					       (uint8_t)(at[1] - '1') };
	return QV_OK;
}

/* Optional: the board in a terminal. Each line ends with '\n'. */
static void draw(const void *state, bool unicode, struct qv_text *out)
{
	const struct heap *h = state;
	(void)unicode;
	for (int i = 0; i < h->left; i++)
		qv_put(out, i % 10 == 9 ? " o\n" : i % 10 ? " o" : "o");
	qv_put(out, h->left % 10 || !h->left ? "\n" : "");
}

/* quevedo.h describes the optional functions: evaluations, boards, symmetries, dice and more. */
static const struct qv_game game = {
	QV_HEAD(qv_game), .name = "@NAME@", .title = "@NAME@",
	.help = "Two players take counters from a heap; whoever takes the last one wins.\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct heap),
	.max_moves = MOST_MOVES, .max_plies = 100, .options = options_table,
	.start = start, .seat = seat, .moves = moves, .play = play, .result = result, .hash = hash,
	.move_text = move_text, .position_text = position_text, .position_parse = position_parse,
	.draw = draw,
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return index == 0 ? &game : NULL;
}
