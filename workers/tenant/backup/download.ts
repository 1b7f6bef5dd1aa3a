/** A backup's archive as a file to take away. */

import { errorResponse } from "#workers/contracts/errors.ts";
import { type BackupOwner, backupId } from "#workers/contracts/tenant/backup.ts";
import type { TenantEnv } from "../env.ts";
import { BackupStore, NO_MANIFEST } from "./stored/store.ts";

export const noSuchBackup = (): Response =>
  errorResponse("not_found", "There is no such backup; GET /api/admin/gateway/backups lists them.");

/** Read from the bucket alone: nothing is woken by it, and nothing of it is counted as the tenant's use. */
export async function download(id: string, env: TenantEnv): Promise<Response> {
  if (!backupId.safeParse(id).success) return noSuchBackup();
  const owner: BackupOwner = { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT };
  const opened = await new BackupStore(env.BACKUP_BUCKET, owner).open(id);
  if ("damage" in opened) {
    return opened.damage === NO_MANIFEST
      ? noSuchBackup()
      : errorResponse("conflict", `This backup cannot be read: ${opened.damage}. Take another one.`);
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
