/*
 * tree_grow.c - a tree out of what a search tells its listener.
 * SPDX-License-Identifier: MIT
 *
 * The nodes on the way to where the search is are open; whatever stands behind an open node in the
 * array is below it. So a search that comes to the same node again (a wrong window, a scout that
 * was right) drops what is behind it and starts over. When the room is full, the deepest ply is
 * dropped and only counted from then on: what stays is the whole top of the tree.
 */
#include "cli/tree.h"

enum { PLIES = QV_MAX_LINE + 1 };

struct grower {
	struct thought *thought;
	const struct qv_game *game;
	int root_seat;
	struct grown now;      /* of the iteration under way */
	struct grown done;     /* of the one before it */
	bool fresh;	       /* the next branch begins an iteration */
	int open[PLIES + 1];   /* the node at each ply of the way; -1: not kept */
	int depth;	       /* how long the way is */
	unsigned char *states; /* the positions on the way */
	bool failed;	       /* no memory */
};

/* ---- The store ---- */

enum qv_status grown_init(struct grown *t, int64_t most, int64_t deepest)
{
	*t = (struct grown){ .most = (int)most + 1, .names = { .allocator = &mem_malloc } };
	t->deepest = t->deepest_asked = deepest < PLIES ? (int)deepest : PLIES;
	t->nodes = mem_new(&mem_malloc, (size_t)t->most, sizeof *t->nodes);
	return t->nodes ? QV_OK : QV_NO_MEMORY;
}

void grown_release(struct grown *t)
{
	mem_free(&mem_malloc, t->nodes, (size_t)t->most * sizeof *t->nodes);
	string_release(&t->names);
	*t = (struct grown){ 0 };
}

/* An empty tree: its root. What is kept of depths is found out anew. */
static void grown_restart(struct grown *t)
{
	t->names.length = 0;
	t->made = t->leaves = t->cuts = 0;
	t->deepest = t->deepest_asked;
	t->count = 1;
	t->nodes[0] = (struct grown_node){ .parent = -1,
					   .prev = -1,
					   .last_child = -1,
					   .sign = 1,
					   .alpha = INT32_MIN,
					   .beta = INT32_MAX,
					   .passes = 1 };
}

static size_t add_name(struct grown *t, const char *name)
{
	const size_t at = t->names.length;
	string_add(&t->names, name, strlen(name) + 1);
	return at;
}

/* Forgets all that is below an open node; it is searched once more. */
static void drop_below(struct grower *g, int node)
{
	struct grown *t = &g->now;
	struct grown_node *n = &t->nodes[node];
	t->names.length = node ? n->name + strlen(grown_name(t, n)) + 1 : 0;
	t->count = node + 1;
	n->last_child = -1;
	n->skipped_count = 0;
	n->hidden = 0;
	n->passes++;
}

/* Drops the deepest ply there is; false: that would leave the root alone. */
static bool drop_deepest(struct grower *g)
{
	struct grown *t = &g->now;
	int deepest = 0, kept = 0;
	for (int i = 0; i < t->count; i++)
		deepest = t->nodes[i].ply > deepest ? t->nodes[i].ply : deepest;
	if (deepest < 2)
		return false;
	int *place = mem_new(&mem_malloc, (size_t)t->count, sizeof *place);
	if (!place) {
		g->failed = true;
		return false;
	}
	for (int i = 0; i < t->count; i++) {
		struct grown_node n = t->nodes[i];
		place[i] = n.ply == deepest ? -1 : kept;
		n.parent = n.parent < 0 ? -1 : place[n.parent];
		n.prev = n.prev < 0 ? -1 : place[n.prev];
		n.last_child = -1;
		if (n.ply == deepest) {
			t->nodes[n.parent].hidden += 1 + n.hidden;
			t->nodes[n.parent].skipped_count = 0;
			continue;
		}
		if (n.parent >= 0)
			t->nodes[n.parent].last_child = kept;
		t->nodes[kept++] = n;
	}
	for (int ply = 0; ply <= g->depth; ply++)
		g->open[ply] = g->open[ply] < 0 ? -1 : place[g->open[ply]];
	mem_free(&mem_malloc, place, (size_t)t->count * sizeof *place);
	t->count = kept;
	t->deepest = deepest - 1;
	return true;
}

/* The deepest node on the way that is kept: it counts what is not. */
static void hide(struct grower *g, int ply)
{
	g->open[ply + 1] = -1;
	while (ply > 0 && g->open[ply] < 0)
		ply--;
	g->now.nodes[g->open[ply]].hidden++;
}

/* ---- What the search tells ---- */

static bool has_tried(const struct grown *t, int parent, qv_move move)
{
	int child = t->nodes[parent].last_child;
	while (child >= 0 && t->nodes[child].move != move)
		child = t->nodes[child].prev;
	return child >= 0;
}

static unsigned char *state_at(const struct grower *g, int ply)
{
	return g->states + (size_t)ply * g->game->state_size;
}

static bool ends_game(struct grower *g, const void *state, qv_move move)
{
	int32_t points[QV_MAX_SEATS];
	memcpy(g->thought->scratch, state, g->game->state_size);
	g->game->play(g->thought->scratch, move);
	return g->game->result(g->thought->scratch, points) != QV_GOING;
}

/* Values told are for who moves. With two seats the root's are minus the other's. */
static int sign_of(const struct grower *g, int seat, int parent)
{
	if (seat == QV_CHANCE)
		return g->now.nodes[parent].sign;
	return g->game->seats != 2 || seat == g->root_seat ? 1 : -1;
}

static void add_node(struct grower *g, const void *state, qv_move move, int ply, int32_t alpha,
		     int32_t beta)
{
	struct grown *t = &g->now;
	const int parent = g->open[ply], seat = g->game->seat(state);
	const int sign = sign_of(g, seat, parent);
	t->nodes[t->count] = (struct grown_node){
		.parent = parent,
		.prev = t->nodes[parent].last_child,
		.last_child = -1,
		.ply = ply + 1,
		.seat = seat,
		.sign = sign,
		.move = move,
		.passes = 1,
		.name = add_name(t, position_words(&g->thought->position, state, move).text),
		.alpha = sign > 0 ? alpha : -beta,
		.beta = sign > 0 ? beta : -alpha,
		.kind = ends_game(g, state, move) ? GROWN_END : GROWN_INNER,
	};
	t->nodes[parent].last_child = g->open[ply + 1] = t->count++;
}

static void on_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		      int32_t beta)
{
	struct grower *g = ctx;
	struct grown *t = &g->now;
	if (ply >= PLIES || g->failed)
		return;
	if (g->fresh)
		grown_restart(t);
	g->fresh = false;
	t->made++;
	g->depth = ply + 1;
	if (g->open[ply] < 0 || ply + 1 > t->deepest) {
		hide(g, ply);
		return;
	}
	const int last = t->nodes[g->open[ply]].last_child;
	if (last >= 0 && (t->nodes[last].cut || has_tried(t, g->open[ply], move)))
		drop_below(g, g->open[ply]);
	memcpy(state_at(g, ply), state, g->game->state_size);
	if (t->count == t->most && (!drop_deepest(g) || ply + 1 > t->deepest)) {
		hide(g, ply);
		return;
	}
	add_node(g, state, move, ply, alpha, beta);
}

/* Notes the moves that were not tried at a node, now that the search has left it. */
static void close_node(struct grower *g, int node)
{
	struct grown *t = &g->now;
	struct grown_node *n = &t->nodes[node];
	const unsigned char *state = state_at(g, n->ply);
	qv_move list[QV_MAX_MOVES];
	n->skipped = t->names.length;
	if (n->last_child < 0)
		return;
	const int count = g->game->moves(state, list);
	for (int i = 0; i < count; i++) {
		const int most = move_max(g->game, state, list[i]);
		for (int k = most; k >= (most > 0); k--) {
			const qv_move move = k == most ? list[i] : g->game->with_count(list[i], k);
			if (has_tried(t, node, move))
				continue;
			add_name(t, position_words(&g->thought->position, state, move).text);
			n->skipped_count++;
		}
	}
}

static void on_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	struct grower *g = ctx;
	(void)move;
	if (ply >= PLIES || g->failed)
		return;
	g->depth = ply;
	const int place = g->open[ply + 1];
	if (place < 0) {
		g->now.cuts += cut;
		return;
	}
	struct grown_node *n = &g->now.nodes[place];
	n->value = n->sign * value;
	n->told = true;
	n->cut = cut && n->seat != QV_CHANCE;
	g->now.cuts += n->cut;
	if (n->kind == GROWN_INNER && n->last_child < 0 && !n->hidden)
		n->kind = GROWN_KNOWN;
	close_node(g, place);
}

static void on_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	struct grower *g = ctx;
	(void)state, (void)value;
	g->now.leaves++;
	/* What quiescence looks at further down belongs to the leaf it began at. */
	if (ply > 0 && ply < PLIES && ply == g->depth && g->open[ply] >= 0 &&
	    g->now.nodes[g->open[ply]].kind == GROWN_INNER)
		g->now.nodes[g->open[ply]].kind = GROWN_LEAF;
}

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct grower *g = ctx;
	if (g->fresh || g->failed)
		return;
	close_node(g, 0);
	const struct grown old = g->done;
	g->done = g->now;
	g->now = old;
	g->done.depth = so_far->depth;
	g->done.complete = true;
	g->fresh = true;
}

/* ---- The whole ---- */

/* Where the descendants of each node end, and which nodes are on the best line. */
static void finish_tree(struct grown *t, const struct qv_answer *answer)
{
	for (int i = t->count - 1; i >= 0; i--)
		t->nodes[i].end =
			t->nodes[i].last_child < 0 ? i + 1 : t->nodes[t->nodes[i].last_child].end;
	t->nodes[0].best = true;
	t->nodes[0].value = answer->score;
	t->nodes[0].told = true;
	for (int ply = 0, at = 0; ply < answer->line_length; ply++) {
		int child = t->nodes[at].last_child;
		while (child >= 0 && t->nodes[child].move != answer->line[ply])
			child = t->nodes[child].prev;
		if (child < 0)
			break;
		t->nodes[child].best = true;
		at = child;
	}
}

/* Who does tell, of such a game. */
static const char *who_tells(const struct qv_game *game)
{
	if (game->seats == 2)
		return game->chance ? "expectimax does" : "alphabeta does";
	return game->seats > 2 ? "maxn does" : "no player for one seat does";
}

static enum qv_status watch(struct grower *g)
{
	struct thought *thought = g->thought;
	const struct qv_limits limits = thought_limits(thought);
	const struct qv_listener listener = { .iteration = on_iteration,
					      .branch = on_branch,
					      .node = on_node,
					      .leaf = on_leaf,
					      .ctx = g };
	const enum qv_status status = thought_think(thought, &limits, &listener);
	struct cli *c = thought->c;
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	if (g->failed || g->now.names.failed || g->done.names.failed)
		return qv_fail(&c->error, QV_NO_MEMORY, "tree: out of memory");
	if (g->fresh && !g->done.complete)
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "player '%.60s': it does not tell of its tree; %s", thought->spec,
			       who_tells(g->game));
	return QV_OK;
}

enum qv_status grown_grow(struct grown *t, struct thought *thought, int64_t max_nodes,
			  int64_t depth)
{
	struct grower g = { .thought = thought,
			    .game = thought->position.rules.game,
			    .fresh = true };
	struct cli *c = thought->c;
	const size_t states = (size_t)(PLIES + 1) * g.game->state_size;
	g.root_seat = g.game->seat(thought->position.state);
	g.states = mem_new(&mem_malloc, states, 1);
	enum qv_status status = QV_NO_MEMORY;
	if (g.states && grown_init(&g.now, max_nodes, depth) == QV_OK &&
	    grown_init(&g.done, max_nodes, depth) == QV_OK)
		status = watch(&g);
	else
		qv_fail(&c->error, QV_NO_MEMORY, "tree: out of memory");
	if (status == QV_OK) {
		struct grown *kept = g.done.complete ? &g.done : &g.now;
		if (!g.done.complete)
			close_node(&g, 0);
		finish_tree(kept, &thought->answer);
		*t = *kept;
		*kept = (struct grown){ .names = { .allocator = &mem_malloc } };
	}
	grown_release(&g.now);
	grown_release(&g.done);
	mem_free(&mem_malloc, g.states, states);
	return status;
}
