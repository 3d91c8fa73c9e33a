/*
 * totals.c - the results of a match: totals of each player, and of each two players.
 * SPDX-License-Identifier: MIT
 *
 * Games are added in the order of their numbers, because the two games of a pair are counted
 * together. Also here: the score of a seat and the reason of a game's end.
 */
#include "match/match.h"

#include <jansson.h>

#include "core/context.h"
#include "match/sprt.h"
#include "search/root.h"

const char *match_end_text(enum match_end end)
{
#define X(id, text) text,
	static const char *const texts[] = { MATCH_END_LIST(X) };
#undef X
	return texts[end];
}

void match_game_release(struct match_game *game)
{
	string_release(&game->record);
}

size_t match_result_line(const struct string *record)
{
	size_t at = record->length ? record->length - 1 : 0;
	while (at && record->data[at - 1] != '\n')
		at--;
	return at;
}

struct match_reason match_game_reason(const struct match_game *game)
{
	struct match_reason reason = { "" };
	const struct string *record = &game->record;
	const size_t last = match_result_line(record);
	json_t *line = json_loadb(record->data + last, record->length - last, 0, NULL);
	const char *text = json_string_value(json_object_get(line, "reason"));
	/* The text may contain anything: it becomes printable, cut between two characters. */
	size_t used = 0;
	for (int length; text && *text; text += length) {
		const unsigned char c = (unsigned char)*text;
		length = text_character(text);
		if (!length || used + (size_t)length >= sizeof reason.text)
			break;
		const bool control =
			c < ' ' || c == 0x7f || (c == 0xc2 && (unsigned char)text[1] < 0xa0);
		for (int i = 0; i < length; i++)
			reason.text[used++] = control ? '?' : text[i];
	}
	json_decref(line);
	return reason;
}

double match_game_share(const struct match_game *game, int seats, int seat)
{
	double share = 0;
	for (int other = 0; other < seats; other++)
		if (other != seat)
			share += game->points[seat] > game->points[other]	? 1
				 : game->points[seat] == game->points[other] ? 0.5
									     : 0;
	return share / (seats - 1);
}

double match_game_margin(const struct match_game *game, const struct qv_game *rules)
{
	if (game->end == END_RULES)
		return root_points(rules, game->points);
	return game->winner < 0 ? 0 : game->winner ? -1 : 1;
}

bool match_fills(const struct qv_game *game)
{
	return context_engine(game)->places_left != NULL;
}

enum qv_status totals_init(struct match_totals *t, const struct qv_allocator *a, int players)
{
	const size_t n = (size_t)players;
	*t = (struct match_totals){ .allocator = a, .players = players };
	t->total = mem_new(a, n, sizeof *t->total);
	t->meetings = mem_new(a, n * n, sizeof *t->meetings);
	t->pairs = mem_new(a, n * n, sizeof *t->pairs);
	if (t->total && t->meetings && t->pairs)
		return QV_OK;
	totals_release(t);
	return QV_NO_MEMORY;
}

void totals_release(struct match_totals *t)
{
	const size_t n = (size_t)t->players;
	if (!t->allocator)
		return;
	mem_free(t->allocator, t->total, n * sizeof *t->total);
	mem_free(t->allocator, t->meetings, n * n * sizeof *t->meetings);
	mem_free(t->allocator, t->pairs, n * n * sizeof *t->pairs);
	*t = (struct match_totals){ 0 };
}

/* Adds a game to the totals of the player who had this seat. */
static void add_seat(struct match_total *t, const struct match_game *game, int seats, int seat)
{
	const struct match_work *w = &game->work[seat];
	const bool won = game->winner == seat, at_fault = game->at_fault == seat;
	bool drawn = game->winner < 0; /* and no seat has more points */
	for (int other = 0; other < seats; other++)
		drawn &= game->points[other] <= game->points[seat];
	t->games++;
	t->wins += won;
	t->draws += drawn;
	t->losses += !won && !drawn;
	t->shares += match_game_share(game, seats, seat);
	t->started += game->starter == seat;
	t->starting_wins += won && game->starter == seat;
	t->seat_games[seat]++;
	t->seat_wins[seat] += won;
	t->early_wins += won && game->early;
	if (game->end == END_RULES) {
		t->scored++;
		t->scores += game->points[seat];
	}
	t->crashes += at_fault && game->end == END_CRASH;
	t->timeouts += at_fault && game->end == END_TIMEOUT;
	t->illegal += at_fault && game->end == END_ILLEGAL;
	t->moves += w->moves;
	t->nodes += w->nodes;
	t->evals += w->evals;
	t->considered += w->considered;
	t->evals_discarded += w->evals_discarded;
	t->discarded += w->discarded;
	t->seconds += w->seconds;
	for (int depth = 0; depth < MATCH_DEPTHS; depth++)
		t->depths[depth] += w->depths[depth];
}

/* The result of a seat in a game of two seats: 0 lost, 1 drawn, 2 won. */
static int half_points(const struct match_game *game, int seat)
{
	return game->winner < 0 ? 1 : game->winner == seat ? 2 : 0;
}

/* Adds the round being counted to the players' tallies. */
static void close_luck_round(struct match_totals *t)
{
	const int games = t->luck_round.games;
	const double result = t->luck_round.result, luck = t->luck_round.luck;
	if (!games)
		return;
	for (int i = 0; i < 2; i++) {
		const double sign = (i ? -1.0 : 1.0) / games;
		luck_tally_add(&t->total[t->luck_round.players[i]].luck, sign * result,
			       sign * luck);
	}
	t->luck_round.games = 0;
}

/* Counts the result and the luck of a game of two seats with chance. */
static void add_luck(struct match_totals *t, const struct match_plan *plan,
		     const struct match_game *game, const struct match_seating *s)
{
	const struct qv_game *rules = plan->rules.game;
	if (rules->seats != 2 || !rules->chance || s->player[0] == s->player[1])
		return;
	t->without_luck += !game->has_luck;
	if (t->luck_round.games && t->luck_round.number != s->round)
		close_luck_round(t);
	if (!t->luck_round.games) {
		t->luck_round.number = s->round;
		t->luck_round.players[0] = s->player[0];
		t->luck_round.players[1] = s->player[1];
		t->luck_round.result = t->luck_round.luck = 0;
	}
	const bool first = s->player[0] == t->luck_round.players[0];
	const double margin = match_game_margin(game, rules);
	t->luck_round.games++;
	t->luck_round.result += first ? margin : -margin;
	t->luck_round.luck += first ? game->luck[0] : game->luck[1];
}

bool totals_luck(const struct match_totals *t, const struct match_plan *plan, int player,
		 struct luck_figures *out)
{
	const struct qv_game *rules = plan->rules.game;
	struct luck_tally tally = t->total[player].luck;
	if (rules->seats != 2 || !rules->chance || t->without_luck)
		return false;
	/* The last round may still be open. */
	for (int i = 0; i < 2 && t->luck_round.games; i++) {
		const double sign = (i ? -1.0 : 1.0) / t->luck_round.games;
		if (t->luck_round.players[i] == player)
			luck_tally_add(&tally, sign * t->luck_round.result,
				       sign * t->luck_round.luck);
	}
	*out = luck_figures_of(&tally);
	return tally.rounds > 0;
}

/* With more than two seats, every two players of a game count as having met. */
void totals_add(struct match_totals *t, const struct match_plan *plan,
		const struct match_game *game)
{
	const int seats = plan->rules.game->seats;
	struct match_seating s;
	plan_seating(plan, game->number, &s);
	t->games++;
	t->plies += game->plies;
	t->ends[game->end]++;
	for (int seat = 0; seat < seats; seat++) {
		if (game->end == END_RULES && (game->points[seat] > 1 || game->points[seat] < -1))
			t->has_scores = true;
		add_seat(&t->total[s.player[seat]], game, seats, seat);
		for (int other = 0; other < seats; other++)
			if (s.player[seat] != s.player[other])
				tally_add(&t->meetings[s.player[seat] * t->players +
						       s.player[other]],
					  game->points[seat], game->points[other]);
	}
	add_luck(t, plan, game, &s);
	if (plan->keep_seats)
		return;
	/* The first game of a pair is remembered, and both are counted with the second. */
	const int a = s.player[0], b = s.player[1];
	if (seats == 2 && s.number % 2 == 0) {
		t->half_pair = half_points(game, 0);
	} else if (seats == 2) {
		pair_tally_add(&t->pairs[b * t->players + a], t->half_pair, half_points(game, 1));
		pair_tally_add(&t->pairs[a * t->players + b], 2 - t->half_pair,
			       half_points(game, 0));
	}
}

struct sprt_state totals_sprt(const struct match_totals *t, bool pairs, const struct sprt *sprt)
{
	/* The entry [0 * players + 1]. */
	return pairs ? sprt_of_pairs(sprt, &t->pairs[1]) : sprt_of_games(sprt, &t->meetings[1]);
}
