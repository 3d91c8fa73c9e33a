/*
 * file.c - files of puzzles: reading and writing.
 * SPDX-License-Identifier: MIT
 *
 * The first line is "quevedo puzzles 1 GAME". Each other line is a puzzle, "GOAL; NODES; PROOF;
 * LINE; POSITION", or a comment after '#'.
 */
#include <math.h>
#include <stdlib.h>

#include "base/real.h"
#include "base/scan.h"
#include "core/context.h"
#include "puzzle/puzzle.h"

static const char header[] = "quevedo puzzles 1 ";

/* The goals in a file. */
static const struct {
	const char *word, *proof;
	bool amount, plies, loss; /* the numbers that follow */
} goals[] = {
	[PUZZLE_WIN] = { "win", "search", .plies = true },
	[PUZZLE_GAIN] = { "gain", "search", .amount = true, .plies = true },
	[PUZZLE_KEEP_WIN] = { "keep win", "solver", .loss = false },
	[PUZZLE_KEEP_DRAW] = { "keep draw", "solver", .loss = false },
	[PUZZLE_BEST] = { "best", "solver", .amount = true },
	[PUZZLE_EQUITY] = { "equity", "rollout", .loss = true },
	[PUZZLE_ODDS] = { "odds", "table", .loss = true },
};
_Static_assert(sizeof goals / sizeof goals[0] == PUZZLE_KINDS, "describe every goal");

void puzzle_goal_text(const struct puzzle_goal *goal, struct qv_text *out)
{
	char number[64];
	qv_put(out, goals[goal->kind].word);
	if (goals[goal->kind].amount) {
		qv_put(out, " ");
		qv_put_int(out, goal->amount);
	}
	if (goals[goal->kind].plies) {
		qv_put(out, " ");
		qv_put_int(out, goal->plies);
	}
	if (goals[goal->kind].loss) {
		snprintf(number, sizeof number, " %.4f %.4f", goal->loss, goal->error);
		qv_put(out, number);
	}
}

const char *puzzle_proof(const struct puzzle_goal *goal)
{
	return goals[goal->kind].proof;
}

void puzzles_release(struct puzzle_list *list)
{
	if (list->allocator)
		mem_free(list->allocator, list->puzzles, list->room * sizeof *list->puzzles);
	*list = (struct puzzle_list){ 0 };
}

enum qv_status puzzles_add(struct puzzle_list *list, const struct puzzle *new,
			   struct qv_error *error)
{
	if (!mem_reserve(list->allocator, &list->puzzles, &list->room, (size_t)list->count + 1,
			 sizeof *list->puzzles))
		return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	list->puzzles[list->count++] = *new;
	return QV_OK;
}

uint64_t puzzle_key(const struct qv_game *game, const void *state, void *scratch)
{
	uint64_t key = game->hash(state);
	for (int k = 1; k < game->symmetries && game->image; k++) {
		game->image(state, k, scratch);
		const uint64_t other = game->hash(scratch);
		key = other < key ? other : key;
	}
	return key;
}

void puzzle_id(const struct puzzle *p, char id[PUZZLE_ID])
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char reversed[PUZZLE_ID];
	uint32_t hash = 0x811c9dc5;
	int length = 0;
	for (const char *c = p->position; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x01000193;
	do
		reversed[length++] = digits[hash % 36];
	while (hash /= 36);
	for (int i = 0; i < length; i++)
		id[i] = reversed[length - 1 - i];
	id[length] = '\0';
}

int puzzle_guess(const struct puzzle *p)
{
	enum { LOWEST = 600, HIGHEST = 2600 };
	int turns = 1;
	for (const char *c = p->line; *c; c++)
		turns += *c == ',';
	const double ten = 2.302585092994045684; /* its natural logarithm */
	const double guess =
		650 + 190 * real_log((double)p->nodes + 1) / ten + 80 * ((turns + 1) / 2.0 - 1);
	return guess < LOWEST ? LOWEST : guess > HIGHEST ? HIGHEST : (int)floor(guess + 0.5);
}

/* ---- Reading ---- */

/* What reading a file needs. */
struct reading {
	const struct qv_context *context;
	struct puzzle_list *list;
	void *state, *scratch;
	uint64_t *keys; /* of the puzzles so far */
	size_t room;
};

/* A decimal number of equity: digits, a point, digits. */
static bool scan_equity(const char **text, double *out)
{
	const char *at = *text;
	size_t whole = strspn(at, "0123456789");
	if (!whole || whole > 3 || at[whole] != '.')
		return false;
	const size_t digits = strspn(at + whole + 1, "0123456789");
	if (!digits || digits > 6)
		return false;
	*out = 0;
	for (const char *c = at; c < at + whole + 1 + digits; c++)
		if (*c != '.')
			*out = *out * 10 + (*c - '0');
	for (size_t i = 0; i < digits; i++)
		*out /= 10;
	*text = at + whole + 1 + digits;
	return true;
}

static bool read_goal(const char *text, struct puzzle_goal *out)
{
	enum { MOST_AMOUNT = 1000000 };
	for (int kind = 0; kind < PUZZLE_KINDS; kind++) {
		const char *at = text;
		int amount = 0, plies = 0;
		*out = (struct puzzle_goal){ .kind = (enum puzzle_kind)kind };
		if (!scan_literal(&at, goals[kind].word))
			continue;
		if (goals[kind].amount) {
			int64_t number;
			if (!scan_literal(&at, " ") ||
			    !scan_int(&at, -MOST_AMOUNT, MOST_AMOUNT, &number))
				return false;
			amount = (int)number;
		}
		if (goals[kind].plies && (!scan_literal(&at, " ") ||
					  !scan_count(&at, PUZZLE_MOST_PLIES, &plies) || !plies))
			return false;
		if (goals[kind].loss &&
		    (!scan_literal(&at, " ") || !scan_equity(&at, &out->loss) ||
		     !scan_literal(&at, " ") || !scan_equity(&at, &out->error)))
			return false;
		out->amount = amount;
		out->plies = plies;
		return !*at;
	}
	return false;
}

/* Plays the line from r->state; each move and each alternative must be legal. */
static enum qv_status read_line(struct reading *r, const char *line, struct qv_error *error)
{
	const struct qv_game *game = r->list->rules.game;
	char turn[PUZZLE_LINE], move_text[QV_MOVE_TEXT];
	const int solver = game->seat(r->state);
	const char *rest = line;
	int ply = 0;
	for (; scan_piece(&rest, ",", " ", turn, sizeof turn); ply++) {
		qv_move first = QV_NO_MOVE, move;
		const char *moves = turn;
		if ((game->seat(r->state) == solver) != (ply % 2 == 0))
			return qv_fail(error, QV_ILLEGAL,
				       "'%.60s': the sides do not move in turn", line);
		while (scan_piece(&moves, "|", " ", move_text, sizeof move_text)) {
			struct qv_error why;
			if (qv_move_parse(game, r->state, move_text, &move, &why) != QV_OK)
				return qv_fail(error, QV_ILLEGAL, "'%.60s': %.120s", turn,
					       why.text);
			if (first != QV_NO_MOVE && (ply == 0 || ply % 2))
				return qv_fail(error, QV_ILLEGAL,
					       "'%.60s': only one move is allowed here", turn);
			first = first == QV_NO_MOVE ? move : first;
		}
		if (first == QV_NO_MOVE)
			return qv_fail(error, QV_BAD_INPUT, "'%.60s': expected a move", turn);
		game->play(r->state, first);
	}
	return ply ? QV_OK : qv_fail(error, QV_BAD_INPUT, "the solution is missing");
}

/* Refuses a position that the file already has, perhaps turned or mirrored. */
static enum qv_status note_key(struct reading *r, struct qv_error *error)
{
	const uint64_t key = puzzle_key(r->list->rules.game, r->state, r->scratch);
	for (int i = 0; i < r->list->count; i++)
		if (r->keys[i] == key)
			return qv_fail(error, QV_ILLEGAL, "the same position as puzzle %d", i + 1);
	if (!mem_reserve(r->list->allocator, &r->keys, &r->room, (size_t)r->list->count + 1,
			 sizeof *r->keys))
		return qv_fail(error, QV_NO_MEMORY, "out of memory");
	r->keys[r->list->count] = key;
	return QV_OK;
}

static enum qv_status read_puzzle(struct reading *r, char *text, struct qv_error *error)
{
	const struct qv_rules *rules = &r->list->rules;
	struct puzzle p = { .nodes = 0 };
	char *field[4], *rest = text;
	int64_t nodes;
	int32_t points[QV_MAX_SEATS];
	for (int i = 0; i < 4; i++) {
		field[i] = scan_trim(scan_cut(&rest, ';'), " ");
		if (!rest)
			return qv_fail(error, QV_BAD_INPUT,
				       "expected GOAL; NODES; PROOF; LINE; POSITION");
	}
	const char *position = scan_trim(rest, " \r");
	if (!read_goal(field[0], &p.goal))
		return qv_fail(error, QV_BAD_INPUT, "'%.60s' is not a goal", field[0]);
	if (p.goal.kind == PUZZLE_GAIN && !rules->game->material)
		return qv_fail(error, QV_ILLEGAL, "%s has no material to gain", rules->game->name);
	if (!text_to_int(field[1], 0, INT64_MAX, &nodes))
		return qv_fail(error, QV_BAD_INPUT, "'%.60s' is not a number of nodes", field[1]);
	if (strcmp(field[2], puzzle_proof(&p.goal)) != 0)
		return qv_fail(error, QV_BAD_INPUT, "'%.60s': this goal is proven by %s", field[2],
			       puzzle_proof(&p.goal));
	if (strlen(field[3]) >= sizeof p.line || strlen(position) >= sizeof p.position)
		return qv_fail(error, QV_BAD_INPUT, "the line is too long");
	struct qv_error why;
	if (qv_position_parse(rules, position, r->state, &why) != QV_OK)
		return qv_fail(error, QV_ILLEGAL, "%.200s", why.text);
	if (rules->game->result(r->state, points) != QV_GOING ||
	    rules->game->seat(r->state) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "nobody is to move in this position");
	p.nodes = (uint64_t)nodes;
	memcpy(p.line, field[3], strlen(field[3]) + 1);
	memcpy(p.position, position, strlen(position) + 1);
	enum qv_status status = note_key(r, error);
	if (status == QV_OK)
		status = read_line(r, p.line, error);
	return status == QV_OK ? puzzles_add(r->list, &p, error) : status;
}

/* Reads the lines after the header. */
static enum qv_status read_puzzles(struct reading *r, char *text, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (int number = 2; text && status == QV_OK; number++) {
		struct qv_error why;
		char *line = scan_trim(scan_cut(&text, '\n'), " \r");
		if (!*line || *line == '#')
			continue;
		if (r->list->count == PUZZLE_MOST)
			return qv_fail(error, QV_BAD_INPUT, "line %d: more than %d puzzles", number,
				       PUZZLE_MOST);
		status = read_puzzle(r, line, &why);
		if (status != QV_OK)
			qv_fail(error, status, "line %d: %.230s", number, why.text);
	}
	return status;
}

static enum qv_status read_text(struct reading *r, char *text, struct qv_error *error)
{
	char *rest = text;
	const char *first = scan_trim(scan_cut(&rest, '\n'), " \r");
	if (!scan_literal(&first, header))
		return qv_fail(error, QV_BAD_INPUT, "line 1: expected \"%sGAME\"", header);
	struct qv_error why;
	enum qv_status status = qv_rules_parse(r->context, first, &r->list->rules, &why);
	if (status != QV_OK)
		return qv_fail(error, status, "line 1: %.230s", why.text);
	const struct qv_game *game = r->list->rules.game;
	r->state = qv_state_new(r->context, game);
	r->scratch = qv_state_new(r->context, game);
	status = r->state && r->scratch ? read_puzzles(r, rest, error)
					: qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	qv_state_free(r->context, game, r->state);
	qv_state_free(r->context, game, r->scratch);
	return status;
}

enum qv_status puzzles_read(const struct qv_context *context, const char *text, size_t size,
			    struct puzzle_list *out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct puzzle_list list = { .allocator = a };
	struct reading r = { .context = context, .list = &list };
	if (size > PUZZLE_MOST_BYTES || memchr(text, '\0', size))
		return qv_fail(error, QV_BAD_INPUT, "puzzles: not a text file of puzzles");
	char *copy = mem_new(a, size + 1, 1);
	if (!copy)
		return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	memcpy(copy, text, size);
	const enum qv_status status = read_text(&r, copy, error);
	mem_free(a, copy, size + 1);
	mem_free(a, r.keys, r.room * sizeof *r.keys);
	if (status == QV_OK)
		*out = list;
	else
		puzzles_release(&list);
	return status;
}

/* ---- Writing ---- */

void puzzles_write(const struct puzzle_list *list, const char *remark, struct string *out)
{
	char game[QV_POSITION_TEXT] = "";
	struct qv_text name = { game, sizeof game, 0 };
	qv_rules_text(&list->rules, &name);
	string_addf(out, "%s%s\n", header, game);
	if (remark)
		string_addf(out, "# %s\n", remark);
	for (int i = 0; i < list->count; i++) {
		const struct puzzle *p = &list->puzzles[i];
		char goal[64] = "";
		struct qv_text text = { goal, sizeof goal, 0 };
		puzzle_goal_text(&p->goal, &text);
		string_addf(out, "%s; %llu; %s; %s; %s\n", goal, (unsigned long long)p->nodes,
			    puzzle_proof(&p->goal), p->line, p->position);
	}
}
