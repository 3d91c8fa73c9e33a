/*
 * cluster.h - a PostgreSQL server of a test's own, in a folder of its own, with a socket there.
 * SPDX-License-Identifier: MIT
 *
 * Each store gets a schema of its own in the one database. PostgreSQL refuses to run as root: then
 * it runs as nobody. It ends with the test, however that ends.
 *
 *	static struct cluster postgres;
 *	...
 *	int failed = cmocka_run_group_tests(tests, NULL, NULL);
 *	failed += cluster_run_tests(&postgres, tests);
 */
#ifndef TEST_CLUSTER_H
#define TEST_CLUSTER_H

#include "support/check.h"

#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef QV_POSTGRES
#include <libpq-fe.h>
#endif

struct cluster {
	char folder[64];       /* "": it was not started */
	char programs[128]; /* the folder of initdb and postgres */
	pid_t server;	    /* 0: it does not run */
	int schemas;	    /* made so far */
};

#ifdef QV_POSTGRES

/* What makes a command run as an ordinary user, and end with this process. */
static inline const char *cluster_user(void)
{
	return geteuid() == 0 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups" : "";
}

static inline bool cluster_find_programs(struct cluster *c)
{
	glob_t found;
	bool any = false;
	if (glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &found) == 0) {
		const char *last = found.gl_pathv[found.gl_pathc - 1];
		snprintf(c->programs, sizeof c->programs, "%.*s",
			 (int)(strlen(last) - strlen("/initdb")), last);
		any = true;
	}
	globfree(&found);
	return any;
}

/* An address of the server for libpq; schema may be "". host: the folder of a socket. */
static inline void cluster_place(const char *host, const char *schema, char out[256])
{
	snprintf(out, 256, "postgres:///postgres?host=%s&user=postgres%s%s", host,
		 *schema ? "&options=-csearch_path%3D" : "", schema);
}

/* Runs SQL, and returns the first value of the result, "" for no rows. */
static inline void cluster_sql(const struct cluster *c, const char *sql, char out[64])
{
	char place[256];
	cluster_place(c->folder, "", place);
	PGconn *conn = PQconnectdb(place);
	PGresult *result = PQexec(conn, sql);
	const ExecStatusType status = PQresultStatus(result);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(conn));
	snprintf(out, 64, "%s", PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "");
	PQclear(result);
	PQfinish(conn);
}

/* Starts the server and waits until it answers. */
static inline void cluster_resume(struct cluster *c)
{
	char command[600], place[256];
	const struct timespec moment = { 0, 20000000 };
	snprintf(command, sizeof command,
		 "exec %s %s/postgres -D %s/data -c fsync=off -c autovacuum=off -c listen_addresses= "
		 "-c unix_socket_directories=%s -c max_connections=60 >>%s/log 2>&1",
		 geteuid() == 0
			 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups --pdeathsig QUIT"
			 : "setpriv --pdeathsig QUIT",
		 c->programs, c->folder, c->folder, c->folder);
	c->server = fork();
	assert_true(c->server >= 0);
	if (!c->server) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	cluster_place(c->folder, "", place);
	for (int i = 0; PQping(place) != PQPING_OK; i++) {
		if (i > 3000 || waitpid(c->server, NULL, WNOHANG) == c->server)
			fail_msg("%s/log: PostgreSQL does not start", c->folder);
		nanosleep(&moment, NULL);
	}
}

/* SIGQUIT: as if the machine failed, so that the server recovers when it is resumed. */
static inline void cluster_halt(struct cluster *c)
{
	if (!c->server)
		return;
	kill(c->server, SIGQUIT);
	waitpid(c->server, NULL, 0);
	c->server = 0;
}

/*
 * Its processes stand still, as if the network were cut without a word; or they go on. One of them
 * may be ending just now.
 */
static inline void cluster_freeze(const struct cluster *c, bool still)
{
	char command[128];
	snprintf(command, sizeof command,
		 "kill -%s $(cat /proc/%d/task/%d/children) 2>/dev/null; true",
		 still ? "STOP" : "CONT", (int)c->server, (int)c->server);
	assert_int_equal(system(command), 0);
}

/*
 * initdb takes ten times as long as a copy of what it makes, so the first test leaves a copy to the
 * others of its build. Tests that start at the same time may all make one: the first rename counts.
 */
static inline void cluster_make_files(const struct cluster *c)
{
	char template[256], command[1500];
	const char *version = c->programs + strlen("/usr/lib/postgresql/");
	snprintf(template, sizeof template, "%s-%.*s", CLUSTER_TEMPLATE,
		 (int)strcspn(version, "/"), version);
	snprintf(command, sizeof command, "cp -a '%s' %s/data 2>/dev/null", template, c->folder);
	if (system(command) == 0)
		return;
	/* A language of its own order, which must not matter. */
	snprintf(command, sizeof command,
		 "cd / && rm -rf %s/data && %s %s/initdb -D %s/data -A trust -U postgres -N -E UTF8 "
		 "--locale=C.UTF-8 --locale-provider=icu --icu-locale=en >/dev/null",
		 c->folder, cluster_user(), c->programs, c->folder);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof command,
		 "cp -a %s/data '%s.%d' && mv -T '%s.%d' '%s' 2>/dev/null || rm -rf '%s.%d'",
		 c->folder, template, (int)getpid(), template, (int)getpid(), template, template,
		 (int)getpid());
	assert_int_equal(system(command), 0);
}

/* False: there is no PostgreSQL here, which is printed. */
static inline bool cluster_start(struct cluster *c)
{
	if (!cluster_find_programs(c)) {
		printf("postgres: skipped: PostgreSQL is not installed\n");
		return false;
	}
	strcpy(c->folder, "/tmp/quevedo-postgres-XXXXXX");
	assert_non_null(mkdtemp(c->folder));
	const struct passwd *nobody = geteuid() == 0 ? getpwnam("nobody") : NULL;
	if (nobody)
		assert_int_equal(chown(c->folder, nobody->pw_uid, nobody->pw_gid), 0);
	cluster_make_files(c);
	cluster_resume(c);
	return true;
}

static inline void cluster_stop(struct cluster *c)
{
	char command[128];
	cluster_halt(c);
	snprintf(command, sizeof command, "rm -rf '%s'", c->folder);
	assert_int_equal(system(command), 0);
	*c = (struct cluster){ .server = 0 };
}

/* A new schema; the address of a store in it. */
static inline void cluster_new_place(struct cluster *c, char out[256])
{
	char schema[32], sql[64], ignored[64];
	snprintf(schema, sizeof schema, "s%d", ++c->schemas);
	snprintf(sql, sizeof sql, "CREATE SCHEMA %s", schema);
	cluster_sql(c, sql, ignored);
	cluster_place(c->folder, schema, out);
}

#else

static inline bool cluster_start(struct cluster *c)
{
	(void)c;
	printf("postgres: skipped: built without it\n");
	return false;
}

static inline void cluster_stop(struct cluster *c)
{
	(void)c;
}

static inline void cluster_halt(struct cluster *c)
{
	(void)c;
}

static inline void cluster_resume(struct cluster *c)
{
	(void)c;
}

static inline void cluster_freeze(const struct cluster *c, bool still)
{
	(void)c, (void)still;
}

static inline void cluster_sql(const struct cluster *c, const char *sql, char out[64])
{
	(void)c, (void)sql;
	out[0] = '\0';
}

static inline void cluster_new_place(struct cluster *c, char out[256])
{
	(void)c;
	out[0] = '\0';
}

#endif

/* The tests with PostgreSQL, if it is there: how many failed. */
#define cluster_run_tests(c, tests) \
	cluster_run_group(c, tests, sizeof(tests) / sizeof((tests)[0]))

static inline int cluster_run_group(struct cluster *c, const struct CMUnitTest *tests, size_t count)
{
	if (!cluster_start(c))
		return 0;
	const int failed = _cmocka_run_group_tests("postgres", tests, count, NULL, NULL);
	cluster_stop(c);
	return failed;
}

#endif
