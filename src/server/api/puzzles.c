/*
 * puzzles.c - how often puzzles are solved, and their ratings (Glicko-2) by that.
 * SPDX-License-Identifier: MIT
 *
 * The page has the puzzles themselves; the program embeds the same files, so that it knows which
 * there are and what rating each begins with. A game's puzzles are read when they are first needed.
 * The ratings are in the store alone, for all servers. Of two attempts at the same moment both are
 * counted, but only the later one may move the rating.
 *
 * Visitors report their own results, so one of them must not be able to do much harm: an attempt
 * counts once for each visitor and puzzle, an address has few attempts at a puzzle, and one attempt
 * moves a rating by LARGEST_STEP at most.
 */
#include <math.h>
#include <stdlib.h>

#include "base/embed.h"
#include "match/glicko.h"
#include "puzzle/puzzle.h"
#include "server/api/inside.h"
#include "server/api/limits.h"

#define FIRST_DEVIATION 150.0 /* of the first guess */
#define FIRST_VOLATILITY 0.06
#define LEAST_DEVIATION 45.0 /* so that a rating can always follow its results */
#define LARGEST_STEP 40.0

enum {
	ATTEMPTS_A_MINUTE = 30,
	ATTEMPT_BURST = 15,
	SAME_BURST = 5, /* attempts of one address at one puzzle; one more each hour */
	LOWEST = 400,
	HIGHEST = 3000,
	SURE = 50, /* the least deviation that a visitor can claim */
};

/* ---- The puzzles ---- */

/* To add one, write web/puzzles/GAME.txt, which CMake embeds unchanged, and add GAME to this list. */
#define FILES(X)                                                                                 \
	X(backgammon)                                                                            \
	X(chess) X(connect4) X(draughts) X(gomoku) X(hexapawn) X(minichess) X(morris) X(noughts) \
		X(noughts3d) X(race) X(reversi) X(warptrog)

#define X(name)                          \
	EMBEDDED(char puzzles_##name[]); \
	EMBEDDED(uint64_t puzzles_##name##_size);
FILES(X)
#undef X

static const struct {
	const char *game, *text;
	const uint64_t *size;
} files[] = {
#define X(name) { #name, puzzles_##name, &puzzles_##name##_size },
	FILES(X)
#undef X
};

enum { FILE_COUNT = sizeof files / sizeof *files };

struct rated_puzzles {
	struct puzzles_of_game {
		struct store_puzzle *list; /* as nobody has tried them; NULL: not read yet */
		int count;
	} games[FILE_COUNT];
};

void puzzles_forget(struct rated_puzzles *puzzles)
{
	for (int i = 0; puzzles && i < FILE_COUNT; i++)
		free(puzzles->games[i].list);
	free(puzzles);
}

/* NULL: there is no such puzzle. */
static const struct store_puzzle *find_puzzle(const struct puzzles_of_game *puzzles, const char *id)
{
	for (int i = 0; i < puzzles->count; i++)
		if (strcmp(puzzles->list[i].id, id) == 0)
			return &puzzles->list[i];
	return NULL;
}

/* Reads the file of a game. */
static enum qv_status read_puzzles(struct api *api, int file, struct puzzles_of_game *out,
				   struct qv_error *error)
{
	struct puzzle_list list = { 0 };
	enum qv_status status =
		puzzles_read(api->setup.context, files[file].text, *files[file].size, &list, error);
	if (status != QV_OK)
		return status;
	struct puzzles_of_game made = { calloc((size_t)list.count + 1, sizeof *made.list),
					list.count };
	if (!made.list)
		status = qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	for (int i = 0; made.list && i < list.count; i++) {
		made.list[i] = (struct store_puzzle){ .rating = puzzle_guess(&list.puzzles[i]),
						      .deviation = FIRST_DEVIATION,
						      .volatility = FIRST_VOLATILITY };
		puzzle_id(&list.puzzles[i], made.list[i].id);
	}
	puzzles_release(&list);
	*out = made;
	return status;
}

/* The puzzles of the game that the path names. NULL: an error was sent. */
static struct puzzles_of_game *puzzles_for(struct api *api, const struct api_request *r)
{
	struct qv_error error = { "" };
	int file = 0;
	while (file < FILE_COUNT && strcmp(files[file].game, r->words[0]) != 0)
		file++;
	if (file == FILE_COUNT) {
		reply_error(api, r->call, 404, "puzzles: this game has none");
		return NULL;
	}
	if (!api->puzzles)
		api->puzzles = calloc(1, sizeof *api->puzzles);
	if (!api->puzzles) {
		reply_no_memory(api, r->call);
		return NULL;
	}
	struct puzzles_of_game *puzzles = &api->puzzles->games[file];
	if (puzzles->list || read_puzzles(api, file, puzzles, &error) == QV_OK)
		return puzzles;
	reply_error(api, r->call, 503, "puzzles: %s", error.text);
	return NULL;
}

static json_t *puzzle_json(const struct store_puzzle *p)
{
	return json_pack("{s:s, s:i, s:i, s:I, s:I}", "id", p->id, "rating", (int)lround(p->rating),
			 "deviation", (int)lround(p->deviation), "tries", (json_int_t)p->tries,
			 "solved", (json_int_t)p->solved);
}

/* GET /api/v1/puzzles/GAME: those that somebody has tried, and that are still in the file. */
void get_puzzles(struct api *api, const struct api_request *r)
{
	const struct store_value game = value_text(r->words[0]);
	const struct puzzles_of_game *puzzles = puzzles_for(api, r);
	const struct store_rows *rows =
		puzzles ? read_rows(api, r, ASK_PUZZLES, &game, 1, NULL) : NULL;
	struct store_puzzle stored;
	if (!rows)
		return;
	json_t *list = json_array();
	for (size_t i = 0; i < rows->count; i++)
		if (store_row_puzzle(rows, i, &stored) && find_puzzle(puzzles, stored.id))
			list = json_item(list, puzzle_json(&stored));
	reply(api, r->call, 200, json_pack("{s:o}", "puzzles", list));
}

/* ---- Attempts ---- */

static double within(double least, double x, double most)
{
	return x < least ? least : x > most ? most : x;
}

/* The puzzle has played a game against the visitor, and lost it if it was solved. */
static void rate_puzzle(struct store_puzzle *p, bool solved, double rating, double deviation)
{
	const struct glicko_result result = { rating, deviation, solved ? 0 : 1 };
	const struct glicko before = { p->rating, p->deviation, p->volatility };
	const struct glicko after = glicko_rate(before, &result, 1);
	const double step = within(-LARGEST_STEP, after.rating - p->rating, LARGEST_STEP);
	p->rating = within(LOWEST, p->rating + step, HIGHEST);
	p->deviation = fmax(LEAST_DEVIATION, after.deviation);
	p->volatility = after.volatility;
	p->tries++;
	p->solved += solved;
}

/*
 * The puzzle as it is rated by now, if anybody has tried it, and whether the visitor has. False:
 * READ_LATER.
 */
static bool read_attempt(struct api *api, const struct api_request *r, struct store_puzzle *puzzle,
			 bool *before)
{
	const struct store_value values[] = { value_text(r->visitor->user), value_text(r->words[0]),
					      value_text(puzzle->id) };
	const struct store_rows *tried = read_rows(api, r, ASK_ATTEMPT, values, 3, NULL);
	const struct store_rows *rated = read_rows(api, r, ASK_PUZZLE, values + 1, 2, NULL);
	if (!tried || !rated)
		return false;
	struct store_puzzle stored;
	if (store_row_puzzle(rated, 0, &stored))
		*puzzle = stored;
	*before = tried->count;
	return true;
}

/*
 * Does the first attempt count? The visitor's bucket covers the time until the store has the attempt; the
 * address's limits visitors who begin again as somebody else.
 */
static bool counts(struct api *api, const struct api_request *r, const char *puzzle)
{
	const char *game = r->words[0], *user = r->visitor->user;
	char name[LIMIT_NAME];
	snprintf(name, sizeof name, "puzzle %s %s %s", game, puzzle, user);
	if (!limits_take(api->limits, name, 1.0 / 60, 1, api_now(api)))
		return false;
	snprintf(name, sizeof name, "puzzle %s %s", game, puzzle);
	return api_take(api, name, r->visitor->address, 1.0 / 60, SAME_BURST);
}

/* POST /api/v1/puzzles/GAME/attempts */
void post_attempt(struct api *api, const struct api_request *r)
{
	const char *id;
	bool solved, before;
	json_int_t rating, deviation;
	if (!acts_as_user(api, r) || !body_keys(api, r, "puzzle solved rating deviation") ||
	    !body_text(api, r, "puzzle", &id) || !body_boolean(api, r, "solved", &solved) ||
	    !body_integer(api, r, "rating", LOWEST, HIGHEST, 1500, &rating) ||
	    !body_integer(api, r, "deviation", SURE, (json_int_t)GLICKO_MOST_DEVIATION,
			  (json_int_t)GLICKO_MOST_DEVIATION, &deviation) ||
	    !api_limit(api, r, "puzzles", ATTEMPTS_A_MINUTE, ATTEMPT_BURST))
		return;
	const struct puzzles_of_game *puzzles = puzzles_for(api, r);
	if (!puzzles)
		return;
	const struct store_puzzle *found = id ? find_puzzle(puzzles, id) : NULL;
	if (!found) {
		reply_error(api, r->call, 404, "puzzle: no such puzzle");
		return;
	}
	struct store_puzzle puzzle = *found;
	if (!read_attempt(api, r, &puzzle, &before))
		return;
	if (before || !counts(api, r, id)) {
		reply(api, r->call, 200, puzzle_json(&puzzle));
		return;
	}
	rate_puzzle(&puzzle, solved, (double)rating, (double)deviation);
	struct store_puzzle change = puzzle;
	change.tries = 1; /* they are added */
	change.solved = solved;
	const int64_t day = api_seconds(api) / 86400;
	store_put_puzzle(api->store, r->visitor->user, day, r->words[0], &change);
	store_put_attempt(api->store, r->visitor->user, r->words[0], id, day);
	reply_when_stored(api, r->call, 200, puzzle_json(&puzzle));
}
