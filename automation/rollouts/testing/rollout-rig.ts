/** Rollouts that the service carries on. Tests end the jobs, because no engine runs. */
import type { Updateable } from "kysely";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { DB } from "#database/types.ts";
import { insertRollout, rolloutCandidates, setRolloutStatus } from "#database/versions/rollouts.ts";
import type { Version } from "#domain/rollouts/version.ts";
import { requestRun } from "../../testing/requested-run.ts";
import { startTestService } from "../../testing/test-service.ts";

/** Job status by outcome. `failed`: it rolled the tenant back. `late`, `overtaken`: it left the tenant with the new version. */
const ENDS = { succeeded: "succeeded", failed: "failed", late: "failed", overtaken: "cancelled" };

/** Registers the hooks of a test file. */
export function rolloutRig() {
  let database: TestDatabase;
  let service: Awaited<ReturnType<typeof startTestService>>;
  /** Images and a Worker. New tenants get the image `before`. */
  const ids = { before: "", image: "", other: "", bundle: "" };
  const findOne = async (statement: string, values: unknown[] = []) =>
    (await database.pool.query(statement, values)).rows[0];
  const run = () => requestRun(database, "rollouts");

  beforeAll(async () => {
    database = await startTestDatabase();
    service = await startTestService(database);
    const add = "insert into tenantry.images (reference, gateway, gateway_version) values ($1, 'gw', $2) returning id";
    ids.before = (await findOne(add, [`r@sha256:${"1".repeat(64)}`, "1.0.0"])).id;
    ids.image = (await findOne(add, [`r@sha256:${"2".repeat(64)}`, "2.0.0"])).id;
    ids.other = (await findOne(add, [`r@sha256:${"3".repeat(64)}`, "3.0.0"])).id;
    const bundle =
      "insert into tenantry.worker_bundles (content_hash, release, content) values ($1, '9', 'x') returning id";
    ids.bundle = (await findOne(bundle, ["b".repeat(64)])).id;
  });
  afterAll(async () => {
    await service.stop();
    await database.stop();
  });
  beforeEach(async () => {
    for (const table of ["rollouts", "incidents", "mails", "events", "instances", "clients"]) {
      await database.pool.query(`delete from tenantry.${table}`);
    }
    await makeDefault(ids.before);
  });

  async function makeDefault(id: string): Promise<void> {
    await database.pool.query("update tenantry.images set is_default = false");
    await database.pool.query("update tenantry.images set is_default = true where id = $1", [id]);
  }

  async function change(slug: string, values: Partial<Updateable<DB["tenantry.instances"]>>): Promise<void> {
    const { numUpdatedRows } = await database.db
      .updateTable("tenantry.instances")
      .set(values)
      .where("worker_name", "=", slug)
      .executeTakeFirst();
    expect(numUpdatedRows, slug).toBe(1n);
  }

  async function tenant(slug: string, client: Record<string, unknown> = {}): Promise<string> {
    const id = await insertClient(database.db, { slug, managed_by: "dashboard", ...client });
    return insertInstance(database.db, id, { managed_by: "dashboard", image_id: ids.before, worker_name: slug });
  }

  async function begin(
    values: { waves?: number[]; noticeHours?: number; isUrgent?: boolean; soakMinutes?: number } = {},
    { isPaused = false, to = { imageId: ids.image, bundleId: null } }: { isPaused?: boolean; to?: Version } = {},
  ) {
    const usual = { waves: [50, 100], soakMinutes: 0, noticeHours: 0, isUrgent: false, requestedBy: "root@x.test" };
    return database.db.transaction().execute(async (tx) => {
      const { reached } = await rolloutCandidates(tx, "production", to);
      const id = await insertRollout(tx, { ...to, ...usual, ...values }, reached);
      if (isPaused) await setRolloutStatus(tx, id, "paused");
      return id;
    });
  }

  /** Ends the open jobs with an outcome for each tenant. */
  async function end(outcomes: Record<string, keyof typeof ENDS>): Promise<void> {
    for (const [slug, how] of Object.entries(outcomes)) {
      // One statement, because the schedule also advances rollouts.
      const { rowCount } = await database.pool.query(
        `with ended as (
           update tenantry.jobs set status = $2, ended_at = now(), cause = case when $2 = 'failed' then 'It broke.' end
           where slug = $1 and kind = 'adopt_version' and ended_at is null returning id, instance_id, payload -> 'to' as wanted),
         adopted as (
           update tenantry.instances i set image_id = (e.wanted ->> 'imageId')::uuid, bundle_id = (e.wanted ->> 'bundleId')::uuid
           from ended e where e.instance_id = i.id and $4)
         insert into tenantry.job_events (job_id, kind, data) select id, 'backed_up', $3 from ended`,
        [slug, ENDS[how], { backup: `backup-of-${slug}` }, how !== "failed"],
      );
      expect(rowCount, `jobs of ${slug}`).toBe(1);
    }
    await run();
  }

  const state = async (id: string) => {
    const { status, wave, cause } = await findOne("select status, wave, cause from tenantry.rollouts where id = $1", [
      id,
    ]);
    return { status, wave, cause };
  };
  const tenants = async (id: string): Promise<Record<string, string>> => {
    const { rows } = await database.pool.query(
      `select c.slug, t.status from tenantry.rollout_tenants t join tenantry.instances i on i.id = t.instance_id
       join tenantry.clients c on c.id = i.client_id where t.rollout_id = $1 order by 1`,
      [id],
    );
    return Object.fromEntries(rows.map(({ slug, status }) => [slug, status]));
  };
  const asked = async (slug: string) => {
    const found = await findOne(
      "select payload from tenantry.jobs where slug = $1 and kind = 'adopt_version' order by created_at desc limit 1",
      [slug],
    );
    return found?.payload;
  };
  const isDefault = async (id: string) =>
    (await findOne("select is_default from tenantry.images where id = $1", [id])).is_default;

  return {
    get database() {
      return database;
    },
    ...{ ids, findOne, run, makeDefault, change, tenant, begin, end, state, tenants, asked, isDefault },
  };
}
