/*
 * player.c - creates players from specs; those with an opening book play from it first.
 * SPDX-License-Identifier: MIT
 *
 * Which of several book moves is played depends only on the seed and the position. So a game can be
 * repeated exactly, whatever the player was used for in between. The same holds for a player that
 * recalls only some of the book's positions.
 *
 * The book comes before the search, and before a proof, too. Only `book=auto`, which is not the
 * choice of a user, is left out where the player proves the value of every position anyway.
 */
#include "book/inside.h"
#include "base/clock.h"
#include "core/context.h"
#include "core/learned_moves.h"
#include "core/player.h"
#include "search/legal.h"
#include "search/root.h"

/* A player that wraps another one. */
struct book_player {
	struct qv_player base;
	struct qv_player *thinker; /* plays when the position is not in the book */
	struct book book, line;	   /* line: the line of the spec; it comes first */
	struct book_option *options;
	void *state;
	bool is_auto; /* the spec has book=auto */
};

/* ---- Playing ---- */

/* Whether the player recalls the position, if it knows the book only in part. */
static bool recalls(const struct book_player *p, uint64_t key)
{
	const struct settings *set = &p->base.settings;
	return qv_random_below_at(set->seed, qv_mix(key), 100) < (uint64_t)set->recall;
}

/*
 * Writes the book moves of a position to p->options: those of the line, or else of the whole book,
 * that have weight and that the limits allow. Returns their number.
 */
static int playable(const struct book_player *p, const void *state, const struct qv_limits *limits)
{
	const bool any = !limits->only || !limits->only_count;
	const struct book *books[] = { &p->line, &p->book };
	int kept = 0;
	for (int k = 0; k < 2 && !kept; k++) {
		if (!books[k]->allocator || !book_has_choice(books[k], state))
			continue;
		const int n = book_options(books[k], state, p->options);
		for (int i = 0; i < n; i++)
			if (p->options[i].weight &&
			    (any || legal_is_named(limits, p->options[i].move)))
				p->options[kept++] = p->options[i];
	}
	return kept;
}

/* The place of the chosen one of n book moves: the heaviest, or a random one. */
static int choose(const struct book_player *p, int n, uint64_t key)
{
	const struct settings *set = &p->base.settings;
	uint64_t total = 0;
	int chosen = 0;
	if (set->weighted == BOOK_HEAVIEST)
		return 0;
	if (set->weighted == BOOK_EVEN)
		return (int)qv_random_below_at(set->seed, key, (uint64_t)n);
	for (int i = 0; i < n; i++)
		total += p->options[i].weight;
	for (uint64_t drawn = qv_random_below_at(set->seed, key, total);
	     drawn >= p->options[chosen].weight; chosen++)
		drawn -= p->options[chosen].weight;
	return chosen;
}

/*
 * Names the opening of an answer: the first position of its line that has a name, or else the
 * position itself, or else the book.
 */
static void name_opening(struct book_player *p, const void *state, struct qv_answer *out)
{
	const struct qv_game *g = p->base.rules.game;
	const char *name = "", *note = "";
	struct qv_text text = { out->book, sizeof out->book, 0 };
	memcpy(p->state, state, g->state_size);
	for (int i = 0; !*name && i < out->line_length; i++) {
		g->play(p->state, out->line[i]);
		name = book_name(&p->book, p->state, &note, NULL);
	}
	if (!*name)
		name = book_name(&p->book, state, &note, NULL);
	if (!*name)
		name = p->book.title ? book_text(&p->book, p->book.title) : p->base.settings.book;
	book_put_opening(name, note, &text);
}

static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	enum { MOST = 32 }; /* moves of the principal variation */
	struct book_player *p = (struct book_player *)base;
	const struct qv_game *g = base->rules.game;
	const struct qv_limits none = { 0 };
	const int64_t started = clock_us();
	const int n = playable(p, state, limits);
	const uint64_t key = n ? book_key(&p->book, state) : 0;
	/* A search that is watched is wanted for its tree. */
	if (!n || !recalls(p, key) || (p->is_auto && root_is_watched(listener)))
		return p->thinker->ops->think(p->thinker, state, limits, listener, out, error);
	*out = (struct qv_answer){ .move = p->options[choose(p, n, key)].move,
				   .considered = (uint64_t)n };
	/* The principal variation continues with the heaviest book moves. */
	memcpy(p->state, state, g->state_size);
	out->line[0] = out->move;
	for (out->line_length = 1; out->line_length < MOST; out->line_length++) {
		g->play(p->state, out->line[out->line_length - 1]);
		if (!playable(p, p->state, &none))
			break;
		out->line[out->line_length] = p->options[0].move;
	}
	name_opening(p, state, out);
	out->seconds = (double)(clock_us() - started) / 1e6;
	return QV_OK;
}

/* The seed may have changed since the player was created. */
static void new_game(struct qv_player *base)
{
	struct book_player *p = (struct book_player *)base;
	p->thinker->settings.seed = base->settings.seed;
	p->thinker->ops->new_game(p->thinker);
}

/* ---- Creating ---- */

static void free_player(struct qv_player *base)
{
	struct book_player *p = (struct book_player *)base;
	qv_player_free(p->thinker);
	mem_free(base->allocator, p->options,
		 (size_t)base->rules.game->max_moves * sizeof *p->options);
	mem_free(base->allocator, p->state, p->book.stride);
	book_release(&p->line);
	book_release(&p->book);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

/* Opens the book of a spec, `own` or a path, which must be for these rules. */
static enum qv_status open_book(const struct qv_context *context, const struct qv_rules *rules,
				const char *path, struct book *out, struct qv_error *error)
{
	char ours[80], theirs[80];
	if (strcmp(path, "own") == 0)
		return book_open_own(context, rules, out, error);
	if (strcmp(path, "-") == 0)
		return qv_fail(error, QV_BAD_INPUT, "book=-: needs a file, not standard input");
	enum qv_status status = book_open(context, path, NULL, out, error);
	if (status != QV_OK || book_is_for(out, rules))
		return status;
	qv_rules_text(rules, &(struct qv_text){ ours, sizeof ours, 0 });
	qv_rules_text(&out->rules, &(struct qv_text){ theirs, sizeof theirs, 0 });
	book_release(out);
	return qv_fail(error, QV_BAD_INPUT, "book=%.60s: the book is for %s, but this is %s", path,
		       theirs, ours);
}

/*
 * Whether book=auto stands for the program's book: it has one for these rules, and the player does
 * not prove the value of every position, which a book cannot improve.
 */
static bool auto_is_own(const struct qv_rules *rules, const struct settings *set)
{
	const struct qv_game *g = rules->game;
	size_t size;
	if (!book_own(g, &size) || (g->solved && (set->prove || set->kind == &perfect_kind)))
		return false;
	for (int i = 0; g->options && i < QV_MAX_OPTIONS && g->options[i].name; i++)
		if (rules->options[i] != g->options[i].preset)
			return false;
	return true;
}

/* Creates a player with a book. Takes ownership of the thinker, also on failure. */
static enum qv_status wrap(const struct qv_context *context, struct qv_player *thinker,
			   struct qv_player **out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	const struct settings *set = &thinker->settings;
	struct book_player *p = mem_new(a, 1, sizeof *p);
	if (!p) {
		qv_player_free(thinker);
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	}
	p->base = (struct qv_player){ &ops, a, thinker->rules, thinker->settings };
	p->thinker = thinker;
	p->is_auto = strcmp(set->book, "auto") == 0;
	enum qv_status status =
		open_book(context, &p->base.rules, p->is_auto ? "own" : set->book, &p->book, error);
	if (status == QV_OK && *set->line)
		status = book_pick(&p->book, set->line, &p->line, error);
	if (status == QV_OK) {
		p->options = mem_new(a, (size_t)p->base.rules.game->max_moves, sizeof *p->options);
		p->state = mem_new(a, 1, p->book.stride);
		if (!p->options || !p->state)
			status = qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	}
	if (status == QV_OK)
		*out = &p->base;
	else
		free_player(&p->base);
	return status;
}

/* A spec with the key `book` makes two players: the one that thinks, and the one around it. */
enum qv_status qv_player_new(const struct qv_context *context, const struct qv_rules *rules,
			     const char *spec, const struct qv_defaults *defaults,
			     struct qv_player **out, struct qv_error *error)
{
	struct settings settings;
	struct qv_player *player;
	struct qv_defaults known;
	enum qv_status status = defaults_in(defaults, &known, error);
	if (status == QV_OK)
		status = player_settings(rules->game, spec, defaults ? &known : NULL, &settings,
					 error);
	if (status == QV_OK && strcmp(settings.book, "auto") == 0 && !auto_is_own(rules, &settings))
		settings.book[0] = '\0';
	if (status == QV_OK)
		status = player_make(context, rules, &settings, defaults ? &known : NULL, &player,
				     error);
	if (status == QV_OK && settings.book[0])
		return wrap(context, player, out, error);
	if (status == QV_OK)
		*out = player;
	return status;
}

/* Only a player that learns needs to know how the game ended. */
enum qv_status qv_player_game_over(struct qv_player *player, const void *state,
				   struct qv_error *error)
{
	if (player->ops == &ops)
		player = ((struct book_player *)player)->thinker;
	return player->settings.kind == &learn_kind ? learn_player_game_over(player, state, error)
						   : QV_OK;
}
