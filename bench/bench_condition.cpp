// SPDX-License-Identifier: GPL-3.0-or-later
// What a condition costs per request: the usual one of three terms, those that decode or fold, and one of an outcome rule.
#include "core/routing/condition/Condition.h"

#include <benchmark/benchmark.h>

#include <array>
#include <string>

using namespace weir;
using namespace weir::routing;

namespace {

void evaluate(benchmark::State& state, const char* text)
{
    const std::string body = R"({"message":"no space left on device","detail":{"path":"/data","free":0},"code":50007})";
    const std::array headers{HeaderField{"Host", "api.example.test"}, HeaderField{"User-Agent", "curl/8.5.0"}, HeaderField{"Accept", "*/*"},
        HeaderField{"Content-Type", "application/json"}, HeaderField{"X-User", "someone-0001"}};
    RequestView request;
    request.method = "POST";
    request.target = "/v1/images?size=large&name=a%20b";
    request.path = "/v1/images";
    request.query = "size=large&name=a%20b";
    request.host = "api.example.test";
    request.headers = HeaderFields(headers);
    request.client = IpAddress::v4(10, 1, 2, 3);
    ResponseView response;
    response.status = 200;
    response.body = body;
    const Exchange exchange{&request, &response};
    const auto condition = Condition::compile(text);
    if (!condition || !condition->matches(exchange)) {
        state.SkipWithError("the condition does not hold");
        return;
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(condition->matches(exchange));
    }
}

} // namespace

BENCHMARK_CAPTURE(evaluate, three_terms,
    R"(req_host_in("api.example.test|www.example.test") && req_path_prefix_in("/v1/", false) && req_method_in("POST"))");
BENCHMARK_CAPTURE(evaluate, three_terms_folded,
    R"(req_host_suffix_in(".example.test") && req_path_prefix_in("/V1/", true) && req_header_value_in("X-User", "SOMEONE-0001", true))");
BENCHMARK_CAPTURE(evaluate, regex, R"(req_path_regmatch(`^/v\d+/images$`))");
BENCHMARK_CAPTURE(evaluate, query_decoded, R"(req_query_value_in("name", "a b", false))");
BENCHMARK_CAPTURE(evaluate, hash, R"(req_header_value_hash_in("X-User", "0-9999", true))");
BENCHMARK_CAPTURE(evaluate, outcome_rule, R"(res_code_in("200|400") && res_json_in("code", "50007|50013"))");

BENCHMARK_MAIN();
