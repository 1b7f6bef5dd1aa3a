import * as z from "zod";
import type { DlpReport } from "../dlp/dlp.ts";

const flag = z.number().transform((value) => value === 1);
const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Parses a row of the log of gateways to an entry. Names are those of the API. */
export const logRow = z.object({
  id: z.string(),
  created_at: z.string(),
  /** Milliseconds. */
  duration: z.number(),
  provider: z.string(),
  model: z.string(),
  /** Path at the provider, without query. */
  path: z.string(),
  success: flag,
  cached: flag,
  status_code: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  /** US dollars. */
  cost: z.number(),
  custom_cost: flag,
  metadata: z.string().transform((text) => metadata.parse(JSON.parse(text))),
  request_content_type: z.string(),
  response_content_type: z.string(),
  step: z.number(),
  dlp: z
    .string()
    .nullable()
    .transform((text): DlpReport | undefined => (text === null ? undefined : JSON.parse(text))),
});
export type LogEntry = z.output<typeof logRow>;

export const toRow = (entry: LogEntry) => ({
  ...entry,
  success: Number(entry.success),
  cached: Number(entry.cached),
  custom_cost: Number(entry.custom_cost),
  metadata: JSON.stringify(entry.metadata),
  dlp: entry.dlp === undefined ? null : JSON.stringify(entry.dlp),
});

/** Bodies of a request and its response. They have no headers and so no keys. */
export interface Payloads {
  request: string;
  response: string;
}
