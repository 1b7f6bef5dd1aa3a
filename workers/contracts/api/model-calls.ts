/** Spending on models, its cap, and calls of models in the API. */
import * as z from "zod";
import { ROOTS_AND_ADMINS, route, routes } from "./route.ts";

const count = z.number().nonnegative();
const day = z.iso.date();
const ofClient = z.object({ client_id: z.uuid() });

/** Analytics Engine stores points for three months. */
export const MAX_SPENDING_DAYS = 92;
/** Number of days for which the cap holds. */
export const CAP_DAYS = 30;

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
});
