/** An AI gateway of the pool: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { environments } from "../environment.ts";
import { managed, timestamps } from "./entity.ts";

export const aiGateway = z.object({
  id: z.uuid(),
  /** The gateway's id at Cloudflare. */
  gateway_id: z.string(),
  /** The one environment that may bind it; null for any. */
  environment: z.enum(environments).nullable(),
  /** The only environment that may change the entry. */
  declared_by: z.enum(environments),
  enabled: z.boolean(),
  /** How many instances may bind it. */
  max_instances: z.number().int(),
  /** How many instances bind it, in all environments. */
  bound: z.number().int(),
  ...managed,
  ...timestamps,
  version: z.number().int(),
});
