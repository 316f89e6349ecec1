// Threads that meet in the recorder: on descriptors, on names, on the memory of dead threads, in a part that
// fills up. Whatever they do at once, the totals are what they did. Under ThreadSanitizer (preset tsan) this
// must be without a report too.
#include <atomic>
#include <barrier>
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/operations.h"
#include "libinterpose/operations/stdio_operations.h"
#include "libinterpose/recording/session.h"

using namespace fathom;

namespace {

constexpr char bytes[100] = {};

// The calls as the hooks make them.
int open_file(const std::string& path, int flags = O_RDWR | O_CREAT)
{
    return observe(Open(AT_FDCWD, path.c_str(), flags), [&] { return ::open(path.c_str(), flags, 0600); });
}
int close_file(int fd)
{
    return observe(Close(fd), [&] { return ::close(fd); });
}
ssize_t write_bytes(int fd)
{
    return observe(Write(fd, bytes), [&] { return ::write(fd, bytes, sizeof bytes); });
}
ssize_t send_bytes(int fd)
{
    return observe(WriteAny(fd, bytes), [&] { return ::write(fd, bytes, sizeof bytes); });
}
ssize_t receive_bytes(int fd)
{
    char to[sizeof bytes] = {};
    return observe(ReadAny(fd, to), [&] { return ::read(fd, to, sizeof to); });
}
ssize_t write_bytes_at(int fd, off_t at)
{
    return observe(Write(fd, bytes, at), [&] { return ::pwrite(fd, bytes, sizeof bytes, at); });
}
ssize_t read_bytes_at(int fd, off_t at)
{
    char to[sizeof bytes] = {};
    return observe(Read(fd, to, at), [&] { return ::pread(fd, to, sizeof to, at); });
}
off_t seek_to(int fd, off_t at)
{
    return observe(Seek(fd), [&] { return ::lseek(fd, at, SEEK_SET); });
}
int duplicate(int fd)
{
    return observe(Duplicate(fd), [&] { return ::dup(fd); });
}
int duplicate_to(int fd, int to)
{
    return observe(Duplicate(fd), [&] { return ::dup2(fd, to); });
}
FILE* open_stream(const std::string& path)
{
    return observe(StreamOpen(path.c_str(), "w"), [&] { return std::fopen(path.c_str(), "w"); });
}
std::size_t print_bytes(FILE* stream)
{
    return observe(StreamWrite(stream, 1, sizeof bytes),
                   [&] { return std::fwrite(bytes, 1, sizeof bytes, stream); });
}
int close_stream(FILE* stream)
{
    return observe(StreamClose(stream), [&] { return std::fclose(stream); });
}

// A folder for the files of one test, and a part of its own.
class Recording {
  public:
    Recording()
    {
        const auto base =
            std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
        std::string pattern = (base / "fathom-threads-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        pause_recording();
        resume_recording(0);
    }
    ~Recording() { std::filesystem::remove_all(folder_); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    // Reads the part; the threads are gone.
    void read() { read_part(arena.bytes(), ClockMap{}, 0, rows_); }
    Totals total(Layer layer)
    {
        Totals found;
        for (const Totals& row : rows_.totals.as<Totals>())
            if (row.layer == static_cast<std::uint64_t>(layer)) found = row;
        return found;
    }
    PosixRecord file(const std::string& name)
    {
        for (const FileName& row : rows_.names.as<FileName>())
            for (const PosixRecord& record : rows_.posix.as<PosixRecord>())
                if (row.file == record.file && row.path == path(name)) return record;
        return {};
    }
    std::size_t names() { return rows_.names.as<FileName>().size(); }
    const Process& process() { return *rows_.process(); }

  private:
    std::filesystem::path folder_;
    PartRows rows_;
};

// Runs it in so many threads at once, which all begin together.
void in_threads(int threads, const std::function<void(int)>& run)
{
    std::barrier together(threads);
    std::vector<std::thread> all;
    for (int number = 0; number < threads; ++number)
        all.emplace_back([&, number] {
            together.arrive_and_wait();
            run(number);
        });
    for (std::thread& thread : all) thread.join();
}

}  // namespace

TEST_CASE("threads with files of their own")
{
    Recording recording;
    in_threads(4, [&](int number) {
        const int fd = open_file(recording.path("own." + std::to_string(number)));
        FILE* const stream = open_stream(recording.path("stream." + std::to_string(number)));
        for (int i = 0; i < 500; ++i) {
            write_bytes(fd);
            print_bytes(stream);
            if (i % 10 == 0) seek_to(fd, 0);
            read_bytes_at(fd, 0);
        }
        close_stream(stream);
        close_file(fd);
    });
    recording.read();
    const Totals posix = recording.total(Layer::posix), stdio = recording.total(Layer::stdio);
    CHECK(posix.opens == 4);
    CHECK(posix.writes == 4 * 500);
    CHECK(posix.reads == 4 * 500);
    CHECK(posix.bytes_written == 4 * 500 * sizeof bytes);
    CHECK(stdio.opens == 4);
    CHECK(stdio.writes == 4 * 500);
    CHECK(stdio.bytes_written == 4 * 500 * sizeof bytes);
    CHECK(recording.file("own.3").seeks == 50);
    CHECK(recording.file("own.3").closes == 1);
    CHECK(recording.process().missed == 0);
}

TEST_CASE("threads that make pipes, and share one: all in one record")
{
    Recording recording;
    int shared[2] = {};
    REQUIRE(::pipe(shared) == 0);
    in_threads(4, [&](int number) {
        for (int i = 0; i < 500; ++i) {
            int own[2] = {};
            if (::pipe(own) != 0) return;
            send_bytes(own[1]);
            receive_bytes(own[0]);
            number % 2 == 0 ? send_bytes(shared[1]) : receive_bytes(shared[0]);
            close_file(own[0]);
            close_file(own[1]);
        }
    });
    close_file(shared[0]);
    close_file(shared[1]);
    recording.read();
    CHECK(recording.names() == 1);
    const Totals posix = recording.total(Layer::posix);
    CHECK(posix.scope == static_cast<std::uint64_t>(Scope::streams));
    CHECK(posix.writes == 4 * 500 + 2 * 500);
    CHECK(posix.reads == 4 * 500 + 2 * 500);
    CHECK(posix.metadata_time == 0);
    CHECK(recording.process().missed == 0);
}

TEST_CASE("threads that share one descriptor")
{
    Recording recording;
    const int fd = open_file(recording.path("shared"));
    in_threads(4, [&](int number) {
        for (int i = 0; i < 1000; ++i) {
            write_bytes(fd);
            write_bytes_at(fd, (number * 1000 + i) * static_cast<off_t>(sizeof bytes));
            read_bytes_at(fd, 0);
        }
    });
    close_file(fd);
    recording.read();
    const PosixRecord record = recording.file("shared");
    CHECK(record.writes == 4 * 2000);
    CHECK(record.reads == 4 * 1000);
    CHECK(record.write_size.count[0] == 4 * 2000);
    CHECK(record.highest_written == 4 * 1000 * sizeof bytes);
    CHECK(recording.process().threads <= 5);
    CHECK(recording.process().missed == 0);
}

TEST_CASE("threads that open, duplicate and close, over and over, get one another's descriptor numbers")
{
    Recording recording;
    in_threads(8, [&](int number) {
        for (int i = 0; i < 300; ++i) {
            const int fd = open_file(recording.path("file." + std::to_string((number + i) % 5)));
            const int other = duplicate(fd);
            write_bytes(fd);
            close_file(fd);
            write_bytes(other);
            close_file(other);
        }
    });
    recording.read();
    const Totals posix = recording.total(Layer::posix);
    CHECK(posix.opens == 8 * 300);
    CHECK(posix.writes == 8 * 600);
    std::uint64_t closes = 0, dups = 0;
    for (int i = 0; i < 5; ++i) {
        const PosixRecord record = recording.file("file." + std::to_string(i));
        CHECK(record.writes == 2 * record.opens);
        closes += record.closes;
        dups += record.dups;
    }
    CHECK(closes == 8 * 600);
    CHECK(dups == 8 * 300);
    CHECK(recording.process().missed == 0);
}

TEST_CASE("threads that replace one another's descriptors lose no call")
{
    constexpr int numbers = 4;
    Recording recording;
    int fd[2], target[numbers];
    for (int i = 0; i < 2; ++i) fd[i] = open_file(recording.path("file." + std::to_string(i)));
    for (int& to : target) to = duplicate(fd[0]);
    in_threads(4, [&](int number) {
        for (int i = 0; i < 2000; ++i) {
            const int to = target[(number + i) % numbers];
            duplicate_to(fd[i % 2], to);
            write_bytes(to);
        }
    });
    recording.read();
    CHECK(recording.file("file.0").writes + recording.file("file.1").writes == 4 * 2000);
    CHECK(recording.file("file.0").dups + recording.file("file.1").dups == 4 * 2000 + numbers);
    for (const int to : target) close_file(to);
    for (const int one : fd) close_file(one);
}

TEST_CASE("a description that is shared while its last descriptor is closed is handed out once")
{
    Recording recording;
    std::atomic<int> shared{-1};
    std::atomic<bool> over{false};
    std::thread copier([&] {
        while (!over.load()) {
            const int fd = shared.load();
            // The race is this test's own: the C library's dup() would have ThreadSanitizer tell of it.
            const int copy = observe(Duplicate(fd), [&] { return static_cast<int>(::syscall(SYS_dup, fd)); });
            if (copy >= 0) close_file(copy);
        }
    });
    for (int i = 0; i < 5000; ++i) {
        const int fd = open_file(recording.path("file"));
        shared.store(fd);
        write_bytes(fd);
        shared.store(-1);
        close_file(fd);
    }
    over.store(true);
    copier.join();
    // Two files that are open at the same time never count for one another.
    std::vector<int> open;
    for (int i = 0; i < 100; ++i) open.push_back(open_file(recording.path("open." + std::to_string(i))));
    for (const int fd : open) write_bytes(fd);
    for (const int fd : open) close_file(fd);
    recording.read();
    CHECK(recording.file("file").writes == 5000);
    for (int i = 0; i < 100; ++i) CHECK(recording.file("open." + std::to_string(i)).writes == 1);
}

TEST_CASE("crowds of threads that come and go leave their memory to one another")
{
    constexpr int rounds = 40, crowd = 40;
    Recording recording;
    const int fd = open_file(recording.path("shared"));
    std::barrier all_here(crowd);
    for (int round = 0; round < rounds; ++round)
        in_threads(crowd, [&](int number) {
            write_bytes_at(fd, number);
            all_here.arrive_and_wait();
            const int own = open_file(recording.path("own." + std::to_string(number)));
            write_bytes(own);
            close_file(own);
        });
    close_file(fd);
    recording.read();
    CHECK(recording.file("shared").writes == rounds * crowd);
    for (int number = 0; number < crowd; ++number)
        CHECK(recording.file("own." + std::to_string(number)).writes == rounds);
    CHECK(recording.process().missed == 0);
    CHECK(recording.process().threads <= 3 * crowd);
}

TEST_CASE("threads that end as others begin leave their memory to them")
{
    constexpr int chains = 4, links = 500;
    Recording recording;
    const int fd = open_file(recording.path("shared"));
    std::atomic<int> going{chains};
    // Nobody waits for a thread before the next one writes: only the kernel knows that it has ended.
    std::function<void(int)> link = [&](int left) {
        write_bytes_at(fd, 0);
        if (left > 1)
            std::thread(link, left - 1).detach();
        else
            going.fetch_sub(1);
    };
    for (int i = 0; i < chains; ++i) std::thread(link, links).detach();
    while (going.load() > 0) std::this_thread::yield();
    close_file(fd);
    recording.read();
    CHECK(recording.file("shared").writes == chains * links);
    CHECK(recording.process().missed == 0);
    CHECK(recording.process().threads < 100);
}

TEST_CASE("threads that open the same new files at once agree on their names")
{
    constexpr int files = 200;
    Recording recording;
    std::barrier step(8);
    in_threads(8, [&](int) {
        for (int i = 0; i < files; ++i) {
            step.arrive_and_wait();
            const int fd = open_file(recording.path("file." + std::to_string(i)));
            write_bytes(fd);
            close_file(fd);
        }
    });
    recording.read();
    CHECK(recording.names() == files);
    for (int i = 0; i < files; ++i) {
        const PosixRecord record = recording.file("file." + std::to_string(i));
        CHECK(record.opens == 8);
        CHECK(record.writes == 8);
        CHECK(record.closes == 8);
    }
    CHECK(recording.process().missed == 0);
}

TEST_CASE("threads that open by relative paths while the working folder changes")
{
    Recording recording;
    const auto home = std::filesystem::current_path();
    for (const char* const folder : {"a", "b"}) std::filesystem::create_directory(recording.path(folder));
    const auto move_to = [](const std::string& folder) {
        return observe(ChangesFolder(), [&] { return ::chdir(folder.c_str()); });
    };
    move_to(recording.path("a"));
    in_threads(4, [&](int number) {
        for (int i = 0; i < 500; ++i) {
            if (number == 0) move_to(recording.path(i % 2 == 0 ? "b" : "a"));
            const int fd = open_file("file");
            write_bytes(fd);
            close_file(fd);
        }
    });
    move_to(home.string());
    recording.read();
    CHECK(recording.names() == 2);
    CHECK(recording.file("a/file").writes + recording.file("b/file").writes == 4 * 500);
    CHECK(recording.process().missed == 0);
}

TEST_CASE("threads that fill the part lose nothing from the totals")
{
    constexpr int threads = 8, files = 5000;
    Recording recording;
    in_threads(threads, [&](int number) {
        for (int i = 0; i < files; ++i) {
            const int fd = open_file(recording.path(std::to_string(number) + "." + std::to_string(i)));
            write_bytes(fd);
            close_file(fd);
        }
    });
    recording.read();
    const Totals posix = recording.total(Layer::posix);
    CHECK(recording.names() >= 10000);
    CHECK(recording.names() < threads * files);
    CHECK(posix.opens == threads * files);
    CHECK(posix.writes == threads * files);
    CHECK(posix.bytes_written == threads * files * sizeof bytes);
    CHECK(recording.process().missed == 0);
}
