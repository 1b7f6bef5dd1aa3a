import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "../../database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { requestRun } from "../testing/requested-run.ts";
import { startTestService } from "../testing/test-service.ts";

type Service = Awaited<ReturnType<typeof startTestService>>;

let database: TestDatabase;
let dispatch: DispatchStandIn;
let service: Service;
beforeAll(async () => {
  database = await startTestDatabase();
  dispatch = await startDispatchStandIn();
  service = await startTestService(database, { DISPATCH_URL: dispatch.url });
});
afterAll(async () => {
  await service.stop();
  await dispatch.stop();
  await database.stop();
});

/** Has the deadlines looked at, as the clock does. */
const look = () => requestRun(database, "deadlines");

const newsOf = async (clientId: string) => {
  const rows = await database.db
    .selectFrom("tenantry.events")
    .select("kind")
    .where("client_id", "=", clientId)
    .execute();
  return rows.map(({ kind }) => kind);
};

test("an instance that is still provisioned after its deadline is in error, with cause and remedy; others are left alone", async () => {
  const { db, pool } = database;
  const states: [string, string][] = [];
  for (const slug of ["late", "busy"]) {
    const clientId = await insertClient(db, { slug });
    states.push([clientId, await insertInstance(db, clientId, { status: "provisioning" })]);
  }
  const [[lateClient = "", late = ""] = [], [, busy = ""] = []] = states;
  await pool.query(
    "update tenantry.instances set generation = 7, state_deadline = now() - interval '1 second' where id = $1",
    [late],
  );
  await look();
  const rows = await db.selectFrom("tenantry.instances").selectAll().where("id", "in", [late, busy]).execute();
  expect(rows.find(({ id }) => id === late)).toMatchObject({
    status: "error",
    generation: "7",
    state_deadline: null,
    state_cause: expect.stringMatching(/deadline\. .*pulumi up/),
  });
  expect(rows.find(({ id }) => id === busy)).toMatchObject({ status: "provisioning", state_cause: null });
  expect(await newsOf(lateClient)).toEqual(["instance.failed"]);
  await look();
  expect(await newsOf(lateClient)).toEqual(["instance.failed"]);
});

test("jobs past their deadline have failed; open ones that nothing stands for are asked for again", async () => {
  const { db, pool } = database;
  const clientId = await insertClient(db, { slug: "jobs" });
  const ask = async (kind: string, more: object = {}) => {
    const values = { kind, slug: "jobs", client_id: clientId, requested_by: "root@tenantry.example", ...more };
    return (await db.insertInto("tenantry.jobs").values(values).returning("id").executeTakeFirstOrThrow()).id;
  };
  const past = new Date(Date.now() - 1000);
  // A later release may have been deployed, whose service is not there yet.
  await pool.query("alter table tenantry.jobs drop constraint jobs_kind_check");
  const unknown = await ask("of_a_later_release", { deadline: past });
  const known = await ask("invalidate", { deadline: past });
  await look();
  const jobs = await db
    .selectFrom("tenantry.jobs")
    .select(["id", "status", "cause"])
    .where("client_id", "=", clientId)
    .execute();
  expect(jobs.find(({ id }) => id === unknown)).toMatchObject({
    status: "failed",
    cause: expect.stringContaining("no jobs of the kind 'of_a_later_release'"),
  });
  expect(jobs.find(({ id }) => id === known)).toMatchObject({
    status: "failed",
    cause: expect.stringContaining("by its deadline"),
  });

  // As after a process that was killed at its last try: nothing is left in the queue.
  const client = await pool.connect();
  await client.query("begin");
  const { rows } = await client.query(
    "insert into tenantry.jobs (kind, slug, client_id, requested_by, created_at) values ('invalidate', 'jobs', $1, 'x', now() - interval '5 minutes') returning id",
    [clientId],
  );
  await client.query("delete from graphile_worker._private_jobs where key = 'job:' || $1", [rows[0].id]);
  await client.query("commit");
  client.release();
  await look();
  await service.lines.find(({ event, job }) => event === "job_succeeded" && job === rows[0].id);
});

test("old news and idempotency keys go, mails that nobody tries any more have failed, and younger ones stay", async () => {
  const { db, pool } = database;
  const clientId = await insertClient(db, { slug: "old" });
  await pool.query(
    "insert into tenantry.events (client_id, kind, at) select $1, 'client.aged', now() - days * interval '1 day' from unnest(array[29, 31]) as days",
    [clientId],
  );
  await pool.query("insert into tenantry.dashboard_users (email, role) values ('root@tenantry.example', 'ROOT')");
  await pool.query(
    "insert into tenantry.idempotency_keys (caller, key, request_hash, created_at) select id, hours::text, 'x', now() - hours * interval '1 hour' from tenantry.dashboard_users, unnest(array[23, 25]) as hours",
  );
  const client = await pool.connect();
  await client.query("begin");
  await client.query(
    "insert into tenantry.mails (kind, recipient, client_id, created_at) values ('invitation', 'a@b.example', $1, now() - interval '25 hours')",
    [clientId],
  );
  await client.query("delete from graphile_worker._private_jobs where key like 'mail:%'");
  await client.query(
    `select graphile_worker.add_job('mail', job_key => 'given-up:' || days) from unnest(array[6, 8]) as days`,
  );
  await client.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - substring(key from '\\d+')::integer * interval '1 day'
     where key like 'given-up:%'`,
  );
  await client.query("commit");
  client.release();
  await look();
  expect((await pool.query("select key from tenantry.idempotency_keys")).rows).toEqual([{ key: "23" }]);
  expect(await newsOf(clientId)).toEqual(["client.aged", "mail.failed"]);
  expect((await pool.query("select status from tenantry.mails")).rows).toEqual([{ status: "failed" }]);
  const { rows } = await pool.query("select key from graphile_worker._private_jobs where key like 'given-up:%'");
  expect(rows).toEqual([{ key: "given-up:6" }]);
});
