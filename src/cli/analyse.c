/*
 * analyse.c - the command analyse: the best lines, told as the search deepens.
 * SPDX-License-Identifier: MIT
 *
 * Line k is the search without the first moves of the lines before it. Several lines of a search
 * that deepens go side by side: all of depth 1, all of depth 2, and so on; of other players, one
 * after the other. What is known is written out at once, so that somebody can watch; a write that
 * fails ends the search.
 */
#include "cli/thought.h"
#include "search/player.h"

struct analysis {
	struct thought thought;
	int64_t line;  /* the one now searched, from 1 */
	qv_move *left; /* first moves not yet taken by a line */
	int left_count;
	size_t room;	       /* of left, in moves */
	struct qv_answer told; /* the answer last written */
	bool has_told;
	enum qv_status status; /* of the writing */
	struct qv_error error; /* ... and what was wrong, whatever the search says then */
};

/* ---- Telling ---- */

static void add_text(const struct analysis *a, struct string *out)
{
	const struct thought *t = &a->thought;
	string_addf(out, "line %lld  depth %d  score %d  ", (long long)a->line, t->answer.depth,
		    t->answer.score);
	if (t->answer.proven) {
		thought_add_proof(t, out);
		string_addf(out, "  ");
	}
	string_addf(out, "nodes %llu  ", (unsigned long long)t->answer.nodes);
	if (!arguments_given(&t->c->args, OPT_NO_TIMES))
		string_addf(out, "seconds %.3f  ", t->answer.seconds);
	string_addf(out, "pv ");
	thought_add_line(t, out);
	string_addf(out, "\n");
}

static enum qv_status tell(struct analysis *a)
{
	struct cli *c = a->thought.c;
	a->told = a->thought.answer;
	a->has_told = true;
	if (!arguments_given(&c->args, OPT_JSON)) {
		add_text(a, &c->out);
		return cli_flush(c);
	}
	json_t *o = json_field(json_object(), "line", json_integer(a->line));
	const enum qv_status status = cli_json(c, thought_fields(&a->thought, o));
	return status == QV_OK ? cli_flush(c) : status;
}

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct analysis *a = ctx;
	if (a->status != QV_OK)
		return;
	thought_take(&a->thought, so_far);
	a->status = tell(a);
	if (a->status == QV_OK)
		return;
	a->error = a->thought.c->error;
	cli_stop();
}

/* Whether the answer says more than the one last told; counts and times alone do not. */
static bool is_news(const struct analysis *a)
{
	const struct qv_answer *new = &a->thought.answer, *old = &a->told;
	return !a->has_told || new->move != old->move || new->score != old->score ||
	       new->proven != old->proven || new->depth != old->depth ||
	       new->line_length != old->line_length ||
	       memcmp(new->line, old->line, (size_t) new->line_length * sizeof *new->line) != 0;
}

/* ---- Lines ---- */

static enum qv_status out_of_memory(struct cli *c)
{
	return qv_fail(&c->error, QV_NO_MEMORY, "analyse: out of memory");
}

/* Adds a listed move, with every number it can carry. */
static bool add_moves(struct analysis *a, qv_move listed)
{
	const struct position *p = &a->thought.position;
	const struct qv_game *game = p->rules.game;
	const int most = move_max(game, p->state, listed);
	for (int count = most; count >= (most > 0); count--) {
		if ((size_t)a->left_count == a->room) {
			const size_t room = a->room ? 2 * a->room : 64;
			qv_move *more = mem_resize(&mem_malloc, a->left, a->room * sizeof *more,
						   room * sizeof *more);
			if (!more)
				return false;
			a->left = more;
			a->room = room;
		}
		a->left[a->left_count++] = count == most ? listed : game->with_count(listed, count);
	}
	return true;
}

static enum qv_status list_moves(struct analysis *a)
{
	const struct position *p = &a->thought.position;
	qv_move list[QV_MAX_MOVES];
	const int count = p->rules.game->moves(p->state, list);
	a->left_count = 0;
	for (int i = 0; i < count; i++)
		if (!add_moves(a, list[i]))
			return out_of_memory(a->thought.c);
	return QV_OK;
}

/* Takes the first move of the line from those left. False: it was not among them. */
static bool take_move(struct analysis *a, qv_move move)
{
	int i = 0;
	while (i < a->left_count && a->left[i] != move)
		i++;
	if (i == a->left_count)
		return false;
	memmove(a->left + i, a->left + i + 1, (size_t)(a->left_count - i - 1) * sizeof *a->left);
	a->left_count--;
	return true;
}

/* Lets the player think about what is left, and takes its move from there. */
static enum qv_status think(struct analysis *a, struct qv_limits *limits,
			    const struct qv_listener *listener)
{
	struct thought *t = &a->thought;
	if (a->line > 1) {
		limits->only = a->left;
		limits->only_count = a->left_count;
	}
	const enum qv_status status = thought_think(t, limits, listener);
	if (a->status != QV_OK) {
		t->c->error = a->error;
		return a->status;
	}
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	if (!take_move(a, t->answer.move))
		return qv_fail(&t->c->error, QV_UNSUPPORTED,
			       "--lines: player '%.60s' plays its move whatever is left out",
			       t->spec);
	return status;
}

/* One line, to its end. QV_STOPPED: it has been told as far as it is known. */
static enum qv_status search_line(struct analysis *a)
{
	struct qv_limits limits = thought_limits(&a->thought);
	const struct qv_listener listener = { .iteration = on_iteration, .ctx = a };
	if (a->line > 1)
		qv_player_new_game(a->thought.player);
	a->has_told = false;
	const enum qv_status status = think(a, &limits, &listener);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	a->status = is_news(a) ? tell(a) : QV_OK;
	return a->status == QV_OK ? status : a->status;
}

static enum qv_status one_by_one(struct analysis *a, int lines)
{
	enum qv_status status = QV_OK;
	for (; status == QV_OK && a->line <= lines; a->line++)
		status = search_line(a);
	return status;
}

/* ---- Lines side by side ---- */

/*
 * All lines of a depth. The player's limits are for one line; together they have so many times as
 * much.
 */
struct round {
	struct qv_answer *answers;
	int lines, known; /* asked for; of this depth and complete */
	uint64_t nodes, evals;
	int64_t time_us; /* left for all; 0: no such limit */
	bool over;	 /* no deeper round */
};

/* The players whose search deepens: one and the same at a depth, whoever asks for that depth. */
static bool deepens(const struct settings *set)
{
	return (set->kind >= KIND_MINIMAX && set->kind <= KIND_MTDF) ||
	       (set->kind >= KIND_EXPECTIMAX && set->kind <= KIND_BRS);
}

/* What is left of a limit, of which 0 is none: one that is used up must not become that. */
static uint64_t less(uint64_t limit, uint64_t used)
{
	return !limit ? 0 : used < limit ? limit - used : 1;
}

static void spend(struct round *r, const struct qv_answer *a)
{
	r->nodes = less(r->nodes, a->nodes);
	r->evals = less(r->evals, a->evals);
	r->time_us = (int64_t)less((uint64_t)r->time_us, (uint64_t)(a->seconds * 1e6));
}

/* The best first; of equals the one found first. */
static void sort_answers(struct qv_answer *answers, int count)
{
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && answers[j - 1].score < answers[j].score; j--) {
			const struct qv_answer other = answers[j];
			answers[j] = answers[j - 1];
			answers[j - 1] = other;
		}
}

static enum qv_status tell_round(struct analysis *a, struct round *r)
{
	sort_answers(r->answers, r->known);
	for (int i = 0; i < r->known && a->status == QV_OK; i++) {
		a->line = i + 1;
		thought_take(&a->thought, &r->answers[i]);
		if (!thought_move(&a->thought, 0))
			return out_of_memory(a->thought.c);
		a->status = tell(a);
	}
	return a->status;
}

/*
 * A line that did not get to the depth is not told, and ends it all, but in the first round:
 * something must be said.
 */
static enum qv_status search_round(struct analysis *a, struct round *r, int depth, bool first)
{
	const struct qv_listener silent = { 0 };
	enum qv_status status = QV_OK;
	bool proven = true;
	r->known = 0;
	if ((status = list_moves(a)) != QV_OK)
		return status;
	for (a->line = 1; status == QV_OK && a->line <= r->lines; a->line++) {
		struct qv_limits limits = thought_limits(&a->thought);
		limits.depth = depth;
		limits.nodes = r->nodes;
		limits.evals = r->evals;
		limits.time_ms = r->time_us ? r->time_us / 1000 + 1 : 0;
		status = think(a, &limits, &silent);
		if (status != QV_OK && status != QV_STOPPED)
			return status;
		const struct qv_answer *answer = &a->thought.answer;
		spend(r, answer);
		proven &= answer->proven;
		r->over |= answer->depth < depth && !answer->proven;
		if (r->over && !first)
			break;
		r->answers[r->known++] = *answer;
	}
	r->over |= proven;
	const enum qv_status told = tell_round(a, r);
	return told == QV_OK ? status : told;
}

/* So many times a limit, of which 0 is none. */
static uint64_t times(int64_t limit, int lines)
{
	const uint64_t one = limit > 0 ? (uint64_t)limit : 0, most = UINT64_MAX / (uint64_t)lines;
	return one > most ? UINT64_MAX : one * (uint64_t)lines;
}

static enum qv_status side_by_side(struct analysis *a, int lines)
{
	const struct settings *set = &a->thought.player->settings;
	const int last = set->depth ? (int)set->depth : QV_MAX_LINE;
	const bool whole = !set->iterate && set->depth;
	struct round r = { .lines = lines,
			   .nodes = times(set->nodes, lines),
			   .evals = times(set->evals, lines),
			   .time_us = set->time_ms * 1000 * lines };
	enum qv_status status = QV_OK;
	r.answers = mem_new(&mem_malloc, (size_t)lines, sizeof *r.answers);
	if (!r.answers)
		return out_of_memory(a->thought.c);
	const int from = whole ? last : 1;
	for (int depth = from; status == QV_OK && !r.over && depth <= last; depth++)
		status = search_round(a, &r, depth, depth == from);
	mem_free(&mem_malloc, r.answers, (size_t)lines * sizeof *r.answers);
	return status;
}

enum qv_status cmd_analyse(struct cli *c)
{
	struct analysis a = { .line = 1 };
	enum qv_status status = thought_open(c, &a.thought);
	if (status == QV_OK)
		status = list_moves(&a);
	const int lines = c->args.lines < a.left_count ? (int)c->args.lines : a.left_count;
	if (status == QV_OK)
		status = lines > 1 && deepens(&a.thought.player->settings) ? side_by_side(&a, lines)
									   : one_by_one(&a, lines);
	mem_free(&mem_malloc, a.left, a.room * sizeof *a.left);
	thought_release(&a.thought);
	return status == QV_STOPPED ? QV_OK : status;
}
