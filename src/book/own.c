/*
 * own.c - the books that are built into the program: the files of books/, embedded unchanged.
 * SPDX-License-Identifier: MIT
 *
 * To add one, write books/GAME.book, which CMake embeds, and add GAME to the list below.
 */
#include "base/embed.h"
#include "book/book.h"

#define BOOKS(X) X(chess) X(connect4) X(minichess) X(noughts) X(reversi)

#define X(name) EMBEDDED(char book_##name[]); EMBEDDED(uint64_t book_##name##_size);
BOOKS(X)
#undef X

static const struct {
	const char *game, *text;
	const uint64_t *size;
} books[] = {
#define X(name) { #name, book_##name, &book_##name##_size },
	BOOKS(X)
#undef X
};

const char *book_own(const struct qv_game *game, size_t *size)
{
	for (size_t i = 0; i < sizeof books / sizeof *books; i++)
		if (strcmp(books[i].game, game->name) == 0) {
			*size = *books[i].size;
			return books[i].text;
		}
	return NULL;
}
