/** The egress secrets of a tenant, for its ADMINs. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { MAX_EGRESS_SECRETS } from "#domain/entities/egress.ts";
import type { NewEgressSecret } from "../egress/secrets.ts";
import type { DB } from "../types.ts";
import type { ChangeOrigin, ConsoleUser } from "./person.ts";

/** Returns the tenant's secrets; null for a user who is not an ADMIN. */
export async function consoleEgressSecrets(db: Kysely<DB>, { slug, email }: ConsoleUser): Promise<unknown> {
  const { rows } = await sql<{ found: unknown }>`
    select dashboard.console_egress_secrets(${slug}, ${email}) as found
  `.execute(db);
  return rows[0]?.found ?? null;
}

const outcome = z.enum(["created", "replaced", "deleted", "full", "missing"]).nullable();

type Change = Omit<NewEgressSecret, "instanceId" | "createdBy"> | Pick<NewEgressSecret, "id">;

/**
 * Stores a secret instead of one with the same name, or deletes one.
 *
 * @param change without values it deletes the secret of the id
 * @returns `full` for an instance with the most secrets, `missing` without a secret to delete, null for a user who is not an ADMIN
 */
export async function setConsoleEgressSecret(
  db: Kysely<DB>,
  { slug, email }: ConsoleUser,
  change: Change,
  { source, requestId }: ChangeOrigin,
): Promise<z.infer<typeof outcome>> {
  const { name, host, header, credentials } = "name" in change ? change : NOTHING;
  const { rows } = await sql<{ done: string | null }>`
    select dashboard.set_console_egress_secret(
      ${slug}, ${email}, ${change.id}, ${name}, ${host}, ${header}, ${credentials}, ${MAX_EGRESS_SECRETS},
      ${source}, ${requestId}) as done
  `.execute(db);
  return outcome.parse(rows[0]?.done ?? null);
}

const NOTHING = { name: null, host: null, header: null, credentials: null };
