/*
 * lab_proof.c - requests of the laboratory: a proof-number search, expansion by expansion.
 * SPDX-License-Identifier: MIT
 */
#include "core/context.h"
#include "server/wasm/inside.h"
#include "trace/log.h"

enum { STEPS = 2000, STEPS_MOST = 100000, NODES = 100000, NODES_MOST = 10000000, HASH_MB = 8 };

/* Proves the value of the position while the log follows. */
static json_t *proven(struct api *api, const struct request_position *p, uint64_t nodes,
		      const struct trace_setup *setup, struct qv_error *error)
{
	struct log *log = NULL;
	struct qv_solver *solver = NULL;
	struct qv_solution found = { .move = QV_NO_MOVE };
	json_t *json = NULL;
	enum qv_status status = log_new(setup, &log, error);
	if (status == QV_OK)
		status = qv_solver_new_by(api->setup.context, &p->rules, QV_BY_PROOF,
					  (size_t)HASH_MB << 20, &solver, error);
	if (status == QV_OK) {
		const struct qv_listener listener = log_listener(log);
		const struct qv_solve_limits limits = { .nodes = nodes, .listener = &listener };
		status = solver_run(solver, setup->root, &limits, &found, error);
	}
	/* The end of the nodes is a result, too: unknown. */
	if (status == QV_OK || status == QV_STOPPED) {
		struct qv_answer answer = { .move = found.move, .nodes = found.nodes };
		answer.line[0] = found.move;
		answer.line_length = found.move != QV_NO_MOVE;
		status = log_finish(log, &answer, error);
	}
	if (status == QV_OK &&
	    !(json = json_field(log_json(log), "result", json_text(value_name(found.value)))))
		qv_fail(error, QV_NO_MEMORY, "proof: out of memory");
	qv_solver_free(solver);
	log_free(log);
	return json;
}

void post_proof(struct api *api, const struct api_request *r)
{
	struct request_position position;
	struct qv_error error = { "" };
	json_int_t nodes, steps;
	bool brief;
	if (!body_keys(api, r, "game position moves nodes steps short") ||
	    !body_integer(api, r, "nodes", 1, NODES_MOST, NODES, &nodes) ||
	    !body_integer(api, r, "steps", 1, STEPS_MOST, STEPS, &steps) ||
	    !body_boolean(api, r, "short", &brief) ||
	    !open_position(api, r, &position))
		return;
	const struct engine *engine = context_engine(position.rules.game);
	const struct trace_setup setup = { .allocator = &mem_malloc,
					   .rules = position.rules,
					   .root = qv_record_state(position.record),
					   .player = "proof",
					   .max_nodes = steps,
					   .short_moves = brief && engine->short_text };
	json_t *json = proven(api, &position, (uint64_t)nodes, &setup, &error);
	if (json)
		reply(api, r->call, 200, json);
	else
		reply_error(api, r->call, 409, "%s", error.text);
	request_position_release(&position);
}
