/*
 * statements.c - the texts of all statements.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/statements.h"

#define PLAY_COLUMNS                                                                         \
	"SELECT p.id, p.game, p.owner, p.created, p.updated, p.private, p.going,"            \
	" p.open_seats, (SELECT coalesce(max(number) + 1, 0) FROM event WHERE play = p.id)," \
	" p.node, p.epoch, (SELECT line FROM event WHERE play = p.id AND number = 0)"        \
	" FROM play p "
#define ONE_PLAY PLAY_COLUMNS "WHERE p.id = ?1"
#define LATEST " ORDER BY p.updated DESC, p.id DESC LIMIT ?1"
/*
 * The first 2000 finished games of a user after a place in the list. The index has their order, so
 * that a question never looks at more, however many there are and whatever is searched for.
 */
#define FINISHED_MOST "2000"
#define FINISHED_AFTER                                    \
	" FROM finished WHERE user = ?1 AND ended >= ?5"  \
	" AND (ended, play) < (?6, ?7) ORDER BY ended DESC, play DESC"
#define FINISHED_LOOKED(columns) "SELECT " columns FINISHED_AFTER " LIMIT " FINISHED_MOST
/* The case of ASCII letters does not matter; `has` is an expression that is true if ?4 is found. */
#define FINISHED_MATCH(has)                                               \
	" WHERE (?2 = '' OR game = ?2) AND (?3 = '' OR outcome = ?3)"     \
	" AND (?4 = '' OR " has ")"
#define FINISHED_PAGE(has)                                                              \
	"SELECT entry, ended, play FROM ("                                              \
	FINISHED_LOOKED("ended, play, game, outcome, opponents, entry") ") AS looked"   \
	FINISHED_MATCH(has) " ORDER BY ended DESC, play DESC LIMIT ?8 OFFSET ?9"
/* How many match, whether more follow that were not looked at, and the last that was. */
#define FINISHED_COUNT(has)                                                             \
	"WITH looked AS (" FINISHED_LOOKED("ended, play, game, outcome, opponents") ")" \
	" SELECT (SELECT count(*) FROM looked" FINISHED_MATCH(has) "),"                 \
	" CASE WHEN EXISTS (SELECT 1" FINISHED_AFTER " LIMIT 1 OFFSET " FINISHED_MOST ")" \
	" THEN 1 ELSE 0 END, ended, play FROM looked ORDER BY ended, play LIMIT 1"
#define HAS_SQLITE "instr(lower(opponents), lower(?4)) > 0"
#define HAS_POSTGRES "strpos(lower(opponents), lower(?4 COLLATE \"C\")) > 0"
/*
 * The ids of the games in progress that a user created or has a seat in. Both parts use an index and
 * stop at 1000, so that finished games cost nothing. SQLite, which has no statistics of the tables,
 * would take the primary key for the first: `by` names the index.
 */
#define BY_GOING " INDEXED BY seat_going"
#define GOING_OF(by, user)                                                                 \
	"SELECT play FROM (SELECT play FROM seat" by " WHERE going = 1 AND user = " user   \
	" LIMIT 1000) AS seated UNION SELECT id FROM (SELECT id FROM play WHERE going = 1" \
	" AND owner = " user " LIMIT 1000) AS own"
#define GAMES_GOING_OF(by) \
	PLAY_COLUMNS "WHERE p.going = 1 AND p.id IN (" GOING_OF(by, "?2") ")" LATEST
#define COUNT_GOING_OF(by) "SELECT count(*) FROM (" GOING_OF(by, "?1") ") AS going_of"
#define STUDY_COLUMNS "SELECT id, owner, title, version, created, updated, chapters, "
/* The visits of the user ?2 to the position ?1. At most 2000 games bound the work. */
#define OWN_VISITS                                                                           \
	" FROM (SELECT play FROM finished WHERE user = ?2 ORDER BY ended DESC LIMIT 2000) f" \
	" JOIN explored e ON e.play = f.play"                                                \
	" JOIN visit v ON v.position = ?1 AND v.public = e.public AND v.explored = e.number"
#define SUM_IF(condition, value) \
	" CAST(sum(CASE WHEN " condition " THEN " value " ELSE 0 END) AS BIGINT)"
#define VISIT_SUMS                  \
	SUM_IF("v.level = -1", "1") \
	"," SUM_IF("v.level > 0", "1") "," SUM_IF("v.level > 0", "v.level")
#define TALLY_COLUMNS "SELECT move, result, games, people, computers, levels "
#define USER_COLUMNS                                                            \
	"SELECT u.id, u.name, a.login, a.password, u.created, a.email, u.epoch" \
	" FROM user u LEFT JOIN account a ON a.user = u.id "
#define PUZZLE_COLUMNS "SELECT id, rating, deviation, volatility, tries, solved FROM puzzle"
#define RATE_PUZZLE(if_)                                                           \
	"INSERT INTO puzzle (game, id, rating, deviation, volatility, tries,"      \
	" solved) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 " if_                          \
	" ON CONFLICT (game, id) DO UPDATE SET rating = excluded.rating,"          \
	" deviation = excluded.deviation, volatility = excluded.volatility,"       \
	" tries = puzzle.tries + excluded.tries, solved = puzzle.solved + excluded.solved"
#define REPORT_COLUMNS                                                                      \
	"SELECT id, made, reporter, kind, object, about, shown, reason, text, closed," \
	" network FROM report "
#define SUSPENSION_COLUMNS "SELECT target, reason, made, until FROM suspension "
#define AUDIT_COLUMNS "SELECT made, what, user, network, detail, times FROM audit "
/* Of rows of moderation.h: closed reports stay for 90 days, others for a year, the trail for 180. */
#define OLD_REPORTS "(closed > 0 AND closed < ?1 - 7776000) OR made < ?1 - 31536000"
#define OLD_SUSPENSIONS "until > 0 AND until <= ?1"
#define OLD_AUDIT "made < ?1 - 15552000"
#define COUNT_OLD(table, which) \
	"SELECT count(*) FROM (SELECT 1 FROM " table " WHERE " which " LIMIT ?2) AS old_ones"
#define TOKEN_COLUMNS "SELECT id, user, label, created, used FROM token "

#define IMCS_GAME_COLUMNS "SELECT id, white, black, play, began, ended, result, log FROM imcs_game "
/* Games that have ended, but whose plays have not. */
#define STALE_IMCS_GAMES \
	IMCS_GAME_COLUMNS "WHERE ended <> 0 AND play IN (SELECT id FROM play WHERE going = 1)"
#define IMCS_VERSION "(SELECT coalesce(max(last), 0) FROM imcs_number WHERE what = 'account')"
#define IMCS_USER_COLUMNS "INSERT INTO imcs_user (name, user, password, rating, version)"
#define IS_ALIVE(node_) \
	"EXISTS (SELECT 1 FROM node n WHERE n.id = " node_ " AND " NODE_HOLDS("n") ")"
#define CLAIM "UPDATE play SET node = ?2, epoch = play.epoch + 1 "
#define MAY_CLAIM(node_) "(" node_ " = '' OR " node_ " = ?2 OR NOT " IS_ALIVE(node_) ")"
#define KEEP_NODE                                                                \
	"UPDATE node SET until = now_ms() + ?2, address = ?3 WHERE id = ?1 AND " \
	NODE_HOLDS("node")
/* Has the user an account, or a name at IMCS? */
#define IS_MEMBER(user_)                                             \
	"(EXISTS (SELECT 1 FROM account a WHERE a.user = " user_ ")" \
	" OR EXISTS (SELECT 1 FROM imcs_user i WHERE i.user = " user_ "))"
/*
 * Of a guess that is made again: too early, unless the clock was set back; or after so long that the
 * ones before are forgotten. The numbers are those of limits.h.
 */
#define TOO_EARLY "guess.next > excluded.last AND guess.last <= excluded.last + 60000"
#define FORGOTTEN "excluded.last - guess.last >= 3600000"
#define GUESS_TIME "CASE WHEN ?2 > 0 THEN ?2 ELSE now_ms() END"
#define COUNTS                                                                       \
	" (SELECT count(*) FROM user), (SELECT count(*) FROM account),"              \
	" (SELECT count(*) FROM play), (SELECT count(*) FROM play WHERE going = 1)," \
	" (SELECT count(*) FROM studies), (SELECT coalesce(min(updated), 0) FROM play)"

/* The job of a server that is the given worker's, at that attempt. */
#define JOB_OF_WORKER "WHERE node = ?1 AND number = ?2 AND worker = ?3 AND attempt = ?4"

/* Nothing of that kind was noted of the user ?1 since ?3. */
#define NO_LATER(what_)                                                           \
	"NOT EXISTS (SELECT 1 FROM removal r WHERE r.what = '" what_ "' AND r.id = ?1" \
	" AND r.made >= ?3)"

const struct store_statement store_statements[STATEMENT_KINDS] = {
	/* ---- reads ---- */
	[ASK_PLAY] = { .types = "t", .sql = ONE_PLAY },
	[ASK_LINES] = { .types = "t",
			.sql = "SELECT number, line, checksum FROM event WHERE play = ?1"
			       " ORDER BY number" },
	[ASK_LOAD] = { .types = "t", .sql = ONE_PLAY, .then = ASK_LINES },
	[ASK_GOING] = { .types = "n", .sql = PLAY_COLUMNS "WHERE p.going = 1" LATEST },
	[ASK_OF_USER] = { .types = "nt",
			  .sql = PLAY_COLUMNS
			  "WHERE p.id IN (SELECT play FROM seat WHERE user = ?2"
			  " UNION SELECT id FROM play WHERE owner = ?2)" LATEST },
	[ASK_UNLISTED] = { .types = "n",
			   .sql = PLAY_COLUMNS "WHERE p.id IN (SELECT play FROM unlisted)" LATEST },
	[ASK_GOING_OF] = { .types = "nt",
			   .sql = GAMES_GOING_OF(BY_GOING),
			   .postgres = GAMES_GOING_OF("") },
	[ASK_COUNT_GOING] = { .types = "t",
			      .sql = COUNT_GOING_OF(BY_GOING),
			      .postgres = COUNT_GOING_OF("") },
	[ASK_TALLY] = { .types = "n",
			.sql = TALLY_COLUMNS "FROM tally WHERE position = ?1 ORDER BY move",
			.postgres = "SELECT move, result, CAST(sum(games) AS BIGINT),"
				    " CAST(sum(people) AS BIGINT), CAST(sum(computers) AS BIGINT),"
				    " CAST(sum(levels) AS BIGINT) FROM (" TALLY_COLUMNS
				    "FROM tally WHERE position = ?1 UNION ALL " TALLY_COLUMNS
				    "FROM tally_later WHERE position = ?1) AS t"
				    " GROUP BY move, result HAVING sum(games) <> 0 ORDER BY move" },
	[ASK_OWN_TALLY] = { .types = "nt",
			    .sql = "SELECT v.move, v.result, count(*)," VISIT_SUMS OWN_VISITS
				   " GROUP BY v.move, v.result ORDER BY v.move" },
	[ASK_VISITORS] = { .types = "nn",
			   .sql = "SELECT e.entry FROM visit v JOIN explored e ON"
				  " e.number = v.explored WHERE v.position = ?1 AND v.public = 1"
				  " ORDER BY v.explored DESC LIMIT ?2" },
	[ASK_OWN_VISITORS] = { .types = "ntn",
			       .sql = "SELECT e.entry" OWN_VISITS
				      " ORDER BY v.explored DESC LIMIT ?3" },
	[ASK_FINISHED] = { .types = "ttttnntnn",
			   .sql = FINISHED_PAGE(HAS_SQLITE),
			   .postgres = FINISHED_PAGE(HAS_POSTGRES),
			   .then = ASK_FINISHED_COUNT },
	[ASK_FINISHED_COUNT] = { .types = "ttttnnt",
				 .sql = FINISHED_COUNT(HAS_SQLITE),
				 .postgres = FINISHED_COUNT(HAS_POSTGRES) },
	[ASK_UNEXPLORED] = { .types = "t",
			     .sql = "SELECT min(id) FILTER (WHERE id NOT IN"
				    " (SELECT play FROM explored)), max(id)"
				    " FROM (SELECT id FROM play WHERE going = 0 AND id > ?1"
				    " ORDER BY id LIMIT 1000) AS p" },
	[ASK_NEXT_MARK] = { .types = "tn",
			    .sql = "SELECT game, mark FROM explored WHERE (game, mark) > (?1, ?2)"
				   " ORDER BY game, mark LIMIT 1" },
	[ASK_PUZZLES] = { .types = "t",
			  .sql = PUZZLE_COLUMNS " WHERE game = ?1" },
	[ASK_PUZZLE] = { .types = "tt", .sql = PUZZLE_COLUMNS " WHERE game = ?1 AND id = ?2" },
	[ASK_ATTEMPT] = { .types = "ttt",
			  .sql = "SELECT 1 FROM puzzle_attempt WHERE user = ?1 AND game = ?2"
				 " AND puzzle = ?3" },
	[ASK_STUDY] = { .types = "t", .sql = STUDY_COLUMNS "body FROM studies WHERE id = ?1" },
	[ASK_STUDIES] = { .types = "tn",
			  .sql = STUDY_COLUMNS "'' FROM studies WHERE owner = ?1"
					       " ORDER BY updated DESC, id LIMIT ?2" },
	[ASK_LATEST_STUDIES] = { .types = "n",
				 .sql = STUDY_COLUMNS "'' FROM studies"
						      " ORDER BY updated DESC, id LIMIT ?1" },
	[ASK_REPORTS] = { .types = "n",
			  .sql = REPORT_COLUMNS "ORDER BY CASE WHEN closed = 0 THEN 0 ELSE 1 END,"
						" made DESC, id LIMIT ?1" },
	[ASK_REPORT] = { .types = "t", .sql = REPORT_COLUMNS "WHERE id = ?1" },
	[ASK_REPORTS_OF] = { .types = "t",
			     .sql = REPORT_COLUMNS "WHERE reporter = ?1 ORDER BY made, id" },
	[ASK_SUSPENSIONS] = { .types = "",
			      .sql = SUSPENSION_COLUMNS "ORDER BY made DESC, target LIMIT 1000" },
	[ASK_SUSPENSION] = { .types = "t", .sql = SUSPENSION_COLUMNS "WHERE target = ?1" },
	[ASK_AUDIT] = { .types = "n",
			.sql = AUDIT_COLUMNS
			"ORDER BY made DESC, what, user, network, detail LIMIT ?1" },
	[ASK_AUDIT_OF] = { .types = "t",
			   .sql = AUDIT_COLUMNS "WHERE user = ?1 ORDER BY made DESC, what LIMIT 10000" },
	[ASK_USER_BY_ID] = { .types = "t", .sql = USER_COLUMNS "WHERE u.id = ?1" },
	/* SQLite's column ignores case by itself. */
	[ASK_USER_BY_LOGIN] = { .types = "t",
				.sql = USER_COLUMNS "WHERE a.login = ?1",
				.postgres = USER_COLUMNS
				"WHERE lower(a.login) = lower(?1 COLLATE \"C\")" },
	[ASK_USER_BY_SKELETON] = { .types = "t",
		.sql = USER_COLUMNS
				   "WHERE a.skeleton = ?1 ORDER BY u.id LIMIT 1" },
	[ASK_ACCOUNTS] = { .types = "tn",
		.sql = USER_COLUMNS "WHERE a.login > ?1 ORDER BY a.login LIMIT ?2" },
	[ASK_IDENTITY] = { .types = "tt",
		.sql = "SELECT u.epoch, s.seen, t.used FROM user u"
				 " LEFT JOIN session s ON s.id = ?2 AND s.user = u.id"
				 " AND s.epoch = u.epoch"
				 " LEFT JOIN token t ON t.id = ?2 AND t.user = u.id"
				 " WHERE u.id = ?1" },
	[ASK_TOKEN] = { .types = "b",
		.sql = TOKEN_COLUMNS "WHERE hash = ?1" },
	[ASK_TOKEN_BY_ID] = { .types = "t", .sql = TOKEN_COLUMNS "WHERE id = ?1" },
	[ASK_TOKENS] = { .types = "t",
		.sql = TOKEN_COLUMNS "WHERE user = ?1 ORDER BY created DESC, id" },
	[ASK_SESSIONS] = { .types = "t",
		.sql = "SELECT s.id, s.user, s.label, s.created, s.seen FROM session s"
				" JOIN user u ON u.id = s.user AND u.epoch = s.epoch"
				" WHERE s.user = ?1 ORDER BY s.seen DESC, s.created DESC, s.id" },
	[ASK_CODE] = { .types = "b",
		.sql = "SELECT user, purpose, email, expires FROM code WHERE hash = ?1" },
	/* At most STORE_REVOCATIONS. */
	[ASK_REVOCATIONS] = { .types = "n",
		.sql = "SELECT number, user, issuer, kept FROM revocation"
				   " WHERE number > ?1 ORDER BY number LIMIT 1000" },
	[ASK_LAST_REVOCATION] = { .types = "",
		.sql = "SELECT coalesce(max(number), 0) FROM revocation" },
	/* The first guesses cost nothing; then each has to wait twice as long as the one before. */
	[ASK_GUESS] = { .types = "tn",
			.sql = "INSERT INTO guess (name, wrong, last, next, refused)"
			       " VALUES (?1, 1, " GUESS_TIME ", 0, 0) ON CONFLICT (name) DO UPDATE SET"
			       " refused = CASE WHEN " TOO_EARLY " THEN 1 ELSE 0 END,"
			       " wrong = CASE WHEN " TOO_EARLY " THEN guess.wrong"
			       " WHEN " FORGOTTEN " THEN 1 ELSE guess.wrong + 1 END,"
			       " last = CASE WHEN " TOO_EARLY " THEN guess.last ELSE excluded.last END,"
			       " next = CASE WHEN " TOO_EARLY " THEN guess.next ELSE excluded.last +"
			       " CASE WHEN " FORGOTTEN " OR guess.wrong < 4 THEN 0"
			       " WHEN guess.wrong = 4 THEN 1000"
			       " WHEN guess.next - guess.last > 180000 THEN 360000"
			       " ELSE 2 * (guess.next - guess.last) END END"
			       " RETURNING refused, next - (" GUESS_TIME ")",
			.changes = true },
	[ASK_GUESS_WAIT] = { .types = "tn",
			     .sql = "SELECT next - (" GUESS_TIME ") FROM guess WHERE name = ?1"
				    " AND next > " GUESS_TIME " AND last <= 60000 + " GUESS_TIME },
	[ASK_DELETION] = { .types = "",
		.sql = "SELECT user, play FROM deletion ORDER BY user LIMIT 1" },
	[ASK_NEXT_PLAY] = { .types = "tt",
		.sql = "SELECT p.id,"
			    " (SELECT count(*) FROM seat WHERE play = p.id AND user <> ?1)"
			    " FROM (SELECT min(e.id) AS id FROM ("
			    "SELECT min(play) AS id FROM seat WHERE user = ?1 AND play > ?2"
			    " UNION ALL SELECT min(id) AS id FROM play WHERE owner = ?1 AND id > ?2"
			    ") AS e) AS p WHERE p.id IS NOT NULL" },
	[ASK_FINISHED_OF] = { .types = "t",
		.sql = "SELECT user, opponents, entry FROM finished WHERE play = ?1" },
	[ASK_EXPLORED_OF] = { .types = "t",
		.sql = "SELECT entry FROM explored WHERE play = ?1" },
	[ASK_ATTEMPTS] = { .types = "t",
		.sql = "SELECT game || ' ' || puzzle FROM puzzle_attempt"
				" WHERE user = ?1 ORDER BY game, puzzle" },
	[ASK_IMCS_USERS] = { .types = "nn",
			     .sql = "SELECT name, user, password, rating, version FROM"
				    " (SELECT number, name, user, password, rating, version"
				    " FROM imcs_user WHERE version > ?1 ORDER BY version LIMIT ?2)"
				    " AS changed ORDER BY number" },
	[ASK_IMCS_ALL] = { .types = "nn",
			   .sql = "SELECT name, user, password, rating, version, number"
				  " FROM imcs_user WHERE number > ?1 ORDER BY number LIMIT ?2" },
	[ASK_IMCS_VERSION] = { .types = "", .sql = "SELECT " IMCS_VERSION },
	[ASK_IMCS_PLAYERS] = { .types = "tt",
			       .sql = "SELECT name, user, password, rating, version FROM imcs_user"
				      " WHERE name = ?1 OR name = ?2" },
	[ASK_IMCS_GAMES] = { .types = "n",
			     .sql = IMCS_GAME_COLUMNS
			     "WHERE CASE WHEN ?1 > 0 THEN id = ?1 ELSE ended = 0 END ORDER BY id" },
	[ASK_IMCS_LEFT] = { .types = "",
			    .sql = IMCS_GAME_COLUMNS
			    "WHERE ended = 0 AND NOT EXISTS (SELECT 1 FROM imcs_entry e"
			    " WHERE e.id = imcs_game.id AND " IS_ALIVE("e.node") ")"
			    " UNION ALL " STALE_IMCS_GAMES },
	[ASK_IMCS_STALE] = { .types = "n", .sql = STALE_IMCS_GAMES " AND ended > ?1" },
	[ASK_IMCS_ENTRIES] = { .types = "tn",
			       .sql = "SELECT id, node, white, black, color, own_s, other_s,"
				      " CASE WHEN black = '' THEN coalesce((SELECT u.rating"
				      " FROM imcs_user u WHERE u.name = imcs_entry.white), 0)"
				      " ELSE white_rating END, black_rating FROM imcs_entry"
				      " WHERE node <> ?1 AND " IS_ALIVE("imcs_entry.node")
				      " ORDER BY since, id LIMIT ?2" },
	[ASK_IMCS_OWN] = { .types = "t",
			   .sql = "SELECT id FROM imcs_entry WHERE node = ?1 ORDER BY id" },
	/* Higher than all games: they may have been played by a server without others. */
	[ASK_IMCS_NEXT] = { .types = "",
			    .sql = "INSERT INTO imcs_number (what, last) VALUES ('game',"
				   " (SELECT coalesce(max(id), 0) + 1 FROM imcs_game))"
				   " ON CONFLICT (what) DO UPDATE SET last = CASE"
				   " WHEN imcs_number.last >= excluded.last"
				   " THEN imcs_number.last + 1 ELSE excluded.last END"
				   " RETURNING last",
			    .changes = true },
	[ASK_IMCS_LAST] = { .types = "", .sql = "SELECT coalesce(max(id), 0) FROM imcs_game" },
	[ASK_CLAIM] = { .types = "tt",
			.sql = CLAIM "WHERE id = ?1 AND " MAY_CLAIM("play.node") " RETURNING epoch, ''",
			.postgres = "WITH before AS (SELECT id, node FROM play WHERE id = ?1"
				    " FOR NO KEY UPDATE) " CLAIM "FROM before"
				    " WHERE play.id = before.id AND " MAY_CLAIM("before.node")
				    " RETURNING play.epoch, before.node",
			.changes = true },
	[ASK_NODES] = { .types = "",
			.sql = "SELECT id, until, address FROM node WHERE " NODE_HOLDS("node")
			       " ORDER BY id" },

	[ASK_LATEST] = { .types = "n", .sql = PLAY_COLUMNS LATEST },
	[ASK_NEXT_PLAYS] = { .types = "tn",
			     .sql = "SELECT id FROM play WHERE id > ?1 ORDER BY id LIMIT ?2" },
	/*
	 * What is old is removed a few rows at a time, each portion after the last row of the one
	 * before, so that rows that stay are looked at once.
	 */
	[ASK_QUOTAS] = { .types = "ntn",
			 .sql = "SELECT name, used FROM quota WHERE day = ?1 AND name > ?2"
				" ORDER BY name LIMIT ?3" },
	[ASK_OLD_PLAYS] = { .types = "nntnn",
			    .sql = "SELECT p.id, p.updated, (SELECT coalesce(max(number) + 1, 0)"
				   " FROM event WHERE play = p.id),"
				   " CASE WHEN p.going <> ?5 OR " IS_MEMBER(
					   "p.owner") " OR EXISTS (SELECT 1 FROM seat s WHERE s.play = p.id"
						      " AND " IS_MEMBER(
							      "s.user") ") THEN 0 ELSE 1 END FROM play p"
									" WHERE p.updated < ?1 AND (p.updated, p.id) > (?2, ?3)"
									" ORDER BY p.updated, p.id LIMIT ?4" },
	[ASK_OLD_STUDIES] = { .types = "ntn",
			      .sql = "SELECT d.id, CASE WHEN d.updated >= ?1 OR " IS_MEMBER(
				      "d.owner") " THEN 0 ELSE 1 END FROM studies d"
						 " WHERE d.id > ?2 ORDER BY d.id LIMIT ?3" },
	[ASK_IDLE_USERS] = { .types = "ntn",
			     .sql = "SELECT u.id, CASE WHEN u.created >= ?1 OR " IS_MEMBER("u.id")
				    " OR EXISTS (SELECT 1 FROM token t WHERE t.user = u.id)"
				    " OR EXISTS (SELECT 1 FROM play p WHERE p.owner = u.id)"
				    " OR EXISTS (SELECT 1 FROM seat s WHERE s.user = u.id)"
				    " OR EXISTS (SELECT 1 FROM finished f WHERE f.user = u.id)"
				    " OR EXISTS (SELECT 1 FROM studies d WHERE d.owner = u.id)"
				    " OR EXISTS (SELECT 1 FROM session s WHERE s.user = u.id)"
				    " OR EXISTS (SELECT 1 FROM code c WHERE c.user = u.id)"
				    " OR EXISTS (SELECT 1 FROM deletion d WHERE d.user = u.id)"
				    " THEN 0 ELSE 1 END FROM user u WHERE u.id > ?2"
				    " ORDER BY u.id LIMIT ?3" },
	[ASK_OLD_ATTEMPTS] = { .types = "nn",
			       .sql = "SELECT count(*) FROM (SELECT 1 FROM puzzle_attempt"
				      " WHERE day < ?1 LIMIT ?2) AS old_ones" },
	[ASK_OLD_QUOTAS] = { .types = "nn",
			     .sql = "SELECT count(*) FROM (SELECT 1 FROM quota"
				    " WHERE day < ?1 LIMIT ?2) AS old_ones" },
	[ASK_OLD_GUESSES] = { .types = "nn",
			      .sql = "SELECT count(*) FROM (SELECT 1 FROM guess"
				     " WHERE last < ?1 LIMIT ?2) AS old_ones" },
	[ASK_OLD_CODES] = { .types = "nn",
			    .sql = "SELECT count(*) FROM (SELECT 1 FROM code"
				   " WHERE expires <= ?1 LIMIT ?2) AS old_ones" },
	[ASK_OLD_REPORTS] = { .types = "nn", .sql = COUNT_OLD("report", OLD_REPORTS) },
	[ASK_OLD_SUSPENSIONS] = { .types = "nn", .sql = COUNT_OLD("suspension", OLD_SUSPENSIONS) },
	[ASK_OLD_AUDIT] = { .types = "nn", .sql = COUNT_OLD("audit", OLD_AUDIT) },
	/* PostgreSQL gives pages back by itself. */
	[ASK_FREE_PAGES] = { .types = "",
			     .sql = "SELECT CASE WHEN auto_vacuum = 2 THEN freelist_count ELSE 0 END"
				    " FROM pragma_freelist_count, pragma_auto_vacuum",
			     .postgres = "SELECT CAST(0 AS BIGINT)" },
	[ASK_OLD_REMOVALS] = { .types = "nn",
			       .sql = "SELECT count(*) FROM (SELECT 1 FROM removal"
				      " WHERE made < ?1 LIMIT ?2) AS old_ones" },
	[ASK_REMOVALS] = { .types = "nn",
			   .sql = "SELECT number, what, id, value, made FROM removal"
				  " WHERE number > ?1 ORDER BY number LIMIT ?2" },
	[ASK_MARK] = { .types = "t", .sql = "SELECT value FROM mark WHERE what = ?1" },
	[ASK_NEWEST] = { .types = "",
			 .sql = "SELECT max(at) FROM"
				" (SELECT coalesce(max(updated), 0) AS at FROM play"
				" UNION ALL SELECT coalesce(max(day), 0) * 86400 FROM quota"
				" UNION ALL SELECT coalesce(max(day), 0) * 86400"
				" FROM puzzle_attempt) AS times" },
	[ASK_FACTS] = { .types = "",
			.sql = "SELECT (SELECT user_version FROM pragma_user_version)," COUNTS,
			.postgres =
				"SELECT (SELECT CAST(version AS BIGINT) FROM schema_version)," COUNTS },
	/* The queue of jobs. Jobs of a server that has ended are not taken. */
	[ASK_QUEUE] = { .types = "t",
			.sql = "SELECT ?1, 0, 0, 0, 0, 0",
			.postgres =
				"SELECT w.count, w.threads, j.waiting, j.running, j.others, j.urgent"
				" FROM (SELECT count(*) AS count,"
				" CAST(coalesce(sum(threads), 0) AS BIGINT) AS threads"
				" FROM worker WHERE until > now_ms()) AS w,"
				" (SELECT count(*) FILTER (WHERE until <= now_ms()) AS waiting,"
				" count(*) FILTER (WHERE until > now_ms()) AS running,"
				" count(*) FILTER (WHERE node <> ?1 AND urgent = 0) AS others,"
				" count(*) FILTER (WHERE node <> ?1 AND urgent = 1) AS urgent"
				" FROM job) AS j" },
	[ASK_JOBS] = { .types = "t",
		       .sql = "SELECT ?1 WHERE 0",
		       .postgres = "SELECT number, attempt, CASE WHEN until > now_ms() THEN 1 ELSE 0"
				   " END FROM job WHERE node = ?1 ORDER BY number LIMIT 1000" },
	[ASK_TAKE_JOB] = { .types = "tnn",
			   .sql = "SELECT ?1, ?2, ?3 WHERE 0",
			   .postgres =
				   "WITH next AS MATERIALIZED (SELECT j.node, j.number FROM job j"
				   " JOIN node n ON n.id = j.node AND " NODE_HOLDS("n")
				   " WHERE j.until <= now_ms() AND j.attempt < 3 AND j.urgent >= ?3"
				   " ORDER BY j.urgent DESC, j.made, j.number LIMIT 1"
				   " FOR UPDATE OF j SKIP LOCKED)"
				   " UPDATE job SET worker = ?1, until = now_ms() + ?2,"
				   " attempt = job.attempt + 1 FROM next"
				   " WHERE job.node = next.node AND job.number = next.number"
				   " RETURNING job.node, job.number, job.attempt, job.urgent,"
				   " job.limit_ms, job.hurry,"
				   " CASE WHEN octet_length(job.body) <= 262144 THEN job.body"
				   " ELSE '' END",
			   .changes = true },
	[ASK_KEEP_JOBS] = { .types = "tnt",
			    .sql = "SELECT ?1, ?2, ?3 WHERE 0",
			    .postgres =
				    "UPDATE job SET until = now_ms() + ?2 WHERE worker = ?1"
				    " AND node || '/' || number || '/' || attempt ="
				    " ANY (string_to_array(?3, ' '))"
				    " AND " IS_ALIVE("job.node") " RETURNING node, number, hurry",
			    .changes = true },
	/* ---- writes ---- */
	[WRITE_PLAY] = { .types = "tttnnnnntn",
			 .sql = "INSERT INTO play (id, game, owner, created, updated, private, going,"
				" open_seats, node, epoch)"
				" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)" },
	[WRITE_EVENT] = { .types = "tntn",
			  .sql = "INSERT INTO event (play, number, line, checksum)"
				 " VALUES (?1, ?2, ?3, ?4)" },
	[WRITE_SET_PLAY] = { .types = "tnnnn",
			     .sql = "UPDATE play SET going = ?2, open_seats = ?3, updated = ?4"
				    " WHERE id = ?1 AND epoch = ?5",
			     .unless = "update of a play that does not exist or was taken over" },
	[WRITE_USER] = { .types = "ttn",
			 .sql = "INSERT INTO user (id, name, created) VALUES (?1, ?2, ?3)"
				" ON CONFLICT (id) DO UPDATE SET name = excluded.name" },
	[WRITE_NEW_USER] = { .types = "ttn",
			     .sql = "INSERT INTO user (id, name, created) VALUES (?1, ?2, ?3)"
				    " ON CONFLICT DO NOTHING" },
	[WRITE_ACCOUNT] = { .types = "tttt",
		.sql = "INSERT INTO account (user, login, password, skeleton)"
			    " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (user) DO UPDATE"
			    " SET login = excluded.login, password = excluded.password,"
			    " skeleton = excluded.skeleton" },
	[WRITE_PASSWORD] = { .types = "tt",
		.sql = "UPDATE account SET password = ?2 WHERE user = ?1",
		.unless = "update of an account that does not exist",
		.removes = true },
	/* They change nothing, but lock the row until the unit has ended. */
	[WRITE_IF_PASSWORD] = { .types = "tt",
		.sql = "UPDATE account SET password = password WHERE user = ?1 AND password = ?2",
		.unless = "an account whose password has changed",
		.removes = true,
		.shared = true },
	[WRITE_IF_ISSUER] = { .types = "tt",
		.sql = "UPDATE user SET epoch = epoch WHERE id = ?1"
			    " AND ((?2 = '' AND epoch = 0)"
			    " OR EXISTS (SELECT 1 FROM session s WHERE s.id = ?2"
			    " AND s.user = user.id AND s.epoch = user.epoch)"
			    " OR EXISTS (SELECT 1 FROM token t WHERE t.id = ?2"
			    " AND t.user = user.id))",
		.unless = "a session or token that has ended",
		.removes = true,
		.shared = true },
	[WRITE_EMAIL] = { .types = "tt",
		.sql = "UPDATE account SET email = ?2 WHERE user = ?1" },
	[WRITE_EPOCH] = { .types = "t",
		.sql = "UPDATE user SET epoch = epoch + 1 WHERE id = ?1",
		.removes = true },
	[WRITE_REVOKE] = { .types = "tttn",
		.sql = "INSERT INTO revocation (user, issuer, kept, made)"
				   " VALUES (?1, ?2, ?3, ?4)",
		.removes = true,
		.shared = true },
	[WRITE_PRUNE_REVOCATIONS] = { .types = "n",
		.sql = "DELETE FROM revocation WHERE made < ?1",
		.removes = true,
		.shared = true },
	[WRITE_SESSION] = { .types = "ttnnt",
		.sql = "INSERT INTO session (id, user, epoch, created, seen, label)"
			    " SELECT ?1, id, epoch, ?3, ?4, ?5 FROM user WHERE id = ?2" },
	[WRITE_REVOKE_TRIMMED] = { .types = "tnn",
		.sql = "INSERT INTO revocation (user, issuer, kept, made)"
			    " SELECT user, id, '', ?3 FROM session WHERE user = ?1 AND id NOT IN"
			    " (SELECT id FROM session WHERE user = ?1"
			    " ORDER BY seen DESC, created DESC, id LIMIT ?2)",
		.removes = true,
		.shared = true },
	[WRITE_TRIM_SESSIONS] = { .types = "tn",
		.sql = "DELETE FROM session WHERE user = ?1 AND id NOT IN"
					" (SELECT id FROM session WHERE user = ?1"
					" ORDER BY seen DESC, created DESC, id LIMIT ?2)",
		.removes = true },
	[WRITE_SESSION_SEEN] = { .types = "tn",
		.sql = "UPDATE session SET seen = ?2"
				       " WHERE id = ?1 AND seen < ?2",
		.shared = true },
	[WRITE_RENEW_SESSIONS] = { .types = "t",
		.sql = "UPDATE session SET epoch ="
					" (SELECT u.epoch FROM user u WHERE u.id = session.user)"
					" WHERE user = ?1",
		.removes = true },
	[WRITE_DROP_SESSION] = { .types = "t",
		.sql = "DELETE FROM session WHERE id = ?1",
		.removes = true },
	[WRITE_DROP_SESSIONS] = { .types = "tt",
		.sql = "DELETE FROM session WHERE user = ?1 AND id <> ?2",
		.removes = true },
	[WRITE_TOKEN] = { .types = "btntt",
		.sql = "INSERT INTO token (hash, user, created, id, label, used)"
				   " VALUES (?1, ?2, ?3, ?4, ?5, 0)" },
	[WRITE_TOKEN_USED] = { .types = "tn",
		.sql = "UPDATE token SET used = ?2 WHERE id = ?1 AND used < ?2",
		.shared = true },
	[WRITE_DROP_TOKEN] = { .types = "t",
		.sql = "DELETE FROM token WHERE id = ?1",
		.removes = true },
	[WRITE_DROP_TOKENS] = { .types = "t",
		.sql = "DELETE FROM token WHERE user = ?1",
		.removes = true },
	[WRITE_CODE] = { .types = "btttn",
		.sql = "INSERT INTO code (hash, user, purpose, email, expires)"
				  " VALUES (?1, ?2, ?3, ?4, ?5)" },
	[WRITE_TAKE_CODE] = { .types = "b",
		.sql = "DELETE FROM code WHERE hash = ?1",
		.unless = "a code that does not exist",
		.removes = true },
	[WRITE_DROP_CODES] = { .types = "tt",
		.sql = "DELETE FROM code WHERE user = ?1"
				     " AND (?2 = '' OR purpose = ?2)",
		.removes = true },
	[WRITE_DROP_ACCOUNT] = { .types = "t",
		.sql = "DELETE FROM account WHERE user = ?1",
		.removes = true },
	[WRITE_FORGET_STUDIES] = { .types = "tn",
		.sql = "DELETE FROM studies WHERE id IN"
				       " (SELECT id FROM studies WHERE owner = ?1 LIMIT ?2)",
		.removes = true },
	[WRITE_FORGET_ATTEMPTS] = { .types = "tn",
		.sql = "DELETE FROM puzzle_attempt WHERE user = ?1"
				  " AND game || ' ' || puzzle IN (SELECT game || ' ' || puzzle"
				  " FROM puzzle_attempt WHERE user = ?1 LIMIT ?2)",
		.removes = true },
	[WRITE_DELETION] = { .types = "t",
		.sql = "INSERT INTO deletion (user, play) VALUES (?1, '')"
				  " ON CONFLICT (user) DO NOTHING",
		.removes = true },
	[WRITE_DELETION_AT] = { .types = "tt",
		.sql = "UPDATE deletion SET play = ?2 WHERE user = ?1",
		.removes = true },
	[WRITE_DROP_DELETION] = { .types = "t",
		.sql = "DELETE FROM deletion WHERE user = ?1",
		.removes = true },
	[WRITE_LINE] = { .types = "tntn",
		.sql = "UPDATE event SET line = ?3, checksum = ?4"
		       " WHERE play = ?1 AND number = ?2",
		.removes = true },
	[WRITE_FINISHED_TEXTS] = { .types = "tttt",
		.sql = "UPDATE finished SET opponents = ?3, entry = ?4"
					   " WHERE user = ?1 AND play = ?2",
		.removes = true },
	[WRITE_EXPLORED_ENTRY] = { .types = "tt",
		.sql = "UPDATE explored SET entry = ?2 WHERE play = ?1",
		.removes = true },
	[WRITE_SEAT] = { .types = "tt",
			 .sql = "INSERT INTO seat (user, play) VALUES (?1, ?2)"
				" ON CONFLICT DO NOTHING" },
	[WRITE_SET_SEATS] = { .types = "tn", .sql = "UPDATE seat SET going = ?2 WHERE play = ?1" },
	[WRITE_FINISHED] = { .types = "ttntttt",
			     .sql = "INSERT INTO finished (user, play, ended, game, outcome, opponents,"
				    " entry) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
				    " ON CONFLICT (user, play) DO UPDATE"
				    " SET ended = excluded.ended, game = excluded.game,"
				    " outcome = excluded.outcome, opponents = excluded.opponents,"
				    " entry = excluded.entry" },
	[WRITE_DROP_FINISHED] = { .types = "tt",
				  .sql = "DELETE FROM finished WHERE play = ?1"
					 " AND (?2 = '' OR user = ?2)",
				  .removes = true },
	[WRITE_EXPLORED] = { .types = "ttnnnt",
			     .sql = "INSERT INTO explored (play, game, mark, result, public, entry)"
				    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)" },
	[WRITE_VISITS] = { .types = "tt",
			   .sql = "INSERT INTO visit (position, public, explored, move, level, result)"
				  " SELECT json_extract(value, '$[0]'), e.public, e.number,"
				  " json_extract(value, '$[1]'), json_extract(value, '$[2]'), e.result"
				  " FROM explored e, json_each(?2) WHERE e.play = ?1",
			   .postgres =
				   "INSERT INTO visit (position, public, explored, move, level, result)"
				   " SELECT CAST(item ->> 0 AS BIGINT), e.public, e.number, item ->> 1,"
				   " CAST(item ->> 2 AS BIGINT), e.result FROM explored e,"
				   " json_array_elements(CAST(?2 AS json)) v (item) WHERE e.play = ?1" },
	[WRITE_DROP_EXPLORED] = { .types = "t",
				  .sql = "DELETE FROM explored WHERE play = ?1",
				  .removes = true },
	/* Visits and tallies go with a game, so a few games are many rows. */
	[WRITE_DROP_OUTDATED] = { .types = "tnn",
				  .sql = "DELETE FROM explored WHERE number IN"
					 " (SELECT number FROM explored WHERE game = ?1 AND mark = ?2"
					 " ORDER BY number LIMIT ?3)",
				  .removes = true,
				  .shared = true },
	[WRITE_DROP_UNLISTED] = { .types = "t",
				  .sql = "DELETE FROM unlisted WHERE play = ?1",
				  .removes = true },
	/* Another server may write the same attempt: only the insert into its index decides. */
	[WRITE_PUZZLE] = { .types = "ttrrrnntn",
			   .sql = RATE_PUZZLE("WHERE ?9 >= 0 AND NOT EXISTS (SELECT 1 FROM"
					      " puzzle_attempt WHERE user = ?8 AND game = ?1"
					      " AND puzzle = ?2)"),
			   .postgres = "WITH tried AS (INSERT INTO puzzle_attempt"
				       " (user, game, puzzle, day) VALUES (?8, ?1, ?2, ?9)"
				       " ON CONFLICT DO NOTHING RETURNING day) " RATE_PUZZLE(
					       "FROM tried WHERE true"),
			   .shared = true },
	[WRITE_ATTEMPT] = { .types = "tttn",
			    .sql = "INSERT INTO puzzle_attempt (user, game, puzzle, day)"
				   " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING" },
	[WRITE_STUDY] = { .types = "ttnntnt",
			  .sql = "INSERT INTO studies (id, owner, version, created, updated, title,"
				 " chapters, body) VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7)" },
	[WRITE_SET_STUDY] = { .types = "tnntnt",
			      .sql = "UPDATE studies SET version = version + 1, updated = ?3, title = ?4,"
				     " chapters = ?5, body = ?6 WHERE id = ?1 AND version = ?2",
			      .unless = "update of a study that has another version" },
	[WRITE_DROP_STUDY] = { .types = "t",
			       .sql = "DELETE FROM studies WHERE id = ?1",
			       .removes = true },
	[WRITE_REPORT] = { .types = "tntttttttt",
			   .sql = "INSERT INTO report (id, made, reporter, kind, object, about, shown,"
				  " reason, text, closed, network)"
				  " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10"
				  " WHERE (SELECT count(*) FROM report WHERE closed = 0) < 2000"
				  " AND (SELECT count(*) FROM report WHERE closed = 0"
				  " AND reporter = ?3) < 20"
				  " AND (SELECT count(*) FROM report WHERE closed = 0"
				  " AND object = ?5) < 10"
				  " AND (SELECT count(*) FROM report WHERE closed = 0"
				  " AND network = ?10) < 40"
				  " AND (SELECT count(*) FROM report WHERE closed = 0"
				  " AND network = ?10 AND object = ?5) < 3"
				  " AND NOT EXISTS (SELECT 1 FROM report WHERE closed = 0"
				  " AND reporter = ?3 AND object = ?5 AND about = ?6)",
			   .unless = "too many reports" },
	[WRITE_CLOSE_REPORT] = { .types = "tn",
				 .sql = "UPDATE report SET closed = ?2 WHERE id = ?1 AND closed = 0",
				 .unless = "close of a report that does not wait",
				 .removes = true },
	[WRITE_FORGET_REPORTS] = { .types = "t",
				   .sql = "DELETE FROM report WHERE about = ?1",
				   .removes = true },
	[WRITE_UNNAME_REPORTS] = { .types = "t",
				   .sql = "UPDATE report SET reporter = '' WHERE reporter = ?1",
				   .removes = true },
	[WRITE_SUSPENSION] = { .types = "ttnn",
			       .sql = "INSERT INTO suspension (target, reason, made, until)"
				      " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (target) DO UPDATE SET"
				      " reason = excluded.reason, made = excluded.made,"
				      " until = excluded.until",
			       .removes = true },
	[WRITE_DROP_SUSPENSION] = { .types = "t",
				    .sql = "DELETE FROM suspension WHERE target = ?1",
				    .removes = true },
	/* It goes with what it is about, which may be a removal. */
	[WRITE_AUDIT] = { .types = "ntttt",
			  .sql = "INSERT INTO audit (made, what, user, network, detail, times)"
				 " VALUES (?1, ?2, ?3, ?4, ?5, 1)"
				 " ON CONFLICT (made, what, user, network, detail)"
				 " DO UPDATE SET times = audit.times + 1",
			  .removes = true,
			  .shared = true },
	[WRITE_IMCS_USER] = { .types = "tttn",
			      .sql = IMCS_USER_COLUMNS
			      " VALUES (?1, ?2, ?3, ?4, " IMCS_VERSION ")"
			      " ON CONFLICT (name) DO UPDATE SET password = excluded.password,"
			      " version = excluded.version" },
	[WRITE_NEW_IMCS_USER] = { .types = "tttnt",
				  .sql = IMCS_USER_COLUMNS
				  " SELECT ?1, ?2, ?3, ?4, " IMCS_VERSION " WHERE NOT EXISTS"
				  " (SELECT 1 FROM account WHERE skeleton = ?5)",
				  .unless = "new name at IMCS that looks like an account" },
	/* Its row is locked until the commit, so that versions are committed in their order. */
	[WRITE_IMCS_VERSION] = { .types = "",
				 .sql = "INSERT INTO imcs_number (what, last) VALUES ('account', 1)"
					" ON CONFLICT (what) DO UPDATE SET last = imcs_number.last + 1",
				 .shared = true },
	[WRITE_IMCS_PASSWORD] = { .types = "tt",
				  .sql = "UPDATE imcs_user SET password = ?2, version = " IMCS_VERSION
					 " WHERE name = ?1" },
	[WRITE_IMCS_RATING] = { .types = "tn",
				.sql = "UPDATE imcs_user SET rating = ?2, version = " IMCS_VERSION
				       " WHERE name = ?1" },
	[WRITE_IMCS_CHANGE] = { .types = "tn",
				.sql = "UPDATE imcs_user SET rating = rating + ?2,"
				       " version = " IMCS_VERSION " WHERE name = ?1" },
	[WRITE_IMCS_OFFER] = { .types = "nttttnnnn",
			       .sql = "INSERT INTO imcs_entry (id, node, since, white, black, color,"
				      " own_s, other_s, white_rating, black_rating)"
				      " SELECT ?1, ?2, now_ms(), ?3, ?4, ?5, ?6, ?7, 0, 0 WHERE"
				      " (SELECT count(*) FROM imcs_entry WHERE white = ?3"
				      " OR black = ?3) < ?8"
				      " AND (SELECT count(*) FROM imcs_entry) < ?9",
			       .unless = "too many offers" },
	/* Another server may have withdrawn the offer at the same moment. */
	[WRITE_IMCS_BEGIN] = { .types = "ntttnn",
			       .sql = "INSERT INTO imcs_entry (id, node, since, white, black, color,"
				      " own_s, other_s, white_rating, black_rating)"
				      " VALUES (?1, ?2, now_ms(), ?3, ?4, '', 0, 0, ?5, ?6)"
				      " ON CONFLICT (id) DO UPDATE SET since = excluded.since,"
				      " white = excluded.white, black = excluded.black,"
				      " white_rating = excluded.white_rating,"
				      " black_rating = excluded.black_rating" },
	[WRITE_DROP_IMCS_ENTRY] = { .types = "n",
				    .sql = "DELETE FROM imcs_entry WHERE id = ?1",
				    .removes = true },
	[WRITE_DROP_IMCS_OFFERS] = { .types = "t",
				     .sql = "DELETE FROM imcs_entry WHERE white = ?1 AND black = ''",
				     .removes = true },
	[WRITE_DROP_IMCS_DEAD] = { .types = "",
				   .sql = "DELETE FROM imcs_entry"
					  " WHERE NOT " IS_ALIVE("imcs_entry.node"),
				   .removes = true,
				   .shared = true },
	[WRITE_IMCS_GAME] = { .types = "ntttnntt",
			      .sql = "INSERT INTO imcs_game (id, white, black, play, began, ended, result,"
				     " log) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
				     " ON CONFLICT (id) DO UPDATE SET ended = excluded.ended,"
				     " result = excluded.result, log = excluded.log"
				     " WHERE imcs_game.ended = 0",
			      .unless = "update of a game of IMCS that has ended" },
	[WRITE_END_IMCS_LEFT] = { .types = "nn",
				  .sql = "UPDATE imcs_game SET ended = ?2, result = 'no result'"
					 " WHERE id = ?1 AND ended = 0 AND NOT EXISTS"
					 " (SELECT 1 FROM imcs_entry e WHERE e.id = imcs_game.id"
					 " AND " IS_ALIVE("e.node") ")",
				  .unless = "end of a game of IMCS that a server has",
				  .shared = true },
	[WRITE_NODE] = { .types = "tnt",
			 .sql = "INSERT INTO node (id, until, address)"
				" VALUES (?1, now_ms() + ?2, ?3) ON CONFLICT (id) DO UPDATE"
				" SET until = excluded.until, address = excluded.address",
			 .removes = true },
	[WRITE_KEEP_NODE] = { .types = "tnt",
			      .sql = KEEP_NODE,
			      .unless = "renewal of a server that counts as dead",
			      .removes = true },
	[WRITE_SIGN] = { .types = "tnt", .sql = KEEP_NODE, .removes = true },
	[WRITE_TIDY_NODES] = { .types = "",
			       .sql = "DELETE FROM node WHERE until < now_ms() - 86400000"
				      " OR until > now_ms() + 86400000",
			       .removes = true,
			       .shared = true },
	[WRITE_DROP_NODE] = { .types = "t",
			      .sql = "DELETE FROM node WHERE id = ?1",
			      .removes = true },
	/* A channel has a short name, and belongs to one schema. SQLite has no bus. */
	[WRITE_TELL] = { .types = "tt",
			 .sql = "SELECT ?1, ?2",
			 .postgres = "SELECT pg_notify(channel(?1), ?2)",
			 .removes = true },
	[WRITE_QUOTA] = { .types = "tnn",
			  .sql = "INSERT INTO quota (name, day, used) VALUES (?1, ?2, ?3)"
				 " ON CONFLICT (day, name) DO UPDATE"
				 " SET used = quota.used + excluded.used",
			  .shared = true },
	[WRITE_DROP_SEATS] = { .types = "t",
			       .sql = "DELETE FROM seat WHERE play = ?1",
			       .removes = true },
	[WRITE_DROP_EVENTS] = { .types = "t",
				.sql = "DELETE FROM event WHERE play = ?1",
				.removes = true },
	[WRITE_DROP_IMCS_PLAY] = { .types = "t",
				   .sql = "UPDATE imcs_game SET play = '' WHERE play = ?1",
				   .removes = true },
	[WRITE_DROP_PLAY] = { .types = "tn",
			      .sql = "DELETE FROM play WHERE id = ?1 AND updated < ?2",
			      .unless = "removal of a play that does not exist or was used again",
			      .removes = true,
			      .shared = true },
	[WRITE_DROP_OLD_STUDY] = { .types = "tn",
				   .sql = "DELETE FROM studies WHERE id = ?1 AND updated < ?2",
				   .unless = "removal of a study that does not exist or was changed",
				   .removes = true,
				   .shared = true },
	[WRITE_DROP_USER] = { .types = "t",
			      .sql = "DELETE FROM user WHERE id = ?1",
			      .removes = true,
			      .shared = true },
	[WRITE_DROP_ATTEMPTS] = { .types = "nn",
				  .sql = "DELETE FROM puzzle_attempt WHERE (user, game, puzzle) IN"
					 " (SELECT user, game, puzzle FROM puzzle_attempt"
					 " WHERE day < ?1 LIMIT ?2)",
				  .removes = true,
				  .shared = true },
	[WRITE_DROP_QUOTAS] = { .types = "nn",
				.sql = "DELETE FROM quota WHERE (day, name) IN"
				       " (SELECT day, name FROM quota WHERE day < ?1 LIMIT ?2)",
				.removes = true,
				.shared = true },
	[WRITE_MARK] = { .types = "tt",
			 .sql = "INSERT INTO mark (what, value) VALUES (?1, ?2)"
				" ON CONFLICT (what) DO UPDATE SET value = excluded.value",
			 .removes = true,
			 .shared = true },
	[WRITE_DROP_REMOVALS] = { .types = "nn",
				  .sql = "DELETE FROM removal WHERE number IN"
					 " (SELECT number FROM removal WHERE made < ?1 LIMIT ?2)",
				  .removes = true,
				  .shared = true },
	/* After a restore, while no server runs. */
	[WRITE_END_SESSIONS] = { .types = "", .sql = "DELETE FROM session", .removes = true },
	[WRITE_END_CODES] = { .types = "", .sql = "DELETE FROM code", .removes = true },
	[WRITE_END_UNNAMED] = { .types = "",
				.sql = "UPDATE user SET epoch = epoch + 1"
				       " WHERE id IN (SELECT a.user FROM account a)",
				.removes = true },
	[WRITE_REDO_PASSWORD] = { .types = "ttn",
				  .sql = "UPDATE account SET password = ?2 WHERE user = ?1"
					 " AND " NO_LATER("password"),
				  .removes = true },
	[WRITE_REDO_EMAIL] = { .types = "ttn",
			       .sql = "UPDATE account SET email = ?2 WHERE user = ?1"
				      " AND " NO_LATER("email"),
			       .removes = true },
	[WRITE_REDO_EPOCH] = { .types = "tn",
			       .sql = "UPDATE user SET epoch = ?2 WHERE id = ?1 AND epoch < ?2",
			       .removes = true },
	[WRITE_DROP_GUESS] = { .types = "t",
			       .sql = "DELETE FROM guess WHERE name = ?1",
			       .removes = true },
	[WRITE_DROP_GUESSES] = { .types = "nn",
				 .sql = "DELETE FROM guess WHERE name IN"
					" (SELECT name FROM guess WHERE last < ?1 LIMIT ?2)",
				 .removes = true,
				 .shared = true },
	[WRITE_DROP_OLD_CODES] = { .types = "nn",
				   .sql = "DELETE FROM code WHERE hash IN"
					  " (SELECT hash FROM code WHERE expires <= ?1 LIMIT ?2)",
				   .removes = true,
				   .shared = true },
	[WRITE_DROP_OLD_REPORTS] = { .types = "nn",
				     .sql = "DELETE FROM report WHERE id IN (SELECT id FROM report"
					    " WHERE " OLD_REPORTS " LIMIT ?2)",
				     .removes = true,
				     .shared = true },
	[WRITE_DROP_OLD_SUSPENSIONS] = { .types = "nn",
					 .sql = "DELETE FROM suspension WHERE target IN"
						" (SELECT target FROM suspension"
						" WHERE " OLD_SUSPENSIONS " LIMIT ?2)",
					 .removes = true,
					 .shared = true },
	[WRITE_DROP_OLD_AUDIT] = { .types = "nn",
				   .sql = "DELETE FROM audit WHERE (made, what, user, network, detail)"
					  " IN (SELECT made, what, user, network, detail FROM audit"
					  " WHERE " OLD_AUDIT " LIMIT ?2)",
				   .removes = true,
				   .shared = true },
	[WRITE_JOB] = { .types = "tnnnt",
			.sql = "SELECT ?1, ?2, ?3, ?4, ?5",
			.postgres = "INSERT INTO job (node, number, urgent, limit_ms, body, made)"
				    " VALUES (?1, ?2, ?3, ?4, ?5, now_ms())" },
	[WRITE_DROP_JOB] = { .types = "tn",
			     .sql = "SELECT ?1, ?2",
			     .postgres = "DELETE FROM job WHERE node = ?1 AND number = ?2",
			     .removes = true },
	[WRITE_HURRY_JOB] = { .types = "tn",
			      .sql = "SELECT ?1, ?2",
			      .postgres = "UPDATE job SET hurry = 1 WHERE node = ?1 AND number = ?2" },
	[WRITE_FINISH_JOB] = { .types = "tntn",
			       .sql = "SELECT ?1, ?2, ?3, ?4",
			       .postgres = "DELETE FROM job " JOB_OF_WORKER,
			       .unless = "result of a job that another worker has, or nobody wants",
			       .removes = true },
	[WRITE_RETURN_JOB] = { .types = "tntn",
			       .sql = "SELECT ?1, ?2, ?3, ?4",
			       .postgres = "UPDATE job SET worker = '', until = 0,"
					   " attempt = attempt - 1 " JOB_OF_WORKER },
	[WRITE_TIDY_JOBS] = { .types = "",
			      .sql = "SELECT 1",
			      .postgres = "DELETE FROM job WHERE NOT " IS_ALIVE("job.node"),
			      .removes = true,
			      .shared = true },
	[WRITE_WORKER] = { .types = "tnnt",
			   .sql = "SELECT ?1, ?2, ?3, ?4",
			   .postgres = "INSERT INTO worker (id, until, threads, name)"
				       " VALUES (?1, now_ms() + ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE"
				       " SET until = excluded.until, threads = excluded.threads" },
	[WRITE_DROP_WORKER] = { .types = "t",
				.sql = "SELECT ?1",
				.postgres = "DELETE FROM worker WHERE id = ?1",
				.removes = true },
	[WRITE_TIDY_WORKERS] = { .types = "",
				 .sql = "SELECT 1",
				 .postgres = "DELETE FROM worker WHERE until < now_ms() - 60000",
				 .removes = true,
				 .shared = true },
	[WRITE_GIVE_BACK] = { .types = "",
			      .sql = "PRAGMA incremental_vacuum(500)",
			      .postgres = "SELECT 1",
			      .removes = true },
	[WRITE_PROBE] = { .types = "",
			  .sql = NULL,
			  .postgres = "UPDATE schema_version SET version = version",
			  .shared = true },
};
