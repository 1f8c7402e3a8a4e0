<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ActionRules</name>
    <message>
        <source>Disconnected since %1; actions are off until data is live.</source>
        <translation>自 %1 起断开；数据恢复实时前操作不可用。</translation>
    </message>
    <message>
        <source>viewer</source>
        <translation>viewer</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>operator</translation>
    </message>
    <message>
        <source>You are %1; this needs %2.</source>
        <translation>您是 %1；此操作需要 %2。</translation>
    </message>
    <message>
        <source>superadmin</source>
        <translation>superadmin</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>node or app or alarm: refusal</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>AlarmWords</name>
    <message>
        <source>Pool exhausted</source>
        <translation>池资源耗尽</translation>
    </message>
    <message>
        <source>Pool down</source>
        <translation>池不可用</translation>
    </message>
    <message>
        <source>Too few available</source>
        <translation>可用数低于下限</translation>
    </message>
    <message>
        <source>Capacity low</source>
        <translation>容量不足</translation>
    </message>
    <message>
        <source>Last candidate lost</source>
        <translation>最后的候选已失</translation>
    </message>
    <message>
        <source>Health disagrees</source>
        <translation>探测与流量不符</translation>
    </message>
    <message>
        <source>Ejected together</source>
        <translation>同时被摘除</translation>
    </message>
    <message>
        <source>Plane isolated</source>
        <translation>控制面被隔离</translation>
    </message>
    <message>
        <source>Probe stalled</source>
        <translation>探测停滞</translation>
    </message>
    <message>
        <source>Node flapping</source>
        <translation>节点反复上下</translation>
    </message>
    <message>
        <source>Apps unreachable</source>
        <translation>应用不可达</translation>
    </message>
    <message>
        <source>Registration refused</source>
        <translation>注册被拒</translation>
    </message>
    <message>
        <source>Store behind</source>
        <translation>存储滞后</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Firing</source>
        <translation>触发中</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>已并入</translation>
    </message>
    <message>
        <source>Silenced</source>
        <translation>已静默</translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>Cleared</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>pool %1</source>
        <translation>池 %1</translation>
    </message>
    <message>
        <source>several apps</source>
        <translation>多个应用</translation>
    </message>
    <message>
        <source>app %1</source>
        <translation>应用 %1</translation>
    </message>
    <message>
        <source>role %1</source>
        <translation>角色 %1</translation>
    </message>
    <message>
        <source>address %1</source>
        <translation>地址 %1</translation>
    </message>
    <message>
        <source>the control plane</source>
        <translation>控制面</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>kind of alarm, what it is about</comment>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2, %3, %n time(s), last %4</source>
        <comment>name of an alarm, severity, state, time</comment>
        <translation>
            <numerusform>%1，%2，%3，%n 次，最近 %4</numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation>未结束</translation>
    </message>
    <message>
        <source>acknowledged</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>resolved</source>
        <translation>已解决</translation>
    </message>
    <message>
        <source>#%1 · %2 · %3 · %4</source>
        <comment>number, severity, state, headline of an incident</comment>
        <translation>#%1 · %2 · %3 · %4</translation>
    </message>
</context>
<context>
    <name>AppWords</name>
    <message>
        <source>Explicit binding</source>
        <translation>显式绑定</translation>
    </message>
    <message>
        <source>Owner&apos;s pool</source>
        <translation>所有者的池</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>fail-closed</source>
        <translation>失败关闭</translation>
    </message>
    <message>
        <source>none: default is the last pool</source>
        <translation>无：default 是最后的池</translation>
    </message>
    <message>
        <source>allowed while user %1 owns no node</source>
        <translation>user %1 没有节点期间允许</translation>
    </message>
    <message>
        <source>fail-closed: user %1 owns nodes</source>
        <translation>失败关闭：user %1 拥有节点</translation>
    </message>
    <message>
        <source>allowed by the binding (recorded, breaks isolation)</source>
        <translation>绑定允许（会记录，打破用户间隔离）</translation>
    </message>
    <message>
        <source>fail-closed by the binding</source>
        <translation>绑定规定失败关闭</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Would fall back to default (%1)</source>
        <translation>会回退到 default（%1）</translation>
    </message>
    <message>
        <source>Fails closed</source>
        <translation>失败关闭</translation>
    </message>
    <message>
        <source>Resolves to empty pool</source>
        <translation>解析到空池</translation>
    </message>
    <message>
        <source>no owner is known</source>
        <translation>所有者未知</translation>
    </message>
    <message>
        <source>user %1, pool-%1; not reached</source>
        <translation>user %1，pool-%1；未走到此步</translation>
    </message>
    <message>
        <source>user %1, so pool-%1</source>
        <translation>user %1，因此是 pool-%1</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>到 %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>default; not reached</source>
        <translation>default；未走到此步</translation>
    </message>
    <message>
        <source>default</source>
        <translation>default</translation>
    </message>
    <message>
        <source>%1. %2: %3 — this one decides</source>
        <comment>number, rule, what it says</comment>
        <translation>%1. %2：%3 — 由此决定</translation>
    </message>
    <message>
        <source>%1. %2: %3</source>
        <comment>number, rule, what it says</comment>
        <translation>%1. %2：%3</translation>
    </message>
    <message>
        <source>%1, resolves to %2 by %3, fallback %4, available: %5 origins, %6 edges, %7 workers, %8</source>
        <translation>%1，按%3解析到 %2，回退：%4，可用：origin %5，edge %6，worker %7，%8</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Online</source>
        <translation>在线</translation>
    </message>
    <message>
        <source>Failing %1/%2</source>
        <translation>探测失败 %1/%2</translation>
    </message>
    <message>
        <source>Failing</source>
        <translation>探测失败</translation>
    </message>
    <message>
        <source>Quarantined %1 s</source>
        <translation>隔离中 %1 秒</translation>
    </message>
    <message>
        <source>Quarantined</source>
        <translation>隔离中</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Draining</source>
        <translation>排空中</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>无数据</translation>
    </message>
    <message>
        <source>Awaits a probe</source>
        <translation>等待探测</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>At risk (%1 available)</source>
        <translation>有风险（剩 %1 可用）</translation>
    </message>
    <message>
        <source>Exhausted</source>
        <translation>已耗尽</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>Out of scheduling</source>
        <translation>不参与调度</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Degraded %1&#xa0;%</source>
        <translation>降级 %1&#xa0;%</translation>
    </message>
    <message>
        <source>Failing %1&#xa0;%</source>
        <translation>失败 %1&#xa0;%</translation>
    </message>
    <message>
        <source>No effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>For %n app(s)</source>
        <translation>可用于 %n 个应用</translation>
    </message>
    <message>
        <source>No app resolves here</source>
        <translation>没有应用解析到此</translation>
    </message>
    <message>
        <source>Blocked: %1</source>
        <translation>受阻：%1</translation>
    </message>
    <message>
        <source>Falls back</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>Fails closed</source>
        <translation>失败关闭</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>Met</source>
        <translation>达标</translation>
    </message>
    <message>
        <source>At risk</source>
        <translation>有风险</translation>
    </message>
    <message>
        <source>Missed</source>
        <translation>未达标</translation>
    </message>
    <message>
        <source>unhealthy</source>
        <translation>不健康</translation>
    </message>
    <message>
        <source>quarantined</source>
        <translation>隔离中</translation>
    </message>
    <message>
        <source>draining</source>
        <translation>排空中</translation>
    </message>
    <message>
        <source>unchecked</source>
        <translation>未探测</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>no capacity</source>
        <translation>无余量</translation>
    </message>
    <message>
        <source>other role</source>
        <translation>角色不符</translation>
    </message>
    <message>
        <source>no endpoint</source>
        <translation>缺少端点</translation>
    </message>
    <message>
        <source>For undeclared apps</source>
        <translation>供未声明的应用</translation>
    </message>
</context>
<context>
    <name>Demo</name>
    <message>
        <source>Free play</source>
        <translation>自由演练</translation>
    </message>
    <message>
        <source>A: green but broken</source>
        <translation>A：显示正常，实际已坏</translation>
    </message>
    <message>
        <source>B: all green, nothing chosen</source>
        <translation>B：全绿，却选不出节点</translation>
    </message>
    <message>
        <source>Six workers, all green</source>
        <translation>六个工作节点，全部正常</translation>
    </message>
    <message>
        <source>Six workers make images, and every request goes through the gateway. On the Nodes page compare the columns Probe and Traffic.</source>
        <translation>六个工作节点生成图片，每个请求都经过网关。请在“节点”页对照“探测”和“流量”两列。</translation>
    </message>
    <message>
        <source>Probe says that a process answers, Traffic says what callers get. So far they agree.</source>
        <translation>“探测”说明进程有应答，“流量”说明调用方得到了什么。目前两者一致。</translation>
    </message>
    <message>
        <source>A disk is full</source>
        <translation>一块磁盘写满</translation>
    </message>
    <message>
        <source>gpu-03 has run out of disk. Its check only asks whether the model is loaded. What does Probe say now?</source>
        <translation>gpu-03 的磁盘已满，而它的健康检查只问模型是否已加载。现在“探测”显示什么？</translation>
    </message>
    <message>
        <source>The check stays green while callers get errors: it asks the wrong question.</source>
        <translation>调用方收到错误，检查却一直是绿色：它问错了问题。</translation>
    </message>
    <message>
        <source>Out and back again</source>
        <translation>出去又回来</translation>
    </message>
    <message>
        <source>Now and then an HTTP 500 takes gpu-03 out, and the next green probe brings it back. Which column tells the truth?</source>
        <translation>偶尔一个 HTTP 500 使 gpu-03 退出轮转，下一次成功的探测又把它带回来。哪一列说的是真话？</translation>
    </message>
    <message>
        <source>Traffic does, but not all of it: nine errors in ten hide in an HTTP 200, and nothing counts them yet.</source>
        <translation>是“流量”，但还不完整：十个错误中有九个藏在 HTTP 200 里，目前没有任何规则统计它们。</translation>
    </message>
    <message>
        <source>Three defences</source>
        <translation>三道防线</translation>
    </message>
    <message>
        <source>Switch on quarantine, the deep check and the rule for business errors, in any order, and watch gpu-03 after each.</source>
        <translation>请按任意顺序打开隔离、深度检查和业务错误规则，每打开一项都观察 gpu-03。</translation>
    </message>
    <message>
        <source>With all three gpu-03 is out and stays out, and callers notice nothing: the other five serve them.</source>
        <translation>三项全开后，gpu-03 退出并保持退出，调用方毫无察觉：其余五个节点为他们服务。</translation>
    </message>
    <message>
        <source>Room on the disk</source>
        <translation>磁盘腾出空间</translation>
    </message>
    <message>
        <source>Somebody makes room on the disk. Who has to bring gpu-03 back?</source>
        <translation>有人清理出了磁盘空间。需要谁把 gpu-03 带回来？</translation>
    </message>
    <message>
        <source>Nobody: the first good probe after the quarantine did.</source>
        <translation>谁都不需要：隔离结束后的第一次成功探测就把它带回来了。</translation>
    </message>
    <message>
        <source>Quarantine is on: a green probe brings gpu-03 back only once the countdown is over, and then it fails again. Switch on another defence.</source>
        <translation>隔离已打开：倒计时结束之后，成功的探测才会把 gpu-03 带回来，随后它又会失败。请再打开一道防线。</translation>
    </message>
    <message>
        <source>The rule counts errors inside a 200: Traffic shows them as semantic, and three in a row take gpu-03 out. Switch on another defence.</source>
        <translation>规则会统计 200 里的错误：“流量”把它们显示为语义错误，连续三个就使 gpu-03 退出。请再打开一道防线。</translation>
    </message>
    <message>
        <source>The deep check asks for disk space: two failed probes, and gpu-03 is out until there is room. Switch on another defence.</source>
        <translation>深度检查会查看磁盘空间：两次探测失败后 gpu-03 退出，直到有空间为止。请再打开一道防线。</translation>
    </message>
    <message>
        <source>One more defence is off. Switch it on: each of them covers what the others miss.</source>
        <translation>还有一道防线没有打开。请打开它：每一道都能补上其他几道遗漏的部分。</translation>
    </message>
    <message>
        <source>All three are on. Watch gpu-03 stay out, and the errors of callers stop.</source>
        <translation>三道防线已全部打开。请观察 gpu-03 保持退出，调用方的错误随之停止。</translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>After a failure in use no probe brings a worker back for 20 s (cooldown_seconds)</source>
        <translation>使用中失败之后的 20 秒内，任何探测都不会把节点带回来（cooldown_seconds）</translation>
    </message>
    <message>
        <source>Deep check</source>
        <translation>深度检查</translation>
    </message>
    <message>
        <source>The workers&apos; /health also looks at the disk, as weir-worker does</source>
        <translation>工作节点的 /health 也查看磁盘，与 weir-worker 一样</translation>
    </message>
    <message>
        <source>Business errors</source>
        <translation>业务错误</translation>
    </message>
    <message>
        <source>An outcome rule: three answers in a row with code 50007 count as a failure</source>
        <translation>一条结果规则：连续三个带有错误码 50007 的应答计为一次失败</translation>
    </message>
    <message>
        <source>Three origins, all green</source>
        <translation>三个源站，全部正常</translation>
    </message>
    <message>
        <source>Three healthy origins stand in pool-1. No app has a binding or an owner, so all resolve to default, which has no origin.</source>
        <translation>pool-1 中有三个健康的源站。没有应用设置绑定或所有者，因此全部解析到 default，而 default 中没有源站。</translation>
    </message>
    <message>
        <source>Green says that a process answers. It does not say that any app can reach it.</source>
        <translation>绿色只说明进程有应答，并不说明有应用能用到它。</translation>
    </message>
    <message>
        <source>Every publish is refused</source>
        <translation>每次推流都被拒绝</translation>
    </message>
    <message>
        <source>Publishers arrive. Compare the refusals with the Nodes page: not one node is red.</source>
        <translation>推流端开始接入。请把拒绝记录与“节点”页对照：没有一个节点是红色。</translation>
    </message>
    <message>
        <source>Every publish was refused while every node was green: no node is broken, the apps look in the wrong pool.</source>
        <translation>所有节点都是绿色，推流却全部被拒绝：没有节点损坏，是应用找错了池。</translation>
    </message>
    <message>
        <source>Ask why</source>
        <translation>问一问为什么</translation>
    </message>
    <message>
        <source>Select an app on Apps &amp; bindings and press Ctrl+I: which step of the decision leaves nobody?</source>
        <translation>在“应用与绑定”中选择一个应用并按 Ctrl+I：决策在哪一步没有剩下任何节点？</translation>
    </message>
    <message>
        <source>The decision names the pool, the rule that led there, and where the healthy origins are.</source>
        <translation>决策说明了是哪个池、依据哪条规则，以及健康的源站在哪里。</translation>
    </message>
    <message>
        <source>Two remedies</source>
        <translation>两种补救办法</translation>
    </message>
    <message>
        <source>Move the origins to default, or select all apps and set their owner to user 1. Both work; which one keeps user 1&apos;s nodes for user 1?</source>
        <translation>把源站移动到 default，或选择全部应用并把所有者设为用户 1。两者都有效；哪一种能让用户 1 的节点只供用户 1 使用？</translation>
    </message>
    <message>
        <source>It works, but the origins of user 1 now serve everybody: the isolation is gone. Undo the move and set the owner of the apps instead.</source>
        <translation>有效，但用户 1 的源站现在为所有人服务：隔离没有了。请撤销移动，改为设置应用的所有者。</translation>
    </message>
    <message>
        <source>The apps resolve to pool-1 now: served, by the nodes that are meant for them, and no node moved.</source>
        <translation>应用现在解析到 pool-1：由本来就属于它们的节点提供服务，且没有移动任何节点。</translation>
    </message>
    <message>
        <source>The report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>What happened stands in the report of the incident. Open it with Ctrl+E (Incident, Export report…), and save or copy it.</source>
        <translation>发生的一切都在事故报告里。用 Ctrl+E（“事故”菜单，“导出报告…”）打开它，然后保存或复制。</translation>
    </message>
    <message>
        <source>The report has the facts, each with the number of its event. What they mean is left for people to write.</source>
        <translation>报告里是事实，每条都带事件编号；它们意味着什么，由人来写。</translation>
    </message>
</context>
<context>
    <name>ExplanationText</name>
    <message>
        <source>%1 → %2, because a binding names it.</source>
        <translation>%1 → %2，因为绑定指定了它。</translation>
    </message>
    <message>
        <source>%1 → %2, because its owner is %3.</source>
        <translation>%1 → %2，因为其所有者是 %3。</translation>
    </message>
    <message>
        <source>%1 → %2, because it has neither a binding nor a known owner.</source>
        <translation>%1 → %2，因为它既无绑定也无已知所有者。</translation>
    </message>
    <message>
        <source>Fallback to default: allowed</source>
        <translation>回退到 default：允许</translation>
    </message>
    <message>
        <source>Fallback to default: off</source>
        <translation>回退到 default：关闭</translation>
    </message>
    <message>
        <source>%1 %2.</source>
        <comment>resolution, fallback</comment>
        <translation>%1%2。</translation>
    </message>
    <message>
        <source>%1 %2 (%3).</source>
        <comment>resolution, fallback, why</comment>
        <translation>%1%2（%3）。</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 considered = %n candidate(s)</source>
        <translation>
            <numerusform>%1：考察 %2 个 = %n 个候选</numerusform>
        </translation>
    </message>
    <message>
        <source> + %1 %2</source>
        <comment>one term of a sum: count, what they are</comment>
        <translation> + %1 个%2</translation>
    </message>
    <message>
        <source>%1 (the figures of the control plane do not add up)</source>
        <translation>%1（控制面给出的数字对不上）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>pool: healthy nodes</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source># Why (not) chosen: %1, role %2, needs %3</source>
        <translation># 为何（未）选中：%1，角色 %2，需要 %3</translation>
    </message>
    <message>
        <source>Dry run at %1: nothing sent, no alarm, no counter.</source>
        <translation>%1 的试运行：未发送任何内容，不告警，不计数。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Also</source>
        <translation>另有</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Pending</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>Healthy nodes of the role elsewhere</source>
        <translation>其他池中该角色的健康节点</translation>
    </message>
    <message>
        <source>Single changes that would help</source>
        <translation>单项改动即可解决</translation>
    </message>
</context>
<context>
    <name>FleetVerdict</name>
    <message>
        <source>Events are not being written; the history may be incomplete.</source>
        <translation>事件未能写入；历史可能不完整。</translation>
    </message>
    <message numerus="yes">
        <source>All %n app(s) schedulable; %1 of %2 workers serving.</source>
        <translation>
            <numerusform>全部 %n 个应用可调度；%2 个 worker 中 %1 个在服务。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 workers serving.</source>
        <translation>%2 个 worker 中 %1 个在服务。</translation>
    </message>
    <message>
        <source>Connecting to the control plane…</source>
        <translation>正在连接控制面…</translation>
    </message>
    <message>
        <source>What is shown may be out of date.</source>
        <translation>所示内容可能已过期。</translation>
    </message>
    <message>
        <source>Nothing is known about the fleet yet.</source>
        <translation>尚不了解集群状况。</translation>
    </message>
    <message>
        <source>Collecting the state of the fleet…</source>
        <translation>正在收集集群状态…</translation>
    </message>
    <message>
        <source>Disconnected since %1 (%2).</source>
        <translation>自 %1（%2）起断开。</translation>
    </message>
    <message>
        <source>Disconnected.</source>
        <translation>已断开。</translation>
    </message>
    <message>
        <source>What is shown is the state of then; the fleet may look different now.</source>
        <translation>所示为当时的状态；集群现在可能已不同。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n app(s) cannot be scheduled (fail-closed).</source>
        <translation>
            <numerusform>%n 个应用中有 %1 个无法调度（失败关闭）。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) fail traffic while the check is green.</source>
        <translation>
            <numerusform>%n 个 worker 探测正常但流量失败。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n healthy node(s) are where no app can reach them.</source>
        <translation>
            <numerusform>%n 个健康节点没有应用可以到达。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 workers serving; the minimum is %3.</source>
        <translation>%2 个 worker 中 %1 个在服务；最低要求 %3 个。</translation>
    </message>
    <message numerus="yes">
        <source>None of %n worker(s) is serving.</source>
        <translation>
            <numerusform>%n 个 worker 均未在服务。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n worker(s) out of rotation.</source>
        <translation>
            <numerusform>%n 个 worker 中有 %1 个已移出轮转。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) fail the check and are still in rotation.</source>
        <translation>
            <numerusform>%n 个 worker 探测失败但仍在轮转中。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Some requests fail on %n worker(s).</source>
        <translation>
            <numerusform>%n 个 worker 上有部分请求失败。</numerusform>
        </translation>
    </message>
    <message>
        <source>No worker is registered yet.</source>
        <translation>尚未注册 worker。</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) not checked yet.</source>
        <translation>
            <numerusform>%n 个 worker 尚未探测。</numerusform>
        </translation>
    </message>
    <message>
        <source>No app is declared; one that asks is refused.</source>
        <translation>没有声明任何应用；来请求的会被拒绝。</translation>
    </message>
    <message>
        <source>No app is declared; one that asks resolves to default.</source>
        <translation>没有声明任何应用；来请求的会解析到 default。</translation>
    </message>
    <message numerus="yes">
        <source>No app is declared; those that ask resolve to default: %n decision(s) in the last hour, %1 refused.</source>
        <translation>
            <numerusform>没有声明任何应用；来请求的都解析到 default：近一小时 %n 次决策，其中 %1 次被拒。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MoveText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <comment>names of the first ones</comment>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (shared)</source>
        <comment>pool</comment>
        <translation>%1（共享）</translation>
    </message>
    <message>
        <source>%1 (user %2)</source>
        <comment>pool and its owner</comment>
        <translation>%1（user %2）</translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s) back</source>
        <translation>
            <numerusform>将 %n 个节点移回</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s) to %1</source>
        <translation>
            <numerusform>将 %n 个节点移到 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s): %1</source>
        <translation>
            <numerusform>%n 个节点：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moved %n node(s) back to %1.</source>
        <translation>
            <numerusform>已将 %n 个节点移回 %1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moved %n node(s) to %1 from %2.</source>
        <translation>
            <numerusform>已将 %n 个节点从 %2 移到 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message numerus="yes">
        <source>%n available origin(s)</source>
        <translation>
            <numerusform>%n 个可用 origin</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n available edge(s)</source>
        <translation>
            <numerusform>%n 个可用 edge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n available worker(s)</source>
        <translation>
            <numerusform>%n 个可用 worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n origin(s)</source>
        <translation>
            <numerusform>%n 个 origin</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation>
            <numerusform>%n 个 edge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n 个 worker</numerusform>
        </translation>
    </message>
    <message>
        <source>leaves %1 with %2</source>
        <comment>pool; &quot;0 available origins&quot;</comment>
        <translation>使 %1 只剩 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1; %n app(s) fail closed</source>
        <comment>what a pool is left with</comment>
        <translation>
            <numerusform>%1；%n 个应用失败关闭</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) fail closed</source>
        <translation>
            <numerusform>%n 个应用失败关闭</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no app resolves to %1; %n node(s) would never be chosen</source>
        <translation>
            <numerusform>没有应用解析到 %1；%n 个节点永远不会被选中</numerusform>
        </translation>
    </message>
    <message>
        <source>OK – pool scheduling never reads these roles</source>
        <translation>正常 – 池调度不读取这些角色</translation>
    </message>
    <message>
        <source>OK – %1 keeps %2</source>
        <comment>pool; counts by role</comment>
        <translation>正常 – %1 保留 %2</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>OK – %1 then has %2</source>
        <comment>pool; counts by role</comment>
        <translation>正常 – %1 将有 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) of user %1 would serve apps of user %2</source>
        <translation>
            <numerusform>%n 个 user %1 的节点将服务 user %2 的应用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) of user %1 would be shared by all</source>
        <translation>
            <numerusform>%n 个 user %1 的节点将由所有人共享</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shared node(s) would serve apps of user %1 alone</source>
        <translation>
            <numerusform>%n 个共享节点将只服务 user %1 的应用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) will get 503 (pool_exhausted): %1</source>
        <translation>
            <numerusform>%n 个应用将收到 503（pool_exhausted）：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 keeps %2</source>
        <translation>%1 只剩 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n stream(s) run on the moved nodes; they go on, nothing new is sent</source>
        <translation>
            <numerusform>所移动的节点上有 %n 个流在运行；它们会继续，不再发送新请求</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes move at once</source>
        <translation>
            <numerusform>一次移动 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n healthy node(s) would be where no app resolves to</source>
        <translation>
            <numerusform>%n 个健康节点将处于没有应用解析到的池</numerusform>
        </translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>loses %1</source>
        <translation>失去 %1</translation>
    </message>
    <message>
        <source>gains %1</source>
        <translation>得到 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n 个应用</numerusform>
        </translation>
    </message>
    <message>
        <source>no app</source>
        <translation>无应用</translation>
    </message>
    <message numerus="yes">
        <source>%n more row(s), none worse than these</source>
        <translation>
            <numerusform>另有 %n 行，均不比这些更严重</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NodeFilter</name>
    <message>
        <source>unknown key %1, did you mean %2? Previous result stays.</source>
        <translation>未知的键 %1，是否指 %2？保留之前的结果。</translation>
    </message>
</context>
<context>
    <name>OverviewFigures</name>
    <message>
        <source>%1&#xa0;%</source>
        <translation>%1&#xa0;%</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>目标 %1</translation>
    </message>
    <message>
        <source>No worker is registered yet.</source>
        <translation>尚未注册 worker。</translation>
    </message>
    <message>
        <source>no minimum set</source>
        <translation>未设最低数</translation>
    </message>
    <message>
        <source>target ≥ %1</source>
        <translation>目标 ≥ %1</translation>
    </message>
    <message>
        <source>No request in the last 5 minutes.</source>
        <translation>最近 5 分钟没有请求。</translation>
    </message>
    <message>
        <source>No request has been seen yet.</source>
        <translation>尚未见到请求。</translation>
    </message>
    <message>
        <source>No node was asked for in the last hour.</source>
        <translation>最近 1 小时没有节点请求。</translation>
    </message>
    <message>
        <source>target ≤ %1</source>
        <translation>目标 ≤ %1</translation>
    </message>
    <message numerus="yes">
        <source>%n flap(s)</source>
        <translation>
            <numerusform>抖动 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>The state of the fleet has not come yet.</source>
        <translation>集群状态尚未到达。</translation>
    </message>
    <message>
        <source>None declared; unknown apps resolve to default.</source>
        <translation>没有声明；未声明的应用解析到 default。</translation>
    </message>
    <message>
        <source>No app is declared yet.</source>
        <translation>尚未声明任何应用。</translation>
    </message>
</context>
<context>
    <name>OverviewState</name>
    <message>
        <source>move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>config</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>exhausted</source>
        <translation>耗尽</translation>
    </message>
    <message>
        <source>fallback</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>quarantine</source>
        <translation>隔离</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>waits for probe</source>
        <translation>等待探测</translation>
    </message>
    <message>
        <source>No requests are routed to the role %1.</source>
        <translation>请求不会路由到角色 %1。</translation>
    </message>
    <message>
        <source>No request has been seen through this control plane.</source>
        <translation>经由此控制面尚未见到请求。</translation>
    </message>
    <message>
        <source>semantic: not measured</source>
        <translation>semantic：未测量</translation>
    </message>
    <message>
        <source>semantic %1</source>
        <translation>semantic %1</translation>
    </message>
    <message>
        <source>transport %1 · status %2 · %3</source>
        <translation>transport %1 · status %2 · %3</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n 个应用</numerusform>
        </translation>
    </message>
    <message>
        <source>no app resolves here</source>
        <translation>没有应用解析到此</translation>
    </message>
    <message>
        <source>out of scheduling</source>
        <translation>不参与调度</translation>
    </message>
    <message>
        <source>no effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>Blocked: %1</source>
        <translation>受阻：%1</translation>
    </message>
    <message numerus="yes">
        <source>The scheduler may choose it for %n app(s).</source>
        <translation>
            <numerusform>调度器可为 %n 个应用选择它。</numerusform>
        </translation>
    </message>
    <message>
        <source>No app resolves to %1, so it is never chosen.</source>
        <translation>没有应用解析到 %1，因此从不被选中。</translation>
    </message>
    <message>
        <source>Out of scheduling: the process keeps running, no app is sent here.</source>
        <translation>不参与调度：进程继续运行，不会向此处派发应用。</translation>
    </message>
    <message>
        <source>Pool scheduling never reads the role %1; its pool has no effect.</source>
        <translation>池调度不读取角色 %1；其所在的池没有影响。</translation>
    </message>
    <message>
        <source>Not chosen now; the first filter that stops it: %1 (%2).</source>
        <translation>当前不会被选中；首个拦下它的条件：%1（%2）。</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>被重置</translation>
    </message>
    <message>
        <source>malformed</source>
        <translation>格式错误</translation>
    </message>
    <message>
        <source>– · starting</source>
        <translation>– · 启动中</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 ms</source>
        <translation>%1 · %2 · %3 毫秒</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n origin(s)</source>
        <translation>
            <numerusform>%n 个 origin</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation>
            <numerusform>%n 个 edge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n 个 worker</numerusform>
        </translation>
    </message>
    <message>
        <source>draining</source>
        <translation>排空中</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>not yet checked</source>
        <translation>未探测</translation>
    </message>
    <message>
        <source>quarantined</source>
        <translation>隔离中</translation>
    </message>
    <message>
        <source>unhealthy</source>
        <translation>不健康</translation>
    </message>
    <message>
        <source>full</source>
        <translation>已满</translation>
    </message>
    <message>
        <source> − %1 %2</source>
        <comment>one term of a subtraction: count, what they are</comment>
        <translation> − %1 个%2</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <comment>subtraction = result</comment>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message numerus="yes">
        <source>schedulable for %n app(s)</source>
        <translation>
            <numerusform>可调度 %n 个应用</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2, probe %3, traffic %4, quarantined: %5, %6</source>
        <translation>%1，%2，探测%3，流量%4，隔离：%5，%6</translation>
    </message>
    <message>
        <source>%1, %2, probe %3, traffic %4, %5</source>
        <translation>%1，%2，探测%3，流量%4，%5</translation>
    </message>
    <message>
        <source>%1, available: %2 origins, %3 edges, %4 workers, %5 nodes, %6 apps, %7</source>
        <translation>%1，可用：origin %2，edge %3，worker %4，节点 %5，应用 %6，%7</translation>
    </message>
    <message>
        <source>undeclared apps</source>
        <translation>未声明的应用</translation>
    </message>
    <message>
        <source>No declared app resolves to %1; the scheduler may choose it for apps that nobody declared.</source>
        <translation>没有已声明的应用解析到 %1；调度器可为未声明的应用选择它。</translation>
    </message>
    <message>
        <source>schedulable for undeclared apps</source>
        <translation>可为未声明的应用调度</translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmActions</name>
    <message numerus="yes">
        <source>%n alarm(s)</source>
        <translation>
            <numerusform>%n 条告警</numerusform>
        </translation>
    </message>
    <message>
        <source>Select an alarm on the Alarms page first.</source>
        <translation>请先在“告警”页选择一条告警。</translation>
    </message>
    <message>
        <source>What is cleared needs nobody any more.</source>
        <translation>已恢复的告警不再需要处理。</translation>
    </message>
    <message>
        <source>&amp;Acknowledge alarm</source>
        <translation>确认告警(&amp;A)</translation>
    </message>
    <message>
        <source>Somebody has acknowledged it already.</source>
        <translation>已有人确认过。</translation>
    </message>
    <message>
        <source>Says that somebody is on it: it is not told again, and goes on being recorded</source>
        <translation>表示有人在处理：不再通知，但继续记录</translation>
    </message>
    <message>
        <source>Tells nobody for that time, and goes on recording; asks for a reason</source>
        <translation>这段时间内不通知任何人，但继续记录；需要填写原因</translation>
    </message>
    <message>
        <source>Silence for &amp;30 min…</source>
        <translation>静默 30 分钟(&amp;3)…</translation>
    </message>
    <message>
        <source>Silence for &amp;2 h…</source>
        <translation>静默 2 小时(&amp;2)…</translation>
    </message>
    <message>
        <source>Silence &amp;until…</source>
        <translation>静默至(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;End silence</source>
        <translation>结束静默(&amp;E)</translation>
    </message>
    <message>
        <source>No silence covers it.</source>
        <translation>没有静默覆盖它。</translation>
    </message>
    <message>
        <source>What fires is told again</source>
        <translation>触发的告警会再次通知</translation>
    </message>
    <message>
        <source>Acknowledged: %1.</source>
        <translation>已确认：%1。</translation>
    </message>
    <message>
        <source>Silence %1</source>
        <translation>静默 %1</translation>
    </message>
    <message>
        <source>Nobody is told of %1, nor of what fires again under the same name. It goes on being recorded.</source>
        <translation>不再就 %1 通知任何人，以同一名称再次触发的也不通知；仍会继续记录。</translation>
    </message>
    <message>
        <source>Until %1</source>
        <translation>至 %1</translation>
    </message>
    <message numerus="yes">
        <source>Silence %n alarm(s)</source>
        <translation>
            <numerusform>静默 %n 条告警</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Until (%1)</source>
        <comment>time zone</comment>
        <translation>截止时间（%1）(&amp;U)</translation>
    </message>
    <message>
        <source>Silenced until %1: %2.</source>
        <translation>已静默至 %1：%2。</translation>
    </message>
    <message>
        <source>No longer silenced: %1.</source>
        <translation>已结束静默：%1。</translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmDrawer</name>
    <message>
        <source>No alarm selected</source>
        <translation>未选择告警</translation>
    </message>
    <message>
        <source>Alarm %1 is no longer kept.</source>
        <translation>告警 %1 已不再保留。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>state of an alarm, its severity</comment>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>told; %n other alarm(s) is (are) counted in it</source>
        <translation>
            <numerusform>已通知；另有 %n 条告警并入其中</numerusform>
        </translation>
    </message>
    <message>
        <source>told when it fired</source>
        <translation>触发时已通知</translation>
    </message>
    <message>
        <source>not by itself: alarm %1 stands for it</source>
        <translation>不单独通知：由告警 %1 代表</translation>
    </message>
    <message>
        <source>not until %1, by %2: %3</source>
        <comment>time, who, reason</comment>
        <translation>%1 之前不通知，由 %2 设置：%3</translation>
    </message>
    <message>
        <source>acknowledged %1 by %2</source>
        <translation>%2 于 %1 确认</translation>
    </message>
    <message>
        <source>cleared %1</source>
        <translation>%1 恢复</translation>
    </message>
    <message>
        <source>About</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>出现</translation>
    </message>
    <message numerus="yes">
        <source>%n time(s), from %1 to %2</source>
        <translation>
            <numerusform>%n 次，从 %1 到 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Notified</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Incident</source>
        <translation>事故</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Why it fires, as of %1</source>
        <translation>触发原因（%1）</translation>
    </message>
    <message>
        <source>First occurrence, %1</source>
        <translation>首次出现，%1</translation>
    </message>
    <message>
        <source>Latest occurrence, %1</source>
        <translation>最近一次，%1</translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmNotices</name>
    <message numerus="yes">
        <source>%n alarm(s) fired</source>
        <translation>
            <numerusform>%n 条告警触发</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alarm(s) fired or got worse</source>
        <translation>
            <numerusform>%n 条告警触发或加重</numerusform>
        </translation>
    </message>
    <message>
        <source>Worse: %1</source>
        <translation>加重：%1</translation>
    </message>
    <message>
        <source>Critical: %1</source>
        <translation>严重：%1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmTableModel</name>
    <message>
        <source>several</source>
        <translation>多个</translation>
    </message>
    <message>
        <source>Alarm %1 stands for it; it is not told by itself.</source>
        <translation>由告警 %1 代表；不单独通知。</translation>
    </message>
    <message>
        <source>Silenced until %1: %2</source>
        <translation>静默至 %1：%2</translation>
    </message>
    <message>
        <source>Acknowledged by %1</source>
        <translation>由 %1 确认</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>First (%1)</source>
        <comment>time zone</comment>
        <translation>首次（%1）</translation>
    </message>
    <message>
        <source>Last (%1)</source>
        <comment>time zone</comment>
        <translation>最近（%1）</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Incident</source>
        <translation>事故</translation>
    </message>
</context>
<context>
    <name>weir::ui::AlarmsPage</name>
    <message>
        <source>Alarms</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%n alarm(s)</source>
        <translation>
            <numerusform>%n 条告警</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n alarm(s)</source>
        <translation>
            <numerusform>%1/%n 条告警</numerusform>
        </translation>
    </message>
    <message>
        <source>sorted by state, severity, then the latest</source>
        <translation>按状态、级别、最近时间排序</translation>
    </message>
    <message>
        <source>Disconnected: whether anything fires is not known.</source>
        <translation>已断开：是否有告警触发不得而知。</translation>
    </message>
    <message>
        <source>Nothing has fired, and nothing was cleared lately.</source>
        <translation>没有触发的告警，近期也没有恢复的告警。</translation>
    </message>
    <message numerus="yes">
        <source>0 of %n alarm(s) match.</source>
        <translation>
            <numerusform>%n 条告警中没有匹配项。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected alarm(s) is gone</source>
        <translation>
            <numerusform>选中的 %n 条告警中有 %1 条已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>Filter alarms</source>
        <translation>筛选告警</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Firing only</source>
        <translation>仅触发中</translation>
    </message>
    <message>
        <source>Silence</source>
        <translation>静默</translation>
    </message>
    <message>
        <source>Silence the selected alarms</source>
        <translation>静默选中的告警</translation>
    </message>
</context>
<context>
    <name>weir::ui::AppActions</name>
    <message>
        <source>Select an app first.</source>
        <translation>请先选择应用。</translation>
    </message>
    <message>
        <source>Select one app: a binding is for one app.</source>
        <translation>请只选择一个应用：绑定针对单个应用。</translation>
    </message>
    <message>
        <source>&amp;Edit binding…</source>
        <translation>编辑绑定(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Bind to pool…</source>
        <translation>绑定到池(&amp;B)…</translation>
    </message>
    <message>
        <source>The binding goes before owner and default; shows what changes first</source>
        <translation>绑定优先于所有者和 default；先显示会有哪些变化</translation>
    </message>
    <message>
        <source>%1 has no binding.</source>
        <translation>%1 没有绑定。</translation>
    </message>
    <message>
        <source>&amp;Remove binding…</source>
        <translation>移除绑定(&amp;R)…</translation>
    </message>
    <message>
        <source>The owner&apos;s pool decides again, else default</source>
        <translation>重新由所有者的池决定，否则为 default</translation>
    </message>
    <message>
        <source>Set &amp;owner…</source>
        <translation>设置所有者(&amp;O)…</translation>
    </message>
    <message>
        <source>Without a binding an app resolves to its owner&apos;s pool</source>
        <translation>没有绑定的应用解析到其所有者的池</translation>
    </message>
    <message>
        <source>%1 is bound to %2.</source>
        <translation>已将 %1 绑定到 %2。</translation>
    </message>
    <message>
        <source>The binding of %1 is removed.</source>
        <translation>已移除 %1 的绑定。</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) has (have) no owner now.</source>
        <translation>
            <numerusform>%n 个应用现在没有所有者。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) now belong(s) to user %1.</source>
        <translation>
            <numerusform>%n 个应用现在属于 user %1。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::AppDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>How the apps would stand</source>
        <translation>应用将处于的状况</translation>
    </message>
    <message>
        <source>The control plane is asked.</source>
        <translation>正在询问控制面。</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Free capacity</source>
        <translation>空闲容量</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Weir – %1</source>
        <comment>title of a dialog&apos;s window</comment>
        <translation>Weir – %1</translation>
    </message>
    <message>
        <source>No pool has nodes for these apps, before or after.</source>
        <translation>更改前后都没有池拥有供这些应用使用的节点。</translation>
    </message>
    <message>
        <source>Disconnected; changes are off until data is live.</source>
        <translation>已断开；数据恢复实时前无法更改。</translation>
    </message>
    <message>
        <source>You are viewer; this needs superadmin.</source>
        <translation>您是 viewer；此操作需要 superadmin。</translation>
    </message>
    <message>
        <source>You are operator; this needs superadmin.</source>
        <translation>您是 operator；此操作需要 superadmin。</translation>
    </message>
</context>
<context>
    <name>weir::ui::AppDrawer</name>
    <message>
        <source>No app selected</source>
        <translation>未选择应用</translation>
    </message>
    <message>
        <source>%1 no longer exists</source>
        <translation>%1 已不存在</translation>
    </message>
    <message>
        <source>no owner</source>
        <translation>无所有者</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>number, rule</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1 — this one decides</source>
        <comment>what the rule says</comment>
        <translation>%1 — 由此决定</translation>
    </message>
    <message>
        <source>Fallback</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>resolved pool</source>
        <translation>解析到的池</translation>
    </message>
    <message>
        <source>resolved pool of user %1</source>
        <translation>解析到的池，属于 user %1</translation>
    </message>
    <message>
        <source>Available origins</source>
        <translation>可用 origin</translation>
    </message>
    <message>
        <source>Available edges</source>
        <translation>可用 edge</translation>
    </message>
    <message>
        <source>Available workers</source>
        <translation>可用 worker</translation>
    </message>
    <message>
        <source>none in this pool</source>
        <translation>此池中没有</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>every role it uses has a candidate</source>
        <translation>其使用的每个角色都有候选</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>起始</translation>
    </message>
</context>
<context>
    <name>weir::ui::AppTableModel</name>
    <message>
        <source>In the resolved pool: role matches, online, not quarantined, not draining, with room</source>
        <translation>在解析到的池中：角色相符、在线、未隔离、未排空且有余量</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Resolved pool</source>
        <translation>解析到的池</translation>
    </message>
    <message>
        <source>Fallback</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>origins</source>
        <translation>origin</translation>
    </message>
    <message>
        <source>edges</source>
        <translation>edge</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>weir::ui::AppsPage</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected app(s) is gone</source>
        <translation>
            <numerusform>所选 %n 个应用中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>Apps &amp; bindings</source>
        <translation>应用与绑定</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n 个应用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n app(s)</source>
        <translation>
            <numerusform>%n 个应用中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>sorted worst first, then name</source>
        <translation>按严重程度、名称排序</translation>
    </message>
    <message>
        <source>No apps are declared. An app that nobody declared resolves to default.</source>
        <translation>未声明任何应用。未经声明的应用解析到 default。</translation>
    </message>
    <message numerus="yes">
        <source>0 of %n app(s) match.</source>
        <translation>
            <numerusform>%n 个应用中没有匹配项。</numerusform>
        </translation>
    </message>
    <message>
        <source>Apps</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Filter apps</source>
        <translation>筛选应用</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Problems only</source>
        <translation>仅问题</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>No apps are declared. An app that nobody declared is refused.</source>
        <translation>没有声明任何应用。未声明的应用会被拒绝。</translation>
    </message>
</context>
<context>
    <name>weir::ui::BindingDialog</name>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>&amp;Pool</source>
        <translation>池(&amp;P)</translation>
    </message>
    <message>
        <source>unassigned is not offered: no app may resolve to it.</source>
        <translation>不提供 unassigned：应用不得解析到它。</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>pool, whose it is</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>It resolves to %1 now (%2).</source>
        <comment>pool, rule</comment>
        <translation>当前解析到 %1（%2）。</translation>
    </message>
    <message>
        <source>Remove the binding of %1</source>
        <translation>移除 %1 的绑定</translation>
    </message>
    <message>
        <source>%1 Without the binding its owner&apos;s pool decides, and default where no owner is known.</source>
        <translation>%1没有绑定时由其所有者的池决定，所有者未知则为 default。</translation>
    </message>
    <message>
        <source>Remove binding of %1</source>
        <translation>移除 %1 的绑定</translation>
    </message>
    <message>
        <source>Bind %1 to a pool</source>
        <translation>将 %1 绑定到池</translation>
    </message>
    <message>
        <source>%1 An explicit binding goes before owner and default.</source>
        <translation>%1显式绑定优先于所有者和 default。</translation>
    </message>
    <message>
        <source>Bind %1 to %2</source>
        <comment>app, pool</comment>
        <translation>将 %1 绑定到 %2</translation>
    </message>
    <message>
        <source>If %1 has no candidate, use shared pool default (recorded, breaks isolation)</source>
        <translation>%1 没有候选时使用共享池 default（会记录，打破用户间隔离）</translation>
    </message>
    <message>
        <source>default is the last pool; there is nothing to fall back to.</source>
        <translation>default 是最后的池；没有可回退的池。</translation>
    </message>
    <message>
        <source>%1 no longer exists.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>%1 has no binding.</source>
        <translation>%1 没有绑定。</translation>
    </message>
    <message>
        <source>%1 is bound like this already.</source>
        <translation>%1 已经是这样绑定的。</translation>
    </message>
</context>
<context>
    <name>weir::ui::DemoPanel</name>
    <message>
        <source>Restart</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Restart the scenario</source>
        <translation>重新开始场景</translation>
    </message>
    <message>
        <source>Bring the fleet back to where the scenario began</source>
        <translation>使集群回到场景开始时的状态</translation>
    </message>
    <message>
        <source>Next act</source>
        <translation>下一幕</translation>
    </message>
    <message>
        <source>Go on to the next act</source>
        <translation>进入下一幕</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Another scenario has another fleet: the demo starts again with it</source>
        <translation>其他场景使用其他集群：演示将随之重新开始</translation>
    </message>
    <message>
        <source>Speed of the demo</source>
        <translation>演示速度</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>×%1</source>
        <comment>speed</comment>
        <translation>×%1</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>number of the act, its title</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1, done</source>
        <translation>%1，已完成</translation>
    </message>
    <message>
        <source>%1, under way</source>
        <translation>%1，进行中</translation>
    </message>
    <message>
        <source>Free play: callers come and go, now and then a node fails, is ejected or drains. Everything may be tried.</source>
        <translation>自由模式：调用方来来去去，不时有节点失败、被摘除或排空。一切都可以尝试。</translation>
    </message>
    <message>
        <source>%1 Now: %2</source>
        <comment>lesson of the last act, what to do now</comment>
        <translation>%1 现在：%2</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Go on with the scenario</source>
        <translation>继续场景</translation>
    </message>
    <message>
        <source>Pause the scenario</source>
        <translation>暂停场景</translation>
    </message>
    <message>
        <source>Go on without this act&apos;s check mark</source>
        <translation>不完成此幕，直接继续</translation>
    </message>
    <message>
        <source>This is the last act.</source>
        <translation>这是最后一幕。</translation>
    </message>
    <message>
        <source>Defences:</source>
        <translation>防线：</translation>
    </message>
</context>
<context>
    <name>weir::ui::EmbeddedClient</name>
    <message>
        <source>This console was started with a role that may not do that.</source>
        <translation>启动此控制台所用的角色不允许该操作。</translation>
    </message>
</context>
<context>
    <name>weir::ui::EmbeddedDemoControl</name>
    <message numerus="yes">
        <source>%1 of %n node(s) green</source>
        <translation>
            <numerusform>%n 个节点中 %1 个探测正常</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 publishes refused · %3 · %4 of %5 apps served</source>
        <translation>%2 次推流中 %1 次被拒绝 · %3 · %5 个应用中 %4 个得到服务</translation>
    </message>
    <message>
        <source>%1 requests · %2 failed, %3 of them inside a 200 · out %4 times, back %5 times</source>
        <translation>%1 个请求 · %2 个失败，其中 %3 个藏在 200 里 · 退出 %4 次，返回 %5 次</translation>
    </message>
</context>
<context>
    <name>weir::ui::ExplainedNodeModel</name>
    <message>
        <source>chosen</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>free %1 of %2, pending %3</source>
        <translation>空闲 %1/%2，待定 %3</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4</source>
        <comment>node, pool, reason, detail</comment>
        <translation>%1，%2，%3，%4</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Also</source>
        <translation>另有</translation>
    </message>
</context>
<context>
    <name>weir::ui::Facet</name>
    <message>
        <source>%1  (%2)</source>
        <comment>value, number of rows</comment>
        <translation>%1  （%2）</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>weir::ui::FacetButton</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n 个匹配</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::FleetStore</name>
    <message>
        <source>Changes are locked. Unlock with Ctrl+L.</source>
        <translation>更改已锁定。按 Ctrl+L 解锁。</translation>
    </message>
</context>
<context>
    <name>weir::ui::ImpactTable</name>
    <message>
        <source>What the move would do</source>
        <translation>此次移动的影响</translation>
    </message>
    <message>
        <source>%1, %2: available %3, then %4; %5, then %6</source>
        <comment>app, role, before and after</comment>
        <translation>%1，%2：可用 %3，之后 %4；%5，之后 %6</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Free capacity</source>
        <translation>空闲容量</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>changed just now</source>
        <translation>刚刚变化</translation>
    </message>
</context>
<context>
    <name>weir::ui::LiveChart</name>
    <message>
        <source>total %1</source>
        <translation>总数 %1</translation>
    </message>
    <message>
        <source>Healthy workers over time</source>
        <translation>健康 worker 走势</translation>
    </message>
    <message>
        <source>The current number of healthy workers is not known.</source>
        <translation>当前健康 worker 数未知。</translation>
    </message>
    <message>
        <source>%1 of %2 workers healthy since %3; shown from %4 to %5 (%6)</source>
        <translation>自 %3 起 %2 个 worker 中 %1 个健康；显示 %4 至 %5（%6）</translation>
    </message>
    <message>
        <source>no data %1–%2</source>
        <translation>无数据 %1–%2</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>最低 %1</translation>
    </message>
</context>
<context>
    <name>weir::ui::LiveTable</name>
    <message numerus="yes">
        <source>order held – %n row(s) would move (press .)</source>
        <translation>
            <numerusform>顺序已保持 – %n 行将移动（按 .）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::MainWindow</name>
    <message>
        <source>Disconnected %1</source>
        <translation>已断开 %1</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Live · %1 s behind</source>
        <translation>实时 · 滞后 %1 秒</translation>
    </message>
    <message>
        <source>%1/%2 healthy</source>
        <translation>%1/%2 健康</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) unschedulable</source>
        <translation>
            <numerusform>%n 个应用无法调度</numerusform>
        </translation>
    </message>
    <message>
        <source>cfg v%1</source>
        <translation>cfg v%1</translation>
    </message>
    <message>
        <source>as of %1</source>
        <translation>截至 %1</translation>
    </message>
    <message>
        <source>storage is behind; events may be missing</source>
        <translation>存储滞后；可能缺少事件</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>simulated fleet on this computer · nothing is saved</source>
        <translation>本机模拟集群 · 不保存任何内容</translation>
    </message>
    <message>
        <source>Disconnected %1 — showing data as of then</source>
        <translation>%1 断开连接 — 显示当时的数据</translation>
    </message>
    <message>
        <source>Re-sync (F5)</source>
        <translation>重新同步 (F5)</translation>
    </message>
    <message>
        <source>PAUSED</source>
        <translation>已暂停</translation>
    </message>
    <message numerus="yes">
        <source>showing data as of %1 · %n change(s) missed</source>
        <translation>
            <numerusform>显示截至 %1 的数据 · 错过 %n 项变化</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume (Pause)</source>
        <translation>继续 (Pause)</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Node pools</source>
        <translation>节点池</translation>
    </message>
    <message>
        <source>Nodes/Workers</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Copy rows</source>
        <translation>复制行(&amp;C)</translation>
    </message>
    <message>
        <source>Copy rows as &amp;Markdown</source>
        <translation>复制行为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Pause live data</source>
        <translation>暂停实时数据(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Re-sync</source>
        <translation>重新同步(&amp;R)</translation>
    </message>
    <message>
        <source>Times in &amp;UTC</source>
        <translation>以 UTC 显示时间(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Detail drawer</source>
        <translation>详情面板(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Navigation as icons</source>
        <translation>导航仅显示图标(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>De&amp;nsity</source>
        <translation>密度(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Compact</source>
        <translation>紧凑(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Normal</source>
        <translation>正常(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Large</source>
        <translation>宽大(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;English</source>
        <translation>English(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>概览(&amp;O)</translation>
    </message>
    <message>
        <source>Node &amp;pools</source>
        <translation>节点池(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Nodes/Workers</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>No row here needs attention.</source>
        <translation>此处没有需要关注的行。</translation>
    </message>
    <message>
        <source>Next p&amp;roblem</source>
        <translation>下一个问题(&amp;R)</translation>
    </message>
    <message>
        <source>Pre&amp;vious problem</source>
        <translation>上一个问题(&amp;V)</translation>
    </message>
    <message>
        <source>F&amp;ilter</source>
        <translation>筛选(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Clear filter</source>
        <translation>清除筛选(&amp;C)</translation>
    </message>
    <message>
        <source>Next p&amp;ane</source>
        <translation>下一窗格(&amp;A)</translation>
    </message>
    <message>
        <source>Previo&amp;us pane</source>
        <translation>上一窗格(&amp;U)</translation>
    </message>
    <message>
        <source>N&amp;ode</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Weir</source>
        <translation>关于 Weir(&amp;A)</translation>
    </message>
    <message>
        <source>This page has no table.</source>
        <translation>此页没有表格。</translation>
    </message>
    <message>
        <source>There is nothing before this.</source>
        <translation>前面没有页面了。</translation>
    </message>
    <message>
        <source>There is nothing after this.</source>
        <translation>后面没有页面了。</translation>
    </message>
    <message>
        <source>Times are in UTC; click for local time (Ctrl+Shift+U)</source>
        <translation>时间为 UTC；单击切换为本地时间 (Ctrl+Shift+U)</translation>
    </message>
    <message>
        <source>Times are local; click for UTC (Ctrl+Shift+U)</source>
        <translation>时间为本地时间；单击切换为 UTC (Ctrl+Shift+U)</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Go on with live data (Pause)</source>
        <translation>恢复实时数据 (Pause)</translation>
    </message>
    <message>
        <source>Pause live data (Pause)</source>
        <translation>暂停实时数据 (Pause)</translation>
    </message>
    <message>
        <source>Select rows of a table first.</source>
        <translation>请先选中表格中的行。</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n row(s).</source>
        <translation>
            <numerusform>已复制 %n 行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Filter, from a table</source>
        <translation>从表格进入筛选</translation>
    </message>
    <message>
        <source>Apply the held order, in a table</source>
        <translation>在表格中应用被保持的顺序</translation>
    </message>
    <message>
        <source>Open the details of a row</source>
        <translation>打开行的详情</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>About Weir</source>
        <translation>关于 Weir</translation>
    </message>
    <message>
        <source>Control plane and console for a fleet of media nodes.
Licence: GPL-3.0-or-later. Built with Qt %1.</source>
        <translation>媒体节点集群的控制面与控制台。
许可：GPL-3.0-or-later。基于 Qt %1 构建。</translation>
    </message>
    <message>
        <source>Apps &amp; bindings</source>
        <translation>应用与绑定</translation>
    </message>
    <message>
        <source>&amp;Apps &amp;&amp; bindings</source>
        <translation>应用与绑定(&amp;S)</translation>
    </message>
    <message>
        <source>Changes are locked.</source>
        <translation>更改已锁定。</translation>
    </message>
    <message>
        <source>Changes are unlocked.</source>
        <translation>更改已解锁。</translation>
    </message>
    <message>
        <source>Disconnected.</source>
        <translation>连接已断开。</translation>
    </message>
    <message>
        <source>Live again.</source>
        <translation>已恢复实时。</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Lock changes</source>
        <translation>锁定更改(&amp;L)</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Unlocked</source>
        <translation>未锁定</translation>
    </message>
    <message>
        <source>Nothing can be changed here; click to unlock (Ctrl+L)</source>
        <translation>此处无法进行更改；点击解锁（Ctrl+L）</translation>
    </message>
    <message>
        <source>Lock changes (Ctrl+L)</source>
        <translation>锁定更改（Ctrl+L）</translation>
    </message>
    <message>
        <source>Alarms</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>&amp;Incident</source>
        <translation>事故(&amp;I)</translation>
    </message>
    <message>
        <source>E&amp;xport report…</source>
        <translation>导出报告(&amp;X)…</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <comment>title and text of a notification</comment>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>Weir: no alarm fires</source>
        <translation>Weir：没有告警触发</translation>
    </message>
    <message numerus="yes">
        <source>Weir: %n alarm(s) fire</source>
        <translation>
            <numerusform>Weir：%n 条告警触发</numerusform>
        </translation>
    </message>
    <message>
        <source>A&amp;larms</source>
        <translation>告警(&amp;L)</translation>
    </message>
</context>
<context>
    <name>weir::ui::MessageBar</name>
    <message>
        <source>Undo (%1)</source>
        <translation>撤销 (%1)</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>weir::ui::MismatchBanner</name>
    <message>
        <source>Show resolution</source>
        <translation>显示解析</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>number of nodes, pool</comment>
        <translation>%2 中 %1 个</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <comment>names, number</comment>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s) fail(s) closed: %1.</source>
        <translation>
            <numerusform>%n 个应用失败关闭：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Healthy origins are elsewhere: %1.</source>
        <translation>健康的 origin 在别处：%1。</translation>
    </message>
    <message>
        <source>Healthy edges are elsewhere: %1.</source>
        <translation>健康的 edge 在别处：%1。</translation>
    </message>
    <message>
        <source>Healthy workers are elsewhere: %1.</source>
        <translation>健康的 worker 在别处：%1。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
</context>
<context>
    <name>weir::ui::MoveActions</name>
    <message numerus="yes">
        <source>%n node(s) cut, Esc to cancel</source>
        <translation>
            <numerusform>已剪切 %n 个节点，按 Esc 取消</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n cut node(s) is gone</source>
        <translation>
            <numerusform>剪切的 %n 个节点中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a node first.</source>
        <translation>请先选择节点。</translation>
    </message>
    <message>
        <source>Select one pool first.</source>
        <translation>请先选择一个池。</translation>
    </message>
    <message>
        <source>&amp;Move to pool…</source>
        <translation>移到池(&amp;M)…</translation>
    </message>
    <message>
        <source>Choose a pool; each shows what the move would do</source>
        <translation>选择一个池；每个池都显示移动的影响</translation>
    </message>
    <message>
        <source>&amp;Take out of scheduling</source>
        <translation>移出调度(&amp;T)</translation>
    </message>
    <message>
        <source>Process keeps running, heartbeats continue, no app is sent here</source>
        <translation>进程继续运行，心跳继续，不会向此处派发应用</translation>
    </message>
    <message>
        <source>C&amp;ut</source>
        <translation>剪切(&amp;X)</translation>
    </message>
    <message>
        <source>Marks the selected nodes; paste them into a pool</source>
        <translation>标记所选节点；可粘贴到池中</translation>
    </message>
    <message>
        <source>Cut nodes first (Ctrl+X).</source>
        <translation>请先剪切节点 (Ctrl+X)。</translation>
    </message>
    <message>
        <source>&amp;Paste into pool</source>
        <translation>粘贴到池(&amp;V)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Paste %n node(s) into %1</source>
        <translation>
            <numerusform>将 %n 个节点粘贴到 %1(&amp;V)</numerusform>
        </translation>
    </message>
    <message>
        <source>Moves the cut nodes here</source>
        <translation>将剪切的节点移到此处</translation>
    </message>
    <message>
        <source>&amp;Undo move</source>
        <translation>撤销移动(&amp;U)</translation>
    </message>
    <message>
        <source>There is no move to undo.</source>
        <translation>没有可撤销的移动。</translation>
    </message>
    <message>
        <source>Moves the nodes back, if nobody moved them since</source>
        <translation>将节点移回，前提是此后无人移动过它们</translation>
    </message>
    <message>
        <source>&amp;Redo move</source>
        <translation>重做移动(&amp;R)</translation>
    </message>
    <message>
        <source>There is no move to redo.</source>
        <translation>没有可重做的移动。</translation>
    </message>
    <message>
        <source>Makes the undone move again</source>
        <translation>再次执行已撤销的移动</translation>
    </message>
    <message>
        <source>&amp;Add nodes…</source>
        <translation>添加节点(&amp;A)…</translation>
    </message>
    <message>
        <source>Choose nodes to move to %1</source>
        <translation>选择要移到 %1 的节点</translation>
    </message>
</context>
<context>
    <name>weir::ui::MoveDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Weir – Move nodes</source>
        <translation>Weir – 移动节点</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <comment>nodes, pools, pool</comment>
        <translation>%1：从 %2 到 %3</translation>
    </message>
    <message>
        <source>where they were</source>
        <translation>原处</translation>
    </message>
    <message>
        <source>&amp;Reason (required)</source>
        <translation>原因（必填）(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reason (optional)</source>
        <translation>原因（可选）(&amp;R)</translation>
    </message>
    <message>
        <source>Reason, required</source>
        <translation>原因，必填</translation>
    </message>
    <message>
        <source>Reason, optional</source>
        <translation>原因，可选</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>a sentence</comment>
        <translation>%1。</translation>
    </message>
    <message numerus="yes">
        <source>%1. %n stream(s) are on the moved nodes.</source>
        <comment>a sentence; streams</comment>
        <translation>
            <numerusform>%1。所移动的节点上有 %n 个流。</numerusform>
        </translation>
    </message>
    <message>
        <source>Disconnected; moves are off until data is live.</source>
        <translation>已断开；数据恢复实时前无法移动。</translation>
    </message>
    <message>
        <source>This move is no longer possible.</source>
        <translation>此移动已不可行。</translation>
    </message>
    <message>
        <source>Tick every consequence to enable the move.</source>
        <translation>勾选每项后果后才能移动。</translation>
    </message>
    <message>
        <source>Give a reason to enable the move.</source>
        <translation>填写原因后才能移动。</translation>
    </message>
    <message>
        <source>The figures have just changed.</source>
        <translation>数字刚刚发生变化。</translation>
    </message>
</context>
<context>
    <name>weir::ui::MoveFlow</name>
    <message>
        <source>Disconnected since %1; moves are off until data is live.</source>
        <translation>自 %1 起断开；数据恢复实时前无法移动。</translation>
    </message>
    <message>
        <source>You are %1; moving nodes needs superadmin.</source>
        <translation>您是 %1；移动节点需要 superadmin。</translation>
    </message>
    <message>
        <source>viewer</source>
        <translation>viewer</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>operator</translation>
    </message>
    <message>
        <source>%1 no longer exists.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>%1 is already being moved by %2 (%3).</source>
        <translation>%1 正由%2移动（%3）。</translation>
    </message>
    <message>
        <source>you</source>
        <translation>您</translation>
    </message>
    <message>
        <source>Already in %1.</source>
        <translation>已在 %1 中。</translation>
    </message>
    <message>
        <source>Another move is waiting for an answer.</source>
        <translation>另一项移动正在等待答复。</translation>
    </message>
    <message>
        <source>What the move would do has changed; nothing was moved yet.</source>
        <translation>移动的影响已改变；尚未移动任何节点。</translation>
    </message>
    <message>
        <source>%1 was moved to %2 by %3 %4; not undone.</source>
        <translation>%1 已由 %3 移到 %2（%4）；未撤销。</translation>
    </message>
    <message>
        <source>%1 was moved to %2 by %3 %4; not redone.</source>
        <translation>%1 已由 %3 移到 %2（%4）；未重做。</translation>
    </message>
    <message>
        <source>%1 was moved to %2 by %3 %4; nothing was moved.</source>
        <translation>%1 已由 %3 移到 %2（%4）；未移动任何节点。</translation>
    </message>
</context>
<context>
    <name>weir::ui::NavButton</name>
    <message numerus="yes">
        <source>%n need(s) action</source>
        <translation>
            <numerusform>%n 个需要处理</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n need(s) attention</source>
        <translation>
            <numerusform>%n 个需要关注</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>page, how much needs attention</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>page, shortcut</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeActions</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a node first.</source>
        <translation>请先选择节点。</translation>
    </message>
    <message>
        <source>Un&amp;drain</source>
        <translation>取消排空(&amp;D)</translation>
    </message>
    <message>
        <source>Let the scheduler choose %1 again</source>
        <translation>让调度器重新选择 %1</translation>
    </message>
    <message>
        <source>&amp;Drain…</source>
        <translation>排空(&amp;D)…</translation>
    </message>
    <message>
        <source>Keep what runs, send nothing new</source>
        <translation>保留在途请求，不再发送新请求</translation>
    </message>
    <message numerus="yes">
        <source>%1 is not in quarantine.</source>
        <comment>names of nodes</comment>
        <translation>
            <numerusform>%1 未被隔离。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;End quarantine early…</source>
        <translation>提前结束隔离(&amp;E)…</translation>
    </message>
    <message>
        <source>Ends the quarantine and probes at once; asks for a reason</source>
        <translation>结束隔离并立即探测；需要填写原因</translation>
    </message>
    <message>
        <source>&amp;Probe now</source>
        <translation>立即探测(&amp;P)</translation>
    </message>
    <message>
        <source>Sends one health check now</source>
        <translation>立即发送一次健康检查</translation>
    </message>
    <message>
        <source>&amp;Why (not) chosen?</source>
        <translation>为何（未）选中？(&amp;W)</translation>
    </message>
    <message>
        <source>Dry run of the scheduler: nothing sent, no alarm, no counter</source>
        <translation>调度器试运行：未发送任何内容，不告警，不计数</translation>
    </message>
    <message>
        <source>Drain %1</source>
        <translation>排空 %1</translation>
    </message>
    <message>
        <source>Nothing new is sent to %1; what runs goes on.</source>
        <translation>不再向 %1 发送新请求；在途请求继续。</translation>
    </message>
    <message>
        <source>In flight now: %1</source>
        <translation>当前在途：%1</translation>
    </message>
    <message>
        <source>Draining: %1.</source>
        <translation>正在排空：%1。</translation>
    </message>
    <message>
        <source>No longer draining: %1.</source>
        <translation>已取消排空：%1。</translation>
    </message>
    <message numerus="yes">
        <source>Check: %1, %n good in a row.</source>
        <translation>
            <numerusform>探测：%1，连续成功 %n 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 Traffic: %2 (%3).</source>
        <comment>check; traffic word; failures by bucket</comment>
        <translation>%1流量：%2（%3）。</translation>
    </message>
    <message>
        <source>End quarantine of %1</source>
        <translation>结束 %1 的隔离</translation>
    </message>
    <message>
        <source>%1 is probed at once and comes back when the check is good.</source>
        <translation>立即探测 %1，探测成功即恢复。</translation>
    </message>
    <message>
        <source>Quarantine ended: %1.</source>
        <translation>已结束隔离：%1。</translation>
    </message>
    <message>
        <source>%1 probed: %2 in %3 ms.</source>
        <translation>%1 已探测：%2，%3 毫秒。</translation>
    </message>
    <message>
        <source>Probed: %1.</source>
        <translation>已探测：%1。</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeDrag</name>
    <message>
        <source>Drop nodes on a pool, not on a node.</source>
        <translation>请将节点放到池上，而不是节点上。</translation>
    </message>
    <message>
        <source>Only nodes can be dropped here.</source>
        <translation>此处只能放置节点。</translation>
    </message>
    <message>
        <source>unassigned – out of scheduling</source>
        <translation>unassigned – 不参与调度</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeDrawer</name>
    <message>
        <source>Settings in force</source>
        <translation>生效的设置</translation>
    </message>
    <message>
        <source>Close the drawer (F4)</source>
        <translation>关闭详情面板 (F4)</translation>
    </message>
    <message>
        <source>Close the drawer</source>
        <translation>关闭详情面板</translation>
    </message>
    <message>
        <source>Parts of the drawer</source>
        <translation>详情面板的各部分</translation>
    </message>
    <message>
        <source>Last probes</source>
        <translation>最近的探测</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>No probe has ended yet.</source>
        <translation>尚无探测完成。</translation>
    </message>
    <message>
        <source>No node selected</source>
        <translation>未选择节点</translation>
    </message>
    <message>
        <source>Select a row to see its probes, traffic and settings.</source>
        <translation>选择一行以查看其探测、流量和设置。</translation>
    </message>
    <message>
        <source>This node exists no more.</source>
        <translation>此节点已不存在。</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message numerus="yes">
        <source>%n flap(s) 1 h</source>
        <translation>
            <numerusform>1 小时抖动 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · disk free %2 GB</source>
        <comment>flaps, gigabytes</comment>
        <translation>%1 · 磁盘剩余 %2 GB</translation>
    </message>
    <message>
        <source>Probe log (%1)</source>
        <translation>探测日志 (%1)</translation>
    </message>
    <message>
        <source>probe ok but held until %1</source>
        <translation>探测正常，但隔离至 %1</translation>
    </message>
    <message>
        <source>Health check</source>
        <translation>健康检查</translation>
    </message>
    <message>
        <source>Offline after</source>
        <translation>离线条件</translation>
    </message>
    <message numerus="yes">
        <source>%n failed probe(s)</source>
        <translation>
            <numerusform>连续失败 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Back after</source>
        <translation>恢复条件</translation>
    </message>
    <message numerus="yes">
        <source>%n good probe(s)</source>
        <translation>
            <numerusform>连续成功 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>none so far</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>%1, used %2, reserved %3, in flight %4</source>
        <translation>%1，已用 %2，预留 %3，在途 %4</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>static (from the configuration)</source>
        <translation>静态（来自配置）</translation>
    </message>
    <message>
        <source>registered</source>
        <translation>已注册</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>In pool since</source>
        <translation>入池时间</translation>
    </message>
    <message>
        <source>Moved by</source>
        <translation>移动者</translation>
    </message>
    <message>
        <source>Last ejection</source>
        <translation>最近一次摘除</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodePickDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Weir – Add nodes</source>
        <translation>Weir – 添加节点</translation>
    </message>
    <message>
        <source>Add nodes to %1</source>
        <translation>向 %1 添加节点</translation>
    </message>
    <message>
        <source>Filter nodes of other pools</source>
        <translation>筛选其他池的节点</translation>
    </message>
    <message>
        <source>Nodes of other pools</source>
        <translation>其他池的节点</translation>
    </message>
    <message>
        <source>No node of another pool matches.</source>
        <translation>其他池中没有匹配的节点。</translation>
    </message>
    <message>
        <source>Select the nodes to add.</source>
        <translation>请选择要添加的节点。</translation>
    </message>
    <message numerus="yes">
        <source>Add %n node(s) to %1</source>
        <translation>
            <numerusform>向 %1 添加 %n 个节点</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::NodePoolsPage</name>
    <message numerus="yes">
        <source>%1 of %n selected node(s) is gone</source>
        <translation>
            <numerusform>所选 %n 个节点中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected pool(s) is gone</source>
        <translation>
            <numerusform>所选 %n 个池中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>Node pools</source>
        <translation>节点池</translation>
    </message>
    <message numerus="yes">
        <source>%n pool(s)</source>
        <translation>
            <numerusform>%n 个池</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n pool(s)</source>
        <translation>
            <numerusform>%n 个池中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · default stays first, unassigned last</source>
        <comment>count of pools</comment>
        <translation>%1 · default 始终在最前，unassigned 始终在最后</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in %1</source>
        <translation>
            <numerusform>%1 共 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) in %1 pools</source>
        <translation>
            <numerusform>%1 个池共 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n selected</source>
        <comment>nodes in pool; number selected</comment>
        <translation>
            <numerusform>%1 · 已选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>No pools.</source>
        <translation>没有池。</translation>
    </message>
    <message>
        <source>Waiting for the control plane.</source>
        <translation>正在等待控制面。</translation>
    </message>
    <message>
        <source>No node of the selection matches %1.</source>
        <translation>所选池中没有匹配 %1 的节点。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Select a pool to see its nodes.</source>
        <translation>选择一个池以查看其节点。</translation>
    </message>
    <message>
        <source>No node is in this pool.</source>
        <translation>此池中没有节点。</translation>
    </message>
    <message>
        <source>Pools</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Nodes of the selected pools</source>
        <translation>所选池的节点</translation>
    </message>
    <message>
        <source>Filter pools and nodes</source>
        <translation>筛选节点池和节点</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>可用</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeTableModel</name>
    <message>
        <source>%1 · cause: %2</source>
        <translation>%1 · 原因：%2</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Quarantine</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Traffic 5 m</source>
        <translation>流量 5 分钟</translation>
    </message>
    <message>
        <source>ok/err</source>
        <translation>成功/失败</translation>
    </message>
    <message>
        <source>Schedulable for</source>
        <translation>可调度</translation>
    </message>
    <message>
        <source>Free/Cap</source>
        <translation>空闲/容量</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Last probe</source>
        <translation>最近探测</translation>
    </message>
    <message>
        <source>Flaps 1 h</source>
        <translation>抖动 1 小时</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>In pool since</source>
        <translation>入池时间</translation>
    </message>
    <message>
        <source>Moved by</source>
        <translation>移动者</translation>
    </message>
    <message>
        <source>moving…</source>
        <translation>移动中…</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodeVerdicts</name>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Schedulable</source>
        <translation>可调度</translation>
    </message>
    <message>
        <source>no probe has ended yet</source>
        <translation>尚无探测完成</translation>
    </message>
    <message>
        <source>%1 in %2 ms</source>
        <translation>%1，%2 毫秒</translation>
    </message>
    <message>
        <source>%1, next in %2</source>
        <translation>%1，%2后再次探测</translation>
    </message>
    <message>
        <source>The check is good while requests fail.</source>
        <translation>探测正常，但请求失败。</translation>
    </message>
    <message>
        <source>Draining by %1, %2 in flight.</source>
        <translation>由 %1 排空，%2 个在途。</translation>
    </message>
    <message>
        <source>Draining by %1: %2; %3 in flight.</source>
        <translation>由 %1 排空：%2；%3 个在途。</translation>
    </message>
    <message>
        <source>%1 failed in a row, out at %2.</source>
        <translation>连续失败 %1 次，达到 %2 次即离线。</translation>
    </message>
    <message>
        <source>%1 good in a row.</source>
        <translation>连续成功 %1 次。</translation>
    </message>
    <message>
        <source>left in quarantine, until %1</source>
        <translation>隔离剩余时间，至 %1</translation>
    </message>
    <message>
        <source>The quarantine is over; only a good probe is missing.</source>
        <translation>隔离已结束；只差一次成功的探测。</translation>
    </message>
    <message>
        <source>cause: %1</source>
        <translation>原因：%1</translation>
    </message>
    <message>
        <source>%1 ok / %2 err</source>
        <translation>%1 成功 / %2 失败</translation>
    </message>
</context>
<context>
    <name>weir::ui::NodesPage</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected node(s) is gone</source>
        <translation>
            <numerusform>所选 %n 个节点中有 %1 个已不存在</numerusform>
        </translation>
    </message>
    <message>
        <source>Nodes/Workers</source>
        <translation>节点</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s)</source>
        <translation>
            <numerusform>%n 个节点中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>sorted by severity, then name</source>
        <translation>按严重程度、名称排序</translation>
    </message>
    <message>
        <source>No nodes registered.</source>
        <translation>没有已注册的节点。</translation>
    </message>
    <message numerus="yes">
        <source>0 of %n node(s) match.</source>
        <translation>
            <numerusform>%n 个节点中没有匹配项。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Problems only</source>
        <translation>仅问题</translation>
    </message>
    <message>
        <source>Disagreement only</source>
        <translation>仅不一致</translation>
    </message>
    <message>
        <source>Requests fail while the check is good</source>
        <translation>探测正常但请求失败</translation>
    </message>
</context>
<context>
    <name>weir::ui::OverviewPage</name>
    <message>
        <source>Schedulable apps</source>
        <translation>可调度应用</translation>
    </message>
    <message>
        <source>Workers healthy</source>
        <translation>健康 worker</translation>
    </message>
    <message>
        <source>Request success 5 m</source>
        <translation>请求成功率 5 分钟</translation>
    </message>
    <message>
        <source>Fallback share</source>
        <translation>回退占比</translation>
    </message>
    <message>
        <source>Ejections/h</source>
        <translation>每小时摘除</translation>
    </message>
    <message>
        <source>Healthy workers</source>
        <translation>健康 worker</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation>%1 分</translation>
    </message>
    <message numerus="yes">
        <source>Show the last %n minute(s)</source>
        <translation>
            <numerusform>显示最近 %n 分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>Starved apps</source>
        <translation>无法调度的应用</translation>
    </message>
    <message>
        <source>Pools</source>
        <translation>池</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>起始</translation>
    </message>
    <message>
        <source>Green but failing</source>
        <translation>探测正常但失败</translation>
    </message>
    <message>
        <source>All workers</source>
        <translation>所有 worker</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Failed/all</source>
        <translation>失败/全部</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要关注</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Recent changes</source>
        <translation>最近变更</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>24 小时</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变更</translation>
    </message>
    <message>
        <source>Collecting since %1 (%2).</source>
        <translation>自 %1（%2）起收集。</translation>
    </message>
    <message>
        <source>Not known while no live state has come.</source>
        <translation>实时状态未到达前未知。</translation>
    </message>
    <message>
        <source>No worker is registered yet.</source>
        <translation>尚未注册 worker。</translation>
    </message>
    <message>
        <source>Every known app has a place to go.</source>
        <translation>每个已知应用都有去处。</translation>
    </message>
    <message>
        <source>No worker fails traffic while its check is green.</source>
        <translation>没有探测正常但流量失败的 worker。</translation>
    </message>
    <message>
        <source>Traffic is not measured until requests pass.</source>
        <translation>有请求经过后才测量流量。</translation>
    </message>
    <message>
        <source>No worker is out, held or failing.</source>
        <translation>没有 worker 离线、隔离或失败。</translation>
    </message>
    <message>
        <source>Nobody moved, drained or bound anything in 24&#xa0;h.</source>
        <translation>24&#xa0;小时内没有移动、排空或绑定操作。</translation>
    </message>
    <message>
        <source>No app is declared; one that asks resolves to default.</source>
        <translation>没有声明任何应用；来请求的会解析到 default。</translation>
    </message>
    <message>
        <source>No app is declared yet.</source>
        <translation>尚未声明任何应用。</translation>
    </message>
</context>
<context>
    <name>weir::ui::OwnerDialog</name>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>&amp;Owner</source>
        <translation>所有者(&amp;O)</translation>
    </message>
    <message>
        <source>no owner</source>
        <translation>无所有者</translation>
    </message>
    <message>
        <source>user %1 – pool-%1</source>
        <translation>user %1 – pool-%1</translation>
    </message>
    <message numerus="yes">
        <source>%n app(s)</source>
        <translation>
            <numerusform>%n 个应用</numerusform>
        </translation>
    </message>
    <message>
        <source>Without an owner and without a binding they resolve to default.</source>
        <translation>没有所有者且没有绑定时，它们解析到 default。</translation>
    </message>
    <message>
        <source>Without a binding they resolve to pool-%1.</source>
        <translation>没有绑定时，它们解析到 pool-%1。</translation>
    </message>
    <message numerus="yes">
        <source>%1 %n of them has (have) a binding, which goes on deciding.</source>
        <translation>
            <numerusform>%1其中 %n 个有绑定，仍由绑定决定。</numerusform>
        </translation>
    </message>
    <message>
        <source>Take the owner of %1 away</source>
        <translation>取消 %1 的所有者</translation>
    </message>
    <message>
        <source>Set owner of %1 to user %2</source>
        <translation>将 %1 的所有者设为 user %2</translation>
    </message>
    <message>
        <source>Set the owner of %1</source>
        <translation>设置 %1 的所有者</translation>
    </message>
    <message>
        <source>%1 no longer exists.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>Nothing would change: choose another owner.</source>
        <translation>不会有任何变化：请选择其他所有者。</translation>
    </message>
</context>
<context>
    <name>weir::ui::PoolChoiceModel</name>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>What the move would do</source>
        <translation>此次移动的影响</translation>
    </message>
</context>
<context>
    <name>weir::ui::PoolDrawer</name>
    <message>
        <source>No pool selected</source>
        <translation>未选择池</translation>
    </message>
    <message>
        <source>%1 exists no more.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>Available origins</source>
        <translation>可用 origin</translation>
    </message>
    <message>
        <source>Available edges</source>
        <translation>可用 edge</translation>
    </message>
    <message>
        <source>Available workers</source>
        <translation>可用 worker</translation>
    </message>
    <message>
        <source>none: out of scheduling</source>
        <translation>无：不参与调度</translation>
    </message>
    <message>
        <source>origins %1</source>
        <translation>origin %1</translation>
    </message>
    <message>
        <source>edges %1</source>
        <translation>edge %1</translation>
    </message>
    <message>
        <source>workers %1</source>
        <translation>worker %1</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Free capacity</source>
        <translation>空闲容量</translation>
    </message>
    <message>
        <source>Last change</source>
        <translation>最近变更</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <comment>time, what happened</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Apps resolving here</source>
        <translation>解析到此池的应用</translation>
    </message>
    <message>
        <source>Apps</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Why (not) chosen: %1</source>
        <translation>为何（未）选中：%1</translation>
    </message>
    <message>
        <source>Dry run for %1</source>
        <translation>对 %1 试运行</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Fallback rule</source>
        <translation>回退规则</translation>
    </message>
    <message>
        <source>%1 allow / %2 fail-closed</source>
        <translation>%1 个允许 / %2 个失败关闭</translation>
    </message>
    <message>
        <source>Exhausted 1 h</source>
        <translation>1 小时内耗尽</translation>
    </message>
    <message>
        <source>Minimum available</source>
        <translation>最低可用数</translation>
    </message>
    <message>
        <source>none set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>weir::ui::PoolPickDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Weir – Move to pool</source>
        <translation>Weir – 移到池</translation>
    </message>
    <message>
        <source>Type a pool&apos;s name</source>
        <translation>输入池名称</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Pools</source>
        <translation>池</translation>
    </message>
    <message>
        <source>The selected nodes are gone.</source>
        <translation>所选节点已不存在。</translation>
    </message>
    <message>
        <source>No pool is called so.</source>
        <translation>没有此名称的池。</translation>
    </message>
    <message>
        <source>Choose a pool.</source>
        <translation>请选择一个池。</translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s)</source>
        <translation>
            <numerusform>移动 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s) to %1</source>
        <translation>
            <numerusform>将 %n 个节点移到 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::PoolTableModel</name>
    <message>
        <source>%1 allow / %2 fail-closed</source>
        <translation>%1 个允许 / %2 个失败关闭</translation>
    </message>
    <message>
        <source>Processes keep running and heartbeats continue; no app is sent here.</source>
        <translation>进程继续运行，心跳继续；不会向此处派发应用。</translation>
    </message>
    <message>
        <source>0 of %1 match</source>
        <translation>%1 个中 0 个匹配</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>user %1</source>
        <translation>user %1</translation>
    </message>
    <message>
        <source>Role matches, online, not quarantined, not draining, with room</source>
        <translation>角色相符、在线、未隔离、未排空且有余量</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>origins</source>
        <translation>origin</translation>
    </message>
    <message>
        <source>edges</source>
        <translation>edge</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>worker</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Apps</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Free capacity</source>
        <translation>空闲容量</translation>
    </message>
    <message>
        <source>Fallback rule</source>
        <translation>回退规则</translation>
    </message>
    <message>
        <source>Exhausted 1 h</source>
        <translation>1 小时内耗尽</translation>
    </message>
    <message>
        <source>Last change</source>
        <translation>最近变更</translation>
    </message>
</context>
<context>
    <name>weir::ui::PreviewTableModel</name>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>verdict, number of nodes in default</comment>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>weir::ui::ProbeLogModel</name>
    <message>
        <source>Held</source>
        <translation>保持隔离</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Time (%1)</source>
        <translation>时间 (%1)</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Body fields</source>
        <translation>响应字段</translation>
    </message>
</context>
<context>
    <name>weir::ui::ReasonDialog</name>
    <message>
        <source>&amp;Reason (required)</source>
        <translation>原因（必填）(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reason (optional)</source>
        <translation>原因（可选）(&amp;R)</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>A reason is required</source>
        <translation>必须填写原因</translation>
    </message>
</context>
<context>
    <name>weir::ui::ReportDialog</name>
    <message>
        <source>Markdown (*.md);;All files (*)</source>
        <translation>Markdown (*.md);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Asking the control plane for its incidents…</source>
        <translation>正在向控制面查询事故…</translation>
    </message>
    <message>
        <source>There is no incident yet. One opens when a node goes out or an app is refused.</source>
        <translation>还没有事故。节点下线或应用被拒时会产生一个。</translation>
    </message>
    <message>
        <source>Not saved to %1: %2</source>
        <translation>未能保存到 %1：%2</translation>
    </message>
    <message>
        <source>Report of incident %1 saved to %2.</source>
        <translation>事故 %1 的报告已保存到 %2。</translation>
    </message>
    <message>
        <source>Report of incident %1 copied.</source>
        <translation>事故 %1 的报告已复制。</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>&amp;Incident</source>
        <translation>事故(&amp;I)</translation>
    </message>
    <message>
        <source>Incident</source>
        <translation>事故</translation>
    </message>
    <message>
        <source>Report, as it will be saved</source>
        <translation>报告（与保存内容一致）</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Copy as Markdown</source>
        <translation>复制为 Markdown(&amp;C)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>weir::ui::StateLane</name>
    <message>
        <source>%1 from %2 to %3 (%4)</source>
        <translation>%1，%2 至 %3（%4）</translation>
    </message>
    <message>
        <source>States over time</source>
        <translation>状态走势</translation>
    </message>
    <message>
        <source>Nothing is recorded for this time.</source>
        <translation>此时段没有记录。</translation>
    </message>
    <message numerus="yes">
        <source>%n state(s), last %1 since %2 (%3)</source>
        <translation>
            <numerusform>%n 个状态，最近 %1，自 %2（%3）起</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>weir::ui::TableColumns</name>
    <message>
        <source>Reset this table</source>
        <translation>重置此表</translation>
    </message>
</context>
<context>
    <name>weir::ui::TablePage</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter by: %1</source>
        <translation>按%1筛选</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>sorted by %1, then name</source>
        <translation>按%1、名称排序</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>count of rows, sort order</comment>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>selection, order held</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Waiting for the control plane.</source>
        <translation>正在等待控制面。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
</context>
<context>
    <name>weir::ui::WhyDialog</name>
    <message>
        <source>Why (not) chosen?</source>
        <translation>为何（未）选中？</translation>
    </message>
    <message>
        <source>&amp;App</source>
        <translation>应用(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Role</source>
        <translation>角色(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Needs</source>
        <translation>需要(&amp;N)</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Capacity needed</source>
        <translation>所需容量</translation>
    </message>
    <message>
        <source>As&amp;k</source>
        <translation>询问(&amp;K)</translation>
    </message>
    <message>
        <source>Ask the scheduler</source>
        <translation>询问调度器</translation>
    </message>
    <message>
        <source>&amp;Copy as Markdown</source>
        <translation>复制为 Markdown(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Dry run: nothing sent, no alarm, no counter</source>
        <translation>试运行：未发送任何内容，不告警，不计数</translation>
    </message>
    <message>
        <source>Nodes: candidates in their order, then who was excluded and why</source>
        <translation>节点：先按顺序列出候选，再列出被排除者及原因</translation>
    </message>
    <message>
        <source>Nodes of this decision</source>
        <translation>此次决策的节点</translation>
    </message>
    <message>
        <source>The answer names no node.</source>
        <translation>答复中没有节点。</translation>
    </message>
    <message>
        <source>Choose an app and a role, then ask.</source>
        <translation>选择应用和角色，然后询问。</translation>
    </message>
    <message>
        <source>Disconnected; nobody can be asked until data is live.</source>
        <translation>已断开；数据恢复实时前无法询问。</translation>
    </message>
    <message>
        <source>Name an app first.</source>
        <translation>请先填写应用。</translation>
    </message>
    <message>
        <source>There is no answer to copy yet.</source>
        <translation>尚无可复制的答复。</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>nothing (%1)</source>
        <translation>无 (%1)</translation>
    </message>
    <message>
        <source>%1, by fallback to default</source>
        <translation>%1，经由回退到 default</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>选中</translation>
    </message>
    <message>
        <source>Healthy elsewhere</source>
        <translation>其他池健康数</translation>
    </message>
    <message>
        <source>Would help</source>
        <translation>可解决</translation>
    </message>
</context>
</TS>
