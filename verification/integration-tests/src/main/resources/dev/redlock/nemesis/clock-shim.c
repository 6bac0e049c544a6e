/*
 * Steps the clocks of one process, from outside, while it runs.
 *
 * Loaded by LD_PRELOAD. The file named by REDLOCK_CLOCK_FILE holds two signed 64-bit
 * numbers in the byte order of the machine: by how many microseconds the wall clock and
 * the monotonic clock are ahead. The second one is left alone, except while the process
 * is stopped: a monotonic clock that does not count that time is the one of a machine
 * that was suspended.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t MICROS = 1000000;

static const time_t LEAST_WALL_SECONDS = 1000000000;

static int64_t none[2] = { 0, 0 };

static int64_t *offsets = none;

__attribute__((constructor)) static void map_offset(void) {
	const char *path = getenv("REDLOCK_CLOCK_FILE");
	int file = path ? open(path, O_RDONLY) : -1;
	if (file < 0) {
		return;
	}
	void *mapped = mmap(NULL, sizeof(none), PROT_READ, MAP_SHARED, file, 0);
	close(file);
	if (mapped != MAP_FAILED) {
		offsets = mapped;
	}
}

/* By a system call of its own: to look up the original would allocate memory, which
 * asks for the time. */
static int real_clock(clockid_t clock, struct timespec *time) {
	return (int) syscall(SYS_clock_gettime, clock, time);
}

static int is_monotonic(clockid_t clock) {
	return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE;
}

static int64_t ahead(int monotonic) {
	return __atomic_load_n(offsets + monotonic, __ATOMIC_RELAXED);
}

static void add(struct timespec *time, int64_t micros) {
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
	if (!failed && (is_monotonic(clock) || clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
		add(time, ahead(is_monotonic(clock)));
	}
	return failed;
}

/* Deadlines by the monotonic clock are told to the kernel by its own. Those of the wall
 * clock are many times as large: no machine has been up for so long. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
		const struct timespec *restrict deadline) {
	int monotonic = deadline->tv_sec < LEAST_WALL_SECONDS;
	struct timespec kernel = *deadline;
	add(&kernel, -ahead(monotonic));
	return pthread_cond_clockwait(condition, mutex, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, &kernel);
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
