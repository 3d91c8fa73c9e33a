/*
 * pgn_move.c - moves in PGN, and which games can be written as PGN.
 * SPDX-License-Identifier: MIT
 *
 * Reading is lenient, as files of other programs need it: check marks and move numbers attached to
 * a move are ignored.
 */
#include "formats/pgn.h"

#include "core/context.h"

enum qv_status pgn_suits(const struct qv_game *game, struct qv_error *error)
{
	if (game->seats != 2 || game->chance || !game->alternates)
		return qv_fail(error, QV_UNSUPPORTED,
			       "%s: PGN is for games of two players who alternate, without dice",
			       game->name);
	return QV_OK;
}

void pgn_move_text(const struct qv_game *game, const void *state, qv_move move, struct qv_text *out)
{
	const struct engine *engine = context_engine(game);
	(engine->short_text ? engine->short_text : game->move_text)(state, move, out);
}

bool pgn_move_parse(const struct qv_game *game, const void *state, const char *text, qv_move *out)
{
	char word[QV_MOVE_TEXT];
	const size_t length = strlen(text);
	if (qv_move_parse(game, state, text, out, NULL) == QV_OK)
		return true;
	if (length >= sizeof word)
		return false;
	memcpy(word, text, length + 1);
	/* Ignore check and mate signs that the game's own notation lacks. */
	size_t end = length;
	while (end && (word[end - 1] == '+' || word[end - 1] == '#'))
		word[--end] = '\0';
	if (end < length && qv_move_parse(game, state, word, out, NULL) == QV_OK)
		return true;
	/* "1e4": a move number without a separator. */
	const size_t digits = strspn(word, "0123456789");
	return digits && qv_move_parse(game, state, word + digits, out, NULL) == QV_OK;
}
