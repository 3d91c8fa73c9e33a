/*
 * waiting.c - requests that wait for rows of the store or for games, and then run again.
 * SPDX-License-Identifier: MIT
 *
 * The store never answers at once. A route that needs rows asks for them (read_rows), gets
 * READ_LATER and returns. Then the request is parked: a copy of it waits, as a call, until all that
 * it asked for is there. Then the route runs again from its beginning, finds the rows, and comes
 * further. So a route reads first; what must happen only once comes after its last read.
 *
 * What a request keeps from one run to the next is in struct request_run: the rows, the games that
 * it waited for, the rate limits that it has paid, the result of a worker. The server's own work
 * that needs rows runs in the same way, as a request from inside.
 */
#include <stdlib.h>

#include "server/api/inside.h"

enum { RUNS_MOST = 12 }; /* of one request; each waits for something else */

#define FROM_INSIDE ((uint64_t)1 << 63) /* of the numbers of calls: nobody gets the response */

/* ---- What a request keeps ---- */

enum read_state {
	READ_WANTED, /* asked for once the route has returned */
	READ_ASKED,  /* the store has a pointer to it */
	READ_HERE,
};

/* Rows that a request needs. */
struct read {
	struct api *api;
	uint64_t call; /* 0: the request is gone */
	enum store_question question;
	struct store_rows *values; /* one row: a copy */
	enum read_state state;
	enum qv_status status; /* of READ_HERE */
	struct store_rows *rows;
	uint64_t renames; /* api->renames when it was asked */
	struct read *next;
};

/* A game that a request has waited for. */
struct load_wait {
	char id[API_USER];
	int status; /* 0: on its way; else as in HTTP */
	struct load_wait *next;
};

/* A list of games that another node is asked for. */
struct node_ask {
	char node[STORE_NODE];
	enum read_state state;
	char *text; /* of READ_HERE; NULL: it could not be had */
	struct node_ask *next;
};

static void read_free(struct read *read)
{
	store_rows_free(read->values);
	store_rows_free(read->rows);
	free(read);
}

/* Reads that are on their way are freed when they arrive. */
static void run_release(struct request_run *run)
{
	while (run->reads) {
		struct read *read = run->reads;
		run->reads = read->next;
		read->call = 0;
		if (read->state != READ_ASKED)
			read_free(read);
	}
	while (run->loads) {
		struct load_wait *load = run->loads;
		run->loads = load->next;
		free(load);
	}
	while (run->asks) {
		struct node_ask *ask = run->asks;
		run->asks = ask->next;
		free(ask->text);
		free(ask);
	}
	request_position_release(&run->kept);
	if (run->release)
		run->release(run->ctx);
	free(run->job_text);
	*run = (struct request_run){ .settled = true };
}

/* ---- Parking ---- */

/* A copy of a request that will run again. */
struct parked {
	struct api_request request; /* its pointers point to the fields below */
	struct visitor visitor;
	struct request_run run;
	char path[API_PATH];
	char query[];
};

void request_forget_games(struct parked *parked)
{
	while (parked->run.loads) {
		struct load_wait *load = parked->run.loads;
		parked->run.loads = load->next;
		free(load);
	}
}

const struct visitor *parked_visitor(const struct parked *parked)
{
	return &parked->visitor;
}

bool request_is_get(const struct parked *parked)
{
	return parked->request.method == API_GET;
}

void parked_free(struct parked *parked)
{
	if (!parked)
		return;
	json_decref(parked->request.body);
	run_release(&parked->run);
	free(parked);
}

/* Copies everything that the request borrows; the body is shared by reference. */
struct call *call_park(struct api *api, const struct api_request *r, enum call_kind kind)
{
	const size_t size = strlen(r->query) + 1;
	struct parked *parked = malloc(sizeof *parked + size);
	if (!parked) {
		reply_no_memory(api, r->call);
		return NULL;
	}
	parked->request = *r;
	parked->visitor = *r->visitor;
	snprintf(parked->path, sizeof parked->path, "%s", r->path);
	memcpy(parked->query, r->query, size);
	/* From here on the request points into its own copy. */
	parked->request.visitor = &parked->visitor;
	parked->request.path = parked->path;
	parked->request.query = parked->query;
	json_incref(r->body);
	/* What it keeps moves here; the run that ends has nothing left. */
	parked->run = *api->run;
	*api->run = (struct request_run){ .settled = true };
	struct call *call = call_new(api, r->call, r->visitor->user, kind);
	if (call)
		call->parked = parked;
	else
		parked_free(parked);
	return call;
}

/* The call is freed first: the request gets a new one if it has to wait again. */
void call_resume(struct api *api, struct call *call)
{
	struct parked *parked = call->parked;
	call->parked = NULL;
	call_free(api, call);
	request_run(api, &parked->request, &parked->run);
	parked_free(parked);
}

/* Keeps the result for the route, which runs again. */
void call_resume_with(struct api *api, struct call *call, const char *text)
{
	struct request_run *run = &call->parked->run;
	run->job_ended = true;
	run->job_text = text ? strdup(text) : NULL;
	call_resume(api, call);
}

/* ---- Running ---- */

/* One of the things that the call waits for is there. */
static void one_less(struct api *api, struct call *call)
{
	if (--call->waits == 0)
		call_resume(api, call);
}

static void on_rows(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct read *read = ctx;
	struct call *call = read->call ? call_find(read->api, read->call) : NULL;
	read->state = READ_HERE;
	read->status = rows ? QV_OK : QV_IO;
	read->rows = rows;
	if (!rows && !read->api->closing)
		api_failed(read->api, read->call, 503, error->text);
	if (!read->call)
		read_free(read);
	else if (call && !read->api->closing) /* api_close responds to those that wait */
		one_less(read->api, call);
}

bool request_pays(struct api *api, uint64_t number, size_t requests)
{
	struct call *call = call_find(api, number);
	if (!call || call->kind != CALL_WAIT)
		return false;
	struct request_run *run = &call->parked->run;
	if (!run->load_paid && !(number & FROM_INSIDE))
		run->load_paid =
			api_take_requests(api, call->parked->visitor.address, requests);
	return run->load_paid || (number & FROM_INSIDE);
}

void request_loaded(struct api *api, uint64_t number, const char *id, int status)
{
	struct call *call = call_find(api, number);
	if (!call || call->kind != CALL_WAIT)
		return;
	for (struct load_wait *load = call->parked->run.loads; load; load = load->next)
		if (!load->status && strcmp(load->id, id) == 0) {
			load->status = status;
			one_less(api, call);
			return;
		}
}

void request_heard(struct api *api, uint64_t number, const char *node, const char *text)
{
	struct call *call = call_find(api, number);
	if (!call || call->kind != CALL_WAIT)
		return;
	for (struct node_ask *ask = call->parked->run.asks; ask; ask = ask->next)
		if (ask->state == READ_ASKED && strcmp(ask->node, node) == 0) {
			ask->state = READ_HERE;
			ask->text = text ? strdup(text) : NULL;
			one_less(api, call);
			return;
		}
}

/* Asks the store for the rows and the games; what it refuses at once is there at once. */
static void start_waiting(struct api *api, struct call *call)
{
	const struct parked *parked = call->parked;
	const char *address = parked->visitor.address;
	for (struct read *read = parked->run.reads; read; read = read->next) {
		if (read->state != READ_WANTED)
			continue;
		read->call = call->number;
		/* The database cannot be reached, and may not say so for long. */
		read->status =
			cluster_is_lost(api)
				? QV_IO
				: store_read_for(api->store, address, read->question,
						 read->values->values, read->values->columns,
						 on_rows, read);
		read->state = read->status == QV_OK ? READ_ASKED : READ_HERE;
		call->waits += read->state == READ_ASKED;
	}
	for (struct load_wait *load = parked->run.loads; load; load = load->next) {
		if (load->status)
			continue;
		load->status = room_load_for(api, load->id, address, call->number);
		call->waits += !load->status;
	}
	for (struct node_ask *ask = parked->run.asks; ask; ask = ask->next) {
		if (ask->state != READ_WANTED)
			continue;
		ask->state = cluster_ask(api, ask->node, parked->run.list, parked->run.list_user,
					 call->number)
				     ? READ_ASKED
				     : READ_HERE;
		call->waits += ask->state == READ_ASKED;
	}
}

bool request_waits(const struct api *api)
{
	bool waits = false;
	for (const struct read *read = api->run->reads; read; read = read->next)
		waits |= read->state == READ_WANTED;
	for (const struct load_wait *load = api->run->loads; load; load = load->next)
		waits |= !load->status;
	for (const struct node_ask *ask = api->run->asks; ask; ask = ask->next)
		waits |= ask->state == READ_WANTED;
	return waits;
}

/* Parks the request if its route has asked for something. */
static void settle(struct api *api, const struct api_request *r, struct request_run *run)
{
	if (run->settled || !request_waits(api))
		return;
	if (run->runs >= RUNS_MOST) {
		reply_error(api, r->call, 503, "server: the request waits for too much; try again");
		return;
	}
	struct call *call = call_park(api, r, CALL_WAIT);
	if (!call)
		return;
	call->waits = 1; /* so that nothing resumes it before all is asked for */
	start_waiting(api, call);
	one_less(api, call);
}

void request_run(struct api *api, const struct api_request *request, struct request_run *run)
{
	struct request_run *const outer = api->run;
	struct request_position *const position = api->position;
	struct api_request r = *request;
	struct visitor who;
	struct api_busy busy;
	api_busy_begin(api, &busy, request->visitor->address);
	api->run = run;
	if (run->kept.record)
		api->position = &run->kept;
	run->call = r.call;
	run->limits = 0;
	run->runs++;
	if (run->route)
		run->route(api, &r);
	else if (request_identify(api, &r, &who))
		route_request(api, &r);
	settle(api, &r, run);
	/* A route that neither responds nor waits has run out of memory. */
	if (!run->settled && !(r.call & FROM_INSIDE) && !call_find(api, r.call))
		reply_no_memory(api, r.call);
	api->position = position;
	api->run = outer;
	run_release(run);
	api_busy_end(api, &busy);
}

uint64_t request_number(struct api *api)
{
	return FROM_INSIDE | ++api->inside_count;
}

bool request_is_inside(uint64_t number)
{
	return number & FROM_INSIDE;
}

uint64_t request_inside(struct api *api, route_fn *route, void *ctx, void (*release)(void *ctx),
			const char *path, const char *query, const char *address)
{
	struct visitor nobody = { .user = "" };
	struct request_run run = { .route = route, .ctx = ctx, .release = release };
	const struct api_request r = { .path = path,
				       .query = query,
				       .visitor = &nobody,
				       .words = { "", "" },
				       .call = request_number(api) };
	snprintf(nobody.address, sizeof nobody.address, "%s", address);
	request_run(api, &r, &run);
	return r.call;
}

/* A route that has responded waits for nothing more. */
void api_respond(struct api *api, const struct api_response *response)
{
	if (api->run && api->run->call == response->call)
		api->run->settled = true;
	if (!(response->call & FROM_INSIDE) && !cluster_respond(api, response))
		api->setup.host.respond(api->setup.host.ctx, response);
}

/* ---- For routes ---- */

/* Is it the same question? */
static bool same_question(const struct read *read, enum store_question question,
			  const struct store_value *values, int count)
{
	if (read->question != question || read->values->columns != count)
		return false;
	for (int i = 0; i < count; i++) {
		const struct store_value *v = &read->values->values[i];
		if (v->type != values[i].type || v->number != values[i].number ||
		    v->size != values[i].size ||
		    (v->size && memcmp(v->bytes, values[i].bytes, v->size) != 0))
			return false;
	}
	return true;
}

/* Adds the question to those that the request waits for. */
static void add_read(struct api *api, const struct api_request *r, enum store_question question,
		     const struct store_value *values, int count)
{
	struct read *read = calloc(1, sizeof *read);
	bool good = read && (read->values = rows_new(count, 0));
	for (int i = 0; good && i < count; i++)
		good = rows_add(read->values, &values[i]);
	if (!good) {
		if (read)
			read_free(read);
		reply_no_memory(api, r->call);
		return;
	}
	rows_end(read->values);
	read->api = api;
	read->question = question;
	read->renames = api->renames;
	read->next = api->run->reads;
	api->run->reads = read;
}

const struct store_rows *read_rows(struct api *api, const struct api_request *r,
				   enum store_question question, const struct store_value *values,
				   int count, bool *fresh)
{
	struct request_run *run = api->run;
	const struct read *read = run->reads;
	if (run->settled)
		return NULL;
	while (read && !same_question(read, question, values, count))
		read = read->next;
	if (!read) {
		add_read(api, r, question, values, count);
		return NULL;
	}
	if (read->state == READ_HERE && read->status != QV_OK)
		reply_error(api, r->call, 503, "store: it cannot be read now; try again");
	if (fresh)
		*fresh = read->renames == api->renames;
	return read->state == READ_HERE ? read->rows : NULL;
}

int request_wait_for(struct api *api, const struct api_request *r, const char *id)
{
	struct request_run *run = api->run;
	for (const struct load_wait *load = run->loads; load; load = load->next)
		if (strcmp(load->id, id) == 0)
			return load->status == 200 ? 503 : load->status;
	struct load_wait *load = run->settled ? NULL : calloc(1, sizeof *load);
	if (!load) {
		if (!run->settled)
			reply_no_memory(api, r->call);
		return 0;
	}
	snprintf(load->id, sizeof load->id, "%s", id);
	load->next = run->loads;
	run->loads = load;
	return 0;
}

bool request_ask_node(struct api *api, const struct api_request *r, const char *node,
		      const char *list, const char *user, const char **text)
{
	struct request_run *run = api->run;
	struct node_ask *ask = run->asks;
	*text = NULL;
	while (ask && strcmp(ask->node, node) != 0)
		ask = ask->next;
	if (!ask && !run->settled) {
		if (!(ask = calloc(1, sizeof *ask))) {
			reply_no_memory(api, r->call);
			return false;
		}
		snprintf(ask->node, sizeof ask->node, "%s", node);
		ask->next = run->asks;
		run->asks = ask;
		run->list = list;
		snprintf(run->list_user, sizeof run->list_user, "%s", user);
	}
	if (ask && ask->state == READ_HERE)
		*text = ask->text ? ask->text : "";
	return *text;
}

void request_keep_position(struct api *api, struct request_position *position)
{
	request_position_release(&api->run->kept);
	api->run->kept = *position;
	*position = (struct request_position){ 0 };
}
