/*
 * rollout.c - the command rollout: plays a backgammon position to the end many times.
 * SPDX-License-Identifier: MIT
 *
 * Before a roll, the position itself is rolled out; after one, the best moves by the static
 * evaluation, all with the same dice. With --cubeful, before a decision about the cube, it is rolled
 * out without a double and after a take. Blocks of games are shared among threads. With --journal the
 * sums of all finished blocks are kept in a file, which --resume continues.
 */
#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/threads.h"
#include "cli/cli.h"
#include "core/context.h"
#include "games/backgammon/net.h"
#include "games/backgammon/rollout.h"

enum {
	MOST_CANDIDATES = 32,
	SAVE_EVERY_US = 5000000,
	MOST_JOURNAL = 1 << 28,
	JOURNAL_DEPTH = 4,
	CACHE_MEGABYTES = 4, /* of each thread */
};

/* The options of rollout. */
struct rollout_values {
	int64_t games, plies, truncate, lines;
	const char *journal;
	bool resume, plain, cubeful;
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct rollout_values, "games", OPTION_INT, games, .min = 1,
		       .max = (int64_t)ROLLOUT_MAX_BLOCKS * ROLLOUT_BLOCK, .def = 1296,
		       .value = "N", .help = "games for each move, rounded up to a multiple of 36"),
	COMMAND_OPTION(struct rollout_values, "plies", OPTION_INT, plies, .max = 1, .value = "N",
		       .help = "plies by which moves are chosen, 0 or 1"),
	COMMAND_OPTION(struct rollout_values, "truncate", OPTION_INT, truncate,
		       .max = ROLLOUT_MAX_TURNS, .value = "N",
		       .help = "stop each game after N turns and evaluate; 0: never"),
	COMMAND_OPTION(struct rollout_values, "lines", OPTION_INT, lines, .min = 1,
		       .max = MOST_CANDIDATES, .def = 3, .value = "N",
		       .help = "roll out the N best moves, if a move is due"),
	COMMAND_OPTION(struct rollout_values, "cubeful", OPTION_FLAG, cubeful,
		       .help = "with the doubling cube, for money or in a match"),
	COMMAND_OPTION(struct rollout_values, "plain", OPTION_FLAG, plain,
		       .help = "without variance reduction"),
	COMMAND_OPTION(struct rollout_values, "journal", OPTION_POINTER, journal, .value = "FILE",
		       .help = "keep the finished games in a file"),
	COMMAND_OPTION(struct rollout_values, "resume", OPTION_FLAG, resume,
		       .help = "continue the journal"),
	{ 0 },
};

/* A move to roll out, a line of a decision about the cube, or the position itself. */
struct candidate {
	char text[QV_MOVE_TEXT]; /* "": the position itself */
	struct rollout rollout;
	bool flip; /* the seat that asks is not the one to roll */
	float estimate;
	struct rollout_block *blocks; /* NULL: the result is known */
	struct rollout_result result;
};

/* Lines of a decision about the cube. */
enum { NO_DOUBLE, TAKE, PASS, CUBE_LINES };

struct rolling {
	struct cli *c;
	struct position position;
	struct candidate candidates[MOST_CANDIDATES];
	int count;
	struct match_equity match;
	struct cube_view view; /* of the seat to roll, before a double */
	bool decides;	       /* about the cube */
	int line[CUBE_LINES];  /* the numbers of these lines, if it decides */
	struct candidate pass; /* follows the candidates, if it decides */
	const char *decision;
	int64_t blocks, done; /* of each candidate */
	int workers;
	struct equity evaluators[THREADS_MOST];
	atomic_bool failed;
	json_t *header;
	int64_t saved_us;
};

/* ---- Candidates ---- */

/* The candidates so far are sorted; keeps the best `most`. */
static void add_candidate(struct rolling *r, const struct candidate *new, int most)
{
	int place = r->count;
	while (place && r->candidates[place - 1].estimate < new->estimate)
		place--;
	if (place == most)
		return;
	const int moved = (r->count < most ? r->count : most - 1) - place;
	memmove(&r->candidates[place + 1], &r->candidates[place],
		(size_t)moved * sizeof *r->candidates);
	r->candidates[place] = *new;
	r->count += r->count < most;
}

/* The decision about the cube: each line is rolled out, except a drop. */
static void add_cube_lines(struct rolling *r, const struct backgammon *s, struct candidate *new)
{
	const bool beavered = s->flags & BACKGAMMON_BEAVERED;
	const char *const first = beavered ? "beaver" : "double";
	r->decides = true;
	if (s->phase == BACKGAMMON_CUBE) {
		snprintf(new->text, sizeof new->text, "no double");
		r->line[NO_DOUBLE] = r->count;
		r->candidates[r->count++] = *new;
	}
	snprintf(new->text, sizeof new->text, "%s, take", first);
	new->rollout.cube = cube_doubled(&r->view);
	r->line[TAKE] = r->count;
	r->candidates[r->count++] = *new;
	snprintf(r->pass.text, sizeof r->pass.text, "%s, pass", first);
	r->line[PASS] = r->count;
	r->pass.result.mean[ROLLOUT_EQUITY] = beavered ? -1 : 1;
}

static enum qv_status find_candidates(struct rolling *r)
{
	const struct rollout_values *own = cli_own(r->c);
	const struct backgammon *s = r->position.state;
	struct candidate new = { .rollout = { .seed = (uint64_t)r->c->args.seed,
					      .plies = (int)own->plies,
					      .truncate = (int)own->truncate,
					      .plain = own->plain,
					      .cubeful = own->cubeful,
					      .rolls_first = true } };
	int32_t points[QV_MAX_SEATS];
	if (qv_record_result(r->position.record, points) != QV_GOING)
		return qv_fail(&r->c->error, QV_ILLEGAL, "position: the game has ended");
	if (s->phase == BACKGAMMON_OPENING)
		return qv_fail(&r->c->error, QV_ILLEGAL,
			       "position: before the opening roll nobody is to roll");
	if (own->cubeful && !(s->flags & BACKGAMMON_HAS_CUBE))
		return cli_refuse(r->c, "--cubeful: needs a game with the cube, as %s:cube=1",
				  r->position.rules.game->name);
	if (s->match)
		match_equity_compute(&r->match, s->match);
	r->view = cube_view_of(s, s->turn, &r->match);
	new.rollout.start = equity_plain(s);
	new.rollout.cube = new.rollout.unit = r->view;
	if (own->cubeful && s->phase > BACKGAMMON_MOVE) {
		add_cube_lines(r, s, &new);
		return QV_OK;
	}
	if (s->phase != BACKGAMMON_MOVE) {
		add_candidate(r, &new, 1);
		return QV_OK;
	}
	qv_move list[BACKGAMMON_MAX_MOVES];
	const struct backgammon before = new.rollout.start;
	const double life = cube_life(s);
	new.flip = true;
	new.rollout.rolls_first = false;
	new.rollout.cube = new.rollout.unit = cube_turned(&r->view);
	for (int i = 0, n = backgammon_moves(&before, list); i < n; i++) {
		struct backgammon_chances chances;
		new.rollout.start = before;
		backgammon_play(&new.rollout.start, list[i]);
		snprintf(new.text, sizeof new.text, "%s",
			 position_words(&r->position, s, list[i]).text);
		equity_static(&r->evaluators[0], &new.rollout.start, &chances);
		new.estimate = own->cubeful ? -(float)cube_worth(&new.rollout.cube, &chances, life)
					    : -backgammon_equity(&chances);
		add_candidate(r, &new, (int)own->lines);
	}
	return QV_OK;
}

/* ---- The journal ---- */

static json_t *header_of(const struct rolling *r)
{
	const struct rollout *first = &r->candidates[0].rollout;
	char position[QV_POSITION_TEXT] = "";
	struct qv_text text = { position, sizeof position, 0 };
	json_t *moves = json_array();
	r->position.rules.game->position_text(r->position.state, &text);
	for (int i = 0; i < r->count; i++)
		moves = json_item(moves, json_text(r->candidates[i].text));
	json_t *header = json_fields(
		json_object(), "game", json_text(rules_text(&r->position.rules).text), "position",
		json_text(position), "moves", moves, "seed", json_integer((json_int_t)first->seed),
		"plies", json_integer(first->plies), "truncate", json_integer(first->truncate),
		"plain", json_boolean(first->plain), "nets",
		json_integer((json_int_t)(qv_hash_bytes(r->evaluators[0].nets,
							sizeof(struct backgammon_nets)) >>
					  1)),
		NULL);
	return first->cubeful ? json_field(header, "cubeful", json_true()) : header;
}

/* The sums of a block as one list of numbers. */
static json_t *block_json(const struct rollout_block *b)
{
	json_t *list = json_array();
	for (int k = 0; k < ROLLOUT_VALUES; k++)
		list = json_item(list, json_real(b->sum[k]));
	for (int k = 0; k < ROLLOUT_VALUES; k++)
		list = json_item(list, json_real(b->square[k]));
	return list;
}

static bool block_read(const json_t *list, struct rollout_block *b)
{
	if (!json_is_array(list) || json_array_size(list) != 2 * ROLLOUT_VALUES)
		return false;
	for (size_t k = 0; k < 2 * ROLLOUT_VALUES; k++) {
		const json_t *value = json_array_get(list, k);
		const double x = json_number_value(value);
		if (!json_is_number(value) || !isfinite(x))
			return false;
		(k < ROLLOUT_VALUES ? b->sum : b->square)[k % ROLLOUT_VALUES] = x;
	}
	return true;
}

/* Replaces the journal by one with all finished blocks. */
static enum qv_status save(struct rolling *r)
{
	const struct rollout_values *own = cli_own(r->c);
	json_t *blocks = json_array();
	if (!own->journal)
		return QV_OK;
	for (int64_t block = 0; block < r->done; block++)
		for (int i = 0; i < r->count; i++)
			blocks = json_item(blocks, block_json(&r->candidates[i].blocks[block]));
	json_t *whole = json_fields(json_object(), "rollout", json_incref(r->header), "blocks",
				    blocks, NULL);
	char *text = json_to_text(whole, JSON_COMPACT);
	if (!text)
		return cli_no_memory(r->c, "rollout");
	struct string out = { .allocator = &mem_malloc };
	string_addf(&out, "%s\n", text);
	free(text);
	const enum qv_status status = out.failed ? cli_no_memory(r->c, "rollout")
						 : cli_write_file(r->c, own->journal, &out);
	string_release(&out);
	r->saved_us = clock_us();
	return status;
}

/* Takes the blocks of a journal that has the same header. */
static enum qv_status take_journal(struct rolling *r, const json_t *whole)
{
	const json_t *blocks = json_object_get(whole, "blocks");
	const size_t count = (size_t)r->count;
	if (!json_equal(json_object_get(whole, "rollout"), r->header))
		return cli_refuse(r->c, "--resume: the journal is of another roll-out");
	if (!json_is_array(blocks) || json_array_size(blocks) % count)
		return cli_refuse(r->c, "--resume: the journal is damaged");
	for (size_t i = 0; i < json_array_size(blocks) && (int64_t)(i / count) < r->blocks; i++) {
		if (!block_read(json_array_get(blocks, i),
				&r->candidates[i % count].blocks[i / count]))
			return cli_refuse(r->c, "--resume: the journal is damaged");
		r->done = (int64_t)((i + 1) / count);
	}
	return QV_OK;
}

static enum qv_status resume(struct rolling *r)
{
	const struct rollout_values *own = cli_own(r->c);
	struct file_bytes bytes;
	struct qv_error why = { "" };
	json_t *whole = NULL;
	if (own->resume && !own->journal)
		return cli_refuse(r->c, "--resume: needs --journal");
	if (!own->resume && own->journal && access(own->journal, F_OK) == 0)
		return cli_refuse(r->c, "--journal: '%.60s' exists; --resume continues it",
				  cli_word(own->journal));
	if (!own->resume)
		return QV_OK;
	enum qv_status status =
		file_read(&mem_malloc, own->journal, MOST_JOURNAL, &bytes, &r->c->error);
	if (status != QV_OK)
		return status;
	status = json_load_object(bytes.data, bytes.size, JOURNAL_DEPTH, &whole, &why);
	if (status != QV_OK)
		qv_fail(&r->c->error, status, "%.60s: %.180s", cli_word(own->journal), why.text);
	else
		status = take_journal(r, whole);
	json_decref(whole);
	file_release(&mem_malloc, &bytes);
	return status;
}

/* ---- Playing ---- */

static void run_block(void *ctx, int worker, int64_t job)
{
	struct rolling *r = ctx;
	struct candidate *candidate = &r->candidates[job % r->count];
	const int64_t block = r->done + job / r->count;
	if (!rollout_block(&candidate->rollout, &r->evaluators[worker], block,
			   &candidate->blocks[block]))
		atomic_store(&r->failed, true);
}

/* Plays all blocks, some at a time, and saves now and then. Ctrl-C keeps those that are finished. */
static enum qv_status play_blocks(struct rolling *r)
{
	enum qv_status status = QV_OK;
	while (r->done < r->blocks && status == QV_OK) {
		const int64_t left = r->blocks - r->done;
		int64_t batch = 1 + 2 * r->workers / r->count;
		batch = batch < left ? batch : left;
		threads_for(r->workers, batch * r->count, NULL, run_block, r);
		if (atomic_load(&r->failed))
			break;
		r->done += batch;
		if (cli_shows_progress() && !r->c->args.json)
			fprintf(stderr, "\rrollout: %lld of %lld games\033[K",
				(long long)r->done * ROLLOUT_BLOCK,
				(long long)r->blocks * ROLLOUT_BLOCK);
		if (clock_us() - r->saved_us > SAVE_EVERY_US)
			status = save(r);
	}
	cli_clear_progress();
	if (status == QV_OK)
		status = save(r);
	return status;
}

/* ---- Results ---- */

/* The result as the seat that asks sees it. */
static struct rollout_result seen_result(const struct candidate *c, int64_t blocks)
{
	const struct rollout_result there = rollout_sum(c->blocks, blocks);
	struct rollout_result here = there;
	if (!c->flip)
		return here;
	for (int k = 0; k < 2; k++) {
		here.mean[BACKGAMMON_WIN_GAMMON + k] = there.mean[BACKGAMMON_LOSE_GAMMON + k];
		here.mean[BACKGAMMON_LOSE_GAMMON + k] = there.mean[BACKGAMMON_WIN_GAMMON + k];
		here.error[BACKGAMMON_WIN_GAMMON + k] = there.error[BACKGAMMON_LOSE_GAMMON + k];
		here.error[BACKGAMMON_LOSE_GAMMON + k] = there.error[BACKGAMMON_WIN_GAMMON + k];
	}
	here.mean[BACKGAMMON_WIN_ANY] = 1 - there.mean[BACKGAMMON_WIN_ANY];
	here.mean[ROLLOUT_EQUITY] = -there.mean[ROLLOUT_EQUITY];
	return here;
}

/* Half the width of a 95 % interval. */
static double interval(double error)
{
	return 1.96 * error;
}

static int by_equity(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	const double p = x->result.mean[ROLLOUT_EQUITY], q = y->result.mean[ROLLOUT_EQUITY];
	return (p < q) - (p > q);
}

/* The candidates, and the drop of a double after them. */
static const struct candidate *line_at(const struct rolling *r, int i)
{
	return i < r->count ? &r->candidates[i] : &r->pass;
}

/* The value of a line of the decision about the cube, as in cube.h. */
static double line_worth(const struct rolling *r, int line)
{
	const struct candidate *c = line_at(r, r->line[line]);
	return rollout_worth(&r->view, c->result.mean[ROLLOUT_EQUITY]);
}

/* Sets the decision about the cube. Returns the number of its line. */
static int decide(struct rolling *r)
{
	static const char *const answers[] = { "take", "pass", "beaver" };
	static const char *const doubles[] = { "double, take", "double, pass", "double, beaver" };
	static const char *const waits[] = { "no double, take", "too good to double, pass",
					     "no double, beaver" };
	const struct backgammon *s = r->position.state;
	struct cube_offer offer = { 0, line_worth(r, TAKE), line_worth(r, PASS) };
	if (s->flags & BACKGAMMON_BEAVERED) { /* the doubler answers */
		const bool takes = offer.take >= offer.drop;
		r->decision = answers[!takes];
		return r->line[takes ? TAKE : PASS];
	}
	const int answer = cube_should_beaver(&r->view, &offer) ? 2 : !cube_should_take(&offer);
	const int answered = r->line[answer == 1 ? PASS : TAKE];
	if (s->phase == BACKGAMMON_ANSWER) {
		r->decision = answers[answer];
		return answered;
	}
	offer.keep = line_worth(r, NO_DOUBLE);
	const bool now = cube_should_double(&r->view, &offer);
	r->decision = (now ? doubles : waits)[answer];
	return now ? answered : r->line[NO_DOUBLE];
}

/* The standard error of the difference of two lines. */
static double difference_error(const struct rolling *r, const struct candidate *a,
			       const struct candidate *b)
{
	if (a->blocks && b->blocks)
		return rollout_difference_error(a->blocks, b->blocks, r->done);
	return a->result.error[ROLLOUT_EQUITY] + b->result.error[ROLLOUT_EQUITY];
}

/* Prints a line and returns it as JSON. best: the line with which it is compared. */
static json_t *print_line(struct rolling *r, int number, const struct candidate *c,
			  const struct candidate *best)
{
	static const char *const names[] = { "win", "win_gammon", "win_backgammon", "lose_gammon",
					     "lose_backgammon" };
	const struct rollout_values *own = cli_own(r->c);
	struct string *out = &r->c->out;
	const double *mean = c->result.mean, *error = c->result.error;
	const double equity = mean[ROLLOUT_EQUITY], about = interval(error[ROLLOUT_EQUITY]);
	const double loss = best->result.mean[ROLLOUT_EQUITY] - equity;
	const double unsure = interval(difference_error(r, best, c));
	json_t *line = json_fields(json_object(), "move", json_unless_empty(c->text), "equity",
				   json_real(equity), "error", json_real(about), "loss",
				   json_real(loss), "loss_error", json_real(unsure), NULL);
	if (r->decides)
		string_addf(out, "%s\n", c->text);
	else if (*c->text)
		string_addf(out, "%d. %s\n", number, c->text);
	string_addf(out, "   equity %+.4f +- %.4f", equity, about);
	if (c != best && r->decides)
		string_addf(out, ", difference %+.4f +- %.4f", -loss, unsure);
	else if (c != best)
		string_addf(out, ", loses %.4f +- %.4f", loss, unsure);
	if (own->cubeful && r->view.match) {
		const double one = (cube_points(&r->view, 1) - cube_points(&r->view, -1)) / 4;
		const double chance = (1 + rollout_worth(&r->view, equity)) / 2;
		line = json_fields(line, "match_win", json_real(chance), "match_win_error",
				   json_real(one * about), NULL);
		string_addf(out, "\n   wins the match %.2f %% +- %.2f", 100 * chance,
			    100 * one * about);
	}
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		line = json_field(line, names[k], c->blocks ? json_real(mean[k]) : json_null());
	if (c->blocks)
		string_addf(out,
			    "\n   wins %.2f %%, gammons %.2f, backgammons %.2f; "
			    "loses gammons %.2f, backgammons %.2f",
			    100 * mean[0], 100 * mean[1], 100 * mean[2], 100 * mean[3],
			    100 * mean[4]);
	string_addf(out, "\n");
	return line;
}

static enum qv_status print(struct rolling *r)
{
	const struct rollout_values *own = cli_own(r->c);
	struct string *out = &r->c->out;
	json_t *moves = json_array();
	for (int i = 0; i < r->count; i++)
		r->candidates[i].result = seen_result(&r->candidates[i], r->done);
	const int64_t games = r->candidates[0].result.games;
	if (!r->decides)
		qsort(r->candidates, (size_t)r->count, sizeof *r->candidates, by_equity);
	const struct candidate *best = line_at(r, r->decides && games ? decide(r) : 0);
	string_addf(out, "games %lld\n", (long long)games);
	for (int i = 0; i < r->count + r->decides && games; i++)
		moves = json_item(moves, print_line(r, i + 1, line_at(r, i), best));
	if (r->decision)
		string_addf(out, "decision %s\n", r->decision);
	if (r->done < r->blocks)
		r->c->answer_is_no = true;
	if (!r->c->args.json) {
		json_decref(moves);
		return QV_OK;
	}
	out->length = 0;
	json_t *whole = json_fields(json_object(), "games", json_integer(games), "complete",
				    json_boolean(r->done == r->blocks), "moves", moves, NULL);
	if (own->cubeful)
		whole = json_fields(whole, "cubeful", json_true(), "decision",
				    r->decision ? json_text(r->decision) : json_null(), NULL);
	return cli_json(r->c, whole);
}

/* ---- The command ---- */

static enum qv_status roll_out(struct rolling *r)
{
	const struct rollout_values *own = cli_own(r->c);
	const struct qv_limits limits = { .stop = cli_stop_flag() };
	const struct settings unlimited = { 0 };
	const struct engine *engine = context_engine(r->position.rules.game);
	struct backgammon_tables *tables = context_shared(r->c->context, engine);
	enum qv_status status = QV_OK;
	r->workers = threads_count(r->c->args.threads);
	for (int i = 0; i < r->workers && status == QV_OK; i++) {
		status = equity_init(&r->evaluators[i], &mem_malloc, tables, CACHE_MEGABYTES);
		budget_start(&r->evaluators[i].budget, &unlimited, &limits, 0);
	}
	if (status != QV_OK)
		return cli_no_memory(r->c, "rollout");
	status = find_candidates(r);
	r->blocks = (own->games + ROLLOUT_BLOCK - 1) / ROLLOUT_BLOCK;
	for (int i = 0; i < r->count && status == QV_OK; i++) {
		r->candidates[i].blocks =
			mem_new(&mem_malloc, (size_t)r->blocks, sizeof(struct rollout_block));
		if (!r->candidates[i].blocks)
			status = cli_no_memory(r->c, "rollout");
	}
	r->header = status == QV_OK ? header_of(r) : NULL;
	if (status == QV_OK && !r->header)
		status = cli_no_memory(r->c, "rollout");
	r->saved_us = clock_us();
	if (status == QV_OK)
		status = resume(r);
	if (status == QV_OK)
		status = play_blocks(r);
	return status == QV_OK ? print(r) : status;
}

static enum qv_status run(struct cli *c)
{
	struct rolling *r = mem_new(&mem_malloc, 1, sizeof *r);
	if (!r)
		return cli_no_memory(c, "rollout");
	r->c = c;
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &r->position);
	if (status == QV_OK) {
		const struct qv_game *game = r->position.rules.game;
		status = strcmp(game->name, "backgammon") == 0
				 ? roll_out(r)
				 : qv_fail(&c->error, QV_UNSUPPORTED,
					   "%s: only backgammon can be rolled out", game->name);
		for (int i = 0; i < r->workers; i++)
			equity_release(&r->evaluators[i]);
		for (int i = 0; i < r->count; i++)
			mem_free(&mem_malloc, r->candidates[i].blocks,
				 (size_t)r->blocks * sizeof(struct rollout_block));
		json_decref(r->header);
		position_release(&r->position);
	}
	mem_free(&mem_malloc, r, sizeof *r);
	return status;
}

const struct command command_rollout = {
	.name = "rollout",
	.run = run,
	.least = 1,
	.most = 2,
	.usage = "rollout GAME [POS]",
	.help = "play a backgammon position out many times",
	.more = "After a roll the best moves are rolled out, before it the position. The figures "
		"after +- are half a 95 % interval. All moves get the same dice, so a loss is known "
		"better than the equities.\n"
		"With --cubeful equities are in points of the present cube, also in a match. Before a "
		"double or an answer they are for the seat that doubles.\n"
		"Exit status 1: Ctrl-C stopped it; the games so far are printed.\n",
	.options = OPTION_GROUPS(own_options, moves_options, position_options, common_options),
};
