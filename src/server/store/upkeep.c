/*
 * upkeep.c - what keeps the store within its bounds: quotas, and the removal of what is old.
 * SPDX-License-Identifier: MIT
 *
 * What is old is removed in portions, by the server's timer or by a command beside it. A portion is
 * a question, whose rows say what goes, and then a unit. What is used again between the two stays:
 * the unit fails, and the next prune finds the rest of it.
 */
#include <stdlib.h>

#include "server/store/inside.h"
#include "server/store/privacy.h"

enum { PAGES = 500 }; /* that WRITE_GIVE_BACK gives back at once */

/* ---- space ---- */

bool unit_only_removes(const struct unit *unit)
{
	const struct write *write = unit->first;
	while (write && store_statements[write->statement].removes)
		write = write->next;
	return !write;
}

struct store_space store_space(struct store *s)
{
	mutex_lock(&s->guard);
	struct store_space space = s->space;
	mutex_unlock(&s->guard);
	if (space.free < 0) /* the log alone is larger than what is free */
		space.free = 0;
	return space;
}

const char *store_space_text(struct store_space space)
{
	return space.full ? "full" : space.tight ? "tight" : "ok";
}

/* ---- quotas ---- */

enum qv_status store_add_quota(struct store *s, const char *name, int64_t day, int64_t bytes)
{
	const struct store_value values[] = { value_text(name), value_number(day),
					      value_number(bytes) };
	return store_add_write(s, WRITE_QUOTA, 3, values);
}

enum qv_status store_list_quotas(struct store *s, int64_t day, store_quota_fn *on_quota, void *ctx,
				 struct qv_error *error)
{
	struct store_value values[] = { value_number(day), value_text(""),
					value_number(STORE_PORTION) };
	struct store_rows *rows = NULL, *before = NULL;
	enum qv_status status;
	do {
		rows = NULL;
		status = s->driver->ask(s->link, ASK_QUOTAS, values, &rows, error);
		store_rows_free(before); /* the last name was one of its texts */
		before = rows;
		for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
			values[1] = value_text(store_rows_text(rows, i, 0));
			on_quota(ctx, values[1].bytes, store_rows_number(rows, i, 1));
		}
	} while (status == QV_OK && rows->count == STORE_PORTION);
	store_rows_free(rows);
	return status;
}

/* ---- the clock ---- */

enum qv_status store_find_clock(struct store *s, int64_t *out, bool *kept, struct qv_error *error)
{
	const struct store_value clock = value_text("clock");
	struct store_rows *rows = NULL;
	enum qv_status status = store_read_now(s, ASK_MARK, &clock, &rows, error);
	*out = 0;
	*kept = status == QV_OK && rows->count;
	if (*kept) {
		*out = atoll(store_rows_text(rows, 0, 0));
	} else if (status == QV_OK) {
		store_rows_free(rows);
		rows = NULL;
		status = store_read_now(s, ASK_NEWEST, NULL, &rows, error);
		if (status == QV_OK)
			*out = store_rows_number(rows, 0, 0);
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_set_clock(struct store *s, int64_t now)
{
	char text[24];
	snprintf(text, sizeof text, "%lld", (long long)now);
	const struct store_value values[] = { value_text("clock"), value_text(text) };
	return store_add_write(s, WRITE_MARK, 2, values);
}

/* ---- removal ---- */

/* The rows that refer to the play come first; the play itself is checked last. */
enum qv_status store_drop_play(struct store *s, const char *play, int64_t before)
{
	static const enum store_change kinds[] = { WRITE_DROP_EXPLORED, WRITE_DROP_SEATS,
						   WRITE_DROP_UNLISTED, WRITE_DROP_IMCS_PLAY,
						   WRITE_DROP_EVENTS };
	const struct store_value values[] = { value_text(play), value_number(before) };
	enum qv_status status = store_drop_finished(s, "", play);
	for (size_t i = 0; status == QV_OK && i < sizeof kinds / sizeof *kinds; i++)
		status = store_add_write(s, kinds[i], 1, values);
	return status == QV_OK ? store_add_write(s, WRITE_DROP_PLAY, 2, values) : status;
}

/* The time before which games are removed in this phase. */
static int64_t games_before(const struct store_prune *p)
{
	return p->phase == PRUNE_UNFINISHED ? p->unfinished : p->before;
}

/* Removes the games that may go. Returns whether there may be more. */
static bool take_games(struct store_prune *p, const struct store_rows *rows)
{
	struct store_pruned *sum = &p->portion;
	for (size_t i = 0; i < rows->count; i++) {
		const char *id = store_rows_text(rows, i, 0);
		const int64_t lines = store_rows_number(rows, i, 2);
		const bool goes = store_rows_number(rows, i, 3) && !(p->keep && p->keep(p->ctx, id));
		/* The next portion begins with this one. */
		if (goes && sum->games && sum->lines + lines > PRUNE_LINES)
			return true;
		snprintf(p->last, sizeof p->last, "%s", id);
		p->last_updated = store_rows_number(rows, i, 1);
		if (!goes)
			continue;
		sum->games++;
		sum->lines += lines;
		if (!p->dry_run)
			store_drop_play(p->store, id, games_before(p));
	}
	return rows->count > 0;
}

static bool take_studies(struct store_prune *p, const struct store_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct store_value values[] = { value_text(store_rows_text(rows, i, 0)),
						      value_number(p->before) };
		snprintf(p->last, sizeof p->last, "%s", values[0].bytes);
		if (!store_rows_number(rows, i, 1))
			continue;
		p->portion.studies++;
		if (!p->dry_run)
			store_add_write(p->store, WRITE_DROP_OLD_STUDY, 2, values);
	}
	return rows->count > 0;
}

static bool take_users(struct store_prune *p, const struct store_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct store_value id = value_text(store_rows_text(rows, i, 0));
		snprintf(p->last, sizeof p->last, "%s", id.bytes);
		if (!store_rows_number(rows, i, 1))
			continue;
		p->portion.users++;
		if (!p->dry_run)
			store_add_write(p->store, WRITE_DROP_USER, 1, &id);
	}
	return rows->count > 0;
}

/* What these phases remove, which need not be looked at one by one: the rows are a number. */
static const enum store_change drops[] = {
	[PRUNE_ATTEMPTS] = WRITE_DROP_ATTEMPTS,
	[PRUNE_QUOTAS] = WRITE_DROP_QUOTAS,
	[PRUNE_GUESSES] = WRITE_DROP_GUESSES,
	[PRUNE_CODES] = WRITE_DROP_OLD_CODES,
	[PRUNE_REMOVALS] = WRITE_DROP_REMOVALS,
	[PRUNE_REPORTS] = WRITE_DROP_OLD_REPORTS,
	[PRUNE_SUSPENSIONS] = WRITE_DROP_OLD_SUSPENSIONS,
	[PRUNE_AUDIT] = WRITE_DROP_OLD_AUDIT,
};

/*
 * The time before which they are removed, and how many at once. Guesses are forgotten after an
 * hour, so those of the last hour before today stay, too.
 */
static void time_values(const struct store_prune *p, struct store_value values[2])
{
	values[0] = value_number(p->phase == PRUNE_ATTEMPTS  ? p->before / 86400
				 : p->phase == PRUNE_GUESSES ? (p->today * 24 - 1) * 3600000
				 : p->phase == PRUNE_REMOVALS
					 ? p->now - STORE_REMOVAL_DAYS * (int64_t)86400
				 : p->phase >= PRUNE_CODES   ? p->now
							     : p->today);
	values[1] = value_number(PRUNE_LINES);
}

static bool take_old(struct store_prune *p, const struct store_rows *rows)
{
	const int64_t found = store_rows_number(rows, 0, 0);
	struct store_value values[2];
	time_values(p, values);
	if (p->phase == PRUNE_ATTEMPTS)
		p->portion.attempts = found;
	else if (p->phase == PRUNE_QUOTAS)
		p->portion.quotas = found;
	if (found && !p->dry_run)
		store_add_write(p->store, drops[p->phase], 2, values);
	return found && !p->dry_run;
}

/* Gives free pages back to the disk. */
static bool take_pages(struct store_prune *p, const struct store_rows *rows)
{
	const int64_t found = store_rows_number(rows, 0, 0);
	p->portion.pages = found < PAGES ? found : PAGES;
	if (found && !p->dry_run)
		store_add_write(p->store, WRITE_GIVE_BACK, 0, NULL);
	return found > PAGES && !p->dry_run;
}

static const struct {
	enum store_question question;
	bool (*take)(struct store_prune *p, const struct store_rows *rows);
} phases[] = {
	[PRUNE_UNFINISHED] = { ASK_OLD_PLAYS, take_games },
	[PRUNE_GAMES] = { ASK_OLD_PLAYS, take_games },
	[PRUNE_STUDIES] = { ASK_OLD_STUDIES, take_studies },
	[PRUNE_USERS] = { ASK_IDLE_USERS, take_users },
	[PRUNE_ATTEMPTS] = { ASK_OLD_ATTEMPTS, take_old },
	[PRUNE_QUOTAS] = { ASK_OLD_QUOTAS, take_old },
	[PRUNE_GUESSES] = { ASK_OLD_GUESSES, take_old },
	[PRUNE_CODES] = { ASK_OLD_CODES, take_old },
	[PRUNE_REMOVALS] = { ASK_OLD_REMOVALS, take_old },
	[PRUNE_REPORTS] = { ASK_OLD_REPORTS, take_old },
	[PRUNE_SUSPENSIONS] = { ASK_OLD_SUSPENSIONS, take_old },
	[PRUNE_AUDIT] = { ASK_OLD_AUDIT, take_old },
	[PRUNE_PAGES] = { ASK_FREE_PAGES, take_pages },
};

static void fail(struct store_prune *p, const char *why)
{
	p->busy = false;
	p->failed = true;
	p->phase = PRUNE_DONE;
	qv_fail(&p->error, QV_IO, "%s", why);
}

/* What could not be written is not counted. */
static void on_written(void *ctx, bool ok)
{
	struct store_prune *p = ctx;
	const struct store_pruned *more = &p->portion;
	p->busy = false;
	if (!ok)
		return;
	p->removed.games += more->games;
	p->removed.lines += more->lines;
	p->removed.studies += more->studies;
	p->removed.users += more->users;
	p->removed.attempts += more->attempts;
	p->removed.quotas += more->quotas;
	p->removed.pages += more->pages;
}

static void on_rows(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct store_prune *p = ctx;
	if (!rows) {
		fail(p, error->text);
		return;
	}
	if (!phases[p->phase].take(p, rows)) {
		p->phase++;
		p->last[0] = '\0';
		p->last_updated = 0;
	}
	store_rows_free(rows);
	if (p->portion.users && p->fill && !p->dry_run)
		p->fill(p->ctx);
	if (p->dry_run)
		on_written(p, true);
	else if (store_end_unit(p->store, on_written, p) != QV_OK)
		fail(p, "store: too many writes are waiting");
}

void store_prune_step(struct store *s, struct store_prune *p)
{
	struct store_value values[5] = { value_number(p->before) };
	int count = 0;
	if (p->busy || p->phase == PRUNE_DONE)
		return;
	if (p->phase == PRUNE_UNFINISHED && !p->unfinished)
		p->phase = PRUNE_GAMES;
	if (p->phase == PRUNE_GAMES && !p->before)
		p->phase = PRUNE_QUOTAS;
	p->store = s;
	p->portion = (struct store_pruned){ 0 };
	if (p->phase <= PRUNE_GAMES) {
		values[0] = value_number(games_before(p));
		values[1] = value_number(p->last_updated);
		values[2] = value_text(p->last);
		values[3] = value_number(PRUNE_ROWS);
		values[4] = value_number(p->phase == PRUNE_UNFINISHED);
		count = 5;
	} else if (p->phase == PRUNE_STUDIES || p->phase == PRUNE_USERS) {
		values[1] = value_text(p->last);
		values[2] = value_number(PRUNE_ROWS);
		count = 3;
	} else if (p->phase != PRUNE_PAGES) {
		time_values(p, values);
		count = 2;
	}
	p->busy = true;
	if (store_read(s, phases[p->phase].question, values, count, on_rows, p) != QV_OK)
		fail(p, "store: too many reads are waiting");
}

/* ---- for the operator ---- */

enum qv_status store_find_facts(struct store *s, struct store_facts *out, struct qv_error *error)
{
	int64_t *const fields[] = { &out->version, &out->users,	  &out->accounts, &out->games,
				    &out->going,   &out->studies, &out->oldest };
	struct store_rows *rows = NULL;
	const enum qv_status status = s->driver->ask(s->link, ASK_FACTS, NULL, &rows, error);
	for (int i = 0; status == QV_OK && i < (int)(sizeof fields / sizeof *fields); i++)
		*fields[i] = store_rows_number(rows, 0, i);
	store_rows_free(rows);
	return status;
}

enum qv_status store_next_plays(struct store *s, const char *last, char out[PRUNE_ROWS][STORE_ID],
				int *count, struct qv_error *error)
{
	const struct store_value values[] = { value_text(last), value_number(PRUNE_ROWS) };
	struct store_rows *rows = NULL;
	const enum qv_status status = s->driver->ask(s->link, ASK_NEXT_PLAYS, values, &rows, error);
	*count = status == QV_OK ? (int)rows->count : 0;
	for (int i = 0; i < *count; i++)
		snprintf(out[i], STORE_ID, "%s", store_rows_text(rows, (size_t)i, 0));
	store_rows_free(rows);
	return status;
}
