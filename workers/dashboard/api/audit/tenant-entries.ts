/** What an ADMIN sees of the audit log: the own client's changes, without the platform's columns. */
import { isDeepStrictEqual } from "node:util";
import type { AuditEntry } from "#workers/contracts/api/audit.ts";
import type { CallersTenant } from "../../identity/caller.ts";

const ALL = "all";

/** Tables whose changes an ADMIN sees, with the columns that it sees. */
const COLUMNS: Readonly<Record<string, readonly string[] | typeof ALL>> = {
  channels: ["kind", "account_name"],
  client_user_instances: ["client_user_id"],
  client_users: ["email", "name", "role", "status"],
  clients: [
    ...["name", "billing_plan", "status", "delete_after", "ai_spend_cap_micros"],
    ...["maintenance_days", "maintenance_start", "maintenance_hours", "maintenance_zone"],
  ],
  console: ALL,
  credit_entries: ["kind", "amount_micros", "day"],
  doors: ["kind", "name", "state"],
  egress_secrets: ["name", "host", "header"],
  inbox: ALL,
  instances: ["status", "frozen_for", "egress"],
  invoices: ["status", "period_start", "period_end", "total_micros"],
  provider_keys: ["provider", "key_hint"],
  service_tokens: ["client_user_id", "name", "role", "expires_at"],
};
export const TENANT_ENTITIES: readonly string[] = Object.keys(COLUMNS);

/** Returns what an ADMIN sees of an entry; undefined if only the platform's columns changed. */
export function tenantEntry(entry: AuditEntry, { admins }: CallersTenant): AuditEntry | undefined {
  const [before, after] = [entry.before, entry.after].map((row) => shownColumns(entry.entity, row));
  if (before === undefined || after === undefined || isDeepStrictEqual(before, after)) return undefined;
  // Addresses of operators' computers are theirs alone.
  const origin = admins.includes(entry.actor) ? {} : { source: null, request_id: null };
  return { ...entry, ...origin, partner_id: null, before, after };
}

function shownColumns(entity: string, row: AuditEntry["before"]): AuditEntry["before"] {
  const columns = COLUMNS[entity] ?? [];
  if (row === null || columns === ALL) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)));
}
