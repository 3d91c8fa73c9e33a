/*
 * hosted_actions.c - what users request besides moves: undo, offers, seats, dice, notes.
 * SPDX-License-Identifier: MIT
 *
 * Each action first checks everything: the request, who gives it, and whether it is possible now.
 * Only then does anything change. Where several people play, an undo, a draw, a swap of seats and a
 * rematch are offers, which are carried out as soon as everybody has agreed.
 */
#include "base/plain.h"
#include "session/hosted_inside.h"

/* ---- Values of the request ---- */

/* Returns whether the reader read its fields; it has written the sentence if not. */
static bool was_read(struct request *q, const struct json_reader *in)
{
	if (in->status != QV_OK)
		q->verdict = VERDICT_MALFORMED;
	return in->status == QV_OK;
}

/* A whole number; *out stays if the key is missing. */
static bool get_int(struct request *q, const char *key, int min, int max, int *out)
{
	struct json_reader in = { q->body, QV_OK, q->error };
	const int number = json_has(&in, key) ? (int)json_read_int(&in, key, min, max) : *out;
	if (in.status == QV_OK)
		*out = number;
	return was_read(q, &in);
}

/* A seat, from 0; -1 if the key is missing. */
static bool get_seat(const struct hosted_game *p, struct request *q, int *out)
{
	int number = 0;
	const bool good = get_int(q, "seat", 1, p->seat_count, &number);
	*out = number - 1;
	return good;
}

/* A text without NUL; NULL if the key is missing. */
static bool get_text(struct request *q, const char *key, bool needed, const char **out)
{
	struct json_reader in = { q->body, QV_OK, q->error };
	*out = needed || json_has(&in, key) ? json_read_text(&in, key) : NULL;
	return was_read(q, &in);
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
static bool check(const struct hosted_game *p, struct request *q, unsigned needs)
{
	if (needs & NEEDS_PLAYER && !hosted_governs(p, q->who->user))
		return refuse(q, VERDICT_NOT_YOURS, "game: only its players may do that");
	if (needs & NEEDS_GOING && game_is_over(&p->game))
		return not_now(q, "game: it is over");
	if (needs & NEEDS_FREE && !hosted_is_free(p))
		return not_now(q, "%s: another person plays here, too", q->action);
	if (needs & NEEDS_TALK && p->talk >= HOSTED_MAX_TALK)
		return not_now(q, "game: it has too many notes and offers");
	if (needs & (NEEDS_TALK | NEEDS_ROOM) && hosted_is_full(p, 0))
		return not_now(q, "game: it has become too long");
	return true;
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

/* ---- Offers ---- */

/* Does what was offered, or what a user may do alone. plies: of an undo. */
static bool carry_out(struct hosted_game *p, struct request *q, enum offer_kind kind, int plies)
{
	if (kind == OFFER_REMATCH)
		return emit(p, json_pack("{s:s}", "play", "rematch")) || out_of_memory(p, q);
	game_clock_stop(&p->game.clock, q->now);
	if (kind == OFFER_DRAW)
		return turn_go(p, q, do_end(p, -1, "agreed"));
	if (kind == OFFER_SWAP)
		return turn_go(p, q, emit(p, json_pack("{s:s}", "play", "swap")));
	game_clock_take_back(&p->game.clock);
	return turn_go(p, q, do_walk(p, qv_record_undo, plies));
}

/* Adds the user's agreement, or carries the offer out if nobody else has to agree. */
static bool accept_offer(struct hosted_game *p, struct request *q, enum offer_kind kind)
{
	const struct offer *offer = &p->offers[kind];
	const char *user = q->who->user;
	const int seat = speaker(p, user);
	const unsigned agreed =
		offer->agreed | seats_of(p, p->seats[offer->seat].user) | seats_of(p, user);
	bool all = true;
	for (int i = 0; i < p->seat_count; i++)
		all &= p->seats[i].kind != SEAT_PERSON || (agreed >> i & 1);
	if (all)
		return carry_out(p, q, kind, offer->plies);
	if (offer->agreed >> seat & 1)
		return not_now(q, "%s: you have agreed already", offer_name(kind));
	json_t *event = json_pack("{s:s, s:s, s:i}", "play", "accept", "kind", offer_name(kind),
				  "seat", seat + 1);
	return emit(p, event) || out_of_memory(p, q);
}

/* Makes an offer to the other people. If one of them has offered the same, that is an agreement. */
static bool make_offer(struct hosted_game *p, struct request *q, enum offer_kind kind, int plies)
{
	const struct offer *offer = &p->offers[kind];
	if (!check(p, q, NEEDS_TALK))
		return false;
	if (offer->open && seat_is(p, offer->seat, q->who->user))
		return not_now(q, "%s: you have offered it already", offer_name(kind));
	if (offer->open && (kind != OFFER_UNDO || offer->plies == plies))
		return accept_offer(p, q, kind);
	if (offer->open)
		return not_now(q, "undo: another one is offered already");
	json_t *event = json_pack("{s:s, s:s, s:i, s:i}", "play", "offer", "kind", offer_name(kind),
				  "seat", speaker(p, q->who->user) + 1, "plies", plies);
	return emit(p, event) || out_of_memory(p, q);
}

/* The kind of offer that the request names. */
static bool get_kind(struct request *q, enum offer_kind *kind)
{
	const char *name;
	if (!get_text(q, "kind", true, &name))
		return false;
	*kind = offer_from_name(name);
	return *kind != OFFER_KINDS ||
	       refuse(q, VERDICT_MALFORMED, "kind: draw, undo, rematch or swap is expected");
}

/* accept or decline; the user who made an offer withdraws it by declining. */
static bool act_answer(struct hosted_game *p, struct request *q)
{
	const char *user = q->who->user;
	const bool accept = strcmp(q->action, "accept") == 0;
	enum offer_kind kind;
	if (!get_kind(q, &kind))
		return false;
	if (!hosted_is_seated(p, user))
		return refuse(q, VERDICT_NOT_YOURS, "game: only its players may do that");
	if (!p->offers[kind].open)
		return not_now(q, "%s: nobody has offered it", offer_name(kind));
	if (!check(p, q, NEEDS_TALK))
		return false;
	if (accept && seat_is(p, p->offers[kind].seat, user))
		return not_now(q, "%s: it is your own offer", offer_name(kind));
	if (accept)
		return accept_offer(p, q, kind);
	json_t *event = json_pack("{s:s, s:s, s:i}", "play", "decline", "kind", offer_name(kind),
				  "seat", speaker(p, user) + 1);
	return emit(p, event) || out_of_memory(p, q);
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
	return count_seats(w->game, SEAT_PERSON) == 0 || seat_is(w->game, seat, w->user);
}

/*
 * Whether the last plies all belong to the present turn of this user: in games whose turns have
 * many moves.
 */
static bool is_own_turn(const struct hosted_game *p, const char *user, int plies)
{
	const struct qv_record *r = p->game.record;
	const int seat = game_seat_to_move(&p->game);
	if (game_is_over(&p->game) || seat == QV_CHANCE || !seat_is(p, seat, user))
		return false;
	for (int ply = r->ply; ply > r->ply - plies; ply--)
		if (p->node_infos[r->line[ply].node].seat != seat)
			return false;
	return true;
}

/* Takes plies back: at once if nobody else has to agree, else as an offer. */
static bool act_undo(struct hosted_game *p, struct request *q)
{
	const struct walker walker = { p, q->who->user };
	const struct qv_record *r = p->game.record;
	int plies = -1;
	if (!get_int(q, "plies", 0, HOSTED_MAX_LINES, &plies) || !check(p, q, NEEDS_PLAYER))
		return false;
	if (plies < 0)
		plies = game_undo_plies(&p->game, 1, is_stop, &walker);
	if (plies < 0 || (plies == 0 && !r->ended))
		return not_now(q, "undo: there is nothing to take back");
	if (plies > r->ply)
		return not_now(q, "undo: only %d plies have been played", r->ply);
	if (!check(p, q, NEEDS_ROOM))
		return false;
	if (hosted_is_free(p) || is_own_turn(p, q->who->user, plies))
		return carry_out(p, q, OFFER_UNDO, plies);
	return check(p, q, NEEDS_GOING) && make_offer(p, q, OFFER_UNDO, plies);
}

static bool act_redo(struct hosted_game *p, struct request *q)
{
	const struct walker walker = { p, q->who->user };
	const int most = game_redo_most(&p->game);
	int plies = -1;
	if (!get_int(q, "plies", 0, HOSTED_MAX_LINES, &plies) ||
	    !check(p, q, NEEDS_PLAYER | NEEDS_FREE))
		return false;
	if (plies < 0)
		plies = game_redo_plies(&p->game, 1, is_stop, &walker);
	if (plies == 0 && !game_can_redo_end(&p->game))
		return not_now(q, "redo: nothing has been taken back");
	if (plies > most)
		return not_now(q, "redo: only %d plies can be", most);
	/* Whoever loads the game has to redo them all again. */
	if (!check(p, q, NEEDS_ROOM) || p->game.record->redone + plies > HOSTED_MAX_REDONE)
		return not_now(q, "game: it has become too long");
	game_clock_stop(&p->game.clock, q->now);
	return turn_go(p, q, do_walk(p, qv_record_redo, plies));
}

/*
 * Goes from the cursor down to a node below it. A step is a redo if that leads there, else a move.
 */
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
		if (!(redo ? do_walk(p, qv_record_redo, 1)
			   : do_play(p, r->nodes[step].move, seconds)))
			return false;
	}
	return true;
}

/* Goes to any node of the record's tree, which only a user alone may do. */
static bool act_goto(struct hosted_game *p, struct request *q)
{
	const struct qv_record *r = p->game.record;
	int node = -1, depth = 0;
	if (!get_int(q, "node", 0, (int)r->node_count - 1, &node))
		return false;
	if (node < 0)
		return refuse(q, VERDICT_MALFORMED, "node: it is missing");
	if (!check(p, q, NEEDS_PLAYER | NEEDS_FREE))
		return false;
	for (int32_t at = node; r->nodes[at].parent != NODE_NONE; at = r->nodes[at].parent)
		depth++;
	/* The way leads up the cursor's line to the fork, then down to the node. */
	int fork = depth;
	for (int32_t at = node; fork > r->ply || r->line[fork].node != at; at = r->nodes[at].parent)
		fork--;
	if (fork == r->ply && depth == fork)
		return not_now(q, "goto: the game is already there");
	if (hosted_is_full(p, 2 * (size_t)(depth - fork) + 2))
		return not_now(q, "game: it has become too long");
	game_clock_stop(&p->game.clock, q->now);
	game_clock_take_back(&p->game.clock);
	const bool at_fork =
		(fork == r->ply && !r->ended) || do_walk(p, qv_record_undo, r->ply - fork);
	return turn_go(p, q, at_fork && walk_down(p, node, depth));
}

/* The action "offer" has a kind; "swap" and "rematch" are kinds themselves. */
static bool act_offer(struct hosted_game *p, struct request *q)
{
	enum offer_kind kind = offer_from_name(q->action);
	if (kind == OFFER_KINDS && !get_kind(q, &kind))
		return false;
	if (kind == OFFER_UNDO)
		return act_undo(p, q);
	const bool rematch = kind == OFFER_REMATCH, over = game_is_over(&p->game);
	if (!check(p, q, NEEDS_PLAYER))
		return false;
	if (rematch && !over)
		return not_now(q, "rematch: the game still goes on");
	if (rematch && (p->rematch_due || p->rematch[0]))
		return not_now(q, "rematch: there is one already");
	if (kind == OFFER_SWAP && !over && p->seat_count < 2)
		return not_now(q, "swap: there is one seat only");
	if (!check(p, q, rematch ? NEEDS_ROOM : NEEDS_GOING | NEEDS_TALK))
		return false;
	if (!hosted_is_free(p))
		return make_offer(p, q, kind, 0);
	if (kind == OFFER_DRAW && count_seats(p, SEAT_PERSON) < p->seat_count)
		return not_now(q, "draw: there is no other person who could agree");
	return carry_out(p, q, kind, 0);
}

/* ---- Giving up ---- */

static bool act_resign(struct hosted_game *p, struct request *q)
{
	const unsigned own = seats_of(p, q->who->user);
	int seat;
	if (!get_seat(p, q, &seat))
		return false;
	const bool named = seat >= 0;
	if (!own || (named && !(own >> seat & 1)))
		return refuse(q, VERDICT_NOT_YOURS, "resign: the seat is not yours");
	if (!check(p, q, NEEDS_GOING))
		return false;
	if (!named)
		seat = speaker(p, q->who->user);
	if ((own & (own - 1)) && seat != game_seat_to_move(&p->game) && !named)
		return refuse(q, VERDICT_MALFORMED,
			      "seat: you have several; name the one that resigns");
	if (game_takes_over(&p->game) && !check(p, q, NEEDS_ROOM))
		return false;
	game_clock_stop(&p->game.clock, q->now);
	return turn_go(p, q, seat_gives_up(p, seat, "resigns"));
}

/* Takes back an invitation that nobody has accepted: the game ends without a result. */
static bool act_cancel(struct hosted_game *p, struct request *q)
{
	if (!check(p, q, NEEDS_PLAYER | NEEDS_GOING | NEEDS_FREE))
		return false;
	if (!hosted_has_open_seat(p))
		return not_now(q, "cancel: no seat is open");
	game_clock_stop(&p->game.clock, q->now);
	return turn_go(p, q, do_end(p, QV_UNDECIDED, "cancelled"));
}

/* A player looks at hints or values: the result does not count for ratings. */
static bool act_help(struct hosted_game *p, struct request *q)
{
	if (!check(p, q, NEEDS_PLAYER | NEEDS_GOING | NEEDS_FREE | NEEDS_TALK))
		return false;
	return p->unrated || emit(p, json_pack("{s:s}", "play", "help")) || out_of_memory(p, q);
}

/* ---- Computers ---- */

/* The computer to move plays the best move that it has found. Nothing is stored. */
static bool act_move_now(struct hosted_game *p, struct request *q)
{
	struct hosted_think think;
	if (!check(p, q, NEEDS_PLAYER | NEEDS_GOING | NEEDS_FREE))
		return false;
	if (!hosted_wants_think(p, q->now, &think))
		return not_now(q, "move_now: no computer is thinking");
	p->hurried = think.seat + 1;
	return true;
}

/* Who thinks for the computers from now on: the server, or the engine of their player's browser. */
static bool act_engine(struct hosted_game *p, struct request *q)
{
	const char *name;
	if (!get_text(q, "engine", true, &name) || !check(p, q, NEEDS_PLAYER))
		return false;
	const bool own = strcmp(name, "browser") == 0;
	if (!own && strcmp(name, "server") != 0)
		return refuse(q, VERDICT_MALFORMED, "engine: browser or server is expected");
	if (!check(p, q, NEEDS_GOING | NEEDS_FREE | NEEDS_TALK))
		return false;
	return own == p->own_engine ||
	       emit(p, json_pack("{s:s, s:s}", "play", "engine", "name", name)) ||
	       out_of_memory(p, q);
}

/* ---- Seats ---- */

static bool sit(struct hosted_game *p, int seat, const struct hosted_seat *who)
{
	json_t *event = json_field(seat_event_json(who), "play", json_string("sit"));
	return emit(p, json_field(event, "seat", json_integer(seat + 1)));
}

/* Strangers write no free text to each other: a game with notes stays with the person who wrote them. */
static bool has_notes(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	for (size_t i = 0; i < r->node_count; i++)
		if (r->nodes[i].note && *r->nodes[i].note)
			return true;
	return false;
}

static bool act_seat(struct hosted_game *p, struct request *q)
{
	const char *spec;
	int seat;
	struct hosted_seat who;
	if (!get_seat(p, q, &seat))
		return false;
	if (seat < 0)
		return refuse(q, VERDICT_MALFORMED, "seat: it is missing");
	if (!get_text(q, "spec", true, &spec) || !check(p, q, NEEDS_PLAYER))
		return false;
	if (!hosted_seat_read(&who, spec, q->who))
		return refuse(q, VERDICT_MALFORMED, "spec: a player is expected, human or open");
	if (who.kind == SEAT_COMPUTER &&
	    p->host.check_spec(p->host.ctx, &p->game.record->rules, spec, q->error) != QV_OK) {
		q->verdict = VERDICT_MALFORMED;
		return false;
	}
	if (who.kind == SEAT_OPEN && has_notes(p))
		return not_now(q, "seat: the game has notes, which are for yourself");
	/* Who waits for others in vain may fill the open seats, though somebody has come. */
	const bool fills = p->seats[seat].kind == SEAT_OPEN && who.kind == SEAT_COMPUTER &&
			   strcmp(p->owner, q->who->user) == 0;
	if (!check(p, q, NEEDS_GOING | NEEDS_TALK | (fills ? 0 : NEEDS_FREE)))
		return false;
	game_clock_stop(&p->game.clock, q->now);
	return turn_go(p, q, sit(p, seat, &who));
}

/* Takes an open seat: the named one, or the first. */
static bool act_join(struct hosted_game *p, struct request *q)
{
	const char *name;
	int seat;
	struct hosted_seat who;
	if (!get_seat(p, q, &seat) || !get_text(q, "name", false, &name))
		return false;
	const struct hosted_user person = { q->who->user, name ? name : q->who->name };
	if (!hosted_seat_read(&who, "human", &person))
		return refuse(q, *person.user ? VERDICT_MALFORMED : VERDICT_NOT_YOURS,
			      "name: 1 to %d printable characters are expected", HOSTED_NAME);
	if (!check(p, q, NEEDS_GOING))
		return false;
	if (hosted_is_seated(p, person.user))
		return not_now(q, "join: you sit in this game already");
	for (int i = 0; i < p->seat_count && seat < 0; i++)
		if (p->seats[i].kind == SEAT_OPEN)
			seat = i;
	if (seat < 0 || p->seats[seat].kind != SEAT_OPEN)
		return not_now(q, "join: the seat is taken");
	if (has_notes(p))
		return not_now(q, "join: the game has notes of the person who played it");
	if (!check(p, q, NEEDS_TALK))
		return false;
	game_clock_stop(&p->game.clock, q->now);
	return turn_go(p, q, sit(p, seat, &who));
}

/*
 * A user who leaves a game against other people that has begun loses it: leaving must not stop a
 * clock.
 */
static bool act_leave(struct hosted_game *p, struct request *q)
{
	const struct hosted_seat nobody = { .kind = SEAT_OPEN };
	const unsigned own = seats_of(p, q->who->user);
	if (!own)
		return refuse(q, VERDICT_NOT_YOURS, "leave: you have no seat in this game");
	const bool gives_up = p->started && !hosted_is_free(p);
	const bool ends = gives_up && !game_takes_over(&p->game);
	if (!check(p, q, ends ? NEEDS_GOING : NEEDS_GOING | NEEDS_TALK))
		return false;
	game_clock_stop(&p->game.clock, q->now);
	bool done = true;
	for (int i = 0; i < p->seat_count && done && !game_is_over(&p->game); i++)
		if (own >> i & 1)
			done = gives_up ? seat_gives_up(p, i, "resigns") : sit(p, i, &nobody);
	return turn_go(p, q, done);
}

/* ---- Dice and notes ---- */

static bool act_roll(struct hosted_game *p, struct request *q)
{
	const char *seed;
	if (!get_text(q, "seed", false, &seed))
		return false;
	seed = seed ? seed : "";
	if (strlen(seed) > HOSTED_SEED)
		return refuse(q, VERDICT_MALFORMED, "seed: longer than %d characters", HOSTED_SEED);
	if (!hosted_seed_ok(seed))
		return refuse(q, VERDICT_MALFORMED, "seed: printable ASCII is expected");
	if (!check(p, q, NEEDS_PLAYER))
		return false;
	if (!hosted_dice_due(p))
		return not_now(q, "throw: there is nothing to roll now");
	if (!hosted_may_roll(p, q->who->user))
		return not_now(q, "throw: seat %d has to roll", game_roller(&p->game) + 1);
	if (!check(p, q, NEEDS_ROOM))
		return false;
	const int offers = offers_open(p);
	game_clock_stop(&p->game.clock, q->now);
	p->only_moved = turn_go(p, q, roll_dice(p, seed)) && offers_open(p) == offers;
	return q->verdict == VERDICT_OK;
}

static bool act_note(struct hosted_game *p, struct request *q)
{
	const char *text;
	if (!get_text(q, "text", true, &text))
		return false;
	if (strlen(text) > HOSTED_NOTE)
		return refuse(q, VERDICT_MALFORMED, "text: longer than %d bytes", HOSTED_NOTE);
	if (text_count_plain(text, "\t\n\r") < 0)
		return refuse(q, VERDICT_MALFORMED, "text: has control characters");
	if (!check(p, q, NEEDS_PLAYER | NEEDS_FREE | NEEDS_TALK))
		return false;
	if (hosted_has_open_seat(p))
		return not_now(q, "note: a seat is open, and notes are for yourself");
	if (p->game.record->journal.length + strlen(text) > HOSTED_MAX_BYTES)
		return not_now(q, "note: the game has too many already");
	return do_note(p, text) || out_of_memory(p, q);
}

/* ---- Learners ---- */

/* What learners remember is forgotten, for this game and its rematches. */
static bool act_forget(struct hosted_game *p, struct request *q)
{
	if (!check(p, q, NEEDS_PLAYER | NEEDS_FREE | NEEDS_TALK))
		return false;
	if (!p->memory)
		return not_now(q, "forget: nothing was learned yet");
	return emit(p, json_pack("{s:s}", "play", "forget")) || out_of_memory(p, q);
}

/* ---- All of them ---- */

static const struct action {
	const char *name;
	bool (*act)(struct hosted_game *p, struct request *q);
	const char *keys; /* separated by blanks */
	bool plays;	  /* it plays the game on or ends it */
} actions[] = {
	{ "undo", act_undo, "action plies", false },
	{ "redo", act_redo, "action plies", false },
	{ "goto", act_goto, "action node", false },
	{ "resign", act_resign, "action seat", true },
	{ "offer", act_offer, "action kind plies", false },
	{ "accept", act_answer, "action kind", false },
	{ "decline", act_answer, "action kind", true },
	{ "swap", act_offer, "action", false },
	{ "seat", act_seat, "action seat spec", false },
	{ "join", act_join, "action seat name", false },
	{ "leave", act_leave, "action", true },
	{ "throw", act_roll, "action seed", true },
	{ "note", act_note, "action text", false },
	{ "move_now", act_move_now, "action", true },
	{ "engine", act_engine, "action engine", false },
	{ "rematch", act_offer, "action", false },
	{ "forget", act_forget, "action", false },
	{ "cancel", act_cancel, "action", true },
	{ "help", act_help, "action", false },
};

bool hosted_act_plays(const json_t *body)
{
	const char *name = json_string_value(json_object_get(body, "action"));
	const char *kind = json_string_value(json_object_get(body, "kind"));
	for (size_t i = 0; name && i < sizeof actions / sizeof *actions; i++)
		if (strcmp(actions[i].name, name) == 0)
			return actions[i].plays || (kind && strcmp(kind, "draw") == 0);
	return true;
}

enum verdict hosted_act(struct hosted_game *p, const struct hosted_user *who, const json_t *body,
			int64_t now, struct qv_error *error)
{
	const char *name = json_string_value(json_object_get(body, "action"));
	struct request q = { name, who, body, now, error, VERDICT_OK };
	const struct action *action = NULL;
	for (size_t i = 0; name && i < sizeof actions / sizeof *actions; i++)
		if (strcmp(actions[i].name, name) == 0)
			action = &actions[i];
	if (!action) {
		refuse(&q, VERDICT_MALFORMED,
		       "action: undo, redo, goto, resign, offer, accept, decline, swap, seat, "
		       "join, leave, throw, note, move_now, engine, rematch, forget, cancel or help "
		       "is expected");
		return q.verdict;
	}
	const char *unknown = json_unknown_key(body, action->keys);
	if (unknown) {
		refuse(&q, VERDICT_MALFORMED, "%.40s: not a key of '%s'", unknown, name);
	} else if (hosted_ready(p, &q)) {
		p->only_moved = false;
		action->act(p, &q);
	}
	return q.verdict;
}
