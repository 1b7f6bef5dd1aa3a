import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { invoiceStatuses, lineKinds } from "#domain/billing/invoice.ts";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { plans } from "#domain/plans/plan.ts";
import { dayText } from "../dates.ts";
import type { DB } from "../types.ts";

const listedInvoice = z.object({
  id: z.uuid(),
  clientId: z.uuid(),
  periodStart: z.string(),
  periodEnd: z.string(),
  currency: z.literal("USD"),
  status: z.enum(invoiceStatuses),
  totalMicros: z.coerce.bigint(),
  createdAt: z.date(),
  /** Null for a draft. */
  issuedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
});
export type ListedInvoice = z.infer<typeof listedInvoice>;

const invoiceLine = z.object({
  kind: z.enum(lineKinds),
  description: z.string(),
  plan: z.enum(plans).nullable(),
  metric: z.enum(usageMetrics).nullable(),
  quantity: z.coerce.bigint(),
  unitPriceMicros: z.coerce.bigint(),
  perUnits: z.coerce.bigint(),
  amountMicros: z.coerce.bigint(),
});

export interface Invoice extends ListedInvoice {
  lines: z.infer<typeof invoiceLine>[];
}

export async function findInvoice(db: Kysely<DB>, id: string): Promise<Invoice | undefined> {
  const row = await selectInvoices(db).where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  const lines = await db
    .selectFrom("tenantry.invoice_line_items")
    .select(["kind", "description", "plan", "metric", "quantity"])
    .select(["unit_price_micros as unitPriceMicros", "per_units as perUnits", "amount_micros as amountMicros"])
    .where("invoice_id", "=", id)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return { ...listedInvoice.parse(row), lines: lines.map((line) => invoiceLine.parse(line)) };
}

export async function readInvoice(db: Kysely<DB>, id: string): Promise<Invoice> {
  const found = await findInvoice(db, id);
  if (found === undefined) throw new Error(`The invoice ${id} does not exist.`);
  return found;
}

/**
 * Returns the invoices that the caller sees, latest month first, void ones included.
 * @param options.before last invoice of the previous page
 * @param options.limit default 100
 */
export async function listInvoices(
  db: Kysely<DB>,
  options: { clientId?: string; before?: Pick<ListedInvoice, "periodStart" | "id">; limit?: number } = {},
): Promise<ListedInvoice[]> {
  const { clientId, before, limit = 100 } = options;
  let query = selectInvoices(db)
    .orderBy("tenantry.invoices.period_start", "desc")
    .orderBy("tenantry.invoices.id", "desc")
    .limit(limit);
  if (clientId !== undefined) query = query.where("client_id", "=", clientId);
  if (before !== undefined) {
    query = query.where(sql<boolean>`(period_start, id) < (${before.periodStart}::date, ${before.id}::uuid)`);
  }
  return (await query.execute()).map((row) => listedInvoice.parse(row));
}

function selectInvoices(db: Kysely<DB>) {
  return db
    .selectFrom("tenantry.invoices")
    .select(["id", "client_id as clientId", "currency", "status", "total_micros as totalMicros"])
    .select([dayText("period_start").as("periodStart"), dayText("period_end").as("periodEnd")])
    .select(["created_at as createdAt", "issued_at as issuedAt", "ended_at as endedAt"]);
}
