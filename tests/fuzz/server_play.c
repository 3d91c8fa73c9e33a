/*
 * server_play.c - fuzz target: a table on the first line, then what happens at it. Nothing crashes,
 * a refusal changes nothing and says why, and the play is always what its lines make of it.
 * SPDX-License-Identifier: MIT
 *
 *     GAME SEAT ... [clock=5m] [typed]     a seat is ann, bob, open, or a spec such as level:1
 *     ann {"action":"undo"}                an action of that person
 *     bob move 5                           a move of that person
 *     wait 2500                            so many ms go by, and what is due happens
 *     think                                the computer to move makes its first legal move
 *     load LINE                            a line as if it were stored, tried on a copy
 */
#include "fuzz/fuzz.h"

#include "support/plays.h"

enum { MOST_LINES = 60, LINES_BETWEEN_CHECKS = 8 };

static bool add_seat(struct hosted_setup *setup, const char *word)
{
	const bool person = strcmp(word, "ann") == 0 || strcmp(word, "bob") == 0;
	const struct hosted_user who = { word, word };
	return setup->seat_count < QV_MAX_SEATS &&
	       hosted_seat_read(&setup->seats[setup->seat_count++], person ? "human" : word, &who);
}

/* The table that a line describes; false: it describes none. */
static bool set_table(struct table *t, const struct qv_context *context, char *line)
{
	struct qv_rules rules;
	struct hosted_setup setup = {
		.id = "fuzz", .owner = "ann", .owner_name = "ann", .rules = &rules
	};
	char *rest = NULL, *word = strtok_r(line, " ", &rest);
	if (!word || qv_rules_parse(context, word, &rules, NULL) != QV_OK)
		return false;
	for (word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (strncmp(word, "clock=", 6) == 0)
			setup.clock = word + 6;
		else if (strcmp(word, "typed") == 0)
			setup.typed_dice = true;
		else if (!add_seat(&setup, word))
			return false;
	}
	const enum verdict verdict = table_open(t, context, &setup);
	if (verdict != VERDICT_OK)
		fuzz_require_reason(&t->error);
	return verdict == VERDICT_OK;
}

static void think(struct table *t)
{
	struct hosted_think job;
	qv_move list[QV_MAX_MOVES];
	const struct qv_record *r = hosted_record(t->play);
	if (!hosted_wants_think(t->play, t->now, &job))
		return;
	fuzz_require(qv_record_rules(r)->game->moves(qv_record_state(r), list) > 0);
	/* Its flag may be down already, which is all that can be wrong. */
	if (hosted_computer_move(t->play, job.turn, list[0], 0.5, t->now, &t->error) != VERDICT_OK)
		fuzz_require(hosted_due(t->play) <= t->now);
	table_store(t);
}

static void wait_for(struct table *t, int ms)
{
	t->now += ms < 0 ? 0 : ms;
	hosted_tick(t->play, t->now, NULL);
	table_store(t);
}

/* A line from a store that something went wrong with. */
static void load(struct table *t, const char *line)
{
	struct hosted_game *again = NULL;
	const char **lines = malloc((t->count + 1) * sizeof *lines);
	fuzz_require(lines != NULL);
	for (size_t i = 0; i < t->count; i++)
		lines[i] = t->lines[i];
	lines[t->count] = line;
	if (hosted_load(t->context, &t->host, lines, t->count + 1, t->now, &again, &t->error) == VERDICT_OK)
		free(table_seen(again, "ann", t->now));
	else
		fuzz_require_reason(&t->error);
	hosted_free(again);
	free(lines);
}

/* What the server sends a user, to be compared; the caller frees it. */
static char *sent(const struct table *t, const char *user)
{
	struct string rest = game_line_and_tree(t->play);
	char *text = game_text(game_head_json(t->play, user, 1, t->now), &rest);
	string_release(&rest);
	fuzz_require(text != NULL);
	return text;
}

/* "ann ..." or "bob ...": a move or an action, which changes something or nothing. */
static void ask(struct table *t, const char *user, const char *what)
{
	char *before = sent(t, user);
	const size_t lines = t->count;
	t->error.text[0] = '\0';
	const enum verdict verdict = strncmp(what, "move ", 5) == 0 ? table_move(t, user, what + 5)
							   : table_act(t, user, what);
	char *after = sent(t, user);
	if (verdict != VERDICT_OK) {
		fuzz_require(verdict == VERDICT_MALFORMED || verdict == VERDICT_NOT_YOURS || verdict == VERDICT_NOT_NOW);
		fuzz_require_reason(&t->error);
		fuzz_require(strcmp(before, after) == 0 && t->count == lines);
	} else if (t->count == lines) { /* nothing lasts of it, and nothing is seen */
		fuzz_require(strstr(what, "move_now") || strstr(what, "help") || strstr(what, "engine"));
		fuzz_require(strcmp(before, after) == 0);
	}
	free(before);
	free(after);
}

/* Ids of users are ASCII: the server makes them itself. */
static bool may_be_user(const char *word)
{
	size_t length = 0;
	while (word[length] > ' ' && word[length] < 0x7f)
		length++;
	return !word[length] && length < HOSTED_USER_ROOM;
}

static void happen(struct table *t, char *line)
{
	char *rest = strchr(line, ' ');
	if (rest)
		*rest++ = '\0';
	else
		rest = line + strlen(line);
	if (strcmp(line, "think") == 0)
		think(t);
	else if (strcmp(line, "wait") == 0)
		wait_for(t, (int)strtol(rest, NULL, 10) % 1000000);
	else if (strcmp(line, "load") == 0)
		load(t, rest);
	else if (may_be_user(line))
		ask(t, line, rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = fuzz_next_line(text);
	struct table t;
	if (set_table(&t, fuzz_games(), text)) {
		for (int i = 0; i < MOST_LINES && *rest; i++) {
			char *line = rest;
			rest = fuzz_next_line(line);
			happen(&t, line);
			if (i % LINES_BETWEEN_CHECKS == 0)
				fuzz_require(table_same(&t, "ann"));
		}
		fuzz_require(table_same(&t, "ann"));
		table_close(&t);
	}
	free(text);
	return 0;
}
