/** What is deleted with a client and what remains, who may delete it, and races with a restore. */
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountsSince, hasAccount } from "../../billing/accounts.ts";
import { listCreditEntries } from "../../billing/credits.ts";
import { draftInvoice, endInvoice, issueInvoice } from "../../billing/invoice-issue.ts";
import { listInvoices, readInvoice } from "../../billing/invoices.ts";
import { listUsage } from "../../billing/usage.ts";
import { asRoot, asService, insertBilledClient, storeDay } from "../../testing/billing.ts";
import { insertClient, insertClientUser, insertInstance } from "../../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import type { DB } from "../../types.ts";
import { cancelDeletion, deleteClient, requestDeletions } from "./deletion.ts";

let database: TestDatabase;
let service: Kysely<DB>;
let partner: string;
let partnerRoot: string;
beforeAll(async () => {
  database = await startTestDatabase();
  service = asService(database);
  const { pool } = database;
  ({ id: partner } = (
    await pool.query("insert into tenantry.partners (slug, name) values ('north', 'N') returning id")
  ).rows[0]);
  ({ id: partnerRoot } = (
    await pool.query(
      "insert into tenantry.dashboard_users (email, role, partner_id) values ('root@north.test', 'PARTNER_ROOT', $1) returning id",
      [partner],
    )
  ).rows[0]);
});
afterAll(async () => {
  await service.destroy();
  await database.stop();
});

const due = (id: string) =>
  database.pool.query("update tenantry.clients set delete_after = now() - interval '1 second' where id = $1", [id]);
/** Requests the deletion. @returns the job's id */
async function asked(client: string): Promise<string> {
  await due(client);
  await requestDeletions(service);
  const { rows } = await database.pool.query(
    "select id from tenantry.jobs where client_id = $1 and kind = 'delete_client' and ended_at is null",
    [client],
  );
  return rows[0].id;
}
const isThere = async (id: string) =>
  (await database.pool.query("select from tenantry.clients where id = $1", [id])).rowCount === 1;

test("deletes users, mails and other records of a client; ledger, usage, plans and invoices remain readable", async () => {
  const { db, pool } = database;
  const client = await insertBilledClient(db, {
    slug: "books",
    name: "Books Ltd",
    partner_id: partner,
    managed_by: "dashboard",
  });
  const user = await insertClientUser(db, { client_id: client, email: "ada@books.example" });
  await pool.query(
    "insert into tenantry.mails (kind, recipient, client_id, client_user_id) values ('x', 'ada@books.example', $1, $2)",
    [client, user],
  );
  await storeDay(service, client, { day: "2026-10-30", metric: "ai_spend", quantity: 7n });
  await storeDay(service, client, { day: "2026-11-02", metric: "ai_spend", quantity: 5n });
  const { id: october } = await service.transaction().execute((tx) => draftInvoice(tx, client, "2026-10"));
  await service.transaction().execute((tx) => issueInvoice(tx, october, new Date("2026-11-03T00:00:00Z")));

  expect(await deleteClient(service, await asked(client))).toBe("deleted");
  for (const table of ["clients where id", "client_users where client_id", "mails where client_id"]) {
    expect([table, (await pool.query(`select from tenantry.${table} = $1`, [client])).rowCount]).toEqual([table, 0]);
  }
  const { rows } = await pool.query(
    "select slug, name, closed_at is not null as closed from tenantry.billing_accounts where id = $1",
    [client],
  );
  expect(rows).toEqual([{ slug: "books", name: "Books Ltd", closed: true }]);
  expect(await listUsage(service, client, "2026-10-01", "2026-11-30")).toHaveLength(2);
  expect(await listCreditEntries(service, client)).toHaveLength(2);

  // Usage since the last invoice is on another one.
  const month = new Date().toISOString().slice(0, 8);
  expect(await accountsSince(service, "production", `${month}01`)).toContain(client);
  expect(await accountsSince(service, "production", "2999-01-01")).not.toContain(client);
  const { id: november } = await service.transaction().execute((tx) => draftInvoice(tx, client, "2026-11"));
  await service.transaction().execute((tx) => issueInvoice(tx, november, new Date("2026-12-01T00:00:00Z")));
  await service.transaction().execute((tx) => endInvoice(tx, november, "paid", new Date("2026-12-02T00:00:00Z")));
  expect((await readInvoice(service, november)).totalMicros).toBe(5n);
  expect(
    (await pool.query("select partner_id, client_id from tenantry.events where kind = 'invoice.paid'")).rows,
  ).toEqual([{ partner_id: partner, client_id: null }]);

  // The client's partner can still read it.
  const read = await asRoot(db, "partner_root", partnerRoot, async (tx) => [
    await hasAccount(tx, "production", client),
    (await listInvoices(tx, { clientId: client })).length,
    (await tx.selectFrom("tenantry.events").select("data").where("kind", "=", "client.deleted").execute())[0]?.data,
  ]);
  expect(read).toEqual([true, 2, { client_id: client, slug: "books", name: "Books Ltd" }]);
});

test("deletes every record of a client without billing, whose slug is then available", async () => {
  const values = { slug: "empty", status: "draft", billing_plan: "free", managed_by: "dashboard" };
  const client = await insertClient(database.db, values);
  expect(await deleteClient(service, await asked(client))).toBe("deleted");
  for (const table of ["billing_accounts where id", "client_plans where client_id"]) {
    expect((await database.pool.query(`select from tenantry.${table} = $1`, [client])).rowCount).toBe(0);
  }
  await insertClient(database.db, values);
});

test("audits the deletion as the service's, with the client's partner", async () => {
  const client = await insertClient(database.db, { slug: "audited", partner_id: partner, managed_by: "dashboard" });
  await insertClientUser(database.db, { client_id: client, email: "ada@audited.example" });
  await deleteClient(service, await asked(client));
  const { rows } = await database.pool.query(
    "select entity, actor, actor_kind, partner_id from tenantry.audit_log where action = 'delete' and client_id = $1 order by entity",
    [client],
  );
  const by = { actor: "service", actor_kind: "service", partner_id: partner };
  expect(rows).toEqual([
    { entity: "client_users", ...by },
    { entity: "clients", ...by },
  ]);
});

test("the service deletes clients only by their job; roots and provisioners cannot call the function", async () => {
  const client = await insertClient(database.db, { slug: "kept", managed_by: "dashboard" });
  const denied = { code: "42501" };
  await expect(service.deleteFrom("tenantry.clients").where("id", "=", client).execute()).rejects.toMatchObject(denied);
  const job = await asked(client);
  const asPartner = asRoot(database.db, "partner_root", partnerRoot, (tx) => deleteClient(tx, job));
  await expect(asPartner).rejects.toMatchObject(denied);
  const { rows } = await database.pool.query(
    "insert into tenantry.jobs (kind, client_id, slug, requested_by) values ('invalidate', $1, 'kept', 'x') returning id",
    [client],
  );
  expect(await deleteClient(service, rows[0].id)).toBe("gone");
  expect(await isThere(client)).toBe(true);
});

test("does not delete a client that has an instance, belongs to Git, or is not due", async () => {
  const { db, pool } = database;
  const busy = await insertClient(db, { slug: "busy", managed_by: "dashboard" });
  await insertInstance(db, busy);
  expect(await deleteClient(service, await asked(busy))).toBe("has_instance");
  const git = await insertClient(db, { slug: "git", managed_by: "git" });
  expect(await deleteClient(service, await asked(git))).toBe("managed_by_git");
  const early = await insertClient(db, { slug: "early", managed_by: "dashboard" });
  const job = await asked(early);
  await pool.query("update tenantry.clients set delete_after = now() + interval '1 day' where id = $1", [early]);
  expect(await deleteClient(service, job)).toBe("had_back");
  for (const id of [busy, git, early]) expect(await isThere(id)).toBe(true);
});

test("requests a deletion once while its job is open, also concurrently, and again a day after a failure", async () => {
  const { pool } = database;
  const client = await insertClient(database.db, { slug: "once", managed_by: "dashboard", delete_after: new Date() });
  const answers = await Promise.all([1, 2, 3].map(() => requestDeletions(service)));
  expect(answers.flat().filter((slug) => slug === "once")).toHaveLength(1);
  expect(await requestDeletions(service)).not.toContain("once");
  const fail = (at: string) =>
    pool.query(
      `update tenantry.jobs set status = 'failed', started_at = created_at, ended_at = now() - interval '${at}' where client_id = $1`,
      [client],
    );
  await fail("23 hours");
  expect(await requestDeletions(service)).not.toContain("once");
  await fail("25 hours");
  expect(await requestDeletions(service)).toEqual(["once"]);
});

/** Resolves when a session waits for another one's lock. */
async function waiting(): Promise<void> {
  const blocked = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(async () => (await database.pool.query(blocked)).rowCount).toBe(1);
}

/** A session outside of the tests' pools. */
async function session(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("begin");
  return client;
}

test("a restore that is first wins: the waiting deletion does nothing, and its job is cancelled", async () => {
  const client = await insertClient(database.db, { slug: "raced", managed_by: "dashboard" });
  await insertClientUser(database.db, { client_id: client, email: "ada@raced.example" });
  const job = await asked(client);
  const root = await session();
  await root.query("update tenantry.clients set delete_after = null where id = $1", [client]);
  const deletion = deleteClient(service, job);
  await waiting();
  await root.query("commit");
  await root.end();
  expect(await deletion).toBe("had_back");
  const { rows } = await database.pool.query("select status, cause from tenantry.jobs where id = $1", [job]);
  expect(rows).toEqual([{ status: "cancelled", cause: "The client was restored." }]);
  expect((await database.pool.query("select from tenantry.client_users where client_id = $1", [client])).rowCount).toBe(
    1,
  );
});

test("a deletion that is first wins: the waiting restore finds no client", async () => {
  const client = await insertClient(database.db, { slug: "lost", managed_by: "dashboard" });
  const job = await asked(client);
  const deletion = await session();
  await deletion.query("select tenantry.delete_client($1)", [job]);
  const of = { clientId: client, slug: "lost", environment: "production" };
  const back = database.db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom("tenantry.clients").select("id").where("id", "=", client).forUpdate().execute();
    await cancelDeletion(tx, of, { requestedBy: "root@tenantry.example", takesBackRemoval: true });
    return found.length;
  });
  await waiting();
  await deletion.query("commit");
  await deletion.end();
  expect(await back).toBe(0);
  expect(await isThere(client)).toBe(false);
});

test("a restore withdraws a deletion that was requested because of credit", async () => {
  const client = await insertBilledClient(database.db, { slug: "credit", managed_by: "dashboard" });
  await sql`insert into tenantry.credit_pools (client_id, prepaid, delete_when_exhausted, state, state_deadline, deletion_requested_at)
    values (${client}, true, true, 'deletion_due', now() - interval '1 day', now())`.execute(database.db);
  const job = await asked(client);
  const of = { clientId: client, slug: "credit", environment: "production" };
  await database.db
    .transaction()
    .execute((tx) => cancelDeletion(tx, of, { requestedBy: "root@tenantry.example", takesBackRemoval: true }));
  const { rows } = await database.pool.query(
    `select p.deletion_requested_at, p.delete_when_exhausted, j.status
     from tenantry.credit_pools p, tenantry.jobs j where p.client_id = $1 and j.id = $2`,
    [client, job],
  );
  expect(rows).toEqual([{ deletion_requested_at: null, delete_when_exhausted: false, status: "cancelled" }]);
});
