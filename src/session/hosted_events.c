/*
 * hosted_events.c - the events of a hosted game, {"play":...}: the only functions that change what it
 * keeps besides its record, whether the event happens now or comes from the store.
 * SPDX-License-Identifier: MIT
 *
 * Lines from the store may be anything, so each event is checked for whether it makes sense in this
 * game. Whether a user may cause it is checked by the commands.
 */
#include "session/hosted_inside.h"

enum { FORMAT = 1 };

/* ---- Offers ---- */

static const char *const offer_names[OFFER_KINDS] = { "draw", "undo", "rematch", "swap" };

const char *offer_name(enum offer_kind kind)
{
	return offer_names[kind];
}

bool offer_from_name(const char *name, enum offer_kind *out)
{
	for (int i = 0; i < OFFER_KINDS; i++) {
		if (strcmp(name, offer_names[i]) != 0)
			continue;
		*out = (enum offer_kind)i;
		return true;
	}
	return false;
}

void offers_clear(struct hosted_game *p)
{
	memset(p->offers, 0, sizeof p->offers);
}

int offers_open(const struct hosted_game *p)
{
	int count = 0;
	for (int i = 0; i < OFFER_KINDS; i++)
		count += p->offers[i].open;
	return count;
}

/* ---- Values out of JSON ---- */

static enum qv_status bad(struct qv_error *error, const char *what)
{
	return qv_fail(error, QV_BAD_INPUT, "game: %s", what);
}

/* A text of at most size - 1 bytes; a missing key gives "" unless it is needed. */
static bool get_text(const json_t *event, const char *key, bool needed, char *out, size_t size)
{
	const json_t *value = json_object_get(event, key);
	*out = '\0';
	if (!value)
		return !needed;
	const char *text = json_plain_text(value);
	if (!text || strlen(text) >= size)
		return false;
	memcpy(out, text, strlen(text) + 1);
	return true;
}

static bool get_seat(const struct hosted_game *p, const json_t *event, int *seat)
{
	int64_t number = 0;
	const bool good =
		json_int_between(json_object_get(event, "seat"), 1, p->seat_count, &number);
	*seat = (int)number - 1;
	return good;
}

static bool get_kind(const json_t *event, enum offer_kind *kind)
{
	const char *name = json_string_value(json_object_get(event, "kind"));
	return name && offer_from_name(name, kind);
}

/* ---- Seats ---- */

json_t *seat_event_json(const struct hosted_seat *seat)
{
	if (seat->kind == SEAT_PERSON)
		return json_pack("{s:s, s:s}", "user", seat->user, "name", seat->name);
	if (seat->kind == SEAT_COMPUTER)
		return json_pack("{s:s}", "spec", seat->spec);
	return json_object();
}

static bool read_seat(const json_t *json, struct hosted_seat *out)
{
	struct hosted_seat seat = { .kind = SEAT_OPEN };
	if (!json_is_object(json) || !get_text(json, "user", false, seat.user, sizeof seat.user) ||
	    !get_text(json, "name", false, seat.name, sizeof seat.name) ||
	    !get_text(json, "spec", false, seat.spec, sizeof seat.spec))
		return false;
	if (seat.user[0])
		seat.kind = SEAT_PERSON;
	else if (seat.spec[0])
		seat.kind = SEAT_COMPUTER;
	if (seat.kind == SEAT_PERSON ? seat.spec[0] || !hosted_name_ok(seat.name) : seat.name[0])
		return false;
	*out = seat;
	return true;
}

/* The seats have changed, so all offers lapse. */
static void seats_changed(struct hosted_game *p)
{
	offers_clear(p);
	p->talk++;
	p->turn = ++p->version;
}

static enum qv_status apply_sit(struct hosted_game *p, const json_t *event, struct qv_error *error)
{
	int seat;
	struct hosted_seat who;
	if (!get_seat(p, event, &seat) || !read_seat(event, &who))
		return bad(error, "sit needs a seat, and a user with a name, a spec, or neither");
	p->seats[seat] = who;
	seats_changed(p);
	return QV_OK;
}

/* Everybody moves to the next seat, the last to the first. */
static enum qv_status apply_swap(struct hosted_game *p, const json_t *event, struct qv_error *error)
{
	(void)event, (void)error;
	game_rotate_seats(p->seats, p->seat_count, sizeof *p->seats);
	seats_changed(p);
	return QV_OK;
}

/* ---- Offers ---- */

static enum qv_status apply_offer(struct hosted_game *p, const json_t *event,
				  struct qv_error *error)
{
	enum offer_kind kind;
	int seat;
	const json_int_t plies = json_integer_value(json_object_get(event, "plies"));
	if (!get_kind(event, &kind) || !get_seat(p, event, &seat) ||
	    p->seats[seat].kind != SEAT_PERSON || p->offers[kind].open)
		return bad(error, "an offer needs a kind that is not open, and a person's seat");
	if (plies < 0 || plies > p->game.record->ply)
		return bad(error, "there are not so many plies");
	p->offers[kind] = (struct offer){ .open = true, .seat = seat, .plies = (int)plies };
	p->talk++;
	p->version++;
	return QV_OK;
}

static enum qv_status apply_accept(struct hosted_game *p, const json_t *event,
				   struct qv_error *error)
{
	enum offer_kind kind;
	int seat;
	if (!get_kind(event, &kind) || !get_seat(p, event, &seat) || !p->offers[kind].open)
		return bad(error, "to accept, there must be an offer");
	p->offers[kind].agreed |= seats_of(p, p->seats[seat].user);
	p->talk++;
	p->version++;
	return QV_OK;
}

static enum qv_status apply_decline(struct hosted_game *p, const json_t *event,
				    struct qv_error *error)
{
	enum offer_kind kind;
	if (!get_kind(event, &kind) || !p->offers[kind].open)
		return bad(error, "to decline, there must be an offer");
	p->offers[kind] = (struct offer){ .open = false };
	p->talk++;
	p->version++;
	return QV_OK;
}

/* ---- Dice ---- */

struct dice_roll *roll_at(const struct hosted_game *p, int32_t node)
{
	for (size_t i = p->roll_count; i > 0; i--)
		if (p->rolls[i - 1].node == node)
			return &p->rolls[i - 1];
	return NULL;
}

static enum qv_status apply_commit(struct hosted_game *p, const json_t *event,
				   struct qv_error *error)
{
	char hex[DICE_HEX];
	struct dice_roll roll = { .node = p->game.record->line[p->game.record->ply].node };
	if (!hosted_dice_due(p) || roll_at(p, roll.node))
		return bad(error, "there is no roll to commit to here");
	if (!get_text(event, "secret", true, hex, sizeof hex) || !dice_from_hex(hex, roll.secret))
		return bad(error, "a secret of 64 hex digits is expected");
	if (!mem_reserve(&mem_malloc, &p->rolls, &p->roll_room, p->roll_count + 1,
			 sizeof *p->rolls))
		return QV_NO_MEMORY;
	p->rolls[p->roll_count++] = roll;
	return QV_OK;
}

static bool seed_ok(const char *seed)
{
	for (; *seed; seed++)
		if (*seed < ' ' || *seed > '~')
			return false;
	return true;
}

/* Computes the roll from the seed; the number in the line must agree. */
static enum qv_status apply_roll(struct hosted_game *p, const json_t *event, struct qv_error *error)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	struct dice_roll *at = hosted_dice_due(p) ? roll_at(p, r->line[r->ply].node) : NULL;
	char seed[HOSTED_SEED + 1];
	if (!at)
		return bad(error, "there is nothing to roll here");
	if (!get_text(event, "seed", true, seed, sizeof seed) || !seed_ok(seed))
		return bad(error, "a seed is expected");
	struct dice dice = { .seed = seed, .game = p->id, .ply = r->ply };
	memcpy(dice.secret, at->secret, sizeof dice.secret);
	const uint64_t weights = dice_weights(game, r->state);
	const uint64_t number = p->host.roll(p->host.ctx, &dice, weights);
	if ((uint64_t)json_integer_value(json_object_get(event, "number")) != number)
		return bad(error, "the number does not follow from secret and seed");
	struct qv_text move = { at->move, sizeof at->move, 0 };
	memcpy(at->seed, seed, sizeof seed);
	at->ply = r->ply;
	at->weights = weights;
	at->number = number;
	at->rolled = true;
	game->move_text(r->state, dice_outcome(game, r->state, number), &move);
	p->last_roll = (int)(at - p->rolls);
	return QV_OK;
}

/* ---- Rematch ---- */

static enum qv_status apply_rematch(struct hosted_game *p, const json_t *event,
				    struct qv_error *error)
{
	(void)event;
	if (p->rematch_due || p->rematch[0])
		return bad(error, "there is a rematch already");
	p->rematch_due = true;
	offers_clear(p);
	p->version++;
	return QV_OK;
}

static enum qv_status apply_next(struct hosted_game *p, const json_t *event, struct qv_error *error)
{
	char id[HOSTED_ID_ROOM];
	if (!p->rematch_due || !get_text(event, "id", true, id, sizeof id) || !id[0])
		return bad(error, "no rematch is due, or it has no id");
	memcpy(p->rematch, id, sizeof id);
	p->rematch_due = false;
	p->version++;
	return QV_OK;
}

/* ---- The header ---- */

static bool read_seats(struct hosted_game *p, const json_t *list)
{
	const size_t count = json_array_size(list);
	if (count < 1 || count > QV_MAX_SEATS)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!read_seat(json_array_get(list, i), &p->seats[i]))
			return false;
	p->seat_count = (int)count;
	return true;
}

static bool read_time_control(struct hosted_game *p, const json_t *event)
{
	char clock[64];
	struct time_control control = { 0 };
	if (!get_text(event, "clock", false, clock, sizeof clock) ||
	    (clock[0] && !time_control_parse(clock, &control)))
		return false;
	struct qv_text text = { p->control_text, sizeof p->control_text, 0 };
	game_clock_init(&p->game.clock, &control);
	time_control_text(&control, &text);
	return true;
}

static enum qv_status apply_header(struct hosted_game *p, const json_t *event,
				   struct qv_error *error)
{
	const json_t *created = json_object_get(event, "created"),
		     *given = json_object_get(event, "given");
	char dice[8];
	if (p->seat_count)
		return bad(error, "a second header");
	if (json_integer_value(json_object_get(event, "play")) != FORMAT)
		return bad(error, "unknown format");
	if (!get_text(event, "id", true, p->id, sizeof p->id) || !p->id[0] ||
	    !get_text(event, "owner", true, p->owner, sizeof p->owner) ||
	    !get_text(event, "dice", true, dice, sizeof dice) || !read_time_control(p, event) ||
	    !json_is_integer(created) || !json_is_integer(given) || json_integer_value(given) < 1)
		return bad(error, "the header is incomplete");
	if (!read_seats(p, json_object_get(event, "seats")))
		return bad(error, "the seats are malformed");
	p->typed_dice = strcmp(dice, "typed") == 0;
	p->closed = json_is_true(json_object_get(event, "private"));
	p->created = json_integer_value(created);
	p->given = (size_t)json_integer_value(given);
	return QV_OK;
}

/* ---- All of them ---- */

static const struct {
	const char *name;
	enum qv_status (*apply)(struct hosted_game *p, const json_t *event, struct qv_error *error);
} events[] = {
	{ "sit", apply_sit },	    { "swap", apply_swap },	  { "offer", apply_offer },
	{ "accept", apply_accept }, { "decline", apply_decline }, { "commit", apply_commit },
	{ "throw", apply_roll },    { "rematch", apply_rematch }, { "next", apply_next },
};

enum qv_status event_apply(struct hosted_game *p, const json_t *event, struct qv_error *error)
{
	const json_t *name = json_object_get(event, "play");
	if (json_is_integer(name))
		return apply_header(p, event, error);
	if (!p->game.record)
		return bad(error, "the record's header is still missing");
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (json_is_string(name) && strcmp(json_string_value(name), events[i].name) == 0)
			return events[i].apply(p, event, error);
	return bad(error, "an unknown event");
}
