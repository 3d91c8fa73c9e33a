/*
 * extras.c - laws of the optional functions of a game.
 * SPDX-License-Identifier: MIT
 *
 * They cover counted moves, symmetry, evaluation, material, phases and repetition; and no function
 * may change what it only reads.
 *
 * Symmetry is checked as a group action: symmetry 0 is the identity, every symmetry has an inverse,
 * and playing commutes with it. Results and material are compared from the point of view of the
 * seat to move, because a symmetry may exchange the seats.
 */
#include "conform/exam.h"

enum { TRIED_COUNTS = 8, TRIED_MOVES = 8 };

/* ---- Counts ---- */

/* `count` is an optional, faster way to the length of the list. */
static bool count_is_length_of_list(struct exam *x)
{
	const int count = x->game->count(x->at);
	return count == x->count ||
	       exam_fail(x, "count is %d, but the list has %d moves", count, x->count);
}

/* A listed move has its largest count; every smaller one must give another legal move. */
static bool counted_moves_are_sane(struct exam *x)
{
	for (const qv_move *move = x->list; move < x->list + x->count; move++) {
		const int most = x->game->max_count(x->at, *move);
		if (most < 1)
			return exam_fail(x, "max_count of a listed move is %d", most);
		if (most > 1 && x->game->with_count(*move, most) != *move)
			return exam_fail(x, "a listed move does not have its full count, %d", most);
		for (int i = 0; i < TRIED_COUNTS && i < most && most > 1; i++) {
			const uint64_t all = (uint64_t)most;
			const int count = most <= TRIED_COUNTS
						  ? i + 1
						  : 1 + (int)qv_random_below(&x->random, all);
			const qv_move fewer = x->game->with_count(*move, count);
			if (count < most && fewer == *move)
				return exam_fail(x, "counts %d and %d give one move", count, most);
			if (!qv_move_legal(x->game, x->at, fewer))
				return exam_fail(x, "count %d of %d is not legal", count, most);
		}
	}
	return true;
}

/* ---- No function may change its input, or return another value when called again ---- */

/* Calls the functions that read a state. After every law, the state is compared with a copy. */
static bool inputs_are_unchanged(struct exam *x)
{
	const struct qv_game *g = x->game;
	int32_t points[QV_MAX_SEATS];
	struct qv_text measure = { NULL, 0, 0 };
	g->seat(x->at);
	g->moves(x->at, exam_list(x, SLOT_A));
	g->result(x->at, points);
	g->hash(x->at);
	exam_now(x, "position_text", NULL);
	g->position_text(x->at, &measure);
	exam_now(x, "count", NULL);
	if (g->count)
		g->count(x->at);
	exam_now(x, "draw", NULL);
	if (g->draw)
		g->draw(x->at, true, &measure);
	for (const struct qv_evaluation *e = g->evaluations; e && e->name; e++) {
		exam_now(x, "evaluate", e->name);
		e->evaluate(x->at, e->weights);
	}
	exam_now(x, "move_text", NULL);
	for (int i = 0; i < x->count; i++)
		g->move_text(x->at, x->list[i], &measure);
	for (int i = 0; i < TRIED_MOVES && x->count > 0; i++) {
		const qv_move move = exam_any_move(x);
		const char *unstable = NULL;
		exam_now(x, "rank", NULL);
		if (g->rank && g->rank(x->at, move) != g->rank(x->at, move))
			unstable = "rank";
		exam_now(x, "quiet", NULL);
		if (g->quiet && g->quiet(x->at, move) != g->quiet(x->at, move))
			unstable = "quiet";
		exam_now(x, "irreversible", NULL);
		if (g->irreversible && g->irreversible(x->at, move) != g->irreversible(x->at, move))
			unstable = "irreversible";
		if (unstable)
			return exam_fail(x, "%s gives another value when called again", unstable);
	}
	return true;
}

/* The rank of every move is within its bounds, so that a search can add to it. */
static bool ranks_are_bounded(struct exam *x)
{
	enum { MOST = 1 << 27 };
	for (int i = 0; i < x->count; i++) {
		const int32_t rank = x->game->rank(x->at, x->list[i]);
		if (rank < -MOST || rank > MOST)
			return exam_fail(x, "the rank of move %d is %ld, beyond 2^27", i,
					 (long)rank);
	}
	return true;
}

/* ---- Symmetry ---- */

/* An image is written completely, image 0 is the identity, and some symmetry leads back. */
static bool images_are_reversible(struct exam *x)
{
	const unsigned char *image = exam_slot(x, SLOT_A);
	for (int k = 0; k < x->game->symmetries; k++) {
		exam_dirty(x, SLOT_A, 0x00);
		x->game->image(x->at, k, exam_slot(x, SLOT_A));
		exam_dirty(x, SLOT_B, 0xff);
		x->game->image(x->at, k, exam_slot(x, SLOT_B));
		if (!exam_same(x, image, exam_slot(x, SLOT_B)))
			return exam_fail(x, "image %d leaves bytes of the state unwritten", k);
		if (!exam_guards_hold(x, SLOT_A))
			return exam_fail(x, "image %d writes outside the state", k);
		if (k == 0 && !exam_same(x, image, x->at))
			return exam_fail(x, "image 0 is not the position itself");
		/* The inverse may be any symmetry of the group. */
		bool inverse = false;
		for (int other = 0; other < x->game->symmetries && !inverse; other++) {
			x->game->image(image, other, exam_slot(x, SLOT_B));
			inverse = exam_same(x, exam_slot(x, SLOT_B), x->at);
		}
		if (!inverse)
			return exam_fail(x, "symmetry %d has no inverse", k);
	}
	return true;
}

/*
 * Image, then move, must give the same as move, then image. A symmetry may exchange the seats, so
 * results are compared from the seat to move.
 */
static bool images_play_alike(struct exam *x)
{
	unsigned char *image = exam_slot(x, SLOT_A);
	const int seats = x->game->seats, here = x->game->seat(x->at);
	for (int k = 0; k < x->game->symmetries; k++) {
		int32_t points[QV_MAX_SEATS];
		x->game->image(x->at, k, image);
		const int there = x->game->seat(image);
		bool same = x->game->moves(image, exam_list(x, SLOT_A)) == x->count &&
			    x->game->result(image, points) == x->outcome;
		for (int i = 0; i < seats && same && x->outcome != QV_GOING && here >= 0; i++)
			same = points[(there + i) % seats] == x->points[(here + i) % seats];
		if (!same)
			return exam_fail(x, "symmetry %d changes the result or the moves", k);
		for (const struct qv_evaluation *e = x->game->evaluations; e && e->name; e++)
			if (e->evaluate(image, e->weights) != e->evaluate(x->at, e->weights))
				return exam_fail(x, "evaluation %s changes under symmetry %d",
						 e->name, k);
		for (int i = 0; i < TRIED_MOVES && x->count > 0; i++) {
			const qv_move move = exam_any_move(x),
				      moved = x->game->image_move(x->at, k, move);
			if (!qv_move_legal(x->game, image, moved))
				return exam_fail(x, "symmetry %d makes a legal move illegal", k);
			const unsigned char *played_after = exam_after(x, SLOT_B, image, moved);
			const unsigned char *after = exam_after(x, SLOT_C, x->at, move);
			x->game->image(after, k, exam_slot(x, SLOT_D));
			if (!exam_same(x, played_after, exam_slot(x, SLOT_D)))
				return exam_fail(x, "a move and symmetry %d do not commute", k);
		}
	}
	return true;
}

/* ---- Evaluation ---- */

/* Values stay within QV_MAX_EVAL, below the scores of wins, and are reproducible. */
static bool evaluations_are_bounded(struct exam *x)
{
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		/* Different bytes on the stack before both calls. */
		exam_stir_stack(0x3c);
		const int32_t value = e->evaluate(x->at, e->weights);
		if (value < -QV_MAX_EVAL || value > QV_MAX_EVAL)
			return exam_fail(x, "evaluation %s gives %ld, out of bounds", e->name,
					 (long)value);
		exam_stir_stack(0xc3);
		if (e->evaluate(x->at, e->weights) != value)
			return exam_fail(x, "evaluation %s gives another value when called again",
					 e->name);
	}
	return true;
}

/* `seats` gives a value for each seat; that of the seat to move must be evaluate's. */
static bool seats_have_values(struct exam *x)
{
	const int mover = x->game->seat(x->at);
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		int32_t values[QV_MAX_SEATS] = { 0 };
		if (!e->seats)
			continue;
		e->seats(x->at, e->weights, values);
		for (int seat = 0; seat < x->game->seats; seat++)
			if (values[seat] < -QV_MAX_EVAL || values[seat] > QV_MAX_EVAL)
				return exam_fail(x, "evaluation %s gives %ld, out of bounds",
						 e->name, (long)values[seat]);
		if (mover != QV_CHANCE && values[mover] != e->evaluate(x->at, e->weights))
			return exam_fail(x, "evaluation %s: evaluate and seats[%d] differ", e->name,
					 mover);
	}
	return true;
}

/* The terms add up to the value, and each has a named weight or a name of its own. */
static bool terms_add_up(struct exam *x)
{
	const int mover = x->game->seat(x->at);
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		struct qv_term list[QV_MAX_TERMS];
		struct qv_terms out = { .list = list, .max = QV_MAX_TERMS, .seat = mover };
		int64_t sum = 0;
		if (!e->terms || mover == QV_CHANCE)
			continue;
		e->terms(x->at, e->weights, &out);
		if (out.count < 0 || out.count > QV_MAX_TERMS)
			return exam_fail(x, "evaluation %s lists %d terms", e->name, out.count);
		for (int i = 0; i < out.count; i++) {
			const struct qv_term *t = &list[i];
			const struct qv_weight *w = e->names;
			while (w && w->name &&
			       (t->place < w->first || t->place >= w->first + w->count))
				w++;
			if (t->place < 0 ? !t->name : !w || !w->name)
				return exam_fail(x, "evaluation %s: term %d has no name", e->name,
						 i);
			sum += t->value;
		}
		const int32_t value = e->evaluate(x->at, e->weights);
		if (sum != value)
			return exam_fail(x, "evaluation %s gives %ld, but its terms add up to %lld",
					 e->name, (long)value, (long long)sum);
	}
	return true;
}

/* A leaf is the evaluation, or the result if the game has ended. */
static bool leaves_agree(struct exam *x)
{
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		const int seat = x->game->seat(x->at);
		if (!e->leaf || seat == QV_CHANCE)
			continue;
		int32_t expected = e->evaluate(x->at, e->weights);
		if (x->outcome != QV_GOING) {
			const int winner = qv_winner(x->game, x->points);
			expected = winner < 0 || x->outcome == QV_DRAWN_BY_COUNT ? QV_LEAF_DRAWN
				   : winner == seat				 ? QV_LEAF_WON
										 : QV_LEAF_LOST;
		}
		const int32_t leaf = e->leaf(x->at, e->weights);
		if (leaf != expected)
			return exam_fail(x, "evaluation %s: leaf is %ld, but should be %ld",
					 e->name, (long)leaf, (long)expected);
	}
	return true;
}

/* The cache is kept from position to position and from game to game; the bytes after it are 0. */
static bool memories_do_not_matter(struct exam *x)
{
	unsigned char *memory = x->memory;
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		if (!e->recall)
			continue;
		for (int again = 0; again < 2; again++)
			if (e->recall(x->at, e->weights, memory) != e->evaluate(x->at, e->weights))
				return exam_fail(x, "evaluation %s: recall and evaluate differ",
						 e->name);
		memory += exam_memory(e);
		for (const unsigned char *end = memory - exam_memory(e) + e->memory_size;
		     end < memory; end++)
			if (*end)
				return exam_fail(x, "evaluation %s writes outside its memory",
						 e->name);
	}
	return true;
}

/* ---- Material, phases, scores of moves ---- */

/*
 * Material is not negative, reproducible and symmetric; the evaluation of that name is its
 * difference.
 */
static bool material_is_sane(struct exam *x)
{
	const struct qv_game *g = x->game;
	const int seat = g->seat(x->at);
	for (int i = 0; i < g->seats; i++) {
		const int32_t material = g->material(x->at, i);
		if (material < 0 || material > QV_MAX_EVAL / 2)
			return exam_fail(x, "the material of seat %d is %ld, out of bounds", i,
					 (long)material);
		if (g->material(x->at, i) != material)
			return exam_fail(x, "material gives another value when called again");
	}
	/* A symmetry may exchange the seats, so material is compared from the seat to move. */
	for (int k = 0; g->image && k < g->symmetries; k++) {
		unsigned char *image = exam_slot(x, SLOT_A);
		g->image(x->at, k, image);
		const int there = g->seat(image);
		for (int i = 0; i < g->seats && seat >= 0 && there >= 0; i++)
			if (g->material(image, (there + i) % g->seats) !=
			    g->material(x->at, (seat + i) % g->seats))
				return exam_fail(x, "symmetry %d changes the material", k);
	}
	for (const struct qv_evaluation *e = g->evaluations; e && e->name; e++)
		if (!strcmp(e->name, "material") && g->seats == 2 && seat >= 0 &&
		    e->evaluate(x->at, e->weights) !=
			    g->material(x->at, seat) - g->material(x->at, 1 - seat))
			return exam_fail(x,
					 "evaluation material is not the difference in material");
	return true;
}

/* The phase exists, is reproducible, and the same for symmetric positions. */
static bool phase_is_sane(struct exam *x)
{
	const int phase = x->game->phase(x->at);
	if (phase < QV_OPENING || phase > QV_END)
		return exam_fail(x, "the phase is %d", phase);
	if (x->game->phase(x->at) != phase)
		return exam_fail(x, "phase gives another value when called again");
	for (int k = 0; x->game->image && k < x->game->symmetries; k++) {
		x->game->image(x->at, k, exam_slot(x, SLOT_A));
		if (x->game->phase(exam_slot(x, SLOT_A)) != phase)
			return exam_fail(x, "symmetry %d changes the phase", k);
	}
	return true;
}

/* The evaluation of the position after a move, for the seat that played it. */
static int32_t value_after(const struct exam *x, const struct qv_evaluation *e, qv_move move)
{
	const unsigned char *after = exam_after(x, SLOT_A, x->at, move);
	const int32_t value = e->evaluate(after, e->weights);
	return x->game->seat(after) == x->game->seat(x->at) ? value : -value;
}

static int sign(int64_t number)
{
	return (number > 0) - (number < 0);
}

/*
 * Scores of moves are bounded and reproducible. With material alone, they rank moves as the
 * positions they lead to.
 */
static bool moves_are_ranked(struct exam *x, const struct qv_evaluation *e)
{
	const qv_move one = exam_any_move(x), other = exam_any_move(x);
	const int32_t a = e->move(x->at, one, e->weights), b = e->move(x->at, other, e->weights);
	if (a < -QV_MAX_EVAL || a > QV_MAX_EVAL)
		return exam_fail(x, "evaluation %s scores a move %ld, out of bounds", e->name,
				 (long)a);
	if (e->move(x->at, one, e->weights) != a)
		return exam_fail(x, "evaluation %s: a move's score changes when called again",
				 e->name);
	return x->game->seats != 2 || x->game->chance || strcmp(e->name, "material") ||
	       sign((int64_t)a - b) ==
		       sign((int64_t)value_after(x, e, one) - value_after(x, e, other)) ||
	       exam_fail(x, "evaluation material ranks moves unlike the positions after them");
}

/* Scores of moves are an optional, faster way to sort moves. */
static bool move_scores_are_sane(struct exam *x)
{
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++)
		for (int i = 0; e->move && i < TRIED_MOVES && x->count > 0; i++)
			if (!moves_are_ranked(x, e))
				return false;
	return true;
}

/* ---- Repetition ---- */

/* The outcome of a repetition is reproducible, and the points of every seat are written. */
static bool repetition_has_a_result(struct exam *x)
{
	for (int times = 1; times <= 4; times++) {
		/* Different bytes before both calls: what is not written differs. */
		int32_t a[QV_MAX_SEATS] = { -77, -77, -77, -77 };
		int32_t b[QV_MAX_SEATS] = { 99, 99, 99, 99 };
		const enum qv_outcome outcome = x->game->repeated(x->at, times, a);
		if (x->game->repeated(x->at, times, b) != outcome ||
		    (outcome != QV_GOING && outcome != QV_ENDED))
			return exam_fail(x, "repeated %d times: invalid or varying outcome", times);
		if (outcome == QV_ENDED && memcmp(a, b, (size_t)x->game->seats * sizeof *a))
			return exam_fail(x, "repeated %d times: not all points are written", times);
	}
	return true;
}

/* An irreversible move is one after which no earlier position can recur. */
static bool nothing_recurs_past_the_cut(struct exam *x)
{
	for (int i = 0; i < x->cut; i++)
		if (x->history[i] == x->history[x->ply])
			return exam_fail(x, "ply %d recurs after an irreversible move", i);
	return true;
}

const struct law extra_laws[] = {
	{ "inputs", LAW_EVERYWHERE, inputs_are_unchanged, ANY_GAME, 0 },
	{ "rank", LAW_EVERYWHERE, ranks_are_bounded, RANK, 0 },
	{ "count", LAW_EVERYWHERE, count_is_length_of_list, COUNT, 0 },
	{ "counted-moves", LAW_EVERYWHERE, counted_moves_are_sane, COUNTED_MOVES, 0 },
	{ "images", LAW_EVERYWHERE, images_are_reversible, SYMMETRY, 0 },
	{ "image-play", LAW_EVERYWHERE, images_play_alike, SYMMETRY, 0 },
	{ "evaluation", LAW_EVERYWHERE, evaluations_are_bounded, EVALUATION, 0 },
	{ "leaf", LAW_EVERYWHERE, leaves_agree, LEAF, 0 },
	{ "evaluation-terms", LAW_EVERYWHERE, terms_add_up, EVALUATION_TERMS, 0 },
	{ "recall", LAW_EVERYWHERE, memories_do_not_matter, RECALL, 0 },
	{ "seat-values", LAW_EVERYWHERE, seats_have_values, SEAT_VALUES, 0 },
	{ "material", LAW_EVERYWHERE, material_is_sane, MATERIAL, 0 },
	{ "phase", LAW_EVERYWHERE, phase_is_sane, PHASES, 0 },
	{ "move-scores", LAW_EVERYWHERE, move_scores_are_sane, MOVE_SCORES, 0 },
	{ "repetition", LAW_EVERYWHERE, repetition_has_a_result, REPETITION, 0 },
	{ "irreversible", LAW_EVERYWHERE, nothing_recurs_past_the_cut, REPETITION, 0 },
	{ 0 },
};
