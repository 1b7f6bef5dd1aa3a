/**
 * State machine of a tenant's credit. The database's `check_credit_state` enforces it.
 *
 *     ok → warn → grace → frozen → final_backup → deletion_due
 *
 * The credit leads to `warn` and `grace`; each further step has a deadline. New credit leads back until the deletion is requested. Without
 * `deleteWhenExhausted` the last state is `final_backup`.
 */

export const creditStates = ["ok", "warn", "grace", "frozen", "final_backup", "deletion_due"] as const;
export type CreditState = (typeof creditStates)[number];

/** The database's `credit_level` has the same rules. */
export type CreditLevel = "ok" | "warn" | "used_up";

/** Days until the next step; undefined for states that only a change of the credit ends. */
export const STATE_DAYS: Readonly<Record<CreditState, number | undefined>> = {
  ok: undefined,
  warn: undefined,
  grace: 7,
  frozen: 30,
  final_backup: 7,
  deletion_due: 14,
};

export interface Credit {
  /** Whether the client pays in advance. Others are billed by invoice and never stopped. */
  readonly prepaid: boolean;
  readonly balanceMicros: bigint;
  readonly warnBelowMicros: bigint;
}

export interface CreditPool extends Credit {
  readonly state: CreditState;
  /** When the next step is due; `undefined` if it depends on credit only. */
  readonly deadline: Date | undefined;
  readonly deleteWhenExhausted: boolean;
  /** Whether the final backup is complete, or there is nothing to back up. */
  readonly backedUp: boolean;
  readonly deletionRequested: boolean;
}

/** `delete`: request the deletion; the state stays. */
export type CreditStep = { readonly to: CreditState; readonly deadline: Date | undefined } | "delete";

export function creditLevel({ prepaid, balanceMicros, warnBelowMicros }: Credit): CreditLevel {
  if (!prepaid) return "ok";
  if (balanceMicros <= 0n) return "used_up";
  return balanceMicros < warnBelowMicros ? "warn" : "ok";
}

/** Returns the step that is due, if any. */
export function creditStep(pool: CreditPool, at: Date): CreditStep | undefined {
  if (pool.deletionRequested) return undefined;
  const level = creditLevel(pool);
  if (level !== "used_up") return pool.state === level ? undefined : enterCreditState(level, at);
  if (pool.state === "ok" || pool.state === "warn") return enterCreditState("grace", at);
  // Without the setting the backup is retained.
  if (pool.state === "deletion_due" && !pool.deleteWhenExhausted) return enterCreditState("final_backup", at);
  if (pool.deadline === undefined || at < pool.deadline) return undefined;
  switch (pool.state) {
    case "grace":
      return enterCreditState("frozen", at);
    case "frozen":
      return enterCreditState("final_backup", at);
    case "final_backup":
      return pool.deleteWhenExhausted && pool.backedUp ? enterCreditState("deletion_due", at) : undefined;
    case "deletion_due":
      return "delete";
  }
}

/** Permissions of a tenant in a state of its credit. The export of its own data is always permitted. */
export function creditPermits(state: CreditState): { readonly traffic: boolean; readonly exportOfData: true } {
  return { traffic: state === "ok" || state === "warn" || state === "grace", exportOfData: true };
}

function enterCreditState(to: CreditState, at: Date): CreditStep {
  const days = STATE_DAYS[to];
  return { to, deadline: days === undefined ? undefined : new Date(at.getTime() + days * 86_400_000) };
}
