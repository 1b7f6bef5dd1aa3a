/** What a tenant's container may reach: the API, the queries and the dashboard derive from these schemas. */
import * as z from "zod";
import { egressModes, egressPolicy } from "../egress/policy-types.ts";
import { instant, managed } from "./entity.ts";

/** Whether the tenant has the policies and secrets. `none`: partner, tenant and secrets state nothing. */
export const egressStates = ["none", "pushing", "push_failed", "active"] as const;
export type EgressState = (typeof egressStates)[number];

const layer = egressPolicy.nullable();

/** A tenant's policies. */
export const egress = z.object({
  /** The strictest of the layers: it holds. */
  mode: z.enum(egressModes),
  /** Null where nothing is stated. */
  layers: z.object({ plan: layer, platform: layer, partner: layer, tenant: layer }),
  state: z.enum(egressStates),
  /** Why the last push failed; null without a fault. */
  last_error: z.string().nullable(),
  /** When the tenant last received policies and secrets; null if never. */
  pushed_at: instant.nullable(),
  /** Of the instance. */
  version: z.number().int(),
});

/** A partner's policy, which binds all its tenants. */
export const partnerEgress = z.object({
  partner_id: z.uuid(),
  policy: layer,
  ...managed,
  version: z.number().int(),
});

/** Of an instance. The tenant's Worker accepts no more. */
export const MAX_EGRESS_SECRETS = 50;

/** A secret that a tenant's Worker adds to requests for a host. */
export const egressSecret = z.object({
  /** Changes with the secret. */
  id: z.uuid(),
  instance_id: z.uuid(),
  name: z.string(),
  host: z.string(),
  header: z.string(),
  /** E-mail address. */
  created_by: z.string(),
  created_at: instant,
});

/** @param row.wanted what the tenant is to have, and `egress_revision` what it has; null for nothing */
export function egressState(row: {
  wanted: string | null;
  egress_revision: string | null;
  egress_fault: string | null;
}): EgressState {
  if (row.egress_fault !== null) return "push_failed";
  if (row.wanted !== row.egress_revision) return "pushing";
  return row.wanted === null ? "none" : "active";
}
