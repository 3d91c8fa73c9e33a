/*
 * protocol_player.c - any player of any spec; and a program outside as a player.
 * SPDX-License-Identifier: MIT
 *
 * Such a player is a child process and the manager's side of a protocol. Every exchange sends lines
 * and then reads until the awaited event, a deadline or a fault. A fault ends the program: the
 * player stores what it did, and the next game starts it again.
 */
#include "programs/protocol_player.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "core/context.h"
#include "formats/chess960.h"
#include "programs/engine_options.h"
#include "record/record.h"

enum {
	HELLO_MS = 5000,     /* to say hello, and to accept a new game */
	SERVED_MS = 30000,   /* the same for GNU Backgammon, which loads nets and tables first */
	EXTRA_MS = 1000,     /* beyond its time for a move */
	PATIENCE_MS = 60000, /* its time for a move if nothing limits it */
	LISTEN_MS = 10,	     /* how often the caller's stop flag is read */
};

static const struct player_ops program_ops; /* below */

/* Players of the library have other ops. */
static bool is_program(const struct qv_player *player)
{
	return player->ops == &program_ops;
}

static struct protocol_player *own(struct qv_player *p)
{
	return (struct protocol_player *)p;
}

struct protocol_player *protocol_player(const struct qv_player *player)
{
	return is_program(player) ? (struct protocol_player *)(uintptr_t)player : NULL;
}

/* ---- Faults ---- */

const char *player_fault_text(enum player_fault fault)
{
#define X(id, text) [id] = text,
	static const char *const texts[PLAYER_FAULTS] = { PLAYER_FAULT_LIST(X) };
#undef X
	return fault < PLAYER_FAULTS ? texts[fault] : "?";
}

/* Stores and logs the fault, which p->words describes. */
static enum qv_status keep_fault(struct protocol_player *p, enum player_fault fault, pid_t pid,
				 struct qv_error *error)
{
	p->fault = fault;
	qv_fail(&p->why, QV_IO, "%.100s: %.150s", p->spec.command, p->words.text);
	engine_log_line(&p->log, pid, '#', p->words.text, strlen(p->words.text));
	if (error)
		*error = p->why;
	return fault == FAULT_ILLEGAL ? QV_ILLEGAL : QV_IO;
}

/*
 * The detail of a crash tells when, such as " during the handshake". The last line of standard error
 * belongs to what ended the program, not to its moves.
 */
enum qv_status protocol_misbehave(struct protocol_player *p, enum player_fault fault,
				  const char *detail, struct qv_error *error)
{
	const pid_t pid = p->child.pid;
	/* After a crash, wait until it has ended by itself, so that its status is known. */
	const int status = child_end(&p->child, fault == FAULT_CRASH);
	const char *text = detail ? detail : "", *of = player_fault_text(fault);
	const bool silent = fault != FAULT_CRASH && fault != FAULT_HELLO;
	const char *complaint = silent ? "" : p->child.complaint, *colon = *complaint ? ": " : "";
	if (fault != FAULT_CRASH)
		qv_fail(&p->words, QV_IO, "%s%s%.120s%s%.80s", of,
			!detail			 ? ""
			: fault == FAULT_ILLEGAL ? " "
						 : ": ",
			text, colon, complaint);
	else if (status >= 0 && WIFEXITED(status))
		qv_fail(&p->words, QV_IO, "%s%s: exit status %d%s%.120s", of, text,
			WEXITSTATUS(status), colon, complaint);
	else if (status >= 0 && WIFSIGNALED(status))
		qv_fail(&p->words, QV_IO, "it was killed%s by signal %d (%s)%s%.120s", text,
			WTERMSIG(status), strsignal(WTERMSIG(status)), colon, complaint);
	else
		qv_fail(&p->words, QV_IO, "it closed its output%s%s%.120s", text, colon, complaint);
	return keep_fault(p, fault, pid, error);
}

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
}

/* ---- Exchanges ---- */

/* How to wait for an answer. */
struct patience {
	int64_t until_us;
	enum player_fault late; /* the fault if time runs out */
	const char *awaits;	/* in a handshake: the protocol's word that ends it; else NULL */
	const struct qv_flag *stop; /* the caller's; may be NULL */
	bool stopped;		    /* the stop was passed on to the program */
	bool mute;		    /* silence is an answer, unless the program asks for time */
	const struct qv_listener *listener;
	const void *state;
	int64_t began_us; /* when the question was asked */
};

/* A line could not be read, or not be written: the fault that follows from it. */
static enum qv_status no_line(struct protocol_player *p, enum child_got got,
			      const struct patience *patience, struct qv_error *error)
{
	static const enum player_fault faults[] = { [CHILD_ENDED] = FAULT_CRASH,
						    [CHILD_LONG_LINE] = FAULT_LINE,
						    [CHILD_FLOOD] = FAULT_FLOOD };
	const enum player_fault fault = got == CHILD_TIMEOUT ? patience->late : faults[got];
	char missing[64];
	const char *detail = NULL;
	if (patience->awaits && fault == FAULT_CRASH)
		detail = " during the handshake";
	if (patience->awaits && fault == FAULT_HELLO) {
		snprintf(missing, sizeof missing, "no '%s'", patience->awaits);
		detail = missing;
	}
	return protocol_misbehave(p, fault, detail, error);
}

/* Sends p->say. */
static enum qv_status send(struct protocol_player *p, const struct patience *patience,
			   struct qv_error *error)
{
	if (p->say.failed) {
		string_release(&p->say);
		child_end(&p->child, false);
		return no_memory(error);
	}
	const enum child_got got =
		child_write(&p->child, p->say.data, p->say.length, patience->until_us);
	p->say.length = 0;
	return got == CHILD_LINE ? QV_OK : no_line(p, got, patience, error);
}

/* Finds the legal move that the program means; false if no legal move fits. */
static bool read_move(const struct protocol_player *p, const void *state, const char *text,
		      qv_move *move)
{
	const struct manager_ops *ops = p->manager.ops;
	if (ops->move_parse)
		return ops->move_parse(state, text, move);
	return qv_move_parse(p->base.rules.game, state, text, move, NULL) == QV_OK;
}

/* Reads the moves of the program's line, up to the first that is not legal. */
static void read_line(struct protocol_player *p, const void *state, struct qv_answer *out)
{
	const struct qv_game *game = p->base.rules.game;
	const char *separator = p->manager.ops->separator, *at = p->manager.info.pv;
	int32_t points[QV_MAX_SEATS];
	memcpy(p->scratch, state, game->state_size);
	out->line_length = 0;
	while (*at && out->line_length < QV_MAX_LINE &&
	       game->result(p->scratch, points) == QV_GOING) {
		char word[2 * QV_MOVE_TEXT];
		qv_move move;
		const char *end = strstr(at, separator);
		const size_t length = end ? (size_t)(end - at) : strlen(at);
		if (length >= sizeof word)
			return;
		memcpy(word, at, length);
		word[length] = '\0';
		if (!read_move(p, p->scratch, word, &move))
			return;
		out->line[out->line_length++] = move;
		game->play(p->scratch, move);
		at = end ? end + strlen(separator) : at + length;
	}
}

/* Reads what the program reported about its search. */
static void read_claims(struct protocol_player *p, const void *state, struct qv_answer *out)
{
	const struct manager_info *info = &p->manager.info;
	out->score = info->score;
	out->bound = info->bound;
	out->proven = info->proven;
	out->depth = info->depth;
	out->nodes = info->nodes;
	out->evals = info->evals;
	out->considered = info->considered;
	read_line(p, state, out);
}

/* Passes the progress of the search on, if its line has a legal move. */
static void report(struct protocol_player *p, const struct patience *patience)
{
	struct qv_answer so_far = { .move = QV_NO_MOVE };
	if (!patience->listener || !patience->listener->iteration || !patience->state)
		return;
	read_claims(p, patience->state, &so_far);
	if (!so_far.line_length)
		return;
	so_far.move = so_far.line[0];
	so_far.seconds = (double)(clock_us() - patience->began_us) / 1e6;
	patience->listener->iteration(patience->listener->ctx, &so_far);
}

/*
 * Keeps a line of the handshake that declares options, unless there are too many. A flood of other
 * lines must not take long.
 */
static void keep_declared(struct protocol_player *p, const char *line)
{
	struct engine_option option;
	size_t at = 0;
	if (strncmp(line, "option ", 7) != 0 && strncmp(line, "feature ", 8) != 0 &&
	    strncmp(line, "param ", 6) != 0)
		return;
	if (p->declared.length + strlen(line) < ENGINE_OPTIONS_MOST &&
	    engine_option_read(p->spec.ops, line, &at, &option))
		string_addf(&p->declared, "%s\n", line);
}

/* Reads lines until the wanted event, or until a fault. */
static enum qv_status await_event(struct protocol_player *p, enum manager_event wanted,
				  struct patience *patience, struct qv_error *error)
{
	for (;;) {
		const bool listens = patience->stop && !patience->stopped;
		if (listens && flag_is_set(patience->stop)) {
			/* Pass the stop on; the program has a second left. */
			const int64_t soon = clock_us() + EXTRA_MS * 1000;
			if (soon < patience->until_us)
				patience->until_us = soon;
			patience->stopped = true;
			p->manager.ops->stop(&p->manager, &p->say);
			const enum qv_status status = send(p, patience, error);
			if (status != QV_OK)
				return status;
			continue;
		}
		char *line;
		size_t length;
		const int64_t slice = clock_us() + LISTEN_MS * 1000;
		const int64_t until =
			listens && slice < patience->until_us ? slice : patience->until_us;
		const enum child_got got = child_read(&p->child, until, &line, &length);
		const bool late = clock_us() >= patience->until_us;
		if (got == CHILD_TIMEOUT && !late)
			continue;
		if (got == CHILD_TIMEOUT && patience->mute) {
			if (!p->manager.slow) {
				p->manager.awaited = 0;
				return QV_OK;
			}
			patience->mute = false;
			patience->until_us += INT64_C(1000) * HELLO_MS;
			continue;
		}
		if (got != CHILD_LINE)
			return no_line(p, got, patience, error);
		if (patience->awaits)
			keep_declared(p, line);
		const enum manager_event event = p->manager.ops->line(&p->manager, line, length);
		if (event == wanted)
			return QV_OK;
		if (event == MANAGER_INFO)
			report(p, patience);
		if (event == MANAGER_RESIGNS) { /* not a fault: it runs on, for the next game */
			qv_fail(&p->words, QV_IO, "%s", player_fault_text(FAULT_RESIGNED));
			return keep_fault(p, FAULT_RESIGNED, p->child.pid, error);
		}
		if (event == MANAGER_REFUSED || event == MANAGER_GARBAGE)
			return protocol_misbehave(
				p, event == MANAGER_REFUSED ? FAULT_REFUSED : FAULT_GARBAGE,
				p->manager.error.text, error);
		if (late)
			return no_line(p, CHILD_TIMEOUT, patience, error);
	}
}

/* Sends p->say and waits for the event. In protocols that do not confirm, ready is at once. */
static enum qv_status exchange(struct protocol_player *p, enum manager_event wanted,
			       struct patience *patience, struct qv_error *error)
{
	const enum qv_status status = send(p, patience, error);
	if (status == QV_OK && wanted == MANAGER_READY && !p->manager.awaited)
		return QV_OK; /* the protocol has no answer to it */
	return status == QV_OK ? await_event(p, wanted, patience, error) : status;
}

/* ---- Starting ---- */

static struct patience hello_patience(const char *awaits)
{
	return (struct patience){ .until_us = clock_us() + HELLO_MS * 1000,
				  .late = FAULT_HELLO,
				  .awaits = awaits };
}

/* Only QGP sends the name of the game. */
static void say_new_game(struct protocol_player *p)
{
	char game[512] = "";
	struct qv_text text = { game, sizeof game, 0 };
	qv_rules_text(&p->base.rules, &text);
	p->manager.ops->new_game(&p->manager, game, &p->say);
}

static void say_options(struct protocol_player *p)
{
	for (int i = 0; i < p->spec.option_count; i++)
		p->manager.ops->set(&p->manager, p->spec.options[i].name, p->spec.options[i].value,
				    &p->say);
}

/* Compares the options of the spec with those that the program has declared. */
static void check_options(struct protocol_player *p)
{
	const char *lines = p->declared.length && !p->declared.failed ? p->declared.data : "";
	p->warnings.text[0] = '\0';
	/* What declares nothing at all may still accept them. */
	for (int i = 0; *lines && i < p->spec.option_count; i++) {
		struct qv_error why, before = p->warnings;
		if (!engine_option_accepts(p->spec.ops, lines, p->spec.options[i].name,
					   p->spec.options[i].value, &why))
			qv_fail(&p->warnings, QV_BAD_INPUT, "%.120s%s%.120s", before.text,
				*before.text ? "; " : "", why.text);
	}
}

/*
 * Sends a program that has been started what it needs to open a socket, and connects to that. The
 * socket is in a new folder, where no other process can open one.
 */
static enum qv_status attach(struct protocol_player *p, const struct patience *patience,
			     struct qv_error *error)
{
	const char *temporary = getenv("TMPDIR");
	char folder[80], path[100], *line;
	size_t length;
	enum child_got got = CHILD_TIMEOUT;
	bool attached = false;
	/* The path of a socket has at most about a hundred bytes. */
	snprintf(folder, sizeof folder, "%.60s/quevedo-XXXXXX",
		 temporary && *temporary && strlen(temporary) <= 60 ? temporary : "/tmp");
	if (!mkdtemp(folder))
		return protocol_misbehave(p, FAULT_START, strerror(errno), error);
	snprintf(path, sizeof path, "%s/socket", folder);
	p->manager.ops->settings(&p->manager, &p->base.rules, (int)p->spec.plies, &p->say);
	say_options(p);
	p->manager.ops->serve(&p->manager, path, &p->say);
	const enum qv_status status = send(p, patience, error);
	while (status == QV_OK && !attached && clock_us() < patience->until_us &&
	       (got == CHILD_LINE || got == CHILD_TIMEOUT)) {
		attached = child_attach(&p->child, path);
		if (!attached)
			got = child_read(&p->child, clock_us() + LISTEN_MS * 1000, &line, &length);
	}
	unlink(path);
	rmdir(folder);
	return status != QV_OK || attached
		       ? status
		       : no_line(p, got == CHILD_LINE ? CHILD_TIMEOUT : got, patience, error);
}

/* Starts the program, or connects to it. */
static enum qv_status reach(struct protocol_player *p, const struct patience *patience,
			    struct qv_error *error)
{
	struct qv_error why;
	const enum qv_status status =
		p->spec.ops->link == MANAGER_ADDRESS
			? child_connect(&p->child, p->base.allocator, p->spec.command, &p->log,
					patience->until_us, &why)
			: child_start(&p->child, p->base.allocator, p->spec.command, p->spec.folder,
				      &p->log, &why);
	if (status == QV_NO_MEMORY)
		return no_memory(error);
	if (status != QV_OK)
		return protocol_misbehave(p, FAULT_START, why.text, error);
	return p->spec.ops->link == MANAGER_SERVED ? attach(p, patience, error) : QV_OK;
}

/* Starts the program and sends hello, options and the game, all within HELLO_MS. */
static enum qv_status start(struct protocol_player *p, struct qv_error *error)
{
	struct patience patience = hello_patience(p->spec.ops->hello_done);
	if (p->spec.ops->link == MANAGER_SERVED)
		patience.until_us += (SERVED_MS - HELLO_MS) * 1000;
	p->fault = FAULT_NONE;
	p->unstarted = true;
	p->say.length = p->declared.length = 0;
	p->manager = (struct manager){ .ops = p->spec.ops };
	enum qv_status status = reach(p, &patience, error);
	if (status != QV_OK)
		return status;
	p->manager.ops->hello(&p->manager, &p->say);
	const int64_t until_us = patience.until_us;
	if (p->manager.ops->mute_ms) {
		patience.mute = true;
		patience.until_us = clock_us() + INT64_C(1000) * p->manager.ops->mute_ms;
	}
	status = exchange(p, MANAGER_READY, &patience, error);
	if (status != QV_OK)
		return status;
	patience.mute = false;
	patience.awaits = p->manager.ops->new_game_done;
	patience.until_us = until_us > patience.until_us ? until_us : patience.until_us;
	check_options(p);
	if (p->manager.ops->game_first)
		say_new_game(p);
	if (p->spec.ops->link == MANAGER_PIPES)
		say_options(p);
	if (!p->manager.ops->game_first)
		say_new_game(p);
	status = exchange(p, MANAGER_READY, &patience, error);
	p->unstarted = status != QV_OK;
	return status;
}

bool player_is_unstarted(const struct qv_player *player)
{
	const struct protocol_player *p = protocol_player(player);
	return p && p->unstarted;
}

/* A failure of the last new game is reported here, once, because new_game cannot return it. */
enum qv_status player_ready(struct qv_player *player, struct qv_error *error)
{
	if (!is_program(player))
		return QV_OK;
	struct protocol_player *p = own(player);
	const enum qv_status pending = p->pending;
	if (pending != QV_OK) {
		p->pending = QV_OK;
		if (error)
			*error = p->why;
		return pending;
	}
	/* Its last fault has been reported, so it may start again. */
	return child_runs(&p->child) ? QV_OK : start(p, error);
}

/* A program keeps running from game to game; one that has a fault is started again. */
static void new_game(struct qv_player *player)
{
	struct protocol_player *p = own(player);
	struct patience patience = hello_patience(p->spec.ops->new_game_done);
	enum qv_status status = QV_OK;
	p->fault = FAULT_NONE;
	p->pending = QV_OK;
	if (child_runs(&p->child)) {
		say_new_game(p);
		status = exchange(p, MANAGER_READY, &patience, &p->why);
	}
	/* If it ended between two games, no move is owed: just start it again. */
	if (!child_runs(&p->child) && (status == QV_OK || p->fault == FAULT_CRASH))
		status = start(p, &p->why);
	p->pending = status;
}

/* ---- A question ---- */

/* Appends a move. QV_UNSUPPORTED: the protocol cannot represent its text. */
static enum qv_status add_move(struct protocol_player *p, struct string *to, const void *state,
			       qv_move move, struct qv_error *error)
{
	const struct manager_ops *ops = p->manager.ops;
	char text[QV_MOVE_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	const struct qv_rules *rules = &p->base.rules;
	if (ops->castling_words && rules_are_960(rules)) {
		context_engine(rules->game)->short_text(state, move, &out);
		text[strcspn(text, "+#")] = '\0';
	}
	if (text[0] != 'O') { /* not castling in words */
		out = (struct qv_text){ text, sizeof text, 0 };
		if (ops->move_text)
			ops->move_text(state, move, &out);
		else
			rules->game->move_text(state, move, &out);
	}
	if (!ops->blanks && strchr(text, ' '))
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: the move '%s' holds a blank; use qgp", ops->name, text);
	string_addf(to, "%s%s", to->length ? ops->separator : "", text);
	return QV_OK;
}

/* The lower of two limits. */
static int64_t least(int64_t a, int64_t b)
{
	return a && b ? (a < b ? a : b) : a + b; /* 0 is no limit */
}

/* Sets the limits of the question; returns the time by which the answer must have come. */
static int64_t set_limits(struct manager_question *q, const struct protocol_player *p,
			  const struct player_news *news, int seat, const struct qv_limits *limits)
{
	q->seats = p->base.rules.game->seats;
	q->seat = seat;
	q->depth = least(limits->depth, p->spec.depth);
	q->nodes = least((int64_t)(limits->nodes < INT64_MAX ? limits->nodes : 0), p->spec.nodes);
	q->evals = (int64_t)(limits->evals < INT64_MAX / 2 ? limits->evals : INT64_MAX / 2);
	q->clocks = news && news->clocks;
	q->time_ms = least(q->clocks ? 0 : limits->time_ms, p->spec.time_ms);
	int64_t ms = q->time_ms;
	if (q->clocks) {
		memcpy(q->left_ms, news->left_ms, sizeof q->left_ms);
		memcpy(q->added_ms, news->added_ms, sizeof q->added_ms);
		q->moves_to_go = news->moves_to_go;
		q->stage = news->stage;
		ms = least(ms, q->left_ms[seat] > 0 ? q->left_ms[seat] : 1);
	}
	const bool limited = q->depth || q->nodes || q->evals || q->time_ms || q->clocks;
	q->infinite = !limited && limits->nodes == UINT64_MAX;
	const int64_t patience = q->infinite		     ? INT64_MAX / 4000
				 : news && news->patience_ms ? news->patience_ms
							     : PATIENCE_MS;
	return clock_us() + (least(ms ? ms : patience, INT64_MAX / 4000) + EXTRA_MS) * 1000;
}

/*
 * Composes the question. It has the start and the moves of the record, if they lead to the state,
 * because a program can detect repetitions then; else it has the state alone.
 */
static enum qv_status say_question(struct protocol_player *p, const struct player_news *news,
				   const void *state, struct manager_question *q,
				   struct qv_error *error)
{
	const struct qv_rules *rules = &p->base.rules;
	const struct qv_game *game = rules->game;
	const struct qv_record *record = news ? news->record : NULL;
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	enum qv_status status = QV_OK;
	p->moves.length = p->legal.length = 0;
	if (record && record->rules.game != game)
		record = NULL;
	if (record)
		memcpy(p->scratch, record->kept, game->state_size);
	for (int i = 0; record && i < qv_record_ply(record) && status == QV_OK; i++) {
		const qv_move move = qv_record_move(record, i);
		status = add_move(p, &p->moves, p->scratch, move, error);
		game->play(p->scratch, move);
	}
	const bool leads_here = record && memcmp(p->scratch, state, game->state_size) == 0;
	const int count = p->manager.wants_moves ? game->moves(state, p->list) : 0;
	for (int i = 0; i < count && status == QV_OK; i++)
		status = add_move(p, &p->legal, state, p->list[i], error);
	if (status != QV_OK)
		return status;
	if (p->moves.failed || p->legal.failed) {
		string_release(&p->moves);
		string_release(&p->legal);
		return no_memory(error);
	}
	const void *start = leads_here ? record->kept : state;
	if (p->manager.ops->position_text)
		p->manager.ops->position_text(start, &out);
	else
		game->position_text(start, &out);
	game->start(rules->options, p->scratch);
	/* Other programs do not know which start of Chess960 it is. */
	const bool is_start = memcmp(p->scratch, start, game->state_size) == 0;
	q->start = is_start && !rules_are_960(rules) ? NULL : text;
	if (q->start && p->manager.ops->no_positions)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: the protocol has no positions; a game must begin at its "
			       "start",
			       p->manager.ops->name);
	q->moves = leads_here && p->moves.length ? p->moves.data : "";
	q->legal = p->legal.length ? p->legal.data : "";
	q->state = state;
	p->manager.ops->ask(&p->manager, q, &p->say);
	return QV_OK;
}

bool player_is_endless(const struct qv_player *player)
{
	const struct protocol_player *p = protocol_player(player);
	return p && p->spec.ops->endless && !p->spec.depth && !p->spec.nodes && !p->spec.time_ms;
}

/* Checks that the question can be asked at all. */
static enum qv_status check(const struct protocol_player *p, const struct player_news *news,
			    const void *state, const struct qv_limits *limits,
			    struct qv_error *error)
{
	const char *name = p->spec.ops->name;
	const bool limited = limits->depth || limits->nodes || limits->evals || limits->time_ms ||
			     (news && (news->clocks || news->patience_ms));
	if (player_is_endless(&p->base) && !limited)
		return qv_fail(error, QV_BAD_INPUT,
			       "player %s: no limit; give time=, depth= or nodes=", name);
	if (limits->only_count)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: a program cannot be told to leave moves out", name);
	if (p->spec.ops->no_nodes && (limits->nodes || p->spec.nodes))
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: a limit of nodes cannot be told to it", name);
	if (p->spec.ops->no_depth && (limits->depth || p->spec.depth))
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: it has no limit of depth; use time=", name);
	if (p->base.rules.game->seat(state) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "player %s: chance is to move", name);
	return QV_OK;
}

/*
 * The reported time includes the start of a program that does not run yet; its deadline does not.
 * The answer is checked move by move: nothing that a program sends is trusted.
 */
enum qv_status player_think(struct qv_player *player, const struct player_news *news,
			    const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	static const struct qv_limits none = { 0 };
	if (!is_program(player))
		return player_choose(player, state, limits, listener, out, error);
	struct protocol_player *p = own(player);
	const struct qv_game *game = p->base.rules.game;
	struct manager_question q = { 0 };
	const int64_t began = clock_us();
	int32_t points[QV_MAX_SEATS];
	limits = limits ? limits : &none;
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (game->result(state, points) != QV_GOING)
		return QV_OK;
	enum qv_status status = check(p, news, state, limits, error);
	if (status == QV_OK)
		status = player_ready(player, error);
	if (status != QV_OK)
		return status;
	struct patience patience = {
		.until_us = set_limits(&q, p, news, game->seat(state), limits),
		.late = FAULT_TIMEOUT,
		.stop = limits->stop,
		.listener = listener,
		.state = state,
		.began_us = began,
	};
	status = say_question(p, news, state, &q, error);
	if (status == QV_OK)
		status = exchange(p, MANAGER_MOVE, &patience, error);
	const char *text = p->manager.move;
	qv_move move;
	if (status == QV_OK && !read_move(p, state, text, &move))
		status = protocol_misbehave(p, FAULT_ILLEGAL, *text ? text : "''", error);
	if (status == QV_OK) {
		read_claims(p, state, out);
		/* A line that begins with another move does not belong to this one. */
		if (!out->line_length || out->line[0] != move)
			out->line_length = 1;
		out->line[0] = out->move = move;
	}
	out->seconds = (double)(clock_us() - began) / 1e6;
	return status == QV_OK && patience.stopped ? QV_STOPPED : status;
}

static enum qv_status think(struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	return player_think(player, NULL, state, limits, listener, out, error);
}

/* ---- Life ---- */

/* A program gets `quit` and then a little time, but no answer is awaited. */
static void free_player(struct qv_player *player)
{
	struct protocol_player *p = own(player);
	const struct qv_allocator *a = player->allocator;
	const struct qv_game *game = player->rules.game;
	if (child_runs(&p->child)) {
		p->say.length = 0;
		p->manager.ops->quit(&p->manager, &p->say);
		if (!p->say.failed)
			child_write(&p->child, p->say.data, p->say.length, clock_us());
	}
	child_end(&p->child, true);
	string_release(&p->say);
	string_release(&p->moves);
	string_release(&p->legal);
	string_release(&p->declared);
	mem_free(a, p->scratch, game->state_size);
	mem_free(a, p->list, (size_t)game->max_moves * sizeof *p->list);
	protocol_spec_release(&p->spec);
	mem_free(a, p, sizeof *p);
}

static const struct player_ops program_ops = { think, new_game, free_player };

enum player_fault player_fault(const struct qv_player *player)
{
	return is_program(player) ? ((const struct protocol_player *)player)->fault : FAULT_NONE;
}

const char *player_fault_words(const struct qv_player *player)
{
	const struct protocol_player *p = (const struct protocol_player *)player;
	return player_fault(player) == FAULT_NONE ? "" : p->words.text;
}

void player_log_to(struct qv_player *player, struct engine_log *log, const char *name)
{
	const struct engine_log_entry entry = { log, name };
	if (is_program(player))
		own(player)->log = own(player)->child.log = entry;
}

const char *player_engine_name(const struct qv_player *player)
{
	const struct protocol_player *p = protocol_player(player);
	return p ? p->manager.name : "";
}

const char *player_warnings(const struct qv_player *player)
{
	const struct protocol_player *p = protocol_player(player);
	return p ? p->warnings.text : "";
}

enum qv_status player_open(const struct qv_context *context, const struct qv_rules *rules,
			   const char *spec, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(context);
	if (!manager_find(spec, strcspn(spec, ":")))
		return qv_player_new(context, rules, spec, defaults, out, error);
	struct protocol_player *p = mem_new(allocator, 1, sizeof *p);
	if (!p)
		return no_memory(error);
	p->base = (struct qv_player){ &program_ops, allocator, *rules, { 0 } };
	p->say.allocator = p->moves.allocator = p->legal.allocator = allocator;
	p->declared.allocator = allocator;
	p->scratch = mem_new(allocator, 1, rules->game->state_size);
	p->list = mem_new(allocator, (size_t)rules->game->max_moves, sizeof *p->list);
	enum qv_status status = p->scratch && p->list ? QV_OK : no_memory(error);
	if (status == QV_OK)
		status = protocol_spec_parse(&p->spec, allocator, spec, error);
	if (status == QV_OK && p->spec.ops->two_seats &&
	    (rules->game->seats != 2 || rules->game->chance))
		status = qv_fail(error, QV_UNSUPPORTED,
				 "player %s: only games of two seats without chance fit it",
				 p->spec.ops->name);
	if (status == QV_OK && p->spec.ops->fits)
		status = p->spec.ops->fits(rules, error);
	if (status == QV_OK)
		*out = &p->base;
	else
		free_player(&p->base);
	return status;
}
