import type { SpendingCap } from "#workers/contracts/api/model-calls.ts";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";

type Cap = Pick<SpendingCap, "cap_micros" | "maximum_micros">;

/** The lower one of the plan's limit and the client's own cap; null without both. */
export const limitOf = ({ cap_micros: cap, maximum_micros: maximum }: Cap): number | null =>
  cap === null ? maximum : maximum === null ? cap : Math.min(cap, maximum);

/** States which of both limits applies, and what the other one is. */
export function capText(limits: Cap): string {
  const { cap_micros: cap, maximum_micros: maximum } = limits;
  const limit = limitOf(limits);
  if (limit === null) return "No limit: your plan has none, and you set no cap.";
  const applies = `At most ${formatMoney(limit)} in any 30 days:`;
  if (cap === null) return `${applies} the limit of your plan. You set no cap of your own.`;
  if (maximum === null) return `${applies} your own cap. Your plan has no limit.`;
  return cap < maximum
    ? `${applies} your own cap. Your plan permits ${formatMoney(maximum)}.`
    : `${applies} the limit of your plan. Your own cap of ${formatMoney(cap)} is not lower.`;
}
