/** Health data as the page shows it. */
import { describe, expect, test } from "vitest";
import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import type { Incident } from "#workers/contracts/api/tenants/incidents.ts";
import { DAY_MS, hourTicks, incidentSpans, laneOf, sharesOf, timeSpans } from "./lanes.ts";
import { formatShare } from "./probe-labels.ts";
import { fromApi, fromSnapshot } from "./probe-results.ts";
import { sleepStatus } from "./sleep-status.ts";
import { PERIOD_MS, startingSince } from "./state-duration.ts";

/** The end of a period. */
const NOW = Date.parse("2026-11-23T12:00:00.000Z");
type Period = InstanceHealth["history"][number];
/** A period that ended `ago` periods before now. */
const period = (ago: number, more: Partial<Period> = {}): Period => ({
  ...{ at: new Date(NOW - (ago + 1) * PERIOD_MS).toISOString(), samples: 5, started: 5, ready: 5, alive: 5 },
  ...{ mean_latency_ms: 10, max_latency_ms: 20, ...more },
});

describe("lanes", () => {
  test("cover the last 24 hours without gaps, and merge equal neighbours", () => {
    const history = [period(9), period(8), period(3, { ready: 0 }), period(2, { ready: 2 }), period(1), period(0)];
    const all = timeSpans(history, NOW);
    expect(all[0]?.from).toBe(NOW - DAY_MS);
    expect(all.at(-1)?.until).toBe(NOW);
    for (const [index, one] of all.entries()) if (index > 0) expect(one.from).toBe(all[index - 1]?.until);
    expect(laneOf(all, "readiness").map(({ outcome }) => outcome)).toEqual([
      "none",
      "all",
      "none",
      "no",
      "some",
      "all",
    ]);
    expect(laneOf(all, "liveness").map(({ outcome }) => outcome)).toEqual(["none", "all", "none", "all"]);
  });

  test("exclude earlier samples, and are empty without samples", () => {
    const old = { ...period(0), at: new Date(NOW - DAY_MS - PERIOD_MS / 2).toISOString() };
    expect(timeSpans([old], NOW).map(({ until }) => until - (NOW - DAY_MS))).toEqual([PERIOD_MS / 2, DAY_MS]);
    expect(laneOf(timeSpans([], NOW), "startup")).toEqual([{ from: NOW - DAY_MS, until: NOW, outcome: "none" }]);
    expect(sharesOf([])).toBeUndefined();
  });

  test("compute the share of successful probes, which is below 100 % after a failure", () => {
    expect(sharesOf([period(1, { ready: 0 }), period(0)])).toEqual({ startup: 1, readiness: 0.5, liveness: 1 });
    expect([formatShare(1), formatShare(0.99999), formatShare(0.976)]).toEqual(["100 %", "99.9 %", "97.6 %"]);
  });

  test("contain the incidents of the day, including open ones", () => {
    const at = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
    const incident = (id: string, opened: number, closed: number | null) =>
      ({ id, opened_at: at(opened), closed_at: closed === null ? null : at(closed) }) as Incident;
    const spans = incidentSpans([incident("now", 1, null), incident("long", 30, 20), incident("old", 40, 30)], NOW);
    expect(spans.map(({ incident: { id }, from, until }) => [id, NOW - from, NOW - until])).toEqual([
      ["long", DAY_MS, 20 * 3_600_000],
      ["now", 3_600_000, 0],
    ]);
  });
});

test("hour labels follow the local time and the available space", () => {
  const named = (now: number, most: number) => hourTicks(now, most).map((at) => new Date(at).getHours());
  const noon = new Date(2026, 5, 15, 12, 20).getTime();
  expect(named(noon, 8)).toEqual([15, 18, 21, 0, 3, 6, 9, 12]);
  expect(named(noon, 4)).toEqual([18, 0, 6, 12]);
  expect(named(noon, 2)).toEqual([0, 12]);
  for (const at of hourTicks(noon, 24)) expect([at > noon - DAY_MS, at <= noon]).toEqual([true, true]);
});

test("a start begins with the first period in which all probes found the gateway alive and not ready", () => {
  const starting = { ready: 0 };
  expect(startingSince([period(2, starting), period(1, starting), period(0, starting)], NOW)).toBe(NOW - 2 * PERIOD_MS);
  expect(startingSince([period(0, starting)], NOW)).toBe(NOW);
  expect(startingSince([period(2, starting), period(1), period(0, starting)], NOW)).toBe(NOW);
  expect(startingSince([period(1, starting), period(0, { ready: 0, alive: 4 })], NOW)).toBeUndefined();
  expect(startingSince([period(9, starting)], NOW)).toBeUndefined();
});

test("stream and API lead to the same probe results, except for what the API lacks", () => {
  const probe = (ok: boolean, latencyMs: number) => ({
    ...{ ok, status: ok ? ("success" as const) : ("failure" as const), latencyMs },
    ...(!ok && { error: "It is away." }),
  });
  const at = "2026-11-23T12:00:00.000Z";
  const streamed = fromSnapshot({
    ...{ ts: at, startup: probe(true, 0), readiness: probe(false, 31), liveness: probe(true, 7) },
    ...{ restoreStatus: { hadBackup: true, restored: true }, status: "starting", processType: "script" },
  });
  const flags = { startup_ok: true, readiness_ok: false, liveness_ok: true };
  const polled = fromApi(
    {
      ...{ state: "down", phase: "starting", reason: "It is away." },
      probes: { ...flags, had_backup: true, restored: true, latency_ms: 31 },
    },
    NOW,
  );
  expect({ ...streamed, latencies: null, process: undefined }).toEqual(polled);
  expect(streamed.latencies).toEqual({ startup: 0, readiness: 31, liveness: 7 });
  expect(fromApi({ state: "unknown", phase: null, reason: "Away.", probes: null }, NOW)).toBeUndefined();
});

describe("the sleep reason", () => {
  const awake = { state: "awake" as const, disk: null, memory: null, warnings: [], channels: null };
  const sleep = {
    after_seconds: 1_800,
    remaining_seconds: 0,
    with_channels: false,
    kept_awake: null,
    next_job_at: null,
    wakes_at: null,
  };
  const why = (more: Partial<typeof sleep> | null, state: "awake" | "asleep" = "awake") =>
    sleepStatus({ ...awake, state, sleep: more && { ...sleep, ...more } }, "basic").why;

  test("is what keeps it awake, its next job, or the remaining time", () => {
    expect(why({ remaining_seconds: 600 })).toMatch(/less than 30 min ago.*in 10 min/);
    expect(why({})).toContain("sleeps at the next check");
    const busy = { reason: "busy" as const, details: "an agent's turn" };
    expect(why({ kept_awake: busy } as object)).toContain("it is working (an agent's turn)");
    expect(why({ after_seconds: null } as object)).toContain("never sleeps");
    const job = { next_job_at: "2026-11-24T06:00:00.000Z", wakes_at: "2026-11-24T05:58:00.000Z" };
    expect(why({ ...job, remaining_seconds: null } as object, "asleep")).toMatch(/It wakes on .*:58:00/);
    expect(why({ remaining_seconds: null } as object, "asleep")).not.toContain("It wakes on");
  });

  test("comes from the plan if the Worker does not report it, or its state is unknown", () => {
    expect(why(null)).toContain("its plan allows");
    expect(sleepStatus(null, "free")).toEqual({
      state: "Unknown",
      why: expect.stringContaining("currently unknown"),
      rule: "Plan Free: sleeps after 10 min without a request, even while channels are connected.",
    });
    expect(sleepStatus(null, "enterprise").rule).toBe("Plan Enterprise: never sleeps.");
  });
});
