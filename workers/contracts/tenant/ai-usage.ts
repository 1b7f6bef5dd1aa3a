/** Queries to models that the AI gateways' logs tell of, as the dispatch Worker hands them to each tenant. */
import * as z from "zod";
import { INTERNAL_PATH_PREFIX } from "./internal.ts";

/**
 * `POST`ed to a tenant with an {@link aiUsageOrder}. 204 once they are counted; a query whose id was counted before is not counted again,
 * nor is one that is older than {@link AI_USAGE_AGE_MS} or than the tenant.
 */
export const AI_USAGE_PATH = `${INTERNAL_PATH_PREFIX}/ai-usage`;

/** For how long a query's id is remembered, in milliseconds. */
export const AI_USAGE_AGE_MS = 24 * 3600 * 1000;
/** Queries of one order. */
export const MAX_AI_QUERIES = 500;

const count = z.number().nonnegative();

export const aiQuery = z.object({
  /** Of the entry in the log. */
  id: z.string().min(1).max(64),
  /** ISO 8601 UTC. */
  at: z.iso.datetime(),
  /** By OpenTelemetry's conventions, such as `chat`; empty where there is no name for it. */
  operation: z.string(),
  provider: z.string(),
  model: z.string(),
  inputTokens: count,
  outputTokens: count,
  /** Millionths of a US dollar. */
  cost: z.int().nonnegative(),
});
export type AiQuery = z.infer<typeof aiQuery>;

export const aiUsageOrder = z.object({ queries: z.array(aiQuery).max(MAX_AI_QUERIES) });
export type AiUsageOrder = z.infer<typeof aiUsageOrder>;
