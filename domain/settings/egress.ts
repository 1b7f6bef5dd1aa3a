/** Egress policies in settings. */
import * as z from "zod";
import { platformHosts } from "../egress/bound.ts";
import { type EgressPolicy, egressPolicy } from "../egress/policy-types.ts";
import { validateEgress } from "../egress/validate.ts";

/** A policy, normalised. Hosts of the platform are not checked, because settings of tenants do not know its domain: they are refused anyway. */
export const egressSetting = egressPolicy.transform((draft, context): EgressPolicy => {
  const { policy, faults } = validateEgress(draft, { platform: platformHosts("") });
  if (policy !== undefined) return policy;
  for (const { entry, message } of faults) {
    const path = entry === undefined ? [] : ["entries", entry];
    context.issues.push({ code: "custom", input: draft, path, message });
  }
  return z.NEVER;
});
