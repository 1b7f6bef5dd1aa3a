import type { CreditEntry, CreditPool, Invoice, PlanOffers } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { IDS, onePage } from "./examples.ts";
import { section } from "./section.ts";

const params = { client_id: IDS.client };
const DOLLAR = 1_000_000;

const pool: CreditPool = {
  client_id: IDS.client,
  purchased_micros: 100 * DOLLAR,
  consumed_micros: 37.5 * DOLLAR,
  balance_micros: 62.5 * DOLLAR,
  prepaid: true,
  warn_below_micros: 10 * DOLLAR,
  delete_when_exhausted: false,
  state: "ok",
  state_since: "2026-11-02T09:30:00.000Z",
  state_deadline: null,
  deletion_requested: false,
  version: 7,
};

const entry: CreditEntry = {
  id: "f1e2d3c4-b5a6-4978-8a9b-0c1d2e3f4a5b",
  kind: "purchase",
  amount_micros: 100 * DOLLAR,
  day: null,
  reference: "order-2026-1044",
  note: "Bank transfer of 2 November",
  booked_at: "2026-11-02T09:30:00.000Z",
};

const limits = {
  ...{ cpu_ms: 30_000, subrequests: 50, backup_bytes: 8_000_000_000, sleep_after_seconds: 1800 },
  ...{ sleeps_with_channels: false, doors: 10, inbox_messages: 5000, ai_spend_usd: 50 },
};
const planOffers: PlanOffers = {
  current: "basic",
  month_start: "2026-11-01",
  month_end: "2026-12-01",
  data: [
    {
      plan: "basic",
      monthly_micros: 29 * DOLLAR,
      month_micros: 28_033_333,
      month_change_micros: 0,
      container: { memory_mib: 4096, vcpu: 0.5, disk_gb: 8 },
      limits,
    },
    {
      plan: "pro",
      monthly_micros: 99 * DOLLAR,
      month_micros: 95_700_000,
      month_change_micros: 67_666_667,
      container: { memory_mib: 6144, vcpu: 1, disk_gb: 12 },
      limits: { ...limits, cpu_ms: 50_000, subrequests: 100, doors: 50, inbox_messages: 20_000, ai_spend_usd: 200 },
    },
  ],
  refusal: null,
};

const { lines, ...summary }: Invoice = {
  id: IDS.invoice,
  client_id: IDS.client,
  period_start: "2026-11-01",
  period_end: "2026-12-01",
  currency: "USD",
  status: "issued",
  total_micros: 30.1 * DOLLAR,
  created_at: "2026-12-01T02:00:00.000Z",
  issued_at: "2026-12-02T02:00:00.000Z",
  ended_at: null,
  lines: [
    {
      kind: "flat_fee",
      description: "Plan basic, 29 of 30 days",
      plan: "basic",
      metric: null,
      quantity: 29,
      unit_price_micros: 29 * DOLLAR,
      per_units: 30,
      amount_micros: 28_033_333,
    },
    {
      kind: "usage",
      description: "ai_spend",
      plan: "basic",
      metric: "ai_spend",
      quantity: 2_066_667,
      unit_price_micros: 1,
      per_units: 1,
      amount_micros: 2_066_667,
    },
  ],
};

const price = {
  id: "c9d8e7f6-a5b4-4c3d-9e2f-1a0b9c8d7e6f",
  plan: "basic",
  metric: "flat_fee",
  unit: "month",
  per_units: 1,
  micros: 29 * DOLLAR,
  valid_from: "2026-11-01",
} as const;
const later = {
  plan: "basic",
  metric: "flat_fee",
  per_units: 1,
  micros: 35 * DOLLAR,
  valid_from: "2027-01-01",
} as const;

export const billingSection = section(
  billingRoutes,
  "Billing",
  "Usage, credit, invoices and prices. Amounts are integers in millionths of a US dollar (`*_micros`); days are UTC.",
  {
    getCredit: {
      description:
        "Returns the balance and credit settings of a client, or `null` before its first purchase or usage. `state` and `state_deadline` say which step comes next for a prepaid client without credit.",
      params,
      answer: pool,
    },
    updateCredit: {
      description:
        "Changes whether a client pays in advance, at which balance it is warned, and whether it is deleted without credit. The new settings take effect at once: a prepaid client without credit enters its grace period.",
      params,
      body: { prepaid: true, warn_below_micros: 10 * DOLLAR },
      answer: pool,
      errors: { conflict: "The client has no credit yet." },
    },
    listCreditEntries: {
      description:
        "Returns the ledger of a client: purchases, payments, consumption by day, and corrections. The newest entry is first; entries never change. The ledger stays readable after the client is deleted.",
      params,
      answer: onePage(entry),
    },
    topUpCredit: {
      description:
        "Books a purchase of credit, once for each reference, and returns the new balance. The request charges nobody: book it after the payment arrived. New credit ends the grace period and resumes an instance that missing credit froze.",
      params,
      body: { amount_micros: 100 * DOLLAR, reference: "order-2026-1044", note: "Bank transfer of 2 November" },
      answer: pool,
      errors: {
        conflict: "The reference was booked for this client with another amount, or as another kind of entry.",
      },
    },
    listUsage: {
      description:
        "Returns the usage of a client by UTC day and metric, at most 366 days; `from` and `to` are included. The figures of the current day are up to an hour behind. Days and metrics without usage are omitted.",
      params,
      query: { from: "2026-11-01", to: "2026-11-30" },
      answer: { data: [{ day: "2026-11-02", metric: "ai_queries", quantity: 318 }] },
    },
    listInvoices: {
      description:
        "Returns the monthly invoices of a client without their lines, the latest month first. They stay readable after the client is deleted.",
      params,
      answer: onePage(summary),
    },
    getInvoice: {
      description:
        "Returns an invoice with its lines: the flat fee, usage by metric, corrections of earlier months, and credit that paid for it.",
      params: { invoice_id: IDS.invoice },
      answer: { ...summary, lines },
    },
    getInvoicePdf: {
      description:
        "Returns an invoice as PDF, with the partner's name, all lines and the total. The same invoice gives the same bytes. A name with characters outside Western European Latin is replaced by the client's slug on the page; the document's properties have it in full.",
      params: { invoice_id: IDS.invoice },
    },
    listPlans: {
      description:
        "Returns for each plan the client's monthly fee, the fees of the current month if the plan changed today, the size of the container, and the limits. Fees are those of invoices. `changeWorkerPlan` changes the plan.",
      params,
      answer: planOffers,
    },
    listPrices: {
      description:
        "Returns all prices by plan and metric, also past and future ones. A price is valid from its day until the next price of its plan and metric.",
      answer: { prices: [price] },
    },
    setPrice: {
      description:
        "Adds a price that is valid from `valid_from` on, and returns all prices. Days before today cannot be priced again. A price for the same plan, metric and future day is replaced.",
      body: later,
      answer: { prices: [price, { ...price, ...later, id: "d8e7f6a5-b4c3-4d2e-8f1a-0b9c8d7e6f5a" }] },
      errors: { conflict: "`valid_from` is in the past." },
    },
  },
);
