import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { formatLongDay, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, Loaded, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { formatShare } from "./probe-labels.ts";

const DayChart = lazy(() => import("#workers/dashboard/ui/kit/chart/day-chart.tsx"));

interface Day {
  day: string;
  samples: number;
  ready: number;
  mean_latency_ms: number;
}

const TITLE = "Last 30 days";

/** Availability and latency of an instance by day. */
export function AvailabilityCard({ instanceId }: { instanceId: string }) {
  const query = useQuery(apiQuery(instanceRoutes.getInstanceAvailability, { params: { instance_id: instanceId } }));
  return (
    <Card title={TITLE} about={query.data === undefined ? " " : inWords(query.data.data)}>
      <Loaded query={query} loading={<Skeleton className="h-60" />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No health checks in the last 30 days">They appear within minutes while the agent runs.</Empty>
          ) : (
            <Suspense fallback={<Skeleton className="h-60" />}>
              <DayChart
                label={TITLE}
                days={data.map(({ day }) => day)}
                series={[{ name: "Ready", values: data.map(({ samples, ready }) => ready / samples) }]}
                format={formatShare}
              />
            </Suspense>
          )
        }
      </Loaded>
    </Card>
  );
}

function inWords(days: readonly Day[]): string {
  const samples = days.reduce((sum, day) => sum + day.samples, 0);
  if (samples === 0) return " ";
  const ready = days.reduce((sum, day) => sum + day.ready, 0);
  const latency = days.reduce((sum, day) => sum + day.mean_latency_ms * day.samples, 0) / samples;
  const [worst] = days.toSorted((a, b) => a.ready / a.samples - b.ready / b.samples);
  const dip =
    worst === undefined || worst.ready === worst.samples
      ? ""
      : ` The worst day was ${formatLongDay(worst.day)} with ${formatShare(worst.ready / worst.samples)}.`;
  return `${formatShare(ready / samples)} of probes found the agent ready.${dip} Latency: ${formatNumber(Math.round(latency))} ms on average.`;
}
