/** Who changed an entity that the caller read before. */
import type { Kysely } from "kysely";
import { type ListedEntry, listAudit } from "#database/audit.ts";
import type { DB } from "#database/types.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { type Failure, failure } from "../http/failure.tsx";
import type { Caller } from "../identity/caller.ts";
import { authorFor } from "../identity/tenant-view.ts";

/** Columns in words. */
const WORDS: Readonly<Record<string, string>> = {
  name: "the name",
  is_pinned: "the pin",
  image_id: "the version",
  bundle_id: "the version",
  billing_plan: "the plan",
  is_canary: "the group in rollouts",
  maintenance_start: "the maintenance window",
  egress: "the network access",
  status: "the state",
  delete_after: "the deletion",
};

const isChanged = ({ before, after }: ListedEntry, column: string) =>
  JSON.stringify(before?.[column]) !== JSON.stringify(after?.[column]);

function changesOf(entry: ListedEntry, column?: string): string {
  const columns = column === undefined ? Object.keys(WORDS).filter((one) => isChanged(entry, one)) : [column];
  const words = [...new Set(columns.map((one) => WORDS[one] ?? one))];
  return words.length === 0 ? "it" : words.join(" and ");
}

/** Tables with versions. */
type Versioned =
  | "ai_gateways"
  | "channels"
  | "client_users"
  | "clients"
  | "credit_pools"
  | "dashboard_users"
  | "doors"
  | "images"
  | "instances"
  | "notification_settings"
  | "partners"
  | "rollouts"
  | "users"
  | "worker_bundles";

/** Such as `2026-11-02 14:58 UTC`. */
export const minuteText = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

interface Changed {
  entity: Versioned;
  id: string;
  version: number;
  /** The changed column, if known. */
  column?: string;
}

/** Newest changes among which the change of a column is found. */
const RECENT = 50;

/** Returns the failure `precondition_failed`, which names the author of the last change. */
export async function changedSince(
  db: Kysely<DB>,
  { entity, id, version, column }: Changed,
  caller: Caller,
): Promise<Failure> {
  const recent = await listAudit(db, { limit: column === undefined ? 1 : RECENT, filter: { entity, entity_id: id } });
  // Not every change is recorded.
  const isSought = (entry: ListedEntry) =>
    column === undefined ? entry.after?.version === version : isChanged(entry, column);
  const last = recent.find(isSought);
  const details = { version };
  if (last === undefined) return failure(requestErrors.entity_changed, {}, { details });
  const at = minuteText(last.at);
  const what = changesOf(last, column);
  return failure(requestErrors.entity_changed_by, { who: authorFor(caller, last.actor), what, at }, { details });
}

export interface Expectation {
  /** Versions in the header `If-Match`; undefined for any. */
  expected: readonly number[] | undefined;
  caller: Caller;
}

/** @throws Failure `precondition_failed` for another version, which names the author of the last change */
export async function requireUnchanged(
  db: Kysely<DB>,
  expected: readonly number[] | undefined,
  changed: Changed,
  caller: Caller,
): Promise<void> {
  if (expected === undefined || expected.includes(changed.version)) return;
  throw await changedSince(db, changed, caller);
}
