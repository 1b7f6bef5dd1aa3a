import type { GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { partnerAddress } from "../../kit/addresses.ts";
import { formatMoney, formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Empty } from "../../kit/states.tsx";
import { Change } from "./change.tsx";
import { type ShortColumn, ShortTable } from "./short-table.tsx";

type Segment = NonNullable<GlobalAnalytics["partners"]>[number];

const columns: readonly ShortColumn<Segment>[] = [
  { header: "Partner", cell: ({ partner }) => partner?.name ?? "Internal" },
  { header: "Tenants", right: true, cell: ({ tenants }) => formatNumber(tenants) },
  { header: "Model cost", right: true, cell: ({ usage }) => formatMoney(usage.current.ai_spend) },
  {
    header: "Change",
    right: true,
    wide: true,
    cell: ({ usage: { current, previous } }) => <Change current={current.ai_spend} previous={previous.ai_spend} />,
  },
];

export const PartnersTable = ({ partners, days }: { partners: readonly Segment[]; days: number }) => (
  <Card title="By partner" about={`Model cost of the last ${days} days, compared with the previous ${days} days`} flush>
    {partners.length === 0 ? (
      <Empty title="No clients yet">Partners appear here when they have clients.</Empty>
    ) : (
      <ShortTable
        label="Tenants and model cost by partner"
        columns={columns}
        rows={partners}
        idOf={({ partner }) => partner?.id ?? "internal"}
        linkOf={({ partner }) => (partner === null ? "/clients" : partnerAddress(partner.id))}
      />
    )}
  </Card>
);
