/*
 * text.c - trees as text, and as a drawing for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * `A4(6,-1,1) B5(-3,3,1) C2(0,1,2)` is three moves with their scores and the scores of the replies.
 * ` @ B2` after it is the current node, with a dot for each ply waited there. `uniform 10 4 ideal`
 * is a tree by rule, and `3-1` one of the book's diagrams.
 */
#include "games/diagram/rules.h"

#include "base/scan.h"
#include "base/text.h"

/*
 * The diagrams of the 1983 book. What its text leaves open is filled in: most scores of 3-2, those
 * behind cutoffs, and the scores of moves that have replies in 4-1. In 3-6, A and B are leaves.
 */
static const struct {
	const char *name, *tree;
} diagrams[] = {
	{ "3-1", "A4(6,-1,1) B5(-3,3,1) C2(0,1,2)" },
	{ "3-2", "A(((1,3,2),(0,-1,1),(2,1,0)),((0,2,1),(2,1,3),(4,3,2)),"
		 "((2,4,3),(4,3,5),(3,2,1))) "
		 "B(((-2,0,-1),(0,-1,1),(2,1,0)),((-1,1,0),(-2,-3,-1),(0,-1,-2)),"
		 "((0,2,1),(2,1,3),(1,0,-1))) "
		 "C(((2,4,3),(1,0,2),(3,2,1)),((0,2,1),(2,1,3),(1,0,-1)),"
		 "((-2,0,-1),(0,-1,1),(2,1,0)))" },
	{ "3-5", "A((0,1,-1),(2,1,0),(3,2,1)) B((0,-1,-2),(4,3,2),(5,4,3))" },
	{ "3-6", "A3 B6 C(((5,8,9),(8,7,9),(6,8,9)))" },
	{ "4-1", "A1(2,1,3) B2(2,3,4) C3(3,4,5)" },
	{ "4-2", "A1(2,1,3) B2(2,3,4) C3(3,4,5)" }, /* the same tree, its moves sorted */
	{ "4-3", "A(1,0,2) B(1,-1,2) C(0,-2,2)" },
	{ NULL, NULL },
};

static const char *const kind_names[] = {
	[DIAGRAM_IDEAL] = "ideal", [DIAGRAM_WORST] = "worst", [DIAGRAM_RANDOM] = "seed="
};
static const char reply_names[] = "123456789abcdefghijklmnopq";
_Static_assert(sizeof reply_names == DIAGRAM_MAX_MOVES + 1, "a name for every reply");

/* ---- Writing ---- */

/* One step of a node's name: a letter for the first, then a digit for each reply. */
static char step_name(int step, int number)
{
	return step ? reply_names[number] : (char)('A' + number);
}

static void put_path(const struct diagram *s, struct qv_text *out)
{
	for (int i = 0; i < s->steps; i++)
		qv_put_char(out, step_name(i, s->path[i]));
}

void diagram_move_text(const struct diagram *s, qv_move move, struct qv_text *out)
{
	if (move == DIAGRAM_WAIT) {
		qv_put(out, s->ply == s->height ? "end" : "wait");
		return;
	}
	put_path(s, out);
	qv_put_char(out, step_name(s->steps, (int)move));
}

static void put_branches(const struct diagram *s, int node, int step, struct qv_text *out)
{
	const int count = diagram_children(s, node);
	for (int i = 0, child = node + 1; i < count; child += s->nodes[child].size, i++) {
		const bool leaf = diagram_is_leaf(s, child);
		if (i)
			qv_put_char(out, step ? ',' : ' ');
		if (!step)
			qv_put_char(out, step_name(0, i));
		if (leaf || s->nodes[child].score)
			qv_put_int(out, s->nodes[child].score);
		if (leaf)
			continue;
		qv_put_char(out, '(');
		put_branches(s, child, step + 1, out);
		qv_put_char(out, ')');
	}
}

static void put_uniform(const struct diagram *s, struct qv_text *out)
{
	qv_put(out, "uniform ");
	qv_put_int(out, s->width);
	qv_put_char(out, ' ');
	qv_put_int(out, s->height);
	qv_put_char(out, ' ');
	qv_put(out, kind_names[s->kind]);
	if (s->kind == DIAGRAM_RANDOM)
		qv_put_int(out, (int64_t)s->seed);
}

void diagram_position_text(const struct diagram *s, struct qv_text *out)
{
	if (s->kind)
		put_uniform(s, out);
	else
		put_branches(s, 0, 0, out);
	if (!s->ply)
		return;
	qv_put(out, " @ ");
	put_path(s, out);
	for (int i = s->steps; i < s->ply; i++)
		qv_put_char(out, '.');
}

/* ---- Reading ---- */

struct reader {
	const char *at;
	struct diagram tree;
	int count; /* nodes so far */
	struct qv_error *error;
};

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ')
		r->at++;
}

/* Reads an integer from min to max. */
static enum qv_status read_number(struct reader *r, const char *what, int64_t min, int64_t max,
				  int64_t *out)
{
	if (*r->at == '+' || !scan_int(&r->at, min, max, out))
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: %s: expected a number from %lld to %lld, not '%.20s'",
			       what, (long long)min, (long long)max, r->at);
	return QV_OK;
}

static enum qv_status read_branches(struct reader *r, int parent, int ply);

/* A first move may be given with its letter, which must be the right one. */
static enum qv_status read_letter(struct reader *r, int number)
{
	const char right = step_name(0, number);
	if (*r->at < 'A' || *r->at > 'Z')
		return QV_OK;
	if (*r->at != right)
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: move %d has the letter %c, but it must be %c", number + 1,
			       *r->at, right);
	r->at++;
	return QV_OK;
}

/* Reads one branch: [LETTER][SCORE][(BRANCHES)]. */
static enum qv_status read_branch(struct reader *r, int ply, int number)
{
	enum qv_status status = ply == 1 ? read_letter(r, number) : QV_OK;
	int64_t score = 0;
	if (status == QV_OK && *r->at != '(')
		status = read_number(r, "score", -DIAGRAM_MAX_SCORE, DIAGRAM_MAX_SCORE, &score);
	if (status != QV_OK)
		return status;
	if (r->count == DIAGRAM_NODES)
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: the tree has more than %d nodes, including its root",
			       DIAGRAM_NODES);
	if (ply > r->tree.height)
		r->tree.height = (uint8_t)ply;
	const int node = r->count++;
	r->tree.nodes[node] = (struct diagram_node){ (int16_t)score, 1 };
	if (*r->at != '(')
		return QV_OK;
	r->at++;
	status = read_branches(r, node, ply + 1);
	if (status == QV_OK && *r->at != ')')
		return qv_fail(r->error, QV_BAD_INPUT, "position: a ')' is missing");
	r->at += status == QV_OK;
	return status;
}

/* Reads branches, separated by commas or blanks, until something else follows. */
static enum qv_status read_branches(struct reader *r, int parent, int ply)
{
	if (ply > DIAGRAM_MAX_HEIGHT)
		return qv_fail(r->error, QV_BAD_INPUT, "position: the tree is higher than %d plies",
			       DIAGRAM_MAX_HEIGHT);
	skip_blanks(r);
	for (int number = 0;; number++) {
		if (number == DIAGRAM_MAX_MOVES)
			return qv_fail(r->error, QV_BAD_INPUT,
				       "position: a node has more than %d moves",
				       DIAGRAM_MAX_MOVES);
		enum qv_status status = read_branch(r, ply, number);
		if (status != QV_OK)
			return status;
		const char *after = r->at;
		skip_blanks(r);
		const bool comma = *r->at == ',';
		r->at += comma;
		skip_blanks(r);
		const bool ends = *r->at == ')' || *r->at == '@' || *r->at == '\0';
		if (ends && !comma)
			break;
		if (r->at == after)
			return qv_fail(r->error, QV_BAD_INPUT,
				       "position: expected a blank, ',' or ')' at '%.20s'", after);
	}
	r->tree.nodes[parent].size = (uint16_t)(r->count - parent);
	return QV_OK;
}

static enum qv_status read_kind(struct reader *r)
{
	for (int kind = DIAGRAM_IDEAL; kind <= DIAGRAM_RANDOM; kind++) {
		const size_t length = strlen(kind_names[kind]);
		if (strncmp(r->at, kind_names[kind], length) != 0)
			continue;
		r->at += length;
		r->tree.kind = (uint8_t)kind;
		int64_t seed = 0;
		enum qv_status status = QV_OK;
		if (kind == DIAGRAM_RANDOM)
			status = read_number(r, "seed", 0, INT64_MAX, &seed);
		r->tree.seed = (uint64_t)seed;
		return status;
	}
	return qv_fail(r->error, QV_BAD_INPUT,
		       "position: expected 'ideal', 'worst' or 'seed=N', not '%.20s'", r->at);
}

/* Reads WIDTH HEIGHT KIND after the word `uniform`. */
static enum qv_status read_uniform(struct reader *r)
{
	int64_t width = 0, height = 0;
	skip_blanks(r);
	enum qv_status status = read_number(r, "moves at each node", 1, DIAGRAM_MAX_MOVES, &width);
	skip_blanks(r);
	if (status == QV_OK)
		status = read_number(r, "plies", 1, DIAGRAM_MAX_HEIGHT, &height);
	skip_blanks(r);
	r->tree.width = (uint8_t)width;
	r->tree.height = (uint8_t)height;
	return status == QV_OK ? read_kind(r) : status;
}

static enum qv_status read_tree(struct reader *r)
{
	r->count = 1;
	return read_branches(r, 0, 1);
}

/*
 * Reads the number of a book diagram. True: the text is one or looks like one; *status tells which.
 */
static bool read_diagram(struct reader *r, enum qv_status *status)
{
	const bool asked = scan_literal(&r->at, "diagram");
	skip_blanks(r);
	for (int i = 0; diagrams[i].name; i++) {
		const size_t length = strlen(diagrams[i].name);
		if (strncmp(r->at, diagrams[i].name, length) != 0)
			continue;
		const char *rest = r->at + length;
		if (*rest && *rest != ' ')
			continue;
		r->at = diagrams[i].tree;
		*status = read_tree(r);
		r->at = rest;
		return true;
	}
	if (asked)
		*status = qv_fail(
			r->error, QV_UNKNOWN,
			"position: there is no diagram '%.20s'; choose 3-1, 3-2, 3-5, 3-6, 4-1, 4-2 "
			"or 4-3",
			r->at);
	return asked;
}

/* The number of a step by its name; -1: none. */
static int step_number(int step, char name)
{
	for (int number = 0; number < DIAGRAM_MAX_MOVES; number++)
		if (step_name(step, number) == name)
			return number;
	return -1;
}

static bool can_play(const struct diagram *s, char name)
{
	qv_move list[DIAGRAM_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (diagram_result(s, points) != QV_GOING)
		return false;
	const int number = step_number(s->steps, name);
	if (name == '.' || diagram_at_leaf(s))
		return name == '.' && diagram_at_leaf(s);
	return number >= 0 && number < diagram_moves(s, list);
}

/* Reads the current node after the @: its name, and a dot for each ply waited. */
static enum qv_status read_path(struct reader *r)
{
	struct diagram *s = &r->tree;
	skip_blanks(r);
	if (!*r->at)
		return qv_fail(r->error, QV_BAD_INPUT, "position: expected a node after '@'");
	for (; *r->at && *r->at != ' '; r->at++) {
		if (!can_play(s, *r->at))
			return qv_fail(r->error, QV_ILLEGAL,
				       "position: no move leads from there to '%.20s'", r->at);
		const qv_move move =
			*r->at == '.' ? DIAGRAM_WAIT : (qv_move)step_number(s->steps, *r->at);
		diagram_play(s, move);
	}
	return QV_OK;
}

enum qv_status diagram_position_parse(struct diagram *s, const int64_t *options, const char *text,
				      struct qv_error *error)
{
	(void)options;
	struct reader r = { .at = text, .error = error };
	enum qv_status status = QV_OK;
	skip_blanks(&r);
	if (scan_literal(&r.at, "uniform"))
		status = read_uniform(&r);
	else if (!read_diagram(&r, &status))
		status = read_tree(&r);
	skip_blanks(&r);
	if (status == QV_OK && scan_literal(&r.at, "@"))
		status = read_path(&r);
	skip_blanks(&r);
	if (status == QV_OK && *r.at)
		status = qv_fail(error, QV_BAD_INPUT,
				 "position: unexpected text after the tree: '%.20s'", r.at);
	if (status == QV_OK)
		*s = r.tree;
	return status;
}

void diagram_start(struct diagram *s, const int64_t *options)
{
	(void)options;
	struct reader r = { .at = diagrams[0].tree };
	read_tree(&r);
	*s = r.tree;
}

/* ---- Drawing ---- */

/* State of drawing a tree: the names on the path, and which nodes are last among their siblings. */
struct drawing {
	const struct diagram *s;
	bool unicode;
	struct qv_text *out;
	char name[DIAGRAM_MAX_HEIGHT + 1];
	bool last[DIAGRAM_MAX_HEIGHT + 1];
};

static void draw_stem(const struct drawing *d, int step)
{
	for (int i = 0; i < step; i++)
		qv_put(d->out, d->last[i] ? "   " : d->unicode ? "│  " : "|  ");
	if (d->last[step])
		qv_put(d->out, d->unicode ? "└─ " : "`- ");
	else
		qv_put(d->out, d->unicode ? "├─ " : "|- ");
}

static void draw_branches(struct drawing *d, int node, int step)
{
	const struct diagram *s = d->s;
	const int count = diagram_children(s, node);
	for (int i = 0, child = node + 1; i < count; child += s->nodes[child].size, i++) {
		const bool leaf = diagram_is_leaf(s, child);
		d->last[step] = i == count - 1;
		d->name[step] = step_name(step, i);
		d->name[step + 1] = '\0';
		draw_stem(d, step);
		qv_put(d->out, d->name);
		if (leaf || s->nodes[child].score) {
			qv_put_char(d->out, ' ');
			qv_put_int(d->out, s->nodes[child].score);
		}
		qv_put(d->out, child == s->at ? " <\n" : "\n");
		draw_branches(d, child, step + 1);
	}
}

void diagram_draw(const struct diagram *s, bool unicode, struct qv_text *out)
{
	struct drawing d = { .s = s, .unicode = unicode, .out = out };
	if (!s->kind) {
		qv_put(out, s->at ? "root\n" : "root <\n");
		draw_branches(&d, 0, 0);
		return;
	}
	put_uniform(s, out);
	qv_put(out, ": at ");
	qv_put(out, s->steps ? "" : "the root");
	put_path(s, out);
	qv_put(out, ", score ");
	qv_put_int(out, s->score);
	qv_put_char(out, '\n');
}
