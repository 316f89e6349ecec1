/* What tests/programs/accounts.c writes down of its own calls while it runs: memory that it shares with the
 * test that started it, and that outlives it when it is killed (tests/libinterpose/kill_test.cpp). */
#ifndef FATHOM_TESTS_PROGRAMS_ACCOUNTS_H
#define FATHOM_TESTS_PROGRAMS_ACCOUNTS_H

#include <stdint.h>

enum { account_threads = 3, account_files = 200 };
enum { written_at_once = 777, read_at_once = 333, printed_at_once = 131 };

enum account_call {
    call_open,
    call_write,
    call_read,
    call_seek,
    call_close,
    call_fopen,
    call_fwrite,
    call_fclose,
    account_calls
};

/* A thread adds to `begun` right before a call and to `returned` right after it, so what a recorder counted
 * lies between the two. */
struct tally {
    uint32_t begun, returned;
};

struct account {
    uint32_t started; /* threads that have begun */
    struct tally tally[account_threads][account_files][account_calls];
};

#endif
