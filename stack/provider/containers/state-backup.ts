import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { type Run, UserError } from "@tenantry/plugin-host";
import * as z from "zod";

/** Where a backup of what a container holds is ordered. */
export const backupOrder = z.object({
  /** `POST`ed to: 200 when a backup was made, 204 when there is nothing to back up, 404 `tenant_not_found` for no such tenant. */
  url: z.url(),
  token: z.string().min(1),
  /** Whether one is made before the application is deleted too. */
  beforeDelete: z.boolean().default(false),
});
export type BackupOrder = z.infer<typeof backupOrder>;

/** The errors of every HTTP interface of the platform. */
const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** After a failure that may pass it is tried again, this much later each time, in milliseconds. */
const PAUSES_MS = [1_000, 3_000];
/** A backup that lasts longer is told of, in milliseconds. */
const QUIET_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;

/** Why there is no backup. */
class Fault extends UserError {
  override name = "Fault";
  readonly mayPass: boolean;

  constructor(reason: string, mayPass: boolean) {
    super(reason);
    this.mayPass = mayPass;
  }
}

/**
 * Has the state backed up, if there is any.
 *
 * @param timeoutMs longest wait in all, in milliseconds
 * @throws UserError with the reason as a sentence
 */
export async function backUpState(order: BackupOrder, timeoutMs: number, run: Run): Promise<void> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), run.cancelled]);
  const slow = setTimeout(() => void run.status("Backing up the tenant's state…"), QUIET_MS);
  try {
    for (const pause of [...PAUSES_MS, undefined]) {
      try {
        return await ask(order, signal);
      } catch (error) {
        if (run.cancelled.aborted) throw new UserError("The run was cancelled.");
        if (signal.aborted) throw new UserError(`There was no answer within ${timeoutMs / 60_000} minutes.`);
        if (pause === undefined || !(error instanceof Fault && error.mayPass)) throw error;
      }
      await delay(pause);
    }
  } finally {
    clearTimeout(slow);
  }
}

async function ask({ url, token }: BackupOrder, signal: AbortSignal): Promise<void> {
  const { status, body } = await post(new URL(url), token, signal).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Fault(`The dispatch Worker cannot be reached at ${new URL(url).host}${code}.`, true);
  });
  if (status === 200 || status === 204) return;
  const said = refusalOf(body);
  if (status === 404 && said?.code === "tenant_not_found") return;
  throw new Fault(said?.message ?? `The dispatch Worker answered HTTP ${status}.`, status >= 500);
}

function post(url: URL, token: string, signal: AbortSignal): Promise<{ status: number; body: string }> {
  const request = url.protocol === "http:" ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        agent: false,
        signal,
        ...addressOf(url.hostname),
      },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      },
    );
    outgoing.on("error", reject);
    // Nothing is heard until the backup is made, and networks forget connections that are quiet.
    outgoing.setSocketKeepAlive(true, KEEP_ALIVE_MS);
    outgoing.end();
  });
}

/** Names under `localhost` are this machine's, though not every resolver knows them (RFC 6761, section 6.3). */
function addressOf(hostname: string): { lookup?: LookupFunction } {
  if (!hostname.endsWith(".localhost")) return {};
  const loopback = { address: "127.0.0.1", family: 4 };
  return {
    lookup: (_hostname, options, found) =>
      options.all === true ? found(null, [loopback]) : found(null, loopback.address, loopback.family),
  };
}

function refusalOf(body: string): z.infer<typeof refusal>["error"] | undefined {
  try {
    return refusal.parse(JSON.parse(body)).error;
  } catch {
    return undefined;
  }
}
