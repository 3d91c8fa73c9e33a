/*
 * server_migrate.c - server migrate: from SQLite to PostgreSQL, for several servers, or back.
 * SPDX-License-Identifier: MIT
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/server.h"
#include "server/api/secrets.h"

_Static_assert((int)STORE_KEY == (int)SECRETS_KEY, "the store keeps the key of secrets.h");

static enum qv_status read_key(const char *folder, unsigned char key[STORE_KEY],
			       struct qv_error *error)
{
	struct secrets secrets;
	const enum qv_status status = secrets_open(folder, &secrets, error);
	if (status == QV_OK) {
		memcpy(key, secrets.key, STORE_KEY);
		secrets_forget(&secrets);
	}
	return status;
}

static enum qv_status write_key(const char *folder, const unsigned char key[STORE_KEY],
				struct qv_error *error)
{
	struct secrets secrets;
	memcpy(secrets.key, key, STORE_KEY);
	const enum qv_status status = secrets_keep(folder, &secrets, error);
	secrets_forget(&secrets);
	return status;
}

/* Not through links: the owner of the folder may have put one there. */
static void give(const char *folder, const char *name, const struct stat *owner)
{
	char path[FOLDER_PATH];
	struct qv_error ignored;
	struct stat about;
	const int file = folder_path(folder, name, path, &ignored) == QV_OK
				 ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
				 : -1;
	if (file < 0)
		return;
	if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == 0 &&
	    about.st_nlink == 1 && fchown(file, owner->st_uid, owner->st_gid) != 0)
		fprintf(stderr, "quevedo: %s: cannot be given to the owner of its folder\n", path);
	close(file);
}

void server_hand_over(const char *folder)
{
	static const char *const names[] = { "quevedo.db", "quevedo.db-wal", "quevedo.db-shm", "lock",
					     "secret" };
	struct stat owner;
	if (geteuid() != 0 || stat(folder, &owner) != 0 || owner.st_uid == 0)
		return;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		give(folder, names[i], &owner);
}

enum qv_status server_migrate(struct cli *c, const char *store, bool back)
{
	char folder[FOLDER_PATH];
	struct store_transferred done;
	enum qv_status status = folder_find(c->args.data, NULL, folder, &c->error);
	const struct store_transfer setup = { .folder = folder,
					      .place = store,
					      .back = back,
					      .stop = cli_stop_flag(),
					      .read_key = read_key,
					      .write_key = write_key };
	if (status == QV_OK)
		status = store_transfer(&setup, &done, &c->error);
	if (status != QV_OK)
		return status;
	if (back)
		server_hand_over(folder);
	json_t *list = json_array();
	for (int i = 0; i < done.count; i++)
		if (c->args.json)
			list = json_item(list,
					 json_fields(json_object(), "table",
						     json_text(done.tables[i].name), "rows",
						     json_integer(done.tables[i].rows), NULL));
		else
			string_addf(&c->out, "%s: %lld\n", done.tables[i].name,
				    (long long)done.tables[i].rows);
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "to",
					       json_text(back ? "sqlite" : "postgres"), "rows",
					       json_integer(done.rows), "tables", list, NULL));
	json_decref(list);
	string_addf(&c->out, "copied %lld rows to %s, and compared them\n", (long long)done.rows,
		    back ? folder : "PostgreSQL");
	return QV_OK;
}
