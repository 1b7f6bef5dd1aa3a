import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { analyticsRoutes } from "#workers/contracts/api/analytics.ts";
import { read } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { ViewSwitch } from "../../kit/layout/view-switch.tsx";
import { Loaded, Skeleton } from "../../kit/states.tsx";
import { DEFAULT_PERIOD, periods } from "./search.ts";
import { CapacityStatus } from "./status/capacity-status.tsx";
import { OpenIncidents } from "./status/open-incidents.tsx";
import { PoolStatus } from "./status/pool-status.tsx";
import { RunningJobs } from "./status/running-jobs.tsx";
import { Summary } from "./summary.tsx";

const route = getRouteApi("/shell/");

export function OverviewPage() {
  const { isRoot, partner } = useViewer();
  const { days = DEFAULT_PERIOD } = route.useSearch();
  const analytics = useQuery({
    ...read(analyticsRoutes.getGlobalAnalytics, { query: { days } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Overview"
      about={partner === null ? "All tenants of the platform" : `Tenants of ${partner.name}`}
      actions={
        <ViewSwitch
          label="Period"
          to="/"
          views={periods.map((one) => ({ name: `${one} days`, search: { days: one }, current: one === days }))}
        />
      }
    >
      <div className={isRoot ? "grid gap-4 md:grid-cols-2 xl:grid-cols-4" : "grid gap-4 md:grid-cols-2"}>
        <OpenIncidents />
        <RunningJobs />
        {isRoot ? (
          <>
            <CapacityStatus />
            <PoolStatus />
          </>
        ) : null}
      </div>
      <Loaded
        query={analytics}
        loading={<SummaryPlaceholder />}
        failed={(failed) => <Card title="Usage and tenants">{failed}</Card>}
      >
        {(figures) => <Summary figures={figures} stale={analytics.isPlaceholderData} />}
      </Loaded>
    </Page>
  );
}

/** A placeholder of the same height. */
const SummaryPlaceholder = () => (
  <div role="status" className="flex flex-col gap-5">
    <span className="sr-only">Loading…</span>
    <Skeleton className="h-54 sm:h-36 xl:h-23" />
    <div className="grid gap-4 lg:grid-cols-3">
      <Skeleton className="h-92 lg:col-span-2" />
      <Skeleton className="h-92" />
    </div>
    <Skeleton className="h-64" />
  </div>
);
