// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/ConfigReader.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

using namespace weir::config;

namespace {

// JSON written with ' for ", which keeps the tables readable (and moc, which trips over raw strings, out of trouble).
std::string quoted(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

tl::expected<Config, std::vector<ConfigIssue>> read(const std::string& text, const ReadOptions& options = {})
{
    return readConfig(quoted(text), options);
}

struct Marked {
    std::string text;
    std::vector<Position> places;
};

// Takes the marks `@@` out of a text and says where they stood.
Marked unmark(const std::string& marked)
{
    Marked result;
    Position here{1, 1};
    for (std::size_t i = 0; i < marked.size(); ++i) {
        if (marked.compare(i, 2, "@@") == 0) {
            result.places.push_back(here);
            ++i;
            continue;
        }
        result.text += marked[i];
        here = marked[i] == '\n' ? Position{here.line + 1, 1} : Position{here.line, here.column + 1};
    }
    return result;
}

QString described(const std::vector<ConfigIssue>& issues)
{
    QStringList all;
    for (const ConfigIssue& issue : issues) {
        all << QString::fromStdString(toText(issue, "weir.json") + " [" + issue.code + "]");
    }
    return all.join(QLatin1Char('\n'));
}

// "path code" of each issue, in order.
QStringList summary(const std::vector<ConfigIssue>& issues)
{
    QStringList all;
    for (const ConfigIssue& issue : issues) {
        all << QString::fromStdString(issue.path + " " + issue.code);
    }
    return all;
}

QStringList lines(std::initializer_list<const char*> texts)
{
    QStringList list;
    for (const char* text : texts) {
        list << QString::fromUtf8(text);
    }
    return list;
}

std::string node(const std::string& members)
{
    return "{'nodes':[{'node':'a','role':'worker','url':'http://h:1'," + members + "}]}";
}

std::string health(const std::string& members)
{
    return "{'health_check':{" + members + "}}";
}

void row(const char* name, const std::string& text, const std::vector<std::string>& expected)
{
    QStringList wanted;
    for (const std::string& line : expected) {
        wanted << QString::fromStdString(line);
    }
    QTest::newRow(name) << QByteArray::fromStdString(text) << wanted;
}

} // namespace

class TestConfigReader : public QObject {
    Q_OBJECT

private:
    void compareWithMarks()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, expected);
        const Marked marked = unmark(text.toStdString());
        const auto config = read(marked.text);
        QVERIFY2(!config.has_value(), "accepted");
        QCOMPARE(summary(config.error()), expected);
        QCOMPARE(config.error().size(), marked.places.size());
        for (std::size_t i = 0; i < marked.places.size(); ++i) {
            const Position found{config.error()[i].line, config.error()[i].column};
            QVERIFY2(found == marked.places[i], qPrintable(described(config.error())));
            QVERIFY(!config.error()[i].message.empty() && !config.error()[i].message.ends_with('.'));
        }
    }

    static void columns()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("expected");
    }

private slots:
    void refusesKeys_data()
    {
        columns();
        row("nothing", "@@", {" syntax_error"});
        row("a list", "@@[]", {" wrong_type"});
        row("a word", "@@true", {" wrong_type"});
        row("syntax, with the path", "{\n  'nodes': [{'pool': @@nope}]\n}", {"nodes[0].pool syntax_error"});
        row("unknown key", "{@@'health_chek': {}}", {"health_chek unknown_key"});
        row("unknown key inside", "{'health_check': {\n  @@'interval': 3}}", {"health_check.interval unknown_key"});
        row("case counts", "{@@'Log': {}}", {"Log unknown_key"});
        row("key with a dot", "{@@'log.level': 'info'}", {"[\"log.level\"] unknown_key"});
        row("empty key", "{@@'': 1}", {"[\"\"] unknown_key"});
        row("key given twice", "{'users': [],\n@@'users': []}", {"users duplicate_key"});
        row("key given three times", "{'log': {'level': 'info', @@'level': 'info', @@'level': 'debug'}}", {"log.level duplicate_key", "log.level duplicate_key"});
        row("the same key as an escape", "{'log':{}, @@'l\\u006fg':{}}", {"log duplicate_key"});
        row("key given twice in a node", node("'capacity':1,@@'capacity':2"), {"nodes[0].capacity duplicate_key"});
        row("routing", "{@@'routing': {'a':1,'a':2}}", {"routing not_served"});
        row("gateway tls", "{'gateway':{'tls':@@{'key':'a.key'}}}", {"gateway.tls.certificate missing_key"});
        row("gateway tls, more", "{'gateway':{'tls':{@@'ciphers':''}}}", {"gateway.tls.ciphers unknown_key"});
        row("proxy protocol", "{'gateway':{'proxy_protocol':@@'v2'}}", {"gateway.proxy_protocol wrong_type"});
        row("certificate alone", "{'admin':{'tls':@@{'certificate':'a.pem'}}}", {"admin.tls.key missing_key"});
        row("key alone", "{'admin':{'tls':@@{'key':'a.key'}}}", {"admin.tls.certificate missing_key"});
        row("node tls", node("'tls':@@[]"), {"nodes[0].tls wrong_type"});
        row("node tls, more", node("'tls':{@@'key':''}"), {"nodes[0].tls.key unknown_key"});
        row("node tls, verify", node("'tls':{'verify':@@'no'}"), {"nodes[0].tls.verify wrong_type"});
        row("node tls, name with a port", node("'tls':{'server_name':@@'worker.test:443'}"), {"nodes[0].tls.server_name invalid_value"});
        row("node tls, name with a star", node("'tls':{'server_name':@@'*.test'}"), {"nodes[0].tls.server_name invalid_value"});
        row("store url", "{'store':{@@'url':''}}", {"store.url not_served"});
        row("every error at once, in the file's order",
            "{\n 'log': {'level': @@'loud'},\n @@'x': 1,\n 'health_check': {'interval_seconds': @@0},\n 'users': [@@7, 'ok', @@' ']\n}",
            {"log.level invalid_value", "x unknown_key", "health_check.interval_seconds out_of_range", "users[0] wrong_type", "users[2] invalid_id"});
    }

    void refusesKeys() { compareWithMarks(); }

    void refusesHealthSettings_data()
    {
        columns();
        row("section of the wrong type", "{'health_check': @@[]}", {"health_check wrong_type"});
        row("path of the wrong type", health("'path':@@8"), {"health_check.path wrong_type"});
        row("relative path", health("'path':@@'health'"), {"health_check.path invalid_value"});
        row("empty path", health("'path':@@''"), {"health_check.path invalid_value"});
        row("path with a line end", health("'path':@@'/a\\r\\nHost: b'"), {"health_check.path invalid_value"});
        row("path with a fragment", health("'path':@@'/a#b'"), {"health_check.path invalid_value"});
        row("interval 0", health("'interval_seconds':@@0"), {"health_check.interval_seconds out_of_range"});
        row("interval negative", health("'interval_seconds':@@-8"), {"health_check.interval_seconds out_of_range"});
        row("interval a string", health("'interval_seconds':@@'8'"), {"health_check.interval_seconds wrong_type"});
        row("interval null", health("'interval_seconds':@@null"), {"health_check.interval_seconds wrong_type"});
        row("interval huge", health("'interval_seconds':@@1e300"), {"health_check.interval_seconds out_of_range"});
        row("interval beyond numbers", health("'interval_seconds':@@1e400"), {"health_check.interval_seconds out_of_range"});
        row("interval too small for numbers", health("'interval_seconds':@@1e-400"), {"health_check.interval_seconds out_of_range"});
        row("timeout longer than the interval", health("'interval_seconds':2,'timeout_seconds':@@2.5"), {"health_check.timeout_seconds timeout_exceeds_interval"});
        row("default timeout longer than the interval", health("'interval_seconds':@@2"), {"health_check.interval_seconds timeout_exceeds_interval"});
        row("no second complaint about a broken interval", health("'interval_seconds':@@'2','timeout_seconds':9"), {"health_check.interval_seconds wrong_type"});
        row("statuses empty", health("'expected_statuses':@@[]"), {"health_check.expected_statuses out_of_range"});
        row("statuses not a list", health("'expected_statuses':@@200"), {"health_check.expected_statuses wrong_type"});
        row("a redirect is no success", health("'expected_statuses':[200,@@302]"), {"health_check.expected_statuses[1] out_of_range"});
        row("status out of range", health("'expected_statuses':[@@99,@@600,@@200.5,@@1e400]"),
            {"health_check.expected_statuses[0] out_of_range", "health_check.expected_statuses[1] out_of_range", "health_check.expected_statuses[2] out_of_range",
                "health_check.expected_statuses[3] out_of_range"});
        row("status a string", health("'expected_statuses':[@@'200']"), {"health_check.expected_statuses[0] wrong_type"});
        row("threshold 0", health("'unhealthy_threshold':@@0"), {"health_check.unhealthy_threshold out_of_range"});
        row("threshold with decimals", health("'healthy_threshold':@@1.5"), {"health_check.healthy_threshold wrong_type"});
        row("threshold beyond int", health("'unhealthy_threshold':@@4294967297"), {"health_check.unhealthy_threshold out_of_range"});
        row("cooldown negative", health("'cooldown_seconds':@@-1"), {"health_check.cooldown_seconds out_of_range"});
        row("cooldown negative in a string", health("'cooldown_seconds':@@'-1'"), {"health_check.cooldown_seconds out_of_range"});
        row("cooldown beyond its upper bound", health("'cooldown_seconds':@@600"), {"health_check.cooldown_seconds out_of_range"});
        row("upper bound below the cooldown", health("'cooldown_seconds':60,'max_cooldown_seconds':@@30"), {"health_check.max_cooldown_seconds out_of_range"});
        row("multiplier below 1", health("'cooldown_multiplier':@@0.5"), {"health_check.cooldown_multiplier out_of_range"});
        row("memory 0", health("'ejection_memory_seconds':@@0"), {"health_check.ejection_memory_seconds out_of_range"});
        row("share over 100", health("'max_ejection_percent':@@101"), {"health_check.max_ejection_percent out_of_range"});
        row("share 0", health("'max_ejection_percent':@@0"), {"health_check.max_ejection_percent out_of_range"});
        row("flaps 0", health("'flap_transitions':@@0"), {"health_check.flap_transitions out_of_range"});
        row("window negative", health("'flap_window_seconds':@@-1"), {"health_check.flap_window_seconds out_of_range"});
    }

    void refusesHealthSettings() { compareWithMarks(); }

    void refusesOtherSettings_data()
    {
        columns();
        row("transport", "{'probe':{'transport':@@'curl'}}", {"probe.transport invalid_value"});
        row("transport of the wrong type", "{'probe':{'transport':@@1}}", {"probe.transport wrong_type"});
        row("in flight 0", "{'probe':{'max_in_flight':@@0}}", {"probe.max_in_flight out_of_range"});
        row("in flight another word", "{'probe':{'max_in_flight':@@'many'}}", {"probe.max_in_flight wrong_type"});
        row("in flight with decimals", "{'probe':{'max_in_flight':@@1.5}}", {"probe.max_in_flight wrong_type"});
        row("in flight too small for the nodes",
            "{'probe':{'max_in_flight':@@1},'health_check':{'interval_seconds':3,'timeout_seconds':3},\n"
                "'nodes':[{'node':'a','role':'worker','url':'http://h:1'},{'node':'b','role':'worker','url':'http://h:1'}]}",
            {"probe.max_in_flight in_flight_too_small"});
        row("scheduler flags", "{'scheduler':{'reservations':@@1,'admit_unknown_apps':@@'true'}}", {"scheduler.reservations wrong_type", "scheduler.admit_unknown_apps wrong_type"});
        row("scheduler seconds", "{'scheduler':{'reservation_settle_seconds':@@-1,'reservation_ttl_seconds':@@0}}",
            {"scheduler.reservation_settle_seconds out_of_range", "scheduler.reservation_ttl_seconds out_of_range"});
        row("registration seconds", "{'registration':{'heartbeat_interval_seconds':@@0,'heartbeat_timeout_seconds':@@'30'}}",
            {"registration.heartbeat_interval_seconds out_of_range", "registration.heartbeat_timeout_seconds wrong_type"});
        row("timeout within interval", "{'registration':{'heartbeat_interval_seconds':10,'heartbeat_timeout_seconds':@@10}}", {"registration.heartbeat_timeout_seconds timeout_within_interval"});
        row("interval over the timeout", "{'registration':{'heartbeat_interval_seconds':@@60}}", {"registration.heartbeat_interval_seconds timeout_within_interval"});
        row("networks", "{'registration':{'probe_allowed_networks':['10.0.0.0/8','::1',@@'10.0.0.1/8',@@'10.0.0.0/33',@@'host',@@7]}}",
            {"registration.probe_allowed_networks[2] invalid_value", "registration.probe_allowed_networks[3] invalid_value", "registration.probe_allowed_networks[4] invalid_value",
                "registration.probe_allowed_networks[5] wrong_type"});
        row("settle between 0 and 0.05", "{'scheduler':{'reservation_settle_seconds':@@0.01}}", {"scheduler.reservation_settle_seconds out_of_range"});
        row("incidents", "{'incidents':{'gap_seconds':@@0,'look_back_seconds':@@-1}}", {"incidents.gap_seconds out_of_range", "incidents.look_back_seconds out_of_range"});
        row("retention", "{'retention':{'events_days':@@0,'events_bytes':@@1000}}", {"retention.events_days out_of_range", "retention.events_bytes out_of_range"});
        row("retention of another kind", "{'retention':{'events_days':@@1.5,@@'days':3}}", {"retention.events_days wrong_type", "retention.days unknown_key"});
        row("passive statuses not a list", "{'passive_statuses':@@'5xx'}", {"passive_statuses wrong_type"});
        row("passive statuses", "{'passive_statuses':['401',@@401,@@'6xx',@@'5XX',@@'50x',@@'',@@'500-599',@@'200',@@'2xx',@@'0401']}",
            {"passive_statuses[1] wrong_type", "passive_statuses[2] invalid_value", "passive_statuses[3] invalid_value", "passive_statuses[4] invalid_value",
                "passive_statuses[5] invalid_value", "passive_statuses[6] invalid_value", "passive_statuses[7] invalid_value", "passive_statuses[8] invalid_value",
                "passive_statuses[9] invalid_value"});
        row("outcome rules not a list", "{'outcome_rules':@@{}}", {"outcome_rules wrong_type"});
        row("outcome rules of the wrong kinds", "{'outcome_rules':[@@7,{'name':@@1,'when':'default_t()'},{'name':'a',@@'if':1,'when':'default_t()','after':@@'3'}]}",
            {"outcome_rules[0] wrong_type", "outcome_rules[1].name wrong_type", "outcome_rules[2].if unknown_key", "outcome_rules[2].after wrong_type"});
        row("outcome rules without members", "{'outcome_rules':[@@{'name':'a'},@@{'when':'default_t()'}]}",
            {"outcome_rules[0].when missing_key", "outcome_rules[1].name missing_key"});
        row("outcome rules that do not compile",
            "{'outcome_rules':[{'name':'a','when':@@'default_t() && nope()'},{'name':@@'a','when':@@'res_json_in()','after':@@0},{'name':@@'a b','when':'default_t()'}]}",
            {"outcome_rules[0].when unknown_primitive", "outcome_rules[1].name duplicate", "outcome_rules[1].when arity", "outcome_rules[1].after out_of_range",
                "outcome_rules[2].name invalid_id"});
        row("modules not a list", "{'gateway':{'modules':@@{},'access_log':@@7}}", {"gateway.modules wrong_type", "gateway.access_log wrong_type"});
        row("listen without port", "{'admin':{'listen':@@'127.0.0.1'}}", {"admin.listen invalid_address"});
        row("listen of the wrong type", "{'gateway':{'listen':@@8780}}", {"gateway.listen wrong_type"});
        row("queue", "{'gateway':{'queue':{'max':@@-1,'timeout_seconds':@@0,@@'most':1}}}",
            {"gateway.queue.max out_of_range", "gateway.queue.timeout_seconds out_of_range", "gateway.queue.most unknown_key"});
        row("trusted proxies", "{'gateway':{'trusted_proxies':['10.0.0.0/8','::1',@@'10.0.0.0/33',@@'proxy',@@1]}}",
            {"gateway.trusted_proxies[2] invalid_value", "gateway.trusted_proxies[3] invalid_value", "gateway.trusted_proxies[4] wrong_type"});
        row("kept connections", "{'gateway':{'max_idle_per_node':@@10001}}", {"gateway.max_idle_per_node out_of_range"});
        row("one address for both", "{'admin':{'listen':@@'127.0.0.1:80'},'gateway':{'listen':'localhost:80'}}", {"admin.listen duplicate_address"});
        row("grace negative", "{'shutdown_grace_seconds':@@-0.5}", {"shutdown_grace_seconds out_of_range"});
        row("grace too long", "{'shutdown_grace_seconds':@@86401}", {"shutdown_grace_seconds out_of_range"});
        row("log level", "{'log':{'level':@@'warn'}}", {"log.level invalid_value"});
        row("log format", "{'log':{'format':@@'JSON'}}", {"log.format invalid_value"});
        row("store of the wrong type", "{'store':@@''}", {"store wrong_type"});
    }

    void refusesOtherSettings() { compareWithMarks(); }

    void refusesNodes_data()
    {
        columns();
        row("not a list", "{'nodes':@@{}}", {"nodes wrong_type"});
        row("not an object", "{'nodes':[@@'a']}", {"nodes[0] wrong_type"});
        row("nothing in it", "{'nodes':[@@@@@@{}]}", {"nodes[0].node missing_key", "nodes[0].role missing_key", "nodes[0].url missing_key"});
        row("no address", "{'nodes':[{'node':'a','role':'edge','url':@@''}]}", {"nodes[0].url missing_key"});
        row("id with a space", "{'nodes':[{'node':@@'gpu 1','role':'edge','url':'http://h'}]}", {"nodes[0].node invalid_id"});
        row("id with a zero-width space", "{'nodes':[{'node':@@'gpu\\u200b1','role':'edge','url':'http://h'}]}", {"nodes[0].node invalid_id"});
        row("id too long", "{'nodes':[{'node':@@'" + std::string(64, 'a') + "','role':'edge','url':'http://h'}]}", {"nodes[0].node invalid_id"});
        row("id a number", "{'nodes':[{'node':@@1,'role':'edge','url':'http://h'}]}", {"nodes[0].node wrong_type"});
        row("id twice", "{'nodes':[{'node':'a','role':'edge','url':'http://h'},{'node':@@'a','role':'edge','url':'http://h'}]}", {"nodes[1].node duplicate_id"});
        row("id twice but for case", "{'nodes':[{'node':'GPU-1','role':'edge','url':'http://h'},{'node':@@'gpu-1','role':'edge','url':'http://h'}]}",
            {"nodes[1].node duplicate_id"});
        row("role", "{'nodes':[{'node':'a','role':@@'wroker','url':'http://h'}]}", {"nodes[0].role invalid_value"});
        for (const char* url : {"127.0.0.1:9000", "HTTP://h", "ftp://h", "http://", "http:///x", "http://u:p@h", "http://h:0", "http://h:65536", "http://h:1x", "http://h/a b",
                 "http://h#x", "http://[::1", "http://[]:1", "http://h\\r\\n", "http://hö", "//h"}) {
            row(url, std::string("{'nodes':[{'node':'a','role':'edge','url':@@'") + url + "\"}]}", {"nodes[0].url invalid_url"});
        }
        row("health url", node("'health_url':@@'srt://h:1'"), {"nodes[0].health_url invalid_url"});
        row("webrtc url", node("'webrtc_base_url':@@'h'"), {"nodes[0].webrtc_base_url invalid_url"});
        row("publish url", node("'publish_url':@@'udp://h:1'"), {"nodes[0].publish_url invalid_url"});
        row("health path", node("'health_path':@@'health'"), {"nodes[0].health_path invalid_value"});
        row("statuses", node("'expected_statuses':[@@301]"), {"nodes[0].expected_statuses[0] out_of_range"});
        row("unknown pool", node("'pool':@@'canary'"), {"nodes[0].pool unknown_pool"});
        row("pool of no user", node("'pool':@@'pool-7'"), {"nodes[0].pool unknown_pool"});
        row("pool in another case", node("'pool':@@'Default'"), {"nodes[0].pool invalid_id"});
        row("empty pool", node("'pool':@@''"), {"nodes[0].pool invalid_id"});
        row("unknown owner", node("'owner':@@'7'"), {"nodes[0].owner unknown_owner"});
        row("owner of the wrong type", node("'owner':@@7"), {"nodes[0].owner wrong_type"});
        row("capacity 0", node("'capacity':@@0"), {"nodes[0].capacity out_of_range"});
        row("capacity too large", node("'capacity':@@1000001"), {"nodes[0].capacity out_of_range"});
        row("capacity beyond int64", node("'capacity':@@18446744073709551617"), {"nodes[0].capacity out_of_range"});
        row("weight negative", node("'weight':@@-1"), {"nodes[0].weight out_of_range"});
        row("region with a control character", node("'region':@@'a\\u0000b'"), {"nodes[0].region invalid_value"});
        row("version too long", node("'version':@@'" + std::string(201, 'v') + "\""), {"nodes[0].version out_of_range"});
    }

    void refusesNodes() { compareWithMarks(); }

    void refusesUsersPoolsAndApps_data()
    {
        columns();
        row("users not a list", "{'users':@@{'7':1}}", {"users wrong_type"});
        row("user a number", "{'users':[@@7]}", {"users[0] wrong_type"});
        row("user twice", "{'users':['7',@@'7']}", {"users[1] duplicate_id"});
        row("user twice but for case", "{'users':['Ann',@@'ann']}", {"users[1] duplicate_id"});
        row("pool without id", "{'pools':[@@{'name':'x'}]}", {"pools[0].pool missing_key"});
        row("pool in upper case", "{'pools':[{'pool':@@'Canary'}]}", {"pools[0].pool invalid_id"});
        row("built-in pool", "{'pools':[{'pool':@@'default'},{'pool':@@'unassigned'},{'pool':@@'pool-7'}]}",
            {"pools[0].pool builtin_pool", "pools[1].pool builtin_pool", "pools[2].pool builtin_pool"});
        row("pool twice", "{'pools':[{'pool':'a'},{'pool':@@'a'}]}", {"pools[1].pool duplicate_id"});
        row("pool figures", "{'pools':[{'pool':'a','canary':@@'yes','min_available':@@-1,'capacity_alarm_percent':@@100.5,'name':@@1}]}",
            {"pools[0].canary wrong_type", "pools[0].min_available out_of_range", "pools[0].capacity_alarm_percent out_of_range", "pools[0].name wrong_type"});
        row("app without id", "{'apps':[@@{}]}", {"apps[0].app missing_key"});
        row("app default", "{'apps':[{'app':@@'default'}]}", {"apps[0].app reserved_id"});
        row("app twice but for case", "{'apps':[{'app':'a'},{'app':@@'A'}]}", {"apps[1].app duplicate_id"});
        row("app of nobody", "{'apps':[{'app':'a','owner':@@'9'}],'users':['7']}", {"apps[0].owner unknown_owner"});
        row("app with a broken id", "{'apps':[{'app':@@'-a'}]}", {"apps[0].app invalid_id"});
        row("binding without both", "{'bindings':[@@@@{}]}", {"bindings[0].pool missing_key", "bindings[0].app missing_key"});
        row("binding of an unknown app", "{'bindings':[{'app':@@'a','pool':'default'}]}", {"bindings[0].app unknown_app"});
        row("binding to an unknown pool", "{'apps':[{'app':'a'}],'bindings':[{'app':'a','pool':@@'b'}]}", {"bindings[0].pool unknown_pool"});
        row("binding to unassigned", "{'apps':[{'app':'a'}],'bindings':[{'app':'a','pool':@@'unassigned'}]}", {"bindings[0].pool sentinel_pool"});
        row("binding of the app default", "{'bindings':[{'app':@@'default','pool':'default'}]}", {"bindings[0].app reserved_id"});
        row("two bindings for one app", "{'apps':[{'app':'a'}],'bindings':[{'app':'a','pool':'default'},{'app':@@'a','pool':'default'}]}",
            {"bindings[1].app duplicate_id"});
        row("fallback of the wrong type", "{'apps':[{'app':'a'}],'bindings':[{'app':'a','pool':'default','allow_fallback_to_default':@@0}]}",
            {"bindings[0].allow_fallback_to_default wrong_type"});
    }

    void refusesUsersPoolsAndApps() { compareWithMarks(); }

    void saysWhatAndWhere_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("line");
        const auto says = [](const char* text, const char* line) { QTest::newRow(line) << QByteArray::fromStdString(text) << QString::fromUtf8(line); };
        says("{\n  'pools': [{'pool': 'canary'}],\n  'nodes': [{'node': 'a', 'role': 'edge', 'url': 'http://h',\n    'pool': 'canry'}]\n}",
            "weir.json:4:13: nodes[0].pool: \"canry\": unknown pool; did you mean \"canary\"?");
        says("{'health_check': {'intervalSeconds': 3}}",
            "weir.json:1:19: health_check.intervalSeconds: 3: unknown key; did you mean \"interval_seconds\"?");
        says("{'log': {'colour': true}}", "weir.json:1:10: log.colour: true: unknown key; known here: level, format");
        says("{'health_check': {'interval_seconds': -1}}",
            "weir.json:1:39: health_check.interval_seconds: -1: must be between 0.05 and 86400 seconds");
        says("{'health_check': {'interval_seconds': 2}}",
            "weir.json:1:39: health_check.interval_seconds: 2: timeout_seconds is 3; it must not be longer than interval_seconds (2)");
        says("{'users': ['Ann',\n 'ann']}", "weir.json:2:2: users[1]: \"ann\": differs only in case from \"Ann\" of users[0] (line 1, column 12)");
        says("{'log': {},\r\n 'log': {}}", "weir.json:2:2: log: {}: key given twice; first at line 1, column 2");
        says("{'webhooks': [{'name': 'ops', 'url': 'http://h', 'kinds': ['pool_dwon']}]}", "weir.json:1:60: webhooks[0].kinds[0]: \"pool_dwon\": is no kind of alarm");
        says("{'webhooks': [{'name': 'a', 'url': 'http://h'}, {'name': 'a', 'url': 'http://h'}]}", "weir.json:1:58: webhooks[1].name: \"a\": another webhook has this name");
        says("{'webhooks': [{'name': 'ops', 'url': 'ftp://h'}]}", "weir.json:1:38: webhooks[0].url: \"ftp://h\": must begin with one of http://, https://");
        says("{'webhooks': [{'name': 'ops', 'url': 'http://h', 'format': 'mail'}]}",
            "weir.json:1:60: webhooks[0].format: \"mail\": must be one of \"webhook\", \"alertmanager\"");
        says("/* ä世 */ {'log': []}", "weir.json:1:18: log: []: must be an object, is a list");
        says("\xEF\xBB\xBF{'log': 1}", "weir.json:1:9: log: 1: must be an object, is a number");
        says("{'users': ['a\xE2\x80\x8B']}", "weir.json:1:12: users[0]: \"a\\u200B\": the id has 0xE2 at position 2; the rule is: letters, digits, '.', '_' "
                                             "and '-', beginning with a letter or digit, at most 63 characters");
        says("{'nodes': [{'node': 'a', 'role': 'edge', 'url': 'http://ann:pw@h'}]}",
            "weir.json:1:49: nodes[0].url: \"http://***@h\": must not hold a user name or password");
        says("{'users': ['7'], 'nodes': [{'node': 'a', 'role': 'edge', 'url': 'http://h', 'pool': 'pool-77'}]}",
            "weir.json:1:85: nodes[0].pool: \"pool-77\": unknown pool: no such user; did you mean \"pool-7\"?");
        says("{'shutdown_grace_seconds': 30", "weir.json:1:30: expected ',' or '}' after the member, found the end of the file");
        says("{'log': {'level': 'warn'}}", "weir.json:1:19: log.level: \"warn\": must be one of \"debug\", \"info\", \"warning\", \"error\"");
    }

    void saysWhatAndWhere()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, line);
        const auto config = read(text.toStdString());
        QVERIFY(!config.has_value());
        QCOMPARE(config.error().size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(toText(config.error().front(), "weir.json")), line);
    }

    void anEmptyFileObjectMeansTheDefaults()
    {
        const auto config = read("// nothing to say\n{ /* yet */ }");
        QVERIFY(config.has_value());
        QVERIFY(config->healthCheck == weir::health::HealthSettings());
        QVERIFY(config->nodes.empty() && config->warnings.empty() && !config->adminListen);
        QCOMPARE(config->passiveStatuses.size(), std::size_t{2});
        QVERIFY(read("{'store':{},'gateway':{},'nodes':[],'passive_statuses':[]}").value().passiveStatuses.empty());
    }

    void readsWhatIsGiven()
    {
        const auto config = read("{\n"
            "'health_check': {'path':'/livez?full=1','interval_seconds':0.5,'timeout_seconds':0.25,'expected_statuses':[200,204,503],'unhealthy_threshold':3,\n"
            "'healthy_threshold':2,'cooldown_seconds':0,'cooldown_multiplier':1.5,'max_cooldown_seconds':120,'ejection_memory_seconds':60,\n"
            "'max_ejection_percent':50,'flap_transitions':5,'flap_window_seconds':10},\n"
            "'probe': {'transport':'qnam','max_in_flight':64},\n"
            "'bindings': [{'app':'shop','pool':'pool-Ann','allow_fallback_to_default':true}],\n"
            "'apps': [{'app':'shop','owner':'Ann'},{'app':'free'}],\n"
            "'nodes': [{'node':'GPU-1','role':'origin','url':'http://[::1]:9000/base','health_url':'https://h.example.test','health_path':'/h','expected_statuses':[204],\n"
            "'webrtc_base_url':'https://h','publish_url':'srt://h:9999?mode=caller','pool':'blue','owner':'Ann','capacity':5,'weight':0,'region':'eu','version':'1.2'},\n"
            "{'node':'w','role':'standalone','health_url':'http://h:1','pool':'unassigned'}],\n"
            "'pools': [{'pool':'blue','name':'Blau ä','canary':true,'min_available':2,'capacity_alarm_percent':12.5},{'pool':'green'}],\n"
            "'users': ['Ann'],\n"
            "'scheduler': {'reservations':false,'reservation_settle_seconds':0,'reservation_ttl_seconds':5,'admit_unknown_apps':false},\n"
            "'registration': {'heartbeat_interval_seconds':1,'heartbeat_timeout_seconds':2.5,'probe_allowed_networks':['10.0.0.0/8','fd00::/8']},\n"
            "'passive_statuses': ['401','5xx','429'], 'incidents': {'gap_seconds':60,'look_back_seconds':0}, 'retention': {'events_days':7,'events_bytes':16777216},\n"
            "'admin': {'listen':'[::1]:0'}, 'gateway': {'listen':'0.0.0.0:80','queue':{'max':0,'timeout_seconds':1.5},'trusted_proxies':['::1'],'max_idle_per_node':0},\n"
            "'shutdown_grace_seconds': 0, 'log': {'level':'error','format':'json'}}");
        QVERIFY2(config.has_value(), config ? "" : qPrintable(described(config.error())));
        weir::health::HealthSettings settings{"/livez?full=1", 0.5, 0.25, {200, 204, 503}, 3, 2, 0, 1.5, 120, 60, 50.0, 5, 10};
        QVERIFY(config->healthCheck == settings);
        QVERIFY(config->probe == (ProbeSettings{ProbeTransportChoice::Qnam, 64}));
        const NodeEntry& full = config->nodes.at(0);
        QCOMPARE(full.node.text(), std::string("GPU-1"));
        QVERIFY(full.role == weir::Role::Origin);
        QCOMPARE(full.url + " " + full.healthUrl + " " + full.healthPath, std::string("http://[::1]:9000/base https://h.example.test /h"));
        QCOMPARE(full.webrtcBaseUrl + " " + full.publishUrl + " " + full.region + " " + full.version, std::string("https://h srt://h:9999?mode=caller eu 1.2"));
        QVERIFY(full.expectedStatuses == std::vector<int>{204});
        QVERIFY(full.pool->text() == "blue" && full.owner->text() == "Ann" && full.capacity == 5 && full.weight == 0);
        QCOMPARE(full.at.line, std::size_t{8});
        const NodeEntry& sparse = config->nodes.at(1);
        QVERIFY(sparse.url.empty() && !sparse.owner && sparse.capacity == 1 && sparse.weight == 10 && sparse.pool->text() == "unassigned");
        const PoolEntry& pool = config->pools.at(0);
        QVERIFY(pool.name == "Blau ä" && pool.canary && pool.minAvailable == 2 && pool.capacityAlarmPercent == 12.5);
        QVERIFY(config->apps.at(0).owner->text() == "Ann" && !config->apps.at(1).owner);
        QVERIFY(config->bindings.at(0).pool.text() == "pool-Ann" && config->bindings.at(0).allowFallbackToDefault);
        QVERIFY(config->scheduler == (SchedulerSettings{false, 0, 5, false}));
        QVERIFY(config->registration.heartbeatIntervalSeconds == 1 && config->registration.heartbeatTimeoutSeconds == 2.5);
        QVERIFY(config->registration.probeAllowedNetworks == (std::vector<weir::IpNetwork>{*weir::IpNetwork::parse("10.0.0.0/8"), *weir::IpNetwork::parse("fd00::/8")}));
        QVERIFY(config->passiveStatuses == (std::vector<StatusRange>{{401, 401}, {500, 599}, {429, 429}}));
        QVERIFY(*config->adminListen == (ListenAddress{"::1", 0}) && *config->gatewayListen == (ListenAddress{"0.0.0.0", 80}));
        QVERIFY(config->gateway == (GatewaySettings{0, 1.5, {"::1"}, 0, {}, {}, {}, false}));
        QVERIFY(config->shutdownGraceSeconds == 0 && config->log == (LogSettings{weir::LogLevel::Error, LogFormat::Json}));
    }

    void readsWhatIsSaidOfTls()
    {
        const auto config = read("{'gateway':{'tls':{'certificate':'c.pem','key':'k.pem'},'proxy_protocol':true},\n"
            "'nodes':[{'node':'a','role':'worker','url':'https://h','tls':{'ca':'ca.pem','server_name':'worker.test','verify':false}},\n"
            "{'node':'b','role':'worker','url':'https://h','tls':{'server_name':'::1'}}, {'node':'c','role':'worker','url':'http://h','health_url':'https://h','tls':{'ca':'x'}},\n"
            "{'node':'d','role':'worker','url':'http://h','tls':{'ca':'','server_name':'','verify':true}}]}");
        QVERIFY2(config.has_value(), config ? "" : qPrintable(described(config.error())));
        QVERIFY(config->gateway.tls == (TlsFiles{"c.pem", "k.pem"}) && config->gateway.proxyProtocol);
        QVERIFY(config->nodes.at(0).tls == (weir::NodeTls{"ca.pem", "worker.test", false}) && config->nodes.at(0).declared.contains("tls"));
        QVERIFY(config->nodes.at(1).tls == (weir::NodeTls{"", "::1", true}));
        QVERIFY(config->warnings.empty());
        const auto idle = read("{'nodes':[{'node':'a','role':'worker','url':'http://h','health_url':'http://h',\n'tls':{'verify':false}}]}");
        QCOMPARE(idle->warnings.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(idle->warnings.front().path + " " + idle->warnings.front().code), QStringLiteral("nodes[0].tls tls_unused"));
    }

    void filesOfTlsAreLookedAt()
    {
        ReadOptions options;
        options.certificateCheck = [](const std::string& certificate, const std::string& key) -> weir::Result<void> {
            return certificate == "good" && key == "good" ? weir::Result<void>() : weir::fail("invalid_certificate", "It is bad.", certificate == "good" ? "key" : "certificate");
        };
        options.authoritiesCheck = [](const std::string& file) -> weir::Result<void> { return file == "good" ? weir::Result<void>() : weir::fail("invalid_certificate", "It is bad.", "ca"); };
        const auto refused = read("{'gateway':{'tls':{'certificate':'good','key':'bad'}},'admin':{'tls':{'certificate':'bad','key':'good'}},\n"
            "'nodes':[{'node':'a','role':'worker','url':'https://h','tls':{'ca':'bad'}}]}", options);
        QVERIFY(!refused.has_value());
        QCOMPARE(summary(refused.error()), lines({"gateway.tls.key invalid_certificate", "admin.tls.certificate invalid_certificate", "nodes[0].tls.ca invalid_certificate"}));
        QCOMPARE(QString::fromStdString(refused.error().front().message), QStringLiteral("It is bad"));
        QVERIFY(read("{'gateway':{'tls':{'certificate':'good','key':'good'}},'nodes':[{'node':'a','role':'worker','url':'https://h','tls':{'ca':'good'}}]}", options).has_value());
    }

    void declaredKeysTellGivenFromDefault()
    {
        const auto config = read("{'nodes':[{'weight':10,'node':'a','role':'edge','url':'http://h'}],'pools':[{'pool':'p','canary':false}],\n"
            "'health_check':{'cooldown_seconds':60}}");
        QVERIFY(config.has_value());
        QVERIFY(config->nodes.at(0).declared.names == (std::vector<std::string_view>{"weight", "node", "role", "url"}));
        QVERIFY(!config->nodes.at(0).declared.contains("capacity"));
        QVERIFY(config->pools.at(0).declared.contains("canary") && !config->pools.at(0).declared.contains("name"));
        QVERIFY(config->declaredHealthCheck.names == std::vector<std::string_view>{"cooldown_seconds"});
    }

    void cooldownIsLenient_data()
    {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<bool>("warns");
        QTest::newRow("number") << QByteArray("45.5") << 45.5 << false;
        QTest::newRow("0 is off") << QByteArray("0") << 0.0 << false;
        QTest::newRow("numeric string") << QByteArray("\"45\"") << 45.0 << false;
        QTest::newRow("numeric string with blanks") << QByteArray("\" 45 \"") << 45.0 << false;
        QTest::newRow("0 in a string") << QByteArray("\"0\"") << 0.0 << false;
        QTest::newRow("null") << QByteArray("null") << 60.0 << true;
        QTest::newRow("word") << QByteArray("\"soon\"") << 60.0 << true;
        QTest::newRow("number and unit") << QByteArray("\"60s\"") << 60.0 << true;
        QTest::newRow("empty string") << QByteArray("\"\"") << 60.0 << true;
        QTest::newRow("blanks") << QByteArray("\"  \"") << 60.0 << true;
        QTest::newRow("not a number") << QByteArray("\"nan\"") << 60.0 << true;
        QTest::newRow("beyond numbers, in a string") << QByteArray("\"1e400\"") << 60.0 << true;
        QTest::newRow("false") << QByteArray("false") << 60.0 << true;
        QTest::newRow("list") << QByteArray("[30]") << 60.0 << true;
        QTest::newRow("object") << QByteArray("{}") << 60.0 << true;
    }

    void cooldownIsLenient()
    {
        QFETCH(QByteArray, written);
        QFETCH(double, seconds);
        QFETCH(bool, warns);
        const auto config = read(health("\n'cooldown_seconds':" + written.toStdString()));
        QVERIFY2(config.has_value(), config ? "" : qPrintable(described(config.error())));
        QCOMPARE(config->healthCheck.cooldownSeconds, seconds);
        QCOMPARE(config->warnings.size(), std::size_t(warns ? 1 : 0));
        if (warns) {
            const ConfigIssue& warning = config->warnings.front();
            QCOMPARE(QString::fromStdString(warning.path + " " + warning.code), QStringLiteral("health_check.cooldown_seconds lenient_cooldown"));
            QCOMPARE((Position{warning.line, warning.column}), (Position{2, 20}));
        }
    }

    void whatTheStoreHoldsIsKnown()
    {
        ReadOptions options;
        options.known = KnownEntities{{"Ann"}, {"blue"}, {"shop"}, {"GPU-1"}};
        const std::string text = "{'nodes':[{'node':'GPU-1','role':'edge','url':'http://h','pool':'blue','owner':'Ann'},{'node':'n','role':'edge','url':'http://h','pool':'pool-Ann'}],\n"
            "'bindings':[{'app':'shop','pool':'blue'}],'users':['Ann'],'pools':[{'pool':'blue'}],'apps':[{'app':'shop'}]}";
        const auto config = read(text, options);
        QVERIFY2(config.has_value(), config ? "" : qPrintable(described(config.error())));

        const auto clash = read("{'users':['ann'],'apps':[{'app':'Shop'}],'nodes':[{'node':'gpu-1','role':'edge','url':'http://h'}]}", options);
        QVERIFY(!clash.has_value());
        QCOMPARE(summary(clash.error()), lines({"users[0] duplicate_id", "apps[0].app duplicate_id", "nodes[0].node duplicate_id"}));
        QVERIFY(QString::fromStdString(clash.error().at(0).message).contains(QStringLiteral("\"Ann\", which exists already")));

        const auto misspelt = read("{'bindings':[{'app':'shpo','pool':'bleu'}]}", options);
        QVERIFY(described(misspelt.error()).contains(QStringLiteral("did you mean \"shop\"?")));
        QVERIFY(described(misspelt.error()).contains(QStringLiteral("did you mean \"blue\"?")));
    }

    void inFlightCountsEveryNodeOnce()
    {
        ReadOptions options;
        for (int i = 0; i < 100; ++i) {
            options.known.nodes.insert("n" + std::to_string(i));
        }
        // n7 is in both: 101 nodes × 3 s ÷ 8 s = 37.875.
        const auto text = [](int limit) {
            return "{'probe':{'max_in_flight':" + std::to_string(limit)
                + "},'nodes':[{'node':'n7','role':'edge','url':'http://h'},{'node':'new','role':'edge','url':'http://h'}]}";
        };
        QCOMPARE(read(text(38), options).value().probe.maxInFlight.value(), 38);
        const auto tooSmall = read(text(37), options);
        QCOMPARE(summary(tooSmall.error()), lines({"probe.max_in_flight in_flight_too_small"}));
        QVERIFY(QString::fromStdString(tooSmall.error().front().message).contains(QStringLiteral("at least 38 ")));
        QVERIFY(!read("{'probe':{'max_in_flight':'auto'}}", options).value().probe.maxInFlight.has_value());
    }

    void addressesAreShownToTheProber()
    {
        ReadOptions options;
        std::vector<std::string> asked;
        options.healthUrlCheck = [&asked](const std::string& base, const std::string& path) -> weir::Result<std::string> {
            asked.push_back(base + " " + path);
            if (base.find("..") != std::string::npos || path.find("..") != std::string::npos) {
                return weir::fail("not_canonical", "would be sent as something else.", "url");
            }
            return base + path;
        };
        const Marked marked = unmark("{'health_check':{'path':@@'/x/../y'},'nodes':[\n"
            "{'node':'a','role':'edge','url':@@'http://h/..','health_path':'/p'},\n"
            "{'node':'b','role':'edge','url':'http://h','health_url':@@'http://g/..','health_path':'/p'},\n"
            "{'node':'c','role':'edge','url':'http://h','health_path':@@'/p/..'},\n"
            "{'node':'d','role':'edge','url':'http://h'}]}");
        const auto config = read(marked.text, options);
        QVERIFY(!config.has_value());
        QCOMPARE(summary(config.error()), lines({"health_check.path not_canonical", "nodes[0].url not_canonical", "nodes[1].health_url not_canonical",
                                              "nodes[2].health_path not_canonical"}));
        for (std::size_t i = 0; i < marked.places.size(); ++i) {
            QCOMPARE((Position{config.error()[i].line, config.error()[i].column}), marked.places[i]);
        }
        QCOMPARE(asked.front(), std::string("http://127.0.0.1 /x/../y"));
        QVERIFY(std::find(asked.begin(), asked.end(), "http://g/.. /p") != asked.end());
    }

    void listsAtMostTenThousandErrors()
    {
        std::string text = "{\"users\":[";
        for (int i = 0; i < 12000; ++i) {
            text += i == 0 ? "1" : ",1";
        }
        const auto config = read(text + "]}");
        QVERIFY(!config.has_value());
        QCOMPARE(config.error().size(), std::size_t{10000});
        QCOMPARE(config.error().back().code, std::string("too_many_errors"));
        QCOMPARE(config.error().back().message, std::string("2001 more errors not listed"));
        QCOMPARE(config.error().at(9998).path, std::string("users[9998]"));
    }

    void tenThousandWrongNodesOnOneLineAreListedSoon()
    {
        std::string text = "{\"nodes\":[";
        for (int i = 0; i < 9000; ++i) {
            const std::string number = std::to_string(i);
            text += (i == 0 ? "" : ",") + std::string("{'node':'node-") + number + "','role':'worker','url':'http://h','pool':'pool-" + number + "'}";
        }
        text += "],'users':['x'";
        for (int i = 0; i < 9000; ++i) {
            text += ",\"user-" + std::to_string(i) + "\"";
        }
        QElapsedTimer timer;
        timer.start();
        const auto config = read(text + "]}");
        QCOMPARE(config.error().size(), std::size_t{9000});
        QCOMPARE(config.error().back().line, std::size_t{1});
        // Quadratic work would take minutes.
        QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
    }

    void readsFiles()
    {
        QTemporaryDir directory;
        const std::string path = directory.filePath(QStringLiteral("weir.json")).toStdString();
        std::ofstream(path) << "{\"users\": [\"7\"]}\n";
        QCOMPARE(readConfigFile(path).value().users.at(0).user.text(), std::string("7"));

        const std::string missing = path + ".missing";
        const auto none = readConfigFile(missing);
        QCOMPARE(none.error().size(), std::size_t{1});
        QCOMPARE(none.error().front().code, std::string("unreadable_file"));
        QCOMPARE(toText(none.error().front(), "x.json"), std::string("x.json: cannot be read: No such file or directory"));
        QCOMPARE(readConfigFile(directory.path().toStdString()).error().front().code, std::string("unreadable_file"));
        QCOMPARE(readConfigFile("/dev/zero").error().front().code, std::string("too_large"));
    }
};

QTEST_GUILESS_MAIN(TestConfigReader)
#include "TestConfigReader.moc"
