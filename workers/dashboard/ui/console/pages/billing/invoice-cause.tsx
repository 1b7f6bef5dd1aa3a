import { useQuery } from "@tanstack/react-query";
import { METRIC_NAMES, type UsageMetric } from "#domain/billing/usage-metric.ts";
import type { Invoice } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import {
  MAX_SPENDING_DAYS,
  modelCallRoutes,
  type Spending,
  type SpendingBy,
} from "#workers/contracts/api/model-calls.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { formatLongDay, formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { formatUsage } from "#workers/dashboard/ui/pages/clients/usage/metric.ts";
import { CallsLink, isOfCalls } from "../spend/calls-link.tsx";
import { largestIncrease } from "../spend/change-in-words.ts";

const DAY_MS = 86_400_000;

/** Parameters of the models page for the month of an invoice. */
export const monthSearch = (periodStart: string) => ({ month: periodStart.slice(0, 7) });

interface InvoiceCauseProps {
  clientId: string;
  /** What grew most. */
  metric: UsageMetric;
  before: Invoice;
  after: Invoice;
}

/** Names the day, and of calls of models the model and the person, that an invoice grew by most. */
export function InvoiceCause({ clientId, metric, before, after }: InvoiceCauseProps) {
  const params = { client_id: clientId };
  const [from, to] = [before.period_start, lastDay(after.period_end)];
  const usage = useQuery(apiQuery(billingRoutes.listUsage, { params, query: { from: after.period_start, to } }));
  const ofMetric = (usage.data?.data ?? []).filter((one) => one.metric === metric);
  const peak = ofMetric.toSorted((one, other) => other.quantity - one.quantity)[0];
  // Before these days nothing is known, which is not the same as no spending.
  const spending = (by: SpendingBy) => ({
    ...apiQuery(modelCallRoutes.getSpending, { params, query: { from, to, by, per: "month" } }),
    enabled: metric === "ai_spend" && (Date.now() - Date.parse(from)) / DAY_MS < MAX_SPENDING_DAYS,
  });
  const models = useQuery(spending("model"));
  const people = useQuery(spending("person"));
  const increases = [
    { what: "model", found: models.data, note: "" },
    { what: "person", found: people.data, note: ", as the calling programs state it," },
  ].flatMap(({ what, found, note }) => {
    const increase = found && largestIncrease(changesOf(found, after.period_start));
    return increase === undefined ? [] : [{ what, note, ...increase }];
  });
  if (peak === undefined && increases.length === 0) return null;
  return (
    <p className="px-4 pb-3">
      {peak === undefined ? null : (
        <>
          {METRIC_NAMES[metric]} was highest on <strong>{formatLongDay(peak.day)}</strong>:{" "}
          {formatUsage(metric, peak.quantity)}
          {metric === "ai_spend"
            ? ` of the month's ${formatMoney(ofMetric.reduce((total, { quantity }) => total + quantity, 0))}`
            : null}
          .{" "}
        </>
      )}
      {increases.map(({ what, note, name, before: former, after: latter }) => (
        <span key={what}>
          The {what} whose cost grew most{note} is <strong>{name}</strong>: {formatMoney(latter)} after{" "}
          {formatMoney(former)}.{" "}
        </span>
      ))}
      {peak !== undefined && isOfCalls(metric) ? (
        <CallsLink day={peak.day} search={monthSearch(after.period_start)} />
      ) : null}
    </p>
  );
}

const lastDay = (end: string): string => new Date(Date.parse(end) - DAY_MS).toISOString().slice(0, 10);

/** Adds up spending by name, because one model can have several providers. Leaves out spending without a name. */
function changesOf({ data }: Spending, latter: string) {
  const changes = new Map<string, { name: string; before: number; after: number }>();
  for (const { name, period, spent_micros } of data) {
    if (name === null) continue;
    const change = changes.get(name) ?? { name, before: 0, after: 0 };
    change[period < latter ? "before" : "after"] += spent_micros;
    changes.set(name, change);
  }
  return [...changes.values()];
}
