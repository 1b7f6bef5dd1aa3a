/** Usage, credit, invoices and prices, by the API. */
import * as z from "zod";
import {
  creditEntry,
  creditPool,
  creditSettings,
  dayUsage,
  invoice,
  invoiceSummary,
  newPrice,
  priceList,
  topUp,
} from "./billing.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { BOTH_ROOTS, ROOT_ONLY, route, routes } from "./route.ts";

const ofClient = z.object({ client_id: z.uuid() });

export const billingRoutes = routes("billing", {
  getCredit: route("get", "/client/:client_id/credit", {
    summary: "A client's credit; null while nothing was bought or used",
    callers: BOTH_ROOTS,
    params: ofClient,
    answer: creditPool.nullable(),
    versioned: true,
  }),
  updateCredit: route("put", "/client/:client_id/credit", {
    summary: "Change how a client's credit is dealt with: what is left out stays",
    callers: ROOT_ONLY,
    params: ofClient,
    body: creditSettings,
    answer: creditPool,
    refusals: ["conflict"],
    versioned: true,
  }),
  listCreditEntries: route("get", "/client/:client_id/credit/entries", {
    summary: "The ledger of a client's credit, newest first",
    callers: BOTH_ROOTS,
    params: ofClient,
    query: pageQuery,
    answer: pageOf(creditEntry),
  }),
  topUpCredit: route("post", "/client/:client_id/credit/top-up", {
    summary: "Book a purchase of credit, once by its reference",
    callers: ROOT_ONLY,
    params: ofClient,
    body: topUp,
    answer: creditPool,
    status: 201,
    refusals: ["conflict"],
  }),
  listUsage: route("get", "/client/:client_id/usage", {
    summary: "What a client used, a line a day and metric, both days included; by default the last 30",
    callers: BOTH_ROOTS,
    params: ofClient,
    query: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    answer: z.object({ data: z.array(dayUsage) }),
  }),
  listInvoices: route("get", "/client/:client_id/invoices", {
    summary: "A client's invoices, the latest month first",
    callers: BOTH_ROOTS,
    params: ofClient,
    query: pageQuery,
    answer: pageOf(invoiceSummary),
  }),
  getInvoice: route("get", "/invoice/:invoice_id", {
    summary: "An invoice with its lines",
    callers: BOTH_ROOTS,
    params: z.object({ invoice_id: z.uuid() }),
    answer: invoice,
  }),
  listPrices: route("get", "/prices", {
    summary: "All prices, past and coming ones too",
    callers: BOTH_ROOTS,
    answer: priceList,
  }),
  setPrice: route("post", "/prices", {
    summary: "Set a price from a day on, which is not over yet",
    callers: ROOT_ONLY,
    body: newPrice,
    answer: priceList,
    status: 201,
    refusals: ["conflict"],
  }),
});
