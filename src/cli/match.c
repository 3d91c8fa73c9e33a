/*
 * match.c - the command match: its options become a plan, which the referee of match/ plays; and
 * the audit of a journal.
 * SPDX-License-Identifier: MIT
 *
 * struct job owns everything that the plan points to and all files of a run. The referee calls
 * take_game for each finished game, which writes its record, its log line and its part of the
 * report; the first failure there ends the match. With --mpi every rank runs this code, but only
 * the first one prints and writes files.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scan.h"
#include "cli/match_mpi.h"
#include "cli/match_show.h"
#include "match/opening.h"
#include "match/report.h"
#include "programs/engine_log.h"
#include "core/game_clock.h"
#include "formats/pgn.h"

/* ---- The options ---- */

/* The options of match. */
struct match_values {
	struct option_list players;
	int64_t games, opening_plies, random_plies, near, jobs, max_plies;
	bool pairs, keep_seats, gauntlet, mpi, resume;
	struct time_control clock;
	struct match_adjudication adjudication; /* without its folder of tables */
	bool has_adjudication, by_tables, has_sprt;
	struct sprt sprt;
	const char *openings, *journal, *audit, *report, *engine_log, *log;
};

/* Reads a stage of a clock, "40/2+0.01" or "2+0.01". */
static bool read_stage(const char *text, struct time_stage *out)
{
	struct time_control control = { 0 };
	const char *rest = text;
	int64_t moves = 0;
	const bool counted =
		is_digit(*rest) && scan_int(&rest, 1, MATCH_MAX_PLIES, &moves) && *rest == '/';
	const bool good = time_control_parse(counted ? rest + 1 : text, &control);
	*out = (struct time_stage){ control.base_ms, control.added_ms, counted ? (int)moves : 0 };
	return good && control.base_ms && !control.each_move;
}

/* Reads stages with colons between them. All but the last must state their moves. */
static bool read_clock(const char *text, struct time_control *out)
{
	struct time_stage stages[1 + TIME_LATER_STAGES];
	int count = 0;
	for (bool more = true; more; count++) {
		char part[64] = "";
		const size_t length = strcspn(text, ":");
		more = text[length] == ':';
		if (count > TIME_LATER_STAGES || length >= sizeof part)
			return false;
		memcpy(part, text, length);
		if (!read_stage(part, &stages[count]) || (more && !stages[count].moves))
			return false;
		text += length + more;
	}
	*out = (struct time_control){ .base_ms = stages[0].base_ms,
				      .added_ms = stages[0].added_ms,
				      .period_moves = stages[0].moves,
				      .later_count = count - 1 };
	memcpy(out->later, stages + 1, (size_t)(count - 1) * sizeof *stages);
	return true;
}

/*
 * Reads --time: "10+0.1" is a clock for the game, "40/2+0.01" for each 40 moves, "40/2:1" for 40
 * moves and then the rest of the game, "1s" a limit for each move.
 */
static enum qv_status set_time(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct match_values *own = arguments_own(values);
	if (!read_clock(text, &own->clock))
		return qv_fail(error, QV_BAD_INPUT,
			       "%s: '%.60s' is not a time: 1s for a move, 10+0.1 for a game, "
			       "40/2+0.01 for each 40 moves, 40/2:1 for 40 moves and the rest",
			       option->name, text);
	if (!strpbrk(text, "/+")) /* for each move */
		own->clock = (struct time_control){ .move_ms = own->clock.base_ms };
	return QV_OK;
}

/* Whether the whole text is `count` numbers from 0 to QV_WIN with colons between them. */
static bool read_numbers(const char *text, int count, int64_t *numbers)
{
	for (int i = 0; i < count; i++, text++)
		if (!is_digit(*text) || !scan_int(&text, 0, QV_WIN, &numbers[i]) ||
		    *text != (i + 1 < count ? ':' : '\0'))
			return false;
	return true;
}

/* "adjudicate: resign=x is not resign=SCORE:MOVES" */
static enum qv_status bad_rule(const struct option *option, const char *text,
			       struct qv_error *error)
{
	return qv_fail(error, QV_BAD_INPUT, "adjudicate: %s=%.40s is not %s=%s", option->name, text,
		       option->name, option->value);
}

/*
 * Reads resign=SCORE:MOVES: a game is lost if both players agree that one side is behind by SCORE,
 * for MOVES consecutive moves of each.
 */
static enum qv_status set_resign(void *values, const struct option *option, const char *text,
				 struct qv_error *error)
{
	struct match_values *own = values;
	int64_t n[2];
	if (!read_numbers(text, 2, n) || !n[1] || n[1] > MATCH_MAX_PLIES)
		return bad_rule(option, text, error);
	own->adjudication.resign_score = (int32_t)n[0];
	own->adjudication.resign_moves = (int)n[1];
	return QV_OK;
}

/*
 * Reads draw=SCORE:MOVES:PLIES: a game is drawn if both scores are at most SCORE from 0 for MOVES
 * consecutive moves of each, after PLIES plies.
 */
static enum qv_status set_draw(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct match_values *own = values;
	int64_t n[3];
	if (!read_numbers(text, 3, n) || !n[1] || n[1] > MATCH_MAX_PLIES || n[2] > MATCH_MAX_PLIES)
		return bad_rule(option, text, error);
	own->adjudication.draw_score = (int32_t)n[0];
	own->adjudication.draw_moves = (int)n[1];
	own->adjudication.draw_plies = (int)n[2];
	return QV_OK;
}

/* Reads the rules of --adjudicate, a list of options of its own. */
static enum qv_status set_adjudication(void *values, const struct option *option, const char *text,
				       struct qv_error *error)
{
	static const struct option rules[] = {
		OPTION(struct match_values, "resign", OPTION_CUSTOM, adjudication,
		       .set = set_resign, .value = "SCORE:MOVES"),
		OPTION(struct match_values, "draw", OPTION_CUSTOM, adjudication, .set = set_draw,
		       .value = "SCORE:MOVES:PLIES"),
		OPTION(struct match_values, "tables", OPTION_FLAG, by_tables),
		{ 0 },
	};
	struct match_values *own = arguments_own(values);
	struct options o = { .groups = OPTION_GROUPS(rules), .values = own, .owner = option->name };
	if (!*text)
		return qv_fail(error, QV_BAD_INPUT, "%s: expected %s", option->name, option->value);
	own->has_adjudication = true;
	return options_parse(&o, text, error);
}

/* Reads the bounds of the test; match/sprt.h has the keys. */
static enum qv_status set_sprt(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct match_values *own = arguments_own(values);
	(void)option;
	own->has_sprt = true;
	return sprt_parse(text, &own->sprt, error);
}

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct match_values, name_, type_, f, __VA_ARGS__)

/* Alone, since --audit accepts them, too. */
static const struct option games_option[] = {
	ROW("games", OPTION_INT, games, .min = 1, .max = MATCH_MAX_GAMES, .def = 100, .value = "N",
	    .help = "number of games; a pair counts as two"),
	ROW("jobs", OPTION_INT, jobs, .min = 1, .max = MATCH_MAX_JOBS, .def = 1, .value = "N",
	    .help = "games played at the same time"),
	{ 0 },
};

/* Alone, since it excludes most other options. */
static const struct option audit_option[] = {
	ROW("audit", OPTION_POINTER, audit, .value = "FILE",
	    .help = "check a journal: replay its games, and play some again"),
	{ 0 },
};

/* The options in the order of the help. */
static const struct option own_options[] = {
	ROW("player", OPTION_LIST, players, .max = MATCH_MAX_PLAYERS, .value = "NAME=SPEC",
	    .help = "a player; give it once for each player"),
	ROW("openings", OPTION_POINTER, openings, .value = "FILE",
	    .help = "opening positions, moves or EPD, one a line, or a file of PGN"),
	ROW("opening-plies", OPTION_INT, opening_plies, .max = MATCH_MAX_PLIES, .value = "N",
	    .help = "use at most N plies of each opening of PGN; 0: all"),
	ROW("random-plies", OPTION_INT, random_plies, .max = MATCH_MAX_PLIES, .value = "N",
	    .help = "start with N random moves"),
	ROW("pairs", OPTION_FLAG, pairs, .help = "compute statistics from pairs of games"),
	ROW("keep-seats", OPTION_FLAG, keep_seats,
	    .help = "nobody changes seats: the first player always has seat 1"),
	ROW("gauntlet", OPTION_FLAG, gauntlet, .help = "the first player meets all others"),
	ROW("near", OPTION_INT, near, .max = MATCH_MAX_PLAYERS, .value = "N",
	    .help = "only players at most N places apart meet; 0: all meet"),
	ROW("mpi", OPTION_FLAG, mpi, .help = "play on all ranks of mpirun"),
	ROW("time", OPTION_CUSTOM, clock, .set = set_time, .value = "TIME",
	    .help = "time control: 1s for each move; 10+0.1 for a game, with an increment; "
		    "40/2+0.01 for each 40 moves; 40/2:1 for 40 moves and then the rest"),
	ROW("max-plies", OPTION_INT, max_plies, .max = MATCH_MAX_PLIES, .value = "N",
	    .help = "longer games are drawn; 0: after 100000 plies"),
	ROW("adjudicate", OPTION_CUSTOM, adjudication, .set = set_adjudication,
	    .value = "resign=SCORE:MOVES,draw=SCORE:MOVES:PLIES,tables",
	    .help = "end games early by the players' scores or by endgame tables"),
	ROW("sprt", OPTION_CUSTOM, sprt, .set = set_sprt, .value = "KEY=VALUE,...",
	    .help = "stop when the test is decided: elo0=0,elo1=5,alpha=0.05,beta=0.05,"
		    "model=logistic"),
	ROW("journal", OPTION_POINTER, journal, .value = "FILE",
	    .help = "write every game to a journal as it ends"),
	ROW("resume", OPTION_FLAG, resume,
	    .help = "continue the journal; --games may be larger than before"),
	SHARED_OPTION("out", OPTION_POINTER, out, .value = "FILE",
		      .help = "write each game when it ends; FILE.pgn or FILE.pdn: as PGN"),
	ROW("report", OPTION_POINTER, report, .value = "FILE.svg",
	    .help = "draw standings, Elo over time and game lengths"),
	ROW("engine-log", OPTION_POINTER, engine_log, .value = "FILE",
	    .help = "log the dialogue with programs, and their standard error"),
	ROW("log", OPTION_POINTER, log, .value = "DIR",
	    .help = "the same, with a file for each program and game"),
	{ 0 },
};
#undef ROW

enum { MOST_FAULTS = 1000 }; /* that JSON lists */

/*
 * The file of --out. Each game is there as soon as it has ended, so it is written in place: from the
 * first game on it replaces what the file had before.
 */
struct games_file {
	const char *path; /* NULL: no file */
	int descriptor;
	bool new, begun;
};

/*
 * A match: the plan, everything that it points to, and the files of the run. run_match releases all
 * of it.
 */
struct job {
	struct cli *c;
	struct match_plan plan;
	const struct match_values *own;
	struct match_player players[MATCH_MAX_PLAYERS];
	char names[MATCH_MAX_PLAYERS][MATCH_MAX_NAME + 1];
	struct opening_list openings;
	struct opening_count *counts; /* one for each opening */
	struct match_details details;
	char sprt_text[256];
	char tables[FOLDER_PATH];
	struct string plugins; /* hashes */
	struct games_file out;
	struct file_writer picture;
	json_t *faults; /* a JSON object for each game that a player lost by a fault */
	int64_t fault_count;
	struct match_report report;
	struct engine_log *engine_log;
	enum qv_status status;	  /* of what take_game has written */
	bool logs, logs_faults;	  /* print a line for each game, or for those with a fault */
	bool progresses, decided; /* shows progress; the SPRT is decided */
	struct ranks ranks;	  /* --mpi */
};

/* ---- The plan ---- */

/* Splits each --player at the first "=". A ":" before it means that the name is missing. */
static enum qv_status read_players(struct job *j)
{
	for (int i = 0; i < j->own->players.count; i++) {
		const char *text = j->own->players.texts[i];
		const size_t length = strcspn(text, "=");
		if (!text[length] || !length || length > MATCH_MAX_NAME ||
		    strcspn(text, ":") < length)
			return cli_refuse(j->c,
					  "--player: '%.60s' is not NAME=SPEC, as in A=level:3",
					  cli_word(text));
		snprintf(j->names[i], sizeof j->names[i], "%.*s", (int)length, text);
		j->players[i] = (struct match_player){ j->names[i], text + length + 1 };
	}
	j->plan.players = j->players;
	j->plan.player_count = j->own->players.count;
	if (j->plan.player_count < 2)
		return cli_refuse(j->c, "--player: a match needs two, as in "
					"--player A=level:2 --player B=random");
	return QV_OK;
}

/* Reads the file of --openings, and makes a counter for each opening. */
static enum qv_status read_openings(struct job *j)
{
	struct cli *c = j->c;
	struct file_bytes bytes = { 0 };
	struct qv_error why = { "" };
	enum qv_status status =
		file_read(&mem_malloc, j->own->openings, OPENING_MOST_BYTES, &bytes, &c->error);
	if (status != QV_OK)
		return status;
	status = openings_read(c->context, &j->plan.rules, bytes.data, bytes.size,
			       (int)j->own->opening_plies, &j->openings, &why);
	if (status != QV_OK)
		qv_fail(&c->error, status, "%.60s: %.190s", j->own->openings, why.text);
	file_release(&mem_malloc, &bytes);
	j->plan.openings = j->openings.openings;
	j->plan.opening_count = j->openings.count;
	j->counts = mem_new(&mem_malloc, (size_t)j->openings.count, sizeof *j->counts);
	return status == QV_OK && !j->counts ? cli_no_memory(c, "--openings") : status;
}

/* Fills the plan from the options. */
static enum qv_status make_plan(struct job *j)
{
	const struct arguments *args = &j->c->args;
	const struct match_values *own = j->own;
	enum qv_status status =
		qv_rules_parse(j->c->context, args->words[1], &j->plan.rules, &j->c->error);
	if (status != QV_OK)
		return status;
	/* What the plan copies; the readers below allocate what it points to. */
	j->plan.games = own->games;
	j->plan.seed = (uint64_t)args->seed;
	j->plan.gauntlet = own->gauntlet;
	j->plan.near = (int)own->near;
	j->plan.pairs = own->pairs;
	j->plan.keep_seats = own->keep_seats;
	j->plan.random_plies = (int)own->random_plies;
	j->plan.max_plies = (int)own->max_plies;
	j->plan.clock = own->clock;
	j->plan.threads = (int)args->threads;
	j->plan.hash_mb = (int)args->hash_mb;
	j->plan.adjudication = own->adjudication;
	status = read_players(j);
	if (status == QV_OK)
		status = match_plugins(j->c->context, &j->plugins, &j->c->error);
	j->plan.plugins = j->plugins.data;
	if (status == QV_OK && own->openings)
		status = read_openings(j);
	/* Adjudication by tables needs their folder. */
	if (status == QV_OK && own->by_tables) {
		j->plan.adjudication.tables = j->tables;
		status = cli_tables_folder(j->c, j->tables);
	}
	/* The journal stores the test as text, so that a resumed match can be compared. */
	if (status == QV_OK && own->has_sprt) {
		if (j->plan.player_count != 2 || j->plan.rules.game->seats != 2)
			return qv_fail(&j->c->error, QV_UNSUPPORTED,
				       "--sprt: it compares two players in a game of two seats");
		sprt_text(&own->sprt, &(struct qv_text){ j->sprt_text, sizeof j->sprt_text, 0 });
		j->plan.sprt = j->sprt_text;
	}
	return status == QV_OK ? plan_check(&j->plan, &j->c->error) : status;
}

/* ---- The file of games ---- */

static enum qv_status out_failed(struct job *j)
{
	return qv_fail(&j->c->error, QV_IO, "%.100s: cannot be written: %s", j->out.path,
		       strerror(errno));
}

/* Opens it, and leaves what it contains for now. */
static enum qv_status out_open(struct job *j, const char *path)
{
	struct stat before;
	if (!*path)
		return qv_fail(&j->c->error, QV_IO, "file: the name is empty");
	const bool new = stat(path, &before) != 0;
	j->out = (struct games_file){
		.path = path,
		.new = new,
		.descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
	};
	return j->out.descriptor < 0 ? out_failed(j) : QV_OK;
}

/* Appends a game; the first one replaces what was there. A pipe or a device has no length. */
static enum qv_status out_write(struct job *j, const char *text, size_t size)
{
	struct stat facts;
	if (!j->out.begun && fstat(j->out.descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
	    ftruncate(j->out.descriptor, 0) != 0)
		return out_failed(j);
	j->out.begun = true;
	while (size) {
		const ssize_t done = write(j->out.descriptor, text, size);
		if (done < 0 && errno != EINTR)
			return out_failed(j);
		if (done > 0) {
			text += done;
			size -= (size_t)done;
		}
	}
	return QV_OK;
}

/* A new file without a game is removed again, unless the match had none to play. */
static void out_close(struct job *j)
{
	if (j->out.path && j->out.descriptor >= 0) {
		close(j->out.descriptor);
		if (j->out.new && !j->out.begun)
			unlink(j->out.path);
	}
	j->out.path = NULL;
}

/* ---- The run ---- */

/* A program does not accept an option of its spec; it plays all the same. */
static void show_warning(void *ctx, int player, const char *words)
{
	const struct job *j = ctx;
	fprintf(stderr, "quevedo: player %s: %s\n", j->plan.players[player].name, words);
}

/* Keeps a game that was lost by a fault, for JSON. */
static void keep_fault(struct job *j, const struct match_game *game, const struct match_seating *s)
{
	const struct match_reason reason = match_game_reason(game);
	if (j->fault_count++ < MOST_FAULTS)
		j->faults = json_item(
			j->faults,
			json_fields(json_object(), "game", json_integer(game->number + 1), "player",
				    json_text(j->plan.players[s->player[game->at_fault]].name),
				    "seat", json_integer(game->at_fault + 1), "kind",
				    json_text(match_end_text(game->end)), "reason",
				    json_text(reason.text), NULL));
}

/* Prints log lines at once, and the line of progress below them. */
static void show_progress(void *ctx, const struct match_totals *totals)
{
	struct job *j = ctx;
	struct string line = { .allocator = &mem_malloc };
	if (j->c->out.length && j->status == QV_OK) {
		if (j->progresses)
			fprintf(stderr, "\r\033[K");
		j->status = cli_flush(j->c);
	}
	if (j->progresses) {
		match_progress(&j->plan, j->own->has_sprt ? &j->own->sprt : NULL, totals, &line);
		fprintf(stderr, "\r%s\033[K", line.data ? line.data : "");
		string_release(&line);
	}
}

/* Handles a finished game. False ends the match: the SPRT is decided, or a write has failed. */
static bool take_game(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct job *j = ctx;
	struct match_seating s;
	plan_seating(&j->plan, game->number, &s);
	if (s.opening >= 0) {
		struct opening_count *count = &j->counts[s.opening];
		count->games++;
		*(game->winner < 0 ? &count->draws : &count->wins[game->winner]) += 1;
	}
	if (game->at_fault >= 0)
		keep_fault(j, game, &s);
	struct match_game named = *game;
	if (j->status == QV_OK)
		j->status = details_add(&j->details, &j->plan, game, &named.opening, &j->c->error);
	/* The log line; show_progress prints it. */
	if (j->logs || (j->logs_faults && game->at_fault >= 0))
		match_log_game(&j->plan, game, &j->c->out);
	if (j->status == QV_OK)
		j->status = engine_log_status(j->engine_log, &j->c->error);
	/* The record of the game, or its PGN. */
	struct string text = game->record, pgn = { .allocator = &mem_malloc };
	if (j->out.path && j->status == QV_OK && pgn_is_name(j->c->args.out)) {
		j->status = match_pgn(j->c->context, &j->plan, &named, j->c->args.no_times, &pgn,
				      &j->c->error);
		text = pgn;
	}
	if (j->out.path && j->status == QV_OK)
		j->status = out_write(j, text.data, text.length);
	string_release(&pgn);
	/* The report collects what it draws at the end. */
	if (j->picture.path && j->status == QV_OK) {
		j->status = report_add(&j->report, &j->plan, game, totals);
		if (j->status != QV_OK)
			cli_no_memory(j->c, "--report");
	}
	if (j->own->has_sprt)
		j->decided = totals_sprt(totals, j->plan.pairs, &j->own->sprt).verdict != SPRT_GOING_ON;
	return !j->decided && j->status == QV_OK;
}

/*
 * Creates the files of --out, --report and --engine-log. Each rank has its own programs and so its
 * own log; the others only the first rank writes.
 */
static enum qv_status open_files(struct job *j)
{
	struct cli *c = j->c;
	struct string path = { .allocator = &mem_malloc };
	enum qv_status status = QV_OK;
	/* Not every game can be written as PGN; refuse that before the match. */
	if (c->args.out && pgn_is_name(c->args.out))
		status = pgn_suits(j->plan.rules.game, &c->error);
	if (status == QV_OK && c->args.out && !c->mute)
		status = out_open(j, c->args.out);
	if (status == QV_OK && j->own->report && !c->mute) {
		if (report_init(&j->report, &mem_malloc, j->plan.player_count) != QV_OK)
			return cli_no_memory(c, "--report");
		status = file_create(&j->picture, &mem_malloc, j->own->report, &c->error);
	}
	if (status != QV_OK || !j->own->engine_log)
		return status;
	string_addf(&path, "%s", j->own->engine_log);
	if (j->ranks.rank && path.length)
		string_addf(&path, ".%d", j->ranks.rank);
	if (path.failed)
		status = cli_no_memory(c, "--engine-log");
	else
		status = engine_log_open(&j->engine_log, &mem_malloc, path.length ? path.data : "",
					 j->own->resume, &c->error);
	string_release(&path);
	return status;
}

/* Prints the standings and keeps the files. */
static enum qv_status finish(struct job *j, const struct match_totals *totals)
{
	struct cli *c = j->c;
	struct match_view view = { .plan = &j->plan,
				   .totals = totals,
				   .sprt = j->own->has_sprt ? &j->own->sprt : NULL,
				   .no_times = c->args.no_times,
				   .openings = j->counts,
				   .faults = j->faults,
				   .details = &j->details };
	struct string svg = { .allocator = &mem_malloc };
	enum qv_status status = match_view_make(&view, &c->error);
	/* Exit status 1 unless the test has accepted H1. */
	if (status == QV_OK && j->own->has_sprt)
		c->answer_is_no |= totals_sprt(totals, j->plan.pairs, &j->own->sprt).verdict != SPRT_H1;
	if (status == QV_OK && c->args.json)
		status = cli_json(c, match_json(&view));
	else if (status == QV_OK)
		match_table(&view, &c->out);
	if (status == QV_OK && j->out.path && !totals->games) /* stopped before the first one */
		status = out_write(j, "", 0);
	if (status != QV_OK || !j->picture.path)
		return status;
	/* The picture comes last, so that a failure to write it does not hide the result. */
	report_svg(&j->report, &j->plan, totals, &svg);
	if (svg.failed)
		status = cli_no_memory(c, "--report");
	else
		status = file_write(&j->picture, svg.data, svg.length, &c->error);
	if (status == QV_OK)
		status = file_keep(&j->picture, &c->error);
	string_release(&svg);
	return status;
}

/*
 * Runs the match, on this rank or as an assistant of the first one, and prints the result. A match
 * that was stopped prints what there is.
 */
static enum qv_status play_match(struct job *j)
{
	struct cli *c = j->c;
	struct match_totals totals = { 0 };
	/* What the referee needs besides the plan. */
	struct match_run run = {
		.jobs = (int)j->own->jobs,
		.journal = j->own->journal,
		.resume = j->own->resume,
		.no_times = c->args.no_times,
		.opinions = c->args.out && pgn_is_name(c->args.out),
		.engine_log = j->engine_log,
		.log_folder = j->own->log,
		.log_rank = j->ranks.rank,
		.stop = cli_stop_flag(),
		.listener = { take_game, show_progress, j },
		.warning = show_warning,
	};
	/* Another rank than the first plays what it gets and prints nothing. */
	if (c->mute) {
		const enum qv_status status =
			ranks_assist(&j->ranks, c->context, &j->plan, &run, &c->error);
		return status == QV_OK ? engine_log_status(j->engine_log, &c->error) : status;
	}
	if (j->ranks.open)
		run.branch = ranks_branch(&j->ranks, &j->plan);
	/* mpirun gives its programs a terminal, even if its own output is a file. */
	j->logs_faults = !c->args.json;
	j->logs = j->logs_faults && (j->ranks.open || !isatty(STDOUT_FILENO));
	j->progresses = cli_shows_progress();
	enum qv_status status = match_run(c->context, &j->plan, &run, &totals, &c->error);
	cli_clear_progress();
	if (status == QV_STOPPED) {
		fprintf(stderr, "quevedo: %s\n", c->error.text);
		c->answer_is_no = true;
		status = QV_OK;
	}
	if (status == QV_OK)
		status = j->status;
	if (status == QV_OK)
		status = finish(j, &totals);
	totals_release(&totals);
	return status;
}

/* ---- Audit ---- */

/* Replays the games of a journal; with --games, also plays that many again. */
static enum qv_status audit(struct cli *c)
{
	const struct match_values *own = cli_own(c);
	struct match_audit a;
	const int64_t sample = cli_given(c, "games") ? own->games : 0;
	enum qv_status status = arguments_allow(&c->args, OPTION_GROUPS(audit_option, games_option),
						"match --audit", &c->error);
	if (status == QV_OK)
		status = match_audit(c->context, own->audit, sample, (uint64_t)c->args.seed,
				     (int)own->jobs, cli_stop_flag(), &a, &c->error);
	if (status != QV_OK)
		return status;
	/* A wrong game is the answer "no". */
	c->answer_is_no = a.wrong;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "games", json_integer(a.games),
					       "checked", json_integer(a.checked), "replayed",
					       json_integer(a.replayed), "wrong",
					       json_integer(a.wrong), "first_wrong",
					       json_text(a.wrong ? a.first_wrong : NULL), NULL));
	string_addf(&c->out, "games %lld, checked %lld, played again %lld\n", (long long)a.games,
		    (long long)a.checked, (long long)a.replayed);
	if (a.wrong)
		string_addf(&c->out, "wrong %lld; the first: %s\n", (long long)a.wrong,
			    a.first_wrong);
	else
		string_addf(&c->out, "nothing wrong\n");
	return QV_OK;
}

/* ---- The command ---- */

/*
 * Checks what options exclude each other, then audits a journal or plays. Everything is released at
 * the end, whatever failed; ranks must leave in any case.
 */
static enum qv_status run_match(struct cli *c)
{
	const struct match_values *own = cli_own(c);
	struct job j = { .c = c, .own = own, .plugins = { .allocator = &mem_malloc } };
	enum qv_status status = QV_OK;
	if (own->log && own->engine_log)
		return cli_refuse(c, "--log: not together with --engine-log");
	if (own->mpi && cli_given(c, "jobs"))
		return cli_refuse(c, "--jobs: with --mpi each rank plays one game at a time");
	if (own->audit && c->args.word_count > 1)
		return cli_refuse(c, "--audit: the journal names the game");
	if (c->args.data && !own->has_adjudication)
		return cli_refuse(c, "--data: only with --adjudicate tables");
	if (own->resume && !own->journal)
		return cli_refuse(c, "--resume: --journal is missing");
	if (!own->audit && c->args.word_count < 2)
		return cli_refuse(c, "match: the game is missing; usage: quevedo %s",
				  command_match.usage);
	if (own->audit)
		return audit(c);
	j.faults = json_array();
	/* Every rank joins before it reads files, since they may fail on one machine only. */
	if (own->mpi)
		status = ranks_open(&j.ranks, &c->error);
	c->mute |= j.ranks.rank > 0;
	if (status == QV_OK)
		status = make_plan(&j);
	if (status == QV_OK)
		status = details_init(&j.details, c->context, &j.plan, &c->error);
	if (status == QV_OK)
		status = open_files(&j);
	if (status == QV_OK)
		status = play_match(&j);
	engine_log_close(j.engine_log);
	/* After a signal mpirun soon stops reading, so print now. */
	if (status == QV_OK && j.ranks.open && !c->mute)
		status = cli_flush(c);
	/* The first rank prints the failures of the others, so they end with success. */
	const bool reported = j.ranks.open && c->mute;
	ranks_close(&j.ranks, status, &c->error);
	if (reported)
		status = QV_OK;
	out_close(&j);
	json_decref(j.faults);
	file_abandon(&j.picture);
	report_release(&j.report);
	details_release(&j.details);
	mem_free(&mem_malloc, j.counts, (size_t)j.openings.count * sizeof *j.counts);
	openings_release(&j.openings);
	string_release(&j.plugins);
	return status;
}

const struct command command_match = {
	.name = "match", .run = run_match, .most = 1,
	.usage = "match GAME --player A=SPEC --player B=SPEC",
	.help = "play a match and print the standings",
	.more = "With more than two players each meets all others. Seats are swapped over the same "
		"openings and dice. 'quevedo match --audit FILE' checks a journal instead. See "
		"docs/match.md.\n"
		"Exit status 1: the SPRT did not accept H1, an audit found an error, or Ctrl-C "
		"stopped the match.\n",
	.options = OPTION_GROUPS(games_option, own_options, audit_option, tables_data_option,
				 common_options),
};
