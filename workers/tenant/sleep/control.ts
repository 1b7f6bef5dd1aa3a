import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";

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
}

/** For a plan whose sandbox never sleeps. */
export const alwaysAwake: SleepControl = {
  recordCall: async () => {},
  recordAwake: async () => {},
  settle: async () => {},
  status: async () => ({}),
  check: async () => undefined,
};
