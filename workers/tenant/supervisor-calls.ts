/** What the Worker and the container ask of the tenant's supervisor; with which `env.ts` need not know its class. */
import type { JWK } from "jose";
import type { AiQuery } from "#workers/contracts/tenant/ai-usage.ts";
import type { BackupReport, RestoreOrder } from "#workers/contracts/tenant/backup.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { BackupOutcome, RestoreOutcome } from "./backup/outcome.ts";
import type { HealthCheck, Mode } from "./health/check.ts";
import type { AiUsagePoint } from "./metrics/ai-usage.ts";

export interface SupervisorCalls extends Rpc.DurableObjectBranded {
  /** Opens the health stream. */
  fetch(request: Request): Promise<Response>;
  /**
   * One snapshot. In active mode a gateway that does not run is started, its state restored before if need be, and a backup
   * is begun when one is due; in passive mode nothing is touched.
   */
  snapshot(mode: Mode): Promise<HealthSnapshot>;
  /**
   * Makes and measures a passive health check each minute. Begins a backup when the gateway runs and one is due.
   *
   * @param scheduledTime the minute: ISO 8601 UTC
   */
  tick(scheduledTime: string): Promise<HealthCheck>;
  /** Counts queries to models. @returns how many points were left out */
  countAiUsage(points: AiUsagePoint[]): { left: number };
  /** Counts queries that the AI gateway's log tells of, each once. @throws when nothing was counted */
  countAiQueries(queries: AiQuery[]): void;
  /**
   * Makes a backup now, after one that is in progress.
   *
   * @param order `anew`: the container ends after the backup, so that its use is measured too. Default: `any`
   */
  backUp(order?: "any" | "anew"): Promise<BackupOutcome>;
  /** What there is of backups, and what is the matter with them. @throws when the bucket or the sandbox cannot be read */
  backups(): Promise<BackupReport>;
  /** Takes the present state for the tenant's, which a backup of it then hides no other by, and backs it up. */
  acceptState(): Promise<BackupOutcome>;
  /**
   * Restores a chosen backup in place of the present state, which is backed up before.
   *
   * @param order.discardPresent goes on when that cannot be done
   * @param order.order names it: one that was carried out is answered as it was
   */
  restoreBackup(order: RestoreOrder): Promise<RestoreOutcome>;
  /** Whether tenant traffic may pass now; starts the gateway when it does not run. Concurrent calls share one health check. */
  admit(): Promise<boolean>;
  /** Clears the startup cache, ends the gateway and starts it again. Calls at one time share one restart. */
  restart(): Promise<void>;
  /**
   * Ends every WebSocket, stream and health listener at once.
   *
   * @param routable whether the tenant may be reached; if not, nothing starts its gateway until a call reaches it that may
   */
  cut(routable: boolean): Promise<void>;
  /** What of the sandbox is used; touches nothing. */
  status(): Promise<SandboxStatus>;
  /** The private key of {@link UserTickets}, for this Worker alone. */
  ticketKey(): Promise<JWK>;
  /** What became of backups and restores, then the last lines of the gateway's log, without its secrets. */
  log(lines: number): Promise<string[]>;
}

/** The tenant's one supervisor. */
export const supervisorOf = ({ SUPERVISOR }: { SUPERVISOR: DurableObjectNamespace<SupervisorCalls> }) =>
  SUPERVISOR.get(SUPERVISOR.idFromName("gateway"));
