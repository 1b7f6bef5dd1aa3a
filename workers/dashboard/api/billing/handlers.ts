import type { Kysely } from "kysely";
import { findAccount, hasAccount } from "#database/billing/accounts.ts";
import { readPool } from "#database/billing/credit-pool.ts";
import { bookCredit, listCreditEntries, ReferenceTaken, setCreditSettings } from "#database/billing/credits.ts";
import { findInvoice, listInvoices } from "#database/billing/invoices.ts";
import { listPrices, setPrice } from "#database/billing/prices.ts";
import { listUsage } from "#database/billing/usage.ts";
import { findPartner } from "#database/people/partners.ts";
import { findInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { dayOf } from "#domain/billing/billing-month.ts";
import type { Environment } from "#domain/environment.ts";
import { billingErrors } from "#domain/errors/api/billing.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import type { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { brandOf } from "#workers/contracts/brand.ts";
import { shownPartner } from "#workers/contracts/branding.ts";
import { inTransaction } from "../../http/connection.ts";
import { type PageRequest, pageOf } from "../../http/cursors.ts";
import { failure, invalidInput, requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { requireUnchanged } from "../changed-by.ts";
import { requireClient } from "../required.ts";
import { creditBody, entryBody, invoiceBody, invoiceSummaryBody, priceBody } from "./bodies.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { offerPlans } from "./plan-offers.ts";

/** Maximum days of usage in a response. */
const MOST_DAYS = 366;
/** Default days of usage. */
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** A deleted client's billing records remain readable. @throws Failure `not_found` */
async function requireBooks(db: Kysely<DB>, environment: Environment, clientId: string): Promise<void> {
  if (!(await hasAccount(db, environment, clientId))) throw failure(clientErrors.client_not_found);
}

async function requirePool(db: Kysely<DB>, clientId: string) {
  const pool = await readPool(db, clientId);
  if (pool === undefined) throw failure(billingErrors.client_has_no_credit);
  return pool;
}

async function priceListBody(db: Kysely<DB>, environment: Environment) {
  return { prices: (await listPrices(db, environment)).map(priceBody) };
}

export const billingHandlers: Handlers<typeof billingRoutes> = {
  async getCredit({ db, settings, params }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const pool = await readPool(db, params.client_id);
    return pool === undefined ? null : creditBody(pool);
  },

  async updateCredit({ db, settings, params, body, caller, expected }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const { version } = await requirePool(db, params.client_id);
    await requireUnchanged(db, expected, { entity: "credit_pools", id: params.client_id, version }, caller);
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
    const list = ({ limit, after }: PageRequest) =>
      listCreditEntries(db, params.client_id, {
        limit,
        ...(after && { before: { bookedText: after[0], id: after[1] } }),
      });
    return pageOf(query, list, { body: entryBody, placeOf: (entry) => [entry.bookedText, entry.id] });
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
      if (error instanceof ReferenceTaken) throw failure(billingErrors.credit_reference_taken, { reference });
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
      throw invalidInput("query", {
        to: [`must be 1 to ${MOST_DAYS} days after from`],
      });
    }
    const usage = await listUsage(db, params.client_id, from, to);
    return { data: usage.map(({ day, metric, quantity }) => ({ day, metric, quantity: Number(quantity) })) };
  },

  async listInvoices({ db, settings, params, query }) {
    await requireBooks(db, settings.ENVIRONMENT, params.client_id);
    const list = ({ limit, after }: PageRequest) =>
      listInvoices(db, {
        clientId: params.client_id,
        limit,
        ...(after && { before: { periodStart: after[0], id: after[1] } }),
      });
    return pageOf(query, list, { body: invoiceSummaryBody, placeOf: (invoice) => [invoice.periodStart, invoice.id] });
  },

  async getInvoice({ db, params }) {
    return invoiceBody(requireFound(await findInvoice(db, params.invoice_id), billingErrors.invoice_not_found));
  },

  async getInvoicePdf({ db, settings, params }) {
    const found = requireFound(await findInvoice(db, params.invoice_id), billingErrors.invoice_not_found);
    const client = requireFound(await findAccount(db, found.clientId), billingErrors.invoice_not_found);
    const partner =
      client.partner_id === null ? undefined : await findPartner(db, settings.ENVIRONMENT, client.partner_id);
    const brand = brandOf(partner === undefined ? null : shownPartner.parse(partner));
    const bytes = await invoicePdf({ invoice: invoiceBody(found), client, brand });
    const name = `invoice-${client.slug}-${found.periodStart.slice(0, 7)}.pdf`;
    return new Response(bytes, {
      headers: { "content-type": "application/pdf", "content-disposition": `attachment; filename="${name}"` },
    });
  },

  async listPlans({ db, settings, params }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const instance = client.instance && (await findInstance(db, settings.ENVIRONMENT, { id: client.instance.id }));
    return offerPlans(db, { client, instance: instance ?? undefined, containers: settings.CONTAINERS });
  },

  listPrices: ({ db, settings }) => priceListBody(db, settings.ENVIRONMENT),

  async setPrice({ db, settings, body }) {
    const { plan, metric, per_units, micros, valid_from } = body;
    const price = { plan, metric, perUnits: BigInt(per_units), micros: BigInt(micros), validFrom: valid_from };
    await setPrice(inTransaction(db), settings.ENVIRONMENT, price);
    return priceListBody(db, settings.ENVIRONMENT);
  },
};
