/*
 * plugin_check.c - `plugin check`: the conformance suite on the games and evaluations of a shared
 * object, with the extremes of their options.
 * SPDX-License-Identifier: MIT
 *
 * The child loads the plug-in and sends a line for each thing it finds. A letter says what it is:
 *
 *    G game     an examination begins          L law number   a law holds, with how many checks
 *    S law why  a law does not apply           F sentence     a law is violated
 *    A game sentence: what breaks no law, but may be a mistake
 *    R status sentence: wrong use or a file that is no plug-in
 *    C count    combinations left out          D              done
 *
 * The fields of a line are separated by tabs. The parent makes the report, so that a plug-in that
 * crashes, hangs or ends the program gets one, too.
 */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/clock.h"
#include "cli/plugin.h"
#include "core/context.h"

enum {
	COMBINATIONS = 64,  /* of options, for one game */
	EXTREME_GAMES = 20, /* random games with each of them; with the defaults 100 */
	REAL_TIMES = 10,    /* how many times longer a call may take than it may compute */
	PRINT_MS = 2000,    /* to print a position after a crash */
	POLL_MS = 20,
	SHOWN_BYTES = 32, /* of a state that has no text */
};

/* ---- The child ---- */

struct child {
	struct cli *c;
	struct plugin_watch watch;
	struct conform_watch laws; /* what conform_run gets, for the first combination of options */
	int to; /* the pipe to the parent */
	bool failed;
};

/* Sends one line; tabs separate its fields, so texts must not have any other control character. */
static void tell(const struct child *k, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void tell(const struct child *k, const char *format, ...)
{
	char line[2048];
	va_list args;
	va_start(args, format);
	int length = vsnprintf(line, sizeof line - 1, format, args);
	va_end(args);
	length = length < (int)sizeof line - 1 ? length : (int)sizeof line - 2;
	for (char *at = line; at < line + length; at++)
		if ((unsigned char)*at < ' ' && *at != '\t')
			*at = '?';
	line[length++] = '\n';
	for (int done = 0; done < length;) {
		const ssize_t sent = write(k->to, line + done, (size_t)(length - done));
		if (sent < 0 && errno != EINTR)
			_exit(2);
		done += sent > 0 ? (int)sent : 0;
	}
}

static void law_held(void *ctx, const char *law, uint64_t checks)
{
	tell(ctx, "L\t%s\t%llu", law, (unsigned long long)checks);
}

static void note(void *ctx, const struct conform_place *place)
{
	plugin_note(&((struct child *)ctx)->watch, place);
}

static const char *complaint(void *ctx)
{
	return plugin_complaint(&((struct child *)ctx)->watch);
}

static void law_skipped(void *ctx, const char *law, const char *why)
{
	tell(ctx, "S\t%s\t%s", law, why);
}

static void advise(void *ctx, const char *sentence)
{
	const struct child *k = ctx;
	tell(k, "A\t%s\t%s", k->watch.note->rules, sentence);
}

/* Runs the suite. The function is one of the plug-in's. */
static void examine(struct child *k, const struct qv_rules *rules, int games, uintptr_t function)
{
	const struct qv_conformance how = {
		.size = sizeof how,
		.seed = (uint64_t)k->c->args.seed, .games = games, .progress = law_held, .ctx = k
	};
	struct conform_watch watch = k->laws;
	struct checkpoint *n = k->watch.note;
	const struct rules_text name = rules_text(rules);
	struct qv_error error = { "" };
	memcpy(n->rules, name.text, sizeof n->rules);
	n->placed = false;
	n->law[0] = n->function[0] = n->input[0] = '\0';
	tell(k, "G\t%s\t%s", name.text, rules->game->title);
	if (games)
		watch.advise = NULL;
	k->watch.state_size = rules->game->state_size;
	plugin_watch_data(&k->watch, function);
	k->failed = conform_run(k->c->context, rules, &how, &watch, &error) != QV_OK;
	plugin_watch_release(&k->watch);
	if (k->failed)
		tell(k, "F\t%s", error.text);
}

/* The smallest and the largest value of an option; a choice is the index of its word. */
static int64_t least(const struct qv_option *o)
{
	return o->choices ? 0 : o->min;
}

static int64_t greatest(const struct qv_option *o)
{
	int64_t bars = 0;
	for (const char *at = o->choices; at && *at; at++)
		bars += *at == '|';
	return o->choices ? bars : o->max;
}

/* Combinations of options, without duplicates. */
struct combinations {
	struct qv_rules list[COMBINATIONS];
	int count, left_out;
};

static void add_combination(struct combinations *a, const struct qv_rules *rules)
{
	for (int i = 0; i < a->count; i++)
		if (!memcmp(a->list[i].options, rules->options, sizeof rules->options))
			return;
	if (a->count < COMBINATIONS)
		a->list[a->count++] = *rules;
	else
		a->left_out++;
}

/*
 * The defaults; each option at its least and greatest value, or at each choice, the others at their
 * defaults; all at their least, and all at their greatest.
 */
static void combine(const struct qv_game *game, struct combinations *out)
{
	struct qv_rules presets = { .game = game };
	const struct qv_option *o = game->options;
	*out = (struct combinations){ .count = 0 };
	for (int i = 0; o && o[i].name; i++)
		presets.options[i] = o[i].preset;
	add_combination(out, &presets);
	struct qv_rules low = presets, high = presets;
	for (int i = 0; o && o[i].name; i++) {
		struct qv_rules one = presets;
		low.options[i] = least(&o[i]);
		high.options[i] = greatest(&o[i]);
		const int64_t step = o[i].choices || low.options[i] == high.options[i]
					     ? 1
					     : high.options[i] - low.options[i];
		for (int64_t v = low.options[i];; v += step) {
			one.options[i] = v;
			add_combination(out, &one);
			if (v == high.options[i])
				break;
		}
	}
	add_combination(out, &low);
	add_combination(out, &high);
}

/* Examines a game, or evaluations in place of its own, up to the first combination that fails. */
static void examine_all(struct child *k, const struct qv_game *game, uintptr_t function)
{
	struct combinations all;
	combine(game, &all);
	if (all.left_out)
		tell(k, "C\t%s\t%d", game->name, all.left_out);
	for (int i = 0; i < all.count && !k->failed; i++)
		examine(k, &all.list[i], i ? EXTREME_GAMES : 0, function);
}

/* Ends the child; its exit status means nothing. */
static void refuse(const struct child *k, enum qv_status status, const char *why)
{
	tell(k, "R\t%d\t%s", (int)status, why);
	_exit(0);
}

/* The game with these evaluations alone. Levels name evaluations, and an index has none. */
static struct qv_game only_with(const struct qv_game *game, const struct qv_evaluation *added)
{
	struct qv_game with = *game;
	with.evaluations = added;
	with.levels = NULL;
	with.index = NULL;
	return with;
}

/* Examines what the plug-in adds to the context, or the named game of it, with these options. */
static void examine_file(struct child *k, const char *path, const char *name)
{
	struct cli *c = k->c;
	const struct qv_evaluation *added;
	const struct qv_game *game;
	struct qv_rules named = { .game = NULL };
	const bool options = name && strchr(name, ':');
	bool any = false;
	int first = 0, first_added = 0;
	/* Those of the plug-in come after the built-in ones and those of --plugin. */
	while (qv_game_at(c->context, first))
		first++;
	while (context_added_at(c->context, first_added, &game))
		first_added++;
	enum qv_status status = qv_context_load(c->context, path, &c->error);
	if (status == QV_OK && name)
		status = qv_rules_parse(c->context, name, &named, &c->error);
	if (status != QV_OK)
		refuse(k, status, c->error.text);
	if (complaint(k)) {
		tell(k, "F\tloading: %s", k->watch.complaint);
		return;
	}
	for (int i = first; !k->failed && (game = qv_game_at(c->context, i)); i++) {
		if (name && named.game != game)
			continue;
		any = true;
		if (options)
			examine(k, &named, 0, (uintptr_t)game->moves);
		else
			examine_all(k, game, (uintptr_t)game->moves);
	}
	for (int i = first_added; !k->failed && (added = context_added_at(c->context, i, &game));
	     i++) {
		const struct qv_game with = only_with(game, added);
		if (name && named.game != game)
			continue;
		any = true;
		named.game = &with;
		if (options)
			examine(k, &named, 0, (uintptr_t)added->evaluate);
		else
			examine_all(k, &with, (uintptr_t)added->evaluate);
		named.game = game;
	}
	if (!any) {
		char why[160];
		snprintf(why, sizeof why, "%.60s: the plug-in has no game of this name",
			 cli_word(name));
		refuse(k, QV_UNKNOWN, why);
	}
}

/* ---- The parent ---- */

struct parent {
	struct cli *c;
	const char *path;
	struct checkpoint *note;
	struct string lines;		/* the report as text */
	json_t *games, *laws, *skipped, *advice; /* as JSON: all, and those of the current game */
	char game[600];			/* the current one; "": none yet */
	bool is_preset;			/* the first combination of a game is reported law by law */
	uint64_t held, checks;		/* laws and checks of the current game */
	char reason[1024];		/* why it failed; "": it has not */
	bool done;			/* the child has come to its end */
	enum qv_status refused;
	char line[4096]; /* received from the child, up to `filled` */
	size_t filled;
};

/* Adds the current game to the report. */
static void close_game(struct parent *p, const char *position)
{
	const bool ok = !p->reason[0];
	if (!p->game[0] && ok)
		return;
	if (!p->is_preset && ok)
		string_addf(&p->lines, "%s: %llu laws, %llu checks\n", p->game,
			    (unsigned long long)p->held, (unsigned long long)p->checks);
	p->games = json_item(p->games,
			     json_fields(json_object(), "game", json_unless_empty(p->game), "ok",
					 json_boolean(ok), "reason", json_unless_empty(p->reason),
					 "laws", p->laws, "skipped", p->skipped, "advice",
					 p->advice, "law",
					 json_unless_empty(ok ? "" : p->note->law), "position",
					 json_unless_empty(ok ? "" : position), NULL));
	p->laws = json_array();
	p->skipped = json_array();
	p->advice = json_array();
	p->game[0] = '\0';
}

static void open_game(struct parent *p, const char *game, const char *title)
{
	close_game(p, "");
	snprintf(p->game, sizeof p->game, "%s", game);
	/* Its options may be named, and then there is no other combination. */
	p->is_preset = !strchr(game, ':') ||
		       (p->c->args.word_count > 3 && strchr(p->c->args.words[3], ':'));
	p->held = p->checks = 0;
	if (p->is_preset)
		string_addf(&p->lines, "%s (%s): laws, and how often each was checked\n", game,
			    title);
}

/* Takes one line of the child. */
static void take_line(struct parent *p, char *line)
{
	char *first = strchr(line, '\t'), *second = first ? strchr(first + 1, '\t') : NULL;
	if (first)
		*first++ = '\0';
	if (second)
		*second++ = '\0';
	if (line[0] == 'D')
		p->done = true;
	else if (line[0] == 'F' && first)
		snprintf(p->reason, sizeof p->reason, "%s%s%s", first, second ? " " : "",
			 second ? second : "");
	if (!second)
		return;
	switch (line[0]) {
	case 'G':
		open_game(p, first, second);
		break;
	case 'L':
		p->held++;
		p->checks += strtoull(second, NULL, 10);
		p->laws = json_item(p->laws,
				    json_fields(json_object(), "law", json_text(first), "checks",
						json_count(strtoull(second, NULL, 10)), NULL));
		if (p->is_preset)
			string_addf(&p->lines, "  %-32s %s\n", first, second);
		break;
	case 'S':
		p->skipped =
			json_item(p->skipped, json_fields(json_object(), "law", json_text(first),
							  "why", json_text(second), NULL));
		if (p->is_preset)
			string_addf(&p->lines, "  %-32s does not apply: %s\n", first, second);
		break;
	case 'A':
		p->advice = json_item(p->advice, json_text(second));
		string_addf(&p->lines, "  advice: %s\n", second);
		break;
	case 'C':
		string_addf(&p->lines, "%s: %s more combinations of options are left out\n", first,
			    second);
		break;
	case 'R':
		p->refused = (enum qv_status)atoi(first);
		qv_fail(&p->c->error, p->refused, "%s", second);
		break;
	}
}

/* Reads what the child has sent. False: it has closed the pipe. */
static bool take_lines(struct parent *p, int from)
{
	for (;;) {
		const ssize_t got = read(from, p->line + p->filled, sizeof p->line - 1 - p->filled);
		if (got <= 0)
			return got < 0 && (errno == EAGAIN || errno == EINTR);
		p->filled += (size_t)got;
		p->line[p->filled] = '\0';
		for (char *end; (end = strchr(p->line, '\n'));) {
			*end = '\0';
			take_line(p, p->line);
			p->filled -= (size_t)(end + 1 - p->line);
			memmove(p->line, end + 1, p->filled + 1);
		}
		if (p->filled == sizeof p->line - 1)
			p->filled = 0; /* no line of ours is that long */
	}
}

/* The processor time of the child; other programs of the machine do not count. */
static int64_t used_us(pid_t child)
{
	clockid_t id;
	struct timespec t;
	if (clock_getcpuclockid(child, &id) != 0 || clock_gettime(id, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Adds the last place of the child to the sentence, and the position, if there is one. */
static void fail_at(struct parent *p, const char *what, const char *printed, const char *position)
{
	const struct checkpoint *n = p->note;
	struct qv_text text = { p->reason, sizeof p->reason, 0 };
	qv_put(&text, n->law[0] ? n->law : "loading");
	qv_put(&text, ": ");
	if (n->function[0] && strcmp(n->function, n->law) != 0) {
		qv_put(&text, n->function);
		qv_put(&text, ": ");
	}
	qv_put(&text, what);
	if (n->input[0]) {
		qv_put(&text, ", given '");
		qv_put(&text, n->input);
		qv_put(&text, "'");
	}
	if (printed[0]) {
		qv_put(&text, ", after printing '");
		qv_put(&text, printed);
		qv_put(&text, "'");
	}
	if (position[0]) {
		qv_put(&text, "; at ");
		qv_put(&text, position);
	}
	for (char *c = p->reason; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = '?';
}

/* In a second child: the text of the state, which may crash or hang, too. */
static void print_in_child(struct parent *p)
{
	struct checkpoint *n = p->note;
	struct qv_rules rules;
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	if (qv_context_load(p->c->context, p->path, NULL) == QV_OK &&
	    qv_rules_parse(p->c->context, n->rules, &rules, NULL) == QV_OK) {
		rules.game->position_text(n->state, &out);
		memcpy(n->position, text, sizeof text);
	}
	_exit(0);
}

/* The position of the last place; "": none is known. */
static const char *last_position(struct parent *p)
{
	struct checkpoint *n = p->note;
	n->position[0] = '\0';
	if (!n->placed)
		return !strcmp(n->function, "start") || !strcmp(n->law, "start") ? "start" : "";
	const pid_t child = fork();
	if (child == 0) {
		const int nowhere = open("/dev/null", O_RDWR);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		print_in_child(p);
	}
	const struct timespec moment = { 0, 5000000 };
	for (int waited = 0; child > 0 && waitpid(child, NULL, WNOHANG) == 0; waited += 5) {
		nanosleep(&moment, NULL);
		if (waited >= PRINT_MS)
			kill(child, SIGKILL);
	}
	n->position[sizeof n->position - 1] = '\0';
	if (!n->position[0]) {
		int length = snprintf(n->position, sizeof n->position,
				      "a state that position_text cannot print:");
		for (int i = 0; i < SHOWN_BYTES && (size_t)i < n->state_size; i++)
			length +=
				snprintf(n->position + length, sizeof n->position - (size_t)length,
					 " %02x", n->state[i]);
	}
	return n->position;
}

/* Waits until the child has ended, or must be ended. Returns why, or "" if it has finished. */
static void follow(struct parent *p, pid_t child, int from, char *why, size_t size)
{
	const struct plugin_values *own = cli_own(p->c);
	const int64_t begun = clock_us();
	int64_t since = begun, used = 0;
	unsigned beat = 0;
	int how = 0;
	bool ended = false, open = true;
	why[0] = '\0';
	while (!ended && !p->done && !p->refused && !why[0]) {
		struct pollfd wait = { .fd = from, .events = POLLIN };
		poll(&wait, open, POLL_MS);
		open = open && take_lines(p, from);
		ended = waitpid(child, &how, WNOHANG) == child;
		const int64_t now = clock_us();
		if (atomic_load(&p->note->beat) != beat) {
			beat = atomic_load(&p->note->beat);
			since = now;
			used = used_us(child);
		} else if (used_us(child) - used > own->call_ms * 1000 ||
			   now - since > own->call_ms * 1000 * REAL_TIMES) {
			snprintf(why, size, "it did not return within %g s",
				 (double)own->call_ms / 1000);
		}
		if (now - begun > own->time_ms * 1000)
			snprintf(why, size, "the check was not finished within %g s",
				 (double)own->time_ms / 1000);
	}
	if (!ended) {
		kill(child, SIGKILL);
		waitpid(child, &how, 0);
		return;
	}
	take_lines(p, from);
	if (p->done || p->refused || p->reason[0])
		why[0] = '\0';
	else if (WIFEXITED(how))
		snprintf(why, size, "it ended the program with status %d", WEXITSTATUS(how));
	else if (atomic_load(&p->note->strayed))
		snprintf(why, size, "it reads or writes outside the %s that it is given",
			 atomic_load(&p->note->strayed) == STRAY_TEXT ? "text" : "state");
	else
		snprintf(why, size, "it crashed (%s)", strsignal(WTERMSIG(how)));
}

/* Follows the child and prints the report. */
static enum qv_status report(struct parent *p, pid_t child, int from, const int output[2])
{
	struct cli *c = p->c;
	char why[80], printed[80] = "";
	follow(p, child, from, why, sizeof why);
	if (p->refused)
		return p->refused;
	const char *position = why[0] || p->reason[0] ? last_position(p) : "";
	/* A failed assertion says more than the signal. */
	if (why[0] && !plugin_printed(output[1], printed, sizeof printed))
		plugin_printed(output[0], printed, sizeof printed);
	if (why[0])
		fail_at(p, why, printed, position);
	c->answer_is_no = p->reason[0];
	const char *game = p->game[0] ? p->game : p->path;
	if (p->reason[0])
		string_addf(&p->lines, "failed: %s: %s\n", game, p->reason);
	close_game(p, position);
	if (c->args.json) {
		json_t *games = p->games;
		p->games = NULL;
		return cli_json(c,
				json_fields(json_object(), "file", json_text(p->path), "ok",
					    json_boolean(!c->answer_is_no), "games", games, NULL));
	}
	if (p->lines.length)
		string_add(&c->out, p->lines.data, p->lines.length);
	string_addf(&c->out, c->answer_is_no ? "" : "ok\n");
	c->out.failed |= p->lines.failed;
	return QV_OK;
}

/* Makes the child's standard output and error pipes that it can read itself. Does not return. */
static void run_child(struct cli *c, struct checkpoint *n, int to, int (*output)[2])
{
	struct child k = { .c = c, .to = to };
	k.laws = (struct conform_watch){
		.now = note, .complaint = complaint, .skipped = law_skipped, .advise = advise, .ctx = &k
	};
	const char *path = c->args.words[2];
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* the child ends with its parent, whatever it does */
#endif
	k.watch.note = n;
	for (int i = 0; i < 2; i++) {
		dup2(output[i][1], STDOUT_FILENO + i);
		close(output[i][1]);
		k.watch.output[i] = output[i][0];
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	plugin_fence(n, &k.laws);
	k.watch.instrumented = plugin_is_instrumented(path);
	examine_file(&k, path, c->args.word_count > 3 ? c->args.words[3] : NULL);
	tell(&k, "D");
	_exit(0);
}

/* Opens the pipes: reports, standard output, standard error. Only reports may block. */
static bool open_pipes(int (*ends)[2])
{
	for (int i = 0; i < 3; i++) {
		if (pipe(ends[i]) != 0)
			return false;
		fcntl(ends[i][0], F_SETFL, O_NONBLOCK);
		if (i)
			fcntl(ends[i][1], F_SETFL, O_NONBLOCK);
	}
	return true;
}

enum qv_status plugin_check(struct cli *c)
{
	int ends[3][2];
	struct checkpoint *n =
		mmap(NULL, sizeof *n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (n == MAP_FAILED || !open_pipes(ends))
		return qv_fail(&c->error, QV_NO_MEMORY, "plugin check: no memory or pipe for it");
	signal(SIGCHLD, SIG_DFL); /* if it were ignored, the child's status would be lost */
	const pid_t child = fork();
	if (child == 0)
		run_child(c, n, ends[0][1], &ends[1]);
	for (int i = 0; i < 3; i++)
		close(ends[i][1]);
	if (child < 0)
		return qv_fail(&c->error, QV_NO_MEMORY, "plugin check: no process for it");
	struct parent p = {
		.c = c, .path = c->args.words[2], .note = n, .lines = { .allocator = &mem_malloc }
	};
	p.games = json_array();
	p.laws = json_array();
	p.skipped = json_array();
	p.advice = json_array();
	const enum qv_status status =
		report(&p, child, ends[0][0], (int[2]){ ends[1][0], ends[2][0] });
	for (int i = 0; i < 3; i++)
		close(ends[i][0]);
	json_decref(p.games);
	json_decref(p.laws);
	json_decref(p.skipped);
	json_decref(p.advice);
	string_release(&p.lines);
	munmap(n, sizeof *n);
	return status;
}
