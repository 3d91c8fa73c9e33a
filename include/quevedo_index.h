/*
 * quevedo_index.h - numbers for the positions of a game, so that all of them can be solved
 * backwards from the ends and kept in tables.
 * SPDX-License-Identifier: MIT
 *
 * A part of quevedo.h, which includes it. For games of two seats that alternate, without chance;
 * repetition and draws by count are not looked at. The positions are divided into spaces, the
 * spaces into groups: every move stays in its group or leads to an earlier one (a capture, say).
 * Ended positions may be left out. docs/tables.md walks through an index.
 */
#ifndef QUEVEDO_INDEX_H
#define QUEVEDO_INDEX_H

struct qv_space {
	char name[32];             /* a-z, 0-9 and '-': its file is called so */
	int group;                 /* 0 for the first space, then the same again or one more */
	uint64_t size;             /* its numbers are 0 to size - 1 */
};

struct qv_place {
	int space;
	uint32_t weight; /* how many symmetries leave the state as it is, 1 or more; see parents */
	uint64_t number;
};

struct qv_index {
	bool (*space)(const int64_t *options, int space, struct qv_space *out); /* false: no more */
	/* The position with that number; false: none has it (a hole). Counters that draw are 0. */
	bool (*decode)(const void *aid, const int64_t *options, int space, uint64_t number,
		       void *state);
	/*
	 * Where a state is; false: in no space. Positions of the same value, as images of each other
	 * are, may share a number; decode gives one of them.
	 */
	bool (*find)(const void *aid, const void *state, struct qv_place *out);
	/*
	 * Optional, for speed: the positions from which a move within the group leads here, once for
	 * each such move, one state after another (max_parents of room); returns how many. It may
	 * list others, which are in other groups or in no space. Where symmetric positions share a
	 * number and max_parents > 0, weight must be right.
	 */
	int (*parents)(const void *state, void *list);
	int max_parents;
	/*
	 * Optional: what takes long to work out and is needed again and again. Whoever works with
	 * tables keeps aid_size bytes, aligned for any type and zeroed, has them filled once, and
	 * hands them to decode and find, which then only read. Both or neither; without them the
	 * aid is NULL.
	 */
	void (*prepare)(const int64_t *options, void *aid);
	size_t aid_size;
};

#endif
