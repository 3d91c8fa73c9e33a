/*
 * library.c - what the command does, through the public functions: matches, trees, boards, books.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/desk.h"

/* ---- Matches ---- */

struct seen {
	int64_t games, most; /* the callback ends the match after `most`; 0: never */
	int wins[2];
	bool loads;
	const struct qv_context *context;
};

static bool see_game(void *ctx, const struct qv_match_game *game)
{
	struct seen *s = ctx;
	struct qv_record *record = NULL;
	assert_int_equal(game->number, s->games);
	s->games++;
	if (game->winner >= 0)
		s->wins[game->player[game->winner]]++;
	assert_string_equal(game->end, "rules");
	s->loads = qv_record_load(s->context, game->record, game->record_size, &record, NULL) ==
		   QV_OK;
	assert_true(s->loads);
	assert_int_equal(qv_record_ply(record), game->plies);
	qv_record_free(record);
	return !s->most || s->games < s->most;
}

static void test_match__counts_games_and_figures(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	struct qv_error error = { "" };
	struct qv_match *match = NULL;
	const struct qv_match_player players[] = { { "deep", "alphabeta:depth=9" },
						   { "random", "random" } };
	struct seen seen = { .context = context };
	struct qv_match_job job = { .size = sizeof job, .players = players, .player_count = 2,
				    .games = 20, .seed = 3, .no_times = true, .game = see_game,
				    .ctx = &seen };
	struct qv_match_figures one = { .size = sizeof one }, all = { .size = sizeof all },
				other = { .size = sizeof other };
	assert_int_equal(qv_rules_parse(context, "noughts", &rules, NULL), QV_OK);
	if (qv_match_run(context, &rules, &job, &match, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(seen.games, 20);
	assert_int_equal(qv_match_score(match, 0, 1, &one, NULL), QV_OK);
	assert_int_equal(qv_match_score(match, 0, -1, &all, NULL), QV_OK);
	assert_int_equal(qv_match_score(match, 1, 0, &other, NULL), QV_OK);
	assert_int_equal(one.games, 20);
	assert_int_equal(one.wins, seen.wins[0]);
	assert_int_equal(one.losses, 0);
	assert_int_equal(other.losses, one.wins);
	assert_true(one.wins > 10 && fabs(one.score - all.score) < 1e-9);
	assert_true(fabs(one.elo + other.elo) < 1e-6 && one.los > 0.9 && one.nodes > 0);
	assert_int_equal(qv_match_score(match, 2, 0, &one, &error), QV_UNKNOWN);
	assert_int_equal(qv_match_score(match, 0, 0, &one, &error), QV_UNKNOWN);
	qv_match_free(match);
	/* The callback may end it. */
	seen = (struct seen){ .context = context, .most = 5 };
	job.jobs = 2;
	assert_int_equal(qv_match_run(context, &rules, &job, &match, &error), QV_OK);
	assert_int_equal(seen.games, 5);
	qv_match_free(match);
	/* What is wrong is refused before anything is played. */
	job.player_count = 0;
	assert_int_equal(qv_match_run(context, &rules, &job, &match, &error), QV_BAD_INPUT);
	job.size = 0;
	assert_int_equal(qv_match_run(context, &rules, &job, &match, &error), QV_BAD_INPUT);
	qv_context_free(context);
}

/* What a test of openings, faults and PGN sees. */
struct details {
	int64_t games;
	int faults, openings, pgn;
};

static bool see_details(void *ctx, const struct qv_match_game *game)
{
	struct details *d = ctx;
	const char *moves = strstr(game->record, "\"f5\"");
	d->games++;
	d->faults += game->at_fault >= 0 && strncmp(game->reason, "random ", 7) == 0;
	d->openings += moves && strstr(moves, "\"d6\"");
	d->pgn += game->pgn && strstr(game->pgn, "[PlyCount ") && strstr(game->pgn, " f5 d6");
	return true;
}

static void test_match__openings_test_and_journal(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	struct qv_error error = { "" };
	struct qv_match *match = NULL;
	char journal[] = "/tmp/quevedo-library-XXXXXX";
	const int file = mkstemp(journal);
	assert_true(file >= 0 && close(file) == 0 && remove(journal) == 0);
	struct qv_match_player players[] = { { "deep", "alphabeta:depth=3" },
					     { "random", "random" } };
	struct details seen = { 0 };
	struct qv_match_job job = { .size = sizeof job, .players = players, .player_count = 2,
				    .games = 200, .pairs = true, .no_times = true, .pgn = true,
				    .openings = "f5 d6\n", .sprt = "elo0=0,elo1=100",
				    .journal = journal, .game = see_details, .ctx = &seen };
	struct qv_match_figures figures = { .size = sizeof figures };
	struct qv_audit audit = { .size = sizeof audit };
	assert_int_equal(qv_context_load(context, TOY_PLUGIN, &error), QV_OK);
	assert_int_equal(qv_rules_parse(context, "reversi", &rules, NULL), QV_OK);
	if (qv_match_run(context, &rules, &job, &match, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(qv_match_score(match, 0, 1, &figures, NULL), QV_OK);
	qv_match_free(match);
	/* The test ends the match long before its last game. */
	assert_true(seen.games < 100 && seen.games == figures.games);
	assert_true(seen.openings == seen.games && seen.pgn == seen.games);
	assert_true(figures.llr > figures.llr_upper && figures.llr_lower < 0);
	assert_true(figures.pairs[4] + figures.pairs[3] > figures.games / 4);
	/* The journal can be checked, and holds the plug-in that is loaded. */
	assert_int_equal(qv_match_audit(context, journal, 0, 1, 2, NULL, &audit, &error), QV_OK);
	/* A game may have ended while the last one was counted. */
	assert_true(audit.games >= seen.games && audit.replayed == audit.games);
	assert_string_equal(audit.first_wrong, "");
	struct qv_context *other = qv_context_new(NULL);
	job.resume = true;
	assert_int_equal(qv_match_run(other, &rules, &job, &match, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "plugins"));
	qv_context_free(other);
	remove(journal);
	/* Why a game was lost is said; a test needs two players, and a player its spec. */
	seen = (struct details){ 0 };
	players[1].spec = "qgp:" MOCK_ENGINE " crash";
	job = (struct qv_match_job){ .size = sizeof job, .players = players, .player_count = 2,
				     .games = 2, .game = see_details, .ctx = &seen };
	if (qv_match_run(context, &rules, &job, &match, &error) != QV_OK)
		fail_msg("%s", error.text);
	qv_match_free(match);
	assert_true(seen.games == 2 && seen.faults == 2);
	job.base_ms = INT64_MAX;
	assert_int_equal(qv_match_run(context, &rules, &job, &match, &error), QV_BAD_INPUT);
	job.base_ms = 0;
	job.sprt = "elo1=much";
	assert_int_equal(qv_match_run(context, &rules, &job, &match, &error), QV_BAD_INPUT);
	players[1].spec = NULL;
	assert_int_equal(qv_match_run(context, &rules, &job, &match, &error), QV_BAD_INPUT);
	qv_context_free(context);
}

/* ---- Trees, boards and books ---- */

struct written {
	char *data;
	size_t size;
	bool refuses;
};

static bool write_part(void *ctx, const char *data, size_t size)
{
	struct written *w = ctx;
	w->data = realloc(w->data, w->size + size + 1);
	memcpy(w->data + w->size, data, size);
	w->size += size;
	w->data[w->size] = '\0';
	return !w->refuses;
}

static void test_tree__in_every_form(void **unused)
{
	(void)unused;
	static const char *const begins[] = { "", "{", "digraph", "<svg" };
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	struct qv_error error = { "" };
	desk_open(&d, context, "noughts", "start");
	for (int form = QV_TREE_TEXT; form <= QV_TREE_SVG; form++) {
		struct written w = { 0 };
		struct qv_answer answer = { .size = sizeof answer };
		const struct qv_tree_job job = { .size = sizeof job, .player = "alphabeta:depth=2",
						 .form = (enum qv_tree_form)form, .max_nodes = 50,
						 .write = write_part, .ctx = &w };
		if (qv_search_tree(context, &d.rules, d.state, &job, &answer, &error) != QV_OK)
			fail_msg("%s", error.text);
		assert_true(w.size > 100 && strstr(w.data, begins[form]));
		assert_int_equal(answer.depth, 2);
		free(w.data);
	}
	struct written w = { .refuses = true };
	struct qv_tree_job job = { .size = sizeof job, .player = "alphabeta:depth=1",
				   .write = write_part, .ctx = &w };
	assert_int_equal(qv_search_tree(context, &d.rules, d.state, &job, NULL, &error), QV_IO);
	free(w.data);
	job.player = "mcts:playouts=10";
	assert_int_equal(qv_search_tree(context, &d.rules, d.state, &job, NULL, &error),
			 QV_UNSUPPORTED);
	job.write = NULL;
	assert_int_equal(qv_search_tree(context, &d.rules, d.state, &job, NULL, &error),
			 QV_BAD_INPUT);
	desk_close(&d);
	qv_context_free(context);
}

static void test_view__board_and_position(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	struct qv_error error = { "" };
	static char room[1 << 20];
	desk_open(&d, context, "chess", "start");
	struct qv_text measure = { NULL, 0, 0 }, text = { room, sizeof room, 0 };
	assert_int_equal(qv_board_json(context, &d.rules, &measure, &error), QV_OK);
	assert_int_equal(qv_board_json(context, &d.rules, &text, &error), QV_OK);
	assert_int_equal(measure.length, strlen(room));
	assert_non_null(strstr(room, "\"name\":\"e4\""));
	text.length = 0;
	assert_int_equal(qv_position_json(context, &d.rules, d.state, &text, &error), QV_OK);
	assert_non_null(strstr(room, "\"move\":\"e2e4\""));
	text.length = 0;
	assert_int_equal(qv_position_svg(context, &d.rules, d.state, &text, &error), QV_OK);
	assert_non_null(strstr(room, "<svg"));
	desk_close(&d);
	desk_open(&d, context, "toy-die", "start");
	assert_int_equal(qv_position_svg(context, &d.rules, d.state, &text, &error),
			 QV_UNSUPPORTED);
	text.length = 0;
	assert_int_equal(qv_board_json(context, &d.rules, &text, &error), QV_OK);
	assert_string_equal(room, "null");
	desk_close(&d);
	qv_context_free(context);
}

static void test_book__moves_and_names(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d, other;
	struct qv_error error = { "" };
	struct qv_book *book = NULL;
	qv_move list[QV_MAX_MOVES];
	uint64_t weights[QV_MAX_MOVES];
	desk_open(&d, context, "chess", "start");
	desk_open(&other, context, "noughts", "start");
	if (qv_book_open(context, &d.rules, "own:chess", &book, &error) != QV_OK)
		fail_msg("%s", error.text);
	const int count = qv_book_moves(book, d.state, list, weights, QV_MAX_MOVES);
	assert_true(count >= 3);
	for (int i = 0; i < count; i++) {
		assert_true(qv_move_legal(d.rules.game, d.state, list[i]));
		assert_true(i == 0 || weights[i] <= weights[i - 1]);
	}
	assert_int_equal(qv_book_moves(book, d.state, NULL, NULL, 0), count);
	assert_non_null(qv_book_name(book, d.state));
	qv_book_close(book);
	assert_int_equal(qv_book_open(context, &other.rules, "own:chess", &book, &error),
			 QV_BAD_INPUT);
	assert_int_equal(qv_book_open(context, &d.rules, "/no/such/book", &book, &error), QV_IO);
	desk_close(&d);
	desk_close(&other);
	qv_context_free(context);
}

static void test_player__open_accepts_programs(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	struct qv_answer answer = { .size = sizeof answer };
	desk_open(&d, context, "noughts", "start");
	assert_int_equal(qv_player_open(context, &d.rules, "random", NULL, &player, &error), QV_OK);
	assert_int_equal(qv_player_think(player, d.state, NULL, NULL, &answer, &error), QV_OK);
	qv_player_free(player);
	assert_int_equal(
		qv_player_open(context, &d.rules, "qgp:/no/such/engine", NULL, &player, &error),
		QV_OK);
	assert_int_not_equal(qv_player_think(player, d.state, NULL, NULL, &answer, &error), QV_OK);
	qv_player_free(player);
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Games in other formats ---- */

struct imported {
	const struct qv_context *context;
	int games, wrong, plies;
	char text[4096]; /* the last game, exported */
	const char *as;
};

static bool take_game(void *ctx, struct qv_record *record)
{
	struct imported *i = ctx;
	struct qv_text out = { i->text, sizeof i->text, 0 };
	struct qv_error error = { "" };
	i->games++;
	i->plies += qv_record_ply(record);
	if (qv_record_export(i->context, record, i->as, &out, &error) != QV_OK)
		fail_msg("%s", error.text);
	return i->games < 3;
}

static void take_wrong(void *ctx, const char *what, bool harmless)
{
	(void)what;
	((struct imported *)ctx)->wrong += !harmless;
}

static void test_games__from_and_to_other_formats(void **unused)
{
	(void)unused;
	static const char pgn[] = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. e5 *\n\n"
				  "[Event \"c\"]\n\n1. d4 {good} d5 1/2-1/2\n";
	static const char ggf[] = "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------"
				  "O*------*O--------------------------- *]B[f5]W[d6];)";
	struct qv_context *context = qv_context_new(NULL);
	struct imported seen = { .context = context, .as = "pgn" };
	struct qv_error error = { "" };
	const struct qv_games_listener listener = { .size = sizeof listener, .ctx = &seen,
						    .game = take_game, .wrong = take_wrong };
	struct qv_text out = { seen.text, sizeof seen.text, 0 };
	if (qv_games_read(context, NULL, pgn, sizeof pgn - 1, &listener, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_true(seen.games == 2 && seen.wrong == 1 && seen.plies == 5);
	assert_non_null(strstr(seen.text, "1. d4 {good} 1... d5 1/2-1/2"));
	/* From GGF to SGF, and from SGF to a record; a record has no end that must be marked. */
	seen = (struct imported){ .context = context, .as = "sgf" };
	if (qv_games_read(context, NULL, ggf, sizeof ggf - 1, &listener, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_true(seen.games == 1 && seen.plies == 2);
	assert_non_null(strstr(seen.text, "GM[2]"));
	char sgf[4096];
	snprintf(sgf, sizeof sgf, "%s", seen.text);
	seen = (struct imported){ .context = context, .as = "record" };
	assert_int_equal(qv_games_read(context, NULL, sgf, strlen(sgf), &listener, &error), QV_OK);
	assert_true(seen.games == 1 && seen.plies == 2);
	struct qv_record *record = NULL;
	assert_int_equal(qv_record_load(context, seen.text, strlen(seen.text), &record, &error), QV_OK);
	assert_int_equal(qv_record_export(context, record, "pdn", &out, &error), QV_UNSUPPORTED);
	assert_int_equal(qv_record_export(context, record, "doc", &out, &error), QV_UNKNOWN);
	qv_record_free(record);
	/* Neither of the functions is needed; what is no game is refused. */
	const struct qv_games_listener deaf = { .size = sizeof deaf };
	assert_int_equal(qv_games_read(context, NULL, pgn, sizeof pgn - 1, &deaf, &error), QV_OK);
	assert_int_equal(qv_games_read(context, NULL, "hello", 5, &deaf, &error), QV_BAD_INPUT);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match__counts_games_and_figures),
		cmocka_unit_test(test_match__openings_test_and_journal),
		cmocka_unit_test(test_tree__in_every_form),
		cmocka_unit_test(test_view__board_and_position),
		cmocka_unit_test(test_book__moves_and_names),
		cmocka_unit_test(test_player__open_accepts_programs),
		cmocka_unit_test(test_games__from_and_to_other_formats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
