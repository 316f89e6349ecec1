/* Writes of 100 bytes each, that tests count. */
#pragma once

#include <err.h>
#include <fcntl.h>
#include <unistd.h>

static const char bytes[100] = {0};

static inline int open_file(const char* name)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0) err(1, "%s", name);
    return fd;
}

static inline void write_times(int fd, int times)
{
    for (int i = 0; i < times; ++i)
        if (write(fd, bytes, sizeof bytes) != sizeof bytes) err(1, "write");
}

static inline void write_file(const char* name, int times)
{
    const int fd = open_file(name);
    write_times(fd, times);
    close(fd);
}
