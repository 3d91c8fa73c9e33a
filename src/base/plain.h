/*
 * plain.h - texts that control nothing where they are shown.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

/*
 * The number of characters; -1: not valid UTF-8, or one is a control character (but not of `allowed`,
 * which has ASCII) or turns the direction of what is written beside it.
 */
int text_count_plain(const char *text, const char *allowed);

#endif
