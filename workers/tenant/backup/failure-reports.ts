/** Reports failures of backups and restores: counts each one, and records an event when the reason is new. */
import type { BackupFailure } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../event-log.ts";
import { BackupRefused } from "./refusal.ts";
import type { Troubles } from "./troubles.ts";

export interface FailureReportsOptions {
  troubles: Troubles;
  /** Counts a failure in the tenant's usage. */
  count: (failure: BackupFailure) => void;
  record: RecordEvent;
}

export class FailureReports {
  readonly #o: FailureReportsOptions;

  constructor(options: FailureReportsOptions) {
    this.#o = options;
  }

  /** A backup could not be made. */
  async backupFailed(error: unknown): Promise<void> {
    const kind = error instanceof BackupRefused ? "refused" : "failed";
    const message = error instanceof Error ? error.message : String(error);
    this.#o.count(kind);
    if (await this.#o.troubles.report(kind, message)) this.#o.record(`backup.${kind}`, { message });
  }

  /** A backup was made. */
  async backupComplete(): Promise<void> {
    await this.#o.troubles.clear();
  }

  /** The state is newer than the image. */
  async stateIsNewer(message: string): Promise<void> {
    this.#o.count("newer-state");
    if (await this.#o.troubles.report("newer-state", message)) this.#o.record("state.newer", { message });
  }

  /** The state is not newer than the image. */
  async stateIsUsable(): Promise<void> {
    if ((await this.#o.troubles.current())?.kind === "newer-state") await this.#o.troubles.clear();
  }

  /** A restore failed for a reason that may pass. */
  restoreFailed(error: unknown): void {
    this.#o.record("restore.failed", { message: String(error) });
  }
}
