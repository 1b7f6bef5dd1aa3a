/** Spending on models, its cap, and calls of models in the API. */
import * as z from "zod";
import { MAX_MICROS } from "#domain/billing/money.ts";
import { callOutcomes, modelCall } from "./model-call-log.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { ROOTS_AND_ADMINS, route, routes } from "./route.ts";

const micros = z.int().min(0).max(Number(MAX_MICROS));
const count = z.number().nonnegative();
const day = z.iso.date();
const ofClient = z.object({ client_id: z.uuid() });

/** Analytics Engine stores points for three months. */
export const MAX_SPENDING_DAYS = 92;
export const spendingBy = ["model", "person"] as const;
export type SpendingBy = (typeof spendingBy)[number];
export const spendingPer = ["day", "month"] as const;

export const spending = z.object({
  from: day,
  to: day,
  /** Ordered by period, then highest spending first. */
  data: z.array(
    z.object({
      /** First day (UTC) of the day or month. */
      period: day,
      /** Model or person; null if it is unknown. */
      name: z.string().nullable(),
      /** Null except by model. */
      provider: z.string().nullable(),
      /** Without calls that the client's own provider keys pay. */
      spent_micros: count,
      calls: count,
      input_tokens: count,
      output_tokens: count,
    }),
  ),
  /** Whether entries with the lowest spending are omitted, because there are too many. */
  truncated: z.boolean(),
});
export type Spending = z.infer<typeof spending>;
type SpendingEntry = Spending["data"][number];

/** Adds the spending of an entry to that of another one. */
export const addSpending = (one: SpendingEntry, other: SpendingEntry): SpendingEntry => ({
  ...one,
  spent_micros: one.spent_micros + other.spent_micros,
  calls: one.calls + other.calls,
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
});

export const spendingCap = z.object({
  client_id: z.uuid(),
  /** Set by an ADMIN or a root; null: what the plan permits. */
  cap_micros: micros.nullable(),
  /** What the plan permits; null: any amount. */
  maximum_micros: micros.nullable(),
  /** In the last 30 days, from the billing ledger. */
  spent_micros: count,
  version: z.int(),
});
export type SpendingCap = z.infer<typeof spendingCap>;

export const modelCallRoutes = routes("model-calls", {
  getSpending: route("get", "/client/:client_id/spending", {
    summary: "Get a client's spending by model or person",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    query: z.object({
      from: day.optional(),
      to: day.optional(),
      by: z.enum(spendingBy).default("model"),
      per: z.enum(spendingPer).default("day"),
    }),
    answer: spending,
    refusals: ["tenant_unavailable"],
  }),
  getSpendingCap: route("get", "/client/:client_id/spending-cap", {
    summary: "Get the cap of a client's spending on models",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    answer: spendingCap,
    versioned: true,
  }),
  setSpendingCap: route("put", "/client/:client_id/spending-cap", {
    summary: "Set the cap of a client's spending on models",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    body: z.strictObject({ cap_micros: micros.nullable() }),
    answer: spendingCap,
    versioned: true,
  }),
  listModelCalls: route("get", "/client/:client_id/model-calls", {
    summary: "List a client's calls of models",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    query: pageQuery.extend({
      day: day.optional(),
      model: z.string().trim().min(1).max(200).optional(),
      outcome: z.enum(callOutcomes).optional(),
    }),
    answer: pageOf(modelCall),
    refusals: ["limit_exceeded", "tenant_unavailable"],
  }),
});
