/*
 * morris_tables.c - the tables of nine men's morris against a literal solver, published figures and
 * play; and what is searched above them.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/tables.h"

#include "solve/table_search.h"
#include "support/scale.h"
#include "twins/twin.h"

/*
 * ---- a solver from the rules ----
 *
 * Points are numbered as texts of positions list them. Three men a side: all positions, swept
 * forward until nothing changes. It shares nothing with the library.
 */

enum { POINTS = 24, TRIPLES = 2024, IMAGES = 16, UNKNOWN = 255 };

static const char names[POINTS][3] = {
	"a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
	"e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
};

static const int lines[16][3] = {
	{ 0, 1, 2 },	{ 3, 4, 5 },	{ 6, 7, 8 },	{ 9, 10, 11 }, { 12, 13, 14 }, { 15, 16, 17 },
	{ 18, 19, 20 }, { 21, 22, 23 }, { 0, 9, 21 },	{ 3, 10, 18 }, { 6, 11, 15 },  { 1, 4, 7 },
	{ 16, 19, 22 }, { 8, 12, 17 },	{ 5, 13, 20 }, { 2, 14, 23 },
};

struct literal {
	bool flying;
	int rank[POINTS][POINTS][POINTS];  /* of three points in order */
	int points[TRIPLES][3];
	bool linked[POINTS][POINTS];
	bool line[TRIPLES];                /* the three are a line */
	int image[IMAGES][POINTS];
	uint8_t in[TRIPLES][TRIPLES];      /* plies, mover's men first; odd wins, even loses */
	int won, drawn, lost, longest;
};

static int point_at(int x, int y)
{
	for (int i = 0; i < POINTS; i++)
		if (names[i][0] - 'a' == x + 3 && names[i][1] - '1' == y + 3)
			return i;
	return -1;
}

/* Turned, mirrored, and the outermost square exchanged with the innermost. */
static int image_of(int point, int k)
{
	int x = names[point][0] - 'a' - 3, y = names[point][1] - '1' - 3;
	const int ring = abs(x) > abs(y) ? abs(x) : abs(y);
	for (int quarter = 0; quarter < k % 4; quarter++) {
		const int old = x;
		x = y;
		y = -old;
	}
	if (k & 4)
		x = -x;
	if (k & 8) {
		x = x * (4 - ring) / ring;
		y = y * (4 - ring) / ring;
	}
	return point_at(x, y);
}

static int rank_of(const struct literal *l, int a, int b, int c)
{
	const int low = a < b ? (a < c ? a : c) : (b < c ? b : c);
	const int high = a > b ? (a > c ? a : c) : (b > c ? b : c);
	return l->rank[low][a + b + c - low - high][high];
}

static struct literal *literal_new(bool flying)
{
	struct literal *l = calloc(1, sizeof *l);
	int n = 0;
	assert_non_null(l);
	l->flying = flying;
	for (int a = 0; a < POINTS; a++)
		for (int b = a + 1; b < POINTS; b++)
			for (int c = b + 1; c < POINTS; c++, n++) {
				l->rank[a][b][c] = n;
				memcpy(l->points[n], (int[]){ a, b, c }, sizeof l->points[n]);
			}
	assert_int_equal(n, TRIPLES);
	for (int i = 0; i < 16; i++) {
		const int *p = lines[i];
		l->line[rank_of(l, p[0], p[1], p[2])] = true;
		l->linked[p[0]][p[1]] = l->linked[p[1]][p[0]] = true;
		l->linked[p[1]][p[2]] = l->linked[p[2]][p[1]] = true;
	}
	for (int k = 0; k < IMAGES; k++)
		for (int i = 0; i < POINTS; i++)
			l->image[k][i] = image_of(i, k);
	memset(l->in, UNKNOWN, sizeof l->in);
	return l;
}

static bool has(const int men[3], int point)
{
	return men[0] == point || men[1] == point || men[2] == point;
}

/*
 * The value of a position as far as its successors say. A line takes a man, and whoever has two men
 * then has lost.
 */
static int literal_value(const struct literal *l, int mine, int theirs)
{
	int soonest = UNKNOWN, latest = 0;
	bool open = false;
	for (int i = 0; i < 3; i++)
		for (int to = 0; to < POINTS; to++) {
			const int *m = l->points[mine];
			if (has(m, to) || has(l->points[theirs], to) ||
			    (!l->flying && !l->linked[m[i]][to]))
				continue;
			const int after = rank_of(l, to, m[(i + 1) % 3], m[(i + 2) % 3]);
			if (l->line[after])
				return 1;
			const int in = l->in[theirs][after];
			open |= in == UNKNOWN;
			if (in != UNKNOWN && in % 2 == 0 && in + 1 < soonest)
				soonest = in + 1;
			if (in != UNKNOWN && in % 2 == 1 && in + 1 > latest)
				latest = in + 1;
		}
	return soonest != UNKNOWN ? soonest : open ? UNKNOWN : latest;
}

static int image_rank(const struct literal *l, int k, int rank)
{
	const int *p = l->points[rank], *to = l->image[k];
	return rank_of(l, to[p[0]], to[p[1]], to[p[2]]);
}

/* Whether no image comes before it. */
static bool is_first(const struct literal *l, int mine, int theirs)
{
	for (int i = 0; i < 3; i++)
		if (has(l->points[theirs], l->points[mine][i]))
			return false;
	for (int k = 1; k < IMAGES; k++) {
		const int a = image_rank(l, k, mine), b = image_rank(l, k, theirs);
		if (a < mine || (a == mine && b < theirs))
			return false;
	}
	return true;
}

static void literal_set(struct literal *l, int mine, int theirs, int in)
{
	for (int k = 0; k < IMAGES; k++)
		l->in[image_rank(l, k, mine)][image_rank(l, k, theirs)] = (uint8_t)in;
	l->longest = in > l->longest ? in : l->longest;
	if (in % 2)
		l->won++;
	else
		l->lost++;
}

/* Values of just `plies` are set in the sweep of that number, so that the first found is right. */
static void literal_solve(struct literal *l)
{
	enum { FIRSTS = 200000 };
	int(*first)[2] = calloc(FIRSTS, sizeof *first);
	int left = 0;
	assert_non_null(first);
	for (int mine = 0; mine < TRIPLES; mine++)
		for (int theirs = 0; theirs < TRIPLES; theirs++)
			if (is_first(l, mine, theirs)) {
				assert_true(left < FIRSTS);
				first[left][0] = mine;
				first[left++][1] = theirs;
			}
	for (int plies = 0, idle = 0; idle < 2 && plies < UNKNOWN; plies++) {
		int kept = 0;
		for (int i = 0; i < left; i++) {
			const int in = literal_value(l, first[i][0], first[i][1]);
			if (in == plies)
				literal_set(l, first[i][0], first[i][1], in);
			else
				memcpy(first[kept++], first[i], sizeof *first);
		}
		idle = kept == left ? idle + 1 : 0;
		left = kept;
	}
	l->drawn = left;
	free(first);
}

/* ---- tables made for a test ---- */

struct bench {
	struct qv_context *context;
	struct desk desk;
	struct tables_folder folder;
	struct qv_tables *tables;
	void *aid;
};

static void bench_open(struct bench *b, const char *game, const char *up_to, bool counters)
{
	b->context = desk_context(NULL);
	b->folder = tables_folder_new();
	desk_open(&b->desk, b->context, game, "start");
	const struct qv_rules *rules = &b->desk.rules;
	const struct qv_tables_job job = { .size = sizeof job,
					   .folder = b->folder.path,
					   .up_to = up_to,
					   .counters = counters,
					   .checkpoint_ms = 600000 };
	tables_make(b->context, rules, &job);
	b->tables = tables_open(b->context, rules, b->folder.path);
	b->aid = calloc(1, rules->game->index->aid_size);
	assert_non_null(b->aid);
	rules->game->index->prepare(rules->options, b->aid);
}

static void bench_close(struct bench *b)
{
	free(b->aid);
	qv_tables_close(b->tables);
	desk_close(&b->desk);
	tables_folder_free(&b->folder);
	qv_context_free(b->context);
}

static void bench_position(struct bench *b, const char *text)
{
	struct qv_error error = { "" };
	if (qv_position_parse(&b->desk.rules, text, b->desk.state, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
}

/* ---- three men a side ---- */

static int triple_in(const struct literal *l, const char *text, char side)
{
	int men[3] = { 0 }, n = 0;
	for (int i = 0; i < POINTS; i++)
		if (text[i] == side && n < 3)
			men[n++] = i;
	assert_int_equal(n, 3);
	return rank_of(l, men[0], men[1], men[2]);
}

static void compare_entry(struct bench *b, const struct literal *l)
{
	char text[QV_POSITION_TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	struct qv_solution s = { .size = sizeof s };
	b->desk.rules.game->position_text(b->desk.state, &out);
	const char mover = text[POINTS + 1];
	const int in = l->in[triple_in(l, text, mover)]
			    [triple_in(l, text, mover == 'W' ? 'B' : 'W')];
	assert_int_equal(qv_tables_probe(b->tables, b->desk.state, &s, NULL), QV_OK);
	const enum qv_value value = in == UNKNOWN ? QV_VALUE_DRAW :
				    in % 2	  ? QV_VALUE_WIN : QV_VALUE_LOSS;
	if (s.value != value || s.in != (in == UNKNOWN ? -1 : in))
		fail_msg("%s: value %d in %d, but the rules say %d in %d", text, (int)s.value, s.in,
			 (int)value, in);
}

static void compare_three(const char *game, bool flying)
{
	struct literal *l = literal_new(flying);
	struct bench b;
	struct qv_table t = { .size = sizeof t };
	literal_solve(l);
	bench_open(&b, game, "3-3", flying);
	const struct qv_rules *rules = &b.desk.rules;
	assert_true(qv_tables_at(b.tables, 0, &t) && t.there);
	assert_string_equal(t.space.name, "3-3");
	assert_int_equal(l->won + l->drawn + l->lost, 169626);
	assert_int_equal(t.wins, l->won);
	assert_int_equal(t.draws, l->drawn);
	assert_int_equal(t.losses, l->lost);
	assert_int_equal(t.longest, l->longest);
	const int64_t percent = scaled(100);
	const uint64_t step = percent < 100 ? (uint64_t)(100 / percent) : 1;
	for (uint64_t i = 0; i < t.space.size; i += step)
		if (rules->game->index->decode(b.aid, rules->options, 0, i, b.desk.state))
			compare_entry(&b, l);
	bench_close(&b);
	free(l);
}

static void test_morris_tables__three_men_a_side_equal_a_literal_solver(void **state)
{
	(void)state;
	if (scaled(100) < 20) /* with sanitizers */
		skip();
	compare_three("morris", true);
	if (scaled(100) >= 100)
		compare_three("morris:flying=0", false);
}

/* ---- published figures ---- */

static void assert_percent(uint64_t part, const struct qv_table *t, double percent)
{
	const double all = (double)(t->wins + t->draws + t->losses);
	const double seen = 100 * (double)part / all;
	if (seen < percent - 0.0051 || seen > percent + 0.0051)
		fail_msg("%s: %.4f %%, not %.2f", t->space.name, seen, percent);
}

static void assert_figures(struct bench *b, int space, const char *name, uint64_t positions,
			   const double percents[3])
{
	struct qv_table t = { .size = sizeof t };
	assert_true(qv_tables_at(b->tables, space, &t) && t.there);
	assert_string_equal(t.space.name, name);
	assert_int_equal(t.wins + t.draws + t.losses, positions);
	assert_percent(t.wins, &t, percents[0]);
	assert_percent(t.draws, &t, percents[1]);
	assert_percent(t.losses, &t, percents[2]);
}

/* An entry says what its successors do, where the moves are those of the literal twin. */
static void ask_twin(struct bench *b, const char *text)
{
	static char moves[300][16];
	struct qv_solution here = { .size = sizeof here },
			   best = { .value = QV_VALUE_UNKNOWN, .in = -1 };
	const int n = twin_morris.moves(text, moves, 300);
	bench_position(b, text);
	assert_int_equal(qv_tables_probe(b->tables, b->desk.state, &here, NULL), QV_OK);
	for (int i = 0; i < n; i++) {
		char next[64];
		struct qv_solution reply = { .size = sizeof reply };
		snprintf(next, sizeof next, "%.60s", text);
		assert_true(twin_morris.play(next, sizeof next, moves[i]));
		bench_position(b, next);
		assert_int_equal(qv_tables_probe(b->tables, b->desk.state, &reply, NULL), QV_OK);
		const enum qv_value mine = reply.value == QV_VALUE_WIN	? QV_VALUE_LOSS :
					   reply.value == QV_VALUE_LOSS ? QV_VALUE_WIN :
									  QV_VALUE_DRAW;
		const int in = mine == QV_VALUE_DRAW ? -1 : reply.in + 1;
		if (mine > best.value || (mine == best.value && (mine == QV_VALUE_WIN ?
									 in < best.in :
									 in > best.in))) {
			best.value = mine;
			best.in = in;
		}
	}
	if (n == 0)
		best = (struct qv_solution){ .size = sizeof(struct qv_solution),
					     .value = QV_VALUE_LOSS,
					     .in = 0 };
	if (here.value != best.value || here.in != best.in)
		fail_msg("%s: value %d in %d, but the twin's moves say %d in %d", text,
			 (int)here.value, here.in, (int)best.value, best.in);
}

static void sample_space(struct bench *b, int space, int looks)
{
	const struct qv_rules *rules = &b->desk.rules;
	struct qv_random random = { .key = (uint64_t)space };
	struct qv_table t = { .size = sizeof t };
	assert_true(qv_tables_at(b->tables, space, &t));
	for (int i = 0; i < looks; i++) {
		char text[QV_POSITION_TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		if (!rules->game->index->decode(b->aid, rules->options, space,
						qv_random_below(&random, t.space.size),
						b->desk.state))
			continue;
		rules->game->position_text(b->desk.state, &out);
		ask_twin(b, text);
	}
}

/* ---- play ---- */

static int play_out(struct bench *b, struct qv_player *perfect, struct qv_player *other, int seat)
{
	const struct qv_game *game = b->desk.rules.game;
	int32_t points[QV_MAX_SEATS];
	while (game->result(b->desk.state, points) == QV_GOING) {
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_player *mover = game->seat(b->desk.state) == seat ? perfect : other;
		assert_int_equal(qv_player_think(mover, b->desk.state, NULL, NULL, &answer, NULL),
				 QV_OK);
		assert_true(qv_move_legal(game, b->desk.state, answer.move));
		game->play(b->desk.state, answer.move);
	}
	return points[seat] - points[1 - seat];
}

static struct qv_player *player_of(struct bench *b, const char *spec)
{
	struct qv_player *player;
	struct qv_error error = { "" };
	if (qv_player_new(b->context, &b->desk.rules, spec, NULL, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	return player;
}

static struct qv_player *perfect_of(struct bench *b)
{
	char spec[128];
	snprintf(spec, sizeof spec, "perfect:tables=%s", b->folder.path);
	return player_of(b, spec);
}

/* What the tables call a draw is never lost, and a short win is won, from either side. */
static void play_drawn_positions(struct bench *b, int space, int games)
{
	const struct qv_rules *rules = &b->desk.rules;
	struct qv_player *perfect = perfect_of(b), *other = player_of(b, "alphabeta:depth=3,tt=1");
	struct qv_random random = { .key = 7 };
	struct qv_table t = { .size = sizeof t };
	assert_true(qv_tables_at(b->tables, space, &t));
	for (int i = 0; i < games; i++) {
		struct qv_solution s = { .size = sizeof s };
		if (!rules->game->index->decode(b->aid, rules->options, space,
						qv_random_below(&random, t.space.size),
						b->desk.state))
			continue;
		assert_int_equal(qv_tables_probe(b->tables, b->desk.state, &s, NULL), QV_OK);
		const int first = rules->game->seat(b->desk.state);
		if (s.value == QV_VALUE_DRAW)
			assert_true(play_out(b, perfect, other, i % 2 ? first : 1 - first) >= 0);
		else if (s.in < 15)
			assert_int_equal(play_out(b, perfect, other,
						  s.value == QV_VALUE_WIN ? first : 1 - first),
					 1);
	}
	qv_player_free(perfect);
	qv_player_free(other);
}

static void test_morris_tables__seven_men_have_the_published_figures(void **state)
{
	struct bench b;
	(void)state;
	if (scaled(100) < 100)
		skip(); /* the tests before and after make and use smaller ones */
	bench_open(&b, "morris", "4-3", true);
	assert_figures(&b, 0, "3-3", 169626, (const double[]){ 82.90, 0.16, 16.94 });
	assert_figures(&b, 1, "4-3", 760398, (const double[]){ 9.92, 89.68, 0.41 });
	assert_figures(&b, 2, "3-4", 760398, (const double[]){ 13.45, 86.55, 0 });
	for (int space = 0; space < 3; space++)
		sample_space(&b, space, (int)scaled(60));
	for (int space = 1; space < 3; space++)
		play_drawn_positions(&b, space, (int)scaled(40));
	bench_close(&b);
}

/* ---- above the tables ---- */

static enum qv_status solve_text(struct bench *b, struct qv_solver *solver, const char *text,
				 struct qv_solution *out, struct qv_error *error)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	bench_position(b, text);
	return qv_solver_solve(solver, b->desk.state, &limits, out, error);
}

/* The perfect player places and wins; what the tables do not know, a search chooses. */
static void win_from_the_start(struct bench *b)
{
	struct qv_player *perfect = perfect_of(b), *other = player_of(b, "random");
	struct qv_answer answer = { .size = sizeof answer };
	const struct qv_limits limits = { .size = sizeof limits, .depth = 2, .time_ms = 200 };
	for (int i = 0; i < (int)scaled(20); i++) {
		bench_position(b, "........................ W 3 3 0");
		assert_int_equal(play_out(b, perfect, other, 0), 1);
	}
	qv_player_free(other);
	bench_position(b, "........................ W 9 9 0");
	assert_int_equal(qv_player_think(perfect, b->desk.state, &limits, NULL, &answer, NULL),
			 QV_OK);
	assert_true(qv_move_legal(b->desk.rules.game, b->desk.state, answer.move));
	assert_false(answer.proven);
	qv_player_free(perfect);
}

/* What a search has found is beside the tables for the next, and a damaged file is refused. */
static void check_kept(struct bench *b)
{
	struct qv_tables *tables;
	struct table_search *search;
	struct qv_solution first = { .size = sizeof first }, second = { .size = sizeof second };
	struct qv_error error = { "" };
	const struct table_search_limits limits = { .stop = NULL };
	char path[4096];
	snprintf(path, sizeof path, "%s/morris/start.qva", b->folder.path);
	bench_position(b, "........................ W 3 3 0");
	assert_int_equal(qv_tables_open(b->context, &b->desk.rules, b->folder.path, &tables, NULL), QV_OK);
	assert_int_equal(table_search_new(tables, 1 << 20, &search, NULL), QV_OK);
	assert_int_equal(table_search_solve(search, b->desk.state, &limits, &first, NULL), QV_OK);
	assert_int_equal(table_search_save(search, NULL), QV_OK);
	table_search_free(search);
	assert_int_equal(table_search_new(tables, 1 << 10, &search, NULL), QV_OK);
	assert_int_equal(table_search_solve(search, b->desk.state, &limits, &second, NULL), QV_OK);
	table_search_free(search);
	assert_int_equal(second.value, first.value);
	assert_in_range(second.nodes, 0, first.nodes / 10);

	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, -3, SEEK_END), 0);
	const int byte = fgetc(file);
	assert_int_equal(fseek(file, -3, SEEK_END), 0);
	fputc(byte ^ 1, file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(table_search_new(tables, 1 << 20, &search, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "start.qva: damaged"));
	qv_tables_close(tables);
	assert_int_equal(remove(path), 0);
}

static void test_morris_tables__placing_is_searched_to_the_tables(void **state)
{
	struct bench b;
	struct qv_solver *solver;
	struct qv_solution s = { .size = sizeof s };
	struct qv_error error = { "" };
	(void)state;
	bench_open(&b, "morris", "3-3", false);
	assert_int_equal(qv_solver_new_tables(b.context, &b.desk.rules, b.folder.path, 1 << 20,
					      &solver, NULL),
			 QV_OK);
	/* With three men each the first to place wins. */
	assert_int_equal(solve_text(&b, solver, "........................ W 3 3 0", &s, NULL), QV_OK);
	assert_int_equal(s.value, QV_VALUE_WIN);
	assert_int_equal(s.in, -1);
	assert_true(qv_move_legal(b.desk.rules.game, b.desk.state, s.move));
	b.desk.rules.game->play(b.desk.state, s.move);
	assert_int_equal(
		qv_solver_solve(solver, b.desk.state,
				&(struct qv_solve_limits){ .size = sizeof(struct qv_solve_limits),
							   .distance = false },
				&s, NULL),
		QV_OK);
	assert_int_equal(s.value, QV_VALUE_LOSS);
	/* With four, tables are needed that are not there. */
	assert_int_equal(solve_text(&b, solver, "........................ W 4 4 0", &s, &error), QV_IO);
	assert_non_null(strstr(error.text, "4-4.qvt: No such file"));
	qv_solver_free(solver);
	check_kept(&b);
	win_from_the_start(&b);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_morris_tables__three_men_a_side_equal_a_literal_solver),
		cmocka_unit_test(test_morris_tables__seven_men_have_the_published_figures),
		cmocka_unit_test(test_morris_tables__placing_is_searched_to_the_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
