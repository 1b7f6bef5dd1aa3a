/** Backups and files of instances in the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { backupId, MAX_UPLOAD_BYTES } from "../../tenant/backup.ts";
import { fileHash, fileKinds, filePath, MAX_TEXT_BYTES } from "../../tenant/files.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";
import { listedBackup } from "./instances.ts";

const byId = z.object({ instance_id: z.uuid() });
const byBackup = byId.extend({ backup_id: backupId });
const ofTenant = ["conflict", "gateway_unavailable", "tenant_unavailable"] as const;
const ofFile = [...ofTenant, "forbidden", "payload_too_large"] as const;
const query = z.object({ path: filePath.default("") });

export const instanceDataRoutes = routes("backups and files", {
  uploadBackup: route("post", "/client/instance/:instance_id/backups", {
    summary: "Upload a backup",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    upload: { types: ["application/gzip"], maxBytes: MAX_UPLOAD_BYTES, streams: true },
    answer: listedBackup,
    status: 201,
    refusals: [...ofTenant, "payload_too_large"],
  }),
  deleteBackup: route("delete", "/client/instance/:instance_id/backups/:backup_id", {
    summary: "Delete an uploaded backup",
    callers: ROOTS_AND_ADMINS,
    params: byBackup,
    refusals: ofTenant,
  }),
  keepBackup: route("put", "/client/instance/:instance_id/backups/:backup_id/kept", {
    summary: "Keep a backup",
    callers: ROOTS_AND_ADMINS,
    params: byBackup,
    body: z.strictObject({ kept: z.boolean() }),
    answer: z.object({ kept: z.boolean() }),
    refusals: ofTenant,
  }),
  getBackupChanges: route("get", "/client/instance/:instance_id/backups/:backup_id/changes", {
    summary: "List what was changed since a backup",
    callers: ROOTS_AND_ADMINS,
    params: byBackup,
    answer: z.object({
      count: z.number().int().nonnegative(),
      /** The newest twenty. */
      data: z.array(z.object({ path: z.string(), modified_at: instant })),
    }),
    refusals: ofTenant,
  }),
  listFiles: route("get", "/client/instance/:instance_id/files", {
    summary: "List files of the state",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    query,
    answer: z.object({
      data: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(fileKinds),
          bytes: z.number().int().nonnegative(),
          modified_at: instant,
          /** Whether it holds credentials. */
          secret: z.boolean(),
        }),
      ),
      /** Whether the directory has more than a thousand entries. */
      truncated: z.boolean(),
    }),
    refusals: ofFile,
  }),
  readFile: route("get", "/client/instance/:instance_id/files/content", {
    summary: "Read a text file",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    query,
    answer: z.object({
      text: z.string(),
      /** SHA-256. */
      hash: fileHash,
      bytes: z.number().int().nonnegative(),
      modified_at: instant,
      /** Whether secrets were removed. */
      redacted: z.boolean(),
    }),
    refusals: ofFile,
  }),
  saveFile: route("put", "/client/instance/:instance_id/files/content", {
    summary: "Save a text file",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z.strictObject({
      path: filePath.min(1),
      text: z.string().max(MAX_TEXT_BYTES),
      /** Hash of the text that was changed. */
      hash: fileHash,
    }),
    answer: z.object({ hash: fileHash, bytes: z.number().int().nonnegative() }),
    refusals: ofFile,
  }),
  downloadFile: route("get", "/client/instance/:instance_id/files/download", {
    summary: "Download a file",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    query,
    produces: ["application/octet-stream"],
    refusals: ofFile,
  }),
});
