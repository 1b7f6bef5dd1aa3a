import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { useWidth } from "#workers/dashboard/ui/kit/chart/use-width.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Failed, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { formatShare } from "./lane-words.ts";
import { incidentSpans, shares, stretches } from "./lanes.ts";
import { TimelineTable } from "./timeline-table.tsx";
import type { Health } from "./use-health.ts";

const TimelineChart = lazy(() => import("./timeline-chart.tsx"));

const TICK_MS = 60_000;
/** Of one instance in a day there are few. */
const MOST_INCIDENTS = 50;

/** The three probes over the last 24 hours. */
export function TimelineCard({ instance, health }: { instance: Instance; health: Health }) {
  const now = useNow(TICK_MS);
  const [place, width] = useWidth<HTMLDivElement>();
  const query = { instance_id: instance.id, limit: MOST_INCIDENTS };
  const incidents = useQuery(read(incidentRoutes.listIncidents, { query }));
  const { data, error, refetch, isFetching } = health.read;
  const history = data?.history ?? [];
  const all = stretches(history, now);
  const spans = incidentSpans(incidents.data?.data ?? [], now);
  const share = shares(history);
  const label =
    share === undefined
      ? "Nobody has looked at it in the last 24 hours: it slept, was frozen, or is new."
      : `Of the looks of the last 24 hours ${formatShare(share.startup)} found it started, ${formatShare(share.readiness)} ready and ${formatShare(share.liveness)} alive; ${spans.length} ${spans.length === 1 ? "incident" : "incidents"}.`;
  return (
    <Card title="Last 24 hours" about={data === undefined ? " " : label}>
      {data === undefined && error !== null ? (
        <Failed error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <>
          <div ref={place} className="min-h-34">
            {data === undefined || width === 0 ? (
              <Skeleton className="h-28" />
            ) : (
              <Suspense fallback={<Skeleton className="h-28" />}>
                <TimelineChart stretches={all} incidents={spans} now={now} width={width} label={label} />
              </Suspense>
            )}
          </div>
          <TimelineTable stretches={all} incidents={spans} />
        </>
      )}
    </Card>
  );
}
