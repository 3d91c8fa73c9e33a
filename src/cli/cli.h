/*
 * cli.h - what the commands share: the parsed command line, the output that is held back until all
 * is known to be good, and the position that GAME, POS and --moves name.
 * SPDX-License-Identifier: MIT
 *
 * A command returns QV_OK and has then written its whole answer into `out`, or a status with the
 * sentence "WHAT: WHY" in `error`: then nothing reaches standard output. main() alone prints and
 * chooses the exit status.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/json.h"
#include "base/options.h"
#include "base/paths.h"
#include "quevedo.h"

/* ---- The command line ---- */

enum { MAX_WORDS = 32, OWN_VALUES = 512 };

/* A command line as it was read. Fields whose options the command does not have stay zero. */
struct arguments {
	const char *words[MAX_WORDS]; /* the command and its arguments, cut at MAX_WORDS */
	int word_count;		      /* not cut */
	struct options options; /* the command's, and which were given */

	/* Options of every command. */
	bool json, no_times, help;
	int64_t seed, threads, hash_mb;
	struct option_list plugins;
	/* Options that several commands share. */
	const char *moves, *moves_from, *position_from; /* POS goes before them */
	bool san, notions, ascii;
	const char *player, *data, *out;
	const char *host, *password_file; /* of a server */
	int64_t per_address;
	const char *tables; /* where players look for tables; NULL: the usual folder */

	_Alignas(8) unsigned char own[OWN_VALUES]; /* a struct of the command's own */
};

/* The command's own struct of values; `values` is a struct arguments. */
static inline void *arguments_own(void *values)
{
	return ((struct arguments *)values)->own;
}

struct cli;

/* A command, with its options and what help prints: one const struct next to its code. */
struct command {
	const char *name;
	enum qv_status (*run)(struct cli *c);
	int least, most;		     /* arguments after the command */
	const char *usage;		     /* "show GAME [POS]" */
	const char *help;		     /* one line */
	const char *more;		     /* paragraphs, each a line; may be NULL */
	const struct option *const *options; /* groups, common_options last; NULL ends them */
};

/* The command's own struct fits into struct arguments, or there is no such array. */
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
extern const struct option player_option[]; /* --player, for a command that lets it think */
extern const struct option tables_data_option[], server_data_option[]; /* --data, of two kinds */

/*
 * Reads the line: the first word names the command, options may stand anywhere. Keeps pointers into
 * argv. *out is one of `all`, or `alone` if no word names a command. An option of another command is
 * refused, unless --help is given.
 */
enum qv_status arguments_parse(struct arguments *args, const struct command *const *all,
			       const struct command *alone, int argc, char **argv,
			       const struct command **out, struct qv_error *error);
bool arguments_given(const struct arguments *args, const char *option);
/*
 * Refuses options of the command that are neither common nor in `groups`: for a part of a command
 * that takes fewer of them. `what` names it: "book check".
 */
enum qv_status arguments_allow(const struct arguments *args, const struct option *const *groups,
			       const char *what, struct qv_error *error);

/* ---- A run of the program ---- */

struct cli {
	struct arguments args;
	struct qv_context *context;
	struct string out;
	struct qv_error error;
	char tables[FOLDER_PATH];  /* where they usually are */
	bool answer_is_no; /* exit status 1: a check failed, or nothing is known */
	bool mute;         /* another process of this run does the talking */
	bool handed_over;  /* a child process has answered; exit with its status */
	int child_status;
	int report_to;     /* as such a child: where to say that the answer is out; 0: nowhere */
};

/* The command's own struct of values. */
static inline const void *cli_own(const struct cli *c)
{
	return c->args.own;
}

extern const struct command *const commands[]; /* main.c; NULL ends it */
const struct command *command_find(const char *name);

extern const struct command command_games, command_show, command_replay, command_perft,
	command_best, command_analyse, command_tree, command_solve, command_play, command_match,
	command_tune, command_train, command_engine, command_tables, command_book, command_convert,
	command_epd, command_puzzle, command_serve, command_imcs, command_bench, command_backup,
	command_plugin, command_help;

/* Where the tables are: --data, or the place for data of this user's programs. */
enum qv_status cli_tables_folder(struct cli *c, char folder[FOLDER_PATH]);
/* What specs leave open: the common options, and where tables usually are. They live as long as c. */
struct qv_defaults cli_defaults(struct cli *c);
enum qv_status help_topic(struct cli *c, const char *topic); /* NULL: the overview */

/* From here on Ctrl-C (and SIGTERM) only sets this flag; a second one ends the program. */
const atomic_bool *cli_stop_flag(void);
/*
 * For a command that goes on after Ctrl-C: from here on it sets this flag, each time anew, and a
 * read that waits comes back. SIGTERM and SIGHUP set it too, and cli_asked_to_end() is true then.
 */
atomic_bool *cli_catch_interrupts(void);
bool cli_asked_to_end(void);
void cli_stop(void);           /* as Ctrl-C would */
bool cli_shows_progress(void); /* somebody is watching standard error */

/* Writes what is in `out` now, for answers that are a stream; nothing is held back then. */
enum qv_status cli_flush(struct cli *c);

/* The word as errors show it: never empty. Print with "%.60s", so that the reason still fits. */
const char *cli_word(const char *word);
bool locale_is_utf8(void); /* the environment's word on the terminal */

/* ---- JSON: the builders of base/json.h pass NULL (no memory) on to cli_json ---- */

json_t *json_seconds(double seconds);
/* Prints the value on one line, and drops it. */
enum qv_status cli_json(struct cli *c, json_t *value);

/* ---- Positions ---- */

/* GAME, POS and --moves, played out. {0} is a valid empty one. */
struct position {
	struct qv_rules rules;
	struct qv_record *record;
	const void *state; /* the record's */
	bool san;	   /* moves are printed in the game's short notation */
};
enum qv_status position_open(struct cli *c, const char *game, const char *text,
			     struct position *out);
void position_release(struct position *p);
/* The first game of a PGN file in place of the record, with its variations and notes. */
enum qv_status position_take_pgn(struct cli *c, struct position *p, const char *data, size_t size);
/* Refuses --notions for a game that has no evaluation terms to show. */
enum qv_status position_allow_notions(struct cli *c, const struct position *p);

struct move_words {
	char text[QV_MOVE_TEXT];
};
struct move_words move_words(const struct qv_game *game, const void *state, qv_move move);
/* A move at a state of the position's game, or after it: as above, or as --san asks for it. */
struct move_words position_words(const struct position *p, const void *state, qv_move move);
/* The most a counted move can carry; 0: the move carries no number. */
int move_max(const struct qv_game *game, const void *state, qv_move move);

#endif
