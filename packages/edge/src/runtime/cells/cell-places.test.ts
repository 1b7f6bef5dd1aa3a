import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { putRoute, putScript } from "../testing/scripts.ts";
import { putDispatch, putTenant } from "../testing/tenant-script.ts";
import { noContainers, startTestEdge, type TestEdge, until } from "../testing/test-edge.ts";
import { exchange, openSocket } from "../testing/web-socket.ts";

const MAX_CELLS = 2;
/** How long a request waits for a place. */
const PLACE_TIMEOUT_MS = 30_000;

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

/** Keeps a cell busy by a WebSocket until the returned function closes it. */
async function keepBusy(name: string): Promise<() => Promise<void>> {
  const socket = await openSocket(edge.port, `${name}.tenantry.test/ws`);
  await exchange(socket, "hello");
  return async () => {
    socket.close();
    await once(socket, "close");
  };
}

/** Returns the maximum number of cells that ran at once during `work`. */
async function maxCellsDuring(work: () => Promise<void>): Promise<number> {
  let max = 0;
  const watch = setInterval(() => {
    max = Math.max(max, edge.runtime.cells().length);
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return max;
}

describe("the limit of cells", () => {
  beforeEach(() => start());

  test("holds in a burst of requests, which all get a response", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `t${index}`);
    for (const name of names) putTenant(edge, name);
    const max = await maxCellsDuring(async () => {
      const answers = await Promise.all(names.map((name) => ask(name)));
      expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    });
    expect(max).toBe(MAX_CELLS);
    expect(logged("cell-waits").length).toBeGreaterThan(0);
  });

  test("grants a free place to a waiting request, and returns 503 after the timeout", async () => {
    for (const name of ["a", "b", "c", "d"]) putTenant(edge, name);
    const leave = await keepBusy("a");
    await keepBusy("b");
    const late = edge.ask("c.tenantry.test/version", { headers: { accept: "application/json" } });
    await until(() => logged("cell-waits", "c").length === 1);
    clock.leap(PLACE_TIMEOUT_MS);
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

  test("removes an aborted request from the queue", async () => {
    for (const name of ["a", "b", "c", "d"]) putTenant(edge, name);
    const source = `
      export default { fetch: (request, env) =>
        env.DISPATCHER.get("c").fetch(request, { signal: AbortSignal.timeout(1000) }).catch((error) => new Response(error.name)) };`;
    const bindings = [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: "tenants" }];
    putScript(edge.store, { name: "impatient", source, bindings });
    putRoute(edge.store, "impatient.tenantry.test/*", "impatient");
    const leave = await keepBusy("a");
    await keepBusy("b");
    expect((await ask("impatient")).body).toBe("TimeoutError");
    await until(() => logged("cell-given-up", "c").length === 1);
    await leave();
    expect((await ask("d")).body).toBe("1");
    expect(logged("cell-started", "c")).toEqual([]);
  });

  test("includes alarms, which are not interrupted", async () => {
    putTenant(edge, "busy");
    for (const name of ["one", "two", "three"]) putClock(name);
    await keepBusy("busy");
    const names = ["one", "two", "three"];
    const max = await maxCellsDuring(async () => {
      for (const name of names) expect((await ask(name, "set")).body).toBe("set");
      for (const name of names) await until(async () => (await storedValue(name)) !== "");
    });
    expect(max).toBe(MAX_CELLS);
    // Each alarm ran once: none was interrupted.
    expect(await Promise.all(names.map(storedValue))).toEqual(["1", "1", "1"]);
  });
});

/** Returns the value that a script has stored. */
async function storedValue(key: string): Promise<string> {
  return Buffer.from((await edge.runtime.kv("n").get(key))?.value ?? []).toString();
}

/** Uploads a script whose object sets an alarm in one second. The alarm takes two seconds and stores how often it ran. */
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

describe("a cron event of a cell", () => {
  const CRON = "* * * * *";
  let ticks = 0;
  /** Uploads a script that calls tenants in a cron event and stores the status of each response. */
  function putTicker(): void {
    const source = `
      export default { async scheduled(event, env) {
        for (const name of (await env.KV.get("tenants")).split(",")) {
          const answer = await env.DISPATCHER.get(name).fetch("https://tenant/version", { method: "POST" });
          await env.KV.put(event.scheduledTime + " " + name, String(answer.status));
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
    // A key of its own for each event: one key may be written once in a second.
    ticks += 1;
    const at = clock.now() + 1_000 * ticks;
    expect(await edge.runtime.scheduled("ticker", CRON, at)).toBe("ok");
    return Promise.all(names.map((name) => storedValue(`${at} ${name}`)));
  }

  function putSandboxed(name: string): void {
    const source = `export class Box {}; export default { fetch: () => new Response("up") };`;
    putScript(edge.store, { name, namespace: "tenants", source, classes: ["Box"], containers: ["Box"] });
  }

  test("starts no cell while the script's containers sleep, and one when a container runs", async () => {
    await start();
    putTicker();
    for (const name of ["asleep", "awake"]) putSandboxed(name);
    awake.add("awake");
    expect(await tick("asleep", "awake")).toEqual(["204", "200"]);
    expect(edge.runtime.cells()).toEqual(["tenants/awake"]);
    expect(logged("cell-started", "asleep")).toEqual([]);
  });

  test("does not count as use: an idle cell ends all the same", async () => {
    await start(1_000);
    putTicker();
    putSandboxed("acme");
    // A running container keeps the cell until the first event.
    awake.add("acme");
    expect((await ask("acme")).body).toBe("up");
    expect(await tick("acme")).toEqual(["200"]);
    awake.delete("acme");
    await until(async () => {
      await tick("acme");
      return edge.runtime.cells().length === 0;
    });
    expect(await tick("acme")).toEqual(["204"]);
    expect(logged("cell-started", "acme")).toHaveLength(1);
  });

  test("ends the cell first when a place is needed", async () => {
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
