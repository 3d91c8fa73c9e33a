/*
 * hosted_actions.c - what users ask for besides moves: undo, offers, seats, dice, notes.
 * SPDX-License-Identifier: MIT
 *
 * Each action first checks everything: the request, who gives it, and whether it is possible now. Only
 * then does anything change.
 */
#include "session/hosted_inside.h"

struct request {
	const char *action; /* its name */
	const struct hosted_user *who;
	const json_t *body;
	int64_t now;
	struct qv_error *error;
};

/* ---- Values out of the request ---- */

/* A whole number; *out stays if the key is missing. */
static enum verdict get_int(const struct request *q, const char *key, int min, int max, int *out)
{
	struct json_reader in = { q->body, QV_OK, q->error };
	if (!json_has(&in, key))
		return VERDICT_OK;
	const int number = (int)json_read_int(&in, key, min, max);
	if (in.status != QV_OK)
		return VERDICT_MALFORMED;
	*out = number;
	return VERDICT_OK;
}

/* A seat, from 0; *out stays if the key is missing. */
static enum verdict get_seat(const struct hosted_game *p, const struct request *q, int *out)
{
	int number = *out + 1;
	const enum verdict verdict = get_int(q, "seat", 1, p->seat_count, &number);
	*out = number - 1;
	return verdict;
}

/* A text without NUL; NULL if the key is missing. */
static enum verdict get_text(const struct request *q, const char *key, bool needed,
			     const char **out)
{
	struct json_reader in = { q->body, QV_OK, q->error };
	*out = needed || json_has(&in, key) ? json_read_text(&in, key) : NULL;
	return in.status == QV_OK ? VERDICT_OK : VERDICT_MALFORMED;
}

/* ---- Conditions that several actions have ---- */

enum {
	NEEDS_PLAYER = 1, /* the user plays, or owns a game that nobody plays */
	NEEDS_GOING = 2,  /* the game is not over */
	NEEDS_FREE = 4,	  /* nobody else has to agree */
	NEEDS_TALK = 8,	  /* there is room for something other than a move */
	NEEDS_ROOM = 16,  /* there is room */
};

/* Checks them in this order. */
static enum verdict check(const struct hosted_game *p, const struct request *q, unsigned needs)
{
	if (needs & NEEDS_PLAYER && !hosted_governs(p, q->who->user))
		return hosted_refuse(q->error, VERDICT_NOT_YOURS,
				     "game: only its players may do that");
	if (needs & NEEDS_GOING && game_is_over(&p->game))
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "game: it is over");
	if (needs & NEEDS_FREE && !hosted_is_free(p))
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "%s: another person plays here, too", q->action);
	if (needs & NEEDS_TALK && p->talk >= HOSTED_MAX_TALK)
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "game: it has too many notes and offers");
	if (needs & (NEEDS_TALK | NEEDS_ROOM) && hosted_is_full(p, 0))
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "game: it has become too long");
	return VERDICT_OK;
}

/* The seat a user speaks for: the one to move, if it is theirs, else their first; -1: none. */
static int speaker(const struct hosted_game *p, const char *user)
{
	const int turn = game_seat_to_move(&p->game);
	if (turn >= 0 && seat_is(p, turn, user))
		return turn;
	for (int i = 0; i < p->seat_count; i++)
		if (seat_is(p, i, user))
			return i;
	return -1;
}

/* ---- Undo, redo, goto ---- */

/* A user who wants to go back or forward. */
struct walker {
	const struct hosted_game *game;
	const char *user;
};

/* Where this user acts; if nobody is seated, at every move. */
static bool is_stop(const void *ctx, int seat)
{
	const struct walker *w = ctx;
	if (seat == QV_CHANCE)
		return w->game->typed_dice;
	return person_count(w->game) == 0 || seat_is(w->game, seat, w->user);
}

/* Who moved from a ply of the cursor's line. */
static int seat_at(const struct hosted_game *p, int ply)
{
	return p->node_infos[p->game.record->line[ply + 1].node].seat;
}

static enum verdict check_undo(const struct hosted_game *p, const struct request *q, int *plies)
{
	const struct walker walker = { p, q->who->user };
	*plies = -1;
	enum verdict verdict = get_int(q, "plies", 0, HOSTED_MAX_LINES, plies);
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_PLAYER);
	if (verdict != VERDICT_OK)
		return verdict;
	if (*plies < 0)
		*plies = game_undo_plies(&p->game, 1, is_stop, &walker);
	if (*plies < 0 || (*plies == 0 && !p->game.record->ended))
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "undo: there is nothing to take back");
	if (*plies > p->game.record->ply)
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "undo: only %d plies have been played", p->game.record->ply);
	return check(p, q, NEEDS_ROOM);
}

static enum verdict undo_now(struct hosted_game *p, const struct request *q, int plies)
{
	turn_stop(p, q->now);
	game_clock_take_back(&p->game.clock);
	return turn_go(p, do_undo(p, plies), q->now, q->error);
}

static enum verdict make_offer(struct hosted_game *p, const struct request *q, enum offer_kind kind,
			       int plies);

/* Whether the last plies all belong to the present turn of this user, in games whose turns have many moves. */
static bool is_own_turn(const struct hosted_game *p, const char *user, int plies)
{
	const int seat = game_seat_to_move(&p->game);
	if (game_is_over(&p->game) || seat == QV_CHANCE || !seat_is(p, seat, user))
		return false;
	for (int i = 1; i <= plies; i++)
		if (seat_at(p, p->game.record->ply - i) != seat)
			return false;
	return true;
}

static enum verdict act_undo(struct hosted_game *p, const struct request *q)
{
	int plies;
	const enum verdict verdict = check_undo(p, q, &plies);
	if (verdict != VERDICT_OK)
		return verdict;
	if (hosted_is_free(p) || is_own_turn(p, q->who->user, plies))
		return undo_now(p, q, plies);
	return game_is_over(&p->game) ? check(p, q, NEEDS_GOING)
				      : make_offer(p, q, OFFER_UNDO, plies);
}

static enum verdict act_redo(struct hosted_game *p, const struct request *q)
{
	int plies = -1;
	const int most = game_redo_most(&p->game);
	const struct walker walker = { p, q->who->user };
	enum verdict verdict = get_int(q, "plies", 0, HOSTED_MAX_LINES, &plies);
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_PLAYER | NEEDS_FREE);
	if (verdict != VERDICT_OK)
		return verdict;
	if (plies < 0)
		plies = game_redo_plies(&p->game, 1, is_stop, &walker);
	if (plies == 0 && !game_can_redo_end(&p->game))
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "redo: nothing has been taken back");
	if (plies > most)
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "redo: only %d plies can be", most);
	verdict = check(p, q, NEEDS_ROOM);
	if (verdict != VERDICT_OK)
		return verdict;
	turn_stop(p, q->now);
	return turn_go(p, do_redo(p, plies), q->now, q->error);
}

/* Is the node on the cursor's line? If so at which ply. */
static bool on_line(const struct qv_record *r, int32_t node, int depth)
{
	return depth <= r->ply && r->line[depth].node == node;
}

static int depth_of(const struct qv_record *r, int32_t node)
{
	int depth = 0;
	for (; r->nodes[node].parent != NODE_NONE; node = r->nodes[node].parent)
		depth++;
	return depth;
}

/* Goes from the cursor down to a node below it. A step is a redo if that leads there, else a move. */
static bool walk_down(struct hosted_game *p, int32_t node, int depth)
{
	const struct qv_record *r = p->game.record;
	while (r->ply < depth) {
		int32_t step = node;
		for (int at = depth; at > r->ply + 1; at--)
			step = r->nodes[step].parent;
		/* A redo would also bring back an end that was declared on the way. */
		const bool redo = tree_cursor(r)->follow == step &&
				  (step == node || r->nodes[step].follow != NODE_END);
		const double seconds = p->node_infos[step].seconds;
		if (!(redo ? do_redo(p, 1) : do_play(p, r->nodes[step].move, seconds)))
			return false;
	}
	return true;
}

static enum verdict act_goto(struct hosted_game *p, const struct request *q)
{
	const struct qv_record *r = p->game.record;
	int node = -1, depth, fork;
	enum verdict verdict = get_int(q, "node", 0, (int)r->node_count - 1, &node);
	if (verdict == VERDICT_OK && node < 0)
		return hosted_refuse(q->error, VERDICT_MALFORMED, "node: it is missing");
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_PLAYER | NEEDS_FREE);
	if (verdict != VERDICT_OK)
		return verdict;
	depth = fork = depth_of(r, node);
	for (int32_t at = node; !on_line(r, at, fork); at = r->nodes[at].parent)
		fork--;
	if (fork == r->ply && depth == fork)
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "goto: the game is already there");
	if (hosted_is_full(p, 2 * (size_t)(depth - fork) + 2))
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "game: it has become too long");
	turn_stop(p, q->now);
	game_clock_take_back(&p->game.clock);
	bool done = (fork == r->ply && !r->ended) || do_undo(p, r->ply - fork);
	done = done && walk_down(p, node, depth);
	return turn_go(p, done, q->now, q->error);
}

/* ---- Offers ---- */

static enum verdict rematch_now(struct hosted_game *p, const struct request *q)
{
	if (!say(p, json_pack("{s:s}", "play", "rematch")))
		return hosted_no_memory(p, q->error);
	return VERDICT_OK;
}

static enum verdict swap_now(struct hosted_game *p, const struct request *q)
{
	turn_stop(p, q->now);
	return turn_go(p, say(p, json_pack("{s:s}", "play", "swap")), q->now, q->error);
}

static enum verdict draw_now(struct hosted_game *p, const struct request *q)
{
	turn_stop(p, q->now);
	return turn_go(p, do_end(p, -1, "agreed"), q->now, q->error);
}

static enum verdict carry_out(struct hosted_game *p, const struct request *q, enum offer_kind kind)
{
	switch (kind) {
	case OFFER_DRAW:
		return draw_now(p, q);
	case OFFER_UNDO:
		return undo_now(p, q, p->offers[kind].plies);
	case OFFER_REMATCH:
		return rematch_now(p, q);
	default:
		return swap_now(p, q);
	}
}

/* Whether this can be offered now, or done without an offer. */
static enum verdict check_kind(const struct hosted_game *p, const struct request *q,
			       enum offer_kind kind)
{
	const enum verdict verdict = check(p, q, NEEDS_PLAYER);
	if (verdict != VERDICT_OK)
		return verdict;
	if (kind == OFFER_REMATCH) {
		if (!game_is_over(&p->game))
			return hosted_refuse(q->error, VERDICT_NOT_NOW,
					     "rematch: the game still goes on");
		if (p->rematch_due || p->rematch[0])
			return hosted_refuse(q->error, VERDICT_NOT_NOW,
					     "rematch: there is one already");
		return check(p, q, NEEDS_ROOM);
	}
	if (kind == OFFER_SWAP && !game_is_over(&p->game) && p->seat_count < 2)
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "swap: there is one seat only");
	return check(p, q, kind == OFFER_UNDO ? NEEDS_TALK : NEEDS_GOING | NEEDS_TALK);
}

/* Whether everybody has agreed, if this user does. */
static bool all_agree(const struct hosted_game *p, enum offer_kind kind, const char *user)
{
	const struct offer *offer = &p->offers[kind];
	const unsigned agreed =
		offer->agreed | seats_of(p, p->seats[offer->seat].user) | seats_of(p, user);
	for (int i = 0; i < p->seat_count; i++)
		if (p->seats[i].kind == SEAT_PERSON && !(agreed >> i & 1))
			return false;
	return true;
}

static enum verdict accept_offer(struct hosted_game *p, const struct request *q,
				 enum offer_kind kind)
{
	const int seat = speaker(p, q->who->user);
	if (all_agree(p, kind, q->who->user))
		return carry_out(p, q, kind);
	if (p->offers[kind].agreed >> seat & 1)
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "%s: you have agreed already",
				     offer_name(kind));
	if (!say(p, json_pack("{s:s, s:s, s:i}", "play", "accept", "kind", offer_name(kind), "seat",
			      seat + 1)))
		return hosted_no_memory(p, q->error);
	return VERDICT_OK;
}

/* Makes an offer to the other people. If one of them has offered the same, that is an agreement. */
static enum verdict make_offer(struct hosted_game *p, const struct request *q, enum offer_kind kind,
			       int plies)
{
	const struct offer *offer = &p->offers[kind];
	const int seat = speaker(p, q->who->user);
	const enum verdict verdict = check(p, q, NEEDS_TALK);
	if (verdict != VERDICT_OK)
		return verdict;
	if (offer->open && seat_is(p, offer->seat, q->who->user))
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "%s: you have offered it already",
				     offer_name(kind));
	if (offer->open && (kind != OFFER_UNDO || offer->plies == plies))
		return accept_offer(p, q, kind);
	if (offer->open)
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "undo: another one is offered already");
	if (!say(p, json_pack("{s:s, s:s, s:i, s:i}", "play", "offer", "kind", offer_name(kind),
			      "seat", seat + 1, "plies", plies)))
		return hosted_no_memory(p, q->error);
	return VERDICT_OK;
}

static enum verdict offer_or_do(struct hosted_game *p, const struct request *q,
				enum offer_kind kind)
{
	const enum verdict verdict = check_kind(p, q, kind);
	if (verdict != VERDICT_OK)
		return verdict;
	if (!hosted_is_free(p))
		return make_offer(p, q, kind, 0);
	if (kind == OFFER_DRAW && person_count(p) < p->seat_count)
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "draw: there is no other person who could agree");
	return carry_out(p, q, kind);
}

static enum verdict get_kind(const struct request *q, enum offer_kind *kind)
{
	const char *name;
	const enum verdict verdict = get_text(q, "kind", true, &name);
	if (verdict == VERDICT_OK && !offer_from_name(name, kind))
		return hosted_refuse(q->error, VERDICT_MALFORMED,
				     "kind: draw, undo, rematch or swap is expected");
	return verdict;
}

static enum verdict act_offer(struct hosted_game *p, const struct request *q)
{
	enum offer_kind kind;
	const enum verdict verdict = get_kind(q, &kind);
	if (verdict != VERDICT_OK)
		return verdict;
	return kind == OFFER_UNDO ? act_undo(p, q) : offer_or_do(p, q, kind);
}

/* There must be such an offer, and the user must be seated. */
static enum verdict check_answer(const struct hosted_game *p, const struct request *q,
				 enum offer_kind *kind)
{
	const enum verdict verdict = get_kind(q, kind);
	if (verdict != VERDICT_OK)
		return verdict;
	if (!hosted_is_seated(p, q->who->user))
		return hosted_refuse(q->error, VERDICT_NOT_YOURS,
				     "game: only its players may do that");
	if (!p->offers[*kind].open)
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "%s: nobody has offered it",
				     offer_name(*kind));
	return check(p, q, NEEDS_TALK);
}

static enum verdict act_accept(struct hosted_game *p, const struct request *q)
{
	enum offer_kind kind;
	const enum verdict verdict = check_answer(p, q, &kind);
	if (verdict != VERDICT_OK)
		return verdict;
	if (seat_is(p, p->offers[kind].seat, q->who->user))
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "%s: it is your own offer",
				     offer_name(kind));
	return accept_offer(p, q, kind);
}

/* Declines an offer; whoever made it withdraws it this way. */
static enum verdict act_decline(struct hosted_game *p, const struct request *q)
{
	enum offer_kind kind;
	const enum verdict verdict = check_answer(p, q, &kind);
	if (verdict != VERDICT_OK)
		return verdict;
	if (!say(p, json_pack("{s:s, s:s, s:i}", "play", "decline", "kind", offer_name(kind),
			      "seat", speaker(p, q->who->user) + 1)))
		return hosted_no_memory(p, q->error);
	return VERDICT_OK;
}

static enum verdict act_swap(struct hosted_game *p, const struct request *q)
{
	return offer_or_do(p, q, OFFER_SWAP);
}

static enum verdict act_rematch(struct hosted_game *p, const struct request *q)
{
	return offer_or_do(p, q, OFFER_REMATCH);
}

/* ---- Giving up ---- */

static enum verdict act_resign(struct hosted_game *p, const struct request *q)
{
	const unsigned own = seats_of(p, q->who->user);
	int seat = -1;
	enum verdict verdict = get_seat(p, q, &seat);
	if (verdict == VERDICT_OK && (!own || (seat >= 0 && !(own >> seat & 1))))
		return hosted_refuse(q->error, VERDICT_NOT_YOURS, "resign: the seat is not yours");
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_GOING);
	if (verdict != VERDICT_OK)
		return verdict;
	if (seat < 0)
		seat = speaker(p, q->who->user);
	if ((own & (own - 1)) && seat != game_seat_to_move(&p->game) &&
	    !json_object_get(q->body, "seat"))
		return hosted_refuse(q->error, VERDICT_MALFORMED,
				     "seat: you have several; name the one that resigns");
	if (game_takes_over(&p->game))
		verdict = check(p, q, NEEDS_ROOM);
	if (verdict != VERDICT_OK)
		return verdict;
	turn_stop(p, q->now);
	return turn_go(p, seat_gives_up(p, seat, "resigns"), q->now, q->error);
}

/* ---- Seats ---- */

static bool sit(struct hosted_game *p, int seat, const struct hosted_seat *who)
{
	json_t *event = seat_event_json(who);
	if (json_object_set_new(event, "play", json_string("sit")) != 0 ||
	    json_object_set_new(event, "seat", json_integer(seat + 1)) != 0) {
		json_decref(event);
		return say(p, NULL);
	}
	return say(p, event);
}

static enum verdict sit_now(struct hosted_game *p, const struct request *q, int seat,
			    const struct hosted_seat *who)
{
	turn_stop(p, q->now);
	return turn_go(p, sit(p, seat, who), q->now, q->error);
}

static enum verdict read_seat(const struct hosted_game *p, const struct request *q,
			      const char *spec, struct hosted_seat *out)
{
	if (!hosted_seat_read(out, spec, q->who))
		return hosted_refuse(q->error, VERDICT_MALFORMED,
				     "spec: a player is expected, human or open");
	if (out->kind == SEAT_COMPUTER &&
	    p->host.check_spec(p->host.ctx, &p->game.record->rules, spec, q->error) != QV_OK)
		return VERDICT_MALFORMED;
	return VERDICT_OK;
}

static enum verdict act_seat(struct hosted_game *p, const struct request *q)
{
	const char *spec;
	int seat = -1;
	struct hosted_seat who;
	enum verdict verdict = get_seat(p, q, &seat);
	if (verdict == VERDICT_OK && seat < 0)
		return hosted_refuse(q->error, VERDICT_MALFORMED, "seat: it is missing");
	if (verdict == VERDICT_OK)
		verdict = get_text(q, "spec", true, &spec);
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_PLAYER);
	if (verdict == VERDICT_OK)
		verdict = read_seat(p, q, spec, &who);
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_GOING | NEEDS_FREE | NEEDS_TALK);
	return verdict == VERDICT_OK ? sit_now(p, q, seat, &who) : verdict;
}

/* An open seat: the requested one, or the first. */
static enum verdict find_open(const struct hosted_game *p, const struct request *q, int *seat)
{
	for (int i = 0; i < p->seat_count && *seat < 0; i++)
		if (p->seats[i].kind == SEAT_OPEN)
			*seat = i;
	if (*seat < 0 || p->seats[*seat].kind != SEAT_OPEN)
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "join: the seat is taken");
	return VERDICT_OK;
}

static enum verdict act_join(struct hosted_game *p, const struct request *q)
{
	const char *name;
	int seat = -1;
	struct hosted_seat who;
	enum verdict verdict = get_seat(p, q, &seat);
	if (verdict == VERDICT_OK)
		verdict = get_text(q, "name", false, &name);
	if (verdict != VERDICT_OK)
		return verdict;
	const struct hosted_user person = { q->who->user, name ? name : q->who->name };
	if (!hosted_seat_read(&who, "human", &person))
		return hosted_refuse(q->error, *person.user ? VERDICT_MALFORMED : VERDICT_NOT_YOURS,
				     "name: 1 to %d printable characters are expected",
				     HOSTED_NAME);
	verdict = check(p, q, NEEDS_GOING);
	if (verdict == VERDICT_OK && hosted_is_seated(p, person.user))
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "join: you sit in this game already");
	if (verdict == VERDICT_OK)
		verdict = find_open(p, q, &seat);
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_TALK);
	return verdict == VERDICT_OK ? sit_now(p, q, seat, &who) : verdict;
}

/* Whoever leaves a game against other people that has begun loses it: leaving must not stop a clock. */
static enum verdict act_leave(struct hosted_game *p, const struct request *q)
{
	const struct hosted_seat nobody = { .kind = SEAT_OPEN };
	const unsigned own = seats_of(p, q->who->user);
	if (!own)
		return hosted_refuse(q->error, VERDICT_NOT_YOURS,
				     "leave: you have no seat in this game");
	const bool gives_up = p->started && !hosted_is_free(p);
	const bool ends = gives_up && !game_takes_over(&p->game);
	const enum verdict verdict = check(p, q, ends ? NEEDS_GOING : NEEDS_GOING | NEEDS_TALK);
	if (verdict != VERDICT_OK)
		return verdict;
	turn_stop(p, q->now);
	bool done = true;
	for (int i = 0; i < p->seat_count && done && !game_is_over(&p->game); i++)
		if (own >> i & 1)
			done = gives_up ? seat_gives_up(p, i, "resigns") : sit(p, i, &nobody);
	return turn_go(p, done, q->now, q->error);
}

/* ---- Dice and notes ---- */

static enum verdict act_roll(struct hosted_game *p, const struct request *q)
{
	const char *seed;
	enum verdict verdict = get_text(q, "seed", false, &seed);
	if (verdict != VERDICT_OK)
		return verdict;
	seed = seed ? seed : "";
	if (strlen(seed) > HOSTED_SEED)
		return hosted_refuse(q->error, VERDICT_MALFORMED, "seed: longer than %d characters",
				     HOSTED_SEED);
	for (const char *c = seed; *c; c++)
		if (*c < ' ' || *c > '~')
			return hosted_refuse(q->error, VERDICT_MALFORMED,
					     "seed: printable ASCII is expected");
	verdict = check(p, q, NEEDS_PLAYER);
	if (verdict != VERDICT_OK)
		return verdict;
	if (!hosted_dice_due(p))
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "throw: there is nothing to roll now");
	if (!hosted_may_roll(p, q->who->user))
		return hosted_refuse(q->error, VERDICT_NOT_NOW, "throw: seat %d has to roll",
				     game_roller(&p->game) + 1);
	verdict = check(p, q, NEEDS_ROOM);
	if (verdict != VERDICT_OK)
		return verdict;
	const int offers = offers_open(p);
	turn_stop(p, q->now);
	verdict = turn_go(p, roll_dice(p, seed), q->now, q->error);
	p->only_moved = verdict == VERDICT_OK && offers_open(p) == offers;
	return verdict;
}

static enum verdict act_note(struct hosted_game *p, const struct request *q)
{
	const char *text;
	size_t sum = 0;
	enum verdict verdict = get_text(q, "text", true, &text);
	if (verdict == VERDICT_OK && strlen(text) > HOSTED_NOTE)
		return hosted_refuse(q->error, VERDICT_MALFORMED, "text: longer than %d bytes",
				     HOSTED_NOTE);
	if (verdict == VERDICT_OK)
		verdict = check(p, q, NEEDS_PLAYER | NEEDS_TALK);
	if (verdict != VERDICT_OK)
		return verdict;
	for (size_t i = 0; i < p->game.record->node_count; i++)
		sum += p->game.record->nodes[i].note ? strlen(p->game.record->nodes[i].note) : 0;
	if (sum + strlen(text) > HOSTED_NOTES)
		return hosted_refuse(q->error, VERDICT_NOT_NOW,
				     "note: the game has too many already");
	return do_note(p, text) ? VERDICT_OK : hosted_no_memory(p, q->error);
}

/* ---- All of them ---- */

static const struct action {
	const char *name;
	enum verdict (*act)(struct hosted_game *p, const struct request *q);
	const char *keys; /* separated by blanks */
} actions[] = {
	{ "undo", act_undo, "action plies" },
	{ "redo", act_redo, "action plies" },
	{ "goto", act_goto, "action node" },
	{ "resign", act_resign, "action seat" },
	{ "offer", act_offer, "action kind plies" },
	{ "accept", act_accept, "action kind" },
	{ "decline", act_decline, "action kind" },
	{ "swap", act_swap, "action" },
	{ "seat", act_seat, "action seat spec" },
	{ "join", act_join, "action seat name" },
	{ "leave", act_leave, "action" },
	{ "throw", act_roll, "action seed" },
	{ "note", act_note, "action text" },
	{ "rematch", act_rematch, "action" },
};

static const struct action *find_action(const char *name)
{
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

static enum verdict check_keys(const struct action *action, const json_t *body,
			       struct qv_error *error)
{
	const char *key = json_unknown_key(body, action->keys);
	return key ? hosted_refuse(error, VERDICT_MALFORMED, "%.40s: not a key of '%s'", key,
				   action->name)
		   : VERDICT_OK;
}

enum verdict hosted_act(struct hosted_game *p, const struct hosted_user *who, const json_t *body,
			int64_t now, struct qv_error *error)
{
	const char *name = json_string_value(json_object_get(body, "action"));
	const struct action *action = name ? find_action(name) : NULL;
	if (!action)
		return hosted_refuse(error, VERDICT_MALFORMED,
				     "action: undo, redo, goto, resign, offer, accept, "
				     "decline, swap, seat, join, leave, throw, note or rematch is "
				     "expected");
	enum verdict verdict = check_keys(action, body, error);
	if (verdict == VERDICT_OK)
		verdict = hosted_ready(p, now, error);
	if (verdict != VERDICT_OK)
		return verdict;
	const struct request q = { name, who, body, now, error };
	p->only_moved = false;
	return action->act(p, &q);
}
