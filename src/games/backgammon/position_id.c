/*
 * position_id.c - the position IDs and match IDs of GNU Backgammon.
 * SPDX-License-Identifier: MIT
 *
 * 80 bits, from the lowest bit of the first byte: for the seat that is not to move, then for the
 * other, for its points 1 to 24 and the bar, a one for each man and then a zero. Men off leave
 * zeros at the end. The ten bytes are written as 14 characters of base64.
 *
 * A match ID is nine bytes, written as 12 characters. Its fields, from the lowest bit of the first
 * byte, are in enum field.
 */
#include "games/backgammon/rules.h"

enum { BITS = 80, BYTES = BITS / 8 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* ---- Base64, from the high bit of each byte; a last character may reach beyond the bytes ---- */

static void write_digits(const uint8_t *bytes, int count, char *text, int characters)
{
	for (int i = 0; i < characters; i++) {
		const int at = 6 * i / 8, spill = 6 * i % 8;
		const unsigned next = at + 1 < count ? bytes[at + 1] : 0u;
		text[i] = digits[((unsigned)bytes[at] << 8 | next) >> (10 - spill) & 63];
	}
	text[characters] = '\0';
}

/* `bytes` are zeros. False: a character is no digit, or the bits beyond the bytes are not 0. */
static bool read_digits(const char *text, int characters, uint8_t *bytes, int count)
{
	for (int i = 0; i < characters; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
		if (!digit)
			return false;
		const int at = 6 * i / 8, spill = 6 * i % 8;
		const unsigned two = (unsigned)(digit - digits) << (10 - spill);
		bytes[at] |= (uint8_t)(two >> 8);
		if (at + 1 < count)
			bytes[at + 1] |= (uint8_t)two;
		else if (two & 0xff)
			return false;
	}
	return true;
}

/* ---- Position IDs ---- */

void backgammon_write_id(const struct backgammon *s, char id[BACKGAMMON_ID + 1])
{
	uint8_t bytes[BYTES] = { 0 };
	int bit = 0;
	for (int k = 0; k < 2; k++) {
		const uint8_t *men = s->men[k ? s->turn : 1 - s->turn];
		for (int place = 1; place < BACKGAMMON_PLACES; place++, bit++)
			for (int n = men[place]; n > 0; n--, bit++)
				bytes[bit / 8] |= (uint8_t)(1 << bit % 8);
	}
	write_digits(bytes, BYTES, id, BACKGAMMON_ID);
}

bool backgammon_read_id(const char *text, struct backgammon *s)
{
	uint8_t bytes[BYTES] = { 0 };
	if (!read_digits(text, BACKGAMMON_ID, bytes, BYTES))
		return false;
	uint8_t men[2][BACKGAMMON_PLACES] = { { 0 } };
	int bit = 0;
	for (int k = 0; k < 2; k++) {
		int on_board = 0;
		for (int place = 1; place < BACKGAMMON_PLACES; place++, bit++)
			for (; bit < BITS && bytes[bit / 8] >> bit % 8 & 1; bit++, on_board++)
				men[k][place]++;
		if (on_board > BACKGAMMON_MEN)
			return false;
		men[k][BACKGAMMON_OFF] = (uint8_t)(BACKGAMMON_MEN - on_board);
	}
	for (; bit < BITS; bit++)
		if (bytes[bit / 8] >> bit % 8 & 1)
			return false; /* no ID ends so */
	memcpy(s->men[1 - s->turn], men[0], sizeof men[0]);
	memcpy(s->men[s->turn], men[1], sizeof men[1]);
	return true;
}

/* ---- Match IDs ---- */

enum field {
	CUBE,  /* the power of two */
	OWNER, /* a player; 3: in the middle */
	ON_ROLL,
	CRAWFORD_GAME,
	STATE, /* enum game_state */
	DECIDES,
	DOUBLED,
	RESIGNS,
	DIE_1,
	DIE_2,
	LENGTH,
	SCORE_0,
	SCORE_1,
	NO_JACOBY,
	FIELDS,
};
static const int field_bits[FIELDS] = { 4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1 };

enum game_state { NOT_STARTED, PLAYING, BORNE_OFF, RESIGNED, DROPPED };
enum { MATCH_BYTES = 9, IN_THE_MIDDLE = 3 };

void backgammon_write_match_id(const struct backgammon *s, char id[BACKGAMMON_MATCH_ID + 1])
{
	const int ended = backgammon_is_off(s) ? BORNE_OFF : DROPPED;
	const int values[FIELDS] = {
		[CUBE] = s->cube,
		[OWNER] = s->owner == BACKGAMMON_MIDDLE ? IN_THE_MIDDLE : s->owner,
		[ON_ROLL] = s->turn,
		[CRAWFORD_GAME] = !!(s->flags & BACKGAMMON_CRAWFORD_GAME),
		[STATE] = s->phase == BACKGAMMON_OPENING ? NOT_STARTED
			  : backgammon_has_ended(s)	 ? ended
							 : PLAYING,
		[DECIDES] = backgammon_mover(s),
		[DOUBLED] = s->phase == BACKGAMMON_ANSWER,
		[DIE_1] = s->dice[0],
		[DIE_2] = s->dice[1],
		[LENGTH] = s->match,
		[SCORE_0] = s->score[0],
		[SCORE_1] = s->score[1],
		[NO_JACOBY] = !(s->flags & BACKGAMMON_JACOBY),
	};
	uint8_t bytes[MATCH_BYTES] = { 0 };
	for (int f = 0, bit = 0; f < FIELDS; f++)
		for (int i = 0; i < field_bits[f]; i++, bit++)
			bytes[bit / 8] |= (uint8_t)((values[f] >> i & 1) << bit % 8);
	write_digits(bytes, MATCH_BYTES, id, BACKGAMMON_MATCH_ID);
}

/* The phase that the fields describe. */
static bool read_phase(const int *values, struct backgammon *s)
{
	const int high = values[DIE_1] > values[DIE_2] ? values[DIE_1] : values[DIE_2];
	const int low = values[DIE_1] + values[DIE_2] - high;
	if (values[RESIGNS] || values[STATE] == RESIGNED || values[STATE] > DROPPED ||
	    high > BACKGAMMON_FACES || (high && !low) || (values[DOUBLED] && high))
		return false;
	s->turn = (uint8_t)values[ON_ROLL];
	if (values[STATE] == NOT_STARTED) {
		s->phase = BACKGAMMON_OPENING;
		s->turn = 0;
		return !high && !values[DOUBLED];
	}
	if (values[STATE] != PLAYING) {
		const bool money = values[STATE] == BORNE_OFF && !s->match;
		s->phase = money ? BACKGAMMON_ROLL : BACKGAMMON_OVER;
		/* After a dropped beaver the loser is on roll, which we do not keep. */
		return !high && !values[DOUBLED] &&
		       (values[STATE] != DROPPED || values[DECIDES] != values[ON_ROLL]);
	}
	if (values[DOUBLED]) {
		s->phase = BACKGAMMON_ANSWER;
		s->flags |= values[DECIDES] == values[ON_ROLL] ? BACKGAMMON_BEAVERED : 0;
		return true;
	}
	s->phase = high ? BACKGAMMON_MOVE : BACKGAMMON_CUBE;
	s->dice[0] = (uint8_t)high;
	s->dice[1] = (uint8_t)low;
	return values[DECIDES] == values[ON_ROLL];
}

bool backgammon_read_match_id(const char *text, struct backgammon *s, int *length)
{
	int values[FIELDS] = { 0 };
	uint8_t bytes[MATCH_BYTES] = { 0 };
	int bit = 0;
	if (strlen(text) != BACKGAMMON_MATCH_ID ||
	    !read_digits(text, BACKGAMMON_MATCH_ID, bytes, MATCH_BYTES))
		return false;
	for (int f = 0; f < FIELDS; f++)
		for (int i = 0; i < field_bits[f]; i++, bit++)
			values[f] |= (bytes[bit / 8] >> bit % 8 & 1) << i;
	if (bytes[MATCH_BYTES - 1] >> bit % 8 || values[CUBE] > BACKGAMMON_MAX_CUBE ||
	    values[OWNER] == BACKGAMMON_MIDDLE || values[LENGTH] > BACKGAMMON_MAX_MATCH ||
	    values[SCORE_0] > BACKGAMMON_MAX_MATCH || values[SCORE_1] > BACKGAMMON_MAX_MATCH)
		return false;
	s->cube = (uint8_t)values[CUBE];
	s->owner = (uint8_t)(values[OWNER] == IN_THE_MIDDLE ? BACKGAMMON_MIDDLE : values[OWNER]);
	if (values[LENGTH]) {
		s->score[0] = (uint8_t)values[SCORE_0];
		s->score[1] = (uint8_t)values[SCORE_1];
		s->flags |= values[CRAWFORD_GAME] ? BACKGAMMON_CRAWFORD_GAME : 0;
	}
	*length = values[LENGTH];
	return read_phase(values, s);
}
