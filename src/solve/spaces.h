/*
 * spaces.h - the index spaces of a game: the units that endgame tables are built from.
 * SPDX-License-Identifier: MIT
 */
#ifndef SOLVE_SPACES_H
#define SOLVE_SPACES_H

#include "base/memory.h"
#include "search/engine.h"
#include "solve/hashed.h"

enum { SPACES_MOST = 4096, SPACES_NAME = 200 };
#define SPACE_LARGEST (UINT64_C(1) << 40)

/* {0} is a valid empty one. */
struct spaces {
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	char name[SPACES_NAME];    /* the game with its options, as in "gomoku:size=19" */
	struct qv_space *list;
	int count;
	size_t room;
	void *aid;                 /* the index's precomputed tables; NULL: it needs none */
	/* The tables of the first spaces that are part of the library; NULL: none. */
	const struct built_in_table *built_in;
	bool alone; /* no search from other positions down to the tables */
	struct hashed *hashed; /* in place of an index, with rules.game; NULL: the game has one */
};

/*
 * Lists the spaces and prepares the index. `name` is the game with its options. QV_UNSUPPORTED: the
 * game has no index, or is not a game of two players without chance; QV_ILLEGAL: the index is
 * malformed. On failure there is nothing to release.
 */
enum qv_status spaces_init(struct spaces *s, const struct qv_allocator *allocator,
			   const struct qv_rules *rules, const char *name, struct qv_error *error);
/* The same without preparing the index, which may take long: enough to see which tables exist. */
enum qv_status spaces_list(struct spaces *s, const struct qv_allocator *allocator,
			   const struct qv_rules *rules, const char *name, struct qv_error *error);
/*
 * The same for a game without an index: one space of all positions that can be reached. Fails as
 * hashed_new does.
 */
enum qv_status spaces_init_hashed(struct spaces *s, const struct qv_allocator *allocator,
				  const struct qv_rules *rules, const char *name,
				  struct qv_error *error);
void spaces_release(struct spaces *s);

/* *count: the number of spaces up to the end of the named one's group; NULL: of all spaces. */
enum qv_status spaces_up_to(const struct spaces *s, const char *name, int *count,
			    struct qv_error *error);
/* The space after the last one of the group that begins at `first`. */
int spaces_group_end(const struct spaces *s, int first);

/* The plies to the end of a code that is a win or a loss (table_file.h). */
static inline int spaces_plies(const struct spaces *s, uint32_t code)
{
	return s->hashed ? ((int)code - 1) / 2 : (int)code - 1;
}

/* Whether a place that the game computed exists. */
static inline bool spaces_have(const struct spaces *s, const struct qv_place *place)
{
	return place->space >= 0 && place->space < s->count &&
	       place->number < s->list[place->space].size;
}

#endif
