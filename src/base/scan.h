/*
 * scan.h - small scanners for characters, numbers and words of untrusted text.
 * SPDX-License-Identifier: MIT
 *
 * They handle ASCII only, whatever the locale is, and allocate nothing.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- Characters ---- */

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the character is in the set. A NUL is in no set. */
static inline bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static inline char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int hex_digit(char c);             /* value of a digit, upper or lower case; -1: not a digit */

/*
 * ---- At a place in a text: on success *text moves behind what was read, otherwise it stays ----
 */

/* A number from min to max: digits with an optional sign. */
bool scan_int(const char **text, int64_t min, int64_t max, int64_t *out);

/* A number from 0 to max in its one canonical form: no sign, and no zero in front. */
bool scan_count(const char **text, int max, int *out);

/* The literal itself. */
bool scan_literal(const char **text, const char *literal);

/*
 * Copies the next item of a list, cut to the size. Skips separators and blanks before it and drops
 * blanks at its end. False: no item is left.
 */
bool scan_piece(const char **text, const char *separators, const char *blanks, char *piece,
		size_t size);

/* ---- Cutting a text in place, by writing NULs into it ---- */

/* The text without characters of `blanks` at either end. */
char *scan_trim(char *text, const char *blanks);

/* The next word, and *rest moves to the one after it. At the end of the text both are "". */
char *scan_word(char **rest, const char *blanks);

/*
 * The part before the first `mark`. *rest moves past the mark, or becomes NULL if there is no mark:
 * then the part is the whole text. Call it while *rest is not NULL.
 */
char *scan_cut(char **rest, char mark);

/* ---- Lists ---- */

/* The index, from 0, of the word in a list like "a|b|c"; -1: it is not in the list. */
int scan_choice(const char *choices, const char *word);

/* ---- URLs ---- */

/*
 * Decodes the %XX of a part of a URL, and with `plus` every '+' to a blank, as in a query. False: a
 * bad escape, a NUL, or the text and its NUL do not fit into `size` bytes.
 */
bool percent_decode(const char *text, size_t length, bool plus, char *out, size_t size);

#endif
