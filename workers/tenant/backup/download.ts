/** Downloads of a backup's archive. */

import { backupErrors } from "#domain/errors/tenants/backups.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { type BackupOwner, backupId } from "#workers/contracts/tenant/backup.ts";
import type { TenantEnv } from "../env.ts";
import { BackupStore, NO_MANIFEST } from "./stored/store.ts";

export const backupNotFound = (): Response => errorResponse(backupErrors.backup_not_found);

/** Streams an archive from the bucket. This neither wakes the sandbox nor counts as usage. */
export async function download(id: string, env: TenantEnv): Promise<Response> {
  if (!backupId.safeParse(id).success) return backupNotFound();
  const owner: BackupOwner = { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT };
  const opened = await new BackupStore(env.BACKUP_BUCKET, owner).open(id);
  if ("damage" in opened) {
    return opened.damage === NO_MANIFEST
      ? backupNotFound()
      : errorResponse(backupErrors.backup_damaged, { reason: opened.damage });
  }
  const { archive, body } = opened;
  return new Response(body, {
    headers: {
      "cache-control": "no-store",
      "content-type": "application/gzip",
      "content-length": String(archive.size),
      "content-disposition": `attachment; filename="${env.TENANT_SLUG}-${id}.tar.gz"`,
      // RFC 9530.
      "repr-digest": `sha-256=:${Buffer.from(archive.sha256, "hex").toString("base64")}:`,
    },
  });
}
