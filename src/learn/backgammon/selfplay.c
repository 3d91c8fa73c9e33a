/*
 * selfplay.c - backgammon: games of the nets against themselves, and labels for their positions.
 * SPDX-License-Identifier: MIT
 */
#include "learn/backgammon/train.h"

/* A longer game is cut; its last position keeps the value of the nets. */
enum { PLIES_MOST = 400 };

/* A position before a roll. */
struct moment {
	struct backgammon s;
	struct backgammon_chances value; /* of the nets */
	struct backgammon_chances next;	 /* the label without later differences */
	bool random;			 /* the move that was played is not the best one */
};

/* The moves of a roll: the best one, and the one to play. */
struct choice {
	struct backgammon_chances best; /* for the seat that moves next */
	struct backgammon_chances played;
	struct backgammon s; /* after the move to play */
	bool random;
};

static void set_roll(struct backgammon *s, unsigned one, unsigned two)
{
	s->dice[0] = (uint8_t)(one > two ? one : two);
	s->dice[1] = (uint8_t)(one > two ? two : one);
	s->phase = BACKGAMMON_MOVE;
}

/* Evaluates the moves. With noise, a random number up to it is added to each value first. */
static void choose(const struct backgammon_nets *nets, const struct backgammon *s, float noise,
		   struct qv_random *random, struct choice *out)
{
	qv_move list[BACKGAMMON_MAX_MOVES];
	const int n = backgammon_moves(s, list);
	float best = -1000, played = -1000;
	int best_move = 0, played_move = 0;
	for (int i = 0; i < n; i++) {
		struct backgammon child = *s;
		struct backgammon_chances c;
		backgammon_play(&child, list[i]);
		backgammon_chances(nets, &child, &c);
		const float value = -backgammon_equity(&c);
		if (value > best) {
			best = value;
			best_move = i;
			out->best = c;
		}
		const float with =
			noise > 0 ? value + noise * (float)qv_random_below(random, 1 << 16) /
						    (1 << 16)
				  : value;
		if (with > played) {
			played = with;
			played_move = i;
			out->played = c;
			out->s = child;
		}
	}
	out->random = best_move != played_move;
}

/* The mean over all rolls of the value after the best move, for the seat to roll. */
static void look_ahead(const struct backgammon_nets *nets, const struct backgammon *s,
		       struct backgammon_chances *out)
{
	float sum[BACKGAMMON_OUTPUTS] = { 0 };
	for (unsigned one = 1; one <= BACKGAMMON_FACES; one++)
		for (unsigned two = 1; two <= one; two++) {
			struct backgammon rolled = *s;
			struct choice c;
			set_roll(&rolled, one, two);
			choose(nets, &rolled, 0, NULL, &c);
			const struct backgammon_chances mine = backgammon_flip(&c.best);
			for (int i = 0; i < BACKGAMMON_OUTPUTS; i++)
				sum[i] += mine.of[i] * (one == two ? 1 : 2);
		}
	for (int i = 0; i < BACKGAMMON_OUTPUTS; i++)
		out->of[i] = sum[i] / 36;
}

static void random_roll(struct backgammon *s, struct qv_random *random)
{
	const unsigned one = 1 + (unsigned)qv_random_below(random, BACKGAMMON_FACES);
	set_roll(s, one, 1 + (unsigned)qv_random_below(random, BACKGAMMON_FACES));
}

/* The position after the opening roll. */
static void start(struct backgammon *s, struct qv_random *random)
{
	static const int64_t options[QV_MAX_OPTIONS] = { 0 };
	backgammon_start(s, options);
	do
		random_roll(s, random);
	while (s->dice[0] == s->dice[1]);
	s->turn = (uint8_t)qv_random_below(random, 2);
}

/*
 * A wild game begins with up to 16 random moves, or has noise in all its moves. Returns the noise
 * and plays the random moves.
 */
static float begin_wild(struct backgammon *s, struct qv_random *random)
{
	qv_move list[BACKGAMMON_MAX_MOVES];
	if (qv_random_below(random, 2))
		return 0.5F * (float)(1 + qv_random_below(random, 1000)) / 1000;
	for (uint64_t left = 1 + qv_random_below(random, 16); left; left--) {
		const int n = backgammon_moves(s, list);
		backgammon_play(s, list[qv_random_below(random, (uint64_t)n)]);
		random_roll(s, random);
	}
	return 0;
}

/* Plays a game; returns the number of moments, the last of which is not a lesson. */
static int play_game(const struct selfplay_round *round, int64_t number, struct moment *moments)
{
	struct qv_random random = { .key = qv_random_key(round->seed, (uint64_t)number) };
	struct choice c;
	struct backgammon s;
	float noise = 0;
	int n = 0;
	start(&s, &random);
	if ((int)qv_random_below(&random, 100) < round->wild)
		noise = begin_wild(&s, &random);
	choose(round->nets, &s, noise, &random, &c);
	for (;;) {
		struct moment *m = &moments[n++];
		m->s = c.s;
		m->value = c.played;
		if (backgammon_has_ended(&m->s) || n == PLIES_MOST)
			return n;
		s = m->s;
		random_roll(&s, &random);
		choose(round->nets, &s, noise, &random, &c);
		m->random = c.random;
		if (round->deep)
			look_ahead(round->nets, &m->s, &m->next);
		else
			m->next = backgammon_flip(&c.best);
	}
}

/* Adds the later differences to the labels, from the end of the game on, and stores them. */
static bool label(const struct selfplay_round *round, const struct moment *moments, int n,
		  const struct qv_allocator *allocator, struct labelled_list *out)
{
	struct backgammon_chances difference = { { 0 } };
	if (n < 2)
		return true;
	if (!mem_reserve(allocator, &out->list, &out->room, out->count + (size_t)n,
			 sizeof *out->list))
		return false;
	for (int i = n - 2; i >= 0; i--) {
		const struct moment *m = &moments[i];
		struct labelled *l = &out->list[out->count++];
		memcpy(l->men[0], m->s.men[m->s.turn], sizeof l->men[0]);
		memcpy(l->men[1], m->s.men[1 - m->s.turn], sizeof l->men[1]);
		const float share = m->random ? 0 : round->lambda;
		/* As the seat to roll sees it: a flip without the constant of the first number. */
		const float *d = difference.of;
		const float mine[] = { -d[0], d[3], d[4], d[1], d[2] };
		for (int k = 0; k < BACKGAMMON_OUTPUTS; k++) {
			/* It may be below 0 or above 1: if it were cut, rare results would be overrated. */
			l->label.of[k] = m->next.of[k] + share * mine[k];
			difference.of[k] = l->label.of[k] - m->value.of[k];
		}
	}
	return true;
}

bool selfplay(const struct selfplay_round *round, int64_t number,
	      const struct qv_allocator *allocator, struct labelled_list *out)
{
	struct moment *moments = mem_new(allocator, PLIES_MOST, sizeof *moments);
	const bool done =
		moments && label(round, moments, play_game(round, number, moments), allocator, out);
	mem_free(allocator, moments, PLIES_MOST * sizeof *moments);
	return done;
}

int selfplay_pair(const struct backgammon_nets *nets, const struct backgammon_nets *others,
		  uint64_t seed, int64_t number)
{
	int points = 0;
	for (int seat = 0; seat < 2; seat++) {
		struct qv_random random = { .key = qv_random_key(seed, (uint64_t)number) };
		struct choice c;
		start(&c.s, &random);
		while (!backgammon_has_ended(&c.s)) {
			struct backgammon s = c.s;
			if (s.phase != BACKGAMMON_MOVE)
				random_roll(&s, &random);
			choose(s.turn == seat ? nets : others, &s, 0, NULL, &c);
		}
		int32_t each[2];
		backgammon_result(&c.s, each);
		points += each[seat] - each[1 - seat];
	}
	return points;
}
