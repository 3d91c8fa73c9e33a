/*
 * backup.c - the command backup: what a server keeps, copied into one file while it runs.
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "server/store/store.h"

enum qv_status cmd_backup(struct cli *c)
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
	if (arguments_given(&c->args, OPT_JSON)) {
		json_t *o = json_field(json_object(), "file", json_text(file));
		return cli_json(c, json_field(o, "bytes", json_integer((json_int_t)about.st_size)));
	}
	string_addf(&c->out, "backup %s, %lld bytes\n", file, (long long)about.st_size);
	return QV_OK;
}
