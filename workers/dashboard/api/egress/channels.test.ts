/** Channels and egress policies: neither is stored if the channel would not work. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { MAX_EGRESS_ENTRIES } from "#domain/egress/policy-types.ts";
import { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import type { EgressReport } from "#workers/contracts/tenant/egress.ts";
import { AnsweringServer } from "../../testing/answering-server.ts";
import { consoleLogin } from "../../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { startVendorApis, type VendorApis } from "../../testing/vendor-apis.ts";

const TELEGRAM = { kind: "telegram", token: "700:AAF-secret_of_the_bot_123456789" };
const MATRIX = { kind: "matrix", homeserver: "https://Matrix.example.org:8448", token: "syt_secret_of_the_bot" };
const IRC = { kind: "irc", server: "ircs://irc.example.org", nick: "Claw" };
const allow = (...hosts: string[]) => ({ mode: "allowlist" as const, entries: hosts.map((host) => ({ host })) });

const dispatch = new AnsweringServer();
let api: ApiUnderTest;
let vendors: VendorApis;
let tenants = 0;
let slug: string;
let instance: string;
beforeAll(async () => {
  vendors = await startVendorApis();
  api = await startApi({
    DISPATCH_URL: await dispatch.start(),
    INVALIDATE_TOKEN: "token",
    CHANNEL_APIS: JSON.stringify({ matrix: vendors.url, telegram: vendors.url }),
  });
  vendors.bots.set(TELEGRAM.token, { id: "700", name: "acme_bot" });
  vendors.bots.set(MATRIX.token, { id: "@acme:example.org", name: "acme" });
  await query("update tenantry.partners set managed_by = 'dashboard'");
});
afterAll(async () => {
  await api?.stop();
  await Promise.all([vendors?.stop(), dispatch.stop()]);
});
beforeEach(async () => {
  await query("delete from tenantry.channels");
  await query("update tenantry.partners set egress = null");
  tenants += 1;
  slug = `acme-${tenants}`;
  const client = await insertClient(api.database.db, {
    ...{ slug, partner_id: api.partners.north, managed_by: "dashboard" },
  });
  instance = await insertInstance(api.database.db, client, { managed_by: "dashboard" });
  const ada = { client_id: client, email: `ada@${slug}.test`, role: "ADMIN", status: "validated" };
  await insertClientUser(api.database.db, ada, [instance]);
});

const query = async (text: string, ...values: unknown[]) => (await api.database.pool.query(text, values)).rows;
const of = (body: object) => ({ as: "north" as const, params: { instance_id: instance }, body });
const connect = async (body: object) => (await api.call(channelRoutes.createChannel, of(body))).body;
const refused = async (body: object) => (await api.refused(channelRoutes.createChannel, of(body))).error;
const setPolicy = (policy: unknown) => api.call(egressRoutes.putEgress, of({ policy }));
const setPartner = (policy: unknown) =>
  api.call(egressRoutes.putPartnerEgress, {
    ...{ as: "north", params: { partner_id: api.partners.north }, body: { policy } },
  });
const stored = async () => (await query("select egress from tenantry.instances where id = $1", instance))[0].egress;

test("a channel whose hosts the tenant's policy does not list is refused, or its hosts are added", async () => {
  await setPolicy(allow("api.example.com"));
  expect(await refused(TELEGRAM)).toMatchObject({
    ...{ code: "conflict", reason: "channel_hosts_not_listed" },
    message: expect.stringContaining("Telegram needs api.telegram.org, which the egress policy of the tenant"),
  });
  expect(await query("select id from tenantry.channels union all select id from tenantry.doors")).toEqual([]);
  await connect({ ...TELEGRAM, allow_hosts: true });
  expect(await stored()).toEqual(allow("api.example.com", "api.telegram.org"));
  const events = "select kind from tenantry.events where data ->> 'instance_id' = $1 and kind like 'egress%'";
  expect(await query(events, instance)).toHaveLength(2);

  expect(await refused(MATRIX)).toMatchObject({ message: expect.stringContaining("matrix.example.org:8448") });
  await connect({ ...MATRIX, allow_hosts: true });
  expect((await stored()).entries.at(-1)).toEqual({ host: "matrix.example.org", ports: [8448] });
  // A policy that allows the hosts is not changed.
  await query("delete from tenantry.channels where kind = 'telegram'");
  const before = await stored();
  await connect({ ...TELEGRAM, allow_hosts: true });
  expect(await stored()).toEqual(before);
});

test("a channel whose hosts do not fit the policy any more is refused, and the policy stays", async () => {
  const full = allow(...Array.from({ length: MAX_EGRESS_ENTRIES }, (_, index) => `host-${index}.example.com`));
  await setPolicy(full);
  expect((await refused({ ...TELEGRAM, allow_hosts: true })).reason).toBe("egress_entries_too_many");
  expect(await stored()).toEqual(full);
});

test("a channel without HTTP is refused while hosts are listed, and connected otherwise", async () => {
  await setPolicy(allow("irc.example.org"));
  expect((await refused({ ...IRC, allow_hosts: true })).reason).toBe("channel_without_http");
  await setPolicy({ mode: "audit", entries: [] });
  await connect(IRC);
});

test("a tenant cannot add hosts that the policy of its partner refuses, nor a stack file's tenant any", async () => {
  await setPartner(allow("api.example.com"));
  expect(await refused({ ...TELEGRAM, allow_hosts: true })).toMatchObject({ reason: "channel_hosts_bound" });
  await setPartner(null);
  await setPolicy(allow("api.example.com"));
  await query("update tenantry.instances set managed_by = 'git' where id = $1", instance);
  expect((await refused({ ...TELEGRAM, allow_hosts: true })).reason).toBe("tenant_declared_in_git");
});

test("a policy that refuses a channel's own server is not stored, in the API and in the console", async () => {
  const { id } = await connect(MATRIX);
  const policy = allow("matrix.example.org");
  const missing = {
    reason: "egress_channel_host_missing",
    message: expect.stringContaining("matrix.example.org:8448"),
  };
  expect((await api.refused(egressRoutes.putEgress, of({ policy }))).error).toMatchObject(missing);
  const ofPartner = { as: "north" as const, params: { partner_id: api.partners.north }, body: { policy } };
  expect((await api.refused(egressRoutes.putPartnerEgress, ofPartner)).error).toMatchObject(missing);
  const atConsole = async (body: object) =>
    api.fetch(`${consoleApi(slug)}/api/instances/${instance}/egress`, {
      method: "PUT",
      headers: {
        ...(await consoleLogin(slug, `ada@${slug}.test`)),
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
  const response = await atConsole({ policy });
  expect(errorBody.parse(await response.json()).error).toMatchObject(missing);
  const valid = { mode: "allowlist", entries: ["matrix.example.org 8448"] };
  expect((await atConsole({ policy: valid })).status).toBe(200);

  const report: EgressReport = { revision: null, mode: "audit", restartRequired: false, gaps: [], hosts: [] };
  dispatch.answers.set(`/_egress/${slug}`, { body: report });
  await setPolicy(null);
  const { body } = await api.call(egressRoutes.createEgressAllowlist, of({ store: false }));
  expect(body.policy.entries).toEqual([{ host: "matrix.example.org", ports: [8448] }]);

  await setPolicy(valid);
  const moved = { as: "north" as const, params: { id }, body: { homeserver: "https://other.example.org" } };
  expect((await api.refused(channelRoutes.replaceChannelToken, moved)).error.reason).toBe("channel_hosts_not_listed");
  // Credentials that no key decrypts name no server, and prevent no change.
  await query("update tenantry.channels set credentials = $1", Buffer.alloc(64));
  expect((await setPolicy(policy)).status).toBe(200);
});
