/*
 * learned_moves.c - a set of moves that have lost games, and its file.
 * SPDX-License-Identifier: MIT
 *
 * States and moves are stored in two arrays and found through a map by hash. Each pair is stored in
 * a normal form under the game's symmetries. A lookup costs one hash per symmetry.
 */
#include "core/learned_moves.h"

enum { LEAST_MOVES = 64, MOST_MOVES = 1 << 20, MOST_BYTES = 1 << 26 };

static const char magic[] = "quevedo-learned";

/* ---- The set ---- */

struct learned learned_make(const struct qv_allocator *allocator, const struct qv_rules *rules)
{
	const size_t align = _Alignof(max_align_t);
	return (struct learned){ .allocator = allocator, .rules = *rules,
				 .places = { .allocator = allocator },
				 .stride = (rules->game->state_size + align - 1) / align * align };
}

/* The two states of `scratch`: the normal form, and a candidate for it. */
enum { NORMAL_FORM, CANDIDATE, SCRATCH };

/* The set is then empty and can be used again. */
void learned_release(struct learned *l)
{
	mem_free(l->allocator, l->scratch, SCRATCH * l->stride);
	mem_free(l->allocator, l->states, l->state_room * l->stride);
	mem_free(l->allocator, l->moves, l->move_room * sizeof *l->moves);
	map_release(&l->places);
	*l = learned_make(l->allocator, &l->rules);
}

size_t learned_most(const struct learned *l)
{
	size_t most = MOST_MOVES;          /* a power of two, as all capacities are */
	while (most > LEAST_MOVES && most * l->stride > MOST_BYTES)
		most /= 2;
	return most;
}

/* The stored state of a move. */
static unsigned char *state_at(const struct learned *l, size_t place)
{
	return l->states + place * l->stride;
}

/*
 * The normal form: of all symmetric positions the one with the lowest hash, and in a position that
 * is symmetric to itself the lowest move.
 */
static const void *normal_form(const struct learned *l, const void *state, qv_move *move)
{
	const struct qv_game *g = l->rules.game;
	unsigned char *best = l->scratch + NORMAL_FORM * l->stride;
	unsigned char *image = l->scratch + CANDIDATE * l->stride;
	const qv_move original = *move;
	uint64_t lowest = g->hash(state);
	memcpy(best, state, g->state_size);
	for (int k = 1; g->image && k < g->symmetries; k++) {
		g->image(state, k, image);
		const uint64_t hash = g->hash(image);
		const qv_move moved = g->image_move(state, k, original);
		if (hash > lowest || (hash == lowest && moved >= *move))
			continue;
		lowest = hash;
		*move = moved;
		memcpy(best, image, g->state_size);
	}
	return best;
}

const void *learned_at(const struct learned *l, size_t place, qv_move *move)
{
	*move = l->moves[place];
	return state_at(l, place);
}

void learned_box(const struct learned *l, const void *state, void *box, void *scratch)
{
	const struct qv_game *g = l->rules.game;
	memcpy(box, state, g->state_size);
	for (int k = 1; g->image && k < g->symmetries; k++) {
		g->image(state, k, scratch);
		if (g->hash(scratch) < g->hash(box))
			memcpy(box, scratch, g->state_size);
	}
}

/* The map key of a pair in normal form. */
static uint64_t key_of(const struct learned *l, const void *state, qv_move move)
{
	return l->rules.game->hash(state) + move;
}

bool learned_has(const struct learned *l, const void *state, qv_move move)
{
	if (!l->count)
		return false;
	const void *stored = normal_form(l, state, &move), *number;
	const uint64_t key = key_of(l, stored, move);
	/* The key is only a hash: compare move and state. */
	for (size_t at = 0; (number = map_next_of(&l->places, key, &at));) {
		const size_t place = map_to_number(number);
		if (l->moves[place] == move &&
		    memcmp(state_at(l, place), stored, l->rules.game->state_size) == 0)
			return true;
	}
	return false;
}

enum qv_status learned_add(struct learned *l, const void *state, qv_move move)
{
	if (learned_has(l, state, move) || l->count == learned_most(l))
		return QV_OK;
	if (!l->scratch)
		l->scratch = mem_new(l->allocator, SCRATCH, l->stride);
	if (!l->scratch ||
	    !mem_reserve(l->allocator, &l->states, &l->state_room, l->count + 1, l->stride) ||
	    !mem_reserve(l->allocator, &l->moves, &l->move_room, l->count + 1, sizeof *l->moves))
		return QV_NO_MEMORY;
	const void *stored = normal_form(l, state, &move);
	if (!map_add(&l->places, key_of(l, stored, move), map_of_number(l->count)))
		return QV_NO_MEMORY;
	memcpy(state_at(l, l->count), stored, l->rules.game->state_size);
	l->moves[l->count++] = move;
	return QV_OK;
}

/* ---- The file ---- */

/* A file that is being read, line by line. */
struct reading {
	const char *at, *end;
	int line;
	char text[QV_POSITION_TEXT + QV_MOVE_TEXT];        /* the current line, without its end */
	void *state;
	struct qv_error *error;
};

/* The error for a malformed line; always fails. */
static enum qv_status refuse(const struct reading *r, const char *why)
{
	return qv_fail(r->error, QV_BAD_INPUT, "learned, line %d: %s", r->line, why);
}

/* Copies the next line to r->text. Every line must have an end. */
static enum qv_status next_line(struct reading *r)
{
	r->line++;
	const size_t left = (size_t)(r->end - r->at);
	/* A last line without an end was cut off when it was written. */
	const char *newline = left ? memchr(r->at, '\n', left) : NULL;
	if (!newline)
		return refuse(r, left ? "has no line end" : "is missing");
	const size_t length = (size_t)(newline - r->at);
	if (length >= sizeof r->text)
		return refuse(r, "too long");
	if (memchr(r->at, '\0', length))
		return refuse(r, "contains a NUL byte");
	memcpy(r->text, r->at, length);
	r->text[length] = '\0';
	r->at = newline + 1;
	return QV_OK;
}

/* The first line: the format's name and version, and the rules of the game. */
static enum qv_status read_header(const struct learned *l, struct reading *r)
{
	char expected[QV_POSITION_TEXT];
	struct qv_text out = { expected, sizeof expected, 0 };
	qv_put(&out, magic);
	qv_put(&out, " 1 ");
	const size_t version = out.length;
	qv_rules_text(&l->rules, &out);
	enum qv_status status = next_line(r);
	if (status != QV_OK || strcmp(r->text, expected) == 0)
		return status;
	if (strncmp(r->text, expected, sizeof magic) != 0)
		return refuse(r, "not a file of the player learn");
	if (strncmp(r->text, expected, version) != 0)
		return refuse(r, "unknown version; expected 1");
	return qv_fail(r->error, QV_BAD_INPUT,
		       "learned, line 1: the file is for '%.60s', but this is %.60s",
		       r->text + version, expected + version);
}

/* Reads a line: a position, a tab and a move. */
static enum qv_status read_pair(struct learned *l, struct reading *r, qv_move *list)
{
	const struct qv_game *g = l->rules.game;
	enum qv_status status = next_line(r);
	if (status != QV_OK)
		return status;
	char *tab = strchr(r->text, '\t');
	if (!tab)
		return refuse(r, "expected a position, a tab and a move");
	*tab = '\0';
	struct qv_error why = { "" };
	status = g->position_parse(l->rules.options, r->text, r->state, &why);
	if (status != QV_OK)
		return qv_fail(r->error, status, "learned, line %d: %.200s", r->line, why.text);
	/* The legal move with this canonical text. */
	int32_t points[QV_MAX_SEATS];
	qv_move move = QV_NO_MOVE;
	for (int n = g->result(r->state, points) == QV_GOING ? g->moves(r->state, list) : 0;
	     move == QV_NO_MOVE && n > 0; n--) {
		char name[QV_MOVE_TEXT] = "";
		g->move_text(r->state, list[n - 1], &(struct qv_text){ name, sizeof name, 0 });
		if (strcmp(name, tab + 1) == 0)
			move = list[n - 1];
	}
	if (move == QV_NO_MOVE)
		return refuse(r, "the move is not legal in that position");
	if (l->count == learned_most(l) && !learned_has(l, r->state, move))
		return refuse(r, "too many moves");
	if (learned_add(l, r->state, move) != QV_OK)
		return qv_fail(r->error, QV_NO_MEMORY, "learned: out of memory");
	return QV_OK;
}

enum qv_status learned_read(struct learned *l, const char *data, size_t size,
			    struct qv_error *error)
{
	struct reading r = { .at = data, .end = data + size, .error = error };
	const size_t room = (size_t)l->rules.game->max_moves;
	qv_move *list = mem_new(l->allocator, room, sizeof *list);
	r.state = mem_new(l->allocator, 1, l->stride);
	enum qv_status status = QV_NO_MEMORY;
	if (!list || !r.state)
		qv_fail(error, status, "learned: out of memory");
	else
		status = read_header(l, &r);
	while (status == QV_OK && r.at < r.end)
		status = read_pair(l, &r, list);
	mem_free(l->allocator, list, room * sizeof *list);
	mem_free(l->allocator, r.state, l->stride);
	return status;
}

/* Text: a header with the rules, then a position, a tab and a move in each line. */
void learned_write(const struct learned *l, struct string *out)
{
	const struct qv_game *g = l->rules.game;
	char buffer[QV_POSITION_TEXT + QV_MOVE_TEXT] = "";
	struct qv_text text = { buffer, sizeof buffer, 0 };
	qv_rules_text(&l->rules, &text);
	string_addf(out, "%s 1 %s\n", magic, buffer);
	for (size_t i = 0; i < l->count; i++) {
		text.length = 0;
		g->position_text(state_at(l, i), &text);
		qv_put_char(&text, '\t');
		g->move_text(state_at(l, i), l->moves[i], &text);
		string_addf(out, "%s\n", buffer);
	}
}
