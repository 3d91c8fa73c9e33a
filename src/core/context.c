/*
 * context.c - a context: its allocator, the built-in games, and those of loaded plug-ins.
 * SPDX-License-Identifier: MIT
 *
 * Built-in games live in the registry and are constant; a context stores only what plug-ins add. A
 * plug-in that fails a check is unloaded, and the list of games is as before.
 *
 * Plug-ins come from outside, so the bounds that the rest of the library trusts (array sizes, pairs
 * of functions, tables with an end) are checked once, when a game is added to a context. No
 * function of the game is called then; qv_conform checks their behaviour.
 */
#include "core/context.h"

#include <dlfcn.h>

#include "base/options.h"
#include "base/text.h"
#include "base/threads.h"
#include "core/adopt.h"
#include "games/registry.h"

/* A table of evaluations that was added to a game. */
struct added {
	const struct qv_game *game;
	const struct qv_evaluation *given; /* the copies of this table, in `all` */
	struct qv_evaluation *all; /* copies of earlier tables of the game and of this one */
	size_t room;		   /* of `all`, its end included */
};

/* A game of a plug-in; copy: of one that was built for an older interface, or NULL. */
struct loaded_game {
	const struct qv_game *game;
	struct adopted *copy;
};

/* What is made when it is first needed (context_keep), behind a lock. */
struct kept {
	const struct kept_ops *ops;
	void *value; /* NULL: not made yet */
};
struct keeper {
	struct mutex lock;
	struct kept list[]; /* by the number of the built-in game */
};

/* A plug-in that is loaded. */
struct plugin {
	void *handle; /* of dlopen */
	struct string path;
};

struct qv_context {
	struct qv_allocator allocator;
	struct loaded_game *games;         /* games of plug-ins */
	int game_count;
	size_t game_room;
	struct added *added; /* evaluations, in the order of adding */
	int added_count;
	size_t added_room;
	struct plugin *plugins;
	int plugin_count;
	size_t plugin_room;
	void **shared; /* by the number of the built-in game; NULL: its players share nothing */
	size_t shared_room;
	struct keeper *keeper; /* for as many games as `shared` */
};

/* Makes what the players of each built-in game share. False: not enough memory. */
static bool make_shared(struct qv_context *c)
{
	size_t count = 0;
	while (registry_at((int)count))
		count++;
	c->shared = mem_new(&c->allocator, count, sizeof *c->shared);
	if (!c->shared)
		return false;
	c->shared_room = count;
	for (size_t i = 0; i < c->shared_room; i++) {
		const struct shared_ops *ops = registry_at((int)i)->shared;
		if (ops && !(c->shared[i] = ops->make(&c->allocator)))
			return false;
	}
	c->keeper = mem_new(&c->allocator, 1, sizeof *c->keeper + count * sizeof(struct kept));
	if (c->keeper)
		mutex_init(&c->keeper->lock);
	return c->keeper;
}

/* NULL is fine: the context could not be made. */
static void free_keeper(struct qv_context *c)
{
	struct keeper *k = c->keeper;
	if (!k)
		return;
	for (size_t i = 0; i < c->shared_room; i++)
		if (k->list[i].value)
			k->list[i].ops->free(&c->allocator, k->list[i].value);
	mutex_release(&k->lock);
	mem_free(&c->allocator, k, sizeof *k + c->shared_room * sizeof(struct kept));
}

struct qv_context *qv_context_new(const struct qv_allocator *allocator)
{
	if (!allocator)
		allocator = &mem_malloc;
	struct qv_context *c = mem_new(allocator, 1, sizeof *c);
	if (!c)
		return NULL;
	c->allocator = *allocator;
	if (make_shared(c))
		return c;
	qv_context_free(c);
	return NULL;
}

/* Removes what was added after the first `count` tables. */
static void forget_added(struct qv_context *c, int count)
{
	while (c->added_count > count) {
		const struct added *last = &c->added[--c->added_count];
		mem_free(&c->allocator, last->all, last->room * sizeof *last->all);
	}
}

/* Removes what was loaded after the first `count` games. */
static void forget_games(struct qv_context *c, int count)
{
	while (c->game_count > count)
		adopted_free(&c->allocator, c->games[--c->game_count].copy);
}

void qv_context_free(struct qv_context *c)
{
	if (!c)
		return;
	const struct qv_allocator a = c->allocator;
	/* Plug-ins are unloaded in reverse order. */
	for (int i = c->plugin_count; i-- > 0;) {
		dlclose(c->plugins[i].handle);
		string_release(&c->plugins[i].path);
	}
	for (size_t i = 0; i < c->shared_room; i++)
		if (registry_at((int)i)->shared)
			registry_at((int)i)->shared->free(c->shared[i]);
	free_keeper(c);
	forget_added(c, 0);
	forget_games(c, 0);
	mem_free(&a, c->shared, c->shared_room * sizeof *c->shared);
	mem_free(&a, c->added, c->added_room * sizeof *c->added);
	mem_free(&a, c->games, c->game_room * sizeof *c->games);
	mem_free(&a, c->plugins, c->plugin_room * sizeof *c->plugins);
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

void *context_shared(const struct qv_context *c, const struct engine *engine)
{
	for (size_t i = 0; i < c->shared_room; i++)
		if (registry_at((int)i) == engine)
			return c->shared[i];
	return NULL;
}

enum qv_status context_keep(const struct qv_context *c, const struct qv_game *game,
			    const struct kept_ops *ops, void **out, struct qv_error *error)
{
	size_t i = 0;
	while (i < c->shared_room && registry_at((int)i)->game != game)
		i++;
	if (i == c->shared_room)
		return qv_fail(error, QV_UNKNOWN, "%.40s: not a built-in game", game->name);
	struct kept *kept = &c->keeper->list[i];
	enum qv_status status = QV_OK;
	mutex_lock(&c->keeper->lock);
	if (!kept->value && (status = ops->make(c, game, &kept->value, error)) == QV_OK)
		kept->ops = ops;
	*out = kept->value;
	mutex_unlock(&c->keeper->lock);
	return status;
}

const struct qv_game *qv_game_at(const struct qv_context *c, int index)
{
	/* The built-in games come first, then those of plug-ins in the order of loading. */
	int built_in = 0;
	while (registry_at(built_in))
		built_in++;
	if (index < 0)
		return NULL;
	if (index < built_in)
		return registry_at(index)->game;
	return index - built_in < c->game_count ? c->games[index - built_in].game : NULL;
}

/* ---- Checking a game ---- */

/* Names are typed by users and stand in file names: 1 to 31 characters a-z, 0-9, '-'. */
static bool is_name(const char *name)
{
	if (!name || !*name || strlen(name) > 31)
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

/* Names of seats are texts for users, on one line: 1 to 31 printable ASCII characters. */
static bool names_seats(const struct qv_game *g)
{
	for (int seat = 0; g->seat_names && seat < g->seats && seat < QV_MAX_SEATS; seat++) {
		const char *name = g->seat_names[seat];
		size_t length = 0;
		while (name && name[length] >= ' ' && name[length] <= '~')
			length++;
		if (!length || length > 31 || name[length])
			return false;
	}
	return true;
}

const char *missing_function(const struct qv_game *g)
{
	const struct {
		bool there;
		const char *name;
	} list[] = {
		{ g->start, "start" }, { g->seat, "seat" }, { g->moves, "moves" },
		{ g->play, "play" }, { g->result, "result" }, { g->hash, "hash" },
		{ g->move_text, "move_text" }, { g->position_text, "position_text" },
		{ g->position_parse, "position_parse" },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (!list[i].there)
			return list[i].name;
	return NULL;
}

/* Whether the game's numbers are within their bounds. */
static enum qv_status check_numbers(const struct qv_game *g, struct qv_error *error)
{
	const struct {
		const char *name;
		int64_t number, least, most;
	} list[] = {
		{ "seats", g->seats, 1, QV_MAX_SEATS },
		{ "state_size", (int64_t)g->state_size, 1, QV_MAX_STATE },
		{ "max_moves", g->max_moves, 1, QV_MAX_MOVES },
		{ "max_plies", g->max_plies, 0, INT32_MAX },
		{ "symmetries", g->symmetries, 0, INT32_MAX },
		{ "win", g->win, 0, QV_MAX_EVAL },
		{ "stakes", g->stakes, 0, QV_MAX_EVAL },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].number < list[i].least || list[i].number > list[i].most)
			return qv_fail(error, QV_ILLEGAL,
				       "game %s: %s is %lld, but must be from %lld to %lld", g->name,
				       list[i].name, (long long)list[i].number,
				       (long long)list[i].least, (long long)list[i].most);
	return QV_OK;
}

/* What is wrong with the game's facts and pairs of functions; NULL: nothing. */
static const char *wrong_facts(const struct qv_game *g)
{
	const struct qv_board *b = g->board;
	const struct {
		bool wrong;
		const char *why;
	} list[] = {
		{ !g->title, "it has no title" },
		{ g->alternates && g->seats != 2, "alternates needs exactly two seats" },
		{ g->stakes && g->seats != 2, "stakes are for two seats" },
		{ !names_seats(g), "seat_names needs a name of 1 to 31 characters for each seat" },
		{ g->chance && !g->weight, "a game with chance needs weight" },
		{ !g->max_count != !g->with_count, "max_count and with_count must both be set" },
		{ !g->repeated != !g->irreversible, "repeated and irreversible must both be set" },
		{ g->repeat_hash && !g->repeated, "repeat_hash needs repeated" },
		{ !g->image != !g->image_move || (g->symmetries > 1) != !!g->image,
		  "symmetries > 1, image and image_move must be set together" },
		{ b && (!b->pieces || !b->layout || !b->stand || !b->clicks),
		  "a board needs pieces, layout, stand and clicks" },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].wrong)
			return list[i].why;
	return NULL;
}

/* As wrong_facts, for the list of options, which ends with a NULL name. */
static const char *wrong_options(const struct qv_game *g)
{
	int count = 0;
	for (const struct qv_option *o = g->options; o && o->name; o++, count++) {
		if (!is_name(o->name))
			return "the name of an option must consist of a-z, 0-9, '-'";
		/* A choice is the place of a word in "a|b|c". */
		int64_t min = o->min, max = o->max;
		if (o->choices)
			min = max = 0;
		for (const char *at = o->choices; at && *at; at++)
			max += *at == '|';
		if (min > max || o->preset < min || o->preset > max)
			return "the default of an option is out of its bounds";
	}
	return count > QV_MAX_OPTIONS ? "it has too many options" : NULL;
}

/* As wrong_facts, for the evaluations: functions, and weights within their array. */
static const char *wrong_evaluations(const struct qv_game *g)
{
	for (const struct qv_evaluation *e = g->evaluations; e && e->name; e++) {
		if (!e->evaluate)
			return "an evaluation has no function";
		const int64_t room = (int64_t)(e->weights_size / sizeof(int32_t));
		bool fits = !e->weights_size || e->weights;
		for (const struct qv_weight *w = e->names; w && w->name; w++)
			fits &= w->first >= 0 && w->count >= 1 &&
				(int64_t)w->first + w->count <= room;
		if (!fits)
			return "an evaluation's named weights lie outside weights_size";
		if (e->phase_weights && (!g->phase || !e->weights_size))
			return "phase_weights need phase and weights";
		if (!e->recall != !e->memory_size)
			return "an evaluation must have both recall and memory_size, or neither";
	}
	return g->evaluations && !g->evaluations->name ? "the list of evaluations is empty" : NULL;
}

enum qv_status check_game(const struct qv_game *game, struct qv_error *error)
{
	if (game->interface_number != QV_INTERFACE)
		return qv_fail(error, QV_UNSUPPORTED,
			       "plug-in: built for interface %d, but this version needs %d",
			       game->interface_number, QV_INTERFACE);
	if (!is_name(game->name))
		return qv_fail(
			error, QV_ILLEGAL,
			"plug-in: the name of a game must be 1 to 31 characters a-z, 0-9, '-'");
	if (missing_function(game))
		return qv_fail(error, QV_ILLEGAL, "game %s: the required function %s is missing",
			       game->name, missing_function(game));
	const enum qv_status status = check_numbers(game, error);
	if (status != QV_OK)
		return status;
	const char *wrong = wrong_facts(game);
	if (!wrong)
		wrong = wrong_options(game);
	if (!wrong)
		wrong = wrong_evaluations(game);
	return wrong ? qv_fail(error, QV_ILLEGAL, "game %s: %s", game->name, wrong) : QV_OK;
}

/* ---- Added evaluations ---- */

/* Players keep pointers into earlier tables, so a game's next table is a new one, with all of it. */
const struct qv_evaluation *context_added(const struct qv_context *c, const struct qv_game *game)
{
	for (int i = c->added_count; i-- > 0;)
		if (c->added[i].game == game)
			return c->added[i].all;
	return NULL;
}

const struct qv_evaluation *context_added_at(const struct qv_context *c, int index,
					     const struct qv_game **game)
{
	if (index < 0 || index >= c->added_count)
		return NULL;
	*game = c->added[index].game;
	return c->added[index].given;
}

/* Whether a table has an evaluation of this name before `end`, which may be NULL. */
static bool has_name(const struct qv_evaluation *list, const struct qv_evaluation *end,
		     const char *name)
{
	for (; list && list != end && list->name; list++)
		if (strcmp(list->name, name) == 0)
			return true;
	return false;
}

/* Checks a table as if it were the game's own, and its names against those that exist. */
static enum qv_status check_added(const struct qv_context *c, const struct qv_game *game,
				  const struct qv_evaluation *list, struct qv_error *error)
{
	struct qv_game with = *game;
	with.evaluations = list;
	const char *wrong = wrong_evaluations(&with);
	for (const struct qv_evaluation *e = list; !wrong && e->name; e++) {
		if (!is_name(e->name))
			return qv_fail(error, QV_ILLEGAL,
				       "evaluations of %s: a name must be 1 to 31 characters a-z, "
				       "0-9, '-'",
				       game->name);
		if (has_name(game->evaluations, NULL, e->name) ||
		    has_name(context_added(c, game), NULL, e->name) || has_name(list, e, e->name) ||
		    strcmp(e->name, "none") == 0 ||
		    (game->material && strcmp(e->name, "material") == 0))
			return qv_fail(error, QV_ILLEGAL,
				       "evaluations of %s: an evaluation named %s already exists",
				       game->name, e->name);
		if (e->leaf && game->seats != 2)
			wrong = "leaf needs two seats";
		if (e->terms && game->seats > 2)
			wrong = "terms need one or two seats";
	}
	return wrong ? qv_fail(error, QV_ILLEGAL, "evaluations of %s: %s", game->name, wrong)
		     : QV_OK;
}

enum qv_status qv_context_add_evaluations(struct qv_context *c,
					  const struct qv_added_evaluations *added,
					  struct qv_error *error)
{
	const struct qv_game *game = NULL;
	size_t element;
	enum qv_status status = adopt_added(added, &element, error);
	if (status != QV_OK)
		return status;
	if (!added->game)
		return qv_fail(error, QV_ILLEGAL, "evaluations: they name no game");
	struct text_nearest near = text_nearest_to(added->game);
	for (int i = 0; (game = qv_game_at(c, i)) && strcmp(game->name, added->game) != 0; i++)
		text_nearest_try(&near, game->name);
	if (!game)
		return qv_fail(error, QV_UNKNOWN, "evaluations: no game is named '%.40s'%s",
			       added->game, suggest(&near).text);
	/* All evaluations of the game go into one table, with its end. */
	const struct qv_evaluation *before = context_added(c, game);
	const size_t had = evaluations_count(before, sizeof *before),
		     more = evaluations_count(added->evaluations, element);
	struct qv_evaluation *all = mem_new(&c->allocator, had + more + 1, sizeof *all);
	if (!all || !mem_reserve(&c->allocator, &c->added, &c->added_room,
				 (size_t)c->added_count + 1, sizeof *c->added)) {
		mem_free(&c->allocator, all, all ? (had + more + 1) * sizeof *all : 0);
		return qv_fail(error, QV_NO_MEMORY, "evaluations: out of memory");
	}
	evaluations_copy(all, before, sizeof *before, had);
	evaluations_copy(all + had, added->evaluations, element, more);
	status = check_added(c, game, all + had, error);
	if (status != QV_OK) {
		mem_free(&c->allocator, all, (had + more + 1) * sizeof *all);
		return status;
	}
	c->added[c->added_count++] = (struct added){ game, all + had, all, had + more + 1 };
	/* Another context may have set it; the pointer is the same. */
	if (added->rules && *added->rules != game)
		*added->rules = game;
	return QV_OK;
}

/* ---- Plug-ins ---- */

/* Adds a game of a plug-in; it must pass all checks and have a new name. */
static enum qv_status add_game(struct qv_context *c, const struct qv_game *given,
			       struct qv_error *error)
{
	const struct qv_game *game;
	struct adopted *copy;
	enum qv_status status = adopt_game(&c->allocator, given, &game, &copy, error);
	if (status == QV_OK)
		status = check_game(game, error);
	for (int i = 0; status == QV_OK && qv_game_at(c, i); i++)
		if (text_same(qv_game_at(c, i)->name, game->name))
			status = qv_fail(error, QV_ILLEGAL,
					 "plug-in: a game named %s already exists", game->name);
	if (status == QV_OK && !mem_reserve(&c->allocator, &c->games, &c->game_room,
					    (size_t)c->game_count + 1, sizeof *c->games))
		status = qv_fail(error, QV_NO_MEMORY, "plug-in: out of memory");
	if (status == QV_OK)
		c->games[c->game_count++] = (struct loaded_game){ game, copy };
	else
		adopted_free(&c->allocator, copy);
	return status;
}

/*
 * Loads a plug-in into an empty *out. dlopen searches the system's folders for a bare name, but
 * users mean the current folder.
 */
static enum qv_status open_file(const struct qv_allocator *a, const char *path, struct plugin *out,
				struct qv_error *error)
{
	struct string full = { .allocator = a };
	enum qv_status status = QV_OK;
	string_addf(&full, "%s%s", strchr(path, '/') ? "" : "./", path);
	void *handle = full.failed ? NULL : dlopen(full.data, RTLD_NOW | RTLD_LOCAL);
	if (full.failed) {
		status = qv_fail(error, QV_NO_MEMORY, "plug-in: out of memory");
	} else if (!handle) {
		/* A long path in front of the system's message would leave no room for it. */
		const char *why = dlerror();
		if (why && strncmp(why, full.data, full.length) == 0 &&
		    strncmp(why + full.length, ": ", 2) == 0)
			why += full.length + 2;
		status = qv_fail(error, QV_IO, "plug-in %.60s: %s", path,
				 why ? why : "cannot be loaded");
	}
	if (status == QV_OK)
		*out = (struct plugin){ handle, full };
	else
		string_release(&full);
	return status;
}

const char *context_plugin_at(const struct qv_context *c, int index)
{
	return index >= 0 && index < c->plugin_count ? c->plugins[index].path.data : NULL;
}

enum qv_status qv_context_load(struct qv_context *c, const char *path, struct qv_error *error)
{
	struct qv_error why = { "" };
	struct plugin plugin = { 0 };
	const int games_before = c->game_count, added_before = c->added_count;
	if (!mem_reserve(&c->allocator, &c->plugins, &c->plugin_room, (size_t)c->plugin_count + 1,
			 sizeof *c->plugins))
		return qv_fail(error, QV_NO_MEMORY, "plug-in: out of memory");
	enum qv_status status = open_file(&c->allocator, path, &plugin, error);
	if (status != QV_OK)
		return status;
	qv_plugin_fn *games;
	qv_plugin_evaluations_fn *evaluations;
	void *const games_symbol = dlsym(plugin.handle, "qv_plugin");
	void *const evaluations_symbol = dlsym(plugin.handle, "qv_plugin_evaluations");
	/* ISO C has no cast from an object to a function. */
	memcpy(&games, &games_symbol, sizeof games);
	memcpy(&evaluations, &evaluations_symbol, sizeof evaluations);
	if (!games && !evaluations)
		status = qv_fail(error, QV_BAD_INPUT,
				 "plug-in %.100s: does not export qv_plugin or "
				 "qv_plugin_evaluations",
				 path);
	else if (!(games && games(0)) && !(evaluations && evaluations(0)))
		status = qv_fail(error, QV_BAD_INPUT, "plug-in %.100s: contains no game%s", path,
				 evaluations ? " and no evaluation" : "");
	for (int i = 0; status == QV_OK && games && games(i); i++)
		status = add_game(c, games(i), error);
	for (int i = 0; status == QV_OK && evaluations && evaluations(i); i++) {
		status = qv_context_add_evaluations(c, evaluations(i), &why);
		if (status != QV_OK)
			qv_fail(error, status, "plug-in: %.240s", why.text);
	}
	/* A plug-in is taken as a whole, or not at all. */
	if (status != QV_OK) {
		forget_added(c, added_before);
		forget_games(c, games_before);
		dlclose(plugin.handle);
		string_release(&plugin.path);
		return status;
	}
	c->plugins[c->plugin_count++] = plugin;
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
