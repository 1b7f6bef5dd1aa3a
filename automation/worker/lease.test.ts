import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { queueSchema } from "#database/work/queue-schema.ts";
import { findPoolsWithoutLease, requestWork } from "#database/work/queue-state.ts";
import { startDatabaseProxy } from "../testing/database-proxy.ts";
import { Lease } from "./lease.ts";
import { startRecovery } from "./recovery.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const isHeld = async (poolId: string) => (await findPoolsWithoutLease(database.db, [poolId])).length === 0;

test("returns a job whose lock was never received, and keeps one that runs", async () => {
  const { db, pool } = database;
  const schema = queueSchema("production");
  for (const key of ["lost", "runs"]) await requestWork(db, schema, { task: "poll", payload: {}, key, queue: key });
  // As the queue gives a job to a worker whose connection is lost before the answer.
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'mine', locked_at = now(), attempts = 1`);
  await pool.query(`update graphile_worker._private_job_queues set locked_by = 'mine', locked_at = now()`);
  const jobs = async () =>
    (
      await pool.query<{ id: string; key: string; attempts: number; locked: boolean; held: boolean }>(
        `select j.id, j.key, j.attempts, j.locked_at is not null as locked, q.locked_at is not null as held
         from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by key`,
      )
    ).rows;
  const running = new Set((await jobs()).filter(({ key }) => key === "runs").map(({ id }) => id));
  const stop = startRecovery({ db, schema, pool: "mine", running, intervalMs: 20, log: () => undefined });
  onTestFinished(stop);
  await expect.poll(async () => (await jobs()).map(({ locked }) => locked)).toEqual([false, true]);
  expect((await jobs()).map(({ attempts, held }) => [attempts, held])).toEqual([
    [0, false],
    [1, true],
  ]);
});

test("aborts work when the server is silent, until the lease is confirmed again", async () => {
  const proxy = await startDatabaseProxy(database.urlOf("service"));
  onTestFinished(() => proxy.stop());
  const lease = new Lease(proxy.url, "silent", () => undefined);
  onTestFinished(() => lease.release());
  await expect.poll(() => isHeld("silent")).toBe(true);
  const { held } = lease;
  proxy.fallSilent();
  if (!held.aborted) await once(held, "abort");
  proxy.goOn();
  await expect.poll(() => lease.held.aborted, { timeout: 60_000 }).toBe(false);
  expect(lease.held).not.toBe(held);
  expect(await isHeld("silent")).toBe(true);
});

test.runIf(process.platform === "linux")("the server probes the connection within seconds", async () => {
  const lease = new Lease(database.urlOf("service"), "watched", () => undefined);
  onTestFinished(() => lease.release());
  await expect.poll(() => isHeld("watched")).toBe(true);
  const { rows } = await database.pool.query<{ near: number; far: number }>(
    `select inet_server_port() as near, client_port as far from pg_stat_activity
     where pid in (select pid from pg_locks where locktype = 'advisory' and granted)`,
  );
  const [session] = rows;
  if (session === undefined) throw new Error("no session holds the lease");
  // The server's end has one timer between queries: for keep-alive probes.
  await expect.poll(() => keepAliveOf(session)).toBeLessThanOrEqual(5);
});

/** Returns the seconds until the connection's end at port `near` probes the one at port `far`. */
function keepAliveOf({ near, far }: { near: number; far: number }): number {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)) {
    const [, local = "", remote = "", , , timer = ""] = line.trim().split(/\s+/);
    if (!local.endsWith(`:${hex(near)}`) || !remote.endsWith(`:${hex(far)}`)) continue;
    const [kind, ticks = ""] = timer.split(":");
    // 02 is the keep-alive timer; ticks are hundredths of a second.
    return kind === "02" ? Number.parseInt(ticks, 16) / 100 : Number.POSITIVE_INFINITY;
  }
  throw new Error("there is no such connection");
}
