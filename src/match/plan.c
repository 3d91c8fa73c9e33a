/*
 * plan.c - which game is played when: a pure function of the plan and a number.
 * SPDX-License-Identifier: MIT
 *
 * A line-up is the set of players of a game: one per seat; if there are fewer players than seats
 * the last one fills the remaining seats. Round r is played by line-up r mod L of all L, with
 * opening r / L, once for each rotation of the seats. Line-ups are found by their rank in
 * lexicographic order, without listing them.
 */
#include "match/match.h"

/* Streams of random numbers besides those of the rounds, which are 0, 1, 2, ... */
#define STREAM_PLAYERS UINT64_MAX
#define STREAM_OPENINGS (UINT64_MAX - 1)

/* The number of ways to choose k out of n; exact for the sizes of matches. */
static int64_t binomial(int n, int k)
{
	int64_t value = 1;
	if (k < 0 || k > n)
		return 0;
	for (int i = 1; i <= k; i++)
		value = value * (n - k + i) / i;
	return value;
}

/*
 * The set with this rank, in lexicographic order, among the sets of `size` out of n from `first`
 * on.
 */
static void unrank(int n, int size, int64_t rank, int first, int *out)
{
	for (int candidate = first; size; candidate++) {
		const int64_t with = binomial(n - 1 - (candidate - first), size - 1);
		if (rank < with) {
			*out++ = candidate;
			n -= candidate - first + 1;
			first = candidate + 1;
			size--;
		} else {
			rank -= with;
		}
	}
}

int64_t plan_lineups(const struct match_plan *plan)
{
	const int seats = plan->rules.game->seats, players = plan->player_count;
	int64_t near = 0; /* pairs of players at most `near` places apart in the list */
	if (players <= seats)
		return 1;
	for (int apart = 1; apart <= plan->near && apart < players; apart++)
		near += players - apart;
	return plan->near	? near
	       : plan->gauntlet ? binomial(players - 1, seats - 1)
				: binomial(players, seats);
}

/* The players of the line-up with this rank, one for each seat. */
static void find_lineup(const struct match_plan *plan, int64_t rank, int *lineup)
{
	const int seats = plan->rules.game->seats, players = plan->player_count;
	if (players <= seats) {
		for (int i = 0; i < seats; i++)
			lineup[i] = i < players ? i : players - 1;
	} else if (plan->near) {
		int first = 0, last = 1;
		while (rank--) {
			if (++last > first + plan->near || last == players) {
				first++;
				last = first + 1;
			}
		}
		lineup[0] = first;
		lineup[1] = last;
	} else if (plan->gauntlet) {
		lineup[0] = 0;
		unrank(players - 1, seats - 1, rank, 1, lineup + 1);
	} else {
		unrank(players, seats, rank, 0, lineup);
	}
}

/* All random keys come from the seed and the number, so any game can be replayed alone. */
void plan_seating(const struct match_plan *plan, int64_t number, struct match_seating *out)
{
	const int seats = plan->rules.game->seats, games = plan->keep_seats ? 1 : seats;
	const int turn = (int)(number % games);
	const int64_t round = number / games, lineups = plan_lineups(plan);
	const uint64_t cycle = (uint64_t)(round / lineups);
	const uint64_t chance = qv_random_key(plan->seed, (uint64_t)round);
	const uint64_t players =
		qv_random_key(qv_random_key(plan->seed, STREAM_PLAYERS), (uint64_t)number);
	int lineup[QV_MAX_SEATS];
	find_lineup(plan, round % lineups, lineup);
	*out = (struct match_seating){ .number = number, .round = round, .opening = -1 };
	for (int seat = 0; seat < seats; seat++) {
		out->player[seat] = lineup[(seat + seats - turn) % seats];
		out->seed[seat] = qv_random_key(players, (uint64_t)seat);
		out->chance_key[seat] = qv_random_key(chance, (uint64_t)seat);
	}
	if (plan->opening_count)
		out->opening = (int)(cycle % (uint64_t)plan->opening_count);
	out->opening_key = qv_random_key(qv_random_key(plan->seed, STREAM_OPENINGS), cycle);
}

/* ---- Checks ---- */

/*
 * A name appears in tables, JSON and records, and results are listed by name, so it must be short,
 * unique and printable UTF-8.
 */
static enum qv_status check_names(const struct match_plan *plan, struct qv_error *error)
{
	for (int i = 0; i < plan->player_count; i++) {
		const char *name = plan->players[i].name;
		if (!*name || strlen(name) > MATCH_MAX_NAME)
			return qv_fail(error, QV_BAD_INPUT,
				       "player '%.60s': the name must have 1 to %d bytes", name,
				       MATCH_MAX_NAME);
		for (const char *at = name; *at; at += text_character(at)) {
			const unsigned char c = (unsigned char)*at, next = (unsigned char)at[1];
			if (!text_character(at))
				return qv_fail(error, QV_BAD_INPUT,
					       "player %d: the name is not UTF-8", i + 1);
			if (c < ' ' || c == 0x7f || (c == 0xc2 && next < 0xa0))
				return qv_fail(error, QV_BAD_INPUT,
					       "player %d: the name contains a control character",
					       i + 1);
		}
		for (int j = 0; j < i; j++)
			if (strcmp(name, plan->players[j].name) == 0)
				return qv_fail(error, QV_BAD_INPUT,
					       "player %.60s: the name is given twice", name);
	}
	return QV_OK;
}

/* Only the last stage of a clock may go on to the end of the game. */
static bool clock_is_good(const struct time_control *c)
{
	int moves = c->period_moves;
	bool good = c->base_ms >= 0 && c->added_ms >= 0 && c->move_ms >= 0 && moves >= 0 &&
		    moves <= MATCH_MAX_PLIES;
	for (int i = 0; good && i < c->later_count; i++) {
		const struct time_stage *stage = &c->later[i];
		good = moves > 0 && stage->base_ms > 0 && stage->added_ms >= 0 &&
		       stage->moves >= 0 && stage->moves <= MATCH_MAX_PLIES;
		moves = stage->moves;
	}
	return good;
}

enum qv_status plan_check(const struct match_plan *plan, struct qv_error *error)
{
	const struct qv_game *game = plan->rules.game;
	const struct match_adjudication *a = &plan->adjudication;
	if (plan->player_count < 1 || plan->player_count > MATCH_MAX_PLAYERS)
		return qv_fail(error, QV_BAD_INPUT, "players: must be 1 to %d, not %d",
			       MATCH_MAX_PLAYERS, plan->player_count);
	if (plan->games < 1 || plan->games > MATCH_MAX_GAMES)
		return qv_fail(error, QV_BAD_INPUT, "games: must be 1 to %d, not %lld",
			       MATCH_MAX_GAMES, (long long)plan->games);
	if (plan->near < 0 || plan->near > MATCH_MAX_PLAYERS)
		return qv_fail(error, QV_BAD_INPUT, "near: must be 0 to %d", MATCH_MAX_PLAYERS);
	if (plan->random_plies < 0 || plan->random_plies > MATCH_MAX_PLIES || plan->max_plies < 0 ||
	    plan->max_plies > MATCH_MAX_PLIES)
		return qv_fail(error, QV_BAD_INPUT, "plies: must be 0 to %d", MATCH_MAX_PLIES);
	if (a->resign_moves < 0 || a->draw_moves < 0 || a->draw_plies < 0 || a->draw_score < 0 ||
	    a->resign_score < 0)
		return qv_fail(error, QV_BAD_INPUT, "adjudication: a number is below 0");
	if (!clock_is_good(&plan->clock))
		return qv_fail(error, QV_BAD_INPUT,
			       "clock: a time is below 0, or a stage has no moves or more than %d",
			       MATCH_MAX_PLIES);
	if (plan->clock.base_ms > MATCH_MAX_MS || plan->clock.added_ms > MATCH_MAX_MS ||
	    plan->clock.move_ms > MATCH_MAX_MS)
		return qv_fail(error, QV_BAD_INPUT, "clock: a time is above %d ms", MATCH_MAX_MS);
	if (game->seats < 2)
		return qv_fail(error, QV_UNSUPPORTED,
			       "match: %s has one seat; a match needs at least two", game->name);
	if (plan->player_count < 2)
		return qv_fail(error, QV_BAD_INPUT, "players: a match needs at least two");
	if (plan->pairs && game->seats != 2)
		return qv_fail(error, QV_UNSUPPORTED, "pairs: %s has %d seats, not two", game->name,
			       game->seats);
	if (plan->pairs && plan->keep_seats)
		return qv_fail(error, QV_BAD_INPUT,
			       "pairs: cannot be combined with keep-seats; a pair swaps seats");
	if (plan->near && game->seats != 2)
		return qv_fail(error, QV_UNSUPPORTED, "near: %s has %d seats, not two", game->name,
			       game->seats);
	if (plan->near && plan->gauntlet)
		return qv_fail(error, QV_BAD_INPUT, "near: cannot be combined with a gauntlet");
	if ((a->resign_moves || a->draw_moves) && game->seats != 2)
		return qv_fail(error, QV_UNSUPPORTED,
			       "adjudication: scores need a game with two seats; %s has %d",
			       game->name, game->seats);
	return check_names(plan, error);
}
