/*
 * plugins.c - loading games from shared objects: what is refused, why, and that a refusal changes
 * nothing.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "core/context.h"
#include "toys/toys.h"

enum { PATH = 512 };

static int games_of(const struct qv_context *context)
{
	int n = 0;
	while (qv_game_at(context, n))
		n++;
	return n;
}

/* How many games the toys' plug-in has. */
static int count_toys(void)
{
	struct qv_context *with = desk_context(NULL), *without = qv_context_new(NULL);
	const int toys = games_of(with) - games_of(without);
	qv_context_free(with);
	qv_context_free(without);
	assert_true(toys >= 6);
	return toys;
}

/* ---- Files ---- */

static char folder[PATH]; /* for the files of this test; made anew for each */

static int make_folder(void **unused)
{
	(void)unused;
	strcpy(folder, "/tmp/test-plugins-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
	(void)unused;
	return rmdir(folder);
}

static void write_file(char path[PATH], const char *name, const char *data, size_t size)
{
	assert_true(snprintf(path, PATH, "%.400s/%.100s", folder, name) < PATH);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	fclose(file);
}

static struct file_bytes read_toys(void)
{
	struct file_bytes bytes;
	struct qv_error error = { "" };
	if (file_read(&mem_malloc, TOY_PLUGIN, 64 << 20, &bytes, &error) != QV_OK)
		fail_msg("%s", error.text);
	return bytes;
}

/* ---- Added evaluations ---- */

static int32_t always_seven(const void *state, const void *weights)
{
	(void)state, (void)weights;
	return 7;
}

static int32_t weighed(const void *state, const void *weights)
{
	(void)state;
	return *(const int32_t *)weights;
}

static const int32_t eleven = 11;
static const struct qv_weight one_weight[] = { { "height", 0, 1 }, { NULL, 0, 0 } };
static const struct qv_evaluation seven[] = { { .name = "seven", .evaluate = always_seven },
					      { 0 } };
static const struct qv_evaluation scale[] = { { .name = "scale",
						.evaluate = weighed,
						.weights = &eleven,
						.weights_size = sizeof eleven,
						.names = one_weight },
					      { 0 } };

/* The score of the start position by this player; its moves are all worth the same. */
static int32_t score_of(const struct qv_context *context, const char *game, const char *spec)
{
	struct desk d;
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	desk_open(&d, context, game, NULL);
	if (qv_player_new(context, &d.rules, spec, NULL, &player, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(qv_player_think(player, d.state, NULL, NULL, &answer, NULL), QV_OK);
	qv_player_free(player);
	desk_close(&d);
	return answer.score;
}

/* A table of evaluations for a game. */
#define TABLE(number, game_name, list, pointer)                                             \
	{ .interface_number = (number), .size = sizeof(struct qv_added_evaluations),        \
	  .game = (game_name), .evaluations = (list), .rules = (pointer), .sizes = QV_SIZES }

/* Games and contexts do not see each other's evaluations, and a second table keeps the first. */
static void test_evaluations__can_be_added_to_a_game(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL), *other = qv_context_new(NULL);
	const struct qv_game *rules = NULL;
	const struct qv_added_evaluations first = TABLE(QV_INTERFACE, "connect4", seven, &rules),
					  second = TABLE(QV_INTERFACE, "connect4", scale, NULL);
	struct qv_error error = { "" };
	struct desk d;
	assert_int_equal(qv_context_add_evaluations(context, &first, &error), QV_OK);
	assert_string_equal(rules->name, "connect4");
	desk_open(&d, context, "connect4", NULL);
	struct qv_player *player;
	assert_int_equal(qv_player_new(context, &d.rules, "alphabeta:depth=2,eval=seven", NULL,
				       &player, &error),
			 QV_OK);
	assert_int_equal(qv_context_add_evaluations(context, &second, &error), QV_OK);
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_player_think(player, d.state, NULL, NULL, &answer, NULL), QV_OK);
	assert_int_equal(answer.score, 7);
	qv_player_free(player);
	assert_int_equal(score_of(context, "connect4", "alphabeta:depth=2,eval=seven"), 7);
	assert_int_equal(score_of(context, "connect4", "alphabeta:depth=1,eval=scale"), -11);
	assert_int_equal(
		score_of(context, "connect4", "negascout:depth=2,eval=scale,weight=height:5"), 5);
	assert_int_equal(score_of(context, "connect4", "maxn:depth=2,eval=scale"), 11);
	assert_int_equal(
		qv_player_new(context, &d.rules, "alphabeta:eval=sevn", NULL, &player, &error),
		QV_UNKNOWN);
	assert_non_null(strstr(error.text, "did you mean 'seven'?"));
	assert_int_equal(
		qv_player_new(other, &d.rules, "alphabeta:eval=seven", NULL, &player, NULL),
		QV_UNKNOWN);
	desk_close(&d);
	qv_context_free(context);
	qv_context_free(other);
}

/* A table that is refused changes nothing. */
static void test_evaluations__wrong_tables_are_refused(void **unused)
{
	(void)unused;
	static const struct qv_evaluation twice[] = { { .name = "two", .evaluate = always_seven },
						      { .name = "two", .evaluate = always_seven },
						      { 0 } },
					  no_function[] = { { .name = "f" }, { 0 } },
					  material[] = { { .name = "material",
							   .evaluate = always_seven },
							 { 0 } },
					  empty[] = { { 0 } };
	const struct {
		struct qv_added_evaluations added;
		enum qv_status status;
		const char *reason;
	} list[] = {
		{ TABLE(QV_INTERFACE + 1, "connect4", scale, NULL), QV_UNSUPPORTED, "interface" },
		{ TABLE(QV_INTERFACE, NULL, scale, NULL), QV_ILLEGAL, "name no game" },
		{ TABLE(QV_INTERFACE, "conect4", scale, NULL), QV_UNKNOWN, "'connect4'" },
		{ TABLE(QV_INTERFACE, "connect4", NULL, NULL), QV_ILLEGAL, "empty" },
		{ TABLE(QV_INTERFACE, "connect4", empty, NULL), QV_ILLEGAL, "empty" },
		{ TABLE(QV_INTERFACE, "connect4", no_function, NULL), QV_ILLEGAL, "no function" },
		{ TABLE(QV_INTERFACE, "connect4", twice, NULL), QV_ILLEGAL, "two already exists" },
		{ TABLE(QV_INTERFACE, "connect4", seven, NULL), QV_ILLEGAL,
		  "seven already exists" },
		{ TABLE(QV_INTERFACE, "reversi", material, NULL), QV_ILLEGAL, "material already" },
	};
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_added_evaluations first = TABLE(QV_INTERFACE, "connect4", seven, NULL);
	assert_int_equal(qv_context_add_evaluations(context, &first, NULL), QV_OK);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct qv_error error = { "" };
		const struct qv_game *game;
		assert_int_equal(qv_context_add_evaluations(context, &list[i].added, &error),
				 list[i].status);
		if (!strstr(error.text, list[i].reason))
			fail_msg("\"%s\" does not speak of %s", error.text, list[i].reason);
		assert_null(context_added_at(context, 1, &game));
	}
	qv_context_free(context);
}

static void check_refused(const char *path, enum qv_status expected, const char *reason)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_error error = { "" };
	const int before = games_of(context);
	assert_int_equal(qv_context_load(context, path, &error), expected);
	if (strncmp(error.text, "plug-in", 7) != 0 || !strstr(error.text, reason))
		fail_msg("%s: \"%s\" does not speak of \"%s\"", path, error.text, reason);
	assert_int_equal(games_of(context), before);
	assert_int_equal(qv_context_load(context, path, NULL), expected);
	/* And the context is as good as before. */
	assert_int_equal(qv_context_load(context, TOY_PLUGIN, NULL), QV_OK);
	assert_int_equal(games_of(context), before + count_toys());
	qv_context_free(context);
}

static void test_load__all_games_of_a_file(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL), *other = qv_context_new(NULL);
	struct qv_rules rules;
	const int before = games_of(context);
	assert_int_equal(qv_rules_parse(context, "toy-die", &rules, NULL), QV_UNKNOWN);
	assert_int_equal(qv_context_load(context, TOY_PLUGIN, NULL), QV_OK);
	assert_int_equal(games_of(context), before + count_toys());
	assert_int_equal(qv_rules_parse(context, "toy-die", &rules, NULL), QV_OK);
	assert_null(qv_game_at(context, -1));
	assert_null(qv_game_at(context, games_of(context) + 1));
	/* Two contexts never meet. */
	assert_int_equal(games_of(other), before);
	assert_int_equal(qv_rules_parse(other, "toy-die", &rules, NULL), QV_UNKNOWN);
	assert_int_equal(qv_context_load(other, TOY_PLUGIN, NULL), QV_OK);
	qv_context_free(context);
	assert_int_equal(qv_rules_parse(other, "toy-die", &rules, NULL), QV_OK);
	assert_string_equal(rules.game->title, toy_die.title);
	qv_context_free(other);
	qv_context_free(NULL);
}

static void test_load__same_names_twice(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct file_bytes toys = read_toys();
	struct qv_error error = { "" };
	char path[PATH];
	const int before = games_of(context);
	assert_int_equal(qv_context_load(context, TOY_PLUGIN, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "a game named toy-die already exists"));
	write_file(path, "copy.so", toys.data, toys.size);
	assert_int_equal(qv_context_load(context, path, &error), QV_ILLEGAL);
	assert_int_equal(games_of(context), before);
	/* The games of the first file are still there to play. */
	struct desk d;
	desk_open(&d, context, "toy-quiet", "start");
	desk_ask(&d, "alphabeta:depth=4", 1, NULL);
	desk_close(&d);
	qv_context_free(context);
	file_release(&mem_malloc, &toys);
	unlink(path);
}

static void test_load__no_such_file_or_no_file(void **unused)
{
	(void)unused;
	char path[PATH];
	check_refused("/tmp/no-such-folder/game.so", QV_IO, "no-such-folder");
	check_refused("no-such-plugin-here.so", QV_IO, "no-such-plugin-here.so");
	check_refused(folder, QV_IO, "directory");
	check_refused("", QV_IO, "");
	check_refused("/", QV_IO, "");
	char longer[5000];
	memset(longer, 'n', sizeof longer);
	longer[sizeof longer - 1] = '\0';
	check_refused(longer, QV_IO, "nnn");
	write_file(path, "line\nbreak\xff.so", "", 0);
	check_refused(path, QV_IO, "line?break?.so");
	unlink(path);
}

static void test_load__not_a_shared_object(void **unused)
{
	(void)unused;
	char path[PATH];
	struct file_bytes toys = read_toys();
	static const char words[] = "A game? No: a letter to the reader, longer than the header of "
				    "a shared object is.\n";
	write_file(path, "empty.so", "", 0);
	check_refused(path, QV_IO, "empty.so");
	unlink(path);
	write_file(path, "text.so", words, sizeof words - 1);
	check_refused(path, QV_IO, "text.so");
	unlink(path);
	write_file(path, "short.so", toys.data, 40);
	check_refused(path, QV_IO, "short.so");
	unlink(path);
	file_release(&mem_malloc, &toys);
}

/* A shared object like the toys', but what it exports has another name. */
static void test_load__nothing_exported(void **unused)
{
	(void)unused;
	char path[PATH];
	struct file_bytes toys = read_toys();
	int renamed = 0;
	for (size_t i = 0; i + sizeof "qv_plugin" <= toys.size; i++)
		if (memcmp(toys.data + i, "qv_plugin", sizeof "qv_plugin") == 0) {
			toys.data[i + 8] = 'm';
			renamed++;
		}
	assert_true(renamed > 0);
	write_file(path, "renamed.so", toys.data, toys.size);
	check_refused(path, QV_BAD_INPUT, "does not export qv_plugin");
	unlink(path);
	file_release(&mem_malloc, &toys);
}

static void test_load__bare_name_means_this_folder(void **unused)
{
	(void)unused;
	char here[PATH], path[PATH];
	struct file_bytes toys = read_toys();
	write_file(path, "bare.so", toys.data, toys.size);
	file_release(&mem_malloc, &toys);
	struct qv_context *context = qv_context_new(NULL);
	assert_int_equal(qv_context_load(context, "bare.so", NULL), QV_IO);
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(folder), 0);
	struct qv_error error = { "" };
	const enum qv_status status = qv_context_load(context, "bare.so", &error);
	assert_int_equal(chdir(here), 0);
	if (status != QV_OK)
		fail_msg("%s", error.text);
	qv_context_free(context);
	unlink(path);
}

/* ---- What a game says of itself ---- */

/* A number out of its bounds, as a plug-in could be wrong about itself. */
static const char *spoil_facts(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->title = NULL, "title";
	case 1: return g->seats = 0, "seats";
	case 2: return g->seats = QV_MAX_SEATS + 1, "seats";
	case 3: return g->seats = -1, "seats";
	case 4: return g->seats = 3, g->alternates = true, "alternate";
	case 5: return g->seats = 1, g->alternates = true, "alternate";
	case 6: return g->state_size = 0, "state_size";
	case 7: return g->state_size = QV_MAX_STATE + 1, "state_size";
	case 8: return g->state_size = SIZE_MAX, "state_size";
	case 9: return g->max_moves = 0, "max_moves";
	case 10: return g->max_moves = 5000, "max_moves is 5000, but must be from 1 to 4096";
	case 11: return g->max_moves = INT32_MIN, "max_moves";
	case 12: return g->max_plies = -1, "max_plies";
	case 13: return g->symmetries = -1, "symmetries";
	case 14: return g->win = -1, "win";
	case 15: return g->win = QV_MAX_EVAL + 1, "win";
	case 16:
		return g->stakes = -1, "stakes";
	case 17:
		return g->stakes = QV_MAX_EVAL + 1, "stakes";
	case 18:
		return g->stakes = 3, g->seats = 3, "stakes are for";
	default: return NULL;
	}
}

static const char *spoil_required(struct qv_game *g, int way)
{
	switch (way) {
	case 0: g->start = NULL; break;
	case 1: g->seat = NULL; break;
	case 2: g->moves = NULL; break;
	case 3: g->play = NULL; break;
	case 4: g->result = NULL; break;
	case 5: g->hash = NULL; break;
	case 6: g->move_text = NULL; break;
	case 7: g->position_text = NULL; break;
	case 8: g->position_parse = NULL; break;
	default: return NULL;
	}
	return "the required function ";
}

static const struct qv_option no_bounds[] = { { .name = "size", .min = 3, .max = 1 },
					      { .name = NULL } };
static const struct qv_option low_preset[] = { { .name = "size", .min = 3, .max = 5, .preset = 2 },
					       { .name = NULL } };
static const struct qv_option high_preset[] = { { .name = "size", .min = 3, .max = 5, .preset = 6 },
						{ .name = NULL } };
static const struct qv_option bad_name[] = { { .name = "Size", .max = 1 }, { .name = NULL } };
static const struct qv_option equals_in_name[] = { { .name = "a=b", .max = 1 }, { .name = NULL } };
static const struct qv_option nameless[] = { { .name = "", .max = 1 }, { .name = NULL } };
static const struct qv_option many[QV_MAX_OPTIONS + 2] = {
	{ .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "d" }, { .name = "e" },
	{ .name = "f" }, { .name = "g" }, { .name = "h" }, { .name = "i" }, { .name = NULL },
};
static const struct qv_evaluation no_evaluations[] = { { .name = NULL } };
static const struct qv_evaluation no_function[] = { { .name = "empty" }, { .name = NULL } };
static const struct qv_board no_board = { .pieces = NULL };

static const char *spoil_tables(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->options = no_bounds, "out of its bounds";
	case 1: return g->options = low_preset, "out of its bounds";
	case 2: return g->options = high_preset, "out of its bounds";
	case 3: return g->options = bad_name, "name of an option";
	case 4: return g->options = equals_in_name, "name of an option";
	case 5: return g->options = nameless, "name of an option";
	case 6: return g->options = many, "too many options";
	case 7: return g->evaluations = no_evaluations, "evaluations is empty";
	case 8: return g->evaluations = no_function, "no function";
	case 9: return g->board = &no_board, "a board needs";
	default: return NULL;
	}
}

static const char *spoil_pairs(struct qv_game *g, int way)
{
	switch (way) {
	case 0: return g->chance = true, "weight";
	case 1: return g->max_count = toy_counted.max_count, "with_count";
	case 2: return g->with_count = toy_counted.with_count, "max_count";
	case 3: return g->repeated = toy_repeat.repeated, "irreversible";
	case 4: return g->irreversible = toy_repeat.irreversible, "repeated";
	case 5: return g->repeat_hash = toy_repeat.hash, "repeat_hash";
	case 6: return g->image = NULL, "image";
	case 7: return g->image_move = NULL, "image";
	case 8: return g->image = NULL, g->image_move = NULL, "symmetries";
	case 9: return g->symmetries = 1, "symmetries";
	default: return NULL;
	}
}

static const char *spoil_name(struct qv_game *g, int way)
{
	static const char *const names[] = {
		NULL,         "",          "Toy",
		"toy quiet",  "toy:quiet", "toy,quiet",
		"t\xc3\xb6y", "toy\n",     "a-name-of-thirty-two-characters-",
	};
	if (way == (int)(sizeof names / sizeof *names))
		return NULL;
	g->name = names[way];
	return "the name of a game";
}

static const char *spoil_interface(struct qv_game *g, int way)
{
	static const int others[] = { 0, QV_INTERFACE + 1, -1, INT32_MAX, INT32_MIN };
	if (way == (int)(sizeof others / sizeof *others))
		return NULL;
	g->interface_number = others[way];
	/* Nothing else of it can be trusted then, or may be looked at. */
	g->name = g->title = (const char *)(uintptr_t)8;
	g->options = (const struct qv_option *)(uintptr_t)8;
	return "built for interface";
}

static void check_spoilt(const char *(*spoil)(struct qv_game *, int), enum qv_status expected,
			 int least)
{
	int way = 0;
	for (;; way++) {
		struct qv_game game = toy_quiet;
		struct qv_error error = { "" };
		const char *reason = spoil(&game, way);
		if (!reason)
			break;
		assert_int_equal(check_game(&game, &error), expected);
		if (!strstr(error.text, reason) || !strstr(error.text, ": "))
			fail_msg("way %d: \"%s\" does not speak of \"%s\"", way, error.text,
				 reason);
		assert_int_equal(check_game(&game, NULL), expected);
	}
	assert_true(way >= least);
}

static void test_check__facts_out_of_bounds(void **unused)
{
	(void)unused;
	check_spoilt(spoil_interface, QV_UNSUPPORTED, 5);
	check_spoilt(spoil_name, QV_ILLEGAL, 9);
	check_spoilt(spoil_facts, QV_ILLEGAL, 14);
	check_spoilt(spoil_tables, QV_ILLEGAL, 9);
}

static void test_check__functions_missing(void **unused)
{
	(void)unused;
	check_spoilt(spoil_required, QV_ILLEGAL, 9);
	check_spoilt(spoil_pairs, QV_ILLEGAL, 10);
}

static void test_check__good_games_pass(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct qv_error error = { "" };
	for (int i = 0; qv_game_at(context, i); i++)
		if (check_game(qv_game_at(context, i), &error) != QV_OK)
			fail_msg("%s", error.text);
	/* At the very bounds. */
	struct qv_game game = toy_quiet;
	game.seats = QV_MAX_SEATS;
	game.state_size = QV_MAX_STATE;
	game.max_moves = QV_MAX_MOVES;
	game.max_plies = INT32_MAX;
	game.name = "a-name-of-thirty-one-characters";
	assert_int_equal(check_game(&game, NULL), QV_OK);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_evaluations__can_be_added_to_a_game),
		cmocka_unit_test(test_evaluations__wrong_tables_are_refused),
		cmocka_unit_test(test_load__all_games_of_a_file),
		cmocka_unit_test_setup_teardown(test_load__same_names_twice, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(test_load__no_such_file_or_no_file, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(test_load__not_a_shared_object, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(test_load__nothing_exported, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(test_load__bare_name_means_this_folder, make_folder,
						remove_folder),
		cmocka_unit_test(test_check__facts_out_of_bounds),
		cmocka_unit_test(test_check__functions_missing),
		cmocka_unit_test(test_check__good_games_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
