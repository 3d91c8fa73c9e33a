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

/* The name of the current node; empty at the root. */
static void put_path(const struct diagram *s, struct qv_text *out)
{
	for (int i = 0; i < s->steps; i++)
		qv_put_char(out, step_name(i, s->path[i]));
}

/* A move is named by the node it leads to. */
void diagram_move_text(const struct diagram *s, qv_move move, struct qv_text *out)
{
	if (move == DIAGRAM_WAIT) {
		qv_put(out, s->ply == s->height ? "end" : "wait");
		return;
	}
	put_path(s, out);
	qv_put_char(out, step_name(s->steps, (int)move));
}

/* Writes the moves of a typed node with their subtrees. */
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

/* Writes a tree by rule. */
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

/* The tree, then the current node unless it is the root. */
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

/* What is left of the text, and the tree read so far. */
struct reader {
	const char *at;
	struct diagram tree;
	int count; /* nodes so far, the root included */
	struct qv_error *error;
};

/* Blanks are allowed between all parts of a text. */
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

/* Reads one branch: [LETTER][SCORE][(BRANCHES)]. */
static enum qv_status read_branch(struct reader *r, int ply, int number)
{
	int64_t score = 0;
	/* A first move may be given with its letter, which must be the right one. */
	if (ply == 1 && *r->at >= 'A' && *r->at <= 'Z') {
		const char right = step_name(0, number);
		if (*r->at != right)
			return qv_fail(r->error, QV_BAD_INPUT,
				       "position: move %d has the letter %c, but it must be %c",
				       number + 1, *r->at, right);
		r->at++;
	}
	enum qv_status status = QV_OK;
	if (*r->at != '(')
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

/* Reads WIDTH HEIGHT KIND after the word `uniform`. */
static enum qv_status read_uniform(struct reader *r)
{
	int64_t width = 0, height = 0, seed = 0;
	skip_blanks(r);
	enum qv_status status = read_number(r, "moves at each node", 1, DIAGRAM_MAX_MOVES, &width);
	skip_blanks(r);
	if (status == QV_OK)
		status = read_number(r, "plies", 1, DIAGRAM_MAX_HEIGHT, &height);
	skip_blanks(r);
	if (status != QV_OK)
		return status;
	int kind = DIAGRAM_IDEAL;
	while (kind <= DIAGRAM_RANDOM && !scan_literal(&r->at, kind_names[kind]))
		kind++;
	if (kind > DIAGRAM_RANDOM)
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: expected 'ideal', 'worst' or 'seed=N', not '%.20s'",
			       r->at);
	if (kind == DIAGRAM_RANDOM)
		status = read_number(r, "seed", 0, INT64_MAX, &seed);
	r->tree.width = (uint8_t)width;
	r->tree.height = (uint8_t)height;
	r->tree.kind = (uint8_t)kind;
	r->tree.seed = (uint64_t)seed;
	return status;
}

/*
 * Reads the number of a book diagram. True: the text is one or looks like one; *status tells which.
 */
static bool read_diagram(struct reader *r, enum qv_status *status)
{
	const bool required = scan_literal(&r->at, "diagram");
	skip_blanks(r);
	for (int i = 0; diagrams[i].name; i++) {
		const char *rest = r->at;
		if (!scan_literal(&rest, diagrams[i].name) || (*rest && *rest != ' '))
			continue;
		r->at = diagrams[i].tree;
		*status = read_branches(r, 0, 1);
		r->at = rest;
		return true;
	}
	if (required)
		*status = qv_fail(
			r->error, QV_UNKNOWN,
			"position: there is no diagram '%.20s'; choose 3-1, 3-2, 3-5, 3-6, 4-1, 4-2 "
			"or 4-3",
			r->at);
	return required;
}

/* Reads the current node after the @: its name, and a dot for each ply waited. */
static enum qv_status read_path(struct reader *r)
{
	struct diagram *s = &r->tree;
	skip_blanks(r);
	if (!*r->at)
		return qv_fail(r->error, QV_BAD_INPUT, "position: expected a node after '@'");
	for (; *r->at && *r->at != ' '; r->at++) {
		qv_move list[DIAGRAM_MAX_MOVES];
		int32_t points[QV_MAX_SEATS];
		int n = diagram_result(s, points) == QV_GOING ? diagram_moves(s, list) : 0;
		/* The move with this name; at a leaf the only one is to wait. */
		while (n > 0 && *r->at != (list[n - 1] == DIAGRAM_WAIT
						   ? '.'
						   : step_name(s->steps, (int)list[n - 1])))
			n--;
		if (!n)
			return qv_fail(r->error, QV_ILLEGAL,
				       "position: no move leads from there to '%.20s'", r->at);
		diagram_play(s, list[n - 1]);
	}
	return QV_OK;
}

/* The tree, then the current node. *s changes only if the whole text is valid. */
enum qv_status diagram_position_parse(struct diagram *s, const int64_t *options, const char *text,
				      struct qv_error *error)
{
	(void)options;
	struct reader r = { .at = text, .count = 1, .error = error };
	enum qv_status status = QV_OK;
	skip_blanks(&r);
	if (scan_literal(&r.at, "uniform"))
		status = read_uniform(&r);
	else if (!read_diagram(&r, &status))
		status = read_branches(&r, 0, 1);
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

/* Diagram 3-1, which is known to be valid. */
void diagram_start(struct diagram *s, const int64_t *options)
{
	(void)options;
	struct reader r = { .at = diagrams[0].tree, .count = 1 };
	read_branches(&r, 0, 1);
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

/* Draws the subtrees of a typed node, one line for each node. */
static void draw_branches(struct drawing *d, int node, int step)
{
	const struct diagram *s = d->s;
	const int count = diagram_children(s, node);
	for (int i = 0, child = node + 1; i < count; child += s->nodes[child].size, i++) {
		const bool leaf = diagram_is_leaf(s, child);
		d->last[step] = i == count - 1;
		d->name[step] = step_name(step, i);
		d->name[step + 1] = '\0';
		for (int k = 0; k < step; k++)
			qv_put(d->out, d->last[k] ? "   " : d->unicode ? "│  " : "|  ");
		if (d->last[step])
			qv_put(d->out, d->unicode ? "└─ " : "`- ");
		else
			qv_put(d->out, d->unicode ? "├─ " : "|- ");
		qv_put(d->out, d->name);
		if (leaf || s->nodes[child].score) {
			qv_put_char(d->out, ' ');
			qv_put_int(d->out, s->nodes[child].score);
		}
		qv_put(d->out, child == s->at ? " <\n" : "\n");
		draw_branches(d, child, step + 1);
	}
}

/*
 * A typed tree as a whole, with the current node marked; of a uniform tree only the current node.
 */
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
