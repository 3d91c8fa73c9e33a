/*
 * train.c - backgammon: the plan, the rounds, the gauge and the checkpoint of a training.
 * SPDX-License-Identifier: MIT
 */
#include "learn/backgammon/train.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/flag.h"
#include "learn/selfplay.h"

enum {
	REPORTS = 20, /* of a training */
	MOST_PATH = 4096,
};

/* ---- The plan ---- */

#define ROW(name_, f, ...) OPTION(struct backgammon_plan, name_, OPTION_INT, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("rounds", rounds, .min = 1, .max = 1000000, .def = 400),
	ROW("built-in", built_in, .max = 1, .def = 0),
	ROW("first", first, .max = 100, .def = 25),
	ROW("games", games, .min = 1, .max = 1000000, .def = 512),
	ROW("deep", deep, .min = 1, .max = 1000000, .def = 512),
	ROW("lambda", lambda, .max = 100, .def = 90),
	ROW("deep-lambda", deep_lambda, .max = 100, .def = 80),
	ROW("wild", wild, .max = 100, .def = 20),
	ROW("window", window, .min = 1, .max = 100000000, .def = 400000),
	ROW("batch", batch, .min = 1, .max = 1000000, .def = 256),
	ROW("deep-batch", deep_batch, .min = 1, .max = 1000000, .def = 512),
	ROW("passes", passes, .min = 1, .max = 1000, .def = 2),
	ROW("deep-passes", deep_passes, .min = 1, .max = 1000, .def = 6),
	ROW("step", step, .min = 1, .max = 1000000, .def = 1000),
	ROW("deep-step", deep_step, .min = 1, .max = 1000000, .def = 500),
	ROW("gauge", gauge, .max = 1000000, .def = 2000),
	{ 0 },
};
#undef ROW

enum qv_status backgammon_plan_parse(const char *text, struct backgammon_plan *out,
				     struct qv_error *error)
{
	return selfplay_plan_parse(keys, text, out, sizeof *out, error);
}

void backgammon_plan_text(const struct backgammon_plan *p, char *out, size_t size)
{
	struct backgammon_plan plan = *p;
	struct qv_text text = { out, size, 0 };
	options_text(&(struct options){ .groups = OPTION_GROUPS(keys), .values = &plan }, &text);
}

/* ---- A training in progress ---- */

/* How far a training is. Part of a checkpoint. */
struct progress {
	int64_t rounds, games, positions;
	int64_t elapsed_us;
	int64_t deep;	/* 1: stage 2 has begun */
	uint64_t check; /* of the state of the fit */
};

struct train {
	const struct backgammon_job *job;
	const struct qv_allocator *allocator;
	struct qv_error *error;
	struct adam_state *state;
	struct adam *adam;
	struct label_window windows[BACKGAMMON_CLASSES];
	struct progress progress;
	int64_t began_us; /* the start, if there had been no pause */
	int reports;
	double squares[BACKGAMMON_CLASSES]; /* sum of squared errors since the last report */
	int64_t samples[BACKGAMMON_CLASSES];
};

static enum qv_status no_memory(const struct train *t)
{
	return qv_fail(t->error, QV_NO_MEMORY, "train: out of memory");
}

static bool must_stop(const struct train *t)
{
	return flag_is_set(t->job->stop);
}

/* From 0 to 1. */
static double share_done(const struct train *t)
{
	const double share =
		t->job->time_ms ? (double)t->progress.elapsed_us / ((double)t->job->time_ms * 1000)
				: (double)t->progress.rounds / t->job->plan.rounds;
	return share < 1 ? share : 1;
}

/* ---- Files ---- */

/* All that a training depends on. With a time limit the number of rounds does not count. */
static void title(const struct train *t, char *out, size_t size)
{
	struct backgammon_plan plan = t->job->plan;
	char text[512];
	backgammon_plan_text(&plan, text, sizeof text);
	memset(out, 0, size);
	snprintf(out, size, "quevedo-backgammon-training 1 inputs=%d hidden=%d seed=%llu %s\n",
		 (int)BACKGAMMON_INPUTS, (int)BACKGAMMON_HIDDEN, (unsigned long long)plan.seed,
		 text);
}

static enum qv_status path_of(const struct train *t, const char *name, char *out)
{
	if (snprintf(out, MOST_PATH, "%s/%s", t->job->folder, name) >= MOST_PATH)
		return qv_fail(t->error, QV_BAD_INPUT, "train: the folder's name is too long");
	return QV_OK;
}

/* The parts of a checkpoint, in order. */
struct checkpoint {
	char title[1024];
	struct progress progress;
};

static enum qv_status write_file(struct train *t, const char *name, const void *head, size_t size,
				 const void *body, size_t body_size)
{
	char path[MOST_PATH];
	struct file_writer w = { 0 };
	enum qv_status status = path_of(t, name, path);
	if (status == QV_OK)
		status = file_create(&w, t->allocator, path, t->error);
	if (status == QV_OK)
		status = file_write(&w, head, size, t->error);
	if (status == QV_OK)
		status = file_write(&w, body, body_size, t->error);
	return status == QV_OK ? file_keep(&w, t->error) : status;
}

static enum qv_status save(struct train *t)
{
	struct checkpoint c = { .progress = t->progress };
	char *file = mem_new(t->allocator, 1, BACKGAMMON_NET_FILE);
	if (!file)
		return no_memory(t);
	title(t, c.title, sizeof c.title);
	c.progress.check = qv_hash_bytes(t->state, sizeof *t->state);
	backgammon_nets_write(&t->state->nets, file);
	enum qv_status status = write_file(t, "weights", file, BACKGAMMON_NET_FILE, "", 0);
	mem_free(t->allocator, file, BACKGAMMON_NET_FILE);
	if (status == QV_OK)
		status = write_file(t, "checkpoint", &c, sizeof c, t->state, sizeof *t->state);
	return status;
}

/* Reads the checkpoint, if there is one. */
static enum qv_status resume(struct train *t)
{
	char path[MOST_PATH], wanted[sizeof((struct checkpoint *)0)->title];
	struct checkpoint c;
	struct file_bytes file = { 0 };
	struct stat there;
	enum qv_status status = path_of(t, "checkpoint", path);
	if (status != QV_OK || stat(path, &there) != 0)
		return status;
	status = file_read(t->allocator, path, sizeof c + sizeof *t->state, &file, t->error);
	if (status != QV_OK)
		return status;
	title(t, wanted, sizeof wanted);
	if (file.size != sizeof c + sizeof *t->state ||
	    memcmp(file.data, wanted, sizeof wanted) != 0) {
		status = qv_fail(t->error, QV_BAD_INPUT,
				 "%.100s: of another plan; use an empty folder", path);
	} else {
		memcpy(&c, file.data, sizeof c);
		memcpy(t->state, file.data + sizeof c, sizeof *t->state);
		t->progress = c.progress;
		if (c.progress.check != qv_hash_bytes(t->state, sizeof *t->state))
			status = qv_fail(t->error, QV_BAD_INPUT, "%.100s: damaged", path);
	}
	file_release(t->allocator, &file);
	return status;
}

/* The windows of a training that was stopped, as a file: this, and the positions of each class. */
struct window_head {
	char title[sizeof((struct checkpoint *)0)->title];
	int64_t rounds;
	int64_t added[BACKGAMMON_CLASSES];
};

static size_t window_bytes(const struct label_window *w, int64_t added)
{
	return (size_t)(added < w->room ? added : w->room) * sizeof *w->list;
}

static enum qv_status save_windows(struct train *t)
{
	struct window_head head = { .rounds = t->progress.rounds };
	char path[MOST_PATH];
	struct file_writer w = { 0 };
	title(t, head.title, sizeof head.title);
	for (int c = 0; c < BACKGAMMON_CLASSES; c++)
		head.added[c] = t->windows[c].added;
	enum qv_status status = path_of(t, "window", path);
	if (status == QV_OK)
		status = file_create(&w, t->allocator, path, t->error);
	if (status == QV_OK)
		status = file_write(&w, &head, sizeof head, t->error);
	for (int c = 0; c < BACKGAMMON_CLASSES && status == QV_OK; c++)
		status = file_write(&w, t->windows[c].list,
				    window_bytes(&t->windows[c], head.added[c]), t->error);
	return status == QV_OK ? file_keep(&w, t->error) : status;
}

/* Reads the windows, if they are those of the checkpoint. */
static enum qv_status resume_windows(struct train *t)
{
	struct window_head head, wanted = { .rounds = t->progress.rounds };
	char path[MOST_PATH];
	struct file_bytes file = { 0 };
	struct stat there;
	size_t size = sizeof head;
	enum qv_status status = path_of(t, "window", path);
	if (status != QV_OK || stat(path, &there) != 0)
		return status;
	for (int c = 0; c < BACKGAMMON_CLASSES; c++)
		size += window_bytes(&t->windows[c], INT64_MAX);
	status = file_read(t->allocator, path, size, &file, t->error);
	if (status != QV_OK)
		return status;
	title(t, wanted.title, sizeof wanted.title);
	size = sizeof head;
	bool ours = file.size >= size;
	if (ours) {
		memcpy(&head, file.data, sizeof head);
		ours = memcmp(head.title, wanted.title, sizeof head.title) == 0 &&
		       head.rounds == wanted.rounds;
	}
	for (int c = 0; c < BACKGAMMON_CLASSES && ours; c++) {
		ours = head.added[c] >= 0;
		size += ours ? window_bytes(&t->windows[c], head.added[c]) : 0;
	}
	if (ours && file.size == size) {
		const char *from = file.data + sizeof head;
		for (int c = 0; c < BACKGAMMON_CLASSES; c++) {
			struct label_window *w = &t->windows[c];
			w->added = head.added[c];
			memcpy(w->list, from, window_bytes(w, w->added));
			from += window_bytes(w, w->added);
		}
	}
	file_release(t->allocator, &file);
	return QV_OK;
}

/* ---- A round ---- */

/* The games of a round, one a job. */
struct playing {
	struct train *t;
	struct selfplay_round round;
	struct labelled_list *lists; /* one for each game */
	atomic_bool failed;
};

static void play_job(void *ctx, int worker, int64_t job)
{
	struct playing *p = ctx;
	(void)worker;
	if (!selfplay(&p->round, job, p->t->allocator, &p->lists[job]))
		atomic_store(&p->failed, true);
}

static void keep_positions(struct train *t, const struct labelled_list *list, int64_t *added)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct labelled *l = &list->list[i];
		struct backgammon s = { .turn = 0 };
		memcpy(s.men, l->men, sizeof s.men);
		const enum backgammon_class c = backgammon_class(&s);
		struct label_window *w = &t->windows[c];
		w->list[w->added++ % w->room] = *l;
		added[c]++;
	}
}

/* Plays the games of a round and counts the new positions of each class. */
static enum qv_status play_round(struct train *t, bool deep, int64_t *added)
{
	const struct backgammon_plan *plan = &t->job->plan;
	const int64_t games = deep ? plan->deep : plan->games;
	struct playing p = {
		.t = t,
		.round = { .nets = &t->state->nets,
			   .seed = qv_random_key(plan->seed, (uint64_t)t->progress.rounds),
			   .deep = deep,
			   .lambda = (float)(deep ? plan->deep_lambda : plan->lambda) / 100,
			   .wild = plan->wild },
		.lists = mem_new(t->allocator, (size_t)games, sizeof *p.lists),
	};
	if (!p.lists)
		return no_memory(t);
	const bool all = threads_for(t->job->threads, games, t->job->stop, play_job, &p);
	for (int64_t i = 0; i < games; i++) {
		struct labelled_list *l = &p.lists[i];
		if (all) /* a round that was stopped is played again */
			keep_positions(t, l, added);
		mem_free(t->allocator, l->list, l->room * sizeof *l->list);
	}
	mem_free(t->allocator, p.lists, (size_t)games * sizeof *p.lists);
	if (atomic_load(&p.failed))
		return no_memory(t);
	if (!all)
		return qv_fail(t->error, QV_STOPPED, "train: stopped");
	t->progress.games += games;
	return QV_OK;
}

/* The size of Adam's step: it falls to a third in stage 1 and to a hundredth in stage 2. */
static float step_size(const struct train *t, bool deep)
{
	const struct backgammon_plan *plan = &t->job->plan;
	const double share = share_done(t), first = plan->first / 100.0;
	if (!deep)
		return (float)(plan->step * 1e-6 * pow(0.33, share / first));
	const double turn = cos((share - first) / (1 - first) * 3.14159265358979);
	return (float)(plan->deep_step * 1e-6 * (0.505 + 0.495 * turn));
}

static void fit_round(struct train *t, bool deep, const int64_t *added)
{
	const struct backgammon_plan *plan = &t->job->plan;
	const uint64_t seed =
		qv_random_key(plan->seed ^ UINT64_C(0x5bd1e995), (uint64_t)t->progress.rounds);
	const float step = step_size(t, deep);
	const int batch = deep ? plan->deep_batch : plan->batch;
	uint64_t number = 0;
	for (int c = 0; c < BACKGAMMON_CLASSES; c++) {
		const int64_t wanted = added[c] * (deep ? plan->deep_passes : plan->passes);
		for (int64_t i = 0; i < wanted; i += batch) {
			t->squares[c] +=
				adam_step(t->adam, (enum backgammon_class)c, &t->windows[c], batch,
					  step, qv_random_key(seed, number++));
			t->samples[c] += batch;
		}
		t->progress.positions += added[c];
	}
}

/* ---- Reports ---- */

struct gauging {
	const struct backgammon_nets *nets;
	uint64_t seed;
	int *points; /* of each pair of games */
};

static void gauge_job(void *ctx, int worker, int64_t job)
{
	const struct gauging *g = ctx;
	(void)worker;
	g->points[job] = selfplay_pair(g->nets, backgammon_nets(), g->seed, job);
}

/* Points a game against the built-in nets. */
static enum qv_status gauge(const struct train *t, struct backgammon_report *r)
{
	const int pairs = t->job->plan.gauge / 2;
	if (pairs < 2)
		return QV_OK;
	struct gauging g = { .nets = &t->state->nets,
			     .seed = ~t->job->plan.seed,
			     .points = mem_new(t->allocator, (size_t)pairs, sizeof *g.points) };
	if (!g.points)
		return no_memory(t);
	double sum = 0, squares = 0;
	threads_for(t->job->threads, pairs, NULL, gauge_job, &g);
	for (int i = 0; i < pairs; i++) {
		const double each = g.points[i] / 2.0;
		sum += each;
		squares += each * each;
	}
	mem_free(t->allocator, g.points, (size_t)pairs * sizeof *g.points);
	r->equity = sum / pairs;
	r->deviation = sqrt((squares / pairs - r->equity * r->equity) / (pairs - 1));
	return QV_OK;
}

static enum qv_status report(struct train *t, bool deep, bool resumed)
{
	struct backgammon_report r = { .round = resumed ? 0 : (int)t->progress.rounds,
				       .stage = deep ? 2 : 1,
				       .progress = share_done(t),
				       .games = t->progress.games,
				       .positions = t->progress.positions,
				       .seconds = (double)t->progress.elapsed_us * 1e-6,
				       .hash = qv_hash_bytes(&t->state->nets,
							     sizeof t->state->nets) };
	for (int c = 0; c < BACKGAMMON_CLASSES; c++) {
		r.error[c] = t->samples[c] ? sqrt(t->squares[c] / (double)t->samples[c]) : 0;
		t->squares[c] = 0;
		t->samples[c] = 0;
	}
	const enum qv_status status = gauge(t, &r);
	if (status == QV_OK && t->job->report)
		t->job->report(t->job->ctx, &r);
	return status;
}

/* ---- The whole ---- */

/* Stage 2 does not learn from the labels of stage 1, which are full of the luck of the dice. */
static void forget_positions(struct train *t)
{
	for (int c = 0; c < BACKGAMMON_CLASSES; c++)
		t->windows[c].added = 0;
	t->progress.deep = 1;
}

static enum qv_status run(struct train *t)
{
	const double first = t->job->plan.first / 100.0;
	enum qv_status status = QV_OK;
	while (status == QV_OK && share_done(t) < 1) {
		const bool deep = share_done(t) >= first;
		int64_t added[BACKGAMMON_CLASSES] = { 0 };
		if (deep && !t->progress.deep)
			forget_positions(t);
		status = play_round(t, deep, added);
		if (status != QV_OK)
			return status;
		fit_round(t, deep, added);
		t->progress.rounds++;
		t->progress.elapsed_us = clock_us() - t->began_us;
		const int due = (int)(share_done(t) * REPORTS);
		if (due > t->reports) {
			t->reports = due;
			status = report(t, deep, false);
			if (status == QV_OK)
				status = save(t);
		}
		if (status == QV_OK && must_stop(t) && share_done(t) < 1)
			status = qv_fail(t->error, QV_STOPPED, "train: stopped");
	}
	return status;
}

/* Reserves the windows. Small ones grow with a plan that has few games. */
static bool make_windows(struct train *t)
{
	for (int c = 0; c < BACKGAMMON_CLASSES; c++) {
		struct label_window *w = &t->windows[c];
		w->room = t->job->plan.window;
		w->list = mem_new(t->allocator, (size_t)w->room, sizeof *w->list);
		if (!w->list)
			return false;
	}
	return true;
}

static void release(struct train *t)
{
	adam_free(t->adam);
	for (int c = 0; c < BACKGAMMON_CLASSES; c++)
		if (t->windows[c].list)
			mem_free(t->allocator, t->windows[c].list,
				 (size_t)t->windows[c].room * sizeof(struct labelled));
	mem_free(t->allocator, t->state, sizeof *t->state);
}

enum qv_status backgammon_train(const struct backgammon_job *job,
				const struct qv_allocator *allocator, struct backgammon_nets *out,
				struct qv_error *error)
{
	struct train t = { .job = job, .allocator = allocator, .error = error };
	/* An existing folder may hold a training to continue. */
	if (mkdir(job->folder, 0777) != 0 && errno != EEXIST)
		return qv_fail(error, QV_IO, "%.100s: %s", job->folder, strerror(errno));
	t.state = mem_new(allocator, 1, sizeof *t.state);
	t.adam = t.state ? adam_new(allocator, t.state, job->threads) : NULL;
	enum qv_status status = QV_OK;
	if (!t.adam || !make_windows(&t)) {
		status = no_memory(&t);
		goto done;
	}
	adam_begin(t.state, job->plan.seed);
	if (job->plan.built_in)
		t.state->nets = *backgammon_nets();
	status = resume(&t);
	if (status == QV_OK)
		status = resume_windows(&t);
	if (status != QV_OK)
		goto done;
	t.began_us = clock_us() - t.progress.elapsed_us;
	t.reports = (int)(share_done(&t) * REPORTS);
	if (t.progress.rounds)
		status = report(&t, share_done(&t) >= job->plan.first / 100.0, true);
	if (status == QV_OK)
		status = run(&t);
	/* A stopped training continues from its last whole round. */
	if (status == QV_OK || status == QV_STOPPED) {
		enum qv_status saved = save(&t);
		if (saved == QV_OK && status == QV_STOPPED)
			saved = save_windows(&t);
		status = saved == QV_OK ? status : saved;
	}
	*out = t.state->nets;
done:
	release(&t);
	return status;
}
