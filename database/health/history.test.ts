/** History of health by day: partitions created ahead, stored for a while, dropped as a whole. */
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAs } from "../testing/as-caller.ts";
import { insertClient, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { dropOldHealth, type HealthRecord, healthPeriods, latestHealth, recordHealth } from "./history.ts";

let database: TestDatabase;
let service: Kysely<DB>;
let instance: string;
beforeAll(async () => {
  database = await startTestDatabase();
  service = openAs(database, "service");
  instance = await insertInstance(database.db, await insertClient(database.db));
});
afterAll(async () => {
  await service.destroy();
  await database.stop();
});

const DAY_MS = 86_400_000;
const record = (at: Date, more: Partial<HealthRecord> = {}) => ({
  instanceId: instance,
  startupOk: true,
  readinessOk: true,
  livenessOk: true,
  hadBackup: true,
  restored: true,
  latencyMs: 10,
  at,
  ...more,
});

async function days(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'tenantry.instance_health_snapshots'::regclass order by 1",
  );
  return rows.map(({ name }) => name.slice(-8));
}
const dayOf = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");

test("partitions are created once, also by concurrent services, and only by the service", async () => {
  // The database may have been created yesterday.
  for (const day of await days()) await database.pool.query(`drop table tenantry.instance_health_snapshots_${day}`);
  await sql`select tenantry.prepare_health_partitions(7)`.execute(service);
  // Yesterday is included, because a probe that started before midnight is stored after it.
  await database.pool.query(`drop table tenantry.instance_health_snapshots_${dayOf(-1)}`);
  await database.pool.query(`drop table tenantry.instance_health_snapshots_${dayOf(3)}`);
  const prepare = () => sql<{ made: number }>`select tenantry.prepare_health_partitions(5) as made`.execute(service);
  const made = (await Promise.all([prepare(), prepare()])).map(({ rows }) => rows[0]?.made);
  expect(made.toSorted()).toEqual([0, 2]);
  expect(await days()).toEqual([-1, 0, 1, 2, 3, 4, 5, 6].map(dayOf));
  for (const refused of ["0", "-1", "61", "null"]) {
    await expect(sql`select tenantry.prepare_health_partitions(${sql.raw(refused)})`.execute(service)).rejects.toThrow(
      "1 to 60 days",
    );
  }
  const provisioner = new pg.Client(database.urlOf("provisioner"));
  await provisioner.connect();
  for (const statement of [
    "prepare_health_partitions(1)",
    "drop_old_health_partitions()",
    "make_health_partition(now()::date)",
  ]) {
    await expect(provisioner.query(`select tenantry.${statement}`)).rejects.toThrow("permission denied for function");
  }
  await provisioner.end();
});

test("a service that waits for another one's partitions uses them", async () => {
  const dropped = () => database.pool.query(`drop table tenantry.instance_health_snapshots_${dayOf(2)}`);
  const prepare = "select tenantry.prepare_health_partitions(5) as made";
  const [first, second] = [new pg.Client(database.urlOf("service")), new pg.Client(database.urlOf("service"))];
  await Promise.all([first.connect(), second.connect()]);
  try {
    // A session caches its lookups.
    for (const client of [first, second]) {
      await dropped();
      expect((await client.query(prepare)).rows).toEqual([{ made: 1 }]);
    }
    await dropped();
    await first.query("begin");
    expect((await first.query(prepare)).rows).toEqual([{ made: 1 }]);
    const waiting = second.query(prepare);
    const isWaiting = () =>
      database.pool
        .query("select from pg_locks where locktype = 'advisory' and not granted")
        .then(({ rowCount }) => rowCount);
    await expect.poll(isWaiting, { timeout: 30_000 }).toBe(1);
    await first.query("commit");
    expect((await waiting).rows).toEqual([{ made: 0 }]);
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
});

test("stores probes in batches, reads them by five minutes, and restricts them by their instance's visibility", async () => {
  const now = new Date();
  const earlier = new Date(now.getTime() - 3_600_000);
  const gone = crypto.randomUUID();
  await recordHealth(service, [
    record(earlier, { latencyMs: 40, startupOk: false }),
    record(earlier, { latencyMs: 20.4, readinessOk: false }),
    record(now, { latencyMs: 7 }),
    record(now, { instanceId: gone }),
  ]);
  const periods = await healthPeriods(service, instance);
  expect(
    periods.map(({ samples, started, ready, alive, meanLatencyMs, maxLatencyMs }) => [
      samples,
      started,
      ready,
      alive,
      meanLatencyMs,
      maxLatencyMs,
    ]),
  ).toEqual([
    [2, 1, 1, 2, 30, 40],
    [1, 1, 1, 1, 7, 7],
  ]);
  expect(periods[0]?.at.getTime()).toBe(Math.floor(earlier.getTime() / 300_000) * 300_000);
  expect(await latestHealth(service, instance)).toMatchObject({ latencyMs: 7, at: now });
  expect(await latestHealth(service, gone)).toBeUndefined();
  await expect(
    sql`select from ${sql.raw(`tenantry.instance_health_snapshots_${dayOf(0)}`)}`.execute(service),
  ).rejects.toThrow("permission denied");
});

test("drops only days older than the retention", async () => {
  for (const offset of [-32, -31, -30, -29, -1]) {
    await database.pool.query("select tenantry.make_health_partition($1)", [
      new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10),
    ]);
  }
  // The day 31 days ago ended more than 30 days ago; that 30 days ago did not.
  expect(await dropOldHealth(service, 30)).toBe(2);
  expect((await days()).slice(0, 3)).toEqual([-30, -29, -1].map(dayOf));
  await expect(dropOldHealth(service, 0)).rejects.toThrow("at least one day");
  const { rows } = await sql<{ dropped: number }>`select tenantry.drop_old_health_partitions() as dropped`.execute(
    service,
  );
  expect(rows[0]?.dropped).toBe(0);
});

test("a service recovers after a downtime that is longer than the prepared days", async () => {
  for (const day of await days()) await database.pool.query(`drop table tenantry.instance_health_snapshots_${day}`);
  await recordHealth(service, [record(new Date())]);
  expect(await healthPeriods(service, instance)).toHaveLength(1);
});
