/*
 * game.c - one game of a match: openings, faults, adjudication, statistics.
 * SPDX-License-Identifier: MIT
 *
 * The referee drives a game_session, which has the record, the clock and the dice. A player that fails,
 * is late or makes an illegal move loses; no other player is affected. Only lack of memory and a stop
 * from outside end the game without a result.
 *
 * The clock is fair under load: a player of the library pays for the processor time that its
 * thread used, never more than the time that passed; only a program pays for all of that. Records
 * and statistics have the time that passed.
 */
#include "match/game.h"

#include "base/clock.h"
#include "core/context.h"
#include "match/opening.h"
#include "programs/players.h"
#include "search/allot.h"
#include "search/player_kind.h"
#include "session/game_session.h"

enum {
	TELL_EVERY_US = 1000000, /* between two reports of a long game's lines */
	DRAWS_A_LENGTH = 20,     /* random openings of one length before a shorter one is tried */
};

/* How long what a player says of its game has been the same. */
struct agreement {
	int ahead, behind, even;
};

/* A game and what the referee knows of it. */
struct refereed_game {
	struct player_pool *pool;
	const struct match_plan *plan;
	const struct qv_game *rules;
	struct match_seating seating;
	struct game_session game;
	struct qv_player *players[QV_MAX_SEATS];
	struct agreement agreed[QV_MAX_SEATS];
	uint64_t rolls[QV_MAX_SEATS]; /* made for each seat */
	int64_t told_us;
	bool over;
	struct match_game *out;
};

/* ---- The end ---- */

static enum qv_status end_by_word(struct refereed_game *p, enum match_end end, int winner, int at_fault,
				  const char *reason)
{
	struct match_game *out = p->out;
	p->over = true;
	out->end = end;
	out->winner = winner;
	out->at_fault = at_fault;
	for (int seat = 0; seat < p->rules->seats; seat++)
		out->points[seat] = seat == winner ? 1 : seat == at_fault ? -1 : 0;
	return qv_record_end(p->game.record, winner, reason);
}

static const char *name_of(const struct refereed_game *p, int seat)
{
	return p->plan->players[p->seating.player[seat]].name;
}

/* The seat loses. Of two seats the other wins; of more nobody does. */
static enum qv_status end_by_fault(struct refereed_game *p, enum match_end end, int seat, const char *why)
{
	char reason[MATCH_REASON];
	const int winner = game_winner_without(&p->game, seat);
	if (end == END_ILLEGAL)
		snprintf(reason, sizeof reason, "%s by %s", why, name_of(p, seat));
	else
		snprintf(reason, sizeof reason, "%s of %s: %s", match_end_text(end),
			 name_of(p, seat), why);
	return end_by_word(p, end, winner, seat, reason);
}

static enum match_end end_of_fault(enum player_fault fault)
{
	if (fault == FAULT_TIMEOUT || fault == FAULT_HELLO)
		return END_TIMEOUT;
	return fault == FAULT_ILLEGAL ? END_ILLEGAL : END_CRASH;
}

/* The rules have ended it. */
static void end_by_rules(struct refereed_game *p)
{
	struct match_game *out = p->out;
	const enum qv_outcome outcome = qv_record_result(p->game.record, out->points);
	p->over = true;
	out->end = END_RULES;
	out->winner = outcome == QV_ENDED ? qv_winner(p->rules, out->points) : -1;
	for (int seat = 0; outcome == QV_DRAWN_BY_COUNT && seat < p->rules->seats; seat++)
		out->points[seat] = 0;
	const struct engine *engine = context_engine(p->rules);
	out->early = out->winner >= 0 && engine->places_left &&
		     engine->places_left(qv_record_state(p->game.record)) > 0;
}

/* ---- Chance ---- */

/* Each seat has its own sequence of rolls, so that rounds can give the same luck to every player. */
static enum qv_status roll_dice(struct refereed_game *p, struct qv_error *error)
{
	const int seat = game_roller(&p->game);
	struct qv_random numbers = { p->seating.chance_key[seat], p->rolls[seat]++ };
	return qv_record_play(p->game.record, game_random_move(&p->game, &numbers), -1, error);
}

/* ---- Beginning ---- */

/*
 * Where chance decides the start (an option `seed` that is left as it is), each round has its own: its
 * text in `position`, the same for all its games. False: there is only one start.
 */
static bool draw_start(const struct refereed_game *p, char position[QV_POSITION_TEXT])
{
	struct qv_rules rules = p->plan->rules;
	const struct qv_option *o = rules.game->options;
	int place = 0;
	while (o && o[place].name && strcmp(o[place].name, "seed") != 0)
		place++;
	if (!o || !o[place].name || rules.options[place] != o[place].preset)
		return false;
	const uint64_t room = (uint64_t)(o[place].max - o[place].min) + 1;
	rules.options[place] =
		o[place].min + (int64_t)qv_random_below_at(p->seating.opening_key, 0, room);
	struct qv_text out = { position, QV_POSITION_TEXT, 0 };
	rules.game->start(rules.options, p->pool->scratch);
	rules.game->position_text(p->pool->scratch, &out);
	return out.length < QV_POSITION_TEXT;
}

static struct time_control time_control_of(const struct match_clock *clock)
{
	struct time_control control = { .grace_ms = MATCH_MARGIN_MS };
	if (clock->kind == CLOCK_MOVE)
		control.move_ms = clock->base_ms;
	if (clock->kind == CLOCK_GAME) {
		control.base_ms = clock->base_ms;
		control.added_ms = clock->added_ms;
	}
	return control;
}

static enum qv_status new_game(struct refereed_game *p, struct qv_error *error)
{
	char drawn[QV_POSITION_TEXT] = "";
	const struct match_plan *plan = p->plan;
	const struct time_control control = time_control_of(&plan->clock);
	const int number = p->seating.opening;
	const struct match_opening *opening = number >= 0 ? &plan->openings[number] : NULL;
	const char *names[QV_MAX_SEATS];
	struct qv_record *record = NULL;
	for (int seat = 0; seat < p->rules->seats; seat++)
		names[seat] = name_of(p, seat);
	game_session_release(&p->game);
	memset(p->rolls, 0, sizeof p->rolls);
	enum qv_status status = record_new_seated(p->pool->context, &plan->rules,
						  opening ? opening->position
						  : draw_start(p, drawn) ? drawn : NULL, names,
						  p->rules->seats, &record, error);
	if (status == QV_OK)
		status = game_session_init(&p->game, p->pool->context, record, &control);
	if (status == QV_OK && opening)
		status = opening_play(p->game.record, opening->moves, error);
	return status;
}

/* Plays so many random moves, not counting dice rolls; the game may end before that. */
static enum qv_status play_random(struct refereed_game *p, int plies, uint64_t key,
				  struct qv_error *error)
{
	struct qv_random numbers = { key, 0 };
	enum qv_status status = QV_OK;
	while (status == QV_OK && plies && !game_is_over(&p->game)) {
		if (game_seat_to_move(&p->game) == QV_CHANCE) {
			status = roll_dice(p, error);
			continue;
		}
		const qv_move move = game_random_move(&p->game, &numbers);
		status = qv_record_play(p->game.record, move, -1, error);
		plies--;
	}
	return status;
}

static bool stopped(const struct refereed_game *p)
{
	return p->pool->stop && atomic_load(p->pool->stop);
}

/*
 * The opening. One that would end the game is drawn again, and then with fewer plies: one fewer, or
 * as many as the longest of those games had.
 */
static enum qv_status begin(struct refereed_game *p, struct qv_error *error)
{
	int plies = p->plan->random_plies, longest = 0;
	for (int draw = 0;; draw++) {
		if (stopped(p))
			return QV_STOPPED;
		if (draw && draw % DRAWS_A_LENGTH == 0) {
			plies = longest < plies ? longest : plies - 1;
			longest = 0;
		}
		enum qv_status status = new_game(p, error);
		if (status == QV_OK)
			status = play_random(p, plies,
					     qv_random_key(p->seating.opening_key, (uint64_t)draw),
					     error);
		if (status != QV_OK || plies <= 0 ||
		    !game_is_over(&p->game))
			return status;
		if (qv_record_ply(p->game.record) > longest)
			longest = qv_record_ply(p->game.record);
	}
}

/* What a player that failed did wrong; `why` is what its failure said. */
static const char *fault_words(const struct qv_player *player, const struct qv_error *why)
{
	const char *words = player_fault_words(player);
	return *words ? words : why->text;
}

/*
 * A program that misbehaves before its first move loses at once. A player that cannot be started
 * ends the match: that is no fault of its own, and all games to come would be lost.
 */
static enum qv_status seat_players(struct refereed_game *p, struct qv_error *error)
{
	for (int seat = 0; seat < p->rules->seats && !p->over; seat++) {
		struct qv_error why = { "" };
		enum qv_status status =
			player_pool_seat(p->pool, &p->seating, seat, &p->players[seat], &why);
		if (status == QV_OK)
			status = player_ready(p->players[seat], &why);
		if (status == QV_OK)
			continue;
		const struct qv_player *player = p->players[seat];
		if (status == QV_NO_MEMORY || !player || player_fault(player) == FAULT_START)
			return player_pool_blame(p->pool, p->seating.player[seat], status, &why, error);
		status = end_by_fault(p, end_of_fault(player_fault(player)), seat,
				      fault_words(player, &why));
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

/* ---- A move ---- */

/* How long a player may think; an external program gets its clock instead. */
static void set_time(const struct refereed_game *p, int seat, bool outside, struct qv_limits *limits)
{
	const struct match_clock *c = &p->plan->clock;
	const struct allot_clock clock = { .left_ms = game_clock_left(&p->game.clock, seat, 0),
					   .added_ms = c->added_ms };
	if (c->kind == CLOCK_MOVE)
		limits->time_ms = c->base_ms;
	else if (c->kind == CLOCK_GAME && !outside)
		allot(&clock, limits);
}

static struct player_news news_for(const struct refereed_game *p)
{
	struct player_news news = { .record = p->game.record,
				    .clocks = p->plan->clock.kind == CLOCK_GAME };
	for (int seat = 0; seat < p->rules->seats; seat++) {
		news.left_ms[seat] = game_clock_left(&p->game.clock, seat, 0);
		news.added_ms[seat] = p->plan->clock.added_ms;
	}
	return news;
}

/* What a search had done when its last whole iteration was over. */
struct whole_work {
	uint64_t evals, considered;
};

static void take_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct whole_work *whole = ctx;
	*whole = (struct whole_work){ so_far->evals, so_far->considered };
}

/*
 * Whether the player goes by iterations that tell all that was done. A program may say anything,
 * of several threads only one tells, and playouts are never in vain.
 */
static bool iterates(const struct refereed_game *p, int seat)
{
	const struct settings *set = &p->players[seat]->settings;
	return !p->pool->outside[p->seating.player[seat]] && set->kind->counts_work &&
	       set->threads <= 1;
}

static uint64_t beyond(uint64_t all, uint64_t whole)
{
	return all > whole ? all - whole : 0;
}

/* `whole` NULL: nothing is discarded. */
static void count_work(struct refereed_game *p, int seat, const struct qv_answer *answer,
		       const struct whole_work *whole, double seconds)
{
	struct match_work *w = &p->out->work[seat];
	const int depth = answer->depth < 0 ? 0 : answer->depth;
	const uint64_t evals = whole ? beyond(answer->evals, whole->evals) : 0;
	const uint64_t discarded = whole ? beyond(answer->considered, whole->considered) : 0;
	w->moves++;
	w->nodes += answer->nodes;
	w->evals += answer->evals - evals;
	w->evals_discarded += evals;
	w->considered += answer->considered - discarded;
	w->discarded += discarded;
	w->depths[depth < MATCH_DEPTHS ? depth : MATCH_DEPTHS - 1]++;
	w->seconds += p->pool->no_times ? 0 : seconds;
}

struct opinion_words {
	char text[48];
};

/* +0.31/14, +M5/14 where the end is proven; nothing where nothing was searched. */
static struct opinion_words opinion_words(const struct qv_answer *answer)
{
	struct opinion_words w = { "" };
	const int32_t size = answer->score < 0 ? -answer->score : answer->score;
	if (!answer->depth && !answer->proven)
		return w;
	if (answer->proven && size > QV_MAX_EVAL)
		snprintf(w.text, sizeof w.text, "%cM%d/%d", answer->score < 0 ? '-' : '+',
			 (QV_WIN - size + 1) / 2, answer->depth);
	else
		snprintf(w.text, sizeof w.text, "%+.2f/%d", (double)answer->score / 100,
			 answer->depth);
	return w;
}

/* A move that was thought of in time: onto the record. */
static enum qv_status make_move(struct refereed_game *p, int seat, const struct qv_answer *answer,
				double seconds, struct qv_error *error)
{
	struct qv_error why = { "" };
	enum qv_status status = qv_record_play(p->game.record, answer->move,
					       p->pool->no_times ? -1 : seconds, &why);
	if (status == QV_ILLEGAL)
		return end_by_fault(p, END_ILLEGAL, seat, player_fault_text(FAULT_ILLEGAL));
	if (status != QV_OK)
		return qv_fail(error, status, "%s", why.text);
	game_count_move(&p->game, seat);
	if (p->out->starter < 0)
		p->out->starter = seat;
	/* Not after the end: the result is the last line. */
	const struct opinion_words words = opinion_words(answer);
	if (p->pool->opinions && words.text[0] && !game_is_over(&p->game))
		status = qv_record_note(p->game.record, words.text);
	if (status != QV_OK)
		return qv_fail(error, status, "match: out of memory");
	if (p->plan->clock.kind == CLOCK_GAME && !p->pool->no_times &&
	    !game_is_over(&p->game))
		status = qv_record_clock(p->game.record, seat,
					 game_clock_left(&p->game.clock, seat, 0));
	return status;
}

static enum qv_status take_turn(struct refereed_game *p, int seat, struct qv_answer *answer,
				struct qv_error *error)
{
	const bool outside = p->pool->outside[p->seating.player[seat]];
	const struct player_news news = news_for(p);
	struct qv_error why = { "" };
	struct qv_limits limits = { .stop = p->pool->stop };
	struct whole_work whole = { 0 };
	const struct qv_listener listener = { .iteration = take_iteration, .ctx = &whole };
	const bool listens = iterates(p, seat);
	limits.history = qv_record_history(p->game.record, &limits.history_count);
	set_time(p, seat, outside, &limits);
	const int64_t from = clock_us(), thread_from = clock_thread_us();
	const enum qv_status status =
		player_think(p->players[seat], &news, qv_record_state(p->game.record), &limits,
			     listens ? &listener : NULL, answer, &why);
	const int64_t passed = clock_us() - from, used = clock_thread_us() - thread_from;
	const int64_t spent = outside || passed < used ? passed : used;
	if (stopped(p))
		return QV_STOPPED;
	if (status == QV_NO_MEMORY)
		return qv_fail(error, status, "%s", why.text);
	if (status != QV_OK && player_fault(p->players[seat]) == FAULT_RESIGNED &&
	    p->rules->seats == 2)
		return end_by_word(p, END_ADJUDICATED, game_winner_without(&p->game, seat), -1,
				   "resigned");
	if (status != QV_OK)
		return end_by_fault(p, end_of_fault(player_fault(p->players[seat])), seat,
				    fault_words(p->players[seat], &why));
	/* A proven value ends a search, which may then still look for its line. */
	count_work(p, seat, answer, listens && !answer->proven ? &whole : NULL,
		   (double)passed / 1e6);
	if (!game_clock_charge(&p->game.clock, seat, spent))
		return end_by_fault(p, END_TIMEOUT, seat, "its time is used up");
	return make_move(p, seat, answer, (double)passed / 1e6, error);
}

/* ---- Adjudication ---- */

static void take_opinion(struct refereed_game *p, int seat, const struct qv_answer *answer)
{
	const struct match_adjudication *how = &p->plan->adjudication;
	struct agreement *a = &p->agreed[seat];
	const bool known = answer->depth > 0 || answer->proven;
	const int32_t size = answer->score < 0 ? -answer->score : answer->score;
	a->ahead = known && answer->score >= how->resign_score ? a->ahead + 1 : 0;
	a->behind = known && answer->score <= -how->resign_score ? a->behind + 1 : 0;
	a->even = known && size <= how->draw_score ? a->even + 1 : 0;
}

static enum qv_status adjudicate(struct refereed_game *p)
{
	const struct match_adjudication *how = &p->plan->adjudication;
	const struct agreement *a = p->agreed;
	if (p->rules->seats != 2)
		return QV_OK;
	for (int seat = 0; seat < 2 && how->resign_moves; seat++)
		if (a[seat].ahead >= how->resign_moves && a[1 - seat].behind >= how->resign_moves)
			return end_by_word(p, END_ADJUDICATED, seat, -1, "adjudicated: by scores");
	if (how->draw_moves && a[0].even >= how->draw_moves && a[1].even >= how->draw_moves &&
	    qv_record_ply(p->game.record) >= how->draw_plies)
		return end_by_word(p, END_ADJUDICATED, -1, -1, "adjudicated: a draw by scores");
	return QV_OK;
}

/* Ends the game where a table knows how it must end. */
static enum qv_status ask_tables(struct refereed_game *p, int seat)
{
	struct qv_solution known;
	if (!p->pool->tables ||
	    qv_tables_probe(p->pool->tables, qv_record_state(p->game.record), &known, NULL) != QV_OK ||
	    known.value == QV_VALUE_UNKNOWN)
		return QV_OK;
	const int winner = known.value == QV_VALUE_WIN	  ? seat
			   : known.value == QV_VALUE_LOSS ? 1 - seat
							  : -1;
	return end_by_word(p, END_ADJUDICATED, winner, -1, "adjudicated: by a table");
}

/* ---- The game ---- */

/* Reports new lines from time to time. Not at the end: the last line may be the result. */
static enum qv_status tell(struct refereed_game *p, struct qv_error *error)
{
	const struct game_reader *reader = &p->pool->reader;
	struct match_game *out = p->out;
	if (!reader->lines || clock_us() - p->told_us < TELL_EVERY_US ||
	    game_is_over(&p->game))
		return QV_OK;
	const struct string *text = &p->game.record->journal;
	const bool kept = reader->lines(reader->ctx, out->number, text->data + out->told,
					text->length - out->told);
	out->told = text->length;
	p->told_us = clock_us();
	return kept ? QV_OK : qv_fail(error, QV_IO, "journal: it cannot be written");
}

static enum qv_status step(struct refereed_game *p, struct qv_error *error)
{
	struct qv_answer answer;
	const int seat = game_seat_to_move(&p->game);
	if (stopped(p))
		return QV_STOPPED;
	if (p->plan->max_plies && qv_record_ply(p->game.record) >= p->plan->max_plies)
		return end_by_word(p, END_MAX_PLIES, -1, -1, "max-plies");
	if (seat == QV_CHANCE)
		return roll_dice(p, error);
	enum qv_status status = ask_tables(p, seat);
	if (status == QV_OK && !p->over)
		status = take_turn(p, seat, &answer, error);
	if (status != QV_OK || p->over || game_is_over(&p->game))
		return status;
	take_opinion(p, seat, &answer);
	status = adjudicate(p);
	return status == QV_OK && !p->over ? tell(p, error) : status;
}

static enum qv_status play_on(struct refereed_game *p, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	while (status == QV_OK && !p->over) {
		if (game_is_over(&p->game))
			end_by_rules(p);
		else
			status = step(p, error);
	}
	for (int seat = 0; status == QV_OK && seat < p->rules->seats; seat++)
		if (p->players[seat])
			status = qv_player_game_over(p->players[seat], qv_record_state(p->game.record),
						     error);
	return status;
}

static enum qv_status keep_record(struct refereed_game *p, struct qv_error *error)
{
	struct match_game *out = p->out;
	out->plies = qv_record_ply(p->game.record);
	string_add(&out->record, p->game.record->journal.data, p->game.record->journal.length);
	return out->record.failed ? qv_fail(error, QV_NO_MEMORY, "match: out of memory") : QV_OK;
}

enum qv_status match_play_game(struct player_pool *pool, int64_t number, struct match_game *out,
			 struct qv_error *error)
{
	struct refereed_game p = { .pool = pool, .plan = pool->plan, .rules = pool->plan->rules.game,
			  .told_us = clock_us(), .out = out };
	*out = (struct match_game){ .number = number, .at_fault = -1, .winner = -1, .starter = -1 };
	out->record.allocator = context_allocator(pool->context);
	error->text[0] = '\0';
	plan_seating(pool->plan, number, &p.seating);
	enum qv_status status = begin(&p, error);
	if (status == QV_OK)
		status = seat_players(&p, error);
	if (status == QV_OK)
		status = play_on(&p, error);
	if (status == QV_OK)
		status = keep_record(&p, error);
	game_session_release(&p.game);
	if (status != QV_OK && !error->text[0])
		qv_fail(error, status, "match: %s", qv_status_text(status));
	if (status != QV_OK)
		match_game_release(out);
	return status;
}
