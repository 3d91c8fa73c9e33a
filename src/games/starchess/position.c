/*
 * position.c - positions of Star Chess as text, written and read.
 * SPDX-License-Identifier: MIT
 *
 * The reader accepts exactly what the writer can produce for a position that a game can reach, so
 * each position has one text. It names the first thing that is wrong.
 *
 *     SC1 turn=1 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0 A1=T1:1000:0/1:20:20 A2=B0 ... D4=B0
 *
 * For each faction `materials,credits`, or `-` if it is defeated; for each sector the planet, then
 * 0 or `owner:population:worked`, then, with a fleet, `/owner:ships:active`.
 */
#include "base/scan.h"
#include "games/starchess/rules.h"

/* ---- Writing ---- */

void starchess_position_text(const struct starchess *s, struct qv_text *out)
{
	sc_putf(out, "SC1 turn=%d move=%d", s->turn, s->seat + 1);
	for (int f = 0; f < SC_FACTIONS; f++)
		if (s->g.defeated >> f & 1)
			sc_putf(out, " f%d=-", f + 1);
		else
			sc_putf(out, " f%d=%d,%d", f + 1, s->g.materials[f], s->g.credits[f]);
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		const int colony = sc_owner(s->g.colonies, i), fleet = sc_owner(s->g.fleets, i);
		sc_putf(out, " %s=%c", sc_name_of(i).text, s->g.terran >> i & 1 ? 'T' : 'B');
		if (s->g.population[i])
			sc_putf(out, "%d:%d:%d", colony + 1, s->g.population[i], s->worked[i]);
		else
			qv_put_char(out, '0');
		if (s->g.ships[i])
			sc_putf(out, "/%d:%d:%d", fleet + 1, s->g.ships[i], s->active[i]);
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

static enum qv_status read_faction(struct reader *r, struct starchess *s, int f)
{
	const char key[] = { ' ', 'f', (char)('1' + f), '=', '\0' };
	if (scan_literal(&r->at, key)) {
		if (scan_literal(&r->at, "-")) {
			s->g.defeated |= (uint16_t)(1U << f);
			return QV_OK;
		}
		if (read_number(r, 0, SC_MAX_RESERVE, &s->g.materials[f]) &&
		    scan_literal(&r->at, ",") &&
		    read_number(r, 0, SC_MAX_RESERVE, &s->g.credits[f]))
			return QV_OK;
	}
	return qv_fail(r->error, QV_BAD_INPUT,
		       "position: expected '%s' and materials,credits up to %d, or -", key,
		       SC_MAX_RESERVE);
}

/* An owner, from 0, a number of inhabitants or ships, and how many of them worked or can move. */
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

/* Reads a sector: its planet, its colony and its fleet. */
static enum qv_status read_sector(struct reader *r, struct starchess *s, unsigned i)
{
	const char key[] = { ' ', (char)('A' + i / 4), (char)('1' + i % 4), '=', '\0' };
	const uint16_t here = (uint16_t)(1U << i);
	struct three three;
	if (!scan_literal(&r->at, key) || (*r->at != 'T' && *r->at != 'B'))
		return qv_fail(r->error, QV_BAD_INPUT, "position: expected '%s' and a planet, T or B", key);
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
			return qv_fail(r->error, QV_BAD_INPUT,
				       "position: the fleet of%.3s must be owner:ships:active, with 1 "
				       "to %d ships", key, SC_MOST_SHIPS);
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
		const bool defeated = s->g.defeated >> f & 1;
		if (!defeated && !(s->g.colonies[f] >> sc_homes[f] & 1))
			return qv_fail(error, QV_ILLEGAL,
				       "position: faction %d has lost its home world but is not "
				       "marked as defeated",
				       f + 1);
		if (defeated && (s->g.colonies[f] || s->g.fleets[f]))
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
	enum qv_status status = QV_OK;
	int turn, move;
	if (!scan_literal(&r.at, "SC1 turn="))
		return qv_fail(error, QV_BAD_INPUT, "position: it must start with 'SC1 turn='");
	if (!read_number(&r, 1, read.limit + 1, &turn))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: the turn must be 1 to %d, the limit plus one",
			       read.limit + 1);
	if (!scan_literal(&r.at, " move=") || !read_number(&r, 1, SC_FACTIONS, &move))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected ' move=' and a faction, 1 to 4, after the turn");
	read.turn = (uint16_t)turn;
	read.seat = (uint16_t)(move - 1);
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
