/*
 * backup.c - the command backup: a copy of a server's database, also while the server runs.
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "server/store/store.h"

const struct option server_data_option[] = {
	SHARED_OPTION("data", OPTION_POINTER, data, .value = "DIR",
		      .help = "folder of the server (default $XDG_DATA_HOME/quevedo or "
			      "~/.local/share/quevedo)"),
	{ 0 },
};

static enum qv_status run(struct cli *c)
{
	char folder[FOLDER_PATH];
	struct stat about;
	const char *file = c->args.words[1];
	if (!*file)
		return qv_fail(&c->error, QV_BAD_INPUT, "FILE: the name is empty");
	enum qv_status status = folder_find(c->args.data, NULL, folder, &c->error);
	if (status == QV_OK)
		status = store_backup(folder, file, &c->error);
	if (status == QV_OK && stat(file, &about) != 0)
		status = qv_fail(&c->error, QV_IO, "%.160s: %s", file, strerror(errno));
	if (status != QV_OK)
		return status;
	if (c->args.json) {
		json_t *o = json_field(json_object(), "file", json_text(file));
		return cli_json(c, json_field(o, "bytes", json_integer((json_int_t)about.st_size)));
	}
	string_addf(&c->out, "backup %s, %lld bytes\n", file, (long long)about.st_size);
	return QV_OK;
}

const struct command command_backup = {
	.name = "backup",
	.run = run,
	.least = 1,
	.most = 1,
	.usage = "backup FILE",
	.help = "copy the database of a server",
	.more = "The server may be running. FILE must not exist. The copy shows one moment; it is "
		"checked, and gets its name only when it is complete. See docs/web-store.md.\n",
	.options = OPTION_GROUPS(server_data_option, common_options),
};
