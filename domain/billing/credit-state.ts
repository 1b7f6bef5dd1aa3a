/**
 * What becomes of a tenant whose credit is used up: one machine, which the database's `check_credit_state` holds every writer to.
 *
 *     ok → warn → grace → frozen → final_backup → deletion_due
 *
 * Credit alone leads to `warn` and `grace`; from there each step has a deadline, and credit leads back from every one until the deletion
 * was asked for. Without `deleteWhenExhausted` it ends at `final_backup`.
 */

export const creditStates = ["ok", "warn", "grace", "frozen", "final_backup", "deletion_due"] as const;
export type CreditState = (typeof creditStates)[number];

/** How far a pool's credit reaches; the database's `credit_level` says the same. */
export type CreditLevel = "ok" | "warn" | "used_up";

/** Days that each state lasts at least, before the next step; the states without an end go by credit alone. */
export const STATE_DAYS: Readonly<Record<CreditState, number | undefined>> = {
  ok: undefined,
  warn: undefined,
  grace: 7,
  frozen: 30,
  final_backup: 7,
  deletion_due: 14,
};

export interface Credit {
  /** Whether the client pays ahead; who does not is billed by invoices alone, and never stopped here. */
  readonly prepaid: boolean;
  readonly balanceMicros: bigint;
  readonly warnBelowMicros: bigint;
}

export interface CreditPool extends Credit {
  readonly state: CreditState;
  /** When the next step is due; `undefined` where credit alone decides. */
  readonly deadline: Date | undefined;
  readonly deleteWhenExhausted: boolean;
  /** Whether the final backup is made, or there is nothing to back up. */
  readonly backedUp: boolean;
  readonly deletionRequested: boolean;
}

/** `delete`: the deletion is to be asked for now; the state stays. */
export type CreditStep = { readonly to: CreditState; readonly deadline: Date | undefined } | "delete";

export function creditLevel({ prepaid, balanceMicros, warnBelowMicros }: Credit): CreditLevel {
  if (!prepaid) return "ok";
  if (balanceMicros <= 0n) return "used_up";
  return balanceMicros < warnBelowMicros ? "warn" : "ok";
}

/** The one step that is due at an instant; `undefined` for none. */
export function creditStep(pool: CreditPool, at: Date): CreditStep | undefined {
  if (pool.deletionRequested) return undefined;
  const level = creditLevel(pool);
  if (level !== "used_up") return pool.state === level ? undefined : enter(level, at);
  if (pool.state === "ok" || pool.state === "warn") return enter("grace", at);
  // Whoever takes the setting back keeps what the backup holds.
  if (pool.state === "deletion_due" && !pool.deleteWhenExhausted) return enter("final_backup", at);
  if (pool.deadline === undefined || at < pool.deadline) return undefined;
  switch (pool.state) {
    case "grace":
      return enter("frozen", at);
    case "frozen":
      return enter("final_backup", at);
    case "final_backup":
      return pool.deleteWhenExhausted && pool.backedUp ? enter("deletion_due", at) : undefined;
    case "deletion_due":
      return "delete";
  }
}

/** What a tenant may do in a state of its credit. Its data are its own: having them out is never refused. */
export function creditPermits(state: CreditState): { readonly traffic: boolean; readonly exportOfData: true } {
  return { traffic: state === "ok" || state === "warn" || state === "grace", exportOfData: true };
}

function enter(to: CreditState, at: Date): CreditStep {
  const days = STATE_DAYS[to];
  return { to, deadline: days === undefined ? undefined : new Date(at.getTime() + days * 86_400_000) };
}
