/*
 * details.c - what the statistics of a match show besides the totals.
 * SPDX-License-Identifier: MIT
 *
 * Openings are found by replaying the record of a game, so that games from a journal or from another
 * process count in the same way as those that were played here.
 */
#include "match/details.h"

#include "core/context.h"
#include "core/player.h"
#include "lurgee/search.h"

/* ---- Players ---- */

static bool has_option(const struct player_kind *kind, const char *name)
{
	const struct options o = { .groups = kind->options };
	return options_find(&o, name, NULL) != NULL;
}

struct match_searcher match_searcher(const struct qv_game *game, const char *spec)
{
	struct match_searcher out = { "", "", 0 };
	struct settings set;
	/* The spec of a program begins with its protocol. */
	if (player_settings(game, spec, NULL, &set, NULL) != QV_OK) {
		snprintf(out.searcher, sizeof out.searcher, "%.*s", (int)strcspn(spec, ":"), spec);
		return out;
	}
	const bool lurgee = set.kind == &lurgee_kind;
	const char *name = set.kind->name;
	if (lurgee)
		name = lurgee_settings(&set)->search == LURGEE_NEGASCOUT ? "negascout" : "negamax";
	const bool iterates = set.iterate && has_option(set.kind, "iterate");
	snprintf(out.searcher, sizeof out.searcher, "%s%.30s", iterates ? "iterative " : "", name);
	out.depth = set.depth;
	const struct qv_evaluation *first = game->evaluations;
	if (lurgee) {
		const struct game_player *part =
			game_player_find(context_engine(game), &lurgee_kind);
		first = part ? ((const struct lurgee_kit *)part->own)->evaluations : NULL;
	}
	if (*set.eval)
		snprintf(out.evaluator, sizeof out.evaluator, "%s", set.eval);
	else if (first && has_option(set.kind, "eval"))
		snprintf(out.evaluator, sizeof out.evaluator, "%.31s", first->name);
	return out;
}

/* ---- Games ---- */

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "match: out of memory");
}

enum qv_status details_init(struct match_details *d, const struct qv_context *context,
			    const struct match_plan *plan, struct qv_error *error)
{
	bool named = false;
	*d = (struct match_details){ .context = context };
	/* Other options may have other openings. */
	const enum qv_status status = book_open_own(context, &plan->rules, &d->book, error);
	if (status != QV_OK)
		return status == QV_UNKNOWN ? QV_OK : status;
	for (uint32_t i = 0; i < d->book.item_count; i++) {
		const struct book_item *item = &d->book.items[i];
		named |= *book_text(&d->book, item->name) != '\0';
		d->plies = item->count > d->plies ? item->count : d->plies;
	}
	if (!named)
		book_release(&d->book);
	return QV_OK;
}

void details_release(struct match_details *d)
{
	if (!d->context)
		return;
	const struct qv_allocator *a = context_allocator(d->context);
	if (d->book.allocator)
		book_release(&d->book);
	mem_free(a, d->openings, d->opening_room * sizeof *d->openings);
	mem_free(a, d->scores, d->score_room * sizeof *d->scores);
	*d = (struct match_details){ 0 };
}

/* The entry of a name, added if it is new; NULL: out of memory. Lines of the same name share it. */
static struct named_opening *entry_of(struct match_details *d, const char *name, const char *note)
{
	int at = 0;
	while (at < d->opening_count && strcmp(d->openings[at].name, name) != 0)
		at++;
	if (at < d->opening_count)
		return &d->openings[at];
	if (!mem_reserve(context_allocator(d->context), &d->openings, &d->opening_room,
			 (size_t)d->opening_count + 1, sizeof *d->openings))
		return NULL;
	/* The texts of a book are in its order. */
	for (; at && d->openings[at - 1].name > name; at--)
		d->openings[at] = d->openings[at - 1];
	d->openings[at] = (struct named_opening){ .name = name, .eco = book_eco(note) };
	d->opening_count++;
	return &d->openings[at];
}

/* Replays the first plies of a game and counts the names of its positions. */
static enum qv_status count_openings(struct match_details *d, const struct match_game *game,
				     const struct match_seating *s, struct named_opening **last,
				     struct qv_error *error)
{
	struct qv_record *record = NULL;
	enum qv_status status =
		qv_record_load(d->context, game->record.data, game->record.length, &record, error);
	if (status != QV_OK)
		return status;
	const struct qv_game *rules = d->book.rules.game;
	const int plies = qv_record_ply(record);
	status = qv_record_undo(record, plies, NULL);
	for (uint32_t ply = 0; status == QV_OK && ply < d->plies && (int)ply < plies; ply++) {
		const int seat = rules->seat(qv_record_state(record));
		status = qv_record_redo(record, 1, NULL);
		if (status != QV_OK)
			break;
		const char *note = "",
			   *name = book_name(&d->book, qv_record_state(record), &note, NULL);
		if (!*name || seat < 0)
			continue;
		*last = entry_of(d, name, note);
		if (*last)
			(*last)->counts[s->player[seat]]++;
		else
			status = no_memory(error);
	}
	qv_record_free(record);
	return status;
}

enum qv_status details_add(struct match_details *d, const struct match_plan *plan,
			   const struct match_game *game, const struct named_opening **opening,
			   struct qv_error *error)
{
	struct match_seating s;
	struct named_opening *last = NULL;
	plan_seating(plan, game->number, &s);
	if (plan->player_count == 2 && plan->rules.game->seats == 2 && game->end == END_RULES) {
		if (!mem_reserve(context_allocator(d->context), &d->scores, &d->score_room,
				 d->score_count + 1, sizeof *d->scores))
			return no_memory(error);
		for (int seat = 0; seat < 2; seat++)
			d->scores[d->score_count][s.player[seat]] = game->points[seat];
		d->score_count++;
	}
	*opening = NULL;
	if (!d->book.allocator)
		return QV_OK;
	const enum qv_status status = count_openings(d, game, &s, &last, error);
	if (status != QV_OK || !last)
		return status;
	last->games++;
	*(game->winner < 0 ? &last->draws : &last->wins[game->winner]) += 1;
	*opening = last;
	return QV_OK;
}
