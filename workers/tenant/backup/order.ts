/** The dispatch Worker's order to back up what is there now, given before the container is replaced. */

import { errorResponse } from "#workers/contracts/errors.ts";
import { log } from "#workers/shared/log.ts";
import type { BackupOutcome } from "./outcome.ts";

/** Answers an order as `BACKUP_PATH` has it. @param backUp makes a backup begun since */
export async function answerBackupOrder(backUp: () => Promise<BackupOutcome>): Promise<Response> {
  try {
    const outcome = await backUp();
    if ("manifest" in outcome) return Response.json(outcome.manifest, { headers: { "cache-control": "no-store" } });
    return outcome.empty ? new Response(null, { status: 204 }) : errorResponse("conflict", outcome.refused);
  } catch (error) {
    log("error", "ordered-backup.failed", { message: String(error) });
    const message = "The backup could not be made; GET /api/admin/gateway/log of the tenant says why.";
    return errorResponse("tenant_unavailable", message);
  }
}
