/*
 * journal.h - the journal of a match: an append-only file with the plan and all games.
 * SPDX-License-Identifier: MIT
 *
 * JSON lines (docs/match.md). The first is the plan. Then come the lines of each game's record,
 * each with the number of the game, a line of statistics among them, and the result last. A game
 * counts once its result is there. Lines of several games may be interleaved; a game that begins
 * again replaces its earlier lines. A match that is continued with more games says so in a line
 * {"quevedo":1,"games":N}.
 */
#ifndef MATCH_JOURNAL_H
#define MATCH_JOURNAL_H

#include "base/file.h"
#include "base/json.h"
#include "match/match.h"

enum { JOURNAL_FORMAT = 1 }; /* of lines about the whole match */

/* ---- The first line ---- */

/* The plan as {"quevedo":1,"match":{...}}; NULL: out of memory, or a text is not UTF-8. */
json_t *header_of_plan(const struct match_plan *plan);

/* A plan that was read from a header; its texts are in `source`. {0} is valid and empty. */
struct header_plan {
	struct match_plan plan;
	const struct qv_allocator *allocator;
	struct match_player *players;
	struct match_opening *openings;
	json_t *source;
};
/* Takes a reference to the header. The plan is checked by plan_check; player specs are not. */
enum qv_status header_read(const struct qv_context *context, json_t *header,
			   struct header_plan *out, struct qv_error *error);
/* Frees the plan with all its texts. An empty one is fine. */
void header_release(struct header_plan *h);

/*
 * Fails if the headers differ; the error names the field, and what it is there and here. Headers of
 * older versions have no version, plug-ins and levels spelt out: these then count as equal.
 */
enum qv_status header_compare(const json_t *there, const json_t *wanted, struct qv_error *error);

/*
 * The player spec that a level stands for; NULL: the spec is not a level of this game. Static.
 */
const char *header_level_spec(const struct qv_game *game, const char *spec);

/* ---- Reading ---- */

/* What a journal has of a game. */
struct journal_game {
	struct string record;      /* without the numbers */
	const char *stats;         /* its line of statistics, borrowed; NULL: not yet read */
	size_t stats_size;
	bool finished;
};

/* All that a journal contains; release it with journal_contents_release. */
struct journal_contents {
	const struct qv_allocator *allocator;
	struct header_plan header; /* its allocator is NULL if the journal is empty */
	struct journal_game *games;            /* one for each game of the plan */
	size_t room;			       /* of these */
	int64_t finished;
	size_t whole;              /* bytes up to the end of the last complete line */
	bool lengthened;	   /* the plan has more games than the file says */
};

/*
 * Parses a journal. The data may be anything and must outlive the contents. An incomplete last line
 * is left out; anything else that is wrong is an error with the number of the line.
 */
enum qv_status journal_parse(const struct qv_context *context, const char *data, size_t size,
			     struct journal_contents *out, struct qv_error *error);
/* The same, until the flag is set: QV_STOPPED. */
enum qv_status journal_parse_until(const struct qv_context *context, const char *data, size_t size,
				   const struct qv_flag *stop, struct journal_contents *out,
				   struct qv_error *error);
void journal_contents_release(struct journal_contents *c);
/*
 * Copies a finished game with its statistics. The caller releases *out. QV_NO_MEMORY is the only
 * failure, since the lines have been checked.
 */
enum qv_status journal_take(const struct journal_contents *c, int64_t number,
			    struct match_game *out, struct qv_error *error);

/*
 * Parses the lines of a single finished game. The text may be anything. The caller releases *out.
 */
enum qv_status journal_read_game(const struct qv_context *context, const struct match_plan *plan,
				 const char *text, size_t size, struct match_game *out,
				 struct qv_error *error);

/* ---- Writing ---- */

/* Adds lines of a record, with the number of the game in front of each. */
void journal_add_lines(struct string *out, int64_t number, const char *lines, size_t size);
/* Adds what the journal lacks of a finished game: the rest of the record, statistics and result. */
void journal_add_game(struct string *out, int seats, const struct match_game *game,
		      bool no_times);

/* A journal that is open for writing. Only one thread at a time may use it. */
struct journal {
	int descriptor;            /* -1: closed */
	const char *path;
	int failed; /* the errno of a failed write, after which none is tried; or 0 */
};

enum { JOURNAL_MOST_BYTES = INT32_MAX }; /* of a journal that is read */

/*
 * Opens and locks the file. With `resume`, *bytes and *contents are what it contains, if anything,
 * and an incomplete last line is cut off; without it the file must be new or empty. A file that is
 * not the journal of this plan, or of one with fewer games, is refused and left as it is. The caller releases both. Nothing is
 * written before journal_begin.
 */
enum qv_status journal_open(struct journal *j, const struct qv_context *context,
			    const struct match_plan *plan, const char *path, bool resume,
			    struct file_bytes *bytes, struct journal_contents *contents,
			    struct qv_error *error);
/* Writes the first line if the journal is empty, or the new number of games. */
enum qv_status journal_begin(struct journal *j, const struct qv_context *context,
			     const struct match_plan *plan, const struct journal_contents *contents,
			     struct qv_error *error);
/*
 * Appends the text, with one write(2) if possible. After a failure, which may leave an incomplete
 * line, all later writes fail as well, since lines after it could not be read.
 */
enum qv_status journal_write(struct journal *j, const struct string *text, struct qv_error *error);
/* Waits until everything written is on disk. A file system that cannot sync is fine. */
enum qv_status journal_sync(struct journal *j, struct qv_error *error);
/* Closes the file, which also unlocks it. A closed journal is fine. */
void journal_close(struct journal *j);

#endif
