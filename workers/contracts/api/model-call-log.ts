/** Calls of models in the AI gateways' logs, which the dispatch Worker reads for one tenant. */
import * as z from "zod";

export const callOutcomes = ["succeeded", "failed", "flagged", "blocked"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

export const MAX_CALLS = 100;

/** A place in the log, newest first: when a call began, and its ID. */
export const callCursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~[\w-]{0,64}~?$/)
  .refine((cursor) => !Number.isNaN(Date.parse(cursor.slice(0, 24))));

const count = z.number().nonnegative();

/** Without prompts and responses, which the platform shows to nobody. */
export const modelCall = z.object({
  id: z.string().min(1).max(64),
  at: z.iso.datetime(),
  duration_ms: count,
  provider: z.string(),
  model: z.string(),
  person: z.string().nullable(),
  /** HTTP status; null if the log has none. */
  status_code: z.number().nullable(),
  success: z.boolean(),
  cached: z.boolean(),
  input_tokens: count,
  output_tokens: count,
  cost_micros: count,
  /** Whether the client's own provider key paid. */
  own_key: z.boolean(),
  /** What the filter of personal data found; null for nothing. */
  findings: z
    .object({
      action: z.enum(["flagged", "blocked"]),
      in: z.array(z.enum(["request", "response"])),
      /** IDs of the profiles of data loss prevention. */
      profiles: z.array(z.string()),
    })
    .nullable(),
});
export type ModelCall = z.infer<typeof modelCall>;

/** Query of the dispatch Worker's order `GET /_model-calls/{slug}`. */
export const callQuery = z.object({
  gateway: z.string().min(1).max(64),
  /** Name of the tenant at AI gateways. */
  tenant: z.string().min(1).max(100),
  since: z.iso.datetime(),
  limit: z.coerce.number().int().min(1).max(MAX_CALLS),
  after: callCursor.optional(),
  model: z.string().min(1).max(200).optional(),
  outcome: z.enum(callOutcomes).optional(),
});
export type CallQuery = z.infer<typeof callQuery>;

export const callPage = z.object({ calls: z.array(modelCall), next: callCursor.nullable() });
export type CallPage = z.infer<typeof callPage>;
