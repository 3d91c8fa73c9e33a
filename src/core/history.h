/*
 * history.h - the people whose programs and writings this one re-creates or builds on.
 * SPDX-License-Identifier: MIT
 *
 * `quevedo help history` and the page's history section show this list; AUTHORS.md is its short form.
 */
#ifndef CORE_HISTORY_H
#define CORE_HISTORY_H

#include "base/text.h"

struct history_entry {
	const char *who, *when; /* "John White", "1983" */
	const char *work;	/* the title of the work, or what it was */
	const char *here;	/* a sentence: what of it is in this program */
};

/* By year. The i-th entry from 0; NULL: no more. */
const struct history_entry *history_at(int i);

/* Appends the list, or all classic opponents with their authors, as help texts. */
void history_help(struct string *out);
void classics_help(struct string *out);

#endif
