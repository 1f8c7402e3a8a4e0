// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/BodyEncoder.h"
#include "tests/gateway/modules/ModuleWorld.h"

#include <QTest>

#include <brotli/decode.h>
#include <zlib.h>

#include <array>

using namespace weir;
using namespace weir::gateway;
using weir::test::ModuleWorld;

namespace {

// All that comes out of packed bytes, however whole they are.
std::string unpackedGzip(const std::string& packed)
{
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) {
        return {};
    }
    std::string copy = packed;
    stream.next_in = reinterpret_cast<Bytef*>(copy.data());
    stream.avail_in = static_cast<uInt>(copy.size());
    std::string out;
    int result = Z_OK;
    while (result == Z_OK) {
        std::array<char, 4096> piece;
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = piece.size();
        result = inflate(&stream, Z_SYNC_FLUSH);
        out.append(piece.data(), piece.size() - stream.avail_out);
        if (stream.avail_in == 0 && stream.avail_out > 0) {
            break;
        }
    }
    inflateEnd(&stream);
    return out;
}

std::string unpackedBrotli(const std::string& packed)
{
    BrotliDecoderState* state = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
    const auto* next = reinterpret_cast<const std::uint8_t*>(packed.data());
    std::size_t left = packed.size();
    std::string out;
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT || BrotliDecoderHasMoreOutput(state) == BROTLI_TRUE) {
        std::array<std::uint8_t, 4096> piece;
        std::uint8_t* to = piece.data();
        std::size_t room = piece.size();
        result = BrotliDecoderDecompressStream(state, &left, &next, &room, &to, nullptr);
        out.append(reinterpret_cast<const char*>(piece.data()), piece.size() - room);
    }
    BrotliDecoderDestroyInstance(state);
    return out;
}

} // namespace

class TestCompress : public QObject {
    Q_OBJECT

private slots:
    void decisions_data();
    void decisions();
    void whatBelongsToTheOtherBytes();
    void bodies_data();
    void bodies();
};

void TestCompress::decisions_data()
{
    QTest::addColumn<QByteArray>("accept");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("length");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* accept, const char* type, const char* length, const char* expected) {
        QTest::addRow("%s, %s, %s", accept, type, length)
            << QByteArray(accept) << QByteArray(type) << QByteArray(length) << QByteArray(expected);
    };
    row("gzip, br", "application/json", "5000", "br");
    row("gzip", "application/json", "5000", "gzip");
    row("gzip", "Application/JSON; charset=utf-8", "5000", "gzip");
    row("GZIP", "text/anything", "", "gzip");
    row("gzip;q=1, br;q=0.5", "text/plain", "5000", "gzip");
    row("br;q=0, *", "text/plain", "5000", "gzip");
    row("*;q=0.1", "text/plain", "5000", "br");
    row("gzip;q=0", "text/plain", "5000", "identity");
    row("gzip;q=7", "text/plain", "5000", "identity");
    row("", "text/plain", "5000", "identity");
    row("deflate", "text/plain", "5000", "identity");
    row("gzip", "text/plain", "1023", "identity");
    row("gzip", "text/plain", "1024", "gzip");
    row("gzip", "image/png", "5000", "identity");
    row("gzip", "", "5000", "identity");
}

void TestCompress::decisions()
{
    QFETCH(QByteArray, accept);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, length);
    QFETCH(QByteArray, expected);
    ModuleWorld world("[{'module':'compress','rules':[{}]}]");
    QCOMPARE(world.faults, QStringList());
    world.begin("/", {{"Accept-Encoding", accept.toStdString()}});
    world.answer(200, {{"Content-Type", type.toStdString()}, {"Content-Length", length.toStdString()}});
    QCOMPARE(world.run(Point::ReadResponse).kind, Verdict::Kind::GoOn);
    const std::string coding(contentCoding(world.turn.encoding));
    QCOMPARE(QByteArray::fromStdString(coding), expected);
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "Content-Encoding"), coding == "identity" ? std::string() : coding);
}

void TestCompress::whatBelongsToTheOtherBytes()
{
    ModuleWorld world("[{'module':'compress','rules':[{'min_bytes':0,'gzip_level':9}]}]");
    const auto decide = [&](int status, ModuleWorld::Headers headers, const char* method = "GET") {
        world.begin("/", {{"Accept-Encoding", "gzip"}}, method);
        headers.emplace_back("Content-Type", "text/plain");
        world.answer(status, std::move(headers));
        world.run(Point::ReadResponse);
        return world.turn.encoding;
    };
    QCOMPARE(decide(200, {{"ETag", "\"a\""}, {"Accept-Ranges", "bytes"}}), Encoding::Gzip);
    QCOMPARE(world.turn.compressionLevel, 9);
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "ETag"), std::string("W/\"a\""));
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "Vary"), std::string("Accept-Encoding"));
    QCOMPARE(world.turn.responseEdits.removed.back(), std::string("Accept-Ranges"));
    QCOMPARE(decide(206, {}), Encoding::Identity);
    QCOMPARE(decide(304, {}), Encoding::Identity);
    QCOMPARE(decide(200, {}, "HEAD"), Encoding::Identity);
    QCOMPARE(decide(200, {{"Content-Encoding", "br"}}), Encoding::Identity);
    QCOMPARE(decide(200, {{"Cache-Control", "public, no-transform"}}), Encoding::Identity);
    QCOMPARE(decide(404, {}), Encoding::Gzip);
}

void TestCompress::bodies_data()
{
    QTest::addColumn<bool>("isGzip");
    QTest::addColumn<int>("level");
    QTest::newRow("gzip 1") << true << 1;
    QTest::newRow("gzip 9") << true << 9;
    QTest::newRow("brotli 0") << false << 0;
    QTest::newRow("brotli 5") << false << 5;
}

void TestCompress::bodies()
{
    QFETCH(bool, isGzip);
    QFETCH(int, level);
    const auto encoder = BodyEncoder::make(isGzip ? Encoding::Gzip : Encoding::Brotli, level);
    QVERIFY(encoder);
    const auto unpacked = [isGzip](const std::string& packed) { return isGzip ? unpackedGzip(packed) : unpackedBrotli(packed); };
    std::string plain;
    std::string packed;
    std::uint32_t seed = 1;
    for (int i = 0; i < 40; ++i) {
        std::string piece;
        for (int j = 0; j < i * 300; ++j) {
            seed = seed * 1664525U + 1013904223U;
            piece += static_cast<char>(i % 2 == 0 ? 'a' + j % 7 : static_cast<int>(seed >> 24));
        }
        plain += piece;
        QVERIFY(encoder->encode(piece, false, packed));
        // Nothing is held back for the next piece.
        QCOMPARE(unpacked(packed).size(), plain.size());
    }
    QVERIFY(encoder->encode({}, true, packed));
    QVERIFY(unpacked(packed) == plain);
    QVERIFY(packed.size() < plain.size());
    QVERIFY(!BodyEncoder::make(Encoding::Identity, 1));
}

QTEST_GUILESS_MAIN(TestCompress)
#include "TestCompress.moc"
