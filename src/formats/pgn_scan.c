/*
 * pgn_scan.c - the tokens of a PGN file.
 * SPDX-License-Identifier: MIT
 *
 * The scanner is lenient where files in circulation deviate from the standard: byte order marks,
 * Latin 1 texts, missing ends of reserved fields, results written 1/2. It never looks beyond the
 * end of the data, which need not end with a NUL.
 */
#include "formats/pgn.h"

#include "base/scan.h"

void pgn_scan_init(struct pgn_scan *s, const struct qv_allocator *a, const char *data, size_t size)
{
	*s = (struct pgn_scan){
		.at = data, .start = data, .end = data + size, .line = 1, .text = { .allocator = a }
	};
}

void pgn_scan_release(struct pgn_scan *s)
{
	string_release(&s->text);
}

/* ---- Texts ---- */

void pgn_add_text(struct string *out, const char *data, size_t length)
{
	bool utf8 = true;
	for (size_t i = 0, bytes; i < length && utf8; i += bytes) {
		char piece[5] = "";
		const size_t left = length - i < 4 ? length - i : 4;
		memcpy(piece, data + i, left);
		bytes = (size_t)text_character(piece);
		utf8 = bytes && bytes <= left;
	}
	size_t begun = 0;
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)data[i];
		const char both[2] = { (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) };
		if (c >= ' ' && c != 0x7f && (utf8 || c < 0x80))
			continue;
		string_add(out, data + begun, i - begun);
		string_add(out, c < 0x80 ? " " : both, c < 0x80 ? 1 : 2);
		begun = i + 1;
	}
	string_add(out, data + begun, length - begun);
}

/* Sets the text of the token. Even an empty one ends with a NUL. */
static void set_text(struct pgn_scan *s, const char *data, size_t length)
{
	s->text.length = 0;
	string_add(&s->text, "", 0);
	pgn_add_text(&s->text, data, length);
}

/* The message becomes the text of the token. */
static enum pgn_word wrong(struct pgn_scan *s, const char *what)
{
	set_text(s, what, strlen(what));
	return PGN_WRONG;
}

/* ---- Moving through the text ---- */

/* Goes one byte ahead and counts lines. */
static void step(struct pgn_scan *s)
{
	s->line += *s->at == '\n';
	s->at++;
}

static void to_line_end(struct pgn_scan *s)
{
	while (s->at < s->end && *s->at != '\n')
		s->at++;
}

/* Whether the word stands at this place. */
static bool has(const struct pgn_scan *s, const char *word)
{
	const size_t length = strlen(word);
	return (size_t)(s->end - s->at) >= length && memcmp(s->at, word, length) == 0;
}

/* A NUL counts as a blank, because some files are padded with them. */
static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

/* Skips blanks, byte order marks and lines that begin with a percent sign. */
static void skip(struct pgn_scan *s)
{
	while (s->at < s->end) {
		if (*s->at == '%' && (s->at == s->start || s->at[-1] == '\n'))
			to_line_end(s);
		else if (has(s, "\xef\xbb\xbf"))
			s->at += 3;
		else if (is_blank(*s->at))
			step(s);
		else
			return;
	}
}

/* ---- Tokens ---- */

/* {...}, or ; to the end of the line. */
static enum pgn_word comment(struct pgn_scan *s)
{
	const char *from = s->at + 1;
	if (*s->at == ';') {
		to_line_end(s);
		const size_t length = (size_t)(s->at - from);
		set_text(s, from, length && from[length - 1] == '\r' ? length - 1 : length);
		return PGN_COMMENT;
	}
	const char *to = memchr(from, '}', (size_t)(s->end - from));
	if (!to) {
		s->at++;
		return wrong(s, "a comment is not closed by '}'");
	}
	while (s->at <= to)
		step(s);
	set_text(s, from, (size_t)(to - from));
	return PGN_COMMENT;
}

/* $N, or one of the signs that stand for $1 to $6. Further signs are ignored. */
static enum pgn_word glyph(struct pgn_scan *s)
{
	static const char *const signs[] = { "", "!", "?", "!!", "??", "!?", "?!" };
	char sign[3] = "";
	int value = 0, digits = 0;
	if (*s->at == '$') {
		for (s->at++; s->at < s->end && is_digit(*s->at); s->at++, digits++)
			value = value < 1000 ? 10 * value + *s->at - '0' : value;
		if (!digits || value > 255)
			return wrong(s, "expected a number from 0 to 255 after '$'");
		s->glyph = value;
		return PGN_GLYPH;
	}
	for (int i = 0; s->at < s->end && (*s->at == '!' || *s->at == '?'); s->at++, i++)
		if (i < 2)
			sign[i] = *s->at;
	s->glyph = 1;
	while (strcmp(signs[s->glyph], sign) != 0)
		s->glyph++;
	return PGN_GLYPH;
}

/* Whether signs in brackets come next, as PDN has them: (!), (?!). */
static bool has_bracketed_sign(const struct pgn_scan *s)
{
	const char *c = s->at + 1;
	while (c < s->end && (*c == '!' || *c == '?'))
		c++;
	return c > s->at + 1 && c < s->end && *c == ')';
}

/* A move number, a result, or anything else, which is probably a move. */
static enum pgn_word symbol(struct pgn_scan *s)
{
	static const char *const results[] = { "1-0", "0-1", "1/2-1/2", "1/2" };
	const char *from = s->at, *to = from, *digits = from;
	while (to < s->end && !is_blank(*to) && !strchr("{}()[];$<>!?\"", *to))
		to++;
	while (digits < to && is_digit(*digits))
		digits++;
	if (digits == to || *digits == '.') {
		set_text(s, from, (size_t)(digits - from));
		for (s->at = digits; s->at < s->end && *s->at == '.'; s->at++)
			s->dotted = true;
		return PGN_NUMBER;
	}
	set_text(s, from, (size_t)(to - from));
	s->at = to;
	if (to - from >= PGN_MAX_SYMBOL)
		return wrong(s, "a token is too long");
	if (s->text.failed)
		return PGN_SYMBOL;
	for (size_t i = 0; i < sizeof results / sizeof *results; i++)
		if (strcmp(s->text.data, results[i]) == 0) {
			if (i == 3)
				set_text(s, results[2], strlen(results[2]));
			return PGN_RESULT;
		}
	return PGN_SYMBOL;
}

/* A token of one character. */
static enum pgn_word single(struct pgn_scan *s, enum pgn_word word)
{
	set_text(s, s->at, 1);
	s->at++;
	return word;
}

enum pgn_word pgn_scan_next(struct pgn_scan *s)
{
	skip(s);
	/* <...> is reserved for future standards; its end may be missing. */
	while (s->at < s->end && *s->at == '<') {
		while (s->at < s->end && *s->at != '>' && *s->at != '\n')
			s->at++;
		s->at += s->at < s->end && *s->at == '>';
		skip(s);
	}
	s->word_line = s->line;
	s->word_at = s->at;
	s->dotted = false;
	if (s->at == s->end)
		return PGN_FILE_ENDS;
	switch (*s->at) {
	case '[':
		return single(s, PGN_TAG);
	case '(':
		if (!has_bracketed_sign(s))
			return single(s, PGN_OPEN);
		s->at++;
		glyph(s);
		s->at++;
		return PGN_GLYPH;
	case ')':
		return single(s, PGN_CLOSE);
	case '*':
		return single(s, PGN_RESULT);
	case '{':
	case ';':
		return comment(s);
	case '$':
	case '!':
	case '?':
		return glyph(s);
	case '}':
	case ']':
	case '>':
	case '"':
		single(s, PGN_WRONG);
		return wrong(s, "unexpected character");
	default:
		return symbol(s);
	}
}

void pgn_scan_back(struct pgn_scan *s)
{
	s->at = s->word_at;
	s->line = s->word_line;
}

/* ---- Tags ---- */

/* Of the name of a tag. */
static bool name_character(char c)
{
	return is_digit(c) || c == '_' || is_letter(c);
}

/* Reads a text between quotes on one line; a backslash escapes a quote or a backslash. */
static bool quoted(struct pgn_scan *s)
{
	if (s->at == s->end || *s->at != '"')
		return false;
	const char *to = ++s->at;
	while (to < s->end && *to != '"' && *to != '\n')
		to += *to == '\\' && to + 1 < s->end && to[1] != '\n' ? 2 : 1;
	if (to == s->end || *to != '"')
		return false;
	set_text(s, s->at, (size_t)(to - s->at));
	s->at = to + 1;
	if (s->text.failed)
		return true;
	char *out = s->text.data;
	for (const char *c = out; *c; c++) {
		c += *c == '\\' && (c[1] == '"' || c[1] == '\\');
		*out++ = *c;
	}
	*out = '\0';
	s->text.length = (size_t)(out - s->text.data);
	return true;
}

/* Name, value and bracket may be separated by blanks, even by line ends. */
bool pgn_scan_tag(struct pgn_scan *s, struct string *name)
{
	skip(s);
	const char *from = s->at;
	while (s->at < s->end && name_character(*s->at))
		s->at++;
	name->length = 0;
	string_add(name, from, (size_t)(s->at - from));
	if (s->at == from)
		return false;
	skip(s);
	if (!quoted(s))
		return false;
	skip(s);
	if (s->at == s->end || *s->at != ']')
		return false;
	s->at++;
	return true;
}

/* ---- Recovery after errors ---- */

void pgn_scan_recover(struct pgn_scan *s, bool in_tags)
{
	bool tags = in_tags;
	while (s->at < s->end) {
		to_line_end(s);
		if (s->at < s->end)
			step(s);
		if (s->at < s->end && is_blank(*s->at))
			continue;
		/* Does the line look like a tag: [Name "? */
		const char *c = s->at + 1;
		bool tag = s->at < s->end && *s->at == '[' && c < s->end && name_character(*c);
		while (tag && c < s->end && name_character(*c))
			c++;
		while (tag && c < s->end && (*c == ' ' || *c == '\t'))
			c++;
		tag = tag && c < s->end && *c == '"';
		if (tag && (!tags || has(s, "[Event ")))
			return;
		tags &= tag;
	}
}
