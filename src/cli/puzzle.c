/*
 * puzzle.c - the command puzzle: mate in N, games that lead to a position, and files of puzzles.
 * SPDX-License-Identifier: MIT
 *
 * Files are made and checked in puzzle_files.c. Both searches here are in games/chess (mate.h, proof_game.h) and exhaustive: mate finds all first
 * moves of the shortest mate, proof all games of N plies that lead to the position.
 */
#include "base/clock.h"
#include "base/flag.h"
#include "cli/puzzle.h"
#include "games/chess/puzzles.h"
#include "core/context.h"

static const struct option rights_option[] = {
	COMMAND_OPTION(struct puzzle_values, "rights", OPTION_FLAG, rights,
		       .help = "proof: castling rights must match, too"),
	{ 0 },
};

static const struct option make_options[] = {
	COMMAND_OPTION(struct puzzle_values, "count", OPTION_INT, count, .min = 1,
		       .max = PUZZLE_MOST, .def = 200, .value = "N",
		       .help = "make: puzzles wanted"),
	COMMAND_OPTION(struct puzzle_values, "seconds", OPTION_INT, seconds, .max = 1000000,
		       .value = "N", .help = "make: stop after N seconds; 0: no limit"),
	SHARED_OPTION("out", OPTION_POINTER, out, .value = "FILE",
		      .help = "make: write the puzzles to a file"),
	{ 0 },
};

static const struct option check_options[] = {
	COMMAND_OPTION(struct puzzle_values, "sample", OPTION_INT, sample, .max = PUZZLE_MOST,
		       .value = "N", .help = "check: only N puzzles, chosen by --seed; 0: all"),
	COMMAND_OPTION(struct puzzle_values, "trials", OPTION_INT, trials, .min = 36,
		       .max = 100000, .def = 144, .value = "N",
		       .help = "check: games of each move in a roll-out"),
	{ 0 },
};

/* The groups of the parts of the command; main.c adds the common ones. */
static const struct option *const made_with[] = { make_options, NULL };
static const struct option *const checked_with[] = { check_options, NULL };
static const struct option *const searched_with[] = { rights_option, moves_options,
						      position_options, san_option, time_option,
						      NULL };

/* A puzzle that is being solved. */
struct chess_puzzle {
	struct cli *c;
	struct position position;
	const struct chess *state; /* of the position */
	int number;		   /* mate: moves; proof: plies */
	int64_t started;	   /* us */
	json_t *games;		   /* proof: those found so far */
};

/* Adds what the search has cost. */
static json_t *add_work(const struct chess_puzzle *p, json_t *o, uint64_t nodes)
{
	o = json_field(o, "nodes", json_count(nodes));
	if (!p->c->args.no_times)
		o = json_field(o, "seconds", json_seconds((double)(clock_us() - p->started) / 1e6));
	return o;
}

/* The texts of a sequence of moves, or with `same` of alternatives, from a position. */
static json_t *line_json(const struct position *p, struct chess s, const qv_move *moves, int count,
			 bool same)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++) {
		list = json_item(list, json_text(position_words(p, &s, moves[i]).text));
		if (!same)
			chess_play(&s, moves[i]);
	}
	return list;
}

/* Prints "LABEL M, M, M" and releases the list. */
static void put_line(struct string *out, const char *label, json_t *list)
{
	const json_t *move;
	size_t i;
	string_addf(out, "%s", label);
	json_array_foreach(list, i, move)
		string_addf(out, "%s%s", i ? ", " : " ", json_string_value(move));
	string_addf(out, "\n");
	out->failed |= !list;
	json_decref(list);
}

/* ---- mate ---- */

/* Prints the shortest mate: all moves that start one, the main line, and its length. */
static enum qv_status solve_mate(struct chess_puzzle *p)
{
	struct cli *c = p->c;
	const struct position *at = &p->position;
	struct chess_mate m;
	struct cli_watch watch;
	const struct qv_solve_limits limits = cli_watch_limits(&watch);
	cli_watch_begin(&watch, c, "puzzle mate");
	const enum qv_status status =
		chess_mate(context_allocator(c->context), p->state, p->number,
			   (size_t)c->args.hash_mb << 20, &limits, &m, &c->error);
	/* Ctrl-C is an error, the end of --time is not. */
	const bool stopped = status == QV_STOPPED && !flag_is_set(limits.stop);
	cli_watch_end(&watch);
	if (status != QV_OK && !stopped)
		return status;
	if (stopped)
		m = (struct chess_mate){ .nodes = m.nodes };
	c->answer_is_no = !m.moves;
	if (!c->args.json && !m.moves) {
		if (stopped)
			string_addf(&c->out, "value unknown\n");
		else
			string_addf(&c->out, "no mate in %d\n", p->number);
		return QV_OK;
	}
	/* The keys are alternatives, the line is a sequence. */
	json_t *keys = line_json(at, *p->state, m.keys, m.key_count, true),
	       *line = line_json(at, *p->state, m.line, m.line_length, false);
	if (c->args.json) {
		json_t *o = json_fields(json_object(), "mate",
					m.moves ? json_integer(m.moves) : json_null(), "keys", keys,
					"line", line, "complete", json_boolean(!stopped), NULL);
		return cli_json(c, add_work(p, o, m.nodes));
	}
	put_line(&c->out, "keys", keys);
	put_line(&c->out, "line", line);
	string_addf(&c->out, "mate in %d\n", m.moves);
	return QV_OK;
}

/* ---- proof ---- */

/* Prints a game that leads to the position. Returns true to get the next one. */
static bool take_game(void *ctx, const qv_move *moves)
{
	struct chess_puzzle *p = ctx;
	struct chess start;
	chess_start(&start, NULL);
	json_t *line = line_json(&p->position, start, moves, p->number, false);
	if (p->c->args.json)
		p->games = json_item(p->games, line);
	else
		put_line(&p->c->out, "game", line);
	return true;
}

/* Prints all games of exactly N plies from the start position to the position. */
static enum qv_status find_games(struct chess_puzzle *p)
{
	struct cli *c = p->c;
	const struct puzzle_values *own = cli_own(c);
	struct cli_watch watch;
	const struct qv_solve_limits limits = cli_watch_limits(&watch);
	const struct chess_proof how = {
		.target = p->state,
		.plies = p->number,
		.rights = own->rights,
		.hash_bytes = (size_t)c->args.hash_mb << 20,
		.limits = &limits,
		.game = take_game,
		.ctx = p,
	};
	uint64_t games = 0, nodes = 0;
	cli_watch_begin(&watch, c, "puzzle proof");
	const enum qv_status status =
		chess_proof_games(context_allocator(c->context), &how, &games, &nodes, &c->error);
	const bool stopped = status == QV_STOPPED && !flag_is_set(limits.stop);
	cli_watch_end(&watch);
	if (status != QV_OK && !stopped)
		return status;
	c->answer_is_no = stopped || !games;
	/* Games were printed by take_game; here is their number. */
	if (!c->args.json && stopped)
		string_addf(&c->out, "value unknown\n");
	else if (!c->args.json)
		string_addf(&c->out, "games %llu\n", (unsigned long long)games);
	if (!c->args.json)
		return QV_OK;
	json_t *o = json_fields(json_object(), "games", stopped ? json_null() : json_count(games),
				"solutions", json_incref(p->games), "complete",
				json_boolean(!stopped), NULL);
	return cli_json(c, add_work(p, o, nodes));
}

/* ---- The command ---- */

/* Makes or checks a file. */
static enum qv_status run_files(struct cli *c, bool make)
{
	if (c->args.word_count > 3)
		return cli_refuse(c, "puzzle %s: too many arguments", make ? "make" : "check");
	const enum qv_status status =
		arguments_allow(&c->args, make ? made_with : checked_with,
				make ? "puzzle make" : "puzzle check", &c->error);
	if (status != QV_OK)
		return status;
	return make ? puzzle_make_file(c) : puzzle_check_file(c);
}

/* Reads the verb and N, opens the position, and searches. */
static enum qv_status run(struct cli *c)
{
	const struct puzzle_values *own = cli_own(c);
	struct chess_puzzle p = { .c = c, .started = clock_us() };
	const char *verb = c->args.words[1];
	const bool mate = strcmp(verb, "mate") == 0;
	int64_t number;
	if (strcmp(verb, "make") == 0 || strcmp(verb, "check") == 0)
		return run_files(c, *verb == 'm');
	if (!mate && strcmp(verb, "proof") != 0)
		return cli_refuse(c, "puzzle %.60s: expected mate, proof, make or check",
				  cli_word(verb));
	if (arguments_allow(&c->args, searched_with, "puzzle", &c->error) != QV_OK)
		return QV_BAD_INPUT;
	if (mate && own->rights)
		return cli_refuse(c, "--rights: only with proof");
	/* N is limited, because the cost grows exponentially with it. */
	if (!text_to_int(c->args.words[2], 1, mate ? CHESS_MOST_MATE : CHESS_MOST_PROOF, &number))
		return cli_refuse(c, "puzzle %s: expected a number from 1 to %d", verb,
				  mate ? CHESS_MOST_MATE : CHESS_MOST_PROOF);
	enum qv_status status = position_open(c, "chess", c->args.words[3], &p.position);
	if (status != QV_OK)
		return status;
	p.number = (int)number;
	p.state = p.position.state;
	p.games = json_array();
	status = mate ? solve_mate(&p) : find_games(&p);
	json_decref(p.games);
	position_release(&p.position);
	return status;
}

const struct command command_puzzle = {
	.name = "puzzle",
	.run = run,
	.least = 2,
	.most = 3,
	.usage = "puzzle mate|proof N [POS]|make GAME|check FILE",
	.help = "find mates and proof games; make and check puzzles",
	.more = "mate searches every move of both sides and prints the shortest mate in at most N "
		"moves, with all moves that start one. proof prints all games of N "
		"plies that lead to the pieces of POS. Exit status 1: there is no solution, or "
		"none was found within --time (\"value unknown\").\n"
		"make plays games between weak players and looks for positions with one move that "
		"wins in some plies, wins material, keeps the value or is best. The game's solver "
		"finds them and another search proves them. check proves all puzzles of a file "
		"again. Exit status 1: fewer than --count were made, or a puzzle is wrong.\n",
	.options = OPTION_GROUPS(moves_options, position_options, san_option, rights_option,
				 time_option, make_options, check_options, common_options),
};
