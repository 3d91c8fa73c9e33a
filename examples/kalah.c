/*
 * kalah.c - Kalah as a plug-in for Quevedo: extra turns, captures, and options.
 * SPDX-License-Identifier: MIT
 *
 * Each player has a row of pits with seeds and a store on the right. You take all seeds of one of
 * your pits and sow them one by one to the right: through your pits, into your store, through your
 * opponent's pits, past your opponent's store, and on into your own pits. If the last seed falls
 * into your store, you move again. If it falls into an empty pit of yours and there are seeds in
 * the pit opposite, you win it and those seeds. When either row is empty, the seeds that are left
 * go to the player in whose row they are, and whoever has more seeds wins.
 *
 * breakthrough.c is the simpler example, and docs/add-a-game.md walks through it. What is new here:
 * - options, which the state must store if the rules need them (start, position_parse);
 * - a player who moves twice, so `alternates` is not set (play);
 * - points that matter beyond who wins, so that `solve --json`, `perfect` and others find or play for
 *   the margin (result, and `stakes`, `win` and `max_plies` of the game);
 * - names of the seats (seat_names), which take the place of numbers for users;
 * - a board whose cells hold many pieces (layout, stand, set_up).
 *
 * Build with examples/Makefile and run `quevedo play kalah --plugin ./kalah.so`.
 */
#include <quevedo.h>

enum { PITS, SEEDS };              /* the options, in the order of options_table */
enum { MOST_PITS = 10, MOST_SEEDS = 10, CELLS = 2 * (MOST_PITS + 1) };

/*
 * The cells run around the board: the pits of seat 0, its store, the pits of seat 1, its store. The
 * number of pits is an option. Only start, position_parse and the board functions get the options,
 * so the state holds it. The number of seeds at the start is not needed: the seeds are all there.
 */
struct kalah {
	uint8_t pits;              /* of each player */
	uint8_t turn;              /* the seat to move */
	uint8_t seeds[CELLS];      /* those beyond 2 * (pits + 1) are always 0: one state, one text */
};
_Static_assert(sizeof(struct kalah) == 2 + CELLS, "no padding");
_Static_assert(2 * MOST_PITS * MOST_SEEDS <= UINT8_MAX, "all seeds may lie in one cell");

/* The first pit and the store of a seat, and the number of cells. */
static int first_pit(const struct kalah *k, int seat)
{
	return seat * (k->pits + 1);
}

static int store(const struct kalah *k, int seat)
{
	return first_pit(k, seat) + k->pits;
}

static int cells(const struct kalah *k)
{
	return 2 * (k->pits + 1);
}

/* Seeds in the pits of a seat, without its store. */
static int row_sum(const struct kalah *k, int seat)
{
	int sum = 0;
	for (int i = first_pit(k, seat); i < store(k, seat); i++)
		sum += k->seeds[i];
	return sum;
}

static void start(const int64_t *options, void *state)
{
	struct kalah *k = state;
	memset(k, 0, sizeof *k);
	k->pits = (uint8_t)options[PITS];
	for (int seat = 0; seat < 2; seat++)
		memset(k->seeds + first_pit(k, seat), (int)options[SEEDS], k->pits);
}

static int seat(const void *state)
{
	return ((const struct kalah *)state)->turn;
}

/* `play` empties both rows at the end, so an empty row means the end. */
static bool has_ended(const struct kalah *k)
{
	return !row_sum(k, 0);
}

/*
 * The points are the seeds. Because the game has stakes, their difference counts, not only who has
 * more.
 */
static enum qv_outcome result(const void *state, int32_t *points)
{
	const struct kalah *k = state;
	if (!has_ended(k))
		return QV_GOING;
	for (int s = 0; s < 2; s++)
		points[s] = k->seeds[store(k, s)];
	return QV_ENDED;
}

/* A move is the number of a pit in its row, from 0. The player to move always has a seed. */
static int moves(const void *state, qv_move *list)
{
	const struct kalah *k = state;
	int n = 0;
	for (int pit = 0; pit < k->pits; pit++)
		if (k->seeds[first_pit(k, k->turn) + pit])
			list[n++] = (qv_move)pit;
	return n;
}

/* Sows the seeds of a cell. Returns the cell where the last one falls. */
static int sow(struct kalah *k, int from)
{
	int at = from;
	int seeds = k->seeds[from];
	k->seeds[from] = 0;
	while (seeds > 0) {
		at = (at + 1) % cells(k);
		if (at == store(k, 1 - k->turn))
			continue;
		k->seeds[at]++;
		seeds--;
	}
	return at;
}

/* At the end everybody puts the seeds of the row into the store. */
static void sweep(struct kalah *k)
{
	for (int s = 0; s < 2; s++) {
		k->seeds[store(k, s)] = (uint8_t)(k->seeds[store(k, s)] + row_sum(k, s));
		memset(k->seeds + first_pit(k, s), 0, k->pits);
	}
}

static void play(void *state, qv_move move)
{
	struct kalah *k = state;
	const int home = store(k, k->turn), last = sow(k, first_pit(k, k->turn) + (int)move);
	/* Opposite pits are equally far from the store between them. */
	const int opposite = 2 * k->pits - last;
	if (last >= first_pit(k, k->turn) && last < home && k->seeds[last] == 1 &&
	    k->seeds[opposite]) {
		k->seeds[home] = (uint8_t)(k->seeds[home] + 1 + k->seeds[opposite]);
		k->seeds[last] = k->seeds[opposite] = 0;
	}
	if (!row_sum(k, 0) || !row_sum(k, 1))
		sweep(k);
	if (last != home)
		k->turn = !k->turn;
}

static uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct kalah));
}

/* `a` to `j` for seat 0, `A` to `J` for seat 1; case is ignored when a move is read. */
static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	qv_put_char(out, (char)((seat(state) ? 'A' : 'a') + (int)move));
}

/* `4 4 4 0 4 4 4 0 1`: the cells in their order, and the seat to move, from 1. */
static void position_text(const void *state, struct qv_text *out)
{
	const struct kalah *k = state;
	for (int i = 0; i < cells(k); i++) {
		qv_put_int(out, k->seeds[i]);
		qv_put_char(out, ' ');
	}
	qv_put_int(out, k->turn + 1);
}

/* All seeds of the start must be there, so the options of the game are part of what is legal. */
static enum qv_status position_parse(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	struct kalah k = { .pits = (uint8_t)options[PITS] };
	const int all = 2 * (int)options[PITS] * (int)options[SEEDS];
	int64_t sum = 0, number;
	for (int i = 0; i < cells(&k); i++) {
		if (!qv_read_number(&text, all, &number) || !qv_read_char(&text, ' '))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected %d numbers up to %d, each with a blank",
				       cells(&k), all);
		k.seeds[i] = (uint8_t)number;
		sum += number;
	}
	if (!qv_read_number(&text, 2, &number) || number == 0 || *text)
		return qv_fail(error, QV_BAD_INPUT, "position: expected the seat, 1 or 2, last");
	k.turn = (uint8_t)(number - 1);
	if (sum != all)
		return qv_fail(error, QV_ILLEGAL, "position: %d seeds, but there are %d",
			       (int)sum, all);
	if (!row_sum(&k, 0) != !row_sum(&k, 1))
		return qv_fail(error, QV_ILLEGAL,
			       "position: when one row is empty, the other's seeds go to its store");
	*(struct kalah *)state = k;
	return QV_OK;
}

/*
 * Everything from here on is optional. The evaluation counts, for both seats: seeds in the store,
 * seeds in the pits, and pits whose last seed would fall into the store.
 */
enum { STORE, ROW, AGAIN, WEIGHTS };

static int extra_turns(const struct kalah *k, int seat)
{
	int n = 0;
	for (int i = first_pit(k, seat); i < store(k, seat); i++)
		n += k->seeds[i] == store(k, seat) - i;
	return n;
}

static int32_t weigh(const struct kalah *k, const int32_t *w, struct qv_terms *terms)
{
	int32_t value[2];
	for (int s = 0; s < 2; s++)
		value[s] = qv_weigh(terms, w, STORE, s, k->seeds[store(k, s)]) +
			   qv_weigh(terms, w, ROW, s, row_sum(k, s)) +
			   qv_weigh(terms, w, AGAIN, s, extra_turns(k, s));
	return value[k->turn] - value[1 - k->turn];
}

static int32_t evaluate(const void *state, const void *weights)
{
	return weigh(state, weights, NULL);
}

/* For `quevedo eval`: the same sum, with the list of its terms. */
static void list_terms(const void *state, const void *weights, struct qv_terms *out)
{
	weigh(state, weights, out);
}

/* Searches try moves with a higher rank first: extra turns, then pits near the store. */
static int32_t rank(const void *state, qv_move move)
{
	const struct kalah *k = state;
	const int from = first_pit(k, k->turn) + (int)move;
	return (k->seeds[from] == store(k, k->turn) - from ? 100 : 0) + (int32_t)move;
}

/* The other player's row is above, from right to left, as it is seen across the table. */
static void draw(const void *state, bool unicode, struct qv_text *out)
{
	const struct kalah *k = state;
	char cell[8];
	(void)unicode;
	for (int upper = 1; upper >= 0; upper--) {
		qv_put(out, "    ");
		for (int i = 0; i < k->pits; i++) {
			const int pit = upper ? k->pits - 1 - i : i;
			snprintf(cell, sizeof cell, "%4d", k->seeds[first_pit(k, upper) + pit]);
			qv_put(out, cell);
		}
		qv_put_char(out, '\n');
		if (!upper)
			break;
		snprintf(cell, sizeof cell, "%4d", k->seeds[store(k, 1)]);
		qv_put(out, cell);
		for (int i = 0; i < k->pits; i++)
			qv_put(out, "    ");
		snprintf(cell, sizeof cell, "%4d", k->seeds[store(k, 0)]);
		qv_put(out, cell);
		qv_put_char(out, '\n');
	}
}

/* The board for user interfaces: cell i is cell i of the state. A cell shows how many it holds. */
static const struct qv_piece pieces[] = {
	{ .name = "seed", .body = "M-30 0A30 22 0 1 0 30 0A30 22 0 1 0-30 0Z",
	  .paint = QV_PAINT_YELLOW, .seat = -1, .most = 2 * MOST_PITS * MOST_SEEDS },
	{ .name = NULL },
};

static void layout(const int64_t *options, struct qv_layout *l)
{
	const int pits = (int)options[PITS];
	char name[QV_CELL_TEXT];
	l->width = (int16_t)(100 * pits + 240);
	l->height = 260;
	l->ground = QV_TONE_WOOD;
	for (int s = 0; s < 2; s++) {
		for (int i = 0; i < pits; i++) {
			const int column = s ? pits - i : i + 1;
			snprintf(name, sizeof name, "%c", (s ? 'A' : 'a') + i);
			struct qv_cell *pit =
				qv_add_cell(l, name, 20 + 100 * column + 50, s ? 75 : 185);
			pit->width = pit->height = 92;
			pit->shape = QV_ELLIPSE;
			pit->tone = QV_TONE_DARK;
			pit->row = (int16_t)(s ? 0 : 2);
			pit->column = (int16_t)column;
		}
		snprintf(name, sizeof name, "store %d", s + 1);
		struct qv_cell *home = qv_add_cell(l, name, s ? 65 : 100 * pits + 175, 130);
		home->width = 92;
		home->height = 200;
		home->shape = QV_ELLIPSE;
		home->tone = QV_TONE_LIGHT;
		home->row = 1;
		home->column = (int16_t)(s ? 0 : pits + 1);
	}
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct kalah *k = state;
	int n = 0;
	for (int16_t i = 0; i < cells(k); i++)
		if (k->seeds[i])
			list[n++] = (struct qv_standing){ i, 0, k->seeds[i] };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *list)
{
	const struct kalah *k = state;
	list[0] = (int16_t)(first_pit(k, k->turn) + (int)move);
	return 1;
}

/* Writes the position as text and parses it, so that the same checks apply. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int side, void *state, struct qv_error *error)
{
	int seeds[CELLS] = { 0 };
	char text[CELLS * 5 + 4] = "";
	struct qv_text out = { text, sizeof text, 0 };
	for (int i = 0; i < count; i++)
		seeds[list[i].cell] = (int)list[i].count;
	for (int i = 0; i < 2 * ((int)options[PITS] + 1); i++) {
		qv_put_int(&out, seeds[i]);
		qv_put_char(&out, ' ');
	}
	qv_put_int(&out, side + 1);
	return position_parse(options, text, state, error);
}

static const struct qv_board board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .set_up = set_up,
};

static const int32_t default_weights[WEIGHTS] = { 20, 5, 12 };
static const struct qv_weight names[] = {
	{ "store", STORE, 1 }, { "row", ROW, 1 }, { "again", AGAIN, 1 }, { NULL, 0, 0 },
};
static const struct qv_evaluation evaluations[] = {
	{ .name = "seeds", .help = "seeds in the store and in the pits, extra turns",
	  .evaluate = evaluate, .weights = default_weights, .weights_size = sizeof default_weights,
	  .names = names, .terms = list_terms },
	{ .name = NULL },
};

static const struct qv_option options_table[] = {
	{ .name = "pits", .help = "pits of each player", .min = 1, .max = MOST_PITS, .preset = 6 },
	{ .name = "seeds", .help = "seeds in each pit", .min = 1, .max = MOST_SEEDS, .preset = 4 },
	{ .name = NULL },
};

static const char *const seat_names[] = { "South", "North" };

/*
 * The margin counts up to STAKES, all seeds of the usual board. WIN is what such a lead is worth in
 * the evaluation.
 */
enum { STAKES = 48, WIN = 20 * STAKES };

/*
 * Solvers find margins only if games surely end: an upper limit of their length. Count the steps of
 * all seeds to the store of their row. A move that puts no seed into a store lowers that number.
 * One that does raises it by ROUND at most for each seed that it puts there: one seed in each pit.
 */
enum {
	ROUND = MOST_PITS * (MOST_PITS + 1),
	MOST_ALL = 2 * MOST_PITS * MOST_SEEDS,
	MOST_PLIES = MOST_SEEDS * ROUND + MOST_ALL * (ROUND + 1),
};

/*
 * Players for level:1, level:2 and so on. Expectimax plays for the margin of seeds. With `margin`
 * it chooses at random among moves of nearly the same value, so that games differ.
 */
static const char *const levels[] = {
	"random", "expectimax:depth=1,margin=10", "expectimax:depth=3,margin=5",
	"expectimax:depth=6,margin=2", NULL,
};

static const struct qv_game kalah = {
	QV_HEAD(qv_game), .name = "kalah", .title = "Kalah",
	.help = "Sow the seeds of one of your pits to the right. If the last one falls into your "
		"store, move again; if it falls into an empty pit of yours, capture the seeds "
		"opposite.\nMoves: a to j for the first player, A to J for the second.\n"
		"Position: the pits of the first player and its store, those of the second, and the "
		"player to move.\n",
	.seats = 2, .state_size = sizeof(struct kalah), .max_moves = MOST_PITS,
	.max_plies = MOST_PLIES, .stakes = STAKES, .win = WIN, .seat_names = seat_names,
	.options = options_table, .evaluations = evaluations, .levels = levels,
	.start = start, .seat = seat, .moves = moves, .play = play, .result = result, .hash = hash,
	.move_text = move_text, .position_text = position_text, .position_parse = position_parse,
	.rank = rank, .draw = draw, .board = &board,
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return index == 0 ? &kalah : NULL;
}
