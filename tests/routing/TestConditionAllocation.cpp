// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluating a condition takes no memory: every operator new of this program is counted.
#include "core/routing/condition/Condition.h"

#include <QTest>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {

std::atomic<std::size_t> allocations = 0;

void* counted(std::size_t size)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

} // namespace

void* operator new(std::size_t size)
{
    return counted(size);
}
void* operator new[](std::size_t size)
{
    return counted(size);
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    std::free(memory);
}

using namespace weir;
using namespace weir::routing;

class TestConditionAllocation : public QObject {
    Q_OBJECT

private slots:
    void evaluating_data();
    void evaluating();
};

void TestConditionAllocation::evaluating_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"req_host_in(\"api.example.test|b.test\") && req_path_prefix_in(\"/v1/\", false) && req_method_in(\"POST\")",
             "req_path_in(\"/V1/Images\", true) || req_query_value_in(\"name\", \"a b\", false)",
             "req_cip_hash_in(\"0-9999\") && req_cip_range(\"10.0.0.0\", \"10.255.255.255\")",
             "req_header_value_hash_in(\"X-User\", \"0-9999\", true) && req_cookie_value_in(\"sid\", \"1\", false)",
             "res_code_in(\"200|400\") && res_json_in(\"error.code\", \"50007|50013\")"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

void TestConditionAllocation::evaluating()
{
    QFETCH(QByteArray, text);
    const std::array headers{HeaderField{"X-User", "someone"}, HeaderField{"Cookie", "a=1; sid=1"}};
    RequestView request;
    request.method = "POST";
    request.path = "/v1/images";
    request.query = "x=1&name=a%20b";
    request.host = "api.example.test:8080";
    request.headers = HeaderFields(headers);
    request.client = IpAddress::v4(10, 1, 2, 3);
    ResponseView response;
    response.status = 200;
    response.body = "{\"error\":{\"text\":\"disk full\",\"code\":50007}}";
    const auto compiled = Condition::compile(text.toStdString());
    QVERIFY(compiled);

    const std::size_t before = allocations.load();
    const bool value = compiled->matches({&request, &response});
    const std::size_t after = allocations.load();
    QVERIFY(value);
    QCOMPARE(after - before, std::size_t{0});
}

QTEST_GUILESS_MAIN(TestConditionAllocation)
#include "TestConditionAllocation.moc"
