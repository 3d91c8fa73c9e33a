/*
 * json.c - the JSON that commands print.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"

json_t *json_seconds(double seconds)
{
	return json_real(floor(seconds * 1e6) / 1e6);
}

enum qv_status cli_json(struct cli *c, json_t *value)
{
	char *line = json_to_text(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
	if (!line)
		return qv_fail(&c->error, QV_NO_MEMORY, "output: out of memory");
	string_addf(&c->out, "%s\n", line);
	free(line);
	return QV_OK;
}
