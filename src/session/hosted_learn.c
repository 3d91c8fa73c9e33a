/*
 * hosted_learn.c - computers that learn by losing, in hosted games.
 * SPDX-License-Identifier: MIT
 *
 * What they remember belongs to the game: it comes with the setup, grows by an event when a learner
 * has lost, and goes on to the rematch. It is text in the format of learn:file=FILE, of limited
 * size, and nothing is read from or written to files.
 */
#include "session/hosted_inside.h"

#include "core/learned_moves.h"
#include "core/player.h"

static bool is_learner(const struct hosted_seat *seat)
{
	return seat->kind == SEAT_COMPUTER && strcmp(seat->spec, LEARNER_SPEC) == 0;
}

static bool has_learner(const struct hosted_game *p)
{
	int seat = 0;
	while (seat < p->seat_count && !is_learner(&p->seats[seat]))
		seat++;
	return seat < p->seat_count;
}

/* Makes a learner with this memory, or without one if it is NULL. */
static enum qv_status make_learner(const struct qv_context *context, const struct qv_rules *rules,
				   const char *memory, struct qv_player **out,
				   struct qv_error *error)
{
	struct settings settings;
	enum qv_status status = spec_parse(LEARNER_SPEC, NULL, &settings, error);
	if (status == QV_OK)
		status = player_make(context, rules, &settings, NULL, out, error);
	if (status == QV_OK && memory)
		status = learn_player_read(*out, memory, strlen(memory), error);
	return status;
}

enum qv_status memory_check(const struct qv_context *context, const struct qv_rules *rules,
			    const char *memory, struct string *out, struct qv_error *error)
{
	struct qv_player *learner = NULL;
	struct qv_error why = { "" };
	if (strlen(memory) > HOSTED_MEMORY)
		return qv_fail(error, QV_BAD_INPUT, "memory: longer than %d bytes", HOSTED_MEMORY);
	enum qv_status status = make_learner(context, rules, memory, &learner, &why);
	if (status == QV_OK)
		learn_player_write(learner, out);
	qv_player_free(learner);
	if (status != QV_OK)
		return qv_fail(error, status, "memory: %.200s", why.text);
	if (out->failed)
		return qv_fail(error, QV_NO_MEMORY, "memory: out of memory");
	/* Positions may have been written in a shorter form. */
	if (out->length > HOSTED_MEMORY)
		return qv_fail(error, QV_BAD_INPUT, "memory: longer than %d bytes", HOSTED_MEMORY);
	return QV_OK;
}

/*
 * Replays the line to the cursor for the learners in their seats. The moves may be those of another
 * player who sat there before: that they lose is proven all the same.
 */
static enum qv_status relive(const struct hosted_game *p, struct qv_player *learner)
{
	const struct qv_record *r = p->game.record;
	enum qv_status status = QV_OK;
	for (int ply = 0; ply < r->ply && status == QV_OK; ply++) {
		void *state = p->game.scratch;
		tree_state_at(r, ply, state);
		/* Games with a learner have no dice, so that a seat is to move. */
		if (is_learner(&p->seats[r->rules.game->seat(state)]))
			status = learn_player_moved(learner, state, qv_record_move(r, ply), NULL);
	}
	return status == QV_OK ? learn_player_game_over(learner, r->state, NULL) : status;
}

bool learn_from_end(struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	struct qv_player *learner = NULL;
	struct string text = { .allocator = &mem_malloc };
	if (!game_is_over(&p->game) || !has_learner(p))
		return true;
	enum qv_status status = make_learner(p->game.context, &r->rules, p->memory, &learner, NULL);
	if (status == QV_OK)
		status = relive(p, learner);
	if (status == QV_OK)
		learn_player_write(learner, &text);
	qv_player_free(learner);
	/* The new lines follow those that it had, as many as there is room for. */
	const size_t known = p->memory ? strlen(p->memory) : 0;
	while (!text.failed && text.length > HOSTED_MEMORY) {
		text.data[--text.length] = '\0';
		while (text.length && text.data[text.length - 1] != '\n')
			text.data[--text.length] = '\0';
	}
	bool done = status != QV_NO_MEMORY && !text.failed;
	/* A text without a tab is the first line alone. */
	if (done && status == QV_OK && text.length > known &&
	    strncmp(text.data, known ? p->memory : "", known) == 0 && strchr(text.data, '\t'))
		done = emit(p,
			    json_pack("{s:s, s:s}", "play", "learned", "text", text.data + known));
	p->broken |= !done;
	string_release(&text);
	return done;
}
