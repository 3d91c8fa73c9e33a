/*
 * play_terminal.c - lines from a terminal with editing, history and completion (libedit), or plain
 * from a pipe.
 * SPDX-License-Identifier: MIT
 *
 * libedit reads its characters through next_character(), which also checks for Ctrl-C and for a
 * clock that has run out. It then ends the line, and terminal_read returns the kind of end that
 * next_character has stored. Without a terminal on both sides lines are read with getc and echoed.
 */
#include "cli/play_terminal.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "cli/cli.h"

enum {
	MOST_LINE = 1 << 16, /* bytes of a line; the rest is dropped */
	HISTORY_LINES = 500,
	LEAST_WIDTH = 20,
	MOST_WIDTH = 1000,
	USUAL_WIDTH = 80,
	LOOK_MS = 200, /* time between two checks of the clocks */
};

/* The state of standard input and output. */
struct terminal {
	struct talk *talk;
	atomic_bool *interrupt;
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

/* Both sides must be a terminal for a person to play. */
bool terminal_is_one(const struct terminal *t)
{
	return t->in && t->out;
}

/* The width comes from the terminal, from COLUMNS, or is 80. */
struct screen terminal_screen(const struct terminal *t, bool ascii)
{
	struct winsize size;
	int64_t width = 0;
	const char *columns = getenv("COLUMNS");
	if (t->out && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (!width && !(columns && text_to_int(columns, LEAST_WIDTH, MOST_WIDTH, &width)))
		width = USUAL_WIDTH;
	width = width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
	return (struct screen){ .width = (int)width,
				.unicode = !ascii && locale_is_utf8(),
				.colour = t->colour,
				.terminal = t->out };
}

/* The word is overwritten when the computer has moved. */
void terminal_show_thinking(const struct terminal *t, bool begins)
{
	if (!t->editing)
		return;
	fputs(begins ? "thinking (Ctrl-C: no longer)" : "\r\033[K", stdout);
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
		if (atomic_exchange(t->interrupt, false))
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

/*
 * libedit needs a terminal on both sides and one that can edit. It reads wide characters, so the
 * locale of the user is set for them.
 */
struct terminal *terminal_open(struct talk *talk, atomic_bool *interrupt)
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

/* Either part may be missing after a failure. */
void terminal_close(struct terminal *t)
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
	const bool interrupted = c == EOF && ferror(stdin) && atomic_exchange(t->interrupt, false);
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

/* Without memory for the line the input is taken as ended. */
enum line_kind terminal_read(struct terminal *t, const char *prompt, const char **line)
{
	snprintf(t->prompt, sizeof t->prompt, "%s", prompt);
	string_release(&t->line);
	const enum line_kind kind = t->editing ? edit_line(t) : plain_line(t);
	*line = t->line.data ? t->line.data : "";
	return t->line.failed ? LINE_END : kind;
}
