/*
 * position.c - positions and moves of any game from text; legal moves; perft.
 * SPDX-License-Identifier: MIT
 *
 * A move text is compared with the canonical text of every legal move, so that no game needs a
 * parser of its own. That costs one move list and its texts, which is fine for input from users.
 */
#include "base/text.h"
#include "core/context.h"
#include "search/legal.h"

enum qv_status qv_position_parse(const struct qv_rules *rules, const char *text, void *state,
				 struct qv_error *error)
{
	if (text && *text && strcmp(text, "start") != 0)
		return rules->game->position_parse(rules->options, text, state, error);
	rules->game->start(rules->options, state);
	return QV_OK;
}

bool qv_move_legal(const struct qv_game *game, const void *state, qv_move move)
{
	qv_move list[QV_MAX_MOVES];
	return legal_among(game, state, list, game->moves(state, list), move);
}

/* How well a move matches the text. 2: exactly; 1: except for letter case; 0: not at all. */
static int match_quality(const struct qv_game *game, const void *state, qv_move move,
			 const char *text)
{
	char buffer[QV_MOVE_TEXT] = "";
	struct qv_text out = { buffer, sizeof buffer, 0 };
	game->move_text(state, move, &out);
	if (strcmp(buffer, text) == 0)
		return 2;
	return text_same(buffer, text);
}

/* Finds the move with this text. *found: how many moves match; *exact: the match is exact. */
static qv_move match(const struct qv_game *game, const void *state, const char *text, int *found,
		     bool *exact)
{
	qv_move list[QV_MAX_MOVES], best = QV_NO_MOVE;
	const int n = game->moves(state, list);
	int alike = 0;
	for (int i = 0; i < n; i++) {
		const int most = legal_max_count(game, state, list[i]);
		for (int count = 1; count <= most; count++) {
			const qv_move move =
				count < most ? game->with_count(list[i], count) : list[i];
			const int like = match_quality(game, state, move, text);
			if (like == 2) {
				*found = 1;
				*exact = true;
				return move;
			}
			alike += like;
			if (like)
				best = move;
		}
	}
	*found = alike;
	return best;
}

/* The game may explain why the move is not legal. */
static enum qv_status refuse(const struct qv_game *game, const void *state, const char *text,
			     struct qv_error *error)
{
	char why[160] = "";
	struct qv_text out = { why, sizeof why, 0 };
	if (context_engine(game)->refusal && strlen(text) < QV_MOVE_TEXT)
		context_engine(game)->refusal(state, text, &out);
	return qv_fail(error, QV_ILLEGAL, "move '%.40s': %s", text,
		       *why ? why : "not a legal move here");
}

enum qv_status qv_move_parse(const struct qv_game *game, const void *state, const char *text,
			     qv_move *out, struct qv_error *error)
{
	int32_t points[QV_MAX_SEATS];
	int found = 0;
	if (game->result(state, points) == QV_ENDED)
		return qv_fail(error, QV_ILLEGAL, "move '%.40s': the game has ended", text);
	if (strlen(text) < QV_MOVE_TEXT) {
		bool exact = false;
		qv_move move = match(game, state, text, &found, &exact), own;
		/*
		 * The game's own parser takes precedence: in chess, B1c3 is a bishop move, not
		 * b1c3.
		 */
		if (!exact && game->move_parse && game->move_parse(state, text, &own) &&
		    qv_move_legal(game, state, own)) {
			move = own;
			found = 1;
		}
		if (found == 1) {
			*out = move;
			return QV_OK;
		}
	}
	if (found > 1)
		return qv_fail(error, QV_ILLEGAL, "move '%.40s': ambiguous, more than one move matches",
			       text);
	return refuse(game, state, text, error);
}

int qv_winner(const struct qv_game *game, const int32_t *points)
{
	int winner = 0, best = 1;
	for (int seat = 1; seat < game->seats; seat++) {
		if (points[seat] > points[winner]) {
			winner = seat;
			best = 1;
		} else if (points[seat] == points[winner]) {
			best++;
		}
	}
	return best > 1 ? -1 : winner;
}

enum qv_status qv_perft(const struct qv_context *context, const struct qv_game *game,
			const void *state, const struct qv_perft_limits *limits, uint64_t *leaves,
			struct qv_error *error)
{
	return perft_count(context_allocator(context), game, context_engine(game)->perft, state,
			   limits, leaves, error);
}
