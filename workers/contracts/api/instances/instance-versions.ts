/** What a tenant's users see of versions, by the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { image } from "#domain/entities/image.ts";
import { job } from "#domain/entities/job.ts";

/** Compared with the running version; `other`: unknown, or of another gateway. */
export const versionAges = ["current", "newer", "older", "other"] as const;

const offeredVersion = image.pick({ id: true, gateway: true, gateway_version: true, release_notes: true }).extend({
  age: z.enum(versionAges),
  /** Whether new tenants get it. */
  default: z.boolean(),
  /** When the platform offered it. */
  added_at: instant,
});
export type OfferedVersion = z.infer<typeof offeredVersion>;

export const instanceVersions = z.object({
  /** What the instance reports; null until it does. */
  running: z.object({ gateway: z.string(), gateway_version: z.string(), since: instant }).nullable(),
  /** Release notes of the running version; null if unknown. */
  release_notes: z.string().nullable(),
  /** Null unless rollouts skip the instance. */
  pin: z
    .object({
      /** Null if unknown. */
      by: z.string().nullable(),
      at: instant.nullable(),
      /** Whether only an operator can unpin it. */
      of_operator: z.boolean(),
    })
    .nullable(),
  /** Whether rollouts reach it in their first group. */
  canary: z.boolean(),
  /** The newest offered version that is newer than the running one. */
  newer_id: z.uuid().nullable(),
  /** Newest first. */
  offered: z.array(offeredVersion),
  /** The current or next opening of the maintenance window; null: changes that are not urgent happen at any time. */
  window: z.object({ from: instant, until: instant }).nullable(),
  /** A change by a rollout that its administrators were notified of. */
  rollout_from: instant.nullable(),
  /** The open change of the version. */
  change: job.extend({ image_id: z.uuid().nullable() }).nullable(),
  /** Why its ADMINs cannot change the version now; null if they can. */
  refusal: z.string().nullable(),
  /** Of the instance. */
  version: z.number().int(),
});
export type InstanceVersions = z.infer<typeof instanceVersions>;
