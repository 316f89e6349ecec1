/* Opening, duplicating and closing. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "did.h"

int main(void)
{
    const int fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    MUST(fd >= 0);
    did("posix", "file", "opens", 1);
    MUST(close(fd) == 0);
    did("posix", "file", "closes", 1);
    return 0;
}
