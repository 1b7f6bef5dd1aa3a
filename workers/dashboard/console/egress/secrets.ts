/** Egress secrets that a tenant's ADMIN lists, stores and deletes in the console. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { consoleEgressSecrets, setConsoleEgressSecret } from "#database/console/egress-secrets.ts";
import type { ChangeOrigin, ConsoleUser } from "#database/console/person.ts";
import type { DB } from "#database/types.ts";
import { egressSecret, MAX_EGRESS_SECRETS } from "#domain/entities/egress.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { egressSecretErrors } from "#domain/errors/tenants/egress-secrets.ts";
import type { EgressSecret } from "#workers/contracts/api/tenants/egress.ts";
import type { EgressSecretValue } from "#workers/contracts/tenant/egress.ts";
import { requireReachable } from "../../api/egress/policies.ts";
import { sealedSecret } from "../../api/egress/sealed-secret.ts";
import type { Settings } from "../../env.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import { instant } from "../../instant.ts";

const found = z.array(egressSecret.extend({ created_at: instant }));

/** @throws Failure `forbidden` for a user who is not an ADMIN */
export async function findSecrets(db: Kysely<DB>, user: ConsoleUser): Promise<EgressSecret[]> {
  const secrets = found.nullable().parse(await consoleEgressSecrets(db, user));
  if (secrets === null) throw failure(consoleErrors.console_admin_required);
  return secrets;
}

/** Stores a secret instead of one with the same name. @throws Failure */
export async function storeSecret(
  db: Kysely<DB>,
  settings: Settings,
  user: ConsoleUser,
  { secret, origin }: { secret: EgressSecretValue; origin: ChangeOrigin },
): Promise<EgressSecret> {
  requireReachable(settings, secret.host);
  const sealed = await sealedSecret(settings, secret);
  const done = await setConsoleEgressSecret(db, user, sealed, origin);
  if (done === null) throw failure(consoleErrors.console_admin_required);
  if (done === "full") throw failure(egressSecretErrors.egress_secrets_too_many, { most: MAX_EGRESS_SECRETS });
  const stored = (await findSecrets(db, user)).find(({ id }) => id === sealed.id);
  return requireFound(stored, egressSecretErrors.egress_secret_not_found);
}

/** @throws Failure */
export async function deleteSecret(
  db: Kysely<DB>,
  user: ConsoleUser,
  { id, origin }: { id: string; origin: ChangeOrigin },
): Promise<void> {
  const done = await setConsoleEgressSecret(db, user, { id }, origin);
  if (done === null) throw failure(consoleErrors.console_admin_required);
  if (done === "missing") throw failure(egressSecretErrors.egress_secret_not_found);
}
