/*
 * play_rights.c - who may do what in a play, and whose turn it is.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/play_inside.h"

bool seat_is(const struct play *p, int seat, const char *user)
{
	return p->seats[seat].kind == SEAT_PERSON && *user &&
	       strcmp(p->seats[seat].user, user) == 0;
}

unsigned seats_of(const struct play *p, const char *user)
{
	unsigned mask = 0;
	for (int i = 0; i < p->seat_count; i++)
		mask |= (unsigned)seat_is(p, i, user) << i;
	return mask;
}

int person_count(const struct play *p)
{
	int count = 0;
	for (int i = 0; i < p->seat_count; i++)
		count += p->seats[i].kind == SEAT_PERSON;
	return count;
}

bool play_is_free(const struct play *p)
{
	const char *first = NULL;
	for (int i = 0; i < p->seat_count; i++) {
		if (p->seats[i].kind != SEAT_PERSON)
			continue;
		if (first && strcmp(first, p->seats[i].user) != 0)
			return false;
		first = p->seats[i].user;
	}
	return true;
}

bool play_governs(const struct play *p, const char *user)
{
	if (person_count(p) == 0)
		return *user && strcmp(p->owner, user) == 0;
	return seats_of(p, user) != 0;
}

int play_seat_to_move(const struct play *p)
{
	return p->record->rules.game->seat(p->record->state);
}

int play_thrower(const struct play *p)
{
	const struct qv_game *game = p->record->rules.game;
	qv_move list[QV_MAX_MOVES];
	memcpy(p->scratch, p->record->state, game->state_size);
	/* An ended game still names a seat, so this ends where the game does at the latest. */
	while (game->seat(p->scratch) == QV_CHANCE && game->moves(p->scratch, list) > 0)
		game->play(p->scratch, list[0]);
	const int seat = game->seat(p->scratch);
	return seat < 0 ? 0 : seat;
}

bool play_may_throw(const struct play *p, const char *user)
{
	const int seat = play_thrower(p);
	if (p->seats[seat].kind == SEAT_PERSON)
		return seat_is(p, seat, user);
	return play_governs(p, user);
}

bool play_dice_due(const struct play *p)
{
	return !play_over(p) && !p->typed_dice && play_seat_to_move(p) == QV_CHANCE;
}

bool play_is_full(const struct play *p, size_t more)
{
	return p->lines + more > PLAY_MAX_LINES - PLAY_MARGIN;
}

int play_clock_seat(const struct play *p)
{
	if (play_over(p) || p->paused || !p->started || play_has_open_seat(p))
		return -1;
	const int seat = play_seat_to_move(p);
	if (seat != QV_CHANCE)
		return seat;
	const int thrower = play_thrower(p);
	return p->seats[thrower].kind == SEAT_PERSON ? thrower : -1;
}

/* ---- Looking, for everybody ---- */

const char *play_id(const struct play *p)
{
	return p->id;
}

const char *play_owner(const struct play *p)
{
	return p->owner;
}

uint64_t play_version(const struct play *p)
{
	return p->version;
}

bool play_private(const struct play *p)
{
	return p->closed;
}

int64_t play_created(const struct play *p)
{
	return p->created;
}

bool play_over(const struct play *p)
{
	return p->record->outcome != QV_GOING;
}

bool play_has_open_seat(const struct play *p)
{
	for (int i = 0; i < p->seat_count; i++)
		if (p->seats[i].kind == SEAT_OPEN)
			return true;
	return false;
}

int play_seat_count(const struct play *p)
{
	return p->seat_count;
}

const struct play_seat *play_seat_at(const struct play *p, int seat)
{
	return &p->seats[seat];
}

bool play_is_seated(const struct play *p, const char *user)
{
	return seats_of(p, user) != 0;
}

bool play_has_person(const struct play *p)
{
	return person_count(p) > 0;
}

const struct qv_record *play_record(const struct play *p)
{
	return p->record;
}
