/** The audit log over HTTP, and that nobody rewrites it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseRoles } from "../../../../database/roles.ts";
import { auditEntry, auditRoutes } from "../../../contracts/api/audit.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
const ids: Record<"north" | "south", string> = { north: "", south: "" };
beforeAll(async () => {
  api = await startApi();
  for (const as of ["north", "south"] as const) {
    const made = await api.fetchAs(as, "POST", "/client/new", { slug: `of-${as}`, billing_plan: "basic" });
    ids[as] = ((await made.json()) as { id: string }).id;
    await api.fetchAs(as, "PUT", "/client/update", { id: ids[as], name: `Name by ${as}` });
  }
});
afterAll(() => api?.stop());

const list = async (as: As, query: Record<string, string> = {}) =>
  (await api.call(auditRoutes.listAudit, { as, query })).body;

test("tells who changed what, from what to what, the latest first", async () => {
  const { data } = await list("north", { client_id: ids.north });
  expect(data).toMatchObject([
    { action: "update", actor: "root@north.test", entity: "clients", before: { name: "of-north" } },
    { action: "insert", entity_id: ids.north, before: null, after: { slug: "of-north", managed_by: "dashboard" } },
  ]);
  expect(data[0]?.request_id).toBeTruthy();
});

test("a partner root reads of its own partner alone, whatever it asks for", async () => {
  for (const query of [{}, { client_id: ids.south }, { entity_id: ids.south }, { actor: "root@south.test" }]) {
    const { data } = await list("north", query);
    expect(data.filter(({ partner_id }) => partner_id !== api.partners.north)).toEqual([]);
  }
  expect((await list("root", { client_id: ids.south })).data).toHaveLength(2);
  const lines = (await (await api.fetchAs("north", "GET", "/audit/export")).text()).trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(1);
  const partners = lines.map((line) => auditEntry.parse(JSON.parse(line)).partner_id);
  expect(new Set(partners)).toEqual(new Set([api.partners.north]));
});

test("is filtered by what, which, who and when, and pages hold each entry once", async () => {
  const { data } = await list("root", { limit: "100" });
  const found = async (query: Record<string, string>) => (await list("root", { limit: "100", ...query })).data;
  expect(await found({ entity: "partners" })).toEqual(data.filter(({ entity }) => entity === "partners"));
  expect(await found({ actor: "root@south.test" })).toHaveLength(2);
  const [{ at: latest } = { at: "" }] = data;
  const after = new Date(Date.parse(latest) + 1).toISOString();
  expect(await found({ to: after })).toEqual(data);
  expect(await found({ from: after })).toEqual([]);
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await list("root", { limit: "3", ...(cursor !== "" && { after: cursor }) });
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.pagination.next;
  }
  expect(seen).toEqual(data.map(({ id }) => id));
});

test("an export holds every entry once, over more calls than one", async () => {
  const { pool } = api.database;
  await pool.query(`insert into tenantry.partners (slug, name, managed_by)
    select 'bulk-' || n, 'x', 'dashboard' from generate_series(1, 5003) n`);
  const read: string[] = [];
  const sizes: number[] = [];
  let path = "/audit/export?entity=partners";
  while (path !== "") {
    const response = await api.fetchAs("root", "GET", path);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const lines = (await response.text()).trimEnd().split("\n");
    sizes.push(lines.length);
    read.push(...lines.map((line) => auditEntry.parse(JSON.parse(line)).id));
    [, path = ""] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
  }
  const { rows } = await pool.query<{ id: string }>(
    "select id from tenantry.audit_log where entity = 'partners' order by id desc",
  );
  expect(read).toEqual(rows.map(({ id }) => id));
  expect(sizes[0]).toBe(5_000);
});

test("no role changes, removes or writes an entry, its owner neither", async () => {
  const { pool } = api.database;
  const before = await pool.query("select count(*) as entries from tenantry.audit_log");
  const write = `insert into tenantry.audit_log (environment, actor, actor_kind, action, entity, entity_id)
    values ('production', 'x', 'x', 'insert', 'x', 'x')`;
  const change = [
    "update tenantry.audit_log set actor = 'somebody else'",
    "delete from tenantry.audit_log",
    "truncate tenantry.audit_log",
  ];
  const attempt = async (role: string | undefined, statement: string) => {
    const client = await pool.connect();
    try {
      if (role !== undefined) await client.query(`set role ${role}`);
      return await client.query(statement).then(
        () => "done",
        (error: { code: string }) => error.code,
      );
    } finally {
      await client.query("reset role");
      client.release();
    }
  };
  for (const role of Object.values(databaseRoles("production"))) {
    for (const statement of [...change, write]) {
      expect([role, statement, await attempt(role, statement)]).toEqual([role, statement, "42501"]);
    }
  }
  for (const statement of change) expect(await attempt(undefined, statement)).toBe("TN007");
  expect((await pool.query("select count(*) as entries from tenantry.audit_log")).rows).toEqual(before.rows);
});
