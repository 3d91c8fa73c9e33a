/*
 * engine_session.c - the engine behind any protocol: its game, options, player and current task.
 * SPDX-License-Identifier: MIT
 *
 * The player is made when it is first needed and kept as long as the settings that it depends on
 * stay the same, because its tables are expensive to make. A task is prepared by one call and done
 * by engine_run, perhaps in another thread. The options of all protocols set the same fields, so
 * each protocol only has its own table of names.
 */
#include "protocols/engine_session.h"

#include <time.h>

#include "base/flag.h"
#include "core/context.h"
#include "formats/chess960.h"
#include "protocols/engine.h"
#include "search/budget.h"
#include "search/analysis.h"

enum { DEFAULT_MS = 1000, DEFAULT_ELO = 1500 };

/* ---- The player ---- */

/* Analyses do not use the book, so that they judge the opening by themselves. */
static bool uses_book(const struct engine_settings *set)
{
	return set->own_book && !set->analyse;
}

/*
 * Makes a player of the spec, with the book if one is set. By default no book is used, not even
 * for a level: managers bring their own, and expect a search where theirs ends.
 */
static enum qv_status player_of(struct engine_session *e, const char *spec, struct qv_player **out,
				struct qv_error *error)
{
	char with_book[2 * ENGINE_SPEC + 16];
	const bool booked = e->set.book[0] && uses_book(&e->set);
	const struct qv_defaults defaults = { .size = sizeof defaults,
					      .seed = (uint64_t)e->set.seed,
					      .threads = (int)e->set.threads,
					      .hash_mb = (int)e->set.hash_mb,
					      .tables = e->tables,
					      .prober = e->prober,
					      .no_book = true };
	if (booked)
		snprintf(with_book, sizeof with_book, "%s%sbook=%s", spec,
			 strchr(spec, ':') ? "," : ":", e->set.book);
	return qv_player_new(e->context, &e->rules, booked ? with_book : spec, &defaults, out,
			     error);
}

/* A player of the rating if the strength is limited, else of the spec, else the strongest. */
static enum qv_status new_player(struct engine_session *e, struct qv_player **out,
				 struct qv_error *error)
{
	char own[STRONGEST_SPEC];
	if (e->set.limited && context_rated(e->rules.game, (int)e->set.elo, own))
		return player_of(e, own, out, error);
	if (!e->set.spec[0])
		strongest_player(e->rules.game, "depth=100", own);
	return player_of(e, e->set.spec[0] ? e->set.spec : own, out, error);
}

/*
 * The player is made lazily: a manager often sets several options before the first search, and
 * each of them would make another player.
 */
enum qv_status engine_ready(struct engine_session *e, struct qv_error *error)
{
	return e->player ? QV_OK : new_player(e, &e->player, error);
}

/* The settings have changed: the next search makes another player. */
static void drop_player(struct engine_session *e)
{
	qv_player_free(e->player);
	e->player = NULL;
}

/* ---- Options ---- */

enum { MOST_THREADS = 256, MOST_HASH = 1 << 20, MOST_LINES = 256, MOST_LAG_MS = 10000 };

#define ROW(name_, type_, f, ...) OPTION(struct engine_session, name_, type_, set.f, __VA_ARGS__)

const struct option qgp_options[] = {
	ROW("player", OPTION_TEXT, spec, .help = "a player spec; empty: the strongest player"),
	ROW("depth", OPTION_INT, depth, .max = 100, .help = "most plies to search; 0: no limit"),
	ROW("nodes", OPTION_INT, nodes, .max = INT64_MAX / 2,
	    .help = "most positions to search; 0: no limit"),
	ROW("time", OPTION_INT, time_ms, .max = 86400000,
	    .help = "most ms for a move; 0: no limit"),
	ROW("threads", OPTION_INT, threads, .min = 1, .max = MOST_THREADS,
	    .help = "search threads"),
	ROW("hash", OPTION_INT, hash_mb, .max = MOST_HASH, .help = "size of hash tables, MB"),
	ROW("seed", OPTION_INT, seed, .max = INT64_MAX, .help = "seed of all random numbers"),
	{ 0 },
};

/* An option that other programs set, without effect here. */
static enum qv_status set_nothing(void *values, const struct option *option, const char *text,
				  struct qv_error *error)
{
	(void)values, (void)option, (void)text, (void)error;
	return QV_OK;
}

const char *engine_variant(const struct engine_session *e, int *at)
{
	const struct qv_game *game;
	while ((game = qv_game_at(e->context, (*at)++)))
		if (protocol_uci.fits(game, NULL) == QV_OK)
			return game->name;
	return NULL;
}

/* UCI_Variant: begins a game of that name, by its default rules unless it is the current one. */
static enum qv_status set_variant(void *values, const struct option *option, const char *text,
				  struct qv_error *error)
{
	struct engine_session *e = values;
	const char *name;
	int at = 0;
	while ((name = engine_variant(e, &at)) && !text_same(name, text))
		;
	if (!name)
		return qv_fail(error, QV_UNKNOWN, "%s: there is no variant '%.40s'", option->name,
			       text);
	if (strcmp(name, e->rules.game->name) == 0)
		return QV_OK;
	const bool is_960 = e->set.chess960 && strcmp(name, CHESS_RULES) == 0;
	return engine_new_game(e, is_960 ? CHESS960_RULES : name, error);
}

/* While UCI_LimitStrength is on, it has precedence over Player. */
const struct option uci_options[] = {
	ROW("Hash", OPTION_INT, hash_mb, .min = 1, .max = MOST_HASH),
	ROW("Threads", OPTION_INT, threads, .min = 1, .max = MOST_THREADS),
	ROW("Clear Hash", OPTION_FLAG, clear_hash),
	ROW("MultiPV", OPTION_INT, lines, .min = 1, .max = MOST_LINES),
	ROW("Ponder", OPTION_SWITCH, ponder),
	ROW("Move Overhead", OPTION_INT, lag_ms, .max = MOST_LAG_MS),
	ROW("OwnBook", OPTION_SWITCH, own_book),
	ROW("BookFile", OPTION_TEXT, book),
	ROW("SyzygyPath", OPTION_TEXT, syzygy),
	ROW("Player", OPTION_TEXT, spec),
	ROW("UCI_LimitStrength", OPTION_SWITCH, limited),
	ROW("UCI_Elo", OPTION_INT, elo), /* its bounds are the game's */
	ROW("UCI_AnalyseMode", OPTION_SWITCH, analyse),
	ROW("UCI_Chess960", OPTION_SWITCH, chess960),
	ROW("UCI_ShowWDL", OPTION_SWITCH, show_wdl),
	{ .name = "UCI_Variant", .type = OPTION_CUSTOM, .set = set_variant, .value = "" },
	{ .name = "UCI_Opponent", .type = OPTION_CUSTOM, .set = set_nothing, .value = "" },
	{ .name = "UCI_EngineAbout",
	  .type = OPTION_CUSTOM,
	  .set = set_nothing,
	  .value = "Quevedo: plays, searches, solves and teaches strategy games" },
	{ 0 },
};

const struct option *engine_option_find(const struct option *options, const char *name)
{
	for (; options->name; options++)
		if (text_same(options->name, name))
			return options;
	return NULL;
}

/*
 * Only games with rated players have UCI_LimitStrength and UCI_Elo, and the bounds of the rating
 * are those of these players. Only chess has Chess960, a model of its results, and SyzygyPath, if
 * the program can read such tables.
 */
bool engine_option_here(const struct engine_session *e, const struct option *row,
			struct option *out)
{
	const bool elo = row->at == offsetof(struct engine_session, set.elo);
	int min, max;
	const bool orthodox = context_engine(e->rules.game)->orthodox;
	*out = *row;
	if (row->at == offsetof(struct engine_session, set.syzygy))
		return e->prober && orthodox;
	if (row->at == offsetof(struct engine_session, set.chess960) ||
	    row->at == offsetof(struct engine_session, set.show_wdl))
		return orthodox;
	if (!elo && row->at != offsetof(struct engine_session, set.limited))
		return true;
	if (!context_rated_range(e->rules.game, &min, &max))
		return false;
	if (elo) {
		out->min = min;
		out->max = max;
	}
	return true;
}

/*
 * All numbers and switches of the settings are int64_t, so one read fits them all. A default may
 * lie outside the bounds of a protocol; managers reject such an option.
 */
int64_t engine_option_number(const struct engine_session *e, const struct option *row)
{
	int64_t number;
	memcpy(&number, (const char *)e + row->at, sizeof number);
	if (row->type == OPTION_INT)
		number = number < row->min ? row->min : number > row->max ? row->max : number;
	return number;
}

const char *engine_option_text(const struct engine_session *e, const struct option *row)
{
	return row->type == OPTION_CUSTOM ? row->value : (const char *)e + row->at;
}

/* The settings were `before`: makes the rest of the engine follow, or undoes the change. */
static enum qv_status follow(struct engine_session *e, const struct engine_settings *before,
			     struct qv_error *error)
{
	struct qv_player *made = NULL, *booked = NULL;
	enum qv_status status = QV_OK;
	struct engine_settings *now = &e->set;
	const bool spec = strcmp(now->spec, before->spec) != 0;
	const bool book = strcmp(now->book, before->book) != 0;
	const bool same = now->hash_mb == before->hash_mb && now->threads == before->threads &&
			  now->seed == before->seed && now->depth == before->depth &&
			  now->nodes == before->nodes && now->time_ms == before->time_ms &&
			  now->limited == before->limited &&
			  (!now->limited || now->elo == before->elo) &&
			  (!now->book[0] || uses_book(now) == uses_book(before));
	if (now->chess960 != before->chess960)
		status = engine_new_game(e, now->chess960 ? CHESS960_RULES : CHESS_RULES, error);
	if (strcmp(now->syzygy, before->syzygy) != 0)
		status = e->prober->open(e->prober->ctx, now->syzygy, error);
	if (spec && now->spec[0])
		status = player_of(e, now->spec, &made, error);
	if (book && strchr(now->book, ',')) {
		status = qv_fail(error, QV_BAD_INPUT,
				 "book: its name has a comma, or more than %zu characters",
				 sizeof now->book - 1);
	} else if (book) {
		/* Check a new book with a player, even if it is switched off. */
		const struct engine_settings wanted = *now;
		now->own_book = 1;
		now->analyse = 0;
		status = new_player(e, &booked, error);
		qv_player_free(booked);
		*now = wanted;
	}
	if (status != QV_OK) {
		*now = *before;
		return status;
	}
	if (spec || book || !same)
		drop_player(e);
	if (made && !now->limited)
		e->player = made;
	else
		qv_player_free(made); /* it was made as a check only */
	if (now->clear_hash && e->player)
		qv_player_new_game(e->player);
	now->clear_hash = false;
	now->ponder = 0; /* each search states whether it ponders */
	return QV_OK;
}

/*
 * Texts of switches are translated to 0 and 1; an empty text, which option_read rejects, clears
 * the field. If anything fails, follow() restores the settings.
 */
enum qv_status engine_set(struct engine_session *e, const struct option *option, const char *text,
			  struct qv_error *error)
{
	const struct engine_settings before = e->set;
	struct option row;
	if (!engine_option_here(e, option, &row))
		return qv_fail(error, QV_UNSUPPORTED, "%s: it is not for this game", option->name);
	const char *value = text;
	if (row.type == OPTION_SWITCH && (text_same(text, "true") || text_same(text, "false")))
		value = text_same(text, "true") ? "1" : "0";
	bool good = true;
	if (row.type == OPTION_TEXT && !*text)
		((char *)e)[row.at] = '\0';
	else
		good = option_read(&row, e, value, error) == QV_OK;
	if (good)
		return follow(e, &before, error);
	if (row.type == OPTION_CUSTOM)
		return QV_BAD_INPUT; /* its own error */
	/* The wording is part of the protocols. */
	if (row.type == OPTION_SWITCH)
		return qv_fail(error, QV_BAD_INPUT, "%s: '%.40s' is neither true nor false",
			       row.name, text);
	if (row.type == OPTION_TEXT)
		return qv_fail(error, QV_BAD_INPUT, "%s: longer than %zu characters", row.name,
			       row.size - 1);
	return qv_fail(error, QV_BAD_INPUT, "%s: '%.40s' is not a whole number from %lld to %lld",
		       row.name, text, (long long)row.min, (long long)row.max);
}

void engine_analyse(struct engine_session *e, bool analyse)
{
	const struct engine_settings before = e->set;
	e->set.analyse = analyse;
	follow(e, &before, NULL);
}

/* ---- The game ---- */

/* Everything new is made before anything old is released, so that a failure changes nothing. */
enum qv_status engine_new_game(struct engine_session *e, const char *game, struct qv_error *error)
{
	struct qv_rules rules = e->rules;
	struct qv_record *record;
	enum qv_status status = game ? qv_rules_parse(e->context, game, &rules, error) : QV_OK;
	if (status == QV_OK)
		status = qv_record_new(e->context, &rules, NULL, &record, error);
	if (status != QV_OK)
		return status;
	void *scratch = qv_state_new(e->context, rules.game);
	if (!scratch) {
		qv_record_free(record);
		return qv_fail(error, QV_NO_MEMORY, "game: out of memory");
	}
	/* The same game again needs no other player. */
	const bool same = rules.game == e->rules.game &&
			  memcmp(rules.options, e->rules.options, sizeof rules.options) == 0;
	struct qv_player *player = same ? e->player : NULL;
	if (player) {
		qv_player_new_game(player);
		e->player = NULL;
	}
	engine_release(e);
	e->rules = rules;
	e->record = record;
	e->scratch = scratch;
	e->player = player;
	return QV_OK;
}

/* The player stays: it gets the history of the new record with the next search. */
enum qv_status engine_position(struct engine_session *e, const char *position,
			       struct qv_error *error)
{
	struct qv_record *record;
	const enum qv_status status =
		qv_record_new(e->context, &e->rules, position, &record, error);
	if (status != QV_OK)
		return status;
	qv_record_free(e->record);
	e->record = record;
	return QV_OK;
}

const void *engine_state(const struct engine_session *e)
{
	return qv_record_state(e->record);
}

bool engine_over(const struct engine_session *e)
{
	int32_t points[QV_MAX_SEATS];
	return qv_record_result(e->record, points) != QV_GOING;
}

/* The record checks that the move is legal; here it is only parsed. */
enum qv_status engine_play(struct engine_session *e, const char *text, struct qv_error *error)
{
	qv_move move;
	if (engine_over(e))
		return qv_fail(error, QV_ILLEGAL, "move '%.60s': the game has ended", text);
	const enum qv_status status =
		qv_move_parse(e->rules.game, engine_state(e), text, &move, error);
	return status == QV_OK ? qv_record_play(e->record, move, -1, error) : status;
}

enum qv_status engine_undo(struct engine_session *e, int plies, struct qv_error *error)
{
	if (plies > qv_record_ply(e->record))
		return qv_fail(error, QV_ILLEGAL, "undo %d: only %d moves were played", plies,
			       qv_record_ply(e->record));
	return qv_record_undo(e->record, plies, NULL);
}

/*
 * Meant for chess, whose position text is a FEN. In other games the new record usually ends in the
 * same way at once.
 */
enum qv_status engine_play_on(struct engine_session *e, struct qv_error *error)
{
	char text[QV_POSITION_TEXT] = "", again[QV_POSITION_TEXT] = "", *rest = text;
	struct qv_text out = { text, sizeof text, 0 }, to = { again, sizeof again, 0 };
	e->rules.game->position_text(engine_state(e), &out);
	for (int field = 1; *rest; field++) {
		int64_t number;
		const char *word = words_next(&rest);
		/* The fifth word of a FEN counts the moves without progress. */
		const bool counts = field == 5 && text_to_int(word, 0, INT32_MAX, &number);
		if (field > 1)
			qv_put_char(&to, ' ');
		qv_put(&to, counts ? "0" : word);
	}
	return engine_position(e, again, error);
}

/* Returned by value, so that it can be an argument of string_addf. */
struct move_text move_text(const struct qv_game *game, const void *state, qv_move move)
{
	struct move_text out = { "" };
	struct qv_text text = { out.text, sizeof out.text, 0 };
	game->move_text(state, move, &text);
	return out;
}

/*
 * A line may be cut or come from a table entry that was overwritten, so its second move is
 * checked.
 */
struct move_text engine_reply(const struct engine_session *e)
{
	const struct qv_game *game = e->rules.game;
	const struct qv_answer *a = &e->answer;
	const struct move_text none = { "" };
	memcpy(e->scratch, engine_state(e), game->state_size);
	if (a->line_length < 2 || a->line[0] != a->move)
		return none;
	game->play(e->scratch, a->move);
	if (!qv_move_legal(game, e->scratch, a->line[1]))
		return none;
	return move_text(game, e->scratch, a->line[1]);
}

/* The line is checked move by move for the same reason. */
void engine_add_line(const struct engine_session *e, const struct qv_answer *answer,
		     const char *separator, struct string *out)
{
	const struct qv_game *game = e->rules.game;
	memcpy(e->scratch, engine_state(e), game->state_size);
	for (int i = 0; i < answer->line_length; i++) {
		if (!qv_move_legal(game, e->scratch, answer->line[i]))
			return;
		string_addf(out, "%s%s", i ? separator : "",
			    move_text(game, e->scratch, answer->line[i]).text);
		game->play(e->scratch, answer->line[i]);
	}
}

/* ---- Searching ---- */

/* The lower of two limits. */
static int64_t least(int64_t a, int64_t b)
{
	return a && b ? (a < b ? a : b) : a + b; /* 0 is no limit */
}

/* Clears what the last task left behind. */
static void begin(struct engine_session *e, enum engine_task task)
{
	e->task = task;
	e->status = QV_OK;
	e->error.text[0] = '\0';
	flag_set(&e->stop, false);
}

/*
 * The limits of the request and those of the settings both apply: the lower of each counts. A
 * clock is turned into a time for this move by allocate_time().
 */
enum qv_status engine_go(struct engine_session *e, const struct engine_limits *asked,
			 struct qv_error *error)
{
	if (engine_over(e))
		return qv_fail(error, QV_ILLEGAL, "go: the game has ended");
	const enum qv_status status = engine_ready(e, error);
	if (status != QV_OK)
		return status;
	const int seat = e->rules.game->seat(engine_state(e));
	struct qv_limits *l = &e->limits;
	*l = (struct qv_limits){ .depth = (int)least(asked->depth, e->set.depth),
				 .nodes = (uint64_t)least(asked->nodes, e->set.nodes),
				 .evals = (uint64_t)asked->evals,
				 .time_ms = least(asked->time_ms, e->set.time_ms),
				 .stop = &e->stop };
	if (asked->clocks) {
		const struct move_clock clock = { .left_ms = asked->left_ms[seat],
						   .added_ms = asked->added_ms[seat],
						   .moves = asked->moves_to_go,
						   .lag_ms = e->set.lag_ms };
		allocate_time(&clock, l);
	}
	const bool limited = l->depth || l->nodes || l->evals || l->time_ms;
	/* Nothing limits the search; but a chosen player has its own limits. */
	if (!limited && !asked->mate && !asked->infinite && !e->set.spec[0])
		l->time_ms = DEFAULT_MS;
	/* A limit that its spec does not name ends no search that the manager will stop. */
	if (!limited && (asked->mate || asked->infinite) && e->set.spec[0])
		l->nodes = UINT64_MAX;
	l->history = qv_record_history(e->record, &l->history_count);
	e->infinite = asked->infinite;
	e->mate = asked->mate;
	l->only_count = asked->only_count < QV_MAX_MOVES ? asked->only_count : QV_MAX_MOVES;
	if (l->only_count)
		l->only = memcpy(e->only, asked->only, (size_t)l->only_count * sizeof *e->only);
	flag_set(&e->ponder, asked->ponder);
	if (asked->ponder)
		l->ponder = &e->ponder;
	begin(e, TASK_MOVE);
	return QV_OK;
}

/* The solver is made by engine_run, because its hash table takes time. */
enum qv_status engine_solve(struct engine_session *e, bool distance, struct qv_error *error)
{
	const struct qv_game *game = e->rules.game;
	if (game->seats != 2 || game->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "solve: only games of two seats without chance are solved");
	if (engine_over(e))
		return qv_fail(error, QV_ILLEGAL, "solve: the game has ended");
	e->distance = distance;
	begin(e, TASK_SOLVE);
	return QV_OK;
}

void engine_hold(struct engine_session *e, const struct engine_limits *limits)
{
	e->infinite = limits->infinite;
	flag_set(&e->ponder, limits->ponder);
	begin(e, TASK_HOLD);
}

void engine_perft(struct engine_session *e, int depth)
{
	e->perft_depth = depth;
	begin(e, TASK_PERFT);
}

/* perft_count moves were counted, even if it was stopped. */
static void perft(struct engine_session *e)
{
	const struct qv_game *game = e->rules.game;
	const struct qv_perft_limits limits = { .size = sizeof limits, .depth = e->perft_depth - 1,
						.threads = (int)e->set.threads,
						.stop = &e->stop };
	const int count = game->moves(engine_state(e), e->only);
	for (e->perft_count = 0; e->status == QV_OK && e->perft_count < count; e->perft_count++) {
		memcpy(e->scratch, engine_state(e), game->state_size);
		game->play(e->scratch, e->only[e->perft_count]);
		e->status = qv_perft(e->context, game, e->scratch, &limits,
				     &e->perft_leaves[e->perft_count], &e->error);
	}
}

void engine_ponderhit(struct engine_session *e)
{
	flag_set(&e->ponder, false);
}

/* Passes a line on, and stops once it has the mate that was asked for. */
static void report(struct engine_session *e, int line, const struct qv_answer *so_far)
{
	if (e->listener)
		e->listener->line(e->listener->ctx, line, so_far);
	if (e->mate && line == 1 && !so_far->bound && so_far->score >= QV_WIN - e->mate)
		flag_set(&e->stop, true);
}

/* For the iterations and the bounds of a search with one line. */
static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	report(ctx, 1, so_far);
}

/* Set only if there is a listener with root_move. */
static void on_root_move(void *ctx, qv_move move, int n, int depth)
{
	const struct engine_session *e = ctx;
	e->listener->root_move(e->listener->ctx, move, n, depth);
}

/* For a search with several lines: the answer is the first of them. */
static enum qv_status on_analysis(void *ctx, int line, const struct qv_answer *so_far,
				  struct qv_error *error)
{
	struct engine_session *e = ctx;
	(void)error;
	if (line == 1)
		e->answer = *so_far;
	report(e, line, so_far);
	return QV_OK;
}

/* Searches several lines, the best first. */
static enum qv_status run_lines(struct engine_session *e, const struct qv_listener *listener)
{
	const struct analysis_setup setup = {
		.allocator = e->allocator,
		.player = e->player,
		.spec = e->set.spec[0] ? e->set.spec : "the strongest",
		.game = e->rules.game,
		.state = engine_state(e),
		.lines = (int)e->set.lines,
		.limits = e->limits,
		.report = on_analysis,
		.root_move = listener->root_move,
		.ctx = e,
	};
	e->answer = (struct qv_answer){ .move = QV_NO_MOVE };
	const enum qv_status status = analysis_run(&setup, &e->error);
	/* Some players have only one move, whatever is left out; that one is known. */
	return status == QV_UNSUPPORTED && e->answer.move != QV_NO_MOVE ? QV_OK : status;
}

/*
 * The status of a task that was stopped is QV_STOPPED, and its answer is valid. After TASK_HOLD
 * the answer has no move.
 */
void engine_run(struct engine_session *e, const struct engine_listener *to)
{
	const struct qv_listener listener = {
		.iteration = on_iteration,
		.bound = to && to->bounds ? on_iteration : NULL,
		.root_move = to && to->root_move ? on_root_move : NULL,
		.ctx = e,
	};
	e->listener = to;
	if (e->task == TASK_PERFT) {
		perft(e);
		return;
	}
	if (e->task == TASK_SOLVE) {
		const struct qv_solve_limits limits = { .distance = e->distance, .stop = &e->stop };
		const struct qv_defaults defaults = { .size = sizeof defaults,
						      .tables = e->tables,
						      .prober = e->prober };
		struct qv_solver *solver = NULL;
		e->status = qv_solver_new_with(e->context, &e->rules, &defaults,
					       (size_t)e->set.hash_mb << 20, &solver, &e->error);
		if (e->status == QV_OK)
			e->status = solver_run(solver, engine_state(e), &limits, &e->solution,
						    &e->error);
		qv_solver_free(solver);
		return;
	}
	if (e->task == TASK_HOLD)
		e->answer = (struct qv_answer){ .move = QV_NO_MOVE };
	else if (e->set.lines > 1)
		e->status = run_lines(e, &listener);
	else
		e->status =
			player_choose(e->player, engine_state(e), &e->limits,
					to || e->mate ? &listener : NULL, &e->answer, &e->error);
	/* Some protocols forbid an answer before the stop, however much is known. */
	const struct timespec moment = { 0, 2000000 };
	while (!flag_is_set(&e->stop) && (e->infinite || flag_is_set(&e->ponder)))
		nanosleep(&moment, NULL);
}

/* ---- Life ---- */

/* The first game is set up as by engine_new_game; the player of the setup is checked at once. */
enum qv_status engine_init(struct engine_session *e, const struct connection_setup *setup,
			   struct qv_error *error)
{
	*e = (struct engine_session){ .context = setup->context,
				      .allocator = context_allocator(setup->context),
				      .tables = setup->defaults.tables,
				      .prober = setup->defaults.prober,
				      .set = { .hash_mb = setup->defaults.hash_mb,
					       .threads = setup->defaults.threads,
					       .seed = (int64_t)setup->defaults.seed,
					       .lines = 1,
					       .lag_ms = MOVE_LAG_MS,
					       .elo = DEFAULT_ELO,
					       .own_book = 1 } };
	enum qv_status status = engine_new_game(e, setup->game, error);
	e->set.chess960 = status == QV_OK && rules_are_960(&e->rules);
	if (status == QV_OK && setup->player)
		status = engine_set(e, engine_option_find(qgp_options, "player"), setup->player,
				    error);
	if (status != QV_OK)
		engine_release(e);
	return status;
}

/*
 * Also used by engine_new_game, so the fields that stay in use become NULL. The settings are kept.
 */
void engine_release(struct engine_session *e)
{
	drop_player(e);
	qv_record_free(e->record);
	if (e->scratch)
		qv_state_free(e->context, e->rules.game, e->scratch);
	e->record = NULL;
	e->scratch = NULL;
}
