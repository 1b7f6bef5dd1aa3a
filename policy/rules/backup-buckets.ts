import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import * as z from "zod";
import { known, LATER } from "../known.ts";
import { BACKUP_BUCKET, BUCKET, bindingText, readBucket, readTenantScript, TENANT_SCRIPT } from "../resources.ts";

const component = z.looseObject({ keepOnDestroy: z.boolean() });

/**
 * The buckets that production's tenants back up to outlive their tenants (`components/backup-bucket.ts`; docs/operating.md, "What goes, what stays"):
 * what was deleted by mistake comes back from there. The engine does not tell rules of `retainOnDelete`, so that the component says what it asked
 * for; a bucket outside one must be protected.
 */
export const backupBuckets: StackValidationPolicy = {
  name: "backup-buckets",
  description: "Backup buckets of production are kept when their tenant or their stack goes.",
  enforcementLevel: "mandatory",
  validateStack: ({ resources }, report) => {
    const bound = new Set(resources.filter(({ type }) => type === TENANT_SCRIPT).flatMap(productionBucket));
    for (const bucket of resources.filter(({ type }) => type === BUCKET)) {
      const { name } = readBucket(bucket);
      if (name === LATER || !bound.has(name) || isKept(bucket)) continue;
      report(`The bucket ${name} would go with its tenant: keep it (retainOnDelete), or protect it.`, bucket.urn);
    }
  },
};

/** The bucket that a script of production backs up to. */
function productionBucket(resource: PolicyResource): string[] {
  const script = readTenantScript(resource);
  if (bindingText(script, "ENVIRONMENT") !== "production" || script.bindings === LATER) return [];
  const bucket = script.bindings.BACKUP_BUCKET;
  if (bucket === undefined || bucket === LATER || typeof bucket.bucketName !== "string") return [];
  return [bucket.bucketName];
}

function isKept({ opts, parent }: PolicyResource): boolean {
  if (opts.protect) return true;
  if (parent?.type !== BACKUP_BUCKET) return false;
  return component.safeParse(known(parent.props)).data?.keepOnDestroy === true;
}
