/*
 * search_book.c - the book's techniques that say what a line is worth, and some more of its search.
 * SPDX-License-Identifier: MIT
 *
 * Each against its definition and on the book's own examples: scores of moves (E4), the first of
 * equals (E5), chance between equals (E6), Samuel's exchange term (E7), phases (E9), material alone
 * (E11), no recursion (S9), no moves (S12), an only move (S13), full evaluation at the first ply
 * (S21).
 */
#include "support/search.h"

#include "search/duel_inline.h"

#define BARE "iterate=0,sort=0,killers=0,history=0,keep-line=0,tt=0,quiet=0"

enum { SPEC = 320, WANDER = 50 };

/* What is sound, by who knows it: all searches, those that prune, those with a window. */
static const struct {
	const char *key;
	int knows;
	int choices[4];
} sound[] = {
	{ "iterate", 0, { 0, 1, 0, 1 } },   { "random", 0, { 0, 0, 0, 1 } },
	{ "stack", 0, { 0, 1, 0, 1 } },     { "sort", 1, { 0, 1, 0, 1 } },
	{ "deep", 1, { 0, 1, 1, 1 } },      { "killers", 1, { 0, 1, 2, 8 } },
	{ "history", 1, { 0, 1, 0, 1 } },   { "keep-line", 1, { 0, 1, 0, 1 } },
	{ "tt", 1, { 0, 1, 1, 1 } },        { "window", 2, { 0, 1, 10, 100 } },
};
static const struct {
	const char *name;
	int knows;
} kinds[] = {
	{ "minimax", 0 },   { "negamax", 0 }, { "alphabeta", 2 },
	{ "negascout", 2 }, { "mtdf", 1 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A random mix of what must not change the value, but for one key, which the caller sets. */
static void put_mix(char *spec, const char *but, struct qv_random *random)
{
	const int kind = (int)qv_random_below(random, KINDS), knows = kinds[kind].knows;
	size_t used = (size_t)snprintf(spec, SPEC, "%s:depth=6%s", kinds[kind].name,
				       knows ? ",quiet=0,tt-exact=1" : "");
	for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
		if (sound[i].knows <= knows && strcmp(sound[i].key, but) != 0)
			used += (size_t)snprintf(spec + used, SPEC - used, ",%s=%d", sound[i].key,
						 sound[i].choices[qv_random_below(random, 4)]);
	assert_true(used < SPEC);
}

/* ---- what a line is worth, by definition ---- */

struct way {
	const char *keys;                  /* of the player */
	int ply1;
	bool moves, exchange, phases;
	const char *evaluation;            /* NULL: the game's first */
	/* Filled in for a game. */
	const struct qv_evaluation *e;
	const void *weights;
	int root_seat;
};

static int32_t material_of(const struct spot *s)
{
	const struct qv_game *g = s->rules.game;
	const int seat = g->seat(s->state);
	return g->material(s->state, seat) - g->material(s->state, 1 - seat);
}

/* (stronger / weaker) * (own - other) in hundredths, cut towards 0; the ratio is 100 at most. */
static int64_t exchange_of(const struct spot *s)
{
	const struct qv_game *g = s->rules.game;
	const int seat = g->seat(s->state);
	const int64_t own = g->material(s->state, seat), other = g->material(s->state, 1 - seat);
	const int64_t low = own < other ? own : other, high = own < other ? other : own;
	if (own == other)
		return 0;
	return low == 0 || high > 100 * low ? 10000 * (own - other)
					    : 100 * (own - other) * high / low;
}

/* At the end of a line that carries so much for the seat to move. */
static int32_t literal_end(const struct way *way, const struct spot *s, int64_t carried)
{
	if (way->moves)
		return (int32_t)carried;
	const int64_t value = carried + (way->ply1 == 1 ? material_of(s)
							: way->e->evaluate(s->state, way->weights));
	return (int32_t)(way->exchange ? 100 * value + exchange_of(s) : value);
}

/* What the line carries after a move, for the seat that played it. */
static int64_t literal_carried(const struct way *way, const struct spot *s, const struct spot *next,
			       qv_move move, int ply, int64_t carried)
{
	const bool turns = s->rules.game->seat(next->state) != s->rules.game->seat(s->state);
	if (way->moves)
		return carried + way->e->move(s->state, move, way->weights);
	if (!way->ply1 || ply)
		return carried;
	const int32_t rest = way->e->evaluate(next->state, way->weights) - material_of(next);
	return turns ? -rest : rest;
}

/* Minimax over lines, for the seat to move; carried: so far, for that seat. */
static int32_t literal_line(const struct way *way, const struct spot *s, int depth, int ply,
			    int64_t carried)
{
	int32_t points[QV_MAX_SEATS], best = INT32_MIN;
	qv_move list[SPOT_MOVES];
	if (ply ? spot_ended(s, points) : s->rules.game->result(s->state, points) != QV_GOING)
		return points_value(s, points, ply);
	if (!depth)
		return literal_end(way, s, carried);
	const int count = spot_moves(s, list);
	for (int i = 0; i < count; i++) {
		struct spot next = *s;
		spot_play(&next, list[i]);
		const bool turns = s->rules.game->seat(next.state) != s->rules.game->seat(s->state);
		const int64_t on = literal_carried(way, s, &next, list[i], ply, carried);
		const int32_t value =
			literal_line(way, &next, depth - 1, ply + 1, turns ? -on : on);
		if ((turns ? -value : value) > best)
			best = turns ? -value : value;
	}
	return best;
}

/* The way with this game's evaluation; false: the game has not what it needs. */
static bool way_suits(struct way *way, const struct spot *s)
{
	const struct qv_game *g = s->rules.game;
	way->e = g->evaluations;
	while (way->evaluation && way->e && way->e->name && strcmp(way->e->name, way->evaluation))
		way->e++;
	if (!way->e || !way->e->name || ((way->ply1 || way->exchange) && !g->material) ||
	    (way->moves && !way->e->move) ||
	    (way->phases && (!g->phase || !way->e->phase_weights)))
		return false;
	way->weights = way->e->weights;
	if (way->phases)
		way->weights = (const char *)way->e->phase_weights +
			       (size_t)g->phase(s->state) * way->e->weights_size;
	return true;
}

static const struct way ways[] = {
	{ .keys = "ply1=1", .ply1 = 1 },
	{ .keys = "ply1=2", .ply1 = 2 },
	{ .keys = "move-eval=1", .moves = true },
	{ .keys = "move-eval=1,eval=material", .moves = true, .evaluation = "material" },
	{ .keys = "exchange=1", .exchange = true },
	{ .keys = "exchange=1,eval=material", .exchange = true, .evaluation = "material" },
	{ .keys = "phases=1", .phases = true },
	{ .keys = "ply1=1,exchange=1", .ply1 = 1, .exchange = true },
	{ .keys = "ply1=2,exchange=1,phases=1", .ply1 = 2, .exchange = true, .phases = true },
	{ .keys = "move-eval=1,phases=1", .moves = true, .phases = true },
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Chess has too many moves for is_duel, but all that these need. */
static const struct way chess_ways[] = {
	{ .keys = "move-eval=1", .moves = true },
	{ .keys = "phases=1", .phases = true },
	{ .keys = "move-eval=1,phases=1,eval=book",
	  .moves = true,
	  .phases = true,
	  .evaluation = "book" },
	{ .keys = "phases=1,eval=book", .phases = true, .evaluation = "book" },
};

/* The same player sees position after position of a game, and may remember what it likes. */
static int walk_way(const struct way *chosen, const struct spot *from, struct qv_random *random)
{
	char mix[SPEC], spec[2 * SPEC], text[QV_POSITION_TEXT];
	struct way way = *chosen;
	struct spot s = *from;
	int positions = 0, depth = 1;
	if (!way_suits(&way, &s))
		return 0;
	put_mix(mix, "", random);
	snprintf(spec, sizeof spec, "%s,%s", mix, way.keys);
	struct qv_player *player = player_new(&s, spec);
	do {
		struct qv_limits limits = limits_at(&s);
		depth = depth > 1 ? depth - 1 : depth_for(&s, 5, 3000);
		limits.depth = depth;
		way_suits(&way, &s);
		const int64_t carried = way.moves ? way.e->evaluate(s.state, way.weights) : 0;
		const int32_t expected = literal_line(&way, &s, limits.depth, 0, carried);
		const struct qv_answer answer = ask(player, &s, &limits, NULL);
		if (answer.score != expected)
			fail_msg("%s gives %d, by definition it is %d to depth %d at %s", spec,
				 (int)answer.score, (int)expected, limits.depth,
				 spot_text(&s, text));
		assert_proof_shown(&s, &answer, spec);
	} while (++positions < 12 && spot_wander(&s, random));
	qv_player_free(player);
	return positions;
}

static void test_search_book__each_way_is_its_definition(void **state)
{
	struct qv_random random = { 41, 0 };
	for (int w = 0; w < WAYS; w++) {
		int positions = 0;
		for (int i = 0; qv_game_at(*state, i); i++)
			for (int k = (int)scaled(12); k > 0; k--) {
				const struct qv_game *game = qv_game_at(*state, i);
				const struct qv_game copy = *game;
				if (!is_duel(game))
					break;
				struct spot s = spot_random(*state, game, WANDER / 2, &random);
				if (k % 2)
					s.rules.game = &copy;      /* as a plug-in's */
				positions += walk_way(&ways[w], &s, &random);
			}
		print_message("%s: %d positions\n", ways[w].keys, positions);
		assert_true(positions > 0);
	}
}

static void test_search_book__each_way_is_its_definition_in_chess(void **state)
{
	const struct qv_game *chess = spot_at(*state, "chess", NULL).rules.game;
	struct qv_random random = { 47, 0 };
	for (size_t w = 0; w < sizeof chess_ways / sizeof *chess_ways; w++)
		for (int k = (int)scaled(4); k > 0; k--) {
			const struct spot s = spot_random(*state, chess, 60 * k, &random);
			assert_true(walk_way(&chess_ways[w], &s, &random) > 0);
		}
}

/*
 * A player that keeps its table through a game, each search a ply less deep, so that entries have
 * just the depth to be asked for again; and players without a table. Posts are small numbers: what
 * lines carry is often equal, or equal but for the seat.
 */
static void check_tables_on_the_way(const struct qv_context *context, const struct way *way,
				    const char *game, int depth, struct qv_random *random)
{
	char with[SPEC], without[SPEC], text[QV_POSITION_TEXT];
	struct spot s = spot_at(context, game, NULL);
	snprintf(with, sizeof with, "negascout:quiet=0,tt=1,tt-exact=1,%s", way->keys);
	snprintf(without, sizeof without, "alphabeta:quiet=0,tt=0,%s", way->keys);
	for (int k = (int)qv_random_below(random, 3); k > 0 && spot_wander(&s, random); k--)
		;
	struct qv_player *player = player_new(&s, with);
	do {
		const struct qv_limits limits = { .size = sizeof limits, .depth = depth };
		const int32_t kept = ask(player, &s, &limits, NULL).score,
			      fresh = think(&s, without, &limits, NULL).score;
		if (kept != fresh)
			fail_msg("%s gives %d, without a table it is %d to depth %d at %s", with,
				 (int)kept, (int)fresh, depth, spot_text(&s, text));
	} while (--depth && spot_wander(&s, random));
	qv_player_free(player);
}

/* Five points carried for the one seat are minus five for the other, whichever is the root's. */
static void test_search_book__the_key_knows_for_whom_a_line_carries(void **unused)
{
	(void)unused;
	struct duel_ply five = { .carried = 5 }, minus_five = { .carried = -5 };
	const struct duel_worker first = { .plies = &five, .root_seat = 0 },
				 second = { .plies = &minus_five, .root_seat = 1 },
				 other = { .plies = &five, .root_seat = 1 };
	for (int seat = 0; seat < 2; seat++) {
		const uint64_t key = duel_carried_key(&first, 99, seat, 0);
		assert_true(key == duel_carried_key(&second, 99, seat, 0));
		assert_true(key != duel_carried_key(&other, 99, seat, 0));
		assert_true(key != duel_carried_key(&first, 98, seat, 0));
	}
}

static void test_search_book__the_table_does_not_mix_lines(void **state)
{
	static const char *const games[] = { "toy-trade", "reversi" };
	struct qv_random random = { 42, 0 };
	for (int i = 0; i < 2; i++) {
		const struct spot s = spot_at(*state, games[i], NULL);
		for (int k = (int)scaled(i ? 100 : 400); k > 0; k--) {
			struct way way = ways[k % WAYS];
			if (way_suits(&way, &s))
				check_tables_on_the_way(*state, &way, games[i], 6 - i, &random);
		}
	}
}

/* A win to the end of the game stays one, and nothing else becomes one. */
static void check_proof_at(const struct spot *s, struct way way)
{
	char spec[SPEC];
	if (!way_suits(&way, s))
		return;
	snprintf(spec, sizeof spec, "alphabeta:depth=6,quiet=0,%s", way.keys);
	const struct qv_answer plain = think(s, "alphabeta:depth=6,quiet=0", NULL, NULL);
	const struct qv_answer answer = think(s, spec, NULL, NULL);
	assert_proof_shown(s, &answer, spec);
	if (is_decided(plain.score) || is_decided(answer.score))
		assert_int_equal(answer.score, plain.score);
}

static void test_search_book__proofs_stay_proofs(void **state)
{
	struct qv_random random = { 43, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = (int)scaled(20); is_duel(qv_game_at(*state, i)) && k > 0; k--) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), WANDER, &random);
			for (int w = 0; w < WAYS; w++)
				check_proof_at(&s, ways[w]);
		}
}

/* ---- E4: moves instead of positions ---- */

static int32_t after(const struct spot *s, const struct qv_evaluation *e, qv_move move)
{
	struct spot next = *s;
	spot_play(&next, move);
	const int32_t value = e->evaluate(next.state, e->weights);
	return s->rules.game->seat(next.state) == s->rules.game->seat(s->state) ? value : -value;
}

static void check_ranks(const struct spot *s, const struct qv_evaluation *e)
{
	qv_move list[SPOT_MOVES];
	const int n = spot_moves(s, list);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			assert_int_equal(sign(e->move(s->state, list[i], e->weights) -
					      e->move(s->state, list[j], e->weights)),
					 sign(after(s, e, list[i]) - after(s, e, list[j])));
}

/* With material alone both rank all moves alike, and so the searches are the same to the node. */
static void test_search_book__e4_with_material_moves_and_positions_agree(void **state)
{
	static const char *const games[] = { "reversi", "hexapawn", "toy-quiet" };
	struct qv_random random = { 44, 0 };
	for (int k = (int)scaled(300); k > 0; k--) {
		const struct spot s = spot_random(
			*state, spot_at(*state, games[k % 3], NULL).rules.game, WANDER, &random);
		const struct qv_evaluation *e = s.rules.game->evaluations;
		while (strcmp(e->name, "material") != 0)
			e++;
		check_ranks(&s, e);
		const struct qv_answer positions = think_to(
			&s, "alphabeta:depth=5,eval=material," BARE, 1 + k % 4);
		const struct qv_answer moves = think_to(
			&s, "alphabeta:depth=5,eval=material,move-eval=1," BARE, 1 + k % 4);
		assert_int_equal(moves.score, positions.score);
		assert_int_equal(moves.move, positions.move);
		assert_int_equal(moves.nodes, positions.nodes);
		assert_int_equal(moves.evals, moves.nodes);
	}
}

/* ---- E5, E6: equal moves ---- */

static int equal_moves(const struct spot *s, int depth, qv_move *equals)
{
	qv_move list[SPOT_MOVES];
	int32_t best = INT32_MIN;
	int count = 0;
	const int n = spot_moves(s, list);
	for (int i = 0; i < n; i++) {
		const int32_t v = think_only(s, "minimax:depth=3", depth, list[i]).score;
		if (v > best)
			count = 0;
		if (v >= best)
			equals[count++] = list[i];
		best = v > best ? v : best;
	}
	return count;
}

static void test_search_book__e5_the_first_of_equals_is_kept(void **state)
{
	static const char *const specs[] = { "minimax:depth=3", "negamax:depth=3",
					     "alphabeta:depth=3," BARE, "negascout:depth=3," BARE };
	struct qv_random random = { 45, 0 };
	int tied = 0;
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = (int)scaled(20); is_duel(qv_game_at(*state, i)) && k > 0; k--) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 20, &random);
			qv_move equals[SPOT_MOVES];
			tied += equal_moves(&s, 2, equals) > 1;
			for (int kind = 0; kind < 4; kind++)
				assert_int_equal(think_to(&s, specs[kind], 2).move, equals[0]);
		}
	assert_true(tied > 0);
}

static void test_search_book__e6_each_of_equals_is_chosen_by_some_seed(void **state)
{
	static const char *const starts[] = { "noughts", "reversi", "connect4" };
	for (int i = 0; i < 3; i++) {
		const struct spot s = spot_at(*state, starts[i], NULL);
		qv_move equals[SPOT_MOVES];
		int chosen[SPOT_MOVES] = { 0 };
		const int count = equal_moves(&s, 2, equals);
		for (uint64_t seed = 1; seed <= 300; seed++) {
			const struct qv_defaults defaults = { .size = sizeof defaults,
							      .seed = seed,
							      .threads = 1 };
			struct qv_player *player = NULL;
			assert_int_equal(qv_player_new(*state, &s.rules,
						       "alphabeta:depth=2,random=1,quiet=0",
						       &defaults, &player, NULL),
					 QV_OK);
			const qv_move move = ask(player, &s, NULL, NULL).move;
			qv_player_free(player);
			int place = 0;
			while (place < count && equals[place] != move)
				place++;
			assert_true(place < count);
			chosen[place]++;
		}
		for (int k = 0; k < count; k++)
			assert_true(chosen[k] > 0);
	}
}

/* ---- E7: trades ---- */

static void test_search_book__e7_who_is_ahead_gains_by_trades(void **unused)
{
	(void)unused;
	assert_int_equal(duel_exchange_term(6, 5), 120);
	assert_int_equal(duel_exchange_term(5, 4), 125);
	assert_int_equal(duel_exchange_term(5, 6), -120);
	assert_int_equal(duel_exchange_term(4, 5), -125);
	for (int64_t men = 0; men < 20; men++)
		assert_int_equal(duel_exchange_term(men, men), 0);
	assert_int_equal(duel_exchange_term(3, 0), 3 * 100 * DUEL_RATIO_MOST);
	assert_int_equal(duel_exchange_term(0, 3), -3 * 100 * DUEL_RATIO_MOST);
	for (int64_t own = 0; own < 40; own++)       /* no trade goes against the rule */
		for (int64_t other = 0; other < 40; other++)
			assert_true(sign((int32_t)(own - other)) *
					    (duel_exchange_term(own + 1, other + 1) -
					     duel_exchange_term(own, other)) <=
				    0);
}

static void assert_plays(const struct spot *s, const char *spec, const char *expected)
{
	char text[QV_MOVE_TEXT] = "";
	assert_string_equal(move_text(s, think(s, spec, NULL, NULL).move, text), expected);
}

static void test_search_book__e7_decides_whether_to_trade(void **state)
{
	const struct spot ahead = spot_at(*state, "toy-trade", "6 5 100 100 0 0 1 8"),
			  behind = spot_at(*state, "toy-trade", "5 6 100 100 0 0 1 8");
	assert_plays(&ahead, "alphabeta:depth=1,eval=material," BARE, "hold");
	assert_plays(&ahead, "alphabeta:depth=1,eval=material,exchange=1," BARE, "trade");
	assert_plays(&behind, "alphabeta:depth=1,eval=material,exchange=1," BARE, "hold");
	assert_int_equal(think_to(&ahead, "minimax:eval=material,exchange=1", 1).score,
			 10 * (100 + 125));
}

/* ---- E9: phases ---- */

static int phase_at(const struct qv_context *context, const char *position)
{
	const struct spot s = spot_at(context, "toy-trade", position);
	return s.rules.game->phase(s.state);
}

static void test_search_book__e9_the_end_is_below_25(void **state)
{
	for (int left = 1; left <= 8; left++) {      /* whatever the number of the move */
		char text[64];
		snprintf(text, sizeof text, "12 12 100 100 0 0 1 %d", left);
		assert_int_equal(phase_at(*state, text), QV_END);
		snprintf(text, sizeof text, "12 13 100 100 0 0 2 %d", left);
		assert_int_equal(phase_at(*state, text), left > 6 ? QV_OPENING : QV_MIDDLE);
	}
	/* A post counts three times in the opening, once in the end. */
	const struct spot opening = spot_at(*state, "toy-trade", "14 14 100 100 0 0 1 8"),
			  end = spot_at(*state, "toy-trade", "10 10 100 100 0 0 1 8");
	assert_int_equal(think(&opening, "minimax:depth=1,phases=1", NULL, NULL).score, 12);
	assert_int_equal(think(&end, "minimax:depth=1,phases=1", NULL, NULL).score, 4);
	const struct qv_game *reversi = spot_at(*state, "reversi", NULL).rules.game;
	struct qv_random random = { 46, 0 };
	for (int k = 0; k < 100; k++) {
		const struct spot s = spot_random(*state, reversi, 59, &random);
		const int discs = reversi->material(s.state, 0) + reversi->material(s.state, 1);
		assert_int_equal(reversi->phase(s.state),
				 discs < 25 ? QV_OPENING : discs < 45 ? QV_MIDDLE : QV_END);
	}
}

/* ---- E11: the material-only program ---- */

/* Plays on from the spot, the first spec for seat 0; returns who has won, or -1. */
static int play_out(struct spot s, const char *const specs[2])
{
	struct qv_player *players[2] = { player_new(&s, specs[0]), player_new(&s, specs[1]) };
	int32_t points[QV_MAX_SEATS];
	while (!spot_ended(&s, points)) {
		const struct qv_limits limits = limits_at(&s);
		const int seat = s.rules.game->seat(s.state);
		spot_play(&s, ask(players[seat], &s, &limits, NULL).move);
	}
	qv_player_free(players[0]);
	qv_player_free(players[1]);
	return qv_winner(s.rules.game, points);
}

/* Points of the first of so many games, the same openings for both sides. */
static double match(const struct qv_context *context, const char *game, const char *one,
		    const char *other, int pairs)
{
	struct qv_random random = { 47, 0 };
	double points = 0;
	for (int k = 0; k < pairs; k++) {
		struct spot s = spot_start(context, spot_at(context, game, NULL).rules.game);
		for (int ply = 0; ply < 8 && spot_wander(&s, &random); ply++)
			;
		for (int seat = 0; seat < 2; seat++) {
			const char *const specs[2] = { seat ? other : one, seat ? one : other };
			const int winner = play_out(s, specs);
			points += winner < 0 ? 0.5 : winner == seat;
		}
	}
	return points;
}

static void test_search_book__e11_position_beats_material(void **state)
{
	const int pairs = (int)scaled(20);
	const double points = match(*state, "reversi", "alphabeta:depth=3,tt=0",
				    "alphabeta:depth=3,tt=0,eval=material", pairs);
	print_message("%.1f points of %d games\n", points, 2 * pairs);
	assert_true(points > pairs);
}

/* A game that counts material has the evaluation, listed or not. */
static void test_search_book__e11_material_is_an_evaluation(void **state)
{
	struct qv_random random = { 48, 0 };
	for (int k = 0; k < 50; k++) {
		const struct spot s = spot_random(
			*state, spot_at(*state, "toy-trade", NULL).rules.game, 7, &random);
		int32_t best = INT32_MIN;
		qv_move list[SPOT_MOVES];
		for (int n = spot_moves(&s, list); n > 0; n--) {
			struct spot next = s;
			int32_t points[QV_MAX_SEATS];
			spot_play(&next, list[n - 1]);
			const int32_t value = spot_ended(&next, points)
						      ? points_value(&next, points, 1)
						      : material_of(&next);
			best = -value > best ? -value : best;
		}
		assert_int_equal(think_to(&s, "alphabeta:eval=material," BARE, 1).score, best);
	}
}

/* ---- S9: without recursion ---- */

/* What a listener hears, as one number. */
static void hear_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
			int32_t beta)
{
	(void)state;
	uint64_t *heard = ctx;
	*heard = qv_mix(*heard + move * 3 + (uint64_t)ply) + (uint32_t)alpha +
		 ((uint64_t)(uint32_t)beta << 32);
}

static void hear_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	uint64_t *heard = ctx;
	*heard = qv_mix(*heard + move * 5 + (uint64_t)ply * 2 + cut) + (uint32_t)value;
}

static void hear_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	(void)state;
	uint64_t *heard = ctx;
	*heard = qv_mix(*heard + (uint64_t)ply) + (uint32_t)value;
}

static void check_stack_at(const struct spot *s, const char *mix, int depth, bool listen)
{
	char specs[2][SPEC + 32], text[QV_POSITION_TEXT];
	struct qv_answer answers[2];
	uint64_t heard[2] = { 0, 0 };
	for (int stack = 0; stack < 2; stack++) {
		const struct qv_listener listener = { .size = sizeof listener,
						      .branch = hear_branch,
						      .node = hear_node,
						      .leaf = hear_leaf,
						      .ctx = &heard[stack] };
		struct qv_limits limits = limits_at(s);
		limits.depth = depth;
		snprintf(specs[stack], sizeof specs[stack], "%s,stack=%d", mix, stack);
		answers[stack] = think(s, specs[stack], &limits, listen ? &listener : NULL);
	}
	if (!same_answer(&answers[0], &answers[1]) || heard[0] != heard[1])
		fail_msg("%s: %d after %llu nodes, recursive %d after %llu, to depth %d at %s",
			 specs[1], (int)answers[1].score, (unsigned long long)answers[1].nodes,
			 (int)answers[0].score, (unsigned long long)answers[0].nodes, depth,
			 spot_text(s, text));
}

static void test_search_book__s9_without_recursion_the_search_is_the_same(void **state)
{
	struct qv_random random = { 49, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		for (int k = (int)scaled(1000); is_duel(game) && k > 0; k--) {
			char mix[SPEC];
			const struct spot s = spot_random(*state, game, WANDER, &random);
			const int depth =
				depth_for(&s, 1 + (int)qv_random_below(&random, 6), 5000);
			put_mix(mix, "stack", &random);
			check_stack_at(&s, mix, depth, k % 2);
		}
	}
}

/* Stopped anywhere it has a legal move, as the other has; and never more nodes than allowed. */
static void test_search_book__s9_can_be_stopped_anywhere(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	for (uint64_t nodes = 1; nodes < 400; nodes++) {
		const struct qv_limits limits = { .size = sizeof limits, .nodes = nodes };
		const struct qv_answer answer =
			think(&s, "alphabeta:depth=20,stack=1,tt=0", &limits, NULL);
		assert_true(answer.nodes <= nodes);
	}
}

/* ---- S12, S13: no move, and one ---- */

static void check_ended(const struct qv_context *context, const char *game, const char *position,
			int32_t expected)
{
	const struct spot s = spot_at(context, game, position);
	struct qv_player *player = player_new(&s, "alphabeta:depth=3");
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_player_think(player, s.state, NULL, NULL, &answer, NULL), QV_OK);
	assert_true(answer.move == QV_NO_MOVE && answer.proven && answer.nodes == 0);
	assert_int_equal(answer.score, expected);
	qv_player_free(player);
}

static void test_search_book__s12_no_moves_is_a_result(void **state)
{
	check_ended(*state, "hexapawn", "p../P../... w", -QV_WIN);
	check_ended(*state, "hexapawn:blocked=draw", "p../P../... w", 0);
	check_ended(*state, "noughts", "xoxxoooxx o", 0);
	check_ended(*state, "toy-quiet", "P........p 1 0", 0);
	check_ended(*state, "reversi",
		    "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O", -QV_WIN);
}

static void test_search_book__s13_an_only_move_is_played_at_once(void **state)
{
	struct qv_random random = { 50, 0 };
	int only = 0;
	const struct qv_game *reversi = spot_at(*state, "reversi", NULL).rules.game;
	for (int k = 0; k < 2000 && only < 20; k++) {
		const struct spot s = spot_random(*state, reversi, 58, &random);
		qv_move list[SPOT_MOVES];
		if (spot_moves(&s, list) != 1)
			continue;
		only++;
		const struct qv_answer chopped =
			think(&s, "alphabeta:depth=4,chopper=1," BARE, NULL, NULL);
		const struct qv_answer full = think(&s, "alphabeta:depth=4," BARE, NULL, NULL);
		assert_int_equal(chopped.nodes, 1);
		assert_true(chopped.move == list[0] && full.move == list[0]);
	}
	assert_int_equal(only, 20);
}

/* ---- S21: the full evaluation at the first ply ---- */

/* A charge looks best at once; the answer doubles the post up, which material does not show. */
static void test_search_book__s21_is_blind_to_damage_by_a_reply(void **state)
{
	const struct spot s = spot_at(*state, "toy-trade", NULL);
	assert_plays(&s, "alphabeta:depth=2," BARE, "hold");
	assert_plays(&s, "alphabeta:depth=2,ply1=1," BARE, "charge");
	assert_plays(&s, "alphabeta:depth=2,ply1=2," BARE, "hold");      /* the repair */
	assert_plays(&s, "alphabeta:depth=1,ply1=1," BARE, "charge");
	assert_plays(&s, "alphabeta:depth=1," BARE, "charge");
}

static uint64_t calls;

static int32_t count_calls(const void *state, const void *weights)
{
	(void)state, (void)weights;
	calls++;
	return 0;
}

/* No evaluation but of the root and of its moves. */
static void test_search_book__s21_evaluates_no_deeper_than_the_first_ply(void **state)
{
	struct spot s = spot_at(*state, "reversi", NULL);
	const struct qv_evaluation table[] = { { .name = "counts", .evaluate = count_calls },
					       { 0 } };
	struct qv_game copy = *s.rules.game;
	copy.evaluations = table;
	s.rules.game = &copy;
	calls = 0;
	think(&s, "minimax:depth=4,ply1=1", NULL, NULL);
	assert_int_equal(calls, 1 + 4);
	calls = 0;
	think(&s, "minimax:depth=4", NULL, NULL);
	assert_int_equal(calls, 1 + 244);        /* the root's, and perft 4 */
}

/* ---- what cannot be is refused ---- */

static void must_refuse(const struct qv_context *context, const char *game, const char *spec,
			const char *why)
{
	const struct spot s = spot_at(context, game, NULL);
	struct qv_error error = { "" };
	struct qv_player *player = NULL;
	assert_int_equal(qv_player_new(context, &s.rules, spec, NULL, &player, &error),
			 QV_UNSUPPORTED);
	assert_null(player);
	assert_string_equal(error.text, why);
}

static void test_search_book__what_a_game_has_not_is_refused(void **state)
{
	static const char *const cases[][3] = {
		{ "connect4", "alphabeta:ply1=1", "ply1: connect4 has no material to count" },
		{ "noughts", "minimax:exchange=1", "exchange: noughts has no material to count" },
		{ "connect4", "mtdf:move-eval=1",
		  "move-eval: connect4 has no evaluation default that scores moves" },
		{ "toy-counted", "mtdf:move-eval=1",
		  "move-eval: toy-counted has no evaluation that scores moves" },
		{ "toy-trade", "alphabeta:move-eval=1,eval=material",
		  "move-eval: toy-trade has no evaluation material that scores moves" },
		{ "hexapawn", "alphabeta:phases=1",
		  "phases: hexapawn has no weights for each phase in its evaluation book" },
		{ "chess", "alphabeta:move-eval=1,eval=net",
		  "move-eval: chess has no evaluation net that scores moves" },
		{ "chess", "alphabeta:phases=1,eval=net",
		  "phases: chess has no weights for each phase in its evaluation net" },
		{ "reversi", "alphabeta:phases=1,eval=material",
		  "phases: reversi has no weights for each phase in its evaluation material" },
		{ "reversi", "alphabeta:ply1=1,move-eval=1",
		  "ply1: cannot be combined with move-eval" },
		{ "reversi", "alphabeta:exchange=1,move-eval=1",
		  "exchange: cannot be combined with move-eval" },
		{ "reversi", "alphabeta:stack=1,razor=1", "stack: cannot be combined with razor" },
		{ "reversi", "alphabeta:stack=1,hard=5", "stack: cannot be combined with hard" },
		{ "reversi", "mtdf:stack=1,top=5", "stack: cannot be combined with top" },
		{ "toy-quiet", "alphabeta:stack=1",
		  "stack: quiescence search needs recursion; add quiet=0" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		must_refuse(*state, cases[i][0], cases[i][1], cases[i][2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_book__each_way_is_its_definition),
		cmocka_unit_test(test_search_book__each_way_is_its_definition_in_chess),
		cmocka_unit_test(test_search_book__the_key_knows_for_whom_a_line_carries),
		cmocka_unit_test(test_search_book__the_table_does_not_mix_lines),
		cmocka_unit_test(test_search_book__proofs_stay_proofs),
		cmocka_unit_test(test_search_book__e4_with_material_moves_and_positions_agree),
		cmocka_unit_test(test_search_book__e5_the_first_of_equals_is_kept),
		cmocka_unit_test(test_search_book__e6_each_of_equals_is_chosen_by_some_seed),
		cmocka_unit_test(test_search_book__e7_who_is_ahead_gains_by_trades),
		cmocka_unit_test(test_search_book__e7_decides_whether_to_trade),
		cmocka_unit_test(test_search_book__e9_the_end_is_below_25),
		cmocka_unit_test(test_search_book__e11_position_beats_material),
		cmocka_unit_test(test_search_book__e11_material_is_an_evaluation),
		cmocka_unit_test(test_search_book__s9_without_recursion_the_search_is_the_same),
		cmocka_unit_test(test_search_book__s9_can_be_stopped_anywhere),
		cmocka_unit_test(test_search_book__s12_no_moves_is_a_result),
		cmocka_unit_test(test_search_book__s13_an_only_move_is_played_at_once),
		cmocka_unit_test(test_search_book__s21_is_blind_to_damage_by_a_reply),
		cmocka_unit_test(test_search_book__s21_evaluates_no_deeper_than_the_first_ply),
		cmocka_unit_test(test_search_book__what_a_game_has_not_is_refused),
	};
	return cmocka_run_group_tests_name("search_book", tests, setup, teardown);
}
