/*
 * analyse.c - the command analyse: the best lines, told as the search deepens.
 * SPDX-License-Identifier: MIT
 *
 * Line k is the search without the first moves of the lines before it. Each answer is written out
 * at once, so that somebody can watch; a write that fails ends the search.
 */
#include "cli/thought.h"

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

/* One line. QV_STOPPED: it has been told as far as it is known. */
static enum qv_status search_line(struct analysis *a)
{
	struct thought *t = &a->thought;
	struct qv_limits limits = thought_limits(t);
	const struct qv_listener listener = { .iteration = on_iteration, .ctx = a };
	if (a->line > 1) {
		limits.only = a->left;
		limits.only_count = a->left_count;
		qv_player_new_game(t->player);
	}
	a->has_told = false;
	const enum qv_status status = thought_think(t, &limits, &listener);
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
	a->status = is_news(a) ? tell(a) : QV_OK;
	return a->status == QV_OK ? status : a->status;
}

enum qv_status cmd_analyse(struct cli *c)
{
	struct analysis a = { .line = 1 };
	enum qv_status status = thought_open(c, &a.thought);
	if (status == QV_OK)
		status = list_moves(&a);
	for (; status == QV_OK && a.line <= c->args.lines && a.left_count; a.line++)
		status = search_line(&a);
	mem_free(&mem_malloc, a.left, a.room * sizeof *a.left);
	thought_release(&a.thought);
	return status == QV_STOPPED ? QV_OK : status;
}
