// Stands in front of the calls by which a process ends, becomes another program, learns of a child's end, or
// forbids itself calls. None of them is I/O: they only note what happened.
#include <cstdarg>
#include <sys/resource.h>
#include <sys/wait.h>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/operations/confinement.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/pending/unfinished.h"
#include "libinterpose/recording/ending.h"
#include "libinterpose/system/sys.h"

namespace fathom {

// ---- ends ----

// Of quick_exit, a program that was linked before glibc 2.24 gets the newer version, which leaves its
// thread-local destructors alone. After exit the program's own destructors come, and then ours (session.cpp).
#define END(name, before)                                                         \
    namespace {                                                                   \
    FATHOM_ORIGINAL constinit Next<void(int)> next_##name(#name);                 \
    }                                                                             \
    FATHOM_HOOK(void, name, (int status))                                         \
    {                                                                             \
        before;                                                                   \
        note_ending(Ending::exited, status & 0xff);                               \
        next_##name(status);                                                      \
        for (;;) sys::call_in_any_case(SYS_exit_group, status); /* no original */ \
    }
END(exit, {})
END(_exit, count_unfinished())
END(_Exit, count_unfinished())
END(quick_exit, count_unfinished())

#define ABORT(name)                                              \
    namespace {                                                  \
    constinit Next<int(mpi::Handle, int)> next_##name(#name);    \
    }                                                            \
    FATHOM_HOOK(int, name, (mpi::Handle communicator, int code)) \
    {                                                            \
        count_live_mappings();                                   \
        note_ending(Ending::aborted, code);                      \
        return next_##name(communicator, code);                  \
    }
ABORT(MPI_Abort)
ABORT(PMPI_Abort)

// ---- exec ----

namespace {
// A process that has no part needs none for what it inherited.
void count_mappings_before_exec()
{
    if (is_own_part()) count_live_mappings();
}
}  // namespace

#define EXEC(name, parameters, arguments, program)                     \
    namespace {                                                        \
    FATHOM_ORIGINAL constinit Next<int parameters> next_##name(#name); \
    }                                                                  \
    FATHOM_HOOK(int, name, parameters)                                 \
    {                                                                  \
        count_mappings_before_exec();                                  \
        const Becoming another_program(program);                       \
        return next_##name arguments;                                  \
    }
EXEC(execve, (const char* path, char* const* words, char* const* environment), (path, words, environment),
     path)
EXEC(execv, (const char* path, char* const* words), (path, words), path)
EXEC(execvp, (const char* file, char* const* words), (file, words), file)
EXEC(execvpe, (const char* file, char* const* words, char* const* environment), (file, words, environment),
     file)
EXEC(fexecve, (int fd, char* const* words, char* const* environment), (fd, words, environment), nullptr)
EXEC(execveat, (int folder, const char* path, char* const* words, char* const* environment, int flags),
     (folder, path, words, environment, flags), path)

namespace {

// Calls call(words) with the words of a variadic exec as an array, which lies on the stack: this may be a
// child of vfork or a signal handler. `rest` then stands behind the null that ends them.
template <class Call>
int with_words(const char* program, const char* first, va_list rest, Call call)
{
    std::size_t count = 0;
    va_list counted;
    va_copy(counted, rest);
    for (const char* word = first; word != nullptr; word = va_arg(counted, const char*)) ++count;
    va_end(counted);
    auto** const words = static_cast<const char**>(__builtin_alloca((count + 1) * sizeof(const char*)));
    std::size_t at = 0;
    for (const char* word = first; word != nullptr; word = va_arg(rest, const char*)) words[at++] = word;
    words[at] = nullptr;
    count_mappings_before_exec();
    const Becoming another_program(program);
    return call(const_cast<char* const*>(words));
}

}  // namespace

FATHOM_HOOK(int, execl, (const char* path, const char* first, ...))
{
    va_list rest;
    va_start(rest, first);
    const int result =
        with_words(path, first, rest, [&](char* const* words) { return next_execv(path, words); });
    va_end(rest);
    return result;
}

FATHOM_HOOK(int, execlp, (const char* file, const char* first, ...))
{
    va_list rest;
    va_start(rest, first);
    const int result =
        with_words(file, first, rest, [&](char* const* words) { return next_execvp(file, words); });
    va_end(rest);
    return result;
}

FATHOM_HOOK(int, execle, (const char* path, const char* first, ...))
{
    va_list rest;
    va_start(rest, first);
    const int result = with_words(path, first, rest, [&](char* const* words) {
        return next_execve(path, words, va_arg(rest, char* const*));
    });
    va_end(rest);
    return result;
}

// ---- wait ----

namespace {

FATHOM_ORIGINAL constinit Next<pid_t(int*)> next_wait("wait");
FATHOM_ORIGINAL constinit Next<pid_t(pid_t, int*, int)> next_waitpid("waitpid");
FATHOM_ORIGINAL constinit Next<pid_t(int*, int, rusage*)> next_wait3("wait3");
FATHOM_ORIGINAL constinit Next<pid_t(pid_t, int*, int, rusage*)> next_wait4("wait4");
FATHOM_ORIGINAL constinit Next<int(idtype_t, id_t, siginfo_t*, int)> next_waitid("waitid");

// A caller that does not want the status gives no place for it; we want it.
template <class Call>
pid_t waited(int* status, Call call)
{
    int ours = 0;
    int* const place = status == nullptr ? &ours : status;
    const pid_t child = call(place);
    if (child > 0) note_death(child, *place);
    return child;
}

// The status that the older calls would have given.
int status_of(const siginfo_t& about)
{
    switch (about.si_code) {
        case CLD_EXITED:
            return W_EXITCODE(about.si_status & 0xff, 0);
        case CLD_KILLED:
            return W_EXITCODE(0, about.si_status);
        case CLD_DUMPED:
            return W_EXITCODE(0, about.si_status) | WCOREFLAG;
        default:
            return W_STOPCODE(about.si_status);
    }
}

}  // namespace

FATHOM_HOOK(pid_t, wait, (int* status))
{
    return waited(status, [&](int* place) { return next_wait(place); });
}
FATHOM_HOOK(pid_t, waitpid, (pid_t child, int* status, int options))
{
    return waited(status, [&](int* place) { return next_waitpid(child, place, options); });
}
FATHOM_HOOK(pid_t, wait3, (int* status, int options, rusage* usage))
{
    return waited(status, [&](int* place) { return next_wait3(place, options, usage); });
}
FATHOM_HOOK(pid_t, wait4, (pid_t child, int* status, int options, rusage* usage))
{
    return waited(status, [&](int* place) { return next_wait4(child, place, options, usage); });
}
FATHOM_HOOK(int, waitid, (idtype_t kind, id_t id, siginfo_t* about, int options))
{
    siginfo_t ours{};
    siginfo_t* const place = about == nullptr ? &ours : about;
    const int result = next_waitid(kind, id, place, options);
    // Without a child that has ended the kernel leaves 0 there; with WNOWAIT the child is reported again.
    if (result == 0 && place->si_pid != 0 && (options & WNOWAIT) == 0)
        note_death(place->si_pid, status_of(*place));
    return result;
}

// ---- prctl ----

namespace {

FATHOM_ORIGINAL constinit Next<int(int, unsigned long, unsigned long, unsigned long, unsigned long)>
    next_prctl("prctl");

}  // namespace

// Takes up to four words more; as libc does, all are passed on.
FATHOM_HOOK(int, prctl, (int option, ...))
{
    va_list rest;
    va_start(rest, option);
    unsigned long words[4];
    for (unsigned long& word : words) word = va_arg(rest, unsigned long);
    va_end(rest);
    return observe(Confine(confinement_by_prctl(option, words[0])),
                   [&] { return next_prctl(option, words[0], words[1], words[2], words[3]); });
}

}  // namespace fathom
