/*
 * world.c - the server in its world: starting and crashing, requests and responses, faults.
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/sim.h"

enum { WALL = 1700000000 };

/* libsodium's random numbers have no context of their own. */
static struct sim *world;

static const char *random_name(void)
{
	return "simulated";
}

static uint32_t random_number(void)
{
	return (uint32_t)sim_next(&world->secrets);
}

static void random_bytes(void *out, const size_t size)
{
	unsigned char *bytes = out;
	for (size_t i = 0; i < size; i += 8) {
		const uint64_t number = sim_next(&world->secrets);
		for (size_t j = i; j < size && j < i + 8; j++)
			bytes[j] = (unsigned char)(number >> 8 * (j - i));
	}
}

static struct randombytes_implementation simulated = { .implementation_name = random_name,
						       .random = random_number,
						       .buf = random_bytes };

void sim_violation(struct sim *s, const char *format, ...)
{
	va_list args;
	if (s->violation[0])
		return;
	va_start(args, format);
	vsnprintf(s->violation, sizeof s->violation, format, args);
	va_end(args);
	/* The next server makes a new secret, and nobody is who they were. */
	struct stat secret;
	if (fstat(s->secret, &secret) == 0 && secret.st_nlink == 0)
		snprintf(s->violation, sizeof s->violation,
			 "the folder %s was removed while the simulation ran, so this shows nothing",
			 s->folder);
}

/* Eight bytes at a time, the same on every machine. */
void sim_note(struct sim *s, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	uint64_t hash = s->log;
	for (size_t i = 0; i < size; i += 8) {
		uint64_t word = 0;
		for (size_t j = i; j < size && j < i + 8; j++)
			word |= (uint64_t)bytes[j] << 8 * (j - i);
		hash = sim_mix(hash, word);
	}
	s->log = sim_mix(hash, size);
}

void sim_leaves(struct sim *s, const char *text, size_t size)
{
	if (!promises_see(&s->promises, text, size))
		sim_violation(s, "the secret of a roll to come has left the server: %.200s", text);
}

/* ---- The host of the server ---- */

static int64_t host_now(void *ctx)
{
	const struct sim *s = ctx;
	return s->now_ms;
}

static int64_t host_seconds(void *ctx)
{
	const struct sim *s = ctx;
	return WALL + s->now_ms / 1000 + s->wall_offset;
}

static void host_wake(void *ctx)
{
	(void)ctx;
}

static void host_log(void *ctx, const char *level, const char *text)
{
	struct sim *s = ctx;
	sim_leaves(s, text, strlen(text));
	if (s->verbose)
		fprintf(stderr, "%llu: %s: %s\n", (unsigned long long)s->report.steps, level, text);
	if (strncmp(text, "game ", 5) == 0 && strstr(text, ": cannot be loaded: ") &&
	    !s->heal_step && !disk_stopped(s->disk) && !s->down)
		sim_violation(s, "%s", text);
}

/* A process that has died tells nobody anything. */
static void host_respond(void *ctx, const struct api_response *a)
{
	struct sim *s = ctx;
	struct sim_call *call = &s->calls[a->call % CALLS];
	if (s->down || disk_stopped(s->disk))
		return;
	s->report.responses++;
	sim_note(s, &a->status, sizeof a->status);
	sim_note(s, a->text, a->size);
	sim_leaves(s, a->text, a->size);
	if (call->number != a->call) {
		sim_violation(s, "a response to call %llu, which has ended",
			      (unsigned long long)a->call);
		return;
	}
	if (s->verbose)
		fprintf(stderr, "%llu:   -> %llu %d %.300s\n", (unsigned long long)s->report.steps,
			(unsigned long long)a->call, a->status, a->text);
	clients_heard(s, call, a);
	if (a->end)
		call->number = 0;
}

/* ---- Time ---- */

/* How long a step takes, or a server is down: mostly a moment, sometimes minutes or hours. */
static void pass_time(struct sim *s)
{
	const uint64_t kind = sim_pick(s, 1000);
	const uint64_t most = kind < 700 ? 300 : kind < 960 ? 4000 : kind < 998 ? 40000 : 7200000;
	const int64_t passed = (int64_t)sim_pick(s, most + 1);
	s->now_ms += passed;
	s->report.ms += passed;
	if (sim_chance(s, 200) && !s->calm) {
		static const int64_t jumps[] = { -86400, -3600, -5, 5, 3600, 86400 };
		s->wall_offset += jumps[sim_pick(s, 6)];
		s->report.jumps++;
	}
}

/* ---- Starting and crashing ---- */

static void close_reader(struct sim *s)
{
	sqlite3_finalize(s->lines);
	sqlite3_close(s->reader);
	s->lines = NULL;
	s->reader = NULL;
}

/* All requests are lost; what their senders asked for may have happened or not. */
static void forget_calls(struct sim *s)
{
	for (int i = 0; i < CALLS; i++)
		s->calls[i].number = 0;
	for (int c = 0; c < CLIENTS; c++)
		s->clients[c].renew = true;
	for (int i = 0; i < PLAYS; i++) {
		s->plays[i].waiting = 0;
		s->plays[i].stale = true;
	}
}

/* A server that cannot start because of a fault is started again without it. */
static void boot(struct sim *s)
{
	const struct api_setup setup = {
		.context = s->context,
		.data = s->folder,
		.workers = 1,
		.hash_mb = 1,
		.per_address = 100,
		.host = { host_respond, host_wake, host_now, host_seconds, s, NULL, NULL, NULL },
		.log = { host_log, s },
		.manual = true,
		.vfs = "sim",
	};
	struct qv_error error = { "" };
	s->down = false;
	s->starts++;
	s->booted_ms = s->stepped_ms = s->now_ms;
	for (int attempt = 0; attempt < 3; attempt++) {
		if (api_open(&setup, &s->api, &error) == QV_OK)
			return;
		const bool stopped = disk_stopped(s->disk);
		if (stopped)
			disk_restart(s->disk);
		else if (!s->heal_step)
			sim_violation(s, "the server cannot start: %s", error.text);
		disk_heal(s->disk);
	}
	sim_violation(s, "the server cannot start: %s", error.text);
}

/* The process is dead. Its memory is given back, which changes nothing: its disk has stopped. */
static void bury(struct sim *s)
{
	s->down = true;
	close_reader(s);
	api_close(s->api);
	s->api = NULL;
}

/* For a while there is no server. Then clients come back, and find everything that they were told. */
static void come_back(struct sim *s)
{
	const int64_t died_ms = s->now_ms;
	forget_calls(s);
	pass_time(s);
	s->down_ms += s->now_ms - died_ms;
	boot(s);
	for (int i = 0; i < PLAYS && !s->violation[0]; i++)
		if (s->plays[i].id[0])
			play_verify(s, &s->plays[i]);
}

static void restart(struct sim *s)
{
	bury(s);
	disk_restart(s->disk);
	s->heal_step = 0;
	come_back(s);
}

/* The server is stopped as an operator does it: it still answers what it can. */
static void stop_and_start(struct sim *s)
{
	close_reader(s);
	api_close(s->api);
	s->api = NULL;
	if (disk_stopped(s->disk))
		disk_restart(s->disk);
	s->report.stops++;
	come_back(s);
}

bool sim_open(struct sim *s, uint64_t seed)
{
	char path[128];
	static const char secret[32] = "a secret that everybody may know";
	*s = (struct sim){ .seed = seed, .folder = "simulate-XXXXXX", .secret = -1 };
	/* There is one thread, and nobody reads the statistics. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	world = s;
	randombytes_set_implementation(&simulated);
	s->disk = disk_new("sim", seed);
	s->context = qv_context_new(NULL);
	/* It takes random numbers when it starts: before the first world does. */
	if (sodium_init() < 0 || !s->disk || !s->context || !mkdtemp(s->folder))
		return false;
	snprintf(path, sizeof path, "%s/secret", s->folder);
	FILE *file = fopen(path, "wb");
	if (!file)
		return false;
	const bool written = fwrite(secret, sizeof secret, 1, file) == 1;
	s->secret = dup(fileno(file));
	return fclose(file) == 0 && written && s->secret >= 0 && chmod(path, 0600) == 0;
}

static void end_world(struct sim *s)
{
	if (!s->api)
		return;
	bury(s);
	for (int i = 0; i < PLAYS; i++)
		if (s->plays[i].id[0])
			play_drop(s, &s->plays[i]);
}

void sim_close(struct sim *s)
{
	char path[512];
	end_world(s);
	DIR *dir = opendir(s->folder);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		snprintf(path, sizeof path, "%s/%.255s", s->folder, e->d_name);
		unlink(path);
	}
	if (dir)
		closedir(dir);
	rmdir(s->folder);
	close(s->secret);
	disk_free(s->disk);
	qv_context_free(s->context);
	world = NULL;
}

void sim_new_world(struct sim *s, uint64_t seed)
{
	end_world(s);
	s->random.state = seed;
	s->log = seed;
	s->secrets.state = ~seed;
	disk_format(s->disk, seed ^ 0x5555);
	s->now_ms = 1000;
	s->wall_offset = 0;
	s->down_ms = 0;
	s->heal_step = 0;
	s->calm = false;
	s->next_call = 0;
	s->generations = 0;
	forget_calls(s);
	memset(s->old, 0, sizeof s->old);
	memset(s->ended, 0, sizeof s->ended);
	memset(&s->promises, 0, sizeof s->promises);
	s->report.worlds++;
	boot(s);
	clients_begin(s);
}

/* ---- Requests ---- */

/* For somebody who looks on. */
static void print_request(const struct sim *s, const struct sim_call *call, const char *path,
			  const json_t *body)
{
	char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
	fprintf(stderr, "%llu: at %lld client %d: %llu %s %s\n",
		(unsigned long long)s->report.steps, (long long)s->now_ms, call->client,
		(unsigned long long)call->number, path, text ? text : "");
	free(text);
}

/* The number leads to the place of the call; 0 is no number. */
static struct sim_call *free_call(struct sim *s)
{
	for (int i = 0; i < CALLS; i++) {
		const uint64_t number = ++s->next_call;
		if (!s->calls[number % CALLS].number)
			return &s->calls[number % CALLS];
	}
	return NULL;
}

struct sim_call *sim_send(struct sim *s, const struct sim_call *what, bool post, const char *path,
			  json_t *body)
{
	struct sim_call *call = free_call(s);
	char bare[API_PATH];
	const char *query = strchr(path, '?');
	struct client *client = &s->clients[what->client];
	/* Without a session nothing is possible but to log in. */
	const bool may = s->api && (what->kind == SENT_LOGIN || what->kind == SENT_ACCOUNT ||
				    what->kind == SENT_ENDED || !client->out);
	if (may && !api_recheck(s->api, &client->visitor))
		client->renew = true;
	if (!call || !may || client->renew) {
		json_decref(body);
		return NULL;
	}
	*call = *what;
	call->number = s->next_call;
	call->sent_ms = s->now_ms;
	call->session = client->session;
	call->tokens = client->tokens;
	call->by_seat = client->visitor.play[0];
	call->by_token = call->by_seat ? client->seat_by_token : client->visitor.by_token;
	if (call->play >= 0) {
		call->generation = s->plays[call->play].generation;
		s->plays[call->play].waiting += call->kind == SENT_MOVE || call->kind == SENT_ACTION;
	}
	snprintf(bare, sizeof bare, "%.*s", query ? (int)(query - path) : (int)strlen(path), path);
	const struct api_request request = { .method = post ? API_POST : API_GET,
					     .path = bare,
					     .query = query ? query + 1 : "",
					     .body = body,
					     .visitor = &client->visitor,
					     .call = call->number };
	s->report.requests++;
	sim_note(s, path, strlen(path));
	if (s->verbose)
		print_request(s, call, path, body);
	api_handle(s->api, &request);
	json_decref(body);
	return call->number == request.call ? call : NULL;
}

/* What it asked for may still happen. */
void sim_cancel(struct sim *s, struct sim_call *call)
{
	const uint64_t number = call->number;
	if (call->play >= 0 && s->plays[call->play].generation == call->generation) {
		struct play *p = &s->plays[call->play];
		p->waiting -= call->kind == SENT_MOVE || call->kind == SENT_ACTION;
		p->stale |= call->kind == SENT_MOVE || call->kind == SENT_ACTION;
	}
	call->number = 0;
	api_cancel(s->api, number);
}

/* ---- Steps ---- */

/*
 * Connections are cut, disks fail, processes die. Here and elsewhere: never two random numbers in one
 * expression, since their order would be the compiler's.
 */
static void cause_trouble(struct sim *s)
{
	const uint64_t kind = sim_pick(s, 600);
	if (s->heal_step && s->report.steps >= s->heal_step) {
		disk_heal(s->disk);
		s->heal_step = 0;
	}
	if (s->calm || s->heal_step)
		return;
	if (kind < 8) { /* one operation fails, or all of a kind for a while */
		const bool lasts = kind < 2;
		const unsigned kinds = 1u << sim_pick(s, DISK_OPS);
		disk_fail(s->disk, kinds, sim_pick(s, 20), lasts);
		s->heal_step = s->report.steps + 5 + sim_pick(s, lasts ? 60 : 20);
	} else if (kind == 8) {
		disk_limit(s->disk, disk_bytes(s->disk) + sim_pick(s, 20000));
		s->heal_step = s->report.steps + 5 + sim_pick(s, 60);
	} else if (kind == 9) {
		const bool power = sim_chance(s, 2);
		disk_stop(s->disk, sim_pick(s, 30), power);
	}
}

/* The threads of the server get their turns in any order, or not. */
static void run_server(struct sim *s)
{
	while (!sim_chance(s, 3) && api_step(s->api, API_WORKER))
		;
	if (sim_chance(s, 2)) {
		s->report.delays++;
	} else {
		bool more = true;
		while (more && !sim_chance(s, 20))
			more = api_step(s->api, API_STORE);
		api_turn(s->api);
		if (!more)
			s->stepped_ms = s->now_ms;
		return;
	}
	api_turn(s->api);
}

void sim_step(struct sim *s)
{
	s->report.steps++;
	pass_time(s);
	cause_trouble(s);
	/* Quiet moments and busy ones, in which a commit has the lines of many games. */
	const uint64_t most = sim_chance(s, 4) ? 6 : 24;
	for (uint64_t i = 1 + sim_pick(s, most); i > 0 && !disk_stopped(s->disk); i--)
		clients_act(s);
	run_server(s);
	if (disk_stopped(s->disk))
		restart(s);
	else if (!s->calm && sim_chance(s, 2000))
		stop_and_start(s);
}

void sim_settle(struct sim *s)
{
	s->calm = true;
	disk_heal(s->disk);
	s->heal_step = 0;
	for (int i = 0; i < 200 && !s->violation[0]; i++) {
		while (api_step(s->api, API_WORKER))
			;
		while (api_step(s->api, API_STORE))
			;
		api_turn(s->api);
		s->stepped_ms = s->now_ms;
		if (disk_stopped(s->disk))
			restart(s);
	}
	for (int i = 0; i < CALLS; i++)
		if (s->calls[i].number && s->calls[i].kind != SENT_STREAM)
			sim_violation(s, "call %llu has had no response",
				      (unsigned long long)s->calls[i].number);
}
