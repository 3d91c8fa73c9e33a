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
#include "base/paths.h"
#include "quevedo.h"

/* ---- The command line ---- */

enum option_id {
	OPT_JSON,
	OPT_NO_TIMES,
	OPT_SEED,
	OPT_THREADS,
	OPT_HASH,
	OPT_PLUGIN,
	OPT_MOVES,
	OPT_MOVES_FROM,
	OPT_POSITION_FROM,
	OPT_ASCII,
	OPT_SAN,
	OPT_NOTIONS,
	OPT_EXPLAIN,
	OPT_DIVIDE,
	OPT_PLAYER,
	OPT_DISTANCE,
	OPT_POSITIONS,
	OPT_CERTIFICATE,
	OPT_BY,
	OPT_LINES,
	OPT_FORMAT,
	OPT_MAX_NODES,
	OPT_DEPTH,
	OPT_SEAT,
	OPT_LEVEL,
	OPT_TIME,
	OPT_DICE,
	OPT_HINT,
	OPT_DATA,
	OPT_UP_TO,
	OPT_COUNTERS,
	OPT_CHECKPOINT,
	OPT_PROTOCOL,
	OPT_GAMES,
	OPT_OPENINGS,
	OPT_RANDOM_PLIES,
	OPT_PAIRS,
	OPT_GAUNTLET,
	OPT_NEAR,
	OPT_JOBS,
	OPT_MPI,
	OPT_MAX_PLIES,
	OPT_ADJUDICATE,
	OPT_SPRT,
	OPT_JOURNAL,
	OPT_RESUME,
	OPT_AUDIT,
	OPT_OUT,
	OPT_REPORT,
	OPT_ENGINE_LOG,
	OPT_WEIGHT,
	OPT_PLAN,
	OPT_PORT,
	OPT_HOST,
	OPT_MATCHES,
	OPT_TABLES,
	OPT_WORKERS,
	OPT_ALLOW_HOST,
	OPT_PER_ADDRESS,
	OPT_CLASSROOM,
	OPT_CERT,
	OPT_KEY,
	OPT_PLIES,
	OPT_LEAST,
	OPT_MARGIN,
	OPT_EVERY,
	OPT_IMCS,
	OPT_USER,
	OPT_PASSWORD_FILE,
	OPT_REGISTER,
	OPT_LIST,
	OPT_OFFER,
	OPT_ACCEPT,
	OPT_LOG,
	OPT_RIGHTS,
	OPT_TRAINER,
	OPT_HELP,
	OPT_VERSION,
	OPT_COUNT,
};

/* A set of options: a bit for each, and there are more than 64. */
__extension__ typedef unsigned __int128 option_set;
#define BIT(option) ((option_set)1 << (option))

enum { MAX_WORDS = 32, MAX_PLUGINS = 16, MAX_PLAYERS = 32, MAX_ALLOW_HOSTS = 8 };

struct arguments {
	const char
		*words[MAX_WORDS]; /* the command and its arguments; the first MAX_WORDS of them */
	int word_count;
	option_set given;               /* BIT(option) of every option on the line */
	int64_t seed, threads, hash_mb, checkpoint_s; /* their presets, if not given */
	int64_t lines, max_nodes, depth; /* likewise */
	const char *moves, *moves_from, *position_from, *player, *positions, *certificate, *by, *format, *data, *up_to;
	const char *plugins[MAX_PLUGINS];
	int plugin_count;
	const char *players[MAX_PLAYERS]; /* every --player; `player` is the first */
	int player_count;
	int64_t games, random_plies, jobs, max_plies, near; /* their presets, if not given */
	int64_t plies, least, margin; /* likewise */
	const char *openings, *adjudicate, *sprt, *journal, *audit, *out, *report, *weight, *plan;
	const char *engine_log;
	int64_t port, workers, per_address, imcs; /* likewise */
	const char *user, *password_file, *offer, *accept, *log; /* offer: "" without a colour */
	const char *host, *matches, *tables, *cert, *key;
	const char *allow_hosts[MAX_ALLOW_HOSTS];
	int allow_host_count;
	const char *seats[QV_MAX_SEATS]; /* who sits there; NULL: not said */
	const char *level, *time, *dice, *hint, *protocol, *trainer;
};

/* Reads the line; knows no command. Keeps pointers into argv. */
enum qv_status arguments_parse(struct arguments *args, int argc, char **argv,
			       struct qv_error *error);
/* Refuses options that are not among `allowed`, a set of BIT(option). */
enum qv_status arguments_allow(const struct arguments *args, option_set allowed, const char *command,
			       struct qv_error *error);
bool arguments_given(const struct arguments *args, enum option_id option);
/* For people: a line for each option of the set. */
void arguments_help(option_set set, struct string *out);

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

struct command {
	const char *name;
	enum qv_status (*run)(struct cli *c);
	option_set options;              /* besides the common ones */
	int least, most;                 /* arguments after the command */
	const char *usage, *help, *more; /* help: a few words; more: the rest, for `help COMMAND` */
};

extern const struct command commands[]; /* main.c; a NULL name ends it */
const struct command *command_find(const char *name);
extern const option_set common_options;

enum qv_status cmd_games(struct cli *c);
enum qv_status cmd_show(struct cli *c);
enum qv_status cmd_replay(struct cli *c);
enum qv_status cmd_perft(struct cli *c);
enum qv_status cmd_best(struct cli *c);
enum qv_status cmd_solve(struct cli *c);
enum qv_status cmd_analyse(struct cli *c);
enum qv_status cmd_tree(struct cli *c);
enum qv_status cmd_play(struct cli *c);
enum qv_status cmd_engine(struct cli *c);
enum qv_status cmd_match(struct cli *c);
enum qv_status cmd_tune(struct cli *c);
enum qv_status cmd_train(struct cli *c);
enum qv_status cmd_tables(struct cli *c);
enum qv_status cmd_book(struct cli *c);
enum qv_status cmd_convert(struct cli *c);
enum qv_status cmd_epd(struct cli *c);
enum qv_status cmd_puzzle(struct cli *c);
/* Where the tables are: --data, or the place for data of this user's programs. */
enum qv_status cli_tables_folder(struct cli *c, char folder[FOLDER_PATH]);
/* What specs leave open: the common options, and where tables usually are. They live as long as c. */
struct qv_defaults cli_defaults(struct cli *c);
enum qv_status cmd_serve(struct cli *c);
enum qv_status cmd_imcs(struct cli *c);
enum qv_status cmd_bench(struct cli *c);
enum qv_status cmd_backup(struct cli *c);
enum qv_status cmd_plugin(struct cli *c);
enum qv_status cmd_help(struct cli *c);
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
