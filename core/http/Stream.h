// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/EdgePoll.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <openssl/types.h>
#include <string_view>
#include <utility>

namespace weir::http {

struct TlsSessionFree {
    void operator()(SSL* session) const noexcept;
};
using TlsSession = std::unique_ptr<SSL, TlsSessionFree>;

/// How one attempt to read or write went. `Again`: nothing now; wait for the socket to be ready.
struct Io {
    enum class Status : unsigned char { Ok, Again, End, Failed };
    Status status = Status::Ok;
    std::size_t count = 0;
};

/// Whoever waits for a Stream. Calls come on the io thread, never from inside the stream's own calls.
class StreamOwner {
public:
    StreamOwner() = default;
    StreamOwner(const StreamOwner&) = delete;
    StreamOwner& operator=(const StreamOwner&) = delete;

    virtual void streamReadable() = 0;
    virtual void streamWritable() = 0;
    /// What keeps the owner, and with it the stream, while it is called.
    [[nodiscard]] virtual std::shared_ptr<void> hold() = 0;

protected:
    ~StreamOwner() = default;
};

/// A TCP socket, in the clear or under TLS, without buffers of its own: reading and writing never block, and whoever owns it waits for
/// readiness first, so that an idle connection costs no buffer. A wait costs no system call: what the last edge said, and what reading
/// has used up since, is remembered here. Io thread only.
class Stream final : private EdgePoll::Member {
public:
    /// The owner outlives the stream.
    Stream(std::shared_ptr<EdgePoll> poll, StreamOwner& owner);
    ~Stream();

    /// A socket that does not block; from here on the stream's, to be closed by it. Closes the one it had. False: the system has no room
    /// for it, and it is closed.
    [[nodiscard]] bool adopt(int descriptor);
    /// -1: none.
    [[nodiscard]] int descriptor() const { return m_descriptor; }
    [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }

    /// From here on everything goes through `session`; handshake() comes first. Null: in the clear again, for a peer that knows no TLS.
    void useTls(TlsSession session);
    [[nodiscard]] bool isSecure() const { return m_tls != nullptr; }
    /// `Again`: wait for the socket to be readable, or writable where wantsToWrite() says so.
    [[nodiscard]] Io::Status handshake();
    /// Right after a handshake that failed: what came was HTTP in the clear.
    [[nodiscard]] static bool sawPlainHttp();
    /// The name that a client asked for; empty without one. Once the handshake is done.
    [[nodiscard]] std::string_view serverName() const;
    [[nodiscard]] bool wantsToWrite() const;
    /// TLS has bytes, or the end, that were received already, so that waiting for the socket would miss them.
    [[nodiscard]] bool hasPending() const;

    [[nodiscard]] Io read(char* into, std::size_t size);
    /// Both parts in one packet where they fit; either may be empty.
    [[nodiscard]] Io write(std::string_view first, std::string_view second = {});
    /// What the next read in the clear will give; it stays where it is.
    [[nodiscard]] Io lookAhead(char* into, std::size_t size);
    /// Whether there is something to read, or the peer has ended its side; what it sent before stays to be read.
    [[nodiscard]] Io::Status peek();
    /// Tells the peer that no more comes. `Again`: TLS could not say so yet; call it again when the socket is writable.
    Io::Status endSending();
    void close();
    /// Closes so that the peer sees a reset: an answer that ends with the connection must not look complete.
    void abort();

    /// The owner is told once; asking again meanwhile changes nothing. Close ends it without a call.
    void waitReadable();
    void waitWritable();

private:
    void edgeCame(std::uint32_t events) override;
    void deferredCame() override;
    void tell();
    [[nodiscard]] bool isReadReady() const { return hasPending() || (m_readsByWriting ? m_isWritable : m_isReadable); }
    [[nodiscard]] Io readClear(char* into, std::size_t size);
    [[nodiscard]] Io readTls(char* into, std::size_t size);
    [[nodiscard]] Io::Status peekTls();
    [[nodiscard]] Io writeTls(std::string_view first, std::string_view second);
    [[nodiscard]] static Io::Status statusOfErrno(bool& isReady);
    [[nodiscard]] Io::Status statusOfTls(int result);

    std::shared_ptr<EdgePoll> m_poll;
    StreamOwner& m_owner;
    TlsSession m_tls; ///< null: in the clear
    int m_descriptor = -1;
    bool m_isReadable = false; ///< as far as edges and reads have told
    bool m_isWritable = false;
    bool m_sawEnd = false;         ///< the peer's: no edge will come for it behind the last bytes
    bool m_endIsDue = false;       ///< TLS met the end, or an error, behind bytes that it gave out
    bool m_readsByWriting = false; ///< TLS has something of its own to send before it reads on
    bool m_waitsToRead = false;
    bool m_waitsToWrite = false;
    bool m_isDeferred = false; ///< tell() is on its way
};

} // namespace weir::http
