/*
 * selfplay.c - Warp Trog: training games of the net against itself and the 1983 program.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "core/context.h"
#include "games/twins.h"
#include "learn/warptrog/train.h"
#include "search/chance.h"
#include "search/player_kind.h"

enum {
	OPENING_PLIES = 10,
	OPENING_MARGIN = 90, /* moves this far below the best are played */
	LATER_MARGIN = 6,    /* little: a ply of a sure win is worth about as much */
	RANDOM_MOVE = 40,    /* one of so many moves of a wild game is random */
	MEN_MOST = 5,
};

/* A game won at the next ply is worth more than one won later. */
static const double patience = 0.998;

/* ---- The player ---- */

enum qv_status warptrog_teacher_begin(const struct warptrog_job *job,
				      const struct warptrog_net *net,
				      const struct qv_allocator *allocator, uint64_t seed,
				      struct warptrog_teacher *out, struct qv_error *error)
{
	const struct engine *engine = registry_at(GAME_warptrog);
	const struct qv_evaluation *e = engine->game->evaluations;
	struct settings settings;
	char text[120];
	*out = (struct warptrog_teacher){ .job = job, .seed = seed };
	snprintf(text, sizeof text,
		 "depth=%d,samples=%d,margin=%d,iterate=0,chopper=0,quiet=1,twofold=1",
		 job->plan.depth, job->plan.samples, (int)LATER_MARGIN);
	const enum qv_status status = kind_settings(&expectimax_kind, text, NULL, &settings, error);
	if (status != QV_OK)
		return status;
	while (e->evaluate != warptrog_net_evaluate)
		e++;
	const struct search_setup setup = { .game = engine->game,
					    .ops = engine->chance,
					    .allocator = allocator,
					    .settings = &settings,
					    .evaluation = e,
					    .weights = net };
	return chance_new(&setup, &out->search, error);
}

void warptrog_teacher_end(void *teacher)
{
	struct warptrog_teacher *t = teacher;
	chance_free(t->search);
	*t = (struct warptrog_teacher){ 0 };
}

/* ---- A game ---- */

/* A game in progress. */
struct trog_game {
	struct warptrog_teacher *teacher;
	struct warptrog_lessons *out;
	struct qv_random random;
	struct warptrog s;
	struct qv_player *book; /* NULL: self-play */
	int book_seat;		/* or -1 */
	bool wild;
	double values[WARPTROG_PLIES_MOST]; /* of the searches; NAN: the 1983 program moved */
	bool cut[WARPTROG_PLIES_MOST];	    /* a random move was played */
};

static bool draw(struct trog_game *g, int per_cent)
{
	return (int)qv_random_below(&g->random, 100) < per_cent;
}

/* Men at random: one to MEN_MOST a side, two of five of them Trogs. No Valg is on a last rank. */
static void put_men(struct trog_game *g)
{
	struct warptrog *s = &g->s;
	s->men[0] = s->men[1] = s->trogs = 0;
	s->turn = (uint8_t)qv_random_below(&g->random, 2);
	for (int seat = 0; seat < 2; seat++)
		for (uint64_t left = 1 + qv_random_below(&g->random, MEN_MOST); left;) {
			const uint64_t man = UINT64_C(1)
					     << qv_random_below(&g->random, WARPTROG_SQUARES);
			const bool trog = draw(g, 40);
			if ((s->men[0] | s->men[1]) & man ||
			    (!trog && man & (WARPTROG_RANK_1 | WARPTROG_RANK_6)))
				continue;
			s->men[seat] |= man;
			s->trogs |= trog ? man : 0;
			left--;
		}
}

/* The start of the game, in some games with fewer warps or with men at random. */
static void start(struct trog_game *g)
{
	warptrog_start(&g->s, g->teacher->job->rules->options);
	if (draw(g, g->book ? 88 : 40))
		return;
	for (int seat = 0; seat < 2; seat++)
		g->s.warps[seat] =
			(uint8_t)qv_random_below(&g->random, (uint64_t)g->s.warps[seat] + 1);
	if (draw(g, 33))
		return;
	do
		put_men(g);
	while (!warptrog_can_move(&g->s, g->s.turn) || !g->s.trogs);
}

/* Searches the position: the value, and that of a warp if there is one. */
static enum qv_status search(struct trog_game *g, int ply, qv_move *move, struct qv_error *error)
{
	static const qv_move warp = WARPTROG_WARP;
	struct chance_search *c = g->teacher->search;
	struct warptrog_lesson *l = &g->out->list[ply];
	const bool ours = g->s.turn != g->book_seat;
	/* Of the other side's positions only the warp is learned. */
	const struct qv_limits limits = { .depth = ours ? 0 : 1,
					  .only = ours ? NULL : &warp,
					  .only_count = ours ? 0 : 1 };
	struct qv_answer answer;
	*l = (struct warptrog_lesson){ .s = g->s, .warp = WARPTROG_NO_WARP };
	g->values[ply] = NAN;
	if (!ours && !g->s.warps[g->s.turn])
		return QV_OK;
	c->settings.margin = ply < OPENING_PLIES ? OPENING_MARGIN : LATER_MARGIN;
	const enum qv_status status = chance_run(c, &g->s, &limits, NULL, &answer, error);
	if (status != QV_OK)
		return status;
	const double most = WARPTROG_NET_VALUE;
	for (int i = 0; i < c->root.count; i++)
		if (c->root.list[i] == WARPTROG_WARP)
			l->warp = (int16_t)lround(fmax(-most, fmin(most, c->values[i])));
	if (ours) {
		g->values[ply] = fmax(-most, fmin(most, c->best_value));
		*move = answer.move;
	}
	return QV_OK;
}

/* Chooses a move and stores the position. */
static enum qv_status choose(struct trog_game *g, int ply, qv_move *move, struct qv_error *error)
{
	qv_move list[WARPTROG_MAX_MOVES];
	struct qv_answer answer;
	enum qv_status status = search(g, ply, move, error);
	g->cut[ply] = false;
	if (status == QV_OK && g->s.turn == g->book_seat) {
		struct warptrog plain = g->s;
		plain.weaker = 0;
		status = player_choose(g->book, &plain, NULL, NULL, &answer, error);
		*move = answer.move;
	} else if (status == QV_OK && g->wild && qv_random_below(&g->random, RANDOM_MOVE) == 0) {
		const int n = warptrog_moves(&g->s, list);
		*move = list[qv_random_below(&g->random, (uint64_t)n)];
		g->cut[ply] = true;
	}
	return status;
}

/* Sets the labels, from the end of the game on. */
static void label(struct trog_game *g)
{
	const double lambda = g->teacher->job->plan.lambda / 100.0;
	const bool ended = !warptrog_can_move(&g->s, g->s.turn);
	double value = ended ? -WARPTROG_NET_VALUE : 0;
	int turn = g->s.turn;
	if (g->book)
		g->out->outcome = !ended		 ? WARPTROG_BOOK_DRAWN
				  : turn == g->book_seat ? WARPTROG_BOOK_WON
							 : WARPTROG_BOOK_LOST;
	for (int i = g->out->count - 1; i >= 0; i--) {
		struct warptrog_lesson *l = &g->out->list[i];
		const double next = (turn == l->s.turn ? value : -value) * patience;
		turn = l->s.turn;
		value = isnan(g->values[i]) ? next
			: g->cut[i]	    ? g->values[i]
					    : (1 - lambda) * g->values[i] + lambda * next;
		l->label = (int16_t)lround(value);
	}
}

static enum qv_status play(struct trog_game *g, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	start(g);
	if (g->book)
		warptrog_set_contempt(&g->s, 1 - g->book_seat);
	for (int ply = 0; ply < WARPTROG_PLIES_MOST && warptrog_can_move(&g->s, g->s.turn); ply++) {
		qv_move move = QV_NO_MOVE;
		status = choose(g, ply, &move, error);
		if (status != QV_OK)
			return status;
		warptrog_play(&g->s, move);
		while (g->s.warping != WARPTROG_NONE)
			warptrog_play(&g->s,
				      (qv_move)qv_random_below(&g->random, WARPTROG_SQUARES));
		g->out->count++;
	}
	label(g);
	return QV_OK;
}

enum qv_status warptrog_teacher_play(void *teacher, int64_t number, void *game,
				     struct qv_error *error)
{
	struct warptrog_teacher *t = teacher;
	const struct warptrog_job *job = t->job;
	const uint64_t key = qv_random_key(t->seed, (uint64_t)number);
	struct trog_game g = { .teacher = t, .out = game, .random.key = key, .book_seat = -1 };
	enum qv_status status = QV_OK;
	memset(g.out, 0, sizeof *g.out);
	/* A game depends on its number alone. */
	chance_forget(t->search, ~key);
	g.wild = draw(&g, job->plan.wild);
	if (draw(&g, job->plan.book)) {
		const struct qv_defaults defaults = { .size = sizeof defaults,
						      .seed = key,
						      .threads = 1 };
		/* The net moves second in two of three games: that is the harder side. */
		g.book_seat = qv_random_below(&g.random, 3) ? 0 : 1;
		status = qv_player_new(job->context, job->rules, "book", &defaults, &g.book, error);
	}
	if (status == QV_OK)
		status = play(&g, error);
	qv_player_free(g.book);
	return status;
}
