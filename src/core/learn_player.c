/*
 * learn_player.c - the player that learns by losing (chapter 7 of the 1983 book).
 * SPDX-License-Identifier: MIT
 *
 * It plays a random move among those it has not lost by. After a lost game it remembers the last
 * move and never plays it again. A position in which all moves are remembered is itself lost, so
 * the move that led there is remembered, too, and so on backwards. Each step is a proof, because a
 * reply of the opponent does win, so the moves it avoids are really lost, whoever the opponent was.
 */
#include "core/learned_moves.h"

#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "search/legal.h"
#include "search/player_kind.h"

enum {
	TRAIL = 64,                /* own moves of a game that are kept */
	MOST_PLIES = 1024,         /* length limit of a game against itself */
};

struct step {
	qv_move move;
	int seat;
};

struct learn_player {
	struct qv_player base;
	struct learned learned;
	size_t saved;              /* how many of the learned moves are in the file */
	struct qv_random random;
	/* The player's moves in this game, each with its position in `trail`. */
	struct step steps[TRAIL];
	int length;
	struct arena arena;        /* holds the arrays below */
	unsigned char *trail;      /* the positions */
	void *now, *next;          /* for trying moves */
	qv_move *moves, *replies;
};

struct learn_settings {
	char file[SETTINGS_PATH];
	int64_t train; /* number of training games */
};
_Static_assert(sizeof(struct learn_settings) <= SETTINGS_OWN, "own settings are too large");
static const struct learn_settings *learn_settings(const struct learn_player *p)
{
	return (const struct learn_settings *)(const void *)p->base.settings.own;
}

/* ---- The moves of this game ---- */

/* The position before step i. */
static void *trail_state(const struct learn_player *p, int i)
{
	return p->trail + (size_t)i * p->learned.stride;
}

/* Adds a step; the oldest is dropped when the trail is full. */
static void trail_add(struct learn_player *p, const void *state, qv_move move, int seat)
{
	if (p->length == TRAIL) {
		p->length--;
		memmove(p->steps, p->steps + 1, (TRAIL - 1) * sizeof *p->steps);
		memmove(p->trail, trail_state(p, 1), (TRAIL - 1) * p->learned.stride);
	}
	memcpy(trail_state(p, p->length), state, p->base.rules.game->state_size);
	p->steps[p->length++] = (struct step){ move, seat };
}

/*
 * Removes the steps that do not lead to the position, directly or after one move of the other seat:
 * moves may have been undone, or a new game may have started.
 */
static void trail_cut(struct learn_player *p, const void *state)
{
	const struct qv_game *g = p->base.rules.game;
	int32_t points[QV_MAX_SEATS];
	for (; p->length; p->length--) {
		const struct step *last = &p->steps[p->length - 1];
		memcpy(p->now, trail_state(p, p->length - 1), g->state_size);
		g->play(p->now, last->move);
		if (memcmp(p->now, state, g->state_size) == 0)
			return;
		if (g->result(p->now, points) != QV_GOING || g->seat(p->now) == last->seat)
			continue;
		for (int n = g->moves(p->now, p->replies); n > 0; n--) {
			memcpy(p->next, p->now, g->state_size);
			g->play(p->next, p->replies[n - 1]);
			if (memcmp(p->next, state, g->state_size) == 0)
				return;
		}
	}
}

/* ---- Learning ---- */

/* Moves those that are not known to lose to the front; returns their number. */
static int partition_moves(const struct learn_player *p, const void *state, qv_move *moves, int n)
{
	int fine = 0;
	for (int i = 0; i < n; i++)
		if (!learned_has(&p->learned, state, moves[i])) {
			const qv_move move = moves[i];
			moves[i] = moves[fine];
			moves[fine++] = move;
		}
	return fine;
}

/* Whether all moves of the position are known to lose. Uses p->replies. */
static bool is_lost(struct learn_player *p, const void *state)
{
	const int n = p->base.rules.game->moves(state, p->replies);
	return !partition_moves(p, state, p->replies, n);
}

/*
 * Records that the seat lost by its last move. If all moves were lost there, it lost by the move
 * before, and so on.
 */
static enum qv_status learn_loss(struct learn_player *p, int seat)
{
	for (int i = p->length - 1; i >= 0; i--) {
		if (p->steps[i].seat != seat)
			continue;
		if (learned_add(&p->learned, trail_state(p, i), p->steps[i].move) != QV_OK)
			return QV_NO_MEMORY;
		if (!is_lost(p, trail_state(p, i)))
			break;
	}
	return QV_OK;
}

/* Learns from the end of a game; the trail leads to this position. */
static enum qv_status learn_from_end(struct learn_player *p, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	if (p->base.rules.game->result(state, points) != QV_ENDED || points[0] == points[1])
		return QV_OK;
	return learn_loss(p, points[0] < points[1] ? 0 : 1);
}

/* ---- The file ---- */

/* Adds the learned moves of the file. */
static enum qv_status load(struct learn_player *p, struct qv_error *error)
{
	const char *path = learn_settings(p)->file;
	const struct qv_allocator *a = p->base.allocator;
	struct file_bytes bytes;
	if (!*path)
		return QV_OK;
	if (strcmp(path, "-") == 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "player learn: file=-: needs a file, not standard input");
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return QV_OK;              /* nothing learned yet */
	enum qv_status status = file_read(a, path, LEARNED_FILE_MOST, &bytes, error);
	if (status != QV_OK)
		return status;
	struct qv_error why = { "" };
	status = learned_read(&p->learned, bytes.data, bytes.size, &why);
	file_release(a, &bytes);
	return status == QV_OK ? QV_OK : qv_fail(error, status, "%.80s: %.160s", path, why.text);
}

/* Another learner may have written the file in the meantime, so its moves are read and kept. */
static enum qv_status save(struct learn_player *p, struct qv_error *error)
{
	const char *path = learn_settings(p)->file;
	if (!*path || p->learned.count == p->saved)
		return QV_OK;
	struct string text = { .allocator = p->base.allocator };
	struct file_writer file = { 0 };
	/* The lock keeps other learners out until the file is written. */
	const int held = file_lock_folder(path);
	enum qv_status status = load(p, error);
	if (status == QV_OK) {
		learned_write(&p->learned, &text);
		status = text.failed ? qv_fail(error, QV_NO_MEMORY, "learned: out of memory")
				     : file_create(&file, p->base.allocator, path, error);
	}
	if (status == QV_OK)
		status = file_write(&file, text.data, text.length, error);
	if (status == QV_OK)
		status = file_keep(&file, error);
	if (status == QV_OK)
		p->saved = p->learned.count;
	file_unlock(held);
	string_release(&text);
	return status;
}

/* ---- Playing ---- */

/* The same learned moves give the same random numbers; each lesson gives other ones. */
static void new_game(struct qv_player *base)
{
	struct learn_player *p = (struct learn_player *)base;
	p->length = 0;
	p->random = (struct qv_random){ .key = qv_random_key(base->settings.seed,
							     p->learned.count) };
}

/* The learner is to move: drops what was undone, and learns at once if every move here loses. */
static enum qv_status begin_turn(struct learn_player *p, const void *state, struct qv_error *error)
{
	trail_cut(p, state);
	if (is_lost(p, state) && learn_loss(p, p->base.rules.game->seat(state)) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "learned: out of memory");
	return QV_OK;
}

static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	(void)listener;
	struct learn_player *p = (struct learn_player *)base;
	const struct qv_game *g = base->rules.game;
	const int64_t started = clock_us();
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING) {
		*out = (struct qv_answer){ .move = QV_NO_MOVE };
		return QV_OK;
	}
	const enum qv_status status = begin_turn(p, state, error);
	if (status != QV_OK)
		return status;
	const int n = legal_keep_named(p->moves, g->moves(state, p->moves), limits);
	/* Any of the moves that have not lost yet, else any move. */
	const int fine = partition_moves(p, state, p->moves, n);
	const qv_move move =
		p->moves[qv_random_below(&p->random, (uint64_t)(fine ? fine : n))];
	trail_add(p, state, move, g->seat(state));
	*out = (struct qv_answer){ .move = move, .considered = (uint64_t)n, .line_length = 1,
				   .line = { move } };
	out->seconds = (double)(clock_us() - started) / 1e6;
	return QV_OK;
}

/* The caller reports the last position: the player itself does not see the end of a lost game. */
enum qv_status learn_player_game_over(struct qv_player *player, const void *state,
				      struct qv_error *error)
{
	struct learn_player *p = (struct learn_player *)player;
	trail_cut(p, state);
	if (learn_from_end(p, state) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "learned: out of memory");
	return save(p, error);
}

/* ---- Learning from games that are played elsewhere ---- */

enum qv_status learn_player_read(struct qv_player *player, const char *data, size_t size,
				 struct qv_error *error)
{
	return learned_read(&((struct learn_player *)player)->learned, data, size, error);
}

void learn_player_write(const struct qv_player *player, struct string *out)
{
	learned_write(&((const struct learn_player *)player)->learned, out);
}

const struct learned *learn_player_learned(const struct qv_player *player)
{
	return &((const struct learn_player *)player)->learned;
}

enum qv_status learn_player_moved(struct qv_player *player, const void *state, qv_move move,
				  struct qv_error *error)
{
	struct learn_player *p = (struct learn_player *)player;
	const enum qv_status status = begin_turn(p, state, error);
	if (status == QV_OK)
		trail_add(p, state, move, player->rules.game->seat(state));
	return status;
}

/* ---- Training ---- */

/*
 * Plays games against itself. In each, one seat also plays moves that are known to lose, as other
 * opponents might.
 */
static enum qv_status train(struct learn_player *p, struct qv_error *error)
{
	const struct qv_game *g = p->base.rules.game;
	int32_t points[QV_MAX_SEATS];
	void *state = mem_new(p->base.allocator, 1, p->learned.stride);
	enum qv_status status = state ? QV_OK : QV_NO_MEMORY;
	for (int64_t i = 0; i < learn_settings(p)->train && status == QV_OK; i++) {
		const int explorer = (int)qv_random_below(&p->random, 2);
		p->length = 0;
		g->start(p->base.rules.options, state);
		for (int ply = 0;
		     status == QV_OK && ply < MOST_PLIES && g->result(state, points) == QV_GOING;
		     ply++) {
			const int seat = g->seat(state), n = g->moves(state, p->moves);
			const int fine = partition_moves(p, state, p->moves, n);
			if (!fine)
				status = learn_loss(p, seat);
			const int choice = fine && seat != explorer ? fine : n;
			const qv_move move =
				p->moves[qv_random_below(&p->random, (uint64_t)choice)];
			trail_add(p, state, move, seat);
			g->play(state, move);
		}
		if (status == QV_OK)
			status = learn_from_end(p, state);
	}
	mem_free(p->base.allocator, state, p->learned.stride);
	if (status != QV_OK)
		return qv_fail(error, status, "learned: out of memory");
	return save(p, error);
}

/* ---- Creating ---- */

static void free_player(struct qv_player *base)
{
	struct learn_player *p = (struct learn_player *)base;
	learned_release(&p->learned);
	arena_release(&p->arena);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct qv_game *g = setup->rules->game;
	if (g->seats != 2 || g->chance || g->max_count)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player learn: needs a game of two players without dice, whose moves "
			       "have no numbers; %.40s is not one",
			       g->name);
	struct learn_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	p->learned = learned_make(setup->allocator, setup->rules);
	const size_t moves = (size_t)g->max_moves, stride = p->learned.stride;
	struct arena *a = &p->arena;
	if (arena_init(a, setup->allocator,
		       arena_need(TRAIL, stride) + 2 * arena_need(1, stride) +
			       2 * arena_need(moves, sizeof(qv_move))) != QV_OK)
		return player_finish(qv_fail(error, QV_NO_MEMORY, "player: out of memory"),
				     &p->base, out);
	p->trail = arena_take(a, TRAIL, stride);
	p->now = arena_take(a, 1, stride);
	p->next = arena_take(a, 1, stride);
	p->moves = arena_take(a, moves, sizeof(qv_move));
	p->replies = arena_take(a, moves, sizeof(qv_move));
	enum qv_status status = load(p, error);
	/* The random numbers depend on what is learned: set them before training and after. */
	p->saved = p->learned.count;
	new_game(&p->base);
	if (status == QV_OK)
		status = train(p, error);
	if (status == QV_OK)
		new_game(&p->base);
	return player_finish(status, &p->base, out);
}

static const struct option own_options[] = {
	OWN_OPTION(struct learn_settings, "file", OPTION_TEXT, file, .value = "FILE",
		   .help = "what it has learned; created if it does not exist"),
	OWN_OPTION(struct learn_settings, "train", OPTION_INT, train, .max = 1000000, .value = "N",
		   .help = "games to play against itself before the first move"),
	{ 0 },
};
static const struct option *const options[] = { own_options, opening_options, NULL };

const struct player_kind learn_kind = {
	.name = "learn",
	.help = "learns by losing: any move that has not lost before; for tiny games",
	.options = options, .make = make
};
