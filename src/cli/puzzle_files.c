/*
 * puzzle_files.c - puzzle make and puzzle check.
 * SPDX-License-Identifier: MIT
 */
#include "base/clock.h"
#include "cli/puzzle.h"

/* ---- make ---- */

static void show_progress(void *ctx, int found, int64_t games)
{
	(void)ctx;
	fprintf(stderr, "\rpuzzle make: %d puzzles from %lld games\033[K", found, (long long)games);
}

/* The command that makes the same file. */
static void describe(const struct cli *c, const struct puzzle_list *list,
		     const struct puzzle_report *r, char *out, size_t size)
{
	const struct puzzle_values *own = cli_own(c);
	snprintf(out, size, "%d from %lld games: quevedo puzzle make %.300s --count %lld --seed %lld",
		 list->count, (long long)r->games, rules_text(&list->rules).text,
		 (long long)own->count, (long long)c->args.seed);
}

/* Prints how many there are, and why not more. */
static enum qv_status report_made(struct cli *c, const struct puzzle_list *list,
				  const struct puzzle_report *r)
{
	static const char *const reasons[] = { [PUZZLE_ENOUGH] = "enough",
					       [PUZZLE_TIME] = "time",
					       [PUZZLE_EXHAUSTED] = "exhausted" };
	static const char *const sentences[] = {
		[PUZZLE_ENOUGH] = "",
		[PUZZLE_TIME] = "; the time was up",
		[PUZZLE_EXHAUSTED] = "; thousands of games gave no other position"
	};
	const struct puzzle_values *own = cli_own(c);
	c->answer_is_no = list->count < own->count || r->disagreements;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "game",
					       json_text(rules_text(&list->rules).text), "puzzles",
					       json_integer(list->count), "found",
					       json_integer(r->found), "games",
					       json_integer(r->games), "end",
					       json_text(reasons[r->end]), "disagreements",
					       json_integer(r->disagreements), NULL));
	string_addf(&c->out, "puzzles %d of %d found in %lld games%s\n", list->count, r->found,
		    (long long)r->games, sentences[r->end]);
	if (r->disagreements)
		string_addf(&c->out, "disagreements %d\n", r->disagreements);
	return QV_OK;
}

enum qv_status puzzle_make_file(struct cli *c)
{
	const struct puzzle_values *own = cli_own(c);
	struct qv_rules rules;
	struct puzzle_list list;
	struct puzzle_report report;
	char remark[512];
	if (c->args.json && !c->args.out)
		return cli_refuse(c, "--json: needs --out");
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	if (status != QV_OK)
		return status;
	const struct puzzle_plan plan = {
		.count = (int)own->count,
		.seed = (uint64_t)c->args.seed,
		.threads = (int)c->args.threads,
		.until_us = own->seconds ? clock_us() + own->seconds * 1000000 : 0,
		.stop = cli_stop_flag(),
		.progress = cli_shows_progress() && !c->args.json ? show_progress : NULL,
	};
	status = puzzles_make(c->context, &rules, &plan, &list, &report, &c->error);
	cli_clear_progress();
	if (status != QV_OK)
		return status;
	struct string text = { .allocator = &mem_malloc };
	describe(c, &list, &report, remark, sizeof remark);
	puzzles_write(&list, remark, c->args.out ? &text : &c->out);
	if (c->args.out)
		status = text.failed ? cli_no_memory(c, "puzzle make")
				     : cli_write_file(c, c->args.out, &text);
	if (status == QV_OK && c->args.out)
		status = report_made(c, &list, &report);
	else if (status == QV_OK)
		c->answer_is_no = list.count < own->count;
	string_release(&text);
	puzzles_release(&list);
	return status;
}

/* ---- check ---- */

/* What is checked, and what came of it. */
struct checking {
	struct cli *c;
	const struct puzzle_list *list;
	struct puzzle_checker *checker;
	json_t *wrong;
	int done, wrong_count;
	uint64_t nodes;
};

/* Checks one puzzle; number is from 1. */
static enum qv_status check_one(struct checking *k, int number)
{
	struct cli *c = k->c;
	struct qv_error why = { "" };
	uint64_t used = 0;
	const enum qv_status status = puzzle_check(k->checker, &k->list->puzzles[number - 1], 0,
						   cli_stop_flag(), &used, &why);
	k->nodes += used;
	k->done++;
	if (status == QV_OK)
		return QV_OK;
	if (status != QV_ILLEGAL)
		return qv_fail(&c->error, status, "puzzle %d: %.200s", number, why.text);
	k->wrong_count++;
	if (c->args.json)
		k->wrong = json_item(k->wrong, json_fields(json_object(), "puzzle",
							   json_integer(number), "why",
							   json_text(why.text), NULL));
	else
		string_addf(&c->out, "puzzle %d: %s\n", number, why.text);
	return QV_OK;
}

/* Checks all, or a sample without repetition: each of the rest is as likely as the others. */
static enum qv_status check_list(struct checking *k)
{
	const struct puzzle_values *own = cli_own(k->c);
	struct qv_random random = { (uint64_t)k->c->args.seed, 0 };
	int64_t left = k->list->count;
	int64_t wanted = own->sample && own->sample < left ? own->sample : left;
	enum qv_status status = QV_OK;
	for (int i = 1; i <= k->list->count && wanted && status == QV_OK; i++, left--)
		if (qv_random_below(&random, (uint64_t)left) < (uint64_t)wanted) {
			wanted--;
			status = check_one(k, i);
		}
	return status;
}

static enum qv_status report_checked(struct checking *k)
{
	struct cli *c = k->c;
	c->answer_is_no = k->wrong_count;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "game",
					       json_text(rules_text(&k->list->rules).text),
					       "puzzles", json_integer(k->list->count), "checked",
					       json_integer(k->done), "wrong",
					       json_incref(k->wrong), "nodes",
					       json_count(k->nodes), NULL));
	string_addf(&c->out, "checked %d of %d, wrong %d\n", k->done, k->list->count,
		    k->wrong_count);
	return QV_OK;
}

enum qv_status puzzle_check_file(struct cli *c)
{
	const struct puzzle_values *own = cli_own(c);
	struct checking k = { .c = c };
	struct file_bytes file;
	struct puzzle_list list;
	struct qv_error why = { "" };
	const char *path = c->args.words[2];
	enum qv_status status = cli_read_text(c, path, PUZZLE_MOST_BYTES, &file);
	if (status != QV_OK)
		return status;
	status = puzzles_read(c->context, file.data, file.size, &list, &why);
	file_release(&mem_malloc, &file);
	if (status != QV_OK)
		return qv_fail(&c->error, status, "%.60s: %.180s", cli_word(path), why.text);
	k.list = &list;
	k.wrong = json_array();
	status = puzzle_checker_new(c->context, &list.rules, (uint64_t)c->args.seed,
				    (int)own->trials, &k.checker, &c->error);
	if (status == QV_OK)
		status = check_list(&k);
	if (status == QV_OK)
		status = report_checked(&k);
	puzzle_checker_free(k.checker);
	json_decref(k.wrong);
	puzzles_release(&list);
	return status;
}
