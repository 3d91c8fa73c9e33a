/*
 * player.c - players from their specs, for any game.
 * SPDX-License-Identifier: MIT
 *
 * To add a kind of player for any game: write its const struct player_kind (search/player_kind.h)
 * and list it below. A kind for one game is listed in that game's `players` instead. Specs are read
 * from the option tables of the kinds, so nothing here depends on a particular option.
 */
#include "core/player.h"

#include "base/sized.h"
#include "core/context.h"
#include "core/table_solver.h"
#include "games/registry.h"
#include "lurgee/search.h"

/* The kinds for any game, in the order of the help text. */
static const struct player_kind *const kinds[] = {
	&random_kind,	 &level_kind,	 &minimax_kind,	  &negamax_kind, &alphabeta_kind,
	&negascout_kind, &mtdf_kind,	 &selective_kind, &mcts_kind,	 &expectimax_kind,
	&maxn_kind,	 &paranoid_kind, &brs_kind,	  &perfect_kind, &learn_kind,
	&book_kind,	 &lurgee_kind,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const struct player_kind *player_kind_at(int i)
{
	if (i < KINDS)
		return kinds[i];
	i -= KINDS;
	/* Then the kinds of single games, without games' parts of the general kinds. */
	for (int g = 0; registry_at(g); g++)
		for (const struct game_player *p = registry_at(g)->players; p && p->kind; p++) {
			int general = 0;
			while (general < KINDS && kinds[general] != p->kind)
				general++;
			if (general == KINDS && i-- == 0)
				return p->kind;
		}
	return NULL;
}

/* ---- Specs ---- */

enum qv_status spec_parse(const char *text, const struct qv_defaults *defaults,
			  struct settings *out, struct qv_error *error)
{
	enum { MOST = 1024 };
	char name[MOST];
	struct text_nearest near;
	const size_t length = strcspn(text, ":");
	if (strlen(text) >= MOST)
		return qv_fail(error, QV_BAD_INPUT, "player: longer than %d characters", MOST - 1);
	memcpy(name, text, length);
	name[length] = '\0';
	near = text_nearest_to(name);
	if (text[length] && !text[length + 1])
		return qv_fail(error, QV_BAD_INPUT, "player %.40s: nothing follows the colon",
			       name);
	for (int i = 0; player_kind_at(i); i++)
		if (strcmp(player_kind_at(i)->name, name) == 0)
			return kind_settings(player_kind_at(i),
					     text + length + (text[length] == ':'), defaults, out,
					     error);
	/* Kinds that exist elsewhere get an explanation, other names a suggestion. */
	if (strcmp(name, "human") == 0)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player 'human': people play games only, no searches");
	if (strcmp(name, "qgp") == 0 || strcmp(name, "ugi") == 0 || strcmp(name, "uci") == 0 ||
	    strcmp(name, "xboard") == 0 || strcmp(name, "external") == 0 ||
	    strcmp(name, "gnubg") == 0 || strcmp(name, "hub") == 0 || strcmp(name, "gomocup") == 0 ||
	    strcmp(name, "nboard") == 0 || strcmp(name, "gtp") == 0)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player '%s': external engines are not available here", name);
	for (int i = 0; player_kind_at(i); i++) {
		const char *kind = player_kind_at(i)->name;
		const size_t first = strcspn(name, " ,=");
		text_nearest_try(&near, kind);
		if (name[first] && strlen(kind) == first && memcmp(kind, name, first) == 0)
			return qv_fail(error, QV_BAD_INPUT,
				       "player '%.40s': options follow a colon, as in %s:depth=4",
				       name, kind);
	}
	return qv_fail(error, QV_UNKNOWN, "player '%.40s': no such kind%s", name,
		       suggest(&near).text);
}

/* The error for a kind that needs support from the game, with the games that have it. */
static enum qv_status not_for_game(const char *what, const struct player_kind *kind,
				   const struct qv_game *game, struct qv_error *error)
{
	char names[160] = "";
	struct qv_text list = { names, sizeof names, 0 };
	for (int i = 0; registry_at(i); i++)
		if (game_player_find(registry_at(i), kind)) {
			qv_put(&list, list.length ? ", " : "");
			qv_put(&list, registry_at(i)->game->name);
		}
	return qv_fail(error, QV_UNSUPPORTED, "player %s: not available for %.40s; it plays %s",
		       what, game->name, names);
}

enum qv_status player_settings(const struct qv_game *game, const char *spec,
			       const struct qv_defaults *defaults, struct settings *out,
			       struct qv_error *error)
{
	struct settings given;
	enum qv_status status = spec_parse(spec, defaults, &given, error);
	if (status != QV_OK || given.kind != &level_kind) {
		if (status == QV_OK)
			*out = given;
		return status;
	}
	/* A level: its settings are replaced by those of the player it stands for. */
	const int64_t level = level_settings(&given)->level;
	const char *const *levels = ladder_levels(game, level_settings(&given)->ladder);
	int64_t count = 0;
	if (!levels)
		return not_for_game("level: ladder=lurgee", &lurgee_kind, game, error);
	while (levels[count])
		count++;
	if (level > count)
		return qv_fail(error, QV_UNKNOWN, "level %lld: %s has levels 1 to %lld",
			       (long long)level, game->name, (long long)count);
	status = spec_parse(levels[level - 1], defaults, out, error);
	if (status == QV_OK && out->kind == &level_kind)
		return qv_fail(error, QV_ILLEGAL, "level: a level of %s is itself a level",
			       game->name);
	if (status == QV_OK && (*given.book || given.no_book)) {
		memcpy(out->book, given.book, sizeof out->book);
		memcpy(out->line, given.line, sizeof out->line);
		out->no_book = given.no_book;
		out->weighted = given.weighted;
		out->recall = given.recall;
	} else if (status == QV_OK && level_settings(&given)->ladder == LADDER_OWN &&
		   !(defaults && defaults->no_book)) {
		level_use_book(game, level, &given, out);
	}
	return status;
}

/* ---- Players ---- */

/* Adds to the error which kinds play such a game. */
static enum qv_status name_others(const struct qv_game *game, struct qv_error *error)
{
	const char *kinds_of = game->seats == 1				? "mcts"
			       : game->chance && game->seats == 2 ? "expectimax, mcts and maxn"
			       : game->chance || game->seats > 2	? "mcts, maxn, paranoid and brs"
								: "alphabeta, negascout and mcts";
	const struct qv_error why = *error;
	return qv_fail(error, QV_UNSUPPORTED, "%.180s; %s play%s it", why.text, kinds_of,
		       game->seats == 1 ? "s" : "");
}

enum qv_status player_make(const struct qv_context *context, const struct qv_rules *rules,
			   const struct settings *settings, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error)
{
	const struct engine *engine = context_engine(rules->game);
	const struct player_kind *kind = settings->kind;
	const struct game_player *part = game_player_find(engine, kind);
	if (kind->needs_game && !part)
		return not_for_game(kind->name, kind, rules->game, error);
	/* `own` is the game's part of the kind: an evaluation, a program, a stamped search. */
	struct search_tables tables;
	const char *const folder = defaults ? defaults->tables : NULL;
	table_solver_for_search(context_allocator(context), rules, folder, &tables);
	const struct player_setup setup = { context_allocator(context),
					    engine,
					    rules,
					    settings,
					    context_added(context, rules->game),
					    folder,
					    part ? part->own : NULL,
					    defaults ? defaults->prober : NULL,
					    context_shared(context, engine),
					    engine->tables_in_search ? &tables : NULL };
	struct qv_player *player;
	enum qv_status status = kind->make(&setup, &player, error);
	if (status == QV_UNSUPPORTED && error && kind != &learn_kind &&
	    strstr(error->text, " is not one"))
		return name_others(rules->game, error);
	if (status == QV_OK && settings->prove)
		status = prove_first(&setup, &player, error);
	if (status == QV_OK)
		*out = player;
	return status;
}

void qv_player_free(struct qv_player *player)
{
	if (player)
		player->ops->free(player);
}

void qv_player_new_game(struct qv_player *player)
{
	player->ops->new_game(player);
}

/* ---- Several listeners ---- */

/* Each of these calls all listeners of a chain; ctx points to the pointer to the first one. */
#define EACH(function, ...)                                                                   \
	for (const struct qv_listener *l = *(const struct qv_listener **)ctx; l; l = l->next) \
		if (l->function)                                                              \
	l->function(l->ctx, __VA_ARGS__)

static void each_iteration_start(void *ctx, int depth)
{
	EACH(iteration_start, depth);
}

/* Inside the library answers need no size. */
static void each_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct qv_answer sized = *so_far;
	sized.size = sizeof sized;
	EACH(iteration, &sized);
}

static void each_bound(void *ctx, const struct qv_answer *so_far)
{
	struct qv_answer sized = *so_far;
	sized.size = sizeof sized;
	EACH(bound, &sized);
}

static void each_root_move(void *ctx, qv_move move, int n, int depth)
{
	EACH(root_move, move, n, depth);
}

static void each_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
			int32_t beta)
{
	EACH(branch, state, move, ply, alpha, beta);
}

static void each_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	EACH(node, move, ply, value, cut);
}

static void each_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	EACH(leaf, state, ply, value);
}

static void each_enter(void *ctx, const struct qv_visit *visit)
{
	EACH(enter, visit);
}

static void each_why(void *ctx, int ply, enum qv_why why, double number)
{
	EACH(why, ply, why, number);
}

static void each_values(void *ctx, int ply, const double *values)
{
	EACH(values, ply, values);
}

static void each_leave(void *ctx, int ply, double value, qv_move best)
{
	EACH(leave, ply, value, best);
}

static void each_growth(void *ctx, const struct qv_growth *step)
{
	EACH(growth, step);
}
#undef EACH

/*
 * One listener in place of a chain, so that searches need not know about chains. It has a function
 * only if a listener of the chain has, since some functions slow a search down.
 */
static struct qv_listener listener_of_chain(const struct qv_listener **first)
{
	struct qv_listener all = { .ctx = first };
	for (const struct qv_listener *l = *first; l; l = l->next) {
		all.iteration_start =
			l->iteration_start ? each_iteration_start : all.iteration_start;
		all.iteration = l->iteration ? each_iteration : all.iteration;
		all.bound = l->bound ? each_bound : all.bound;
		all.root_move = l->root_move ? each_root_move : all.root_move;
		all.branch = l->branch ? each_branch : all.branch;
		all.node = l->node ? each_node : all.node;
		all.leaf = l->leaf ? each_leaf : all.leaf;
		all.enter = l->enter ? each_enter : all.enter;
		all.why = l->why ? each_why : all.why;
		all.values = l->values ? each_values : all.values;
		all.leave = l->leave ? each_leave : all.leave;
		all.growth = l->growth ? each_growth : all.growth;
	}
	return all;
}

/* Copies the listeners of a caller's chain; `chain` has room for MOST_LISTENERS. */
enum { MOST_LISTENERS = 8 };
static enum qv_status listeners_in(const struct qv_listener *first, struct qv_listener *chain,
				   struct qv_error *error)
{
	enum qv_status status = QV_OK;
	int count = 0;
	for (const struct qv_listener *l = first; l && status == QV_OK; l = chain[count++].next) {
		if (count == MOST_LISTENERS)
			return qv_fail(error, QV_UNSUPPORTED, "search: more than %d listeners",
				       MOST_LISTENERS);
		status = sized_in("qv_listener", &chain[count], sizeof *chain, l, error);
		if (count)
			chain[count - 1].next = &chain[count];
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

enum qv_status qv_player_think(struct qv_player *player, const void *state,
			       const struct qv_limits *limits, const struct qv_listener *listener,
			       struct qv_answer *out, struct qv_error *error)
{
	struct qv_limits how;
	struct qv_listener chain[MOST_LISTENERS];
	struct qv_answer answer = { 0 };
	enum qv_status status = sized_check("qv_answer", out, error);
	if (status == QV_OK)
		status = sized_in("qv_limits", &how, sizeof how, limits, error);
	if (status == QV_OK)
		status = listeners_in(listener, chain, error);
	if (status != QV_OK)
		return status;
	/* Through a chain, also for one listener: it gets answers with their size. */
	const struct qv_listener *first = chain;
	const struct qv_listener all =
		listener ? listener_of_chain(&first) : (struct qv_listener){ 0 };
	status = player->ops->think(player, state, &how, listener ? &all : NULL, &answer, error);
	if (status == QV_OK || status == QV_STOPPED)
		sized_out(out, &answer, sizeof answer);
	return status;
}

enum qv_status player_choose(struct qv_player *player, const void *state,
			     const struct qv_limits *limits, const struct qv_listener *listener,
			     struct qv_answer *out, struct qv_error *error)
{
	/* Players need not test for NULL. */
	const struct qv_limits none = { 0 };
	const bool several = listener && listener->next;
	const struct qv_listener all =
		several ? listener_of_chain(&listener) : (struct qv_listener){ 0 };
	return player->ops->think(player, state, limits ? limits : &none, several ? &all : listener,
				  out, error);
}
