/** Own provider keys that a tenant's ADMIN sees and stores in the console. */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { ChangeOrigin, ConsoleUser } from "#database/console/person.ts";
import { consoleProviderKeys, setConsoleProviderKey } from "#database/console/provider-keys.ts";
import type { DB } from "#database/types.ts";
import { providerKey } from "#domain/entities/provider-key.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { providerKeyErrors } from "#domain/errors/api/provider-keys.ts";
import { type KeyProvider, providerKeyFaults, providerKeyState } from "#domain/provider-keys/providers.ts";
import type { ProviderKey } from "#workers/contracts/api/tenants/provider-keys.ts";
import { requireAcceptedKey } from "../../api/provider-keys/key-check.ts";
import { sealedKey } from "../../api/provider-keys/sealed-key.ts";
import type { Settings } from "../../env.ts";
import { failure } from "../../http/failure.tsx";
import { instant } from "../../instant.ts";

const nullable = instant.nullable();
const found = providerKey
  .omit({ state: true })
  .extend({ last_error_at: nullable, pushed_at: nullable, last_used_at: nullable, created_at: instant })
  .extend({ fault: z.enum(providerKeyFaults).nullable() })
  .transform(({ fault, ...key }) => ({ ...key, state: providerKeyState({ fault, pushed_at: key.pushed_at }) }));

/** @throws Failure `forbidden` for a user who is not an ADMIN */
export async function findKeys(db: Kysely<DB>, user: ConsoleUser): Promise<ProviderKey[]> {
  const keys = z
    .array(found)
    .nullable()
    .parse(await consoleProviderKeys(db, user));
  if (keys === null) throw failure(consoleErrors.console_admin_required);
  return keys;
}

/** Stores a key that its provider accepts instead of the present one. @throws Failure */
export async function storeKey(
  db: Kysely<DB>,
  settings: Settings,
  { user, provider, key, origin }: { user: ConsoleUser; provider: KeyProvider; key: string; origin: ChangeOrigin },
): Promise<void> {
  await requireAcceptedKey(settings, provider, key);
  const sealed = await sealedKey(settings, provider, key);
  const stored = await setConsoleProviderKey(db, user, { provider, key: sealed, ...origin });
  if (stored === null) throw failure(consoleErrors.console_admin_required);
}

/** @throws Failure */
export async function deleteKey(
  db: Kysely<DB>,
  user: ConsoleUser,
  { provider, origin }: { provider: KeyProvider; origin: ChangeOrigin },
): Promise<void> {
  const existed = await setConsoleProviderKey(db, user, { provider, key: null, ...origin });
  if (existed === null) throw failure(consoleErrors.console_admin_required);
  if (!existed) throw failure(providerKeyErrors.provider_key_not_found);
}
