import Cloudflare from "cloudflare";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

test("a token's value is returned once and not stored", async () => {
  const { tokens } = server.cloudflare.accounts;
  const [group] = (await tokens.permissionGroups.list({ account_id, name: "Workers R2 Storage Bucket Item Write" }))
    .result;
  const resources = { [`com.cloudflare.edge.r2.bucket.${account_id}_default_backup`]: "*" };
  const policies = [{ id: "", effect: "allow" as const, permission_groups: [{ id: group?.id ?? "" }], resources }];
  const made = await tokens.create({ account_id, name: "backup", policies });
  expect(made.value).toMatch(/^[\w-]{40}$/);
  expect(made.policies).toMatchObject([{ resources, permission_groups: [{ id: group?.id, name: group?.name }] }]);
  expect(made).not.toHaveProperty("value_sha256");
  const later = [
    await tokens.get(made.id ?? "", { account_id }),
    await tokens.update(made.id ?? "", { account_id, name: "renamed", policies }),
    (await tokens.list({ account_id })).result,
    server.store.list("api_token"),
  ];
  expect(JSON.stringify(later)).not.toContain(made.value);
  expect(JSON.stringify(later.slice(0, 3))).not.toContain("sha256");
});

test("permission groups are found by name, encoded or not, and by scope", async () => {
  const { permissionGroups } = server.cloudflare.accounts.tokens;
  for (const name of ["AI Gateway Run", encodeURIComponent("AI Gateway Run")]) {
    expect((await permissionGroups.list({ account_id, name })).result).toMatchObject([{ name: "AI Gateway Run" }]);
  }
  const { result } = await permissionGroups.list({ account_id, scope: "com.cloudflare.edge.r2.bucket" });
  expect(result.map((group) => group.name)).toEqual([
    "Workers R2 Storage Bucket Item Read",
    "Workers R2 Storage Bucket Item Write",
  ]);
});

test("a policy with an unknown permission group is refused", async () => {
  const policies = [{ id: "", effect: "allow" as const, permission_groups: [{ id: "none" }], resources: {} }];
  const made = server.cloudflare.accounts.tokens.create({ account_id, name: "x", policies });
  expect(await refusal(made)).toMatchObject({ status: 400 });
});

test("the edge's token is valid, another one is not", async () => {
  expect(await server.cloudflare.user.tokens.verify()).toMatchObject({ status: "active" });
  expect(await server.cloudflare.accounts.tokens.verify({ account_id })).toMatchObject({ status: "active" });
  expect(await refusal(server.stranger.user.tokens.verify())).toMatchObject({ status: 401, codes: [1000] });
});

test("an account token verifies itself, until it is deleted", async () => {
  const { tokens } = server.cloudflare.accounts;
  const [group] = (await tokens.permissionGroups.list({ account_id, name: "AI Gateway Run" })).result;
  const policies = [{ effect: "allow" as const, permission_groups: [{ id: group?.id ?? "" }], resources: {} }];
  const { id = "", value = "" } = await tokens.create({ account_id, name: "x", policies });
  const client = new Cloudflare({ apiToken: value, baseURL: server.url, maxRetries: 0 });
  expect(await client.accounts.tokens.verify({ account_id })).toEqual({ id, status: "active" });
  expect(await refusal(client.user.tokens.verify())).toMatchObject({ status: 401, codes: [1000] });
  await tokens.update(id, { account_id, name: "x", policies, status: "disabled" });
  expect(await client.accounts.tokens.verify({ account_id })).toMatchObject({ status: "disabled" });
  const expires_on = new Date(0).toISOString();
  await tokens.update(id, { account_id, name: "x", policies, status: "active", expires_on });
  expect(await client.accounts.tokens.verify({ account_id })).toEqual({ id, status: "expired", expires_on });
  await tokens.delete(id, { account_id });
  expect(await refusal(client.accounts.tokens.verify({ account_id }))).toMatchObject({ status: 401, codes: [1000] });
});

test("an account token can only read what its permission group grants", async () => {
  const { accounts, aiGateway } = server.cloudflare;
  await aiGateway.create({
    account_id,
    id: "pool-a",
    cache_invalidate_on_update: true,
    cache_ttl: 0,
    collect_logs: true,
    rate_limiting_interval: 0,
    rate_limiting_limit: 0,
  });
  const withGroup = async (name: string) => {
    const [group] = (await accounts.tokens.permissionGroups.list({ account_id, name })).result;
    const resources = { [`com.cloudflare.api.account.${account_id}`]: "*" };
    const policies = [{ id: "", effect: "allow" as const, permission_groups: [{ id: group?.id ?? "" }], resources }];
    const { value = "" } = await accounts.tokens.create({ account_id, name, policies });
    return new Cloudflare({ apiToken: value, baseURL: server.url, maxRetries: 0 });
  };
  const reader = await withGroup("AI Gateway Read");
  expect((await reader.aiGateway.list({ account_id })).result).toHaveLength(1);
  expect((await reader.aiGateway.logs.list("pool-a", { account_id })).result).toEqual([]);
  const runner = await withGroup("AI Gateway Run");
  for (const refused of [
    () => reader.aiGateway.logs.delete("pool-a", { account_id }),
    () => reader.aiGateway.delete("pool-a", { account_id }),
    () => reader.kv.namespaces.list({ account_id }),
    () => runner.aiGateway.logs.list("pool-a", { account_id }),
  ])
    expect(await refusal(refused())).toMatchObject({ status: 403 });
});
