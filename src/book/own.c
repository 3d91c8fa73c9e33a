/*
 * own.c - the books that come with the program: the files of books/, taken in as they are.
 * SPDX-License-Identifier: MIT
 */
#include "book/book.h"

#ifndef BOOKS_FOLDER
#error "the build names the folder"
#endif

#define BOOK(name)                                              \
	__asm__(".pushsection .rodata\n"                        \
		".hidden book_own_" #name "\n"                  \
		".global book_own_" #name "\n"                  \
		".hidden book_own_" #name "_end\n"              \
		".global book_own_" #name "_end\n"              \
		"book_own_" #name ":\n"                         \
		".incbin \"" BOOKS_FOLDER "/" #name ".book\"\n" \
		"book_own_" #name "_end:\n"                     \
		".byte 0\n"                                     \
		".popsection\n");                               \
	extern const char book_own_##name[], book_own_##name##_end[];

BOOK(chess)
BOOK(connect4)
BOOK(minichess)
BOOK(noughts)
BOOK(reversi)

static const struct {
	const char *game, *text, *end;
} books[] = {
	{ "chess", book_own_chess, book_own_chess_end },
	{ "connect4", book_own_connect4, book_own_connect4_end },
	{ "minichess", book_own_minichess, book_own_minichess_end },
	{ "noughts", book_own_noughts, book_own_noughts_end },
	{ "reversi", book_own_reversi, book_own_reversi_end },
};

const char *book_own(const struct qv_game *game, size_t *size)
{
	for (size_t i = 0; i < sizeof books / sizeof *books; i++)
		if (strcmp(books[i].game, game->name) == 0) {
			*size = (size_t)(books[i].end - books[i].text);
			return books[i].text;
		}
	return NULL;
}
