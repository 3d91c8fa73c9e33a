/*
 * record_times.c - replays the journal of a record for its times and clocks.
 * SPDX-License-Identifier: MIT
 */
#include "formats/record_times.h"

#include "core/context.h"

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "record: out of memory");
}

/* Stores the time or clock of an event for the node that it belongs to. */
static void store_times(struct record_times *t, const json_t *event)
{
	const struct qv_record *r = t->copy;
	const int32_t node = r->line[r->ply].node;
	const json_t *time = json_object_get(event, "time");
	const json_t *clock = json_object_get(event, "clock");
	/* Only the clock of the seat that has just moved belongs to the move. */
	const int seat = (int)json_integer_value(json_object_get(clock, "seat")) - 1;
	if (time && t->seconds[node] < 0)
		t->seconds[node] = json_number_value(time);
	if (clock && node && seat != r->rules.game->seat(r->state))
		t->clocks[node] = json_integer_value(json_object_get(clock, "ms"));
}

/* Builds the copy line by line, and stores times and clocks on the way. */
static enum qv_status replay(struct record_times *t, const struct qv_context *context,
			     const char *journal, struct qv_error *error)
{
	struct string line = { .allocator = t->allocator };
	enum qv_status status = QV_OK;
	while (*journal && status == QV_OK) {
		const size_t length = strcspn(journal, "\n");
		line.length = 0;
		string_add(&line, journal, length);
		json_t *event = line.failed ? NULL : json_loads(line.data, 0, NULL);
		if (!event) {
			status = no_memory(error);
			break;
		}
		const bool first = !t->copy;
		status = record_load_line(context, line.data, &t->copy, error);
		if (status == QV_OK && first)
			t->header = json_incref(event);
		else if (status == QV_OK && (size_t)t->copy->line[t->copy->ply].node < t->nodes)
			store_times(t, event);
		json_decref(event);
		journal += length + (journal[length] == '\n');
	}
	string_release(&line);
	/* Go to the end of the line that the cursor is on. */
	while (status == QV_OK && tree_cursor(t->copy)->follow >= 0)
		status = qv_record_redo(t->copy, 1, NULL);
	return status;
}

enum qv_status record_times_read(struct record_times *t, const struct qv_context *context,
				 const struct qv_record *record, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	*t = (struct record_times){ .nodes = record->node_count, .allocator = a };
	t->seconds = mem_new(a, t->nodes, sizeof *t->seconds);
	t->clocks = mem_new(a, t->nodes, sizeof *t->clocks);
	if (!t->seconds || !t->clocks)
		return no_memory(error);
	for (size_t i = 0; i < t->nodes; i++)
		t->seconds[i] = -1, t->clocks[i] = -1;
	return replay(t, context, record->journal.data, error);
}

void record_times_release(struct record_times *t)
{
	if (!t->allocator)
		return;
	json_decref(t->header);
	qv_record_free(t->copy);
	mem_free(t->allocator, t->seconds, t->nodes * sizeof *t->seconds);
	mem_free(t->allocator, t->clocks, t->nodes * sizeof *t->clocks);
}
