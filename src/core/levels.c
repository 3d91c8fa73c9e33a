/*
 * levels.c - default players: the levels of a game and their names, its strongest player, and
 * players by rating.
 * SPDX-License-Identifier: MIT
 *
 * A game may list its own levels, strongest player and rated players. Otherwise general ones are
 * chosen by the number of seats and by whether the game has dice and an evaluation.
 */
#include "core/context.h"
#include "core/player.h"
#include "lurgee/search.h"
#include "search/root.h"

/* For two-player games without dice that list no levels of their own. */
static const char *const duel_levels[] = {
	"random", "alphabeta:depth=1,random=1,tt=0",
	"alphabeta:depth=3,random=1,tt=1", "alphabeta:depth=5,random=1,tt=8", NULL
};
/* For two seats and dice. */
static const char *const chance_levels[] = {
	"random", "expectimax:depth=1,chopper=1",
	"expectimax:depth=2,chopper=1", "expectimax:depth=3,chopper=1", NULL
};
/* For three or four seats, and for two without dice where the margin of points counts. */
static const char *const multi_levels[] = {
	"random", "maxn:depth=1,random=1,chopper=1",
	"maxn:depth=2,random=1,chopper=1", "maxn:depth=4,random=1,chopper=1", NULL
};
/* For one seat, and for games without an evaluation. */
static const char *const blind_levels[] = {
	"random", "mcts:playouts=30,tt=1",
	"mcts:playouts=300,tt=1", "mcts:playouts=3000,tt=8", NULL
};

const char *const *qv_levels(const struct qv_game *game)
{
	if (game->levels && game->levels[0])
		return game->levels;
	if (game->seats == 2 && !root_averages(game))
		return duel_levels;
	if (game->seats == 1 || !game->evaluations)
		return blind_levels;
	return game->seats == 2 && game->chance ? chance_levels : multi_levels;
}

/* ---- Names ---- */

/* Whether the level searches every game to its end, or looks the best move up. */
static bool is_perfect(const struct qv_game *game, const char *spec)
{
	struct settings set;
	if (spec_parse(spec, NULL, &set, NULL) != QV_OK || set.margin || set.blunder)
		return false;
	return set.kind == &perfect_kind || (set.kind == &alphabeta_kind && game->max_plies &&
					     set.depth >= game->max_plies);
}

/*
 * The levels are spread over the names from the first to the last one. If there are more levels
 * than names, those of a name are numbered. A level beyond the last one has the last one's name.
 */
void level_name(const struct qv_game *game, int64_t level, char out[LEVEL_NAME])
{
	static const char *const names[] = { "Beginner", "Novice",   "Casual", "Intermediate",
					     "Club",	 "Advanced", "Expert", "Master" };
	enum { NAMES = sizeof names / sizeof *names };
	const char *const *levels = qv_levels(game);
	int count = 0;
	while (levels[count])
		count++;
	const int at = (int)(level < count ? level : count) - 1;
	const bool perfect = is_perfect(game, levels[count - 1]);
	if (perfect && at == count - 1) {
		snprintf(out, LEVEL_NAME, "Perfect");
	} else if (count <= NAMES) {
		const int last = count > 1 ? count - 1 : 1;
		snprintf(out, LEVEL_NAME, "%s", names[at * (NAMES - 1 + perfect) / last]);
	} else {
		const int name = at * NAMES / count, first = (name * count + NAMES - 1) / NAMES;
		const int next = ((name + 1) * count + NAMES - 1) / NAMES;
		snprintf(out, LEVEL_NAME, next - first > 1 ? "%s %d" : "%s", names[name],
			 at - first + 1);
	}
}

/* ---- Ladders ---- */

const char *const *ladder_levels(const struct qv_game *game, int64_t ladder)
{
	const struct game_player *part = game_player_find(context_engine(game), &lurgee_kind);
	const struct lurgee_kit *kit = part ? part->own : NULL;
	if (ladder == LADDER_OWN)
		return qv_levels(game);
	return !kit ? NULL : ladder == LADDER_LURGEE ? kit->documents : kit->release;
}

static const struct option own_options[] = {
	OWN_OPTION(struct level_settings, "level", OPTION_INT, level, .min = 1, .max = 1000,
		   .value = "N", .help = "the level; 1 is the easiest (level:3 for short)"),
	OWN_OPTION(struct level_settings, "ladder", OPTION_CHOICE, ladder,
		   .choices = "own|lurgee|lurgee22", .value = "NAME",
		   .help = "the game's own levels, or the Lurgee framework's: lurgee by its "
			   "documents, lurgee22 by its release"),
	{ 0 },
};
static const struct option *const options[] = { own_options, opening_options, NULL };

/* Has no `make`: player_settings replaces a level by the player it stands for. */
const struct player_kind level_kind = {
	.name = "level", .help = "level:N: the game's player of that strength; 1 is the easiest",
	.options = options, .first = "level"
};

void level_use_book(const struct qv_game *game, int64_t level, const struct settings *given,
		    struct settings *out)
{
	const struct level_book *use = NULL;
	for (const struct level_book *b = context_engine(game)->level_books; b && b->from; b++)
		use = b->from <= level ? b : use;
	if (!use || *out->book || out->no_book)
		return;
	snprintf(out->book, sizeof out->book, "auto");
	out->weighted = given->weighted != BOOK_BY_WEIGHT ? given->weighted : use->weighted;
	out->recall = given->recall != 100 ? given->recall : use->recall;
}

/* ---- The strongest ---- */

void strongest_player(const struct qv_game *game, const char *limit, char spec[STRONGEST_SPEC])
{
	const struct engine *engine = context_engine(game);
	const char *kind = game->seats == 2 && !root_averages(game) ? "negascout"
			   : game->seats == 2 && engine->chance ? "expectimax"
			   : game->seats >= 2 && engine->multi	? "maxn"
								: "mcts";
	/* mcts has no depth to search to, so it gets a node limit that is never reached. */
	const bool deep = strncmp(limit, "depth=", 6) == 0;
	struct settings settings;
	if (engine->strongest) {
		snprintf(spec, STRONGEST_SPEC, "%s%c%s", engine->strongest,
			 strchr(engine->strongest, ':') ? ',' : ':', limit);
		/* A player with a depth of its own, or without any, obeys the caller's limits alone. */
		if (spec_parse(spec, NULL, &settings, NULL) != QV_OK)
			snprintf(spec, STRONGEST_SPEC, "%s", engine->strongest);
	} else {
		snprintf(spec, STRONGEST_SPEC, "%s:%s", kind,
			 deep && strcmp(kind, "mcts") == 0 ? "nodes=1000000000000" : limit);
	}
	const size_t length = strlen(spec);
	/* A limit on depth is that of a protocol, whose client wants a search, or a table's value. */
	if (engine->prove_nodes && (!deep || engine->tables_alone))
		snprintf(spec + length, STRONGEST_SPEC - length, ",prove=%lld",
			 (long long)engine->prove_nodes);
}

void hint_player(const struct qv_game *game, const char *limit, char spec[STRONGEST_SPEC])
{
	const struct engine *engine = context_engine(game);
	strongest_player(game, limit, spec);
	const size_t length = strlen(spec);
	/* A game that is solved has something better than a book. */
	if (engine->level_books && !(engine->prove_nodes && game->solved))
		snprintf(spec + length, STRONGEST_SPEC - length, ",book=auto,weighted=0");
}

/* ---- Ratings ---- */

/* The list is sorted by rating: its first and last entries are the bounds. */
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

bool context_rated(const struct qv_game *game, int elo, char spec[STRONGEST_SPEC])
{
	const struct rated_player *p = context_engine(game)->rated;
	if (!p)
		return false;
	/* The last player that is not stronger; below the list its first one. */
	while (p[1].elo && p[1].elo <= elo)
		p++;
	int value = p->value;
	if (p[1].elo && elo > p->elo) {
		/* Between two of a kind the value is interpolated, else the nearer one plays. */
		const bool alike = strcmp(p->spec, p[1].spec) == 0 && strcmp(p->key, p[1].key) == 0;
		if (!alike && elo - p->elo > p[1].elo - elo)
			p++;
		value = p->value;
		if (alike)
			value += (p[1].value - p->value) * (elo - p->elo) / (p[1].elo - p->elo);
	}
	snprintf(spec, STRONGEST_SPEC, "%s,%s=%d", p->spec, p->key, value);
	return true;
}
