import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";

let server: ApiServer;
let namespace_id: string;
beforeEach(async () => {
  server = await startApiServer();
  namespace_id = (await server.cloudflare.kv.namespaces.create({ account_id, title: "index" })).id;
});
afterEach(() => server.close());

test("a value has metadata and an expiration", async () => {
  const { keys, metadata, values } = server.cloudflare.kv.namespaces;
  const entry = { account_id, namespace_id, value: "v", expiration_ttl: 60, metadata: JSON.stringify({ plan: "pro" }) };
  await values.update("slug:acme", entry);
  expect(await metadata.get("slug:acme", { account_id, namespace_id })).toEqual({ plan: "pro" });
  const [key] = (await keys.list(namespace_id, { account_id })).result;
  expect(key).toMatchObject({ name: "slug:acme", metadata: { plan: "pro" } });
  expect(key?.expiration).toBeGreaterThan(Date.now() / 1000);
  expect(key?.expiration).toBeLessThanOrEqual(Date.now() / 1000 + 60);
  const tooShort = values.update("x", { account_id, namespace_id, value: "v", expiration_ttl: 59 });
  expect(await refusal(tooShort)).toMatchObject({ status: 400, codes: [10034] });
});

test("bytes are returned unchanged", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const { values } = server.cloudflare.kv.namespaces;
  await values.update("bytes", { account_id, namespace_id, value: new File([bytes], "bytes") });
  const answer = await values.get("bytes", { account_id, namespace_id });
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  const raw = await fetch(`${server.url}/accounts/${account_id}/storage/kv/namespaces/${namespace_id}/values/raw`, {
    method: "PUT",
    body: bytes,
    headers: { Authorization: `Bearer ${server.apiToken}` },
  });
  expect(raw.status).toBe(200);
  expect(await server.runtime.kv(namespace_id).get("raw")).toEqual({ value: bytes });
});

test("bulk operations write and delete values", async () => {
  const { namespaces } = server.cloudflare.kv;
  const body = [
    { key: "a", value: "1", metadata: { n: 1 } },
    { key: "b", value: Buffer.from("two").toString("base64"), base64: true },
    { key: "c", value: "3" },
  ];
  expect(await namespaces.bulkUpdate(namespace_id, { account_id, body })).toMatchObject({ successful_key_count: 3 });
  expect(await (await namespaces.values.get("b", { account_id, namespace_id })).text()).toBe("two");
  await namespaces.bulkDelete(namespace_id, { account_id, body: ["a", "b"] });
  await server.cloudflare.delete(`/accounts/${account_id}/storage/kv/namespaces/${namespace_id}/bulk`, {
    body: ["none"],
  });
  expect((await namespaces.keys.list(namespace_id, { account_id })).result).toEqual([{ name: "c" }]);
});

test("deleting a namespace deletes its values", async () => {
  const { namespaces } = server.cloudflare.kv;
  await namespaces.values.update("a", { account_id, namespace_id, value: "1" });
  await namespaces.delete(namespace_id, { account_id });
  expect(await server.runtime.kv(namespace_id).get("a")).toBeUndefined();
  const gone = namespaces.values.get("a", { account_id, namespace_id });
  expect(await refusal(gone)).toMatchObject({ status: 404, codes: [10013] });
});
