// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/BodyEncoder.h"

#include <brotli/encode.h>
#include <zlib.h>

#include <array>

namespace weir::gateway {
namespace {

constexpr std::size_t kPiece = 16U << 10U;
constexpr int kGzipWindow = 15 + 16; // 16: with the header of gzip
constexpr int kGzipMemory = 8;
constexpr int kBrotliWindow = 19; // 512 KiB a stream; the default of 22 would hold 4 MiB for every slow client

class GzipEncoder final : public BodyEncoder {
public:
    ~GzipEncoder() override
    {
        if (m_isOpen) {
            deflateEnd(&m_stream);
        }
    }

    [[nodiscard]] bool open(int level)
    {
        m_isOpen = deflateInit2(&m_stream, level, Z_DEFLATED, kGzipWindow, kGzipMemory, Z_DEFAULT_STRATEGY) == Z_OK;
        return m_isOpen;
    }

    bool encode(std::string_view bytes, bool last, std::string& out) override
    {
        // zlib reads only, whatever its type says.
        m_stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
        m_stream.avail_in = static_cast<uInt>(bytes.size());
        std::array<char, kPiece> piece;
        do {
            m_stream.next_out = reinterpret_cast<Bytef*>(piece.data());
            m_stream.avail_out = static_cast<uInt>(piece.size());
            const int result = deflate(&m_stream, last ? Z_FINISH : Z_SYNC_FLUSH);
            if (result == Z_STREAM_ERROR) {
                return false;
            }
            out.append(piece.data(), piece.size() - m_stream.avail_out);
        } while (m_stream.avail_out == 0);
        return true;
    }

private:
    z_stream m_stream{};
    bool m_isOpen = false;
};

class BrotliEncoder final : public BodyEncoder {
public:
    ~BrotliEncoder() override { BrotliEncoderDestroyInstance(m_state); }

    [[nodiscard]] bool open(int level)
    {
        m_state = BrotliEncoderCreateInstance(nullptr, nullptr, nullptr);
        return m_state != nullptr
            && BrotliEncoderSetParameter(m_state, BROTLI_PARAM_QUALITY, static_cast<std::uint32_t>(level)) == BROTLI_TRUE
            && BrotliEncoderSetParameter(m_state, BROTLI_PARAM_LGWIN, kBrotliWindow) == BROTLI_TRUE;
    }

    bool encode(std::string_view bytes, bool last, std::string& out) override
    {
        std::size_t left = bytes.size();
        const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data());
        std::array<std::uint8_t, kPiece> piece;
        do {
            std::size_t room = piece.size();
            std::uint8_t* to = piece.data();
            const auto operation = last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH;
            if (BrotliEncoderCompressStream(m_state, operation, &left, &next, &room, &to, nullptr) != BROTLI_TRUE) {
                return false;
            }
            out.append(reinterpret_cast<const char*>(piece.data()), piece.size() - room);
        } while (left > 0 || BrotliEncoderHasMoreOutput(m_state) == BROTLI_TRUE);
        return true;
    }

private:
    BrotliEncoderState* m_state = nullptr;
};

template <typename Encoder>
std::unique_ptr<BodyEncoder> opened(int level)
{
    auto encoder = std::make_unique<Encoder>();
    return encoder->open(level) ? std::move(encoder) : nullptr;
}

} // namespace

std::unique_ptr<BodyEncoder> BodyEncoder::make(Encoding encoding, int level)
{
    switch (encoding) {
    case Encoding::Gzip:
        return opened<GzipEncoder>(level);
    case Encoding::Brotli:
        return opened<BrotliEncoder>(level);
    case Encoding::Identity:
        break;
    }
    return nullptr;
}

std::string_view contentCoding(Encoding encoding) noexcept
{
    return encoding == Encoding::Gzip ? "gzip" : encoding == Encoding::Brotli ? "br" : "identity";
}

} // namespace weir::gateway
