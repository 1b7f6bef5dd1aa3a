import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { LATER } from "../known.ts";
import {
  BACKUP_BUCKET,
  BUCKET,
  bindingText,
  readBackupBucket,
  readBucket,
  readTenantScript,
  TENANT_SCRIPT,
} from "../resources.ts";

/**
 * The buckets that production's tenants back up to outlive their tenants (`components/backup-bucket.ts`; docs/how-to/delete-a-customer.md):
 * what was deleted by mistake comes back from there. The engine does not tell rules of `retainOnDelete`, so that the component says what it asks
 * for; a bucket outside one must be protected.
 */
export const backupBuckets: ResourceValidationPolicy = {
  name: "backup-buckets",
  description: "Backup buckets of production are kept when their tenant or their stack goes.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    if (resource.type === BACKUP_BUCKET) keepsAt.set(resource.urn, readBackupBucket(resource).keepOnDestroy === true);
    if (resource.type === BUCKET) {
      const { name } = readBucket(resource);
      if (name !== LATER)
        keptByName.set(name, resource.opts.protect || keepsAt.get(resource.opts.parent ?? "") === true);
    }
    if (resource.type === TENANT_SCRIPT) {
      const name = productionBucket(resource);
      if (name === undefined || keptByName.get(name) !== false) return;
      report(`The bucket ${name} would go with its tenant: keep it (retainOnDelete), or protect it.`);
    }
  },
};

// A process of the pack sees one run: a component before its bucket, and that before the script that it is bound to.
/** Whether a component keeps its bucket, by the component's URN. */
const keepsAt = new Map<string, boolean>();
const keptByName = new Map<string, boolean>();

/** The bucket that a script of production backs up to; undefined of any other. */
function productionBucket(resource: ResourceValidationArgs): string | undefined {
  const script = readTenantScript(resource);
  if (bindingText(script, "ENVIRONMENT") !== "production" || script.bindings === LATER) return undefined;
  const bucket = script.bindings.BACKUP_BUCKET;
  if (bucket === undefined || bucket === LATER || typeof bucket.bucketName !== "string") return undefined;
  return bucket.bucketName;
}
