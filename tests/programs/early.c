/* I/O before main, in the order in which it happens: while the dynamic linker resolves an indirect function,
 * before any constructor, in a constructor of a library, in a constructor of the program. */
#include <stdlib.h>

#include "writing.h"

void write_in_early_library(void);

static int kept;

static void before_all(int count, char** words, char** environment)
{
    (void)count, (void)words, (void)environment;
    write_file("preinit", 1);
    kept = open_file("kept"); /* used on by main */
    write_times(kept, 1);
}
__attribute__((section(".preinit_array"), used)) static void (*const before)(int, char**,
                                                                             char**) = before_all;

__attribute__((constructor)) static void construct(void)
{
    write_file("constructor", 3);
}

static int plain(void)
{
    return 0;
}

/* What a resolver may do is little: its own program is not relocated yet. It asks the kernel through libc. */
__attribute__((used)) static int (*resolve(void))(void)
{
    return getpid() > 0 ? plain : NULL;
}
static int chosen(void) __attribute__((ifunc("resolve")));

int main(void)
{
    write_in_early_library();
    write_times(kept, 4);
    return chosen();
}
