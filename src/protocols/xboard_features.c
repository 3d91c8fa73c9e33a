/*
 * xboard_features.c - what an XBoard engine announces: features, options, variants.
 * SPDX-License-Identifier: MIT
 *
 * The options are those of UCI, without blanks in their names: programs that read the line split
 * it at the first blank. In `option` both spellings are accepted.
 */
#include "protocols/xboard.h"

#include "core/context.h"
#include "formats/chess960.h"

/* These would change the game, or are for lines that XBoard does not have. */
static const char uci_alone[] = "UCI_Chess960|UCI_ShowWDL|UCI_Variant";

void xboard_add_features(const struct connection *c, struct string *out)
{
	/* Some options of UCI have their own commands here, or no meaning. */
	static const char left_out[] =
		"Hash|Threads|Ponder|UCI_AnalyseMode|UCI_Opponent|UCI_EngineAbout";
	const struct engine_session *e = &c->engine;
	struct option o;
	string_addf(out,
		    "feature done=0\n"
		    "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1\n"
		    "feature sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 name=1 ics=0 nps=0\n"
		    "feature debug=1 memory=1 smp=1 exclude=1 pause=1\n"
		    "feature variants=\"normal,fischerandom\"\n"
		    "feature myname=\"Quevedo %s\"\n",
		    qv_version());
	for (const struct option *row = uci_options; row->name; row++) {
		if (scan_choice(left_out, row->name) >= 0 ||
		    scan_choice(uci_alone, row->name) >= 0 || !engine_option_here(e, row, &o))
			continue;
		string_addf(out, "feature option=\"");
		for (const char *at = o.name; *at; at++)
			string_add(out, at, *at != ' ');
		if (o.type == OPTION_SWITCH)
			string_addf(out, " -check %d\"\n", engine_option_number(e, &o) != 0);
		else if (o.type == OPTION_INT)
			string_addf(out, " -spin %lld %lld %lld\"\n",
				    (long long)engine_option_number(e, &o), (long long)o.min,
				    (long long)o.max);
		else if (o.type == OPTION_FLAG)
			string_addf(out, " -button\"\n");
		else
			string_addf(out, " -string %s\"\n", engine_option_text(e, &o));
	}
	string_addf(out, "feature done=1\n");
}

/* Compares without blanks and letter case. */
static bool same_name(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, " ");
		b += strspn(b, " ");
		if (to_lower(*a) != to_lower(*b))
			return false;
		if (!*a)
			return true;
	}
}

const struct option *xboard_option_find(const char *name)
{
	for (const struct option *row = uci_options; row->name; row++)
		if (same_name(row->name, name) && scan_choice(uci_alone, row->name) < 0)
			return row;
	return NULL;
}

bool xboard_set_variant(struct connection *c, const char *name, struct qv_error *error)
{
	const int which = scan_choice("normal|fischerandom", name);
	error->text[0] = '\0';
	return which >= 0 && engine_set(&c->engine, engine_option_find(uci_options, "UCI_Chess960"),
					which ? "1" : "0", error) == QV_OK;
}

/* In Chess960 castling is O-O or O-O-O, as the protocol has it. */
struct move_text xboard_move_text(const struct connection *c, const void *state, qv_move move)
{
	const struct qv_rules *rules = &c->engine.rules;
	struct move_text san = { "" };
	struct qv_text out = { san.text, sizeof san.text, 0 };
	if (!rules_are_960(rules))
		return move_text(rules->game, state, move);
	context_engine(rules->game)->short_text(state, move, &out);
	san.text[strcspn(san.text, "+#")] = '\0';
	return san.text[0] == 'O' ? san : move_text(rules->game, state, move);
}
