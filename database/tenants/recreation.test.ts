/** Clients that reuse the slug of a removed client, managed by Git or the dashboard: they work and inherit nothing. */

import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatewayTenant } from "#domain/ai-gateways/gateway-tenant.ts";
import type { Manager } from "#domain/entities/entity.ts";
import type { Plan } from "#domain/plans/plan.ts";
import { hasAccount } from "../billing/accounts.ts";
import { readPool } from "../billing/credit-pool.ts";
import { bookCredit, listCreditEntries } from "../billing/credits.ts";
import { draftInvoice } from "../billing/invoice-issue.ts";
import { listInvoices } from "../billing/invoices.ts";
import { listUsage } from "../billing/usage.ts";
import { healthPeriods, latestHealth, recordHealth } from "../health/history.ts";
import { listIncidents, openIncident } from "../health/incidents.ts";
import { asService, storeDay } from "../testing/billing.ts";
import { insertClientUser, insertInstance, insertPoolEntry } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { earlierClients, meteredClients } from "./clients.ts";
import { deleteClient, requestDeletions } from "./deletion/deletion.ts";

let database: TestDatabase;
let service: Kysely<DB>;
let provisioner: pg.Pool;
let pool: string;
beforeAll(async () => {
  database = await startTestDatabase();
  service = asService(database);
  provisioner = new pg.Pool({ connectionString: database.urlOf("provisioner"), max: 2 });
  provisioner.on("error", () => {});
  // One slot, which each life needs.
  pool = await insertPoolEntry(database.db, { gateway_id: "pool-a", max_instances: 1 });
});
afterAll(async () => {
  await provisioner.end();
  await service.destroy();
  await database.stop();
});

interface Life {
  client: string;
  instance: string;
}

/** Creates a client as its manager does, with an instance that binds the one slot of the pool. */
async function begin(slug: string, by: Manager, plan: Plan, status = "production"): Promise<Life> {
  const values = [slug, slug, plan, status, by];
  const insert =
    "insert into tenantry.clients (slug, name, billing_plan, status, managed_by) values ($1, $2, $3, $4, $5) returning id";
  const client: string = (await (by === "git" ? provisioner : database.pool).query(insert, values)).rows[0].id;
  const gateway = { ai_gateway_id: "pool-a", ai_gateway_pool_id: pool };
  const named = { managed_by: by, worker_name: `tenant-${slug}`, access_aud: `aud-${client}`, ...gateway };
  return { client, instance: await insertInstance(database.db, client, named) };
}

/** Ends a client as its manager does: by its stack, or by the automation service once the grace period is over. */
async function end({ client, instance }: Life, by: Manager): Promise<void> {
  if (by === "git") {
    await provisioner.query("delete from tenantry.instances where id = $1", [instance]);
    await provisioner.query("delete from tenantry.clients where id = $1", [client]);
    return;
  }
  await database.pool.query("delete from tenantry.instances where id = $1", [instance]);
  await database.pool.query("update tenantry.clients set delete_after = now() where id = $1", [client]);
  await requestDeletions(service);
  const { rows } = await database.pool.query(
    "select id from tenantry.jobs where client_id = $1 and kind = 'delete_client'",
    [client],
  );
  expect(await deleteClient(service, rows[0].id)).toBe("deleted");
}

const today = () => new Date().toISOString().slice(0, 10);

/** Gives a client a past of every kind. */
async function live({ client, instance }: Life, slug: string): Promise<void> {
  const { db } = database;
  await insertClientUser(db, { client_id: client, email: `ada@${slug}.test`, status: "validated" }, [instance]);
  await service.transaction().execute(async (tx) => {
    const amount = { clientId: client, amountMicros: 5_000_000n, kind: "purchase", reference: slug } as const;
    await bookCredit(tx, { ...amount, at: new Date() });
  });
  await storeDay(service, client, { day: today(), metric: "ai_queries", quantity: 7n }, new Date());
  await service.transaction().execute((tx) => draftInvoice(tx, client, today().slice(0, 7)));
  await openIncident(service, { instanceId: instance, kind: "unhealthy", cause: "It is down.", remedy: "Restart it." });
  await sql`select tenantry.prepare_health_partitions(1)`.execute(service);
  const probes = { startupOk: true, readinessOk: true, livenessOk: true, hadBackup: false, restored: false };
  await recordHealth(service, [{ instanceId: instance, ...probes, latencyMs: 5, at: new Date() }]);
}

/** Reads a client's history. */
async function pastOf({ client, instance }: Life) {
  const { pool: connections } = database;
  const count = async (statement: string) => (await connections.query(statement, [client])).rowCount;
  return {
    users: await count("select from tenantry.client_users where client_id = $1"),
    mails: await count("select from tenantry.mails where client_id = $1"),
    jobs: await count("select from tenantry.jobs where client_id = $1"),
    usage: (await listUsage(service, client, "2000-01-01", "2999-01-01")).length,
    ledger: (await listCreditEntries(service, client)).length,
    credit: (await readPool(service, client))?.purchasedMicros ?? 0n,
    invoices: (await listInvoices(service, { clientId: client })).length,
    incidents: (await listIncidents(service, "production", { limit: 9, open: false, instanceId: instance })).length,
    health: (await healthPeriods(service, instance)).length,
    latest: await latestHealth(service, instance),
  };
}
const NO_PAST = {
  ...{ users: 0, mails: 0, jobs: 0, usage: 0, ledger: 0, credit: 0n, invoices: 0, incidents: 0, health: 0 },
  latest: undefined,
};

const rows = (["git", "dashboard"] as const).flatMap((from) =>
  (["git", "dashboard"] as const).flatMap((to) =>
    (["same", "other"] as const).map((plan) => ({ from, to, plan, slug: `${from}-${to}-${plan}` })),
  ),
);

test.each(rows)("from $from to $to on the $plan plan", async ({ from, to, plan, slug }) => {
  const { db, pool: connections } = database;
  const first = await begin(slug, from, "pro");
  await live(first, slug);
  await end(first, from);
  const second = await begin(slug, to, plan === "same" ? "pro" : "basic");
  try {
    expect(second.client).not.toBe(first.client);
    expect(await pastOf(second)).toEqual(NO_PAST);
    // The first client's billing records stay separate from the second's.
    expect(await hasAccount(db, "production", first.client)).toBe(true);
    expect(await pastOf(first)).toMatchObject({ users: 0, usage: 1, ledger: 2, invoices: 1, incidents: 0, health: 0 });
    // The plan of the first is not billed to the second.
    const plans = await connections.query(
      "select plan, billed, also from tenantry.client_plans where client_id = $1 order by valid_from",
      [second.client],
    );
    expect(plans.rows).toEqual([{ plan: plan === "same" ? "pro" : "basic", billed: true, also: [] }]);
    // Points in the analytics dataset are its own from its creation on, and so is spending at AI gateways.
    const metered = (await meteredClients(service, "production")).get(slug);
    expect(metered).toMatchObject({ id: second.client, isReused: true });
    const earlier = (await earlierClients(db, "production"))[slug] ?? 0;
    expect(gatewayTenant(slug, earlier)).toBe(`${slug}~2`);
    // The first client's user has no access to the second until invited again.
    const enters = async () =>
      (
        await connections.query(
          `select from tenantry.client_user_instances a join tenantry.client_users u on u.id = a.client_user_id
           where a.instance_id = $1 and u.email = $2`,
          [second.instance, `ada@${slug}.test`],
        )
      ).rowCount;
    expect(await enters()).toBe(0);
    await insertClientUser(db, { client_id: second.client, email: `ada@${slug}.test` }, [second.instance]);
    expect(await enters()).toBe(1);
    const audit = await connections.query("select from tenantry.audit_log where client_id = $1", [first.client]);
    expect(audit.rowCount).toBeGreaterThan(0);
  } finally {
    await end(second, to);
  }
});

test("preserves the account of a draft that had an instance, so that its slug counts as reused, but not of one without", async () => {
  const draft = await begin("drafted", "git", "free", "draft");
  await end(draft, "git");
  expect(await hasAccount(database.db, "production", draft.client)).toBe(true);
  const again = await begin("drafted", "dashboard", "free", "draft");
  expect((await meteredClients(service, "production")).get("drafted")).toMatchObject({ isReused: true });
  await end(again, "dashboard");

  const { rows: empty } = await provisioner.query(
    "insert into tenantry.clients (slug, name, billing_plan) values ('empty', 'Empty', 'free') returning id",
  );
  await provisioner.query("delete from tenantry.clients where id = $1", [empty[0].id]);
  expect(await hasAccount(database.db, "production", empty[0].id)).toBe(false);
});
