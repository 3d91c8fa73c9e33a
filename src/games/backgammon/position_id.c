/*
 * position_id.c - the position IDs of GNU Backgammon.
 * SPDX-License-Identifier: MIT
 *
 * 80 bits, from the lowest bit of the first byte: for the seat that is not to move, then for the
 * other, for its points 1 to 24 and the bar, a one for each man and then a zero. Men off leave
 * zeros at the end. The ten bytes are written as 14 characters of base64.
 */
#include "games/backgammon/rules.h"

enum { BITS = 80, BYTES = BITS / 8 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void backgammon_write_id(const struct backgammon *s, char id[BACKGAMMON_ID + 1])
{
	uint8_t bytes[BYTES + 1] = { 0 }; /* one more, because 14 characters have 84 bits */
	int bit = 0;
	for (int k = 0; k < 2; k++) {
		const uint8_t *men = s->men[k ? s->turn : 1 - s->turn];
		for (int place = 1; place < BACKGAMMON_PLACES; place++, bit++)
			for (int n = men[place]; n > 0; n--, bit++)
				bytes[bit / 8] |= (uint8_t)(1 << bit % 8);
	}
	for (int i = 0; i < BACKGAMMON_ID; i++) {
		const int at = 6 * i / 8, spill = 6 * i % 8; /* base64 counts from the high bit */
		const unsigned two = (unsigned)bytes[at] << 8 | (at < BYTES ? bytes[at + 1] : 0u);
		id[i] = digits[two >> (10 - spill) & 63];
	}
	id[BACKGAMMON_ID] = '\0';
}

bool backgammon_read_id(const char *text, struct backgammon *s)
{
	uint8_t bytes[BYTES + 1] = { 0 };
	for (int i = 0; i < BACKGAMMON_ID; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
		if (!digit)
			return false;
		const int at = 6 * i / 8, spill = 6 * i % 8;
		const unsigned two = (unsigned)(digit - digits) << (10 - spill);
		bytes[at] |= (uint8_t)(two >> 8);
		if (at < BYTES)
			bytes[at + 1] |= (uint8_t)two;
	}
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
	for (; bit < 8 * (BYTES + 1); bit++)
		if (bytes[bit / 8] >> bit % 8 & 1)
			return false; /* no ID ends so */
	memcpy(s->men[1 - s->turn], men[0], sizeof men[0]);
	memcpy(s->men[s->turn], men[1], sizeof men[1]);
	return true;
}
