/*
 * book.c - the command book: opening books built, checked, merged and shown.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"
#include "book/book.h"
#include "book/polyglot_book.h"
#include "cli/cli.h"
#include "cli/games_file.h"
#include "core/context.h"
#include "programs/players.h"

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

struct rules_words {
	char text[QV_POSITION_TEXT];
};

static struct rules_words rules_words(const struct qv_rules *rules)
{
	struct rules_words words = { "" };
	struct qv_text out = { words.text, sizeof words.text, 0 };
	qv_rules_text(rules, &out);
	return words;
}

/* ---- Writing one ---- */

static enum qv_status write_file(struct cli *c, const struct string *text)
{
	struct file_writer file = { 0 };
	enum qv_status status = file_create(&file, &mem_malloc, c->args.out, &c->error);
	if (status == QV_OK)
		status = file_write(&file, text->data, text->length, &c->error);
	if (status == QV_OK)
		status = file_keep(&file, &c->error);
	else
		file_abandon(&file);
	return status;
}

/* What it is made of, in numbers. */
struct extent {
	int lines, replies, positions, moves;
};

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

static json_t *extent_json(json_t *o, const struct book *b)
{
	const struct extent e = extent_of(b);
	o = json_field(o, "positions", json_integer(e.positions));
	o = json_field(o, "moves", json_integer(e.moves));
	return json_field(o, "replies", json_integer(e.replies));
}

static void add_extent(struct string *out, const struct book *b)
{
	const struct extent e = extent_of(b);
	string_addf(out, "book of %s: %d lines, %d replies, %d positions, %d moves\n",
		    rules_words(&b->rules).text, e.lines, e.replies, e.positions, e.moves);
}

/* Of a .bin file only what can be walked to is known in full. */
static enum qv_status unfold(struct cli *c, struct book *b, const char *path)
{
	uint32_t unknown;
	const enum qv_status status = book_unfold(b, &unknown, &c->error);
	if (status == QV_OK && unknown)
		fprintf(stderr,
			"quevedo: %s: left out %u positions that nothing in the book leads to\n",
			cli_word(path), unknown);
	return status;
}

/* To the file that --out names, or as the answer itself. */
static enum qv_status hand_out(struct cli *c, struct book *b)
{
	struct string text = { .allocator = &mem_malloc };
	enum qv_status status = QV_OK;
	if (c->args.out && polyglot_is_name(c->args.out))
		status = polyglot_write(b, &text, &c->error);
	else
		book_write(b, &text);
	if (status != QV_OK) {
		string_release(&text);
		return status;
	}
	if (text.failed) {
		status = qv_fail(&c->error, QV_NO_MEMORY, "book: out of memory");
	} else if (c->args.out) {
		status = write_file(c, &text);
		if (status == QV_OK && !c->args.json)
			add_extent(&c->out, b);
	} else if (!c->args.json) {
		string_add(&c->out, text.data, text.length);
	}
	if (status == QV_OK && c->args.json) {
		json_t *o =
			json_field(json_object(), "game", json_text(rules_words(&b->rules).text));
		o = extent_json(o, b);
		status = cli_json(
			c, json_field(o, "book", c->args.out ? json_null() : json_text(text.data)));
	}
	string_release(&text);
	return status;
}

/* ---- build ---- */

struct gathering {
	struct cli *c;
	const char *path;
	struct qv_rules rules;
	struct book_tally tally;
	int games, wrong;
};

/* The record's moves from the start to where it ends, up to --plies. */
static enum qv_status count_moves(struct gathering *g, struct qv_record *record, int winner)
{
	const struct book_values *own = cli_own(g->c);
	const int plies = qv_record_ply(record);
	enum qv_status status = qv_record_undo(record, plies, NULL);
	for (int i = 0; i < plies && i < own->plies && status == QV_OK; i++) {
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

static enum qv_status gather_record(void *ctx, struct qv_record *record)
{
	struct gathering *g = ctx;
	const struct qv_rules *rules = qv_record_rules(record);
	const int winner = qv_record_winner(record);
	if (!book_is_for(&g->tally.book, rules))
		return qv_fail(&g->c->error, QV_BAD_INPUT, "%.60s: a game of %.60s is in it",
			       cli_word(g->path), rules_words(rules).text);
	if (winner == QV_UNDECIDED)
		return QV_OK;
	g->games++;
	return count_moves(g, record, winner);
}

/* A game of somebody else's file that cannot be read: a remark, once for each file. */
static void on_wrong(void *ctx, const char *what, bool harmless)
{
	struct gathering *g = ctx;
	if (!harmless && !g->wrong++)
		fprintf(stderr, "quevedo: %s: passed over what cannot be read, first at %s\n",
			cli_word(g->path), what);
}

static enum qv_status gather_file(struct gathering *g)
{
	const struct games_ear ear = { gather_record, on_wrong, g };
	g->wrong = 0;
	return games_read(g->c, g->path, &g->rules, &ear);
}

static enum qv_status build_from_files(struct cli *c, const struct qv_rules *rules)
{
	const struct book_values *own = cli_own(c);
	struct gathering g = { .c = c, .rules = *rules };
	struct book book = { 0 };
	enum qv_status status =
		book_tally_make(&g.tally, context_allocator(c->context), rules, &c->error);
	for (int i = 3; i < c->args.word_count && status == QV_OK; i++) {
		g.path = c->args.words[i];
		status = gather_file(&g);
	}
	if (status == QV_OK && !g.games)
		status = qv_fail(&c->error, QV_BAD_INPUT,
				 "book build: the files have no finished game");
	if (status == QV_OK)
		status = book_tally_finish(&g.tally, (uint32_t)own->least, &book, &c->error);
	if (status == QV_OK)
		status = hand_out(c, &book);
	book_release(&book);
	book_tally_release(&g.tally);
	return status;
}

static void show_progress(void *ctx, uint32_t done, uint32_t known)
{
	(void)ctx;
	fprintf(stderr, "\r\033[K%u of %u positions", done, known);
}

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
	const struct book_search how = { .player = player,
					 .plies = (int)own->plies,
					 .margin = own->margin,
					 .every = own->every,
					 .stop = cli_stop_flag(),
					 .progress = cli_shows_progress() ? show_progress : NULL };
	status = book_build(context_allocator(c->context), rules, &how, &book, &c->error);
	if (how.progress)
		fprintf(stderr, "\r\033[K");
	qv_player_free(player);
	if (status == QV_OK)
		status = hand_out(c, &book);
	book_release(&book);
	return status;
}

static enum qv_status cmd_book_build(struct cli *c)
{
	const struct book_values *own = cli_own(c);
	struct qv_rules rules;
	enum qv_status status = qv_rules_parse(c->context, c->args.words[2], &rules, &c->error);
	if (status != QV_OK)
		return status;
	const bool files = c->args.word_count > 3;
	if (files == !!c->args.player)
		return qv_fail(&c->error, QV_BAD_INPUT, "book build: %s",
			       files ? "give files or --player SPEC, not both"
				     : "give files of games, or --player SPEC");
	if (files && (own->every || arguments_given(&c->args, "margin")))
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "book build: --every and --margin need --player SPEC");
	if (!files && arguments_given(&c->args, "least"))
		return qv_fail(&c->error, QV_BAD_INPUT, "book build: --least needs files of games");
	return files ? build_from_files(c, &rules) : build_by_player(c, &rules);
}

/* ---- merge ---- */

static enum qv_status cmd_book_merge(struct cli *c)
{
	struct book all = { 0 };
	enum qv_status status = QV_OK;
	for (int i = 2; i < c->args.word_count && status == QV_OK; i++) {
		struct book more = { 0 };
		struct qv_error why = { "" };
		status = book_open(c->context, c->args.words[i], NULL, i == 2 ? &all : &more,
				   &c->error);
		if (status == QV_OK)
			status = unfold(c, i == 2 ? &all : &more, c->args.words[i]);
		if (status == QV_OK && i > 2 && !book_is_for(&all, &more.rules))
			status = qv_fail(&c->error, QV_BAD_INPUT,
					 "%.60s: it is about %.60s, the others about %.60s",
					 c->args.words[i], rules_words(&more.rules).text,
					 rules_words(&all.rules).text);
		else if (status == QV_OK && i > 2 &&
			 (status = book_merge(&all, &more, &why)) != QV_OK)
			qv_fail(&c->error, status, "%.60s: %.180s", c->args.words[i], why.text);
		book_release(&more);
	}
	if (status == QV_OK)
		status = hand_out(c, &all);
	book_release(&all);
	return status;
}

/* ---- check ---- */

struct findings {
	struct cli *c;
	json_t *list;
	int count;
};

static void on_finding(void *ctx, int line, const char *what)
{
	struct findings *f = ctx;
	f->count++;
	if (f->c->args.json) {
		json_t *o =
			json_field(json_object(), "line", line ? json_integer(line) : json_null());
		f->list = json_item(f->list, json_field(o, "what", json_text(what)));
	} else if (line) {
		string_addf(&f->c->out, "line %d: %s\n", line, what);
	} else {
		string_addf(&f->c->out, "%s\n", what);
	}
}

static enum qv_status judge(struct cli *c, struct book *b, const struct book_reporter *ear)
{
	const struct book_values *own = cli_own(c);
	const struct qv_defaults defaults = cli_defaults(c);
	struct qv_player *player;
	int found = 0;
	enum qv_status status =
		player_open(c->context, &b->rules, c->args.player, &defaults, &player, &c->error);
	if (status != QV_OK)
		return status;
	status = book_judge(b, player, arguments_given(&c->args, "margin") ? own->margin : -1,
			    cli_stop_flag(), ear, &found, &c->error);
	qv_player_free(player);
	return status;
}

static enum qv_status check_book(struct cli *c, struct book *b, const struct book_reporter *ear)
{
	int found = 0;
	enum qv_status status = book_check(b, ear, &found, &c->error);
	if (status == QV_OK && c->args.player)
		status = judge(c, b, ear);
	return status;
}

static enum qv_status end_check(struct cli *c, const struct findings *f, const struct book *b)
{
	const bool known = b->allocator;
	c->answer_is_no = f->count > 0;
	if (!c->args.json) {
		if (known)
			add_extent(&c->out, b);
		string_addf(&c->out, "wrong %d\n", f->count);
		return QV_OK;
	}
	json_t *o = json_field(json_object(), "game",
			       known ? json_text(rules_words(&b->rules).text) : json_null());
	if (known)
		o = extent_json(json_field(o, "lines", json_integer(extent_of(b).lines)), b);
	o = json_field(o, "wrong", json_integer(f->count));
	return cli_json(c, json_field(o, "findings", json_incref(f->list)));
}

static enum qv_status unfold_and_tell(struct cli *c, struct book *b,
				      const struct book_reporter *ear)
{
	uint32_t unknown;
	char what[80];
	const enum qv_status status = book_unfold(b, &unknown, &c->error);
	if (status == QV_OK && unknown) {
		snprintf(what, sizeof what, "%u positions that nothing in the book leads to",
			 unknown);
		ear->report(ear->ctx, 0, what);
	}
	return status;
}

static enum qv_status cmd_book_check(struct cli *c)
{
	struct findings f = { .c = c, .list = json_array() };
	const struct book_reporter ear = { on_finding, &f };
	struct book book = { 0 };
	enum qv_status status = book_open(c->context, c->args.words[2], &ear, &book, &c->error);
	if (status == QV_OK)
		status = unfold_and_tell(c, &book, &ear);
	if (status == QV_OK)
		status = check_book(c, &book, &ear);
	else if (status != QV_IO && status != QV_NO_MEMORY) {
		on_finding(
			&f, 0,
			c->error.text); /* a book that cannot be read is what a check looks for */
		status = QV_OK;
	}
	if (status == QV_OK)
		status = end_check(c, &f, &book);
	json_decref(f.list);
	book_release(&book);
	return status;
}

/* ---- show ---- */

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
	char position[QV_POSITION_TEXT] = "start";
	struct qv_text out = { position, sizeof position, 0 };
	if (memcmp(book_state(b, item->from), book_state(b, 0), g->state_size) != 0)
		g->position_text(book_state(b, item->from), &out);
	json_t *o = json_field(json_object(), "number", json_integer(number));
	o = json_field(o, "name", json_text(book_text(b, item->name)));
	o = json_field(o, "weight", json_integer(item->weight));
	o = json_field(o, "from", json_text(position));
	o = json_field(o, "moves", moves);
	return json_field(o, "note",
			  item->note ? json_text(book_text(b, item->note)) : json_null());
}

static enum qv_status overview_json(struct cli *c, const struct book *b)
{
	json_t *lines = json_array();
	int number = 0;
	for (uint32_t i = 0; i < b->item_count; i++)
		if (b->items[i].kind == BOOK_LINE)
			lines = json_item(lines, line_json(b, &b->items[i], ++number));
	json_t *o = json_field(json_object(), "game", json_text(rules_words(&b->rules).text));
	o = json_field(o, "title", b->title ? json_text(book_text(b, b->title)) : json_null());
	o = json_field(o, "note", b->note ? json_text(book_text(b, b->note)) : json_null());
	o = json_field(o, "lines", lines);
	return cli_json(c, extent_json(o, b));
}

static enum qv_status overview(struct cli *c, const struct book *b)
{
	if (c->args.json)
		return overview_json(c, b);
	struct string *out = &c->out;
	int number = 0;
	if (b->title)
		string_addf(out, "%s\n", book_text(b, b->title));
	if (b->note)
		string_addf(out, "%s\n", book_text(b, b->note));
	for (uint32_t i = 0; i < b->item_count; i++) {
		const struct book_item *item = &b->items[i];
		if (item->kind != BOOK_LINE)
			continue;
		json_t *line = line_json(b, item, ++number);
		string_addf(out, "%3d  %-20s %4u ", number, book_text(b, item->name), item->weight);
		size_t k;
		json_t *move;
		json_array_foreach(json_object_get(line, "moves"), k, move)
			string_addf(out, "%s%s", k ? ", " : " ", json_string_value(move));
		out->failed |= !line;
		json_decref(line);
		string_addf(out, "\n");
	}
	add_extent(out, b);
	return QV_OK;
}

/* The name of the position behind a move; "" if it has none. */
static const char *name_behind(const struct book *b, const void *state, qv_move move, void *room)
{
	memcpy(room, state, b->rules.game->state_size);
	b->rules.game->play(room, move);
	return book_name(b, room, NULL, NULL);
}

static json_t *option_json(const struct book *b, const void *state,
			   const struct book_option *option, double share, void *room)
{
	const struct qv_game *g = b->rules.game;
	const char *name = name_behind(b, state, option->move, room);
	json_t *o = json_field(json_object(), "move",
			       json_text(move_words(g, state, option->move).text));
	o = json_field(o, "weight", json_integer((json_int_t)option->weight));
	o = json_field(o, "share", json_seconds(share));
	o = json_field(o, "name", *name ? json_text(name) : json_null());
	o = json_field(o, "reply", json_boolean(option->general));
	return json_field(o, "note", *option->note ? json_text(option->note) : json_null());
}

static void option_line(struct cli *c, const struct book *b, const void *state,
			const struct book_option *option, double share, void *room)
{
	const char *name = name_behind(b, state, option->move, room);
	string_addf(&c->out, "move %s: weight %llu, %.1f %%%s%s%s%s%s\n",
		    move_words(b->rules.game, state, option->move).text,
		    (unsigned long long)option->weight, 100 * share,
		    option->general ? ", the universal reply" : "", *name ? ", " : "", name,
		    *option->note ? "; " : "", option->note);
}

static enum qv_status show_options(struct cli *c, const struct book *b, const void *state,
				   struct book_option *list, void *room)
{
	const char *note;
	bool known;
	const char *name = book_name(b, state, &note, &known);
	const int n = book_options(b, state, list);
	uint64_t total = 0;
	json_t *moves = json_array();
	for (int i = 0; i < n; i++)
		total += list[i].weight;
	if (!c->args.json && *name)
		string_addf(&c->out, "name %s\n", name);
	if (!c->args.json && *note)
		string_addf(&c->out, "note %s\n", note);
	for (int i = 0; i < n; i++) {
		const double share = total ? (double)list[i].weight / (double)total : 0;
		if (c->args.json)
			moves = json_item(moves, option_json(b, state, &list[i], share, room));
		else
			option_line(c, b, state, &list[i], share, room);
	}
	c->answer_is_no = !known;
	if (!c->args.json) {
		if (!n)
			string_addf(&c->out, known ? "no moves\n" : "not in the book\n");
		json_decref(moves);
		return QV_OK;
	}
	json_t *o = json_field(json_object(), "game", json_text(rules_words(&b->rules).text));
	o = json_field(o, "known", json_boolean(known));
	o = json_field(o, "name", *name ? json_text(name) : json_null());
	o = json_field(o, "note", *note ? json_text(note) : json_null());
	return cli_json(c, json_field(o, "moves", moves));
}

static enum qv_status show_position(struct cli *c, const struct book *b)
{
	struct position p;
	const size_t room = (size_t)b->rules.game->max_moves;
	enum qv_status status = position_open(c, rules_words(&b->rules).text, c->args.words[3], &p);
	if (status != QV_OK)
		return status;
	struct book_option *list = mem_new(&mem_malloc, room, sizeof *list);
	void *state = mem_new(&mem_malloc, 1, b->stride);
	status = list && state ? show_options(c, b, p.state, list, state)
			       : qv_fail(&c->error, QV_NO_MEMORY, "book: out of memory");
	mem_free(&mem_malloc, list, room * sizeof *list);
	mem_free(&mem_malloc, state, b->stride);
	position_release(&p);
	return status;
}

static enum qv_status cmd_book_show(struct cli *c)
{
	struct book book = { 0 };
	const bool position = c->args.word_count > 3 || c->args.moves || c->args.moves_from;
	enum qv_status status = book_open(c->context, c->args.words[2], NULL, &book, &c->error);
	if (status == QV_OK && !position)
		status = unfold(c, &book, c->args.words[2]);
	if (status == QV_OK)
		status = (position ? show_position : overview)(c, &book);
	book_release(&book);
	return status;
}

/* ---- The command ---- */

/* book VERB ...: as a command, with the options that are its own. */
static const struct {
	const char *name;
	enum qv_status (*run)(struct cli *c);
	int least, most; /* arguments after its name */
	const struct option *options[5];
} verbs[] = {
	{ "build",
	  cmd_book_build,
	  1,
	  MAX_WORDS - 2,
	  { book_player_option, out_option, build_options, margin_option } },
	{ "check", cmd_book_check, 1, 1, { book_player_option, margin_option } },
	{ "merge", cmd_book_merge, 1, MAX_WORDS - 2, { out_option } },
	{ "show", cmd_book_show, 1, 2, { moves_options } },
};

static enum qv_status run(struct cli *c)
{
	const int words = c->args.word_count - 2;
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		char name[32];
		if (strcmp(c->args.words[1], verbs[i].name) != 0)
			continue;
		snprintf(name, sizeof name, "book %s", verbs[i].name);
		enum qv_status status =
			arguments_allow(&c->args, verbs[i].options, name, &c->error);
		if (status == QV_OK && (words < verbs[i].least || words > verbs[i].most))
			status = qv_fail(&c->error, QV_BAD_INPUT, "%s: %s", name,
					 words < verbs[i].least ? "an argument is missing"
								: "too many arguments");
		return status == QV_OK ? verbs[i].run(c) : status;
	}
	return qv_fail(&c->error, QV_BAD_INPUT, "book %.60s: expected build, check, merge or show",
		       cli_word(c->args.words[1]));
}

const struct command command_book = {
	.name = "book",
	.run = run,
	.least = 2,
	.most = MAX_WORDS - 1,
	.usage = "book build|check|merge|show ...",
	.help = "make, check and show opening books",
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
