/*
 * analyse.c - the commands best, analyse and tree: what a player finds in a position.
 * SPDX-License-Identifier: MIT
 *
 * All three open the position, make the player and turn its answers into text. best prints the last
 * answer. analyse prints one line per depth and variation at once, so that you can watch the search
 * deepen; a write that fails ends it. tree captures the search tree through a listener and prints
 * it in one of four formats. How several lines are searched is described in search/analysis.h.
 */
#include "cli/follow.h"
#include "core/context.h"
#include "core/player.h"
#include "formats/terms.h"
#include "programs/players.h"
#include "search/analysis.h"

const struct option player_option[] = {
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "player that searches (quevedo help players)"),
	{ 0 },
};
const struct option log_option[] = {
	SHARED_OPTION("log", OPTION_POINTER, log, .value = "DIR",
		      .help = "log the dialogue with a program, and its standard error"),
	{ 0 },
};

/* A player at a position, and its last answer. {0} is a valid empty one. */
struct search_result {
	struct cli *c;
	struct position position;
	const char *spec;
	char own[STRONGEST_SPEC]; /* the default spec */
	struct qv_player *player;
	struct engine_log *log; /* of --log; NULL: none */
	struct qv_answer answer;
	void *scratch; /* a state, to walk the line */
	json_t *line;  /* the texts of its moves */
	bool line_ends_game;
	struct cli_watch watch; /* of a player that solves */
};

/* ---- Opening ---- */

/* The player without --player, for one second. */
enum default_player {
	STRONGEST, /* it searches */
	ADVISER,   /* the same, but it plays from the opening book first */
	EXPLAINER, /* the one that can explain its moves */
};

/*
 * Opens GAME and POS of the command line with --player, or else with the default player. Fails if
 * the game has ended or chance is to move. Release the result in any case.
 */
static enum qv_status result_open(struct cli *c, enum default_player other, struct search_result *r)
{
	int32_t points[QV_MAX_SEATS];
	*r = (struct search_result){ .c = c };
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &r->position);
	if (status != QV_OK)
		return status;
	const struct qv_rules *rules = &r->position.rules;
	r->scratch = qv_state_new(c->context, rules->game);
	if (!r->scratch)
		return cli_no_memory(c, c->args.words[0]);
	if (qv_record_result(r->position.record, points) != QV_GOING)
		return qv_fail(&c->error, QV_ILLEGAL, "position: the game has ended");
	if (rules->game->seat(r->position.state) == QV_CHANCE)
		return qv_fail(&c->error, QV_ILLEGAL, "position: chance is to move, not a player");
	const struct qv_defaults defaults = cli_defaults(c);
	const char *explainer = context_engine(rules->game)->explainer;
	(other == ADVISER ? hint_player : strongest_player)(rules->game, "time=1s", r->own);
	r->spec = c->args.player		    ? c->args.player
		  : explainer && other == EXPLAINER ? explainer
						    : r->own;
	status = player_open(c->context, rules, r->spec, &defaults, &r->player, &c->error);
	if (status != QV_OK || !c->args.log)
		return status;
	const struct engine_log_file file = { c->args.log, "player", 1, 1, 0 };
	status = engine_log_open_in(&r->log, &mem_malloc, &file, &c->error);
	player_log_to(r->player, r->log, "player");
	return status;
}

/* Frees the player, the position and the line. A result that failed to open is accepted. */
static void result_release(struct search_result *r)
{
	json_decref(r->line);
	qv_player_free(r->player);
	engine_log_close(r->log);
	if (r->position.record)
		qv_state_free(r->c->context, r->position.rules.game, r->scratch);
	position_release(&r->position);
}

/*
 * Limits with the history of the position, for repetitions, and Ctrl-C as the stop flag. A player
 * that solves is watched, since it reports nothing before the end.
 */
static struct qv_limits result_limits(struct search_result *r)
{
	struct qv_limits limits = { .stop = cli_stop_flag() };
	cli_watch_begin(&r->watch, r->c, "perfect");
	if (r->player->settings.kind == &perfect_kind) {
		limits.watch = cli_watch_solver;
		limits.watch_ctx = &r->watch;
	}
	limits.history = qv_record_history(r->position.record, &limits.history_count);
	return limits;
}

/* The i-th move of the line as text; NULL: the line is shorter. */
static const char *result_move(const struct search_result *r, size_t i)
{
	return json_string_value(json_array_get(r->line, i));
}

/* Stores an answer and plays its line: a move's text depends on the position before it. */
static void result_take(struct search_result *r, const struct qv_answer *answer)
{
	const struct qv_game *game = r->position.rules.game;
	const int length = answer->line_length > 0 ? answer->line_length : 1;
	int32_t points[QV_MAX_SEATS];
	/* Start from the position that was searched; drop the line of the last answer. */
	r->answer = *answer;
	memcpy(r->scratch, r->position.state, game->state_size);
	json_decref(r->line);
	r->line = json_array();
	for (int i = 0; i < length; i++) {
		const qv_move move = i ? answer->line[i] : answer->move;
		if (!qv_move_legal(game, r->scratch, move))
			break;
		r->line = json_item(r->line,
				    json_text(position_words(&r->position, r->scratch, move).text));
		game->play(r->scratch, move);
	}
	r->line_ends_game = game->result(r->scratch, points) != QV_GOING;
}

/* Lets the player search within limits. After QV_OK and QV_STOPPED the result has its answer. */
static enum qv_status result_think_within(struct search_result *r, struct qv_limits limits,
					  const struct qv_listener *listener)
{
	struct qv_answer answer;
	const struct player_news news = { .record = r->position.record };
	const enum qv_status status = player_think(r->player, &news, r->position.state, &limits,
						   listener, &answer, &r->c->error);
	cli_watch_end(&r->watch);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	result_take(r, &answer);
	return result_move(r, 0) ? status : cli_no_memory(r->c, r->c->args.words[0]);
}

static enum qv_status result_think(struct search_result *r, const struct qv_listener *listener)
{
	return result_think_within(r, result_limits(r), listener);
}

/* ---- Printing ---- */

/*
 * Whether the score is a win or a loss, proven or not: such scores lie beyond all evaluations and
 * count the plies to the end.
 */
static bool is_win_or_loss(const struct qv_answer *a)
{
	return a->score > QV_MAX_EVAL || a->score < -QV_MAX_EVAL;
}

/* Plies to the end of a proven game; for a draw, those of the line if it ends the game, or -1. */
static int plies_to_end(const struct search_result *r)
{
	const struct qv_answer *a = &r->answer;
	if (is_win_or_loss(a))
		return QV_WIN - (a->score < 0 ? -a->score : a->score);
	return r->line_ends_game ? (int)json_array_size(r->line) : -1;
}

/* Adds the fields of an answer to the object. */
static json_t *result_fields(const struct search_result *r, json_t *o)
{
	const struct qv_answer *a = &r->answer;
	o = json_fields(o, "move", json_incref(json_array_get(r->line, 0)), "score",
			a->unsolved ? json_null() : json_integer(a->score), "proven",
			json_boolean(a->proven), NULL);
	if (a->bound)
		o = json_field(o, "bound", json_text(a->bound > 0 ? "lower" : "upper"));
	if (a->proven)
		o = json_field(o, "in", json_unless_negative(plies_to_end(r)));
	o = json_fields(o, "depth", json_integer(a->depth), "nodes", json_count(a->nodes), "evals",
			json_count(a->evals), "considered", json_count(a->considered), NULL);
	if (!r->c->args.no_times)
		o = json_field(o, "seconds", json_seconds(a->seconds));
	if (*a->book)
		o = json_field(o, "book", json_text(a->book));
	return json_field(o, "pv", json_incref(r->line));
}

/* Adds the moves of the line, separated by commas, as the command line accepts them. */
static void add_line(const struct search_result *r, struct string *out)
{
	for (size_t i = 0; i < json_array_size(r->line); i++)
		string_addf(out, "%s%s", i ? ", " : "", result_move(r, i));
}

/* "score 12", "score >= 12" or "score win in 5" and `after`, or that the player gave up. */
static void add_score(const struct qv_answer *a, struct string *out, const char *after)
{
	const char *bound = a->bound > 0 ? ">= " : a->bound < 0 ? "<= " : "";
	if (a->unsolved)
		string_addf(out, "not solved%s", after);
	else if (is_win_or_loss(a))
		string_addf(out, "score %s%s in %d%s", bound, a->score > 0 ? "win" : "loss",
			    QV_WIN - (a->score < 0 ? -a->score : a->score), after);
	else
		string_addf(out, "score %s%d%s", bound, a->score, after);
}

/* "proven win in 5" and `after`, or nothing if the score is not proven. */
static void add_proof(const struct search_result *r, struct string *out, const char *after)
{
	if (r->answer.proven && is_win_or_loss(&r->answer))
		string_addf(out, "proven %s in %d%s", r->answer.score > 0 ? "win" : "loss",
			    plies_to_end(r), after);
	else if (r->answer.proven)
		string_addf(out, "proven draw%s", after);
}

/* ---- best ---- */

/* Prints an iteration to standard error while the search runs, if someone watches. */
static void show_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct search_result *r = ctx;
	struct string line = { .allocator = &mem_malloc };
	cli_watch_end(&r->watch);
	result_take(r, so_far);
	add_score(so_far, &line, "  ");
	string_addf(&line, "nodes %llu  line ", (unsigned long long)so_far->nodes);
	add_line(r, &line);
	fprintf(stderr, "depth %d  %s\n", so_far->depth, line.data ? line.data : "");
	string_release(&line);
}

/* Runs one search and prints its answer, as text that ends with "move M", or as one JSON object. */
static enum qv_status run_best(struct cli *c)
{
	struct search_result r;
	struct qv_listener listener = { .ctx = &r };
	if (cli_shows_progress())
		listener.iteration = show_iteration;
	enum qv_status status = result_open(c, ADVISER, &r);
	if (status == QV_OK)
		status = result_think(&r, &listener);
	/* A search that was stopped has an answer, too. */
	if (status == QV_OK || status == QV_STOPPED) {
		const struct qv_answer *a = &r.answer;
		struct string *out = &c->out;
		status = QV_OK;
		c->answer_is_no = a->unsolved;
		if (c->args.json) {
			status = cli_json(c, result_fields(&r, json_object()));
			goto done;
		}
		string_addf(out, "player %s\n", r.spec);
		add_score(a, out, "\n");
		add_proof(&r, out, "\n");
		string_addf(out, "depth %d\nnodes %llu, evals %llu, considered %llu\n", a->depth,
			    (unsigned long long)a->nodes, (unsigned long long)a->evals,
			    (unsigned long long)a->considered);
		if (!c->args.no_times)
			string_addf(out, "seconds %.3f\n", a->seconds);
		if (*a->book)
			string_addf(out, "book %s\n", a->book);
		string_addf(out, "line ");
		add_line(&r, out);
		string_addf(out, "\nmove %s\n", result_move(&r, 0));
	}
done:
	result_release(&r);
	return status;
}

const struct command command_best = {
	.name = "best",
	.run = run_best,
	.least = 1,
	.most = 2,
	.usage = "best GAME [POS] [--player SPEC]",
	.help = "find a good move",
	.more = "Without --player, the game's strongest player searches for one second, unless the "
		"position is in the program's opening book. Ctrl-C ends the search with the best move "
		"so far. Exit status 1: the player perfect has not solved "
		"the position.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, player_option,
				 log_option, syzygy_option, common_options),
};

/* ---- analyse --explain ---- */

/*
 * How a player finds its moves comes from the game's engine as one JSON object. These functions
 * turn it into lines of text.
 */

/* Adds an array of names, or `none` if it is empty. */
static void add_names(struct string *out, const json_t *names, const char *none,
		      const char *between)
{
	const json_t *name;
	size_t i;
	if (!json_array_size(names))
		string_addf(out, "%s", none);
	json_array_foreach((json_t *)names, i, name)
		string_addf(out, "%s%s", i ? between : "", json_string_value(name));
}

/* Adds an array of scores. Any other value means that the engine has not computed them. */
static void add_scores(struct string *out, const json_t *scores)
{
	const json_t *score;
	size_t i;
	string_addf(out, "  scores%s", json_is_array(scores) ? "" : " unknown");
	json_array_foreach((json_t *)scores, i, score)
		string_addf(out, " %lld", (long long)json_integer_value(score));
}

/* An integer field of an object; 0 if it is missing. */
static long long number(const json_t *o, const char *name)
{
	return (long long)json_integer_value(json_object_get(o, name));
}

static double real(const json_t *o, const char *name)
{
	return json_number_value(json_object_get(o, name));
}

/* Adds the moves that a player compared, in backgammon, with their chances in percent. */
static void add_candidates(struct string *out, const json_t *candidates)
{
	const json_t *item;
	size_t i;
	json_array_foreach((json_t *)candidates, i, item)
	{
		string_addf(out,
			    "candidate %-24s plies %lld  equity %+.3f  win %.1f %.1f %.1f  "
			    "lose %.1f %.1f %.1f\n",
			    json_string_value(json_object_get(item, "move")), number(item, "plies"),
			    real(item, "equity"), 100 * real(item, "win"),
			    100 * real(item, "win_gammon"), 100 * real(item, "win_backgammon"),
			    100 - 100 * real(item, "win"), 100 * real(item, "lose_gammon"),
			    100 * real(item, "lose_backgammon"));
	}
}

/*
 * Adds the explanation as lines: the candidates, or the requests for ships, the masks that were
 * tried, the expected turns, and what all this has cost.
 */
static void add_explanation(struct string *out, const json_t *o)
{
	const json_t *item;
	size_t i;
	if (json_object_get(o, "candidates")) {
		add_candidates(out, json_object_get(o, "candidates"));
		return;
	}
	json_array_foreach(json_object_get(o, "requests"), i, item)
	{
		string_addf(out, "request %s  priority %lld  ships %lld to %lld  threat %lld  %s\n",
			    json_string_value(json_object_get(item, "sector")),
			    number(item, "priority"), number(item, "least"), number(item, "most"),
			    number(item, "threat"),
			    json_string_value(json_object_get(item, "goal")));
	}
	/* The masks that were tried; the chosen one gave the turn. */
	json_array_foreach(json_object_get(o, "masks"), i, item)
	{
		string_addf(out, "mask without ");
		add_names(out, json_object_get(item, "without"), "none", " ");
		add_scores(out, json_object_get(item, "scores"));
		string_addf(out, "%s\n", (long long)i == number(o, "chosen") ? "  chosen" : "");
	}
	/* The turns that the player expects. */
	json_array_foreach(json_object_get(o, "line"), i, item)
	{
		string_addf(out, "turn of %lld  ", number(item, "seat"));
		add_names(out, json_object_get(item, "commands"), "-", ", ");
		add_scores(out, json_object_get(item, "scores"));
		string_addf(out, "\n");
	}
	string_addf(out, "masks %zu of %lld  positions %lld  evaluated %lld  levels %lld\n",
		    json_array_size(json_object_get(o, "masks")), number(o, "all"),
		    number(o, "generated"), number(o, "evaluated"), number(o, "levels"));
}

/* Prints how the player finds its move, before the lines. */
static enum qv_status explain(struct search_result *r)
{
	struct cli *c = r->c;
	const struct qv_game *game = r->position.rules.game;
	const struct engine *engine = context_engine(game);
	const struct qv_limits limits = result_limits(r);
	struct string text = { .allocator = &mem_malloc };
	if (!engine->explain)
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "--explain: no player of %s explains its moves", game->name);
	enum qv_status status =
		engine->explain(r->player, r->position.state, &limits, &text, &c->error);
	/* The engine writes valid JSON, so loading it can fail only for lack of memory. */
	json_t *o = status == QV_OK ? json_loads(text.data, 0, NULL) : NULL;
	string_release(&text);
	if (status == QV_OK && !o)
		status = cli_no_memory(c, "--explain");
	if (status != QV_OK)
		return status;
	if (c->args.json) {
		status = cli_json(c, json_field(json_object(), "explanation", o));
	} else {
		add_explanation(&c->out, o);
		json_decref(o);
	}
	return status == QV_OK ? cli_flush(c) : status;
}

/* ---- analyse ---- */

/* The options of analyse. */
struct analyse_values {
	int64_t lines;
	bool explain;
};

static const struct option analyse_options[] = {
	COMMAND_OPTION(struct analyse_values, "lines", OPTION_INT, lines, .min = 1,
		       .max = QV_MAX_MOVES, .def = 1, .value = "N",
		       .help = "number of best lines to show"),
	COMMAND_OPTION(struct analyse_values, "explain", OPTION_FLAG, explain,
		       .help = "show how the player thinks, if it can (starchess: mask)"),
	{ 0 },
};

/* Prints a line at once. An error also stops the search in progress. */
static enum qv_status on_line(void *ctx, int line, const struct qv_answer *answer,
			      struct qv_error *error)
{
	struct search_result *r = ctx;
	struct cli *c = r->c;
	struct string *out = &c->out;
	enum qv_status status = QV_OK;
	cli_watch_end(&r->watch);
	result_take(r, answer);
	c->answer_is_no = answer->unsolved;
	if (!result_move(r, 0)) {
		status = cli_no_memory(c, "analyse");
	} else if (c->args.json) {
		json_t *o = json_field(json_object(), "line", json_integer(line));
		status = cli_json(c, result_fields(r, o));
	} else {
		string_addf(out, "line %d  depth %d  ", line, answer->depth);
		add_score(answer, out, "  ");
		add_proof(r, out, "  ");
		string_addf(out, "nodes %llu  ", (unsigned long long)answer->nodes);
		if (!c->args.no_times)
			string_addf(out, "seconds %.3f  ", answer->seconds);
		if (*answer->book)
			string_addf(out, "book %s  ", answer->book);
		string_addf(out, "pv ");
		add_line(r, out);
		string_addf(out, "\n");
	}
	/* Flush at once: someone may watch. */
	if (status == QV_OK)
		status = cli_flush(c);
	if (status != QV_OK) {
		*error = c->error;
		cli_stop();
	}
	return status;
}

/* Prints the evaluation terms before the first line, with --notions. */
static enum qv_status print_terms(struct cli *c, const struct position *p)
{
	enum qv_status status = position_allow_notions(c, p);
	if (status != QV_OK || !c->args.notions)
		return status;
	if (c->args.json)
		status = cli_json(c, json_field(json_object(), "notions",
						terms_json(&p->rules, p->state, TERM_CELL_NAMES)));
	else
		terms_text(&p->rules, p->state, &c->out);
	return status == QV_OK ? cli_flush(c) : status;
}

/* Searches for analysis_run. A player that is an external program needs the game so far. */
static enum qv_status think(void *ctx, struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	const struct search_result *r = ctx;
	const struct player_news news = { .record = r->position.record };
	return player_think(player, &news, state, limits, listener, out, error);
}

/*
 * Searches --lines variations, each reported by on_line as it is found. A search that Ctrl-C or a
 * limit stops has printed its lines and is no error.
 */
static enum qv_status run_analyse(struct cli *c)
{
	const struct analyse_values *own = cli_own(c);
	struct search_result r;
	enum qv_status status = result_open(c, own->explain ? EXPLAINER : STRONGEST, &r);
	if (status == QV_OK)
		status = print_terms(c, &r.position);
	if (status == QV_OK && own->explain)
		status = explain(&r);
	if (status == QV_OK) {
		struct qv_limits limits = result_limits(&r);
		if (player_is_endless(r.player))
			limits.nodes = UINT64_MAX; /* until Ctrl-C */
		/* The callbacks get the result, and print through it. */
		const struct analysis_setup setup = {
			.allocator = &mem_malloc,
			.player = r.player,
			.spec = r.spec,
			.game = r.position.rules.game,
			.state = r.position.state,
			.run = think,
			.run_ctx = &r,
			.lines = (int)own->lines,
			.limits = limits,
			.report = on_line,
			.ctx = &r,
		};
		status = analysis_run(&setup, &c->error);
	}
	result_release(&r);
	return status == QV_STOPPED ? QV_OK : status;
}

const struct command command_analyse = {
	.name = "analyse",
	.run = run_analyse,
	.least = 1,
	.most = 2,
	.usage = "analyse GAME [POS] [--player SPEC]",
	.help = "print the best lines as the search deepens",
	.more = "Without --player, the game's strongest player searches for one second. Line 2 is the "
		"search without the first move of line 1, and so on. A player that searches by depth "
		"prints all lines of a depth before it goes deeper. Ctrl-C ends the search.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, player_option,
				 log_option, syzygy_option, analyse_options, notions_option,
				 common_options),
};

/* ---- tree ---- */

/* The order of the choices. */
enum format { TEXT_FORMAT, JSON_FORMAT, DOT_FORMAT, SVG_FORMAT, HTML_FORMAT };

/* The options of tree. */
struct tree_values {
	int64_t format, max_nodes, depth;
	bool log, follow;
};

static const struct option tree_options[] = {
	COMMAND_OPTION(struct tree_values, "format", OPTION_CHOICE, format,
		       .choices = "text|json|dot|svg|html", .help = "output format"),
	COMMAND_OPTION(struct tree_values, "follow", OPTION_FLAG, follow,
		       .help = "print the search step by step; on a terminal, wait for each step"),
	COMMAND_OPTION(struct tree_values, "log", OPTION_FLAG, log,
		       .help = "with --json: every visit of the search, in its order"),
	COMMAND_OPTION(struct tree_values, "max-nodes", OPTION_INT, max_nodes, .min = 1,
		       .max = 1000000, .def = 1000, .value = "N",
		       .help = "show at most N nodes, without the deepest plies; with --follow, "
			       "--log and html the first N visits"),
	COMMAND_OPTION(struct tree_values, "depth", OPTION_INT, depth, .min = 1, .max = 1000,
		       .def = 1000, .value = "N", .help = "show N plies"),
	{ 0 },
};

static struct trace_setup setup_of(const struct search_result *r)
{
	const struct tree_values *own = cli_own(r->c);
	return (struct trace_setup){
		.allocator = &mem_malloc,
		.rules = r->position.rules,
		.root = r->position.state,
		.player = r->spec,
		.short_moves = r->position.san,
		.max_nodes = own->max_nodes,
		.max_ply = own->depth,
	};
}

/* Searches for a listener. One that reports nothing is stopped by `watch`, not searched to its end. */
static enum qv_status think_watched(struct search_result *r, const struct qv_listener *listener,
				    bool (*watch)(void *, uint64_t))
{
	struct qv_limits limits = result_limits(r);
	limits.watch = watch;
	limits.watch_ctx = listener->ctx;
	return result_think_within(r, limits, listener);
}

/* Runs the search and stores the tree of its last complete iteration in *out. */
static enum qv_status capture_tree(struct search_result *r, struct trace *out)
{
	struct cli *c = r->c;
	const struct trace_setup setup = setup_of(r);
	struct trace_capture *capture = NULL;
	enum qv_status status = trace_capture_new(&setup, &capture, &c->error);
	if (status != QV_OK)
		return status;
	const struct qv_listener listener = trace_capture_listener(capture);
	/* A search that was stopped has a tree, too. */
	status = think_watched(r, &listener, trace_capture_watch);
	if (status == QV_OK || status == QV_STOPPED)
		status = trace_capture_finish(capture, &r->answer, out, &c->error);
	if (status == QV_UNSUPPORTED && trace_capture_seen(capture)) {
		const struct qv_error why = c->error;
		qv_fail(&c->error, status, "%s: use --follow, --json --log or --format html",
			why.text);
	}
	trace_capture_free(capture);
	return status;
}

/* The same with every visit: a log, which the caller frees. */
static enum qv_status capture_log(struct search_result *r, struct log **out)
{
	struct cli *c = r->c;
	const struct trace_setup setup = setup_of(r);
	enum qv_status status = log_new(&setup, out, &c->error);
	if (status != QV_OK)
		return status;
	const struct qv_listener listener = log_listener(*out);
	status = think_watched(r, &listener, log_watch);
	if (status == QV_OK || status == QV_STOPPED)
		status = log_finish(*out, &r->answer, &c->error);
	return status;
}

/* Prints the log as JSON, as HTML, or step by step. */
static enum qv_status print_log(struct search_result *r)
{
	struct cli *c = r->c;
	const struct tree_values *own = cli_own(c);
	struct log *log = NULL;
	enum qv_status status = capture_log(r, &log);
	if (status == QV_OK && own->follow)
		status = follow_log(c, log);
	else if (status == QV_OK && own->format == HTML_FORMAT)
		log_html(log, &c->out);
	else if (status == QV_OK)
		status = cli_json(c, log_json(log));
	log_free(log);
	return status;
}

/* Refuses options that do not belong together. */
static enum qv_status check_tree_options(struct cli *c)
{
	const struct tree_values *own = cli_own(c);
	const bool json = c->args.json || own->format == JSON_FORMAT;
	if (c->args.json && cli_given(c, "format") && own->format != JSON_FORMAT)
		return cli_refuse(c, "--format: not together with --json");
	if (own->follow && (c->args.json || cli_given(c, "format") || own->log))
		return cli_refuse(c, "--follow: not together with --json, --format or --log");
	if (own->log && !json)
		return cli_refuse(c, "--log: needs --json");
	return QV_OK;
}

/*
 * Captures the tree of one search and prints it in the chosen format; --json is the same as
 * --format json.
 */
static enum qv_status run_tree(struct cli *c)
{
	const struct tree_values *own = cli_own(c);
	struct search_result r = { 0 };
	struct trace trace = { 0 };
	enum qv_status status = check_tree_options(c);
	if (status != QV_OK)
		return status;
	status = result_open(c, STRONGEST, &r);
	if (status == QV_OK && (own->follow || own->log || own->format == HTML_FORMAT)) {
		status = print_log(&r);
		result_release(&r);
		return status;
	}
	if (status == QV_OK)
		status = capture_tree(&r, &trace);
	if (status == QV_OK && (c->args.json || own->format == JSON_FORMAT))
		status = cli_json(c, trace_json(&trace));
	else if (status == QV_OK && own->format == SVG_FORMAT)
		status = trace_svg(&trace, &c->out, &c->error);
	else if (status == QV_OK)
		(own->format == DOT_FORMAT ? trace_dot : trace_text)(&trace, &c->out);
	trace_release(&trace);
	result_release(&r);
	return status;
}

const struct command command_tree = {
	.name = "tree",
	.run = run_tree,
	.least = 1,
	.most = 2,
	.usage = "tree GAME [POS] [--player SPEC]",
	.help = "print the search tree",
	.more = "The tree is that of the last complete iteration, with values, windows and "
		"cut-offs. Without --player, the game's strongest player searches for one second. The "
		"game 'diagram' has trees that you can type yourself.\n"
		"--follow, --json --log and --format html show every visit of the search in its order, "
		"and trees that grow: those of mcts. With --follow on a terminal, press Enter for the "
		"next step, or type b (back), c (next cut-off) or q (quit).\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, player_option,
				 tree_options, common_options),
};
