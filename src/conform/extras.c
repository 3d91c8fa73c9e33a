/*
 * extras.c - laws of the optional functions: counted moves, symmetry, evaluation, material, phases,
 * repetition;
 * SPDX-License-Identifier: MIT
 *
 * and that no function changes what it only reads.
 *
 * Symmetry is checked as a group action: symmetry 0 is the identity, every symmetry has an inverse,
 * and playing commutes with it. Results and material are compared from the point of view of the
 * seat to move, because a symmetry may exchange the seats.
 */
#include "conform/exam.h"

enum { TRIED_COUNTS = 8, TRIED_MOVES = 8 };

/* ---- Counts ---- */

static bool counts_moves(const struct qv_game *game)
{
	return game->count != NULL;
}

static enum qv_status count_is_length_of_list(struct exam *x)
{
	const int count = x->game->count(x->at);
	if (count != x->count)
		return exam_fail(x, "count is %d, but the list has %d moves", count, x->count);
	return QV_OK;
}

static bool has_counted_moves(const struct qv_game *game)
{
	return game->max_count != NULL;
}

static enum qv_status counted_move_is_sane(struct exam *x, qv_move move)
{
	const int most = x->game->max_count(x->at, move);
	if (most < 1)
		return exam_fail(x, "max_count of a listed move is %d", most);
	if (most == 1)
		return QV_OK;
	if (x->game->with_count(move, most) != move)
		return exam_fail(
			x, "with_count(move, %d), its largest count, is not the listed move", most);
	for (int i = 0; i < TRIED_COUNTS && i < most; i++) {
		const int count = most <= TRIED_COUNTS ?
					  i + 1 :
					  1 + (int)qv_random_below(&x->random, (uint64_t)most);
		const qv_move fewer = x->game->with_count(move, count);
		if (count < most && fewer == move)
			return exam_fail(x, "with count %d a move is the same as with count %d",
					 count, most);
		if (!qv_move_legal(x->game, x->at, fewer))
			return exam_fail(x, "with count %d of %d a listed move is not legal",
					 count, most);
	}
	return QV_OK;
}

static enum qv_status counted_moves_are_sane(struct exam *x)
{
	enum qv_status status = QV_OK;
	for (int i = 0; i < x->count && status == QV_OK; i++)
		status = counted_move_is_sane(x, x->list[i]);
	return status;
}

/* ---- No function may change its input, or return another value when called again ---- */

static enum qv_status move_functions_are_stable(struct exam *x, qv_move move)
{
	const struct qv_game *g = x->game;
	if (g->rank && g->rank(x->at, move) != g->rank(x->at, move))
		return exam_fail(x, "rank gives another value when called again");
	if (g->quiet && g->quiet(x->at, move) != g->quiet(x->at, move))
		return exam_fail(x, "quiet gives another value when called again");
	if (g->irreversible && g->irreversible(x->at, move) != g->irreversible(x->at, move))
		return exam_fail(x, "irreversible gives another value when called again");
	return QV_OK;
}

static void call_everything(struct exam *x)
{
	const struct qv_game *g = x->game;
	int32_t points[QV_MAX_SEATS];
	struct qv_text measure = { NULL, 0, 0 };
	g->seat(x->at);
	g->moves(x->at, exam_list(x, SLOT_A));
	g->result(x->at, points);
	g->hash(x->at);
	g->position_text(x->at, &measure);
	if (g->count)
		g->count(x->at);
	if (g->draw)
		g->draw(x->at, true, &measure);
	for (const struct qv_evaluation *e = g->evaluations; e && e->name; e++)
		e->evaluate(x->at, e->weights);
	for (int i = 0; i < x->count; i++)
		g->move_text(x->at, x->list[i], &measure);
}

static enum qv_status inputs_are_unchanged(struct exam *x)
{
	enum qv_status status = QV_OK;
	const unsigned char *before = exam_copy(x, SLOT_C, x->at);
	call_everything(x);
	for (int i = 0; i < TRIED_MOVES && x->count > 0 && status == QV_OK; i++)
		status = move_functions_are_stable(x, exam_any_move(x));
	if (status == QV_OK && !exam_same(x, before, x->at))
		return exam_fail(x, "a function that only reads a state changes it");
	if (!exam_guards_hold(x, SLOT_AT))
		return exam_fail(x, "a function writes outside the state");
	return status;
}

/* ---- Symmetry ---- */

static bool has_symmetry(const struct qv_game *game)
{
	return game->image != NULL;
}

static enum qv_status image_is_a_function(struct exam *x, int k)
{
	exam_dirty(x, SLOT_A, 0x00);
	x->game->image(x->at, k, exam_slot(x, SLOT_A));
	exam_dirty(x, SLOT_B, 0xff);
	x->game->image(x->at, k, exam_slot(x, SLOT_B));
	if (!exam_same(x, exam_slot(x, SLOT_A), exam_slot(x, SLOT_B)))
		return exam_fail(x, "image %d leaves bytes of the state unwritten", k);
	if (!exam_guards_hold(x, SLOT_A))
		return exam_fail(x, "image %d writes outside the state", k);
	if (k == 0 && !exam_same(x, exam_slot(x, SLOT_A), x->at))
		return exam_fail(x, "image 0 is not the position itself");
	return QV_OK;
}

static bool has_inverse(const struct exam *x, const unsigned char *image)
{
	for (int k = 0; k < x->game->symmetries; k++) {
		x->game->image(image, k, exam_slot(x, SLOT_B));
		if (exam_same(x, exam_slot(x, SLOT_B), x->at))
			return true;
	}
	return false;
}

static enum qv_status images_are_reversible(struct exam *x)
{
	for (int k = 0; k < x->game->symmetries; k++) {
		enum qv_status status = image_is_a_function(x, k);
		if (status != QV_OK)
			return status;
		if (!has_inverse(x, exam_slot(x, SLOT_A)))
			return exam_fail(x, "symmetry %d has no inverse", k);
	}
	return QV_OK;
}

/* A symmetry may exchange the seats, so results are compared from the seat to move. */
static bool same_result(const struct exam *x, const unsigned char *image)
{
	int32_t points[QV_MAX_SEATS];
	if (x->game->result(image, points) != x->outcome)
		return false;
	const int seats = x->game->seats, here = x->game->seat(x->at), there = x->game->seat(image);
	for (int i = 0; i < seats && x->outcome != QV_GOING && here >= 0; i++)
		if (points[(there + i) % seats] != x->points[(here + i) % seats])
			return false;
	return true;
}

static enum qv_status image_plays_alike(struct exam *x, int k, const unsigned char *image)
{
	for (int i = 0; i < TRIED_MOVES && x->count > 0; i++) {
		const qv_move move = exam_any_move(x), moved = x->game->image_move(x->at, k, move);
		if (!qv_move_legal(x->game, image, moved))
			return exam_fail(
				x, "symmetry %d maps a legal move to one that is not legal", k);
		const unsigned char *played_after = exam_after(x, SLOT_B, image, moved);
		const unsigned char *after = exam_after(x, SLOT_C, x->at, move);
		x->game->image(after, k, exam_slot(x, SLOT_D));
		if (!exam_same(x, played_after, exam_slot(x, SLOT_D)))
			return exam_fail(x, "playing a move and symmetry %d do not commute", k);
	}
	return QV_OK;
}

static enum qv_status images_play_alike(struct exam *x)
{
	enum qv_status status = QV_OK;
	for (int k = 0; k < x->game->symmetries && status == QV_OK; k++) {
		unsigned char *image = exam_slot(x, SLOT_A);
		x->game->image(x->at, k, image);
		if (x->game->moves(image, exam_list(x, SLOT_A)) != x->count ||
		    !same_result(x, image))
			return exam_fail(x, "symmetry %d changes the result or the number of moves",
					 k);
		for (const struct qv_evaluation *e = x->game->evaluations; e && e->name; e++)
			if (e->evaluate(image, e->weights) != e->evaluate(x->at, e->weights))
				return exam_fail(x, "evaluation %s changes under symmetry %d",
						 e->name, k);
		status = image_plays_alike(x, k, image);
	}
	return status;
}

/* ---- Evaluation ---- */

static bool can_evaluate(const struct qv_game *game)
{
	return game->evaluations != NULL;
}

static int32_t expected_leaf(const struct exam *x, int32_t value)
{
	if (x->outcome == QV_GOING)
		return value;
	const int winner = qv_winner(x->game, x->points);
	if (winner < 0 || x->outcome == QV_DRAWN_BY_COUNT)
		return QV_LEAF_DRAWN;
	return winner == x->game->seat(x->at) ? QV_LEAF_WON : QV_LEAF_LOST;
}

static enum qv_status evaluations_are_bounded(struct exam *x)
{
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		exam_stir_stack(0x3c);
		const int32_t value = e->evaluate(x->at, e->weights);
		if (value < -QV_MAX_EVAL || value > QV_MAX_EVAL)
			return exam_fail(x, "evaluation %s is %ld, out of bounds", e->name,
					 (long)value);
		exam_stir_stack(0xc3);
		if (e->evaluate(x->at, e->weights) != value)
			return exam_fail(x, "evaluation %s gives another value when called again",
					 e->name);
	}
	return QV_OK;
}

static bool has_more_seats(const struct qv_game *game)
{
	return game->seats > 2 && game->evaluations;
}

/* `seats` gives a value for each seat; that of the seat to move must be evaluate's. */
static enum qv_status seats_have_values(struct exam *x)
{
	const int mover = x->game->seat(x->at);
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		int32_t values[QV_MAX_SEATS] = { 0 };
		if (!e->seats)
			continue;
		e->seats(x->at, e->weights, values);
		for (int seat = 0; seat < x->game->seats; seat++)
			if (values[seat] < -QV_MAX_EVAL || values[seat] > QV_MAX_EVAL)
				return exam_fail(x,
						 "evaluation %s gives the value %ld, out of bounds",
						 e->name, (long)values[seat]);
		if (mover != QV_CHANCE && values[mover] != e->evaluate(x->at, e->weights))
			return exam_fail(x, "evaluation %s: evaluate and seats differ for seat %d",
					 e->name, mover);
	}
	return QV_OK;
}

static enum qv_status leaves_agree(struct exam *x)
{
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++) {
		if (!e->leaf || x->game->seat(x->at) == QV_CHANCE)
			continue;
		const int32_t expected = expected_leaf(x, e->evaluate(x->at, e->weights));
		const int32_t leaf = e->leaf(x->at, e->weights);
		if (leaf != expected)
			return exam_fail(x, "evaluation %s: leaf is %ld, but should be %ld",
					 e->name, (long)leaf, (long)expected);
	}
	return QV_OK;
}

static bool can_recall(const struct qv_game *game)
{
	const struct qv_evaluation *e = game->evaluations;
	while (e && e->name && !e->recall)
		e++;
	return e && e->name;
}

/* The cache is kept from position to position and from game to game; the bytes after it are 0. */
static enum qv_status memories_do_not_matter(struct exam *x)
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
	return QV_OK;
}

/* ---- Material, phases, scores of moves ---- */

static bool has_material(const struct qv_game *game)
{
	return game->material != NULL;
}

/* A symmetry may exchange the seats, so material is compared from the seat to move. */
static bool image_has_same_material(const struct exam *x, int k)
{
	const int seats = x->game->seats, here = x->game->seat(x->at);
	unsigned char *image = exam_slot(x, SLOT_A);
	x->game->image(x->at, k, image);
	const int there = x->game->seat(image);
	for (int i = 0; i < seats && here >= 0 && there >= 0; i++)
		if (x->game->material(image, (there + i) % seats) !=
		    x->game->material(x->at, (here + i) % seats))
			return false;
	return true;
}

static enum qv_status material_is_sane(struct exam *x)
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
	for (int k = 0; g->image && k < g->symmetries; k++)
		if (!image_has_same_material(x, k))
			return exam_fail(x, "symmetry %d changes the material", k);
	for (const struct qv_evaluation *e = g->evaluations; e && e->name; e++)
		if (!strcmp(e->name, "material") && g->seats == 2 && seat >= 0 &&
		    e->evaluate(x->at, e->weights) !=
			    g->material(x->at, seat) - g->material(x->at, 1 - seat))
			return exam_fail(
				x,
				"evaluation material is not the difference of the seats' material");
	return QV_OK;
}

static bool has_phases(const struct qv_game *game)
{
	return game->phase != NULL;
}

static enum qv_status phase_is_sane(struct exam *x)
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
	return QV_OK;
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

static enum qv_status moves_are_ranked(struct exam *x, const struct qv_evaluation *e)
{
	const qv_move one = exam_any_move(x), other = exam_any_move(x);
	const int32_t a = e->move(x->at, one, e->weights), b = e->move(x->at, other, e->weights);
	if (a < -QV_MAX_EVAL || a > QV_MAX_EVAL)
		return exam_fail(x, "evaluation %s scores a move %ld, out of bounds", e->name,
				 (long)a);
	if (e->move(x->at, one, e->weights) != a)
		return exam_fail(x, "evaluation %s gives a move another score when called again",
				 e->name);
	if (x->game->seats == 2 && !x->game->chance && !strcmp(e->name, "material") &&
	    sign((int64_t)a - b) !=
		    sign((int64_t)value_after(x, e, one) - value_after(x, e, other)))
		return exam_fail(
			x, "evaluation material ranks moves unlike the positions they lead to");
	return QV_OK;
}

static enum qv_status move_scores_are_sane(struct exam *x)
{
	enum qv_status status = QV_OK;
	for (const struct qv_evaluation *e = x->game->evaluations; e->name; e++)
		for (int i = 0; e->move && i < TRIED_MOVES && x->count > 0 && status == QV_OK; i++)
			status = moves_are_ranked(x, e);
	return status;
}

/* ---- Repetition ---- */

static bool has_repetition(const struct qv_game *game)
{
	return game->repeated != NULL;
}

static enum qv_status repetition_has_a_result(struct exam *x)
{
	for (int times = 1; times <= 4; times++) {
		int32_t a[QV_MAX_SEATS] = { -77, -77, -77, -77 },
			b[QV_MAX_SEATS] = { 99, 99, 99, 99 };
		const enum qv_outcome outcome = x->game->repeated(x->at, times, a);
		if (x->game->repeated(x->at, times, b) != outcome ||
		    (outcome != QV_GOING && outcome != QV_ENDED))
			return exam_fail(
				x,
				"a position repeated %d times: the outcome is invalid or unstable",
				times);
		if (outcome == QV_ENDED && memcmp(a, b, (size_t)x->game->seats * sizeof *a))
			return exam_fail(x,
					 "a position repeated %d times: not all points are written",
					 times);
	}
	return QV_OK;
}

static enum qv_status nothing_recurs_past_the_cut(struct exam *x)
{
	for (int i = 0; i < x->cut; i++)
		if (x->history[i] == x->history[x->ply])
			return exam_fail(x, "ply %d recurs after an irreversible move", i);
	return QV_OK;
}

const struct law extra_laws[] = {
	{ "inputs", LAW_EVERYWHERE, inputs_are_unchanged, NULL, 0 },
	{ "count", LAW_EVERYWHERE, count_is_length_of_list, counts_moves, 0 },
	{ "counted-moves", LAW_EVERYWHERE, counted_moves_are_sane, has_counted_moves, 0 },
	{ "images", LAW_EVERYWHERE, images_are_reversible, has_symmetry, 0 },
	{ "image-play", LAW_EVERYWHERE, images_play_alike, has_symmetry, 0 },
	{ "evaluation", LAW_EVERYWHERE, evaluations_are_bounded, can_evaluate, 0 },
	{ "leaf", LAW_EVERYWHERE, leaves_agree, can_evaluate, 0 },
	{ "recall", LAW_EVERYWHERE, memories_do_not_matter, can_recall, 0 },
	{ "seat-values", LAW_EVERYWHERE, seats_have_values, has_more_seats, 0 },
	{ "material", LAW_EVERYWHERE, material_is_sane, has_material, 0 },
	{ "phase", LAW_EVERYWHERE, phase_is_sane, has_phases, 0 },
	{ "move-scores", LAW_EVERYWHERE, move_scores_are_sane, can_evaluate, 0 },
	{ "repetition", LAW_EVERYWHERE, repetition_has_a_result, has_repetition, 0 },
	{ "irreversible", LAW_EVERYWHERE, nothing_recurs_past_the_cut, has_repetition, 0 },
	{ 0 },
};
