/*
 * main.c - the quevedo command: the table of commands, and one run from arguments to exit status.
 * SPDX-License-Identifier: MIT
 *
 * Exit status: 0 done; 1 the answer is "no" or "unknown"; 2 wrong use or bad input, with one line
 * on standard error and nothing on standard output.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/match_mpi.h"

enum { EXIT_DONE, EXIT_NO, EXIT_WRONG };

#define MOVES (BIT(OPT_MOVES) | BIT(OPT_MOVES_FROM))
#define POSITION (MOVES | BIT(OPT_POSITION_FROM))
#define PRINTS_MOVES (POSITION | BIT(OPT_SAN))

const option_set common_options = BIT(OPT_JSON) | BIT(OPT_NO_TIMES) | BIT(OPT_SEED) |
				BIT(OPT_THREADS) | BIT(OPT_HASH) | BIT(OPT_PLUGIN) | BIT(OPT_HELP);

/* To add a command: write cmd_NAME in a file of its own and list it here; help reads the table. */
const struct command commands[] = {
	{ "games", cmd_games, 0, 0, 0, "games", "lists the games", NULL },
	{ "show", cmd_show, PRINTS_MOVES | BIT(OPT_ASCII) | BIT(OPT_FORMAT) | BIT(OPT_NOTIONS), 1, 2, "show GAME [POS]",
	  "draws the board, whose turn, the legal moves, the result",
	  "--format svg is a picture of the board alone, for games that describe theirs.\n"
	  "POS is one argument in the game's format; 'start' or nothing is the start position.\n" },
	{ "replay", cmd_replay, PRINTS_MOVES | BIT(OPT_ASCII) | BIT(OPT_FORMAT) | BIT(OPT_NOTIONS), 1, 2,
	  "replay GAME [POS]", "plays the moves, then as show; the last line is the position",
	  "--moves-from takes a PGN file too: its first game. --format pgn or record writes the game.\n" },
	{ "perft", cmd_perft, PRINTS_MOVES | BIT(OPT_DIVIDE), 2, 3, "perft GAME DEPTH [POS]",
	  "counts the positions DEPTH plies ahead",
	  "A table and threads are used only if --hash or --threads is given.\n" },
	{ "best", cmd_best, PRINTS_MOVES | BIT(OPT_PLAYER), 1, 2, "best GAME [POS] --player SPEC",
	  "finds one move",
	  "Without --player: the strongest player at 1 s. Ctrl-C gives the best move so far.\n" },
	{ "analyse", cmd_analyse, PRINTS_MOVES | BIT(OPT_PLAYER) | BIT(OPT_LINES) | BIT(OPT_NOTIONS) | BIT(OPT_EXPLAIN), 1, 2,
	  "analyse GAME [POS] --player SPEC", "the best lines, told as the search deepens",
	  "Line 2 is the search without the first move of line 1, and so on; a search by\n"
	  "depth tells all lines of a depth before it goes deeper. Ctrl-C ends it.\n" },
	{ "tree", cmd_tree,
	  PRINTS_MOVES | BIT(OPT_PLAYER) | BIT(OPT_FORMAT) | BIT(OPT_MAX_NODES) | BIT(OPT_DEPTH), 1, 2,
	  "tree GAME [POS] --player SPEC", "the searched tree: values, windows, cut-offs",
	  "Of the last complete iteration. The game 'diagram' has trees to type.\n" },
	{ "solve", cmd_solve, POSITION | BIT(OPT_DISTANCE) | BIT(OPT_POSITIONS) | BIT(OPT_CERTIFICATE) |
		BIT(OPT_BY) | BIT(OPT_DATA), 1, 2,
	  "solve GAME [POS]", "proves the value for the side to move",
	  "Exit status 1: a value is not known, as after Ctrl-C.\n" },
	{ "play", cmd_play,
	  PRINTS_MOVES | BIT(OPT_ASCII) | BIT(OPT_SEAT) | BIT(OPT_LEVEL) | BIT(OPT_TIME) | BIT(OPT_DICE) |
		  BIT(OPT_HINT) | BIT(OPT_TRAINER),
	  1, 2, "play GAME [POS]", "plays a game in the terminal",
	  "A person in seat 1 against the middle level, unless --seat or --level says otherwise.\n"
	  "Type moves as the game writes them; 'help' lists what else can be typed.\n" },
	{ "match", cmd_match,
	  BIT(OPT_PLAYER) | BIT(OPT_GAMES) | BIT(OPT_OPENINGS) | BIT(OPT_RANDOM_PLIES) |
		  BIT(OPT_PAIRS) | BIT(OPT_GAUNTLET) | BIT(OPT_NEAR) | BIT(OPT_JOBS) | BIT(OPT_MPI) |
		  BIT(OPT_TIME) | BIT(OPT_MAX_PLIES) | BIT(OPT_ADJUDICATE) | BIT(OPT_SPRT) |
		  BIT(OPT_JOURNAL) | BIT(OPT_RESUME) | BIT(OPT_AUDIT) | BIT(OPT_OUT) |
		  BIT(OPT_REPORT) | BIT(OPT_ENGINE_LOG) | BIT(OPT_DATA),
	  0, 1, "match GAME --player A=SPEC --player B=SPEC", "a match: see docs/match.md",
	  "--player NAME=SPEC is given once for each; more than two meet all others. --time 1s is for a move,\n"
	  "10+0.1 for a game, and added after a move. quevedo match --audit FILE checks a journal.\n"
	  "Exit status 1: the SPRT did not say yes, an audit found something wrong, or Ctrl-C came.\n" },
	{ "tune", cmd_tune,
	  BIT(OPT_PLAYER) | BIT(OPT_WEIGHT) | BIT(OPT_GAMES) | BIT(OPT_JOBS) |
		  BIT(OPT_RANDOM_PLIES) | BIT(OPT_MAX_PLIES),
	  1, 1, "tune GAME --weight NAME=FROM:TO:STEP",
	  "which value of a weight plays best: see docs/match.md",
	  "For each value, the player with it meets the player as it is, --games times (100), in pairs from the\n"
	  "same openings: --random-plies (4) moves by chance. NAME is one weight, as threat or corner[2].\n"
	  "Exit status 1: Ctrl-C came before all was done.\n" },
	{ "train", cmd_train, BIT(OPT_PLAN) | BIT(OPT_DATA) | BIT(OPT_PLAYER), 1, 1, "train GAME --data DIR",
	  "learns an evaluation's weights from self-play: see docs/training.md",
	  "Reversi's patterns, and chess's weights or net. DIR/weights is what weights=FILE takes; games and\n"
	  "weights of each round are there too, and a later run goes on where one was stopped. The same plan and\n"
	  "--seed give the same weights on any number of --threads. Keys of --plan: rounds, games (of a round),\n"
	  "remember (rounds whose games a fit takes), iterations and penalty of the fit; of reversi depth (of the\n"
	  "games' players), solve (from so many empty squares they play perfectly) and least; of chess nodes (for\n"
	  "a move), blend (how much of scores is in the aim), step, and net (1: the net learns). --player SPEC: who\n"
	  "scores chess positions, if not the search that plays; nnue:FILE is the static value of a net of\n"
	  "Stockfish 15. Exit status 1: Ctrl-C came before all was done.\n" },
	{ "engine", cmd_engine, BIT(OPT_PROTOCOL) | BIT(OPT_PLAYER), 1, 1, "engine GAME",
	  "speaks a protocol on standard input and output",
	  "For programs, not for people: docs/protocol.md. Without --player: the strongest player, which takes\n"
	  "a second where no limit is given.\n" },
	{ "tables", cmd_tables,
	  MOVES | BIT(OPT_DATA) | BIT(OPT_UP_TO) | BIT(OPT_COUNTERS) | BIT(OPT_CHECKPOINT), 1, 3,
	  "tables plan|build|check|show [GAME] [POS]", "tables of solved positions: see docs/tables.md",
	  "plan GAME says what they would take, build GAME makes them (a later run goes on where one was\n"
	  "stopped), check GAME verifies every entry, show lists what is there, show GAME POS looks one up.\n"
	  "They are in DIR/GAME, by default under $XDG_DATA_HOME/quevedo/tables (~/.local/share/quevedo/tables).\n"
	  "Exit status 1: an entry is wrong, or Ctrl-C came before all was done.\n" },
	{ "book", cmd_book,
	  MOVES | BIT(OPT_PLAYER) | BIT(OPT_OUT) | BIT(OPT_PLIES) | BIT(OPT_LEAST) | BIT(OPT_MARGIN) |
		  BIT(OPT_EVERY),
	  2, MAX_WORDS - 1, "book build|check|merge|show ...", "opening books: see docs/books.md",
	  "build GAME FILE... makes one of records and journals of matches, build GAME --player SPEC of what a\n"
	  "player thinks; check FILE says what is wrong with one, and with --player which lines end badly;\n"
	  "merge FILE... adds some up; show FILE [POS] has its lines, or its moves in a position. A FILE may be\n"
	  "own:GAME, the book that comes with the program. Players take one by the key book=FILE.\n"
	  "Exit status 1: something is wrong with the book, it does not know the position, or Ctrl-C came.\n" },
	{ "convert", cmd_convert, BIT(OPT_FORMAT) | BIT(OPT_OUT), 1, MAX_WORDS - 1, "convert FILE...",
	  "games of files as PGN or as records",
	  "FILEs are PGN, records or journals of matches. --format pgn or record; without it the name after\n"
	  "--out says which, and PGN is printed. What cannot be read is told of and passed over.\n"
	  "Exit status 1: something could not be read.\n" },
	{ "epd", cmd_epd, BIT(OPT_PLAYER) | BIT(OPT_DEPTH) | BIT(OPT_OUT), 1, 1, "epd FILE [--player SPEC]",
	  "a suite of chess positions: how many are got right",
	  "Lines of EPD. bm and am test the player's move, dm the shortest mate, D1, D2, ... perft up to\n"
	  "--depth. --out FILE writes the lines with what the player found. Exit status 1: something is wrong.\n" },
	{ "puzzle", cmd_puzzle, PRINTS_MOVES | BIT(OPT_RIGHTS), 2, 3, "puzzle mate|proof N [POS]",
	  "chess: mate in N moves, or games of N plies to a position",
	  "mate looks at every move of both sides: the shortest mate, up to N, and all moves that begin one.\n"
	  "proof finds all games that lead to the men of POS. Exit status 1: there is none.\n" },
	{ "serve", cmd_serve,
	  BIT(OPT_PORT) | BIT(OPT_HOST) | BIT(OPT_DATA) | BIT(OPT_MATCHES) | BIT(OPT_TABLES) |
		  BIT(OPT_WORKERS) | BIT(OPT_ALLOW_HOST) | BIT(OPT_PER_ADDRESS) | BIT(OPT_CLASSROOM) | BIT(OPT_CERT) |
		  BIT(OPT_KEY) | BIT(OPT_IMCS) | BIT(OPT_PASSWORD_FILE),
	  0, 0, "serve", "the web server: see docs/server.md",
	  "Prints its address when it is ready; Ctrl-C ends it. It listens to this machine alone unless --host\n"
	  "says otherwise. Games are kept in DIR, by default $XDG_DATA_HOME/quevedo (~/.local/share/quevedo).\n"
	  "With --imcs it is an IMCS server too (docs/imcs.md), and --password-file sets its admin's password.\n" },
	{ "imcs", cmd_imcs,
	  BIT(OPT_PORT) | BIT(OPT_HOST) | BIT(OPT_DATA) | BIT(OPT_PER_ADDRESS) | BIT(OPT_USER) |
		  BIT(OPT_PASSWORD_FILE) | BIT(OPT_REGISTER) | BIT(OPT_LIST) | BIT(OPT_OFFER) |
		  BIT(OPT_ACCEPT) | BIT(OPT_LOG) | BIT(OPT_PLAYER) | BIT(OPT_GAMES) | BIT(OPT_TIME),
	  1, 2, "imcs play HOST|serve|log [ID]", "minichess over the network: see docs/imcs.md",
	  "play HOST logs in at an IMCS server and offers a game (--offer, the default), plays against an offer\n"
	  "(--accept ID, or --accept any), or lists them (--list). It plays --games of them, one unless said,\n"
	  "within its clock, and connects again when the server is lost. --time 60 or 1:00,5:00 are the clocks\n"
	  "of an offer, its own first. Ctrl-C: no more games after this one; twice: leaves at once.\n"
	  "serve is such a server; it keeps accounts, ratings and games in DIR as 'serve' does, and\n"
	  "--password-file sets its admin's password. log prints what is kept of a game, or lists those going on.\n"
	  "The port of both is 3589 unless --port says otherwise.\n" },
	{ "bench", cmd_bench, 0, 0, 1, "bench [GAME]", "fixed searches: their signature and speeds",
	  "The searches are fixed: --threads and --hash do not change them, --seed does.\n" },
	{ "backup", cmd_backup, BIT(OPT_DATA), 1, 1, "backup FILE",
	  "copies what a server keeps, also while it runs",
	  "FILE must be new: it is written beside, checked, then named. The server's folder is --data, by\n"
	  "default $XDG_DATA_HOME/quevedo (~/.local/share/quevedo). See docs/server.md.\n" },
	{ "plugin", cmd_plugin, 0, 2, 2, "plugin check FILE", "the conformance suite on a plug-in",
	  "Exit status 1: a law does not hold; the last line says which.\n" },
	{ "help", cmd_help, 0, 0, 1, "help [COMMAND | GAME | players]", "explains", NULL },
	{ 0 },
};

const struct command *command_find(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

/* The mutable variables of the program: a signal handler can reach no others. */
static atomic_bool interrupted, asked_to_end;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	atomic_store(&interrupted, true);
}

static void catch_signal(int signal_number)
{
	struct sigaction old,
		new = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART | (int)SA_RESETHAND };
	sigemptyset(&new.sa_mask);
	if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(signal_number, &new, NULL);
}

const atomic_bool *cli_stop_flag(void)
{
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	return &interrupted;
}

static void on_end(int signal_number)
{
	(void)signal_number;
	atomic_store(&asked_to_end, true);
	atomic_store(&interrupted, true);
}

atomic_bool *cli_catch_interrupts(void)
{
	struct sigaction new = { .sa_handler = on_interrupt };
	sigemptyset(&new.sa_mask);
	sigaction(SIGINT, &new, NULL);
	new.sa_handler = on_end;
	sigaction(SIGTERM, &new, NULL);
	sigaction(SIGHUP, &new, NULL);
	return &interrupted;
}

bool cli_asked_to_end(void)
{
	return atomic_load(&asked_to_end);
}

void cli_stop(void)
{
	atomic_store(&interrupted, true);
}

bool cli_shows_progress(void)
{
	return isatty(STDERR_FILENO);
}

static enum qv_status unknown_command(struct cli *c, const char *word)
{
	struct text_nearest nearest = text_nearest_to(word);
	for (const struct command *command = commands; command->name; command++)
		text_nearest_try(&nearest, command->name);
	if (nearest.best)
		return qv_fail(&c->error, QV_UNKNOWN, "%.60s: unknown command, did you mean '%s'?",
			       cli_word(word), nearest.best);
	return qv_fail(&c->error, QV_UNKNOWN, "%.60s: unknown command; 'quevedo help' lists them",
		       cli_word(word));
}

static enum qv_status check_usage(struct cli *c, const struct command *command)
{
	const int count = c->args.word_count - 1;
	if (count < command->least)
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "%s: an argument is missing; usage: quevedo %s", command->name,
			       command->usage);
	if (count > command->most)
		return qv_fail(
			&c->error, QV_BAD_INPUT,
			"%s: too many arguments (is something not quoted?); usage: quevedo %s",
			command->name, command->usage);
	return arguments_allow(&c->args, common_options | command->options, command->name,
			       &c->error);
}

static enum qv_status make_context(struct cli *c)
{
	c->context = qv_context_new(NULL);
	if (!c->context)
		return qv_fail(&c->error, QV_NO_MEMORY, "quevedo: out of memory");
	for (int i = 0; i < c->args.plugin_count; i++) {
		enum qv_status status = qv_context_load(c->context, c->args.plugins[i], &c->error);
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

/* What is said without a command: the version, or what there is. */
static enum qv_status run_alone(struct cli *c)
{
	const option_set allowed = common_options | BIT(OPT_VERSION);
	enum qv_status status = arguments_allow(&c->args, allowed, "quevedo", &c->error);
	if (status != QV_OK)
		return status;
	if (!arguments_given(&c->args, OPT_VERSION)) {
		status = make_context(c);
		return status == QV_OK ? help_topic(c, NULL) : status;
	}
	if (arguments_given(&c->args, OPT_JSON))
		return cli_json(c, json_field(json_object(), "version", json_text(qv_version())));
	string_addf(&c->out, "quevedo %s\n", qv_version());
	return QV_OK;
}

static enum qv_status run(struct cli *c, int argc, char **argv)
{
	enum qv_status status = arguments_parse(&c->args, argc, argv, &c->error);
	if (status != QV_OK)
		return status;
	if (!c->args.word_count)
		return run_alone(c);
	const struct command *command = command_find(c->args.words[0]);
	if (!command)
		return unknown_command(c, c->args.words[0]);
	const bool help = arguments_given(&c->args, OPT_HELP);
	if (!help && (status = check_usage(c, command)) != QV_OK)
		return status;
	if ((status = make_context(c)) != QV_OK)
		return status;
	return help ? help_topic(c, command->name) : command->run(c);
}

/* Says what was wrong, in one line that is sure to hold a reason. */
static int complain(const struct qv_error *error, enum qv_status status)
{
	const bool reason = strstr(error->text, ": ");
	fprintf(stderr, "quevedo: %s%s%s\n", error->text, reason ? "" : ": ",
		reason ? "" : qv_status_text(status));
	return status == QV_STOPPED ? EXIT_NO : EXIT_WRONG;
}

static bool write_out(const struct string *out)
{
	const bool written = fwrite(out->data, 1, out->length, stdout) == out->length;
	return fflush(stdout) == 0 && written;
}

enum qv_status cli_flush(struct cli *c)
{
	if (c->out.failed)
		return qv_fail(&c->error, QV_NO_MEMORY, "output: out of memory");
	if (c->out.length && !write_out(&c->out))
		return qv_fail(&c->error, QV_IO, "standard output: %s", strerror(errno));
	c->out.length = 0;
	return QV_OK;
}

static int finish(struct cli *c, enum qv_status status, bool settled)
{
	if (c->handed_over)
		return c->child_status;
	if (status != QV_OK && c->mute)
		return settled ? EXIT_DONE : EXIT_WRONG;
	if (status == QV_OK)
		status = cli_flush(c);
	if (status != QV_OK)
		return complain(&c->error, status);
	return c->answer_is_no ? EXIT_NO : EXIT_DONE;
}

int main(int argc, char **argv)
{
	/* A reader that goes away, a file too large: errors like a full disk, the write says so. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	struct cli c = { .out = { .allocator = &mem_malloc },
			 .mute = ranks_is_mute(argc, argv) };
	const enum qv_status status = run(&c, argc, argv);
	const bool settled = status != QV_OK && ranks_settle(argc, argv, status, &c.error);
	const int code = finish(&c, status, settled);
	if (c.report_to && write(c.report_to, "", 1) != 1)
		return EXIT_WRONG;
	string_release(&c.out);
	qv_context_free(c.context);
	return code;
}
