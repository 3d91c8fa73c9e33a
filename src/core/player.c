/*
 * player.c - players from their specs, for any game.
 * SPDX-License-Identifier: MIT
 */
#include "core/player.h"
#include "lurgee/search.h"

#include "core/context.h"
#include "core/learned_moves.h"
#include "games/registry.h"

/* For games that name no levels of their own. */
static const char *const duel_levels[] = {
	"random",
	"alphabeta:depth=1,random=1,tt=0",
	"alphabeta:depth=3,random=1,tt=1",
	"alphabeta:depth=5,random=1,tt=8",
	NULL,
};
/* Dice and two seats. */
static const char *const chance_levels[] = {
	"random",
	"expectimax:depth=1,chopper=1",
	"expectimax:depth=2,chopper=1",
	"expectimax:depth=3,chopper=1",
	NULL,
};
/* Three seats or four. */
static const char *const multi_levels[] = {
	"random",
	"maxn:depth=1,random=1,chopper=1",
	"maxn:depth=2,random=1,chopper=1",
	"maxn:depth=4,random=1,chopper=1",
	NULL,
};
/* One seat; and where nothing says how good a position is but its end. */
static const char *const blind_levels[] = {
	"random",
	"mcts:playouts=30,tt=1",
	"mcts:playouts=300,tt=1",
	"mcts:playouts=3000,tt=8",
	NULL,
};

const char *const *qv_levels(const struct qv_game *game)
{
	if (game->levels && game->levels[0])
		return game->levels;
	if (game->seats == 2 && !game->chance)
		return duel_levels;
	if (game->seats == 1 || !game->evaluations)
		return blind_levels;
	return game->seats == 2 ? chance_levels : multi_levels;
}

static bool has_book(const struct engine *engine)
{
	return engine->book != NULL;
}

static bool has_lurgee(const struct engine *engine)
{
	return engine->lurgee != NULL;
}

static bool has_mask(const struct engine *engine)
{
	return engine->mask != NULL;
}

/* A player that only some games have; which, is said by their engines. */
static enum qv_status no_such_player(const char *kind, bool (*has)(const struct engine *engine),
				     const struct qv_game *game, struct qv_error *error)
{
	char names[160] = "";
	struct qv_text list = { names, sizeof names, 0 };
	for (int i = 0; registry_at(i); i++)
		if (has(registry_at(i))) {
			qv_put(&list, list.length ? ", " : "");
			qv_put(&list, registry_at(i)->game->name);
		}
	return qv_fail(error, QV_UNSUPPORTED, "player %s: there is none for %.40s; it plays %s",
		       kind, game->name, names);
}

static bool has_select(const struct engine *engine)
{
	return engine->select != NULL;
}

static enum qv_status book_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	if (setup->engine->book)
		return setup->engine->book(setup, out, error);
	return no_such_player("book", has_book, setup->rules->game, error);
}

static bool has_seed(const struct engine *engine)
{
	return engine->seed != NULL;
}

static enum qv_status seed_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	if (setup->engine->seed)
		return setup->engine->seed(setup, out, error);
	return no_such_player("seed", has_seed, setup->rules->game, error);
}

static bool has_machine(const struct engine *engine)
{
	return engine->machine != NULL;
}

static enum qv_status machine_new(const struct player_setup *setup, struct qv_player **out,
				  struct qv_error *error)
{
	if (setup->engine->machine)
		return setup->engine->machine(setup, out, error);
	return no_such_player("machine", has_machine, setup->rules->game, error);
}

static enum qv_status lurgee_new(const struct player_setup *setup, struct qv_player **out,
				 struct qv_error *error)
{
	if (setup->engine->lurgee)
		return lurgee_player_new(setup, out, error);
	return no_such_player("lurgee", has_lurgee, setup->rules->game, error);
}

static enum qv_status selective_new(const struct player_setup *setup, struct qv_player **out,
				    struct qv_error *error)
{
	if (setup->engine->select)
		return duel_player_new(setup, out, error);
	return no_such_player("selective", has_select, setup->rules->game, error);
}

static enum qv_status mask_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	if (setup->engine->mask)
		return setup->engine->mask(setup, out, error);
	return no_such_player("mask", has_mask, setup->rules->game, error);
}

static enum qv_status admiral_new(const struct player_setup *setup, struct qv_player **out,
				  struct qv_error *error)
{
	if (setup->engine->admiral)
		return setup->engine->admiral(setup, out, error);
	return no_such_player("admiral", has_mask, setup->rules->game, error);
}

bool context_strongest(const struct qv_game *game, const char *limit, char spec[STRONGEST_SPEC])
{
	const struct engine *engine = context_engine(game);
	if (!engine->strongest)
		return false;
	snprintf(spec, STRONGEST_SPEC, "%s,%s", engine->strongest, limit);
	return true;
}

bool context_rated_range(const struct qv_game *game, int *least, int *most)
{
	const struct rated_player *p = context_engine(game)->rated;
	if (!p)
		return false;
	*least = p->elo;
	for (; p->elo; p++)
		*most = p->elo;
	return true;
}

/* The value for a rating between two players of one kind. */
static int between(const struct rated_player *a, const struct rated_player *b, int elo)
{
	return a->value + (b->value - a->value) * (elo - a->elo) / (b->elo - a->elo);
}

bool context_rated(const struct qv_game *game, int elo, char spec[STRONGEST_SPEC])
{
	const struct rated_player *p = context_engine(game)->rated;
	if (!p)
		return false;
	while (p[1].elo && p[1].elo <= elo)
		p++;
	int value = p->value;
	if (p[1].elo && elo > p->elo) {
		const bool alike = strcmp(p->spec, p[1].spec) == 0 && strcmp(p->key, p[1].key) == 0;
		if (!alike && elo - p->elo > p[1].elo - elo)
			p++;
		value = alike ? between(p, p + 1, elo) : p->value;
	}
	snprintf(spec, STRONGEST_SPEC, "%s,%s=%d", p->spec, p->key, value);
	return true;
}

/* Who makes the players of each kind; a level stands for one of the others. */
static player_maker *const makers[KIND_COUNT] = {
	[KIND_RANDOM] = random_player_new,
	[KIND_MINIMAX] = duel_player_new,
	[KIND_NEGAMAX] = duel_player_new,
	[KIND_ALPHABETA] = duel_player_new,
	[KIND_NEGASCOUT] = duel_player_new,
	[KIND_MTDF] = duel_player_new,
	[KIND_SELECTIVE] = selective_new,
	[KIND_MCTS] = mcts_player_new,
	[KIND_EXPECTIMAX] = chance_player_new,
	[KIND_MAXN] = multi_player_new,
	[KIND_PARANOID] = multi_player_new,
	[KIND_BRS] = multi_player_new,
	[KIND_BOOK] = book_new,
	[KIND_LEARN] = learn_player_new,
	[KIND_PERFECT] = perfect_player_new,
	[KIND_LURGEE] = lurgee_new,
	[KIND_SEED] = seed_new,
	[KIND_MASK] = mask_new,
	[KIND_ADMIRAL] = admiral_new,
	[KIND_MACHINE] = machine_new,
};

const char *const *ladder_levels(const struct qv_game *game, int64_t ladder)
{
	const struct lurgee_kit *kit = context_engine(game)->lurgee;
	if (ladder == LADDER_OWN)
		return qv_levels(game);
	return !kit ? NULL : ladder == LADDER_LURGEE ? kit->documents : kit->release;
}

/* Replaces the settings of a level by those of the player it stands for. */
static enum qv_status resolve_level(const struct qv_game *game, const struct qv_defaults *defaults,
				    struct settings *settings, struct qv_error *error)
{
	const struct settings asked = *settings;
	const char *const *levels = ladder_levels(game, asked.ladder);
	int64_t count = 0;
	if (!levels)
		return no_such_player("level: ladder=lurgee", has_lurgee, game, error);
	while (levels[count])
		count++;
	if (settings->level > count)
		return qv_fail(error, QV_UNKNOWN, "level %lld: %s has levels 1 to %lld",
			       (long long)settings->level, game->name, (long long)count);
	enum qv_status status = spec_parse(levels[settings->level - 1], defaults, settings, error);
	if (status == QV_OK && settings->kind == KIND_LEVEL)
		status = qv_fail(error, QV_ILLEGAL, "level: a level of %s is itself a level",
				 game->name);
	if (status == QV_OK)
		spec_take_book(settings, &asked);
	return status;
}

enum qv_status player_settings(const struct qv_game *game, const char *spec,
			       const struct qv_defaults *defaults, struct settings *out,
			       struct qv_error *error)
{
	const enum qv_status status = spec_parse(spec, defaults, out, error);
	return status == QV_OK && out->kind == KIND_LEVEL ?
		       resolve_level(game, defaults, out, error) :
		       status;
}

enum qv_status player_make(const struct qv_context *context, const struct qv_rules *rules,
			   const struct settings *settings, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error)
{
	const struct player_setup setup = { context_allocator(context), context_engine(rules->game),
					    rules, settings, defaults ? defaults->tables : NULL };
	return makers[settings->kind](&setup, out, error);
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

enum qv_status qv_player_think(struct qv_player *player, const void *state,
			       const struct qv_limits *limits, const struct qv_listener *listener,
			       struct qv_answer *out, struct qv_error *error)
{
	const struct qv_limits none = { 0 };
	return player->ops->think(player, state, limits ? limits : &none, listener, out, error);
}
