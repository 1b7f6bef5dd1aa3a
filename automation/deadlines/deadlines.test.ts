import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { type JobRequest, requestJob } from "#database/work/job-request.ts";
import { addJobEvent } from "#database/work/jobs.ts";
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

/** Runs the task as the schedule does. */
const checkDeadlines = () => requestRun(database, "deadlines");

const eventsOf = async (clientId: string) => {
  const rows = await database.db
    .selectFrom("tenantry.events")
    .select("kind")
    .where("client_id", "=", clientId)
    .execute();
  return rows.map(({ kind }) => kind);
};

test("fails an instance that is not provisioned by its deadline, with cause and remedy", async () => {
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
  await checkDeadlines();
  const rows = await db.selectFrom("tenantry.instances").selectAll().where("id", "in", [late, busy]).execute();
  expect(rows.find(({ id }) => id === late)).toMatchObject({
    status: "error",
    generation: "7",
    state_deadline: null,
    state_cause: expect.stringMatching(/deadline\. .*pulumi up/),
  });
  expect(rows.find(({ id }) => id === busy)).toMatchObject({ status: "provisioning", state_cause: null });
  expect(await eventsOf(lateClient)).toEqual(["instance.failed"]);
  await checkDeadlines();
  expect(await eventsOf(lateClient)).toEqual(["instance.failed"]);
});

test("fails jobs past their deadline, and queues open jobs that are missing in the queue", async () => {
  const { db, pool } = database;
  const clientId = await insertClient(db, { slug: "jobs" });
  const ask = async (kind: string, more: object = {}) => {
    const values = { kind, slug: "jobs", client_id: clientId, requested_by: "root@tenantry.example", ...more };
    return (await db.insertInto("tenantry.jobs").values(values).returning("id").executeTakeFirstOrThrow()).id;
  };
  const past = new Date(Date.now() - 1000);
  // The job is from a later release whose service is not deployed yet.
  await pool.query("alter table tenantry.jobs drop constraint jobs_kind_check");
  const unknown = await ask("of_a_later_release", { deadline: past });
  const known = await ask("invalidate", { deadline: past });
  await checkDeadlines();
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
    cause: expect.stringContaining("missed its deadline"),
  });

  // A process that carries it out has some minutes to end it.
  const running = await ask("freeze", { deadline: past, status: "running" });
  await checkDeadlines();
  const statusOf = async () =>
    (await db.selectFrom("tenantry.jobs").select("status").where("id", "=", running).executeTakeFirst())?.status;
  expect(await statusOf()).toBe("running");
  await pool.query("update tenantry.jobs set deadline = now() - interval '6 minutes' where id = $1", [running]);
  await checkDeadlines();
  expect(await statusOf()).toBe("failed");

  // As after a process that was killed at the last attempt: the queue has no job.
  const client = await pool.connect();
  await client.query("begin");
  const { rows } = await client.query(
    "insert into tenantry.jobs (kind, slug, client_id, requested_by, created_at) values ('invalidate', 'jobs', $1, 'x', now() - interval '5 minutes') returning id",
    [clientId],
  );
  await client.query("delete from graphile_worker._private_jobs where key = 'job:' || $1", [rows[0].id]);
  await client.query("commit");
  client.release();
  await checkDeadlines();
  await service.lines.find(({ event, job }) => event === "job_succeeded" && job === rows[0].id);
});

test("records the last attempt's cause of a late job, and reverts slot and plan", async () => {
  const { db, pool } = database;
  const clientId = await insertClient(db, { slug: "moved", managed_by: "dashboard", billing_plan: "pro" });
  const entry = await insertPoolEntry(db, { gateway_id: "moved", max_instances: 1 });
  const instance = await insertInstance(db, clientId, {
    managed_by: "dashboard",
    status: "provisioning",
    held_pool_id: entry,
  });
  const about = { slug: "moved", clientId, instanceId: instance, generation: 1, requestedBy: "root@tenantry.example" };
  const late = async (request: Pick<JobRequest, "kind" | "payload">) => {
    // No engine can carry it out.
    const id = await requestJob(db, { ...about, ...request });
    await addJobEvent(db, id, "retried", "The account was away.");
    await pool.query("update tenantry.jobs set deadline = now() - interval '1 second' where id = $1", [id]);
  };
  await late({ kind: "change_plan", payload: { from: "basic", to: "pro" } });
  await late({ kind: "assign_gateway", payload: { from: "moved", ai_gateway_id: "other" } });
  await late({ kind: "provision" });
  await checkDeadlines();
  const [row] = await db.selectFrom("tenantry.instances").selectAll().where("id", "=", instance).execute();
  expect(row).toMatchObject({ status: "error", held_pool_id: null });
  expect(row?.state_cause).toMatch(/missed its deadline.*The account was away\..*create the instance again/);
  const client = db.selectFrom("tenantry.clients").select("billing_plan").where("id", "=", clientId);
  expect(await client.executeTakeFirst()).toEqual({ billing_plan: "basic" });
});

test("deletes old jobs, mails and incidents, and keeps referenced ones", async () => {
  const { db, pool } = database;
  const clientId = await insertClient(db, { slug: "aged" });
  const instance = await insertInstance(db, clientId);
  const user = await insertClientUser(db, { client_id: clientId, email: "ada@aged.example" });
  const jobs = await pool.query<{ id: string }>(
    `insert into tenantry.jobs (kind, slug, client_id, requested_by, status, created_at, ended_at)
     select 'final_backup', 'aged', $1, days::text, 'succeeded', now() - days * interval '1 day', now() - days * interval '1 day'
     from unnest(array[89, 91, 92]) as days returning id`,
    [clientId],
  );
  await pool.query("insert into tenantry.credit_pools (client_id, final_backup_job) values ($1, $2)", [
    clientId,
    jobs.rows[2]?.id,
  ]);
  await pool.query(
    `insert into tenantry.mails (kind, recipient, client_id, client_user_id, status, created_at, ended_at, data)
     select 'invitation', 'ada@aged.example', $1, case when days > 92 then $2::uuid end, 'sent', now() - days * interval '1 day',
       now() - days * interval '1 day', to_jsonb(days)
     from unnest(array[89, 91, 93, 94]) as days`,
    [clientId, user],
  );
  await pool.query(
    `insert into tenantry.incidents (client_id, instance_id, kind, cause, remedy, opened_at, closed_at)
     select $1, $2, 'not_alive', days::text, '', now() - days * interval '1 day', case when days < 500 then now() - days * interval '1 day' end
     from unnest(array[399, 401, 501]) as days`,
    [clientId, instance],
  );
  await checkDeadlines();
  const found = async (text: string) =>
    (await pool.query<{ of: string }>(`${text} where client_id = $1 order by 1`, [clientId])).rows.map(({ of }) => of);
  expect(await found("select requested_by as of from tenantry.jobs")).toEqual(["89", "92"]);
  expect(await found("select data::text as of from tenantry.mails")).toEqual(["89", "93"]);
  expect(await found("select cause as of from tenantry.incidents")).toEqual(["399", "501"]);
});

test("deletes old events and idempotency keys, and fails abandoned mails", async () => {
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
  await checkDeadlines();
  expect((await pool.query("select key from tenantry.idempotency_keys")).rows).toEqual([{ key: "23" }]);
  expect(await eventsOf(clientId)).toEqual(["client.aged", "mail.failed"]);
  const mails = await pool.query("select status from tenantry.mails where client_id = $1", [clientId]);
  expect(mails.rows).toEqual([{ status: "failed" }]);
  const { rows } = await pool.query("select key from graphile_worker._private_jobs where key like 'given-up:%'");
  expect(rows).toEqual([{ key: "given-up:6" }]);
});
