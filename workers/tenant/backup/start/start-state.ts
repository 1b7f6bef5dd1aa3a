import { NewerState, NotEnoughDisk, StateNotReady } from "../errors.ts";
import type { FailureReports } from "../failure-reports.ts";
import type { RestoreStatusCache } from "../restore/status-cache.ts";
import type { ImageVersion } from "../upgrade/image-version.ts";
import { type PreparationParts, prepareState } from "./preparation.ts";

export type StartStateParts = PreparationParts & {
  image: Pick<ImageVersion, "readDuring">;
  status: Pick<RestoreStatusCache, "set" | "forget">;
  failures: Pick<FailureReports, "reportNewerState" | "reportFailedRestore">;
};

/**
 * Prepares the state for a start, and reports failures.
 *
 * @returns environment variables for the startup script
 * @throws StateNotReady when the bucket or the sandbox fails, or the image must not use the state
 */
export async function prepareStart(parts: StartStateParts): Promise<Record<string, string>> {
  const { status, image } = parts;
  status.forget();
  try {
    const prepared = await image.readDuring(() => prepareState(parts));
    status.set(prepared.status);
    return prepared.variables;
  } catch (error) {
    throw await notReady(error, parts.failures);
  }
}

async function notReady(error: unknown, failures: StartStateParts["failures"]): Promise<StateNotReady> {
  if (error instanceof StateNotReady) return error;
  if (error instanceof NotEnoughDisk)
    return new StateNotReady(
      "the backup needs more room than the disk has; choose a larger plan. GET /api/admin/gateway/backups shows how much is needed",
    );
  if (error instanceof NewerState) {
    await failures.reportNewerState(error.message);
    return new StateNotReady(error.message);
  }
  failures.reportFailedRestore(error);
  return new StateNotReady("the backup could not be read or restored; the platform retries");
}
