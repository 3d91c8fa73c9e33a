/*
 * plugin_new.c - `plugin new NAME`: writes a small game that compiles and passes, to be changed.
 * SPDX-License-Identifier: MIT
 *
 * The files of skeleton/ are embedded. In them and in their names, @NAME@ stands for the name.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embed.h"
#include "cli/plugin.h"

EMBEDDED(char skeleton_game[]);
EMBEDDED(char skeleton_makefile[]);
EMBEDDED(char skeleton_test[]);
EMBEDDED(char skeleton_readme[]);

static const struct {
	const char *name, *text;
} files[] = {
	{ "@NAME@.c", skeleton_game },
	{ "Makefile", skeleton_makefile },
	{ "test.sh", skeleton_test },
	{ "README.md", skeleton_readme },
};
enum { FILES = sizeof files / sizeof *files };

/* Adds the text with the name in place of each @NAME@. */
static void fill_in(struct string *out, const char *text, const char *name)
{
	static const char mark[] = "@NAME@";
	for (const char *at; (at = strstr(text, mark)); text = at + strlen(mark)) {
		string_add(out, text, (size_t)(at - text));
		string_add(out, name, strlen(name));
	}
	string_add(out, text, strlen(text));
}

/* The path of file number i. */
static void put_path(struct string *out, const char *folder, const char *name, int i)
{
	string_addf(out, "%s/", folder);
	fill_in(out, files[i].name, name);
}

/* A name must be one that a plug-in can load, and no game may have it. */
static enum qv_status check_name(struct cli *c, const char *name)
{
	const size_t length = strlen(name);
	struct qv_rules rules;
	if (!length || length > 31 || name[0] < 'a' || name[0] > 'z' ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != length)
		return cli_refuse(c,
				  "%.60s: a name has 1 to 31 characters a-z, 0-9 and '-', and "
				  "begins with a letter",
				  cli_word(name));
	if (qv_rules_parse(c->context, name, &rules, NULL) == QV_OK)
		return cli_refuse(c, "%s: there is a game of this name", name);
	return QV_OK;
}

/* Makes the folder, unless it exists; none of the files may exist in it. */
static enum qv_status check_folder(struct cli *c, const char *folder, const char *name)
{
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return qv_fail(&c->error, QV_IO, "%.100s: %s", cli_word(folder), strerror(errno));
	for (int i = 0; i < FILES; i++) {
		struct string path = { .allocator = &mem_malloc };
		put_path(&path, folder, name, i);
		const bool exists = !path.failed && access(path.data, F_OK) == 0;
		enum qv_status status = path.failed ? cli_no_memory(c, "plugin new") : QV_OK;
		if (exists)
			status = cli_refuse(c, "%.160s: already exists", path.data);
		string_release(&path);
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

static enum qv_status write_file(struct cli *c, const char *path, const struct string *text)
{
	struct file_writer w;
	enum qv_status status = file_create(&w, &mem_malloc, path, &c->error);
	if (status == QV_OK)
		status = file_write(&w, text->data, text->length, &c->error);
	return status == QV_OK ? file_keep_new(&w, &c->error) : status;
}

enum qv_status plugin_new(struct cli *c)
{
	const struct plugin_values *own = cli_own(c);
	const char *name = c->args.words[2], *folder = own->dir ? own->dir : name;
	json_t *list = json_array();
	enum qv_status status = check_name(c, name);
	if (status == QV_OK)
		status = check_folder(c, folder, name);
	for (int i = 0; i < FILES && status == QV_OK; i++) {
		struct string path = { .allocator = &mem_malloc }, text = path;
		put_path(&path, folder, name, i);
		fill_in(&text, files[i].text, name);
		status = path.failed || text.failed ? cli_no_memory(c, "plugin new")
						    : write_file(c, path.data, &text);
		if (status == QV_OK && !c->args.json)
			string_addf(&c->out, "wrote %s\n", path.data);
		if (status == QV_OK)
			list = json_item(list, json_text(path.data));
		string_release(&path);
		string_release(&text);
	}
	if (status != QV_OK || !c->args.json) {
		json_decref(list);
		if (status == QV_OK)
			string_addf(&c->out, "next: cd %s && make check\n", folder);
		return status;
	}
	return cli_json(c,
			json_fields(json_object(), "name", json_text(name), "files", list, NULL));
}
