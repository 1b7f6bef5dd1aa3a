import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { analyticsRoutes, type GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { apiQuery } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { ViewSwitch } from "../../kit/layout/view-switch.tsx";
import { Loaded, Skeleton } from "../../kit/states.tsx";
import { Figures } from "./figures.tsx";
import { PartnersTable } from "./partners-table.tsx";
import { DEFAULT_PERIOD, periods } from "./search.ts";
import { CapacityStatus, OpenIncidents, PoolStatus, RunningJobs } from "./status-cards.tsx";
import { TenantsByState } from "./tenants-by-state.tsx";
import { TopTenants } from "./top-tenants.tsx";
import { UsageCard } from "./usage-card.tsx";

const route = getRouteApi("/shell/");

export default function OverviewPage() {
  const { isRoot, partner } = useViewer();
  const { days = DEFAULT_PERIOD } = route.useSearch();
  const analytics = useQuery({
    ...apiQuery(analyticsRoutes.getGlobalAnalytics, { query: { days } }),
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

export function Summary({ figures, stale }: { figures: GlobalAnalytics; stale: boolean }) {
  const { usage, period, series, tenants, top, partners } = figures;
  return (
    <div aria-busy={stale} className={stale ? "flex flex-col gap-5 opacity-60" : "flex flex-col gap-5"}>
      <Figures usage={usage} days={period.days} />
      <div className="grid gap-4 lg:grid-cols-3">
        <UsageCard series={series} period={period} className="lg:col-span-2" />
        <TenantsByState tenants={tenants} />
      </div>
      <div className={partners === null ? "" : "grid items-start gap-4 xl:grid-cols-2"}>
        <TopTenants top={top} days={period.days} />
        {partners === null ? null : <PartnersTable partners={partners} days={period.days} />}
      </div>
    </div>
  );
}
