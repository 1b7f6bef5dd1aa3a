import { LIMITS } from "@tenantry/cloudflare-limits/limits";

/** Blobs, and as many doubles, of a point. */
export const MOST_FIELDS = LIMITS.analyticsBlobs.value;

const numbers = Array.from({ length: MOST_FIELDS }, (_, index) => index + 1);
export const blobs = numbers.map((number) => `blob${number}` as const);
export const doubles = numbers.map((number) => `double${number}` as const);

/** In the order of Cloudflare's documentation. */
export const COLUMNS = ["dataset", "timestamp", "_sample_interval", "index1", ...blobs, ...doubles] as const;
export type Column = (typeof COLUMNS)[number];

export function isText(column: Column): boolean {
  return column === "dataset" || column === "index1" || column.startsWith("blob");
}
