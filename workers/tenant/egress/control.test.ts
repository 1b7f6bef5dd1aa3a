import { expect, test } from "vitest";
import { sqlStore } from "../metrics/testing/sql-store.ts";
import { memoryStorage } from "../sleep/testing/memory-storage.ts";
import { EgressControl } from "./control.ts";
import { CountBatch, type HostCount } from "./host-counts.ts";
import { HostStore } from "./host-store.ts";
import { PolicyCache } from "./policy-cache.ts";
import { StoredEgress } from "./stored-egress.ts";

const NOON = Date.parse("2026-11-27T12:00:00Z");
const count = (host: string, more: Partial<HostCount> = {}): HostCount => ({
  ...{
    host,
    port: 443,
    program: "node",
    requests: 1,
    refused: 0,
    sentBytes: 10,
    receivedBytes: 20,
    at: NOON,
    reason: null,
  },
  ...more,
});
const refusal = (host: string) => count(host, { refused: 1, reason: "not-listed" });

test("adds counts by host, port and program, and keeps them after an eviction", () => {
  const storage = sqlStore();
  const store = new HostStore(storage);
  store.add([count("a.example"), count("a.example", { program: null }), count("a.example", { port: 80 })]);
  store.add([count("a.example", { requests: 2, refused: 2, reason: "method", at: NOON + 1_000 })]);
  store.add([count("a.example", { requests: 0, sentBytes: 0, receivedBytes: 5, at: NOON + 500 })]);
  const rows = new HostStore(storage).list();
  expect(rows).toHaveLength(3);
  expect(rows[0]).toEqual({
    ...{ host: "a.example", port: 443, program: "node", requests: 3, refused: 2, sentBytes: 20, receivedBytes: 45 },
    ...{ firstAt: "2026-11-27T12:00:00.000Z", lastAt: "2026-11-27T12:00:01.000Z", reason: "method" },
  });
});

test("drops the rows with the least recent request beyond 2,000", () => {
  const storage = sqlStore();
  new HostStore(storage).add(Array.from({ length: 1_999 }, (_, i) => count(`${i}.example`, { at: NOON + i })));
  const store = new HostStore(storage);
  store.add([
    count("x.example", { at: NOON + 5_000 }),
    count("y.example", { at: NOON + 5_001 }),
    count("1998.example"),
  ]);
  const hosts = store.list().map(({ host }) => host);
  expect([hosts.length, hosts[0], hosts.at(-1)]).toEqual([2_000, "y.example", "1.example"]);
});

test("batches the counts of a second, and sends the next batch when a request was ended before its own", async () => {
  const at = { now: NOON };
  const timers: (() => void)[] = [];
  const batch = new CountBatch(
    () => new Promise((resolve) => timers.push(resolve)),
    () => at.now,
  );
  const sent: HostCount[][] = [];
  const works: Promise<unknown>[] = [];
  const options = {
    send: async (counts: HostCount[]) => void sent.push(counts),
    waitUntil: (work: Promise<unknown>) => void works.push(work),
  };
  batch.add(count("a.example"), options);
  batch.add(refusal("a.example"), options);
  batch.add(count("b.example"), options);
  expect(timers).toHaveLength(1);
  at.now += 2_000;
  batch.add(count("b.example"), options);
  expect(timers).toHaveLength(2);
  timers[1]?.();
  await works[1];
  expect(sent).toEqual([
    [
      count("a.example", { requests: 2, refused: 1, sentBytes: 20, receivedBytes: 40, reason: "not-listed" }),
      count("b.example", { requests: 2, sentBytes: 20, receivedBytes: 40, at: at.now }),
    ],
  ]);
  for (let i = 0; i < 600; i += 1) batch.add(count(`${i}.example`), options);
  timers.at(-1)?.();
  await works.at(-1);
  expect(sent[1]).toHaveLength(500);
});

const secret = {
  id: "0b6f3cf0-65a5-4b0e-9d0c-0f6c7a3f3a10",
  ...{ name: "crm", host: "crm.example.com", header: "authorization", prefix: "Bearer ", value: "s3cret-value" },
};
const order = {
  revision: "5f0c8a52-6d0c-4e0b-9b54-3a5c0d1c9a11",
  layers: [null, { mode: "allowlist" as const, entries: [{ host: "crm.example.com" }] }],
  secrets: [secret],
};

async function control(storage = memoryStorage(), at = { now: NOON }) {
  const stored = new StoredEgress(storage);
  await stored.load();
  const events: Record<string, unknown>[] = [];
  const metric: Record<string, number> = {};
  const sandbox = { follows: 0, internet: true, gaps: [] };
  const egress = new EgressControl({
    stored,
    hosts: new HostStore(sqlStore()),
    bound: () => undefined,
    sandbox: {
      async followEgress() {
        sandbox.follows += 1;
      },
      egress: async () => ({ internet: sandbox.internet, gaps: sandbox.gaps }),
    },
    record: (event, details) => events.push({ event, ...details }),
    meter: {
      countEgress(status, requests) {
        metric[status] = (metric[status] ?? 0) + requests;
      },
    },
    now: () => at.now,
  });
  return { at, storage, stored, events, metric, sandbox, egress };
}

test("stores an order, applies it to the running container, and survives a restart of the object", async () => {
  const { egress, storage, sandbox, stored } = await control();
  expect([egress.networkPlan(), await egress.report()]).toEqual([
    null,
    { revision: null, mode: "open", restartRequired: false, gaps: [], hosts: [] },
  ]);
  await egress.replace(order);
  expect([sandbox.follows, stored.secrets]).toEqual([1, ["s3cret-value"]]);
  const next = await control(storage);
  const { stamp, ...kept } = next.egress.order(undefined) ?? {};
  expect(kept).toEqual({ layers: order.layers, secrets: order.secrets });
  expect(next.egress.order(stamp)).toBeNull();
  expect(next.egress.networkPlan()?.internet).toBe(false);
  expect(await next.egress.report()).toMatchObject({
    ...{ revision: order.revision, mode: "allowlist", restartRequired: true },
  });
  next.sandbox.internet = false;
  expect(await next.egress.report()).toMatchObject({ restartRequired: false });
  await next.egress.replace({ ...order, secrets: [] });
  expect([next.stored.secrets, await storage.get("egress-secrets")]).toEqual([[], undefined]);
  expect(next.egress.order(stamp)).not.toBeNull();
});

test("records the first refusal of a host in an hour as an event, and counts requests", async () => {
  const { egress, events, metric, at } = await control();
  egress.record([refusal("a.example"), count("b.example", { requests: 3 })]);
  egress.record([refusal("a.example"), refusal("c.example")]);
  at.now += 3_600_000;
  egress.record([refusal("a.example")]);
  expect(events.map(({ host }) => host)).toEqual(["a.example", "c.example", "a.example"]);
  expect(events[0]).toEqual({
    event: "egress.refused",
    host: "a.example",
    port: 443,
    program: "node",
    reason: "not-listed",
  });
  expect(metric).toEqual({ allowed: 3, refused: 4 });
  egress.record(Array.from({ length: 100 }, (_, i) => refusal(`${i}.example`)));
  expect(events).toHaveLength(22);
});

test("a policy is used for two seconds, and never longer when it cannot be read again", async () => {
  const at = { now: NOON };
  const cache = new PolicyCache(() => at.now);
  const asked: (string | undefined)[] = [];
  let mode: "open" | "audit" = "open";
  const source = async (known: string | undefined) => {
    asked.push(known);
    return known === mode ? null : { stamp: mode, layers: [{ mode, entries: [] }], secrets: [] };
  };
  const read = async () => (await cache.read(source, () => undefined)).compiled.mode;
  expect([await read(), await read()]).toEqual(["open", "open"]);
  mode = "audit";
  at.now += 1_999;
  expect(await read()).toBe("open");
  at.now += 1;
  expect([await read(), asked]).toEqual(["audit", [undefined, "open"]]);
  cache.forget();
  const failing = () => Promise.reject(new Error("unreachable"));
  await expect(cache.read(failing, () => undefined)).rejects.toThrow("unreachable");
  expect([await read(), asked.at(-1)]).toEqual(["audit", "audit"]);
});
