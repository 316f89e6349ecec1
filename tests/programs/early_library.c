/* A library that a program is linked with: its constructor runs before the program's. */
#include "writing.h"

__attribute__((constructor)) static void construct(void)
{
    write_file("library", 2);
}

__attribute__((destructor)) static void destroy(void)
{
    write_file("library destructor", 2);
}

void write_in_early_library(void);
void write_in_early_library(void)
{
    write_file("library", 1);
}
