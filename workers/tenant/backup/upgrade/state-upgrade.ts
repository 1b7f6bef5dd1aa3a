/**
 * The upgrade of a state by a newer gateway, from the backup before it until the gateway runs. The record is stored: until the upgrade is
 * complete the state may be half changed, so it is neither backed up nor started again, but given up for that backup.
 */
import * as z from "zod";
import { type GatewayVersion, gatewayVersion, type ProcessList } from "#workers/contracts/tenant/sandbox.ts";
import type { UpgradeStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { KeyValueStorage } from "../../storage.ts";

/** Pause after the first failed upgrade, in milliseconds. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 60 * 1000;
const MAX_PAUSE_MS = 60 * 60 * 1000;
const LIST_TIMEOUT_MS = 10_000;

const KEY = "state-upgrade";
const record = z.object({
  from: gatewayVersion,
  to: gatewayVersion,
  /** Id of the backup before the upgrade. */
  backup: z.string(),
  /** Consecutive attempts, including the last. */
  count: z.number().int(),
  /** Absent while the last attempt is in progress. */
  failure: z.object({ at: z.iso.datetime(), message: z.string() }).optional(),
});
type Stored = z.infer<typeof record>;
type Failed = Stored & { failure: NonNullable<Stored["failure"]> };

export interface StateUpgradeOptions {
  storage: KeyValueStorage;
  sandbox: Pick<SandboxPort, "listProcesses">;
  record: RecordEvent;
}

export const nameOf = ({ name, version }: GatewayVersion): string => `${name} ${version}`;

export class StateUpgrade {
  readonly #o: StateUpgradeOptions;
  #isStarting = false;
  /** An earlier observation does not show the started gateway. In milliseconds since the epoch. */
  #startedAt = 0;

  constructor(options: StateUpgradeOptions) {
    this.#o = options;
  }

  /** Records that a start will upgrade the state. Call {@link endStart} after the start. */
  async begin(upgrade: Pick<Stored, "from" | "to" | "backup">): Promise<void> {
    const last = await this.#stored();
    const isRepeated =
      last !== undefined && nameOf(last.to) === nameOf(upgrade.to) && nameOf(last.from) === nameOf(upgrade.from);
    await this.#put({ ...upgrade, count: isRepeated ? last.count + 1 : 1 });
    this.#isStarting = true;
    this.#o.record("upgrade.begun", { from: nameOf(upgrade.from), to: nameOf(upgrade.to), backup: upgrade.backup });
  }

  /** Call when a start was ordered or has failed. */
  endStart(): void {
    this.#isStarting = false;
    this.#startedAt = Date.now();
  }

  /** Completes or fails the upgrade by a list of processes. @param at when the call began that returned the list */
  async observe({ processes, failure }: ProcessList, at: Date): Promise<void> {
    if (this.#isStarting || at.getTime() < this.#startedAt) return;
    const upgrade = await this.#stored();
    if (upgrade === undefined || processes.some(({ type }) => type === "script")) return;
    if (processes.length > 0) {
      await this.forget();
      this.#o.record("upgrade.complete", { from: nameOf(upgrade.from), to: nameOf(upgrade.to) });
    } else if (upgrade.failure === undefined) {
      const message = failure?.message ?? "the gateway ended before it had started";
      await this.#put({ ...upgrade, failure: { at: new Date().toISOString(), message } });
      const { from, to, backup } = upgrade;
      this.#o.record("upgrade.failed", { from: nameOf(from), to: nameOf(to), backup, message });
    }
  }

  /** Lists the processes and returns the current upgrade, if there is one. @throws when the processes cannot be listed */
  async current(): Promise<"under-way" | Failed | undefined> {
    if ((await this.#stored()) === undefined) return undefined;
    const at = new Date();
    await this.observe(await this.#o.sandbox.listProcesses(AbortSignal.timeout(LIST_TIMEOUT_MS)), at);
    const upgrade = await this.#stored();
    if (upgrade?.failure === undefined) return upgrade && "under-way";
    return { ...upgrade, failure: upgrade.failure };
  }

  /** Returns the status for administrators. */
  async status(): Promise<UpgradeStatus | undefined> {
    const upgrade = await this.#stored();
    if (upgrade === undefined) return undefined;
    const { count: _, failure, ...rest } = upgrade;
    if (failure === undefined) return { state: "under-way", ...rest };
    const failed = { ...upgrade, failure };
    const next = nextAttempt(failed).toISOString();
    return { state: "failed", ...rest, failure, remedy: remedyOf(failed), nextAttempt: next };
  }

  /** Permits another attempt immediately. */
  async retry(): Promise<void> {
    // Records a complete upgrade, which would otherwise count as failed when its gateway ends for the restart.
    await this.current().catch(() => {});
    const upgrade = await this.#stored();
    if (upgrade !== undefined) await this.#put({ ...upgrade, count: 0 });
  }

  /** Deletes the record: the upgrade is complete, or its state was given up. */
  async forget(): Promise<void> {
    await this.#o.storage.delete(KEY);
  }

  async #stored(): Promise<Stored | undefined> {
    return record.safeParse(await this.#o.storage.get(KEY)).data;
  }

  async #put(upgrade: Stored): Promise<void> {
    await this.#o.storage.put(KEY, upgrade);
  }
}

/** Returns when a failed upgrade is tried again with the same image. */
export function nextAttempt({ count, failure }: Failed): Date {
  const pause = count === 0 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
  return new Date(Date.parse(failure.at) + pause);
}

export const remedyOf = ({ from, backup }: Failed): string =>
  `deploy the previous image, with ${nameOf(from)}; the next call then restores backup ${backup}, which is complete and of that version`;
