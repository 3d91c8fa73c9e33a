/*
 * game_session.c - the rules of a game in progress that all its drivers share: rolls, time earned,
 * undo and redo, giving up, and the rotation of seats.
 * SPDX-License-Identifier: MIT
 */
#include "session/game_session.h"

#include "base/scan.h"
#include "core/context.h"
#include "search/budget.h"
#include "search/random_move.h"

enum qv_status game_session_init(struct game_session *g, const struct qv_context *context,
				 struct qv_record *record, const struct time_control *control)
{
	*g = (struct game_session){ .context = context, .record = record };
	game_clock_init(&g->clock, control);
	g->scratch = qv_state_new(context, record->rules.game);
	if (g->scratch)
		return QV_OK;
	game_session_release(g);
	return QV_NO_MEMORY;
}

void game_session_release(struct game_session *g)
{
	if (g->scratch)
		qv_state_free(g->context, g->record->rules.game, g->scratch);
	qv_record_free(g->record);
	g->scratch = g->record = NULL;
}

/* ---- Looking ---- */

const struct qv_game *game_rules(const struct game_session *g)
{
	return g->record->rules.game;
}

bool game_is_over(const struct game_session *g)
{
	return g->record->outcome != QV_GOING;
}

int game_seat_to_move(const struct game_session *g)
{
	return game_rules(g)->seat(g->record->state);
}

int game_roller(const struct game_session *g)
{
	const struct qv_game *game = game_rules(g);
	const struct engine *engine = context_engine(game);
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (engine->roller)
		return engine->roller(g->record->state);
	/* The seat that moves after this roll, whatever it brings. */
	memcpy(g->scratch, g->record->state, game->state_size);
	while (game->seat(g->scratch) == QV_CHANCE && game->moves(g->scratch, list) > 0)
		game->play(g->scratch, list[0]);
	int seat = game->seat(g->scratch);
	if (game->result(g->scratch, points) != QV_GOING)
		seat = QV_CHANCE;
	/* The roll ends the game: the seat that moved last; 0 if no seat has moved. */
	for (int ply = g->record->ply - 1; seat == QV_CHANCE && ply >= 0; ply--) {
		tree_state_at(g->record, ply, g->scratch);
		seat = game->seat(g->scratch);
	}
	return seat == QV_CHANCE ? 0 : seat;
}

/* ---- Moves ---- */

qv_move game_random_move(const struct game_session *g, struct qv_random *random)
{
	const struct qv_game *game = game_rules(g);
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(g->record->state, list);
	return random_move(game, g->record->state, list, count, random);
}

void game_count_move(struct game_session *g, int seat)
{
	if (seat != QV_CHANCE && (game_is_over(g) || game_seat_to_move(g) != seat))
		game_clock_moved(&g->clock, seat);
	else
		game_clock_new_turn(&g->clock);
}

void game_allocate_time(const struct game_session *g, int seat, int64_t now_ms, int64_t lag_ms,
		struct qv_limits *limits)
{
	const struct move_clock clock = { .left_ms = game_clock_left(&g->clock, seat, now_ms),
					  .added_ms = game_clock_added(&g->clock, seat),
					  .moves = game_clock_moves_to_go(&g->clock, seat),
					  .lag_ms = lag_ms };
	/* Days for a move are for people: a computer takes what its spec gives it. */
	if (game_clock_on(&g->clock) && !g->clock.control.each_move)
		allocate_time(&clock, limits);
}

int game_time_seat(const struct game_session *g, game_seat_test *rolls_by_hand, const void *ctx)
{
	const int seat = game_seat_to_move(g);
	if (game_is_over(g))
		return -1;
	if (seat != QV_CHANCE)
		return seat;
	const int roller = game_roller(g);
	return rolls_by_hand(ctx, roller) ? roller : -1;
}

/* ---- Undo and redo ---- */

int game_undo_plies(const struct game_session *g, int stops, game_seat_test *is_stop,
		    const void *ctx)
{
	const struct qv_record *r = g->record;
	int back = r->ended ? 0 : -1;
	/* The end of the game is a stop of its own if it can be taken back there. */
	if (r->ended && is_stop(ctx, game_seat_to_move(g)))
		stops--;
	for (int ply = r->ply - 1; stops > 0 && ply >= 0; ply--) {
		tree_state_at(r, ply, g->scratch);
		if (!is_stop(ctx, game_rules(g)->seat(g->scratch)))
			continue;
		back = r->ply - ply;
		stops--;
	}
	return back;
}

int game_redo_plies(const struct game_session *g, int stops, game_seat_test *is_stop,
		    const void *ctx)
{
	const struct qv_record *r = g->record;
	const struct qv_game *game = game_rules(g);
	const struct node *node = tree_cursor(r);
	int plies = 0;
	memcpy(g->scratch, r->state, game->state_size);
	while (stops > 0 && node->follow >= 0) {
		node = &r->nodes[node->follow];
		game->play(g->scratch, node->move);
		plies++;
		stops -= is_stop(ctx, game->seat(g->scratch));
	}
	return plies;
}

int game_redo_most(const struct game_session *g)
{
	int plies = 0;
	for (int32_t node = tree_cursor(g->record)->follow; node >= 0;
	     node = g->record->nodes[node].follow)
		plies++;
	return plies;
}

bool game_can_redo_end(const struct game_session *g)
{
	return tree_cursor(g->record)->follow == NODE_END && !g->record->ended;
}

/* ---- Giving up ---- */

bool game_takes_over(const struct game_session *g)
{
	return g->substitutes && game_rules(g)->seats > 2;
}

int game_winner_without(const struct game_session *g, int seat)
{
	return game_rules(g)->seats == 2 ? 1 - seat : -1;
}

int game_level_count(const struct qv_game *game)
{
	int count = 0;
	while (qv_levels(game)[count])
		count++;
	return count;
}

void game_middle_level(const struct qv_game *game, char out[GAME_LEVEL_SPEC])
{
	snprintf(out, GAME_LEVEL_SPEC, "level:%d", (game_level_count(game) + 1) / 2);
}

void game_substitute(const struct qv_game *game, const char *spec, char out[GAME_LEVEL_SPEC])
{
	game_middle_level(game, out);
	if (strcmp(spec, out) == 0)
		snprintf(out, GAME_LEVEL_SPEC, "random");
}

/* ---- Seats ---- */

void game_rotate_seats(void *seats, int count, size_t size)
{
	unsigned char *bytes = seats;
	for (int seat = count - 1; seat > 0; seat--)
		for (size_t i = 0; i < size; i++) {
			unsigned char *a = &bytes[(size_t)seat * size + i], *b = a - size;
			const unsigned char kept = *a;
			*a = *b;
			*b = kept;
		}
}

/* ---- Verifiable dice ---- */

void dice_hex(const unsigned char secret[DICE_SECRET], char out[DICE_HEX])
{
	for (int i = 0; i < DICE_SECRET; i++)
		snprintf(out + 2 * i, 3, "%02x", secret[i]);
}

bool dice_from_hex(const char *hex, unsigned char secret[DICE_SECRET])
{
	if (strlen(hex) != DICE_HEX - 1)
		return false;
	for (int i = 0; i < DICE_SECRET; i++) {
		const int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		secret[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

uint64_t dice_weights(const struct qv_game *game, const void *state)
{
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(state, list);
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += game->weight(state, list[i]);
	return sum;
}

qv_move dice_outcome(const struct qv_game *game, const void *state, uint64_t number)
{
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(state, list);
	for (int i = 0; i < count; i++) {
		const uint64_t weight = game->weight(state, list[i]);
		if (number < weight)
			return list[i];
		number -= weight;
	}
	return QV_NO_MOVE;
}
