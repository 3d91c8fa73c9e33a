/*
 * cli.h - what the commands share: the parsed command line, the output that is held back until the
 * command has succeeded, and the position that GAME, POS and --moves name.
 * SPDX-License-Identifier: MIT
 *
 * A command returns QV_OK and has then written its whole answer into `out`, or a status with the
 * sentence "WHAT: WHY" in `error`: then nothing reaches standard output. Only main() prints what is
 * in `out` and chooses the exit status.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/file.h"
#include "base/json.h"
#include "base/options.h"
#include "base/paths.h"
#include "quevedo.h"

/* ---- The command line ---- */

enum { MAX_WORDS = 32, OWN_VALUES = 1024 };

/* A parsed command line. Fields whose options the command does not have stay zero. */
struct arguments {
	const char *words[MAX_WORDS]; /* the command and its arguments, at most MAX_WORDS of them */
	int word_count;		      /* of all words, also those beyond MAX_WORDS */
	struct options options;	      /* the command's, and which were given */

	/* Options of every command. */
	bool json, no_times, help;
	int64_t seed, threads, hash_mb;
	struct option_list plugins;
	/* Options that several commands share. */
	const char *moves, *moves_from, *position_from; /* POS comes before them */
	bool san, notions, ascii;
	const char *player, *data, *out, *log;
	const char *host, *password_file; /* of a server */
	const char *config;		  /* a file with more options; NULL: none */
	int64_t per_address;
	const char *tables; /* where players look for tables; NULL: the default folder */
	const char *syzygy; /* folders of Syzygy tables; NULL: none */
	int64_t time_ms;    /* of a solver, for each position; 0: no limit */

	_Alignas(8) unsigned char own[OWN_VALUES]; /* the command's own struct of values */
};

/* The command's own struct in `values`, a struct arguments, for the set() of its options. */
static inline void *arguments_own(void *values)
{
	return ((struct arguments *)values)->own;
}

struct cli;

/*
 * A command, with its options and its help texts: one const struct next to its code.
 *
 * To add a command, write such a struct, declare it below and list it in main.c. Help, the man page
 * and the completions follow from it.
 */
struct command {
	const char *name;
	enum qv_status (*run)(struct cli *c);
	int least, most;		     /* number of arguments after the command */
	const char *usage;		     /* "show GAME [POS]" */
	const char *help;		     /* one line */
	const char *more;		     /* paragraphs, one per line; may be NULL */
	const struct option *const *options; /* groups, common_options last; NULL ends them */
};

/* 1 if the command's own struct fits into struct arguments; otherwise it does not compile. */
#define FITS(type_) sizeof(char[sizeof(type_) <= OWN_VALUES ? 1 : -1])

/* A row whose value is a field of struct arguments, or of the command's own struct in it. */
#define SHARED_OPTION(name_, kind_, f, ...) OPTION(struct arguments, name_, kind_, f, __VA_ARGS__)
#define COMMAND_OPTION(type_, name_, kind_, f, ...)                                       \
	{                                                                                 \
		.name = name_, .type = kind_,                                             \
		.at = offsetof(struct arguments, own) + offsetof(type_, f),               \
		.size = FITS(type_) * sizeof(((type_ *)0)->f), __VA_ARGS__                \
	}

/* Groups of options that several commands list. */
extern const struct option common_options[];
extern const struct option version_option[];			/* without a command */
extern const struct option moves_options[], position_options[]; /* --moves ...; --position-from */
extern const struct option san_option[], notions_option[], ascii_option[];
extern const struct option player_option[]; /* --player, for a command that runs a search */
extern const struct option log_option[];    /* --log, for a command with a player */
extern const struct option time_option[];   /* --time, for a command that solves */
extern const struct option syzygy_option[]; /* --syzygy, for a command whose players use tables */
extern const struct option tables_data_option[], server_data_option[]; /* --data, of two kinds */

/*
 * Parses the line: the first word names the command, options may stand anywhere. Stores pointers
 * into argv. *out is one of `all`, or `alone` if no word names a command. An option of another
 * command is an error, unless --help is given.
 */
enum qv_status arguments_parse(struct arguments *args, const struct command *const *all,
			       const struct command *alone, int argc, char **argv,
			       const struct command **out, struct qv_error *error);
/*
 * Fails if an option was given that is neither common nor in `groups`: for a part of a command that
 * accepts only some of its options. `what` names the part in the error: "book check".
 */
enum qv_status arguments_allow(const struct arguments *args, const struct option *const *groups,
			       const char *what, struct qv_error *error);

/* ---- A run of the program ---- */

struct cli {
	struct arguments args;
	struct qv_context *context;
	struct string out; /* the answer, printed when the command has succeeded */
	struct string remarks; /* lines for standard error; dropped after an error, which is one line */
	struct qv_error error;
	char tables[FOLDER_PATH]; /* the default folder of tables */
	struct file_bytes config; /* the text of --config, into which options point */
	bool answer_is_no;	  /* exit status 1: a check failed, or nothing is known */
	bool mute;		  /* another process of this run prints */
};

/* The command's own struct of values. */
static inline const void *cli_own(const struct cli *c)
{
	return c->args.own;
}

/* Whether the command line has this option of the command; the name is without "--". */
static inline bool cli_given(const struct cli *c, const char *option)
{
	return options_given(&c->args.options, option);
}

/*
 * A part of a command, as "build" in `book build GAME`, with the options it accepts.
 *
 * A command with verbs lists the options of all of them, so that help shows them; the verb refuses
 * those that are not its own.
 */
struct verb {
	const char *name;
	enum qv_status (*run)(struct cli *c);
	int least, most; /* number of arguments after the verb */
	const struct option *options[5];
};
/*
 * Runs the verb that words[1] names, after checking its options and the number of its arguments.
 * The table ends with a NULL name. `missing` is the error for too few arguments.
 */
enum qv_status cli_run_verb(struct cli *c, const struct verb *verbs, const char *missing);

extern const struct command *const commands[];	      /* main.c; NULL ends it */
const struct command *command_find(const char *name); /* NULL: there is no such command */

extern const struct command command_games, command_show, command_replay, command_perft,
	command_eval, command_best, command_analyse, command_tree, command_solve, command_play,
	command_match, command_tune, command_train, command_engine, command_tables, command_book,
	command_convert, command_review, command_epd, command_puzzle, command_serve, command_server,
	command_worker,
	command_imcs, command_bench, command_backup, command_restore, command_plugin, command_dice,
	command_rollout, command_help;

/*
 * Chess programs are often started without arguments. If the first line on standard input, which is
 * not a terminal, is `uci` or `xboard`, runs as an engine of chess until the input ends (engine.c).
 * False: it is another line, or none comes within a second.
 */
bool engine_greeted(struct cli *c, enum qv_status *status);

/*
 * Asks for the game, the players and the number of games, prints the command line that means the
 * same, and runs it (interview.c).
 */
enum qv_status cli_interview(struct cli *c);

/* The folder of the tables: --data, or the default folder of this user. */
enum qv_status cli_tables_folder(struct cli *c, char folder[FOLDER_PATH]);
/* Opens the Syzygy tables of --syzygy, if it was given. */
enum qv_status cli_open_syzygy(struct cli *c);
/* What player specs leave open: common options and the folder of tables. Valid as long as c. */
struct qv_defaults cli_defaults(struct cli *c);
enum qv_status help_topic(struct cli *c, const char *topic); /* NULL: the overview */

/* From here on Ctrl-C and SIGTERM set this flag; a second one ends the program. */
const struct qv_flag *cli_stop_flag(void);
/*
 * For a command that continues after Ctrl-C: from here on each Ctrl-C sets this flag, and a
 * blocking read returns. SIGTERM and SIGHUP set it too, and cli_asked_to_end() is then true.
 */
struct qv_flag *cli_catch_interrupts(void);
bool cli_asked_to_end(void);
void cli_stop(void);	       /* sets the flag, as Ctrl-C does */
bool cli_shows_progress(void); /* standard error is a terminal */
void cli_clear_progress(void); /* clears the line of a progress report on standard error */

/*
 * Watches a solver: shows its nodes on a line of standard error, if that is a terminal and the
 * answer is not JSON, and stops it after --time. Begin it for each position.
 */
struct cli_watch {
	const char *what;	      /* begins the line */
	int64_t started_us, until_us; /* 0: no time limit */
	int64_t shown_us;	      /* when the line was last written; 0: never */
	bool shows;
};
void cli_watch_begin(struct cli_watch *w, const struct cli *c, const char *what);
bool cli_watch_solver(void *watch, uint64_t nodes); /* for `watch` of the limits of a solver */
void cli_watch_end(const struct cli_watch *w);	    /* clears the line */
/* Limits of a solver: the watch and Ctrl-C. */
struct qv_solve_limits cli_watch_limits(struct cli_watch *w);

/* Prints what is in `out` now and empties it, for answers that are a stream. */
enum qv_status cli_flush(struct cli *c);

/* The word as errors show it: never empty. Print with "%.60s", so that the reason still fits. */
const char *cli_word(const char *word);
/* Sets the error, "WHAT: WHY", and returns QV_BAD_INPUT, for wrong use and bad input. */
enum qv_status cli_refuse(struct cli *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Fails with "WHAT: out of memory". */
enum qv_status cli_no_memory(struct cli *c, const char *what);
bool locale_is_utf8(void); /* what LC_ALL, LC_CTYPE or LANG says */
/* The columns of the terminal, which may change at any time; else COLUMNS, or 80. */
int cli_width(bool on_terminal);

/* The first line of --password-file, at most size - 1 bytes (imcs.c). */
enum qv_status cli_password(struct cli *c, char *out, size_t size);
/* Writes a line of a server's log to standard error: time, level, text. */
void cli_log(void *ctx, const char *level, const char *text);
extern const struct option listen_options[]; /* --host and --per-address, of both servers */

/* ---- Output ---- */

/* JSON: as in base/json.h, a NULL value (no memory) makes the result NULL, down to cli_json. */

/* Adds pairs of a name and a json_t * to the object, up to a NULL name. Takes over the values. */
json_t *json_fields(json_t *object, ...) __attribute__((sentinel));
json_t *json_count(uint64_t count);
json_t *json_seconds(double seconds);	      /* cut to microseconds */
json_t *json_unless_empty(const char *text);  /* null for "" */
json_t *json_unless_negative(int64_t number); /* null if it is below 0 */
/* Prints the value on one line and releases it. */
enum qv_status cli_json(struct cli *c, json_t *value);

/* The game with its options, "gomoku:size=19". */
struct rules_text {
	char text[QV_POSITION_TEXT];
};
struct rules_text rules_text(const struct qv_rules *rules);
/* Adds the line "turn seat 1", in games whose seats have names "turn seat 1 (South)". */
void cli_add_turn(struct string *out, const struct qv_game *game, int seat);

/* The value of a solved position: a line "value win in 3", or the fields value and in. */
void solution_text(struct string *out, const struct qv_solution *s);
json_t *solution_json(const struct qv_solution *s);

/* Writes a whole file; nothing is left of it on failure. */
enum qv_status cli_write_file(struct cli *c, const char *path, const struct string *text);

/* ---- Positions and games ---- */

/* GAME and POS with the moves of --moves played. {0} is a valid empty one. */
struct position {
	struct qv_rules rules;
	struct qv_record *record;
	const void *state; /* belongs to the record */
	bool san;	   /* moves are printed in the game's short notation */
};
/* Opens it. Release it after success only. */
enum qv_status position_open(struct cli *c, const char *game, const char *text,
			     struct position *out);
void position_release(struct position *p);
/* Fails if --notions is given and the game has no evaluation terms to show. */
enum qv_status position_allow_notions(struct cli *c, const struct position *p);

struct move_words {
	char text[QV_MOVE_TEXT];
};
/* A move in the game's notation. */
struct move_words move_words(const struct qv_game *game, const void *state, qv_move move);
/* The same for a state of the position's game, in the short notation with --san. */
struct move_words position_words(const struct position *p, const void *state, qv_move move);
/* The largest number that a counted move can have; 0: the move has no number. */
int move_max(const struct qv_game *game, const void *state, qv_move move);

/* Reads a file that must not contain a NUL. Release it after success only. */
enum qv_status cli_read_text(struct cli *c, const char *path, size_t most, struct file_bytes *out);

/* Receives the games of a file. */
struct games_listener;
/*
 * Reads a file of records, a journal of a match, or PGN (convert.c). `rules` apply to PGN games
 * without the tag Variant; NULL: chess.
 */
enum qv_status games_read(struct cli *c, const char *path, const struct qv_rules *rules,
			  const struct games_listener *listener);

/* Runs a suite of reversi positions, whose text is changed (obf.c). */
enum qv_status obf_run(struct cli *c, char *text);

#endif
