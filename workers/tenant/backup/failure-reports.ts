/** Reports failures of backups and restores: counts each one, and records an event when the reason is new. */
import type { BackupFailure } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../event-log.ts";
import { BackupRefused } from "./errors.ts";
import type { Troubles } from "./troubles.ts";

export interface FailureReportsOptions {
  troubles: Troubles;
  /** Counts a failure in the tenant's usage. */
  countFailure: (failure: BackupFailure) => void;
  record: RecordEvent;
}

export class FailureReports {
  readonly #o: FailureReportsOptions;

  constructor(options: FailureReportsOptions) {
    this.#o = options;
  }

  async reportFailedBackup(error: unknown): Promise<void> {
    const kind = error instanceof BackupRefused ? "refused" : "failed";
    const message = error instanceof Error ? error.message : String(error);
    this.#o.countFailure(kind);
    if (await this.#o.troubles.report(kind, message)) this.#o.record(`backup.${kind}`, { message });
  }

  async clear(): Promise<void> {
    await this.#o.troubles.clear();
  }

  /** Reports that the state is newer than the image. */
  async reportNewerState(message: string): Promise<void> {
    this.#o.countFailure("newer-state");
    if (await this.#o.troubles.report("newer-state", message)) this.#o.record("state.newer", { message });
  }

  async clearNewerState(): Promise<void> {
    if ((await this.#o.troubles.current())?.kind === "newer-state") await this.#o.troubles.clear();
  }

  /** Reports a restore that failed for a temporary reason. */
  reportFailedRestore(error: unknown): void {
    this.#o.record("restore.failed", { message: String(error) });
  }
}
