/*
 * spaces.c - lists the index spaces of a game and checks that the index is well formed.
 * SPDX-License-Identifier: MIT
 *
 * A game's index numbers positions in spaces (chess: one for each set of pieces), and spaces form
 * groups: a move never leads to a later group, so groups are solved in order. A plug-in's index may
 * be wrong; names, sizes and group numbers are checked here before anything relies on them.
 */
#include "solve/spaces.h"

#include "base/options.h"

/* What is wrong with a space that follows `before`, NULL for the first one; NULL: nothing. */
static const char *space_fault(const struct qv_space *space, const struct qv_space *before)
{
	const char *end = memchr(space->name, '\0', sizeof space->name);
	if (!end || end == space->name ||
	    strspn(space->name, "abcdefghijklmnopqrstuvwxyz0123456789-") !=
		    (size_t)(end - space->name))
		return "the name of a space must be 1 to 31 characters of a-z, 0-9, '-'";
	if (space->size < 1 || space->size > SPACE_LARGEST)
		return "the size of a space is out of bounds";
	if (before ? space->group != before->group && space->group != before->group + 1 :
		     space->group != 0)
		return "the groups of spaces must be 0, 1, 2, ... in order";
	return NULL;
}

/* Fills in the list of spaces. Their names must be valid and unique. */
static enum qv_status list_all(struct spaces *s, struct qv_error *error)
{
	const struct qv_game *game = s->rules.game;
	struct qv_space space = { .group = 0 };
	while (game->index->space(s->rules.options, s->count, &space)) {
		const char *wrong = space_fault(&space, s->count ? &s->list[s->count - 1] : NULL);
		for (int i = 0; !wrong && i < s->count; i++)
			if (strcmp(s->list[i].name, space.name) == 0)
				wrong = "two spaces have the same name";
		if (!wrong && s->count == SPACES_MOST)
			wrong = "it has too many spaces";
		if (wrong)
			return qv_fail(error, QV_ILLEGAL, "game %s: index: %s", game->name, wrong);
		if (!mem_reserve(s->allocator, &s->list, &s->room, (size_t)s->count + 1,
				 sizeof *s->list))
			return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
		s->list[s->count++] = space;
		space = (struct qv_space){ .group = 0 };
	}
	if (!s->count)
		return qv_fail(error, QV_UNSUPPORTED, "tables: %s has no tables with these options",
			       game->name);
	return QV_OK;
}

enum qv_status spaces_list(struct spaces *s, const struct qv_allocator *allocator,
			   const struct qv_rules *rules, const char *name, struct qv_error *error)
{
	const struct qv_game *game = rules->game;
	const struct qv_index *index = game->index;
	*s = (struct spaces){ .allocator = allocator, .rules = *rules };
	if (!index)
		return qv_fail(error, QV_UNSUPPORTED, "tables: %s has no index of positions",
			       game->name);
	if (game->seats != 2 || !(game->alternates || game->chance))
		return qv_fail(error, QV_UNSUPPORTED,
			       "tables: %s is not a game of two alternating players", game->name);
	if (!index->space || !index->decode || !index->find || index->max_parents < 0 ||
	    index->max_parents > QV_MAX_MOVES || (index->max_parents > 0) != !!index->parents ||
	    (index->aid_size > 0) != !!index->prepare)
		return qv_fail(
			error, QV_ILLEGAL,
			"game %s: index: a function is missing, or max_parents or aid_size is wrong",
			game->name);
	if (strlen(name) >= sizeof s->name)
		return qv_fail(error, QV_UNSUPPORTED, "tables: the name with options is too long");
	strcpy(s->name, name);
	const enum qv_status status = list_all(s, error);
	if (status != QV_OK)
		spaces_release(s);
	return status;
}

enum qv_status spaces_init(struct spaces *s, const struct qv_allocator *allocator,
			   const struct qv_rules *rules, const char *name, struct qv_error *error)
{
	const enum qv_status status = spaces_list(s, allocator, rules, name, error);
	const struct qv_index *index = rules->game->index;
	if (status != QV_OK || !index->prepare)
		return status;
	s->aid = mem_new(allocator, 1, index->aid_size);
	if (!s->aid) {
		spaces_release(s);
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	}
	index->prepare(rules->options, s->aid);
	return QV_OK;
}

enum qv_status spaces_init_hashed(struct spaces *s, const struct qv_allocator *allocator,
				  const struct qv_rules *rules, const char *name,
				  struct qv_error *error)
{
	*s = (struct spaces){ .allocator = allocator, .rules = *rules, .alone = true };
	if (strlen(name) >= sizeof s->name)
		return qv_fail(error, QV_UNSUPPORTED, "tables: the name with options is too long");
	strcpy(s->name, name);
	enum qv_status status = hashed_new(allocator, rules, &s->hashed, error);
	if (status != QV_OK)
		return status;
	s->rules.game = &s->hashed->game;
	s->aid = s->hashed;
	if (!mem_reserve(allocator, &s->list, &s->room, 1, sizeof *s->list)) {
		spaces_release(s);
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	}
	/* A program that numbers the positions otherwise must not read the file. */
	s->list[0] = (struct qv_space){ .group = 0, .size = s->hashed->count };
	snprintf(s->list[0].name, sizeof s->list[0].name, "reachable-%08llx",
		 (unsigned long long)(s->hashed->digest >> 32));
	s->count = 1;
	return QV_OK;
}

void spaces_release(struct spaces *s)
{
	mem_free(s->allocator, s->list, s->room * sizeof *s->list);
	if (s->hashed)
		hashed_free(s->hashed);
	else if (s->aid)
		mem_free(s->allocator, s->aid, s->rules.game->index->aid_size);
	*s = (struct spaces){ .count = 0 };
}

enum qv_status spaces_up_to(const struct spaces *s, const char *name, int *count,
			    struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name ? name : "");
	*count = s->count;
	if (!name)
		return QV_OK;
	for (int i = 0; i < s->count; i++) {
		if (strcmp(s->list[i].name, name) == 0) {
			*count = spaces_group_end(s, i);
			return QV_OK;
		}
		text_nearest_try(&near, s->list[i].name);
	}
	return qv_fail(error, QV_UNKNOWN, "space '%.40s': %.80s has no such space%s", name, s->name,
		       suggest(&near).text);
}

int spaces_group_end(const struct spaces *s, int first)
{
	int end = first;
	while (end < s->count && s->list[end].group == s->list[first].group)
		end++;
	return end;
}
