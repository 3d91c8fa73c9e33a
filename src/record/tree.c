/*
 * tree.c - the tree of a record: every position that was reached, and a cursor.
 * SPDX-License-Identifier: MIT
 *
 * A node holds a move, not a state. Stored are the state at the cursor and that of every node whose
 * depth is a multiple of STATE_EVERY. So an undo or redo of any length, even into another
 * variation, plays at most STATE_EVERY - 1 moves. Otherwise a journal of a few thousand short lines
 * could cost millions of moves.
 */
#include "record/record.h"

#include <stdalign.h>

/* Completes a node that is reached for the first time, from the state in r->state. */
static void complete_node(struct qv_record *r, int32_t reached, int32_t since)
{
	const struct qv_game *game = r->rules.game;
	struct node *node = &r->nodes[reached];
	node->since = since;
	node->hash = game->repeat_hash ? game->repeat_hash(r->state) : game->hash(r->state);
	if (r->ply % STATE_EVERY == 0) {
		node->kept = (int32_t)r->kept_count++;
		memcpy(r->kept + (size_t)node->kept * r->stride, r->state, game->state_size);
	}
}

/* Makes this node the end of the line to the cursor. */
static void set_cursor(struct qv_record *r, int32_t node)
{
	r->line[r->ply] = (struct step){ node, r->nodes[node].since };
	r->hashes[r->ply] = r->nodes[node].hash;
}

/*
 * Grows an array to at least `need` items, to twice as many if it must grow. `array` is the address
 * of the pointer to it. Not mem_reserve, which would begin with room for many states.
 */
static bool grow(const struct qv_record *r, void *array, size_t *room, size_t need, size_t size)
{
	void *block;
	if (need <= *room)
		return true;
	memcpy(&block, array, sizeof block);
	block = mem_resize(r->allocator, block, *room * size, need * 2 * size);
	if (!block)
		return false;
	memcpy(array, &block, sizeof block);
	*room = need * 2;
	return true;
}

/* The stride keeps stored states aligned for any type. */
enum qv_status tree_reserve(struct qv_record *r)
{
	const size_t align = alignof(max_align_t), plies = (size_t)r->ply + 2;
	r->stride = (r->rules.game->state_size + align - 1) / align * align;
	return grow(r, &r->nodes, &r->node_room, r->node_count + 1, sizeof *r->nodes) &&
			       grow(r, &r->line, &r->line_room, plies, sizeof *r->line) &&
			       grow(r, &r->hashes, &r->hash_room, plies, sizeof *r->hashes) &&
			       grow(r, &r->kept, &r->kept_room, r->kept_count + 1, r->stride)
		       ? QV_OK
		       : QV_NO_MEMORY;
}

enum qv_status tree_reserve_nodes(struct qv_record *r, int count)
{
	const size_t nodes = r->node_count + (size_t)count;
	const size_t states = r->kept_count + (size_t)count / STATE_EVERY + 1;
	return grow(r, &r->nodes, &r->node_room, nodes, sizeof *r->nodes) &&
			       grow(r, &r->kept, &r->kept_room, states, r->stride)
		       ? QV_OK
		       : QV_NO_MEMORY;
}

/* Memory must have been reserved. */
static int32_t new_node(struct qv_record *r, int32_t parent, qv_move move)
{
	r->nodes[r->node_count] = (struct node){
		.move = move, .parent = parent,
		.first = NODE_NONE, .last = NODE_NONE, .next = NODE_NONE, .follow = NODE_NONE,
		.since = NODE_NONE, .kept = NODE_NONE,
	};
	return (int32_t)r->node_count++;
}

/* The header of the journal has been written, and memory is reserved. */
void tree_start(struct qv_record *r)
{
	const int32_t start = new_node(r, NODE_NONE, QV_NO_MOVE);
	complete_node(r, start, 0);
	set_cursor(r, start);
	tree_judge(r);
}

/* Notes and ends are texts of their own; everything else is in four arrays. */
void tree_release(struct qv_record *r)
{
	for (size_t i = 0; i < r->node_count; i++) {
		mem_strfree(r->allocator, r->nodes[i].note);
		mem_strfree(r->allocator, r->nodes[i].end);
	}
	mem_free(r->allocator, r->nodes, r->node_room * sizeof *r->nodes);
	mem_free(r->allocator, r->line, r->line_room * sizeof *r->line);
	mem_free(r->allocator, r->hashes, r->hash_room * sizeof *r->hashes);
	mem_free(r->allocator, r->kept, r->kept_room * r->stride);
}

int32_t tree_child(struct qv_record *r, qv_move move)
{
	const int32_t parent = r->line[r->ply].node;
	int32_t child = r->nodes[parent].first;
	while (child != NODE_NONE && r->nodes[child].move != move)
		child = r->nodes[child].next;
	if (child != NODE_NONE)
		return child;
	child = new_node(r, parent, move);
	struct node *p = &r->nodes[parent];
	if (p->first == NODE_NONE)
		p->first = child;
	else
		r->nodes[p->last].next = child;
	p->last = child;
	return child;
}

/* A new node gets its hash and its history from the state, which only the cursor has. */
void tree_forward(struct qv_record *r, int32_t child)
{
	const struct qv_game *game = r->rules.game;
	const qv_move move = r->nodes[child].move;
	const bool is_new = r->nodes[child].since == NODE_NONE;
	const bool cut = is_new && game->irreversible && game->irreversible(r->state, move);
	const int32_t since = cut ? r->ply + 1 : r->line[r->ply].since;
	tree_cursor(r)->follow = child;
	game->play(r->state, move);
	r->ply++;
	if (is_new)
		complete_node(r, child, since);
	set_cursor(r, child);
}

void tree_state_at(const struct qv_record *r, int ply, void *state)
{
	const struct qv_game *game = r->rules.game;
	const int from = ply - ply % STATE_EVERY;
	const int32_t slot = r->nodes[r->line[from].node].kept;
	memcpy(state, r->kept + (size_t)slot * r->stride, game->state_size);
	for (int i = from; i < ply; i++)
		game->play(state, r->nodes[r->line[i + 1].node].move);
}

void tree_back(struct qv_record *r, int plies)
{
	r->ply -= plies;
	tree_state_at(r, r->ply, r->state);
}

/*
 * If the next stored state is behind the target, the moves are played; otherwise that state is
 * copied, and only the moves after it are played.
 */
void tree_follow(struct qv_record *r, int plies)
{
	const struct qv_game *game = r->rules.game;
	const bool is_near = plies <= (r->ply + plies) % STATE_EVERY;
	for (int i = 0; i < plies; i++) {
		const int32_t child = tree_cursor(r)->follow;
		if (is_near)
			game->play(r->state, r->nodes[child].move);
		r->ply++;
		set_cursor(r, child);
	}
	if (!is_near)
		tree_state_at(r, r->ply, r->state);
}

/* An end by qv_record_end has precedence over the rules, and these over repetition. */
void tree_judge(struct qv_record *r)
{
	const struct qv_game *game = r->rules.game;
	memset(r->points, 0, sizeof r->points);
	if (r->ended) {
		const int winner = tree_cursor(r)->winner;
		r->outcome = QV_ENDED;
		if (winner >= 0)
			r->points[winner] = 1;
		return;
	}
	r->outcome = game->result(r->state, r->points);
	/* How often has the position occurred before? */
	int count, times = 0;
	const uint64_t *history = qv_record_history(r, &count);
	for (int i = 0; i < count && r->outcome == QV_GOING && game->repeated; i++)
		times += history[i] == r->hashes[r->ply];
	if (times)
		r->outcome = game->repeated(r->state, times, r->points);
}
