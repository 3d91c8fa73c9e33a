/*
 * tree.c - the public function that writes the tree of a search.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/sized.h"
#include "core/context.h"
#include "trace/trace.h"

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
}

/* Writes the tree in the form that is wanted. */
static enum qv_status put_tree(const struct trace *t, const struct qv_tree_job *job,
			       struct qv_error *error)
{
	struct string text = { .allocator = t->setup.allocator };
	enum qv_status status = QV_OK;
	if (job->form == QV_TREE_JSON) {
		char *dump = json_to_text(trace_json(t), JSON_COMPACT);
		if (dump)
			string_add(&text, dump, strlen(dump));
		text.failed |= !dump;
		free(dump);
	} else if (job->form == QV_TREE_DOT) {
		trace_dot(t, &text);
	} else if (job->form == QV_TREE_SVG) {
		status = trace_svg(t, &text, error);
	} else {
		trace_text(t, &text);
	}
	if (status == QV_OK && text.failed)
		status = no_memory(error);
	if (status == QV_OK && !job->write(job->ctx, text.data, text.length))
		status = qv_fail(error, QV_IO, "tree: cannot be written");
	string_release(&text);
	return status;
}

/* Lets the player search and keeps its tree. */
static enum qv_status capture(struct qv_player *player, const struct trace_setup *setup,
			      const struct qv_tree_job *job, struct qv_answer *answer,
			      struct trace *out, struct qv_error *error)
{
	struct trace_capture *c = NULL;
	enum qv_status status = trace_capture_new(setup, &c, error);
	if (status != QV_OK)
		return status;
	const struct qv_listener listener = trace_capture_listener(c);
	const struct qv_limits limits = { .stop = job->stop,
					  .watch = trace_capture_watch,
					  .watch_ctx = c };
	status = player_choose(player, setup->root, &limits, &listener, answer, error);
	if (status == QV_OK || status == QV_STOPPED)
		status = trace_capture_finish(c, answer, out, error);
	trace_capture_free(c);
	return status;
}

enum qv_status qv_search_tree(const struct qv_context *context, const struct qv_rules *rules,
			      const void *state, const struct qv_tree_job *given,
			      struct qv_answer *answer, struct qv_error *error)
{
	struct qv_tree_job job;
	struct qv_player *player = NULL;
	struct qv_answer found = { 0 };
	struct trace trace = { 0 };
	enum qv_status status = answer ? sized_check("qv_answer", answer, error) : QV_OK;
	if (status == QV_OK)
		status = sized_in("qv_tree_job", &job, sizeof job, given, error);
	if (status == QV_OK && (!job.player || !job.write || job.max_nodes < 0 || job.max_ply < 0))
		status = qv_fail(error, QV_BAD_INPUT, "tree: player or write is missing");
	if (status == QV_OK)
		status = qv_player_new(context, rules, job.player, job.defaults, &player, error);
	if (status != QV_OK)
		return status;
	const struct trace_setup setup = { .allocator = context_allocator(context),
					   .rules = *rules,
					   .root = state,
					   .player = job.player,
					   .max_nodes = job.max_nodes ? job.max_nodes : 1000,
					   .max_ply = job.max_ply ? job.max_ply : QV_MAX_MOVES };
	status = capture(player, &setup, &job, &found, &trace, error);
	if (status == QV_OK)
		status = put_tree(&trace, &job, error);
	if (status == QV_OK && answer)
		sized_out(answer, &found, sizeof found);
	trace_release(&trace);
	qv_player_free(player);
	return status;
}
