/*
 * quevedo_index.h - how a game numbers its positions, so that endgame tables can be built and
 * probed.
 * SPDX-License-Identifier: MIT
 *
 * A part of quevedo.h, which includes it. It is for games of two seats that alternate. A game with
 * chance may number positions after which chance never moves. Repetition and draws by counters are
 * ignored. The positions are divided into spaces, and the spaces into groups: every move stays in
 * its group or leads to an earlier one, as a capture does. A table is built for each space, group by
 * group, by retrograde analysis. Positions where the game has ended may be left out. docs/tables.md
 * walks through an index.
 */
#ifndef QUEVEDO_INDEX_H
#define QUEVEDO_INDEX_H

/* A set of positions with its own table. */
struct qv_space {
	char name[32];             /* a-z, 0-9 and '-'; also the name of its file */
	int group;                 /* 0 for the first space; then unchanged or one more */
	uint64_t size;             /* its positions are numbered 0 to size - 1 */
};

/* Where a position is found: the entry of a table. */
struct qv_place {
	int space;
	/* Number of symmetries that map the state to itself, at least 1; see parents. */
	uint32_t weight;
	uint64_t number;
};

struct qv_index {
	/*
	 * Describes space number `space`, from 0. False: there are no more spaces. For space 0 it
	 * means that the game has no tables with these options.
	 */
	bool (*space)(const int64_t *options, int space, struct qv_space *out);
	/* The position with this number, counters at 0. False: the number is unused (a hole). */
	bool (*decode)(const void *aid, const int64_t *options, int space, uint64_t number,
		       void *state);
	/*
	 * Where a state is found. False: it is in no space. Positions with the same value, such as
	 * symmetric ones, may share a number; decode returns one of them.
	 */
	bool (*find)(const void *aid, const void *state, struct qv_place *out);
	/*
	 * Optional, for speed: writes the positions from which a move within the group leads to
	 * `state`, once for each such move, one state after another; list has room for max_parents.
	 * Returns their number. It may also list positions of other groups or of no space. If
	 * symmetric positions share a number, `weight` of struct qv_place must be right.
	 */
	int (*parents)(const void *state, void *list);
	int max_parents;
	/*
	 * Optional: precomputed data. The caller allocates aid_size zeroed bytes, aligned for any
	 * type, calls prepare once, and passes them to decode and find, which only read them.
	 * Define both prepare and aid_size or neither; without them the aid is NULL.
	 */
	void (*prepare)(const int64_t *options, void *aid);
	size_t aid_size;
};

#endif
