/*
 * upkeep_sql.h - the statements of upkeep.c, as rows for the tables of store.c and read.c.
 * SPDX-License-Identifier: MIT
 *
 * The removal of what is old looks at a limited number of rows at a time and continues after the
 * last one, so that the rows that stay do not make it slow.
 */
#ifndef SERVER_STORE_UPKEEP_SQL_H
#define SERVER_STORE_UPKEEP_SQL_H

/* Has the user an account, or a name at IMCS? `user` is an expression. */
#define IS_MEMBER(user_)                                            \
	"(EXISTS (SELECT 1 FROM account a WHERE a.user = " user_ ")" \
	" OR EXISTS (SELECT 1 FROM imcs_user i WHERE i.user = " user_ "))"

/* A day has few enough names for the first read; ?1 .. are bound in this order. */
#define UPKEEP_WRITES                                                                              \
	[WRITE_QUOTA] = "INSERT INTO quota (name, day, used) VALUES (?, ?, ?)"                     \
			" ON CONFLICT (day, name) DO UPDATE SET used = quota.used + excluded.used", \
	[WRITE_DROP_SEATS] = "DELETE FROM seat WHERE play = ?1",                                   \
	[WRITE_DROP_EVENTS] = "DELETE FROM event WHERE play = ?1",                                 \
	[WRITE_DROP_LISTED] = "DELETE FROM unlisted WHERE play = ?1",                              \
	[WRITE_DROP_IMCS_PLAY] = "UPDATE imcs_game SET play = '' WHERE play = ?1",                 \
	[WRITE_DROP_PLAY] = "DELETE FROM play WHERE id = ?1 AND updated < ?2",                     \
	[WRITE_DROP_USER] = "DELETE FROM \"user\" WHERE id = ?1",                                  \
	[WRITE_DROP_ATTEMPTS] =                                                                    \
		"DELETE FROM puzzle_attempt WHERE (\"user\", game, puzzle) IN"                     \
		" (SELECT \"user\", game, puzzle FROM puzzle_attempt WHERE day < ?1 LIMIT ?2)",    \
	[WRITE_DROP_QUOTAS] = "DELETE FROM quota WHERE (day, name) IN"                             \
			      " (SELECT day, name FROM quota WHERE day < ?1 LIMIT ?2)",            \
	/* SQLite only: others give space back by themselves. */                                  \
	[WRITE_VACUUM] = "PRAGMA incremental_vacuum(" STORE_PORTION ")"

#define STORE_PORTION "500" /* pages that are given back at once */

#define UPKEEP_READS                                                                              \
	[READ_QUOTAS] = "SELECT name, used FROM quota WHERE day = ?1",                            \
	[READ_OLD_PLAYS] =                                                                        \
		"SELECT p.id, p.updated, (SELECT coalesce(max(number) + 1, 0) FROM event"         \
		" WHERE play = p.id), CASE WHEN p.going > ?5 OR " IS_MEMBER("p.owner")            \
		" OR EXISTS (SELECT 1 FROM seat s WHERE s.play = p.id AND " IS_MEMBER("s.user")   \
		") THEN 0 ELSE 1 END FROM play p WHERE p.updated < ?1"                            \
		" AND (p.updated, p.id) > (?2, ?3) ORDER BY p.updated, p.id LIMIT ?4",            \
	[READ_IDLE_USERS] =                                                                       \
		"SELECT u.id, CASE WHEN u.created >= ?1 OR " IS_MEMBER("u.id")                    \
		" OR EXISTS (SELECT 1 FROM token t WHERE t.user = u.id)"                          \
		" OR EXISTS (SELECT 1 FROM play p WHERE p.owner = u.id)"                          \
		" OR EXISTS (SELECT 1 FROM seat s WHERE s.user = u.id)"                           \
		" OR EXISTS (SELECT 1 FROM finished f WHERE f.user = u.id)"                       \
		" OR EXISTS (SELECT 1 FROM studies d WHERE d.owner = u.id) THEN 0 ELSE 1 END"     \
		" FROM \"user\" u WHERE u.id > ?2 ORDER BY u.id LIMIT ?3",                        \
	[READ_OLD_ATTEMPTS] = "SELECT count(*) FROM"                                              \
			      " (SELECT 1 FROM puzzle_attempt WHERE day < ?1 LIMIT ?2) x",        \
	[READ_OLD_QUOTAS] = "SELECT count(*) FROM"                                                \
			    " (SELECT 1 FROM quota WHERE day < ?1 LIMIT ?2) x",                   \
	/* SQLite only; 0 where nothing can be given back. */                                     \
	[READ_FREE_PAGES] = "SELECT CASE WHEN auto_vacuum = 2 THEN freelist_count ELSE 0 END"     \
			    " FROM pragma_freelist_count, pragma_auto_vacuum",                    \
	[READ_FACTS] = "SELECT (SELECT user_version FROM pragma_user_version),"                   \
		       " (SELECT count(*) FROM \"user\"), (SELECT count(*) FROM account),"        \
		       " (SELECT count(*) FROM play),"                                            \
		       " (SELECT count(*) FROM play WHERE going = 1),"                            \
		       " (SELECT count(*) FROM studies),"                                         \
		       " (SELECT coalesce(min(updated), 0) FROM play)"

#endif
