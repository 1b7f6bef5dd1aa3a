import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";

/** Result of an order to sleep. RPC does not preserve error classes, so refusals are values. `wakesAt`: ISO 8601 UTC. */
export type OrderedSleep = { asleep: true; wakesAt?: string } | { refused: StatedError };

/** The sandbox's sleep, as the rest of the supervisor uses it. */
export interface SleepControl {
  /** Records an activating call: the sandbox stays awake, or is about to wake. */
  recordCall(): Promise<void>;
  /** Records that the sandbox is awake, which starts checks of its idle time. */
  recordAwake(): Promise<void>;
  /** Waits until the sandbox is not falling asleep. @param keepAwake cancels falling asleep if it still can */
  settle(keepAwake: boolean): Promise<void>;
  /** Returns the sleep status. Changes nothing. @param activity `undefined` while the sandbox sleeps */
  status(activity: SandboxActivity | undefined): Promise<Partial<SleepStatus>>;
  /**
   * Puts the sandbox to sleep or wakes it when due. Does not reject.
   *
   * @param observed result of a recent health check
   * @returns milliseconds to the next check; `undefined` when none is needed
   */
  check(observed?: { activity?: SandboxActivity | undefined }): Promise<number | undefined>;
  /**
   * Puts the sandbox to sleep regardless of its idle time and its gateway's channels. Does not reject.
   *
   * @param wakeAfterMs wakes the sandbox as for a job. Default: only for the gateway's own jobs
   */
  sleepNow(wakeAfterMs?: number): Promise<OrderedSleep>;
}

/** For a plan whose sandbox never sleeps. */
export const alwaysAwake: SleepControl = {
  recordCall: async () => {},
  recordAwake: async () => {},
  settle: async () => {},
  status: async () => ({}),
  check: async () => undefined,
  sleepNow: async () => ({ refused: stateError(workerErrors.sleep_not_in_plan) }),
};
