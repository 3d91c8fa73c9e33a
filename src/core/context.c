/*
 * context.c - a context: its allocator, the built-in games, and those of loaded plug-ins.
 * SPDX-License-Identifier: MIT
 *
 * Built-in games live in the registry and are constant; a context stores only what plug-ins add. A
 * plug-in that fails a check is unloaded, and the list of games is as before.
 */
#include "core/context.h"

#include <dlfcn.h>

#include "base/text.h"
#include "games/registry.h"

struct qv_context {
	struct qv_allocator allocator;
	const struct qv_game **games;      /* games of plug-ins */
	int game_count;
	size_t game_room;
	void **handles;                    /* handles of dlopen */
	int handle_count;
	size_t handle_room;
};

struct qv_context *qv_context_new(const struct qv_allocator *allocator)
{
	if (!allocator)
		allocator = &mem_malloc;
	struct qv_context *c = mem_new(allocator, 1, sizeof *c);
	if (c)
		c->allocator = *allocator;
	return c;
}

void qv_context_free(struct qv_context *c)
{
	if (!c)
		return;
	const struct qv_allocator a = c->allocator;
	for (int i = c->handle_count; i-- > 0;)
		dlclose(c->handles[i]);
	mem_free(&a, c->games, c->game_room * sizeof *c->games);
	mem_free(&a, c->handles, c->handle_room * sizeof *c->handles);
	mem_free(&a, c, sizeof *c);
}

const struct qv_allocator *context_allocator(const struct qv_context *c)
{
	return &c->allocator;
}

const struct engine *context_engine(const struct qv_game *game)
{
	for (int i = 0; registry_at(i); i++)
		if (registry_at(i)->game == game)
			return registry_at(i);
	return &plugin_engine;
}

const struct qv_game *qv_game_at(const struct qv_context *c, int index)
{
	int built_in = 0;
	while (registry_at(built_in))
		built_in++;
	if (index < 0)
		return NULL;
	if (index < built_in)
		return registry_at(index)->game;
	return index - built_in < c->game_count ? c->games[index - built_in] : NULL;
}

static enum qv_status add_game(struct qv_context *c, const struct qv_game *game,
			       struct qv_error *error)
{
	enum qv_status status = check_game(game, error);
	if (status != QV_OK)
		return status;
	for (int i = 0; qv_game_at(c, i); i++)
		if (text_same(qv_game_at(c, i)->name, game->name))
			return qv_fail(error, QV_ILLEGAL, "plug-in: a game named %s already exists",
				       game->name);
	if (!mem_reserve(&c->allocator, &c->games, &c->game_room, (size_t)c->game_count + 1,
			 sizeof *c->games))
		return qv_fail(error, QV_NO_MEMORY, "plug-in: out of memory");
	c->games[c->game_count++] = game;
	return QV_OK;
}

/*
 * Uses the system's message without the path in front of it, which a long path would leave no room
 * for.
 */
static void fail_to_load(const char *path, const char *full, const char *why,
			 struct qv_error *error)
{
	const size_t length = strlen(full);
	if (why && strncmp(why, full, length) == 0 && strncmp(why + length, ": ", 2) == 0)
		why += length + 2;
	qv_fail(error, QV_IO, "plug-in %.60s: %s", path, why ? why : "cannot be loaded");
}

/* dlopen searches the system's folders for a bare name; users mean the current folder. */
static void *open_file(const struct qv_allocator *a, const char *path, struct qv_error *error)
{
	struct string full = { .allocator = a };
	string_addf(&full, "%s%s", strchr(path, '/') ? "" : "./", path);
	void *handle = NULL;
	if (full.failed)
		qv_fail(error, QV_NO_MEMORY, "plug-in: out of memory");
	else if (!(handle = dlopen(full.data, RTLD_NOW | RTLD_LOCAL)))
		fail_to_load(path, full.data, dlerror(), error);
	string_release(&full);
	return handle;
}

enum qv_status qv_context_load(struct qv_context *c, const char *path, struct qv_error *error)
{
	struct qv_error why = { "plug-in: out of memory" };
	const int games_before = c->game_count;
	if (!mem_reserve(&c->allocator, &c->handles, &c->handle_room, (size_t)c->handle_count + 1,
			 sizeof *c->handles))
		return qv_fail(error, QV_NO_MEMORY, "%s", why.text);
	void *handle = open_file(&c->allocator, path, &why);
	if (!handle)
		return qv_fail(error, strstr(why.text, "out of memory") ? QV_NO_MEMORY : QV_IO,
			       "%s", why.text);
	qv_plugin_fn *list;
	void *symbol = dlsym(handle, "qv_plugin");
	memcpy(&list, &symbol, sizeof list); /* ISO C has no cast from an object to a function */
	enum qv_status status = QV_OK;
	if (!symbol)
		status = qv_fail(error, QV_BAD_INPUT, "plug-in %.100s: does not export qv_plugin",
				 path);
	else if (!list(0))
		status = qv_fail(error, QV_BAD_INPUT, "plug-in %.100s: contains no game", path);
	for (int i = 0; status == QV_OK && list(i); i++)
		status = add_game(c, list(i), error);
	if (status != QV_OK) {
		c->game_count = games_before;
		dlclose(handle);
		return status;
	}
	c->handles[c->handle_count++] = handle;
	return QV_OK;
}

void *qv_state_new(const struct qv_context *c, const struct qv_game *game)
{
	return mem_new(&c->allocator, 1, game->state_size);
}

void qv_state_free(const struct qv_context *c, const struct qv_game *game, void *state)
{
	mem_free(&c->allocator, state, game->state_size);
}
