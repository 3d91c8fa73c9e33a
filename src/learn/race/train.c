/*
 * train.c - Race!: temporal-difference learning of the weights of the evaluation.
 * SPDX-License-Identifier: MIT
 */
#include "learn/race/train.h"

#include <math.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/real.h"
#include "core/context.h"
#include "learn/selfplay.h"

/* ---- The plan ---- */

#define ROW(name_, f, ...) OPTION(struct race_plan, name_, OPTION_INT, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("games", games, .min = 1, .max = 10000000, .def = 2000),
	ROW("every", every, .min = 1, .max = 10000000, .def = 100),
	ROW("test", test, .max = 1000000, .def = 200),
	ROW("rate", rate, .min = 1, .max = 1000, .def = 5),
	ROW("lambda", lambda, .max = 100, .def = 70),
	ROW("wild", wild, .max = 100, .def = 10),
	{ 0 },
};
#undef ROW

enum qv_status race_plan_parse(const char *text, struct race_plan *out, struct qv_error *error)
{
	return selfplay_plan_parse(keys, text, out, sizeof *out, error);
}

/* ---- JSON ---- */

json_t *race_weights_json(const int32_t *weights)
{
	json_t *o = json_object();
	for (const struct qv_weight *w = race_weight_names; w->name; w++)
		o = json_field(o, w->name, json_integer(weights[w->first]));
	return o;
}

json_t *race_point_json(const struct race_point *p)
{
	return json_pack("{s:I, s:o, s:I, s:I, s:o}", "games", (json_int_t)p->games, "error",
			 p->games ? json_real(p->error) : json_null(), "won", (json_int_t)p->won,
			 "tested", (json_int_t)p->tested, "weights", race_weights_json(p->weights));
}

/* ---- Progress as text ---- */

enum { PROGRESS_NUMBERS = RACE_WEIGHTS + 3, DIGITS = 16 };

/* The numbers in the order of the text; those of real numbers are their bits. */
static void progress_bits(const struct race_progress *p, uint64_t bits[PROGRESS_NUMBERS])
{
	bits[0] = (uint64_t)p->games;
	bits[1] = (uint64_t)p->positions;
	memcpy(&bits[2], &p->squares, sizeof p->squares);
	memcpy(&bits[3], p->weights, sizeof p->weights);
}

void race_progress_text(const struct race_progress *progress, struct qv_text *out)
{
	uint64_t bits[PROGRESS_NUMBERS];
	progress_bits(progress, bits);
	for (int i = 0; i < PROGRESS_NUMBERS; i++)
		for (int shift = 60; shift >= 0; shift -= 4)
			qv_put_char(out, "0123456789abcdef"[bits[i] >> shift & 15]);
}

static bool is_sound(const struct race_progress *p, const struct race_plan *plan)
{
	bool sound = p->games >= 0 && p->games <= plan->games && p->positions >= 0 &&
		     p->positions <= INT64_C(1) << 50 && p->squares >= 0 && p->squares < 1e15;
	for (int i = 0; i < RACE_WEIGHTS; i++)
		sound = sound && fabs(p->weights[i]) <= RACE_WEIGHT_MOST;
	return sound;
}

enum qv_status race_progress_parse(const char *text, const struct race_plan *plan,
				   struct race_progress *out, struct qv_error *error)
{
	struct race_progress p;
	uint64_t bits[PROGRESS_NUMBERS] = { 0 };
	bool sound = strlen(text) == PROGRESS_NUMBERS * DIGITS &&
		     strspn(text, "0123456789abcdef") == PROGRESS_NUMBERS * DIGITS;
	for (int i = 0; sound && i < PROGRESS_NUMBERS * DIGITS; i++)
		bits[i / DIGITS] = bits[i / DIGITS] << 4 |
				   (uint64_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
	p.games = (int64_t)bits[0];
	p.positions = (int64_t)bits[1];
	memcpy(&p.squares, &bits[2], sizeof p.squares);
	memcpy(p.weights, &bits[3], sizeof p.weights);
	if (!sound || !is_sound(&p, plan))
		return qv_fail(error, QV_BAD_INPUT, "progress: not one of such a training");
	*out = p;
	return QV_OK;
}

/* ---- The value and its gradient ---- */

/*
 * Adds what a seat's pieces count, with a sign. The evaluation is linear in the weights but for the
 * risk, which multiplies two of them.
 */
static double add_standing(const struct race *s, int seat, double sign, const double *w,
			   double *gradient)
{
	const uint8_t *at = s->at[seat];
	const uint32_t blocks = race_blocks(s, seat);
	const double risk = w[RACE_W_RISK] / 100;
	double sum = bits_count(blocks) * w[RACE_W_BLOCK], lost = 0;
	gradient[RACE_W_BLOCK] += sign * bits_count(blocks);
	for (int i = 0; i < RACE_PIECES; i++) {
		if (at[i] == RACE_START)
			continue;
		const bool home = at[i] == RACE_HOME;
		const bool alone = RACE_TRACK >> at[i] & 1 && !(blocks >> at[i] & 1);
		const int hits = alone ? race_hits(s, 1 - seat, at[i], blocks) : 0;
		const double worth =
			at[i] * w[RACE_W_STEP] + w[RACE_W_ENTERED] + (home ? w[RACE_W_HOME] : 0);
		const double kept = 1 - hits * risk;
		sum += worth;
		lost += worth * hits;
		gradient[RACE_W_STEP] += sign * kept * at[i];
		gradient[RACE_W_ENTERED] += sign * kept;
		gradient[RACE_W_HOME] += home ? sign : 0;
	}
	gradient[RACE_W_RISK] -= sign * lost / 100;
	return sign * (sum - lost * risk);
}

double race_value(const struct race *s, const double *w, double *gradient)
{
	const double roll = s->turn ? -s->roll : s->roll;
	for (int i = 0; i < RACE_WEIGHTS; i++)
		gradient[i] = 0;
	gradient[RACE_W_THROW] = roll;
	const double first = add_standing(s, 0, 1, w, gradient);
	return first + add_standing(s, 1, -1, w, gradient) + roll * w[RACE_W_THROW];
}

/* ---- Games ---- */

/* Far beyond any sensible game, which takes some hundred; a game this long has no winner. */
enum { PLIES_MOST = 10000 };

static void roll(struct race *s, struct qv_random *random)
{
	race_play(s, 1 + qv_random_below(random, RACE_FACES));
}

/*
 * The move of the highest value, by weights as the evaluation takes them; a random one of equals.
 * The die is not rolled yet where a move leads, so the weight of the roll does not matter.
 */
static qv_move best_move(const struct race *s, const int32_t *weights, struct qv_random *random)
{
	qv_move list[RACE_MAX_MOVES], best = QV_NO_MOVE;
	const int n = race_moves(s, list);
	int64_t highest = INT64_MIN;
	uint64_t equals = 0;
	for (int i = 0; i < n; i++) {
		struct race next = *s;
		race_play(&next, list[i]);
		const int64_t value = race_is_home(&next, s->turn)
					      ? INT64_MAX
					      : race_standing(&next, s->turn, weights) -
							race_standing(&next, 1 - s->turn, weights);
		if (value < highest)
			continue;
		equals = value == highest ? equals + 1 : 1;
		highest = value;
		if (!qv_random_below(random, equals))
			best = list[i];
	}
	return best;
}

/* Two sets of weights against each other; whether seat 0 has won. */
static bool play_pair(const int32_t *weights[2], struct qv_random *random)
{
	const int64_t options[QV_MAX_OPTIONS] = { 0 };
	struct race s;
	race_start(&s, options);
	for (int ply = 0; ply < PLIES_MOST && !race_has_ended(&s); ply++) {
		roll(&s, random);
		race_play(&s, best_move(&s, weights[s.turn], random));
	}
	return race_is_home(&s, 0);
}

int64_t race_duel(const int32_t *weights, const int32_t *others, int64_t games, uint64_t seed)
{
	int64_t won = 0;
	for (int64_t i = 0; i < games; i++) {
		struct qv_random random = { .key = qv_random_key(seed, (uint64_t)i) };
		const int seat = (int)(i % 2);
		const int32_t *both[2] = { seat ? others : weights, seat ? weights : others };
		won += play_pair(both, &random) == !seat;
	}
	return won;
}

/* ---- Learning ---- */

struct learner {
	const struct race_job *job;
	struct race_progress at;
	int32_t rounded[RACE_WEIGHTS]; /* what the moves are chosen by */
	double trace[RACE_WEIGHTS];    /* the gradients of the game so far, faded by lambda */
	bool shown;		       /* the moves of this game are reported */
};

/*
 * How much a weight changes compared with a step of one square: about the size that it has in
 * sensible evaluations, so that all learn at a similar speed.
 */
static const double units[RACE_WEIGHTS] = {
	[RACE_W_STEP] = 1,  [RACE_W_ENTERED] = 12, [RACE_W_HOME] = 8,
	[RACE_W_BLOCK] = 6, [RACE_W_RISK] = 2,	   [RACE_W_THROW] = 1,
};

/* Keeps the weights within their bounds; also those of a training that diverges. */
static void bound_weights(struct race_progress *p)
{
	for (int i = 0; i < RACE_WEIGHTS; i++)
		p->weights[i] = fmax(-RACE_WEIGHT_MOST, fmin(RACE_WEIGHT_MOST, p->weights[i]));
}

static void round_weights(struct learner *l)
{
	bound_weights(&l->at);
	/* A negative risk would reward being hit; below 0 it has no meaning. */
	if (l->at.weights[RACE_W_RISK] < 0)
		l->at.weights[RACE_W_RISK] = 0;
	for (int i = 0; i < RACE_WEIGHTS; i++)
		l->rounded[i] = (int32_t)floor(l->at.weights[i] + 0.5);
}

/* Moves the value of the position before, `value`, towards `target`. */
static void learn(struct learner *l, double value, double target)
{
	const double rate = l->job->plan.rate / 1000.0 * RACE_SCALE / 10, change = target - value;
	for (int i = 0; i < RACE_WEIGHTS; i++)
		l->at.weights[i] += rate * units[i] * change * l->trace[i];
	bound_weights(&l->at);
}

/* The value of the position for seat 0 from -1 to 1; its gradient joins the trace. */
static double visit(struct learner *l, const struct race *s)
{
	double gradient[RACE_WEIGHTS];
	const double value = real_tanh(race_value(s, l->at.weights, gradient) / RACE_SCALE);
	const double slope = (1 - value * value) / RACE_SCALE;
	for (int i = 0; i < RACE_WEIGHTS; i++)
		l->trace[i] =
			l->trace[i] * l->job->plan.lambda / 100 + slope * units[i] * gradient[i];
	return value;
}

static void play_move(struct learner *l, struct race *s, qv_move move)
{
	if (l->shown)
		l->job->played(l->job->ctx, s, move);
	race_play(s, move);
}

/* A game against itself. A position counts after each roll, so that the roll has a weight, too. */
static void play_game(struct learner *l, int64_t number)
{
	const struct race_plan *p = &l->job->plan;
	const int64_t options[QV_MAX_OPTIONS] = { 0 };
	struct qv_random random = { .key = qv_random_key(p->seed, (uint64_t)number) };
	struct race s;
	double value = 0, sum = 0, squares = 0;
	int plies = 0;
	race_start(&s, options);
	memset(l->trace, 0, sizeof l->trace);
	for (; plies < PLIES_MOST && !race_has_ended(&s); plies++) {
		play_move(l, &s, 1 + qv_random_below(&random, RACE_FACES));
		double gradient[RACE_WEIGHTS];
		const double now = real_tanh(race_value(&s, l->at.weights, gradient) / RACE_SCALE);
		if (plies)
			learn(l, value, now);
		value = visit(l, &s);
		sum += value;
		squares += value * value + 1;
		qv_move list[RACE_MAX_MOVES];
		const int n = race_moves(&s, list);
		const bool wild = (int)qv_random_below(&random, 100) < p->wild;
		const qv_move move = wild ? list[qv_random_below(&random, (uint64_t)n)]
					  : best_move(&s, l->rounded, &random);
		play_move(l, &s, move);
	}
	if (race_has_ended(&s)) {
		const double result = race_is_home(&s, 0) ? 1 : -1;
		learn(l, value, result);
		l->at.squares += squares - 2 * result * sum;
		l->at.positions += plies;
	}
	round_weights(l);
}

/* Whether the training must end: it was stopped, or its time is over. */
static bool is_stopped(const struct learner *l)
{
	return flag_is_set(l->job->stop) ||
	       (l->job->until_us && clock_us() >= l->job->until_us);
}

/* `watch` of the opponent's limits. */
static bool watch(void *learner, uint64_t nodes)
{
	(void)nodes;
	return !is_stopped(learner);
}

/* A game of the weights against the other player. */
static enum qv_status play_test(struct learner *l, int64_t number, bool *won,
				struct qv_error *error)
{
	const int64_t options[QV_MAX_OPTIONS] = { 0 };
	const struct qv_limits limits = { .watch = watch, .watch_ctx = l };
	const int seat = (int)(number % 2);
	struct qv_random random = { .key = qv_random_key(~l->job->plan.seed, (uint64_t)number) };
	struct qv_answer answer;
	struct race s;
	race_start(&s, options);
	for (int ply = 0; ply < PLIES_MOST && !race_has_ended(&s); ply++) {
		roll(&s, &random);
		qv_move move;
		if (s.turn == seat) {
			move = best_move(&s, l->rounded, &random);
		} else {
			const enum qv_status status = player_choose(l->job->opponent, &s, &limits,
								      NULL, &answer, error);
			if (status != QV_OK)
				return status;
			move = answer.move;
		}
		race_play(&s, move);
	}
	*won = race_is_home(&s, seat);
	return QV_OK;
}

static enum qv_status report(struct learner *l, int64_t games, struct qv_error *error)
{
	struct race_point point = { .games = games };
	enum qv_status status = QV_OK;
	if (l->at.positions)
		point.error = sqrt(l->at.squares / (double)l->at.positions);
	for (int64_t i = 0; l->job->opponent && i < l->job->plan.test && status == QV_OK; i++) {
		bool won = false;
		status = is_stopped(l) ? qv_fail(error, QV_STOPPED, "train: stopped")
				       : play_test(l, i, &won, error);
		point.won += won;
		point.tested++;
	}
	memcpy(point.weights, l->rounded, sizeof point.weights);
	l->at.squares = 0;
	l->at.positions = 0;
	if (status == QV_OK && l->job->point)
		l->job->point(l->job->ctx, &point);
	return status;
}

enum qv_status race_train(const struct race_job *job, int32_t weights[RACE_WEIGHTS],
			  struct qv_error *error)
{
	const struct race_plan *p = &job->plan;
	struct learner l = { .job = job };
	if (job->progress)
		l.at = *job->progress;
	round_weights(&l);
	const int64_t end = job->slice && job->slice < p->games - l.at.games
				    ? l.at.games + job->slice
				    : p->games;
	enum qv_status status = l.at.games ? QV_OK : report(&l, 0, error);
	while (l.at.games < end && status == QV_OK) {
		if (is_stopped(&l)) {
			status = qv_fail(error, QV_STOPPED, "train: stopped");
			break;
		}
		l.shown = job->played && l.at.games + 1 == end;
		play_game(&l, l.at.games++);
		if (l.at.games % p->every == 0 || l.at.games == p->games)
			status = report(&l, l.at.games, error);
	}
	memcpy(weights, l.rounded, sizeof l.rounded);
	if (job->progress)
		*job->progress = l.at;
	return status;
}
