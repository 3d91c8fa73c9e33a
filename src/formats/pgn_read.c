/*
 * pgn_read.c - reads games from a PGN file into records.
 * SPDX-License-Identifier: MIT
 *
 * A move is played only when the tokens after it have been read, because they contain its time and
 * clock. A variation undoes the move that it replaces and plays it again at its end. A game with an
 * error is skipped up to the next one, so that one bad game does not hide the rest of the file.
 */
#include "formats/pgn.h"

#include "base/scan.h"
#include "core/context.h"
#include "formats/chess960.h"

enum {
	MOST_REST = 1000, /* bytes of a game after a null move that are kept as a note */
	MOST_TIME = 64,	  /* bytes of a time in a comment */
};

struct frame {
	int ply; /* the ply at which the variation begins */
	qv_move instead_of;
};

/* A move that is not played yet, and what the file says about it. */
struct pending_move {
	bool has_move, first; /* first: a variation begins, its comment may precede the move */
	qv_move move;
	double seconds;	  /* -1: unknown */
	int64_t clock_ms; /* -1: unknown */
	struct string glyphs, comment;
};

/* The game that is being read. */
struct pgn_game {
	struct qv_record *record;
	struct string names, values, name; /* texts of the tags, concatenated; the current name */
	size_t name_at[RECORD_MAX_TAGS], value_at[RECORD_MAX_TAGS];
	int tag_count;
	struct pending_move pending;
	struct frame frames[PGN_MAX_DEPTH];
	int depth;
	int skipping; /* > 0: skipping; 1 + the number of brackets opened since */
	const char *cut_at; /* the null move where the main line was cut; NULL: it was not */
	bool in_tags; /* no move has been read yet */
	bool numeric; /* the moves of this game are numbers */
	bool pdn;     /* draughts, in PDN */
};

static const char *const reason_of_file = "as the file says";

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "PGN: out of memory");
}

__attribute__((format(printf, 3, 4))) static void report(const struct pgn_reader *r, int line,
							 const char *format, ...)
{
	char what[160];
	va_list args;
	if (!r->reporter.report)
		return;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	r->reporter.report(r->reporter.ctx, line, what);
}

/* ---- Tags ---- */

/* NULL: the game has no such tag. */
static const char *tag_value(const struct pgn_game *g, const char *name)
{
	for (int i = 0; i < g->tag_count; i++)
		if (strcmp(g->names.data + g->name_at[i], name) == 0)
			return g->values.data + g->value_at[i];
	return NULL;
}

/* Reads a tag and stores it; a duplicate is ignored. */
static enum qv_status read_tag(struct pgn_reader *r, struct qv_error *error)
{
	struct pgn_game *g = r->game;
	const struct string *name = &g->name, *value = &r->scan.text;
	const bool whole = pgn_scan_tag(&r->scan, &g->name);
	if (value->failed || name->failed)
		return no_memory(error);
	if (!whole)
		return qv_fail(error, QV_BAD_INPUT, "expected a tag [Name \"value\"]");
	if (tag_value(g, name->data))
		return QV_OK;
	if (g->tag_count == RECORD_MAX_TAGS)
		return qv_fail(error, QV_BAD_INPUT, "more than %d tags", RECORD_MAX_TAGS);
	g->name_at[g->tag_count] = g->names.length;
	g->value_at[g->tag_count++] = g->values.length;
	string_add(&g->names, name->data, strlen(name->data) + 1);
	string_add(&g->values, value->data, strlen(value->data) + 1);
	return g->names.failed || g->values.failed ? no_memory(error) : QV_OK;
}

/* ---- The record ---- */

/* The name of the game with that GameType, which may have details after a comma; NULL: none. */
static const char *name_of_type(const struct qv_context *context, const char *type)
{
	const size_t length = strcspn(type, ", ");
	const struct qv_game *game;
	if (length == 1 && type[0] == '0')
		return "chess";
	for (int i = 0; (game = qv_game_at(context, i)); i++) {
		const char *pdn = context_engine(game)->pdn_type;
		if (pdn && strlen(pdn) == length && memcmp(pdn, type, length) == 0)
			return game->name;
	}
	return NULL;
}

/* Whether a game without GameType and Variant is one of draughts: by its FEN or its first move. */
static bool looks_like_draughts(const struct pgn_reader *r)
{
	const char *fen = tag_value(r->game, "FEN");
	struct pgn_scan look;
	enum pgn_word word;
	if (fen)
		return is_one_of(fen[0], "BW") && fen[1] == ':';
	pgn_scan_init(&look, r->scan.text.allocator, r->scan.word_at,
		      (size_t)(r->scan.end - r->scan.word_at));
	do
		word = pgn_scan_next(&look);
	while (word == PGN_NUMBER || word == PGN_COMMENT);
	const char *text = word == PGN_SYMBOL && !look.text.failed ? look.text.data : "";
	const size_t digits = strspn(text, "0123456789");
	const bool found = digits && digits < 3 && is_one_of(text[digits], "-x") &&
			   is_digit(text[digits + 1]) && text[0] != '0';
	pgn_scan_release(&look);
	return found;
}

/* Whether a name is in the list, "a|b|c", which is in lower case. */
static bool is_named(const char *list, const char *name)
{
	char lower[32];
	size_t length = 0;
	for (; name[length] && length < sizeof lower - 1; length++)
		lower[length] = to_lower(name[length]);
	lower[length] = '\0';
	return !name[length] && scan_choice(list, lower) >= 0;
}

/*
 * The rules as the tag GameType or Variant has them, or else the expected ones, or else those of
 * chess or draughts, as the moves look.
 */
static enum qv_status find_rules(const struct pgn_reader *r, struct qv_rules *rules,
				 struct qv_error *error)
{
	/* Names that other programs use for standard chess. */
	static const char chess[] = "standard|normal|chess|regular|from position";
	static const char chess960[] = "chess960|chess 960|fischerandom|fischer random|"
				       "fischer random chess|fischerrandom|frc";
	const char *variant = tag_value(r->game, "Variant");
	const char *type = tag_value(r->game, "GameType");
	if (type) {
		variant = name_of_type(r->context, type);
		if (!variant)
			return qv_fail(error, QV_BAD_INPUT,
				       "GameType %.20s: this kind of draughts is not supported",
				       type);
	}
	if (!variant && r->rules) {
		*rules = *r->rules;
		return QV_OK;
	}
	if (!variant)
		variant = looks_like_draughts(r) ? "draughts" : "chess";
	if (is_named(chess, variant))
		variant = CHESS_RULES;
	else if (is_named(chess960, variant))
		variant = CHESS960_RULES;
	enum qv_status status = qv_rules_parse(r->context, variant, rules, error);
	if (status == QV_OK && r->rules && r->rules->game != rules->game)
		return qv_fail(error, QV_BAD_INPUT, "expected a game of %s, not of %s",
			       r->rules->game->name, rules->game->name);
	return status == QV_OK ? pgn_suits(rules->game, error) : status;
}

/* Whether moves are numbers in this game, judged by the first legal move. */
static bool moves_are_numbers(const struct pgn_game *g)
{
	char move[QV_MOVE_TEXT] = "";
	struct qv_text text = { move, sizeof move, 0 };
	qv_move list[QV_MAX_MOVES];
	const struct qv_game *game = g->record->rules.game;
	if (qv_record_result(g->record, NULL) != QV_GOING || !game->moves(g->record->state, list))
		return false;
	pgn_move_text(game, g->record->state, list[0], &text);
	return move[strspn(move, "0123456789")] == '\0';
}

/* The tags have been read: makes the record. */
static enum qv_status begin_record(struct pgn_reader *r, struct qv_error *error)
{
	struct pgn_game *g = r->game;
	struct record_tag tags[RECORD_MAX_TAGS];
	const char *white = tag_value(g, "White"), *black = tag_value(g, "Black");
	struct qv_rules rules;
	int count = 0;
	g->in_tags = false;
	enum qv_status status = find_rules(r, &rules, error);
	if (status != QV_OK)
		return status;
	g->pdn = context_engine(rules.game)->pdn_type != NULL;
	const char *first = g->pdn ? black : white, *second = g->pdn ? white : black;
	const char *const seats[2] = { first ? first : "?", second ? second : "?" };
	for (int i = 0; i < g->tag_count; i++)
		/* A record does not store these as tags. */
		if (scan_choice(g->pdn ? "White|Black|Result|SetUp|FEN|Variant|GameType"
				       : "White|Black|Result|SetUp|FEN|Variant",
				g->names.data + g->name_at[i]) < 0)
			tags[count++] = (struct record_tag){ g->names.data + g->name_at[i],
							     g->values.data + g->value_at[i] };
	status = record_new_tagged(r->context, &rules, tag_value(g, "FEN"), seats,
				   white || black ? 2 : 0, tags, count, &g->record, error);
	g->numeric = status == QV_OK && moves_are_numbers(g);
	return status;
}

/* ---- Notes ---- */

/* The strings keep their memory for the next move. */
static void clear_pending(struct pending_move *w)
{
	w->has_move = w->first = false;
	w->seconds = -1;
	w->clock_ms = -1;
	w->glyphs.length = w->comment.length = 0;
}

/* Sets the note of the position: its old note, then glyphs, then the comment. */
static enum qv_status add_note(struct pgn_game *g, struct qv_error *error)
{
	struct pending_move *w = &g->pending;
	const char *before = qv_record_note_text(g->record);
	struct string note = { .allocator = g->record->allocator };
	if (!w->glyphs.length && !w->comment.length)
		return w->glyphs.failed || w->comment.failed ? no_memory(error) : QV_OK;
	if (before)
		string_addf(&note, "%s ", before);
	if (w->glyphs.length)
		string_add(&note, w->glyphs.data, w->glyphs.length);
	if (w->glyphs.length && w->comment.length)
		string_add(&note, " ", 1);
	else if (!before && w->comment.length && w->comment.data[0] == '$')
		string_add(&note, " ", 1); /* so that it is not read as a glyph */
	if (w->comment.length)
		string_add(&note, w->comment.data, w->comment.length);
	const bool failed = note.failed || w->glyphs.failed || w->comment.failed;
	const enum qv_status status = failed ? QV_NO_MEMORY : qv_record_note(g->record, note.data);
	string_release(&note);
	if (status == QV_NO_MEMORY)
		return no_memory(error);
	return status == QV_OK ? status : qv_fail(error, status, "the notes are too long");
}

/* Reads "1:02:03.5", "2:03" or "3.5" as milliseconds; -1: it is not a time. */
static int64_t read_time(const char *text, size_t length)
{
	int64_t whole = 0, part = 0, scale = 100;
	int fields = 1, digits = 0;
	for (size_t i = 0; i < length; i++) {
		const char c = text[i];
		if (is_digit(c) && ++digits <= 9) {
			part = 10 * part + c - '0';
		} else if (c == ':' && digits && ++fields <= 3) {
			whole = 60 * (whole + part);
			part = digits = 0;
		} else if (c == '.' && digits) {
			whole = 1000 * (whole + part);
			for (i++; i < length && is_digit(text[i]); i++, scale /= 10)
				whole += scale * (text[i] - '0');
			return i == length ? whole : -1;
		} else {
			return -1;
		}
	}
	return digits ? 1000 * (whole + part) : -1;
}

/* Takes a time that the text ends with, [%clk ...] or [%emt ...]; returns the length without it. */
static size_t take_time(struct pending_move *w, const char *text, size_t length)
{
	size_t from = length;
	while (from && length - from < MOST_TIME && text[from - 1] != '[')
		from--;
	const char *name = text + from, *time = name + 4, *end = text + length - 1;
	if (!from || text[from - 1] != '[' || end < time)
		return length;
	const bool clock = memcmp(name, "%clk", 4) == 0;
	if (!clock && memcmp(name, "%emt", 4) != 0)
		return length;
	while (time < end && *time == ' ')
		time++;
	while (end > time && end[-1] == ' ')
		end--;
	const int64_t ms = read_time(time, (size_t)(end - time));
	if (ms < 0)
		return length;
	if (clock && w->clock_ms < 0)
		w->clock_ms = ms;
	else if (!clock && w->seconds < 0 && ms <= RECORD_MAX_SECONDS * 1000LL)
		w->seconds = (double)ms / 1000;
	return from - 1;
}

/*
 * Takes all times out of the comment, the first of each kind counts. None stays, not even one that
 * was in parts in several comments, because the writer would make a time of it.
 */
static void take_times(struct pending_move *w)
{
	char *text = w->comment.data;
	size_t length = 0;
	for (size_t i = 0; i < w->comment.length; i++) {
		if (text[i] == ' ' && (!length || text[length - 1] == ' '))
			continue;
		text[length++] = text[i];
		if (text[i] == ']')
			length = take_time(w, text, length);
	}
	while (length && text[length - 1] == ' ')
		length--;
	if (w->comment.length)
		text[length] = '\0';
	w->comment.length = length;
}

/* Plays the pending move, with its note, time and clock. Without one, they are of the move before. */
static enum qv_status play_pending(struct pgn_game *g, struct qv_error *error)
{
	struct pending_move *w = &g->pending;
	const int to_move = g->record->rules.game->seat(g->record->state);
	const int seat = w->has_move ? to_move : 1 - to_move;
	const bool of_move = w->has_move || qv_record_ply(g->record);
	enum qv_status status = QV_OK;
	if (of_move)
		take_times(w);
	if (w->has_move)
		status = qv_record_play(g->record, w->move, w->seconds, error);
	if (status == QV_OK)
		status = add_note(g, error);
	if (status == QV_OK && of_move && w->clock_ms >= 0 &&
	    qv_record_clock(g->record, seat, w->clock_ms) != QV_OK)
		status = qv_fail(error, QV_BAD_INPUT, "the record is too long");
	clear_pending(w);
	return status;
}

/* Takes a comment of the pending move. */
static void take_comment(struct pgn_game *g, const char *text)
{
	struct pending_move *w = &g->pending;
	/* Runs of blanks become one, because lines may be broken anywhere. */
	for (const char *word = text; *(word += strspn(word, " "));) {
		const size_t length = strcspn(word, " ");
		if (w->comment.length)
			string_add(&w->comment, " ", 1);
		string_add(&w->comment, word, length);
		word += length;
	}
}

/* ---- Moves ---- */

bool pgn_move_parse(const struct qv_game *game, const void *state, const char *text, qv_move *out)
{
	char word[QV_MOVE_TEXT];
	const size_t length = strlen(text);
	if (qv_move_parse(game, state, text, out, NULL) == QV_OK)
		return true;
	if (length >= sizeof word)
		return false;
	memcpy(word, text, length + 1);
	/* Ignore check and mate signs that the game's own notation lacks. */
	size_t end = length;
	while (end && (word[end - 1] == '+' || word[end - 1] == '#'))
		word[--end] = '\0';
	if (end < length && qv_move_parse(game, state, word, out, NULL) == QV_OK)
		return true;
	/* "1e4": a move number without a separator. */
	const size_t digits = strspn(word, "0123456789");
	return digits && qv_move_parse(game, state, word + digits, out, NULL) == QV_OK;
}

/* Whether digits are a move of PDN without a separator, such as 1115, and not its number. */
static bool is_short_move(const struct pgn_game *g, const char *digits)
{
	return g->pdn && strlen(digits) > 2;
}

/* Plays the move before it, and makes this one the pending move. */
static enum qv_status read_move(struct pgn_reader *r, const char *word, struct qv_error *error)
{
	struct pgn_game *g = r->game;
	int32_t points[QV_MAX_SEATS];
	enum qv_status status = g->pending.first ? QV_OK : play_pending(g, error);
	if (status != QV_OK)
		return status;
	const struct qv_game *game = g->record->rules.game;
	if (qv_record_result(g->record, points) != QV_GOING) {
		if (qv_winner(game, points) >= 0)
			return qv_fail(error, QV_ILLEGAL, "move '%.40s': the game has ended", word);
		/* Players may continue after a draw that nobody claimed. */
		report(r, r->scan.word_line,
		     "the game is drawn before move %.40s; the rest is ignored", word);
		g->skipping = 1;
		return QV_OK;
	}
	qv_move move;
	if (!pgn_move_parse(game, g->record->state, word, &move)) {
		if (scan_choice("--|Z0|null|@@@@", word) >= 0) {
			report(r, r->scan.word_line,
			       g->depth ? "a variation with a null move; the rest of it is ignored"
					: "a null move; the rest of the game is kept as a note");
			g->skipping = 1;
			g->cut_at = g->depth ? g->cut_at : r->scan.word_at;
			return QV_OK;
		}
		return qv_fail(error, QV_ILLEGAL, "move %d, '%.40s': not a legal move here",
			       1 + qv_record_ply(g->record) / 2, word);
	}
	g->pending.has_move = true;
	g->pending.first = false;
	g->pending.move = move;
	return QV_OK;
}

/* Takes back the move that the variation replaces. */
static enum qv_status open_variation(struct pgn_game *g, struct qv_error *error)
{
	enum qv_status status = play_pending(g, error);
	const int ply = qv_record_ply(g->record);
	const int least = g->depth ? g->frames[g->depth - 1].ply : 0;
	if (status != QV_OK)
		return status;
	if (ply <= least)
		return qv_fail(error, QV_BAD_INPUT, "a variation without a move before it");
	if (g->depth == PGN_MAX_DEPTH)
		return qv_fail(error, QV_BAD_INPUT, "more than %d nested variations",
			       PGN_MAX_DEPTH);
	g->frames[g->depth++] = (struct frame){ ply - 1, qv_record_move(g->record, ply - 1) };
	g->pending.first = true;
	return qv_record_undo(g->record, 1, NULL) == QV_OK
		       ? QV_OK
		       : qv_fail(error, QV_BAD_INPUT, "the record is too long");
}

/* Goes back to where the variation began, and plays the move that it replaced. */
static enum qv_status close_variation(struct pgn_game *g, struct qv_error *error)
{
	if (!g->depth)
		return qv_fail(error, QV_BAD_INPUT, "')' without an open variation");
	enum qv_status status = play_pending(g, error);
	const struct frame *f = &g->frames[--g->depth];
	const int back = qv_record_ply(g->record) - f->ply;
	if (status == QV_OK && qv_record_undo(g->record, back, NULL) != QV_OK)
		status = qv_fail(error, QV_BAD_INPUT, "the record is too long");
	return status == QV_OK ? qv_record_play(g->record, f->instead_of, -1, error) : status;
}

/*
 * A null move is no move of the rules. The main line was cut there; what follows it in the file
 * becomes a note, so that nothing is lost but the end of a long game.
 */
static void keep_rest(struct pgn_reader *r)
{
	struct pgn_game *g = r->game;
	struct string *comment = &g->pending.comment;
	struct string rest = { .allocator = comment->allocator };
	const size_t length = (size_t)(r->scan.word_at - g->cut_at);
	string_addf(&rest, "After a null move: ");
	pgn_add_text(&rest, g->cut_at, length < MOST_REST ? length : MOST_REST);
	if (length > MOST_REST)
		string_addf(&rest, " ...");
	/* Times and arrows in it are not of the move before it, so they must not be read as commands. */
	for (char *c = rest.data; !rest.failed && (c = strstr(c, "[%"));)
		memmove(c + 1, c + 2, strlen(c + 2) + 1);
	if (rest.failed)
		comment->failed = true;
	else
		take_comment(g, rest.data);
	string_release(&rest);
	g->cut_at = NULL;
}

/* ---- Results ---- */

/* Whether a word is a result of PDN that looks like a move. */
static bool is_pdn_result(const struct pgn_game *g, const char *word)
{
	return g->pdn && scan_choice("2-0|0-2|1-1|0-0", word) >= 0;
}

/* Ends the game as the file says, if it has not ended by the rules. */
static enum qv_status take_result(struct pgn_reader *r, const char *result, struct qv_error *error)
{
	struct pgn_game *g = r->game;
	int32_t points[QV_MAX_SEATS];
	if (g->cut_at)
		keep_rest(r);
	enum qv_status status = play_pending(g, error);
	/* In PDN an asterisk ends any game. */
	if (g->pdn && strcmp(result, "*") == 0 && tag_value(g, "Result"))
		result = tag_value(g, "Result");
	const int winner = scan_choice("1-0|2-0", result) >= 0	 ? 0
			   : scan_choice("0-1|0-2", result) >= 0 ? 1
								 : -1;
	const bool is_draw = scan_choice("1/2-1/2|1-1", result) >= 0;
	if (status != QV_OK || (winner < 0 && !is_draw))
		return status;
	if (qv_record_result(g->record, points) == QV_GOING) {
		const char *why = tag_value(g, "Termination");
		status = qv_record_end(g->record, winner, why && *why ? why : reason_of_file);
		return status == QV_OK ? status : no_memory(error);
	}
	if (qv_winner(g->record->rules.game, points) != winner)
		report(r, r->scan.word_line, "the result %s contradicts the rules", result);
	return QV_OK;
}

/* ---- The game ---- */

/*
 * While skipping, counts brackets until the variation that is skipped ends. True: skip this token.
 */
static bool skip_token(struct pgn_game *g, enum pgn_word word)
{
	if (!g->skipping)
		return false;
	if (word == PGN_OPEN)
		g->skipping++;
	if (word == PGN_CLOSE && --g->skipping == 0)
		return false; /* this bracket closes the skipped variation */
	return word != PGN_FILE_ENDS && word != PGN_TAG &&
	       !(word == PGN_RESULT && g->skipping == 1 && !g->depth);
}

/* Handles one token of the moves; *over: it ends the game. */
static enum qv_status take_word(struct pgn_reader *r, enum pgn_word word, bool *over,
				struct qv_error *error)
{
	struct pgn_game *g = r->game;
	struct string *text = &r->scan.text;
	const char *result = tag_value(g, "Result");
	if (text->failed)
		return no_memory(error);
	if (word == PGN_SYMBOL && is_pdn_result(g, text->data))
		word = PGN_RESULT;
	if (skip_token(g, word))
		return QV_OK;
	switch (word) {
	case PGN_NUMBER:
		/* A move if it has no dots and the game's moves are numbers; else a move number. */
		return r->scan.dotted || !(g->numeric || is_short_move(g, text->data))
			       ? QV_OK
			       : read_move(r, text->data, error);
	case PGN_SYMBOL:
		if (strcmp(text->data, "e.p.") == 0 || strcmp(text->data, "ep") == 0)
			return QV_OK;
		return read_move(r, text->data, error);
	case PGN_COMMENT:
		take_comment(g, text->data);
		return QV_OK;
	case PGN_GLYPH:
		string_addf(&g->pending.glyphs, "%s$%d", g->pending.glyphs.length ? " " : "",
			    r->scan.glyph);
		return QV_OK;
	case PGN_OPEN:
		return open_variation(g, error);
	case PGN_CLOSE:
		return close_variation(g, error);
	case PGN_RESULT:
		if (g->depth) /* some files have results in variations */
			return QV_OK;
		*over = true;
		return take_result(r, text->data, error);
	case PGN_TAG:
	case PGN_FILE_ENDS:
		pgn_scan_back(&r->scan);
		*over = true;
		if (g->depth)
			return qv_fail(error, QV_BAD_INPUT, "the game ends within a variation");
		report(r, r->scan.word_line, "the game has no result at its end");
		return take_result(r, result ? result : "*", error);
	case PGN_WRONG:
		break;
	}
	return qv_fail(error, QV_BAD_INPUT, "%s", text->data);
}

/* Reads tags, then moves up to the result or the next game. The first token has been read. */
static enum qv_status read_game(struct pgn_reader *r, enum pgn_word word, struct qv_error *error)
{
	struct pgn_game *g = r->game;
	bool over = false;
	enum qv_status status = QV_OK;
	for (; word == PGN_TAG || word == PGN_COMMENT; word = pgn_scan_next(&r->scan)) {
		if (r->scan.text.failed)
			return no_memory(error);
		if (word == PGN_COMMENT)
			take_comment(g, r->scan.text.data);
		else if ((status = read_tag(r, error)) != QV_OK)
			return status;
	}
	if (r->scan.text.failed)
		return no_memory(error);
	/* A comment after the last game is not a game. */
	if (word == PGN_FILE_ENDS && !g->tag_count)
		return QV_OK;
	status = begin_record(r, error);
	while (status == QV_OK) {
		status = take_word(r, word, &over, error);
		if (status != QV_OK)
			break;
		/* Notes of a move are joined, so a short file can give a long journal. */
		if (r->most.lines && g->record->lines > r->most.lines)
			return qv_fail(error, QV_BAD_INPUT,
				       "the game needs more than %d lines as a record",
				       r->most.lines);
		if (r->most.bytes && g->record->journal.length > r->most.bytes)
			return qv_fail(error, QV_BAD_INPUT,
				       "the game needs more than %zu bytes as a record",
				       r->most.bytes);
		if (over)
			break;
		word = pgn_scan_next(&r->scan);
	}
	return status;
}

/* ---- The file ---- */

enum qv_status pgn_reader_init(struct pgn_reader *r, const char *data, size_t size,
			       struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(r->context);
	pgn_scan_init(&r->scan, a, data, size);
	r->game = mem_new(a, 1, sizeof *r->game);
	if (!r->game)
		return no_memory(error);
	r->game->names.allocator = r->game->values.allocator = r->game->name.allocator = a;
	r->game->pending.glyphs.allocator = r->game->pending.comment.allocator = a;
	return r->rules ? pgn_suits(r->rules->game, error) : QV_OK;
}

void pgn_reader_release(struct pgn_reader *r)
{
	const struct qv_allocator *a = r->scan.text.allocator;
	if (r->game) {
		string_release(&r->game->names);
		string_release(&r->game->values);
		string_release(&r->game->name);
		string_release(&r->game->pending.glyphs);
		string_release(&r->game->pending.comment);
		mem_free(a, r->game, sizeof *r->game);
	}
	r->game = NULL;
	pgn_scan_release(&r->scan);
}

/* After an error the scanner goes to the next game, so the caller can continue. */
enum qv_status pgn_next(struct pgn_reader *r, struct qv_record **out, struct qv_error *error)
{
	struct qv_error why = { "" };
	enum pgn_word word = pgn_scan_next(&r->scan);
	struct pgn_game *g = r->game;
	g->record = NULL;
	g->names.length = g->values.length = 0;
	g->tag_count = g->depth = g->skipping = 0;
	g->cut_at = NULL;
	g->in_tags = true;
	clear_pending(&g->pending);
	*out = NULL;
	r->line = r->scan.word_line;
	if (word == PGN_FILE_ENDS && !r->scan.text.failed)
		return QV_OK;
	const enum qv_status status = read_game(r, word, &why);
	if (status == QV_OK) {
		*out = g->record;
		return status;
	}
	qv_record_free(g->record);
	const int line = r->scan.word_line;
	pgn_scan_recover(&r->scan, g->in_tags);
	return qv_fail(error, status, "line %d: %s", line, why.text);
}

enum qv_status pgn_to_journal(const struct qv_context *context, const struct qv_rules *rules,
			      const char *data, size_t size, struct pgn_bounds most,
			      struct string *out, struct qv_error *error)
{
	struct pgn_reader reader = { .context = context, .rules = rules, .most = most };
	struct qv_record *record = NULL;
	enum qv_status status = pgn_reader_init(&reader, data, size, error);
	if (status == QV_OK)
		status = pgn_next(&reader, &record, error);
	if (status == QV_OK && !record)
		status = qv_fail(error, QV_BAD_INPUT, "PGN: the file contains no game");
	if (status == QV_OK)
		string_add(out, record->journal.data, record->journal.length);
	if (status == QV_OK && out->failed)
		status = no_memory(error);
	qv_record_free(record);
	pgn_reader_release(&reader);
	return status;
}

bool pgn_is_name(const char *path)
{
	const size_t length = strlen(path);
	return length > 4 &&
	       (text_same(path + length - 4, ".pgn") || text_same(path + length - 4, ".pdn"));
}

/* A file of a record is JSON and begins with a brace, which in PGN would begin a comment. */
bool pgn_looks_like(const char *data, size_t size)
{
	struct string name = { .allocator = &mem_malloc };
	struct pgn_scan s;
	pgn_scan_init(&s, &mem_malloc, data, size);
	enum pgn_word word;
	do
		word = pgn_scan_next(&s);
	while (word == PGN_COMMENT && data[0] != '{');
	const bool tag = word == PGN_TAG && pgn_scan_tag(&s, &name);
	string_release(&name);
	pgn_scan_release(&s);
	return tag;
}
