/** What triggers record as notifications, once each. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookCredit } from "../billing/credits.ts";
import { openIncident } from "../health/incidents.ts";
import { asCaller } from "../testing/as-caller.ts";
import { insertClient, insertClientUser, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const query = async (statement: string, values: unknown[] = []) => (await database.pool.query(statement, values)).rows;

async function tenant(slug: string) {
  const clientId = await insertClient(database.db, { slug });
  const instanceId = await insertInstance(database.db, clientId, {
    reported_gateway: "openclaw",
    reported_gateway_version: "1.0.0",
  });
  const userId = await insertClientUser(
    database.db,
    { client_id: clientId, email: `ada@${slug}.test`, status: "validated" },
    [instanceId],
  );
  return { clientId, instanceId, userId };
}

const noted = async (clientId: string): Promise<{ kind: string; data: Record<string, unknown> }[]> =>
  query("select kind, data from tenantry.notifications where client_id = $1 order by occurred_at, subject", [clientId]);

const queued = () =>
  query("select count(*)::int as jobs from graphile_worker._private_jobs where key like 'notification:%'");

test("an incident of a gateway is recorded once when it opens and once when the gateway runs again", async () => {
  const { clientId, instanceId } = await tenant("incident");
  const incident = { instanceId, kind: "gateway_dead", cause: "x", remedy: "y" };
  expect(await openIncident(database.db, incident)).toBe(true);
  expect(await openIncident(database.db, incident)).toBe(false);
  expect(await noted(clientId)).toMatchObject([{ kind: "not_running", data: { what: "began" } }]);
  const close = "update tenantry.incidents set closed_at = now() where instance_id = $1 and closed_at is null";
  await query(close, [instanceId]);
  await query(close, [instanceId]);
  expect((await noted(clientId)).map(({ data }) => data.what)).toEqual(["began", "ended"]);
  await openIncident(database.db, { ...incident, kind: "inbox_full" });
  expect(await noted(clientId)).toHaveLength(2);
});

test("an incident that closes because the tenant is frozen has no end", async () => {
  const { clientId, instanceId } = await tenant("frozen");
  await openIncident(database.db, { instanceId, kind: "gateway_dead", cause: "x", remedy: "y" });
  await query("update tenantry.instances set status = 'frozen' where id = $1", [instanceId]);
  await query("update tenantry.incidents set closed_at = now() where instance_id = $1", [instanceId]);
  expect(await noted(clientId)).toMatchObject([{ data: { what: "began" } }]);
});

test("jobs are recorded when they end: restores, failed final backups and installed versions", async () => {
  const { clientId, instanceId } = await tenant("jobs");
  const end = async (kind: string, status: string, by = "root@platform.test") => {
    const [job] = await query(
      `insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, payload)
       values ($1, $2, $3, 'jobs', $4, '{"backup_id": "b1"}') returning id`,
      [kind, clientId, instanceId, by],
    );
    for (let time = 0; time < 2; time += 1)
      await query("update tenantry.jobs set status = $2, ended_at = now() where id = $1", [job.id, status]);
  };
  await end("restore_backup", "succeeded", "ada@jobs.test");
  await end("restore_backup", "failed");
  await end("restore_backup", "cancelled");
  await end("final_backup", "succeeded");
  await end("final_backup", "failed");
  await end("freeze", "failed");
  expect((await noted(clientId)).map(({ kind, data }) => [kind, data.succeeded, data.by])).toEqual([
    ["restore", true, "ada@jobs.test"],
    ["restore", false, "operator"],
    ["backup_failed", undefined, undefined],
  ]);
});

test("a new default image is recorded for the tenants that run another version", async () => {
  const { clientId, instanceId } = await tenant("image");
  const { clientId: other, instanceId: newest } = await tenant("newest");
  await query("update tenantry.instances set reported_gateway_version = '2.0.0' where id = $1", [newest]);
  const [image] = await query(
    `insert into tenantry.images (environment, reference, gateway, gateway_version, is_default)
     values ('production', 'registry.test/a@sha256:' || repeat('0', 64), 'openclaw', '2.0.0', true) returning id`,
  );
  await query("update tenantry.images set note = 'again' where id = $1", [image.id]);
  expect(await noted(clientId)).toMatchObject([{ kind: "new_version", data: { what: "available", version: "2.0.0" } }]);
  expect(await noted(other)).toEqual([]);
  await query("update tenantry.instances set image_id = $2 where id = $1", [instanceId, image.id]);
  const [job] = await query(
    `insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by) values ('adopt_version', $1, $2, 'image', 'x')
     returning id`,
    [clientId, instanceId],
  );
  await query("update tenantry.jobs set status = 'succeeded', ended_at = now() where id = $1", [job.id]);
  expect((await noted(clientId)).map(({ data }) => data.what)).toEqual(["available", "installed"]);
});

test("a service token is recorded, without the operator's address", async () => {
  const { clientId, userId } = await tenant("token");
  await query(
    `insert into tenantry.service_tokens
      (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
     values ('production', $1, $2, 'Laptop', 'ADMIN', 'root@platform.test', now(), 'n', 'n.access')`,
    [clientId, userId],
  );
  const [one, ...more] = await noted(clientId);
  expect(more).toEqual([]);
  expect(one).toMatchObject({ kind: "new_device", data: { name: "Laptop", user: "ada@token.test", by: "operator" } });
});

test("an invoice is recorded when it is issued, if a line has an amount", async () => {
  const { clientId } = await tenant("invoice");
  for (const amount of [0, 5]) {
    const [invoice] = await query(
      "insert into tenantry.invoices (client_id, period_start, period_end, total_micros) values ($1, $2, $3, $4) returning id",
      [clientId, `2026-0${amount + 1}-01`, `2026-0${amount + 2}-01`, amount],
    );
    await query(
      `insert into tenantry.invoice_line_items (invoice_id, kind, description, quantity, unit_price_micros, per_units, amount_micros)
       values ($1, 'other', 'x', 1, 1, 1, $2)`,
      [invoice.id, amount],
    );
    await query("update tenantry.invoices set status = 'issued', issued_at = now() where id = $1", [invoice.id]);
    await query("update tenantry.invoices set status = 'paid', ended_at = now() where id = $1", [invoice.id]);
  }
  expect(await noted(clientId)).toMatchObject([
    { kind: "invoice", data: { from: "2026-06-01", to: "2026-06-30", total_micros: 5 } },
  ]);
});

test("use of prepaid credit is recorded at 80 % and 100 %, once for each top-up", async () => {
  const { clientId } = await tenant("credit");
  let count = 0;
  const buy = (amountMicros: bigint) =>
    database.db
      .transaction()
      .execute((tx) =>
        bookCredit(tx, { clientId, amountMicros, kind: "purchase", reference: `top-up-${++count}`, at: new Date() }),
      );
  const use = (micros: number) =>
    query(
      "insert into tenantry.credit_entries (client_id, kind, amount_micros, day, revision) values ($1, 'consumption', $2, $3::date + $4::int, 0)",
      [clientId, -micros, "2026-01-01", ++count],
    );
  const percents = async () => (await noted(clientId)).map(({ data }) => data.percent);
  await use(50);
  await buy(150n);
  await use(79);
  expect(await percents()).toEqual([]);
  await use(1);
  await use(5);
  expect(await percents()).toEqual([80]);
  expect((await noted(clientId))[0]?.data).toMatchObject({ of: "credit", used_micros: 80, cap_micros: 100 });
  await use(20);
  await use(20);
  expect(await percents()).toEqual([80, 100]);
  // A top-up begins another period; a jump beyond both thresholds is recorded once.
  await buy(125n);
  await use(500);
  await query(
    "insert into tenantry.credit_entries (client_id, kind, amount_micros, reference) values ($1, 'correction', -1, 'c')",
    [clientId],
  );
  expect((await percents()).toSorted()).toEqual([100, 100, 80]);
});

test("spending for models in 30 days is recorded at 80 % and 100 % of the plan's limit, once for 30 days", async () => {
  const { clientId } = await tenant("spending");
  await query(
    `insert into tenantry.account_limits (environment, limits, needs, containers, ai_spend)
     values ('production', '{}', '{}', '{}', '{"pro": 100, "enterprise": null}')`,
  );
  const spend = (daysAgo: number, dollars: number) =>
    query(
      `insert into tenantry.usage_daily (client_id, day, metric, quantity, computed_at)
       values ($1, (now() at time zone 'utc')::date - $2::int, 'ai_spend', $3, now())
       on conflict (client_id, day, metric) do update set quantity = excluded.quantity`,
      [clientId, daysAgo, dollars * 1_000_000],
    );
  const percents = async () => (await noted(clientId)).map(({ data }) => [data.of, data.percent]);
  await spend(30, 1_000);
  await spend(29, 50);
  await spend(0, 29);
  expect(await percents()).toEqual([]);
  await spend(0, 30);
  await spend(0, 40);
  expect(await percents()).toEqual([["ai_spend", 80]]);
  expect((await noted(clientId))[0]?.data).toMatchObject({ used_micros: 80_000_000, cap_micros: 100_000_000 });
  await spend(0, 60);
  await spend(0, 70);
  expect((await percents()).map(([, percent]) => percent).toSorted()).toEqual([100, 80]);
  // A later period, and a plan without a limit.
  await query(
    "update tenantry.notifications set subject = 'old:' || subject, occurred_at = now() - interval '31 days' where client_id = $1",
    [clientId],
  );
  await spend(0, 71);
  expect(await percents()).toHaveLength(3);
  await query("update tenantry.clients set billing_plan = 'enterprise' where id = $1", [clientId]);
  await spend(0, 500);
  expect(await percents()).toHaveLength(3);
  // The client's own cap, and one of 0.
  const cap = (micros: number) =>
    query("update tenantry.clients set ai_spend_cap_micros = $2 where id = $1", [clientId, micros]);
  await cap(600_000_000);
  await spend(0, 501);
  expect((await noted(clientId)).filter(({ data }) => data.cap_micros === 600_000_000)).toMatchObject([
    { data: { percent: 80 } },
  ]);
  await cap(0);
  await spend(0, 502);
  expect(await percents()).toHaveLength(4);
});

test("a client that is being deleted gets nothing, and each notification queues one job", async () => {
  const { clientId, instanceId } = await tenant("deleted");
  const [{ jobs: before }] = await queued();
  await query("update tenantry.clients set delete_after = now() + interval '1 day' where id = $1", [clientId]);
  await openIncident(database.db, { instanceId, kind: "gateway_dead", cause: "x", remedy: "y" });
  expect(await noted(clientId)).toEqual([]);
  expect((await queued())[0].jobs).toBe(before);
  const [{ all }] = await query("select count(*)::int as all from tenantry.notifications");
  expect(before).toBe(all);
});

test("an ADMIN changes its own settings alone, and requests a test for itself once a minute", async () => {
  const { clientId, instanceId, userId } = await tenant("own");
  const otherId = await insertClientUser(
    database.db,
    { client_id: clientId, email: "bob@own.test", status: "validated" },
    [instanceId],
  );
  await query("insert into tenantry.notification_settings (client_user_id) values ($1)", [otherId]);
  await asCaller(database, { kind: "client_admin", caller: userId }, async (_, client) => {
    expect((await client.query("select from tenantry.notification_settings")).rowCount).toBe(0);
    expect((await client.query("update tenantry.notification_settings set choices = '{}'")).rowCount).toBe(0);
    await client.query("insert into tenantry.notification_settings (client_user_id) values ($1)", [userId]);
    await client.query("select tenantry.request_test_notification()");
    await client.query("select tenantry.request_test_notification()");
    const { rows } = await client.query("select client_user_id from tenantry.notifications where kind = 'test'");
    expect(rows).toEqual([{ client_user_id: userId }]);
    await client.query("savepoint before");
    await expect(
      client.query("update tenantry.notification_settings set client_user_id = $1", [otherId]),
    ).rejects.toThrow();
    await client.query("rollback to before");
    await expect(client.query("select from tenantry.notification_unsubscribes")).rejects.toThrow("permission denied");
  });
});
