/*
 * capture.c - builds a tree from what a search reports to its listener.
 * SPDX-License-Identifier: MIT
 *
 * The nodes on the path to the current position are open; every node after an open one in the array
 * is below it. A search that visits the same node again (a failed window, a confirmed scout) drops
 * what follows it and starts over. When the room is full, the deepest ply is dropped and only
 * counted from then on: what stays is the whole top of the tree.
 */
#include "trace/trace.h"

#include <math.h>

#include "core/context.h"
#include "search/legal.h"

enum { PLIES = QV_MAX_LINE + 1 };

/*
 * Two trees: one grows with the current iteration, the other is that of the last complete one. They
 * are swapped when an iteration is complete, so nothing is copied.
 */
struct trace_capture {
	struct trace_setup setup;
	const struct qv_game *game;
	int root_seat;
	struct trace now;      /* of the current iteration */
	struct trace done;     /* of the last complete one */
	bool fresh;	       /* the next branch begins an iteration */
	int open[PLIES + 1];   /* the node at each ply of the path; -1: not kept */
	int depth;	       /* length of the path */
	unsigned char *states; /* the positions on the path, and one to try moves on */
	bool seen;	       /* the search reports visits or growth, which a log shows */
	bool failed;	       /* out of memory */
};

/* ---- The nodes ---- */

/* Begins a tree with the root alone, and forgets how deep the last tree had to be cut. */
static void restart(struct trace *t)
{
	t->names.length = 0;
	t->made = t->leaves = t->cuts = 0;
	t->deepest = t->setup.max_ply < PLIES ? (int)t->setup.max_ply : PLIES;
	t->count = 1;
	t->nodes[0] = (struct trace_node){ .parent = -1,
					   .prev = -1,
					   .last_child = -1,
					   .sign = 1,
					   .alpha = INT32_MIN,
					   .beta = INT32_MAX,
					   .passes = 1 };
}

/* Drops the deepest ply. False: only the root would be left. */
static bool drop_deepest(struct trace_capture *c)
{
	struct trace *t = &c->now;
	int deepest = 0, kept = 0;
	for (int i = 0; i < t->count; i++)
		deepest = t->nodes[i].ply > deepest ? t->nodes[i].ply : deepest;
	if (deepest < 2)
		return false;
	int *place = mem_new(c->setup.allocator, (size_t)t->count, sizeof *place);
	if (!place) {
		c->failed = true;
		return false;
	}
	/* place[i]: the new index of node i; -1: it is dropped and counted at its parent. */
	for (int i = 0; i < t->count; i++) {
		struct trace_node n = t->nodes[i];
		place[i] = n.ply == deepest ? -1 : kept;
		n.parent = n.parent < 0 ? -1 : place[n.parent];
		n.prev = n.prev < 0 ? -1 : place[n.prev];
		n.last_child = -1;
		if (n.ply == deepest) {
			t->nodes[n.parent].hidden += 1 + n.hidden;
			t->nodes[n.parent].untried_count = 0;
			continue;
		}
		if (n.parent >= 0)
			t->nodes[n.parent].last_child = kept;
		t->nodes[kept++] = n;
	}
	/* The open nodes have moved as well. */
	for (int ply = 0; ply <= c->depth; ply++)
		c->open[ply] = c->open[ply] < 0 ? -1 : place[c->open[ply]];
	mem_free(c->setup.allocator, place, (size_t)t->count * sizeof *place);
	t->count = kept;
	t->deepest = deepest - 1;
	return true;
}

/* Counts a node that is not kept, at the deepest node above it that is. */
static void hide(struct trace_capture *c, int ply)
{
	c->open[ply + 1] = -1;
	/* The root is always kept. */
	while (ply > 0 && c->open[ply] < 0)
		ply--;
	c->now.nodes[c->open[ply]].hidden++;
}

/* ---- What the search reports ---- */

/* Whether the move leads to a child of the node that is kept. */
static bool has_tried(const struct trace *t, int parent, qv_move move)
{
	int child = t->nodes[parent].last_child;
	while (child >= 0 && t->nodes[child].move != move)
		child = t->nodes[child].prev;
	return child >= 0;
}

/* The position at a ply of the path; PLIES + 1: room to try a move. */
static unsigned char *state_at(const struct trace_capture *c, int ply)
{
	return c->states + (size_t)ply * c->game->state_size;
}

/* The text of a move, in the short notation if the setup wants it. */
static void write_move(const struct trace_capture *c, const void *state, qv_move move,
		       char text[QV_MOVE_TEXT])
{
	struct qv_text out = { text, QV_MOVE_TEXT, 0 };
	text[0] = '\0';
	if (c->setup.short_moves)
		context_engine(c->game)->short_text(state, move, &out);
	else
		c->game->move_text(state, move, &out);
}

/* Appends the text of a move to the names, and returns its offset. */
static size_t add_name(struct trace_capture *c, const void *state, qv_move move)
{
	const size_t at = c->now.names.length;
	char text[QV_MOVE_TEXT];
	write_move(c, state, move, text);
	string_add(&c->now.names, text, strlen(text) + 1);
	return at;
}

/* Adds the child of the open node at `ply` and opens it. */
static void add_node(struct trace_capture *c, const void *state, qv_move move, int ply,
		     int32_t alpha, int32_t beta)
{
	struct trace *t = &c->now;
	const int parent = c->open[ply], seat = c->game->seat(state);
	/* Reported values are for the seat to move; with two seats, the opponent's are negated. */
	const int sign = seat == QV_CHANCE			       ? t->nodes[parent].sign
			 : c->game->seats != 2 || seat == c->root_seat ? 1
								       : -1;
	int32_t points[QV_MAX_SEATS];
	unsigned char *scratch = state_at(c, PLIES + 1);
	memcpy(scratch, state, c->game->state_size);
	c->game->play(scratch, move);
	t->nodes[t->count] = (struct trace_node){
		.parent = parent,
		.prev = t->nodes[parent].last_child,
		.last_child = -1,
		.ply = ply + 1,
		.seat = seat,
		.sign = sign,
		.move = move,
		.passes = 1,
		.name = add_name(c, state, move),
		.alpha = sign > 0 ? alpha : -beta,
		.beta = sign > 0 ? beta : -alpha,
		.kind = c->game->result(scratch, points) == QV_GOING ? TRACE_INNER : TRACE_END,
	};
	t->nodes[parent].last_child = c->open[ply + 1] = t->count++;
}

/* The search is about to play a move. */
static void on_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		      int32_t beta)
{
	struct trace_capture *c = ctx;
	struct trace *t = &c->now;
	if (ply >= PLIES || c->failed)
		return;
	if (c->fresh)
		restart(t);
	c->fresh = false;
	t->made++;
	/* Nodes on the path that were not reported are not kept: what was there before is not above. */
	for (int k = c->depth + 1; k <= ply; k++)
		c->open[k] = -1;
	c->depth = ply + 1;
	/* Below a node that is not kept, nodes are only counted. */
	if (c->open[ply] < 0 || ply + 1 > t->deepest) {
		hide(c, ply);
		return;
	}
	/* A node that is searched again loses everything below it. */
	struct trace_node *n = &t->nodes[c->open[ply]];
	if (n->last_child >= 0 &&
	    (t->nodes[n->last_child].cut || has_tried(t, c->open[ply], move))) {
		t->names.length = c->open[ply] ? n->name + strlen(trace_name(t, n)) + 1 : 0;
		t->count = c->open[ply] + 1;
		n->last_child = -1;
		n->untried_count = 0;
		n->hidden = 0;
		n->passes++;
	}
	memcpy(state_at(c, ply), state, c->game->state_size);
	/* Without room the deepest ply goes; that may be the one of this node. */
	if (t->count == t->room && (!drop_deepest(c) || ply + 1 > t->deepest)) {
		hide(c, ply);
		return;
	}
	add_node(c, state, move, ply, alpha, beta);
}

/* An edge that the search does not hand down is open: minimax and negamax have no window at all. */
static void on_enter(void *ctx, const struct qv_visit *visit)
{
	struct trace_capture *c = ctx;
	const int ply = visit->ply;
	c->seen = true;
	if (ply < 1 || ply > PLIES || ply != c->depth || c->fresh || c->failed || c->open[ply] < 0)
		return;
	struct trace_node *n = &c->now.nodes[c->open[ply]];
	const bool turned = c->game->seats == 2 && visit->seat != c->root_seat;
	if (isinf(turned ? visit->beta : visit->alpha))
		n->alpha = INT32_MIN;
	if (isinf(turned ? visit->alpha : visit->beta))
		n->beta = INT32_MAX;
}

/* Lists the moves that were not tried at a node, once the search has left it. */
static void close_node(struct trace_capture *c, int node)
{
	struct trace *t = &c->now;
	struct trace_node *n = &t->nodes[node];
	const unsigned char *state = state_at(c, n->ply);
	qv_move list[QV_MAX_MOVES];
	n->untried = t->names.length;
	if (n->last_child < 0 || n->hidden) /* what is hidden may have been tried */
		return;
	/* A counted move is one move for each number. */
	const int count = c->game->moves(state, list);
	for (int i = 0; i < count; i++) {
		const int most = legal_max_count(c->game, state, list[i]);
		for (int k = most; k > 0; k--) {
			const qv_move move = k == most ? list[i] : c->game->with_count(list[i], k);
			if (has_tried(t, node, move))
				continue;
			add_name(c, state, move);
			n->untried_count++;
		}
	}
}

/* The search has returned from a move with its value. */
static void on_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	struct trace_capture *c = ctx;
	(void)move;
	if (ply >= PLIES || c->failed)
		return;
	c->depth = ply;
	const int place = c->open[ply + 1];
	if (place < 0)
		return;
	struct trace_node *n = &c->now.nodes[place];
	n->value = n->sign * value;
	n->has_value = true;
	n->cut = cut && n->seat != QV_CHANCE;
	if (n->kind == TRACE_INNER && n->last_child < 0 && !n->hidden)
		n->kind = TRACE_KNOWN;
	close_node(c, place);
}

/*
 * The cut-offs of nodes that are not kept count, too. They are those that a log counts: an outcome
 * of chance, or a probe, whose value leaves its window leaves no move out.
 */
static void on_why(void *ctx, int ply, enum qv_why why, double number)
{
	struct trace_capture *c = ctx;
	(void)ply, (void)number;
	c->now.cuts += why == QV_WHY_CUT;
}

/* The search has evaluated a position. */
static void on_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	struct trace_capture *c = ctx;
	(void)state, (void)value;
	c->now.leaves++;
	/* The nodes of a quiescence search are below the leaf, and stay part of it. */
	if (ply > 0 && ply < PLIES && ply == c->depth && c->open[ply] >= 0 &&
	    c->now.nodes[c->open[ply]].kind == TRACE_INNER)
		c->now.nodes[c->open[ply]].kind = TRACE_LEAF;
}

/* The tree of a complete iteration is kept, until the next one is complete. */
static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct trace_capture *c = ctx;
	if (c->fresh || c->failed)
		return;
	close_node(c, 0);
	/* Swap the trees; the old one is overwritten by the next iteration. */
	const struct trace old = c->done;
	c->done = c->now;
	c->now = old;
	c->done.depth = so_far->depth;
	c->done.complete = true;
	c->fresh = true;
}

/* A tree that grows has no iterations to show. */
static void on_growth(void *ctx, const struct qv_growth *step)
{
	struct trace_capture *c = ctx;
	(void)step;
	c->seen = true;
}

/* ---- The whole ---- */

/* Allocates everything but the texts of moves, which grow with the tree. */
enum qv_status trace_capture_new(const struct trace_setup *setup, struct trace_capture **out,
				 struct qv_error *error)
{
	struct trace_capture *c = mem_new(setup->allocator, 1, sizeof *c);
	*out = NULL;
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
	c->game = setup->rules.game;
	c->setup = *setup;
	c->fresh = true;
	c->root_seat = c->game->seat(setup->root);
	/* One state for each ply, one beyond the last, and one to try moves on. */
	c->states = mem_new(setup->allocator, PLIES + 2, c->game->state_size);
	c->now = (struct trace){ .setup = *setup,
				 .room = (int)setup->max_nodes + 1,
				 .names = { .allocator = setup->allocator } };
	c->done = c->now;
	c->now.nodes = mem_new(setup->allocator, (size_t)c->now.room, sizeof *c->now.nodes);
	c->done.nodes = mem_new(setup->allocator, (size_t)c->now.room, sizeof *c->now.nodes);
	if (!c->states || !c->now.nodes || !c->done.nodes) {
		trace_capture_free(c);
		return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
	}
	*out = c;
	return QV_OK;
}

/* Also frees a capture that failed to be created. */
void trace_capture_free(struct trace_capture *c)
{
	if (!c)
		return;
	const struct qv_allocator *a = c->setup.allocator;
	trace_release(&c->now);
	trace_release(&c->done);
	mem_free(a, c->states, (PLIES + 2) * c->game->state_size);
	mem_free(a, c, sizeof *c);
}

/* These events build the tree. */
struct qv_listener trace_capture_listener(struct trace_capture *c)
{
	return (struct qv_listener){ .size = sizeof(struct qv_listener),
				     .iteration = on_iteration,
				     .branch = on_branch,
				     .node = on_node,
				     .leaf = on_leaf,
				     .enter = on_enter,
				     .why = on_why,
				     .growth = on_growth,
				     .ctx = c };
}

/* A search that reports its tree does so from its first node on. */
bool trace_capture_watch(void *capture, uint64_t nodes)
{
	const struct trace_capture *c = capture;
	return !c->fresh || c->done.complete || nodes < TRACE_SILENT;
}

bool trace_capture_seen(const struct trace_capture *c)
{
	return c->seen;
}

enum qv_status trace_refuse(const struct trace_setup *setup, bool seen, struct qv_error *error)
{
	const struct qv_game *g = setup->rules.game;
	return qv_fail(error, QV_UNSUPPORTED, "tree: player '%.60s' reports no search tree; %s%s",
		       setup->player,
		       g->seats > 2   ? "maxn does"
		       : g->seats < 2 ? "no player for one seat does"
		       : g->chance    ? "expectimax does"
				      : "alphabeta does",
		       seen ? ". Only a log shows its search" : "");
}

/*
 * Ownership of the nodes and names moves to *out; the capture keeps an empty tree in their place.
 */
enum qv_status trace_capture_finish(struct trace_capture *c, const struct qv_answer *answer,
				    struct trace *out, struct qv_error *error)
{
	struct trace *kept = c->done.complete ? &c->done : &c->now;
	if (c->failed || c->now.names.failed || c->done.names.failed)
		return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
	if (c->fresh && !c->done.complete)
		return trace_refuse(&c->setup, c->seen, error);
	if (!c->done.complete)
		close_node(c, 0);
	/* Set where the descendants of each node end, and mark the principal variation. */
	struct trace_node *nodes = kept->nodes;
	for (int i = kept->count - 1; i >= 0; i--)
		nodes[i].end = nodes[i].last_child < 0 ? i + 1 : nodes[nodes[i].last_child].end;
	nodes[0].value = answer->score;
	nodes[0].has_value = true;
	for (int ply = 0, at = 0; at >= 0; ply++) {
		nodes[at].best = true;
		at = ply < answer->line_length ? nodes[at].last_child : -1;
		while (at >= 0 && nodes[at].move != answer->line[ply])
			at = nodes[at].prev;
	}
	write_move(c, c->setup.root, answer->move, kept->move);
	*out = *kept;
	*kept = (struct trace){ 0 };
	return QV_OK;
}
