import type { UsageMetric } from "#domain/billing/usage-metric.ts";
import { formatDay } from "#workers/dashboard/ui/kit/format.ts";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";

/** Of the card with the calls of models. */
export const CALLS_ID = "calls";

/** Leads to the calls of models on a day, among the other parameters of the models page. */
export const CallsLink = ({ day, search }: { day: string; search: object }) => (
  <TextLink to="/models" search={{ ...search, day }} hash={CALLS_ID}>
    Calls of {formatDay(day)}
  </TextLink>
);

export const isOfCalls = (metric: UsageMetric): boolean => metric === "ai_spend" || metric === "ai_queries";
