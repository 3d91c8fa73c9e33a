/*
 * select_pick.inc.h - template: staged move picker and history updates of the selective search
 * (select.inc.h).
 * SPDX-License-Identifier: MIT
 *
 * A node tries the table move before it generates any; then captures, best first; killer moves,
 * countermove and other quiet moves by history; losing captures last. Most nodes are cut off before
 * the later stages are generated. Among equal scores the move listed first comes first, so the
 * order is that of a single list of all moves.
 */

/* Scores of the groups of moves; quiet moves' history scores lie between the last two. */
enum {
	G(SELECT_FIRST) = 1 << 30,
	G(SELECT_TAKES) = 1 << 28,
	G(SELECT_KILLER) = 1 << 26,
	G(SELECT_LOSES) = -(1 << 28),
};

/* ---- scores ---- */

/* A move's score and place in one number: higher scores first, then earlier places. */
static inline int64_t G(select_key)(int score, int place)
{
	return (int64_t)score * 65536 + (65535 - place);
}

static inline int G(select_key_place)(int64_t key)
{
	return 65535 - (int)(key & 65535);
}

static inline int G(select_key_score)(int64_t key)
{
	return (int)((key - (key & 65535)) / 65536);
}

/* Selection sort step: swaps the greatest key from i on to place i. */
static inline int64_t G(select_pick)(int64_t *keys, int i, int n)
{
	int best = i;
	for (int k = i + 1; k < n; k++)
		if (keys[k] > keys[best])
			best = k;
	const int64_t key = keys[best];
	keys[best] = keys[i];
	return keys[i] = key;
}

/* The history tables that score quiet moves at this ply; tables of zeros where one is off. */
struct G(select_counts) {
	const int16_t (*routes)[SELECT_ROUTES], *after[3];
	uint64_t attacked; /* squares that the opponent attacks */
};

static inline struct G(select_counts)
	G(select_counts)(const struct duel_worker *w, const G_STATE *s, uint64_t attacked, int ply)
{
	const struct select *t = w->select;
	const struct select_ply *p = &t->plies[ply];
	struct G(select_counts) c = {
		w->history ? t->history[G(seat)(s)] : t->nothing,
		{ t->nothing[0], t->nothing[0], t->nothing[0] },
		attacked,
	};
	for (int i = 0; t->follow && i < 3; i++) {
		const int place = p[i < 2 ? -1 - i : -4].place;
		if (place >= 0)
			c.after[i] = t->continuation_history[place];
	}
	return c;
}

static inline int G(select_quiet_score)(const struct G(select_counts) * c, const G_STATE *s,
					qv_move move)
{
	const int place = G(place)(s, move);
	return c->routes[G(risk)(c->attacked, move)][G(route)(move)] + c->after[0][place] +
	       c->after[1][place] + c->after[2][place] / 2;
}

/* The keys of the captures before place n. code: the table's move, or TABLE_NO_MOVE. */
static void G(select_order_captures)(const struct duel_worker *w, const G_STATE *s,
				  const qv_move *moves, int n, int code, int64_t *keys)
{
	for (int i = 0; i < n; i++) {
		/* The piece gained, in hundredths of a pawn, and the capture history. */
		const int gain = (int)(G(gain)(s, moves[i]) * 100 / G_SELECT_PAWN) * 32;
		const int16_t *history = w->select->capture_history[G(place)(s, moves[i])];
		const int past = w->history ? history[G(victim)(s, moves[i])] : 0;
		const bool first = G(code)(moves[i]) == code;
		keys[i] = G(select_key)(first ? G(SELECT_FIRST) : G(SELECT_TAKES) + gain + past, i);
	}
}

/* The keys of the quiet moves from one place to before another. */
static void G(select_order_quiets)(const struct duel_worker *w, const G_STATE *s, uint64_t attacked,
				   const qv_move *moves, int from, int to, int ply, int code,
				   int64_t *keys)
{
	const struct select *t = w->select;
	const struct select_ply *p = &t->plies[ply];
	const struct G(select_counts) counts = G(select_counts)(w, s, attacked, ply);
	const qv_move first = w->killers ? p->killers[0] : QV_NO_MOVE;
	const qv_move second = w->killers > 1 ? p->killers[1] : QV_NO_MOVE;
	const qv_move reply =
		t->follow && p[-1].place >= 0 ? t->countermoves[p[-1].place] : QV_NO_MOVE;
	for (int i = from; i < to; i++) {
		const qv_move move = moves[i];
		const int score = G(code)(move) == code ? G(SELECT_FIRST)
				  : move == first	? G(SELECT_KILLER) + 2
				  : move == second	? G(SELECT_KILLER) + 1
				  : move == reply	? G(SELECT_KILLER)
							: G(select_quiet_score)(&counts, s, move);
		keys[i] = G(select_key)(score, i);
	}
}

/* ---- one move after the other ---- */

enum G(select_stage) {
	G(STAGE_TABLE), G(STAGE_LIST), G(STAGE_TAKES), G(STAGE_QUIETS), G(STAGE_LOSES)
};

/* The state of a node's move picker. */
struct G(select_picker) {
	enum G(select_stage) stage;
	qv_move first;	  /* the table's move, if it is one */
	int next, end;	  /* the places of the keys still to come in this stage */
	int losing;	  /* number of losing captures, deferred to the last stage */
	int count;	  /* of the moves generated */
	bool checks_only; /* generate only quiet moves that give check */
	/* For a listener: why, as for select_why. */
	enum qv_why why;
	int32_t number;
	bool looked;	  /* `attacked` has been computed */
	uint64_t attacked;
	qv_move moves[G_MAX_MOVES];
	int64_t keys[G_MAX_MOVES];
};

/* code: the table's move, or TABLE_NO_MOVE. */
static inline void G(select_begin)(struct G(select_picker) * p, const G_STATE *s, int code)
{
	p->first = code != TABLE_NO_MOVE ? G(from_code)(s, code) : QV_NO_MOVE;
	p->stage = p->first != QV_NO_MOVE ? G(STAGE_TABLE) : G(STAGE_LIST);
	p->losing = 0;
	p->checks_only = false;
	p->looked = false;
}

/* The squares that the opponent attacks, computed on first use. */
static inline uint64_t G(select_attacked)(struct G(select_picker) * p, const G_STATE *s)
{
	if (!p->looked)
		p->attacked = G(attacked)(s);
	p->looked = true;
	return p->attacked;
}

/* Removes the table move, which was tried first, from the moves from `from` on. */
static inline void G(select_without_first)(struct G(select_picker) * p, int from)
{
	if (p->first == QV_NO_MOVE)
		return;
	for (int i = from; i < p->count; i++)
		if (p->moves[i] == p->first) {
			for (p->count--; i < p->count; i++)
				p->moves[i] = p->moves[i + 1];
			return;
		}
}

static void G(select_list_quiets)(struct duel_worker *w, const G_STATE *s,
				  const G_SELECT_CHECKS *checks, struct G(select_picker) * p,
				  int ply)
{
	const int from = p->count;
	p->count += G(quiets)(s, p->moves + from);
	G(select_without_first)(p, from);
	if (p->checks_only) {
		int kept = from;
		for (int i = from; i < p->count; i++)
			if (G(gives_check)(s, checks, p->moves[i]))
				p->moves[kept++] = p->moves[i];
		w->unproven += kept < p->count;
		if (kept < p->count)
			select_why(w, ply, p->why, p->number);
		p->count = kept;
	}
	const uint64_t attacked = G(select_attacked)(p, s);
	G(select_order_quiets)
	(w, s, attacked, p->moves, from, p->count, ply, TABLE_NO_MOVE, p->keys);
	p->stage = G(STAGE_QUIETS);
	p->next = from;
	p->end = p->count;
}

/* The next move to try, and its score. False: no more moves. */
static bool G(select_next)(struct duel_worker *w, const G_STATE *s, const G_SELECT_CHECKS *checks,
			   struct G(select_picker) * p, int ply, qv_move *move, int *score)
{
	int64_t key;
	if (p->stage == G(STAGE_TABLE)) {
		p->stage = G(STAGE_LIST);
		*move = p->first;
		*score = G(SELECT_FIRST);
		return true;
	}
	if (p->stage == G(STAGE_LIST)) {
		p->count = G(captures)(s, p->moves);
		G(select_without_first)(p, 0);
		G(select_order_captures)(w, s, p->moves, p->count, TABLE_NO_MOVE, p->keys);
		p->stage = G(STAGE_TAKES);
		p->next = 0;
		p->end = p->count;
	}
	if (p->stage == G(STAGE_TAKES)) {
		while (p->next < p->end) {
			key = G(select_pick)(p->keys, p->next++, p->end);
			*move = p->moves[G(select_key_place)(key)];
			*score = G(select_key_score)(key);
			if (!w->select->exchange || G(exchange)(s, *move, 0))
				return true;
			p->keys[p->losing++] = key;
		}
		G(select_list_quiets)(w, s, checks, p, ply);
	}
	if (p->stage == G(STAGE_QUIETS)) {
		if (p->next < p->end) {
			key = G(select_pick)(p->keys, p->next++, p->end);
			*move = p->moves[G(select_key_place)(key)];
			*score = G(select_key_score)(key);
			return true;
		}
		p->stage = G(STAGE_LOSES);
		p->next = 0;
	}
	if (p->next == p->losing)
		return false;
	key = p->keys[p->next++];
	*move = p->moves[G(select_key_place)(key)];
	*score = G(select_key_score)(key) + G(SELECT_LOSES) - G(SELECT_TAKES);
	return true;
}

/* Drops the remaining quiet moves that give no check. */
static void G(select_drop_quiets)(const G_STATE *s, const G_SELECT_CHECKS *checks,
				  struct G(select_picker) * p)
{
	int kept = p->next;
	for (int i = p->next; i < p->end; i++)
		if (G(gives_check)(s, checks, p->moves[G(select_key_place)(p->keys[i])]))
			p->keys[kept++] = p->keys[i];
	p->end = kept;
}

/* ---- history updates ---- */

/* The moves tried before a cut-off. */
struct G(select_tried) {
	qv_move quiets[SELECT_TRIED], takes[SELECT_TRIED];
	int quiet_count, take_count;
};

/* Adds the bonus to a move's history and continuation history. */
static void G(select_update_move)(struct select *t, int ply, int place, int16_t *count, int bonus)
{
	const struct select_ply *p = &t->plies[ply];
	select_update(count, bonus);
	for (int back = 1; back <= 4; back += back < 2 ? 1 : 2)
		if (p[-back].place >= 0)
			select_update(&t->continuation_history[p[-back].place][place], bonus);
}

static inline int16_t *G(select_count)(struct select *t, const G_STATE *s, uint64_t attacked,
				       qv_move move)
{
	return &t->history[G(seat)(s)][G(risk)(attacked, move)][G(route)(move)];
}

static void G(select_update_quiet)(struct duel_worker *w, const G_STATE *s, uint64_t attacked,
				  qv_move move, int ply, int bonus)
{
	G(select_update_move)
	(w->select, ply, G(place)(s, move), G(select_count)(w->select, s, attacked, move), bonus);
}

/* All moves failed low: raises the history of the quiet move that led here. */
static void G(select_reward_parent)(struct select *t, int depth, int ply)
{
	const struct select_ply *before = &t->plies[ply - 1];
	if (ply && before->place >= 0 && before->count)
		G(select_update_move)
	(t, ply - 1, before->place, before->count, select_bonus(depth) / 2);
}

/*
 * A beta cut-off: updates killer moves, countermove and histories. The move's history is raised,
 * that of the moves tried before it is lowered.
 */
static void G(select_reward)(struct duel_worker *w, const G_STATE *s, uint64_t attacked,
			     qv_move move, int depth, int ply, const struct G(select_tried) * tried)
{
	struct select *t = w->select;
	struct select_ply *p = &t->plies[ply];
	const int bonus = select_bonus(depth);
	if (G(quiet)(s, move)) {
		if (p->killers[0] != move) {
			p->killers[1] = p->killers[0];
			p->killers[0] = move;
		}
		if (p[-1].place >= 0)
			t->countermoves[p[-1].place] = move;
		/* An immediate cut-off at depth 1 says little about the move. */
		if (depth > 1 || tried->quiet_count)
			G(select_update_quiet)(w, s, attacked, move, ply, bonus);
		for (int i = 0; i < tried->quiet_count; i++)
			G(select_update_quiet)(w, s, attacked, tried->quiets[i], ply, -bonus);
	} else {
		select_update(&t->capture_history[G(place)(s, move)][G(victim)(s, move)], bonus);
	}
	for (int i = 0; i < tried->take_count; i++)
		select_update(&t->capture_history[G(place)(s, tried->takes[i])][G(victim)(s, tried->takes[i])],
			     -bonus);
}
