/*
 * Steps the wall clock of one process, from outside, while it runs.
 *
 * Loaded by LD_PRELOAD. The file named by REDLOCK_CLOCK_FILE holds one signed 64-bit
 * number in the byte order of the machine: by how many microseconds the wall clock is
 * ahead. Whoever writes it there steps the clock. The monotonic clock is left alone.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t MICROS = 1000000;

static int64_t none = 0;

static int64_t *offset = &none;

__attribute__((constructor)) static void map_offset(void) {
	const char *path = getenv("REDLOCK_CLOCK_FILE");
	int file = path ? open(path, O_RDONLY) : -1;
	if (file < 0) {
		return;
	}
	void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
	close(file);
	if (mapped != MAP_FAILED) {
		offset = mapped;
	}
}

/* By a system call of its own: to look up the original would allocate memory, which
 * asks for the time. */
static int real_clock(clockid_t clock, struct timespec *time) {
	return (int) syscall(SYS_clock_gettime, clock, time);
}

static void step(struct timespec *time) {
	int64_t micros = __atomic_load_n(offset, __ATOMIC_RELAXED);
	int64_t nanos = time->tv_nsec + micros % MICROS * 1000;
	time->tv_sec += micros / MICROS;
	if (nanos < 0) {
		nanos += 1000 * MICROS;
		time->tv_sec -= 1;
	}
	else if (nanos >= 1000 * MICROS) {
		nanos -= 1000 * MICROS;
		time->tv_sec += 1;
	}
	time->tv_nsec = nanos;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
	int failed = real_clock(clock, time);
	if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
		step(time);
	}
	return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
	(void) zone;
	struct timespec time;
	int failed = clock_gettime(CLOCK_REALTIME, &time);
	if (!failed) {
		now->tv_sec = time.tv_sec;
		now->tv_usec = time.tv_nsec / 1000;
	}
	return failed;
}

time_t time(time_t *result) {
	struct timespec now;
	if (clock_gettime(CLOCK_REALTIME, &now)) {
		return (time_t) -1;
	}
	if (result) {
		*result = now.tv_sec;
	}
	return now.tv_sec;
}
