/** The egress policies of a tenant, for its ADMINs. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { ownServerKinds } from "#domain/egress/channel-hosts.ts";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import type { DB } from "../types.ts";
import type { ChangeOrigin, ConsoleUser } from "./person.ts";

/** Returns the tenant's policies; null for a user who is not an ADMIN. */
export async function consoleEgress(db: Kysely<DB>, { slug, email }: ConsoleUser): Promise<unknown> {
  const { rows } = await sql<{ found: unknown }>`
    select dashboard.console_egress(${slug}, ${email}, ${[...ownServerKinds]}::text[]) as found
  `.execute(db);
  return rows[0]?.found ?? null;
}

const outcome = z.enum(["stored", "changed", "git"]).nullable();

/**
 * Replaces the tenant's policy.
 *
 * @param change.policy null states nothing
 * @param change.versions of the instance, which the user knows; undefined for any
 * @returns `changed` for another version, `git` for a tenant that a stack file declares, null for a user who is not an ADMIN
 */
export async function setConsoleEgress(
  db: Kysely<DB>,
  { slug, email }: ConsoleUser,
  change: { policy: EgressPolicy | null; versions: readonly number[] | undefined } & ChangeOrigin,
): Promise<z.infer<typeof outcome>> {
  const { policy, versions, source, requestId } = change;
  const { rows } = await sql<{ done: string | null }>`
    select dashboard.set_console_egress(
      ${slug}, ${email}, ${policy === null ? null : JSON.stringify(policy)}::jsonb,
      ${versions === undefined ? null : [...versions]}::integer[], ${source}, ${requestId}) as done
  `.execute(db);
  return outcome.parse(rows[0]?.done ?? null);
}
