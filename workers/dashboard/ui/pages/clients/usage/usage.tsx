import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { METRIC_NAMES, type UsageMetric, usageMetrics } from "#domain/billing/usage-metric.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";
import { formatDays, formatLongDay } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { ViewSwitch } from "#workers/dashboard/ui/kit/layout/view-switch.tsx";
import { DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded, Loading, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { type ClientTab, clientTab } from "../detail/client-frame.tsx";
import { ProviderKeysCard } from "../provider-keys/provider-keys-card.tsx";
import { periods, usageSearch } from "../search.ts";
import { lastDays } from "./days.ts";
import { axisUnit, formatUsage } from "./metric.ts";

const DayChart = lazy(() => import("#workers/dashboard/ui/kit/chart/day-chart.tsx"));

const DEFAULT_DAYS = 30;

export default clientTab("usage", UsageTab);

function UsageTab({ client }: ClientTab) {
  return (
    <>
      <UsageCard clientId={client.id} address={`${clientAddress(client.id)}/usage`} />
      {client.instance === null ? null : <ProviderKeysCard instanceId={client.instance.id} />}
    </>
  );
}

interface UsageCardProps {
  clientId: string;
  /** Of the page, whose search parameters are `usageSearch`. */
  address: string;
  /** Of a page that has its own choice of a period. */
  chosen?: readonly string[];
  /** Returns a link to what caused the usage of a day. */
  causeOf?: ((metric: UsageMetric, day: string) => ReactNode) | undefined;
}

export function UsageCard({ clientId, address, chosen, causeOf }: UsageCardProps) {
  const search = usageSearch.parse(useSearch({ strict: false }));
  const { days: count = DEFAULT_DAYS, metric = "ai_spend", as = "chart" } = search;
  const navigate = useNavigate();
  const days = chosen ?? lastDays(count);
  const [first = "", last = first] = [days[0], days.at(-1)];
  const unit = axisUnit(metric);
  const query = useQuery({
    ...apiQuery(billingRoutes.listUsage, {
      params: { client_id: clientId },
      query: { from: first, to: last },
    }),
    placeholderData: keepPreviousData,
  });
  const change = (part: object) =>
    void navigate({
      to: address,
      search: (before: object) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Card
      title="Usage"
      about={`${formatDays({ first, last })}, by day, in UTC. Today's usage appears within an hour.`}
      actions={
        <>
          {chosen === undefined ? (
            <select
              aria-label="Period"
              value={count}
              onChange={(event) => change({ days: Number(event.currentTarget.value) })}
              className={`${CONTROL} h-8.5`}
            >
              {periods.map((period) => (
                <option key={period} value={period}>
                  {period} days
                </option>
              ))}
            </select>
          ) : null}
          <ViewSwitch
            label="View"
            to={address}
            views={[
              { name: "Chart", search: { as: undefined }, current: as === "chart" },
              { name: "Table", search: { as: "table" }, current: as === "table" },
            ]}
          />
        </>
      }
    >
      <Loaded query={query} loading={<Loading lines={6} />}>
        {({ data }) => {
          const totals = new Map<string, number>();
          for (const one of data) totals.set(one.metric, (totals.get(one.metric) ?? 0) + one.quantity);
          const ofMetric = new Map(data.filter((one) => one.metric === metric).map((one) => [one.day, one.quantity]));
          const points = days.map((day) => ({ day, quantity: ofMetric.get(day) ?? 0 }));
          return (
            <div className="flex flex-col gap-4">
              <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-6">
                <legend className="sr-only">Metric</legend>
                {usageMetrics.map((one) => (
                  <button
                    key={one}
                    type="button"
                    aria-pressed={one === metric}
                    onClick={() => change({ metric: one })}
                    className={joinClasses(
                      "min-w-0 rounded-md border px-3 py-2 text-left",
                      one === metric ? "border-accent bg-accent-soft" : "border-line hover:bg-hover",
                    )}
                  >
                    <span className="block truncate text-xs text-quiet">{METRIC_NAMES[one]}</span>
                    <span className="block truncate font-semibold tabular-nums">
                      {formatUsage(one, totals.get(one) ?? 0)}
                    </span>
                  </button>
                ))}
              </fieldset>
              <Peak metric={metric} points={points} causeOf={causeOf} />
              {data.length === 0 ? (
                <Empty title="No usage">Usage appears once the agent runs and receives requests.</Empty>
              ) : as === "chart" ? (
                <Suspense fallback={<Skeleton className="h-60 w-full" />}>
                  <DayChart
                    label={`${METRIC_NAMES[metric]} by day`}
                    days={days}
                    series={[{ name: METRIC_NAMES[metric], values: points.map(({ quantity }) => quantity / unit) }]}
                    format={(value) => formatUsage(metric, value * unit)}
                  />
                </Suspense>
              ) : (
                <UsageTable metric={metric} points={points} causeOf={causeOf} />
              )}
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

interface UsagePoint {
  day: string;
  quantity: number;
}

interface PointsProps extends Pick<UsageCardProps, "causeOf"> {
  metric: UsageMetric;
  points: readonly UsagePoint[];
}

/** States the day with the highest usage, which a chart shows only roughly. */
function Peak({ metric, points, causeOf }: PointsProps) {
  const peak = points.toSorted((one, other) => other.quantity - one.quantity)[0];
  if (peak === undefined || peak.quantity === 0) return null;
  return (
    <p>
      {METRIC_NAMES[metric]} was highest on <strong>{formatLongDay(peak.day)}</strong>:{" "}
      {formatUsage(metric, peak.quantity)}. {causeOf?.(metric, peak.day)}
    </p>
  );
}

function UsageTable({ metric, points, causeOf }: PointsProps) {
  const used = points.filter(({ quantity }) => quantity > 0);
  const unused = points.length - used.length;
  return (
    <div>
      <DataTable
        label={`${METRIC_NAMES[metric]}, by day`}
        columns={[
          { header: "Day", share: 1.1, cell: ({ day }) => formatLongDay(day) },
          {
            header: METRIC_NAMES[metric],
            right: true,
            share: 0.8,
            cell: ({ quantity }) => formatUsage(metric, quantity),
          },
          ...(causeOf?.(metric, points[0]?.day ?? "") == null
            ? []
            : [{ header: "Cause", right: true, share: 1.15, cell: ({ day }: UsagePoint) => causeOf(metric, day) }]),
        ]}
        rows={used.toReversed()}
        idOf={({ day }) => day}
      />
      {unused === 0 ? null : (
        <p className="pt-3 text-quiet">
          {unused === 1 ? "One day without usage is" : `${unused} days without usage are`} left out.
        </p>
      )}
    </div>
  );
}
