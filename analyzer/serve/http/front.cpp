// One thread has all sockets (epoll, level-triggered); threads that answer get the text of a request and give
// the text of the answer back.
#include "analyzer/serve/http/front.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace fathom::serve {

// Named, since Front::Inside has members of these types.
namespace detail {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor()
    {
        if (number_ >= 0) close(number_);
    }
    int number() const { return number_; }

  private:
    int number_;
};

enum class State : std::uint8_t { asking, answered_for, taking, leaving };

struct Connection {
    Descriptor socket;
    Peer peer;
    State state = State::asking;
    std::string in, out;
    std::size_t sent = 0;
    bool close_behind = false, had_answer = false;
    Clock::time_point deadline;
    // Between two requests.
    bool idle() const { return state == State::asking && in.empty() && had_answer; }
};

struct Work {
    std::uint64_t connection;
    std::string head;
    Peer peer;
};
struct Done {
    std::uint64_t connection;
    Answered answered;
};

}  // namespace detail

namespace {

using namespace detail;

constexpr std::string_view end_of_head = "\r\n\r\n";

std::string refusal(std::string_view status, std::string_view sentence, std::string_view more = {})
{
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n{}Connection: close\r\n\r\n{}",
        status, sentence.size(), more, sentence);
}

std::string words_of(const sockaddr_storage& address)
{
    char host[INET6_ADDRSTRLEN] = "";
    if (address.ss_family == AF_INET6) {
        const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
        inet_ntop(AF_INET6, &six.sin6_addr, host, sizeof host);
        return fmt::format("[{}]:{}", host, ntohs(six.sin6_port));
    }
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &four.sin_addr, host, sizeof host);
    return fmt::format("{}:{}", host, ntohs(four.sin_port));
}

}  // namespace

ListenAt parse_listen(const std::string& said)
{
    ListenAt at;
    std::string port = said;
    const std::size_t colon = said.rfind(':');
    if (colon != std::string::npos) {
        at.host = said.substr(0, colon);
        port = said.substr(colon + 1);
        if (at.host.starts_with('[') && at.host.ends_with(']'))
            at.host = at.host.substr(1, at.host.size() - 2);
    }
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), at.port);
    if (error != std::errc() || end != port.data() + port.size() || at.host.empty())
        throw std::invalid_argument(
            fmt::format("{}: say an address and a port, such as 127.0.0.1:8080 or [::1]:8080", said));
    return at;
}

struct Front::Inside {
    Limits limits;
    Descriptor listening, events, wake;
    std::string address;
    bool loopback = false;

    std::unordered_map<std::uint64_t, Connection> connections;
    std::uint64_t next = 2;  // 0: the listening socket; 1: a thread is done
    std::size_t unsent = 0, begun = 0;
    bool full = false;  // no more are accepted

    std::mutex mutex;
    std::condition_variable there_is_work;
    std::deque<Work> waiting;
    std::vector<Done> done;
    bool over = false;
    std::vector<std::thread> threads;

    void listen_at(const ListenAt& at);
    void work(Http& http);
    void watch(std::uint64_t id, int socket, std::uint32_t what, int how);
    void accept_some();
    void make_room();
    void drop(std::uint64_t id);
    void read_some(std::uint64_t id, Connection& one);
    void take_request(std::uint64_t id, Connection& one);
    void say(std::uint64_t id, Connection& one, std::string text, bool close);
    void write_some(std::uint64_t id, Connection& one);
    void leave(std::uint64_t id, Connection& one);
    void take_done();
    void give_work();
    void end_late_ones();

    // Requests that have come whole and wait for room.
    std::deque<Work> held;
};

void Front::Inside::listen_at(const ListenAt& at)
{
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    const int error = getaddrinfo(at.host.c_str(), fmt::format("{}", at.port).c_str(), &wanted, &found);
    if (error != 0) throw std::runtime_error(fmt::format("{}: no address: {}", at.host, gai_strerror(error)));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, freeaddrinfo);
    listening =
        Descriptor(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, found->ai_protocol));
    const int on = 1;
    setsockopt(listening.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (listening.number() < 0 || bind(listening.number(), found->ai_addr, found->ai_addrlen) != 0 ||
        listen(listening.number(), 128) != 0)
        throw std::runtime_error(
            fmt::format("{}:{}: cannot listen there: {}", at.host, at.port, std::strerror(errno)));
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    getsockname(listening.number(), reinterpret_cast<sockaddr*>(&own), &length);
    address = words_of(own);
    loopback = is_loopback(own);
}

void Front::Inside::work(Http& http)
{
    for (;;) {
        Work task;
        {
            std::unique_lock lock(mutex);
            there_is_work.wait(lock, [&] { return over || !waiting.empty(); });
            if (over) return;
            task = std::move(waiting.front());
            waiting.pop_front();
        }
        Done result{task.connection, http.reply_to(task.head, task.peer)};
        {
            const std::lock_guard lock(mutex);
            done.push_back(std::move(result));
        }
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(wake.number(), &one, sizeof one);
    }
}

void Front::Inside::watch(std::uint64_t id, int socket, std::uint32_t what, int how)
{
    epoll_event event{};
    event.events = what;
    event.data.u64 = id;
    epoll_ctl(events.number(), how, socket, &event);
}

// The one that has been idle longest goes, or else the one that has been asking longest.
void Front::Inside::make_room()
{
    auto chosen = connections.end();
    for (auto at = connections.begin(); at != connections.end(); ++at) {
        if (at->second.state != State::asking) continue;
        if (chosen == connections.end() || std::pair(!at->second.idle(), at->second.deadline) <
                                               std::pair(!chosen->second.idle(), chosen->second.deadline))
            chosen = at;
    }
    if (chosen != connections.end()) drop(chosen->first);
}

void Front::Inside::accept_some()
{
    for (int taken = 0; taken < 64; ++taken) {
        if (connections.size() >= limits.connections) make_room();
        if (connections.size() >= limits.connections) {  // the rest waits in the kernel
            full = true;
            return watch(0, listening.number(), 0, EPOLL_CTL_MOD);
        }
        Descriptor socket(accept4(listening.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (socket.number() < 0) return;
        const int on = 1;
        setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const std::uint64_t id = next++;
        Connection& one = connections[id];
        one.peer = peer_of(socket.number());
        one.socket = std::move(socket);
        one.deadline = Clock::now() + limits.to_ask;
        watch(id, one.socket.number(), EPOLLIN, EPOLL_CTL_ADD);
    }
}

void Front::Inside::drop(std::uint64_t id)
{
    const auto at = connections.find(id);
    if (at == connections.end()) return;
    unsent -= at->second.out.size();
    connections.erase(at);  // closing takes it out of epoll
    if (full) watch(0, listening.number(), EPOLLIN, EPOLL_CTL_MOD);
    full = false;
}

void Front::Inside::read_some(std::uint64_t id, Connection& one)
{
    char buffer[16384];
    const ssize_t length = recv(one.socket.number(), buffer, sizeof buffer, 0);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (length <= 0) return drop(id);
    if (one.state == State::leaving) return;  // what still comes is not read
    if (one.in.empty()) one.deadline = Clock::now() + limits.to_ask;
    one.in.append(buffer, static_cast<std::size_t>(length));
    take_request(id, one);
}

void Front::Inside::take_request(std::uint64_t id, Connection& one)
{
    const std::size_t end = one.in.find(end_of_head);
    if (end == std::string::npos) {
        if (one.in.size() > limits.head)
            say(id, one, refusal("431 Request Header Fields Too Large", "The request is too long.\n"), true);
        return;
    }
    if (end > limits.head)
        return say(id, one, refusal("431 Request Header Fields Too Large", "The request is too long.\n"),
                   true);
    Work task{id, one.in.substr(0, end + end_of_head.size()), one.peer};
    one.in.erase(0, end + end_of_head.size());
    one.state = State::answered_for;
    watch(id, one.socket.number(), 0, EPOLL_CTL_MOD);
    if (begun + held.size() >= limits.waiting)
        return say(id, one,
                   refusal("503 Service Unavailable", "Too many requests at once: try again in a second.\n",
                           "Retry-After: 1\r\n"),
                   true);
    held.push_back(std::move(task));
    give_work();
}

// Answers that nobody takes hold up the next requests, not the memory.
void Front::Inside::give_work()
{
    while (!held.empty() && unsent < limits.unsent) {
        {
            const std::lock_guard lock(mutex);
            waiting.push_back(std::move(held.front()));
        }
        held.pop_front();
        ++begun;
        there_is_work.notify_one();
    }
}

void Front::Inside::say(std::uint64_t id, Connection& one, std::string text, bool close)
{
    one.out = std::move(text);
    unsent += one.out.size();
    one.sent = 0;
    one.close_behind = close;
    one.state = State::taking;
    one.deadline = Clock::now() + limits.to_take;
    write_some(id, one);
}

void Front::Inside::write_some(std::uint64_t id, Connection& one)
{
    while (one.sent < one.out.size()) {
        const ssize_t length =
            send(one.socket.number(), one.out.data() + one.sent, one.out.size() - one.sent, MSG_NOSIGNAL);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && errno == EAGAIN) return watch(id, one.socket.number(), EPOLLOUT, EPOLL_CTL_MOD);
        if (length <= 0) return drop(id);
        one.sent += static_cast<std::size_t>(length);
        one.deadline = Clock::now() + limits.to_take;
    }
    unsent -= one.out.size();
    one.out = {};
    one.had_answer = true;
    if (one.close_behind) return leave(id, one);
    one.state = State::asking;
    one.deadline = Clock::now() + (one.in.empty() ? limits.idle : limits.to_ask);
    watch(id, one.socket.number(), EPOLLIN, EPOLL_CTL_MOD);
    if (!one.in.empty()) take_request(id, one);  // the client did not wait for the answer
}

// Closing while something unread lies there would take the answer back.
void Front::Inside::leave(std::uint64_t id, Connection& one)
{
    shutdown(one.socket.number(), SHUT_WR);
    one.state = State::leaving;
    one.deadline = Clock::now() + 1s;
    watch(id, one.socket.number(), EPOLLIN, EPOLL_CTL_MOD);
}

void Front::Inside::take_done()
{
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t length = read(wake.number(), &count, sizeof count);
    std::vector<Done> all;
    {
        const std::lock_guard lock(mutex);
        all.swap(done);
    }
    for (Done& one : all) {
        --begun;
        const auto at = connections.find(one.connection);
        if (at != connections.end())  // else the client has gone
            say(one.connection, at->second, std::move(one.answered.text), one.answered.close);
    }
    give_work();
}

void Front::Inside::end_late_ones()
{
    const auto now = Clock::now();
    std::vector<std::uint64_t> late;
    for (const auto& [id, one] : connections)
        if (one.state != State::answered_for && one.deadline < now) late.push_back(id);
    for (const std::uint64_t id : late) {
        Connection& one = connections.at(id);
        if (one.state == State::asking && !one.in.empty())
            say(id, one, refusal("408 Request Timeout", "The request did not come whole.\n"), true);
        else
            drop(id);
    }
    give_work();
}

Front::Front(const ListenAt& at, Limits limits, std::size_t threads,
             std::function<Http::Answer()> make_answer)
    : inside_(std::make_unique<Inside>())
{
    inside_->limits = limits;
    inside_->listen_at(at);
    inside_->events = Descriptor(epoll_create1(EPOLL_CLOEXEC));
    inside_->wake = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    inside_->watch(0, inside_->listening.number(), EPOLLIN, EPOLL_CTL_ADD);
    inside_->watch(1, inside_->wake.number(), EPOLLIN, EPOLL_CTL_ADD);
    for (std::size_t at_thread = 0; at_thread < threads; ++at_thread)
        inside_->threads.emplace_back([inside = inside_.get(), make_answer] {
            Http http(make_answer());
            inside->work(http);
        });
}

Front::~Front()
{
    {
        const std::lock_guard lock(inside_->mutex);
        inside_->over = true;
    }
    inside_->there_is_work.notify_all();
    for (std::thread& one : inside_->threads) one.join();
}

const std::string& Front::address() const
{
    return inside_->address;
}

bool Front::on_loopback() const
{
    return inside_->loopback;
}

void Front::run(const std::atomic<bool>& stop)
{
    std::vector<epoll_event> came(128);
    auto looked = Clock::now();
    while (!stop) {
        const int count =
            epoll_wait(inside_->events.number(), came.data(), static_cast<int>(came.size()), 200);
        for (int at = 0; at < count; ++at) {
            const epoll_event& event = came[static_cast<std::size_t>(at)];
            const std::uint64_t id = event.data.u64;
            if (id == 0) {
                inside_->accept_some();
                continue;
            }
            if (id == 1) {
                inside_->take_done();
                continue;
            }
            const auto found = inside_->connections.find(id);
            if (found == inside_->connections.end()) continue;
            Connection& one = found->second;
            if ((event.events & (EPOLLERR | EPOLLHUP)) != 0 && one.state != State::asking)
                inside_->drop(id);
            else if (one.state == State::taking)
                inside_->write_some(id, one);
            else if (one.state != State::answered_for)
                inside_->read_some(id, one);
        }
        if (Clock::now() - looked > 200ms) {
            inside_->end_late_ones();
            looked = Clock::now();
        }
    }
}

}  // namespace fathom::serve
