import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { AI_USAGE_AGE_MS, type AiQuery } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import { type CostPoint, METRIC_UNITS, type Metric } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import type { SandboxActivity, SandboxResources } from "#workers/contracts/tenant/sandbox.ts";
import type { AiUsagePoint } from "./ai-usage.ts";
import { sqlStore } from "./testing/sql-store.ts";
import { UsageMeter } from "./usage-meter.ts";
import { MAX_SERIES, SERIES_AGE_MS } from "./usage-store.ts";

function meters(write: (point: CostPoint) => void = () => {}) {
  const storage = sqlStore();
  const points: CostPoint[] = [];
  const keep = (point: CostPoint) => {
    write(point);
    points.push(point);
  };
  /** Creates another meter over the same storage, as after an eviction. */
  const meter = () => new UsageMeter({ storage, write: keep, tenant: "acme", environment: "production" });
  const sum = (metric: Metric, double = 0) =>
    points.filter(({ blobs }) => blobs[0] === metric).reduce((all, { doubles }) => all + (doubles[double] ?? 0), 0);
  return { meter, points, sum, storage };
}

const activity = (wake: string, seconds: number, active = 0, sessions = 0): SandboxActivity => ({
  wake,
  uptimeMs: seconds * 1000,
  idleMs: 0,
  activeMs: active * 1000,
  webSocketSessions: sessions,
});
const snapshot = (status: HealthSnapshot["status"]): HealthSnapshot => {
  const probe = { ok: true, status: "success", latencyMs: 0 } as const;
  const restoreStatus = { hadBackup: false, restored: false };
  return { ts: new Date().toISOString(), startup: probe, readiness: probe, liveness: probe, restoreStatus, status };
};
const usage = (series: string, time: number, value: number, changed: Partial<AiUsagePoint> = {}): AiUsagePoint => ({
  series,
  temporality: "cumulative",
  start: "1",
  time: String(time),
  value,
  quantity: "queries",
  operation: "chat",
  provider: "openai",
  model: "gpt-5",
  ...changed,
});

const query = (id: string, changed: Partial<AiQuery> = {}): AiQuery => ({
  id,
  at: new Date().toISOString(),
  operation: "chat",
  provider: "openai",
  model: "gpt-5",
  inputTokens: 100,
  outputTokens: 10,
  cost: 1_500,
  ...changed,
});

test("counts the increase of a wake period's counters once, despite gaps, repetitions and evictions", () => {
  const wakings = fc.array(
    fc.array(fc.record({ add: fc.nat(300), sessions: fc.nat(3), readings: fc.nat(3), evicted: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(wakings, (all) => {
      const { meter, sum } = meters();
      let current = meter();
      let [uptime, opened] = [0, 0];
      for (const [index, minutes] of all.entries()) {
        let [seconds, sessions] = [0, 0];
        for (const [minute, { add, sessions: more, readings, evicted }] of minutes.entries()) {
          seconds += add;
          sessions += more;
          if (evicted) current = meter();
          // The last measurement is before the container sleeps.
          const times = minute === minutes.length - 1 ? readings + 1 : readings;
          for (let attempt = 0; attempt < times; attempt += 1)
            current.record(activity(`wake-${index}`, seconds, seconds / 2, sessions));
        }
        uptime += seconds;
        opened += sessions;
      }
      expect(sum("container_uptime")).toBeCloseTo(uptime, 6);
      expect(sum("container_activity")).toBeCloseTo(uptime / 2, 6);
      expect(sum("websocket_sessions")).toBe(opened);
    }),
  );
});

test("counts late counters of an earlier wake period once", () => {
  const { meter, sum } = meters();
  const one = meter();
  one.record(activity("a", 100));
  one.record(activity("b", 5));
  one.record(activity("a", 90));
  one.record(activity("b", 4));
  one.record(activity("b", 6));
  expect(sum("container_uptime")).toBe(106);
});

test("writes a heartbeat once a minute while the container runs", () => {
  const { meter, points, sum } = meters();
  const beat = (time: string, status: HealthSnapshot["status"]) => meter().tick(time, { snapshot: snapshot(status) });
  beat("2026-11-20T10:00:00Z", "stopped");
  expect(points).toEqual([]);
  beat("2026-11-20T10:01:00Z", "starting");
  beat("2026-11-20T10:01:00Z", "starting");
  beat("2026-11-20T10:02:00.000Z", "running");
  beat("2026-11-20T10:01:00.000Z", "running");
  expect(sum("container_heartbeat")).toBe(2);
  expect(points.map(({ blobs }) => blobs.slice(0, 3))).toEqual([
    ["container_heartbeat", "starting", "production"],
    ["container_heartbeat", "running", "production"],
  ]);
});

test("writes the resources at the heartbeat, not a sum", () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  let failures = 1;
  const { meter, points } = meters(() => {
    if (failures-- > 0) throw new Error("no more points");
  });
  const use = (usedBytes: number) => ({ usedBytes, totalBytes: 100 });
  const beat = (minute: number, resources?: SandboxResources) =>
    meter().tick(`2026-11-20T10:0${minute}:00Z`, { snapshot: snapshot("running"), ...(resources && { resources }) });
  beat(1, { disk: use(10), memory: use(50) });
  beat(2, { disk: use(20), memory: use(60) });
  beat(3);
  expect(points.map(({ doubles }) => doubles)).toEqual([
    [2, 0, 0, 20, 100, 60, 100],
    [1, 0, 0],
  ]);
  errors.mockRestore();
});

test("writes queries and tokens as one point per model, indexed by tenant", () => {
  const { meter, points } = meters();
  meter().countAiUsage([
    usage("q", 2, 3),
    usage("i", 2, 1000, { quantity: "inputTokens" }),
    usage("o", 2, 50, { quantity: "outputTokens" }),
    usage("q2", 2, 1, { model: "other" }),
  ]);
  expect(points).toEqual([
    {
      indexes: ["acme"],
      blobs: ["ai_queries", "", "production", "", "chat", "openai", "gpt-5"],
      doubles: [3, 1000, 50],
    },
    { indexes: ["acme"], blobs: ["ai_queries", "", "production", "", "chat", "openai", "other"], doubles: [1, 0, 0] },
  ]);
  meter().countAiUsage([usage("q", 2, 3), usage("q", 3, 4)]);
  expect(points.slice(2).map(({ doubles }) => doubles)).toEqual([[1, 0, 0]]);
});

test("writes an archive's bytes with their direction", () => {
  const { meter, points } = meters();
  meter().countTransfer({ direction: "upload", operation: "backup", bytes: 1234 });
  expect(points).toEqual([
    {
      indexes: ["acme"],
      blobs: ["object_storage_bandwidth", "", "production", "upload", "backup", "", ""],
      doubles: [1234, 0, 0],
    },
  ]);
});

test("writes at most as many points as an invocation may, and the rest later", () => {
  const { meter, points, sum } = meters();
  const many = Array.from({ length: 450 }, (_, index) => usage(`s${index}`, 1, 1, { model: `model-${index}` }));
  meter().countAiUsage(many);
  expect(points).toHaveLength(200);
  meter().tick("2026-11-20T10:00:00Z", { snapshot: snapshot("stopped") });
  meter().tick("2026-11-20T10:01:00Z", { snapshot: snapshot("stopped") });
  expect(points).toHaveLength(450);
  expect(sum("ai_queries")).toBe(450);
});

test("writes the messages of a minute as one point, also after the object's end", () => {
  const { meter, points } = meters();
  meter().countMessages("queued", 1);
  meter().countMessages("queued", 1);
  expect(points).toEqual([]);
  meter().tick("2026-11-20T10:00:00Z", { snapshot: snapshot("stopped") });
  expect(points.map(({ blobs, doubles }) => [blobs[0], doubles[0]])).toEqual([["inbox_messages", 2]]);
});

test("writes a failed point later, once", () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  let failures = 2;
  const { meter, sum } = meters(() => {
    if (failures-- > 0) throw new Error("no more points");
  });
  meter().record(activity("a", 10));
  meter().record(activity("a", 20));
  expect(sum("container_uptime")).toBe(0);
  meter().record(activity("a", 30));
  expect(sum("container_uptime")).toBe(30);
  expect(errors).toHaveBeenCalledTimes(2);
  errors.mockRestore();
});

test("leaves out new series beyond the maximum, until others were silent for a day", () => {
  vi.useFakeTimers();
  try {
    const { meter, sum } = meters();
    const one = meter();
    expect(one.countAiUsage(Array.from({ length: MAX_SERIES + 5 }, (_, index) => usage(`s${index}`, 1, 1)))).toEqual({
      left: 5,
    });
    expect(one.countAiUsage([usage("s0", 2, 4)])).toEqual({ left: 0 });
    vi.advanceTimersByTime(SERIES_AGE_MS);
    expect(one.countAiUsage([usage("s0", 3, 5), usage("new", 3, 1)])).toEqual({ left: 0 });
    expect(one.countAiUsage([usage("s0", 3, 5)])).toEqual({ left: 0 });
    expect(sum("ai_queries")).toBe(MAX_SERIES + 3 + 1 + 1);
  } finally {
    vi.useRealTimers();
  }
});

test("uses one layout for every metric, within the vendor's limits", () => {
  const { meter, points } = meters();
  const long = "x".repeat(10_000);
  meter().countAiUsage([usage("q", 1, 1, { model: long, provider: long, operation: long })]);
  meter().countAiQueries([query("l", { model: long, provider: long, operation: long })]);
  meter().countMessages("accepted", 2);
  meter().countEgress("refused", 1);
  meter().tick("2026-11-20T10:00:00Z", { snapshot: snapshot("running"), activity: activity("a", 5, 2, 1) });
  meter().countTransfer({ direction: "download", operation: "restore", bytes: 5 });
  meter().countFailure("refused");
  meter().measureInbox(
    { pending: 1, dead: 1, limit: 9, oldestAt: new Date(Date.now() - 60_000).toISOString() },
    Date.now(),
  );
  meter().measureChannels([{ messenger: "irc" }, { messenger: "irc" }, { messenger: "matrix" }]);
  const failures = points.filter(({ blobs }) => blobs[0] === "channel_failures");
  expect(failures.map(({ blobs, doubles }) => [blobs[5], doubles[0]])).toEqual([
    ["irc", 2],
    ["matrix", 1],
  ]);
  expect(new Set(points.map(({ blobs }) => blobs[0]))).toEqual(new Set(Object.keys(METRIC_UNITS)));
  for (const { blobs, doubles, indexes } of points) {
    expect(blobs).toHaveLength(7);
    expect(doubles).toHaveLength(3);
    expect(indexes).toEqual(["acme"]);
    expect(Buffer.byteLength(blobs.join(""))).toBeLessThan(16_000);
  }
});

test("counts a query of the AI gateway's log once, with tokens and cost", () => {
  const { meter, sum, points } = meters();
  meter().countAiQueries([query("a"), query("b"), query("a")]);
  meter().countAiQueries([query("b"), query("c", { cost: 0 })]);
  expect([sum("ai_queries"), sum("ai_queries", 1), sum("ai_queries", 2)]).toEqual([3, 300, 30]);
  expect(sum("ai_spend")).toBe(3_000);
  expect(points[0]?.blobs).toEqual(["ai_queries", "", "production", "", "chat", "openai", "gpt-5"]);
  meter().countAiQueries([query("e", { person: "ada" })]);
  expect(points.at(-1)?.blobs.at(-1)).toBe("ada");
  meter().countAiQueries([query("d", { isOwnPayer: true })]);
  expect([sum("ai_queries"), sum("ai_spend")]).toEqual([5, 4_500]);
  // A query that is older than the stored ones may have been counted before.
  meter().countAiQueries([query("old", { at: new Date(Date.now() - AI_USAGE_AGE_MS - 1).toISOString() })]);
  expect(sum("ai_queries")).toBe(5);
});

test("ignores a query that began before this tenant existed", () => {
  const before = query("earlier tenant", { at: new Date(Date.now() - 1).toISOString() });
  const { meter, sum } = meters();
  const one = meter();
  one.countAiQueries([before, query("own")]);
  expect([sum("ai_queries"), sum("ai_spend")]).toEqual([1, 1_500]);
  // Nor after an eviction.
  meter().countAiQueries([before]);
  expect(sum("ai_queries")).toBe(1);
});

test("counts all queries of the last day for a tenant of an earlier version", () => {
  const { meter, sum, storage } = meters();
  meter();
  storage.sql.exec("delete from usage_marks");
  meter().countAiQueries([query("a", { at: new Date(Date.now() - AI_USAGE_AGE_MS / 2).toISOString() })]);
  expect(sum("ai_queries")).toBe(1);
});

test("reaches the cap of spending with what it counted and what the ledger knows of earlier days", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-26T10:00:00Z") });
  try {
    const { meter } = meters();
    const one = meter();
    one.countAiQueries([query("a"), query("own", { isOwnPayer: true })]);
    expect(one.isCapReached()).toBe(false);
    const days = [
      { day: "2026-11-26", micros: 1_000 },
      { day: "2026-11-25", micros: 500 },
      { day: "2026-10-28", micros: 200 },
      { day: "2026-10-27", micros: 9_999 },
    ];
    one.setSpendingCap({ cap: 2_201, days });
    expect(one.isCapReached()).toBe(false);
    one.countAiQueries([query("b", { cost: 1 })]);
    // After an eviction, and after the order is repeated.
    const other = meter();
    expect(other.isCapReached()).toBe(true);
    other.setSpendingCap({ cap: 2_201, days: days.slice(0, 2) });
    expect(other.isCapReached()).toBe(true);
    vi.setSystemTime(Date.parse("2026-11-27T00:00:00Z"));
    expect(other.isCapReached()).toBe(false);
    other.setSpendingCap({ cap: 0, days: [] });
    expect(other.isCapReached()).toBe(true);
    other.setSpendingCap({ cap: null, days: [] });
    expect(other.isCapReached()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
