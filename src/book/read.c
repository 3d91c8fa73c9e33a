/*
 * read.c - reads a book from untrusted text, from a file or from the books built into the program.
 * SPDX-License-Identifier: MIT
 *
 * Each line begins with a keyword; blanks around it are ignored. What belongs to a position
 * (`name`, `move`) or to any item (`note`) is on the lines below it. An item enters the index when
 * the next one begins. With a reporter, a wrong line is reported and skipped together with the
 * lines that belong to it. Functions that can skip a line return QV_OK then and set *ok to false;
 * another status ends the reading.
 */
#include "base/embed.h"
#include "base/file.h"
#include "base/options.h"
#include "base/scan.h"
#include "book/inside.h"
#include "book/polyglot_book.h"
#include "core/context.h"

static const char magic[] = "quevedo-book";

struct reading {
	struct book *b;
	const struct book_reporter *reporter;
	struct qv_error *error;
	int line;
	uint32_t from; /* the first position of lines and replies */
	bool open;     /* the last item is still open and not in the index yet */
	bool skip;     /* the last item was wrong: skip what belongs to it */
	bool on_move;  /* a note belongs to the last move */
	bool any;      /* an item or `from` has been read */
};

/* ---- Errors ---- */

/* With a reporter, reports the line and returns QV_OK; the caller then skips it. */
static enum qv_status complain(struct reading *r, enum qv_status status, const char *why)
{
	if (status == QV_NO_MEMORY)
		return qv_fail(r->error, status, "%s", why);
	if (!r->reporter)
		return qv_fail(r->error, status, "book, line %d: %.200s", r->line, why);
	r->reporter->report(r->reporter->ctx, r->line, why);
	return QV_OK;
}

/* Wrong input, as most errors are. */
static enum qv_status refuse(struct reading *r, const char *why)
{
	return complain(r, QV_BAD_INPUT, why);
}

/* ---- Words ---- */

static const char blank[] = " \t\r";

/*
 * Reads a weight at the start of the text, if there is one; *text moves past it. The last word is
 * never a weight, since it may be a move.
 */
static enum qv_status take_weight(struct reading *r, char **text, uint32_t *weight, bool *ok)
{
	char *word = *text, *rest = word;
	int64_t number;
	*ok = true;
	rest += strcspn(rest, blank);
	if (!is_digit(*word) || !*rest)
		return QV_OK;
	const char kept = *rest;
	*rest = '\0';
	if (word[strspn(word, "0123456789")] == '\0') {
		*ok = text_to_int(word, 0, BOOK_MOST_WEIGHT, &number);
		if (*ok) {
			*weight = (uint32_t)number;
			*text = rest + 1 + strspn(rest + 1, blank);
		}
	}
	*rest = kept;
	return *ok ? QV_OK : refuse(r, "a weight must be a number from 0 to 1000000000");
}

/* ---- Moves ---- */

/* The text of the next move without blanks around it; *from moves past it. False: no more. */
static bool next_move(char **from, bool blanks, char **word)
{
	char *start = *from + strspn(*from, " \t\r,");
	const size_t length = strcspn(start, blanks ? ", \t\r" : ",");
	*from = start + length;
	if (!length)
		return false;
	if (**from)
		*(*from)++ = '\0';
	*word = scan_trim(start, blank);
	return true;
}

/* Reads a move of a position. Chance moves are allowed in lines. */
static enum qv_status read_move(struct reading *r, const void *state, const char *word,
				qv_move *move, bool *ok)
{
	struct qv_error why = { "" };
	enum qv_status status = QV_OK;
	const bool over =
		!book_has_choice(r->b, state) && r->b->rules.game->seat(state) != QV_CHANCE;
	if (!over)
		status = qv_move_parse(r->b->rules.game, state, word, move, &why);
	*ok = !over && status == QV_OK;
	if (over)
		return complain(r, QV_ILLEGAL, "the game ends before the last move");
	return *ok ? QV_OK : complain(r, status, why.text);
}

/* Reads moves from r->from into the last item: a sequence, or alternatives to each other. */
static enum qv_status read_moves(struct reading *r, char *text, bool sequence, bool *ok)
{
	struct book *b = r->b;
	void *state = book_scratch(b, SCRATCH_WALK);
	char *word;
	memcpy(state, book_state(b, r->from), b->rules.game->state_size);
	for (*ok = true; *ok && next_move(&text, book_blanks_separate(b, state), &word);) {
		qv_move move = QV_NO_MOVE;
		enum qv_status status = read_move(r, state, word, &move, ok);
		if (status == QV_OK && *ok)
			status = book_add_move(b, move, 0, 0, r->error);
		if (status != QV_OK)
			return status;
		if (*ok && sequence)
			b->rules.game->play(state, move);
	}
	return QV_OK;
}

/* ---- Items ---- */

/* Adds the last item, which is now complete, to the index. */
static enum qv_status close_item(struct reading *r)
{
	if (!r->open)
		return QV_OK;
	r->open = false;
	return book_index_item(r->b, book_last_item(r->b), r->error);
}

/* Adds an item, without moves, that the next lines belong to. */
static enum qv_status open_item(struct reading *r, enum book_kind kind, uint32_t from,
				uint32_t weight, const char *name)
{
	struct book_item item = { .kind = kind, .line = r->line, .from = from, .weight = weight };
	enum qv_status status = book_add_text(r->b, name, &item.name, r->error);
	if (status == QV_OK)
		status = book_add_item(r->b, &item, r->error);
	r->open = status == QV_OK;
	r->skip = r->on_move = false;
	return status;
}

/* Removes the last item, which was wrong; the lines that belong to it are skipped. */
static void drop_item(struct reading *r)
{
	r->b->move_count = book_last_item(r->b)->first;
	r->b->item_count--;
	r->open = false;
	r->skip = true;
}

static const char bad_name[] = "a name must have 1 to 120 bytes and no ':'";

/* A colon ends the name in a line of the file, so it cannot contain one. */
static bool is_name(const char *name)
{
	return *name && strlen(name) <= BOOK_MOST_NAME && !strchr(name, ':');
}

/* Reads `line [WEIGHT] NAME: MOVES`. */
static enum qv_status read_line_item(struct reading *r, char *text)
{
	uint32_t weight = 1;
	bool ok;
	enum qv_status status = take_weight(r, &text, &weight, &ok);
	r->skip = true;
	if (status != QV_OK || !ok)
		return status;
	char *colon = strchr(text, ':');
	if (!colon)
		return refuse(r, "expected 'line WEIGHT NAME: MOVES'");
	*colon = '\0';
	const char *name = scan_trim(text, blank);
	if (!is_name(name))
		return refuse(r, bad_name);
	status = open_item(r, BOOK_LINE, r->from, weight, name);
	if (status == QV_OK)
		status = read_moves(r, colon + 1, true, &ok);
	if (status != QV_OK)
		return status;
	const bool empty = ok && !book_last_item(r->b)->count;
	if (ok && !empty)
		return QV_OK;
	drop_item(r);
	return empty ? refuse(r, "the line has no moves") : QV_OK;
}

/* A reply is parsed in the first position, after any one move, in which it is legal. */
static enum qv_status read_reply_move(struct reading *r, const char *word, bool *ok)
{
	struct book *b = r->b;
	const struct qv_game *g = b->rules.game;
	void *state = book_scratch(b, SCRATCH_WALK);
	int32_t points[QV_MAX_SEATS];
	*ok = false;
	const int n = g->result(book_state(b, r->from), points) == QV_GOING
			      ? g->moves(book_state(b, r->from), b->list)
			      : 0;
	for (int i = 0; i < n; i++) {
		qv_move move;
		memcpy(state, book_state(b, r->from), g->state_size);
		g->play(state, b->list[i]);
		if (!book_has_choice(b, state) ||
		    qv_move_parse(g, state, word, &move, NULL) != QV_OK)
			continue;
		*ok = true;
		return book_add_move(b, move, 0, 0, r->error);
	}
	return refuse(r, "the reply is not legal after any move");
}

/* Reads `reply [WEIGHT] MOVE [except MOVES]`. */
static enum qv_status read_reply(struct reading *r, char *text)
{
	static const char word[] = "except";
	const size_t length = sizeof word - 1;
	uint32_t weight = 1;
	bool ok;
	/* "except" must be a word, not a part of one. */
	char *except = text;
	while ((except = strstr(except, word)) &&
	       (except == text || !is_one_of(except[-1], blank) ||
		(except[length] && !is_one_of(except[length], blank))))
		except++;
	if (except)
		*except = '\0';
	text = scan_trim(text, blank);
	enum qv_status status = take_weight(r, &text, &weight, &ok);
	r->skip = true;
	if (status != QV_OK || !ok)
		return status;
	if (!*text)
		return refuse(r, "expected 'reply WEIGHT MOVE except MOVES'");
	status = open_item(r, BOOK_REPLY, r->from, weight, "");
	if (status == QV_OK)
		status = read_reply_move(r, text, &ok);
	if (status == QV_OK && ok && except)
		status = read_moves(r, except + length, false, &ok);
	if (status == QV_OK && !ok)
		drop_item(r);
	return status;
}

/* Reads the position of `from` and `at`, and adds it to the states. */
static enum qv_status read_position(struct reading *r, const char *text, uint32_t *number, bool *ok)
{
	struct book *b = r->b;
	struct qv_error why = { "" };
	void *state = book_scratch(b, SCRATCH_WALK);
	enum qv_status status = QV_OK;
	*ok = false;
	*number = 0;
	if (!*text)
		return refuse(r, "the position is missing; for the start position write 'start'");
	if (strcmp(text, "start") != 0) {
		memset(state, 0, b->stride);
		status = qv_position_parse(&b->rules, text, state, &why);
		if (status != QV_OK)
			return complain(r, status, why.text);
		status = book_add_state(b, state, number, r->error);
	}
	*ok = status == QV_OK;
	return status;
}

/* Reads `from POSITION`, where the lines and replies below begin. */
static enum qv_status read_from(struct reading *r, char *text)
{
	uint32_t number;
	bool ok;
	const enum qv_status status = read_position(r, text, &number, &ok);
	r->skip = r->open = false; /* no line below can belong to it */
	r->from = ok ? number : r->from;
	return status;
}

/* Reads `at POSITION`. */
static enum qv_status read_at(struct reading *r, char *text)
{
	uint32_t number;
	bool ok;
	r->skip = true;
	const enum qv_status status = read_position(r, text, &number, &ok);
	return ok ? open_item(r, BOOK_AT, number, 0, "") : status;
}

/* ---- Parts of items ---- */

/* Reads `move [WEIGHT] MOVE`. */
static enum qv_status read_choice(struct reading *r, char *text)
{
	struct book *b = r->b;
	uint32_t weight = 1;
	qv_move move;
	bool ok;
	if (!r->open || book_last_item(b)->kind != BOOK_AT)
		return r->skip ? QV_OK : refuse(r, "'move' must be below 'at POSITION'");
	const void *state = book_state(b, book_last_item(b)->from);
	enum qv_status status = take_weight(r, &text, &weight, &ok);
	if (status != QV_OK || !ok)
		return status;
	if (!*text)
		return refuse(r, "a move is missing");
	if (!book_has_choice(b, state))
		return refuse(r, "no player moves there: the game has ended, or dice are rolled");
	status = read_move(r, state, text, &move, &ok);
	if (status != QV_OK || !ok)
		return status;
	r->on_move = true;
	return book_add_move(b, move, weight, 0, r->error);
}

/* Reads `name NAME`, of a position. */
static enum qv_status read_name(struct reading *r, char *text)
{
	struct book *b = r->b;
	if (!r->open || book_last_item(b)->kind != BOOK_AT)
		return r->skip ? QV_OK : refuse(r, "'name' must be below 'at POSITION'");
	if (!is_name(text))
		return refuse(r, bad_name);
	if (book_last_item(b)->name)
		return refuse(r, "the position already has a name");
	return book_add_text(b, text, &book_last_item(b)->name, r->error);
}

/* Reads `title TEXT`, which must come before all items. */
static enum qv_status read_title(struct reading *r, char *text)
{
	if (r->b->title || r->any)
		return refuse(r, "the title must be given once, at the top");
	if (!*text || strlen(text) > BOOK_MOST_NAME)
		return refuse(r, "a title must have 1 to 120 bytes");
	return book_add_text(r->b, text, &r->b->title, r->error);
}

/* Reads `note TEXT`: of the last move, of the last item, or of the book. */
static enum qv_status read_note(struct reading *r, char *text)
{
	struct book *b = r->b;
	size_t place;
	if (r->skip)
		return QV_OK;
	size_t *at = !r->open	  ? &b->note
		     : r->on_move ? &b->moves[b->move_count - 1].note
				  : &book_last_item(b)->note;
	if (!r->open && r->any)
		return refuse(r, "a note must be below the item it is about");
	if (*at)
		return refuse(r, "the item already has a note");
	if (!*text)
		return refuse(r, "the note is empty");
	enum qv_status status = book_add_text(b, text, &place, r->error);
	if (status == QV_OK)
		*at = place;
	return status;
}

/* ---- Lines ---- */

static const struct {
	const char *word;
	enum qv_status (*read)(struct reading *r, char *text);
	bool begins; /* it begins an item, so the one before is complete */
} keywords[] = {
	{ "line", read_line_item, true }, { "at", read_at, true },
	{ "reply", read_reply, true },	  { "from", read_from, true },
	{ "move", read_choice, false },	  { "name", read_name, false },
	{ "note", read_note, false },	  { "title", read_title, false },
};
enum { KEYWORDS = sizeof keywords / sizeof *keywords };

/* Reads a line by its keyword; empty lines and comments are skipped. */
static enum qv_status read_text_line(struct reading *r, char *line)
{
	for (const char *c = line; *c; c += text_character(c))
		if (!text_character(c) || ((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
			return refuse(r, "not plain text in UTF-8");
	char *rest = scan_trim(line, blank);
	if (!*rest || *rest == '#')
		return QV_OK;
	const char *word = scan_word(&rest, blank);
	for (int i = 0; i < KEYWORDS; i++) {
		if (strcmp(keywords[i].word, word) != 0)
			continue;
		enum qv_status status = keywords[i].begins ? close_item(r) : QV_OK;
		if (status == QV_OK)
			status = keywords[i].read(r, rest);
		r->any |= keywords[i].begins;
		return status;
	}
	char why[256];
	struct text_nearest near = text_nearest_to(word);
	for (int i = 0; i < KEYWORDS; i++)
		text_nearest_try(&near, keywords[i].word);
	snprintf(why, sizeof why, "unknown keyword '%.40s'%s", word,
		 near.best ? suggest(&near).text
			   : "; expected line, at, move, name, note, reply or from");
	return refuse(r, why);
}

/* Reads `quevedo-book 1 GAME`. */
static enum qv_status read_header(const struct qv_context *context, char *line,
				  struct qv_rules *rules, struct qv_error *error)
{
	struct qv_error why = { "" };
	for (const char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t' && *c != '\r')
			return qv_fail(error, QV_BAD_INPUT, "book, line 1: not a text");
	char *rest = line;
	const char *word = scan_word(&rest, blank), *version = scan_word(&rest, blank);
	if (word != line || strcmp(word, magic) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "book, line 1: not a book; expected '%s 1 GAME'", magic);
	if (strcmp(version, "1") != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "book, line 1: unknown version; expected 1");
	const enum qv_status status = qv_rules_parse(context, scan_trim(rest, blank), rules, &why);
	return status == QV_OK ? QV_OK : qv_fail(error, status, "book, line 1: %.200s", why.text);
}

/* Reads a whole book; the text is cut into lines in place. */
static enum qv_status read_text(const struct qv_context *context, char *text,
				const struct book_reporter *reporter, struct book *out,
				struct qv_error *error)
{
	struct qv_rules rules;
	struct book book;
	struct reading r = { .b = &book, .reporter = reporter, .error = error, .line = 1 };
	enum qv_status status = read_header(context, scan_cut(&text, '\n'), &rules, error);
	if (status != QV_OK)
		return status;
	status = book_make(&book, context_allocator(context), &rules, error);
	while (text && status == QV_OK) {
		char *line = scan_cut(&text, '\n');
		const size_t length = strlen(line);
		if (text && length && line[length - 1] == '\r')
			line[length - 1] = '\0';
		r.line++;
		status = read_text_line(&r, line);
	}
	if (status == QV_OK)
		status = close_item(&r);
	if (status == QV_OK)
		*out = book;
	else
		book_release(&book);
	return status;
}

enum qv_status book_read(const struct qv_context *context, const char *data, size_t size,
			 const struct book_reporter *reporter, struct book *out,
			 struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	if (size > BOOK_MOST_BYTES)
		return qv_fail(error, QV_BAD_INPUT, "book: larger than %d bytes", BOOK_MOST_BYTES);
	if (size && memchr(data, '\0', size))
		return qv_fail(error, QV_BAD_INPUT, "book: contains a NUL character");
	char *copy = mem_new(a, size + 1, 1);
	if (!copy)
		return book_no_memory(error);
	if (size)
		memcpy(copy, data, size);
	const enum qv_status status = read_text(context, copy, reporter, out, error);
	mem_free(a, copy, size + 1);
	return status;
}

/* ---- Files and built-in books ---- */

/* To add one, write books/GAME.book, which CMake embeds unchanged, and add GAME to this list. */
#define BOOKS(X) X(chess) X(connect4) X(draughts) X(minichess) X(noughts) X(reversi) X(warptrog)

#define X(name) EMBEDDED(char book_##name[]); EMBEDDED(uint64_t book_##name##_size);
BOOKS(X)
#undef X

static const struct {
	const char *game, *text;
	const uint64_t *size;
} books[] = {
#define X(name) { #name, book_##name, &book_##name##_size },
	BOOKS(X)
#undef X
};

/* A linear search, since there are few. */
const char *book_own(const struct qv_game *game, size_t *size)
{
	for (size_t i = 0; i < sizeof books / sizeof *books; i++)
		if (strcmp(books[i].game, game->name) == 0) {
			*size = *books[i].size;
			return books[i].text;
		}
	return NULL;
}

/* Makes and frees the parsed book that a context keeps. */
static enum qv_status make_own(const struct qv_context *context, const struct qv_game *game,
			       void **out, struct qv_error *error)
{
	size_t size = 0;
	const char *text = book_own(game, &size);
	struct book *b = mem_new(context_allocator(context), 1, sizeof *b);
	if (!b)
		return book_no_memory(error);
	const enum qv_status status = book_read(context, text, size, NULL, b, error);
	if (status == QV_OK)
		*out = b;
	else
		mem_free(context_allocator(context), b, sizeof *b);
	return status;
}

static void free_own(const struct qv_allocator *a, void *book)
{
	book_release(book);
	mem_free(a, book, sizeof(struct book));
}

/* Lookups write to the scratch states and lists, so each user has its own. */
enum qv_status book_open_own(const struct qv_context *context, const struct qv_rules *rules,
			     struct book *out, struct qv_error *error)
{
	static const struct kept_ops ops = { make_own, free_own };
	void *kept;
	size_t size;
	char name[80] = "";
	enum qv_status status = QV_UNKNOWN;
	if (book_own(rules->game, &size))
		status = context_keep(context, rules->game, &ops, &kept, error);
	qv_rules_text(rules, &(struct qv_text){ name, sizeof name, 0 });
	if (status == QV_UNKNOWN)
		return qv_fail(error, status, "book own:%.60s: the program has no such book", name);
	if (status != QV_OK)
		return status;
	if (!book_is_for(kept, rules))
		return qv_fail(error, QV_UNKNOWN, "book own:%.60s: no book for these options",
			       name);
	*out = *(const struct book *)kept;
	out->shared = true;
	if (book_make_room(out))
		return QV_OK;
	book_release(out);
	return book_no_memory(error);
}

/* An error gets the name of the file in front of it, unless memory ran out. */
enum qv_status book_open(const struct qv_context *context, const char *path,
			 const struct book_reporter *reporter, struct book *out,
			 struct qv_error *error)
{
	static const char own[] = "own:";
	const struct qv_allocator *a = context_allocator(context);
	struct file_bytes bytes;
	enum qv_status status;
	if (strncmp(path, own, sizeof own - 1) == 0) {
		const char *name = path + sizeof own - 1;
		struct qv_rules rules;
		size_t size;
		status = qv_rules_parse(context, name, &rules, error);
		if (status != QV_OK)
			return status;
		const char *text = book_own(rules.game, &size);
		if (!text)
			return qv_fail(error, QV_UNKNOWN,
				       "book own:%.60s: the program has no such book", name);
		status = book_read(context, text, size, reporter, out, error);
		if (status != QV_OK || book_is_for(out, &rules))
			return status;
		book_release(out);
		return qv_fail(error, QV_UNKNOWN, "book own:%.60s: no book for these options",
			       name);
	}
	status = file_read(a, path, BOOK_MOST_BYTES, &bytes, error);
	if (status != QV_OK)
		return status;
	struct qv_error why = { "" };
	status = polyglot_is_name(path)
			 ? polyglot_read(context, bytes.data, bytes.size, out, &why)
			 : book_read(context, bytes.data, bytes.size, reporter, out, &why);
	if (status != QV_OK && polyglot_is_name(path))
		book_release(out);
	file_release(a, &bytes);
	if (status == QV_NO_MEMORY)
		return book_no_memory(error);
	return status == QV_OK ? QV_OK : qv_fail(error, status, "%.80s: %.160s", path, why.text);
}
