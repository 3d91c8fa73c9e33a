/*
 * wthor.h - databases of reversi games by the French federation of Othello: WTHOR, .wtb files.
 * SPDX-License-Identifier: MIT
 *
 * A file has a header of 16 bytes and 68 bytes for each game: the numbers of the tournament and the
 * players, Black's score with the empty squares for the winner, the score with best play from some
 * position on, and up to 60 moves. Passes are left out. The names are in two more files for all
 * databases, WTHOR.JOU (players, 20 bytes each) and WTHOR.TRN (tournaments, 26), in Latin-1.
 *
 * The tournament becomes the tag Event, the year Date, the scores BlackScore and TheoreticalScore.
 * A game that ends early has the winner that its score says. Solitaires and boards of ten rows are
 * refused.
 */
#ifndef FORMATS_WTHOR_H
#define FORMATS_WTHOR_H

#include "record/record.h"

/* The bytes of a file; { NULL } without it. */
struct wthor_file {
	const char *data;
	size_t size;
};

/* Reads the games of a database one by one. Set the first part, and the rest to 0. */
struct wthor_reader {
	const struct qv_context *context;
	struct wthor_file games, players, tournaments;

	int64_t next; /* the game that is read next, from 0 */
};

/* Whether the bytes are a database. */
bool wthor_looks_like(const char *data, size_t size);
/*
 * Reads the next game; the caller frees the record. QV_OK with *out NULL: no more games. After an
 * error, "game N: WHY", the next call reads the game after it.
 */
enum qv_status wthor_next(struct wthor_reader *r, struct qv_record **out, struct qv_error *error);

/* Appends the first game as a journal, without names. */
enum qv_status wthor_to_journal(const struct qv_context *context, const char *data, size_t size,
				struct string *out, struct qv_error *error);

#endif
