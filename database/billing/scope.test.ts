/** Rights on usage, credit, invoices and prices. Each policy is tested by what is visible without it. */
import { type Kysely, sql, type Transaction } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asRoot, asService, insertBilledClient, setRoot, storeDay } from "../testing/billing.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { bookCredit } from "./credits.ts";
import { draftInvoice, endInvoice, issueInvoice } from "./invoice-issue.ts";
import { listPrices, setPrice } from "./prices.ts";

let database: TestDatabase;
let service: Kysely<DB>;
const clients: Record<"a" | "b", string> = { a: "", b: "" };
const roots: Record<"a" | "b" | "platform", string> = { a: "", b: "", platform: "" };
const invoices: string[] = [];
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "staging"] });
  service = asService(database);
  const { db } = database;
  const user = async (values: { email: string; role: string; partner_id?: string }) =>
    (await db.insertInto("tenantry.dashboard_users").values(values).returning("id").executeTakeFirstOrThrow()).id;
  roots.platform = await user({ email: "root@platform.example", role: "ROOT" });
  for (const name of ["a", "b"] as const) {
    const partner = await db
      .insertInto("tenantry.partners")
      .values({ slug: name, name })
      .returning("id")
      .executeTakeFirstOrThrow();
    roots[name] = await user({ email: `root@${name}.example`, role: "PARTNER_ROOT", partner_id: partner.id });
    clients[name] = await insertBilledClient(db, { slug: `client-of-${name}`, partner_id: partner.id });
    await storeDay(service, clients[name], { day: "2026-09-20", metric: "ai_spend", quantity: 100n });
    await service.transaction().execute(async (tx) => {
      const { id } = await draftInvoice(tx, clients[name], "2026-09");
      invoices.push((await issueInvoice(tx, id, new Date("2026-10-01"))).id);
    });
  }
});
afterAll(async () => {
  await service.destroy();
  await database.stop();
});

/** Each table with its policy, and the column of the client. */
const TABLES = [
  ["credit_pools", "in_scope", "t.client_id"],
  ["credit_entries", "in_scope", "t.client_id"],
  ["usage_daily", "in_scope", "t.client_id"],
  ["invoices", "in_scope", "t.client_id"],
  ["invoice_line_items", "own_environment", "(select v.client_id from tenantry.invoices v where v.id = t.invoice_id)"],
] as const;

async function seen(tx: Transaction<DB>, table: string, column: string): Promise<string[]> {
  const { rows } = await sql<{ client: string }>`
    select distinct ${sql.raw(column)} as client from ${sql.table(`tenantry.${table}`)} t`.execute(tx);
  const names = new Map(Object.entries(clients).map(([name, id]) => [id, name]));
  return rows.map(({ client }) => names.get(client) ?? "nobody's").toSorted();
}

describe.each(TABLES)("%s", (table, policy, column) => {
  const by = (kind: "platform_root" | "partner_root", userId: string) =>
    asRoot(database.db, kind, userId, (tx) => seen(tx, table, column));

  test("partner root A sees A's", async () => {
    expect(await by("partner_root", roots.a)).toEqual(["a"]);
  });

  test("partner root B sees B's", async () => {
    expect(await by("partner_root", roots.b)).toEqual(["b"]);
  });

  test("a platform root sees all", async () => {
    expect(await by("platform_root", roots.platform)).toEqual(["a", "b"]);
  });

  test("a partner root with the role of a platform root, and the reverse, sees nothing", async () => {
    expect(await by("platform_root", roots.a)).toEqual([]);
    expect(await by("partner_root", roots.platform)).toEqual([]);
  });

  test("the service sees its environment's, and another environment's sees nothing", async () => {
    expect(await service.transaction().execute((tx) => seen(tx, table, column))).toEqual(["a", "b"]);
    const staging = database.db.transaction().execute(async (tx) => {
      await sql`set local role tenantry_service_staging`.execute(tx);
      return seen(tx, table, column);
    });
    expect(await staging).toEqual([]);
  });

  test("without its policy partner root A would see another's", async () => {
    const broken = database.db.transaction().execute(async (tx) => {
      await sql`drop policy ${sql.id(policy)} on ${sql.table(`tenantry.${table}`)}`.execute(tx);
      await sql`create policy broken on ${sql.table(`tenantry.${table}`)} using (true)`.execute(tx);
      await setRoot(tx, "partner_root", roots.a);
      const { rows } = await sql`select from ${sql.table(`tenantry.${table}`)}`.execute(tx);
      const own = await seen(tx, table, column);
      throw new Seen(rows.length, own);
    });
    const { rows, own } = await broken.catch((error: Seen) => error);
    expect(rows).toBeGreaterThanOrEqual(2);
    expect(own.length).toBe(2);
  });
});

/** Returns rows that a transaction saw before it was rolled back. */
class Seen extends Error {
  override name = "Seen";
  readonly rows: number;
  readonly own: string[];
  constructor(rows: number, own: string[]) {
    super("rolled back");
    this.rows = rows;
    this.own = own;
  }
}

test("every table of the platform has row-level security", async () => {
  const { rows } = await database.pool.query(`
    select relname from pg_class where relnamespace = 'tenantry'::regnamespace and relkind = 'r' and not relrowsecurity`);
  expect(rows).toEqual([]);
});

describe("prices", () => {
  const coming = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const price = { plan: "pro", metric: "ai_queries", micros: 7n, perUnits: 10n, validFrom: coming } as const;
  const set = (tx: Transaction<DB>, values = {}) => setPrice(tx, "production", { ...price, ...values });

  test("are readable by roots of their environment only", async () => {
    const environments = (tx: Transaction<DB>) =>
      sql<{ environment: string }>`select distinct environment from tenantry.prices`
        .execute(tx)
        .then(({ rows }) => rows);
    const own = [{ environment: "production" }];
    expect(await asRoot(database.db, "partner_root", roots.a, environments)).toEqual(own);
    expect(await asRoot(database.db, "platform_root", roots.platform, environments)).toEqual(own);
    expect(await service.transaction().execute(environments)).toEqual(own);
    expect(await asRoot(database.db, "platform_root", roots.a, environments)).toEqual([]);
    expect(await asRoot(database.db, "partner_root", roots.platform, environments)).toEqual([]);
    const broken = database.db.transaction().execute(async (tx) => {
      await sql`drop policy in_scope on tenantry.prices; create policy broken on tenantry.prices using (true)`.execute(
        tx,
      );
      await setRoot(tx, "partner_root", roots.a);
      const rows = await environments(tx);
      throw new Seen(rows.length, []);
    });
    expect((await broken.catch((error: Seen) => error)).rows).toBe(3);
  });

  test("are set by platform roots only, from today on", async () => {
    const { db } = database;
    const first = await asRoot(db, "platform_root", roots.platform, (tx) => set(tx));
    expect(await asRoot(db, "platform_root", roots.platform, (tx) => set(tx, { micros: 8n }))).toBe(first);
    const listed = (await listPrices(service, "production")).filter(({ id }) => id === first);
    expect(listed).toEqual([{ id: first, unit: "queries", ...price, micros: 8n }]);
    const past = asRoot(db, "platform_root", roots.platform, (tx) => set(tx, { validFrom: "2026-01-01" }));
    await expect(past).rejects.toMatchObject({ code: "TN003" });
    const removed = asRoot(db, "platform_root", roots.platform, (tx) => tx.deleteFrom("tenantry.prices").execute());
    await expect(removed).rejects.toMatchObject({ code: "TN003" });
    const refused = { code: "42501" };
    await expect(asRoot(db, "partner_root", roots.a, (tx) => set(tx))).rejects.toMatchObject(refused);
    await expect(service.transaction().execute((tx) => set(tx))).rejects.toMatchObject(refused);
    const { rows } = await database.pool.query(
      "select actor, action from tenantry.audit_log where entity = 'prices' order by id",
    );
    expect(rows).toEqual(["insert", "update"].map((action) => ({ actor: "root@platform.example", action })));
  });

  test("exist for every plan and metric in each environment", async () => {
    const { rows } = await database.pool.query(
      "select environment, count(distinct (plan, metric))::integer as prices from tenantry.prices group by 1 order by 1",
    );
    expect(rows).toEqual(["development", "production", "staging"].map((environment) => ({ environment, prices: 28 })));
  });
});

describe("what is written", () => {
  const topUp = (tx: Transaction<DB>, clientId: string) =>
    bookCredit(tx, { clientId, kind: "purchase", amountMicros: 5n, reference: "order-1", at: new Date("2026-10-02") });

  test("a platform root books a top-up, which is audited; a partner root may not", async () => {
    const { db } = database;
    await asRoot(db, "platform_root", roots.platform, (tx) => topUp(tx, clients.a));
    await expect(asRoot(db, "partner_root", roots.a, (tx) => topUp(tx, clients.a))).rejects.toMatchObject({
      code: "42501",
    });
    const { rows } = await database.pool.query(
      "select actor, client_id, partner_id is not null as of_partner from tenantry.audit_log where entity = 'credit_entries' and actor_kind = 'platform_root'",
    );
    expect(rows).toEqual([{ actor: "root@platform.example", client_id: clients.a, of_partner: true }]);
  });

  test("no root books consumption", async () => {
    const values = { client_id: clients.a, kind: "consumption", amount_micros: -1, day: "2026-09-21", revision: 0 };
    const consumed = asRoot(database.db, "platform_root", roots.platform, (tx) =>
      tx.insertInto("tenantry.credit_entries").values(values).execute(),
    );
    await expect(consumed).rejects.toMatchObject({ code: "42501" });
    const used = asRoot(database.db, "platform_root", roots.platform, (tx) =>
      tx.updateTable("tenantry.usage_daily").set({ quantity: 0 }).execute(),
    );
    await expect(used).rejects.toMatchObject({ code: "42501" });
  });

  test("a platform root marks an invoice as paid; a partner root may not", async () => {
    const [own = ""] = invoices;
    const pay = (tx: Transaction<DB>) => endInvoice(tx, own, "paid", new Date("2026-10-03"));
    await expect(asRoot(database.db, "partner_root", roots.a, pay)).rejects.toMatchObject({ code: "42501" });
    expect(await asRoot(database.db, "platform_root", roots.platform, pay)).toMatchObject({ status: "paid" });
  });
});
