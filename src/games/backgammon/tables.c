/*
 * tables.c - bear-off tables, computed when they are first needed.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/tables.h"

#include <stdatomic.h>

#include "base/threads.h"

struct backgammon_tables {
	const struct qv_allocator *allocator;
	struct mutex lock; /* held while a table is computed */
	_Atomic(struct bearoff *) one;
	_Atomic(struct two_sided *) two;
};

struct backgammon_tables *backgammon_tables_new(const struct qv_allocator *allocator)
{
	struct backgammon_tables *t = mem_new(allocator, 1, sizeof *t);
	if (!t)
		return NULL;
	t->allocator = allocator;
	mutex_init(&t->lock);
	return t;
}

void backgammon_tables_free(struct backgammon_tables *t)
{
	if (!t)
		return;
	bearoff_free(t->allocator, atomic_load(&t->one));
	two_sided_free(t->allocator, atomic_load(&t->two));
	mutex_release(&t->lock);
	mem_free(t->allocator, t, sizeof *t);
}

static void *make_shared(const struct qv_allocator *allocator)
{
	return backgammon_tables_new(allocator);
}

static void free_shared(void *shared)
{
	backgammon_tables_free(shared);
}

const struct shared_ops backgammon_shared = { make_shared, free_shared };

const struct bearoff *backgammon_one_sided(struct backgammon_tables *t)
{
	if (!atomic_load(&t->one)) {
		mutex_lock(&t->lock);
		if (!atomic_load(&t->one))
			atomic_store(&t->one, bearoff_new(t->allocator));
		mutex_unlock(&t->lock);
	}
	return atomic_load(&t->one);
}

const struct two_sided *backgammon_two_sided(struct backgammon_tables *t)
{
	if (!atomic_load(&t->two)) {
		mutex_lock(&t->lock);
		if (!atomic_load(&t->two))
			atomic_store(&t->two, two_sided_new(t->allocator));
		mutex_unlock(&t->lock);
	}
	return atomic_load(&t->two);
}
