/** Egress policies in the API and in the console, with the dispatch Worker's orders answered by a server. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import type { EgressHost } from "#domain/egress/policy-types.ts";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import type { EgressReport } from "#workers/contracts/tenant/egress.ts";
import { openEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { AnsweringServer } from "../../testing/answering-server.ts";
import { reasonOf, sendAtConsole } from "../../testing/at-console.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";
import { DOORS_KEY } from "../../testing/start-dashboard.ts";

const VALUE = "ghp_Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";
const bound = { mode: "audit", entries: [] };
const allow = (...hosts: string[]) => ({ mode: "allowlist" as const, entries: hosts.map((host) => ({ host })) });

const dispatch = new AnsweringServer();
let api: ApiUnderTest;
let tenants = 0;
let slug: string;
let client: string;
let instance: string;
beforeAll(async () => {
  const DISPATCH_URL = await dispatch.start();
  const platform = { domain: "example.test", refused: ["api.cloudflare.com"] };
  const EGRESS_BOUND = JSON.stringify({ layers: [bound], platform });
  api = await startApi({ DISPATCH_URL, INVALIDATE_TOKEN: "token", EGRESS_BOUND });
});
afterAll(async () => {
  await api?.stop();
  await dispatch.stop();
});
beforeEach(async () => {
  dispatch.reset();
  tenants += 1;
  slug = `acme-${tenants}`;
  ({ client, instance } = await tenant(slug));
});

async function tenant(name: string, managed_by = "dashboard") {
  const { db } = api.database;
  const id = await insertClient(db, { slug: name, name, partner_id: api.partners.north, managed_by });
  const of = await insertInstance(db, id, { managed_by });
  const user = (who: string, role: string) =>
    insertClientUser(db, { client_id: id, email: `${who}@${name}.test`, role, status: "validated" }, [of]);
  await user("ada", "ADMIN");
  await user("bob", "BASE_USER");
  await api.database.pool.query("delete from tenantry.jobs");
  return { client: id, instance: of };
}

const query = async (text: string, ...values: unknown[]) => (await api.database.pool.query(text, values)).rows;
const ofInstance = () => ({ instance_id: instance });
const get = async (as: As = "north") => (await api.call(egressRoutes.getEgress, { as, params: ofInstance() })).body;
const sent = (policy: unknown, more: { headers?: Record<string, string>; query?: Record<string, string> } = {}) => ({
  ...{ as: "north" as As, params: ofInstance(), body: { policy }, ...more },
});
const put = async (...given: Parameters<typeof sent>) => (await api.call(egressRoutes.putEgress, sent(...given))).body;
const refusal = async (...given: Parameters<typeof sent>) => {
  const { status, error } = await api.refused(egressRoutes.putEgress, sent(...given));
  return [status, error.reason];
};
const pushes = () =>
  query("select slug, requested_by from tenantry.jobs where kind = 'push_egress' order by created_at");
const connect = (kind: string) =>
  query(
    `insert into tenantry.channels (environment, instance_id, kind, account_id, account_name, credentials, created_by)
     values ('production', $1, $2, $3, '@bot', $4, 'x')`,
    ...[instance, kind, slug, Buffer.alloc(64)],
  );

const AT = "2026-11-27T10:00:00.000Z";
const host = (name: string, more: Partial<EgressHost> = {}): EgressHost => ({
  ...{ host: name, port: 443, program: "pip", requests: 3, refused: 0, sentBytes: 10, receivedBytes: 20 },
  ...{ firstAt: AT, lastAt: AT, reason: null, ...more },
});
const report = (...hosts: EgressHost[]) => {
  const body: EgressReport = { revision: null, mode: "audit", restartRequired: false, gaps: [], hosts };
  dispatch.answers.set(`/_egress/${slug}`, { body });
};

/** Sends a request of a user of the tenant to the console. */
const atConsole = (method: string, path: string, sent?: Parameters<typeof sendAtConsole>[3]) =>
  sendAtConsole(api, { slug, instance }, [method, path], sent);

test("states a tenant's policy, normalised, with the strictest mode of all layers, and sends it to the tenant", async () => {
  expect(await get()).toMatchObject({
    ...{ mode: "audit", state: "none", pushed_at: null, last_error: null },
    layers: { plan: { mode: "open", entries: [] }, platform: bound, partner: null, tenant: null },
  });
  const draft = {
    mode: "allowlist",
    entries: [{ host: "BÜCHER.example." }, "*.Example.com 8443,443 get"],
  };
  const tenant = {
    mode: "allowlist",
    entries: [{ host: "xn--bcher-kva.example" }, { host: "*.example.com", ports: [443, 8443], methods: ["GET"] }],
  };
  const stored = await put(draft);
  expect(stored).toMatchObject({ mode: "allowlist", state: "pushing", layers: { tenant }, would_refuse: null });
  const { would_refuse: _, ...egress } = stored;
  expect(await get("root")).toEqual(egress);
  expect(await pushes()).toEqual([{ slug, requested_by: "root@north.test" }]);
  const events = "select kind, data ->> 'mode' as mode from tenantry.events where data ->> 'instance_id' = $1";
  expect(await query(events, instance)).toEqual([{ kind: "egress.changed", mode: "allowlist" }]);
  const audited =
    "select actor, after -> 'egress' as egress from tenantry.audit_log where action = 'update' and entity_id = $1";
  expect(await query(audited, instance)).toEqual([{ actor: "root@north.test", egress: tenant }]);
  await query("update tenantry.instances set egress_revision = tenantry.wanted_egress(id), egress_pushed_at = now()");
  expect(await get()).toMatchObject({ state: "active", version: egress.version });
  // A weaker policy of the tenant takes nothing from the platform's bound.
  expect(await put({ mode: "open", entries: [] })).toMatchObject({ mode: "audit", state: "pushing" });
  expect(await put(null)).toMatchObject({ mode: "audit", layers: { tenant: null }, state: "pushing" });
});

test("refuses policies that match everything, that no policy can allow, that are too long, or that block a channel", async () => {
  const faulty = [
    [allow("*"), "egress_entry_too_wide"],
    [allow("*.co.uk"), "egress_entry_too_wide"],
    [allow("10.0.0.1"), "egress_entry_always_refused"],
    [allow("169.254.169.254"), "egress_entry_always_refused"],
    [allow("other.example.test"), "egress_entry_always_refused"],
    [allow("api.cloudflare.com"), "egress_entry_always_refused"],
    [allow("https://api.github.com/x"), "egress_entry_host_invalid"],
    [allow("Bücher.example", "xn--bcher-kva.example"), "egress_entry_duplicate"],
    [{ mode: "allowlist", entries: [{ host: "a.example.com", ports: [70_000] }] }, "egress_entry_port_invalid"],
    [{ mode: "allowlist", entries: [{ host: "a.example.com", methods: ["CONNECT"] }] }, "egress_entry_method_invalid"],
    [allow(...Array.from({ length: 1_001 }, (_, index) => `h${index}.example.com`)), "egress_entries_too_many"],
    [{ mode: "closed", entries: [] }, "invalid_values"],
    [{ mode: "allowlist", entries: ["a.example.com 443,80x"] }, "egress_entry_method_invalid"],
  ] as const;
  for (const [policy, reason] of faulty) expect(await refusal(policy)).toEqual([400, reason]);
  const { error } = await api.refused(egressRoutes.putEgress, sent(allow("api.github.com", "*", "127.0.0.1")));
  expect(Object.keys(error.details ?? {})).toEqual(["policy.entries.1", "policy.entries.2"]);
  await connect("telegram");
  expect(await refusal(allow("api.github.com"))).toEqual([400, "egress_channel_host_missing"]);
  const partner = {
    as: "north" as As,
    params: { partner_id: api.partners.north },
    body: { policy: allow("a.example.com") },
  };
  expect((await api.refused(egressRoutes.putPartnerEgress, partner)).error.reason).toBe("declared_in_git");
  expect(await pushes()).toEqual([]);
  const most = allow(...Array.from({ length: 999 }, (_, index) => `h${index}.example.com`), "api.telegram.org");
  expect((await put(most)).layers.tenant?.entries).toHaveLength(1_000);
  await query("delete from tenantry.channels");
});

test("changes the version that an editor has read only, and tenants of the dashboard only", async () => {
  const { version } = await get();
  const match = { headers: { "if-match": `"${version}"` } };
  const both = await Promise.all(
    ["a.example.com", "b.example.com"].map(async (name) => {
      const response = await api.fetch(`/api/instances/${instance}/egress`, {
        method: "PUT",
        email: api.emails.north,
        headers: { "content-type": "application/json", ...match.headers },
        body: JSON.stringify({ policy: allow(name) }),
      });
      return response.status;
    }),
  );
  expect(both.toSorted()).toEqual([200, 412]);
  expect((await get()).version).toBe(version + 1);
  ({ instance } = await tenant(`${slug}-git`, "git"));
  expect(await refusal(allow("a.example.com"))).toEqual([409, "tenant_declared_in_git"]);
});

test("previews what a policy would refuse of recorded traffic, lists hosts, and makes an allowlist of them", async () => {
  const refused = host("tracker.example.net", { refused: 3, reason: "not-listed" });
  report(host("pypi.org"), host("api.github.com", { lastAt: "2026-11-27T11:00:00.000Z" }), refused);
  const previewed = await put(allow("api.github.com"), { query: { preview: "true" } });
  expect(previewed).toMatchObject({
    ...{ mode: "allowlist", layers: { tenant: allow("api.github.com") } },
    would_refuse: [{ host: "pypi.org", port: 443, program: "pip", requests: 3, last_at: AT, reason: "not-listed" }],
  });
  expect(await get()).toMatchObject({ layers: { tenant: null }, state: "none" });
  expect(await pushes()).toEqual([]);
  const { body: hosts } = await api.call(egressRoutes.listEgressHosts, { as: "root", params: ofInstance() });
  expect(hosts).toMatchObject({ mode: "audit", restart_required: false, gaps: [] });
  expect(hosts.data.map((one) => [one.host, one.sent_bytes, one.refused])).toEqual([
    ["api.github.com", 10, 0],
    ["pypi.org", 10, 0],
    ["tracker.example.net", 10, 3],
  ]);
  await connect("telegram");
  await put({ mode: "audit", entries: [{ host: "*.github.com" }] });
  const make = async (store: boolean) =>
    (await api.call(egressRoutes.createEgressAllowlist, { as: "north", params: ofInstance(), body: { store } })).body;
  const policy = allow("*.github.com", "pypi.org", "api.telegram.org");
  expect(await make(false)).toEqual({ policy, stored: null });
  expect(await make(true)).toMatchObject({ policy, stored: { mode: "allowlist", layers: { tenant: policy } } });
  await query("delete from tenantry.channels");
});

test("says that a Worker of an earlier version knows no policies", async () => {
  const error = { code: "conflict", message: "Old.", reason: "tenant_without_order" };
  dispatch.answers.set(`/_egress/${slug}`, { status: 409, body: { error } });
  const listed = await api.refused(egressRoutes.listEgressHosts, { as: "north", params: ofInstance() });
  expect([listed.status, listed.error.reason]).toEqual([409, "tenant_without_order"]);
  expect(await refusal(null, { query: { preview: "true" } })).toEqual([409, "tenant_without_order"]);
  expect(await put({ mode: "audit", entries: [] })).toMatchObject({ state: "pushing" });
  await query("update tenantry.instances set egress_fault = 'push_failed', egress_last_error = 'Old.'");
  expect(await get()).toMatchObject({ state: "push_failed", last_error: "Old." });
});

test("states a partner's policy for all its tenants, by its own root only", async () => {
  await query("update tenantry.partners set managed_by = 'dashboard'");
  const params = { partner_id: api.partners.north };
  const change = (as: As, policy: unknown) => ({ as, params, body: { policy } });
  const other = await api.refused(egressRoutes.putPartnerEgress, change("south", bound));
  expect([other.status, other.error.reason]).toEqual([404, "partner_not_found"]);
  const policy = allow("*.example.com");
  await connect("telegram");
  const locked = await api.refused(egressRoutes.putPartnerEgress, change("north", policy));
  expect(locked.error.reason).toBe("egress_channel_host_missing");
  await query("delete from tenantry.channels");
  const { body } = await api.call(egressRoutes.putPartnerEgress, change("north", policy));
  expect(body).toMatchObject({ policy, managed_by: "dashboard" });
  expect((await api.call(egressRoutes.getPartnerEgress, { as: "root", params })).body).toEqual(body);
  expect(await get()).toMatchObject({ mode: "allowlist", state: "pushing", layers: { partner: policy, tenant: null } });
  expect((await pushes()).filter((push) => push.slug === slug)).toHaveLength(1);
  await api.call(egressRoutes.putPartnerEgress, change("root", null));
  expect(await get()).toMatchObject({ mode: "audit", state: "none" });
});

test("stores secrets for a host, encrypted, and no text has their value", async () => {
  const body = { name: "GitHub", host: " API.github.com", prefix: "Bearer ", value: ` ${VALUE}\n` };
  const request = (more: object = {}) => ({ as: "north" as As, params: ofInstance(), body: { ...body, ...more } });
  const create = async (more: object = {}) => (await api.call(egressRoutes.createEgressSecret, request(more))).body;
  const refused = async (more: object) =>
    (await api.refused(egressRoutes.createEgressSecret, request(more))).error.reason;
  const created = await create();
  expect(created).toMatchObject({ name: "GitHub", host: "api.github.com", header: "authorization" });
  const opened = async (id: string) => {
    const [row] = await query("select credentials from tenantry.egress_secrets where id = $1", id);
    return openEgressSecret({ used: DOORS_KEY }, id, row.credentials);
  };
  const { name, prefix } = body;
  expect(await opened(created.id)).toEqual({
    name,
    prefix,
    host: "api.github.com",
    header: "authorization",
    value: VALUE,
  });
  const replaced = await create({ value: "other" });
  expect(replaced.id).not.toBe(created.id);
  expect(await refused({ name: "Another" })).toBe("egress_secret_exists");
  expect(await refused({ name: "Inside", host: "169.254.169.254" })).toBe("invalid_values");
  expect(await refused({ name: "Inside", host: "dash.example.test" })).toBe("egress_entry_always_refused");
  expect(await refused({ name: "Header", header: "Host" })).toBe("invalid_values");
  const list = async () =>
    (await api.call(egressRoutes.listEgressSecrets, { as: "root", params: ofInstance() })).body.data;
  expect(await list()).toEqual([replaced]);
  expect(await get()).toMatchObject({ state: "pushing" });
  const params = { ...ofInstance(), secret_id: replaced.id };
  await api.call(egressRoutes.deleteEgressSecret, { as: "north", params });
  const gone = await api.refused(egressRoutes.deleteEgressSecret, { as: "north", params });
  expect([gone.status, gone.error.reason]).toEqual([404, "egress_secret_not_found"]);
  expect([await list(), await pushes()]).toEqual([[], Array(3).fill({ slug, requested_by: "root@north.test" })]);
  const actions =
    "select action from tenantry.audit_log where entity = 'egress_secrets' and client_id = $1 order by id";
  const done = await query(actions, client);
  expect(done.map(({ action }) => action)).toEqual(["insert", "delete", "insert", "delete"]);
  const tables = ["egress_secrets", "audit_log", "events", "jobs", "idempotency_keys"];
  const texts = await Promise.all(tables.map((table) => query(`select t::text from tenantry.${table} t`)));
  expect(JSON.stringify([texts, api.logs])).not.toContain(VALUE.slice(4, 40));
});

test("an ADMIN reads and states the tenant's policy in the console, and a BASE_USER does neither", async () => {
  report(host("pypi.org"), host("<img src=x>"));
  const { version, ...rest } = egressRoutes.getEgress.answer.parse(JSON.parse((await atConsole("GET", "egress")).text));
  expect(rest).toMatchObject({ mode: "audit", layers: { platform: bound } });
  const body = { policy: { mode: "allowlist", entries: ["pypi.org 443 GET"] } };
  const headers = { "if-match": `"${version}"` };
  const preview = JSON.parse((await atConsole("PUT", "egress?preview=true", { body, headers })).text);
  expect(preview.would_refuse).toMatchObject([{ host: "<img src=x>" }]);
  const stored = await atConsole("PUT", "egress", { body, headers });
  expect([stored.status, JSON.parse(stored.text)]).toMatchObject([200, { mode: "allowlist", version: version + 1 }]);
  expect(reasonOf(await atConsole("PUT", "egress", { body: { policy: null }, headers }))).toEqual([
    412,
    "entity_changed_by",
  ]);
  expect(reasonOf(await atConsole("PUT", "egress", { body: { policy: allow("*") } }))).toEqual([
    400,
    "egress_entry_too_wide",
  ]);
  expect(JSON.parse((await atConsole("GET", "egress/hosts")).text).data).toHaveLength(2);
  expect(await pushes()).toEqual([{ slug, requested_by: `ada@${slug}.test` }]);
  const audited =
    "select actor from tenantry.audit_log where entity = 'instances' and action = 'update' and entity_id = $1";
  expect(await query(audited, instance)).toEqual([{ actor: `ada@${slug}.test` }]);
  for (const [method, path] of [
    ["GET", "egress"],
    ["PUT", "egress"],
    ["GET", "egress/hosts"],
  ] as const) {
    const refused = await atConsole(method, path, { who: "bob", ...(method === "PUT" && { body }) });
    expect(reasonOf(refused)).toEqual([403, "console_admin_required"]);
  }
  await query("update tenantry.instances set managed_by = 'git' where id = $1", instance);
  expect(reasonOf(await atConsole("PUT", "egress", { body }))).toEqual([409, "tenant_declared_in_git"]);
});
