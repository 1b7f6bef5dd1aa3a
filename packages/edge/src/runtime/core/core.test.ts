import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { QueueConsumerRecord } from "../../cloudflare/kinds/queues/records.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { putRoute, putScript } from "../testing/scripts.ts";
import { startTestEdge, type TestEdge, until } from "../testing/test-edge.ts";
import { exchange, openSocket } from "../testing/web-socket.ts";

const MINUTE = 60_000;
const KV = { type: "kv_namespace", name: "KV", namespace_id: "n" };
const stamp = { created_on: "", modified_on: "" };

describe("scripts of the account", () => {
  let edge: TestEdge;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock("2026-11-20T10:00:30Z");
    edge = await startTestEdge({ runtime: { clock } });
  });
  afterEach(() => edge.stop());

  const stored = async (key: string) => {
    const entry = await edge.runtime.kv("n").get(key);
    return entry === undefined ? undefined : Buffer.from(entry.value).toString();
  };
  const coreStarts = () => edge.log.filter((line) => line.event === "core-started").length;

  test("start one new process for a burst of changes, while requests finish in the old one", async () => {
    const source = (version: string) => `export default { async fetch(request) {
      if (request.url.endsWith("/slow")) await new Promise((resolve) => setTimeout(resolve, 1500));
      return new Response("${version}");
    } };`;
    putScript(edge.store, { name: "main", source: source("one") });
    putRoute(edge.store, "main.tenantry.test/*", "main");
    expect((await edge.ask("main.tenantry.test/")).body).toBe("one");
    const slow = edge.ask("main.tenantry.test/slow");
    await edge.ask("main.tenantry.test/");
    for (const version of ["two", "three", "four"]) putScript(edge.store, { name: "main", source: source(version) });
    for (const name of ["a", "b"]) putScript(edge.store, { name, source: source(name) });
    expect((await edge.ask("main.tenantry.test/")).body).toBe("four");
    expect((await slow).body).toBe("one");
    expect(coreStarts()).toBe(2);
  });

  test("finish requests that wait for another Worker before a Worker with objects is replaced", async () => {
    const inner = `import { DurableObject } from "cloudflare:workers";
      export class Memory extends DurableObject {}
      export default { fetch: () => new Response("inner") };`;
    const outer = (version: string) => `export default { async fetch(request) {
      if (!request.url.endsWith("/slow")) return new Response("${version}");
      await new Promise((resolve) => setTimeout(resolve, 500));
      return fetch("http://inner.tenantry.test/");
    } };`;
    putScript(edge.store, { name: "inner", source: inner, classes: ["Memory"] });
    putScript(edge.store, { name: "outer", source: outer("one") });
    for (const name of ["inner", "outer"]) putRoute(edge.store, `${name}.tenantry.test/*`, name);
    expect((await edge.ask("outer.tenantry.test/")).body).toBe("one");
    const slow = edge.ask("outer.tenantry.test/slow");
    await until(() => edge.ask("inner.tenantry.test/").then(({ body }) => body === "inner"));
    putScript(edge.store, { name: "outer", source: outer("two") });
    const next = edge.ask("outer.tenantry.test/");
    expect(await slow).toMatchObject({ status: 200, body: "inner" });
    expect((await next).body).toBe("two");
  });

  test("keep WebSockets in the version that opened them, also across updates of Workers with objects", async () => {
    const echo = (version: string) => `export default { fetch(request) {
      if (request.headers.get("upgrade") !== "websocket") return new Response("${version}");
      const { 0: client, 1: server } = new WebSocketPair();
      server.accept();
      server.addEventListener("message", ({ data }) => server.send(data + " to ${version}"));
      return new Response(null, { status: 101, webSocket: client });
    } };`;
    const objects = (version: string) => `import { DurableObject } from "cloudflare:workers";
      export class Memory extends DurableObject {}
      export default { fetch: () => new Response("${version}") };`;
    for (const name of ["echo", "objects"]) putRoute(edge.store, `${name}.tenantry.test/*`, name);
    putScript(edge.store, { name: "echo", source: echo("one") });
    putScript(edge.store, { name: "objects", source: objects("one"), classes: ["Memory"] });
    const socket = await openSocket(edge.port, "echo.tenantry.test/");
    expect(await exchange(socket, "hello")).toBe("hello to one");

    putScript(edge.store, { name: "objects", source: objects("two"), classes: ["Memory"] });
    expect((await edge.ask("objects.tenantry.test/")).body).toBe("two");
    putScript(edge.store, { name: "echo", source: echo("two") });
    expect((await edge.ask("echo.tenantry.test/")).body).toBe("two");
    expect(await exchange(socket, "again")).toBe("again to one");

    const closed = once(socket, "close");
    await edge.restart();
    await closed;
  });

  test("do not restart for unrelated changes", async () => {
    putScript(edge.store, { name: "main", source: `export default { fetch: () => new Response("ok") };` });
    putRoute(edge.store, "main.tenantry.test/*", "main");
    await edge.ask("main.tenantry.test/");
    putScript(edge.store, { name: "tenant", namespace: "tenants", source: "export default {};" });
    const script = edge.store.get("script", "main");
    if (script !== undefined) edge.store.put("script", { ...script, tags: ["a"] });
    putRoute(edge.store, "other.tenantry.test/*", "main");
    expect((await edge.ask("other.tenantry.test/")).body).toBe("ok");
    expect(coreStarts()).toBe(1);
  });

  test("return the vendor's error page for an exception, and the reason when they do not start", async () => {
    putRoute(edge.store, "main.tenantry.test/*", "main");
    putScript(edge.store, { name: "main", source: `export default { fetch() { throw new Error("inside"); } };` });
    const thrown = await edge.ask("main.tenantry.test/", { headers: { accept: "application/json" } });
    expect(thrown.status).toBe(500);
    expect(JSON.parse(thrown.body)).toMatchObject({ error_code: 1101 });
    expect(thrown.body).not.toContain("inside");
    expect(JSON.stringify(edge.log)).toContain("inside");
    putScript(edge.store, { name: "main", source: "no script" });
    expect((await edge.ask("main.tenantry.test/")).body).toMatch(/did not start: .*SyntaxError/s);
    putScript(edge.store, { name: "main", source: `export default { fetch: () => new Response("well") };` });
    expect((await edge.ask("main.tenantry.test/")).body).toBe("well");
  });

  test("run without a script that does not start, which returns the reason until it is fixed", async () => {
    for (const name of ["good", "bad"]) putRoute(edge.store, `${name}.tenantry.test/*`, name);
    putScript(edge.store, { name: "bad", source: "no script", classes: ["Memory"] });
    putScript(edge.store, {
      name: "good",
      source: `export default { async fetch(request, env) {
        try { return new Response(await (await env.BAD.fetch(request)).text()); }
        catch (error) { return new Response(error.message); }
      } };`,
      bindings: [{ type: "service", name: "BAD", service: "bad" }],
    });
    expect((await edge.ask("good.tenantry.test/")).body).toContain("there is no script bad in this process");
    const refused = await edge.ask("bad.tenantry.test/");
    expect(refused.status).toBe(500);
    expect(refused.body).toMatch(/did not start: .*SyntaxError/s);
    await expect(edge.runtime.scheduled("bad", "* * * * *", 0)).rejects.toThrow("SyntaxError");
    expect(edge.log.filter((line) => line.event === "script-refused")).toMatchObject([{ script: "bad" }]);
    putScript(edge.store, { name: "bad", source: `export default { fetch: () => new Response("well") };` });
    expect((await edge.ask("good.tenantry.test/")).body).toBe("well");
  });

  test("run as classes, with the limit of their subrequests", async () => {
    const source = `
      import { WorkerEntrypoint } from "cloudflare:workers";
      export default class extends WorkerEntrypoint {
        async fetch() {
          try {
            for (let i = 0; i < 3; i++) await this.env.KV.get("k");
          } catch (error) { return new Response(error.message); }
          return new Response("three");
        }
      }`;
    putRoute(edge.store, "main.tenantry.test/*", "main");
    putScript(edge.store, { name: "main", source, bindings: [KV], limits: { subrequests: 3 } });
    expect((await edge.ask("main.tenantry.test/")).body).toBe("three");
    putScript(edge.store, { name: "main", source, bindings: [KV], limits: { subrequests: 2 } });
    expect((await edge.ask("main.tenantry.test/")).body).toBe("Too many subrequests.");
  });

  test("get their cron events each minute, none twice", async () => {
    putScript(edge.store, {
      name: "main",
      bindings: [KV],
      source: `export default { async scheduled(event, env) {
        const key = event.cron + " " + new Date(event.scheduledTime).toISOString();
        await env.KV.put(key, String(Number((await env.KV.get(key)) ?? 0) + 1));
      } };`,
    });
    const schedule = (cron: string) => ({ cron, ...stamp });
    edge.store.put("schedules", {
      id: "main",
      schedules: [schedule("* * * * *"), schedule("2 * * * *"), schedule("bad")],
    });
    clock.leap(29_999);
    clock.leap(1);
    await until(async () => (await stored("* * * * * 2026-11-20T10:01:00.000Z")) === "1");
    clock.leap(MINUTE);
    await until(async () => (await stored("* * * * * 2026-11-20T10:02:00.000Z")) === "1");
    await until(async () => (await stored("2 * * * * 2026-11-20T10:02:00.000Z")) === "1");
    clock.leap(10 * MINUTE);
    await until(async () => (await stored("* * * * * 2026-11-20T10:12:00.000Z")) === "1");
    const { keys } = await edge.runtime.kv("n").list({ limit: 100 });
    expect(keys).toHaveLength(4);
    expect(edge.log.some((line) => line.event === "schedule-refused" && line.cron === "bad")).toBe(true);
    await expect(edge.runtime.scheduled("absent", "* * * * *", 0)).rejects.toThrow("Script absent not found");
  });

  test("send and receive messages in batches, retry them, and move them to the dead letter queue", async () => {
    putRoute(edge.store, "main.tenantry.test/*", "main");
    for (const name of ["work", "dead"])
      edge.store.put("queue", { id: `q-${name}`, queue_name: name, settings: {}, ...stamp });
    const consumer = (queue: string, more: Partial<QueueConsumerRecord>): QueueConsumerRecord => ({
      id: queue,
      queue_id: queue,
      type: "worker",
      script_name: "main",
      settings: { batch_size: 3, max_wait_time_ms: 100, max_retries: 1 },
      created_on: "",
      ...more,
    });
    edge.store.put("queue_consumer", consumer("q-work", { dead_letter_queue: "dead" }));
    edge.store.put("queue_consumer", consumer("q-dead", {}));
    putScript(edge.store, {
      name: "main",
      bindings: [KV, { type: "queue", name: "WORK", queue_name: "work" }],
      source: `
        let batches = 0;
        export default {
          async fetch(request, env) {
            await env.WORK.sendBatch([1, 2, "bad"].map((body) => ({ body })));
            return new Response("sent");
          },
          async queue(batch, env) {
            batches += 1;
            await env.KV.put("batch-" + batches, batch.queue + ":" + batch.messages.map((m) => m.body + "/" + m.attempts).join());
            for (const message of batch.messages) if (message.body === "bad" && batch.queue === "work") message.retry();
          },
        };`,
    });
    expect((await edge.ask("main.tenantry.test/")).body).toBe("sent");
    await until(async () => (await stored("batch-3")) !== undefined);
    expect(await stored("batch-1")).toBe("work:1/1,2/1,bad/1");
    expect(await stored("batch-2")).toBe("work:bad/2");
    expect(await stored("batch-3")).toBe("dead:bad/1");
  });

  test("reach a database through Hyperdrive, and nothing by another raw socket", async () => {
    const database = createServer((socket) => socket.on("data", () => socket.end("reached")));
    database.listen(0, "127.0.0.1");
    await once(database, "listening");
    const address = database.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    edge.store.put("hyperdrive", {
      id: "h",
      name: "db",
      origin: { scheme: "postgres", host: "127.0.0.1", port, database: "d", user: "u", password: "p" },
      ...stamp,
    });
    putRoute(edge.store, "main.tenantry.test/*", "main");
    putScript(edge.store, {
      name: "main",
      bindings: [{ type: "hyperdrive", name: "DB", id: "h" }],
      source: `
        import { connect } from "cloudflare:sockets";
        async function talk(socket) {
          const writer = socket.writable.getWriter();
          // A PostgreSQL client requests encryption; the pooler has none.
          await writer.write(new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47]));
          const { value } = await socket.readable.getReader().read();
          return value === undefined ? "nothing" : new TextDecoder().decode(value);
        }
        export default { async fetch(request, env) {
          const driver = await talk(connect({ hostname: env.DB.host, port: Number(env.DB.port) }));
          const raw = await talk(connect("127.0.0.1:${port}")).catch(() => "nothing");
          return Response.json([driver, raw]);
        } };`,
    });
    try {
      expect(JSON.parse((await edge.ask("main.tenantry.test/")).body)).toEqual(["N", "nothing"]);
    } finally {
      database.close();
    }
  });
});
