/*
 * epd.c - the command epd: a suite of chess positions, and how many a player gets right.
 * SPDX-License-Identifier: MIT
 *
 * Each line of the file is one position with operations. bm and am test the player's move, dm the
 * shortest mate, D1, D2, ... perft counts. A line without any of them is not tested. Each line is
 * printed as soon as it is known. A line that cannot be read is reported and passed over. The lines
 * can be written again with what the player found (--out).
 */
#include "base/flag.h"
#include "base/scan.h"
#include "cli/cli.h"
#include "games/chess/puzzles.h"
#include "core/context.h"
#include "programs/players.h"
#include "formats/epd.h"
#include "formats/obf.h"
#include "formats/pgn.h"

enum {
	MOST_EPD_BYTES = 1 << 26,
	MOST_PERFT = 30,
	MATE_MS = 10000,  /* for a search for a mate without --time */
	MOST_HELD = 1000, /* errors that wait for the first position */
	NUL_MARK = 1,	  /* stands for a NUL of the file */
};

/* The options of epd. */
struct epd_values {
	int64_t depth;
};

static const struct option own_options[] = {
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "player to test with bm, am and dm"),
	COMMAND_OPTION(struct epd_values, "depth", OPTION_INT, depth, .min = 1, .max = 1000,
		       .def = 1000, .value = "N", .help = "check perft counts up to this depth"),
	SHARED_OPTION("out", OPTION_POINTER, out, .value = "FILE",
		      .help = "write the lines with what the player found"),
	{ 0 },
};

/* A run over all lines of the file. */
struct suite {
	struct cli *c;
	struct qv_rules rules;
	struct qv_player *player; /* NULL: bm and am are not tested */
	struct epd *line;	  /* the line that is being tested */
	int number;		  /* of the line in the file, from 1 */
	int positions, solved, untested, bad;
	/* Bad lines before the first position: without any position, only one error is printed. */
	struct string held;
	struct qv_error first_bad; /* why the first bad line is bad */
	json_t *cases;
	struct string out; /* the contents of the file --out */
	struct qv_answer answer;
	bool answered; /* the player has searched this position */
	bool is_bad;   /* the line itself is wrong, not a program or the memory */
};

/* ---- Tests ---- */

/*
 * The verdict on a line. right: 1 all tests passed, 0 one failed, -1 the line has no test. got:
 * what was found, for the output. unknown: the search for a mate was stopped.
 */
struct verdict {
	int right;
	bool unknown;
	char got[160];
};

/* Whether the move is among the operands; a word that is not a legal move is an error. */
static enum qv_status is_among(struct suite *t, const char *operands, qv_move move, bool *out)
{
	char word[QV_MOVE_TEXT];
	qv_move other;
	*out = false;
	while (epd_word(&operands, word, sizeof word)) {
		struct qv_error why;
		const enum qv_status status =
			qv_move_parse(t->rules.game, &t->line->state, word, &other, &why);
		if (status != QV_OK) {
			t->is_bad = status != QV_NO_MEMORY;
			return qv_fail(&t->c->error, status, "line %d: %s", t->number, why.text);
		}
		*out |= other == move;
	}
	return QV_OK;
}

/* Lets the player search the position, unless it has. */
static enum qv_status search(struct suite *t)
{
	const struct qv_limits limits = { .stop = cli_stop_flag() };
	struct qv_error why;
	if (t->answered)
		return QV_OK;
	/* Each position is a new game, so that the order of lines does not matter. */
	qv_player_new_game(t->player);
	const enum qv_status status =
		player_think(t->player, NULL, &t->line->state, &limits, NULL, &t->answer, &why);
	t->answered = true;
	if (status != QV_OK)
		return qv_fail(&t->c->error, status, "line %d: %s", t->number, why.text);
	return QV_OK;
}

/* bm and am: tests the move of the player. */
static enum qv_status test_moves(struct suite *t, struct verdict *v)
{
	const char *best = epd_operands(t->line, "bm"), *avoid = epd_operands(t->line, "am");
	bool good = true, bad = false;
	if ((!best && !avoid) || !t->player)
		return QV_OK;
	enum qv_status status = search(t);
	/* bm lists moves that are right, am moves that are wrong; both may be given. */
	if (status == QV_OK && best)
		status = is_among(t, best, t->answer.move, &good);
	if (status == QV_OK && avoid)
		status = is_among(t, avoid, t->answer.move, &bad);
	if (status != QV_OK)
		return status;
	pgn_move_text(t->rules.game, &t->line->state, t->answer.move,
		      &(struct qv_text){ v->got, sizeof v->got, 0 });
	v->right = good && !bad;
	return QV_OK;
}

/* Adds what a test has found to the text that several tests of a line share. */
static void add_found(struct verdict *v, const char *what, int number)
{
	const size_t length = strlen(v->got);
	snprintf(v->got + length, sizeof v->got - length, number ? "%s%s %d" : "%s%s",
		 length ? ", " : "", what, number);
}

/* dm with a player: it announces a mate that is at most as long. */
static enum qv_status test_announced(struct suite *t, int64_t moves, struct verdict *v)
{
	const enum qv_status status = search(t);
	if (status != QV_OK)
		return status;
	const int32_t score = t->answer.score;
	const int found = score > QV_MAX_EVAL ? (QV_WIN - score + 1) / 2 : 0;
	add_found(v, found ? "mate" : "no mate", found);
	v->right = v->right != 0 && found && found <= moves;
	return QV_OK;
}

/*
 * dm: the shortest mate takes exactly this many moves. With a player, bm and am are enough. All moves
 * are tried, which may take long; when the time is over, the player must announce the mate.
 */
static enum qv_status test_mate(struct suite *t, struct verdict *v)
{
	struct chess_mate m;
	int64_t moves;
	if (t->player && (epd_operands(t->line, "bm") || epd_operands(t->line, "am")))
		return QV_OK;
	if (!epd_number(t->line, "dm", 1, INT16_MAX, &moves))
		return QV_OK;
	if (moves > CHESS_MOST_MATE && t->player)
		return test_announced(t, moves, v);
	if (moves > CHESS_MOST_MATE) {
		add_found(v, "without a player, a mate is proven up to move", CHESS_MOST_MATE);
		return QV_OK;
	}
	struct cli_watch watch;
	const struct qv_solve_limits limits = cli_watch_limits(&watch);
	cli_watch_begin(&watch, t->c, "epd");
	const enum qv_status status =
		chess_mate(context_allocator(t->c->context), &t->line->state, (int)moves,
			   (size_t)t->c->args.hash_mb << 20, &limits, &m, &t->c->error);
	cli_watch_end(&watch);
	/* Ctrl-C ends the suite, --time only this test. */
	v->unknown = status == QV_STOPPED && !flag_is_set(limits.stop);
	if (status != QV_OK && !v->unknown)
		return status;
	if (v->unknown && t->player) {
		v->unknown = false;
		return test_announced(t, moves, v);
	}
	add_found(v, v->unknown ? "value unknown" : "mate", v->unknown ? 0 : m.moves);
	v->right = v->right != 0 && !v->unknown && m.moves == moves;
	return QV_OK;
}

/* D1, D2, ...: counts of positions, up to --depth. */
static enum qv_status test_perft(struct suite *t, struct verdict *v)
{
	const struct epd_values *own = cli_own(t->c);
	const struct epd *e = t->line;
	for (int i = 0; i < e->count; i++) {
		int64_t depth, expected;
		uint64_t leaves;
		const char *name = e->operations[i].name;
		/* Other operations, and depths beyond --depth, are skipped. */
		if (name[0] != 'D' || !text_to_int(name + 1, 1, MOST_PERFT, &depth) ||
		    depth > own->depth ||
		    !text_to_int(e->operations[i].operands, 0, INT64_MAX, &expected))
			continue;
		const struct qv_perft_limits limits = { .size = sizeof limits, .depth = (int)depth,
							.stop = cli_stop_flag() };
		const enum qv_status status = qv_perft(t->c->context, t->rules.game, &e->state,
						       &limits, &leaves, &t->c->error);
		if (status != QV_OK)
			return status;
		const size_t length = strlen(v->got);
		snprintf(v->got + length, sizeof v->got - length, "%sD%d %llu", length ? ", " : "",
			 (int)depth, (unsigned long long)leaves);
		v->right = v->right != 0 && leaves == (uint64_t)expected;
	}
	return QV_OK;
}

/* ---- Lines ---- */

/* A score for the opcode ce. A mate is worth 32767, less the plies to it. */
static int32_t centipawns(int32_t score)
{
	enum { MATE = 32767 };
	return score > QV_MAX_EVAL    ? MATE - (QV_WIN - score)
	       : score < -QV_MAX_EVAL ? (QV_WIN + score) - MATE
				      : score;
}

/* Tests a line, prints the verdict and writes the line for --out. */
static enum qv_status test_line(struct suite *t, const char *text)
{
	static const char *const words[] = { "not tested", "wrong", "right" };
	struct verdict v = { .right = -1 };
	struct qv_error why;
	char id[80] = "";
	enum qv_status status = strchr(text, NUL_MARK)
					? qv_fail(&why, QV_BAD_INPUT, "it contains a NUL character")
					: epd_read(text, t->line, &why);
	t->answered = false;
	t->is_bad = status != QV_OK;
	if (status != QV_OK)
		return qv_fail(&t->c->error, status, "line %d: %.200s", t->number, why.text);
	status = test_moves(t, &v);
	if (status == QV_OK)
		status = test_mate(t, &v);
	if (status == QV_OK)
		status = test_perft(t, &v);
	if (status != QV_OK)
		return status;
	t->positions++;
	t->solved += v.right > 0;
	t->untested += v.right < 0;
	/* A line is known by its id, if it has one. */
	epd_text(t->line, "id", id, sizeof id);
	json_t *right = v.right < 0 ? json_null() : json_boolean(v.right);
	t->cases =
		json_item(t->cases, json_fields(json_object(), "line", json_integer(t->number),
						"id", json_unless_empty(id), "right", right, "got",
						json_text(v.got), "error", json_null(), NULL));
	const char *word = v.unknown ? "not solved" : words[v.right + 1];
	if (!t->c->args.json)
		string_addf(&t->c->out, "line %d%s%s: %s%s%s\n", t->number, *id ? " " : "", id,
			    word, *v.got ? ": " : "", v.got);
	if (!t->c->args.out)
		return QV_OK;
	/* What the player found is added as acd, acn, ce and pv. */
	epd_write(t->line, &t->out);
	const struct qv_answer *a = &t->answer;
	struct chess s = t->line->state;
	if (t->answered)
		string_addf(&t->out, " acd %d; acn %llu;", a->depth, (unsigned long long)a->nodes);
	if (t->answered && !a->unsolved)
		string_addf(&t->out, " ce %d;", centipawns(a->score));
	if (t->answered)
		string_addf(&t->out, " pv");
	for (int i = 0; t->answered && i < a->line_length; i++) {
		char move[QV_MOVE_TEXT] = "";
		pgn_move_text(t->rules.game, &s, a->line[i],
			      &(struct qv_text){ move, sizeof move, 0 });
		string_addf(&t->out, " %s", move);
		chess_play(&s, a->line[i]);
	}
	string_addf(&t->out, "%s\n", t->answered ? ";" : "");
	return QV_OK;
}

/* Tests a line and prints its verdict at once. A bad line is reported, and the next one follows. */
static enum qv_status take_line(struct suite *t, const char *text)
{
	struct cli *c = t->c;
	enum qv_status status = test_line(t, text);
	if (status != QV_OK && t->is_bad) {
		if (!t->bad++)
			t->first_bad = c->error;
		if (t->positions)
			fprintf(stderr, "quevedo: %s\n", c->error.text);
		else if (t->bad <= MOST_HELD)
			string_addf(&t->held, "quevedo: %s\n", c->error.text);
		t->cases =
			json_item(t->cases, json_fields(json_object(), "line",
							json_integer(t->number), "id", json_null(),
							"right", json_null(), "got", json_text(""),
							"error", json_text(c->error.text), NULL));
		return QV_OK;
	}
	if (status == QV_OK && t->held.length)
		fputs(t->held.data, stderr);
	string_release(&t->held);
	return status == QV_OK && !c->args.json ? cli_flush(c) : status;
}

/* As text without NULs, which bad files have; a line with one is bad, not the whole file. */
static enum qv_status read_file(struct cli *c, struct file_bytes *file)
{
	const enum qv_status status =
		file_read(&mem_malloc, c->args.words[1], MOST_EPD_BYTES, file, &c->error);
	for (size_t i = 0; status == QV_OK && i < file->size; i++)
		if (!file->data[i])
			file->data[i] = NUL_MARK;
	return status;
}

/*
 * Tests all lines and prints how many were solved. Exit status 1: a test failed, or a line is bad.
 */
static enum qv_status run(struct cli *c)
{
	struct suite t = { .c = c,
			   .cases = json_array(),
			   .out = { .allocator = &mem_malloc },
			   .held = { .allocator = &mem_malloc } };
	struct file_bytes file = { 0 };
	const struct qv_defaults defaults = cli_defaults(c);
	enum qv_status status = qv_rules_parse(c->context, "chess", &t.rules, &c->error);
	if (status == QV_OK)
		status = read_file(c, &file);
	if (status != QV_OK) {
		json_decref(t.cases);
		return status;
	}
	if (obf_looks_like(file.data)) {
		json_decref(t.cases);
		status = obf_run(c, file.data);
		file_release(&mem_malloc, &file);
		return status;
	}
	/* A parsed line is too large for the stack. */
	t.line = mem_new(&mem_malloc, 1, sizeof *t.line);
	if (!t.line)
		status = cli_no_memory(c, "epd");
	if (status == QV_OK && c->args.player)
		status = player_open(c->context, &t.rules, c->args.player, &defaults, &t.player,
				     &c->error);
	if (!c->args.time_ms)
		c->args.time_ms = MATE_MS;
	/* Empty lines and those that begin with '#' are skipped. */
	for (char *rest = file.data; rest && status == QV_OK;) {
		const char *line = scan_cut(&rest, '\n');
		t.number++;
		line += strspn(line, " \t\r");
		if (*line && *line != '#')
			status = take_line(&t, line);
	}
	/* A file without a single position is no suite. */
	if (status == QV_OK && t.bad && !t.positions) {
		c->error = t.first_bad;
		status = QV_BAD_INPUT;
	}
	/* Lines without a test do not count. */
	const int tested = t.positions - t.untested;
	c->answer_is_no = t.solved < tested || t.bad;
	if (status == QV_OK && c->args.out)
		status = cli_write_file(c, c->args.out, &t.out);
	if (status == QV_OK && c->args.json)
		status = cli_json(c,
				  json_fields(json_object(), "positions", json_integer(t.positions),
					      "tested", json_integer(tested), "solved",
					      json_integer(t.solved), "bad", json_integer(t.bad),
					      "cases", json_incref(t.cases), NULL));
	else if (status == QV_OK && t.bad)
		string_addf(&c->out, "solved %d of %d, bad lines %d\n", t.solved, tested, t.bad);
	else if (status == QV_OK)
		string_addf(&c->out, "solved %d of %d\n", t.solved, tested);
	qv_player_free(t.player);
	mem_free(&mem_malloc, t.line, sizeof *t.line);
	file_release(&mem_malloc, &file);
	string_release(&t.out);
	string_release(&t.held);
	json_decref(t.cases);
	return status;
}

const struct command command_epd = {
	.name = "epd",
	.run = run,
	.least = 1,
	.most = 1,
	.usage = "epd FILE [--player SPEC]",
	.help = "run a suite of chess or reversi positions",
	.more = "FILE holds lines of EPD. bm and am test the move of --player, dm the shortest mate, "
		"D1, D2, ... the perft counts. All moves are tried for a mate, unless bm or am test "
		"the player; after 10 s, or --time, the player must announce it. FILE may also hold "
		"lines of OBF, reversi positions with scores: --player must find a best move, or "
		"without it each position is solved. Lines that cannot be read are reported and "
		"passed over. Exit status 1: a test failed or was not finished, or a line was bad.\n",
	.options = OPTION_GROUPS(own_options, time_option, common_options),
};
