/*
 * solve.c - the command solve: the proven value of a position, or of every position of a file.
 * SPDX-License-Identifier: MIT
 *
 * The value comes from a search, the game's own solver or tables (--by). With --certificate the
 * proof is written to a file that quevedo-check can verify without the solver. One solver is made
 * for all positions of a file, so that its hash table serves all of them.
 */
#include "base/clock.h"
#include "base/scan.h"
#include "cli/cli.h"
#include "core/context.h"

enum {
	MOST_FILE_BYTES = 1 << 26,
	MOST_CERTIFIED = 1 << 25, /* positions of a certificate; about 80 bytes each */
};

/* --by: the methods of enum qv_solve_by from QV_BY_SEARCH on, then the tables; -1: any. */
enum { BY_TABLE = QV_BY_OWN };

/* The options of solve. */
struct solve_values {
	bool distance, margin;
	int64_t by;
	const char *positions, *certificate;
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct solve_values, "distance", OPTION_FLAG, distance,
		       .help = "add the number of plies to the end"),
	COMMAND_OPTION(struct solve_values, "margin", OPTION_FLAG, margin,
		       .help = "add the final lead in points, where it counts; --json has it"),
	COMMAND_OPTION(struct solve_values, "positions", OPTION_POINTER, positions, .value = "FILE",
		       .help = "solve every position of a file, one a line"),
	COMMAND_OPTION(struct solve_values, "by", OPTION_CHOICE, by,
		       .choices = "search|proof|own|table", .def = -1,
		       .help = "method; own is the game's own solver"),
	COMMAND_OPTION(struct solve_values, "certificate", OPTION_POINTER, certificate,
		       .value = "FILE", .help = "write the proof, for quevedo-check"),
	{ 0 },
};

/* ---- certificates ---- */

/* The file of a certificate while it is written. */
struct certificate {
	struct file_writer file;
	struct cli *c;
	struct cli_watch watch;
};

/* Writes a part of the certificate; false stops the solver. */
static bool write_certificate(void *ctx, const char *data, size_t size)
{
	struct certificate *to = ctx;
	return file_write(&to->file, data, size, &to->c->error) == QV_OK;
}

/* Shows how many positions of the certificate are written. */
static void show_progress(void *ctx, uint64_t done, uint64_t known)
{
	enum { BETWEEN_US = 250000 };
	struct certificate *to = ctx;
	const int64_t now = clock_us();
	if (now - to->watch.shown_us < BETWEEN_US)
		return;
	to->watch.shown_us = now;
	fprintf(stderr, "\rcertificate: %llu of %llu positions\033[K", (unsigned long long)done,
		(unsigned long long)known);
}

/* Watches the solver of a certificate. */
static bool watch_certificate(void *ctx, uint64_t nodes)
{
	return cli_watch_solver(&((struct certificate *)ctx)->watch, nodes);
}

/*
 * Solves with a certificate. The file is kept only if the value is known and every move that holds
 * it is in the file.
 */
static enum qv_status certify(struct cli *c, struct qv_solver *solver, const void *state,
			      struct qv_solution *out)
{
	const struct solve_values *own = cli_own(c);
	struct certificate to = { .c = c };
	struct qv_error why = { "" };
	cli_watch_begin(&to.watch, c, "solve");
	const struct qv_certify_job how = {
		.size = sizeof how,
		.progress = to.watch.shows ? show_progress : NULL,
		.distance = own->distance,
		.stop = cli_stop_flag(),
		.most = MOST_CERTIFIED,
		.watch = watch_certificate,
		.write = write_certificate,
		.ctx = &to,
	};
	enum qv_status status = file_create(&to.file, &mem_malloc, own->certificate, &c->error);
	if (status != QV_OK)
		return status;
	status = qv_certify(solver, state, &how, out, &why);
	cli_watch_end(&to.watch);
	/* Anything less than a complete proof leaves no file behind. */
	if (status == QV_OK && out->value != QV_VALUE_UNKNOWN)
		return file_keep(&to.file, &c->error);
	file_abandon(&to.file);
	if (status != QV_OK && !*c->error.text)
		c->error = why;
	return status == QV_OK ? QV_STOPPED : status;      /* the value is not known */
}

/*
 * Solves one position and prints its value. After an interrupt or the time limit the value is
 * unknown, or what comes with it is missing; that is printed, too, but the exit status is 1.
 */
static enum qv_status solve(struct cli *c, struct qv_solver *solver, const void *state)
{
	const struct solve_values *own = cli_own(c);
	struct cli_watch watch;
	struct qv_solve_limits limits = cli_watch_limits(&watch);
	limits.distance = own->distance;
	limits.margin = c->args.json || own->margin;
	limits.threads = (int)c->args.threads;
	cli_watch_begin(&watch, c, "solve");
	const bool certified = own->certificate;
	struct qv_solution solution = { .size = sizeof solution };
	enum qv_status status =
		certified ? certify(c, solver, state, &solution) :
			    solver_run(solver, state, &limits, &solution, &c->error);
	cli_watch_end(&watch);
	/* QV_STOPPED has a solution, too: the value is unknown, or not all is known about it. */
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	if (status == QV_STOPPED && certified)
		fprintf(stderr, "certificate: not written\n");
	if (status == QV_OK && own->margin && !solution.has_margin)
		return qv_fail(&c->error, QV_UNSUPPORTED,
			       "solve: no margin of points is known for this game and method");
	c->answer_is_no |= status == QV_STOPPED || solution.value == QV_VALUE_UNKNOWN;
	if (!c->args.json) {
		solution_text(&c->out, &solution);
		return QV_OK;
	}
	json_t *o = json_fields(solution_json(&solution), "margin",
				solution.has_margin ? json_integer(solution.margin) : json_null(),
				"nodes", json_count(solution.nodes), NULL);
	return cli_json(
		c, c->args.no_times ? o : json_field(o, "seconds", json_seconds(solution.seconds)));
}

/* Makes the solver that --by names: tables, or one of the searches. */
static enum qv_status open_solver(struct cli *c, const struct qv_rules *rules,
				  struct qv_solver **out)
{
	const struct solve_values *own = cli_own(c);
	const size_t hash = (size_t)c->args.hash_mb << 20;
	char folder[FOLDER_PATH];
	if (own->by == BY_TABLE) {
		const enum qv_status status = cli_tables_folder(c, folder);
		return status == QV_OK ? qv_solver_new_tables(c->context, rules, folder, hash, out,
							      &c->error)
				       : status;
	}
	if (c->args.data)
		return cli_refuse(c, "--data: only with --by table");
	const struct qv_defaults defaults = cli_defaults(c);
	if (own->by < 0)
		return qv_solver_new_with(c->context, rules, &defaults, hash, out, &c->error);
	return qv_solver_new_by(c->context, rules, (enum qv_solve_by)(own->by + QV_BY_SEARCH), hash,
				out, &c->error);
}

/* Solves a position a line; empty lines and those that begin with '#' are skipped. */
static enum qv_status solve_file(struct cli *c)
{
	const struct solve_values *own = cli_own(c);
	struct qv_rules rules;
	struct file_bytes file;
	struct qv_solver *solver = NULL;
	void *state = NULL;
	enum qv_status status = qv_rules_parse(c->context, c->args.words[1], &rules, &c->error);
	if (status == QV_OK)
		status = cli_read_text(c, own->positions, MOST_FILE_BYTES, &file);
	if (status != QV_OK)
		return status;
	/* One solver for all lines keeps its hash table. */
	status = open_solver(c, &rules, &solver);
	if (status == QV_OK && !(state = qv_state_new(c->context, rules.game)))
		status = cli_no_memory(c, "solve");
	char *text = file.data;
	for (int number = 1; status == QV_OK && text; number++) {
		char *line = scan_cut(&text, '\n');
		struct qv_error why;
		/* Files from Windows end lines with a carriage return. */
		const size_t length = strlen(line);
		if (length && line[length - 1] == '\r')
			line[length - 1] = '\0';
		if (!*line || *line == '#')
			continue;
		status = qv_position_parse(&rules, line, state, &why);
		if (status == QV_OK)
			status = solve(c, solver, state);
		else
			qv_fail(&c->error, status, "%.60s: line %d: %s", own->positions, number,
				why.text);
	}
	qv_state_free(c->context, rules.game, state);
	qv_solver_free(solver);
	file_release(&mem_malloc, &file);
	return status;
}

/* Solves one position, or with --positions a file of them. */
static enum qv_status run(struct cli *c)
{
	const struct solve_values *own = cli_own(c);
	if (own->certificate && own->margin)
		return cli_refuse(c, "--margin: not together with --certificate");
	/*
	 * A file has its own positions and one answer for each, so most options make no sense with
	 * it.
	 */
	if (own->positions) {
		if (c->args.words[2] || c->args.moves || c->args.moves_from ||
		    c->args.position_from)
			return cli_refuse(c, "--positions: a position or moves are given too");
		if (own->certificate)
			return cli_refuse(c, "--certificate: not together with --positions");
		return solve_file(c);
	}
	struct position p;
	struct qv_solver *solver = NULL;
	enum qv_status status = position_open(c, c->args.words[1], c->args.words[2], &p);
	if (status != QV_OK)
		return status;
	status = open_solver(c, &p.rules, &solver);
	if (status == QV_OK)
		status = solve(c, solver, p.state);
	qv_solver_free(solver);
	position_release(&p);
	return status;
}

const struct command command_solve = {
	.name = "solve",
	.run = run,
	.least = 1,
	.most = 2,
	.usage = "solve GAME [POS]",
	.help = "prove the value for the side to move",
	.more = "Without --by, the game's own solver is used, or else a search. Chess positions "
		"with three pieces, or with tables for them, are looked up. Exit status 1: the "
		"value is unknown, for instance after Ctrl-C or --time.\n",
	.options = OPTION_GROUPS(moves_options, position_options, own_options, time_option,
				 tables_data_option, syzygy_option, common_options),
};
