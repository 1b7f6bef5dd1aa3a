/** The user who opens the console. Functions of schema `dashboard` decide what the user may, and the caller parses their results. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** A tenant's user. */
export interface ConsoleUser {
  slug: string;
  email: string;
  /** `access_client_id` of the service token that acts for the user, with the lower of both roles. */
  serviceToken?: string | undefined;
}

/** Origin of a change, for the audit log. */
export interface ChangeOrigin {
  source: string;
  requestId: string;
}

/** Returns the user with an address; null for one who is not a user of the tenant, and for a service token that is not valid. */
export async function consolePerson(db: Kysely<DB>, { slug, email, serviceToken }: ConsoleUser): Promise<unknown> {
  const { rows } = await sql<{ found: unknown }>`
    select dashboard.console_person(${slug}, ${email}, ${serviceToken ?? null}) as found`.execute(db);
  return rows[0]?.found ?? null;
}

/** Returns a platform root who views a tenant; null for anyone else. */
export async function findConsoleViewer(db: Kysely<DB>, { slug, email }: ConsoleUser): Promise<unknown> {
  const { rows } = await sql<{ found: unknown }>`select dashboard.find_viewer(${slug}, ${email}) as found`.execute(db);
  return rows[0]?.found ?? null;
}

/** Records in the audit log that a platform root views a tenant. @returns whether the caller may */
export async function recordConsoleView(db: Kysely<DB>, clientId: string): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    select tenantry.record_console_view(${clientId}) as recorded`.execute(db);
  return rows[0]?.recorded ?? false;
}
