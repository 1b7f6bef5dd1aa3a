import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { errorText } from "#domain/errors/catalogue.ts";
import { policyErrors } from "#domain/errors/stack/policies.ts";
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
 * Backup buckets of production outlive their tenants, so that mistakes can be undone. The engine does not show `retainOnDelete` to rules, so
 * `components/backup-bucket.ts` states it as an input; other buckets must be protected.
 */
export const backupBuckets: ResourceValidationPolicy = {
  name: "backup-buckets",
  description: "Backup buckets of production are kept when their tenant or stack is deleted.",
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
      report(errorText(policyErrors.backup_bucket_not_kept, { bucket: name }));
    }
  },
};

// A process of the pack checks one run: first a component, then its bucket, then the script that is bound to the bucket.
const keepsAt = new Map<string, boolean>();
const keptByName = new Map<string, boolean>();

function productionBucket(resource: ResourceValidationArgs): string | undefined {
  const script = readTenantScript(resource);
  if (bindingText(script, "ENVIRONMENT") !== "production" || script.bindings === LATER) return undefined;
  const bucket = script.bindings.BACKUP_BUCKET;
  if (bucket === undefined || bucket === LATER || typeof bucket.bucketName !== "string") return undefined;
  return bucket.bucketName;
}
