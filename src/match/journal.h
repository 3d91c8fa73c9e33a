/*
 * journal.h - the journal of a match: a file that only grows, and what it says.
 * SPDX-License-Identifier: MIT
 *
 * JSON lines (docs/match.md): the plan; then the lines of each game's record, with its number in
 * front, a line of statistics among them, and the result last. A game counts once its result is
 * there. Lines of several games may be mixed; a game that begins again takes back what there was.
 */
#ifndef MATCH_JOURNAL_H
#define MATCH_JOURNAL_H

#include "base/file.h"
#include "match/header.h"

/* ---- Reading ---- */

struct journal_game {
	struct string record;      /* without the numbers */
	const char *stats;         /* in the bytes that were read; NULL: not yet */
	size_t stats_size;
	bool finished;
};

struct journal_contents {
	const struct qv_allocator *allocator;
	struct header_plan header; /* its allocator is NULL: the journal is empty */
	struct journal_game *games;            /* one for each of the plan's */
	int64_t finished;
	size_t whole;              /* bytes up to the end of the last whole line */
};

/*
 * Any bytes may come; they must outlive the contents. A last line without its end is left out,
 * anything else that is wrong is refused with the number of the line.
 */
enum qv_status journal_parse(const struct qv_context *context, const char *data, size_t size,
			     struct journal_contents *out, struct qv_error *error);
void journal_contents_release(struct journal_contents *c);
/* A finished game; *out is the caller's to release. */
enum qv_status journal_take(const struct journal_contents *c, int64_t number,
			    struct match_game *out, struct qv_error *error);

/* A single game that is over, in the words of the journal; any bytes may come. */
enum qv_status journal_read_game(const struct qv_context *context, const struct match_plan *plan,
				 const char *text, size_t size, struct match_game *out,
				 struct qv_error *error);

/* ---- Writing ---- */

/* Adds lines of a record, with the number of the game in front of each. */
void journal_add_lines(struct string *out, int64_t number, const char *lines, size_t size);
/* What is not yet in the journal of a game that is over: the rest, its statistics, the result. */
void journal_add_game(struct string *out, int seats, const struct match_game *game,
		      bool no_times);

struct journal {
	int descriptor;            /* -1: closed */
	const char *path;
	int failed;                /* the errno of a write that was not done; nothing follows it */
};

enum { JOURNAL_MOST_BYTES = INT32_MAX };

/*
 * Opens the file, which nobody else may write meanwhile. With `resume`, *bytes and *contents are
 * what was there, if anything, and half a line at the end is cut off; without it the file must be
 * new or empty. A file that is no journal of this plan is refused and left as it is. Release both
 * after use. Nothing is written before journal_begin.
 */
enum qv_status journal_open(struct journal *j, const struct qv_context *context,
			    const struct match_plan *plan, const char *path, bool resume,
			    struct file_bytes *bytes, struct journal_contents *contents,
			    struct qv_error *error);
/* Writes the first line, if the contents have none. */
enum qv_status journal_begin(struct journal *j, const struct qv_context *context,
			     const struct match_plan *plan, const struct journal_contents *contents,
			     struct qv_error *error);
/*
 * One write(2), unless the system takes only a part. After a failure, which may leave half a line
 * at the end, all later writes fail as well: what stands behind that could never be read.
 */
enum qv_status journal_write(struct journal *j, const struct string *text, struct qv_error *error);
enum qv_status journal_sync(struct journal *j, struct qv_error *error);
void journal_close(struct journal *j);

#endif
