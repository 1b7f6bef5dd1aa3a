import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";
import { originOf } from "./binding.ts";

const password = "a-value-nobody-may-read";
const origin = { scheme: "postgres" as const, host: "127.0.0.1", port: 5432, database: "d", user: "u", password };

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

test("responses never have the password, and other changes keep it", async () => {
  const { configs } = server.cloudflare.hyperdrive;
  const made = await configs.create({ account_id, name: "database", origin });
  const answers = [
    made,
    await configs.get(made.id, { account_id }),
    (await configs.list({ account_id })).result,
    await configs.update(made.id, { account_id, name: "database", origin }),
    await configs.edit(made.id, { account_id, name: "renamed" }),
  ];
  expect(JSON.stringify(answers)).not.toContain(password);
  expect(server.store.get("hyperdrive", made.id)).toMatchObject({ name: "renamed", origin });
});

test("the database is connected to before a create, and before a change of the origin", async () => {
  const { configs } = server.cloudflare.hyperdrive;
  const { id } = await configs.create({ account_id, name: "database", origin });
  await configs.edit(id, { account_id, name: "renamed" });
  expect(server.runtime.checkedOrigins).toEqual([origin]);
  await configs.edit(id, { account_id, origin: { ...origin, password: "another" } });
  expect(server.runtime.checkedOrigins).toHaveLength(2);
});

test("a configuration caches for the default times unless it sets others or disables the cache", async () => {
  const { configs } = server.cloudflare.hyperdrive;
  const { id } = await configs.create({ account_id, name: "database", origin });
  const cache = () => originOf(server.store, id)?.cache;
  expect(cache()).toEqual({ maxAge: 60_000, staleWhileRevalidate: 15_000 });
  await configs.edit(id, { account_id, caching: { max_age: 5 } });
  expect(cache()).toEqual({ maxAge: 5_000, staleWhileRevalidate: 15_000 });
  await configs.edit(id, { account_id, caching: { disabled: true } });
  expect(cache()).toBeUndefined();
});

test("an origin without a host is refused without the password in the message", async () => {
  const { host: _, ...incomplete } = origin;
  const body = { name: "database", origin: incomplete };
  const made = server.cloudflare.post(`/accounts/${account_id}/hyperdrive/configs`, { body });
  const { status, codes, message } = await refusal(made);
  expect({ status, codes }).toEqual({ status: 400, codes: [2007] });
  expect(message).toContain("origin.host");
  expect(message).not.toContain(password);
});
