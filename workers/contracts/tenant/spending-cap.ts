/** The cap of a tenant's spending on models, which its Worker enforces. */
import * as z from "zod";
import { MAX_MICROS } from "#domain/billing/money.ts";
import { INTERNAL_PATH_PREFIX } from "./internal.ts";

/** `PUT` with a {@link spendingCapOrder}: replaces the cap. 204 after it is stored; calls follow within seconds. */
export const SPENDING_CAP_PATH = `${INTERNAL_PATH_PREFIX}/spending-cap`;

/** Days for which the cap holds: today and those before. */
export const SPENDING_CAP_DAYS = 30;

const micros = z.int().min(0).max(Number(MAX_MICROS));

export const spendingCapOrder = z.strictObject({
  /** Millionths of a US dollar; null: none of its own, only the plan's. */
  cap: micros.nullable(),
  /** Spending by UTC day that the platform knows, for days before this tenant counted. */
  days: z.array(z.strictObject({ day: z.iso.date(), micros })).max(SPENDING_CAP_DAYS + 1),
});
export type SpendingCapOrder = z.infer<typeof spendingCapOrder>;
