/** What the routes of instances' backups and files do. */
import { auditStateChange } from "#database/tenants/state-changes.ts";
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import type { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import type { ListedBackup, Requester } from "#workers/contracts/tenant/backup.ts";
import { failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { sendInstanceEvent } from "../events.ts";
import { requireInstance } from "../required.ts";

export const requesterOf = ({ email, role }: Pick<Caller, "email" | "role">): Requester => ({ by: email, role });

export const backupBody = ({ id, createdAt, bytes, gateway, origin, kept = false }: ListedBackup) => ({
  id,
  created_at: createdAt,
  bytes,
  gateway: gateway ?? null,
  reason: origin?.reason ?? ("unknown" as const),
  by: origin?.by ?? null,
  role: origin?.role ?? null,
  kept,
});

export const instanceDataHandlers: Handlers<typeof instanceDataRoutes> = {
  async uploadBackup({ db, settings, params, caller, request, actOutside }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    // The tenant's Worker refuses a body without a length.
    const bytes = Number(request.headers.get("content-length") ?? Number.NaN);
    if (request.body === null || bytes === 0) throw failure(backupErrors.upload_without_length);
    await sendInstanceEvent(db, found, "instance.backup_uploaded", caller.email, { bytes: String(bytes) });
    await auditStateChange(db, found.id, { uploaded_bytes: bytes });
    // Within the transaction: a refused upload leaves no event.
    actOutside();
    const { id, createdAt, archive, origin } = await new TenantOrders(settings).uploadBackup(
      found.client.slug,
      request.body,
      requesterOf(caller),
    );
    return backupBody({ id, createdAt, bytes: archive.size, gateway: archive.gateway, origin });
  },

  async deleteBackup({ db, settings, params, caller, actOutside }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.backup_deleted", caller.email, { backup_id: params.backup_id });
    await auditStateChange(db, found.id, { backup: params.backup_id, deleted: true });
    actOutside();
    await new TenantOrders(settings).deleteBackup(found.client.slug, params.backup_id);
  },

  async keepBackup({ db, settings, params, body, caller, actOutside }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const kind = body.kept ? "instance.backup_kept" : "instance.backup_not_kept";
    await sendInstanceEvent(db, found, kind, caller.email, { backup_id: params.backup_id });
    await auditStateChange(db, found.id, { backup: params.backup_id, kept: body.kept });
    actOutside();
    return new TenantOrders(settings).keepBackup(found.client.slug, params.backup_id, body.kept);
  },

  async getBackupChanges({ db, settings, params, release }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await release();
    const { count, first } = await new TenantOrders(settings).backupChanges(client.slug, params.backup_id);
    return { count, data: first.map(({ path, modifiedAt }) => ({ path, modified_at: modifiedAt })) };
  },

  async listFiles({ db, settings, params, query, release }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await release();
    const { entries, truncated } = await new TenantOrders(settings).files(client.slug, query.path);
    return { data: entries.map(({ modifiedAt, ...entry }) => ({ ...entry, modified_at: modifiedAt })), truncated };
  },

  async readFile({ db, settings, params, query, release }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await release();
    const { modifiedAt, ...file } = await new TenantOrders(settings).file(client.slug, query.path);
    return { ...file, modified_at: modifiedAt };
  },

  async saveFile({ db, settings, params, body, caller, actOutside }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.file_changed", caller.email, { path: body.path });
    const bytes = new TextEncoder().encode(body.text).byteLength;
    await auditStateChange(db, found.id, { file: body.path, bytes });
    actOutside();
    return new TenantOrders(settings).saveFile(found.client.slug, body);
  },

  async downloadFile({ db, settings, params, query, caller, release }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.file_downloaded", (await caller).email, { path: query.path });
    await release();
    return new TenantOrders(settings).fileDownload(found.client.slug, query.path);
  },
};
