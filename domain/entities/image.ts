/** The versions that tenants may run, images and Workers: the API, the queries and the dashboard derive from these schemas. */
import * as z from "zod";
import { instant, timestamps } from "./entity.ts";

const catalogueEntry = z.object({
  id: z.uuid(),
  /** Whether new tenants get it. */
  default: z.boolean(),
  /** Null for an entry that tenants may get. */
  withdrawn_at: instant.nullable(),
  /** How many tenants should run it. */
  tenants: z.number().int(),
  ...timestamps,
  version: z.number().int(),
});

export const image = catalogueEntry.extend({
  /** With its digest. */
  reference: z.string(),
  /** Name of its gateway, such as `openclaw`. */
  gateway: z.string(),
  gateway_version: z.string(),
  note: z.string(),
});

export const workerBundle = catalogueEntry.extend({
  /** SHA-256 of its modules, in hex. */
  content_hash: z.string(),
  /** Version of Tenantry that brought it. */
  release: z.string(),
});
