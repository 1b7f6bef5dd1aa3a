/** Adds sample history to the demo's tenants once, so that the dashboard has data to show. Rows are marked "Demo data". */
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { bookCredit } from "#database/billing/credits.ts";
import { draftInvoice, InvoiceRefused, issueInvoice } from "#database/billing/invoice-issue.ts";
import { storeUsage } from "#database/billing/usage.ts";
import type { DB } from "#database/types.ts";
import { analyticsDataset } from "#domain/analytics-dataset.ts";
import { type UsageMetric, usageMetrics } from "#domain/billing/usage-metric.ts";
import { costPoint } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import type { Edge } from "../../edge.ts";
import { addDemoHealth, addDemoPeople, type DemoTenant, styleDemoPartners } from "./demo-rows.ts";
import { DAY_MS, DEMO_SIZES, type DemoUse, daysBefore, demoUse } from "./demo-usage.ts";
import type { DemoFailure } from "./warnings.ts";

const ENVIRONMENT = "production";
/** At least two months, so that the last month is complete. */
const DAYS = 62;
const BOOKED_AFTER_MS = 3_600_000;
/** Credit per tenant, in millionths of a US dollar. */
const BOUGHT_MICROS = 400_000_000n;
/** Marks the purchase, and so a tenant that has its history. */
const REFERENCE = "demo-data";
const NOTE = "Demo data";

interface DemoEdge {
  databaseUrl: string;
  runtime: { analytics: Pick<Edge["runtime"]["analytics"], "append"> };
}

/** Adds each tenant's history in a transaction of its own. @returns the failures; the next call retries */
export async function addDemoHistory({ databaseUrl, runtime }: DemoEdge, now = Date.now()): Promise<DemoFailure[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // A stopping server closes idle connections.
  pool.on("error", () => {});
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const failures: DemoFailure[] = [];
    for (const tenant of await tenantsWithoutHistory(db)) {
      try {
        const days = daysBefore(now, DAYS).map(({ day, ago }) => ({ day, used: demoUse(tenant.slug, day, ago) }));
        await db.transaction().execute((tx) => writeHistory(tx, tenant, days, new Date(now)));
        // After the transaction: an interruption loses a chart, and bills nothing twice.
        const dataset = analyticsDataset(ENVIRONMENT);
        for (const { used } of days) {
          for (const use of used) runtime.analytics.append(dataset, pointOf(tenant.slug, use));
        }
      } catch (error) {
        failures.push({ what: `the tenant ${tenant.slug}`, error });
      }
    }
    return failures;
  } catch (error) {
    return [{ what: "the demo's tenants", error }];
  } finally {
    await db.destroy();
  }
}

/** Returns Git-managed production tenants of the demo that have no history and are the first with their slug. */
async function tenantsWithoutHistory(db: Kysely<DB>): Promise<DemoTenant[]> {
  // History is dated before the client: it would include the usage of an earlier client with the same slug.
  const { rows } = await sql<DemoTenant>`
    select c.id, c.slug, i.id as instance_id
    from tenantry.clients c join tenantry.instances i on i.client_id = c.id
    where c.environment = ${ENVIRONMENT} and c.managed_by = 'git' and c.slug in (${sql.join(Object.keys(DEMO_SIZES))})
      and not exists (select from tenantry.credit_entries e where e.client_id = c.id and e.reference = ${REFERENCE})
      and not exists (
        select from tenantry.billing_accounts a
        where a.environment = c.environment and a.slug = c.slug and a.closed_at is not null)
    order by c.slug`.execute(db);
  return rows;
}

interface DemoDay {
  day: number;
  used: readonly DemoUse[];
}

async function writeHistory(
  tx: Transaction<DB>,
  tenant: DemoTenant,
  days: readonly DemoDay[],
  now: Date,
): Promise<void> {
  const { id } = tenant;
  await sql`select set_config('tenantry.environment', ${ENVIRONMENT}, true)`.execute(tx);
  // Usage before a client's creation does not count.
  await sql`
    update tenantry.clients set created_at = created_at - make_interval(days => ${DAYS}::integer) where id = ${id}`.execute(
    tx,
  );
  await sql`
    update tenantry.client_plans set valid_from = valid_from - ${DAYS}::integer where client_id = ${id}`.execute(tx);
  await bookCredit(tx, {
    clientId: id,
    amountMicros: BOUGHT_MICROS,
    kind: "purchase",
    reference: REFERENCE,
    note: NOTE,
    at: new Date(days[0]?.day ?? now),
  });
  for (const { day, used } of days) {
    const date = new Date(day).toISOString().slice(0, 10);
    const usage = usageMetrics.map((metric) => ({ clientId: id, day: date, metric, quantity: sumOf(metric, used) }));
    // Usage is booked soon after the day ends.
    const at = new Date(Math.min(day + DAY_MS + BOOKED_AFTER_MS, now.getTime()));
    await storeUsage(tx, { day: date, usage, unknown: [] }, at);
  }
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  try {
    await issueInvoice(tx, (await draftInvoice(tx, id, month)).id, now);
  } catch (error) {
    // The automation service has issued it.
    if (!(error instanceof InvoiceRefused)) throw error;
  }
  await addDemoHealth(tx, tenant, now);
  await addDemoPeople(tx, tenant, now);
  await styleDemoPartners(tx);
}

const sumOf = (metric: UsageMetric, used: readonly DemoUse[]) =>
  used.reduce((sum, use) => (use.metric === metric ? sum + BigInt(use.quantity) : sum), 0n);

function pointOf(slug: string, { metric, quantity, at }: DemoUse): string {
  const dimensions = { environment: ENVIRONMENT, provider: "demo", model: "demo data" };
  const { indexes, blobs, doubles } = costPoint(slug, { metric, value: quantity, dimensions });
  const bytes = (text: string) => [...Buffer.from(text)];
  const columns = [
    ...blobs.map((text, index) => [`blob${index + 1}`, bytes(text)] as const),
    ...doubles.map((value, index) => [`double${index + 1}`, value] as const),
  ];
  return JSON.stringify({ timestamp: `${at}000000`, index1: bytes(indexes[0]), ...Object.fromEntries(columns) });
}
