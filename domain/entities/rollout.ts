/** A rollout and its tenants: the API, the queries and the dashboard derive from these schemas. */
import * as z from "zod";
import { rolloutStatuses, rolloutTenantStatuses } from "../rollouts/progress.ts";
import { instant, named, timestamps } from "./entity.ts";

/** How many tenants have each status. */
export const statusCounts = z.partialRecord(z.enum(rolloutTenantStatuses), z.number().int().nonnegative());

export const rollout = z.object({
  id: z.uuid(),
  /** Null for a rollout of a Worker alone. */
  image_id: z.uuid().nullable(),
  /** Null for a rollout of an image alone. */
  worker_bundle_id: z.uuid().nullable(),
  /** Percent of the tenants that have the version after each wave. The canaries come first, as wave 0. */
  waves: z.array(z.number().int()),
  /** For how long a wave has to stay healthy before the next one starts. */
  soak_minutes: z.number().int(),
  /** How long before an interruption a tenant's administrators are notified. */
  notice_hours: z.number().int(),
  /** Whether it ignores notice and maintenance windows. */
  urgent: z.boolean(),
  status: z.enum(rolloutStatuses),
  /** The current wave. */
  wave: z.number().int(),
  /** Why it stopped; null without a failure. */
  cause: z.string().nullable(),
  requested_by: z.string(),
  tenants: statusCounts,
  ...timestamps,
  ended_at: instant.nullable(),
  version: z.number().int(),
});

export const rolloutTenant = z.object({
  instance_id: z.uuid(),
  client: named.omit({ name: true }),
  wave: z.number().int(),
  status: z.enum(rolloutTenantStatuses),
  /** The earliest time of its change; null while that is not scheduled. */
  not_before: instant.nullable(),
  changed_at: instant.nullable(),
  /** The job that changes it or rolls it back; null while there is none. */
  job_id: z.uuid().nullable(),
  /** Backup of its state before the change; null without one. */
  backup_id: z.string().nullable(),
  cause: z.string().nullable(),
});
