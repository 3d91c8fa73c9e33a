/*
 * lab_learn.c - requests of the laboratory: the player `learn` plays a series of games, and its
 * memory is shown as matchboxes with a bead for each move that it may still play.
 * SPDX-License-Identifier: MIT
 *
 * Each request plays the games again: the same seed gives the same games.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "core/context.h"
#include "core/learned_moves.h"
#include "search/player_kind.h"
#include "server/wasm/inside.h"

enum { GAMES = 50, GAMES_MOST = 2000, PLIES_MOST = 200, BOXES_MOST = 20000, SECONDS_MOST = 120 };

/* A position in which the learner was to move, or one symmetric to it. */
struct box {
	int game; /* that opened it, from 1 */
	int times;
};

struct lesson {
	struct qv_rules rules;
	struct qv_player *learner, *opponent;
	const struct qv_context *context;
	const struct learned *learned;
	int games, seat; /* the learner's seat; -1: by turns, first as seat 0 */
	int *results;	 /* of each game: 1 won, 0 drawn, -1 lost */
	size_t *known;	 /* how many moves were learned after each game */
	bool keeps_games;
	json_t *played; /* if so, of each game: its moves, and the beads that were drawn */
	/* The boxes, in the order in which they were opened. */
	struct box *boxes;
	unsigned char *forms; /* their positions */
	size_t count, room, form_room;
	struct map by_hash;
	void *state, *scratch[2];
	int64_t until_us; /* when the time for all games is over */
};

static void lesson_release(struct lesson *l)
{
	const struct qv_game *g = l->rules.game;
	qv_player_free(l->learner);
	qv_player_free(l->opponent);
	if (g)
		mem_free(&mem_malloc, l->forms, l->form_room * g->state_size);
	mem_free(&mem_malloc, l->boxes, l->room * sizeof *l->boxes);
	free(l->results);
	free(l->known);
	json_decref(l->played);
	free(l->state);
	free(l->scratch[0]);
	free(l->scratch[1]);
	map_release(&l->by_hash);
}

/* Opens the box of the position; *box: its number. */
static enum qv_status open_box(struct lesson *l, int game, size_t *box, struct qv_error *error)
{
	const size_t size = l->rules.game->state_size;
	learned_box(l->learned, l->state, l->scratch[0], l->scratch[1]);
	const uint64_t key = l->rules.game->hash(l->scratch[0]);
	const void *number;
	for (size_t at = 0; (number = map_next_of(&l->by_hash, key, &at));) {
		const size_t place = map_to_number(number);
		if (memcmp(l->forms + place * size, l->scratch[0], size) == 0) {
			l->boxes[place].times++;
			*box = place;
			return QV_OK;
		}
	}
	if (l->count == BOXES_MOST)
		return qv_fail(error, QV_UNSUPPORTED, "learn: more than %d boxes", BOXES_MOST);
	if (!mem_reserve(&mem_malloc, &l->boxes, &l->room, l->count + 1, sizeof *l->boxes) ||
	    !mem_reserve(&mem_malloc, &l->forms, &l->form_room, l->count + 1, size) ||
	    !map_add(&l->by_hash, key, map_of_number(l->count)))
		return qv_fail(error, QV_NO_MEMORY, "learn: out of memory");
	memcpy(l->forms + l->count * size, l->scratch[0], size);
	*box = l->count;
	l->boxes[l->count++] = (struct box){ .game = game + 1, .times = 1 };
	return QV_OK;
}

/* The bead of a move in this position: one of the symmetric moves in its box stands for all. */
static json_t *bead_json(struct lesson *l, size_t box, qv_move move)
{
	const struct qv_game *g = l->rules.game;
	const void *form = l->forms + box * g->state_size;
	bool found = memcmp(l->state, form, g->state_size) == 0;
	qv_move bead = move;
	for (int k = 1; g->image && k < g->symmetries; k++) {
		g->image(l->state, k, l->scratch[0]);
		if (memcmp(l->scratch[0], form, g->state_size) != 0)
			continue;
		const qv_move image = g->image_move(l->state, k, move);
		if (!found || image < bead)
			bead = image;
		found = true;
	}
	return json_pack("{s:I, s:o}", "box", (json_int_t)box, "move",
			 move_text_json(g, form, bead));
}

/* `watch` of the players' limits; ctx: when the time is over. */
static bool before_deadline(void *until_us, uint64_t nodes)
{
	(void)nodes;
	return clock_us() < *(const int64_t *)until_us;
}

/* A game in progress, as JSON, if games are kept. */
struct played {
	json_t *moves, *beads;
};

/* The next move; `own`: the learner's. */
static enum qv_status play_move(struct lesson *l, int game, bool own, struct played *played,
				struct qv_error *error)
{
	const struct qv_game *g = l->rules.game;
	const struct qv_limits limits = { .watch = before_deadline, .watch_ctx = &l->until_us };
	struct qv_answer answer;
	size_t box = 0;
	enum qv_status status = own ? open_box(l, game, &box, error) : QV_OK;
	if (status == QV_OK)
		status = player_choose(own ? l->learner : l->opponent, l->state, &limits, NULL,
					 &answer, error);
	if (status == QV_STOPPED || !before_deadline(&l->until_us, 0))
		return qv_fail(error, QV_STOPPED,
			       "learn: more than %d seconds; request fewer games, or a "
			       "faster opponent",
			       SECONDS_MOST);
	if (status != QV_OK)
		return status;
	if (l->keeps_games)
		played->moves = json_item(played->moves, move_text_json(g, l->state, answer.move));
	if (l->keeps_games && own)
		played->beads = json_item(played->beads, bead_json(l, box, answer.move));
	g->play(l->state, answer.move);
	return QV_OK;
}

/* Plays a game; a long one counts as a draw. */
static enum qv_status play(struct lesson *l, int game, struct qv_error *error)
{
	const struct qv_game *g = l->rules.game;
	const int seat = l->seat < 0 ? game % 2 : l->seat;
	int32_t points[QV_MAX_SEATS] = { 0 };
	struct played played = { NULL, NULL };
	enum qv_status status = QV_OK;
	if (l->keeps_games)
		played = (struct played){ json_array(), json_array() };
	g->start(l->rules.options, l->state);
	for (int ply = 0; ply < PLIES_MOST && status == QV_OK; ply++) {
		if (g->result(l->state, points) != QV_GOING)
			break;
		status = play_move(l, game, g->seat(l->state) == seat, &played, error);
	}
	if (l->keeps_games)
		l->played = json_item(l->played, json_pack("{s:o, s:o}", "moves", played.moves,
							   "beads", played.beads));
	if (status != QV_OK)
		return status;
	if (g->result(l->state, points) != QV_GOING)
		l->results[game] =
			(points[seat] > points[1 - seat]) - (points[seat] < points[1 - seat]);
	status = qv_player_game_over(l->learner, l->state, error);
	l->known[game] = l->learned->count;
	return status;
}

static enum qv_status run(struct lesson *l, const char *opponent, uint64_t seed,
			  struct qv_error *error)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 1
	};
	const size_t size = l->rules.game->state_size;
	enum qv_status status =
		qv_player_new(l->context, &l->rules, "learn", &defaults, &l->learner, error);
	if (status == QV_OK)
		status = qv_player_new(l->context, &l->rules, opponent, &defaults, &l->opponent,
				       error);
	if (status != QV_OK)
		return status;
	if (l->learner->settings.kind != &learn_kind)
		return qv_fail(error, QV_UNSUPPORTED, "learn: not available for %.40s",
			       l->rules.game->name);
	l->learned = learn_player_learned(l->learner);
	l->by_hash = (struct map){ .allocator = &mem_malloc };
	l->played = l->keeps_games ? json_array() : NULL;
	l->results = calloc((size_t)l->games, sizeof *l->results);
	l->known = calloc((size_t)l->games, sizeof *l->known);
	l->state = malloc(size);
	l->scratch[0] = malloc(size);
	l->scratch[1] = malloc(size);
	if (!l->results || !l->known || !l->state || !l->scratch[0] || !l->scratch[1])
		return qv_fail(error, QV_NO_MEMORY, "learn: out of memory");
	l->until_us = clock_us() + SECONDS_MOST * INT64_C(1000000);
	for (int game = 0; game < l->games && status == QV_OK; game++)
		status = play(l, game, error);
	return status;
}

/* Reads the request and plays its games. False: an error was sent. Release the lesson in any case. */
static bool open_lesson(struct api *api, const struct api_request *r, bool keeps_games,
			struct lesson *l)
{
	const char *game, *opponent;
	json_int_t games, seed, seat;
	struct qv_error error = { "" };
	*l = (struct lesson){ .context = api->setup.context, .keeps_games = keeps_games };
	if (!body_keys(api, r, "game games seed seat opponent") ||
	    !body_text(api, r, "game", &game) || !body_text(api, r, "opponent", &opponent) ||
	    !body_integer(api, r, "games", 1, GAMES_MOST, GAMES, &games) ||
	    !body_integer(api, r, "seed", 0, INT64_MAX, 1, &seed) ||
	    !body_integer(api, r, "seat", 0, 2, 0, &seat))
		return false;
	struct qv_rules rules;
	enum qv_status status =
		qv_rules_parse(l->context, game ? game : "hexapawn", &rules, &error);
	if (status != QV_OK) {
		reply_error(api, r->call, 400, "%s", error.text);
		return false;
	}
	l->rules = rules;
	l->games = (int)games;
	l->seat = (int)seat - 1;
	status = run(l, opponent ? opponent : "random", (uint64_t)seed, &error);
	if (status != QV_OK)
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 409, "%s", error.text);
	return status == QV_OK;
}

static json_t *state_json(const struct qv_game *g, const void *state)
{
	char text[QV_POSITION_TEXT] = "";
	g->position_text(state, &(struct qv_text){ text, sizeof text, 0 });
	return json_text(text);
}

void post_learn(struct api *api, const struct api_request *r)
{
	struct lesson l;
	if (open_lesson(api, r, true, &l)) {
		const struct qv_game *g = l.rules.game;
		json_t *results = json_array(), *removed = json_array();
		int wins = 0;
		for (int i = 0; i < l.games; i++) {
			results = json_item(results, json_integer(l.results[i]));
			wins += l.results[i] > 0;
			for (size_t k = i ? l.known[i - 1] : 0; k < l.known[i]; k++) {
				qv_move move;
				const void *state = learned_at(l.learned, k, &move);
				removed = json_item(
					removed, json_pack("{s:i, s:o, s:o}", "game", i + 1,
							   "position", state_json(g, state), "move",
							   move_text_json(g, state, move)));
			}
		}
		reply(api, r->call, 200,
		      json_pack("{s:i, s:i, s:I, s:o, s:o, s:O}", "games", l.games, "wins", wins,
				"boxes", (json_int_t)l.count, "results", results, "removed",
				removed, "played", l.played));
	}
	lesson_release(&l);
}

/* ---- The boxes ---- */

/* Whether the move is the mirror image of another one in the same box. */
static bool is_image(struct lesson *l, const void *state, qv_move move)
{
	const struct qv_game *g = l->rules.game;
	for (int k = 1; g->image && k < g->symmetries; k++) {
		g->image(state, k, l->scratch[0]);
		if (memcmp(l->scratch[0], state, g->state_size) == 0 &&
		    g->image_move(state, k, move) < move)
			return true;
	}
	return false;
}

/* The game that removed the bead, from 1; 0: it is still there. */
static int game_of(const struct lesson *l, const void *state, qv_move move)
{
	if (!learned_has(l->learned, state, move))
		return 0;
	for (int game = 0; game < l->games; game++)
		for (size_t k = game ? l->known[game - 1] : 0; k < l->known[game]; k++) {
			qv_move lost;
			const void *at = learned_at(l->learned, k, &lost);
			if (lost == move && memcmp(at, state, l->rules.game->state_size) == 0)
				return game + 1;
		}
	return 0;
}

static json_t *box_json(struct lesson *l, size_t place)
{
	const struct qv_game *g = l->rules.game;
	const void *state = l->forms + place * g->state_size;
	qv_move list[QV_MAX_MOVES];
	json_t *moves = json_array();
	const int n = g->moves(state, list);
	int beads = 0;
	for (int i = 0; i < n; i++) {
		if (is_image(l, state, list[i]))
			continue;
		const int game = game_of(l, state, list[i]);
		beads += !game;
		moves = json_item(moves,
				  json_pack("{s:o, s:o}", "move", move_text_json(g, state, list[i]),
					    "removed", game ? json_integer(game) : json_null()));
	}
	return json_pack("{s:o, s:i, s:i, s:i, s:o}", "position", state_json(g, state), "game",
			 l->boxes[place].game, "times", l->boxes[place].times, "beads", beads,
			 "moves", moves);
}

void post_boxes(struct api *api, const struct api_request *r)
{
	struct lesson l;
	if (open_lesson(api, r, false, &l)) {
		json_t *boxes = json_array();
		for (size_t i = 0; i < l.count; i++)
			boxes = json_item(boxes, box_json(&l, i));
		reply(api, r->call, 200, json_pack("{s:i, s:o}", "games", l.games, "boxes", boxes));
	}
	lesson_release(&l);
}
