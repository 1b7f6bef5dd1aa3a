import type { OwnProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../../env.ts";
import { supervisorOf } from "../../supervisor-calls.ts";
import type { KeyOutcome } from "./stored-keys.ts";

/** The tenant's own provider keys, for one call. */
export interface OwnKeys {
  /** Nothing is cached, so that a deleted key is not used again. @throws Error when the supervisor cannot be reached */
  list(): Promise<readonly OwnProviderKey[]>;
  /** Records what a response says of a key, without waiting. */
  record(id: string, outcome: KeyOutcome): void;
}

export const ownKeysOf = (
  env: Pick<TenantEnv, "SUPERVISOR">,
  context: Pick<ExecutionContext, "waitUntil">,
): OwnKeys => ({
  list: () => supervisorOf(env).providerKeys(),
  record: (id, outcome) =>
    context.waitUntil(
      supervisorOf(env)
        .recordProviderKey(id, outcome)
        .catch((error: unknown) => log("error", "provider-key.not-recorded", { message: String(error) })),
    ),
});
