/** What the billing migration makes of a database that has credit, invoices and clients, and of its way back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { runMigrations } from "../migrations.ts";
import { rollBackTo } from "../testing/roll-back.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";

/** The migration before the billing one. */
const BEFORE = "20261123000010";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  await rollBackTo(database, BEFORE);
  await database.pool.query(`
    insert into tenantry.clients (slug, name, billing_plan, status, created_at) values
      ('fractions', 'Fractions', 'pro', 'production', '2026-03-04T23:30:00-05'),
      ('immense', 'Immense', 'free', 'draft', '2026-03-04'),
      ('new', 'New', 'free', 'active', '2026-03-04');
    insert into tenantry.credit_pools (client_id, lifetime_purchased, lifetime_consumed)
      select id, 10.5000004, 4.0000005 from tenantry.clients where slug = 'fractions'
      union all select id, 1e15, 0 from tenantry.clients where slug = 'immense'
      union all select id, 0, 0 from tenantry.clients where slug = 'new';
    insert into tenantry.invoices (client_id, period_start, period_end, created_at)
      select id, '2026-03-01', '2026-04-01', '2026-04-02' from tenantry.clients where slug = 'fractions';
    insert into tenantry.invoice_line_items (invoice_id, description, quantity, unit_price)
      select id, l.* from tenantry.invoices, (values
        ('Seats', 3, 12.5), ('Hours', 2.25, 0.1), ('Nonsense', 'NaN', 1), ('Immense', 1e30, 1)) l (description, quantity, price)`);
  await runMigrations(database.url);
});
afterAll(() => database.stop());

const pools = `select slug, lifetime_purchased as purchased, lifetime_consumed as consumed
  from tenantry.credit_pools p join tenantry.clients c on c.id = p.client_id order by slug`;

test("credit becomes micro-units, cut where it would be beyond them, and the ledger opens with it", async () => {
  expect((await database.pool.query(pools)).rows).toEqual([
    { slug: "fractions", purchased: "10500000", consumed: "4000001" },
    { slug: "immense", purchased: "9000000000000000", consumed: "0" },
    { slug: "new", purchased: "0", consumed: "0" },
  ]);
  const { rows } = await database.pool.query(`
    select slug, prepaid, state, (lifetime_purchased - lifetime_consumed)::text as balance,
      (select sum(amount_micros)::text from tenantry.credit_entries e where e.client_id = c.id) as entries
    from tenantry.credit_pools p join tenantry.clients c on c.id = p.client_id order by slug`);
  expect(rows).toEqual([
    { slug: "fractions", prepaid: true, state: "ok", balance: "6499999", entries: "6499999" },
    { slug: "immense", prepaid: true, state: "ok", balance: "9000000000000000", entries: "9000000000000000" },
    { slug: "new", prepaid: false, state: "ok", balance: "0", entries: null },
  ]);
});

test("invoices of before count as issued, with their lines in micro-units", async () => {
  const { rows } = await database.pool.query(
    "select status, currency, issued_at = created_at as issued, total_micros from tenantry.invoices",
  );
  expect(rows).toEqual([{ status: "issued", currency: "USD", issued: true, total_micros: "9000000000000000" }]);
  const lines = await database.pool.query(`
    select description, kind, quantity, unit_price_micros, per_units, amount_micros
    from tenantry.invoice_line_items order by description`);
  expect(lines.rows.map((row) => Object.values(row))).toEqual([
    ["Hours", "other", "2250000", "100000", "1000000", "225000"],
    ["Immense", "other", "9000000000000000", "1000000", "1", "9000000000000000"],
    ["Nonsense", "other", "0", "1000000", "1", "0"],
    ["Seats", "other", "3", "12500000", "1", "37500000"],
  ]);
});

test("a client's plan counts from the UTC day on which it was made", async () => {
  const { rows } = await database.pool.query(`
    select slug, valid_from::text, plan, billed from tenantry.client_plans s join tenantry.clients c on c.id = s.client_id order by slug`);
  expect(rows).toEqual([
    { slug: "fractions", valid_from: "2026-03-05", plan: "pro", billed: true },
    { slug: "immense", valid_from: "2026-03-04", plan: "free", billed: false },
    { slug: "new", valid_from: "2026-03-04", plan: "free", billed: true },
  ]);
});

test("the audit log does not say that anybody changed what the migration did", async () => {
  const { rows } = await database.pool.query("select entity from tenantry.audit_log where action = 'update'");
  expect(rows).toEqual([]);
});

test("the way back leads to numerics, also from a populated database, and up again", async () => {
  await database.pool.query(`
    update tenantry.invoices set status = 'void', ended_at = now();
    insert into tenantry.invoices (client_id, period_start, period_end) select id, '2026-03-01', '2026-04-01' from tenantry.clients where slug = 'fractions';
    insert into tenantry.credit_entries (client_id, kind, amount_micros) select id, 'purchase', 1 from tenantry.clients where slug = 'fractions';
    insert into tenantry.usage_daily (client_id, day, metric, quantity, computed_at) select id, '2026-03-05', 'ai_queries', 1, now() from tenantry.clients`);
  await rollBackTo(database, BEFORE);
  expect((await database.pool.query(pools)).rows.slice(0, 2)).toEqual([
    { slug: "fractions", purchased: "10.500001", consumed: "4.000001" },
    { slug: "immense", purchased: "9000000000", consumed: "0" },
  ]);
  const { rows } = await database.pool.query("select period_start::text from tenantry.invoices");
  expect(rows).toEqual([{ period_start: "2026-03-01" }]);
  await runMigrations(database.url);
  expect((await database.pool.query(pools)).rows[0]).toMatchObject({ purchased: "10500001" });
});
