/*
 * play_birth.c - plays made and loaded.
 * SPDX-License-Identifier: MIT
 *
 * A new play is made of lines and loaded from them, as an old one is: there is no second way.
 */
#include "server/api/play_inside.h"

#include <stdlib.h>

/* ---- Birth ---- */

void play_free(struct play *p)
{
	if (!p)
		return;
	play_lines_taken(p);
	free(p->pending);
	for (size_t i = 0; i < p->place_count; i++) {
		free(p->places[i].move);
		free(p->places[i].brief);
	}
	free(p->places);
	free(p->throws);
	if (p->scratch)
		qv_state_free(p->context, p->record->rules.game, p->scratch);
	qv_record_free(p->record);
	free(p);
}

static struct play *blank(const struct qv_context *context, const struct play_host *host)
{
	struct play *p = calloc(1, sizeof *p);
	if (p) {
		p->context = context;
		p->host = *host;
		p->last_throw = -1;
	}
	return p;
}

play_verdict play_start(struct play *p, int64_t now, struct qv_error *error)
{
	for (int seat = 0; seat < p->seat_count; seat++)
		p->timer.left_ms[seat] = clock_stored(p, seat);
	return turn_go(p, true, now, error);
}

/* As play_start, for a play that nobody else has yet: frees it if it cannot go on. */
static play_verdict start_new(struct play *p, int64_t now, struct play **out,
			      struct qv_error *error)
{
	const play_verdict verdict = play_start(p, now, error);
	if (verdict == 200)
		*out = p;
	else
		play_free(p);
	return verdict;
}

static play_verdict load_verdict(enum qv_status status, const struct qv_error *why, size_t number,
				 struct qv_error *error)
{
	if (status == QV_NO_MEMORY)
		return play_no_memory(NULL, error);
	return play_refuse(error, 400, "line %zu: %s", number, why->text);
}

play_verdict play_read(const struct qv_context *context, const struct play_host *host,
		       const char *const *lines, size_t count, struct play **out,
		       struct qv_error *error)
{
	if (count > PLAY_MAX_LINES)
		return play_refuse(error, 400, "play: more than %d lines", PLAY_MAX_LINES);
	struct play *p = blank(context, host);
	if (!p)
		return play_no_memory(NULL, error);
	enum qv_status status = QV_OK;
	struct qv_error why = { "" };
	for (size_t i = 0; i < count && status == QV_OK; i++)
		status = line_apply(p, lines[i], &why);
	if (status == QV_OK && !p->record)
		status = qv_fail(&why, QV_BAD_INPUT, "the record's header is missing");
	if (status == QV_OK) {
		*out = p;
		return 200;
	}
	const size_t number = p->lines;
	play_free(p);
	return load_verdict(status, &why, number, error);
}

play_verdict play_load(const struct qv_context *context, const struct play_host *host,
		       const char *const *lines, size_t count, int64_t now, struct play **out,
		       struct qv_error *error)
{
	struct play *p = NULL;
	const play_verdict verdict = play_read(context, host, lines, count, &p, error);
	return verdict == 200 ? start_new(p, now, out, error) : verdict;
}

/* ---- A new one, as lines ---- */

/* Code points that hide, or turn the text around them. */
static bool is_invisible(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
	       c >= 0xe0000;
}

/* The next code point of well-formed UTF-8. */
static uint32_t next_point(const unsigned char **text)
{
	const unsigned char first = *(*text)++;
	uint32_t point = first < 0x80 ? first
				      : first & (first < 0xe0	? 0x1f
						 : first < 0xf0 ? 0xf
								: 7);
	for (; (**text & 0xc0) == 0x80; (*text)++)
		point = point << 6 | (**text & 0x3f);
	return point;
}

bool play_name_ok(const char *name)
{
	if (strlen(name) >= PLAY_NAME_ROOM)
		return false;
	json_t *checked = json_string(name); /* which takes well-formed UTF-8 alone */
	json_decref(checked);
	if (!checked)
		return false;
	int length = 0, seen = 0;
	for (const unsigned char *c = (const unsigned char *)name; *c; length++) {
		const uint32_t point = next_point(&c);
		if (is_invisible(point))
			return false;
		seen += point != ' ' && point != 0xa0 && point != 0x3000;
	}
	return seen > 0 && length <= PLAY_NAME;
}

bool play_seat_read(struct play_seat *out, const char *text, const struct play_person *person)
{
	struct play_seat seat = { .kind = SEAT_COMPUTER };
	if (strcmp(text, "human") == 0) {
		if (!*person->user || strlen(person->user) >= sizeof seat.user ||
		    !play_name_ok(person->name))
			return false;
		seat.kind = SEAT_PERSON;
		memcpy(seat.user, person->user, strlen(person->user) + 1);
		memcpy(seat.name, person->name, strlen(person->name) + 1);
	} else if (strcmp(text, "open") == 0) {
		seat.kind = SEAT_OPEN;
	} else if (!*text || strlen(text) >= sizeof seat.spec) {
		return false;
	} else {
		memcpy(seat.spec, text, strlen(text) + 1);
	}
	*out = seat;
	return true;
}

/* Before it is replayed, which may be long work for so short a text. */
static bool has_too_many_lines(const char *text, size_t size)
{
	size_t lines = 0;
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines > PLAY_MAX_LINES;
}

/* The game as it was before it came here; the caller frees it. */
static play_verdict given_record(const struct qv_context *context, const struct play_setup *setup,
				 struct qv_record **out, struct qv_error *error)
{
	struct qv_record *r = NULL;
	if (setup->record && has_too_many_lines(setup->record, setup->record_size))
		return play_refuse(error, 400, "record: more than %d lines", PLAY_MAX_LINES);
	enum qv_status status =
		setup->record
			? record_load_bounded(context, setup->record, setup->record_size,
					      PLAY_MAX_REDONE, &r, error)
			: qv_record_new(context, setup->rules, setup->position, &r, error);
	for (size_t i = 0; status == QV_OK && !setup->record && i < setup->move_count; i++) {
		qv_move move;
		status = qv_move_parse(r->rules.game, r->state, setup->moves[i], &move, error);
		if (status == QV_OK)
			status = qv_record_play(r, move, -1, error);
	}
	if (status == QV_OK)
		*out = r;
	else
		qv_record_free(r);
	return status == QV_OK ? 200 : status == QV_NO_MEMORY ? 503 : 400;
}

/* Who sits where at first: as the setup says, or the owner against the middle level. */
static bool first_seats(const struct play_setup *setup, const struct qv_game *game,
			struct play_seat *seats)
{
	const struct play_person owner = { setup->owner,
					   setup->owner_name ? setup->owner_name : "" };
	char level[32];
	middle_level(game, level, sizeof level);
	for (int i = 0; i < game->seats; i++) {
		if (setup->seat_count)
			seats[i] = setup->seats[i];
		else if (!play_seat_read(&seats[i], i ? level : "human", &owner))
			return false;
	}
	return true;
}

static json_t *seats_json(const struct play_seat *seats, int count)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++)
		if (json_array_append_new(list, seat_event_json(&seats[i])) != 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

/* Lines of the record that come with the play: all but the clocks, which start anew. */
static bool is_clock_line(const char *line)
{
	return strncmp(line, "{\"clock\"", 8) == 0;
}

static size_t count_given(const char *journal)
{
	size_t count = 0;
	for (; *journal; journal += strcspn(journal, "\n") + 1)
		count += !is_clock_line(journal);
	return count;
}

static bool wait_header(struct play *p, const struct play_setup *setup, const struct qv_game *game,
			size_t given)
{
	struct play_seat seats[QV_MAX_SEATS];
	json_t *list = first_seats(setup, game, seats) ? seats_json(seats, game->seats) : NULL;
	json_t *header = json_pack(
		"{s:i, s:s, s:s, s:I, s:b, s:s, s:s, s:o, s:I}", "play", 1, "id", setup->id,
		"owner", setup->owner, "created", (json_int_t)setup->created, "private",
		(int)setup->closed, "clock", setup->clock ? setup->clock : "off", "dice",
		setup->typed_dice ? "typed" : "server", "seats", list, "given", (json_int_t)given);
	char *line = json_to_text(header, JSON_COMPACT);
	const bool done = line && line_wait(p, line, strlen(line));
	free(line);
	return done;
}

/* The record's header with the specs of who sits here; its other lines follow as they are. */
static bool wait_record(struct play *p, const struct play_setup *setup, const struct qv_record *r)
{
	const struct qv_game *game = r->rules.game;
	struct play_seat seats[QV_MAX_SEATS];
	const char *names[QV_MAX_SEATS];
	char position[QV_POSITION_TEXT] = "";
	struct qv_text start = { position, sizeof position, 0 };
	struct qv_record *headed = NULL;
	game->position_text((const void *)r->kept, &start); /* the state at ply 0 */
	bool done = first_seats(setup, game, seats);
	for (int i = 0; done && i < game->seats; i++)
		names[i] = seats[i].kind == SEAT_COMPUTER ? seats[i].spec : "human";
	done = done && record_new_seated(p->context, &r->rules, position, names, game->seats,
					 &headed, NULL) == QV_OK;
	done = done && line_wait(p, headed->journal.data, strcspn(headed->journal.data, "\n"));
	qv_record_free(headed);
	const char *line = r->journal.data + strcspn(r->journal.data, "\n") + 1;
	for (; done && *line; line += strcspn(line, "\n") + 1)
		done = is_clock_line(line) || line_wait(p, line, strcspn(line, "\n"));
	return done;
}

bool play_id_ok(const char *id)
{
	if (!*id || strlen(id) >= PLAY_ID_ROOM)
		return false;
	for (; *id; id++)
		if (*id <= ' ' || *id > '~' || *id == '"' || *id == '\\')
			return false;
	return true;
}

static size_t note_bytes(const struct qv_record *r, size_t *longest)
{
	size_t sum = 0;
	*longest = 0;
	for (size_t i = 0; i < r->node_count; i++) {
		const size_t length = r->nodes[i].note ? strlen(r->nodes[i].note) : 0;
		sum += length;
		*longest = length > *longest ? length : *longest;
	}
	return sum;
}

static play_verdict check_setup(const struct play_setup *setup, const struct qv_record *r,
				struct qv_error *error)
{
	const struct qv_game *game = r->rules.game;
	struct play_seat seats[QV_MAX_SEATS];
	struct timer_terms terms;
	size_t longest;
	if (!play_id_ok(setup->id) || strlen(setup->owner) >= PLAY_USER_ROOM)
		return play_refuse(error, 400, "play: its id or owner is not as it must be");
	if (setup->seat_count && setup->seat_count != game->seats)
		return play_refuse(error, 400, "seats: the game has %d, not %d", game->seats,
				   setup->seat_count);
	if (!first_seats(setup, game, seats))
		return play_refuse(error, 400, "name: %d printable characters at most", PLAY_NAME);
	if (setup->clock && !timer_parse(setup->clock, &terms))
		return play_refuse(error, 400, "clock '%.20s': 5m, 300+3 or off is expected",
				   setup->clock);
	if (setup->rules && setup->rules->game != game)
		return play_refuse(error, 400, "record: it is of %s, not of %s", game->name,
				   setup->rules->game->name);
	if (count_given(r->journal.data) > PLAY_MAX_LINES - 4 * PLAY_MARGIN)
		return play_refuse(error, 400, "play: it is too long to go on with");
	if (note_bytes(r, &longest) > PLAY_NOTES || longest > PLAY_NOTE)
		return play_refuse(error, 400, "record: its notes are too long");
	return 200;
}

/* Makes the lines and reads them; the new play has them waiting. */
static play_verdict from_setup(struct play *written, const struct play_setup *setup,
			       const struct qv_record *given, struct play **out,
			       struct qv_error *error)
{
	if (!wait_header(written, setup, given->rules.game, count_given(given->journal.data)) ||
	    !wait_record(written, setup, given))
		return play_no_memory(NULL, error);
	struct play *p = NULL;
	const play_verdict verdict =
		play_read(written->context, &written->host, (const char *const *)written->pending,
			  written->pending_count, &p, error);
	if (verdict != 200)
		return verdict;
	p->pending = written->pending;
	p->pending_count = written->pending_count;
	p->pending_room = written->pending_room;
	written->pending = NULL;
	written->pending_count = 0;
	*out = p;
	return verdict;
}

play_verdict play_prepare(const struct qv_context *context, const struct play_host *host,
			  const struct play_setup *setup, struct play **out,
			  struct qv_error *error)
{
	struct qv_record *given = NULL;
	play_verdict verdict = given_record(context, setup, &given, error);
	if (verdict == 200)
		verdict = check_setup(setup, given, error);
	struct play *written = verdict == 200 ? blank(context, host) : NULL;
	if (written)
		verdict = from_setup(written, setup, given, out, error);
	else if (verdict == 200)
		verdict = play_no_memory(NULL, error);
	play_free(written);
	qv_record_free(given);
	return verdict;
}

play_verdict play_new(const struct qv_context *context, const struct play_host *host,
		      const struct play_setup *setup, int64_t now, struct play **out,
		      struct qv_error *error)
{
	struct play *p = NULL;
	const play_verdict verdict = play_prepare(context, host, setup, &p, error);
	return verdict == 200 ? start_new(p, now, out, error) : verdict;
}
