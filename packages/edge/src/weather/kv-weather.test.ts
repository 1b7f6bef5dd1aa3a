import { afterAll, beforeAll, expect, test } from "vitest";
import { EdgeLimits } from "../limits/edge-limits.ts";
import { putRoute, putScript } from "../runtime/testing/scripts.ts";
import { startTestEdge, type TestEdge } from "../runtime/testing/test-edge.ts";
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

let edge: TestEdge;
let now = 1_800_000_000_000;
beforeAll(async () => {
  const logged = (_area: string, event: string, fields = {}) => edge.log.push({ event, ...fields });
  const weather = createWeather({ seed: 1, rates: { kv_stale_read: 1 }, now: () => now }, logged);
  edge = await startTestEdge({ runtime: { weather, limits: new EdgeLimits({ kvKeyWrites: 1000 }) } });
  edge.store.put("kv_namespace", { id: "k1", title: "cache" });
  putScript(edge.store, {
    name: "main",
    source: SOURCE,
    bindings: [{ type: "kv_namespace", name: "KV", namespace_id: "k1" }],
  });
  putRoute(edge.store, "main.tenantry.test/*", "main");
});
afterAll(() => edge.stop());

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
