/** The provider keys of a tenant, for its ADMINs. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";
import type { ChangeOrigin, ConsoleUser } from "./person.ts";

/** Returns the tenant's keys; null for a user who is not an ADMIN. */
export async function consoleProviderKeys(db: Kysely<DB>, { slug, email }: ConsoleUser): Promise<unknown> {
  const { rows } = await sql<{ found: unknown }>`
    select dashboard.console_provider_keys(${slug}, ${email}) as found
  `.execute(db);
  return rows[0]?.found ?? null;
}

/** @param change.key encrypted; null deletes the provider's key @returns whether a key exists or existed; null for a user who is not an ADMIN */
export async function setConsoleProviderKey(
  db: Kysely<DB>,
  { slug, email }: ConsoleUser,
  change: { provider: string; key: { id: string; credentials: Buffer; keyHint: string } | null } & ChangeOrigin,
): Promise<boolean | null> {
  const { provider, key, source, requestId } = change;
  const { rows } = await sql<{ done: string | null }>`
    select dashboard.set_console_provider_key(
      ${slug}, ${email}, ${provider}, ${key?.id ?? null}, ${key?.credentials ?? null}, ${key?.keyHint ?? null},
      ${source}, ${requestId}) as done
  `.execute(db);
  const done = rows[0]?.done ?? null;
  return done === null ? null : done !== "missing";
}
