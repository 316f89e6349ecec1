/* Calls what libbetween.so stands in front of, so and so often. */
#include <stdio.h>

#include "writing.h"

int main(void)
{
    char text[50];
    write_file("file", 7);
    const int fd = open("file", O_RDONLY);
    for (int i = 0; i < 3; ++i)
        if (read(fd, text, sizeof text) != sizeof text) err(1, "read");
    close(fd);
    FILE* const stream = fopen("stream", "w");
    if (stream == NULL || fwrite(bytes, 1, sizeof bytes, stream) != sizeof bytes || fclose(stream) != 0)
        err(1, "stream");
    return 0;
}
