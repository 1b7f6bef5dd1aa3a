/** Faults of the API through the official SDK, fetch and wrangler's view: the connection. */
import Cloudflare from "cloudflare";
import { afterEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "#cloudflare/api/testing/api-server.ts";
import type { FaultName } from "./faults.ts";
import type { WeatherOptions } from "./weather.ts";

let server: ApiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Starts an API whose calls all have `fault`. */
async function always(fault: FaultName, more: Partial<WeatherOptions> = {}): Promise<ApiServer> {
  server = await startApiServer(undefined, { weather: { seed: 1, rates: { [fault]: 1 }, pace: 1000, ...more } });
  return server;
}

const create = (api: ApiServer, title = "one") =>
  fetch(`${api.url}/accounts/${account_id}/storage/kv/namespaces`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ title }),
  });

test.each([
  ["api_rate_limited", 429, "application/json", /"code":971/],
  ["api_failed", 500, "application/json", /"code":10013/],
  ["api_unavailable", 503, "text/plain", /^no healthy upstream$/],
  ["api_bad_gateway", 502, "text/html", /^<html>/],
] as const)("%s responds with status %i and leaves the account unchanged", async (fault, status, type, body) => {
  const api = await always(fault);
  const response = await create(api);
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain(type);
  expect(response.headers.get("retry-after")).toBe(status === 429 ? "1" : null);
  expect(await response.text()).toMatch(body);
  expect(api.store.list("kv_namespace")).toEqual([]);
});

test.each([
  ["api_not_received", []],
  ["api_response_lost", ["one"]],
] as const)("%s cuts the connection, after which the account has %j", async (fault, titles) => {
  const api = await always(fault);
  await expect(create(api)).rejects.toMatchObject({
    cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
  });
  expect(api.store.list("kv_namespace").map(({ title }) => title)).toEqual(titles);
});

test("api_slow delays the response", async () => {
  const api = await always("api_slow", { pace: 100 });
  const start = performance.now();
  expect((await create(api)).status).toBe(200);
  const [{ amount = 0 } = {}] = api.logged.map(({ fields }) => fields as { amount?: number });
  expect(performance.now() - start).toBeGreaterThan(amount * 200);
});

test("a client of the SDK gets through the default rates by its retries", async () => {
  server = await startApiServer(undefined, { weather: { seed: 7, pace: 1000 } });
  const sdk = new Cloudflare({ apiToken: server.apiToken, baseURL: server.url, maxRetries: 5 });
  for (let n = 0; n < 40; n += 1) await sdk.kv.namespaces.list({ account_id });
  expect(server.logged.filter(({ event }) => event === "injected")).not.toEqual([]);
}, 60_000);

test("injects the same faults for the same seed, in any order of subjects", async () => {
  const titles = Array.from({ length: 30 }, (_, n) => `namespace-${n}`);
  const faultsOf = async (seed: number, order: string[]) => {
    const api = await startApiServer(undefined, { weather: { seed, pace: 1000, rates: { api_failed: 0.3 } } });
    for (const title of order) await create(api, title).catch(() => undefined);
    await api.close();
    const lines = api.logged.filter(({ event }) => event === "injected");
    return lines.map(({ fields }) => JSON.stringify(fields)).toSorted();
  };
  const first = await faultsOf(3, titles);
  expect(first.length).toBeGreaterThan(3);
  expect(await faultsOf(3, titles.toReversed())).toEqual(first);
  expect(await faultsOf(4, titles)).not.toEqual(first);
});
