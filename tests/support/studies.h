/*
 * studies.h - a small study, and every route of studies called once.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_STUDIES_H
#define TEST_STUDIES_H

#include "support/api_desk.h"

#define STUDIES "/api/v1/studies"
#define RECORD                                                                                     \
	"{\\\"quevedo\\\":1,\\\"game\\\":\\\"chess\\\",\\\"position\\\":\\\"start\\\","            \
	"\\\"seats\\\":[]}\\n{\\\"move\\\":\\\"e2e4\\\"}\\n{\\\"note\\\":\\\"[%cal Gd2d4]\\\"}\\n"
#define CHAPTER "{\"name\":\"One\",\"record\":\"" RECORD "\"}"
#define TWO "\"chapters\":[" CHAPTER "," CHAPTER "]}"

static inline void try_study(struct api_desk *d, const struct visitor *who)
{
	char path[96];
	const json_t *study = desk_ask(d, who, "POST", STUDIES, "{\"title\":\"T\"," TWO, 201);
	snprintf(path, sizeof path, STUDIES "/%s", desk_text(study, "id"));
	desk_ask(d, who, "GET", path, NULL, 200);
	desk_ask(d, who, "POST", path, "{\"version\":1,\"title\":\"T\"," TWO, 200);
	const size_t end = strlen(path);
	snprintf(path + end, sizeof path - end, "/version");
	desk_ask(d, who, "GET", path, NULL, 200);
	snprintf(path + end, sizeof path - end, "/delete");
	desk_ask(d, who, "POST", path, "{}", 200);
}

#endif
