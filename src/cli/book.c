/*
 * book.c - the command book: opening books built, checked, merged and shown.
 * SPDX-License-Identifier: MIT
 *
 * build counts the moves of finished games or runs a player's analysis; merge and build write a
 * book, to --out or as the answer itself. check reports findings, one line or JSON object each, and
 * exits with status 1 if there are any. show prints the whole book, or the book moves of a
 * position. A Polyglot book (.bin) has only hashes, so all but a lookup unfold it first.
 */
#include "book/book.h"
#include "book/polyglot_book.h"
#include "cli/cli.h"
#include "core/context.h"
#include "match/games_file.h"
#include "programs/players.h"

/* The options of all verbs; verbs[] lists which verb accepts which. */
struct book_values {
	int64_t plies, least, margin;
	bool every;
};

static const struct option book_player_option[] = {
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "build: take the moves of this player; check: report lines that end "
			      "badly for it"),
	{ 0 },
};

static const struct option out_option[] = {
	SHARED_OPTION(
		"out", OPTION_POINTER, out, .value = "FILE",
		.help = "build, merge: write the book to a file; FILE.bin: as a Polyglot book"),
	{ 0 },
};

/* Alone, since build and check accept it. */
static const struct option margin_option[] = {
	COMMAND_OPTION(struct book_values, "margin", OPTION_INT, margin, .max = QV_MAX_EVAL,
		       .value = "N",
		       .help = "points by which a move, or the end of a line, may be worse"),
	{ 0 },
};

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct book_values, name_, type_, f, __VA_ARGS__)
static const struct option build_options[] = {
	ROW("plies", OPTION_INT, plies, .min = 1, .max = 1000, .def = 12, .value = "N",
	    .help = "build: length of the lines"),
	ROW("least", OPTION_INT, least, .min = 1, .max = 1000000000, .def = 1, .value = "N",
	    .help = "build: leave out moves that were played less often"),
	ROW("every", OPTION_FLAG, every,
	    .help = "build: answer every move, not only the good ones"),
	{ 0 },
};
#undef ROW

/* ---- Writing a book ---- */

/* The size of a book. */
struct extent {
	int lines, replies, positions, moves;
};

/* Counts lines and replies among the items, and positions and moves in the index. */
static struct extent extent_of(const struct book *b)
{
	struct extent e = { 0 };
	for (uint32_t i = 0; i < b->item_count; i++) {
		e.lines += b->items[i].kind == BOOK_LINE;
		e.replies += b->items[i].kind == BOOK_REPLY;
	}
	for (uint32_t i = 0; i < b->place_count; i++)
		e.positions += b->places[i].first != 0;
	e.moves = (int)b->choice_count;
	return e;
}

/*
 * Adds the size to an object, without the lines: they have their own field where they are listed.
 */
static json_t *extent_json(json_t *o, const struct book *b)
{
	const struct extent e = extent_of(b);
	return json_fields(o, "positions", json_integer(e.positions), "moves",
			   json_integer(e.moves), "replies", json_integer(e.replies), NULL);
}

/* Adds the size as one line of text. */
static void add_extent(struct string *out, const struct book *b)
{
	const struct extent e = extent_of(b);
	string_addf(out, "book of %s: %d lines, %d replies, %d positions, %d moves\n",
		    rules_text(&b->rules).text, e.lines, e.replies, e.positions, e.moves);
}

/* Makes items of a .bin file, as far as its positions can be reached by its moves. */
static enum qv_status unfold(struct cli *c, struct book *b, const char *path)
{
	uint32_t unknown;
	const enum qv_status status = book_unfold(b, &unknown, &c->error);
	if (status == QV_OK && unknown)
		string_addf(&c->remarks,
			    "quevedo: %s: left out %u positions that nothing in the book leads to\n",
			    cli_word(path), unknown);
	return status;
}

/* Writes the book to the file that --out names, or as the answer itself. */
static enum qv_status write_book(struct cli *c, struct book *b)
{
	struct string text = { .allocator = &mem_malloc };
	enum qv_status status = QV_OK;
	if (c->args.out && polyglot_is_name(c->args.out))
		status = polyglot_write(b, &text, &c->error);
	else
		book_write(b, &text);
	if (status == QV_OK && text.failed)
		status = cli_no_memory(c, "book");
	if (status == QV_OK && c->args.out)
		status = cli_write_file(c, c->args.out, &text);
	/*
	 * With --out the answer is the size of the book; with --json without --out its text is a
	 * field.
	 */
	if (status == QV_OK && c->args.json) {
		json_t *o =
			json_field(json_object(), "game", json_text(rules_text(&b->rules).text));
		o = json_field(extent_json(o, b), "book",
			       json_text(c->args.out ? NULL : text.data));
		status = cli_json(c, o);
	} else if (status == QV_OK && c->args.out) {
		add_extent(&c->out, b);
	} else if (status == QV_OK) {
		string_add(&c->out, text.data, text.length);
	}
	string_release(&text);
	return status;
}

/* ---- build ---- */

/* The games of all files, counted. */
struct gathering {
	struct cli *c;
	const char *path; /* the file that is being read */
	struct book_tally tally;
	int games, wrong; /* wrong: games of this file that cannot be read */
};

/* Counts the first --plies moves of a finished game. */
static enum qv_status gather_record(void *ctx, struct qv_record *record)
{
	struct gathering *g = ctx;
	const struct book_values *own = cli_own(g->c);
	const struct qv_rules *rules = qv_record_rules(record);
	const int winner = qv_record_winner(record), plies = qv_record_ply(record);
	if (!book_is_for(&g->tally.book, rules))
		return cli_refuse(g->c, "%.60s: a game of %.60s is in it", cli_word(g->path),
				  rules_text(rules).text);
	if (winner == QV_UNDECIDED)
		return QV_OK;
	g->games++;
	enum qv_status status = qv_record_undo(record, plies, NULL);
	for (int i = 0; i < plies && i < own->plies && status == QV_OK; i++) {
		/* The record knows a move only after it; the tally needs the position before it. */
		status = qv_record_redo(record, 1, NULL);
		const qv_move move = qv_record_move(record, i);
		if (status == QV_OK)
			status = qv_record_undo(record, 1, NULL);
		if (status == QV_OK)
			status = book_tally_add(&g->tally, qv_record_state(record), move, winner,
						&g->c->error);
		if (status == QV_OK)
			status = qv_record_redo(record, 1, NULL);
	}
	return status;
}

/* Remarks on a game that cannot be read, once for each file. */
static void on_wrong(void *ctx, const char *what, bool harmless)
{
	struct gathering *g = ctx;
	if (!harmless && !g->wrong++)
		string_addf(&g->c->remarks,
			    "quevedo: %s: passed over what cannot be read, first at %s\n",
			    cli_word(g->path), what);
}

/* Builds a book from the moves of all finished games of the files. */
static enum qv_status build_from_files(struct cli *c, const struct qv_rules *rules)
{
	const struct book_values *own = cli_own(c);
	struct gathering g = { .c = c };
	const struct games_listener listener = { gather_record, on_wrong, &g };
	struct book book = { 0 };
	enum qv_status status =
		book_tally_make(&g.tally, context_allocator(c->context), rules, &c->error);
	for (int i = 3; i < c->args.word_count && status == QV_OK; i++) {
		g.path = c->args.words[i];
		g.wrong = 0;
		status = games_read(c, g.path, rules, &listener);
	}
	/* Unfinished games have no result to count. */
	if (status == QV_OK && !g.games)
		status = cli_refuse(c, "book build: the files have no finished game");
	if (status == QV_OK)
		status = book_tally_finish(&g.tally, (uint32_t)own->least, &book, &c->error);
	if (status == QV_OK)
		status = write_book(c, &book);
	book_release(&book);
	book_tally_release(&g.tally);
	return status;
}

/* Overwrites the line of progress with the number of positions analysed and known. */
static void show_progress(void *ctx, uint32_t done, uint32_t known)
{
	(void)ctx;
	fprintf(stderr, "\r\033[K%u of %u positions", done, known);
}

/*
 * Builds a book from the analysis of --player, which may take long; Ctrl-C stops it without a book.
 */
static enum qv_status build_by_player(struct cli *c, const struct qv_rules *rules)
{
	const struct book_values *own = cli_own(c);
	const struct qv_defaults defaults = cli_defaults(c);
	struct qv_player *player;
	struct book book;
	enum qv_status status =
		player_open(c->context, rules, c->args.player, &defaults, &player, &c->error);
	if (status != QV_OK)
		return status;
	/* Progress is shown on a terminal only. */
	const struct book_search how = { .player = player,
					 .plies = (int)own->plies,
					 .margin = own->margin,
					 .every = own->every,
					 .stop = cli_stop_flag(),
					 .progress = cli_shows_progress() ? show_progress : NULL };
	status = book_build(context_allocator(c->context), rules, &how, &book, &c->error);
	cli_clear_progress();
	qv_player_free(player);
	if (status == QV_OK)
		status = write_book(c, &book);
	book_release(&book);
	return status;
}

/*
 * Decides by the arguments whether files or a player are the source, and refuses options of the
 * other.
 */
static enum qv_status run_build(struct cli *c)
{
	const struct book_values *own = cli_own(c);
	struct qv_rules rules;
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	if (status != QV_OK)
		return status;
	const bool files = c->args.word_count > 3;
	/* Exactly one source: files of games or a player. */
	if (files == !!c->args.player)
		return cli_refuse(c, "book build: %s",
				  files ? "give files or --player SPEC, not both"
					: "give files of games, or --player SPEC");
	/* Options that have no effect would hide a mistake. */
	if (files && (own->every || cli_given(c, "margin")))
		return cli_refuse(c, "book build: --every and --margin need --player SPEC");
	if (!files && cli_given(c, "least"))
		return cli_refuse(c, "book build: --least needs files of games");
	return files ? build_from_files(c, &rules) : build_by_player(c, &rules);
}

/* ---- merge ---- */

/* Merges all books into the first one. All must be for the same game and options. */
static enum qv_status run_merge(struct cli *c)
{
	struct book all = { 0 };
	enum qv_status status = QV_OK;
	for (int i = 2; i < c->args.word_count && status == QV_OK; i++) {
		const char *path = c->args.words[i];
		struct book more = { 0 }, *b = i == 2 ? &all : &more;
		struct qv_error why = { "" };
		status = book_open(c->context, path, NULL, b, &c->error);
		if (status == QV_OK)
			status = unfold(c, b, path);
		if (status == QV_OK && b == &more && !book_is_for(&all, &more.rules))
			status = cli_refuse(c, "%.60s: it is about %.60s, the others about %.60s",
					    path, rules_text(&more.rules).text,
					    rules_text(&all.rules).text);
		else if (status == QV_OK && b == &more &&
			 (status = book_merge(&all, &more, &why)) != QV_OK)
			qv_fail(&c->error, status, "%.60s: %.180s", path, why.text);
		book_release(&more);
	}
	if (status == QV_OK)
		status = write_book(c, &all);
	book_release(&all);
	return status;
}

/* ---- check ---- */

/*
 * What check has found so far. The text of findings goes to the output at once, JSON into a list.
 */
struct findings {
	struct cli *c;
	json_t *list;
	int count;
};

/* Adds a finding; line 0: it concerns no particular line of the file. */
static void on_finding(void *ctx, int line, const char *what)
{
	struct findings *f = ctx;
	f->count++;
	if (f->c->args.json)
		f->list = json_item(f->list, json_fields(json_object(), "line",
							 line ? json_integer(line) : json_null(),
							 "what", json_text(what), NULL));
	else if (line)
		string_addf(&f->c->out, "line %d: %s\n", line, what);
	else
		string_addf(&f->c->out, "%s\n", what);
}

/* With --player, also reports lines that end badly. */
static enum qv_status check_book(struct cli *c, struct book *b,
				 const struct book_reporter *reporter)
{
	const struct book_values *own = cli_own(c);
	const struct qv_defaults defaults = cli_defaults(c);
	struct qv_player *player;
	int found = 0;
	enum qv_status status = book_check(b, reporter, &found, &c->error);
	if (status != QV_OK || !c->args.player)
		return status;
	status = player_open(c->context, &b->rules, c->args.player, &defaults, &player, &c->error);
	if (status != QV_OK)
		return status;
	status = book_judge(b, player, cli_given(c, "margin") ? own->margin : -1, cli_stop_flag(),
			    reporter, &found, &c->error);
	qv_player_free(player);
	return status;
}

/*
 * Opens the book with a reporter, so that wrong lines are findings, and checks what could be read.
 */
static enum qv_status run_check(struct cli *c)
{
	struct findings f = { .c = c, .list = json_array() };
	const struct book_reporter reporter = { on_finding, &f };
	struct book book = { 0 };
	uint32_t unknown;
	enum qv_status status =
		book_open(c->context, c->args.words[2], &reporter, &book, &c->error);
	if (status == QV_OK)
		status = book_unfold(&book, &unknown, &c->error);
	if (status == QV_OK) {
		char what[80];
		snprintf(what, sizeof what, "%u positions that nothing in the book leads to",
			 unknown);
		if (unknown)
			on_finding(&f, 0, what);
		status = check_book(c, &book, &reporter);
	} else if (status != QV_IO && status != QV_NO_MEMORY) {
		/* A book that cannot be read is a finding, not an error. */
		on_finding(&f, 0, c->error.text);
		status = QV_OK;
	}
	/* Any finding makes the exit status 1. */
	c->answer_is_no = f.count > 0;
	const bool known = book.allocator; /* the book could be read */
	if (status == QV_OK && c->args.json) {
		json_t *o =
			json_field(json_object(), "game",
				   known ? json_text(rules_text(&book.rules).text) : json_null());
		if (known)
			o = extent_json(
				json_field(o, "lines", json_integer(extent_of(&book).lines)),
				&book);
		status = cli_json(c, json_fields(o, "wrong", json_integer(f.count), "findings",
						 json_incref(f.list), NULL));
	} else if (status == QV_OK) {
		if (known)
			add_extent(&c->out, &book);
		string_addf(&c->out, "wrong %d\n", f.count);
	}
	json_decref(f.list);
	book_release(&book);
	return status;
}

/* ---- show ---- */

/*
 * A line of the book with its moves as text. The moves are played on a copy of its first position.
 * NULL: no memory.
 */
static json_t *line_json(const struct book *b, const struct book_item *item, int number)
{
	const struct qv_game *g = b->rules.game;
	json_t *moves = json_array();
	void *state = mem_new(&mem_malloc, 1, b->stride);
	if (!state) {
		json_decref(moves);
		return NULL;
	}
	memcpy(state, book_state(b, item->from), g->state_size);
	for (uint32_t i = 0; i < item->count; i++) {
		const qv_move move = b->moves[item->first + i].move;
		moves = json_item(moves, json_text(move_words(g, state, move).text));
		g->play(state, move);
	}
	mem_free(&mem_malloc, state, b->stride);
	/* The first position, as the book file writes it. */
	char position[QV_POSITION_TEXT] = "start";
	struct qv_text out = { position, sizeof position, 0 };
	if (memcmp(book_state(b, item->from), book_state(b, 0), g->state_size) != 0)
		g->position_text(book_state(b, item->from), &out);
	return json_fields(json_object(), "number", json_integer(number), "name",
			   json_text(book_text(b, item->name)), "weight",
			   json_integer(item->weight), "from", json_text(position), "moves", moves,
			   "note", json_unless_empty(book_text(b, item->note)), NULL);
}

/* Prints the lines and the size of the whole book. */
static enum qv_status overview(struct cli *c, const struct book *b)
{
	const char *title = book_text(b, b->title), *note = book_text(b, b->note);
	struct string *out = &c->out;
	json_t *lines = json_array();
	int number = 0;
	if (!c->args.json)
		string_addf(out, "%s%s%s%s", title, *title ? "\n" : "", note, *note ? "\n" : "");
	for (uint32_t i = 0; i < b->item_count; i++) {
		const struct book_item *item = &b->items[i];
		if (item->kind != BOOK_LINE)
			continue;
		/* Text and JSON take the moves from the same object. */
		json_t *line = line_json(b, item, ++number), *move;
		size_t k;
		if (c->args.json) {
			lines = json_item(lines, line);
			continue;
		}
		string_addf(out, "%3d  %-20s %4u ", number, book_text(b, item->name), item->weight);
		json_array_foreach(json_object_get(line, "moves"), k, move)
			string_addf(out, "%s%s", k ? ", " : " ", json_string_value(move));
		string_addf(out, "\n");
		out->failed |= !line;
		json_decref(line);
	}
	if (c->args.json) {
		json_t *o =
			json_fields(json_object(), "game", json_text(rules_text(&b->rules).text),
				    "title", json_unless_empty(title), "note",
				    json_unless_empty(note), "lines", lines, NULL);
		return cli_json(c, extent_json(o, b));
	}
	json_decref(lines);
	add_extent(out, b);
	return QV_OK;
}

/*
 * Prints the name, the note and the moves of a position. `list` has room for all moves, `room` for
 * a state.
 */
static enum qv_status show_options(struct cli *c, const struct book *b, const void *state,
				   struct book_option *list, void *room)
{
	const struct qv_game *g = b->rules.game;
	const char *note;
	bool known;
	const char *name = book_name(b, state, &note, &known);
	const int n = book_options(b, state, list);
	uint64_t total = 0;
	json_t *moves = json_array();
	for (int i = 0; i < n; i++)
		total += list[i].weight;
	/* The name and the note of the position come before its moves. */
	if (!c->args.json && *name)
		string_addf(&c->out, "name %s\n", name);
	if (!c->args.json && *note)
		string_addf(&c->out, "note %s\n", note);
	for (int i = 0; i < n; i++) {
		const struct book_option *o = &list[i];
		const double share = total ? (double)o->weight / (double)total : 0;
		const struct move_words words = move_words(g, state, o->move);
		/* The name of the position after the move. */
		memcpy(room, state, g->state_size);
		g->play(room, o->move);
		const char *next = book_name(b, room, NULL, NULL);
		if (c->args.json)
			moves = json_item(moves,
					  json_fields(json_object(), "move", json_text(words.text),
						      "weight", json_count(o->weight), "share",
						      json_seconds(share), "name",
						      json_unless_empty(next), "reply",
						      json_boolean(o->general), "note",
						      json_unless_empty(o->note), NULL));
		else
			string_addf(&c->out, "move %s: weight %llu, %.1f %%%s%s%s%s%s\n",
				    words.text, (unsigned long long)o->weight, 100 * share,
				    o->general ? ", the universal reply" : "", *next ? ", " : "",
				    next, *o->note ? "; " : "", o->note);
	}
	/* A position that the book does not have is the answer "no". */
	c->answer_is_no = !known;
	if (c->args.json)
		return cli_json(c,
				json_fields(json_object(), "game",
					    json_text(rules_text(&b->rules).text), "known",
					    json_boolean(known), "name", json_unless_empty(name),
					    "note", json_unless_empty(note), "moves", moves, NULL));
	if (!n)
		string_addf(&c->out, known ? "no moves\n" : "not in the book\n");
	json_decref(moves);
	return QV_OK;
}

/* Shows the whole book, or with a position or moves the book moves there. */
static enum qv_status run_show(struct cli *c)
{
	struct book book = { 0 };
	struct position p = { 0 };
	enum qv_status status = book_open(c->context, c->args.words[2], NULL, &book, &c->error);
	if (status != QV_OK)
		return status;
	/* Without a position: the whole book. */
	if (c->args.word_count <= 3 && !c->args.moves && !c->args.moves_from) {
		status = unfold(c, &book, c->args.words[2]);
		if (status == QV_OK)
			status = overview(c, &book);
		goto done;
	}
	/* The position is read with the rules of the book, which its file names. */
	status = position_open(c, rules_text(&book.rules).text, c->args.words[3], &p);
	if (status != QV_OK)
		goto done;
	const size_t room = (size_t)book.rules.game->max_moves;
	struct book_option *list = mem_new(&mem_malloc, room, sizeof *list);
	void *state = mem_new(&mem_malloc, 1, book.stride);
	status = list && state ? show_options(c, &book, p.state, list, state)
			       : cli_no_memory(c, "book");
	mem_free(&mem_malloc, list, room * sizeof *list);
	mem_free(&mem_malloc, state, book.stride);
	position_release(&p);
done:
	book_release(&book);
	return status;
}

/* ---- The command ---- */

static const struct verb verbs[] = {
	{ "build", run_build, 1, MAX_WORDS - 2,
	  { book_player_option, out_option, build_options, margin_option } },
	{ "check", run_check, 1, 1, { book_player_option, margin_option } },
	{ "merge", run_merge, 1, MAX_WORDS - 2, { out_option } },
	{ "show", run_show, 1, 2, { moves_options } },
	{ 0 },
};

/* All verbs take at least a file or a game. */
static enum qv_status run(struct cli *c)
{
	return cli_run_verb(c, verbs, "an argument is missing");
}

const struct command command_book = {
	.name = "book", .run = run, .least = 2, .most = MAX_WORDS - 1,
	.usage = "book build|check|merge|show ...", .help = "make, check and show opening books",
	.more = "build GAME FILE... makes a book from records and journals of matches, build GAME "
		"--player SPEC from the moves of a player. check FILE reports what is wrong with a "
		"book. merge FILE... adds books up. show FILE [POS] lists the lines, or the moves of "
		"a position. FILE can be own:GAME, the built-in book. Players use a book by the key "
		"book=FILE. See docs/books.md.\n"
		"Exit status 1: something is wrong with the book, it does not contain the position, "
		"or Ctrl-C stopped it.\n",
	.options = OPTION_GROUPS(moves_options, book_player_option, out_option, build_options,
				 margin_option, common_options),
};
