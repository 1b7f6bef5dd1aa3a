/**
 * The upgrade of a state by a newer gateway: from when its backup is whole until the gateway is seen to run. Stored, since whatever begins
 * anew in between has to know that the state may be changed by half: it is neither backed up nor started with again, but given up for
 * that backup.
 */
import * as z from "zod";
import { type GatewayVersion, gatewayVersion, type ProcessList } from "#workers/contracts/tenant/sandbox.ts";
import type { UpgradeStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";

/** After the first that failed the next is made this much later, in milliseconds; the others after twice as long each. */
const FIRST_PAUSE_MS = 60 * 1000;
/** The longest pause, in milliseconds. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000;
const LIST_TIMEOUT_MS = 10_000;

const KEY = "state-upgrade";
const record = z.object({
  from: gatewayVersion,
  to: gatewayVersion,
  /** Id of the backup of the state before. */
  backup: z.string(),
  /** Attempts in a row, the last among them. */
  count: z.number().int(),
  /** How the last one failed; absent while it is under way. */
  failure: z.object({ at: z.iso.datetime(), message: z.string() }).optional(),
});
type Stored = z.infer<typeof record>;
type Failed = Stored & { failure: NonNullable<Stored["failure"]> };

export interface StateUpgradeOptions {
  storage: Pick<DurableObjectStorage, "get" | "put" | "delete">;
  sandbox: Pick<SandboxPort, "listProcesses">;
  record: RecordEvent;
}

export const named = ({ name, version }: GatewayVersion): string => `${name} ${version}`;

export class StateUpgrade {
  readonly #o: StateUpgradeOptions;
  #isStarting = false;
  /** A list requested before this time, in milliseconds since the epoch, does not show the gateway that was started. */
  #startedAt = 0;

  constructor(options: StateUpgradeOptions) {
    this.#o = options;
  }

  /** The gateway is about to be started on an older state, of which there is this backup. Ended by {@link started}. */
  async begins(upgrade: Pick<Stored, "from" | "to" | "backup">): Promise<void> {
    const last = await this.#stored();
    const isAgain =
      last !== undefined && named(last.to) === named(upgrade.to) && named(last.from) === named(upgrade.from);
    await this.#put({ ...upgrade, count: isAgain ? last.count + 1 : 1 });
    this.#isStarting = true;
    this.#o.record("upgrade.begun", { from: named(upgrade.from), to: named(upgrade.to), backup: upgrade.backup });
  }

  /** The start was ordered, or could not be. */
  started(): void {
    this.#isStarting = false;
    this.#startedAt = Date.now();
  }

  /** The processes were listed. @param at when the call began */
  async observed({ processes, failure }: ProcessList, at: Date): Promise<void> {
    if (this.#isStarting || at.getTime() < this.#startedAt) return;
    const upgrade = await this.#stored();
    if (upgrade === undefined || processes.some(({ type }) => type === "script")) return;
    if (processes.length > 0) {
      await this.forget();
      this.#o.record("upgrade.complete", { from: named(upgrade.from), to: named(upgrade.to) });
    } else if (upgrade.failure === undefined) {
      const message = failure?.message ?? "the gateway ended before it had started";
      await this.#put({ ...upgrade, failure: { at: new Date().toISOString(), message } });
      const { from, to, backup } = upgrade;
      this.#o.record("upgrade.failed", { from: named(from), to: named(to), backup, message });
    }
  }

  /**
   * The present upgrade, after another lookup of the processes.
   *
   * @returns `under-way`, the failed one, or `undefined` when there is none
   * @throws when the processes cannot be listed
   */
  async now(): Promise<"under-way" | Failed | undefined> {
    if ((await this.#stored()) === undefined) return undefined;
    const at = new Date();
    await this.observed(await this.#o.sandbox.listProcesses(AbortSignal.timeout(LIST_TIMEOUT_MS)), at);
    const upgrade = await this.#stored();
    if (upgrade?.failure === undefined) return upgrade && "under-way";
    return { ...upgrade, failure: upgrade.failure };
  }

  /** The status for administrators. */
  async status(): Promise<UpgradeStatus | undefined> {
    const upgrade = await this.#stored();
    if (upgrade === undefined) return undefined;
    const { count: _, failure, ...rest } = upgrade;
    if (failure === undefined) return { state: "under-way", ...rest };
    const failed = { ...upgrade, failure };
    return {
      state: "failed",
      ...rest,
      failure,
      remedy: remedyOf(failed),
      nextAttempt: nextAttempt(failed).toISOString(),
    };
  }

  /** An administrator wants it tried again at once. */
  async retry(): Promise<void> {
    // One that nobody saw complete would be taken for a failed one when its gateway ends for the restart.
    await this.now().catch(() => {});
    const upgrade = await this.#stored();
    if (upgrade !== undefined) await this.#put({ ...upgrade, count: 0 });
  }

  /** There is none any more: it was completed, or its state was given up. */
  async forget(): Promise<void> {
    await this.#o.storage.delete(KEY);
  }

  async #stored(): Promise<Stored | undefined> {
    return record.safeParse(await this.#o.storage.get(KEY)).data;
  }

  async #put(upgrade: Stored): Promise<void> {
    await this.#o.storage.put<Stored>(KEY, upgrade);
  }
}

/** When a failed one is tried again with the same image. */
export function nextAttempt({ count, failure }: Failed): Date {
  const pause = count === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
  return new Date(Date.parse(failure.at) + pause);
}

/** What helps after a failed one. */
export const remedyOf = ({ from, backup }: Failed): string =>
  `go back to the image before, with ${named(from)}: backup ${backup} is of that version and whole, and the next call restores it there`;
