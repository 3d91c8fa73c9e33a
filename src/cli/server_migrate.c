/*
 * server_migrate.c - server migrate: from SQLite to PostgreSQL, for several servers, or back.
 * SPDX-License-Identifier: MIT
 */
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
