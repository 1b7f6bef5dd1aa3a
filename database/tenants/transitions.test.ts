import type { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InstanceState, instanceStates } from "#domain/tenants/instance-state.ts";
import { openAs } from "../testing/as-caller.ts";
import { insertClient, insertInstance } from "../testing/fixtures.ts";
import { productionSources } from "../testing/production-sources.ts";
import { statusWrites } from "../testing/status-writes.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { deleteRemoved } from "./deployment.ts";
import {
  type ChangeCause,
  causeFor,
  changeStatus,
  createInstance,
  type Transition,
  transitions,
} from "./transitions.ts";

let database: TestDatabase;
let service: Kysely<DB>;
beforeAll(async () => {
  database = await startTestDatabase();
  service = openAs(database, "service");
});
afterAll(async () => {
  await service.destroy();
  await database.stop();
});

type Condition = NonNullable<Transition["when"]>;
const GENERATION = 5;

/** An instance in a state, which meets a condition or, with `fails`, all of it but one part. */
async function instanceIn(status: InstanceState, when: Condition = {}, fails?: keyof Condition): Promise<string> {
  const { frozen_from, managed_by, isOverdue } = when;
  const other = <T>(allowed: readonly T[], all: readonly T[]) => all.find((one) => !allowed.includes(one)) as T;
  const pick = <T>(key: keyof Condition, allowed: readonly T[] | undefined, all: readonly T[]) =>
    allowed && (fails === key ? other(allowed, all) : allowed[0]);
  const isLate = isOverdue && fails !== "isOverdue";
  return insertInstance(database.db, await insertClient(database.db), {
    status,
    generation: GENERATION,
    managed_by: pick("managed_by", managed_by, ["git", "dashboard"]) ?? "dashboard",
    ...(status === "frozen" && { frozen_from: pick("frozen_from", frozen_from, instanceStates) ?? "running" }),
    ...(status === "provisioning" && { state_deadline: new Date(Date.now() + (isLate ? -1_000 : 60_000)) }),
  });
}

const rowOf = (id: string) =>
  database.db.selectFrom("tenantry.instances").selectAll().where("id", "=", id).executeTakeFirst();

/** Attempts a change as the automation service. */
const change = (id: string, cause: ChangeCause, generation = GENERATION) =>
  service
    .transaction()
    .execute((tx) => changeStatus(tx, { instance: { id, generation }, cause, stateCause: "a test" }));

const changes = transitions.filter(({ by }) => by === "changeStatus");
const isState = (state: InstanceState | "none") => state !== "none";

/** Minutes from the row's last change to its deadline. */
const minutesLeft = (row: { updated_at: Date; state_deadline: Date | null } | undefined) =>
  row?.state_deadline ? Math.round((row.state_deadline.getTime() - row.updated_at.getTime()) / 60_000) : undefined;

describe.each(changes)("$cause", ({ cause: name, from, to, when, ...row }) => {
  const cause = name as ChangeCause;
  test.each(from.filter(isState))("changes an instance that is %s", async (state) => {
    const id = await instanceIn(state, when);
    const generation = String(GENERATION + (row.beginsOperation ? 1 : 0));
    expect(await change(id, cause)).toEqual({ generation });
    const after = await rowOf(id);
    expect(after).toMatchObject({
      status: to,
      generation,
      state_cause: "a test",
      frozen_for: row.frozenFor ?? null,
      frozen_from: to === "frozen" ? state : null,
    });
    expect(minutesLeft(after)).toBe(row.deadlineMinutes);
  });

  test.each(instanceStates.filter((state) => !from.includes(state)))(
    "refuses an instance that is %s",
    async (state) => {
      const id = await instanceIn(state, when);
      const before = await rowOf(id);
      expect(await change(id, cause)).toBeUndefined();
      expect(await rowOf(id)).toEqual(before);
    },
  );

  test.each(Object.keys(when ?? {}) as (keyof Condition)[])(
    "refuses an instance that fails its guard: %s",
    async (key) => {
      for (const state of from.filter(isState)) {
        const id = await instanceIn(state, when, key);
        const before = await rowOf(id);
        expect(await change(id, cause)).toBeUndefined();
        expect(await rowOf(id)).toEqual(before);
      }
    },
  );

  test("refuses an instance of another generation", async () => {
    for (const state of from.filter(isState)) {
      const id = await instanceIn(state, when);
      const before = await rowOf(id);
      for (const other of [GENERATION - 1, GENERATION + 1]) expect(await change(id, cause, other)).toBeUndefined();
      expect(await rowOf(id)).toEqual(before);
    }
  });
});

describe("the table", () => {
  test("has each cause once, and transitions to and from every state", () => {
    const causes = transitions.map(({ cause }) => cause);
    expect(new Set(causes).size).toBe(causes.length);
    for (const state of instanceStates) {
      expect([state, transitions.some(({ to }) => to === state)]).toEqual([state, true]);
      expect([state, transitions.some(({ from, to }) => to !== state && from.includes(state))]).toEqual([state, true]);
    }
  });

  test("has exactly one cause by which a frozen instance resumes, whatever it was before", () => {
    const resumptions = changes
      .filter(({ cause }) => cause.startsWith("resumed"))
      .map(({ cause }) => cause as ChangeCause);
    for (const frozen_from of ["provisioning", "running", "stopped", "error", null]) {
      for (const managed_by of ["git", "dashboard"]) {
        const instance = { id: "one", frozen_from, managed_by };
        const fitting = resumptions.filter((cause) => {
          try {
            return causeFor([cause], instance) === cause;
          } catch {
            return false;
          }
        });
        expect([instance, fitting]).toEqual([instance, [expect.any(String)]]);
      }
    }
  });
});

describe("a row that begins or ends", () => {
  test("createInstance inserts it as in the table, once for each client", async () => {
    const client_id = await insertClient(database.db);
    const values = { client_id, environment: "production", worker_name: "tenant-new", state_cause: "a test" };
    const { id } = await createInstance(database.db, values);
    const [wanted] = transitions.filter(({ by }) => by === "createInstance");
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: wanted?.to, managed_by: "dashboard", generation: "1" });
    expect(minutesLeft(row)).toBe(wanted?.deadlineMinutes);
    await expect(createInstance(database.db, { ...values, worker_name: "tenant-other" })).rejects.toMatchObject({
      constraint: "instances_client_id_key",
    });
  });

  test("a stack's row gets the table's deadline from the database", async () => {
    const [wanted] = transitions.filter(({ by, to }) => by === "stack" && to !== "none");
    const id = await insertInstance(database.db, await insertClient(database.db), { status: wanted?.to ?? "" });
    expect(minutesLeft(await rowOf(id))).toBe(wanted?.deadlineMinutes);
  });

  test("deleteRemoved deletes it only from the state in the table", async () => {
    const [wanted] = transitions.filter(({ by }) => by === "deleteRemoved");
    for (const state of instanceStates) {
      const instanceId = await instanceIn(state, wanted?.when);
      await deleteRemoved(service, { instanceId, generation: BigInt(GENERATION) });
      expect([state, (await rowOf(instanceId)) === undefined]).toEqual([state, wanted?.from.includes(state)]);
    }
  });
});

describe("no other statement writes the status", () => {
  const PRODUCTION = [
    "{automation,components,fleet,local,packages,policy,provider,stack,workers}/**/*.{ts,tsx}",
    "database/**/*.ts",
    "database/{migrations,routines}/**/*.sql",
    "index.ts",
  ];

  test("of the product's sources", () => {
    const found = productionSources(PRODUCTION).flatMap(statusWrites);
    const own = found.filter(({ at }) => at.startsWith("database/tenants/transitions.ts:"));
    expect(own.map(({ what }) => what).toSorted()).toEqual(["insert", "update"]);
    // The row of a tenant that a stack declares.
    const declared = found.filter(
      ({ at, what }) => what === "declared row" && at.startsWith("components/instance.ts:"),
    );
    expect(declared).toHaveLength(1);
    const others = found.filter((one) => !own.includes(one) && !declared.includes(one));
    expect(others, "Use changeStatus or createInstance of database/tenants/transitions.ts.").toEqual([]);
  });

  const planted: [text: string, what: string, line: number][] = [
    ['db.updateTable("tenantry.instances").set({ status: "error" }).where("id", "=", id);', "update", 1],
    ['db.updateTable("tenantry.instances as i")\n  .where("id", "=", id)\n  .set({ status });', "update", 3],
    ['db.updateTable("tenantry.instances").set("status", "error");', "update", 1],
    ['db.updateTable("tenantry.instances").set((e) => ({ status: e.ref("frozen_from") }));', "update", 1],
    ['const v = { status: "error" };\ndb.updateTable("tenantry.instances").set({ ...v, owner });', "update", 2],
    ['const to = () => ({ status: "error" });\ndb.updateTable("tenantry.instances").set(to());', "update", 2],
    ['const update = db.updateTable("tenantry.instances");\nupdate.set({ status: "error" });', "update", 2],
    ['function f(values: Row) {\n  return db.updateTable("tenantry.instances").set(values);\n}', "update", 2],
    ['db.insertInto("tenantry.instances").values({ client_id });', "insert", 1],
    ["sql`update tenantry.instances set status = 'error' where id = 1`", "update", 1],
    [
      "sql`with a as (\n  update only tenantry.instances i set version = (select 1 where c), status = 'x')`",
      "update",
      2,
    ],
    ['pool.query("update tenantry.instances set (owner, status) = ($1, $2)")', "update", 1],
    ['pool.query("insert into tenantry.instances (client_id) values ($1)")', "insert", 1],
    ['record({ table: "tenantry.instances", key, initial: { status: "running" } });', "declared row", 1],
  ];

  test.each(planted)("finds %j", (text, what, line) => {
    expect(statusWrites({ file: "planted.ts", text })).toEqual([{ at: `planted.ts:${line}`, what }]);
  });

  test("finds a statement of a SQL file, with its line", () => {
    const text =
      "begin\n  update tenantry.clients set status = 'draft';\n  update tenantry.instances i set status = 'error';\nend";
    expect(statusWrites({ file: "planted.sql", text })).toEqual([{ at: "planted.sql:3", what: "update" }]);
  });

  test.each([
    'db.updateTable("tenantry.instances").set({ state_cause: null }).where("status", "=", "error");',
    'db.updateTable("tenantry.clients").set({ status: "draft" }); db.selectFrom("tenantry.instances");',
    "sql`update tenantry.instances set owner = (select 'x') where status = 'error'`",
    "sql`update tenantry.instances set owner = 'x' from tenantry.clients c where c.status = 'draft'`",
    'record({ table: "tenantry.instances", key: { environment } });',
  ])("ignores %j", (text) => {
    expect(statusWrites({ file: "planted.ts", text })).toEqual([]);
  });
});
