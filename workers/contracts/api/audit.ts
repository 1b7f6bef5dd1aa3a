/** What was changed by whom, by the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { errorBody } from "../errors.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { BOTH_ROOTS, route, routes } from "./route.ts";

const record = z.record(z.string(), z.unknown());

export const auditEntry = z.object({
  /** Grows with each entry. */
  id: z.string(),
  at: instant,
  /** An e-mail of a dashboard user, the stack for Git, `service`, or the database's user. */
  actor: z.string(),
  actor_kind: z.string(),
  action: z.enum(["insert", "update", "delete"]),
  /** What was changed, by the name of its table. */
  entity: z.string(),
  entity_id: z.string(),
  partner_id: z.uuid().nullable(),
  client_id: z.uuid().nullable(),
  /** The row before, null for one that was made, and after, null for one that was removed. */
  before: record.nullable(),
  after: record.nullable(),
  /** Address that the request came from, and its id; null for what came by no request. */
  source: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Within PostgreSQL's `bigint`. */
const entryId = z.string().regex(/^[1-9]\d{0,17}$/, "is no cursor of this list; leave it out to begin anew");

const filter = {
  entity: z.string().min(1).max(63).optional(),
  entity_id: z.string().min(1).max(200).optional(),
  client_id: z.uuid().optional(),
  actor: z.string().min(1).max(254).optional(),
  /** From this moment on. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Before this moment. */
  to: z.iso.datetime({ offset: true }).optional(),
};

export const NDJSON = "application/x-ndjson";

/** The last line of an export that is whole, with the number of lines before it. */
export const exportEnd = z.object({ end: z.object({ entries: z.int().nonnegative() }) });
export type ExportEnd = z.infer<typeof exportEnd>;
/** A line of an export: one that breaks off ends with an error instead, or with neither. */
export const exportLine = z.union([auditEntry, exportEnd, errorBody]);

export const auditRoutes = routes("audit", {
  listAudit: route("get", "/audit", {
    summary: "List what was changed, the latest first",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({ ...filter, after: entryId.optional() }),
    answer: pageOf(auditEntry),
  }),
  exportAudit: route("get", "/audit/export", {
    summary:
      "Export all that was changed, the latest first, an entry a line; without `end` in the last line it broke off, and goes on `after` the last entry's id",
    callers: BOTH_ROOTS,
    query: z.object({ ...filter, after: entryId.optional() }),
    produces: [NDJSON],
  }),
});
