/*
 * game.c - one game of a match: players, openings, faults, adjudication, statistics.
 * SPDX-License-Identifier: MIT
 *
 * The referee drives a game_session, which has the record, the clock and the dice. A player that
 * fails, is late or makes an illegal move loses; no other player is affected. Only lack of memory
 * and a stop from outside end the game without a result.
 *
 * A pool has the players of one worker. Each game sets their seeds and tells them that a new game
 * begins, so no game depends on those that the worker happened to play before. This also restarts a
 * program that died.
 *
 * The clock is fair under load: a player of the library pays for the processor time that its thread
 * used, never more than the time that passed; only a program pays for all of that. Records and
 * statistics have the time that passed.
 */
#include "match/game.h"

#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "core/context.h"
#include "core/player.h"
#include "match/opening.h"
#include "programs/players.h"
#include "session/game_session.h"

enum {
	REPORT_EVERY_US = 1000000, /* between two reports of a long game's lines */
	DRAWS_A_LENGTH = 20,	   /* random openings of one length before a shorter one is tried */
};

/* ---- The pool ---- */

/* What a spec need not state comes from the plan. */
static struct qv_defaults defaults_of(const struct match_plan *plan, uint64_t seed)
{
	return (struct qv_defaults){ .size = sizeof(struct qv_defaults),
				     .seed = seed,
				     .threads = plan->threads ? plan->threads : 1,
				     .hash_mb = plan->hash_mb };
}

/* Returns the status; the error becomes "player NAME: WHY". */
static enum qv_status blame(const struct player_pool *pool, int player, enum qv_status status,
			    const struct qv_error *why, struct qv_error *error)
{
	return qv_fail(error, status, "player %.40s: %.200s", pool->plan->players[player].name,
		       why->text);
}

enum qv_status player_pool_init(struct player_pool *pool, const struct qv_context *context,
				const struct match_plan *plan, const struct match_run *run,
				struct qv_error *error)
{
	const struct qv_defaults defaults = defaults_of(plan, plan->seed);
	*pool = (struct player_pool){ .context = context, .plan = plan };
	if (run) {
		pool->stop = run->stop;
		pool->no_times = run->no_times;
		pool->opinions = run->opinions;
		pool->log = run->engine_log;
		pool->log_folder = run->log_folder;
		pool->log_rank = run->log_rank;
	}
	pool->scratch = qv_state_new(context, plan->rules.game);
	enum qv_status status = QV_OK;
	if (!pool->scratch)
		status = qv_fail(error, QV_NO_MEMORY, "match: out of memory");
	if (status == QV_OK && plan->adjudication.tables)
		status = qv_tables_open(context, &plan->rules, plan->adjudication.tables,
					&pool->tables, error);
	/* Tries every spec, so that a wrong one is refused before anything is played. */
	for (int i = 0; status == QV_OK && i < plan->player_count; i++) {
		const char *spec = plan->players[i].spec;
		struct qv_error why = { "" };
		struct settings settings;
		status = player_open(context, &plan->rules, spec, &defaults, &pool->members[i][0],
				     &why);
		if (status != QV_OK)
			blame(pool, i, status, &why, error);
		else
			player_log_to(pool->members[i][0], pool->log, plan->players[i].name);
		pool->outside[i] = spec_parse(spec, &defaults, &settings, NULL) != QV_OK;
	}
	if (status != QV_OK)
		player_pool_release(pool);
	return status;
}

/*
 * From now on the dialogue with this player's programs goes to the file of a game, from 1; 0: what
 * comes before the first one.
 */
static enum qv_status log_game(struct player_pool *pool, int player, int64_t game,
			       struct qv_error *error)
{
	const char *name = pool->plan->players[player].name;
	const struct engine_log_file file = { .folder = pool->log_folder,
					      .name = name,
					      .player = player + 1,
					      .game = game,
					      .rank = pool->log_rank };
	struct engine_log *log = NULL;
	if (!pool->log_folder || !pool->outside[player])
		return QV_OK;
	enum qv_status status = engine_log_status(pool->logs[player], error);
	if (status == QV_OK)
		status = engine_log_open_in(&log, context_allocator(pool->context), &file, error);
	for (int k = 0; k < QV_MAX_SEATS; k++)
		if (pool->members[player][k])
			player_log_to(pool->members[player][k], log, name);
	engine_log_close(pool->logs[player]);
	pool->logs[player] = log;
	return status;
}

/* A pool of zeros, as it is after a failed init, is fine. */
void player_pool_release(struct player_pool *pool)
{
	if (!pool->context)
		return;
	const struct qv_game *game = pool->plan->rules.game;
	for (int i = 0; i < MATCH_MAX_PLAYERS; i++)
		for (int k = 0; k < QV_MAX_SEATS; k++)
			qv_player_free(pool->members[i][k]);
	for (int i = 0; i < MATCH_MAX_PLAYERS; i++)
		engine_log_close(pool->logs[i]);
	qv_tables_close(pool->tables);
	if (pool->scratch)
		qv_state_free(pool->context, game, pool->scratch);
	*pool = (struct player_pool){ 0 };
}

enum qv_status player_pool_start(struct player_pool *pool, const struct qv_flag *stop,
				 struct qv_error *error)
{
	const struct time_control *control = &pool->plan->clock;
	for (int i = 0; i < pool->plan->player_count && !control->base_ms && !control->move_ms; i++)
		if (player_is_endless(pool->members[i][0]))
			return qv_fail(error, QV_BAD_INPUT,
				       "player %.40s: no limit; give --time, depth= or nodes=",
				       pool->plan->players[i].name);
	for (int i = 0; i < pool->plan->player_count && !flag_is_set(stop); i++) {
		struct qv_error why = { "" };
		const enum qv_status logged = log_game(pool, i, 0, error);
		if (logged != QV_OK)
			return logged;
		const enum qv_status status = player_ready(pool->members[i][0], &why);
		if (status != QV_OK)
			return blame(pool, i, status, &why, error);
	}
	return QV_OK;
}

const char *player_pool_warnings(const struct player_pool *pool, int player)
{
	return player_warnings(pool->members[player][0]);
}

/* Makes the player of a seat ready for a new game. The pool owns it. */
static enum qv_status seat_player(struct player_pool *pool, const struct match_seating *seating,
				  int seat, struct qv_player **out, struct qv_error *error)
{
	const int player = seating->player[seat];
	const struct match_player *who = &pool->plan->players[player];
	const struct qv_defaults defaults = defaults_of(pool->plan, seating->seed[seat]);
	int copy = 0;
	for (int other = 0; other < seat; other++)
		copy += seating->player[other] == player;
	struct qv_player **member = &pool->members[player][copy];
	enum qv_status status = QV_OK;
	/* The perfect player keeps what it has solved, and might choose another of equal moves. */
	if (*member && !pool->outside[player] && (*member)->settings.kind == &perfect_kind) {
		qv_player_free(*member);
		*member = NULL;
	}
	if (!*member)
		status = player_open(pool->context, &pool->plan->rules, who->spec, &defaults,
				     member, error);
	if (status == QV_OK) {
		player_log_to(*member, pool->log_folder ? pool->logs[player] : pool->log,
			      who->name);
		(*member)->settings.seed = seating->seed[seat];
		qv_player_new_game(*member);
	}
	*out = *member;
	return status;
}

bool player_pool_reproducible(const struct player_pool *pool, int player)
{
	const struct qv_player *member = pool->members[player][0];
	return !pool->outside[player] && member && member->settings.kind != &learn_kind &&
	       !member->settings.time_ms && member->settings.threads <= 1 &&
	       !pool->plan->clock.base_ms && !pool->plan->clock.move_ms;
}

/* ---- The end of a game ---- */

/* For how many moves in a row a player has reported such scores. */
struct agreement {
	int ahead, behind, even;
};

/* A game and the referee's state. */
struct refereed_game {
	struct player_pool *pool;
	const struct match_plan *plan;
	const struct qv_game *rules;
	struct match_seating seating;
	struct game_session game;
	struct qv_player *players[QV_MAX_SEATS];
	struct agreement agreed[QV_MAX_SEATS];
	uint64_t rolls[QV_MAX_SEATS]; /* made for each seat */
	int64_t reported_us;	      /* when lines were last reported */
	bool over;
	struct match_game *out;
};

/* Ends the game by declaration. at_fault: the seat that lost it, or -1. */
static enum qv_status end_by_word(struct refereed_game *p, enum match_end end, int winner,
				  int at_fault, const char *reason)
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

/* The name of the player in a seat, as records and the journal have it. */
static const char *name_of(const struct refereed_game *p, int seat)
{
	return p->plan->players[p->seating.player[seat]].name;
}

/* The seat loses. Of two seats the other wins; of more nobody does. */
static enum qv_status end_by_fault(struct refereed_game *p, enum match_end end, int seat,
				   const char *why)
{
	char reason[MATCH_REASON];
	const int winner = game_winner_without(&p->game, seat);
	/* "it ended: ..." becomes "NAME ended: ..." */
	const bool acts = strncmp(why, "it ", 3) == 0;
	snprintf(reason, sizeof reason, "%s%s%s", name_of(p, seat), acts ? " " : ": ",
		 acts ? why + 3 : why);
	return end_by_word(p, end, winner, seat, reason);
}

/* The seat's player failed: it loses by the fault of the player. `why`: the failure's own words. */
static enum qv_status end_by_failure(struct refereed_game *p, int seat, const struct qv_error *why)
{
	const enum player_fault fault = player_fault(p->players[seat]);
	const char *words = player_fault_words(p->players[seat]);
	const enum match_end end = fault == FAULT_TIMEOUT || fault == FAULT_HELLO ? END_TIMEOUT
				   : fault == FAULT_ILLEGAL			  ? END_ILLEGAL
										  : END_CRASH;
	return end_by_fault(p, end, seat, *words ? words : why->text);
}

/* ---- The opening ---- */

/*
 * Each seat has its own sequence of rolls, so that rounds can give the same luck to every player.
 */
static enum qv_status roll_dice(struct refereed_game *p, struct qv_error *error)
{
	const int seat = game_roller(&p->game);
	struct qv_random numbers = { p->seating.chance_key[seat], p->rolls[seat]++ };
	const qv_move rolled = game_random_move(&p->game, &numbers);
	/* Not in the opening, where rolls may be drawn again. */
	struct qv_roll_luck luck = { .size = sizeof luck };
	if (p->out->has_luck) {
		const enum qv_status status = qv_luck(p->pool->context, p->rules,
						      p->game.record->state, rolled, &luck, error);
		if (status != QV_OK)
			return status;
		for (int i = 0; i < p->rules->seats; i++)
			p->out->luck[i] += luck.of[i];
	}
	return qv_record_play(p->game.record, rolled, -1, error);
}

/* The text of the start of the rules; false: it is too long. */
static bool write_start(const struct refereed_game *p, const struct qv_rules *rules,
			char out[QV_POSITION_TEXT])
{
	struct qv_text text = { out, QV_POSITION_TEXT, 0 };
	rules->game->start(rules->options, p->pool->scratch);
	rules->game->position_text(p->pool->scratch, &text);
	return text.length < QV_POSITION_TEXT;
}

/*
 * Where there are many starts (an option `seed`, or `number` as in Chess960, at its default), each
 * round has its own. Its text goes to `position`, the same for all games of the round. False: there
 * is only one start, or it is the usual one.
 */
static bool draw_start(const struct refereed_game *p, char position[QV_POSITION_TEXT])
{
	char usual[QV_POSITION_TEXT] = "";
	struct qv_rules rules = p->plan->rules;
	const struct qv_option *o = rules.game->options;
	int place = 0;
	while (o && o[place].name && strcmp(o[place].name, "seed") != 0 &&
	       strcmp(o[place].name, "number") != 0)
		place++;
	if (!o || !o[place].name || rules.options[place] != o[place].preset)
		return false;
	const uint64_t room = (uint64_t)(o[place].max - o[place].min) + 1;
	rules.options[place] =
		o[place].min + (int64_t)qv_random_below_at(p->seating.opening_key, 0, room);
	return write_start(p, &p->plan->rules, usual) && write_start(p, &rules, position) &&
	       strcmp(position, usual) != 0;
}

/* Begins the record with its start position and the moves of the opening. */
static enum qv_status new_game(struct refereed_game *p, struct qv_error *error)
{
	char drawn[QV_POSITION_TEXT] = "";
	const struct match_plan *plan = p->plan;
	struct time_control control = plan->clock;
	control.grace_ms = MATCH_MARGIN_MS;
	const int number = p->seating.opening;
	const struct match_opening *opening = number >= 0 ? &plan->openings[number] : NULL;
	const char *start = opening ? opening->position : draw_start(p, drawn) ? drawn : NULL;
	const char *names[QV_MAX_SEATS];
	struct qv_record *record = NULL;
	for (int seat = 0; seat < p->rules->seats; seat++)
		names[seat] = name_of(p, seat);
	game_session_release(&p->game);
	memset(p->rolls, 0, sizeof p->rolls);
	enum qv_status status = record_new_seated(p->pool->context, &plan->rules, start, names,
						  p->rules->seats, &record, error);
	if (status == QV_OK)
		status = game_session_init(&p->game, p->pool->context, record, &control);
	if (status == QV_OK && opening)
		status = opening_play(p->game.record, opening->moves, error);
	return status;
}

/* Whether the caller has asked to abandon the game. */
static bool stopped(const struct refereed_game *p)
{
	return flag_is_set(p->pool->stop);
}

/*
 * Plays the opening and the random plies, which do not include dice rolls. An opening that would
 * end the game is drawn again, and then with fewer plies: one fewer, or as many as the longest of
 * those games had.
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
		struct qv_random numbers = { qv_random_key(p->seating.opening_key, (uint64_t)draw),
					     0 };
		for (int left = plies; status == QV_OK && left && !game_is_over(&p->game);) {
			if (game_seat_to_move(&p->game) == QV_CHANCE) {
				status = roll_dice(p, error);
				continue;
			}
			const qv_move move = game_random_move(&p->game, &numbers);
			status = qv_record_play(p->game.record, move, -1, error);
			left--;
		}
		if (status != QV_OK || plies <= 0 || !game_is_over(&p->game))
			return status;
		if (qv_record_ply(p->game.record) > longest)
			longest = qv_record_ply(p->game.record);
	}
}

/*
 * A program that misbehaves before its first move loses at once. A program that cannot be started
 * twice in a row ends the match: all games to come would be lost.
 */
static enum qv_status seat_players(struct refereed_game *p, struct qv_error *error)
{
	for (int seat = 0; seat < p->rules->seats && !p->over; seat++) {
		const int number = p->seating.player[seat];
		struct qv_error why = { "" };
		bool first = true; /* the player's first seat in this game */
		for (int other = 0; other < seat; other++)
			first = first && p->seating.player[other] != number;
		enum qv_status status =
			first ? log_game(p->pool, number, p->seating.number + 1, error) : QV_OK;
		if (status != QV_OK)
			return status;
		status = seat_player(p->pool, &p->seating, seat, &p->players[seat], &why);
		struct qv_player *player = p->players[seat];
		if (status == QV_OK)
			status = player_ready(player, &why);
		if (status != QV_OK && player && player_is_unstarted(player))
			status = player_ready(player, &why);
		if (status == QV_NO_MEMORY ||
		    (status != QV_OK && (!player || player_is_unstarted(player))))
			return blame(p->pool, number, status, &why, error);
		if (status != QV_OK)
			status = end_by_failure(p, seat, &why);
		if (status != QV_OK)
			return status;
		snprintf(p->out->engine[seat], MATCH_ENGINE, "%s", player_engine_name(player));
	}
	return QV_OK;
}

/* ---- A move ---- */

/* What a search had done when its last whole iteration was over. */
struct whole_work {
	uint64_t evals, considered;
};

/* A listener of searches: remembers the work at the end of each iteration. */
static void take_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct whole_work *whole = ctx;
	*whole = (struct whole_work){ so_far->evals, so_far->considered };
}

/* Work beyond the last whole iteration was discarded. `whole` NULL: nothing was. */
static void count_work(struct refereed_game *p, int seat, const struct qv_answer *answer,
		       const struct whole_work *whole, double seconds)
{
	struct match_work *w = &p->out->work[seat];
	const int depth = answer->depth < 0 ? 0 : answer->depth;
	const bool evals_left = whole && answer->evals > whole->evals;
	const bool left = whole && answer->considered > whole->considered;
	const uint64_t evals = evals_left ? answer->evals - whole->evals : 0;
	const uint64_t discarded = left ? answer->considered - whole->considered : 0;
	w->moves++;
	w->nodes += answer->nodes;
	w->evals += answer->evals - evals;
	w->evals_discarded += evals;
	w->considered += answer->considered - discarded;
	w->discarded += discarded;
	w->depths[depth < MATCH_DEPTHS ? depth : MATCH_DEPTHS - 1]++;
	w->seconds += p->pool->no_times ? 0 : seconds;
}

/* Puts a move that was made in time onto the record. */
static enum qv_status make_move(struct refereed_game *p, int seat, const struct qv_answer *answer,
				double seconds, struct qv_error *error)
{
	struct qv_record *record = p->game.record;
	struct qv_error why = { "" };
	enum qv_status status =
		qv_record_play(record, answer->move, p->pool->no_times ? -1 : seconds, &why);
	if (status == QV_ILLEGAL)
		return end_by_fault(p, END_ILLEGAL, seat, "it played an illegal move");
	if (status != QV_OK)
		return qv_fail(error, status, "%s", why.text);
	game_count_move(&p->game, seat);
	if (p->out->starter < 0)
		p->out->starter = seat;
	/* Nothing more after the end: the result is the last line. */
	if (game_is_over(&p->game))
		return QV_OK;
	/*
	 * The opinion: +0.31/14, or +M5/14 for a win in five plies, as cutechess and fastchess
	 * write it; nothing if nothing was searched, or if only a bound of the score is known.
	 */
	const int32_t size = answer->score < 0 ? -answer->score : answer->score;
	char opinion[48];
	if (size > QV_MAX_EVAL)
		snprintf(opinion, sizeof opinion, "%cM%d/%d", answer->score < 0 ? '-' : '+',
			 (int)(QV_WIN - size), answer->depth);
	else
		snprintf(opinion, sizeof opinion, "%+.2f/%d", (double)answer->score / 100,
			 answer->depth);
	if (p->pool->opinions && !answer->bound && (answer->depth || answer->proven))
		status = qv_record_note(record, opinion);
	if (status != QV_OK)
		return qv_fail(error, status, "match: out of memory");
	if (p->plan->clock.base_ms && !p->pool->no_times)
		status = qv_record_clock(record, seat, game_clock_left(&p->game.clock, seat, 0));
	return status;
}

/* Lets the player of the seat think, checks what it did, and makes its move. */
static enum qv_status take_turn(struct refereed_game *p, int seat, struct qv_answer *answer,
				struct qv_error *error)
{
	const struct time_control *control = &p->plan->clock;
	struct qv_player *player = p->players[seat];
	const bool outside = p->pool->outside[p->seating.player[seat]];
	struct qv_error why = { "" };
	struct player_news news = { .record = p->game.record, .clocks = control->base_ms };
	for (int i = 0; i < p->rules->seats; i++) {
		news.left_ms[i] = game_clock_left(&p->game.clock, i, 0);
		news.added_ms[i] = game_clock_added(&p->game.clock, i);
	}
	news.moves_to_go = game_clock_moves_to_go(&p->game.clock, seat);
	news.stage = game_clock_stage(&p->game.clock, seat);
	/* How long a player may think; an external program gets its clock instead. */
	struct qv_limits limits = { .stop = p->pool->stop, .time_ms = control->move_ms };
	limits.history = qv_record_history(p->game.record, &limits.history_count);
	if (!outside)
		game_allocate_time(&p->game, seat, 0, 0, &limits);
	/*
	 * Whether the player's iterations report all its work. A program may report anything, of
	 * several threads only one reports, and playouts are never discarded.
	 */
	const struct settings *set = &player->settings;
	const bool listens = !outside && set->kind->counts_work && set->threads <= 1;
	struct whole_work whole = { 0 };
	const struct qv_listener listener = { .iteration = take_iteration, .ctx = &whole };
	const int64_t from = clock_us(), thread_from = clock_thread_us();
	const enum qv_status status =
		player_think(player, &news, qv_record_state(p->game.record), &limits,
			     listens ? &listener : NULL, answer, &why);
	const int64_t passed = clock_us() - from, used = clock_thread_us() - thread_from;
	const int64_t spent = outside || passed < used ? passed : used;
	if (stopped(p))
		return QV_STOPPED;
	if (status == QV_NO_MEMORY)
		return qv_fail(error, status, "%s", why.text);
	if (status != QV_OK && player_fault(player) == FAULT_RESIGNED && p->rules->seats == 2) {
		char reason[MATCH_MAX_NAME + 16];
		snprintf(reason, sizeof reason, "%s resigned", name_of(p, seat));
		return end_by_word(p, END_ADJUDICATED, 1 - seat, -1, reason);
	}
	if (status != QV_OK)
		return end_by_failure(p, seat, &why);
	/* A proven value ends a search, which may then still look for its line. */
	count_work(p, seat, answer, listens && !answer->proven ? &whole : NULL,
		   (double)passed / 1e6);
	if (!game_clock_charge(&p->game.clock, seat, spent))
		return end_by_fault(p, END_TIMEOUT, seat, "it ran out of time");
	return make_move(p, seat, answer, (double)passed / 1e6, error);
}

/* ---- The game ---- */

/* Ends a game of two seats by the scores that both players have reported. */
static enum qv_status adjudicate(struct refereed_game *p, int seat, const struct qv_answer *answer)
{
	const struct match_adjudication *how = &p->plan->adjudication;
	const bool known = !answer->bound && (answer->depth > 0 || answer->proven);
	const int32_t score = answer->score, size = score < 0 ? -score : score;
	struct agreement *own = &p->agreed[seat];
	const struct agreement *a = p->agreed;
	own->ahead = known && score >= how->resign_score ? own->ahead + 1 : 0;
	own->behind = known && score <= -how->resign_score ? own->behind + 1 : 0;
	own->even = known && size <= how->draw_score ? own->even + 1 : 0;
	if (p->rules->seats != 2)
		return QV_OK;
	for (int winner = 0; winner < 2 && how->resign_moves; winner++)
		if (a[winner].ahead >= how->resign_moves &&
		    a[1 - winner].behind >= how->resign_moves)
			return end_by_word(p, END_ADJUDICATED, winner, -1,
					   "adjudicated: by scores");
	if (how->draw_moves && a[0].even >= how->draw_moves && a[1].even >= how->draw_moves &&
	    qv_record_ply(p->game.record) >= how->draw_plies)
		return end_by_word(p, END_ADJUDICATED, -1, -1, "adjudicated: a draw by scores");
	return QV_OK;
}

/* One move, one roll, or the end by plies, tables or scores. */
static enum qv_status step(struct refereed_game *p, struct qv_error *error)
{
	const struct game_reader *reader = &p->pool->reader;
	const struct qv_record *record = p->game.record;
	struct match_game *out = p->out;
	struct qv_answer answer;
	struct qv_solution known = { .size = sizeof known };
	const int seat = game_seat_to_move(&p->game);
	if (stopped(p))
		return QV_STOPPED;
	if (qv_record_ply(record) >= (p->plan->max_plies ? p->plan->max_plies : GAME_MAX_PLIES))
		return end_by_word(p, END_MAX_PLIES, -1, -1, "max-plies");
	if (seat == QV_CHANCE)
		return roll_dice(p, error);
	if (p->pool->tables &&
	    qv_tables_probe(p->pool->tables, record->state, &known, NULL) == QV_OK &&
	    known.value != QV_VALUE_UNKNOWN) {
		const int winner = known.value == QV_VALUE_WIN	  ? seat
				   : known.value == QV_VALUE_LOSS ? 1 - seat
								  : -1;
		return end_by_word(p, END_ADJUDICATED, winner, -1, "adjudicated: by a table");
	}
	enum qv_status status = take_turn(p, seat, &answer, error);
	if (status != QV_OK || p->over || game_is_over(&p->game))
		return status;
	status = adjudicate(p, seat, &answer);
	/* Reports new lines from time to time. Not at the end: the last line may be the result. */
	if (status != QV_OK || p->over || !reader->lines ||
	    clock_us() - p->reported_us < REPORT_EVERY_US)
		return status;
	const size_t from = out->reported;
	out->reported = record->journal.length;
	if (!reader->lines(reader->ctx, out->number, record->journal.data + from,
			   out->reported - from))
		status = qv_fail(error, QV_IO, "journal: it cannot be written");
	p->reported_us = clock_us();
	return status;
}

enum qv_status match_play_game(struct player_pool *pool, int64_t number, struct match_game *out,
			       struct qv_error *error)
{
	struct refereed_game p = { .pool = pool,
				   .plan = pool->plan,
				   .rules = pool->plan->rules.game,
				   .reported_us = clock_us(),
				   .out = out };
	*out = (struct match_game){ .number = number, .at_fault = -1, .winner = -1, .starter = -1 };
	out->started = pool->no_times ? 0 : (int64_t)time(NULL);
	out->record.allocator = context_allocator(pool->context);
	error->text[0] = '\0';
	plan_seating(pool->plan, number, &p.seating);
	enum qv_status status = begin(&p, error);
	out->has_luck = p.rules->chance;
	if (status == QV_OK)
		status = seat_players(&p, error);
	while (status == QV_OK && !p.over && !game_is_over(&p.game))
		status = step(&p, error);
	if (status == QV_OK && !p.over) { /* the rules have ended it */
		const struct engine *engine = context_engine(p.rules);
		const enum qv_outcome outcome = qv_record_result(p.game.record, out->points);
		out->end = END_RULES;
		out->winner = outcome == QV_ENDED ? qv_winner(p.rules, out->points) : -1;
		if (outcome == QV_DRAWN_BY_COUNT)
			memset(out->points, 0, sizeof out->points);
		out->early = out->winner >= 0 && engine->places_left &&
			     engine->places_left(p.game.record->state) > 0;
	}
	/* To a millionth, as in the journal. */
	for (int seat = 0; seat < p.rules->seats; seat++)
		out->luck[seat] = round(out->luck[seat] * 1e6) / 1e6;
	for (int i = 0; status == QV_OK && i < pool->plan->player_count; i++)
		status = engine_log_status(pool->logs[i], error);
	for (int seat = 0; status == QV_OK && seat < p.rules->seats; seat++)
		if (p.players[seat])
			status = qv_player_game_over(p.players[seat], p.game.record->state, error);
	if (status == QV_OK) {
		const struct string *journal = &p.game.record->journal;
		out->plies = qv_record_ply(p.game.record);
		string_add(&out->record, journal->data, journal->length);
		if (out->record.failed)
			status = QV_NO_MEMORY;
	}
	game_session_release(&p.game);
	if (status != QV_OK && !error->text[0])
		qv_fail(error, status, "match: %s", qv_status_text(status));
	if (status != QV_OK)
		match_game_release(out);
	return status;
}
