/*
 * play.c - the command play: a game in the terminal, or through a pipe.
 * SPDX-License-Identifier: MIT
 *
 * src/play holds the game and the conversation; here are the options and the loop around it.
 */
#include <errno.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/play_files.h"
#include "cli/play_terminal.h"
#include "record/record.h"

/* A game being played. */
struct table {
	struct cli *c;
	struct talk talk;
	struct terminal *terminal;
	atomic_bool *interrupt;
	struct book book;				 /* the trainer's */
	char computer[SESSION_SPEC], hint[SESSION_SPEC]; /* who plays from it */
	int cancelled;					 /* lines in a row that Ctrl-C ended */
	bool broken;					 /* nothing can be written any more */
};

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return clock_us() / 1000;
}

/* ---- The options ---- */

enum { DICE_TYPED, DICE_THROWN }; /* the order of the choices */

struct play_values {
	const char *seats[QV_MAX_SEATS]; /* a spec or "human"; NULL: not given */
	int64_t level, dice;		 /* level 0: not given */
	struct time_control time;
	const char *hint, *trainer;
};

static enum qv_status set_seat(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct play_values *own = arguments_own(values);
	const int seat = text[0] - '1';
	if (seat < 0 || seat >= QV_MAX_SEATS || text[1] != '=' || !text[2])
		return qv_fail(error, QV_BAD_INPUT, "%s: '%.60s' is not %s, as in 2=level:3",
			       option->name, text, option->value);
	if (own->seats[seat])
		return qv_fail(error, QV_BAD_INPUT, "%s: seat %d is given twice", option->name,
			       seat + 1);
	own->seats[seat] = text + 2;
	return QV_OK;
}

static enum qv_status set_time(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct play_values *own = arguments_own(values);
	if (time_control_parse(text, &own->time))
		return QV_OK;
	return qv_fail(error, QV_BAD_INPUT, "%s: '%.60s' is not a time control, as in 5m or 300+3",
		       option->name, text);
}

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct play_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("seat", OPTION_CUSTOM, seats, .set = set_seat, .repeats = true, .value = "N=SPEC",
	    .help = "who plays in a seat: human, level:3, ...; can be repeated"),
	ROW("level", OPTION_INT, level, .min = 1, .max = 1000, .value = "N",
	    .help = "level of the computer (default: the middle one)"),
	ROW("time", OPTION_CUSTOM, time, .set = set_time, .value = "TIME",
	    .help = "clock of each seat: 5m, or 300+3 with an increment"),
	ROW("dice", OPTION_CHOICE, dice, .choices = "typed|thrown", .def = DICE_THROWN,
	    .help = "type the dice rolls yourself, or let the program roll"),
	ROW("hint", OPTION_POINTER, hint, .value = "SPEC", .help = "player that gives hints"),
	ROW("trainer", OPTION_POINTER, trainer, .value = "LINE",
	    .help = "practise an opening of the built-in book, by number or name; any: a random "
		    "one"),
	{ 0 },
};
#undef ROW

static enum qv_status read_options(const struct cli *c, struct session_setup *setup,
				   struct qv_error *error)
{
	const struct play_values *own = cli_own(c);
	const struct qv_game *game = setup->rules->game;
	setup->level = (int)own->level;
	setup->control = own->time;
	setup->typed_dice = own->dice == DICE_TYPED;
	setup->programs = true;
	setup->hint = own->hint;
	for (int i = 0; i < QV_MAX_SEATS; i++) {
		setup->seats[i] = own->seats[i];
		if (own->seats[i] && i >= game->seats)
			return qv_fail(error, QV_BAD_INPUT, "--seat: %s has seats 1 to %d",
				       game->name, game->seats);
	}
	if (setup->typed_dice && !game->chance)
		return qv_fail(error, QV_UNSUPPORTED, "--dice: %s has no dice", game->name);
	return QV_OK;
}

/* The line of the book as a key of a spec; any line if none is asked for. */
static void book_spec(char out[SESSION_SPEC], int level, const char *line)
{
	const bool any = strcmp(line, "any") == 0;
	snprintf(out, SESSION_SPEC, "level:%d,book=own%s%.150s", level,
		 any ? "" : ",line=", any ? "" : line);
}

/* A computer that plays the openings of the program's own book, for a person to learn them. */
static enum qv_status open_trainer(struct table *t, struct session_setup *setup)
{
	const struct play_values *own = cli_own(t->c);
	const struct qv_game *game = setup->rules->game;
	char path[64];
	int levels = 0;
	if (!own->trainer)
		return QV_OK;
	if ((setup->position && strcmp(setup->position, "start") != 0) || game->seats != 2)
		return qv_fail(&t->c->error, QV_UNSUPPORTED,
			       "--trainer: only in a game of two seats, from the start position");
	snprintf(path, sizeof path, "own:%.40s", game->name);
	enum qv_status status = book_open(t->c->context, path, NULL, &t->book, &t->c->error);
	if (status != QV_OK)
		return status;
	if (strcmp(own->trainer, "any") != 0) {
		const struct book_item *line = book_line(&t->book, own->trainer, &t->c->error);
		if (!line)
			return QV_UNKNOWN;
		t->talk.lesson = book_text(&t->book, line->name);
	}
	while (qv_levels(game)[levels])
		levels++;
	book_spec(t->computer, setup->level ? setup->level : (levels + 1) / 2, own->trainer);
	book_spec(t->hint, 1, own->trainer);
	if (!setup->seats[0] && !setup->seats[1])
		setup->seats[1] = "human"; /* as the book has it: the program begins */
	for (int seat = 0; seat < 2; seat++)
		if (!setup->seats[seat])
			setup->seats[seat] = t->computer;
	setup->hint = setup->hint ? setup->hint : t->hint;
	t->talk.trainer = &t->book;
	return QV_OK;
}

/* Where the moves begin: POS, or what a file says; NULL: at the start. */
static enum qv_status first_position(struct cli *c, const struct position *p,
				     char text[QV_POSITION_TEXT], const char **out)
{
	const struct qv_game *game = p->rules.game;
	struct qv_record *start = NULL;
	struct qv_text words = { text, QV_POSITION_TEXT, 0 };
	const void *first = p->record->kept; /* the state at ply 0 */
	*out = c->args.words[2];
	if (!c->args.position_from && !c->args.moves_from)
		return QV_OK;
	const enum qv_status status = qv_record_new(c->context, &p->rules, NULL, &start, &c->error);
	if (status != QV_OK)
		return status;
	text[0] = '\0';
	game->position_text(first, &words);
	*out = memcmp(first, qv_record_state(start), game->state_size) == 0 ? NULL : text;
	qv_record_free(start);
	return QV_OK;
}

/* The moves of --moves have been played on a record already. */
static enum qv_status play_moves(struct session *s, const struct qv_record *record,
				 struct qv_error *error)
{
	enum qv_status status = QV_OK;
	const bool timed = !s->setup.no_times;
	s->setup.no_times = true; /* nobody knows what those took */
	for (int i = 0; i < qv_record_ply(record) && status == QV_OK; i++)
		status = session_play(s, qv_record_move(record, i), error);
	s->setup.no_times = !timed;
	return status;
}

static enum qv_status open_session(struct table *t, const struct position *p)
{
	char first[QV_POSITION_TEXT];
	struct session_setup setup = {
		.context = t->c->context,
		.rules = &p->rules,
		.defaults = cli_defaults(t->c),
		.no_times = t->c->args.no_times,
		.san = p->san,
		.now_ms = now_ms,
	};
	/* Through a pipe all is reproducible; a person wants another game each time. */
	if (terminal_is_one(t->terminal) && !arguments_given(&t->c->args, "seed"))
		setup.defaults.seed = qv_mix((uint64_t)clock_us());
	enum qv_status status = first_position(t->c, p, first, &setup.position);
	if (status == QV_OK)
		status = read_options(t->c, &setup, &t->c->error);
	if (status == QV_OK)
		status = open_trainer(t, &setup);
	if (status == QV_OK)
		status = session_new(&setup, &t->talk.session, &t->c->error);
	if (status == QV_OK)
		status = play_moves(t->talk.session, p->record, &t->c->error);
	return status;
}

/* ---- The loop ---- */

static void flush(struct table *t)
{
	struct string *out = &t->talk.out;
	if (out->failed)
		fputs("(out of memory)\n", stdout);
	if (out->data)
		fwrite(out->data, 1, out->length, stdout);
	t->broken |= fflush(stdout) != 0 || ferror(stdout);
	string_release(out);
}

static void ask(struct table *t)
{
	char prompt[TALK_PROMPT];
	const char *line;
	talk_prompt(&t->talk, prompt);
	atomic_store(t->interrupt, false);
	session_clock_start(t->talk.session);
	const enum line_kind kind = terminal_read(t->terminal, prompt, &line);
	session_clock_stop(t->talk.session);
	t->cancelled = kind == LINE_CANCELLED ? t->cancelled + 1 : 0;
	t->talk.quit |= kind == LINE_END || t->cancelled > 1;
	if (t->cancelled == 1)
		string_addf(&t->talk.out, "(Ctrl-C again, or 'quit', leaves)\n");
	const bool late = talk_check_flag(&t->talk);
	if (kind == LINE_TEXT && !late)
		talk_line(&t->talk, line);
}

static void think(struct table *t)
{
	atomic_store(t->interrupt, false);
	terminal_show_thinking(t->terminal, true);
	talk_think(&t->talk);
	terminal_show_thinking(t->terminal, false);
}

static enum qv_status play_on(struct table *t)
{
	const bool ascii = t->c->args.ascii;
	t->talk.screen = terminal_screen(t->terminal, ascii);
	talk_begin(&t->talk);
	while (!t->broken) {
		t->talk.screen = terminal_screen(t->terminal, ascii);
		t->talk.quit |= cli_asked_to_end();
		const enum talk_next next = talk_next(&t->talk);
		flush(t);
		if (next == TALK_QUIT || t->broken)
			break;
		if (next == TALK_ASK)
			ask(t);
		else if (next == TALK_THINK)
			think(t);
		else
			talk_roll(&t->talk);
	}
	talk_end(&t->talk);
	flush(t);
	if (t->broken)
		return qv_fail(&t->c->error, QV_IO, "standard output: %s", strerror(errno));
	return QV_OK;
}

static enum qv_status run(struct cli *c)
{
	struct table t = { .c = c };
	struct position p;
	if (c->args.json)
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "--json: play is for people; use 'best', or save the game");
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	t.interrupt = cli_catch_interrupts();
	t.talk.stop = t.interrupt;
	t.talk.files = play_files();
	t.talk.out.allocator = &mem_malloc;
	t.terminal = terminal_open(&t.talk, t.interrupt);
	if (!t.terminal)
		status = qv_fail(&c->error, QV_NO_MEMORY, "terminal: out of memory");
	if (status == QV_OK)
		status = open_session(&t, &p);
	position_release(&p);
	if (status == QV_OK)
		status = play_on(&t);
	terminal_close(t.terminal);
	session_free(t.talk.session);
	book_release(&t.book);
	string_release(&t.talk.out);
	return status;
}

const struct command command_play = {
	.name = "play",
	.run = run,
	.least = 1,
	.most = 2,
	.usage = "play GAME [POS]",
	.help = "play a game in the terminal",
	.more = "Without --seat you play in seat 1 against the computer. Type moves as the game writes "
		"them; 'help' lists what else you can type.\n",
	.options = OPTION_GROUPS(moves_options, position_options, ascii_option, san_option,
				 own_options, common_options),
};
