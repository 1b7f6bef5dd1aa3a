import { setTimeout as delay } from "node:timers/promises";
import { type Run, UserError } from "@tenantry/plugin-host";
import { sendRequest } from "@tenantry/std/send-request";
import * as z from "zod";
import { errorText } from "#domain/errors/catalogue.ts";
import { providerErrors } from "#domain/errors/stack/provider.ts";

export const backupOrder = z.object({
  /** Responds to `POST` with 200 after a backup, 204 if there is nothing to back up, 404 `tenant_not_found` for an unknown tenant. */
  url: z.url(),
  token: z.string().min(1),
  beforeDelete: z.boolean().default(false),
});
export type BackupOrder = z.infer<typeof backupOrder>;

/** Error body of every HTTP interface of the platform. */
const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Pauses before retries of temporary failures, in milliseconds. */
const PAUSES_MS = [1_000, 3_000];
/** A backup that takes longer is reported, in milliseconds. */
const QUIET_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;

class Fault extends UserError {
  override name = "Fault";
  readonly isTemporary: boolean;

  constructor(text: string, isTemporary: boolean) {
    super(text);
    this.isTemporary = isTemporary;
  }
}

/** Backs up a tenant's state, if there is any. @param timeoutMs for all attempts @throws UserError with the reason */
export async function backUpState(order: BackupOrder, timeoutMs: number, run: Run): Promise<void> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), run.cancelled]);
  const slow = setTimeout(() => void run.status("Backing up the tenant's state…"), QUIET_MS);
  try {
    for (const pause of [...PAUSES_MS, undefined]) {
      try {
        return await requestBackup(order, signal);
      } catch (error) {
        if (run.cancelled.aborted) throw new UserError(errorText(providerErrors.backup_run_cancelled));
        if (signal.aborted)
          throw new UserError(errorText(providerErrors.backup_timed_out, { minutes: timeoutMs / 60_000 }));
        if (pause === undefined || !(error instanceof Fault && error.isTemporary)) throw error;
      }
      await delay(pause);
    }
  } finally {
    clearTimeout(slow);
  }
}

async function requestBackup({ url, token }: BackupOrder, signal: AbortSignal): Promise<void> {
  const { status, body } = await sendRequest(new URL(url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    signal,
    // The response comes after the backup.
    keepAliveMs: KEEP_ALIVE_MS,
  }).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    const values = { host: new URL(url).host, code };
    throw new Fault(errorText(providerErrors.backup_worker_unreachable, values), true);
  });
  if (status === 200 || status === 204) return;
  const rejection = parseError(body);
  if (status === 404 && rejection?.code === "tenant_not_found") return;
  // The Worker's message has a remedy of its own.
  throw new Fault(
    rejection?.message ?? errorText(providerErrors.backup_response_unexpected, { status }),
    status >= 500,
  );
}

function parseError(body: string): z.infer<typeof refusal>["error"] | undefined {
  try {
    return refusal.parse(JSON.parse(body)).error;
  } catch {
    return undefined;
  }
}
