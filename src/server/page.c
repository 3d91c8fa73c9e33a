/*
 * page.c - the blob of the page, taken into the program as it is. The build says where it lies.
 * SPDX-License-Identifier: MIT
 */
#include "server/assets.h"

#ifndef PAGE_BLOB
#error "the build names the blob of the page"
#endif

/* The assembler copies the file: no compiler has to read a megabyte of numbers. */
__asm__(".pushsection .rodata\n"
	".balign 16\n"
	".hidden page_blob_begin\n"
	".global page_blob_begin\n"
	"page_blob_begin:\n"
	".incbin \"" PAGE_BLOB "\"\n"
	".hidden page_blob_end\n"
	".global page_blob_end\n"
	"page_blob_end:\n"
	".byte 0\n"
	".popsection\n");

extern const unsigned char page_blob_begin[] __attribute__((visibility("hidden")));
extern const unsigned char page_blob_end[] __attribute__((visibility("hidden")));

const unsigned char *page_blob(size_t *size)
{
	*size = (size_t)(page_blob_end - page_blob_begin);
	return page_blob_begin;
}
