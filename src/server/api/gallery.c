/*
 * gallery.c - the gallery of games: all games, their boards, and a sample game of each to show.
 * SPDX-License-Identifier: MIT
 *
 * The first page shows every game with a small moving board. One response has all that it needs,
 * and it is the same for everybody, so it is made once.
 */
#include <stdlib.h>

#include "formats/board_json.h"
#include "server/api/inside.h"

/* ---- Sample games ---- */

enum { SAMPLE_MOVES = 512 }; /* bytes */

/*
 * Moves from the start position, separated by commas. Chess: Morphy against the Duke of Brunswick
 * and Count Isouard, Paris 1858. The others were played by levels of this program.
 */
static const struct {
	const char *game, *moves;
} samples[] = {
	{ "backgammon",
	  "roll 31,8/5 6/5,roll 64,24/14,roll 54,13/8 13/9,roll 65,14/8 13/8,roll 21,9/8 6/4,roll 63,"
	  "24/15,roll 42,8/4 6/4" },
	{ "chess",
	  "e2e4,e7e5,g1f3,d7d6,d2d4,c8g4,d4e5,g4f3,d1f3,d6e5,f1c4,g8f6,f3b3,d8e7,b1c3,c7c6,c1g5,b7b5,"
	  "c3b5,c6b5,c4b5,b8d7,e1c1,a8d8,d1d7,d8d7,h1d1,e7e6,b5d7,f6d7,b3b8,d7b8,d1d8" },
	{ "connect4", "4,4,4,4,4,2,6,4,5,3,2,5,5,5,3,3,3,6,6,2,6,6,2,2" },
	{ "draughts",
	  "11-15,21-17,15-19,23x16,12x19,24x15,10x19,27-23,8-12,23x16,12x19,25-21,4-8,29-25,8-12,17-13,"
	  "7-11,31-27,11-15,21-17,2-7,26-23,19x26,30x23" },
	{ "gomoku", "h8,g9,i9,i7,f8,g7,j8,g8,g6,h7,f7,e8,k7,h10" },
	{ "hexapawn", "b1-b2,a3-b2,a1-b2,c3-c2" },
	{ "minichess",
	  "e2-e3,d6-c4,b2-b3,e6-d6,b3-c4,b5-c4,a2-a3,c6-a4,b1-c3,b6-c6,c1-b1,a6-b6,a1-a2,a4-b5,a2-b2,"
	  "b5-b4,a3-b4,c5-b4,b1-c1,d5-d4,e3-d4,d6-d4" },
	{ "morris",
	  "g4,e4,g7,g1,d3,b2,f4,d6,c5,b6,d1,d2,c4,f6xc5,e3,b4xd3,f2,c3,e3-d3,d6-d5,c4-c5,b4-a4,c5-c4,"
	  "a4-b4xf4" },
	{ "noughts", "5,1,3,7,4,6,2,8,9" },
	{ "noughts3d",
	  "a4C,b3A,b2A,c2C,c3B,d2B,a1A,d1D,b3B,a4A,c3A,d4A,c3C,c3D,c2A,d4D,c1A,c4A,b4A,a1D" },
	{ "race",
	  "roll 6,0-1,roll 6,1-7,roll 4,7-11,roll 6,0-1,roll 6,1-7,roll 2,7-9,roll 5,11-16,roll 6,0-1,roll 3,1-4" },
	{ "reversi",
	  "f5,d6,c3,d3,c4,f4,f6,g5,g6,e3,h5,h6,h4,c5,e2,h3,e6,f2,c7,d7,d8,b4,d2,f7,f8,c8,b3,c6,e7,g4" },
	{ "starchess",
	  "move A1 B1 20,end,move A4 B4 20,end,move D4 C3 20,end,move D1 C1 20,end,colonize B1,end,"
	  "colonize B4,end,colonize C3,end,colonize C1,end,build A1 15,end,build A4 15,end" },
	{ "warptrog", "a2a3,e5e4,e2e3,a5a4,c2c1,e4e3,a3a4,b5b4,a4a5,e3e2,c1d1,e2e1,d1e1,f5f4" },
};

/* "" for a plug-in. */
const char *sample_moves(const char *game)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		if (strcmp(samples[i].game, game) == 0)
			return samples[i].moves;
	return "";
}

/* ---- Frames ---- */

struct standing_list {
	struct qv_standing list[QV_MAX_CELLS];
	int count;
};

static const struct qv_standing *standing_on(const struct standing_list *pieces, int cell)
{
	for (int i = 0; i < pieces->count; i++)
		if (pieces->list[i].cell == cell)
			return &pieces->list[i];
	return NULL;
}

static json_t *piece_json(const struct qv_standing *s, int count)
{
	return json_pack("[i, i, i]", s->cell, s->piece, count);
}

/* The pieces that are new or different, and with a count of 0 those that have left. */
static json_t *changes_json(const struct standing_list *before, const struct standing_list *after)
{
	json_t *changes = json_array();
	for (int i = 0; i < before->count; i++)
		if (!standing_on(after, before->list[i].cell))
			changes = json_item(changes, piece_json(&before->list[i], 0));
	for (int i = 0; i < after->count; i++) {
		const struct qv_standing *now = &after->list[i];
		const struct qv_standing *old = standing_on(before, now->cell);
		if (!old || old->piece != now->piece || old->count != now->count)
			changes = json_item(changes, piece_json(now, now->count));
	}
	return changes;
}

static json_t *marks_json(const struct qv_board *board, const void *state)
{
	int16_t cells[QV_MAX_CELLS];
	const int count = board->marks ? board->marks(state, cells) : 0;
	json_t *marks = json_array();
	for (int i = 0; i < count; i++)
		marks = json_item(marks, json_integer(cells[i]));
	return marks;
}

/* The next position of the sample game. *pieces become those of `state`. Takes `touches`. */
static json_t *frame_json(const struct qv_game *game, const void *state,
			  struct standing_list *pieces, json_t *touches)
{
	struct standing_list now;
	now.count = game->board->stand(state, now.list);
	json_t *frame = json_pack("{s:o, s:o, s:o}", "changes", changes_json(pieces, &now), "marks",
				  marks_json(game->board, state), "touches", touches);
	*pieces = now;
	return frame;
}

/* Plays the sample game as far as its moves are legal. */
static json_t *frames_json(const struct qv_game *game, void *state)
{
	struct standing_list pieces = { .count = 0 };
	char moves[SAMPLE_MOVES], *rest;
	json_t *frames = json_array();
	frames = json_item(frames, frame_json(game, state, &pieces, json_array()));
	snprintf(moves, sizeof moves, "%s", sample_moves(game->name));
	for (char *text = strtok_r(moves, ",", &rest); text; text = strtok_r(NULL, ",", &rest)) {
		qv_move move;
		int32_t points[QV_MAX_SEATS];
		if (game->result(state, points) != QV_GOING ||
		    qv_move_parse(game, state, text, &move, NULL) != QV_OK)
			break;
		json_t *touches = touches_json(game, state, move);
		game->play(state, move);
		frames = json_item(frames, frame_json(game, state, &pieces, touches));
	}
	return frames;
}

/* A game without a board has the text drawing of its start instead. NULL: out of memory. */
static json_t *picture_json(const struct qv_context *context, const struct qv_game *game)
{
	struct qv_rules rules;
	json_t *picture = NULL;
	void *state = qv_state_new(context, game);
	if (state && qv_rules_parse(context, game->name, &rules, NULL) == QV_OK &&
	    qv_position_parse(&rules, "start", state, NULL) == QV_OK) {
		json_t *view = view_json(&rules, state);
		json_t *text = json_object_get(view, "text");
		picture = json_pack("{s:s, s:o, s:O, s:o}", "game", game->name, "board",
				    board_json(&rules), "text",
				    text && !game->board ? text : json_null(), "frames",
				    game->board ? frames_json(game, state) : json_array());
		json_decref(view);
	}
	qv_state_free(context, game, state);
	return picture;
}

/* GET /api/v1/gallery */
void get_gallery(struct api *api, const struct api_request *r)
{
	const struct qv_context *context = api->setup.context;
	if (!api->gallery) {
		json_t *pictures = json_array();
		for (int i = 0; qv_game_at(context, i); i++)
			pictures =
				json_item(pictures, picture_json(context, qv_game_at(context, i)));
		json_t *gallery =
			json_pack("{s:o, s:o}", "games", games_json(api), "pictures", pictures);
		api->gallery = json_to_text(gallery, RESPONSE_JSON);
	}
	reply_kept(api, r->call, api->gallery);
}
