/**
 * Gives the demo a past, so that a newcomer sees a dashboard with life in it: usage and what it cost, health, people who were invited, an
 * incident that is over. It is made up, once, for the demo's own tenants on the edge that `npm start` runs, and for nobody else: what it
 * writes is called demo data wherever there is room for a note, and the demo's dashboard says so on each page.
 */
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { bookCredit } from "../../../database/billing/credits.ts";
import { draftInvoice, InvoiceRefused, issueInvoice } from "../../../database/billing/invoice-issue.ts";
import { storeUsage } from "../../../database/billing/usage.ts";
import type { DB } from "../../../database/types.ts";
import { analyticsDataset } from "../../../domain/analytics-dataset.ts";
import { type UsageMetric, usageMetrics } from "../../../domain/billing/usage-metric.ts";
import { costPoint } from "../../../workers/contracts/cost-metrics.ts";
import type { Edge } from "../../edge.ts";
import { addDemoHealth, addDemoPeople, styleDemoPartners } from "./demo-rows.ts";
import { DAY_MS, DEMO_SIZES, type DemoUse, daysBefore, demoUse } from "./demo-usage.ts";

const ENVIRONMENT = "production";
/** Two months at least, so that the last one is whole. */
const DAYS = 62;
const BOOKED_AFTER_MS = 3_600_000;
/** Credit that each tenant bought, in millionths of a US dollar. */
const BOUGHT_MICROS = 400_000_000n;
/** What a purchase is known by: a demo that has it has had its past. */
const REFERENCE = "demo-data";
const NOTE = "Demo data";

interface DemoTenant {
  id: string;
  slug: string;
  instance_id: string;
}

interface DemoEdge {
  databaseUrl: string;
  runtime: { analytics: Pick<Edge["runtime"]["analytics"], "append"> };
}

/** @param now milliseconds since the epoch */
export async function giveDemoPast({ databaseUrl, runtime }: DemoEdge, now = Date.now()): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const tenants = await withoutPast(db);
    if (tenants.length === 0) return;
    const past = daysBefore(now, DAYS).map(({ day, ago }) => ({
      day,
      uses: tenants.map((tenant) => ({ tenant, used: demoUse(tenant.slug, day, ago) })),
    }));
    await db.transaction().execute((tx) => writePast(tx, tenants, past, new Date(now)));
    // After the books, whose roll-ups ask for these: a start that is cut short in between lacks a chart, and bills nothing twice.
    const dataset = analyticsDataset(ENVIRONMENT);
    for (const { uses } of past) {
      for (const { tenant, used } of uses) {
        for (const use of used) runtime.analytics.append(dataset, pointOf(tenant.slug, use));
      }
    }
  } finally {
    await db.destroy();
  }
}

/** Tenants of the demo that Git declares and that have no past yet. */
async function withoutPast(db: Kysely<DB>): Promise<DemoTenant[]> {
  return db
    .selectFrom("tenantry.clients as c")
    .innerJoin("tenantry.instances as i", "i.client_id", "c.id")
    .select(["c.id", "c.slug", "i.id as instance_id"])
    .where("c.environment", "=", ENVIRONMENT)
    .where("c.managed_by", "=", "git")
    .where("c.slug", "in", Object.keys(DEMO_SIZES))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tenantry.credit_entries as e")
            .select("e.id")
            .whereRef("e.client_id", "=", "c.id")
            .where("e.reference", "=", REFERENCE),
        ),
      ),
    )
    .orderBy("c.slug")
    .execute();
}

interface DemoDay {
  day: number;
  uses: readonly { tenant: DemoTenant; used: readonly DemoUse[] }[];
}

async function writePast(
  tx: Transaction<DB>,
  tenants: readonly DemoTenant[],
  past: readonly DemoDay[],
  now: Date,
): Promise<void> {
  const ids = tenants.map(({ id }) => id);
  await sql`select set_config('tenantry.environment', ${ENVIRONMENT}, true)`.execute(tx);
  // As if they had been there all the time: what is older than a client counts as another's.
  await sql`
    update tenantry.clients set created_at = created_at - make_interval(days => ${DAYS}::integer)
    where id = any (${ids}::uuid[])`.execute(tx);
  await sql`
    update tenantry.client_plans set valid_from = valid_from - ${DAYS}::integer
    where client_id = any (${ids}::uuid[])`.execute(tx);
  for (const { id } of tenants) {
    const booking = {
      clientId: id,
      amountMicros: BOUGHT_MICROS,
      kind: "purchase",
      reference: REFERENCE,
      note: NOTE,
    } as const;
    await bookCredit(tx, { ...booking, at: new Date(past[0]?.day ?? now) });
  }
  for (const { day, uses } of past) {
    const date = new Date(day).toISOString().slice(0, 10);
    const usage = uses.flatMap(({ tenant, used }) =>
      usageMetrics.map((metric) => ({ clientId: tenant.id, day: date, metric, quantity: sumOf(metric, used) })),
    );
    // As each would have been booked: soon after it was over.
    const at = new Date(Math.min(day + DAY_MS + BOOKED_AFTER_MS, now.getTime()));
    await storeUsage(tx, { day: date, usage, unknown: [] }, at);
  }
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  for (const id of ids) {
    try {
      await issueInvoice(tx, (await draftInvoice(tx, id, month)).id, now);
    } catch (error) {
      // The service was quicker.
      if (!(error instanceof InvoiceRefused)) throw error;
    }
  }
  await addDemoHealth(tx, tenants, now);
  await addDemoPeople(tx, now);
  await styleDemoPartners(tx);
}

const sumOf = (metric: UsageMetric, used: readonly DemoUse[]) =>
  used.reduce((sum, use) => (use.metric === metric ? sum + BigInt(use.quantity) : sum), 0n);

/** As workerd sends an event. */
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
