/** The versions that tenants may run, images and Workers: the API, the queries and the dashboard derive from these schemas. */
import * as z from "zod";
import { instant, timestamps } from "./entity.ts";

const catalogueEntry = z.object({
  id: z.uuid(),
  /** Whether new tenants get it. */
  default: z.boolean(),
  /** Null for an entry that tenants may get. */
  withdrawn_at: instant.nullable(),
  /** How many tenants should run it, or report that they run it when their stack chooses the version. */
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
  /** For operators. */
  note: z.string(),
  /** For users of tenants, as plain text. */
  release_notes: z.string(),
});

export const workerBundle = catalogueEntry.extend({
  /** SHA-256 of its modules, in hex. */
  content_hash: z.string(),
  /** Version of Tenantry that brought it. */
  release: z.string(),
});

/** Tenants that run a Worker outside the catalogue, or have not reported one. */
export const otherWorkers = z.object({
  /** Settings file in Git that declares the tenants; null for those of the dashboard. */
  declared_in: z.string().nullable(),
  /** Null until they report it. */
  content_hash: z.string().nullable(),
  tenants: z.number().int(),
});
