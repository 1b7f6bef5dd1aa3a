/** What the rest of the supervisor asks of the sandbox's sleep. */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";

export interface SleepControl {
  /** An activating call was made: the sandbox stays awake, or is about to wake. */
  called(): Promise<void>;
  /** The sandbox is awake, so its idle time is checked from now on. */
  awake(): Promise<void>;
  /** Waits until the sandbox is not falling asleep. @param wanted whether it is to stay awake if it can */
  settled(wanted: boolean): Promise<void>;
  /** The sleep status. Changes nothing. @param activity `undefined` while the sandbox sleeps */
  status(activity: SandboxActivity | undefined): Promise<Partial<SleepStatus>>;
  /**
   * Puts the sandbox to sleep if it is time, or wakes it. Does not reject.
   *
   * @param observed what a health check has just observed, if there was one
   * @returns milliseconds to the next check; `undefined` when it sleeps and nothing is to wake it
   */
  check(observed?: { activity?: SandboxActivity | undefined }): Promise<number | undefined>;
}

/** For a plan whose sandbox never sleeps. */
export const alwaysAwake: SleepControl = {
  called: async () => {},
  awake: async () => {},
  settled: async () => {},
  status: async () => ({}),
  check: async () => undefined,
};
