import type { CreditState } from "#domain/billing/credit-state.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const STATES: Readonly<Record<CreditState, readonly [tone: Tone, name: string]>> = {
  ok: ["good", "in credit"],
  warn: ["busy", "running low"],
  grace: ["busy", "used up, in grace"],
  frozen: ["info", "used up, frozen"],
  final_backup: ["bad", "used up, backed up for the last time"],
  deletion_due: ["bad", "used up, to be deleted"],
};

/** What comes next, unless credit does. */
export const NEXT: Readonly<Record<CreditState, string | undefined>> = {
  ok: undefined,
  warn: undefined,
  grace: "it is frozen",
  frozen: "it is backed up for the last time",
  final_backup: "its deletion comes due",
  deletion_due: "it is deleted",
};

export function CreditBadge({ state }: { state: CreditState }) {
  const [tone, name] = STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}
