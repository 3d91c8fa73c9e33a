/*
 * names.h - names that look like others, and names that nobody may have.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_NAMES_H
#define SERVER_API_NAMES_H

#include "quevedo.h"

enum { NAME_SKELETON = 128 }; /* buffer for a skeleton; a longer one is cut */

/*
 * What is left of a name if letter case, accents, blanks, dashes and the alphabet do not matter:
 * two names that a reader may mistake for each other have the same skeleton. Any text is fine; the
 * skeleton is no longer than the name, and the skeleton of a skeleton is itself.
 */
void name_skeleton(const char *name, char out[NAME_SKELETON]);

/* Has the name no letter, digit or sign that a reader can see by itself? */
bool name_is_blank(const char *name);
/* Is it the skeleton of a word that stands for the server or the people who run it? */
bool name_is_official(const char *skeleton);
/* Is it the skeleton of "Guest 1234", which names a guest who has chosen no name? */
bool name_is_guest(const char *skeleton);

#endif
