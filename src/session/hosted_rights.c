/*
 * play_rights.c - who may do what in a play, and whose turn it is.
 * SPDX-License-Identifier: MIT
 */
#include "session/hosted_inside.h"

bool seat_is(const struct hosted_game *p, int seat, const char *user)
{
	return p->seats[seat].kind == SEAT_PERSON && *user &&
	       strcmp(p->seats[seat].user, user) == 0;
}

unsigned seats_of(const struct hosted_game *p, const char *user)
{
	unsigned mask = 0;
	for (int i = 0; i < p->seat_count; i++)
		mask |= (unsigned)seat_is(p, i, user) << i;
	return mask;
}

int person_count(const struct hosted_game *p)
{
	int count = 0;
	for (int i = 0; i < p->seat_count; i++)
		count += p->seats[i].kind == SEAT_PERSON;
	return count;
}

bool hosted_is_free(const struct hosted_game *p)
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

bool hosted_governs(const struct hosted_game *p, const char *user)
{
	if (person_count(p) == 0)
		return *user && strcmp(p->owner, user) == 0;
	return seats_of(p, user) != 0;
}

int hosted_seat_to_move(const struct hosted_game *p)
{
	return p->record->rules.game->seat(p->record->state);
}

int hosted_roller(const struct hosted_game *p)
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

bool hosted_may_roll(const struct hosted_game *p, const char *user)
{
	const int seat = hosted_roller(p);
	if (p->seats[seat].kind == SEAT_PERSON)
		return seat_is(p, seat, user);
	return hosted_governs(p, user);
}

bool hosted_dice_due(const struct hosted_game *p)
{
	return !hosted_over(p) && !p->typed_dice && hosted_seat_to_move(p) == QV_CHANCE;
}

bool hosted_is_full(const struct hosted_game *p, size_t more)
{
	return p->lines + more > HOSTED_MAX_LINES - HOSTED_MARGIN;
}

int hosted_clock_seat(const struct hosted_game *p)
{
	if (hosted_over(p) || p->paused || !p->started || hosted_has_open_seat(p))
		return -1;
	const int seat = hosted_seat_to_move(p);
	if (seat != QV_CHANCE)
		return seat;
	const int thrower = hosted_roller(p);
	return p->seats[thrower].kind == SEAT_PERSON ? thrower : -1;
}

/* ---- Looking, for everybody ---- */

const char *hosted_id(const struct hosted_game *p)
{
	return p->id;
}

const char *hosted_owner(const struct hosted_game *p)
{
	return p->owner;
}

uint64_t hosted_version(const struct hosted_game *p)
{
	return p->version;
}

bool hosted_private(const struct hosted_game *p)
{
	return p->closed;
}

int64_t hosted_created(const struct hosted_game *p)
{
	return p->created;
}

bool hosted_over(const struct hosted_game *p)
{
	return p->record->outcome != QV_GOING;
}

bool hosted_has_open_seat(const struct hosted_game *p)
{
	for (int i = 0; i < p->seat_count; i++)
		if (p->seats[i].kind == SEAT_OPEN)
			return true;
	return false;
}

int hosted_seat_count(const struct hosted_game *p)
{
	return p->seat_count;
}

const struct hosted_seat *hosted_seat_at(const struct hosted_game *p, int seat)
{
	return &p->seats[seat];
}

bool hosted_is_seated(const struct hosted_game *p, const char *user)
{
	return seats_of(p, user) != 0;
}

bool hosted_has_person(const struct hosted_game *p)
{
	return person_count(p) > 0;
}

const struct qv_record *hosted_record(const struct hosted_game *p)
{
	return p->record;
}
