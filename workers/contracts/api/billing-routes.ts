/** Usage, credit, invoices and prices in the API. */
import * as z from "zod";
import {
  creditEntry,
  creditPool,
  creditSettings,
  dayUsage,
  invoice,
  invoiceSummary,
  newPrice,
  planOffers,
  priceList,
  topUp,
} from "./billing.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { BOTH_ROOTS, ROOT_ONLY, ROOTS_AND_ADMINS, route, routes } from "./route.ts";

const ofClient = z.object({ client_id: z.uuid() });

export const billingRoutes = routes("billing", {
  getCredit: route("get", "/client/:client_id/credit", {
    summary: "Get a client's credit",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    answer: creditPool.nullable(),
    versioned: true,
  }),
  updateCredit: route("put", "/client/:client_id/credit", {
    summary: "Update a client's credit settings",
    callers: ROOT_ONLY,
    params: ofClient,
    body: creditSettings,
    answer: creditPool,
    refusals: ["conflict"],
    versioned: true,
  }),
  listCreditEntries: route("get", "/client/:client_id/credit/entries", {
    summary: "List a client's credit entries",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    query: pageQuery,
    answer: pageOf(creditEntry),
  }),
  topUpCredit: route("post", "/client/:client_id/credit/top-up", {
    summary: "Book a purchase of credit",
    callers: ROOT_ONLY,
    params: ofClient,
    body: topUp,
    answer: creditPool,
    status: 201,
    refusals: ["conflict"],
  }),
  listUsage: route("get", "/client/:client_id/usage", {
    summary: "List a client's usage by day and metric",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    query: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    answer: z.object({ data: z.array(dayUsage) }),
  }),
  listInvoices: route("get", "/client/:client_id/invoices", {
    summary: "List a client's invoices",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    query: pageQuery,
    answer: pageOf(invoiceSummary),
  }),
  getInvoice: route("get", "/invoice/:invoice_id", {
    summary: "Get an invoice with its lines",
    callers: ROOTS_AND_ADMINS,
    params: z.object({ invoice_id: z.uuid() }),
    answer: invoice,
  }),
  getInvoicePdf: route("get", "/invoice/:invoice_id/pdf", {
    summary: "Get an invoice as PDF",
    callers: ROOTS_AND_ADMINS,
    params: z.object({ invoice_id: z.uuid() }),
    produces: ["application/pdf"],
  }),
  listPlans: route("get", "/client/:client_id/plans", {
    summary: "List the plans with their prices for a client",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    answer: planOffers,
  }),
  listPrices: route("get", "/prices", {
    summary: "List all prices",
    callers: BOTH_ROOTS,
    answer: priceList,
  }),
  setPrice: route("post", "/prices", {
    summary: "Set a price",
    callers: ROOT_ONLY,
    body: newPrice,
    answer: priceList,
    status: 201,
    refusals: ["conflict"],
  }),
});
