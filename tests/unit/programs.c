/*
 * programs.c - what belongs to starting programs: quotes in command lines, the folder they run in,
 * what they write last to standard error, and the options that they declare. And SHA-256.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sha256.h"
#include "programs/child.h"
#include "programs/command_line.h"
#include "programs/engine_options.h"
#include "programs/protocol_spec.h"

/* ---- Command lines ---- */

/* The words of a command line, with | between them; or the error. */
static const char *split(const char *command)
{
	static char out[256];
	char text[200], *words[COMMAND_WORDS(200)];
	struct qv_error error = { "" };
	size_t count;
	snprintf(text, sizeof text, "%s", command);
	assert_int_equal(command_closes(command),
			 command_split(text, words, &count, &error) == QV_OK || !*command);
	out[0] = '\0';
	for (size_t i = 0; !error.text[0] && i < count; i++) {
		strcat(out, i ? "|" : "");
		strcat(out, words[i]);
	}
	return error.text[0] ? strcpy(out, error.text) : out;
}

static void test_command__quotes(void **state)
{
	(void)state;
	assert_string_equal(split("stockfish"), "stockfish");
	assert_string_equal(split("  a\t b  "), "a|b");
	assert_string_equal(split("'/path with blanks/engine' --arg"),
			    "/path with blanks/engine|--arg");
	assert_string_equal(split("a\"b c\"d '' e"), "ab cd||e");
	assert_string_equal(split("\"say \\\"x\\\" \\\\ \\n\""), "say \"x\" \\ \\n");
	assert_string_equal(split("'it is \"so\"' \\x"), "it is \"so\"|\\x");
	assert_string_equal(split("a 'b"), "a quote in the command line is not closed");
	assert_string_equal(split(""), "the command line is empty");
}

static void test_protocol_spec__commas_and_colons_belong_to_the_command(void **state)
{
	(void)state;
	static const struct {
		const char *text, *command, *options;
		int64_t depth, nodes, time_ms;
	} good[] = {
		{ "qgp:engine", "engine", "", 0, 0, 0 },
		{ "qgp:quevedo engine x --player alphabeta:depth=4,tt=0",
		  "quevedo engine x --player alphabeta:depth=4,tt=0", "", 0, 0, 0 },
		{ "qgp:/opt/a=b/engine", "/opt/a=b/engine", "", 0, 0, 0 },
		{ "ugi:cmd=a,b:c,cmd=d", "a,b:c,cmd=d", "", 0, 0, 0 },
		{ "qgp:depth=4,cmd=e f,g", "e f,g", "", 4, 0, 0 },
		{ "qgp:nodes=5,time=250ms,option.a=1,option.b=x=y,cmd=e", "e", "a=1;b=x=y;", 0, 5,
		  250 },
		{ "ugi:option.Skill Level=,time=2s,cmd=e", "e", "Skill Level=;", 0, 0, 2000 },
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct protocol_spec spec;
		struct qv_error error = { "" };
		struct string options = { .allocator = &mem_malloc };
		if (protocol_spec_parse(&spec, &mem_malloc, good[i].text, &error) != QV_OK)
			fail_msg("%s: %s", good[i].text, error.text);
		assert_string_equal(spec.command, good[i].command);
		assert_int_equal(spec.depth, good[i].depth);
		assert_int_equal(spec.nodes, good[i].nodes);
		assert_int_equal(spec.time_ms, good[i].time_ms);
		for (int k = 0; k < spec.option_count; k++)
			string_addf(&options, "%s=%s;", spec.options[k].name, spec.options[k].value);
		assert_string_equal(options.data ? options.data : "", good[i].options);
		string_release(&options);
		protocol_spec_release(&spec);
	}
}

static void test_protocol_spec__refuses_with_a_reason(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"qgp",		       "qgp:",		    "qgp:  ",
		"qgp:cmd=",	       "qgp:depth=4",	    "qgp:depth=4,",
		"qgp:detph=4,cmd=e",   "qgp:depth=0,cmd=e", "qgp:depth=x,cmd=e",
		"qgp:depth=,cmd=e",    "qgp:time=0,cmd=e",  "qgp:time=1+1,cmd=e",
		"qgp:time=off,cmd=e",  "qgp:nodes=-1,cmd=e", "qgp:depth=1,depth=2,cmd=e",
		"qgp:option.=1,cmd=e", "qgp:option.a b=1,cmd=e", "qgp:a\nb",
		"qgp:option.x=a\nquit,cmd=e", "qgp:option.x",
		"qgp:option.a=1,option.a=1,option.a=1,option.a=1,option.a=1,option.a=1,option.a=1,"
		"option.a=1,option.a=1,option.a=1,option.a=1,option.a=1,option.a=1,option.a=1,"
		"option.a=1,option.a=1,option.a=1,cmd=e" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct protocol_spec spec;
		struct qv_error error = { "" };
		if (protocol_spec_parse(&spec, &mem_malloc, bad[i], &error) == QV_OK)
			fail_msg("%s is taken", bad[i]);
		assert_non_null(strstr(error.text, ": "));
	}
}

static void test_spec__folder_and_quotes(void **state)
{
	struct protocol_spec spec;
	struct qv_error error = { "" };
	(void)state;
	assert_int_equal(protocol_spec_parse(&spec, &mem_malloc, "uci:dir=/tmp,cmd='a b' c", NULL),
			 QV_OK);
	assert_string_equal(spec.folder, "/tmp");
	assert_string_equal(spec.command, "'a b' c");
	protocol_spec_release(&spec);
	assert_int_equal(protocol_spec_parse(&spec, &mem_malloc, "uci:dir=,cmd=x", &error),
			 QV_BAD_INPUT);
	assert_int_equal(protocol_spec_parse(&spec, &mem_malloc, "uci:\"x", &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "a quote in the command line is not closed"));
	assert_int_equal(protocol_spec_parse(&spec, &mem_malloc, "external:dir=x,cmd=a:1", &error),
			 QV_UNSUPPORTED);
}

/* ---- Children ---- */

static void test_child__runs_in_its_folder(void **state)
{
	struct child c;
	struct qv_error error = { "" };
	char *line;
	size_t length;
	(void)state;
	assert_int_equal(child_start(&c, &mem_malloc, "pwd", "/usr", NULL, NULL), QV_OK);
	assert_int_equal(child_read(&c, clock_us() + 60000000, &line, &length), CHILD_LINE);
	assert_string_equal(line, "/usr");
	child_end(&c, true);
	assert_int_equal(child_start(&c, &mem_malloc, "pwd", "/nonexistent", NULL, &error), QV_IO);
	assert_string_equal(error.text, "folder /nonexistent: No such file or directory");
	assert_int_equal(child_start(&c, &mem_malloc, "pwd", "/dev/null", NULL, &error), QV_IO);
	assert_string_equal(error.text, "folder /dev/null: Not a directory");
}

static void test_child__keeps_its_last_complaint(void **state)
{
	struct child c;
	char *line;
	size_t length;
	(void)state;
	assert_int_equal(child_start(&c, &mem_malloc,
				     "sh -c 'echo first >&2; printf \"why\\n\\n\" >&2; exit 7'",
				     NULL, NULL, NULL),
			 QV_OK);
	assert_int_equal(child_read(&c, clock_us() + 60000000, &line, &length), CHILD_ENDED);
	const int status = child_end(&c, true);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	assert_string_equal(c.complaint, "why");
}

/* ---- Options ---- */

static const char *refused(const char *protocol, const char *lines, const char *name,
			   const char *value)
{
	static struct qv_error why;
	const struct manager_ops *ops = manager_find(protocol, strlen(protocol));
	why.text[0] = '\0';
	return engine_option_accepts(ops, lines, name, value, &why) ? "" : why.text;
}

static void test_options__of_each_protocol(void **state)
{
	static const char uci[] = "option name Hash type spin default 16 min 1 max 64\n"
				  "option name Clear Hash type button\n"
				  "option name Style type combo default Normal var Very Solid "
				  "var Normal\n"
				  "option name Log File type string default\n"
				  "option name Ponder type check default false\n";
	static const char xboard[] = "feature ping=1 option=\"Resign -check 1\" "
				     "option=\"Contempt -spin 5 -100 100\" "
				     "option=\"Style -combo A /// *B\" done=1\n";
	static const char qgp[] = "option hash number 64 0 1024\noption player text\n";
	static const char hub[] = "param name=variant value=normal type=enum values=\"normal "
				  "killer\"\nparam name=size value=24 type=int min=16 max=30\n";
	static const struct {
		const char *protocol, *lines, *name, *value, *why;
	} cases[] = {
		{ "uci", uci, "hash", "64", "" },
		{ "uci", uci, "Hash", "65", "option Hash=65: it must be a number from 1 to 64" },
		{ "uci", uci, "Hash", "banana",
		  "option Hash=banana: it must be a number from 1 to 64" },
		{ "uci", uci, "Clear Hash", "", "" },
		{ "uci", uci, "Style", "very solid", "" },
		{ "uci", uci, "Style", "Wild", "option Style=Wild: not one of its choices" },
		{ "uci", uci, "Log File", "any thing", "" },
		{ "uci", uci, "Ponder", "maybe", "option Ponder=maybe: it must be true or false" },
		{ "uci", uci, "NoSuch", "1", "option NoSuch: it has no such option" },
		{ "xboard", xboard, "Contempt", "-7", "" },
		{ "xboard", xboard, "Contempt", "101",
		  "option Contempt=101: it must be a number from -100 to 100" },
		{ "xboard", xboard, "Style", "B", "" },
		{ "xboard", xboard, "Style", "C", "option Style=C: not one of its choices" },
		{ "xboard", xboard, "memory", "64", "" },
		{ "xboard", xboard, "NoSuch", "1", "option NoSuch: it has no such option" },
		{ "qgp", qgp, "hash", "1024", "" },
		{ "qgp", qgp, "hash", "x", "option hash=x: it must be a number from 0 to 1024" },
		{ "qgp", qgp, "player", "random", "" },
		{ "hub", hub, "variant", "killer", "" },
		{ "hub", hub, "variant", "frisian",
		  "option variant=frisian: not one of its choices" },
		{ "hub", hub, "size", "31", "option size=31: it must be a number from 16 to 30" },
		{ "gomocup", "", "anything", "1", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
			refused(cases[i].protocol, cases[i].lines, cases[i].name, cases[i].value),
			cases[i].why);
}

static void test_options__flaws(void **state)
{
	static const char *const flawed[] = {
		"option name A type spin default 0 min 1 max 9",
		"option name A type spin default x min 1 max 9",
		"option name A type spin default 5 min 9 max 1",
		"option name A type spin default 5",
		"option name A type combo default x var y",
		"option name A type check default maybe",
		"option name A",
		"option name A type wheel",
	};
	struct engine_option o;
	(void)state;
	for (size_t i = 0; i < sizeof flawed / sizeof *flawed; i++) {
		size_t at = 0;
		assert_true(engine_option_read(&manager_uci, flawed[i], &at, &o));
		assert_string_equal(o.name, "A");
		assert_non_null(engine_option_flaw(&o));
	}
	size_t at = 0;
	assert_true(engine_option_read(
		&manager_uci, "option name UCI Min Time type spin default 1 min 0 max 9", &at, &o));
	assert_string_equal(o.name, "UCI Min Time");
	assert_null(engine_option_flaw(&o));
	at = 0;
	assert_true(engine_option_read(&manager_uci, "option name T type string default", &at, &o));
	assert_null(engine_option_flaw(&o));
	at = 0;
	assert_false(engine_option_read(&manager_uci, "info string option name A", &at, &o));
}

/* ---- SHA-256 ---- */

/* The examples of FIPS 180-4, and a length at each side of a block's end. */
static void test_sha256__known_hashes(void **state)
{
	char out[SHA256_HEX], text[120];
	(void)state;
	sha256_hex("", 0, out);
	assert_string_equal(out,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	sha256_hex("abc", 3, out);
	assert_string_equal(out,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, out);
	assert_string_equal(out,
			    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	memset(text, 'a', sizeof text);
	sha256_hex(text, 55, out);
	assert_string_equal(out,
			    "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	sha256_hex(text, 64, out);
	assert_string_equal(out,
			    "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command__quotes),
		cmocka_unit_test(test_protocol_spec__commas_and_colons_belong_to_the_command),
		cmocka_unit_test(test_protocol_spec__refuses_with_a_reason),
		cmocka_unit_test(test_spec__folder_and_quotes),
		cmocka_unit_test(test_child__runs_in_its_folder),
		cmocka_unit_test(test_child__keeps_its_last_complaint),
		cmocka_unit_test(test_options__of_each_protocol),
		cmocka_unit_test(test_options__flaws),
		cmocka_unit_test(test_sha256__known_hashes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
