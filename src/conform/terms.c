/*
 * notions.c - laws of notions: what a game tells of a position keeps its bounds, is told the same
 * again, and stops where it is asked to.
 * SPDX-License-Identifier: MIT
 */
#include "conform/exam.h"

static bool has_notions(const struct qv_game *game)
{
	return game->board && game->board->notions;
}

static enum qv_status cells_are_there(struct exam *x, const struct qv_notion *n, int cells)
{
	bool taken[QV_MAX_CELLS] = { false };
	if (n->cell_count < 0 || n->cell_count > cells)
		return exam_fail(x, "%s: %d cells of %d", n->name, n->cell_count, cells);
	for (int i = 0; i < n->cell_count; i++) {
		const int cell = n->cells[i];
		if (cell < 0 || cell >= cells || taken[cell])
			return exam_fail(x, "%s: cell %d is not there, or comes twice", n->name,
					 cell);
		taken[cell] = true;
	}
	return QV_OK;
}

static enum qv_status notion_is_sane(struct exam *x, const struct qv_notion *list, int number,
				     int cells)
{
	const struct qv_notion *n = &list[number];
	if (!exam_is_text(n->name, sizeof n->name) || !exam_is_text(n->text, sizeof n->text) ||
	    (n->mark[0] && !exam_is_text(n->mark, sizeof n->mark)))
		return exam_fail(x, "name, sentence or mark of notion %d is not printable text",
				 number);
	if (n->seat < -1 || n->seat >= x->game->seats)
		return exam_fail(x, "%s: there is no seat %d", n->name, n->seat);
	for (const struct qv_notion *other = list; other < n; other++)
		if (other->seat == n->seat && !strcmp(other->name, n->name))
			return exam_fail(x, "%s: a seat has it twice", n->name);
	return cells_are_there(x, n, cells);
}

static int cell_count(const struct exam *x)
{
	struct qv_layout l = { 0 };
	x->game->board->layout(x->rules->options, &l);
	return l.cell_count;
}

/* One place more than may be filled, to see that it is not. */
struct told {
	struct qv_notion list[QV_MAX_NOTIONS + 1];
	int count;
};

static void ask(const struct exam *x, struct told *t, int max, int stir)
{
	memset(t, 0, sizeof *t);
	exam_stir_stack(stir);
	t->count = x->game->board->notions(x->at, t->list, max);
}

static enum qv_status notions_are_sane(struct exam *x)
{
	static const struct qv_notion nothing;
	struct told whole, again;
	const int cells = cell_count(x);
	ask(x, &whole, QV_MAX_NOTIONS, 0xff);
	if (whole.count < 0 || whole.count > QV_MAX_NOTIONS)
		return exam_fail(x, "%d of them, %d are the most", whole.count, QV_MAX_NOTIONS);
	enum qv_status status = QV_OK;
	for (int i = 0; i < whole.count && status == QV_OK; i++)
		status = notion_is_sane(x, whole.list, i, cells);
	if (status != QV_OK)
		return status;
	/* All of them once more, or only some: the same from the first on, and nothing after. */
	const int max = (int)qv_random_below(&x->random, QV_MAX_NOTIONS + 1);
	ask(x, &again, max, 0x00);
	if (again.count != (whole.count < max ? whole.count : max))
		return exam_fail(x, "asked for %d of %d, there were %d", max, whole.count,
				 again.count);
	if (memcmp(again.list, whole.list, (size_t)again.count * sizeof *again.list) != 0)
		return exam_fail(x, "asked twice, they are others");
	if (memcmp(&again.list[again.count], &nothing, sizeof nothing) != 0)
		return exam_fail(x, "more is written than was asked for");
	return QV_OK;
}

const struct law notion_laws[] = {
	{ "notions", LAW_EVERYWHERE, notions_are_sane, has_notions, 0 },
	{ 0 },
};
