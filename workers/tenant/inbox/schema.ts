/**
 * The inbox's tables. A later version may add columns with defaults, tables and states: statements name their columns, and rows in an unknown
 * state are left alone, so that an earlier version works on the same storage after a rollback.
 */
import type { SqlStore } from "../storage.ts";

/** Repeated in statements word for word: only then SQLite uses the partial index. */
export const PENDING = "state in ('queued', 'delivering')";

const STATEMENTS = [
  // `due_at` is set for the message that is next in its conversation, and null for all others.
  `create table if not exists inbox_messages (
     seq integer primary key autoincrement, id text not null unique, door text not null, kind text not null, name text not null,
     event_id text not null, conversation text, state text not null, bytes integer not null, attempts integer not null default 0,
     received_at integer not null, retry_until integer not null, changed_at integer not null, due_at integer, failure text,
     unique (door, event_id))`,
  `create index if not exists inbox_lanes on inbox_messages (door, conversation, seq) where ${PENDING}`,
  "create index if not exists inbox_due on inbox_messages (due_at) where due_at is not null",
  "create index if not exists inbox_lanes_due on inbox_messages (door, conversation) where due_at is not null",
  "create index if not exists inbox_delivering on inbox_messages (door, conversation) where state = 'delivering'",
  "create index if not exists inbox_states on inbox_messages (state, changed_at)",
  // A body is in `body`, or in the bucket under `object`.
  "create table if not exists inbox_contents (seq integer primary key, request text not null, body blob, object text)",
  // Objects in the bucket, from before they are written until they are deleted.
  "create table if not exists inbox_objects (key text primary key, added_at integer not null)",
  "create table if not exists inbox_marks (name text primary key, value integer not null)",
];

export function createInboxSchema({ sql }: SqlStore): void {
  for (const statement of STATEMENTS) sql.exec(statement);
}
