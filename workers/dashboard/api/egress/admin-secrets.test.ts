import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { openEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { AnsweringServer } from "../../testing/answering-server.ts";
import { reasonOf, sendAtConsole } from "../../testing/at-console.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { DOORS_KEY } from "../../testing/start-dashboard.ts";

const VALUE = "ghp_Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";

const dispatch = new AnsweringServer();
let api: ApiUnderTest;
let tenants = 0;
let slug: string;
let client: string;
let instance: string;
beforeAll(async () => {
  api = await startApi({ DISPATCH_URL: await dispatch.start(), INVALIDATE_TOKEN: "token" });
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

async function tenant(name: string) {
  const { db } = api.database;
  const id = await insertClient(db, { slug: name, name, partner_id: api.partners.north, managed_by: "dashboard" });
  const of = await insertInstance(db, id, { managed_by: "dashboard" });
  for (const [who, role] of [
    ["ada", "ADMIN"],
    ["bob", "BASE_USER"],
  ] as const)
    await insertClientUser(db, { client_id: id, email: `${who}@${name}.test`, role, status: "validated" }, [of]);
  return { client: id, instance: of };
}

const query = async (text: string, ...values: unknown[]) => (await api.database.pool.query(text, values)).rows;

/** Sends a request of a user of the tenant to the console. */
const atConsole = (method: string, path: string, sent?: Parameters<typeof sendAtConsole>[3]) =>
  sendAtConsole(api, { slug, instance }, [method, path], sent);

test("an ADMIN stores secrets for hosts in the console, and no text has their value", async () => {
  const body = { name: "GitHub", host: "API.github.com", prefix: "Bearer ", value: VALUE };
  const create = async (more: object = {}) => atConsole("POST", "egress/secrets", { body: { ...body, ...more } });
  const created = egressRoutes.createEgressSecret.answer.parse(JSON.parse((await create()).text));
  expect(created).toMatchObject({
    ...{ name: "GitHub", host: "api.github.com", header: "authorization", created_by: `ada@${slug}.test` },
  });
  const [row] = await query("select credentials from tenantry.egress_secrets where id = $1", created.id);
  const opened = await openEgressSecret({ used: DOORS_KEY }, created.id, row.credentials);
  expect(opened).toEqual({ ...body, host: "api.github.com", header: "authorization" });
  const replaced = JSON.parse((await create({ value: "other" })).text);
  expect(replaced.id).not.toBe(created.id);
  expect(reasonOf(await create({ name: "Another" }))).toEqual([409, "egress_secret_exists"]);
  expect(reasonOf(await create({ name: "Inside", host: "dash.example.test" }))).toEqual([
    ...[400, "egress_entry_always_refused"],
  ]);
  await query("update tenantry.egress_secrets set created_by = 'root@north.test' where id = $1", replaced.id);
  const list = async () => JSON.parse((await atConsole("GET", "egress/secrets")).text).data;
  expect(await list()).toEqual([{ ...replaced, created_by: "operator" }]);
  expect(JSON.parse((await atConsole("GET", "egress")).text)).toMatchObject({ state: "pushing" });
  const others = await tenant(`${slug}-other`);
  await query("update tenantry.egress_secrets set instance_id = $1 where id = $2", others.instance, replaced.id);
  expect(reasonOf(await atConsole("DELETE", `egress/secrets/${replaced.id}`))).toEqual([
    404,
    "egress_secret_not_found",
  ]);
  await query("update tenantry.egress_secrets set instance_id = $1 where id = $2", instance, replaced.id);
  expect((await atConsole("DELETE", `egress/secrets/${replaced.id}`)).status).toBe(204);
  expect(await list()).toEqual([]);
  await query(
    `insert into tenantry.egress_secrets (instance_id, name, host, header, credentials, created_by)
     select $1, n, n || '.example.com', 'x', $2, 'x' from generate_series(1, 50) g, lateral (select 'h' || g as n) names`,
    ...[instance, Buffer.alloc(64)],
  );
  expect(reasonOf(await create())).toEqual([409, "egress_secrets_too_many"]);
  for (const [method, path, sentBody] of [
    ["GET", "egress/secrets", undefined],
    ["POST", "egress/secrets", body],
    ["DELETE", `egress/secrets/${replaced.id}`, undefined],
  ] as const)
    expect(reasonOf(await atConsole(method, path, { who: "bob", body: sentBody }))).toEqual([
      ...[403, "console_admin_required"],
    ]);
  const done = await query(
    "select action from tenantry.audit_log where entity = 'egress_secrets' and client_id = $1 and actor like 'ada@%' order by id",
    client,
  );
  expect(done.map(({ action }) => action)).toEqual(["insert", "delete", "insert", "delete"]);
  const events = "select kind from tenantry.events where data ->> 'instance_id' = $1 and kind like 'egress_secret%'";
  expect((await query(events, instance)).map(({ kind }) => kind)).toEqual([
    ...["egress_secret.created", "egress_secret.replaced", "egress_secret.deleted"],
  ]);
  const tables = ["egress_secrets", "audit_log", "events", "jobs", "idempotency_keys"];
  const texts = await Promise.all(tables.map((table) => query(`select t::text from tenantry.${table} t`)));
  expect(JSON.stringify([texts, api.logs])).not.toContain(VALUE.slice(4, 40));
});
