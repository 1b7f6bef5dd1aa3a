/** Service tokens that a tenant's user sees and creates in the console. */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { ChangeOrigin, ConsoleUser } from "#database/console/person.ts";
import {
  consoleTokenFault,
  consoleTokens,
  deleteConsoleToken,
  insertConsoleToken,
  type WantedToken,
} from "#database/console/tokens.ts";
import type { DB } from "#database/types.ts";
import { MAX_TOKENS_OF_CLIENT, serviceTokenName } from "#domain/access/service-token.ts";
import { serviceToken } from "#domain/entities/service-token.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import { serviceTokenErrors as errors } from "#domain/errors/api/service-tokens.ts";
import { duplicateErrors } from "#domain/errors/database/constraints.ts";
import { stateError } from "#domain/errors/stated.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { consoleTokenList } from "#workers/contracts/api/console/tokens.ts";
import type { Settings } from "../../env.ts";
import { type Failure, failure, NotAdmitted } from "../../http/failure.tsx";
import { instant } from "../../instant.ts";
import { createAccessToken } from "../../tenants/access-tokens.ts";

const found = consoleTokenList.extend({
  tokens: z.array(serviceToken.extend({ created_at: instant, expires_at: instant, last_used_at: instant.nullable() })),
});
export type FoundTokens = z.output<typeof found>;

/** @throws Failure `access_denied` for an address that is not a user of the tenant */
export async function findTokens(db: Kysely<DB>, user: ConsoleUser): Promise<FoundTokens> {
  const tokens = found.nullable().parse(await consoleTokens(db, user));
  if (tokens === null) throw new NotAdmitted(user.email, stateError(consoleErrors.console_access_ended));
  return tokens;
}

/** Creates a token at Access and stores it. @throws Failure @returns its secret */
export async function createToken(
  db: Kysely<DB>,
  settings: Settings,
  { user, wanted, origin }: { user: ConsoleUser; wanted: WantedToken; origin: ChangeOrigin },
): Promise<string> {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
  if (environment === "staging") throw failure(errors.service_tokens_not_in_staging);
  if (!settings.SERVICE_ACCESS) throw failure(errors.service_tokens_disabled);
  const most = MAX_TOKENS_OF_CLIENT;
  const { slug } = user;
  refuse(await consoleTokenFault(db, user, wanted, most), user);
  const name = serviceTokenName(wanted.id, tenantHostname(slug, environment, domain));
  const { secret, ...access } = await createAccessToken(settings, { name, days: wanted.days });
  // After a fault, the automation service deletes the token at Access, which opens nothing.
  refuse(await insertConsoleToken(db, user, wanted, { most, ...access, ...origin }), user);
  return secret;
}

/** @throws Failure */
export async function revokeToken(
  db: Kysely<DB>,
  user: ConsoleUser,
  { id, origin }: { id: string; origin: ChangeOrigin },
): Promise<void> {
  const revoked = await deleteConsoleToken(db, user, id, origin);
  if (revoked === null) throw failure(consoleErrors.console_access_ended);
  if (!revoked) throw failure(errors.service_token_not_found);
}

/** @param fault result of `dashboard.console_token_fault` */
function refuse(fault: string | null, { slug }: ConsoleUser): void {
  if (fault === null) return;
  const failures: Readonly<Record<string, () => Failure>> = {
    console_access_ended: () => failure(consoleErrors.console_access_ended),
    client_being_deleted: () => failure(clientErrors.client_being_deleted, { slug }),
    user_not_found: () => failure(peopleErrors.user_not_found),
    service_token_role_too_high: () => failure(errors.service_token_role_above_user),
    service_token_exists: () => failure(errors.service_token_exists),
    service_token_name_exists: () => failure(duplicateErrors.service_token_name_exists),
    client_has_max_service_tokens: () =>
      failure(errors.client_has_max_service_tokens, { slug, most: MAX_TOKENS_OF_CLIENT }),
  };
  throw failures[fault]?.() ?? new Error(`unknown fault ${fault}`);
}
