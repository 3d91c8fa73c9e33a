/*
 * train.c - chess: the training plan, what is learned from a game, and the rounds of games and fits.
 * SPDX-License-Identifier: MIT
 *
 * Connects self-play (selfplay.c) and fitting (fit.c, net_fit.c) to rounds.c through a struct
 * rounds_subject. Quiet positions are kept: not in check, and the best move is neither a capture nor
 * a promotion.
 */
#include "learn/chess/train.h"

#include "games/twins.h"
#include "learn/chess/net_fit.h"
#include "learn/selfplay.h"
#include "search/player_kind.h"
#include "search/weights.h"

enum {
	BATCH = 256,
	WEIGHTS_TEXT = 1 << 16,
	DECIDED = 1200, /* the score of a game that is decided */
};

/* ---- plans ---- */

#define ROW(name_, type_, f, ...) OPTION(struct chess_plan, name_, type_, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("rounds", OPTION_INT, rounds, .min = 1, .max = 99, .def = 4),
	ROW("games", OPTION_INT, games, .min = 1, .max = 10000000, .def = 20000),
	ROW("nodes", OPTION_INT, nodes, .min = 10, .max = 1000000, .def = 3000),
	ROW("remember", OPTION_INT, remember, .min = 1, .max = 99, .def = 2),
	ROW("iterations", OPTION_INT, iterations, .max = 100000), /* 0: by what is trained */
	ROW("blend", OPTION_INT, blend, .max = 100, .def = 30),
	ROW("penalty", OPTION_INT, penalty, .max = 100000000, .def = 2000),
	ROW("step", OPTION_INT, step, .min = 1, .max = 10000, .def = 100),
	ROW("net", OPTION_SWITCH, net),
	{ 0 },
};
#undef ROW

enum qv_status chess_plan_parse(const char *text, struct chess_plan *out, struct qv_error *error)
{
	struct chess_plan plan = *out;
	const enum qv_status status = selfplay_plan_parse(keys, text, &plan, sizeof plan, error);
	if (status != QV_OK)
		return status;
	if (!plan.iterations)
		plan.iterations = plan.net ? 20 : 300;
	*out = plan;
	return QV_OK;
}

/* ---- positions in 32 bytes ---- */

void lesson_pack(const struct chess *s, struct lesson *out)
{
	int n = 0;
	*out = (struct lesson){ .occupied = chess_occupied(s), .turn = s->turn };
	for (uint64_t left = out->occupied; left && n < 32; left = bits_rest(left), n++)
		out->kinds[n / 2] |= (uint8_t)(s->board[bits_lowest(left)] << n % 2 * 4);
}

bool lesson_unpack(const struct lesson *l, struct chess *out)
{
	int n = 0;
	chess_clear(out);
	out->turn = l->turn & 1;
	for (uint64_t left = l->occupied; left; left = bits_rest(left), n++) {
		const int piece = n < 32 ? l->kinds[n / 2] >> n % 2 * 4 & 15 : CHESS_EMPTY;
		if ((piece & 7) >= CHESS_KINDS)
			return false;
		chess_put(out, piece >> 3, piece & 7, bits_lowest(left));
	}
	return bits_count(chess_of(out, 0, CHESS_KING)) == 1 &&
	       bits_count(chess_of(out, 1, CHESS_KING)) == 1 && l->result < 3;
}

/* ---- weights ---- */

size_t chess_weights_text(const int32_t *weights, char *out, size_t size)
{
	struct qv_text text = { out, size, 0 };
	for (const struct qv_weight *w = chess_weight_names; w->name; w++) {
		qv_put(&text, w->name);
		qv_put(&text, " =");
		for (int i = 0; i < w->count; i++) {
			qv_put(&text, " ");
			qv_put_int(&text, weights[w->first + i]);
		}
		qv_put(&text, "\n");
	}
	return text.length < size ? text.length : 0;
}

/* A training in progress: the `learner` of the callbacks below. */
struct learner {
	const struct chess_job *job;
	const struct qv_allocator *allocator;
	int32_t *weights;      /* of the hand-crafted evaluation, */
	struct chess_net *net; /* or the network; the other is NULL */
	bool has_net;	       /* false before the first fit */
	struct chess_round news;
};

/* The weights as a file, and back: text, or the net's own format. */
static enum qv_status write_weights(void *ctx, char *out, size_t *size, struct qv_error *error)
{
	const struct learner *l = ctx;
	(void)error;
	if (l->net)
		chess_net_write(l->net, out);
	*size = l->net ? CHESS_NET_FILE : chess_weights_text(l->weights, out, WEIGHTS_TEXT);
	return QV_OK;
}

static enum qv_status read_weights(void *ctx, const char *data, size_t size, struct qv_error *error)
{
	struct learner *l = ctx;
	const struct qv_game *game = registry_at(GAME_chess)->game;
	const enum qv_status status = l->net
					      ? chess_net_read(data, size, l->net, error)
					      : weights_read(selfplay_evaluation(game, "default"),
							     data, size, l->weights, error);
	l->has_net |= l->net && status == QV_OK;
	return status;
}

static uint64_t hash(const void *ctx)
{
	const struct learner *l = ctx;
	return l->net ? qv_hash_bytes(l->net, sizeof *l->net)
		      : qv_hash_bytes(l->weights, 2 * CHESS_WEIGHTS * sizeof *l->weights);
}

/* ---- playing ---- */

/* One thread's player. */
struct teacher {
	const struct chess_job *job;
	uint64_t seed; /* of the round */
	int worker;
	struct duel *duel;
};

/* All that the games depend on, so that another plan does not resume from them. */
static void title(const void *ctx, int round, char *out, size_t size)
{
	const struct chess_plan *p = &((const struct learner *)ctx)->job->plan;
	const struct judge *judge = ((const struct learner *)ctx)->job->judge;
	snprintf(
		out, size,
		"quevedo-chess-games 2 round=%d seed=%llu games=%lld nodes=%lld fit=%d,%d,%d,%d,%d%s %08x",
		round, (unsigned long long)p->seed, (long long)p->games, (long long)p->nodes,
		p->remember, p->iterations, p->blend, p->penalty, p->step, p->net ? " net" : "",
		judge ? (unsigned)judge->name : 0);
}

/* The selective search plays, with the weights of the round before. */
static enum qv_status begin(void *ctx, int worker, uint64_t seed, void *player,
			    struct qv_error *error)
{
	const struct learner *l = ctx;
	struct teacher *t = player;
	struct settings settings;
	*t = (struct teacher){ l->job, seed, worker, NULL };
	const enum qv_status status =
		kind_settings(&selective_kind, "tt=2", NULL, &settings, error);
	if (status != QV_OK)
		return status;
	settings.depth = 0;
	settings.nodes = l->job->plan.nodes;
	const struct engine *engine = registry_at(GAME_chess);
	const struct search_setup setup = {
		.game = engine->game,
		.allocator = l->allocator,
		.settings = &settings,
		.ops = game_player_find(engine, &selective_kind)->own,
		.evaluation = selfplay_evaluation(engine->game, l->has_net ? "net" : "default"),
		.weights = l->has_net ? (const void *)l->net : l->weights
	};
	return duel_new(&setup, &t->duel, error);
}

static void end(void *player)
{
	struct teacher *t = player;
	duel_free(t->duel);
	*t = (struct teacher){ 0 };
}

/* The position has occurred three times. */
static bool is_drawn(const struct selfplay_game *g)
{
	return selfplay_repetitions(g) >= 2;
}

/* The score for white, clamped to 16 bits. */
static int32_t for_white(const struct chess *s, int32_t score)
{
	const int32_t most = 30000, white = s->turn ? -score : score;
	return white > most ? most : white < -most ? -most : white;
}

/* Whose positions are kept, and where. */
struct lesson_taker {
	const struct teacher *teacher;
	struct lessons *out;
};

/* Stores the position if it is quiet: not in check, the best move no capture or promotion. */
static enum qv_status keep(void *ctx, const struct selfplay_game *g, const struct qv_answer *answer,
			   struct qv_error *error)
{
	const struct lesson_taker *taker = ctx;
	const struct judge *judge = taker->teacher->job->judge;
	const struct chess *s = g->state;
	struct lessons *out = taker->out;
	int32_t score = answer->score;
	if (chess_checkers(s) || chess_takes(answer->move) || chess_promotes(answer->move) ||
	    score >= DECIDED || score <= -DECIDED || out->count == LESSONS_A_GAME)
		return QV_OK;
	const enum qv_status status =
		judge ? judge->score(judge->ctx, taker->teacher->worker, s, &score, error) : QV_OK;
	if (status != QV_OK)
		return status;
	lesson_pack(s, &out->list[out->count]);
	out->list[out->count++].score = (int16_t)for_white(s, score);
	return QV_OK;
}

/* Plays game `number` and stores its training positions. */
static enum qv_status play(void *player, int64_t number, void *game, struct qv_error *error)
{
	const struct selfplay_rules rules = { .game = registry_at(GAME_chess)->game,
					      .random_least = 5,
					      .random_most = 12,
					      .lopsided = 350,
					      .plies_most = 400,
					      .decided = DECIDED,
					      .decided_plies = 4,
					      .level = 6,
					      .level_plies = 20,
					      .level_from = 80,
					      .is_drawn = is_drawn };
	struct teacher *t = player;
	const struct judge *judge = t->job->judge;
	struct lessons *out = game;
	struct chess s;
	struct selfplay_game g = { .rules = &rules,
				   .random.key = qv_random_key(t->seed, (uint64_t)number),
				   .state = &s };
	struct lesson_taker taker = { t, out };
	if (judge && judge->forget)
		judge->forget(judge->ctx, t->worker);
	*out = (struct lessons){ .count = 0 };
	const enum qv_status status = selfplay_run(&g, t->duel, keep, &taker, error);
	out->result = (uint8_t)g.result;
	out->plies = (uint16_t)g.plies;
	/* The result is known only now. */
	for (int i = 0; i < out->count; i++)
		out->list[i].result = out->result;
	return status;
}

/* ---- the whole ---- */

/* Fits the network or the weights to the games. */
static enum qv_status fit(void *ctx, const void *games, int64_t count, int64_t round,
			  struct qv_error *error)
{
	struct learner *l = ctx;
	const struct chess_plan *p = &l->job->plan;
	const struct fit_job job = {
		.games = games, .count = count, .round = round, .seed = p->seed,
		.iterations = p->iterations, .blend = p->blend, .penalty = p->penalty,
		.step = p->step, .threads = l->job->threads, .stop = l->job->stop,
		.allocator = l->allocator
	};
	const enum qv_status status = l->net ? chess_net_fit(&job, l->net, &l->news.fit, error)
					     : chess_fit(&job, l->weights, &l->news.fit, error);
	l->has_net |= l->net && status == QV_OK;
	return status;
}

/* Adds what the fit reports to the news of a round. */
static void report(void *ctx, const struct rounds_news *news)
{
	struct learner *l = ctx;
	l->news.round = *news;
	if (l->job->round)
		l->job->round(l->job->ctx, &l->news);
}

enum qv_status chess_train(const struct chess_job *job, const struct qv_allocator *allocator,
			   void *weights, struct qv_error *error)
{
	const struct chess_plan *p = &job->plan;
	struct learner l = {
		.job = job, .allocator = allocator,
		.weights = p->net ? NULL : weights, .net = p->net ? weights : NULL
	};
	const struct rounds_job rounds = {
		.seed = p->seed, .rounds = p->rounds, .games = p->games, .remember = p->remember,
		.folder = job->folder, .threads = job->threads, .stop = job->stop,
		.progress = job->progress, .ctx = job->ctx
	};
	const struct rounds_subject subject = {
		.learner = &l, .game_size = sizeof(struct lessons), .batch = BATCH,
		.file_most = p->net ? CHESS_NET_FILE : WEIGHTS_TEXT, .title = title,
		.player_size = sizeof(struct teacher), .begin = begin, .end = end, .play = play,
		.fit = fit, .write = write_weights, .read = read_weights, .hash = hash,
		.report = report
	};
	return rounds_run(&rounds, &subject, allocator, error);
}
