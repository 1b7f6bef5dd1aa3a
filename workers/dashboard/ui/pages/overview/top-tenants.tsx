import type { GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { clientAddress } from "../../kit/addresses.ts";
import { formatDuration, formatMoney, formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Empty } from "../../kit/states.tsx";
import { type ShortColumn, ShortTable } from "./short-table.tsx";

type Tenant = GlobalAnalytics["top"][number];

const columns: readonly ShortColumn<Tenant>[] = [
  { header: "Tenant", cell: ({ name, slug }) => (name === slug ? slug : `${name} (${slug})`) },
  { header: "Model cost", right: true, cell: ({ usage }) => formatMoney(usage.ai_spend) },
  { header: "Queries", right: true, wide: true, cell: ({ usage }) => formatNumber(usage.ai_queries) },
  { header: "Uptime", right: true, cell: ({ usage }) => formatDuration(usage.container_uptime) },
];

export const TopTenants = ({ top, days }: { top: readonly Tenant[]; days: number }) => (
  <Card title="Largest tenants" about={`By model cost of the last ${days} days, then by uptime`} flush>
    {top.length === 0 ? (
      <Empty title="No usage">Tenants appear here when they run or use a model.</Empty>
    ) : (
      <ShortTable
        label="Largest tenants"
        columns={columns}
        rows={top}
        idOf={({ client_id }) => client_id}
        linkOf={({ client_id }) => clientAddress(client_id)}
      />
    )}
  </Card>
);
