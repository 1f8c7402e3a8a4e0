// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/FuzzCondition.h"

#include "core/routing/condition/Condition.h"

#include <array>
#include <cstdlib>
#include <string>

namespace weir::fuzz {
namespace {

using namespace weir::routing;

void demand(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

void evaluate(const Condition& condition, std::string_view values)
{
    std::string scratch;
    Context context;
    context.set("name", values);
    context.addTag("name", values);
    const std::array headers{HeaderField{"X-Name", values}, HeaderField{"Cookie", values}};
    const TargetParts parts = splitTarget(values, scratch);
    RequestView request;
    request.method = values;
    request.target = values;
    request.path = parts.path;
    request.query = parts.query;
    request.host = values;
    request.headers = HeaderFields(headers);
    request.client = IpAddress::parse(values);
    request.context = &context;
    request.body = values;
    ResponseView response;
    response.headers = HeaderFields(headers);
    response.body = values;
    const Exchange exchange{&request, &response};
    const bool value = condition.matches(exchange);
    demand((condition.trace(exchange).value == ConditionTrace::Value::True) == value);
    demand(condition.matches({}) == condition.matches({}));
}

} // namespace

void fuzzCondition(std::string_view input)
{
    // Behind the first NUL, which no condition may hold: what it is evaluated on.
    const std::size_t nul = input.find('\0');
    const std::string_view text = input.substr(0, nul);
    const std::string_view values = nul == std::string_view::npos ? text : input.substr(nul + 1);
    const auto native = Condition::compile(text, Dialect::Native);
    const auto imported = Condition::compile(text, Dialect::Imported);
    // What is fine natively reads the same in both.
    demand(!native || imported);
    demand(native || !native.error().empty());
    if (imported) {
        evaluate(*imported, values);
    }
    demand(!Condition::compile(input) || nul == std::string_view::npos);
}

} // namespace weir::fuzz
