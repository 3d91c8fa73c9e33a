/*
 * adopt.c - copies the tables of plug-ins of older interfaces into the present layout.
 * SPDX-License-Identifier: MIT
 *
 * From interface 9 on a plug-in states the sizes of its structs, and structs grow at their end
 * only. For the three interfaces before, the sizes stand here. Interface 8 inserted `stakes` into
 * struct qv_game; the cells of a layout had no `stack` before it.
 */
#include "core/adopt.h"

#include "core/context.h"

/* The old sizes are those of processors with pointers of 64 bits. */
static const struct {
	uint32_t game;
	struct qv_sizes sizes;
} old_sizes[] = {
	[6] = { 312,
		{ .option = 48, .evaluation = 104, .weight = 16, .term = 48, .index = 56,
		  .space = 48, .place = 16, .board = 72, .piece = 32, .layout = 24084, .cell = 34,
		  .line = 8, .label = 20, .standing = 8, .notion = 1272 } },
	[7] = { 312,
		{ .option = 48, .evaluation = 112, .weight = 16, .term = 48, .index = 56,
		  .space = 48, .place = 16, .board = 72, .piece = 32, .layout = 24084, .cell = 34,
		  .line = 8, .label = 20, .standing = 8, .notion = 1272 } },
	[8] = { 320,
		{ .option = 48, .evaluation = 112, .weight = 16, .term = 48, .index = 56,
		  .space = 48, .place = 16, .board = 80, .piece = 32, .layout = 25108, .cell = 36,
		  .line = 8, .label = 20, .standing = 8, .notion = 1272 } },
};

static const struct qv_sizes present = QV_SIZES;

/* Whether this version can read the interface at all. */
static enum qv_status check_number(const char *what, int number, struct qv_error *error)
{
	if (number >= OLDEST_INTERFACE && number <= QV_INTERFACE &&
	    (number >= FIRST_SIZED_INTERFACE || sizeof(void *) == 8))
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED,
		       "%s: built for interface %d, but this version accepts %d to %d", what,
		       number, OLDEST_INTERFACE, QV_INTERFACE);
}

/*
 * Whether arrays that are not copied have the elements of this version; such structs have never
 * changed.
 */
static bool same_elements(const struct qv_sizes *s)
{
	return s->option == present.option && s->weight == present.weight &&
	       s->term == present.term && s->index == present.index &&
	       s->space == present.space && s->place == present.place &&
	       s->piece == present.piece && s->line == present.line &&
	       s->label == present.label && s->standing == present.standing &&
	       s->notion == present.notion;
}

static enum qv_status check_sizes(const char *what, int number, size_t size, size_t own_size,
				  const struct qv_sizes *sizes, struct qv_error *error)
{
	const bool same = number < QV_INTERFACE ||
			  (size == own_size && memcmp(sizes, &present, sizeof present) == 0);
	if (same && same_elements(sizes))
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED,
		       "%s: its struct sizes are not those of interface %d; begin it with QV_HEAD",
		       what, number);
}

/* Copies as much of a struct as its writer knew. */
static void copy_known(void *to, size_t room, const void *from, size_t size)
{
	memset(to, 0, room);
	memcpy(to, from, size < room ? size : room);
}

/* Copies a game whose struct has `size` bytes; `stakes` is inserted if its interface had none. */
static void copy_game(struct qv_game *to, const struct qv_game *from, int number, size_t size)
{
	const size_t split = offsetof(struct qv_game, stakes);
	copy_known(to, sizeof *to, from, number < 8 ? split : size);
	if (number < 8)
		memcpy(&to->options, (const char *)from + split, size - split);
	to->interface_number = QV_INTERFACE;
	to->size = sizeof *to;
}

size_t evaluations_count(const struct qv_evaluation *list, size_t element)
{
	size_t count = 0;
	for (const char *at = (const char *)list; at; at += element, count++) {
		const char *name; /* the first member */
		memcpy(&name, at, sizeof name);
		if (!name)
			break;
	}
	return count;
}

void evaluations_copy(struct qv_evaluation *to, const struct qv_evaluation *list, size_t element,
		      size_t count)
{
	for (size_t i = 0; i < count; i++)
		copy_known(&to[i], sizeof *to, (const char *)list + i * element, element);
}

void adopted_free(const struct qv_allocator *a, struct adopted *copy)
{
	if (!copy)
		return;
	mem_free(a, copy->evaluations, copy->room * sizeof *copy->evaluations);
	mem_free(a, copy, sizeof *copy);
}

enum qv_status adopt_game(const struct qv_allocator *a, const struct qv_game *given,
			  const struct qv_game **game, struct adopted **copy,
			  struct qv_error *error)
{
	const int number = given->interface_number;
	*copy = NULL;
	enum qv_status status = check_number("plug-in", number, error);
	if (status != QV_OK)
		return status;
	const bool sized = number >= FIRST_SIZED_INTERFACE;
	const size_t size = sized ? given->size : old_sizes[number].game;
	/* `sizes` may be read if the struct reaches so far. */
	const struct qv_sizes none = { 0 },
			      *sizes = !sized ? &old_sizes[number].sizes
				       : size >= offsetof(struct qv_game, seat_names) ? &given->sizes
										      : &none;
	status = check_sizes("plug-in", number, size, sizeof *given, sizes, error);
	*game = given;
	if (status != QV_OK || number == QV_INTERFACE)
		return status;
	struct adopted *c = mem_new(a, 1, sizeof *c);
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "plug-in: out of memory");
	copy_game(&c->game, given, number, size);
	const size_t count = evaluations_count(c->game.evaluations, sizes->evaluation);
	c->room = count + 1;
	c->evaluations = mem_new(a, c->room, sizeof *c->evaluations);
	if (!c->evaluations) {
		adopted_free(a, c);
		return qv_fail(error, QV_NO_MEMORY, "plug-in: out of memory");
	}
	evaluations_copy(c->evaluations, c->game.evaluations, sizes->evaluation, count);
	if (c->game.evaluations)
		c->game.evaluations = c->evaluations;
	if (c->game.board) {
		copy_known(&c->board, sizeof c->board, c->game.board, sizes->board);
		c->game.board = &c->board;
	}
	/* Layouts are written by the plug-in, in its own layout: board_layout. */
	c->game.sizes = present;
	c->game.sizes.layout = sizes->layout;
	c->game.sizes.cell = sizes->cell;
	*game = &c->game;
	*copy = c;
	return QV_OK;
}

enum qv_status adopt_added(const struct qv_added_evaluations *added, size_t *element,
			   struct qv_error *error)
{
	const int number = added->interface_number;
	const bool sized = number >= FIRST_SIZED_INTERFACE;
	enum qv_status status = check_number("evaluations", number, error);
	if (status == QV_OK && sized)
		status = check_sizes("evaluations", number, added->size, sizeof *added,
				     added->size >= sizeof *added ? &added->sizes
								  : &old_sizes[8].sizes,
				     error);
	if (status != QV_OK)
		return status;
	/* They would read the members of the game at the wrong places. */
	if (number < 8 && added->rules)
		return qv_fail(error, QV_UNSUPPORTED,
			       "evaluations: built for interface %d; with `rules` they need 8 or "
			       "later",
			       number);
	*element = sized ? added->sizes.evaluation : old_sizes[number].sizes.evaluation;
	return QV_OK;
}

/* ---- Layouts ---- */

/* As the plug-ins of interfaces 6 and 7 write it. */
struct old_cell {
	char name[QV_CELL_TEXT];
	int16_t x, y, width, height, slant, row, column, group;
	uint8_t shape, tone;
};
struct old_layout {
	int16_t width, height;
	uint8_t ground;
	bool turnable;
	int cell_count, line_count, label_count;
	struct old_cell cells[QV_MAX_CELLS];
	struct qv_line lines[QV_MAX_LINES];
	struct qv_label labels[QV_MAX_LABELS];
};
_Static_assert(sizeof(struct old_cell) == 34 && sizeof(struct old_layout) == 24084,
	       "as the old header has it");

void board_layout(const struct qv_rules *rules, struct qv_layout *out)
{
	const struct qv_game *game = rules->game;
	memset(out, 0, sizeof *out);
	if (game->sizes.cell != sizeof(struct old_cell)) {
		game->board->layout(rules->options, out);
		return;
	}
	struct old_layout old;
	memset(&old, 0, sizeof old);
	/* The function takes any pointer; its type says what it writes in the present layout. */
	game->board->layout(rules->options, (struct qv_layout *)(void *)&old);
	out->width = old.width;
	out->height = old.height;
	out->ground = old.ground;
	out->turnable = old.turnable;
	out->cell_count = old.cell_count;
	out->line_count = old.line_count;
	out->label_count = old.label_count;
	for (int i = 0; i < QV_MAX_CELLS; i++)
		copy_known(&out->cells[i], sizeof out->cells[i], &old.cells[i], sizeof old.cells[i]);
	memcpy(out->lines, old.lines, sizeof out->lines);
	memcpy(out->labels, old.labels, sizeof out->labels);
}
