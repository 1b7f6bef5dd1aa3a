import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { putRoute, putScript } from "../testing/scripts.ts";
import { putDispatch, putTenant } from "../testing/tenant-script.ts";
import { noContainers, startTestEdge, type TestEdge, until } from "../testing/test-edge.ts";
import { exchange, openSocket } from "../testing/web-socket.ts";

const MAX_CELLS = 2;
/** How long a request waits for a place. */
const PATIENCE_MS = 30_000;

let edge: TestEdge;
let clock: FakeClock;
const awake = new Set<string>();

async function start(cellIdleMs = 60_000): Promise<void> {
  clock = new FakeClock("2026-11-01T00:00:30Z");
  const containers = {
    ...noContainers,
    isAwake: ({ name }: { name: string }) => awake.has(name),
  };
  edge = await startTestEdge({ runtime: { maxCells: MAX_CELLS, cellIdleMs, clock, containers } });
  putDispatch(edge);
}

beforeEach(() => awake.clear());
afterEach(() => edge.stop());

const logged = (event: string, script?: string) =>
  edge.log.filter((line) => line.event === event && (script === undefined || line.script === `tenants/${script}`));
const ask = (name: string, path = "version") => edge.ask(`${name}.tenantry.test/${path}`);

/** Opens a WebSocket to a tenant, whose cell is busy until the returned function has closed it. */
async function hold(name: string): Promise<() => Promise<void>> {
  const socket = await openSocket(edge.port, `${name}.tenantry.test/ws`);
  await exchange(socket, "hello");
  return async () => {
    socket.close();
    await once(socket, "close");
  };
}

/** The most cells that ran at one time while `work` was done. */
async function mostDuring(work: () => Promise<void>): Promise<number> {
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, edge.runtime.cells().length);
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return most;
}

describe("the bound of cells", () => {
  beforeEach(() => start());

  test("holds in a burst, and everybody is answered", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `t${index}`);
    for (const name of names) putTenant(edge, name);
    const most = await mostDuring(async () => {
      const answers = await Promise.all(names.map((name) => ask(name)));
      expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    });
    expect(most).toBe(MAX_CELLS);
    expect(logged("cell-waits").length).toBeGreaterThan(0);
  });

  test("gives a place that became free to who waits, and a clear 503 to who has waited too long", async () => {
    for (const name of ["a", "b", "c", "d"]) putTenant(edge, name);
    const leave = await hold("a");
    await hold("b");
    const late = edge.ask("c.tenantry.test/version", { headers: { accept: "application/json" } });
    await until(() => logged("cell-waits", "c").length === 1);
    clock.leap(PATIENCE_MS);
    const refused = await late;
    expect(refused.status).toBe(503);
    expect(refused.headers["retry-after"]).toBe("5");
    expect(JSON.parse(refused.body).detail).toBe("All 2 Workers that may run at once are busy.");

    const patient = ask("d");
    await until(() => logged("cell-waits", "d").length === 1);
    expect(edge.runtime.cells()).toEqual(["tenants/a", "tenants/b"]);
    await leave();
    expect((await patient).body).toBe("1");
    expect(edge.runtime.cells().toSorted()).toEqual(["tenants/b", "tenants/d"]);
  });

  test("lets one that was given up wait no longer", async () => {
    for (const name of ["a", "b", "c", "d"]) putTenant(edge, name);
    const source = `
      export default { fetch: (request, env) =>
        env.DISPATCHER.get("c").fetch(request, { signal: AbortSignal.timeout(1000) }).catch((error) => new Response(error.name)) };`;
    const bindings = [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: "tenants" }];
    putScript(edge.store, { name: "impatient", source, bindings });
    putRoute(edge.store, "impatient.tenantry.test/*", "impatient");
    const leave = await hold("a");
    await hold("b");
    expect((await ask("impatient")).body).toBe("TimeoutError");
    await until(() => logged("cell-given-up", "c").length === 1);
    await leave();
    expect((await ask("d")).body).toBe("1");
    expect(logged("cell-started", "c")).toEqual([]);
  });

  test("counts alarms too, and lets one come to its end", async () => {
    putTenant(edge, "busy");
    for (const name of ["one", "two", "three"]) putClock(name);
    await hold("busy");
    const names = ["one", "two", "three"];
    const most = await mostDuring(async () => {
      for (const name of names) expect((await ask(name, "set")).body).toBe("set");
      for (const name of names) await until(async () => (await kept(name)) !== "");
    });
    expect(most).toBe(MAX_CELLS);
    // None was ended in the middle of its alarm, to run it once more.
    expect(await Promise.all(names.map(kept))).toEqual(["1", "1", "1"]);
  });
});

/** What a script has put into the namespace. */
async function kept(key: string): Promise<string> {
  return Buffer.from((await edge.runtime.kv("n").get(key))?.value ?? []).toString();
}

/** A script whose object, after `/set`, has an alarm in a second that takes two, and then puts how often it ran. */
function putClock(name: string): void {
  const source = `
    import { DurableObject } from "cloudflare:workers";
    export class Clock extends DurableObject {
      async set() { await this.ctx.storage.setAlarm(Date.now() + 1000); }
      async alarm() {
        const runs = ((await this.ctx.storage.get("runs")) ?? 0) + 1;
        await this.ctx.storage.put("runs", runs);
        await new Promise((resolve) => setTimeout(resolve, 2000));
        await this.env.KV.put("${name}", String(runs));
      }
    }
    export default { async fetch(request, env) { await env.CLOCK.getByName("c").set(); return new Response("set"); } };`;
  const bindings = [
    { type: "durable_object_namespace", name: "CLOCK", class_name: "Clock" },
    { type: "kv_namespace", name: "KV", namespace_id: "n" },
  ];
  putScript(edge.store, { name, namespace: "tenants", source, classes: ["Clock"], bindings });
}

describe("what a schedule asks of a cell", () => {
  const CRON = "* * * * *";
  /** A script of the account that calls the tenant of its schedule, and keeps the answer's status. */
  function putTicker(): void {
    const source = `
      export default { async scheduled(event, env) {
        for (const name of (await env.KV.get("tenants")).split(",")) {
          const answer = await env.DISPATCHER.get(name).fetch("https://tenant/version", { method: "POST" });
          await env.KV.put("status of " + name, String(answer.status));
        }
      } };`;
    const bindings = [
      { type: "dispatch_namespace", name: "DISPATCHER", namespace: "tenants" },
      { type: "kv_namespace", name: "KV", namespace_id: "n" },
    ];
    putScript(edge.store, { name: "ticker", source, bindings });
  }
  async function tick(...names: string[]): Promise<string[]> {
    const kv = edge.runtime.kv("n");
    await kv.put("tenants", Buffer.from(names.join()), {});
    expect(await edge.runtime.scheduled("ticker", CRON, clock.now())).toBe("ok");
    return Promise.all(names.map((name) => kept(`status of ${name}`)));
  }

  function putSandboxed(name: string): void {
    const source = `export class Box {}; export default { fetch: () => new Response("up") };`;
    putScript(edge.store, { name, namespace: "tenants", source, classes: ["Box"], containers: ["Box"] });
  }

  test("starts none for a tenant whose sandbox sleeps, and one whose sandbox is awake", async () => {
    await start();
    putTicker();
    for (const name of ["asleep", "awake"]) putSandboxed(name);
    awake.add("awake");
    expect(await tick("asleep", "awake")).toEqual(["204", "200"]);
    expect(edge.runtime.cells()).toEqual(["tenants/awake"]);
    expect(logged("cell-started", "asleep")).toEqual([]);
  });

  test("is no use of it: it ends as if nothing had been asked", async () => {
    await start(1_000);
    putTicker();
    putSandboxed("acme");
    expect((await ask("acme")).body).toBe("up");
    let statuses: string[] = [];
    await until(async () => {
      statuses = [...statuses, ...(await tick("acme"))];
      return edge.runtime.cells().length === 0;
    });
    expect(statuses).toContain("200");
    expect(await tick("acme")).toEqual(["204"]);
    expect(logged("cell-started", "acme")).toHaveLength(1);
  });

  test("ends before any other when a place is wanted", async () => {
    await start();
    putTicker();
    for (const name of ["ticked", "used"]) putSandboxed(name);
    putTenant(edge, "new");
    awake.add("ticked");
    await ask("used");
    await tick("ticked");
    await ask("new");
    expect(edge.runtime.cells()).toEqual(["tenants/used", "tenants/new"]);
  });
});
