/*
 * quevedo-check.c - checks a certificate of a proven value. Of the library it uses the rules alone.
 * SPDX-License-Identifier: MIT
 *
 * usage: quevedo-check FILE [PLUGIN]...
 * Exit status: 0 the certificate holds; 1 it does not, and a line says why; 2 wrong use, or the file
 * cannot be read.
 */
#include "certificate.h"
#include "quevedo.h"

struct table {
	struct qv_rules rules;
	void *state;
};

/* Texts come from the game itself, or were read before. */
static void *set_up(void *ctx, const char *position)
{
	struct table *t = ctx;
	return qv_position_parse(&t->rules, position, t->state, NULL) == QV_OK ? t->state : NULL;
}

/* -1: no position of this game. */
static int seat(void *ctx, const char *position)
{
	const void *state = set_up(ctx, position);
	return state ? ((struct table *)ctx)->rules.game->seat(state) : -1;
}

/* How many moves a listed one stands for: more than one if it carries a number. */
static int most_of(const struct qv_game *game, const void *state, qv_move listed)
{
	const int most = game->max_count ? game->max_count(state, listed) : 1;
	return most > 1 ? most : 1;
}

static certificate_move *moves(void *ctx, const char *position, int *count)
{
	const struct qv_game *game = ((struct table *)ctx)->rules.game;
	const void *state = set_up(ctx, position);
	qv_move *list = malloc((size_t)game->max_moves * sizeof *list);
	const int listed = state && list ? game->moves(state, list) : 0;
	size_t all = 0;
	for (int i = 0; i < listed; i++)
		all += (size_t)most_of(game, state, list[i]);
	certificate_move *texts = calloc(all + 1, sizeof *texts);
	*count = 0;
	for (int i = 0; texts && i < listed; i++)
		for (int most = most_of(game, state, list[i]), n = most; n > 0; n--) {
			struct qv_text out = { texts[*count], sizeof *texts, 0 };
			game->move_text(state, n < most ? game->with_count(list[i], n) : list[i],
					&out);
			++*count;
		}
	free(list);
	return texts;
}

static bool play(void *ctx, char *position, const char *move)
{
	struct table *t = ctx;
	qv_move found;
	if (!set_up(ctx, position) ||
	    qv_move_parse(t->rules.game, t->state, move, &found, NULL) != QV_OK)
		return false;
	t->rules.game->play(t->state, found);
	struct qv_text out = { position, CERTIFICATE_POSITION, 0 };
	t->rules.game->position_text(t->state, &out);
	return true;
}

static bool over(void *ctx, const char *position, int32_t *points)
{
	const void *state = set_up(ctx, position);
	return state && ((struct table *)ctx)->rules.game->result(state, points) != QV_GOING;
}

/* The whole file with a NUL at its end; NULL: it cannot be read, or is no text. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t size = 0, room = 1 << 16;
	char *text = file ? malloc(room) : NULL;
	while (text) {
		size += fread(text + size, 1, room - size - 1, file);
		if (size + 1 < room)
			break;
		char *more = realloc(text, room *= 2);
		if (!more)
			free(text);
		text = more;
	}
	const bool good = text && !ferror(file) && !memchr(text, '\0', size);
	if (text)
		text[size] = '\0';
	if (file)
		fclose(file);
	if (good)
		return text;
	free(text);
	return NULL;
}

static bool check(const struct qv_context *context, char *text, struct certificate *c,
		  const char **value)
{
	struct table table = { .state = NULL };
	struct qv_error error;
	const struct certificate_rules rules = { &table, seat, moves, play, over };
	*c = (struct certificate){ .rules = &rules, .next = text };
	const char *line = certificate_line(c), *game = NULL, *position;
	if (!line || strcmp(line, "quevedo certificate 1") != 0)
		return certificate_wrong(c, "it does not begin with 'quevedo certificate 1'");
	if (!(game = certificate_field(c, "game")))
		return false;
	if (qv_rules_parse(context, game, &table.rules, &error) != QV_OK)
		return certificate_wrong(c, "%s", error.text);
	if (table.rules.game->seats != 2 || table.rules.game->chance)
		return certificate_wrong(c, "%.40s is not a game of two seats without chance", game);
	table.state = qv_state_new(context, table.rules.game);
	if (!table.state)
		return certificate_wrong(c, "out of memory");
	const bool holds = certificate_holds(c, &position, value);
	qv_state_free(context, table.rules.game, table.state);
	return holds;
}

int main(int argc, char **argv)
{
	struct qv_error error;
	struct qv_context *context = qv_context_new(NULL);
	char *text = argc > 1 ? read_text(argv[1]) : NULL;
	int code = 2;
	for (int i = 2; context && i < argc; i++)
		if (qv_context_load(context, argv[i], &error) != QV_OK) {
			fprintf(stderr, "quevedo-check: %s\n", error.text);
			goto done;
		}
	if (argc < 2)
		fprintf(stderr, "quevedo-check: usage: quevedo-check FILE [PLUGIN]...\n");
	else if (!context || !text)
		fprintf(stderr, "quevedo-check: %.200s: cannot be read as text\n", argv[1]);
	if (context && text) {
		struct certificate c;
		const char *value = "";
		const bool holds = check(context, text, &c, &value);
		code = holds ? 0 : 1;
		if (holds)
			printf("holds: value %s, %zu positions\n", value, c.checked);
		else
			printf("does not hold: %s\n", c.why);
		if (fflush(stdout) != 0)
			code = 2;
	}
done:
	free(text);
	qv_context_free(context);
	return code;
}
