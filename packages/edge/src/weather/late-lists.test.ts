/** Late lists through the official SDK. */
import { LATE_LIST_MS } from "@tenantry/cloudflare-client/late-list";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "#cloudflare/api/testing/api-server.ts";
import { LATEST_MS } from "./late-lists.ts";

let api: ApiServer;
let now = 1_800_000_000_000;
beforeEach(async () => {
  const rates = { api_late_list: 1 };
  for (const fault of ["rate_limited", "failed", "unavailable", "not_received", "response_lost", "slow", "bad_gateway"])
    Object.assign(rates, { [`api_${fault}`]: 0 });
  api = await startApiServer(undefined, { weather: { seed: 1, rates, now: () => now } });
});
afterEach(() => api.close());

const namespaces = () => api.cloudflare.kv.namespaces;
const listed = async () => (await namespaces().list({ account_id })).result.map(({ title }) => title);

test("a list omits a new object for up to three seconds, and a read by id has it", async () => {
  const { id } = await namespaces().create({ account_id, title: "one" });
  expect(await listed()).toEqual([]);
  expect(await namespaces().get(id, { account_id })).toMatchObject({ title: "one" });
  // The API itself knows it.
  await expect(namespaces().create({ account_id, title: "one" })).rejects.toMatchObject({ status: 400 });
  now += LATEST_MS;
  expect(await listed()).toEqual(["one"]);
});

test("a list still has a deleted object for up to three seconds, and a read by id does not", async () => {
  const { id } = await namespaces().create({ account_id, title: "one" });
  now += LATEST_MS;
  await listed();
  await namespaces().delete(id, { account_id });
  expect(await listed()).toEqual(["one"]);
  await expect(namespaces().get(id, { account_id })).rejects.toMatchObject({ status: 404 });
  now += LATEST_MS;
  expect(await listed()).toEqual([]);
});

test("the seed and the object's name decide, and changes of an object are shown at once", async () => {
  const { id } = await namespaces().create({ account_id, title: "one" });
  now += LATEST_MS;
  await namespaces().update(id, { account_id, title: "two" });
  expect(await listed()).toEqual(["two"]);
  const injected = api.logged.filter(({ event }) => event === "injected").map(({ fields }) => fields);
  expect(injected).toEqual([
    { fault: "api_late_list", subject: "create kv_namespace one", n: 0, amount: expect.any(Number) },
  ]);
});

test("clients re-read for longer than a list is late", () => {
  expect(LATE_LIST_MS).toBeGreaterThan(LATEST_MS);
});
