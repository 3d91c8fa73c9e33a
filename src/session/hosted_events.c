/*
 * hosted_events.c - the events of a hosted game and the lines that store them.
 * SPDX-License-Identifier: MIT
 *
 * A line is either an event of the game's record (a move, undo, result, note or clock) or an event
 * of the hosted game, {"play":...}. The functions here are the only ones that change what is
 * stored, whether an event happens now or is loaded. Lines from the store may be anything, so each
 * event is checked for whether it makes sense in this game. Whether a user may cause it is checked
 * by the commands.
 */
#include "session/hosted_inside.h"

#include <math.h>
#include <stdlib.h>

#include "formats/board_json.h"

enum { FORMAT = 1 }; /* of the header */

/*
 * The functions that apply an event return NULL, or else what is wrong with the event; then the
 * game has not changed. This text, compared by its address, is out of memory.
 */
static const char no_memory[] = "out of memory";

/* ---- Lines that wait ---- */

bool line_wait(struct hosted_game *p, const char *line, size_t length)
{
	char *copy = mem_reserve(&mem_malloc, &p->pending, &p->pending_room, p->pending_count + 1,
				 sizeof *p->pending)
			     ? malloc(length + 1)
			     : NULL;
	if (!copy)
		return false;
	memcpy(copy, line, length);
	copy[length] = '\0';
	p->pending[p->pending_count++] = copy;
	p->lines++;
	return true;
}

size_t hosted_lines(const struct hosted_game *p)
{
	return p->pending_count;
}

const char *hosted_line(const struct hosted_game *p, size_t i)
{
	return p->pending[i];
}

size_t hosted_lines_before(const struct hosted_game *p)
{
	return p->lines - p->pending_count;
}

void hosted_lines_taken(struct hosted_game *p)
{
	for (size_t i = 0; i < p->pending_count; i++)
		free(p->pending[i]);
	p->pending_count = 0;
}

/* ---- Reading JSON ---- */

/* Reads a text of at most size - 1 bytes; a missing key gives "" unless it is needed. */
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

static void clear_offers(struct hosted_game *p)
{
	memset(p->offers, 0, sizeof p->offers);
}

/* The seats have changed: a new turn begins, and all offers lapse. */
static const char *seats_changed(struct hosted_game *p)
{
	clear_offers(p);
	p->unrated |= p->started;
	p->talk++;
	p->turn = ++p->version;
	return NULL;
}

static const char *apply_sit(struct hosted_game *p, const json_t *event)
{
	int seat;
	struct hosted_seat who;
	if (!get_seat(p, event, &seat) || !read_seat(event, &who))
		return "sit needs a seat, and a user with a name, a spec, or neither";
	p->seats[seat] = who;
	return seats_changed(p);
}

/* Everybody moves to the next seat, the last to the first. */
static const char *apply_swap(struct hosted_game *p, const json_t *event)
{
	(void)event;
	game_rotate_seats(p->seats, p->seat_count, sizeof *p->seats);
	return seats_changed(p);
}

/* ---- Offers ---- */

static const char *const offer_names[OFFER_KINDS] = { "draw", "undo", "rematch", "swap" };

const char *offer_name(enum offer_kind kind)
{
	return offer_names[kind];
}

enum offer_kind offer_from_name(const char *name)
{
	int kind = 0;
	while (kind < OFFER_KINDS && (!name || strcmp(name, offer_names[kind]) != 0))
		kind++;
	return (enum offer_kind)kind;
}

int offers_open(const struct hosted_game *p)
{
	int count = 0;
	for (int i = 0; i < OFFER_KINDS; i++)
		count += p->offers[i].open;
	return count;
}

/* The offer that an event is about; NULL: it names none. */
static struct offer *get_offer(struct hosted_game *p, const json_t *event)
{
	const char *name = json_string_value(json_object_get(event, "kind"));
	const enum offer_kind kind = offer_from_name(name);
	return kind < OFFER_KINDS ? &p->offers[kind] : NULL;
}

static const char *offers_changed(struct hosted_game *p)
{
	p->talk++;
	p->version++;
	return NULL;
}

static const char *apply_offer(struct hosted_game *p, const json_t *event)
{
	struct offer *offer = get_offer(p, event);
	int seat;
	const json_int_t plies = json_integer_value(json_object_get(event, "plies"));
	if (!offer || !get_seat(p, event, &seat) || p->seats[seat].kind != SEAT_PERSON ||
	    offer->open)
		return "an offer needs a kind that is not open, and a person's seat";
	if (plies < 0 || plies > p->game.record->ply)
		return "there are not so many plies";
	*offer = (struct offer){ .open = true, .seat = seat, .plies = (int)plies };
	return offers_changed(p);
}

static const char *apply_accept(struct hosted_game *p, const json_t *event)
{
	struct offer *offer = get_offer(p, event);
	int seat;
	if (!offer || !get_seat(p, event, &seat) || !offer->open)
		return "to accept, there must be an offer";
	offer->agreed |= seats_of(p, p->seats[seat].user);
	return offers_changed(p);
}

static const char *apply_decline(struct hosted_game *p, const json_t *event)
{
	struct offer *offer = get_offer(p, event);
	if (!offer || !offer->open)
		return "to decline, there must be an offer";
	*offer = (struct offer){ .open = false };
	return offers_changed(p);
}

static const char *apply_rematch(struct hosted_game *p, const json_t *event)
{
	(void)event;
	if (p->rematch_due || p->rematch[0])
		return "there is a rematch already";
	p->rematch_due = true;
	clear_offers(p);
	p->version++;
	return NULL;
}

static const char *apply_next(struct hosted_game *p, const json_t *event)
{
	char id[HOSTED_ID_ROOM];
	if (!p->rematch_due || !get_text(event, "id", true, id, sizeof id) || !id[0])
		return "no rematch is due, or it has no id";
	memcpy(p->rematch, id, sizeof id);
	p->rematch_due = false;
	p->version++;
	return NULL;
}

/* ---- Dice ---- */

struct dice_roll *roll_at(const struct hosted_game *p, int32_t node)
{
	for (size_t i = p->roll_count; i > 0; i--)
		if (p->rolls[i - 1].node == node)
			return &p->rolls[i - 1];
	return NULL;
}

/* Before version 0.11 the line had the secret itself; it now counts as drawn, like any random bytes. */
static const char *apply_commit(struct hosted_game *p, const json_t *event)
{
	char hex[DICE_HEX];
	const char *const key = json_object_get(event, "secret") ? "secret" : "drawn";
	struct dice_roll roll = { .node = p->game.record->line[p->game.record->ply].node };
	if (!hosted_dice_due(p) || roll_at(p, roll.node))
		return "there is no roll to commit to here";
	if (!get_text(event, key, true, hex, sizeof hex) || !dice_from_hex(hex, roll.drawn))
		return "64 hex digits are expected";
	if (!mem_reserve(&mem_malloc, &p->rolls, &p->roll_room, p->roll_count + 1,
			 sizeof *p->rolls))
		return no_memory;
	p->rolls[p->roll_count++] = roll;
	return NULL;
}

bool hosted_seed_ok(const char *seed)
{
	while (*seed >= ' ' && *seed <= '~')
		seed++;
	return !*seed;
}

/*
 * Computes the roll from secret and seed; the number in the line must agree. A line without a
 * secret is from before version 0.11: it was drawn.
 */
static const char *apply_roll(struct hosted_game *p, const json_t *event)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	struct dice_roll *at = hosted_dice_due(p) ? roll_at(p, r->line[r->ply].node) : NULL;
	char seed[HOSTED_SEED + 1], hex[DICE_HEX];
	if (!at)
		return "there is nothing to roll here";
	if (!get_text(event, "seed", true, seed, sizeof seed) || !hosted_seed_ok(seed))
		return "a seed is expected";
	struct dice dice = { .seed = seed, .game = p->id, .ply = r->ply };
	memcpy(dice.secret, at->drawn, sizeof dice.secret);
	if (!get_text(event, "secret", false, hex, sizeof hex) ||
	    (hex[0] && !dice_from_hex(hex, dice.secret)))
		return "a secret of 64 hex digits is expected";
	const uint64_t weights = dice_weights(game, r->state);
	const uint64_t number = p->host.roll(p->host.ctx, &dice, weights);
	if ((uint64_t)json_integer_value(json_object_get(event, "number")) != number)
		return "the number does not follow from secret and seed";
	struct qv_text move = { at->move, sizeof at->move, 0 };
	memcpy(at->secret, dice.secret, sizeof at->secret);
	memcpy(at->seed, seed, sizeof seed);
	at->ply = r->ply;
	at->weights = weights;
	at->number = number;
	at->rolled = true;
	game->move_text(r->state, dice_outcome(game, r->state, number), &move);
	p->last_roll = (int)(at - p->rolls);
	return NULL;
}

/* ---- Who thinks for the computers ---- */

static const char *apply_engine(struct hosted_game *p, const json_t *event)
{
	char name[16];
	if (!get_text(event, "name", true, name, sizeof name))
		return "an engine needs a name";
	p->own_engine = strcmp(name, "browser") == 0;
	p->talk++;
	p->version++;
	return NULL;
}

/* A player has looked at hints or values. */
static const char *apply_help(struct hosted_game *p, const json_t *event)
{
	(void)event;
	p->unrated = true;
	p->talk++;
	p->version++;
	return NULL;
}

/* ---- What learners remember ---- */

/* Further lines of a learner's file. */
static const char *apply_learned(struct hosted_game *p, const json_t *event)
{
	const char *text = json_string_value(json_object_get(event, "text"));
	const size_t known = p->memory ? strlen(p->memory) : 0;
	if (!text || known + strlen(text) > HOSTED_MEMORY)
		return "learned needs a text that is not too long";
	char *memory = malloc(known + strlen(text) + 1);
	if (!memory)
		return no_memory;
	sprintf(memory, "%s%s", known ? p->memory : "", text);
	free(p->memory);
	p->memory = memory;
	return NULL;
}

static const char *apply_forget(struct hosted_game *p, const json_t *event)
{
	(void)event;
	free(p->memory);
	p->memory = NULL;
	p->talk++;
	p->version++;
	return NULL;
}

/* ---- The header ---- */

static const char *apply_header(struct hosted_game *p, const json_t *event)
{
	const json_t *created = json_object_get(event, "created"),
		     *given = json_object_get(event, "given"),
		     *seats = json_object_get(event, "seats");
	const size_t count = json_array_size(seats);
	struct time_control control = { 0 };
	char dice[8], clock[64];
	if (p->seat_count)
		return "a second header";
	if (json_integer_value(json_object_get(event, "play")) != FORMAT)
		return "unknown format";
	if (!get_text(event, "id", true, p->id, sizeof p->id) || !p->id[0] ||
	    !get_text(event, "owner", true, p->owner, sizeof p->owner) ||
	    !get_text(event, "dice", true, dice, sizeof dice) ||
	    !get_text(event, "clock", false, clock, sizeof clock) ||
	    (clock[0] && !time_control_parse(clock, &control)) || !json_is_integer(created) ||
	    !json_is_integer(given) || json_integer_value(given) < 1)
		return "the header is incomplete";
	bool good = count >= 1 && count <= QV_MAX_SEATS;
	for (size_t i = 0; good && i < count; i++)
		good = read_seat(json_array_get(seats, i), &p->seats[i]);
	if (!good)
		return "the seats are malformed";
	struct qv_text text = { p->control_text, sizeof p->control_text, 0 };
	game_clock_init(&p->game.clock, &control);
	time_control_text(&control, &text);
	p->seat_count = (int)count;
	p->typed_dice = strcmp(dice, "typed") == 0;
	p->closed = json_is_true(json_object_get(event, "private"));
	p->created = json_integer_value(created);
	p->given = (size_t)json_integer_value(given);
	return NULL;
}

/* Days for each move: when the turn of this node began. */
static const char *apply_turn(struct hosted_game *p, const json_t *event)
{
	const json_t *at = json_object_get(event, "at");
	if (!p->game.clock.control.each_move || !json_is_integer(at) || json_integer_value(at) < 0)
		return "a turn of some days needs its second";
	p->turn_second = json_integer_value(at);
	p->turn_node = p->game.record->line[p->game.record->ply].node;
	return NULL;
}

/* ---- All events of a hosted game ---- */

static const struct {
	const char *name;
	const char *(*apply)(struct hosted_game *p, const json_t *event);
} events[] = {
	{ "sit", apply_sit },	      { "swap", apply_swap },	    { "offer", apply_offer },
	{ "accept", apply_accept },   { "decline", apply_decline }, { "commit", apply_commit },
	{ "throw", apply_roll },      { "rematch", apply_rematch }, { "next", apply_next },
	{ "learned", apply_learned }, { "forget", apply_forget },   { "engine", apply_engine },
	{ "turn", apply_turn },	      { "help", apply_help },
};

/* Changes the game as the event says, or refuses it and changes nothing. */
static enum qv_status event_apply(struct hosted_game *p, const json_t *event,
				  struct qv_error *error)
{
	const json_t *name = json_object_get(event, "play");
	const char *fault = "an unknown event";
	if (json_is_integer(name))
		fault = apply_header(p, event);
	else if (!p->game.record)
		fault = "the record's header is still missing";
	else
		for (size_t i = 0; json_is_string(name) && i < sizeof events / sizeof *events; i++)
			if (strcmp(json_string_value(name), events[i].name) == 0)
				fault = events[i].apply(p, event);
	if (fault == no_memory)
		return QV_NO_MEMORY;
	return fault ? qv_fail(error, QV_BAD_INPUT, "game: %s", fault) : QV_OK;
}

bool emit(struct hosted_game *p, json_t *event)
{
	char *line = event ? json_dumps(event, JSON_COMPACT) : NULL;
	const bool done =
		line && event_apply(p, event, NULL) == QV_OK && line_wait(p, line, strlen(line));
	free(line);
	json_decref(event);
	p->broken |= !done;
	return done;
}

/* ---- What follows from an event of the record ---- */

/*
 * The luck of a roll, or what a person's move lost. Both follow from the position and the move, so
 * they say nothing of dice to come, and loading gives the same figures again. Running out of memory
 * leaves them unknown.
 */
static void value_move(const struct hosted_game *p, const void *before, qv_move move,
		       struct node_info *info)
{
	const struct qv_game *game = p->game.record->rules.game;
	const struct qv_context *context = p->game.context;
	char best[QV_MOVE_TEXT] = "";
	struct qv_text text = { best, sizeof best, 0 };
	struct qv_roll_luck luck = { .size = sizeof luck };
	struct qv_move_review review = { .size = sizeof review };
	if (!game->chance || p->node_info_count >= HOSTED_LUCK)
		return;
	if (info->seat == QV_CHANCE) {
		if (qv_luck(context, game, before, move, &luck, NULL) != QV_OK)
			return;
		info->luck = round(luck.of[luck.seat] * 1000) / 1000;
		info->roller = luck.seat;
	} else if (p->seats[info->seat].kind == SEAT_PERSON &&
		   qv_review(context, game, before, move, &review, NULL) == QV_OK) {
		info->loss = round(review.loss * 1000) / 1000;
		if (!*qv_loss_name(review.loss))
			return;
		game->move_text(before, review.best, &text);
		info->best = strdup(best);
	}
}

/* For a new node at the cursor: the text of its move, and whose it is. */
static bool add_node_info(struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	char name[QV_MOVE_TEXT] = "", brief[QV_MOVE_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	struct node_info info = { .seat = QV_CHANCE, .seconds = -1, .luck = NAN, .loss = NAN };
	if (!mem_reserve(&mem_malloc, &p->node_infos, &p->node_info_room, r->node_count,
			 sizeof *p->node_infos))
		return false;
	if (r->ply > 0) {
		tree_state_at(r, r->ply - 1, p->game.scratch);
		info.seat = game->seat(p->game.scratch);
		const qv_move move = qv_record_move(r, r->ply - 1);
		const bool has_brief = move_short(game, p->game.scratch, move, brief);
		game->move_text(p->game.scratch, move, &text);
		info.move = strdup(name);
		info.brief = has_brief ? strdup(brief) : NULL;
		if (!info.move || (has_brief && !info.brief)) {
			free(info.move);
			free(info.brief);
			return false;
		}
		value_move(p, p->game.scratch, move, &info);
	}
	p->node_infos[p->node_info_count++] = info;
	return true;
}

/* Whether the last line is not one of those that came with the setup. */
static bool is_live(const struct hosted_game *p)
{
	return p->lines > p->given + 1;
}

static bool follow_move(struct hosted_game *p, double seconds)
{
	const int32_t node = p->game.record->line[p->game.record->ply].node;
	if ((size_t)node == p->node_info_count && !add_node_info(p))
		return false;
	p->node_infos[node].seconds = seconds;
	p->turn = ++p->version;
	const int mover = p->node_infos[node].seat;
	if (is_live(p) && mover != QV_CHANCE)
		p->started = true;
	p->unrated |= !is_live(p);
	/* A user who moves instead of answering an offer declines it. */
	p->offers[OFFER_UNDO] = (struct offer){ .open = false };
	for (int i = 0; i < OFFER_KINDS && mover != QV_CHANCE; i++) {
		const struct offer *offer = &p->offers[i];
		if (offer->open && !seat_is(p, mover, p->seats[offer->seat].user))
			p->offers[i] = (struct offer){ .open = false };
	}
	if (game_is_over(&p->game))
		clear_offers(p);
	return true;
}

/* After undo, redo, or an end that was declared. */
static void follow_walk(struct hosted_game *p)
{
	p->turn = ++p->version;
	clear_offers(p);
}

static void follow_note(struct hosted_game *p)
{
	p->talk += is_live(p);
	p->version++;
}

/* ---- Events of the record that happen ---- */

/* Takes over the lines that the journal has gained; false if `status` is bad already. */
static bool take_journal(struct hosted_game *p, enum qv_status status)
{
	const struct string *journal = &p->game.record->journal;
	bool done = status == QV_OK;
	while (done && p->taken < journal->length) {
		const char *line = journal->data + p->taken;
		const size_t length = strcspn(line, "\n");
		done = line_wait(p, line, length);
		p->taken += length + 1;
	}
	p->broken |= !done;
	return done;
}

bool do_play(struct hosted_game *p, qv_move move, double seconds)
{
	/* The line counts first: follow_move tests whether it is one of those given. */
	if (!take_journal(p, qv_record_play(p->game.record, move, seconds, NULL)))
		return false;
	p->broken |= !follow_move(p, seconds);
	return !p->broken;
}

bool do_walk(struct hosted_game *p, enum qv_status (*walk)(struct qv_record *, int, int *),
	     int plies)
{
	const bool done = take_journal(p, walk(p->game.record, plies, NULL));
	p->unrated = true;
	follow_walk(p);
	return done;
}

bool do_end(struct hosted_game *p, int winner, const char *reason)
{
	const bool done = take_journal(p, qv_record_end(p->game.record, winner, reason));
	follow_walk(p);
	return done;
}

bool do_note(struct hosted_game *p, const char *text)
{
	const bool done = take_journal(p, qv_record_note(p->game.record, text));
	follow_note(p);
	return done;
}

bool do_clock(struct hosted_game *p, int seat, int64_t left_ms)
{
	return take_journal(p, qv_record_clock(p->game.record, seat, left_ms));
}

/* ---- Lines that are loaded ---- */

/* After the record's header: what follows from the game and its start. */
static enum qv_status follow_header(struct hosted_game *p, struct qv_error *error)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	struct qv_text start = { p->start, sizeof p->start, 0 };
	if (game->seats != p->seat_count)
		return qv_fail(error, QV_BAD_INPUT, "seats: the game has %d, not %d", game->seats,
			       p->seat_count);
	p->game.scratch = qv_state_new(p->game.context, game);
	if (!p->game.scratch || !add_node_info(p))
		return QV_NO_MEMORY;
	game->position_text(r->state, &start);
	return QV_OK;
}

/* The record took the line, after a journal of that length. */
static enum qv_status follow_journal(struct hosted_game *p, const json_t *event, size_t before,
				     struct qv_error *error)
{
	const json_t *time = json_object_get(event, "time");
	const char *position = json_string_value(json_object_get(event, "position"));
	if (json_object_get(event, "quevedo")) {
		p->unrated = p->typed_dice || !position || strcmp(position, "start") != 0;
		return follow_header(p, error);
	}
	if (json_object_get(event, "move"))
		return follow_move(p, time ? json_number_value(time) : -1) ? QV_OK : QV_NO_MEMORY;
	if (json_object_get(event, "undo") || json_object_get(event, "redo")) {
		p->unrated = true;
		follow_walk(p);
	} else if (json_object_get(event, "note"))
		follow_note(p);
	else if (json_object_get(event, "result") && p->taken > before)
		follow_walk(p); /* declared; a result by the rules is nothing new */
	return QV_OK;
}

enum qv_status line_apply(struct hosted_game *p, const char *line, struct qv_error *error)
{
	json_t *event;
	const size_t before = p->taken;
	enum qv_status status = json_load_object(line, strlen(line), JSON_ANY_DEPTH, &event, error);
	p->lines++;
	if (status != QV_OK)
		return status;
	if (json_object_get(event, "play"))
		status = event_apply(p, event, error);
	else if (!p->seat_count)
		status = qv_fail(error, QV_BAD_INPUT, "the header of the game is missing");
	else if (p->game.record && json_object_get(event, "quevedo"))
		status = qv_fail(error, QV_BAD_INPUT, "a second record begins");
	else
		status = record_load_line(p->game.context, line, &p->game.record, error);
	if (status == QV_OK && !json_object_get(event, "play")) {
		p->taken = p->game.record->journal.length;
		status = follow_journal(p, event, before, error);
	}
	json_decref(event);
	return status;
}
