/** Format of a client's export (docs/reference/export.md). */
import * as z from "zod";
import { instant, named } from "#domain/entities/entity.ts";
import { environments } from "#domain/environment.ts";

export const TAR = "application/x-tar";
export const EXPORT_FORMAT = "tenantry-export-1";

/** The last file of the archive. An archive without it is incomplete. */
export const exportManifest = z.object({
  format: z.literal(EXPORT_FORMAT),
  client: named,
  environment: z.enum(environments),
  exported_at: instant,
  exported_by: z.string(),
  /** The gateway's archive; null without a backup. */
  state: z.object({ file: z.string(), backup_id: z.string(), created_at: instant }).nullable(),
  /** All other files in their order. `sha256` is null if the tenant's Worker did not send it. */
  contents: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string().nullable() })),
});
export type ExportManifest = z.infer<typeof exportManifest>;
