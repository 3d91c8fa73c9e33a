/*
 * hosted_load.c - hosted games, made from a setup or loaded from their lines.
 * SPDX-License-Identifier: MIT
 *
 * A new game is written as lines and loaded from them like a stored one, so there is only one way to
 * build a game.
 */
#include "session/hosted_inside.h"

#include <stdlib.h>

/* ---- Making and freeing ---- */

void hosted_free(struct hosted_game *p)
{
	if (!p)
		return;
	hosted_lines_taken(p);
	free(p->pending);
	for (size_t i = 0; i < p->node_info_count; i++) {
		free(p->node_infos[i].move);
		free(p->node_infos[i].brief);
	}
	free(p->node_infos);
	free(p->rolls);
	game_session_release(&p->game);
	free(p);
}

static struct hosted_game *blank(const struct qv_context *context,
				 const struct hosted_callbacks *host)
{
	struct hosted_game *p = calloc(1, sizeof *p);
	if (p) {
		p->game.context = context;
		p->game.substitutes = true;
		p->host = *host;
		p->last_roll = -1;
	}
	return p;
}

enum verdict hosted_start(struct hosted_game *p, int64_t now, struct qv_error *error)
{
	for (int seat = 0; seat < p->seat_count; seat++)
		game_clock_set(&p->game.clock, seat, clock_stored(p, seat));
	return turn_go(p, true, now, error);
}

/* As hosted_start, for a game that nobody else has yet: frees it if it fails. */
static enum verdict start_new(struct hosted_game *p, int64_t now, struct hosted_game **out,
			      struct qv_error *error)
{
	const enum verdict verdict = hosted_start(p, now, error);
	if (verdict == VERDICT_OK)
		*out = p;
	else
		hosted_free(p);
	return verdict;
}

static enum verdict load_verdict(enum qv_status status, const struct qv_error *why, size_t number,
				 struct qv_error *error)
{
	if (status == QV_NO_MEMORY)
		return hosted_no_memory(NULL, error);
	return hosted_refuse(error, VERDICT_MALFORMED, "line %zu: %s", number, why->text);
}

enum verdict hosted_read(const struct qv_context *context, const struct hosted_callbacks *host,
			 const char *const *lines, size_t count, struct hosted_game **out,
			 struct qv_error *error)
{
	if (count > HOSTED_MAX_LINES)
		return hosted_refuse(error, VERDICT_MALFORMED, "game: more than %d lines",
				     HOSTED_MAX_LINES);
	struct hosted_game *p = blank(context, host);
	if (!p)
		return hosted_no_memory(NULL, error);
	enum qv_status status = QV_OK;
	struct qv_error why = { "" };
	for (size_t i = 0; i < count && status == QV_OK; i++)
		status = line_apply(p, lines[i], &why);
	if (status == QV_OK && !p->game.record)
		status = qv_fail(&why, QV_BAD_INPUT, "the record's header is missing");
	if (status == QV_OK) {
		*out = p;
		return VERDICT_OK;
	}
	const size_t number = p->lines;
	hosted_free(p);
	return load_verdict(status, &why, number, error);
}

enum verdict hosted_load(const struct qv_context *context, const struct hosted_callbacks *host,
			 const char *const *lines, size_t count, int64_t now,
			 struct hosted_game **out, struct qv_error *error)
{
	struct hosted_game *p = NULL;
	const enum verdict verdict = hosted_read(context, host, lines, count, &p, error);
	return verdict == VERDICT_OK ? start_new(p, now, out, error) : verdict;
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

bool hosted_name_ok(const char *name)
{
	if (strlen(name) >= HOSTED_NAME_ROOM)
		return false;
	json_t *checked = json_string(name); /* which accepts only well-formed UTF-8 */
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
	return seen > 0 && length <= HOSTED_NAME;
}

bool hosted_seat_read(struct hosted_seat *out, const char *text, const struct hosted_user *person)
{
	struct hosted_seat seat = { .kind = SEAT_COMPUTER };
	if (strcmp(text, "human") == 0) {
		if (!*person->user || strlen(person->user) >= sizeof seat.user ||
		    !hosted_name_ok(person->name))
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
	return lines > HOSTED_MAX_LINES;
}

/* The game as it was before it came here; the caller frees it. */
static enum verdict given_record(const struct qv_context *context, const struct hosted_setup *setup,
				 struct qv_record **out, struct qv_error *error)
{
	struct qv_record *r = NULL;
	if (setup->record && has_too_many_lines(setup->record, setup->record_size))
		return hosted_refuse(error, VERDICT_MALFORMED, "record: more than %d lines",
				     HOSTED_MAX_LINES);
	enum qv_status status =
		setup->record ? record_load_bounded(context, setup->record, setup->record_size,
						    HOSTED_MAX_REDONE, &r, error)
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
	return status == QV_OK		? VERDICT_OK
	       : status == QV_NO_MEMORY ? VERDICT_NO_MEMORY
					: VERDICT_MALFORMED;
}

/* Who sits where at first: as the setup says, or the owner against the middle level. */
static bool first_seats(const struct hosted_setup *setup, const struct qv_game *game,
			struct hosted_seat *seats)
{
	const struct hosted_user owner = { setup->owner,
					   setup->owner_name ? setup->owner_name : "" };
	char level[GAME_LEVEL_SPEC];
	game_middle_level(game, level);
	for (int i = 0; i < game->seats; i++) {
		if (setup->seat_count)
			seats[i] = setup->seats[i];
		else if (!hosted_seat_read(&seats[i], i ? level : "human", &owner))
			return false;
	}
	return true;
}

static json_t *seats_json(const struct hosted_seat *seats, int count)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++)
		if (json_array_append_new(list, seat_event_json(&seats[i])) != 0) {
			json_decref(list);
			return NULL;
		}
	return list;
}

/* Lines of a given record are taken over, except the clocks, which start from scratch. */
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

static bool wait_header(struct hosted_game *p, const struct hosted_setup *setup,
			const struct qv_game *game, size_t given)
{
	struct hosted_seat seats[QV_MAX_SEATS];
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
static bool wait_record(struct hosted_game *p, const struct hosted_setup *setup,
			const struct qv_record *r)
{
	const struct qv_game *game = r->rules.game;
	struct hosted_seat seats[QV_MAX_SEATS];
	const char *names[QV_MAX_SEATS];
	char position[QV_POSITION_TEXT] = "";
	struct qv_text start = { position, sizeof position, 0 };
	struct qv_record *headed = NULL;
	game->position_text((const void *)r->kept, &start); /* the state at ply 0 */
	bool done = first_seats(setup, game, seats);
	for (int i = 0; done && i < game->seats; i++)
		names[i] = seats[i].kind == SEAT_COMPUTER ? seats[i].spec : "human";
	done = done && record_new_seated(p->game.context, &r->rules, position, names, game->seats,
					 &headed, NULL) == QV_OK;
	done = done && line_wait(p, headed->journal.data, strcspn(headed->journal.data, "\n"));
	qv_record_free(headed);
	const char *line = r->journal.data + strcspn(r->journal.data, "\n") + 1;
	for (; done && *line; line += strcspn(line, "\n") + 1)
		done = is_clock_line(line) || line_wait(p, line, strcspn(line, "\n"));
	return done;
}

bool hosted_id_ok(const char *id)
{
	if (!*id || strlen(id) >= HOSTED_ID_ROOM)
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

static enum verdict check_setup(const struct hosted_setup *setup, const struct qv_record *r,
				struct qv_error *error)
{
	const struct qv_game *game = r->rules.game;
	struct hosted_seat seats[QV_MAX_SEATS];
	struct time_control control;
	size_t longest;
	if (!hosted_id_ok(setup->id) || strlen(setup->owner) >= HOSTED_USER_ROOM)
		return hosted_refuse(error, VERDICT_MALFORMED,
				     "game: its id or owner is malformed");
	if (setup->seat_count && setup->seat_count != game->seats)
		return hosted_refuse(error, VERDICT_MALFORMED, "seats: the game has %d, not %d",
				     game->seats, setup->seat_count);
	if (!first_seats(setup, game, seats))
		return hosted_refuse(error, VERDICT_MALFORMED,
				     "name: %d printable characters at most", HOSTED_NAME);
	if (setup->clock && !time_control_parse(setup->clock, &control))
		return hosted_refuse(error, VERDICT_MALFORMED,
				     "clock '%.20s': 5m, 300+3 or off is expected", setup->clock);
	if (setup->rules && setup->rules->game != game)
		return hosted_refuse(error, VERDICT_MALFORMED, "record: it is of %s, not of %s",
				     game->name, setup->rules->game->name);
	if (count_given(r->journal.data) > HOSTED_MAX_LINES - 4 * HOSTED_MARGIN)
		return hosted_refuse(error, VERDICT_MALFORMED, "game: it is too long to continue");
	if (note_bytes(r, &longest) > HOSTED_NOTES || longest > HOSTED_NOTE)
		return hosted_refuse(error, VERDICT_MALFORMED, "record: its notes are too long");
	return VERDICT_OK;
}

/* Writes the lines and reads them; they wait in the new game. */
static enum verdict from_setup(struct hosted_game *written, const struct hosted_setup *setup,
			       const struct qv_record *given, struct hosted_game **out,
			       struct qv_error *error)
{
	if (!wait_header(written, setup, given->rules.game, count_given(given->journal.data)) ||
	    !wait_record(written, setup, given))
		return hosted_no_memory(NULL, error);
	struct hosted_game *p = NULL;
	const enum verdict verdict = hosted_read(written->game.context, &written->host,
						 (const char *const *)written->pending,
						 written->pending_count, &p, error);
	if (verdict != VERDICT_OK)
		return verdict;
	p->pending = written->pending;
	p->pending_count = written->pending_count;
	p->pending_room = written->pending_room;
	written->pending = NULL;
	written->pending_count = 0;
	*out = p;
	return verdict;
}

enum verdict hosted_prepare(const struct qv_context *context, const struct hosted_callbacks *host,
			    const struct hosted_setup *setup, struct hosted_game **out,
			    struct qv_error *error)
{
	struct qv_record *given = NULL;
	enum verdict verdict = given_record(context, setup, &given, error);
	if (verdict == VERDICT_OK)
		verdict = check_setup(setup, given, error);
	struct hosted_game *written = verdict == VERDICT_OK ? blank(context, host) : NULL;
	if (written)
		verdict = from_setup(written, setup, given, out, error);
	else if (verdict == VERDICT_OK)
		verdict = hosted_no_memory(NULL, error);
	hosted_free(written);
	qv_record_free(given);
	return verdict;
}

enum verdict hosted_new(const struct qv_context *context, const struct hosted_callbacks *host,
			const struct hosted_setup *setup, int64_t now, struct hosted_game **out,
			struct qv_error *error)
{
	struct hosted_game *p = NULL;
	const enum verdict verdict = hosted_prepare(context, host, setup, &p, error);
	return verdict == VERDICT_OK ? start_new(p, now, out, error) : verdict;
}
