/*
 * sandbox.c - takes from this process what a worker does not need.
 * SPDX-License-Identifier: MIT
 *
 * A seccomp filter allows what a search uses: memory, threads, clocks, and the descriptors that are
 * open. Everything else fails with EPERM, so that a C library that tries something new goes on. To
 * open files is allowed only if Landlock restricts it to the folders of endgame tables.
 */
#define _GNU_SOURCE
#include "server/jobs/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
	__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#ifdef __linux__
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

/* ---- The filter ---- */

static const int allowed[] = {
	SYS_read,
	SYS_write,
	SYS_readv,
	SYS_writev,
	SYS_close,
	SYS_fstat,
	SYS_lseek,
	SYS_ppoll,
	SYS_brk,
	SYS_munmap,
	SYS_mremap,
	SYS_madvise,
	SYS_futex,
	SYS_membarrier,
	SYS_sched_yield,
	SYS_sched_getaffinity,
	SYS_set_robust_list,
	SYS_rseq,
	SYS_set_tid_address,
	SYS_pipe2,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_sigaltstack,
	SYS_restart_syscall,
	SYS_clock_gettime,
	SYS_clock_getres,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_getpid,
	SYS_gettid,
	SYS_getrusage,
	SYS_sysinfo,
	SYS_exit,
	SYS_exit_group,
#ifdef SYS_poll
	SYS_poll,
#endif
#ifdef SYS_time
	SYS_time,
	SYS_pipe,
#endif
};

/* With Landlock, which knows where the files may be. */
static const int for_files[] = {
	SYS_openat,	SYS_pread64, SYS_getdents64, SYS_statx,	 SYS_faccessat,
	SYS_readlinkat, SYS_fadvise64,
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_open
	SYS_open,	SYS_stat,    SYS_lstat,	     SYS_access, SYS_readlink,
#endif
};

enum { FILTER_MOST = 192, LOW = 0, ARGUMENT = offsetof(struct seccomp_data, args) };

struct filter {
	struct sock_filter code[FILTER_MOST];
	unsigned short length;
};

static void add(struct filter *f, struct sock_filter one)
{
	f->code[f->length++] = one;
}

static void load(struct filter *f, size_t offset)
{
	add(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(struct filter *f, uint32_t action)
{
	add(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Skips so many instructions unless the loaded word is, or has a bit of, the value. */
static void unless(struct filter *f, int what, uint32_t value, uint8_t skip)
{
	add(f, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | what | BPF_K), value, 0, skip));
}

static void allow(struct filter *f, int call)
{
	unless(f, BPF_JEQ, (uint32_t)call, 1);
	answer(f, SECCOMP_RET_ALLOW);
}

/* Allows a call only if the low word of its first argument is this. */
static void allow_own(struct filter *f, int call, uint32_t value)
{
	unless(f, BPF_JEQ, (uint32_t)call, 4);
	load(f, ARGUMENT + LOW);
	unless(f, BPF_JEQ, value, 1);
	answer(f, SECCOMP_RET_ALLOW);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
}

/*
 * Allows a call only if the low word of an argument has one of these bits (wanted) or none of them.
 * The number of the call is loaded, and stays so if it is another.
 */
static void allow_if(struct filter *f, int call, int argument, uint32_t bits, bool wanted)
{
	const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
	unless(f, BPF_JEQ, (uint32_t)call, 4);
	load(f, ARGUMENT + 8 * (size_t)argument + LOW);
	unless(f, BPF_JSET, bits, 1);
	answer(f, wanted ? SECCOMP_RET_ALLOW : refused);
	answer(f, wanted ? refused : SECCOMP_RET_ALLOW);
}

/* Allows a call only if these words of its arguments are 0; each argument has two, the low one first. */
static void allow_zeros(struct filter *f, int call, const uint8_t *words, int count)
{
	unless(f, BPF_JEQ, (uint32_t)call, (uint8_t)(3 * count + 1));
	for (int i = 0; i < count; i++) {
		load(f, ARGUMENT + 4 * (size_t)words[i]);
		unless(f, BPF_JSET, UINT32_MAX, 1);
		answer(f, SECCOMP_RET_ERRNO | EPERM);
	}
	answer(f, SECCOMP_RET_ALLOW);
}

#ifdef ARCHITECTURE
/* Returns 0 or an errno. */
static int set_filter(bool files)
{
	struct filter f = { .length = 0 };
	load(&f, offsetof(struct seccomp_data, arch));
	unless(&f, BPF_JEQ, ARCHITECTURE, 1);
	add(&f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
	answer(&f, SECCOMP_RET_KILL_PROCESS);
	load(&f, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		allow(&f, allowed[i]);
	for (size_t i = 0; files && i < sizeof for_files / sizeof *for_files; i++)
		allow(&f, for_files[i]);
	/* Threads, but no processes; clone3 has its flags in memory, so the C library is to do without. */
	allow_if(&f, SYS_clone, 0, CLONE_THREAD, true);
#ifdef SYS_clone3
	unless(&f, BPF_JEQ, SYS_clone3, 1);
	answer(&f, SECCOMP_RET_ERRNO | ENOSYS);
#endif
	allow_if(&f, SYS_mmap, 2, PROT_EXEC, false);
	allow_if(&f, SYS_mprotect, 2, PROT_EXEC, false);
	/* It lowers its own priority, and may abort: no other process is touched. */
	_Static_assert(PRIO_PROCESS == 0, "as the first argument");
	allow_zeros(&f, SYS_setpriority, (const uint8_t[]){ 0, 2 }, 2);
	allow_own(&f, SYS_tgkill, (uint32_t)getpid());
	/* Its own limits are read (the size of a stack), not set: the new limit is NULL. */
	allow_zeros(&f, SYS_prlimit64, (const uint8_t[]){ 0, 4, 5 }, 3);
	/* F_SETOWN and F_SETSIG would send signals to other processes. */
	if (files)
		allow_if(&f, SYS_fcntl, 1, ~7U, false);
	answer(&f, SECCOMP_RET_ERRNO | EPERM);
	const struct sock_fprog program = { .len = f.length, .filter = f.code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}
#else
static int set_filter(bool files)
{
	(void)files, (void)answer, (void)allow_if, (void)allow_own, (void)allow_zeros, (void)allow, (void)for_files,
		(void)allowed;
	return ENOSYS;
}
#endif

/* ---- Files ---- */

#if defined(SYS_landlock_create_ruleset) && defined(LANDLOCK_ACCESS_FS_EXECUTE)
/* All rights of the first version. */
enum {
	RIGHTS = 2 * LANDLOCK_ACCESS_FS_MAKE_SYM - 1,
	READING = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR
};

static bool add_folder(int rules, const char *folder)
{
	struct landlock_path_beneath_attr beneath = { .allowed_access = READING };
	beneath.parent_fd = open(folder, O_PATH | O_CLOEXEC);
	if (beneath.parent_fd < 0)
		return errno == ENOENT;
	const long failed =
		syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	close(beneath.parent_fd);
	return failed == 0;
}

static bool restrict_files(const char *const *folders)
{
	const struct landlock_ruleset_attr all = { .handled_access_fs = RIGHTS };
	const int rules =
		(int)syscall(SYS_landlock_create_ruleset, &all, sizeof all.handled_access_fs, 0);
	bool good = rules >= 0;
	for (; good && *folders; folders++)
		good = add_folder(rules, *folders);
	good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	if (rules >= 0)
		close(rules);
	return good;
}
#else
static bool restrict_files(const char *const *folders)
{
	(void)folders;
	return false;
}
#endif

static bool any_exists(const char *const *folders)
{
	while (*folders && access(*folders, F_OK) != 0)
		folders++;
	return *folders != NULL;
}

/* ---- All together ---- */

/* What cannot be set is not needed: the filter is stricter. */
static void set_limits(int64_t memory_bytes)
{
	const struct rlimit none = { 0, 0 };
	const struct rlimit memory = { (rlim_t)memory_bytes, (rlim_t)memory_bytes };
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_FSIZE, &none);
	if (memory_bytes)
		setrlimit(RLIMIT_DATA, &memory);
}

/* The system prefers it when memory runs out: its job is tried again, the server's games go on. */
static void offer_memory(void)
{
	const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (file >= 0 && write(file, "500", 3) < 0)
		errno = 0;
	if (file >= 0)
		close(file);
}

static void close_all(int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, ~0U, 0) == 0)
		return;
#endif
	for (int i = first; i < 1024; i++)
		close(i);
}

/* It may have passwords of the database. */
static void forget_environment(void)
{
	for (char **text = environ; *text; text++)
		memset(*text, 0, strlen(*text));
	*environ = NULL;
}

bool sandbox_enter(const struct sandbox *sandbox, char text[SANDBOX_TEXT])
{
	const bool files = any_exists(sandbox->folders);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (SANITIZED) {
		snprintf(text, SANDBOX_TEXT, "without a filter: built with a sanitizer");
		return true;
	}
	forget_environment();
	offer_memory();
	close_all(STDERR_FILENO + 1);
	prctl(PR_SET_DUMPABLE, 0);
	set_limits(sandbox->memory_bytes);
	const bool restricted = files && restrict_files(sandbox->folders);
	const int failed = set_filter(restricted);
	if (failed)
		snprintf(text, SANDBOX_TEXT, "none: no seccomp filter: %s", strerror(failed));
	else
		snprintf(text, SANDBOX_TEXT, "seccomp%s", restricted ? ", landlock" : "");
	return !files || restricted || failed;
}

#else

bool sandbox_enter(const struct sandbox *sandbox, char text[SANDBOX_TEXT])
{
	(void)sandbox;
	snprintf(text, SANDBOX_TEXT, "none: only on Linux");
	return true;
}

#endif
