/*
 * explain.c - explains how the mask predictor finds its turn: its requests, the masks it tried and
 * their scores, and the turns it expects.
 * SPDX-License-Identifier: MIT
 *
 * It decides with the same functions as the player. The expected line is found again level by
 * level: where a faction has a choice, the tree below is searched once more.
 */
#include "games/starchess/explain.h"

#include "games/starchess/mask_player.h"

#include "games/starchess/orders.h"
#include "games/starchess/predict.h"
#include "games/starchess/turn_log.h"

struct explanation {
	struct relative_maps maps;
	struct predict_how how;
	struct predictor deciding, following; /* the counts of the second are not reported */
	struct turn_log log;
	struct predict_turn turns[PREDICT_MASKS];
	int turn_count, best;
	struct requests requests;
	uint16_t threats[SC_SECTORS];
	struct sc_galaxy view;
	int me;
};

/* ---- Writing ---- */

static void add_sector(struct string *out, int me, unsigned sector)
{
	char text[8] = "";
	struct qv_text name = { text, sizeof text, 0 };
	sc_put_sector(&name, sc_orders[me][sector]);
	string_addf(out, "\"%s\"", text);
}

static void add_sectors(struct string *out, int me, unsigned set)
{
	bool first = true;
	string_addf(out, "[");
	SC_EACH(i, set)
	{
		string_addf(out, "%s", first ? "" : ",");
		add_sector(out, me, i);
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

static const char *goal_of(const struct explanation *e, unsigned sector)
{
	const struct sc_galaxy *g = &e->view;
	const unsigned bit = 1U << sector;
	if (g->colonies[0] & bit && sc_enemy_fleets(g, 0) & bit)
		return sector == 0 ? "free the home world" : "free a colony";
	if (g->colonies[0] & bit)
		return "guard a colony";
	if (e->requests.settle & bit)
		return "found a colony";
	for (int f = 1; f < SC_FACTIONS; f++)
		if (g->colonies[f] & bit && relative_homes[f] == sector)
			return "attack a home world";
	return "attack a colony";
}

static void add_requests(const struct explanation *e, struct string *out)
{
	bool first = true;
	string_addf(out, ",\"requests\":[");
	for (int p = 0; p < PRIORITIES; p++)
		SC_EACH(i, e->requests.by_priority[p])
		{
			string_addf(out, "%s{\"sector\":", first ? "" : ",");
			add_sector(out, e->me, i);
			string_addf(out,
				    ",\"goal\":\"%s\",\"priority\":%d,\"least\":%d,\"most\":%d,"
				    "\"threat\":%d}",
				    goal_of(e, i), p + 1, e->requests.least[i], e->requests.most[i],
				    e->threats[i]);
			first = false;
		}
	string_addf(out, "]");
}

static void add_masks(const struct explanation *e, struct string *out)
{
	string_addf(out, ",\"masks\":[");
	for (int i = 0; i < e->turn_count; i++) {
		const struct predict_turn *turn = &e->turns[i];
		string_addf(out, "%s{\"without\":", i ? "," : "");
		add_sectors(out, e->me, e->requests.full & ~(unsigned)turn->mask);
		string_addf(out, ",\"scores\":");
		if (turn->known)
			add_scores(out, e->me, turn->scores);
		else
			string_addf(out, "null");
		string_addf(out, "}");
	}
	string_addf(out, "],\"chosen\":%d", e->best);
}

/* ---- Deciding ---- */

static void decide(struct explanation *e, const struct starchess *s, const struct settings *set,
		   const struct qv_limits *limits)
{
	struct predictor *p = &e->deciding;
	struct turn_past past;
	*p = (struct predictor){ .maps = &e->maps, .how = e->how };
	pace_start(&p->pace, set, limits, 0);
	e->me = s->seat;
	relative_view(&e->view, &s->g, s->seat);
	turn_past_of(s, &past);
	requests_make(&e->requests, &e->maps, &e->how.habits, &e->view);
	lanes threat = threats_of(&e->maps, &e->view);
	if (e->how.habits.build_threat)
		threat = threats_built(&e->view, threat);
	lanes_store(e->threats, &threat);
	e->turn_count = predict_turns(p, &e->view, &e->requests, &past, mask_settings(set)->masks, e->turns);
	if (mask_settings(set)->masks) {
		e->best = predict_best(p, 1, e->turns, e->turn_count);
	} else {
		sc_scores(&e->turns[0].after, e->turns[0].scores);
		e->turns[0].known = true;
		p->evaluated++;
	}
}

/* ---- The line ---- */

/* Plays the turn of a mask by the rules and writes it. */
static void tell_turn(struct explanation *e, struct starchess *s, const struct requests *r,
		      unsigned mask, struct string *out)
{
	const int me = s->seat;
	struct sc_galaxy view;
	struct turn_past past;
	int32_t scores[SC_FACTIONS];
	relative_view(&view, &s->g, me);
	turn_past_of(s, &past);
	log_turn(&e->maps, r, mask, &past, NULL, &view, &e->log);
	string_addf(out, "{\"seat\":%d,\"without\":", me + 1);
	add_sectors(out, me, r->full & ~mask);
	string_addf(out, ",\"commands\":[");
	for (int i = 0; i < e->log.count; i++) {
		const qv_move move = orders_absolute(e->log.moves[i], me);
		char text[QV_MOVE_TEXT] = "";
		struct qv_text words = { text, sizeof text, 0 };
		starchess_move_text(s, move, &words);
		string_addf(out, "%s\"%s\"", i ? "," : "", text);
		starchess_play(s, move);
	}
	sc_scores(&s->g, scores);
	string_addf(out, "],\"scores\":");
	add_scores(out, 0, scores);
	string_addf(out, "}");
}

/* The mask that the faction to move chooses at a level; false: stopped. */
static bool choose_mask(struct explanation *e, const struct starchess *s, int level,
			struct requests *r, unsigned *mask)
{
	const int who = (s->seat + SC_FACTIONS - e->me) % SC_FACTIONS;
	struct sc_galaxy view;
	int32_t scores[SC_FACTIONS];
	relative_view(&view, &s->g, s->seat);
	requests_make(r, &e->maps, &e->how.habits, &view);
	*mask = r->full;
	return !predict_varies(&e->how, level, who) ||
	       predict_branch(&e->following, &view, r, level, who, scores, mask);
}

static void add_line(struct explanation *e, const struct starchess *root, bool masks,
		     struct string *out)
{
	struct starchess s = *root;
	int32_t points[SC_FACTIONS];
	const int levels = masks ? e->how.levels : 1;
	string_addf(out, ",\"line\":[");
	tell_turn(e, &s, &e->requests, e->turns[e->best].mask, out);
	for (int level = 1, before = e->me; starchess_result(&s, points) == QV_GOING;) {
		struct requests r;
		unsigned mask;
		/* A defeated faction takes a level too, unless that is switched off. */
		const int passed = (s.seat + SC_FACTIONS - before - 1) % SC_FACTIONS;
		level += e->how.skip_dead ? 0 : passed;
		if (level >= levels || !choose_mask(e, &s, level, &r, &mask))
			break;
		before = s.seat;
		string_addf(out, ",");
		tell_turn(e, &s, &r, mask, out);
		level++;
	}
	string_addf(out, "]");
}

enum qv_status starchess_explain(const struct qv_player *player, const void *state,
				 const struct qv_limits *limits, struct string *out,
				 struct qv_error *error)
{
	const struct settings *set = &player->settings;
	const struct starchess *s = state;
	if (set->kind != &mask_kind)
		return qv_fail(error, QV_UNSUPPORTED,
			       "explain: only players of the kind mask can explain their turns");
	struct explanation *e = mem_new(player->allocator, sizeof *e, 1);
	if (!e)
		return qv_fail(error, QV_NO_MEMORY, "explain: out of memory");
	relative_prepare(&e->maps);
	e->how = mask_how(set);
	decide(e, s, set, limits);
	const int requests = bits_count(e->requests.full);
	string_addf(out,
		    "{\"seat\":%d,\"turns\":%d,\"levels\":%d,\"generated\":%llu,"
		    "\"evaluated\":%llu,\"all\":%d",
		    s->seat + 1, (int)mask_settings(set)->turns, mask_settings(set)->masks ? e->how.levels : 1,
		    (unsigned long long)e->deciding.generated,
		    (unsigned long long)e->deciding.evaluated,
		    mask_settings(set)->masks ? 1 + requests + requests * (requests - 1) / 2 : 1);
	add_requests(e, out);
	add_masks(e, out);
	e->following = (struct predictor){ .maps = &e->maps, .how = e->how };
	pace_start(&e->following.pace, set, limits, 0);
	add_line(e, s, mask_settings(set)->masks, out);
	string_addf(out, "}");
	const bool stopped = e->deciding.pace.was_stopped || e->following.pace.was_stopped;
	mem_free(player->allocator, e, sizeof *e);
	if (out->failed)
		return qv_fail(error, QV_NO_MEMORY, "explain: out of memory");
	return stopped ? qv_fail(error, QV_STOPPED, "explain: stopped") : QV_OK;
}
