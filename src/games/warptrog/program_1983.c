/*
 * program_1983.c - the Warp Trog program of the 1983 book: two plies on the scores of moves.
 * SPDX-License-Identifier: MIT
 *
 * The value of a move is its score minus the best score among the replies. Its own moves are sorted
 * (line 740). A reply that makes the move no better than the best one so far ends the search of its
 * replies after the man at hand (lines 300 and 640). From the second move on, the reply of the best
 * line is tried first (the killer, lines 540 to 560). A single move is played at once (the chopper,
 * line 730), and so is one that leaves no reply (line 700). Then lines 930 to 950 decide whether to
 * warp. sort=0 and prune=0 delete lines 740 and 640.
 *
 * The listing always plays the upper side. This program plays either: below, it looks its opening
 * replies up in the board turned by half.
 *
 * The listing remembers where its opponent moved last. A state does not have that, so the program
 * compares the opponent's men with those it saw last: a move puts exactly one man on a new square.
 *
 * literal=1 follows the faults of the listing. The sums of material are exchanged (lines 1150 and
 * 1160), so that line 950 never warps and line 1970 always counts. Line 2030 skips a test. The first
 * reply is always d5-d4, even if the opponent has moved first. And line 2560 overwrites the file that
 * chooses the third move. Letters that are clearly misprinted are corrected always.
 */
#include "games/warptrog/program_1983.h"

#include "base/clock.h"
#include "games/warptrog/book_score.h"
#include "games/warptrog/evaluate.h"
#include "search/legal.h"
#include "search/root.h"
#include "search/visit.h"

enum {
	NOISE = BOOK_POINT / 40,   /* line 1860 */
	WORST = -99 * BOOK_POINT,
	SCORE_UNIT = BOOK_POINT / 100, /* scores are reported in hundredths of a Valg */
};

struct trog_player {
	struct qv_player base;
	struct qv_random random;
	bool playing;              /* it has moved in this game, and what follows is valid */
	uint64_t theirs;           /* the opponent's men when it was last to move */
	uint8_t their_warps;
	int last;                  /* the square that the opponent moved to last, or WARPTROG_NONE */
	int number;                /* of its move, from 1 (MO) */
	bool in_book;              /* BO = 0 */
	int file;                  /* that chooses its opening replies, 1 to 6 (QZ) */
};

/* What a search knows. */
struct trog_search {
	struct trog_player *player;
	struct book_board board;
	uint64_t scored;
	int32_t best;              /* R(0) */
	struct book_move reply;    /* the best reply of the best line, S(1) to S(4) */
	bool has_reply;
	/* NULL: no callback for single nodes. Else the root, and the position after the move. */
	const struct qv_listener *listener;
	struct warptrog root, after;
};

/* A list of moves and their scores. */
struct trog_list {
	int count;
	struct book_move move[WARPTROG_MAX_MOVES];
	int32_t score[WARPTROG_MAX_MOVES];
};

/* ---- What happened since its last move ---- */

static bool is_start(const struct warptrog *s)
{
	static const int64_t any[] = { 0, WARPTROG_TEXT };
	struct warptrog start;
	warptrog_start(&start, any);
	return s->men[0] == start.men[0] && s->men[1] == start.men[1] && s->trogs == start.trogs;
}

/* The square that the first side reached with its first move, or WARPTROG_NONE. */
static int first_move(const struct warptrog *s)
{
	static const int64_t any[] = { 0, WARPTROG_TEXT };
	struct warptrog start;
	qv_move list[WARPTROG_MAX_MOVES];
	warptrog_start(&start, any);
	for (int n = warptrog_moves(&start, list); n > 0; n--) {
		struct warptrog next = start;
		warptrog_play(&next, list[n - 1]);
		if (next.men[0] == s->men[0] && next.men[1] == s->men[1] && next.trogs == s->trogs)
			return (int)(list[n - 1] >> WARPTROG_TO);
	}
	return WARPTROG_NONE;
}

/* Updates what it remembers of the game. */
static void look(struct trog_player *p, const struct warptrog *s)
{
	const int me = s->turn, first = me ? first_move(s) : WARPTROG_NONE;
	const uint64_t theirs = s->men[1 - me], came = theirs & ~p->theirs;
	const bool known = p->playing;
	const int warps = p->their_warps - s->warps[1 - me];
	p->playing = true;
	p->theirs = theirs;
	p->their_warps = s->warps[1 - me];
	if (is_start(s) || first != WARPTROG_NONE) {
		p->in_book = true;
		p->last = first;
		p->file = 0;
		/* Without its first reply, all of its book can be reached by the second player. */
		p->number = me && !p->base.settings.literal ? 2 : 1;
	} else if (known && warps == 0 && bits_count(came) == 1) {
		p->last = bits_lowest(came);
		p->number++;
	} else if (known && warps == 1) {
		p->number++;
	} else if (!known || warps || came) {
		p->last = WARPTROG_NONE;
		p->number = 0;
		p->in_book = false;
	}
}

/* ---- The opening, lines 2410 to 2670 ---- */

/* The board as the upper side sees it. */
static struct warptrog turned(const struct warptrog *s)
{
	struct warptrog o = *s;
	o.men[0] = o.men[1] = o.trogs = 0;
	for (int square = 0; square < WARPTROG_SQUARES; square++) {
		const uint64_t there = UINT64_C(1) << (WARPTROG_SQUARES - 1 - square);
		o.men[1] |= s->men[0] >> square & 1 ? there : 0;
		o.men[0] |= s->men[1] >> square & 1 ? there : 0;
		o.trogs |= s->trogs >> square & 1 ? there : 0;
	}
	return o;
}

static int square_at(int file, int rank)
{
	return file - 1 + WARPTROG_SIZE * (rank - 1);
}

static qv_move step(int file, int rank, int to_file, int to_rank)
{
	return (qv_move)(square_at(file, rank) | square_at(to_file, to_rank) << WARPTROG_TO);
}

/* The reply of the book for the upper side; QV_NO_MOVE: it leaves the book. */
static qv_move book_reply(struct trog_player *p, const struct book_board *b, int last_file,
			  int last_rank)
{
	const int n = p->number;
	const bool trog_d4 = b->at[4][4] == BOOK_TROG;
	if (n == 1)
		return step(4, 5, 4, 4);
	if (n == 2 && trog_d4 && b->at[4][2] != -BOOK_TROG && b->at[3][3] != -BOOK_TROG)
		return b->at[3][4] == -BOOK_TROG ? step(4, 4, 3, 4) : step(4, 4, 4, 3);
	if (n == 2)
		p->file = last_file;
	if (n > 3)
		return QV_NO_MOVE;
	switch (p->file) {
	case 1:
		if (n == 2)
			return step(2, 5, 2, 4);
		return last_rank != 3 ? QV_NO_MOVE
		       : last_file == 2 ? step(1, 5, 1, 4)
		       : last_file == 3 ? step(5, 5, 5, 4)
					: QV_NO_MOVE;
	case 2:
		if (n == 2)
			return step(1, 5, 1, 4);
		return last_file == 1 && last_rank == 3 ? step(2, 5, 2, 4) : QV_NO_MOVE;
	case 3: {
		if (n != 2)
			return QV_NO_MOVE;
		const int drawn = p->base.settings.random ? (int)qv_random_below(&p->random, 2) : 0;
		if (p->base.settings.literal)
			p->file = drawn;
		return b->at[6 - drawn][3] ? QV_NO_MOVE : step(6 - drawn, 5, 6 - drawn, 4);
	}
	case 4:
		if (n != 2 || (!trog_d4 && b->at[4][5] != BOOK_TROG))
			return QV_NO_MOVE;
		return !trog_d4 ? step(4, 5, 4, 4) : b->at[6][3] ? QV_NO_MOVE : step(6, 5, 6, 4);
	case 5:
		if (n == 2)
			return b->at[6][3] ? QV_NO_MOVE : step(6, 5, 6, 4);
		return b->at[5][3] == -1 ? step(5, 5, 5, 4) : QV_NO_MOVE;
	case 6:
		if (n == 2)
			return step(1, 5, 1, 4);
		return b->at[1][3] == -1 ? step(5, 5, 5, 4) : QV_NO_MOVE;
	default: return QV_NO_MOVE;
	}
}

/* The book's move among these, or QV_NO_MOVE: then it leaves the book for good. */
static qv_move look_up(struct trog_player *p, const struct warptrog *s, const qv_move *moves, int n)
{
	struct book_board b;
	const int turn = s->turn ? 0 : WARPTROG_SQUARES - 1; /* turns a square by half if not 0 */
	const struct warptrog upper = turn ? turned(s) : *s;
	const int last = p->last == WARPTROG_NONE ? p->last : turn ? turn - p->last : p->last;
	const bool known = last != WARPTROG_NONE;
	if (!p->in_book)
		return QV_NO_MOVE;
	book_board_fill(&b, &upper);
	qv_move move = book_reply(p, &b, known ? last % WARPTROG_SIZE + 1 : 0,
				  known ? last / WARPTROG_SIZE + 1 : 0);
	if (turn && move != QV_NO_MOVE)
		move = (qv_move)(turn - (int)(move & 63)) |
		       (qv_move)(turn - (int)(move >> WARPTROG_TO)) << WARPTROG_TO;
	for (int i = 0; i < n; i++)
		if (moves[i] == move)
			return move;
	p->in_book = false;
	return QV_NO_MOVE;
}

/* ---- The search ---- */

static qv_move move_of(struct book_move m)
{
	return step(m.i, m.j, m.u, m.v);
}

/*
 * Visits, with values for the side that the program plays, in the units of the answer. Its own move
 * is entered before its replies; the window says what a move must exceed to be the best.
 */
static void enter_move(struct trog_search *x, struct book_move m)
{
	x->after = x->root;
	warptrog_play(&x->after, move_of(m));
	visit_enter(x->listener,
		    &(struct qv_visit){ .state = &x->after,
					.move = move_of(m),
					.ply = 1,
					.depth = 1,
					.seat = x->root.turn,
					.alpha = x->best > WORST ? (double)x->best / SCORE_UNIT
								 : -(double)INFINITY,
					.beta = INFINITY });
}

/* A reply, and the value of the move if this is the answer to it. */
static void report_reply(const struct trog_search *x, struct book_move m, int32_t value,
			 unsigned flags)
{
	struct warptrog then = x->after;
	warptrog_play(&then, move_of(m));
	visit_enter(x->listener, &(struct qv_visit){ .state = &then,
						     .move = move_of(m),
						     .ply = 2,
						     .seat = x->root.turn,
						     .alpha = -INFINITY,
						     .beta = INFINITY,
						     .flags = flags });
	visit_why(x->listener, 2, QV_WHY_LEAF, (double)value / SCORE_UNIT);
	visit_leave(x->listener, 2, (double)value / SCORE_UNIT, QV_NO_MOVE);
}

/* Line 1860: with random=1 each score has a small random part. */
static int32_t score_of(struct trog_search *x, struct book_move m)
{
	x->scored++;
	return book_score(&x->board, m) +
	       (x->player->base.settings.random
			? (int32_t)qv_random_below(&x->player->random, NOISE)
			: 0);
}

/* Whether a man with this sign may go there, lines 160 to 200. */
static bool can_go(const struct book_board *b, struct book_move m, int o)
{
	if (m.u < 1 || m.u > WARPTROG_SIZE || m.v < 1 || m.v > WARPTROG_SIZE)
		return false;
	const int there = b->at[m.u][m.v];
	if (book_same_sign(there, o))
		return false;
	return b->at[m.i][m.j] == BOOK_TROG * o || !there ||
	       (!book_same_sign(b->at[m.u - 1][m.v], -o) &&
		!book_same_sign(b->at[m.u + 1][m.v], -o));
}

/* Lists the moves of the man on a square, in the order of lines 120 to 150. */
static int moves_of_man(const struct book_board *b, int i, int j, struct book_move list[4])
{
	const int man = b->at[i][j], o = man < 0 ? -1 : 1;
	const struct book_move all[4] = { { i, j, i, j - 1 }, { i, j, i, j + 1 },
					  { i, j, i - 1, j }, { i, j, i + 1, j } };
	int n = 0;
	for (int k = 0; man && k < 4; k++)
		if ((book_abs(man) == BOOK_TROG || (all[k].u == i && all[k].v == j - o)) &&
		    can_go(b, all[k], o))
			list[n++] = all[k];
	return n;
}

/* Lines 540 to 670: the best score of the replies, by a side; false: it has none. */
static bool best_reply(struct trog_search *x, int32_t score, bool killer, int o, int32_t *best,
		       struct book_move *reply)
{
	const bool prune = x->player->base.settings.prune;
	struct book_board *b = &x->board;
	bool cut = false;
	int count = 0;
	*best = WORST;
	if (killer && x->has_reply && book_same_sign(b->at[x->reply.i][x->reply.j], o) &&
	    can_go(b, x->reply, o)) {
		*best = score_of(x, x->reply);
		*reply = x->reply;
		cut = score - *best <= x->best;
		count++;
		if (x->listener)
			report_reply(x, x->reply, score - *best, QV_VISIT_KILLER);
	}
	for (int i = 1; i <= WARPTROG_SIZE; i++)
		for (int j = 1; j <= WARPTROG_SIZE && !(prune && cut); j++) {
			struct book_move list[4];
			const int n =
				book_same_sign(b->at[i][j], o) ? moves_of_man(b, i, j, list) : 0;
			for (int k = 0; k < n; k++, count++) {
				const int32_t value = score_of(x, list[k]);
				if (value > *best) {
					*best = value;
					*reply = list[k];
				}
				cut |= score - *best <= x->best;
				if (x->listener)
					report_reply(x, list[k], score - value, 0);
			}
		}
	if (x->listener && prune && cut)
		visit_why(x->listener, 1, QV_WHY_CUT, (double)(score - *best) / SCORE_UNIT);
	return count > 0;
}

/* Ascending, as the quicksort of lines 1560 to 1810 leaves them. */
static void sort_list(struct trog_list *list)
{
	for (int i = 1; i < list->count; i++) {
		const struct book_move move = list->move[i];
		const int32_t score = list->score[i];
		int at = i;
		for (; at > 0 && list->score[at - 1] > score; at--) {
			list->move[at] = list->move[at - 1];
			list->score[at] = list->score[at - 1];
		}
		list->move[at] = move;
		list->score[at] = score;
	}
}

/* Lines 740 to 920: the index of the best move of the list, which is searched from its end. */
static int search(struct trog_search *x, struct trog_list *list, bool *wins)
{
	struct book_board *b = &x->board;
	int chosen = list->count - 1;
	if (x->player->base.settings.sort)
		sort_list(list);
	x->best = WORST;
	for (int k = list->count - 1; k >= 0; k--) {
		const struct book_move m = list->move[k];
		const int8_t man = b->at[m.i][m.j], taken = b->at[m.u][m.v];
		int32_t theirs;
		struct book_move reply;
		b->at[m.u][m.v] = man;
		b->at[m.i][m.j] = 0;
		if (x->listener)
			enter_move(x, m);
		const bool replies = best_reply(x, list->score[k], k < list->count - 1,
						man < 0 ? 1 : -1, &theirs, &reply);
		b->at[m.i][m.j] = man;
		b->at[m.u][m.v] = taken;
		if (x->listener && !replies) {
			visit_why(x->listener, 1, QV_WHY_ENDED,
				  (double)list->score[k] / SCORE_UNIT);
			visit_leave(x->listener, 1, (double)list->score[k] / SCORE_UNIT,
				    QV_NO_MOVE);
			visit_why(x->listener, 0, QV_WHY_WON, (double)list->score[k] / SCORE_UNIT);
		} else if (x->listener) {
			visit_leave(x->listener, 1, (double)(list->score[k] - theirs) / SCORE_UNIT,
				    move_of(reply));
		}
		if (!replies) {
			*wins = true;
			return k;
		}
		if (list->score[k] - theirs > x->best) {
			x->best = list->score[k] - theirs;
			x->reply = reply;
			x->has_reply = true;
			chosen = k;
		}
	}
	return chosen;
}

/* Lines 930 to 950, with the value of the best move. */
static bool warps(struct trog_player *p, const struct warptrog *s, int32_t value)
{
	const int32_t mine = warptrog_material(s, s->turn),
		      theirs = warptrog_material(s, 1 - s->turn);
	if (value < -BOOK_POINT * 9 / 10 && value > -7 * BOOK_POINT)
		return true;
	if (!p->base.settings.random || qv_random_below(&p->random, 10) >= 2 ||
	    value > BOOK_POINT / 10)
		return false;
	/* As printed, the sums are exchanged and have the wrong signs, so this is never true. */
	return !p->base.settings.literal && (mine < 7 || mine > 12) && theirs > 6;
}

/* ---- The player ---- */

/* Searches the named moves; may choose the warp if it is among them. */
static void choose(struct trog_player *p, const struct warptrog *s, const qv_move *moves, int n,
		   const struct qv_listener *listener, struct qv_answer *out)
{
	struct trog_search x = { .player = p,
				 .best = WORST,
				 .listener = root_is_watched(listener) ? listener : NULL,
				 .root = *s };
	struct trog_list list = { .count = 0 };
	bool warp = false, wins = false;
	const bool known = p->last != WARPTROG_NONE;
	book_board_fill(&x.board, s);
	x.board.literal = p->base.settings.literal;
	x.board.endgame =
		x.board.literal || warptrog_material(s, 0) + warptrog_material(s, 1) < 10;
	x.board.a = known ? p->last % WARPTROG_SIZE + 1 : 0;
	x.board.b = known ? p->last / WARPTROG_SIZE + 1 : 0;
	for (int i = 0; i < n; i++) {
		if (moves[i] == WARPTROG_WARP) {
			warp = true;
			continue;
		}
		list.move[list.count] = book_move_of(moves[i]);
		list.score[list.count] = score_of(&x, list.move[list.count]);
		list.count++;
	}
	*out = (struct qv_answer){ .move = WARPTROG_WARP, .depth = 1, .line_length = 1 };
	if (x.listener)
		visit_enter_root(x.listener, s, s->turn, 2);
	if (x.listener && list.count == 1) { /* the chopper: valued by its own score */
		enter_move(&x, list.move[0]);
		visit_why(x.listener, 1, QV_WHY_LEAF, (double)list.score[0] / SCORE_UNIT);
		visit_leave(x.listener, 1, (double)list.score[0] / SCORE_UNIT, QV_NO_MOVE);
	}
	int32_t value = 0;
	if (list.count) {
		const int best = list.count > 1 ? search(&x, &list, &wins) : 0;
		value = list.count > 1 && !wins ? x.best : list.score[best];
		out->score = value / SCORE_UNIT;
		if (!warp || wins || !warps(p, s, value))
			out->move = move_of(list.move[best]);
		if (out->move != WARPTROG_WARP && list.count > 1 && !wins) {
			out->depth = 2;
			out->line[1] = move_of(x.reply);
			out->line_length = 2;
		}
	}
	if (x.listener)
		visit_leave(x.listener, 0, (double)value / SCORE_UNIT, out->move);
	p->in_book &= out->move != WARPTROG_WARP;
	out->nodes = out->evals = out->considered = x.scored;
}

static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct trog_player *p = (struct trog_player *)base;
	const int64_t started = clock_us();
	qv_move moves[WARPTROG_MAX_MOVES];
	struct warptrog s;
	memcpy(&s, state, sizeof s);
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (warptrog_has_ended(&s))
		return QV_OK;
	if (warptrog_seat(&s) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "player: chance is to move, not a player");
	const int n = legal_keep_named(moves, warptrog_moves(&s, moves), limits);
	look(p, &s);
	const qv_move reply = look_up(p, &s, moves, n);
	if (reply == QV_NO_MOVE)
		choose(p, &s, moves, n, listener, out);
	else
		*out = (struct qv_answer){ .move = reply, .depth = 1, .line_length = 1 };
	if (reply != QV_NO_MOVE && root_is_watched(listener)) {
		visit_enter_root(listener, &s, s.turn, 0); /* from its opening book */
		visit_leave(listener, 0, 0, reply);
	}
	out->line[0] = out->move;
	out->seconds = (double)(clock_us() - started) / 1e6;
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return QV_OK;
}

static void new_game(struct qv_player *base)
{
	struct trog_player *p = (struct trog_player *)base;
	p->random = (struct qv_random){ .key = base->settings.seed };
	p->playing = p->in_book = false;
	p->theirs = 0;
	p->their_warps = 0;
	p->last = WARPTROG_NONE;
	p->number = p->file = 0;
}

static void free_player(struct qv_player *base)
{
	mem_free(base->allocator, base, sizeof(struct trog_player));
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	struct trog_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	new_game(&p->base);
	return player_finish(QV_OK, &p->base, out);
}

const struct one_ply_program warptrog_program_1983 = { .has_literal = true, .make = make };
