import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAs } from "#database/testing/as-caller.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { jobTask } from "../jobs/job.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import { TaskError } from "../task.ts";
import { checkChannels } from "./checks.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.stop());

test("reports a webhook that the vendor lost, and sends a running tenant again what it did not receive", async () => {
  const service = openAs(database, "service");
  const instance_id = await insertInstance(database.db, await insertClient(database.db, { slug: "hooli" }));
  const insertDoor = async (kind: string) => {
    const key_hash = randomBytes(32);
    const values = {
      instance_id,
      kind,
      name: kind,
      key_hash,
      key_hint: "abcd",
      secrets: Buffer.alloc(40),
      created_by: "x",
    };
    const insert = database.db.insertInto("tenantry.doors").values({ ...values, secret_names: [] });
    return (await insert.returning("id").executeTakeFirstOrThrow()).id;
  };
  const ids = new Map<string, string>();
  for (const kind of ["telegram", "line"]) {
    const common = { environment: "production", credentials: Buffer.alloc(40), created_by: "x", instance_id };
    const insert = database.db.insertInto("tenantry.channels").values({
      ...{ ...common, kind, door_id: await insertDoor(kind), account_id: kind, account_name: `@${kind}_bot` },
    });
    ids.set(kind, (await insert.returning("id").executeTakeFirstOrThrow()).id);
  }
  type Registrations = Readonly<Record<string, "registered" | "elsewhere" | "none" | undefined>>;
  /** Runs the checks of a day. @returns the faults by kind, and the new events */
  const day = async (registrations: Registrations) => {
    await database.pool.query("delete from tenantry.events");
    const check = async (channels: readonly { id: string }[]) =>
      channels.map(({ id }) => {
        const kind = [...ids].find(([, one]) => one === id)?.[0] ?? "";
        const registration = registrations[kind];
        return { id, name: `@${kind}_bot`, ...(registration && { registration }) };
      });
    const { signal } = new AbortController();
    for (let hour = 0; hour < 24; hour += 1) {
      await checkChannels(service, { environment: "production", vendors: { check }, hour, pauseMs: 0, signal });
    }
    const found = await database.pool.query("select kind, fault, last_error from tenantry.channels order by kind");
    const events = await database.pool.query("select kind from tenantry.events order by id");
    return {
      faults: Object.fromEntries(found.rows.map(({ kind, fault }) => [kind, fault])),
      errors: found.rows.flatMap(({ last_error }) => last_error ?? []),
      events: events.rows.map(({ kind }) => kind),
    };
  };
  const none = { telegram: "none", line: "none" } as const;
  const unchanged = { faults: { line: null, telegram: null }, errors: [], events: [] };
  // Nobody has registered them yet.
  expect(await day(none)).toEqual(unchanged);
  await database.pool.query("update tenantry.channels set pushed_at = now() - interval '10 minutes'");
  expect(await day(none)).toEqual(unchanged);
  await database.pool.query("update tenantry.channels set pushed_at = now() - interval '2 hours'");
  await database.pool.query("update tenantry.doors set last_used_at = now() where kind = 'line'");
  const lost = await day({ telegram: "none", line: "elsewhere" });
  expect(lost.faults).toEqual({ line: "webhook_lost", telegram: "webhook_lost" });
  expect(lost.errors).toEqual([
    expect.stringContaining("LINE sends the messages of @line_bot to another system."),
    expect.stringContaining("restart the gateway, which registers the webhook"),
  ]);
  expect(lost.events).toEqual(["channel.webhook_lost", "channel.webhook_lost"]);
  // A dashboard of an earlier version does not say.
  expect(await day({})).toMatchObject({ faults: lost.faults, events: [] });
  expect(await day(none)).toMatchObject({ faults: lost.faults, events: [] });
  const registered = await day({ telegram: "registered", line: "none" });
  expect(registered).toMatchObject({
    faults: { line: "webhook_lost", telegram: null },
    events: ["channel.webhook_registered"],
  });
  await database.pool.query("update tenantry.channels set fault = 'push_failed', last_error = 'x'");
  expect((await day(none)).faults).toEqual({ line: "push_failed", telegram: "push_failed" });
  const jobs = async () =>
    (
      await database.pool.query(
        "select kind, slug, requested_by from tenantry.jobs where kind like 'push%' order by kind",
      )
    ).rows;
  await database.pool.query("delete from tenantry.jobs");
  const insertKey = database.db.insertInto("tenantry.provider_keys").values({
    ...{ instance_id, provider: "openai", credentials: Buffer.alloc(40), key_hint: "hint", created_by: "x" },
  });
  await insertKey.execute();
  const states = (egress: object | null) =>
    database.db
      .updateTable("tenantry.instances")
      .set({ egress: egress && JSON.stringify(egress) })
      .execute();
  await states({ mode: "audit", entries: [] });
  // The push of the change is lost.
  await database.pool.query("delete from tenantry.jobs");
  await day({});
  // A second day, with the jobs still open.
  await day({});
  const by = { slug: "hooli", requested_by: "service" };
  expect(await jobs()).toEqual([
    { kind: "push_channels", ...by },
    { kind: "push_egress", ...by },
    { kind: "push_provider_keys", ...by },
  ]);
  await states(null);
  await database.pool.query("delete from tenantry.jobs");
  await database.pool.query("update tenantry.channels set pushed_at = now(), fault = null, last_error = null");
  await database.pool.query("update tenantry.instances set status = 'frozen' where id = $1", [instance_id]);
  await day({});
  await database.pool.query("update tenantry.instances set status = 'running' where id = $1", [instance_id]);
  await database.pool.query("delete from tenantry.provider_keys");
  await day({});
  expect(await jobs()).toEqual([]);
  for (const table of ["channels", "doors", "events", "jobs"])
    await database.pool.query(`delete from tenantry.${table}`);
  await service.destroy();
});

test("checks each channel in one hour of the day, and stores what changed with one event", async () => {
  const service = openAs(database, "service");
  const acme = await insertInstance(database.db, await insertClient(database.db, { slug: "acme" }));
  const frozen = await insertInstance(database.db, await insertClient(database.db, { slug: "iced" }), {
    status: "frozen",
  });
  const connect = async (kind: string, instance_id = acme) => {
    const values = { environment: "production", credentials: Buffer.alloc(40), account_name: "old", created_by: "x" };
    const insert = database.db.insertInto("tenantry.channels").values({
      ...{ ...values, kind, instance_id, account_id: kind + instance_id },
    });
    return (await insert.returning("id").executeTakeFirstOrThrow()).id;
  };
  const [matrix, discord] = [await connect("matrix"), await connect("discord")];
  await connect("irc");
  await connect("matrix", frozen);
  let names: Record<string, string | null> = { [matrix]: null, [discord]: "new" };
  const asked: string[] = [];
  const check = async (channels: readonly { id: string }[]) => {
    asked.push(...channels.map(({ id }) => id));
    return channels.flatMap(({ id }) => (names[id] === undefined ? [] : [{ id, name: names[id] }]));
  };
  const day = async () => {
    const { signal } = new AbortController();
    const rounds = { accepted: 0, rejected: 0, unknown: 0 };
    for (let hour = 0; hour < 24; hour += 1) {
      const round = await checkChannels(service, {
        environment: "production",
        vendors: { check },
        hour,
        pauseMs: 0,
        signal,
      });
      for (const what of ["accepted", "rejected", "unknown"] as const) rounds[what] += round[what];
    }
    return rounds;
  };
  const rows = async () =>
    (
      await database.pool.query(
        "select account_name as name, fault from tenantry.channels where id in ($1, $2) order by kind",
        [matrix, discord],
      )
    ).rows;
  expect(await day()).toEqual({ accepted: 1, rejected: 1, unknown: 0 });
  expect(asked.toSorted()).toEqual([matrix, discord].toSorted());
  await day();
  const rejected = { name: "old", fault: "token_rejected" };
  expect(await rows()).toEqual([{ name: "new", fault: null }, rejected]);
  names = {};
  expect(await day()).toEqual({ accepted: 0, rejected: 0, unknown: 2 });
  expect((await rows())[1]).toEqual(rejected);
  await database.pool.query(
    "update tenantry.channels set fault = 'push_failed', last_error = 'x' where kind = 'discord'",
  );
  names = { [matrix]: "mx", [discord]: "new" };
  await day();
  expect(await rows()).toEqual([
    { name: "new", fault: "push_failed" },
    { name: "mx", fault: null },
  ]);
  const { rows: events } = await database.pool.query("select kind from tenantry.events order by id");
  expect(events.map(({ kind }) => kind)).toEqual(["channel.token_rejected", "channel.token_accepted"]);
  await service.destroy();
});

test("sends a tenant its channels again after a lost response, and when they are encrypted with another key meanwhile", async () => {
  const service = openAs(database, "service");
  const instance_id = await insertInstance(database.db, await insertClient(database.db, { slug: "initech" }));
  const values = { environment: "production", credentials: Buffer.alloc(40, 1), account_name: "bot", created_by: "x" };
  const insert = database.db.insertInto("tenantry.channels").values({
    ...{ ...values, kind: "matrix", instance_id, account_id: "pushed" },
  });
  const { id } = await insert.returning("id").executeTakeFirstOrThrow();
  const { rows } = await database.pool.query(
    `insert into tenantry.jobs (kind, slug, client_id, instance_id, requested_by, environment)
     select 'push_channels', 'initech', client_id, id, 'x', environment from tenantry.instances where id = $1 returning id`,
    [instance_id],
  );
  const sent: string[] = [];
  let during: () => Promise<unknown> = async () => {
    throw new TaskError(outsideErrors.called_service_unreachable, {
      service: "The dispatch Worker",
      host: "x",
      code: "",
    });
  };
  const setChannels: DispatchWorker["setChannels"] = async (_slug, { sealed }) => {
    sent.push(...sealed.map(({ credentials }) => credentials.slice(0, 4)));
    await during();
    return true;
  };
  const dispatch = { setChannels } as unknown as DispatchWorker;
  const means = {
    environment: "production",
    dispatch,
    stacks: undefined,
    capacity: undefined,
    erasing: undefined,
    vendors: undefined,
  } as const;
  const run = (attempt: number) => {
    const { signal } = new AbortController();
    return jobTask("job", means).run(rows[0], { db: service, log: () => undefined, signal, attempt, isLast: false });
  };
  await expect(run(1)).rejects.toThrow();
  const reseal = "update tenantry.channels set credentials = $2 where id = $1";
  during = async () => {
    during = async () => undefined;
    await database.pool.query(reseal, [id, Buffer.alloc(40, 2)]);
  };
  await run(2);
  const [former, next] = [Buffer.alloc(3, 1), Buffer.alloc(3, 2)].map((bytes) => bytes.toString("base64"));
  expect(sent).toEqual([former, former, next]);
  const stored = await database.pool.query("select pushed_at, fault from tenantry.channels where id = $1", [id]);
  expect(stored.rows).toEqual([{ pushed_at: expect.any(Date), fault: null }]);
  const jobs = await database.pool.query("select status, attempts from tenantry.jobs where id = $1", [rows[0].id]);
  expect(jobs.rows).toEqual([{ status: "succeeded", attempts: 2 }]);
  await service.destroy();
});
