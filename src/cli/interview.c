/*
 * interview.c - play --interview: questions instead of options.
 * SPDX-License-Identifier: MIT
 *
 * As the console of the Lurgee framework, it asks for the game, for each seat a person or a computer
 * and how that searches, and for the number of games. Enter takes the default in brackets. The
 * answers become the words of a command line, which is printed and then run like any other: `play`
 * if a person takes part, else `match`.
 *
 * An answer is checked by the code that reads it from a command line, so the reason for asking again
 * is the error text of that code. If the input is not a terminal, nothing is printed before the last
 * answer, so that a failure prints its one line alone, and a wrong answer is repeated only a few
 * times.
 */
#include <unistd.h>

#include "base/scan.h"
#include "book/book.h"
#include "cli/cli.h"
#include "core/context.h"
#include "core/player.h"
#include "lurgee/search.h"
#include "match/match.h"
#include "programs/players.h"

enum {
	MOST_TRIES = 3,	   /* wrong answers to a question, from a pipe */
	ANSWER_ROOM = 256, /* bytes of an answer; the rest is dropped */
	SPEC_ROOM = 1024,
	MOST_ARGUMENTS = 160,
	ARGUMENT_ROOM = SPEC_ROOM + 16,
};

struct interview {
	struct cli *c;
	bool terminal; /* standard input is one */
	struct qv_rules rules;
	char specs[QV_MAX_SEATS][SPEC_ROOM]; /* "human", or the spec of a player */

	/* The question that is being asked, for the function that reads the answer. */
	const char *preset, *choices;
	const struct option *row;
	int64_t most, number; /* the largest number, and the one that was answered */
	char *spec;	      /* of the player that is being described */

	/* The command line. */
	char storage[MOST_ARGUMENTS][ARGUMENT_ROOM];
	char *words[MOST_ARGUMENTS + 1];
	int word_count;
};

/* ---- Questions ---- */

/* Reads an answer. A failure has a reason in `error`, and the question is asked again. */
typedef enum qv_status answer_fn(struct interview *v, const char *answer, struct qv_error *error);

/* Reads a line, without blanks around it. False: the input has ended. */
static bool read_line(char *out)
{
	size_t length = 0;
	int c;
	while ((c = getc(stdin)) != EOF && c != '\n')
		if (length + 1 < ANSWER_ROOM)
			out[length++] =
				c < ' ' || c > '~' ? (c == '\t' || c == '\r' ? ' ' : '?') : (char)c;
	out[length] = '\0';
	if (c == EOF && !length)
		return false;
	const char *trimmed = scan_trim(out, " ");
	memmove(out, trimmed, strlen(trimmed) + 1);
	return true;
}

/* Asks until the answer can be read. An empty answer is the default. */
static enum qv_status ask(struct interview *v, answer_fn *take, const char *preset,
			  const char *question)
{
	struct string *out = &v->c->out;
	v->preset = preset;
	for (int tries = 1;; tries++) {
		char line[ANSWER_ROOM];
		struct qv_error why = { "" };
		string_addf(out, "%s [%s]: ", question, preset);
		if (v->terminal && cli_flush(v->c) != QV_OK)
			return QV_IO;
		if (!read_line(line)) {
			if (v->terminal)
				putchar('\n');
			return cli_refuse(v->c,
					  "--interview: the input ends before the answer to "
					  "'%.120s'",
					  question);
		}
		if (!v->terminal)
			string_addf(out, "%s\n", line);
		const char *answer = *line ? line : preset;
		if (take(v, answer, &why) == QV_OK)
			return QV_OK;
		if (!v->terminal && tries == MOST_TRIES)
			return cli_refuse(v->c, "--interview: %.230s", why.text);
		string_addf(out, "  %s\n", why.text);
	}
}

/* Reads one of v->choices, by its number or by its beginning. */
static enum qv_status take_choice(struct interview *v, const char *answer, struct qv_error *error)
{
	const char *rest = v->choices;
	char word[32];
	for (int64_t i = 1; scan_piece(&rest, "|", "", word, sizeof word); i++) {
		int64_t number;
		size_t same = 0;
		while (answer[same] && to_lower(answer[same]) == word[same])
			same++;
		if ((text_to_int(answer, 1, 9, &number) && number == i) ||
		    (same && !answer[same])) {
			v->number = i;
			return QV_OK;
		}
	}
	return qv_fail(error, QV_BAD_INPUT, "'%.60s': expected %s", answer, v->choices);
}

/* Asks for a word of the list; v->number becomes its place, from 1. */
static enum qv_status ask_choice(struct interview *v, const char *choices, int preset,
				 const char *question)
{
	const char *rest = choices;
	char text[160], word[32], first[32] = "";
	struct qv_text list = { text, sizeof text, 0 };
	qv_put(&list, question);
	for (int i = 1; scan_piece(&rest, "|", "", word, sizeof word); i++) {
		qv_put(&list, i == 1 ? ": " : ", ");
		qv_put_int(&list, i);
		qv_put(&list, " ");
		qv_put(&list, word);
		if (i == preset)
			snprintf(first, sizeof first, "%s", word);
	}
	v->choices = choices;
	return ask(v, take_choice, first, text);
}

/* Reads a number from 1 to v->most. */
static enum qv_status take_number(struct interview *v, const char *answer, struct qv_error *error)
{
	if (text_to_int(answer, 1, v->most, &v->number))
		return QV_OK;
	return qv_fail(error, QV_BAD_INPUT, "'%.60s': expected a number from 1 to %lld", answer,
		       (long long)v->most);
}

static enum qv_status take_game(struct interview *v, const char *answer, struct qv_error *error)
{
	return qv_rules_parse(v->c->context, answer, &v->rules, error);
}

/* ---- Players ---- */

/* Takes over the spec if it makes a player for this game. */
static enum qv_status try_spec(struct interview *v, const char *spec, struct qv_error *error)
{
	/* A small table: the player is not going to think. */
	struct qv_defaults defaults = cli_defaults(v->c);
	struct qv_player *player = NULL;
	defaults.hash_mb = 1;
	if (strlen(spec) >= SPEC_ROOM)
		return qv_fail(error, QV_BAD_INPUT, "player: the spec is too long");
	const enum qv_status status =
		player_open(v->c->context, &v->rules, spec, &defaults, &player, error);
	qv_player_free(player);
	if (status == QV_OK)
		memmove(v->spec, spec, strlen(spec) + 1);
	return status;
}

/* Adds "key=value" to the spec. */
static enum qv_status try_key(struct interview *v, const char *key, const char *value,
			      struct qv_error *error)
{
	char spec[SPEC_ROOM + ANSWER_ROOM + 64];
	if (strchr(value, ','))
		return qv_fail(error, QV_BAD_INPUT, "%s: a comma cannot be part of it", key);
	snprintf(spec, sizeof spec, "%s%s%s=%s", v->spec, strchr(v->spec, ':') ? "," : ":", key,
		 value);
	return try_spec(v, spec, error);
}

/* Reads a level, the name of a kind, or a whole spec. */
static enum qv_status take_player(struct interview *v, const char *answer, struct qv_error *error)
{
	char spec[SPEC_ROOM];
	int64_t level;
	if (strcmp(answer, "human") == 0)
		return qv_fail(error, QV_BAD_INPUT, "human: this seat belongs to the computer");
	if (text_to_int(answer, INT64_MIN, INT64_MAX, &level))
		snprintf(spec, sizeof spec, "level:%lld", (long long)level);
	else
		snprintf(spec, sizeof spec, "%s", answer);
	return try_spec(v, spec, error);
}

/* Reads the value of one key. The default adds nothing, except that a depth is always shown. */
static enum qv_status take_key(struct interview *v, const char *answer, struct qv_error *error)
{
	const bool depth = strcmp(v->row->name, "depth") == 0;
	if (strcmp(answer, "none") == 0 || (!depth && strcmp(answer, v->preset) == 0))
		return QV_OK;
	if (strcmp(v->row->name, "evals") == 0 && strcmp(answer, "0") == 0)
		return QV_OK;
	return try_key(v, v->row->name, answer, error);
}

/* Reads an opening: nothing, no book, the book, or a line of it. */
static enum qv_status take_opening(struct interview *v, const char *answer, struct qv_error *error)
{
	char line[ANSWER_ROOM + 16];
	if (strcmp(answer, "default") == 0)
		return QV_OK;
	if (strcmp(answer, "none") == 0 || strcmp(answer, "own") == 0)
		return try_key(v, "book", answer, error);
	/* One try for both keys: a line needs the book. */
	if (strchr(answer, ','))
		return qv_fail(error, QV_BAD_INPUT, "opening: a comma cannot be part of a name");
	snprintf(line, sizeof line, "book=own,line=%s", answer);
	char spec[SPEC_ROOM + sizeof line];
	snprintf(spec, sizeof spec, "%s%s%s", v->spec, strchr(v->spec, ':') ? "," : ":", line);
	return try_spec(v, spec, error);
}

/* The evaluations that a kind can use in this game. */
static const struct qv_evaluation *evaluations_of(const struct interview *v,
						  const struct player_kind *kind)
{
	const struct game_player *part = game_player_find(context_engine(v->rules.game), kind);
	return kind == &lurgee_kind && part ? ((const struct lurgee_kit *)part->own)->evaluations
					    : v->rules.game->evaluations;
}

/* Asks for the value of a key of this kind; `set` has its defaults. */
static enum qv_status ask_key(struct interview *v, const struct settings *set, const char *question)
{
	const struct option *row = v->row;
	char preset[64] = "", text[256];
	struct qv_text words = { text, sizeof text, 0 };
	option_write(row, set, &(struct qv_text){ preset, sizeof preset, 0 });
	qv_put(&words, "  ");
	qv_put(&words, question);
	if (row->type == OPTION_SWITCH) {
		const enum qv_status status = ask_choice(v, "yes|no", *preset == '1' ? 1 : 2, text);
		if (status != QV_OK || (v->number == 1) == (*preset == '1'))
			return status;
		return try_key(v, row->name, v->number == 1 ? "1" : "0", &v->c->error);
	}
	if (row->type == OPTION_CHOICE) {
		qv_put(&words, ", ");
		qv_put(&words, row->choices);
	}
	if (strcmp(row->name, "eval") == 0) {
		const struct qv_evaluation *const tables[] = {
			evaluations_of(v, set->kind),
			set->kind == &lurgee_kind ? NULL
						  : context_added(v->c->context, v->rules.game),
		};
		const char *between = ": ";
		for (int i = 0; i < 2; i++)
			for (const struct qv_evaluation *e = tables[i]; e && e->name; e++) {
				qv_put(&words, between);
				qv_put(&words, e->name);
				between = ", ";
			}
		if (!tables[0] || !tables[0]->name)
			return QV_OK;
		snprintf(preset, sizeof preset, "%s", tables[0]->name);
	}
	/* Zero stands for no limit. */
	const bool limit = strcmp(row->name, "depth") == 0 || strcmp(row->name, "evals") == 0;
	return ask(v, take_key, limit && strcmp(preset, "0") == 0 ? "none" : preset, text);
}

/* Asks how a searcher searches: the keys of the console that its kind has. */
static enum qv_status ask_keys(struct interview *v)
{
	static const struct {
		const char *key, *question;
	} keys[] = {
		{ "search", "Search method" },
		{ "depth", "Search depth, in plies" },
		{ "iterate", "Iterative deepening" },
		{ "evals", "Evaluation threshold, for a move" },
		{ "killers", "Killer moves for each ply" },
		{ "eval", "Evaluator" },
	};
	struct settings set;
	enum qv_status status = spec_parse(v->spec, NULL, &set, &v->c->error);
	const struct options o = { .groups = status == QV_OK ? set.kind->options : NULL };
	bool iterates = true;
	for (size_t i = 0; i < sizeof keys / sizeof *keys && status == QV_OK; i++) {
		v->row = options_find(&o, keys[i].key, NULL);
		/* A single pass has no threshold: it would have no move. */
		if (!v->row || (!iterates && strcmp(keys[i].key, "evals") == 0))
			continue;
		status = ask_key(v, &set, keys[i].question);
		if (strcmp(keys[i].key, "iterate") == 0)
			iterates = v->number == 1;
	}
	return status;
}

/* Asks who plays in a seat. */
static enum qv_status ask_seat(struct interview *v, int seat)
{
	const struct qv_game *game = v->rules.game;
	const struct engine *engine = context_engine(game);
	char question[160], middle[16];
	int levels = 0;
	size_t size;
	v->spec = v->specs[seat];
	snprintf(question, sizeof question, "Seat %d", seat + 1);
	enum qv_status status = ask_choice(v, "person|computer", seat ? 2 : 1, question);
	strcpy(v->spec, "human");
	if (status != QV_OK || v->number == 1)
		return status;
	while (qv_levels(game)[levels])
		levels++;
	snprintf(middle, sizeof middle, "%d", (levels + 1) / 2);
	snprintf(question, sizeof question,
		 "  Level 1 to %d, or a searcher such as %s ('quevedo help players')", levels,
		 game_player_find(engine, &lurgee_kind) ? "lurgee or negascout"
		 : game->chance				? "expectimax"
		 : game->seats == 2			? "negascout or mcts"
							: "maxn or mcts");
	status = ask(v, take_player, middle, question);
	if (status == QV_OK && !strchr(v->spec, ':'))
		status = ask_keys(v);
	/* A program has openings of its own. */
	struct settings set;
	if (status != QV_OK || !book_own(game, &size) ||
	    spec_parse(v->spec, NULL, &set, NULL) != QV_OK)
		return status;
	snprintf(
		question, sizeof question,
		"  Opening: default, none, own (the book), or a line of 'quevedo book show own:%s'",
		game->name);
	return ask(v, take_opening, "default", question);
}

/* ---- The command line ---- */

static void add_word(struct interview *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void add_word(struct interview *v, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (v->word_count < MOST_ARGUMENTS) {
		vsnprintf(v->storage[v->word_count], ARGUMENT_ROOM, format, args);
		v->words[v->word_count] = v->storage[v->word_count];
		v->word_count++;
	}
	va_end(args);
}

/* Repeats a common option with a number, if it was given. */
static void add_number(struct interview *v, const char *option, int64_t number)
{
	if (!cli_given(v->c, option))
		return;
	add_word(v, "--%s", option);
	add_word(v, "%lld", (long long)number);
}

/* Repeats the common options. The plug-ins are loaded already; they are only printed. */
static void add_common(struct interview *v)
{
	const struct cli *c = v->c;
	add_number(v, "seed", c->args.seed);
	add_number(v, "threads", c->args.threads);
	add_number(v, "hash", c->args.hash_mb);
	if (c->args.no_times)
		add_word(v, "--no-times");
	for (int i = 0; i < c->args.plugins.count; i++) {
		add_word(v, "--plugin");
		add_word(v, "%s", c->args.plugins.texts[i]);
	}
}

/* Prints the words so that a shell reads them again. */
static void print_words(struct interview *v)
{
	struct string *out = &v->c->out;
	string_addf(out, "\nThe same without questions:\n ");
	for (int i = 0; i < v->word_count; i++) {
		const char *word = v->words[i];
		const bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
							       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
							       "0123456789-_=:,./+")];
		string_addf(out, plain ? " " : " '");
		for (const char *at = word; *at; at++)
			string_addf(out, *at == '\'' ? "'\\''" : "%c", *at);
		string_addf(out, plain ? "" : "'");
	}
	string_addf(out, "\n\n");
}

/* The words of `play` if a person takes part or the game has one seat, else of `match`. */
static enum qv_status make_words(struct interview *v)
{
	const struct qv_game *game = v->rules.game;
	bool people = game->seats == 1;
	for (int seat = 0; seat < game->seats; seat++)
		people |= strcmp(v->specs[seat], "human") == 0;
	add_word(v, "quevedo");
	add_word(v, people ? "play" : "match");
	add_word(v, "%s", rules_text(&v->rules).text);
	for (int seat = 0; seat < game->seats; seat++) {
		add_word(v, people ? "--seat" : "--player");
		if (people)
			add_word(v, "%d=%s", seat + 1, v->specs[seat]);
		else
			add_word(v, "%c=%s", 'A' + seat, v->specs[seat]);
	}
	if (people && v->c->args.ascii)
		add_word(v, "--ascii");
	if (people)
		return QV_OK;
	v->most = MATCH_MAX_GAMES;
	enum qv_status status = ask(v, take_number, "1", "Number of games");
	const int64_t games = v->number;
	if (status != QV_OK)
		return status;
	add_word(v, "--games");
	add_word(v, "%lld", (long long)games);
	if (games > 1)
		status = ask_choice(v, "yes|no", 1, "Change seats after each game");
	if (status == QV_OK && games > 1 && v->number == 2)
		add_word(v, "--keep-seats");
	return status;
}

/* The words must last as long as the command runs, since the arguments point to them. */
enum qv_status cli_interview(struct cli *c)
{
	const struct qv_game *first = qv_game_at(c->context, 0);
	if (c->args.word_count > 2)
		return cli_refuse(c, "--interview: games begin with the start position; leave out "
				     "the position");
	struct interview *v = mem_new(&mem_malloc, 1, sizeof *v);
	if (!v)
		return cli_no_memory(c, "--interview");
	v->c = c;
	v->terminal = isatty(STDIN_FILENO);
	string_addf(&c->out, "Press Enter for the answer in brackets.\n");
	enum qv_status status =
		ask(v, take_game, c->args.word_count > 1 ? c->args.words[1] : first->name, "Game");
	for (int seat = 0; status == QV_OK && seat < v->rules.game->seats; seat++)
		status = ask_seat(v, seat);
	if (status == QV_OK)
		status = make_words(v);
	if (status == QV_OK) {
		const struct command *command;
		add_common(v);
		print_words(v);
		status = cli_flush(c);
		if (status == QV_OK)
			status = arguments_parse(&c->args, commands, &command_play, v->word_count,
						 v->words, &command, &c->error);
		if (status == QV_OK)
			status = command->run(c);
	}
	mem_free(&mem_malloc, v, sizeof *v);
	return status;
}
