/*
 * position.c - positions and moves of any game from text; legal moves; perft.
 * SPDX-License-Identifier: MIT
 *
 * A move text is compared with the canonical text of every legal move, so that no game needs a
 * parser of its own. That costs one move list and its texts, which is fine for input from users.
 */
#include "base/scan.h"
#include "base/sized.h"
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

/*
 * Equal if letter case is ignored and a hyphen before a letter may be blanks or missing: a1a2 and
 * A1 A2 for a1-a2. Between numbers a hyphen is needed: 112 may be 1-12 or 11-2.
 */
static bool same_squares(const char *move, const char *text)
{
	for (; *move; move++) {
		if (*move == '-' && is_letter(move[1]))
			text += *text == '-' ? 1 : strspn(text, " ");
		else if (to_lower(*move) == to_lower(*text))
			text++;
		else
			return false;
	}
	return !*text;
}

/* Finds the move with this text. *found: how many moves match; *exact: the match is exact. */
static qv_move match(const struct qv_game *game, const void *state, const char *text,
		     bool (*same)(const char *move, const char *text), int *found, bool *exact)
{
	qv_move list[QV_MAX_MOVES], best = QV_NO_MOVE;
	struct legal_walk walk = { list, game->moves(state, list), 0 };
	for (qv_move move; (move = legal_next(game, state, &walk)) != QV_NO_MOVE;) {
		char buffer[QV_MOVE_TEXT] = "";
		game->move_text(state, move, &(struct qv_text){ buffer, sizeof buffer, 0 });
		if (strcmp(buffer, text) == 0) {
			*found = 1;
			*exact = true;
			return move;
		}
		if (same(buffer, text)) {
			best = move;
			++*found;
		}
	}
	return best;
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
		qv_move move = match(game, state, text, text_same, &found, &exact), own;
		/*
		 * The game's own parser takes precedence: in chess, B1c3 is a bishop move, not
		 * b1c3.
		 */
		if (!exact && game->move_parse && game->move_parse(state, text, &own) &&
		    qv_move_legal(game, state, own)) {
			move = own;
			found = 1;
		}
		if (!found)
			move = match(game, state, text, same_squares, &found, &exact);
		if (found == 1) {
			*out = move;
			return QV_OK;
		}
	}
	/* Letter case or a missing hyphen may not decide between two moves. */
	if (found > 1)
		return qv_fail(error, QV_ILLEGAL, "move '%.40s': ambiguous, more than one move matches",
			       text);
	/* The game may explain why the move is not legal. */
	char why[160] = "";
	if (context_engine(game)->refusal && strlen(text) < QV_MOVE_TEXT)
		context_engine(game)->refusal(state, text, &(struct qv_text){ why, sizeof why, 0 });
	return qv_fail(error, QV_ILLEGAL, "move '%.40s': %s", text,
		       *why ? why : "not a legal move here");
}

/* The seat with the most points; -1 if several share them. */
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
	struct qv_perft_limits how;
	const enum qv_status status =
		sized_in("qv_perft_limits", &how, sizeof how, limits, error);
	return status == QV_OK ? perft_count(context_allocator(context), game,
					     context_engine(game)->perft, state, &how, leaves,
					     error)
			       : status;
}
