import { type AuditEntry, auditRoutes } from "#workers/contracts/api/audit.ts";
import { IDS, onePage, ROOT_EMAIL } from "./examples.ts";
import { section } from "./section.ts";

const query = { client_id: IDS.client, from: "2026-11-01T00:00:00Z" };

const entry: AuditEntry = {
  id: "20417",
  at: "2026-11-02T09:30:00.000Z",
  actor: ROOT_EMAIL,
  actor_kind: "platform_root",
  action: "update",
  entity: "clients",
  entity_id: IDS.client,
  partner_id: IDS.partner,
  client_id: IDS.client,
  before: { status: "active" },
  after: { status: "production" },
  source: "203.0.113.7",
  user_email: null,
  request_id: "8f0c2d1e9b3a4c5d-FRA",
};

export const auditSection = section(
  auditRoutes,
  "Audit log",
  "Every change of a row, with the actor, the time, and the row before and after. Entries cannot be changed or deleted.",
  {
    listAudit: {
      description:
        "Returns changes that the caller has access to, newest first, by any actor: users, stacks in Git, and the automation service. Secrets are never part of an entry.",
      query,
      answer: onePage(entry),
    },
    exportAudit: {
      description:
        'Streams all matching entries as newline-delimited JSON, newest first. The last line of a complete export is `{"end": {"entries": COUNT}}`. Without it the export is incomplete: send the request again with `after`, the ID of the last entry received.',
      query,
    },
  },
);
