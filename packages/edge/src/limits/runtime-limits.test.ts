/** Bindings accept what is at Cloudflare's limits, and throw beyond. */
import { LIMITS, type LimitName } from "@tenantry/cloudflare-limits/limits";
import { afterAll, beforeAll, expect, test } from "vitest";
import { putRoute, putScript } from "../runtime/testing/scripts.ts";
import { startTestEdge, type TestEdge } from "../runtime/testing/test-edge.ts";
import { openSocket } from "../runtime/testing/web-socket.ts";
import { EdgeLimits } from "./edge-limits.ts";

/** Each action gets a size. */
const SOURCE = `
  import { DurableObject } from "cloudflare:workers";
  const text = (size) => "a".repeat(size);
  const list = (size) => Array.from({ length: size }, () => "");
  export class Memory extends DurableObject {
    entry(size) { return this.ctx.storage.put("k", new Uint8Array(size)); }
    statement(size) { return this.ctx.storage.sql.exec("select 1" + " ".repeat(size - 8)).toArray(); }
    async subrequests(size) { for (let n = 0; n < size; n += 1) await this.env.KV.get("k"); }
  }
  const memory = (env) => env.MEMORY.getByName("one");
  let writes = 0;
  const actions = {
    kvKey: (env, size) => env.KV.put(text(size), "v"),
    kvValue: (env, size) => env.KV.put("value " + size, new Uint8Array(size)),
    kvMetadata: (env, size) => env.KV.put("metadata " + size, "v", { metadata: text(size - 2) }),
    kvExpirationTtl: (env, size) => env.KV.put("ttl " + size, "v", { expirationTtl: size }),
    kvCacheTtl: (env, size) => env.KV.get("k", { cacheTtl: size }),
    async kvKeyWrites(env, size) {
      writes += 1;
      for (let n = 0; n < size; n += 1) await env.KV.put("written " + writes, "v");
    },
    objectKey: (env, size) => env.BUCKET.put(text(size), "v"),
    objectMetadata: (env, size) => env.BUCKET.put("k", "v", { customMetadata: { k: text(size) } }),
    objectListPage: (env, size) => env.BUCKET.list({ limit: size }),
    queueMessage: (env, size) => env.QUEUE.send(text(size), { contentType: "text" }),
    queueSendMessages: (env, size) => env.QUEUE.sendBatch(list(size).map((body) => ({ body, contentType: "text" }))),
    objectEntry: (env, size) => memory(env).entry(size),
    objectSqlStatement: (env, size) => memory(env).statement(size),
    async subrequests(env, size) { for (let n = 0; n < size; n += 1) await env.KV.get("k"); },
    objectSubrequests: (env, size) => memory(env).subrequests(size),
    analyticsPoints(env, size) { for (let n = 0; n < size; n += 1) env.DATA.writeDataPoint({ doubles: [n] }); },
    analyticsBlobs: (env, size) => env.DATA.writeDataPoint({ blobs: list(size) }),
    analyticsDoubles: (env, size) => env.DATA.writeDataPoint({ doubles: list(size).map(() => 1) }),
    analyticsIndexes: (env, size) => env.DATA.writeDataPoint({ indexes: list(size) }),
    analyticsBlobBytes: (env, size) => env.DATA.writeDataPoint({ blobs: [text(size)] }),
    analyticsIndexBytes: (env, size) => env.DATA.writeDataPoint({ indexes: [text(size)] }),
  };
  export default {
    queue() {},
    async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url);
      if (request.headers.get("upgrade") === "websocket") {
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        server.addEventListener("message", ({ data }) => server.send(String(data.byteLength ?? data.length)));
        return new Response(null, { status: 101, webSocket: client });
      }
      try {
        await actions[pathname.slice(1)](env, Number(searchParams.get("size")));
        return new Response("ok");
      } catch (error) {
        return new Response(error.message, { status: 500 });
      }
    },
  };
`;

let edge: TestEdge;
beforeAll(async () => {
  const limits = new EdgeLimits({ subrequests: 3, analyticsPoints: 2 });
  edge = await startTestEdge({ runtime: { limits } });
  const stamps = { created_on: "", modified_on: "" };
  edge.store.put("queue", { id: "q", queue_name: "queue", settings: {}, ...stamps });
  edge.store.put("queue_consumer", {
    id: "c",
    queue_id: "q",
    type: "worker",
    script_name: "main",
    settings: {},
    created_on: "",
  });
  putRoute(edge.store, "main.tenantry.test/*", "main");
  putScript(edge.store, {
    name: "main",
    source: SOURCE,
    classes: ["Memory"],
    bindings: [
      { type: "kv_namespace", name: "KV", namespace_id: "n" },
      { type: "r2_bucket", name: "BUCKET", bucket_name: "b" },
      { type: "queue", name: "QUEUE", queue_name: "queue" },
      { type: "durable_object_namespace", name: "MEMORY", class_name: "Memory" },
      { type: "analytics_engine", name: "DATA", dataset: "d" },
    ],
  });
});
afterAll(() => edge.stop());

const ask = async (action: string, size: number) => (await edge.ask(`main.tenantry.test/${action}?size=${size}`)).body;

const value = (name: LimitName): number => LIMITS[name].value;

test.each([
  ["kvKey", value("kvKey"), "414"],
  ["kvValue", value("kvValue"), "413"],
  ["kvMetadata", value("kvMetadata"), "413"],
  ["kvKeyWrites", value("kvKeyWrites"), "KV PUT failed: 429 Too Many Requests"],
  ["objectKey", value("objectKey"), "10020"],
  ["objectListPage", value("objectListPage"), "10022"],
  ["queueMessage", value("queueMessage"), "15000"],
  ["queueSendMessages", value("queueSendMessages"), "15000"],
  ["objectSqlStatement", value("objectSqlStatement"), "TOOBIG"],
  ["subrequests", 3, "Too many subrequests."],
  ["objectSubrequests", 3, "Too many subrequests."],
  ["analyticsPoints", 2, "Too many data points."],
  ["analyticsBlobs", value("analyticsBlobs"), "blobs"],
  ["analyticsDoubles", value("analyticsDoubles"), "doubles"],
  ["analyticsIndexes", value("analyticsIndexes"), "index"],
  ["analyticsBlobBytes", value("analyticsBlobBytes"), "blob"],
  ["analyticsIndexBytes", value("analyticsIndexBytes"), "index"],
])("accepts %s of %d, and not more", async (action, limit, message) => {
  expect(await ask(action, limit)).toBe("ok");
  expect((await ask(action, limit + 1)).toLowerCase()).toContain(message.toLowerCase());
});

test.each([
  ["kvExpirationTtl", value("kvExpirationTtl")],
  ["kvCacheTtl", value("kvCacheTtl")],
])("accepts %s of %d, and not less", async (action, limit) => {
  expect(await ask(action, limit)).toBe("ok");
  expect(await ask(action, limit - 1)).toContain("400");
});

test.each([
  ["objectEntry", value("objectEntry") - 1_000, value("objectEntry") * 2],
  ["objectMetadata", 2_000, value("objectMetadata") + 1],
])("accepts %s of %d, and refuses %d", async (action, fits, exceeds) => {
  expect(await ask(action, fits)).toBe("ok");
  expect(await ask(action, exceeds)).not.toBe("ok");
});

test("closes a WebSocket that receives a message above the limit", async () => {
  const socket = await openSocket(edge.port, "main.tenantry.test/");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.send(Buffer.alloc(value("webSocketMessage") + 1));
  expect(await closed).toBe(1009);
});
