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

/*
 * Copies a text that may contain anything: printable, and cut between two characters if too long.
 */
static void put_printable(const char *text, char *out, size_t room)
{
	for (int length; *text; text += length) {
		const unsigned char c = (unsigned char)*text;
		length = text_character(text);
		if (!length || (size_t)length >= room)
			break;
		memcpy(out, text, (size_t)length);
		if (c < ' ' || c == 0x7f || (c == 0xc2 && (unsigned char)text[1] < 0xa0))
			memset(out, '?', (size_t)length);
		out += length;
		room -= (size_t)length;
	}
	*out = '\0';
}

struct match_reason match_game_reason(const struct match_game *game)
{
	struct match_reason reason = { "" };
	const struct string *record = &game->record;
	size_t last = record->length ? record->length - 1 : 0;
	while (last && record->data[last - 1] != '\n')
		last--;
	json_t *line = json_loadb(record->data + last, record->length - last, 0, NULL);
	const char *text = json_string_value(json_object_get(line, "reason"));
	if (text)
		put_printable(text, reason.text, sizeof reason.text);
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

static void add_fault(struct match_total *t, enum match_end end)
{
	t->crashes += end == END_CRASH;
	t->timeouts += end == END_TIMEOUT;
	t->illegal += end == END_ILLEGAL;
}

static void add_work(struct match_total *t, const struct match_work *w)
{
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

static bool shares_the_most(const struct match_game *game, int seats, int seat)
{
	for (int other = 0; other < seats; other++)
		if (game->points[other] > game->points[seat])
			return false;
	return true;
}

static void add_seat(struct match_total *t, const struct match_game *game, int seats, int seat)
{
	const bool won = game->winner == seat;
	const bool drawn = !won && game->winner < 0 && shares_the_most(game, seats, seat);
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
	if (game->at_fault == seat)
		add_fault(t, game->end);
	add_work(t, &game->work[seat]);
}

static int half_points(const struct match_game *game, int seat)
{
	return game->winner < 0 ? 1 : game->winner == seat ? 2 : 0;
}

/* For two seats: remembers the first game of a pair, and counts both with the second. */
static void add_pair(struct match_totals *t, const struct match_seating *s,
		     const struct match_game *game)
{
	const int a = s->player[0], b = s->player[1];
	if (s->number % 2 == 0) {
		t->half_pair = half_points(game, 0);
		return;
	}
	struct pair_tally *pairs = t->pairs;
	pair_tally_add(&pairs[b * t->players + a], t->half_pair, half_points(game, 1));
	pair_tally_add(&pairs[a * t->players + b], 2 - t->half_pair, half_points(game, 0));
}

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
	if (seats == 2)
		add_pair(t, &s, game);
}
