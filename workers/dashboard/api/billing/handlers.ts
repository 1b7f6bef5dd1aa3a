/** What the routes of billing do. */
import type { Kysely } from "kysely";
import { hasAccount } from "#database/billing/accounts.ts";
import { readPool } from "#database/billing/credit-pool.ts";
import { bookCredit, listCreditEntries, ReferenceTaken, setCreditSettings } from "#database/billing/credits.ts";
import { findInvoice, listInvoices } from "#database/billing/invoices.ts";
import { listPrices, setPrice } from "#database/billing/prices.ts";
import { listUsage } from "#database/billing/usage.ts";
import type { DB } from "#database/types.ts";
import { dayOf } from "#domain/billing/billing-month.ts";
import type { Environment } from "#domain/environment.ts";
import type { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { inTransaction } from "../../http/connection.ts";
import { pageOf, placeAfter } from "../../http/cursors.ts";
import { Failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { requireVersion } from "../../http/versions.ts";
import { requireClient } from "../clients/required.ts";
import { creditBody, entryBody, invoiceBody, invoiceSummaryBody, priceBody } from "./bodies.ts";

/** Days of usage that one answer holds. */
const MOST_DAYS = 366;
/** Days of usage that are told where nobody says which. */
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** What is on the books of a client is read also when it is gone. @throws Failure `not_found` */
async function requireBooks(db: Kysely<DB>, environment: Environment, clientId: string): Promise<void> {
  if (!(await hasAccount(db, environment, clientId))) throw new Failure("not_found", "There is no such client.");
}

async function requirePool(db: Kysely<DB>, clientId: string) {
  const pool = await readPool(db, clientId);
  if (pool === undefined) throw new Failure("conflict", "The client has no credit yet; top it up first.");
  return pool;
}

async function prices(db: Kysely<DB>, environment: Environment) {
  return { prices: (await listPrices(db, environment)).map(priceBody) };
}

export const billingHandlers: Handlers<typeof billingRoutes> = {
  async getCredit({ db, settings, params }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const pool = await readPool(db, params.client_id);
    return pool === undefined ? null : creditBody(pool);
  },

  async updateCredit({ db, settings, params, body, expected }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireVersion(expected, (await requirePool(db, params.client_id)).version);
    const { prepaid, warn_below_micros, delete_when_exhausted } = body;
    const changes = {
      ...(prepaid !== undefined && { prepaid }),
      ...(warn_below_micros !== undefined && { warnBelowMicros: BigInt(warn_below_micros) }),
      ...(delete_when_exhausted !== undefined && { deleteWhenExhausted: delete_when_exhausted }),
    };
    await setCreditSettings(inTransaction(db), params.client_id, changes, new Date());
    return creditBody(await requirePool(db, params.client_id));
  },

  async listCreditEntries({ db, settings, params, query }) {
    await requireBooks(db, settings.ENVIRONMENT, params.client_id);
    const [bookedText, id] = placeAfter(query.after) ?? [];
    const before = bookedText !== undefined && id !== undefined ? { before: { bookedText, id } } : {};
    const found = await listCreditEntries(db, params.client_id, { ...before, limit: query.limit + 1 });
    return pageOf(found, { limit: query.limit, body: entryBody, placeOf: (entry) => [entry.bookedText, entry.id] });
  },

  async topUpCredit({ db, settings, params, body }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const { amount_micros, reference, note } = body;
    const booking = {
      clientId: params.client_id,
      amountMicros: BigInt(amount_micros),
      reference,
      note,
      at: new Date(),
    };
    try {
      await bookCredit(inTransaction(db), { ...booking, kind: "purchase" });
    } catch (error) {
      if (error instanceof ReferenceTaken) throw new Failure("conflict", `${error.message}; choose another reference.`);
      throw error;
    }
    return creditBody(await requirePool(db, params.client_id));
  },

  async listUsage({ db, settings, params, query }) {
    const { to = dayOf(new Date()) } = query;
    const { from = dayOf(new Date(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS)) } = query;
    await requireBooks(db, settings.ENVIRONMENT, params.client_id);
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (days < 0 || days >= MOST_DAYS) {
      throw new Failure("invalid_request", "The query holds values that cannot be.", {
        to: [`ask for 1 to ${MOST_DAYS} days`],
      });
    }
    const usage = await listUsage(db, params.client_id, from, to);
    return { data: usage.map(({ day, metric, quantity }) => ({ day, metric, quantity: Number(quantity) })) };
  },

  async listInvoices({ db, settings, params, query }) {
    await requireBooks(db, settings.ENVIRONMENT, params.client_id);
    const [periodStart, id] = placeAfter(query.after) ?? [];
    const before = periodStart !== undefined && id !== undefined ? { before: { periodStart, id } } : {};
    const found = await listInvoices(db, { clientId: params.client_id, ...before, limit: query.limit + 1 });
    return pageOf(found, {
      limit: query.limit,
      body: invoiceSummaryBody,
      placeOf: (invoice) => [invoice.periodStart, invoice.id],
    });
  },

  async getInvoice({ db, params }) {
    const found = await findInvoice(db, params.invoice_id);
    if (found === undefined) throw new Failure("not_found", "There is no such invoice.");
    return invoiceBody(found);
  },

  listPrices: ({ db, settings }) => prices(db, settings.ENVIRONMENT),

  async setPrice({ db, settings, body }) {
    const { plan, metric, per_units, micros, valid_from } = body;
    const price = { plan, metric, perUnits: BigInt(per_units), micros: BigInt(micros), validFrom: valid_from };
    await setPrice(inTransaction(db), settings.ENVIRONMENT, price);
    return prices(db, settings.ENVIRONMENT);
  },
};
