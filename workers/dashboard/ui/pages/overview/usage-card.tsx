import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { analyticsRoutes, type GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { apiQuery } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { CONTROL } from "../../kit/form/control.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Loaded, Skeleton } from "../../kit/states.tsx";
import { chartViews } from "./search.ts";
import { UsageChart } from "./usage-chart.tsx";
import { daysOf, partnerSeries, seriesOf, usageViews } from "./usage-views.ts";

const route = getRouteApi("/shell/");

interface UsageCardProps {
  series: GlobalAnalytics["series"];
  period: GlobalAnalytics["period"];
  className?: string;
}

export function UsageCard({ series, period, className = "" }: UsageCardProps) {
  const { isRoot } = useViewer();
  const { chart: wanted = "cost" } = route.useSearch();
  const navigate = route.useNavigate();
  const chart = wanted === "partners" && !isRoot ? "cost" : wanted;
  const view = usageViews[chart];
  const days = useMemo(() => daysOf(period), [period]);
  return (
    <Card
      title="Usage by day"
      about={
        chart === "partners"
          ? "From billing data, in UTC. Today's usage appears within an hour."
          : "Days are in UTC. The first and the last day are partial."
      }
      className={className}
      actions={
        <select
          aria-label="Metric"
          value={chart}
          className={`${CONTROL} h-8.5`}
          onChange={({ currentTarget: { value } }) => {
            const next = chartViews.find((one) => one === value);
            void navigate({ search: (before) => ({ ...before, chart: next }), replace: true, resetScroll: false });
          }}
        >
          {chartViews
            .filter((one) => isRoot || one !== "partners")
            .map((one) => (
              <option key={one} value={one}>
                {usageViews[one].name}
              </option>
            ))}
        </select>
      }
    >
      {chart === "partners" ? (
        <ByPartner days={days} period={period.days} />
      ) : (
        <UsageChart {...view} days={days} series={seriesOf(chart, days, series)} />
      )}
    </Card>
  );
}

function ByPartner({ days, period }: { days: readonly string[]; period: number }) {
  const spend = useQuery({
    ...apiQuery(analyticsRoutes.getPartnerSpend, { query: { days: period } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={spend} loading={<Skeleton className="h-66" />}>
      {({ partners }) => <UsageChart {...usageViews.partners} days={days} series={partnerSeries(days, partners)} />}
    </Loaded>
  );
}
