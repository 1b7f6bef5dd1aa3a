import type { GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { Figures } from "./figures.tsx";
import { PartnersTable } from "./partners-table.tsx";
import { TenantsByState } from "./tenants-by-state.tsx";
import { TopTenants } from "./top-tenants.tsx";
import { UsageCard } from "./usage-card.tsx";

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
