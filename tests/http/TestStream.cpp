// SPDX-License-Identifier: GPL-3.0-or-later
// Sockets registered once: an edge that is missed is a connection that hangs, so each way to miss one is tried.
#include "core/http/Stream.h"

#include <QTest>

#include <arpa/inet.h>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <fcntl.h>
#include <functional>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace weir::http::test {

using namespace std::chrono_literals;

namespace {

/// Both ends of a TCP connection over loopback; neither blocks.
struct Pair {
    Pair()
    {
        const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 && ::listen(listener, 1) == 0
            && ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
            peer = ::socket(AF_INET, SOCK_STREAM, 0);
            if (::connect(peer, reinterpret_cast<sockaddr*>(&address), size) == 0) {
                own = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
            }
            ::fcntl(peer, F_SETFL, O_NONBLOCK);
        }
        ::close(listener);
    }
    ~Pair()
    {
        closePeer();
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    bool send(const std::string& bytes) const { return ::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()); }
    void closePeer()
    {
        if (peer >= 0) {
            ::close(std::exchange(peer, -1));
        }
    }

    int own = -1; ///< for a stream to adopt
    int peer = -1;
};

/// Does what it is told to when its stream is ready.
class Owner final : public std::enable_shared_from_this<Owner>, public StreamOwner {
public:
    explicit Owner(const std::shared_ptr<EdgePoll>& poll)
        : stream(poll, *this)
    {
    }
    void streamReadable() override
    {
        ++readable;
        if (onReadable) {
            onReadable();
        }
    }
    void streamWritable() override
    {
        ++writable;
        if (onWritable) {
            onWritable();
        }
    }
    std::shared_ptr<void> hold() override { return shared_from_this(); }

    Stream stream;
    int readable = 0;
    int writable = 0;
    std::function<void()> onReadable;
    std::function<void()> onWritable;
};

} // namespace

class TestStream : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void theEndBehindTheLastBytesIsSeen();
    void whatIsLeftUnreadIsToldAgain();
    void bytesThatCameBeforeTheWait();
    void roomIsToldWhenThePeerReads();
    void aWaitIsToldOnce();
    void anOwnerMayGoInItsOwnCall();
    void closingAnotherOfTheSameBatch();
    void closingBeforeADeferredCall();
    void aCopyOfTheDescriptorElsewhere();
    void theContextEndsWithTheLastStream();

private:
    std::shared_ptr<Owner> adopt(Pair& pair)
    {
        auto owner = std::make_shared<Owner>(m_poll);
        return pair.own >= 0 && owner->stream.adopt(pair.own) ? owner : nullptr;
    }
    /// Runs until it holds, at most five seconds.
    bool eventually(const std::function<bool()>& holds)
    {
        const auto deadline = std::chrono::steady_clock::now() + 5s;
        while (!holds() && std::chrono::steady_clock::now() < deadline) {
            m_context->restart();
            m_context->run_one_for(50ms);
        }
        return holds();
    }
    /// Runs what there is to do now.
    void settle()
    {
        for (int i = 0; i < 5; ++i) {
            m_context->restart();
            m_context->run_for(5ms);
        }
    }

    std::unique_ptr<boost::asio::io_context> m_context;
    std::shared_ptr<EdgePoll> m_poll;
};

void TestStream::init()
{
    m_context = std::make_unique<boost::asio::io_context>(1);
    m_poll = std::make_shared<EdgePoll>(*m_context);
}

void TestStream::cleanup()
{
    m_poll.reset();
    m_context.reset();
}

// One edge for both; the read takes less than it has room for, and no second edge will come.
void TestStream::theEndBehindTheLastBytesIsSeen()
{
    Pair pair;
    QVERIFY(pair.send("last"));
    pair.closePeer();
    const auto owner = adopt(pair);
    QVERIFY(owner);
    std::string got;
    bool isEnded = false;
    owner->onReadable = [&] {
        std::array<char, 64> bytes{};
        const Io io = owner->stream.read(bytes.data(), bytes.size());
        got.append(bytes.data(), io.count);
        isEnded = io.status == Io::Status::End;
        if (!isEnded) {
            owner->stream.waitReadable();
        }
    };
    owner->stream.waitReadable();
    QVERIFY(eventually([&] { return isEnded; }));
    QCOMPARE(got, std::string("last"));
    owner->onReadable = nullptr;
}

void TestStream::whatIsLeftUnreadIsToldAgain()
{
    Pair pair;
    const auto owner = adopt(pair);
    QVERIFY(owner && pair.send("abcdefgh"));
    std::string got;
    owner->onReadable = [&] {
        std::array<char, 3> bytes{};
        const Io io = owner->stream.read(bytes.data(), bytes.size());
        got.append(bytes.data(), io.count);
        owner->stream.waitReadable();
    };
    owner->stream.waitReadable();
    QVERIFY(eventually([&] { return got == "abcdefgh"; }));
    settle(); // it read less than it had room for: nothing is told until more comes
    QCOMPARE(owner->readable, 3);
    QVERIFY(pair.send("i"));
    QVERIFY(eventually([&] { return got == "abcdefghi"; }));
    owner->onReadable = nullptr;
}

void TestStream::bytesThatCameBeforeTheWait()
{
    Pair pair;
    const auto owner = adopt(pair);
    QVERIFY(owner && pair.send("x"));
    settle();
    QCOMPARE(owner->readable, 0); // nobody waited
    owner->stream.waitReadable();
    QVERIFY(eventually([&] { return owner->readable == 1; }));
    QCOMPARE(owner->stream.peek(), Io::Status::Ok);
    owner->stream.waitReadable(); // still unread
    QVERIFY(eventually([&] { return owner->readable == 2; }));
}

void TestStream::roomIsToldWhenThePeerReads()
{
    Pair pair;
    const auto owner = adopt(pair);
    QVERIFY(owner);
    const std::string block(64U << 10U, 'x');
    std::size_t sent = 0;
    Io io;
    for (int i = 0; i < 1000 && io.status == Io::Status::Ok; ++i) {
        io = owner->stream.write(block);
        sent += io.count;
    }
    QCOMPARE(io.status, Io::Status::Again);
    owner->stream.waitWritable();
    settle();
    QCOMPARE(owner->writable, 0);
    std::vector<char> drain(1U << 20U);
    std::size_t taken = 0;
    QVERIFY(eventually([&] {
        const ssize_t count = ::recv(pair.peer, drain.data(), drain.size(), 0);
        taken += count > 0 ? static_cast<std::size_t>(count) : 0;
        return owner->writable == 1;
    }));
    QVERIFY(taken > 0 && taken <= sent);
    QCOMPARE(owner->stream.write("y").status, Io::Status::Ok);
}

void TestStream::aWaitIsToldOnce()
{
    Pair pair;
    const auto owner = adopt(pair);
    QVERIFY(owner);
    owner->stream.waitReadable();
    owner->stream.waitReadable();
    QVERIFY(pair.send("a"));
    QVERIFY(eventually([&] { return owner->readable == 1; }));
    QVERIFY(pair.send("b"));
    settle();
    QCOMPARE(owner->readable, 1);
    owner->stream.waitWritable();
    owner->stream.waitWritable();
    settle();
    QCOMPARE(owner->writable, 1);
}

void TestStream::anOwnerMayGoInItsOwnCall()
{
    Pair pair;
    auto owner = adopt(pair);
    QVERIFY(owner && pair.send("x"));
    const std::weak_ptr<Owner> weak = owner;
    owner->onReadable = [&owner] {
        owner->stream.waitWritable(); // writable as it is, but gone before that is told
        owner->stream.close();
        owner.reset();
    };
    owner->stream.waitReadable();
    QVERIFY(eventually([&] { return weak.expired(); }));
    settle();
}

void TestStream::closingAnotherOfTheSameBatch()
{
    Pair first;
    Pair second;
    const auto one = adopt(first);
    const auto two = adopt(second);
    QVERIFY(one && two && first.send("x") && second.send("x"));
    one->onReadable = [&] { two->stream.close(); };
    two->onReadable = [&] { one->stream.close(); };
    one->stream.waitReadable();
    two->stream.waitReadable();
    QVERIFY(eventually([&] { return one->readable + two->readable > 0; }));
    settle();
    QCOMPARE(one->readable + two->readable, 1);
    one->onReadable = nullptr;
    two->onReadable = nullptr;
}

void TestStream::closingBeforeADeferredCall()
{
    Pair pair;
    const auto owner = adopt(pair);
    QVERIFY(owner && pair.send("x"));
    settle();
    owner->stream.waitReadable(); // known to be readable: the call is on its way
    owner->stream.close();
    settle();
    QCOMPARE(owner->readable, 0);
}

// As in a child process that another thread has just forked: the kernel keeps what is registered until the last copy is closed.
void TestStream::aCopyOfTheDescriptorElsewhere()
{
    Pair pair;
    const int copy = ::dup(pair.own);
    Pair other; // keeps the poll waiting
    const auto witness = adopt(other);
    auto owner = adopt(pair);
    QVERIFY(owner && witness);
    owner->stream.waitReadable();
    owner->stream.close();
    owner.reset();
    QVERIFY(pair.send("x")); // would be told to an owner that is gone
    witness->stream.waitReadable();
    QVERIFY(other.send("x"));
    QVERIFY(eventually([&] { return witness->readable == 1; }));
    settle();
    ::close(copy);
}

void TestStream::theContextEndsWithTheLastStream()
{
    Pair pair;
    const auto owner = adopt(pair);
    QVERIFY(owner);
    m_context->restart();
    QCOMPARE(m_context->run_for(20ms), std::size_t{1}); // that the socket has room; then it waits on
    QVERIFY(!m_context->stopped());
    boost::asio::post(*m_context, [&] { owner->stream.close(); });
    const auto before = std::chrono::steady_clock::now();
    m_context->run_for(5s);
    QVERIFY(std::chrono::steady_clock::now() - before < 4s);
    // And begins again with the next.
    Pair next;
    QVERIFY(owner->stream.adopt(next.own) && next.send("x"));
    owner->stream.waitReadable();
    QVERIFY(eventually([&] { return owner->readable == 1; }));
}

} // namespace weir::http::test

QTEST_GUILESS_MAIN(weir::http::test::TestStream)
#include "TestStream.moc"
