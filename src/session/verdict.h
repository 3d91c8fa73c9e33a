/*
 * verdict.h - what becomes of a command that somebody gives to a game in progress.
 * SPDX-License-Identifier: MIT
 *
 * With any verdict but VERDICT_OK comes one printable sentence, "WHAT: WHY".
 */
#ifndef SESSION_VERDICT_H
#define SESSION_VERDICT_H

enum verdict {
	VERDICT_OK,
	VERDICT_MALFORMED, /* the command makes no sense */
	VERDICT_NOT_YOURS, /* this user may not do that */
	VERDICT_NOT_NOW,   /* it cannot be done in this position, or after what has happened */
	VERDICT_NO_MEMORY,
};

#endif
