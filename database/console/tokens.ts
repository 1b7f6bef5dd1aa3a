/** Service tokens of a tenant's user, through functions of schema `dashboard`, which decide what the user may. The caller parses their results. */
import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";
import type { ChangeOrigin, ConsoleUser } from "./person.ts";

export interface WantedToken {
  id: string;
  client_user_id: string;
  name: string;
  role: string;
  days: number;
}

/** Returns the tokens that a user may see; null for an address that is not a user of the tenant. */
export async function consoleTokens(db: Kysely<DB>, { slug, email, serviceToken }: ConsoleUser): Promise<unknown> {
  const { rows } = await sql<{
    found: unknown;
  }>`select dashboard.console_tokens(${slug}, ${email}, ${serviceToken ?? null}) as found`.execute(db);
  return rows[0]?.found ?? null;
}

/** Returns why a user cannot create a token; null if nothing prevents it. */
export async function consoleTokenFault(
  db: Kysely<DB>,
  { slug, email, serviceToken }: ConsoleUser,
  { id, client_user_id, name, role }: WantedToken,
  most: number,
): Promise<string | null> {
  const { rows } = await sql<{ fault: string | null }>`
    select dashboard.console_token_fault(${slug}, ${email}, ${id}, ${client_user_id}, ${name}, ${role}, ${most}, ${serviceToken ?? null}) as fault
  `.execute(db);
  return rows[0]?.fault ?? null;
}

/** Stores a token that Access created. @returns as {@link consoleTokenFault}, in which case nothing is stored */
export async function insertConsoleToken(
  db: Kysely<DB>,
  { slug, email, serviceToken }: ConsoleUser,
  { id, client_user_id, name, role, days }: WantedToken,
  { most, ...access }: { most: number; access_token_id: string; access_client_id: string } & ChangeOrigin,
): Promise<string | null> {
  const { rows } = await sql<{ fault: string | null }>`
    select dashboard.create_console_token(
      ${slug}, ${email}, ${id}, ${client_user_id}, ${name}, ${role}, ${most}, ${days},
      ${access.access_token_id}, ${access.access_client_id}, ${access.source}, ${access.requestId},
      ${serviceToken ?? null}) as fault
  `.execute(db);
  return rows[0]?.fault ?? null;
}

/** Revokes a token of the user or, for an ADMIN, of the client. @returns whether there was one; null for an address that is not a user */
export async function deleteConsoleToken(
  db: Kysely<DB>,
  { slug, email, serviceToken }: ConsoleUser,
  id: string,
  { source, requestId }: ChangeOrigin,
): Promise<boolean | null> {
  const { rows } = await sql<{ revoked: boolean | null }>`
    select dashboard.revoke_console_token(${slug}, ${email}, ${id}, ${source}, ${requestId}, ${serviceToken ?? null}) as revoked
  `.execute(db);
  return rows[0]?.revoked ?? null;
}
