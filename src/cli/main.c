/*
 * main.c - the quevedo command: the list of commands, and one run from arguments to exit status.
 * SPDX-License-Identifier: MIT
 *
 * Exit status: 0 done; 1 the answer is "no" or "unknown"; 2 wrong use or bad input, with one line
 * on standard error and nothing on standard output. A run parses the line, makes a context with the
 * plug-ins, runs the command and prints what it has written to cli.out.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "cli/cli.h"
#include "cli/config.h"
#include "cli/match_mpi.h"

enum { EXIT_DONE, EXIT_NO, EXIT_WRONG };

/* To add a command: write its const struct command next to its code and list it here. */
const struct command *const commands[] = {
	&command_games,
	&command_show,
	&command_replay,
	&command_perft,
	&command_eval,
	&command_best,
	&command_analyse,
	&command_tree,
	&command_solve,
	&command_play,
	&command_match,
	&command_tune,
	&command_train,
	&command_engine,
	&command_tables,
	&command_book,
	&command_convert,
	&command_epd,
	&command_puzzle,
	&command_serve,
	&command_server,
	&command_worker,
	&command_imcs,
	&command_bench,
	&command_backup,
	&command_restore,
	&command_plugin,
	&command_dice,
	&command_review,
	&command_rollout,
	&command_help,
	NULL,
};

/* Commands have no aliases; names must match exactly. */
const struct command *command_find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* ---- Signals ---- */

/* The mutable variables of the program: a signal handler can reach no others. */
static struct qv_flag interrupted, asked_to_end;

/* A signal handler may do no more than set flags. */
static void on_interrupt(int signal_number)
{
	(void)signal_number;
	flag_set(&interrupted, true);
}

/* SIGTERM and SIGHUP also ask an interactive command to end. */
static void on_end(int signal_number)
{
	flag_set(&asked_to_end, true);
	on_interrupt(signal_number);
}

/*
 * The handler is reset after the first signal. A signal that is ignored, as under nohup, stays
 * ignored.
 */
const struct qv_flag *cli_stop_flag(void)
{
	static const int signals[] = { SIGINT, SIGTERM };
	for (int i = 0; i < 2; i++) {
		struct sigaction old, new = { .sa_handler = on_interrupt,
					      .sa_flags = SA_RESTART | (int)SA_RESETHAND };
		sigemptyset(&new.sa_mask);
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &new, NULL);
	}
	return &interrupted;
}

/* Without SA_RESTART, so that a read that waits for input returns. */
struct qv_flag *cli_catch_interrupts(void)
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
	return flag_is_set(&asked_to_end);
}

void cli_stop(void)
{
	flag_set(&interrupted, true);
}

/* ---- Without a command: the version, or the overview ---- */

/* Options that need no command. */
struct alone_values {
	bool version;
};

const struct option version_option[] = {
	COMMAND_OPTION(struct alone_values, "version", OPTION_FLAG, version,
		       .help = "print the version"),
	{ 0 },
};

/* Prints the version, or the overview if there is no --version; or a chess program speaks to us. */
static enum qv_status run_alone(struct cli *c)
{
	const struct alone_values *own = cli_own(c);
	enum qv_status status;
	if (!own->version && !c->args.help && !c->args.json && engine_greeted(c, &status))
		return status;
	if (!own->version)
		return help_topic(c, NULL);
	if (c->args.json)
		return cli_json(c, json_field(json_object(), "version", json_text(qv_version())));
	string_addf(&c->out, "quevedo %s\n", qv_version());
	return QV_OK;
}

static const struct command alone = {
	.name = "quevedo", .run = run_alone,
	.options = OPTION_GROUPS(version_option, common_options),
};

/* ---- A run ---- */

/* Progress is for people, so it is shown only on a terminal. */
bool cli_shows_progress(void)
{
	return isatty(STDERR_FILENO);
}

void cli_clear_progress(void)
{
	if (cli_shows_progress())
		fprintf(stderr, "\r\033[K");
}

const struct option time_option[] = {
	SHARED_OPTION("time", OPTION_TIME, time_ms, .min = 1, .max = 86400000, .value = "TIME",
		      .help = "give up after this time for a position: 500ms, 2s"),
	{ 0 },
};

void cli_watch_begin(struct cli_watch *w, const struct cli *c, const char *what)
{
	const int64_t now = clock_us();
	*w = (struct cli_watch){ .what = what,
				 .started_us = now,
				 .until_us = c->args.time_ms ? now + c->args.time_ms * 1000 : 0,
				 .shows = !c->args.json && cli_shows_progress() };
}

/* The line appears after a moment and is then rewritten a few times a second. */
bool cli_watch_solver(void *watch, uint64_t nodes)
{
	enum { BETWEEN_US = 250000 };
	struct cli_watch *w = watch;
	if (!w->shows && !w->until_us)
		return true;
	const int64_t now = clock_us();
	if (w->shows && now - (w->shown_us ? w->shown_us : w->started_us) >= BETWEEN_US) {
		w->shown_us = now;
		fprintf(stderr, "\r%s: %llu nodes, %.1f s\033[K", w->what,
			(unsigned long long)nodes, (double)(now - w->started_us) / 1e6);
	}
	return !w->until_us || now < w->until_us;
}

void cli_watch_end(const struct cli_watch *w)
{
	if (w->shown_us)
		cli_clear_progress();
}

struct qv_solve_limits cli_watch_limits(struct cli_watch *w)
{
	return (struct qv_solve_limits){ .stop = cli_stop_flag(),
					 .watch = cli_watch_solver,
					 .ctx = w };
}

enum qv_status cli_no_memory(struct cli *c, const char *what)
{
	return qv_fail(&c->error, QV_NO_MEMORY, "%s: out of memory", what);
}

/*
 * Visitors of a server choose some of what is printed. Most terminals obey U+0080 to U+009F like escape
 * sequences, so there they become question marks.
 */
static void spare_terminal(struct string *out)
{
	for (size_t i = 0; i + 1 < out->length; i++)
		if ((unsigned char)out->data[i] == 0xc2 && (unsigned char)out->data[i + 1] >= 0x80 &&
		    (unsigned char)out->data[i + 1] < 0xa0)
			out->data[i] = out->data[i + 1] = '?';
}

/* Also flushes stdio, so that a failed write is noticed here and not at exit. */
enum qv_status cli_flush(struct cli *c)
{
	if (c->out.failed)
		return cli_no_memory(c, "output");
	if (!c->out.length)
		return QV_OK;
	if (isatty(STDOUT_FILENO))
		spare_terminal(&c->out);
	const bool written = fwrite(c->out.data, 1, c->out.length, stdout) == c->out.length;
	if (fflush(stdout) != 0 || !written)
		return qv_fail(&c->error, QV_IO, "standard output: %s", strerror(errno));
	c->out.length = 0;
	return QV_OK;
}

/*
 * One run: parse, read --config, check the number of arguments, load plug-ins, run the command. --help comes
 * before the check, so that it works without arguments.
 */
static enum qv_status run(struct cli *c, int argc, char **argv)
{
	const struct command *command;
	enum qv_status status =
		arguments_parse(&c->args, commands, &alone, argc, argv, &command, &c->error);
	if (status != QV_OK)
		return status;
	const bool help = c->args.help && command != &alone;
	const char *config = help ? NULL : c->args.config;
	if (config)
		status = file_read(&mem_malloc, config, CONFIG_MOST, &c->config, &c->error);
	if (config && status == QV_OK)
		status = config_read(&c->args.options, config, c->config.data, c->config.size,
				     &c->error);
	if (status != QV_OK)
		return status;
	const int count = c->args.word_count - 1;
	if (command != &alone && !help && (count < command->least || count > command->most))
		return cli_refuse(c, "%s: %s; usage: quevedo %s", command->name,
				  count < command->least
					  ? "an argument is missing"
					  : "too many arguments (put quotes around a position)",
				  command->usage);
	/* Plug-ins must be loaded before a command names their games. */
	c->context = qv_context_new(NULL);
	if (!c->context)
		return cli_no_memory(c, "quevedo");
	for (int i = 0; i < c->args.plugins.count && status == QV_OK; i++)
		status = qv_context_load(c->context, c->args.plugins.texts[i], &c->error);
	if (status == QV_OK && !help)
		status = cli_open_syzygy(c);
	if (status != QV_OK)
		return status;
	return help ? help_topic(c, command->name) : command->run(c);
}

/* Prints the answer or the error, and returns the exit status. */
static int finish(struct cli *c, enum qv_status status, bool settled)
{
	if (status != QV_OK && c->mute)
		return settled ? EXIT_DONE : EXIT_WRONG;
	if (status == QV_OK)
		status = cli_flush(c);
	if (status == QV_OK && c->remarks.length)
		fputs(c->remarks.data, stderr);
	if (status == QV_OK)
		return c->answer_is_no ? EXIT_NO : EXIT_DONE;
	/* One line that always has a reason. */
	const bool reason = strstr(c->error.text, ": ");
	/* The library does not know how plug-ins are loaded. */
	const bool game = strstr(c->error.text, "'quevedo games' lists them");
	fprintf(stderr, "quevedo: %s%s%s%s\n", c->error.text, reason ? "" : ": ",
		reason ? "" : qv_status_text(status),
		game ? "; the game of a plug-in needs --plugin FILE" : "");
	return status == QV_STOPPED ? EXIT_NO : EXIT_WRONG;
}

enum { BRAIN_WORDS = 4, BRAIN_MOST = 64 };

/*
 * Managers of Gomocup start a program without arguments, whose name begins with pbrain-. Under such
 * a name the program is an engine of go-moku. Writes its arguments and a NULL to `out`, and returns
 * their number; 0: it has another name, or too many arguments.
 */
static int brain_arguments(int argc, char **argv, char **out)
{
	static const char *const words[BRAIN_WORDS] = { "engine", "gomoku", "--protocol",
							"gomocup" };
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	if (!argc || argc + BRAIN_WORDS >= BRAIN_MOST ||
	    strncmp(slash ? slash + 1 : argv[0], "pbrain-", 7) != 0)
		return 0;
	out[0] = argv[0];
	memcpy(out + 1, words, sizeof words);
	memcpy(out + 1 + BRAIN_WORDS, argv + 1, (size_t)argc * sizeof *argv);
	return argc + BRAIN_WORDS;
}

/*
 * The first rank of mpirun prints for all; another rank that fails early reports to it
 * (ranks_settle).
 */
int main(int argc, char **argv)
{
	/* A closed pipe or a file that is too large then is an error of the write. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	char *brain[BRAIN_MOST];
	const int brain_count = brain_arguments(argc, argv, brain);
	if (brain_count) {
		argc = brain_count;
		argv = brain;
	}
	struct cli c = { .out = { .allocator = &mem_malloc },
			 .remarks = { .allocator = &mem_malloc },
			 .mute = ranks_is_mute(argc, argv) };
	const enum qv_status status = run(&c, argc, argv);
	const bool settled = status != QV_OK && ranks_settle(argc, argv, status, &c.error);
	const int code = finish(&c, status, settled);
	string_release(&c.out);
	string_release(&c.remarks);
	file_release(&mem_malloc, &c.config);
	qv_context_free(c.context);
	return code;
}
