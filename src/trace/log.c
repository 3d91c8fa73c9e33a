/*
 * log.c - builds the log of a search from what it reports to its listener, and writes it as JSON.
 * SPDX-License-Identifier: MIT
 *
 * The positions on the path are copied, since a move is written in the position before it. Past
 * max_nodes nothing is added any more, but nodes that are still open get their values.
 */
#include "trace/log.h"

#include <math.h>

#include "core/context.h"
#include "search/legal.h"

/* ---- Names ---- */

/* The index of a text among the names, to which it is added if it is new. 0: "", or no memory. */
static int name_of(struct log *l, const char *text)
{
	const uint64_t hash = qv_hash_bytes(text, strlen(text));
	size_t at = 0;
	void *found;
	if (!*text)
		return 0;
	while ((found = map_next_of(&l->names_by_text, hash, &at)))
		if (strcmp(log_name(l, (int)(uintptr_t)found), text) == 0)
			return (int)(uintptr_t)found;
	const int index = l->name_count;
	const size_t begin = l->names.length;
	string_add(&l->names, text, strlen(text) + 1);
	if (l->names.failed ||
	    !mem_reserve(l->setup.allocator, &l->name_at, &l->name_room, (size_t)index + 1,
			 sizeof *l->name_at) ||
	    !map_add(&l->names_by_text, hash, (void *)(uintptr_t)index)) {
		l->failed = true;
		return 0;
	}
	l->name_at[index] = begin;
	return l->name_count++;
}

const char *log_name(const struct log *l, int name)
{
	return name > 0 ? l->names.data + l->name_at[name] : "";
}

static void write_move(const struct log *l, const void *state, qv_move move,
		       char text[QV_MOVE_TEXT])
{
	struct qv_text out = { text, QV_MOVE_TEXT, 0 };
	text[0] = '\0';
	if (l->setup.short_moves)
		context_engine(l->game)->short_text(state, move, &out);
	else
		l->game->move_text(state, move, &out);
}

static int move_name(struct log *l, const void *state, qv_move move)
{
	char text[QV_MOVE_TEXT];
	if (move == QV_NO_MOVE)
		return 0;
	write_move(l, state, move, text);
	return name_of(l, text);
}

/* ---- Visits ---- */

/* The position at a ply of the path; LOG_PLIES + 1: room to replay moves. */
static unsigned char *state_at(const struct log *l, int ply)
{
	return l->states + (size_t)ply * l->game->state_size;
}

static int seat_at(const struct log *l, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	return l->game->result(state, points) == QV_GOING ? l->game->seat(state) : LOG_NOBODY;
}

/* Never -0, which would be printed. */
static double times(int sign, double value)
{
	return value == 0 ? 0 : sign * value;
}

/* Counts the moves of the node above. A test and the search after it are one; probes come before. */
static void count_tried(struct log *l, const struct qv_visit *visit)
{
	const int ply = visit->ply;
	l->tried[ply] = QV_NO_MOVE;
	l->tried_count[ply] = 0;
	if (!ply || visit->move == QV_NO_MOVE || visit->move == l->tried[ply - 1] ||
	    visit->flags & QV_VISIT_PROBE)
		return;
	l->tried[ply - 1] = visit->move;
	l->tried_count[ply - 1]++;
}

/* How many moves of the node that is open at the ply were not tried so far. */
static int count_untried(const struct log *l, int ply)
{
	qv_move list[QV_MAX_MOVES];
	const void *state = state_at(l, ply);
	const int count = l->game->moves(state, list);
	int all = 0;
	for (int i = 0; i < count; i++)
		all += legal_max_count(l->game, state, list[i]);
	return all > l->tried_count[ply] ? all - l->tried_count[ply] : 0;
}

static void on_enter(void *ctx, const struct qv_visit *visit)
{
	struct log *l = ctx;
	const int ply = visit->ply;
	l->seen++;
	l->own_values |= visit->seat != l->root_seat;
	if (l->failed || ply > LOG_PLIES)
		return;
	memcpy(state_at(l, ply), visit->state, l->game->state_size);
	count_tried(l, visit);
	l->open[ply] = -1;
	if (l->count >= l->setup.max_nodes || ply > l->setup.max_ply ||
	    (ply && l->open[ply - 1] < 0))
		return;
	if (!mem_reserve(l->setup.allocator, &l->visits, &l->room, (size_t)l->count + 1,
			 sizeof *l->visits)) {
		l->failed = true;
		return;
	}
	const int sign = l->game->seats == 2 && visit->seat != l->root_seat ? -1 : 1;
	l->visits[l->count] = (struct log_visit){
		.parent = ply ? l->open[ply - 1] : -1,
		.move = ply ? move_name(l, state_at(l, ply - 1), visit->move) : 0,
		.ply = ply,
		.depth = visit->depth,
		.seat = seat_at(l, visit->state),
		.sign = sign,
		.alpha = times(sign, sign > 0 ? visit->alpha : visit->beta),
		.beta = times(sign, sign > 0 ? visit->beta : visit->alpha),
		.value = (double)NAN,
		.flags = visit->flags,
		.why = -1,
		.values = -1,
	};
	l->open[ply] = l->count++;
}

/* The visit that is open at the ply, or NULL if it is not kept. */
static struct log_visit *open_visit(const struct log *l, int ply)
{
	const bool kept = !l->failed && ply <= LOG_PLIES && l->open[ply] >= 0;
	return kept ? &l->visits[l->open[ply]] : NULL;
}

/* The numbers of QV_WHY_TOP and QV_WHY_LATE count moves: they are the same for both seats. */
static void on_why(void *ctx, int ply, enum qv_why why, double number)
{
	struct log *l = ctx;
	struct log_visit *v = open_visit(l, ply);
	l->cuts += why == QV_WHY_CUT;
	l->evaluations += why == QV_WHY_LEAF || why == QV_WHY_STAND_PAT || why == QV_WHY_RAZOR ||
			  why == QV_WHY_HARD;
	if (!v)
		return;
	v->reasons |= 1U << why;
	v->why = (int)why;
	v->untried = why == QV_WHY_CUT ? count_untried(l, ply) : 0;
	v->number = why == QV_WHY_TOP || why == QV_WHY_LATE ? number : times(v->sign, number);
}

/* Appends numbers to the vectors; returns where they begin, -1: no memory. */
static int64_t add_numbers(struct log *l, const double *numbers, size_t count)
{
	const size_t at = l->vector_count;
	if (!mem_reserve(l->setup.allocator, &l->vectors, &l->vector_room, at + count,
			 sizeof *l->vectors)) {
		l->failed = true;
		return -1;
	}
	memcpy(l->vectors + at, numbers, count * sizeof *numbers);
	l->vector_count += count;
	return (int64_t)at;
}

static void on_values(void *ctx, int ply, const double *values)
{
	struct log *l = ctx;
	struct log_visit *v = open_visit(l, ply);
	if (v)
		v->values = add_numbers(l, values, (size_t)l->game->seats);
}

static void on_leave(void *ctx, int ply, double value, qv_move best)
{
	struct log *l = ctx;
	struct log_visit *v = open_visit(l, ply);
	if (!v)
		return;
	v->value = times(v->sign, value);
	v->left = true;
	v->best = move_name(l, state_at(l, ply), best);
	l->open[ply] = -1;
}

/* ---- Growth ---- */

static uint64_t grown_key(int parent, qv_move move)
{
	return qv_mix(move + qv_mix((uint64_t)parent));
}

static int find_grown(const struct log *l, int parent, qv_move move)
{
	const uint64_t key = grown_key(parent, move);
	size_t at = 0;
	void *found;
	while ((found = map_next_of(&l->grown_by_parent, key, &at))) {
		const struct log_grown *g = &l->grown[(uintptr_t)found];
		if (g->parent == parent && g->played == move)
			return (int)(uintptr_t)found;
	}
	return -1;
}

/* Adds a node below `parent`, -1 for the root; state: the position before the move, then after it. */
static int add_grown(struct log *l, int parent, qv_move move, void *state)
{
	const int index = l->grown_count;
	const int name = parent < 0 ? 0 : move_name(l, state, move);
	if (parent >= 0)
		l->game->play(state, move);
	if (!mem_reserve(l->setup.allocator, &l->grown, &l->grown_room, (size_t)index + 1,
			 sizeof *l->grown) ||
	    (parent >= 0 &&
	     !map_add(&l->grown_by_parent, grown_key(parent, move), (void *)(uintptr_t)index))) {
		l->failed = true;
		return 0;
	}
	l->grown[index] = (struct log_grown){ .parent = parent,
					      .move = name,
					      .seat = seat_at(l, state),
					      .played = move,
					      .proven = -1 };
	return l->grown_count++;
}

/* The node at the end of a path. Positions are replayed only if a node of it is new. */
static int grown_at(struct log *l, const qv_move *path, int length)
{
	unsigned char *state = state_at(l, LOG_PLIES + 1);
	int node = 0, known = 0;
	memcpy(state, l->setup.root, l->game->state_size);
	if (!l->grown_count)
		add_grown(l, -1, QV_NO_MOVE, state);
	for (; known < length; known++) {
		const int child = find_grown(l, node, path[known]);
		if (child < 0)
			break;
		node = child;
	}
	for (int i = 0; i < known && known < length; i++)
		l->game->play(state, path[i]);
	for (int i = known; i < length && !l->failed; i++)
		node = add_grown(l, node, path[i], state);
	return node;
}

/* Whether the only step so far is that of mcts before its playouts, with the root alone. */
static bool only_begins(const struct log *l)
{
	return l->step_count == 1 && l->steps[0].attacker < 0 && l->steps[0].result < 0;
}

static void on_growth(void *ctx, const struct qv_growth *step)
{
	struct log *l = ctx;
	/* It gives way, so that the steps of mcts are its playouts. */
	if (only_begins(l))
		l->seen = (uint64_t)(l->step_count = 0);
	l->seen++;
	if (l->failed || l->step_count >= l->setup.max_nodes)
		return;
	/* Two proofs share the nodes of a log, so what is new in the second may be known. */
	const int known = l->grown_count;
	const int node = grown_at(l, step->path, step->length);
	if (l->failed || !mem_reserve(l->setup.allocator, &l->steps, &l->step_room,
				      (size_t)l->step_count + 1, sizeof *l->steps)) {
		l->failed = true;
		return;
	}
	const int64_t first = add_numbers(l, &step->numbers[0][0], 2 * (size_t)step->count);
	const int64_t result =
		step->result ? add_numbers(l, step->result, (size_t)l->game->seats) : -1;
	l->steps[l->step_count++] = (struct log_growth){ .node = node,
							 .first = (size_t)first,
							 .count = step->count,
							 .result = result,
							 .attacker = step->attacker,
							 .added = l->grown_count > known };
	l->ucb = step->ucb;
	for (int i = step->count - 1, at = node; step->proven && i >= 0; i--) {
		struct log_grown *g = &l->grown[at];
		if (step->proven[i] && g->proven < 0)
			g->proven = l->step_count - 1;
		at = g->parent;
	}
}

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct log *l = ctx;
	l->iteration_nodes = so_far->nodes;
	l->iteration_evals = so_far->evals;
}

/* ---- The whole ---- */

enum qv_status log_new(const struct trace_setup *setup, struct log **out, struct qv_error *error)
{
	struct log *l = mem_new(setup->allocator, 1, sizeof *l);
	*out = NULL;
	if (!l)
		return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
	const struct qv_allocator *a = setup->allocator;
	const struct qv_game *g = setup->rules.game;
	l->setup = *setup;
	l->game = g;
	l->root_seat = g->seat(setup->root);
	l->names = (struct string){ .allocator = a };
	l->names_by_text = (struct map){ .allocator = a };
	l->grown_by_parent = (struct map){ .allocator = a };
	/* The path from ply 0 on, room to replay moves, and the root. */
	l->states = mem_new(a, LOG_PLIES + 3, g->state_size);
	l->setup.player = mem_strdup(a, setup->player);
	l->setup.root = l->states ? state_at(l, LOG_PLIES + 2) : NULL;
	l->name_count = 1;
	if (!l->states || !l->setup.player ||
	    !mem_reserve(a, &l->name_at, &l->name_room, 1, sizeof *l->name_at)) {
		log_free(l);
		return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
	}
	l->name_at[0] = 0;
	memcpy(state_at(l, LOG_PLIES + 2), setup->root, g->state_size);
	memset(l->open, -1, sizeof l->open);
	*out = l;
	return QV_OK;
}

/* Also frees a log that failed to be created. */
void log_free(struct log *l)
{
	if (!l)
		return;
	const struct qv_allocator *a = l->setup.allocator;
	mem_free(a, l->visits, l->room * sizeof *l->visits);
	mem_free(a, l->steps, l->step_room * sizeof *l->steps);
	mem_free(a, l->grown, l->grown_room * sizeof *l->grown);
	mem_free(a, l->vectors, l->vector_room * sizeof *l->vectors);
	mem_free(a, l->name_at, l->name_room * sizeof *l->name_at);
	mem_free(a, l->states, (LOG_PLIES + 3) * l->game->state_size);
	if (l->setup.player)
		mem_strfree(a, (char *)(uintptr_t)l->setup.player);
	string_release(&l->names);
	map_release(&l->names_by_text);
	map_release(&l->grown_by_parent);
	mem_free(a, l, sizeof *l);
}

struct qv_listener log_listener(struct log *l)
{
	return (struct qv_listener){ .size = sizeof(struct qv_listener), .iteration = on_iteration,
				     .enter = on_enter,
				     .why = on_why,
				     .values = on_values,
				     .leave = on_leave,
				     .growth = on_growth,
				     .ctx = l };
}

bool log_watch(void *log, uint64_t nodes)
{
	const struct log *l = log;
	return l->seen > 0 || nodes < TRACE_SILENT;
}

/*
 * Whether Star2 has probed the outcome that leads to the visit. The search of the outcome then takes
 * over the value of the move that the probe searched, unless it is a repetition.
 */
static bool takes_over_probe(const struct log *l, int visit)
{
	const struct log_visit *visits = l->visits, *v = &visits[visit];
	if (v->parent < 0 || visits[v->parent].seat != QV_CHANCE ||
	    v->flags & (QV_VISIT_PROBE | QV_VISIT_AGAIN))
		return false;
	for (int i = v->parent + 1; i < visit; i = visits[i].end)
		if (visits[i].move == v->move && visits[i].flags & QV_VISIT_PROBE)
			return !isnan(visits[i].value);
	return false;
}

enum qv_status log_finish(struct log *l, const struct qv_answer *answer, struct qv_error *error)
{
	if (l->failed)
		return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
	if (!l->seen)
		return trace_refuse(&l->setup, false, error);
	l->answer = *answer;
	for (int i = l->count - 1; i >= 0; i--) {
		struct log_visit *v = &l->visits[i];
		v->end = v->end > i ? v->end : i + 1;
		if (v->parent >= 0 && l->visits[v->parent].end < v->end)
			l->visits[v->parent].end = v->end;
	}
	/* The move of a probe was tried, too. */
	for (int i = 0; i < l->count; i++)
		l->visits[i].untried -= l->visits[i].untried > 0 && takes_over_probe(l, i);
	if (answer->move != QV_NO_MOVE)
		write_move(l, l->setup.root, answer->move, l->move);
	return QV_OK;
}

/* A value on the edge of its window is only a bound: the true value may lie outside. */
enum trace_bound log_bound(const struct log_visit *v)
{
	const unsigned exact = 1U << QV_WHY_LEAF | 1U << QV_WHY_ENDED | 1U << QV_WHY_REPEATED |
			       1U << QV_WHY_SOLVED;
	if (v->reasons & exact)
		return TRACE_EXACT;
	if (v->value <= v->alpha)
		return TRACE_AT_MOST;
	return v->value >= v->beta ? TRACE_AT_LEAST : TRACE_EXACT;
}

bool log_is_cut(const struct log_visit *v)
{
	return v->reasons & (1U << QV_WHY_CUT | 1U << QV_WHY_STAR1 | 1U << QV_WHY_STAR2 |
			     1U << QV_WHY_NULL_MOVE);
}

/* ---- JSON ---- */

/* Null for what is open or unknown; integers without a point. */
static json_t *number(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 1e15)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *seat_json(int seat)
{
	return seat == LOG_NOBODY ? json_null() : json_integer(seat + 1);
}

/* A column of the visits is a list with one number for each. */
#define COLUMN(object, key, count, value)                 \
	do {                                              \
		json_t *list = json_array();              \
		for (int i = 0; i < (count); i++)         \
			list = json_item(list, value);    \
		(object) = json_field(object, key, list); \
	} while (0)

static json_t *visits_json(const struct log *l)
{
	const struct log_visit *v = l->visits;
	json_t *o = json_object();
	COLUMN(o, "parent", l->count, json_integer(v[i].parent));
	COLUMN(o, "move", l->count, json_integer(v[i].move));
	COLUMN(o, "best", l->count, json_integer(v[i].best));
	COLUMN(o, "ply", l->count, json_integer(v[i].ply));
	COLUMN(o, "depth", l->count, json_integer(v[i].depth));
	COLUMN(o, "seat", l->count, seat_json(v[i].seat));
	COLUMN(o, "alpha", l->count, number(v[i].alpha));
	COLUMN(o, "beta", l->count, number(v[i].beta));
	COLUMN(o, "value", l->count, number(v[i].value));
	COLUMN(o, "number", l->count, number(v[i].number));
	COLUMN(o, "flags", l->count, json_integer(v[i].flags));
	COLUMN(o, "reasons", l->count, json_integer(v[i].reasons));
	COLUMN(o, "why", l->count, json_integer(v[i].why));
	COLUMN(o, "untried", l->count, json_integer(v[i].untried));
	return o;
}

/* The visits that have a value for each seat. */
static json_t *values_json(const struct log *l)
{
	json_t *list = json_array();
	for (int i = 0; i < l->count; i++) {
		if (l->visits[i].values < 0)
			continue;
		json_t *item = json_item(json_array(), json_integer(i));
		for (int seat = 0; seat < l->game->seats; seat++)
			item = json_item(item, number(l->vectors[l->visits[i].values + seat]));
		list = json_item(list, item);
	}
	return list;
}

static json_t *growth_json(const struct log *l)
{
	bool playouts = false;
	int attacker = -1;
	json_t *nodes = json_object(), *steps = json_array(), *results = json_array();
	json_t *attackers = json_array(); /* [step, seat]: from that step on */
	COLUMN(nodes, "parent", l->grown_count, json_integer(l->grown[i].parent));
	COLUMN(nodes, "move", l->grown_count, json_integer(l->grown[i].move));
	COLUMN(nodes, "seat", l->grown_count, seat_json(l->grown[i].seat));
	COLUMN(nodes, "proven", l->grown_count,
	       l->grown[i].proven < 0 ? json_null() : json_integer(l->grown[i].proven));
	for (int i = 0; i < l->step_count; i++) {
		const struct log_growth *s = &l->steps[i];
		json_t *step = json_item(json_array(), json_integer(s->node));
		json_t *result = json_array();
		step = json_item(step, json_integer(s->added));
		for (int k = 0; k < 2 * s->count; k++)
			step = json_item(step, number(l->vectors[s->first + (size_t)k]));
		for (int seat = 0; s->result >= 0 && seat < l->game->seats; seat++)
			result = json_item(result, number(l->vectors[s->result + seat]));
		playouts |= s->attacker < 0;
		if (s->attacker != attacker)
			attackers = json_item(attackers, json_pack("[i, i]", i, s->attacker + 1));
		attacker = s->attacker;
		steps = json_item(steps, step);
		results = json_item(results, result);
	}
	json_t *o = json_field(json_object(), "nodes", nodes);
	o = json_field(o, "steps", steps);
	o = json_field(o, "results", results);
	o = json_field(o, "attackers", attackers);
	o = json_field(o, "ucb", playouts ? json_real(l->ucb) : json_null());
	return json_field(o, "kind", json_text(playouts ? "mcts" : "proof"));
}

/* The answer's line, as texts. */
static json_t *line_json(const struct log *l)
{
	unsigned char *state = state_at(l, LOG_PLIES + 1);
	json_t *list = json_array();
	memcpy(state, l->setup.root, l->game->state_size);
	for (int i = 0; i < l->answer.line_length; i++) {
		char text[QV_MOVE_TEXT];
		write_move(l, state, l->answer.line[i], text);
		list = json_item(list, json_text(text));
		l->game->play(state, l->answer.line[i]);
	}
	return list;
}

json_t *log_json(const struct log *l)
{
	char text[QV_POSITION_TEXT] = "", rules[256] = "";
	struct qv_text position = { text, sizeof text, 0 }, game = { rules, sizeof rules, 0 };
	json_t *o = json_object();
	l->game->position_text(l->setup.root, &position);
	qv_rules_text(&l->setup.rules, &game);
	o = json_field(o, "game", json_text(rules));
	o = json_field(o, "position", json_text(text));
	o = json_field(o, "player", json_text(l->setup.player));
	o = json_field(o, "seat", seat_json(l->root_seat));
	o = json_field(o, "seats", json_integer(l->game->seats));
	o = json_field(o, "move", json_text(l->move));
	o = json_field(o, "value", json_integer(l->answer.score));
	o = json_field(o, "line", line_json(l));
	o = json_field(o, "depth", json_integer(l->answer.depth));
	o = json_field(o, "nodes", json_integer((json_int_t)l->answer.nodes));
	o = json_field(o, "evaluations", json_integer((json_int_t)l->answer.evals));
	o = json_field(o, "cuts", json_integer((json_int_t)l->cuts));
	o = json_field(o, "seen", json_integer((json_int_t)l->seen));
	o = json_field(o, "kept", json_integer(l->count + l->step_count));
	COLUMN(o, "names", l->name_count, json_text(log_name(l, i)));
	o = json_field(o, "visits", visits_json(l));
	o = json_field(o, "values", values_json(l));
	return l->step_count ? json_field(o, "growth", growth_json(l)) : o;
}
