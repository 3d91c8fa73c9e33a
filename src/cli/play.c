/*
 * play.c - the command play: a game in the terminal, or through a pipe.
 * SPDX-License-Identifier: MIT
 *
 * src/session holds the game, src/terminal the dialogue; here are the options, the files of saved
 * games, and the loop that reads lines, lets the computer move and prints what the dialogue writes.
 * Answers are printed at once: unlike other commands, play is a conversation.
 *
 * Lines come from a terminal with editing, history and completion (libedit), or plain from a pipe.
 * libedit reads its characters through next_character(), which also checks for Ctrl-C and for a
 * clock that has run out. It then ends the line, and terminal_read returns the kind of end that
 * next_character has stored.
 */
#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#include "base/clock.h"
#include "base/flag.h"
#include "cli/cli.h"
#include "core/context.h"
#include "programs/engine_log.h"
#include "record/record.h"
#include "terminal/dialogue.h"

enum {
	MOST_LINE = 1 << 16, /* bytes of a line; the rest is dropped */
	HISTORY_LINES = 500,
	LOOK_MS = 200, /* time between two checks of the clocks */
};

/* How a line has ended. */
enum line_kind {
	LINE_TEXT,
	LINE_CANCELLED, /* Ctrl-C */
	LINE_LATE,	/* a clock has run out */
	LINE_END,	/* Ctrl-D, the end of the input, or a request to end */
};

/* The state of standard input and output. */
struct terminal {
	struct talk *talk;
	struct qv_flag *interrupt;
	bool in, out; /* standard input and output are a terminal */
	bool editing; /* libedit reads the lines */
	bool colour;
	EditLine *editor;
	History *history;
	enum line_kind kind; /* of the line being read */
	char prompt[TALK_PROMPT];
	struct string line;
};

/* ---- What the terminal can do ---- */

/* Whether TERM names a terminal that can move the cursor. */
static bool term_can(void)
{
	const char *term = getenv("TERM");
	return term && *term && strcmp(term, "dumb") != 0;
}

/* What the terminal can show. */
static struct screen terminal_screen(const struct terminal *t, bool ascii)
{
	return (struct screen){ .width = cli_width(t->out),
				.unicode = !ascii && locale_is_utf8(),
				.colour = t->colour,
				.terminal = t->out };
}

/* Shows that the computer thinks, or clears that again. Prints nothing to a pipe. */
static void terminal_show_thinking(const struct terminal *t, bool begins)
{
	if (!t->editing)
		return;
	fputs(begins ? "thinking (Ctrl-C: move now)" : "\r\033[K", stdout);
	fflush(stdout);
}

/* Replaces that line by what the computer has found. */
static void terminal_show_thoughts(void *ctx, const char *line)
{
	(void)ctx;
	printf("\r\033[K%s", line);
	fflush(stdout);
}

/* ---- Editing ---- */

/* The terminal that belongs to an editor of libedit. */
static struct terminal *terminal_of(EditLine *editor)
{
	void *data = NULL;
	el_get(editor, EL_CLIENTDATA, &data);
	return data;
}

/* libedit calls this for the prompt of each line. */
static char *prompt_of(EditLine *editor)
{
	return terminal_of(editor)->prompt;
}

/* Ends the line for libedit and stores why. */
static int finish_line(struct terminal *t, enum line_kind kind, wchar_t *out)
{
	t->kind = kind;
	*out = L'\n';
	return 1;
}

/* Reads a character for libedit; returns 1, always. */
static int next_character(EditLine *editor, wchar_t *out)
{
	struct terminal *t = terminal_of(editor);
	mbstate_t state = { 0 };
	for (;;) {
		/* got: 1 a byte; 0 the end of the input; -1 nothing yet, so check the clocks. */
		char byte = 0;
		struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
		const int ready = poll(&in, 1, LOOK_MS);
		const ssize_t n = ready > 0 ? read(STDIN_FILENO, &byte, 1) : ready;
		const int got = ready == 0 || (n < 0 && errno == EINTR) ? -1 : n == 1;
		if (flag_take(t->interrupt))
			return finish_line(t, cli_asked_to_end() ? LINE_END : LINE_CANCELLED, out);
		/* A clock that has run out ends the game, not only the line. */
		if (session_turn(t->talk->session) != TURN_OVER &&
		    session_flag(t->talk->session) >= 0)
			return finish_line(t, LINE_LATE, out);
		if (got == 0)
			return finish_line(t, LINE_END, out);
		if (got < 0)
			continue;
		/*
		 * A character of several bytes is complete after its last one; what is not valid
		 * becomes "?".
		 */
		const size_t used = mbrtowc(out, &byte, 1, &state);
		if (used == (size_t)-2)
			continue;
		if (used == (size_t)-1)
			*out = L'?', state = (mbstate_t){ 0 };
		return 1;
	}
}

/* The Tab key: completes what is typed, or lists the possible words. */
static unsigned char complete(EditLine *editor, int character)
{
	(void)character;
	struct terminal *t = terminal_of(editor);
	const LineInfo *info = el_line(editor);
	char begin[QV_MOVE_TEXT];
	const int typed = (int)(info->cursor - info->buffer);
	struct text_list found = { .allocator = &mem_malloc };
	unsigned char done = CC_ERROR;
	if (typed >= QV_MOVE_TEXT)
		return CC_ERROR;
	snprintf(begin, sizeof begin, "%.*s", typed, info->buffer);
	talk_complete(t->talk, begin, &found);
	char insert[WORD_ROOM] = "";
	size_t common = found.count ? strlen(found.text[0]) : 0; /* what all words begin with */
	for (int i = 1; i < found.count; i++)
		while (strncmp(found.text[0], found.text[i], common) != 0)
			common--;
	if (found.count)
		snprintf(insert, sizeof insert, "%.*s", (int)common, found.text[0]);
	/* Short forms and small letters are replaced by the word itself. */
	const bool further = (int)strlen(insert) >= typed && strcmp(insert, begin) != 0;
	/* Insert what all words have in common; if that is nothing new, list the words. */
	if (further)
		el_deletestr(editor, typed);
	if (further && el_insertstr(editor, insert) == 0) {
		done = CC_REFRESH;
	} else if (found.count > 1) {
		struct string list = { .allocator = &mem_malloc };
		view_columns(&list, t->talk->screen.width, &found);
		printf("\n%s", list.failed ? "" : list.data);
		fflush(stdout);
		string_release(&list);
		done = CC_REDISPLAY;
	}
	text_list_release(&found);
	return done;
}

/* Sets up libedit. False: no memory. */
static bool editor_open(struct terminal *t)
{
	HistEvent event;
	t->history = history_init();
	t->editor = el_init("quevedo", stdin, stdout, stderr);
	if (!t->history || !t->editor)
		return false;
	/* The history lasts as long as the program, and has each line once. */
	history(t->history, &event, H_SETSIZE, HISTORY_LINES);
	history(t->history, &event, H_SETUNIQUE, 1);
	/* Signals are handled by this program, not by libedit. */
	el_set(t->editor, EL_CLIENTDATA, t);
	el_set(t->editor, EL_PROMPT, prompt_of);
	el_set(t->editor, EL_EDITOR, "emacs");
	el_set(t->editor, EL_SIGNAL, 0);
	el_set(t->editor, EL_HIST, history, t->history);
	el_set(t->editor, EL_GETCFN, next_character);
	el_set(t->editor, EL_ADDFN, "complete", "completes moves and commands", complete);
	el_set(t->editor, EL_BIND, "\t", "complete", NULL);
	el_set(t->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
	return true;
}

/* Frees the terminal; NULL is fine. Either part may be missing after a failure. */
static void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	if (t->editor)
		el_end(t->editor);
	if (t->history)
		history_end(t->history);
	string_release(&t->line);
	free(t);
}

/*
 * Opens standard input and output. `talk` completes words, and its session has the clocks; Ctrl-C
 * sets `interrupt`. NULL: no memory. libedit needs a terminal on both sides that can edit. It reads
 * wide characters, so the locale of the user is set for them.
 */
static struct terminal *terminal_open(struct talk *talk, struct qv_flag *interrupt)
{
	struct terminal *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->talk = talk;
	t->interrupt = interrupt;
	t->line.allocator = &mem_malloc;
	t->in = isatty(STDIN_FILENO);
	t->out = isatty(STDOUT_FILENO);
	/* Colours need only the output; editing needs both. */
	t->editing = t->in && t->out && term_can();
	const char *no_colour = getenv("NO_COLOR");
	t->colour = t->out && term_can() && !(no_colour && *no_colour);
	if (t->editing)
		setlocale(LC_CTYPE, "");
	if (t->editing && !editor_open(t)) {
		terminal_close(t);
		return NULL;
	}
	return t;
}

/* ---- Lines ---- */

/* Reads a line with libedit and adds it to the history. */
static enum line_kind edit_line(struct terminal *t)
{
	int count = 0;
	HistEvent event;
	t->kind = LINE_TEXT;
	el_resize(t->editor);
	const char *text = el_gets(t->editor, &count);
	if (!text || count <= 0) {
		fputs("\n", stdout);
		return t->kind == LINE_TEXT ? LINE_END : t->kind;
	}
	if (t->kind != LINE_TEXT)
		return t->kind;
	/* Blank lines are not worth keeping in the history. */
	if (text[strspn(text, " \t\r\n")])
		history(t->history, &event, H_ENTER, text);
	string_add(&t->line, text, strcspn(text, "\n"));
	return LINE_TEXT;
}

/* Prints the line, since input from a file does not show on the screen. */
static void echo(const struct terminal *t)
{
	for (const char *c = t->line.data; c && *c; c++)
		putchar((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c);
	putchar('\n');
}

/* Reads a line from a pipe, or from a terminal that cannot edit. */
static enum line_kind plain_line(struct terminal *t)
{
	int c;
	printf("%s", t->prompt);
	fflush(stdout);
	/* A NUL would end the string, so it becomes "?". */
	while ((c = getc(stdin)) != EOF && c != '\n') {
		const char byte = c ? (char)c : '?';
		if (t->line.length < MOST_LINE)
			string_add(&t->line, &byte, 1);
	}
	/* A signal ends a read without data; the flag tells it from the end of the input. */
	const bool interrupted = c == EOF && ferror(stdin) && flag_take(t->interrupt);
	if (interrupted)
		clearerr(stdin);
	if (c != EOF && !t->in)
		echo(t);
	else if (c == EOF)
		putchar('\n');
	if (interrupted)
		return cli_asked_to_end() ? LINE_END : LINE_CANCELLED;
	if (c == EOF && t->line.length && !t->in) {
		echo(t); /* a last line without an end */
		return LINE_TEXT;
	}
	return c == EOF ? LINE_END : LINE_TEXT;
}

/*
 * Reads a line, without its end. *line belongs to the terminal until the next call. If there is no
 * memory for it, the input is taken as ended.
 */
static enum line_kind terminal_read(struct terminal *t, const char *prompt, const char **line)
{
	snprintf(t->prompt, sizeof t->prompt, "%s", prompt);
	string_release(&t->line);
	const enum line_kind kind = t->editing ? edit_line(t) : plain_line(t);
	*line = t->line.data ? t->line.data : "";
	return t->line.failed ? LINE_END : kind;
}

/* ---- The game ---- */

/* A game in progress. */
struct playing {
	struct cli *c;
	struct talk talk;
	struct terminal *terminal;
	struct qv_flag *interrupt;
	struct engine_log *log;				 /* of --log; NULL: none */
	struct book book;				 /* of the trainer */
	char computer[SESSION_SPEC], hint[SESSION_SPEC]; /* specs of players that use it */
	int cancelled;					 /* lines in a row that Ctrl-C ended */
	bool broken;					 /* standard output cannot be written */
};

/* The clock of the session. */
static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return clock_us() / 1000;
}

/* ---- The options ---- */

enum { DICE_TYPED, DICE_THROWN }; /* the order of the choices */

/* The options of play. */
struct play_values {
	const char *seats[QV_MAX_SEATS]; /* a spec or "human"; NULL: not given */
	int64_t level, dice;		 /* level 0: not given */
	struct time_control time;
	const char *hint, *trainer;
	bool thoughts, bell, tutor, interview;
};

/* Reads --seat N=SPEC; each seat at most once. */
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

/* Reads --time, a time control for each seat. */
static enum qv_status set_time(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct play_values *own = arguments_own(values);
	if (time_control_parse(text, &own->time))
		return QV_OK;
	return qv_fail(error, QV_BAD_INPUT,
		       "%s: '%.60s' is not a time control, as in 5m, 300+3 or 3d/move",
		       option->name, text);
}

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct play_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("seat", OPTION_CUSTOM, seats, .set = set_seat, .repeats = true, .value = "N=SPEC",
	    .help = "who plays in a seat: human, level:3, ...; can be repeated"),
	ROW("level", OPTION_INT, level, .min = 1, .max = 1000, .value = "N",
	    .help = "level of the computer (default: the middle one)"),
	ROW("time", OPTION_CUSTOM, time, .set = set_time, .value = "TIME",
	    .help = "clock of each seat: 5m, 300+3 with an increment, 3d/move"),
	ROW("dice", OPTION_CHOICE, dice, .choices = "typed|thrown", .def = DICE_THROWN,
	    .help = "type the dice rolls yourself, or let the program roll"),
	ROW("thoughts", OPTION_FLAG, thoughts,
	    .help = "show depth, score and best line of the computer"),
	ROW("bell", OPTION_FLAG, bell,
	    .help = "ring when the computer has moved, and when a line is refused"),
	ROW("tutor", OPTION_FLAG, tutor,
	    .help = "with dice: report doubtful and bad moves, and note them in the record"),
	ROW("hint", OPTION_POINTER, hint, .value = "SPEC", .help = "player that gives hints"),
	ROW("trainer", OPTION_POINTER, trainer, .value = "LINE",
	    .help = "practise an opening of the built-in book, by number or name; any: a random "
		    "one"),
	{ 0 },
};
static const struct option interview_option[] = {
	ROW("interview", OPTION_FLAG, interview,
	    .help = "ask for game, players and number of games, then play"),
	{ 0 },
};
#undef ROW

/* The spec of a player that follows a line of the built-in book, or any line. */
static void book_spec(char out[SESSION_SPEC], const char *player, const char *line)
{
	const bool any = strcmp(line, "any") == 0;
	snprintf(out, SESSION_SPEC, "%.150s,book=own%s%.150s", player,
		 any ? "" : ",line=", any ? "" : line);
}

/* Seats a computer that plays the openings of the built-in book, for you to practise them. */
static enum qv_status open_trainer(struct playing *t, struct session_setup *setup)
{
	const struct play_values *own = cli_own(t->c);
	const struct qv_game *game = setup->rules->game;
	char path[64], player[STRONGEST_SPEC];
	int levels = 0;
	if ((setup->position && strcmp(setup->position, "start") != 0) || game->seats != 2)
		return qv_fail(&t->c->error, QV_UNSUPPORTED,
			       "--trainer: only in a game of two seats, from the start position");
	/* Open the book now, so that a wrong line is an error here and not at the first move. */
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
	/*
	 * The computer plays the middle level unless --level is given; hints come from the book, and
	 * after it from the strongest player.
	 */
	while (qv_levels(game)[levels])
		levels++;
	snprintf(player, sizeof player, "level:%d", setup->level ? setup->level : (levels + 1) / 2);
	book_spec(t->computer, player, own->trainer);
	strongest_player(game, "time=1s", player);
	book_spec(t->hint, player, own->trainer);
	if (!setup->seats[0] && !setup->seats[1])
		setup->seats[1] = "human"; /* the computer begins, as in the book */
	/* Seats without a player get the computer. */
	for (int seat = 0; seat < 2; seat++)
		if (!setup->seats[seat])
			setup->seats[seat] = t->computer;
	setup->hint = setup->hint ? setup->hint : t->hint;
	t->talk.trainer = &t->book;
	return QV_OK;
}

/* Starts the session from the options, and plays the moves of the command line. */
static enum qv_status open_session(struct playing *t, const struct position *p)
{
	struct cli *c = t->c;
	const struct play_values *own = cli_own(c);
	const struct qv_game *game = p->rules.game;
	char first[QV_POSITION_TEXT] = "";
	struct session_setup setup = {
		.context = c->context,
		.rules = &p->rules,
		.defaults = cli_defaults(c),
		.no_times = c->args.no_times,
		.san = p->san,
		.now_ms = now_ms,
		.level = (int)own->level,
		.control = own->time,
		.typed_dice = own->dice == DICE_TYPED,
		.programs = true,
		.log = t->log,
		.hint = own->hint,
	};
	/* Through a pipe games are reproducible; at a terminal each one is different. */
	if (t->terminal->in && t->terminal->out && !cli_given(c, "seed"))
		setup.defaults.seed = qv_mix((uint64_t)clock_us());
	/* The position before all moves: POS, or that of a file unless it is the start position. */
	const void *at_ply_0 = p->record->kept;
	struct qv_record *start = NULL;
	enum qv_status status = QV_OK;
	setup.position = c->args.words[2];
	if (c->args.position_from || c->args.moves_from) {
		status = qv_record_new(c->context, &p->rules, NULL, &start, &c->error);
		if (status != QV_OK)
			return status;
		game->position_text(at_ply_0, &(struct qv_text){ first, sizeof first, 0 });
		setup.position =
			memcmp(at_ply_0, qv_record_state(start), game->state_size) ? first : NULL;
		qv_record_free(start);
	}
	for (int i = 0; i < QV_MAX_SEATS; i++) {
		setup.seats[i] = own->seats[i];
		if (own->seats[i] && i >= game->seats)
			return cli_refuse(c, "--seat: %s has seats 1 to %d", game->name,
					  game->seats);
	}
	if (setup.typed_dice && !game->chance)
		return qv_fail(&c->error, QV_UNSUPPORTED, "--dice: %s has no dice", game->name);
	/* The trainer fills the seats that are still free. */
	if (own->trainer)
		status = open_trainer(t, &setup);
	if (status == QV_OK)
		status = session_new(&setup, &t->talk.session, &c->error);
	if (status != QV_OK)
		return status;
	/* The times of these moves are unknown. */
	struct session *s = t->talk.session;
	s->setup.no_times = true;
	for (int i = 0; i < qv_record_ply(p->record) && status == QV_OK; i++)
		status = session_play(s, qv_record_move(p->record, i), &c->error);
	s->setup.no_times = setup.no_times;
	return status;
}

/* ---- Saved games ---- */

/* Saves a game whole or not at all. `over`: an existing file may be replaced. */
static enum qv_status save(void *ctx, const char *path, const char *data, size_t size, bool over,
			   struct qv_error *error)
{
	(void)ctx;
	struct file_writer file;
	if (!over && access(path, F_OK) == 0)
		return qv_fail(error, QV_ILLEGAL, "%.60s: already exists", path);
	enum qv_status status = file_create(&file, &mem_malloc, path, error);
	if (status == QV_OK)
		status = file_write(&file, data, size, error);
	if (status != QV_OK)
		return status;
	return over ? file_keep(&file, error) : file_keep_new(&file, error);
}

/* Reads a saved game. Standard input cannot be read, since it has the moves. */
static enum qv_status load(void *ctx, const char *path, struct string *out, struct qv_error *error)
{
	(void)ctx;
	struct file_bytes bytes;
	if (strcmp(path, "-") == 0)
		return qv_fail(error, QV_IO, "-: moves are read from there, not games");
	enum qv_status status = file_read(&mem_malloc, path, RECORD_MAX_BYTES, &bytes, error);
	if (status != QV_OK)
		return status;
	string_add(out, bytes.data, bytes.size);
	file_release(&mem_malloc, &bytes);
	return out->failed ? qv_fail(error, QV_NO_MEMORY, "%.60s: out of memory", path) : QV_OK;
}

/* ---- The loop ---- */

/* Prints what the dialogue has written. */
static void flush(struct playing *t)
{
	struct string *out = &t->talk.out;
	if (out->failed)
		fputs("(out of memory)\n", stdout);
	if (out->data)
		fwrite(out->data, 1, out->length, stdout);
	t->broken |= fflush(stdout) != 0 || ferror(stdout);
	string_release(out);
}

/* Reads a line and hands it to the dialogue. */
static void read_command(struct playing *t)
{
	char prompt[TALK_PROMPT];
	const char *line;
	/* Your clock runs while you type. A second Ctrl-C in a row leaves. */
	talk_prompt(&t->talk, prompt);
	flag_set(t->interrupt, false);
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

/*
 * The loop: print, then read a line, search or roll as the dialogue needs, until it ends or
 * standard output fails.
 */
static enum qv_status play_on(struct playing *t)
{
	const bool ascii = t->c->args.ascii;
	t->talk.screen = terminal_screen(t->terminal, ascii);
	talk_begin(&t->talk);
	/* The width of the terminal may change between two moves. */
	while (!t->broken) {
		t->talk.screen = terminal_screen(t->terminal, ascii);
		t->talk.quit |= cli_asked_to_end();
		const enum talk_next next = talk_next(&t->talk);
		flush(t);
		if (next == TALK_QUIT || t->broken)
			break;
		if (next == TALK_ASK)
			read_command(t);
		if (next == TALK_ROLL)
			talk_roll(&t->talk);
		/* Ctrl-C during the search lets the computer move at once. */
		if (next != TALK_THINK)
			continue;
		flag_set(t->interrupt, false);
		terminal_show_thinking(t->terminal, true);
		talk_think(&t->talk);
		terminal_show_thinking(t->terminal, false);
	}
	talk_end(&t->talk);
	flush(t);
	if (t->broken)
		return qv_fail(&t->c->error, QV_IO, "standard output: %s", strerror(errno));
	return QV_OK;
}

/*
 * Opens the position, the terminal and the session, and plays. The position is needed only to set
 * up the session.
 */
static enum qv_status run(struct cli *c)
{
	struct playing t = { .c = c };
	struct position p;
	if (c->args.json)
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "--json: play is for people; use 'best', or save the game");
	if (((const struct play_values *)cli_own(c))->interview) {
		const enum qv_status allowed =
			arguments_allow(&c->args, OPTION_GROUPS(interview_option, ascii_option),
					"play --interview", &c->error);
		return allowed == QV_OK ? cli_interview(c) : allowed;
	}
	if (c->args.word_count < 2)
		return cli_refuse(c, "play: an argument is missing; usage: quevedo %s",
				  command_play.usage);
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	if (((const struct play_values *)cli_own(c))->tutor && !p.rules.game->chance) {
		position_release(&p);
		return cli_refuse(c, "--tutor: only in games with dice");
	}
	/* Ctrl-C must not end the program while you play. */
	t.interrupt = cli_catch_interrupts();
	t.talk.stop = t.interrupt;
	t.talk.files = (struct talk_files){ .save = save, .load = load };
	t.talk.out.allocator = &mem_malloc;
	t.terminal = terminal_open(&t.talk, t.interrupt);
	if (!t.terminal)
		status = cli_no_memory(c, "terminal");
	else if (t.terminal->editing)
		t.talk.show_thoughts = terminal_show_thoughts;
	const struct play_values *own = cli_own(c);
	t.talk.thoughts = own->thoughts;
	t.talk.bell = own->bell;
	t.talk.tutor = own->tutor;
	const struct engine_log_file file = { c->args.log, "play", 1, 1, 0 };
	if (status == QV_OK && c->args.log)
		status = engine_log_open_in(&t.log, &mem_malloc, &file, &c->error);
	if (status == QV_OK)
		status = open_session(&t, &p);
	position_release(&p);
	if (status == QV_OK)
		status = play_on(&t);
	terminal_close(t.terminal);
	session_free(t.talk.session);
	if (status == QV_OK)
		status = engine_log_status(t.log, &c->error);
	engine_log_close(t.log);
	book_release(&t.book);
	string_release(&t.talk.out);
	return status;
}

const struct command command_play = {
	.name = "play",
	.run = run,
	.most = 2,
	.usage = "play GAME [POS]",
	.help = "play a game in the terminal",
	.more = "Without --seat you play in seat 1 against the computer. Type moves as the game writes "
		"them; 'help' lists what else you can type. 'quevedo play --interview' asks for "
		"everything instead.\n",
	.options = OPTION_GROUPS(moves_options, position_options, ascii_option, san_option,
				 own_options, log_option, interview_option, syzygy_option,
				 common_options),
};
