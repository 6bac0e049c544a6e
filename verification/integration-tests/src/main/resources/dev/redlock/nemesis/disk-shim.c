/*
 * Notes what one process has on its disk for certain.
 *
 * Loaded by LD_PRELOAD. After each fsync or fdatasync, the length of the file is written
 * to a file in the directory REDLOCK_DISK, named by the inode: a signed 64-bit number in
 * the byte order of the machine. What is behind that length is lost when the power fails.
 * While there is a file named "lies" in that directory, the disk claims to have written
 * everything, and nothing is noted.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *directory(void) {
	return getenv("REDLOCK_DISK");
}

static int lies(void) {
	char path[4096];
	snprintf(path, sizeof(path), "%s/lies", directory());
	return access(path, F_OK) == 0;
}

static void note(const struct stat *status) {
	char path[4096];
	snprintf(path, sizeof(path), "%s/%llu", directory(), (unsigned long long) status->st_ino);
	int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (file < 0) {
		return;
	}
	int64_t length = status->st_size;
	/* One write in place: a process that is killed has noted all of it or nothing. */
	if (pwrite(file, &length, sizeof(length), 0) < 0) {
		perror("disk-shim");
	}
	close(file);
}

static int sync_by(long call, int file) {
	struct stat status;
	if (!directory() || fstat(file, &status) || !S_ISREG(status.st_mode)) {
		return (int) syscall(call, file);
	}
	if (lies()) {
		return 0;
	}
	/* The length is from before: what is written meanwhile may not be on the disk. */
	int failed = (int) syscall(call, file);
	if (!failed) {
		note(&status);
	}
	return failed;
}

int fsync(int file) {
	return sync_by(SYS_fsync, file);
}

int fdatasync(int file) {
	return sync_by(SYS_fdatasync, file);
}
