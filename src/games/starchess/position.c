/*
 * position.c - positions of Star Chess as text.
 * SPDX-License-Identifier: MIT
 *
 *     SC1 turn=1 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0 A1=T1:1000:0/1:20:20 A2=B0 ... D4=B0
 *
 * For each faction `materials,credits`, or `-` if it is defeated; for each sector the planet, then
 * 0 or `owner:population:worked`, then, with a fleet, `/owner:ships:active`.
 */
#include "base/scan.h"
#include "games/starchess/rules.h"

/* ---- Writing ---- */

static void put_three(struct qv_text *out, int owner, int many, int part)
{
	qv_put_int(out, owner + 1);
	qv_put_char(out, ':');
	qv_put_int(out, many);
	qv_put_char(out, ':');
	qv_put_int(out, part);
}

static void put_faction(const struct starchess *s, int f, struct qv_text *out)
{
	qv_put(out, " f");
	qv_put_int(out, f + 1);
	qv_put_char(out, '=');
	if (s->g.defeated >> f & 1) {
		qv_put_char(out, '-');
		return;
	}
	qv_put_int(out, s->g.materials[f]);
	qv_put_char(out, ',');
	qv_put_int(out, s->g.credits[f]);
}

void starchess_position_text(const struct starchess *s, struct qv_text *out)
{
	qv_put(out, "SC1 turn=");
	qv_put_int(out, s->turn);
	qv_put(out, " move=");
	qv_put_int(out, s->seat + 1);
	for (int f = 0; f < SC_FACTIONS; f++)
		put_faction(s, f, out);
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		qv_put_char(out, ' ');
		sc_put_sector(out, i);
		qv_put_char(out, '=');
		qv_put_char(out, s->g.terran >> i & 1 ? 'T' : 'B');
		if (s->g.population[i])
			put_three(out, sc_owner(s->g.colonies, i), s->g.population[i],
				  s->worked[i]);
		else
			qv_put_char(out, '0');
		if (!s->g.ships[i])
			continue;
		qv_put_char(out, '/');
		put_three(out, sc_owner(s->g.fleets, i), s->g.ships[i], s->active[i]);
	}
}

/* ---- Reading ---- */

struct reader {
	const char *at;
	struct qv_error *error;
};

/* Reads a number from min to max, without sign or leading zeros. */
static bool read_number(struct reader *r, int min, int max, int *out)
{
	return scan_count(&r->at, max, out) && *out >= min;
}

static enum qv_status read_head(struct reader *r, struct starchess *s)
{
	int turn, move;
	if (!scan_literal(&r->at, "SC1 turn="))
		return qv_fail(r->error, QV_BAD_INPUT, "position: it must start with 'SC1 turn='");
	if (!read_number(r, 1, s->limit + 1, &turn))
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: the turn must be 1 to %d, the limit plus one",
			       s->limit + 1);
	if (!scan_literal(&r->at, " move=") || !read_number(r, 1, SC_FACTIONS, &move))
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: expected ' move=' and a faction, 1 to 4, after the turn");
	s->turn = (uint16_t)turn;
	s->seat = (uint16_t)(move - 1);
	return QV_OK;
}

static enum qv_status read_faction(struct reader *r, struct starchess *s, int f)
{
	const char key[] = { ' ', 'f', (char)('1' + f), '=', '\0' };
	int materials = 0, credits = 0;
	if (scan_literal(&r->at, key)) {
		if (scan_literal(&r->at, "-")) {
			s->g.defeated |= (uint16_t)(1U << f);
			return QV_OK;
		}
		if (read_number(r, 0, SC_MAX_RESERVE, &materials) && scan_literal(&r->at, ",") &&
		    read_number(r, 0, SC_MAX_RESERVE, &credits)) {
			s->g.materials[f] = materials;
			s->g.credits[f] = credits;
			return QV_OK;
		}
	}
	return qv_fail(r->error, QV_BAD_INPUT,
		       "position: expected '%s' and materials,credits up to %d, or -", key,
		       SC_MAX_RESERVE);
}

struct three {
	int owner, many, part;
};

static bool read_three(struct reader *r, int least, int most, struct three *out)
{
	if (!read_number(r, 1, SC_FACTIONS, &out->owner) || !scan_literal(&r->at, ":") ||
	    !read_number(r, least, most, &out->many) || !scan_literal(&r->at, ":") ||
	    !read_number(r, 0, out->many, &out->part))
		return false;
	out->owner--;
	return true;
}

static enum qv_status read_sector(struct reader *r, struct starchess *s, unsigned i)
{
	const char key[] = { ' ', (char)('A' + i / 4), (char)('1' + i % 4), '=', '\0' };
	const uint16_t here = (uint16_t)(1U << i);
	struct three three;
	if (!scan_literal(&r->at, key) || (*r->at != 'T' && *r->at != 'B'))
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: expected '%s' and a planet, T or B", key);
	if (*r->at++ == 'T')
		s->g.terran |= here;
	if (!scan_literal(&r->at, "0")) {
		if (!read_three(r, SC_SETTLERS, SC_TERRAN_MOST, &three))
			return qv_fail(r->error, QV_BAD_INPUT,
				       "position: the planet of%.3s must be followed by 0 or "
				       "owner:population:worked, with a population of %d to %d",
				       key, SC_SETTLERS, SC_TERRAN_MOST);
		s->g.colonies[three.owner] |= here;
		s->g.population[i] = (uint16_t)three.many;
		s->worked[i] = (uint16_t)three.part;
	}
	if (scan_literal(&r->at, "/")) {
		if (!read_three(r, 1, SC_MOST_SHIPS, &three))
			return qv_fail(
				r->error, QV_BAD_INPUT,
				"position: the fleet of%.3s must be owner:ships:active, with 1 to %d "
				"ships",
				key, SC_MOST_SHIPS);
		s->g.fleets[three.owner] |= here;
		s->g.ships[i] = (uint16_t)three.many;
		s->active[i] = (uint16_t)three.part;
	}
	return QV_OK;
}

/* Refuses what no game can reach. */
static enum qv_status check(const struct starchess *s, struct qv_error *error)
{
	for (int f = 0; f < SC_FACTIONS; f++) {
		const bool home = s->g.colonies[f] >> sc_homes[f] & 1;
		if (!(s->g.defeated >> f & 1) && !home)
			return qv_fail(error, QV_ILLEGAL,
				       "position: faction %d has lost its home world but is not "
				       "marked as defeated",
				       f + 1);
		if (s->g.defeated >> f & 1 && (s->g.colonies[f] || s->g.fleets[f]))
			return qv_fail(error, QV_ILLEGAL,
				       "position: faction %d is defeated but owns something",
				       f + 1);
	}
	if (s->g.defeated == (1U << SC_FACTIONS) - 1)
		return qv_fail(error, QV_ILLEGAL, "position: all factions are defeated");
	if (s->g.defeated >> s->seat & 1)
		return qv_fail(error, QV_ILLEGAL, "position: faction %d is to move but is defeated",
			       s->seat + 1);
	return QV_OK;
}

enum qv_status starchess_position_parse(struct starchess *s, const int64_t *options,
					const char *text, struct qv_error *error)
{
	struct starchess read = { .limit = (uint16_t)options[SC_OPTION_LIMIT] };
	struct reader r = { text, error };
	enum qv_status status = read_head(&r, &read);
	for (int f = 0; f < SC_FACTIONS && status == QV_OK; f++)
		status = read_faction(&r, &read, f);
	for (unsigned i = 0; i < SC_SECTORS && status == QV_OK; i++)
		status = read_sector(&r, &read, i);
	if (status == QV_OK && *r.at)
		status = qv_fail(error, QV_BAD_INPUT, "position: unexpected text after sector D4");
	if (status == QV_OK)
		status = check(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}
