/*
 * hosted_rights.c - who may do what in a hosted game, and whose clock runs.
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

bool hosted_may_roll(const struct hosted_game *p, const char *user)
{
	const int seat = game_roller(&p->game);
	if (p->seats[seat].kind == SEAT_PERSON)
		return seat_is(p, seat, user);
	return hosted_governs(p, user);
}

bool hosted_dice_due(const struct hosted_game *p)
{
	return !game_is_over(&p->game) && !p->typed_dice &&
	       game_seat_to_move(&p->game) == QV_CHANCE;
}

bool hosted_is_full(const struct hosted_game *p, size_t more)
{
	return p->lines + more > HOSTED_MAX_LINES - HOSTED_MARGIN;
}

static bool is_person(const void *ctx, int seat)
{
	const struct hosted_game *p = ctx;
	return p->seats[seat].kind == SEAT_PERSON;
}

int hosted_clock_seat(const struct hosted_game *p)
{
	if (p->paused || !p->started || hosted_has_open_seat(p))
		return -1;
	return game_time_seat(&p->game, is_person, p);
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
	return p->game.record->outcome != QV_GOING;
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
	return p->game.record;
}
