/*
 * log_words.h - what the words of a visit may claim, by the rules and by the windows of the log.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LOG_WORDS_H
#define TESTS_LOG_WORDS_H

#include "search/legal.h"
#include "support/search.h"
#include "trace/log.h"

/* The move of that text, by the rules. */
static inline qv_move move_called(const struct qv_game *g, const void *state, const char *name)
{
	qv_move list[QV_MAX_MOVES], move;
	struct legal_walk walk = { list, g->moves(state, list), 0 };
	while ((move = legal_next(g, state, &walk)) != QV_NO_MOVE) {
		char text[QV_MOVE_TEXT] = "";
		g->move_text(state, move, &(struct qv_text){ text, sizeof text, 0 });
		if (strcmp(text, name) == 0)
			return move;
	}
	fail_msg("the rules have no move %s", name);
	return QV_NO_MOVE;
}

/*
 * The position of a visit, played from the root. False: a null move leads there, which no rules have,
 * or a sample, which plays several outcomes at once.
 */
static inline bool replay(const struct log *l, int visit, void *state)
{
	const struct log_visit *v = &l->visits[visit];
	const struct qv_game *g = l->setup.rules.game;
	if (v->parent < 0) {
		memcpy(state, l->setup.root, g->state_size);
		return true;
	}
	if (v->flags & (QV_VISIT_PASS | QV_VISIT_SAMPLE) || !replay(l, v->parent, state))
		return false;
	if (v->move)
		g->play(state, move_called(g, state, log_name(l, v->move)));
	return true;
}

/* Adds the moves that were visited below a visit to those in the list; returns how many it has then. */
static inline int add_visited(const struct log *l, int visit, int *list, int count)
{
	for (int i = visit + 1; i < l->visits[visit].end; i = l->visits[i].end) {
		int at = 0;
		while (at < count && list[at] != l->visits[i].move)
			at++;
		if (at == count && l->visits[i].move && !(l->visits[i].flags & QV_VISIT_PASS))
			list[count++] = l->visits[i].move;
	}
	return count;
}

/* How many legal moves of a visit were not visited, neither there nor in the probe of its outcome. -1: unknown. */
static inline int moves_left(const struct log *l, int visit)
{
	_Alignas(max_align_t) unsigned char state[SPOT_STATE];
	const struct log_visit *v = &l->visits[visit];
	const struct qv_game *g = l->setup.rules.game;
	qv_move list[QV_MAX_MOVES];
	int visited[SPOT_MOVES], legal = 0;
	if (!replay(l, visit, state))
		return -1;
	struct legal_walk walk = { list, g->moves(state, list), 0 };
	while (legal_next(g, state, &walk) != QV_NO_MOVE)
		legal++;
	int count = add_visited(l, visit, visited, 0);
	for (int i = v->parent + 1; v->parent >= 0 && i < visit; i = l->visits[i].end)
		if (l->visits[v->parent].seat == QV_CHANCE && l->visits[i].move == v->move &&
		    l->visits[i].flags & QV_VISIT_PROBE)
			count = add_visited(l, i, visited, count);
	return legal - count;
}

/*
 * Whether the move was searched before with a null window or a smaller one (margin, blunder), and its
 * value lay outside.
 */
static inline bool failed_test(const struct log *l, int visit)
{
	const struct log_visit *v = &l->visits[visit];
	for (int i = v->parent + 1; i < visit; i = l->visits[i].end) {
		const struct log_visit *w = &l->visits[i];
		const bool tests =
			w->beta - w->alpha <= 1 || w->alpha > v->alpha || w->beta < v->beta;
		if (w->move == v->move && tests && (w->value >= w->beta || w->value <= w->alpha))
			return true;
	}
	return false;
}

/* The words on a cut-off say whether a move was left. */
static inline void check_cut_words(const struct log *l, int visit, const char *text)
{
	const bool others = strstr(text, "other move"), last = strstr(text, "last move");
	const int left = others || last ? moves_left(l, visit) : -1;
	if (left == 0 && others)
		fail_msg("%s, visit %d has no other move: %s", l->setup.player, visit, text);
	/* What is not kept may have been visited. */
	if (left > 0 && last && l->seen == (uint64_t)l->count)
		fail_msg("%s, visit %d has %d other moves: %s", l->setup.player, visit, left, text);
}

/* Fails if the words of the visit are no sentence, or claim what did not happen. */
static inline void check_words_of(const struct log *l, int visit)
{
	static const char *const never[] = { "anything", "than nothing", "; gives", "has ,",  "nan",
					     "infini",	 ": .",		 "  ",	    "in 0 pl" };
	struct string text = { .allocator = &mem_malloc };
	const struct log_visit *v = &l->visits[visit];
	const bool alone = v->end == visit + 1 && l->seen == (uint64_t)l->count;
	log_words(l, visit, &text);
	assert_false(text.failed);
	assert_true(text.length > 10 && text.data[text.length - 1] == '.');
	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		if (strstr(text.data, never[i]))
			fail_msg("%s, visit %d: %s", l->setup.player, visit, text.data);
	if (strstr(text.data, "test did not settle") && !failed_test(l, visit))
		fail_msg("%s, visit %d was not tested: %s", l->setup.player, visit, text.data);
	check_cut_words(l, visit, text.data);
	if (alone && !v->reasons && strstr(text.data, "best move of"))
		fail_msg("%s, visit %d searched no move: %s", l->setup.player, visit, text.data);
	string_release(&text);
}

#endif
