/**
 * What a roll-out does next, as a function of what it has come to: wave after wave, each begun when the one before has stayed healthy. A
 * failure takes the wave back that it is in; waves that have passed stay, until somebody rolls all of it back.
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
 * `announced`: its people know when. `failed`: the change failed, and it runs what it ran before, or is taken back with its wave.
 * `stuck`: going back failed too. `skipped`: it is not changed any more.
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
  /** When it may be changed; null while that is not said. */
  notBefore: Date | null;
  /** When it was changed; null before. */
  changedAt: Date | null;
  /** Whether a job for it is under way. */
  hasJob: boolean;
  /** Why the roll-out leaves it as it is from now on; null where it does not. */
  passedBy: string | null;
  /** Whether its version is being changed by somebody else, whose end comes first. */
  isBusy: boolean;
  /** What is the matter with it since it was changed; null for nothing that is known. */
  trouble: string | null;
  /** Whether its last look was a good one, or there was none since it was changed. */
  looksWell: boolean;
}

export interface RolloutState {
  status: RolloutStatus;
  wave: number;
  /** Of the last wave. */
  lastWave: number;
  soakMs: number;
  /** Why it goes back; null for somebody's wish. */
  cause: string | null;
  tenants: readonly RolloutTenant[];
}

/** Tenants that are changed at once; more wait, so that no job is late before it has begun. */
export const MOST_AT_ONCE = 10;

export type Move =
  /** Says when a tenant is changed, or has it changed at once where nothing hinders. */
  | { do: "schedule"; tenant: RolloutTenant }
  | { do: "change"; tenant: RolloutTenant }
  | { do: "go_back"; tenant: RolloutTenant }
  /** Leaves a tenant as it is. */
  | { do: "skip"; tenant: RolloutTenant; cause: string }
  | { do: "next_wave"; wave: number }
  /** Takes the wave back. */
  | { do: "give_up"; cause: string }
  | { do: "end"; status: "succeeded" | "failed" | "rolled_back" };

/** What is to be done now, in this order. Nothing while it waits. */
export function nextMoves(rollout: RolloutState, now: Date): Move[] {
  if (rollout.status === "rolling_back") return backwards(rollout);
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
  return [...skips(ahead), ...scheduled, ...changed];
}

const skips = (tenants: readonly RolloutTenant[]): Move[] =>
  tenants.flatMap((tenant) =>
    tenant.passedBy === null ? [] : [{ do: "skip" as const, tenant, cause: tenant.passedBy }],
  );

/** Whether nothing keeps the next wave from beginning. */
function isPassed({ status, changedAt, looksWell }: RolloutTenant, soakMs: number, now: Date): boolean {
  if (status === "skipped") return true;
  return status === "done" && looksWell && now.getTime() - (changedAt?.getTime() ?? 0) >= soakMs;
}

function backwards({ tenants, cause }: RolloutState): Move[] {
  const going = tenants.filter(({ status }) => status === "going_back");
  const waiting = going.filter(({ hasJob }) => !hasJob);
  const free = MOST_AT_ONCE - (going.length - waiting.length);
  const next = waiting.filter(({ passedBy, isBusy }) => passedBy === null && !isBusy).slice(0, Math.max(0, free));
  const moves = [...skips(waiting), ...next.map((tenant): Move => ({ do: "go_back", tenant }))];
  if (moves.length > 0) return moves;
  if (going.length > 0 || tenants.some(({ status }) => status === "changing")) return [];
  return [{ do: "end", status: cause === null ? "rolled_back" : "failed" }];
}
