/** Queries to models from the AI gateways' logs, which the dispatch Worker sends to each tenant. */
import * as z from "zod";
import { MAX_PERSON_LENGTH } from "#domain/ai-gateways/gateway-tenant.ts";
import { INTERNAL_PATH_PREFIX } from "../internal.ts";

/**
 * `POST` with an {@link aiUsageOrder}. 204 once the queries are counted. A query is counted once by its ID, and not if it is older than
 * {@link AI_USAGE_AGE_MS} or the tenant.
 */
export const AI_USAGE_PATH = `${INTERNAL_PATH_PREFIX}/ai-usage`;

/** Time for which query IDs are stored, in milliseconds. */
export const AI_USAGE_AGE_MS = 24 * 3600 * 1000;
export const MAX_AI_QUERIES = 500;

const count = z.number().nonnegative();

export const aiQuery = z.object({
  /** ID of the log entry. */
  id: z.string().min(1).max(64),
  /** ISO 8601 UTC. */
  at: z.iso.datetime(),
  /** By OpenTelemetry's conventions, such as `chat`; empty if they have no name for it. */
  operation: z.string(),
  provider: z.string(),
  model: z.string(),
  inputTokens: count,
  outputTokens: count,
  /** Millionths of a US dollar. */
  cost: z.int().nonnegative(),
  /** Whether the tenant pays its provider for it, so that the platform does not charge the cost. */
  isOwnPayer: z.boolean().optional(),
  /** For whom the container made it, as the container states. Default: unknown. */
  person: z.string().max(MAX_PERSON_LENGTH).optional(),
});
export type AiQuery = z.infer<typeof aiQuery>;

export const aiUsageOrder = z.object({ queries: z.array(aiQuery).max(MAX_AI_QUERIES) });
export type AiUsageOrder = z.infer<typeof aiUsageOrder>;
