/** The audit log over HTTP, and that no caller can change it. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseRoles } from "#database/callers/roles.ts";
import { auditEntry, auditRoutes, exportEnd, exportLine } from "#workers/contracts/api/audit.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";
import { AUDIENCE } from "../../testing/start-dashboard.ts";

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

test("lists who changed what, with the values before and after, newest first", async () => {
  const { data } = await list("north", { client_id: ids.north });
  expect(data).toMatchObject([
    { action: "update", actor: "root@north.test", entity: "clients", before: { name: "of-north" } },
    { action: "insert", entity_id: ids.north, before: null, after: { slug: "of-north", managed_by: "dashboard" } },
  ]);
  expect(data[0]?.request_id).toBeTruthy();
});

test("shows a partner root only entries of its own partner", async () => {
  for (const query of [{}, { client_id: ids.south }, { entity_id: ids.south }, { actor: "root@south.test" }]) {
    const { data } = await list("north", query);
    expect(data.filter(({ partner_id }) => partner_id !== api.partners.north)).toEqual([]);
  }
  expect((await list("root", { client_id: ids.south })).data).toHaveLength(2);
  const lines = (await (await api.fetchAs("north", "GET", "/audit/export")).text()).trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(2);
  const partners = lines.slice(0, -1).map((line) => auditEntry.parse(JSON.parse(line)).partner_id);
  expect(new Set(partners)).toEqual(new Set([api.partners.north]));
});

test("filters by entity, ID, actor and time, and returns each entry on one page", async () => {
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

/** An export for a client that can stop reading. */
async function openExport(query: string, email: string = api.emails.root): Promise<IncomingMessage> {
  const cookie = `CF_Authorization=${await api.access.token({ email, aud: [AUDIENCE] })}`;
  const sent = request(new URL(`/audit/export?${query}`, api.url), { headers: { cookie }, agent: false });
  sent.end();
  const [response] = await once(sent, "response");
  return response;
}

const readLines = async (response: IncomingMessage) =>
  (await text(response))
    .trimEnd()
    .split("\n")
    .map((line) => exportLine.parse(JSON.parse(line)));

/** Reads the ids of all entries. @throws Error if the export is incomplete */
async function readIds(response: IncomingMessage): Promise<string[]> {
  const lines = await readLines(response);
  const { end } = exportEnd.parse(lines.pop());
  expect(end.entries).toBe(lines.length);
  return lines.map((line) => auditEntry.parse(line).id);
}

/** Creates entries whose export is larger than all buffers between the Worker and the reader. */
async function manyEntries(slug: string): Promise<void> {
  await api.database.pool.query(
    `insert into tenantry.partners (slug, name, managed_by, style)
     select $1 || '-' || n, $1, 'dashboard', jsonb_build_object('x', repeat('x', 15000)) from generate_series(1, 2500) n`,
    [slug],
  );
}

/** Waits until no transaction reads the log. */
async function unread(): Promise<void> {
  const client = await api.database.pool.connect();
  try {
    await client.query("begin");
    await client.query("lock table tenantry.audit_log in access exclusive mode");
    await client.query("rollback");
  } finally {
    client.release();
  }
}

test("exports every entry once", async () => {
  const { pool } = api.database;
  await pool.query(`insert into tenantry.partners (slug, name, managed_by)
    select 'bulk-' || n, 'x', 'dashboard' from generate_series(1, 5003) n`);
  const response = await openExport("entity=partners");
  expect(response.headers).toMatchObject({ "content-type": "application/x-ndjson", "cache-control": "no-store" });
  const read = await readIds(response);
  const { rows } = await pool.query<{ id: string }>(
    "select id from tenantry.audit_log where entity = 'partners' order by id desc",
  );
  expect(read.length).toBeGreaterThan(5_000);
  expect(read).toEqual(rows.map(({ id }) => id));
  // An interrupted export continues after the last received line.
  expect(await readIds(await openExport(`entity=partners&after=${read[1234]}`))).toEqual(read.slice(1235));
});

test("keeps no transaction open for a slow client, which still gets the whole export", async () => {
  await manyEntries("slow");
  const response = await openExport("entity=partners");
  response.pause();
  await unread();
  const read = await readIds(response);
  const { rows } = await api.database.pool.query("select count(*) from tenantry.audit_log where entity = 'partners'");
  expect(read).toHaveLength(Number(rows[0].count));
});

test("closes the export of a client that disconnects", async () => {
  const response = await openExport("entity=partners");
  response.destroy();
  // The pooler keeps idle connections open.
  const sessions = "select from pg_stat_activity where usename = 'tenantry_dashboard' and state <> 'idle'";
  await expect.poll(async () => (await api.database.pool.query(sessions)).rowCount, { timeout: 30_000 }).toBe(0);
  expect((await list("root", { limit: "1" })).data).toHaveLength(1);
});

test("ends a failed export without the mark of a complete one", async () => {
  const { pool } = api.database;
  await pool.query("insert into tenantry.dashboard_users (email, role) values ('leaver@platform.test', 'ROOT')");
  const response = await openExport("entity=partners", "leaver@platform.test");
  response.pause();
  await pool.query("delete from tenantry.dashboard_users where email = 'leaver@platform.test'");
  const lines = await readLines(response);
  expect(lines.at(-1)).toMatchObject({ error: { code: "access_denied" } });
  expect(lines.filter((line) => "end" in line)).toEqual([]);
  // The log line may arrive after the response.
  await expect.poll(() => api.logs.join("\n"), { timeout: 30_000 }).toContain("stream.failed");
});

test("ends the export of a user who is deleted between two pages", async () => {
  const { pool } = api.database;
  await pool.query("insert into tenantry.dashboard_users (email, role) values ('late@platform.test', 'ROOT')");
  const response = await openExport("entity=partners", "late@platform.test");
  const holder = await pool.connect();
  try {
    await holder.query("begin");
    await holder.query("lock table tenantry.audit_log in access exclusive mode");
    const read = readLines(response);
    const waiting = "select from pg_stat_activity where usename = 'tenantry_dashboard' and wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 30_000 }).toBe(1);
    await holder.query("delete from tenantry.dashboard_users where email = 'late@platform.test'");
    await holder.query("commit");
    const lines = await read;
    expect(lines.at(-1)).toMatchObject({ error: { code: "access_denied" } });
    expect(lines.filter((line) => "end" in line)).toEqual([]);
  } finally {
    holder.release();
  }
});

test("lets no role write, change or delete an entry, not even the owner", async () => {
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
