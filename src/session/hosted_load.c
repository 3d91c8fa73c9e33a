/*
 * hosted_load.c - hosted games, made from a setup or loaded from their lines.
 * SPDX-License-Identifier: MIT
 *
 * A new game is written as lines and loaded from them like a stored one, so there is only one way
 * to build a game. Building needs no time of day and may run in any thread; hosted_start then
 * starts the clock.
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
		free(p->node_infos[i].best);
	}
	free(p->node_infos);
	free(p->rolls);
	free(p->memory);
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
		p->turn_node = -1;
	}
	return p;
}

enum verdict hosted_start(struct hosted_game *p, int64_t now, struct qv_error *error)
{
	struct request q = { .now = now, .error = error };
	for (int seat = 0; seat < p->seat_count; seat++)
		game_clock_set(&p->game.clock, seat, clock_stored(p, seat));
	days_resume(p);
	turn_go(p, &q, true);
	return q.verdict;
}

/* The second step of hosted_new and hosted_load. Frees the game if either step fails. */
static enum verdict start_new(enum verdict verdict, struct hosted_game *p, int64_t now,
			      struct hosted_game **out, struct qv_error *error)
{
	if (verdict == VERDICT_OK)
		verdict = hosted_start(p, now, error);
	if (verdict == VERDICT_OK)
		*out = p;
	else
		hosted_free(p);
	return verdict;
}

enum verdict hosted_read(const struct qv_context *context, const struct hosted_callbacks *host,
			 const char *const *lines, size_t count, struct hosted_game **out,
			 struct qv_error *error)
{
	struct request q = { .error = error };
	struct qv_error why = { "" };
	enum qv_status status = QV_OK;
	struct hosted_game *p = count <= HOSTED_MAX_LINES ? blank(context, host) : NULL;
	for (size_t i = 0; p && i < count && status == QV_OK; i++)
		status = line_apply(p, lines[i], &why);
	if (p && status == QV_OK && !p->game.record)
		status = qv_fail(&why, QV_BAD_INPUT, "the record's header is missing");
	if (count > HOSTED_MAX_LINES)
		refuse(&q, VERDICT_MALFORMED, "game: more than %d lines", HOSTED_MAX_LINES);
	else if (!p || status == QV_NO_MEMORY)
		out_of_memory(NULL, &q);
	else if (status != QV_OK)
		refuse(&q, VERDICT_MALFORMED, "line %zu: %s", p->lines, why.text);
	if (q.verdict == VERDICT_OK)
		*out = p;
	else
		hosted_free(p);
	return q.verdict;
}

size_t hosted_work(const struct qv_game *game, size_t lines, size_t moves)
{
	if (game && !game->chance)
		return lines;
	return lines + HOSTED_LUCK_WORK * (moves < HOSTED_LUCK ? moves : HOSTED_LUCK);
}

enum verdict hosted_load(const struct qv_context *context, const struct hosted_callbacks *host,
			 const char *const *lines, size_t count, int64_t now,
			 struct hosted_game **out, struct qv_error *error)
{
	struct hosted_game *p = NULL;
	const enum verdict verdict = hosted_read(context, host, lines, count, &p, error);
	return start_new(verdict, p, now, out, error);
}

/* ---- A new one, as lines ---- */

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
	json_t *checked = json_string(name); /* which accepts only well-formed UTF-8 */
	json_decref(checked);
	if (!checked || strlen(name) >= HOSTED_NAME_ROOM)
		return false;
	int length = 0, seen = 0;
	for (const unsigned char *at = (const unsigned char *)name; *at; length++) {
		const uint32_t c = next_point(&at);
		/* Code points that hide, or turn the text around them. */
		if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
		    (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
		    (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
		    c >= 0xe0000)
			return false;
		seen += c != ' ' && c != 0xa0 && c != 0x3000;
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

/* The game as it was before it came here; the caller frees it. NULL: refused. */
static struct qv_record *given_record(const struct qv_context *context,
				      const struct hosted_setup *setup, struct request *q)
{
	struct qv_record *r = NULL;
	enum qv_status status;
	if (setup->record) {
		/* Before it is replayed, which may be long work for so short a text. */
		size_t lines = 0;
		for (size_t i = 0; i < setup->record_size; i++)
			lines += setup->record[i] == '\n';
		if (lines > HOSTED_MAX_LINES) {
			refuse(q, VERDICT_MALFORMED, "record: more than %d lines",
			       HOSTED_MAX_LINES);
			return NULL;
		}
		status = record_load_bounded(context, setup->record, setup->record_size,
					     HOSTED_MAX_REDONE, &r, q->error);
	} else {
		status = qv_record_new(context, setup->rules, setup->position, &r, q->error);
	}
	for (size_t i = 0; status == QV_OK && !setup->record && i < setup->move_count; i++) {
		qv_move move;
		status = qv_move_parse(r->rules.game, r->state, setup->moves[i], &move, q->error);
		if (status == QV_OK)
			status = qv_record_play(r, move, -1, q->error);
	}
	if (status == QV_OK)
		return r;
	q->verdict = status == QV_NO_MEMORY ? VERDICT_NO_MEMORY : VERDICT_MALFORMED;
	qv_record_free(r);
	return NULL;
}

/* Will somebody else than the owner play, and read what is in the record? */
static bool is_for_others(const struct hosted_seat *seats, int count)
{
	const char *first = NULL;
	for (int i = 0; i < count; i++) {
		if (seats[i].kind == SEAT_OPEN ||
		    (seats[i].kind == SEAT_PERSON && first && strcmp(first, seats[i].user) != 0))
			return true;
		if (seats[i].kind == SEAT_PERSON)
			first = seats[i].user;
	}
	return false;
}

/*
 * Lines of a given record are taken over, except the clocks, which start from scratch, and notes
 * that would be free text from one stranger to another.
 */
static bool is_taken(const char *line, bool for_others)
{
	return strncmp(line, "{\"clock\"", 8) != 0 &&
	       !(for_others && strncmp(line, "{\"note\"", 7) == 0);
}

static size_t count_given(const char *journal, bool for_others)
{
	size_t count = 0;
	for (; *journal; journal += strcspn(journal, "\n") + 1)
		count += is_taken(journal, for_others);
	return count;
}

/*
 * Writes the lines of a new game. The header comes first, then the record's header with the specs
 * of who sits here; the other lines of the record follow as they are. False: out of memory.
 */
static bool write_lines(struct hosted_game *p, const struct hosted_setup *setup,
			const struct hosted_seat *seats, const struct qv_record *r)
{
	const struct qv_game *game = r->rules.game;
	const char *names[QV_MAX_SEATS];
	const bool for_others = is_for_others(seats, game->seats);
	json_t *list = json_array();
	for (int i = 0; i < game->seats; i++) {
		list = json_item(list, seat_event_json(&seats[i]));
		names[i] = seats[i].kind == SEAT_COMPUTER ? seats[i].spec : "human";
	}
	json_t *header = json_pack("{s:i, s:s, s:s, s:I, s:b, s:s, s:s, s:o, s:I}", "play", 1, "id",
				   setup->id, "owner", setup->owner, "created",
				   (json_int_t)setup->created, "private", (int)setup->closed,
				   "clock", setup->clock ? setup->clock : "off", "dice",
				   setup->typed_dice ? "typed" : "server", "seats", list, "given",
				   (json_int_t)count_given(r->journal.data, for_others));
	char *line = json_to_text(header, JSON_COMPACT);
	bool done = line && line_wait(p, line, strlen(line));
	free(line);
	char position[QV_POSITION_TEXT] = "";
	struct qv_text start = { position, sizeof position, 0 };
	struct qv_record *headed = NULL;
	game->position_text((const void *)r->kept, &start); /* the state at ply 0 */
	done = done && record_new_seated(p->game.context, &r->rules, position, names, game->seats,
					 &headed, NULL) == QV_OK;
	done = done && line_wait(p, headed->journal.data, strcspn(headed->journal.data, "\n"));
	qv_record_free(headed);
	const char *at = r->journal.data + strcspn(r->journal.data, "\n") + 1;
	for (; done && *at; at += strcspn(at, "\n") + 1)
		done = !is_taken(at, for_others) || line_wait(p, at, strcspn(at, "\n"));
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

/* Notes that were replaced and tags take space, too: the journal has them. */
static bool is_too_large(const struct qv_record *r)
{
	bool large = r->journal.length > HOSTED_MAX_BYTES;
	for (size_t i = 0; i < r->node_count; i++)
		large |= r->nodes[i].note && strlen(r->nodes[i].note) > HOSTED_NOTE;
	return large;
}

/* Whether a game can be made of the setup and of this record of it, and who sits where at first. */
static bool check_setup(const struct hosted_setup *setup, const struct qv_record *r,
			struct hosted_seat *seats, struct request *q)
{
	const struct qv_game *game = r->rules.game;
	struct time_control control;
	if (!hosted_id_ok(setup->id) || strlen(setup->owner) >= HOSTED_USER_ROOM)
		return refuse(q, VERDICT_MALFORMED, "game: its id or owner is malformed");
	if (setup->seat_count && setup->seat_count != game->seats)
		return refuse(q, VERDICT_MALFORMED, "seats: the game has %d, not %d", game->seats,
			      setup->seat_count);
	/* As the setup says, or the owner against the middle level. */
	const struct hosted_user owner = { setup->owner,
					   setup->owner_name ? setup->owner_name : "" };
	char level[GAME_LEVEL_SPEC];
	game_middle_level(game, level);
	for (int i = 0; i < game->seats; i++) {
		if (setup->seat_count)
			seats[i] = setup->seats[i];
		else if (!hosted_seat_read(&seats[i], i ? level : "human", &owner))
			return refuse(q, VERDICT_MALFORMED, "name: %d printable characters at most",
				      HOSTED_NAME);
	}
	if (setup->clock && !time_control_parse(setup->clock, &control))
		return refuse(q, VERDICT_MALFORMED, "clock '%.20s': 5m, 300+3, 3d/move or off is expected",
			      setup->clock);
	if (setup->rules && setup->rules->game != game)
		return refuse(q, VERDICT_MALFORMED, "record: it is of %s, not of %s", game->name,
			      setup->rules->game->name);
	if (count_given(r->journal.data, false) > HOSTED_MAX_LINES - 4 * HOSTED_MARGIN)
		return refuse(q, VERDICT_MALFORMED, "game: it is too long to continue");
	if (is_too_large(r))
		return refuse(q, VERDICT_MALFORMED, "record: its notes or tags are too long");
	return true;
}

enum verdict hosted_prepare(const struct qv_context *context, const struct hosted_callbacks *host,
			    const struct hosted_setup *setup, struct hosted_game **out,
			    struct qv_error *error)
{
	struct request q = { .error = error };
	struct hosted_game *written = NULL, *p = NULL;
	struct qv_record *given = given_record(context, setup, &q);
	struct hosted_seat seats[QV_MAX_SEATS];
	struct string memory = { .allocator = &mem_malloc };
	if (!given || !check_setup(setup, given, seats, &q))
		goto done;
	if (setup->memory) {
		const enum qv_status status =
			memory_check(context, &given->rules, setup->memory, &memory, error);
		q.verdict = status == QV_OK	     ? VERDICT_OK
			    : status == QV_NO_MEMORY ? VERDICT_NO_MEMORY
						     : VERDICT_MALFORMED;
		if (status != QV_OK)
			goto done;
	}
	/* Writes the lines and reads them; then they wait in the new game. */
	written = blank(context, host);
	if (!written || !write_lines(written, setup, seats, given)) {
		out_of_memory(NULL, &q);
		goto done;
	}
	q.verdict = hosted_read(context, host, (const char *const *)written->pending,
				written->pending_count, &p, error);
	if (q.verdict == VERDICT_OK) {
		p->pending = written->pending;
		p->pending_count = written->pending_count;
		p->pending_room = written->pending_room;
		written->pending = NULL;
		written->pending_count = 0;
		if ((setup->memory &&
		     !emit(p, json_pack("{s:s, s:s}", "play", "learned", "text", memory.data))) ||
		    (setup->own_engine &&
		     !emit(p, json_pack("{s:s, s:s}", "play", "engine", "name", "browser")))) {
			hosted_free(p);
			out_of_memory(NULL, &q);
			goto done;
		}
		*out = p;
	}
done:
	string_release(&memory);
	hosted_free(written);
	qv_record_free(given);
	return q.verdict;
}

enum verdict hosted_new(const struct qv_context *context, const struct hosted_callbacks *host,
			const struct hosted_setup *setup, int64_t now, struct hosted_game **out,
			struct qv_error *error)
{
	struct hosted_game *p = NULL;
	const enum verdict verdict = hosted_prepare(context, host, setup, &p, error);
	return start_new(verdict, p, now, out, error);
}
