import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { putRoute, putScript } from "./testing/scripts.ts";
import { startTestEdge, type TestEdge, until } from "./testing/test-edge.ts";

const SOURCE = `
  import { DurableObject } from "cloudflare:workers";
  export class Counter extends DurableObject {
    next() {
      this.ctx.storage.sql.exec("create table if not exists n (v integer)");
      this.ctx.storage.sql.exec("insert into n values (1)");
      return this.ctx.storage.sql.exec("select count(*) as n from n").one().n;
    }
  }
  const actions = {
    values: (env) => [env.TEXT, env.SECRET, env.JSON.deep[1]],
    async kv(env) {
      await env.KV.put("from-worker/ü", "w", { metadata: { a: "ä" }, expirationTtl: 3600 });
      return env.KV.getWithMetadata("from-api/ü");
    },
    kvGet: (env) => env.KV.get("from-worker/ü"),
    kvMissing: (env) => env.KV.get("missing"),
    async r2(env) {
      await env.BUCKET.put("backups/1/data", new Uint8Array(300000).fill(7), { customMetadata: { of: "me" } });
      const object = await env.BUCKET.get("backups/1/data");
      return [(await object.arrayBuffer()).byteLength, object.customMetadata.of];
    },
    r2Head: async (env) => (await env.BUCKET.head("backups/1/data"))?.size ?? null,
    async r2AfterIdle(env) {
      const head = () => env.BUCKET.head("absent");
      const connections = Array.from({ length: 200 }, (_, index) => index);
      await Promise.all(connections.map(head));
      // workerd closes connections that were idle for five seconds.
      const again = (index) => scheduler.wait(4_950 + index / 3).then(head);
      return (await Promise.all(connections.map(again))).every((found) => found === null);
    },
    counter: (env) => env.COUNTER.getByName("one").next(),
    points(env) {
      env.DATA.writeDataPoint({ indexes: ["acme"], blobs: ["query", null, "grün"], doubles: [1, 2.5] });
      env.DATA.writeDataPoint({ indexes: ["acme"], doubles: [3] });
      return "written";
    },
    database: (env) => env.DB.user + " " + env.DB.password + " " + env.DB.database,
    service: async (env) => (await env.SERVICE.fetch("http://any/where")).text(),
    greet: (env) => env.GREETER.greet("you"),
    browser: (env) => env.BROWSER.fetch("http://any/"),
    ai: (env) => env.AI.run("model", {}),
    noService: (env) => env.NO_SERVICE.fetch("http://any/"),
  };
  export default {
    async fetch(request, env) {
      const name = new URL(request.url).pathname.slice(1);
      try {
        return Response.json((await actions[name](env)) ?? null);
      } catch (error) {
        return new Response(error.message, { status: 500 });
      }
    },
  };
`;

const OTHER = `
  import { WorkerEntrypoint } from "cloudflare:workers";
  export class Greeter extends WorkerEntrypoint { greet(name) { return "hello " + name; } }
  export default { fetch: (request) => new Response("other " + request.url) };
`;

describe("bindings of a script", () => {
  let edge: TestEdge;
  const ask = async (action: string) => (await edge.ask(`main.tenantry.test/${action}`)).body;

  beforeAll(async () => {
    edge = await startTestEdge();
    const stamp = { created_on: "", modified_on: "" };
    edge.store.put("hyperdrive", {
      id: "h1",
      name: "db",
      origin: {
        scheme: "postgres",
        host: "127.0.0.1",
        port: 5432,
        database: "da ta",
        user: "me",
        password: "p@ss/wörd",
      },
      ...stamp,
    });
    putScript(edge.store, { name: "other", source: OTHER });
    putScript(edge.store, {
      name: "main",
      source: SOURCE,
      classes: ["Counter"],
      bindings: [
        { type: "plain_text", name: "TEXT", text: "plain" },
        { type: "secret_text", name: "SECRET", text: "hidden" },
        { type: "json", name: "JSON", json: { deep: [1, "two"] } },
        { type: "kv_namespace", name: "KV", namespace_id: "namespace-1" },
        { type: "r2_bucket", name: "BUCKET", bucket_name: "bucket-1" },
        { type: "durable_object_namespace", name: "COUNTER", class_name: "Counter" },
        { type: "analytics_engine", name: "DATA", dataset: "costs" },
        { type: "hyperdrive", name: "DB", id: "h1" },
        { type: "service", name: "SERVICE", service: "other" },
        { type: "service", name: "GREETER", service: "other", entrypoint: "Greeter" },
        { type: "service", name: "NO_SERVICE", service: "absent" },
        { type: "browser", name: "BROWSER" },
        { type: "ai", name: "AI" },
      ],
    });
    putRoute(edge.store, "main.tenantry.test/*", "main");
  });
  afterAll(() => edge.stop());

  test("have text, secrets and JSON", async () => {
    expect(await ask("values")).toBe('["plain","hidden","two"]');
  });

  test("share a key-value namespace with the API", async () => {
    const kv = edge.runtime.kv("namespace-1");
    const expiration = Math.floor(Date.now() / 1000) + 7200;
    await kv.put("from-api/ü", Buffer.from("api"), { metadata: { b: "ß" }, expiration });
    expect(JSON.parse(await ask("kv"))).toMatchObject({ value: "api", metadata: { b: "ß" } });
    const entry = await kv.get("from-worker/ü");
    expect(Buffer.from(entry?.value ?? []).toString()).toBe("w");
    expect(entry?.metadata).toEqual({ a: "ä" });
    expect(entry?.expiration).toBeGreaterThan(Date.now() / 1000 + 3000);
    const first = await kv.list({ limit: 1 });
    expect(first.keys).toEqual([{ name: "from-api/ü", expiration, metadata: { b: "ß" } }]);
    const second = await kv.list({ limit: 1, ...(first.cursor === undefined ? {} : { cursor: first.cursor }) });
    expect(second.keys.map((key) => key.name)).toEqual(["from-worker/ü"]);
    expect((await kv.list({ limit: 10, prefix: "from-w" })).keys).toHaveLength(1);
    await kv.delete("from-worker/ü");
    expect(await ask("kvGet")).toBe("null");
    expect(await kv.get("from-worker/ü")).toBeUndefined();
  });

  test("reject expirations that the vendor rejects", async () => {
    const kv = edge.runtime.kv("namespace-1");
    await expect(kv.put("k", Buffer.from("v"), { expirationTtl: 5 })).rejects.toThrow(/expiration_ttl/);
    await expect(kv.put("k", Buffer.from("v"), { expiration: 1000 })).rejects.toThrow(/expiration/);
  });

  test("store objects in a bucket that the API lists and deletes, also after a restart", async () => {
    expect(JSON.parse(await ask("r2"))).toEqual([300000, "me"]);
    const { objects } = await edge.runtime.bucket("bucket-1").list({ limit: 10, prefix: "backups/" });
    expect(objects).toMatchObject([{ key: "backups/1/data", size: 300000 }]);
    expect((await edge.runtime.bucket("bucket-2").list({ limit: 10 })).objects).toEqual([]);
    await edge.restart();
    expect(await ask("r2Head")).toBe("300000");
    await edge.runtime.bucket("bucket-1").delete("backups/1/data");
    expect(await ask("r2Head")).toBe("null");
  });

  test("reach a bucket by connections that were idle for as long as the runtime keeps them", async () => {
    expect(await ask("r2AfterIdle")).toBe("true");
  });

  test("keep the SQLite of a Durable Object across a redeployment", async () => {
    expect(await ask("counter")).toBe("1");
    const script = edge.store.get("script", "main");
    if (script === undefined) throw new Error("Script not found.");
    edge.store.put("script", {
      ...script,
      bindings: [...script.bindings, { type: "plain_text", name: "NEW", text: "" }],
    });
    expect(await ask("counter")).toBe("2");
  });

  test("store data points", async () => {
    expect(await ask("points")).toBe('"written"');
    await until(() => edge.runtime.dataPoints("costs").length === 2);
    const [first, second] = edge.runtime.dataPoints("costs");
    expect(first).toMatchObject({ dataset: "costs", index: "acme" });
    expect(first?.blobs.slice(0, 4)).toEqual(["query", "", "grün", ""]);
    expect(first?.doubles.slice(0, 3)).toEqual([1, 2.5, 0]);
    expect(second?.doubles[0]).toBe(3);
    expect(Math.abs((first?.timestamp ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(edge.runtime.dataPoints("costs", Date.now() + 60_000)).toEqual([]);
  });

  test("have user and password of the pooler, not of the database, for Hyperdrive", async () => {
    expect(JSON.parse(await ask("database"))).toMatch(/^h1 [0-9a-f]{64} da ta$/);
  });

  test("reach other scripts by service bindings, and their entrypoints by name", async () => {
    expect(await ask("service")).toBe('"other http://any/where"');
    expect(await ask("greet")).toBe('"hello you"');
  });

  test.each([
    ["browser", "The binding BROWSER (browser) is not supported by the edge."],
    ["ai", "The binding AI (ai) is not supported by the edge."],
    [
      "noService",
      "The binding NO_SERVICE (service) is not supported by the edge: there is no script absent in this process.",
    ],
  ])("throw for %s, which is not supported, when it is used", async (action, message) => {
    expect(await ask(action)).toBe(message);
  });
});
