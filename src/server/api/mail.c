/*
 * mail.c - mail to users, by a program such as sendmail.
 * SPDX-License-Identifier: MIT
 *
 * The program gets the message on its standard input and the address as its last argument, after
 * "--": no shell reads either. A worker runs it, and ends it if it takes too long.
 */
#include <stdlib.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "programs/child.h"
#include "server/api/inside.h"

enum { MAIL_MS = 30000, MAILS_WAITING = 50 };

struct mail {
	struct api *api;
	struct string command, message;
};

static void mail_free(void *arg)
{
	struct mail *mail = arg;
	string_release(&mail->command);
	string_release(&mail->message);
	free(mail);
}

/* Mail programs name the recipient in what they print, which is not for the log. */
static void hide_addresses(char *text)
{
	static const char around[] = " <>()\"'";
	for (char *at = text; (at = strchr(at, '@')); at++) {
		char *from = at;
		while (from > text && !strchr(around, from[-1]))
			from--;
		memset(from, '*', (size_t)(at - from) + strcspn(at, around));
	}
}

/* printed: the last line of its standard error, or the first of its output. */
static void write_fault(char why[300], enum child_got got, int status, const char *printed)
{
	char text[200];
	snprintf(text, sizeof text, "%s", printed);
	hide_addresses(text);
	const char *colon = *text ? ": " : "";
	if (got == CHILD_TIMEOUT)
		snprintf(why, 300, "no end in 30 seconds%s%s", colon, text);
	else if (status >= 0 && WIFEXITED(status))
		snprintf(why, 300, "exit status %d%s%s", WEXITSTATUS(status), colon, text);
	else if (status >= 0 && WIFSIGNALED(status))
		snprintf(why, 300, "signal %d%s%s", WTERMSIG(status), colon, text);
	else
		snprintf(why, 300, "it did not end%s%s", colon, text);
}

/* The result is "", or why it was not sent. */
static void mail_run(struct worker_task *task, void *arg)
{
	const struct mail *mail = arg;
	const int64_t until = clock_us() + MAIL_MS * (int64_t)1000;
	struct child child = { 0 };
	struct qv_error error = { "" };
	char *line, why[300], first[200] = "";
	size_t length;
	if (child_start(&child, &mem_malloc, mail->command.data, NULL, NULL, &error) != QV_OK) {
		snprintf(why, sizeof why, "%.200s", error.text);
		worker_task_result(task, strdup(why));
		return;
	}
	enum child_got got = child_write(&child, mail->message.data, mail->message.length, until);
	child_close_input(&child);
	/* One that does not read its input may print why. */
	for (bool reads = got != CHILD_TIMEOUT; reads; reads = got == CHILD_LINE) {
		got = child_read(&child, until, &line, &length);
		if (got == CHILD_LINE && !*first)
			snprintf(first, sizeof first, "%s", line);
	}
	const int status = child_end(&child, got == CHILD_ENDED);
	const bool sent = got == CHILD_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	write_fault(why, got, status, *child.complaint ? child.complaint : first);
	worker_task_result(task, strdup(sent ? "" : why));
}

static void mail_done(void *ctx, uint64_t number, const char *text, bool last)
{
	struct api *api = ctx;
	char why[400];
	(void)number;
	snprintf(why, sizeof why, "the command failed: %s", text ? text : "out of memory");
	if (last && (!text || *text))
		log_unsent(api, why);
}

void mail_send(void *arg, bool ok)
{
	struct mail *mail = arg;
	struct api *api = mail->api;
	const struct worker_job job = { .client = "mail",
					.most = MAILS_WAITING,
					.limit_ms = 2 * MAIL_MS,
					.run = mail_run,
					.release = mail_free,
					.arg = mail,
					.deliver = mail_done,
					.ctx = api };
	uint64_t number;
	if (ok && !api->closing && worker_pool_submit(api->pool, &job, &number) == SUBMIT_OK)
		return;
	if (ok && !api->closing)
		log_unsent(api, "too many are waiting");
	mail_free(mail);
}

void mail_when_stored(struct api *api, struct mail *mail)
{
	if (store_end_unit(api->store, mail ? mail_send : NULL, mail) == QV_OK || !mail)
		return;
	log_unsent(api, "the store is busy");
	mail_free(mail);
}

struct mail *mail_new(struct api *api, const char *address, const char *subject, const char *text)
{
	const char *from = api->setup.mail_from;
	struct mail *mail = calloc(1, sizeof *mail);
	if (mail) {
		mail->api = api;
		mail->command.allocator = mail->message.allocator = &mem_malloc;
		string_addf(&mail->command, "%s -- %s", api->setup.mail_command, address);
		string_addf(&mail->message,
			    "%s%s%sTo: %s\nSubject: %s\nMIME-Version: 1.0\n"
			    "Content-Type: text/plain; charset=utf-8\n"
			    "Auto-Submitted: auto-generated\n\n%s",
			    from ? "From: " : "", from ? from : "", from ? "\n" : "", address,
			    subject, text);
	}
	if (mail && !mail->command.failed && !mail->message.failed)
		return mail;
	log_unsent(api, "out of memory");
	if (mail)
		mail_free(mail);
	return NULL;
}
