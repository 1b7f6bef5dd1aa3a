import { afterAll, beforeAll, expect, test } from "vitest";
import { EdgeLimits } from "../limits/edge-limits.ts";
import { putRoute, putScript } from "../runtime/testing/scripts.ts";
import { startTestEdge, type TestEdge, until } from "../runtime/testing/test-edge.ts";
import type { FaultName } from "./faults.ts";
import { createWeather } from "./weather.ts";

const SOURCE = `
  export default {
    async fetch(request, env) {
      const url = new URL(request.url);
      const key = url.pathname.slice(1);
      const cacheTtl = Number(url.searchParams.get("cacheTtl") ?? 60);
      if (request.method === "PUT") await env.KV.put(key, await request.text(), { metadata: { by: "worker" } });
      if (request.method === "DELETE") await env.KV.delete(key);
      if (request.method !== "GET") return new Response(null, { status: 204 });
      const { value, metadata } = await env.KV.getWithMetadata(key, { cacheTtl });
      return Response.json([value, metadata?.by ?? null]);
    },
  };
`;

const CONSUMER = `
  const delivered = [];
  export default {
    async fetch(request, env) {
      if (request.method === "POST") await env.WORK.sendBatch((await request.json()).map((body) => ({ body })));
      return Response.json({ delivered, bindings: Object.keys(env) });
    },
    queue(batch) {
      delivered.push(batch.messages.map(({ id, body, attempts }) => ({ id, body, attempts })));
      if (batch.messages.some(({ body, attempts }) => body === "retried" && attempts === 1)) batch.retryAll();
    },
  };
`;

const OBJECTS = (version: string) => `
  import { DurableObject } from "cloudflare:workers";
  export class Memory extends DurableObject {
    #calls = 0;
    count() { return ++this.#calls; }
    async slow() {
      this.ctx.storage.kv.put("begun", (this.ctx.storage.kv.get("begun") ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return "${version}";
    }
    begun() { return this.ctx.storage.kv.get("begun") ?? 0; }
  }
  const describe = ({ message, retryable, overloaded }) => ({ message, retryable, overloaded });
  export default {
    async fetch(request, env) {
      const stub = env.MEMORY.getByName("one");
      const call = new URL(request.url).pathname.slice(1);
      const first = await stub[call]().catch(describe);
      if (first?.message === undefined) return Response.json({ first });
      const [again, next] = await Promise.all([
        stub.begun().catch(describe),
        env.MEMORY.getByName("one").begun().catch(describe),
      ]);
      return Response.json({ first, again, next });
    },
  };
`;

let edge: TestEdge;
let now = 1_800_000_000_000;
const rates: Partial<Record<FaultName, number>> = {
  kv_stale_read: 1,
  queue_redelivered: 1,
  object_evicted: 0,
  object_reset: 1,
};
beforeAll(async () => {
  const logged = (_area: string, event: string, fields = {}) => edge.log.push({ event, ...fields });
  const weather = createWeather({ seed: 1, rates, now: () => now }, logged);
  edge = await startTestEdge({ runtime: { weather, limits: new EdgeLimits({ kvKeyWrites: 1000 }) } });
  edge.store.put("kv_namespace", { id: "k1", title: "cache" });
  putScript(edge.store, {
    name: "main",
    source: SOURCE,
    bindings: [{ type: "kv_namespace", name: "KV", namespace_id: "k1" }],
  });
  edge.store.put("queue", { id: "q", queue_name: "work", settings: {}, created_on: "", modified_on: "" });
  edge.store.put("queue_consumer", {
    id: "c",
    queue_id: "q",
    type: "worker",
    script_name: "consumer",
    settings: { batch_size: 10, max_retries: 1, max_wait_time_ms: 0 },
    created_on: "",
  });
  putScript(edge.store, {
    name: "consumer",
    source: CONSUMER,
    bindings: [{ type: "queue", name: "WORK", queue_name: "work" }],
  });
  putObjects("one");
  for (const name of ["main", "consumer", "objects"]) putRoute(edge.store, `${name}.tenantry.test/*`, name);
});
afterAll(() => edge.stop());

function putObjects(version: string): void {
  const bindings = [{ type: "durable_object_namespace", name: "MEMORY", class_name: "Memory" }];
  putScript(edge.store, { name: "objects", source: OBJECTS(version), classes: ["Memory"], bindings });
}

const read = async (key: string) => JSON.parse((await edge.ask(`main.tenantry.test/${encodeURI(key)}`)).body);
const put = (key: string, body: string) => edge.ask(`main.tenantry.test/${encodeURI(key)}`, { method: "PUT", body });

test("reads a value that a Worker or the API has changed until its 60 seconds in the cache end", async () => {
  await put("plan", "basic");
  expect(await read("plan")).toEqual(["basic", "worker"]);
  await put("plan", "pro");
  now += 59_000;
  expect(await read("plan")).toEqual(["basic", "worker"]);
  now += 1_000;
  expect(await read("plan")).toEqual(["pro", "worker"]);
  await edge.runtime.kv("k1").put("plan", Buffer.from("enterprise"), {});
  expect(await read("plan")).toEqual(["pro", "worker"]);
  now += 60_000;
  expect(await read("plan")).toEqual(["enterprise", null]);
});

test("does not see a key that it has read before the key existed, nor that a key was deleted", async () => {
  expect(await read("slug:ü")).toEqual([null, null]);
  await put("slug:ü", "acme");
  expect(await read("slug:ü")).toEqual([null, null]);
  now += 60_000;
  expect(await read("slug:ü")).toEqual(["acme", "worker"]);
  await edge.ask(`main.tenantry.test/${encodeURI("slug:ü")}`, { method: "DELETE" });
  expect(await read("slug:ü")).toEqual(["acme", "worker"]);
  now += 60_000;
  expect(await read("slug:ü")).toEqual([null, null]);
});

test("caches for the cacheTtl of the read", async () => {
  await put("long", "1");
  expect(await read("long?cacheTtl=3600")).toEqual(["1", "worker"]);
  await put("long", "2");
  now += 600_000;
  expect(await read("long?cacheTtl=3600")).toEqual(["1", "worker"]);
  // A shorter cacheTtl checks for newer data.
  expect(await read("long?cacheTtl=60")).toEqual(["2", "worker"]);
});

test("serves a key that no other location has read, and logs each stale read", async () => {
  await put("new", "1");
  await put("new", "2");
  expect(await read("new")).toEqual(["2", "worker"]);
  const injected = edge.log.filter(({ event }) => event === "injected");
  expect(injected).toContainEqual(expect.objectContaining({ fault: "kv_stale_read", subject: "read plan", n: 0 }));
});

const consumed = async (bodies?: string[]) => {
  const sent = bodies && { method: "POST", body: JSON.stringify(bodies) };
  return JSON.parse((await edge.ask("consumer.tenantry.test/", sent)).body) as {
    delivered: { id: string; body: string; attempts: number }[][];
    bindings: string[];
  };
};
const bodiesOf = async () =>
  (await consumed()).delivered.map((batch) => batch.map(({ body, attempts }) => [body, attempts]));

test("delivers acknowledged messages again with their ids, at once or after the next batch, newest first", async () => {
  await consumed(["a", "b", "c"]);
  await until(async () => (await bodiesOf()).length >= 2);
  await consumed(["d"]);
  await until(async () => (await bodiesOf()).flat().length >= 7);
  const { delivered, bindings } = await consumed();
  const all = delivered.flat();
  for (const body of ["a", "b", "c"]) {
    const of = all.filter((message) => message.body === body);
    expect(of.map(({ attempts }) => attempts)).toEqual([1, 2]);
    expect(new Set(of.map(({ id }) => id)).size).toBe(1);
  }
  expect(bindings).toEqual(["WORK"]);
});

const called = async (call: string) => {
  const { body } = await edge.ask(`objects.tenantry.test/${call}`);
  if (body.startsWith("<")) throw new Error(JSON.stringify(edge.log.slice(-8)));
  return JSON.parse(body);
};

test("rejects the calls in flight of an object whose code is updated, and breaks their stub", async () => {
  expect(await called("count")).toEqual({ first: 1 });
  expect(await called("count")).toEqual({ first: 2 });
  const slow = called("slow");
  await until(async () => (await called("begun")).first === 1);
  putObjects("two");
  const reset = { message: "Durable Object reset because its code was updated.", retryable: true };
  expect(await slow).toEqual({ first: reset, again: reset, next: 1 });
  expect(await called("count")).toEqual({ first: 1 });
});

test("loses the memory of an idle object", async () => {
  rates.object_evicted = 1;
  await until(async () => (await called("count")).first === 1);
  rates.object_evicted = 0;
});
