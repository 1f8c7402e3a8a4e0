// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/own-hash.json.
#include "core/base/MurmurHash3.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

class TestMurmurHash3 : public QObject {
    Q_OBJECT

private slots:
    void vectors_data();
    void vectors();
};

void TestMurmurHash3::vectors_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QString>("hash");
    QFile file(QStringLiteral(WEIR_SOURCE_DIR "/tests/data/own-hash.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("cases")).toArray();
    QVERIFY(!cases.isEmpty());
    for (const QJsonValue vector : cases) {
        const QByteArray hex = vector[QLatin1String("key_hex")].toString().toLatin1();
        QTest::addRow("%s", hex.isEmpty() ? "(empty)" : hex.constData())
            << QByteArray::fromHex(hex) << vector[QLatin1String("sum64_hex")].toString();
    }
}

void TestMurmurHash3::vectors()
{
    QFETCH(QByteArray, key);
    QFETCH(QString, hash);
    QCOMPARE(QStringLiteral("%1").arg(weir::murmurHash3(key.toStdString()), 16, 16, QLatin1Char('0')), hash);
}

QTEST_GUILESS_MAIN(TestMurmurHash3)
#include "TestMurmurHash3.moc"
