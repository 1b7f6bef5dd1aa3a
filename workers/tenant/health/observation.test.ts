/** The calls between Worker and supervisor for one snapshot. */
import { describe, expect } from "vitest";
import { HEALTH_WS_POLL_INTERVAL_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import { ADMIN, running, tick } from "../testing/backup-tenant.ts";
import { type EngineProxy, HEALTH, PROCESSES } from "../testing/engine-proxy.ts";
import { eventually, slowGateway } from "../testing/harness.ts";
import { type Listener, listen } from "../testing/health-stream.ts";
import { test } from "../testing/test.ts";

const countCalls = (proxy: EngineProxy) =>
  [PROCESSES, HEALTH].map((kind) => proxy.calls.filter((call) => call === kind).length);
const cost = async (proxy: EngineProxy, work: () => Promise<unknown>): Promise<number[]> => {
  proxy.calls.length = 0;
  await work();
  return countCalls(proxy);
};
describe.concurrent("a snapshot", () => {
  test("needs one process lookup and one health call, in every mode and state", async ({ openProxied }) => {
    const { tenant, proxy } = await openProxied(slowGateway);
    // Nothing is called in a container that does not run.
    expect(await cost(proxy, () => tenant.health("?passive=1"))).toEqual([0, 0]);
    // It starts the gateway and shows the script. The start itself lists the processes once more.
    expect(await cost(proxy, async () => expect((await tenant.health()).processType).toBe("script"))).toEqual([1, 0]);
    // The gateway cannot be called until it listens.
    expect((await cost(proxy, () => tenant.health()))[0]).toBe(1);
    await running(tenant);
    for (const path of ["/api/health", "/api/health?passive=1", "/api/status", "/api/admin/gateway/status/polling"])
      expect([path, await cost(proxy, () => tenant.fetch(path, { headers: ADMIN }))]).toEqual([path, [1, 1]]);
    expect(await cost(proxy, () => tick(tenant))).toEqual([1, 1]);
    proxy.fail(PROCESSES);
    for (const query of ["", "?passive=1"]) expect(await cost(proxy, () => tenant.health(query))).toEqual([1, 1]);
  });

  test.for(["", "?passive=1"])("calls both at the same time for /api/health%s", async (query, { openProxied }) => {
    const { tenant, proxy } = await openProxied();
    await running(tenant);
    const held = proxy.hold((call) => call === PROCESSES || call === HEALTH);
    const snapshot = tenant.health(query);
    // Neither is answered before both have arrived.
    await eventually(() => held.calls.length === 2);
    expect(held.calls.toSorted()).toEqual([HEALTH, PROCESSES].toSorted());
    held.release();
    expect(await snapshot).toMatchObject({ readiness: { ok: true }, liveness: { ok: true } });
  });
});

describe.concurrent("the stream", () => {
  const LISTENERS = 20;
  const ROUNDS = 4;

  test("sends all listeners the same snapshot about every five seconds", async ({ openProxied }) => {
    const { tenant, proxy } = await openProxied();
    await running(tenant);
    const urls = Array.from({ length: LISTENERS }, (_, i) => `${tenant.url}/api/health/ws${i % 2 ? "?passive=1" : ""}`);
    const listeners: Listener[] = await Promise.all(urls.map((url) => listen(url)));
    await eventually(() => listeners.every(({ messages }) => messages.length > 0));
    // Waits for the next round.
    const begun = listeners.map(({ messages }) => messages.length);
    await eventually(() => listeners.every(({ messages }, i) => messages.length > (begun[i] ?? 0)));
    for (const { messages } of listeners) messages.splice(0, messages.length - 1);
    proxy.calls.length = 0;
    await eventually(() => listeners.every(({ messages }) => messages.length > ROUNDS));
    expect(countCalls(proxy)).toEqual([ROUNDS, ROUNDS]);

    const [first = []] = listeners.map(({ messages }) => messages.map(({ ts }) => ts));
    for (const { messages } of listeners) expect(messages.map(({ ts }) => ts)).toEqual(first);
    const times = first.map((ts) => Date.parse(ts));
    const intervals = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    // A busy machine may be late, but never early, and not always late.
    expect(Math.min(...intervals)).toBeGreaterThanOrEqual(HEALTH_WS_POLL_INTERVAL_MS - 500);
    expect(Math.min(...intervals)).toBeLessThanOrEqual(HEALTH_WS_POLL_INTERVAL_MS + 2_000);
    await Promise.all(listeners.map((listener) => listener.close()));
  });

  test("ignores what a listener sends", async ({ openProxied }) => {
    const { tenant } = await openProxied();
    const quiet = await listen(`${tenant.url}/api/health/ws?passive=1`);
    const loud = await listen(`${tenant.url}/api/health/ws?passive=1`);
    for (const data of ["", "ping", "{}", Buffer.alloc(100_000, 1)]) loud.send(data);
    // The same message reaches the two at different times.
    const isShared = ({ ts }: { ts: string }) => quiet.messages.some((message) => message.ts === ts);
    await eventually(() => quiet.messages.length > 2 && loud.messages.filter(isShared).length > 1);
    await Promise.all([quiet.close(), loud.close()]);
    expect((await tenant.health("?passive=1")).status).toBe("stopped");
  });

  test("has an alias for administrators", async ({ openProxied }) => {
    const { tenant } = await openProxied();
    const path = "/api/admin/gateway/status/ws?passive=1";
    for (const headers of [{}, { "X-Platform-Role": "BASE_USER" }, { "X-Platform-Role": "root" }])
      await expect(listen(tenant.url + path, headers)).rejects.toThrow("403");
    expect((await tenant.fetch(path, { headers: ADMIN })).status).toBe(400);
    for (const role of ["ADMIN", "ROOT"]) {
      const listener = await listen(tenant.url + path, { "X-Platform-Role": role });
      await eventually(() => listener.messages.length > 0);
      expect(listener.messages[0]?.status).toBe("stopped");
      await listener.close();
    }
    expect(tenant.processes()).toEqual([]);
  });
});
