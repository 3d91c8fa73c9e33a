/*
 * play_actions.c - what persons ask for besides moves. Each action first checks everything, its
 * words, who asks and whether it can be now; only then does anything change.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/play_inside.h"

struct request {
	const struct play_person *who;
	const json_t *body;
	int64_t now;
	struct qv_error *error;
};

/* ---- Values out of the request ---- */

/* A whole number; *out stays if the key is not there. */
static play_verdict get_int(const struct request *q, const char *key, int min, int max, int *out)
{
	struct json_reader in = { q->body, QV_OK, q->error };
	if (!json_has(&in, key))
		return 200;
	const int number = (int)json_read_int(&in, key, min, max);
	if (in.status != QV_OK)
		return 400;
	*out = number;
	return 200;
}

/* A seat, from 0; *out stays if it is not said. */
static play_verdict get_seat(const struct play *p, const struct request *q, int *out)
{
	int number = *out + 1;
	const play_verdict verdict = get_int(q, "seat", 1, p->seat_count, &number);
	*out = number - 1;
	return verdict;
}

/* A text without NUL; NULL if the key is not there. */
static play_verdict get_text(const struct request *q, const char *key, bool needed,
			     const char **out)
{
	struct json_reader in = { q->body, QV_OK, q->error };
	*out = needed || json_has(&in, key) ? json_read_text(&in, key) : NULL;
	return in.status == QV_OK ? 200 : 400;
}

/* ---- What many of them ask ---- */

static play_verdict want_governor(const struct play *p, const struct request *q)
{
	if (!play_governs(p, q->who->user))
		return play_refuse(q->error, 403, "play: only those who sit in it may do that");
	return 200;
}

static play_verdict want_going(const struct play *p, const struct request *q)
{
	if (play_over(p))
		return play_refuse(q->error, 409, "play: the game is over");
	return 200;
}

static play_verdict want_free(const struct play *p, const struct request *q, const char *what)
{
	if (!play_is_free(p))
		return play_refuse(q->error, 409, "%s: another person plays here too", what);
	return 200;
}

static play_verdict want_room(const struct play *p, const struct request *q, size_t lines)
{
	if (play_is_full(p, lines))
		return play_refuse(q->error, 409, "play: it has grown too long");
	return 200;
}

/* ... for something that is no move. */
static play_verdict want_talk(const struct play *p, const struct request *q)
{
	if (p->talk >= PLAY_MAX_TALK)
		return play_refuse(q->error, 409, "play: too much has been said in it");
	return want_room(p, q, 0);
}

/* The seat a user speaks for: the one to move, if it is theirs, else their first; -1: none. */
static int speaker(const struct play *p, const char *user)
{
	const int turn = play_seat_to_move(p);
	if (turn >= 0 && seat_is(p, turn, user))
		return turn;
	for (int i = 0; i < p->seat_count; i++)
		if (seat_is(p, i, user))
			return i;
	return -1;
}

/* ---- Undo, redo, goto ---- */

/* Where undo and redo stop: where this person acts; if there is none, at every move. */
static bool is_stop(const struct play *p, const char *user, int seat)
{
	if (person_count(p) == 0)
		return true;
	return seat == QV_CHANCE ? p->typed_dice : seat_is(p, seat, user);
}

/* Who moved from a ply of the cursor's line. */
static int seat_at(const struct play *p, int ply)
{
	return p->places[p->record->line[ply + 1].node].seat;
}

/* How many plies back the person acted last; -1: never. An end by word alone may be taken back. */
static int undo_preset(const struct play *p, const char *user)
{
	const int ply = p->record->ply;
	if (p->record->ended && is_stop(p, user, play_seat_to_move(p)))
		return 0;
	for (int at = ply - 1; at >= 0; at--)
		if (is_stop(p, user, seat_at(p, at)))
			return ply - at;
	return p->record->ended ? 0 : -1;
}

static play_verdict check_undo(const struct play *p, const struct request *q, int *plies)
{
	*plies = -1;
	play_verdict verdict = get_int(q, "plies", 0, PLAY_MAX_LINES, plies);
	if (verdict == 200)
		verdict = want_governor(p, q);
	if (verdict != 200)
		return verdict;
	if (*plies < 0)
		*plies = undo_preset(p, q->who->user);
	if (*plies < 0 || (*plies == 0 && !p->record->ended))
		return play_refuse(q->error, 409, "undo: there is nothing to take back");
	if (*plies > p->record->ply)
		return play_refuse(q->error, 409, "undo: only %d plies have been played",
				   p->record->ply);
	return want_room(p, q, 0);
}

static play_verdict undo_now(struct play *p, const struct request *q, int plies)
{
	turn_stop(p, q->now);
	lift_flags(p);
	return turn_go(p, do_undo(p, plies), q->now, q->error);
}

static play_verdict make_offer(struct play *p, const struct request *q, enum offer_kind kind,
			       int plies);

/* Where a turn is many commands: what a person has ordered in a turn that is not over. */
static bool is_own_turn(const struct play *p, const char *user, int plies)
{
	const int seat = play_seat_to_move(p);
	if (play_over(p) || seat == QV_CHANCE || !seat_is(p, seat, user))
		return false;
	for (int i = 1; i <= plies; i++)
		if (seat_at(p, p->record->ply - i) != seat)
			return false;
	return true;
}

static play_verdict act_undo(struct play *p, const struct request *q)
{
	int plies;
	const play_verdict verdict = check_undo(p, q, &plies);
	if (verdict != 200)
		return verdict;
	if (play_is_free(p) || is_own_turn(p, q->who->user, plies))
		return undo_now(p, q, plies);
	return play_over(p) ? want_going(p, q) : make_offer(p, q, OFFER_UNDO, plies);
}

/* How far to where the person acts, or to the end of what was taken back. */
static int redo_preset(const struct play *p, const char *user)
{
	const struct qv_record *r = p->record;
	const struct node *node = tree_cursor(r);
	int plies = 0;
	while (node->follow >= 0) {
		node = &r->nodes[node->follow];
		plies++;
		if (node->follow >= 0 && is_stop(p, user, p->places[node->follow].seat))
			break;
	}
	return plies;
}

static int redo_most(const struct qv_record *r)
{
	int plies = 0;
	for (int32_t node = tree_cursor(r)->follow; node >= 0; node = r->nodes[node].follow)
		plies++;
	return plies;
}

static play_verdict act_redo(struct play *p, const struct request *q)
{
	int plies = -1;
	const int most = redo_most(p->record);
	const bool end = tree_cursor(p->record)->follow == NODE_END && !p->record->ended;
	play_verdict verdict = get_int(q, "plies", 0, PLAY_MAX_LINES, &plies);
	if (verdict == 200)
		verdict = want_governor(p, q);
	if (verdict == 200)
		verdict = want_free(p, q, "redo");
	if (verdict != 200)
		return verdict;
	if (plies < 0)
		plies = redo_preset(p, q->who->user);
	if (plies == 0 && !end)
		return play_refuse(q->error, 409, "redo: nothing has been taken back");
	if (plies > most)
		return play_refuse(q->error, 409, "redo: only %d plies can be", most);
	verdict = want_room(p, q, 0);
	if (verdict != 200)
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

/* From the cursor down to a node below it; each step is a redo where that leads there, else a move.
 */
static bool walk_down(struct play *p, int32_t node, int depth)
{
	const struct qv_record *r = p->record;
	while (r->ply < depth) {
		int32_t step = node;
		for (int at = depth; at > r->ply + 1; at--)
			step = r->nodes[step].parent;
		/* A redo would also bring back an end that was said on the way. */
		const bool redo = tree_cursor(r)->follow == step &&
				  (step == node || r->nodes[step].follow != NODE_END);
		const double seconds = p->places[step].seconds;
		if (!(redo ? do_redo(p, 1) : do_play(p, r->nodes[step].move, seconds)))
			return false;
	}
	return true;
}

static play_verdict act_goto(struct play *p, const struct request *q)
{
	const struct qv_record *r = p->record;
	int node = -1, depth, fork;
	play_verdict verdict = get_int(q, "node", 0, (int)r->node_count - 1, &node);
	if (verdict == 200 && node < 0)
		return play_refuse(q->error, 400, "node: it is missing");
	if (verdict == 200)
		verdict = want_governor(p, q);
	if (verdict == 200)
		verdict = want_free(p, q, "goto");
	if (verdict != 200)
		return verdict;
	depth = fork = depth_of(r, node);
	for (int32_t at = node; !on_line(r, at, fork); at = r->nodes[at].parent)
		fork--;
	if (fork == r->ply && depth == fork)
		return play_refuse(q->error, 409, "goto: the play is there already");
	verdict = want_room(p, q, 2 * (size_t)(depth - fork) + 2);
	if (verdict != 200)
		return verdict;
	turn_stop(p, q->now);
	lift_flags(p);
	bool done = (fork == r->ply && !r->ended) || do_undo(p, r->ply - fork);
	done = done && walk_down(p, node, depth);
	return turn_go(p, done, q->now, q->error);
}

/* ---- Offers ---- */

static play_verdict rematch_now(struct play *p, const struct request *q)
{
	if (!say(p, json_pack("{s:s}", "play", "rematch")))
		return play_no_memory(p, q->error);
	return 200;
}

static play_verdict swap_now(struct play *p, const struct request *q)
{
	turn_stop(p, q->now);
	return turn_go(p, say(p, json_pack("{s:s}", "play", "swap")), q->now, q->error);
}

static play_verdict draw_now(struct play *p, const struct request *q)
{
	turn_stop(p, q->now);
	return turn_go(p, do_end(p, -1, "agreed"), q->now, q->error);
}

static play_verdict carry_out(struct play *p, const struct request *q, enum offer_kind kind)
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

/* Can there be such an offer, or such a thing without one, now? */
static play_verdict check_kind(const struct play *p, const struct request *q, enum offer_kind kind)
{
	play_verdict verdict = want_governor(p, q);
	if (verdict != 200)
		return verdict;
	if (kind == OFFER_REMATCH) {
		if (!play_over(p))
			return play_refuse(q->error, 409, "rematch: the game still goes on");
		if (p->rematch_due || p->rematch[0])
			return play_refuse(q->error, 409, "rematch: there is one already");
		return want_room(p, q, 0);
	}
	if (kind != OFFER_UNDO)
		verdict = want_going(p, q);
	if (verdict == 200 && kind == OFFER_SWAP && p->seat_count < 2)
		return play_refuse(q->error, 409, "swap: there is one seat only");
	return verdict == 200 ? want_talk(p, q) : verdict;
}

/* Have all persons agreed, if those of this user do? */
static bool all_agree(const struct play *p, enum offer_kind kind, const char *user)
{
	const struct offer *offer = &p->offers[kind];
	const unsigned agreed =
		offer->agreed | seats_of(p, p->seats[offer->seat].user) | seats_of(p, user);
	for (int i = 0; i < p->seat_count; i++)
		if (p->seats[i].kind == SEAT_PERSON && !(agreed >> i & 1))
			return false;
	return true;
}

static play_verdict accept_offer(struct play *p, const struct request *q, enum offer_kind kind)
{
	const int seat = speaker(p, q->who->user);
	if (all_agree(p, kind, q->who->user))
		return carry_out(p, q, kind);
	if (p->offers[kind].agreed >> seat & 1)
		return play_refuse(q->error, 409, "%s: you have agreed already", offer_name(kind));
	if (!say(p, json_pack("{s:s, s:s, s:i}", "play", "accept", "kind", offer_name(kind), "seat",
			      seat + 1)))
		return play_no_memory(p, q->error);
	return 200;
}

/* To the other persons. If one of them has offered the same, that is an agreement. */
static play_verdict make_offer(struct play *p, const struct request *q, enum offer_kind kind,
			       int plies)
{
	const struct offer *offer = &p->offers[kind];
	const int seat = speaker(p, q->who->user);
	const play_verdict verdict = want_talk(p, q);
	if (verdict != 200)
		return verdict;
	if (offer->open && seat_is(p, offer->seat, q->who->user))
		return play_refuse(q->error, 409, "%s: you have offered it already",
				   offer_name(kind));
	if (offer->open && (kind != OFFER_UNDO || offer->plies == plies))
		return accept_offer(p, q, kind);
	if (offer->open)
		return play_refuse(q->error, 409, "undo: another one is offered already");
	if (!say(p, json_pack("{s:s, s:s, s:i, s:i}", "play", "offer", "kind", offer_name(kind),
			      "seat", seat + 1, "plies", plies)))
		return play_no_memory(p, q->error);
	return 200;
}

static play_verdict offer_or_do(struct play *p, const struct request *q, enum offer_kind kind)
{
	const play_verdict verdict = check_kind(p, q, kind);
	if (verdict != 200)
		return verdict;
	if (!play_is_free(p))
		return make_offer(p, q, kind, 0);
	if (kind == OFFER_DRAW && person_count(p) < p->seat_count)
		return play_refuse(q->error, 409, "draw: no other person plays who could agree");
	return carry_out(p, q, kind);
}

static play_verdict get_kind(const struct request *q, enum offer_kind *kind)
{
	const char *name;
	const play_verdict verdict = get_text(q, "kind", true, &name);
	if (verdict == 200 && !offer_from_name(name, kind))
		return play_refuse(q->error, 400, "kind: draw, undo, rematch or swap is expected");
	return verdict;
}

static play_verdict act_offer(struct play *p, const struct request *q)
{
	enum offer_kind kind;
	const play_verdict verdict = get_kind(q, &kind);
	if (verdict != 200)
		return verdict;
	return kind == OFFER_UNDO ? act_undo(p, q) : offer_or_do(p, q, kind);
}

/* An offer that is there, and a person who may answer it. */
static play_verdict check_answer(const struct play *p, const struct request *q,
				 enum offer_kind *kind)
{
	const play_verdict verdict = get_kind(q, kind);
	if (verdict != 200)
		return verdict;
	if (!play_is_seated(p, q->who->user))
		return play_refuse(q->error, 403, "play: only those who sit in it may do that");
	if (!p->offers[*kind].open)
		return play_refuse(q->error, 409, "%s: nobody has offered it", offer_name(*kind));
	return want_talk(p, q);
}

static play_verdict act_accept(struct play *p, const struct request *q)
{
	enum offer_kind kind;
	const play_verdict verdict = check_answer(p, q, &kind);
	if (verdict != 200)
		return verdict;
	if (seat_is(p, p->offers[kind].seat, q->who->user))
		return play_refuse(q->error, 409, "%s: it is your own offer", offer_name(kind));
	return accept_offer(p, q, kind);
}

/* Who offered takes it back by this. */
static play_verdict act_decline(struct play *p, const struct request *q)
{
	enum offer_kind kind;
	const play_verdict verdict = check_answer(p, q, &kind);
	if (verdict != 200)
		return verdict;
	if (!say(p, json_pack("{s:s, s:s, s:i}", "play", "decline", "kind", offer_name(kind),
			      "seat", speaker(p, q->who->user) + 1)))
		return play_no_memory(p, q->error);
	return 200;
}

static play_verdict act_swap(struct play *p, const struct request *q)
{
	return offer_or_do(p, q, OFFER_SWAP);
}

static play_verdict act_rematch(struct play *p, const struct request *q)
{
	return offer_or_do(p, q, OFFER_REMATCH);
}

/* ---- Giving up ---- */

static play_verdict act_resign(struct play *p, const struct request *q)
{
	const unsigned own = seats_of(p, q->who->user);
	int seat = -1;
	play_verdict verdict = get_seat(p, q, &seat);
	if (verdict == 200 && (!own || (seat >= 0 && !(own >> seat & 1))))
		return play_refuse(q->error, 403, "resign: the seat is not yours");
	if (verdict == 200)
		verdict = want_going(p, q);
	if (verdict != 200)
		return verdict;
	if (seat < 0)
		seat = speaker(p, q->who->user);
	if ((own & (own - 1)) && seat != play_seat_to_move(p) && !json_object_get(q->body, "seat"))
		return play_refuse(q->error, 400, "seat: you have several; say which resigns");
	if (p->seat_count > 2 && play_is_full(p, 0))
		return want_room(p, q, 0);
	turn_stop(p, q->now);
	return turn_go(p, seat_gives_up(p, seat, "resigns"), q->now, q->error);
}

/* ---- Seats ---- */

static bool sit(struct play *p, int seat, const struct play_seat *who)
{
	json_t *event = seat_event_json(who);
	if (json_object_set_new(event, "play", json_string("sit")) != 0 ||
	    json_object_set_new(event, "seat", json_integer(seat + 1)) != 0) {
		json_decref(event);
		return say(p, NULL);
	}
	return say(p, event);
}

static play_verdict sit_now(struct play *p, const struct request *q, int seat,
			    const struct play_seat *who)
{
	turn_stop(p, q->now);
	return turn_go(p, sit(p, seat, who), q->now, q->error);
}

static play_verdict read_seat(const struct play *p, const struct request *q, const char *spec,
			      struct play_seat *out)
{
	if (!play_seat_read(out, spec, q->who))
		return play_refuse(q->error, 400, "spec: a player is expected, human or open");
	if (out->kind == SEAT_COMPUTER &&
	    p->host.check_spec(p->host.ctx, &p->record->rules, spec, q->error) != QV_OK)
		return 400;
	return 200;
}

static play_verdict act_seat(struct play *p, const struct request *q)
{
	const char *spec;
	int seat = -1;
	struct play_seat who;
	play_verdict verdict = get_seat(p, q, &seat);
	if (verdict == 200 && seat < 0)
		return play_refuse(q->error, 400, "seat: it is missing");
	if (verdict == 200)
		verdict = get_text(q, "spec", true, &spec);
	if (verdict == 200)
		verdict = want_governor(p, q);
	if (verdict == 200)
		verdict = read_seat(p, q, spec, &who);
	if (verdict == 200)
		verdict = want_going(p, q);
	if (verdict == 200)
		verdict = want_free(p, q, "seat");
	if (verdict == 200)
		verdict = want_talk(p, q);
	return verdict == 200 ? sit_now(p, q, seat, &who) : verdict;
}

/* An open seat: the one that is asked for, or the first. */
static play_verdict find_open(const struct play *p, const struct request *q, int *seat)
{
	for (int i = 0; i < p->seat_count && *seat < 0; i++)
		if (p->seats[i].kind == SEAT_OPEN)
			*seat = i;
	if (*seat < 0 || p->seats[*seat].kind != SEAT_OPEN)
		return play_refuse(q->error, 409, "join: the seat is taken");
	return 200;
}

static play_verdict act_join(struct play *p, const struct request *q)
{
	const char *name;
	int seat = -1;
	struct play_seat who;
	play_verdict verdict = get_seat(p, q, &seat);
	if (verdict == 200)
		verdict = get_text(q, "name", false, &name);
	if (verdict != 200)
		return verdict;
	const struct play_person person = { q->who->user, name ? name : q->who->name };
	if (!play_seat_read(&who, "human", &person))
		return play_refuse(q->error, *person.user ? 400 : 403,
				   "name: 1 to %d printable characters are expected", PLAY_NAME);
	verdict = want_going(p, q);
	if (verdict == 200 && play_is_seated(p, person.user))
		return play_refuse(q->error, 409, "join: you sit in this game already");
	if (verdict == 200)
		verdict = find_open(p, q, &seat);
	if (verdict == 200)
		verdict = want_talk(p, q);
	return verdict == 200 ? sit_now(p, q, seat, &who) : verdict;
}

/* From a game that has begun against others one leaves as a loser: no clock is stopped that way. */
static play_verdict act_leave(struct play *p, const struct request *q)
{
	const struct play_seat nobody = { .kind = SEAT_OPEN };
	const unsigned own = seats_of(p, q->who->user);
	if (!own)
		return play_refuse(q->error, 403, "leave: you have no seat in this game");
	play_verdict verdict = want_going(p, q);
	const bool gives_up = p->started && !play_is_free(p);
	if (verdict == 200 && !(gives_up && p->seat_count <= 2))
		verdict = want_talk(p, q);
	if (verdict != 200)
		return verdict;
	turn_stop(p, q->now);
	bool done = true;
	for (int i = 0; i < p->seat_count && done && !play_over(p); i++)
		if (own >> i & 1)
			done = gives_up ? seat_gives_up(p, i, "resigns") : sit(p, i, &nobody);
	return turn_go(p, done, q->now, q->error);
}

/* ---- Dice and notes ---- */

static play_verdict act_throw(struct play *p, const struct request *q)
{
	const char *seed;
	play_verdict verdict = get_text(q, "seed", false, &seed);
	if (verdict != 200)
		return verdict;
	seed = seed ? seed : "";
	if (strlen(seed) > PLAY_SEED)
		return play_refuse(q->error, 400, "seed: longer than %d characters", PLAY_SEED);
	for (const char *c = seed; *c; c++)
		if (*c < ' ' || *c > '~')
			return play_refuse(q->error, 400, "seed: printable ASCII is expected");
	verdict = want_governor(p, q);
	if (verdict != 200)
		return verdict;
	if (!play_dice_due(p))
		return play_refuse(q->error, 409,
				   "throw: nothing is to be thrown by the server now");
	if (!play_may_throw(p, q->who->user))
		return play_refuse(q->error, 409, "throw: it is the throw of seat %d",
				   play_thrower(p) + 1);
	verdict = want_room(p, q, 0);
	if (verdict != 200)
		return verdict;
	const int offers = offers_open(p);
	turn_stop(p, q->now);
	verdict = turn_go(p, throw_dice(p, seed), q->now, q->error);
	p->only_moved = verdict == 200 && offers_open(p) == offers;
	return verdict;
}

static play_verdict act_note(struct play *p, const struct request *q)
{
	const char *text;
	size_t sum = 0;
	play_verdict verdict = get_text(q, "text", true, &text);
	if (verdict == 200 && strlen(text) > PLAY_NOTE)
		return play_refuse(q->error, 400, "text: longer than %d bytes", PLAY_NOTE);
	if (verdict == 200)
		verdict = want_governor(p, q);
	if (verdict == 200)
		verdict = want_talk(p, q);
	if (verdict != 200)
		return verdict;
	for (size_t i = 0; i < p->record->node_count; i++)
		sum += p->record->nodes[i].note ? strlen(p->record->nodes[i].note) : 0;
	if (sum + strlen(text) > PLAY_NOTES)
		return play_refuse(q->error, 409, "note: there are too many already");
	return do_note(p, text) ? 200 : play_no_memory(p, q->error);
}

/* ---- All of them ---- */

static const struct action {
	const char *name;
	play_verdict (*act)(struct play *p, const struct request *q);
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
	{ "throw", act_throw, "action seed" },
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

static play_verdict check_keys(const struct action *action, const json_t *body,
			       struct qv_error *error)
{
	const char *key = json_unknown_key(body, action->keys);
	return key ? play_refuse(error, 400, "%.40s: not a word of '%s'", key, action->name) : 200;
}

play_verdict play_act(struct play *p, const struct play_person *who, const json_t *body,
		      int64_t now, struct qv_error *error)
{
	const struct request q = { who, body, now, error };
	const char *name = json_string_value(json_object_get(body, "action"));
	const struct action *action = name ? find_action(name) : NULL;
	if (!action)
		return play_refuse(error, 400,
				   "action: undo, redo, goto, resign, offer, accept, "
				   "decline, swap, seat, join, leave, throw, note or rematch is "
				   "expected");
	play_verdict verdict = check_keys(action, body, error);
	if (verdict == 200)
		verdict = play_ready(p, now, error);
	if (verdict != 200)
		return verdict;
	p->only_moved = false;
	return action->act(p, &q);
}
