import type { Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openAs } from "#database/testing/as-caller.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { DB } from "#database/types.ts";
import { notificationText } from "#domain/notifications/texts.ts";
import type { HealthSnapshot, ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { type PollOptions, pollHealth } from "./poll.ts";

let database: TestDatabase;
let service: Kysely<DB>;
beforeAll(async () => {
  database = await startTestDatabase();
  service = openAs(database, "service");
});
afterAll(async () => {
  await service?.destroy();
  await database?.stop();
});
beforeEach(async () => {
  await database.pool.query("delete from tenantry.instances");
  started.length = 0;
});

const made = async (slug: string, values: Parameters<typeof insertInstance>[2] = {}) =>
  insertInstance(database.db, await insertClient(database.db, { slug }), values);
const probe = (ok: boolean): ProbeResult => ({
  ok,
  status: ok ? "success" : "failure",
  latencyMs: 5,
  ...(!ok && { error: "No answer." }),
});
const snapshot = (startup: boolean, readiness: boolean, liveness: boolean): HealthSnapshot => ({
  ts: new Date().toISOString(),
  startup: probe(startup),
  readiness: probe(readiness),
  liveness: probe(liveness),
  restoreStatus: { hadBackup: true, restored: true },
  status: readiness ? "running" : liveness ? "starting" : "stopped",
});
const [READY, RESTARTING, DEAD] = [
  snapshot(true, true, true),
  snapshot(true, false, true),
  snapshot(true, false, false),
];

/** Slugs of started instances. */
const started: string[] = [];

/** Polls instances that all return `health`, or what it returns for the slug. */
const poll = (health: unknown, more: Partial<PollOptions> & { sandbox?: SandboxStatus["sandbox"] } = {}) =>
  pollHealth(service, {
    environment: "production",
    dispatch: {
      health: async (slug, signal) => (typeof health === "function" ? health(slug, signal) : health),
      start: async (slug, signal) => {
        started.push(slug);
        return typeof health === "function" ? health(slug, signal) : health;
      },
      status: async () => ({ ts: new Date().toISOString(), sandbox: more.sandbox ?? "awake", warnings: [] }),
    },
    jitterMs: 0,
    concurrency: 8,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  });
const statusOf = async (id: string) =>
  (await database.pool.query("select status, generation::int from tenantry.instances where id = $1", [id])).rows[0];
const incidents = async (id: string) =>
  (
    await database.pool.query(
      "select kind, closed_at is null as open, cause, remedy from tenantry.incidents where instance_id = $1 order by opened_at",
      [id],
    )
  ).rows;
/** Returns the texts of an instance's notifications. */
async function notified(id: string) {
  const { rows } = await database.pool.query(
    `select n.kind, n.data from tenantry.notifications n join tenantry.instances i using (client_id)
     where i.id = $1 order by n.subject`,
    [id],
  );
  return rows.map(({ kind, data }) => notificationText(kind, data, "Acme"));
}
/** Moves earlier probes back in time. */
const pass = (minutes: number) =>
  database.pool.query(
    "update tenantry.instance_health_snapshots set inserted_at = inserted_at - make_interval(mins => $1)",
    [minutes],
  );

test("an instance becomes running once it is ready, unless its generation changed during the probe", async () => {
  const id = await made("comes-up", { status: "provisioning" });
  expect(await poll(RESTARTING)).toEqual({ probed: 1, unreachable: 0, cameUp: 0 });
  expect((await statusOf(id)).status).toBe("provisioning");
  expect(await poll(READY)).toEqual({ probed: 1, unreachable: 0, cameUp: 1 });
  expect(await statusOf(id)).toEqual({ status: "running", generation: 1 });
  const late = await made("late", { status: "provisioning" });
  const overtaken = await poll(async (slug: string) => {
    // It fails and is provisioned again during the probe.
    if (slug === "late") {
      await database.pool.query("update tenantry.instances set status = 'error' where id = $1", [late]);
      await database.pool.query("update tenantry.instances set status = 'provisioning' where id = $1", [late]);
    }
    return READY;
  });
  expect(overtaken.cameUp).toBe(0);
  expect(await statusOf(late)).toEqual({ status: "provisioning", generation: 3 });
});

test("starts only instances that are being provisioned", async () => {
  const ids = [
    await made("begins", { status: "provisioning" }),
    await made("goes-on"),
    await made("failed", { status: "error" }),
  ];
  await poll(RESTARTING);
  await poll(READY);
  await poll(READY);
  expect(started).toEqual(["begins", "begins"]);
  // An instance of Git recovers from an error by itself; an instance of the dashboard by a job.
  const ofDashboard = await made("of-jobs", { status: "error", managed_by: "dashboard" });
  expect(await poll(READY)).toMatchObject({ probed: 3 });
  expect((await Promise.all([...ids, ofDashboard].map(statusOf))).map(({ status }) => status)).toEqual([
    "running",
    "running",
    "running",
    "error",
  ]);
});

test("opens one incident after five minutes without life and closes it on recovery; a restart changes no status", async () => {
  const id = await made("dies");
  await poll(RESTARTING);
  expect(await statusOf(id)).toEqual({ status: "running", generation: 1 });
  for (let minute = 0; minute < 5; minute += 1) {
    await poll(DEAD);
    expect(await incidents(id)).toEqual([]);
    await pass(1);
  }
  await poll(DEAD);
  await poll(DEAD);
  expect(await incidents(id)).toEqual([
    {
      kind: "gateway_dead",
      open: true,
      cause: expect.stringContaining("No answer."),
      remedy: expect.stringContaining("restart"),
    },
  ]);
  expect(await statusOf(id)).toEqual({ status: "running", generation: 1 });
  await poll(READY);
  expect((await incidents(id)).map(({ open }) => open)).toEqual([false]);
  const { rows } = await database.pool.query(
    "select kind from tenantry.events where data ->> 'instance_id' = $1 order by id",
    [id],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["incident.opened", "incident.closed"]);
  await poll(DEAD);
  expect(await incidents(id)).toHaveLength(1);
});

test("treats unreachable instances as dead, sleeping ones as alive, and does not poll frozen ones", async () => {
  const id = await made("away");
  const fails = () => Promise.reject(new Error("ECONNREFUSED"));
  expect(await poll(fails)).toEqual({ probed: 1, unreachable: 1, cameUp: 0 });
  for (let minute = 0; minute < 5; minute += 1) {
    await pass(1);
    await poll(DEAD, { sandbox: "asleep" });
  }
  // Probes before its sleep do not count.
  await poll(fails);
  expect(await incidents(id)).toEqual([]);
  for (let minute = 0; minute < 5; minute += 1) {
    await pass(1);
    await poll(fails);
  }
  expect((await incidents(id)).map(({ open }) => open)).toEqual([true]);
  await database.pool.query("update tenantry.instances set status = 'frozen' where id = $1", [id]);
  expect(await poll(fails)).toEqual({ probed: 0, unreachable: 0, cameUp: 0 });
  expect((await incidents(id)).map(({ open }) => open)).toEqual([false]);
});

test("opens an incident while the inbox is full, also of a sleeping instance, and closes it when there is room", async () => {
  const id = await made("full-inbox");
  const open = async () => (await incidents(id)).filter((one) => one.open);
  await poll({ ...READY, inboxFull: true });
  await poll({ ...READY, inboxFull: true });
  expect(await open()).toEqual([
    {
      kind: "inbox_full",
      open: true,
      cause: expect.stringContaining("refused with 503"),
      remedy: expect.stringContaining("replay or drop"),
    },
  ]);
  // Unknown, and still full while it sleeps.
  await poll(() => Promise.reject(new Error("ECONNREFUSED")));
  await poll({ ...DEAD, inboxFull: true }, { sandbox: "asleep" });
  expect(await open()).toHaveLength(1);
  await poll(DEAD, { sandbox: "asleep" });
  expect(await incidents(id)).toMatchObject([{ kind: "inbox_full", open: false }]);
  await poll({ ...READY, inboxFull: true });
  await database.pool.query("update tenantry.instances set status = 'frozen' where id = $1", [id]);
  await poll(READY);
  expect(await open()).toEqual([]);
});

test("opens an incident while backups fail, once, and closes it after one that succeeds", async () => {
  const id = await made("failing-backup");
  for (let time = 0; time < 2; time += 1) await poll({ ...READY, backupFailed: true });
  // Unknown.
  await poll(() => Promise.reject(new Error("ECONNREFUSED")));
  expect(await incidents(id)).toMatchObject([{ kind: "backup_failing", open: true }]);
  await poll(READY);
  expect(await incidents(id)).toMatchObject([{ kind: "backup_failing", open: false }]);
  const { rows } = await database.pool.query(
    `select data ->> 'what' as what from tenantry.notifications n join tenantry.instances i using (client_id)
     where i.id = $1 and n.kind = 'backup_failed' order by n.subject`,
    [id],
  );
  expect(rows.map(({ what }) => what)).toEqual(["began", "ended"]);
});

test("notes an unexpected restore once, also of a sleeping instance and by several services", async () => {
  const id = await made("restored");
  const at = (minute: number) => `2026-11-01T10:0${minute}:00.000Z`;
  const lost = {
    at: at(5),
    backup: { id: "b1", createdAt: at(0), bytes: 2_500_000 },
    endedAt: at(4),
  };
  const damaged = { at: at(8), damaged: at(6) };
  const first = { ...READY, unexpectedRestores: [lost] };
  await Promise.all([poll(first), poll(first)]);
  await poll({ ...DEAD, unexpectedRestores: [lost, damaged] }, { sandbox: "asleep" });
  await poll(READY);
  expect(await notified(id)).toMatchInlineSnapshot(`
    [
      {
        "details": [
          "Its gateway ended unexpectedly and its disk was lost; this was found on Sunday, 1 November 2026 at 10:04 (UTC).",
          "The backup of Sunday, 1 November 2026 at 10:00 (UTC) was restored (2.5 MB).",
          "Changes between Sunday, 1 November 2026 at 10:00 (UTC) and Sunday, 1 November 2026 at 10:04 (UTC) may be lost.",
          "Check in the console what is missing. For help, ask your operator.",
        ],
        "subject": "A backup of Acme was restored without an order",
      },
      {
        "details": [
          "The backup of Sunday, 1 November 2026 at 10:06 (UTC) is damaged.",
          "No backup could be restored.",
          "Changes before Sunday, 1 November 2026 at 10:06 (UTC) may be lost.",
          "Check in the console what is missing. Ask your operator about the damaged backup, which is kept.",
        ],
        "subject": "Acme started without its state",
      },
    ]
  `);
});

test("notes a new device once for each request or pairing, also of a sleeping instance and by several services", async () => {
  const id = await made("paired");
  const asks = { id: "d1", at: "2026-11-01T10:05:00.000Z", waits: true, name: "Build\r\nmachine", platform: "linux" };
  const nameless = { id: "a1b2c3d4e5f60718", at: "2026-11-01T10:08:00.000Z", waits: false };
  const again = { ...asks, at: "2026-11-02T10:05:00.000Z" };
  const first = { ...READY, newDevices: [asks] };
  await Promise.all([poll(first), poll(first)]);
  await poll({ ...DEAD, newDevices: [asks, nameless, again] }, { sandbox: "asleep" });
  await poll(READY);
  expect(await notified(id)).toMatchInlineSnapshot(`
    [
      {
        "details": [
          "The device "a1b2c3d4e5f6" was paired in OpenClaw on Sunday, 1 November 2026 at 10:08 (UTC). It does not wait for approval.",
          "If you did not expect this, remove it in the console, on the page People.",
        ],
        "subject": "A new device is paired with Acme",
      },
      {
        "details": [
          "The device "Build machine" (linux) asked on Sunday, 1 November 2026 at 10:05 (UTC) to be paired in OpenClaw. It has no access yet.",
          "Approve or reject it in the console, on the page People. Approve only what you or your colleagues started.",
        ],
        "subject": "A new device waits for approval at Acme",
      },
      {
        "details": [
          "The device "Build machine" (linux) asked on Monday, 2 November 2026 at 10:05 (UTC) to be paired in OpenClaw. It has no access yet.",
          "Approve or reject it in the console, on the page People. Approve only what you or your colleagues started.",
        ],
        "subject": "A new device waits for approval at Acme",
      },
    ]
  `);
});

test("limits concurrency and time, reads several pages, and continues when an instance hangs or fails", async () => {
  await database.pool.query(`
    insert into tenantry.clients (slug, name, billing_plan) select 'many-' || n, '', 'free' from generate_series(1, 620) n;
    insert into tenantry.instances (client_id, environment, status, worker_name)
    select id, environment, 'running', 'tenant-' || slug from tenantry.clients where slug like 'many-%'`);
  let under = 0;
  let most = 0;
  const round = await poll(
    async (slug: string, signal: AbortSignal) => {
      under += 1;
      most = Math.max(most, under);
      try {
        await new Promise((resolve) => setImmediate(resolve));
        if (slug === "many-7")
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        if (slug === "many-8") throw new Error("The response is invalid.");
        return READY;
      } finally {
        under -= 1;
      }
    },
    { timeoutMs: 500, concurrency: 8, jitterMs: 50 },
  );
  expect(round).toEqual({ probed: 620, unreachable: 2, cameUp: 0 });
  expect(most).toBeLessThanOrEqual(8);
  const { rows } = await database.pool.query(
    "select count(*)::int, count(*) filter (where liveness_ok)::int as alive from tenantry.instance_health_snapshots s join tenantry.instances i on i.id = s.instance_id",
  );
  expect(rows).toEqual([{ count: 620, alive: 618 }]);
});

test("stores results when the round is aborted, and throws when the database is not available", async () => {
  await made("ended-1");
  await made("ended-2");
  const ending = new AbortController();
  const round = await poll(
    async () => {
      queueMicrotask(() => ending.abort());
      return READY;
    },
    { signal: ending.signal, concurrency: 1 },
  );
  expect(round.probed).toBeLessThan(2);
  const gone = openAs({ ...database, urlOf: () => "postgres://nobody@127.0.0.1:1/none" }, "service");
  await expect(
    pollHealth(gone, {
      environment: "production",
      dispatch: {
        health: async () => READY,
        start: async () => READY,
        status: async () => Promise.reject(new Error("not asked")),
      },
      jitterMs: 0,
      concurrency: 1,
      timeoutMs: 1_000,
      signal: new AbortController().signal,
    }),
  ).rejects.toThrow();
});
