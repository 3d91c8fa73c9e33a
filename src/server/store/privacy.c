/*
 * privacy.c - what the tables hold about people, why, and for how long.
 * SPDX-License-Identifier: MIT
 *
 * The page /privacy is made from it, so that what it says is what the server does. To add a column to
 * the database: add it here, too, and what it is for to the messages privacy.purpose and
 * privacy.kept of the page. A test compares this with the columns of a real database.
 */
#include "server/store/privacy.h"

const struct store_privacy store_privacy[] = {
	{ "user", "id name created", "user", .kept = "guest" },
	{ "user", "epoch", "epoch", .kept = "guest" },
	{ "account", "user login password skeleton", "account", .kept = "account" },
	{ "account", "email", "email", .kept = "account" },
	{ "session", "id user epoch created seen label", "session", .kept = "session" },
	{ "revocation", "number user issuer kept made", "revocation", .kept = "revocation",
	  .days = STORE_REVOCATION_DAYS },
	{ "code", "hash user purpose email expires", "code", .kept = "code", .days = STORE_CODE_DAYS },
	{ "deletion", "user play", "deletion", .kept = "deletion" },
	{ "token", "id hash user label created used", "token", .kept = "token" },
	{ "play", "id game owner created updated private going open_seats", "play", .kept = "game" },
	{ "play", "node epoch", "server", .kept = "game" },
	{ "seat", "user play going", "seat", .kept = "game" },
	{ "event", "play number line checksum", "event", .kept = "game" },
	{ "finished", "user play ended game outcome opponents entry", "finished", .kept = "list" },
	{ "unlisted", "play", "finished", .kept = "game" },
	{ "explored", "number play game mark result public entry", "explorer", .kept = "game" },
	{ "visit", "position public explored move level result", "explorer", .kept = "game" },
	{ "tally", "position move result games people computers levels", "explorer", .kept = "forever" },
	{ "puzzle", "game id rating deviation volatility tries solved", "puzzle", .kept = "forever" },
	{ "puzzle_attempt", "user game puzzle day", "attempt", .kept = "days" },
	{ "studies", "id owner version created updated title chapters body", "study", .kept = "study" },
	{ "report", "id made reporter kind object about shown reason text closed network",
	  "report", .kept = "report", .days = STORE_REPORT_DAYS },
	{ "suspension", "target reason made until", "suspension", .kept = "suspension" },
	{ "audit", "made what user network detail times", "audit", .kept = "audit",
	  .days = STORE_AUDIT_DAYS },
	{ "imcs_user", "number name user password rating", "imcs", .kept = "forever" },
	{ "imcs_user", "version", "server", .kept = "forever" },
	{ "imcs_game", "id white black play began ended result log", "imcs", .kept = "forever" },
	{ "imcs_entry", "id white black color own_s other_s white_rating black_rating since node",
	  "imcs", .kept = "server" },
	{ "imcs_number", "what last", "counter", .kept = "forever" },
	{ "removal", "number what id value made", "removal", .kept = "removal",
	  .days = STORE_REMOVAL_DAYS },
	{ "mark", "what value", "schema", .kept = "forever" },
	{ "quota", "name day used", "quota", .kept = "day" },
	{ "guess", "name wrong last next refused", "guess", .kept = "guess" },
	{ "node", "id until address", "server", .kept = "server" },
	{ "tally_later", "number position move result games people computers levels", "explorer",
	  .kept = "forever", .postgres = true },
	{ "job", "node number urgent limit_ms body made worker until attempt hurry", "job",
	  .kept = "job", .postgres = true },
	{ "worker", "id until threads name", "server", .kept = "server", .postgres = true },
	{ "batch", "writer number dead made", "server", .kept = "batch", .days = STORE_BATCH_DAYS,
	  .postgres = true },
	{ "secret", "number key", "secret", .kept = "forever", .postgres = true },
	{ "schema_version", "application version", "schema", .kept = "forever", .postgres = true },
};
const int store_privacy_count = sizeof store_privacy / sizeof *store_privacy;
