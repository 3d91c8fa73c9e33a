/*
 * make.c - makes puzzles: positions of games between weak players, solved and checked.
 * SPDX-License-Identifier: MIT
 *
 * Games are numbered and each has its own random numbers, so they can be played in any thread. Those
 * of a batch are joined in their order.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/threads.h"
#include "core/context.h"
#include "puzzle/inside.h"
#include "search/random_move.h"
#include "search/solver.h"

enum {
	PER_GAME = 2,	  /* puzzles from one game at most */
	FEWEST_MOVES = 2, /* a puzzle has a choice */
	MOST_GAME_PLIES = 300,
	BATCH = 64,	     /* games between two looks at the number of puzzles */
	MORE = 2,	     /* times the puzzles that are wanted, to choose from */
	IDLE_GAMES = 6000,   /* games without a new puzzle: there are no more */
	FEW = 20,
	EASY_PERCENT = 15,   /* of puzzles with the shortest solution, at most */
	ROLLED_GAMES = 288,  /* of each move of backgammon */
	CLOSE_LEAD = 20, /* of a puzzle about the lead */
	SOLVER_BYTES = 1 << 24,
	LONGEST_LINE = 240, /* characters; many alternatives do not make a good puzzle */
};

/* The kinds of puzzles that are looked for. */
enum { TRY_WIN = 1, TRY_GAIN = 2, TRY_KEEP = 4, TRY_BEST = 8, TRY_EQUITY = 16, TRY_ODDS = 32 };

/* How puzzles of a game are made. */
struct recipe {
	const char *game;
	unsigned tries;
	int least, most;	      /* plies of a win or gain */
	int32_t gain;		      /* points of material */
	uint64_t solve_nodes;	      /* for the value of a position */
	uint64_t check_nodes;	      /* of the proof: puzzles that cost more are dropped */
	int from;		      /* the first ply from which positions are taken */
	int random_percent;	      /* of the moves of the games */
	const char *scout; /* a quick player: only where it sees a win, the solver is asked */
};

static const struct recipe recipes[] = {
	{ "chess", TRY_WIN, 1, 9, 0, 3000000, 2000000, 8, 6, "selective:nodes=6000,tt=2" },
	{ "minichess", TRY_WIN, 3, 11, 0, 400000, 1000000, 6, 6, "selective:nodes=4000,tt=2" },
	{ "connect4", TRY_WIN | TRY_KEEP, 3, 15, 0, 200000, 200000, 16, 6, NULL },
	{ "noughts", TRY_WIN | TRY_KEEP, 1, 9, 0, 100000, 100000, 0, 40, NULL },
	{ "noughts3d", TRY_WIN, 3, 13, 0, 4000, 400000, 8, 6, NULL },
	{ "hexapawn", TRY_WIN | TRY_KEEP, 1, 9, 0, 100000, 100000, 0, 40, NULL },
	{ "gomoku", TRY_WIN, 3, 9, 0, 10000, 400000, 6, 6, NULL },
	{ "draughts", TRY_GAIN | TRY_WIN, 3, 11, 2, 100000, 400000, 10, 6, "selective:nodes=2000,tt=2" },
	{ "morris", TRY_GAIN | TRY_WIN, 3, 7, 1, 60000, 400000, 4, 6, NULL },
	{ "reversi", TRY_KEEP | TRY_BEST, 0, 0, 0, 2000000, 300000, 48, 6, NULL },
	{ "warptrog", TRY_WIN, 3, 9, 0, 0, 400000, 6, 6, NULL },
	{ "backgammon", TRY_EQUITY, 0, 0, 0, 0, 0, 2, 6, NULL },
	{ "race", TRY_ODDS, 0, 0, 0, 0, 0, 20, 6, NULL },
	/* Any other game of two seats without chance. */
	{ NULL, TRY_WIN | TRY_KEEP, 1, 9, 0, 100000, 200000, 0, 6, NULL },
};

/* What a worker needs. */
struct maker {
	const struct qv_context *context;
	const struct recipe *recipe;
	struct qv_rules rules;
	struct puzzle_checker *checker;
	struct qv_solver *solver; /* NULL: none proves values of this game */
	struct qv_player *players[2], *scout; /* scout: NULL where the recipe has none */
	void *state, *at, *next;
	qv_move *moves, *others;
	struct qv_random random;
	int disagreements;
};

/* The puzzles of a game. */
struct harvest {
	int count;
	struct puzzle puzzles[PER_GAME];
};

/* A whole run. */
struct making {
	const struct qv_context *context;
	const struct puzzle_plan *plan;
	const struct recipe *recipe;
	struct maker *makers;
	int workers;
	struct harvest *harvests; /* of a batch */
	int64_t games;		  /* played before this batch */
	struct puzzle_list all;
	uint64_t *keys;
	size_t room;
	void *state, *scratch;
};

/* ---- Lines ---- */

static void put_move(struct maker *m, const void *state, qv_move move, struct qv_text *line)
{
	m->rules.game->move_text(state, move, line);
}

/* The fewest plies in which the attacker still gets there; -1: a limit was reached. */
static int plies_left(struct maker *m, const void *state, int most)
{
	for (int plies = 0; plies <= most; plies++) {
		const enum plain_answer answer = plain_forces(&m->checker->plain, state, plies);
		if (answer != PLAIN_NO)
			return answer == PLAIN_YES ? plies : -1;
	}
	return most + 1;
}

/* 0: the attacker gains no more than its goal after this reply; -1: it does, or a limit. */
static int holds(struct maker *m, const void *state, const struct puzzle_goal *goal, int plies)
{
	const struct puzzle_goal more = { .kind = PUZZLE_GAIN, .plies = plies,
					  .amount = goal->amount + 1 },
				 win = { .kind = PUZZLE_WIN, .plies = plies };
	const enum plain_answer wins = plain_instead(&m->checker->plain, state, &win),
				gains = plain_instead(&m->checker->plain, state, &more);
	return wins == PLAIN_NO && gains == PLAIN_NO ? 0 : -1;
}

/*
 * The defender's reply: the one that lasts longest, and of these the one that looks best. A gain has
 * a fixed length; there it is a reply that loses no more. QV_NO_MOVE: none, or a limit was reached.
 */
static qv_move best_reply(struct maker *m, const void *state, const struct puzzle_goal *goal,
			  int plies)
{
	const struct qv_game *g = m->rules.game;
	const int n = g->moves(state, m->others);
	qv_move best = QV_NO_MOVE;
	int longest = -1;
	int32_t rank = 0;
	for (int i = 0; i < n; i++) {
		const int32_t looks = g->rank ? g->rank(state, m->others[i]) : 0;
		memcpy(m->next, state, g->state_size);
		g->play(m->next, m->others[i]);
		const int lasts = goal->kind == PUZZLE_GAIN ? holds(m, m->next, goal, plies - 1)
							    : plies_left(m, m->next, plies - 1);
		if (lasts < 0 && goal->kind == PUZZLE_GAIN)
			continue;
		if (lasts < 0)
			return QV_NO_MOVE;
		if (lasts > longest || (lasts == longest && looks > rank)) {
			longest = lasts;
			best = m->others[i];
			rank = looks;
		}
	}
	return best;
}

/* Adds the moves that achieve the goal within `plies` in m->at, and plays the first. */
static bool add_turn(struct maker *m, int plies, struct qv_text *line, int *count)
{
	const struct qv_game *g = m->rules.game;
	const int n = g->moves(m->at, m->others);
	qv_move first = QV_NO_MOVE;
	*count = 0;
	for (int i = 0; i < n; i++) {
		const enum plain_answer answer =
			plain_move_forces(&m->checker->plain, m->at, m->others[i], plies);
		if (answer == PLAIN_UNKNOWN)
			return false;
		if (answer == PLAIN_NO)
			continue;
		if ((*count)++)
			qv_put(line, "|");
		put_move(m, m->at, m->others[i], line);
		first = first == QV_NO_MOVE ? m->others[i] : first;
	}
	if (first != QV_NO_MOVE)
		g->play(m->at, first);
	return first != QV_NO_MOVE;
}

/* Whether the goal is reached in m->at, so that the line can end. */
static bool reached(struct maker *m, const struct puzzle_goal *goal, int plies)
{
	const struct qv_game *g = m->rules.game;
	int32_t points[QV_MAX_SEATS];
	if (plies <= 0 || g->result(m->at, points) != QV_GOING)
		return true;
	if (goal->kind != PUZZLE_GAIN)
		return false;
	const struct plain *plain = &m->checker->plain;
	return plain_lead(plain, m->at) - plain->base >= goal->amount &&
	       g->seat(m->at) != plain->attacker;
}

/* The solution by the plain search, from m->state. False: not unique, or a limit was reached. */
static bool write_line(struct maker *m, struct puzzle *p)
{
	const struct qv_game *g = m->rules.game;
	struct qv_text line = { p->line, sizeof p->line, 0 };
	memcpy(m->at, m->state, g->state_size);
	for (int plies = p->goal.plies; plies > 0; plies -= 2) {
		int count;
		if (plies < p->goal.plies)
			qv_put(&line, ", ");
		if (!add_turn(m, plies, &line, &count) || (plies == p->goal.plies && count != 1))
			return false;
		if (reached(m, &p->goal, plies - 1))
			break;
		if (g->seat(m->at) == m->checker->plain.attacker)
			return false;
		const qv_move reply = best_reply(m, m->at, &p->goal, plies - 1);
		if (reply == QV_NO_MOVE)
			return false;
		qv_put(&line, ", ");
		put_move(m, m->at, reply, &line);
		g->play(m->at, reply);
	}
	return line.length < LONGEST_LINE;
}

/* ---- Wins within some plies ---- */

/* Whether the scout sees a win that is short enough; true without a scout. */
static bool scout_sees_win(struct maker *m)
{
	struct qv_answer answer;
	if (!m->scout)
		return true;
	qv_player_new_game(m->scout);
	return player_choose(m->scout, m->state, NULL, NULL, &answer, NULL) == QV_OK &&
	       answer.score >= QV_WIN - m->recipe->most;
}

/* The plies of a win by the solver of the game; 0: none is proven. -1: no solver can tell. */
static int plies_to_win(struct maker *m)
{
	const struct recipe *r = m->recipe;
	struct qv_solution s;
	const struct qv_solve_limits limits = { .distance = m->solver && !m->solver->ops->slow_distance,
						.nodes = r->solve_nodes };
	if (r->game && strcmp(r->game, "chess") == 0)
		return 2 * chess_mate_in(m->checker->allocator, m->state, (r->most + 1) / 2,
					 r->solve_nodes) - 1;
	if (!m->solver)
		return -1;
	const enum qv_status status = solver_run(m->solver, m->state, &limits, &s, NULL);
	if (status != QV_OK && status != QV_STOPPED)
		return 0;
	/* A solver by threats proves a win, but not how long it takes. */
	if (s.value == QV_VALUE_WIN && s.in < 0)
		return -1;
	return s.value == QV_VALUE_WIN ? s.in : 0;
}

static bool try_win(struct maker *m, struct puzzle *p)
{
	const struct recipe *r = m->recipe;
	struct plain *plain = &m->checker->plain;
	const int told = scout_sees_win(m) ? plies_to_win(m) : 0;
	if (told == 0 || told < -1 || (told > 0 && (told < r->least || told > r->most || told % 2 == 0)))
		return false;
	/* Both ways must agree about the number of plies. */
	for (int plies = 1; plies <= (told > 0 ? told : r->most); plies += 2) {
		p->goal = (struct puzzle_goal){ .kind = PUZZLE_WIN, .plies = plies };
		plain_aim(plain, m->state, &p->goal);
		const enum plain_answer answer = plain_forces(plain, m->state, plies);
		if (answer == PLAIN_UNKNOWN)
			return false;
		if (answer == PLAIN_NO && plies == told)
			m->disagreements++;
		if (answer == PLAIN_NO)
			continue;
		m->disagreements += told > 0 && plies != told;
		return plies >= r->least && write_line(m, p);
	}
	return false;
}

/* ---- Material ---- */

/* The one move that gains material within the plies; QV_NO_MOVE: none, or several. */
static qv_move only_gain(struct maker *m, int plies, int *count)
{
	const struct qv_game *g = m->rules.game;
	const int n = g->moves(m->state, m->others);
	qv_move only = QV_NO_MOVE;
	*count = 0;
	for (int i = 0; i < n; i++) {
		const enum plain_answer answer =
			plain_move_forces(&m->checker->plain, m->state, m->others[i], plies);
		if (answer == PLAIN_UNKNOWN) {
			*count = -1;
			return QV_NO_MOVE;
		}
		if (answer == PLAIN_YES) {
			only = m->others[i];
			(*count)++;
		}
	}
	return *count == 1 ? only : QV_NO_MOVE;
}

/* Sets the plies and the most that the move gains then, unless it wins the game. */
static bool set_most(struct maker *m, struct puzzle_goal *goal, qv_move move, int plies)
{
	struct plain *plain = &m->checker->plain;
	const struct puzzle_goal win = { .kind = PUZZLE_WIN, .plies = plies };
	enum plain_answer more = PLAIN_YES;
	goal->plies = plies;
	if (plain_instead(plain, m->state, &win) != PLAIN_NO)
		return false;
	while (more == PLAIN_YES) {
		goal->amount++;
		plain_aim(plain, m->state, goal);
		more = plain_move_forces(plain, m->state, move, plies);
	}
	goal->amount--;
	plain_aim(plain, m->state, goal);
	return more == PLAIN_NO;
}

/*
 * The gain must still be there two plies later, and no other move may have caught up with it then.
 */
static bool try_gain(struct maker *m, struct puzzle *p)
{
	const struct recipe *r = m->recipe;
	const struct qv_game *g = m->rules.game;
	int count = 0;
	p->goal = (struct puzzle_goal){ .kind = PUZZLE_GAIN, .amount = r->gain };
	if (!g->material)
		return false;
	plain_aim(&m->checker->plain, m->state, &p->goal);
	if (abs(m->checker->plain.base) > r->gain)
		return false; /* one side has won already */
	for (int plies = 1; plies <= r->most - 2; plies += 2) {
		const qv_move move = only_gain(m, plies, &count);
		if (count == 0)
			continue;
		if (move == QV_NO_MOVE || plies < r->least)
			return false;
		return only_gain(m, plies + 2, &count) == move &&
		       set_most(m, &p->goal, move, plies + 2) && write_line(m, p);
	}
	return false;
}

/* ---- Values ---- */

/* The value after a move for the side that makes it, and its lead. */
static bool value_after(struct maker *m, const void *state, qv_move move, struct qv_solution *out)
{
	const struct qv_game *g = m->rules.game;
	const struct qv_solve_limits limits = { .nodes = m->recipe->solve_nodes,
						.margin = m->recipe->tries & TRY_BEST };
	memcpy(m->next, state, g->state_size);
	g->play(m->next, move);
	if (solver_run(m->solver, m->next, &limits, out, NULL) != QV_OK ||
	    out->value == QV_VALUE_UNKNOWN)
		return false;
	if (g->seat(m->next) == g->seat(state))
		return true;
	out->value = (enum qv_value)(QV_VALUE_LOSS + QV_VALUE_WIN - out->value);
	out->margin = -out->margin;
	return true;
}

/* What the moves of a state are worth. */
struct worth {
	enum qv_value best;
	int32_t lead;
	int holding, leading; /* moves with the best value, and with the best lead */
	qv_move first_holding, first_leading;
	int32_t next_lead;
};

static bool weigh(struct maker *m, const void *state, struct worth *w)
{
	const struct qv_game *g = m->rules.game;
	const int n = g->moves(state, m->moves);
	*w = (struct worth){ .lead = INT32_MIN, .next_lead = INT32_MIN };
	for (int i = 0; i < n; i++) {
		struct qv_solution s;
		if (!value_after(m, state, m->moves[i], &s))
			return false;
		if (s.value > w->best) {
			w->best = s.value;
			w->holding = 0;
			w->first_holding = m->moves[i];
		}
		w->holding += s.value == w->best;
		if (s.margin > w->lead) {
			w->next_lead = w->lead;
			w->lead = s.margin;
			w->leading = 0;
			w->first_leading = m->moves[i];
		} else if (s.margin > w->next_lead && s.margin < w->lead) {
			w->next_lead = s.margin;
		}
		w->leading += s.margin == w->lead;
	}
	return true;
}

/* Writes a line of the only move. */
static void write_move(struct maker *m, qv_move move, struct puzzle *p)
{
	struct qv_text line = { p->line, sizeof p->line, 0 };
	put_move(m, m->state, move, &line);
}

static bool try_value(struct maker *m, struct puzzle *p)
{
	struct worth w;
	if (!m->solver || !weigh(m, m->state, &w))
		return false;
	if ((m->recipe->tries & TRY_KEEP) && w.holding == 1 && w.best >= QV_VALUE_DRAW) {
		p->goal = (struct puzzle_goal){ .kind = w.best == QV_VALUE_WIN ? PUZZLE_KEEP_WIN
									       : PUZZLE_KEEP_DRAW };
		write_move(m, w.first_holding, p);
		return true;
	}
	if ((m->recipe->tries & TRY_BEST) && w.leading == 1 && abs(w.lead) <= CLOSE_LEAD) {
		p->goal = (struct puzzle_goal){ .kind = PUZZLE_BEST, .amount = w.lead };
		write_move(m, w.first_leading, p);
		return true;
	}
	return false;
}

/* ---- Games ---- */

/* Looks for a puzzle in m->state. */
static bool try_position(struct maker *m, struct puzzle *p)
{
	const struct qv_game *g = m->rules.game;
	const struct recipe *r = m->recipe;
	struct qv_text position = { p->position, sizeof p->position, 0 };
	if (g->moves(m->state, m->moves) < FEWEST_MOVES)
		return false;
	plain_forget(&m->checker->plain);
	m->checker->plain.most = r->check_nodes;
	*p->line = '\0';
	const bool found = ((r->tries & TRY_WIN) && try_win(m, p)) ||
			   ((r->tries & TRY_GAIN) && try_gain(m, p)) ||
			   ((r->tries & (TRY_KEEP | TRY_BEST)) && try_value(m, p)) ||
			   ((r->tries & TRY_EQUITY) &&
			    backgammon_rolls_make(m->checker->rolls, m->state, p)) ||
			   ((r->tries & TRY_ODDS) &&
			    race_table_make(m->checker->race, m->state, p));
	if (!found)
		return false;
	g->position_text(m->state, &position);
	if (position.length >= sizeof p->position)
		return false;
	if (p->goal.kind == PUZZLE_EQUITY)
		return true; /* rolled out already */
	if (p->goal.kind == PUZZLE_ODDS)
		return true; /* the bounds are the proof */
	struct qv_error why;
	const enum qv_status status =
		puzzle_check(m->checker, p, r->check_nodes, NULL, &p->nodes, &why);
	m->disagreements += status == QV_ILLEGAL;
	return status == QV_OK && p->nodes <= r->check_nodes;
}

/* Plays a move: random now and then, else by the player whose turn it is. */
static void play_move(struct maker *m, int ply, int random_plies)
{
	const struct qv_game *g = m->rules.game;
	const int n = g->moves(m->state, m->moves), seat = g->seat(m->state);
	struct qv_answer answer;
	if (seat != QV_CHANCE && ply >= random_plies &&
	    (int)qv_random_below(&m->random, 100) >= m->recipe->random_percent &&
	    player_choose(m->players[seat % 2], m->state, NULL, NULL, &answer, NULL) == QV_OK)
		g->play(m->state, answer.move);
	else
		g->play(m->state, random_move(g, m->state, m->moves, n, &m->random));
}

static void play_game(void *ctx, int worker, int64_t job)
{
	struct making *run = ctx;
	struct maker *m = &run->makers[worker];
	struct harvest *out = &run->harvests[job];
	const struct qv_game *g = m->rules.game;
	int32_t points[QV_MAX_SEATS];
	int ply = 0, last = -1;
	out->count = 0;
	m->random = (struct qv_random){ qv_random_key(run->plan->seed, (uint64_t)(run->games + job)),
					0 };
	const int random_plies = 2 + (int)qv_random_below(&m->random, 5);
	g->start(m->rules.options, m->state);
	qv_player_new_game(m->players[0]);
	qv_player_new_game(m->players[1]);
	for (; ply < MOST_GAME_PLIES && out->count < PER_GAME; ply++) {
		if (g->result(m->state, points) != QV_GOING)
			break;
		if (run->plan->until_us && clock_us() > run->plan->until_us)
			break;
		/* A puzzle that follows from the one before is none. */
		if (g->seat(m->state) != QV_CHANCE && ply >= m->recipe->from &&
		    (last < 0 || ply > last + m->recipe->most + 2) &&
		    try_position(m, &out->puzzles[out->count])) {
			out->count++;
			last = ply;
		}
		play_move(m, ply, random_plies);
	}
}

/* ---- The choice ---- */

/* Adds the puzzles of a batch that are not there yet. */
static enum qv_status collect(struct making *run, int64_t jobs, struct qv_error *error)
{
	const struct qv_rules *rules = &run->all.rules;
	for (int64_t job = 0; job < jobs; job++)
		for (int i = 0; i < run->harvests[job].count; i++) {
			const struct puzzle *p = &run->harvests[job].puzzles[i];
			enum qv_status status =
				qv_position_parse(rules, p->position, run->state, error);
			if (status != QV_OK)
				return status;
			const uint64_t key = puzzle_key(rules->game, run->state, run->scratch);
			int at = 0;
			while (at < run->all.count && run->keys[at] != key)
				at++;
			if (at < run->all.count)
				continue;
			if (!mem_reserve(run->all.allocator, &run->keys, &run->room,
					 (size_t)at + 1, sizeof *run->keys))
				return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
			run->keys[at] = key;
			status = puzzles_add(&run->all, p, error);
			if (status != QV_OK)
				return status;
		}
	return QV_OK;
}

/* The class of a puzzle: its kind and its length. */
static int class_of(const struct puzzle *p)
{
	return (int)p->goal.kind * (PUZZLE_MOST_PLIES + 1) + p->goal.plies;
}

static int by_nodes(const void *a, const void *b)
{
	const struct puzzle *p = a, *q = b;
	return (p->nodes > q->nodes) - (p->nodes < q->nodes);
}

/* Whether it is one of the shortest wins. */
static bool is_easy(const struct recipe *r, const struct puzzle *p)
{
	return p->goal.kind == PUZZLE_WIN && p->goal.plies == r->least;
}

/*
 * Takes puzzles of each class in turn, so that all lengths occur, and few of the shortest. Fewer
 * puzzles than wanted: the shortest are still at most a part of them.
 */
static enum qv_status choose(struct making *run, struct puzzle_list *out, struct qv_error *error)
{
	enum { CLASSES = PUZZLE_KINDS * (PUZZLE_MOST_PLIES + 1) };
	enum qv_status status = QV_OK;
	int next[CLASSES] = { 0 }, hard = 0, easy = 0;
	for (int i = 0; i < run->all.count; i++)
		hard += !is_easy(run->recipe, &run->all.puzzles[i]);
	const int wanted = run->plan->count;
	/* A game with a handful of puzzles keeps them all. */
	const int most_easy =
		hard < FEW ? FEW : (hard < wanted ? hard : wanted) * EASY_PERCENT / 100;
	for (bool more = true; more && status == QV_OK;) {
		more = false;
		for (int class = 0; class < CLASSES && status == QV_OK; class++) {
			int i = next[class];
			while (i < run->all.count && class_of(&run->all.puzzles[i]) != class)
				i++;
			next[class] = i + 1;
			if (i >= run->all.count || out->count >= wanted)
				continue;
			more = true;
			if (is_easy(run->recipe, &run->all.puzzles[i]) && ++easy > most_easy)
				continue;
			status = puzzles_add(out, &run->all.puzzles[i], error);
		}
	}
	if (out->count)
		qsort(out->puzzles, (size_t)out->count, sizeof *out->puzzles, by_nodes);
	return status;
}

/* ---- A run ---- */

static const struct recipe *recipe_of(const struct qv_game *game)
{
	const struct recipe *r = recipes;
	while (r->game && strcmp(r->game, game->name) != 0)
		r++;
	if (!r->game && (game->seats != 2 || game->chance || !game->max_moves))
		return NULL;
	return r;
}

/* A low and a middle level: their games look natural and have errors to punish. */
static enum qv_status make_players(struct maker *m, uint64_t seed, struct qv_error *error)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 1, .no_book = true
	};
	const char *const *levels = qv_levels(m->rules.game);
	int count = 0;
	while (levels[count])
		count++;
	enum qv_status status = QV_OK;
	for (int i = 0; i < 2 && status == QV_OK; i++) {
		char spec[32];
		const int level = 1 + count * (2 + 2 * i) / 10;
		snprintf(spec, sizeof spec, "level:%d", level > count ? count : level);
		status = qv_player_new(m->context, &m->rules, spec, &defaults, &m->players[i], error);
	}
	if (status == QV_OK && m->recipe->scout)
		status = qv_player_new(m->context, &m->rules, m->recipe->scout, &defaults, &m->scout,
				       error);
	return status;
}

static enum qv_status maker_init(struct maker *m, const struct making *run, struct qv_error *error)
{
	const struct qv_game *g = run->all.rules.game;
	const struct qv_allocator *a = run->all.allocator;
	m->context = run->context;
	m->recipe = run->recipe;
	m->rules = run->all.rules;
	m->state = qv_state_new(m->context, g);
	m->at = qv_state_new(m->context, g);
	m->next = qv_state_new(m->context, g);
	m->moves = mem_new(a, (size_t)g->max_moves, sizeof *m->moves);
	m->others = mem_new(a, (size_t)g->max_moves, sizeof *m->others);
	if (!m->state || !m->at || !m->next || !m->moves || !m->others)
		return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	enum qv_status status = puzzle_checker_new(m->context, &m->rules, run->plan->seed,
						   ROLLED_GAMES, &m->checker, error);
	if (status == QV_OK && g->seats == 2 && !g->chance)
		status = qv_solver_new(m->context, &m->rules, SOLVER_BYTES, &m->solver, error);
	return status == QV_OK ? make_players(m, run->plan->seed, error) : status;
}

static void maker_release(struct maker *m, const struct qv_allocator *a, const struct qv_game *g)
{
	puzzle_checker_free(m->checker);
	qv_solver_free(m->solver);
	qv_player_free(m->players[0]);
	qv_player_free(m->players[1]);
	qv_player_free(m->scout);
	qv_state_free(m->context, g, m->state);
	qv_state_free(m->context, g, m->at);
	qv_state_free(m->context, g, m->next);
	mem_free(a, m->moves, (size_t)g->max_moves * sizeof *m->moves);
	mem_free(a, m->others, (size_t)g->max_moves * sizeof *m->others);
}

/* Plays batches of games until there are enough puzzles. */
static enum qv_status play_batches(struct making *run, struct puzzle_report *report,
				   struct qv_error *error)
{
	const struct puzzle_plan *plan = run->plan;
	const int64_t jobs = BATCH;
	enum qv_status status = QV_OK;
	int64_t last_new = 0;
	report->end = PUZZLE_ENOUGH;
	while (status == QV_OK && run->all.count < MORE * plan->count) {
		const int before = run->all.count;
		for (int64_t i = 0; i < jobs; i++)
			run->harvests[i].count = 0;
		if (!threads_for(run->workers, jobs, plan->stop, play_game, run))
			return qv_fail(error, QV_STOPPED, "puzzles: stopped");
		status = collect(run, jobs, error);
		run->games += jobs;
		if (run->all.count > before)
			last_new = run->games;
		if (plan->progress)
			plan->progress(plan->ctx, run->all.count, run->games);
		report->end = PUZZLE_ENOUGH;
		if (plan->until_us && clock_us() > plan->until_us) {
			report->end = PUZZLE_TIME;
			break;
		}
		if (run->games - last_new >= IDLE_GAMES) {
			report->end = PUZZLE_EXHAUSTED;
			break;
		}
	}
	report->games = run->games;
	report->found = run->all.count;
	return status;
}

enum qv_status puzzles_make(const struct qv_context *context, const struct qv_rules *rules,
			    const struct puzzle_plan *plan, struct puzzle_list *out,
			    struct puzzle_report *report, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct making run = { .context = context, .plan = plan, .recipe = recipe_of(rules->game),
			      .all = { .allocator = a, .rules = *rules } };
	struct puzzle_list chosen = { .allocator = a, .rules = *rules };
	if (!run.recipe)
		return qv_fail(error, QV_UNSUPPORTED, "%s: no solver proves puzzles of this game",
			       rules->game->name);
	run.workers = threads_count(plan->threads);
	run.makers = mem_new(a, (size_t)run.workers, sizeof *run.makers);
	run.harvests = mem_new(a, BATCH, sizeof *run.harvests);
	run.state = qv_state_new(context, rules->game);
	run.scratch = qv_state_new(context, rules->game);
	enum qv_status status =
		run.makers && run.harvests && run.state && run.scratch
			? QV_OK
			: qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	for (int i = 0; i < run.workers && status == QV_OK; i++)
		status = maker_init(&run.makers[i], &run, error);
	*report = (struct puzzle_report){ .end = PUZZLE_ENOUGH };
	if (status == QV_OK)
		status = play_batches(&run, report, error);
	for (int i = 0; i < run.workers && run.makers; i++) {
		report->disagreements += run.makers[i].disagreements;
		maker_release(&run.makers[i], a, rules->game);
	}
	if (status == QV_OK)
		status = choose(&run, &chosen, error);
	mem_free(a, run.makers, (size_t)run.workers * sizeof *run.makers);
	mem_free(a, run.harvests, BATCH * sizeof *run.harvests);
	mem_free(a, run.keys, run.room * sizeof *run.keys);
	qv_state_free(context, rules->game, run.state);
	qv_state_free(context, rules->game, run.scratch);
	puzzles_release(&run.all);
	if (status == QV_OK)
		*out = chosen;
	else
		puzzles_release(&chosen);
	return status;
}
