/** The database restarts while several callers use the API. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { type ApiUnderTest, type As, startApi } from "../testing/start-api.ts";

/** Maximum duration of a call, in milliseconds. */
const HANGS_MS = 30_000;
/** Maximum wait on a busy machine. */
const SOON = { timeout: 60_000 };

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

interface Sent {
  as: As;
  method: string;
  path: string;
  body?: unknown;
  key?: string;
}

/** A caller that repeats its call after each response. */
class Caller {
  /** Number of successful and failed calls. */
  readonly done: Sent[] = [];
  readonly refused: Sent[] = [];
  /** Why a response was invalid. */
  readonly faults: string[] = [];
  readonly #next: (count: number) => Sent;
  #stopped = false;

  constructor(next: (count: number) => Sent) {
    this.#next = next;
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      const sent = this.#next(this.done.length + this.refused.length);
      const fault = await this.#call(sent).catch((error: unknown) => String(error));
      if (fault !== undefined) this.faults.push(`${sent.method} ${sent.path}: ${fault}`);
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** @returns why the response is invalid */
  async #call(sent: Sent): Promise<string | undefined> {
    const response = await call(sent);
    const text = await response.text();
    if (/\bat .*\.(ts|js):\d/.test(text)) return `it shows where it failed: ${text}`;
    if (response.ok) {
      this.done.push(sent);
      return undefined;
    }
    this.refused.push(sent);
    const code = errorBody.safeParse(JSON.parse(text)).data?.error.code;
    const again = response.headers.get("retry-after");
    return response.status === 503 && code === "tenant_unavailable" && Number(again) > 0
      ? undefined
      : `${response.status}, to be tried again after ${again}: ${text}`;
  }
}

function call({ as, method, path, body, key }: Sent) {
  return api.fetch(path, {
    method,
    email: api.emails[as],
    headers: { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) },
    signal: AbortSignal.timeout(HANGS_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Timed-out calls on silent connections. */
const waitedFor = () => api.logs.filter((line) => line.includes("Query read timeout"));

/** Sends a call that waits for a lock, and ends its server connection. @param lock SQL that takes it */
async function cutWhileWaiting(lock: string, sent: Sent): Promise<Awaited<ReturnType<typeof call>>> {
  const { pool } = api.database;
  const holder = await pool.connect();
  await holder.query(`begin; ${lock}`);
  const answer = call(sent);
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tenantry_dashboard' and wait_event_type = 'Lock'";
  await expect.poll(async () => (await pool.query(cut)).rowCount, SOON).toBe(1);
  await holder.query("rollback");
  holder.release();
  return answer;
}

test("serves a read or a change again when its connection is lost before the commit", async () => {
  const lock = "lock table tenantry.clients in access exclusive mode";
  expect((await cutWhileWaiting(lock, { as: "root", method: "GET", path: "/client" })).status).toBe(200);
  const body = { slug: "begun", billing_plan: "basic" };
  const created = await cutWhileWaiting(lock, { as: "root", method: "POST", path: "/client/new", body });
  expect(created.status).toBe(201);
});

test("refuses a change whose commit may have been lost, and serves the next one", async () => {
  const { pool, db } = api.database;
  const id = await insertClient(db, { slug: "cut", managed_by: "dashboard" });
  const update = { as: "root", method: "PUT", path: "/client/update", body: { id, name: "New" } } as const;
  await pool.query(`
    create function tenantry.wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(29); return null; end $$;
    create constraint trigger wait_at_commit after update on tenantry.clients
      deferrable initially deferred for each row execute function tenantry.wait_at_commit()`);
  const answer = await cutWhileWaiting("select pg_advisory_xact_lock(29)", update);
  await pool.query("drop trigger wait_at_commit on tenantry.clients; drop function tenantry.wait_at_commit()");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(errorBody.parse(await answer.json()).error.reason).toBe("change_not_confirmed");
  expect((await call(update)).status).toBe(200);
  expect(waitedFor()).toEqual([]);
});

test("answers every request during a restart correctly or with 503, and performs each 2xx once", async () => {
  const { database } = api;
  const client = await insertClient(database.db, {
    slug: "acme",
    partner_id: api.partners.north,
    managed_by: "dashboard",
  });
  await insertInstance(database.db, client, { managed_by: "dashboard" });
  const creations = new Caller((n) => ({
    ...{ as: "root", method: "POST", path: "/client/new", key: `new-${n}` },
    body: { slug: `made-${n}`, billing_plan: "basic" },
  }));
  const purchases = new Caller((n) => ({
    ...{ as: "root", method: "POST", path: `/client/${client}/credit/top-up`, key: `top-up-${n}` },
    body: { amount_micros: 1_000_000, reference: `order-${n}` },
  }));
  const names = new Caller((n) => ({
    ...{ as: "north", method: "PUT", path: "/client/update", body: { id: client, name: `Name ${n}` } },
  }));
  const freezes = new Caller((n) => ({
    ...{ as: "north", method: "POST", path: `/client/${client}/freeze`, body: { cause: `${n}` } },
  }));
  const reads = new Caller((n) => {
    const paths = ["/client", "/user", "/jobs", "/audit", "/partner", "/api/ai-gateways", "/incidents", "/prices"];
    return { as: "root", method: "GET", path: paths[n % paths.length] ?? "/client" };
  });
  const callers = [creations, purchases, names, freezes, reads];
  const each = (of: "done" | "refused", least: number) =>
    expect.poll(() => Math.min(...callers.map((caller) => caller[of].length)), SOON).toBeGreaterThanOrEqual(least);
  const running = callers.map((caller) => caller.run());

  for (const round of [1, 2]) {
    await each("done", 3 * round);
    await database.halt();
    const before = callers.map((caller) => caller.refused.length);
    await expect
      .poll(() => callers.every((caller, index) => caller.refused.length > (before[index] ?? 0)), SOON)
      .toBe(true);
    const done = callers.map((caller) => caller.done.length);
    await database.goOn();
    await expect
      .poll(() => callers.every((caller, index) => caller.done.length > (done[index] ?? 0) + 2), SOON)
      .toBe(true);
  }
  for (const caller of callers) caller.stop();
  await Promise.all(running);
  expect(callers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(waitedFor()).toEqual([]);

  // Succeeded or unknown: a retry with the same key creates one client only.
  for (const sent of [...creations.done, ...creations.refused, ...purchases.done, ...purchases.refused]) {
    const { status } = await call(sent);
    expect([sent.key, status]).toEqual([sent.key, 201]);
  }
  const made = await database.pool.query("select slug from tenantry.clients where slug like 'made-%'");
  expect(made.rowCount).toBe(creations.done.length + creations.refused.length);
  const booked = await database.pool.query(
    "select sum(amount_micros)::text as micros, count(*)::integer as entries from tenantry.credit_entries where client_id = $1",
    [client],
  );
  const orders = purchases.done.length + purchases.refused.length;
  expect(booked.rows).toEqual([{ micros: String(orders * 1_000_000), entries: orders }]);
  const named = await database.pool.query<{ name: string }>(
    "select after ->> 'name' as name from tenantry.audit_log where entity = 'clients' and entity_id = $1 and action = 'update'",
    [client],
  );
  const written = new Set(named.rows.map(({ name }) => name));
  expect(names.done.map(({ body }) => (body as { name: string }).name).filter((name) => !written.has(name))).toEqual(
    [],
  );
});
