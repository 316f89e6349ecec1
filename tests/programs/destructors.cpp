// I/O at the ends of threads and of the process: destructors of thread-local and of static objects, of a
// thread's keys, atexit, on_exit, streams that nobody flushed. Streams of C++ on top.
//
// usage: destructors        (in an empty folder)
#include <cstdlib>
#include <fstream>
#include <pthread.h>
#include <thread>

#include "writing.h"

namespace {

struct WritesAtEnd {
    const char* name;
    int times;

    ~WritesAtEnd() { write_file(name, times); }
    void touch() const { asm volatile("" : : "r"(this)); }
};

thread_local const WritesAtEnd of_thread{"thread_local", 1};
const WritesAtEnd of_program{"static", 2};
pthread_key_t key;

void of_key(void* times)
{
    write_file("key", static_cast<int>(reinterpret_cast<std::intptr_t>(times)));
}

void work(int)
{
    of_thread.touch();
    pthread_setspecific(key, reinterpret_cast<void*>(3));
    write_file("thread", 1);
}

}  // namespace

int main()
{
    pthread_key_create(&key, of_key);
    for (int i = 0; i < 200; ++i) std::thread(work, i).join();
    std::atexit([] { write_file("atexit", 4); });
    on_exit([](int, void*) { write_file("on_exit", 5); }, nullptr);
    of_thread.touch();  // the main thread's ends before the static ones
    std::FILE* const stream = std::fopen("unflushed", "w");
    if (stream == nullptr || std::fwrite(bytes, 1, sizeof bytes, stream) != sizeof bytes) return 1;
    static std::ofstream left_open("left open");
    left_open << "text";
    return left_open ? 0 : 1;
}
