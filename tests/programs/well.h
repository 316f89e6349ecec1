/* What programs with one scene a name share. */
#pragma once

#include <err.h>
#include <sys/types.h>
#include <sys/wait.h>

enum { not_here = 77 }; /* this system does not allow it */

static inline void must_end_well(pid_t child)
{
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        errx(1, "a child: status %d", status);
}
