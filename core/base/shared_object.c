/* Checks a shared object before it is loaded.
 *
 * The dynamic loader trusts the contents of a file; a damaged file can end the process. Therefore the ELF
 * header and the segments are checked first: machine class, type and length of the file. The effect of its
 * code cannot be checked. */
#include "core/base/shared_object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __ELF__
#include <link.h>
#endif

/* Reports why a file cannot be loaded; returns GRADYN_INVALID. */
static gradyn_status refuse(gradyn_message *message, const char *path, const char *reason)
{
  return gradyn_fail(message, GRADYN_INVALID, "'%s' cannot be loaded: %s", path, reason);
}

#ifdef __ELF__
/* Reports that the file is shorter than its header requires; size and needed in bytes. */
static gradyn_status cut_off(gradyn_message *message, const char *path, uint64_t size,
                             uint64_t needed)
{
  char reason[96];
  (void)snprintf(reason, sizeof reason,
                 "the file is truncated: it has %llu bytes; at least %llu are needed",
                 (unsigned long long)size, (unsigned long long)needed);
  return refuse(message, path, reason);
}

/* Compares the bytes that the segments need with the size of the file. */
static gradyn_status look_at_segments(int file, const ElfW(Ehdr) * head, uint64_t size,
                                      const char *path, gradyn_message *message)
{
  /* mapping a segment beyond the end of the file ends the process with SIGBUS */
  for (unsigned i = 0; i < head->e_phnum; i++) {
    ElfW(Phdr) segment;
    uint64_t at = head->e_phoff + (uint64_t)i * sizeof segment;
    /* sums of numbers from a file may overflow */
    if (at < head->e_phoff || at > size || size - at < sizeof segment ||
        pread(file, &segment, sizeof segment, (off_t)at) != (ssize_t)sizeof segment)
      return cut_off(message, path, size, at + sizeof segment);
    if (segment.p_type == PT_LOAD &&
        (segment.p_offset > size || size - segment.p_offset < segment.p_filesz))
      return cut_off(message, path, size, segment.p_offset + segment.p_filesz);
  }
  return GRADYN_OK;
}

/* Checks the header, then the segments. */
static gradyn_status look_inside(int file, uint64_t size, const char *path, gradyn_message *message)
{
  ElfW(Ehdr) head;
  /* the magic bytes, then the class, which determines the layout of the rest */
  if (size < sizeof head || pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head ||
      memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    return refuse(message, path, "it is not a shared object");
  if (head.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
    return refuse(message, path, "it is a shared object for another kind of machine");
  /* executables and object files are ELF as well */
  if (head.e_type != ET_DYN || head.e_phentsize != sizeof(ElfW(Phdr)))
    return refuse(message, path, "it is not a shared object; compile with -shared -fPIC");
  return look_at_segments(file, &head, size, path, message);
}
#else
/* On systems without ELF, only the loader checks the file. */
static gradyn_status look_inside(int file, uint64_t size, const char *path, gradyn_message *message)
{
  (void)file;
  return size > 0 ? GRADYN_OK : refuse(message, path, "it is empty");
}
#endif

/* Checks a file before the dynamic linker opens it, because a truncated file would end the process. */
gradyn_status gradyn_shared_object_check(const char *path, gradyn_message *message)
{
  /* opening a folder or a device gives a less specific error */
  struct stat about;
  if (stat(path, &about) != 0)
    return gradyn_fail(message, GRADYN_NOT_FOUND, "no shared object '%s': %s", path,
                       strerror(errno));
  if (!S_ISREG(about.st_mode))
    return refuse(message, path, S_ISDIR(about.st_mode) ? "it is a folder" : "it is not a file");
  /* non-blocking, in case the file has been replaced by a pipe */
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return refuse(message, path, strerror(errno));
  gradyn_status status = look_inside(file, (uint64_t)about.st_size, path, message);
  (void)close(file);
  return status;
}
