import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer, uploadScript } from "./testing/api-server.ts";

const many = Array.from({ length: 20 }, (_, n) => n);

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

test("concurrent appends to one list are all stored", async () => {
  const { lists } = server.cloudflare.zeroTrust.gateway;
  const { id = "" } = await lists.create({ account_id, name: "members", type: "EMAIL" });
  await Promise.all(many.map((n) => lists.edit(id, { account_id, append: [{ value: `u${n}@example.com` }] })));
  expect(await lists.get(id, { account_id })).toMatchObject({ count: many.length });
});

test("concurrent secrets of one script are all stored", async () => {
  const { secrets } = server.cloudflare.workers.scripts;
  await uploadScript(server.cloudflare, "app");
  const put = (n: number) => secrets.update("app", { account_id, name: `S${n}`, text: "x", type: "secret_text" });
  await Promise.all(many.map(put));
  expect((await secrets.list("app", { account_id })).result).toHaveLength(many.length);
});

test("a name is unique among concurrent creates", async () => {
  const create = () => server.cloudflare.kv.namespaces.create({ account_id, title: "one" });
  const results = await Promise.allSettled(many.map(create));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
});
