import { runOnce } from "graphile-worker";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { requestJob } from "./job-request.ts";
import { listOpenJobs } from "./jobs.ts";
import { requestWork } from "./queue-state.ts";

const SCHEMA = "graphile_worker";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

test("runs users' jobs before those of a rollout, also after the queue has lost both", async () => {
  const { db, pool } = database;
  const ask = async (slug: string, payload?: object) => {
    const clientId = await insertClient(db, { slug });
    const instanceId = await insertInstance(db, clientId);
    return requestJob(db, {
      kind: "adopt_version",
      slug,
      clientId,
      instanceId,
      requestedBy: "x",
      ...(payload && { payload }),
    });
  };
  const turn = await ask("turn", { rollout: crypto.randomUUID() });
  const wanted = await ask("wanted");
  const order = async () => {
    const begun: unknown[] = [];
    const operation = async (payload: unknown) => void begun.push((payload as { id: string }).id);
    await runOnce({ pgPool: pool, schema: SCHEMA, taskList: { operation }, concurrency: 1 });
    // The last one is removed from the queue a little later.
    const left = async () => (await pool.query("select from graphile_worker._private_jobs")).rowCount;
    await expect.poll(left).toBe(0);
    return begun;
  };
  expect(await order()).toEqual([wanted, turn]);
  await pool.query("update tenantry.jobs set created_at = created_at - interval '2 minutes'");
  for (const { id, slug, task, priority } of await listOpenJobs(db, ["adopt_version"])) {
    const work = { task, payload: { id }, key: `job:${id}`, queue: `tenant:${slug}`, priority };
    expect(await requestWork(db, SCHEMA, work)).toBe(true);
  }
  expect(await order()).toEqual([wanted, turn]);
});
