/* A library that does I/O when it is loaded, when it is called, and when it is unloaded: 1, 2 and 1 writes.
 */
#include "writing.h"

__attribute__((constructor)) static void loaded(void)
{
    write_file("plugin", 1);
}

__attribute__((destructor)) static void unloaded(void)
{
    write_file("plugin", 1);
}

void write_in_plugin(void);
void write_in_plugin(void)
{
    write_file("plugin", 2);
}
