/*
 * writes.c - the writes of the store, each a statement of the unit being filled.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/inside.h"

/* Any size, but no NUL: it would hide what follows it from SQL. */
static struct store_value long_text(const char *bytes, size_t size)
{
	const bool good = !size || !memchr(bytes, '\0', size);
	return (struct store_value){ .type = STORE_TEXT,
				     .bytes = good ? bytes : NULL,
				     .size = size };
}

enum qv_status store_add_play(struct store *s, const struct store_play *play)
{
	const struct store_value values[] = {
		text(play->id, STORE_ID),     text(play->game, STORE_GAME),
		text(play->owner, STORE_ID),  value_number(play->created),
		value_number(play->updated),  value_number(play->is_private),
		value_number(play->going),    value_number(play->open_seats),
		text(play->node, STORE_NODE), value_number(play->epoch)
	};
	return store_add_write(s, WRITE_PLAY, 10, values);
}

/* The trigger event_order refuses a line that does not follow the last one. */
enum qv_status store_add_event(struct store *s, const char *play, int64_t n, const char *line,
			       size_t size)
{
	const struct store_value values[] = { text(play, STORE_ID), value_number(n),
					      long_text(line, size),
					      value_number(line_checksum(play, n, line, size)) };
	return store_add_write(s, WRITE_EVENT, 4, values);
}

/* The statement fails unless the play exists and has this epoch. */
enum qv_status store_set_play(struct store *s, const char *play, int64_t epoch, bool going,
			      int open_seats, int64_t updated)
{
	const struct store_value values[] = { text(play, STORE_ID), value_number(going),
					      value_number(open_seats), value_number(updated),
					      value_number(epoch) };
	return store_add_write(s, WRITE_SET_PLAY, 5, values);
}

enum qv_status store_put_user(struct store *s, const char *user, const char *name, int64_t created)
{
	const struct store_value values[] = { text(user, STORE_ID), text(name, STORE_NAME),
					      value_number(created) };
	return store_add_write(s, WRITE_USER, 3, values);
}

enum qv_status store_add_user(struct store *s, const char *user, const char *name, int64_t created)
{
	const struct store_value values[] = { text(user, STORE_ID), text(name, STORE_NAME),
					      value_number(created) };
	return store_add_write(s, WRITE_NEW_USER, 3, values);
}

/* A user may come back to a seat: the second row is ignored. */
enum qv_status store_put_seat(struct store *s, const char *user, const char *play)
{
	const struct store_value values[] = { text(user, STORE_ID), text(play, STORE_ID) };
	return store_add_write(s, WRITE_SEAT, 2, values);
}

enum qv_status store_set_seats(struct store *s, const char *play, bool going)
{
	const struct store_value values[] = { text(play, STORE_ID), value_number(going) };
	return store_add_write(s, WRITE_SET_SEATS, 2, values);
}

/* The entry is limited by the queue alone. */
enum qv_status store_put_finished(struct store *s, const struct store_finished *f)
{
	const struct store_value values[] = { text(f->user, STORE_ID),
					      text(f->play, STORE_ID),
					      value_number(f->ended),
					      text(f->game, STORE_GAME),
					      text(f->outcome, STORE_NAME),
					      long_text(f->opponents, strlen(f->opponents)),
					      long_text(f->entry, strlen(f->entry)) };
	return store_add_write(s, WRITE_FINISHED, 7, values);
}

enum qv_status store_drop_finished(struct store *s, const char *user, const char *play)
{
	const struct store_value values[] = { text(play, STORE_ID), text(user, STORE_ID) };
	return store_add_write(s, WRITE_DROP_FINISHED, 2, values);
}

enum qv_status store_drop_unlisted(struct store *s, const char *play)
{
	const struct store_value value = text(play, STORE_ID);
	return store_add_write(s, WRITE_DROP_UNLISTED, 1, &value);
}

enum qv_status store_put_puzzle(struct store *s, const char *user, int64_t day, const char *game,
				const struct store_puzzle *p)
{
	const struct store_value values[] = { text(game, STORE_GAME),	 text(p->id, STORE_ID),
					      value_real(p->rating),	 value_real(p->deviation),
					      value_real(p->volatility), value_number(p->tries),
					      value_number(p->solved),	 text(user, STORE_ID),
					      value_number(day) };
	return store_add_write(s, WRITE_PUZZLE, 9, values);
}

enum qv_status store_put_attempt(struct store *s, const char *user, const char *game,
				 const char *puzzle, int64_t day)
{
	const struct store_value values[] = { text(user, STORE_ID), text(game, STORE_GAME),
					      text(puzzle, STORE_ID), value_number(day) };
	return store_add_write(s, WRITE_ATTEMPT, 4, values);
}

/* The visits follow the row that they refer to; both are written, or neither. */
enum qv_status store_put_explored(struct store *s, const struct store_explored *e)
{
	const struct store_value drop = text(e->play, STORE_ID);
	const struct store_value row[] = {
		text(e->play, STORE_ID),    text(e->game, STORE_GAME),
		value_number(e->mark),	    value_number(e->result),
		value_number(e->is_public), long_text(e->entry, strlen(e->entry))
	};
	const struct store_value visits[] = { text(e->play, STORE_ID),
					      long_text(e->visits, strlen(e->visits)) };
	enum qv_status status = store_add_write(s, WRITE_DROP_EXPLORED, 1, &drop);
	if (status == QV_OK)
		status = store_add_write(s, WRITE_EXPLORED, 6, row);
	return status == QV_OK ? store_add_write(s, WRITE_VISITS, 2, visits) : status;
}

enum qv_status store_drop_explored(struct store *s, const char *play)
{
	const struct store_value value = text(play, STORE_ID);
	return store_add_write(s, WRITE_DROP_EXPLORED, 1, &value);
}

enum qv_status store_drop_outdated(struct store *s, const char *game, int64_t mark, int most)
{
	const struct store_value values[] = { text(game, STORE_GAME), value_number(mark),
					      value_number(most) };
	return store_add_write(s, WRITE_DROP_OUTDATED, 3, values);
}

/* The body is limited by the queue alone. */
enum qv_status store_add_study(struct store *s, const struct store_study *study, const char *body)
{
	const struct store_value values[] = {
		text(study->id, STORE_ID),	 text(study->owner, STORE_ID),
		value_number(study->created),	 value_number(study->updated),
		text(study->title, STORE_TITLE), value_number(study->chapters),
		long_text(body, strlen(body))
	};
	return store_add_write(s, WRITE_STUDY, 7, values);
}

/* The statement fails unless the study has this version. */
enum qv_status store_set_study(struct store *s, const struct store_study *study, const char *body)
{
	const struct store_value values[] = {
		text(study->id, STORE_ID),     value_number(study->version),
		value_number(study->updated),  text(study->title, STORE_TITLE),
		value_number(study->chapters), long_text(body, strlen(body))
	};
	return store_add_write(s, WRITE_SET_STUDY, 6, values);
}

enum qv_status store_drop_study(struct store *s, const char *study)
{
	const struct store_value value = text(study, STORE_ID);
	return store_add_write(s, WRITE_DROP_STUDY, 1, &value);
}

/* The log may be long and is limited by the queue alone. */
enum qv_status store_put_imcs_game(struct store *s, const struct store_imcs_game *g)
{
	const struct store_value values[] = { value_number(g->id),
					      text(g->white, STORE_NAME),
					      text(g->black, STORE_NAME),
					      text(g->play, STORE_ID),
					      value_number(g->began),
					      value_number(g->ended),
					      long_text(g->result, strlen(g->result)),
					      long_text(g->log, g->log_size) };
	return store_add_write(s, WRITE_IMCS_GAME, 8, values);
}

static enum qv_status write_node(struct store *s, enum store_change kind, const char *node,
				 int64_t alive_ms, const char *address)
{
	const struct store_value values[] = { text(node, STORE_NODE), value_number(alive_ms),
					      text(address, STORE_NAME) };
	return store_add_write(s, kind, 3, values);
}

enum qv_status store_put_node(struct store *s, const char *node, int64_t alive_ms,
			      const char *address)
{
	return write_node(s, WRITE_NODE, node, alive_ms, address);
}

enum qv_status store_keep_node(struct store *s, const char *node, int64_t alive_ms,
			       const char *address)
{
	return write_node(s, WRITE_KEEP_NODE, node, alive_ms, address);
}

enum qv_status store_tidy_nodes(struct store *s)
{
	return store_add_write(s, WRITE_TIDY_NODES, 0, NULL);
}

enum qv_status store_drop_node(struct store *s, const char *node)
{
	const struct store_value value = text(node, STORE_NODE);
	return store_add_write(s, WRITE_DROP_NODE, 1, &value);
}

bool store_unit_failed(const struct store *s)
{
	return s->unit_failed;
}
