import type { OwnProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import { log } from "#workers/shared/log.ts";
import type { KeyOutcome } from "./stored-keys.ts";

/** How long keys and cap are used without another question, in milliseconds: a deleted key is used at most as long. */
const CACHE_MS = 5_000;
/** The supervisor stores the time of the last use by the minute. */
const MINUTE_MS = 60_000;

export interface ModelCallTerms {
  keys: readonly OwnProviderKey[];
  /** Whether the client has spent as much as its cap permits. */
  isCapReached: boolean;
}

/** The terms of one call. */
export interface OwnKeys {
  /** @throws Error when the supervisor cannot be reached */
  terms(): Promise<ModelCallTerms>;
  /** Records what a response says of a key, without waiting. */
  record(id: string, outcome: KeyOutcome): void;
}

export interface KeySource {
  modelCallTerms(): Promise<ModelCallTerms>;
  recordProviderKey(id: string, outcome: KeyOutcome): Promise<void>;
}

/** Of an isolate, which serves one tenant. */
export class KeyCache {
  #cached: { terms: ModelCallTerms; until: number } | undefined;
  readonly #recorded = new Map<string, string>();

  /** Makes the next call in this isolate read keys and cap again. */
  forget(): void {
    this.#cached = undefined;
    this.#recorded.clear();
  }

  /** @param source returns the supervisor @param waitUntil that of the call */
  keysOf(source: () => KeySource, waitUntil: (work: Promise<unknown>) => void): OwnKeys {
    return {
      terms: async () => {
        if (this.#cached === undefined || this.#cached.until <= Date.now()) {
          const until = Date.now() + CACHE_MS;
          this.#cached = { terms: await source().modelCallTerms(), until };
        }
        return this.#cached.terms;
      },
      record: (id, outcome) => {
        const what = `${Math.floor(Date.now() / MINUTE_MS)} ${JSON.stringify(outcome)}`;
        if (this.#recorded.get(id) === what) return;
        this.#recorded.set(id, what);
        const recording = source().recordProviderKey(id, outcome);
        waitUntil(
          recording.catch((error: unknown) => {
            this.#recorded.delete(id);
            log("error", "provider-key.not-recorded", { message: String(error) });
          }),
        );
      },
    };
  }
}
