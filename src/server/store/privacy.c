/*
 * privacy.c - what the tables hold about people, why, and for how long.
 * SPDX-License-Identifier: MIT
 *
 * The page /privacy is made from it, so that what it says is what the server does. To add a column to
 * the database: add it here, too, and what it is for to the messages privacy.purpose and
 * privacy.kept of the page. A test compares this with the columns of a real database.
 */
#include "server/store/store.h"

const struct store_privacy store_privacy[] = {
	{ "user", "id name created", "user", "guest" },
	{ "user", "epoch", "epoch", "guest" },
	{ "account", "user login password skeleton", "account", "account" },
	{ "account", "email", "email", "account" },
	{ "session", "id user epoch created seen label", "session", "session" },
	{ "revocation", "number user issuer kept made", "revocation", "revocation" },
	{ "code", "hash user purpose email expires", "code", "code" },
	{ "deletion", "user play", "deletion", "deletion" },
	{ "token", "id hash user label created used", "token", "token" },
	{ "play", "id game owner created updated private going open_seats", "play", "game" },
	{ "play", "node epoch", "server", "game" },
	{ "seat", "user play going", "seat", "game" },
	{ "event", "play number line checksum", "event", "game" },
	{ "finished", "user play ended game outcome opponents entry", "finished", "list" },
	{ "unlisted", "play", "finished", "game" },
	{ "explored", "number play game mark result public entry", "explorer", "game" },
	{ "visit", "position public explored move level result", "explorer", "game" },
	{ "tally", "position move result games people computers levels", "explorer", "forever" },
	{ "puzzle", "game id rating deviation volatility tries solved", "puzzle", "forever" },
	{ "puzzle_attempt", "user game puzzle day", "attempt", "days" },
	{ "studies", "id owner version created updated title chapters body", "study", "study" },
	{ "imcs_user", "number name user password rating", "imcs", "forever" },
	{ "imcs_user", "version", "server", "forever" },
	{ "imcs_game", "id white black play began ended result log", "imcs", "forever" },
	{ "imcs_entry", "id white black color own_s other_s white_rating black_rating since node",
	  "imcs", "server" },
	{ "imcs_number", "what last", "counter", "forever" },
	{ "quota", "name day used", "quota", "day" },
	{ "guess", "name wrong last next refused", "guess", "guess" },
	{ "node", "id until address", "server", "server" },
};
const int store_privacy_count = sizeof store_privacy / sizeof *store_privacy;
