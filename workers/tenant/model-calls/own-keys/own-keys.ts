import type { OwnProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../../env.ts";
import { supervisorOf } from "../../supervisor-calls.ts";
import type { KeyOutcome } from "./stored-keys.ts";

/** How long keys are used without another question, in milliseconds: a deleted key is used at most as long. */
const CACHE_MS = 5_000;
/** The supervisor stores the time of the last use by the minute. */
const MINUTE_MS = 60_000;

/** The tenant's own provider keys, for one call. */
export interface OwnKeys {
  /** @throws Error when the supervisor cannot be reached */
  list(): Promise<readonly OwnProviderKey[]>;
  /** Records what a response says of a key, without waiting. */
  record(id: string, outcome: KeyOutcome): void;
}

// Of the isolate, which serves one tenant.
let cached: { keys: readonly OwnProviderKey[]; until: number } | undefined;
const recorded = new Map<string, string>();

/** Makes the next call in this isolate read the keys again. */
export function forgetKeys(): void {
  cached = undefined;
  recorded.clear();
}

export const ownKeysOf = (
  env: Pick<TenantEnv, "SUPERVISOR">,
  context: Pick<ExecutionContext, "waitUntil">,
): OwnKeys => ({
  async list() {
    if (cached === undefined || cached.until <= Date.now()) {
      const until = Date.now() + CACHE_MS;
      cached = { keys: await supervisorOf(env).providerKeys(), until };
    }
    return cached.keys;
  },
  record(id, outcome) {
    const what = `${Math.floor(Date.now() / MINUTE_MS)} ${JSON.stringify(outcome)}`;
    if (recorded.get(id) === what) return;
    recorded.set(id, what);
    context.waitUntil(
      supervisorOf(env)
        .recordProviderKey(id, outcome)
        .catch((error: unknown) => {
          recorded.delete(id);
          log("error", "provider-key.not-recorded", { message: String(error) });
        }),
    );
  },
});
