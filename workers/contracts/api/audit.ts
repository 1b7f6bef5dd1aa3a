/** The audit log in the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { errorBody } from "../errors.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { BOTH_ROOTS, ROOTS_AND_ADMINS, route, routes } from "./route.ts";

const record = z.record(z.string(), z.unknown());

export const auditEntry = z.object({
  /** Increases with each entry. */
  id: z.string(),
  at: instant,
  /** E-mail address of a dashboard user, stack name for Git, `service`, or a database user. */
  actor: z.string(),
  actor_kind: z.string(),
  action: z.enum(["insert", "update", "delete"]),
  /** Name of the changed table. */
  entity: z.string(),
  entity_id: z.string(),
  partner_id: z.uuid().nullable(),
  client_id: z.uuid().nullable(),
  /** The row before the change, null for an insert, and after it, null for a delete. */
  before: record.nullable(),
  after: record.nullable(),
  /** The client's user whose access, token or subdivision was changed; null for other entities. */
  user_email: z.string().nullable(),
  /** Client address and ID of the request; null for a change without one. */
  source: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const entryId = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, "is not a cursor of this list; omit it to start from the first page");

const filter = {
  entity: z.string().min(1).max(63).optional(),
  entity_id: z.string().min(1).max(200).optional(),
  client_id: z.uuid().optional(),
  actor: z.string().min(1).max(254).optional(),
  /** Inclusive. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
};

export const NDJSON = "application/x-ndjson";

/** Last line of a complete export, with the number of lines before it. */
export const exportEnd = z.object({ end: z.object({ entries: z.int().nonnegative() }) });
export type ExportEnd = z.infer<typeof exportEnd>;
/** A line of an export. An incomplete export ends with an error, or without a last line. */
export const exportLine = z.union([auditEntry, exportEnd, errorBody]);

export const auditRoutes = routes("audit", {
  listAudit: route("get", "/audit", {
    summary: "List changes",
    callers: ROOTS_AND_ADMINS,
    query: pageQuery.extend({ ...filter, after: entryId.optional() }),
    answer: pageOf(auditEntry),
  }),
  exportAudit: route("get", "/audit/export", {
    summary: "Export changes",
    callers: BOTH_ROOTS,
    query: z.object({ ...filter, after: entryId.optional() }),
    produces: [NDJSON],
  }),
});
