/*
 * backgammon_file.h - files of backgammon matches: .mat, as Jellyfish writes them, and SGF.
 * SPDX-License-Identifier: MIT
 *
 * The left player of a .mat file and White in SGF are the first player. A match becomes one record
 * of `backgammon:match=N`, and each money game one of `backgammon:cube=1,beavers=1`, since the files
 * do not say whether beavers are allowed. A game that has a winner before the rules give one was
 * resigned. That ends the record; the next game of the match begins another one, with the score in
 * its position.
 */
#ifndef FORMATS_BACKGAMMON_FILE_H
#define FORMATS_BACKGAMMON_FILE_H

#include "games/backgammon/rules.h"
#include "record/record.h"

enum { BACKGAMMON_FILE_MOST_BYTES = 64 << 20, BACKGAMMON_NAME = 64 };

/* Receives what a file contains. */
struct backgammon_listener {
	/* Called for each record, whose cursor is at its end; the record is valid during the call. */
	enum qv_status (*game)(void *ctx, struct qv_record *record);
	/*
	 * Called for a game that cannot be read further: its record ends there, undecided. With
	 * `harmless`: something odd in a game that was read. May be NULL.
	 */
	void (*wrong)(void *ctx, int line, const char *what, bool harmless);
	void *ctx;
};

bool mat_looks_like(const char *data, size_t size);
bool sgf_looks_like(const char *data, size_t size);

/*
 * Read a whole file, any bytes. They fail if the file has no game at all (QV_BAD_INPUT), if memory
 * runs out, or if the listener fails.
 */
typedef enum qv_status backgammon_reader(const struct qv_context *context, const char *data,
					 size_t size, const struct backgammon_listener *listener,
					 struct qv_error *error);
backgammon_reader mat_read, sgf_read;

/*
 * Append the line to the record's cursor. Call them with the same file for the records of one match
 * in order: a record that continues the match of the one before needs no new heading. QV_UNSUPPORTED:
 * not backgammon, or a start position that the format cannot represent.
 */
struct backgammon_file {
	int games; /* of the match so far */
	int match; /* its length; 0: money */
	int score[2];
};
enum qv_status mat_write(const struct qv_record *record, struct backgammon_file *file,
			 struct string *out, struct qv_error *error);
enum qv_status sgf_write(const struct qv_record *record, struct backgammon_file *file,
			 struct string *out, struct qv_error *error);

/* ---- backgammon_games.c: what both formats share ---- */

/* The heading of a game. */
struct game_heading {
	char name[2][BACKGAMMON_NAME];
	int match, score[2];
	bool crawford; /* the rule is in force; */
	/* ... this is the game in which it forbids doubling: 1, 0, or -1 if the file does not say. */
	int crawford_game;
	bool jacoby, no_cube;
	char date[BACKGAMMON_NAME];
};

/* Turns the actions of a file into records. */
struct game_builder {
	const struct qv_context *context;
	const struct backgammon_listener *listener;
	int line;		  /* of the file, for reports */
	struct qv_record *record; /* NULL: none is being built */
	struct game_heading heading;
	bool skipping; /* until the next game */
	bool crawford_played;
	int games;
	enum qv_status status; /* the first failure that ends the reading */
	struct qv_error *error;
};

void builder_begin(struct game_builder *b, const struct game_heading *heading);
/* A roll and a turn. `text`: "" if no man moved. */
void builder_turn(struct game_builder *b, int seat, int die_1, int die_2, const char *text);
void builder_cube(struct game_builder *b, int seat, const char *move);
void builder_note(struct game_builder *b, const char *text, size_t length);
void builder_win(struct game_builder *b, int seat, int points);
void builder_odd(struct game_builder *b, const char *what);   /* reports it as harmless */
void builder_wrong(struct game_builder *b, const char *what); /* ends the game */
/* The end of the file. */
enum qv_status builder_finish(struct game_builder *b);

/* Copies a name or a date: one line of UTF-8, cut to the size. */
void heading_text(char *to, size_t size, const char *from, size_t length);

/* The actions of a record. */
enum game_action { ACTION_TURN, ACTION_DOUBLE, ACTION_BEAVER, ACTION_TAKE, ACTION_DROP };

struct game_visitor {
	/* A game begins with this score. */
	void (*begin)(void *ctx, const struct backgammon *start, const struct qv_record *record);
	/*
	 * `before` has the dice of a turn. move QV_NO_MOVE: the game stops after the roll. note:
	 * the record's, or NULL.
	 */
	void (*act)(void *ctx, enum game_action action, const struct backgammon *before,
		    qv_move move, const char *note);
	void (*won)(void *ctx, int seat, int points, bool resigned, bool match_over);
	void (*stop)(void *ctx); /* the record ends in the middle of the game */
	void *ctx;
};

enum qv_status visit_games(const struct qv_record *record, const struct game_visitor *visitor,
			   struct qv_error *error);
/* A player's name in the record, or "White" and "Black". */
void player_name(const struct qv_record *record, int seat, char name[BACKGAMMON_NAME]);

#endif
