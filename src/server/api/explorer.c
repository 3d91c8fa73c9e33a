/*
 * explorer.c - the opening explorer: which moves were played in a position, and how the games ended.
 * SPDX-License-Identifier: MIT
 *
 * The store has an index of the first moves of all finished games, by position, so that
 * transpositions count. A game enters it in the same unit of work as its end. Games that ended
 * before there was an index are added in the background, one after another.
 *
 * Everybody sees the counts of public games and links to them. Private games count only for their
 * players, in the explorer of their own games: a position that occurred once would give the whole
 * game away.
 *
 * A position is indexed by its hash. Hashes may change with a new version of a game, so each game
 * of the index carries a mark made of the hashes of a few sample positions. When the server starts,
 * games with another mark leave the index, a few at a time, and are added again.
 */
#include <stdlib.h>

#include "formats/board_json.h"
#include "record/record.h"
#include "server/api/inside.h"

enum {
	PLIES_MOST = 40,   /* of a game that are indexed */
	SAMPLE_PLIES = 12, /* for the mark */
	RECENT_MOST = 8,   /* games of one response */
	RETRY_MS = 1000,
	REMOVED_MOST = 5,  /* outdated games in one unit: each has up to PLIES_MOST visits */
	REST_MS = 50,	   /* between two such units, for others */
};

/* ---- Positions as numbers ---- */

/* The same for all positions that are equal but for counters that only grow. */
static int64_t position_number(const struct qv_rules *rules, const char *name, const void *state)
{
	const struct qv_game *g = rules->game;
	const uint64_t hash = g->repeat_hash ? g->repeat_hash(state) : g->hash(state);
	return (int64_t)qv_mix(hash ^ qv_hash_bytes(name, strlen(name)));
}

/* Of the hashes of these rules: it changes when they do. 0: out of memory. */
static int64_t mark_of(const struct qv_context *context, const struct qv_rules *rules,
		       const char *name)
{
	const struct qv_game *g = rules->game;
	qv_move *moves = mem_new(&mem_malloc, (size_t)g->max_moves, sizeof *moves);
	struct qv_record *record = NULL;
	uint64_t mark = 0;
	if (moves && qv_record_new(context, rules, "start", &record, NULL) == QV_OK)
		for (int ply = 0; ply < SAMPLE_PLIES; ply++) {
			const void *state = qv_record_state(record);
			mark = qv_mix(mark + (uint64_t)position_number(rules, name, state));
			const int count = g->moves(state, moves);
			if (!count || qv_record_play(record, moves[count / 2], -1, NULL) != QV_OK)
				break;
		}
	qv_record_free(record);
	mem_free(&mem_malloc, moves, (size_t)g->max_moves * sizeof *moves);
	return (int64_t)mark;
}

/* ---- Games for the index ---- */

/* Who moves: as in store.h. */
static int level_of(const struct hosted_game *play, int seat)
{
	const struct hosted_seat *s = seat < 0 ? NULL : hosted_seat_at(play, seat);
	if (!s)
		return LEVEL_CHANCE;
	if (s->kind == SEAT_PERSON)
		return LEVEL_PERSON;
	const long level = strncmp(s->spec, "level:", 6) == 0 ? strtol(s->spec + 6, NULL, 10) : 0;
	return level > 0 && level < 1000 ? (int)level : LEVEL_UNKNOWN;
}

/* [[position, move, level], ...]: each position where the game reached it first. NULL: no memory. */
static json_t *visits_json(const struct qv_context *context, const struct hosted_game *play,
			   const char *name)
{
	const struct qv_record *record = hosted_record(play);
	const struct qv_rules *rules = qv_record_rules(record);
	const struct qv_game *g = rules->game;
	const int plies = qv_record_ply(record) < PLIES_MOST ? qv_record_ply(record) : PLIES_MOST;
	int64_t seen[PLIES_MOST];
	void *state = qv_state_new(context, g);
	if (!state)
		return NULL;
	json_t *list = json_array();
	tree_state_at(record, 0, state);
	for (int i = 0; i < plies; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		const qv_move move = qv_record_move(record, i);
		int before = 0;
		seen[i] = position_number(rules, name, state);
		while (seen[before] != seen[i])
			before++;
		g->move_text(state, move, &out);
		if (before == i)
			list = json_item(list, json_pack("[I, s, i]", (json_int_t)seen[i], text,
							 level_of(play, g->seat(state))));
		g->play(state, move);
	}
	qv_state_free(context, g, state);
	return list;
}

/*
 * Queues the game for the index. A game without a result gets a row without visits, so that it is
 * not looked at again. Out of memory: the game is left out.
 */
static void index_game(struct api *api, const struct hosted_game *play, const char *id,
		       int64_t ended)
{
	const struct qv_rules *rules = qv_record_rules(hosted_record(play));
	const int winner = qv_record_winner(hosted_record(play));
	char name[STORE_GAME] = "";
	struct qv_text out = { name, sizeof name, 0 };
	qv_rules_text(rules, &out);
	json_t *list =
		winner == QV_UNDECIDED ? json_array() : visits_json(api->setup.context, play, name);
	char *visits = json_to_text(list, RESPONSE_JSON);
	char *entry = json_to_text(game_finished_json(play, "", ended), RESPONSE_JSON);
	const struct store_explored row = {
		.play = id,
		.game = name,
		.mark = mark_of(api->setup.context, rules, name),
		.result = winner < 0 ? 0 : winner + 1,
		.is_public = !hosted_private(play),
		.entry = entry,
		.visits = visits,
	};
	if (visits && entry)
		store_put_explored(api->store, &row);
	free(visits);
	free(entry);
}

void explorer_write(struct api *api, const struct room *room)
{
	if (hosted_over(room->play))
		index_game(api, room->play, room->id, api_seconds(api));
	else
		store_drop_explored(api->store, room->id);
}

/* ---- Games that are not in the index yet ---- */

/* A game that could not be written stays out of the index until the next start. */
static void on_indexed(void *ctx, bool ok)
{
	struct api *api = ctx;
	(void)ok;
	api->index_busy = false;
}

/* A game in memory is newer than what was read from the store. */
static void take_game(struct api *api, const char *id, const struct store_play *row,
		      const struct hosted_game *play)
{
	const struct room *room = room_at(api, id);
	if (room)
		play = room->play;
	if (play && hosted_over(play))
		index_game(api, play, id, row ? row->updated : api_seconds(api));
	if (store_end_unit(api->store, on_indexed, api) != QV_OK)
		api->index_busy = false;
}

/* The next game that is not in the index, if there is one among those that were looked at. */
static void on_unexplored(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct api *api = ctx;
	char next[STORE_ID] = "";
	(void)error; /* it is asked again */
	const bool good = rows && store_row_unexplored(rows, api->index_last, next);
	store_rows_free(rows);
	api->index_complete = good && !*api->index_last;
	api->index_ms = good ? 0 : api_now(api) + RETRY_MS;
	api->index_busy = *next && !api->closing && game_read(api, next, take_game);
}

/* ---- Games whose hashes have changed ---- */

static bool is_outdated(const struct api *api, const char *game, int64_t mark)
{
	struct qv_rules rules;
	if (qv_rules_parse(api->setup.context, game, &rules, NULL) != QV_OK)
		return false; /* of a plug-in that is not loaded */
	const int64_t now = mark_of(api->setup.context, &rules, game);
	return now && now != mark;
}

/* The same mark is looked at again, until no game has it. */
static void on_removed(void *ctx, bool ok)
{
	struct api *api = ctx;
	api->index_busy = false;
	api->index_ms = api_now(api) + (ok ? REST_MS : RETRY_MS);
}

/* Does that pair come after the last one? If not, the table is damaged, and the search would not end. */
static bool is_next_mark(const struct api *api, const char *game, int64_t mark)
{
	const int order = strncmp(game, api->index_game, sizeof api->index_game - 1);
	return order > 0 || (order == 0 && mark > api->index_mark);
}

/* Marks are looked at in the order of games. */
static void on_mark(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct api *api = ctx;
	int64_t mark = 0;
	const char *game = rows && rows->count ? store_row_mark(rows, 0, &mark) : "";
	(void)error; /* it is asked again */
	api->index_busy = false;
	api->index_ms = rows ? 0 : api_now(api) + RETRY_MS;
	if (!*game) {
		api->index_ready = rows;
	} else if (!is_next_mark(api, game, mark)) {
		api->index_ms = api_now(api) + RETRY_MS;
	} else if (!is_outdated(api, game, mark)) {
		snprintf(api->index_game, sizeof api->index_game, "%s", game);
		api->index_mark = mark;
	} else if (!api->closing) {
		store_drop_outdated(api->store, game, mark, REMOVED_MOST);
		api->index_busy = store_end_unit(api->store, on_removed, api) == QV_OK;
		api->index_ms = api_now(api) + RETRY_MS;
	}
	store_rows_free(rows);
}

/* First what is outdated leaves the index, then it gets what it lacks. */
int64_t explorer_turn(struct api *api)
{
	const struct store_value values[] = { value_text(api->index_game),
					      value_number(api->index_mark) };
	const struct store_value last = value_text(api->index_last);
	if (api->index_busy || api->index_complete || api->closing)
		return -1;
	if (api_now(api) < api->index_ms)
		return api->index_ms;
	const enum qv_status status =
		api->index_ready
			? store_read(api->store, ASK_UNEXPLORED, &last, 1, on_unexplored, api)
			: store_read(api->store, ASK_NEXT_MARK, values, 2, on_mark, api);
	api->index_busy = status == QV_OK;
	api->index_ms = api_now(api) + RETRY_MS;
	return api->index_busy ? -1 : api->index_ms;
}

/* ---- The route ---- */

struct tallies {
	const struct qv_game *game;
	const void *state;
	json_t *moves;
	int64_t games, computers, levels; /* the latter two of the last move of the list */
};

static void add_to(json_t *object, const char *key, int64_t number)
{
	const json_int_t before = json_integer_value(json_object_get(object, key));
	json_object_set_new(object, key, json_integer(before + number));
}

/* The last object of the list if it is of this move, or a new one; NULL: no such move here. */
static json_t *object_of(struct tallies *t, const char *text)
{
	const size_t count = json_array_size(t->moves);
	json_t *last = count ? json_array_get(t->moves, count - 1) : NULL;
	qv_move move;
	if (last && strcmp(json_string_value(json_object_get(last, "move")), text) == 0)
		return last;
	if (qv_move_parse(t->game, t->state, text, &move, NULL) != QV_OK)
		return NULL;
	json_t *wins = json_array();
	for (int seat = 0; seat < t->game->seats; seat++)
		json_array_append_new(wins, json_integer(0));
	json_t *object = json_pack("{s:s, s:i, s:o, s:i, s:i, s:n}", "move", text, "games", 0,
				   "wins", wins, "draws", 0, "people", 0, "level");
	object = put_short(object, t->game, t->state, move);
	t->computers = t->levels = 0;
	return json_array_append_new(t->moves, object) == 0 ? object : NULL;
}

/* Rows of the same move follow each other. */
static void take_tally(struct tallies *t, const struct store_tally *tally)
{
	json_t *object = object_of(t, tally->move);
	if (!object || tally->result > t->game->seats)
		return;
	t->games += tally->games;
	t->computers += tally->computers;
	t->levels += tally->levels;
	add_to(object, "games", tally->games);
	add_to(object, "people", tally->people);
	if (tally->result)
		json_array_set_new(json_object_get(object, "wins"), (size_t)tally->result - 1,
				   json_integer(tally->games));
	else
		add_to(object, "draws", tally->games);
	if (t->computers)
		json_object_set_new(object, "level",
				    json_real((double)t->levels / (double)t->computers));
}

/* "all" or "mine". False: an error was sent. */
static bool whose_games(struct api *api, const struct api_request *r, const char **user)
{
	const char *whose;
	if (!body_text(api, r, "whose", &whose))
		return false;
	*user = NULL;
	if (!whose || strcmp(whose, "all") == 0)
		return true;
	if (strcmp(whose, "mine") != 0) {
		reply_error(api, r->call, 400, "whose: must be all or mine");
		return false;
	}
	*user = r->visitor->user;
	return acts_as_user(api, r);
}

/* The tallies and the latest games of a position. False: READ_LATER. */
static bool read_position(struct api *api, const struct api_request *r, int64_t number,
			  const char *user, const struct store_rows **tallies,
			  const struct store_rows **recent)
{
	const struct store_value own[] = { value_number(number), value_text(user ? user : ""),
					   value_number(RECENT_MOST) };
	const struct store_value all[] = { own[0], own[2] };
	if (user) {
		*tallies = read_rows(api, r, ASK_OWN_TALLY, own, 2, NULL);
		*recent = read_rows(api, r, ASK_OWN_VISITORS, own, 3, NULL);
	} else {
		*tallies = read_rows(api, r, ASK_TALLY, all, 1, NULL);
		*recent = read_rows(api, r, ASK_VISITORS, all, 2, NULL);
	}
	return *tallies && *recent;
}

/* POST /api/v1/explorer: the moves that were played in a position. */
void post_explorer(struct api *api, const struct api_request *r)
{
	struct request_position at;
	const struct store_rows *tallies, *recent;
	struct store_tally tally;
	const char *user;
	char name[STORE_GAME] = "";
	struct qv_text out = { name, sizeof name, 0 };
	if (!body_keys(api, r, "game position moves whose") || !whose_games(api, r, &user) ||
	    !request_position_open(api, r, &at))
		return;
	const void *state = qv_record_state(at.record);
	qv_rules_text(&at.rules, &out);
	if (!read_position(api, r, position_number(&at.rules, name, state), user, &tallies,
			   &recent)) {
		request_keep_position(api, &at);
		return;
	}
	struct tallies t = { .game = at.rules.game, .state = state, .moves = json_array() };
	for (size_t i = 0; store_row_tally(tallies, i, &tally); i++)
		take_tally(&t, &tally);
	request_position_release(&at);
	reply(api, r->call, 200,
	      json_pack("{s:s, s:I, s:b, s:o, s:o}", "game", name, "games", (json_int_t)t.games,
			"complete", (int)api->index_complete, "moves", t.moves, "recent",
			entries_json(recent)));
}
