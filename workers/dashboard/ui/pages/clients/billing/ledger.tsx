import { useInfiniteQuery } from "@tanstack/react-query";
import type { CreditEntry } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { capitalised, formatLongDay, formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";

const columns: readonly Column<CreditEntry>[] = [
  { header: "Booked", from: "sm", cell: ({ booked_at }) => <Moment at={booked_at} date /> },
  {
    header: "Entry",
    cell: ({ kind, day }) => capitalised(day === null ? kind : `${kind}, ${formatLongDay(day)}`),
    share: 1.6,
  },
  {
    header: "Reference",
    from: "md",
    share: 2,
    cell: ({ reference, note }) => [reference, note].filter(Boolean).join(": "),
  },
  {
    header: "Amount",
    right: true,
    cell: ({ amount_micros }) => (
      <span className={joinClasses(amount_micros > 0 && "text-good")}>
        {amount_micros > 0 ? "+" : ""}
        {formatMoney(amount_micros)}
      </span>
    ),
  },
];

export function Ledger({ client }: { client: Client }) {
  const query = useInfiniteQuery(
    readPages(billingRoutes.listCreditEntries, { params: { client_id: client.id }, query: { limit: MAX_LIMIT } }),
  );
  return (
    <Card title="Ledger" about="Payments and daily usage, newest first. Entries cannot be changed." flush>
      <PagedTable
        label="Ledger"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        empty={<Empty title="No entries yet">Purchases, payments and daily usage appear here.</Empty>}
      />
    </Card>
  );
}
