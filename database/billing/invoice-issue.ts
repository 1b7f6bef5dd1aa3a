/** Lifecycle of invoices. Each function locks the client's credit until the end of the transaction. */
import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { type BillingMonth, billingMonth } from "#domain/billing/billing-month.ts";
import {
  type Balance,
  type InvoiceLine,
  type InvoiceStatus,
  invoiceLines,
  uncoveredAmount,
} from "#domain/billing/invoice.ts";
import { totalAmount } from "#domain/billing/money.ts";
import type { DB } from "../types.ts";
import { lockCredit } from "./credit-pool.ts";
import { bookCredit } from "./credits.ts";
import { type Invoice, readInvoice } from "./invoices.ts";
import { tariffsOf } from "./tariffs.ts";
import { listUsage } from "./usage.ts";

/** The operation is not possible in the state of this or another invoice. */
export class InvoiceRefused extends Error {
  override name = "InvoiceRefused";
}

/**
 * Creates or updates a client's draft invoice of a month. The same usage, plans, prices and ledger give the same invoice.
 * @param month `YYYY-MM`
 * @throws InvoiceRefused if it or an invoice of a later month is issued; the next invoice then has the missing usage
 * @throws PriceMissing, AmountOutOfRange
 */
export async function draftInvoice(tx: Transaction<DB>, clientId: string, month: string): Promise<Invoice> {
  await lockCredit(tx, [clientId]);
  const period = billingMonth(month);
  const others = await tx
    .selectFrom("tenantry.invoices")
    .select(["id", "status", sql<boolean>`period_start = ${period.start}::date`.as("same")])
    .where("client_id", "=", clientId)
    .where("status", "!=", "void")
    .where(sql<boolean>`period_start >= ${period.start}::date`)
    .execute();
  const draft = others.find(({ same }) => same);
  if (draft !== undefined && draft.status !== "draft")
    throw new InvoiceRefused(`the invoice of ${month} is ${draft.status}`);
  if (others.some(({ same, status }) => !same && status !== "draft")) {
    throw new InvoiceRefused(`a later invoice than ${month} is issued; the next invoice has the missing usage`);
  }
  const id = draft?.id ?? (await insertDraft(tx, clientId, period));
  const lines = await linesOf(tx, clientId, period);
  await writeLines(tx, id, lines);
  await tx
    .updateTable("tenantry.invoices")
    .set({ total_micros: totalAmount(lines.map(({ amountMicros }) => amountMicros)) })
    .where("id", "=", id)
    .execute();
  return readInvoice(tx, id);
}

/**
 * Updates a draft and issues it; an issued invoice cannot change.
 * @throws InvoiceRefused unless it is a draft, its month has ended, and no earlier draft exists
 */
export async function issueInvoice(tx: Transaction<DB>, id: string, at: Date): Promise<Invoice> {
  const { clientId, periodStart, periodEnd } = await lockedInvoice(tx, id, "draft", "issued");
  if (at < new Date(`${periodEnd}T00:00:00Z`)) throw new InvoiceRefused(`its month ends on ${periodEnd}`);
  const earlier = await tx
    .selectFrom("tenantry.invoices")
    .select("id")
    .where("client_id", "=", clientId)
    .where("status", "=", "draft")
    .where(sql<boolean>`period_start < ${periodStart}::date`)
    .executeTakeFirst();
  if (earlier !== undefined) throw new InvoiceRefused("an earlier invoice of this client is a draft; issue it first");
  await draftInvoice(tx, clientId, periodStart.slice(0, 7));
  await tx.updateTable("tenantry.invoices").set({ status: "issued", issued_at: at }).where("id", "=", id).execute();
  return queueEvent(tx, id);
}

/**
 * Ends an issued invoice. If it is paid, usage beyond the credit is booked as paid. If it is void, the next invoice has its usage.
 * @throws InvoiceRefused unless it is issued
 */
export async function endInvoice(
  tx: Transaction<DB>,
  id: string,
  outcome: "paid" | "void",
  at: Date,
): Promise<Invoice> {
  const { clientId, lines } = await lockedInvoice(tx, id, "issued", outcome);
  await tx.updateTable("tenantry.invoices").set({ status: outcome, ended_at: at }).where("id", "=", id).execute();
  const amountMicros = uncoveredAmount(lines);
  if (outcome === "paid" && amountMicros !== 0n) {
    const kind = amountMicros > 0n ? "payment" : "correction";
    await bookCredit(tx, { clientId, amountMicros, kind, reference: `invoice:${id}`, at });
  }
  return queueEvent(tx, id);
}

async function lockedInvoice(
  tx: Transaction<DB>,
  id: string,
  status: InvoiceStatus,
  next: InvoiceStatus,
): Promise<Invoice> {
  const { clientId } = await readInvoice(tx, id);
  await lockCredit(tx, [clientId]);
  const invoice = await readInvoice(tx, id);
  if (invoice.status !== status) throw new InvoiceRefused(`an invoice that is ${invoice.status} cannot become ${next}`);
  return invoice;
}

/** The id is a function of client, month and the number of void invoices, so that an invoice missing in a restored database gets it again. */
async function insertDraft(tx: Transaction<DB>, clientId: string, { start, end }: BillingMonth): Promise<string> {
  const { voided } = await tx
    .selectFrom("tenantry.invoices")
    .select(({ fn }) => fn.countAll<string>().as("voided"))
    .where("client_id", "=", clientId)
    .where("status", "=", "void")
    .where(sql<boolean>`period_start = ${start}::date`)
    .executeTakeFirstOrThrow();
  const id = invoiceId(clientId, start, Number(voided));
  const row = { id, client_id: clientId, period_start: start, period_end: end };
  return (await tx.insertInto("tenantry.invoices").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

async function linesOf(tx: Transaction<DB>, clientId: string, period: BillingMonth): Promise<InvoiceLine[]> {
  const tariff = (await tariffsOf(tx, [clientId])).get(clientId);
  if (tariff === undefined) throw new InvoiceRefused("the client does not exist");
  const usage = await listUsage(tx, clientId, period.start, period.days.at(-1) ?? period.start);
  return invoiceLines(period, tariff, usage, await balanceOf(tx, clientId, period));
}

async function balanceOf(tx: Transaction<DB>, clientId: string, { start, end }: BillingMonth): Promise<Balance> {
  const { rows } = await sql<Record<"consumed" | "charged" | "credit", string>>`
    select
      (select coalesce(-sum(amount_micros), 0)::text from tenantry.credit_entries
        where client_id = ${clientId} and day < ${end}::date) as consumed,
      (select coalesce(sum(l.amount_micros), 0)::text
        from tenantry.invoices v join tenantry.invoice_line_items l on l.invoice_id = v.id
        where v.client_id = ${clientId} and v.status in ('issued', 'paid') and v.period_start < ${start}::date
          and l.kind in ('usage', 'carried')) as charged,
      (select coalesce(sum(amount_micros), 0)::text from tenantry.credit_entries
        where client_id = ${clientId} and day is null and booked_at < ${end}::timestamp at time zone 'utc') as credit`.execute(
    tx,
  );
  const { consumed = "0", charged = "0", credit = "0" } = rows[0] ?? {};
  return { consumedMicros: BigInt(consumed), chargedMicros: BigInt(charged), creditMicros: BigInt(credit) };
}

async function writeLines(tx: Transaction<DB>, id: string, lines: readonly InvoiceLine[]): Promise<void> {
  await tx.deleteFrom("tenantry.invoice_line_items").where("invoice_id", "=", id).execute();
  if (lines.length === 0) return;
  const rows = lines.map((line, position) => ({
    invoice_id: id,
    position,
    kind: line.kind,
    description: line.description,
    plan: line.plan,
    metric: line.metric,
    quantity: line.quantity,
    unit_price_micros: line.unitPriceMicros,
    per_units: line.perUnits,
    amount_micros: line.amountMicros,
  }));
  await tx.insertInto("tenantry.invoice_line_items").values(rows).execute();
}

/** Returns the invoice after queueing an event with its status. */
async function queueEvent(tx: Transaction<DB>, id: string): Promise<Invoice> {
  const invoice = await readInvoice(tx, id);
  const data = { id, month: invoice.periodStart.slice(0, 7) };
  // Only the partner of a deleted client gets the event.
  await sql`
    insert into tenantry.events (environment, partner_id, client_id, kind, data)
    select a.environment, a.partner_id, c.id, ${`invoice.${invoice.status}`}, ${JSON.stringify(data)}::jsonb
    from tenantry.billing_accounts a left join tenantry.clients c on c.id = a.id
    where a.id = ${invoice.clientId}`.execute(tx);
  return invoice;
}

/** Returns a UUID of version 8 (RFC 9562) from a hash. @param voided number of void invoices of the client and month */
function invoiceId(clientId: string, periodStart: string, voided: number): string {
  const hash = createHash("sha256").update(`invoice/${clientId}/${periodStart}/${voided}`).digest("hex");
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
