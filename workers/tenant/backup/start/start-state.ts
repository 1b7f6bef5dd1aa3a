/** Prepares the state for starts of the gateway, and reports failures. */
import { NewerState, NoRoom, StateNotReady } from "../errors.ts";
import type { FailureReports } from "../failure-reports.ts";
import type { RestoreStatusCache } from "../restore/status-cache.ts";
import type { ImageVersion } from "../upgrade/image-version.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import { type PreparationParts, prepareState } from "./preparation.ts";

export interface StartStateOptions {
  preparation: PreparationParts;
  image: Pick<ImageVersion, "readDuring">;
  upgrade: Pick<StateUpgrade, "endStart">;
  status: Pick<RestoreStatusCache, "set" | "forget">;
  failures: Pick<FailureReports, "reportNewerState" | "reportFailedRestore">;
}

export class StartState {
  readonly #o: StartStateOptions;

  constructor(options: StartStateOptions) {
    this.#o = options;
  }

  /**
   * Prepares the state. Call before each start, and {@link endAttempt} after the attempt.
   *
   * @returns environment variables for the startup script
   * @throws StateNotReady when the bucket or the sandbox fails, or the image must not use the state
   */
  async prepare(): Promise<Record<string, string>> {
    const { status, image, preparation } = this.#o;
    status.forget();
    try {
      const prepared = await image.readDuring(() => prepareState(preparation));
      status.set(prepared.status);
      return prepared.variables;
    } catch (error) {
      throw await this.#notReady(error);
    }
  }

  /** Call when a start was ordered or has failed. */
  endAttempt(): void {
    this.#o.upgrade.endStart();
  }

  async #notReady(error: unknown): Promise<StateNotReady> {
    if (error instanceof StateNotReady) return error;
    if (error instanceof NoRoom)
      return new StateNotReady(
        "the backup needs more room than the disk has; choose a larger plan. GET /api/admin/gateway/backups shows how much is needed",
      );
    if (error instanceof NewerState) {
      await this.#o.failures.reportNewerState(error.message);
      return new StateNotReady(error.message);
    }
    this.#o.failures.reportFailedRestore(error);
    return new StateNotReady("the backup could not be read or restored; the platform retries");
  }
}
