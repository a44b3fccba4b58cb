/* Loaded into the program before the C library: SHORT=n cuts reads and writes to n bytes, INTERRUPT=n lets every n-th fail with EINTR,
 * JUMP=n lets the clock of the day jump by a year to and fro at every n-th look. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static long number(const char *name) {
    const char *value = getenv(name);
    return value ? atol(value) : 0;
}

static int interrupted(void) {
    static _Thread_local long calls;
    long every = number("INTERRUPT");
    if (!every || ++calls % every) return 0;
    errno = EINTR;
    return 1;
}

static size_t cut(size_t count) {
    long most = number("SHORT");
    return most && count > (size_t)most ? (size_t)most : count;
}

ssize_t read(int file, void *bytes, size_t count) {
    static ssize_t (*real)(int, void *, size_t);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "read");
    return interrupted() ? -1 : real(file, bytes, cut(count));
}

ssize_t write(int file, const void *bytes, size_t count) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "write");
    return interrupted() ? -1 : real(file, bytes, cut(count));
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    static long looks;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    long every = number("JUMP");
    if (every && clock == CLOCK_REALTIME && ++looks % (2 * every) < every) time->tv_sec -= 31536000;
    return result;
}
