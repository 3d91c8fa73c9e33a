/*
 * audit.c - checks a journal by replaying its games.
 * SPDX-License-Identifier: MIT
 *
 * Replaying the record checks that the moves are legal and that the result follows from them. If
 * all players of a game are reproducible, it is played once more and the two records must be the
 * same, line for line except for times; and so must the counts of their searches, if the journal is
 * of this version.
 */
#include "match/match.h"

#include "base/threads.h"
#include "core/context.h"
#include "match/game.h"
#include "match/journal.h"

/* An audit that several threads share. */
struct audit {
	const struct qv_context *context;
	struct journal_contents contents;
	bool same_version; /* the journal is of this version, which counts nodes in the same way */
	const int64_t *chosen;
	int64_t count;	   /* of the chosen games */
	struct mutex lock; /* protects everything below */
	int64_t next;
	int64_t first;	       /* the number of the first wrong game; -1: none */
	enum qv_status status; /* the first failure */
	struct qv_error error;
	struct match_audit *out;
};

/* One thread of it, with its own players. */
struct auditor {
	struct audit *audit;
	struct player_pool pool;
	struct thread thread;
};

/* Counts a wrong game and describes the first one, by number. */
static void add_wrong(struct audit *a, int64_t number, const char *what)
{
	mutex_lock(&a->lock);
	if (!a->out->wrong++ || number < a->first) {
		a->first = number;
		snprintf(a->out->first_wrong, sizeof a->out->first_wrong, "game %lld: %.160s",
			 (long long)number + 1, what);
	}
	mutex_unlock(&a->lock);
}

/* Compares the game's statistics with its record. Returns what is wrong, or NULL. */
static const char *compare_result(const struct qv_record *record, const struct match_game *game)
{
	int32_t points[QV_MAX_SEATS];
	const enum qv_outcome outcome = qv_record_result(record, points);
	const struct qv_game *rules = qv_record_rules(record)->game;
	const int winner = outcome == QV_ENDED ? qv_winner(rules, points) : -1;
	if (outcome == QV_GOING)
		return "the game is not over";
	if (winner != game->winner)
		return "the result does not follow from the moves";
	if (qv_record_ply(record) != game->plies)
		return "the number of plies is wrong";
	for (int seat = 0; game->end == END_RULES && outcome == QV_ENDED && seat < rules->seats;
	     seat++)
		if (points[seat] != game->points[seat])
			return "the points do not follow from the moves";
	return NULL;
}

/* Are two records the same except for times? The part `,"time":...` of a line is skipped. */
static bool same_record(const struct string *x, const struct string *y)
{
	const char *a = x->data, *b = y->data, *a_end = a + x->length, *b_end = b + y->length;
	static const char mark[] = ",\"time\":";
	while (a < a_end && b < b_end) {
		if (strncmp(a, mark, sizeof mark - 1) == 0)
			a += strcspn(a, "}");
		if (strncmp(b, mark, sizeof mark - 1) == 0)
			b += strcspn(b, "}");
		if (*a++ != *b++)
			return false;
	}
	return a == a_end && b == b_end;
}

/*
 * Compares what the searches of reproducible players counted. Describes the first difference in
 * `what`; false: there is none.
 */
static bool counts_differ(const struct match_plan *plan, const struct match_seating *s,
			  const struct match_game *there, const struct match_game *here, char *what,
			  size_t size)
{
	for (int seat = 0; seat < plan->rules.game->seats; seat++) {
		const struct match_work *old = &there->work[seat], *new = &here->work[seat];
		const char *name = plan->players[s->player[seat]].name;
		if (old->moves != new->moves)
			snprintf(what, size, "moves of %s: %llu there, but %llu here", name,
				 (unsigned long long)old->moves, (unsigned long long)new->moves);
		else if (old->nodes != new->nodes)
			snprintf(what, size, "nodes of %s: %llu there, but %llu here", name,
				 (unsigned long long)old->nodes, (unsigned long long)new->nodes);
		else if (old->evals != new->evals)
			snprintf(what, size, "evaluations of %s: %llu there, but %llu here", name,
				 (unsigned long long)old->evals, (unsigned long long)new->evals);
		else
			continue;
		return true;
	}
	return false;
}

/* Plays a game again, which all its players can, and compares. */
static enum qv_status play_again(struct auditor *o, const struct match_game *game,
				 const struct match_seating *s, struct qv_error *error)
{
	struct audit *a = o->audit;
	struct match_game again;
	char what[160] = "";
	o->pool.opinions = strstr(game->record.data, "\n{\"note\":");
	const enum qv_status status = match_play_game(&o->pool, game->number, &again, error);
	if (status != QV_OK)
		return status;
	mutex_lock(&a->lock);
	a->out->replayed++;
	mutex_unlock(&a->lock);
	if (!same_record(&again.record, &game->record))
		add_wrong(a, game->number, "the players play it differently");
	else if (a->same_version && counts_differ(o->pool.plan, s, game, &again, what, sizeof what))
		add_wrong(a, game->number, what);
	match_game_release(&again);
	return QV_OK;
}

/* Replays a game, and if its moves are right and all players are reproducible, plays it again. */
static enum qv_status audit_game(struct auditor *o, int64_t number, struct qv_error *error)
{
	struct audit *a = o->audit;
	const struct match_plan *plan = o->pool.plan;
	struct match_game game;
	struct match_seating s;
	struct qv_record *record = NULL;
	struct qv_error why = { "" };
	enum qv_status status = journal_take(&a->contents, number, &game, error);
	if (status != QV_OK)
		return status;
	status = qv_record_load(a->context, game.record.data, game.record.length, &record, &why);
	const char *wrong = status == QV_OK ? compare_result(record, &game) : why.text;
	qv_record_free(record);
	plan_seating(plan, number, &s);
	bool repeat = !wrong;
	for (int seat = 0; seat < plan->rules.game->seats; seat++)
		repeat = repeat && player_pool_reproducible(&o->pool, s.player[seat]);
	if (status == QV_NO_MEMORY) {
		qv_fail(error, status, "%s", why.text);
	} else {
		status = QV_OK;
		if (wrong)
			add_wrong(a, number, wrong);
		if (repeat)
			status = play_again(o, &game, &s, error);
	}
	match_game_release(&game);
	return status;
}

/* Takes chosen games until there are no more, or something has failed. */
static void work(void *ctx)
{
	struct auditor *o = ctx;
	struct audit *a = o->audit;
	for (;;) {
		struct qv_error error = { "" };
		mutex_lock(&a->lock);
		const bool more = a->next < a->count && a->status == QV_OK;
		const int64_t number = more ? a->chosen[a->next++] : 0;
		a->out->checked += more;
		mutex_unlock(&a->lock);
		if (!more)
			return;
		const enum qv_status status = audit_game(o, number, &error);
		mutex_lock(&a->lock);
		if (status != QV_OK && a->status == QV_OK) {
			a->status = status;
			a->error = error;
		}
		mutex_unlock(&a->lock);
	}
}

/* Audits the chosen games in that many threads, of which this is one. */
static enum qv_status audit_all(struct audit *a, int jobs, const struct qv_flag *stop,
				struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(a->context);
	struct auditor *auditors = mem_new(allocator, (size_t)jobs, sizeof *auditors);
	int ready = 0, started = 1;
	enum qv_status status =
		auditors ? QV_OK : qv_fail(error, QV_NO_MEMORY, "audit: out of memory");
	while (status == QV_OK && ready < jobs) {
		struct auditor *o = &auditors[ready];
		o->audit = a;
		status = player_pool_init(&o->pool, a->context, &a->contents.header.plan, NULL,
					  error);
		o->pool.stop = stop;
		ready += status == QV_OK;
	}
	if (status == QV_OK) {
		/* Fewer threads are enough. */
		while (started < jobs &&
		       thread_start(&auditors[started].thread, work, &auditors[started]))
			started++;
		work(&auditors[0]);
		for (int i = 1; i < started; i++)
			thread_join(&auditors[i].thread);
		status = a->status;
		if (status != QV_OK)
			*error = a->error;
	}
	for (int i = 0; i < ready; i++)
		player_pool_release(&auditors[i].pool);
	mem_free(allocator, auditors, (size_t)jobs * sizeof *auditors);
	return status;
}

/*
 * Selection sampling: a game is chosen with the probability (games still wanted) / (games left), so
 * every finished game has the same chance and exactly `sample` are chosen.
 */
static void choose(struct audit *a, int64_t *chosen, int64_t sample, uint64_t seed)
{
	struct qv_random random = { seed, 0 };
	int64_t left = a->contents.finished;
	int64_t wanted = sample && sample < left ? sample : left;
	for (int64_t i = 0; left; i++)
		if (a->contents.games[i].finished &&
		    (int64_t)qv_random_below(&random, (uint64_t)left--) < wanted) {
			wanted--;
			chosen[a->count++] = i;
		}
	a->chosen = chosen;
}

enum qv_status match_audit(const struct qv_context *context, const char *path, int64_t sample,
			   uint64_t seed, int jobs, const struct qv_flag *stop,
			   struct match_audit *out, struct qv_error *error)
{
	struct qv_error unread;
	error = error ? error : &unread;
	struct audit a = { .context = context, .out = out, .first = -1 };
	struct file_bytes bytes = { 0 };
	struct qv_error why = { "" };
	const struct qv_allocator *allocator = context_allocator(context);
	*out = (struct match_audit){ 0 };
	enum qv_status status = file_read(allocator, path, JOURNAL_MOST_BYTES, &bytes, error);
	if (status != QV_OK)
		return status;
	status = journal_parse(context, bytes.data, bytes.size, &a.contents, &why);
	if (status != QV_OK)
		qv_fail(error, status, "%.60s, %.190s", path, why.text);
	else if (!a.contents.whole)
		status = qv_fail(error, QV_BAD_INPUT, "%.100s: the journal is empty", path);
	if (status == QV_OK) {
		const char *version = json_string_value(json_object_get(
			json_object_get(a.contents.header.source, "match"), "version"));
		const size_t room = (size_t)a.contents.finished;
		int64_t *chosen = mem_new(allocator, room, sizeof *chosen);
		a.same_version = version && strcmp(version, qv_version()) == 0;
		out->games = a.contents.finished;
		mutex_init(&a.lock);
		if (!chosen) {
			status = qv_fail(error, QV_NO_MEMORY, "audit: out of memory");
		} else {
			choose(&a, chosen, sample, seed);
			status = audit_all(&a, jobs < 1 ? 1 : jobs, stop, error);
		}
		mem_free(allocator, chosen, room * sizeof *chosen);
		mutex_release(&a.lock);
	}
	if (status == QV_STOPPED)
		qv_fail(error, status, "audit: stopped");
	journal_contents_release(&a.contents);
	file_release(allocator, &bytes);
	return status;
}
