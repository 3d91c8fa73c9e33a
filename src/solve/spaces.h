/*
 * spaces.h - the spaces of a game with its options, listed and checked.
 * SPDX-License-Identifier: MIT
 */
#ifndef SOLVE_SPACES_H
#define SOLVE_SPACES_H

#include "base/memory.h"

enum { SPACES_MOST = 4096, SPACES_NAME = 200 };
#define SPACE_LARGEST (UINT64_C(1) << 40)

/* {0} is a valid empty one. */
struct spaces {
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	char name[SPACES_NAME];    /* of the game with its options */
	struct qv_space *list;
	int count;
	size_t room;
	void *aid;                 /* for the index; NULL: it needs none */
};

/*
 * `name` is the game with its options, in writing. QV_UNSUPPORTED: the game has no index, or is of
 * a kind that tables cannot hold.
 */
enum qv_status spaces_init(struct spaces *s, const struct qv_allocator *allocator,
			   const struct qv_rules *rules, const char *name, struct qv_error *error);
/* The same without the aid, which may take long: enough to see which tables there are. */
enum qv_status spaces_list(struct spaces *s, const struct qv_allocator *allocator,
			   const struct qv_rules *rules, const char *name, struct qv_error *error);
void spaces_release(struct spaces *s);

/* How many spaces there are up to the group of the one named; NULL is all of them. */
enum qv_status spaces_up_to(const struct spaces *s, const char *name, int *count,
			    struct qv_error *error);
/* The space after the last one of the group that begins at `first`. */
int spaces_group_end(const struct spaces *s, int first);

/* Whether a place that the game named is one that there is. */
static inline bool spaces_have(const struct spaces *s, const struct qv_place *place)
{
	return place->space >= 0 && place->space < s->count &&
	       place->number < s->list[place->space].size;
}

#endif
