import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useWidth } from "#workers/dashboard/ui/kit/chart/use-width.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, QueryFault, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { incidentSpans, latencyOf, sharesOf, timeSpans } from "./lanes.ts";
import { formatShare } from "./probe-labels.ts";
import { TimelineTable } from "./timeline-table.tsx";
import type { Health } from "./use-health.ts";

const TimelineChart = lazy(() => import("./timeline-chart.tsx"));

const TITLE = "Last 24 hours";
const TICK_MS = 60_000;
const MAX_INCIDENTS = 50;

function latencyText(history: Parameters<typeof latencyOf>[0]): string {
  const { mean, max } = latencyOf(history);
  return `${formatNumber(Math.round(mean))} ms on average, at most ${formatNumber(Math.round(max))} ms`;
}

export function TimelineCard({ instance, health }: { instance: Instance; health: Health }) {
  const now = useNow(TICK_MS);
  const [place, width] = useWidth<HTMLDivElement>();
  const query = { instance_id: instance.id, limit: MAX_INCIDENTS };
  const incidents = useQuery(apiQuery(incidentRoutes.listIncidents, { query }));
  const { data, error } = health.read;
  const history = data?.history ?? [];
  const all = timeSpans(history, now);
  const spans = incidentSpans(incidents.data?.data ?? [], now);
  const share = sharesOf(history);
  const label =
    share === undefined
      ? "No health checks in the last 24 hours"
      : `Availability, last 24 hours: ${formatShare(share.readiness)} ready, ${formatShare(share.startup)} started, ${formatShare(share.liveness)} alive. ${spans.length} ${spans.length === 1 ? "incident" : "incidents"}. Latency: ${latencyText(history)}.`;
  if (data !== undefined && share === undefined && spans.length === 0)
    return (
      <Card title={TITLE}>
        <Empty title={label}>They appear within minutes while the agent runs.</Empty>
      </Card>
    );
  return (
    <Card title={TITLE} about={data === undefined ? " " : label}>
      {data === undefined && error !== null ? (
        <QueryFault query={health.read} />
      ) : (
        <>
          <div ref={place} className="min-h-34 overflow-hidden">
            {data === undefined || width === 0 ? (
              <Skeleton className="h-28" />
            ) : (
              <Suspense fallback={<Skeleton className="h-28" />}>
                <TimelineChart timeSpans={all} incidents={spans} now={now} width={width} label={label} />
              </Suspense>
            )}
          </div>
          <TimelineTable timeSpans={all} incidents={spans} />
        </>
      )}
    </Card>
  );
}
