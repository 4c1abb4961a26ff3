/*
 * Memory of the program that GPUs see (userptr). A GPU of another process cannot reach it, so that its pages are exchanged for pages of
 * the memory file, with the same bytes and protection; when the last buffer over them is freed they become the program's own again.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_RANGES 4096
#define MAX_BUFFERS 16384

struct range {
  uint64_t address, size, place;
  unsigned users;
};

static struct range ranges[MAX_RANGES];
static struct {
  uint64_t handle;
  struct range *range;
} buffers[MAX_BUFFERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void shim_userptr_lock(void) { pthread_mutex_lock(&lock); }
void shim_userptr_unlock(void) { pthread_mutex_unlock(&lock); }

/* A piece of the address space with one protection. */
struct piece {
  uint64_t start, end, offset;
  int protection;
  int is_memory_file;
};

typedef int (*visitor)(const struct piece *piece, void *data);

/* Visits the pieces of [start, end) in order, and says how many bytes of it are mapped at all; -1 when the visitor stopped. */
static int64_t visit(uint64_t start, uint64_t end, visitor each, void *data) {
  struct stat memory;
  int file = shim_memory_file();
  if (file < 0 || syscall(SYS_fstat, file, &memory) != 0) return -1;
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) return -1;
  char line[512];
  int64_t covered = 0;
  while (covered >= 0 && fgets(line, sizeof line, maps) != NULL) {
    unsigned long first, last, offset, inode;
    char allowed[5];
    if (sscanf(line, "%lx-%lx %4s %lx %*s %lu", &first, &last, allowed, &offset, &inode) != 5) continue;
    if (last <= start || first >= end) continue;
    struct piece piece = {first < start ? start : first, last > end ? end : last, 0, 0, inode == memory.st_ino};
    piece.offset = offset + (piece.start - first);
    if (allowed[0] == 'r') piece.protection |= PROT_READ;
    if (allowed[1] == 'w') piece.protection |= PROT_WRITE;
    if (allowed[2] == 'x') piece.protection |= PROT_EXEC;
    covered = each != NULL && each(&piece, data) != 0 ? -1 : covered + (int64_t)(piece.end - piece.start);
  }
  fclose(maps);
  return covered;
}

static struct range *range_around(uint64_t address, uint64_t size) {
  for (size_t i = 0; i < MAX_RANGES; i++) {
    struct range *r = &ranges[i];
    if (r->users > 0 && address >= r->address && address + size <= r->address + r->size) return r;
  }
  return NULL;
}

static uint64_t whole_pages(uint64_t size) { return (size + SHIM_PAGE - 1) & ~(SHIM_PAGE - 1); }

static int refuse_memory_file(const struct piece *piece, void *data) {
  (void)data;
  return piece->is_memory_file;
}

int shim_userptr_check(uint64_t address, uint64_t size) {
  pthread_mutex_lock(&lock);
  int is_known = range_around(address, whole_pages(size)) != NULL;
  pthread_mutex_unlock(&lock);
  if (is_known) return 0;
  /* Pages of a device buffer have a place already. */
  if (visit(address, address + whole_pages(size), refuse_memory_file, NULL) == (int64_t)whole_pages(size)) return 0;
  errno = EFAULT;
  return -1;
}

/* Copies what is not zero, so that pages that nobody wrote stay without memory. */
static void copy_pages(uint8_t *to, const uint8_t *from, size_t size) {
  static const uint8_t zero[SHIM_PAGE];
  for (size_t at = 0; at < size; at += SHIM_PAGE) {
    if (memcmp(from + at, zero, SHIM_PAGE) != 0) memcpy(to + at, from + at, SHIM_PAGE);
  }
}

/* The pieces of the range at hand; not in memory of malloc, which may be what is exchanged. Guarded by the lock, as the tables. */
static struct piece pieces[256];
static size_t piece_count;

static int note(const struct piece *piece, void *data) {
  (void)data;
  if (piece_count == sizeof pieces / sizeof *pieces) return -1;
  pieces[piece_count++] = *piece;
  return 0;
}

static int share_piece(const struct piece *piece, uint64_t place) {
  int file = shim_memory_file();
  size_t size = piece->end - piece->start;
  uint8_t *target = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)place);
  if (target == MAP_FAILED) return -1;
  if ((piece->protection & PROT_READ) == 0) mprotect((void *)piece->start, size, PROT_READ);
  copy_pages(target, (uint8_t *)piece->start, size);
  munmap(target, size);
  void *at = mmap((void *)piece->start, size, piece->protection, MAP_SHARED | MAP_FIXED, file, (off_t)place);
  return at == MAP_FAILED ? -1 : 0;
}

static int share_range(const struct range *range) {
  int status = 0;
  piece_count = 0;
  if (visit(range->address, range->address + range->size, note, NULL) != (int64_t)range->size) {
    errno = EFAULT;
    return -1;
  }
  for (size_t i = 0; status == 0 && i < piece_count; i++) {
    status = share_piece(&pieces[i], range->place + (pieces[i].start - range->address));
  }
  return status;
}

/* Only what still shows the memory file: the program may have put something else there. */
static int unshare_piece(const struct piece *piece) {
  size_t size = piece->end - piece->start;
  uint8_t *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint8_t *source = mmap(NULL, size, PROT_READ, MAP_SHARED, shim_memory_file(), (off_t)piece->offset);
  if (fresh == MAP_FAILED || source == MAP_FAILED) return -1;
  copy_pages(fresh, source, size);
  munmap(source, size);
  mprotect(fresh, size, piece->protection);
  return mremap(fresh, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)piece->start) == MAP_FAILED ? -1 : 0;
}

static void unshare_range(const struct range *range) {
  piece_count = 0;
  visit(range->address, range->address + range->size, note, NULL);
  for (size_t i = 0; i < piece_count; i++) {
    if (pieces[i].is_memory_file && pieces[i].offset == range->place + (pieces[i].start - range->address)) unshare_piece(&pieces[i]);
  }
}

static struct range *new_range(uint64_t address, uint64_t size, uint64_t place) {
  for (size_t i = 0; i < MAX_RANGES; i++) {
    if (ranges[i].users > 0) continue;
    ranges[i] = (struct range){address, size, place, 0};
    return &ranges[i];
  }
  return NULL;
}

int shim_userptr_share(uint64_t handle, uint64_t address, uint64_t size, uint64_t place) {
  size = whole_pages(size);
  struct range *range = range_around(address, size);
  size_t slot = 0;
  while (slot < MAX_BUFFERS && buffers[slot].range != NULL) slot++;
  if (range == NULL) {
    range = new_range(address, size, place);
    if (range == NULL || slot == MAX_BUFFERS) {
      errno = ENOMEM;
      return -1;
    }
    if (share_range(range) != 0) return -1;
  }
  range->users++;
  buffers[slot].handle = handle;
  buffers[slot].range = range;
  return 0;
}

static size_t slot_of(uint64_t handle) {
  size_t slot = 0;
  while (slot < MAX_BUFFERS && (buffers[slot].range == NULL || buffers[slot].handle != handle)) slot++;
  return slot;
}

void shim_userptr_unshare(uint64_t handle) {
  size_t slot = slot_of(handle);
  if (slot < MAX_BUFFERS && buffers[slot].range->users == 1) unshare_range(buffers[slot].range);
}

void shim_userptr_keep(uint64_t handle) {
  size_t slot = slot_of(handle);
  if (slot < MAX_BUFFERS && buffers[slot].range->users == 1) share_range(buffers[slot].range);
}

void shim_userptr_forget(uint64_t handle) {
  size_t slot = slot_of(handle);
  if (slot == MAX_BUFFERS) return;
  buffers[slot].range->users--;
  buffers[slot].range = NULL;
}
