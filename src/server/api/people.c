/*
 * people.c - the people of a game: who is there, who has left, and what players say to each other.
 * SPDX-License-Identifier: MIT
 *
 * Nothing of this is stored. A player who has left may come back at any time; only the opponent's
 * claim ends the game. With a clock there is nothing to claim: the clock decides.
 *
 * Players choose what they say from a fixed list. Each page has the words in the language of its
 * reader, and nobody has to watch over what strangers write to children.
 */
#include <stdlib.h>

#include "server/api/inside.h"
#include "server/api/limits.h"

enum { PHRASES_A_MINUTE = 12, PHRASES_BURST = 4 }; /* of one player in one game */

/* Those of types.ts and openapi.json. */
static const char *const phrase_names[] = { "hello",  "good_luck",  "well_played", "thanks",
					    "sorry", "one_moment", "good_game",	  "goodbye" };
enum { PHRASES = sizeof phrase_names / sizeof *phrase_names };

/* ---- Who is there ---- */

/* Computers and open seats belong to nobody. */
static bool is_seat_of(const struct room *room, int seat, const char *user)
{
	const struct hosted_seat *s = hosted_seat_at(room->play, seat);
	return s->kind == SEAT_PERSON && strcmp(s->user, user) == 0;
}

unsigned room_connected(const struct room *room)
{
	unsigned bits = 0;
	for (int s = 0; s < hosted_seat_count(room->play); s++)
		for (const struct call *c = room->streams; c; c = c->next_stream)
			if (is_seat_of(room, s, c->user))
				bits |= 1U << s;
	return bits;
}

int room_watchers(const struct room *room, const char *except)
{
	int count = 0;
	for (const struct call *c = room->streams; c; c = c->next_stream)
		count += !c->again && !hosted_is_seated(room->play, c->user) &&
			 strcmp(c->user, except) != 0;
	return count;
}

/* A player who may not move is away. */
void room_seen(struct api *api, struct room *room, const char *user)
{
	if (suspension_of(api, user, ""))
		return;
	for (int s = 0; s < hosted_seat_count(room->play); s++)
		if (is_seat_of(room, s, user))
			room->here_ms[s] = api_now(api);
}

void room_send_watchers(struct api *api, struct room *room)
{
	room->watchers = room_watchers(room, "");
	room->sent_ms = api_now(api);
	char *text = json_to_text(json_pack("{s:s, s:i}", "type", "watchers", "watchers",
					    room->watchers),
				  RESPONSE_JSON);
	room_send_all(api, room, text, true);
	free(text);
}

/* ---- Games that a player has left ---- */

/* The seat of a player whom others wait for, without a clock, and who is away; -1: none. */
static int absent_seat(const struct room *room)
{
	const int seat = hosted_seat_to_act(room->play);
	if (seat < 0 || hosted_is_free(room->play) || hosted_time_left(room->play, seat, 0) >= 0 ||
	    hosted_seat_at(room->play, seat)->kind != SEAT_PERSON ||
	    (room_connected(room) >> seat & 1))
		return -1;
	return seat;
}

/* How long nobody may claim the game yet, in ms: it counts from the turn, or from the leaving. */
static int64_t claim_wait(struct api *api, const struct room *room, int seat)
{
	const int64_t began = hosted_turn_began(room->play), left = room->here_ms[seat];
	const int64_t wait = (began > left ? began : left) + CLAIM_MS - api_now(api);
	return wait > 0 ? wait : 0;
}

/* Whether the user may claim the game now. False: an error was sent. */
static bool may_claim(struct api *api, uint64_t call, const struct room *room, const char *user)
{
	const int seat = absent_seat(room);
	const int64_t wait = seat < 0 ? 0 : claim_wait(api, room, seat);
	if (!hosted_is_seated(room->play, user))
		reply_error(api, call, 403, "claim: only players may do that");
	else if (seat < 0 || is_seat_of(room, seat, user))
		reply_error(api, call, 409, "claim: you do not wait for a player who has left");
	else if (wait > 0)
		reply_error(api, call, 409, "claim: wait another %d seconds",
			    (int)((wait + 999) / 1000));
	else
		return true;
	return false;
}

/* POST /api/v1/plays/ID/claim: the player to move has left the game, which is lost by that. */
void post_claim(struct api *api, const struct api_request *r)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	struct qv_error error = { "" };
	struct room *room = body_keys(api, r, "") ? room_for(api, r, r->words[0]) : NULL;
	const char *user = room ? room_user(r->visitor, room) : "";
	if (!room || !may_claim(api, r->call, room, user))
		return;
	if (hosted_abandoned(room->play, absent_seat(room), api_now(api), &error) !=
	    VERDICT_OK) {
		room_break(api, room);
		reply_no_memory(api, r->call);
	} else if (!room_changed(api, room)) {
		reply_error(api, r->call, 503, "store: too much waits; try again soon");
	} else {
		room_reply_whole(api, room, &out, room_head(api, room, user));
	}
}

json_t *room_add_claim(struct api *api, const struct room *room, json_t *message)
{
	const int seat = absent_seat(room);
	if (seat < 0)
		return json_field(message, "claim", json_null());
	return json_field(message, "claim",
			  json_pack("{s:i, s:I}", "seat", seat + 1, "wait",
				    (json_int_t)claim_wait(api, room, seat)));
}

/* ---- What players say ---- */

/* A PhraseMessage. NULL: out of memory. */
static char *phrase_text(const struct phrase *phrase)
{
	return json_to_text(json_pack("{s:s, s:i, s:s, s:I}", "type", "phrase", "seat",
				      phrase->seat + 1, "phrase", phrase->name, "number",
				      (json_int_t)phrase->number),
			    RESPONSE_JSON);
}

void room_send_phrases(struct api *api, struct room *room, const struct call *stream)
{
	const struct outgoing out = { .call = stream->number, .status = 200, .stream = true };
	for (int i = 0; stream->people && i < room->phrase_count; i++) {
		char *text = phrase_text(&room->phrases[i]);
		room_reply_text(api, room, &out, text);
		free(text);
	}
}

/* Keeps the newest ones only. */
static const struct phrase *keep_phrase(struct api *api, struct room *room, int seat,
					const char *name)
{
	struct phrase *phrases = room->phrases;
	const int64_t last = room->phrase_count ? phrases[room->phrase_count - 1].number : 0;
	const int64_t second = api_seconds(api);
	if (room->phrase_count == PHRASES_KEPT)
		memmove(phrases, phrases + 1, (size_t)--room->phrase_count * sizeof *phrases);
	phrases[room->phrase_count] =
		(struct phrase){ seat, name, second > last ? second : last + 1 };
	return &phrases[room->phrase_count++];
}

/* The static name; NULL: an error was sent. */
static const char *read_phrase(struct api *api, const struct api_request *r)
{
	const char *wanted;
	if (!body_keys(api, r, "phrase") || !body_text(api, r, "phrase", &wanted))
		return NULL;
	for (int i = 0; wanted && i < PHRASES; i++)
		if (strcmp(wanted, phrase_names[i]) == 0)
			return phrase_names[i];
	reply_error(api, r->call, 400,
		    "phrase: hello, good_luck, well_played, thanks, sorry, one_moment, good_game or "
		    "goodbye is expected");
	return NULL;
}

/* By player and game. */
static bool says_too_much(struct api *api, const struct api_request *r, const struct room *room)
{
	char name[LIMIT_NAME];
	snprintf(name, sizeof name, "phrase %s %s", r->visitor->user, room->id);
	if (limits_take(api->limits, name, PHRASES_A_MINUTE, PHRASES_BURST, api_now(api)))
		return false;
	reply_error(api, r->call, 429, "phrases: at most %d in a minute; wait a moment",
		    PHRASES_A_MINUTE);
	return true;
}

/* POST /api/v1/plays/ID/phrases: says one of the phrases to everybody who follows the game. */
void post_phrase(struct api *api, const struct api_request *r)
{
	const char *name = read_phrase(api, r);
	struct room *room = name ? room_for(api, r, r->words[0]) : NULL;
	if (!room)
		return;
	const char *user = room_user(r->visitor, room);
	int seat = 0;
	while (seat < hosted_seat_count(room->play) && !is_seat_of(room, seat, user))
		seat++;
	if (seat == hosted_seat_count(room->play)) {
		reply_error(api, r->call, 403, "phrase: only players may say something");
		return;
	}
	if (hosted_is_free(room->play)) {
		reply_error(api, r->call, 409, "phrase: no other person plays here");
		return;
	}
	room_seen(api, room, user);
	if (says_too_much(api, r, room))
		return;
	char *text = phrase_text(keep_phrase(api, room, seat, name));
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	room_send_all(api, room, text, true);
	room_reply_text(api, room, &out, text);
	free(text);
}
