/** The notification settings of an ADMIN. */
import { type Kysely, sql } from "kysely";
import type { DB, JsonValue } from "../types.ts";

export interface StoredSettings {
  choices: JsonValue;
  webhook_host: string | null;
  failing_since: Date | null;
  disabled_at: Date | null;
  version: number;
}

/** Returns a user's settings; undefined before the first change. @param options.lock until the transaction ends */
export async function findSettings(
  db: Kysely<DB>,
  clientUserId: string,
  { lock = false } = {},
): Promise<StoredSettings | undefined> {
  const query = db
    .selectFrom("tenantry.notification_settings")
    .select(["choices", "webhook_host", "failing_since", "disabled_at", "version"])
    .where("client_user_id", "=", clientUserId);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Creates a user's settings with defaults, unless they exist, so that they can be locked. */
export async function createSettings(db: Kysely<DB>, clientUserId: string): Promise<void> {
  await db
    .insertInto("tenantry.notification_settings")
    .values({ client_user_id: clientUserId })
    .onConflict((conflict) => conflict.column("client_user_id").doNothing())
    .execute();
}

export interface SettingsChange {
  choices: object;
  /** Undefined: unchanged. Null: removed. */
  webhook?: { host: string; credentials: Buffer } | null | undefined;
}

/** A webhook that is replaced has not failed. */
export async function changeSettings(db: Kysely<DB>, clientUserId: string, change: SettingsChange): Promise<void> {
  const { choices, webhook } = change;
  const replaced = webhook !== undefined && {
    webhook_host: webhook?.host ?? null,
    credentials: webhook?.credentials ?? null,
    failing_since: null,
    disabled_at: null,
  };
  await db
    .updateTable("tenantry.notification_settings")
    .set({ choices: JSON.stringify(choices), ...replaced })
    .where("client_user_id", "=", clientUserId)
    .execute();
}

/** Requests a test by all channels of the calling ADMIN, at most once a minute. */
export async function requestTest(db: Kysely<DB>): Promise<void> {
  await sql`select tenantry.request_test_notification()`.execute(db);
}
