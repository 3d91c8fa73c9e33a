/*
 * terms.c - laws of terms: the terms (features) of a position are within bounds, reproducible, and
 * limited to the
 * SPDX-License-Identifier: MIT
 *
 * requested number.
 */
#include "conform/exam.h"

static bool has_terms(const struct qv_game *game)
{
	return game->board && game->board->notions;
}

static enum qv_status cells_exist(struct exam *x, const struct qv_notion *n, int cells)
{
	bool taken[QV_MAX_CELLS] = { false };
	if (n->cell_count < 0 || n->cell_count > cells)
		return exam_fail(x, "%s: %d cells of %d", n->name, n->cell_count, cells);
	for (int i = 0; i < n->cell_count; i++) {
		const int cell = n->cells[i];
		if (cell < 0 || cell >= cells || taken[cell])
			return exam_fail(x, "%s: cell %d does not exist or is listed twice",
					 n->name, cell);
		taken[cell] = true;
	}
	return QV_OK;
}

static enum qv_status term_is_sane(struct exam *x, const struct qv_notion *list, int number,
				   int cells)
{
	const struct qv_notion *n = &list[number];
	if (!exam_is_text(n->name, sizeof n->name) || !exam_is_text(n->text, sizeof n->text) ||
	    (n->mark[0] && !exam_is_text(n->mark, sizeof n->mark)))
		return exam_fail(x, "name, sentence or mark of term %d is not printable text",
				 number);
	if (n->seat < -1 || n->seat >= x->game->seats)
		return exam_fail(x, "%s: there is no seat %d", n->name, n->seat);
	for (const struct qv_notion *other = list; other < n; other++)
		if (other->seat == n->seat && !strcmp(other->name, n->name))
			return exam_fail(x, "%s: listed twice for a seat", n->name);
	return cells_exist(x, n, cells);
}

/* One entry more than may be written, to see that it is not. */
struct notion_list {
	struct qv_notion list[QV_MAX_NOTIONS + 1];
	int count;
};

static void list_terms(const struct exam *x, struct notion_list *t, int max, int stir)
{
	memset(t, 0, sizeof *t);
	exam_stir_stack(stir);
	t->count = x->game->board->notions(x->at, t->list, max);
}

static enum qv_status terms_are_sane(struct exam *x)
{
	static const struct qv_notion nothing;
	struct notion_list whole, again;
	const int cells = exam_cell_count(x);
	list_terms(x, &whole, QV_MAX_NOTIONS, 0xff);
	if (whole.count < 0 || whole.count > QV_MAX_NOTIONS)
		return exam_fail(x, "%d terms, but at most %d are allowed", whole.count,
				 QV_MAX_NOTIONS);
	enum qv_status status = QV_OK;
	for (int i = 0; i < whole.count && status == QV_OK; i++)
		status = term_is_sane(x, whole.list, i, cells);
	if (status != QV_OK)
		return status;
	/*
	 * List them again, or only the first `max`: they must be the same, and nothing may be
	 * written after.
	 */
	const int max = (int)qv_random_below(&x->random, QV_MAX_NOTIONS + 1);
	list_terms(x, &again, max, 0x00);
	if (again.count != (whole.count < max ? whole.count : max))
		return exam_fail(x, "at most %d of %d were requested, %d were returned", max,
				 whole.count, again.count);
	if (memcmp(again.list, whole.list, (size_t)again.count * sizeof *again.list) != 0)
		return exam_fail(x, "a second call gives other terms");
	if (memcmp(&again.list[again.count], &nothing, sizeof nothing) != 0)
		return exam_fail(x, "more terms are written than requested");
	return QV_OK;
}

const struct law term_laws[] = {
	{ "notions", LAW_EVERYWHERE, terms_are_sane, has_terms, 0 },
	{ 0 },
};
