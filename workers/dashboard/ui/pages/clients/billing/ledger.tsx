import { useInfiniteQuery } from "@tanstack/react-query";
import type { CreditEntry } from "../../../../../contracts/api/billing.ts";
import { billingRoutes } from "../../../../../contracts/api/billing-routes.ts";
import type { Client } from "../../../../../contracts/api/clients.ts";
import { MAX_LIMIT } from "../../../../../contracts/api/paging.ts";
import { readPages } from "../../../api/queries.ts";
import { Card } from "../../../kit/card.tsx";
import { classes } from "../../../kit/classes.ts";
import { formatLongDay, formatMoney } from "../../../kit/format.ts";
import { PagedTable } from "../../../kit/list/paged-table.tsx";
import type { Column } from "../../../kit/list/table.tsx";
import { Empty } from "../../../kit/states.tsx";
import { Ago } from "../../../kit/time.tsx";

const columns: readonly Column<CreditEntry>[] = [
  { id: "booked", header: "Booked", cell: ({ booked_at }) => <Ago at={booked_at} /> },
  {
    id: "kind",
    header: "What",
    cell: ({ kind, day }) => (day === null ? kind : `${kind}, ${formatLongDay(day)}`),
    share: 1.6,
  },
  {
    id: "reference",
    header: "Reference",
    from: "md",
    share: 2,
    cell: ({ reference, note }) => [reference, note].filter(Boolean).join(": "),
  },
  {
    id: "amount",
    header: "Amount",
    right: true,
    cell: ({ amount_micros }) => (
      <span className={classes(amount_micros > 0 && "text-good")}>
        {amount_micros > 0 ? "+" : ""}
        {formatMoney(amount_micros)}
      </span>
    ),
  },
];

/** All that came into a client's credit and went out of it. */
export function Ledger({ client }: { client: Client }) {
  const query = useInfiniteQuery(
    readPages(billingRoutes.listCreditEntries, { params: { client_id: client.id }, query: { limit: MAX_LIMIT } }),
  );
  return (
    <Card title="Ledger" about="The newest first. Nothing in it is ever changed." flush>
      <PagedTable
        label="Ledger"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        empty={<Empty title="Nothing is booked">Purchases, payments and each day's usage are booked here.</Empty>}
      />
    </Card>
  );
}
