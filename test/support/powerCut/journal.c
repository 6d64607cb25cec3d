/*
 * Journals what a process does to the files of one folder, so that a test can build the folder as it would be after a power
 * cut at any moment (disk.ts). Loaded by LD_PRELOAD.
 *
 *   POWER_CUT_FOLDER   the folder, as an absolute path without links
 *   POWER_CUT_JOURNAL  the file to write; several processes may share it
 *   POWER_CUT_DELAY    microseconds that a sync of a log takes at least
 *   POWER_CUT_LIES     when set, fdatasync answers at once and does nothing
 *   POWER_CUT_FAILS    the number of the sync of a log from which on some fail with EIO
 *   POWER_CUT_FAILURES how many of them fail; all unless given
 *
 * A write is journaled after it was done, a sync before it begins and after it has ended. What stands before the beginning
 * of a sync was therefore written before it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 65536
/* Of the index of a log, which is written through memory: as much as tells how far the log is. */
#define INDEX_BYTES 136

enum { CREATE = 1, WRITE, TRUNCATE, BEGIN, END, UNLINK, RENAME, INDEX, UNKNOWN };

struct record {
  uint32_t type;
  uint32_t bytes;
  uint64_t file;
  uint64_t offset;
};

static char folder[PATH_MAX];
static int journal = -1;
static long delay, fails_from, failures, log_syncs;
static int lies;
/* By descriptor: the inode of a file of the folder, or of the folder itself; 0 for any other. */
static uint64_t inodes[DESCRIPTORS];
static char is_log[DESCRIPTORS];
static int index_descriptor = -1;
static uint64_t syncs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(result, name, ...) \
  static result (*real_##name)(__VA_ARGS__); \
  if (real_##name == NULL) real_##name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
  const char *given = getenv("POWER_CUT_FOLDER");
  const char *file = getenv("POWER_CUT_JOURNAL");
  /* What this process starts is not journaled. */
  unsetenv("LD_PRELOAD");
  if (given == NULL || file == NULL) return;
  snprintf(folder, sizeof folder, "%s", given);
  delay = atol(getenv("POWER_CUT_DELAY") ? getenv("POWER_CUT_DELAY") : "0");
  fails_from = atol(getenv("POWER_CUT_FAILS") ? getenv("POWER_CUT_FAILS") : "0");
  failures = atol(getenv("POWER_CUT_FAILURES") ? getenv("POWER_CUT_FAILURES") : "1000000000");
  lies = getenv("POWER_CUT_LIES") != NULL;
  REAL(int, open, const char *, int, ...);
  journal = real_open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static void append(uint32_t type, uint64_t file, uint64_t offset, const void *data, size_t bytes) {
  struct record head = {type, (uint32_t)bytes, file, offset};
  struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, bytes}};
  REAL(ssize_t, writev, int, const struct iovec *, int);
  /* One call, so that the records of several processes do not mix. */
  if (real_writev(journal, parts, 2) != (ssize_t)(sizeof head + bytes)) abort();
}

/* Looked at anew, since libuv closes descriptors by the system call, and a socket may then get the number of a file. */
static uint64_t inode_of(int fd) {
  struct stat found;
  if (fd < 0 || fd >= DESCRIPTORS || inodes[fd] == 0) return 0;
  if (fstat(fd, &found) == 0 && found.st_ino == inodes[fd] && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode)))
    return inodes[fd];
  return inodes[fd] = 0;
}

/* Not by a descriptor of its own, since closing that would end the locks which SQLite has on the index. */
static void append_index(void) {
  char bytes[INDEX_BYTES];
  REAL(ssize_t, pread64, int, void *, size_t, off64_t);
  if (index_descriptor < 0 || inode_of(index_descriptor) == 0) return;
  if (real_pread64(index_descriptor, bytes, sizeof bytes, 0) == sizeof bytes)
    append(INDEX, inodes[index_descriptor], 0, bytes, sizeof bytes);
}

/* The name of a path within the folder; NULL for any other, and the empty name for the folder itself. */
static const char *name_in_folder(const char *path) {
  static __thread char whole[PATH_MAX];
  static __thread char real[PATH_MAX];
  size_t length = strlen(folder);
  if (journal < 0 || path == NULL) return NULL;
  snprintf(whole, sizeof whole, "%s", path);
  if (realpath(whole, real) == NULL) {
    char *slash = strrchr(whole, '/');
    char last[NAME_MAX + 1];
    if (slash == NULL) return NULL;
    snprintf(last, sizeof last, "%s", slash + 1);
    *slash = '\0';
    if (realpath(whole, real) == NULL || strlen(real) + strlen(last) + 2 > sizeof real) return NULL;
    strcat(strcat(real, "/"), last);
  }
  if (strncmp(real, folder, length) != 0) return NULL;
  if (real[length] == '\0') return "";
  if (real[length] != '/' || strchr(real + length + 1, '/') != NULL) return NULL;
  return real + length + 1;
}

static int ends_with(const char *text, const char *end) {
  return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static int opened(int fd, const char *path, int existed, int flags) {
  const char *name = fd >= 0 && fd < DESCRIPTORS ? name_in_folder(path) : NULL;
  struct stat found;
  if (name == NULL || fstat(fd, &found) != 0) return fd;
  pthread_mutex_lock(&lock);
  inodes[fd] = found.st_ino;
  is_log[fd] = ends_with(name, "-wal");
  if (ends_with(name, "-shm")) index_descriptor = fd;
  if (!existed && name[0] != '\0') append(CREATE, found.st_ino, 0, name, strlen(name));
  else if (flags & O_TRUNC) append(TRUNCATE, found.st_ino, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return fd;
}

#define OPEN(function) \
  int function(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    REAL(int, function, const char *, int, ...); \
    int existed = journal < 0 || access(path, F_OK) == 0; \
    return opened(real_##function(path, flags, mode), path, existed, flags); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  REAL(int, close, int);
  if (inode_of(fd) != 0) {
    pthread_mutex_lock(&lock);
    inodes[fd] = 0;
    if (index_descriptor == fd) index_descriptor = -1;
    pthread_mutex_unlock(&lock);
  }
  return real_close(fd);
}

static ssize_t written(int fd, const void *data, ssize_t bytes, off64_t offset) {
  if (bytes > 0 && inode_of(fd) != 0) {
    pthread_mutex_lock(&lock);
    append(WRITE, inodes[fd], (uint64_t)offset, data, (size_t)bytes);
    pthread_mutex_unlock(&lock);
  }
  return bytes;
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t offset) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  return written(fd, data, real_pwrite64(fd, data, bytes, offset), offset);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset) {
  REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
  return written(fd, data, real_pwrite(fd, data, bytes, offset), offset);
}

ssize_t write(int fd, const void *data, size_t bytes) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (inode_of(fd) == 0) return real_write(fd, data, bytes);
  off64_t offset = fcntl(fd, F_GETFL) & O_APPEND ? lseek64(fd, 0, SEEK_END) : lseek64(fd, 0, SEEK_CUR);
  return written(fd, data, real_write(fd, data, bytes), offset);
}

/* Nothing that is tested writes in these ways; the test fails should that change. */
#define NOT_KNOWN(result, function, arguments, types, fd) \
  result function arguments { \
    REAL(result, function, types); \
    if (inode_of(fd) != 0) append(UNKNOWN, inodes[fd], 0, #function, sizeof #function); \
    return real_##function
#define COMMA ,
NOT_KNOWN(ssize_t, writev, (int fd COMMA const struct iovec *parts COMMA int count), int COMMA const struct iovec * COMMA int, fd)(fd, parts, count); }
NOT_KNOWN(ssize_t, pwritev, (int fd COMMA const struct iovec *parts COMMA int count COMMA off_t at), int COMMA const struct iovec * COMMA int COMMA off_t, fd)(fd, parts, count, at); }
NOT_KNOWN(ssize_t, pwritev64, (int fd COMMA const struct iovec *parts COMMA int count COMMA off64_t at), int COMMA const struct iovec * COMMA int COMMA off64_t, fd)(fd, parts, count, at); }

static int truncated(int fd, off64_t length, int result) {
  if (result == 0 && inode_of(fd) != 0) {
    pthread_mutex_lock(&lock);
    append(TRUNCATE, inodes[fd], (uint64_t)length, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  return result;
}

int ftruncate64(int fd, off64_t length) {
  REAL(int, ftruncate64, int, off64_t);
  return truncated(fd, length, real_ftruncate64(fd, length));
}

int ftruncate(int fd, off_t length) {
  REAL(int, ftruncate, int, off_t);
  return truncated(fd, length, real_ftruncate(fd, length));
}

/* The number of a sync has the process in it, since several of them may share the journal. */
static uint64_t begin_sync(int fd) {
  pthread_mutex_lock(&lock);
  uint64_t number = ((uint64_t)getpid() << 32) | ++syncs;
  append_index();
  append(BEGIN, inodes[fd], number, NULL, 0);
  pthread_mutex_unlock(&lock);
  if (is_log[fd] && delay > 0) usleep((useconds_t)delay);
  return number;
}

static int end_sync(int fd, uint64_t number, int result) {
  pthread_mutex_lock(&lock);
  if (is_log[fd] && fails_from > 0 && ++log_syncs >= fails_from && log_syncs < fails_from + failures) {
    errno = EIO;
    result = -1;
  }
  if (result == 0) append(END, inodes[fd], number, NULL, 0);
  append_index();
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) {
  REAL(int, fsync, int);
  if (inode_of(fd) == 0) return real_fsync(fd);
  if (lies && is_log[fd]) return 0;
  uint64_t number = begin_sync(fd);
  return end_sync(fd, number, real_fsync(fd));
}

int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  if (inode_of(fd) == 0) return real_fdatasync(fd);
  if (lies && is_log[fd]) return 0;
  uint64_t number = begin_sync(fd);
  return end_sync(fd, number, real_fdatasync(fd));
}

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  const char *name = name_in_folder(path);
  int result = real_unlink(path);
  if (result == 0 && name != NULL) append(UNLINK, 0, 0, name, strlen(name));
  return result;
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  char names[2 * NAME_MAX + 2];
  const char *name = name_in_folder(from);
  snprintf(names, sizeof names, "%s/", name == NULL ? "" : name);
  const char *target = name_in_folder(to);
  int result = real_rename(from, to);
  if (result == 0 && (names[0] != '/' || target != NULL)) {
    strncat(names, target == NULL ? "" : target, NAME_MAX);
    append(RENAME, 0, 0, names, strlen(names));
  }
  return result;
}
