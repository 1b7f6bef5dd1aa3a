/**
 * Decides the next moves of a rollout: wave after wave, each once the previous one has stayed healthy. A failure rolls back the current
 * wave; completed waves stay until a user rolls back the rollout.
 */

export const rolloutStatuses = [
  "running",
  "paused",
  "rolling_back",
  "succeeded",
  "failed",
  "stopped",
  "rolled_back",
] as const;
export type RolloutStatus = (typeof rolloutStatuses)[number];

/**
 * `announced`: its administrators were notified. `failed`: the change failed; the tenant runs its previous version or is rolled back with
 * its wave. `stuck`: the rollback failed too. `skipped`: it will not be changed.
 */
export const rolloutTenantStatuses = [
  "waiting",
  "announced",
  "changing",
  "done",
  "failed",
  "going_back",
  "gone_back",
  "stuck",
  "skipped",
] as const;
export type RolloutTenantStatus = (typeof rolloutTenantStatuses)[number];

export interface RolloutTenant {
  instanceId: string;
  slug: string;
  wave: number;
  status: RolloutTenantStatus;
  /** Earliest time of the change; null before it is scheduled. */
  notBefore: Date | null;
  changedAt: Date | null;
  /** Whether a job for it is running. */
  hasJob: boolean;
  /** Why the rollout skips it; null if it does not. */
  passedBy: string | null;
  /** Whether another job is changing its version, which must end first. */
  isBusy: boolean;
  /** Problem since its change; null if none is known. */
  trouble: string | null;
  /** Whether its last probe since the change succeeded; true without a probe. */
  looksWell: boolean;
}

export interface RolloutState {
  status: RolloutStatus;
  wave: number;
  lastWave: number;
  soakMs: number;
  /** Why it is rolled back; null if a user requested it. */
  cause: string | null;
  tenants: readonly RolloutTenant[];
}

/** Maximum number of concurrent changes, so that no job expires in the queue. */
export const MOST_AT_ONCE = 10;

export type Move =
  /** Schedules the change of a tenant. */
  | { do: "schedule"; tenant: RolloutTenant }
  | { do: "change"; tenant: RolloutTenant }
  | { do: "go_back"; tenant: RolloutTenant }
  | { do: "skip"; tenant: RolloutTenant; cause: string }
  | { do: "next_wave"; wave: number }
  /** Rolls back the wave. */
  | { do: "give_up"; cause: string }
  | { do: "end"; status: "succeeded" | "failed" | "rolled_back" };

/** Returns the moves that are due, in order. */
export function nextMoves(rollout: RolloutState, now: Date): Move[] {
  if (rollout.status === "rolling_back") return rollbackMoves(rollout);
  if (rollout.status !== "running") return [];
  const wave = rollout.tenants.filter((tenant) => tenant.wave === rollout.wave);
  const cause = faultOf(rollout.tenants);
  if (cause !== undefined) return [{ do: "give_up", cause }];
  const forwards = changes(wave, now);
  if (forwards.length > 0) return forwards;
  if (!wave.every((tenant) => isPassed(tenant, rollout.soakMs, now))) return [];
  if (rollout.wave < rollout.lastWave) return [{ do: "next_wave", wave: rollout.wave + 1 }];
  return [{ do: "end", status: "succeeded" }];
}

function faultOf(tenants: readonly RolloutTenant[]): string | undefined {
  const failed = tenants.find(({ status, trouble }) => status === "failed" || (status === "done" && trouble !== null));
  if (failed !== undefined) return `${failed.slug}: ${failed.trouble ?? "its change failed."}`;
  const stuck = tenants.find(({ status }) => status === "stuck");
  return stuck && `${stuck.slug}: ${stuck.trouble ?? "it could not be taken back."}`;
}

function changes(wave: readonly RolloutTenant[], now: Date): Move[] {
  const ahead = wave.filter(({ status }) => status === "waiting" || status === "announced");
  const reached = ahead.filter(({ passedBy }) => passedBy === null);
  const scheduled = reached
    .filter(({ status }) => status === "waiting")
    .map((tenant): Move => ({ do: "schedule", tenant }));
  const free = MOST_AT_ONCE - wave.filter(({ status }) => status === "changing").length;
  const due = reached.filter(
    ({ status, notBefore, isBusy }) => status === "announced" && !isBusy && notBefore !== null && notBefore <= now,
  );
  const changed = due.slice(0, Math.max(0, free)).map((tenant): Move => ({ do: "change", tenant }));
  return [...skipMoves(ahead), ...scheduled, ...changed];
}

const skipMoves = (tenants: readonly RolloutTenant[]): Move[] =>
  tenants.flatMap((tenant) =>
    tenant.passedBy === null ? [] : [{ do: "skip" as const, tenant, cause: tenant.passedBy }],
  );

/** Whether the tenant allows the next wave to start. */
function isPassed({ status, changedAt, looksWell }: RolloutTenant, soakMs: number, now: Date): boolean {
  if (status === "skipped") return true;
  return status === "done" && looksWell && now.getTime() - (changedAt?.getTime() ?? 0) >= soakMs;
}

function rollbackMoves({ tenants, cause }: RolloutState): Move[] {
  const going = tenants.filter(({ status }) => status === "going_back");
  const waiting = going.filter(({ hasJob }) => !hasJob);
  const free = MOST_AT_ONCE - (going.length - waiting.length);
  const next = waiting.filter(({ passedBy, isBusy }) => passedBy === null && !isBusy).slice(0, Math.max(0, free));
  const moves = [...skipMoves(waiting), ...next.map((tenant): Move => ({ do: "go_back", tenant }))];
  if (moves.length > 0) return moves;
  if (going.length > 0 || tenants.some(({ status }) => status === "changing")) return [];
  return [{ do: "end", status: cause === null ? "rolled_back" : "failed" }];
}
