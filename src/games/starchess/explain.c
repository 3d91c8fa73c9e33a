/*
 * explain.c - explains how the mask predictor finds its turn: its requests, the masks it tried and
 * their scores, and the turns it expects.
 * SPDX-License-Identifier: MIT
 *
 * It decides with the same functions as the player. The expected line is found again level by
 * level: where a faction has a choice, the tree below is searched once more.
 */
#include "games/starchess/players.h"

struct explanation {
	struct relative_maps maps;
	struct predictor deciding, following; /* the counts of the second are not reported */
	struct turn_log log;
	struct predict_root root;
	struct predict_tree tree;
	int me; /* the faction that plans */
};

/* ---- Writing ---- */

/* A list of sectors, which are in the view of `me`. */
static void add_sectors(struct string *out, int me, unsigned set)
{
	bool first = true;
	string_addf(out, "[");
	SC_EACH(i, set) {
		string_addf(out, "%s\"%s\"", first ? "" : ",", sc_name_of(sc_orders[me][i]).text);
		first = false;
	}
	string_addf(out, "]");
}

/* Of factions 1 to 4; `scores` start with `me`. */
static void add_scores(struct string *out, int me, const int32_t *scores)
{
	for (int f = 0; f < SC_FACTIONS; f++)
		string_addf(out, "%s%d", f ? "," : "[",
			    (int)scores[(f + SC_FACTIONS - me) % SC_FACTIONS]);
	string_addf(out, "]");
}

/* Why ships are requested in a sector. */
static const char *goal_of(const struct predict_root *root, unsigned sector)
{
	const struct sc_galaxy *g = &root->view;
	const unsigned bit = 1U << sector;
	if (g->colonies[0] & bit && sc_enemy_fleets(g, 0) & bit)
		return sector == 0 ? "free the home world" : "free a colony";
	if (g->colonies[0] & bit)
		return "guard a colony";
	if (root->requests.settle & bit)
		return "found a colony";
	for (int f = 1; f < SC_FACTIONS; f++)
		if (g->colonies[f] & bit && relative_homes[f] == sector)
			return "attack a home world";
	return "attack a colony";
}

static void add_requests(const struct explanation *e, struct string *out)
{
	const struct predict_root *root = &e->root;
	const struct requests *r = &root->requests;
	const lanes threat = threats_of(&e->maps, &e->deciding.how.habits, &root->view);
	bool first = true;
	string_addf(out, ",\"requests\":[");
	for (int p = 0; p < PRIORITIES; p++)
		SC_EACH(i, r->by_priority[p]) {
			string_addf(
				out,
				"%s{\"sector\":\"%s\",\"goal\":\"%s\",\"priority\":%d,\"least\":%d,"
				"\"most\":%d,\"threat\":%d}",
				first ? "" : ",", sc_name_of(sc_orders[e->me][i]).text,
				goal_of(root, i), p + 1, r->least[i], r->most[i], threat[i]);
			first = false;
		}
	string_addf(out, "]");
}

static void add_masks(const struct explanation *e, struct string *out)
{
	string_addf(out, ",\"masks\":[");
	for (int i = 0; i < e->root.count; i++) {
		const struct predict_turn *turn = &e->root.turns[i];
		string_addf(out, "%s{\"without\":", i ? "," : "");
		add_sectors(out, e->me, e->root.requests.full & ~(unsigned)turn->mask);
		string_addf(out, ",\"scores\":");
		if (turn->known)
			add_scores(out, e->me, turn->scores);
		else
			string_addf(out, "null");
		string_addf(out, "}");
	}
	string_addf(out, "],\"chosen\":%d", e->root.best);
}

/* ---- The line ---- */

/* Plays the turn of a mask by the rules and writes its commands. */
static void add_commands(struct explanation *e, struct starchess *s, const struct requests *r,
			 unsigned mask, struct string *out)
{
	const int me = s->seat;
	struct sc_galaxy view;
	struct turn_past past;
	relative_view(&view, &s->g, me);
	turn_past_of(s, &past);
	turn_make(&view, r, mask, &past, NULL, &e->log);
	string_addf(out, ",\"commands\":[");
	for (int i = 0; i < e->log.count; i++) {
		const qv_move move = turn_absolute(e->log.moves[i], me);
		char text[QV_MOVE_TEXT] = "";
		struct qv_text words = { text, sizeof text, 0 };
		starchess_move_text(s, move, &words);
		string_addf(out, "%s\"%s\"", i ? "," : "", text);
		starchess_play(s, move);
	}
	string_addf(out, "]");
}

/* Plays the turn of a mask by the rules and writes it. */
static void add_turn(struct explanation *e, struct starchess *s, const struct requests *r,
		     unsigned mask, struct string *out)
{
	int32_t scores[SC_FACTIONS];
	string_addf(out, "{\"seat\":%d,\"without\":", s->seat + 1);
	add_sectors(out, s->seat, r->full & ~mask);
	add_commands(e, s, r, mask, out);
	sc_scores(&s->g, scores);
	string_addf(out, ",\"scores\":");
	add_scores(out, 0, scores);
	string_addf(out, "}");
}

/* The turns that are expected, up to the last level or the end of the game. */
static void add_line(struct explanation *e, const struct starchess *root, int levels,
		     struct string *out)
{
	struct predictor *p = &e->following;
	struct starchess s = *root;
	int32_t points[SC_FACTIONS];
	string_addf(out, ",\"line\":[");
	add_turn(e, &s, &e->root.requests, e->root.turns[e->root.best].mask, out);
	for (int level = 1, before = e->me; starchess_result(&s, points) == QV_GOING; level++) {
		const int who = (s.seat + SC_FACTIONS - e->me) % SC_FACTIONS;
		struct sc_galaxy view;
		struct requests r;
		int32_t scores[SC_FACTIONS];
		/* A defeated faction takes a level too, unless that is switched off. */
		level += p->how.skip_dead ? 0 : (s.seat + SC_FACTIONS - before - 1) % SC_FACTIONS;
		if (level >= levels)
			break;
		before = s.seat;
		relative_view(&view, &s.g, s.seat);
		requests_make(&r, &e->maps, &p->how.habits, &view);
		unsigned mask = r.full;
		if (predict_varies(&p->how, level, who) &&
		    !predict_branch(p, &view, &r, level, who, scores, &mask, NULL))
			break;
		string_addf(out, ",");
		add_turn(e, &s, &r, mask, out);
	}
	string_addf(out, "]");
}

/* ---- The tree ---- */

/* Notes after each turn which one its faction chooses next: the first of the best ones. */
static void find_best(struct predict_tree *t)
{
	for (int i = 0; i < t->count; i++) {
		const struct predict_node *n = &t->list[i];
		if (n->parent < 0 || !n->known)
			continue;
		int *best = &t->list[n->parent].best;
		if (*best < 0 || n->scores[n->who] > t->list[*best].scores[n->who])
			*best = i;
	}
}

/* A turn of the tree, played on *s, which is the position before it. */
static void add_node(struct explanation *e, const struct predict_node *n, struct starchess *s,
		     struct string *out)
{
	struct requests r = e->root.requests;
	struct sc_galaxy view;
	if (n->parent >= 0) {
		relative_view(&view, &s->g, s->seat);
		requests_make(&r, &e->maps, &e->deciding.how.habits, &view);
	}
	string_addf(out, "{\"parent\":%d,\"level\":%d,\"seat\":%d,\"without\":", n->parent,
		    n->level, s->seat + 1);
	add_sectors(out, s->seat, n->left_out);
	add_commands(e, s, &r, r.full & ~(unsigned)n->left_out, out);
	string_addf(out, ",\"scores\":");
	if (n->known)
		add_scores(out, e->me, n->scores);
	else
		string_addf(out, "null");
	string_addf(out, ",\"best\":%d}", n->best);
}

/* The turns come before those below them, so one position for each depth is enough. */
static void add_tree(struct explanation *e, const struct starchess *root, struct starchess *path,
		     struct string *out)
{
	struct predict_tree *t = &e->tree;
	find_best(t);
	path[0] = *root;
	string_addf(out, ",\"tree\":{\"seen\":%llu,\"nodes\":[", (unsigned long long)t->seen);
	for (int i = 0; i < t->count; i++) {
		const struct predict_node *n = &t->list[i];
		string_addf(out, "%s", i ? "," : "");
		path[n->depth] = path[n->depth - 1];
		add_node(e, n, &path[n->depth], out);
	}
	string_addf(out, "]}");
}

/* Explains the position, with as many turns of the tree; 0: without it. */
static enum qv_status explain(const struct qv_player *player, const void *state,
			      const struct qv_limits *limits, int turns, struct string *out,
			      struct qv_error *error)
{
	const struct settings *set = &player->settings;
	const struct starchess *s = state;
	/* By name: the players are compiled twice (games/twins.h). */
	if (strcmp(set->kind->name, mask_kind.name) != 0)
		return qv_fail(error, QV_UNSUPPORTED,
			       "explain: only players of the kind mask can explain their turns");
	if (mask_settings(set)->miss)
		return qv_fail(error, QV_UNSUPPORTED,
			       "explain: miss leaves requests out at random; use miss=0");
	struct explanation *e = mem_new(player->allocator, sizeof *e, 1);
	if (!e)
		return qv_fail(error, QV_NO_MEMORY, "explain: out of memory");
	e->tree = (struct predict_tree){ .most = turns, .at = -1 };
	e->tree.list = mem_new(player->allocator, (size_t)turns, sizeof *e->tree.list);
	/* A level is at most one turn. */
	const size_t depths = 1 + (size_t)mask_how(set).levels;
	struct starchess *path = mem_new(player->allocator, depths, sizeof *path);
	if (!e->tree.list || !path) {
		mem_free(player->allocator, e->tree.list, (size_t)turns * sizeof *e->tree.list);
		mem_free(player->allocator, path, depths * sizeof *path);
		mem_free(player->allocator, e, sizeof *e);
		return qv_fail(error, QV_NO_MEMORY, "explain: out of memory");
	}
	relative_prepare(&e->maps);
	e->me = s->seat;
	e->deciding = e->following = (struct predictor){ .maps = &e->maps, .how = mask_how(set) };
	e->deciding.tree = turns ? &e->tree : NULL;
	budget_start(&e->deciding.budget, set, limits, 0);
	const bool masks = mask_settings(set)->masks;
	predict_decide(&e->deciding, 1, s, masks, &e->root);
	const int requests = bits_count(e->root.requests.full);
	const int levels = masks ? e->deciding.how.levels : 1;
	string_addf(out,
		    "{\"seat\":%d,\"turns\":%d,\"levels\":%d,\"generated\":%llu,"
		    "\"evaluated\":%llu,\"all\":%d",
		    s->seat + 1, (int)mask_settings(set)->turns, levels,
		    (unsigned long long)e->deciding.generated,
		    (unsigned long long)e->deciding.evaluated,
		    masks ? 1 + requests + requests * (requests - 1) / 2 : 1);
	add_requests(e, out);
	add_masks(e, out);
	budget_start(&e->following.budget, set, limits, 0);
	add_line(e, s, levels, out);
	if (turns)
		add_tree(e, s, path, out);
	string_addf(out, "}");
	const bool stopped = e->deciding.budget.was_stopped || e->following.budget.was_stopped;
	mem_free(player->allocator, path, depths * sizeof *path);
	mem_free(player->allocator, e->tree.list, (size_t)turns * sizeof *e->tree.list);
	mem_free(player->allocator, e, sizeof *e);
	if (out->failed)
		return qv_fail(error, QV_NO_MEMORY, "explain: out of memory");
	return stopped ? qv_fail(error, QV_STOPPED, "explain: stopped") : QV_OK;
}

enum qv_status starchess_explain(const struct qv_player *player, const void *state,
				 const struct qv_limits *limits, struct string *out,
				 struct qv_error *error)
{
	return explain(player, state, limits, 0, out, error);
}

enum qv_status starchess_explain_tree(const struct qv_player *player, const void *state,
				      const struct qv_limits *limits, int turns, struct string *out,
				      struct qv_error *error)
{
	return explain(player, state, limits, turns, out, error);
}
