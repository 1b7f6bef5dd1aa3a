import { useQuery } from "@tanstack/react-query";
import { METRIC_NAMES, type UsageMetric, usageMetrics } from "#domain/billing/usage-metric.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { formatDays, formatLongDay, formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { formatUsage } from "#workers/dashboard/ui/pages/clients/usage/metric.ts";
import { CallsLink } from "./calls-link.tsx";
import { type Change, changeInWords } from "./change-in-words.ts";
import { ChangeTable } from "./change-table.tsx";
import type { Period } from "./period.ts";

type Used = Answer<typeof billingRoutes.listUsage>["data"];

interface UsageChangeProps {
  clientId: string;
  period: Period;
  /** Parameters of the models page that a link to it keeps. */
  search?: object;
}

/** How a period differs from the one before. */
export function UsageChange({ clientId, period, search = {} }: UsageChangeProps) {
  const { first, last, before } = period;
  const query = useQuery(
    apiQuery(billingRoutes.listUsage, {
      params: { client_id: clientId },
      query: { from: before.first, to: last },
    }),
  );
  return (
    <Card title="What changed" about={`${formatDays(period)}, compared with ${formatDays(before)}.`} flush>
      <Loaded query={query} loading={<Loading padded />}>
        {({ data }) => {
          const changes = usageMetrics
            .map((metric) => changeOf(metric, data, period))
            .filter(({ before, after }) => before > 0 || after > 0);
          if (changes.length === 0) return <Empty title="No usage">Usage appears once the agent is used.</Empty>;
          return (
            <>
              <p className="px-4 pb-3">
                <ModelCost data={data} period={period} search={search} />
              </p>
              <ChangeTable
                label="Usage compared"
                before={formatDays(before)}
                after={formatDays({ first, last })}
                changes={changes}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function changeOf(metric: UsageMetric, data: Used, { first, before }: Period) {
  const sum = (of: (day: string) => boolean) =>
    data.filter((one) => one.metric === metric && of(one.day)).reduce((total, { quantity }) => total + quantity, 0);
  return {
    name: METRIC_NAMES[metric],
    before: sum((day) => day <= before.last),
    after: sum((day) => day >= first),
    format: (quantity: number) => formatUsage(metric, quantity),
  } satisfies Change & { format: unknown };
}

/** What happened to the cost of models, and on which day most of it arose. */
function ModelCost({ data, period, search }: { data: Used; period: Period; search: object }) {
  const change = changeOf("ai_spend", data, period);
  const costs = data.filter(({ metric, day }) => metric === "ai_spend" && day >= period.first);
  const peak = costs.toSorted((one, other) => other.quantity - one.quantity)[0];
  return (
    <>
      Model cost: {formatMoney(change.after)} after {formatMoney(change.before)}, {changeInWords(change)}.{" "}
      {peak === undefined || peak.quantity === 0 ? null : (
        <>
          The most expensive day was <strong>{formatLongDay(peak.day)}</strong>, with {formatMoney(peak.quantity)}.{" "}
          <CallsLink day={peak.day} search={search} />
        </>
      )}
    </>
  );
}
