import type { PlanOffers } from "#workers/contracts/api/billing.ts";
import { formatBytes, formatDuration, formatMoney, formatNumber } from "#workers/dashboard/ui/kit/format.ts";

type Offer = PlanOffers["data"][number];

export const feeText = (micros: number | null): string => (micros === null ? "Ask your operator" : formatMoney(micros));

const GIBIBYTE_MIB = 1_024;

/** What a plan includes, in one line. */
export function planGrants(offer: Offer): string {
  const { ai_spend_usd } = offer.limits;
  const models =
    ai_spend_usd === null ? "no limit for models" : `models up to $${formatNumber(ai_spend_usd)} in 30 days`;
  return `${grantsBesideModels(offer)}; ${models}`;
}

export function grantsBesideModels({ container: { memory_mib, vcpu }, limits }: Offer): string {
  const { backup_bytes, sleep_after_seconds, doors } = limits;
  return [
    `${formatNumber(memory_mib / GIBIBYTE_MIB)} GiB of memory and ${formatNumber(vcpu)} CPU${vcpu === 1 ? "" : "s"}`,
    backup_bytes === null ? "backups as agreed" : `${formatBytes(backup_bytes)} of backups`,
    sleep_after_seconds === null ? "never sleeps" : `sleeps after ${formatDuration(sleep_after_seconds)} idle`,
    `${formatNumber(doors)} webhooks`,
  ].join("; ");
}

/** What changing to a plan costs, compared with the current one. */
export function differenceText(now: Offer | undefined, next: Offer): string {
  if (now?.monthly_micros == null || next.monthly_micros === null || next.month_change_micros === null) {
    return "This plan has no price. Ask your operator before you change to it.";
  }
  const monthly = signed(next.monthly_micros - now.monthly_micros, "per month");
  const month = signed(next.month_change_micros, "on the invoice of this month, if you change today");
  return `${monthly}, and ${month}. A day with two plans costs the dearer one.`;
}

const signed = (micros: number, when: string): string =>
  micros === 0 ? `no difference ${when}` : `${formatMoney(Math.abs(micros))} ${micros > 0 ? "more" : "less"} ${when}`;
