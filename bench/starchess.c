/*
 * starchess.c - the mask predictor of Star Chess: positions generated, and speed.
 * SPDX-License-Identifier: MIT
 * usage: bench_starchess [GAMES]
 *
 * Four two-turn predictors play games in mixed galaxies. At every tenth turn each player of the
 * table searches the position, and all ways to move and build are counted. The counts are the same
 * on every machine; docs/results/starchess.md has the output.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "games/starchess/predict.h"

enum { EVERY = 10, MOST_GAMES = 1000 };

struct row {
	const char *spec;
	uint64_t generated, evaluated, most;
	double seconds;
	int turns;
	struct qv_player *player;
};

static struct row rows[] = {
	{ .spec = "mask:turns=0,literal=1" },
	{ .spec = "mask:turns=1,literal=1" },
	{ .spec = "mask:turns=2,literal=1" },
	{ .spec = "mask:turns=3,literal=1" },
	{ .spec = "mask:turns=2" },
	{ .spec = "mask:turns=3" },
	{ .spec = "mask:turns=4" },
	{ .spec = "mask:turns=1,all-masks=1,literal=1" },
	{ .spec = "mask:turns=1,all-masks=1" },
};
enum { ROWS = sizeof rows / sizeof *rows };

static void fail(const char *what)
{
	fprintf(stderr, "bench_starchess: %s\n", what);
	exit(1);
}

/* Processor time of this process. */
static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct qv_answer think(struct qv_player *player, const struct starchess *s)
{
	struct qv_answer answer = { .size = sizeof answer };
	if (qv_player_think(player, s, NULL, NULL, &answer, NULL) != QV_OK)
		fail("a player failed");
	return answer;
}

/* ---- Without masks ---- */

/* The ways to distribute ships over `places` targets and the origin. */
static double ways_to_share(int ships, int places)
{
	double ways = 1;
	for (int i = 1; i <= places; i++)
		ways = ways * (ships + i) / i;
	return ways;
}

/* Each fleet may send any number of ships to any neighbour it may enter. */
static double ways_to_move(const struct starchess *s)
{
	const unsigned reach = sc_near(s->g.colonies[s->seat]);
	double ways = 1;
	SC_EACH(from, s->g.fleets[s->seat]) {
		const unsigned to = sc_near(1U << from) & ~(1U << from) & reach;
		ways *= ways_to_share(s->active[from], bits_count(to));
	}
	return ways;
}

/* Each colony may build any number of ships, as long as the reserves last. */
static double ways_to_build(const struct starchess *s)
{
	enum { MOST = 2000 };
	static double ways[MOST + 1]; /* to have built so many */
	const int paid = sc_least(sc_least(s->g.materials[s->seat] / SC_SHIP_MATERIALS,
					   s->g.credits[s->seat] / SC_SHIP_CREDITS),
				  MOST);
	double sum = 0;
	memset(ways, 0, sizeof ways);
	ways[0] = 1;
	SC_EACH(colony, s->g.colonies[s->seat]) {
		const int most = sc_most_built(s, colony);
		for (int built = paid; built >= 0; built--)
			for (int n = 1; n <= most && n <= built; n++)
				ways[built] += ways[built - n];
	}
	for (int built = 0; built <= paid; built++)
		sum += ways[built];
	return sum;
}

/* Powers of ten. */
static struct brute {
	double sum, least, most;
	int turns;
} brute;

static void count_ways(const struct starchess *s)
{
	const double power = log10(ways_to_move(s)) + log10(ways_to_build(s));
	brute.least = !brute.turns || power < brute.least ? power : brute.least;
	brute.most = power > brute.most ? power : brute.most;
	brute.sum += power;
	brute.turns++;
}

/* The document's example: a central colony with 20 ships that can build 20 more. */
static void show_ways(void)
{
	struct starchess s = { .turn = 1, .limit = 200 };
	s.g.colonies[0] = s.g.fleets[0] = 1U << 5;
	s.g.population[5] = 200;
	s.g.ships[5] = s.active[5] = 20;
	s.g.materials[0] = s.g.credits[0] = 9999;
	printf("all ways to move and build: the document's colony %.0f; the %d turns 10^%.1f (mean of the "
	       "powers), 10^%.1f to 10^%.1f\n",
	       ways_to_move(&s) * ways_to_build(&s), brute.turns, brute.sum / brute.turns,
	       brute.least, brute.most);
}

/* ---- With masks ---- */

static void measure(const struct starchess *s)
{
	count_ways(s);
	for (int i = 0; i < ROWS; i++) {
		qv_player_new_game(rows[i].player);
		const double begun = cpu_seconds();
		const struct qv_answer answer = think(rows[i].player, s);
		rows[i].seconds += cpu_seconds() - begun;
		rows[i].generated += answer.nodes;
		rows[i].evaluated += answer.evals;
		rows[i].most = answer.nodes > rows[i].most ? answer.nodes : rows[i].most;
		rows[i].turns++;
	}
}

static struct qv_player *make(const struct qv_context *context, const struct qv_rules *rules,
			      const char *spec)
{
	struct qv_player *player;
	struct qv_error error;
	if (qv_player_new(context, rules, spec, NULL, &player, &error) != QV_OK)
		fail(error.text);
	return player;
}

static void play(const struct qv_rules *rules, struct qv_player *player, int64_t seed)
{
	int32_t points[QV_MAX_SEATS];
	struct starchess s;
	struct qv_rules galaxy = *rules;
	galaxy.options[SC_OPTION_SEED] = seed;
	rules->game->start(galaxy.options, &s);
	for (int turn = 0; starchess_result(&s, points) == QV_GOING; turn++) {
		qv_move move;
		if (turn % EVERY == 0)
			measure(&s);
		do {
			move = think(player, &s).move;
			starchess_play(&s, move);
		} while (sc_kind(move) != SC_END);
	}
}

int main(int argc, char **argv)
{
	const int games = argc > 1 ? atoi(argv[1]) : 2;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	if (games < 1 || games > MOST_GAMES || !context ||
	    qv_rules_parse(context, "starchess", &rules, NULL) != QV_OK)
		fail("usage: bench_starchess [GAMES]");
	for (int i = 0; i < ROWS; i++)
		rows[i].player = make(context, &rules, rows[i].spec);
	struct qv_player *player = make(context, &rules, "mask");
	for (int game = 0; game < games; game++) {
		qv_player_new_game(player);
		play(&rules, player, game);
	}
	printf("| player | turns | generated | most | evaluated | ms | million positions a second |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (int i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		printf("| `%s` | %d | %.0f | %llu | %.0f | %.3f | %.1f |\n", r->spec, r->turns,
		       (double)r->generated / r->turns, (unsigned long long)r->most,
		       (double)r->evaluated / r->turns, 1000 * r->seconds / r->turns,
		       (double)r->generated / r->seconds / 1e6);
		qv_player_free(rows[i].player);
	}
	show_ways();
	qv_player_free(player);
	qv_context_free(context);
	return 0;
}
