/*
 * bench.c - the command bench: fixed searches over fixed positions, and how fast they went.
 * SPDX-License-Identifier: MIT
 *
 * The signature is the sum of the searches' node counts. Every search is single-threaded with its
 * limits in depth and nodes, its table of fixed size, so the sum is the same on every machine and
 * with every compiler; it changes when, and only when, a search or a game does something else than
 * before. Perft rows measure speed alone.
 */
#include "base/clock.h"
#include "cli/cli.h"
#include "core/context.h"
#include "search/random_move.h"

/* The plies of random play that lead from the start to each position. */
static const int random_plies[] = { 0, 2, 5, 9, 14, 20 };
enum { POSITIONS = sizeof random_plies / sizeof random_plies[0] };

/* The searches, each with fixed limits. To add one, append it: the signature changes. */
static const char *const specs[] = {
	"minimax:depth=6,nodes=500000",
	"alphabeta:depth=8,nodes=500000,iterate=0,sort=0,killers=0,history=0,tt=0",
	"alphabeta:depth=10,nodes=500000,tt=0,threads=1",
	"negascout:depth=12,nodes=500000,tt=16,threads=1",
	"mtdf:depth=12,nodes=500000,tt=16,threads=1",
	"selective:depth=12,nodes=100000,tt=16,threads=1",
	"selective:depth=12,nodes=100000,tt=16,threads=1,eval=net",
	"expectimax:depth=6,nodes=500000",
	"maxn:depth=5,nodes=200000",
	"paranoid:depth=6,nodes=200000",
	"mask:turns=2,literal=1,threads=1",
	"admiral:nodes=20000",
	"equity:1,filter=none,tt=0",
	NULL,
};

/* A run of the benchmark on one game after the other. */
struct bench {
	struct cli *c;
	struct qv_rules rules;
	struct rules_text name;
	unsigned char *states[POSITIONS]; /* the positions that are searched */
	const struct qv_flag *stop;
	uint64_t signature; /* node counts of all searches so far */
	json_t *rows;
};

/* ---- Positions ---- */

/*
 * The start position and positions after random moves, the same on every machine. A walk continues
 * until a player, not chance, is to move.
 */
static enum qv_status make_positions(struct bench *b)
{
	const struct qv_game *game = b->rules.game;
	const uint64_t key = qv_random_key((uint64_t)b->c->args.seed,
					   qv_hash_bytes(game->name, strlen(game->name)));
	void *scratch = qv_state_new(b->c->context, game);
	enum qv_status status = scratch ? QV_OK : QV_NO_MEMORY;
	for (int i = 0; i < POSITIONS && status == QV_OK; i++) {
		enum { LONGEST = 1000 }; /* for games that roll dice forever */
		struct qv_random random = { .key = qv_random_key(key, (uint64_t)i) };
		int32_t points[QV_MAX_SEATS];
		qv_move list[QV_MAX_MOVES];
		void *state = b->states[i] = qv_state_new(b->c->context, game);
		status = state ? qv_position_parse(&b->rules, NULL, state, &b->c->error)
			       : QV_NO_MEMORY;
		if (status != QV_OK)
			break;
		/* Moves that would end the game are not played, so a walk may be shorter. */
		for (int k = 0;
		     (k < random_plies[i] || game->seat(state) == QV_CHANCE) && k < LONGEST; k++) {
			memcpy(scratch, state, game->state_size);
			const int count = game->moves(state, list);
			game->play(scratch, random_move(game, state, list, count, &random));
			if (game->result(scratch, points) == QV_GOING)
				memcpy(state, scratch, game->state_size);
		}
	}
	qv_state_free(b->c->context, game, scratch);
	return status == QV_NO_MEMORY ? cli_no_memory(b->c, "bench") : status;
}

/* ---- Rows ---- */

/*
 * Adds a row to the table and to the JSON: what ran, its nodes, and unless --no-times its time and
 * speed.
 */
static void add_row(struct bench *b, const char *what, uint64_t nodes, double seconds)
{
	struct cli *c = b->c;
	const bool times = !c->args.no_times;
	const double speed = seconds > 0 ? (double)nodes / seconds : 0;
	json_t *o = json_fields(json_object(), "game", json_text(b->name.text), "run",
				json_text(what), "nodes", json_count(nodes), NULL);
	if (times)
		o = json_fields(o, "seconds", json_seconds(seconds), "nodes_per_second",
				json_count((uint64_t)speed), NULL);
	b->rows = json_item(b->rows, o);
	if (c->args.json)
		return;
	string_addf(&c->out, "%-10s %-72s %12llu", b->name.text, what, (unsigned long long)nodes);
	if (times)
		string_addf(&c->out, " %8.3f s %8.1f M/s", seconds, speed / 1e6);
	string_addf(&c->out, "\n");
}

/* Searches all positions with a player; a game without such a player has no row. */
static enum qv_status search_row(struct bench *b, const char *spec)
{
	struct cli *c = b->c;
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = (uint64_t)c->args.seed, .threads = 1, .hash_mb = 16
	};
	const struct qv_limits limits = { .stop = b->stop };
	struct qv_player *player;
	struct qv_answer answer = { .nodes = 0 };
	uint64_t nodes = 0;
	double seconds = 0;
	enum qv_status status =
		qv_player_new(c->context, &b->rules, spec, &defaults, &player, &c->error);
	if (status != QV_OK)
		/* The game has no such search, or no such evaluation. */
		return status == QV_UNSUPPORTED || status == QV_UNKNOWN ? QV_OK : status;
	/* A new game before each search, so that positions do not influence each other. */
	for (int i = 0; i < POSITIONS && status == QV_OK; i++) {
		qv_player_new_game(player);
		status = player_choose(player, b->states[i], &limits, NULL, &answer, &c->error);
		nodes += answer.nodes;
		seconds += answer.seconds;
	}
	qv_player_free(player);
	if (status == QV_OK)
		add_row(b, spec, nodes, seconds);
	b->signature += nodes;
	return status;
}

/*
 * Runs perft deep enough to measure its speed. The last two counts predict the next one, so that no
 * depth takes too long.
 */
static enum qv_status perft_row(struct bench *b)
{
	enum { DEEPEST = 40, ENOUGH = 10000000, TOO_MUCH = 100000000 };
	uint64_t best = 0, last = 1;
	double best_seconds = 0;
	int best_depth = 0;
	for (int depth = 1; depth <= DEEPEST && best < ENOUGH; depth++) {
		const struct qv_perft_limits limits = { .size = sizeof limits,
							.depth = depth,
							.stop = b->stop };
		uint64_t leaves;
		const int64_t start = clock_us();
		enum qv_status status = qv_perft(b->c->context, b->rules.game, b->states[0],
						 &limits, &leaves, &b->c->error);
		if (status != QV_OK)
			return status;
		if (leaves > best) {
			best = leaves;
			best_depth = depth;
			best_seconds = (double)(clock_us() - start) / 1e6;
		}
		/* The next count is about leaves * leaves / last. */
		if (!leaves || leaves / last > TOO_MUCH / leaves)
			break;
		last = leaves;
	}
	char what[32];
	snprintf(what, sizeof what, "perft %d", best_depth);
	add_row(b, what, best, best_seconds);
	return QV_OK;
}

/* Runs perft and all searches on the positions of one game. */
static enum qv_status bench_game(struct bench *b)
{
	b->name = rules_text(&b->rules);
	enum qv_status status = make_positions(b);
	if (status == QV_OK)
		status = perft_row(b);
	for (int i = 0; specs[i] && status == QV_OK; i++) {
		if (cli_shows_progress())
			fprintf(stderr, "%s %s\n", b->name.text, specs[i]);
		status = search_row(b, specs[i]);
	}
	/* The next game needs states of another size. */
	for (int i = 0; i < POSITIONS; i++) {
		qv_state_free(b->c->context, b->rules.game, b->states[i]);
		b->states[i] = NULL;
	}
	return status;
}

/* Runs the benchmark on one game or on all, and prints the signature last. */
static enum qv_status run(struct cli *c)
{
	struct bench b = { .c = c, .rows = json_array(), .stop = cli_stop_flag() };
	enum qv_status status = QV_OK;
	const char *one = c->args.words[1];
	const struct qv_game *game;
	for (int i = 0; status == QV_OK && (game = qv_game_at(c->context, i)); i++) {
		status = qv_rules_parse(c->context, one ? one : game->name, &b.rules, &c->error);
		if (status == QV_OK)
			status = bench_game(&b);
		if (one)
			break;
	}
	if (status == QV_STOPPED)
		qv_fail(&c->error, status, "bench: stopped");
	if (status == QV_OK && c->args.json)
		return cli_json(c, json_fields(json_object(), "signature", json_count(b.signature),
					       "rows", b.rows, NULL));
	json_decref(b.rows);
	string_addf(&c->out, "signature %llu\n", (unsigned long long)b.signature);
	return status;
}

const struct command command_bench = {
	.name = "bench", .run = run, .most = 1, .usage = "bench [GAME]",
	.help = "run fixed searches; print signature, speed",
	.more = "The signature is the sum of the node counts; it is the same on every machine. "
		"--threads and --hash do not change the searches, --seed does.\n",
	.options = OPTION_GROUPS(common_options),
};
