// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/ModuleChain.h"

#include "core/base/NearestName.h"
#include "core/config/JsonReader.h"
#include "core/gateway/modules/ModuleKinds.h"

#include <algorithm>
#include <iterator>

namespace weir::gateway {
namespace {

constexpr std::size_t kMostModules = 64;

constexpr std::array kKinds{&kBasicAuthKind, &kBlockKind, &kCompressKind, &kCorsKind, &kErrorsKind, &kHeaderKind, &kRateLimitKind,
    &kRedirectKind, &kRequestIdKind, &kRewriteKind, &kTrustClientIpKind};

const ModuleKind* kindOf(std::string_view name)
{
    const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), [name](const ModuleKind* kind) { return kind->name == name; });
    return found == kKinds.end() ? nullptr : *found;
}

std::string unknownMessage(const std::string& name)
{
    std::vector<std::string> names;
    std::transform(kKinds.begin(), kKinds.end(), std::back_inserter(names), [](const ModuleKind* kind) { return std::string(kind->name); });
    std::string message = "unknown module; there are";
    for (const std::string& known : names) {
        message += (known == names.front() ? " " : ", ") + known;
    }
    const std::string nearest = nearestName(name, names);
    return nearest.empty() ? message : "unknown module; did you mean \"" + nearest + "\"?";
}

// The text under "module", without looking at the other keys yet: which there may be depends on it.
const config::JsonNode* nameNode(const config::JsonNode& item)
{
    const auto found =
        std::find_if(item.members.begin(), item.members.end(), [](const config::JsonMember& member) { return member.name == "module"; });
    return found == item.members.end() ? nullptr : &found->value;
}

std::unique_ptr<Module> readModule(config::IssueCollector& issues, const config::JsonNode& item, const std::string& path)
{
    if (item.kind != config::JsonKind::Object) {
        issues.error(item, path, "wrong_type", config::wrongKind("an object", item));
        return nullptr;
    }
    const config::JsonNode* name = nameNode(item);
    if (name == nullptr) {
        issues.errorAt(item.begin, path, {}, "missing_key", "which module this is must be said under \"module\"");
        return nullptr;
    }
    const ModuleKind* kind = name->kind == config::JsonKind::String ? kindOf(name->text) : nullptr;
    if (kind == nullptr) {
        issues.error(*name, path + ".module", name->kind == config::JsonKind::String ? "unknown_module" : "wrong_type",
            name->kind == config::JsonKind::String ? unknownMessage(name->text) : config::wrongKind("a string", *name));
        return nullptr;
    }
    config::SectionReader section(issues, item, path, kind->keys);
    return kind->make(section);
}

} // namespace

std::span<const ModuleKind* const> moduleKinds()
{
    return kKinds;
}

std::unique_ptr<ModuleChain> ModuleChain::read(config::IssueCollector& issues, const config::JsonNode& list, const std::string& path)
{
    std::vector<std::unique_ptr<Module>> modules;
    if (list.kind != config::JsonKind::Array) {
        issues.error(list, path, "wrong_type", config::wrongKind("an array", list));
    } else if (list.items.size() > kMostModules) {
        issues.error(list, path, "too_many", "at most " + std::to_string(kMostModules) + " modules are possible");
    } else {
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            if (auto module = readModule(issues, list.items[i], config::joinPath(path, i))) {
                modules.push_back(std::move(module));
            }
        }
    }
    return std::make_unique<ModuleChain>(std::move(modules));
}

ModuleChain::ModuleChain(std::vector<std::unique_ptr<Module>> modules)
    : m_modules(std::move(modules))
{
    for (const auto& module : m_modules) {
        for (const Point point : module->points()) {
            m_byPoint[static_cast<std::size_t>(point)].push_back(module.get());
        }
    }
}

Verdict ModuleChain::run(Point point, Turn& turn)
{
    for (Module* module : m_byPoint[static_cast<std::size_t>(point)]) {
        Verdict verdict = module->at(point, turn);
        if (verdict.kind != Verdict::Kind::GoOn) {
            return verdict;
        }
    }
    return Verdict::goOn();
}

} // namespace weir::gateway
