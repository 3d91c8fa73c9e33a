/*
 * tables.c - the command tables: plan, build, check and show tables of solved positions.
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "cli/cli.h"

enum { MOST_GAMES = 1024 };

const struct option tables_data_option[] = {
	SHARED_OPTION("data", OPTION_POINTER, data, .value = "DIR",
		      .help = "folder of the tables (default $XDG_DATA_HOME/quevedo/tables or "
			      "~/.local/share/quevedo/tables)"),
	{ 0 },
};

struct tables_values {
	const char *up_to;
	bool counters;
	int64_t checkpoint_s;
};

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

static const char *const value_names[] = {
	[QV_VALUE_UNKNOWN] = "unknown",
	[QV_VALUE_LOSS] = "loss",
	[QV_VALUE_DRAW] = "draw",
	[QV_VALUE_WIN] = "win",
};

enum qv_status cli_tables_folder(struct cli *c, char folder[FOLDER_PATH])
{
	return folder_find(c->args.data, "tables", folder, &c->error);
}

struct qv_defaults cli_defaults(struct cli *c)
{
	const bool found = folder_find(c->args.tables, "tables", c->tables, NULL) == QV_OK;
	return (struct qv_defaults){ .seed = (uint64_t)c->args.seed,
				     .threads = (int)c->args.threads,
				     .hash_mb = (int)c->args.hash_mb,
				     .tables = found ? c->tables : NULL };
}

/* ---- one table, or all of a game ---- */

struct rules_text {
	char text[QV_POSITION_TEXT];
};

static struct rules_text rules_text(const struct qv_rules *rules)
{
	struct rules_text name = { "" };
	struct qv_text out = { name.text, sizeof name.text, 0 };
	qv_rules_text(rules, &out);
	return name;
}

static json_t *json_count(json_t *o, const char *key, uint64_t count)
{
	return json_field(o, key, json_integer((json_int_t)count));
}

static json_t *table_json(const struct qv_table *t)
{
	json_t *o = json_field(json_object(), "space", json_text(t->space.name));
	o = json_field(o, "group", json_integer(t->space.group));
	o = json_count(o, "numbers", t->space.size);
	o = json_field(o, "there", json_boolean(t->there));
	if (!t->there)
		return o;
	o = json_count(o, "wins", t->wins);
	o = json_count(o, "draws", t->draws);
	o = json_count(o, "losses", t->losses);
	o = json_count(o, "holes", t->holes);
	o = json_field(o, "longest", t->longest < 0 ? json_null() : json_integer(t->longest));
	return json_count(o, "bytes", t->bytes);
}

static void table_line(struct string *out, const struct qv_table *t)
{
	string_addf(out, "%s: ", t->space.name);
	if (!t->there) {
		string_addf(out, "%llu numbers, not made\n", (unsigned long long)t->space.size);
		return;
	}
	string_addf(out, "%llu won, %llu drawn, %llu lost, %llu holes", (unsigned long long)t->wins,
		    (unsigned long long)t->draws, (unsigned long long)t->losses,
		    (unsigned long long)t->holes);
	if (t->longest >= 0)
		string_addf(out, ", longest %d", t->longest);
	string_addf(out, ", %llu bytes\n", (unsigned long long)t->bytes);
}

/* The tables of one game: lines, or one JSON object. */
static enum qv_status list_tables(struct cli *c, const struct qv_rules *rules, const char *folder,
				  json_t **object)
{
	struct qv_tables *tables;
	struct qv_table t;
	enum qv_status status = qv_tables_open(c->context, rules, folder, &tables, &c->error);
	if (status != QV_OK)
		return status;
	json_t *list = json_array();
	int made = 0, all = 0;
	for (; qv_tables_at(tables, all, &t); all++) {
		made += t.there;
		if (c->args.json)
			list = json_item(list, table_json(&t));
		else
			table_line(&c->out, &t);
	}
	qv_tables_close(tables);
	if (!c->args.json)
		string_addf(&c->out, "tables of %s: %d of %d\n", rules_text(rules).text, made, all);
	*object = json_field(json_field(json_object(), "game", json_text(rules_text(rules).text)),
			     "tables", list);
	return QV_OK;
}

static enum qv_status show_game(struct cli *c, const struct qv_rules *rules, const char *folder)
{
	json_t *object;
	enum qv_status status = list_tables(c, rules, folder, &object);
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return cli_json(c, object);
	json_decref(object);
	return QV_OK;
}

/* ---- show ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted; a folder that is not there has none. */
static enum qv_status list_folder(struct cli *c, const char *folder, char **names, int *count)
{
	DIR *dir = opendir(folder);
	*count = 0;
	if (!dir && errno != ENOENT)
		return qv_fail(&c->error, QV_IO, "%.200s: %s", folder, strerror(errno));
	for (struct dirent *entry; dir && *count < MOST_GAMES && (entry = readdir(dir));)
		if (entry->d_name[0] != '.' &&
		    (names[*count] = mem_strdup(&mem_malloc, entry->d_name)))
			++*count;
	if (dir)
		closedir(dir);
	qsort(names, (size_t)*count, sizeof *names, by_name);
	return QV_OK;
}

/* Every game that the folder has tables of; what is no game is passed over. */
static enum qv_status show_all(struct cli *c, const char *folder)
{
	char *names[MOST_GAMES];
	int count;
	enum qv_status status = list_folder(c, folder, names, &count);
	if (status != QV_OK)
		return status;
	json_t *list = json_array();
	for (int i = 0; i < count; i++) {
		struct qv_rules rules;
		json_t *object;
		if (qv_rules_parse(c->context, names[i], &rules, NULL) == QV_OK &&
		    list_tables(c, &rules, folder, &object) == QV_OK)
			list = json_item(list, object);
		mem_strfree(&mem_malloc, names[i]);
	}
	if (c->args.json)
		return cli_json(c, list);
	if (!json_array_size(list))
		string_addf(&c->out, "no tables in %s\n", folder);
	json_decref(list);
	return QV_OK;
}

static json_t *value_json(json_t *o, const struct qv_solution *s)
{
	o = json_field(o, "value", json_text(value_names[s->value]));
	return json_field(o, "in", s->in < 0 ? json_null() : json_integer(s->in));
}

static void value_words(struct string *out, const struct qv_solution *s)
{
	string_addf(out, "value %s", value_names[s->value]);
	if (s->in >= 0)
		string_addf(out, " in %d", s->in);
	string_addf(out, "\n");
}

static enum qv_status show_value(struct cli *c, const struct position *p, const char *folder)
{
	struct qv_tables *tables;
	struct qv_solution s;
	enum qv_status status =
		qv_tables_open(c->context, &p->rules, folder, &tables, &c->error);
	if (status != QV_OK)
		return status;
	status = qv_tables_probe(tables, p->state, &s, &c->error);
	qv_tables_close(tables);
	if (status != QV_OK)
		return status;
	const bool move = s.move != QV_NO_MOVE;
	const struct move_words words =
		move ? move_words(p->rules.game, p->state, s.move) : (struct move_words){ "" };
	if (c->args.json)
		return cli_json(c, json_field(value_json(json_object(), &s), "move",
					      move ? json_text(words.text) : json_null()));
	if (move)
		string_addf(&c->out, "move %s\n", words.text);
	value_words(&c->out, &s);
	return QV_OK;
}

static enum qv_status show_position(struct cli *c, const char *folder)
{
	struct position p;
	enum qv_status status = position_open(c, c->args.words[2], c->args.words[3], &p);
	if (status != QV_OK)
		return status;
	status = show_value(c, &p, folder);
	position_release(&p);
	return status;
}

static enum qv_status cmd_tables_show(struct cli *c, struct qv_tables_job *job)
{
	struct qv_rules rules;
	const bool moves = c->args.moves || c->args.moves_from;
	if (c->args.word_count == 2 && !moves)
		return show_all(c, job->folder);
	if (c->args.word_count == 2)
		return qv_fail(&c->error, QV_BAD_INPUT, "--moves: the game is missing");
	if (c->args.word_count > 3 || moves)
		return show_position(c, job->folder);
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	return status == QV_OK ? show_game(c, &rules, job->folder) : status;
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

static enum qv_status plan_json(struct cli *c, const struct qv_rules *rules,
				const struct qv_tables_plan *plan)
{
	json_t *o = json_field(json_object(), "game", json_text(rules_text(rules).text));
	o = json_field(o, "spaces", json_integer(plan->spaces));
	o = json_field(o, "finished", json_integer(plan->finished));
	o = json_count(o, "numbers", plan->numbers);
	o = json_count(o, "positions", (uint64_t)(plan->positions + 0.5));
	o = json_count(o, "memory", plan->memory);
	o = json_count(o, "disk", plan->disk);
	o = json_field(o, "open_ended", json_boolean(plan->open_ended));
	if (!c->args.no_times)
		o = json_field(o, "seconds", json_seconds(plan->seconds));
	return cli_json(c, o);
}

static enum qv_status cmd_tables_plan(struct cli *c, struct qv_tables_job *job)
{
	struct qv_rules rules;
	struct qv_tables_plan plan;
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	if (status == QV_OK)
		status = qv_tables_plan(c->context, &rules, job, &plan, &c->error);
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return plan_json(c, &rules, &plan);
	struct string *out = &c->out;
	string_addf(out, "spaces %d, of which %d are made\n", plan.spaces, plan.finished);
	string_addf(out, "numbers %llu, positions about %.0f\n", (unsigned long long)plan.numbers,
		    plan.positions);
	string_addf(out, "memory ");
	add_bytes(out, plan.memory);
	string_addf(out, ", disk at most ");
	add_bytes(out, plan.disk);
	if (!c->args.no_times)
		string_addf(out, "\ntime about %.2g s%s", plan.seconds,
			    plan.open_ended ? " for each level of plies, since the game lists no parents" :
					      "");
	string_addf(out, "\n");
	return QV_OK;
}

/* ---- build and check ---- */

static void show_progress(void *ctx, const struct qv_tables_news *news)
{
	(void)ctx;
	fprintf(stderr, "\r\033[K%s: %s %d, %3.0f %%", news->space,
		news->level < 0 ? "pass" : "level", news->level < 0 ? 0 : news->level,
		100 * news->part);
}

static void end_progress(const struct qv_tables_job *job)
{
	if (job->progress)
		fprintf(stderr, "\r\033[K");
}

static enum qv_status cmd_tables_build(struct cli *c, struct qv_tables_job *job)
{
	struct qv_rules rules;
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	if (status != QV_OK)
		return status;
	status = qv_tables_build(c->context, &rules, job, &c->error);
	end_progress(job);
	return status == QV_OK ? show_game(c, &rules, job->folder) : status;
}

/* The value of the start position; false: the tables do not reach so far. */
static bool start_value(struct cli *c, const struct qv_rules *rules, const char *folder,
			struct qv_solution *out)
{
	struct qv_tables *tables;
	void *state = qv_state_new(c->context, rules->game);
	bool known = false;
	if (state && qv_tables_open(c->context, rules, folder, &tables, NULL) == QV_OK) {
		rules->game->start(rules->options, state);
		known = qv_tables_probe(tables, state, out, NULL) == QV_OK;
		qv_tables_close(tables);
	}
	qv_state_free(c->context, rules->game, state);
	return known;
}

static enum qv_status check_json(struct cli *c, const struct qv_rules *rules,
				 const struct qv_tables_report *report,
				 const struct qv_solution *start)
{
	json_t *o = json_field(json_object(), "game", json_text(rules_text(rules).text));
	o = json_count(o, "entries", report->entries);
	o = json_count(o, "wrong", report->wrong);
	o = json_field(o, "first_wrong",
		       report->wrong ? json_text(report->first_wrong) : json_null());
	o = json_field(o, "start", start ? value_json(json_object(), start) : json_null());
	return cli_json(c, o);
}

static enum qv_status cmd_tables_check(struct cli *c, struct qv_tables_job *job)
{
	struct qv_rules rules;
	struct qv_tables_report report = { 0 };
	struct qv_solution start;
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	if (status != QV_OK)
		return status;
	status = qv_tables_check(c->context, &rules, job, &report, &c->error);
	end_progress(job);
	if (status == QV_BAD_INPUT) { /* a damaged table is what a check looks for */
		report.wrong = 1;
		snprintf(report.first_wrong, sizeof report.first_wrong, "%.150s", c->error.text);
	} else if (status != QV_OK) {
		return status;
	}
	c->answer_is_no = report.wrong;
	const bool known = !report.wrong && start_value(c, &rules, job->folder, &start);
	if (c->args.json)
		return check_json(c, &rules, &report, known ? &start : NULL);
	if (report.wrong)
		string_addf(&c->out, "first wrong: %s\n", report.first_wrong);
	if (known) {
		string_addf(&c->out, "start: ");
		value_words(&c->out, &start);
	}
	string_addf(&c->out, "entries %llu, wrong %llu\n", (unsigned long long)report.entries,
		    (unsigned long long)report.wrong);
	return QV_OK;
}

/* ---- the command ---- */

/* tables VERB ...: as a command, with the options that are its own. */
static const struct {
	const char *name;
	enum qv_status (*run)(struct cli *c, struct qv_tables_job *job);
	int least, most; /* arguments after its name */
	const struct option *options[5];
} verbs[] = {
	{ "plan", cmd_tables_plan, 1, 1, { tables_data_option, up_to_option, counters_option } },
	{ "build",
	  cmd_tables_build,
	  1,
	  1,
	  { tables_data_option, up_to_option, counters_option, checkpoint_option } },
	{ "check", cmd_tables_check, 1, 1, { tables_data_option, up_to_option } },
	{ "show", cmd_tables_show, 0, 2, { tables_data_option, moves_options } },
};

static enum qv_status run_verb(struct cli *c, size_t verb)
{
	const struct tables_values *own = cli_own(c);
	char folder[FOLDER_PATH], name[32];
	const int words = c->args.word_count - 2;
	snprintf(name, sizeof name, "tables %s", verbs[verb].name);
	enum qv_status status = arguments_allow(&c->args, verbs[verb].options, name, &c->error);
	if (status == QV_OK && (words < verbs[verb].least || words > verbs[verb].most))
		status = qv_fail(&c->error, QV_BAD_INPUT, "%s: %s", name,
				 words ? "too many arguments" : "the game is missing");
	if (status == QV_OK)
		status = cli_tables_folder(c, folder);
	if (status != QV_OK)
		return status;
	struct qv_tables_job job = { .folder = folder,
				     .up_to = own->up_to,
				     .threads = (int)c->args.threads,
				     .counters = own->counters,
				     .checkpoint_ms = own->checkpoint_s * 1000,
				     .stop = cli_stop_flag(),
				     .progress = cli_shows_progress() ? show_progress : NULL };
	return verbs[verb].run(c, &job);
}

static enum qv_status run(struct cli *c)
{
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		if (strcmp(c->args.words[1], verbs[i].name) == 0)
			return run_verb(c, i);
	return qv_fail(&c->error, QV_BAD_INPUT, "tables %.60s: expected plan, build, check or show",
		       cli_word(c->args.words[1]));
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
				 checkpoint_option, common_options),
};
