/*
 * bad_input.c - damaged and hostile texts: each is refused with a reason, or read as something that
 * prints canonically.
 * SPDX-License-Identifier: MIT
 *
 * Hand-made ones stand in tests/data/bad-input, one a line; the others are made here by damaging
 * good ones, from a fixed seed. What a text is tried as (rules, player, position, move) is the
 * file's name or the maker's choice.
 */
#include "quevedo.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

enum { TEXT = 8192, MUTATED = 10000, HAND_MADE = 200, LARGEST_BLOCK = 1 << 24 };

static void *capped_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	(void)ctx, (void)old_size;
	if (!new_size) {
		free(block);
		return NULL;
	}
	return new_size > LARGEST_BLOCK ? NULL : realloc(block, new_size);
}

/* A spec may ask for a table of any size: the context has only so much to give. */
static const struct qv_allocator capped = { capped_resize, NULL };

struct bench {
	struct qv_context *context;
	struct qv_random random;
	int refused, accepted;
};

static void setup(struct bench *b)
{
	struct qv_error error = { "" };
	*b = (struct bench){ qv_context_new(&capped), { 2, 0 }, 0, 0 };
	assert_non_null(b->context);
	if (qv_context_load(b->context, TOY_PLUGIN, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static void teardown(struct bench *b)
{
	qv_context_free(b->context);
	print_message("%d refused, %d accepted\n", b->refused, b->accepted);
}

/* ---- What must hold for one text ---- */

static void check_refusal(struct bench *b, const char *what, const char *text,
			  const struct qv_error *error)
{
	const size_t length = strlen(error->text);
	if (!length || length >= sizeof error->text)
		fail_msg("%s '%s' is refused without a reason", what, text);
	for (const char *c = error->text; *c; c++)
		if (*c < ' ' || *c > '~')
			fail_msg("%s '%s': the reason is not printable", what, text);
	b->refused++;
}

static void try_rules(struct bench *b, const char *text)
{
	struct qv_rules rules, again;
	struct qv_error error = { "" };
	char printed[TEXT] = "", printed_again[TEXT] = "";
	struct qv_text out = { printed, sizeof printed, 0 },
		       out_again = { printed_again, sizeof printed_again, 0 };
	if (qv_rules_parse(b->context, text, &rules, &error) != QV_OK) {
		check_refusal(b, "rules", text, &error);
		return;
	}
	qv_rules_text(&rules, &out);
	if (qv_rules_parse(b->context, printed, &again, &error) != QV_OK)
		fail_msg("rules '%s' print as '%s', refused: %s", text, printed, error.text);
	assert_ptr_equal(again.game, rules.game);
	for (int i = 0; rules.game->options && rules.game->options[i].name; i++)
		assert_int_equal(again.options[i], rules.options[i]);
	qv_rules_text(&again, &out_again);
	assert_string_equal(printed, printed_again);
	b->accepted++;
}

/* A player that was made must also answer. */
static void try_player(struct bench *b, const char *text)
{
	struct qv_rules rules;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	assert_int_equal(qv_rules_parse(b->context, "noughts", &rules, NULL), QV_OK);
	if (qv_player_new(b->context, &rules, text, &defaults, &player, &error) != QV_OK) {
		check_refusal(b, "player", text, &error);
		assert_null(player);
		return;
	}
	void *state = qv_state_new(b->context, rules.game);
	const struct qv_limits limits = { .size = sizeof limits, .nodes = 50, .time_ms = 100 };
	struct qv_answer answer = { .size = sizeof answer };
	rules.game->start(rules.options, state);
	const enum qv_status status =
		qv_player_think(player, state, &limits, NULL, &answer, &error);
	if (status == QV_OK || status == QV_STOPPED)
		assert_true(qv_move_legal(rules.game, state, answer.move));
	else
		check_refusal(b, "player", text, &error);
	qv_state_free(b->context, rules.game, state);
	qv_player_free(player);
	b->accepted++;
}

static void print_position(const struct qv_rules *rules, const void *state, char *out)
{
	struct qv_text text = { out, QV_POSITION_TEXT, 0 };
	out[0] = '\0';
	rules->game->position_text(state, &text);
	assert_true(text.length < QV_POSITION_TEXT);
}

static void try_position(struct bench *b, const struct qv_rules *rules, const char *text)
{
	struct qv_error error = { "" };
	char printed[QV_POSITION_TEXT], printed_again[QV_POSITION_TEXT];
	void *state = qv_state_new(b->context, rules->game),
	     *again = qv_state_new(b->context, rules->game);
	if (qv_position_parse(rules, text, state, &error) != QV_OK) {
		check_refusal(b, "position", text, &error);
	} else {
		print_position(rules, state, printed);
		if (qv_position_parse(rules, printed, again, &error) != QV_OK)
			fail_msg("%s: '%s' prints as '%s', refused: %s", rules->game->name, text,
				 printed, error.text);
		print_position(rules, again, printed_again);
		assert_string_equal(printed, printed_again);
		assert_memory_equal(state, again, rules->game->state_size);
		b->accepted++;
	}
	qv_state_free(b->context, rules->game, state);
	qv_state_free(b->context, rules->game, again);
}

static void try_move(struct bench *b, const struct qv_game *game, const void *state,
		     const char *text)
{
	struct qv_error error = { "" };
	char printed[QV_MOVE_TEXT] = "";
	struct qv_text out = { printed, sizeof printed, 0 };
	qv_move move, again;
	if (qv_move_parse(game, state, text, &move, &error) != QV_OK) {
		check_refusal(b, "move", text, &error);
		return;
	}
	assert_true(qv_move_legal(game, state, move));
	game->move_text(state, move, &out);
	if (qv_move_parse(game, state, printed, &again, &error) != QV_OK)
		fail_msg("%s: move '%s' prints as '%s', refused: %s", game->name, text, printed,
			 error.text);
	assert_true(again == move);
	b->accepted++;
}

/* ---- Hand-made ---- */

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes \xNN, \n, \t and \\ in place. */
static void unescape(char *text)
{
	char *to = text;
	for (const char *c = text; *c; c++) {
		if (c[0] != '\\') {
			*to++ = *c;
		} else if (c[1] == 'x' && hex_digit(c[2]) >= 0 && hex_digit(c[3]) >= 0) {
			*to++ = (char)(hex_digit(c[2]) * 16 + hex_digit(c[3]));
			c += 3;
		} else {
			c++;
			*to++ = *c == 'n' ? '\n' : *c == 't' ? '\t' : *c;
			if (!*c)
				break;
		}
	}
	*to = '\0';
}

/* Cuts the first word off at '|' and returns what follows; "" when there is no '|'. */
static char *cut_field(char *line)
{
	char *bar = strchr(line, '|');
	if (!bar)
		return line + strlen(line);
	*bar = '\0';
	return bar + 1;
}

static void try_position_line(struct bench *b, char *line)
{
	struct qv_rules rules;
	char *position = cut_field(line);
	unescape(position);
	assert_int_equal(qv_rules_parse(b->context, line, &rules, NULL), QV_OK);
	try_position(b, &rules, position);
}

static void try_move_line(struct bench *b, char *line)
{
	struct qv_rules rules;
	char *position = cut_field(line), *move = cut_field(position);
	unescape(move);
	assert_int_equal(qv_rules_parse(b->context, line, &rules, NULL), QV_OK);
	void *state = qv_state_new(b->context, rules.game);
	assert_int_equal(qv_position_parse(&rules, position, state, NULL), QV_OK);
	try_move(b, rules.game, state, move);
	qv_state_free(b->context, rules.game, state);
}

static void try_rules_line(struct bench *b, char *line)
{
	unescape(line);
	try_rules(b, line);
}

static void try_player_line(struct bench *b, char *line)
{
	unescape(line);
	try_player(b, line);
}

static void run_file(struct bench *b, const char *name, void (*try_line)(struct bench *, char *))
{
	char path[512], line[TEXT];
	snprintf(path, sizeof path, "%s/bad-input/%s.txt", TEST_DATA, name);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] != '#')
			try_line(b, line);
	}
	fclose(file);
}

static void test_bad_input__hand_made_texts_are_answered(void **unused)
{
	(void)unused;
	struct bench b;
	setup(&b);
	run_file(&b, "rules", try_rules_line);
	run_file(&b, "players", try_player_line);
	run_file(&b, "positions", try_position_line);
	run_file(&b, "moves", try_move_line);
	assert_true(b.refused + b.accepted >= HAND_MADE);
	assert_true(b.refused >= HAND_MADE * 3 / 4);   /* they are bad, mostly */
	teardown(&b);
}

/* ---- Damaged good ones ---- */

static size_t any_below(struct bench *b, size_t n)
{
	return (size_t)qv_random_below(&b->random, n ? n : 1);
}

static char special_byte(struct bench *b)
{
	static const char special[] =
		"\x01\x7f\x80\xc0\xfe\xff\n\r\t ,:;=/\\\"'%-+.0123456789aAxX*[]{}";
	return special[any_below(b, sizeof special - 1)];
}

/* One blow; `other` is a second good text to splice in. Texts stay shorter than TEXT. */
static void damage(struct bench *b, char *text, const char *other)
{
	const size_t length = strlen(text), at = any_below(b, length + 1),
		     span = 1 + any_below(b, 16);
	char rest[TEXT];
	snprintf(rest, sizeof rest, "%s", text + at);
	switch (any_below(b, 6)) {
	case 0:
		if (at < length)
			text[at] = (char)(text[at] ^ 1 << any_below(b, 8));
		break;
	case 1:
		text[at] = '\0';
		break;
	case 2:                            /* a span again and again */
		for (size_t i = 0, end = length; i < span && end + span < TEXT / 4;
		     i++, end = strlen(text))
			snprintf(text + end, TEXT - end, "%.*s", (int)span, rest);
		break;
	case 3:
		snprintf(text + at, TEXT - at, "%c%s", special_byte(b), rest);
		break;
	case 4:                            /* the start of this one, the end of another */
		snprintf(text + at, TEXT - at, "%s", other + any_below(b, strlen(other) + 1));
		break;
	default:
		snprintf(text + at, TEXT - at, "%s", strlen(rest) > span ? rest + span : "");
	}
}

static void damage_some(struct bench *b, char *text, const char *other)
{
	for (size_t blows = 1 + any_below(b, 4); blows; blows--)
		damage(b, text, other);
}

/* A random position of a random game, going or not, and a move of it if there is one. */
static void random_spot(struct bench *b, struct qv_rules *rules, void **state, char *move)
{
	int games = 0;
	while (qv_game_at(b->context, games))
		games++;
	*rules = (struct qv_rules){ qv_game_at(b->context, (int)any_below(b, (size_t)games)),
				    { 0 } };
	const struct qv_game *game = rules->game;
	for (int i = 0; game->options && game->options[i].name; i++)
		rules->options[i] = game->options[i].preset;
	*state = qv_state_new(b->context, game);
	game->start(rules->options, *state);
	qv_move list[QV_MAX_MOVES];
	for (size_t plies = any_below(b, 60);; plies--) {
		const int count = game->moves(*state, list);
		if (!count)
			break;
		struct qv_text text = { move, QV_MOVE_TEXT, 0 };
		const qv_move chosen = list[any_below(b, (size_t)count)];
		game->move_text(*state, chosen, &text);
		if (!plies)
			break;
		game->play(*state, chosen);
	}
}

static void try_damaged_position(struct bench *b)
{
	struct qv_rules rules, other_rules;
	void *state, *other_state;
	char text[TEXT], other[QV_POSITION_TEXT], move[QV_MOVE_TEXT] = "";
	random_spot(b, &rules, &state, move);
	random_spot(b, &other_rules, &other_state, move);
	print_position(&rules, state, text);
	print_position(&other_rules, other_state, other);
	damage_some(b, text, other);
	try_position(b, &rules, text);
	qv_state_free(b->context, rules.game, state);
	qv_state_free(b->context, other_rules.game, other_state);
}

static void try_damaged_move(struct bench *b)
{
	struct qv_rules rules;
	void *state;
	char text[TEXT] = "";
	random_spot(b, &rules, &state, text);
	damage_some(b, text, "pass");
	try_move(b, rules.game, state, text);
	qv_state_free(b->context, rules.game, state);
}

static void try_damaged_spec(struct bench *b)
{
	static const char *const players[] = {
		"random",
		"level:3",
		"minimax:depth=2",
		"negamax:depth=3,random=1",
		"alphabeta:depth=4,tt=1,tt-exact=1,killers=2,history=1",
		"negascout:nodes=500,window=50,sort=1",
		"mtdf:time=2ms,keep-line=0,chopper=1",
		"alphabeta:evals=100,top=3,razor=1,hard=100,quiet=0",
	};
	static const char *const rules[] = {
		"noughts",        "connect4", "reversi", "toy-counted:heaps=2,size=7,last=loses",
		"toy-nim:size=3", "othello",
	};
	const bool player = any_below(b, 2);
	const char *const *list = player ? players : rules;
	const size_t count =
		player ? sizeof players / sizeof *players : sizeof rules / sizeof *rules;
	char text[TEXT];
	snprintf(text, sizeof text, "%s", list[any_below(b, count)]);
	damage_some(b, text, list[any_below(b, count)]);
	if (player)
		try_player(b, text);
	else
		try_rules(b, text);
}

static void test_bad_input__damaged_texts_are_answered(void **unused)
{
	(void)unused;
	struct bench b;
	setup(&b);
	while (b.refused + b.accepted < MUTATED) {
		const size_t which = any_below(&b, 5);
		if (which < 2)
			try_damaged_position(&b);
		else if (which < 4)
			try_damaged_move(&b);
		else
			try_damaged_spec(&b);
	}
	assert_true(b.refused > MUTATED / 4 && b.accepted > MUTATED / 100);
	teardown(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_input__hand_made_texts_are_answered),
		cmocka_unit_test(test_bad_input__damaged_texts_are_answered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
