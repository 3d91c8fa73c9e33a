/*
 * plugin.c - the command plugin: the conformance suite on the games and evaluations of a shared
 * object.
 * SPDX-License-Identifier: MIT
 *
 * The suite runs in a child process: a plug-in is foreign code, and one that crashes gets a report,
 * too. The child prints the report and exits with its status; a byte in a pipe shows that it got
 * that far, so that a plug-in cannot pass by calling exit().
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cli/cli.h"
#include "core/context.h"

/* The laws that hold, in both formats. */
struct report {
	struct string lines;
	json_t *laws; /* of the current game */
};

/* Called by the conformance suite after each law that holds. */
static void law_holds(void *ctx, const char *law, uint64_t checks)
{
	struct report *r = ctx;
	string_addf(&r->lines, "  %-32s %llu\n", law, (unsigned long long)checks);
	r->laws = json_item(r->laws, json_fields(json_object(), "law", json_text(law), "checks",
						 json_count(checks), NULL));
}

/*
 * Checks one game, or, if `added` is not NULL, the game with these evaluations in place of its own.
 * Returns its part of the JSON report.
 */
static json_t *report_on(struct cli *c, const struct qv_game *game,
			 const struct qv_evaluation *added, struct report *r)
{
	struct qv_conformance how = { .size = sizeof how, .seed = (uint64_t)c->args.seed,
				      .progress = law_holds,
				      .ctx = r };
	struct qv_rules rules;
	struct qv_game with = *game;
	with.evaluations = added;
	/* Levels name evaluations of the game, and an index has none. */
	with.levels = NULL;
	with.index = NULL;
	r->laws = json_array();
	string_addf(&r->lines, "%s (%s)%s: laws, and how often each was checked\n", game->name,
		    game->title, added ? " with added evaluations" : "");
	enum qv_status status = qv_rules_parse(c->context, game->name, &rules, &c->error);
	if (added)
		rules.game = &with;
	if (status == QV_OK)
		status = qv_conform(c->context, &rules, &how, &c->error);
	if (status != QV_OK) {
		c->answer_is_no = true;
		string_addf(&r->lines, "failed: %s: %s\n", game->name, c->error.text);
	}
	return json_fields(
		json_object(), "game", json_text(game->name), "ok", json_boolean(status == QV_OK),
		"reason", json_text(status == QV_OK ? NULL : c->error.text), "laws", r->laws, NULL);
}

/*
 * Checks all games and evaluations of the plug-in up to the first that fails; so its reason is the
 * last line.
 */
static enum qv_status check_file(struct cli *c, const char *path)
{
	int first = 0, first_added = 0;
	const struct qv_evaluation *added;
	const struct qv_game *game;
	/* Those of the plug-in come after the built-in ones and those of --plugin. */
	while (qv_game_at(c->context, first))
		first++;
	while (context_added_at(c->context, first_added, &game))
		first_added++;
	enum qv_status status = qv_context_load(c->context, path, &c->error);
	if (status != QV_OK)
		return status;
	struct report r = { .lines = { .allocator = &mem_malloc } };
	json_t *games = json_array();
	/* A game that fails sets answer_is_no. */
	for (int i = first; !c->answer_is_no && (game = qv_game_at(c->context, i)); i++)
		games = json_item(games, report_on(c, game, NULL, &r));
	for (int i = first_added;
	     !c->answer_is_no && (added = context_added_at(c->context, i, &game)); i++)
		games = json_item(games, report_on(c, game, added, &r));
	if (c->args.json) {
		status = cli_json(c, json_fields(json_object(), "file", json_text(path), "ok",
						 json_boolean(!c->answer_is_no), "games", games,
						 NULL));
	} else {
		json_decref(games);
		if (r.lines.length)
			string_add(&c->out, r.lines.data, r.lines.length);
		string_addf(&c->out, c->answer_is_no ? "" : "ok\n");
	}
	c->out.failed |= r.lines.failed;
	string_release(&r.lines);
	return status;
}

/* Waits for the child and takes over its exit status, if it has written its report. */
static enum qv_status wait_for(struct cli *c, pid_t child, const char *path, int report)
{
	int how = 0;
	char done;
	const bool finished = read(report, &done, 1) == 1;
	close(report);
	while (waitpid(child, &how, 0) < 0 && errno == EINTR)
		;
	/* A child that has not reported has crashed, or the plug-in has called exit(). */
	c->handed_over = true;
	c->child_status = 1;
	if (WIFEXITED(how) && finished)
		c->child_status = WEXITSTATUS(how);
	else if (WIFEXITED(how))
		fprintf(stderr, "quevedo: %.60s: it ended the program\n", cli_word(path));
	else
		fprintf(stderr, "quevedo: %.60s: it crashed (%s)\n", cli_word(path),
			strsignal(WTERMSIG(how)));
	return QV_OK;
}

/* Forks. The parent waits for the child, which runs the suite and answers. */
static enum qv_status run(struct cli *c)
{
	const char *what = c->args.words[1], *path = c->args.words[2];
	if (strcmp(what, "check") != 0)
		return qv_fail(&c->error, QV_UNKNOWN,
			       "%.60s: unknown; did you mean 'plugin check'?", cli_word(what));
	int ends[2];
	if (pipe(ends) != 0)
		return qv_fail(&c->error, QV_NO_MEMORY, "plugin check: no pipe for it");
	signal(SIGCHLD, SIG_DFL); /* if it were ignored, the child's status would be lost */
	const pid_t child = fork();
	/* The parent keeps the end to read, the child the end to write. */
	close(ends[child != 0]);
	if (child < 0) {
		close(ends[0]);
		return qv_fail(&c->error, QV_NO_MEMORY, "plugin check: no process for it");
	}
	if (child)
		return wait_for(c, child, path, ends[0]);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* the child ends with its parent, whatever it does */
#endif
	c->report_to = ends[1];
	return check_file(c, path);
}

const struct command command_plugin = {
	.name = "plugin", .run = run, .least = 2, .most = 2, .usage = "plugin check FILE",
	.help = "run the conformance suite on a plug-in",
	.more = "Exit status 1: a law does not hold; the last line names it.\n",
	.options = OPTION_GROUPS(common_options),
};
