import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CloudflareApi } from "../preflight/cloudflare.ts";
import { ServiceAccess } from "./service-access.ts";

const domain = "edge.localhost";
const HOST = `acme.${domain}`;

let server: ApiServer;
let api: CloudflareApi;
let application: string;
beforeEach(async () => {
  server = await startApiServer();
  api = apiWith(server.apiToken);
  application = await createApplication("acme");
  await createApplication("other");
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const apiWith = (token: string) => new CloudflareApi(server.url, token, new AbortController().signal);
const access = (slug = "acme") => new ServiceAccess({ accountId: account_id, slug, host: `${slug}.${domain}` });
const names = () => ({
  tokens: server.store.list("access_service_token").map(({ name }) => name),
  policies: server.store.list("access_policy").map(({ name }) => name),
});

async function createApplication(slug: string): Promise<string> {
  const policy = { name: "members", decision: "allow", include: [{ everyone: {} }] };
  const body = { name: slug, type: "self_hosted", domain: `${slug}.${domain}`, policies: [policy] };
  const { result } = await server.cloudflare.post<{ result: { id: string } }>(`/accounts/${account_id}/access/apps`, {
    body,
  });
  return result.id;
}

test("admits a service token to one tenant, and removes it", async () => {
  const before = server.store.get("access_application", application);
  const headers = await access().grant(api);
  const [token] = server.store.list("access_service_token");
  expect(headers).toEqual({ "cf-access-client-id": token?.client_id, "cf-access-client-secret": expect.any(String) });
  const changed = server.store.list("access_application").filter(({ policies }) => policies.length > 1);
  expect(changed.map(({ id }) => id)).toEqual([application]);
  expect(server.store.list("access_policy").find(({ name }) => name !== "members")).toMatchObject({
    decision: "non_identity",
    include: [{ service_token: { token_id: token?.id } }],
  });
  await access().revoke(api);
  await access().revoke(api);
  expect(names()).toEqual({ tokens: [], policies: ["members", "members"] });
  expect(server.store.get("access_application", application)?.policies).toEqual(before?.policies);
});

test("removes what a killed run left when it has expired, and nothing else", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await access().grant(api);
  await server.cloudflare.zeroTrust.access.serviceTokens.create({ account_id, name: "ci", duration: "1h" });
  expect(await access("other").removeLeftovers(api)).toEqual([]);
  vi.setSystemTime(Date.now() + 4 * 3_600_000);
  await access("other").grant(api);
  expect(await access("next").removeLeftovers(api)).toEqual(["tenantry-verify-acme"]);
  expect(names()).toEqual({
    tokens: ["ci", "tenantry-verify-other"],
    policies: ["members", "members", "tenantry-verify-other"],
  });
});

test("removes tokens whose creation was not answered", async () => {
  const { serviceTokens } = server.cloudflare.zeroTrust.access;
  for (const _ of [1, 2]) await serviceTokens.create({ account_id, name: "tenantry-verify-acme", duration: "3h" });
  await access().revoke(api);
  expect(names().tokens).toEqual([]);
});

test("names a tenant without an Access application, and creates nothing", async () => {
  await expect(access("missing").grant(api)).rejects.toMatchObject({ reason: "verify_application_missing" });
  expect(names().tokens).toEqual([]);
  expect(server.store.list("access_application").map(({ domain: host }) => host)).toContain(HOST);
});
