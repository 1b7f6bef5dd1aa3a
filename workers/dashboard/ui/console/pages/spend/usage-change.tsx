import { useQuery } from "@tanstack/react-query";
import { METRIC_NAMES, type UsageMetric, usageMetrics } from "#domain/billing/usage-metric.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { formatLongDay, formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { formatUsage } from "#workers/dashboard/ui/pages/clients/usage/metric.ts";
import { lastDays } from "#workers/dashboard/ui/pages/clients/usage/usage.tsx";
import { type Change, changeInWords } from "./change-in-words.ts";
import { ChangeTable } from "./change-table.tsx";

const DAYS = 30;

type Used = Answer<typeof billingRoutes.listUsage>["data"];

export function UsageChange({ clientId }: { clientId: string }) {
  const days = lastDays(2 * DAYS);
  const first = days[DAYS] ?? days[0];
  const query = useQuery(
    apiQuery(billingRoutes.listUsage, {
      params: { client_id: clientId },
      query: { from: days[0], to: days.at(-1) },
    }),
  );
  return (
    <Card title={`Last ${DAYS} days`} about={`Compared with the ${DAYS} days before, by usage.`} flush>
      <Loaded query={query} loading={<Loading padded />}>
        {({ data }) => {
          const changes = usageMetrics
            .map((metric) => changeOf(metric, data, first))
            .filter(({ before, after }) => before > 0 || after > 0);
          if (changes.length === 0) return <Empty title="No usage">Usage appears once the agent is used.</Empty>;
          return (
            <>
              <p className="px-4 pb-3">{sentence(data, first)}</p>
              <ChangeTable label="Usage compared" before="Before" after="Now" changes={changes} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function changeOf(metric: UsageMetric, data: Used, first: string) {
  const sum = (of: (day: string) => boolean) =>
    data.filter((one) => one.metric === metric && of(one.day)).reduce((total, { quantity }) => total + quantity, 0);
  return {
    name: METRIC_NAMES[metric],
    before: sum((day) => day < first),
    after: sum((day) => day >= first),
    format: (quantity: number) => formatUsage(metric, quantity),
  } satisfies Change & { format: unknown };
}

/** What happened to the cost of models, and on which day most of it arose. */
function sentence(data: Used, first: string): string {
  const { before, after } = changeOf("ai_spend", data, first);
  const costs = data.filter(({ metric, day }) => metric === "ai_spend" && day >= first);
  const peak = costs.toSorted((one, other) => other.quantity - one.quantity)[0];
  const change = `Model cost: ${formatMoney(after)} after ${formatMoney(before)}, ${changeInWords({ before, after })}.`;
  if (peak === undefined || peak.quantity === 0) return change;
  return `${change} The most expensive day was ${formatLongDay(peak.day)}, with ${formatMoney(peak.quantity)}.`;
}
