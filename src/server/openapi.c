/*
 * openapi.c - the description of the interface, openapi.json, taken into the program as it is.
 * SPDX-License-Identifier: MIT
 */
#include "server/inside.h"

#ifndef OPENAPI_FILE
#error "the build names the file"
#endif

__asm__(".pushsection .rodata\n"
	".hidden server_openapi\n"
	".global server_openapi\n"
	"server_openapi:\n"
	".incbin \"" OPENAPI_FILE "\"\n"
	".byte 0\n"
	".popsection\n");
