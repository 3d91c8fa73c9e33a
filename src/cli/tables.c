/*
 * tables.c - the command tables: plan, build, check and show tables of solved positions.
 * SPDX-License-Identifier: MIT
 *
 * The tables of a game are made of spaces (parts of its positions), one file each. Everything about
 * them is in the library (quevedo/solve.h); here are the options and the printing. Each verb takes
 * its folder, limits and rules from open_run. With --mpi every rank runs this code, but only the
 * first one prints.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/match_mpi.h"
#include "cli/syzygy.h"

enum { MOST_GAMES = 1024 };

const struct option tables_data_option[] = {
	SHARED_OPTION("data", OPTION_POINTER, data, .value = "DIR",
		      .help = "folder of the tables (default $XDG_DATA_HOME/quevedo/tables or "
			      "~/.local/share/quevedo/tables)"),
	{ 0 },
};

const struct option syzygy_option[] = {
	SHARED_OPTION("syzygy", OPTION_POINTER, syzygy, .value = "DIR",
		      .help = "folders of Syzygy tables of chess, with ':' between them"),
	{ 0 },
};

/* The options of all verbs; verbs[] lists which verb accepts which. */
struct tables_values {
	const char *up_to;
	bool counters;
	int64_t checkpoint_s;
	bool longest, mpi;
};

/* One group each, so that verbs can choose. */
static const struct option up_to_option[] = {
	COMMAND_OPTION(struct tables_values, "up-to", OPTION_POINTER, up_to, .value = "SPACE",
		       .help = "only this part of the tables, and what it needs"),
	{ 0 },
};

static const struct option counters_option[] = {
	COMMAND_OPTION(struct tables_values, "counters", OPTION_FLAG, counters,
		       .help = "plan, build: count the moves left; more memory, but faster in games with many moves"),
	{ 0 },
};

static const struct option checkpoint_option[] = {
	COMMAND_OPTION(struct tables_values, "checkpoint", OPTION_INT, checkpoint_s, .max = 86400,
		       .def = 60, .value = "SECONDS", .help = "build: time between checkpoints"),
	{ 0 },
};

static const struct option mpi_option[] = {
	COMMAND_OPTION(
		struct tables_values, "mpi", OPTION_FLAG, mpi,
		.help = "plan, build: on all ranks of mpirun, each with a part of the positions"),
	{ 0 },
};

static const struct option longest_option[] = {
	COMMAND_OPTION(struct tables_values, "longest", OPTION_FLAG, longest,
		       .help = "show: add a position of each table with its longest win or loss"),
	{ 0 },
};

/* For commands that have --data for tables. */
enum qv_status cli_tables_folder(struct cli *c, char folder[FOLDER_PATH])
{
	return folder_find(c->args.data, "tables", folder, &c->error);
}

/*
 * Players find tables in the folder of --tables, or in the default one; without a home folder they
 * have none.
 */
struct qv_defaults cli_defaults(struct cli *c)
{
	const bool found = folder_find(c->args.tables, "tables", c->tables, NULL) == QV_OK;
	return (struct qv_defaults){ .size = sizeof(struct qv_defaults),
				     .seed = (uint64_t)c->args.seed,
				     .threads = (int)c->args.threads,
				     .hash_mb = (int)c->args.hash_mb,
				     .tables = found ? c->tables : NULL,
				     .prober = syzygy_prober() };
}

enum qv_status cli_open_syzygy(struct cli *c)
{
	const struct qv_prober *prober = syzygy_prober();
	if (!c->args.syzygy)
		return QV_OK;
	return prober ? prober->open(prober->ctx, c->args.syzygy, &c->error)
		      : qv_fail(&c->error, QV_UNSUPPORTED,
				"--syzygy: this build has no libfathom, which reads such tables");
}

/*
 * Prints a remark, or overwrites the line of progress: the space, and the level or pass that is
 * being computed.
 */
static void show_progress(void *ctx, const struct qv_tables_news *news)
{
	const struct cli *c = ctx;
	if (c->mute)
		return;
	if (news->note) {
		cli_clear_progress();
		fprintf(stderr, "quevedo: %s\n", news->note);
	} else if (cli_shows_progress()) {
		fprintf(stderr, "\r\033[K%s: %s %d, %3.0f %%", news->space,
			news->level < 0 ? "pass" : "level", news->level < 0 ? 0 : news->level,
			100 * news->part);
	}
}

/* What the verbs work on: the folder, limits and progress report, and the rules of GAME. */
struct run {
	char folder[FOLDER_PATH];
	struct qv_tables_job job; /* points to `folder` */
	struct qv_rules rules;	  /* unset without a game */
	struct ranks ranks;	  /* --mpi */
	struct qv_tables_ranks shared;
};

/*
 * Fills the run from the options, and finds the folder and the game. On failure nothing has to be
 * released.
 */
static enum qv_status open_run(struct cli *c, struct run *r)
{
	const struct tables_values *own = cli_own(c);
	r->job = (struct qv_tables_job){ .size = sizeof(struct qv_tables_job), .folder = r->folder,
					 .up_to = own->up_to,
					 .threads = (int)c->args.threads,
					 .counters = own->counters,
					 .checkpoint_ms = own->checkpoint_s * 1000,
					 .stop = cli_stop_flag(),
					 .progress = show_progress,
					 .ctx = c };
	const enum qv_status status = cli_tables_folder(c, r->folder);
	if (status != QV_OK || !c->args.words[2])
		return status;
	return qv_rules_parse(c->context, c->args.words[2], &r->rules, &c->error);
}

/* The same for verbs with --mpi: joins the other ranks, which must have the same plan. */
static enum qv_status open_ranks(struct cli *c, struct run *r)
{
	const struct tables_values *own = cli_own(c);
	char plan[256];
	*r = (struct run){ .folder = "" };
	/* Every rank joins before it looks at the folder, which may fail on one machine only. */
	enum qv_status status = own->mpi ? ranks_open(&r->ranks, &c->error) : QV_OK;
	c->mute |= r->ranks.rank > 0;
	if (status == QV_OK)
		status = open_run(c, r);
	if (status != QV_OK || !own->mpi)
		return status;
	snprintf(plan, sizeof plan, "quevedo " QV_VERSION " %.100s --up-to %.40s%s",
		 rules_text(&r->rules).text, own->up_to ? own->up_to : "all",
		 own->counters ? " --counters" : "");
	r->shared = ranks_tables(&r->ranks);
	r->job.ranks = &r->shared;
	return ranks_meet(&r->ranks, plan, &c->error);
}

/* Leaves the other ranks, which every rank must do, whatever failed. Returns the final status. */
static enum qv_status close_ranks(struct cli *c, struct run *r, enum qv_status status)
{
	/* After a signal mpirun soon stops reading, so print now. */
	if (status == QV_OK && r->ranks.open && !c->mute)
		status = cli_flush(c);
	/* The first rank prints the failures of the others, so they end with success. */
	const bool reported = r->ranks.open && c->mute;
	ranks_close(&r->ranks, status, &c->error);
	return reported ? QV_OK : status;
}

/* ---- one table, or all of a game ---- */

/* Writes the position of a table's longest win or loss; "": it has only draws. */
static enum qv_status find_longest(struct cli *c, const struct qv_rules *rules,
				   struct qv_tables *tables, int space, struct qv_text *out)
{
	void *state = qv_state_new(c->context, rules->game);
	if (!state)
		return qv_fail(&c->error, QV_NO_MEMORY, "tables: out of memory");
	const enum qv_status status = qv_tables_longest(tables, space, state, &c->error);
	if (status == QV_OK)
		rules->game->position_text(state, out);
	qv_state_free(c->context, rules->game, state);
	return status == QV_UNKNOWN ? QV_OK : status;
}

/* The tables of one game: lines in the output, or one JSON object in *object. */
static enum qv_status list_tables(struct cli *c, const struct qv_rules *rules, const char *folder,
				  json_t **object)
{
	struct qv_tables *tables;
	struct qv_table t = { .size = sizeof t };
	enum qv_status status = qv_tables_open(c->context, rules, folder, &tables, &c->error);
	if (status != QV_OK)
		return status;
	const bool longest = ((const struct tables_values *)cli_own(c))->longest;
	json_t *list = json_array();
	int made = 0, all = 0;
	for (; status == QV_OK && qv_tables_at(tables, all, &t); all++) {
		char position[QV_POSITION_TEXT] = "";
		made += t.there;
		if (t.there && longest)
			status = find_longest(c, rules, tables, all,
					      &(struct qv_text){ position, sizeof position, 0 });
		json_t *o =
			json_fields(json_object(), "space", json_text(t.space.name), "group",
				    json_integer(t.space.group), "numbers",
				    json_count(t.space.size), "there", json_boolean(t.there), NULL);
		if (t.there)
			o = json_fields(o, "wins", json_count(t.wins), "draws", json_count(t.draws),
					"losses", json_count(t.losses), "holes",
					json_count(t.holes), "longest",
					json_unless_negative(t.longest), "bytes",
					json_count(t.bytes), NULL);
		if (t.there && longest)
			o = json_field(o, "longest_position", json_unless_empty(position));
		list = json_item(list, o);
		/* Text is printed as it comes, JSON as one value at the end. */
		if (c->args.json)
			continue;
		if (!t.there) {
			string_addf(&c->out, "%s: %llu numbers, not made\n", t.space.name,
				    (unsigned long long)t.space.size);
			continue;
		}
		string_addf(&c->out, "%s: %llu won, %llu drawn, %llu lost, %llu holes",
			    t.space.name, (unsigned long long)t.wins, (unsigned long long)t.draws,
			    (unsigned long long)t.losses, (unsigned long long)t.holes);
		if (t.longest >= 0)
			string_addf(&c->out, ", longest %d", t.longest);
		string_addf(&c->out, ", %llu bytes\n", (unsigned long long)t.bytes);
		if (*position)
			string_addf(&c->out, "%s longest: %s\n", t.space.name, position);
	}
	qv_tables_close(tables);
	if (status != QV_OK) {
		json_decref(list);
		return status;
	}
	if (!c->args.json)
		string_addf(&c->out, "tables of %s: %d of %d\n", rules_text(rules).text, made, all);
	*object = json_fields(json_object(), "game", json_text(rules_text(rules).text), "tables",
			      list, NULL);
	return QV_OK;
}

/* Lists the tables of one game. */
static enum qv_status show_game(struct cli *c, const struct qv_rules *rules, const char *folder)
{
	json_t *object;
	const enum qv_status status = list_tables(c, rules, folder, &object);
	if (status == QV_OK && c->args.json)
		return cli_json(c, object);
	if (status == QV_OK)
		json_decref(object);
	return status;
}

/* ---- show ---- */

/* For qsort. */
static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether the list of show_all already has the game. */
static bool is_listed(const json_t *list, const char *game)
{
	size_t i;
	json_t *object;
	json_array_foreach(list, i,
			   object) if (strcmp(json_string_value(json_object_get(object, "game")),
					      game) == 0) return true;
	return false;
}

/* How many tables of the game are part of the program; *all: how many the game has. */
static int count_built_in(const struct cli *c, const struct qv_rules *rules, int *all)
{
	struct qv_tables *tables;
	struct qv_table t = { .size = sizeof t };
	int made = 0;
	*all = 0;
	if (qv_tables_open(c->context, rules, NULL, &tables, NULL) != QV_OK)
		return 0;
	for (; qv_tables_at(tables, *all, &t); ++*all)
		made += t.there;
	qv_tables_close(tables);
	return made;
}

/* Adds the games that only have built-in tables: a line each, in JSON all their tables. */
static json_t *add_built_in(struct cli *c, const char *folder, json_t *list)
{
	const struct qv_game *game;
	for (int i = 0; (game = qv_game_at(c->context, i)); i++) {
		struct qv_rules rules;
		json_t *object;
		int all;
		if (is_listed(list, game->name) ||
		    qv_rules_parse(c->context, game->name, &rules, NULL) != QV_OK)
			continue;
		const int made = count_built_in(c, &rules, &all);
		if (made && !c->args.json)
			string_addf(&c->out, "built-in tables of %s: %d of %d\n", game->name, made,
				    all);
		else if (made && list_tables(c, &rules, folder, &object) == QV_OK)
			list = json_item(list, object);
	}
	return list;
}

/*
 * Lists every game that the folder has tables of, then those with built-in tables. Other names in
 * the folder are skipped.
 */
static enum qv_status show_all(struct cli *c, const char *folder)
{
	char *names[MOST_GAMES];
	size_t count = 0;
	DIR *dir = opendir(folder);
	if (!dir && errno != ENOENT)
		return qv_fail(&c->error, QV_IO, "%.200s: %s", folder, strerror(errno));
	/* The order of a folder is arbitrary, so sort the names. */
	for (struct dirent *entry; dir && count < MOST_GAMES && (entry = readdir(dir));)
		if (entry->d_name[0] != '.' &&
		    (names[count] = mem_strdup(&mem_malloc, entry->d_name)))
			count++;
	if (dir)
		closedir(dir);
	qsort(names, count, sizeof *names, by_name);
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++) {
		/* Names that are no game are skipped, as are tables that cannot be read. */
		struct qv_rules rules;
		json_t *object;
		if (qv_rules_parse(c->context, names[i], &rules, NULL) == QV_OK &&
		    list_tables(c, &rules, folder, &object) == QV_OK)
			list = json_item(list, object);
		mem_strfree(&mem_malloc, names[i]);
	}
	if (!c->args.json && !json_array_size(list))
		string_addf(&c->out, "no tables in %s\n", folder);
	list = add_built_in(c, folder, list);
	if (c->args.json)
		return cli_json(c, list);
	json_decref(list);
	return QV_OK;
}

/* Looks up GAME and POS. */
static enum qv_status show_position(struct cli *c, const char *folder)
{
	struct position p;
	struct qv_tables *tables = NULL;
	struct qv_solution s = { .size = sizeof s };
	struct move_words words = { "" };
	enum qv_status status = position_open(c, c->args.words[2], c->args.words[3], &p);
	if (status != QV_OK)
		return status;
	status = qv_tables_open(c->context, &p.rules, folder, &tables, &c->error);
	if (status == QV_OK) {
		status = qv_tables_probe(tables, p.state, &s, &c->error);
		qv_tables_close(tables);
	}
	/* A finished game has a value but no move. */
	if (status == QV_OK && s.move != QV_NO_MOVE)
		words = move_words(p.rules.game, p.state, s.move);
	position_release(&p);
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return cli_json(
			c, json_field(solution_json(&s), "move", json_unless_empty(words.text)));
	if (*words.text)
		string_addf(&c->out, "move %s\n", words.text);
	solution_text(&c->out, &s);
	return QV_OK;
}

/* All tables of the folder, those of a game, or the value of a position. */
static enum qv_status run_show(struct cli *c)
{
	struct run r;
	const bool moves = c->args.moves || c->args.moves_from;
	const enum qv_status status = open_run(c, &r);
	if (status != QV_OK)
		return status;
	if (c->args.word_count == 2)
		return moves ? cli_refuse(c, "--moves: the game is missing")
			     : show_all(c, r.folder);
	if (c->args.word_count > 3 || moves)
		return ((const struct tables_values *)cli_own(c))->longest
			       ? cli_refuse(c, "--longest: leave out the position")
			       : show_position(c, r.folder);
	return show_game(c, &r.rules, r.folder);
}

/* ---- plan ---- */

/* 1536 as "1.5 KB". */
static void add_bytes(struct string *out, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	double amount = (double)bytes;
	int unit = 0;
	for (; amount >= 1024 && unit < 4; unit++)
		amount /= 1024;
	string_addf(out, unit ? "%.1f %s" : "%.0f %s", amount, units[unit]);
}

/* Prints a plan. With ranks, each needs that memory. */
static enum qv_status print_plan(struct cli *c, const struct run *r)
{
	struct qv_tables_estimate plan = { .size = sizeof plan };
	const enum qv_status status =
		qv_tables_plan(c->context, &r->rules, &r->job, &plan, &c->error);
	if (status != QV_OK)
		return status;
	if (c->args.json) {
		json_t *o = json_fields(
			json_object(), "game", json_text(rules_text(&r->rules).text), "spaces",
			json_integer(plan.spaces), "finished", json_integer(plan.finished),
			"numbers", json_count(plan.numbers), "positions",
			json_count((uint64_t)(plan.positions + 0.5)), "memory",
			json_count(plan.memory), "disk", json_count(plan.disk), "open_ended",
			json_boolean(plan.open_ended), NULL);
		if (r->job.ranks)
			o = json_field(o, "ranks", json_integer(r->job.ranks->count));
		return cli_json(c, c->args.no_times
					   ? o
					   : json_field(o, "seconds", json_seconds(plan.seconds)));
	}
	struct string *out = &c->out;
	string_addf(out, "spaces %d, of which %d are made\nnumbers %llu, positions about %.0f\n",
		    plan.spaces, plan.finished, (unsigned long long)plan.numbers, plan.positions);
	/* Sizes for people, in powers of 1024. */
	string_addf(out, "memory ");
	add_bytes(out, plan.memory);
	if (r->job.ranks)
		string_addf(out, " on each of %d ranks", r->job.ranks->count);
	string_addf(out, ", disk at most ");
	add_bytes(out, plan.disk);
	if (!c->args.no_times)
		string_addf(out,
			    plan.seconds < 100 ? "\ntime about %.2g s%s" : "\ntime about %.0f s%s",
			    plan.seconds,
			    plan.open_ended
				    ? " for each level of plies, since the game lists no parents"
				    : "");
	string_addf(out, "\n");
	return QV_OK;
}

/* Estimates what a build takes, without building anything. */
static enum qv_status run_plan(struct cli *c)
{
	struct run r;
	enum qv_status status = open_ranks(c, &r);
	if (status == QV_OK && !c->mute)
		status = print_plan(c, &r);
	return close_ranks(c, &r, status);
}

/* ---- build and check ---- */

/*
 * Builds the tables that are missing and lists all. A stopped build continues from its last
 * checkpoint.
 */
static enum qv_status run_build(struct cli *c)
{
	struct run r;
	enum qv_status status = open_ranks(c, &r);
	if (status == QV_OK) {
		status = qv_tables_build(c->context, &r.rules, &r.job, &c->error);
		if (!c->mute)
			cli_clear_progress();
	}
	if (status == QV_OK && !c->mute)
		status = show_game(c, &r.rules, r.folder);
	return close_ranks(c, &r, status);
}

/* The value of the start position; false: the tables do not contain it. */
static bool start_value(struct cli *c, const struct qv_rules *rules, const char *folder,
			struct qv_solution *out)
{
	struct qv_tables *tables;
	void *state = qv_state_new(c->context, rules->game);
	bool known = false;
	out->size = sizeof *out;
	if (state && qv_tables_open(c->context, rules, folder, &tables, NULL) == QV_OK) {
		rules->game->start(rules->options, state);
		known = qv_tables_probe(tables, state, out, NULL) == QV_OK;
		qv_tables_close(tables);
	}
	qv_state_free(c->context, rules->game, state);
	return known;
}

/*
 * Verifies every entry of the tables that were built, and says how many they are of how many. The
 * value of the start position is added if the tables reach it.
 */
static enum qv_status run_check(struct cli *c)
{
	struct run r;
	struct qv_tables_report report = { .size = sizeof report };
	struct qv_solution start;
	enum qv_status status = open_run(c, &r);
	if (status != QV_OK)
		return status;
	status = qv_tables_check(c->context, &r.rules, &r.job, &report, &c->error);
	cli_clear_progress();
	if (status == QV_BAD_INPUT) { /* a damaged table is a finding, not an error */
		report.wrong = 1;
		snprintf(report.first_wrong, sizeof report.first_wrong, "%.150s", c->error.text);
	} else if (status != QV_OK) {
		return status;
	}
	/* A wrong entry is the answer "no"; then the value of the start is not worth printing. */
	c->answer_is_no = report.wrong;
	const bool known = !report.wrong && start_value(c, &r.rules, r.folder, &start);
	const bool partial = report.checked < report.spaces;
	if (c->args.json) {
		json_t *o = json_fields(json_object(), "game", json_text(rules_text(&r.rules).text),
					"entries", json_count(report.entries), "wrong",
					json_count(report.wrong), "first_wrong",
					json_text(report.wrong ? report.first_wrong : NULL),
					"start", known ? solution_json(&start) : json_null(), NULL);
		return cli_json(c,
				partial ? json_fields(o, "checked", json_integer(report.checked),
						      "spaces", json_integer(report.spaces), NULL)
					: o);
	}
	if (report.wrong)
		string_addf(&c->out, "first wrong: %s\n", report.first_wrong);
	if (known) {
		string_addf(&c->out, "start: ");
		solution_text(&c->out, &start);
	}
	if (partial)
		string_addf(&c->out, "checked tables of %s: %d of %d\n", rules_text(&r.rules).text,
			    report.checked, report.spaces);
	string_addf(&c->out, "entries %llu, wrong %llu\n", (unsigned long long)report.entries,
		    (unsigned long long)report.wrong);
	return QV_OK;
}

/* ---- the command ---- */

static const struct verb verbs[] = {
	{ "plan",
	  run_plan,
	  1,
	  1,
	  { tables_data_option, up_to_option, counters_option, mpi_option } },
	{ "build",
	  run_build,
	  1,
	  1,
	  { tables_data_option, up_to_option, counters_option, checkpoint_option, mpi_option } },
	{ "check", run_check, 1, 1, { tables_data_option, up_to_option } },
	{ "show", run_show, 0, 2, { tables_data_option, moves_options, longest_option } },
	{ 0 },
};

/* Only show works without a game. */
static enum qv_status run(struct cli *c)
{
	return cli_run_verb(c, verbs, "the game is missing");
}

const struct command command_tables = {
	.name = "tables",
	.run = run,
	.least = 1,
	.most = 3,
	.usage = "tables plan|build|check|show [GAME] [POS]",
	.help = "make and look up tables of solved positions",
	.more = "plan GAME estimates memory, disk and time. build GAME makes the tables; a later run "
		"continues where one was stopped. check GAME verifies every entry. show lists all "
		"tables, show GAME those of a game, show GAME POS looks up a position. See "
		"docs/tables.md.\n"
		"Exit status 1: an entry is wrong, or Ctrl-C stopped it before the end.\n",
	.options = OPTION_GROUPS(moves_options, tables_data_option, up_to_option, counters_option,
				 checkpoint_option, mpi_option, longest_option, common_options),
};
