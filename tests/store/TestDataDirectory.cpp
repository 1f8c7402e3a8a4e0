// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/DataDirectory.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

using namespace weir;
using namespace weir::store;

namespace {

unsigned modeOf(const std::filesystem::path& path)
{
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0U;
}

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class TestDataDirectory : public QObject {
    Q_OBJECT
private slots:
    void makesAPrivateDirectory();
    void namesTheHolder();
    void anotherProcessIsNamedAndItsDeathFreesTheLock();
    void saysWhyItCannot();
    void privateFilesAreWholeAndPrivate();
};

void TestDataDirectory::makesAPrivateDirectory()
{
    const QTemporaryDir temporary;
    const std::filesystem::path path = temporary.path().toStdString() + "/a/b/weir";
    const mode_t mask = ::umask(0);
    const Result<DataDirectory> directory = DataDirectory::open(path);
    ::umask(mask);
    QVERIFY(directory);
    QCOMPARE(modeOf(path), 0700U);
    QCOMPARE(modeOf(path / "weir.lock"), 0600U);
    QCOMPARE(contentOf(path / "weir.lock"), std::to_string(::getpid()) + "\n");
    QCOMPARE(directory->databaseFile().string(), (path / "weir.db").string());
}

void TestDataDirectory::namesTheHolder()
{
    const QTemporaryDir temporary;
    {
        const Result<DataDirectory> first = DataDirectory::open(temporary.path().toStdString());
        QVERIFY(first);
        const Result<DataDirectory> second = DataDirectory::open(temporary.path().toStdString());
        QVERIFY(!second);
        QCOMPARE(second.error().code, "data_dir_in_use");
        QVERIFY(second.error().message.ends_with(" is in use by process " + std::to_string(::getpid()) + "."));
    }
    Result<DataDirectory> again = DataDirectory::open(temporary.path().toStdString());
    QVERIFY(again);
    const DataDirectory moved = std::move(*again);
    QVERIFY(!DataDirectory::open(temporary.path().toStdString()));
}

void TestDataDirectory::anotherProcessIsNamedAndItsDeathFreesTheLock()
{
    const QTemporaryDir temporary;
    QProcess holder;
    holder.start(QStringLiteral(STORE_WRITER), {QStringLiteral("hold"), temporary.path()});
    QVERIFY(holder.waitForReadyRead(30'000));
    QCOMPARE(holder.readLine(), QByteArray("held\n"));
    const Result<DataDirectory> refused = DataDirectory::open(temporary.path().toStdString());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "data_dir_in_use");
    QVERIFY(refused.error().message.find("process " + std::to_string(holder.processId()) + ".") != std::string::npos);
    holder.kill();
    QVERIFY(holder.waitForFinished(30'000));
    QVERIFY(DataDirectory::open(temporary.path().toStdString()));
}

void TestDataDirectory::saysWhyItCannot()
{
    const QTemporaryDir temporary;
    const std::string file = temporary.path().toStdString() + "/file";
    std::ofstream(file) << "x";
    for (const std::string& path : {file, file + "/below"}) {
        const Result<DataDirectory> directory = DataDirectory::open(path);
        QVERIFY(!directory);
        QCOMPARE(directory.error().code, "data_dir_failed");
        QVERIFY(directory.error().message.find("Not a directory") != std::string::npos);
    }
}

void TestDataDirectory::privateFilesAreWholeAndPrivate()
{
    const QTemporaryDir temporary;
    const Result<DataDirectory> directory = DataDirectory::open(temporary.path().toStdString());
    QVERIFY(directory);
    const std::filesystem::path file = directory->path() / "superadmin.token";
    QVERIFY(directory->writePrivateFile("superadmin.token", "first, longer\n"));
    QVERIFY(directory->writePrivateFile("superadmin.token", "second\n"));
    QCOMPARE(contentOf(file), "second\n");
    QCOMPARE(modeOf(file), 0600U);
    QVERIFY(!std::filesystem::exists(directory->path() / "superadmin.token.new"));
    QCOMPARE(directory->writePrivateFile("none/token", "x").error().code, "data_dir_failed");
}

QTEST_GUILESS_MAIN(TestDataDirectory)
#include "TestDataDirectory.moc"
