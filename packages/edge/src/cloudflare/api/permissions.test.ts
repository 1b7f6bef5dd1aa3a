import Cloudflare from "cloudflare";
import { afterEach, beforeEach, expect, test } from "vitest";
import { permissionGroups } from "../kinds/tokens/permission-groups.ts";
import { apiParts } from "../kinds.ts";
import { acceptedPermissions } from "./permissions.ts";
import { type ApiServer, account_id, startApiServer, zone_id } from "./testing/api-server.ts";
import { refusal } from "./testing/refusal.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

async function withGroup(name: string, resource: string): Promise<Cloudflare> {
  const { tokens } = server.cloudflare.accounts;
  const id = permissionGroups.find((group) => group.name === name)?.id ?? "";
  const policies = [{ id: "", effect: "allow" as const, permission_groups: [{ id }], resources: { [resource]: "*" } }];
  const { value = "" } = await tokens.create({ account_id, name, policies });
  return new Cloudflare({ apiToken: value, baseURL: server.url, maxRetries: 0 });
}
const ACCOUNT = `com.cloudflare.api.account.${account_id}`;
const ZONE = `com.cloudflare.api.account.zone.${zone_id}`;

test("names parts and groups that exist", () => {
  const titles = new Set(apiParts.map(({ title }) => title));
  expect(Object.keys(acceptedPermissions).filter((title) => !titles.has(title))).toEqual([]);
  const names = new Set(permissionGroups.map(({ name }) => name));
  const used = Object.values(acceptedPermissions).flatMap(({ read, write = [] }) => [...read, ...write]);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
  expect(new Set(permissionGroups.map(({ id }) => id)).size).toBe(permissionGroups.length);
});

test("a group for writing also reads, and a group for reading does not write", async () => {
  const writer = await withGroup("Workers KV Storage Write", ACCOUNT);
  const { id } = await writer.kv.namespaces.create({ account_id, title: "index" });
  expect((await writer.kv.namespaces.list({ account_id })).result).toHaveLength(1);
  const reader = await withGroup("Workers KV Storage Read", ACCOUNT);
  expect((await reader.kv.namespaces.list({ account_id })).result).toHaveLength(1);
  for (const refused of [
    () => reader.kv.namespaces.delete(id, { account_id }),
    () => writer.r2.buckets.list({ account_id }),
    () => writer.zones.get({ zone_id }),
  ])
    expect(await refusal(refused())).toMatchObject({ status: 403, codes: [10000] });
});

test("the permission is checked before the item, so a delete of an unknown name proves it", async () => {
  const writer = await withGroup("Workers R2 Storage Write", ACCOUNT);
  const reader = await withGroup("Workers R2 Storage Read", ACCOUNT);
  expect(await refusal(writer.r2.buckets.delete("none", { account_id }))).toMatchObject({ status: 404 });
  expect(await refusal(reader.r2.buckets.delete("none", { account_id }))).toMatchObject({ status: 403 });
});

test("a group of zones requires the zone as its resource", async () => {
  const ofZone = await withGroup("DNS Write", ZONE);
  const record = { zone_id, type: "A" as const, name: "x", content: "192.0.2.1", ttl: 1 };
  expect(await ofZone.dns.records.create(record)).toMatchObject({ type: "A" });
  const ofAccount = await withGroup("DNS Write", ACCOUNT);
  expect(await refusal(ofAccount.dns.records.list({ zone_id }))).toMatchObject({ status: 403 });
});

test("an account's token is verified by the account's operation only", async () => {
  for (const name of ["Queues Read", "Account API Tokens Write"]) {
    const token = await withGroup(name, ACCOUNT);
    expect(await token.accounts.tokens.verify({ account_id })).toMatchObject({ status: "active" });
    expect(await refusal(token.user.tokens.verify())).toMatchObject({ status: 401, codes: [1000] });
  }
});
