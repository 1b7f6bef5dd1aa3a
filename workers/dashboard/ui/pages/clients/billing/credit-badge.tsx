import type { CreditState } from "#domain/billing/credit-state.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const STATES: Readonly<Record<CreditState, readonly [tone: Tone, name: string]>> = {
  ok: ["good", "in credit"],
  warn: ["busy", "running low"],
  grace: ["busy", "used up, grace period"],
  frozen: ["info", "used up, frozen"],
  final_backup: ["bad", "used up, final backup taken"],
  deletion_due: ["bad", "used up, deletion due"],
};

export function CreditBadge({ state }: { state: CreditState }) {
  const [tone, name] = STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}
