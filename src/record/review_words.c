/*
 * review_words.c - one sentence about a mistake, made of facts that are proven or measured.
 * SPDX-License-Identifier: MIT
 *
 * A fact is looked for in the order of enum review_fact, and the first one found is told:
 *  - wins and draws, which the solver, the tables or the search have proved;
 *  - a prize of the game, as a corner in reversi: a legal move that the opponent has after this move
 *    and would not have after the best one;
 *  - a capture that costs more than half of what it takes, with what the move took before and
 *    whatever is regained in the next REVIEW_REGAIN plies;
 *  - else what the move costs by the searches that valued it, or by the evaluation.
 */
#include "record/review.h"

#include "core/context.h"
#include "games/review_words.h"

/* What the functions here know of a mistake. */
struct mistake {
	const struct qv_game *game;
	const struct review_words *words;
	const void *before;
	void *after, *scratch;
	struct ply_review *at;
};

/* Whose expected score this is: 1 has won, 0 has lost, of proven values. */
static double expected_of(const struct review_value *v, int seat)
{
	return seat == 0 ? v->expected : 1 - v->expected;
}

/* ---- Names ---- */

void review_side(const struct qv_game *game, int seat, struct qv_text *out)
{
	const struct qv_piece *piece = game->board ? game->board->pieces : NULL;
	if (qv_game_seat_name(game, seat)) {
		qv_put(out, qv_game_seat_name(game, seat));
		return;
	}
	while (piece && piece->name && piece->seat != seat)
		piece++;
	const char *space = piece && piece->name ? strchr(piece->name, ' ') : NULL;
	if (!piece || !piece->name || (space && strchr(space + 1, ' '))) {
		qv_put(out, "Player ");
		qv_put_int(out, seat + 1);
		return;
	}
	/*
	 * "white king" is White; a piece of one word is called so itself. More words have no
	 * colour in front: "lower half of a domino".
	 */
	const char first = *piece->name;
	qv_put_char(out, (char)(first >= 'a' && first <= 'z' ? first - 'a' + 'A' : first));
	for (const char *c = piece->name + 1; *c && c != space; c++)
		qv_put_char(out, *c);
}

void review_move(const struct qv_game *game, const void *state, qv_move move, struct qv_text *out)
{
	const struct engine *engine = context_engine(game);
	(engine->short_text ? engine->short_text : game->move_text)(state, move, out);
}

/* ---- Prizes ---- */

static bool is_prize(const struct mistake *m, const void *state, qv_move move)
{
	char text[QV_MOVE_TEXT] = "";
	m->game->move_text(state, move, &(struct qv_text){ text, sizeof text, 0 });
	const size_t length = strlen(text);
	for (const char *p = m->words->prizes; *p; p += strspn(p, " ")) {
		const size_t word = strcspn(p, " ");
		if (word == length && strncmp(p, text, word) == 0)
			return true;
		p += word;
	}
	return false;
}

/* Whether the opponent can play the move after this one of the seat's. */
static bool lets_play(const struct mistake *m, qv_move own, qv_move reply)
{
	memcpy(m->scratch, m->before, m->game->state_size);
	m->game->play(m->scratch, own);
	return m->game->seat(m->scratch) != m->at->seat &&
	       qv_move_legal(m->game, m->scratch, reply);
}

static bool gives_prize(const struct mistake *m)
{
	qv_move list[QV_MAX_MOVES];
	if (!m->words->prizes || m->game->seat(m->after) == m->at->seat)
		return false;
	const int count = m->game->moves(m->after, list);
	for (int i = 0; i < count; i++)
		if (is_prize(m, m->after, list[i]) && !lets_play(m, m->at->best, list[i])) {
			m->at->reply = list[i];
			return true;
		}
	return false;
}

/* ---- Captures ---- */

static int32_t balance(const struct qv_game *game, const void *state, int seat)
{
	return game->material(state, seat) - game->material(state, 1 - seat);
}

/* Whether the seat can reach this balance in so many plies, or end the game without losing it. */
static bool regains(const struct mistake *m, const void *state, int plies, int32_t least)
{
	const struct qv_game *game = m->game;
	const int seat = m->at->seat;
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (game->result(state, points) != QV_GOING)
		return qv_winner(game, points) != 1 - seat;
	if (plies == 0)
		return balance(game, state, seat) >= least;
	const bool own = game->seat(state) == seat;
	const int count = game->moves(state, list);
	void *next = (char *)m->scratch + (size_t)plies * review_stride(game);
	for (int i = 0; i < count; i++) {
		memcpy(next, state, game->state_size);
		game->play(next, list[i]);
		if (regains(m, next, plies - 1, least) == own)
			return own;
	}
	return !own;
}

/* How many pieces of a kind stand on the board. */
static int count_kind(const struct qv_game *game, const void *state, int kind)
{
	struct qv_standing list[QV_MAX_CELLS];
	int sum = 0;
	for (int n = game->board->stand(state, list); n-- > 0;)
		if (list[n].piece == kind)
			sum += list[n].count;
	return sum;
}

/* Sets piece and count to what a move takes from the seat: pieces of one kind. */
static bool takes(const struct mistake *m, const void *from, const void *to)
{
	struct ply_review *at = m->at;
	const struct qv_piece *pieces = m->game->board->pieces;
	int gained = 0;
	at->count = 0;
	for (int kind = 0; pieces[kind].name; kind++) {
		const int less = count_kind(m->game, from, kind) - count_kind(m->game, to, kind);
		if (pieces[kind].seat != at->seat) {
			gained -= less;
		} else if (less > 0 && at->count == 0) {
			at->piece = kind;
			at->count = less;
		} else if (less != 0) {
			return false; /* of several kinds, or pieces that change */
		}
	}
	return at->count > 0 && gained <= 0;
}

/* The balance before the move counts, so that an exchange that ends as it began loses nothing. */
static bool loses_pieces(const struct mistake *m)
{
	const struct qv_game *game = m->game;
	struct ply_review *at = m->at;
	const qv_move reply = at->after.best;
	if (!game->material || !game->board || game->seat(m->after) == at->seat ||
	    !qv_move_legal(game, m->after, reply))
		return false;
	void *taken = m->scratch;
	memcpy(taken, m->after, game->state_size);
	game->play(taken, reply);
	at->reply = reply;
	const int32_t worth =
		balance(game, m->after, at->seat) - balance(game, taken, at->seat);
	return takes(m, m->after, taken) && worth > 0 &&
	       !regains(m, taken, REVIEW_REGAIN, balance(game, m->before, at->seat) - worth / 2);
}

/* ---- Facts ---- */

static bool is_score(const struct review_value *v)
{
	return !v->exact && v->depth > 0 && v->score <= QV_MAX_EVAL && v->score >= -QV_MAX_EVAL;
}

/* What the move costs, in the unit of the scores. */
static double cost_of(const struct mistake *m)
{
	const struct ply_review *at = m->at;
	const int mover = m->game->seat(m->after);
	const double after = mover == at->seat ? at->after.score : -at->after.score;
	return (at->before.score - after) / m->words->one;
}

static enum review_fact find_fact(const struct mistake *m)
{
	const struct ply_review *at = m->at;
	const bool won = at->before.exact && expected_of(&at->before, at->seat) == 1;
	if (m->game->chance)
		return FACT_POINTS;
	if (at->after.exact && expected_of(&at->after, at->seat) == 0)
		return won ? FACT_TURNS : FACT_ALLOWS_WIN;
	if (won)
		return at->after.exact ? FACT_DRAWS : FACT_MISSES_WIN;
	if (gives_prize(m))
		return FACT_PRIZE;
	if (!at->after.exact && loses_pieces(m))
		return FACT_LOSES;
	return m->words->unit && is_score(&at->before) && is_score(&at->after) &&
			       cost_of(m) >= 0.05 ?
		       FACT_COSTS :
		       FACT_LOWERS;
}

/* ---- Sentences ---- */

/* "mate in 2", "four in a row in 3 moves", "a win by 6 discs", "a win". */
static void put_win(const struct mistake *m, const struct review_value *v, struct qv_text *out)
{
	const struct review_words *w = m->words;
	const int margin = v->margin < 0 ? -v->margin : v->margin;
	char text[80];
	if (v->has_margin)
		snprintf(text, sizeof text, margin == 1 ? "a win by one point" : "a win by %d %s",
			 margin, w->unit ? w->unit : "points");
	else if (w->mate && v->in > 0)
		snprintf(text, sizeof text, "mate in %d", (v->in + 1) / 2);
	else if (v->in > 0)
		snprintf(text, sizeof text, v->in <= 2 ? "%s in one move" : "%s in %d moves",
			 w->goal ? w->goal : "a win", (v->in + 1) / 2);
	else
		snprintf(text, sizeof text, "%s", w->goal ? w->goal : "a win");
	qv_put(out, text);
}

/* "the queen", "a rook", "2 men": the name of a piece without its colour. */
static void put_pieces(const struct mistake *m, struct qv_text *out)
{
	const char *name = m->game->board->pieces[m->at->piece].name;
	const char *kind = strchr(name, ' ') ? strchr(name, ' ') + 1 : name;
	const size_t length = strlen(kind);
	const bool men = length >= 3 && strcmp(kind + length - 3, "man") == 0;
	char text[80];
	if (m->at->count == 1) /* the one that is left, or one of several */
		snprintf(text, sizeof text, "%s %s",
			 count_kind(m->game, m->after, m->at->piece) == 1 ? "the" : "a", kind);
	else if (men)
		snprintf(text, sizeof text, "%d %.*smen", m->at->count, (int)length - 3, kind);
	else
		snprintf(text, sizeof text, "%d %ss", m->at->count, kind);
	qv_put(out, text);
}

static int depth_of(const struct ply_review *at)
{
	const int before = at->before.depth, after = at->after.depth ? at->after.depth + 1 : 0;
	return !before ? after : !after || before < after ? before : after;
}

static void put_sentence(const struct mistake *m, struct qv_text *out)
{
	struct ply_review *at = m->at;
	char won[80] = "", lost[80] = "", side[32] = "", own[32] = "", move[QV_MOVE_TEXT] = "";
	char pieces[80] = "", text[REVIEW_SENTENCE] = "";
	put_win(m, &at->before, &(struct qv_text){ won, sizeof won, 0 });
	put_win(m, &at->after, &(struct qv_text){ lost, sizeof lost, 0 });
	review_side(m->game, at->seat, &(struct qv_text){ own, sizeof own, 0 });
	if (m->game->seats == 2)
		review_side(m->game, 1 - at->seat, &(struct qv_text){ side, sizeof side, 0 });
	if (at->reply != QV_NO_MOVE)
		review_move(m->game, m->after, at->reply,
			    &(struct qv_text){ move, sizeof move, 0 });
	switch (at->fact) {
	case FACT_TURNS:
		snprintf(text, sizeof text, "This misses %s and lets %s force %s.", won, side, lost);
		break;
	case FACT_ALLOWS_WIN:
		if (at->after.in == 0)
			snprintf(text, sizeof text, "This loses at once.");
		else if (at->before.exact)
			snprintf(text, sizeof text,
				 "After this %s can force %s; a perfect player would have drawn.",
				 side, lost);
		else if (m->words->mate && at->after.in > 0)
			snprintf(text, sizeof text, "This allows %s.", lost);
		else
			snprintf(text, sizeof text, "After this %s can force %s.", side, lost);
		break;
	case FACT_DRAWS:
		snprintf(text, sizeof text, "This misses %s: from here a perfect player draws.",
			 won);
		break;
	case FACT_MISSES_WIN:
		snprintf(text, sizeof text, "This misses %s.", won);
		break;
	case FACT_PRIZE:
		snprintf(text, sizeof text, "This gives up %s %s next turn.", m->words->prize, move);
		break;
	case FACT_LOSES:
		put_pieces(m, &(struct qv_text){ pieces, sizeof pieces, 0 });
		snprintf(text, sizeof text, "This loses %s to %s.", pieces, move);
		break;
	case FACT_COSTS:
		snprintf(text, sizeof text, "This costs about %.1f %s (depth %d).",
			 cost_of(m), m->words->unit, depth_of(at));
		break;
	case FACT_LOWERS:
		snprintf(text, sizeof text,
			 "This lowers the expected score of %s from %.0f%% to %.0f%% (depth %d).",
			 own, 100 * expected_of(&at->before, at->seat),
			 100 * expected_of(&at->after, at->seat), depth_of(at));
		break;
	case FACT_POINTS:
		snprintf(text, sizeof text, "This gives up %.2f points of equity by the evaluation.",
			 at->points);
		break;
	default:
		break;
	}
	qv_put(out, text);
}

void review_explain(const struct qv_game *game, const void *before, void *after, void *scratch,
		    struct ply_review *at)
{
	const struct mistake m = { game,  review_words(game), before, after, scratch, at };
	memcpy(after, before, game->state_size);
	game->play(after, at->move);
	at->fact = find_fact(&m);
	if (at->fact != FACT_PRIZE && at->fact != FACT_LOSES)
		at->reply = QV_NO_MOVE;
	put_sentence(&m, &(struct qv_text){ at->sentence, sizeof at->sentence, 0 });
}
