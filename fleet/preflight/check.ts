import type { Named, ValuesArgument } from "#domain/errors/catalogue.ts";
import { errorParts } from "#domain/errors/catalogue-error.ts";
import type { Requirements } from "./requirements.ts";

export type CheckState = "pass" | "warn" | "fail" | "skip";

export interface Outcome {
  state: CheckState;
  /** What was found: for `pass` a few words, else what failed and why. */
  found: string;
  /** What to do; `null` for `pass`. */
  remedy: string | null;
  /** Key of the error in the catalogue; `null` for `pass`. */
  reason: string | null;
}

export interface Check {
  /** Stable: programs may depend on it. */
  id: string;
  title: string;
  /** @throws Error, which becomes a failed check */
  run(requirements: Requirements): Promise<Outcome>;
}

/** @param found a few words. Default: none */
export const passed = (found = ""): Outcome => ({ state: "pass", found, remedy: null, reason: null });

const outcome =
  (state: CheckState) =>
  <const E extends Named>(entry: E, ...values: ValuesArgument<E>): Outcome => {
    const { cause, remedy } = errorParts(entry, ...values);
    return { state, found: cause, remedy, reason: entry.reason };
  };

export const failed = outcome("fail");
export const warned = outcome("warn");
/** For what cannot be checked here. */
export const skipped = outcome("skip");
