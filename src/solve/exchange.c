/*
 * exchange.c - what the ranks of a build agree on and exchange, over struct qv_tables_ranks.
 * SPDX-License-Identifier: MIT
 *
 * A failure on one rank must end the call on all of them: a rank that waited for one that has
 * returned would wait forever. So every step that can fail is followed by exchange_agree, and
 * nothing that can fail happens between the calls of one exchange.
 */
#include "solve/exchange.h"

/* ---- agreement ---- */

int64_t exchange_max(const struct qv_tables_ranks *ranks, int64_t value)
{
	if (ranks)
		ranks->max(ranks->ctx, &value, 1);
	return value;
}

bool exchange_any(const struct qv_tables_ranks *ranks, bool value)
{
	return exchange_max(ranks, value);
}

/* The first rank that failed has the greatest number. */
int64_t exchange_failure(const struct qv_tables_ranks *ranks, enum qv_status status)
{
	return status == QV_OK ? 0 : ranks->count - ranks->rank;
}

/*
 * The text is spread by maxima, too: the ranks that did not fail add zeros. It takes no memory, so
 * it works after a failure to get some.
 */
enum qv_status exchange_spread(const struct qv_tables_ranks *ranks, int64_t failure,
			       enum qv_status status, struct qv_error *error)
{
	struct qv_error ignored = { "" };
	const int from = ranks->count - (int)failure;
	error = error ? error : &ignored;
	int64_t shared[1 + sizeof error->text] = { 0 };
	const int count = (int)(sizeof shared / sizeof *shared);
	for (int i = 0; ranks->rank == from && i < count; i++)
		shared[i] = i ? (unsigned char)error->text[i - 1] : (int64_t)status;
	ranks->max(ranks->ctx, shared, count);
	char text[sizeof error->text];
	for (int i = 1; i < count; i++)
		text[i - 1] = (char)shared[i];
	status = (enum qv_status)shared[0];
	if (status == QV_STOPPED || from == 0)
		return qv_fail(error, status, "%s", text);
	return qv_fail(error, status, "rank %d: %.240s", from, text);
}

enum qv_status exchange_agree(const struct qv_tables_ranks *ranks, enum qv_status status,
			      struct qv_error *error)
{
	if (!ranks)
		return status;
	const int64_t failure = exchange_max(ranks, exchange_failure(ranks, status));
	return failure ? exchange_spread(ranks, failure, status, error) : QV_OK;
}

/* ---- updates ---- */

/* Copies the queues of all workers, rank by rank, and empties them. */
static void collect(struct exchange *e, const struct retro *r, struct retro_worker *workers,
		    int count_workers)
{
	uint64_t *out = e->out;
	for (int rank = 0; rank < r->ranks->count; rank++)
		for (int i = 0; i < count_workers; i++) {
			struct retro_queue *q = &workers[i].queues[rank];
			if (q->count)
				memcpy(out, q->list, q->count * sizeof *q->list);
			out += q->count;
			q->count = 0;
		}
	for (int i = 0; i < count_workers; i++)
		workers[i].queued = 0;
}

enum qv_status exchange_updates(struct exchange *e, const struct retro *r,
				struct retro_worker *workers, int count_workers, size_t *count,
				struct qv_error *error)
{
	const struct qv_tables_ranks *ranks = r->ranks;
	const struct qv_allocator *allocator = r->spaces->allocator;
	const size_t n = (size_t)ranks->count;
	size_t going = 0, coming = 0;
	for (int i = 0; i < count_workers; i++)
		going += workers[i].queued;
	size_t *to = e->bytes, *from = e->bytes + n, *one = e->bytes + 2 * n;
	for (size_t rank = 0; rank < n; rank++) {
		to[rank] = 0;
		one[rank] = sizeof *to;
		for (int i = 0; i < count_workers; i++)
			to[rank] += workers[i].queues[rank].count * sizeof *e->out;
	}
	ranks->exchange(ranks->ctx, to, one, from, one);
	for (size_t rank = 0; rank < n; rank++)
		coming += from[rank] / sizeof *e->in;
	enum qv_status status = QV_OK;
	if (!mem_reserve(allocator, &e->out, &e->out_room, going, sizeof *e->out) ||
	    !mem_reserve(allocator, &e->in, &e->in_room, coming, sizeof *e->in))
		status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	status = exchange_agree(ranks, status, error);
	if (status != QV_OK)
		return status;
	collect(e, r, workers, count_workers);
	ranks->exchange(ranks->ctx, e->out, to, e->in, from);
	*count = coming;
	return QV_OK;
}

bool exchange_init(struct exchange *e, const struct retro *r)
{
	*e = (struct exchange){ .out = NULL };
	if (!r->ranks)
		return true;
	e->bytes = mem_new(r->spaces->allocator, 3 * (size_t)r->ranks->count, sizeof *e->bytes);
	return e->bytes;
}

void exchange_release(struct exchange *e, const struct retro *r)
{
	const struct qv_allocator *allocator = r->spaces->allocator;
	mem_free(allocator, e->out, e->out_room * sizeof *e->out);
	mem_free(allocator, e->in, e->in_room * sizeof *e->in);
	if (e->bytes)
		mem_free(allocator, e->bytes, 3 * (size_t)r->ranks->count * sizeof *e->bytes);
	*e = (struct exchange){ .out = NULL };
}

/* ---- finished tables ---- */

/* Bytes to gather at a time, about. */
enum { WINDOW = 1 << 20 };

/*
 * A table that is being gathered. A window of it has the same number of chunks from each rank. Only
 * the first rank has buffers for windows.
 */
struct gather {
	const struct retro_part *part;
	const struct values *mine;
	const struct qv_tables_ranks *ranks;
	uint64_t bytes;	       /* of the whole table */
	uint64_t chunks;       /* of each rank in a window */
	uint64_t windows;      /* gathered so far */
	unsigned char *raw;    /* the last of them: rank by rank */
	unsigned char *window; /* ... and in order */
	size_t *sizes;	       /* per rank: to send, to receive */
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Bytes of a chunk, and of a window. */
static uint64_t chunk_bytes(const struct gather *g)
{
	return (uint64_t)g->mine->width << g->part->shift;
}

static uint64_t window_bytes(const struct gather *g)
{
	return g->chunks * g->part->ranks * chunk_bytes(g);
}

/* The bytes of a chunk of the next window, which may be beyond the end of the table. */
static size_t chunk_size(const struct gather *g, uint64_t chunk, uint64_t rank)
{
	const uint64_t from =
		g->windows * window_bytes(g) + (chunk * g->part->ranks + rank) * chunk_bytes(g);
	return from < g->bytes ? (size_t)smaller(chunk_bytes(g), g->bytes - from) : 0;
}

/* Sends the next window of the table to the first rank, and puts its chunks in order there. */
static void gather_window(struct gather *g)
{
	const uint64_t ranks = g->part->ranks;
	size_t *to = g->sizes, *from = g->sizes + ranks;
	memset(g->sizes, 0, 2 * (size_t)ranks * sizeof *g->sizes);
	for (uint64_t chunk = 0; chunk < g->chunks; chunk++) {
		to[0] += chunk_size(g, chunk, g->part->rank);
		for (uint64_t rank = 0; g->part->rank == 0 && rank < ranks; rank++)
			from[rank] += chunk_size(g, chunk, rank);
	}
	g->ranks->exchange(g->ranks->ctx,
			   to[0] ? g->mine->data + g->windows * g->chunks * chunk_bytes(g) : NULL,
			   to, g->raw, from);
	const unsigned char *at = g->raw;
	for (uint64_t rank = 0; g->part->rank == 0 && rank < ranks; rank++)
		for (uint64_t chunk = 0; chunk < g->chunks; chunk++) {
			const size_t size = chunk_size(g, chunk, rank);
			memcpy(g->window + (chunk * ranks + rank) * chunk_bytes(g), at, size);
			at += size;
		}
	g->windows++;
}

/* table_source.read. A block may reach into the next window. */
static bool read_gathered(void *ctx, uint64_t from, size_t size, unsigned char *out)
{
	struct gather *g = ctx;
	const uint64_t bytes = window_bytes(g);
	while (size) {
		if (from / bytes == g->windows)
			gather_window(g);
		const size_t some = (size_t)smaller(size, bytes - from % bytes);
		memcpy(out, g->window + from % bytes, some);
		from += some;
		out += some;
		size -= some;
	}
	return true;
}

/* Adds up the counts of all ranks, on the first one. */
static void gather_counts(const struct gather *g, struct table_facts *facts, uint64_t *all)
{
	const struct qv_tables_ranks *ranks = g->ranks;
	uint64_t mine[] = { facts->wins, facts->draws, facts->losses, facts->holes };
	for (int rank = 0; rank < ranks->count; rank++) {
		g->sizes[rank] = rank ? 0 : sizeof mine;
		g->sizes[ranks->count + rank] = ranks->rank ? 0 : sizeof mine;
	}
	ranks->exchange(ranks->ctx, mine, g->sizes, all, g->sizes + ranks->count);
	facts->longest = (int)exchange_max(ranks, facts->longest);
	if (ranks->rank)
		return;
	facts->wins = facts->draws = facts->losses = facts->holes = 0;
	for (int rank = 0; rank < ranks->count; rank++, all += 4) {
		facts->wins += all[0];
		facts->draws += all[1];
		facts->losses += all[2];
		facts->holes += all[3];
	}
}

enum qv_status exchange_write_table(const struct retro *r, int space, const char *path,
				    struct table_facts *facts, struct qv_error *error)
{
	const struct qv_allocator *allocator = r->spaces->allocator;
	const size_t count = (size_t)r->ranks->count;
	struct gather g = { .part = &r->parts[space - r->first],
			    .mine = &r->values[space - r->first],
			    .ranks = r->ranks,
			    .bytes = facts->size * (uint64_t)facts->width,
			    .sizes = mem_new(allocator, 2 * count, sizeof *g.sizes) };
	uint64_t *counts = NULL;
	enum qv_status status = QV_OK;
	g.chunks = 1 + WINDOW / (g.part->ranks * chunk_bytes(&g));
	if (r->ranks->rank == 0) {
		g.raw = mem_new(allocator, 1, (size_t)window_bytes(&g));
		g.window = mem_new(allocator, 1, (size_t)window_bytes(&g));
		counts = mem_new(allocator, count, 4 * sizeof *counts);
	}
	if (!g.sizes || (r->ranks->rank == 0 && !(g.raw && g.window && counts)))
		status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	status = exchange_agree(r->ranks, status, error);
	if (status == QV_OK) {
		table_count(facts, &r->values[space - r->first]);
		gather_counts(&g, facts, counts);
		if (r->ranks->rank == 0)
			status = table_write_from(allocator, path, facts,
						  &(struct table_source){ read_gathered, &g },
						  error);
		/* The other ranks send everything, even if writing has failed. */
		while (g.windows * window_bytes(&g) < g.bytes)
			gather_window(&g);
		status = exchange_agree(r->ranks, status, error);
	}
	mem_free(allocator, g.sizes, g.sizes ? 2 * count * sizeof *g.sizes : 0);
	mem_free(allocator, g.raw, g.raw ? (size_t)window_bytes(&g) : 0);
	mem_free(allocator, g.window, g.window ? (size_t)window_bytes(&g) : 0);
	mem_free(allocator, counts, counts ? count * 4 * sizeof *counts : 0);
	return status;
}

/* ---- checkpoints ---- */

/* The values of a part and its counters. */
struct part_source {
	const struct values *values, *counters;
};

/* A table cannot be empty. */
uint64_t exchange_part_size(uint64_t numbers)
{
	return numbers ? 2 * numbers : 1;
}

/* table_source.read */
static bool read_part(void *ctx, uint64_t from, size_t size, unsigned char *out)
{
	const struct part_source *p = ctx;
	const int width = p->values->width;
	struct values block = { out, size / (size_t)width, width };
	const uint64_t first = from / (uint64_t)width;
	for (uint64_t i = 0; i < block.size; i++) {
		const uint64_t at = first + i;
		uint32_t code = CODE_DRAW;
		if (at < p->values->size)
			code = values_get(p->values, at);
		else if (at - p->values->size < p->counters->size)
			code = values_get(p->counters, at - p->values->size);
		values_put(&block, i, code);
	}
	return true;
}

enum qv_status exchange_write_part(const struct retro *r, int space, const char *path,
				   struct table_facts *facts, struct qv_error *error)
{
	struct part_source source = { &r->values[space - r->first],
				      &r->counters[space - r->first] };
	facts->size = exchange_part_size(source.values->size);
	facts->progress = r->parts[space - r->first].rank << r->parts[space - r->first].shift;
	return table_write_from(r->spaces->allocator, path, facts,
				&(struct table_source){ read_part, &source }, error);
}

enum qv_status exchange_read_part(struct table_file *file, struct values *values,
				  struct values *counters, struct qv_error *error)
{
	const struct table_facts *facts = &file->facts;
	const uint64_t per_block = TABLE_BLOCK / (uint64_t)facts->width;
	enum qv_status status = QV_OK;
	unsigned char *plain = mem_new(file->allocator, 1, TABLE_BLOCK);
	if (!plain)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	for (uint64_t block = 0; status == QV_OK && block < file->blocks; block++) {
		const struct values read = { plain, per_block, facts->width };
		status = table_read_block(file, block, plain, error);
		/* The file may be narrower than the arrays; a hole has another code then. */
		for (uint64_t i = 0, at = block * per_block;
		     status == QV_OK && i < per_block && at < facts->size; i++, at++) {
			const uint32_t code = values_get(&read, i);
			if (at < values->size)
				values_put(values, at, code);
			else if (at - values->size < counters->size)
				values_put(counters, at - values->size, code);
		}
	}
	mem_free(file->allocator, plain, TABLE_BLOCK);
	return status;
}
